"""Hold our experiments against the paper's: binned curves of the four F1 scores, side by side.

Run as ``python bench/study_curves.py [--experiments N] [--seed S] [--jobs J] [--out DIR]``. The
authors' numbers are the binned means of the table they released (tests/golden/study_curves.json).
"""

import argparse
import json
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from adjudge.lab.study.runner import study

GOLDEN = Path(__file__).parent.parent / "tests" / "golden" / "study_curves.json"
SCORES = ("f1", "f1_pa", "f1_kpa", "f1_ba_authors")
FIGURES = ("precision", "recall", "separation")
LEAST = 50
"""Rows that a bin needs on both sides to be compared."""
ON_AVERAGE, ANYWHERE = 0.03, 0.08
"""How far the curves may lie apart: over all bins of a figure, and in any single one."""


class Bin(NamedTuple):
    """One bin of one figure: how many rows, and the mean of each score."""

    x: float
    count: int
    means: tuple[float, ...]


def binned(table, figure):
    """Bin our experiments by the rule of a figure; facets are pooled.

    The precision figure keeps rows with event recall between 0.25 and 0.75, the recall figure those
    with event precision in there, and the separation figure again recall. The first two
    round to a tenth, the third to a hundredth, below 0.5, and then to bins of 0.05.
    """
    middle = table.column("precision" if figure == "recall" else "recall")
    x = table.column(figure)
    kept = (middle > 0.25) & (middle < 0.75) & ~np.isnan(x)
    place = np.round(x, 1)
    if figure == "separation":
        hundredths = np.round(100 * x)
        kept &= hundredths < 50
        place = hundredths // 5 * 5 / 100
    return [
        Bin(
            float(value),
            int(np.count_nonzero(inside := kept & (place == value))),
            tuple(float(table.column(name)[inside].mean()) for name in SCORES),
        )
        for value in np.unique(place[kept])
    ]


def published(figure):
    """Give the authors' bins of a figure."""
    rows = json.loads(GOLDEN.read_text(encoding="utf-8"))[figure]
    return [Bin(x, count, tuple(means)) for x, count, *means in rows]


def compared(table, figure, least=LEAST):
    """Pair the bins of a figure that both sides have enough rows in."""
    ours = {round(one.x, 2): one for one in binned(table, figure)}
    pairs = [(ours[round(one.x, 2)], one) for one in published(figure) if round(one.x, 2) in ours]
    return [(our, their) for our, their in pairs if min(our.count, their.count) >= least]


def apart(pairs):
    """Give how far the curves lie apart: on average, and at the worst, for each score."""
    gaps = np.abs([np.subtract(our.means, their.means) for our, their in pairs])
    return gaps.mean(axis=0), gaps.max(axis=0)


def main():
    """Run the study and print the curves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiments", type=int, default=15000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out")
    options = parser.parse_args()
    table = study(options.experiments, seed=options.seed, jobs=options.jobs or 1, out=options.out)
    print(f"{table}\nmeans: ours, then the authors'")
    for figure in FIGURES:
        pairs = compared(table, figure)
        print(f"\n{figure:<12}{'rows':>12}" + "".join(f"{name:>18}" for name in SCORES))
        for our, their in pairs:
            values = "".join(
                f"{a:>10.3f}{b:>8.3f}" for a, b in zip(our.means, their.means, strict=True)
            )
            print(f"{their.x:<12}{our.count:>6}{their.count:>6}{values}")
        mean, worst = apart(pairs)
        verdict = "PASS" if mean.max() <= ON_AVERAGE and worst.max() <= ANYWHERE else "over"
        print("mean apart".ljust(24) + "".join(f"{gap:>18.4f}" for gap in mean))
        print("at worst".ljust(24) + "".join(f"{gap:>18.4f}" for gap in worst) + f"  {verdict}")


if __name__ == "__main__":
    main()
