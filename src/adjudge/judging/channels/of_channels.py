"""Judge several channels: as one, each by itself, and on which of them events were found."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.count.channels import EventChannels, covered, first_alarms_by_channel
from adjudge.count.runs import Runs
from adjudge.data.clock import NANOSECONDS
from adjudge.errors import InputError, shown
from adjudge.judging.breakdowns import event_list, place_of, raw_counts
from adjudge.judging.evaluation import Steps, adjusted_rows, judge, refuse_for_points, told_of
from adjudge.judging.judgement import Judgement
from adjudge.judging.preparation import Prepared, Tuned, default_metrics, read_threshold
from adjudge.judging.result_columns import number
from adjudge.measure.thresholds import Rule
from adjudge.metrics.metric import any_channel
from adjudge.metrics.reader import catalogue
from adjudge.noise.channel_shifts import ChannelShifts, asks_which, renamed_values
from adjudge.noise.null_models import RenamedNull
from adjudge.noise.p_values import HeldAgainst
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.count.channels import Alarming
    from adjudge.data.case import Case
    from adjudge.data.channels import ChannelCase, Channels, ChannelTruth
    from adjudge.judging.evaluation import Request
    from adjudge.judging.inputs.channels import Channels as ChannelInput
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask

_OF_CHANNELS = ("channel_f1", "channel_precision", "channel_recall")
_OF_EVERY_CHANNEL = {"detector", "channel", "events", "found", "false alarms", "time in alarm"}
_SHOWN = 8
_TELLING = 20  # orders of names from which on a p-value can be small
_LOUD = 0.6  # of the points at which one channel has the highest score alone


class Which(NamedTuple):
    """Whether a detector knows which channel: its value beside that under permuted names."""

    detector: str
    metric: str
    value: float
    chance: float
    p_value: float
    orders: int
    """How many orders of names were tried, their own among them where these are all."""
    exact: bool


@dataclass(frozen=True, eq=False)
class ChannelResults:
    """What is known of single channels.

    Attributes
    ----------
    names : tuple of str
        The channels.
    rows : tuple of dict
        One per detector and channel: events, found, false alarms, the share of its points that is
        flagged, and the value of each metric that is a mean over channels.
    which : tuple of Which
        Of metrics that ask on which channel: the value under permuted channel names.
    loudest : dict
        For each detector, the channel that most often has the highest score, and how often.
    """

    names: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]
    which: tuple[Which, ...] = ()
    loudest: Mapping[str, tuple[str, float]] | None = None
    events: tuple[dict[str, Any], ...] = ()
    """One per detector and event, by id: the channels that it is on, its kind, whether any channel
    alarms during it, which of its channels are silent, how many points after its start the first
    alarm on a channel of its own begins (below 0: before it; None: there is none), and the share of
    its points at which any channel alarms."""
    on_channels: tuple[dict[str, Any], ...] = ()
    """The same on each channel that an event is on, by itself: whether that channel alarms during
    the event, when first, and the share of the event's points there that is flagged."""

    sums: Mapping[str, tuple[float | None, dict[str, int]]] | None = None
    """For each detector its threshold, and the raw counts of all channels, one by one, summed,
    where ``micro(...)`` is asked for."""

    def parted_by(self, column: str) -> tuple[dict[str, Any], ...]:
        """The events; by channel, an event on each of its channels."""
        return self.on_channels if column == "channel" else self.events

    @property
    def tables(self) -> list[Table]:
        """A table for each detector."""
        found = []
        for detector in dict.fromkeys(row["detector"] for row in self.rows):
            own = [row for row in self.rows if row["detector"] == detector]
            head = [name for name in own[0] if name != "detector"]
            cells = [[_cell(row[name]) for name in head] for row in own]
            found.append(Table.of(head, cells, f"{detector} by channel"))
        if self.which:
            several = len({one.detector for one in self.which}) > 1
            head = ["metric", "value", "names permuted", "p"]
            cells = [
                [f"{one.detector}: " * several + one.metric, number(one.value), number(one.chance),
                 f"{one.p_value:.3g}"]
                for one in self.which
            ]  # fmt: skip
            found.append(Table.of(head, cells, "does it know which channel?"))
        return found + self._trouble()

    def _trouble(self) -> list[Table]:
        """Events that were missed, or not found on all of their channels and no other."""
        rows = [row for row in self.events if row["silent"] or row["elsewhere"]]
        if not rows:
            return []
        several = len({row["detector"] for row in self.events}) > 1
        cells = [
            [f"{row['detector']}: " * several + place_of(row), ", ".join(row["channel"]),
             happened(row)]
            for row in rows[:_SHOWN]
        ]  # fmt: skip
        more = f", and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
        title = f"events that were missed, or found on other channels{more}"
        return [Table.of_texts(["event", "on", "what happened"], cells, title)]

    @property
    def notes(self) -> list[str]:
        """What is to be said beside the tables."""
        said = []
        few = {one.orders for one in self.which if one.exact and one.orders < _TELLING}
        if few:
            said.append(
                f"{len(self.names)} channels can be named in {max(few)} orders only: no p-value "
                f"below {1 / max(few):.2g} is possible"
            )
        for detector, (name, share) in (self.loudest or {}).items():
            if share > _LOUD:
                said.append(
                    f"{detector}: {name} alone has the highest score at {100 * share:.0f} % of the "
                    "points, so any_channel(...) is mostly about it"
                )
        return said + self._left_out()

    def _left_out(self) -> list[str]:
        """Of which channels a mean is, where it is undefined on some of them."""
        said = []
        detectors = dict.fromkeys(row["detector"] for row in self.rows)
        for detector in detectors:
            own = [row for row in self.rows if row["detector"] == detector]
            for name in [name for name in own[0] if name not in _OF_EVERY_CHANNEL]:
                without = [row["channel"] for row in own if math.isnan(row[name])]
                if without:
                    said.append(
                        f"{detector}: "
                        * (len(detectors) > 1)
                        + f"macro({name}): mean of {len(own) - len(without)} of {len(own)} "
                        f"channels, undefined on {', '.join(without)}"
                    )
        return said

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "names": list(self.names),
            "rows": [dict(row) for row in self.rows],
            "which": [one._asdict() for one in self.which],
            "events": [dict(event) for event in self.events],
            "loudest": {name: list(one) for name, one in (self.loudest or {}).items()},
        }


def happened(row: dict[str, Any]) -> str:
    """Say on which channels of an event there was an alarm, where none, and where elsewhere.

    >>> happened({"found": True, "channel": ["a", "b"], "silent": ["b"], "elsewhere": ["c"]})
    'alarm on a; silent on b; false on c'
    """
    if not row["found"]:
        return "missed"
    right = [name for name in row["channel"] if name not in row["silent"]]
    said = [f"alarm on {', '.join(right)}"] if right else []
    said += [f"silent on {', '.join(row['silent'])}"] * bool(row["silent"])
    return "; ".join(said + [f"false on {', '.join(row['elsewhere'])}"] * bool(row["elsewhere"]))


def _cell(value: Any) -> str:
    return number(value) if isinstance(value, float) else "" if value is None else str(value)


def judged_channels(data: ChannelInput, asked: Request) -> Judgement:
    """Judge the channels of each detector.

    Parameters
    ----------
    data : inputs.Channels
        The channels of each detector.
    asked : Request
        What is asked for. A rule learns on each channel; a dict has a threshold for each.
    """
    refuse_for_points(data, asked)
    data.refuse_all(metrics="all" if asked.every else None)
    cases, steps = data.cases, Steps(asked.progress, len(data.cases))
    rows: list[Finding] = []
    listed: list[dict[str, Any]] = []
    which: list[Which] = []
    table: list[dict[str, Any]] = []
    joined_cases: list[Case] = []
    events: list[dict[str, Any]] = []
    on_channels: list[dict[str, Any]] = []
    sums: dict[str, tuple[float | None, dict[str, int]]] = {}
    for case in cases:
        ready = ready_channels(case, asked.at)
        metrics = asked.requested or _default(ready, asked)
        steps.begin(len(metrics))
        found = [steps.over(_row(m.on_channels(), m, ready, asked)) for m in metrics]
        rows += found
        if asked.ask.chance:
            which += [
                w for m, row in zip(metrics, found, strict=True) for w in _which(m, ready, row)
            ]
        joined = ready.flagged.joined
        listed += event_list(joined, None if joined.is_flags else ready.level, [])
        joined_cases.append(joined)
        own = _found_events(ready)
        events += [] if own is None else own.rows()
        on_channels += [] if own is None else own.rows_by_channel()
        if ready.known and any(metric.across == "micro" for metric in metrics):
            sums[case.name] = ready.level, _summed_counts(ready)
        table += _channel_rows(ready, [m for m in metrics if m.across == "macro"])
    rows = adjusted_rows(rows) if asked.ask.chance else rows
    results = ChannelResults(
        cases[0].channels.names, tuple(table), tuple(which),
        {case.name: case.loudest for case in cases if not case.is_flags}, tuple(events),
        tuple(on_channels), sums,
    )  # fmt: skip
    return Judgement(tuple(rows), tuple(listed), tuple(joined_cases), (), (), results)


def _summed_counts(ready: Ready) -> dict[str, int]:
    """The raw counts of each channel by itself, added up."""
    each = [raw_counts(part, ready.level) for part in ready.flagged.parts]
    return {name: sum(one[name] for one in each) for name in each[0]}


class Ready(NamedTuple):
    """The channels of one detector, with their threshold."""

    case: ChannelCase
    flagged: ChannelCase
    """With flags in the place of scores, where each channel has a threshold of its own."""
    level: float | None
    """The threshold of all channels; None: there is none, or each has its own."""
    rule: str
    known: bool
    """Whether there is any threshold, or flags."""


def ready_channels(case: ChannelCase, at: Any) -> Ready:
    """Read the threshold of each channel."""
    if isinstance(at, dict):
        names = case.channels.names
        if set(at) != set(names):
            odd = min(set(names) ^ set(map(str, at)))
            what = "none" if odd in names else "one"
            raise InputError(f"at must have a threshold for each channel, got {what} for {odd!r}")
        levels = [read_threshold(at[name]) for name in names]
        if len(names) > 1:
            return _each(case, levels, "")
        at = at[names[0]]
    level = read_threshold(at)
    if isinstance(level, Tuned):
        raise InputError(f"at must be a number, a rule or a dict with channels=, got {shown(at)}")
    if isinstance(level, Rule) and len(case.parts) == 1:
        return Ready(case, case, level(case.parts[0]), str(level), known=True)
    if isinstance(level, Rule):
        return _each(case, [level] * len(case.parts), f"{level}, on each channel")
    return Ready(case, case, level, "", case.is_flags or level is not None)


def _each(case: ChannelCase, levels: list[Any], rule: str) -> Ready:
    flags = [
        part.flagged(level(part) if isinstance(level, Rule) else level)
        for part, level in zip(case.parts, levels, strict=True)
    ]
    return Ready(case, case.with_scores(np.concatenate(flags)), None, rule, known=True)


def _default(ready: Ready, asked: Request) -> list[Metric]:
    """Today's list inside any_channel, and what asks for channels where the truth names them."""
    kind = asked.kind(known=ready.known)
    metrics = [any_channel(metric) for metric in default_metrics(kind)]
    if not ready.case.channels.named or len(ready.case.channels.names) == 1:
        return metrics
    own = list(_OF_CHANNELS) if ready.known else ["cause_hit_rate"]
    own += ["subsystem_f1"] if ready.case.channels.subsystems and ready.known else []
    return metrics + [catalogue[name].metric for name in own]


def _row(metric: Metric, named: Metric, ready: Ready, asked: Request) -> Finding:
    """One metric of one detector, with what stands beside its value."""
    case = ready.flagged if metric.needs_threshold else ready.case
    level = ready.level if metric.needs_threshold else None
    as_one, one_by_one = case.channels.skipped
    if metric.across == "any_channel" or (metric.across and len(case.channels.names) == 1):
        inner, plain = metric.of_one, case.joined
        own = Prepared(plain, level, "", is_tuned=False, skipped=as_one)
        _plain_null(asked.ask)
        found = judge(told_of(inner, own, CaseShifts(plain)), asked.ask)
        found = _by_rule(found, metric, ready)
        by = metric if found.judged_by is None else any_channel(found.judged_by)
        resolved = replace(inner.resolved(plain.events), across=metric.across, each=metric.each)
        shown_as = resolved.spec(inner.row.always_shown)
        return replace(found, metric=shown_as, asked=str(named), judged_by=by)
    own = Prepared(case, level, "", is_tuned=False, skipped=one_by_one)
    turning = ChannelShifts(case, shared=asked.ask.shared)
    found = _by_rule(judge(told_of(metric, own, turning), asked.ask), metric, ready)
    return replace(found, asked=str(named))


def _by_rule(found: Finding, metric: Metric, ready: Ready) -> Finding:
    """Say which rule chose the threshold of each channel, where one did."""
    if ready.rule and metric.needs_threshold:
        return replace(found, rule=ready.rule, chosen_by="rule")
    return found


def _plain_null(ask: Ask) -> None:
    if ask.chance and isinstance(ask.null, RenamedNull):
        raise InputError(
            "null='renamed' asks which channel: it goes with channel_*, subsystem_* and cause_*; "
            "name them in metrics="
        )


def _which(metric: Metric, ready: Ready, row: Finding) -> Iterable[Which]:
    """The second question, of metrics that ask which channel."""
    if not asks_which(metric) or len(ready.case.channels.names) == 1:
        return
    case = ready.flagged if metric.needs_threshold else ready.case
    placed = metric.placed(ready.level) if metric.needs_threshold else metric
    null = renamed_values(placed, case)
    test = HeldAgainst.of(row.value, null, metric.row.better)
    chance = RenamedNull().level(placed, ChannelShifts(case), null)
    yield Which(case.name, row.asked, row.value, chance, test.p, test.size, test.exact)


def event_rows(ready: Ready) -> list[dict[str, Any]]:
    """The events by id: on which channels they are, whether they are found, where it is silent."""
    found = _found_events(ready)
    return [] if found is None else found.rows()


def _found_events(ready: Ready) -> _FoundEvents | None:
    """What became of each event; None where nobody said which channel, or without a threshold."""
    if ready.case.channels.truth is None or not ready.known:
        return None
    flagged = ready.flagged
    flags = flagged.flags if ready.level is None else flagged.flagged(ready.level)
    return _FoundEvents(ready.case.name, ready.case.channels, ready.case.channels.truth, flags)


@dataclass(frozen=True, eq=False)
class _FoundEvents:
    """The events of one detector, and where it alarmed."""

    detector: str
    channels: Channels
    truth: ChannelTruth
    flags: Flags

    @cached_property
    def _alarming(self) -> Alarming:
        return EventChannels(self.channels).alarming(self.flags)

    @cached_property
    def _first(self) -> Floats:
        return first_alarms_by_channel(self.flags, self.channels)

    @cached_property
    def _covered(self) -> tuple[Floats, Floats]:
        return covered(self.flags, self.channels)

    @cached_property
    def _ends(self) -> tuple[Positions, Positions]:
        start = np.full(len(self.truth), self.channels.joined.n)
        stop = np.zeros(len(self.truth), np.int64)
        np.minimum.at(start, self.truth.event, self.truth.start)
        np.maximum.at(stop, self.truth.event, self.truth.stop)
        return start, stop

    def rows(self) -> list[dict[str, Any]]:
        """A row per event."""
        found, names = self._alarming, np.array(self.channels.names, object)
        whole, rows = self._covered[0], []
        for event in range(len(self.truth)):
            own, alarms = found.affected[event], found.alarming[event]
            row = self._named(event) | {"channel": names[own].tolist()}
            row |= {"found": bool(alarms.any()), "silent": names[own & ~alarms].tolist()}
            row |= {"elsewhere": names[found.false[event]].tolist()}
            first = float(np.fmin.reduce(self._first[event]))
            rows.append(row | self._late(event, first) | {"coverage": float(whole[event])})
        return rows

    def rows_by_channel(self) -> list[dict[str, Any]]:
        """A row per event and channel that it is on."""
        found, by_channel = self._alarming, self._covered[1]
        return [
            self._named(event)
            | {"channel": self.channels.names[one], "found": bool(found.alarming[event, one])}
            | self._late(event, float(self._first[event, one]))
            | {"coverage": float(by_channel[event, one])}
            for event, one in np.argwhere(found.affected).tolist()
        ]

    def _named(self, event: int) -> dict[str, Any]:
        told = {"kind": self.truth.kinds, "severity": self.truth.severity}
        row = {"detector": self.detector, "id": self.truth.ids[event]}
        return row | {name: each[event] for name, each in told.items() if each is not None}

    def _late(self, event: int, first: float) -> dict[str, Any]:
        """From when to when an event lasts, and how late an alarm is."""
        (start, stop), clock = (side[event] for side in self._ends), self.channels.joined.clock
        late = None if np.isnan(first) else int(first - start)
        row: dict[str, Any] = {"delay": late, "start": int(start), "stop": int(stop)}
        if clock is None:
            return row
        gone = None if late is None else clock.instants[int(first)] - clock.instants[start]
        row |= {"delay_seconds": None if gone is None else float(gone) / NANOSECONDS["s"]}
        return row | {"from": clock.text(start), "to": clock.text(stop - 1)}


def _share(flags: Flags, judged: Flags | None) -> float:
    """Which share of the judged points is flagged; none of those that are not judged is."""
    points = flags.size if judged is None else int(judged.sum())
    return int(flags.sum()) / points


def _channel_rows(ready: Ready, means: list[Metric]) -> list[dict[str, Any]]:
    """What there is to say of each channel by itself."""
    found = []
    for place, name in enumerate(ready.case.channels.names):
        part, flagged = ready.case.parts[place], ready.flagged.parts[place]
        row: dict[str, Any] = {"detector": part.name, "channel": name, "events": len(part.events)}
        if ready.known:
            flags = flagged.flags if ready.level is None else flagged.flagged(ready.level)
            tally = Runs().tally(flags, part.events, raw)
            row |= {
                "found": int(tally.found),
                "false alarms": int(tally.flagged - tally.right),
                "time in alarm": _share(flags, part.events.judged),
            }
        for metric in means:
            own = flagged if metric.needs_threshold else part
            row[str(metric.of_one)] = metric.of_one.placed(ready.level).reading(own).value
        found.append(row)
    return found
