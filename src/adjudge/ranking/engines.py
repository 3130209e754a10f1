"""Engines: who does the work. This process, several on this machine, or a Dask cluster.

An engine takes a function and items and gives back pairs of item and result, in any order, with
only a few items under way at a time. A worker that dies takes the items under way with it; they are
done again, and one that does so three times all alone is given up as `Lost`.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections import deque
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from adjudge._text import shown
from adjudge.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

_AHEAD = 2
"""Items handed out per worker, so that none waits for the next."""
_TRIES = 3
_PATIENCE = "20s"
"""For a scheduler that does not answer."""

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
        from joblib.externals.loky.process_executor import (  # noqa: PLC0415 - the same
            BrokenProcessPool,
            TerminatedWorkerError,
        )
    except ImportError:
        raise MissingExtra("jobs above 1", "joblib", "rank") from None

    def submit(function: Callable[..., Any], item: Any) -> Any:
        start = {"initializer": _begin, "initargs": (os.getpid(),)}
        executor = loky.get_reusable_executor(jobs, timeout=60, **start)  # a new one, if it broke
        return executor.submit(function, item)

    def first(futures: list[Any]) -> Iterable[Any]:
        return loky.wait(futures, return_when="FIRST_COMPLETED").done  # type: ignore[no-any-return]

    died = (TerminatedWorkerError, BrokenProcessPool)
    try:
        yield Engine(submit, first, _AHEAD * jobs, died)
    finally:
        loky.get_reusable_executor(jobs).shutdown(wait=True, kill_workers=True)


@contextmanager
def dask(scheduler: str) -> Iterator[Engine]:
    """Work on a Dask cluster: that of an address, or one of local processes (``local:2``)."""
    try:
        import distributed  # noqa: PLC0415 - only who wants it needs it
    except ImportError:
        raise MissingExtra("a scheduler", "dask[distributed]", "dask") from None
    with ExitStack() as stack:
        client = stack.enter_context(_client(scheduler, stack, distributed))
        workers = max(1, sum(client.nthreads().values()))

        def submit(function: Callable[..., Any], item: Any) -> Any:
            return client.submit(function, item, pure=False)

        def first(futures: list[Any]) -> Iterable[Any]:
            done = distributed.wait(futures, return_when="FIRST_COMPLETED")  # type: ignore[no-untyped-call]
            return done.done  # type: ignore[no-any-return]

        gone = distributed.client.FutureCancelledError
        killed = (distributed.scheduler.KilledWorker,)
        try:
            yield Engine(submit, first, _AHEAD * workers, killed)
        except (OSError, TimeoutError, gone) as error:
            raise InputError(
                f"scheduler must stay there until the work is done, got {type(error).__name__} "
                f"from {scheduler!r}; what is done is kept, run it again"
            ) from error


def _client(scheduler: str, stack: ExitStack, distributed: Any) -> Any:
    """Connect to a scheduler, or start one here."""
    kind, _, number = scheduler.partition(":")
    address: Any = scheduler
    try:
        if kind == "local":
            if not number.isdecimal() or not int(number):
                raise InputError(f"scheduler must be an address or local:N, got {shown(scheduler)}")
            options = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
            cluster = distributed.LocalCluster(int(number), threads_per_worker=1, **options)
            address = stack.enter_context(cluster)
        return distributed.Client(address, timeout=_PATIENCE)
    except (OSError, RuntimeError, TimeoutError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"scheduler must be the address of a Dask scheduler, such as tcp://host:8786, or "
            f"local:N, got {shown(scheduler)}: {error}"
        ) from None


def _begin(parent: int) -> None:
    """Prepare a worker: it leaves Ctrl-C to the main process, and never outlives it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
