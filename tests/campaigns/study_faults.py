"""Break a study's folder in hundreds of ways: what comes out is byte-identical or refused.

    python tests/campaigns/study_faults.py --seed 0 --count 400

Each fault begins with the folder of a study that is finished or was stopped half-way, does one
thing to it (or to the process that works on it), and runs the study again. The tables must then be
those of an undisturbed run, byte for byte, or the run must have been refused in one line; and
whatever lies outside the folder, or is not the study's, must be as it was.
"""

import argparse
import json
import os
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from contextlib import suppress
from errno import EIO, ENOSPC
from pathlib import Path
from unittest.mock import patch

from adjudge.errors import InputError
from adjudge.lab.study import runner
from adjudge.lab.study.runner import study
from adjudge.stores.folder import write_manifest

EXPERIMENTS = 12
CHUNK = 3
TABLES = "experiments.csv", "experiments.parquet"


class Stopped(Exception):  # noqa: N818 - a signal of this program to itself
    """The study is to stop here."""


def run(out, seed=1, stop_at=None):
    def told(done, total):
        if stop_at is not None and done >= stop_at:
            raise Stopped

    with patch.object(runner, "CHUNK", CHUNK), suppress(Stopped):
        study(EXPERIMENTS, seed=seed, out=out, progress=told)


def tables(out):
    return {name: (out / name).read_bytes() for name in TABLES if (out / name).is_file()}


def files(out):
    return sorted(path for path in out.rglob("*") if path.is_file())


# --- faults: each takes (random numbers, folder, folder of another study, place outside) --------


def flip(rng, out, other, outside):
    path = rng.choice(files(out))
    data = bytearray(path.read_bytes())
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)


def truncate(rng, out, other, outside):
    path = rng.choice(files(out))
    data = path.read_bytes()
    path.write_bytes(data[: rng.randrange(len(data) + 1)])


def zero(rng, out, other, outside):
    path = rng.choice(files(out))
    data = bytearray(path.read_bytes())
    start = rng.randrange(len(data) + 1)
    stop = rng.randrange(start, len(data) + 1)
    data[start:stop] = bytes(stop - start)
    path.write_bytes(data)


def delete(rng, out, other, outside):
    rng.choice(files(out)).unlink()


def append(rng, out, other, outside):
    path = rng.choice(files(out))
    data = path.read_bytes()
    path.write_bytes(data + rng.choice([b"\n", b"0,", rng.randbytes(9), data[-40:]]))


def shuffle_lines(rng, out, other, outside):
    path = rng.choice(files(out))
    lines = path.read_bytes().splitlines(keepends=True)
    rng.shuffle(lines)
    path.write_bytes(b"".join(lines))


def swap(rng, out, other, outside):
    path = rng.choice(files(out))
    foreign = other / path.relative_to(out)
    if foreign.exists():
        shutil.copy(foreign, path)


def link(rng, out, other, outside):
    path = rng.choice([*files(out), out / "parts", *(out / name for name in TABLES)])
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(outside / "precious")


def plant(rng, out, other, outside):
    if rng.random() < 0.5:
        shutil.rmtree(out)  # and so without a marker of ours
        out.mkdir()
    name = rng.choice(
        ["parts/precious", "experiments.csv", "experiments.parquet", "study.json.tmp"]
    )
    (out / name).parent.mkdir(exist_ok=True)
    (out / name).write_text("mine")


def change_versions(rng, out, other, outside):
    note = json.loads((out / "study.json").read_text())
    note["versions"][rng.choice(sorted(note["versions"]))] = "0.0.1"
    del note["adjudge"], note["sha256"]
    write_manifest(out / "study.json", "study", note)


def fail_a_call(rng, out, other, outside):
    """Let the k-th of the calls that reach the disk fail, once."""
    name = rng.choice(["fsync", "replace", "open", "unlink", "mkdir"])
    target, true = (os, os.fsync) if name == "fsync" else (Path, getattr(Path, name))
    left = rng.randrange(1, 12)

    def failing(*given, **options):
        nonlocal left
        left -= 1
        if left == 0:
            raise OSError(rng.choice([ENOSPC, EIO]), "injected")
        return true(*given, **options)

    with patch.object(target, name, failing), suppress(InputError):
        run(out)


def kill(rng, out, other, outside):
    """Kill a process without warning while it works, perhaps twice."""
    for _ in range(rng.choice([1, 2])):
        process = _forked(out)
        time.sleep(rng.random() * 0.25)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def start_twice(rng, out, other, outside):
    """Let two processes work in the folder at once."""
    processes = [_forked(out) for _ in range(2)]
    for process in processes:
        os.waitpid(process, 0)


def _forked(out):
    process = os.fork()
    if process == 0:
        with suppress(BaseException):
            run(out)
        os._exit(0)
    return process


FAULTS = (
    flip, flip, flip, truncate, truncate, zero, delete, append, shuffle_lines, swap, link, plant,
    change_versions, fail_a_call, fail_a_call, kill, kill, start_twice,
)  # fmt: skip


# --- the campaign ------------------------------------------------------------------------------


def campaign(seed, count, place):
    """Give the outcomes of so many faults by kind; raise at the first wrong one."""
    whole, other = place / "whole", place / "other"
    run(whole)
    expected = tables(whole)
    run(other, seed=2)
    run(place / "half", stop_at=6)
    run(place / "empty", stop_at=0)
    outcomes = Counter()
    for number in range(count):
        rng = random.Random(f"{seed} {number}")  # noqa: S311
        fault, begun = rng.choice(FAULTS), rng.choice(["whole", "half", "half", "empty"])
        found = one_fault(rng, fault, place / begun, other, expected, place)
        assert found in {"identical", "refused"}, (seed, number, fault.__name__, begun, found)
        outcomes[fault.__name__, found] += 1
    return outcomes


def one_fault(rng, fault, begun, other, expected, place):
    """Do one thing to a copy of a folder, run the study again, and say what came out."""
    out, outside = place / "out", place / "outside"
    for path in (out, outside):
        shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(begun, out)
    outside.mkdir()
    (outside / "precious").write_text("mine")
    fault(rng, out, other, outside)
    mine = {path for path in out.rglob("*precious*") if path.is_file() and not path.is_symlink()}
    try:
        run(out)
        found = "identical" if tables(out) == expected else "altered"
    except InputError as error:
        found = "refused" if "\n" not in str(error) else "refused in several lines"
    if (outside / "precious").read_text() != "mine" or any(p.read_text() != "mine" for p in mine):
        found = "touched what is not ours"
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=400)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        outcomes = campaign(given.seed, given.count, Path(place))
    for (fault, found), times in sorted(outcomes.items()):
        print(f"{fault:<16} {found:<10} {times:>4}")
    sums = Counter()
    for (_, found), times in outcomes.items():
        sums[found] += times
    print(f"{given.count} faults, seed {given.seed}: {dict(sums)}")


if __name__ == "__main__":
    main()
