"""What the chance line costs: expected masses in units of one sort, shifts in units of one reading.

Run as ``python bench/chance.py [--points N] [--repeats R]``.
"""

import argparse
import statistics
import time

import numpy as np

import adjudge as aj
from adjudge.noise.expectation import expected_masses
from adjudge.noise.nulls import Shifted, White
from adjudge.noise.shifts import shifted

LIMIT = 10  # sorts, for the expected masses of one null


def labels_of(points):
    """Events of 100 points on a tenth of the series."""
    labels = np.zeros(points, bool)
    labels[np.arange(points) % 1000 < 100] = True
    return labels


def timed(job):
    """Give the time of one call."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def jobs(points):
    """Name what is measured, and what each is compared with."""
    rng = np.random.default_rng(0)
    scores, flags = rng.random(points), rng.random(points) < 0.01
    events = aj.Events.from_labels(labels_of(points))
    flagged, scored = aj.Case(events, flags), aj.Case(events, scores)
    unit = {"sort": lambda: np.sort(scores)}
    expected = {}
    for spec in ("f1", "f1_pa", "f1_kpa", "f1_ba", 'f1_ba(islands="all")'):
        _, adjust, count = aj.metric(spec).parts
        for name, null in (
            ("white noise", lambda: White(0.01)),
            ("shifted", lambda: Shifted(flags, events)),
        ):
            expected[f"expected {spec}, {name}"] = lambda a=adjust, c=count, make=null: (
                expected_masses(a, c, events, make())
            )
    shifts = {}
    for spec, case in (("f1_ba", flagged), ("best(f1_ba)", scored)):
        metric = aj.metric(spec)
        shifts[f"one reading of {spec}"] = lambda m=metric, c=case: m.reading(fresh(c))
        shifts[f"one shift of {spec}"] = lambda m=metric, c=case: m.reading(shifted(c, 12345))
    return unit, expected, shifts


def fresh(case):
    """Give the case without what it remembers."""
    return shifted(case, 0)


def main():
    """Measure in turn, round by round, and print medians of ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    unit, expected, shifts = jobs(options.points)
    everything = unit | expected | shifts
    rounds = [{k: timed(job) for k, job in everything.items()} for _ in range(options.repeats + 1)]
    print(f"{options.points:,} points, numpy {np.__version__}")
    for name in everything:
        ratio = statistics.median(r[name] / r["sort"] for r in rounds[1:])
        verdict = "" if name not in expected else "PASS" if ratio <= LIMIT else "over"
        print(
            f"  {name:<45}{min(r[name] for r in rounds) * 1e3:10.2f} ms{ratio:8.2f} sorts {verdict}"
        )


if __name__ == "__main__":
    main()
