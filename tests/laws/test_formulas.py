"""Laws 2, 4, 5, 10: how the families and their settings hang together."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from small import READINGS, cases

FAMILIES = ["", "_pa", "_kpa", "_ba"]


def value(spec, case):
    labels, flags, series, where = case
    return aj.metric(spec)(labels, flags, series=series, where=where)


def is_harmonic(p, r, f):
    """0 <= F <= 1, and F is the harmonic mean wherever precision and recall are both defined."""
    if math.isnan(p) or math.isnan(r):
        return True
    mean = 2 * p * r / (p + r) if p + r else 0.0
    return 0 <= f <= 1 and math.isclose(mean, f, rel_tol=1e-12, abs_tol=1e-15)


@pytest.mark.parametrize("triple", [("precision" + x, "recall" + x, "f1" + x) for x in FAMILIES])
@given(case=cases(flags=True))
def test_f_is_the_harmonic_mean_of_precision_and_recall(triple, case):
    assert is_harmonic(*(value(spec, case) for spec in triple))


@given(case=cases(flags=True))
def test_event_f_is_the_harmonic_mean_of_event_precision_and_recall(case):
    triple = ("event_precision", "event_recall", "event_f1")
    assert is_harmonic(*(value(spec, case) for spec in triple))


def test_the_harmonic_law_rejects_an_arithmetic_mean():
    assert not is_harmonic(0.5, 1.0, 0.75)


@pytest.mark.parametrize("family", FAMILIES)
@given(case=cases(flags=True), beta=st.sampled_from([0.25, 1, 2, 3.5]))
def test_f_beta_is_the_weighted_harmonic_mean(family, case, beta):
    p, r = value("precision" + family, case), value("recall" + family, case)
    f = value(f"f1{family}(beta={beta})", case)
    if math.isnan(p) or math.isnan(r):
        return
    whole = beta**2 * p + r
    assert math.isclose((1 + beta**2) * p * r / whole if whole else 0.0, f, abs_tol=1e-15)


@pytest.mark.parametrize("islands", READINGS)
@given(case=cases(flags=True))
def test_width_one_is_point_adjustment(islands, case):
    expected = value("f1_pa", case)
    assert_same(expected, value(f'f1_ba(width=1, islands="{islands}")', case))


@given(case=cases(flags=True))
def test_a_wider_island_never_raises_the_score(case):
    values = [value(f"f1_ba(width={width})", case) for width in range(1, 12)]
    assert falling(values)


def test_the_law_of_falling_values_rejects_a_rise():
    assert not falling([0.5, 0.4, 0.45])


@given(case=cases(flags=True))
def test_point_adjustment_is_never_below_balanced_adjustment(case):
    pa = value("f1_pa", case)
    assert falling([pa, value("f1_ba", case), 0.0]) or math.isnan(pa)


@given(case=cases(flags=True))
def test_k_adjustment_falls_from_point_adjusted_to_pointwise(case):
    shares = [value(f"f1_kpa(k={k})", case) for k in (0.01, 0.2, 0.4, 0.5, 0.8, 1.0)]
    assert falling([value("f1_pa", case), *shares, value("f1", case)])


@given(case=cases(flags=True))
def test_the_smallest_share_is_point_adjustment_and_the_whole_event_adjusts_nothing(case):
    assert_same(value("f1_pa", case), value("f1_kpa(k=1e-9)", case))
    assert_same(value("f1", case), value("f1_kpa(k=1)", case))


@given(case=cases(flags=True))
def test_islands_on_normal_points_never_score_above_islands_that_spill(case):
    normal, spill = value("f1_ba", case), value('f1_ba(islands="spill")', case)
    assert normal <= spill or math.isnan(spill)


@given(case=cases(flags=True))
def test_balanced_recall_is_point_adjusted_recall(case):
    assert_same(value("recall_pa", case), value("recall_ba", case))


@given(case=cases(flags=True), margin=st.integers(0, 4))
def test_a_margin_never_lowers_the_score(case, margin):
    assert falling([value(f"f1_ba(margin={m})", case) for m in (margin + 1, margin)])


@given(case=cases(flags=True))
def test_dilation_by_one_point_is_the_pointwise_score(case):
    assert_same(value("f1", case), value("f1_dilated(width=1)", case))


@pytest.mark.parametrize("spec", [name for name, row in aj.catalogue.items()])
@given(case=cases())
def test_values_lie_in_the_declared_range(spec, case):
    labels, scores, series, where = case
    metric = aj.metric(spec)
    low, high = metric.row.range
    asked = metric if metric.row.needs == "scores" else aj.best(metric)
    found = asked(labels, scores, series=series, where=where)
    assert math.isnan(found) or low - 1e-12 <= found <= high + 1e-12


def falling(values):
    return all(a >= b or math.isnan(a) or math.isnan(b) for a, b in pairwise(values))


def assert_same(expected, actual):
    assert np.array_equal(expected, actual, equal_nan=True)
