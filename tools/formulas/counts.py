r"""What formulas count: runs, points, adjusted flags, thresholds, and how F is made of two rates."""

from itertools import pairwise
from math import isnan, nan


def runs(marks):
    """Stretches [a, b) of marked points."""
    starts = [t for t, one in enumerate(marks) if one and not (t and marks[t - 1])]
    return [
        (a, next((t for t in range(a, len(marks)) if not marks[t]), len(marks))) for a in starts
    ]


def ratio(part, whole):
    """Part of a whole; NaN of nothing."""
    return part / whole if whole else nan


def mean(values):
    """The mean; NaN of nothing."""
    values = list(values)
    return ratio(sum(values), len(values))


def harmonic(precision, recall, beta=1):
    """F of a precision and a recall; 0 where nothing is right or nothing is found."""
    if not precision or not recall or (isnan(precision) != isnan(recall)):
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def confusion(labels, flags):
    """TP, FP, FN and TN of points."""
    pairs = [(bool(y), bool(f)) for y, f in zip(labels, flags, strict=True)]
    kinds = ((True, True), (False, True), (True, False), (False, False))
    return tuple(pairs.count(kind) for kind in kinds)


def touches(one, other):
    """Whether two stretches have a point in common."""
    return one[0] < other[1] and other[0] < one[1]


def overlap(one, other):
    """How many points two stretches have in common."""
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))


def default_width(labels):
    """The smallest odd number that is at least the sum of s^2 over that of s."""
    widths = [b - a for a, b in runs(labels)]
    least = sum(s * s for s in widths) / sum(widths)
    return next(w for w in range(1, 10**6, 2) if w >= least)


def same(_, flags):
    """Flags as they are."""
    return [bool(f) for f in flags]


def point_adjusted(labels, flags):
    """Events with a flag are flagged throughout."""
    return k_adjusted(labels, flags, k=0)


def k_adjusted(labels, flags, k=0.2):
    """Events of which a share k or more is flagged are flagged throughout."""
    made = same(labels, flags)
    for a, b in runs(labels):
        if any(flags[a:b]) and sum(flags[a:b]) / (b - a) >= k:
            made[a:b] = [True] * (b - a)
    return made


def balanced(labels, flags, width=None):
    """Events with a flag, and the normal points of an island around each false one."""
    made, w = point_adjusted(labels, flags), width or default_width(labels)
    for t, label in enumerate(labels):
        window = range(max(t - w // 2, 0), min(t + (w - 1) // 2 + 1, len(labels)))
        made[t] |= not label and any(flags[u] and not labels[u] for u in window)
    return made


def first_adjusted(labels, flags, k=7):
    """Events with a flag among their first k points are flagged throughout, others not at all."""
    made = same(labels, flags)
    for a, b in runs(labels):
        made[a:b] = [any(flags[a : min(a + k, b)])] * (b - a)
    return made


def dilated(_, flags, width=5):
    """Every flag widened to `width` points."""
    return [
        any(flags[max(t - width // 2, 0) : t + (width - 1) // 2 + 1]) for t in range(len(flags))
    ]


def levels(scores):
    """All thresholds, from that which flags nothing to that which flags everything."""
    return [*sorted(set(scores), reverse=True), min(scores) - 1]


def swept(labels, scores, rates):
    """What `rates` says of the flags at every threshold, from the highest down."""
    return [rates(labels, [s > level for s in scores]) for level in levels(scores)]


def trapezoids(curve):
    """The area under points (x, y)."""
    return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(curve))


def pr_area(curve):
    """The area under (recall, precision), from (0, 1) on, by trapezoids."""
    return trapezoids([(0, 1), *((r, p) for r, p in curve if not isnan(p))])


def pr_steps(curve):
    """The sum of rises of recall, each times its precision."""
    curve = [(0, 1), *((r, p) for r, p in curve if not isnan(p))]
    return sum((b[0] - a[0]) * b[1] for a, b in pairwise(curve))
