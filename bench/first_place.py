"""Whether what a ranking says of first place is true: simulated benchmarks whose truth is known.

    python bench/first_place.py [--runs 300] [--only PATTERN ...] [--by means ranks] [--seed 1]

A benchmark is drawn and judged by `elsewhere` and `rank_sets`. The same detectors are then drawn on
very many other series: cut into benchmarks of equal size these say how often the winner wins again,
and all together they say who is truly better. A line has

- *sets hold*: how often the rank sets of all detectors hold their true places at once (at least .93
  is asked for; detectors that are truly equal share all places between them);
- *may be best*: of how many detectors the set begins at 1;
- *first*: how likely the winner is first on another benchmark, as said and in truth;
- *log score*: the mean logarithm of what was said of whoever was first, and that of equal chances;
- *tau*: Kendall's tau between the order here and there, as said and in truth.

Means are what `Ranking.power` is about, mean ranks what a leaderboard is ordered by. Families above
the line are those on which the method was chosen; those called new were written down before any of
them was run. After a look at the first eleven of these one thing was changed, the imagined unit of
`elsewhere` (of two detectors by ranks the log score was worse than that of equal chances); the last
four were then written down, before they were run.
"""

from __future__ import annotations

import argparse
import time
from fnmatch import fnmatch
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from adjudge.ranking.standings.first_place import elsewhere
from adjudge.ranking.standings.rank_sets import rank_sets
from adjudge.ranking.standings.unit_sums import UnitSums
from adjudge.ranking.statistics import ranks

if TYPE_CHECKING:
    from collections.abc import Callable

OTHERS = 200
"""Other benchmarks in each run."""
SAID = 1e-6
"""The least that a probability counts for in the log score."""


class Field(NamedTuple):
    """Detectors, and how they do on series."""

    draw: Callable[[int], tuple[np.ndarray, np.ndarray | None]]
    """So many units -> values, a row per series, and the unit of each; None: each is one."""
    alike: np.ndarray
    """The kind of each detector: those of one kind are equal in truth."""


class Family(NamedTuple):
    """How fields are drawn, and how many units and detectors they have."""

    units: int
    detectors: int
    field: Callable[[np.random.Generator, int], Field]


def of_noise(means, noise, alike=None):
    """Detectors with these means, and noise in each series."""
    kinds = np.arange(len(means)) if alike is None else np.asarray(alike)
    return Field(lambda units: (means + noise((units, len(means))), None), kinds)


def fixed(means):
    """Normal noise around the same means in every run; equal ones are of one kind."""
    means = np.asarray(means, float)
    kinds = np.unique(means, return_inverse=True)[1]
    return lambda rng, _: of_noise(means, rng.standard_normal, kinds)


def drawn(rng, count):
    return of_noise(rng.normal(0, 0.4, count), rng.standard_normal)


def kinships(rng, count):
    """All equal, in five families whose members have a correlation of .7."""
    family = np.arange(count) % 5

    def noise(shape):
        own = rng.standard_normal(shape)
        shared = rng.standard_normal((shape[0], 5))[:, family]
        return np.sqrt(0.7) * shared + np.sqrt(0.3) * own

    return of_noise(np.zeros(count), noise, np.zeros(count, int))


def heavy(rng, count):
    return of_noise(rng.normal(0, 0.4, count), lambda shape: rng.standard_t(3, shape) / np.sqrt(3))


def uneven(rng, count):
    """Detectors with noise of their own size."""
    sizes = rng.lognormal(0, 0.7, count)
    sizes /= np.sqrt((sizes**2).mean())
    return of_noise(rng.normal(0, 0.4, count), lambda shape: rng.standard_normal(shape) * sizes)


def in_data_sets(rng, means, alike):
    """Data sets of 1 to 20 series with a correlation of .6."""
    count = len(means)

    def draw(units):
        groups = np.repeat(np.arange(units), rng.integers(1, 21, units))
        common = rng.standard_normal((units, count))[groups]
        own = rng.standard_normal((groups.size, count))
        return means + np.sqrt(0.6) * common + np.sqrt(0.4) * own, groups

    return Field(draw, alike)


def equal_in_data_sets(rng, count):
    return in_data_sets(rng, np.zeros(count), np.zeros(count, int))


CHOSEN = {
    "all equal": Family(15, 40, fixed(np.zeros(40))),
    "all equal, fewer": Family(15, 12, fixed(np.zeros(12))),
    "equal, five kinships": Family(15, 12, kinships),
    "evenly graded": Family(15, 12, fixed(np.linspace(0, 0.9, 12))),
    "equal, data sets of 1 to 20": Family(9, 14, equal_in_data_sets),
    "means drawn, normal": Family(15, 12, drawn),
    "means drawn, 6 series": Family(6, 12, drawn),
    "means drawn, heavy tails": Family(15, 12, heavy),
    "means drawn, uneven noise": Family(15, 12, uneven),
    "one leader, others equal": Family(15, 12, fixed([0.6] + 11 * [0])),
    "two clear leaders": Family(15, 12, fixed([3, 2] + 10 * [0])),
}


def data_sets(rng, count):
    return in_data_sets(rng, rng.normal(0, 0.4, count), np.arange(count))


def like_f1(rng, count):
    """Values between 0 and 1, three in ten of them 0, and series that are hard for all."""
    skill = rng.normal(0, 0.5, count)

    def draw(units):
        logits = skill + rng.normal(0, 1.2, (units, 1)) + rng.standard_normal((units, count))
        return (rng.random((units, count)) > 0.3) / (1 + np.exp(-logits)), None

    return Field(draw, np.arange(count))


def two_kinds_of_series(rng, count):
    """Every detector suits one of two kinds of series, and suits the other as little; all equal."""
    suits = np.where(np.arange(count) % 2, 0.8, -0.8)

    def draw(units):
        kind = rng.choice([-1.0, 1.0], (units, 1))
        return kind * suits + rng.standard_normal((units, count)), None

    return Field(draw, np.zeros(count, int))


def five_versions(rng, count):
    """Five versions of one detector, with a correlation of .97, among others; drawn means."""
    family = np.maximum(np.arange(count) - 4, 0)
    means = rng.normal(0, 0.4, count)[family]

    def noise(shape):
        own = rng.standard_normal(shape)
        shared = rng.standard_normal(shape)[:, family]
        return np.where(family == 0, np.sqrt(0.97) * shared + np.sqrt(0.03) * own, own)

    return of_noise(means, noise, family)


def few_good(rng, count):
    return of_noise(rng.exponential(0.3, count), rng.standard_normal)


def lognormal(rng, count):
    return of_noise(np.zeros(count), lambda shape: rng.lognormal(0, 1, shape), np.zeros(count, int))


def one_terrible(rng, count):
    """One far below all others, and very uncertain; the others equal."""
    kinds = (np.arange(count) == 0).astype(int)
    return of_noise(-4.0 * kinds, lambda shape: rng.standard_normal(shape) * (1 + 3 * kinds), kinds)


def series_of_many_scales(rng, count):
    """Series on which everything lies further apart, differences and noise alike; drawn means."""
    means = rng.normal(0, 0.4, count)

    def draw(units):
        scale = rng.lognormal(0, 0.8, (units, 1))
        return scale * (means + rng.standard_normal((units, count))), None

    return Field(draw, np.arange(count))


OWN = {
    "data sets of 1 to 20 series": Family(9, 14, data_sets),
    "like F1, with zeros": Family(20, 16, like_f1),
    "three tiers of five": Family(12, 15, fixed(np.repeat([0.0, 0.5, 1.0], 5))),
    "two kinds of series, all equal": Family(10, 20, two_kinds_of_series),
    "five versions of one": Family(12, 15, five_versions),
    "few good ones": Family(30, 25, few_good),
    "lognormal noise, all equal": Family(8, 10, lognormal),
    "one terrible, others equal": Family(15, 20, one_terrible),
    "series of many scales": Family(12, 12, series_of_many_scales),
    "two detectors, 7 series": Family(7, 2, drawn),
    "three series": Family(3, 8, drawn),
}


def few_levels(rng, count):
    """Values between which there are but a few steps."""
    means = rng.normal(0, 0.6, count)
    return Field(
        lambda units: (np.round(means + rng.standard_normal((units, count))), None),
        np.arange(count),
    )


def near_the_top(rng, count):
    """Values between 0 and 1, most of them near 1."""
    skill = 2 + rng.normal(0, 0.6, count)

    def draw(units):
        return 1 / (1 + np.exp(-skill - 1.5 * rng.standard_normal((units, count)))), None

    return Field(draw, np.arange(count))


OWN |= {
    "two detectors, 4 series": Family(4, 2, drawn),
    "three detectors, few levels": Family(5, 3, few_levels),
    "two detectors, heavy tails": Family(9, 2, heavy),
    "near the top": Family(10, 6, near_the_top),
}


def scored(drawn_values, by):
    """Sum what a ranking is made by over the units."""
    values, groups = drawn_values
    return UnitSums.of(values if by == "means" else -ranks(values), groups)


def cut(units, size):
    """The means of benchmarks of so many units each."""
    count = len(units.names) // size
    sums = units.sums[: count * size].reshape(count, size, -1).sum(axis=1)
    sizes = units.sizes[: count * size].reshape(count, size).sum(axis=1)
    return sums / sizes[:, np.newaxis]


def true_means(units, alike):
    """The means over all units, those of one kind equal."""
    means = units.means
    return np.array([means[alike == kind].mean() for kind in alike])


def hold(sets, true):
    """Whether every set holds all the places that its detector shares."""
    better = true[:, np.newaxis] > true
    best, worst = 1 + better.sum(axis=0), len(true) - better.sum(axis=1)
    return bool((sets.low <= best).all() and (sets.high >= worst).all())


def run(family, by, rng):
    """Judge one benchmark, and see how it is."""
    field = family.field(rng, family.detectors)
    here = scored(field.draw(family.units), by)
    many = scored(field.draw(family.units * OTHERS), by)
    others, winner = cut(many, family.units), int(here.means.argmax())
    said, first = elsewhere(here), others.argmax(axis=1)
    one, other = np.triu_indices(family.detectors, 1)
    order = np.sign(here.means[one] - here.means[other])
    found = {
        "said": said.first[winner], "true": (first == winner).mean(),
        "score": np.log(np.maximum(said.first[first], SAID)).mean(),
        "tau said": said.tau,
        "tau true": (np.sign(others[:, one] - others[:, other]) * order).mean(),
    }  # fmt: skip
    sets = rank_sets(here)
    if sets is not None:
        true = true_means(many, field.alike)
        found |= {"hold": hold(sets, true), "best": (sets.low == 1).sum()}
    return found


HEAD = (
    "| family | units x detectors | sets hold | may be best | first: said | true | log score | "
    "equal chances | tau: said | true |\n|:---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def line(name, family, by, runs, seed):
    """Measure a family."""
    rng = np.random.default_rng([seed, crc32(f"{name} {by}".encode())])
    rows = [run(family, by, rng) for _ in range(runs)]
    mean = {key: float(np.mean([row[key] for row in rows])) for key in rows[0]}
    cells = [
        name, f"{family.units} x {family.detectors}",
        f"{mean['hold']:.3f}" if "hold" in mean else "none",
        f"{mean['best']:.1f}" if "best" in mean else "none",
        f"{mean['said']:.3f}", f"{mean['true']:.3f}", f"{mean['score']:.2f}",
        f"{-np.log(family.detectors):.2f}", f"{mean['tau said']:.2f}", f"{mean['tau true']:.2f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--only", nargs="+", default=["*"], help="patterns of families")
    parser.add_argument("--by", nargs="+", default=["means", "ranks"])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begun = time.process_time()
    for by in given.by:
        print(f"{given.runs} runs, by {'means' if by == 'means' else 'mean ranks'}\n\n{HEAD}")
        for name, family in (CHOSEN | OWN).items():
            if any(fnmatch(name, pattern) for pattern in given.only):
                new = ", new" if name in OWN else ""
                text = line(name, family, by, given.runs, given.seed)
                print(text.replace(name, name + new, 1), flush=True)
        print()
    print(f"{time.process_time() - begun:.0f} s of the processor")


if __name__ == "__main__":
    main()
