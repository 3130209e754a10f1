"""The metric under audit, and how it is called: of the catalogue here, a user's in a worker.

The worker is a forked process with a time limit and a memory limit. It is a copy of this process,
so the function may be a lambda, or stand in a notebook or in a script without a main guard. A
worker that hangs or ends is replaced, a few times. What the function does to files, to other
processes and to the network is neither noticed nor prevented.
"""

from __future__ import annotations

import io
import json
import math
import os
import signal
import sys
import tempfile
import time
import warnings
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np

from adjudge.checks import word
from adjudge.data.events import Events
from adjudge.errors import InputError, as_text, shown
from adjudge.metrics.metric import Metric
from adjudge.metrics.own_function import kind_of, returned_number, value_range
from adjudge.metrics.reader import metric as read_metric
from adjudge.stores.engines import Forked, can_fork, fork

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

    from adjudge._typing import Array
    from adjudge.lab.audit.confidence import Effort


Kind = Literal["flags", "scores"]

WITHOUT_VALUE = {"raises", "hangs", "ends the process", "returns no number"}
"""Problems that leave no value, so that NaN stands in its place."""


class Pair(NamedTuple):
    """One input of a metric: labels, and a detection of them."""

    labels: Array
    given: Array
    """Flags as bools, or scores."""


class Problem(NamedTuple):
    """A bug of the metric itself, and the first input that showed it."""

    sentence: str
    pair: Pair


class Subject(Protocol):
    """A metric under audit."""

    kind: Kind
    range: tuple[float, float]
    better: Literal["higher", "lower"]
    documented: bool
    """Whether it is written down where the metric is undefined, so that NaN is no problem."""
    problems: dict[str, Problem]
    """Bugs that were found, by name."""

    def call(self, pairs: Sequence[Pair]) -> list[float]:
        """Value of each pair; NaN where there is none."""

    def clock(self) -> float:
        """Seconds that count against the time of an audit."""

    def close(self) -> None:
        """Let go of what it holds."""


MEMORY = 1 << 30
"""Bytes that a function may take beyond what this process has already."""
GRACE = 5.0
"""Seconds beyond the limit after which a worker ends by itself, if the audit is gone."""
_BUSY = 4  # how much longer everything may take when others use the machine too
_LOSSES = 2  # workers that may be lost before the function is given up
_LONGEST = 200  # characters of an error message that are kept
_LARGEST = 1 << 16  # bytes of an answer


class CallResult(NamedTuple):
    """A value, NaN if there is none, and a sentence for each problem, by name."""

    value: float
    problems: dict[str, str]


def call_once(
    metric: Callable[..., Any], labels: Array, given: Array, printed: Callable[[], object]
) -> CallResult:
    """Value of one call, with arrays of its own, and what the metric did wrong.

    Parameters
    ----------
    metric : callable
        ``(labels, flags or scores) -> float``.
    labels, given : array
        What it gets: copies of these.
    printed : callable
        Whether the metric printed, asked after the call.

    Examples
    --------
    >>> ones = np.ones(3, int)
    >>> call_once(lambda labels, flags: 0.5, ones, ones, bool)
    CallResult(value=0.5, problems={})
    >>> sorts = lambda labels, flags: labels.sort() or "a"
    >>> call_once(sorts, np.array([3, 2, 1]), ones, bool).problems
    {'changes its input': 'it changed the labels that it was given',
     'returns no number': "it returned a str, 'a'"}
    """
    mine = {"labels": labels.copy(), "detection": given.copy()}
    before = [_held(array) for array in mine.values()]
    value, problems = _returned(metric, *mine.values())
    changed = [name for name, was in zip(mine, before, strict=True) if _held(mine[name]) != was]
    if changed:
        sentence = f"it changed the {' and the '.join(changed)} that it was given"
        problems = {"changes its input": sentence, **problems}
    if printed():
        problems["prints"] = "it wrote to standard output or error"
    return CallResult(value, problems)


def _held(array: Array) -> tuple[str, tuple[int, ...], bytes]:
    """What an array holds, out of the metric's reach: no function of NumPy compares it later."""
    return array.dtype.str, array.shape, array.tobytes()


def _returned(metric: Callable[..., Any], *given: Any) -> CallResult:
    try:
        value, wrong = returned_number(metric(*given))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a problem of the metric
        message = " ".join(as_text(error).split())[:_LONGEST]
        sentence = f"it raised {type(error).__name__}: {message}".rstrip(": ")
        return CallResult(math.nan, {"raises": sentence})
    return CallResult(value, {"returns no number": wrong} if wrong else {})


def as_arrays(pair: Pair, kind: Kind) -> tuple[Array, Array]:
    """Write labels and flags as whole numbers, and flags for a metric of scores as floats.

    >>> from adjudge.lab.audit.subject_calls import Pair
    >>> as_arrays(Pair(np.array([True, False]), np.array([True, True])), "scores")
    (array([1, 0]), array([1., 1.]))
    """
    labels, given = pair
    labels = labels.astype(np.int64) if labels.dtype == bool else labels
    if given.dtype == bool:
        given = given.astype(np.int64 if kind == "flags" else np.float64)
    return labels, given


def _note(problems: dict[str, Problem], pair: Pair, found: CallResult) -> float:
    """Keep the first problem of each name; gives the value."""
    for name, sentence in found.problems.items():
        problems.setdefault(name, Problem(sentence, pair))
    return found.value


class CatalogueSubject:
    """A metric of the catalogue: trusted, so it is called here, and its time is CPU time."""

    documented = True  # every row says when it is undefined

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        self.kind: Kind = "flags" if metric.needs_threshold else "scores"
        self.range, self.better = metric.row.range, metric.row.better
        self.problems: dict[str, Problem] = {}
        self._events: tuple[Array | None, Events | None] = (None, None)

    clock = staticmethod(time.process_time)

    def call(self, pairs: Sequence[Pair]) -> list[float]:
        """Value of each pair; labels that come again are read once."""
        return [_note(self.problems, pair, _returned(self._value, pair)) for pair in pairs]

    def close(self) -> None:
        """Do nothing: it holds nothing."""

    def _value(self, pair: Pair) -> float:
        labels, events = self._events
        if labels is not pair.labels:
            events = Events.from_labels(pair.labels)
            self._events = (pair.labels, events)
        return self.metric(events, pair.given)


@dataclass(eq=False)
class FunctionSubject:
    """A user's function in this process, where there is no fork: it can hang, and end the audit.

    Parameters
    ----------
    metric : callable
        ``(labels, flags or scores) -> float``.
    kind : "flags" or "scores"
        What it takes.
    range, better
        See `adjudge.metrics.metric.Row`.
    """

    metric: Callable[..., Any]
    kind: Kind
    range: tuple[float, float] = (0, 1)
    better: Literal["higher", "lower"] = "higher"
    problems: dict[str, Problem] = field(default_factory=dict, init=False)
    documented = False

    def clock(self) -> float:
        """Time that went by."""
        return time.monotonic()

    def call(self, pairs: Sequence[Pair]) -> list[float]:
        """Value of each pair."""
        return [_note(self.problems, pair, self._call_here(pair)) for pair in pairs]

    def close(self) -> None:
        """Do nothing: it holds nothing."""

    def _call_here(self, pair: Pair) -> CallResult:
        paper = io.StringIO()
        with (
            redirect_stdout(paper),
            redirect_stderr(paper),
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
        ):
            warnings.simplefilter("ignore")
            return call_once(self.metric, *as_arrays(pair, self.kind), paper.getvalue)


@dataclass(eq=False)
class WorkerSubject(FunctionSubject):
    """A user's function in a worker.

    Parameters
    ----------
    metric, kind, range, better
        See `FunctionSubject`.
    limit : float
        Seconds after which a call counts as hanging.
    """

    limit: float = field(kw_only=True)
    _worker: Forked | None = field(default=None, init=False)
    _losses: int = field(default=0, init=False)
    _begun: float = field(default_factory=time.monotonic, init=False)
    _spent: float = field(default_factory=lambda: -time.process_time(), init=False)
    """CPU seconds of the worker, less those of this process before it began."""

    def clock(self) -> float:
        """CPU time of both processes, or a part of the time that went by.

        So that a busy machine does not change an outcome, and a metric that sleeps does not last.
        """
        gone_by = time.monotonic() - self._begun
        return max(time.process_time() + self._spent, gone_by / _BUSY)

    def call(self, pairs: Sequence[Pair]) -> list[float]:
        """Value of each pair; NaN where the worker was lost, and the next worker takes the rest."""
        found: list[float] = []
        while len(found) < len(pairs) and self._losses < _LOSSES:
            found += self._values(pairs[len(found) :])
        return found + [math.nan] * (len(pairs) - len(found))

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _values(self, pairs: Sequence[Pair]) -> list[float]:
        """Values from one worker: of all pairs, or of all up to the one that lost it."""
        if self._worker is None:
            self._worker = fork(partial(_serve, self.metric, self.limit), MEMORY)
        pipe = self._worker.pipe
        found: list[float] = []
        try:
            pipe.send([as_arrays(pair, self.kind) for pair in pairs])
            for pair in pairs:
                if not pipe.poll(self.limit):
                    late = f"it gave no value within {self.limit:g} s, on {len(pair.labels)} points"
                    return [*found, self._lose("hangs", late, pair)]
                value, problems, spent = json.loads(pipe.recv_bytes(_LARGEST))
                self._spent += spent
                found.append(_note(self.problems, pair, CallResult(value, problems)))
        except (EOFError, OSError, ValueError):  # no worker, no pipe, or something else came
            gone = "it ended the process that called it, or its connection to the audit"
            return [*found, self._lose("ends the process", gone, pairs[len(found)])]
        return found

    def _lose(self, name: str, sentence: str, pair: Pair) -> float:
        self._losses += 1
        self.close()
        return _note(self.problems, pair, CallResult(math.nan, {name: sentence}))


def _serve(
    metric: Callable[..., Any], limit: float, pipe: Connection[Any, Any]
) -> None:  # pragma: no cover - in the worker
    """Answer until the audit closes the pipe, or a call takes too long and no audit is there."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    printed, worker = _redirect(), os.getpid()
    while True:
        for labels, given in pipe.recv():
            signal.setitimer(signal.ITIMER_REAL, limit + GRACE)
            begun = time.process_time()
            value, problems = call_once(metric, labels, given, printed)
            spent = time.process_time() - begun
            if os.getpid() != worker:  # the metric forked, and this is its copy
                return
            pipe.send_bytes(json.dumps([value, problems, spent]).encode())
        signal.setitimer(signal.ITIMER_REAL, 0)


def _redirect() -> Callable[[], bool]:  # pragma: no cover - in the worker
    """Give the worker no input, and a file for its output; tells whether that was written to."""
    paper = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the worker
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(paper.fileno(), 1)
    os.dup2(paper.fileno(), 2)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    raw = open(1, "wb", buffering=0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stderr = io.TextIOWrapper(raw, "utf-8", "replace", write_through=True)
    return lambda: os.fstat(paper.fileno()).st_size > 0  # the first time it is so counts


def make_subject(
    metric: object,
    kind: str | None,
    effort: Effort,
    bounds: tuple[float, float] | None = None,
    better: Literal["higher", "lower"] | None = None,
) -> Subject:
    """Subject of a spec, a metric of the catalogue, or any function.

    >>> from adjudge.lab.audit.confidence import EFFORTS
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
    ends = (0.0, 1.0) if bounds is None else value_range(bounds)
    side: Any = "higher" if better is None else word(better, "better", ("higher", "lower"))
    if can_fork():
        return WorkerSubject(metric, chosen, ends, side, limit=effort.call)
    return FunctionSubject(metric, chosen, ends, side)


def name_of(metric: object) -> str:
    """Spec of a metric, or name of a function.

    >>> name_of("f1_ba(width=5)"), name_of(as_arrays)
    ('f1_ba(width=5)', 'as_arrays')
    """
    if isinstance(metric, (str, Metric)):
        return str(read_metric(metric))
    return str(getattr(metric, "__qualname__", type(metric).__qualname__))
