"""Judge with every setting of every row at seven sizes: a value in its range, or one line.

    python tests/campaigns/settings_at_sizes.py --seed 0

Sizes are 1, 2, 5, 20, 100, 500 and 2,000 points; each setting takes plain and absurd values, and
values that follow the size. Nothing takes more than five seconds of the processor.
"""

import argparse
import math
import sys
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

import adjudge as aj
from campaigns.limits import TooLong, time_limit

SIZES = 1, 2, 5, 20, 100, 500, 2000
VALUES = (
    *(0, 1, 2, 7, 10**6, 10**12, 2**63, 10**400, 0.0, 1e-300, 0.1, 0.5, 1.0, 1.5, 1e6, 1e308),
    *(math.nan, math.inf, None, True, "auto", (0, 1, 2)),
)
WORDS = ("one", "sqrt", "reciprocal", "flat", "front", "middle", "back", "all", "spill", "median")


def case(rng, n):
    """Labels and scores of so many points; now and then without an event, or nothing else."""
    labels = np.repeat(rng.random(-(-n // 4)) < rng.choice([0, 0.2, 0.2, 0.2, 1]), 4)[:n]
    return labels.astype(np.int64), np.round(rng.normal(size=n) + labels, 2)


def one_value(row, name, value, labels, scores):
    """What came of one setting: "value", "refused", or what is wrong."""
    try:
        with time_limit(5):
            given = scores if row.needs == "scores" else (scores > 0.5).astype(np.int64)
            found = row.metric(labels, given, **{name: value})
    except aj.AdjudgeError as error:
        return "refused" if "\n" not in str(error) else "refused in several lines"
    except (Exception, TooLong) as error:  # noqa: BLE001 - that is what is looked for
        return f"raised {type(error).__name__}: {error}"[:90]
    low, high = row.range
    inside = math.isnan(found) or low - 1e-9 <= found <= high + 1e-9
    return "value" if inside else f"out of range: {found}"


def campaign(seed, sizes=SIZES, share=1.0):
    """Count what came of every setting, and name what went wrong."""
    rng = np.random.default_rng(seed)
    outcomes, wrong = Counter(), {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in sizes:
            for row in aj.catalogue.values():
                for name in row.parameters:
                    labels, scores = case(rng, n)
                    for value in (*VALUES, *WORDS, n, n - 1, n // 2, 2 * n):
                        if rng.random() >= share:
                            continue
                        found = one_value(row, name, value, labels, scores)
                        outcomes[found.partition(":")[0]] += 1
                        if " " in found:
                            shown = "huge" if value == 10**400 else value
                            wrong.setdefault(f"{row.name}({name}={shown}): {found}", n)
    return outcomes, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, default=1.0, help="of the values, drawn")
    given = parser.parse_args()
    outcomes, wrong = campaign(given.seed, share=given.share)
    for found, n in wrong.items():
        print(f"{n} points, {found}")
    rows = len(aj.catalogue)
    print(
        f"{sum(outcomes.values()):,} settings of {rows} rows, seed {given.seed}: {dict(outcomes)}"
    )
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
