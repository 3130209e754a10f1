"""Whether one line of arithmetic solves a benchmark, corrected for choosing the best of a family.

The value is ``best(f1_ba)``. All lines of the family are shifted by the same offset, and the best
of them is taken at each: that is what choosing the best of the family reaches by chance.

One series hardly ever proves anything: an event that takes 2 % of a series is hit by the highest
point of a shifted line in one of fifty shifts, and a family of twelve hits it more often. So
nothing is said of one series. Over the benchmark the number of series that reach 0.8 is compared
with the exact law of what their shifts reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.adjust.balanced import default_width
from adjudge.data.events import Events
from adjudge.data.intervals import reduceat
from adjudge.lab.inspection.result import CLEAR, CheckResult, Remark, found
from adjudge.noise.assumptions import clause, with_clause
from adjudge.ranking.baselines import one_liners

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.lab.inspection.series import InspectedSeries

SOLVED, NEARLY = 1.0, 0.8
PARTLY, MOSTLY = 0.1, 0.5
"""The excess over chance from which a benchmark is called partly trivial, and trivial."""
SHIFTS = 199
_EQUAL = 1e-12
_MANY = 24
"""Events from which sorting all points costs less than counting them for each event."""


def best_f1_ba(
    starts: Positions, stops: Positions, scores: Floats, width: int, normal: Flags
) -> float:
    """The best F1 with balanced adjustment over all thresholds, islands on normal points.

    Between the maxima of two events a lower threshold only adds false alarms, so the maxima of the
    events are the only candidates, and nothing has to be sorted.

    Parameters
    ----------
    starts, stops : arrays
        The events, at least one.
    scores : array
        One score per point.
    width : int
        How wide an island is: an odd number.
    normal : array of bool
        The points on which alarms are false; what is neither normal nor in an event is not judged.
    """
    borders = np.column_stack((starts, stops)).ravel()
    tops = reduceat(np.maximum, np.append(scores, -np.inf), borders)[::2]
    order = np.argsort(-tops)
    found_points, levels = np.cumsum((stops - starts)[order]), tops[order]
    islands = window_maxima(np.where(normal, scores, -np.inf), width)[normal]
    if len(levels) <= _MANY:
        wrong = np.array([np.count_nonzero(islands >= level) for level in levels])
    else:
        wrong = len(islands) - np.searchsorted(np.sort(islands), levels, side="left")
    values = 2 * found_points / (found_points + wrong + found_points[-1])
    whole = np.append(levels[1:] != levels[:-1], True)  # equal maxima are found together
    return float(values[whole].max())


def window_maxima(values: Floats, width: int) -> Floats:
    """The highest value of the window around each point; what is beyond an end is not there.

    The highest of 2 k points is the higher of two windows of k, so the windows are doubled, which
    takes a third of the time of a moving maximum.

    >>> window_maxima(np.array([1.0, 5, 2, 0, 3]), 3)
    array([5., 5., 5., 3., 3.])
    """
    half, reach = width // 2, 1
    found = np.full(len(values) + 2 * half, -np.inf)
    found[half : half + len(values)] = values
    while 2 * reach <= width:
        found = np.maximum(found[:-reach], found[reach:])
        reach *= 2
    left = width - reach
    return np.asarray(np.maximum(found[: len(found) - left], found[left:]), np.float64)


class BestLine(NamedTuple):
    """The best line of the family on one series."""

    name: str
    value: float
    null: Floats
    """The best of the family at each shift."""
    values: dict[str, float]
    """What each line reaches."""

    @property
    def chance(self) -> float:
        """What the best of the family reaches by chance, on average."""
        return float(self.null.mean())

    @property
    def p_value(self) -> float:
        """How often the best of the family reaches as much by chance."""
        return (1 + int(np.sum(self.null >= self.value - _EQUAL))) / (1 + len(self.null))

    def by_chance(self, level: float) -> float:
        """How often the best of the family reaches a level by chance."""
        return (1 + int(np.sum(self.null >= level))) / (1 + len(self.null))


def best_line(series: InspectedSeries, shifts: int, seed: int) -> BestLine | None:
    """Try every line on every sensor; None without readings, events or normal points."""
    first, n = series.first, series.judged
    starts, stops = (border - first for border in series.events)
    labels = series.labels[first:]
    if not series.has_readings or not len(starts) or labels.all() or n < 2:
        return None
    width = default_width(Events(starts, stops, n))
    moves = np.random.default_rng(seed).permutation(np.arange(1, n))[:shifts]
    several = len(series.values) > 1
    values: dict[str, float] = {}
    null = np.full(len(moves), -np.inf)
    for sensor, readings in series.values.items():
        for name, line in one_liners(readings).items():
            scores, normal = line.scores[first:], _away(labels, line.reach)
            own = f"{name} ({sensor})" if several else name
            values[own] = best_f1_ba(starts, stops, scores, width, normal)
            twice = np.concatenate((scores, scores))
            for place, move in enumerate(moves):
                moved = twice[n - move : 2 * n - move]
                null[place] = max(null[place], best_f1_ba(starts, stops, moved, width, normal))
    best = max(values, key=lambda name: values[name])
    return BestLine(best, values[best], null, values)


def _away(labels: Flags, reach: int) -> Flags:
    """Normal points that no window carries an event to; all of them where nothing else is left."""
    from scipy.ndimage import maximum_filter1d  # noqa: PLC0415 - slow to import

    near = maximum_filter1d(labels.view(np.int8), 2 * reach + 1, mode="constant") > 0
    return ~labels if near.all() else ~near


class LevelReached(NamedTuple):
    """How many series one line reaches a level on, beside chance."""

    series: int
    reached: int
    by_chance: float
    p_value: float

    @property
    def excess(self) -> float:
        """The share of the series that chance leaves over which are reached none the less."""
        left = self.series - self.by_chance
        return max(0.0, (self.reached - self.by_chance) / left) if left > 0 else 0.0


def pooled(lines: Iterable[BestLine], level: float) -> LevelReached:
    """Hold the number of series that reach a level against the exact law of the shifts."""
    own = list(lines)
    chances = [one.by_chance(level) for one in own]
    reached = sum(one.value >= level - _EQUAL for one in own)
    return LevelReached(len(own), reached, sum(chances), tail_of_sum(chances, reached))


def tail_of_sum(chances: Sequence[float], at_least: int) -> float:
    """The chance that so many of several independent things happen: the Poisson binomial law.

    >>> round(tail_of_sum([0.1, 0.2, 0.5, 0.05], 2), 4)
    0.1745
    """
    law = np.ones(1)
    for one in chances:
        law = np.convolve(law, [1 - one, one])
    return float(law[at_least:].sum())


def check_one_liners(lines: Sequence[BestLine | None], shifts: int) -> CheckResult:
    """Whether one line of arithmetic reaches more than chance on many series."""
    own = [one for one in lines if one is not None]
    if not own:
        return found(
            Remark(
                "one-liners",
                "cannot say",
                "No series has both readings and events between normal points.",
            )
        )
    near, solved = pooled(own, NEARLY), pooled(own, SOLVED)
    trivial = near.p_value <= CLEAR and near.excess >= PARTLY
    says = (
        f"On {near.reached:,} of {near.series:,} series one line of arithmetic has a best(f1_ba) "
        f"of {NEARLY} or more; by chance on {near.by_chance:.1f} "
        f"({with_clause(f'p = {near.p_value:.2g}', clause('shifted'))}). On "
        f"{solved.reached:,} it finds every event and nothing else; by chance on "
        f"{solved.by_chance:.1f}."
    )
    if trivial:
        word = "trivial" if near.excess >= MOSTLY else "partly trivial"
        says = f"The benchmark is {word}. {says}"
    return found(
        Remark(
            "one-liners", "flaw" if trivial else "fine", says, None, near.reached / near.series,
            near.by_chance / near.series, near.p_value, limit=CLEAR, shifts=shifts, exact=False,
        )
    )  # fmt: skip
