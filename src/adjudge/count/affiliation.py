"""Count zones: every event and the stretch of time that lies nearer to it than to any other.

Time is continuous here: a point ``i`` covers ``[i, i + 1)``, and a series is cut at the middle
between the end of one event and the start of the next. Within its zone an alarm is compared with
one that falls there by chance, and so is the nearest alarm of each moment of the event.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, get_args

import numpy as np

from adjudge.checks import word
from adjudge.count.contract import Counting
from adjudge.count.ledger import AlarmRows, Entries, flagged_runs, truth_rows
from adjudge.data.intervals import bincount, repeat
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events

ByChance = Literal["zones", "half"]


@dataclass(frozen=True)
class Zones(Counting):
    r"""Weigh every zone 1: on the truth side all of them, on the alarm side those with alarms.

    For the event :math:`g = [a, b)` in its zone :math:`E = [e_0, e_1]`, and the alarms :math:`I`
    in it:

    .. math::
        P_g = \frac{1}{|I|} \int_I S(x)\,dx, \qquad
        S(x) = \frac{(a - e_0 - d)^+ + (e_1 - b - d)^+}{|E|}
        \text{ at distance } d > 0 \text{ from } g, \text{ else } 1

    .. math::
        R_g = \frac{1}{|g|} \int_g 1 - \frac{\min(d, z - e_0) + \min(d, e_1 - z)}{|E|}\,dz
        \text{ at distance } d \text{ from } I, \text{ and } 0 \text{ without alarms}

    Both are chances that a place drawn from the zone lies further off: 1 for an alarm within the
    event and nowhere else that covers it; about 1/2 for one that falls anywhere. Alarms in a
    series without events make one more zone, which earns nothing.

    Zones are cut within each series; the mean runs over the zones of all series. Points that are
    not judged are no alarms, and positions do not move.

    References
    ----------
    .. [1] A. Huet, J. M. Navarro, D. Rossi (2022). Local Evaluation of Time Series Anomaly
       Detection Algorithms. KDD. arXiv:2206.13167.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0, 0, 0])
    >>> Zones().entries(np.array([0, 0, 0, 0, 1, 0, 0, 0]) > 0, events, raw).tally
    Tally(found=0.75, truth=1, right=0.625, flagged=1, normal=nan)
    """

    tells_false: ClassVar[bool] = False

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every zone."""
        zones = _zones(events)
        pieces, lost = _cut(flags, events, zones)
        weight = np.ones(len(events), np.int64)
        truth = truth_rows(flags, events, weight, _recall(pieces, zones))
        return Entries(truth, _alarm_rows(pieces, zones, _lost_series(*lost, events)))


@dataclass(frozen=True)
class CorrectedZones(Counting):
    r"""Take off each zone's precision what an alarm that falls anywhere in it would have earned.

    .. math:: P' = \frac{\sum_g P_g - c_g}{\sum_g 1 - c_g}

    over the zones with alarms. The expectation needs no drawing: over a zone of which the event
    takes the share :math:`p`, the mean of :math:`S` is

    .. math:: c_g = \frac{1 + p^2}{2}

    because the two sides of the event, of lengths l and r, earn :math:`(l + r)^2 / 2` of
    :math:`|E|` together, wherever the event lies. With points that are not judged it is the mean
    over those that are: in any case what an alarm over all of the zone earns. 1: every alarm lies
    within an event. 0: alarms know nothing of the labels, however many there are. Below 0, without
    a lower end: they avoid the events. NaN: no alarm, or no place for a wrong one.

    Parameters
    ----------
    chance : "zones" or "half"
        What an alarm earns by chance: as above, or one half everywhere.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0, 0, 0])
    >>> always = CorrectedZones().entries(np.ones(8, bool), events, raw).tally
    >>> always.right, always.flagged == 1 - (1 + (2 / 8) ** 2) / 2
    (0.0, True)
    """

    tells_false: ClassVar[bool] = False

    chance: ByChance = setting("zones", word, get_args(ByChance))

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every zone, less what chance earns there."""
        entries = Zones().flag_rows(flags, events)
        alarms = entries.alarms
        chance: Any = 0.5
        if self.chance == "zones":
            chance = np.append(_chance(events), 0.0)[alarms.event]  # -1, no event: no credit
        weight, credit = alarms.weight - chance, alarms.credit - chance
        return replace(entries, alarms=replace(alarms, weight=weight, credit=credit))


class _Zones(NamedTuple):
    """Where each zone lies, and its event within it."""

    first: Floats
    last: Floats
    start: Floats
    stop: Floats

    def of(self, which: Positions) -> _Zones:
        return _Zones(*(side[which] for side in self))


class _Pieces(NamedTuple):
    """Alarms, cut where zones meet."""

    zone: Positions
    start: Floats
    stop: Floats


def _zones(events: Events) -> _Zones:
    """Cut each series at the middle between one event and the next."""
    bounds = events.whole_series
    home = np.searchsorted(bounds, events.starts, side="right") - 1
    first, last = bounds[home].astype(np.float64), bounds[home + 1].astype(np.float64)
    neighbours = home[1:] == home[:-1]
    middle = (events.stops[:-1] + events.starts[1:]) / 2
    first[1:] = np.where(neighbours, middle, first[1:])
    last[:-1] = np.where(neighbours, middle, last[:-1])
    return _Zones(first, last, events.starts.astype(np.float64), events.stops.astype(np.float64))


def _cut(
    flags: Flags, events: Events, zones: _Zones
) -> tuple[_Pieces, tuple[Positions, Positions]]:
    """Cut flagged runs where zones meet, and give those in series without events apart."""
    starts, stops = flagged_runs(flags, events)
    place = np.searchsorted(events.starts, events.whole_series)
    with_events = place[1:] > place[:-1]
    inside = with_events[np.searchsorted(events.whole_series, starts, side="right") - 1]
    lost = starts[~inside], stops[~inside]
    starts, stops = starts[inside], stops[inside]
    first = np.searchsorted(zones.last, starts, side="right")
    count = np.searchsorted(zones.first, stops, side="left") - first
    run = repeat(np.arange(starts.size), count)
    zone = np.arange(run.size) - repeat(np.cumsum(count) - count - first, count)
    begin = np.maximum(starts[run], zones.first[zone])
    return _Pieces(zone, begin, np.minimum(stops[run], zones.last[zone])), lost


def _precision(pieces: _Pieces, zones: _Zones) -> Floats:
    """The mean of S over the alarms of each zone; NaN without."""
    zone, start, stop = pieces
    here = zones.of(zone)
    before, after = here.start - here.first, here.last - here.stop
    inside = np.maximum(np.minimum(stop, here.stop) - np.maximum(start, here.start), 0)
    outside: Any = 0.0
    for near, far in (
        (here.start - stop, here.start - start),
        (start - here.stop, stop - here.stop),
    ):
        for room in (before, after):
            outside = outside + _survival(far, room) - _survival(near, room)
    earned = inside + outside / (here.last - here.first)
    count = zones.first.size
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = bincount(zone, earned, count) / bincount(zone, stop - start, count)
    return np.minimum(mean, 1)


def _survival(distance: Floats, room: Floats) -> Floats:
    """Integrate ``max(room - d, 0)`` over d from 0 to a distance (nothing below 0)."""
    reached = np.clip(distance, 0, room)
    return reached * (room - reached / 2)


def _recall(pieces: _Pieces, zones: _Zones) -> Floats:
    """What each event earns: each piece answers for the moments nearest to it."""
    zone, start, stop = pieces
    here = zones.of(zone)
    middle = np.where(zone[1:] == zone[:-1], (stop[:-1] + start[1:]) / 2, np.nan)
    begin, end = np.append(np.nan, middle)[: zone.size], np.append(middle, np.nan)[: zone.size]
    begin = np.clip(np.fmax(begin, here.start), None, here.stop)
    end = np.clip(np.fmin(end, here.stop), here.start, None)
    lost: Any = 0.0
    for near, far, room in (
        (start - end, start - begin, start - here.first),
        (begin - stop, end - stop, here.last - stop),
    ):
        lost = lost + _outdone(far, room) - _outdone(near, room)
    lost = lost / ((here.last - here.first) * (here.stop - here.start))
    count = zones.first.size
    earned: Floats = (bincount(zone, minlength=count) > 0) - bincount(zone, lost, count)
    return np.asarray(np.maximum(earned, 0))


def _outdone(distance: Floats, room: Floats) -> Floats:
    """Integrate ``d + min(d, room - d)`` over d from 0 to a distance (nothing below 0)."""
    reached = np.maximum(distance, 0)
    half = np.minimum(reached, room / 2)
    return np.asarray(half**2 + room * (reached - half))


def _chance(events: Events) -> Floats:
    """What an alarm over all that is judged in a zone earns there."""
    zones = _zones(events)
    pieces, _ = _cut(events.judged_flags, events, zones)
    return _precision(pieces, zones)


def _lost_series(starts: Positions, stops: Positions, events: Events) -> dict[str, Array]:
    """Gather the alarms of each series without events into one row that earns nothing."""
    bounds = events.whole_series
    home = np.searchsorted(bounds, starts, side="right") - 1
    series, first, last = _ends(home)
    return {
        "start": starts[first],
        "stop": stops[last],
        "event": np.full(series.size, -1),
        "island_start": bounds[series],
        "island_stop": bounds[series + 1],
        "credit": np.zeros(series.size),
    }


def _ends(ascending: Positions) -> tuple[Positions, Positions, Positions]:
    """The distinct values of an ascending column, and where each begins and ends."""
    distinct, first = np.unique(ascending, return_index=True)
    return distinct, first, np.append(first[1:], ascending.size)[: distinct.size] - 1


def _alarm_rows(pieces: _Pieces, zones: _Zones, lost: dict[str, Array]) -> AlarmRows:
    """One row per zone with alarms, charged over the zone, and those of lost series."""
    zone, first, last = _ends(pieces.zone)
    here = zones.of(zone)
    rows: dict[str, Array] = {
        "start": np.floor(pieces.start[first]).astype(np.int64),
        "stop": np.ceil(pieces.stop[last]).astype(np.int64),
        "event": zone,
        "island_start": np.floor(here.first).astype(np.int64),
        "island_stop": np.ceil(here.last).astype(np.int64),
        "credit": _precision(pieces, zones)[zone],
    }
    rows = {name: np.append(column, lost[name]) for name, column in rows.items()}
    order = np.argsort(rows["start"], kind="stable")
    rows = {name: column[order] for name, column in rows.items()}
    return AlarmRows(**rows, weight=np.ones(order.size, np.int64))
