"""Keyed sums: what many series say against chance, as whole numbers that parts of the work add up.

A combination takes one place of each clock, home among them. Which one follows from the name of the
clock alone, so whoever judges a series, wherever and whenever, draws the same. Values are whole
multiples of a small unit, so that sums are exact: any order of series, and any way of adding up
parts, gives the same bits. All that is left of a series is its part of 9,999 sums.

Where few combinations exist all of them are counted, so clocks are kept apart until they are too
many. Those that several series share stay apart to the end: their values are added place by place.
"""

from __future__ import annotations

import math
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Floats, Positions

COMBINATIONS = 9_999
"""So many combinations are drawn."""
_COUNTED = 1 << 16
"""Combinations up to which each of them is counted, and none is drawn."""
_FINE, _COARSE = 40, 20
"""Binary digits after the point: of values between -1 and 1, and of others."""
_MOST = 1 << 21
"""Values beyond are as this one; of a million series the sum still has 63 binary digits."""
_UNDEFINED = np.iinfo(np.int64).min
_LOG_UNIT = float(1 << 40)


def digits_of(span: tuple[float, float]) -> int:
    """How many binary digits after the point the values of a metric have.

    >>> digits_of((0.0, 1.0)), digits_of((0.0, math.inf))
    (40, 20)
    """
    return _FINE if max(abs(end) for end in span) <= 1 else _COARSE


def whole_steps(home: float, elsewhere: Floats, digits: int) -> Positions:
    """By how much each place is better than home, in whole units; home itself comes last.

    >>> whole_steps(0.5, np.array([0.75, np.nan, 0.0]), 2).tolist() == [1, _UNDEFINED, -2, 0]
    True
    """
    every = np.append(elsewhere, home)
    there = ~np.isnan(every)
    steps = np.full(every.size, _UNDEFINED)
    scaled = np.clip(every[there], -_MOST, _MOST) * float(1 << digits)
    steps[there] = np.rint(scaled).astype(np.int64)
    steps[there] -= steps[-1]
    return steps


@lru_cache(8)  # a series is drawn once for all its detectors and metrics
def _numbers(name: str, count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """The numbers of a clock: 32 random bits for each combination, from a hash of its name."""
    key = sha256(name.encode("utf-8", "backslashreplace")).digest()[:16]
    raw = np.random.Philox(key=int.from_bytes(key, "little")).random_raw(count)
    return np.asarray(raw, np.uint64) >> np.uint64(32)


def drawn_places(name: str, size: int, count: int = COMBINATIONS) -> Positions:
    """Which place of a clock each combination takes.

    Two series of one clock take places that are the same share of the way round.

    >>> drawn_places("a", 200, 4).tolist(), drawn_places("a", 100, 4).tolist()
    ([32, 57, 4, 187], [16, 28, 2, 93])
    """
    return (_numbers(name, count) * np.uint64(size) >> np.uint64(32)).astype(np.int64)


class KeyedSums:
    """One detector by one metric under one null model, over any number of series.

    Parameters
    ----------
    combinations : int
        How many are drawn where there are too many to count.

    Examples
    --------
    >>> one, other, both = KeyedSums(), KeyedSums(), KeyedSums()
    >>> for place, name in enumerate("abcd"):
    ...     steps = whole_steps(0.9, np.linspace(0, 1, 199), 40)
    ...     (one, other)[place % 2].add(name, steps)
    ...     both.add(name, steps)
    >>> other.merge(one)
    >>> other.p(4) == both.p(4), bool(np.all(other.drawn == both.drawn))
    (True, True)
    >>> print(f"{both.p(4):.4f} {both.least:.4f}")
    0.0017 0.0001
    """

    def __init__(self, combinations: int = COMBINATIONS) -> None:
        self.combinations = combinations
        self.drawn: Positions | None = None
        """The sums of those that were too many to be kept apart."""
        self.log_least = 0
        """The logarithm of how rarely all of these can do best, in whole units."""
        self.alone: dict[str, Positions] = {}
        """Clocks of one series that are kept apart."""
        self.shared: dict[tuple[str, int], Positions] = {}
        """Clocks of several, by name and number of places."""

    def add(self, clock: str, steps: Positions, *, shared: bool = False) -> None:
        """Take one series.

        Parameters
        ----------
        clock : str
            The name of its clock.
        steps : array of int
            What `whole_steps` gives.
        shared : bool
            Whether other series may be on that clock.
        """
        if shared:
            key = clock, steps.size
            self.shared[key] = _plus(self.shared[key], steps) if key in self.shared else steps
            return
        self.alone[clock] = steps[steps != _UNDEFINED]
        self._draw_many()

    def merge(self, other: KeyedSums) -> None:
        """Take what another holds: series that are not here."""
        for (clock, _), steps in other.shared.items():
            self.add(clock, steps, shared=True)
        self.alone |= other.alone
        if other.drawn is not None:
            self.drawn = other.drawn + (0 if self.drawn is None else self.drawn)
            self.log_least += other.log_least
        self._draw_many()

    def p(self, series: int) -> float:
        """How often a combination does as well as home everywhere, over so many series.

        Rounding may take one unit from each series, which decides nothing.
        """
        counted = self._counted()
        if counted is not None:
            sums = np.zeros(1, np.int64)
            for _, steps in counted:
                sums = np.add.outer(sums, steps).ravel()
            return float(np.mean(sums >= -series))
        total, _ = self._everything()
        return float((1 + np.count_nonzero(total >= -series)) / (1 + self.combinations))

    @property
    def least(self) -> float:
        """The p-value of who scores at home what is the best at any place, on every clock."""
        counted = self._counted()
        if counted is not None:
            return math.prod(math.exp(_log_least(steps)) for _, steps in counted)
        _, log = self._everything()
        return max(1 / (1 + self.combinations), math.exp(log / _LOG_UNIT))

    def _draw_many(self) -> None:
        """Keep clocks apart only as long as their combinations may still be counted."""
        if self.drawn is None and math.prod(map(len, self.alone.values())) <= _COUNTED:
            return
        if self.drawn is None:
            self.drawn = np.zeros(self.combinations, np.int64)
        for clock, steps in self.alone.items():
            self.drawn = self.drawn + self._of(clock, steps)
            self.log_least += _whole_log(steps)
        self.alone = {}

    def _of(self, clock: str, steps: Positions) -> Positions:
        return steps[drawn_places(clock, steps.size, self.combinations)]

    def _apart(self) -> list[tuple[str, Positions]]:
        """All clocks that are kept apart, without places at which nothing is known."""
        together = [(clock, one[one != _UNDEFINED]) for (clock, _), one in self.shared.items()]
        return [*self.alone.items(), *together]

    def _counted(self) -> list[tuple[str, Positions]] | None:
        """The clocks, if all their combinations are counted."""
        apart = self._apart()
        few = self.drawn is None and math.prod(len(steps) for _, steps in apart) <= _COUNTED
        return apart if few else None

    def _everything(self) -> tuple[Positions, int]:
        """The sums over all clocks, and the logarithm of the least p-value."""
        total = np.zeros(self.combinations, np.int64) if self.drawn is None else self.drawn
        log = self.log_least
        for clock, steps in self._apart():
            total = total + self._of(clock, steps)
            log += _whole_log(steps)
        return total, log


def _plus(one: Positions, other: Positions) -> Positions:
    """Add place by place; what is undefined stays so."""
    there = (one != _UNDEFINED) & (other != _UNDEFINED)
    found = np.full(one.size, _UNDEFINED)
    found[there] = one[there] + other[there]
    return found


def _log_least(steps: Positions) -> float:
    """The logarithm of how often a place does as well as the best."""
    return math.log(float(np.mean(steps >= steps.max() - 1)))


def _whole_log(steps: Positions) -> int:
    return round(_log_least(steps) * _LOG_UNIT)
