"""Measures of distances: sums, means and maxima of what `adjudge.count.distances` counts.

There the weight of a row less its credit is the distance that it adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from adjudge.checks import word
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from adjudge.count.tally import Tally

Sides = Literal["both", "truth", "alarms"]


def temporal_distance(tally: Tally) -> Any:
    r"""Sum of the distances of all anomalous and all flagged points to the other side.

    .. math:: \sum_{y \in Y} d(y, X) + \sum_{x \in X} d(x, Y)

    for anomalous points Y and flagged points X. 0: flags are labels (or there is neither). There is
    no upper end: it grows with the number of points on both sides.

    >>> from adjudge.count.tally import Tally
    >>> temporal_distance(Tally(found=1, truth=2, right=-1, flagged=2)).item()
    4
    """
    found, truth, right, flagged, _ = tally
    return np.asarray(truth) - found + flagged - right


@dataclass(frozen=True)
class ChamferDistance(Settings):
    r"""Mean distance of the anomalous points to an alarm, plus that of flagged points to an event.

    .. math:: \frac{1}{|Y|} \sum_{y \in Y} d(y, X) + \frac{1}{|X|} \sum_{x \in X} d(x, Y)

    0: flags are labels. Where one of the two sides has no point, its mean is not defined, and
    the other, which then is the length of the series, counts twice: the worst that there is. NaN:
    neither side has a point.

    Parameters
    ----------
    side : "both", "truth" or "alarms"
        Both means, or one of them alone; NaN where that side has no point.

    Examples
    --------
    >>> from adjudge.count.tally import Tally
    >>> ChamferDistance()(Tally(found=1, truth=2, right=-1, flagged=2)).item()
    2.0
    """

    side: Sides = setting("both", word, get_args(Sides))

    def __call__(self, tally: Tally) -> Any:
        """Add the means of the two sides."""
        truth, alarms = _means(tally)
        both = np.where(np.isnan(truth), alarms, truth) + np.where(np.isnan(alarms), truth, alarms)
        return {"truth": truth, "alarms": alarms, "both": both}[self.side]


@dataclass(frozen=True)
class HausdorffDistance(Settings):
    r"""Distance of the point that lies farthest from the other side.

    .. math:: \max\Big(\max_{y \in Y} d(y, X),\; \max_{x \in X} d(x, Y)\Big)

    0: flags are labels. The length of the series: events without alarms, or the reverse. NaN:
    neither.

    Parameters
    ----------
    side : "both", "truth" or "alarms"
        Points of both sides, or of one of them alone; NaN where that side has no point.

    Examples
    --------
    >>> from adjudge.count.tally import Tally
    >>> HausdorffDistance()(Tally(found=0, truth=1, right=-2, flagged=1)).item()
    3.0
    """

    side: Sides = setting("both", word, get_args(Sides))

    def __call__(self, tally: Tally) -> Any:
        """Take the larger of the two sides."""
        truth, alarms = _means(tally)
        return {"truth": truth, "alarms": alarms, "both": np.fmax(truth, alarms)}[self.side]


def is_distance(rate: object) -> bool:
    """Whether it measures distances: what its masses hold is then no share of anything.

    >>> is_distance(ChamferDistance()), is_distance(max)
    (True, False)
    """
    return rate is temporal_distance or isinstance(rate, (ChamferDistance, HausdorffDistance))


def _means(tally: Tally) -> tuple[Any, Any]:
    """The mean cost on either side; NaN without points."""
    found, truth, right, flagged = (np.asarray(mass, np.float64) for mass in tally[:4])
    with np.errstate(divide="ignore", invalid="ignore"):
        return (truth - found) / truth, (flagged - right) / flagged
