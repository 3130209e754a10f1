"""All shifts by one offset, at which several detectors are tested together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from adjudge.noise.p_values import TIE
from adjudge.noise.shifting.quick_ways import ShiftsOfCase
from adjudge.noise.shifting.reached import can_be_bounded
from adjudge.noise.shifting.shifted_scores import ScoreShifts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric
    from adjudge.noise.p_values import NullValues

_FEW_PLACES = 64  # places whose values are kept for the tests of several detectors together


class ShiftsByPlace(ShiftsOfCase, Protocol):
    """The shifts of a case by one offset, which has places."""

    def moved(self, by: Positions) -> Positions:
        """How far each circle turns, of places by each offset."""
        ...

    def reaching(self, metric: Metric, value: float, way: ScoreShifts) -> Positions:
        """The places of the only offset at which a metric that can be bounded reaches a value."""
        ...


class AllPlaces:
    """All shifts by one offset, their values scaled by what is known of some of them.

    Little is kept beside the case: who asks for many levels at once has it turned once. Where few
    places reach the own value, no others reach a higher one: these are kept.
    """

    def __init__(
        self,
        metric: Metric,
        case: Case,
        value: float,
        null: NullValues,
        turn: Callable[[Case], ShiftsByPlace],
        size: int,
    ) -> None:
        self._metric, self._case, self._turn = metric, case, turn
        self._sign = 1 if metric.row.better == "higher" else -1
        defined = null.values[np.isfinite(null.values)]
        self._mean = float(defined.mean()) if defined.size else 0.0
        self._spread = (float(defined.std()) if defined.size else 0.0) or 1.0
        self.own = self._sign * (value - self._mean) / self._spread
        self.size = size
        self._reached: Positions | None = None
        self._above: Floats | None = None

    def learn(self, reached: Positions) -> None:
        """Keep the places that reach the own value, if they are few."""
        if reached.size <= _FEW_PLACES:
            self._reached = reached

    def know(self, values: Floats) -> None:
        """Keep those of all other places that reach the own value, and what they score."""
        above = self._sign * (values - self._mean)
        at = np.flatnonzero(above >= self.own * self._spread - TIE)
        self._reached, self._above = at + 1, above[at]

    def reaching(self, levels: Sequence[float]) -> Iterator[Flags]:
        """Say for each level which places reach it."""
        if self._reached is None or min(levels) < self.own:
            yield from self._judged(levels)
            return
        if self._above is None:
            shifting = self._turn(self._case)
            way, _ = shifting.way(self._metric, closed=True)
            by = shifting.moved(self._reached[:, np.newaxis])
            values = way.values(by) if by.size else np.zeros(0)
            self._above = self._sign * (values - self._mean)
        for level in levels:
            reached = self._reached[self._above >= level * self._spread - TIE]
            yield self._with_own(reached, level)

    def _with_own(self, reached: Positions, level: float) -> Flags:
        reach = np.zeros(self.size, bool)
        reach[reached] = True
        reach[0] = self.own >= level - TIE
        return reach

    def _judged(self, levels: Sequence[float]) -> Iterator[Flags]:
        """The same with nothing known."""
        shifting = self._turn(self._case)
        way, _ = shifting.way(self._metric, closed=True)
        if not isinstance(way, ScoreShifts) or not can_be_bounded(self._metric, self._case.events):
            every = shifting.moved(np.arange(self.size)[:, np.newaxis])
            values = self._sign * (way.values(every) - self._mean)
            yield from (values >= level * self._spread - TIE for level in levels)
            return
        for level in levels:
            value = self._mean + level * self._spread
            yield self._with_own(shifting.reaching(self._metric, value, way), level)
