"""The table of scenarios: which F1 does what a detector's mistakes demand."""

import csv
import re

import numpy as np
import pytest

import adjudge as aj
import naive
from adjudge.lab.figures.scenarios import (
    EVENTS,
    METRICS,
    POINTS,
    SCENARIOS,
    as_expected,
    judged_scenarios,
    observed,
    scenarios_figure,
)

pytest.importorskip("matplotlib")

SPECS = ("f1", "f1_pa", "f1_kpa(k=0.2)", 'f1_ba(width=31, islands="normal")')
TWINS = {
    "f1": naive.raw,
    "f1_pa": naive.point_adjusted,
    "f1_kpa(k=0.2)": lambda *case: naive.covered(*case, k=0.2),
    'f1_ba(width=31, islands="normal")': lambda *case: naive.balanced(*case, width=31),
}

# verdicts of F1, PA, K%-PA and BA, with the reason for those that are not as expected
VERDICTS = {
    "D1": "✗✓✗✓",  # F1 counts missed points; K%-PA leaves the event of which 13 % are hit as it is
    "D2": "✓✓✓✓",
    "D3": "✓✓✓✓",
    "D4": "✗✗✗✓",  # four wrong points are next to nothing, unless they raise an island
    "D5": "✗✗✗✓",  # eight are little more
    "D6": "✗✓✗✓",  # F1 and K%-PA want coverage; PA and BA take a hit for the event
    "D7": "✓✓✓✓",
}


def mask(intervals):
    flags = np.zeros(POINTS, int)
    for start, stop in intervals:
        flags[start:stop] = 1
    return flags


LABELS = mask(EVENTS)
FLAGS = {one.name: mask(one.flags) for one in SCENARIOS}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return scenarios_figure(tmp_path_factory.mktemp("figures"))


@pytest.fixture(scope="module")
def cells(written):
    with written[2].open(encoding="utf-8") as file:
        return {(row["detector"], row["metric"]): row for row in csv.DictReader(file)}


def test_four_files_are_written(written):
    endings = ("png", "svg", "csv", "pdf")
    assert [f"scenarios.{ending}" for ending in endings] == [path.name for path in written]
    assert written[0].read_bytes().startswith(b"\x89PNG")


def test_the_table_holds_every_detector_under_every_metric(cells):
    assert {(name, spec) for name in VERDICTS for spec in SPECS} == set(cells)


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.parametrize("spec", SPECS)
def test_every_value_is_the_librarys_and_that_of_a_slow_twin(cells, name, spec):
    value = float(cells[name, spec]["value"])
    assert aj.metric(spec)(LABELS, FLAGS[name]) == value
    marked = np.array(TWINS[spec](LABELS.tolist(), FLAGS[name].tolist()))
    assert pytest.approx(2 * (marked @ LABELS) / (marked.sum() + LABELS.sum())) == value


@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdicts_are_pinned(cells, name):
    marks = {"as expected": "✓", "not as expected": "✗"}
    assert VERDICTS[name] == "".join(marks[cells[name, spec]["verdict"]] for spec in SPECS)


def test_only_balanced_adjustment_is_as_expected_throughout():
    column = {spec: "".join(row[i] for row in VERDICTS.values()) for i, spec in enumerate(SPECS)}
    assert [SPECS[3]] == [spec for spec, verdicts in column.items() if "✗" not in verdicts]


def test_the_first_detector_is_perfect_for_pa_and_ba_alone(cells):
    values = [float(cells["D1", spec]["value"]) for spec in SPECS]
    assert (1, 1) == (values[1], values[3])
    assert values[0] < values[2] < 0.99


def test_the_detectors_do_what_their_names_say():
    def counts(name):
        found = round(aj.event_recall(LABELS, FLAGS[name]) * len(EVENTS))
        runs = np.count_nonzero(np.diff(FLAGS[name], prepend=0) == 1)
        return found, runs - round(aj.event_precision(LABELS, FLAGS[name]) * runs)

    expected = {"D1": (4, 0), "D2": (3, 0), "D3": (2, 0), "D4": (4, 1), "D5": (4, 2), "D6": (4, 0)}
    assert expected == {name: counts(name) for name in expected}
    assert FLAGS["D6"].sum() == len(EVENTS)
    assert FLAGS["D7"].all()


def test_no_island_of_a_false_run_meets_an_event():
    """Then the fall of BA is the cost of a whole island, and of nothing else."""
    false = np.flatnonzero(FLAGS["D5"] & ~LABELS)
    truth = np.flatnonzero(LABELS)
    assert np.abs(false[:, None] - truth).min() > 30


@pytest.mark.parametrize(
    ("change", "direction"),
    [(-1, "lower"), (-0.01, "lower"), (-0.0099, "same"), (0, "same"), (0.01, "higher")],
)
def test_a_change_of_less_than_a_hundredth_is_none(change, direction):
    assert direction == observed(change)


@pytest.mark.parametrize(
    ("expected", "value", "change", "matched", "good"),
    [
        ("one", 1, 0, 0, True),
        ("one", 0.99, 0, 0, False),
        ("same", 0.5, 0.009, 0, True),
        ("same", 0.5, -0.01, 0, False),
        ("same", 0.5, 0.01, 0, False),
        ("lower", 0.5, -0.01, 0, True),
        ("lower", 0.5, 0.5, 0, False),
        ("like", 0.5, -0.1, -0.2, True),
        ("like", 0.5, -0.4, -0.2, True),
        ("like", 0.5, -0.099, -0.2, False),  # less than half
        ("like", 0.5, -0.401, -0.2, False),  # more than twice
        ("like", 0.5, -0.009, -0.009, False),  # alike, but no change at all
        ("like", 0.5, 0.1, 0.1, False),
    ],
)
def test_the_rule_for_a_verdict(expected, value, change, matched, good):
    assert good is as_expected(expected, value, change, matched)


def test_arrows_and_marks_are_drawn_so_that_no_colour_is_needed(written):
    """Letters are outlines in the drawing, with the text as a comment."""
    texts = re.findall(r"<!-- (.*?) -->", written[1].read_text(encoding="utf-8"), re.DOTALL)
    marks = "".join(text[0] for text in texts if re.fullmatch(r"[✓✗] \d\.\d{3}", text))
    assert "".join(VERDICTS.values()) == marks
    expected = {"D1": "= 1", "D2": "↓", "D3": "↓", "D4": "↓ like D2", "D5": "↓ like D3", "D6": "=",
                "D7": "↓"}  # fmt: skip
    assert list(expected.values()) == [text for text in texts if text in set(expected.values())]
    arrows = {"lower": "↓", "same": "=", "higher": "↑"}
    changes = [
        f"{arrows[cell.observed]} {abs(cell.change):.3f}"
        for cell in judged_scenarios()
        if cell.detector != "D1"
    ]
    assert changes == [text for text in texts if re.fullmatch(r"[↓=↑] 0\.\d{3}", text)]
    assert set(METRICS.values()) == {text.split("\n")[0] for text in texts} & set(METRICS.values())
