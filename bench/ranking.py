"""What the runner of rankings costs beyond the metrics themselves, and how it scales.

    python bench/ranking.py [--series 2000] [--detectors 20] [--points 5000] [--chance 200]
                             [--times 1]

In one run, side by side: a plain loop that reads each file and calls the metrics; `aj.rank` over
the same files; the same with two processes. Then with the chance line on fewer series. Seconds
are those of the processor, of all processes together, so that others on the machine count less;
the clock's stand beside them. Modules are loaded before, here as there: by a ranking of one
series. Memory is the highest that a process ever had, after a tenth of the
series and after all. What a further series costs is that of all less that of a tenth: tests of all
pairs and the like are done once, however many series there are. With ``--times`` both ways are
timed in turn, and the lowest of each counts.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import adjudge as aj
from adjudge.data.case import Case
from adjudge.data.events import Events
from adjudge.io.labels_and_scores import read
from adjudge.judging.judge.which_metrics import default_metrics

METRICS = [str(metric) for metric in default_metrics("oracle")]


def simulated(seed, detectors, points):
    """Draw labels of ten events or so, and detectors from blind to good."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(points, np.int8)
    for start in rng.integers(0, points - 60, size=10):
        labels[start : start + int(rng.integers(10, 50))] = 1
    scores = {
        f"score_d{k:02}": (rng.random(points) + labels * rng.random() * k / 10).astype(np.float32)
        for k in range(detectors)
    }
    return labels, scores


def write(folder, first, stop, detectors, points):
    folder.mkdir()
    for seed in range(first, stop):
        labels, scores = simulated(seed, detectors, points)
        np.savez(folder / f"s{seed:05}.npz", labels=labels, **scores)


def plain(folder, *, chance):
    """Read the files and call the metrics, one after the other."""
    metrics = [aj.metric(spec) for spec in METRICS]
    begun = time.process_time()
    for path in sorted(folder.iterdir()):
        table = read(path, scores=["score_*"])
        if chance:
            aj.evaluate(table.labels, table.scores, METRICS, chance=True)
        else:
            events = Events.from_labels(table.labels)
            for column in table.scores.values():
                case = Case(events, column)
                for metric in metrics:
                    metric.reading(case)
    return time.process_time() - begun


PROGRAM = """
import json, resource, sys, time
import adjudge as aj

def spent():
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both), max(one.ru_maxrss for one in both)

if __name__ == "__main__":
    import scipy.stats, pyarrow.csv, pyarrow.parquet  # here, since workers load this file too
    folder, out, metrics, options = json.loads(sys.argv[1])
    one = {"a": ([0, 1, 0, 0], {"b": [0.1, 0.7, 0.3, 0.2], "c": [0.5, 0.6, 0.7, 0.8]})}
    aj.rank(one, metrics, out=out + "-one", chance=options["chance"])
    before, begun = spent()[0], time.perf_counter()
    aj.rank(folder, metrics, out=out, scores=["score_*"], pooled=False, **options)
    cpu, most = spent()
    print(json.dumps([cpu - before, time.perf_counter() - begun, most / 1024]))
"""


def ranked(folder, place, *, new=True, **options):
    """Run a ranking in a process of its own: processor's and clock's seconds, megabytes."""
    if new:
        shutil.rmtree(place / "out", ignore_errors=True)
    shutil.rmtree(place / "out-one", ignore_errors=True)
    (place / "program.py").write_text(PROGRAM)
    given = json.dumps([str(folder), str(place / "out"), METRICS, options])
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, str(place / "program.py"), given], check=True, capture_output=True
    )
    return json.loads(done.stdout)


def in_turn(folder, place, times, *, chance):
    """Time a plain loop and a ranking in turn: the lowest of both, and of the ranking the rest."""
    pairs = [
        (plain(folder, chance=chance), ranked(folder, place, chance=chance)) for _ in range(times)
    ]
    return min(base for base, _ in pairs), min(found for _, found in pairs)


def compared(folder, tenth, place, rows, times, *, chance):
    """Time all ways on the same files, and print them beside each other."""
    few, (some, _, small) = in_turn(tenth, place, times, chance=chance)
    base, (one, clock, memory) = in_turn(folder, place, times, chance=chance)
    again, *_ = ranked(folder, place, new=False, chance=chance)
    two, halved, _ = ranked(folder, place, chance=chance, jobs=2)
    print(f"  a plain loop        {base:8.1f} s   {1000 * base / rows:.3f} ms per row")
    print(f"  rank, one process   {one:8.1f} s   overhead {100 * (one / base - 1):+.1f} %")
    further = (one - some) / (base - few)
    print(f"  of a further series          overhead {100 * (further - 1):+.1f} %")
    print(f"  rank, two processes {two:8.1f} s   {100 * one / two:.0f} % of the work is the same")
    print(f"  by the clock        {clock:8.1f} s and {halved:.1f} s: efficiency "
          f"{100 * clock / (2 * halved):.0f} %")  # fmt: skip
    print(f"  rank, nothing to do {again:8.1f} s")
    print(f"  memory              {small:8.0f} MB after a tenth, {memory:.0f} MB after all")
    return one / rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--series", type=int, default=2000)
    parser.add_argument("--detectors", type=int, default=20)
    parser.add_argument("--points", type=int, default=5000)
    parser.add_argument("--chance", type=int, default=200, help="series for the chance line")
    parser.add_argument("--times", type=int, default=1, help="how often each is timed")
    given = parser.parse_args()
    size = given.detectors, given.points
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before; metrics {METRICS}")
    with tempfile.TemporaryDirectory() as root:
        place = Path(root)
        for name, series, chance in (
            ("without", given.series, False),
            ("with", given.chance, True),
        ):
            if not series:
                continue
            write(place / name, 0, series, *size)
            write(place / f"{name}-tenth", 0, max(1, series // 10), *size)
            rows = series * given.detectors * len(METRICS)
            print(f"{name} chance: {series:,} series x {size[0]} detectors x {size[1]:,} points")
            folders = place / name, place / f"{name}-tenth", place
            per = compared(*folders, rows, given.times, chance=chance)
            hours = [10_000 * 50 * len(METRICS) * per / 3600 / cores for cores in (1, 8, 64)]
            print("  10,000 series x 50 detectors on 1, 8, 64 cores: "
                  + ", ".join(f"{h:.2g} h" for h in hours))  # fmt: skip
            shutil.rmtree(place / name)
    print(f"load {os.getloadavg()[0]:.1f} after; this process "
          f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")  # fmt: skip


if __name__ == "__main__":
    main()
