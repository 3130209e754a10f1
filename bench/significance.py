"""Check the p-values of shifted alarms on detectors that know nothing, and what a shift costs.

``--pairs`` checks those of `compare_all` instead: several detectors that are equally good, on
events that are easy or hard for all of them. Run ``python bench/significance.py``; ``--help`` lists
the options. A p-value is sound when at most a share x of label-blind detectors gets one of x or
less: "over" marks shares that exceed x by more than three standard errors. Ties make the p-values
of flags larger than they had to be.
"""

from __future__ import annotations

import argparse
import math
import statistics
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from timing import interleaved

import adjudge as aj
from adjudge.noise.p_values import p_value
from adjudge.noise.shifting.shifted_case import CaseShifts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Scores = NDArray[np.float64]

SPECS = ("f1_ba", "best(f1)", "best(f1_ba)", "auc_roc")
LEVELS = (0.01, 0.05, 0.1)
RATE = 0.04  # of the points are flagged, for metrics at a threshold
WIDTH, PERIOD = 12, 100


def irregular_labels(points: int) -> NDArray[np.int64]:
    """Place an event anywhere in each period: no shift brings them back upon themselves."""
    labels = np.zeros((points // PERIOD, PERIOD), np.int64)
    starts = np.random.default_rng(1).integers(PERIOD - WIDTH, size=(len(labels), 1))
    np.put_along_axis(labels, starts + np.arange(WIDTH), 1, axis=1)
    return np.append(labels.ravel(), np.zeros(points % PERIOD, np.int64))


def independent(points: int, rng: np.random.Generator) -> Scores:
    """Score each point on its own."""
    return rng.normal(size=points)


def blocks(points: int, rng: np.random.Generator) -> Scores:
    """Score stretches of 10 points alike; the stretches start anywhere."""
    scores = np.repeat(rng.normal(size=-(-points // 10) + 1), 10)
    start = rng.integers(10)
    return scores[start : start + points] + 1e-9 * rng.random(points)


def autoregressive(points: int, rng: np.random.Generator) -> Scores:
    """Let each score remember nine tenths of the one before; no circle closes here."""
    scores = rng.normal(size=points) * math.sqrt(1 - 0.9**2)
    scores[0] = rng.normal()
    for point in range(1, points):
        scores[point] += 0.9 * scores[point - 1]
    return scores


DETECTORS = (independent, blocks, autoregressive)


def p_values(spec: str, detector, points: int, runs: int, shifts: int) -> Scores:
    """Judge many detectors that know nothing."""
    metric = aj.metric(spec).with_default_threshold(f"quantile({1 - RATE})")
    rng = np.random.default_rng(0)
    events = aj.Events.from_labels(irregular_labels(points))
    found = np.empty(runs)
    for run in range(runs):
        case = aj.Case(events, detector(points, rng))
        value = metric.reading(case).value
        found[run] = p_value(value, CaseShifts(case).values(metric, shifts, rng))
    return found


def soundness(points: int, runs: int, shifts: int) -> Iterator[str]:
    """Tell the share of small p-values, for each metric and each kind of detector."""
    yield f"{runs:,} runs, {points} points, {points // PERIOD} events, {shifts} shifts"
    yield f"{'':30}" + "".join(f"   p <= {level:<6}" for level in LEVELS) + "    mean"
    for spec in SPECS:
        for detector in DETECTORS:
            found = p_values(spec, detector, points, runs, shifts)
            cells = ""
            for level in LEVELS:
                rejected = np.mean(found <= level + 1e-12)
                limit = level + 3 * math.sqrt(level * (1 - level) / runs)
                cells += f"  {rejected:6.4f} {'over' if rejected > limit else 'PASS':5}"
            yield f"{spec:13} {detector.__name__:15} {cells}  {found.mean():6.3f}"


def cost(points: int, repeats: int) -> Iterator[str]:
    """Tell how many plain readings one shift costs."""
    rng = np.random.default_rng(0)
    labels, scores = irregular_labels(points), rng.random(points)
    layouts = {"one series": {}, "100 series": {"series": np.arange(points) * 100 // points}}
    yield f"one shift in units of one plain reading, {points:,} points"
    for name, columns in layouts.items():
        for spec, values in (("f1_ba", scores < RATE), ("best(f1_ba)", scores)):
            case = aj.Case(labels, values, **columns)
            metric = aj.metric(spec)
            plain = partial(reading, metric, case, None)
            turned = partial(reading, metric, case, points // 3)
            times = interleaved([plain, turned], repeats)
            ratios = [a / b for a, b in zip(times[turned], times[plain], strict=True)]
            median = statistics.median(ratios)
            yield f"{spec:13} {name:15} {1e3 * min(times[plain]):8.3f} ms  {median:6.2f} x"


def reading(metric: aj.Metric, case: aj.Case, by: int | None) -> float:
    """Judge a case, or a shift of it, without what was remembered."""
    case.last_masses = (None, None)
    return metric.reading(case if by is None else case.turned(by)).value


def equally_good(events: int, detectors: int, rng: np.random.Generator) -> tuple[Scores, dict]:
    """Draw labels, and detectors that find an event as often as it is easy, with false alarms."""
    labels = np.zeros((events, 60))
    labels[:, 30:42] = 1
    easy, found = rng.beta(2, 2, events), {}
    for number in range(detectors):
        flags = np.zeros((events, 60))
        flags[rng.random(events) < easy, 34] = 1
        flags[rng.random(events) < 0.3, rng.integers(2, 25)] = 1
        found[f"detector {number}"] = flags.ravel()
    return labels.ravel(), found


def pairs(runs: int) -> Iterator[str]:
    """Tell how often any two of several equally good detectors are called different."""
    yield f"{runs:,} runs; share of runs in which any pair has p <= 0.05"
    rng = np.random.default_rng(17)
    for events, detectors in ((10, 4), (20, 4), (20, 6), (50, 6)):
        alone = adjusted = 0
        for _ in range(runs):
            labels, flags = equally_good(events, detectors, rng)
            told = aj.compare_all(labels, flags, "f1_ba")
            alone += any(pair.separated for pair in told.pairs)
            adjusted += any(told.separated)
        shares = f"as they are {alone / runs:.3f}, adjusted {adjusted / runs:.3f}"
        yield f"{events:3} events, {detectors} detectors: {shares}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--points", type=int, default=600)
    parser.add_argument("--shifts", type=int, default=99)
    parser.add_argument("--large", type=int, default=100_000, help="points for the cost of a shift")
    parser.add_argument("--repeats", type=int, default=51)
    parser.add_argument("--pairs", action="store_true", help="the p-values of compare_all alone")
    chosen = parser.parse_args()
    if chosen.pairs:
        for line in pairs(chosen.runs):
            print(line, flush=True)
        return
    for line in cost(chosen.large, chosen.repeats):
        print(line)
    print()
    for line in soundness(chosen.points, chosen.runs, chosen.shifts):
        print(line, flush=True)


if __name__ == "__main__":
    main()
