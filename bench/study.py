"""What the paper's study costs: against plain loops, per experiment, and in memory.

Run as ``python bench/study.py [--experiments N] [--repeats R] [--strict]``. Both sides simulate and
measure the same experiments, one process each; the slow side is
tests/experiments/naive_study.py, with SciPy's kernel densities.
Times are processor time, so that a busy machine counts for less.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one core each

import numpy as np
from timing import fresh

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from adjudge.data.case import Case
from adjudge.lab.simulation.event_profile import attributes
from adjudge.lab.simulation.simulator import simulate
from adjudge.lab.study.designs import authors
from adjudge.lab.study.measurements import SCORES, measure, simulate_experiment
from adjudge.measure.whole.separation import hellinger, separation
from adjudge.metrics.reader import metric
from lab.study import naive_study

SLOWER = 20
"""How many times longer the loops must take, at least."""
LONGEST = 7.0
"""Milliseconds that an experiment may take: 15,000 in a minute on two cores."""
ALIKE = 1e-9

MEMORY = """
import resource, sys
from adjudge.lab.study.runner import study
study(int(sys.argv[1]), out=sys.argv[2], design=sys.argv[3])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def measured(design, seed, index, metrics):
    """Simulate one experiment and measure it."""
    return measure(index, simulate_experiment(design, seed, index, 1), metrics)


def timed(job, *arguments):
    """Give the result of a call, and its milliseconds."""
    begin = time.process_time()
    result = job(*arguments)
    return result, 1e3 * (time.process_time() - begin)


def against_loops(repeats):
    """Time both sides on the same experiments, one after the other; rows must be the same."""
    ours, loops = [], []
    measured("authors", 1, 0, ())
    for index in range(repeats):
        row, ms = timed(measured, "authors", 1, index, ())
        twin, slow = timed(naive_study.experiment, 1, index)
        np.testing.assert_allclose(row, twin, rtol=0, atol=ALIKE)
        ours.append(ms)
        loops.append(slow)
    return ours, loops


def read(metrics, case):
    """Read several metrics."""
    return [one.reading(case) for one in metrics]


def parts(experiments):
    """Time the parts of an experiment."""
    scores = [metric(spec) for spec in SCORES.values()]
    taken = {}
    for index in range(experiments):
        plan, ms = timed(authors, 1, index)
        case, more = timed(simulate, *plan)
        flagged = Case(case.events, case.marks)
        jobs = {
            "separation": partial(separation, case.scores, case.events),
            "hellinger": partial(hellinger, case.scores, case.events),
            "attributes": partial(attributes, case.marks, case.events),
            "five scores": partial(read, scores, flagged),
        }
        costs = {"simulate": ms + more} | {name: timed(job)[1] for name, job in jobs.items()}
        for name, cost in costs.items():
            taken.setdefault(name, []).append(cost)
    return {name: statistics.median(costs) for name, costs in taken.items()}


def memory(experiments, design):
    """Give the largest resident size of a process that runs a study, in MB."""
    with tempfile.TemporaryDirectory() as folder:
        return float(fresh("-c", MEMORY, str(experiments), f"{folder}/study", design).stdout)


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiments", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--strict", action="store_true", help="exit 1 if a limit is exceeded")
    options = parser.parse_args()
    many = options.experiments
    measured("authors", 1, 0, ())
    _, all_ms = timed(lambda: [measured("authors", 0, i, ()) for i in range(many)])
    each = all_ms / many
    print(f"authors' design, {many:,} experiments, one process: {each:.2f} ms each")
    print(f"  15,000 on two cores: {each * 7.5:.0f} s")
    for name, ms in parts(min(many, 200)).items():
        print(f"  {name:<12}{ms:8.3f} ms")
    _, controlled_ms = timed(lambda: [measured("controlled", 0, i, ()) for i in range(many // 10)])
    print(f"controlled: {controlled_ms / (many // 10):.2f} ms each")
    ours, loops = against_loops(options.repeats)
    ratio = statistics.median(slow / ms for slow, ms in zip(loops, ours, strict=True))
    print(
        f"plain loops: {statistics.median(loops):.0f} ms each, ours {statistics.median(ours):.2f}; "
        f"ratio {ratio:.0f} (rows within {ALIKE:g})"
    )
    small, large = memory(many, "authors"), memory(4 * many, "authors")
    print(f"memory: {small:.0f} MB for {many:,} experiments, {large:.0f} MB for {4 * many:,}")
    held = [ratio >= SLOWER, each <= LONGEST, large <= small + 10]
    print("PASS" if all(held) else "over")
    if options.strict and not all(held):
        sys.exit(1)


if __name__ == "__main__":
    main()
