"""Overshoot: how far above an alarm everywhere white noise can get, borders counted.

In the limit of many events far apart an island width of ``sum(s^2) / sum(s)`` keeps noise at the
score of an alarm everywhere. At the borders of events and series an island finds fewer normal
points, so noise marks a little less than it should, and scores a little more.

Expected masses under a null model, exact on the given labels.

For every adjustment but K%-PA a point is marked as soon as one of k(t) neighbouring points is
flagged: its own for the pointwise score, its event's for point adjustment, the normal points of
its window for balanced adjustment. So the expected masses are sums of u(k(t)), with u(k) the
chance that k neighbouring points hold an alarm: no simulation, borders and any mix of widths
included.

Under white noise this is exact whatever the points are. Under shifts u(k) is that of
*neighbouring* points, and a window that straddles a short event has a hole: its k normal points are
counted as if they lay side by side, which makes the false positives a little too few there.

Mean and spread of balanced F under white noise: exactly, or by the delta method.

With islands on normal points only, true and false positives use disjoint points, so they are
independent. With D = b A + TP + FP (A anomalous points, b = beta squared) and
``1/D = integral of z^(D-1)``, both moments are integrals of generating functions, which a
recursion over the points gives exactly.

Null models: detectors that know nothing of the labels.

Two of them, always named. *The same alarms, shifted*: the alarms' own clustering is kept, only
their place is random; this is the fair opponent of a detector at hand. *White noise*: a flag at
each point independently; this is the paper's. It asks too much of a detector whose alarms come in
runs, because scattered flags hit more events.

What both have in common is the one question that expectations need: how likely does a window
of k neighbouring points hold an alarm?

Shared times: whether false alarms come at the times at which events come.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from adjudge.checks import share
from adjudge.count.points import PointCount
from adjudge.count.tally import Tally
from adjudge.data.durations import NANOSECONDS
from adjudge.data.intervals import bincount, runs
from adjudge.tables.look import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.contract import Counting
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric


def expected_value(metric: Metric, events: Events, null: White | Shifted) -> float:
    """The metric of the expected counts; NaN where these are not known."""
    measure, adjust, count = metric.parts
    tally = None if count is None else expected_masses(adjust, count, events, null)
    return math.nan if tally is None else float(measure(tally))


def expected_masses(
    adjust: Adjustment, count: Counting, events: Events, null: BlindDetector
) -> Tally | None:
    """The expected masses, or None where they are not known in closed form.

    >>> from adjudge.adjust.adjustments import point_adjusted
    >>> from adjudge.data.events import Events
    >>> from adjudge.noise.blind_detectors import White
    >>> events = Events.from_intervals([(10, 12)], n=100)
    >>> expected_masses(point_adjusted, PointCount(), events, White(0.5)).found  # 2 * (1 - 1/4)
    1.5
    """
    if not isinstance(count, PointCount):
        return None
    chances = _marked(adjust, events, null)
    if chances is None:
        return None
    found = float(chances[events.labels].sum())
    false = float(chances[events.normal].sum())
    truth, normal = (int(np.count_nonzero(side)) for side in (events.labels, events.normal))
    return Tally(found, truth, found, found + false, normal)


def _marked(adjust: Adjustment, events: Events, null: BlindDetector) -> Floats | None:
    """The chance that each point is flagged after the adjustment."""
    layers = adjust.layers(events)
    chances = np.zeros(events.n)
    for weight, layer in layers:
        reach = layer.reach(events)
        if reach is None:
            marking = adjust.marking_on(events)
            keeps = marking is not None and marking.keeps
            return _covered(marking.needed, events, null) if marking and keeps else None
        for series, (start, stop) in enumerate(pairwise(events.series_bounds)):
            chances[start:stop] += weight * _looked_up(null, reach[start:stop], series)
    return chances / sum(weight for weight, _ in layers)


def _looked_up(null: BlindDetector, reach: Positions, series: int) -> Floats:
    """Ask once for every reach that occurs, not once for every point."""
    most = int(reach.max(initial=0))
    return null.holds(np.arange(most + 1), series)[reach]


def _covered(needed: Positions, events: Events, null: BlindDetector) -> Floats:
    r"""The chances under K%-PA: an event counts whole from m hits on, else point by point.

    .. math:: E[TP_e] = s \Pr(B \ge m) + \sum_{j < m} j \Pr(B = j)
    """
    chances = np.empty(events.n)
    bounds = events.series_bounds
    for series, (start, stop) in enumerate(pairwise(bounds)):
        chances[start:stop] = null.holds(np.array(1), series)
    home = np.searchsorted(bounds, events.starts, side="right") - 1
    wider = int(events.widths.max(initial=0)) + 1
    keys, which = np.unique(home.astype(np.int64) * wider + events.widths, return_inverse=True)
    per_point = np.empty(keys.size)
    for index, (series, width) in enumerate(divmod(key, wider) for key in keys.tolist()):
        hits = null.hits(width, series)
        m = int(needed[np.argmax(which == index)])
        credit = np.where(np.arange(width + 1) >= m, width, np.arange(width + 1))
        per_point[index] = credit @ hits / width
    chances[events.labels] = events.spread(per_point[which])
    return chances


_NODES = 160


class MeanAndSpread(NamedTuple):
    """Mean and standard deviation."""

    mean: float
    sd: float


def exact_moments(events: Events, rate: float, width: int, beta: float = 1) -> MeanAndSpread:
    r"""E[F] and sd(F) of balanced F under white noise.

    .. math::
        E[F] = \frac{1 + b}{bA} \int_0^1 E[TP z^{TP}]\, G(z)\, dv, \qquad z = v^{1/(bA)}

    with G the generating function of the false positives; E[F^2] likewise, with a factor -ln v.

    >>> from adjudge.data.events import Events
    >>> mean, sd = exact_moments(Events.from_intervals([(0, 1)], n=2), 0.5, width=1)
    >>> print(f"{mean:.6f} {sd:.6f}")  # F is 0, 0, 1 or 2/3
    0.416667 0.433013
    """
    mass, b = int(events.widths.sum()), beta**2
    x, weight = np.polynomial.legendre.leggauss(_NODES)
    x, weight = (x + 1) / 2, weight / 2
    v, weight = x**3, weight * 3 * x**2  # v = x^3 tames the logarithm at 0
    z = v ** (1 / (b * mass))
    first, second = _true_positives(events, rate, z)
    false = _false_positives(events, rate, width, z)
    scale = (1 + b) / (b * mass)
    mean = scale * float(weight @ (first * false))
    square = scale**2 * float(weight @ (-np.log(v) * second * false))
    return MeanAndSpread(mean, float(np.sqrt(max(square - mean**2, 0.0))))


def delta_moments(events: Events, rate: float, width: int, beta: float = 1) -> MeanAndSpread:
    """Mean and sd of balanced F under white noise to second order: for long series."""
    mass, b = int(events.widths.sum()), beta**2
    quiet = (1 - rate) ** events.widths.astype(float)
    found = float((events.widths * (1 - quiet)).sum())
    var_found = float((events.widths**2.0 * quiet * (1 - quiet)).sum())
    false, var_false = _false_moments(events, rate, width)
    whole = b * mass + found + false
    value, rest = (1 + b) * found / whole, b * mass + false
    mean = value + (1 + b) * (found * var_false - rest * var_found) / whole**3
    spread = rest**2 * var_found + found**2 * var_false
    return MeanAndSpread(mean, (1 + b) * float(np.sqrt(spread)) / whole**2)


def _true_positives(events: Events, rate: float, z: Floats) -> tuple[Floats, Floats]:
    """E[TP z^TP] and E[TP^2 z^TP]: every event is hit by itself, or not at all."""
    product, first, second = np.ones_like(z), np.zeros_like(z), np.zeros_like(z)
    widths, counts = np.unique(events.widths, return_counts=True)
    for width, count in zip(widths.tolist(), counts.tolist(), strict=True):
        missed = (1 - rate) ** width
        hit = (1 - missed) * z**width
        each = missed + hit
        product = product * each**count
        share = width * np.divide(hit, each, out=np.ones_like(z), where=each > 0)
        first += count * share
        second += count * (width * share - share**2)
    return product * first, product * (first**2 + second)


def _false_positives(events: Events, rate: float, width: int, z: Floats) -> Floats:
    """E[z^FP] by a recursion on the number of points since the last false alarm."""
    product = np.ones_like(z)
    bounds = events.series_bounds
    for start, stop in pairwise(bounds):
        product = product * _one_series(events.normal[start:stop], rate, width, z)
    return product


def _one_series(normal: Flags, rate: float, width: int, z: Floats) -> Floats:
    """Walk one series; after point j it is decided whether point j - (width-1)//2 is marked.

    ``state[i]`` is the mass whose last false alarm lies i points back, ``state[width]`` that of all
    others. The rows turn in place: row ``(top + i) % width`` holds state i.
    """
    behind = (width - 1) // 2
    recent, none, top = np.zeros((width, z.size)), np.ones(z.size), 0
    alarm = np.append(np.where(normal, rate, 0.0), np.zeros(behind))
    for j, p in enumerate(alarm.tolist()):
        top = (top - 1) % width
        oldest = recent[top]
        none = none + oldest
        fresh = 0.0
        if p:
            fresh = p * (none + recent.sum(axis=0) - oldest)
            recent *= 1 - p
            none = none * (1 - p)
        recent[top] = fresh
        if j >= behind and normal[j - behind]:
            recent *= z
    return np.asarray(none + recent.sum(axis=0))


def _false_moments(events: Events, rate: float, width: int) -> tuple[float, float]:
    """Mean and variance of the number of marked normal points."""
    quiet = 1 - rate
    total = mean = variance = 0.0
    bounds = events.series_bounds
    for start, stop in pairwise(bounds):
        normal = events.normal[start:stop]
        sums = np.concatenate([[0], np.cumsum(normal)])
        place = np.flatnonzero(normal)
        first = np.maximum(place - width // 2, 0)
        last = np.minimum(place + (width - 1) // 2 + 1, normal.size)
        mean += float((1 - quiet ** (sums[last] - sums[first]).astype(float)).sum())
        total += place.size
    overlap = 2 * quiet * (1 - quiet ** (width - 1)) / rate if rate else 0.0
    variance = total * (quiet**width * (1 + overlap) - (2 * width - 1) * quiet ** (2 * width))
    return mean, max(variance, 0.0)


class BlindDetector(Protocol):
    """A stationary detector that is blind to the labels."""

    @property
    def name(self) -> str:
        """What to call it in results."""
        ...

    def holds(self, points: Array, series: int, /) -> Floats:
        """The chance that so many neighbouring points of a series hold an alarm."""
        ...

    def hits(self, width: int, series: int, /) -> Floats:
        """The chance of 0, 1, ..., width alarms in a window of so many points."""
        ...

    def draw(self, events: Events, rng: np.random.Generator, /) -> Flags:
        """Draw the flags of such a detector."""
        ...


@dataclass(frozen=True)
class White:
    r"""White noise: each point is flagged independently with probability ``rate``.

    .. math:: u(k) = 1 - (1 - p)^k

    >>> White(0.5).holds(np.array([0, 1, 2]), 0)
    array([0.  , 0.5 , 0.75])
    """

    rate: float

    def __post_init__(self) -> None:
        """Check the rate."""
        object.__setattr__(self, "rate", float(share(self.rate, "rate", zero=True)))

    @property
    def name(self) -> str:
        """What to call it in results."""
        return f"white noise, rate {self.rate:.4g}"

    def holds(self, points: Array, series: int = 0) -> Floats:  # noqa: ARG002 - all are alike
        """The chance that so many neighbouring points hold an alarm."""
        if self.rate == 1:
            return (np.asarray(points) > 0).astype(np.float64)
        return np.asarray(-np.expm1(np.asarray(points) * np.log1p(-self.rate)))

    def hits(self, width: int, series: int = 0) -> Floats:  # noqa: ARG002 - all are alike
        """The binomial chances of 0, 1, ..., width alarms."""
        from scipy.stats import binom  # noqa: PLC0415 - only who asks pays for it

        chances: Floats = binom.pmf(np.arange(width + 1), width, self.rate)
        return chances

    def draw(self, events: Events, rng: np.random.Generator) -> Flags:
        """Draw flags."""
        flags = rng.random(events.n) < self.rate
        return flags if events.judged is None else flags & events.judged


class Shifted:
    r"""The same alarms, circularly shifted within each series by a uniformly random offset.

    With circular gaps g from alarm to alarm (quiet points plus one) on a circle of T points, a
    window of k points is quiet at ``max(0, g - k)`` places per gap, so

    .. math:: u(k) = 1 - \frac{1}{T} \sum_g \max(0, g - k)

    which is exact: the mean over all T shifts. The circle of a series are its judged points.

    >>> from adjudge.data.events import Events
    >>> null = Shifted(np.array([1, 0, 0, 0, 1, 0]) > 0, Events.from_labels([0] * 6))
    >>> null.holds(np.array([1, 2, 3, 4]), 0) * 6
    array([2., 4., 5., 6.])
    """

    name = "the same alarms, shifted"

    def __init__(self, flags: Flags, events: Events) -> None:
        judged = np.ones(events.n, bool) if events.judged is None else events.judged
        self.flags = flags & judged
        self._circles = [
            self.flags[start:stop][judged[start:stop]]
            for start, stop in zip(events.series_bounds[:-1], events.series_bounds[1:], strict=True)
        ]
        self._gaps: dict[int, tuple[Positions, Positions, Positions]] = {}
        self._before: dict[int, Positions] = {}

    def holds(self, points: Array, series: int = 0) -> Floats:
        """The chance that so many neighbouring points of a series hold an alarm."""
        circle = self._circles[series]
        gaps, longer, total = self._sorted_gaps(series)
        if not gaps.size:
            return np.zeros(np.shape(points))
        place = np.searchsorted(gaps, points, side="right")
        quiet = total[place] - longer[place] * np.asarray(points)
        return np.asarray(1 - quiet / circle.size)

    def hits(self, width: int, series: int = 0) -> Floats:
        """The chances of 0, 1, ..., width alarms in a window, over all shifts."""
        size, sums = self._circles[series].size, self._sums(series)
        turns, rest = divmod(width, size)
        counts = turns * sums[size] + sums[rest : rest + size] - sums[:size]
        return np.asarray(bincount(counts, minlength=width + 1) / size)

    def _sums(self, series: int) -> Positions:
        """How many alarms stand before each place of a circle that is laid out twice."""
        if series not in self._before:
            circle = self._circles[series]
            twice = np.concatenate([[False], circle, circle])
            self._before[series] = np.cumsum(twice, dtype=np.int64)
        return self._before[series]

    def _sorted_gaps(self, series: int) -> tuple[Positions, Positions, Positions]:
        """The gaps in order, and how many and how much lie beyond each place."""
        if series not in self._gaps:
            circle = self._circles[series]
            alarms = np.flatnonzero(circle)
            last = [] if not alarms.size else [alarms[0] + circle.size]
            gaps = np.sort(np.diff(np.append(alarms, last))).astype(np.int64)
            total = np.append(np.cumsum(gaps[::-1])[::-1], 0)
            self._gaps[series] = gaps, np.arange(gaps.size, -1, -1), total
        return self._gaps[series]

    def draw(self, events: Events, rng: np.random.Generator) -> Flags:
        """Draw flags: every series turned by an offset of its own."""
        turned = [np.roll(c, rng.integers(c.size)) if c.size else c for c in self._circles]
        flags = np.zeros(events.n, bool)
        flags[slice(None) if events.judged is None else events.judged] = np.concatenate(turned)
        return flags


_RATES = np.geomspace(1e-7, 0.999, 400)


def overshoot(adjust: Adjustment, events: Events) -> float:
    r"""The factor by which white noise can exceed an alarm everywhere, at its best threshold.

    .. math:: \sup_p \frac{2 E[TP]}{A + E[TP] + E[FP]} \Big/ \frac{2Q}{1 + Q}, \qquad
        E = \sum_t 1 - (1 - p)^{k(t)}

    with k(t) the number of points any of which marks point t, just as it is on these labels.

    1: noise never scores more than an alarm everywhere. NaN: no event, no normal point, or a rule
    that is not of this kind.

    >>> from adjudge.adjust.balanced import Balanced
    >>> from adjudge.data.events import Events
    >>> events = Events.from_intervals([(30 * i + 20, 30 * i + 30) for i in range(30)], n=920)
    >>> print(f"{overshoot(Balanced(11), events):.3f}")
    1.002
    """
    reach = adjust.reach(events)
    truth, normal = (int(np.count_nonzero(side)) for side in (events.labels, events.normal))
    if reach is None or not truth or not normal:
        return np.nan
    inside, outside = (_counted(reach[side]) for side in (events.labels, events.normal))

    def factor(rates: Floats) -> Floats:
        found, false = _marked_points(inside, rates), _marked_points(outside, rates)
        return 2 * found / (truth + found + false) / (2 * truth / (truth + truth + normal))

    top = int(np.argmax(factor(_RATES)))
    ends = _RATES[max(top - 1, 0)], _RATES[min(top + 1, _RATES.size - 1)]
    return max(1.0, float(factor(np.linspace(*ends, 200)).max()))


def _counted(reach: Positions) -> tuple[Floats, Positions]:
    points, counts = np.unique(reach, return_counts=True)
    return points.astype(np.float64), counts


def _marked_points(side: tuple[Floats, Positions], rates: Floats) -> Floats:
    """Sum the chances of being marked over the points of one side, rate by rate."""
    points, counts = side
    quiet = np.log1p(-rates)[:, np.newaxis] * points
    return np.asarray(-np.expm1(quiet) @ counts)


_MANY_EVENTS = 0.9  # of the events: the time in which so many come
_SHORTEST_TIME, _LONGEST_TIME = 1 / 6, 0.75  # of a period, and of the normal time
_AHEAD, _RARE = 0.1, 0.01
_POINTS = 1 << 16  # at a time
_FEWEST_PERIODS, _SHORTEST_PERIOD = 3, 8
_MOST_PERIODS, _REGULAR = 2 / 3, 500  # in which regular events come; events that show it
_FEWEST_EVENTS, _FEWEST_IN_PART = 5, 3  # of which a rhythm shows, and a part of the series


def shared_rhythm(events: Events, flags: Flags) -> str:
    """Say whether false alarms come when events come: at a time of day, of a period, in a part.

    Shifts break such a tie as they break that of a detector to its events. The time is the
    shortest in which 90 % of the events come, at least a sixth of the period. Alarms that know
    nothing of it come there as often as normal time does; the words are empty where they do not
    come there clearly more often. Where events come so regularly that a clock finds them, all
    alarms are looked at: a clock then has hardly a false one.

    Parameters
    ----------
    events : Events
        The truth, with its clock if there is one.
    flags : array of bool
        The alarms.

    Returns
    -------
    str

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> hours = np.arange(24 * 40)
    >>> labels = (hours % 24 > 8) & (hours % 24 < 12) & (hours // 24 % 3 == 0)
    >>> flags = (hours % 24 > 7) & (hours % 24 < 14) & (hours * 7 % 11 < 3)
    >>> print(shared_rhythm(Events.from_labels(labels), flags)[:61])
    81 % of its false alarms come at the time of a period of 24 p
    """
    false, _ = runs(flags & events.normal, events.series_bounds[:-1])
    if len(events) < _FEWEST_IN_PART:
        return ""
    found = {1.0: ""}
    for words, phases, turns in _phases(events, false):
        said = f"{{}} of its false alarms come {words} the events come, which is {{}} of"
        _compared(found, events, false, said, _busy(phases, events, turns=turns))
    if min(found) > _RARE and len(events) >= _FEWEST_EVENTS:
        for said, phases in _regular(events):
            every, _ = runs(flags, events.series_bounds[:-1])
            _compared(found, events, every, said, _busy(phases, events, turns=True))
    least = min(found)
    return found[least] if least <= _RARE else ""


def _compared(
    found: dict[float, str],
    events: Events,
    alarms: Positions,
    said: str,
    is_busy: Callable[[Positions], Flags],
) -> None:
    """Add, by its rarity, that more alarms come in a time than normal points do.

    `said` has room for both shares, and goes on with "the normal time".
    """
    time = _normal_share(events, is_busy)
    own = float(is_busy(alarms).mean()) if alarms.size else 0.0
    if time <= _LONGEST_TIME and own >= time + _AHEAD:
        rarity = _tail(round(own * alarms.size), alarms.size, time)
        both = said.format(percent(own), percent(time))
        found.setdefault(rarity, f"{both} the normal time")


def _phases(
    events: Events, alarms: Positions
) -> Iterator[tuple[str, Callable[[Positions], Floats], bool]]:
    """The times that may be shared, of any points, from 0 to 1, and whether 1 is 0 again."""
    bounds = events.whole_series

    def begin(points: Positions) -> tuple[Positions, Positions]:
        home = np.searchsorted(bounds, points, side="right") - 1
        return points - bounds[home], np.diff(bounds)[home]

    def part(points: Positions) -> Floats:
        return np.divide(*begin(points))

    yield "in the part of the series in which", part, False
    if len(events) < _FEWEST_EVENTS or not alarms.size:
        return
    if events.clock is not None:
        instants = events.clock.instants
        for name, length in (("day", NANOSECONDS["d"]), ("week", 7 * NANOSECONDS["d"])):
            if np.ptp(instants) >= _FEWEST_PERIODS * length:
                own = partial(_of_clock, instants, length)
                yield f"at the time of the {name} at which", own, True
    period = _period_of(events, alarms)
    if period is not None:
        yield (
            _of_period(period),
            lambda points: np.asarray(begin(points)[0] % period / period),
            True,
        )


def _regular(events: Events) -> Iterator[tuple[str, Callable[[Positions], Floats]]]:
    """The period at which the events of one series come so regularly that a clock finds them all.

    One comes in most periods: who keeps time then raises hardly a false alarm that would show it.
    The period is about their median distance. Where events begin anywhere, the squared sum of
    their unit vectors of a period, by their number, exceeds x with probability exp(-x).
    """
    starts = events.starts[:_REGULAR]
    at = (starts - starts[0]) / (starts[-1] - starts[0])
    apart = np.sort(np.diff(at))  # of which np.median would import numpy.ma
    about = 1 / float(apart[apart.size // 2])
    if events.series_count > 1 or about > 2 * at.size:
        return
    counts = np.arange(math.floor(0.9 * about), math.ceil(1.1 * about) + 1)
    power = np.abs(np.exp(2j * np.pi * np.outer(counts, at)).sum(axis=1)) ** 2 / at.size
    count = int(counts[np.argmax(power)])
    if power.max() >= math.log(at.size / _RARE) and at.size - 1 >= _MOST_PERIODS * count:
        period = float(starts[-1] - starts[0]) / count
        said = (
            f"the events come about every {period:.4g} points, so that a timer would find them "
            "too, and {} of its alarms come at these times, which are {} of"
        )
        yield said, lambda points: np.asarray(points % period / period)


def _of_period(period: float) -> str:
    return f"at the time of a period of {period:.4g} points at which"


def _of_clock(instants: Positions, length: int, points: Positions) -> Floats:
    return np.asarray(instants[points] % length / length)


def _normal_share(events: Events, is_busy: Callable[[Positions], Flags]) -> float:
    """The share of the normal points that lie in a time, some points at a time."""
    inside = points = 0
    for first in range(0, events.n, _POINTS):
        normal = first + np.flatnonzero(events.normal[first : first + _POINTS])
        inside, points = inside + int(np.count_nonzero(is_busy(normal))), points + normal.size
    return inside / points


def _busy(
    phases: Callable[[Positions], Floats], events: Events, *, turns: bool
) -> Callable[[Positions], Flags]:
    """Tell which points lie in the shortest time in which most events begin and end."""
    begins = phases(events.starts)
    order = np.argsort(begins, kind="stable")
    first = begins[order]
    last = first + ((phases(events.stops - 1) - begins) % 1)[order]
    most = int(np.ceil(_MANY_EVENTS * order.size))
    if turns:
        first, last = np.append(first, first), np.append(last, last + 1)
    spans = last[most - 1 :] - first[: first.size - most + 1]
    one = int(np.argmin(spans[: order.size]))
    more = max(_SHORTEST_TIME - spans[one], 0) / 2  # alarms need not keep so close to the events
    begin, end = first[one] - more, first[one] + spans[one] + more

    def is_busy(points: Positions) -> Flags:
        at = phases(points)
        if turns:
            return np.asarray((at - begin) % 1 <= end - begin)
        return np.asarray((begin <= at) & (at <= end))

    return is_busy


def _period_of(events: Events, alarms: Positions) -> float | None:
    """The period that the events and the false alarms of one series surely share.

    Where both begin anywhere, the product of the sums of their unit vectors of a period, by the
    root of their numbers, exceeds x with probability exp(-2 x) / 2.
    """
    if events.series_count > 1:
        return None
    waves = []
    for places in (events.starts, alarms):
        begin = np.zeros(events.n)
        begin[places] = 1
        periods = slice(_FEWEST_PERIODS, events.n // _SHORTEST_PERIOD + 1)
        waves.append(np.fft.rfft(begin)[periods].copy())
    shared = (waves[0] * np.conj(waves[1])).real / np.sqrt(len(events) * alarms.size)
    if not shared.size or 2 * shared.max() < np.log(shared.size / (2 * _RARE)):
        return None
    return float(events.n / (_FEWEST_PERIODS + int(np.argmax(shared))))


def _tail(reached: int, alarms: int, share: float) -> float:
    """How often so many of some independent alarms, or more, come into a share of the time."""
    from scipy.special import bdtrc  # noqa: PLC0415 - only who needs it pays for it

    return float(bdtrc(reached - 1, alarms, share))
