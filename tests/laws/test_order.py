"""Laws 11 and 12: only the order of the scores matters, and not what holds them."""

import hashlib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from sampling import one_in
from small import cases

MAPS = {
    "exp": np.exp,
    "affine": lambda s: 3 * s - 100,
    "cube": lambda s: s**3,
    "squeeze": lambda s: np.nextafter(1, 2) + s * 2.0**-50,
    "lowest to -inf": lambda s: np.where(s == np.min(s), -np.inf, s),
    "ranks": lambda s: np.unique(s, return_inverse=True)[1].astype(float) * 1e300,
}


def free(name):
    """Give the metric in a form that needs no threshold."""
    metric = aj.metric(name)
    return metric if metric.row.needs == "scores" else aj.best(metric)


def order_only(metric, change, labels, scores, series, where):
    scores = np.array(scores, float)
    before = metric(labels, scores, series=series, where=where)
    after = metric(labels, change(scores), series=series, where=where)
    return np.array_equal(before, after, equal_nan=True)


BY_VALUE = {"separation", "hellinger", "cce", "pate", "dqe"}  # densities, means, percentiles
BY_ORDER = [name for name in aj.catalogue if name not in BY_VALUE]


@pytest.mark.parametrize("name", one_in(2, [*BY_ORDER, "pate(thresholds=None)"]))
@given(case=cases(), change=st.sampled_from(sorted(MAPS)))
def test_strictly_increasing_maps_change_nothing(name, case, change):
    assert order_only(free(name), MAPS[change], *case)


@pytest.mark.parametrize("name", sorted(BY_VALUE))
def test_what_looks_at_the_values_is_changed_by_some_map(name):
    rng = np.random.default_rng(0)
    drawn = ((np.repeat(rng.integers(0, 2, 10), 3), rng.integers(0, 9, 30)) for _ in range(200))
    assert not all(order_only(free(name), np.exp, *case, None, None) for case in drawn)


@given(case=cases())
def test_rules_follow_the_order_too(case):
    for rule in (aj.quantile(0.7), aj.quantile(0.0), aj.top(1)):
        assert order_only(aj.f1_ba(at=rule), np.exp, *case)
        assert order_only(aj.f1_ba(at=rule), MAPS["lowest to -inf"], *case)


def test_the_law_rejects_a_threshold_at_the_mean():
    def at_mean(labels, scores, *, series, where):
        return aj.f1(labels, scores, at=scores.mean(), series=series, where=where)

    assert not order_only(at_mean, np.exp, [0, 0, 1, 1], [0, 4, 5, 9], None, None)


HOLDERS = {
    "list": list,
    "tuple": tuple,
    "float32": lambda s: np.array(s, np.float32),
    "int8": lambda s: np.array(s, np.int8),
    "uint64": lambda s: np.array(s, np.uint64),
    "big-endian": lambda s: np.array(s, ">f8"),
    "strided": lambda s: np.repeat(np.array(s, float), 2)[::2],
    "objects": lambda s: np.array(s, object),
    "pandas": lambda s: pd.Series(s, index=range(7, 7 + len(s))),
    "polars": pl.Series,
    "arrow": lambda s: pa.chunked_array([s]),
}


HELD = [(name, holder) for holder in HOLDERS for name in aj.catalogue]
"""As many holders as may be, and no divisor of the number of metrics: each metric meets several."""


@pytest.mark.parametrize(("name", "holder"), one_in(9, HELD))
def test_what_holds_the_numbers_changes_nothing(name, holder):
    rng = np.random.default_rng(5)
    labels = np.repeat(rng.integers(0, 2, 20), 3)
    scores = rng.integers(0, 9, 60)
    hold = HOLDERS[holder]
    expected = free(name)(labels, scores.astype(float))
    actual = free(name)(hold(labels.tolist()), hold(scores.tolist()))
    assert np.array_equal(expected, actual, equal_nan=True)


def touched(call, *arrays):
    """Say whether a call changed any of its arrays."""
    before = [hashlib.sha256(a.tobytes()).digest() for a in arrays]
    call(*arrays)
    return before != [hashlib.sha256(a.tobytes()).digest() for a in arrays]


@pytest.mark.parametrize("name", aj.catalogue)
def test_inputs_are_never_modified(name):
    rng = np.random.default_rng(1)
    labels, scores = np.repeat(rng.integers(0, 2, 8), 3), rng.random(24)
    assert not touched(free(name), labels, scores)
    if aj.catalogue[name].count is not None:
        assert not touched(lambda a, b: aj.curve(a, b, name), labels, scores)
    assert not touched(lambda a, b: aj.evaluate(a, b, free(name), shifts=2), labels, scores)


def test_the_law_of_untouched_inputs_rejects_a_sorter():
    assert touched(lambda _, scores: scores.sort(), np.array([0, 1]), np.array([2.0, 1.0]))
