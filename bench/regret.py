"""How often the intervals of a selector's regret hold the truth, on families chosen beforehand.

Values of detectors on series are drawn around true means, and a selector chooses a detector for
each series: at random, mostly one, or one that looks at the series. The true regrets are those of
200,000 series. No method was chosen on these families.

    python bench/regret.py                # two minutes
    python bench/regret.py --runs 300
"""

import argparse

import numpy as np

from adjudge.ranking.comparable import Comparable
from adjudge.ranking.regret import regret_of

MANY = 200_000


def equal(rng, series, detectors):
    """No detector is better, and each series suits some."""
    return rng.normal(0.5, 0.1, (series, detectors))


def graded(rng, series, detectors):
    """Evenly graded means."""
    return equal(rng, series, detectors) + np.linspace(0, 0.15, detectors)


def leader(rng, series, detectors):
    """One detector is ahead of equal ones."""
    values = equal(rng, series, detectors)
    values[:, 0] += 0.1
    return values


def kinds(rng, series, detectors):
    """Each series is of one kind, and suits one detector."""
    values = rng.normal(0.4, 0.05, (series, detectors))
    values[np.arange(series), rng.integers(0, detectors, series)] += 0.3
    return values


def skewed(rng, series, detectors):
    """Values near 1, with a tail to low ones, that go up and down together."""
    hard = rng.beta(5, 1, series)[:, np.newaxis]
    return np.clip(hard * rng.beta(9, 1, (series, detectors)), 0, 1)


FAMILIES = {f.__name__: f for f in (equal, graded, leader, kinds, skewed)}


def at_random(values, rng):
    """Choose whatever comes."""
    return rng.integers(0, values.shape[1], len(values))


def mostly_the_first(values, rng):
    """Choose the first detector on nine in ten series."""
    return np.where(rng.random(len(values)) < 0.9, 0, at_random(values, rng))


def well(values, rng):
    """Choose the best detector on half of the series, and whatever comes on the others."""
    return np.where(rng.random(len(values)) < 0.5, values.argmax(axis=1), at_random(values, rng))


SELECTORS = (at_random, mostly_the_first, well)


def regrets(values, chosen):
    """To the best of each series, and to the best single detector."""
    own = values[np.arange(len(values)), chosen]
    return (values.max(axis=1) - own).mean(), values.mean(axis=0).max() - own.mean()


def held(drawn, select, series, detectors, runs):
    """The shares of intervals that hold the truth, and of those of the single that lie beside 0."""
    rng = np.random.default_rng([20261119, series, detectors])
    values = drawn(rng, MANY, detectors)
    truth = regrets(values, select(values, rng))
    best, single, beside = [], [], []
    names, rows = [f"d{k}" for k in range(detectors)], [str(k) for k in range(series)]
    for _ in range(runs):
        values = drawn(rng, series, detectors)
        choice = dict(zip(rows, [names[k] for k in select(values, rng)], strict=True))
        field = Comparable(names, values, np.arange(series), 0.9)
        found = regret_of(field, "m", rows, choice, (0.0, 1.0))
        best.append(found.to_best_low <= truth[0] <= found.to_best_high)
        if np.isnan(found.to_single_low):
            continue
        single.append(found.to_single_low <= truth[1] <= found.to_single_high)
        beside.append(found.to_single_high < 0 or found.to_single_low > 0)
    of_single, told = (np.mean(shares) if shares else np.nan for shares in (single, beside))
    return truth, np.mean(best), of_single, told, len(single) / runs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    shares = "to best | held | to single | held | told from 0 | answered"
    print(f"| family | selector | series x detectors | {shares} |")
    print(f"|---|---|{'---:|' * 7}")
    for name, drawn in FAMILIES.items():
        for select in SELECTORS:
            for series, detectors in ((10, 5), (30, 12), (100, 5)):
                (best, single), *shares = held(drawn, select, series, detectors, runs)
                of_best, of_single, told, answered = (f"{share:.3f}" for share in shares)
                cells = (name, select.__name__.replace("_", " "), f"{series} x {detectors}",
                         f"{best:.3f}", of_best, f"{single:+.3f}", of_single, told,
                         answered)  # fmt: skip
                print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
