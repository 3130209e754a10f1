"""Subjects that are called in this process, and the choice of how a metric is called.

One call of a user's metric, and everything that can be wrong with it.

Worker: the process that calls a user's metric, cut off from the terminal and with less memory.

What the metric does beside giving a value is noted: what it prints, and, as far as Python itself
is told (audit hooks), that it writes files, starts processes or signals them.

Sandbox: a user's metric is called in a process of its own, so that no accident hurts the audit.

The process is a copy of this one, so the metric may be a lambda, a function of a notebook or of a
script without a main guard: nothing is pickled but arrays, and nothing is imported again. A metric
that hangs, even in compiled code, or ends its process is noted; the process and all that it started
are ended (`adjudge.lab.audit.guard`), and another one takes its place, a few times.

It guards against accidents, not against malice: the metric runs with the rights of the user. It
may use the network, and remove files; that it writes files, starts processes or sends signals is
noted where Python sees it, not prevented.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import math
import os
import pickle
import secrets
import select
import signal
import socket
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from itertools import pairwise
from multiprocessing import Pipe
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.checks import word
from adjudge.data.events import Events
from adjudge.errors import InputError, said, shown
from adjudge.lab.audit.guard import Guard, start_guard
from adjudge.lab.audit.subject import Problem
from adjudge.metrics.metric import Metric
from adjudge.metrics.reader import metric as read_metric

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

    from adjudge._typing import Array
    from adjudge.lab.audit.confidence import Effort
    from adjudge.lab.audit.subject import Kind, Pair, Subject

Named = tuple[str, str]
"""A problem: its name, and a sentence."""

_LONGEST = 200  # characters of an error message that are kept


class CallResult(NamedTuple):
    """A value, NaN if there is none, and its problems: name and sentence."""

    value: float
    problems: list[Named]


def call_once(
    metric: Callable[..., Any],
    labels: Array,
    given: Array,
    noticed: Callable[[], list[Named]],
    caught: type[BaseException] = Exception,
) -> CallResult:
    """Value of one call, with arrays of its own, and what the metric did wrong.

    Parameters
    ----------
    metric : callable
        ``(labels, flags or scores) -> float``.
    labels, given : array
        What it gets: copies of these.
    noticed : callable
        What else the metric did since this was last called, such as printing.
    caught : type
        The errors that count as the metric's.

    Examples
    --------
    >>> ones = np.ones(3, int)
    >>> call_once(lambda labels, flags: 0.5, ones, ones, list)
    CallResult(value=0.5, problems=[])
    >>> sorts = lambda labels, flags: labels.sort() or "a"
    >>> call_once(sorts, np.array([3, 2, 1]), ones, list).problems
    [('changes its input', 'it changed the labels that it was given'),
     ('returns no number', "it returned a str, 'a'")]
    """
    mine = labels.copy(), given.copy()
    before = [_held(array) for array in mine]
    problems: list[Named] = []
    value = math.nan
    try:
        result = metric(*mine)
    except caught as error:
        message = " ".join(said(error).split())[:_LONGEST]
        problems.append(("raises", f"it raised {type(error).__name__}: {message}".rstrip(": ")))
    else:
        value, wrong = number(result)
        problems += [("returns no number", wrong)] if wrong else []
    for name, was, now in zip(("labels", "detection"), before, mine, strict=True):
        if was != _held(now):
            problem = ("changes its input", f"it changed the {name} that it was given")
            problems.insert(0, problem)
    return CallResult(value, problems + noticed())


def _held(array: Array) -> tuple[str, tuple[int, ...], bytes]:
    """What an array holds, out of the metric's reach: no function of NumPy compares it later."""
    return array.dtype.str, array.shape, array.tobytes()


def number(result: Any) -> tuple[float, str]:
    """Float that a metric returned, or NaN and the reason why it is none.

    >>> number(np.float32(0.5)), number(None)
    ((0.5, ''), (nan, 'it returned a NoneType, None'))
    """
    with suppress(Exception):  # whatever the object that was returned does
        plain = isinstance(result, (Real, np.integer, np.floating, np.bool_))
        alone = getattr(result, "shape", None) == () and not np.iscomplexobj(result)
        if plain or alone:
            return float(result), ""
    return math.nan, f"it returned a {type(result).__name__}, {shown(result)}"[:_LONGEST]


MEMORY = 1 << 30
"""Bytes that a metric may take beyond what this process has already."""
_STARTS = frozenset({"os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"})
_SIGNALS = frozenset({"os.kill", "os.killpg"})
_DESCRIPTORS = 4096
_WRITING = os.O_WRONLY | os.O_RDWR


def isolate(*kept: int) -> Callable[[], list[Named]]:  # pragma: no cover - in the worker
    """Cut the worker off; gives what tells what the metric did since it was last asked.

    Of the descriptors only those that are ``kept`` stay open: files of the audit are not the
    metric's to write to.
    """
    for below, above in pairwise([2, *sorted(kept), _DESCRIPTORS]):
        os.closerange(below + 1, above)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    sys.dont_write_bytecode = True  # what a metric imports is not the metric's writing
    printed, noticed = _redirect(), _hook()
    _limit_memory()

    def told() -> list[Named]:
        found = [("prints", "it wrote to standard output or error")] if printed() else []
        found += noticed
        noticed.clear()
        return found

    return told


def _redirect() -> Callable[[], bool]:  # pragma: no cover - in the worker
    """Let standard output and error end in a file; tell when it grew."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    paper = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the worker
    for descriptor in (1, 2):
        os.dup2(paper.fileno(), descriptor)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    seen = 0

    def printed() -> bool:
        nonlocal seen
        with suppress(AttributeError, ValueError, OSError):  # the metric may have closed them
            sys.stdout.flush()
            sys.stderr.flush()
        before, seen = seen, os.fstat(paper.fileno()).st_size
        return seen > before

    return printed


def _hook() -> list[Named]:  # pragma: no cover - in the worker
    """Note, from now on, what Python is told of files, processes and signals."""
    noticed: list[Named] = []

    def hook(event: str, given: tuple[Any, ...]) -> None:
        if event == "open":
            _, _, how = given
            if isinstance(how, int) and how & _WRITING:
                noticed.append(("writes files", "it opened a file for writing"))
        elif event in _STARTS:
            noticed.append(("starts processes", "it started a process of its own"))
        elif event in _SIGNALS:
            noticed.append(("signals processes", "it sent a signal to a process"))

    sys.addaudithook(hook)
    return noticed


def _limit_memory() -> None:  # pragma: no cover - in the worker
    """Leave room for so much more memory, where it is known how much there is."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - not on every platform

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        most = pages * os.sysconf("SC_PAGE_SIZE") + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


_BUSY = 4  # how much longer everything may take when others use the machine too
_LOSSES = 2  # children that may be lost before the metric is given up
_LARGEST = 1 << 16  # bytes of an answer
_ENDED = b"ended"


class _Child(NamedTuple):
    guard: Guard
    pairs: Connection[Any, Any]
    values: socket.socket
    """Whole messages, each behind a token that the metric does not know."""
    token: bytes


class Sandbox:
    """A user's metric in a process of its own.

    Parameters
    ----------
    metric : callable
        ``(labels, flags or scores) -> float``.
    kind : "flags" or "scores"
        What it takes.
    limit : float
        Seconds after which a call counts as hanging.
    range, better
        See `adjudge.metrics.metric.Row`.
    """

    documented = False

    def __init__(
        self,
        metric: Callable[..., Any],
        kind: Kind,
        limit: float,
        range: tuple[float, float] = (0, 1),  # noqa: A002 - the word of the catalogue
        better: Literal["higher", "lower"] = "higher",
    ) -> None:
        self.metric, self.kind, self.limit = metric, kind, limit
        self.range, self.better = range, better
        self.problems: dict[str, Problem] = {}
        self._losses = 0
        self._spent = 0.0
        self._begun, self._before = time.monotonic(), time.process_time()
        self._child: _Child | None = None

    def clock(self) -> float:
        """CPU time of both processes, or a part of the time that went by.

        So that a busy machine does not change an outcome, and a metric that sleeps does not last.
        """
        gone_by = time.monotonic() - self._begun
        return max(time.process_time() - self._before + self._spent, gone_by / _BUSY)

    def call(self, pairs: Sequence[Pair]) -> list[float]:
        """Value of each pair; NaN where the child was lost, and the next child takes the rest."""
        found: list[float] = []
        while len(found) < len(pairs):
            if self._losses >= _LOSSES:
                return found + [math.nan] * (len(pairs) - len(found))
            found += self._values(pairs[len(found) :])
        return found

    def close(self) -> None:
        """End the child, and all that it started."""
        if self._child is not None:
            guard, pairs, values, _ = self._child
            guard.end()
            pairs.close()
            values.close()
            self._child = None

    def _values(self, pairs: Sequence[Pair]) -> list[float]:
        """Values from one child: of all pairs, or of all up to the one that lost it."""
        if self._child is None:
            self._child = _start(self.metric)
        found: list[float] = []
        try:
            given = pickle.dumps([as_arrays(pair, self.kind) for pair in pairs])
            self._child.pairs.send_bytes(given)
            for pair in pairs:
                answer = self._answer(self._child, pair)
                if answer is None:
                    said = f"it gave no value within {self.limit:g} s, on {len(pair.labels)} points"
                    return [*found, self._give_up("hangs", said, pair)]
                value, problems, spent = answer
                self._spent += spent
                for name, sentence in problems:
                    self.problems.setdefault(name, Problem(sentence, pair))
                found.append(value)
        except (EOFError, OSError):
            said = "it ended the process that called it"
            return [*found, self._give_up("ends the process", said, pairs[len(found)])]
        return found

    def _answer(self, child: _Child, pair: Pair) -> Any:
        """What the worker says to one pair; None after the time limit."""
        until = time.monotonic() + self.limit
        while (left := until - time.monotonic()) > 0:
            if not select.select([child.values], [], [], min(left, 0.2))[0]:
                if not child.guard.is_alive():
                    raise EOFError
                continue
            said = child.values.recv(_LARGEST)
            if not said.startswith(child.token):
                sentence = "it wrote to a descriptor that it did not open"
                self.problems.setdefault("writes elsewhere", Problem(sentence, pair))
            elif said == child.token + _ENDED:
                raise EOFError
            else:
                return json.loads(said[len(child.token) :])
        return None

    def _give_up(self, name: str, sentence: str, pair: Pair) -> float:
        self.problems.setdefault(name, Problem(sentence, pair))
        self._losses += 1
        self.close()
        return math.nan


def as_arrays(pair: Pair, kind: Kind) -> tuple[Array, Array]:
    """Write labels and flags as whole numbers, and flags for a metric of scores as floats.

    >>> from adjudge.lab.audit.subject import Pair
    >>> as_arrays(Pair(np.array([True, False]), np.array([True, True])), "scores")
    (array([1, 0]), array([1., 1.]))
    """
    labels, given = pair
    labels = labels.astype(np.int64) if labels.dtype == bool else labels
    if given.dtype == bool:
        given = given.astype(np.int64 if kind == "flags" else np.float64)
    return labels, given


def can_fork() -> bool:
    """Whether this platform has what the sandbox needs."""
    return hasattr(os, "fork")


def _start(metric: Callable[..., Any]) -> _Child:
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError, OSError):  # there may be none, or a closed one
            stream.flush()  # else the child could write it once more
    asked, pairs = Pipe(duplex=False)
    values, answers = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    token = secrets.token_bytes(16)

    def work() -> None:  # pragma: no cover - in the worker
        pairs.close()
        values.close()
        _serve(metric, asked, answers, token)

    def close_in_guard() -> None:  # pragma: no cover - in the guard
        for one in (asked, pairs, values):
            one.close()

    guard = start_guard(work, lambda: _tell(answers, token), close_in_guard)
    asked.close()
    answers.close()
    return _Child(guard, pairs, values, token)


def _tell(answers: socket.socket, token: bytes) -> None:  # pragma: no cover - in the guard
    answers.send(token + _ENDED)


def _serve(
    metric: Callable[..., Any], asked: Connection[Any, Any], answers: socket.socket, token: bytes
) -> None:  # pragma: no cover - in the worker
    """Values until there are no more pairs."""
    noticed, process = isolate(asked.fileno(), answers.fileno()), os.getpid()
    while True:
        for labels, given in pickle.loads(asked.recv_bytes()):  # noqa: S301 - our own arrays
            begun = time.process_time()
            value, problems = call_once(metric, labels, given, noticed, BaseException)
            if os.getpid() != process:  # the metric forked, and this is its copy
                os._exit(0)
            spent = time.process_time() - begun
            answers.send(token + json.dumps([value, problems, spent]).encode())


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
