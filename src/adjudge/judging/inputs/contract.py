"""What every input keeps: its own arguments, read and checked when it is made.

The arguments of all kinds, as the short form of a verb takes them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, Self, TypedDict

from adjudge.errors import InputError, shown
from adjudge.judging.breakdowns import event_list
from adjudge.judging.evaluation import findings_of_one, told_of_points
from adjudge.judging.preparation import all_metrics, placed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from adjudge._typing import Array, Column, Positions
    from adjudge.data.case import Case
    from adjudge.judging.comparing.facing import Facing
    from adjudge.judging.evaluation import Judged, Request, Told
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.preparation import Prepared, ThresholdKind
    from adjudge.judging.receipt import Account
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask


class Columns(TypedDict, total=False):
    """What the short form of every verb hands to the input that it means."""

    series: Column
    where: Column
    time: Column
    positive: object
    missing: str
    sort: bool
    span: Any
    watched: Any
    outages: Any
    early: Any
    services: Any
    every: Any
    channels: Any
    subsystem: Any
    annotators: Any
    votes: str


class GroupedColumns(Columns, total=False):
    """The same with the data sets that intervals may rest on."""

    group: Column


class JudgedColumns(GroupedColumns, total=False):
    """The same with the kind of each event."""

    kind: Column


class DecidedColumns(Columns, total=False):
    """What is handed on where events have a price."""

    severity: Column


class Ready(Protocol):
    """A detector that an input has placed, as every kind of them is known."""

    @property
    def known(self) -> bool:
        """Whether there is any threshold, or alarms."""

    @property
    def order(self) -> Positions | None:
        """Where each point stood before all were sorted; None: they were not."""

    @property
    def on_points(self) -> tuple[Case, ...]:
        """What was judged on points, if anything was."""


class Input(ABC):
    """Data of one kind, read and checked."""

    noun: ClassVar[str]
    """What it holds, in a message."""
    made: ClassVar[str]
    """How it is made, in a message."""
    renamed: ClassVar[Mapping[str, str]] = {}
    """The arguments that the short form calls otherwise, with their names here."""
    instead: ClassVar[Mapping[str, str]] = {}
    """What to say in the place of arguments that belong to others."""
    refused: ClassVar[tuple[str, ...]] = ("per_series", "white_noise", "label_slack")
    """The options of `adjudge.evaluate` that have no meaning for it."""

    @classmethod
    def of(cls, labels: Any, scores: Any, given: dict[str, Any]) -> Self:
        """Make it from the short form of a verb: labels, scores and columns by name."""
        own = cls.own()
        return cls(labels, scores, **{own[name]: value for name, value in given.items()})  # type: ignore[call-arg]

    @classmethod
    def own(cls) -> dict[str, str]:
        """The arguments that it owns, by their names in the short form."""
        own = (one.name for one in fields(cls)[2:])  # type: ignore[arg-type]
        return {name: name for name in own} | {**cls.renamed}

    @classmethod
    def refuse(cls, name: str, value: Any, hint: str = "") -> NoReturn:
        """Refuse an argument that has no meaning for data of this kind."""
        raise InputError(f"{name} must be left out with {cls.noun}, got {shown(value)}{hint}")

    def refuse_all(self, **given: Any) -> None:
        """Refuse those of a verb's options that are given and have no meaning here."""
        for name, value in given.items():
            if value is not None and value is not False:
                self.refuse(name, value)

    def with_read(self, **read: Any) -> Self:
        """The same with something else in the place of what was read."""
        found = copy(self)
        vars(found).update(read)
        return found

    @property
    @abstractmethod
    def detectors(self) -> Sequence[str]:
        """What the detectors are called."""

    def check(self, request: Request) -> None:
        """Refuse what has no meaning for data of this kind.

        Parameters
        ----------
        request : Request
            What is to be known of every detector.
        """
        asked = {
            "per_series": request.per_series,
            "white_noise": request.ask.white_noise,
            "label_slack": request.ask.label_slack or None,
            "metrics": "all" if request.every else None,
        }
        self.refuse_all(**{name: asked[name] for name in self.refused})

    @abstractmethod
    def placed(self, at: Any) -> Sequence[Ready]:
        """The detectors, each at its threshold."""

    @abstractmethod
    def default_metrics(self, kind: ThresholdKind) -> list[Metric]:
        """What is judged where nobody names a metric, by how thresholds are to be had."""

    @abstractmethod
    def every_metric(self, ready: Any, kind: ThresholdKind) -> list[Metric]:
        """Every metric that is listed and that a detector can be judged by."""

    def over(self, metric: Metric) -> Metric:
        """What is judged where a metric is asked for: that of all channels, or of annotators."""
        return metric

    def called(self, metric: Metric) -> str:  # noqa: ARG002 - some have another name
        """What a row calls what was judged; "": the metric with every setting resolved."""
        return ""

    def groups(self, ready: Any) -> Positions | None:  # noqa: ARG002 - for who has some
        """The number of the data set of each point, if they are known."""
        return None

    @property
    def runs(self) -> Mapping[str, tuple[str, int]]:
        """For each run of a detector, the detector and the number of the run."""
        return {}

    @abstractmethod
    def told(
        self, ready: Any, metrics: list[Metric], ask: Ask, part: Callable[[float], None]
    ) -> Iterator[Told]:
        """The values of one detector, and what is known of them before chance is asked.

        Parameters
        ----------
        ready, metrics, ask : Ready, list of Metric, Ask
            A detector, by what it is judged, and what is to be known of it.
        part : callable
            Called with the share of the shifts that are made.
        """

    @abstractmethod
    def events(self, ready: Any, metrics: Sequence[Metric]) -> list[dict[str, Any]]:
        """A row per event of one detector: when it was, and whether it was found."""

    def summed_up(
        self,
        found: Judgement,
        each: list[Judged],  # noqa: ARG002 - for who knows more
        request: Request,  # noqa: ARG002 - the same
    ) -> Judgement:
        """Put what else is known of data of this kind beside the rows of all detectors."""
        return found

    def judging(self, metric: Metric) -> type[Input]:  # noqa: ARG002 - a grid has two
        """The kind of data that a metric judges here."""
        return type(self)

    @staticmethod
    @abstractmethod
    def cases_of(found: Judgement) -> Sequence[Any]:
        """The cases of this kind that were judged."""

    @staticmethod
    @abstractmethod
    def found(metric: Metric, case: Any, at: Any, ask: Ask) -> Finding:
        """The row of one detector by one metric.

        Parameters
        ----------
        metric, case, at, ask : Metric, case, threshold, Ask
            By what a case of this kind is judged, at which threshold, and what stands beside it.
        """

    @abstractmethod
    def facing(self, metric: Metric, at: tuple[Any, Any], ask: Ask) -> Facing:
        """Two detectors, each at its threshold, on what is judged of both.

        Parameters
        ----------
        metric, at, ask : Metric, pair of thresholds, Ask
            What `adjudge.compare` was asked.
        """

    @abstractmethod
    def explained(self, metric: Metric, at: Any) -> Account:
        """The value of the only detector, row by row.

        Parameters
        ----------
        metric, at : Metric, threshold
            What `adjudge.explain` was asked.
        """

    @abstractmethod
    def only(self, *names: str) -> Input:
        """The same with some of the detectors."""


class OnPoints(Input):
    """Labels and scores of points: what `adjudge.evaluate` asks of every kind of them."""

    @abstractmethod
    def placed(self, at: Any) -> list[Prepared]:
        """The detectors, each at its threshold."""

    @property
    def kinds(self) -> Array | None:
        """The kind of event at each point, if it is known."""
        return None

    def every_metric(self, ready: Prepared, kind: ThresholdKind) -> list[Metric]:
        """Every metric that is listed; of changes those of positions alone."""
        changes = ready.case.events.changes is not None
        return [one for one in all_metrics(kind) if one.row.positions or not changes]

    def told(
        self, ready: Prepared, metrics: list[Metric], ask: Ask, part: Callable[[float], None]
    ) -> Iterator[Told]:
        """The values of one detector; see `Input.told`."""
        return told_of_points(metrics, ready, ask, part)

    def events(self, ready: Prepared, metrics: Sequence[Metric]) -> list[dict[str, Any]]:
        """A row per event of one detector; of several channels as one."""
        return event_list(ready.as_one, ready.at, metrics, self.kinds)

    @staticmethod
    def cases_of(found: Judgement) -> Sequence[Case]:
        """What was judged on points."""
        return found.cases

    @staticmethod
    def found(metric: Metric, case: Case, at: Any, ask: Ask) -> Finding:
        """The row of one detector by one metric; see `Input.found`."""
        return findings_of_one([metric], placed(case.events, case, at), ask)[0]
