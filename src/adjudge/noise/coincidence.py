r"""Coincidence: whether stretches of several series overlap more often than those of unlike clocks.

With c(t) series in an event at time t, the statistic is

.. math:: \sum_t c(t)^2

which is the larger the more events share their time. Each series is turned by itself, 199 times,
always by the same offsets; home is one of all turns. Where both the events and the alarms of
several series coincide, one lucky storm of alarms counts once for each series: then alarms must be
shifted together. Where only one of them does, nothing can go wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.intervals import bincount, repeat, runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudge._typing import Flags, Positions
    from adjudge.data.case import Case
    from adjudge.data.events import Events

TURNS = 199
LEVEL = 0.10
"""Events and alarms coincide where both p-values are no larger."""
_STREAM = 20_240_919
_CELLS = 1 << 16
"""Longer series are looked at in so many stretches."""


class Coincidence(NamedTuple):
    """How often series that turn by themselves overlap as much as at home."""

    events: float
    alarms: float

    @property
    def is_shared(self) -> bool:
        """Whether both coincide, so that the series live through the same time."""
        return max(self) <= LEVEL

    def sentence(self, series: int) -> str:
        """Say that so many series were moved together, and why."""
        first, second = (f"{p:.3g}" for p in self)
        said = f"p = {first} both" if first == second else f"p = {first} and {second}"
        return (
            f"Events and alarms of these {series} series coincide ({said}), so they were "
            'shifted together; clock="own" shifts each on its own.'
        )


def coincidence(events: Events, cases: Iterable[Case]) -> Coincidence | None:
    """Hold events and alarms against series that turn by themselves; None: nothing can be aligned.

    Without times, series can only be aligned where all are equally long. Of several detectors the
    one counts whose alarms coincide most.

    Parameters
    ----------
    events, cases : Events, iterable of Case
        The truth, and the detectors beside it.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> labels, flags = np.zeros((2, 4, 60), int)
    >>> labels[:, [20, 21, 45]] = flags[:, [8, 30]] = 1
    >>> case = Case(labels.ravel(), flags.ravel(), series=np.repeat(list("abcd"), 60))
    >>> coincidence(case.events, [case]).sentence(4)
    'Events and alarms of these 4 series coincide (p = 0.005 both), so they were shifted together;
    clock="own" shifts each on its own.'
    clock="own" moves each by itself.'
    """
    lengths = np.diff(events.whole_series)
    if lengths.size == 1 or np.ptp(lengths):
        return None
    of_events = overlap_p(events.labels.reshape(lengths.size, -1))
    if of_events > LEVEL:
        return Coincidence(of_events, np.nan)
    tables = (alarms_of(case).reshape(lengths.size, -1) for case in cases)
    return Coincidence(of_events, min(overlap_p(table) for table in tables))


def alarms_of(case: Case) -> Flags:
    """The flags; of scores the highest ones, as many as points are anomalous."""
    if case.is_flags:
        return case.flags
    most = max(1, int(case.events.widths.sum()))
    return np.asarray(case.scores >= np.partition(case.scores, -most)[-most])


def overlap_p(table: Flags) -> float:
    """How often series that turn by themselves overlap as much: a row of flags for each series.

    >>> overlap_p(np.array([[0, 1, 0, 0], [0, 0, 0, 0]]) > 0)
    1.0
    """
    apart = -(-table.shape[1] // _CELLS)
    if apart > 1:
        spare = np.zeros((len(table), -table.shape[1] % apart), bool)
        whole = np.concatenate([table, spare], axis=1)
        table = np.asarray(whole.reshape(len(table), -1, apart).any(axis=2))
    size = table.shape[1]
    firsts = np.arange(len(table), dtype=np.int64) * size
    starts, stops = runs(table.ravel(), firsts)
    series = starts // size
    if np.unique(series).size < 2:
        return 1.0
    edges, steps = np.append(starts, stops) - size * np.append(series, series), _steps(starts.size)
    rng = np.random.default_rng(_STREAM)
    home = _overlap(edges, steps, size)
    reached = 0
    for offsets in rng.integers(size, size=(TURNS, len(table))):
        moved = edges + offsets[np.append(series, series)]
        reached += _overlap(moved, steps, size) >= home
    return (1 + reached) / (1 + TURNS)


def _steps(count: int) -> Positions:
    return repeat(np.array([1, -1]), [count, count])


def _overlap(edges: Positions, steps: Positions, size: int) -> int:
    """The sum of squares of how many stretches hold each place of a circle."""
    laps = bincount(edges, steps, 2 * size + 1)
    depth = np.cumsum(laps).astype(np.int64)
    around = depth[:size] + depth[size : 2 * size]
    return int(np.dot(around, around))
