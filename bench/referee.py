"""The referee: is what the chance line says about itself true? Tables by simulation.

Run ``python bench/referee.py [--runs N] [--table NAME ...] [--seed S]``. Each table names what it
must show: intervals that hold the truth, p-values and verdicts that blind detectors seldom pass,
comparisons whose errors and power are those that they state. "over" and "under" mark what lies
outside by more than two standard errors. Another seed gives other runs, so that many can be made
in parts.
"""

from __future__ import annotations

import argparse
import math
import sys

import numpy as np

import adjudge as aj
from adjudge.noise.intervals.evidence import units_of
from adjudge.noise.intervals.of_areas import area_evidence
from adjudge.noise.intervals.of_rates import rate_evidence
from adjudge.noise.null_models import NearbyNull
from adjudge.noise.p_values import p_value
from adjudge.noise.shifting.shifted_case import CaseShifts

SLOT, WIDTH = 40, 10
COUNTS = (3, 5, 10, 20, 50)
SEED = 0


def generator(number):
    """Give a generator for one table."""
    return np.random.default_rng([SEED, number])


def case_of(events, found, false, rng):
    """Give events of 10 points, found or not, and false runs of one point, in number Poisson."""
    labels, flags = np.zeros((2, events, SLOT), int)
    labels[:, 20 : 20 + WIDTH] = 1
    flags[rng.random(events) < found, 23] = 1
    slots = rng.permutation(events)[: rng.poisson(false * events)]
    flags[slots, 8] = 1
    return aj.Case(labels.ravel(), flags.ravel())


def scored_case(events, rng, gain=1.5):
    """Give scores whose events differ in how clear they are; their mean area is known."""
    labels, scores = np.zeros((events, SLOT), int), rng.normal(size=(events, SLOT))
    labels[:, 20 : 20 + WIDTH] = 1
    scores[:, 20 : 20 + WIDTH] += gain + rng.normal(size=(events, 1))
    return aj.Case(labels.ravel(), scores.ravel())


def told(share, runs, *, most=None, least=None):
    """Print a share, and whether it lies outside by more than two standard errors."""
    error = 2 * math.sqrt(max(share * (1 - share), 0.01) / runs)
    mark = " over" if most is not None and share > most + error else ""
    mark = " under" if least is not None and share < least - error else mark
    return f"{share:.3f}{mark}"


def coverage(runs):
    """Print how often 95 % intervals hold the value of the population."""
    print("intervals: share that hold the truth (nominal .95), .1 false runs per event")
    print("found  metric          " + "".join(f"{count:>12}" for count in COUNTS))
    for found in (0.6, 0.9):
        f1 = 2 * found / (1 + found + 0.1)
        for spec, truth in (("f1_ba(width=10)", f1), ("event_recall", found), ("event_f1", f1)):
            metric, rng, cells = aj.metric(spec), generator(1), []
            for count in COUNTS:
                held = 0
                for _ in range(runs):
                    case = case_of(count, found, 0.1, rng)
                    low, high, *_ = rate_evidence(metric, case, units_of(case.events))
                    held += low - 1e-9 <= truth <= high + 1e-9
                least = 0.93 if count >= 10 and spec.startswith("f1_ba") else 0.90
                cells.append(told(held / runs, runs, least=least))
            print(f"{found:<6} {spec:<16}" + "".join(f"{cell:>12}" for cell in cells))


def areas(runs):
    """Print how often intervals of areas hold the area of the population."""
    print("\nareas: share of 95 % intervals that hold the truth; gain: how clear the events are")
    area_table(runs, ("auc_roc", "ap"), (0.7, 1.5, 2.5), (3, 5, 10, 30))


def volumes(runs):
    """Print the same for areas that are read anew in each draw."""
    print("\nvolumes: share of 95 % intervals that hold the truth")
    small = "window=8, thresholds=50"
    area_table(runs, (f"vus_roc({small})", f"vus_pr({small})"), (0.7, 1.5), (3, 5, 10))


def area_table(runs, specs, gains, counts):
    """Print a row for each metric, a column for each number of events."""
    width = max(map(len, specs)) + 1
    print(f"gain  {'metric':<{width}}" + "".join(f"{count:>12}" for count in counts))
    for gain in gains:
        big = scored_case(20_000, np.random.default_rng(9), gain)
        for spec in specs:
            metric, rng, cells = aj.metric(spec), generator(2), []
            truth = metric.reading(big).value
            for count in counts:
                held = 0
                for _ in range(runs):
                    case = scored_case(count, rng, gain)
                    value, units = metric.reading(case).value, units_of(case.events)
                    low, high, *_ = area_evidence(metric, case, value, units)
                    held += low <= truth <= high
                cells.append(told(held / runs, runs, least=0.9))
            print(f"{gain:<5} {spec:<{width}}" + "".join(f"{cell:>12}" for cell in cells))


def flattery(runs):
    """Print how much best(f1_ba) flatters, and how much it says that it does."""
    print("\nbest(f1_ba): how much it flatters, stated and true; intervals that hold what the same")
    print("threshold scores on very many later events")
    metric = aj.f1_ba(width=11)
    for gain in (1.5, 2.5):
        later = metric.curve(scored_case(5000, np.random.default_rng(9), gain))
        thresholds, values = later.thresholds[::-1], later.f[::-1]
        for count in (3, 5, 10, 30):
            rng, found = generator(2), []
            for _ in range(runs):
                case = scored_case(count, rng, gain)
                (row,) = aj.evaluate(case.events, case.scores, aj.best(metric), shifts=1).rows
                truth = values[np.searchsorted(thresholds, row.at, side="right") - 1]
                held = row.low <= truth <= row.high
                found.append((row.optimism, row.value - truth, held))
            stated, true, held = np.mean(found, axis=0)
            both = f"optimism {stated:.3f}, true {true:.3f}"
            share = told(held, runs, least=0.9)
            print(f"gain {gain}, {count:>3} events: {both}, interval holds {share}")


def irregular(points, width, count, rng, late=False):
    """Place events at random, or ever more often towards the end."""
    labels = np.zeros(points, int)
    at = np.sqrt(rng.random(count)) if late else rng.random(count)
    for start in (at * (points - width)).astype(int):
        labels[start : start + width] = 1
    return labels


def blind_flags(kind, points, rng):
    """Flag about 3 % of the points without a look at the labels."""
    time = np.arange(points) / points
    if kind == "comb":
        return (np.arange(points) + rng.integers(33)) % 33 == 0
    if kind == "clustered":
        flags = np.zeros(points, bool)
        flags[(rng.integers(points, size=(points // 400, 1)) + np.arange(12)) % points] = True
        return flags
    rates = {
        "rising": 0.09 * time**2,
        "falling": 0.09 * (1 - time) ** 2,
        "silent, rising": np.where(time > 0.15, 0.09 * time**2, 0.0),
        "step": np.where(time > rng.random(), 0.06, 0.01),
        "silent": np.where(time > 0.15, 0.035, 0.0),
    }
    return rng.random(points) < rates.get(kind, 0.03)


def both_p_values(metric, case):
    """Give the p-values among all shifts and among nearby ones."""
    shifting, value = CaseShifts(case), metric.reading(case).value
    nearby = NearbyNull().values(metric, shifting, None, 0)
    return p_value(value, shifting.values(metric).values), p_value(value, nearby.values)


def rejections(runs):
    """Print how often blind detectors get p <= .05, and are called better than chance."""
    print("\nblind detectors: share with p <= .05 among all shifts, and called better than chance")
    points, rng, metric = 3000, generator(3), aj.metric("f1_ba")
    for kind in ("white", "clustered", "comb", "few events", "several series"):
        small, better = 0, 0
        for _ in range(runs):
            labels = irregular(points, 12, 2 if kind == "few events" else 12, rng)
            ids = np.arange(points) // 1000 if kind == "several series" else None
            case = aj.Case(labels, blind_flags(kind, points, rng), series=ids)
            p, nearby = both_p_values(metric, case)
            small, better = small + (p <= 0.05), better + (max(p, nearby) <= 0.05)
        cells = (told(count / runs, runs, most=0.05) for count in (small, better))
        print(f"{kind:<16}" + "".join(f"{cell:>12}" for cell in cells))
    for kind in ("rising", "step", "silent", "silent, rising", "falling"):
        small, better = 0, 0
        for _ in range(runs):
            labels = irregular(points, 12, 12, rng, late=True)
            labels = labels[::-1] if kind == "falling" else labels
            p, nearby = both_p_values(metric, aj.Case(labels, blind_flags(kind, points, rng)))
            small, better = small + (p <= 0.05), better + (max(p, nearby) <= 0.05)
        print(f"{kind:<16}{small / runs:>12.3f}{told(better / runs, runs, most=0.07):>12}")
    for kind, false, hits in (("fair", 0.006, 0.08), ("weak", 0.012, 0.025)):
        seen, both = 0, 0
        for _ in range(runs):
            labels = irregular(points, 12, 12, rng)
            flags = rng.random(points) < np.where(labels > 0, false + hits, false)
            p, nearby = both_p_values(metric, aj.Case(labels, flags))
            seen, both = seen + (p <= 0.05), both + (max(p, nearby) <= 0.05)
        name = f"a {kind} detector"
        print(f"{name:<16}{seen / runs:>12.3f}{both / runs:>12.3f}  (here more is better)")


def undefined(runs):
    """Print how often p <= .05 for metrics that are undefined on misses, where they are defined."""
    print("\nmetrics undefined on misses: share of blind detectors with p <= .05, of those")
    for spec in ("event_coverage", "detection_delay", "adtqc", "add"):
        rng, metric, small, count = generator(4), aj.metric(spec), 0, 0
        for _ in range(runs):
            case = aj.Case(irregular(600, 12, 4, rng), rng.random(600) < 0.02)
            value = metric.reading(case).value
            if not np.isnan(value):
                null = CaseShifts(case).values(metric, 199, rng).values
                small, count = small + (p_value(value, null, metric.row.better) <= 0.05), count + 1
        print(f"{spec:<18}{told(small / count, count, most=0.05)} of {count}")


def comparisons(runs):
    """Print the errors of compare when both are equally good, and its power where it states it."""
    print("\ncompare: equally good detectors told apart by p and by the interval; power (.8)")
    for count in (5, 10, 20):
        rng, small, excluded = generator(5), 0, 0
        for _ in range(runs):
            a, b = (case_of(count, 0.7, 0.2, rng) for _ in range(2))
            found = aj.compare(a.events, a.flags, b.flags, "f1_ba")
            small += found.p_value <= 0.05
            excluded += found.low > 0 or found.high < 0
        share = told(small / runs, runs, most=0.05)
        print(
            f"{count:>3} events: p <= .05 in {share}, interval without 0 in {excluded / runs:.3f}"
        )
    for good, fair in ((0.9, 0.5), (0.8, 0.6)):
        rng, numbers, seen = generator(6), [], 0
        for _ in range(runs):
            a, b = case_of(20, good, 0.1, rng), case_of(20, fair, 0.1, rng)
            found = aj.compare(a.events, a.flags, b.flags, "f1_ba")
            numbers.append(math.inf if found.events_needed is None else found.events_needed)
        low, needed, high = np.quantile(numbers, [0.1, 0.5, 0.9], method="lower")
        for _ in range(runs):  # on fresh events
            a, b = (case_of(int(needed), share, 0.1, rng) for share in (good, fair))
            seen += aj.compare(a.events, a.flags, b.flags, "f1_ba").separated
        said = f"{needed:.0f} events (of ten runs eight say {low:.0f} to {high:.0f})"
        print(f"hits {good} against {fair}: {said}, power there {seen / runs:.3f}")


def paired_areas(runs):
    """Print the errors of compare on areas when both are equally good, and its coverage."""
    print("\ncompare on areas: equally good ones told apart; intervals that hold the difference")
    for spec in ("auc_roc", "ap"):
        metric = aj.metric(spec)
        clear, dim = (scored_case(20_000, np.random.default_rng(9), gain) for gain in (1.5, 0.7))
        truth = metric.reading(clear).value - metric.reading(dim).value
        for count in (5, 10, 20):
            rng, small, held = generator(8), 0, 0
            for _ in range(runs):
                a, b, c = (scored_case(count, rng, gain) for gain in (1.5, 1.5, 0.7))
                same, other = (
                    aj.compare(a.events, a.scores, side.scores, metric) for side in (b, c)
                )
                small += same.separated
                held += other.low <= truth <= other.high
            share, coverage = (
                told(small / runs, runs, most=0.05),
                told(held / runs, runs, least=0.9),
            )
            print(f"{spec:<8}{count:>3} events: p <= .05 in {share}, held {coverage}")


TABLES = {
    "coverage": coverage,
    "areas": areas,
    "volumes": volumes,
    "flattery": flattery,
    "rejections": rejections,
    "undefined": undefined,
    "comparisons": comparisons,
    "paired_areas": paired_areas,
}


def main():
    """Print the tables that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--table", nargs="+", choices=TABLES, default=list(TABLES))
    options = parser.parse_args()
    globals()["SEED"] = options.seed
    for name in options.table:
        TABLES[name](options.runs)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
