"""What annotators say of each other: tables of values, agreement and disputed events."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjudge.judging.beside import Beside
from adjudge.judging.channels.results import tables_by
from adjudge.judging.result_columns import number
from adjudge.judging.words.places import place_of
from adjudge.tables.table import Table

if TYPE_CHECKING:
    from adjudge.judging.channels.agreement import Agreement
    from adjudge.judging.channels.humans import Human

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
    humans: tuple[Human, ...]
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
