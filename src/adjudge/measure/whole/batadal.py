"""BATADAL's S: how soon attacks are seen, and how well states are told, in one number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudge.adjust.adjustments import raw
from adjudge.checks import share
from adjudge.count.delays import PromptHits
from adjudge.count.points import PointCount
from adjudge.measure.rates import balanced_accuracy, recall
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from adjudge._typing import Flags
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Batadal(Settings):
    r"""Weighted mean of the promptness of first hits and of balanced accuracy.

    .. math:: S = \gamma \cdot \text{TTD} + (1 - \gamma) \cdot \frac{\text{TPR} + \text{TNR}}{2}

    1: flags are labels. .75: everything is flagged; .25: nothing is. NaN: no event, or no normal
    point.

    Parameters
    ----------
    gamma : float
        What promptness weighs.

    References
    ----------
    .. [1] R. Taormina et al. (2018). The Battle of the Attack Detection Algorithms. Journal of
       Water Resources Planning and Management 144(8).

    Examples
    --------
    >>> import numpy as np
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 1, 0])
    >>> Batadal()(np.array([0, 0, 0, 1, 1, 0]) > 0, events)  # half of 1/2 and of (2/3 + 1)/2
    0.6666666666666666
    """

    gamma: float = setting(0.5, share)

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge flags."""
        prompt = float(recall(PromptHits().tally(flags, events, raw)))
        told = float(balanced_accuracy(PointCount().tally(flags, events, raw)))
        return self.gamma * prompt + (1 - self.gamma) * told
