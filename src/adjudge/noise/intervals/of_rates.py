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
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from adjudge.checks import share
from adjudge.count.ledger import flagged_runs
from adjudge.count.tally import Tally
from adjudge.data.case import Case  # noqa: TC001 - for the examples
from adjudge.data.intervals import bincount, overlaps, runs
from adjudge.measure.rates import cost_per_time, mean_found
from adjudge.noise.intervals.evidence import (
    NONE,
    Evidence,
    Interval,
    Quiet,
    Units,
    ends,
    evidence,
    finite,
    more_and_less,
    spread,
    summed_rows,
)
from adjudge.noise.intervals.of_means import mean_ends, unknown_spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.count.ledger import Ledger
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.evidence import Spread

HALF, FALSE_RUN = 0.5, 1 / 3
"""How much of a found and of a missed event, and of a false run, is imagined."""
_NUDGE = 1e-4


class EventRows(NamedTuple):
    """The rows of a value: found, truth, right and flagged, one line per event or false run."""

    events: Floats
    false: Floats
    false_starts: Positions
    """Where each false run begins."""
    normal: float
    """How much could have been flagged wrongly; NaN where that cannot be said."""


class Imagined(NamedTuple):
    """Rows that are imagined beside the real ones: an event or a false run each."""

    found: Floats
    missed: Floats
    false: Floats


class Side:
    """What one detector earned and paid at its threshold.

    Parameters
    ----------
    metric : Metric
        A metric at a threshold; for ``best(...)`` it is the best one on this case.
    case : Case
        Labels and scores.
    best_at : float, optional
        The best threshold, if it is known already.
    """

    def __init__(self, metric: Metric, case: Case, best_at: float | None = None) -> None:
        self.ledger, self.flags, self.at = metric.ledger(case, best_at)
        self.measure = metric.parts.measure
        self.rows = event_rows(self.ledger, case.events)
        self._metric, self._events = metric, case.events

    @property
    def value(self) -> float:
        """The value of the metric."""
        return float(self.measure(self.ledger.tally))

    def by(self, units: Units) -> Floats:
        """The rows of the units: found, truth, right, flagged and normal."""
        rows = units.summed(units.of_event, self.rows.events)
        place = units.edges.searchsorted(self.rows.false_starts, side="right") - 1
        rows += units.summed(units.of_piece[place], self.rows.false)
        points, full = units.normal, np.empty((units.count, 5))
        full[:, :4] = rows
        full[:, 4] = self.rows.normal * points / max(float(points.sum()), 1.0)
        return full

    def imagined(self) -> Imagined:
        """Imagine an event that is found, one that is missed, and a false run."""
        made = imagine(self._metric, self.rows, self.flags, self._events)
        truth = self.rows.events[:, 1]
        typical = float((truth**2).sum() / truth.sum()) if truth.any() else 0.0
        found, missed = (_as_long_as(typical, row) for row in (made.found, made.missed))
        per_event = self.rows.normal / max(len(truth), 1)
        nothing = 0 * per_event  # undefined where it is
        return Imagined(
            np.append(found, per_event),
            np.append(missed, per_event),
            np.append(made.false, nothing),
        )


def rate_evidence(
    metric: Metric,
    case: Case,
    units: Units,
    level: float = 0.95,
    best_at: float | None = None,
) -> Evidence:
    """An interval for the value that the detector would get on many more such units.

    Parameters
    ----------
    metric : Metric
        A metric at a threshold. For ``best(...)`` it is the oracle's threshold on this case: the
        interval is about the value at that threshold, and says nothing about how lucky it was.
    case : Case
        Labels and scores.
    units : Units
        The units of evidence.
    level : float
        How often the interval is to hold the truth.
    best_at : float, optional
        The oracle's threshold, if it is known already.

    Returns
    -------
    Evidence
        The ends, which hold the value, and what they rest on. Nothing for areas, which have no rows
        (see `adjudge.noise.intervals.of_areas`), without events or without an alarm, and where the
        value is undefined.

    Raises
    ------
    InputError
        When ``level`` is no share.

    Notes
    -----
    A run that touches several events is split among them.

    Examples
    --------
    >>> import adjudge as aj
    >>> from adjudge.noise.intervals.evidence import units_of
    >>> labels = np.tile([0, 0, 0, 1, 0], 20)
    >>> flags = labels * np.tile(np.repeat([1, 0, 1, 0], [15, 5, 20, 10]), 2)
    >>> aj.event_recall(labels, flags)  # 14 of 20 events, and nothing false
    0.7
    >>> case = aj.Case(labels, flags)
    >>> found = rate_evidence(aj.event_recall, case, units_of(case.events))
    >>> print(f"{found.low:.2f} to {found.high:.2f}; {found.words}")
    0.46 to 0.88; 20 events
    """
    level = share(level, "level")
    if not metric.resamples or not len(case.events):
        return NONE
    side = Side(metric, case, best_at)
    value = side.value
    if np.isnan(value) or not side.flags.any():  # what is imagined would be all there is
        return NONE
    imagined = side.imagined()

    def spread_of(units: Units) -> Spread:
        return rate_spread(side.measure, side.by(units), imagined, units)

    if of_found_alone(side.measure, imagined):
        return found_evidence(side, units, spread_of, metric.row.range, level)
    return evidence(units, spread_of, lambda s: ends(s, value, metric.row.range, level))


class HasRows(Protocol):
    """What one detector earned and paid, by units."""

    def by(self, units: Units, /) -> Floats:
        """The rows of the units."""
        ...


def found_evidence(
    side: HasRows,
    units: Units,
    spread_of: Callable[[Units], Spread],
    span: tuple[float, float],
    level: float = 0.95,
) -> Evidence:
    """An interval for a mean over found events, as of delays: many are short and a few are long."""
    found, truth = side.by(units)[:, :2].T
    own = found[truth > 0] / truth[truth > 0]

    def unknown(found: Spread, units: Units) -> str:
        bounded = math.isfinite(span[1] - span[0])
        return "" if bounded else unknown_spread(own, units.named(found.valued), found, span)

    def ends_of(found: Spread) -> Interval:
        return mean_ends(found, own, found.valued or 0, span, level)

    return evidence(units, spread_of, ends_of, unknown)


def rate_spread(
    measure: Callable[[Tally], Any], rows: Floats, imagined: Imagined, units: Units
) -> Spread:
    """Spread of a value at a threshold."""
    found, missed, false = imagined
    beside = [(HALF, found), (HALF, missed), (FALSE_RUN, false)]
    of_found = of_found_alone(measure, imagined)
    if of_found:
        beside, found = [], 0 * found

    def value(sums: Floats) -> Floats:
        return measured(measure, sums)

    whole = rows.sum(axis=0) + sum(amount * row for amount, row in beside)
    at_stake = stakes(
        value, whole[np.newaxis], np.concatenate([rows, found[np.newaxis]])[:, np.newaxis]
    )
    spread_ = spread(value, rows, beside, at_stake, units.homes(), quiet_rows(rows))
    return spread_._replace(valued=valued(rows)) if of_found else spread_


def of_found_alone(measure: Callable[[Tally], Any], imagined: Imagined) -> bool:
    """Whether a value is a mean over found events alone, as a delay is.

    Then nothing is imagined: one more event like the mean of the others would make the interval
    narrower, and a missed one would add nothing.
    """
    nothing = np.nan_to_num([imagined.missed, imagined.false])
    return measure is mean_found or not nothing.any()


def valued(rows: Floats) -> int:
    """How many units have a value of their own, whose last axis has what a tally has.

    Of two detectors: of the one that has fewer.
    """
    return int((rows[..., 1] > 0).sum(axis=0).min())


def quiet_rows(rows: Floats) -> Quiet:
    """The false alarms and the normal time of rows, whose last axis has what a tally has."""
    quiet = np.zeros_like(rows)
    quiet[..., 3], quiet[..., 4] = rows[..., 3] - rows[..., 2], rows[..., 4]
    return Quiet(quiet, rows.reshape(len(rows), -1)[:, 4])


def stakes(value: Callable[[Floats], Floats], whole: Floats, rows: Floats) -> Floats:
    """What each row had at stake: not how it went, but how far it could have moved the value.

    Its events missed or found, and its false alarms raised or not.

    Parameters
    ----------
    value : callable
        Sums of shape (..., detectors, 5) to values; with one detector sums of shape (..., 5) too.
    whole : array
        The sums of each detector, (detectors, 5).
    rows : array
        The rows, (rows, detectors, 5).
    """
    slopes = _slopes(value, whole)
    by_found, by_right, by_flagged = slopes[:, 0], slopes[:, 2], slopes[:, 3]
    right, truth = whole[:, 2], whole[:, 1]
    share_right = np.divide(right, truth, out=np.zeros_like(right), where=truth > 0)
    per_truth = np.abs(by_found) + np.abs(by_right + by_flagged) * share_right
    false = rows[..., 3] - rows[..., 2]
    return np.asarray((per_truth * rows[..., 1] + np.abs(by_flagged) * false).sum(axis=1))


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
    if measure is not cost_per_time:
        flagged = np.fmin(flagged, right + normal)
    return np.asarray(measure(Tally(found, truth, right, flagged, normal)), np.float64)


def event_rows(ledger: Ledger, events: Events) -> EventRows:
    """Sum the rows of a ledger by event, and list those of false runs.

    An alarm that touches several events is split among them in equal parts; one that touches
    none stands with the event that the ledger names.
    """
    alarms = ledger.alarms
    mass = np.empty((len(alarms.start), 2))
    mass[:, 0], mass[:, 1] = alarms.credit, alarms.weight
    run, event, _ = overlaps(alarms.start, alarms.stop, events.starts, events.stops)
    touched = bincount(run, minlength=len(mass))
    free = touched == 0
    named = (free & (alarms.event >= 0)).nonzero()[0]
    owner, source = np.concatenate([event, alarms.event[named]]), np.concatenate([run, named])
    part = mass[source] / np.maximum(touched[source], 1)[:, np.newaxis]
    table = np.empty((len(events), 4))
    table[:, 0], table[:, 1] = ledger.truth.credit, ledger.truth.weight
    table[:, 2:] = summed_rows(owner, part, len(events))
    alone = (free & (alarms.event < 0)).nonzero()[0]
    false = np.zeros((alone.size, 4))
    false[:, 2:] = mass[alone]
    return EventRows(table, false, alarms.start[alone], float(ledger.normal))


def imagine(metric: Metric, rows: EventRows, flags: Flags, events: Events) -> Imagined:
    """Imagine an event that is found, one that is missed, and a false run.

    Each is the mean of its kind. Where there is none of a kind, the metric itself says what it
    would be worth: on flags that are the labels, on no flags, on one false run of common length.
    """
    hit = rows.events[:, 0] > 0
    missed = rows.events[~hit] if not hit.all() else _rows_of(metric, flags & False, events).events
    found = rows.events[hit] if hit.any() else _rows_of(metric, events.labels, events).events
    false = rows.false
    if not len(false):
        false = _rows_of(metric, _one_false_run(flags, events), events).false
    return Imagined(*(_mean(kind) for kind in (found, missed, false)))


def _as_long_as(truth: float, row: Floats) -> Floats:
    return row * (truth / row[1]) if row[1] > 0 else row


def _rows_of(metric: Metric, flags: Flags, events: Events) -> EventRows:
    _, adjust, count = metric.parts
    assert count is not None  # noqa: S101 - a metric that resamples has one
    return event_rows(count.ledger(flags, events, adjust), events)


def _one_false_run(flags: Flags, events: Events) -> Flags:
    """Flag as many points as a flagged run has in common, amid the longest normal stretch."""
    alone = np.zeros(events.n, bool)
    starts, stops = runs(events.normal, events.series_bounds[:-1])
    if starts.size:
        begin, end = flagged_runs(flags, events)
        longest = int(np.argmax(stops - starts))
        room = int(stops[longest] - starts[longest])
        length = min(room, max(1, round(float((end - begin).mean())))) if begin.size else 1
        first = int(starts[longest]) + (room - length) // 2
        alone[first : first + length] = True
    return alone


def _mean(rows: Floats) -> Floats:
    return rows.mean(axis=0) if len(rows) else np.zeros(4)
