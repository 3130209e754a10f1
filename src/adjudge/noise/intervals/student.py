"""Student's t: the ends of an interval by standard error and degrees of freedom.

SciPy has the quantile too, but takes longer to import than a small file takes to be judged.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from adjudge.noise.p_values import rough_normal

if TYPE_CHECKING:
    from adjudge.noise.intervals.spread import Spread

_SMALL_STEP, _NOTHING = 1e-7, 1e-17  # of Newton's method (its square is left); of a sum
_MANY_DF = 200  # degrees of freedom from which on a few terms of a series say it better


class Interval(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


UNDEFINED = Interval(math.nan, math.nan)


def ends(found: Spread, own: float, span: tuple[float, float], level: float) -> Interval:
    """The ends of an interval: a value between two bounds on the arcsine scale, any other plainly.

    There the spread of a share does not depend on the share. The interval holds the value.
    """
    times, (least, most) = quantile(found.df, level), span
    if math.isfinite(most - least):
        x = min(max((found.value - least) / (most - least), 1e-9), 1 - 1e-9)
        at, by = math.asin(math.sqrt(x)), times * found.se / (most - least)
        by /= 2 * math.sqrt(x * (1 - x))
        angles = max(at - by, 0.0), min(at + by, math.pi / 2)
        low, high = (least + (most - least) * math.sin(angle) ** 2 for angle in angles)
    else:
        low, high = found.value - times * found.se, found.value + times * found.se
        low, high = max(low, least), min(high, most)
    return Interval(min(low, own), max(high, own))


@lru_cache(maxsize=1024)  # the pairs of a leaderboard ask for few of them
def quantile(df: float, level: float) -> float:
    """How many standard errors so few degrees of freedom leave open on either side.

    >>> print(f"{quantile(5, 0.95):.3f} {quantile(1e9, 0.95):.3f}")
    2.571 1.960
    """
    tail = 1 - min(level, 1 - 1e-9)
    z = rough_normal(tail / 2)
    far, step = z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2), math.inf
    while abs(step) > _SMALL_STEP:
        beyond, density = _beyond(far, df)
        step = beyond * math.log(beyond / tail) / (2 * far * density)
        far *= math.exp(step)
    return far


def _beyond(far: float, df: float) -> tuple[float, float]:
    """How often Student's t lies further from 0 than this, and its density here.

    By that of two power series of the incomplete beta function which converges faster.
    """
    ratio = math.lgamma((df + 1) / 2) - math.lgamma(df / 2)
    if df > _MANY_DF:  # where the difference of two large numbers says little
        rest = -1 / 4 + (1 / 32 + (5 / 128 - 21 / 2048 / df) / df) / df
        ratio = math.log(df / 2) / 2 + math.log1p(rest / df)
    density = math.exp(ratio - (df + 1) / 2 * math.log1p(far**2 / df)) / math.sqrt(math.pi * df)
    inside, whole, term, count = far**2 / (df + far**2), 1.0, 1.0, 0
    if inside < 0.5:
        while term > _NOTHING * whole:
            term *= inside * (df + 1 + 2 * count) / (3 + 2 * count)
            whole, count = whole + term, count + 1
        return 1 - 2 * far * density * whole, density
    while term > _NOTHING * whole:
        count += 1
        term *= (1 - inside) * (1 - 0.5 / count)
        whole += term / (1 + 2 * count / df)
    return 2 / df * math.sqrt(df + far**2) * density * whole, density
