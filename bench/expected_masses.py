"""Hold the expected masses and moments against Monte-Carlo, on fresh label sets with fresh seeds.

Run as ``python bench/expected_masses.py [--sets N] [--draws D] [--seed S]``. The tests do the same
with fixed seeds; this asks new questions every time. It prints the largest distance in standard
errors per adjustment: over 200 label sets, values beyond 4.5 deserve a look. Masses that hardly
ever vary are left out: a standard error means nothing there.
"""

import argparse
import secrets

import numpy as np

import adjudge as aj
from adjudge.adjust.adjustments import Covered, Dilated, point_adjusted, raw
from adjudge.adjust.balanced import Balanced
from adjudge.count.points import PointCount
from adjudge.noise.blind_detectors import White, exact_moments, expected_masses

ADJUSTMENTS = {
    "pointwise": lambda _: raw,
    "PA": lambda _: point_adjusted,
    "KPA(0.2)": lambda _: Covered(0.2),
    "KPA(0.5, strict)": lambda _: Covered(0.5, strict=True),
    "dilated": lambda rng: Dilated(int(rng.integers(1, 30))),
    **{
        f"BA {islands}": lambda rng, i=islands: Balanced(int(rng.integers(1, 40)), i)
        for islands in ("normal", "spill", "all")
    },
    "BA normal, margin": lambda rng: Balanced(
        int(rng.integers(1, 40)), "normal", int(rng.integers(1, 4))
    ),
}


def label_set(rng):
    """Draw events of mixed widths with gaps from 1 to 120 points."""
    runs = rng.integers(1, 12)
    pieces = [np.zeros(rng.integers(0, 60))]
    for _ in range(runs):
        pieces += [np.ones(rng.integers(1, 60)), np.zeros(rng.integers(1, 120))]
    return aj.Events.from_labels(np.concatenate(pieces).astype(int))


def drawn(adjust, events, rate, draws, rng):
    """Draw found and false masses of white noise, many cases as series of one."""
    series = np.repeat(np.arange(draws), events.n)
    many = aj.Events.from_labels(np.tile(events.labels, draws), series=series)
    adjusted = adjust(rng.random(events.n * draws) < rate, many)
    shape = (draws, events.n)
    sides = (adjusted & many.labels, adjusted & many.normal)
    return [side.reshape(shape).sum(axis=1) for side in sides]


def distances(adjust, events, rate, draws, rng):
    """Give the distances of the means, and of the mean F1, in standard errors."""
    found, false = drawn(adjust, events, rate, draws, rng)
    tally = expected_masses(adjust, PointCount(), events, White(rate))
    pairs = [(found, tally.found), (false, tally.flagged - tally.right)]
    if adjust == Balanced(getattr(adjust, "width", None)):
        value = 2 * found / (tally.truth + found + false)
        pairs.append((value, exact_moments(events, rate, adjust.width).mean))
    return [abs(x.mean() - mean) / (x.std() / draws**0.5) for x, mean in pairs if varies(x)]


def varies(values):
    """Say whether at least thirty draws differ from the commonest one."""
    _, counts = np.unique(values, return_counts=True)
    return values.size - counts.max() >= 30


def main():
    """Print the largest distance per adjustment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=50)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    seed = secrets.randbits(32) if options.seed is None else options.seed
    rng = np.random.default_rng(seed)
    print(f"seed {seed}, {options.sets} label sets, {options.draws} draws each")
    for name, make in ADJUSTMENTS.items():
        far = []
        for _ in range(options.sets):
            rate = float(rng.choice([0.003, 0.02, 0.1, 0.4]))
            far += distances(make(rng), label_set(rng), rate, options.draws, rng)
        print(f"  {name:<20} {len(far):4d} comparisons, largest {max(far):.2f} standard errors")


if __name__ == "__main__":
    main()
