"""Subjects that are called in this process, and the choice of how a metric is called."""

from __future__ import annotations

import contextlib
import inspect
import io
import math
import time
import warnings
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge._text import shown
from adjudge.auditing.one_call import Named, call_once
from adjudge.auditing.sandbox import Sandbox, as_arrays, can_fork
from adjudge.auditing.subject import Problem
from adjudge.checks import word
from adjudge.data.events import Events
from adjudge.errors import InputError
from adjudge.metrics.metric import Metric
from adjudge.metrics.reader import metric as read_metric

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Array
    from adjudge.auditing.effort import Effort
    from adjudge.auditing.subject import Kind, Pair, Subject


class CatalogueSubject:
    """A metric of the catalogue: trusted, so it is called here, and its time is CPU time."""

    documented = True  # every row says when it is undefined

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        free = metric.needs_threshold
        self.kind: Kind = "flags" if free else "scores"
        self.range, self.better = metric.row.range, metric.row.better
        self.problems: dict[str, Problem] = {}
        self._events: tuple[Array | None, Events | None] = (None, None)

    clock = staticmethod(time.process_time)

    def call(self, pairs: Sequence[Pair]) -> list[float]:
        """Value of each pair; labels that come again are read once."""
        return [self._value(pair) for pair in pairs]

    def close(self) -> None:
        """Do nothing: it holds nothing."""

    def _value(self, pair: Pair) -> float:
        try:
            labels, events = self._events
            if labels is not pair.labels:
                events = Events.from_labels(pair.labels)
                self._events = (pair.labels, events)
            return self.metric(events, pair.given)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a problem of the metric
            said = f"it raised {type(error).__name__}: {error}"
            self.problems.setdefault("raises", Problem(said, pair))
            return math.nan


class FunctionSubject:
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
        self.problems: dict[str, Problem] = {}

    clock = staticmethod(time.monotonic)

    def call(self, pairs: Sequence[Pair]) -> list[float]:
        """Value of each pair."""
        return [self._value(pair) for pair in pairs]

    def close(self) -> None:
        """Do nothing: it holds nothing."""

    def _value(self, pair: Pair) -> float:
        paper = io.StringIO()
        with (
            contextlib.redirect_stdout(paper),
            contextlib.redirect_stderr(paper),
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
        ):
            warnings.simplefilter("ignore")
            given = as_arrays(pair, self.kind)
            value, problems = call_once(self.metric, *given, lambda: _printed(paper))
        for name, sentence in problems:
            self.problems.setdefault(name, Problem(sentence, pair))
        return value


def _printed(paper: io.StringIO) -> list[Named]:
    return [("prints", "it wrote to standard output or error")] if paper.getvalue() else []


def make_subject(
    metric: object,
    kind: str | None,
    effort: Effort,
    bounds: tuple[float, float] | None = None,
    better: Literal["higher", "lower"] | None = None,
) -> Subject:
    """Subject of a spec, a metric of the catalogue, or any function.

    >>> from adjudge.auditing.effort import EFFORTS
    >>> make_subject("auc_roc", None, EFFORTS["quick"]).kind
    'scores'
    """
    if isinstance(metric, (str, Metric)):
        for name, given in (("kind", kind), ("bounds", bounds), ("better", better)):
            if given is not None:
                raise InputError(
                    f"{name} must be None for a metric of the catalogue, got {shown(given)}"
                )
        return CatalogueSubject(read_metric(metric))
    if not callable(metric):
        raise InputError(f"metric must be a spec, a metric or a function, got {shown(metric)}")
    chosen: Any = kind_of(metric) if kind is None else word(kind, "kind", ("flags", "scores"))
    ends = (0.0, 1.0) if bounds is None else _check_bounds(bounds)
    side: Any = "higher" if better is None else word(better, "better", ("higher", "lower"))
    if can_fork():
        return Sandbox(metric, chosen, effort.call, ends, side)
    return FunctionSubject(metric, chosen, ends, side)


def _check_bounds(bounds: object) -> tuple[float, float]:
    """Both ends of a range, which may be infinite."""
    with contextlib.suppress(TypeError, ValueError):  # no pair, or not of numbers
        low, high = map(float, bounds)  # type: ignore[call-overload]
        if low < high:
            return low, high
    raise InputError(f"bounds must be (low, high) with low < high, got {shown(bounds)}")


def kind_of(metric: Callable[..., Any]) -> Kind:
    """Kind of a function: scores, if its second parameter is called that, else flags.

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
    required = [p for p in taken if p.default is p.empty]
    if len(taken) < 2 or len(required) > 2:
        raise InputError(
            f"metric must be a function of (labels, flags) or (labels, scores), got one of "
            f"({', '.join(p.name for p in parameters)})"
        )
    return "scores" if taken[1].name == "scores" else "flags"


def name_of(metric: object) -> str:
    """Spec of a metric, or name of a function.

    >>> name_of("f1_ba(width=5)"), name_of(kind_of)
    ('f1_ba(width=5)', 'kind_of')
    """
    if isinstance(metric, (str, Metric)):
        return str(read_metric(metric))
    return str(getattr(metric, "__qualname__", type(metric).__qualname__))
