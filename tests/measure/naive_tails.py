"""Slow twin of Grimshaw's fit: the likelihood of the best shape for each shape / scale, scanned."""

from itertools import pairwise
from math import log

STEPS = 1500


def shape_at(x, excess):
    return sum(log(1 + x * y) for y in excess) / len(excess)


def likelihood(x, excess):
    """The logarithm of the likelihood per point, of the best scale for this shape / scale."""
    shape = shape_at(x, excess)
    return -log(shape / x) - shape - 1


def tops(low, high, excess, again=2):
    """Where the likelihood is higher than on both sides, on a grid that is then made finer."""
    xs = [low * (high / low) ** (i / STEPS) for i in range(STEPS + 1)]
    values = [likelihood(x, excess) for x in xs]
    rises = [b > a for a, b in pairwise(values)]
    found = [i + 1 for i, (up, next_up) in enumerate(pairwise(rises)) if up and not next_up]
    if not again:
        return [xs[i] for i in found]
    return [x for i in found for x in tops(xs[i - 1], xs[i + 1], excess, again - 1)]


def scanned(excess):
    """(shape, scale) of the likeliest top between the published bounds, or the exponential."""
    mean, low = sum(excess) / len(excess), min(excess)
    found = tops(-1 / max(excess) * (1 - 1e-7), -1e-5, excess)
    if low < mean:
        above = 2 * (mean - low) / (mean * low), 2 * (mean - low) / low**2
        found += tops(*above, excess)
    best, fit = -log(mean) - 1, (0.0, mean)
    for x in found:
        if likelihood(x, excess) > best:
            shape = shape_at(x, excess)
            best, fit = likelihood(x, excess), (shape, shape / x)
    return fit
