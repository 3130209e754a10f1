"""Whether what a leaderboard says is true: simulated benchmarks whose truth is known.

    python bench/leaderboards.py [perfect] [blind] [means] [power] [build] [--runs 1000]

`perfect`: one detector that finds every event with one point and never alarms elsewhere, among
blind ones, on so many series with one event each. Is it called better than chance?

`blind`: detectors that know nothing, each benchmark drawn anew with labels of its own. How often
is one called better than chance over all series? At most .07 of them may be.

`means`: intervals of means over series and over data sets, and of differences of two means. How
often do they hold the mean over very many? Between .92 and .98 where the truth can be met, never
less; where too little is known there must be no interval.

`power`: a benchmark is drawn, `Ranking.power` names the smallest difference that it can tell, and a
second benchmark is drawn in which two detectors differ by so much. How often does the leaderboard's
own test tell them apart? Between .75 and .85 is what is promised.

`build`: what it costs to check and build a board of 40 submissions of values on 350 series, first
and again beside the last build.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import adjudge as aj
from adjudge.noise.intervals.of_means import mean_difference, mean_of
from adjudge.noise.pooled_p import places_of_series, pooled_p
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.ranking.boards.verification import prepare
from adjudge.ranking.power import told_pairs
from adjudge.reporting.page.board_pages import build_board

UNITS = (2, 3, 5, 10, 20, 50)
SIZES, DETECTORS = (5, 60, 350), (1, 3, 10, 50)
POINTS = 600


def labels_of(rng, events=1, width=8, n=POINTS):
    """Events of one width, at least two widths apart."""
    starts: list[int] = []
    while len(starts) < events:
        start = int(rng.integers(width, n - 2 * width))
        if all(abs(start - other) > 3 * width for other in starts):
            starts.append(start)
    labels = np.zeros(n, np.int8)
    for start in starts:
        labels[start : start + width] = 1
    return labels


def points(rng, n):
    """Flag single points anywhere."""
    flags = np.zeros(n, np.int8)
    flags[rng.choice(n, 10, replace=False)] = 1
    return flags


def bursts(rng, n):
    """Flag a few stretches anywhere."""
    flags = np.zeros(n, np.int8)
    for start in rng.integers(0, n - 12, 4):
        flags[start : start + 12] = 1
    return flags


def white(rng, n):
    """Score every point by itself."""
    return rng.standard_normal(n)


def slow(rng, n):
    """Score by noise that remembers some fifty points."""
    kernel = np.exp(-np.arange(200) / 50)
    return np.convolve(rng.standard_normal(n + 199), kernel, "valid")


BLIND = {"points": points, "bursts": bursts, "white": white, "slow": slow}


def perfect(series, detectors, seed):
    """Say whether the perfect detector is called better, and how many blind ones are."""
    data = {}
    for place in range(series):
        rng = np.random.default_rng([seed, series, detectors, place])
        labels = labels_of(rng)
        found = np.zeros_like(labels)
        found[np.flatnonzero(labels)[3]] = 1
        columns = {"perfect": found} | {
            f"blind{d}": points(rng, POINTS) for d in range(1, detectors)
        }
        data[f"s{place:03}"] = labels, columns
    lines = aj.rank(data, "f1_ba", pooled=False).leaderboard
    better = {line["detector"] for line in lines if line["p_adjusted"] <= 0.05}
    return "perfect" in better, len(better - {"perfect"})


def show_perfect(seed):
    print("one perfect detector among blind ones: called better, blind ones called better")
    print("series  " + "".join(f"{count:>12}" for count in DETECTORS) + "  detectors")
    for series in SIZES:
        cells = [perfect(series, count, seed) for count in DETECTORS]
        words = (f"{'yes' if yes else 'NO'}, {more}" for yes, more in cells)
        print(f"{series:<8}" + "".join(f"{text:>12}" for text in words), flush=True)


def blind_benchmark(kind, series, events, metric, rng):
    """The p-value of one blind detector on one benchmark: that of its line in a leaderboard."""
    places = []
    for _ in range(series):
        case = aj.Case(labels_of(rng, events), BLIND[kind](rng, POINTS))
        here = metric.on(case.events)
        places.append(places_of_series(here, CaseShifts(case), here.reading(case).value))
    return pooled_p(places, metric.row.better).p_value


def show_blind(benchmarks, sizes, kinds, seed):
    print(f"blind detectors called better than chance, of {benchmarks} benchmarks of their own")
    print("kind      metric        events" + "".join(f"{size:>4} series" for size in sizes))
    for number, (kind, spec) in enumerate(
        (k, m)
        for k in BLIND
        for m in (("f1_ba",) if k in {"points", "bursts"} else ("best(f1_ba)", "ap"))
    ):
        for events in (1, 4) if kind in kinds else ():
            shares = []
            for series in sizes:
                rng = np.random.default_rng([seed, number, events, series])
                p = [
                    blind_benchmark(kind, series, events, aj.metric(spec), rng)
                    for _ in range(benchmarks)
                ]
                shares.append(np.mean(np.array(p) <= 0.05))
            cells = "".join(f"{share:>10.3f}" for share in shares)
            print(f"{kind:9} {spec:12} {events:7}  {cells}", flush=True)


VALUES = {
    "beta(2, 2)": lambda rng, shape: rng.beta(2, 2, shape),
    "beta(.4, .6), like a U": lambda rng, shape: rng.beta(0.4, 0.6, shape),
    "beta(.3, 2.7), skewed": lambda rng, shape: rng.beta(0.3, 2.7, shape),
    "four in ten are 0": lambda rng, shape: rng.beta(2, 2, shape) * (rng.random(shape) > 0.4),
    "exponential, no bounds": lambda rng, shape: rng.exponential(1.0, shape),
    "beta(8, 2)": lambda rng, shape: rng.beta(8, 2, shape),
    "lognormal(1), no bounds": lambda rng, shape: rng.lognormal(0.0, 1.0, shape),
    "one in five is 1, others 0": lambda rng, shape: (rng.random(shape) < 0.2).astype(float),
    "one in five 8 times, no bounds": lambda rng, shape: (
        rng.exponential(1.0, shape) * np.where(rng.random(shape) < 0.2, 8.0, 1.0)
    ),
}
MEANS = {"beta(2, 2)": 0.5, "beta(.4, .6), like a U": 0.4, "beta(.3, 2.7), skewed": 0.1,
         "four in ten are 0": 0.3, "exponential, no bounds": 1.0, "beta(8, 2)": 0.8,
         "lognormal(1), no bounds": math.exp(0.5), "one in five is 1, others 0": 0.2,
         "one in five 8 times, no bounds": 2.4}  # fmt: skip


def equal(rng, units):
    del rng
    return np.full(units, 5)


def unequal(rng, units):
    return rng.integers(1, 20, units)


def covered(held, given):
    """Share of the intervals that hold the truth, and how often there was one."""
    return f"{held / given:.3f}".replace("0.", ".") if given else "none"


def coverage(name, units, runs, seed, sizes=None):
    """Of a mean, of a difference of two, and how often equal detectors are told apart."""
    draw, truth = VALUES[name], MEANS[name]
    span = (0.0, math.inf) if "no bounds" in name else (0.0, 1.0)
    rng = np.random.default_rng(
        [seed, len(name), units, 0 if sizes is None else 1 + len(sizes.__name__)]
    )
    held = np.zeros(2, int)
    given = np.zeros(2, int)
    for _ in range(runs):
        if sizes is None:
            one, other, groups = draw(rng, units), draw(rng, units), None
        else:
            groups = np.repeat(np.arange(units), sizes(rng, units))
            one, other = (_within(draw, units, groups, rng) for _ in range(2))
        found = mean_of(one, groups, span), mean_difference(one - other, groups)
        for place, (interval, true) in enumerate(zip(found, (truth, 0.0), strict=True)):
            given[place] += not math.isnan(interval.low)
            held[place] += interval.low <= true <= interval.high
    return [covered(*pair) for pair in zip(held, given, strict=True)]


def _within(draw, units, groups, rng):
    """Values whose correlation within a data set is .8: most are that of their set."""
    common = draw(rng, units)[groups]
    own = rng.random(groups.size) > math.sqrt(0.8)
    return np.where(own, draw(rng, groups.size), common)


def show_means(runs, seed):
    print(f"intervals that hold the truth, of {runs} runs: of a mean / of a difference of two")
    print(f"{'values':44}" + "".join(f"{units:>14}" for units in UNITS) + "  units")
    for kind, sizes in (("series", None), ("sets of 5", equal), ("sets of 1 to 19", unequal)):
        for name in VALUES:
            cells = [" / ".join(coverage(name, units, runs, seed, sizes)) for units in UNITS]
            print(f"{kind + ': ' + name:44}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


def told_apart(name, units, runs, seed, sizes=None, detectors=6):
    """How often the smallest difference is told, and that for the leaderboard's own test."""
    draw = VALUES[name]
    rng = np.random.default_rng([seed, 7, len(name), units, detectors, len(str(sizes))])
    told = np.zeros(2, int)
    for _ in range(runs):
        groups = None if sizes is None else np.repeat(np.arange(units), sizes(rng, units))

        def values(count, groups=groups):
            if groups is None:
                return draw(rng, (units, count))
            return np.stack([_within(draw, units, groups, rng) for _ in range(count)], axis=1)

        pairs = told_pairs([*range(detectors)], values(detectors), groups, 1)
        for place, name_of in enumerate(("smallest", "smallest_tested")):
            apart = np.median([pair[name_of] for pair in pairs])
            found = mean_difference(apart - np.diff(values(2))[:, 0], groups)
            told[place] += found.p_value <= 0.05 and found.mean > 0
    return " / ".join(f"{share:.3f}".replace("0.", ".") for share in told / runs)


def show_power(runs, seed, units=(10, 20, 50, 100)):
    print(f"the smallest difference is told apart, of {runs} runs: plain / own test")
    print(f"{'values':44}" + "".join(f"{count:>14}" for count in units) + "  units")
    for kind, sizes in (("series", None), ("sets of 5", equal), ("sets of 1 to 19", unequal)):
        for name in VALUES:
            cells = [told_apart(name, count, runs, seed, sizes) for count in units]
            print(f"{kind + ': ' + name:44}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


def show_build(detectors=40, series=350, sets=20):
    """Seconds of the processor, and by the clock."""
    rng = np.random.default_rng(0)
    names = [f"s{place:03}" for place in range(series)]
    with TemporaryDirectory() as folder:
        board = Path(folder) / "board"
        (board / "submissions").mkdir(parents=True)
        rules = {"schema": 1, "title": "b", "metrics": ["vus_pr"], "series": "series.csv"}
        (board / "board.json").write_text(json.dumps(rules))
        lines = [f"{name},set{place % sets}" for place, name in enumerate(names)]
        (board / "series.csv").write_text("series,group\n" + "\n".join(lines) + "\n")
        hard = rng.random(series)
        for place in range(detectors):
            own = board / "submissions" / f"detector-{place:02}"
            own.mkdir()
            values = np.clip(hard + rng.normal(place / 200, 0.2, series), 0, 1)
            cells = [f"{n},{own.name},{v!r}" for n, v in zip(names, values.tolist(), strict=True)]
            (own / "values.csv").write_text("series,detector,value\n" + "\n".join(cells) + "\n")
            prepare(board, own.name)
        for what in ("first", "again"):
            begun, clock = time.process_time(), time.perf_counter()
            built = build_board(board, Path(folder) / "site")
            spent, waited = time.process_time() - begun, time.perf_counter() - clock
            print(
                f"build of {len(built.verification.accepted)} x {series}, {what}: {spent:.1f} s of "
                f"the processor, {waited:.1f} s by the clock, {len(built.pages)} pages",
                flush=True,
            )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", nargs="*", default=["means", "perfect", "blind", "power", "build"])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--benchmarks", type=int, default=400)
    parser.add_argument("--series", type=int, nargs="+", default=[5, 20], help="of blind ones")
    parser.add_argument("--kinds", nargs="+", default=list(BLIND), help="of blind ones")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begun = time.process_time()
    for what in given.what:
        if what == "means":
            show_means(given.runs, given.seed)
        elif what == "perfect":
            show_perfect(given.seed)
        elif what == "power":
            show_power(given.runs, given.seed)
        elif what == "build":
            show_build()
        else:
            show_blind(given.benchmarks, given.series, given.kinds, given.seed)
    print(f"{time.process_time() - begun:.0f} s of the processor")


if __name__ == "__main__":
    main()
