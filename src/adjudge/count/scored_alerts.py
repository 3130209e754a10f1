"""Match alerts that have a score to events, the surest alert first, each event at most once.

An alert takes an event of its own place (service or series) that no surer alert has taken. Equal
scores stand in the order of their starts, then of their ends, so the order of rows says nothing.
"""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.count.on_call import overlapping_pairs
from adjudge.data.intervals import repeat

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events


_AT_A_TIME = 256


class Spans(NamedTuple):
    """Things that last from a start up to an end, each at a place."""

    start: Positions
    end: Positions
    place: Positions


class _Turn(NamedTuple):
    """Where each alert stands among the starts of events, in the order of places and starts."""

    start: Positions
    after: Positions
    """How many starts come before it."""
    first: Positions
    """The first start of its place."""
    last: Positions
    """One past the last start of its place."""


class ScoredAlerts(NamedTuple):
    """Events beside alerts that have a score each, the surest first."""

    events: Spans
    alerts: Spans
    score: Floats

    @classmethod
    def of(cls, events: Spans, alerts: Spans, score: Floats) -> ScoredAlerts:
        """Put the alerts in order.

        >>> one, two = np.array([3]), np.array([5, 9])
        >>> events = Spans(one, one + 2, 0 * one)
        >>> ScoredAlerts.of(events, Spans(two, two + 1, 0 * two), np.array([0.5, 0.9])).alerts.start
        array([9, 5])
        """
        order = _order_of_distinct(-score)
        if order is None:
            order = np.lexsort((alerts.end, alerts.start, -score))
        return cls(events, Spans(*(column[order] for column in alerts)), score[order])

    def near(self, tolerances: list[float]) -> list[Flags]:
        """Which alerts take an event whose start is less than so far from theirs, for each reach.

        Each takes the nearest that is free; of two equally near the earlier.
        """
        events, alerts = self.events, self.alerts
        order = np.lexsort((events.start, events.place))
        begins, places = events.start[order], events.place[order]
        turn = _Turn(
            alerts.start,
            self._before(begins, places),
            np.searchsorted(places, alerts.place, side="left"),
            np.searchsorted(places, alerts.place, side="right"),
        )
        distance = _distances(turn, begins)
        return [self._reached(begins, turn, distance < reach, reach) for reach in tolerances]

    def _before(self, begins: Positions, places: Positions) -> Positions:
        """How many events, in the order of places and starts, come before each alert."""
        if not (np.ptp(np.append(places, self.alerts.place)) if len(places) else 0):
            return np.searchsorted(begins, self.alerts.start)  # one place, as most data have
        count = len(self.score)
        order = np.lexsort(
            (
                np.arange(count + len(begins)) >= count,  # an alert stands before its equals
                np.append(self.alerts.start, begins),
                np.append(self.alerts.place, places),
            )
        )
        before = np.zeros(count + len(begins), np.int64)
        before[order] = np.cumsum(order >= count)
        return before[:count]

    def _reached(self, begins: Positions, turn: _Turn, may: Flags, reach: float) -> Flags:
        """Go through the alerts that are near an event, until no event is left."""
        free, hits, left = _Free(begins), np.zeros(len(may), bool), len(begins)
        ranks = np.flatnonzero(may)
        for k in range(0, len(ranks), _AT_A_TIME):  # mostly the first ones will do
            part = ranks[k : k + _AT_A_TIME]
            columns = (column[part].tolist() for column in turn)
            for rank, start, after, first, last in zip(part.tolist(), *columns, strict=True):
                if free.take_nearest(start, after, first, last, reach):
                    hits[rank], left = True, left - 1
                    if not left:
                        return hits
        return hits

    def alike(self, ious: tuple[float, ...]) -> list[Flags]:
        """Which alerts take an event that they share so much of, for each share.

        The share is the length of the intersection over that of the union; each alert takes the
        free event with which it shares most, of equals the one that begins first.
        """
        rank, event, share = self._shares()
        begins, ends = self.events.start[event], self.events.end[event]
        order = np.lexsort((event, ends, begins, -share, rank))
        rank, event, share = rank[order], event[order], share[order]
        return [self._taken(rank[share >= iou], event[share >= iou]) for iou in ious]

    def _taken(self, ranks: Positions, events: Positions) -> Flags:
        hits, gone = np.zeros(len(self.score), bool), bytearray(len(self.events.start))
        for rank, event in zip(ranks.tolist(), events.tolist(), strict=True):
            if not gone[event] and not hits[rank]:
                hits[rank], gone[event] = True, True
        return hits

    def _shares(self) -> tuple[Positions, Positions, Floats]:
        """All pairs of an alert and an event that overlap, and how alike they are."""
        ranks, owners = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for own, mine in zip(*self._by_place(), strict=True):
            order = _order_of_distinct(self.alerts.start[mine])
            if order is None:
                order = np.argsort(self.alerts.start[mine], kind="stable")
            mine = mine[order]  # noqa: PLW2901 - in the order of starts
            begin, end = self.events.start[own], self.events.end[own]
            found = overlapping_pairs(
                own, begin, end, self.alerts.start[mine], self.alerts.end[mine]
            )
            ranks.append(mine[found.alert])
            owners.append(found.incident)
        rank, event = np.concatenate(ranks), np.concatenate(owners)
        starts = self.alerts.start[rank], self.events.start[event]
        ends = self.alerts.end[rank], self.events.end[event]
        inner = np.minimum(*ends) - np.maximum(*starts)
        return rank, event, inner / (np.maximum(*ends) - np.minimum(*starts))

    def _by_place(self) -> tuple[list[Positions], list[Positions]]:
        """The numbers of the events at each place that has some, and of the alerts there."""
        places = np.unique(self.events.place)
        sides = []
        for side in (self.events, self.alerts):
            order = np.argsort(side.place, kind="stable")
            first, last = (
                np.searchsorted(side.place[order], places, side=end) for end in ("left", "right")
            )
            sides.append([order[a:b] for a, b in zip(first, last, strict=True)])
        return sides[0], sides[1]

    def average_precisions(self, hits: list[Flags], *, highest: bool = False) -> list[float]:
        """The mean over events of the precision at the alert that takes each; 0 where none does.

        One number for each list of alerts that take an event. Alerts of one score come at once.
        With ``highest`` the precision is the highest at that score or any lower one. NaN: no
        events.
        """
        count = len(self.events.start)
        if not count:
            return [math.nan] * len(hits)
        last = np.flatnonzero(np.append(self.score[1:] != self.score[:-1], True)[: len(self.score)])
        tied, alerts, means = last.size < len(self.score), last + 1, []
        for hit in hits:
            found = np.cumsum(hit)[last] if tied else np.cumsum(hit)
            precision = found / alerts
            if highest:
                precision = np.maximum.accumulate(precision[::-1])[::-1]
            precision[1:] *= found[1:] - found[:-1]
            precision[:1] *= found[:1]
            means.append(float(np.sum(precision) / count))
        return means


def _order_of_distinct(values: Array) -> Positions | None:
    """The order of numbers by the quickest sort; None if two are equal, whose order it loses."""
    order = np.argsort(values)
    ordered = values[order]
    return None if np.any(ordered[1:] == ordered[:-1]) else order


def _distances(turn: _Turn, begins: Positions) -> Floats:
    """How far each alert is from the nearest event of its place; infinitely where there is none."""
    some = turn.first < turn.last
    right = np.minimum(turn.after, turn.last - 1)[some]
    left = np.maximum(turn.after - 1, turn.first)[some]
    distance, start = np.full(len(some), np.inf), turn.start[some]
    distance[some] = np.minimum(np.abs(begins[left] - start), np.abs(begins[right] - start))
    return distance


_ROW = 3  # what is kept of each start: the start, and one link either way


class _Free:
    """Starts that ascend, some of them taken: the nearest free one either way without a search.

    The first link of row k leads to the first free start from k on, the second to one past the last
    free one before k; a taken start passes on to its neighbour, and the way shortens as it is used.
    All that is known of a start lies together: with many of them the time goes into fetching it.
    """

    def __init__(self, begins: Positions) -> None:
        rows = repeat(np.arange(len(begins) + 1, dtype=np.int64), _ROW)
        rows[: _ROW * len(begins) : _ROW] = begins
        self._rows = array("q", rows.tobytes())

    def take_nearest(self, start: int, after: int, first: int, last: int, reach: float) -> bool:
        """Take the nearest free one from first up to last, of two equally near the earlier."""
        rows, nearest = self._rows, self._end_of(after, 1)
        before = self._end_of(after, 2) - 1
        late = rows[_ROW * nearest] - start if nearest < last else reach
        if before >= first and start - rows[_ROW * before] <= late:
            nearest, late = before, start - rows[_ROW * before]
        if late >= reach:
            return False
        rows[_ROW * nearest + 1], rows[_ROW * nearest + _ROW + 2] = nearest + 1, nearest
        return True

    def _end_of(self, place: int, side: int) -> int:
        """Follow the links of one side to where they end."""
        rows = self._rows
        while rows[at := _ROW * place + side] != place:
            rows[at] = place = rows[_ROW * rows[at] + side]
        return place


def alerts_in(scores: Array, events: Events) -> ScoredAlerts:
    """The alerts in scores of points: stretches of one score above the lowest, and the events.

    >>> from adjudge.data.events import Events
    >>> scores = np.array([0, 2, 2, 1, 0, 1])
    >>> found = alerts_in(scores, Events.from_labels([0, 1, 1, 0, 0, 0]))
    >>> found.alerts.start, found.alerts.end, found.score
    (array([1, 3, 5]), array([3, 4, 6]), array([2., 1., 1.]))
    """
    judged = events.judged_flags
    above = judged & (scores > scores[judged].min())
    begins = np.append(True, (scores[1:] != scores[:-1]) | (above[1:] != above[:-1]))
    begins[events.series_bounds[:-1]] = True
    edges = np.append(np.flatnonzero(begins), events.n)
    kept = above[edges[:-1]]
    starts, ends = edges[:-1][kept], edges[1:][kept]
    places = (
        np.searchsorted(events.series_bounds, side, side="right")
        for side in (events.starts, starts)
    )
    truth = Spans(events.starts, events.stops, next(places))
    return ScoredAlerts.of(truth, Spans(starts, ends, next(places)), scores[starts].astype(float))
