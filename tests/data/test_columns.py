"""Columns: what is read as a column of numbers, and what is refused with which words."""

from collections import UserDict, deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from adjudge.data.columns import binary, column, floats, frame_columns, is_binary, refuse_nan
from contract import LEAVE_OUT, WAYS_ON, WHERE
from messages import refused

needs_wide_floats = pytest.mark.skipif(
    np.dtype(np.longdouble).itemsize == 8, reason="long double is double here"
)


class OnlyArray:
    def __init__(self, values):
        self.values = np.array(values)

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


class NoColumn:
    def __repr__(self):
        return "no column"


@pytest.mark.parametrize(
    "values",
    [
        [3, 1, 2],
        (3, 1, 2),
        deque([3, 1, 2]),
        np.array([3, 1, 2]),
        np.array([3, 1, 2], object),
        np.array([3, 1, 2]).view(np.recarray),
        pd.Series([3, 1, 2], index=[9, 9, 0]),
        pd.Series([3, 1, 2], dtype="Int64"),
        pd.Index([3, 1, 2]),
        pd.array([3, 1, 2]),
        pl.Series([3, 1, 2]),
        pa.array([3, 1, 2]),
        pa.chunked_array([[3], [1, 2]]),
        OnlyArray([3, 1, 2]),
    ],
    ids=lambda values: f"{type(values).__module__}.{type(values).__name__}",
)
def test_a_column_is_read_by_position(values):
    assert column(values, "scores").tolist() == [3, 1, 2]


def test_an_array_of_numbers_is_passed_on_without_a_copy():
    given = np.array([0.5, 1.5])
    assert column(given, "scores") is given


@pytest.mark.parametrize(
    ("objects", "kind"), [([True, np.False_], "b"), ([1, True], "i"), ([1, 0.5], "f")]
)
def test_objects_that_are_numbers_get_a_numeric_dtype(objects, kind):
    array = column(np.array(objects, object), "scores")
    assert (kind, objects) == (array.dtype.kind, array.tolist())


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        (np.array(5), "()"),
        (np.float64(5), "()"),
        ({}.values(), "()"),
        (np.zeros((2, 3)), f"(2, 3){WAYS_ON}"),
        (np.zeros((0, 3)), f"(0, 3){WAYS_ON}"),
        (np.zeros((1, 2, 2)), "(1, 2, 2)"),
        (pl.LazyFrame({"a": [0, 1]}), "()"),
    ],
)
def test_what_is_not_one_dimensional_is_refused_with_its_shape(values, shape):
    with refused(f"labels must be one-dimensional, got shape {shape}"):
        column(values, "labels")


@pytest.mark.parametrize("values", [[(1, 2), (4, 5), (7, 9)], np.zeros((3, 2))])
def test_pairs_are_refused_with_a_hint_at_intervals(values):
    with refused(
        "labels must be one-dimensional, got shape (3, 2); "
        f"for intervals use Events.from_intervals(pairs, n); else{WAYS_ON[1:]}"
    ):
        column(values, "labels")


def test_a_ragged_sequence_is_refused():
    with refused("scores must be one-dimensional, got a ragged sequence"):
        column([[1, 2], [3]], "scores")


@pytest.mark.parametrize(
    "values", [[], (), np.zeros(0), np.array([], object), pd.Series([], dtype=float), pa.array([])]
)
def test_an_empty_column_is_refused(values):
    with refused("scores must hold at least one point, got none (shape (0,))"):
        column(values, "scores")


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (["0", "1"], "'0' (dtype <U1)"),
        ([0, "1"], "'0' (dtype <U21)"),
        ([b"0"], "b'0' (dtype |S1)"),
        (np.array([1 + 2j]), "(1+2j) (dtype complex128)"),
        (np.array(["2020-01-01"], "M8[D]"), "datetime.date(2020, 1, 1) (dtype datetime64[D])"),
        (["x" * 38], f"'{'x' * 38}' (dtype <U38)"),
        (["x" * 39], f"'{'x' * 36}... (dtype <U39)"),
    ],
)
def test_what_is_not_a_number_is_refused_with_its_dtype(values, shown):
    with refused(f"scores must be numbers, got {shown}"):
        column(values, "scores")


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([0, None, 1], "None at index 1"),
        (np.array([0, 1, "1"], object), "'1' at index 2"),
        ([Decimal(1)], "Decimal('1') at index 0"),
        ([0.5, Fraction(1, 2)], "Fraction(1, 2) at index 1"),
        (np.array([1, np.complex128(2j)], object), "2j at index 1"),
        (pd.Series([True, None], dtype="boolean"), "<NA> at index 1"),
        (pl.Series([True, None]), "None at index 1"),
        (pd.array([True, None], dtype="boolean"), "<NA> at index 1"),
        (pa.array([True, None]), "None at index 1"),
    ],
)
def test_objects_that_are_not_numbers_are_refused_with_their_index(values, shown):
    with refused(f"labels must be numbers, got {shown}"):
        column(values, "labels")


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (None, "None"),
        ("0110", "'0110'"),
        (b"01", "b'01'"),
        ({"a": [1]}, "{'a': [1]}"),
        ({1}, "{1}"),
        (frozenset([1]), "frozenset({1})"),
        (5, "5"),
        (NoColumn(), "no column"),
        ("x" * 50, f"'{'x' * 36}..."),
    ],
)
def test_what_holds_no_column_is_refused(values, shown):
    with refused(f"scores must be a column of numbers, got {shown}"):
        column(values, "scores")


def test_what_a_masked_array_masks_is_missing():
    assert column(np.ma.array([0, 1]), "scores").tolist() == [0, 1]
    np.testing.assert_array_equal(column(np.ma.array([0, 1], mask=[0, 1]), "scores"), [0, np.nan])


@pytest.mark.parametrize(
    "values", [np.zeros((3, 1)), [[0], [0], [0]], pd.DataFrame({"a": [0, 0, 0]})]
)
def test_one_column_of_a_table_is_a_column(values):
    assert column(values, "labels").tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([0, 1]).astype("category"),
        pa.chunked_array([pa.array([0, 1]).dictionary_encode()]),
        pd.Categorical([0, 1]),
        pd.CategoricalIndex([0, 1]),
        pa.array([0, 1]).dictionary_encode(),
    ],
    ids=lambda values: f"{type(values).__module__}.{type(values).__name__}",
)
def test_categories_of_numbers_are_numbers(values):
    assert column(values, "labels").tolist() == [0, 1]


@pytest.mark.parametrize(
    "values",
    [
        pd.Series(["no", "yes"]).astype("category"),
        pl.Series(["no", "yes"]).cast(pl.Categorical),
        pl.Series(["no", "yes"]).cast(pl.Enum(["no", "yes"])),
        pa.chunked_array([pa.array(["no", "yes"]).dictionary_encode()]),
    ],
    ids=lambda values: f"{type(values).__module__}.{type(values).__name__}",
)
def test_categories_of_text_are_refused_with_the_way_on(values):
    said = "categories of text such as 'no'; positive= says which label is an anomaly"
    with refused(f"labels must be numbers, got {said}"):
        column(values, "labels")


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([1, None, 0, None], dtype="Int64"),
        pd.Series([1, None, 0, None], dtype="Float64"),
        pd.Series([1, None, 0, None]),
        pl.Series([1, None, 0, None]),
        pa.array([1, None, 0, None]),
        pa.chunked_array([[1, None], [0, None]]),
    ],
    ids=lambda values: f"{type(values).__module__}.{type(values).__name__}",
)
def test_missing_numbers_are_refused_with_their_first_index_and_count(values):
    with refused(f"labels must be 0 or 1, got nan at index 1 (2 of 4 points){WHERE}"):
        binary(values, "labels")


@pytest.mark.parametrize("dtype", ["?", "b", "B", "q", "Q", "e", "f", "d", "O"])
def test_zeros_and_ones_of_any_dtype_are_read_as_bools(dtype):
    array = binary(np.array([0, 1, 1], dtype), "labels")
    assert (np.dtype(bool), [False, True, True]) == (array.dtype, array.tolist())


@pytest.mark.parametrize(
    ("values", "rest"),
    [
        ([1, 2, 1, 2], "2 at index 1 (2 of 4 points)"),
        ([-1, 1, -1], "-1 at index 0 (2 of 3 points)"),
        ([0, 1, 0.7], "0.7 at index 2 (1 of 3 points)"),
        ([0, float("inf")], "inf at index 1 (1 of 2 points)"),
        ([0, float("nan"), 2, float("nan")], f"nan at index 1 (2 of 4 points){WHERE}"),
        (np.array([0, 200], np.uint8), "200 at index 1 (1 of 2 points)"),
    ],
)
def test_what_is_neither_zero_nor_one_is_refused_with_its_index_and_count(values, rest):
    with refused(f"labels must be 0 or 1, got {rest}"):
        binary(values, "labels")


@pytest.mark.parametrize(
    ("expected", "values"),
    [
        (True, np.array([True, True])),
        (True, np.array([0, 1], np.uint8)),
        (True, np.array([0.0, -0.0, 1.0])),
        (False, np.array([0, 2])),
        (False, np.array([-1, 1])),
        (False, np.array([0, 0.5, 1])),
        (False, np.array([0, np.nan])),
    ],
)
def test_flags_are_told_from_scores(expected, values):
    assert expected is is_binary(values)


@pytest.mark.parametrize("dtype", ["?", "b", "H", "q", "Q", "e", "f", "d", ">d", ">q"])
def test_numbers_become_float64_as_they_are(dtype):
    array = floats(np.array([0, 1], dtype), "scores")
    assert (np.dtype(float), [0.0, 1.0]) == (array.dtype, array.tolist())


@pytest.mark.parametrize("value", [2**53, -(2**53), 2**60, -(2**63), 2**70])
@pytest.mark.parametrize("beside", [0, 0.5, -1])
def test_large_whole_numbers_that_float64_holds_are_kept(value, beside):
    assert [beside, value] == [*floats(column([beside, value], "scores"), "scores")]


@pytest.mark.parametrize(
    ("values", "first"),
    [
        (np.array([0, 2**53, 2**53 + 1]), "9007199254740993 at index 2"),
        (np.array([-(2**53) - 1, 0]), "-9007199254740993 at index 0"),
        (np.array([0, 2**64 - 1], np.uint64), "18446744073709551615 at index 1"),
    ],
)
def test_whole_numbers_that_float64_would_round_are_refused(values, first):
    with refused(
        f"scores must be numbers that float64 can hold exactly, got {first}; "
        "pass their ranks instead"
    ):
        floats(values, "scores")


@pytest.mark.parametrize(
    "values",
    [[2**53 + 1, 0.5], [2**63 + 1, -1], [2**70 + 1], pytest.param([10**400], id="huge")],
)
def test_a_list_with_whole_numbers_that_float64_would_round_is_refused(values):
    shown = str(values[0]) if values[0] < 10**40 else str(values[0])[:37] + "..."
    with refused(
        f"scores must be numbers that float64 can hold exactly, got {shown} at index 0; "
        "pass their ranks instead"
    ):
        floats(column(values, "scores"), "scores")


@needs_wide_floats
def test_wide_floats_are_kept_where_float64_holds_them():
    array = floats(np.array([0.5, np.nan, np.inf], np.longdouble), "scores")
    np.testing.assert_array_equal([0.5, np.nan, np.inf], array)


@needs_wide_floats
@pytest.mark.parametrize(
    "value", [1 + np.finfo(np.longdouble).eps, np.finfo(np.longdouble).max], ids=["fine", "huge"]
)
def test_wide_floats_that_float64_would_round_are_refused(value):
    with refused(
        f"scores must be numbers that float64 can hold exactly, got {value!s} at index 1; "
        "pass their ranks instead"
    ):
        floats(np.array([0, value], np.longdouble), "scores")


@pytest.mark.parametrize("values", [[1, 2], [1.0, np.inf, -np.inf], [True, False]])
def test_a_column_without_nan_passes(values):
    assert refuse_nan(np.array(values), "scores", "numbers") is None


@pytest.mark.parametrize("dtype", ["e", "f", "d", ">f"])
def test_nan_is_refused_with_the_rule_its_first_index_and_count(dtype):
    with refused(f"scores must be numbers, got nan at index 1 (2 of 3 points){LEAVE_OUT}"):
        refuse_nan(np.array([0, np.nan, np.nan], dtype), "scores", "numbers")


@pytest.mark.parametrize(
    "frame",
    [
        {"a": [1, 2], "b": [3, 4]},
        UserDict(a=[1, 2], b=[3, 4]),
        pd.DataFrame({"a": [1, 2], "b": [3, 4]}),
        pl.DataFrame({"a": [1, 2], "b": [3, 4]}),
        pa.table({"a": [1, 2], "b": [3, 4]}),
    ],
    ids=lambda frame: f"{type(frame).__module__}.{type(frame).__name__}",
)
def test_a_frame_gives_its_columns_by_name(frame):
    columns = frame_columns(frame)
    read = {name: column(values, name).tolist() for name, values in columns.items()}
    assert read == {"a": [1, 2], "b": [3, 4]}


def test_a_frame_with_numbers_for_names_gives_its_columns():
    columns = frame_columns(pd.DataFrame([[1, 2], [3, 4], [5, 6]]))
    read = {name: column(values, name).tolist() for name, values in columns.items()}
    assert read == {"0": [1, 3, 5], "1": [2, 4, 6]}


@pytest.mark.parametrize(
    "frame", [{1: [1], "1": [2]}, pd.DataFrame([[1, 2]], columns=["1", "1"])], ids=["dict", "frame"]
)
def test_two_columns_of_one_name_are_refused(frame):
    with refused("scores must have one name per detector, got '1' twice"):
        frame_columns(frame)


class Wrapped(np.ndarray):
    """A subclass of arrays, as a memory map is."""


@pytest.mark.parametrize("dtype", ["e", "f", "d"])
@pytest.mark.parametrize("hold", [lambda a: a.view(Wrapped), OnlyArray, pd.Series, pa.array])
def test_infinities_are_read_in_the_precision_they_have(hold, dtype):
    given = np.array([0.1, np.inf, -np.inf], dtype)
    array = column(hold(given), "scores")
    assert (given.dtype, given.tolist()) == (array.dtype, array.tolist())


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        np.zeros(2),
        pd.Series([1]),
        pl.Series([1]),
        pa.array([1]),
        pl.LazyFrame({"a": [1]}),
        "ab",
    ],
    ids=lambda values: f"{type(values).__module__}.{type(values).__name__}",
)
def test_what_is_no_frame_has_no_columns(values):
    assert frame_columns(values) is None
