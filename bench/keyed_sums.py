"""How often the pooled p-value is small under its null model, and what its sums cost.

    python bench/keyed_sums.py [--sets 2500] [--seed 31]

Each set has 8 series, each on a clock of its own or four on each of two or three clocks. The places
of a series are values of skewed, tied and smooth laws, and home is one of them, drawn anew for each
clock and each set. Names are new in each set, so the combinations are, too.
"""

import argparse
import time

import numpy as np

from adjudge.noise.keyed_sums import KeyedSums, whole_steps
from adjudge.noise.p_values import PlacesOfSeries
from adjudge.noise.pooled_p import pooled_p

LAWS = {
    "skewed": lambda rng: rng.random(200) ** 4,
    "one in ten hits": lambda rng: (rng.random(200) < 0.1).astype(float),
    "smooth, ties": lambda rng: np.round(np.cumsum(rng.standard_normal(200)), 1) % 1,
}
CLOCKS = {"own clocks": 8, "4 on each of 2": 2, "2 on each of 4": 4}
SERIES = 8


def small(law, clocks, sets, seed):
    """The share of p-values up to .01, .05, .2 and .5."""
    rng = np.random.default_rng([seed, list(LAWS).index(law), clocks])
    found = []
    for number in range(sets):
        sums, home = KeyedSums(), rng.integers(200, size=clocks)
        for k in range(SERIES):
            own = k % clocks
            values = np.roll(LAWS[law](rng), -int(home[own]) - 1)
            steps = whole_steps(values[-1], values[:-1], 40)
            sums.add(f"{seed} {number} {own}", steps, shared=clocks < SERIES)
        found.append(sums.p(SERIES))
    p = np.array(found)
    return [float(np.mean(p <= level)) for level in (0.01, 0.05, 0.2, 0.5)]


def cost(series=300, verdicts=30):
    """CPU of the verdicts of so many detectors by metrics, over so many series."""
    rng = np.random.default_rng(0)
    places = [
        PlacesOfSeries(rng.random(2), [rng.random(199), rng.random(199)]) for _ in range(series)
    ]
    names = [f"s{k}" for k in range(series)]
    began = time.process_time()
    for _ in range(verdicts):
        pooled_p(places, clocks=names, span=(0, 1))
    return time.process_time() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=31)
    asked = parser.parse_args()
    print(f"{asked.sets} sets of {SERIES} series: share of p <= .01, .05, .2, .5")
    for name, clocks in CLOCKS.items():
        for law in LAWS:
            shares = small(law, clocks, asked.sets, asked.seed)
            print(f"{name:16} {law:16}", " ".join(f"{share:.4f}" for share in shares), flush=True)
    print(f"30 verdicts over 300 series, 2 null models: {cost():.2f} s CPU")


if __name__ == "__main__":
    main()
