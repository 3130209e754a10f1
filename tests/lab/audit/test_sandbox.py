"""Accidents of a metric: each is noted by name, the values of others stand, and nothing is left."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from adjudge.lab.audit import guard
from adjudge.lab.audit.subject import Pair
from adjudge.lab.audit.subject_calls import Sandbox

PAIR = Pair(np.array([False, True]), np.array([True, True]))
PROCESSES = Path("/proc")


def forks_and_returns_twice(labels, flags):
    os.fork()
    return 0.5


def leaves_a_daemon(labels, flags):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1000)
        os._exit(0)
    return 0.5


def writes_to_every_descriptor(labels, flags):
    for descriptor in range(3, 64):
        with suppress(OSError):
            os.write(descriptor, b"[0.9, [], 0]" * 3)
    return 0.5


def takes_too_much_memory(labels, flags):
    return float(np.ones(2**28).sum())


def writes_a_file(labels, flags):
    with open("/dev/null", "a") as file:  # noqa: PTH123 - as people do
        file.write("mine")
    return 0.5


def kills_what_is_above_it(labels, flags):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(1000)


def kills_its_group(labels, flags):
    os.killpg(0, signal.SIGKILL)


def hides_its_changes(labels, flags):
    np.array_equal = lambda *_: True
    labels[:] = 7
    return 0.5


class Shy(float):
    """A number that cannot be shown."""

    def __float__(self):
        raise RuntimeError("no")

    __repr__ = __float__


def returns_what_cannot_be_shown(labels, flags):
    return Shy(0.5)


ACCIDENTS = {
    forks_and_returns_twice: ("starts processes", 0.5),
    leaves_a_daemon: ("starts processes", 0.5),
    writes_to_every_descriptor: ("writes elsewhere", 0.5),
    takes_too_much_memory: ("raises", None),
    writes_a_file: ("writes files", 0.5),
    kills_what_is_above_it: ("ends the process", None),
    kills_its_group: ("ends the process", None),
    hides_its_changes: ("changes its input", 0.5),
    returns_what_cannot_be_shown: ("returns no number", None),
}


@pytest.mark.skipif(not PROCESSES.exists(), reason="looks for processes as Linux shows them")
@pytest.mark.parametrize("metric", ACCIDENTS, ids=lambda metric: metric.__name__)
def test_an_accident_is_noted_and_nothing_is_left(metric):
    name, value = ACCIDENTS[metric]
    before = processes()
    sandbox = Sandbox(metric, "flags", 5)
    answers = sandbox.call([PAIR] * 3)
    sandbox.close()
    assert name in sandbox.problems
    assert [value] * 3 == [None if np.isnan(answer) else answer for answer in answers]
    assert not {one for one in processes() - before if ours(one)}


def processes():
    return {int(entry.name) for entry in PROCESSES.glob("[0-9]*")}


def ours(process):
    """Whether a process is a copy of this one: it has the same command, and the same stack.

    Other workers of the tests have the same command too, and copies of their own.
    """
    with suppress(OSError):
        return _known_by(process) == _known_by("self")
    return False


def _known_by(process):
    fields = (PROCESSES / str(process) / "stat").read_text().rpartition(")")[2].split()
    return (PROCESSES / str(process) / "cmdline").read_bytes(), fields[25]  # where its stack begins


@pytest.mark.skipif(not PROCESSES.exists(), reason="looks for processes as Linux shows them")
@pytest.mark.filterwarnings("ignore:.*multi-threaded")
def test_a_copy_of_this_process_is_known_and_another_process_is_not():
    copy = os.fork()
    if copy == 0:
        time.sleep(1000)
    try:
        assert ours(copy)
        assert not ours(1)
    finally:
        os.kill(copy, signal.SIGKILL)
        os.waitpid(copy, 0)


def test_the_memory_of_a_metric_is_limited_beyond_what_is_there():
    sandbox = Sandbox(takes_too_much_memory, "flags", 20)
    sandbox.call([PAIR])
    sandbox.close()
    assert "MemoryError" in sandbox.problems["raises"].sentence


def test_a_guard_that_does_not_answer_is_killed(monkeypatch):
    monkeypatch.setattr(guard, "_PATIENCE", 0)
    told, control = os.pipe()
    asleep = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    guard.Guard(asleep.pid, control).end()
    os.close(told)
    asleep.poll()  # it is gone: the guard waited for it
    assert not Path(f"/proc/{asleep.pid}").exists()
