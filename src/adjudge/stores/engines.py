"""Engines: who does the work. This process, or several on this machine; a cluster is a file beside.

An engine takes a function and items and gives back pairs of item and result, in any order, with
only a few items under way at a time. A worker that dies takes the items under way with it; they are
done again, and one that does so three times all alone is given up as `Lost`.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections import deque
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from adjudge._interrupts import Interrupts
from adjudge.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

AHEAD = 2
"""Items handed out per worker, so that none waits for the next."""
_TRIES = 3

T = TypeVar("T")
R = TypeVar("R")


class Lost(NamedTuple):
    """Stands for the result of an item that no worker survived."""

    tries: int

    def __str__(self) -> str:
        """Say so."""
        return f"the worker died {self.tries} times; it may need more memory"


class Engine(NamedTuple):
    """How to hand out items, and how many at a time."""

    submit: Callable[..., Any]
    """Takes a function and an item, gives a future; after workers have died, by new ones."""
    wait: Callable[[list[Any]], Iterable[Any]]
    """Takes futures, gives those that are done, as soon as there is one."""
    ahead: int
    died: tuple[type[BaseException], ...]
    """What a future raises whose worker has died."""


def packed(
    dumps: Callable[[Any], bytes | memoryview], function: Callable[..., Any], item: Any
) -> bytes:
    """Write a call down for another process.

    Raises
    ------
    InputError
        If that cannot be done, as with a metric that holds an open file.
    """
    try:
        return bytes(dumps((function, item)))
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise InputError(
            f"metrics must be such that they can be sent to other processes, got {said}; "
            "jobs=1 sends nothing"
        ) from error


def called(call: bytes) -> Any:
    """Do in a worker what was written down.

    Raises
    ------
    InputError
        If something is not there that a metric is made of.
    """
    try:
        function, item = pickle.loads(call)  # noqa: S301 - written by `packed`
    except Exception as error:  # noqa: BLE001 - whatever an import may raise
        said = f"{type(error).__name__}: {error}"
        raise InputError(
            f"workers must have every module that a metric is made of, got {said}; "
            "install it there, or use jobs=1"
        ) from None
    return function(item)


def serial(function: Callable[[T], R], items: Iterable[T]) -> Iterator[tuple[T, R]]:
    """Do the work in this process."""
    for item in items:
        yield item, function(item)


def run(
    engine: Engine, function: Callable[[T], R], items: Iterable[T]
) -> Generator[tuple[T, R | Lost]]:
    """Hand out items, a few at a time, and give them back as they are done."""
    waiting, suspects = iter(items), deque[T]()
    under_way: dict[Any, T] = {}
    while True:
        for item in islice(waiting, engine.ahead - len(under_way)):
            try:
                under_way[engine.submit(function, item)] = item
            except engine.died:
                suspects.append(item)
        if not under_way:
            if not suspects:
                return
            item = suspects.popleft()  # one at a time: now it is known which of them it is
            yield item, _alone(engine, function, item)
            continue
        for future in engine.wait(list(under_way)):
            item = under_way.pop(future)
            try:
                result = future.result()
            except engine.died:
                suspects.append(item)
            else:
                yield item, result


def _alone(engine: Engine, function: Callable[[T], R], item: T) -> R | Lost:
    for _ in range(_TRIES):
        try:
            return engine.submit(function, item).result()  # type: ignore[no-any-return]
        except engine.died:
            continue
    return Lost(_TRIES)


@contextmanager
def local(jobs: int) -> Iterator[Engine]:
    """Work in processes of this machine."""
    try:
        from joblib.externals import loky  # noqa: PLC0415 - only who wants it needs it
        from joblib.externals.loky.backend.reduction import dumps  # noqa: PLC0415 - the same
        from joblib.externals.loky.process_executor import (  # noqa: PLC0415 - the same
            BrokenProcessPool,
            TerminatedWorkerError,
        )
    except ImportError:
        raise MissingExtra("jobs above 1", "joblib", "rank") from None

    executor: Any = None
    handed_out: set[Any] = set()

    def submit(function: Callable[..., Any], item: Any) -> Any:
        nonlocal executor
        start = {"initializer": _begin, "initargs": (os.getpid(),)}
        with Interrupts(wait=True):
            executor = loky.get_reusable_executor(jobs, timeout=60, **start)  # anew, if it broke
            future = executor.submit(called, packed(dumps, function, item))
            handed_out.add(future)
            future.add_done_callback(handed_out.discard)
        return future

    def first(futures: list[Any]) -> Iterable[Any]:
        return loky.wait(futures, return_when="FIRST_COMPLETED").done  # type: ignore[no-any-return]

    died = (TerminatedWorkerError, BrokenProcessPool)
    try:
        yield Engine(submit, first, AHEAD * jobs, died)
    finally:
        if executor is not None:
            _wait_until_known(handed_out)
            executor.shutdown(wait=True, kill_workers=True)


def _wait_until_known(futures: set[Any]) -> None:
    """Wait until loky's thread has taken note of all work.

    To kill workers it forgets the work first, and then fails on what it finds in its queue.
    """
    while not all(future.running() or future.done() for future in tuple(futures)):
        time.sleep(0.001)


def _begin(parent: int) -> None:
    """Prepare a worker: it leaves Ctrl-C to the main process, and never outlives it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
