"""The area of the coverage-adjusted F-score over every share K at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import Settings, positive, setting
from adjudge.count.tally import Tally
from adjudge.measure.rates import FBeta, at_most_one

if TYPE_CHECKING:
    from adjudge._typing import Flags
    from adjudge.data.events import Events


@dataclass(frozen=True)
class CoverageArea(Settings):
    r"""Mean of the K%-adjusted F-score over K from 0 to 1, exactly.

    .. math:: \int_0^1 F(K)\, dK

    As K rises the events drop out one by one, each at its own covered share; between two shares
    nothing changes, so the integral is a sum over the events. It lies between the pointwise score
    (reached at K = 1 unless an event is covered wholly) and the point-adjusted one (K near 0).

    Parameters
    ----------
    beta : float
        How much more recall weighs than precision.

    References
    ----------
    .. [1] S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly Detection.
       AAAI. arXiv:2109.05257 (which takes the mean over a grid of K).

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([1, 1, 1, 1, 0])
    >>> area = CoverageArea()(np.array([True, False, False, False, False]), events)
    >>> area == 0.25 * 1 + 0.75 * 0.4  # F is 1 up to K = 1/4, and 2/5 from there on
    True
    """

    beta: float = setting(1, positive)

    def __call__(self, flags: Flags, events: Events) -> float:
        """Integrate over K."""
        hits = events.sum(flags)
        shares = hits / events.widths
        order = np.argsort(shares)
        lost = np.where(hits > 0, events.widths - hits, 0)[order]
        found = events.widths[hits > 0].sum() - np.append(0, np.cumsum(lost))
        false = np.count_nonzero(flags & events.normal)
        tally = Tally(found, events.widths.sum(), found, found + false)
        steps = np.diff(np.concatenate([[0.0], shares[order], [1.0]]))
        return float(at_most_one((steps * FBeta(self.beta)(tally))[steps > 0].sum()))
