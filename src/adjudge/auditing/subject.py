"""Witnesses: metrics that answer in this process, and the choice of who is asked how."""

from __future__ import annotations

import contextlib
import inspect
import io
import math
import time
import warnings
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge.auditing.one_call import asked
from adjudge.auditing.questions import Fault
from adjudge.auditing.sandbox import Sandbox, can_fork, prepared
from adjudge.checks import word
from adjudge.data.events import Events
from adjudge.errors import InputError
from adjudge.metrics.metric import Metric
from adjudge.metrics.reader import metric as read_metric

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Array
    from adjudge.auditing.questions import Effort, Kind, Pair, Witness


class Catalogued:
    """A metric of the catalogue: trusted, so it answers here, and its time is CPU time."""

    documented = True  # every row says when it is undefined

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        free = metric.row.needs == "flags" and not metric.oracle and metric.at is None
        self.kind: Kind = "flags" if free else "scores"
        self.range, self.better = metric.row.range, metric.row.better
        self.faults: dict[str, Fault] = {}
        self._events: tuple[Array | None, Events | None] = (None, None)

    clock = staticmethod(time.process_time)

    def answers(self, pairs: Sequence[Pair]) -> list[float]:
        """Judge each pair; labels that come again are read once."""
        return [self._answer(pair) for pair in pairs]

    def close(self) -> None:
        """Have nothing to close."""

    def _answer(self, pair: Pair) -> float:
        try:
            labels, events = self._events
            if labels is not pair.labels:
                events = Events.from_labels(pair.labels)
                self._events = (pair.labels, events)
            return self.metric(events, pair.given)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
            said = f"it raised {type(error).__name__}: {error}"
            self.faults.setdefault("raises", Fault(said, pair))
            return math.nan


class Trusting:
    """A user's metric in this process, where there is no fork: it can hang, and end the audit."""

    documented = False

    def __init__(
        self,
        metric: Callable[..., Any],
        kind: Kind,
        range: tuple[float, float] = (0, 1),  # noqa: A002 - the word of the catalogue
        better: Literal["higher", "lower"] = "higher",
    ) -> None:
        self.metric, self.kind, self.range, self.better = metric, kind, range, better
        self.faults: dict[str, Fault] = {}

    clock = staticmethod(time.monotonic)

    def answers(self, pairs: Sequence[Pair]) -> list[float]:
        """Ask for each pair."""
        return [self._answer(pair) for pair in pairs]

    def close(self) -> None:
        """Have nothing to close."""

    def _answer(self, pair: Pair) -> float:
        paper = io.StringIO()
        with (
            contextlib.redirect_stdout(paper),
            contextlib.redirect_stderr(paper),
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
        ):
            warnings.simplefilter("ignore")
            given = prepared(pair, self.kind)
            value, faults = asked(self.metric, *given, lambda: bool(paper.getvalue()))
        for name, sentence in faults:
            self.faults.setdefault(name, Fault(sentence, pair))
        return value


def witness_of(
    metric: object,
    kind: str | None,
    effort: Effort,
    bounds: tuple[float, float] | None = None,
    better: Literal["higher", "lower"] | None = None,
) -> Witness:
    """Put a metric on the stand: a spec, a metric of the catalogue, or any function.

    >>> from adjudge.auditing.questions import EFFORTS
    >>> witness_of("auc_roc", None, EFFORTS["quick"]).kind
    'scores'
    """
    if isinstance(metric, (str, Metric)):
        for name, given in (("kind", kind), ("bounds", bounds), ("better", better)):
            if given is not None:
                raise InputError(
                    f"{name} must be None for a metric of the catalogue, got {given!r}"
                )
        return Catalogued(read_metric(metric))
    if not callable(metric):
        raise InputError(f"metric must be a spec, a metric or a function, got {metric!r}")
    chosen: Any = kind_of(metric) if kind is None else word(kind, "kind", ("flags", "scores"))
    ends = (0.0, 1.0) if bounds is None else _checked(bounds)
    side: Any = "higher" if better is None else word(better, "better", ("higher", "lower"))
    if can_fork():
        return Sandbox(metric, chosen, effort.call, ends, side)
    return Trusting(metric, chosen, ends, side)


def _checked(bounds: object) -> tuple[float, float]:
    """Read the two ends of a range; they may be infinite."""
    with contextlib.suppress(TypeError, ValueError):  # no pair, or not of numbers
        low, high = map(float, bounds)  # type: ignore[call-overload]
        if low < high:
            return low, high
    raise InputError(f"bounds must be (low, high) with low < high, got {bounds!r}")


def kind_of(metric: Callable[..., Any]) -> Kind:
    """Say what a function takes: scores, if its second parameter is called that, else flags.

    >>> kind_of(lambda labels, scores: 0.5), kind_of(lambda truth, prediction: 0.5)
    ('scores', 'flags')
    """
    try:
        parameters = list(inspect.signature(metric).parameters.values())
    except (TypeError, ValueError):  # compiled functions need not say
        return "flags"
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return "flags"
    taken = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    asked_for = [p for p in taken if p.default is p.empty]
    if len(taken) < 2 or len(asked_for) > 2:
        raise InputError(
            f"metric must be a function of (labels, flags) or (labels, scores), got one of "
            f"({', '.join(p.name for p in parameters)})"
        )
    return "scores" if taken[1].name == "scores" else "flags"


def name_of(metric: object) -> str:
    """Give the spec of a metric, or the name of a function.

    >>> name_of("f1_ba(width=5)"), name_of(kind_of)
    ('f1_ba(width=5)', 'kind_of')
    """
    if isinstance(metric, (str, Metric)):
        return str(read_metric(metric))
    return str(getattr(metric, "__qualname__", type(metric).__qualname__))
