"""Places nearby at which all detectors of a call are judged, so that they are tested together."""

# Idea: only who reaches a level at a place counts, and of many levels only the lowest is searched
# for by bounds; what reaches it is judged in full, and is little.
# Invariant: which places reach a level is what judging every place says.
# Trap: a detector that fails its first test is still one of the family; it is only looked at where
# another one may pass.

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from adjudge.noise.p_values import CLEAR, TIE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.metrics.metric import Metric

SOME = 99
"""Values by which those of a detector are scaled, where nothing else is known of them."""


class ShiftsByPlace(Protocol):
    """The shifts of a case to places that it has in common with other detectors."""

    def scale_of(self, metric: Metric) -> Floats:
        """The values at some shifts, by which all are scaled."""
        ...

    def scored_at(self, metric: Metric, places: Positions) -> Floats:
        """The values at some of the places; none is home."""
        ...

    def reaching(self, metric: Metric, value: float) -> Positions:
        """The places but home at which a metric reaches a value."""
        ...

    def at_home(self, metric: Metric) -> float:
        """The value at home, islands as elsewhere."""
        ...


class CommonPlaces:
    """Places that detectors share, their values scaled by what is known of some of them.

    Of many points little is kept: who asks for many levels at once has them turned once.

    Parameters
    ----------
    metric : Metric
        By what is judged.
    turn : callable
        Gives the shifts.
    size : int
        How many places there are, home among them.
    value : float, optional
        The value at home, where it is known already.
    """

    def __init__(
        self,
        metric: Metric,
        turn: Callable[[], ShiftsByPlace],
        size: int,
        value: float | None = None,
    ) -> None:
        self._metric, self._turn, self.size = metric, turn, size
        self._sign = 1 if metric.row.better == "higher" else -1
        self._value = value
        self._reached: Positions | None = None
        self._every: Floats | None = None

    @cached_property
    def _scale(self) -> tuple[float, float]:
        values = self._turn().scale_of(self._metric) if self._every is None else self._every
        defined = values[np.isfinite(values)]
        spread = float(defined.std()) if defined.size else 0.0
        return (float(defined.mean()) if defined.size else 0.0), spread or 1.0

    @cached_property
    def own(self) -> float:
        """The scaled value at home."""
        mean, spread = self._scale
        value = self._value
        if value is None:
            value = self._turn().at_home(self._metric)
        return self._sign * (value - mean) / spread

    def learn(self, reached: Positions) -> None:
        """Keep the places that reach the value at home, if they are few: no others reach more."""
        if reached.size <= CLEAR * self.size:
            self._reached = reached

    def know(self, values: Floats) -> None:
        """Keep the values at all places but home."""
        self._every = values

    def _above(self, lowest: float) -> tuple[Positions, Floats]:
        """The places that reach the lowest level and maybe others, and the values there."""
        if self._every is not None:
            return np.arange(1, self.size), self._every
        turned, (mean, spread), reached = self._turn(), self._scale, self._reached
        if reached is None or lowest < self.own:
            reached = turned.reaching(self._metric, mean + self._sign * lowest * spread)
        return reached, turned.scored_at(self._metric, reached)

    def reaching(self, levels: Sequence[float]) -> Iterator[Flags]:
        """Say for each level which places reach it."""
        mean, spread = self._scale
        reached, values = self._above(min(levels))
        above = self._sign * (values - mean)
        for level in levels:
            reach = np.zeros(self.size, bool)
            reach[reached[above >= level * spread - TIE]] = True
            reach[0] = self.own >= level - TIE
            yield reach
