"""How often any of eight blind detectors is called better than chance: wrong verdicts of a family.

Run as ``python bench/families.py [--sets N]``. Each set has 300 points, seven events and eight
detectors that know nothing: wandering ones, ones that are much alike, and ones with heavy tails of
which half are rounded. Printed are the shares of sets with any verdict, and with any p-value of at
most 0.05 before the adjustment.
"""

from __future__ import annotations

import argparse

import numpy as np

import adjudge as aj

POINTS, DETECTORS, METRICS = 300, 8, ["best(f1_ba)", "ap"]


def drawn(kind: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels, and the scores of detectors of a kind."""
    rng = np.random.default_rng(10_000 + seed)
    labels = np.zeros(POINTS, int)
    for start in rng.choice(10, size=7, replace=False) * 30 + rng.integers(0, 16):
        labels[start : start + int(rng.integers(3, 14))] = 1
    scores = rng.normal(size=(DETECTORS, POINTS))
    if kind == "wandering":
        for place in range(1, POINTS):
            scores[:, place] += 0.9 * scores[:, place - 1]
    if kind == "alike":
        scores = 0.6 * scores + rng.normal(size=POINTS)
    if kind == "heavy tails":
        scores = scores**3 * np.linspace(0.5, 2, DETECTORS)[:, np.newaxis]
        scores[::2] = np.round(scores[::2])
    return labels, scores


def main() -> None:
    """Draw the sets and print a line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=1000)
    sets = parser.parse_args().sets
    for kind in ("wandering", "alike", "heavy tails"):
        wrong = np.zeros((2, len(METRICS)))
        for seed in range(sets):
            labels, scores = drawn(kind, seed)
            found = aj.evaluate(labels, {f"d{k}": one for k, one in enumerate(scores)}, METRICS)
            for place, metric in enumerate(METRICS):
                rows = [row for row in found.rows if row.requested == metric]
                wrong[0, place] += any(row.p_adjusted <= 0.05 and row.decided for row in rows)
                wrong[1, place] += any(row.p_joint <= 0.05 for row in rows)
        called, before = (wrong / sets).round(3).tolist()
        print(f"{kind}: {METRICS} called better {called}, before the adjustment {before}")


if __name__ == "__main__":
    main()
