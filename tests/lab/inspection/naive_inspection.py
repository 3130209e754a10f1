"""The statistics of an inspection again, by their definitions and slowly."""

import math
from itertools import product

import numpy as np

import adjudge as aj


def events_of(labels):
    """Starts and stops, a point at a time."""
    found, start = [], None
    for place, label in enumerate([*labels, 0]):
        if label and start is None:
            start = place
        if not label and start is not None:
            found.append((start, place))
            start = None
    return found


def place(labels):
    """How late the events of a series come: 0 in the middle, as much below as above it."""
    normal = [t for t, label in enumerate(labels) if not label]
    places = []
    for start, stop in events_of(labels):
        before, after = sum(t < start for t in normal), sum(t >= stop for t in normal)
        places.append(math.log((before + 0.5) / (after + 0.5)))
    return sum(places) / math.sqrt(len(places))


def position(series):
    """How often series that are turned round or not have events as late, or as early."""
    both = [(place(labels), place(labels[::-1])) for labels in series]
    seen = sum(own for own, _ in both)
    sums = [sum(one) for one in product(*both)]
    late = sum(one >= seen - 1e-9 for one in sums) / len(sums)
    return late, sum(one <= seen + 1e-9 for one in sums) / len(sums)


def best_f1_ba(labels, scores, width, near=0):
    """By the library, which tries every threshold; points near an event are not judged."""
    labels = np.asarray(labels)
    events = [place for place in range(len(labels)) if labels[place]]
    judged = [bool(labels[p]) or all(abs(p - e) > near for e in events) for p in range(len(labels))]
    return aj.best(aj.f1_ba(width=width))(labels, scores, where=judged)


def matrix_profile(values, m):
    def normal(window):
        spread = np.std(window)
        return (window - window.mean()) / spread if spread > 1e-9 else np.zeros(m)

    n = len(values) - m + 1
    windows = [normal(np.asarray(values[k : k + m], float)) for k in range(n)]
    flat = [not window.any() for window in windows]

    def distance(i, j):
        if flat[i] != flat[j]:
            return math.sqrt(2 * m)
        return float(np.linalg.norm(windows[i] - windows[j]))

    return [
        min((distance(i, j) for j in range(n) if abs(i - j) >= m), default=math.sqrt(4 * m))
        for i in range(n)
    ]


def tail_score(scores):
    n = len(scores)
    return [-math.log(sum(other >= one for other in scores) / n) for one in scores]


def chance_of_at_least(chances, count):
    total = 0.0
    for outcome in product((0, 1), repeat=len(chances)):
        if sum(outcome) >= count:
            total += math.prod(p if yes else 1 - p for p, yes in zip(chances, outcome, strict=True))
    return total


def gain(level, start, stop, k):
    """What is inside the moved label, less what is beside it."""
    flank = min(stop - start, 100)
    a, b = start + k, stop + k
    sides = np.concatenate((level[a - flank : a], level[b : b + flank]))
    return np.mean(level[a:b]) - np.mean(sides)
