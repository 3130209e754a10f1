r"""VUS of flags: precision, recall and F with soft labels, each the mean over buffer widths.

At one window l, with soft labels :math:`y_l` (`adjudge.measure.whole.soft_labels`), flags p
and P anomalous points:

.. math::
    TP_l = \sum_t y_l(t)\, p(t), \qquad
    \Pi_l = \frac{TP_l}{\sum p}, \qquad
    R_l = \min\Big(1, \frac{TP_l}{P + \tfrac12 \sum_{t\ \mathrm{normal}} y_l(t)\, p(t)}\Big)

and the values are the means of :math:`\Pi_l`, of :math:`R_l` and of their harmonic mean over the
windows 0 ... `window`. Only precision is a ratio of masses, those of the mean soft label; F is no
harmonic mean of the other two.

Several series are one large case: their points and alarms are summed before any ratio is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import positive, whole
from adjudge.count.ledger import AlarmRows, Ledger, flagged_runs, truth_rows
from adjudge.count.tally import Mass, Masses, Tally
from adjudge.data.intervals import reduce_over
from adjudge.measure.rates import FBeta, at_most_one, recall
from adjudge.measure.whole.soft_labels import grouped, near, slopes

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats
    from adjudge.adjust import Adjustment
    from adjudge.data.events import Events
    from adjudge.measure.whole.soft_labels import Near


_TABLED = 1000
"""Widest window whose soft labels are summed by one table: half a million numbers at most."""


@dataclass(frozen=True)
class SoftPoints:
    """Weigh every flagged point 1, and credit it with the mean soft label of the windows 0 ... L.

    The truth side counts anomalous points, as pointwise scores do.

    Parameters
    ----------
    window : int
        The widest buffer L, in points, half of it on either side of an event.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0])
    >>> tally = SoftPoints(2).masses(np.array([0, 1, 1, 0, 0]) > 0, events).at(False)
    >>> round(tally.right, 4), tally.flagged  # 1, and sqrt(1/2) in one window of three
    (1.2357, 2.0)
    """

    window: int = 100

    def __post_init__(self) -> None:
        """Check the window."""
        object.__setattr__(self, "window", whole(self.window, "window", 0))

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count points above any threshold."""
        soft, normal = self._labels(events), events.normal
        found = Mass(adjusted[events.labels])
        right = Mass(adjusted[soft > 0], weights=soft[soft > 0])
        false = Mass(adjusted[normal], weights=1 - soft[normal])
        return Masses(found, found.values.size, right, false, (found, false), false.values.size)

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for every event and every run."""
        flags = adjust(flags, events)
        starts, stops = flagged_runs(flags, events)
        credit = reduce_over(np.add, self._labels(events), starts, stops)
        following = np.searchsorted(events.stops, starts, side="right")
        touches = np.append(events.starts, events.n)[following] < stops
        event = np.where(touches, following, -1)
        alarms = AlarmRows(starts, stops, event, starts, stops, stops - starts, credit)
        truth = truth_rows(flags, events, events.widths, events.sum(flags))
        return Ledger(truth, alarms, int(np.count_nonzero(events.normal)))

    def _labels(self, events: Events) -> Floats:
        """Give each point the mean of its soft labels: of one slope, then of full ones."""
        found, windows = near(events, self.window // 2), range(self.window + 1)
        total, so_far = np.zeros(found.points.size), np.zeros(found.farthest + 1)
        alone = np.ones(found.points.size, bool)
        for step in slopes(found, windows):
            total[step.met] = so_far[found.place[step.met]] + len(windows[step.windows[0] :])
            alone[step.met] = False
            so_far += step.table.sum(axis=1)
        total[alone] = so_far[found.place[alone]]
        labels = events.labels.astype(np.float64)
        labels[found.points] = total / len(windows)
        return labels


@dataclass(frozen=True)
class VolumeRecall:
    """Mean recall over the windows 0 ... `window`.

    1: every anomalous point is flagged, or enough beside it. 0: none, and nothing near. NaN: no
    events.

    Parameters
    ----------
    window : int
        The widest buffer, in points, half of it on either side of an event.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> flags, events = np.array([0, 1, 1, 0, 0]) > 0, Events.from_labels([0, 0, 1, 1, 0])
    >>> round(VolumeRecall(2)(flags, events), 6)  # 1/2, 1/2, (1 + s) / (2 + s/2) with s = sqrt(1/2)
    0.575111
    """

    window: int = 100

    def __post_init__(self) -> None:
        """Check the window."""
        object.__setattr__(self, "window", whole(self.window, "window", 0))

    def __call__(self, flags: Flags, events: Events) -> float:
        """Give the mean recall."""
        return _mean(recall(_tallies(flags, events, self.window)))


@dataclass(frozen=True)
class VolumeF:
    """Mean over the windows 0 ... `window` of the weighted harmonic mean of precision and recall.

    1: the flags are the labels. 0: nothing in common, not even nearby. NaN: no events and no flags.

    Parameters
    ----------
    window : int
        The widest buffer, in points, half of it on either side of an event.
    beta : float
        How much more recall weighs than precision.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> flags, events = np.array([0, 1, 1, 0, 0]) > 0, Events.from_labels([0, 0, 1, 1, 0])
    >>> VolumeF(0)(flags, events)
    0.5
    """

    window: int = 100
    beta: float = 1

    def __post_init__(self) -> None:
        """Check the settings."""
        object.__setattr__(self, "window", whole(self.window, "window", 0))
        object.__setattr__(self, "beta", positive(self.beta, "beta"))

    def __call__(self, flags: Flags, events: Events) -> float:
        """Give the mean F."""
        return _mean(FBeta(self.beta)(_tallies(flags, events, self.window)))


def _tallies(flags: Flags, events: Events, window: int) -> Tally:
    """Give the masses at each window."""
    found = near(events, window // 2)
    flagged = flags[found.points]
    found = found._replace(place=found.place[flagged], meets=found.meets[flagged])
    soft = _sums(found, window) if window <= _TABLED else _stepwise_sums(found, window)
    hits = np.count_nonzero(flags & events.labels)
    right, truth = hits + soft, int(events.widths.sum()) + soft / 2
    return Tally(np.minimum(right, truth), truth, right, np.count_nonzero(flags))


def _sums(found: Near, window: int) -> Floats:
    """Sum the soft labels at each window at once, from a count of points by place and meeting."""
    widths, half = np.arange(window + 1), np.arange(window + 1) // 2
    shape = found.farthest + 1, window // 2 + 2
    codes = found.place * np.int64(shape[1]) + found.meets
    met = np.bincount(codes, minlength=shape[0] * shape[1]).reshape(shape).cumsum(axis=1)
    single, full = met[:, -1:] - met, met.sum(axis=0)
    distance = np.arange(shape[0])[:, np.newaxis]
    arrived = distance <= half
    slope = np.sqrt(
        1 - distance / np.maximum(widths, 1), where=arrived, out=np.zeros(arrived.shape)
    )
    sums: Floats = full[half] + (single[:, half] * slope).sum(axis=0)
    return sums


def _stepwise_sums(found: Near, window: int) -> Floats:
    """Sum them one half-window after the other, where a table would be too large."""
    one, steps = np.zeros(found.place.size, np.int64), slopes(found, range(window + 1))
    return np.concatenate([sums[:, 0] for sums in grouped(found.place, one, 1, steps)])


def _mean(values: Any) -> float:
    return float(at_most_one(np.mean(values)))
