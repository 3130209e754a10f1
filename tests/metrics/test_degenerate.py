"""Every row, every degenerate case: one answer, in its range or undefined, and never an error."""

# ruff: noqa: ARG005 - every rule of WHEN takes labels and flags
import math
from itertools import product

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


@pytest.mark.parametrize("row", one_in(3, ROWS), ids=lambda row: row.name)
def test_a_chance_line_can_be_drawn_beside_every_row(row):
    found, *_ = aj.evaluate(SOME, OTHER, row.metric, shifts=3, label_slack=1).rows
    assert within(row, found.chance)
    assert found.p_value > 0 or math.isnan(found.value)


@pytest.mark.parametrize("row", one_in(8, ROWS), ids=lambda row: row.name)
def test_white_noise_can_be_put_beside_every_row(row):
    found, *_ = aj.evaluate(SOME, OTHER, row.metric, shifts=2, white_noise=True).rows
    assert within(row, found.chance)


def runs_of(mask):
    """The first and the last point of each run."""
    edges = np.flatnonzero(np.diff(np.array([0, *mask, 0])))
    return list(zip(edges[::2], edges[1::2] - 1, strict=True))


def begins(mask):
    return [first for first, _ in runs_of(mask)]


def touched(labels, flags):
    return any(np.array(labels) & np.array(flags))


def one_value(values):
    return len(set(values)) < 2


def of_kind(kind, labels, flags):
    return [flag for label, flag in zip(labels, flags, strict=True) if label == kind]


def no_worth_and_none_false(labels, flags):
    """Every alarm that begins outside events lasts into one; none begins where one may be worth."""
    inside = [any(a <= e <= b for e in begins(labels)) for a, b in runs_of(flags)]
    return all(inside) and not any(
        first >= begin for first in begins(flags) for begin in begins(labels)[:1]
    )


WHEN = {
    "no event": lambda y, f: not any(y),
    "no alarm": lambda y, f: not any(f),
    "no event and no alarm": lambda y, f: not any(y) and not any(f),
    "no event and no false alarm": lambda y, f: not any(y) and not any(f),
    "no found event and no false alarm": lambda y, f: not any(f),
    "no found event, and no run of which less than `dtc` is anomalous": lambda y, f: (
        all(all(y[a : b + 1]) for a, b in runs_of(f))
        and not any(2 * sum(f[a : b + 1]) >= b + 1 - a for a, b in runs_of(y))
    ),
    "no normal point": lambda y, f: all(y),
    "no event, or no normal point": lambda y, f: one_value(y),
    "no event, no normal point, no alarm, or nothing but alarms": lambda y, f: (
        one_value(y) or one_value(f)
    ),
    "nothing is flagged, or everything": lambda y, f: one_value(f),
    "everything is flagged": lambda y, f: all(f),
    "labels and flags are one and the same value everywhere": lambda y, f: one_value([*y, *f]),
    "fewer than two points": lambda y, f: len(y) < 2,
    "no event is touched": lambda y, f: not touched(y, f),
    "no event is found": lambda y, f: not touched(y, f),
    "no event is hit": lambda y, f: not touched(y, f),
    "no change is found": lambda y, f: not any(a >= e for a in begins(f) for e in begins(y)),
    "no event has an alarm in time": lambda y, f: (
        not any(a <= e for a in begins(f) for e in begins(y))
    ),
    "a judged series has no event, or more than one": lambda y, f: len(runs_of(y)) != 1,
    "no event, or no threshold flags at least as many runs as there are events": lambda y, f: (
        not any(y) or len(runs_of(y)) > max(len(runs_of(f)), 1)
    ),
    "no event, no normal point, or scores that are all the same or not all finite": lambda y, f: (
        one_value(y) or one_value(f)
    ),
    "no event, or scores that are not all finite": lambda y, f: not any(y),
    "no event, when normalised; otherwise never": lambda y, f: not any(y),
    "no alarm, or no place for a wrong one": lambda y, f: not any(f) or all(y),
    "no event and no alarm, or alarms without a place for a wrong one": lambda y, f: (
        any(f) == all(y) and any(f) == any(y)
    ),
    "no judged point, where times are known": lambda y, f: False,
    "no judged point": lambda y, f: False,
    "no alarm is worth anything, and none is false": no_worth_and_none_false,
    "time_between_false_alarms": lambda y, f: begins(y)[:1] == [0],
    "false_warning_rate": lambda y, f: begins(y)[-1:] == [len(y) - 1],
}
"""When a value is undefined, by the words of its row, or by its name where they name windows."""
ONE_WAY = {"separation", "hellinger"}  # their words name overlaps of scores: see their own tests


@pytest.mark.parametrize("row", [r for r in ROWS if r.name not in ONE_WAY], ids=lambda r: r.name)
def test_a_value_is_undefined_where_its_row_says_so_and_nowhere_else(row):
    said = row.undefined if row.undefined in WHEN else row.name
    never = row.undefined.startswith("never")
    short = [(labels, flags) for n in (1, 2) for labels in product((0, 1), repeat=n)
             for flags in product((0, 1), repeat=n)]  # fmt: skip
    for labels, flags in [*CASES.values(), *short]:
        undefined = not never and bool(WHEN[said](labels, flags))
        assert math.isnan(row.metric(labels, flags)) == undefined, (labels, flags)
