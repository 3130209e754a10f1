"""Neighbours that fare alike: events found or missed in groups swell the variance of a value.

They are seen by the correlation of what units move the value by, one step or a few apart in time.

References
----------
.. [1] W. K. Newey and K. D. West (1987). A simple, positive semi-definite, heteroskedasticity and
   autocorrelation consistent covariance matrix. Econometrica 55(3).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Floats, Positions

FOUND_TOGETHER = "found or missed together"
"""What neighbouring events are, where they fare alike."""
QUIET_ALIKE = "similar in their normal time"
"""What they are where false alarms, or scores, of neighbouring stretches are alike."""
ALIKE = 1.5  # worth a word: a variance swollen so much
IN_TIME, _MANY = 10, 20  # units from which on neighbours can be seen to fare alike, and further
_REACH, _FAR = 3, 6  # how many neighbours: weighed less and less, or while they are seen to matter
SAME = 1e-12  # of their squares: all units fare exactly alike, as when everything is found
_PER_STEP = 8  # units that it takes to look one step further
NOTED, _GOES_ON = 1.3, 0.5  # standard errors of a correlation: at first, and further on
_SAID = 1.645  # the same, from which on it is said in words: luck does that in one case of twenty


def variance_inflation(influences: Floats, shares: Floats, series_of_unit: Positions) -> float:
    """By how much neighbours that fare alike swell the variance: at least 1.

    Two estimates, of which the larger one is believed. The first weighs the correlations of
    neighbours less and less, up to three apart [1]_: it is too small where more of them fare alike.
    The second, of 20 units or more, adds up the correlations, one step further at a time, while
    they stand out of what the number of units lets luck show.

    Parameters
    ----------
    influences, shares, homes : array
        Of each unit, in the order of time: its influence, its share of what is at stake, and its
        series.

    Examples
    --------
    >>> alone = np.tile([1.0, -1.0], 10)
    >>> in_fives = np.repeat([1.0, -1.0, 1.0, -1.0], 5)
    >>> even, one = np.full(20, 0.05), np.zeros(20, int)
    >>> variance_inflation(alone, even, one)
    1.0
    >>> print(f"{variance_inflation(in_fives, even, one):.2f}")
    3.10
    """
    count, size = len(influences), float((influences**2).sum())
    if count < IN_TIME or size == 0:
        return 1.0
    plain = [lag_correlation(influences, series_of_unit, step) for step in range(1, _REACH + 1)]
    weighed = 1 + 2 * sum((1 - k / (_REACH + 1)) * r for k, r in enumerate(plain, 1))
    steps = min(_FAR, count // _PER_STEP) if count >= _MANY else 0
    steps, beside, summed = steps * differ(influences, shares), apart(influences, shares), 1.0
    for step in range(1, steps + 1):
        r = (
            lag_correlation(beside, series_of_unit, step) + 1 / count
        )  # around their own mean they look less alike
        if r < (NOTED if step == 1 else _GOES_ON) / math.sqrt(count):
            break
        summed += 2 * r
    return max(1.0, weighed, summed)


def cluster_note(influences: Floats, shares: Floats, series_of_unit: Positions) -> str:
    """Say that neighbours are found or missed together, where that is seen and no matter of luck.

    Where nearly all events are found, all of them move the value alike: the variance is swollen to
    be safe, but of *neighbours* that says nothing. So it is asked of how units fare beside what all
    of them have in common.

    >>> one, even = np.zeros(20, int), np.full(20, 0.05)
    >>> cluster_note(np.repeat([1.0, -1.0, 1.0, -1.0], 5), even, one)
    'found or missed together'
    >>> cluster_note(1 + 0.01 * np.tile([1.0, -1.0], 10), even, one)
    ''
    """
    count = len(influences)
    if count < IN_TIME or not differ(influences, shares):
        return ""
    r = lag_correlation(apart(influences, shares), series_of_unit, 1) + 1 / count
    return FOUND_TOGETHER if r >= _SAID / math.sqrt(count) else ""


def apart(influences: Floats, shares: Floats) -> Floats:
    """How far each unit fares otherwise than all together."""
    return np.asarray(influences - shares * (influences.sum() / shares.sum()))


def differ(influences: Floats, shares: Floats) -> bool:
    """Whether any unit fares otherwise than all together."""
    by = apart(influences, shares)
    return float((by**2).sum()) > SAME * float((influences**2).sum())


def lag_correlation(influences: Floats, series_of_unit: Positions, step: int) -> float:
    """The correlation of units so many steps apart in the same series."""
    same = series_of_unit[step:] == series_of_unit[:-step]
    return float((influences[step:] * influences[:-step] * same).sum() / (influences**2).sum())
