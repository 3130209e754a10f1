"""What may hold labels and scores, and that nothing outside is touched."""

import hashlib
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import adjudge as aj
from contract import FLAGS, LABELS, SCORES, OnlyArray, with_flags, with_scores

# Containers


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
    "sparse": lambda values: sparse.coo_array(np.array(values)[:, np.newaxis]),
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
    [dict, pd.DataFrame, pl.DataFrame, pa.table, pa.RecordBatch.from_pydict],
    ids=["dict", "pandas", "polars", "pyarrow", "a batch of pyarrow"],
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
    "evaluate": lambda d: aj.evaluate(d["labels"], d["scores"], shifts=9).to_json(),
    "evaluate at": lambda d: aj.evaluate(
        d["labels"], {"a": d["scores"]}, at="top(5)", shifts=9
    ).to_json(),
    "explain": lambda d: aj.explain(d["labels"], d["flags"], "f1_ba").to_dict(),
    "curve": lambda d: aj.curve(d["labels"], d["scores"], "event_f1").f.tolist(),
    "series and where": lambda d: aj.evaluate(
        d["labels"], d["scores"], series=d["series"], where=d["where"], shifts=9
    ).to_json(),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


def some_data(n=2000):
    rng = np.random.default_rng(7)
    return {
        "labels": np.repeat(rng.random(n // 20) < 0.3, 20),
        "flags": rng.random(n) < 0.1,
        "scores": rng.standard_normal(n),
        "series": np.arange(n) // (n // 4),
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
    data = some_data(600)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: repr(call(data)), range(8)))
    assert {repr(call(data))} == set(found)
