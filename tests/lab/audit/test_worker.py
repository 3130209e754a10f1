"""Accidents of a function in its worker: each is noted by name, and nothing of it is left."""

import multiprocessing
import os
import signal
import struct
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from adjudge.lab.audit.subject_calls import Pair, WorkerSubject

PAIR = Pair(np.array([False, True]), np.array([True, True]))
LENGTHS = [Pair(np.ones(n, bool), np.ones(n, bool)) for n in (1, 2, 3, 4)]
PROCESSES = Path("/proc")
on_linux = pytest.mark.skipif(not PROCESSES.exists(), reason="looks at processes as Linux does")


def leaves_a_sleeper(labels, flags):
    if os.fork() == 0:
        time.sleep(100)
    return 0.5


def leaves_a_sleeper_and_ends(labels, flags):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
    os._exit(0)


def takes_too_much_memory(labels, flags):
    return float(np.ones(2**28).sum())


def kills_its_group(labels, flags):
    os.killpg(0, signal.SIGKILL)


def stops_itself(labels, flags):
    os.kill(os.getpid(), signal.SIGSTOP)


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
    leaves_a_sleeper: (None, 0.5),
    leaves_a_sleeper_and_ends: ("ends the process", None),
    takes_too_much_memory: ("raises", None),
    kills_its_group: ("ends the process", None),
    stops_itself: ("hangs", None),
    hides_its_changes: ("changes its input", 0.5),
    returns_what_cannot_be_shown: ("returns no number", None),
}


@on_linux
@pytest.mark.parametrize("metric", ACCIDENTS, ids=lambda metric: metric.__name__)
def test_an_accident_is_noted_and_nothing_is_left(metric):
    name, value = ACCIDENTS[metric]
    before = processes()
    subject, answers = called(metric, 3, limit=0.3 if name == "hangs" else 20)
    assert [name] * (name is not None) == list(subject.problems)
    assert [value] * 3 == [None if np.isnan(answer) else answer for answer in answers]
    wait_until(lambda: not any(map(runs_python, processes() - before)))


def called(metric, times, limit=20.0):
    return called_on(metric, [PAIR] * times, limit)


def called_on(metric, pairs, limit=20.0):
    subject = WorkerSubject(metric, "flags", limit=limit)
    answers = subject.call(pairs)
    subject.close()
    return subject, answers


def processes():
    return {int(entry.name) for entry in PROCESSES.glob("[0-9]*")}


def runs_python(process):
    """Whether a process is a copy of this one, or a program that a metric started."""
    with suppress(OSError):
        mine = (PROCESSES / "self/cmdline").read_bytes()
        command = (PROCESSES / str(process) / "cmdline").read_bytes()
        return command == mine or b"time.sleep(100)" in command
    return False


def wait_until(state):
    """Wait for a state that comes by itself; the limit is for a test that fails.

    Signals take a moment, and tests beside this one have workers too.
    """
    until = time.monotonic() + 60
    while not state():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_the_memory_of_a_metric_is_limited_beyond_what_is_there():
    subject, _ = called(takes_too_much_memory, 1)
    assert "MemoryError" in subject.problems["raises"].sentence


def test_what_a_metric_does_outside_is_not_noticed(tmp_path):
    """As the documentation says."""

    def metric(labels, flags):
        (tmp_path / "mine").write_text("written")
        return subprocess.run([sys.executable, "-c", ""], check=True).returncode

    subject, answers = called(metric, 1)
    assert (tmp_path / "mine").read_text() == "written"
    assert (subject.problems, answers) == ({}, [0])


def test_a_metric_may_use_processes_of_its_own():
    def metric(labels, flags):
        with multiprocessing.get_context("fork").Pool(1) as pool:
            return pool.apply(float, [0.25])

    subject, answers = called(metric, 1)
    assert (subject.problems, answers) == ({}, [0.25])


def test_a_metric_that_forks_and_returns_twice_answers_once():
    def metric(labels, flags):
        os.fork()
        return len(labels)

    subject, answers = called_on(metric, LENGTHS)
    assert (subject.problems, answers) == ({}, [1, 2, 3, 4])


def test_a_process_of_a_pool_may_audit():
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(values_of_hides_its_changes) == (["changes its input"], [0.5])


def values_of_hides_its_changes():
    subject, answers = called(hides_its_changes, 1)
    return list(subject.problems), answers


@pytest.mark.parametrize("foreign", [b"[0.9, {}, 0]", struct.pack("!i", 5) + b"hello"])
@on_linux
def test_foreign_bytes_between_worker_and_audit_do_no_harm(foreign):
    opened = PROCESSES / "self/fd"
    known = set(opened.iterdir())

    def metric(labels, flags):
        for descriptor in set(opened.iterdir()) - known:
            with suppress(OSError):
                os.write(int(descriptor.name), foreign)
        return 0.5

    subject, answers = called(metric, 3)
    assert list(subject.problems) == ["ends the process"]
    assert np.isnan(answers).all()


def test_who_printed_is_known():
    def metric(labels, flags):
        if len(labels) == 3:
            sys.stderr.write("no line end")
        return 0.5

    subject, _ = called_on(metric, LENGTHS)
    assert list(subject.problems) == ["prints"]
    assert subject.problems["prints"].pair is LENGTHS[2]


def test_a_metric_may_put_its_output_elsewhere():
    def metric(labels, flags):
        sys.stdout = sys.stderr = None
        print("nowhere")  # noqa: T201
        return 0.5

    subject, answers = called(metric, 2)
    assert (subject.problems, answers) == ({}, [0.5, 0.5])


ORPHAN = textwrap.dedent(
    """
    import os, signal, sys, time
    import numpy as np
    from adjudge.lab.audit import subject_calls
    from adjudge.lab.audit.subject_calls import Pair

    subject_calls.GRACE = 0.0

    def metric(labels, flags):
        os.write(told, str(os.getpid()).encode())
        os.kill(os.getppid(), signal.SIGKILL)
        while True:
            pass

    told = int(sys.argv[1])
    subject = subject_calls.WorkerSubject(metric, "flags", limit=0.5)
    subject.call([Pair(np.ones(2, bool), np.ones(2, bool))])
    """
)


@on_linux
def test_a_worker_that_hangs_ends_also_when_the_audit_was_killed():
    read, told = os.pipe()
    command = [sys.executable, "-c", ORPHAN, str(told)]
    assert subprocess.run(command, check=False, pass_fds=[told]).returncode == -signal.SIGKILL
    worker = int(os.read(read, 20))
    os.close(told)
    os.close(read)
    wait_until(lambda: not runs(worker))


def runs(process):
    """Whether a process is there, and not only its exit code."""
    with suppress(OSError):
        return (PROCESSES / str(process) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
