"""The audit's arithmetic once more, one point at a time, and metrics written as plain functions."""

import math


def even_labels(events, width, gap):
    points = []
    for _ in range(events):
        points += [False] * (gap // 2) + [True] * width + [False] * (gap - gap // 2)
    return points


def bounds(labels):
    starts = [i for i, x in enumerate(labels) if x and (i == 0 or not labels[i - 1])]
    stops = [
        i + 1 for i, x in enumerate(labels) if x and (i + 1 == len(labels) or not labels[i + 1])
    ]
    return starts, stops


def dominates(labels, better, worse):
    return all(b >= w if x else b <= w for x, b, w in zip(labels, better, worse, strict=True))


def mean_and_error(values):
    there = [x for x in values if not math.isnan(x)]
    mean = sum(there) / len(there)
    square = sum((x - mean) ** 2 for x in there) / (len(there) - 1)
    return mean, math.sqrt(square / len(there))


def f1(labels, flags):
    both = sum(labels) + sum(flags)
    hits = sum(1 for x, y in zip(labels, flags, strict=True) if x and y)
    return 2 * hits / both if both else math.nan


def composite(labels, flags):
    """Event recall with point precision."""
    hits = [i for i, x in enumerate(flags) if x and labels[i]]
    if not hits:
        return 0.0 if any(labels) or any(flags) else math.nan
    starts, stops = bounds(list(labels))
    found = sum(any(flags[a:b]) for a, b in zip(starts, stops, strict=True))
    recall, precision = found / len(starts), len(hits) / sum(flags)
    return 2 * recall * precision / (recall + precision)
