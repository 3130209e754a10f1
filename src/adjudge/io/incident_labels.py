"""Labels of points from a table of incidents: which points lie in an incident of their series.

A point belongs to an incident from its start up to, but not including, its end. Where the incidents
name a service and the points a series, they must be the same; "*", or no name, is every series.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.clock import Clock, same_zone
from adjudge.errors import FileError, InputError, UnknownName

if TYPE_CHECKING:
    from adjudge._typing import Array, Positions
    from adjudge.data.incidents import Incidents
    from adjudge.io.labels_and_scores import LabelledScores

EVERY = ("", "*")
_ABOUT = ("kind", "severity", "service", "id")
"""What incidents may be parted by."""


def labelled(
    table: LabelledScores, incidents: Incidents, file: str, by: str | None = None
) -> LabelledScores:
    """The scores of a table with labels that come from incidents.

    Parameters
    ----------
    table : LabelledScores
        Scores, and when each point was; without times incidents are positions among the rows.
    incidents, file : Incidents, str
        What happened, and the file that says it.
    by : str, optional
        What is to be known of each event: a column of the incidents.

    Returns
    -------
    LabelledScores
    """
    points = len(next(iter(table.scores.values())))
    where, table = _moments(table, incidents, file, points)
    labels = np.zeros(points, bool)
    held = np.zeros(len(incidents), bool)
    about = None if by is None else np.full(points, "", object)
    said = None if by is None else _said(incidents, by, file)
    series = None if table.series is None else np.array([str(one) for one in table.series], object)
    names = [""] if series is None else list(dict.fromkeys(series.tolist()))
    for name in names:
        rows = np.arange(points) if series is None else np.flatnonzero(series == name)
        own = _of(incidents, name, every=series is None)
        order = rows[np.argsort(where[rows], kind="stable")]
        first = np.searchsorted(where[order], incidents.start[own])
        stop = np.searchsorted(where[order], incidents.end[own])
        held[own] |= stop > first
        for one, begin, end in zip(own.tolist(), first.tolist(), stop.tolist(), strict=True):
            labels[order[begin:end]] = True
            if about is not None and said is not None:
                about[order[begin:end]] = said[one]
    summary = f"{table.summary}; {_words(incidents, held, labels, names, file)}"
    return replace(table, labels=labels, about=about, summary=summary)


def _moments(
    table: LabelledScores, incidents: Incidents, file: str, points: int
) -> tuple[Positions, LabelledScores]:
    """When each point was, as incidents say it, and the table with the same clock."""
    if incidents.is_in_points or not len(incidents):
        if table.time is not None and len(incidents):
            raise InputError(
                f"{file}: incidents must have times as the points have, got numbers; of numbers "
                "since 1970 say the unit, --time-unit s"
            )
        return np.arange(points), table
    if table.time is None:
        raise InputError(f"{file}: incidents have times: name the column of the points, --time COL")
    clock = table.time if isinstance(table.time, Clock) else Clock.read(table.time, "time")
    own = incidents.clock
    assert own is not None  # noqa: S101 - they are in time
    if table.from_prometheus:  # instants, whatever the zone of others is
        return clock.instants, replace(table, time=Clock(clock.instants, own.zone))
    if not incidents.counted:
        same_zone([("time", clock), (file, own)])
    return clock.instants, replace(table, time=clock)


def _of(incidents: Incidents, name: str, *, every: bool) -> Positions:
    """The incidents of a series."""
    if incidents.service is None or every:
        return np.arange(len(incidents))
    return np.flatnonzero(np.isin(incidents.service.astype(str), [name, *EVERY]))


def _said(incidents: Incidents, by: str, file: str) -> Array:
    """What a column says of each incident."""
    found: Any = getattr(incidents, by) if by in _ABOUT else None
    if found is None:
        known = [one for one in _ABOUT if getattr(incidents, one) is not None]
        raise UnknownName("column", by, known, f"{file} has {', '.join(known)}")
    return np.asarray(found)


def _words(incidents: Incidents, held: Array, labels: Array, names: list[str], file: str) -> str:
    """Say how many incidents label how many points, and of which nobody will know."""
    many = len(incidents)
    noun = f"{many:,} incident{'s' * (many != 1)} in {file}"
    parts = [f"{noun} label {np.count_nonzero(labels):,} of {labels.size:,} points"]
    lost = int(many - np.count_nonzero(held))
    if lost:
        parts.append(f"warning: {lost:,} of them hold{'s' * (lost == 1)} no point")
    if incidents.service is not None and names != [""]:
        foreign = [one for one in dict.fromkeys(incidents.service.tolist())
                   if one not in (*names, *EVERY)]  # fmt: skip
        if len(foreign) == len(set(incidents.service.tolist())):
            raise FileError(
                f"{file}: incidents must be of the series {', '.join(names)}, got the services "
                f"{', '.join(foreign)}; --series LABEL names the label that says the service"
            )
        if foreign:
            parts.append(f"no score is of {', '.join(foreign)}")
    return ", ".join(parts)
