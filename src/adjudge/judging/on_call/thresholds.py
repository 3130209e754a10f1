"""Alerts that have a score: values over all thresholds, and the best threshold of a metric.

Such values are no sums over incidents and alerts. Chance moves all alerts, with their scores, and
reads the value anew; so does an interval, without each unit of evidence in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.count.contract import grid
from adjudge.count.on_call import overlapping_pairs
from adjudge.count.scored_alerts import ScoredAlerts, Spans
from adjudge.count.tally import Mass, Masses
from adjudge.data.intervals import bincount
from adjudge.measure.curves import best, best_value
from adjudge.measure.whole.event_ap import AlertAp, IntervalAp
from adjudge.noise.intervals.read_anew import left_out
from adjudge.noise.shifting.in_time import ScoredShifts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.count.lengths import Placed, WatchedLine
    from adjudge.count.tally import Tally
    from adjudge.data.watched import Stretches
    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.evidence import Spread, Units

_READINGS = 100  # without units of evidence, which are taken together where there are more


def scored_parts(case: OnCallCase) -> list[tuple[Stretches, WatchedLine, Floats]]:
    """Each service that was watched: its time, its line, and the scores of the alerts on it.

    The scores are those of `WatchedLine.shiftable`, in its order.
    """
    found, lines = [], iter(case.lines)
    for service, part in case.watched.parts.items():
        if part.length:
            mine = np.flatnonzero((case.alerts.place == service) & part.holds(case.alerts.start))
            order = np.argsort(part.before(case.alerts.start[mine]), kind="stable")
            found.append((part, next(lines), case.alerts.score[mine[order]].astype(np.float64)))
    return found


class AveragePrecision(NamedTuple):
    """Average precision of all alerts that count, near the incidents that are judged."""

    case: OnCallCase
    """With every alert raised."""
    measure: AlertAp | IntervalAp
    tolerance: int = 0
    """Of `AlertAp`, in the unit of the instants."""

    @property
    def value(self) -> float:
        """The value."""
        return self.without(np.zeros(len(self._rows), bool), np.zeros(len(self._counted), bool))

    @property
    def _rows(self) -> Positions:
        """The incidents that are judged, service by service, in the order of their starts."""
        rows, services = self.case.count.incidents, list(self.case.watched.parts)
        judged = np.flatnonzero(rows.judged)
        home = np.array([services.index(one) for one in rows.service[judged]], np.int64)
        return judged[np.lexsort((rows.start[judged], home))]

    @property
    def _counted(self) -> Positions:
        return np.flatnonzero(self.case.count.alerts.counted)

    @property
    def _events(self) -> Spans:
        rows, which, services = self.case.count.incidents, self._rows, list(self.case.watched.parts)
        place = np.array([services.index(one) for one in rows.service[which]], np.int64)
        return self._placed(rows.start[which], rows.end[which], place)

    def _placed(self, start: Positions, end: Positions, place: Positions) -> Spans:
        """Of `IntervalAp` in watched time, in which shares of lengths are taken."""
        if isinstance(self.measure, AlertAp):
            return Spans(start, end, place)
        start, end = start.copy(), end.copy()
        for number, part in enumerate(self.case.watched.parts.values()):
            mine = place == number
            start[mine], end[mine] = part.before(start[mine]), part.before(end[mine])
        return Spans(start, end, place)

    def _of(self, events: Spans, alerts: Spans, score: Floats) -> float:
        found = ScoredAlerts.of(events, alerts, score)
        if isinstance(self.measure, AlertAp):
            return self.measure.of(found, self.tolerance)
        return self.measure.of(found)

    def without(self, incidents: Flags, alerts: Flags) -> float:
        """The value without some of the incidents and of the alerts."""
        table, which = self.case.alerts, self._counted[~alerts]
        services = list(self.case.watched.parts)
        place = np.array([services.index(one) for one in table.place[which]], np.int64)
        until = table.until(self.case.watched.span[1])[which]
        own = self._placed(table.start[which], until, place)
        events = Spans(*(side[~incidents] for side in self._events))
        return self._of(events, own, np.asarray(table.score[which], np.float64))

    @property
    def shifts(self) -> ScoredShifts:
        """The alerts at other times."""
        parts, events = scored_parts(self.case), self._events
        score = np.concatenate([np.zeros(0), *(own for *_, own in parts)])
        numbers = [k for k, part in enumerate(self.case.watched.parts.values()) if part.length]
        in_time = isinstance(self.measure, AlertAp)

        def read(moved: Sequence[Placed]) -> float:
            starts, ends, places = [], [], []
            for placed, number, (part, line, _) in zip(moved, numbers, parts, strict=True):
                _, first = np.unique(placed.alert, return_index=True)  # the piece it begins with
                begin = placed.starts[first]
                end = np.minimum(begin + line.shiftable.lengths, line.length)
                starts.append(part.instants(begin) if in_time else begin)
                ends.append(starts[-1] if in_time else end)
                places.append(np.full(len(begin), number))
            spans = Spans(*(np.concatenate(side) for side in (starts, ends, places)))
            return self._of(events, spans, score)

        return ScoredShifts([line for _, line, _ in parts], read)

    def spread_of(self, units: Units, span: tuple[float, float]) -> Spread:
        """How far the value moves without each unit of evidence, or some that are neighbours."""
        count = min(units.count, _READINGS)
        few = np.arange(units.count, dtype=np.int64) * count // units.count
        incidents, alerts = (
            few[units.of_piece[np.searchsorted(units.edges, places, side="right") - 1]]
            for places in self._points
        )
        left = [self.without(incidents == unit, alerts == unit) for unit in range(count)]
        stakes = bincount(incidents, minlength=count).astype(np.float64)
        return left_out(self.value, np.array(left), stakes, span, units.homes(count))

    @property
    def _points(self) -> tuple[Positions, Positions]:
        """Where incidents and alerts stand on the line of points of `PieceRows`."""
        rows, found, table = self.case.count.incidents, self.case.count.alerts, self.case.alerts
        where, first = np.full(len(rows.start) + 1, -1), 0
        places = np.zeros(len(table), np.int64)
        for service in self.case.watched.parts:
            mine = self._rows[rows.service[self._rows] == service]
            where[mine] = first + 2 * np.arange(len(mine), dtype=np.int64) + 1
            own = table.place == service
            began = np.searchsorted(rows.start[mine], table.start[own], side="right")
            places[own] = first + 2 * began
            first += 2 * len(mine) + 1
        taken = where[found.incident]
        places = np.where(taken >= 0, taken, places)
        return where[self._rows], places[self._counted]


def best_level(
    metric: Metric,
    case: OnCallCase,
    measure: Callable[[Tally], Any] | None,
    read: Callable[[OnCallCase], float],
) -> float:
    """The highest threshold at which a metric is best.

    Parameters
    ----------
    metric : Metric
        Which way is better, and how many thresholds may be tried.
    case : OnCallCase
        With every alert raised.
    measure : callable or None
        What the metric makes of counts of incidents and alerts, which are known at every threshold
        at once; None: it is read anew at each.
    read : callable
        The value of a case.
    """
    lower, score = metric.row.better == "lower", np.asarray(case.alerts.score, np.float64)
    rows, alerts = case.count.incidents, case.count.alerts
    judged = int(np.count_nonzero(rows.judged))
    if measure is not None:
        levels = rows.surest[rows.found], score[alerts.right], score[alerts.false]
        return best(measure, _masses(*levels, judged), lower=lower).threshold
    tried = grid(score, metric.thresholds)
    values = np.array([read(case.above(level)) for level in tried.tolist()])
    return best_value(tried, values, lower=lower, to_find=judged > 0).threshold


def best_shifts(case: OnCallCase, measure: Callable[[Tally], Any], *, lower: bool) -> ScoredShifts:
    """The alerts at other times, where the threshold is chosen again."""
    parts = scored_parts(case)
    judged = sum(line.incidents for _, line, _ in parts)

    def read(moved: Sequence[Placed]) -> float:
        levels = [
            _levels(line, placed.at_least(case.early), score)
            for placed, (_, line, score) in zip(moved, parts, strict=True)
        ]
        found, right, false = (np.concatenate(side) for side in zip(*levels, strict=True))
        return best(measure, _masses(found, right, false, judged), lower=lower).value

    return ScoredShifts([line for _, line, _ in parts], read)


def _levels(line: WatchedLine, alerts: Placed, score: Floats) -> tuple[Floats, Floats, Floats]:
    """The scores above which incidents are not found any more; of alerts right, and false."""
    order = np.argsort(alerts.starts, kind="stable")
    starts, number = alerts.starts[order], alerts.alert[order]
    stops = starts + np.maximum(alerts.lengths[order], 1)
    pairs = overlapping_pairs(line.owner, line.starts, line.ends, starts, stops)
    surest, right = np.full(line.incidents, -np.inf), np.zeros(len(score), bool)
    np.maximum.at(surest, pairs.incident, score[number[pairs.alert]])
    right[number[pairs.alert]] = True
    return surest[surest > -np.inf], score[right], score[~right]


def _masses(found: Floats, right: Floats, false: Floats, judged: int) -> Masses:
    """Counts above every threshold."""
    every = Mass(np.concatenate([found, right, false]))
    return Masses(Mass(found), judged, Mass(right), Mass(false), (every,))
