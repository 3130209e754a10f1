"""Receipts of several channels or annotators: on which channel, and who marked what.

All channels as one have one receipt. Where channels are counted one by one each has its own, and
the value is that of their sums, or the mean over them. Metrics that ask on which channel have a row
per event: the channels that alarmed, those that were silent, and those that the event is not on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import InputError
from adjudge.judging.channels.annotators import event_votes
from adjudge.judging.channels.found_events import FoundEvents
from adjudge.judging.channels.results import happened
from adjudge.judging.receipt import MOST, Account, Receipt, explain_case
from adjudge.judging.result_columns import number
from adjudge.judging.words.places import place_of
from adjudge.measure.whole.channels import ChannelPrecision
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.count.channels import EventChannels
    from adjudge.data.case import Case
    from adjudge.data.channels import KnownChannels as Voters
    from adjudge.judging.inputs.annotated import Annotated
    from adjudge.judging.inputs.channels import Channels
    from adjudge.metrics.metric import Metric


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SeveralReceipt(Account):
    """The account of a value of several channels, or of several annotators.

    Attributes
    ----------
    metric, value, at : str, float, float or None
        The metric with every setting resolved, its value, and the threshold of all channels.
    word : str
        What the parts are: "channel" or "annotator".
    parts : tuple of pairs
        Names and receipts: of all channels as one, or of each channel or annotator.
    events : tuple of dict
        Of channels a row per event, by id: its channels, whether it is found, which of its channels
        are silent, and which alarm that it is not on. Of annotators one per stretch that anyone
        marked: who marked it, who did not, and whether it is found.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, flags = [[0, 0], [1, 1], [1, 0], [0, 0]], [[0, 0], [0, 1], [0, 0], [0, 0]]
    >>> receipt = aj.explain(labels, flags, "channel_f1", channels=["temp", "flow"])
    >>> receipt.value, receipt.events[0]["silent"]
    (0.6666666666666666, ['temp'])
    """

    word: str
    parts: tuple[tuple[str, Receipt], ...]
    events: tuple[dict[str, Any], ...]
    how: str = ""
    """How the value comes from the parts."""

    @property
    def disputed(self) -> tuple[dict[str, Any], ...]:
        """Of annotators, the events that not all who judged them marked."""
        return tuple(event for event in self.events if event.get("not_by"))

    def rows(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """A row per event, and one per alarm, of each part; without parts one per event alone."""
        each = [(name, one.rows()) for name, one in self.parts]
        truth, alarms = (
            [{self.word: name} | row for name, own in each for row in own[side]] for side in (0, 1)
        )
        return truth if self.parts else [dict(event) for event in self.events], alarms

    def summary(self) -> dict[str, Any]:
        """The value of each part, and the events."""
        parts = {name: {"value": one.value, "counts": one.counts} for name, one in self.parts}
        return {"parts": parts, "events": [dict(event) for event in self.events]}

    def layout(self, most: int | None = MOST, hint: str = "to_text(most=None)") -> Layout:
        """Lay out the events by channel or by annotator, then each receipt.

        Parameters
        ----------
        most, hint : int or None, str
            How many of the rows that matter most (None: all), and how to see the others.
        """
        drawn = [one.layout(most, hint) for _, one in self.parts]
        named = zip((name for name, _ in self.parts), drawn, strict=True)
        tables = [
            replace(table, title=f"{name}: {table.title}") for name, own in named
            for table in own.tables
        ]  # fmt: skip
        first = [self._events_table(most)] if self.events else []
        left = [] if most is None else [len(self.events) - most]
        more = [f"and {n} more events ({hint})" for n in left if n > 0]
        return Layout(tuple(first + tables), (*more, *self.sentences), (), (self.title,))

    @property
    def title(self) -> str:
        """The metric, its value and the threshold."""
        above = "" if self.at is None else f", flagged above {self.at:g}"
        return f"{self.metric} = {self.value:.6g}{above}"

    def _events_table(self, most: int | None) -> Table:
        rows = sorted(self.events, key=_by_loss)[:most]
        if self.word == "annotator":
            head = ["event", "marked by", "not by", "what happened"]
            cells = [[place_of(row), *(", ".join(row[k]) for k in ("by", "not_by")), _found(row)]
                     for row in rows]  # fmt: skip
            return Table.of_texts(head, cells, "events by annotator, the disputed first")
        earns = any("earns" in row for row in rows)
        head = ["event", "when", "on", "what happened"] + ["earns"] * earns
        cells = [
            [row["id"], place_of(row), ", ".join(row["channel"]), happened(row)]
            + ([number(row["earns"])] if earns else [])
            for row in rows
        ]
        return Table.of_texts(head, cells, "events by channel, those that lost most first")

    @property
    def sentences(self) -> list[str]:
        """How the value comes about, and how much each part found."""
        said = [self.how] if self.how else []
        if self.word == "annotator" and self.events:
            count, plural = len(self.events), "s" * (len(self.events) != 1)
            said.append(f"{len(self.disputed)} of {count} event{plural} are disputed")
        elif self.events:
            found = sum(row["found"] for row in self.events)
            said.append(f"{found} of {len(self.events)} events found on any channel")
        found = "{}: {found} of {events} events found, {false_alarms} of {alarms} alarms false"
        return said + [found.format(name, **one.counts) for name, one in self.parts]


def _by_loss(row: dict[str, Any]) -> tuple[Any, ...]:
    if "not_by" in row:
        return (not row["not_by"], row["found"])
    return (row.get("earns", row["found"]), -len(row["silent"]))


def _found(row: dict[str, Any]) -> str:
    return "found" if row["found"] else "missed"


def explained_channels(data: Channels, metric: Metric, at: Any) -> SeveralReceipt:
    """The receipt of several channels.

    Parameters
    ----------
    data, metric : inputs.Channels, Metric
        The channels of one detector, and what is explained.
    at : number, rule, or dict
        The threshold, as `adjudge.evaluate` takes it.
    """
    (ready,), asked = data.placed(at), data.over(metric)
    if asked.row.needs == "scores":
        raise InputError(
            f"{asked} judges the ranking of channels or scores as a whole; explain needs flags "
            "at one threshold, such as channel_f1"
        )
    case = ready.flagged if asked.needs_threshold else ready.case
    placed = asked.with_default_threshold(ready.at)
    reading = placed.reading(case)
    found = FoundEvents.of(ready if ready.known else ready._replace(at=reading.at))
    rows = [] if found is None else found.rows()
    parts: tuple[tuple[str, Receipt], ...] = ()
    if asked.row.channels:
        rows = _with_worth(rows, placed, case, reading.at)
    elif asked.across == "any_channel":
        own, judged = ready.seen(asked)
        parts = (("all channels", explain_case(own, judged.case, ready.at)),)
    else:
        parts = _parts(data.cases[0].channels.names, asked, case, reading.at)
    mean = _MEAN if isinstance(asked.parts.measure, ChannelPrecision) else ""
    return SeveralReceipt(
        metric=asked.resolved_spec(case.events), value=reading.value, at=reading.at, word="channel",
        parts=parts, events=tuple(rows), how=_HOW.get(asked.across, mean),
    )  # fmt: skip


_HOW = {
    "micro": "the value is that of the sums over all channels",
    "macro": "the value is the mean over the channels that have one",
    "any_channel": "all channels as one: anomalous or flagged where any channel is",
}
_MEAN = "the value is the mean of what the events earn"


def _parts(
    names: Sequence[str], metric: Metric, case: Case, at: float | None
) -> tuple[tuple[str, Receipt], ...]:
    """The receipt of each line, at the one threshold of all if there is one."""
    each = zip(names, metric.by_line(case), strict=True)
    return tuple((name, explain_case(one, part, at)) for name, (one, part) in each)


def _with_worth(
    rows: list[dict[str, Any]], metric: Metric, case: Any, at: float | None
) -> list[dict[str, Any]]:
    """Add what each event earns, of a mean over events."""
    measure: Any = metric.parts.measure
    if not isinstance(measure, ChannelPrecision) or measure.average != "events":
        return rows
    flags = metric.flags(case)[0] if at is None or not metric.oracle else case.scores > at
    seen: EventChannels = measure.seen(case.channels)
    found = seen.alarming(flags)
    each = [
        float(measure.value(type(found)(*(part[[event]] for part in found)), case.channels))
        for event in range(len(rows))
    ]
    return [row | {"earns": worth} for row, worth in zip(rows, each, strict=True)]


def explained_annotators(data: Annotated, metric: Metric, at: Any) -> SeveralReceipt:
    """The receipt of one detector by the labels of several annotators.

    Parameters
    ----------
    data : Annotated
        The labels of each annotator; flags, or scores with a threshold.
    metric : Metric
        What is explained.
    at : number or rule
        The threshold.
    """
    over, votes, (ready,) = data.over(metric), data.votes, data.placed(at)
    reading = over.with_default_threshold(ready.at).reading(ready.case)
    if data.by_vote:
        one = explain_case(metric, ready.case, ready.at, before=ready.before)
        parts: tuple[tuple[str, Receipt], ...] = ((f"label by vote ({votes})", one),)
    else:
        parts = _parts(data.voters.names, over, ready.case, reading.at)
    flags = np.any([one.flags for _, one in parts], axis=0)
    return SeveralReceipt(
        metric=metric.resolved_spec(ready.as_one.events), value=reading.value, at=reading.at,
        word="annotator", parts=parts, events=tuple(_votes_found(data.voters, flags)),
        how=_ANNOTATED.get(votes, ""),
    )  # fmt: skip


_ANNOTATED = {
    "each": "the value is the mean over annotators",
    "pooled": "the value is that of the sums over all annotators",
}


def _votes_found(voters: Voters, flags: Any) -> list[dict[str, Any]]:
    hit = voters.joined.max(flags)
    rows = event_votes(voters)
    return [row | {"found": bool(one)} for row, one in zip(rows, hit, strict=True)]
