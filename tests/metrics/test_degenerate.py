"""Every row, every degenerate case: one answer, in its range or undefined, and never an error."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.regimes import CoveredRegimes
from adjudge.measure.rates import FBeta, precision, recall
from sampling import one_in

SOME = [0, 1, 1, 0, 0, 0, 1, 0, 0, 0]
OTHER = [0, 0, 1, 0, 1, 1, 0, 0, 0, 1]
NONE, EVERY = [0] * 10, [1] * 10
CASES = {
    "no events": (NONE, OTHER),
    "no flags": (SOME, NONE),
    "neither": (NONE, NONE),
    "all events": (EVERY, OTHER),
    "all flags": (SOME, EVERY),
    "all of both": (EVERY, EVERY),
    "all events, no flags": (EVERY, NONE),
    "an event at either end": ([1, 0, 0, 0, 0, 0, 0, 0, 1, 1], OTHER),
    "one-point events": ([0, 1, 0, 1, 0, 1, 0, 0, 0, 1], OTHER),
    "one point, anomalous": ([1], [1]),
    "one point, normal": ([0], [1]),
    "two points": ([0, 1], [1, 0]),
}
ROWS = aj.catalogue.values()
RATES = [row for row in ROWS if row.needs == "flags"]


def within(row, value):
    low, high = row.range
    return math.isnan(value) or low - 1e-12 <= value <= high + 1e-12


def by_measure(*measures):
    """Give the rows that are a rate of a ledger: the policy settles where they are undefined."""
    rates = (row for row in RATES if row.count not in {None, CoveredRegimes})  # all time is one
    return [row for row in rates if row.measure in measures]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_no_row_raises_or_leaves_its_range(row):
    for labels, flags in CASES.values():
        for scores in (flags, np.full(len(labels), 0.5), np.arange(len(labels)) / 7):
            asked = row.metric
            if row.needs == "flags" and scores is not flags:
                asked = aj.best(asked)
            assert within(row, asked(labels, scores))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_series_and_points_not_judged_are_no_trouble_either(row):
    for labels, flags in CASES.values():
        n = len(labels)
        series, where = np.arange(n) // 3, np.arange(n) % 4 < 3
        assert within(row, row.metric(labels, flags, series=series, where=where))


@pytest.mark.parametrize("row", by_measure(FBeta), ids=lambda row: row.name)
def test_f_is_zero_with_one_side_empty_and_undefined_with_both(row):
    assert 0 == row.metric(*CASES["no events"]) == row.metric(*CASES["no flags"])
    assert math.isnan(row.metric(*CASES["neither"]))


@pytest.mark.parametrize("row", by_measure(precision), ids=lambda row: row.name)
def test_precision_is_undefined_without_alarms_and_zero_without_events(row):
    assert math.isnan(row.metric(*CASES["no flags"]))
    assert math.isnan(row.metric(*CASES["neither"]))
    assert 0 == row.metric(*CASES["no events"])


OVER_FOUND = {
    "event_coverage",
    "detection_delay",
    "adtqc",
    "add",
    "alarms_per_event",
}  # means over what was found


@pytest.mark.parametrize(
    "row", [r for r in by_measure(recall) if r.name not in OVER_FOUND], ids=lambda row: row.name
)
def test_recall_is_undefined_without_events_and_zero_without_alarms(row):
    assert math.isnan(row.metric(*CASES["no events"]))
    assert math.isnan(row.metric(*CASES["neither"]))
    assert 0 == row.metric(*CASES["no flags"])


@pytest.mark.parametrize("name", sorted(OVER_FOUND))
def test_a_mean_over_what_was_found_is_undefined_where_nothing_was(name):
    metric = aj.metric(name)
    assert all(math.isnan(metric(*CASES[c])) for c in ("no events", "no flags", "neither"))


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.needs == "scores"], ids=lambda row: row.name
)
def test_an_area_is_undefined_without_events(row):
    assert math.isnan(row.metric(NONE, np.arange(10)))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_chance_line_can_be_drawn_beside_every_row(row):
    found, *_ = aj.evaluate(SOME, OTHER, row.metric, shifts=3, label_slack=1).rows
    assert within(row, found.chance)
    assert found.p_value > 0 or math.isnan(found.value)


@pytest.mark.parametrize("row", one_in(8, ROWS), ids=lambda row: row.name)
def test_white_noise_can_be_put_beside_every_row(row):
    found, *_ = aj.evaluate(SOME, OTHER, row.metric, shifts=2, white_noise=True).rows
    assert within(row, found.chance)
