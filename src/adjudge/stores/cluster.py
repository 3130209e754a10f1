"""Cluster: an engine whose workers are those of a Dask cluster."""

from __future__ import annotations

import logging
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError, MissingExtra, shown
from adjudge.stores.engines import AHEAD, Engine, called, packed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_PATIENCE = "10s"
"""For a scheduler that does not answer, or has no workers."""


@contextmanager
def dask(scheduler: str) -> Iterator[Engine]:
    """Work on a Dask cluster: that of an address, or one of local processes (``local:2``)."""
    try:
        import distributed  # noqa: PLC0415 - only who wants it needs it
        from distributed.protocol.pickle import dumps  # noqa: PLC0415 - the same
    except ImportError:
        raise MissingExtra("a scheduler", "dask[distributed]") from None
    with ExitStack() as stack:
        stack.enter_context(_quiet("distributed.client"))
        client = stack.enter_context(_client(scheduler, stack, distributed))
        workers = _workers(client, scheduler)

        def submit(function: Callable[..., Any], piece: Any) -> Any:
            return client.submit(called, packed(dumps, function, piece), pure=False)

        def first(futures: list[Any]) -> Iterable[Any]:
            done = distributed.wait(futures, return_when="FIRST_COMPLETED")  # type: ignore[no-untyped-call]
            return done.done  # type: ignore[no-any-return]

        gone = distributed.CancelledError
        killed = (distributed.scheduler.KilledWorker,)
        try:
            yield Engine(submit, first, AHEAD * workers, killed)
        except (OSError, TimeoutError, gone) as error:
            raise InputError(
                f"scheduler must stay there until the work is done, got {type(error).__name__} "
                f"from {scheduler!r}; what is done is kept, run it again"
            ) from error


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Keep a logger from telling what the caller is told in one line."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _workers(client: Any, scheduler: str) -> int:
    """Count what can work at the same time; wait a little for the first that can."""
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        raise InputError(
            f"scheduler must have workers, got none at {scheduler!r} within {_PATIENCE}; start "
            f"some: dask worker {scheduler}"
        ) from None
    return sum(client.nthreads().values())


def _client(scheduler: str, stack: ExitStack, distributed: Any) -> Any:
    """Connect to a scheduler, or start one here."""
    kind, _, number = scheduler.partition(":")
    address: Any = scheduler
    try:
        if kind == "local":
            if not number.isdecimal() or not int(number):
                raise InputError(f"scheduler must be an address or local:N, got {shown(scheduler)}")
            page = "127.0.0.1:0"  # any free port, for this machine alone
            options = {"dashboard_address": page, "silence_logs": logging.CRITICAL}
            cluster = distributed.LocalCluster(int(number), threads_per_worker=1, **options)
            address = stack.enter_context(cluster)
        return _connected(distributed.Client, address)
    except (OSError, RuntimeError, TimeoutError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"scheduler must be the address of a Dask scheduler, such as tcp://host:8786, or "
            f"local:N, got {shown(scheduler)}: {error}"
        ) from None


def _connected(kind: Any, address: Any) -> Any:
    """Connect to an address, and close the client if nobody answers.

    A client that failed to connect still has a thread, which Python would end together with the
    object, at any time: while another client begins that waits for ever, since both take one lock.
    """
    client = kind.__new__(kind)
    try:
        client.__init__(address, timeout=_PATIENCE)
    except BaseException:
        client.close()
        raise
    return client
