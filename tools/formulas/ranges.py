r"""Formulas of ranges: shares of events and of runs, and distances within zones."""

from itertools import pairwise
from math import isnan, nan, sqrt

from .counts import harmonic, mean, overlap, pr_area, ratio, runs, swept, touches
from .events import F, family


def _share(one, others):
    return sum(overlap(one, other) for other in others) / (one[1] - one[0])


def _range(labels, flags):
    events, alarms = runs(labels), runs(flags)
    return mean(_share(a, events) for a in alarms), mean(_share(e, alarms) for e in events)


def _punished(one, others):
    length, touched = one[1] - one[0], sum(touches(one, other) for other in others)
    return _share(one, others) * ((length - 1) / length) ** max(touched - 1, 0)


def _ts(labels, flags):
    events, alarms = runs(labels), runs(flags)
    right = sum((b - a) * _punished((a, b), events) for a, b in alarms)
    return ratio(right, sum(b - a for a, b in alarms)), mean(_punished(e, alarms) for e in events)


def _range_area(labels, scores):
    curve = []
    for level in sorted(set(scores))[1:]:
        precision, recall = _range(labels, [s >= level for s in scores])
        curve.append((recall, -precision))
    curve = [(0, -1), *sorted(curve), (1, -sum(labels) / len(labels))]
    return -sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(curve))


def _half(share, theta):
    return (share >= theta) / 2 + share / 2


def _tapr(labels, flags, theta=0.5):
    events, alarms = runs(labels), runs(flags)
    right = mean(_half(_share(a, events), theta) for a in alarms)
    return right, mean(_half(_share(e, alarms), theta) for e in events)


def _etapr(labels, flags, theta_p=0.5, theta_r=0.1):
    events, alarms = runs(labels), runs(flags)
    table = {(e, a): overlap(e, a) for e in events for a in alarms}

    def share(one, side):
        return sum(v for pair, v in table.items() if pair[side] == one) / (one[1] - one[0])

    def weak():
        sides = [(e, 0, theta_r) for e in events] + [(a, 1, theta_p) for a in alarms]
        return [(one, side) for one, side, theta in sides if 0 < share(one, side) < theta]

    while weak():
        one, side = weak()[0]
        table |= {pair: 0 for pair in table if pair[side] == one}
    weights = [sqrt(b - a) for a, b in alarms]
    right = [
        w * (share(a, 1) > 0) * (1 + share(a, 1)) / 2 for w, a in zip(weights, alarms, strict=True)
    ]
    found = mean((share(e, 0) > 0) * (1 + share(e, 0)) / 2 for e in events)
    return ratio(sum(right), sum(weights)), found


QUARTERS = (
    0.125,
    0.375,
    0.625,
    0.875,
)  # all kinks lie on quarters of points: their middles are exact


def zones(labels):
    """Each event with its zone, up to the middle between it and its neighbours."""
    events = runs(labels)
    edges = [0, *((a[1] + b[0]) / 2 for a, b in pairwise(events)), len(labels)]
    return list(zip(events, pairwise(edges), strict=True))


def stands_out(x, event, zone):
    """The chance that a place in the zone lies further from the event than x does."""
    (a, b), (first, last) = event, zone
    far = max(a - x, x - b)
    beyond = max(a - far - first, 0) + max(last - b - far, 0)
    return 1.0 if far <= 0 else beyond / (last - first)


def of_zone(event, zone, flags):
    """Affiliation precision and recall of one zone; NaN and 0 without an alarm."""
    inside = [
        t + q for t, f in enumerate(flags) for q in QUARTERS if f and zone[0] <= t + q < zone[1]
    ]
    if not inside:
        return nan, 0.0
    cells = [(x - 0.125, x + 0.125) for x in inside]
    middles = [t + q for t in range(*event) for q in QUARTERS]
    far = [min(max(a - z, z - b, 0) for a, b in cells) for z in middles]
    length = zone[1] - zone[0]
    recall = mean(
        1 - (min(d, z - zone[0]) + min(d, zone[1] - z)) / length
        for z, d in zip(middles, far, strict=True)
    )
    return mean(stands_out(x, event, zone) for x in inside), recall


def _affiliation(labels, flags):
    values = [of_zone(event, zone, flags) for event, zone in zones(labels)]
    return mean(p for p, _ in values if not isnan(p)), mean(r for _, r in values)


def _corrected(labels, flags):
    right = flagged = 0
    for event, zone in zones(labels):
        precision, _ = of_zone(event, zone, flags)
        if not isnan(precision):
            p = (event[1] - event[0]) / (zone[1] - zone[0])
            level = (1 + p**2) / 2
            right, flagged = right + precision - level, flagged + 1 - level
    return ratio(right, flagged), _affiliation(labels, flags)[1]


def _signed(labels, flags):
    precision, recall = _corrected(labels, flags)
    return harmonic(precision, recall) if precision >= 0 else -harmonic(-precision, recall)


FORMULAS = {
    **family(
        "range", _range,
        (r"\frac1M \sum_A \left( \alpha\, [A \cap E \ne \emptyset] + (1 - \alpha)\, \gamma\, \frac{|A \cap E|}{|A|} \right)",
         "A is one of M runs, E all events; points are weighted by `bias`, and γ (1 by default) is what `cardinality` makes of the number of events touched"),
        (r"\frac1N \sum_E \left( \alpha\, [E \cap A \ne \emptyset] + (1 - \alpha)\, \gamma\, \frac{|E \cap A|}{|E|} \right)",
         "E is one of N events, A all runs; the rest as for `range_precision`"),
    ),
    **family(
        "ts", _ts,
        (r"\frac{\sum_A |A \cap E| \left( \frac{|A| - 1}{|A|} \right)^{c - 1}}{\sum_A |A|}", "A is a run that touches c events, E are all events"),
        (r"\frac1N \sum_E \frac{|E \cap A|}{|E|} \left( \frac{|E| - 1}{|E|} \right)^{c - 1}", "E is one of N events, touched by c runs, A are all runs"),
    ),
    "ts_auc_pr": (
        r"\sum_i (R_i - R_{i-1}) \frac{P_i + P_{i-1}}{2}", "P is `ts_precision` and R `ts_recall` at the i-th threshold from the highest down, from R = 0 and P = 1",
        lambda labels, scores: pr_area([(r, p) for p, r in swept(labels, scores, _ts)]),
    ),
    "auc_pr_range": (
        r"\sum_i (R_i - R_{i-1}) \frac{P_i + P_{i-1}}{2}",
        "P is `range_precision` and R `range_recall` at each threshold but the lowest, sorted by R, between (R, P) = (0, 1) and (1, share of anomalous points)",
        _range_area,
    ),
    **family(
        "tapr", _tapr,
        (r"\frac1M \sum_A \left( \alpha\, [p_A \ge \theta] + (1 - \alpha)\, p_A \right), p_A = \frac{|A \cap E|}{|A|}",
         "A is one of M runs, E all events, with tails of `delta` points (none by default)"),
        (r"\frac1N \sum_E \left( \alpha\, [r_E \ge \theta] + (1 - \alpha)\, r_E \right), r_E = \frac{|E \cap A|}{|E|}",
         "E is one of N events, A all runs; flags in the tail count too"),
    ),
    **family(
        "etapr", _etapr,
        (r"\frac{\sum_A \sqrt{|A|}\, [p_A > 0] \frac{1 + p_A}{2}}{\sum_A \sqrt{|A|}}, p_A = \frac{|A \cap E|}{|A|}",
         "A is a run; while an event has a share below `theta_r` in runs, or a run one below `theta_p` in events, its overlaps are set to 0"),
        (r"\frac1N \sum_E [r_E > 0] \frac{1 + r_E}{2}, r_E = \frac{|E \cap A|}{|E|}", "E is one of N events; overlaps are set to 0 as for `etapr_precision`"),
    ),
    **family(
        "affiliation", _affiliation,
        (r"\frac1Z \sum_{\text{zones with alarms}} \frac{1}{|A|} \int_A \Pr(d(X, E) > d(x, E))\, dx",
         "X is a random place of the zone of the event E, A the flagged time in it, d a distance; a zone ends in the middle between two events"),
        (r"\frac1N \sum_E \frac{1}{|E|} \int_E \Pr(|X - z| > d(z, A))\, dz", "X is a random place of the zone of the event E, A the flagged time in it (0 without)"),
    ),
    "affiliation_precision_corrected": (
        r"\frac{\bar P - \bar c}{1 - \bar c}, c = \frac{1 + p^2}{2}",
        "both means are over the zones with alarms: of P, the affiliation precision of one, and of c, what an alarm earns on average that falls "
        "anywhere in the zone, p being the share of it that the event takes",
        lambda *c: _corrected(*c)[0],
    ),
    "affiliation_f1_corrected": (
        F + r"\text{ for } P \ge 0, \text{ else } -F(-P, R)", "P is `affiliation_precision_corrected`, R `affiliation_recall`", _signed,
    ),
}  # fmt: skip
