"""Whether `adjudge.decide` keeps its word: 400 simulated worlds, each with fresh weeks to pay on.

A world is a detector with a service: how often incidents come and how long they last, how well each
shows in the score, how noisy the score is and how bursts of noise cluster. Some weeks of it are
given to `decide`, and sixty others to the candidate that it chose. Its mean cost there must
lie in the printed interval in .90 to .98 of the worlds. In worlds where the score knows nothing it
must say in at least .93 that it is not shown to be cheaper than no detector. And how often it says
so of a good detector: one that costs less than .6 of the cheapest rule without data on these sixty.

    python bench/decide.py                 # about ten minutes
    python bench/decide.py --worlds 50
"""

import argparse
import json
from pathlib import Path

import numpy as np
from scipy.signal import lfilter

import adjudge as aj

STEP = np.timedelta64(5, "m")
WEEK = 2016
FRESH = 60
THRESHOLDS = (1.5, 2.0, 2.5, 3.0, 3.5, 4.0)
CANDIDATES = [
    *(f"policy({at})" for at in THRESHOLDS),
    *(f'policy({at}, after="10min")' for at in THRESHOLDS),
    *(f'policy({at}, after="5min", keep="15min")' for at in THRESHOLDS),
]


class World:
    """A detector with a service, from which any number of weeks can be drawn."""

    def __init__(self, seed, *, noise, weeks):
        rng = np.random.default_rng([20261116, seed])
        self.rng = rng
        self.weeks = int(rng.integers(*weeks))
        self.incidents = rng.uniform(1, 4)  # a week
        self.length = rng.uniform(6, 30)  # points
        self.shown = 0.0 if noise else rng.uniform(1, 4)  # how high incidents stand
        self.uneven = 0.0 if noise else rng.uniform(0, 1.5)  # how much that differs
        self.memory = rng.uniform(0, 0.9)
        self.bursts = rng.uniform(0, 3)  # of noise, a week
        self.costs = aj.costs(
            miss=float(rng.choice([200, 500, 2000])),
            false=20,
            night=float(rng.choice([0, 30])),
            delay=str(rng.choice(["0.5/min", "2/min"])),
        )

    def drawn(self, weeks):
        """Labels, scores and times of some weeks."""
        rng, n = self.rng, weeks * WEEK
        labels, lift = np.zeros(n, int), np.zeros(n)
        for _ in range(rng.poisson(self.incidents * weeks)):
            start, length = int(rng.integers(0, n - 40)), 1 + int(rng.exponential(self.length))
            length = min(length, 300, n - start)
            labels[start : start + length] = 1
            lift[start : start + length] = self.shown + self.uneven * rng.normal()
        white = rng.normal(size=n)
        scores = lfilter([np.sqrt(1 - self.memory**2)], [1, -self.memory], white)
        for _ in range(rng.poisson(self.bursts * weeks)):
            start = int(rng.integers(0, n - 40))
            scores[start : start + int(rng.integers(3, 40))] *= 2
        return labels, scores + lift, np.datetime64("2026-01-05T00:00") + np.arange(n) * STEP


def mean_cost(name, labels, scores, time, costs):
    """What a candidate costs a week; silence where none was allowed."""
    at = np.inf if name == "paging nobody" else name
    return float(costs(labels, scores, at=at, time=time))


def judged(seed, *, noise, weeks):
    """What `decide` says in one world, and what its choice really costs there."""
    world = World(seed, noise=noise, weeks=weeks)
    labels, scores, time = world.drawn(world.weeks)
    found = aj.decide(labels, scores, CANDIDATES, costs=world.costs, time=time)
    row = {"seed": seed, "cheaper": found.cheaper_than_none, "honest": found.honest}
    row |= {"paid": [fold.paid for fold in found.folds], "dearest": found.table.dearest}
    row |= {"low": found.low, "high": found.high, "hindsight": found.per_week}
    if not noise:
        labels, scores, time = world.drawn(FRESH)
        chosen = [found.choice, *found.chosen]
        paid = {name: mean_cost(name, labels, scores, time, world.costs) for name in set(chosen)}
        row["fresh"] = paid[found.choice]
        (silent,) = aj.evaluate(labels, labels, world.costs, time=time, chance=False).rows
        row["without data"] = min(silent.without_data.values())
        row["fresh_of_folds"] = sum(paid[name] * n for name, n in found.chosen.items()) / len(
            found.folds
        )
    return row


def _good(row):
    return row["fresh"] < 0.6 * row["without data"]


def summary(rows, noisy):
    """The shares that are promised."""
    known = [row for row in rows if np.isfinite(row["low"])]
    inside = [row["low"] <= row["fresh"] <= row["high"] for row in known]
    folds = [row["low"] <= row["fresh_of_folds"] <= row["high"] for row in known]
    below = [row["fresh"] < row["low"] for row in known]
    unsure = [row for row in known if not row["cheaper"]]
    told = [row for row in noisy if row["cheaper"] is not None]
    return {
        "worlds": len(rows),
        "with an interval": len(known),
        "fresh cost of the choice in the interval": float(np.mean(inside)),
        "fresh cost of choosing like this in the interval": float(np.mean(folds)),
        "below it": float(np.mean(below)),
        "hindsight / fresh, mean": float(
            np.mean([r["hindsight"] for r in known]) / np.mean([r["fresh"] for r in known])
        ),
        "honest / fresh, mean": float(
            np.mean([r["honest"] for r in known]) / np.mean([r["fresh"] for r in known])
        ),
        "shown to be cheaper than no detector": float(np.mean([r["cheaper"] for r in known])),
        "not shown": len(unsure),
        "of these, cost less than .6 of no detector": sum(map(_good, unsure)),
        "not shown, of all that cost less than .6": float(
            np.mean([not row["cheaper"] for row in known if _good(row)])
        ),
        "noise: told": len(told),
        "noise: not shown to be cheaper": float(np.mean([not row["cheaper"] for row in told])),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=400)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--weeks", type=int, nargs=2, default=(12, 27), help="from, and below")
    parser.add_argument("--json", help="write every world there")
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.worlds)
    rows = [judged(seed, noise=False, weeks=given.weeks) for seed in seeds]
    noisy = [judged(seed, noise=True, weeks=given.weeks) for seed in seeds]
    for name, value in summary(rows, noisy).items():
        print(f"{name:<52} {value:.3f}" if isinstance(value, float) else f"{name:<52} {value}")
    if given.json:
        Path(given.json).write_text(json.dumps({"worlds": rows, "noise": noisy}), "utf-8")


if __name__ == "__main__":
    main()
