"""Chunks of a Parquet set: what a worker of any engine takes, reads and judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from adjudge.checks import suggest_keywords, whole
from adjudge.errors import InputError, shown
from adjudge.io.parquet_sets import MEMORY
from adjudge.ranking.sources import Folder, FolderColumns, ReadOptions, Unit, units_in, units_of

if TYPE_CHECKING:
    from adjudge.io.parquet_sets import ParquetChunk


class SeriesChunk(NamedTuple):
    """Some series of a Parquet set, and how they are read."""

    chunk: ParquetChunk
    reading: ReadOptions

    @property
    def series(self) -> tuple[str, ...]:
        """Their names."""
        return self.chunk.names

    def units(self) -> list[Unit]:
        """The series, to be judged one by one."""
        return units_in(self.chunk, self.reading)


@suggest_keywords("rank_chunks", passes_on=FolderColumns)
def rank_chunks(
    data: Any, *, memory: int = MEMORY, **columns: Unpack[FolderColumns]
) -> list[SeriesChunk]:
    """Cut a Parquet set into chunks of whole series, each for one call of `rank_part`.

    Parameters
    ----------
    data : path, address, or several
        Parquet files or folders of these, on this machine or at an address that fsspec knows.
    memory : int
        Bytes that the columns of a chunk may take; a worker takes a few times as much.
    **columns
        How data are read: what `adjudge.Folder` takes, ``series=`` among it.

    Returns
    -------
    list of SeriesChunk
        Small, and can be pickled; workers read the files themselves.

    Raises
    ------
    InputError
        If the data are no Parquet set, or are so little sorted that each row would be read more
        than 20 times.

    Examples
    --------
    >>> import adjudge as aj, pandas as pd, tempfile
    >>> table = pd.DataFrame({"id": ["a", "b"] * 4, "label": [0, 0, 1, 1] * 2,
    ...                       "score_lof": [0.1, 0.2, 0.9, 0.4] * 2})
    >>> task = aj.rank_task("ap", chance=False)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table.to_parquet(f"{folder}/all.parquet")
    ...     chunks = aj.rank_chunks(folder, series="id")
    ...     parts = [aj.rank_part(chunk, task) for chunk in chunks]
    >>> len(chunks), aj.rank_finish(parts, task).series
    (1, ['a', 'b'])
    """
    source = Folder.of(data, columns)
    memory = whole(memory, "memory", 1)
    reading = source.reading(remote=False, memory=memory)
    units = units_of(source.data, reading).units
    found = {unit.chunk: unit.reading for unit in units if unit.chunk is not None}
    if len(found) == 0 or any(unit.chunk is None for unit in units):
        raise InputError(
            f"data must be Parquet files of one long table, with series= as the column of ids, "
            f"got {shown(source.data)}"
        )
    return [SeriesChunk(chunk, own) for chunk, own in found.items() if own is not None]
