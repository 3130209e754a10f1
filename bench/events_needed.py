"""Ask whether `events_needed` is right: how many events it takes to tell a detector from luck.

Run ``python bench/events_needed.py [--runs 250]``. The true number is where the share of fresh
draws with p <= .05 reaches .8. Next to it is what a row says from fewer or more events, and how
often its range, from `events_needed_low` to `events_needed_high`, covers the true number: it should
in four cases of five.
"""

from __future__ import annotations

import argparse

import numpy as np

import adjudge as aj

GAP, LENGTH, FALSE = 60, 10, 0.4
"""Normal points before an event on average, points of an event, false alarms before it."""
SIZES = (4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60, 80)
PILOTS = (5, 10, 20, 40)
CASES = (
    ("f1_ba(width=11)", 0.45),
    ("event_f1", 0.5),
    ("f1_ba(width=11)", 0.27),
    ("event_f1", 0.27),
)


def drawn(events, found, rng):
    """Draw labels and flags: each event is found by one point, or missed."""
    labels, flags = [], []
    for _ in range(events):
        calm = np.zeros(rng.integers(GAP // 2, GAP * 3 // 2))
        calm[rng.integers(len(calm), size=rng.poisson(FALSE))] = 1
        hit = np.zeros(LENGTH)
        hit[rng.integers(LENGTH)] = rng.random() < found
        labels += [np.zeros(len(calm)), np.ones(LENGTH)]
        flags += [calm, hit]
    end = np.zeros(GAP // 2)
    return np.concatenate([*labels, end]), np.concatenate([*flags, end])


def row(events, metric, found, rng):
    """Judge one draw."""
    return aj.evaluate(*drawn(events, found, rng), metric).rows[0]


def true_number(metric, found, runs, rng):
    """Find the number of events at which four draws of five are told from luck."""
    shares = []
    for size in SIZES:
        told = [row(size, metric, found, rng).p_value <= 0.05 for _ in range(runs)]
        shares.append(float(np.mean(told)))
        if shares[-1] > 0.9:
            break
    return float(np.interp(0.8, shares, SIZES[: len(shares)]))


def main() -> None:
    """Print a line for each detector and number of events."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=250)
    runs = parser.parse_args().runs
    rng = np.random.default_rng(5)
    for metric, found in CASES:
        truth = true_number(metric, found, runs, rng)
        for size in PILOTS:
            rows = [row(size, metric, found, rng) for _ in range(runs)]
            said = [r for r in rows if r.events_needed is not None]
            holds = [r.events_needed_low <= truth <= (r.events_needed_high or np.inf) for r in said]
            middle = np.median([r.events_needed for r in said])
            print(
                f"{metric:16} finds {found:.0%}  needs {truth:4.1f}  from {size:2} events: median "
                f"{middle:3.0f}, range holds {np.mean(holds):.2f}"
                f" of {len(said)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
