"""Read incidents and alerts: tables of starts and ends, or of single moments.

A table has the columns ``start`` and ``end`` (or ``stop``), or one column of moments called
``timestamp``, ``time`` or ``date``; further ones (id, service, kind, severity, score ...) are taken
by their usual names. Nothing is merged, and no grid is laid: see `adjudge.data.incidents`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from adjudge.data.incidents import NAMES, Alerts, Incidents, TimedRows
from adjudge.errors import FileError, InputError, UnknownName
from adjudge.io.exports import Exported, read_export
from adjudge.io.labels_and_scores import LabelledScores
from adjudge.io.positions import NAMES as POSITIONS
from adjudge.io.positions import alert_files, on_grid
from adjudge.io.records import Records, read_records

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


class TimeWords(NamedTuple):
    """How times are written."""

    unit: str | None = None
    time_format: str | None = None
    tz: str | None = None
    ambiguous: Any = None


class GivenTables(NamedTuple):
    """The files of an on-call team, and what was said about them."""

    truth: str
    alerts: Sequence[str]
    span: tuple[str, str]
    watched: str | None = None
    outages: str | None = None
    truth_columns: Mapping[str, str] | None = None
    alerts_columns: Mapping[str, str] | None = None
    service: str | None = None
    """The column of the service in all of them."""
    sep: str | None = None
    every: str | None = None
    """The step of a grid, which moments are placed on."""


def read_incidents(given: GivenTables, times: TimeWords) -> LabelledScores:
    """Read what happened and what was alarmed.

    Parameters
    ----------
    given
        The files: of incidents, and of alerts, each of them one detector.
    times
        How times are written.

    Returns
    -------
    LabelledScores
        ``labels`` are `Incidents` and the ``scores`` of each detector `Alerts`; ``watching`` is
        what `adjudge.evaluate` needs to know of the time that was watched. Where the truth is
        moments without an end, both are `adjudge.Changes` on a grid of time.
    """
    span = _span(given.span, times)
    reader = _Reader(given, times, int(span.start[-1]), moments=True)
    incidents = reader.read(given.truth, Incidents, given.truth_columns)
    are_moments = isinstance(incidents, Alerts)
    alerts = {
        name: reader.read(path, Alerts, given.alerts_columns)
        for name, path in alert_files(given.alerts).items()
    }
    if are_moments:
        return on_grid(Path(given.truth).name, incidents, alerts, span, given.every)
    watching = {"span": span}
    for name in ("watched", "outages"):
        path = getattr(given, name)
        if path is not None:
            watching[name] = reader.read(path, TimedRows, None)
    if reader.outages:
        told = [watching["outages"]] if "outages" in watching else []
        watching["outages"] = joined([*told, *reader.outages])
    if times.unit is not None and not reader.counted:
        raise InputError(f"unit must be left out, since no time is a number, got {times.unit!r}")
    name = Path(given.truth).name
    summary = "; ".join(reader.summaries)
    return LabelledScores(incidents, alerts, None, None, name, summary=summary, watching=watching)


def read_truth(
    path: str,
    named: Mapping[str, str] | None,
    times: TimeWords,
    sep: str | None = None,
    *,
    is_in_points: bool = False,
    services: bool = False,
) -> tuple[Incidents, str]:
    """Read events alone, and say how: starts and ends in time, or in points.

    Parameters
    ----------
    path, named : str, mapping
        The file, and its columns where they are not called as usual.
    times, sep : TimeWords, str
        How times, and cells, are written.
    is_in_points : bool
        Whether starts and ends are points, which are whole numbers.
    services : bool
        Whether each is of its service alone.
    """
    reader = _Reader(GivenTables(path, (), ("", ""), sep=sep), times, 0, is_in_points=is_in_points)
    found = reader.read(path, Incidents, named)
    found = found if services else found.without_services()
    events = len(np.unique(found.numbers))
    kinds = 0 if found.kind is None else len(set(found.kind))
    of = f" of {kinds} kind{'s' * (kinds != 1)}" if kinds else ""
    return found, f"{events:,} event{'s' * (events != 1)}{of} in {Path(path).name}"


class _Reader:
    """Reads tables of timed rows, and notes how."""

    def __init__(
        self,
        given: GivenTables,
        times: TimeWords,
        last: int,
        *,
        is_in_points: bool = False,
        moments: bool = False,
    ) -> None:
        self.given, self.times, self.last, self.is_in_points = given, times, last, is_in_points
        self.moments = moments
        """Whether the truth may be moments."""
        self.summaries: list[str] = []
        self.outages: list[TimedRows] = []
        """Time without data that an export told of."""
        self.counted = False
        """Whether a time was a number."""

    def read(self, path: str, kind: type[Any], named: Mapping[str, str] | None) -> Any:
        """Read one file as rows of a kind."""
        records = read_records(path, self.given.sep)
        known = None if self.given.service else read_export(records, named)
        if known is not None:
            return self._exported(*known, records, kind)
        if kind is Alerts and _is_empty(records):
            self.summaries.append(f"no alerts in {records.name}")
            return Alerts([])
        if self.moments and kind is Incidents and _are_moments(records.columns, named):
            kind = cast("type[Any]", Alerts)
        columns = _by_role(
            records.columns, records.file, kind, named, self.given.service, moments=self.moments
        )
        given = {role: values for role, (_, values) in columns.items()}
        self.counted |= any(map(_is_number, given["start"][:1]))
        if self.is_in_points:
            for role in ("start", "end"):
                rule = f"{records.file}: {columns[role][0]} must be a point, a whole number"
                fix = "; --time COL says when each point of the scores was"
                given[role] = _read_cells(given[role], int, rule, fix)
        if "score" in given:
            rule = f"{records.file}: {columns['score'][0]} must be a number"
            given["score"] = _read_cells(
                given["score"], lambda cell: float(cell.replace(",", ".")), rule
            )
        try:
            rows = kind(**given, **self.times._asdict())
        except InputError as error:
            raise FileError(f"{records.file}: {error}") from error
        taken = ", ".join(name for name, _ in columns.values())
        self.summaries.append(_summary(rows, f"{records.name} ({taken})"))
        return rows

    def _exported(self, name: str, found: Exported, records: Records, kind: type[Any]) -> Any:
        """The things of an export, announced as such."""
        zone = self.times.tz or ("UTC" if found.unit else None)
        how: dict[str, Any] = {"unit": found.unit, "tz": zone}
        self.counted |= found.unit is not None
        if found.stretches and kind is not TimedRows:
            raise FileError(
                f"{records.file}: {name}: {found.fields} are neither incidents nor alerts; give "
                "the file as --watched, or scores as the FILE beside --truth (of Prometheus, "
                "alerts are the answer to the query ALERTS)"
            )
        columns, warnings = found.columns(), list(found.warnings)
        if found.until is not None and found.until < self.last and None in columns["end"]:
            columns["end"] = [found.until if end is None else end for end in columns["end"]]
            warnings.append("the last sample lies before the end of the span: no alert is open")
        try:
            rows = kind(**{**columns, **how})
            if found.outages:
                self.outages.append(TimedRows(**{**found.columns(found.outages), **how}))
        except InputError as error:
            raise FileError(f"{records.file}: {error}") from error
        self.summaries.append(_summary(rows, f"{records.name} ({name}: {found.fields})"))
        self.summaries += [f"warning: {text}" for text in warnings]
        return rows


def _by_role(
    columns: Mapping[str, list[Any]],
    file: str,
    kind: type,
    named: Mapping[str, str] | None,
    service: str | None,
    *,
    moments: bool,
) -> dict[str, tuple[str, list[Any]]]:
    """The columns of a table by what they are: as named, else by their usual names."""
    requested = {**({} if service is None else {"service": service}), **(named or {})}
    for role, name in requested.items():
        if role not in NAMES:
            raise UnknownName("role of a column", role, NAMES, f"there are {', '.join(NAMES)}")
        if name not in columns:
            raise UnknownName("column", name, columns, f"{file} has {', '.join(columns)}")
    found = {}
    for role, names in NAMES.items():
        more = POSITIONS if role == "start" and kind is Alerts else ()
        usual = next((one for one in (*names, *more) if one in columns), None)
        chosen = requested.get(role, usual)
        if chosen is not None:
            found[role] = (chosen, columns[chosen])
    lacks = "start" not in found or (kind is not Alerts and "end" not in found)
    if lacks:
        alone = ""
        if kind is Alerts or (moments and kind is Incidents):
            alone = f", or one of {', '.join(NAMES['start'][1:])}"
            alone += " where they are changes, which have no end" * (kind is Incidents)
        raise FileError(
            f"{file}: must have the columns start and end (or stop){alone}, got "
            f"{', '.join(columns) or 'none'}; name them, as in {_to_copy(columns, kind)}"
        )
    return found


def _are_moments(columns: Mapping[str, list[Any]], named: Mapping[str, str] | None) -> bool:
    """Whether a table of the truth has moments alone, which are changes.

    >>> [_are_moments(dict.fromkeys(names, []), None) for names in (["time"], ["time", "end"], [])]
    [True, False, False]
    """
    given = named or {}
    if "end" in given or any(name in columns for name in NAMES["end"]):
        return False
    return "start" in given or any(name in columns for name in (*NAMES["start"][1:], *POSITIONS))


_DATE = re.compile(r"\s*(\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2,4})")


def _to_copy(columns: Mapping[str, list[Any]], kind: type) -> str:
    """The option that names the columns: those that hold dates, where there are any.

    >>> _to_copy({"who": ["a"], "opened": ["2026-01-01"], "closed": ["2026-01-02"]}, Incidents)
    '--truth-columns start=opened,end=closed'
    """
    dates = [name for name, cells in columns.items() if cells and _DATE.match(str(cells[0]))]
    roles = ("start",) if kind is Alerts else ("start", "end")
    names = dates if len(dates) >= len(roles) else ["COL"] * len(roles)
    given = ",".join(f"{role}={name}" for role, name in zip(roles, names, strict=False))
    return f"--{'alerts' if kind is Alerts else 'truth'}-columns {given}"


def _is_empty(records: Records) -> bool:
    """Whether a file holds no rows, and no columns that could have any.

    >>> from adjudge.io.records import Records
    >>> [_is_empty(Records("", "", {}, one)) for one in ([], {"data": []}, {"a": 1}, None)]
    [True, True, False, False]
    """
    content: Any = records.content
    if isinstance(content, dict):
        return any(content.get(name) == [] for name in ("incidents", "data", "records"))
    return isinstance(content, list) and not content


def joined(tables: Sequence[TimedRows]) -> TimedRows:
    """The rows of several tables in one; those without a service are of every service."""
    zone = next((one.clock.zone for one in tables if one.clock is not None), None)
    start = np.concatenate([one.start for one in tables]).tolist()
    ends = zip(*(np.concatenate([getattr(one, name) for one in tables]).tolist()
                 for name in ("end", "open")), strict=True)  # fmt: skip
    places = [one.place if one.service is not None else np.full(len(one), "*") for one in tables]
    end = [None if still else end for end, still in ends]
    return TimedRows(start, end, service=np.concatenate(places).tolist(), unit="ns", tz=zone)


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _read_cells(values: list[Any], read: Callable[[str], Any], rule: str, fix: str = "") -> Any:
    """Each cell as a reader of text gives it."""
    found = []
    for row, value in enumerate(values, 1):
        try:
            found.append(read(str(value)))
        except ValueError:
            raise FileError(f"{rule}, got {value!r} in row {row}{fix}") from None
    return found


def _summary(rows: TimedRows, place: str) -> str:
    """How a file was read, in a few words."""
    noun = {"Incidents": "incident", "Alerts": "alert"}.get(type(rows).__name__, "stretch")
    many = f"{len(rows):,} {noun}{('es' if noun == 'stretch' else 's') * (len(rows) != 1)}"
    parts = [f"{many} in {place}"]
    if rows.open.any():
        parts.append(f"{np.count_nonzero(rows.open)} open")
    if rows.service is not None:
        services = len(set(rows.service))
        parts.append(f"{services} service{'s' * (services != 1)}")
    if rows.equal_rows:
        parts.append(f"{rows.equal_rows} with the service and times of another")
    return ", ".join(parts)


def _span(span: tuple[str, str], times: TimeWords) -> Any:
    """The ends of the span in the form of the files, or as ISO."""
    for how in (times, times._replace(time_format=None)):
        try:
            ends = TimedRows(list(span), **how._asdict())
        except InputError as error:
            problem = error
        else:
            return ends
    hint = "; positions take --length N in its place" * all(map(str.isdecimal, span))
    raise InputError(f"span: {problem}{hint}") from problem
