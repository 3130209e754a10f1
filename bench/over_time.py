"""The gate *worse than in the weeks before*: how often it fails a detector.

    python bench/over_time.py [WORLDS [WEEKS]]

A world is what each day of the weeks before and of the newest one holds: events, those found, false
alarms, normal time. Of a detector that stays as it is the gate may fail one world in twenty; of one
that finds less, or alarms more often, in the newest week: as many as it can see. `SCENES` are those
by which the gate was made, `OTHERS` were written down before it ran on them for the first time.
"""

# ruff: noqa: ARG001, ARG005 - every scene is given the same
import sys

import numpy as np

import adjudge as aj
from adjudge.judging.over_time.two_rates import TwoRates

METRICS = {
    "recall": aj.event_recall, "false alarms": aj.metric("false_alarms(per=100)"), "F1": aj.f1,
    "precision": aj.precision,
}  # fmt: skip
HOURS = 24


def wandering(rng, n, memory):
    """A level that wanders about 0, each day like the one before."""
    level = np.empty(n)
    level[0] = rng.normal()
    for day in range(1, n):
        level[day] = memory * level[day - 1] + np.sqrt(1 - memory**2) * rng.normal()
    return level


def spells(rng, n, once_in, lasts, high, low):
    """A rate that is high for some days, now and then."""
    rate = np.full(n, low)
    for day in np.flatnonzero(rng.random(n) < 1 / once_in):
        rate[day : day + lasts] = high
    return rate


def logistic(x):
    return 1 / (1 + np.exp(-x))


def by_memory(memory):
    def scene(rng, n, newest):
        x = wandering(rng, n, memory)
        return {"recall": logistic(1 + 1.2 * x), "false": 0.02 * np.exp(0.8 * x - 0.32)}

    return scene


def weekend(n):
    return np.arange(n) % 7 >= 5


SCENES = {
    "nothing changes": lambda rng, n, newest: {},
    "events a third as often": lambda rng, n, newest: {"events": np.where(newest, 0.7, 2.0)},
    "events three times as often": lambda rng, n, newest: {"events": np.where(newest, 5.0, 1.5)},
    "memory .8": by_memory(0.8),
    "memory .5": by_memory(0.5),
    "spells of false alarms": lambda rng, n, newest: {"false": spells(rng, n, 14, 3, 0.25, 0.01)},
    "noisy weekends": lambda rng, n, newest: {
        "false": np.where(weekend(n), 0.1, 0.01), "events": np.where(weekend(n), 0.5, 2.6)},
    "an event in two days": lambda rng, n, newest: {"events": np.full(n, 0.5)},
}  # fmt: skip
OTHERS = {
    "nearly all found": lambda rng, n, newest: {
        "recall": np.full(n, 0.97), "events": np.full(n, 3.0)},
    "hardly any found": lambda rng, n, newest: {"recall": np.full(n, 0.15)},
    "false alarms in sixes": lambda rng, n, newest: {"clump": 6, "false": np.full(n, 0.01)},
    "days of storms": lambda rng, n, newest: {
        "events": np.where(rng.random(n) < 0.15, 9.0, 0.6), "recall": rng.beta(2, 1, n)},
    "half the days half watched": lambda rng, n, newest: {
        "hours": np.where(rng.random(n) < 0.5, 10, 24)},
    "no events at weekends": lambda rng, n, newest: {"events": np.where(weekend(n), 0.02, 2.0)},
    "a rhythm of ten days": lambda rng, n, newest: {
        "false": 0.03 * (1 + 0.9 * np.sin(2 * np.pi * (np.arange(n) + rng.integers(10)) / 10))},
    "an event in four days": lambda rng, n, newest: {"events": np.full(n, 0.25)},
    "newest week half watched": lambda rng, n, newest: {"hours": np.where(newest, 12, 24)},
    "weeks differ": lambda rng, n, newest: {
        "false": 0.02 * np.exp(0.4 * rng.normal(size=n // 7)).repeat(7)},
}  # fmt: skip
CHANGES = [
    ("nothing changes", 3, 0.0), ("noisy weekends", 3, 0.0), ("memory .5", 3, 0.0),
    ("nothing changes", 1, 0.3), ("memory .5", 1, 0.3),
]  # fmt: skip
"""What changes in the newest week: so many times the false alarms, so much less recall."""


def world(rng, scene, weeks, times, drop):
    """The sums of each day: found, truth, right, flagged, normal."""
    n = 7 * (weeks + 1)
    newest = np.arange(n) >= n - 7
    own = {"events": np.full(n, 2.0), "recall": np.full(n, 0.7), "false": np.full(n, 0.02),
           "clump": 1, "hours": np.full(n, HOURS)} | scene(rng, n, newest)  # fmt: skip
    events = rng.poisson(own["events"] * own["hours"] / HOURS)
    found = rng.binomial(events, np.clip(own["recall"] - drop * newest, 0, 1))
    normal = np.maximum(own["hours"] - 2 * events, 4)
    rate = np.minimum(own["false"] * np.where(newest, times, 1), 0.9)
    false = own["clump"] * rng.binomial(normal, rate)
    return np.stack([found, events, found, found + false, normal], 1).astype(float)


def share(scene, metric, worlds, weeks, times=1, drop=0.0):
    """How often the gate fails."""
    lower, failed = metric.row.better == "lower", 0
    for run in range(worlds):
        sums = world(np.random.default_rng([29, run]), scene, weeks, times, drop)
        rates = TwoRates.of(metric.value, sums, sums[:, 4], 7)
        found = rates.compared(lower=lower)
        worse = found.now > found.before if lower else found.now < found.before
        failed += bool(worse and found.p_value <= 0.05)
    return failed / worlds


def main(worlds, weeks):
    """Print how often the gate fails, for each scene, change and metric."""
    print(f"{worlds:,} worlds, {weeks} weeks before; share that fails")
    print(f"{'scene':48}" + "".join(f"{name:>14}" for name in METRICS))
    plain = [(name, 1, 0.0) for name in (SCENES | OTHERS)]
    for name, times, drop in plain + CHANGES:
        scene = (SCENES | OTHERS)[name]
        change = f", false alarms x {times}" * (times > 1) + f", recall -{drop}" * (drop > 0)
        shares = [share(scene, metric, worlds, weeks, times, drop) for metric in METRICS.values()]
        print(f"{name + change:48}" + "".join(f"{one:>14.3f}" for one in shares), flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in (*sys.argv[1:], *("400", "4")[len(sys.argv) - 1 :])))
