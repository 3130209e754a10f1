r"""Power: what a contract can see, said before anybody asks.

A candidate that is better by a share s of what is left finds that share of the missed events and
raises that share less of the false alarms. With v the variance of the detector that runs today and
F its value, that of the candidate is :math:`v_s = v (1 - s)(1 + s (1 - F) / F)`, and that of their
difference :math:`V = v + v_s - 2 r \sqrt{v \, v_s}`, where r is the luck that they share. The gain
that is seen in four cases of five is the smallest that reaches

.. math:: \sqrt{V} \, ( t + 0.84 ), \qquad t = z \sqrt{(m - 1) / (m - z^2)}

z is the normal quantile of the level, and t what it is of m units of which nobody takes the mean
away: so do flips of signs. Nobody knows r beforehand: it is 0 where all events are alike, and may
be a third where some are easy for everybody. With .12 the power is about .78 in the first case and
.89 in the second (docs/sealed.md).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.errors import InputError, shown, visible
from adjudge.noise.ask import Ask
from adjudge.noise.intervals.interval import interval
from adjudge.noise.intervals.student import quantile
from adjudge.sealing.contract import ANY_LOOKS, MOST_LOOKS, Looks, level_of
from adjudge.sealing.data import NEW, TODAY
from adjudge.sealing.sealed import NO_NULL, one_sided

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric
    from adjudge.sealing.data import SealedData
    from adjudge.sealing.sealed import Terms

_POWER = 0.8416  # standard errors for 80 %
_LUCK = 0.12  # that two detectors share
_LEAST, _STEPS = 0.05, 50


class LookBudget(NamedTuple):
    """What a contract has to give away."""

    alpha: float
    looks: Looks
    ships: int

    @property
    def level(self) -> float:
        """That of the first look."""
        return level_of(*self)


def measured(
    data: SealedData, rule: Terms, budget: LookBudget
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the sealed labels decide: the metric's settings, the test, and what it can see.

    Parameters
    ----------
    data, rule, budget : SealedData, Terms, LookBudget
        What is sealed, how it is judged, and how often.
    """
    level, best = budget.level, rule.compared(data, data.perfect)
    p = one_sided(best)
    if not p <= level:
        raise InputError(
            f"looks must leave something that can pass: a perfect detector has p = {p:.2g} over "
            f"{best.evidence or 'the sealed events'}, and each look has level {level:.2g}; "
            f"{_way_out(p, budget)}"
        )
    known = data.part({TODAY: rule.today(data).column, NEW: data.perfect}, rule.border, sealed=True)
    today, _ = known.facing(rule.metric, (None, None), Ask(unit=rule.said["unit"])).rivals
    spread = interval(today.metric, today.turning.case, rule.said["unit"])
    if math.isnan(spread.se):
        raise InputError(f"base must have an interval, got {visible(spread.words) or 'no alarm'}")
    flips = not math.isnan(best.p_exchange)
    test = "sign flips and exchanges of units" if flips else "Student's t"
    said = rule.said | {"metric": best.metric, "test": f"compare: {test}"}
    if said["null"] != NO_NULL and not rule.beats_null(data, data.perfect):
        raise InputError(
            f"null must leave something that can pass, got {shown(said['null'])}: a perfect "
            "detector is not better than it"
        )
    needed = standard_errors(spread.df, level, flips=flips)
    gain = gain_seen(spread.se, needed, abs(best.difference), _reached(today.metric, best.b))
    # both in few digits: they tell how the base does on sealed events
    bound = 10.0 ** math.ceil(math.log10(p)) if p > 0 else 0.0
    power = {
        "level": level, "a_perfect_detector_has_p_at_most": min(level, bound),
        "sees_in_four_of_five": float(f"{gain:.2g}"),
    }  # fmt: skip
    return said, power


def standard_errors(df: float, level: float, *, flips: bool) -> float:
    """How many standard errors a gain must have, to be seen in four cases of five.

    Parameters
    ----------
    df, level, flips : float, float, bool
        Degrees of freedom, the one-sided level, and whether units change sides; else the test is
        Student's t.

    Examples
    --------
    >>> for df in (19, 1e6):
    ...     print(f"{standard_errors(df, 0.01, flips=True):.2f}")
    3.50
    3.17
    """
    units, z = df + 1, NormalDist().inv_cdf(1 - level)
    if not flips:
        return quantile(df, 1 - 2 * level) + _POWER
    return z * math.sqrt(df / (units - z**2)) + _POWER if units > z**2 else math.inf


def gain_seen(se: float, needed: float, left: float, reached: float) -> float:
    """The gain that is seen in four cases of five; 0 where not even that of a perfect detector is.

    Parameters
    ----------
    se, needed, left, reached : float
        The standard error of today's detector, how many of the difference are needed, how far it
        is from perfect, and the share of the way that it has come.

    Examples
    --------
    >>> print(f"{gain_seen(0.08, 3.45, 0.46, 0.54):.3f} {gain_seen(0.5, 3.45, 0.46, 0.54):.3f}")
    0.318 0.000
    """
    low, high, odds = 0.0, 1.0, (1 - reached) / reached
    for _ in range(_STEPS):
        share = (low + high) / 2
        own = (1 - share) * (1 + share * odds)
        spread = se * math.sqrt(1 + own - 2 * _LUCK * math.sqrt(own))
        low, high = (low, share) if share * left >= needed * spread else (share, high)
    return high * left if high < 1 else 0.0


def _reached(metric: Metric, value: float) -> float:
    """The share of the way from the worst value to the best; a half where there is no worst."""
    low, high = metric.row.range
    if not math.isfinite(high - low):
        return 0.5
    share = (value - low) / (high - low)
    return min(max(share if metric.row.better == "higher" else 1 - share, _LEAST), 1 - _LEAST)


def _way_out(p: float, budget: LookBudget) -> str:
    """How many looks would do."""
    tried = range(1, MOST_LOOKS if budget.looks == ANY_LOOKS else budget.looks)
    most = bisect_right(tried, -p, key=lambda some: -level_of(budget.alpha, some, budget.ships))
    return f"at most {most:,} look{'s' * (most != 1)} can" if most else "more events are needed"
