"""Stored values: a leaderboard from the values that somebody published, without any scores.

Ranks, tests and intervals need one value per series, detector and metric. What needs the scores
themselves is not there: whether a detector beats chance, pooled values, thresholds from elsewhere.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.checks import share, suggest_keywords, word
from adjudge.data.columns import frame_columns
from adjudge.errors import AdjudgeError, FileError, InputError, UnknownName, shown
from adjudge.io.column_choice import COLUMNS, Cells, RequestedColumns
from adjudge.io.formats import read_part
from adjudge.metrics.reader import metric as read_metric
from adjudge.ranking.collected import RESOURCES, SEED, Collected
from adjudge.ranking.comparable import MIN_COVERAGE, UNITS, Unit
from adjudge.ranking.finished import ranking_of, write
from adjudge.ranking.leaderboard import Computed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge.metrics.metric import Row
    from adjudge.ranking.result import Ranking

NEEDED = ("series", "detector", "value")
_UNNAMED = "value"
"""What a metric is called that has no name."""
_WIDE = (
    "; a table with a column per detector becomes one with a row per value by "
    "frame.melt('series', var_name='detector') in pandas"
)


_NAMES = ("series", "detector")
_TEXTS = (*_NAMES, "metric", "group")


class Stored(NamedTuple):
    """One value."""

    series: str
    detector: str
    metric: str
    value: float
    group: str


@suggest_keywords("rank_values")
def rank_values(
    data: Any,
    *,
    better: Literal["higher", "lower"] | None = None,
    min_coverage: float = MIN_COVERAGE,
    unit: Unit = "auto",
    out: str | os.PathLike[str] | None = None,
) -> Ranking:
    """Rank detectors by values already computed.

    Parameters
    ----------
    data : data frame, mapping of columns or path
        A row per value: ``series``, ``detector``, ``value``, and where there are several a
        ``metric``; optionally the data set of each series, ``group`` (default: what stands before
        the last ``/`` of its name), and what the detector took there, ``runtime`` and ``memory``,
        whose means are carried along. A row whose value is NaN or empty was judged and is
        undefined; a row that is not there is missing. Values of a metric that the catalogue knows
        may be in percent.
    better : {"higher", "lower"}, optional
        Which values are better. Default: what the catalogue says of the metric; higher, if it does
        not know it.
    min_coverage : float
        The share of the series that a detector needs to be ranked; see `rank`.
    unit : {"auto", "dataset", "series"}
        What intervals and tests of means rest on; see `rank`.
    out : path, optional
        A folder for the tables.

    Returns
    -------
    Ranking
        Leaderboard, ranks, tests, wins, agreement of the metrics.

    Raises
    ------
    InputError
        If a column is not there, a value is no number, or none that the metric of this name can
        have, or two rows have the same names.

    Examples
    --------
    >>> values = {"series": ["a", "a", "b", "b"], "detector": ["lof", "mine", "lof", "mine"],
    ...           "metric": ["vus_pr"] * 4, "value": [0.25, 0.5, 0.75, 1.0]}
    >>> rank_values(values).leaderboard[0]["mean"]
    0.75
    """
    if isinstance(data, (str, os.PathLike)):
        data = read_values(data)
    rows = _read(data)
    coverage = share(min_coverage, "min_coverage", zero=True)
    if better is not None:
        word(better, "better", ("higher", "lower"))
    word(unit, "unit", UNITS)
    metrics = dict.fromkeys(row.metric for row in rows)
    names = sorted({row.series for row in rows})
    rows_of = {spec: _row(spec) for spec in metrics}
    found = Collected(
        names,
        {spec: better or (row.better if row else "higher") for spec, row in rows_of.items()},
        spans={spec: _span(spec, row, rows) for spec, row in rows_of.items() if row},
    )
    by_series: dict[str, list[dict[str, Any]]] = defaultdict(list)
    groups = {row.series: row.group for row in rows}
    for row in rows:
        by_series[row.series].append(_result(row))
    for place, name in enumerate(names):
        found.add(place, by_series[name])
        found.groups[place] = groups[name]
    ranking = ranking_of(
        found, by_series.__getitem__, Computed({}, {}, _taken(frame_columns(data) or {})), {},
        min_coverage=coverage, unit=unit, path=out,
    )  # fmt: skip
    return write(ranking, {"values": True})


def _read(data: Any) -> list[Stored]:
    columns = frame_columns(data)
    if columns is None:
        raise InputError(f"data must be a data frame or a mapping of columns, got {shown(data)}")
    for name in NEEDED:
        if name not in columns:
            got = ", ".join(map(str, columns))
            raise InputError(f"data must have a column {name!r}, got {got}"[:300] + _WIDE)
    texts = {name: _texts(columns[name], name) for name in _TEXTS if name in columns}
    values = _numbers(columns["value"], "value")
    _check_lengths({**texts, "value": values})
    metrics = texts.get("metric", [_UNNAMED] * len(values))
    groups = texts.get("group", [name.rpartition("/")[0] for name in texts["series"]])
    if not values:
        raise InputError("data must hold at least one value, got none")
    lists = texts["series"], texts["detector"], metrics, values, groups
    rows = [Stored(*row) for row in zip(*lists, strict=True)]
    _refuse_repeats(rows)
    return rows


def _texts(given: Any, name: str) -> list[str]:
    """Names as text; a series need not have a data set, all others must be there."""
    cells = np.asarray(given, object).ravel().tolist()
    texts = ["" if one is None or one != one else str(one) for one in cells]  # noqa: PLR0124 - NaN
    if name != "group" and "" in texts:
        raise InputError(f"{name} must not be empty, got '' at row {texts.index('')}")
    return texts


def _check_lengths(columns: Mapping[str, list[Any]]) -> None:
    lengths = {name: len(cells) for name, cells in columns.items()}
    if len(set(lengths.values())) > 1:
        got = ", ".join(f"{length} of {name}" for name, length in lengths.items())
        raise InputError(f"data must have columns of one length, got {got}")


def _numbers(given: Any, name: str) -> list[float]:
    return [_number(one, name, row) for row, one in enumerate(np.asarray(given).tolist())]


def _number(value: Any, name: str, row: int) -> float:
    if value is None or value == "":
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a number, got {shown(value)} at row {row}") from None


def read_resources(data: Any) -> dict[str, dict[str, float]]:
    """What detectors took: the mean of ``runtime`` and of ``memory`` by detector.

    Parameters
    ----------
    data : path, data frame or mapping of columns
        A row per detector, or per series and detector.

    Raises
    ------
    InputError
        If there is no column ``detector``, or neither of the two others; of a file `FileError`.

    Examples
    --------
    >>> read_resources({"detector": ["lof", "lof", "mine"], "runtime": [1.0, 2.0, 0.5]})
    {'lof': {'runtime': 1.5}, 'mine': {'runtime': 0.5}}
    """
    rule = "resources must have a column 'detector', and 'runtime' or 'memory'"
    if isinstance(data, (str, os.PathLike)):
        columns = _columns_of(data, ("detector",), (), RESOURCES, Cells(gaps=True))
        if columns is None or not columns.keys() & set(RESOURCES):
            raise FileError(f"{data}: {rule}")
        return _taken(columns)
    columns = frame_columns(data)
    if not columns or "detector" not in columns or not any(name in columns for name in RESOURCES):
        got = ", ".join(map(str, columns)) if columns else shown(data)
        raise InputError(f"{rule}, got {got}"[:300])
    return _taken(columns)


def _taken(columns: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """The mean of each column of `RESOURCES` by detector; runs of one detector are one."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    names = [str(one) for one in np.asarray(columns["detector"]).tolist()]
    runs = [match[1] if (match := SEED.fullmatch(name)) else name for name in names]
    for what in (one for one in RESOURCES if one in columns):
        own: dict[str, list[float]] = defaultdict(list)
        for name, value in zip(runs, _numbers(columns[what], what), strict=True):
            own[name] += [] if math.isnan(value) else [value]
        for name, values in own.items():
            found[name] |= {what: float(np.mean(values))} if values else {}
    return dict(found)


def _refuse_repeats(rows: list[Stored]) -> None:
    seen: dict[tuple[str, str, str], int] = {}
    groups: dict[str, str] = {}
    for place, row in enumerate(rows):
        before = seen.setdefault((row.series, row.detector, row.metric), place)
        if before != place:
            raise InputError(
                f"data must have one value per series, detector and metric, got two of "
                f"{shown(row.detector)} on {shown(row.series)} by {shown(row.metric)} at rows "
                f"{before} and {place}; runs of one detector are called {row.detector}#1, "
                f"{row.detector}#2"
            )
        if groups.setdefault(row.series, row.group) != row.group:
            raise InputError(
                f"group must be the same for all rows of a series, got {shown(row.group)} and "
                f"{shown(groups[row.series])} of {shown(row.series)} at row {place}"
            )


def _row(spec: str) -> Row | None:
    """What the catalogue knows, also of a name that is spelt another way, such as VUS-PR."""
    try:
        return read_metric(spec.lower().replace("-", "_").replace(" ", "_")).row
    except AdjudgeError:
        return None


_ROUNDING = 1e-6
"""By how much a value may lie beyond the bounds of its metric."""


def _span(spec: str, row: Row, rows: list[Stored]) -> tuple[float, float]:
    """The bounds of a metric's values: those of the catalogue, or from 0 to 100 in percent."""
    own = {
        place: one.value
        for place, one in enumerate(rows)
        if one.metric == spec and not math.isnan(one.value)
    }
    least, most = row.range
    if row.range == (0, 1) and sum(value > 1 for value in own.values()) * 2 > len(own):
        most = 100
    for place, value in own.items():
        if not least - _ROUNDING <= value <= most + _ROUNDING:
            raise InputError(
                f"value must lie between {least:g} and {most:g}, as {row.name} does, got "
                f"{value:g} at row {place}; if this is not adjudge's {row.name}, give it "
                "another name"
            )
    return min([least, *own.values()]), max([most, *own.values()])


def _result(row: Stored) -> dict[str, Any]:
    value = None if math.isnan(row.value) else row.value
    return {"detector": row.detector, "requested": row.metric, "metric": row.metric, "value": value}


def read_values(
    path: str | os.PathLike[str],
    *,
    sep: str | None = None,
    decimal: str = ".",
    rows: int | None = None,
) -> dict[str, Any]:
    """Read the columns ``series``, ``detector``, ``value`` and, if there, ``metric`` and ``group``.

    Parameters
    ----------
    path
        A table in any format that is known.
    sep, decimal
        How the cells of a text are separated, and its decimal mark.
    rows
        How many there may be; a table with more is refused before all of it is read.

    Raises
    ------
    FileError
        If one of the first three is not there, or a value is no number. An empty cell is NaN.

    Returns
    -------
    dict
        The columns by name, with ``runtime`` and ``memory`` if they are there.
    """
    style = Cells(sep, decimal, gaps=True, rows=rows)
    found = _columns_of(path, _NAMES, ("metric", "group"), ("value", *RESOURCES), style)
    if found is None or "value" not in found:
        raise FileError(
            f"{path}: a table of values must have the columns series, detector and value, with a "
            f"row per value; metric and group where there are several{_WIDE}"
        )
    return found


def read_selection(path: str | os.PathLike[str], *, sep: str | None = None) -> dict[str, str]:
    """Read which detector a selector chose for each series: columns ``series`` and ``detector``.

    Parameters
    ----------
    path, sep
        A table in any format that is known, and how the cells of a text are separated.

    Raises
    ------
    FileError
        If a column is not there, or a series has two choices.
    """
    found = _columns_of(path, ("series", "detector"), (), (), Cells(sep, ".", gaps=True))
    if found is None:
        raise FileError(
            f"{path}: the choices of a selector must have the columns series and detector, with a "
            "row per series"
        )
    chosen: dict[str, str] = {}
    for series, detector in zip(*(map(str, found[k]) for k in ("series", "detector")), strict=True):
        if chosen.setdefault(series, detector) != detector:
            raise FileError(
                f"{path}: a selector must choose one detector for each series, got "
                f"{shown(chosen[series])} and {shown(detector)} for {shown(series)}"
            )
    return chosen


def _columns_of(
    path: str | os.PathLike[str],
    names: tuple[str, ...],
    more_names: tuple[str, ...],
    numbers: tuple[str, ...],
    style: Cells,
) -> dict[str, Any] | None:
    """Read columns of text and of numbers, those that are there; None without the first names."""
    requested = RequestedColumns(
        "", COLUMNS, None, numbers, names, more_names, labelled=False, scored=False
    )
    try:
        found = read_part(str(path), requested, style)
    except UnknownName:
        return None
    return {name: found.arrays[name] for name in (*found.columns.keys, *found.columns.scores)}
