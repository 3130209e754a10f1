"""Metrics that few use: by hand, undefined cases, twins."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.compat.other_names import ROWS
from adjudge.data.case import Case
from adjudge.errors import InputError
from measure import naive_ranking
from small import cases
from values import close

METRICS = {row.name: row.metric for row in ROWS}
TWINS = {
    **naive_ranking.TWINS,
    **{spec: twin for spec, twin in naive_ranking.WHOLES.items() if spec.startswith("wdd")},
}


LABELS = [0, 0, 1, 1, 1, 1, 0, 0, 1, 0]
FLAGS = [0, 1, 1, 0, 0, 1, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("accuracy", 5 / 10),
        ("rand_index", 20 / 45),  # five right and five wrong: pairs of either agree
        ("dice", 2 * 2 / (5 + 4)),
        ("adc", (2 / 4 + 0) / 2),
        ("tdir(tolerance=0)", 2 / 5),
        ("tdir(tolerance=1)", 5 / 5),
        ("dair(tolerance=0)", 2 / (2 + 2)),
        ("dair(tolerance=1)", 5 / (5 + 2)),
        ("add", (1 / 4 + 2 / 4) / 2),
        ("wdd(tolerance=2)", 2 * math.exp(-(0.75**2) / 2) - 2 * 0.5),
        ("wdd(tolerance=0)", 2 * math.exp(-(0.75**2) / 2) - 2),
    ],
)
def test_values_by_hand(spec, expected):
    assert close(expected, aj.metric(spec)(LABELS, FLAGS))


@pytest.mark.parametrize(
    ("name", "no_alarms", "no_events", "neither"),
    [
        ("accuracy", 1 / 3, 2 / 3, 1),
        ("rand_index", 1 / 3, 1 / 3, 1),
        ("dice", 0, 0, math.nan),
        ("adc", 0, math.nan, math.nan),
        ("tdir", 0, math.nan, math.nan),
        ("dair", math.nan, 0, math.nan),
        ("wdd", 0, -1, 0),
        ("add", math.nan, math.nan, math.nan),
    ],
)
def test_one_answer_for_every_degenerate_case(name, no_alarms, no_events, neither):
    assert close(no_alarms, METRICS[name]([0, 1, 1], [0, 0, 0]))
    assert close(no_events, METRICS[name]([0, 0, 0], [0, 1, 0]))
    assert close(neither, METRICS[name]([0, 0, 0], [0, 0, 0]))


@pytest.mark.parametrize("name", ["tdir", "dair", "wdd"])
def test_nothing_reaches_across_series(name):
    labels, flags = [0, 1, 0, 0], [0, 0, 1, 0]
    series = ["a", "a", "b", "b"]
    assert METRICS[name](labels, flags) > METRICS[name](labels, flags, series=series)


@pytest.mark.parametrize("name", ["tdir", "dair", "wdd"])
def test_settings_are_checked(name):
    with pytest.raises(InputError, match="tolerance must be a whole number, at least 0, got -1"):
        METRICS[name](tolerance=-1)


@given(case=cases(flags=True))
def test_dice_is_another_name_of_f1(case):
    labels, flags, series, where = case
    expected = aj.f1(labels, flags, series=series, where=where)
    actual = METRICS["dice"](labels, flags, series=series, where=where)
    assert np.array_equal(expected, actual, equal_nan=True)


@given(case=cases(flags=True), spec=st.sampled_from(sorted(TWINS)))
def test_every_row_equals_its_twin(spec, case):
    labels, flags, series, where = case
    twin = TWINS[spec]
    if isinstance(twin, tuple):
        adjust, count, rate = twin
        expected = rate(count(labels, adjust(labels, flags, series, where), series, where))
    else:
        expected = twin(labels, flags, series, where)
    assert close(expected, aj.metric(spec)(labels, flags, series=series, where=where))


@given(case=cases(flags=True), spec=st.sampled_from(sorted(naive_ranking.TWINS)))
def test_a_ledger_sums_to_the_masses_and_credits_no_more_than_it_weighs(spec, case):
    labels, flags, series, where = case
    one = aj.metric(spec)
    ledger, _, _ = one.entries(Case(labels, flags, series=series, where=where))
    value = one(labels, flags, series=series, where=where)
    assert close(value, float(one.parts.measure(ledger.tally)))
    assert np.all(ledger.truth.credit <= ledger.truth.weight)
    assert np.all(ledger.alarms.cost >= 0)
