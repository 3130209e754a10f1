"""Paired units: what two detectors earned and paid in the same units of evidence.

Both face the same unit with the same difficulty: an event that is easy for one is mostly easy for
the other. So the influence of a unit is one on the *difference*, and what both have in common
cancels out. The imagined event is split in quarters: found by both, by either, and by none; each
detector has its third of a false run.

Scores of two detectors have no scale in common. Their ranks have: the share of points that score as
high. Areas are compared on that scale.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from adjudge.data.case import Case  # noqa: TC001 - for the examples
from adjudge.noise.comparing.flips import (
    BITS,
    FEW_BITS,
    UNTESTED,
    Tested,
    by_flips,
    p_of_exchange,
    widest,
)
from adjudge.noise.intervals.areas import (
    AREAS,
    CasePieces,
    area_spread,
    areas,
    by_units,
    chosen_levels,
    every_normal,
    placed,
)
from adjudge.noise.intervals.evidence import Evidence, evidence, spread_both_ways
from adjudge.noise.intervals.jackknife import spread_without
from adjudge.noise.intervals.rates import (
    FALSE_RUN,
    is_mean_over_found,
    measured,
    quiet_rows,
    stakes,
    units_with_value,
    weights,
)
from adjudge.noise.intervals.spread import spread
from adjudge.noise.intervals.student import Interval, quantile
from adjudge.noise.intervals.units import FEWEST, in_words
from adjudge.noise.shifting.ranks import count_reaching, ranked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Floats
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.rates import Side
    from adjudge.noise.intervals.spread import Moves, Spread
    from adjudge.noise.intervals.units import Units

_QUARTER, _LEVEL = 0.25, 0.95
_FALSE_RUNS = 4  # the place of the first false run among what is imagined
_FEW = 2  # units with false alarms: rarer storms than these may be missing


class Difference(NamedTuple):
    """What the units say of a difference."""

    evidence: Evidence
    spread: Spread
    tested: Tested
    false_units: int | None = None
    """In how many units there is any false alarm, where flips see few of them."""


def rate_difference(sides: tuple[Side, Side], units: Units, own: Own) -> Difference:
    """Compare two detectors, each at its threshold."""
    one, two = (side.pseudo_rows() for side in sides)
    found, missed = (one.found, two.found), (one.missed, two.missed)
    beside = [(_QUARTER, np.stack([x[0], y[1]])) for x in (found, missed) for y in (found, missed)]
    beside.append((FALSE_RUN, np.stack([one.false, 0 * two.false])))
    beside.append((FALSE_RUN, np.stack([0 * one.false, two.false])))
    measure, typical = sides[0].measure, beside[0][1]
    of_found = is_mean_over_found(measure, one) and is_mean_over_found(measure, two)
    if of_found:
        beside, typical = [], 0 * typical

    def value(sums: Floats) -> Floats:
        a, b = np.moveaxis(measured(measure, sums), -1, 0)
        return np.asarray(a - b)

    def spread_of(units: Units) -> Spread:
        rows = np.stack([side.by(units) for side in sides], axis=1)
        whole = rows.sum(axis=0) + sum(amount * row for amount, row in beside)
        at_stake = stakes(value, whole, np.concatenate([rows, typical[np.newaxis]]))
        quiet = quiet_rows(rows)
        if units.kind == "cell":
            return spread(value, rows, beside, at_stake)
        found = spread(value, rows, beside, at_stake, units.series_of_unit(), quiet, paired=True)
        p = p_of_exchange(value, rows, found.alike, own.optimism, BITS)
        moves = found.moves._replace(shares=weights(value, rows), p_exchange=p)
        found = found._replace(moves=moves)
        of_each = rows.reshape(len(rows), 2, -1, 5).sum(axis=2)
        return found._replace(units_with_value=units_with_value(of_each)) if of_found else found

    tested = _difference(units, spread_of, own)
    known, rests = tested.spread.ways(units)[tested.spread.rests_on_episodes]
    rows = np.stack([side.by(rests) for side in sides], axis=1)
    return tested._replace(false_units=_few_false(rows, known.moves))


def _few_false(rows: Floats, moves: Moves) -> int | None:
    """In how many units there is a false alarm, if these are few and move the value."""
    false = (rows[..., 3] - rows[..., 2]).reshape(len(rows), -1) > 0
    count = int(false.any(axis=1).sum())
    charged = np.abs(moves.pseudo_rows[_FALSE_RUNS:]) > 0
    return count if charged.any() and count <= _FEW and not moves.are_few else None


def area_difference(metric: Metric, cases: tuple[Case, Case], units: Units, own: Own) -> Difference:
    """Compare two detectors over all thresholds."""
    pieces, area = CasePieces(cases[0]), AREAS[metric.parts.measure]
    sides = [pieces.adjusted(metric.parts.adjust, on_one_scale(case)) for case in cases]
    normal = np.concatenate([every_normal(side) for side in sides])
    levels = chosen_levels(np.concatenate([side.inside for side in sides]), normal)
    points = [placed(side, levels) for side in sides]

    def value(sums: Floats) -> Floats:
        a, b = np.moveaxis(areas(area, sums), -1, 0)
        return np.asarray(a - b)

    def spread_of(units: Units) -> Spread:
        rows = np.stack([by_units(one, units) for one in points], axis=1)
        found = area_spread(value, rows, units, pair=True)
        if units.kind == "cell":
            return found
        p = p_of_exchange(value, rows, found.alike, own.optimism, FEW_BITS)
        return found._replace(moves=found.moves._replace(p_exchange=p))

    return _difference(units, spread_of, own)


def difference_without(
    sides: Sequence[tuple[Metric, Any]], units: Units, own: Own
) -> Difference | None:
    """Compare two detectors by what becomes of their difference without each unit."""
    span = -own.widest, own.widest
    known = spread_without(sides, own.seen, units, span)
    if known is None:
        return None

    def spread_of(some: Units) -> Spread:
        again = known if some is units else spread_without(sides, own.seen, some, span)
        return cast("Spread", again)

    return _difference(units, spread_of, own)


class Own(NamedTuple):
    """The difference as it was seen, and what is known of it."""

    seen: float
    widest: float
    """The largest difference that there can be."""
    optimism: float = 0.0
    """How much of it is due to thresholds that were chosen on these very events."""

    def less(self, flattered: tuple[float, float]) -> Own:
        """The same, as far as it is known by how much best thresholds flatter either."""
        a, b = (0.0 if math.isnan(by) else by for by in flattered)
        return self._replace(optimism=a - b)


def _difference(units: Units, spread_of: Callable[[Units], Spread], own: Own) -> Difference:
    """An interval and a p-value that say the same about 0."""

    @cache
    def corrected(units: Units) -> Spread:
        found = spread_of(units)
        return found._replace(value=found.value - own.optimism)

    found = spread_both_ways(units, corrected)
    same = f"{units.named()} that differ by the same: no interval" * _differs_alike(found, units)
    interval = evidence(
        units, corrected, lambda some: _tested(some, own).interval, lambda _found, _units: same
    )
    nothing = math.isnan(interval.low)
    return Difference(interval, found, UNTESTED if nothing else _tested(found, own))


def _differs_alike(found: Spread, units: Units) -> bool:
    """Whether few units all differ by the same: then they do not say how far others would."""
    few = any(way.moves.are_few for way, _ in found.ways(units))
    return few and units.count >= FEWEST and found.se == 0 and found.value != 0


def _tested(found: Spread, own: Own) -> Tested:
    """The ends hold the difference that was seen, less what flattered."""
    seen = own.seen - own.optimism
    ways = [found] if found.by_episodes is None else [found, found.by_episodes]
    if any(way.moves.are_few for way in ways):
        by = quantile(found.df, _LEVEL) * found.se
        tested = Tested(_p_value(found, seen), Interval(found.value - by, found.value + by))
    else:
        tested = widest(by_flips(way.moves, seen, way.alike) for way in ways)
    low, high = tested.interval
    ends = Interval(max(min(low, seen), -own.widest), min(max(high, seen), own.widest))
    return tested._replace(interval=ends)


def _p_value(found: Spread, seen: float) -> float:
    """How often units of equally good detectors differ as much as so few, by Student's t."""
    from scipy.special import stdtr  # noqa: PLC0415 - only who needs it pays for it

    if found.se == 0 or seen * found.value <= 0:  # what is imagined decides: nothing is shown
        return 1.0
    return float(2 * stdtr(found.df, -abs(found.value) / found.se))


def on_one_scale(case: Case) -> Floats:
    """Each score as the share of points that score as high, negative: higher is rarer.

    >>> on_one_scale(Case([0, 1, 0, 0], [3.0, 9.0, 3.0, 1.0]))
    array([-0.75, -0.25, -0.75, -1.  ])
    """
    judged = slice(None) if case.events.judged is None else case.events.judged
    scores = case.scores[judged]
    ranks, distinct = ranked(scores)
    shares = np.full(case.events.n, -np.inf)
    shares[judged] = -count_reaching(ranks, distinct)[ranks] / scores.size
    return shares


_POWER = 0.8416  # standard errors for 80 %
_RANGE = 0.8  # how often the range of numbers is to hold the true one
_GUESS = 10  # equal units below which a number is a guess


class Needed(NamedTuple):
    """How many events it takes, and from how few to how many it may."""

    events: int | None
    span: tuple[int, int | None] | None = None
    guess: bool = False
    """Whether so few units, or so unequal ones, tell hardly more than the order of magnitude."""
    of_each: float = 1.0
    """How many events a unit has."""
    unit: str = "event"

    def __str__(self) -> str:
        """Say it in words.

        >>> print(Needed(40, (15, None)))
        40 events (15 or more; the true difference may be zero)
        >>> print(Needed(40, (15, 90), guess=True, of_each=10, unit="series"))
        4 series (2 to 9; a rough estimate)
        """
        text = in_words(self._units(self.events or 0), self.unit)
        if self.span is None:
            return text
        low, high = (None if end is None else self._units(end) for end in self.span)
        notes = [f"{low:,} or more" if high is None else f"{low:,} to {high:,}"]
        notes += ["the true difference may be zero"] * (high is None)
        notes += ["a rough estimate"] * self.guess
        return f"{text} ({'; '.join(notes)})"

    def _units(self, events: int) -> int:
        return math.ceil(events / self.of_each)


def events_needed(found: Spread, events: int) -> Needed:
    r"""Say how many such events show such a difference four times out of five.

    .. math:: N \left( \frac{(t + 0.84) \, se}{d} \right)^2

    since the standard error falls with the root of the number. The range has the ends of an 80 %
    interval in the place of the difference.

    Parameters
    ----------
    found : Spread
        Of the difference.
    events : int
        How many events there are.

    Examples
    --------
    >>> from adjudge.noise.intervals.spread import Spread
    >>> print(events_needed(Spread(0.2, 0.1, 12, 0.1, 12, 1), 12))
    28 events (10 to 265)
    """
    if not events or abs(found.value) <= 1e-12 or found.se == 0:
        return Needed(None)
    spreads = (quantile(found.df, 0.95) + _POWER) * found.se
    by = quantile(found.df, _RANGE) * found.se
    most, least = abs(found.value) + by, abs(found.value) - by
    few, one = (max(3, math.ceil(events * (spreads / d) ** 2)) for d in (most, abs(found.value)))
    many = math.ceil(events * (spreads / least) ** 2) if least > 0 else None
    return Needed(one, (few, many), found.equal < _GUESS)
