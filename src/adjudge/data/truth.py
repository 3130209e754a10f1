"""Truth: the labels of a call as `Events`, in whatever coding and with whatever clock they come."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.clock import Clock
from adjudge.data.codings import coded
from adjudge.data.columns import column, ids, is_binary
from adjudge.data.events import Events
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge._typing import Array, Column, Positions


def truth(
    labels: Column,
    scores: Array,
    *,
    series: Column = None,
    where: Column = None,
    positive: object = None,
    time: Column = None,
) -> Events:
    """Read labels once; scores only help to spot arguments that were swapped."""
    if isinstance(labels, Events):
        events = labels.within(series=series, where=where)
    elif positive is not None:
        events = Events.from_labels(coded(labels, positive), series=series, where=where)
    else:
        events = _from_labels(labels, scores, series, where)
    if time is None:
        return events
    return replace(events, clock=time if isinstance(time, Clock) else Clock.read(time))


def time_of(time: Column, scores: Column, series: Column = None) -> Column:
    """Take the time that was given, or that a pandas column carries as its index.

    An index that does not increase strictly is left unused: it was not said that it is a time.
    """
    if time is None and type(getattr(scores, "index", None)).__name__ == "DatetimeIndex":
        index = scores.index
        increases = index.is_monotonic_increasing and index.is_unique
        return index if increases and series is None else None
    return time


class Columns(NamedTuple):
    """Labels and what stands beside them, one per point."""

    labels: Column
    scores: list[Column]
    series: Column
    where: Column
    time: Column


def sorted_by_time(columns: Columns) -> Columns:
    """Put the points in the order of time, series by series."""
    labels, scores, series, where, time = columns
    if time is None or isinstance(labels, Events):
        raise InputError("sort=True must come with time=, and with labels per point")
    order = time_order(time, series)
    clock = time if isinstance(time, Clock) else Clock.read(time)
    return Columns(
        ids(labels, "labels")[order],
        [column(one, "scores")[order] for one in scores],
        None if series is None else ids(series, "series")[order],
        None if where is None else column(where, "where")[order],
        Clock(clock.instants[order], clock.zone),
    )


def time_order(time: Column, series: Column = None) -> Positions:
    """The order in which the times increase, series by series as they first appear."""
    clock = time if isinstance(time, Clock) else Clock.read(time)
    if series is None:
        return np.argsort(clock.instants, kind="stable")
    seen: dict[object, int] = {}
    groups = [seen.setdefault(name, len(seen)) for name in ids(series, "series").tolist()]
    return np.lexsort((clock.instants, np.array(groups)))


def _from_labels(labels: Column, scores: Array, series: Column, where: Column) -> Events:
    try:
        return Events.from_labels(labels, series=series, where=where)
    except InputError as error:
        if not str(error).startswith("labels must be 0 or 1") or not is_binary(scores):
            raise
        if np.unique(column(labels, "labels")).size <= 2:  # such as {1, 2}: another coding
            raise
        raise InputError(f"{error}; are labels and scores swapped?") from None
