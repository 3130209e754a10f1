"""docs/coming_from.md: our side of each call gives what the page says, and is the crosswalk's."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGE, CROSSWALK = (
    (DOCS / f"{name}.md").read_text("utf-8") for name in ("coming_from", "crosswalk")
)
CALL = re.compile(r"^\| .* \| `(aj\..*)` \| ([\d.]+) \|$", re.MULTILINE)
OURS = re.compile(
    r"aj\.(?:metric\(\"(?P<spec>.+)\"\)|(?P<name>\w+))\(labels, \w+(?:, (?P<settings>.*))?\)"
)
PACKAGES = {"tsadmetrics": 12, "TSB-AD": 9, "TimeEval": 10, "scikit-learn": 10}


def part(text, package):
    """The part of a page whose heading begins with the name of a package."""
    return text.partition(f"\n## {package}")[2].partition("\n## ")[0]


def spec(call):
    """What the crosswalk writes for a call: the name of a metric with its settings."""
    found = OURS.fullmatch(call)
    settings = f"({found['settings']})" if found["settings"] else ""
    return found["spec"] or found["name"] + settings


def is_in(package, call):
    """Whether the crosswalk has a call in its part on a package; a name in braces is any value."""
    cells = re.findall(r"^\| .* \| `(.*)` \|$", part(CROSSWALK, package), re.MULTILINE)
    forms = (re.sub(r"\\\{\w+\\\}", ".+", re.escape(cell)) for cell in cells)
    return any(re.fullmatch(form, spec(call)) for form in forms)


@pytest.mark.parametrize("package", PACKAGES)
def test_our_side_of_each_call_gives_what_the_page_says(package):
    given = {}
    for line in re.findall(r"^>>> (.*)$", PAGE, re.MULTILINE):
        exec(line, given)  # noqa: S102 - our own page
    calls = CALL.findall(part(PAGE, package))
    assert len(calls) == PACKAGES[package]
    for call, value in calls:
        assert f"{eval(call, given):.4g}" == f"{float(value):.4g}", call  # noqa: S307 - our own page
        assert is_in(package, call), call


def test_a_call_that_the_crosswalk_does_not_have_is_found():
    assert is_in("tsadmetrics", "aj.vus_pr(labels, scores, window=9)")
    assert not is_in("tsadmetrics", 'aj.vus_pr(labels, scores, variant="aeon")')
    assert not is_in("scikit-learn", "aj.f1_pa(labels, flags)")
