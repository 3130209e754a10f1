"""The weighted detection difference: hits by their place, less false alarms by their distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import Settings
from adjudge.data.time_settings import time_length

if TYPE_CHECKING:
    from adjudge._typing import Flags, Floats, Positions
    from adjudge.data.events import Events


@dataclass(frozen=True)
class WeightedDifference(Settings):
    r"""Hits, weighed by their place in the event, less false alarms, weighed by their distance.

    .. math:: \sum_{\text{hits } x} e^{-(x - m)^2 / (2 (w/2)^2)}
        - \sum_{\text{false } x} \min(1, d(x) / \tau)

    with the middle m and the width w of the event, the distance d to the nearest anomalous point of
    the series, and :math:`\tau` the tolerance. Unbounded, and a sum: it grows with the length
    of the data. 0: nothing is flagged.

    Parameters
    ----------
    tolerance : int or duration
        From how many points, or how much time, on a false alarm costs a whole one; 0 and 1
        are the same.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 1, 0, 0])
    >>> WeightedDifference(2)(np.array([0, 0, 0, 1, 0, 1, 1]) > 0, events)  # 1 - 1/2 - 1
    -0.5
    """

    tolerance: int = time_length(5, 0, "exact")

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge flags."""
        middle = events.spread(events.starts + events.stops - 1) / 2
        place = (np.flatnonzero(events.labels) - middle) / events.spread(events.widths / 2)
        hits = np.exp(-(place**2) / 2)[flags[events.labels]]
        false = _distances(np.flatnonzero(flags & events.normal), events)
        return float(hits.sum() - np.minimum(false / max(self.tolerance, 1), 1).sum())


def _distances(points: Positions, events: Events) -> Floats:
    """The distance from each point to the nearest event of its series; infinite without."""
    bounds = events.series_bounds
    home = np.searchsorted(bounds, points, side="right") - 1
    place = np.searchsorted(events.starts, points)
    ends = np.append(-1, events.stops - 1)[place]
    begins = np.append(events.starts, events.n)[place]
    left = np.where(ends >= bounds[home], points - ends, np.inf)
    right = np.where(begins < bounds[home + 1], begins - points, np.inf)
    return np.minimum(left, right)
