"""Cluster: an engine whose workers are those of a Dask cluster."""

from __future__ import annotations

import asyncio
import logging
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError, MissingExtra, shown
from adjudge.stores.engines import AHEAD, Engine, called, packed
from adjudge.stores.folder import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_PATIENCE = 10.0
"""Seconds for a scheduler that does not answer or has no workers, and for a worker that is asked
for its versions."""


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
        workers = _checked_workers(client, scheduler, {})

        def submit(function: Callable[..., Any], piece: Any) -> Any:
            return client.submit(called, packed(dumps, function, piece), pure=False)

        def first(futures: list[Any]) -> Iterable[Any]:
            while True:
                try:
                    found = distributed.wait(futures, _PATIENCE, "FIRST_COMPLETED")  # type: ignore[no-untyped-call]
                except TimeoutError:  # a worker that came meanwhile may be unable to do the work
                    workers.update(_checked_workers(client, scheduler, workers))
                else:
                    return found.done  # type: ignore[no-any-return]

        gone = distributed.CancelledError
        killed = (distributed.scheduler.KilledWorker,)
        try:
            yield Engine(submit, first, AHEAD * sum(workers.values()), killed)
        except (OSError, TimeoutError, gone) as error:
            raise InputError(
                f"scheduler must stay up until the work is done, got {type(error).__name__} "
                f"from {scheduler!r}; finished work is kept, run it again"
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


def _checked_workers(client: Any, scheduler: str, known: dict[str, int]) -> dict[str, int]:
    """The workers by address, each with what it does at a time, once all new ones have answered.

    A worker that cannot read what it is sent loses its connection, and the work waits for ever.
    So each is asked for its versions, in a message that any Dask reads, before it is sent any.
    """
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        raise InputError(
            f"scheduler must have workers, got none at {scheduler!r} within {_PATIENCE:g} s; start "
            f"some: dask worker {scheduler}"
        ) from None
    found: dict[str, int] = client.nthreads()
    mine = {**versions(), **{name: version(name) for name in ("dask", "distributed")}}

    async def asked(worker: str) -> Any:
        ask = {"op": "versions", "packages": list(mine)}
        answer = client.scheduler.broadcast(msg=ask, workers=[worker], on_error="ignore")
        return await asyncio.wait_for(answer, _PATIENCE)

    async def all_asked() -> list[Any]:
        return await asyncio.gather(*map(asked, new), return_exceptions=True)

    new = sorted(found.keys() - known.keys())
    for worker, answer in zip(new, client.sync(all_asked), strict=True):
        if isinstance(answer, BaseException) or worker not in answer:
            raise InputError(
                f"workers must report their versions within {_PATIENCE:g} s, got no answer "
                f"from {worker}; stop or restart that worker"
            )
        theirs = answer[worker]["packages"]
        other = [
            f"{name} {theirs.get(name) or 'not there'} instead of {wanted}"
            for name, wanted in mine.items() if theirs.get(name) != wanted
        ]  # fmt: skip
        if other:
            raise InputError(
                f"workers must have the versions of this process, got {', '.join(other)} at "
                f"{worker}; install these there"
            )
    return found


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
    except (OSError, RuntimeError, TimeoutError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        tls = "; Dask's configuration, distributed.comm.tls, names the certificates"
        raise InputError(
            f"scheduler must be the address of a Dask scheduler, such as tcp://host:8786, or "
            f"local:N, got {shown(scheduler)}: {error}{tls if kind == 'tls' else ''}"
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
