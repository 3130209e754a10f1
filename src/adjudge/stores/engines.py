"""Engines: who does the work. This process, or several on this machine; a cluster is a file beside.

An engine takes a function and pieces of work and gives back pairs of piece and result, in any
order, with only a few pieces under way at a time. A worker that dies takes the pieces under way
with it; they are done again, and one that does so three times all alone is given up as `Lost`.
The caller makes of it what it can: a row that failed, or an error.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections import deque
from concurrent.futures import BrokenExecutor, Future
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from adjudge._interrupts import Interrupts
from adjudge.errors import AdjudgeError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable, Iterator
    from multiprocessing.connection import Connection

AHEAD = 2
"""Pieces handed out per worker, so that none waits for the next."""
_TRIES = 3

T = TypeVar("T")
R = TypeVar("R")


class Lost(NamedTuple):
    """Stands for the result of a piece that no worker survived."""

    tries: int

    def __str__(self) -> str:
        """Say so."""
        return f"the worker died {self.tries} times; it may need more memory"


class Engine(NamedTuple):
    """How to hand out pieces of work, and how many at a time."""

    submit: Callable[..., Any]
    """Takes a function and a piece, gives a future; after workers have died, by new ones."""
    wait: Callable[[list[Any]], Iterable[Any]]
    """Takes futures, gives those that are done, as soon as there is one."""
    ahead: int
    died: tuple[type[BaseException], ...]
    """What a future raises whose worker has died."""

    def do(self, function: Callable[[T], R], pieces: Iterable[T]) -> Generator[tuple[T, R | Lost]]:
        """Hand out pieces, a few at a time, and give them back as they are done."""
        waiting, suspects = iter(pieces), deque[T]()
        under_way: dict[Any, T] = {}
        while True:
            for piece in islice(waiting, 0 if suspects else self.ahead - len(under_way)):
                try:
                    under_way[self.submit(function, piece)] = piece
                except self.died:
                    suspects.append(piece)
            if not under_way:
                if not suspects:
                    return
                piece = suspects.popleft()  # one at a time: now it is known which of them it is
                yield piece, self._alone(function, piece)
                continue
            for future in self.wait(list(under_way)):
                piece = under_way.pop(future)
                try:
                    result = future.result()
                except self.died:
                    suspects.append(piece)
                else:
                    yield piece, result

    def _alone(self, function: Callable[[T], R], piece: T) -> R | Lost:
        for _ in range(_TRIES):
            try:
                (done,) = self.wait([self.submit(function, piece)])
                return done.result()  # type: ignore[no-any-return]
            except self.died:
                continue
        return Lost(_TRIES)


def packed(
    dumps: Callable[[Any], bytes | memoryview], function: Callable[..., Any], piece: Any
) -> bytes:
    """Write a call down for another process.

    Raises
    ------
    InputError
        If that cannot be done, as with a metric that holds an open file.
    """
    try:
        return bytes(dumps((function, piece)))
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise InputError(
            f"metrics must be picklable, got {said}; jobs=1 needs no pickling"
        ) from error


def called(call: bytes) -> Any:
    """Do in a worker what was written down.

    Raises
    ------
    InputError
        If something is not there that a metric is made of.
    """
    try:
        function, piece = pickle.loads(call)  # noqa: S301 - written by `packed`
    except Exception as error:  # noqa: BLE001 - whatever an import may raise
        said = f"{type(error).__name__}: {error}"
        raise InputError(
            f"workers must have every module a metric needs, got {said}; install it there, or "
            "use jobs=1"
        ) from None
    return function(piece)


def _done(function: Callable[[T], R], piece: T) -> Future[R]:
    future: Future[R] = Future()
    future.set_result(function(piece))
    return future


HERE = Engine(_done, list, 1, ())
"""Work in this process, one piece after the other."""


@contextmanager
def local(jobs: int) -> Iterator[Engine]:
    """Work in processes of this machine; in this one, if one is enough.

    The processes are loky's, not those of Python's own pool: that of Python 3.11 has no lock
    between handing out a piece and noticing that a worker died, so that both at once can end in an
    error or never end.
    """
    if jobs == 1 or sys.platform == "emscripten":  # Python in a browser has no processes
        yield HERE
        return
    from joblib.externals import loky  # noqa: PLC0415 - only who wants processes waits for it
    from joblib.externals.loky.backend.reduction import dumps  # noqa: PLC0415 - the same

    executor: Any = None
    handed_out: set[Future[Any]] = set()
    done: SimpleQueue[Future[Any]] = SimpleQueue()

    def start() -> Any:
        return loky.ProcessPoolExecutor(jobs, initializer=_begin, initargs=(os.getpid(),))

    def submit(function: Callable[..., Any], piece: Any) -> Future[Any]:
        nonlocal executor
        call = packed(dumps, function, piece)
        with Interrupts(wait=True):
            try:
                executor = executor or start()
                future = executor.submit(called, call)
            except BrokenExecutor:  # a worker died, and all others with it
                executor.shutdown()
                executor = start()
                future = executor.submit(called, call)
            handed_out.add(future)
            future.add_done_callback(handed_out.discard)
            future.add_done_callback(done.put)
        return future  # type: ignore[no-any-return]

    def first(futures: list[Any]) -> Iterable[Any]:
        # Not `concurrent.futures.wait`: Ctrl-C within it leaves locks of futures held, and loky's
        # thread then waits for them for ever.
        while (future := done.get()) not in futures:
            pass  # of work that was given up
        return [future]

    try:
        yield Engine(submit, first, AHEAD * jobs, (BrokenExecutor,))
    finally:
        if executor is not None:
            _wait_until_known(handed_out)
            executor.shutdown(wait=True, kill_workers=True)


def done_by(
    jobs: int,
    function: Callable[[T], R],
    pieces: Collection[T],
    report: Callable[[int, int], object],
) -> dict[T, R]:
    """Do all pieces in processes of this machine; the result of each.

    Raises
    ------
    InputError
        If no worker survives a piece.
    """
    found: dict[T, R] = {}
    with local(jobs) as engine, closing(engine.do(function, pieces)) as results:
        for piece, result in results:
            if isinstance(result, Lost):
                raise InputError(f"workers must survive until the work is done, got: {result}")
            found[piece] = result
            report(len(found), len(pieces))
    return found


def _wait_until_known(futures: set[Future[Any]]) -> None:
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
    """End when the main process has ended."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(1)


class Forked(NamedTuple):
    """A process that is a copy of this one, and what it is talked to by."""

    process: int
    pipe: Connection[Any, Any]

    def end(self) -> None:
        """Kill it and its process group, in which are the processes that it started."""
        self.pipe.close()
        for kill in (os.killpg, os.kill):  # the group is there a moment after the process
            with suppress(OSError):
                kill(self.process, signal.SIGKILL)
        with suppress(ChildProcessError):  # a program may have its children reaped by the system
            os.waitpid(self.process, 0)


def can_fork() -> bool:
    """Whether this platform can make a copy of a process."""
    return hasattr(os, "fork")


def fork(serve: Callable[[Connection[Any, Any]], None], memory: int) -> Forked:
    """Begin a process that serves a pipe and may take so many bytes beyond what this one has.

    Not a `multiprocessing.Process`: a process of a pool may not start one, and could start none
    itself.
    """
    from multiprocessing import Pipe  # noqa: PLC0415 - only who forks waits for it

    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError, OSError):  # there may be none, or a closed one
            stream.flush()  # else the copy could write it once more
    ours, theirs = Pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside idle threads
        process = os.fork()
    if process == 0:  # pragma: no cover - its life is not seen from here
        try:
            ours.close()
            os.setsid()  # Ctrl-C is for who began it
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            _limit_memory(memory)
            serve(theirs)
        finally:
            os._exit(0)
    theirs.close()
    return Forked(process, ours)


def _limit_memory(more: int) -> None:  # pragma: no cover - in a forked process
    """Leave room for so much more memory, where it is known how much there is."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - not on every platform

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        most = pages * os.sysconf("SC_PAGE_SIZE") + more
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def alone(function: Callable[[T], R], piece: T, seconds: float, memory: int) -> R | str:
    """Do a piece in a process of its own with limits; what it gives, or why it gives nothing.

    Where a process cannot be copied it is done here, without limits.

    >>> alone(len, "abc", 60, 1 << 30), alone(len, 3, 60, 1 << 30)
    (3, "TypeError: object of type 'int' has no len()")
    """
    if not can_fork():
        return _given(function, piece)

    def serve(pipe: Connection[Any, Any]) -> None:  # pragma: no cover - in a forked process
        signal.setitimer(signal.ITIMER_REAL, seconds + 1)  # nobody may be left to end it
        pipe.send(_given(function, piece))

    forked = fork(serve, memory)
    try:
        if not forked.pipe.poll(seconds):
            return f"it took more than {seconds:g} s"
        return forked.pipe.recv()  # type: ignore[no-any-return]
    except (EOFError, OSError):
        return f"its process ended; it may need more than {memory / 1e9:.3g} GB"
    finally:
        forked.end()


def _given(function: Callable[[T], R], piece: T) -> R | str:
    """What a function gives, or what it raises, in words."""
    try:
        return function(piece)
    except Exception as error:  # noqa: BLE001 - whatever the piece makes of it
        return str(error) if isinstance(error, AdjudgeError) else f"{type(error).__name__}: {error}"
