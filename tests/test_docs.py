"""The documents: generated pages are current, commands work, every verb is mentioned."""

import os
import re
import runpy
import subprocess
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement
from PIL import Image

import adjudge as aj
from adjudge.cli import main
from adjudge.judging.demonstration import demonstration

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def test_the_pages_of_metrics_are_current():
    """Run docs/make_metrics.py when a row changes; .ci/run does so for what settings mean."""
    made = runpy.run_path(str(ROOT / "docs" / "make_metrics.py"))
    meaning = re.compile(r"^  - `.*\n|^- settings.*\n", re.MULTILINE)
    for path, text in made["pages"]().items():
        assert meaning.sub("", path.read_text()) == meaning.sub("", text), path.name


def test_the_documents_claim_no_more_metrics_and_thresholds_than_there_are():
    count = len(aj.catalogue)
    for name in ("README.md", "docs/index.md"):
        text = (ROOT / name).read_text()
        assert f"with {count} metrics for time-series anomaly detection" in text
        assert "limits.md" in text
    assert "docs/metrics.md#which-thresholds-are-tried" in README
    page = (ROOT / "docs" / "metrics.md").read_text()
    tried = page.partition("## Which thresholds are tried\n")[2].partition("\n## ")[0]
    grids = {name for name, row in aj.catalogue.items() if row.parameters.get("thresholds")}
    anew = {n for n, r in aj.catalogue.items() if r.needs == "flags" and not r.metric.sweeps}
    assert grids | anew == set(re.findall(r"`(\w+)`", tried)) - {"evaluate"}


def test_the_crosswalk_is_current():
    made = runpy.run_path(str(ROOT / "docs" / "make_crosswalk.py"))
    assert (ROOT / "docs" / "crosswalk.md").read_text() == made["page"]()


def test_the_page_of_conformance_is_current():
    made = runpy.run_path(str(ROOT / "docs" / "make_conformance.py"))
    assert (ROOT / "docs" / "conformance.md").read_text() == made["page"]()


def test_the_page_of_integrations_prints_the_recipes_that_are_tested():
    made = runpy.run_path(str(ROOT / "docs" / "make_integrations.py"))
    assert (ROOT / "docs" / "integrations.md").read_text() == made["page"]()


def test_the_readme_has_exactly_two_set_up_commands():
    commands = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert commands == [
        'python3 -m venv .venv && .venv/bin/pip install -e ".[all]" && .venv/bin/adjudge demo',
        'python3 -m venv .venv && .venv/bin/pip install -e ".[test]" && .venv/bin/python -m pytest',
    ]


ONLY_THESE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
"""


def closure(name, extras):
    """The distributions that an install brings, as their metadata say: names in lower case."""
    found, open_ones = set(), [(name, extra) for extra in ("", *extras)]
    while open_ones:
        one = open_ones.pop()
        found.add(one)
        for text in requires(one[0]) or []:
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": one[1]}):
                asked = {(needed.name.lower(), extra) for extra in ("", *needed.extras)}
                open_ones += asked - found
    return {canonical(name) for name, _ in found}


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_readme_runs_with_what_its_own_command_installs(tmp_path):
    """What the tests bring beyond that cannot be imported; .ci/run makes the real environment."""
    (extras,) = re.findall(r'install -e "\.\[(\w+)\]" && \.venv/bin/adjudge', README)
    brought = closure("adjudge", [extras])
    assert {"numpy", "pyarrow", "joblib"} <= brought
    absent = {
        module
        for module, distributions in packages_distributions().items()
        if not brought & {canonical(name) for name in distributions}
    }
    assert {"pandas", "polars", "pytest"} <= absent
    (tmp_path / "sitecustomize.py").write_text(ONLY_THESE.format(absent=absent))
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "campaigns" / "readme.py"],
        capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(tmp_path)}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_s_table_is_that_of_the_demo():
    _, rows, _ = demonstration()
    for name, found, false, *values in rows:
        (line,) = [line for line in README.splitlines() if line.startswith(name)]
        assert line.split()[-8:] == [found, str(false), *(f"{value:.3f}" for value in values)]


def test_the_readme_shows_what_its_commands_print():
    """Run docs/make_readme.py when the layout changes, or a value by more than one per cent."""
    now = runpy.run_path(str(ROOT / "docs" / "make_readme.py"))["page"]()
    number = re.compile(r"\d+\.\d+")
    assert number.sub("#", README) == number.sub("#", now)
    shown, found = (list(map(float, number.findall(page))) for page in (README, now))
    assert shown == pytest.approx(found, rel=0.01)


@pytest.mark.parametrize("name", ["chance", "story"])
def test_pictures_show_the_numbers_of_today(name):
    """Run docs/make_NAME.py when they do not; nothing is drawn here, and no file is written."""
    made = runpy.run_path(str(ROOT / "docs" / f"make_{name}.py"))
    found = made["numbers"]()
    with Image.open(made["PICTURE"]) as picture:
        assert picture.text["Description"] == made["words"](found)


def test_what_the_referee_measured_goes_into_both_pages():
    made = runpy.run_path(str(ROOT / "docs" / "make_referee.py"))
    line = {"table": "intervals", "scene": "equal lengths", "metric": "f1", "value": 0.9131,
            "quantity": "interval holds the truth", "bound": ">= 0.93", "verdict": "FAIL",
            "unanswered": 0.0, "runs": 1000, "error": 0.009}  # fmt: skip
    sizes = ({**line, "size": f"{count} events"} for count in (5, 10))
    files = [{"version": "0.1.0", "seed": 3, "runs": 1000, "lines": list(sizes)}]
    for page in ("text", "checked"):
        assert "| **.913** | **.913** |" in made[page](files), page


def test_the_glossary_and_the_page_of_chance_mean_the_same_interval():
    glossary, page = ((ROOT / "docs" / f"{n}.md").read_text() for n in ("glossary", "chance"))
    (meant,) = re.findall("The interval is made so that [^.]+[.]", " ".join(page.split()))
    assert meant in " ".join(glossary.partition("## interval")[2].partition("\n## ")[0].split())


@pytest.mark.parametrize("path", sorted(ROOT.glob("docs/tutorials/*.md")), ids=lambda p: p.stem)
def test_tutorials_hold_what_their_commands_print(path):
    """Run docs/make_tutorials.py; whether it is still true the build of the site tells."""
    made = runpy.run_path(str(ROOT / "docs" / "make_tutorials.py"))
    found = [(kind, now) for kind, *_, now in made["BLOCK"].findall(path.read_text())]
    assert {"run", "python"} & {kind for kind, _ in found}
    assert all(now for kind, now in found if kind == "run")


def test_a_printed_text_is_stale_with_other_words_or_numbers():
    same = runpy.run_path(str(ROOT / "docs" / "_ext" / "blocks.py"))["says_the_same"]
    assert same("f1  0.5430 of 12\n", "f1 0.5431 of 12")
    assert not same("f1 0.54", "f1 0.64")
    assert not same("f1 0.54 of 12", "f1 0.54 of 13")
    assert not same("f1 0.54", "f1 0.54 0.54")


@pytest.mark.parametrize("verb", main.commands)
def test_every_verb_stands_in_the_readme_and_on_its_page(verb):
    assert f"adjudge {verb}" in README
    assert f"adjudge {verb} --help" in (ROOT / "docs" / "cli.md").read_text()


def test_the_list_of_verbs_is_cut_nowhere():
    assert "..." not in CliRunner().invoke(main, ["--help"]).stdout.partition("Judge detectors:")[2]


def test_the_command_lines_of_the_readme_use_options_that_exist():
    for line in README.splitlines():
        if line.startswith("adjudge "):
            verb = line.split()[1]
            texts = (
                CliRunner().invoke(main, [verb, how]).stdout for how in ("--help", "--help-all")
            )
            known = "".join(texts)
            assert all(option in known for option in re.findall(r"--\w+", line)), line


def test_every_public_name_stands_in_the_python_reference():
    listed = (ROOT / "docs" / "api.md").read_text().split()
    assert set(aj.__all__) - {"__version__", "catalogue"} <= set(listed)


def test_every_page_stands_in_the_list_of_the_site():
    listed = (ROOT / "docs" / "index.md").read_text().split()
    pages = {path.stem for path in ROOT.glob("docs/*.md")} - {"index"}
    tutorials = {f"tutorials/{path.stem}" for path in ROOT.glob("docs/tutorials/*.md")}
    assert pages | tutorials <= set(listed)


def test_links_lead_somewhere():
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), ROOT / "bench" / "README.md"]
    for page in pages:
        for target in re.findall(r"\]\((?!http|_made/)([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), (page.name, target)


def test_the_page_of_the_architecture_names_what_there_is():
    page = (ROOT / "docs" / "architecture.md").read_text()
    source = ROOT / "src" / "adjudge"
    named = re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?|[a-z_]+\.py)`", page)
    for path in set(named):
        assert any((folder / path).exists() for folder in (source, source.parent, ROOT)), path
    entries = {path.name for path in source.iterdir() if not path.name.startswith("_")}
    packages = {name.rstrip("/") for name in named}
    assert entries - {"py.typed"} <= packages
