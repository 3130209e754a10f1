"""Blind versions and draws once more, one point at a time."""

from itertools import pairwise


def shift(size, by):
    """Point t gets the score that was `by` points before it, round the circle."""
    return [(t - by) % size for t in range(size)]


def by_periods(size, period, periods):
    """Whole periods turn; a point beyond the last whole one stays."""
    whole = size // period * period
    return [(t - periods * period) % whole if t < whole else t for t in range(size)]


def moved_onto(labels, order):
    """The share of anomalous points that get the score of an anomalous one."""
    onto = [labels[order[t]] for t in range(len(labels)) if labels[t]]
    return sum(onto) / len(onto)


def pieces(starts, stops, n):
    """Each event with the normal time around it, of which neighbours have half each."""
    cuts = [0]
    for stop, start in zip(stops[:-1], starts[1:], strict=True):
        cuts.append((stop + start) // 2)
    cuts.append(n)
    return list(pairwise(cuts))
