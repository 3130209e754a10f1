"""The input contract through the front door: one value for all that is accepted, or a refusal."""

import hashlib
import math
import random
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import adjudge as aj

LABELS = [0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0]
FLAGS = [1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]
SCORES = [6, 0, 1, 7, 2, 2, 0, 5, 1, 3, 4, 0, 1, 6]
INF, NAN = math.inf, math.nan
SWAPPED = "; are labels and scores swapped?"


def refused(message, error=aj.InputError):
    return pytest.raises(error, match=rf"\A{re.escape(message)}\Z")


def with_flags(labels, flags):
    """Every metric of the catalogue, to the last bit."""
    return {name: row.metric(labels, flags).hex() for name, row in aj.catalogue.items()}


def with_scores(labels, scores):
    """Areas, oracles and a threshold, to the last bit."""
    rows = aj.catalogue.values()
    metrics = [m.metric if m.needs == "scores" else aj.best(m.metric) for m in rows]
    values = {str(metric): metric(labels, scores).hex() for metric in metrics}
    return values | {"at": aj.f1_ba(labels, scores, at=2.5).hex()}


def masses(labels, flags, metric, **options):
    return np.array(aj.explain(labels, flags, metric, **options).tally)


# Containers


class OnlyArray:
    def __init__(self, values):
        self.values = np.array(values)

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


def read_only(values):
    array = np.array(values)
    array.flags.writeable = False
    return array


def every_other(values):
    return np.repeat(np.array(values), 2)[::2]


def backwards(values):
    return np.array(values[::-1])[::-1]


CONTAINERS = {
    "tuple": tuple,
    "non-contiguous": every_other,
    "negative stride": backwards,
    "read-only": read_only,
    "object array": lambda values: np.array(values, object),
    "pandas": pd.Series,
    "pandas with an index": lambda v: pd.Series(v, index=list(range(len(v)))[::-1], name="x"),
    "pandas with one index for all": lambda v: pd.Series(v, index=["same"] * len(v)),
    "pandas Int64": lambda values: pd.Series(values, dtype="Int64"),
    "pandas Float64": lambda values: pd.Series(values, dtype="Float64"),
    "pandas Arrow": lambda values: pd.Series(values, dtype="int64[pyarrow]"),
    "pandas Index": pd.Index,
    "polars": pl.Series,
    "polars UInt8": lambda values: pl.Series(values, dtype=pl.UInt8),
    "pyarrow": pa.array,
    "pyarrow in chunks": lambda values: pa.chunked_array([values[:5], values[5:]]),
    "sparse": lambda values: sparse.coo_array(np.array(values)),
    "__array__": OnlyArray,
}
BOOLEANS = {
    "list of bool": lambda values: [bool(value) for value in values],
    "numpy bool": lambda values: np.array(values, bool),
    "pandas boolean": lambda values: pd.Series(values, dtype=bool).astype("boolean"),
    "polars bool": lambda values: pl.Series([bool(value) for value in values]),
    "pyarrow bool": lambda values: pa.array([bool(value) for value in values]),
    "events": aj.Events.from_labels,
}
NUMBERS = [np.dtype(code) for code in "bhilqBHILQefd"]
every_dtype = pytest.mark.parametrize(
    "dtype", NUMBERS + [d.newbyteorder(">") for d in NUMBERS if d.itemsize > 1], ids=lambda d: d.str
)
every_container = pytest.mark.parametrize("hold", CONTAINERS.values(), ids=CONTAINERS)


@pytest.mark.parametrize(
    "hold", [*CONTAINERS.values(), *BOOLEANS.values()], ids=[*CONTAINERS, *BOOLEANS]
)
def test_every_container_of_flags_gives_the_same_value(hold):
    assert with_flags(LABELS, FLAGS) == with_flags(hold(LABELS), hold(FLAGS))


@every_container
def test_every_container_of_scores_gives_the_same_value(hold):
    assert with_scores(LABELS, SCORES) == with_scores(hold(LABELS), hold(SCORES))


@every_dtype
def test_every_dtype_of_flags_gives_the_same_value(dtype):
    expected = with_flags(LABELS, FLAGS)
    assert expected == with_flags(np.array(LABELS, dtype), np.array(FLAGS, dtype))


@every_dtype
def test_every_dtype_of_scores_gives_the_same_value(dtype):
    expected = with_scores(LABELS, SCORES)
    assert expected == with_scores(np.array(LABELS, dtype), np.array(SCORES, dtype))


def test_a_memory_map_gives_the_same_value(tmp_path):
    columns = []
    for name, values in (("labels", LABELS), ("scores", SCORES)):
        np.array(values, np.float32).tofile(tmp_path / name)
        columns.append(np.memmap(tmp_path / name, np.float32, "r"))
    assert with_scores(LABELS, SCORES) == with_scores(*columns)


@pytest.mark.parametrize(
    "frame",
    [dict, pd.DataFrame, pl.DataFrame, pa.table],
    ids=["dict", "pandas", "polars", "pyarrow"],
)
def test_every_frame_of_detectors_gives_the_same_values(frame):
    found = aj.evaluate(LABELS, frame({"a": FLAGS, "b": LABELS}), ["f1", "f1_pa"])
    assert found.to_flat_dict() == {
        f"{name}/{metric}": aj.metric(metric)(LABELS, flags)
        for metric in ("f1", "f1_pa")
        for name, flags in (("a", FLAGS), ("b", LABELS))
    }


def test_a_frame_whose_columns_are_numbered_is_a_frame_of_detectors():
    found = aj.evaluate(LABELS, pd.DataFrame(np.array([FLAGS, LABELS]).T), "f1")
    assert found.to_flat_dict() == {"0/f1": aj.f1(LABELS, FLAGS), "1/f1": 1.0}


# Nothing outside is touched

CALLS = {
    "metric with flags": lambda d: aj.f1_ba(d["labels"], d["flags"]),
    "metric with at": lambda d: aj.f1_kpa(d["labels"], d["scores"], at=0.5),
    "metric with a rule": lambda d: aj.f1(d["labels"], d["scores"], at=aj.quantile(0.9)),
    "best": lambda d: aj.best(aj.f1_ba(width=3))(d["labels"], d["scores"]),
    "best of events": lambda d: aj.best(aj.event_f1)(d["labels"], d["scores"]),
    "auc_roc": lambda d: aj.auc_roc(d["labels"], d["scores"]),
    "auc_pr": lambda d: aj.auc_pr_pa(d["labels"], d["scores"]),
    "ap": lambda d: aj.ap_ba(d["labels"], d["scores"]),
    "coverage": lambda d: aj.best(aj.event_coverage)(d["labels"], d["scores"]),
    "evaluate": lambda d: aj.evaluate(d["labels"], d["scores"]).to_json(),
    "evaluate at": lambda d: aj.evaluate(d["labels"], {"a": d["scores"]}, at="top(5)").to_json(),
    "explain": lambda d: aj.explain(d["labels"], d["flags"], "f1_ba").to_dict(),
    "curve": lambda d: aj.curve(d["labels"], d["scores"], "event_f1").f.tolist(),
    "series and where": lambda d: aj.evaluate(
        d["labels"], d["scores"], series=d["series"], where=d["where"]
    ).to_json(),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


def some_data(n=2000):
    rng = np.random.default_rng(7)
    return {
        "labels": np.repeat(rng.random(n // 20) < 0.3, 20),
        "flags": rng.random(n) < 0.1,
        "scores": rng.standard_normal(n),
        "series": np.arange(n) // 500,
        "where": rng.random(n) < 0.9,
    }


@every_call
def test_no_call_modifies_what_it_is_given(call):
    data = some_data()
    before = {name: hashlib.sha256(array).hexdigest() for name, array in data.items()}
    call(data)
    assert before == {name: hashlib.sha256(array).hexdigest() for name, array in data.items()}


@every_call
def test_every_call_takes_read_only_arrays(call):
    data = some_data()
    expected = repr(call(data))
    for array in data.values():
        array.flags.writeable = False
    assert expected == repr(call(data))


@every_call
def test_no_call_touches_a_global_random_state(call):
    name, keys, *rest = np.random.get_state()  # noqa: NPY002 - the global state is the point
    before = name, keys.tobytes(), rest, random.getstate()
    call(some_data())
    name, keys, *rest = np.random.get_state()  # noqa: NPY002
    assert before == (name, keys.tobytes(), rest, random.getstate())


@every_call
def test_eight_threads_get_the_same_bits(call):
    data = some_data()
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: repr(call(data)), range(16)))
    assert {repr(call(data))} == set(found)


# What is refused

CONTINUOUS = [score / 7 for score in SCORES]


@pytest.mark.parametrize(
    ("labels", "flags", "message"),
    [
        ([0, 1], [0, 1, 1], "labels and scores must be equally long, got 2 and 3 points"),
        ([], [], "scores must hold at least one point, got none (shape (0,))"),
        ([], [1], "labels must hold at least one point, got none (shape (0,))"),
        ([[0], [1]], [0, 1], "labels must be one-dimensional, got shape (2, 1)"),
        ([0, 1], np.zeros((2, 1)), "scores must be one-dimensional, got shape (2, 1)"),
        ([0, 1], np.zeros((2, 3)), "scores must be one-dimensional, got shape (2, 3)"),
        (np.array(1), [1], "labels must be one-dimensional, got shape ()"),
        ([1], np.array(1), "scores must be one-dimensional, got shape ()"),
        (
            [0, NAN, 1, NAN],
            FLAGS[:4],
            "labels must be 0 or 1, got nan at index 1 (2 of 4 points)" + SWAPPED,
        ),
        ([0, 1, 1], [0, NAN, 2], "scores must be numbers, got nan at index 1 (1 of 3 points)"),
        ([0, None, 1], [0, 1, 1], "labels must be numbers, got None at index 1"),
        ([0, 1, 1], [0, 1, None], "scores must be numbers, got None at index 2"),
        (["0", "1"], [0, 1], "labels must be numbers, got '0' (dtype <U1)"),
        ("01", [0, 1], "labels must be a column of numbers, got '01'"),
        (
            pd.Series([0, 1], dtype="category"),
            [0, 1],
            "labels must be numbers, got a categorical column",
        ),
        (
            np.ma.array([0, 1], mask=[0, 1]),
            [0, 1],
            "labels must not be a masked array; say which points count with where=",
        ),
        ([1, 2, 1], [0.1, 0.2, 0.3], "labels must be 0 or 1, got 2 at index 1 (1 of 3 points)"),
        ([-1, 1, 1], [0.1, 0.2, 0.3], "labels must be 0 or 1, got -1 at index 0 (1 of 3 points)"),
        ([0, 1, 0.7], [0.1, 0.2, 0.3], "labels must be 0 or 1, got 0.7 at index 2 (1 of 3 points)"),
        (
            [0.2, 0.9, 1],
            [0, 1, 1],
            "labels must be 0 or 1, got 0.2 at index 0 (2 of 3 points)" + SWAPPED,
        ),
        ([0, 1, 1], None, "scores must be given: write f1(labels, scores)"),
        (None, [0, 1, 1], "labels must be given: write f1(labels, scores)"),
    ],
)
def test_a_pair_that_cannot_be_judged_is_refused(labels, flags, message):
    with refused(message):
        aj.f1(labels, flags)


def test_nan_is_refused_alike_in_every_container():
    with refused("scores must be numbers, got nan at index 1 (1 of 3 points)"):
        aj.auc_roc([0, 1, 1], pl.Series([0.5, NAN, 1.0]))
    with refused("scores must be numbers, got a missing value at index 1 (1 of 3 points)"):
        aj.auc_roc([0, 1, 1], pd.Series([0.5, NAN, 1.0]))


def test_a_detector_of_another_length_is_refused():
    with refused("labels and scores must be equally long, got 14 and 13 points"):
        aj.evaluate(LABELS, {"a": FLAGS, "b": FLAGS[1:]}, "f1")


@pytest.mark.parametrize("metric", [aj.f1, aj.f1_ba(width=5), aj.event_recall, aj.mcc], ids=str)
def test_continuous_scores_where_flags_are_needed_are_refused_with_the_two_ways_out(metric):
    message = (
        f"{metric} has one value per threshold, and scores are not 0/1 flags; "
        f"say at=<threshold>, or best({metric}) for an oracle's choice"
    )
    with refused(message):
        metric(LABELS, CONTINUOUS)
    with refused(message):
        aj.evaluate(LABELS, CONTINUOUS, metric)
    with refused(message):
        aj.explain(LABELS, CONTINUOUS, metric)


def test_whole_scores_that_a_float_would_round_are_refused():
    with refused(
        "scores must be numbers that float64 can hold exactly, got 9007199254740993 at index 1; "
        "pass their ranks instead"
    ):
        aj.auc_roc([0, 1], np.array([2**53, 2**53 + 1]))


# Thresholds


def flagged(scores, at):
    """The points that are flagged, as the receipt shows them."""
    return aj.explain([1, *[0] * (len(scores) - 1)], scores, "f1", at=at).flags.tolist()


@pytest.mark.parametrize(
    ("scores", "at", "expected"),
    [
        pytest.param([1, 2, 2, 3], 2, [0, 0, 0, 1], id="ties"),
        pytest.param([5, 5, 5], 5, [0, 0, 0], id="constant, at it"),
        pytest.param([5, 5, 5], 4, [1, 1, 1], id="constant, below it"),
        pytest.param([0.0, 5e-324, 1e-310], 0, [0, 1, 1], id="denormal above zero"),
        pytest.param([0.0, 5e-324, 1e-310], 5e-324, [0, 0, 1], id="denormal above denormal"),
        pytest.param([-0.0, 0.0], 0.0, [0, 0], id="minus zero is not above zero"),
        pytest.param([-0.0, 0.0], -0.0, [0, 0], id="zero is not above minus zero"),
        pytest.param([1.0, math.nextafter(1, 2)], 1.0, [0, 1], id="one ulp above"),
        pytest.param([math.nextafter(1, 0), 1.0], math.nextafter(1, 0), [0, 1], id="one ulp below"),
        pytest.param([-INF, 0, 1, INF], -INF, [0, 1, 1, 1], id="minus infinity is never flagged"),
        pytest.param([-INF, 0, 1, INF], 1, [0, 0, 0, 1], id="infinity is above every number"),
        pytest.param([-INF, 0, 1, INF], INF, [0, 0, 0, 0], id="nothing is above infinity"),
        pytest.param([-INF, 0, 1, INF], aj.top(4), [0, 1, 1, 1], id="not even by rank"),
        pytest.param(np.float32([0.1, 0.2]), 0.1, [0, 1], id="float32 is compared as float32"),
        pytest.param(np.float16([0.1, 0.2]), 0.1, [0, 1], id="float16 is compared as float16"),
        pytest.param(np.float32([0.1, 0.2]), np.float32(0.1), [0, 1], id="float32 with float32"),
        pytest.param([0.1, 0.2], float(np.float32(0.1)), [0, 1], id="float64 is finer"),
        pytest.param([1, 2, 3], 1.5, [0, 1, 1], id="whole scores, broken threshold"),
        pytest.param([False, True], 0.5, [0, 1], id="flags with a threshold"),
    ],
)
def test_a_point_is_flagged_when_its_score_is_above_the_threshold(scores, at, expected):
    assert list(map(bool, expected)) == flagged(scores, at)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([1, 2, 2, 3], [3, 2, 1, -INF]),
        ([5, 5, 5, 5], [5, -INF]),
        ([-INF, 0, 1, INF], [INF, 1, 0, -INF]),
        ([-0.0, 0.0, 1, -1], [1, 0, -1, -INF]),
        ([1.0, math.nextafter(1, 2), 1.0, 1.0], [math.nextafter(1, 2), 1, -INF]),
        ([0.0, 5e-324, 0.0, 0.0], [5e-324, 0, -INF]),
    ],
)
def test_thresholds_are_the_scores_themselves(scores, expected):
    assert expected == aj.curve([0, 1, 1, 0], scores, "f1").thresholds.tolist()


def test_infinities_have_their_place_in_the_order():
    labels, scores = [0, 0, 1, 1], [-INF, 5, 0, INF]
    assert aj.auc_roc(labels, scores) == 3 / 4
    assert tuple(aj.curve(labels, scores, "f1").best()) == (-INF, 4 / 5)


def test_a_detector_that_says_minus_infinity_everywhere_finds_nothing():
    labels, scores = [0, 1], [-INF, -INF]
    assert tuple(aj.curve(labels, scores, "f1").best()) == (-INF, 0)
    assert [m(labels, scores) for m in (aj.auc_roc, aj.auc_pr, aj.ap)] == [0.5, 0, 0]


increasing = st.lists(
    st.floats(allow_nan=False, exclude_min=True, min_value=-INF),
    min_size=8,
    max_size=8,
    unique=True,
).map(sorted)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(increasing)
def test_a_strictly_increasing_map_of_the_scores_changes_nothing(table):
    def values(scores):
        return [value for name, value in with_scores(LABELS, scores).items() if name != "at"]

    assert values(SCORES) == values([table[score] for score in SCORES])


# Every edge has a defined value

FAMILIES = ["{}", "{}_pa", "{}_kpa", "{}_ba", "event_{}"]


def same(expected, found):
    np.testing.assert_array_equal(expected, found)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("n", [1, 6])
@pytest.mark.parametrize(
    ("truth", "alarm", "expected"),
    [(0, 0, (NAN, NAN, NAN)), (1, 0, (0, NAN, 0)), (0, 1, (0, 0, NAN)), (1, 1, (1, 1, 1))],
    ids=["neither", "all anomalous, no alarm", "all normal, all alarms", "all of both"],
)
def test_without_events_or_alarms_values_follow_one_policy(family, n, truth, alarm, expected):
    metrics = [aj.metric(family.format(name)) for name in ("f1", "precision", "recall")]
    labels, flags = [truth] * n, [alarm] * n
    same(expected, [metric(labels, flags) for metric in metrics])
    replaced = [0.25 if math.isnan(value) else value for value in expected]
    same(replaced, [metric(labels, flags, zero_division=0.25) for metric in metrics])
    judged = aj.evaluate(labels, flags, metrics, zero_division=0.25)
    same(replaced, [row.value for row in judged.rows])


@pytest.mark.parametrize(
    ("labels", "scores", "expected"),
    [
        ([0, 0, 0], [1, 2, 3], {"auc_roc": NAN, "auc_pr": NAN, "ap": NAN}),
        ([1, 1, 1], [1, 2, 3], {"auc_roc": NAN, "auc_pr": 1, "ap": 1}),
        ([0, 1], [5, 5], {"auc_roc": 0.5, "auc_pr": 0.75, "ap": 0.5}),
        ([0, 0], [0, 0], {"mcc": NAN, "balanced_accuracy": NAN, "event_coverage": NAN}),
        ([1, 1], [1, 1], {"mcc": NAN, "balanced_accuracy": NAN, "event_coverage": 1}),
        ([1, 0], [0, 0], {"mcc": NAN, "balanced_accuracy": 0.5, "event_coverage": NAN}),
        ([1, 0], [1, 1], {"mcc": NAN, "balanced_accuracy": 0.5, "event_coverage": 1}),
    ],
)
def test_an_area_or_margin_without_one_of_its_sides_is_undefined(labels, scores, expected):
    same(list(expected.values()), [aj.metric(name)(labels, scores) for name in expected])


TOUCHING = aj.Events.from_intervals([(1, 3), (3, 5)], n=6)


@pytest.mark.parametrize(
    ("labels", "flags", "expected"),
    [
        pytest.param([1, 1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0],
            {"f1": 2 / 3, "f1_pa": 1, "f1_ba(width=3)": 1, "event_f1": 1}, id="event at the start"),
        pytest.param([0, 0, 0, 0, 1, 1], [1, 0, 0, 0, 0, 1],
            {"f1": 1 / 2, "f1_pa": 4 / 5, "f1_ba(width=3)": 2 / 3, "event_f1": 2 / 3},
            id="event at the end, island clipped by the start"),
        pytest.param([0, 1, 1, 1, 1, 0], [0, 1, 0, 0, 0, 0],
            {"f1_pa": 1, "f1_kpa(k=0.5)": 2 / 5, "event_recall": 1}, id="one event"),
        pytest.param(TOUCHING, [0, 1, 0, 0, 0, 0],
            {"f1_pa": 2 / 3, "f1_kpa(k=0.5)": 2 / 3, "event_recall": 1 / 2}, id="adjacent events"),
        pytest.param([0, 1, 1, 1, 1, 1, 1, 0], [1, 0, 0, 1, 0, 0, 0, 0],
            {"f1": 1 / 4, "f1_pa": 12 / 13, "f1_ba": 12 / 13}, id="event longer than half"),
        pytest.param([0, 0, 0, 1, 0, 0], [1, 0, 0, 1, 0, 0],
            {"f1_ba(width=100)": 2 / 7, "f1_dilated(width=100)": 2 / 7}, id="wider than all"),
        pytest.param([0, 0, 1, 0], [1, 1, 1, 1],
            {"f1": 2 / 5, "f1_ba(width=3)": 2 / 5, "event_f1": 1}, id="all alarms"),
        pytest.param([1], [1], {"f1_ba(width=9)": 1, "f1_dilated(width=9)": 1}, id="one point"),
    ],
)  # fmt: skip
def test_every_edge_has_a_defined_value(labels, flags, expected):
    assert expected == {spec: aj.metric(spec)(labels, flags) for spec in expected}


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
@settings(derandomize=True, deadline=None, max_examples=60)
@given(several=st.lists(points, min_size=1, max_size=4))
def test_several_series_in_one_call_have_the_summed_masses_of_several_calls(metric, several):
    ids = [f"series {number}" for number, one in enumerate(several) for _ in one]
    labels, flags, _ = zip(*(point for one in several for point in one), strict=True)
    parts = [zip(*one, strict=True) for one in several]
    summed = sum(masses(part_labels, part_flags, metric) for part_labels, part_flags, _ in parts)
    same(summed, masses(labels, flags, metric, series=ids))


@pytest.mark.parametrize("metric", LAWFUL)
@settings(derandomize=True, deadline=None, max_examples=60)
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
        ([[1], [1], [1]], "where must be one-dimensional, got shape (3, 1)"),
        ([], "where must hold at least one point, got none (shape (0,))"),
    ],
)
def test_a_where_that_does_not_fit_is_refused(where, message):
    with refused(message):
        aj.f1([0, 1, 0], [0, 1, 1], where=where)
