r"""Spread: how far a value would have moved with other units, by the influence of each unit.

What a unit adds to the sums that a metric measures is its row. With :math:`S` the sum of all rows,

.. math:: I_u = \frac{f(S + \epsilon x_u) - f(S - \epsilon x_u)}{2 \epsilon}

is the influence of a unit, and with its share :math:`h_u` of what is at stake

.. math:: V = c \sum_u \frac{I_u^2}{1 - h_u}, \qquad df = \frac{1 / \sum_u h_u^2 - 1}{c}

are variance [1]_ and degrees of freedom: Kish's number of equal units [2]_, one of them imagined.
Nothing is drawn, so no seed plays a part. Neighbours that fare alike swell the variance by
:math:`c` (`adjudge.noise.intervals.neighbours`).

References
----------
.. [1] J. G. MacKinnon and H. White (1985). Some heteroskedasticity-consistent covariance matrix
   estimators with improved finite sample properties. Journal of Econometrics 29(3).
.. [2] L. Kish (1965). Survey Sampling. Wiley.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.noise.intervals.neighbours import (
    ALIKE,
    FOUND_TOGETHER,
    IN_TIME,
    NOTED,
    QUIET_ALIKE,
    SAME,
    apart,
    cluster_note,
    lag_correlation,
    variance_inflation,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Floats, Positions
    from adjudge.noise.intervals.units import Units

FEWEST_FLIPPED = 8
"""Units from which on flips of signs tell enough."""
_STEP = 0.01
_AT_A_TIME = 1 << 16  # numbers: half a megabyte
_NOTHING = 1e-17


class Moves(NamedTuple):
    """What units add to the difference of two values."""

    own: Floats = np.zeros(0)
    """By how much each unit moves it."""
    shares: Floats = np.zeros(0)
    """The share of each of what is at stake."""
    pseudo_rows: Floats = np.zeros(0)
    """By how much what is imagined beside them would move it."""
    p_exchange: float = math.nan
    """How often both differ as much when they are exchanged in some of the units."""

    @property
    def are_few(self) -> bool:
        """Whether so few of them count that flips of signs tell next to nothing."""
        return int(np.count_nonzero(self.shares)) < FEWEST_FLIPPED


class Spread(NamedTuple):
    """What the units say of a value."""

    value: float
    """With what is imagined beside them."""
    se: float
    df: float
    largest: float
    """The largest share that a unit has of what is at stake."""
    equal: float
    """How many equal units that do not fare alike they count like."""
    alike: float
    """By how much neighbours that fare alike swell the variance."""
    together: str = FOUND_TOGETHER
    """What neighbours are seen to have in common beside what all units have; "": nothing."""
    skewness: float = 0.0
    """Of the value: the sum of the cubes of what units move it by, in standard errors."""
    units_with_value: int | None = None
    """How many units have a value, where some may have none: an event that is missed has no delay.
    None: all have one."""
    moves: Moves = Moves()
    """Of a difference: what each unit adds to it."""
    pseudo_rows: float = 0.0
    """How much of the variance is of what is imagined."""
    by_episodes: Spread | None = None
    """Of units that share a clock: the same by its episodes alone."""
    rests_on_episodes: bool = False
    """Whether these leave more open than units."""

    def across(self, episodes: Spread, cells: Spread) -> Spread:
        """The spread both ways, by units and by the episodes of the clock that they share.

        Where a unit or an episode has all that differs, it is the larger of the two.
        """
        units, other, both = (one.se**2 - one.pseudo_rows for one in (self, episodes, cells))
        variance = max(units, other, units + other - both)
        variance += max(self.pseudo_rows, episodes.pseudo_rows)
        more = other > units
        return self._replace(
            se=math.sqrt(variance), df=min(self.df, episodes.df),
            skewness=episodes.skewness if more else self.skewness,
            by_episodes=episodes, rests_on_episodes=more,
        )  # fmt: skip

    def ways(self, units: Units) -> list[tuple[Spread, Units]]:
        """What is known by units, and by the episodes of the clock that they share, if they do."""
        if self.by_episodes is None or units.both_ways is None:
            return [(self, units)]
        return [(self, units), (self.by_episodes, units.both_ways[0])]


class NormalTime(NamedTuple):
    """What the normal time of each unit alone adds to the sums, and how long it is."""

    rows: Floats
    time: Floats

    def is_correlated(self, series_of_unit: Positions) -> bool:
        """Whether false alarms, or scores, of neighbours are seen to be alike; at little cost."""
        count, total = len(self.rows), float(self.time.sum())
        if count < IN_TIME or not total > 0:
            return False
        false = apart(self.rows.reshape(count, -1).sum(axis=1), self.time / total)
        if not float((false**2).sum()) > SAME * total**2:
            return False
        return lag_correlation(false, series_of_unit, 1) + 1 / count >= NOTED / math.sqrt(count)

    def widened(self, found: Spread, influences: Floats, series_of_unit: Positions) -> Spread:
        """Widen a spread by what neighbours' normal time has in common.

        Whether events are found differs more than how normal time fares, so that the influence of
        whole units hardly shows a storm of false alarms, or scores that wander, over several.
        """
        shares = self.time / self.time.sum()
        beside = apart(influences, shares)
        more = (variance_inflation(beside, shares, series_of_unit) - 1) * float((beside**2).sum())
        by = 1 + more / found.se**2
        return found._replace(
            se=found.se * math.sqrt(by), df=max(found.df / by, 1.0), equal=found.equal / by,
            alike=found.alike * by,
            together=QUIET_ALIKE if found.together or by > ALIKE else "",
        )  # fmt: skip


def spread(
    measure: Callable[[Floats], Floats],
    rows: Floats,
    pseudo_rows: Sequence[tuple[float, Floats]],
    stakes: Floats,
    series_of_unit: Positions | None = None,
    quiet: NormalTime | None = None,
    *,
    paired: bool = False,
) -> Spread:
    """Spread of a measure of sums over units.

    Parameters
    ----------
    measure : callable
        Sums to values, over any leading axes.
    rows : array
        What each unit adds to the sums, along the first axis.
    imagined : pairs of amount and row
        What is imagined beside them.
    stakes : array
        What each unit had at stake, and last the one unit that is imagined; of a mean over lines
        a column for each, since a line of few units moves the value more by each of them.
    homes : array of int, optional
        The series of each unit, where units stand in the order of time.
    quiet : Quiet, optional
        The normal time of each unit, which may be alike for neighbours where events are not.
    paired : bool
        Whether the measure is a difference, of which is also asked what each unit adds to it.

    Examples
    --------
    The mean of 1, 2, 3 and 6: with nothing imagined the usual standard error.

    >>> rows = np.stack([[1.0, 2.0, 3.0, 6.0], np.ones(4)], axis=1)
    >>> stakes = np.array([1, 1, 1, 1, 0])
    >>> found = spread(lambda sums: sums[..., 0] / sums[..., 1], rows, [], stakes)
    >>> print(f"{found.value} {found.se:.4f} {found.df:.0f}")
    3.0 1.0801 3
    """
    shares, pulls = _shares_and_pulls(stakes)
    all_rows = np.empty((len(rows) + len(pseudo_rows), *rows.shape[1:]))
    all_rows[: len(rows)] = rows
    for place, (amount, row) in enumerate(pseudo_rows, len(rows)):
        np.multiply(amount, row, out=all_rows[place])
    real = rows.sum(axis=0)
    whole = real + all_rows[len(rows) :].sum(axis=0)
    moved = influence(measure, whole, all_rows)
    own, beside = moved[: len(rows)], moved[len(rows) :].tolist()
    alike = 1.0 if series_of_unit is None else variance_inflation(own, shares[:-1], series_of_unit)
    squares = own**2
    variance = alike * float((squares / (1 - np.minimum(pulls, 0.99))).sum())
    of_imagined = sum(by**2 / amount for (amount, _), by in zip(pseudo_rows, beside, strict=True))
    se = math.sqrt(variance + of_imagined)
    found = of_shares(float(measure(whole)), se, shares, alike)._replace(pseudo_rows=of_imagined)
    size = float(squares.sum()) ** 1.5
    skewness = float((own**3).sum()) / size if size > 0 else 0.0
    together = "" if series_of_unit is None else cluster_note(own, shares[:-1], series_of_unit)
    found = found._replace(together=together, skewness=skewness)
    if paired:
        adds = influence(measure, real, all_rows)
        found = found._replace(
            moves=Moves(adds[: len(rows)], _shares(shares[:-1]), adds[len(rows) :])
        )
    if series_of_unit is None or quiet is None or not quiet.is_correlated(series_of_unit):
        return found
    in_quiet = influence(measure, whole, quiet.rows)
    of_events = cluster_note(own - in_quiet, shares[:-1], series_of_unit)
    wider = quiet.widened(found, in_quiet, series_of_unit)
    return wider._replace(together=of_events or wider.together)


def of_shares(value: float, se: float, shares: Floats, alike: float = 1.0) -> Spread:
    """A spread whose degrees of freedom follow from the shares of what is at stake."""
    df = (1 / float((shares**2).sum()) - 1) / alike
    real = _shares(shares[:-1])
    equal = 1 / float((real**2).sum()) / alike
    return Spread(value, se, max(df, 1.0), float(real.max()), equal, alike)


def _shares_and_pulls(stakes: Floats) -> tuple[Floats, Floats]:
    """Shares of what is at stake, and by how much each unit pulls the value towards itself.

    That is its share; of a mean over lines its share of each line, by what it has at stake there.

    >>> shares, pulls = _shares_and_pulls(np.array([[4.0, 0.0], [0.0, 2.0], [0.0, 2.0]]))
    >>> shares, pulls
    (array([0.5 , 0.25, 0.25]), array([1. , 0.5]))
    """
    if stakes.ndim == 1:
        shares = _shares(stakes)
        return shares, shares[:-1]
    own = stakes.sum(axis=1)
    of_line = stakes / np.maximum(stakes.sum(axis=0), _NOTHING)
    pulls = (stakes * of_line).sum(axis=1) / np.maximum(own, _NOTHING)
    return _shares(own), pulls[:-1]


def _shares(stakes: Floats) -> Floats:
    """Shares of what is at stake; where nothing is, all units count alike."""
    total = float(stakes.sum())
    return stakes / total if total > 0 else np.full(len(stakes), 1 / len(stakes))


def influence(measure: Callable[[Floats], Floats], whole: Floats, rows: Floats) -> Floats:
    """How a measure of sums moves with the weight of each row; some rows at a time."""
    moved, size = np.empty(len(rows)), max(1, _AT_A_TIME // max(whole.size, 1))
    for start in range(0, len(rows), size):
        more, less = measure(more_and_less(whole, _STEP * rows[start : start + size]))
        moved[start : start + size] = finite(np.asarray(more - less) / (2 * _STEP))
    return moved


def more_and_less(whole: Floats, by: Floats) -> Floats:
    """Sums with something more, and with as much less."""
    both = np.empty((2, *by.shape))
    np.add(whole, by, out=both[0])
    np.subtract(whole, by, out=both[1])
    return both


def finite(values: Floats) -> Floats:
    """Zeros where there is no value, and the largest numbers where there is no end."""
    return values if np.isfinite(values).all() else np.nan_to_num(values)
