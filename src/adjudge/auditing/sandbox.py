"""Sandbox: a user's metric is called in a process of its own, so that no accident hurts the audit.

The process is a copy of this one, so the metric may be a lambda, a function of a notebook or of a
script without a main guard: nothing is pickled but arrays, and nothing is imported again. A metric
that hangs, even in compiled code, or ends its process is noted; the process and all that it started
are ended (`adjudge.auditing.guard`), and another one takes its place, a few times.

It guards against accidents, not against malice: the metric runs with the rights of the user. It
may use the network, and remove files; that it writes files, starts processes or sends signals is
noted where Python sees it, not prevented.
"""

from __future__ import annotations

import json
import math
import os
import pickle
import secrets
import select
import socket
import sys
import time
from contextlib import suppress
from multiprocessing import Pipe
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.auditing.guard import Guard, start_guard
from adjudge.auditing.one_call import call_once
from adjudge.auditing.subject import Problem
from adjudge.auditing.worker import isolate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection

    from adjudge._typing import Array
    from adjudge.auditing.subject import Kind, Pair

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
