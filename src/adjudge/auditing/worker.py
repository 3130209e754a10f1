"""Worker: the process that calls a user's metric, cut off from the terminal and with less memory.

What the metric does beside giving a value is noted: what it prints, and, as far as Python itself
is told (audit hooks), that it writes files, starts processes or signals them.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import warnings
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge.auditing.one_call import Named

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
