"""Finish: parts of a ranking put together, and what they amount to."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import items, share, suggest_keywords, word
from adjudge.errors import InputError, first_few, shown
from adjudge.ranking.comparable import MIN_COVERAGE, UNITS
from adjudge.ranking.finished import ranking_of, write
from adjudge.ranking.leaderboard import Computed
from adjudge.ranking.panels import MOVES
from adjudge.ranking.parts.gathered import Gathered, missing
from adjudge.ranking.parts.schema import CELL, PartRows, arrow, listed
from adjudge.ranking.task import Task

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from adjudge.ranking.comparable import Unit
    from adjudge.ranking.result import Ranking

_LISTED = 1_000_000
"""Rows up to which results are a table; those of more stay in the parts."""
_NAMES = ("series", "detector", "requested", "part", "model", "clock")
_HELD = ("series", "detector", "requested", "key", "error", *CELL, MOVES, "model")


@suggest_keywords("merge_parts")
def merge_parts(*parts: Any) -> Any:
    """Put parts of a ranking together, in any order and any nesting.

    Rows that come again, such as those of a retry, are there once. The order of rows follows from
    what they say: whoever merges the same parts, in whatever order, gets the same table.

    Parameters
    ----------
    *parts : tables, data frames, lists of rows, or paths
        What `rank_part` gives, or a list of these; paths are Parquet files, or folders of these.

    Returns
    -------
    pyarrow.Table
        One part.

    Raises
    ------
    InputError
        If parts are of two tasks or versions, or do not agree on the labels, the length or the
        data set of a series, or on what a row was judged on.
    MissingExtra
        If pyarrow is not installed.

    Examples
    --------
    >>> import adjudge as aj
    >>> task = aj.rank_task("f1", chance=False)
    >>> one, other = (aj.rank_part({name: ([0, 1, 1], {"lof": [0, 1, 0]})}, task) for name in "ab")
    >>> aj.merge_parts(one, aj.merge_parts(other, one)).equals(aj.merge_parts(other, one))
    True
    """
    pa = arrow()
    table = pa.concat_tables(list(PartRows(listed(parts)).batches())).combine_chunks()
    _refuse_conflicts(table)
    order = [(name, "ascending") for name in _NAMES]
    table = table.take(pa.compute.sort_indices(table, order))
    return table.filter(pa.array(_kept(table))).combine_chunks()


def _kept(table: Any) -> Any:
    """Which rows stay: each once, and of a cell with its places and in a sum that in the sum."""
    last = np.ones(len(table), bool)
    pc = arrow().compute
    is_sum = table["model"].is_valid().to_numpy()
    same = np.ones(max(0, len(table) - 1), bool)
    for name in ("series", "detector", "requested"):
        column = table[name].fill_null("")
        same &= pc.equal(column[1:], column[:-1]).to_numpy()
    for name in ("part", "model", "clock"):
        column = table[name]
        column = column.fill_null("\0") if name != "model" else column.fill_null(-1)
        same &= pc.equal(column[1:], column[:-1]).to_numpy() | ~is_sum[1:]
    last[:-1] = ~(same & (is_sum[1:] == is_sum[:-1]))
    return last


def _refuse_conflicts(table: Any) -> None:
    """Refuse what cannot be put together: in one line each."""
    pc = arrow().compute
    tasks = table["task"].unique().to_pylist()
    if len(tasks) > 1:
        raise InputError(
            f"parts must be of one task, got {first_few(tasks, 3)}: other metrics, settings, "
            "clocks or versions"
        )
    cells = table.filter(pc.is_null(table["model"]))
    on_series = ["series"]
    whole = cells.filter(pc.not_equal(cells["truth"], 0))
    _one_of(whole, on_series, "truth", "the labels, mask and length of a series")
    _one_of(whole, on_series, "group", "the data set of a series")
    named = ["series", "detector", "requested"]
    _one_of(cells, named, "key", "what they judged (other scores, labels or options)")
    summed = cells.filter(pc.not_equal(cells["part"], ""))
    _one_of(summed, named, "part", "the sums: a cell may be in one of them")


def _one_of(table: Any, names: list[str], column: str, what: str) -> None:
    pc = arrow().compute
    counts = table.group_by(names).aggregate([(column, "count_distinct")])
    wrong = counts.filter(pc.greater(counts[f"{column}_count_distinct"], 1))
    if len(wrong):
        row = wrong.slice(0, 1).to_pylist()[0]
        place = ", ".join(shown(row[name]) for name in names)
        raise InputError(f"parts must agree on {what}, got two for {place}")


@suggest_keywords("rank_finish")
def rank_finish(
    parts: Any,
    task: Task,
    *,
    series: Iterable[str] | None = None,
    min_coverage: float = MIN_COVERAGE,
    unit: Unit = "auto",
    out: str | os.PathLike[str] | None = None,
) -> Ranking:
    """Rank detectors by parts that were judged anywhere.

    Parameters
    ----------
    parts : table, data frame, list of rows, path, or a list of these
        What `rank_part` or `merge_parts` gives; paths are Parquet files, or folders of these.
    task : Task
        What was asked of each part.
    series : names, optional
        The series that must be there. Else nobody notices one that was lost.
    min_coverage, unit
        As in `rank`.
    out : path, optional
        A folder for the tables, of up to a million rows.

    Returns
    -------
    Ranking
        That of `rank` on all series, without pooled values and transferred thresholds, which need
        all scores of a detector at once: they are None. The rows of more than a million cells stay
        in the parts.

    Raises
    ------
    InputError
        If parts are of another task, do not agree with each other, or series are missing.
    MissingExtra
        If pyarrow is not installed.

    Examples
    --------
    >>> import adjudge as aj
    >>> task = aj.rank_task("f1", chance=False)
    >>> part = aj.rank_part({"a": ([0, 1, 1], {"lof": [0, 1, 0], "mine": [0, 1, 1]})}, task)
    >>> aj.rank_finish(part, task).leaderboard[0]["detector"]
    'mine'
    """
    if not isinstance(task, Task):
        raise InputError(f"task must be what aj.rank_task gives, got {shown(task)}")
    coverage = share(min_coverage, "min_coverage", zero=True)
    word(unit, "unit", UNITS)
    source = PartRows(listed((parts,)))
    gathered = Gathered(source, task)
    found = gathered.found
    lost = [] if series is None else missing(found, items(series, "series", "names"))
    if lost:
        raise InputError(
            f"parts must have every series, got none of {first_few(lost, 3)} ({len(lost):,} in all)"
        )
    verdicts = gathered.verdicts().judged() if task.chance else {}
    rows = _Rows(source)
    if out is not None and rows.count > _LISTED:
        raise InputError(
            f"out must be left out above {_LISTED:,} rows, got {rows.count:,}: they stay in the "
            "parts, and tables of the ranking are written by its own methods"
        )
    ranking = ranking_of(
        found, rows.of, Computed({}, verdicts), task.settings | {"data": found.data},
        min_coverage=coverage, unit=unit, path=out,
    )  # fmt: skip
    return write(ranking, task.settings | {"data": found.data})


class _Rows:
    """The rows of each series, read from the parts when somebody asks for them."""

    def __init__(self, source: PartRows) -> None:
        self._source = source
        self._table: Any = None
        self._starts: dict[str, tuple[int, int]] = {}

    @property
    def count(self) -> int:
        """How many rows the parts have."""
        return sum(len(batch) for batch in self._source.batches(("series",)))

    def of(self, series: str) -> list[dict[str, Any]]:
        """The rows of a series."""
        if self._table is None:
            self._read()
        start, stop = self._starts[series]
        return [_as_stored(row) for row in self._table.slice(start, stop - start).to_pylist()]

    def _read(self) -> None:
        if self.count > _LISTED:
            raise InputError(
                f"results must be read from the parts above {_LISTED:,} rows, got {self.count:,}: "
                "every cell is a row there"
            )
        pc, table = arrow().compute, arrow().concat_tables(list(self._source.batches(_HELD)))
        table = table.filter(pc.is_null(table["model"])).combine_chunks()
        order = [(name, "ascending") for name in ("series", "detector", "requested")]
        table = table.take(pc.sort_indices(table, order))
        names = [table[name].to_numpy() for name in ("series", "detector", "requested")]
        same = np.logical_and.reduce([one[1:] == one[:-1] for one in names])
        table = table.filter(arrow().array(np.append(True, ~same)))
        told = np.flatnonzero(_is_told(table))
        self._table = table.take(arrow().array(told)).combine_chunks()
        series, starts = np.unique(self._table["series"].to_numpy(), return_index=True)
        stops = [*starts[1:].tolist(), len(told)]
        self._starts = dict.fromkeys(table["series"].unique().to_pylist(), (0, 0))
        self._starts |= dict(zip(series, zip(starts.tolist(), stops, strict=True), strict=True))


def _is_told(table: Any) -> Any:
    """Which rows the results have: cells, and series that failed."""
    return (table["requested"].to_numpy() != "") | (table["detector"].to_numpy() == "")


def _as_stored(row: dict[str, Any]) -> dict[str, Any]:
    """A row as a ranking holds it: infinities are text, and what a failure lacks is not there."""
    del row["series"], row["key"], row["model"]
    if row["error"]:
        kept = ("detector", "requested", "metric", "error")
        return {name: row[name] or "" for name in kept}
    del row["error"]
    if row[MOVES] is None:
        del row[MOVES]
    return {name: _as_text(value) for name, value in row.items()}


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, float) and math.isinf(value) else value
