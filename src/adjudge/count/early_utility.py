r"""Count the use of early flags: most at the best moment, less before and after, a cost elsewhere.

With the onset s (``best`` points after the start of the event, whose label begins early), a flag at
point i and its absence there are worth

- until s - best: :math:`\max\big(\tfrac{i - s + \text{early}}{\text{early} - \text{best}},
  \text{false}\big)` and 0,
- from there until s + late: :math:`\tfrac{s + \text{late} - i}{\text{late} + \text{best}}` and
  :math:`\text{miss} \cdot \tfrac{i - s + \text{best}}{\text{late} + \text{best}}`,
- later 0 and 0, and in a series without an event ``false`` and 0.

What counts is the difference of the two: what a flag gains over silence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import number
from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import AlarmRows, Entries, flagged_runs, truth_rows
from adjudge.count.tally import Mass, Masses, every_score
from adjudge.data.intervals import bincount, reduce_over, repeat
from adjudge.data.time_settings import time_length
from adjudge.errors import InputError, shown
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events


_MOST = 1e6


def _worth(value: object, name: str) -> float:
    """Check what a flag is worth: a number that sums of many can hold."""
    checked = number(value, name)
    if not abs(checked) <= _MOST:
        raise InputError(f"{name} must lie between -1,000,000 and 1,000,000, got {shown(value)}")
    return checked


@dataclass(frozen=True)
class EarlyFlags(SweptCounting):
    """Weigh every event by what its best flags gain, and every false flag by what it costs.

    Parameters
    ----------
    early, best, late : int or duration
        How long before the onset flags begin to gain, where they gain most, and how long after it
        they still do. Labels begin ``best`` before the onset.
    miss, false : float
        What silence is worth at the end of the window, and a flag far from any event.

    References
    ----------
    .. [1] M. A. Reyna et al. (2020). Early Prediction of Sepsis From Clinical Data: The
       PhysioNet/Computing in Cardiology Challenge 2019. Critical Care Medicine 48(2).

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0] * 20 + [1] * 20)
    >>> flags = np.zeros(40, bool)
    >>> flags[14:30] = True
    >>> print(f"{EarlyFlags().masses(flags, events).at(False).found:.1f}")
    17.5
    """

    early: int = time_length(12, 1, "exact")
    best: int = time_length(6, 0, "exact")
    late: int = time_length(3, 0, "exact")
    miss: float = setting(-2, _worth)
    false: float = setting(-0.05, _worth)

    def __post_init__(self) -> None:
        """Check the settings, and that the window has a rise and a fall."""
        super().__post_init__()
        numbers = not any(isinstance(one, str) for one in (self.early, self.best, self.late))
        if numbers and not (self.early > self.best and self.late + self.best > 0):
            raise InputError(
                f"early must be more than best, and best and late not both 0, got "
                f"early={self.early}, best={self.best}, late={self.late}"
            )

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Sum gains and costs above any threshold."""
        gain, _ = self.gains(events)
        found, false = np.flatnonzero(gain > 0), np.flatnonzero(gain < 0)
        return Masses(
            Mass(adjusted[found], weights=gain[found]),
            float(gain[found].sum()),
            Mass(np.zeros(0, adjusted.dtype)),
            Mass(adjusted[false], weights=-gain[false]),
            (every_score(adjusted, events),),
        )

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Give a row for every event and every flagged run."""
        gain, owner = self.gains(events)
        own = gain > 0
        weight = bincount(owner[own], gain[own], minlength=len(events))
        credit = bincount(owner[own & flags], gain[own & flags], minlength=len(events))
        starts, stops = flagged_runs(flags, events)
        cost = reduce_over(np.add, np.where(flags, np.maximum(-gain, 0), 0.0), starts, stops)
        event = np.where(reduce_over(np.add, own & flags, starts, stops, dtype=np.int64) > 0, 0, -1)
        first = reduce_over(np.maximum, np.where(own, owner, -1), starts, stops)
        alarms = AlarmRows.of_runs(
            starts, stops, np.where(event < 0, -1, first), cost, np.zeros_like(cost)
        )
        return Entries(truth_rows(flags, events, weight, credit, credit > 0), alarms)

    def gains(self, events: Events) -> tuple[Floats, Positions]:
        """What a flag at each point gains over silence, and the event it is for (-1: none).

        A point belongs to the first event of its series whose window it does not lie behind.
        """
        bounds, place = events.whole_series, np.arange(events.n)
        home = repeat(np.arange(events.series_count), np.diff(bounds))
        lasts = events.starts + self.best + self.late
        event = np.searchsorted(lasts, place, side="left")
        series = np.searchsorted(bounds, events.starts, side="right") - 1
        first = np.searchsorted(series, home, side="left")
        behind = np.searchsorted(series, home, side="right")
        event = np.maximum(event, first)
        there, empty = event < behind, first == behind
        onset = np.append(events.starts, 0)[np.where(there, event, -1)] + self.best
        gain = np.where(there, self._gain(place - onset), np.where(empty, self.false, 0.0))
        judged = 1.0 if events.judged is None else events.judged
        return gain * judged, np.where(there, event, -1)

    def _gain(self, after: Positions) -> Floats:
        """What a flag gains so many points after an onset, not behind the window."""
        rise = np.maximum((after + self.early) / (self.early - self.best), self.false)
        flagged = (self.late - after) / (self.late + self.best)
        silent = self.miss * (after + self.best) / (self.late + self.best)
        return np.where(after <= -self.best, rise, flagged - silent)
