"""The paper's experiments once more: slowly, one point at a time, from the same random draws.

The draws are made in the order in which the library makes them, so this also holds the order: a
table that was made once must come out again. Densities are SciPy's.
"""

from itertools import pairwise

import numpy as np
from scipy.stats import gaussian_kde

import naive
from lab.simulation import naive_simulator
from measure import naive_separation


def experiment(seed, index):
    """One row of the authors' design, in the order of the table."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))
    events = int(rng.integers(10, 24))
    hits = int(rng.integers(0, events))
    false_alarms = int(rng.integers(0, 20))
    overlap = int(rng.integers(2**20)) / 2**21
    labels, scores = simulated(rng, events, hits, false_alarms, overlap)
    marks = [score > 0.5 for score in scores]
    return [
        index,
        len(labels),
        events,
        sum(labels) / len(labels),
        hits,
        false_alarms,
        overlap,
        naive_separation.separation(labels, scores, masses=kde_masses),
        naive_separation.hellinger(labels, scores, masses=kde_masses),
        *attributes(labels, marks),
        *f_scores(labels, marks),
    ]


def simulated(rng, events, hits, false_alarms, overlap):
    """Labels and scores of one experiment."""
    whole(rng, events, events, 1)
    widths, gaps = whole(rng, 50, 99, events), whole(rng, 200, 999, events + 1)
    labels = naive_simulator.labels(widths, gaps)
    starts, place = [], 0
    for gap, width in zip(gaps, widths, strict=False):
        starts.append(place + gap)
        place += gap + width
    found = true_detections(rng, hits, starts, widths)
    whole(rng, false_alarms, false_alarms, 1)
    normal = [t for t, label in enumerate(labels) if not label]
    places = rng.choice(normal, false_alarms).tolist()
    found += list(zip(places, whole(rng, 2, 4, false_alarms), strict=True))
    latent = naive_simulator.latent(found, len(labels))
    shares = rng.random(len(labels)).tolist()
    ranges = (0, 0.25 + overlap), (0.75 - overlap, 1)
    return labels, naive_simulator.scored(latent, shares, *ranges, smoothing=15)


def true_detections(rng, hits, starts, widths, tries=5):
    """The first of five draws that covers enough of each hit event, or else the best of them."""
    whole(rng, hits, hits, 1)
    order = rng.random((tries, len(widths)))
    owners = [sorted(range(len(widths)), key=row.__getitem__)[:hits] for row in order.tolist()]
    lengths = np.array([[widths[e] for e in row] for row in owners], int).reshape(tries, hits)
    offsets = rng.integers(0, lengths).tolist()
    spans = rng.integers(10, 24, (tries, hits), endpoint=True).tolist()
    best, chosen = -1, 0
    for draw in range(tries):
        drawn = zip(owners[draw], offsets[draw], spans[draw], strict=True)
        covered = [min(widths[e] - offset, span) / widths[e] for e, offset, span in drawn]
        worst = min(covered, default=1)
        if worst > best:
            best, chosen = worst, draw
        if worst >= 0.3:
            chosen = draw
            break
    drawn = zip(owners[chosen], offsets[chosen], spans[chosen], strict=True)
    return [(starts[e] + offset, span) for e, offset, span in drawn]


def whole(rng, low, high, size):
    return rng.integers(low, high, size, endpoint=True).tolist()


def kde_masses(values, edges):
    density = gaussian_kde(values)
    return [max(0.0, density.integrate_box_1d(low, high)) for low, high in pairwise(edges)]


def attributes(labels, marks):
    """Precision, recall and coverage of events, then the counts of runs."""
    touched = naive.runs(labels, marks)
    shares = naive.coverage(labels, marks)
    found, _, true_runs, runs = touched[:4]
    rates = naive.precision(touched), naive.recall(touched), naive.recall(shares)
    return [*map(float, rates), found, runs, true_runs, runs - true_runs]


def f_scores(labels, marks):
    adjusted = (
        naive.raw(labels, marks),
        naive.point_adjusted(labels, marks),
        naive.covered(labels, marks, k=0.2),
        naive.balanced(labels, marks),
        naive.balanced(labels, marks, reading="printed"),
        naive.balanced(labels, marks, width=25, islands="all"),
    )
    return [float(naive.fbeta(naive.points(labels, flags))) for flags in adjusted]
