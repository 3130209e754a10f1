"""What every input keeps: its own arguments, read and checked when it is made.

The arguments of all kinds, as the short form of a verb takes them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, TypedDict

from adjudge.errors import InputError, shown
from adjudge.judging.judge.prepared import placed
from adjudge.judging.judge.which_metrics import all_metrics
from adjudge.metrics.reader import catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Array, Column, Positions
    from adjudge.judging.comparing.facing import Facing
    from adjudge.judging.judge.judge import Judged, Request, ThresholdKind
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.receipt import Account
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
    """The same with what says how much evidence there is: data sets, and shared clocks."""

    group: Column
    clock: str


class JudgedColumns(GroupedColumns, total=False):
    """The same with the kind of each event."""

    kind: Column


class DecidedColumns(Columns, total=False):
    """What is handed on where events have a price."""

    severity: Column


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

    def refuse_all(self, hint: str = "", /, **given: Any) -> None:
        """Refuse those of a verb's options that are given and have no meaning here."""
        for name, value in given.items():
            if value is not None and value is not False:
                self.refuse(name, value, hint)

    def with_read(self, **read: Any) -> Self:
        """The same with something else in the place of what was read."""
        found = copy(self)
        vars(found).update(read)
        return found

    @property
    @abstractmethod
    def detectors(self) -> Sequence[str]:
        """What the detectors are called."""

    @property
    def runs(self) -> Mapping[str, tuple[str, int]]:
        """For each run of a detector, the detector and the number of the run."""
        return {}

    @property
    def kinds(self) -> Array | None:
        """The kind of event at each point, if it is known."""
        return None

    def groups(self, ready: Any) -> Positions | None:  # noqa: ARG002 - for who has some
        """The number of the data set of each point, if they are known."""
        return None

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
    def placed(self, at: Any) -> Sequence[Any]:
        """The detectors, each at its threshold: `Prepared`, or what answers as it does."""

    @abstractmethod
    def default_metrics(self, kind: ThresholdKind) -> list[Metric]:
        """What is judged where nobody names a metric, by how thresholds are to be had."""

    def every_metric(self, ready: Any, kind: ThresholdKind) -> list[Metric]:  # noqa: ARG002 - of some
        """Every metric that is listed.

        Parameters
        ----------
        ready, kind : Prepared, ThresholdKind
            A detector, and how its threshold is to be had.
        """
        return all_metrics(kind)

    def check_windows(self) -> None:
        """Refuse what cannot be judged window by window."""
        takes = "over_time takes aj.Points or aj.OnCall"
        raise InputError(f"{takes}, got {self.noun}; judge them with adjudge.evaluate")

    def usual_over_time(self, at: Any) -> list[Metric]:
        """What most will look at: the balanced F1 score where there are thresholds, else the area.

        Parameters
        ----------
        at : threshold
            What `adjudge.over_time` was given.
        """
        known = all(ready.known for ready in self.placed(at))
        return [catalogue["f1_ba" if known else "ap"].metric]

    def over(self, metric: Metric) -> Metric:
        """What is judged where a metric is asked for: that of all channels, or of annotators."""
        return metric

    def called(self, metric: Metric) -> str:  # noqa: ARG002 - some have another name
        """What a row calls what was judged; "": the metric with every setting resolved."""
        return ""

    def summed_up(self, found: Judgement, each: list[Judged], ask: Ask) -> Judgement:  # noqa: ARG002 - some know more
        """Put what else is known beside the rows of all detectors.

        Parameters
        ----------
        found, each, ask : Judgement, list of Judged, Ask
            The rows of all detectors, what was said of each, and what was to be known of them.
        """
        return found

    def cases_of(self, found: Judgement, metric: Metric | None = None) -> Sequence[Any]:  # noqa: ARG002 - a grid has two kinds
        """What was judged of each detector by a metric.

        Parameters
        ----------
        found, metric : Judgement, Metric
            What was found, and the metric; None: one of its usual ones.
        """
        return found.cases

    def again(self, metric: Metric, case: Any, at: Any) -> Any:  # noqa: ARG002 - the same
        """A part of what was judged by a metric, placed as the whole was.

        Parameters
        ----------
        metric, case, at : Metric, case, threshold
            By what it is judged, and what chooses the threshold.
        """
        return placed(case.events, case, at)

    @abstractmethod
    def facing(self, metric: Metric, at: tuple[Any, Any], ask: Ask) -> Facing:
        """Two detectors, each at its threshold, on what is judged of both; one alone faces itself.

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
