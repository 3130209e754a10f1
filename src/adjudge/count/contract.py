"""The contract of a counting: what it makes of adjusted scores, and what it says about itself.

A new counting is a frozen dataclass below `Counting`, its settings declared by
`adjudge.checks.setting`, with its ``entries`` at one threshold. If its masses are step functions of
the threshold (`adjudge.count.tally.Masses`) it stands below `SweptCounting` and has ``masses`` too:
then it is exact at all thresholds from one sort. Of the others entries are made at each threshold
of a grid.

Sweeping over a grid of thresholds, for countings that must be made anew at each.

The grid holds every distinct score when there are few, else as many as asked for, evenly spaced by
rank, so that an increasing map of the scores changes nothing. It stands in the spec:
``best(etapr_f1, thresholds=250)``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.checks import Settings
from adjudge.count.tally import Tally, mix
from adjudge.data.columns import locked

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.adjustments import Adjustment
    from adjudge.count.alerts_on_lines import AlertsOnLines
    from adjudge.count.ledger import Entries, Ledger
    from adjudge.count.tally import Counts, Mass, Masses, Passed
    from adjudge.count.time_count import TimeCount, TimeEntries
    from adjudge.data.case import Case
    from adjudge.data.events import Events

GRID = 250


def grid(scores: Array, count: int | None) -> Floats:
    """Thresholds to try: distinct scores by rank, from the highest down, and ``-inf``.

    >>> grid(np.array([1.0, 3.0, 2.0, 2.0]), None)
    array([  3.,   2.,   1., -inf])
    >>> grid(np.arange(100.0), 3)
    array([ 99.,  50.,   0., -inf])
    """
    distinct = np.unique(scores)
    distinct = distinct[distinct > -np.inf] + 0.0  # -0.0 is 0.0
    if count is not None and count < distinct.size:
        distinct = distinct[np.round(np.linspace(0, distinct.size - 1, count)).astype(np.intp)]
    return locked(np.append(distinct[::-1], -np.inf))


@dataclass(frozen=True, eq=False)
class Sampled:
    """Counts at the thresholds of a grid, made one by one when they are asked for."""

    thresholds: Floats
    count: Callable[[float], Tally]

    def at(self, threshold: float) -> Tally:
        """Count at one threshold, of the grid or not."""
        return self.count(threshold)

    @cached_property
    def sweep(self) -> tuple[Floats, Tally]:
        """Count at every threshold of the grid."""
        tallies = [self.count(threshold) for threshold in self.thresholds.tolist()]
        found, truth, right, flagged, normal = zip(*tallies, strict=True)
        found, truth, right, flagged = locked(np.array([found, truth, right, flagged], np.float64))
        return self.thresholds, Tally(found, truth, right, flagged, normal[0])


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

    def of_stream(self, passed: Passed, adjust: Adjustment) -> Tally | None:  # noqa: ARG002
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

    @abstractmethod
    def entries(self, flags: Flags, events: Events, adjust: Adjustment, /) -> Entries:
        """The rows that explain the flags of one threshold."""

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

    def counts(
        self, scores: Array, events: Events, adjust: Adjustment, thresholds: int | None = None
    ) -> Counts:
        """The masses at any threshold, and at so many of a grid (None: at every distinct score)."""
        levels = grid(adjust(scores, events), thresholds)
        return Sampled(levels, lambda level: self.tally(scores > level, events, adjust))

    def beside(
        self,
        normal: Mass | None,  # noqa: ARG002 - of no meaning to most
        scores: Array,  # noqa: ARG002 - the same
        events: Events,  # noqa: ARG002 - the same
        adjust: Adjustment,  # noqa: ARG002 - the same
    ) -> Masses | None:
        """The masses at every threshold, whose false ones are the scores of normal points.

        These may be given: `LastCount` hands them on. None: false alarms are something else here.
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
class PagedAnew(Counting):
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
        return self.counting.entries(self.policy.paged(flags, events), events, adjust)

    def tally(self, flags: Flags, events: Events, adjust: Adjustment) -> Tally:
        """The masses of the pages."""
        return self.counting.tally(self.policy.paged(flags, events), events, adjust)


class LastCount:
    """The last count of a case, which metrics that are asked one after another may share.

    Those that count points, and adjust no normal ones, share at least the order of these.

    It belongs to one call, never to two threads: whatever is shared more widely does not change.
    """

    def __init__(self) -> None:
        """Begin with nothing counted."""
        self._key: tuple[Any, ...] = ()
        self._case: Case | None = None
        self._counts: Counts | None = None
        self._normal: Mass | None = None
        self._scores: dict[bool, Array] = {}

    def of(self, case: Case, adjust: Adjustment, count: Counting, thresholds: int | None) -> Counts:
        """The counts of a case: the last ones, if they are the same."""
        key = adjust, count, None if count.sweeps else thresholds
        if self._counts is None or self._case is not case or self._key != key:
            self._counts = None  # let go of the old one first
            if self._case is not case:
                self._normal, self._scores = None, {}
            normal, self._normal = self._normal, None
            scores = self._scores_of(case, own=count.by_order)
            shared = count.beside(normal, scores, case.events, adjust)
            if shared is None:
                self._counts = count.counts(scores, case.events, adjust, thresholds)
            else:
                self._counts, self._normal = shared, shared.false
            self._case, self._key = case, key
        return self._counts

    def _scores_of(self, case: Case, *, own: bool) -> Array:
        """The scores of the case, looked at once for all metrics."""
        if own not in self._scores:
            self._scores[own] = case.own_scores if own else case.scores
        return self._scores[own]
