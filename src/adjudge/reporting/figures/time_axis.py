"""The time axis of a figure: where each point stands, in dates where its times are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.data.clock import Clock

_DAY = 86_400 * 10**9  # in nanoseconds; matplotlib counts days


class TimeAxis(NamedTuple):
    """Where points stand, and where the cell of each begins and ends."""

    places: Floats
    edges: Floats
    """One more than there are points."""
    zone: Any = None
    """The time zone, where the axis has dates; None: positions."""

    @classmethod
    def of(cls, n: int, clock: Clock | None) -> TimeAxis:
        """Dates where the clock only ever runs forward, else positions.

        Times of several series, one after the other, start anew: these are shown by position.
        """
        if clock is None or n < 2 or np.any(np.diff(clock.instants) <= 0):
            places = np.arange(n, dtype=np.float64)
            return cls(places, np.arange(n + 1, dtype=np.float64) - 0.5)
        places = clock.instants / _DAY
        between = (places[1:] + places[:-1]) / 2
        first, last = 2 * places[0] - between[0], 2 * places[-1] - between[-1]
        return cls(places, np.concatenate([[first], between, [last]]), clock.tzinfo)

    def label(self, axes: Any) -> None:
        """Set limits and ticks."""
        axes.set_xlim(self.edges[0], self.edges[-1])
        if self.zone is None:
            from matplotlib.ticker import MaxNLocator, StrMethodFormatter  # noqa: PLC0415 - optional

            axes.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 2.5, 5, 10], integer=True))
            axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
            axes.set_xlabel("point")
            return
        from matplotlib import dates  # noqa: PLC0415 - optional

        ticks: Any = dates.AutoDateLocator(tz=self.zone)  # type: ignore[no-untyped-call]
        said: Any = dates.ConciseDateFormatter(ticks, tz=self.zone)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(ticks)
        axes.xaxis.set_major_formatter(said)
