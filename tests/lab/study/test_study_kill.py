"""A study that is killed at any moment, run again, gives the same table to the last byte."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from processes import children, wait_until

PROGRAM = """
import sys
from adjudge.cli.group import Group
from adjudge.lab.study import runner
from adjudge.lab.verbs.studying import study

if __name__ == "__main__":
    runner.CHUNK = {chunk}
    program = Group(name="adjudge")
    program.add_command(study)
    program.main(["study", *sys.argv[1:]])
"""


def command(tmp_path, out, experiments, jobs, chunk=10):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(chunk=chunk))
    options = ["--experiments", experiments, "--jobs", jobs, "--seed", 4, "--out", out]
    return [sys.executable, str(program), *map(str, options)]


def started(arguments):
    return subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def finished(arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True)


def parts(out):
    """The chunks that are kept, a line each."""
    return sum(path.read_bytes().count(b"\n") for path in (out / "parts").glob("*.jsonl"))


def alive(session):
    """The processes of a session that are still there (zombies are not)."""
    found = []
    for entry in os.listdir("/proc") if os.path.isdir("/proc") else []:  # noqa: PTH112, PTH208
        try:
            with open(f"/proc/{entry}/stat") as stream:  # noqa: PTH123
                _, _, rest = stream.read().rpartition(")")
        except OSError:
            continue
        state, _, _, its_session = rest.split()[:4]
        if int(its_session) == session and state != "Z":
            found.append(int(entry))
    return found


def left_of(session, patience=60):
    """The processes of a session that do not end when they are given some time to notice."""
    deadline = time.monotonic() + patience
    while alive(session) and time.monotonic() < deadline:
        time.sleep(0.02)
    return alive(session)


def killed(arguments, out, after):
    """Start a study and kill it, without warning, once it has so many parts."""
    process = started(arguments)
    wait_until(lambda: parts(out) >= after, process)
    process.kill()
    process.communicate()
    return process


def held(tmp_path, experiments, jobs, moments):
    """Kill a study again and again, then let it finish, and hold it against an undisturbed one."""
    finished(command(tmp_path, tmp_path / "whole", experiments, 1, chunk=100))
    out = tmp_path / "killed"
    arguments = command(tmp_path, out, experiments, jobs)
    left = [killed(arguments, out, moment).returncode for moment in moments]
    finished(arguments)
    assert (tmp_path / "whole" / "experiments.csv").read_bytes() == (
        out / "experiments.csv"
    ).read_bytes()
    assert ["experiments.csv"] == [path.name for path in out.glob("*.csv*")]
    assert not (out / "parts").exists()
    return left


@pytest.mark.long
def test_a_killed_study_goes_on_and_ends_the_same(tmp_path):
    left = held(tmp_path, experiments=120, jobs=1, moments=[1, 5])
    assert [-signal.SIGKILL, -signal.SIGKILL] == left


@pytest.mark.on_demand
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_study_killed_at_many_moments_ends_the_same(tmp_path, jobs):
    moments = sorted(random.Random(5).sample(range(60), 8))  # noqa: S311
    held(tmp_path, experiments=600, jobs=jobs, moments=moments)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")  # noqa: PTH112
def test_workers_do_not_outlive_a_killed_study(tmp_path):
    out = tmp_path / "study"
    process = started(command(tmp_path, out, 5000, jobs=2))
    wait_until(lambda: parts(out) >= 2, process)
    assert len(alive(process.pid)) >= 3
    process.kill()
    process.communicate()
    assert [] == left_of(process.pid)


def test_an_interrupted_study_keeps_its_parts_and_says_so(tmp_path):
    out = tmp_path / "study"
    process = started(command(tmp_path, out, 5000, jobs=2))
    wait_until(lambda: parts(out) >= 3, process)
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does: to workers too
    _, said = process.communicate()
    assert 130 == process.returncode
    assert "the same command" in said
    assert "Traceback" not in said
    assert parts(out) >= 3
    assert [] == left_of(process.pid)
    assert "files" not in json.loads((out / "study.json").read_text())


@pytest.mark.long
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")  # noqa: PTH112
@pytest.mark.parametrize("whom", ["worker", "everybody"])
def test_a_study_whose_processes_are_ended_goes_on(tmp_path, whom):
    out, experiments = tmp_path / "study", 400 if whom == "worker" else 5000
    arguments = command(tmp_path, out, experiments, jobs=2)
    process = started(arguments)
    wait_until(lambda: parts(out) >= 2, process)
    if whom == "worker":
        os.kill(children(process.pid, b"LokyProcess")[0], signal.SIGTERM)
    else:
        os.killpg(process.pid, signal.SIGTERM)
    lines = process.communicate()[1].splitlines()
    assert [] == left_of(process.pid)
    if whom == "everybody":
        assert (130, "adjudge: interrupted") == (process.returncode, lines[-1])
        assert "are kept in" in lines[0]
        experiments = 10 * parts(out)
        assert experiments >= 20
        finished(command(tmp_path, out, experiments, jobs=1))
    else:
        assert (0, []) == (process.returncode, lines)
    finished(command(tmp_path, tmp_path / "whole", experiments, jobs=1))
    tables = [(place / "experiments.csv").read_bytes() for place in (out, tmp_path / "whole")]
    assert tables[0] == tables[1]
