"""Count points: every flagged point is right or wrong, every anomalous point found or missed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from adjudge.adjust.balanced import Balanced
from adjudge.count.contract import Counting, SweptCounting
from adjudge.count.ledger import (
    FALSE,
    FLAGGED,
    FOUND,
    RIGHT,
    TRUTH,
    AlarmRows,
    Entries,
    Ledger,
    flagged_runs,
    truth_rows,
)
from adjudge.count.on_call import overlapping_pairs
from adjudge.count.tally import Mass, Masses, Tally
from adjudge.data.durations import duration
from adjudge.data.intervals import bincount, repeat
from adjudge.data.windows import seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.alerts_on_lines import AlertsOnLines
    from adjudge.count.lengths import AlertPieces
    from adjudge.count.tally import Counts, StreamSums
    from adjudge.count.time_count import TimeCount
    from adjudge.data.case import Case
    from adjudge.data.events import Events

_BLOCK = 1 << 16


@dataclass(frozen=True)
class PointCount(SweptCounting):
    """Weigh every judged point 1: found and right are the true positives.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1])
    >>> PointCount().masses(np.array([0.1, 0.9, 0.2, 0.8]), events).at(0.5)
    Tally(found=1, truth=2, right=1, flagged=2, normal=2)
    """

    by_order: ClassVar[bool] = True

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count points above any threshold."""
        return _masses(adjusted[events.labels], adjusted[events.normal])

    def masses_sharing_normals(
        self, normal: Mass | None, scores: Array, events: Events, adjust: Adjustment
    ) -> Masses | None:
        """The adjusted scores of anomalous points, and those of normal ones, which stay."""
        found = adjust.of_events(scores, events)
        if found is None:
            return None
        true, wrong = Mass(found), Mass(scores[events.normal]) if normal is None else normal
        return Masses(true, found.size, None, wrong, (true, wrong), wrong.values.size)

    def counts(
        self, scores: Array, events: Events, adjust: Adjustment, thresholds: int | None = None
    ) -> Counts:
        """The masses at every threshold; adjusted scores are taken over, not copied."""
        layers = adjust.layers(events)
        if len(layers) > 1:
            return super().counts(scores, events, adjust, thresholds)
        adjusted = layers[0][1](scores, events)
        if np.may_share_memory(adjusted, scores):
            return self.masses(adjusted, events)
        found = adjusted[events.labels]
        return _masses(found, moved_together(adjusted, events.normal))

    def tally(self, flags: Flags, events: Events, adjust: Adjustment) -> Tally:
        """Count the points of one threshold, without lists of them."""
        truth = int(np.count_nonzero(events.labels))
        marked = adjust.marked(flags, events) if events.judged is None else None
        if marked is not None:
            found, false = marked
            return Tally(found, truth, found, found + false, events.n - truth)
        layers = adjust.layers(events)
        if len(layers) > 1:
            return super().tally(flags, events, adjust)
        adjust = layers[0][1]
        adjusted = adjust(flags, events)  # nothing there where nothing is judged
        found = int(np.count_nonzero(adjusted & events.labels))
        flagged, normal = int(np.count_nonzero(adjusted)), events.judged_count - truth
        return Tally(found, truth, found, flagged, normal)

    def supposed(self, kind: str, case: Case, adjust: Adjustment) -> Floats | None:
        """What events earn that are flagged whole, or not at all, and what a false run costs."""
        events = case.events
        marking = adjust.marking_on(events)
        if type(self) is not PointCount or marking is None:
            return None
        if kind == "false":
            flags, layers = case.supposed(kind).flags, adjust.layers(events)
            cost = sum(
                weight * np.count_nonzero(layer(flags, events) & events.normal)
                for weight, layer in layers
            )
            rows = np.zeros((1, 5))
            rows[:, FLAGGED] = cost / sum(weight for weight, _ in layers)
            return rows
        rows = np.zeros((len(events), 5))
        rows[:, TRUTH] = events.widths
        if kind == "found":
            earned = np.where(marking.first >= marking.needed, events.widths, 0)
            earned = events.widths if marking.keeps else earned
            rows[:, FOUND] = rows[:, RIGHT] = rows[:, FLAGGED] = earned
        return rows

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally:  # noqa: ARG002
        """Count the points that have passed."""
        right, false = passed.credited, passed.false
        return Tally(right, passed.points, right, right + false, passed.normal)

    def knows_time(self, adjust: Adjustment) -> bool:
        """Whether it is balanced adjustment by islands of one width."""
        if not isinstance(adjust, Balanced) or type(self) is not PointCount:
            return False
        return adjust == Balanced(adjust.width) and adjust.width not in {"iid", "matched"}

    def on_time(self, count: TimeCount, adjust: Adjustment) -> Ledger:
        """A row per stretch of incidents, and one per stretch of false time."""
        found: list[Any] = []
        first = 0
        for number, (line, alerts) in enumerate(count.lines):
            size = line.truth.ends - line.truth.starts
            got, none = size * line.hit(alerts), 0 * size
            own = np.arange(first, first + len(size))
            found.append((number, *line.truth, own, np.stack([got, size, got, got, none], axis=1)))
            start, stop, cost = line.false_stretches(alerts, _length(adjust))
            none, first = 0 * cost, first + len(size)
            false = np.stack([none, none, none, cost, none], axis=1)
            found.append((number, start, stop, FALSE, false))
        quiet = float(sum(line.quiet.length for line, _ in count.lines))
        return Ledger.of(*found, *count.quiet(quiet))

    def shares(self, count: TimeCount, adjust: Adjustment) -> tuple[Array, Array]:
        """Time of several incidents is that of the first; alerts share what they are charged with.

        They have equal parts of each stretch that they cover, the first what is left by division.
        """
        case, places, rows = count.case, count.case.places, self.on_time(count, adjust)
        sizes = len(case.count.incidents.start), len(case.alerts)
        truth, alarms = (np.zeros((size, 2), np.int64) for size in sizes)
        for number, (line, alerts) in enumerate(count.lines):
            incident = np.sort(places.row[places.line == number])[line.owner]
            order = np.argsort(line.starts, kind="stable")
            starts, ends = line.starts[order], line.ends[order]
            passed = np.maximum.accumulate(np.append(0, ends[:-1]))[: len(ends)]
            weight, hit = np.maximum(ends - np.maximum(starts, passed), 0), line.hit(alerts)
            found = weight * hit[np.searchsorted(line.truth.starts, starts, side="right") - 1]
            np.add.at(truth, incident[order], np.stack([found, weight], axis=1))
            charged = rows.chosen((rows.line == number) & (rows.event >= FALSE))
            own = np.flatnonzero(case.alerts.place == case.parts[number][0])[line.rows]
            np.add.at(alarms, *_divided(charged, alerts, own))
        return truth, alarms

    def sums_on_time(self, count: TimeCount, adjust: Adjustment) -> Floats:
        """Lengths of time, all turns at once."""
        each = [np.stack(one.lengths(own, _length(adjust)), axis=-1) for one, own in count.lines]
        return np.asarray(sum(each, np.zeros((1, 5))))

    def meets(self, case: AlertsOnLines, adjust: Adjustment) -> tuple[int, ...]:  # noqa: ARG002
        """Where an alert comes to an incident, or its island to that of another."""
        width = _length(adjust)
        return 0, width // 2, width - width // 2, width

    def entries(self, flags: Flags, events: Events, adjust: Adjustment) -> Entries:
        """Rows for every adjusted point: events earn, false runs pay for their islands."""
        starts, stops = flagged_runs(flags & events.normal, events)
        begin, end = np.append(events.starts, starts), np.append(events.stops, stops)
        layers = adjust.layers(events)
        earned, cost, island_start, island_stop = _charges(flags, events, layers, begin, end)
        credit = np.append(earned, np.zeros(len(starts), np.int64))
        number = np.append(np.arange(len(events)), np.full(len(starts), -1))
        alarms = AlarmRows(begin, end, number, island_start, island_stop, credit + cost, credit)
        truth = truth_rows(flags, events, events.widths, earned, earned > 0)
        return Entries(truth, _in_order(alarms), int(np.count_nonzero(events.normal)))


def _divided(charged: Ledger, alerts: AlertPieces, own: Positions) -> tuple[Positions, Positions]:
    """Divide what of each stretch is right and flagged among the alerts that cover it."""
    order = np.argsort(alerts.starts, kind="stable")
    starts, stops = alerts.starts[order], np.maximum(alerts.stops, alerts.starts + 1)[order]
    end = np.maximum(charged.stop, charged.start + 1)
    stretch, alert = overlapping_pairs(np.arange(len(end)), charged.start, end, starts, stops)
    _, first, many = np.unique(stretch, return_index=True, return_counts=True)
    masses = charged.masses[stretch, 2:4].astype(np.int64)
    each, left = np.divmod(masses, repeat(many, many)[:, np.newaxis])
    each[first] += left[first]
    return own[order[alert]], each


def _length(adjust: Any) -> int:
    """How long an island is, in points or nanoseconds."""
    width: Any = adjust.width if isinstance(adjust, Balanced) else 0
    return duration(width, "width") if isinstance(width, str) else int(width)


@dataclass(frozen=True)
class FalseTime(PointCount):
    """Count points, and in seconds the time from each flagged normal point to the next point.

    The last point of a series lasts as long as the one before it.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1])
    >>> FalseTime().masses(np.array([0.1, 0.9, 0.2, 0.8]), events).at(0.5)
    Tally(found=1, truth=2, right=1, flagged=2, normal=2)
    """

    def in_seconds(self) -> Counting:
        """The same in time."""
        return _FalseSeconds()


class _FalseSeconds(PointCount):
    """Seconds that are flagged outside events, on the alarm side alone."""

    def tally(self, flags: Flags, events: Events, adjust: Adjustment) -> Tally:
        """Add up the seconds of the flagged normal points."""
        wrong = adjust(flags, events) & events.normal
        return Tally(0, 0, 0, float(_lengths(events)[wrong].sum()))


def _lengths(events: Events) -> Array:
    """How long each point lasts, in seconds."""
    when, bounds = seconds(events), events.series_bounds
    length = np.append(np.diff(when), 0.0)
    last = bounds[1:] - 1
    length[last] = np.where(np.diff(bounds) > 1, length[last - 1], 0.0)
    return length


def _masses(found: Array, false: Array) -> Masses:
    true, wrong = Mass(found), Mass(false)
    return Masses(true, found.size, None, wrong, (true, wrong), false.size)


def moved_together(values: Array, chosen: Flags) -> Array:
    """The chosen values, moved to the front of their own array."""
    stop = 0
    for begin in range(0, values.size, _BLOCK):
        kept = values[begin : begin + _BLOCK][chosen[begin : begin + _BLOCK]]
        values[stop : stop + kept.size] = kept
        stop += kept.size
    return values[:stop]


def _charges(
    flags: Flags, events: Events, layers: Sequence[tuple[int, Adjustment]], begin: Array, end: Array
) -> tuple[Array, Array, Array, Array]:
    """Say what each event earns, what each alarm row costs, and over which stretch.

    In each layer a row is charged with the points that it marks wrongly; its cost is the mean over
    the layers by their weights, and its stretch the widest.
    """
    cost: Array = np.zeros(len(begin), np.int64)
    island_start, island_stop = begin.copy(), end.copy()
    for weight, layer in layers:
        adjusted = layer(flags, events)
        wrong = adjusted & events.normal
        payer, points = _payers(flags, wrong, events, layer, begin), np.flatnonzero(wrong)
        cost += weight * bincount(payer, minlength=len(cost))
        np.minimum.at(island_start, payer, points)
        np.maximum.at(island_stop, payer, points + 1)
    total = sum(weight for weight, _ in layers)
    cost = cost if total == 1 else cost / total
    return events.sum(adjusted), cost, island_start, island_stop


def _payers(
    flags: Flags, wrong: Flags, events: Events, adjust: Adjustment, begin: Positions
) -> Positions:
    """Name, for each wrongly flagged point, the alarm row that is charged with it.

    A raw false flag pays for itself; an island's point is charged to the nearest flag whose
    island reaches it, the earlier one among equals. Rows are the events, then the false runs.
    """
    points = np.flatnonzero(wrong)
    source = points.copy()
    islands = adjust.explain_islands(flags, events)
    if islands is not None:
        raised_by, *reach = islands
        spread = np.flatnonzero(~flags[points])
        here = points[spread]
        before, after = (far if isinstance(far, int) else far[here] for far in reach)
        source[spread] = _nearest(here, np.flatnonzero(raised_by), before, after, events)
    true = events.labels[source]
    first_false = len(events)
    owner = np.searchsorted(begin[first_false:], source, side="right") - 1 + first_false
    owner[true] = np.searchsorted(events.starts, source[true], side="right") - 1
    return owner


def _nearest(
    points: Positions, sources: Positions, before: Any, after: Any, events: Events
) -> Positions:
    """Find the nearest source whose island ``u - before ... u + after`` holds each point.

    Where the reach differs from point to point, it is that of the islands which hold the point.
    """
    if not points.size:
        return points
    bounds = events.series_bounds
    home = np.searchsorted(bounds, points, side="right") - 1
    place = np.searchsorted(sources, points)
    left = sources[np.maximum(place - 1, 0)]
    right = sources[np.minimum(place, len(sources) - 1)]
    left_far = np.where((left < points) & (left >= bounds[home]), points - left, np.inf)
    right_far = np.where((right > points) & (right < bounds[home + 1]), right - points, np.inf)
    left_far[left_far > after] = np.inf
    right_far[right_far > before] = np.inf
    return np.where(left_far <= right_far, left, right)


def _in_order(alarms: AlarmRows) -> AlarmRows:
    """Drop events on whose account nothing was flagged, and sort the rest by time."""
    order = np.argsort(alarms.start, kind="stable")
    order = order[alarms.weight[order] > 0]
    return alarms.chosen(order)
