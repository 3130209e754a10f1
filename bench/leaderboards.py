"""Whether what a leaderboard says is true: simulated benchmarks whose truth is known.

    python bench/leaderboards.py [perfect] [blind] [better] [means] [others] [power] [build]

`perfect`: one detector that finds every event with one point and never alarms elsewhere, among
blind ones, on so many series with one event each. Is it called better than chance?

`blind`: detectors that know nothing, each benchmark drawn anew with labels of its own. How often
is one called better than chance over all series? At most .07 of them may be.

`better`: detectors that work on some of the series, and are blind on the others. How often is the
lower bound of the number of series on which they are better above the truth? At most .05. Behind it
stands the mean of the bound, and of the count by Benjamini and Hochberg. The power of the p-values
was chosen on places drawn from laws of their own, and not on these. In the last lines each four
series have the same events and alarms, which the bound does not allow for.

`means`: intervals of means over series and over data sets, and of differences of two means. How
often do they hold the mean over very many? Between .92 and .98, or there must be none; behind a
colon stands how many are refused, of those that are. The method was chosen on the first families,
with other seeds; those called new, and the third kind of data sets, were drawn when it stood.

`others`: the same for values that have holes, ties, few levels, heavy tails or no bounds, and for
data sets of very uneven sizes; behind the coverage of differences stands how often two equal
detectors are told apart (p at most .05). Nothing was chosen on them but the interval of values
without any bound.

`power`: a benchmark is drawn, `Ranking.power` names the smallest difference that it can tell, and a
second benchmark is drawn in which two detectors differ by so much. How often does the leaderboard's
own test tell them apart? Between .75 and .85 is what is promised. The values are of families on
which nothing was chosen; series of one data set have a correlation of .5.

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
from adjudge.noise.intervals.means import mean_difference, mean_of
from adjudge.noise.pooled_p import places_of_series, pooled_p
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.ranking.boards.verification import prepare
from adjudge.ranking.power import told_pairs
from adjudge.reporting.page.board_pages import build_board

WHAT = ["means", "others", "perfect", "blind", "better", "power", "build"]
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


def better_benchmark(kind, series, working, alike, rng):
    """Hold a detector against chance that works on so many of the series; so many are alike."""
    places = []
    for place in range(0, series, alike):
        labels = labels_of(rng)
        column = BLIND[kind](rng, POINTS).astype(float)
        if place < working:  # where it is mostly right, and alarms elsewhere as often as before
            column[np.flatnonzero(labels)[3]] = max(1.0, column.max())
        case = aj.Case(labels, column)
        metric = aj.metric("f1_ba" if kind in {"points", "bursts"} else "ap").on(case.events)
        own = places_of_series(metric, CaseShifts(case), metric.reading(case).value)
        places += [own] * alike
    return pooled_p(places, combinations=1)


def show_better(benchmarks, seed):
    print(f"detectors better on some of 60 series: bound too high, bound and count on average, "
          f"of {benchmarks} benchmarks")  # fmt: skip
    print("kind      alike" + "".join(f"{working:>8} better" for working in (0, 20, 40, 60)))
    for number, (kind, alike) in enumerate((k, a) for a in (1, 4) for k in BLIND):
        cells = []
        for working in (0, 20, 40, 60):
            rng = np.random.default_rng([seed, number, working])
            found = [better_benchmark(kind, 60, working, alike, rng) for _ in range(benchmarks)]
            low = np.array([one.better_on_low for one in found])
            count = np.mean([one.better_on for one in found])
            cells.append(f"{np.mean(low > working):.3f} {low.mean():.0f} {count:.0f}")
        print(f"{kind:9} {alike:5}" + "".join(f"{cell:>15}" for cell in cells), flush=True)


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
    "new: normal(.7, .08)": lambda rng, shape: rng.normal(0.7, 0.08, shape),
    "new: beta(1, 3)": lambda rng, shape: rng.beta(1, 3, shape),
    "new: beta(.6, .25), most near 1": lambda rng, shape: rng.beta(0.6, 0.25, shape),
    "new: logit of normal(1, 1.5)": lambda rng, shape: 1 / (1 + np.exp(-rng.normal(1, 1.5, shape))),
    "new: two in ten are 1": lambda rng, shape: np.where(
        rng.random(shape) < 0.2, 1.0, rng.beta(3, 3, shape)
    ),
    "new: gamma(.8), no bounds": lambda rng, shape: rng.gamma(0.8, 1.0, shape),
    "lognormal(.8), no bounds": lambda rng, shape: rng.lognormal(0.0, 0.8, shape),
    "Wald(1, .7), no bounds": lambda rng, shape: rng.wald(1.0, 0.7, shape),
    "new: Weibull(.8), no bounds": lambda rng, shape: rng.weibull(0.8, shape),
    "new: one in ten is 0, no bounds": lambda rng, shape: (
        rng.gamma(1.5, 2.0, shape) * (rng.random(shape) > 0.1)
    ),
}
MEANS = {"beta(2, 2)": 0.5, "beta(.4, .6), like a U": 0.4, "beta(.3, 2.7), skewed": 0.1,
         "four in ten are 0": 0.3, "exponential, no bounds": 1.0, "beta(8, 2)": 0.8,
         "lognormal(1), no bounds": math.exp(0.5), "one in five is 1, others 0": 0.2,
         "one in five 8 times, no bounds": 2.4, "new: normal(.7, .08)": 0.7,
         "new: beta(1, 3)": 0.25, "new: beta(.6, .25), most near 1": 12 / 17,
         "new: logit of normal(1, 1.5)": 0.670739, "new: two in ten are 1": 0.6,
         "new: gamma(.8), no bounds": 0.8, "lognormal(.8), no bounds": math.exp(0.32),
         "Wald(1, .7), no bounds": 1.0, "new: Weibull(.8), no bounds": math.gamma(2.25),
         "new: one in ten is 0, no bounds": 2.7}  # fmt: skip


def equal(rng, units):
    del rng
    return np.full(units, 5)


def unequal(rng, units):
    return rng.integers(1, 20, units)


def some_long(rng, units):
    return 1 + rng.geometric(0.15, units)


KINDS = (
    ("series", None), ("sets of 5", equal), ("sets of 1 to 19", unequal),
    ("new: few large sets", some_long),
)  # fmt: skip


def covered(held, given, runs):
    """Share of the intervals that hold the truth, and how many there are not."""
    refused = f":{1 - given / runs:.2f}".replace("0.", ".") if given < 0.995 * runs else ""
    return f"{held / given:.3f}".replace("0.", ".") + refused if given else "none"


def coverage(name, units, runs, seed, sizes=None):
    """Of a mean, of a difference of two, and how often equal detectors are told apart."""
    draw, truth = VALUES[name], MEANS[name]
    span = (0.0, math.inf) if "no bounds" in name else (0.0, 1.0)
    return covering(name, draw, truth, span, units, runs, seed, sizes)[:2]


def covering(name, draw, truth, span, units, runs, seed, sizes=None):
    """The same of values that are drawn by a function, with their mean and their bounds."""
    rng = np.random.default_rng(
        [seed, len(name), units, 0 if sizes is None else 1 + len(sizes.__name__)]
    )
    held = np.zeros(2, int)
    given = np.zeros(2, int)
    told = asked = 0
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
        told += found[1].p_value <= 0.05
        asked += not math.isnan(found[1].p_value)
    apart = f"{told / asked:.3f}".replace("0.", ".") if asked else "none"
    return [*(covered(*pair, runs) for pair in zip(held, given, strict=True)), apart]


BOUNDED, FREE = (0.0, 1.0), (-math.inf, math.inf)
OTHERS = {
    "beta(.3, .3), like a U": (lambda rng, shape: rng.beta(0.3, 0.3, shape), 0.5, BOUNDED),
    "half are 0, half uniform": (
        lambda rng, shape: rng.random(shape) * (rng.random(shape) < 0.5), 0.25, BOUNDED,
    ),
    "eight in ten are 0": (
        lambda rng, shape: rng.beta(2, 5, shape) * (rng.random(shape) < 0.2), 2 / 35, BOUNDED,
    ),
    "seven in ten are 1": (
        lambda rng, shape: np.where(rng.random(shape) < 0.7, 1.0, rng.random(shape)), 0.85, BOUNDED,
    ),
    "0, one half or 1": (
        lambda rng, shape: rng.choice([0, 0.5, 1], shape, p=[0.25, 0.5, 0.25]), 0.5, BOUNDED,
    ),
    "beta(1, 9) to two decimals": (
        lambda rng, shape: np.round(rng.beta(1, 9, shape), 2), 0.0999625, BOUNDED,
    ),
    "beta(3, 2), from -1 to 1": (
        lambda rng, shape: 2 * rng.beta(3, 2, shape) - 1, 0.2, (-1.0, 1.0),
    ),
    "Poisson(2), no upper bound": (
        lambda rng, shape: rng.poisson(2, shape).astype(float), 2.0, (0.0, math.inf),
    ),
    "Pareto(2.5), no upper bound": (
        lambda rng, shape: rng.pareto(2.5, shape), 2 / 3, (0.0, math.inf),
    ),
    "lognormal(1.5), no upper bound": (
        lambda rng, shape: rng.lognormal(0, 1.5, shape), math.exp(1.125), (0.0, math.inf),
    ),
    "normal(-3, 2), no bounds": (lambda rng, shape: rng.normal(-3, 2, shape), -3.0, FREE),
    "less than 0, exponential, no bounds": (
        lambda rng, shape: -rng.exponential(1.0, shape), -1.0, FREE,
    ),
    "t of three, no bounds": (lambda rng, shape: rng.standard_t(3, shape), 0.0, FREE),
    "beta(.3, 2.7), bounds not known": (lambda rng, shape: rng.beta(0.3, 2.7, shape), 0.1, FREE),
    "100 less exponential(20), below 100": (
        lambda rng, shape: 100 - rng.exponential(20, shape), 80.0, (-math.inf, 100.0),
    ),
}  # fmt: skip
"""How values are drawn, their mean, and their bounds."""


def some_20_times(rng, units):
    return np.where(rng.random(units) < 1 / 3, 40, 2)


def pareto_sizes(rng, units):
    return 1 + np.minimum(2 * rng.pareto(1.0, units), 60).astype(int)


OTHER_KINDS = (
    ("series", None), ("sets of 2 or 40", some_20_times), ("sets of 1 to 61", pareto_sizes),
)  # fmt: skip


def show_others(runs, seed):
    print(f"of {runs} runs: intervals of a mean / of a difference hold / equals are told apart")
    print(f"{'values':53}" + "".join(f"{units:>25}" for units in UNITS) + "  units")
    for kind, sizes in OTHER_KINDS:
        for name, (draw, truth, span) in OTHERS.items():
            cells = [
                " / ".join(covering(name, draw, truth, span, units, runs, seed, sizes))
                for units in UNITS
            ]
            print(f"{kind + ': ' + name:53}" + "".join(f"{cell:>25}" for cell in cells), flush=True)


def _within(draw, units, groups, rng):
    """Values whose correlation within a data set is .8: most are that of their set."""
    common = draw(rng, units)[groups]
    own = rng.random(groups.size) > math.sqrt(0.8)
    return np.where(own, draw(rng, groups.size), common)


def show_means(runs, seed):
    print(f"intervals that hold the truth, of {runs} runs: of a mean / of a difference of two")
    print(f"{'values':53}" + "".join(f"{units:>19}" for units in UNITS) + "  units")
    for kind, sizes in KINDS:
        for name in VALUES:
            cells = [" / ".join(coverage(name, units, runs, seed, sizes)) for units in UNITS]
            print(f"{kind + ': ' + name:53}" + "".join(f"{cell:>19}" for cell in cells), flush=True)


FRESH = {
    "uniform": lambda rng, shape: rng.random(shape),
    "beta(1, 4)": lambda rng, shape: rng.beta(1, 4, shape),
    "beta(.2, .2), nearly 0 or 1": lambda rng, shape: rng.beta(0.2, 0.2, shape),
    "six in ten are 1": lambda rng, shape: np.where(rng.random(shape) < 0.6, 1, rng.random(shape)),
    "hard and easy series": lambda rng, shape: 1 / (1 + np.exp(-_shared(rng, shape))),
    "gamma(2), no bounds": lambda rng, shape: rng.gamma(2.0, 1.0, shape),
}
"""Values on which nothing of `Power` was chosen."""


def _shared(rng, shape):
    """What all detectors have in common on a series, and a little of their own."""
    return 2 * rng.normal(size=(*shape[:1], 1)) + rng.normal(size=shape)


def threes(rng, units):
    del rng
    return np.full(units, 3)


def geometric(rng, units):
    return np.minimum(rng.geometric(0.12, units), 40)


def unique_names(place, units, runs, seed, sizes=None, detectors=6):
    """How often the smallest difference is told, of the benchmarks of which there is one."""
    draw = list(FRESH.values())[place]
    rng = np.random.default_rng([seed, 7, place, units, detectors, len(str(sizes))])
    told = given = 0
    for _ in range(runs):
        groups = None if sizes is None else np.repeat(np.arange(units), sizes(rng, units))

        def values(count, groups=groups):
            if groups is None:
                return draw(rng, (units, count))
            common, own = draw(rng, (units, count))[groups], draw(rng, (groups.size, count))
            return np.where(rng.random(own.shape) < math.sqrt(0.5), common, own)

        apart = told_pairs([*range(detectors)], values(detectors), groups, 1).smallest
        found = mean_difference(apart - np.diff(values(2))[:, 0], groups)
        given += not math.isnan(apart)
        told += found.p_value <= 0.05 and found.mean > 0
    return f"{told / given:.3f}".replace("0.", ".") if given > runs / 2 else "not said"


def show_power(runs, seed, fields=(6, 2), units=(5, 6, 10, 20, 50, 100)):
    print(f"the smallest difference is told apart, of {runs} runs")
    for detectors in fields:
        head = f"{detectors} detectors"
        print(f"{head:44}" + "".join(f"{count:>10}" for count in units) + "  units")
        for kind, sizes in (("series", None), ("sets of 3", threes), ("sets of 1-40", geometric)):
            for place, name in enumerate(FRESH):
                cells = [unique_names(place, n, runs, seed, sizes, detectors) for n in units]
                line = f"{kind + ': ' + name:44}" + "".join(f"{cell:>10}" for cell in cells)
                print(line, flush=True)


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
    parser.add_argument("what", nargs="*", default=WHAT)
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
        elif what == "others":
            show_others(given.runs, given.seed)
        elif what == "better":
            show_better(given.benchmarks, given.seed)
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
