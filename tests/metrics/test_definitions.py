"""Every value of docs/definitions.md is what the library computes."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj

PAGE = (Path(__file__).parents[2] / "docs" / "definitions.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)`<br>`([^`]+)` \| (\S+) \| .+ \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE)
FAMILIES = re.findall(r"^### (.+)$", PAGE.partition("## Case by case")[2], re.MULTILINE)


def read(truth, given):
    """Read two lines of characters: labels, flags or scores, series, and what is judged."""
    points = [(a, b) for a, b in zip(truth, given, strict=True) if a != " "]
    series = [place for place, part in enumerate(truth.split(" ")) for _ in part]
    labels = [int(a == "#") for a, _ in points]
    scores = [int(b) if b.isdigit() else int(b == "!") for _, b in points]
    return labels, scores, {"series": series, "where": np.array([a != "x" for a, _ in points])}


@pytest.mark.parametrize(("spec", "truth", "given", "value"), ROWS)
def test_a_value_is_as_the_page_says(spec, truth, given, value):
    labels, scores, options = read(truth, given)
    found = aj.metric(spec)(labels, scores, **options)
    if value == "undefined":
        assert math.isnan(found)
    else:
        assert float(value) == pytest.approx(found, abs=5.1e-5)


def test_there_is_a_table_for_every_family():
    assert {row.group for row in aj.catalogue.values()} <= {name.lower() for name in FAMILIES}
    assert len(ROWS) == PAGE.count("<br>")
