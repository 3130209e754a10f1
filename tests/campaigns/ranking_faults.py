"""Break rankings in hundreds of ways: the tables come out byte-identical, or the run is refused.

    python tests/campaigns/ranking_faults.py --seed 0 --count 300

A fault does one thing to the folder of a ranking, or to the processes that work on it: kill -9 of
the client (in this process, over local processes, over a Dask cluster), kill -9 of workers, torn
and damaged files, calls to the disk that fail, two runs at once. Then the ranking is run again, and
its tables must be those of an undisturbed run, byte for byte, or the run must have been refused in
one line. Nothing outside the folder may change.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from errno import EIO, ENOSPC
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))

from adjudge.errors import InputError
from adjudge.ranking.run import rank
from ranking.benchmark import benchmark, write

SERIES = 8
TABLES = "results.csv", "results.parquet", "ranking.csv", "ranking.json", "manifest.json"
METRICS = ("best(f1)", "best(f1_ba)", "auc_roc")
ENGINES = {"local": {"jobs": 2}, "dask": {"scheduler": "local:2"}}
PROGRAM = """
import json, sys
from adjudge import rank
if __name__ == "__main__":
    data, out, metrics, options = json.loads(sys.argv[1])
    print("begun", flush=True)
    rank(data, metrics, out=out, **options)
"""
HEAVY_SERIES = 16
OPTIONS = {"quick": {"chance": False}, "heavy": {"chance": True, "shifts": 199}}
"""Heavy ones, so that a run in several processes takes long enough to be hit."""


class Place:
    """Where a campaign works: data, undisturbed folders, and one to break."""

    def __init__(self, root):
        self.root, self.out, self.outside = root, root / "out", root / "outside"
        self.data = {
            "quick": write(root / "quick-data", benchmark(SERIES)),
            "heavy": write(root / "heavy-data", benchmark(HEAVY_SERIES, n=4000)),
        }
        self.expected = {}

    def run(self, out, kind="quick", **options):
        rank(self.data[kind], METRICS, out=out, **{**OPTIONS[kind], **options})

    def undisturbed(self, *, costly):
        """Make a whole folder, a half one, one of another seed, and know what must come out."""
        self.run(self.root / "whole")
        self.expected["quick"] = tables(self.root / "whole")

        def stopping(done, *_):
            if done == SERIES // 2:
                raise KeyboardInterrupt

        with suppress(KeyboardInterrupt):
            self.run(self.root / "half", progress=stopping)
        self.run(self.root / "other", chance=True, shifts=5)
        if costly:
            self.run(self.root / "heavy", "heavy")
            self.expected["heavy"] = tables(self.root / "heavy")


def tables(out):
    return {name: (out / name).read_bytes() for name in TABLES if (out / name).is_file()}


def files(out):
    return sorted(path for path in out.rglob("*") if path.is_file())


# --- faults of the folder: each takes (random numbers, place) -------------------------------------


def flip(rng, place):
    path = rng.choice(files(place.out))
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice([1, 1, 1, 20]) if data else 0):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def tear(rng, place):
    path = rng.choice(files(place.out))
    data = path.read_bytes()
    path.write_bytes(data[: rng.randrange(len(data) + 1)])


def zero(rng, place):
    path = rng.choice(files(place.out))
    data = bytearray(path.read_bytes())
    start = rng.randrange(len(data) + 1)
    stop = min(len(data), start + rng.choice([1, 100, 10_000]))
    data[start:stop] = bytes(stop - start)
    path.write_bytes(data)


def delete(rng, place):
    rng.choice(files(place.out)).unlink()


def repeat_and_shuffle_lines(rng, place):
    path = rng.choice(sorted((place.out / "shards").glob("*.jsonl")))
    lines = path.read_bytes().splitlines(keepends=True)
    lines += rng.choices(lines, k=5)
    rng.shuffle(lines)
    path.write_bytes(b"".join(lines))


def foreign_shard(rng, place):
    shutil.copy(place.root / "other" / "shards" / "000001.jsonl", place.out / "shards/000007.jsonl")


def link(rng, place):
    path = rng.choice(files(place.out))
    path.unlink()
    path.symlink_to(place.outside / "precious")


def plant(rng, place):
    if rng.random() < 0.5:
        shutil.rmtree(place.out)
        place.out.mkdir()
    (place.out / rng.choice(["results.csv", "precious.txt", "manifest.json.tmp"])).write_text(
        "mine"
    )


def fail_a_call(rng, place):
    """Let the k-th of the calls that reach the disk fail, once or from then on."""
    name = rng.choice(["fsync", "write", "replace", "open"])
    target = Path if name in {"replace", "open"} else os
    true, left, forever = getattr(target, name), rng.randrange(1, 25), rng.random() < 0.5

    def failing(*given, **options):
        nonlocal left
        left -= 1
        if left == 0 or (forever and left < 0):
            raise OSError(rng.choice([ENOSPC, EIO]), "injected")
        return true(*given, **options)

    with patch.object(target, name, failing), suppress(InputError, OSError):
        place.run(place.out)


# --- faults of processes ------------------------------------------------------------------------


def kill_client(rng, place):
    """Kill the process that does all by itself, perhaps twice."""
    for _ in range(rng.choice([1, 2])):
        process = _forked(place)
        time.sleep(rng.random() * 0.4)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def start_twice(rng, place):
    for process in [_forked(place) for _ in range(2)]:
        os.waitpid(process, 0)


def _forked(place):
    process = os.fork()
    if process == 0:
        with suppress(BaseException):
            place.run(place.out)
        os._exit(0)
    return process


def kill_local_client(rng, place):
    _kill_client_over(rng, place, "local")


def kill_local_workers(rng, place):
    return _kill_workers_of(rng, place, "local")


def kill_dask_client(rng, place):
    _kill_client_over(rng, place, "dask")


def kill_dask_workers(rng, place):
    return _kill_workers_of(rng, place, "dask")


def _started(place, engine):
    import json  # noqa: PLC0415

    options = {**ENGINES[engine], **OPTIONS["heavy"]}
    given = json.dumps([str(place.data["heavy"]), str(place.out), METRICS, options])
    program = place.root / "program.py"
    program.write_text(PROGRAM)
    process = subprocess.Popen(
        [sys.executable, str(program), given], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    process.stdout.readline()
    return process


def _kill_client_over(rng, place, engine):
    shutil.rmtree(place.out)
    process = _started(place, engine)
    with suppress(subprocess.TimeoutExpired):
        process.wait(rng.random() * rng.choice([6, 20]))
    process.kill()
    process.communicate()


def _kill_workers_of(rng, place, engine):
    """Kill workers once or twice while they work; the run must end well all the same."""
    shutil.rmtree(place.out)
    process = _started(place, engine)
    hits, shard = 0, place.out / "shards" / "000001.jsonl"
    while process.poll() is None and not shard.exists():  # until a first result is there
        time.sleep(0.02)
    for _ in range(rng.choice([1, 2])):
        with suppress(subprocess.TimeoutExpired):
            process.wait(rng.random() * 0.5)
        workers = _workers_of(process.pid)
        for worker in rng.sample(workers, min(len(workers), rng.choice([1, 2]))):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
                hits += 1
    try:
        code = process.wait(900)  # a busy machine takes its time
    except subprocess.TimeoutExpired:
        process.kill()
        return "hung"
    finally:
        process.stdout.close()
    print(f"  {engine}: {hits} workers killed", flush=True)
    return None if code == 0 else f"ended with {code} after {hits} kills"


def _workers_of(parent):
    """The processes below a client that do its work."""
    parents, commands = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
            parents[int(entry.name)] = int(stat[1])
            commands[int(entry.name)] = (entry / "cmdline").read_bytes()
    below, found = {parent}, []
    for _ in range(4):
        below |= {process for process, its in parents.items() if its in below}
    for process in below - {parent}:
        command = commands[process]
        if b"LokyProcess" in command or (
            b"spawn_main" in command and b"resource_tracker" not in command
        ):
            found.append(process)
    return sorted(found)


CHEAP = (
    flip, flip, flip, flip, tear, tear, tear, zero, delete, repeat_and_shuffle_lines, foreign_shard,
    link, plant, fail_a_call, fail_a_call, fail_a_call, kill_client, kill_client, kill_client,
    start_twice,
)  # fmt: skip
COSTLY = kill_local_client, kill_local_workers, kill_dask_client, kill_dask_workers


# --- the campaign ------------------------------------------------------------------------------


def campaign(seed, count, root, costly=0.2):
    """Give the outcomes of so many faults by kind; raise at the first wrong one."""
    place = Place(root)
    place.undisturbed(costly=costly)
    outcomes = Counter()
    for number in range(count):
        rng = random.Random(f"{seed} {number}")  # noqa: S311
        fault = rng.choice(COSTLY if rng.random() < costly else CHEAP)
        found = one_fault(rng, fault, place)
        assert found in {"identical", "refused"}, (seed, number, fault.__name__, found)
        outcomes[fault.__name__, found] += 1
    return outcomes


def one_fault(rng, fault, place):
    """Do one thing to a copy of a folder, run the ranking again, and say what came out."""
    for path in (place.out, place.outside):
        shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(place.root / rng.choice(["whole", "half", "half"]), place.out)
    place.outside.mkdir()
    (place.outside / "precious").write_text("mine")
    wrong = fault(rng, place)
    kind = "heavy" if fault in COSTLY else "quick"
    if fault in (kill_local_workers, kill_dask_workers):  # it must have ended well by itself
        return wrong or ("identical" if tables(place.out) == place.expected[kind] else "altered")
    try:
        place.run(place.out, kind)
        found = "identical" if tables(place.out) == place.expected[kind] else "altered"
    except InputError as error:
        found = "refused" if "\n" not in str(error) else "refused in several lines"
    untouched = (place.outside / "precious").read_text() == "mine"
    return found if untouched else "touched what is not ours"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--costly", type=float, default=0.2, help="share over several processes")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        outcomes = campaign(given.seed, given.count, Path(root), given.costly)
    for (fault, found), times in sorted(outcomes.items()):
        print(f"{fault:<26} {found:<10} {times:>4}")
    sums = Counter()
    for (_, found), times in outcomes.items():
        sums[found] += times
    print(f"{given.count} faults, seed {given.seed}: {dict(sums)}")


if __name__ == "__main__":
    main()
