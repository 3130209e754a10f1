"""Audit forty bad metrics: each is noted by name, and no process of their group is left.

python tests/campaigns/bad_metrics.py
"""
# ruff: noqa: ARG005, S605, S607, PTH123, SIM115 - bad on purpose

import ctypes
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from adjudge.lab.audit.subject_calls import Pair, WorkerSubject

PAIR = Pair(np.array([False, True, True, False]), np.array([True, True, False, False]))


class Odd:
    """An answer that raises whatever is done with it."""

    def __float__(self):
        raise ZeroDivisionError

    __repr__ = __str__ = shape = property(__float__)


def raising(error):
    def metric(labels, flags):
        raise error

    return metric


def _twice(labels, flags):
    os.fork()
    return 0.5


def _many(labels, flags):
    for _ in range(6):
        if os.fork() == 0:
            time.sleep(1000)
    return 0.5


def _patched(labels, flags):
    np.array_equal = lambda *_: True
    labels += 5
    return 0.5


def _sleeps_in_a_thread(labels, flags):
    threading.Thread(target=time.sleep, args=(1000,)).start()
    return 0.5


def _ignores_alarms(labels, flags):
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(1000)


def _closes_all(labels, flags):
    os.closerange(0, 4096)
    return 0.5


def _prints_much(labels, flags):
    print("x" * 10**6)
    return 0.5


def _no_stdout(labels, flags):
    sys.stdout = sys.stderr = None
    return 0.5


def _recursive(labels, flags):
    return _recursive(labels, flags)


BAD = {
    "nan": (lambda a, b: float("nan"), None),
    "text": (lambda a, b: "0.5", "returns no number"),
    "none": (lambda a, b: None, "returns no number"),
    "complex": (lambda a, b: 1j, "returns no number"),
    "array": (lambda a, b: np.array([0.5, 0.5]), "returns no number"),
    "odd": (lambda a, b: Odd(), "returns no number"),
    "huge": (lambda a, b: 10**400, "returns no number"),
    "generator": (lambda a, b: (x for x in a), "returns no number"),
    "itself": (lambda a, b: BAD, "returns no number"),
    "raises": (raising(ValueError("bad\nvery")), "raises"),
    "raises odd": (raising(type("Shy", (Exception,), {"__str__": Odd.__float__})()), "raises"),
    "exits": (lambda a, b: sys.exit(3), "ends the process"),
    "interrupts": (raising(KeyboardInterrupt()), "ends the process"),
    "stops": (raising(StopIteration()), "raises"),
    "memory": (lambda a, b: float(np.ones(2**28).sum()), "raises"),
    "list memory": (lambda a, b: float(len([None] * 2**30)), "raises"),
    "recursion": (_recursive, "raises"),
    "prints": (lambda a, b: print("x"), "prints"),
    "prints much": (_prints_much, "prints"),
    "complains": (lambda a, b: os.write(2, b"x"), "prints"),
    "no stdout": (_no_stdout, None),
    "changes labels": (lambda a, b: a.fill(7), "changes its input"),
    "changes flags": (lambda a, b: b.sort(), "changes its input"),
    "changes the shape": (lambda a, b: setattr(a, "shape", (2, 2)), "changes its input"),
    "patched": (_patched, "changes its input"),
    "hangs": (lambda a, b: time.sleep(1000), "hangs"),
    "hangs in C": (lambda a, b: ctypes.CDLL(None).sleep(1000), "hangs"),
    "loops": (lambda a, b: [None for _ in iter(int, 1)], None),
    "ignores alarms": (_ignores_alarms, "hangs"),
    "leaves": (lambda a, b: os._exit(3), "ends the process"),
    "aborts": (lambda a, b: os.abort(), "ends the process"),
    "crashes": (lambda a, b: ctypes.string_at(0), "ends the process"),
    "kills itself": (lambda a, b: os.kill(os.getpid(), 9), "ends the process"),
    "kills its group": (lambda a, b: os.killpg(0, 9), "ends the process"),
    "stops itself": (lambda a, b: os.kill(os.getpid(), signal.SIGSTOP), "hangs"),
    "forks and returns twice": (_twice, None),
    "forks many": (_many, None),
    "calls a shell": (lambda a, b: os.system("sleep 1000 &"), None),
    "starts a program": (lambda a, b: subprocess.Popen(["sleep", "1000"]).pid, None),
    "writes a file": (lambda a, b: open("/dev/null", "w").write("x"), None),
    "closes all": (_closes_all, "ends the process"),
    "leaves a thread": (_sleeps_in_a_thread, None),
    "collects": (lambda a, b: gc.disable(), "returns no number"),
    "warns": (lambda a, b: warnings.warn("x", stacklevel=1), "returns no number"),
}


def below(process):
    """The processes that this one has started, and theirs."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            parents[int(entry.name)] = int(fields[1])
    found = {process}
    for _ in range(8):
        found |= {one for one, its in parents.items() if its in found}
    return found - {process}


def campaign(names=tuple(BAD)):
    """Call each bad metric; name those that were not noted, or left something behind."""
    outcomes, wrong = Counter(), []
    for name in names:
        metric, expected = BAD[name]
        before = below(os.getpid())
        subject = WorkerSubject(metric, "flags", limit=1.5)
        values = subject.call([PAIR] * 3)
        subject.close()
        left, found = _left(before), set(subject.problems)
        if len(values) != 3 or (expected and expected not in found) or left:
            wrong.append(f"{name}: {sorted(found)}, {len(left)} processes left")
        outcomes[expected or "no problem"] += 1
    return outcomes, wrong


def _left(before):
    """Processes that are still there after a while: a signal takes a moment."""
    until = time.monotonic() + 10
    while True:
        left = {one for one in below(os.getpid()) - before if _sleeps(one)} | _strays()
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.01)


def _sleeps(process):
    with suppress(OSError):
        return bool((Path("/proc") / str(process) / "cmdline").read_bytes())
    return False


def _strays():
    """Sleeping programs of ours that nobody owns any more."""
    return {
        int(entry.name)
        for entry in Path("/proc").glob("[0-9]*")
        if _command(entry) == b"sleep\x001000\x00"
    }


def _command(entry):
    with suppress(OSError):
        return (entry / "cmdline").read_bytes()
    return b""


def main():
    outcomes, wrong = campaign()
    print(*wrong, sep="\n")
    print(f"{len(BAD)} bad metrics: {dict(outcomes)}; {len(wrong)} not noted or not ended")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
