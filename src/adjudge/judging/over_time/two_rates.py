"""Whether a value of the newest blocks is worse than before by more than chance.

Two rates make a value: how much of the truth is found, and how many false alarms there are in
normal time. How many events there are is no merit of the detector, and moves F1 and precision; so
both sides are compared at the rate of events of all time. Each rate varies from block to block by
as much as it does around the level of its own side (before, or now).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.stats import t as student

from adjudge.count.ledger import FLAGGED, FOUND, NORMAL, RIGHT, TRUTH
from adjudge.data.intervals import bincount
from adjudge.noise.intervals.neighbours import variance_inflation

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Floats

WEEK = 7  # blocks of a window, after which a rhythm repeats
_RHYTHM_FROM = 3 * WEEK  # blocks from which a rhythm can be told from noise
_RHYTHM = 2.0  # the F from which it is believed
_OVERLAP = 1.5  # degrees of freedom that a sliding window has, beside one that does not slide
_HALF, _ANSCOMBE = 0.5, 0.375  # added to counts, so that none is 0: of a rate, and under a root
_ROUNDED = 1e-9  # of a value: it does not move by less
_STEP = 0.01  # of a rate, for the derivative by it


class Rate(NamedTuple):
    """How many there are in each block, and of how much; the newest blocks are the last."""

    number: Floats
    stake: Floats
    new: int

    @property
    def levels(self) -> tuple[float, float]:
        """The rate now, and before; NaN where nothing was at stake."""
        return self._level(slice(-self.new, None)), self._level(slice(None, -self.new))

    @property
    def overall(self) -> float:
        """The rate of all blocks, never 0."""
        return float((self.number.sum() + _HALF) / (self.stake.sum() + 2 * _HALF))

    @property
    def roots(self) -> tuple[float, float]:
        """The roots of both levels: on this scale rare counts are not skewed."""
        now, before = (
            math.sqrt((self.number[side].sum() + _ANSCOMBE) / self.stake[side].sum())
            for side in (slice(-self.new, None), slice(None, -self.new))
        )
        return now, before

    def variance(self) -> tuple[float, float]:
        """The variance of now less before, and its degrees of freedom.

        The dispersion of blocks, never below that of a binomial, and larger where neighbours fare
        alike; where a block is like the one before, that of sums over a window if it is larger.
        """
        own, taken = self._residuals()
        there = self.stake > 0
        share = self.overall
        df = max(float(there.sum()) - taken, 1.0)
        phi = max(float((own[there] ** 2 / self.stake[there]).sum()) / df, share * (1 - share))
        alike = variance_inflation(own, self.stake / self.stake.sum(), np.zeros(own.size, np.int64))
        found = alike * phi * self._per_dispersion, max(df / alike, 1.0)
        summed = self._summed(own)
        return found if summed is None or summed[0] <= found[0] else summed

    @property
    def _per_dispersion(self) -> float:
        """The variance of now less before, if the dispersion is 1."""
        return float(1 / self.stake[-self.new :].sum() + 1 / self.stake[: -self.new].sum())

    def _level(self, side: slice) -> float:
        stake = float(self.stake[side].sum())
        return float(self.number[side].sum()) / stake if stake else math.nan

    def _residuals(self) -> tuple[Floats, int]:
        """What blocks have beyond the level of their side, and how many levels were taken off.

        A rhythm, such as noisy weekends, is taken off where it is seen: it is no chance.
        """
        level = np.full(self.number.size, self.levels[1])
        level[-self.new :] = self.levels[0]
        own = self.number - self.stake * level
        if own.size < _RHYTHM_FROM:
            return own, 2
        day = np.arange(own.size) % WEEK
        stakes = bincount(day, self.stake, WEEK)
        means = np.divide(bincount(day, own, WEEK), stakes, out=np.zeros(WEEK), where=stakes > 0)
        rest = own - self.stake * means[day]
        noise = float((rest**2 / np.where(self.stake > 0, self.stake, np.inf)).sum())
        signal = float((means**2 * stakes).sum()) / (WEEK - 1)
        is_seen = signal > _RHYTHM * noise / max(own.size - 1 - WEEK, 1)
        return (rest, 1 + WEEK) if is_seen else (own, 2)

    def _summed(self, own: Floats) -> tuple[float, float] | None:
        """The variance by sums over a window, of the time before; None where blocks go alone."""
        size = float((own**2).sum())
        if not size:
            return None
        alike = float((own[1:] * own[:-1]).sum()) / size + 1 / own.size
        windows = (own.size - self.new) / self.new
        if alike < 1 / math.sqrt(own.size) or windows <= 1:
            return None
        sums, stakes = (
            np.convolve(x[: -self.new], np.ones(self.new), "valid") for x in (own, self.stake)
        )
        phi = float((sums[stakes > 0] ** 2 / stakes[stakes > 0]).sum()) / sums.size
        phi *= windows / (windows - 1)
        return phi * self._per_dispersion, max(_OVERLAP * (windows - 1), 1.0)


class ComparedRates(NamedTuple):
    """Both values at one rate of events, and how likely chance makes the newest as much worse."""

    now: float
    before: float
    p_value: float
    """NaN: that cannot be said."""


_UNKNOWN = ComparedRates(math.nan, math.nan, math.nan)


class TwoRates(NamedTuple):
    """What a value is made of, block by block.

    Parameters
    ----------
    hits, false : Rate
        What was found of the truth, and false alarms in normal time.
    events, right : float
        How much truth there is in normal time, and how much is right for what is found.
    value : callable
        Of sums in rows: found, truth, right, flagged, normal.
    """

    hits: Rate
    false: Rate
    events: float
    right: float
    value: Callable[[Floats], Floats]

    @classmethod
    def of(
        cls, value: Callable[[Floats], Floats], sums: Floats, watched: Floats, new: int
    ) -> TwoRates:
        """Read them of sums.

        Parameters
        ----------
        value : callable
            Of sums in rows: found, truth, right, flagged, normal.
        sums, watched : array
            What lies in each block, and how much time: false alarms are a share of it where the
            metric counts no normal time.
        new : int
            How many of the last blocks are the newest.
        """
        total = sums.sum(axis=0)
        normal = sums[:, NORMAL] if total[NORMAL] > 0 else watched  # NaN: a metric of runs
        return cls(
            Rate(sums[:, FOUND], sums[:, TRUTH], new),
            Rate(sums[:, FLAGGED] - sums[:, RIGHT], normal, new),
            float(total[TRUTH] / normal.sum()),
            float(total[RIGHT] / total[FOUND]) if total[FOUND] else 1.0,
            value,
        )

    def at(self, hit: float, wrong: float) -> float:
        """The value at two rates."""
        earned = hit * self.events * self.right
        sums = [hit * self.events, self.events, earned, earned + wrong, 1.0]
        return float(self.value(np.array([sums]))[0])

    def slopes(self) -> tuple[float, float]:
        """How the value moves with each rate; 0 where it does not but for rounding."""
        hit, wrong = self.hits.overall, self.false.overall
        return (
            _slope(lambda x: self.at(x, wrong), hit, max(hit, 1.0)),
            _slope(lambda x: self.at(hit, x), wrong, math.inf),
        )

    def compared(self, *, lower: bool) -> ComparedRates:
        """Compare the newest blocks with those before.

        Parameters
        ----------
        lower : bool
            Whether low values are good.

        Examples
        --------
        Four weeks of ten events a day of which eight are found, and one in which two are:

        >>> days = np.tile([8.0, 10.0, 8.0, 9.0, 80.0], (35, 1))
        >>> days[28:, [FOUND, RIGHT]], days[28:, FLAGGED] = 2, 3
        >>> recall = lambda sums: sums[:, FOUND] / sums[:, TRUTH]
        >>> found = TwoRates.of(recall, days, np.full(35, 90.0), 7).compared(lower=False)
        >>> print(f"{found.now:.2f} {found.before:.2f} {found.p_value < 0.001}")
        0.20 0.80 True
        """
        sign, rates = -1 if lower else 1, (self.hits, self.false)
        used = [(by, rate) for by, rate in zip(self.slopes(), rates, strict=True) if by]
        if not all(math.isfinite(sum(rate.levels) + by) for by, rate in used):
            return _UNKNOWN
        levels = np.nan_to_num([rate.levels for rate in rates])
        now, before = (self.at(*side) for side in levels.T)
        spreads = [(by, *rate.variance()) for by, rate in used]
        parts = [(by**2 * variance, df) for by, variance, df in spreads]
        whole = sum(variance for variance, _ in parts)
        if not whole:
            return ComparedRates(now, before, 1.0)
        by, last = used[-1]
        if len(used) == 1 and last is self.false:
            apart = 2 * math.sqrt(last.overall) * by * (last.roots[0] - last.roots[1])
        else:
            apart = now - before
        df = whole**2 / sum(variance**2 / df for variance, df in parts)  # Welch and Satterthwaite
        return ComparedRates(now, before, float(student.cdf(sign * apart / math.sqrt(whole), df)))


def _slope(value: Callable[[float], float], at: float, most: float) -> float:
    """The derivative at a rate that is `most` or less."""
    less, more = at * (1 - _STEP), min(at * (1 + _STEP), most)
    low, high = value(less), value(more)
    if abs(high - low) <= _ROUNDED * max(abs(low), abs(high)):
        return 0.0
    return (high - low) / (more - less)
