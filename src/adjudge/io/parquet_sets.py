"""Parquet sets: long tables in one file or many, read by row group, some series at a time.

Which series lie in which row groups is known from the column of ids alone. Series are cut into
chunks that fit into a budget of memory; those of a chunk are read one row group after the other,
and rows of others are dropped at once. A series may lie in several files: then a column that is
known as time says the order. In a set that is not sorted by series a row group is read again for
each chunk that has a series there; how often, on average, is known before anything is judged.

Files lie on this machine or at an address that fsspec knows (``s3://bucket/set``). Folders called
``column=value``, as Hive makes them, are columns.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from adjudge.errors import FileError, InputError, MissingExtra, visible
from adjudge.io.column_choice import COLUMNS, Cells, ChosenColumns, RequestedColumns, choose
from adjudge.io.formats import ReadColumns
from adjudge.io.formats.arrow_files import arrow_of, column_arrays
from adjudge.io.text_files import broken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MEMORY = 8 << 20
"""Bytes that the columns of a chunk may take; what is made of them takes a few times as much."""
_TOLD, _REFUSED = 4.0, 20.0
"""How often rows may be read on average before it is said how to sort them, and at all."""
_AT_ONCE = 65_536
"""Rows that are decoded at a time."""
_CELL = 8
"""Bytes of a number."""


def is_address(text: str) -> bool:
    """Tell an address from a path of this machine.

    >>> is_address("s3://bucket/set"), is_address("C:/set"), is_address("set")
    (True, False, False)
    """
    return "://" in text


class Place(NamedTuple):
    """A row group of a file."""

    file: int
    group: int


@dataclass(frozen=True)
class ParquetChunk:
    """Some series of a set, and the row groups in which they lie."""

    files: tuple[str, ...]
    places: tuple[Place, ...]
    """By the number of the file among these."""
    names: tuple[str, ...]
    """The series."""
    series: str
    """The column of their ids."""
    scattered: bool
    """Whether a series lies in several files."""
    stamps: tuple[tuple[int, int], ...] = ()
    """What changes with each file, where that is known."""

    @property
    def title(self) -> str:
        """How messages call it."""
        more = f" and {len(self.files) - 1:,} more" if self.files[1:] else ""
        return f"{visible(self.files[0])}{more}"


class ParquetSet(NamedTuple):
    """Files that are one long table, cut into chunks of series."""

    chunks: list[ParquetChunk]
    reread: float
    """How often each row is read, on average."""

    def said(self, series: str) -> str:
        """What to tell the caller before the work; "" where rows are hardly read again.

        Raises
        ------
        InputError
            If that would take most of the time.
        """
        if self.reread <= _TOLD:
            return ""
        first = self.chunks[0].files[0]
        sort = (
            f"each row is read {self.reread:.0f} times, since row groups have rows of many series; "
            f"sort once: duckdb -c \"COPY (FROM '{visible(first)}' ORDER BY {series}, time) TO "
            "'sorted.parquet'\""
        )
        if self.reread > _REFUSED:
            raise InputError(f"data must be sorted by series, or memory be more: {sort}")
        return sort


def files_at(address: str) -> list[str]:
    """The Parquet files at an address, or the one that it is.

    Raises
    ------
    FileError
        If there is none.
    """
    system, path = _system(address)
    try:
        found = [path] if system.isfile(path) else system.find(path)
    except (OSError, ImportError, ValueError) as error:
        raise FileError(f"{visible(address)}: cannot be listed: {error}") from error
    files = sorted(one for one in found if one.endswith(".parquet"))
    if not files:
        raise FileError(f"{visible(address)}: there must be a Parquet file, got none")
    return [system.unstrip_protocol(one) for one in files]


def _system(address: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - only who has an address needs it
    except ImportError:
        raise MissingExtra("an address", "fsspec") from None
    try:
        system, path = url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise FileError(f"{visible(address)}: no such address can be read: {error}") from error
    return system, path


def _opened(file: str) -> Any:
    """Open a Parquet file, wherever it lies."""
    arrow_of("reading Parquet")
    import pyarrow.parquet as pq  # noqa: PLC0415 - optional, and slow to import

    with broken(f"{visible(file)}: broken Parquet file"):
        if not is_address(file):
            return pq.ParquetFile(file)
        system, path = _system(file)
        return pq.ParquetFile(system.open(path, "rb"))


def hive_columns(file: str) -> dict[str, str]:
    """What the folders of a file say.

    >>> hive_columns("/sets/dataset=NAB/day=2%2F3/part-0.parquet")
    {'dataset': 'NAB', 'day': '2/3'}
    """
    folders = [one for one in file.split("/")[:-1] if "=" in one]
    return {one.partition("=")[0]: unquote(one.partition("=")[2]) for one in folders}


def parquet_set(
    files: Sequence[str], series: str, requested: RequestedColumns, memory: int = MEMORY
) -> ParquetSet:
    """Find out who lies where, and cut the series into chunks.

    Parameters
    ----------
    files : sequence of str
        Paths or addresses.
    series : str
        The column of ids.
    requested : RequestedColumns
        Which columns are read.
    memory : int
        Bytes that the columns of a chunk may take.
    """
    lie: dict[str, dict[Place, int]] = defaultdict(dict)
    for number, file in enumerate(files):
        with _opened(file) as parquet:
            names = [*parquet.schema_arrow.names, *hive_columns(file)]
            columns = _chosen(requested, names, visible(file))
            for group in range(parquet.metadata.num_row_groups):
                for name, rows in _counts(parquet, group, series, file):
                    lie[name][Place(number, group)] = rows
    if not lie:
        raise FileError(f"{visible(files[0])}: there must be at least one row, got none")
    return _cut(files, lie, series, memory // (_CELL * len(columns.seen)))


def _chosen(requested: RequestedColumns, names: Sequence[str], file: str) -> ChosenColumns:
    return choose(replace(requested, file=file, rule=COLUMNS), names)


def _counts(parquet: Any, group: int, series: str, file: str) -> Iterator[tuple[str, int]]:
    """Each series of a row group, and how many rows it has there."""
    hive = hive_columns(file)
    if series in hive:
        yield hive[series], parquet.metadata.row_group(group).num_rows
        return
    with broken(f"{visible(file)}: column {series!r}: broken data"):
        found = _text(parquet.read_row_group(group, columns=[series])[series]).value_counts()
    for one in found:
        if one["values"].as_py() is None:
            raise FileError(
                f"{visible(file)}: column {series!r} must have no missing values, got "
                f"{one['counts'].as_py():,} in row group {group}"
            )
        yield one["values"].as_py(), one["counts"].as_py()


def _text(column: Any) -> Any:
    """Ids as text, whole numbers and categories too."""
    return column.cast("string").combine_chunks()


def _cut(
    files: Sequence[str], lie: dict[str, dict[Place, int]], series: str, budget: int
) -> ParquetSet:
    """Cut series into chunks, those that lie together one after the other."""
    sizes: dict[Place, int] = defaultdict(int)
    for places in lie.values():
        for place, rows in places.items():
            sizes[place] += rows
    chunks, names, held = [], list[str](), 0
    for name in sorted(lie, key=lambda one: (sorted(lie[one]), one)):
        rows = sum(lie[name].values())
        if names and held + rows > budget:
            chunks.append(_chunk(files, lie, names, series))
            names, held = [], 0
        names.append(name)
        held += rows
    chunks.append(_chunk(files, lie, names, series))
    read = sum(sizes[place] for names in _names_of(chunks) for place in _places(lie, names))
    return ParquetSet(chunks, read / sum(sizes.values()))


def _names_of(chunks: Iterable[ParquetChunk]) -> Iterator[tuple[str, ...]]:
    return (chunk.names for chunk in chunks)


def _places(lie: dict[str, dict[Place, int]], names: Iterable[str]) -> list[Place]:
    return sorted({place for name in names for place in lie[name]})


def _chunk(
    files: Sequence[str], lie: dict[str, dict[Place, int]], names: list[str], series: str
) -> ParquetChunk:
    places = _places(lie, names)
    used = sorted({place.file for place in places})
    own = tuple(Place(used.index(place.file), place.group) for place in places)
    scattered = any(len({place.file for place in lie[name]}) > 1 for name in names)
    paths = tuple(files[number] for number in used)
    return ParquetChunk(paths, own, tuple(sorted(names)), series, scattered, _stamps(paths))


def _stamps(files: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """What changes with a file of this machine."""
    found = (Path(one).stat() for one in files if not is_address(one))
    return tuple((one.st_mtime_ns, one.st_size) for one in found)


def read_chunk(chunk: ParquetChunk, requested: RequestedColumns, style: Cells) -> ReadColumns:
    """Read the needed columns of the series of a chunk.

    Parameters
    ----------
    chunk : ParquetChunk
        The series.
    requested, style : RequestedColumns, Cells
        As `adjudge.io.formats.read_part` takes them.

    Raises
    ------
    FileError
        If a file has changed meanwhile, or no time says the order of a series in several files.
    """
    if _stamps(chunk.files) != chunk.stamps:
        raise FileError(f"{chunk.title}: must stay as it is while it is read; start again")
    pa, file = arrow_of("reading Parquet"), chunk.title
    groups = [[one.group for one in chunk.places if one.file == number]
              for number in range(len(chunk.files))]  # fmt: skip
    with _opened(chunk.files[0]) as parquet:
        names = [*parquet.schema_arrow.names, *hive_columns(chunk.files[0])]
    columns = _chosen(requested, names, file)
    if chunk.scattered and columns.known_time is None:
        raise FileError(
            f"{file}: a series in several files must have a column known as time "
            f"({', '.join(COLUMNS.times)}), which says the order of its rows, got none"
        )
    wanted = pa.array(chunk.names)
    tables = [
        _rows_of(one, own, columns, chunk.series, wanted)
        for one, own in zip(chunk.files, groups, strict=True)
    ]
    with broken(f"{file}: columns of different types"):
        table = pa.concat_tables(tables, promote_options="permissive").combine_chunks()
    arrays = column_arrays(table.schema, table.column, columns, file, style)
    return ReadColumns(file, Path(chunk.files[0]).name, columns, arrays, len(table))


def _rows_of(file: str, groups: list[int], columns: ChosenColumns, series: str, wanted: Any) -> Any:
    """The rows of some series in a file; ids and what folders say as text."""
    pa = arrow_of("reading Parquet")
    hive, kept = hive_columns(file), []
    stored = [name for name in columns.seen if name not in hive]
    with _opened(file) as parquet, broken(f"{visible(file)}: broken data"):
        for batch in parquet.iter_batches(_AT_ONCE, groups, stored, use_threads=False):
            table = pa.table(batch)
            for name in (one for one in columns.seen if one in hive):
                table = table.append_column(name, pa.array([hive[name]] * len(table), "string"))
            place = table.schema.get_field_index(series)
            table = table.set_column(place, series, _text(table[series]))
            table = table.filter(pa.compute.is_in(table[series], value_set=wanted))
            if len(table):
                kept.append(table)
    return pa.concat_tables(kept, promote_options="permissive")
