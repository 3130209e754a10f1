"""The referee: is what adjudge says about its own certainty true? A gate, by simulation.

Run ``python bench/referee.py [--runs 400] [--only PATTERN ...] [--jobs J] [--seed S]``.

A cell is a scene (see `scenes`), a size and a metric; each of its runs draws the scene anew and
asks what is held against a bound: does the interval hold the truth, are equal detectors told
apart, is a blind detector called better than chance? Every cell and its bound stands in one of the
lists below. A value fails when it lies outside its bound by more than two standard errors (where
the bound is a promise without exception, by anything at all), and the exit code is then 1.
Runs in which adjudge refuses to answer are counted by themselves. A run depends on the seed,
on its cell and on its own number, so that a part of the cells gives what all of them would.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import numpy as np
import scenes as s

import adjudge as aj
from adjudge.noise.intervals.means import mean_difference, mean_of

if TYPE_CHECKING:
    from collections.abc import Callable

MANY = 20_000
"""Events (or series times ten) that stand for very many."""
BA = f"f1_ba(width={s.WIDTH})"
CHUNK = 25
"""Runs that a process makes at a time."""


class Bound(NamedTuple):
    """What is measured in each run, and between which ends its mean must lie."""

    quantity: str
    least: float = -math.inf
    most: float = math.inf
    always: bool = False
    """Whether no run may be an exception: then standard errors count for nothing."""

    def __str__(self):
        """Write the bound."""
        if math.isinf(self.least) and math.isinf(self.most):
            return ""
        ends = [f">= {self.least:g}"] * (self.least > -math.inf)
        return " ".join(ends + [f"<= {self.most:g}"] * (self.most < math.inf))


@dataclass(frozen=True)
class Cell:
    """Runs of one kind, and what they must show."""

    table: str
    scene: str
    size: str
    metric: str
    trial: Callable[[np.random.Generator], dict[str, float]]
    bounds: tuple[Bound, ...]
    unanswered: float = 1.0
    """The largest share of runs in which there may be no answer."""
    share: float = 1.0
    """Of the runs that are asked for, where one run is dear."""

    @property
    def name(self):
        """Write the cell in one line; ``--only`` looks for patterns in it."""
        return f"{self.table}: {self.scene}, {self.size}, {self.metric}"


class Line(NamedTuple):
    """What a cell has shown of one quantity."""

    table: str
    scene: str
    size: str
    metric: str
    quantity: str
    value: float
    error: float
    runs: int
    unanswered: float
    bound: str
    verdict: str


# What is asked in one run. Each takes a generator and gives values by quantity; NaN: no answer.


@cache
def true_value(scene, metric, detector=0):
    """Give the value that very many events would show."""
    big = s.very_many(scene, MANY // 10 if isinstance(scene, s.InSeries) else MANY)
    return float(aj.metric(metric)(big.labels, big.detectors[detector], series=big.series))


@cache
def later_values(scene, metric):
    """Give thresholds and what they score on very many events, from the lowest up."""
    big = s.very_many(scene, MANY // 4)
    curve = aj.metric(metric).curve(aj.Case(big.labels, big.detectors[0]))
    return curve.thresholds[::-1], curve.f[::-1]


def best_in_the_end(scene, metric):
    """Give the threshold that is best on very many events."""
    thresholds, values = later_values(scene, metric)
    return float(thresholds[np.nanargmax(values)])


def judged(scene, metric, **how):
    """Judge the first detector of a scene; without a look at chance, mostly."""
    found = aj.evaluate(
        scene.labels, scene.detectors[0], metric, series=scene.series, **{"shifts": 1, **how}
    )
    return found.rows[0]


def covering(low, high, truth):
    """Say whether an interval holds the truth, and how wide it is; NaN where there is none."""
    if math.isnan(low) or math.isnan(high):
        return {"interval holds the truth": math.nan, "width": math.nan}
    return {
        "interval holds the truth": float(low - 1e-9 <= truth <= high + 1e-9),
        "width": high - low,
    }


def held(scene, size, metric, rng):
    """Ask whether the interval holds the value of very many events."""
    row = judged(scene(size, rng), metric)
    return covering(row.low, row.high, true_value(scene, metric))


def held_if_seen(scene, size, metric, rng):
    """Ask the same, of the runs in which a stretch of the long kind occurred."""
    drawn = scene(size, rng)
    stretches = np.diff(np.flatnonzero(drawn.labels), prepend=-1)
    if stretches.max() < s.VERY_LONG:
        return {"interval holds the truth": math.nan}
    row = judged(drawn, metric)
    return covering(row.low, row.high, true_value(scene, metric))


def held_later(scene, size, metric, rng):
    """Ask whether the interval holds what the chosen threshold scores on very many later events."""
    row = judged(scene(size, rng), f"best({metric})")
    thresholds, values = later_values(scene, metric)
    later = values[np.searchsorted(thresholds, row.at, side="right") - 1]
    return {**covering(row.low, row.high, later), SAID_LESS: row.optimism - (row.value - later)}


def held_of_such_lengths(scene, size, metric, rng):
    """Ask whether the interval holds the value of very many events of the lengths drawn."""
    lengths = scene.lengths(size, rng)
    row = judged(scene(size, rng, lengths), metric)
    parts = np.array([masses_by_length(scene, int(length), metric) for length in lengths])
    found, truth, false = parts.sum(axis=0)
    return covering(row.low, row.high, 2 * found / (found + truth + false))


@cache
def masses_by_length(scene, length, metric):
    """Give found and anomalous points and what false alarms cost, for one event of a length."""
    count = MANY // 4
    big = scene(count, np.random.default_rng(7), np.full(count, length))
    recall, precision = (
        aj.metric(metric.replace("f1", name))(big.labels, big.detectors[0])
        for name in ("recall", "precision")
    )
    found = recall * length
    return found, length, found / precision - found


def difference(scene, metric):
    """Give by how much the first detector of a scene is ahead on very many events."""
    return true_value(scene, metric, 0) - true_value(scene, metric, 1)


def compared(scene, size, metric, rng):
    """Ask whether two detectors are told apart, and whether the interval holds the difference."""
    drawn = scene(size, rng)
    found = aj.compare(drawn.labels, *drawn.detectors[:2], metric, series=drawn.series)
    truth = 0.0 if isinstance(scene, s.FlagsOrScores) else difference(scene, metric)
    holds = covering(found.low, found.high, truth)["interval holds the truth"]
    apart = float(found.p_value <= 0.05)  # who refuses to answer tells nobody apart
    flattered, other = np.nan_to_num(found.optimism)
    less = found.difference - (flattered - other)
    return {"separated": apart, "difference held": holds, AHEAD: found.difference, LESS: less}


def told_at_number(scene, size, metric, rng):
    """Ask whether a difference is seen on as many new events as `compare` says it takes."""
    pilot = scene(size, rng)
    needed = aj.compare(pilot.labels, *pilot.detectors, metric).events_needed
    if needed is None or needed > 400:
        return {"seen on new events": math.nan}
    fresh = scene(max(needed, 3), rng)
    p = aj.compare(fresh.labels, *fresh.detectors, metric).p_value
    return {"seen on new events": float(p <= 0.05)}


def is_better(judgement, detector):
    """Say whether the verdict calls a detector better than chance."""
    others = judgement.failures(better_than_chance=True)
    return not any(said.startswith(f"{detector}:") for said in others)


def warns(verdict):
    """Say whether a verdict names what blind detectors share with events."""
    return any(words in verdict for words in ("rhythm", "period of", "part of the series"))


def called(scene, metric, rng, **how):
    """Ask whether a blind detector is called better than chance, and what p-value it has."""
    drawn = scene(1, rng)
    found = aj.evaluate(drawn.labels, drawn.detectors[0], metric, series=drawn.series, **how)
    better = is_better(found, "detector")
    said = warns(found.verdicts["detector"])
    return {
        "called better": float(better),
        UNWARNED: float(better and not said),
        "p <= .05": float(found.rows[0].p_value <= 0.05),
    }


def called_in_family(scene, count, metric, rng):
    """Ask whether any of several blind detectors is called better than chance, or below it."""
    drawn = scene(count, rng)
    named = {f"d{number:02}": one for number, one in enumerate(drawn.detectors)}
    found = aj.evaluate(drawn.labels, named, metric, series=drawn.series)
    below = any("is below chance" in said for said in found.verdicts.values())
    return {ANY: float(any(is_better(found, name) for name in named)), BELOW: float(below)}


def unique_names(scene, size, metric, rng):
    """Ask whether two equally good detectors are told apart."""
    drawn = scene(size, rng)
    found = aj.compare(drawn.labels, *drawn.detectors[:2], metric, series=drawn.series)
    return {APART: float(found.p_value <= 0.05)}


def one_good(count, metric, rng):
    """Ask whether one good detector among many blind ones is found, and no other."""
    drawn = s.Blind(s.clustered, 15, points=6000)(count - 1, rng)
    good = s.seeing(drawn.labels, rng, 0.25)
    named = {"good": good, **{f"d{n:02}": one for n, one in enumerate(drawn.detectors)}}
    found = aj.evaluate(drawn.labels, named, metric)
    others = any(is_better(found, name) for name in named if name != "good")
    return {"good one found": float(is_better(found, "good")), "any other": float(others)}


def flags_and_scores(metric, rng):
    """Ask whether any of four blind flags and four blind scores is called better, in one call."""
    drawn = s.Blind(s.white)(4, rng)
    named = {f"flags{n}": one for n, one in enumerate(drawn.detectors)}
    named |= {f"scores{n}": s.slow_scores(drawn.labels.size, rng) for n in range(4)}
    found = aj.evaluate(drawn.labels, named, metric)
    return {"any called better": float(any(is_better(found, name) for name in named))}


def all_perfect(count, metrics, rng):
    """Ask whether all of several perfect detectors are called better than chance."""
    drawn = s.perfect(count, rng)
    named = {f"d{number:02}": one for number, one in enumerate(drawn.detectors)}
    found = aj.evaluate(drawn.labels, named, metrics)
    return {"all called better": float(not found.failures(better_than_chance=True))}


def across_seeds(points, gain, metric, rng):
    """Ask whether the verdict on a weak detector changes with the seed, where there is one."""
    labels = s.placed(points, [20] * 12, rng)
    flags = s.seeing(labels, rng, gain)
    given = flags if "best" not in metric else flags + 0.5 * rng.random(points)
    verdicts = set()
    for seed in range(6):
        found = aj.evaluate(labels, given, metric, seed=seed)
        said = found.verdicts["detector"]
        if "on the line" not in said and "cannot be told" not in said:
            verdicts.add(is_better(found, "detector"))
    return {"verdict changes": float(len(verdicts) > 1)}


def one_event_each(share, count, metric, rng):
    """Ask whether a detector is called better over series of one event, some of them found."""
    labels, flags, ids = [], [], []
    for number in range(count):
        points, length = int(rng.integers(800, 2500)), int(rng.integers(20, 60))
        own = s.placed(points, [length], rng, 0.3)
        alarms = s.top(s.remembering(points, rng), 0.005)
        if rng.random() < share:
            alarms[np.flatnonzero(own)[length // 2]] = 1
        labels.append(own)
        flags.append(alarms)
        ids.append(np.full(points, number))
    columns = (np.concatenate(column) for column in (labels, flags, ids))
    own, alarms, series = columns
    found = aj.evaluate(own, alarms, metric, series=series)
    return {"called better": float(is_better(found, "detector"))}


def skilled(scene, gain, metric, rng, **how):
    """Ask whether a detector with some skill gets a small p-value and a good verdict."""
    drawn = scene(1, rng)
    scores = s.remembering(drawn.labels.size, rng) + gain * drawn.labels
    found = aj.evaluate(drawn.labels, s.top(scores, 0.03), metric, **how)
    small = float(found.rows[0].p_value <= 0.05)
    return {"p <= .05": small, "called better": float(is_better(found, "detector"))}


def seen(scene, sees, metric, rng):
    """Ask whether a detector with some skill is called better than chance."""
    labels, _, series = scene(1, rng)
    found = aj.evaluate(labels, sees(labels, rng), metric, series=series)
    better, warned = is_better(found, "detector"), warns(found.verdicts["detector"])
    return {"called better": float(better), WARNED: float(better and warned)}


def mean_held(scene, count, rng):
    """Ask whether the interval of a mean over series holds the mean over very many."""
    values, sets = scene(count, rng)
    found = mean_of(values[:, 0], sets)
    return covering(found.low, found.high, scene.mean)


def means_apart(scene, count, rng):
    """Ask whether two equally good detectors are told apart by their means over series."""
    values, sets = scene(count, rng)
    p = mean_difference(values[:, 0] - values[:, 1], sets).p_value
    return {APART: math.nan if math.isnan(p) else float(p <= 0.05)}


# The cells. Sizes are events unless series are said.

COVERS, APART, WIDE = "interval holds the truth", "separated", "width"
UNWARNED, WARNED = "called better, unwarned", "better, but warned"
AHEAD, LESS = "the first is ahead by", "the same, less optimism"
SAID_LESS = "optimism, said less true"
BOTH_AREAS = ("normal noise", "whole numbers")
BETTER, SMALL, ANY = "called better", "p <= .05", "any called better"
BELOW = "any called below"

# A detector that raises no alarm has no interval: of equal lengths .011 of the runs with 3 events.
INTERVALS = {  # scene: (what is drawn, sizes, least coverage, most without an interval)
    "equal lengths": (s.Found(), (3, 5, 10, 20, 50), 0.93, 0.02),
    "equal lengths, most found": (s.Found(found=s.most), (5, 10, 20, 50), 0.93, 0.0),
    "equal lengths, few found": (
        s.Found(found=s.evenly(0.15), false=s.steady(0.05)), (10, 20, 50), 0.93, 0.25,
    ),
    "lognormal lengths": (s.Found(s.lognormal), (5, 10, 20, 50), 0.93, 0.3),
    "lognormal lengths, long ones found": (
        s.Found(s.lognormal, s.long_ones), (5, 10, 20, 50), 0.93, 0.3,
    ),
    "Weibull lengths": (s.Found(s.weibull), (5, 10, 20, 50), 0.93, 0.3),
    "gamma lengths, long ones found": (s.Found(s.gamma, s.long_ones), (5, 10, 20, 50), 0.93, 0.3),
    "Pareto lengths": (s.Found(s.pareto), (5, 10, 20, 50), 0.88, 0.3),
    "stretches of all lengths": (
        s.Found(false=s.by_time, gaps=s.unequal), (5, 10, 20, 50), 0.93, 0.05,
    ),
    "bursts of false alarms": (s.Found(false=s.bursts), (5, 10, 20, 50), 0.88, 0.05),
    "storms over several stretches": (s.Found(false=s.storms), (10, 20, 50), 0.8, 0.05),
    "groups of 1 to 5 fare alike": (s.Found(found=s.in_groups), (10, 20, 50), 0.8, 0.0),
    "three in four fare like the last": (s.Found(found=s.like_the_last), (10, 20, 50), 0.65, 0.01),
    "day and night": (s.Found(found=s.by_day), (5, 10, 20, 50), 0.93, 0.0),
    "better from the middle on": (s.Found(found=s.better_later), (5, 10, 20, 50), 0.93, 0.0),
    "spells of nothing but alarm": (s.Found(spells=0.12), (5, 10, 20, 50), 0.88, 0.05),
    "nearly all found, hardly a false alarm": (
        s.Found(found=s.evenly(0.98), false=s.steady(0.03)), (5, 10, 20, 50), 0.93, 0.0,
    ),
    "alarms that last too long": (s.Found(lag=15), (5, 10, 20, 50), 0.93, 0.0),
    "events at both ends": (s.Found(ends=True), (5, 10, 20, 50), 0.93, 0.0),
    "geometric lengths": (s.Found(s.geometric), (5, 10, 20, 50), 0.93, 0.1),
    "half easy, half hard": (s.Found(found=s.of_two_kinds), (5, 10, 20, 50), 0.93, 0.05),
    "short ones easy, long ones hard": (
        s.Found(s.short_or_long, s.short_ones), (5, 10, 20, 50), 0.93, 0.05,
    ),
    "both of a pair found, or none": (s.Found(found=s.in_pairs), (10, 20, 50), 0.88, 0.05),
}  # fmt: skip
RARE = s.Found(false=s.by_time, gaps=s.one_in_fifteen_long)
METRICS = (  # of flags, and of scores, beside those above
    ("precision", "recall", "f1_pa", "f1_kpa", "event_precision", "mcc", "range_f1",
     "affiliation_f1", "tapr_f1", "nab", "segment_f1", "composite_f1", "delay_f1",
     "false_alarm_rate", "detection_delay"),
    ("auc_pr", "ap_ba(width=11)", "auc_roc_pa"),
)  # fmt: skip
MIXED = {
    "5 or 150 points": s.Found(s.mixed),
    "5 or 150 points, long ones found": s.Found(s.mixed, s.long_ones),
}
SERIES = {  # scene: (what is drawn, sizes in series, least coverage)
    "no effects": (s.InSeries(0.0), (3, 5, 10, 20), 0.93),
    "effects": (s.InSeries(), (3, 5, 10, 20), 0.93),
    "effects, 1 to 40 events": (s.InSeries(1.0, events=s.one_to_forty), (5, 10, 20), 0.92),
    "no effects, one event each": (s.InSeries(0.0, events=s.one_each), (5, 10, 20, 50), 0.93),
    "effects, a few long series": (s.InSeries(1.0, events=s.few_long), (10, 20), 0.92),
    "six in ten suit the detector": (s.InSeries(0.0, suits=0.6), (10, 20), 0.93),
    "six in ten suit the detector, few": (s.InSeries(0.0, suits=0.6), (3, 5), 0.7),  # a limit
    "one in ten full of false alarms": (s.InSeries(0.0, floods=0.1), (5, 10, 20), 0.55),  # the same
}
AREAS = {
    "normal noise": (s.Scored(), 0.88),
    "scores that remember, lognormal lengths": (s.Scored("remembering", s.lognormal), 0.88),
    "long events clearer": (s.Scored(lengths=s.lognormal, with_length=0.6), 0.88),
    "noise differs by stretch": (s.Scored("by stretch", s.lognormal), 0.88),
    "one stretch in ten raised": (s.Scored("raised"), 0.75),
    "gamma noise, gamma lengths": (s.Scored("gamma", s.gamma), 0.88),
    "heavy tails": (s.Scored("heavy tails"), 0.88),
    "whole numbers": (s.Scored("whole numbers"), 0.88),
    "wilder in the second half": (s.Scored("regime"), 0.88),
    "spikes": (s.Scored("spikes", gain=2.0), 0.88),
    "noise in a rhythm": (s.Scored("rhythm", gain=2.0), 0.88),
    "noise that wanders over several stretches": (s.Scored("wandering", gain=2.0), 0.8),
}
_SHORT_OR_LONG = lambda lengths, rng: rng.random(lengths.size) < np.where(lengths > 30, 0.95, 0.35)  # noqa: E731
FLAGS_OR_SCORES = s.FlagsOrScores(s.Scored(second=1.5), best_in_the_end(s.Scored(), BA))
EQUALS = {  # two detectors of the same value: (what is drawn, sizes, most told apart, metric)
    "same style": (s.Two(s.Found(), s.Found()), (5, 10, 20, 50), 0.08, BA),
    "same style, same luck": (s.Two(s.Found(), s.Found(), 0.8), (5, 10, 20, 50), 0.08, BA),
    "misses, or false alarms": (
        s.Two(
            s.Found(found=s.evenly(0.5), false=s.steady(0)),
            s.Found(found=s.most, false=s.steady(0.75)),
        ),
        (5, 10, 20, 50), 0.08, BA,
    ),
    "bursts, or steady": (
        s.Two(s.Found(false=s.bursts), s.Found(false=s.costs_as_much(s.bursts))),
        (5, 10, 20, 50), 0.08, BA,
    ),
    "5 or 150 points: finds long, or all alike": (
        s.Two(
            s.Found(s.mixed, _SHORT_OR_LONG),
            s.Found(s.mixed, s.finds_as_much(s.mixed, _SHORT_OR_LONG)),
        ),
        (10, 20, 50), 0.12, BA,
    ),
    "lognormal: finds long, or all alike": (
        s.Two(
            s.Found(s.lognormal, _SHORT_OR_LONG),
            s.Found(s.lognormal, s.finds_as_much(s.lognormal, _SHORT_OR_LONG)),
        ),
        (5, 10, 20, 50), 0.08, BA,
    ),
    "Weibull: finds long, or all alike": (
        s.Two(
            s.Found(s.weibull, _SHORT_OR_LONG),
            s.Found(s.weibull, s.finds_as_much(s.weibull, _SHORT_OR_LONG)),
        ),
        (10, 20, 50), 0.08, BA,
    ),
    "by day, or all alike": (
        s.Two(s.Found(found=s.by_day), s.Found(found=s.evenly(0.675))), (10, 20, 50), 0.08, BA,
    ),
    "same style, nearly the same luck": (s.Two(s.Found(), s.Found(), 0.95), (10, 20, 50), 0.08, BA),
    "half easy, half hard": (
        s.Two(s.Found(found=s.of_two_kinds), s.Found(found=s.evenly(0.575))),
        (5, 10, 20, 50), 0.08, BA,
    ),
    "both of a pair found, or none": (
        s.Two(s.Found(found=s.in_pairs), s.Found(found=s.in_pairs)), (10, 20, 50), 0.12, BA,
    ),
    "groups of 1 to 5 fare alike": (
        s.Two(s.Found(found=s.in_groups), s.Found(found=s.in_groups)), (10, 20, 50), 0.15, BA,
    ),
    "flags, or scores": (FLAGS_OR_SCORES, (10, 20, 50), 0.08, f"best({BA})"),
    "normal noise": (s.Scored(second=1.5), (5, 10, 20), 0.08, "ap"),
    "noise differs by stretch": (
        s.Scored("by stretch", s.lognormal, second=1.5), (5, 10, 20), 0.08, "ap",
    ),
    "whole numbers": (s.Scored("whole numbers", second=1.5), (10, 20), 0.08, "auc_roc"),
}  # fmt: skip
SELDOM = s.Found(found=s.evenly(0.15), false=s.steady(0.05))
DELAYS = {
    "equal lengths": (s.Found(), (5, 10)),
    "geometric lengths": (s.Found(s.geometric), (5, 10, 20)),
    "lognormal lengths": (s.Found(s.lognormal), (5, 10, 20)),
}
BELOW_CHANCE = {  # how many blind detectors in a call, what is drawn, metric
    "white": (20, s.Blind(points=1500), "f1_ba"),
    "slow scores": (20, s.Blind(s.slow_scores, points=1000), "ap"),
    "scores that rise, events early": (
        1, s.Blind(s.rising_scores, 10, s.equal, 1000, high=0.4), "auc_roc",
    ),
}  # fmt: skip
EQUAL_SERIES = {
    "effects": (s.InSeries(), (3, 5, 10, 20)),
    "no effects": (s.InSeries(0.0), (3, 5, 10, 20)),
    "effects, 1 to 40 events": (s.InSeries(1.0, events=s.one_to_forty), (5, 10, 20)),
}
_GOOD, _FAIR = (s.Found(found=s.evenly(p), false=s.steady(0.1)) for p in (0.85, 0.6))
POWER = {  # scene: (what is drawn, size, unit, least power)
    "85 % found against 60 %": (s.Two(_GOOD, _FAIR), 50, "events", 0.6),
    "no effects, far ahead": (s.InSeries(0.0, 1.5), 10, "series", 0.8),
    "effects, far ahead": (s.InSeries(1.5, 1.5), 20, "series", 0.4),
}
BLIND = {  # detectors that know nothing: (what is drawn, metric, most that are called better)
    "white": (s.Blind(), "f1_ba", 0.07),
    "clustered": (s.Blind(s.clustered), "f1_ba", 0.07),
    "in a rhythm": (s.Blind(s.comb), "f1_ba", 0.07),
    "sticky": (s.Blind(s.sticky), "f1_ba", 0.07),
    "three alarms": (s.Blind(s.sparse), "f1_ba", 0.07),
    "slow, lognormal events": (s.Blind(s.slow, 20, s.lognormal), "f1_ba", 0.07),
    "calm and wild": (s.Blind(s.nervous, 20, s.gamma), "f1_ba", 0.07),
    "two events": (s.Blind(s.clustered, 2), "f1_ba", 0.07),
    "one event": (s.Blind(s.white, 1), "f1_ba", 0.07),
    "two wide events": (s.Blind(s.slow, 2, s.of(200), 2000), "f1_ba", 0.07),
    "short series": (s.Blind(s.white, 3, s.of(4), 120), "f1_ba", 0.07),
    "four in ten points anomalous": (s.Blind(s.clustered, 12, s.of(100)), "f1_ba", 0.07),
    "silent at first, events later": (s.Blind(s.silent_first, low=0.15), "f1_ba", 0.07),
    "clustered, by ranges": (s.Blind(s.clustered, points=1000), "range_f1", 0.07),
    "clustered, by affiliation": (s.Blind(s.clustered, points=1000), "affiliation_f1", 0.07),
    "slow scores, by volumes": (
        s.Blind(s.slow_scores, 6, points=600),
        "vus_pr(window=8, thresholds=50)",
        0.07,
    ),
    "slow scores, point-adjusted": (s.Blind(s.slow_scores, points=1500), "best(f1_pa)", 0.07),
    "six series": (s.Blind(s.clustered, 12, series=6), "f1_ba", 0.07),
    "events at both ends": (lambda _, rng: s.at_both_ends(3000, rng), "f1_ba", 0.07),
    "white, pointwise": (s.Blind(), "f1", 0.07),
    "clustered, point-adjusted": (s.Blind(s.clustered), "f1_pa", 0.07),
    "clustered, by events": (s.Blind(s.clustered), "event_f1", 0.07),
    "scores, best": (s.Blind(s.ranks), "best(f1_ba)", 0.07),
    "slow scores, best": (s.Blind(s.slow_scores, 20, s.lognormal), "best(f1_ba)", 0.07),
    "whole numbers, best": (s.Blind(s.whole_numbers), "best(f1_ba)", 0.07),
    "slow scores": (s.Blind(s.slow_scores), "ap", 0.07),
    "slow scores, lognormal events": (s.Blind(s.slow_scores, 20, s.lognormal), "auc_roc", 0.07),
    "whole numbers": (s.Blind(s.whole_numbers), "ap", 0.07),
    "trend": (s.Blind(s.with_trend), "f1_ba", 0.07),
    "busy somewhere, events in groups": (s.Blind(s.busy_somewhere, 15, groups=3), "f1_ba", 0.07),
    "rising, events late": (s.Blind(s.rising, low=0.5), "f1_ba", 0.07),
    "more in the second half, events too": (s.Blind(s.second_half, low=0.5), "f1_ba", 0.07),
    "late only, events too": (s.Blind(s.late_only, 10, low=0.67), "f1_ba", 0.12),
    "spells of all lengths": (s.Blind(s.heavy_spells, 10, s.pareto, 2000), "f1_ba", 0.07),
    "deaf after an alarm": (s.Blind(s.deaf, 10, points=2000), "f1_ba", 0.07),
    "alarms by twos, events in groups": (s.Blind(s.in_pairs_too, 12, groups=6), "f1_ba", 0.07),
    "level that wanders": (s.Blind(s.wandering, 10, points=2000), "f1_ba", 0.07),
    "30 short series, one event each": (
        s.Blind(s.white, 30, s.of(8), 2400, series=30),
        "f1_ba",
        0.07,
    ),
    "series of all lengths": (s.unequal_series, "f1_ba", 0.07),
    "busy series have more events": (s.busy_series, "f1_ba", 0.07),
    "noise of all scales": (s.Blind(s.long_memory, 8, points=1500), "ap", 0.07),
    "noise of all scales, best": (s.Blind(s.long_memory, 8, s.geometric, 1500), "best(f1)", 0.07),
    "noise of all scales, whole numbers": (
        s.Blind(s.long_memory_whole, 8, points=1200),
        "best(f1_ba)",
        0.07,
    ),
    "scores that stand still": (s.Blind(s.with_pauses, 8, s.geometric, 1200), "best(f1_ba)", 0.07),
    "same distances as the events": (s.Regular(), "f1_ba", 0.15),
    "in the same 15 % as the events": (s.InOnePart(0.15, 0.08), "f1_ba", 0.25),
    "in the same 5 % as the events": (s.InOnePart(0.05, 0.12), "f1_ba", 0.6),
}
RING = {  # scores with a trend: the printed p-value
    "2 events of 200 points": s.Blind(s.with_trend, 2, s.of(200), 2000),
    "6 events of 60 points": s.Blind(s.with_trend, 6, s.of(60)),
    "20 lognormal events": s.Blind(s.with_trend, 20, s.lognormal),
}
NEARBY = {  # against places nearby alone
    "alarms in one fifth": s.Blind(s.busy_fifth, 20),
    "most alarms in some fifth, lognormal events": s.Blind(s.busy_somewhere, 20, s.lognormal),
    "most alarms in some fifth, events in groups": s.Blind(s.busy_somewhere, 15, groups=3),
    "more in the second half, events too": s.Blind(s.second_half, low=0.5),
    "white": s.Blind(),
}
READ_ANEW = ("range", "affiliation", "vus")  # at each shift, which is dear
SKILLED = {  # detectors with some skill: (what is drawn, how, metric, least called better)
    "a fair one": (s.Blind(), partial(s.seeing, gain=0.08), "f1_ba", 0.97),
    "a weak one": (s.Blind(), partial(s.seeing, gain=0.025), "f1_ba", 0.53),
    "one event, found": (s.Blind(events=1, lengths=s.of(8)), s.one_hit, "f1_ba", 0.5),
    "7 in 10 wide events": (s.Blind(events=8, lengths=s.of(60)), s.most_hit, "f1_ba", 0.83),
    "scores": (s.Blind(), partial(s.lifted, gain=1.0), "best(f1_ba)", 0.93),
    "faint scores": (s.Blind(), partial(s.lifted, gain=0.3), "ap", 0.75),
    "six series": (s.Blind(series=6), partial(s.seeing, gain=0.025), "f1_ba", 0.37),
}
RHYTHMS = {  # events and blind detectors that share the hour
    "alarms by the hour": (s.Daily(), "f1_ba"),
    "alarms by the hour, two in three events too": (s.Daily(by_the_hour=0.67), "f1_ba"),
    "alarms by the hour, days of 24 points": (s.Daily(24, 90, 20), "f1_ba"),
    "scores by the hour": (s.Daily(scored=True), "best(f1_ba)"),
    "faint scores by the hour": (s.Daily(scored=True, days=14, events=6), "ap"),
}
MEANS = {  # of values over series: (what is drawn, sizes in series)
    "beta(2, 2)": (s.Values(), (3, 5, 10, 20, 50)),
    "beta(1, 5)": (s.Values((1.0, 5.0)), (3, 5, 10, 20, 50)),
    "a third is 0": (s.Values(zeros=0.33), (3, 5, 10, 20, 50)),
    "data sets of 5, much alike": (s.Values(together=5, alike=0.8), (20, 50, 100)),
    "data sets of 5, much alike, a third is 0": (
        s.Values(zeros=0.33, together=5, alike=0.8), (20, 50, 100),
    ),
}  # fmt: skip
FAMILIES = {  # of 20 blind detectors
    "white": (s.Blind(), "f1_ba", 0.08),
    "clustered": (s.Blind(s.clustered), "f1_ba", 0.08),
    "slow, lognormal events": (s.Blind(s.slow, 20, s.lognormal), "f1_ba", 0.08),
    "slow scores": (s.Blind(s.slow_scores, points=1500), "best(f1_ba)", 0.08),
    "late only, events too": (s.Blind(s.late_only, 10, low=0.67), "f1_ba", 0.12),
    "spells of all lengths": (s.Blind(s.heavy_spells, 10, s.pareto, 2000), "f1_ba", 0.08),
    "busy series have more events": (s.busy_series, "f1_ba", 0.08),
    "noise of all scales": (s.Blind(s.long_memory, 8, points=1000), "ap", 0.08),
}


def interval_cells():
    """Give the cells about intervals of single series."""
    for scene, (drawn, sizes, least, refused) in INTERVALS.items():
        for size in sizes:
            widest = [Bound(WIDE, most=WIDTHS[scene, size])] if (scene, size) in WIDTHS else []
            run, bounds = partial(held, drawn, size, BA), (Bound(COVERS, least), *widest)
            yield Cell("intervals", scene, f"{size} events", BA, run, bounds, refused)
    for scene in ("equal lengths", "groups of 1 to 5 fare alike", "lognormal lengths"):
        for spec in ("event_recall", "event_f1", "f1"):
            drawn, _, least, refused = INTERVALS[scene]
            run, bounds = partial(held, drawn, 20, spec), (Bound(COVERS, min(least, 0.9)),)
            yield Cell("intervals", scene, "20 events", spec, run, bounds, refused)
    for scene, drawn in MIXED.items():
        for size in (5, 10, 20, 50):
            run, bounds = partial(held, drawn, size, BA), (Bound(COVERS),)
            yield Cell("intervals", scene, f"{size} events", BA, run, bounds)
            run, bounds = partial(held_of_such_lengths, drawn, size, BA), (Bound(COVERS, 0.95),)
            yield Cell("intervals", f"{scene}, of such lengths", f"{size} events", BA, run, bounds)
    scene = "one stretch in fifteen very long"
    for size in (10, 20, 50):
        run, bounds = partial(held, RARE, size, BA), (Bound(COVERS),)
        yield Cell("intervals", scene, f"{size} events", BA, run, bounds, 0.2)
        run, bounds = partial(held_if_seen, RARE, size, BA), (Bound(COVERS, 0.93),)
        yield Cell("intervals", f"{scene}, one was seen", f"{size} events", BA, run, bounds)


def metric_cells():
    """Give the cells about intervals of other metrics."""
    for scene, drawn, specs in (
        ("equal lengths", s.Found(), METRICS[0]),
        ("normal noise", s.Scored(), METRICS[1]),
    ):
        for spec in specs:
            run, bounds = partial(held, drawn, 20, spec), (Bound(COVERS, 0.88),)
            yield Cell("metrics", scene, "20 events", spec, run, bounds, share=0.5)


def unusual_cells():
    """Give the cells about values that few events have, or few series, or no score yet."""
    for scene, (drawn, sizes) in DELAYS.items():
        for size in sizes:
            run, bounds = partial(held, drawn, size, "detection_delay"), (Bound(COVERS, 0.9),)
            yield Cell("metrics", scene, f"{size} events", "detection_delay", run, bounds, 0.3)
    for size in (5, 10, 20):
        run, bounds = partial(held, SELDOM, size, "auc_roc"), (Bound(COVERS, 0.93),)
        yield Cell(
            "areas", "one event in seven found", f"{size} events", "auc_roc", run, bounds, 0.5
        )
    for count, spec in product((2, 3), ("auc_roc", "ap", BA)):
        run, bounds = (
            partial(unique_names, s.FewWithEvents(), count, spec),
            (Bound(APART, most=0.08),),
        )
        scene, size = "ten series without events beside these", f"{count} series"
        yield Cell("equals over series", scene, size, spec, run, bounds)
    for scene, (count, drawn, spec) in BELOW_CHANCE.items():
        run, bounds = partial(called_in_family, drawn, count, spec), (Bound(BELOW, most=0.08),)
        size = f"{count} detector{'s' * (count > 1)}"
        yield Cell("families", f"{scene}, below chance", size, spec, run, bounds, share=0.5)


def series_cells():
    """Give the cells about intervals over several series."""
    for scene, (drawn, sizes, least) in SERIES.items():
        for size in sizes:
            for spec in (BA, "event_recall"):
                run, bounds = partial(held, drawn, size, spec), (Bound(COVERS, least),)
                yield Cell("intervals over series", scene, f"{size} series", spec, run, bounds, 0.3)


def area_cells():
    """Give the cells about intervals of areas and of best thresholds."""
    for scene, (drawn, least) in AREAS.items():
        for size in (5, 10, 20, 50):
            for spec in ("ap", "auc_roc") if scene in BOTH_AREAS else ("ap",):
                run, bounds = partial(held, drawn, size, spec), (Bound(COVERS, least),)
                yield Cell("areas", scene, f"{size} events", spec, run, bounds, 0.3)
    for size in (5, 10):
        spec = "vus_pr(window=8, thresholds=50)"
        run, bounds = partial(held, s.Scored(), size, spec), (Bound(COVERS, 0.85),)
        yield Cell("areas", "normal noise", f"{size} events", spec, run, bounds, share=0.5)
    for scene, least in (("normal noise", 0.9), ("one stretch in ten raised", 0.8)):
        for size in (5, 10, 20):
            run = partial(held_later, AREAS[scene][0], size, BA)
            bounds = (Bound(COVERS, least), Bound(SAID_LESS))
            yield Cell("best", scene, f"{size} events", f"best({BA})", run, bounds, share=0.5)


def mean_cells():
    """Give the cells about means over series, as in rankings."""
    for scene, (drawn, sizes) in MEANS.items():
        for size in sizes:
            run, bounds = partial(mean_held, drawn, size), (Bound(COVERS, 0.93),)
            yield Cell("means", scene, f"{size} series", "mean", run, bounds, 0.5)
            run, bounds = partial(means_apart, drawn, size), (Bound(APART, most=0.07),)
            yield Cell("pairs", scene, f"{size} series", "mean difference", run, bounds, 0.5)


def compare_cells():
    """Give the cells about two detectors."""
    for scene, (drawn, sizes, most, spec) in EQUALS.items():
        for size in sizes:
            run = partial(compared, drawn, size, spec)
            more = (Bound(AHEAD), Bound(LESS, -0.05, 0.05)) if "flags" in scene else ()
            least = -math.inf if scene.startswith("5 or 150") else 0.88  # unseen long events
            bounds = (Bound(APART, most=most), Bound("difference held", least), *more)
            yield Cell("equals", scene, f"{size} events", spec, run, bounds)
    for scene, (drawn, sizes) in EQUAL_SERIES.items():
        for size in sizes:
            run = partial(compared, drawn, size, BA)
            bounds = (Bound(APART, most=0.08), Bound("difference held", 0.92))
            yield Cell("equals over series", scene, f"{size} series", BA, run, bounds, 0.3)
    for scene, (drawn, size, unit, least) in POWER.items():
        run, bounds = partial(compared, drawn, size, BA), (Bound(APART, least),)
        yield Cell("power", scene, f"{size} {unit}", BA, run, bounds)
    run = partial(told_at_number, s.Two(_GOOD, _FAIR), 60, BA)
    bounds = (Bound("seen on new events", 0.6),)
    yield Cell("power", "as many new events as it takes", "60 events", BA, run, bounds)


def verdict_cells():
    """Give the cells about chance."""
    for scene, (drawn, spec, most) in BLIND.items():
        warned = (Bound(UNWARNED, most=0.07),) if most > 0.07 else ()
        run, bounds = (
            partial(called, drawn, spec),
            (Bound(BETTER, most=most), Bound(SMALL), *warned),
        )
        share = 0.1 if spec.startswith(READ_ANEW) else 1.0
        yield Cell("blind", scene, "alone", spec, run, bounds, share=share)
    for scene, (drawn, sees, spec, least) in SKILLED.items():
        run = partial(seen, drawn, sees, spec)
        bounds = (Bound(BETTER, least), Bound(WARNED, most=0.15))
        yield Cell("skill", scene, "alone", spec, run, bounds)
    for scene, drawn in RING.items():
        bounds = (Bound(SMALL, most=0.07), Bound(BETTER, most=0.07))
        yield Cell("ring", scene, "alone", "f1_ba", partial(called, drawn, "f1_ba"), bounds)
        run, bounds = partial(skilled, drawn, 1.0, "f1_ba"), (Bound(SMALL, RING_SKILL[scene]),)
        yield Cell("ring", f"{scene}, some skill", "alone", "f1_ba", run, bounds)
    for scene, drawn in NEARBY.items():
        run = partial(called, drawn, "f1_ba", null="nearby")
        yield Cell("nearby", scene, "alone", "f1_ba", run, (Bound(SMALL, most=0.07),))


def family_cells():
    """Give the cells about several detectors in one call, and about other seeds."""
    for scene, (drawn, spec, most) in FAMILIES.items():
        run, bounds = partial(called_in_family, drawn, 20, spec), (Bound(ANY, most=most),)
        yield Cell("families", scene, "20 detectors", spec, run, bounds, share=0.5)
    run, bounds = partial(flags_and_scores, None), (Bound(ANY, most=0.08),)
    yield Cell("families", "flags and scores", "8 detectors", "default", run, bounds, share=0.5)
    good = (Bound("good one found", 0.95), Bound("any other", most=0.08))
    run = partial(one_good, 50, "f1_ba")
    yield Cell("families", "one good", "50 detectors", "f1_ba", run, good, share=0.25)
    for spec in ("best(f1_ba)", "auc_roc", "best(f1)"):
        bounds = (Bound("all called better", 1.0, always=True),)
        run = partial(all_perfect, 12, spec)
        yield Cell("families", "all perfect", "12 detectors", spec, run, bounds, share=0.05)
    never = (Bound("verdict changes", most=0.0, always=True),)
    for points, spec in ((12_000, "f1_ba"), (40_000, "f1_ba"), (4000, "best(f1_ba)")):
        run = partial(across_seeds, points, 0.018, spec)
        size = f"{points:,} points, 6 seeds"
        yield Cell("seeds", "a weak detector", size, spec, run, never, share=0.1)
    for scene, (drawn, spec) in RHYTHMS.items():
        run, bounds = partial(called, drawn, spec), (Bound(UNWARNED, most=0.07), Bound(BETTER))
        yield Cell("rhythm", scene, "alone", spec, run, bounds)
        if SEASONAL:
            run = partial(called, drawn, spec, null="seasonal", period=drawn.day)
            bounds = (Bound(BETTER, most=0.07), Bound(SMALL, most=0.07))
            yield Cell("rhythm", f"{scene}, moved by whole days", "alone", spec, run, bounds)
    for count in (2, 5, 20):
        run, bounds = partial(one_event_each, 0.0, count, "f1_ba"), (Bound(BETTER, most=0.07),)
        yield Cell("pooled", "one event, blind", f"{count} series", "f1_ba", run, bounds)
    for count, least in ((5, 0.4), (20, 0.8)):
        run = partial(one_event_each, 0.6, count, "f1_ba")
        bounds = (Bound(BETTER, least),)
        yield Cell("pooled", "one event, 6 in 10 found", f"{count} series", "f1_ba", run, bounds)


def _is_known(null):
    from adjudge.noise.null_models import NULLS  # noqa: PLC0415 - asked once

    return null in NULLS


SEASONAL = _is_known("seasonal")
WIDTHS = {("equal lengths", 20): 0.353}
"""The widest mean interval that is allowed: 1.15 of what drawn intervals had on the same scene."""
RING_SKILL = dict(zip(RING, (0.525, 0.81, 0.83), strict=True))
"""The least power of the printed p-value: .03 below that of islands cut at the series' ends."""
CELLS = [
    *interval_cells(),
    *metric_cells(),
    *unusual_cells(),
    *series_cells(),
    *area_cells(),
    *mean_cells(),
    *compare_cells(),
    *verdict_cells(),
    *family_cells(),
]


def made(place, seed, first, count):
    """Make some runs of a cell, in whichever process: a row per run, a column per bound."""
    cell = CELLS[place]
    rows = []
    for run in range(first, first + count):
        found = cell.trial(np.random.default_rng([seed, crc32(cell.name.encode()), run]))
        rows.append([found[bound.quantity] for bound in cell.bounds])
    return place, rows


def lines_of(cell, rows):
    """Sum the runs of a cell up: a line for each quantity."""
    values = np.array(rows, float)
    for bound, column in zip(cell.bounds, values.T, strict=True):
        given = column[~np.isnan(column)]
        unanswered = 1 - given.size / column.size
        value, error = summed_up(given)
        verdict = outcome(value, error, bound) or (
            "refuses"
            if unanswered > cell.unanswered + 2 * share_error(unanswered, column.size)
            else ""
        )
        if not str(bound):
            verdict = ""
        yield Line(
            cell.table, cell.scene, cell.size, cell.metric, bound.quantity, value, error,
            given.size, unanswered, str(bound), verdict,
        )  # fmt: skip


def summed_up(given):
    """Give the mean and its standard error; of shares, one that is not 0 where all are alike."""
    if not given.size:
        return math.nan, math.nan
    if set(given.tolist()) <= {0.0, 1.0}:
        return float(given.mean()), share_error(given.mean(), given.size)
    return float(given.mean()), float(given.std(ddof=1) / math.sqrt(given.size))


def share_error(share, runs):
    """Give the standard error of a share, with a success and a failure more than there were."""
    pulled = (share * runs + 1) / (runs + 2)
    return math.sqrt(pulled * (1 - pulled) / runs)


def outcome(value, error, bound):
    """Say whether a value lies outside its bound."""
    if math.isnan(value):
        return ""
    room = 0 if bound.always else 2 * error
    outside = value < bound.least - room or value > bound.most + room
    return "FAIL" if outside else ""


def run_all(places, runs, seed, jobs, tell):
    """Make all runs of the cells; give the lines of each cell as soon as it is done, in order."""
    parts = []
    for place in places:
        count = max(10, round(runs * CELLS[place].share))
        parts += [(place, seed, k, min(CHUNK, count - k)) for k in range(0, count, CHUNK)]
    rows: dict[int, list[Any]] = {}
    left = {place: sum(part[0] == place for part in parts) for place in places}
    done = 0
    with ProcessPoolExecutor(jobs) as pool:
        make = pool.map if jobs > 1 else map
        for place, part in make(made, *zip(*parts, strict=True)):
            rows.setdefault(place, []).extend(part)
            left[place] -= 1
            done += 1
            tell(done, len(parts), CELLS[place].name)
            if not left[place]:
                yield from lines_of(CELLS[place], rows.pop(place))


def shown(line):
    """Write a line of the table."""
    name = f"{line.table}: {line.scene}, {line.size}"
    none = f"{line.unanswered:.2f}" if line.unanswered else ""
    return (
        f"{name:<64} {line.metric:<22} {line.quantity:<24} {line.value:>7.3f} {line.error:>6.3f} "
        f"{line.bound:<10} {none:>5} {line.verdict}"
    )


def main():
    """Make the runs that were asked for, and say what fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=400, help="runs a cell; dear cells make fewer")
    parser.add_argument("--only", nargs="+", default=["*"], help="patterns of cells' names")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", help="also write the lines there, for tools/make.py referee")
    parser.add_argument("--list", action="store_true", help="print the cells alone")
    asked = parser.parse_args()
    places = [
        place
        for place, cell in enumerate(CELLS)
        if any(fnmatch(cell.name, f"*{pattern}*") for pattern in asked.only)
    ]
    if asked.list or not places:
        print("\n".join(CELLS[place].name for place in places) or "no cell has such a name")
        return 0 if places else 2
    begun = time.monotonic()

    def tell(done, total, name):
        left = (time.monotonic() - begun) / done * (total - done)
        text = f"{done}/{total}, {left / 60:.1f} min left: {name}"[:100]
        if sys.stderr.isatty():
            print(f"\r{text:<100}", end="\n" * (done == total), file=sys.stderr, flush=True)
        elif done * 20 // total > (done - 1) * 20 // total:
            print(text, file=sys.stderr, flush=True)

    head = ("cell", "metric", "quantity", "value", "s.e.", "bound", "none")
    print("{:<64} {:<22} {:<24} {:>7} {:>6} {:<10} {:>5}".format(*head))
    lines = []
    for line in run_all(places, asked.runs, asked.seed, asked.jobs, tell):
        lines.append(line)
        print(shown(line), flush=True)
    if asked.json:
        made_of = {"runs": asked.runs, "seed": asked.seed, "version": aj.__version__}
        text = json.dumps({**made_of, "lines": [line._asdict() for line in lines]}, indent=1)
        Path(asked.json).write_text(text + "\n", encoding="utf-8")
    failed = [line for line in lines if line.verdict]
    held_to = sum(bool(line.bound) for line in lines)
    print(
        f"\n{len(failed)} of {held_to} bounds not kept, {asked.runs} runs a cell, seed {asked.seed}"
    )
    for line in failed:
        print(f"  {shown(line)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
