"""Count interest: what an operator's attention to the labels and to the alarms has in common.

A flagged point draws attention; as long as flags keep coming it wears off, and after the last
one it fades away. Labels and alarms are turned into such a curve each, and compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.checks import share, whole
from adjudge.count.contract import Counting
from adjudge.count.ledger import AlarmRows, Entries, first_touched, flagged_runs, truth_rows
from adjudge.data.intervals import bincount, repeat, stretches
from adjudge.data.time_settings import time_length
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events

_LONGEST, _WHY = 10_000, "or the number of points; interest is followed for so long after the end"


@dataclass(frozen=True)
class Interest(Counting):
    r"""Weigh labels and alarms by the interest that they draw, and credit what both have in common.

    .. math:: P = \frac{\sum_i \min(I_y, I_p)}{\sum_i I_p}, \qquad
        R = \frac{\sum_i \min(I_y, I_p)}{\sum_i I_y}

    At a point i the last flag lies :math:`j = i - e` points back, and the first one of its episode
    :math:`k = i - s`; an episode ends when no flag comes for ``linger`` points. The interest is

    .. math:: I_i = \Big[b + (1 - b)\, q\Big(\frac{10 k}{\text{tire}} - 5\Big)\Big]
        \cdot q\Big(\frac{10 j}{\text{linger}} - 5\Big), \qquad
        q(z) = \frac{1 + e^{-5}}{1 + e^{z}}

    with 1 for either factor at distance 0, and the floor b for the first one if tire is 0. It runs
    on for ``linger`` points after the end of the series. 1: alarms are labels. 0: no alarm comes
    within reach of an event. With ``linger=0, floor=1`` it is pointwise.

    Parameters
    ----------
    linger : int, duration or "auto"
        For how many points, or how long, interest fades after the last flag (l_obs of the paper).
        "auto": the mean length of the events, rounded up.
    tire : int, duration or "auto"
        In how many points of an episode interest falls to the floor (l_dis of the paper). "auto":
        half the mean length of the events, rounded up.
    floor : float
        What interest is left in an alarm that goes on and on (b of the paper).

    References
    ----------
    .. [1] Y. Jing et al. (2025). OIPR: Evaluation for Time-series Anomaly Detection Inspired by
       Operator Interest. arXiv:2503.01260.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 0]) > 0
    >>> Interest(linger=0, floor=1).entries(flags, events, raw).tally
    Tally(found=1.0, truth=2.0, right=1.0, flagged=2.0, normal=nan)
    """

    linger: int | str = time_length("auto", 0, "exact", words=("auto",))
    tire: int | str = time_length("auto", 0, "exact", words=("auto",))
    floor: float = setting(0.5, share, zero=True)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every run: each owns the interest in its last flag."""
        starts, stops = flagged_runs(flags, events)
        linger = self._points(self.linger, events, 1)
        room = _laid_out(events, whole(linger, "linger", 0, max(events.n, _LONGEST), _WHY))
        in_labels, in_flags = (self._curve(mask, room, events) for mask in (events.labels, flags))
        common = np.minimum(in_labels, in_flags)
        columns = [
            bincount(_owner(begin, room), weights=part, minlength=begin.size + 1)[1:]
            for begin, weight in ((events.starts, in_labels), (starts, in_flags))
            for part in (weight, common)
        ]
        truth = truth_rows(flags, events, columns[0], columns[1], columns[1] > 0)
        event = first_touched(starts, stops, events)
        alarms = AlarmRows(starts, stops, event, starts, stops, columns[2], columns[3])
        return Entries(truth, alarms)

    def _curve(self, mask: Flags, room: _Room, events: Events) -> Floats:
        """The interest at each point, and after the end of each series.

        It lasts from each flag to the next one, but not beyond its reach. Flags of two series are
        farther apart than that.
        """
        flagged = room.place[mask]
        apart = np.diff(flagged, prepend=-1 - room.linger) > room.linger
        episode = np.maximum.accumulate(np.where(apart, flagged, 0))
        lengths = np.minimum(np.diff(flagged, append=room.size), room.linger + 1)
        since = stretches(np.zeros_like(flagged), lengths)
        lasting, place = (repeat(part, lengths) + since for part in (flagged - episode, flagged))
        tire = self._points(self.tire, events, 2)
        worn = self.floor + (1 - self.floor) * _fading(lasting, tire)
        interest = np.zeros(room.size)
        interest[place] = np.where(lasting == 0, 1.0, worn) * _fading(since, room.linger)
        if events.judged is not None:
            interest[room.place[~events.judged]] = 0.0
        return interest

    def _points(self, setting: int | str, events: Events, parts: int) -> int:
        if isinstance(setting, int):
            return setting
        return math.ceil(events.widths.mean() / parts) if len(events) else 0


class _Room(NamedTuple):
    """All series one after the other, each with room for interest to fade after its end."""

    size: int
    place: Positions
    """Where each point of the series lies."""
    linger: int


def _laid_out(events: Events, linger: int) -> _Room:
    lengths = np.diff(events.series_bounds)
    place = np.arange(events.n) + repeat(np.arange(lengths.size, dtype=np.int64) * linger, lengths)
    return _Room(events.n + lengths.size * linger, place, linger)


def _owner(starts: Positions, room: _Room) -> Positions:
    """For each place the number, from 1, of the last run that began before it."""
    edges = np.concatenate([[0], room.place[starts], [room.size]])
    return repeat(np.arange(starts.size + 1), np.diff(edges))


def _fading(far: Array, reach: int) -> Floats:
    """Let interest fade from 1 at distance 0 to next to nothing at the reach."""
    if reach == 0:
        return np.equal(far, 0).astype(np.float64)
    each = np.arange(int(far.max(initial=0)) + 1)  # many points are equally far
    faded = (1 + math.exp(-5)) / (1 + np.exp(np.minimum(10 * each / reach - 5, 500)))
    faded[0] = 1.0
    return faded.take(far)
