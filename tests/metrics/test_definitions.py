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
    groups = {row.group for row in aj.catalogue.values()} - {"channels"}  # more than two lines
    assert groups <= {name.lower() for name in FAMILIES}
    assert len(ROWS) == PAGE.count("<br>")


def test_the_numbers_in_the_prose_are_computed_again():
    starts = np.arange(300, 10_000, 1000)
    labels, wide = (
        aj.Events(starts - more, starts + 100 + more, 10_000).labels.astype(int) for more in (0, 1)
    )
    values = [aj.metric(spec)(labels, wide) for spec in ("f1", "f1_pa", "f1_ba")]
    assert "score F1 {:.3f},\n  PA {:.3f}, BA {:.3f}; with `margin=1`".format(*values) in PAGE
    assert f"with `margin=1` BA is {aj.f1_ba(labels, wide, margin=1):.3f}." in PAGE
    early = np.arange(10_000) == starts[0] - 1
    one = aj.Events(starts[:1], starts[:1] + 100, 10_000).labels
    earned = aj.f1_ba(one, early, width=101, islands="spill")
    assert f"of 100 points earns {earned:.2f} (width 101)" in PAGE
    figure = aj.Events([18, 50], [32, 60], 80).labels
    perfect = aj.f1_ba(figure, figure, width=5, islands="all")
    assert f"scores {perfect:.3f} on the paper's own figure" in PAGE
