"""Compare what threads read from shared objects with what one thread reads, call by call.

Run ``python tests/campaigns/threads.py --calls 20000 --seed 0``. Every round makes new cases,
events and metrics, shares them between the threads, and lets these ask the same few questions in
step, two threads at a time for each: whatever is computed on first use is then computed by several
threads at once. Values must be equal to the last bit.
"""

from __future__ import annotations

import argparse
import platform
import sys
import threading
from functools import partial

import numpy as np

import adjudge as aj

SPECS = (
    *("auc_roc", "auc_pr", "ap", "auc_roc_pa", "ap_ba", "ap_kpa", "best(f1)", "best(f1_pa)"),
    *("best(f1_ba)", "best(f1_kpa)", "best(event_f1)", "best(segment_f1)", "best(composite_f1)"),
    *("best(range_f1)", "best(tapr_f1)", "best(mcc)", "best(event_coverage)", "best(nab)"),
    *("f1_ba(at=0.8)", "event_f1(at=quantile(0.9))", "range_f1(at=top(20))", "vus_roc(window=5)"),
    *("affiliation_f1(at=0.8)", "separation", "precision_at_k"),
)
CURVES = ("f1", "f1_ba", "event_f1", "range_f1", "tolerant_f1(tolerance=3)")

QUESTIONS = 12


class Shared:
    """Labels and scores, in every form that threads can share."""

    def __init__(self, rng: np.random.Generator, points: int) -> None:
        """Draw a case with several series and points that are not judged."""
        self.labels = np.repeat(rng.random(points // 10) < 0.2, 10).astype(np.int64)
        self.scores = np.round(rng.random(self.labels.size) + 0.2 * self.labels, 3)
        self.series = np.repeat(np.arange(2), [self.labels.size // 2, -(-self.labels.size // 2)])
        self.where = rng.random(self.labels.size) < 0.95
        self.events = aj.Events.from_labels(self.labels, series=self.series)
        self.cases = (
            aj.Case(self.labels, self.scores),
            aj.Case(self.events, self.scores, where=self.where),
        )

    def questions(self, metrics: dict[str, aj.Metric]) -> dict[str, partial]:
        """Name every call."""
        asked = {}
        for spec, metric in metrics.items():
            for number, case in enumerate(self.cases):
                asked[f"case {number} {spec}"] = partial(metric.reading, case)
            asked[f"events {spec}"] = partial(metric, self.events, self.scores)
            asked[f"arrays {spec}"] = partial(metric, self.labels, self.scores, where=self.where)
        for spec in CURVES:
            for number, case in enumerate(self.cases):
                asked[f"curve {number} {spec}"] = partial(_curve, spec, case)
        asked["evaluate"] = partial(_evaluated, self.events, self.scores)
        return asked


def _curve(spec: str, case: aj.Case) -> tuple:
    curve = aj.metric(spec).curve(case)
    columns = (curve.thresholds, curve.precision, curve.recall, curve.f)
    return curve.best(), *(column.tobytes() for column in columns)


def _evaluated(events: aj.Events, scores: np.ndarray) -> dict:
    return aj.evaluate(events, scores, chance=False).to_flat_dict()


def one_round(seed: int, points: int, threads: int) -> tuple[int, list[str]]:
    """Count the calls of one round, and name those that differ from serial ones."""
    metrics = {spec: aj.metric(spec) for spec in SPECS}
    serial = Shared(np.random.default_rng(seed), points).questions(metrics)
    names = np.random.default_rng(seed).permutation(list(serial))[:QUESTIONS].tolist()
    expected = {name: repr(serial[name]()) for name in names}
    asked = Shared(np.random.default_rng(seed), points).questions(metrics)
    together, wrong = threading.Barrier(threads), []

    def work(number: int) -> None:
        for place in range(len(names)):
            name = names[(place + number // 2) % len(names)]  # two threads for each question
            together.wait()
            try:
                got = repr(asked[name]())
            except Exception as error:  # noqa: BLE001 - whatever happens in a thread is told
                got = f"{type(error).__name__}: {error}"
            if got != expected[name]:
                wrong.append(f"seed {seed}, {name}: {got[:80]} instead of {expected[name][:80]}")

    workers = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return threads * len(names), wrong


def campaign(
    calls: int, seed: int, threads: int = 4, points: int = 20_000
) -> tuple[int, list[str]]:
    """Run rounds until so many calls are made; give their number and what differed."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # threads take turns often
    try:
        done, wrong = 0, []
        while done < calls:
            count, differing = one_round(seed, points, threads)
            done, wrong, seed = done + count, wrong + differing, seed + 1
        return done, wrong
    finally:
        sys.setswitchinterval(before)


def main() -> int:
    """Read the options, run, and say what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--points", type=int, default=20_000)
    done, wrong = campaign(**vars(parser.parse_args()))
    print(*wrong[:20], sep="\n")
    print(f"Python {platform.python_version()}: {done:,} calls, {len(wrong):,} differ")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
