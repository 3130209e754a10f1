"""CPU seconds of one call of `evaluate`: 100,000 points, and incidents with alerts of ten services.

    python bench/judging.py                       # this source tree
    python bench/judging.py OTHER/src             # the ratio to that of another source tree

Each side runs in a process of its own, turn by turn, and the least of all runs counts.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

RUNS = 5


def points():
    """Flags of 100,000 points with 200 events."""
    rng = np.random.default_rng(0)
    labels = np.zeros(100_000, int)
    for start in rng.choice(np.arange(100, 99_000, 400), 200, replace=False):
        labels[start : start + rng.integers(5, 60)] = 1
    return labels, (rng.random(labels.size) < 0.002) | (
        (rng.random(labels.size) < 0.1) & (labels > 0)
    )


def alerts(aj):
    """A month of ten services: 100 incidents, 200 alerts."""
    rng = np.random.default_rng(0)
    first, minute = np.datetime64("2026-01-01", "ns"), np.timedelta64(60, "s")
    start = np.sort(rng.integers(0, 43_000, 100))
    place = np.array([f"s{k}" for k in rng.integers(0, 10, 100)])
    hit = rng.random(100) < 0.7
    begin = np.append(start[hit] + rng.integers(0, 5, hit.sum()), rng.integers(0, 43_000, 130))
    own = np.append(place[hit], np.array([f"s{k}" for k in rng.integers(0, 10, 130)]))
    ends = start + rng.integers(5, 120, 100)
    truth = aj.Incidents(first + start * minute, first + ends * minute, service=place)
    until = begin + rng.integers(1, 40, begin.size)
    return truth, aj.Alerts(first + begin * minute, first + until * minute, service=own)


def measured():
    """Print the least CPU seconds of each call."""
    import adjudge as aj  # noqa: PLC0415 - of the tree that is measured

    truth, found = alerts(aj)
    span = ("2026-01-01", "2026-01-31 12:00")
    labels, flags = points()
    old = ["event_recall", "event_precision", "event_f1", "f1_ba", 'false_alarms(per="1w")']
    calls = {
        "points": lambda: aj.evaluate(labels, flags),
        "alerts": lambda: aj.evaluate(truth, found, old, span=span),
        "alerts, by default": lambda: aj.evaluate(truth, found, span=span),
    }
    for name, call in calls.items():
        call()
        begin = time.process_time()
        call()
        print(name, time.process_time() - begin, sep="\t")


def run(source):
    """The CPU seconds of a source tree, in a process of its own."""
    env = os.environ | {"PYTHONPATH": str(source), "OMP_NUM_THREADS": "1"}
    text = subprocess.run(  # noqa: S603 - this very file
        [sys.executable, __file__, "--one"], env=env, check=True, capture_output=True, text=True
    ).stdout
    return {name: float(one) for name, one in (line.split("\t") for line in text.splitlines())}


def main():
    """Print the seconds of this tree, and the ratios to another one."""
    here = Path(__file__).parents[1] / "src"
    sources = [here, *map(Path, sys.argv[1:2])]
    found = [[] for _ in sources]
    for _ in range(RUNS):
        for own, source in zip(found, sources, strict=True):
            own.append(run(source))
    least = [{name: min(one[name] for one in own) for name in own[0]} for own in found]
    for name, seconds in least[0].items():
        ratio = f", {seconds / least[1][name]:.2f} of the other" if len(least) > 1 else ""
        print(f"{name:20s} {seconds:.3f} s{ratio}")


if __name__ == "__main__":
    measured() if sys.argv[1:] == ["--one"] else main()
