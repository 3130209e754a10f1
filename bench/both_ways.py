"""Whether evidence holds where series share a clock: panels whose truth is known.

    python bench/both_ways.py [--means] [--runs 300] [--only PATTERN ...] [--series 8 20]
                              [--sharing 0 0.3 0.7 1] [--seed 1] [--keep FILE]

Series live through the same time. With probability g (the *sharing*) what becomes of an episode is
common to all series that it hits, so is a storm of false alarms; else each series has luck of its
own. Two detectors are drawn that are equal in truth. A line has, by series alone / both ways,

- *holds*: how often the 95 % interval of the first detector holds the truth (at least .92 is asked
  for), where series suit detectors alike, and where they do not (their log odds have a standard
  deviation of 1.5);
- *apart*: how often two equal detectors are told apart (at most .09 is asked for), in both cases;
- *power*: how often a better one is told apart (its log odds are 1.4 higher), at g = 0;
- *agree*: in how many runs the interval of the difference and its p-value say the same about 0.

With --means the same of means over series and their differences, as a ranking makes them. With
--keep runs are kept in a file: a script that was stopped goes on, and more runs can be added.

The truth is that of very many series and episodes. The families were written down before any of
them was run.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from fnmatch import fnmatch
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np
from kept_runs import KeptRuns

import adjudge as aj
from adjudge.noise.comparing.paired_units import Own, rate_difference
from adjudge.noise.intervals.event_moves import event_moves
from adjudge.noise.intervals.interval import interval
from adjudge.noise.intervals.means import mean_differences, mean_of
from adjudge.noise.intervals.rates import Side
from adjudge.ranking.panels import SeriesEvents, panel

if TYPE_CHECKING:
    from collections.abc import Callable

METRICS = ("event_recall", "f1")
SHARING = (0.0, 0.3, 0.7, 1.0)
APART, GAIN = 1.5, 1.4
EPISODES = 12
TRUE_SERIES, TRUE_EPISODES = 1000, 1000


class Panel(NamedTuple):
    """Where events are and which are found: a row per series, a column per point of the clock."""

    labels: np.ndarray
    flags: list[np.ndarray]
    """Of each detector."""


def odds(p):
    return np.log(p / (1 - p))


def chance_of(logits):
    return 1 / (1 + np.exp(-logits))


def common(rng, g, shape, draw):
    """Values that are with probability g the same for all series of an episode."""
    series, episodes = shape
    return np.where(rng.random(episodes) < g, draw((1, episodes)), draw((series, episodes)))


def severities(rng, series, episodes, g, suits):
    """Episodes are mild or severe, for all series or for each by itself: severe ones are long.

    A detector finds the severe ones. Storms last as long as events.
    """
    depth = common(rng, g, (series, episodes), rng.standard_normal)
    hit = rng.random((series, episodes)) < 0.75
    lengths = np.clip(np.round(8 * np.exp(0.5 * depth)), 2, 24).astype(int)
    return hit, lengths, [
        (0.4 + 1.2 * depth + one[:, None] + common(rng, g, (series, episodes), rng.standard_normal),
         common(rng, g, (series, episodes), rng.random) < 0.5)
        for one in suits
    ]  # fmt: skip


def spreading(rng, series, episodes, g, suits):
    """An outage begins somewhere and spreads to neighbours; with g all of them, else some.

    What it looks like is clear or hidden, by a law with two humps.
    """
    first = rng.integers(series, size=episodes)
    reach = 1 + rng.binomial(series - 1, np.where(rng.random(episodes) < g, 0.9, 0.4))
    place = (np.arange(series)[:, None] - first) % series
    hit = place < reach
    lengths = np.full((series, episodes), 12)
    return hit, lengths, [
        (odds(np.clip(common(rng, g, hit.shape, lambda s: rng.beta(0.7, 0.5, s)), 0.01, 0.99))
         + one[:, None], common(rng, g, hit.shape, rng.random) < 0.3)
        for one in suits
    ]  # fmt: skip


def unequal_rates(rng, series, episodes, g, suits):
    """Some series see nearly every episode and some hardly any; one in four storms is long."""
    sees = rng.beta(0.8, 0.8, series)[:, None]
    hit = rng.random((series, episodes)) < np.clip(sees, 0.08, 0.95)
    lengths = rng.choice([4, 8, 20], (1, episodes)).repeat(series, axis=0)
    return hit, lengths, [
        (0.5 + 1.5 * common(rng, g, hit.shape, rng.standard_normal) + one[:, None],
         common(rng, g, hit.shape, rng.random) < 0.35)
        for one in suits
    ]  # fmt: skip


FAMILIES: dict[str, Callable[..., tuple]] = {
    "severities": severities, "spreading": spreading, "unequal rates": unequal_rates
}  # fmt: skip
SLOT, QUIET, STORM, CAUGHT = 48, 24, 3, 5
"""Points of an episode, of its normal time, of a storm of false alarms, of an alarm in an event."""


class Cells(NamedTuple):
    """What becomes of each episode on each series."""

    hit: np.ndarray
    lengths: np.ndarray
    begin: np.ndarray
    """Of a storm."""
    caught: list[np.ndarray]
    storm: list[np.ndarray]


def drawn(rng, family, g, series, episodes, apart, better=(0.0, 0.0)):
    """The cells of detectors, each so much better in log odds."""
    suits = [rng.normal(0, apart, series) + more for more in better]
    hit, lengths, found = FAMILIES[family](rng, series, episodes, g, suits)
    hit[0, 0] = True
    begin = common(rng, g, hit.shape, lambda shape: rng.integers(1, QUIET - STORM, shape))
    caught = [hit & (common(rng, g, hit.shape, rng.random) < chance_of(one)) for one, _ in found]
    return Cells(hit, lengths, begin, caught, [storm for _, storm in found])


def painted(cells):
    """The cells as points."""
    place = np.arange(SLOT)
    labels = cells.hit[..., None] & (place >= QUIET) & (place < QUIET + cells.lengths[..., None])
    since = place - cells.begin[..., None]
    storms = (since >= 0) & (since < STORM)
    flags = [
        labels & caught[..., None] & (place < QUIET + CAUGHT) | storm[..., None] & storms
        for caught, storm in zip(cells.caught, cells.storm, strict=True)
    ]
    series = len(cells.hit)
    return Panel(labels.reshape(series, -1), [one.reshape(series, -1) for one in flags])


def values(cells):
    """Recall of events and F1 of points of the first detector, by its cells."""
    caught, storm = cells.caught[0], cells.storm[0]
    right = (caught * np.minimum(cells.lengths, CAUGHT)).sum()
    wrong, truth = STORM * storm.sum(), (cells.hit * cells.lengths).sum()
    return caught.sum() / cells.hit.sum(), 2 * right / (truth + right + wrong)


def cases_of(cells):
    """The cases of both detectors, all series on one clock."""
    panel = painted(cells)
    count, n = panel.labels.shape
    events = aj.Events.from_labels(panel.labels.ravel(), series=np.repeat(np.arange(count), n))
    known = aj.Events(events.starts, events.stops, events.n, bounds=events.bounds,
                      names=events.names, clocks=np.zeros(count, int))  # fmt: skip
    return [aj.Case(known, one.ravel()) for one in panel.flags]


@cache
def truth(family, g, apart):
    """The values on very many series and episodes."""
    found = []
    for k in range(4):
        rng = np.random.default_rng([7, k, crc32(f"{family} {g} {apart}".encode())])
        cells = drawn(rng, family, g, TRUE_SERIES, TRUE_EPISODES, apart, (0.0,))
        found.append(values(cells))
    return dict(zip(METRICS, np.mean(found, axis=0), strict=True))


def ways(units, *, alone=True):
    """Both ways, and by series alone."""
    return (
        {"series": replace(units, both_ways=None)} | {"both": units} if alone else {"both": units}
    )


def holds(metric, case, true):
    side = Side.of(metric, case)
    found = {}
    for name, units in ways(side.units("auto")).items():
        rests = interval(metric, case, units=units)
        found[name] = np.nan if np.isnan(rests.low) else rests.low <= true <= rests.high
    return found


def told(metric, cases, *, alone=True):
    """Whether two detectors are told apart, and whether interval and p agree about 0."""
    sides = tuple(Side.of(metric, case) for case in cases)
    own, found = Own(sides[0].value - sides[1].value, 1.0), {}
    for name, units in ways(sides[0].units("auto"), alone=alone).items():
        rests = rate_difference(sides, units, own)
        p, (low, high, *_) = rests.tested.p_value, rests.evidence
        found[name] = np.nan if np.isnan(p) else p <= 0.05
        found["agree"] = np.nan if np.isnan(p) else (low <= 0 <= high) == (p > 0.05)
    return found


def rate_rows(family, g, series, episodes, rng):
    """What is found in one run, by metric."""
    alike = cases_of(drawn(rng, family, g, series, episodes, 0.0))
    unlike = cases_of(drawn(rng, family, g, series, episodes, APART))
    better = cases_of(drawn(rng, family, g, series, episodes, 0.0, (GAIN, 0.0)))
    found = {}
    for name in METRICS:
        metric = aj.metric(name)
        found[name] = {
            "holds, alike": holds(metric, alike[0], truth(family, g, 0.0)[name]),
            "holds, unlike": holds(metric, unlike[0], truth(family, g, APART)[name]),
            "apart, alike": told(metric, alike),
            "apart, unlike": told(metric, unlike, alone=False),
            "power": told(metric, better) if g == 0 else {},
        }
    return found


def means_of(cells, metric):
    """The value of each series for each detector, and what they add to episodes."""
    panel_, count = painted(cells), len(cells.hit)
    found, events = np.full((count, len(panel_.flags)), np.nan), []
    for k, labels in enumerate(panel_.labels):
        cases = [aj.Case(labels, one[k].astype(float)) for one in panel_.flags]
        truth, moved = cases[0].truth, np.zeros((0, len(cases)))
        if len(truth):
            found[k] = [metric.reading(case).value for case in cases]
            moved = np.stack([event_moves(metric, case) for case in cases], axis=1)
        events.append(SeriesEvents(truth.starts, truth.stops - 1, moved))
    return found, panel(events, np.zeros(count, int))


@cache
def true_mean(family, g, apart, episodes, name):
    """The mean over very many series of what they score in so many episodes."""
    found = []
    for k in range(TRUE_EPISODES):
        rng = np.random.default_rng([8, k, crc32(f"{family} {g} {apart}".encode())])
        cells = drawn(rng, family, g, 20, episodes, apart, (0.0,))
        caught, hit, storm = cells.caught[0], cells.hit, STORM * cells.storm[0].sum(axis=1)
        right = (caught * np.minimum(cells.lengths, CAUGHT)).sum(axis=1)
        some, truth_ = hit.any(axis=1), (hit * cells.lengths).sum(axis=1)
        of = {"event_recall": caught.sum(axis=1) / np.maximum(hit.sum(axis=1), 1),
              "f1": 2 * right / np.maximum(truth_ + right + storm, 1)}  # fmt: skip
        found.append(of[name][some])
    return float(np.concatenate(found).mean())


def mean_rows(family, g, series, episodes, rng):
    """What a ranking says of means and of pairs in one run, by metric."""
    kinds = [("alike", 0.0, 0.0), ("unlike", APART, 0.0)] + [("power", 0.0, GAIN)] * (g == 0)
    found = {name: {} for name in METRICS}
    for kind, apart, better in kinds:
        cells = drawn(rng, family, g, series, episodes, apart, (better, 0.0))
        for name, row in found.items():
            values, own = means_of(cells, aj.metric(name))
            true = true_mean(family, g, apart, episodes, name)
            for way, known in (("series", None), ("both", own)):
                pair = known and known.of_pairs(np.array([0]), np.array([1]), 1)
                (told_,) = mean_differences(values[:, :1] - values[:, 1:], panel=pair)
                what = row.setdefault(kind if kind == "power" else f"apart, {kind}", {})
                what[way] = told_.p_value <= 0.05
                what[f"agree, {way}"] = agrees(told_)
                if kind != "power":
                    mean = mean_of(values[:, 0], panel=known and known.of(0))
                    row.setdefault(f"holds, {kind}", {})[way] = mean.low <= true <= mean.high
    return found


def agrees(found):
    """Whether an interval and its p-value say the same about 0.

    Two detectors that find the same on every series have p = 1, and no interval.
    """
    return np.isnan(found.low) or (found.low <= 0 <= found.high) == (found.p_value > 0.05)


def cell(family, g, given, series, kept):
    """All measures of a cell, by metric: the shares of its runs."""
    made = mean_rows if given.means else rate_rows
    key = [given.seed, series, crc32(f"{family} {g}".encode())]

    def one(run):
        rng = np.random.default_rng([key[0], run, *key[1:]])
        return made(family, g, series, given.episodes, rng)

    name = f"{family} {series} {g:g} {given.episodes} {given.seed}" + " means" * given.means
    rows = kept.of(name, given.runs, one)
    return {
        metric: {
            (what, way): float(np.nanmean([row[metric][what][way] for row in rows]))
            for what, own in rows[0][metric].items()
            for way in own
        }
        for metric in METRICS
    }


COLUMNS = ("holds, alike", "holds, unlike", "apart, alike", "apart, unlike", "power")
HEAD = (
    f"| family | series | g | metric | {' | '.join(COLUMNS)} | agree |\n"
    "|:---|---:|---:|:---|---:|---:|---:|---:|---:|---:|"
)


def line(family, g, series, name, found):
    shown = [
        " / ".join(
            f"{found[column, way]:.3f}" for way in ("series", "both") if (column, way) in found
        )
        for column in COLUMNS
    ]
    agree = min(value for (_, way), value in found.items() if way.startswith("agree"))
    return f"| {family} | {series} | {g:g} | {name} | {' | '.join(shown)} | {agree:.3f} |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--only", nargs="+", default=["*"], help="patterns of families")
    parser.add_argument("--series", nargs="+", type=int, default=[8, 20])
    parser.add_argument("--sharing", nargs="+", type=float, default=SHARING)
    parser.add_argument("--episodes", type=int, default=EPISODES)
    parser.add_argument("--means", action="store_true", help="means over series, as of a ranking")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a file in which runs are kept")
    given = parser.parse_args()
    kept = KeptRuns(given.keep)
    print(f"{given.runs} runs, {given.episodes} episodes; by series alone / both ways\n\n{HEAD}")
    for family in FAMILIES:
        if not any(fnmatch(family, pattern) for pattern in given.only):
            continue
        for series in given.series:
            for g in given.sharing:
                for name, found in cell(family, g, given, series, kept).items():
                    print(line(family, g, series, name, found), flush=True)


if __name__ == "__main__":
    main()
