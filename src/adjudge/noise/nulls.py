"""Null models: detectors that know nothing of the labels.

Two of them, always named. *The same alarms, shifted*: the alarms' own clustering is kept, only
their place is random; this is the fair opponent of a detector at hand. *White noise*: a flag at
each point independently; this is the paper's. It asks too much of a detector whose alarms come in
runs, because scattered flags hit more events.

What both have in common is the one question that expectations need: how likely does a window
of k neighbouring points hold an alarm?
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from adjudge.checks import share

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events


class Null(Protocol):
    """A stationary detector that is blind to the labels."""

    @property
    def name(self) -> str:
        """What to call it in results."""
        ...

    def holds(self, points: Array, series: int, /) -> Floats:
        """The chance that so many neighbouring points of a series hold an alarm."""
        ...

    def hits(self, width: int, series: int, /) -> Floats:
        """The chance of 0, 1, ..., width alarms in a window of so many points."""
        ...

    def draw(self, events: Events, rng: np.random.Generator, /) -> Flags:
        """Draw the flags of such a detector."""
        ...


@dataclass(frozen=True)
class White:
    r"""White noise: each point is flagged independently with probability ``rate``.

    .. math:: u(k) = 1 - (1 - p)^k

    >>> White(0.5).holds(np.array([0, 1, 2]), 0)
    array([0.  , 0.5 , 0.75])
    """

    rate: float

    def __post_init__(self) -> None:
        """Check the rate."""
        object.__setattr__(self, "rate", float(share(self.rate, "rate", zero=True)))

    @property
    def name(self) -> str:
        """What to call it in results."""
        return f"white noise, rate {self.rate:.4g}"

    def holds(self, points: Array, series: int = 0) -> Floats:  # noqa: ARG002 - all are alike
        """The chance that so many neighbouring points hold an alarm."""
        if self.rate == 1:
            return (np.asarray(points) > 0).astype(np.float64)
        return np.asarray(-np.expm1(np.asarray(points) * np.log1p(-self.rate)))

    def hits(self, width: int, series: int = 0) -> Floats:  # noqa: ARG002 - all are alike
        """The binomial chances of 0, 1, ..., width alarms."""
        from scipy.stats import binom  # noqa: PLC0415 - only who asks pays for it

        chances: Floats = binom.pmf(np.arange(width + 1), width, self.rate)
        return chances

    def draw(self, events: Events, rng: np.random.Generator) -> Flags:
        """Draw flags."""
        flags = rng.random(events.n) < self.rate
        return flags if events.judged is None else flags & events.judged


class Shifted:
    r"""The same alarms, circularly shifted within each series by a uniformly random offset.

    With circular gaps g from alarm to alarm (quiet points plus one) on a circle of T points, a
    window of k points is quiet at ``max(0, g - k)`` places per gap, so

    .. math:: u(k) = 1 - \frac{1}{T} \sum_g \max(0, g - k)

    which is exact: the mean over all T shifts. The circle of a series are its judged points.

    >>> from adjudge.data.events import Events
    >>> null = Shifted(np.array([1, 0, 0, 0, 1, 0]) > 0, Events.from_labels([0] * 6))
    >>> null.holds(np.array([1, 2, 3, 4]), 0) * 6
    array([2., 4., 5., 6.])
    """

    name = "the same alarms, shifted"

    def __init__(self, flags: Flags, events: Events) -> None:
        judged = np.ones(events.n, bool) if events.judged is None else events.judged
        self.flags = flags & judged
        self._circles = [
            self.flags[start:stop][judged[start:stop]]
            for start, stop in zip(events.series_bounds[:-1], events.series_bounds[1:], strict=True)
        ]
        self._gaps: dict[int, tuple[Positions, Positions, Positions]] = {}

    def holds(self, points: Array, series: int = 0) -> Floats:
        """The chance that so many neighbouring points of a series hold an alarm."""
        circle = self._circles[series]
        gaps, longer, total = self._sorted_gaps(series)
        if not gaps.size:
            return np.zeros(np.shape(points))
        place = np.searchsorted(gaps, points, side="right")
        quiet = total[place] - longer[place] * np.asarray(points)
        return np.asarray(1 - quiet / circle.size)

    def hits(self, width: int, series: int = 0) -> Floats:
        """The chances of 0, 1, ..., width alarms in a window, over all shifts."""
        circle = self._circles[series].astype(np.int64)
        turns, rest = divmod(width, circle.size)
        sums = np.concatenate([[0], np.cumsum(np.concatenate([circle, circle]))])
        counts = turns * circle.sum() + sums[rest : rest + circle.size] - sums[: circle.size]
        return np.asarray(np.bincount(counts, minlength=width + 1) / circle.size)

    def _sorted_gaps(self, series: int) -> tuple[Positions, Positions, Positions]:
        """The gaps in order, and how many and how much lie beyond each place."""
        if series not in self._gaps:
            circle = self._circles[series]
            alarms = np.flatnonzero(circle)
            last = [] if not alarms.size else [alarms[0] + circle.size]
            gaps = np.sort(np.diff(np.append(alarms, last))).astype(np.int64)
            total = np.append(np.cumsum(gaps[::-1])[::-1], 0)
            self._gaps[series] = gaps, np.arange(gaps.size, -1, -1), total
        return self._gaps[series]

    def draw(self, events: Events, rng: np.random.Generator) -> Flags:
        """Draw flags: every series turned by an offset of its own."""
        turned = [np.roll(c, rng.integers(c.size)) if c.size else c for c in self._circles]
        flags = np.zeros(events.n, bool)
        flags[slice(None) if events.judged is None else events.judged] = np.concatenate(turned)
        return flags
