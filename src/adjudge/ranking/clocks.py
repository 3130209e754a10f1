"""Clocks of the series of a ranking: which of them live through the same time.

Series are judged one by one, so each leaves behind what the rule of `adjudge.data.shared_clock`
needs: from when to when it is, or, where no times are known, in which of its stretches there are
events and alarms. Whether these coincide is looked at within each data set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.case import Case
from adjudge.data.clock import Clock
from adjudge.data.intervals import reduceat
from adjudge.data.shared_clock import overlapping
from adjudge.errors import AdjudgeError
from adjudge.noise.coincidence import LEVEL, alarms_of, overlap_p

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adjudge._typing import Column, Flags, Positions
    from adjudge.data.events import Events
    from adjudge.io.labels_and_scores import LabelledScores

_STRETCHES = 1024
"""In so many stretches of a series it is known whether there are events, and alarms."""


class Lived(NamedTuple):
    """When a series was, and what happened then."""

    points: int
    span: tuple[int, int] | None
    """From when to when; None: nobody knows."""
    events: Flags
    """In which stretches there are events."""
    alarms: Mapping[str, Flags]
    """The same for the alarms of each detector."""

    @classmethod
    def of(cls, events: Events, table: LabelledScores) -> Lived:
        """Note what a table says; a detector whose scores cannot be read has no alarms."""
        if table.time is not None:
            instants = _clock(table.time).instants
            span = int(instants.min()), int(instants.max()) + 1
            return cls(events.n, span, np.zeros(0, bool), {})
        alarms = {}
        for name, column in table.scores.items():
            try:
                case = Case(events, column, missing="skip")
            except AdjudgeError:  # which its row says
                continue
            alarms[name] = _by_stretch(alarms_of(case))
        return cls(events.n, None, _by_stretch(events.labels), alarms)


def _clock(time: Column) -> Clock:
    return time if isinstance(time, Clock) else Clock.read(time)


def _by_stretch(flags: Flags) -> Flags:
    """In which stretches anything is flagged."""
    count = min(_STRETCHES, flags.size)
    firsts = np.arange(count, dtype=np.int64) * flags.size // count
    return np.asarray(reduceat(np.logical_or, flags, firsts))


def clocks_of(lived: Sequence[Lived | None], groups: Sequence[str], rule: str) -> Positions:
    """Number the clock of each series; none is shared by two data sets.

    Parameters
    ----------
    lived, groups : sequence of Lived, of str
        What is known of each series, and its data set.
    rule : {"auto", "shared", "own"}
        Who shares a clock.

    Examples
    --------
    >>> day, none = Lived(9, (0, 9), np.zeros(0, bool), {}), None
    >>> later = day._replace(span=(20, 29))
    >>> clocks_of([day, later, day, none], ["a"] * 4, "auto")
    array([0, 1, 0, 3])
    """
    clocks = np.arange(len(lived))
    for group in dict.fromkeys(groups):
        here = [k for k, name in enumerate(groups) if name == group and lived[k] is not None]
        own = np.array(here, np.int64)
        known = [one for k in here if (one := lived[k]) is not None]
        if own.size > 1 and rule != "own":
            clocks[own] = own[0 * own if rule == "shared" else _seen(known)]
    return clocks


def _seen(lived: Sequence[Lived]) -> Positions:
    """The first series of the clock of each series of a data set, by what is seen of them."""
    spans = [one.span for one in lived if one.span is not None]
    alone = np.arange(len(lived))
    if len(spans) == len(lived):
        begin, end = np.array(spans).T
        clocks = overlapping(begin, end)
        return np.unique(clocks, return_index=True)[1][clocks]
    if spans or len({one.points for one in lived}) > 1:
        return alone
    if overlap_p(np.array([one.events for one in lived])) > LEVEL:
        return alone
    none = np.zeros_like(lived[0].events)
    tables = (np.array([one.alarms.get(name, none) for one in lived]) for name in _detectors(lived))
    return 0 * alone if any(overlap_p(table) <= LEVEL for table in tables) else alone


def _detectors(lived: Iterable[Lived]) -> list[str]:
    return list(dict.fromkeys(name for one in lived for name in one.alarms))
