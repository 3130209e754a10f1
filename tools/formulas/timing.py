r"""Formulas of time: delays, distances, tolerance, and what alarms cost."""

from itertools import pairwise
from math import erfc, sqrt

from .counts import confusion, mean, overlap, ratio, runs, touches
from .events import family


def _first(flags, a, b):
    return next((t for t in range(a, b) if flags[t]), None)


def _delays(labels, flags):
    found = ((a, _first(flags, a, b)) for a, b in runs(labels))
    return [t - a for a, t in found if t is not None]


def _latency(labels, flags):
    """Points from the first hit of their event on are found; batches of one point."""
    firsts = ((b, _first(flags, a, b)) for a, b in runs(labels))
    found = sum(b - first for b, first in firsts if first is not None)
    _, fp, _, _ = confusion(labels, flags)
    return ratio(found, found + fp), ratio(found, sum(labels))


def _near(t, marks, tolerance):
    return any(marks[max(t - tolerance, 0) : t + tolerance + 1])


def _tolerant(labels, flags, tolerance=5):
    right = mean(_near(t, labels, tolerance) for t, f in enumerate(flags) if f)
    return right, mean(_near(t, flags, tolerance) for t, y in enumerate(labels) if y)


def _softed(labels, flags, reach=15):
    """Each flag looks at the nearest anomalous point, each of these keeps the nearest flag."""
    truth, alarms = ([t for t, one in enumerate(side) if one] for side in (labels, flags))
    kept = {}
    for d in alarms:
        near = min(abs(d - e) for e in truth)
        for e in truth:
            if abs(d - e) == near < reach:
                kept.setdefault(e, []).append((abs(d - e), d))
    chosen = {min(own)[1] for own in kept.values()}
    worth = sum(1 - min(abs(d - e) for e in truth) / reach for d in chosen)
    return ratio(worth, len(alarms)), ratio(worth, len(truth))


def _early(labels, flags, share=0.1):
    values, n = [], len(labels)
    for a, _ in runs(labels):
        size = max(1, round(share * n / len(runs(labels))))
        begin = min(max(a - size // 2, 0), n - size)
        first = _first(flags, begin, begin + size)
        late = 0 if size == 1 or first is None else (first - begin) / (size - 1)
        values.append(0 if first is None else 1 - late)
    return mean(values)


def _false_runs(labels, flags):
    return sum(not any(labels[a:b]) for a, b in runs(flags))


def _resets(labels, flags):
    last = ([q for p, q in runs(flags) if touches((p, q), e)] for e in runs(labels))
    return mean(own[-1] - e[1] for e, own in zip(runs(labels), last, strict=True) if own)


def _distances(labels, flags):
    """Of anomalous points to the nearest flag, and of flagged ones to the nearest anomalous one."""
    sides = []
    for mine, other in ((labels, flags), (flags, labels)):
        places = [t for t, one in enumerate(other) if one]
        sides.append([min(abs(t - u) for u in places) for t, one in enumerate(mine) if one])
    return sides


def _costs(labels, flags, miss=10, false=1, delay=0):
    total = false * _false_runs(labels, flags)
    for a, b in runs(labels):
        first = _first(flags, a, b)
        total += max(miss, delay * (b - a)) if first is None else delay * (first - a)
    return total


def _prompt(labels, flags):
    values = []
    for a, b in runs(labels):
        first = _first(flags, a, b)
        late = 0 if first is None or b - a == 1 else (first - a) / (b - 1 - a)
        values.append(0 if first is None else 1 - late)
    return mean(values)


def _batadal(labels, flags, gamma=0.5):
    tp, fp, fn, tn = confusion(labels, flags)
    accuracy = (ratio(tp, tp + fn) + ratio(tn, tn + fp)) / 2
    return gamma * _prompt(labels, flags) + (1 - gamma) * accuracy


def _flapping(_, flags, within=5):
    soon = sum(b[0] - a[1] <= within for a, b in pairwise(runs(flags)))
    return ratio(soon, len(runs(flags)))


def _gaussian(labels, flags, sigma=30):
    events, free, worth = runs(labels), runs(flags), 0.0
    for start, _ in events:
        for alarm in [a for a in free if a[0] >= start][:1]:
            worth += erfc((alarm[0] - start) / (sigma * sqrt(2)))
            free.remove(alarm)
    false = sum(not any(overlap(a, e) for e in events) for a in free)
    return ratio(worth, worth + false), ratio(worth, len(events))


def _dair(labels, flags, tolerance=5):
    near = sum(_near(t, flags, tolerance) for t, y in enumerate(labels) if y)
    return ratio(near, near + confusion(labels, flags)[1])


def _offsets(labels, flags):
    return mean(
        abs(t - (a + b - 1) // 2) / (b - a)
        for a, b in runs(labels)
        for t in range(a, b)
        if flags[t]
    )


def _both(labels, flags):
    missed, wrong = _distances(labels, flags)
    return mean(missed) + mean(wrong)


_HITS = "i is the first flag of a found event [a, b), and m events are found"
FORMULAS = {
    **family(
        "latency", _latency,
        (r"\frac{TP}{TP + FP}", "TP are the anomalous batches from the first flagged one of their event on, FP the flagged normal batches; a batch has `window` points"),
        (r"\frac{TP}{P}", "TP as for `latency_precision`, P are the anomalous batches"),
    ),
    **family(
        "tolerant", _tolerant,
        (r"\frac{1}{|F|} \sum_{t \in F} [d(t, Y) \le \text{tolerance}]", "F are the flagged and Y the anomalous points, and d is the distance to the nearest"),
        (r"\frac{1}{|Y|} \sum_{t \in Y} [d(t, F) \le \text{tolerance}]", "F are the flagged and Y the anomalous points"),
    ),
    **family(
        "softed", _softed,
        (r"\frac{1}{|F|} \sum_{t \in K} \left( 1 - \frac{d(t, Y)}{\text{reach}} \right)",
         "F are the flagged points, Y the anomalous ones, and K the flags that are kept: each looks at its nearest anomalous points, and each of these keeps the nearest flag"),
        (r"\frac{1}{|Y|} \sum_{t \in K} \left( 1 - \frac{d(t, Y)}{\text{reach}} \right)", "the letters are as for `softed_precision`"),
    ),
    "detection_delay": (r"\frac1m \sum_{\text{found}} (i - a)", _HITS, lambda *c: mean(_delays(*c))),
    "early_detection": (
        r"\frac1N \sum_{\text{found}} \left( 1 - \frac{i - b}{e - b} \right)",
        "i is the first flag in the window b ... e around the start of one of N events; it has a share `share` of n / N points, of n",
        _early,
    ),
    "false_alarm_rate": (
        r"\text{per} \cdot \frac{F}{n - P}", "F runs touch no event, and n - P points are normal",
        lambda labels, flags: ratio(_false_runs(labels, flags), len(labels) - sum(labels)),
    ),
    "false_alarms": (
        r"\text{per} \cdot \frac{F}{n}", "F runs touch no event, and n points are judged",
        lambda labels, flags: _false_runs(labels, flags) / len(labels),
    ),
    "reset_time": (r"\frac1m \sum_{\text{found}} (q - b)", "q is the end of the last run that overlaps a found event [a, b), and m events are found", _resets),
    "temporal_distance": (
        r"\sum_{t \in Y} d(t, F) + \sum_{t \in F} d(t, Y)", "F are the flagged and Y the anomalous points, and d is the distance to the nearest",
        lambda *c: sum(map(sum, _distances(*c))),
    ),
    "chamfer_distance": (
        r"\frac{1}{|Y|} \sum_{t \in Y} d(t, F) + \frac{1}{|F|} \sum_{t \in F} d(t, Y)", "F, Y and d as for `temporal_distance`", _both,
    ),
    "hausdorff_distance": (
        r"\max \left( \max_{t \in Y} d(t, F), \max_{t \in F} d(t, Y) \right)", "F, Y and d as for `temporal_distance`",
        lambda *c: max(map(max, _distances(*c))),
    ),
    "costs": (
        r"\sum_{\text{missed}} \max(\text{miss}, \text{delay} \cdot s) + \sum_{\text{found}} \text{delay} \cdot (i - a) + \text{false} \cdot F",
        "s are the points of an event, i is the first flag of a found one that starts at a, and F runs touch no event (each `night` more at night)",
        _costs,
    ),
    "batadal_ttd": (
        r"\frac1N \sum_{\text{found}} \left( 1 - \frac{i - a}{z - a} \right)", "i is the first flag of an event of the points a ... z, of N events", _prompt,
    ),
    "batadal": (
        r"\gamma T + (1 - \gamma) B", "T is `batadal_ttd` and B `balanced_accuracy`", _batadal,
    ),
    "flapping": (r"\frac{k}{M}", "k of M runs begin at most `within` points after the end of the one before", _flapping),
    **family(
        "gaussian", _gaussian,
        (r"\frac{w}{w + F}", "w = Σ erfc(d / (σ √2)) over the events whose earliest free alarm starts d points after them, and F alarms that are not taken touch no event"),
        (r"\frac{w}{N}", "w as for `gaussian_precision`, of N events"),
    ),
    "tdir": (
        r"\frac{1}{|Y|} \sum_{t \in Y} [d(t, F) \le \text{tolerance}]", "F are the flagged and Y the anomalous points", lambda *c: _tolerant(*c)[1],
    ),
    "dair": (r"\frac{A}{A + FP}", "A anomalous points have a flag within `tolerance`, and FP normal points are flagged", _dair),
    "add": (
        r"\frac{1}{h} \sum_{\text{hits } t} \frac{|t - \lfloor (a + z) / 2 \rfloor|}{s}", "h hits lie in events of the points a ... z, s of them", _offsets,
    ),
}  # fmt: skip
