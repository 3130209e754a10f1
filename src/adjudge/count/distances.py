"""Count distances: how far each anomalous point lies from an alarm, and each alarm from an event.

The cost of a point is its distance to the nearest point of the other side, in points of time: 0
where a flag meets an event, and the length of the series where the other side has nothing there.
Distances never run from one series into another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from adjudge.checks import word
from adjudge.count.ledger import AlarmRows, Ledger, first_touched, flagged_runs, truth_rows

if TYPE_CHECKING:
    from adjudge._typing import Flags, Positions
    from adjudge.adjust import Adjustment
    from adjudge.count.tally import Tally
    from adjudge.data.events import Events

SIDES = ("both", "truth", "alarms")


@dataclass(frozen=True)
class Distances:
    """Weigh every point 1, and charge it with its distance to the other side.

    So a row's cost (weight less credit) is the sum of the distances of its points: on the truth
    side of the points of an event, on the alarm side of those of a flagged run. A credit is
    negative where the points lie more than one point off on average.

    >>> from adjudge.adjust import raw
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 1, 1, 0])
    >>> Distances().ledger(np.array([1, 0, 0, 1, 0, 0]) > 0, events, raw).tally
    Tally(found=1, truth=2, right=-1, flagged=2, normal=nan)
    """

    charges: ClassVar[bool] = True
    """What a row adds is its weight less its credit."""

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for every event and every flagged run."""
        sides = _sides(adjust(flags, events), events)
        return _ledger(sides, *((side.widths, side.total) for side in sides[:2]))


@dataclass(frozen=True)
class Farthest:
    """Weigh 1 the event and the run with the farthest point, and charge them with its distance.

    The earliest of them, among equals. All others weigh nothing.

    >>> from adjudge.adjust import raw
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 1, 1, 0])
    >>> Farthest().ledger(np.array([1, 0, 0, 1, 0, 0]) > 0, events, raw).tally
    Tally(found=0, truth=1, right=-2, flagged=1, normal=nan)
    """

    charges: ClassVar[bool] = True
    resamples: ClassVar[bool] = False
    """Rows drawn again need not hold their own farthest point: their sums would mean nothing."""

    def ledger(self, flags: Flags, events: Events, adjust: Adjustment) -> Ledger:
        """Account for the two farthest points."""
        sides = _sides(adjust(flags, events), events)
        chosen = [np.arange(side.top.size) == _place_of_largest(side.top) for side in sides[:2]]
        columns = (
            (mine.astype(np.int64), side.top * mine)
            for side, mine in zip(sides[:2], chosen, strict=True)
        )
        return _ledger(sides, *columns)


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
class ChamferDistance:
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

    side: str = "both"

    def __post_init__(self) -> None:
        """Check the word."""
        word(self.side, "side", SIDES)

    def __call__(self, tally: Tally) -> Any:
        """Add the means of the two sides."""
        truth, alarms = _means(tally)
        both = np.where(np.isnan(truth), alarms, truth) + np.where(np.isnan(alarms), truth, alarms)
        return {"truth": truth, "alarms": alarms, "both": both}[self.side]


@dataclass(frozen=True)
class HausdorffDistance:
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

    side: str = "both"

    def __post_init__(self) -> None:
        """Check the word."""
        word(self.side, "side", SIDES)

    def __call__(self, tally: Tally) -> Any:
        """Take the larger of the two sides."""
        truth, alarms = _means(tally)
        return {"truth": truth, "alarms": alarms, "both": np.fmax(truth, alarms)}[self.side]


class _Side(NamedTuple):
    """Events, or flagged runs: where they lie and how far from the other side."""

    starts: Positions
    stops: Positions
    total: Positions
    """Sum of the distances of its points."""
    top: Positions
    """Distance of its farthest point."""

    @property
    def widths(self) -> Positions:
        return self.stops - self.starts


def _sides(flags: Flags, events: Events) -> tuple[_Side, _Side, Flags, Events]:
    truth, alarms = (events.starts, events.stops), flagged_runs(flags, events)
    bounds = events.series_bounds
    return _side(truth, alarms, bounds), _side(alarms, truth, bounds), flags, events


def _side(
    mine: tuple[Positions, Positions], other: tuple[Positions, Positions], bounds: Positions
) -> _Side:
    starts, stops = mine
    widths = stops - starts
    offset = np.cumsum(widths) - widths
    points = np.arange(widths.sum()) + np.repeat(starts - offset, widths)
    far = _nearest(points, *other, bounds)
    total, top = (ufunc.reduceat(far, offset) for ufunc in (np.add, np.maximum))
    return _Side(starts, stops, total, top)


def _nearest(
    points: Positions, starts: Positions, stops: Positions, bounds: Positions
) -> Positions:
    """Give each point's distance to the nearest interval of its series, or the series' length."""
    home = np.searchsorted(bounds, points, side="right") - 1
    first, end = bounds[home], bounds[home + 1]
    place = np.searchsorted(starts, points, side="right")
    length = end - first
    ends, begins = np.append(-1, stops - 1)[place], np.append(starts, bounds[-1])[place]
    left = np.where(ends >= first, np.maximum(points - ends, 0), length)
    right = np.where(begins < end, begins - points, length)
    return np.minimum(left, right)


def _ledger(
    sides: tuple[_Side, _Side, Flags, Events],
    truth: tuple[Positions, Positions],
    alarms: tuple[Positions, Positions],
) -> Ledger:
    """Make rows of weights and costs."""
    _, runs, flags, events = sides
    weight, cost = truth
    rows = truth_rows(flags, events, weight, weight - cost)
    weight, cost = alarms
    span = runs.starts, runs.stops
    event = first_touched(*span, events)
    return Ledger(rows, AlarmRows(*span, event, *span, weight, weight - cost))


def _place_of_largest(values: Positions) -> int:
    return int(np.argmax(values)) if values.size else -1


def _means(tally: Tally) -> tuple[Any, Any]:
    """Give the mean cost on either side; NaN without points."""
    found, truth, right, flagged = (np.asarray(mass, np.float64) for mass in tally[:4])
    with np.errstate(invalid="ignore"):
        return (truth - found) / truth, (flagged - right) / flagged
