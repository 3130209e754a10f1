"""The contract of a counting: what it makes of adjusted scores, and what it says about itself.

A new counting is a frozen dataclass below `Counting`, its settings declared by
`adjudge.settings.setting`, with its ``flag_rows`` of adjusted flags, or with its ``entries`` where
it asks the adjustment for more than flags. If its masses are step functions
of the threshold (`adjudge.count.tally.Masses`) it stands below `SweptCounting` and has ``masses``
too: then it is exact at all thresholds from one sort. Of the others entries are made at each
threshold of a grid.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.count.tally import Sampled, Tally, grid, mix
from adjudge.settings import Settings

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.alerts_on_lines import AlertsOnLines
    from adjudge.count.ledger import Entries, Ledger
    from adjudge.count.tally import Counts, Mass, Masses, StreamSums
    from adjudge.count.time_count import TimeCount, TimeEntries
    from adjudge.data.case import Case
    from adjudge.data.events import Events


class Counting(Settings, ABC):
    """A way of counting: the entries of one threshold, and what follows from them."""

    sweeps: ClassVar[bool] = False
    """Whether all thresholds are known from one sort; else a grid of them is tried."""
    by_order: ClassVar[bool] = False
    """Whether scores are only compared with one another: then they keep their own precision."""
    charges: ClassVar[bool] = False
    """Whether what a row adds to the value is its weight less its credit, as of distances."""

    tells_false: ClassVar[bool] = True
    """Whether its alarm rows say which alarms are false; else those are that touch no event."""

    @property
    def resamples(self) -> bool:
        """Whether sums over rows drawn again mean the same: not those of a median or a maximum."""
        return True

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally | None:  # noqa: ARG002
        """The masses of points that came one after another; None: it needs the whole series.

        This is the one declaration of what `adjudge.Stream` can count.
        """
        return None

    def without_data(self, events: Events) -> dict[str, float]:  # noqa: ARG002
        """Of costs, what detectors cost that look at no data."""
        return {}

    def weights(self, widths: Positions) -> Positions:
        """The weight of an event of each width."""
        return np.ones_like(widths)

    def in_seconds(self) -> Counting | None:
        """The same count of a delay or a distance in seconds of the clock; None for all others."""
        return None

    @property
    def tells_delay(self) -> bool:
        """Whether it matters when an alarm begins: hindsight must not move that."""
        return self.in_seconds() is not None

    def no_room(self, events: Events) -> frozenset[int]:  # noqa: ARG002 - of no meaning to most
        """The starts of events that nothing can find: their windows hold no point of the series."""
        return frozenset()

    def entries(self, flags: Flags, events: Events, adjust: Adjustment) -> Entries:
        """The rows that explain the flags of one threshold."""
        return self.flag_rows(adjust(flags, events), events)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """The same of adjusted flags. A counting has its own rows, or its own entries."""
        if type(self).entries is Counting.entries:  # or the two would call each other for ever
            raise TypeError(f"{type(self).__name__} must have entries or flag_rows, got neither")
        return self.entries(flags, events, raw)

    def in_time(self, count: TimeCount) -> TimeEntries:
        """What incidents and alerts on instants weigh and earn; see `knows_time`."""
        raise NotImplementedError

    def knows_time(self, adjust: Adjustment) -> bool:
        """Whether incidents and alerts on instants can be counted, without points."""
        return adjust == raw and type(self).in_time is not Counting.in_time

    def on_time(self, count: TimeCount, adjust: Adjustment) -> Ledger:  # noqa: ARG002 - there is none
        """The rows of incidents and alerts, of one turn."""
        return count.ledger(self.in_time(count))

    def shares(self, count: TimeCount, adjust: Adjustment) -> tuple[Array, Array]:  # noqa: ARG002 - the same
        """What each incident earns and weighs, and what of each alert is right and it weighs."""
        return count.shares(self.in_time(count))

    def sums_on_time(self, count: TimeCount, adjust: Adjustment) -> Floats:  # noqa: ARG002 - the same
        """The masses of incidents and alerts on every turn."""
        return count.sums(self.in_time(count))

    def meets(self, case: AlertsOnLines, adjust: Adjustment) -> tuple[int, ...]:  # noqa: ARG002 - the same
        """Between which distances of the ends of alerts and of incidents masses change evenly.

        Then all turns of a line are known from two in each such part; none: they must be drawn.
        """
        return ()

    def tally(self, flags: Flags, events: Events, adjust: Adjustment) -> Tally:
        """The masses of the flags of one threshold."""
        return self.entries(flags, events, adjust).tally

    def supposed(self, kind: str, case: Case, adjust: Adjustment) -> Floats | None:  # noqa: ARG002 - none knows it
        """The rows of `Case.supposed` without a ledger: of its events, or of its false run.

        None: there is no shorter way.
        """
        return None

    def counts(
        self, scores: Array, events: Events, adjust: Adjustment, thresholds: int | None = None
    ) -> Counts:
        """The masses at any threshold, and at so many of a grid (None: at every distinct score)."""
        levels = grid(adjust(scores, events), thresholds)
        return Sampled(levels, lambda level: self.tally(scores > level, events, adjust))

    def masses_sharing_normals(
        self,
        normal: Mass | None,  # noqa: ARG002 - of no meaning to most
        scores: Array,  # noqa: ARG002 - the same
        events: Events,  # noqa: ARG002 - the same
        adjust: Adjustment,  # noqa: ARG002 - the same
    ) -> Masses | None:
        """The masses at every threshold, whose false ones are the scores of normal points.

        These may be given: `CountCache` hands them on. None: false alarms are something else here.
        """
        return None


class SweptCounting(Counting):
    """A way of counting whose masses are step functions of the threshold: exact at all of them."""

    sweeps: ClassVar[bool] = True

    @abstractmethod
    def masses(self, adjusted: Array, events: Events, /) -> Counts:
        """The masses in adjusted scores (or flags), at any threshold."""

    def tally(self, flags: Flags, events: Events, adjust: Adjustment) -> Tally:
        """The masses of the flags of one threshold."""
        return self.counts(flags, events, adjust).at(False)

    def counts(
        self,
        scores: Array,
        events: Events,
        adjust: Adjustment,
        thresholds: int | None = None,  # noqa: ARG002 - all of them come at the price of one
    ) -> Counts:
        """The masses at every threshold; an adjustment of several layers is counted in each."""
        layers = adjust.layers(events)
        parts = [(share, self.masses(one(scores, events), events)) for share, one in layers]
        return mix(cast("list[tuple[float, Masses]]", parts))


@dataclass(frozen=True)
class WithPolicy(Counting):
    """A way of counting the pages that an alarm policy makes of the alerts of each threshold.

    The masses are no step functions of the threshold then: a lower one may page less.
    """

    counting: Counting
    policy: Any
    """With ``paged(flags, events)``, which gives the flags of the pages."""

    @property
    def resamples(self) -> bool:
        """As of what is counted."""
        return self.counting.resamples

    def entries(self, flags: Flags, events: Events, adjust: Adjustment) -> Entries:
        """The rows of the pages."""
        return self.counting.entries(self.policy.page_flags(flags, events), events, adjust)

    def tally(self, flags: Flags, events: Events, adjust: Adjustment) -> Tally:
        """The masses of the pages."""
        return self.counting.tally(self.policy.page_flags(flags, events), events, adjust)
