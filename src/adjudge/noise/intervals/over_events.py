"""Intervals: how far a value might have been from where it is, had other events occurred.

A value at a threshold is a measure of sums over rows: what each event was worth, what it
earned and what was flagged on its account, and what each false run cost. Other events would have
been other rows. So every row gets a random weight, the sums are measured again, and the spread of
the values is what the number of events leaves open. Points play no part: those of one event are
not independent.

Rows alone know too little when there are few: five events of five found would leave nothing open.
So half an event that is found, half an event that is missed and a third of a false run are imagined
beside the real ones. With weights drawn from Gamma(1), and from Gamma(1/2) and Gamma(1/3) for the
imagined, the share of events found follows Beta(d + 1/2, N - d + 1/2), the posterior of Jeffreys,
and the number of false runs Gamma(k + 1/3), whose median is k: with 1/2 too few intervals of
three events held the truth. Widths and costs of the rows are drawn along.

References
----------
.. [1] L. D. Brown, T. T. Cai and A. DasGupta (2001). Interval Estimation for a Binomial
   Proportion. Statistical Science 16(2).
.. [2] D. B. Rubin (1981). The Bayesian Bootstrap. The Annals of Statistics 9(1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import DRAWS, share, whole
from adjudge.count.ledger import flagged_runs
from adjudge.count.tally import Tally
from adjudge.data.case import Case  # noqa: TC001 - for the examples
from adjudge.data.intervals import overlaps, runs
from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.count.ledger import Ledger
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric

FALSE_RUN = 1 / 3  # how much of a false run is imagined
_EVENTS = (0.5, 0.5)  # how much of a found and of a missed event
_MANY = 100  # rows from which on their weighted sums are as good as normal


class Interval(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


UNDEFINED = Interval(np.nan, np.nan)


class EventRows(NamedTuple):
    """The rows of a value: found, truth, right and flagged, one line per event or false run."""

    events: Floats
    false: Floats
    false_starts: Positions
    """Where each false run begins."""
    normal: float
    """How much could have been flagged wrongly; NaN where that cannot be said."""


def interval(
    metric: Metric,
    case: Case,
    level: float = 0.95,
    draws: int = 1000,
    seed: int | np.random.Generator = 0,
) -> Interval:
    """An interval for the value that the detector would get on many more such events.

    Parameters
    ----------
    metric : Metric
        A metric at a threshold. For ``best(...)`` it is the oracle's threshold on this case: the
        interval is about the value at that threshold, and says nothing about how lucky it was.
    case : Case
        Labels and scores.
    level : float
        Share of the draws inside.
    draws : int
        How many draws.
    seed : int or Generator
        The same seed gives the same interval.

    Returns
    -------
    Interval
        ``low`` and ``high``, which always hold the value. NaN for areas, which have no rows (see
        `adjudge.noise.intervals.of_areas`), without events or without an alarm, and where the value
        is undefined.

    Raises
    ------
    InputError
        When ``level`` is no share, or ``draws`` no count.

    Notes
    -----
    A run that touches several events is split among them. How much normal time there is does not
    vary: the quiet part of it is kept, so that false alarms fill it up but never exceed it.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, flags = np.zeros((2, 400), int)
    >>> labels[10::20] = 1
    >>> flags[10:280:20] = 1  # 14 of 20 events, and nothing false
    >>> aj.event_recall(labels, flags)
    0.7
    >>> low, high = interval(aj.event_recall, aj.Case(labels, flags))
    >>> print(f"{low:.2f} to {high:.2f}")
    0.48 to 0.86
    """
    level, draws = share(level, "level"), whole(draws, "draws", 1, DRAWS)
    rng = generator(seed)
    if not metric.resamples or not len(case.events):
        return UNDEFINED
    ledger, flags, _ = metric.ledger(case)
    measure = metric.parts.measure
    value = float(measure(ledger.tally))
    if np.isnan(value) or not flags.any():  # what is imagined would be all there is
        return UNDEFINED
    rows = event_rows(ledger, case.events)
    imagined = imagine(metric, rows, flags, case.events)
    values = measured(measure, drawn_sums(rows, imagined, draws, rng))
    low, high = percentiles(values, level)
    return Interval(min(low, value), max(high, value))


def event_rows(ledger: Ledger, events: Events) -> EventRows:
    """Sum the rows of a ledger by event, and list those of false runs.

    An alarm that touches several events is split among them in equal parts; one that touches
    none stands with the event that the ledger names.
    """
    alarms = ledger.alarms
    mass = np.stack([alarms.credit, alarms.weight], axis=1).astype(np.float64)
    run, event, _ = overlaps(alarms.start, alarms.stop, events.starts, events.stops)
    touched = np.bincount(run, minlength=len(mass))
    named = np.flatnonzero((touched == 0) & (alarms.event >= 0))
    owner, source = np.append(event, alarms.event[named]), np.append(run, named)
    part = mass[source] / np.maximum(touched[source], 1)[:, np.newaxis]
    table = np.zeros((len(events), 4))
    table[:, 0], table[:, 1] = ledger.truth.credit, ledger.truth.weight
    for column in (0, 1):
        table[:, 2 + column] = np.bincount(owner, part[:, column], minlength=len(events))
    alone = np.flatnonzero((touched == 0) & (alarms.event < 0))
    false = np.hstack([np.zeros((alone.size, 2)), mass[alone]])
    return EventRows(table, false, alarms.start[alone], float(ledger.normal))


class Imagined(NamedTuple):
    """Half rows that are imagined beside the real ones."""

    found: Floats
    missed: Floats
    false: Floats


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


def drawn_sums(rows: EventRows, imagined: Imagined, draws: int, rng: np.random.Generator) -> Floats:
    """Weigh the rows at random and sum them: found, truth, right, flagged and normal per draw."""
    count = len(rows.events)
    events = np.vstack([rows.events, imagined.found, imagined.missed])
    events = np.hstack([events, np.ones((count + 2, 1))])
    sums = weighted_sums(events, _EVENTS, draws, rng)
    sums = sums[:, :4] * (count / sums[:, 4:])
    false = weighted_sums(np.vstack([rows.false, imagined.false]), (FALSE_RUN,), draws, rng)
    return np.column_stack([sums + filled_up(false, rows), np.full(draws, rows.normal)])


def filled_up(false: Floats, rows: EventRows) -> Floats:
    """Let false alarms fill the normal time up without exceeding it: its quiet part is kept."""
    if np.isnan(rows.normal):
        return false
    right, flagged = false[:, 2], false[:, 3]
    quiet = max(rows.normal - float((rows.false[:, 3] - rows.false[:, 2]).sum()), 0.0)
    cost = flagged - right
    share_of_time = np.divide(cost, cost + quiet, out=np.ones(len(cost)), where=cost + quiet > 0)
    filled = false.copy()
    filled[:, 3] = right + rows.normal * share_of_time
    return filled


def weighted_sums(
    rows: Floats, last: tuple[float, ...], draws: int, rng: np.random.Generator
) -> Floats:
    """Sum rows with weights from Gamma(1), the last ones from Gammas of the given shapes.

    Of many rows the sums are drawn from the normal distribution with their mean and covariance.

    >>> weighted_sums(np.ones((5, 1)), (0.5,), 20_000, np.random.default_rng(0)).mean().round(1)
    np.float64(4.5)
    """
    shapes = np.ones(len(rows))
    shapes[len(rows) - len(last) :] = last
    if len(rows) <= _MANY:
        return np.asarray(rng.standard_gamma(shapes, (draws, len(rows))) @ rows)
    mean, spread = shapes @ rows, (rows.T * shapes) @ rows
    return np.maximum(rng.multivariate_normal(mean, spread, draws, method="svd"), 0)


def measured(measure: Callable[[Tally], Any], sums: Floats) -> Floats:
    """Measure sums of found, truth, right, flagged and normal, which stand along the last axis."""
    found, truth, right, flagged, normal = np.moveaxis(sums, -1, 0)
    return np.asarray(measure(Tally(found, truth, right, flagged, normal)), np.float64)


def percentiles(values: Floats, level: float) -> Interval:
    """The ends of the middle share of the values; undefined values are left out.

    >>> percentiles(np.array([1.0, 2.0, 3.0, np.nan]), 1)
    Interval(low=1.0, high=3.0)
    """
    defined = values[~np.isnan(values)]
    if not defined.size:
        return UNDEFINED
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


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
