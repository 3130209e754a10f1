"""Every shift of a case judged by itself: what any metric on any case can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Floats, Positions
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric

_SWEEP, _WHOLE = 16, 32  # looks at a point, of a metric that judges all thresholds at once


class Shifting(Protocol):
    """A way to judge many shifts of one case."""

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        ...

    def values(self, by: Positions, /) -> Floats:
        """The metric's value at each shift."""
        ...


class Budget(NamedTuple):
    """How many shifts are made: all within the work, else drawn, at least the fewest."""

    work: int
    fewest: int
    most: int

    def chosen(self, work: int) -> tuple[int, int]:
        """How many shifts to make if these are all, and how many to draw if not."""
        affordable = self.work // max(work, 1)
        return affordable, min(max(affordable, self.fewest), self.most)


ONE_BY_ONE = Budget(20_000_000, 19, 199)
"""Where each shift is a whole new reading."""


class OneByOne:
    """Any metric on any case: each shift is a reading of its own. The slow twin of the others."""

    def __init__(
        self,
        metric: Metric,
        case: Case,
        tell: Callable[[float], None] | None = None,
        bounds: Positions | None = None,
    ) -> None:
        self._metric, self._case, self._tell, self._bounds = metric, case, tell, bounds

    @property
    def work(self) -> int:
        """About how many points one shift goes through, as often as they are looked at."""
        metric, points = self._metric, self._case.events.n
        if metric.at_one_threshold:
            return points
        if metric.oracle and not metric.sweeps:
            return points * min(metric.thresholds or points, points)
        return points * (_SWEEP if metric.sweeps else _WHOLE)

    def values(self, by: Positions) -> Floats:
        """Judge every shift anew."""
        values = np.empty(len(by))
        for place, offsets in enumerate(by):
            values[place] = self._metric.reading(self._case.turned(offsets, self._bounds)).value
            if self._tell is not None:
                self._tell((place + 1) / len(by))
        return values
