"""Match alerts that have a score to events, the surest alert first, each event at most once.

An alert takes an event of its own place (service or series) that no surer alert has taken. Equal
scores stand in the order of their starts, then of their ends, so the order of rows says nothing.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.count.on_call import overlapping_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events


_AT_A_TIME = 256


class Spans(NamedTuple):
    """Things that last from a start up to an end, each at a place."""

    start: Positions
    end: Positions
    place: Positions


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
        places = np.unique(self.events.place).tolist()
        starts = {p: np.sort(self.events.start[self.events.place == p]) for p in places}
        distance = np.full(len(self.score), np.inf)
        for place, begins in starts.items():
            mine = self.alerts.place == place
            distance[mine] = _distances(self.alerts.start[mine], begins)
        return [self._reached(starts, distance < reach, reach) for reach in tolerances]

    def _reached(self, starts: dict[int, Positions], may: Flags, reach: float) -> Flags:
        """Go through the alerts that are near an event, until no event is left."""
        free = {place: begins.tolist() for place, begins in starts.items()}
        hits, left = np.zeros(len(may), bool), len(self.events.start)
        for rank, place, start in self._in_turn(np.flatnonzero(may)):
            if _take_nearest(free[place], start, reach):
                hits[rank], left = True, left - 1
                if not left:
                    break
        return hits

    def _in_turn(self, ranks: Positions) -> Iterator[tuple[int, int, int]]:
        """Rank, place and start of some alerts, a few at a time: mostly the first ones will do."""
        for begin in range(0, len(ranks), _AT_A_TIME):
            part = ranks[begin : begin + _AT_A_TIME]
            columns = part, self.alerts.place[part], self.alerts.start[part]
            yield from zip(*(column.tolist() for column in columns), strict=True)

    def alike(self, ious: tuple[float, ...]) -> list[Flags]:
        """Which alerts take an event that they share so much of, for each share.

        The share is the length of the intersection over that of the union; each alert takes the
        free event with which it shares most, of equals the one that begins first.
        """
        rank, event, share = self._shares()
        begins, ends = self.events.start[event], self.events.end[event]
        order = np.lexsort((event, ends, begins, -share, rank))
        pairs = list(zip(rank[order].tolist(), event[order].tolist(), share[order], strict=True))
        return [self._taken(pairs, iou) for iou in ious]

    def _taken(self, pairs: list[tuple[int, int, float]], iou: float) -> Flags:
        hits, gone = np.zeros(len(self.score), bool), set()
        for rank, event, share in pairs:
            if share >= iou and not hits[rank] and event not in gone:
                hits[rank] = True
                gone.add(event)
        return hits

    def _shares(self) -> tuple[Positions, Positions, Floats]:
        """All pairs of an alert and an event that overlap, and how alike they are."""
        ranks, owners = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for place in np.unique(self.events.place):
            mine = np.flatnonzero(self.alerts.place == place)
            order = _order_of_distinct(self.alerts.start[mine])
            if order is None:
                order = np.argsort(self.alerts.start[mine], kind="stable")
            mine = mine[order]
            own = np.flatnonzero(self.events.place == place)
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


def _distances(starts: Positions, begins: Positions) -> Floats:
    """How far each start is from the nearest of some others, which ascend."""
    right = np.minimum(np.searchsorted(begins, starts), len(begins) - 1)
    left = np.maximum(right - 1, 0)
    beside = np.minimum(np.abs(begins[left] - starts), np.abs(begins[right] - starts))
    return np.asarray(beside, np.float64)


def _take_nearest(begins: list[int], start: int, reach: float) -> bool:
    """Take the nearest of some starts, which ascend, out of the list; False if it is too far."""
    nearest = bisect_left(begins, start)
    if nearest and (
        nearest == len(begins) or start - begins[nearest - 1] <= begins[nearest] - start
    ):
        nearest -= 1  # the earlier of two that are equally near
    if not begins or abs(begins[nearest] - start) >= reach:
        return False
    del begins[nearest]
    return True


def alerts_in(scores: Array, events: Events) -> ScoredAlerts:
    """The alerts in scores of points: stretches of one score above the lowest, and the events.

    >>> from adjudge.data.events import Events
    >>> scores = np.array([0, 2, 2, 1, 0, 1])
    >>> found = alerts_in(scores, Events.from_labels([0, 1, 1, 0, 0, 0]))
    >>> found.alerts.start, found.alerts.end, found.score
    (array([1, 3, 5]), array([3, 4, 6]), array([2., 1., 1.]))
    """
    judged = np.ones(events.n, bool) if events.judged is None else events.judged
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
