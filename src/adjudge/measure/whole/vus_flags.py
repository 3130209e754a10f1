r"""VUS of flags: precision, recall and F with soft labels, each the mean over buffer widths.

At one window l, with soft labels :math:`y_l` (`adjudge.count.soft_labels`), flags p
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

from adjudge.checks import Settings, positive, setting
from adjudge.count.soft_labels import WIDEST, near, slopes, sums_by_group
from adjudge.count.tally import Tally
from adjudge.data.time_settings import time_length
from adjudge.measure.rates import FBeta, at_most_one, recall

if TYPE_CHECKING:
    from adjudge._typing import Flags, Floats
    from adjudge.count.soft_labels import Near
    from adjudge.data.events import Events


_TABLED = 1000
"""Widest window whose soft labels are summed by one table: half a million numbers at most."""


@dataclass(frozen=True)
class VolumeRecall(Settings):
    """Mean recall over the windows 0 ... `window`.

    1: every anomalous point is flagged, or enough beside it. 0: none, and nothing near. NaN: no
    events.

    Parameters
    ----------
    window : int or duration
        The widest buffer, in points or in time, half of it on either side of an event.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> flags, events = np.array([0, 1, 1, 0, 0]) > 0, Events.from_labels([0, 0, 1, 1, 0])
    >>> round(VolumeRecall(2)(flags, events), 6)  # 1/2, 1/2, (1 + s) / (2 + s/2) with s = sqrt(1/2)
    0.575111
    """

    window: int = time_length(100, 0, "exact", *WIDEST)

    def __call__(self, flags: Flags, events: Events) -> float:
        """The mean recall."""
        return _mean(recall(_tallies(flags, events, self.window)))


@dataclass(frozen=True)
class VolumeF(Settings):
    """Mean over the windows 0 ... `window` of the weighted harmonic mean of precision and recall.

    1: the flags are the labels. 0: nothing in common, not even nearby. NaN: no events and no flags.

    Parameters
    ----------
    window : int or duration
        The widest buffer, in points or in time, half of it on either side of an event.
    beta : float
        How much more recall weighs than precision.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> flags, events = np.array([0, 1, 1, 0, 0]) > 0, Events.from_labels([0, 0, 1, 1, 0])
    >>> VolumeF(0)(flags, events)
    0.5
    """

    window: int = time_length(100, 0, "exact", *WIDEST)
    beta: float = setting(1, positive)

    def __call__(self, flags: Flags, events: Events) -> float:
        """The mean F."""
        return _mean(FBeta(self.beta)(_tallies(flags, events, self.window)))


def _tallies(flags: Flags, events: Events, window: int) -> Tally:
    """The masses at each window."""
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
    return np.concatenate([sums[:, 0] for sums in sums_by_group(found.place, one, 1, steps)])


def _mean(values: Any) -> float:
    return float(at_most_one(np.mean(values)))
