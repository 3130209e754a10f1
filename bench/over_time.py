"""The gate *worse than in the four weeks before*: how often it fails a detector.

    python bench/over_time.py [WORLDS]

Worlds of five weeks, a point every ten minutes. Of a stable detector the gate may fail at most one
world in twenty; of one that finds fewer events, or alarms more often, in the last week: as many as
it can see.
"""

import sys

import numpy as np

import adjudge as aj

DAY, DAYS = 144, 35
METRICS = ["f1_ba(width=13)", "event_recall", "event_precision", 'false_alarms(per="1d")']
TIME = np.datetime64("2026-01-05", "ns") + np.arange(DAY * DAYS) * np.timedelta64(10, "m")


def world(rng, *, events, found, false, bursts, drift):
    """Labels and flags; in the last week so many times fewer hits and more false alarms."""
    labels, flags = np.zeros((2, DAY * DAYS), bool)
    for start in rng.integers(0, labels.size - 24, rng.poisson(events * DAYS)):
        size, new = int(rng.integers(3, 24)), start >= labels.size - 7 * DAY
        labels[start : start + size] = True
        if rng.random() < found / (drift if new else 1):
            flags[start + int(rng.integers(0, size)) :][:2] = True
    for start in rng.integers(0, labels.size - 24, rng.poisson(false * DAYS / bursts)):
        again = drift if start >= labels.size - 7 * DAY else 1
        for at in rng.integers(start, start + 24, rng.poisson(bursts * again)):
            flags[at : at + 2] = True
    return labels, flags


SCENES = {
    "2 events a day": {"events": 2, "found": 0.7, "false": 3, "bursts": 1},
    "1 event in 2 days": {"events": 0.5, "found": 0.7, "false": 3, "bursts": 1},
    "bursts of 6 false alarms": {"events": 1, "found": 0.7, "false": 3, "bursts": 6},
    "weak": {"events": 1, "found": 0.3, "false": 6, "bursts": 1},
}


def main(worlds):
    """Print how often the gate fails, for each scene, drift and metric."""
    print(f"{'scene':28}{'drift':>6}  " + "  ".join(f"{m:>22}" for m in METRICS))
    for drift in (1, 2, 4):
        for name, scene in SCENES.items():
            rng = np.random.default_rng(7)
            fails = np.zeros(len(METRICS))
            for _ in range(worlds):
                labels, flags = world(rng, **scene, drift=drift)
                found = aj.over_time(labels, flags, METRICS, window="1w", time=TIME, chance=False)
                alone = [found.compare("detector", metric, "4w") for metric in METRICS]
                fails += [one.worse for one in alone]
            shares = "  ".join(f"{share:>22.3f}" for share in fails / worlds)
            print(f"{name:28}{drift:>6}  {shares}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
