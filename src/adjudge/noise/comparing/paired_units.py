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
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from adjudge.data.case import Case  # noqa: TC001 - for the examples
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
from adjudge.noise.intervals.evidence import (
    Evidence,
    Interval,
    evidence,
    in_words,
    quantile,
    spread,
)
from adjudge.noise.intervals.jackknife import spread_without
from adjudge.noise.intervals.rates import (
    FALSE_RUN,
    measured,
    of_found_alone,
    quiet_rows,
    stakes,
    valued,
)
from adjudge.noise.shifting.shifted_scores import count_reaching, ranked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Floats
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.evidence import Spread, Units
    from adjudge.noise.intervals.rates import Side

_QUARTER = 0.25


class Difference(NamedTuple):
    """What the units say of a difference."""

    evidence: Evidence
    spread: Spread
    p_value: float


def rate_difference(sides: tuple[Side, Side], units: Units, own: Own) -> Difference:
    """Compare two detectors, each at its threshold."""
    one, two = (side.imagined() for side in sides)
    found, missed = (one.found, two.found), (one.missed, two.missed)
    beside = [(_QUARTER, np.stack([x[0], y[1]])) for x in (found, missed) for y in (found, missed)]
    beside.append((FALSE_RUN, np.stack([one.false, 0 * two.false])))
    beside.append((FALSE_RUN, np.stack([0 * one.false, two.false])))
    measure, typical = sides[0].measure, beside[0][1]
    of_found = of_found_alone(measure, one) and of_found_alone(measure, two)
    if of_found:
        beside, typical = [], 0 * typical

    def value(sums: Floats) -> Floats:
        a, b = np.moveaxis(measured(measure, sums), -1, 0)
        return np.asarray(a - b)

    def spread_of(units: Units) -> Spread:
        rows = np.stack([side.by(units) for side in sides], axis=1)
        whole = rows.sum(axis=0) + sum(amount * row for amount, row in beside)
        at_stake = stakes(value, whole, np.concatenate([rows, typical[np.newaxis]]))
        found = spread(value, rows, beside, at_stake, units.homes(), quiet_rows(rows))
        of_each = rows.reshape(len(rows), 2, -1, 5).sum(axis=2)
        return found._replace(valued=valued(of_each)) if of_found else found

    return _difference(units, spread_of, own)


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
        return area_spread(value, rows, units, pair=True)

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

    def corrected(units: Units) -> Spread:
        found = spread_of(units)
        return found._replace(value=found.value - own.optimism)

    found = corrected(units)
    interval = evidence(units, corrected, lambda s: _ends(s, own))
    p = math.nan if math.isnan(interval.low) else _p_value(found, own)
    return Difference(interval, found, p)


def _ends(found: Spread, own: Own, level: float = 0.95) -> Interval:
    """The ends hold the difference that was seen, less what flattered."""
    by, seen = quantile(found.df, level) * found.se, own.seen - own.optimism
    low, high = min(found.value - by, seen), max(found.value + by, seen)
    return Interval(max(low, -own.widest), min(high, own.widest))


def _p_value(found: Spread, own: Own) -> float:
    """How often units of equally good detectors differ as much as these."""
    from scipy.special import stdtr  # noqa: PLC0415 - only who needs it pays for it

    seen = own.seen - own.optimism
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
        40 events (15 or more; the true difference may be nothing)
        >>> print(Needed(40, (15, 90), guess=True, of_each=10, unit="series"))
        4 series (2 to 9; a guess from so little evidence)
        """
        text = in_words(self._units(self.events or 0), self.unit)
        if self.span is None:
            return text
        low, high = (None if end is None else self._units(end) for end in self.span)
        notes = [f"{low:,} or more" if high is None else f"{low:,} to {high:,}"]
        notes += ["the true difference may be nothing"] * (high is None)
        notes += ["a guess from so little evidence"] * self.guess
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
    >>> from adjudge.noise.intervals.evidence import Spread
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
