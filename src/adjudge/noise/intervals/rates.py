"""Intervals of values at a threshold: what each unit of evidence adds to the sums.

A row is what an event was worth, what it earned and what was flagged on its account, and what the
false runs in the normal time of its unit cost. A burst of false alarms lies in one stretch, so it
counts once.

Rows alone know too little when there are few: five events of five found would leave nothing open.
So half an event that is found, half an event that is missed and a third of a false run are imagined
beside the real ones. An imagined event is as long as the weight of the real ones has it,
``sum(s^2) / sum(s)``: with their mean, half an event is next to nothing where one is long.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.count.ledger import FALSE, FOUND, NORMAL, TRUTH, Ledger
from adjudge.count.tally import Tally
from adjudge.measure.lines import of_one_line
from adjudge.measure.rates import cost_per_time, mean_found
from adjudge.noise.intervals.episodes import Clocked
from adjudge.noise.intervals.evidence import NONE, Evidence, evidence
from adjudge.noise.intervals.means import mean_ends, unknown_spread
from adjudge.noise.intervals.spread import NormalTime, finite, more_and_less, spread
from adjudge.noise.intervals.student import Interval, ends
from adjudge.noise.intervals.units import Units, units_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Floats, Positions
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.spread import Spread

HALF, FALSE_RUN = 0.5, 1 / 3
"""How much of a found and of a missed event, and of a false run, is imagined."""
_NUDGE = 1e-4
Kind = Literal["found", "missed", "false"]
"""What is imagined: an event that is found or missed, a false alarm."""


class PseudoRows(NamedTuple):
    """Rows that are imagined beside the real ones: an event or a false run each."""

    found: Floats
    missed: Floats
    false: Floats


class Side:
    """What one detector earned and paid, as the rows of a ledger.

    Parameters
    ----------
    metric, ledger : Metric, Ledger
        What is judged, and its rows.
    alarms : Case or AlertCase
        The alarms that these are rows of.
    at : float, optional
        The threshold.
    """

    def __init__(
        self, metric: Metric, ledger: Ledger, alarms: Any, at: float | None = None
    ) -> None:
        self.metric, self.ledger, self.at, self.alarms = metric, ledger, at, alarms
        self.measure = metric.parts.measure

    @classmethod
    def of(cls, metric: Metric, case: Any, best_at: float | None = None) -> Side:
        """That of a metric at a threshold; for ``best(...)`` it is the best one, maybe known."""
        if metric.across == "macro":
            from adjudge.noise.intervals.lines import SideOfLines  # noqa: PLC0415 - few need it

            return SideOfLines(metric, case, best_at)
        own, alarms, at = metric.decided(case, best_at)
        return cls(metric, own.rows(alarms), alarms, at)

    @property
    def truth(self) -> Events:
        """The events that units of evidence are made of: of several lines those of all as one."""
        return self.alarms.truth if self.metric.across else self.ledger.truth

    @property
    def some(self) -> bool:
        """Whether there is any alarm: what is imagined would else be all there is."""
        return bool(self.alarms.has_alarms)

    @property
    def value(self) -> float:
        """The value of the metric."""
        return float(self.measure(Tally(*self.ledger.sum())))

    def units(self, unit: str, groups: Positions | None = None) -> Units:
        """The units of evidence; where lines have no points, their rows say where events are."""
        if self.metric.across or self.ledger.points is not None:
            return units_of(self.truth, unit, groups)
        clocked = Clocked.of(self.ledger, self.alarms.time, self.alarms.clocks)
        return units_of(self.truth, unit, groups, clocked)

    def by(self, units: Units) -> Floats:
        """The rows of the units: found, truth, right, flagged and normal."""
        if units.kind == "dataset" or units.blocks is not None or self.metric.across:
            return units.of_groups(self.ledger)
        return self.ledger.sum(*self.ledger.units(units.kind))

    def pseudo_rows(self) -> PseudoRows:
        """Imagine an event that is found, one that is missed, and a false alarm.

        Each is the mean of its kind; an event is as long as the weight of the real ones has it.
        Of a sum over lines it is on as many of them as events are.
        """
        events, normal = self.ledger.rows(), self.ledger.sum()[NORMAL]
        hit, truth = events[:, FOUND] > 0, events[:, TRUTH]
        typical = float((truth**2).sum() / truth.sum()) if truth.any() else 0.0
        each = normal / max(len(events), 1)
        kinds: dict[Kind, Floats] = {
            "found": events[hit], "missed": events[~hit], "false": self.ledger.rows(FALSE)
        }  # fmt: skip
        made, lines = [], 1.0
        if self.metric.across:
            lines = len(events) / max(self.alarms.event_count, 1)
        for kind, own in kinds.items():
            rows = own if len(own) else self.supposed(kind)
            row = rows.mean(axis=0) if len(rows) else np.zeros(5)
            if row[TRUTH] > 0:
                row = row * (typical / row[TRUTH])
            row[NORMAL] = 0 * each if kind == "false" else each  # undefined where it is
            made.append(lines * row)
        return PseudoRows(*made)

    def supposed(self, kind: Kind) -> Floats:
        """Rows of a kind of which there are none; some countings know them without a ledger."""
        _, adjust, counting = self.metric.parts
        known = None
        if not self.metric.across and self.ledger.points is not None and counting is not None:
            known = counting.supposed(kind, self.alarms, adjust)
        return imagined_rows(self.metric, kind, self.alarms) if known is None else known


def side_evidence(
    side: Side, units: Units, span: tuple[float, float], level: float = 0.95
) -> Evidence:
    """The interval that the rows of one detector carry; see `interval`."""
    value = side.value
    if math.isnan(value) or not side.some:
        return NONE
    pseudo_rows = side.pseudo_rows()

    def spread_of(units: Units) -> Spread:
        return rate_spread(side.measure, side.by(units), pseudo_rows, units)

    if is_mean_over_found(side.measure, pseudo_rows):
        return _found_evidence(side, units, spread_of, span, level)
    return evidence(units, spread_of, lambda s: ends(s, value, span, level))


def _found_evidence(
    side: Side,
    units: Units,
    spread_of: Callable[[Units], Spread],
    span: tuple[float, float],
    level: float,
) -> Evidence:
    """An interval for a mean over found events, as of delays: many are short and a few are long."""
    found, truth = side.by(units).reshape(-1, 5)[:, :2].T
    own = found[truth > 0] / truth[truth > 0]

    def unknown(found: Spread, units: Units) -> str:
        bounded = math.isfinite(span[1] - span[0])
        return (
            "" if bounded else unknown_spread(own, units.named(found.units_with_value), found, span)
        )

    def ends_of(found: Spread) -> Interval:
        return mean_ends(found, own, found.units_with_value or 0, span, level)

    return evidence(units, spread_of, ends_of, unknown)


def rate_spread(
    measure: Callable[[Tally], Any], rows: Floats, pseudo_rows: PseudoRows, units: Units
) -> Spread:
    """Spread of a value at a threshold."""
    found, missed, false = pseudo_rows
    beside = [(HALF, found), (HALF, missed), (FALSE_RUN, false)]
    of_found = is_mean_over_found(measure, pseudo_rows)
    if of_found:
        beside, found = [], 0 * found

    def value(sums: Floats) -> Floats:
        return measured(measure, sums)

    whole = rows.sum(axis=0) + sum(amount * row for amount, row in beside)
    at_stake = stakes(
        value, whole[np.newaxis], np.concatenate([rows, found[np.newaxis]])[:, np.newaxis]
    )
    spread_ = spread(value, rows, beside, at_stake, units.series_of_unit(), quiet_rows(rows))
    if not of_found:
        return spread_
    return spread_._replace(
        units_with_value=units_with_value(rows.reshape(len(rows), -1, 5).sum(axis=1))
    )


def is_mean_over_found(measure: Callable[[Tally], Any], pseudo_rows: PseudoRows) -> bool:
    """Whether a value is a mean over found events alone, as a delay is.

    Then nothing is imagined: one more event like the mean of the others would make the interval
    narrower, and a missed one would add nothing.
    """
    nothing = np.nan_to_num([pseudo_rows.missed, pseudo_rows.false])
    return of_one_line(measure) is mean_found or not nothing.any()


def units_with_value(rows: Floats) -> int:
    """How many units have a value of their own, whose last axis has what a tally has.

    Of two detectors: of the one that has fewer.
    """
    return int((rows[..., 1] > 0).sum(axis=0).min())


def quiet_rows(rows: Floats) -> NormalTime:
    """The false alarms and the normal time of rows, whose last axis has what a tally has."""
    quiet = np.zeros_like(rows)
    quiet[..., 3], quiet[..., 4] = rows[..., 3] - rows[..., 2], rows[..., 4]
    return NormalTime(quiet, rows.reshape(len(rows), -1)[:, 4])


def stakes(value: Callable[[Floats], Floats], whole: Floats, rows: Floats) -> Floats:
    """What each row had at stake: not how it went, but how far it could have moved the value.

    Its events missed or found, and its false alarms raised or not.

    Parameters
    ----------
    value : callable
        Sums of shape (..., detectors, 5) to values; with one detector sums of shape (..., 5) too.
        Of a mean over lines these stand before the masses, and the stakes are those on each.
    whole : array
        The sums of each detector, (detectors, 5).
    rows : array
        The rows, (rows, detectors, 5).
    """
    slopes = _slopes(value, whole)
    by_found, by_right, by_flagged = slopes[..., 0], slopes[..., 2], slopes[..., 3]
    right, truth = whole[..., 2], whole[..., 1]
    share_right = np.divide(right, truth, out=np.zeros_like(right), where=truth > 0)
    per_truth = np.abs(by_found) + np.abs(by_right + by_flagged) * share_right
    false = rows[..., 3] - rows[..., 2]
    return np.asarray((per_truth * rows[..., 1] + np.abs(by_flagged) * false).sum(axis=1))


def weights(value: Callable[[Floats], Floats], rows: Floats) -> Floats:
    """The weight of each unit in the two values of a difference: its share of what divides them.

    Of recall that is truth, of precision what is flagged, of F1 both: the sums by which a ratio
    falls.

    Parameters
    ----------
    value : callable
        Sums of shape (..., detectors, 5) to the difference of two detectors.
    rows : array
        The rows, (units, detectors, 5).
    """
    slopes = _slopes(value, rows.sum(axis=0))
    slopes[1] *= -1
    more = np.maximum(slopes[..., 3], 0)  # where false alarms alone are counted
    slopes[..., 2] += more
    below = (np.maximum(-slopes, 0) * rows).reshape(len(rows), 2, -1).sum(axis=2)
    total = below.sum(axis=0)
    known = below[:, total > 0] / total[total > 0]
    return known.mean(axis=1) if known.size else np.full(len(rows), 1 / len(rows))


def _slopes(value: Callable[[Floats], Floats], whole: Floats) -> Floats:
    """How a value moves with each of the sums."""
    known = ~np.isnan(whole.ravel())
    by = _NUDGE * max(float(np.fmax.reduce(np.abs(whole), axis=None)), 1.0)
    steps = (np.eye(whole.size)[known] * by).reshape(-1, *whole.shape)
    slopes = np.zeros(whole.size)
    more, less = value(more_and_less(whole, steps))
    slopes[known] = finite((more - less).reshape(-1) / (2 * by))
    return slopes.reshape(whole.shape)


def measured(measure: Callable[[Tally], Any], sums: Floats) -> Floats:
    """Measure sums of found, truth, right, flagged and normal, which stand along the last axis.

    False alarms fill the normal time up, and never exceed it; what they cost may.
    """
    columns: Any = (sums[..., column] for column in range(5))
    found, truth, right, flagged, normal = columns
    if of_one_line(measure) is not cost_per_time:
        flagged = np.fmin(flagged, right + normal)
    return np.asarray(measure(Tally(found, truth, right, flagged, normal)), np.float64)


def imagined_rows(metric: Metric, kind: Kind, alarms: Any) -> Floats:
    """What the metric itself says that events or false alarms would be worth which there are not.

    Of alarms that are the events, of none, of one false alarm of common length.
    """
    ledger = metric.rows(alarms.supposed(kind))
    return ledger.rows(FALSE if kind == "false" else None)
