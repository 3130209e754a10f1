"""Slow twins of the two distances: the direct sum over points and bins, one Gaussian at a time."""

from itertools import pairwise
from math import erfc, inf, isinf, nan, sqrt

BINS = 100


def between(z, w):
    """The mass of the Gaussian between two places, without losing the small ones."""
    if z > 0:
        z, w = -w, -z
    return (erfc(-w / sqrt(2)) - erfc(-z / sqrt(2))) / 2


def bandwidth(values):
    n = len(values)
    if n < 2:
        return 0.0
    mean = sum(values) / n
    return sqrt(sum((v - mean) ** 2 for v in values) / (n - 1)) * n**-0.2


def direct_masses(values, edges):
    """The mass of a Gaussian kernel density estimate between neighbouring edges."""
    h = bandwidth(values)
    return [
        sum(between((a - v) / h, (b - v) / h) for v in values) / len(values)
        for a, b in pairwise(edges)
    ]


def kinds(labels, scores, where):
    judged = [t for t in range(len(labels)) if where is None or where[t]]
    normal = [float(scores[t]) for t in judged if not labels[t]]
    anomalous = [float(scores[t]) for t in judged if labels[t]]
    return normal, anomalous


def comparable(normal, anomalous):
    scores = normal + anomalous
    return bool(normal and anomalous) and min(scores) < max(scores) and not any(map(isinf, scores))


def evenly(low, high):
    return [low + (high - low) * b / BINS for b in range(BINS)] + [high]


def distance(normal, anomalous, edges, masses):
    if not bandwidth(normal) or not bandwidth(anomalous):
        return nan
    p, q = masses(normal, edges), masses(anomalous, edges)
    return sqrt(sum((sqrt(a) - sqrt(b)) ** 2 for a, b in zip(p, q, strict=True)) / 2)


def separation(labels, scores, where=None, masses=direct_masses):
    normal, anomalous = kinds(labels, scores, where)
    if not comparable(normal, anomalous):
        return nan
    low, high = min(anomalous), max(normal)
    inside = [score for score in normal if low < score < high]
    if not inside:
        return 1.0
    return distance(inside, anomalous, evenly(low, high), masses)


def hellinger(labels, scores, where=None, masses=direct_masses):
    normal, anomalous = kinds(labels, scores, where)
    if not comparable(normal, anomalous):
        return nan
    edges = evenly(min(normal + anomalous), max(normal + anomalous))
    return distance(normal, anomalous, [-inf, *edges, inf], masses)
