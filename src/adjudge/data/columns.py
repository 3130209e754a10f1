"""Columns: whatever holds numbers, as a one-dimensional array.

Lists, NumPy arrays (masked ones too), pandas, polars and Arrow columns, tensors of torch and JAX,
TimeSeries of darts, sparse vectors and anything with ``__array__`` are read by position; a name
that they carry plays no part, and that indexes agree is checked where columns meet
(`adjudge.data.columns`). Nothing is parsed, filled or reordered: a column that is not plainly a
column of numbers is refused with the place of the trouble.

Tensors and time series of other libraries, as arrays; none of them is imported here.

Alignment: two columns with an index must have the same one.

Columns are read by position. Where two of them are pandas columns, and say by their indexes that
position i is not the same moment in both, reading on would pair the wrong points.

Codings: labels and flags that are not 0 and 1, read by the one value that means an anomaly.

Flags are 0 and 1, and 1 is abnormal. Others write -1 and 1, and mean either by -1: scikit-learn's
detectors call an outlier -1, many classifiers call a normal point so. Which of them was meant
cannot be seen from the numbers, and the wrong guess turns a good detector into the worst one, so
it must be said.

Read-only arrays: what a case and its events hold, nobody changes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from adjudge.checks import is_whole
from adjudge.errors import InputError, NotBinary, as_text, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adjudge._typing import Array, Column, Flags, Floats


def _from_torch(values: Any, name: str) -> Any:
    """A tensor as an array: without its gradient, and bfloat16 as the same float32."""
    if values.device.type != "cpu":
        raise InputError(
            f"{name} must be on the CPU, got a tensor on {values.device}; write {name}.cpu()"
        )
    if "strided" not in str(values.layout):
        raise InputError(f"{name} must be dense, got a sparse tensor; write {name}.to_dense()")
    plain = values.detach()
    return (plain.float() if str(plain.dtype) == "torch.bfloat16" else plain).numpy()


def _from_jax(values: Any, _name: str) -> Any:
    """An array of JAX, bfloat16 as the same float32."""
    return np.asarray(values, np.float32 if str(values.dtype) == "bfloat16" else None)


def _from_darts(values: Any, name: str) -> Any:
    """The one column of a TimeSeries."""
    if values.width != 1:
        raise InputError(
            f"{name} must be a univariate TimeSeries, got {values.width} components; judge one at "
            "a time"
        )
    return values.univariate_values()


OTHER_LIBRARIES: dict[str, Callable[[Any, str], Any]] = {
    "torch": _from_torch,
    "jax": _from_jax,
    "jaxlib": _from_jax,
    "darts": _from_darts,
}


FRAME_LIBRARIES = frozenset({"pandas", "polars", "pyarrow", "modin", "cudf"})
_FEW = 1 << 12
_GLANCE = 64  # so many points tell most scores from flags
EXACT = 2**53  # whole numbers up to here are floats without rounding


def column(values: Column, name: str) -> Array:
    """Read one column as a one-dimensional array of bools, integers or floats.

    >>> column([0, 1, 1], "labels")
    array([0, 1, 1])
    >>> column([[0], [1]], "labels")  # one column of a table is a column
    array([0, 1])
    >>> column([[0, 1, 1], [1, 1, 0]], "labels")
    Traceback (most recent call last):
    adjudge.errors.InputError: labels must be one-dimensional, got shape (2, 3); use \
channels=[...] for several channels, annotators=[...] for several annotators
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
        raise InputError(
            f"{name} must be numbers, got {_shown(array[0])} (dtype {array.dtype})"
            f"{_word_hint(array, name)}"
        )
    return array


def _word_hint(array: Array, name: str) -> str:
    """What to write where labels are words."""
    if name != "labels" or array.dtype.kind != "U":
        return ""
    return (
        "; write labels == 'anomaly' with your word for anomalies, or positive='anomaly' in "
        "evaluate"
    )


def binary(values: Column, name: str) -> Flags:
    """Read a column of zeros and ones as bools, in an array of its own.

    >>> binary([0, 1.0, True], "labels")
    array([False,  True,  True])
    >>> binary([0, 2, 1, 2], "labels")
    Traceback (most recent call last):
    adjudge.errors.NotBinary: labels must be 0 or 1, got 2 at index 1 (2 of 4 points)
    >>> binary([0, 2, 0, 2], "labels")
    Traceback (most recent call last):
    adjudge.errors.NotBinary: labels must be 0 or 1, got 2 at index 1 (2 of 4 points); write \
labels == 2 if 2 marks the anomalies (--positive 2)
    """
    array = column(values, name)
    if array.dtype.kind == "b":
        return array.copy()  # the caller's array stays the caller's
    if array.dtype.kind == "f":
        refuse_nan(array, name, "0 or 1", NotBinary)
    if not is_binary(array):
        wrong = (array != 0) & (array != 1)
        first = int(np.argmax(wrong))
        raise NotBinary(
            f"{name} must be 0 or 1, got {_shown(array[first])} at index {first} "
            f"({np.count_nonzero(wrong)} of {array.size} points){_code_hint(array, name)}"
        )
    return as_bools(array)


def _code_hint(array: Array, name: str) -> str:
    """What to write where labels are 0 and one other number."""
    pair = two_values(array) if name == "labels" else None
    if pair is None or 0 not in pair:
        return ""
    code = f"{sum(pair):g}"
    return f"; write labels == {code} if {code} marks the anomalies (--positive {code})"


def as_bools(array: Array) -> Flags:
    """Zeros and ones as bools, which NumPy makes of small numbers in a quarter of the time.

    >>> as_bools(np.array([0, 1, 1]))
    array([False,  True,  True])
    """
    return array.astype(np.uint8).view(bool)


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
    if array.dtype.kind in "iu" and array.size <= _FEW:  # nothing is left of 0 and 1
        return not np.count_nonzero(array >> 1)
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
    if may_round and not -EXACT <= int(array.min()) <= int(array.max()) <= EXACT:
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
        f"{name} must be numbers that float64 can hold exactly, got {_cut(as_text(array[first]))} "
        f"at index {first}; pass their ranks instead"
    )


def refuse_nan(
    array: Array, name: str, rule: str, kind: type[InputError] = InputError, role: str = ""
) -> None:
    """Raise, with the first place and the count, if any value is NaN; the fix is that of a role."""
    if array.dtype.kind != "f" or not np.isnan(array.min()):
        return
    missing = np.isnan(array)
    hint = {
        "scores": f"; leave them out with where={name}.notna() or missing='skip' (--missing skip)",
        "labels": "; leave them out with where=labels.notna() (--where COL)",
    }.get(role or name, "")
    raise kind(
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
                what = as_text(value)
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
        name = as_text(given)
        if name in columns:
            raise InputError(f"scores must have one name per detector, got {name!r} twice")
        columns[name] = values
    return columns


def _array(values: Column, name: str) -> Array:
    if hasattr(values, "mask") and isinstance(values, np.ma.MaskedArray):  # slow to import
        masked = np.ma.getmaskarray(values)
        return np.where(masked, np.nan, values.data) if masked.any() else values.data
    if isinstance(values, (str, bytes, dict, set, frozenset)) or values is None:
        named = isinstance(values, str) and re.search(r"\.[a-z]\w*$", values, re.IGNORECASE)
        hint = "; read the file first, as with pandas.read_csv" if named else ""
        raise InputError(f"{name} must be a column of numbers, got {_shown(values)}{hint}")
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
        kind, why = type(values).__name__, f"{type(error).__name__}: {as_text(error)}"
        raise InputError(f"{name} must be a column of numbers, got a {kind}: {why}") from None
    listed = not hasattr(values, "__array__") and array.ndim == 1 and array.dtype == np.float64
    if listed and np.any(np.abs(array) >= EXACT):
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
    advice = "use channels=[...] for several channels, annotators=[...] for several annotators"
    if array.shape[1] == 2 and name == "labels":
        return f"; for intervals use Events.from_intervals(pairs, n); else {advice}"
    several = "for several detectors give a dict or a data frame; else " * (name == "scores")
    return f"; {several}{advice}" if name in {"labels", "scores"} else "; give one column"


def _shown(value: Any) -> str:
    return _cut(shown(value))


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def check_indexes(**columns: Column) -> None:
    """Refuse columns whose indexes differ, in another order too; what has no index fits any.

    >>> import pandas as pd
    >>> labels = pd.Series([0, 1], index=["mon", "tue"])
    >>> check_indexes(labels=labels, scores=labels[::-1])
    Traceback (most recent call last):
    adjudge.errors.InputError: labels and scores must have the same index, got 'mon' and 'tue' at \
position 0; write scores.reindex(labels.index) to align them, or .to_numpy() to judge by position
    >>> check_indexes(labels=labels, scores=[0.2, 0.1])
    """
    first: tuple[str, Any] | None = None
    for name, values in columns.items():
        if values is None or isinstance(values, np.ndarray) or (index := _index(values)) is None:
            continue
        if first is None:
            first = name, index
        elif len(index) == len(first[1]) and not index.equals(first[1]):
            _refuse(*first, name, index)


def _index(values: Column) -> Any:
    if type(values).__module__.partition(".")[0] not in FRAME_LIBRARIES:
        return None
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - only who holds a frame pays for it

    held = nw.from_native(values, allow_series=True, eager_only=True, pass_through=True)
    return nw.maybe_get_index(held) if isinstance(held, (nw.Series, nw.DataFrame)) else None


def _refuse(name: str, index: Any, other: str, its: Any) -> None:
    different = np.array([a != b for a, b in zip(index, its, strict=True)], bool)
    place = int(np.argmax(different))  # 0, should they differ in kind alone
    raise InputError(
        f"{name} and {other} must have the same index, got {_shown_keys(index[place])} and "
        f"{_shown_keys(its[place])} at position {place}; write {other}.reindex({name}.index) "
        "to align them, or .to_numpy() to judge by position"
    )


def _shown_keys(entry: Any) -> str:
    return repr(entry.item() if isinstance(entry, np.generic) else entry)


def coded(labels: Column, positive: object) -> Flags:
    """Tell the anomalies: the labels that equal ``positive``.

    Text is compared as text, numbers as numbers, and text that is a number with a number as
    numbers: ``"1"``, ``1`` and ``1.0`` are one value.

    >>> coded(["normal", "anomaly", "normal"], "anomaly")
    array([False,  True, False])
    >>> coded([1, 1, -1], positive=-1)
    array([False, False,  True])
    >>> coded(["normal", "anomaly", "normal"], "Anomaly")
    Traceback (most recent call last):
    adjudge.errors.InputError: positive must be one of the labels 'normal', 'anomaly', got 'Anomaly'
    """
    given = ids(labels, "labels")
    if given.ndim != 1 or not given.size:
        raise InputError(f"labels must be one-dimensional, got shape {given.shape}")
    wanted = _comparable(positive)
    values = dict.fromkeys(given.tolist())
    try:
        chosen = {value for value in values if bool(_comparable(value) == wanted)}
    except Exception:  # noqa: BLE001 - an array, or whatever somebody's object does
        raise InputError(f"positive must be one label, got {shown(positive)}") from None
    if not chosen and len(values) > 1:  # one value alone: a series without anomalies
        listed = ", ".join(map(shown, list(values)[:5])) + ", ..." * (len(values) > 5)
        raise InputError(f"positive must be one of the labels {listed}, got {shown(positive)}")
    return np.fromiter((value in chosen for value in given.tolist()), bool, given.size)


def refuse_signs(array: Array, name: str, rule: str) -> None:
    """Refuse -1 and 1 as a coding, with both readings.

    >>> refuse_signs(np.array([1, -1, 1]), "labels", "0 or 1")
    Traceback (most recent call last):
    adjudge.errors.InputError: labels must be 0 or 1, got -1 and 1; write labels == -1 if -1 \
marks the anomalies (as in scikit-learn), labels == 1 if 1 does (--positive -1 or 1); in \
cross-validation use adjudge.integrations.sklearn.scorer, not make_scorer
    """
    if array.dtype.kind in "bu" or array.item(0) not in (-1, 1):  # one point tells most of them
        return
    if two_values(array) != (-1, 1):
        return
    option = " (--positive -1 or 1)" if name == "labels" else ""
    raise InputError(
        f"{name} must be {rule}, got -1 and 1; write {name} == -1 if -1 marks the anomalies "
        f"(as in scikit-learn), {name} == 1 if 1 does{option}; in cross-validation use "
        "adjudge.integrations.sklearn.scorer, not make_scorer"
    )


def refuse_two_values(array: Array, metric: str) -> None:
    """Refuse scores of just two values where flags are needed, with what may be meant.

    >>> refuse_two_values(np.array([1, 2, 1]), "f1")
    Traceback (most recent call last):
    adjudge.errors.InputError: f1 needs 0/1 flags or at=<threshold>, got scores of two values, \
1 and 2; write scores == 2 if the higher one is the alarm, scores == 1 if the lower one is
    """
    pair = two_values(array)
    if pair is not None:
        raise InputError(
            f"{metric} needs 0/1 flags or at=<threshold>, got scores of two values, {pair[0]:g} "
            f"and {pair[1]:g}; write scores == {pair[1]:g} if the higher one is the alarm, "
            f"scores == {pair[0]:g} if the lower one is"
        )


def two_values(array: Array) -> tuple[float, float] | None:
    """The lower and the higher value of an array that holds just two; else None.

    >>> two_values(np.array([2, 1, 1]))
    (1, 2)
    """
    head = array[:_GLANCE]
    if not _holds_two(head) or not _holds_two(array):
        return None
    low, high = array.min().item(), array.max().item()
    return (low, high) if low < high else None


def _comparable(value: Any) -> object:
    """A number where the value is one or reads as one, else the value itself."""
    if isinstance(value, str):
        with suppress(ValueError):
            return float(value)
        return value.strip()
    return value.item() if isinstance(value, np.generic) else value


def _holds_two(array: Array) -> bool:
    return bool(np.all((array == array.min()) | (array == array.max())))


def locked(array: Array) -> Array:
    """Make an array read-only, where nobody else can write to it: not a caller's own array.

    >>> locked(np.zeros(2)).flags.writeable
    False
    """
    array.setflags(write=False)
    return array


def restore(held: object, state: dict[str, Any]) -> None:
    """Hold values that were pickled, or just made: their arrays are read-only from now on."""
    for value in state.values():
        if isinstance(value, np.ndarray):
            locked(value)
    held.__dict__.update(state)
