"""Columns: whatever holds numbers, as a one-dimensional array.

Lists, NumPy arrays (masked ones too), pandas, polars and Arrow columns, tensors of torch and JAX,
TimeSeries of darts, sparse vectors and anything with ``__array__`` are read by position; a name
that they carry plays no part, and that indexes agree is checked where columns meet
(`adjudge.data.alignment`). Nothing is parsed, filled or reordered: a column that is not plainly a
column of numbers is refused with the place of the trouble.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from adjudge._text import said, shown
from adjudge.checks import is_whole
from adjudge.data.tensors import OTHER_LIBRARIES
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudge._typing import Array, Column, Flags, Floats

FRAME_LIBRARIES = frozenset({"pandas", "polars", "pyarrow", "modin", "cudf"})
_GLANCE = 64  # so many points tell most scores from flags
_EXACT = 2**53  # whole numbers up to here are floats without rounding


def column(values: Column, name: str) -> Array:
    """Read one column as a one-dimensional array of bools, integers or floats.

    >>> column([0, 1, 1], "labels")
    array([0, 1, 1])
    >>> column([[0], [1]], "labels")  # one column of a table is a column
    array([0, 1])
    >>> column([[0, 1, 1], [1, 1, 0]], "labels")
    Traceback (most recent call last):
    adjudge.errors.InputError: labels must be one-dimensional, got shape (2, 3); judge one channel \
per call, or pool them as series (series=, one after the other)
    """
    array = values if type(values) is np.ndarray else _array(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        hint = _hint(array, name)
        raise InputError(f"{name} must be one-dimensional, got shape {array.shape}{hint}")
    if array.size == 0:
        raise InputError(f"{name} must hold at least one point, got none (shape (0,))")
    if array.dtype.kind == "O":
        array = _from_objects(array, name)
    if array.dtype.kind not in "biuf":
        raise InputError(f"{name} must be numbers, got {_shown(array[0])} (dtype {array.dtype})")
    return array


def binary(values: Column, name: str) -> Flags:
    """Read a column of zeros and ones as bools, in an array of its own.

    >>> binary([0, 1.0, True], "labels")
    array([False,  True,  True])
    >>> binary([0, 2, 1, 2], "labels")
    Traceback (most recent call last):
    adjudge.errors.InputError: labels must be 0 or 1, got 2 at index 1 (2 of 4 points)
    """
    array = column(values, name)
    if array.dtype.kind == "b":
        return array.copy()  # the caller's array stays the caller's
    refuse_nan(array, name, "0 or 1")
    if not is_binary(array):
        wrong = (array != 0) & (array != 1)
        first = int(np.argmax(wrong))
        raise InputError(
            f"{name} must be 0 or 1, got {_shown(array[first])} at index {first} "
            f"({np.count_nonzero(wrong)} of {array.size} points)"
        )
    return array.astype(bool)


_UNSIGNED = {
    np.dtype(f"{order}i{size}"): np.dtype(f"{order}u{size}")
    for order in "<>"
    for size in (1, 2, 4, 8)
}


def is_binary(array: Array) -> bool:
    """Tell whether an array holds nothing but zeros and ones."""
    if array.dtype.kind == "b":
        return True
    if array.dtype.kind in "iu":  # one look is quick enough
        return _all_binary(array)
    return _all_binary(array[:_GLANCE]) and _all_binary(array)


def _all_binary(array: Array) -> bool:
    if array.dtype.kind == "i":
        array = array.view(_UNSIGNED[array.dtype])  # negative numbers become very large
    if array.dtype.kind == "u":
        return bool(array.max() <= 1)
    if not (array.min() >= 0 and array.max() <= 1):
        return False
    return bool(np.all((array == 0) | (array == 1)))


def floats(array: Array, name: str) -> Floats:
    """The same numbers as float64, or refuse if that would round any of them.

    >>> floats(np.array([2**53 + 1]), "scores")
    Traceback (most recent call last):
    adjudge.errors.InputError: scores must be numbers that float64 can hold exactly, \
got 9007199254740993 at index 0; pass their ranks instead
    """
    with np.errstate(over="ignore"):  # told below, with its place
        converted = np.ascontiguousarray(array, dtype=np.float64)
    may_round = array.dtype.itemsize >= 8 and array.dtype.kind in "iu"
    if may_round and not -_EXACT <= int(array.min()) <= int(array.max()) <= _EXACT:
        rounded = np.array([int(f) != int(i) for f, i in zip(converted, array, strict=True)])
    elif array.dtype.itemsize > 8:
        rounded = (converted != array) & ~np.isnan(array)
    else:
        return converted
    if rounded.any():
        _refuse_rounding(name, array, int(np.argmax(rounded)))
    return converted


def _refuse_rounding(name: str, array: Array, first: int) -> NoReturn:
    raise InputError(
        f"{name} must be numbers that float64 can hold exactly, got {_cut(said(array[first]))} "
        f"at index {first}; pass their ranks instead"
    )


def refuse_nan(array: Array, name: str, rule: str) -> None:
    """Raise, with the first place and the count, if any value is NaN."""
    if array.dtype.kind != "f" or not np.isnan(array.min()):
        return
    missing = np.isnan(array)
    hint = "; leave them out with where=scores.notna() or missing='skip'" * (name == "scores")
    raise InputError(
        f"{name} must be {rule}, got nan at index {int(np.argmax(missing))} "
        f"({np.count_nonzero(missing)} of {array.size} points){hint}"
    )


def frame_columns(values: Column) -> dict[str, Column] | None:
    """The columns of a mapping or a data frame by name; None for a single column.

    >>> frame_columns({"a": [1, 2]})
    {'a': [1, 2]}
    """
    if isinstance(values, Mapping):
        return _by_name(values.items())
    library = type(values).__module__.partition(".")[0]
    if library == "pyarrow" and type(values).__name__ == "RecordBatch":  # narwhals knows it not
        return _by_name(zip(values.schema.names, values.columns, strict=True))
    if library not in FRAME_LIBRARIES or len(getattr(values, "shape", ())) != 2:
        return None
    _by_name((name, None) for name in getattr(values, "column_names", values.columns))
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - only who holds a frame pays for it

    frame = nw.from_native(values, eager_only=True)
    return _by_name((series.name, series.to_native()) for series in frame.iter_columns())


def ids(values: Column, name: str) -> Array:
    """Read a column of ids: anything that can be compared, but nothing missing.

    >>> ids(["a", "a", "b"], "series")
    array(['a', 'a', 'b'], dtype=object)
    """
    if isinstance(values, (str, bytes, dict, set, frozenset)) or not hasattr(values, "__iter__"):
        raise InputError(f"{name} must be one id per point, got {_shown(values)}")
    try:
        array = values if isinstance(values, np.ndarray) else _objects(values)
    except Exception:  # noqa: BLE001 - whatever somebody's object does
        raise InputError(f"{name} must be one id per point, got {_shown(values)}") from None
    if array.dtype.kind in "OfM" and array.ndim == 1:
        for index, value in enumerate(array):
            if value is None or value.__hash__ is None or _is_missing(value):
                what = said(value)
                raise InputError(f"{name} must be one id per point, got {what} at index {index}")
    return array


def _objects(values: Column) -> Array:
    """Keep the values as they are: text beside NaN must not become text."""
    array = np.asarray(values) if hasattr(values, "__array__") else np.empty(0)
    if array.dtype.kind in "biuOT" and hasattr(values, "__array__"):
        return array
    listed = values.to_pylist() if hasattr(values, "to_pylist") else list(values)
    array = np.empty(len(listed), object)
    array[:] = listed
    return array


def _is_missing(value: object) -> bool:
    """Tell NaN, NaT and NA: unlike all else, they do not equal themselves."""
    try:
        return bool(value != value)  # noqa: PLR0124
    except Exception:  # noqa: BLE001 - whatever somebody's object does
        return True


def _by_name(pairs: Iterable[tuple[object, Column]]) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    for given, values in pairs:
        name = said(given)
        if name in columns:
            raise InputError(f"scores must have one name per detector, got {name!r} twice")
        columns[name] = values
    return columns


def _array(values: Column, name: str) -> Array:
    if isinstance(values, np.ma.MaskedArray):
        masked = np.ma.getmaskarray(values)
        return np.where(masked, np.nan, values.data) if masked.any() else values.data
    if isinstance(values, (str, bytes, dict, set, frozenset)) or values is None:
        raise InputError(f"{name} must be a column of numbers, got {_shown(values)}")
    if hasattr(values, "toarray"):  # scipy.sparse, which numpy would wrap as one object
        return np.asarray(values.toarray())
    library = type(values).__module__.partition(".")[0]
    if library in FRAME_LIBRARIES:
        return _from_frame_library(values, name)
    if library in OTHER_LIBRARIES:
        values = OTHER_LIBRARIES[library](values, name)
    if not hasattr(values, "__array__") and not hasattr(values, "__len__"):
        hint = "; write list(...) around it" if hasattr(values, "__next__") else ""
        raise InputError(f"{name} must be a column of numbers, got {_shown(values)}{hint}")
    try:
        array = np.asarray(values)
    except ValueError:  # nested lists of unequal length
        raise InputError(f"{name} must be one-dimensional, got a ragged sequence") from None
    except Exception as error:  # noqa: BLE001 - whatever somebody's __array__ does
        kind, why = type(values).__name__, f"{type(error).__name__}: {said(error)}"
        raise InputError(f"{name} must be a column of numbers, got a {kind}: {why}") from None
    listed = not hasattr(values, "__array__") and array.ndim == 1 and array.dtype == np.float64
    if listed and np.any(np.abs(array) >= _EXACT):
        return np.array(list(values), object)  # whole numbers beside floats: do not round them yet
    return array


def _from_frame_library(values: Column, name: str) -> Array:
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - only who holds a frame pays for it

    series = nw.from_native(values, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series):
        return np.asarray(values)
    if isinstance(series.dtype, (nw.Categorical, nw.Enum)):
        array = np.array(series.to_list(), object)
        if any(isinstance(value, str) for value in array):
            raise InputError(
                f"{name} must be numbers, got categories of text such as {_shown(array[0])}; "
                "positive= says which label is an anomaly"
            )
        return array
    return np.asarray(series.to_numpy())


def _from_objects(array: Array, name: str) -> Array:
    for index, value in enumerate(array):
        if not isinstance(value, (bool, float, np.floating, np.bool_)) and not is_whole(value):
            raise InputError(f"{name} must be numbers, got {_shown(value)} at index {index}")
    plain = np.array(array.tolist())
    if plain.dtype.kind in "biu":
        return plain
    for index, value in enumerate(array):
        if is_whole(value) and _rounds(value):
            _refuse_rounding(name, array, index)
    return array.astype(np.float64)


def _rounds(value: Any) -> bool:
    try:
        return bool(int(float(value)) != value)
    except OverflowError:
        return True


def _hint(array: Array, name: str) -> str:
    """Name the ways on from a table of numbers."""
    if array.ndim != 2:
        return ""
    ways = "judge one channel per call, or pool them as series (series=, one after the other)"
    if array.shape[1] == 2 and name == "labels":
        return f"; for intervals use Events.from_intervals(pairs, n); else {ways}"
    several = "for several detectors give a dict or a data frame; else " * (name == "scores")
    return f"; {several}{ways}"


def _shown(value: Any) -> str:
    return _cut(shown(value))


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
