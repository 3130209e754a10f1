"""What every candidate did in every block: of points with scores, and of incidents with alerts.

Blocks are whole weeks by default, since the days of a week differ. An incident belongs to the block
in which it begins, a page to that in which it begins; a border that would lie inside an incident is
moved to its end. What is left at the end is part of the last block.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.count.costs import HOURS, Costs, is_night, regular_pages
from adjudge.count.runs import Runs
from adjudge.data.clock import NANOSECONDS, Clock, duration
from adjudge.data.intervals import bincount
from adjudge.data.time_settings import point_seconds
from adjudge.data.watched import Stretches
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.count.costs import Priced
    from adjudge.count.ledger import Entries
    from adjudge.data.case import Case
    from adjudge.data.events import Events
    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.measure.thresholds import Policy
    from adjudge.metrics.metric import Metric

_MINUTE, _DAY = NANOSECONDS["min"], NANOSECONDS["d"]


class Candidate(NamedTuple):
    """A detector with a policy; of alerts the policy is None, or their threshold."""

    detector: str
    policy: Policy | None
    level: float | None = None
    """The threshold as a number, once the scores are known."""

    @property
    def kind(self) -> tuple[str, str]:
        """The detector, and the policy but for its threshold."""
        bare = "" if self.policy is None else str(replace(self.policy, at=None))
        return self.detector, bare

    def on(self, case: Case) -> Candidate:
        """The same with its threshold as a number."""
        assert self.policy is not None  # noqa: S101 - of points there is one
        return self if self.policy.at is None else self._replace(level=self.policy(case))


@dataclass(frozen=True, eq=False)
class Table:
    """What every candidate did in every block: one row per candidate, one column per block."""

    names: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    sums: Floats
    """Found, truth, right and flagged of each, in the units of the metric; in money for costs."""
    found: Floats
    """How many incidents were found."""
    false: Floats
    """How many pages were false."""
    night: Floats
    """How many of these came at night, where that has a price."""
    late: Floats
    """Minutes of delay, of all that were found."""
    busy: Floats
    """For each candidate the share of the quiet time in which it fires."""
    blocks: Blocks
    worth: Floats
    """For each block what its incidents cost if nobody is paged."""
    dearest: float
    """The price of a miss, as it is met: large ones more often."""
    regular: dict[str, Floats]
    """What paging every so many hours costs in each block."""

    @property
    def incidents(self) -> Floats:
        """How many incidents each block has."""
        return self.blocks.incidents

    @property
    def watched(self) -> Floats:
        """The watched time of each block, in the unit that costs are told for."""
        return self.blocks.watched


class Blocks(NamedTuple):
    """Stretches of time, one after the other."""

    borders: Positions
    """The first instant of each, and of what comes after the last."""
    incidents: Floats
    watched: Floats
    """The watched time of each, in the unit that costs are told for."""
    days: Floats
    """The same in days."""
    unit: float
    """How many days that unit has."""

    def of(self, instants: Positions) -> Positions:
        """The number of the block in which each instant lies."""
        place = np.searchsorted(self.borders, instants, side="right") - 1
        return np.clip(place, 0, len(self.days) - 1)

    def sums(self, instants: Positions, values: Array) -> Floats:
        """The values of things that begin at instants, summed up in each block."""
        weights = np.asarray(values, np.float64)
        return bincount(self.of(instants), weights, len(self.days)).astype(np.float64)


def blocks_of(
    length: str, watched: Stretches, things: tuple[Positions, Positions], per: str | None
) -> Blocks:
    """Cut watched time into blocks, around incidents that begin and end so."""
    size = duration(length, "blocks")
    if not size:
        raise InputError(f"blocks must be longer than nothing, got {length!r}")
    if not watched.starts.size:
        raise InputError(
            "nothing can be decided without watched time: give two judged points or more, or leave "
            "some time of the span by watched and outages"
        )
    first, last = int(watched.starts[0]), int(watched.ends[-1])
    count = max(1, (last - first) // size)
    borders = first + size * np.arange(count + 1, dtype=np.int64)
    borders[-1] = max(last, borders[-1])
    starts, ends = things
    for place in range(1, count):
        inside = (starts < borders[place]) & (ends > borders[place])
        borders[place] = max(borders[place], ends[inside].max(initial=borders[place]))
    borders = np.maximum.accumulate(borders)
    days = np.diff(watched.before(borders)) / _DAY
    unit = duration(per or "1w", "per") / _DAY
    none = Blocks(borders, np.zeros(count), days / unit, days, unit)
    return none._replace(incidents=none.sums(starts, np.ones(starts.size)))


def table_of_points(
    cases: Sequence[Case],
    candidates: Sequence[Candidate],
    metric: Metric,
    length: str,
    severity: Array | None,
) -> Table:
    """What candidates did on labelled points, which all detectors have in common."""
    events, costs = cases[0].events, metric.parts.counting
    if events.clock is None:
        raise InputError(
            "time must be given: decide chooses on some weeks and pays on others; on the command "
            "line --time COL"
        )
    priced = costs if isinstance(costs, Costs) else None
    if severity is not None and len(severity) != len(events):
        raise InputError(
            f"severity must be one per event, got {len(severity)} for {len(events)} events"
        )
    begin, lasts = _point_times(events)
    judged = slice(None) if events.judged is None else events.judged
    team = Stretches.of(begin[judged], begin[judged] + lasts[judged])
    things = begin[events.starts], (begin + lasts)[events.stops - 1]
    blocks = blocks_of(length, team, things, None if priced is None else priced.per)
    money = None if priced is None else priced.priced(events, severity)
    at = _AtPoints(events, events.clock, blocks, metric, priced, money)
    by_name = {case.name: case for case in cases}
    candidates = [one.on(by_name[one.detector]) for one in candidates]
    rows = [at.row(one, by_name[one.detector]) for one in candidates]
    return _together(candidates, rows, at, {} if money is None else at.regular(money))


def _point_times(events: Events) -> tuple[Positions, Positions]:
    """When each point begins, and how long it lasts."""
    assert events.clock is not None  # noqa: S101 - its caller has looked
    lasts = np.rint(point_seconds(events) * NANOSECONDS["s"]).astype(np.int64)
    return events.clock.instants, lasts


class _Row(NamedTuple):
    """What one candidate did."""

    sums: Floats
    found: Floats
    false: Floats
    night: Floats
    late: Floats
    busy: float


class _AtPoints(NamedTuple):
    """How flags of points become rows of the table."""

    events: Events
    clock: Clock
    blocks: Blocks
    metric: Metric
    costs: Costs | None
    money: Priced | None

    def row(self, one: Candidate, case: Case) -> _Row:
        """What one candidate did."""
        flags = _flags(one, case)
        entries = self._entries(flags)
        times, blocks = self.clock.instants, self.blocks
        begin, pages = times[self.events.starts], times[entries.alarms.start]
        truth, alarms = entries.truth, entries.alarms
        sums = np.stack(
            [blocks.sums(begin, truth.credit), blocks.sums(begin, truth.weight),
             blocks.sums(pages, alarms.credit), blocks.sums(pages, alarms.weight)], axis=1,
        )  # fmt: skip
        counted = Runs().entries(flags, self.events, raw)
        rows, runs = counted.truth, counted.alarms
        began, false = times[runs.start], runs.event < 0
        place = self.events.starts + np.nan_to_num(rows.delay).astype(np.int64)
        late = np.where(rows.found, times[place] - begin, 0) / _MINUTE
        return _Row(
            sums, blocks.sums(begin, rows.found), blocks.sums(began, false),
            blocks.sums(began, false & self._dark(began)), blocks.sums(begin, late),
            self._busy(flags),
        )  # fmt: skip

    def _busy(self, flags: Flags) -> float:
        """The share of the quiet time in which an alarm is on."""
        quiet = ~self.events.labels
        quiet = quiet if self.events.judged is None else quiet & self.events.judged
        return float(np.count_nonzero(flags & quiet)) / max(1, int(np.count_nonzero(quiet)))

    def _entries(self, flags: Flags) -> Entries:
        if self.money is not None:
            return self.money.entries(flags, self.events)
        _, adjust, counting = self.metric.on(self.events).parts
        assert counting is not None  # noqa: S101 - a metric with a receipt has one
        return counting.entries(flags, self.events, adjust)

    def _dark(self, instants: Positions) -> Flags:
        if self.costs is None or not self.costs.night:
            return np.zeros(instants.size, bool)
        return is_night(instants, self.clock, self.costs.hours, self.costs.zone)

    @property
    def prices(self) -> Floats:
        """What missing each event costs."""
        return np.zeros(len(self.events)) if self.money is None else self.money.worth

    @property
    def worth(self) -> Floats:
        """What the incidents of each block cost if nobody is paged."""
        return self.blocks.sums(self.clock.instants[self.events.starts], self.prices)

    def regular(self, money: Priced) -> dict[str, Floats]:
        """What paging every so many hours costs in each block."""
        found, times = {}, self.clock.instants
        for hours in HOURS:
            saved, pages = regular_pages(money, self.events, hours)
            lost = self.blocks.sums(times[self.events.starts], money.worth - saved)
            paid = self.blocks.sums(times[pages], money.pages[pages])
            found[f"every {hours} h"] = lost + paid
        return found


def _flags(one: Candidate, case: Case) -> Flags:
    """The points at which a candidate pages."""
    assert one.policy is not None  # noqa: S101 - of points there is one
    judged, level = one.policy.settled(case)
    if level is not None:
        return judged.flagged(level)
    if judged.is_flags:
        return judged.flags
    raise InputError(
        f"candidate {one.policy} must have a threshold, as in policy(0.8, ...), since the scores "
        f"of {case.name} are not 0/1 flags"
    )


def table_of_things(
    cases: Sequence[OnCallCase], candidates: Sequence[Candidate], metric: Metric, length: str
) -> Table:
    """What candidates did on incidents, by lists of alerts; each case is a candidate."""
    first, costs = cases[0], metric.parts.counting
    clock, incidents = first.incidents.clock, first.count.incidents
    if clock is None:
        raise InputError(
            "incidents must have times: decide chooses on some weeks and pays on others"
        )
    priced = costs if isinstance(costs, Costs) else None
    if not isinstance(costs, (Costs, Runs)):
        raise InputError(
            f"metric must be costs or one of events such as event_f1 for incidents, got {metric}"
        )
    judged = incidents.judged
    things = incidents.start[judged], incidents.end[judged]
    team = first.watched.team
    blocks = blocks_of(length, team, things, None if priced is None else priced.per)
    at = _AtInstants(first, clock, blocks, costs)
    rows = [at.row(case) for case in cases]
    regular = {} if priced is None else at.regular(priced)
    return _together(candidates, rows, at, regular)


class _AtInstants(NamedTuple):
    """How alerts become rows of the table."""

    case: OnCallCase
    clock: Clock
    blocks: Blocks
    counting: Costs | Runs

    @property
    def begun(self) -> Positions:
        """When each incident began that is judged."""
        return self.case.count.incidents.start[self.case.places.row]

    @property
    def prices(self) -> Floats:
        """What missing each incident costs."""
        weight = np.asarray(self.counting.in_time(self.case.outcome).weight[0], np.float64)
        return weight if isinstance(self.counting, Costs) else 0 * weight

    @property
    def worth(self) -> Floats:
        """What the incidents of each block cost if nobody is paged."""
        return self.blocks.sums(self.begun, self.prices)

    def row(self, case: OnCallCase) -> _Row:
        """What one list of alerts did."""
        count, blocks, costs = case.outcome, self.blocks, self.counting
        begin, pages = self.begun, count.instants[0]
        entries, found, false = costs.in_time(count), count.found[0], ~count.right[0]
        sums = [blocks.sums(begin, np.broadcast_to(one, (1, begin.size))[0]) for one in entries[:2]]
        sums += [
            blocks.sums(pages, np.broadcast_to(one, (1, pages.size))[0]) for one in entries[2:4]
        ]
        late = np.where(found, np.nan_to_num(count.late[0]), 0) / _MINUTE
        dark = np.zeros(len(pages), bool)
        if isinstance(costs, Costs) and costs.night:
            dark = is_night(pages, self.clock, costs.hours, costs.zone)
        return _Row(
            np.stack(sums, axis=1), blocks.sums(begin, found), blocks.sums(pages, false),
            blocks.sums(pages, false & dark), blocks.sums(begin, late), _busy(case),
        )  # fmt: skip

    def regular(self, costs: Costs) -> dict[str, Floats]:
        """What paging every service every so many hours costs in each block."""
        found, rows, own = {}, self.case.count.incidents, self.case.places.row
        begin, end, prices = rows.start[own], rows.end[own], self.prices
        for hours in HOURS:
            step = hours * NANOSECONDS["h"]
            first = -(-begin // step) * step  # the next full hour of that kind
            late = np.clip(first - begin, 0, None) / NANOSECONDS["s"]
            lost = prices - np.where(first < end, prices - costs.unit_price * late, 0)
            paid = self.blocks.sums(begin, lost)
            for service, part in self.case.watched.parts.items():
                ticks = np.arange(-(-self.case.watched.span[0] // step) * step,
                                  self.case.watched.span[1], step)  # fmt: skip
                mine = rows.service == service
                busy = Stretches.of(rows.start[mine], rows.end[mine])
                quiet = ticks[part.holds(ticks) & ~busy.holds(ticks)]
                each = np.full(quiet.size, float(costs.false))
                if costs.night:
                    each[is_night(quiet, self.clock, costs.hours, costs.zone)] += costs.night
                paid = paid + self.blocks.sums(quiet, each)
            found[f"every {hours} h"] = paid
        return found


def _busy(case: OnCallCase) -> float:
    """The share of the quiet time in which an alert was on."""
    on, rows, last = 0, case.count.incidents, case.watched.span[1]
    for service, part in case.watched.parts.items():
        mine, own = case.alerts.place == service, rows.service == service
        alerts = Stretches.of(case.alerts.start[mine], case.alerts.until(last)[mine])
        on += alerts.within(part).without(Stretches.of(rows.start[own], rows.end[own])).length
    return on / max(1, case.count.quiet)


def _together(
    candidates: Sequence[Candidate],
    rows: Sequence[_Row],
    at: _AtPoints | _AtInstants,
    regular: dict[str, Floats],
) -> Table:
    several = len({one.detector for one in candidates}) > 1
    sums, found, false, night, late, busy = (np.array(one) for one in zip(*rows, strict=True))
    prices = at.prices
    dearest = float((prices**2).sum() / prices.sum()) if prices.sum() else 0.0
    names = tuple(_name(one, several=several) for one in candidates)
    return Table(
        names, tuple(candidates), sums, found, false, night, late, busy,
        at.blocks, at.worth, dearest, regular,
    )  # fmt: skip


def _name(one: Candidate, *, several: bool) -> str:
    if one.policy is None:
        return one.detector
    return f"{one.detector}: {one.policy}" if several else str(one.policy)
