"""What a verdict costs, compared with another version of adjudge: CPU time, interleaved.

    python bench/price.py OTHER/src [--rounds 7]

OTHER is a checkout of the other version (``git worktree add /tmp/other COMMIT``). Each version runs
in a process of its own; in every round both do each job on three draws, one right after the other.
Printed are milliseconds a detector, the best of all rounds for each draw, and their ratio: above 1
where this version is dearer.

The jobs are those of a ranking: 5,000 points, ten events, the default metrics with the chance
line, detectors from blind to good. The same with 100, 1,000, 20,000 and a million points, with
twenty detectors in one call, with events on a third of all points and with 300 series; and what
``best(...)`` flatters by itself (optimism), of four metrics. Jobs that take seconds are done when
``--only`` names them: twenty of 20,000 points, a million points.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

SEEDS = 3

WORKER = """
import json, sys, time, warnings
import numpy as np
import adjudge as aj
from adjudge.data.events import Events
from adjudge.judging.judge.which_metrics import default_metrics
from adjudge.noise.intervals.areas import optimism
from adjudge.noise.shifting.shifted_case import CaseShifts
warnings.simplefilter("ignore")
POINTS, EVENTS = 5000, 10

def drawn(seed, detectors, points=POINTS, events=EVENTS, widths=(10, 50)):
    rng = np.random.default_rng(seed)
    labels = np.zeros(points, np.int8)
    for start in rng.integers(0, points - widths[1] - 10, size=events):
        labels[start : start + int(rng.integers(*widths))] = 1
    by = [rng.random() * 2 * k / detectors for k in range(detectors)]
    return labels, {f"d{k:02}": rng.random(points) + labels * one for k, one in enumerate(by)}

def alone(seed):
    labels, scores = drawn(seed, 4)
    for one in scores.values():
        aj.evaluate(labels, one)

def together(seed):
    aj.evaluate(*drawn(seed, 4))

def flagged(seed):
    labels, scores = drawn(seed, 4)
    return labels, {name: (one > 0.99).astype(int) for name, one in scores.items()}

def flags_alone(seed):
    labels, flags = flagged(seed)
    for one in flags.values():
        aj.evaluate(labels, one)

def flags_together(seed):
    aj.evaluate(*flagged(seed))

def short(seed):
    labels, scores = drawn(seed, 4, 1000)
    for one in scores.values():
        aj.evaluate(labels, one)

def flags_short(seed):
    labels, scores = drawn(seed, 4, 1000)
    for one in scores.values():
        aj.evaluate(labels, (one > 0.99).astype(int))

def tiny(seed):
    labels, scores = drawn(seed, 4, 100, 4, (3, 8))
    for one in scores.values():
        aj.evaluate(labels, one)

def few_events_short(seed):
    labels, scores = drawn(seed, 4, 1000, 10, (3, 8))
    for one in scores.values():
        aj.evaluate(labels, one)

def twenty_short(seed):
    aj.evaluate(*drawn(seed, 20, 1000, 10, (3, 8)))

def twenty_wide(seed):
    aj.evaluate(*drawn(seed, 20, 1000))

def twenty(seed):
    aj.evaluate(*drawn(seed, 20))

def twenty_long(seed):
    aj.evaluate(*drawn(seed, 20, 20_000, 20, (10, 60)))

def many_series(seed):
    parts = [drawn(1000 * seed + k, 1, 1000, 3) for k in range(300)]
    labels = np.concatenate([one for one, _ in parts])
    scores = np.random.default_rng(seed).normal(size=labels.size) + 0.3 * labels
    aj.evaluate(labels, scores, series=np.repeat(np.arange(300), 1000))

def million(seed):
    rng = np.random.default_rng(seed)
    labels = np.zeros(1_000_000, int)
    for slot in rng.permutation(5_000)[:500]:
        labels[200 * slot + 50 : 200 * slot + 150] = 1
    return labels, rng.normal(size=labels.size) + labels

def million_scores(seed):
    aj.evaluate(*million(seed))

def million_flags(seed):
    labels, scores = million(seed)
    aj.evaluate(labels, (scores > 2.3).astype(int))

CHOSEN = [aj.best(one) for one in (aj.f1, aj.f1_pa, aj.f1_kpa, aj.f1_ba)]

def chosen_by_looking(seed):
    labels, scores = drawn(seed, 20)
    events, shared = Events.from_labels(labels), {}
    for one in scores.values():
        case = aj.Case(events, one)
        pieces = CaseShifts(case, None, None, shared).pieces
        for metric in CHOSEN:
            optimism(metric, case, 0, pieces)

def ranked(seed):
    series = {f"s{k}": drawn(seed + k, 4) for k in range(3)}
    metrics = [str(one) for one in default_metrics("oracle")]
    aj.rank(series, metrics, chance=True)

JOBS = {
    "100 points": (tiny, 4),
    "1,000 points, narrow events": (few_events_short, 4),
    "1,000 points, twenty in one call": (twenty_short, 20),
    "1,000 points, wide, twenty": (twenty_wide, 20),
    "5,000 points, twenty in one call": (twenty, 20),
    "20,000 points, twenty (long)": (twenty_long, 20),
    "300 series of 1,000": (many_series, 1),
    "a million points, scores (long)": (million_scores, 1),
    "a million points, flags (long)": (million_flags, 1),
    "one detector a call": (alone, 4),
    "four detectors in one call": (together, 4),
    "flags, one detector a call": (flags_alone, 4),
    "flags, four detectors in one call": (flags_together, 4),
    "a ranking of 3 series": (ranked, 12),
    "1,000 points, one detector a call": (short, 4),
    "1,000 points, flags": (flags_short, 4),
    "optimism of four metrics": (chosen_by_looking, 20),
}
print(json.dumps([[name, size] for name, (_, size) in JOBS.items()]), flush=True)
for line in sys.stdin:
    name, seed = json.loads(line)
    begun = time.process_time()
    JOBS[name][0](seed)
    print(json.dumps(time.process_time() - begun), flush=True)
"""


class Version:
    """A process that does jobs with one version of the source."""

    def __init__(self, source: Path) -> None:
        threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **threads, "PYTHONPATH": str(source)},
        )
        self.jobs = self._answer()

    def _answer(self) -> Any:
        return json.loads(self._process.stdout.readline())

    def seconds(self, job: str, seed: int) -> float:
        """Do a job once: the seconds of the processor."""
        print(json.dumps([job, seed]), file=self._process.stdin, flush=True)
        return self._answer()

    def close(self) -> None:
        """End the process."""
        self._process.stdin.close()
        self._process.wait()


def main() -> None:
    """Compare the versions and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="the src folder of the other version")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="jobs whose names hold this text")
    given = parser.parse_args()
    versions = [Version(Path(__file__).parents[1] / "src"), Version(given.other)]
    for job, size in versions[0].jobs:
        if given.only not in job or ("(long)" in job and not given.only):
            continue
        best = np.full((len(versions), SEEDS), np.inf)
        for _ in range(1 + given.rounds):
            for seed in range(SEEDS):
                taken = [version.seconds(job, seed) for version in versions]
                best[:, seed] = np.minimum(best[:, seed], taken)
        own, other = 1e3 * best.mean(axis=1) / size
        print(
            f"{job:<36} {own:6.1f} ms, other {other:6.1f} ms a detector: {own / other:.2f}",
            flush=True,
        )
    for version in versions:
        version.close()


if __name__ == "__main__":
    main()
