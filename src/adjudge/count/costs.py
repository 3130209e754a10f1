"""Count in money: what missed events, false pages and late ones cost.

The prices are of one missed event, of one false page (more at night) and of a unit of delay. A late
page is never dearer than none: the delay ends with the event, and an event that is missed costs at
least what being told at its end would have cost. Pages that are right cost nothing, however many.

Prices, rates and hours as people write them: ``"2/min"``, ``"1/day"``, ``"22:00-07:00"``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from adjudge.count.contract import SweptCounting
from adjudge.count.first_alarms import first_alarms
from adjudge.count.ledger import AlarmRows, Entries, first_touched, flagged_runs, truth_rows
from adjudge.count.tally import Mass, Masses, every_score
from adjudge.count.time_count import TimeEntries
from adjudge.data.durations import NANOSECONDS, duration, spelt
from adjudge.data.intervals import reduce_over, repeat, runs
from adjudge.data.time_settings import point_seconds
from adjudge.data.watched import Stretches
from adjudge.errors import InputError, shown
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.alert_case import AlertCase
    from adjudge.count.alerts_on_lines import AlertsOnLines
    from adjudge.count.tally import Tally
    from adjudge.count.time_count import TimeCount
    from adjudge.data.clock import Clock
    from adjudge.data.events import Events

_DEAREST = 1e15
_DAY = NANOSECONDS["d"]
_CLOCK_TIMES = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)\s*-\s*([01]?\d|2[0-4]):([0-5]\d)")
_AMOUNT = re.compile(r"\s*([0-9.]+(?:e[+-]?\d+)?)\s*(?:/|per\b|an?\b)\s*(\S.*)")
_UNIT = re.compile(r"\s*(second|minute|hour|day|week)s?")


def price(value: object, name: str) -> float:
    """Check a price: nobody is paid for a miss.

    >>> price(20, "false")
    20
    >>> price(-1, "false")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    adjudge.errors.InputError: false must be a price of at least 0, got -1; ...
    """
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, str):
        try:
            plain = float(plain)
        except ValueError:
            plain = None
    good = isinstance(plain, (int, float)) and not isinstance(plain, bool)
    if good and 0 <= plain <= _DEAREST:  # type: ignore[operator]
        return int(plain) if float(plain) == int(plain) else plain  # type: ignore[arg-type, return-value]
    hint = "savings are shown as the difference to paging nobody"
    raise InputError(f"{name} must be a price of at least 0, got {shown(value)}; {hint}")


def price_list(value: object, name: str) -> float | str:
    """Check a price, or one for each severity: a mapping, or the text that it is printed as.

    >>> price_list({"P1": 2000, "P3": 100}, "miss"), price_list("P1=2000", "miss")
    ('P1=2000, P3=100', 'P1=2000')
    """
    if isinstance(value, Mapping):
        pairs = [(str(key), price(one, f"{name}[{key!r}]")) for key, one in value.items()]
    elif isinstance(value, str) and "=" in value:
        parts = [part.partition("=") for part in value.split(",")]
        pairs = [
            (key.strip(), price(one.strip(), f"{name}[{key.strip()!r}]")) for key, _, one in parts
        ]
    else:
        return price(value, name)
    if not pairs or not all(key and not set(key) & set("=,") for key, _ in pairs):
        raise InputError(f"{name} must have a price for each severity, got {shown(value)}")
    return ", ".join(f"{key}={one}" for key, one in pairs)


def prices_of(miss: float | str, severity: Array | None, count: int) -> Floats:
    """What missing each event costs, by its severity where prices differ."""
    if not isinstance(miss, str):
        return np.full(count, float(miss))
    listed = {
        key: float(one) for key, _, one in (p.strip().partition("=") for p in miss.split(","))
    }
    if severity is None:
        raise InputError(
            f"miss must be one price when events have no severity, got {miss!r}; give "
            "incidents a column severity: aj.Incidents(start, end, severity=...)"
        )
    unknown = [str(one) for one in severity if str(one) not in listed]
    if unknown:
        raise InputError(
            f"miss must have a price for every severity, got none for {unknown[0]!r}; write "
            f"miss={{{', '.join(f'{key!r}: {one:g}' for key, one in listed.items())}, "
            f"{unknown[0]!r}: ...}}"
        )
    return np.array([listed[str(one)] for one in severity], np.float64)


class CountRate(NamedTuple):
    """So many in so much time."""

    amount: float
    span: int
    """In nanoseconds."""

    @classmethod
    def read(cls, value: object, name: str, example: str) -> CountRate:
        """Read a rate such as ``"2/min"``, ``"1/day"``, ``"3/1w"`` or ``"1 per day"``."""
        found = _AMOUNT.fullmatch(value) if isinstance(value, str) else None
        length = 0 if found is None else _length(found[2].strip())
        if found is None or length <= 0:
            raise InputError(
                f"{name} must be a number per time such as {example!r}, '2/week' or '1 per 12h' "
                f"(units {', '.join(NANOSECONDS)}, or second, minute, hour, day, week), "
                f"got {shown(value)}"
            )
        return cls(float(price(found[1], name)), length)

    def __str__(self) -> str:
        """Print it so that it reads back."""
        text = spelt(self.span)
        return f"{self.amount:g}/{text[1:] if re.fullmatch('1[a-z]+', text) else text}"


def _length(text: str) -> int:
    """A time such as "2d", "day" or "2 weeks" in nanoseconds; 0 if it is none.

    >>> _length("2 weeks") == _length("14d"), _length("month")
    (True, 0)
    """
    short = _UNIT.sub(lambda unit: {"minute": "min"}.get(unit[1], unit[1][0]), text)
    try:
        return duration(short if short[0].isdigit() else f"1{short}", "time")
    except InputError:
        return 0


def delay_price(value: object, name: str) -> float | str:
    """Check the price of a delay: per point, or per time as in "2/min".

    >>> delay_price("2/1min", "delay"), delay_price(0, "delay")
    ('2/min', 0)
    """
    if isinstance(value, str) and ("/" in value or " per " in value):
        return str(CountRate.read(value, name, "2/min"))
    return price(value, name)


def clock_times(value: object, name: str) -> str:
    """Check hours of the day such as "22:00-07:00"."""
    found = _CLOCK_TIMES.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise InputError(f"{name} must be hours such as '22:00-07:00', got {shown(value)}")
    return f"{int(found[1]):02}:{found[2]}-{int(found[3]):02}:{found[4]}"


def zone_name(value: object, name: str) -> str:
    """Check the name of a time zone."""
    try:
        return ZoneInfo(str(value)).key
    except (ValueError, KeyError, OSError):
        raise InputError(
            f"{name} must be a time zone such as 'Europe/Berlin', got {shown(value)}"
        ) from None


def span_of(value: object, name: str) -> str:
    """Check the time that costs are for."""
    found = duration(value, name)
    if found > 0:
        return spelt(found)
    raise InputError(f"{name} must be longer than 0, got {shown(value)}")


def is_night(instants: Positions, clock: Clock, hours: str, zone: str | None) -> Flags:
    """Whether each instant lies in these hours of the day, where the people are.

    >>> from adjudge.data.clock import Clock
    >>> clock = Clock.read(["2026-01-01 21:59", "2026-01-01 22:00", "2026-01-02 06:59"])
    >>> is_night(clock.instants, clock, "22:00-07:00", None)
    array([False,  True,  True])
    """
    there = clock.tzinfo if zone is None else ZoneInfo(zone)
    hour, which = np.unique(instants // NANOSECONDS["h"], return_inverse=True)
    hour = hour if isinstance(there, ZoneInfo) else hour[:1]  # all others never change
    offsets = [
        datetime.fromtimestamp(int(one) * 3600, UTC).astimezone(there).utcoffset()
        for one in hour.tolist()
    ]
    ahead = np.array([round(one.total_seconds()) if one else 0 for one in offsets], np.int64)
    shift = ahead[which.reshape(-1)] if isinstance(there, ZoneInfo) else ahead[:1]
    local = (instants + shift * NANOSECONDS["s"]) % _DAY
    begin, end = (
        (int(text[:2]) * 60 + int(text[3:])) * NANOSECONDS["min"] for text in hours.split("-")
    )
    inside = (local >= begin) & (local < end)
    return inside if begin <= end else (local >= begin) | (local < end)


class Priced(NamedTuple):
    """Events with what can be lost and paid on them."""

    worth: Floats
    """What missing each event costs."""
    late: Floats
    """What it costs that the first alarm of an event comes at each point; 0 outside."""
    pages: Floats
    """What a false page costs that begins at each point."""
    watched: float
    """How often the span that costs are told for was watched."""

    def entries(self, flags: Flags, events: Events) -> Entries:
        """A row per event and per alarm, in money."""
        rows = truth_rows(flags, events, self.worth, self.worth)
        first = events.starts + np.nan_to_num(rows.delay).astype(np.int64)
        saved = np.where(rows.found, self.worth - self.late[first], 0.0)
        starts, stops = flagged_runs(flags, events)
        event = first_touched(starts, stops, events)
        paid = np.where(event < 0, self.pages[starts], 0.0)
        alarms = AlarmRows.of_runs(starts, stops, event, paid, np.zeros(len(starts)))
        return Entries(replace(rows, credit=saved), alarms, self.watched, everywhere=True)


@dataclass(frozen=True)
class Costs(SweptCounting):
    """Weigh every event with the price of a miss, and every false alarm with that of a false page.

    An event that is found has its price back, less its delay; an alarm is a flagged run, false if
    it touches no event.

    Parameters
    ----------
    miss : price, or mapping of prices
        What a missed event costs; by severity where `adjudge.Incidents` have one.
    false : price
        What a false page costs.
    night : price
        What a false page costs more if it begins at night.
    delay : price per time, or per point
        What it costs that the first alarm comes after the event's start, such as "2/min".
    hours : str
        When it is night.
    zone : str, optional
        Where the people are, such as "Europe/Berlin". Default: the zone of the times.
    per : duration, optional
        The watched time that costs are told for. Default: a week where times are known, else all.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 1, 0, 0, 1]), np.array([0, 0, 1, 0, 1, 0]) > 0
    >>> Costs(miss=500, false=20, delay=2).entries(flags, events, raw).tally
    Tally(found=498.0, truth=1000.0, right=0.0, flagged=20.0, normal=1.0)
    """

    charges: ClassVar[bool] = True

    miss: float | str = setting(10, price_list)
    false: float = setting(1, price)
    night: float = setting(0, price)
    delay: float | str = setting(0, delay_price)
    hours: str = setting("22:00-07:00", clock_times)
    zone: str | None = setting(None, zone_name)
    per: str | None = setting(None, span_of)

    @property
    def tells_delay(self) -> bool:
        """Whether the moment of an alarm matters."""
        return self.delay != 0

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """What is saved, and what false pages cost, above any threshold."""
        worth, late = self.worth(events), self.lateness(events)
        points = np.flatnonzero(events.labels)
        owner = np.searchsorted(events.starts, points, side="right") - 1
        found = first_alarms(adjusted[points], owner, worth[owner] - late)
        false = _false_pages(adjusted, events, self.page_prices(events))
        none, levels = Mass(np.zeros(0), weights=np.zeros(0)), (every_score(adjusted, events),)
        return Masses(found, float(worth.sum()), none, false, levels, self.watched(events))

    def tally(self, flags: Flags, events: Events, adjust: Adjustment) -> Tally:
        """The sums of one threshold, without a sort."""
        return self.entries(flags, events, adjust).tally

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """A row per event and per alarm, in money."""
        return self.priced(events).entries(flags, events)

    def priced(self, events: Events, severity: Array | None = None) -> Priced:
        """What can be lost and paid on these events, whoever pages."""
        late = np.zeros(events.n)
        late[events.labels] = self.lateness(events)
        worth = self.worth(events, severity)
        return Priced(worth, late, self.page_prices(events), self.watched(events))

    def in_time(self, count: TimeCount) -> TimeEntries:
        """What being told of each incident saves of its worth, and what each false alert costs."""
        case, rows = count.case, count.case.count.incidents
        incidents, row, second = case.incidents, case.places.row, case.second
        clock = incidents.clock
        if clock is None and (isinstance(self.delay, str) or self.per or self.night):
            raise InputError(
                f"delay, per and night must be left out when incidents are in points, got {self}"
            )
        if clock is not None and self.tells_delay and not isinstance(self.delay, str):
            raise InputError(f"delay must be a price per time such as '2/min', got {self.delay}")
        severity = None if incidents.severity is None else incidents.severity[rows.row]
        lengths, unit = (rows.end - rows.start)[row] / second, self.unit_price
        known = prices_of(self.miss, severity, len(rows.start))[row]
        worth = np.maximum(known, unit * lengths)
        late = np.clip(np.nan_to_num(count.late / second), 0, lengths) if unit else 0.0
        pages = np.full(count.right.shape, float(self.false))
        if self.night and clock is not None:
            when = count.instants
            dark = is_night(when.ravel(), clock, self.hours, self.zone).reshape(when.shape)
            pages[dark] += self.night
        return TimeEntries(
            np.where(count.found, worth - unit * late, 0.0),
            worth[np.newaxis],
            count.silence,
            np.where(count.right, 0.0, pages),
            1.0 if clock is None else case.watched.team.length / duration(self.per or "1w", "per"),
            everywhere=True,
        )

    def meets(self, case: AlertsOnLines, adjust: Adjustment) -> tuple[int, ...]:  # noqa: ARG002
        """Where an alert comes to an incident, if all prices are the same wherever it turns."""
        return () if self.night or self.tells_delay else (0, case.early)

    def without_data(self, events: Events) -> dict[str, float]:
        """What detectors cost that look at no data: never, at every point, every so many hours.

        Of paging every so many hours only the cheapest is told.
        """
        priced = self.priced(events)
        found = {
            "never": float(priced.worth.sum()),
            "at every point": float(priced.pages[events.normal].sum()),
        }
        if events.clock is not None:
            pages = regular_on_points(priced, events)
            regular = {name: float(paid.sum()) for name, (_, paid) in pages.items()}
            cheapest = min(regular, key=lambda name: regular[name])
            found[cheapest] = regular[cheapest]
        watched = priced.watched
        return {name: paid / watched if watched else np.nan for name, paid in found.items()}

    def worth(self, events: Events, severity: Array | None = None) -> Floats:
        """What missing each event costs: at least as much as being told at its end."""
        priced = prices_of(self.miss, severity, len(events))
        if not self.tells_delay:
            return priced
        lengths = reduce_over(np.add, self._steps(events), events.starts, events.stops)
        return np.asarray(np.maximum(priced, self.unit_price * lengths))

    @property
    def unit_price(self) -> float:
        """The price of a point of delay, or of a second."""
        if not isinstance(self.delay, str):
            return float(self.delay)
        rate = CountRate.read(self.delay, "delay", "2/min")
        return rate.amount / (rate.span / NANOSECONDS["s"])

    def _steps(self, events: Events) -> Floats:
        """How long each point lasts: one, or seconds where delays are priced by time."""
        if not isinstance(self.delay, str):
            return np.ones(events.n)
        _clock_for("delay", self.delay, events, "a price per point such as 2")
        return point_seconds(events)

    def lateness(self, events: Events) -> Floats:
        """What it costs that the first alarm comes at each point of an event."""
        if not self.tells_delay:
            return np.zeros(int(events.widths.sum()))
        steps = self._steps(events)[events.labels]
        before = np.cumsum(steps) - steps
        first = np.cumsum(events.widths) - events.widths
        return np.asarray(self.unit_price * (before - repeat(before[first], events.widths)))

    def page_prices(self, events: Events) -> Floats:
        """What a false page costs that begins at each point."""
        prices = np.full(events.n, float(self.false))
        if self.night:
            clock = _clock_for("night", self.night, events, "0")
            prices[is_night(clock.instants, clock, self.hours, self.zone)] += self.night
        return prices

    def watched(self, events: Events) -> float:
        """How many times the span of `per` was watched, by whoever watches all series."""
        if self.per is None and events.clock is None:
            return 1.0
        span = self.per or "1w"
        clock = _clock_for("per", span, events, "left out")
        judged = events.judged_flags
        lasts = np.rint(point_seconds(events) * NANOSECONDS["s"]).astype(np.int64)
        begin = clock.instants[judged]
        team = Stretches.of(begin, begin + lasts[judged])
        return team.length / duration(span, "per")


HOURS = (1, 2, 3, 4, 6, 8, 12, 24)
"""How often detectors that need no data page."""


def regular_pages(priced: Priced, events: Events, hours: int) -> tuple[Floats, Positions]:
    """A page at the first point of every so many hours: what each event saves, and false pages."""
    clock = _clock_for("hours", hours, events, "left out")
    span = clock.instants // (hours * NANOSECONDS["h"])
    flags = np.append(True, span[1:] != span[:-1])
    flags[events.series_bounds[:-1]] = True
    flags = flags if events.judged is None else flags & events.judged
    pages = np.flatnonzero(flags)
    inside = pages[events.labels[pages]]
    owner = np.searchsorted(events.starts, inside, side="right") - 1
    saved = np.zeros(len(events))
    left = priced.worth[owner] - priced.late[inside]
    saved[owner[::-1]] = left[::-1]  # the earliest is written last
    return saved, pages[~events.labels[pages]]


def regular_on_points(priced: Priced, events: Events) -> dict[str, tuple[Positions, Floats]]:
    """When paging every so many hours costs, and how much: events that are not saved, and pages."""
    found, clock = {}, _clock_for("hours", HOURS, events, "left out")
    for hours in HOURS:
        saved, pages = regular_pages(priced, events, hours)
        places = np.append(events.starts, pages)
        paid = np.append(priced.worth - saved, priced.pages[pages])
        found[f"every {hours} h"] = clock.instants[places], paid
    return found


def regular_in_time(costs: Costs, case: AlertCase) -> dict[str, tuple[Positions, Floats]]:
    """The same of every service: pages at each full hour of that kind that somebody watched."""
    found, rows, own = {}, case.count.incidents, case.places.row
    begin, end = rows.start[own], rows.end[own]
    prices = np.asarray(costs.in_time(case.outcome).weight[0], np.float64)
    for hours in HOURS:
        step = hours * NANOSECONDS["h"]
        first = -(-begin // step) * step
        late = np.clip(first - begin, 0, None) / NANOSECONDS["s"]
        lost = np.where(first < end, costs.unit_price * late, prices)
        ticks = np.arange(-(-case.watched.span[0] // step) * step, case.watched.span[1], step)
        pages = [np.zeros(0, np.int64)]
        for service, part in case.watched.parts.items():
            mine = rows.service == service
            busy = Stretches.of(rows.start[mine], rows.end[mine])
            pages.append(ticks[part.holds(ticks) & ~busy.holds(ticks)])
        quiet = np.concatenate(pages)
        each = np.full(quiet.size, float(costs.false))
        if costs.night and case.clock is not None:
            each[is_night(quiet, case.clock, costs.hours, costs.zone)] += costs.night
        found[f"every {hours} h"] = np.append(begin, quiet), np.append(lost, each)
    return found


def _clock_for(name: str, value: object, events: Events, instead: str) -> Clock:
    if events.clock is None:
        raise InputError(
            f"{name} must be {instead} without times, got {shown(value)}; give time= (--time COL)"
        )
    return events.clock


def _false_pages(scores: Array, events: Events, prices: Floats) -> Mass:
    """The price of the runs that touch no event, above any threshold.

    In a stretch of normal points a run begins at i above x when s(i) > x >= s(i-1). The run from
    the first point on is no false one while the event before it is flagged up to its end. Nor is
    the run up to the last point while the event behind begins flagged, wherever it began: its
    beginning moves left as the threshold falls. A run over the whole stretch must not be taken off
    twice.
    """
    starts, stops = runs(~events.labels, events.series_bounds[:-1])
    normal = np.flatnonzero(~events.labels)
    previous = np.full(scores.size, _lowest(scores), scores.dtype)
    previous[1:] = np.minimum(scores[1:], scores[:-1])
    previous[starts] = _lowest(scores)
    levels, weights = [scores[normal], previous[normal]], [prices[normal], -prices[normal]]
    after = ~np.isin(starts, events.series_bounds)
    left = starts[after]
    levels.append(np.minimum(scores[left], scores[left - 1]))
    weights.append(-prices[left])
    ends = set(events.series_bounds.tolist())
    for first, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        if stop in ends:
            continue
        lowest = np.minimum.accumulate(np.append(scores[stop], scores[first:stop][::-1]))[1:]
        own = prices[first:stop][::-1]
        steps = np.append(own[:1], np.diff(own))
        changed = steps != 0
        levels.append(lowest[changed])
        weights.append(-steps[changed])
        if first not in ends:
            levels.append(np.minimum(lowest[-1:], scores[first - 1]))
            weights.append(prices[first : first + 1])
    return Mass(np.concatenate(levels), weights=np.concatenate(weights))


def _lowest(scores: Array) -> Any:
    return False if scores.dtype == bool else -np.inf
