"""What the chance line adds to ``evaluate``, in milliseconds and in argsorts of the scores.

Run as ``python bench/chance.py [--points N ...] [--repeats R]``. Events of 100 points lie on 5 % of
each series; the default metrics are judged with and without chance, in turn and in one process. The
limits: for flags the larger of 150 ms and 20 argsorts, for scores that of 250 ms and 130 argsorts.
Times are those of the processor, so that other people on the machine do not count.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np

import adjudge as aj

LIMITS = {"flags": (150, 20), "scores": (250, 130)}


def labels_of(points: int) -> np.ndarray:
    """Events of 100 points on 5 % of the series, in no rhythm."""
    rng = np.random.default_rng(0)
    labels = np.zeros(points, int)
    for slot in rng.permutation(points // 200)[: points // 2000]:
        labels[200 * slot + 50 : 200 * slot + 150] = 1
    return labels


def measured(points: int, repeats: int) -> None:
    """Print what the chance line costs on so many points."""
    labels = labels_of(points)
    scores = np.random.default_rng(1).normal(size=points) + labels
    given = {"flags": (scores > 2.3).astype(int), "scores": scores}
    jobs = {"argsort": lambda: np.argsort(scores)}
    for kind, column in given.items():
        for chance in (False, True):
            jobs[f"{kind} {chance}"] = lambda c=column, w=chance: aj.evaluate(labels, c, chance=w)
    times = {name: [] for name in jobs}
    for _ in range(1 + repeats):  # the first round warms up
        for name, job in jobs.items():
            begin = time.process_time()
            job()
            times[name].append(time.process_time() - begin)
    times = {name: taken[1:] for name, taken in times.items()}
    unit = times["argsort"]
    for kind, (least, sorts) in LIMITS.items():
        with_line, without = times[f"{kind} True"], times[f"{kind} False"]
        added = [a - b for a, b in zip(with_line, without, strict=True)]
        ratio = statistics.median(a / u for a, u in zip(added, unit, strict=True))
        ms = 1e3 * statistics.median(added)
        verdict = "PASS" if ms <= least or ratio <= sorts else "over"
        rows = aj.evaluate(labels, given[kind]).rows
        shifts = ", ".join(f"{row.shifts}{' (all)' * row.exact}" for row in rows)
        print(
            f"{points:>9,} points, {kind:<6} {1e3 * statistics.median(without):8.1f} ms without, "
            f"the line adds {ms:8.1f} ms = {ratio:6.1f} argsorts {verdict}; shifts: {shifts}"
        )


def main() -> None:
    """Measure every size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    for points in options.points:
        measured(points, options.repeats)


if __name__ == "__main__":
    main()
