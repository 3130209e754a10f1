"""Sandbox: a user's metric is called in a forked process, so that nothing it does hurts the audit.

The child is a copy of this process, so the metric may be a lambda, a function of a notebook or of a
script without a main guard: nothing is pickled but arrays, and nothing is imported again. A metric
that hangs, even in compiled code, or ends its process is noted; the child is ended and another one
takes its place, a few times.
"""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from multiprocessing import Pipe
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.auditing.one_call import call_once
from adjudge.auditing.subject import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

    from adjudge._typing import Array
    from adjudge.auditing.subject import Kind, Pair

_BUSY = 4  # how much longer everything may take when others use the machine too
_LOSSES = 2  # children that may be lost before the metric is given up


class _Child(NamedTuple):
    process: int
    line: Connection[Any, Any]


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
        """End the child."""
        if self._child is not None:
            process, line = self._child
            line.close()
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            self._child = None

    def _values(self, pairs: Sequence[Pair]) -> list[float]:
        """Values from one child: of all pairs, or of all up to the one that lost it."""
        if self._child is None:
            self._child = _fork(self.metric, self.limit)
        line = self._child.line
        found: list[float] = []
        try:
            line.send_bytes(pickle.dumps([as_arrays(pair, self.kind) for pair in pairs]))
            for pair in pairs:
                if not line.poll(self.limit):
                    said = f"it gave no value within {self.limit:g} s, on {len(pair.labels)} points"
                    return [*found, self._give_up("hangs", said, pair)]
                value, problems, spent = json.loads(line.recv_bytes())
                self._spent += spent
                for name, sentence in problems:
                    self.problems.setdefault(name, Problem(sentence, pair))
                found.append(value)
        except (EOFError, OSError):
            said = "it ended the process that called it"
            return [*found, self._give_up("ends the process", said, pairs[len(found)])]
        return found

    def _give_up(self, name: str, sentence: str, pair: Pair) -> float:
        self.problems.setdefault(name, Problem(sentence, pair))
        self._losses += 1
        self.close()
        return math.nan


def as_arrays(pair: Pair, kind: Kind) -> tuple[Array, Array]:
    """Write labels and flags as whole numbers, and flags for a metric of scores as floats.

    >>> from adjudge.auditing.subject import Pair
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


def _fork(metric: Callable[..., Any], limit: float) -> _Child:
    here, there = Pipe()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError, OSError):  # there may be none, or a closed one
            stream.flush()  # else the child could write it once more
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside idle threads
        process = os.fork()
    if process == 0:  # pragma: no cover - the child's life is not seen from here
        here.close()
        _serve(metric, there, limit)
    there.close()
    return _Child(process, here)


def _serve(
    metric: Callable[..., Any], line: Connection[Any, Any], limit: float
) -> None:  # pragma: no cover - in the child
    """Give values until the line is closed, and leave without a trace."""
    try:
        printed = _isolate()
        while True:
            for labels, given in pickle.loads(line.recv_bytes()):  # noqa: S301 - our own arrays
                signal.setitimer(signal.ITIMER_REAL, 3 * limit + 5)  # should the parent be gone
                begun = time.process_time()
                result = call_once(metric, labels, given, printed, BaseException)
                spent = time.process_time() - begun
                line.send_bytes(json.dumps([*result, spent]).encode())
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        os._exit(0)


def _isolate() -> Callable[[], bool]:  # pragma: no cover - in the child
    """Cut the child off from the terminal and from standard input; tell when it prints."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    paper = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the child
    for descriptor in (1, 2):
        os.dup2(paper.fileno(), descriptor)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    seen = 0

    def printed() -> bool:
        nonlocal seen
        sys.stdout.flush()
        sys.stderr.flush()
        before, seen = seen, os.fstat(1).st_size
        return seen > before

    return printed
