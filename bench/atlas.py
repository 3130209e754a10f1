"""What the atlas costs: every metric at one threshold, volumes and PATE, beside one argsort.

usage: python bench/atlas.py [--sweeps | --grids] [--strict] [--repeats R] [--points N]
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
from sweep import periodic_labels, table
from timing import Claim, Row, measured, peak_bytes

import adjudge as aj
from adjudge.adjust.adjustments import raw
from adjudge.count.intersections import Intersections
from adjudge.count.tally import GRID, grid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from timing import Job

AT_ONE_THRESHOLD = (
    "segment_f1", "composite_f1", "delay_f1", "range_f1",
    'range_f1(cardinality="reciprocal", r_alpha=0.5, r_bias="front")',
    "affiliation_f1", "tapr_f1", "etapr_f1",
)  # fmt: skip
OVER_THRESHOLDS = {
    "vus_roc": 6, "vus_pr": 6, "pate": 15,
    "vus_roc(thresholds=None)": 12, "vus_pr(thresholds=None)": 12, "pate(thresholds=None)": 15,
}  # fmt: skip
OTHERS = (
    "revised_f1", "eventwise_f1", "tolerant_f1", "latency_f1", "latency_f1(window=10)",
    "event_weighted_f1", "f1_kpa_area", "ts_f1", "nab", "adtqc", "temporal_distance",
    "hausdorff_distance", "vus_f1", "pate_f1", "overlap_f1", "event_f1_tolerant",
    "alarms_per_event", "oipr_f1", "sdqe", "softed_f1",
)  # fmt: skip
SWEPT = (
    "best(composite_f1)", "best(segment_f1)", "best(delay_f1)", "best(range_f1)", "best(nab)",
    "best(intersection_f1)", "psds",
)  # fmt: skip


def noisy(labels: np.ndarray) -> np.ndarray:
    """Score noise that is higher in events: many short runs, the hard case of ranges."""
    return np.random.default_rng(0).random(labels.size) + 0.5 * labels


def jobs(points: int, width: int) -> Iterator[Claim]:
    """Time each metric against an argsort of the scores it judges."""
    labels = periodic_labels(points, width)
    scores = noisy(labels)
    flags = (scores > np.quantile(scores, 0.9)).astype(np.int64)
    unit: Job = partial(np.argsort, scores)
    slack = (1 if width >= 100 else 4) * (1 if points >= 10**6 else 2)
    section = f"{points:,} points, events of {width}"
    for spec in AT_ONE_THRESHOLD:
        job = partial(aj.metric(spec), labels, flags)
        yield Claim(section, spec, job, unit, "argsort", 2 * slack)
    for spec, limit in OVER_THRESHOLDS.items():
        job = partial(aj.metric(spec), labels, scores)
        yield Claim(section, spec, job, unit, "argsort", limit * slack)
    for spec in OTHERS:
        yield Claim(section, spec, partial(aj.metric(spec), labels, flags), unit, "argsort")
    for spec in SWEPT:
        yield Claim(section, spec, partial(aj.metric(spec), labels, scores), unit, "argsort")


def one_by_one(points: int) -> Iterator[Claim]:
    """Time the sweep of intersections beside a count at each of the thresholds of a grid."""
    labels = periodic_labels(points, 100)
    scores = noisy(labels)
    events = aj.Case(labels, scores).events

    def slow() -> list[object]:
        flags = (scores > level for level in grid(scores, GRID).tolist())
        return [Intersections().ledger(each, events, raw).tally for each in flags]

    section = f"sweeps at {points:,} points: {GRID} counts one by one in units of ours"
    for spec in ("psds", "best(intersection_f1)"):
        yield Claim(section, spec, slow, partial(aj.metric(spec), labels, scores), "x ours")


def grids(points: int, repeats: int) -> Iterator[str]:
    """Give areas over the published grid of thresholds and over every one, and what both cost."""
    for share, lift in ((0.002, 1), (0.002, 3), (0.01, 1), (0.01, 2), (0.05, 1), (0.05, 3)):
        rng = np.random.default_rng(1)
        labels = np.zeros(points, np.int64)
        for start in rng.integers(0, points - 100, max(1, int(points * share / 100))):
            labels[start : start + 100] = 1
        scores = rng.normal(size=points) + lift * labels
        unit: Job = partial(np.argsort, scores, kind="stable")
        for name in ("vus_pr", "vus_roc", "range_auc_pr", "pate"):
            both = [partial(aj.metric(name)(thresholds=t), labels, scores) for t in (250, None)]
            grid_value, exact = (float(job()) for job in both)
            rows = measured([Claim("", name, job, unit, "argsort") for job in both], repeats)
            cost = " and ".join(f"{row.median:.2f}" for row in rows)
            yield (
                f"{points:>9,} points, {share:.1%}, lift {lift}  {name:<13}"
                f"{grid_value:.4f} for {exact:.4f} ({grid_value / exact - 1:+.1%}), {cost} sorts"
            )


def memory(points: int) -> Iterator[Row]:
    """Measure what the heavier ones hold beyond their input."""
    labels = periodic_labels(points, 100)
    scores = noisy(labels)
    for spec in ("vus_pr", "vus_pr(thresholds=None)", "pate", "best(range_f1)"):
        held = peak_bytes(partial(aj.metric(spec), labels, scores)) / points
        yield Row(f"memory at {points:,} points", spec, None, held, held, "B/point")


def peers(points: int) -> Iterator[Claim]:
    """Time tsadmetrics beside ours, where it is installed; it is the fastest of the peers."""
    labels = periodic_labels(points, 100)
    scores = noisy(labels)
    flags = (scores > np.quantile(scores, 0.9)).astype(np.int64)
    section = f"peers at {points:,} points: their time in units of ours"
    for place, name, options, spec in (
        ("tpdm", "SegmentwiseFScore", {}, "segment_f1"),
        ("tpdm", "CompositeFScore", {}, "composite_f1"),
        ("tpdm", "RangebasedFScore", {}, "range_f1(p_alpha=0.5, r_alpha=0.5)"),
        ("tstm", "AffiliationbasedFScore", {}, "affiliation_f1"),
        ("tmem", "EnhancedTimeseriesAwareFScore", {}, "etapr_f1(theta_p=0.5, theta_r=0.5)"),
        ("tstm", "VusPr", {"window": 100}, "vus_pr"),
        ("tstm", "PateFScore", {"early": 20, "delay": 20}, "pate_f1(early=20, delay=20)"),
    ):
        with suppress(ImportError):
            theirs = getattr(import_module(f"tsadmetrics.metrics.tem.{place}"), name)(**options)
            given = scores if aj.metric(spec).row.needs == "scores" else flags
            job, ours = (partial(f, labels, given) for f in (theirs.compute, aj.metric(spec)))
            yield Claim(section, f"tsadmetrics {name}", job, ours, "x ours")


def main() -> int:
    """Measure, print, and say whether all limits hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--points", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--repeats", type=int, default=5, metavar="R")
    parser.add_argument("--sweeps", action="store_true", help="only those beside single counts")
    parser.add_argument("--grids", action="store_true", help="only grids beside every threshold")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a limit is exceeded")
    chosen = parser.parse_args()
    if chosen.grids:
        for points in (chosen.points // 10, chosen.points):
            for line in grids(points, chosen.repeats):
                print(line, flush=True)
        return 0
    rows = measured([*one_by_one(5_000), *one_by_one(chosen.points // 10)], 3)
    if not chosen.sweeps:
        for points, width in ((chosen.points, 100), (chosen.points, 5), (chosen.points // 10, 100)):
            rows += measured(jobs(points, width), chosen.repeats)
        rows += memory(chosen.points)
        rows += measured(peers(5_000), 1)
    print(*table(rows), sep="\n")
    over = [row for row in rows if row.verdict == "over"]
    print(f"\n{len(over)} limits exceeded", *(f"  {r.section}: {r.what}" for r in over), sep="\n")
    return int(chosen.strict and bool(over))


if __name__ == "__main__":
    sys.exit(main())
