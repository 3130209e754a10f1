r"""Count as the Numenta Anomaly Benchmark does: early alarms earn, and every false point costs.

Events are the benchmark's windows. With the sigmoid :math:`\sigma(x) = 2 / (1 + e^{5x}) - 1`,
which is :math:`-\tanh(5x/2)`:

- a window of W points whose first flag comes d points after its start earns
  :math:`A_{TP}\,\sigma(-(W - d)/W) / \sigma(-1)`: all of it at its first point, and little at its
  last. Further flags in it change nothing. A window without a flag costs :math:`A_{FN}`.
- a flagged normal point k points after the last point of a window costs
  :math:`-A_{FP}\,\sigma(k/(W - 1))`: little just behind the window, all of :math:`A_{FP}` from
  three widths on, and before the first window of the series.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from adjudge.checks import share, word
from adjudge.count.contract import SweptCounting
from adjudge.count.first_alarms import first_alarms
from adjudge.count.ledger import AlarmRows, Entries, flagged_runs, truth_rows
from adjudge.count.tally import Mass, Masses, every_score
from adjudge.data.intervals import reduceat, repeat
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events

Profile = Literal["standard", "low_fp", "low_fn"]
PROFILES: dict[Profile, tuple[float, float, float]] = {
    "standard": (1, 0.11, 1),
    "low_fp": (1, 0.22, 1),
    "low_fn": (1, 0.11, 2),
}
"""What a window found at once earns, what a false point costs, what a missed window costs."""

_STEEP = 2.5
_LONG = 5000
"""Points from which on the probation grows no more."""


@dataclass(frozen=True)
class NabWindows(SweptCounting):
    """Weigh every window by what lies between finding it at once and missing it.

    A missed window earns nothing here, and one that was found its reward and the cost it was
    spared; a false point weighs its cost and earns nothing. So the benchmark's sums are differences
    of the tally's (see `NabScore`).

    A window of a single point, for which W - 1 is 0, reaches as far as one of two points.

    Parameters
    ----------
    profile : "standard", "low_fp" or "low_fn"
        What alarms earn and cost.
    probation : float
        Share of each series, at its start, in which flags neither earn nor cost (the
        benchmark: 0.15), but of no more than 5,000 points of it. A window that lies in it wholly
        counts for nothing.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 1, 0, 0])
    >>> NabWindows().masses(np.array([1, 1, 0, 0, 0, 0]) > 0, events).at(False)
    Tally(found=2.0, truth=2, right=0, flagged=0.11, normal=nan)
    """

    profile: Profile = setting("standard", word, get_args(Profile))
    probation: float = setting(0, share, zero=True)

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count windows and false points above any threshold."""
        counts = self._counts(events)
        inside = np.flatnonzero(events.labels & counts)
        window = np.searchsorted(events.starts, inside, side="right") - 1
        found = first_alarms(adjusted[inside], window, self._earns(inside, window, events))
        outside = np.flatnonzero(events.normal & counts)
        false = Mass(adjusted[outside], weights=self._costs(outside, events))
        truth = self._weights(events, counts).sum().item()
        return Masses(found, truth, Mass(np.zeros(0)), false, (every_score(adjusted, events),))

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every window, and for every false run."""
        counts = self._counts(events)
        flags = flags & counts
        weight = self._weights(events, counts)
        rows = truth_rows(flags, events, weight, np.zeros(len(events)))
        hit = np.flatnonzero(rows.found)
        first = events.starts[hit] + rows.delay[hit].astype(np.int64)
        rows.credit[hit] = self._earns(first, hit, events)
        starts, stops = flagged_runs(flags & events.normal, events)
        points = np.flatnonzero(flags & events.normal)
        widths = stops - starts
        cost = reduceat(np.add, self._costs(points, events), np.cumsum(widths) - widths)
        none = np.full(starts.size, -1)
        alarms = AlarmRows.of_runs(starts, stops, none, cost, np.zeros(starts.size))
        return Entries(rows, alarms)

    def _counts(self, events: Events) -> Flags:
        """Say which points lie behind the probation of their series."""
        lengths = np.diff(events.whole_series)
        skipped = np.minimum(np.floor(self.probation * lengths), self.probation * _LONG)
        first = repeat(events.whole_series[:-1] + skipped, lengths)
        return np.arange(events.n) >= first

    def _weights(self, events: Events, counts: Flags) -> Array:
        reward, _, miss = PROFILES[self.profile]
        return (reward + miss) * events.max(counts).astype(np.int64)

    def _earns(self, points: Positions, window: Positions, events: Events) -> Floats:
        """What a window earns whose first flag is at a point, and the miss it is spared."""
        reward, _, miss = PROFILES[self.profile]
        left = (events.stops[window] - points) / events.widths[window]
        return np.asarray(reward * (np.tanh(_STEEP * left) / np.tanh(_STEEP)) + miss)

    def _costs(self, points: Positions, events: Events) -> Floats:
        """What a flag at a normal point costs."""
        bounds = events.whole_series
        first = bounds[np.searchsorted(bounds, points, side="right") - 1]
        window = np.searchsorted(events.stops, points, side="right") - 1
        behind = (window >= 0) & (np.append(events.starts, -1)[window] >= first)
        past = np.full(points.size, np.inf)
        last, widths = events.stops[window[behind]] - 1, events.widths[window[behind]]
        past[behind] = (points[behind] - last) / np.maximum(widths - 1, 1)
        full = PROFILES[self.profile][1]
        return full * np.where(past > 3, 1.0, np.tanh(_STEEP * past))
