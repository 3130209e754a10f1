"""Intervals of areas, and how much ``best(...)`` flatters.

What each unit of evidence has above each of some thresholds is counted once: its row. An area is a
measure of the sum of these rows, as a rate is at one threshold, and has the same interval.

Half a missed event is imagined, one like normal time, and a tenth of a clear one, which lies above
all normal time: without it too many intervals of three dim events ended below the truth.

How much a chosen threshold flatters is drawn: an event is one piece of time, a normal stretch
between events another, and what a draw of pieces does to a curve is a product of two small
matrices, however long the series is.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.count.points import PointCount, moved_together
from adjudge.data.intervals import bincount, distinct, repeat
from adjudge.measure.curves import ap, auc_pr, auc_roc
from adjudge.measure.rates import FBeta
from adjudge.noise.intervals.evidence import NONE, Evidence, evidence
from adjudge.noise.intervals.spread import NormalTime, spread
from adjudge.noise.intervals.student import ends
from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjudge._typing import Array, Floats, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.data.case import Case
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.spread import Spread
    from adjudge.noise.intervals.units import Units

LEVELS = 200
_SOME = 10_000  # points from which the levels are chosen
MOST = 2000
"""Units, events or stretches beyond this number are taken together."""
_PART = 1 << 18  # points at a time: a few megabytes
_DRAWS, _AT_A_TIME = 400, 50  # few enough to stay in the processor's own memory
_WEIGHTS = 5000  # the same for the weights of a few pieces
_MISSED, _CLEAR = 0.5, 0.1  # how much of such events is imagined


class Sides(NamedTuple):
    """Adjusted scores of anomalous points, and of normal ones in each layer with its share.

    Layers of an adjustment differ in their false alarms alone: what is found is found in all.
    """

    inside: Array
    normal: list[tuple[float, Array]]


class LevelPlaces(NamedTuple):
    """Above how many of the levels each anomalous and each normal point lies."""

    levels: int
    inside: Positions
    normal: list[tuple[float, Positions]]


class StretchCounts(NamedTuple):
    """How many points each piece has at or above each threshold, from the highest down.

    Of thresholds between which no event gains a point the highest alone can be the best: the others
    are left out.
    """

    events: Floats
    stretches: Floats


class CutTime:
    """Events and the normal stretches between them: pieces of time that the labels alone cut.

    Parameters
    ----------
    events : Events
        The truth: at least one event and one normal point.
    """

    def __init__(self, events: Events) -> None:
        self._events = events
        self._drawn: dict[tuple[int, int], tuple[Draws, Draws]] = {}

    def drop(self) -> None:
        """Let go of what takes most memory, and little time."""
        self._drawn.clear()
        vars(self).pop("stretch", None)

    @cached_property
    def event(self) -> Positions:
        """The number of the event that each anomalous point belongs to."""
        return repeat(_grouped(len(self._events)), self._events.widths)

    @cached_property
    def stretch(self) -> Positions:
        """The number of the stretch that each normal point belongs to."""
        events = self._events
        edges = np.zeros(events.n + 1, bool)
        for side in (events.series_bounds, events.starts, events.stops):
            edges[side] = True
        number = np.cumsum(edges[:-1], dtype=np.int32)[events.normal]
        rises = np.zeros(number.size, bool)
        np.not_equal(number[1:], number[:-1], out=rises[1:])
        np.cumsum(rises, out=number)
        return np.asarray(_grouped(int(number[-1]) + 1)[number])

    def drawn(self, draws: int, seed: int) -> tuple[Draws, Draws]:
        """The draws of events and of stretches: the same for all detectors of a seed."""
        if (draws, seed) not in self._drawn:
            rng = generator(seed)
            events, stretches = (
                Draws.of(piece, draws, rng) for piece in (self.event, self.stretch)
            )
            self._drawn[draws, seed] = events, stretches
        return self._drawn[draws, seed]


class Draws(NamedTuple):
    """How often each piece is drawn in each draw, in small numbers."""

    times: Array
    scale: Floats
    """What makes each draw as long as the time that there is."""

    @classmethod
    def of(cls, piece: Positions, draws: int, rng: np.random.Generator) -> Draws:
        """Draw as many pieces as there are, so many times."""
        points = counted(np.ones(piece.size, np.uint8), piece, 1)[:, 0]
        times = np.empty((draws, points.size), np.uint16)  # there are at most MOST pieces
        scale = np.empty((draws, 1))
        rows = max(_AT_A_TIME, _PART // points.size)
        for start in range(0, draws, rows):
            part = slice(start, start + rows)
            drawn = times_drawn(points.size, len(scale[part]), rng)
            times[part], scale[part, 0] = drawn, points.sum() / (drawn @ points)
        return cls(times, scale)

    def weights(self, part: slice) -> Floats:
        """The weight of each piece in some of the draws."""
        return np.asarray(self.times[part] * self.scale[part])


class CasePieces:
    """The pieces of a case under any adjustment: each is counted once.

    Parameters
    ----------
    case : Case
        Labels and scores: at least one event and one normal point.
    cut : CutTime, optional
        Its pieces of time, if they are known already.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.case import Case
    >>> pieces = CasePieces(Case([0, 0, 1, 1, 0], [0.1, 0.5, 0.5, 0.9, 0.5])).of(raw)
    >>> pieces.events  # at or above 0.9 and 0.5; at 0.1 no event has more
    array([[1., 2.]])
    >>> pieces.stretches
    array([[0., 1.],
           [0., 1.]])
    """

    def __init__(self, case: Case, cut: CutTime | None = None) -> None:
        self.case, self.cut = case, cut or CutTime(case.events)
        self._placed: dict[Adjustment, LevelPlaces] = {}
        self._made: dict[Adjustment, StretchCounts] = {}
        self._normal: tuple[Array, Array] | None = None
        self._rows: tuple[Adjustment, Units, Floats] | None = None

    def of(self, adjust: Adjustment) -> StretchCounts:
        """Count the points of each piece above each level of the adjusted scores."""
        if adjust not in self._made:
            points = self._gaining(adjust)
            self._made.clear()  # these are large, and few metrics share them
            self._made[adjust] = StretchCounts(
                counted(points.inside, self.cut.event, points.levels),
                _mixed(points, self.cut.stretch),
            )
        return self._made[adjust]

    def drop(self) -> None:
        """Let go of what the last metric needed."""
        self._placed.clear()
        self._made.clear()
        self._normal = self._rows = None
        self.cut.drop()

    def by(self, adjust: Adjustment, units: Units) -> Floats:
        """Count the points of each unit: (units, 2, levels), anomalous points first."""
        if self._rows is None or self._rows[0] != adjust or self._rows[1] is not units:
            self._rows = adjust, units, by_units(self._at(adjust), units)
        return self._rows[2]

    def adjusted(self, adjust: Adjustment, scores: Array) -> Sides:
        """Adjust scores, and part anomalous from normal points."""
        events, normal = self.case.events, []
        layers = adjust.layers(events)
        whole = sum(weight for weight, _ in layers)
        for weight, layer in layers:
            adjusted = layer(scores, events)
            inside = adjusted[events.labels]
            apart = not np.may_share_memory(adjusted, scores)
            own = moved_together(adjusted, events.normal) if apart else adjusted[events.normal]
            normal.append((weight / whole, own))
        return Sides(inside, normal)

    def _at(self, adjust: Adjustment) -> LevelPlaces:
        if adjust not in self._placed:
            self._placed[adjust] = placed(*self._sides(adjust))
        return self._placed[adjust]

    def _gaining(self, adjust: Adjustment) -> LevelPlaces:
        """Place the points among those levels alone at which an event has more than above."""
        sides, levels = self._sides(adjust)
        place = _places(sides.inside, levels)
        gains = bincount(place, minlength=1 + len(levels)) > 0
        levels = levels[gains[1:]]
        above = np.cumsum(gains, dtype=np.int64)
        return placed(sides, levels)._replace(inside=above[place])

    def _sides(self, adjust: Adjustment) -> tuple[Sides, Array]:
        """The adjusted scores of anomalous and of normal points, and the levels."""
        sides = self.adjusted(adjust, self.case.scores)
        normal = every_normal(sides)
        return sides, chosen_levels(sides.inside, normal, self._levels_of(normal))

    def _levels_of(self, normal: Array) -> Array:
        """The levels of normal points: most adjustments leave these as they are."""
        if normal.size > _PART:  # many are not kept
            return levels_of(normal)
        if self._normal is None or not np.array_equal(self._normal[0], normal):
            self._normal = normal, levels_of(normal)
        return self._normal[1]


def chosen_levels(inside: Array, normal: Array, known: Array | None = None) -> Array:
    """Choose thresholds by rank: of the anomalous points, and of the normal ones, if not known."""
    parts = levels_of(inside), levels_of(normal) if known is None else known
    lowest = min(inside.min(), normal.min())  # at which everything is flagged
    return distinct(np.append(np.concatenate(parts), lowest))


def levels_of(scores: Array) -> Array:
    """Choose thresholds of some points by rank."""
    some = np.sort(scores[:: max(1, scores.size // _SOME)])
    return np.asarray(some[((some.size - 1) * np.linspace(0, 1, LEVELS // 2)).astype(np.int64)])


def every_normal(sides: Sides) -> Array:
    """The adjusted scores of normal points in all layers."""
    (_, first), *others = sides.normal
    return np.concatenate([first, *(own for _, own in others)]) if others else first


def placed(sides: Sides, levels: Array) -> LevelPlaces:
    """Place points among levels."""
    normal = [(share, _places(own, levels)) for share, own in sides.normal]
    return LevelPlaces(len(levels), _places(sides.inside, levels), normal)


def _places(values: Array, levels: Array) -> Positions:
    """Above how many levels values lie, in small numbers and some at a time."""
    places = np.empty(values.size, np.min_scalar_type(len(levels)))
    for part in _parts(values.size):
        places[part] = np.searchsorted(levels, values[part], side="right")
    return places


def _parts(size: int) -> Iterator[slice]:
    """Stretches of an array that take little memory at a time."""
    return (slice(start, start + _PART) for start in range(0, size, _PART))


def counted(place: Positions, piece: Positions, levels: int, count: int | None = None) -> Floats:
    """Count, piece by piece, the points at or above each level, from the highest level down."""
    size = levels + 1
    count = int(piece.max()) + 1 if count is None else count
    counts = np.zeros(count * size, np.int64)
    for part in _parts(place.size):
        key = piece[part].astype(np.int64)
        key *= size
        key += place[part]
        counts += bincount(key, minlength=counts.size)
    return np.cumsum(counts.reshape(-1, size)[:, :0:-1], axis=1, dtype=np.float64)


def by_units(points: LevelPlaces, units: Units) -> Floats:
    """Count the points of each unit above each level: (units, 2, levels)."""
    inside, normal = units.points(MOST)
    count = min(units.count, MOST)
    found = counted(points.inside, inside, points.levels, count)
    return np.stack([found, _mixed(points, normal, count)], axis=1)


def _mixed(points: LevelPlaces, piece: Positions, count: int | None = None) -> Floats:
    """Count normal points piece by piece, the mean over layers by their shares."""
    each = [share * counted(own, piece, points.levels, count) for share, own in points.normal]
    return np.asarray(np.sum(each, axis=0))


def area_evidence(
    metric: Metric,
    case: Any,
    value: float,
    units: Units,
    pieces: CasePieces | None = None,
    level: float = 0.95,
) -> Evidence:
    """An interval for an area, had other events and other normal time occurred.

    Parameters
    ----------
    metric : Metric
        A metric over all thresholds.
    case : Case or AlertCase
        Labels and scores, or alerts that have a score.
    value : float
        Its value on the case.
    units : Units
        The units of evidence.
    pieces : CasePieces, optional
        The pieces of the case, if they are counted already.
    level : float
        How often the interval is to hold the truth.

    Returns
    -------
    Evidence
        The ends, which hold the value, and what they rest on. Nothing where the value is undefined
        and where there are no events or no normal time.

    Examples
    --------
    >>> import adjudge as aj
    >>> from adjudge.noise.intervals.units import units_of
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([0, 1, 0, 1, 0, 1, 0, 1, 0], 50)
    >>> case = aj.Case(labels, rng.normal(size=450) + labels)
    >>> low, high, *_ = area_evidence(aj.auc_roc, case, 0.75, units_of(case.events))
    >>> 0.5 < low < 0.75 < high < 1
    True
    """
    if np.isnan(value) or not case.event_count:
        return NONE
    if case.is_constant:  # as of a detector that has not raised an alarm yet
        words = "all scores are equal: no interval"
        return NONE._replace(unit=units.kind, units=units.count, words=words)
    if not is_sum(metric):
        from adjudge.noise.intervals.jackknife import read_evidence  # noqa: PLC0415 - few need it

        return read_evidence(metric, case, value, units, level)
    if not case.events.normal.any():
        return NONE
    counts, area = pieces or CasePieces(case), AREAS[metric.parts.measure]

    def spread_of(units: Units) -> Spread:
        rows = counts.by(metric.parts.adjust, units)[:, np.newaxis]
        return area_spread(lambda sums: areas(area, sums)[..., 0], rows, units)

    return evidence(units, spread_of, lambda s: ends(s, value, metric.row.range, level))


def is_sum(metric: Metric) -> bool:
    """Whether the area is a measure of sums over points."""
    known = isinstance(metric.parts.counting, PointCount) and metric.parts.measure in AREAS
    return known and not metric.across


def area_spread(
    value: Callable[[Floats], Floats], rows: Floats, units: Units, *, pair: bool = False
) -> Spread:
    """Spread of an area, or of the difference of two: rows are (units, detectors, 2, levels)."""
    total = rows.sum(axis=0)
    found, false = total[:, 0], total[:, 1]
    widths = units.events.widths.astype(np.float64)
    typical = float((widths**2).sum() / widths.sum())
    like_normal, like_events = (typical * side / side[:, -1:] for side in (false, found))
    if pair:
        kinds = like_events, like_normal
        quarters = [np.stack([one[0], two[1]]) for one in kinds for two in kinds]
        pseudo_rows = [(0.25, _of_event(quarter)) for quarter in quarters]
    else:
        clear = np.full_like(like_normal, typical)
        pseudo_rows = [(_MISSED, _of_event(like_normal)), (_CLEAR, _of_event(clear))]
    whole = total + sum(amount * row for amount, row in pseudo_rows)
    at_stake, quiet = _fewest(_stakes(whole, rows, typical), rows, typical), rows.copy()
    quiet[:, :, 0] = 0
    normal = NormalTime(quiet, rows[:, 0, 1, -1])
    return spread(
        value, rows, pseudo_rows, at_stake, units.series_of_unit(MOST), normal, paired=pair
    )


def _of_event(found: Floats) -> Floats:
    return np.stack([found, np.zeros_like(found)], axis=1)


def _stakes(whole: Floats, rows: Floats, typical: float) -> Floats:
    """What each unit had at stake where half of the anomalous points are found: as of F1."""
    at_stake = np.zeros(len(rows) + 1)
    for side, (found, false) in enumerate(whole):
        half = int(np.searchsorted(found, found[-1] / 2))
        f1 = 2 * found[half] / (found[half] + false[half] + found[-1])
        own = 2 * rows[:, side, 0, -1] + f1 * rows[:, side, 1, half]
        at_stake += np.append(own, 2 * typical)
    return at_stake


def _fewest(at_stake: Floats, rows: Floats, typical: float) -> Floats:
    """Stakes; by events alone, where some units have none and the others are fewer by that.

    However many series have no event, they say nothing of how clear events are.
    """
    inside = rows[:, 0, 0, -1]
    if inside.all():
        return at_stake
    by_events = np.append(inside, typical)
    return max(at_stake, by_events, key=lambda own: float((own**2).sum() / own.sum() ** 2))


def areas(area: Callable[[Floats, Floats], Floats], sums: Floats) -> Floats:
    """Areas of sums of found and false points: (..., 2, levels) to (...)."""
    found, false = (sums[..., side, :].reshape(-1, sums.shape[-1]) for side in (0, 1))
    return area(found, false).reshape(sums.shape[:-2])


def optimism(
    metric: Metric,
    case: Case,
    seed: int = 0,
    pieces: CasePieces | None = None,
    draws: int = _DRAWS,
) -> float:
    """Say by how much ``best(...)`` flatters: how much better it does on the events it chose by.

    In each draw the best threshold is chosen anew; there it scores so much more than on the real
    events. But of n real events a share of 1 - (1 - 1/n)^n, about .63, is among the drawn ones
    [1]_; against events of which none was drawn the gain is that much larger. NaN for metrics that
    choose no threshold, and where the masses are not those of points.

    References
    ----------
    .. [1] B. Efron (1983). Estimating the error rate of a prediction rule: improvement on
       cross-validation. Journal of the American Statistical Association 78(382).
    """
    measure, adjust, count = metric.parts
    if not metric.oracle or not isinstance(measure, FBeta) or not isinstance(count, PointCount):
        return np.nan
    if len(case.events) < 2 or not case.events.normal.any():
        return np.nan
    counts = pieces or CasePieces(case)
    both, squared = counts.of(adjust), measure.beta**2
    drawn = counts.cut.drawn(draws, seed)
    truth = float(case.events.widths.sum())
    found, false = (rows.sum(axis=0) for rows in both)
    here = (1 + squared) * found / (squared * truth + found + false)
    gained, rows = np.empty(draws), max(_AT_A_TIME, _WEIGHTS // len(both.stretches))
    for start in range(0, draws, rows):
        part = slice(start, start + rows)
        found, false = (one.weights(part) @ rows for one, rows in zip(drawn, both, strict=True))
        false += squared * truth
        odds = np.divide(found, false, out=found)  # F is highest where these are
        best = odds.argmax(axis=1)
        highest = odds[np.arange(len(best)), best]
        gained[part] = (1 + squared) * highest / (1 + highest) - here[best]
    events = len(case.events)
    return max(float(gained.mean()), 0.0) / (1 - (1 - 1 / events) ** events)


def times_drawn(count: int, draws: int, rng: np.random.Generator) -> Floats:
    """Draw as many things as there are with replacement, and say how often each was drawn.

    >>> times_drawn(3, 2, np.random.default_rng(0)).sum(axis=1)
    array([3., 3.])
    """
    chosen = (
        rng.integers(count, size=(draws, count))
        + np.arange(draws, dtype=np.int64)[:, np.newaxis] * count
    )
    times = bincount(chosen.ravel(), minlength=draws * count)
    return times.reshape(draws, count).astype(np.float64)


def _grouped(count: int) -> Positions:
    return (np.arange(count, dtype=np.int64) * min(count, MOST) // count).astype(np.int16)


def _roc(found: Floats, false: Floats) -> Floats:
    hits, alarms = (np.pad(side / side[:, -1:], ((0, 0), (1, 0))) for side in (found, false))
    return np.asarray((np.diff(alarms, axis=1) * (hits[:, 1:] + hits[:, :-1])).sum(axis=1) / 2)


def _steps(found: Floats, false: Floats) -> Floats:
    steps = np.diff(found / found[:, -1:], axis=1, prepend=0)
    return np.asarray((steps * _precision(found, false)).sum(axis=1))


def _trapezoids(found: Floats, false: Floats) -> Floats:
    steps = np.diff(found / found[:, -1:], axis=1, prepend=0)
    heights = np.pad(_precision(found, false), ((0, 0), (1, 0)), constant_values=1)
    return np.asarray((steps * (heights[:, 1:] + heights[:, :-1])).sum(axis=1) / 2)


def _precision(found: Floats, false: Floats) -> Floats:
    flagged = found + false
    return np.divide(found, flagged, out=np.ones_like(flagged), where=flagged > 0)


AREAS: dict[object, Callable[[Floats, Floats], Floats]] = {
    auc_roc: _roc, ap: _steps, auc_pr: _trapezoids
}  # fmt: skip
