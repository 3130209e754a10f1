r"""Episodes: what happens at one time to all lines of a clock.

Eight machines that saw the same six shocks are neither eight independent pieces of evidence nor 48.
An episode is a stretch of a clock in which any of its lines has an event (events that overlap in
time are one stretch), with the normal time before it; what follows the last one belongs to it. What
a line adds to an episode is a cell: cells add up to lines, and to episodes, and so do their
influences. With :math:`V_s, V_e, V_c` the variances by series, by episodes and by cells,

.. math:: V = \max(V_s, V_e, V_s + V_e - V_c), \qquad df = \min(df_s, df_e)

knows that a detector suits a series and that luck is common to an episode [1]_. What is imagined
beside the units counts once. Neighbouring episodes that fare alike swell :math:`V_e` alone.

References
----------
.. [1] A. C. Cameron, J. B. Gelbach and D. L. Miller (2011). Robust inference with multiway
   clustering. Journal of Business & Economic Statistics 29(2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from adjudge.data.intervals import bincount, repeat

if TYPE_CHECKING:
    from adjudge._typing import Positions
    from adjudge.count.ledger import Ledger


class LineTime(Protocol):
    """When places of lines are, and where moments are on each line."""

    def moments(self, line: Positions, place: Positions) -> Positions:
        """When places of lines are."""
        ...

    def cuts(self, moments: Positions) -> Positions:
        """Where moments part each line, between its beginning and its end: a row per line."""
        ...


class Clocked(NamedTuple):
    """Events on lines, and the clock of each line."""

    line: Positions
    start: Positions
    stop: Positions
    time: LineTime
    clocks: Positions

    @classmethod
    def of(cls, ledger: Ledger, time: LineTime, clocks: Positions) -> Clocked:
        """The events of a ledger, some of whose lines may be one line again."""
        own = ledger.event >= 0
        line = ledger.line[own] % max(len(clocks), 1)
        return cls(line, ledger.start[own], ledger.stop[own], time, clocks)


class Episodes(NamedTuple):
    """The episodes of all clocks, numbered clock by clock in the order of time."""

    cuts: Positions
    """Where they end on each line but for the last one: a row per line, closed by its length."""
    of_block: Positions
    """The number of the episode of each block between cuts."""
    clock: Positions
    """The clock of each episode."""

    @classmethod
    def of(cls, events: Clocked) -> Episodes:
        """Find the episodes of each clock; one without events has one all the same.

        Two lines on one clock: their first events overlap, and only the first line has another one.

        >>> from adjudge.data.events import Events
        >>> from adjudge.data.point_time import PointTime
        >>> truth = Events([1, 5, 9], [3, 6, 11], 14, bounds=[0, 7, 14])
        >>> line, start, stop = np.array([[0, 0, 1], [1, 5, 2], [3, 6, 4]])
        >>> found = Episodes.of(Clocked(line, start, stop, PointTime(truth), np.array([0, 0])))
        >>> found.cuts.tolist(), found.of_block.tolist(), found.clock
        ([[4], [4]], [[0, 1], [0, 1]], array([0, 0]))
        """
        clocks = events.clocks
        begin = events.time.moments(events.line, events.start)
        last = events.time.moments(events.line, np.maximum(events.stop - 1, events.start))
        found = EventClusters.of(clocks[events.line], begin, last)
        each = bincount(found.clock, minlength=int(clocks.max()) + 1)
        placed, own = events.time.cuts(found.last + 1), each[clocks][:, np.newaxis]
        number = np.arange(max(int(each.max()) - 1, 0) + 1)
        before = (np.cumsum(each) - each)[clocks][:, np.newaxis]
        at = np.minimum(1 + before + number[:-1], placed.shape[1] - 1)
        cuts = np.where(number[1:] < own, np.take_along_axis(placed, at, axis=1), placed[:, -1:])
        each = np.maximum(each, 1)
        before = (np.cumsum(each) - each)[clocks][:, np.newaxis]
        of_block = before + np.minimum(number, np.maximum(own - 1, 0))
        return cls(cuts, of_block, repeat(np.arange(len(each)), each))


class EventClusters(NamedTuple):
    """Events of one clock that overlap, put together: clock by clock in the order of time."""

    of_event: Positions
    """The number of the cluster of each event."""
    clock: Positions
    last: Positions
    """Its last moment."""

    @classmethod
    def of(cls, clock: Positions, begin: Positions, last: Positions) -> EventClusters:
        """Put events together that overlap on one clock, by their first and last moments.

        >>> EventClusters.of(np.array([0, 1, 0, 0]), *np.array([[7, 2, 1, 5], [9, 3, 5, 6]]))
        EventClusters(of_event=array([1, 2, 0, 0]), clock=array([0, 0, 1]), last=array([6, 9, 3]))
        """
        order = np.lexsort((begin, clock))
        moments, rank = np.unique(np.append(begin[order], last[order]), return_inverse=True)
        rank += np.tile(clock[order], 2) * len(moments)  # instants of many clocks are too large
        reach = np.maximum.accumulate(rank[len(clock) :])
        begins = np.ones(len(clock), bool)
        begins[1:] = rank[1 : len(clock)] > reach[:-1]
        ends = np.append(begins[1:], np.ones(min(len(clock), 1), bool))
        of_event = np.zeros(len(clock), np.int64)
        of_event[order] = np.cumsum(begins) - 1
        return cls(of_event, clock[order][ends], moments[reach[ends] % max(len(moments), 1)])
