"""Read NumPy's own files, ``.npy`` and ``.npz``, without trusting them.

Pickles are never loaded, so an array of objects is refused. Before any array is allocated its
header is read and the size it declares is compared with the bytes that are there; an archive is
judged by its directory first, and what will be unpacked may be at most 200 times its packed size
in all (64 MiB are harmless at any ratio), so a small file can never ask for much memory.

A ``.npy`` file is a structured array, whose fields are the columns, or a plain table of n rows
with the label first and the scores after it, named ``label`` and ``score`` (or ``score_0``,
``score_1``, ...). An ``.npz`` archive holds one array per column; an array of scores may be n by
detectors. Byte order and memory order are free.

Judge a zip archive of arrays by its directory, before anything is unpacked.

NumPy writes an ``.npz`` as a zip of ``.npy`` members, stored or deflated, with plain names. What
differs from that is refused, and so is what would unpack to far more than the file holds.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
from numpy.lib import format as npy

from adjudge.errors import FileError
from adjudge.io.column_choice import (
    ARRAYS,
    Cells,
    Choose,
    ChosenColumns,
    FileFormat,
    Kind,
    ReadValues,
)
from adjudge.io.text_files import broken, unless_only_seen

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray


MAX_MEMBERS = 1000
MAX_DIRECTORY = 2**20  # a kilobyte per member
MAX_UNPACKED = 8 * 2**30
MAX_RATIO = 200
SMALL = 2**26  # what unpacks to no more than this is harmless at any ratio


def check_directory(stream: BinaryIO, size: int, file: str) -> None:
    """Refuse a directory too long for the members allowed, before all of it is listed.

    Its length stands in the record that ends the file, or in a longer one right before that; a
    file without such a record is left for ``zipfile`` to refuse.
    """
    stream.seek(max(0, size - 2**16 - 98))
    tail = stream.read()
    end = tail.rfind(b"PK\5\6")
    length = int.from_bytes(tail[end + 12 : end + 16], "little") if end >= 0 else 0
    if end >= 76 and tail[end - 20 : end - 16] == b"PK\6\7":
        length = int.from_bytes(tail[end - 36 : end - 28], "little")
    if length > MAX_DIRECTORY:
        raise FileError(
            f"{file}: an archive must have at most {MAX_MEMBERS:,} members, got a directory of "
            f"{length:,} bytes"
        )


def members(archive: zipfile.ZipFile, size: int, file: str) -> dict[str, zipfile.ZipInfo]:
    """List the arrays of an archive by name, if its directory can be trusted."""
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise FileError(
            f"{file}: an archive must have at most {MAX_MEMBERS:,} members, got {len(infos):,}"
        )
    for info in infos:
        if problem := _member_problem(info):
            raise FileError(f"{file}: member {info.orig_filename[:80]!r} {problem}")
    # Members that share bytes declare more than the file holds: the trick of the worst bombs.
    if sum(info.compress_size for info in infos) > size:
        raise FileError(f"{file}: the members must fit in the file's {size:,} bytes")
    if (total := sum(info.file_size for info in infos)) > MAX_UNPACKED:
        raise FileError(
            f"{file}: an archive must unpack to at most {MAX_UNPACKED:,} bytes, got {total:,}"
        )
    named = {info.orig_filename.removesuffix(".npy"): info for info in infos}
    if len(named) < len(infos):
        raise FileError(f"{file}: the names of an archive's members must differ")
    return named


def _member_problem(info: zipfile.ZipInfo) -> str:
    """Say why a member cannot be one that NumPy wrote; '' if it can."""
    from zipfile import ZIP_DEFLATED, ZIP_STORED  # noqa: PLC0415 - slow to import

    name = info.orig_filename
    if "\\" in name or name.startswith("/") or ".." in name.split("/"):
        return "must have a plain name, without '..', backslash or leading '/'"
    if not name.endswith(".npy"):
        return "must be a .npy array"
    if info.flag_bits & 1:
        return "must not be encrypted"
    # The other methods unpack without a limit on how much one step may give.
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        return "must be stored or deflated"
    return ""


def check_ratio(infos: Iterable[zipfile.ZipInfo], file: str) -> None:
    """Refuse a bomb, judging all that will be unpacked together.

    Honest labels and flags are nearly constant and pack a thousand to one; so what takes little
    memory is never one.
    """
    packed, unpacked = 0, 0
    for info in infos:
        packed += info.compress_size
        unpacked += info.file_size
    if unpacked > max(SMALL, MAX_RATIO * packed):
        raise FileError(
            f"{file}: arrays must unpack to at most {MAX_RATIO} times their packed size, got "
            f"{unpacked:,} bytes from {packed:,}; save them with np.savez"
        )


MAX_HEADER = 2**16
MAX_DETECTORS = 10_000
_AT_A_TIME = 2**18  # bytes

_PICKLES = "pickles are never loaded"


def read_npy(stream: BinaryIO, file: str, choose: Choose, _style: Cells) -> ReadValues:
    """Read the chosen columns of one ``.npy`` array."""
    size = stream.seek(0, 2)
    stream.seek(0)
    array = _array(stream, size, file)
    fields = array.dtype.names
    if fields and array.ndim == 1:
        named = {name: array[name] for name in fields}
    elif not fields and array.ndim == 2 and array.shape[1] > 1:
        scores = array[:, 1] if array.shape[1] == 2 else array[:, 1:]
        named = {"label": array[:, 0], **_detectors("score", scores, file)}
    else:
        raise FileError(
            f"{file}: the array must be structured, or plain and 2-d with the label first and the "
            f"scores after it, got shape {array.shape} of {str(array.dtype)[:80]}"
        )
    columns = choose(list(named))
    return columns, _typed({name: named[name] for name in columns.seen}, columns, file)


def read_vector(stream: BinaryIO, file: str) -> NDArray[Any]:
    """Read one column of numbers from an ``.npy`` array of n, or of n by 1."""
    size = stream.seek(0, 2)
    stream.seek(0)
    array = _array(stream, size, file)
    column = array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
    return _numbers(column, f"{file}: the scores")


def read_npz(stream: BinaryIO, file: str, choose: Choose, _style: Cells) -> ReadValues:
    """Read the chosen arrays of an ``.npz`` archive."""
    from zipfile import ZipFile  # noqa: PLC0415 - slow to import

    size = stream.seek(0, 2)
    check_directory(stream, size, file)
    with broken(f"{file}: not an npz archive ({_PICKLES})"):
        archive = ZipFile(stream)
    with archive:
        named = members(archive, size, file)
        columns = choose(list(named))
        check_ratio((named[name] for name in columns.seen), file)
        found = {}
        for name in columns.seen:
            with unless_only_seen(columns.kind(name)):
                found[name] = _member(archive, named[name], file, name)
    scores: dict[str, NDArray[Any]] = {}
    for name in columns.scores:
        spread = _detectors("score" if name == "scores" else name, found.pop(name), file)
        if twice := spread.keys() & (scores.keys() | found.keys()):
            raise FileError(f"{file}: two arrays give a column {min(twice)!r}; rename one")
        scores |= spread
    columns = replace(columns, scores=tuple(scores))
    return columns, _typed(found | scores, columns, file)


def _array(stream: Any, size: int, what: str) -> NDArray[Any]:
    """Read one array of ``size`` bytes in all, once its header proves consistent with them."""
    # Old headers and odd types make NumPy warn; the values are read all the same.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with broken(f"{what}: not an npy array ({_PICKLES})"):
            is_usual, shape, by_columns, dtype = _declared(stream)
        _check_declared(shape, dtype, size - stream.tell(), what)
        with broken(f"{what}: broken npy array"):
            if is_usual and not by_columns and dtype.kind in "biuf":  # its header is read once
                return _filled(stream, np.empty(shape, dtype))
            stream.seek(0)
            array: NDArray[Any] = npy.read_array(
                stream, allow_pickle=False, max_header_size=MAX_HEADER
            )
    return array


def _filled(stream: Any, array: NDArray[Any]) -> NDArray[Any]:
    """Fill an array with the bytes that follow, some at a time."""
    room = array.reshape(-1).view(np.uint8)
    while room.size:
        count = stream.readinto(room[:_AT_A_TIME])
        if not count:
            raise ValueError(f"{room.size} bytes are missing")
        room = room[count:]
    return array


class _Declared(NamedTuple):
    """What the header of an array says."""

    is_usual: bool
    """Whether it is of version 1, as all arrays of plain numbers are that NumPy writes."""
    shape: tuple[int, ...]
    by_columns: bool
    dtype: np.dtype[Any]


def _declared(stream: Any) -> _Declared:
    """Read an array's header."""
    version = npy.read_magic(stream)
    if version == (1, 0):
        header = npy.read_array_header_1_0(stream, max_header_size=MAX_HEADER)
    else:
        # Version 3 differs from 2 only in how field names are spelled, which no size depends on;
        # versions that do not exist are refused when the array itself is read.
        header = npy.read_array_header_2_0(stream, max_header_size=MAX_HEADER)
    return _Declared(version == (1, 0), *header)


def _check_declared(shape: tuple[int, ...], dtype: np.dtype[Any], present: int, what: str) -> None:
    """Refuse objects, and a size that is not that of the bytes present."""
    if dtype.hasobject:
        raise FileError(f"{what}: the array holds Python objects; {_PICKLES}")
    if not all(0 <= length < 2**63 for length in shape):
        raise FileError(f"{what}: the lengths of an array must be from 0 to 2**63 - 1")
    if dtype.itemsize == 0:
        raise FileError(f"{what}: the items of an array must not be empty, got {dtype}")
    if math.prod(shape) * dtype.itemsize != present:
        raise FileError(
            f"{what}: the array must have the size its header declares, shape "
            f"{str(shape)[:80]} of {dtype.itemsize} bytes each, got {present:,} bytes"
        )


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, file: str, name: str) -> NDArray[Any]:
    """Read one array of an archive."""
    what = f"{file}: array {name!r}"
    with broken(f"{what}: broken member"):
        member = archive.open(info)
    with member:
        return _array(member, info.file_size, what)


def _detectors(name: str, scores: NDArray[Any], file: str) -> dict[str, NDArray[Any]]:
    """Name the columns of an n by detectors array; scores of one dimension keep the name."""
    if scores.ndim != 2:
        return {name: scores}
    count = scores.shape[1]
    if not 1 <= count <= MAX_DETECTORS:
        raise FileError(f"{file}: there must be 1 to {MAX_DETECTORS:,} detectors, got {count:,}")
    return {f"{name}_{i}": column for i, column in enumerate(scores.T)}


def _typed(
    found: dict[str, NDArray[Any]], columns: ChosenColumns, file: str
) -> dict[str, NDArray[Any]]:
    """Check each column's shape and type, and give it in native byte order."""
    readers: dict[Kind, Callable[[NDArray[Any], str], NDArray[Any]]]
    readers = {"number": _numbers, "truth": _numbers, "id": _ids, "time": _times, "seen": _times}
    typed = {}
    for name, array in found.items():
        kind = columns.kind(name)
        with unless_only_seen(kind):
            typed[name] = readers[kind](array, f"{file}: column {name!r}")
    return typed


def _native(array: NDArray[Any], what: str, kinds: str, rule: str) -> NDArray[Any]:
    """A 1-d array of the wanted kinds, contiguous and in native byte order."""
    if array.ndim != 1:
        raise FileError(f"{what} must be 1-d, got shape {array.shape}")
    if array.dtype.kind not in kinds:
        raise FileError(f"{what} must be {rule}, got type {str(array.dtype)[:80]}")
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _numbers(array: NDArray[Any], what: str) -> NDArray[Any]:
    """Check a column of labels, scores or a mask."""
    values = _native(array, what, "biuf", "numbers or booleans")
    # NumPy counts on booleans being 0 or 1 in memory; other bytes would give wrong sums.
    if values.dtype.kind == "b" and values.view(np.uint8).max(initial=0) > 1:
        raise FileError(f"{what} must hold booleans stored as 0 or 1, got another byte")
    return values


def _times(array: NDArray[Any], what: str) -> NDArray[Any]:
    """Check a column of times: NumPy's own, text, or numbers since some moment."""
    if array.dtype.kind in "US":
        return _ids(array, what)
    return _native(array, what, "iufM", "times, text or numbers")


def _ids(array: NDArray[Any], what: str) -> NDArray[Any]:
    """Check a column of series ids; text becomes objects of type str, as from every format."""
    values = _native(array, what, "iuUS", "text or whole numbers")
    if values.dtype.kind in "iu":
        return values
    if values.dtype.kind == "S":
        with broken(f"{what} must be UTF-8 text"):
            values = np.char.decode(values, "utf-8")
    # NumPy itself would make broken strings of code points that do not exist.
    codes = values.view(np.uint32)
    if np.any((codes > 0x10FFFF) | (codes >> 11 == 0xD800 >> 11)):
        raise FileError(f"{what} must be valid Unicode text, got a code point that is none")
    return values.astype(object)


FORMATS = {".npy": FileFormat(read_npy), ".npz": FileFormat(read_npz, ARRAYS)}
