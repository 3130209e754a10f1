"""Slow twins, written from the definitions, one point at a time.

Everything here works on plain Python lists of 0/1 at one threshold, loops over points, and counts
with fractions. Nothing is shared with the library: where the two agree, the library is right.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import ceil, exp, inf, isnan, nan

NEVER = -inf


# --- events ----------------------------------------------------------------------------------


def events(labels, series=None, where=None):
    """Maximal runs of judged ones within one series."""
    n = len(labels)
    found, t = [], 0
    while t < n:
        if not (labels[t] and judged(where, t)):
            t += 1
            continue
        start = t
        while t < n and labels[t] and judged(where, t) and same(series, start, t):
            t += 1
        found.append((start, t))
    return found


def judged(where, t):
    return where is None or bool(where[t])


def same(series, t, u):
    return series is None or series[t] == series[u]


def truth(labels, where):
    return [bool(labels[t]) and judged(where, t) for t in range(len(labels))]


def default_width(labels, series=None, where=None):
    widths = [stop - start for start, stop in events(labels, series, where)]
    if not widths:
        return 1
    ratio = Fraction(sum(w * w for w in widths), sum(widths))
    return next(width for width in range(1, 2 * ceil(ratio) + 1, 2) if width >= ratio)


def safe_width(labels, series=None, where=None):
    """The first whole width at which noise, at no rate, beats an alarm everywhere."""
    widths = tuple(stop - start for start, stop in events(labels, series, where))
    normal = sum(judged(where, t) for t in range(len(labels))) - sum(widths)
    return first_safe(widths, normal) if widths and normal else 1


@cache
def first_safe(widths, normal):
    width, share = 1, normal / (normal + sum(widths))
    while any(beats(rarity, width, widths, share) for rarity in RARITIES):
        width += 1
    return width


RARITIES = [exp(step / 40) for step in range(-800, 280)]  # -ln(share of quiet points)


def beats(rarity, width, widths, normal):
    narrowest = min(width, *widths)  # taken out of both sides, or all would be 0
    missed = sum(w / sum(widths) * exp(-(w - narrowest) * rarity) for w in widths)
    return missed < normal * exp(-(width - narrowest) * rarity) * (1 - 1e-12)


# --- adjustments of flags --------------------------------------------------------------------


def raw(labels, flags, series=None, where=None):
    return [bool(flags[t]) and judged(where, t) for t in range(len(labels))]


def point_adjusted(labels, flags, series=None, where=None):
    adjusted = raw(labels, flags, series, where)
    for start, stop in events(labels, series, where):
        if any(adjusted[start:stop]):
            adjusted[start:stop] = [True] * (stop - start)
    return adjusted


def covered(labels, flags, series=None, where=None, *, k, strict=False):
    adjusted = raw(labels, flags, series, where)
    for start, stop in events(labels, series, where):
        hits = sum(adjusted[start:stop])
        share = hits / (stop - start)
        if share > k or (share == k and not strict):
            adjusted[start:stop] = [True] * (stop - start)
    return adjusted


def island_width(width, labels, series, where):
    if width == "iid":
        return safe_width(labels, series, where)
    return width or default_width(labels, series, where)


MARKED = {"printed": "spill", "authors": "all"}


def balanced(
    labels, flags, series=None, where=None, *, width=None, islands="normal", margin=0, reading=None
):
    n = len(labels)
    width = island_width(width, labels, series, where)
    islands = MARKED.get(reading, islands)
    left = {"printed": width // 2 + 1, "authors": width // 2}.get(reading, (width - 1) // 2)
    anomalous = truth(labels, where)
    flagged = raw(labels, flags, series, where)
    adjusted = point_adjusted(labels, flags, series, where)
    for u in range(n):
        near = any(
            anomalous[t] and same(series, t, u)
            for t in range(max(u - margin, 0), min(u + margin + 1, n))
        )
        raises = flagged[u] and (not near if not anomalous[u] else islands == "all")
        if not raises:
            continue
        for t in range(u - left, u + width // 2 + 1):
            if not 0 <= t < n or not same(series, t, u) or not judged(where, t):
                continue
            if islands != "normal" or not anomalous[t]:
                adjusted[t] = True
    return adjusted


def shifted(labels, flags, series=None, where=None, *, width=None, margin=0):
    """Balanced, with windows that slide to stay in their run of normal, judged points."""
    n = len(labels)
    width = island_width(width, labels, series, where)
    anomalous = truth(labels, where)
    flagged = raw(labels, flags, series, where)
    adjusted = point_adjusted(labels, flags, series, where)
    normal = [judged(where, t) and not anomalous[t] for t in range(n)]
    for start, stop in events(normal, series):
        for t in range(start, stop):
            first = t - width // 2
            while first + width > stop:
                first -= 1
            while first < start:
                first += 1
            for u in range(first, min(first + width, stop)):
                near = any(
                    anomalous[v] and same(series, u, v)
                    for v in range(max(u - margin, 0), min(u + margin + 1, n))
                )
                if flagged[u] and not near:
                    adjusted[t] = True
    return adjusted


def matched(labels, flags, series=None, where=None, *, margin=0, border="clip"):
    """The mean over the anomalous points of what islands as wide as their event mark."""
    adjust = shifted if border == "shift" else balanced
    widths = [stop - start for start, stop in events(labels, series, where)]
    if not widths:
        return adjust(labels, flags, series, where, width=1, margin=margin)
    total = [Fraction(0)] * len(labels)
    for width in widths:
        marked = adjust(labels, flags, series, where, width=width, margin=margin)
        for t, mark in enumerate(marked):
            total[t] += Fraction(width, sum(widths)) * mark
    return total


def dilated(labels, flags, series=None, where=None, *, width):
    n = len(labels)
    flagged = raw(labels, flags, series, where)
    adjusted = list(flagged)
    for u in range(n):
        if flagged[u]:
            for t in range(u - (width - 1) // 2, u + width // 2 + 1):
                if 0 <= t < n and same(series, t, u) and judged(where, t):
                    adjusted[t] = True
    return adjusted


# --- counting: found, truth, right, flagged, normal --------------------------------------------


def points(labels, adjusted, series=None, where=None):
    anomalous = truth(labels, where)
    hits = sum(a and p for a, p in zip(anomalous, adjusted, strict=True))
    normal = sum(judged(where, t) and not anomalous[t] for t in range(len(labels)))
    return hits, sum(anomalous), hits, sum(adjusted), normal


def runs(labels, adjusted, series=None, where=None):
    anomalous = truth(labels, where)
    all_events = events(labels, series, where)
    touched = sum(any(adjusted[a:b]) for a, b in all_events)
    alarms = events(adjusted, series)
    right = sum(any(anomalous[a:b]) for a, b in alarms)
    return touched, len(all_events), right, len(alarms), nan


def coverage(labels, adjusted, series=None, where=None):
    shares = [
        Fraction(sum(adjusted[a:b]), b - a)
        for a, b in events(labels, series, where)
        if any(adjusted[a:b])
    ]
    return sum(shares, Fraction(0)), len(shares), 0, 0, nan


def event_weighted(labels, adjusted, series=None, where=None, *, width=None):
    width = island_width(width, labels, series, where)
    all_events = events(labels, series, where)
    hit = sum(any(adjusted[a:b]) for a, b in all_events)
    inside = {t for a, b in all_events for t in range(a, b)}
    normal = [t for t in range(len(labels)) if judged(where, t) and t not in inside]
    marked = sum(adjusted[t] for t in normal)
    false = hit + Fraction(marked, width)
    return hit, len(all_events), hit, false, Fraction(len(normal), width)


# --- rates -------------------------------------------------------------------------------------


def ratio(part, whole):
    return Fraction(part) / Fraction(whole) if whole else nan


def precision(tally):
    return ratio(tally[2], tally[3])


def recall(tally):
    return ratio(tally[0], tally[1])


def fbeta(tally, beta=1):
    found, everything, _, flagged, _ = tally
    if not everything and not flagged:
        return nan
    if not found:
        return Fraction(0)
    weight = Fraction(beta) ** 2
    p, r = precision(tally), recall(tally)
    return (1 + weight) * p * r / (weight * p + r)


def mcc(tally):
    hits, anomalous, _, flagged, normal = tally
    false, missed = flagged - hits, anomalous - hits
    quiet = normal - false
    product = flagged * anomalous * normal * (quiet + missed)
    return (hits * quiet - false * missed) / product**0.5 if product else nan


def balanced_accuracy(tally):
    hits, anomalous, _, flagged, normal = tally
    if not anomalous or not normal:
        return nan
    return (Fraction(hits, anomalous) + Fraction(normal - (flagged - hits), normal)) / 2


def informedness(tally):
    hits, anomalous, _, flagged, normal = tally
    if not anomalous or not normal:
        return nan
    return Fraction(hits, anomalous) - Fraction(flagged - hits) / normal


# --- every threshold ---------------------------------------------------------------------------


def flag(scores, threshold):
    return [score > threshold for score in scores]


def thresholds(adjust, labels, scores, series=None, where=None):
    """The scores at which something becomes flagged just below, and the lowest threshold."""
    levels = sorted({NEVER, *scores})
    adjusted = [adjust(labels, flag(scores, level), series, where) for level in levels]
    changed = [level for (more, less), level in zip(pairwise(adjusted), levels[1:], strict=True)
               if more != less]  # fmt: skip
    return sorted({NEVER, *changed}, reverse=True)


def sweep(adjust, count, labels, scores, series=None, where=None):
    """Threshold, then adjust, then count: at every threshold of the curve."""
    levels = thresholds(adjust, labels, scores, series, where)
    tallies = [
        count(labels, adjust(labels, flag(scores, level), series, where), series, where)
        for level in levels
    ]
    return levels, tallies


def best(rate, levels, tallies, *, lower=False):
    sign = -1 if lower else 1
    values = [(sign * rate(tally), level) for level, tally in zip(levels, tallies, strict=True)]
    if isnan(values[0][0]) and not any(truth for _, truth, *_ in tallies):
        return nan, levels[0]  # nothing to find: silence is best, and has no value
    values = [(value, level) for value, level in values if not isnan(value)]
    value, level = max(values) if values else (nan, levels[0])
    return sign * value, level


def auc_roc(levels, tallies):
    _, anomalous, _, _, normal = tallies[0]
    if not anomalous or not normal:
        return nan
    curve = [(hits, flagged - hits) for hits, _, _, flagged, _ in tallies] + [(anomalous, normal)]
    area = Fraction(0)
    for (hits, false), (more_hits, more_false) in pairwise(curve):
        area += Fraction(more_false - false, normal) * Fraction(hits + more_hits, 2 * anomalous)
    return area


def auc_pr(levels, tallies):
    if not tallies[0][1]:
        return nan
    curve = [(Fraction(0), Fraction(1))]
    curve += [(recall(tally), precision(tally)) for tally in tallies if tally[3]]
    area = Fraction(0)
    for (r, p), (more, q) in pairwise(curve):
        area += (more - r) * (p + q) / 2
    return area


def ap(levels, tallies):
    if not tallies[0][1]:
        return nan
    area, last = Fraction(0), Fraction(0)
    for tally in tallies:
        if recall(tally) > last:
            area += (recall(tally) - last) * precision(tally)
            last = recall(tally)
    return area
