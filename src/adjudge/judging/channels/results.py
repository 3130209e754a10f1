"""Single channels: each judged by itself, where events were found, and the tables of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.adjust.adjustments import raw
from adjudge.count.runs import Runs
from adjudge.judging.beside import Beside, By
from adjudge.judging.channels.found_events import FoundEvents
from adjudge.judging.judge.events import raw_counts
from adjudge.judging.result_columns import number
from adjudge.judging.words.places import place_of
from adjudge.noise.assumptions import clause
from adjudge.noise.null_models import RenamedNull
from adjudge.noise.p_values import NullTest
from adjudge.noise.renamed_channels import asks_which, renamed_values
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adjudge._typing import Flags
    from adjudge.data.case import Case
    from adjudge.judging.inputs.channels import Channels
    from adjudge.judging.judge.judge import Judged
    from adjudge.judging.on_call.parts import Breakdown
    from adjudge.judging.result_columns import Finding
    from adjudge.noise.ask import Ask


_OF_EVERY_CHANNEL = {"detector", "channel", "events", "found", "false alarms", "time in alarm"}
_SHOWN = 8
_TELLING = 20  # orders of names from which on a p-value can be small
_LOUD = 0.6  # of the points at which one channel has the highest score alone


class ChannelNameTest(NamedTuple):
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
class ChannelResults(Beside):
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
    which: tuple[ChannelNameTest, ...] = ()
    loudest: Mapping[str, tuple[str, float]] | None = None
    events: tuple[dict[str, Any], ...] = ()
    """One per detector and event, by id: the channels that it is on, its kind, whether any channel
    alarms during it, which of its channels are silent, how many points after its start the first
    alarm on a channel of its own begins (below 0: before it; None: there is none), and the share of
    its points at which any channel alarms."""
    on_channels: tuple[dict[str, Any], ...] = ()
    """The same on each channel that an event is on, by itself: whether that channel alarms during
    the event, when first, and the share of the event's points there that is flagged."""

    sums: Mapping[str, tuple[float | None, dict[str, int] | None]] | None = None
    """For each detector its threshold, and the raw counts of all channels, one by one, summed,
    where ``micro(...)`` is asked for."""

    def parted(self, cases: Sequence[Case], events: Sequence[dict[str, Any]], by: By) -> Breakdown:
        """Part the events by what their rows say; by channel, an event on each of its channels.

        Parameters
        ----------
        cases, events : sequence of Case, sequence of dict
            What was judged of each detector, and the events of all.
        by : By
            What they are parted by, and where lengths are cut.
        """
        from adjudge.judging.on_call.parts import breakdown_of_ids  # noqa: PLC0415 - for who asks

        if by.column == "series":
            return super().parted(cases, events, by)
        rows = self.on_channels if by.column == "channel" else self.events
        return breakdown_of_ids(cases, rows, *by)

    def counts(self, row: Finding) -> dict[str, int] | None:
        """The counts of ``micro(...)``, over all channels, at the threshold that was given."""
        metric = row.resolved_metric
        if metric is None or metric.across != "micro" or metric.row.needs == "scores":
            return None
        level, counts = (self.sums or {}).get(row.detector, (None, {}))
        return counts if counts and row.at == level else None

    @property
    def tables(self) -> list[Table]:
        """A table for each detector."""
        found = tables_by("channel", self.rows)
        if self.which:
            several = len({one.detector for one in self.which}) > 1
            head = ["metric", "value", "names permuted", "p"]
            cells = [
                [f"{one.detector}: " * several + one.metric, number(one.value), number(one.chance),
                 f"{one.p_value:.3g}"]
                for one in self.which
            ]  # fmt: skip
            found.append(Table.of(head, cells, "which channel?"))
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
        said += [f"p is valid {clause('renamed')}"] * bool(self.which)
        few = {one.orders for one in self.which if one.exact and one.orders < _TELLING}
        if few:
            said.append(
                f"{len(self.names)} channels have only {max(few)} orders of names, so p cannot "
                f"be below {1 / max(few):.2g}"
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

    def to_beside(self) -> dict[str, Any]:
        """The same as plain values, by the name that results have it under."""
        return {"channels": self.to_dict()}

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "names": list(self.names),
            "rows": [dict(row) for row in self.rows],
            "which": [one._asdict() for one in self.which],
            "events": [dict(event) for event in self.events],
            "loudest": {name: list(one) for name, one in (self.loudest or {}).items()},
        }


def tables_by(line: str, rows: Sequence[dict[str, Any]]) -> list[Table]:
    """A table for each detector, with a row for each line.

    Parameters
    ----------
    line, rows : str, sequence of dict
        What a line is called, and what is known of each.
    """
    found = []
    for detector in dict.fromkeys(row["detector"] for row in rows):
        own = [row for row in rows if row["detector"] == detector]
        head = [name for name in own[0] if name != "detector"]
        cells = [[_cell(row[name]) for name in head] for row in own]
        found.append(Table.of(head, cells, f"{detector} by {line}"))
    return found


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


def results_of(data: Channels, ask: Ask, each: Sequence[Judged]) -> ChannelResults:
    """What is known of single channels.

    Parameters
    ----------
    data, ask, each : inputs.Channels, Ask, sequence of Judged
        The channels of each detector, what was asked for, and what was said of each.
    """
    events = [found for one in each if (found := FoundEvents.of(one.ready)) is not None]
    return ChannelResults(
        data.cases[0].channels.names,
        tuple(row for one in each for row in _channel_rows(data, one)),
        tuple(row for one in each for row in _which(data, one) if ask.chance),
        {case.name: case.loudest for case in data.cases if not case.is_flags},
        tuple(row for one in events for row in one.rows()),
        tuple(row for one in events for row in one.rows_by_channel()),
        {
            ready.case.name: (ready.at, raw_counts(ready.flagged, ready.at))
            for ready, metrics, _ in each
            if ready.known and any(metric.across == "micro" for metric in metrics)
        },
    )  # fmt: skip


def _which(data: Channels, judged: Judged) -> Iterator[ChannelNameTest]:
    """Whether a detector knows which channel, of metrics that ask it."""
    for row, asked in zip(judged.rows, judged.metrics, strict=True):
        metric, ready = judged.ready.seen(data.over(asked))
        case, metric = ready.case, metric.with_default_threshold(ready.at)
        if not asks_which(metric) or len(case.parts) == 1:
            continue
        null = renamed_values(metric, case)
        test = NullTest.of(row.value, null, metric.row.better)
        chance = RenamedNull().level(metric, CaseShifts(case), null)
        yield ChannelNameTest(
            case.name, row.requested, row.value, chance, test.p, test.size, test.exact
        )


def _share(flags: Flags, judged: Flags | None) -> float:
    """Which share of the judged points is flagged; none of those that are not judged is."""
    points = flags.size if judged is None else int(judged.sum())
    return int(flags.sum()) / points


def _channel_rows(data: Channels, judged: Judged) -> list[dict[str, Any]]:
    """What there is to say of each channel by itself."""
    ready, found = judged.ready, []
    means = [one for asked in judged.metrics if (one := data.over(asked)).across == "macro"]
    channels = zip(data.cases[0].channels.names, ready.case.parts, ready.flagged.parts, strict=True)
    for name, part, flagged in channels:
        row: dict[str, Any] = {"detector": part.name, "channel": name, "events": len(part.events)}
        if ready.known:
            flags = flagged.flags if ready.at is None else flagged.flagged(ready.at)
            tally = Runs().tally(flags, part.events, raw)
            row |= {
                "found": int(tally.found),
                "false alarms": int(tally.flagged - tally.right),
                "time in alarm": _share(flags, part.events.judged),
            }
        for metric in means:
            own = flagged if metric.needs_threshold else part
            row[str(metric.per_channel)] = (
                metric.per_channel.with_default_threshold(ready.at).reading(own).value
            )
        found.append(row)
    return found
