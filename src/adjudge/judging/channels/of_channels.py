"""Judge several channels: as one, each by itself, and on which of them events were found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.count.channels import EventChannels
from adjudge.count.contract import LastCount
from adjudge.count.runs import Runs
from adjudge.data.channels import ChannelCase, channel_cases
from adjudge.errors import InputError, shown
from adjudge.judging.breakdowns import event_list, place_of
from adjudge.judging.evaluation import adjusted_rows, beside_value, finding_of
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

    from adjudge._typing import Column
    from adjudge.data.case import Case
    from adjudge.data.channels import ChannelReading
    from adjudge.judging.evaluation import Asked, Options
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric

_OF_CHANNELS = ("channel_f1", "channel_precision", "channel_recall")
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
    alarms during it, and which of its channels are silent."""

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


def judged_channels(
    labels: Column,
    scores: Column,
    given: tuple[Any, Any],
    at: Any,
    how: ChannelReading,
    asked: Asked,
) -> Judgement:
    """Judge the channels of each detector.

    Parameters
    ----------
    labels, scores : table
        The truth, and what each detector says.
    given : pair
        The names of the channels, and their groups.
    at : number, rule, or dict
        The threshold of all channels; a rule learns on each; a dict has one for each.
    how, asked : ChannelReading, Asked
        How columns are read, and what is asked for.
    """
    cases = channel_cases(labels, scores, *given, how)
    rows: list[Finding] = []
    listed: list[dict[str, Any]] = []
    which: list[Which] = []
    table: list[dict[str, Any]] = []
    joined_cases: list[Case] = []
    events: list[dict[str, Any]] = []
    for case in cases:
        ready = ready_channels(case, at)
        metrics = asked.metrics or _default(ready, asked)
        found = [_row(metric.on_channels(), metric, ready, asked) for metric in metrics]
        rows += found
        if asked.beside.chance:
            which += [
                w for m, row in zip(metrics, found, strict=True) for w in _which(m, ready, row)
            ]
        joined = ready.flagged.joined
        listed += event_list(joined, None if joined.is_flags else ready.level, [])
        joined_cases.append(joined)
        events += event_rows(ready)
        table += _channel_rows(ready, [m for m in metrics if m.across == "macro"])
    rows = adjusted_rows(rows) if asked.beside.chance else rows
    results = ChannelResults(
        cases[0].channels.names, tuple(table), tuple(which),
        {case.name: case.loudest for case in cases if not case.is_flags}, tuple(events),
    )  # fmt: skip
    return Judgement(tuple(rows), tuple(listed), tuple(joined_cases), (), (), results)


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
        return _each(case, levels, "")
    level = read_threshold(at)
    if isinstance(level, Tuned):
        raise InputError(f"at must be a number, a rule or a dict with channels=, got {shown(at)}")
    if isinstance(level, Rule):
        return _each(case, [level] * len(case.parts), f"{level}, on each channel")
    return Ready(case, case, level, "", case.is_flags or level is not None)


def _each(case: ChannelCase, levels: list[Any], rule: str) -> Ready:
    flags = [
        part.flagged(level(part) if isinstance(level, Rule) else level)
        for part, level in zip(case.parts, levels, strict=True)
    ]
    return Ready(case, case.flagged_as(np.concatenate(flags)), None, rule, known=True)


def _default(ready: Ready, asked: Asked) -> list[Metric]:
    """Today's list inside any_channel, and what asks for channels where the truth names them."""
    kind = asked.kind(known=ready.known)
    metrics = [any_channel(metric) for metric in default_metrics(kind)]
    if not ready.case.channels.named or len(ready.case.channels.names) == 1:
        return metrics
    own = list(_OF_CHANNELS) if ready.known else ["cause_hit_rate"]
    own += ["subsystem_f1"] if ready.case.channels.subsystems and ready.known else []
    return metrics + [catalogue[name].metric for name in own]


def _row(metric: Metric, named: Metric, ready: Ready, asked: Asked) -> Finding:
    """One metric of one detector, with what stands beside its value."""
    case = ready.flagged if metric.needs_threshold else ready.case
    level = ready.level if metric.needs_threshold else None
    if metric.across == "any_channel":
        inner, plain = metric.of_one, case.joined
        own = Prepared(plain, level, "", is_tuned=False, skipped=0)
        found = finding_of(inner, own, asked.zero_division, LastCount())
        beside = beside_value(
            inner.placed(level).on(plain.events),
            CaseShifts(plain),
            found,
            _plain_null(asked.beside),
        )
        found = replace(found, **beside)
        found = _by_rule(found, metric, ready)
        by = metric if found.judged_by is None else any_channel(found.judged_by)
        shown_as = f"any_channel({found.metric})"
        return replace(found, metric=shown_as, asked=str(named), judged_by=by)
    own = Prepared(case, level, "", is_tuned=False, skipped=0)
    found = _by_rule(finding_of(metric, own, asked.zero_division, LastCount()), metric, ready)
    shifting = ChannelShifts(case, shared=asked.beside.shared)
    placed = metric.placed(level).on(case.events)
    return replace(found, **beside_value(placed, shifting, found, asked.beside), asked=str(named))


def _by_rule(found: Finding, metric: Metric, ready: Ready) -> Finding:
    """Say which rule chose the threshold of each channel, where one did."""
    if ready.rule and metric.needs_threshold:
        return replace(found, rule=ready.rule, chosen_by="rule")
    return found


def _plain_null(beside: Options) -> Options:
    if beside.chance and isinstance(beside.line.null, RenamedNull):
        raise InputError(
            "null='renamed' asks which channel: it goes with channel_*, subsystem_* and cause_*; "
            "name them in metrics="
        )
    return beside


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
    channels = ready.case.channels
    if channels.truth is None or not ready.known:
        return []
    flagged = ready.flagged
    flags = flagged.flags if ready.level is None else flagged.flagged(ready.level)
    found, names = EventChannels(channels).alarming(flags), np.array(channels.names, object)
    truth, clock = channels.truth, channels.joined.clock
    kinds, start = truth.kinds, np.full(len(truth), channels.joined.n)
    stop = np.zeros(len(truth), np.int64)
    np.minimum.at(start, truth.event, truth.start)
    np.maximum.at(stop, truth.event, truth.stop)
    rows = []
    for event, name in enumerate(truth.ids):
        own, alarms = found.affected[event], found.alarming[event]
        row = {"detector": ready.case.name, "id": name, "channel": names[own].tolist()}
        row |= {} if kinds is None else {"kind": kinds[event]}
        row |= {"found": bool(alarms.any()), "silent": names[own & ~alarms].tolist()}
        row |= {"elsewhere": names[found.false[event]].tolist()}
        row |= {"start": int(start[event]), "stop": int(stop[event])}
        if clock is not None:
            row |= {"from": clock.text(start[event]), "to": clock.text(stop[event] - 1)}
        rows.append(row)
    return rows


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
                "time in alarm": float(flags.mean()),
            }
        for metric in means:
            own = flagged if metric.needs_threshold else part
            row[str(metric.of_one)] = metric.of_one.placed(ready.level).reading(own).value
        found.append(row)
    return found
