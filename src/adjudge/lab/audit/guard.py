"""Guard: a process between the audit and a user's metric, which ends whatever the metric starts.

The guard forks the worker that calls the metric. On Linux it adopts every orphan below it (a child
subreaper), so that also a process that left its group, or whose parent has ended, is found among
its children and ended; elsewhere it ends the worker's process group. It says when the worker has
ended, and it ends everything and itself when the audit tells it to, or is gone.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_OFTEN = 0.05
_PATIENCE = 5.0
_SUBREAPER, _DEATH_SIGNAL = 36, 1  # prctl(2) of Linux


class Guard(NamedTuple):
    """A guard, as the audit sees it."""

    process: int
    control: int

    def is_alive(self) -> bool:
        """Whether it still watches; the metric may have killed it."""
        with suppress(ChildProcessError):
            return os.waitpid(self.process, os.WNOHANG) == (0, 0)
        return False

    def end(self) -> None:
        """End the worker and everything that it started."""
        with suppress(OSError):  # it may be gone
            os.write(self.control, b".")
        os.close(self.control)
        until = time.monotonic() + _PATIENCE
        while self.is_alive():
            if time.monotonic() > until:
                os.kill(self.process, signal.SIGKILL)
            time.sleep(0.001)


def start_guard(
    work: Callable[[], None], tell_death: Callable[[], None], close_in_guard: Callable[[], None]
) -> Guard:
    """Fork a guard, which forks the worker.

    Parameters
    ----------
    work : callable
        What the worker does, until it ends.
    tell_death : callable
        Called in the guard when the worker has ended, and all that it started.
    close_in_guard : callable
        Closes, in the guard, what belongs to the worker alone.
    """
    told, control = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside idle threads
        process = os.fork()
    if process == 0:  # pragma: no cover - the guard's life is not seen from here
        try:
            os.close(control)
            _watch(told, work, tell_death, close_in_guard)
        finally:
            os._exit(0)
    os.close(told)
    return Guard(process, control)


def _watch(
    told: int,
    work: Callable[[], None],
    tell_death: Callable[[], None],
    close_in_guard: Callable[[], None],
) -> None:  # pragma: no cover - in the guard
    os.setsid()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGUSR1):
        signal.signal(each, signal.SIG_IGN)
    _prctl(_SUBREAPER, 1)
    worker = os.fork()
    if worker == 0:
        try:
            _become_worker(told)
            work()
        finally:
            os._exit(0)
    close_in_guard()
    while not select.select([told], [], [], _OFTEN)[0]:
        if _has_ended(worker):
            _end_all(worker)
            tell_death()
            select.select([told], [], [])
            break
    _end_all(worker)


def _become_worker(told: int) -> None:  # pragma: no cover - in the worker
    os.close(told)
    os.setpgid(0, 0)  # so that killpg(0, ...) does not reach the guard
    _prctl(_DEATH_SIGNAL, signal.SIGKILL)
    for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGUSR1):
        signal.signal(each, signal.SIG_DFL)


def _has_ended(worker: int) -> bool:  # pragma: no cover - in the guard
    """Reap what has ended; whether the worker is among it."""
    with suppress(ChildProcessError):
        while (process := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            if process == worker:
                return True
        return False
    return True


def _end_all(worker: int) -> None:  # pragma: no cover - in the guard
    """Kill children, whose orphans become children, until there are none."""
    with suppress(ChildProcessError):
        while True:
            for process in _children():
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(worker, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children() -> list[int]:  # pragma: no cover - in the guard
    with suppress(OSError):
        return [int(one) for one in Path("/proc/thread-self/children").read_text("ascii").split()]
    return []


def _prctl(option: int, value: int) -> None:  # pragma: no cover - in the guard or the worker
    """Ask Linux for something; elsewhere there is no such thing."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - only here

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
