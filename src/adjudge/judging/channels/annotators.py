"""Judge one detector by the labels of several annotators, and the annotators by each other.

Each annotator is a line of its own, beside the same scores: the value is the mean over annotators
(or one of all sums, or of one label by vote), all of whom the alarms are shifted against at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjudge.judging.beside import Beside
from adjudge.judging.channels.agreement import agreement
from adjudge.judging.channels.humans import humans_of
from adjudge.judging.channels.results import tables_by
from adjudge.judging.result_columns import number
from adjudge.judging.words.places import place_of
from adjudge.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.data.channels import KnownChannels
    from adjudge.judging.channels.agreement import Agreement
    from adjudge.judging.channels.humans import AnnotatorBaseline
    from adjudge.judging.inputs.annotated import Annotated
    from adjudge.judging.judge.judge import Judged
    from adjudge.judging.result_columns import Finding
    from adjudge.noise.ask import Ask


_SHOWN = 8


@dataclass(frozen=True, eq=False)
class AnnotatorResults(Beside):
    """How annotators agree, and what each of them would score.

    Attributes
    ----------
    names : tuple of str
        The annotators.
    votes : str
        How their labels were put together.
    rows : tuple of dict
        Of each detector and annotator: how many events they marked, and the value of each metric
        against their labels.
    humans : tuple of Human
        For each metric, what annotators score against each other.
    agreement : tuple of Agreement
        Cohen's kappa of each pair, and Krippendorff's alpha of all, with 95 % intervals.
    events : tuple of dict
        Stretches that anyone marked: start, stop, who marked it, and who did not.
    """

    names: tuple[str, ...]
    votes: str
    rows: tuple[dict[str, Any], ...]
    humans: tuple[AnnotatorBaseline, ...]
    agreement: tuple[Agreement, ...]
    events: tuple[dict[str, Any], ...]
    compared: tuple[dict[str, Any], ...] = ()
    """Of each detector and metric: its value, chance, and what humans score, side by side."""

    @property
    def disputed(self) -> tuple[dict[str, Any], ...]:
        """The events that not all who judged them marked."""
        return tuple(event for event in self.events if event["not_by"])

    @property
    def tables(self) -> list[Table]:
        """Values by annotator, and how far these agree."""
        found = tables_by("annotator", self.rows)
        if self.compared:
            found.append(self._beside_humans())
        head = ["agreement", "value", "95 % interval"]
        agree = [[_who(one), number(one.value), _interval(one)] for one in self.agreement]
        found.append(Table.of(head, agree, "how far annotators agree, over points"))
        if self.disputed:
            rows = [
                [place_of(one), ", ".join(one["by"]), ", ".join(one["not_by"])]
                for one in self.disputed[:_SHOWN]
            ]
            more = len(self.disputed) - _SHOWN
            title = "disputed events" + (f", and {more} more" if more > 0 else "")
            found.append(Table.of_texts(["event", "marked by", "not by"], rows, title))
        return found

    def _beside_humans(self) -> Table:
        """The detector, chance and humans, metric by metric."""
        several = len({one["detector"] for one in self.compared}) > 1
        shown = {"value": "value", "chance": "chance", "humans": "humans", "least": "lowest pair"}
        if all(math.isnan(one["chance"]) for one in self.compared):
            del shown["chance"]  # nobody asked for it
        head = ["metric", *shown.values()]
        cells = [
            [f"{one['detector']}: " * several + one["metric"]]
            + [number(one[name]) for name in shown]
            for one in self.compared
        ]
        pairs = self.compared[0]["pairs"]
        title = f"humans: each annotator judged against each other, mean of {pairs} pairs"
        return Table.of(head, cells, title)

    @property
    def notes(self) -> list[str]:
        """What is to be said beside the tables."""
        said: list[str] = []
        disputed, marked = len(self.disputed), len(self.events)
        if marked:
            plural = "s" * (marked != 1)
            said.append(f"{disputed} of {marked} event{plural} that anyone marked are disputed")
        return said

    def to_beside(self) -> dict[str, Any]:
        """The same as plain values, by the name that results have it under."""
        return {"annotators": self.to_dict()}

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "names": list(self.names),
            "votes": self.votes,
            "rows": [dict(row) for row in self.rows],
            "humans": [one._asdict() for one in self.humans],
            "agreement": [one._asdict() | {"between": list(one.between)} for one in self.agreement],
            "events": [dict(event) for event in self.events],
            "sentences": [*map(_sentence, self.compared), *self.notes],
        }


def _who(one: Agreement) -> str:
    return f"{one.measure} of {' and '.join(one.between)}" if len(one.between) == 2 else one.measure


def _interval(one: Agreement) -> str:
    return "" if math.isnan(one.low) else f"{one.low:.4f} to {one.high:.4f}"


def _sentence(one: dict[str, Any]) -> str:
    chance = "" if math.isnan(one["chance"]) else f", chance {number(one['chance'])}"
    return (
        f"{one['metric']}: {one['detector']} {number(one['value'])}{chance}, humans "
        f"{number(one['humans'])} (mean of {one['pairs']} pairs)"
    )


def results_of(
    data: Annotated, ask: Ask, each: Sequence[Judged], rows: Sequence[Finding]
) -> AnnotatorResults:
    """How annotators agree, and what each of them would score.

    Parameters
    ----------
    data, ask, each, rows : Annotated, Ask, sequence of Judged, sequence of Finding
        The labels of each annotator and the scores, what was asked for, what was said of each
        detector, and the rows of all.
    """
    voters = data.voters
    humans = humans_of(voters, each[-1].metrics, ask)
    return AnnotatorResults(
        voters.names, data.votes, tuple(row for one in each for row in _by_annotator(data, one)),
        humans, agreement(voters), tuple(event_votes(voters)), tuple(_compared(rows, humans)),
    )  # fmt: skip


def _by_annotator(data: Annotated, judged: Judged) -> list[dict[str, Any]]:
    """The value of each metric against each annotator."""
    ready = judged.ready
    lines = data.lines(ready) if data.by_vote else ready.case
    return [
        {"detector": part.name, "annotator": name, "events": len(part.events)}
        | {
            str(one): one.with_default_threshold(ready.at).reading(part).value
            for one in judged.metrics
        }
        for name, part in zip(data.voters.names, lines.parts, strict=True)
    ]


def _compared(rows: Sequence[Finding], humans: Sequence[AnnotatorBaseline]) -> list[dict[str, Any]]:
    """What stands side by side: the detector, chance, and humans."""
    known = {one.metric: one for one in humans if not math.isnan(one.value)}
    return [
        {
            "detector": row.detector, "metric": row.requested, "value": row.value,
            "chance": row.chance, "humans": human.value, "least": human.least,
            "pairs": human.pairs,
        }
        for row in rows
        if (human := known.get(row.requested)) is not None
    ]  # fmt: skip


def event_votes(voters: KnownChannels) -> list[dict[str, Any]]:
    """The stretches that anyone marked, with who marked any point of them and who did not."""
    joined = voters.joined
    marked = [joined.max(events.labels) for events in voters.events]
    judged = [joined.max(events.judged_flags) for events in voters.events]
    found = []
    for place, (start, stop) in enumerate(zip(joined.starts, joined.stops, strict=True)):
        by = [n for n, one in zip(voters.names, marked, strict=True) if one[place]]
        asked = [n for n, one in zip(voters.names, judged, strict=True) if one[place]]
        not_by = [name for name in asked if name not in by]
        row = {"start": int(start), "stop": int(stop), "by": by, "not_by": not_by}
        if joined.clock is not None:
            row |= {"from": joined.clock.text(start), "to": joined.clock.text(stop - 1)}
        found.append(row)
    return found
