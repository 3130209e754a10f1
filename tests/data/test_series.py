"""Several series in one call, and points that are not judged."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge as aj
from contract import FLAGS, INF, LABELS, NAN, masses, same
from messages import refused

# Several series

LAWFUL = [
    "f1",
    "f1_pa",
    "f1_kpa(k=0.5)",
    "event_f1",
    "f1_dilated(width=3)",
    *(
        f'f1_ba(width=4, islands="{islands}", margin={margin})'
        for islands in ("normal", "spill", "all")
        for margin in (0, 2)
    ),
]
points = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=9)


@pytest.mark.parametrize("metric", LAWFUL)
@settings(derandomize=True, deadline=None, max_examples=20)
@given(several=st.lists(points, min_size=1, max_size=4))
def test_several_series_in_one_call_have_the_summed_masses_of_several_calls(metric, several):
    ids = [f"series {number}" for number, one in enumerate(several) for _ in one]
    labels, flags, _ = zip(*(point for one in several for point in one), strict=True)
    parts = [zip(*one, strict=True) for one in several]
    summed = sum(masses(part_labels, part_flags, metric) for part_labels, part_flags, _ in parts)
    same(summed, masses(labels, flags, metric, series=ids))


@pytest.mark.parametrize("metric", LAWFUL)
@settings(derandomize=True, deadline=None, max_examples=20)
@given(several=st.lists(points, min_size=1, max_size=4))
def test_the_sum_law_holds_where_only_some_points_are_judged(metric, several):
    several = [[(*one[0][:2], True), *one[1:]] for one in several]  # each judges something
    ids = [number for number, one in enumerate(several) for _ in one]
    labels, flags, where = zip(*(point for one in several for point in one), strict=True)
    parts = [zip(*one, strict=True) for one in several]
    summed = sum(masses(a, b, metric, where=w) for a, b, w in parts)
    same(summed, masses(labels, flags, metric, series=ids, where=where))


def test_an_island_stops_at_the_border_of_its_series():
    labels, flags = [0, 0, 0, 0, 1], [0, 1, 0, 0, 1]
    expected = {None: 2 / 5, "aabbb": 2 / 4}  # TP 1, FP 3 or 2
    assert expected == {
        ids: aj.f1_ba(labels, flags, width=3, series=ids and list(ids)) for ids in expected
    }


@pytest.mark.parametrize(
    "ids",
    [
        list("aabbb"),
        [2, 2, 1, 1, 1],
        [0.5, 0.5, INF, INF, INF],
        np.array(["2020", "2020", "2021", "2021", "2021"], "M8[Y]"),
        pd.Series(list("aabbb"), index=[0] * 5),
        pd.Series(list("aabbb"), dtype="category"),
        pl.Series(list("aabbb")),
        pa.chunked_array([list("aab"), list("bb")]),
    ],
    ids=["text", "numbers", "floats", "dates", "pandas", "categories", "polars", "pyarrow"],
)
def test_ids_may_be_of_any_kind(ids):
    assert aj.f1_ba([0, 0, 0, 0, 1], [0, 1, 0, 0, 1], width=3, series=ids) == 2 / 4


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (
            list("aba"),
            "series must have equal ids side by side, got 'a' again at index 2 after index 0; "
            "sort the points by series first",
        ),
        (
            [1, 2, 1],
            "series must have equal ids side by side, got 1 again at index 2 after index 0; "
            "sort the points by series first",
        ),
        ([1, 1, NAN], "series must be one id per point, got nan at index 2"),
        ([1, None, 2], "series must be one id per point, got None at index 1"),
        (["a", "a", NAN], "series must be one id per point, got nan at index 2"),
        (["a", "b"], "series must be one id per point, got shape (2,) for 3 points"),
    ],
)
def test_ids_that_part_the_points_in_no_order_are_refused(ids, message):
    with refused(message):
        aj.evaluate([0, 1, 0], [0, 1, 1], series=ids)


# Points that are not judged


def test_an_unjudged_point_is_neither_truth_nor_alarm():
    where = [1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1]
    kept = [index for index, judged in enumerate(where) if judged]
    labels, flags = ([column[index] for index in kept] for column in (LABELS, FLAGS))
    same(masses(labels, flags, "f1"), masses(LABELS, FLAGS, "f1", where=where))


@pytest.mark.parametrize("hold", [list, np.array, pl.Series, pd.Series])
def test_nan_is_allowed_where_it_is_not_judged(hold):
    where, scores = [1, 0, 1, 1], hold([0.1, NAN, 0.9, 0.2])
    assert aj.f1([0, 0, 1, 1], scores, at=0.5, where=where) == 2 / 3
    assert aj.auc_roc([0, 0, 1, 1], scores, where=where) == 1.0


def test_an_unjudged_stretch_parts_an_event_in_two():
    judged = aj.evaluate([0, 1, 1, 1, 1], [0, 1, 0, 0, 0], "f1_pa", where=[1, 1, 0, 1, 1])
    assert [(row["start"], row["stop"], row["found"]) for row in judged.events] == [
        (1, 2, True),
        (3, 5, False),
    ]
    assert judged["f1_pa"] == 2 / 4  # TP 1, FN 2


@pytest.mark.parametrize("islands", ["normal", "spill", "all"])
def test_no_island_starts_at_an_unjudged_point(islands):
    where = [1, 1, 0, 1, 1, 1]
    metric = aj.f1_ba(width=3, islands=islands)
    same((0, 1, 0, 0, 4), masses([0, 0, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0], metric, where=where))


@pytest.mark.parametrize("islands", ["normal", "spill", "all"])
def test_an_island_reaches_over_an_unjudged_point_and_does_not_count_it(islands):
    where = [1, 1, 1, 0, 1, 1, 1]
    metric = aj.f1_ba(width=5, islands=islands)
    labels, flags = [0, 0, 0, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0, 0]
    same((0, 1, 0, 4, 5), masses(labels, flags, metric, where=where))  # 0, 1, 2 and 4


def test_positions_do_not_move():
    receipt = aj.explain([0, 0, 0, 1, 1], [0, 1, 0, 0, 1], "f1_pa", where=[0, 1, 0, 1, 1])
    assert (receipt.truth.start.tolist(), receipt.alarms.start.tolist()) == ([3], [1, 3])
    assert receipt.truth.delay.tolist() == [1]


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ([0, 0, 0], "where must judge at least one point, got none of 3"),
        ([1, 1], "where must be one bool per point, got 2 for 3 points"),
        ([1, 1, 2], "where must be 0 or 1, got 2 at index 2 (1 of 3 points)"),
        ([1, NAN, 1], "where must be 0 or 1, got nan at index 1 (1 of 3 points)"),
        ([], "where must hold at least one point, got none (shape (0,))"),
    ],
)
def test_a_where_that_does_not_fit_is_refused(where, message):
    with refused(message):
        aj.f1([0, 1, 0], [0, 1, 1], where=where)
