"""What every candidate did in every block of time: sums of its rows.

Blocks are whole weeks by default, since the days of a week differ. An incident belongs to the block
in which it begins, a page to that in which it begins, or that of its incident; what is left at the
end is part of the last block.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.count.costs import Costs, is_night
from adjudge.count.ledger import FALSE, FLAGGED, FOUND, NORMAL, QUIET, RIGHT, TRUTH
from adjudge.data.durations import NANOSECONDS, duration
from adjudge.data.intervals import bincount
from adjudge.errors import InputError
from adjudge.judging.over_time.calendar import Blocks
from adjudge.metrics.reader import catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.count.ledger import Ledger
    from adjudge.data.case import Case
    from adjudge.measure.thresholds.policy import Policy


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

    def alarms(self, case: Case) -> Case:
        """The points at which it pages, as flags."""
        assert self.policy is not None  # noqa: S101 - of points there is one
        judged, level = self.policy.apply_policy(case)
        if level is None and not judged.is_flags:
            raise InputError(
                f"candidate {self.policy} must have a threshold, as in policy(0.8, ...): the "
                f"scores of {case.name} are not 0/1 flags"
            )
        return judged.with_scores(judged.flags if level is None else judged.flagged(level))


@dataclass(frozen=True, eq=False)
class Outcomes:
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
    blocks: Weeks
    worth: Floats
    """For each block what its incidents cost if nobody is paged."""
    size_weighted_price: float
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


@dataclass(frozen=True, eq=False)
class Weeks(Blocks):
    """Blocks that candidates are chosen and paid on."""

    incidents: Floats
    days: Floats
    """The watched time of each."""
    unit: float
    """How many days the time has that costs are told for."""

    @property
    def watched(self) -> Floats:
        """The watched time of each, in the unit that costs are told for."""
        return self.days / self.unit

    def added(self, moments: Positions, values: Array) -> Floats:
        """The values of things that begin at moments, summed up in each block."""
        place = np.searchsorted(self.edges, moments, side="right") - 1
        weights = np.asarray(values, np.float64)
        kept = np.clip(place, 0, self.count - 1)
        return bincount(kept, weights, self.count).astype(np.float64)


def weeks_of(length: str, case: Any, per: str | None) -> Weeks:
    """Cut watched time into blocks."""
    size, team = duration(length, "blocks"), case.time.team
    if not size:
        raise InputError(f"blocks must be longer than 0, got {length!r}")
    if team.length <= 1:  # of one point nobody knows how long it lasts
        raise InputError(
            "deciding needs watched time: give at least two judged points, or leave some of "
            "the span after watched and outages"
        )
    first, last = int(team.starts[0]), int(team.ends[-1])
    count = max(1, (last - first) // size)
    edges = first + size * np.arange(count + 1, dtype=np.int64)
    edges[-1] = max(last, edges[-1])
    days = np.diff(team.before(edges)) / NANOSECONDS["d"]
    unit = duration(per or "1w", "per") / NANOSECONDS["d"]
    found = Weeks(edges, np.zeros(count), days, unit)
    return replace(found, incidents=found.sums(_EVENTS.rows(case), case.time)[:, TRUTH])


_EVENTS = catalogue["event_f1"].metric
_DELAYS = catalogue["detection_delay"].metric.with_settings(average="mean").in_seconds
_TIME = catalogue["f1"].metric


class Tried(NamedTuple):
    """What is tried, and how it is paid.

    Attributes
    ----------
    alarms : iterable of Case or OnCallCase
        What each candidate makes of the scores.
    rows : callable
        The rows of the metric that is to be best, or of costs.
    costs : Costs, optional
        The prices, where there are any.
    regular : mapping
        What paging every so many hours costs, and when.
    """

    alarms: Iterable[Any]
    rows: Callable[[Any], Ledger]
    costs: Costs | None
    regular: Mapping[str, tuple[Positions, Floats]]

    def dark(self, moments: Positions, case: Any) -> Flags:
        """Which moments lie in a night that has a price."""
        if self.costs is None or not self.costs.night:
            return np.zeros(moments.size, bool)
        return is_night(moments, case.clock, self.costs.hours, self.costs.zone)


def table_of(candidates: Sequence[Candidate], tried: Tried, length: str) -> Outcomes:
    """What candidates did in blocks of this length."""
    costs = tried.costs
    first, *others = tried.alarms
    weeks = weeks_of(length, first, None if costs is None else costs.per)
    rows = [_row(case, first.time, weeks, tried) for case in (first, *others)]
    sums, found, false, night, late, busy = (np.array(one) for one in zip(*rows, strict=True))
    prices = tried.rows(first).rows()[:, TRUTH] * (costs is not None)
    size_weighted_price = float((prices**2).sum() / prices.sum()) if prices.sum() else 0.0
    several = len({one.detector for one in candidates}) > 1
    names = tuple(_name(one, several=several) for one in candidates)
    worth = sums[0, :, TRUTH] * (costs is not None)
    regular = {name: weeks.added(*one) for name, one in tried.regular.items()}
    return Outcomes(
        names, tuple(candidates), sums[..., :NORMAL], found, false, night, late, busy, weeks,
        worth, size_weighted_price, regular,
    )  # fmt: skip


def _row(case: Any, lines: Any, weeks: Weeks, tried: Tried) -> tuple[Any, ...]:
    """What one candidate did: sums, found, false, false at night, minutes late, busy."""
    events, time = _EVENTS.rows(case), _TIME.rows(case).sum()
    alone = events.chosen(events.event == FALSE)
    dark = tried.dark(lines.moments(alone.line, alone.start), case)
    parts = tried.rows(case), events, _DELAYS.rows(case), alone, alone.chosen(dark)
    paid, every, late, *wrong = (
        weeks.sums(rows.chosen(rows.event != QUIET), lines) for rows in parts
    )
    return (
        paid, every[:, FOUND], *(rows[:, FLAGGED] - rows[:, RIGHT] for rows in wrong),
        late[:, FOUND] / 60, float(time[FLAGGED] - time[RIGHT]) / max(1.0, float(time[NORMAL])),
    )  # fmt: skip


def _name(one: Candidate, *, several: bool) -> str:
    if one.policy is None:
        return one.detector
    return f"{one.detector}: {one.policy}" if several else str(one.policy)
