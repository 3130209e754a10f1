"""PSDS: found events against false alarms per time, over the thresholds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import Settings, positive, setting, share
from adjudge.count.intersections import Intersections
from adjudge.data.time_settings import time_length
from adjudge.measure.rates import at_most_one

if TYPE_CHECKING:
    from adjudge._typing import Array
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Psds(Settings):
    """Area under the share of events found against false alarms per time, up to a largest rate.

    At every threshold events are found and runs are false alarms as `intersection_f1` counts them;
    the curve is the best share found with at most so many false alarms, in steps. 1: every event
    is found without a false alarm. NaN: no event.

    Parameters
    ----------
    dtc : float
        The share of a run that must be anomalous (detection tolerance criterion).
    gtc : float
        The share of an event that must be covered (ground truth intersection criterion).
    per : float or duration
        In how many points, or how much time, false alarms are counted.
    max_rate : float
        The largest rate of false alarms that counts.

    References
    ----------
    .. [1] Ç. Bilen et al. (2020). A Framework for the Robust Evaluation of Sound Event Detection.
       ICASSP. arXiv:1910.08440.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 0, 0, 0, 0, 0])
    >>> Psds(per=8, max_rate=2)(np.array([0, 3, 3, 0, 0, 5, 0, 0.0]), events)
    0.5
    """

    dtc: float = setting(0.5, share)
    gtc: float = setting(0.5, share)
    per: float = time_length(1000, 0, "rate")
    max_rate: float = setting(10, positive)

    def __call__(self, scores: Array, events: Events) -> float:
        """Judge scores."""
        if not len(events):
            return math.nan
        _, tally = Intersections(self.dtc, self.gtc).masses(scores, events).sweep
        points = events.n if events.judged is None else np.count_nonzero(events.judged)
        rates = np.append(0.0, (tally.flagged - tally.right) * self.per / points)
        order = np.argsort(rates, kind="stable")
        reached = np.maximum.accumulate(np.append(0.0, tally.found / len(events))[order])
        edges = np.minimum(np.append(rates[order], self.max_rate), self.max_rate)
        area = (np.diff(edges) * reached).sum() / self.max_rate  # summed as `trapezoid` does
        return float(at_most_one(area))
