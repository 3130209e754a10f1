r"""Formulas of metrics that are no sentence, each with a slow function written from it.

``tools/make.py metrics`` prints the formula below the metric, and refuses one whose slow function gives
another value than the metric does. One series, all points judged, the settings of `EXAMPLES`.
"""

from math import ceil, e, exp, log, sqrt

from .counts import mean, runs


def timing(x, width, before):
    """q(x) of an alarm x points after the start of its event."""
    early = min(width, before)
    if -early < x <= 0:
        return ((x + early) / early) ** e
    return 1 / (1 + (x / (width - x)) ** e) if 0 < x < width else 0.0


def adtqc(labels, flags):
    """The mean of q(x) over the events found."""
    found, begins = [], [a for a, _ in runs(labels)]
    for k, (a, b) in enumerate(runs(labels)):
        first = [p for p, q in runs(flags) if p < b and q > a][:1]
        found += [timing(p - a, b - a, a - begins[k - 1] if k else b - a) for p in first]
    return mean(found)


def wdd(labels, flags, tolerance=5):
    """Hits by a Gaussian, less false alarms by their distance."""
    events, value = runs(labels), 0.0
    for t, flag in enumerate(flags):
        if flag and labels[t]:
            ((a, b),) = [(p, q) for p, q in events if p <= t < q]
            middle, width = (a + b - 1) / 2, b - a
            value += exp(-(((t - middle) / (width / 2)) ** 2) / 2)
        elif flag:
            far = min(abs(t - s) for s, one in enumerate(labels) if one)
            value -= min(far / tolerance, 1)
    return value


def nab(labels, flags):
    """Rewards less costs, of 0 for silence and 100 for perfection."""
    events, value = runs(labels), 0.0

    def sigma(x):
        return -1 if x > 3 else 2 / (1 + exp(5 * x)) - 1

    for a, b in events:
        first = [t for t in range(a, b) if flags[t]][:1]
        value += sum(1 + sigma((t - b) / (b - a)) / sigma(-1) for t in first)
    for t, flag in enumerate(flags):
        if flag and not labels[t]:
            before = [(a, b) for a, b in events if b <= t][-1:]
            value += sum(0.11 * sigma((t - b + 1) / max(b - a - 1, 1)) for a, b in before)
            value -= 0.11 * (not before)
    return 100 * value / (2 * len(events))


def alarm(labels, flags):
    """Events found, less what is false, plus how early and in how few pieces."""
    events, alarms = runs(labels), runs(flags)
    first = [next((t for t in range(p, q) if labels[t]), None) for p, q in alarms]
    found = [(a, b) for a, b in events if any(t is not None and a <= t < b for t in first)]
    wrong = sum(f and not y for f, y in zip(flags, labels, strict=True))
    value = len(found) - first.count(None) / 2 - (1 - 1 / wrong if wrong else 0)
    value -= sum(0.75 for a, _ in events if a and flags[a - 1] and flags[a])
    value -= sum(0.25 for _, b in events if b < len(flags) and flags[b - 1] and flags[b])
    early = [
        (1 + sum(0.5 ** (t - a + 1) for t in range(a, b) if flags[t])) / 2 ** len(runs(flags[a:b]))
        for a, b in found
    ]
    return value + (sum(early) / len(early) if early else 0)


def early_utility(labels, flags, early=12, best=6, late=3):
    """What flags gain over silence, as a share of the most that can be gained."""
    peaks = [a + best for a, _ in runs(labels)]
    gained = most = 0.0
    for i, flag in enumerate(flags):
        s = next((peak for peak in peaks if i <= peak + late), peaks[-1])
        gain = 0.0
        if i <= s - best:
            gain = max((i - s + early) / (early - best), -0.05)
        elif i <= s + late:
            gain = (s + late - i) / (late + best) + 2 * (i - s + best) / (late + best)
        gained += gain if flag else 0
        most += max(gain, 0)
    return gained / most


def _interest(marks, linger, tire):
    def falling(z):
        return (1 - 1 / (1 + exp(-z))) / (1 - 1 / (1 + exp(5)))

    values, first, last = [], None, None
    for t in range(len(marks) + linger):
        if t < len(marks) and marks[t]:
            first = t if last is None or t - last > linger else first
            last = t
        near = last is not None and t - last <= linger
        worn = 0.5 + 0.5 * falling(10 * (t - first) / tire - 5) if near and t > first else 1
        faded = falling(10 * (t - last) / linger - 5) if near and t > last else 1
        values.append(worn * faded * near)
    return values


def _oipr(labels, flags):
    widths = [b - a for a, b in runs(labels)]
    mean = sum(widths) / len(widths)
    truth, alarms = (_interest(m, ceil(mean), ceil(mean / 2)) for m in (labels, flags))
    common = sum(map(min, truth, alarms))
    return common, sum(truth), sum(alarms)


def oipr_precision(labels, flags):
    """Common interest, of that in the alarms."""
    common, _, alarms = _oipr(labels, flags)
    return common / alarms


def oipr_recall(labels, flags):
    """Common interest, of that in the labels."""
    common, truth, _ = _oipr(labels, flags)
    return common / truth


def oipr_f1(labels, flags):
    """Common interest, of the mean of both."""
    common, truth, alarms = _oipr(labels, flags)
    return 2 * common / (truth + alarms)


def _cut(pieces, low, high):
    return [(max(a, low), min(b, high)) for a, b in pieces if max(a, low) < min(b, high)]


def sdqe(labels, flags, near=125):
    """The mean over events of sqrt((hit + close) / 2 * quiet)."""
    events, alarms, n, values = runs(labels), runs(flags), len(labels), []
    left = [max(a - near, events[i - 1][1] if i else 0) for i, (a, _) in enumerate(events)]
    ends = [a for a, _ in events[1:]] + [n]
    right = [min(b + near, end) for (_, b), end in zip(events, ends, strict=True)]
    middle = [0, *((right[i] + left[i + 1]) / 2 for i in range(len(events) - 1)), n]
    for i, (a, b) in enumerate(events):
        begins = max(left[i], right[i - 1]) if i else left[i]
        pieces = _cut(alarms, begins, a) + _cut(alarms, b, right[i])
        before, after = _cut(alarms, middle[i], left[i]), _cut(alarms, right[i], middle[i + 1])
        hit = bool(_cut(alarms, a, b))
        room, beyond = max(0, left[i] - middle[i]), max(0, middle[i + 1] - right[i])
        length = room + beyond
        close = float(hit and not before + after)
        if pieces:
            gap, total = (
                min(a - q if q <= a else p - b for p, q in pieces),
                sum(q - p for p, q in pieces),
            )
            close = (1 - gap / near) * (1 - total / (2 * near))
        total = sum(q - p for p, q in before + after)
        quiet = max(0, 1 - 2 * total / length) if length else 1
        places = [(p + q) / 2 - left[i] + room for p, q in before]
        places += [(p + q) / 2 - right[i] + room for p, q in after]
        parts = ceil(length)
        if places and length > 1:
            cells = {min(int(place * parts // length), parts - 1) for place in places}
            quiet *= 1 - log(len(cells)) / log(parts)
        values.append(sqrt((hit + close) / 2 * quiet))
    return sum(values) / len(values)


def credited(labels, flags, early, delay):
    """Credited, missed and flagged points for one pair of buffer sizes."""
    events, found, missed, taken = runs(labels), 0.0, 0.0, set()
    for a, b in events:
        event = range(a, b)
        far = lambda x, points=event: sum(abs(x - z) for z in points)  # noqa: E731
        behind, front = [], []
        for x in range(b, min(b + delay, len(labels))):
            if labels[x]:
                break
            behind.append(x)
        for x in range(a - 1, max(a - early, 0) - 1, -1):
            if x in taken:
                break
            front.append(x)
        taken |= {*event, *behind}
        hits = [x for x in event if flags[x]]
        found += len(hits)
        for buffer in [behind, front] if hits else [behind]:
            found += sum(1 - far(x) / far(buffer[-1]) for x in buffer if flags[x])
        seen = next((x for x in range(hits[0], b) if not flags[x]), b) - hits[0] if hits else 0
        for x in event:
            missed += not flags[x]
            if hits and not flags[x] and x > a + seen:
                missed -= far(x, range(a, a + seen + 1)) / far(b - 1)
    return found, missed, sum(flags)


def _over_buffers(rate):
    def value(labels, flags, early, delay):
        tried = [rate(*credited(labels, flags, x, y)) for x in (0, early) for y in (0, delay)]
        return sum(tried) / 4

    return value


pate_precision = _over_buffers(lambda found, _, flagged: found / flagged)
pate_recall = _over_buffers(lambda found, missed, _: found / (found + missed))
pate_f1 = _over_buffers(lambda found, missed, flagged: 2 * found / (found + missed + flagged))

_OIPR = (
    r"I(t) = (\tfrac12 + \tfrac12 f(t - u, \text{tire})) f(t - v, \text{linger}), "
    r"f(x, l) = \frac{1 - \sigma(10 x / l - 5)}{1 - \sigma(-5)}"
)
_OIPR_WORDS = (
    "I are of the labels, I' of the alarms; u is the first and v the last flag so far of those at most `linger` apart, "
    "σ(x) = 1 / (1 + exp(-x)), f is 1 up to x = 0, and I is 0 after `linger`; by default the mean length of the events, and half of it for `tire`, both rounded up"
)
_PATE = (
    r"c = \sum_{\text{hits}} 1 + \sum_{\text{flags in buffers}} (1 - d(x) / d(\text{end of buffer})), "
    r"m = \sum_{\text{missed}} w(x)"
)
_PATE_WORDS = (
    "d(x) is the sum of distances from x to the event's points, F the flagged points; w(x) is 1, and behind the first hits 1 "
    "less the sum of distances from x to the event's points up to where these end, divided by d(end of event); the "
    "four pairs of buffers have 0 or early and 0 or delay points; an event without a hit has no buffer before it"
)
FORMULAS = {
    "adtqc": (
        r"\frac1m \sum q(x), q(x) = (1 + x / r)^e \text{ for } -r < x \le 0, "
        r"1 / (1 + (x / (w - x))^e) \text{ for } 0 < x < w, \text{ else } 0",
        "x is the start of the first alarm that overlaps an event, from the event's start; w the event's width, r the "
        "smaller of w and the distance from the start of the event before; m events are found",
        adtqc,
    ),
    "wdd": (
        r"\sum_{\text{hits } t} \exp(-\tfrac12 (2 (t - \mu) / w)^2) - \sum_{\text{false } t} \min(d(t) / \text{tolerance}, 1)",
        "μ is the middle of the event of t, w its width, d the distance to the nearest anomalous point",
        wdd,
    ),
    "nab": (
        r"\frac{100}{2N} \left( \sum_{\text{found}} (1 + \frac{\sigma((t - b) / w)}{\sigma(-1)}) + 0.11 \sum_{\text{false } t} "
        r"\sigma((t - b' + 1) / (w' - 1)) \right), \sigma(x) = \frac{2}{1 + e^{5x}} - 1, -1 \text{ for } x > 3",
        "t is the first flag in a window [b - w, b), or a false flag after the window that ends at b'; before any window a "
        "false flag costs 0.11. With the standard profile, of N windows",
        nab,
    ),
    "alarm": (
        r"m - \tfrac12 r - (1 - 1/f) - \tfrac34 x - \tfrac14 y + \frac1m \sum \frac{1 + \sum_{t} 2^{-(t - a + 1)}}{2^{k}}",
        "m events are found (by the first anomalous point of a run), r runs are false, f points are falsely flagged, x events "
        "are flagged from before and y beyond their end; of a found event from a on t are the flagged points, in k pieces",
        alarm,
    ),
    "early_utility": (
        r"\frac{\sum_{\text{flags } i} g(i)}{\sum_i \max(g(i), 0)}, g(i) = \max(\frac{i - s + \text{early}}{\text{early} - "
        r"\text{best}}, -0.05) \text{ for } i \le s - \text{best}, \frac{s + \text{late} - i + 2 (i - s + \text{best})}"
        r"{\text{late} + \text{best}} \text{ to } s + \text{late}, \text{ else } 0",
        "s is the start of the next event plus best, as long as i is at most s + late; else of the last one",
        early_utility,
    ),
    "oipr_precision": (rf"\frac{{\sum \min(I, I')}}{{\sum I'}}, {_OIPR}", _OIPR_WORDS, oipr_precision),
    "oipr_recall": (rf"\frac{{\sum \min(I, I')}}{{\sum I}}, {_OIPR}", _OIPR_WORDS, oipr_recall),
    "oipr_f1": (rf"\frac{{2 \sum \min(I, I')}}{{\sum I + \sum I'}}, {_OIPR}", _OIPR_WORDS, oipr_f1),
    "sdqe": (
        r"\frac1N \sum \sqrt{\tfrac12 (h + c) \cdot q}, c = (1 - g / \text{near}) (1 - l / (2\, \text{near})), "
        r"q = \max(0, 1 - 2 l' / L) (1 - \log k / \log \lceil L \rceil)",
        "h is 1 for an event that is hit, g the gap to the nearest flag within near points of it, and l the flagged points "
        "there (without any, c is 1 for a hit with nothing flagged further off, else 0); L are the points from there to the "
        "middle between two zones, or to the end, l' those flagged, and k of their cells that hold the middle of a piece",
        sdqe,
    ),
    "pate_precision": (rf"\frac14 \sum_{{\text{{buffers}}}} \frac{{c}}{{F}}, {_PATE}", _PATE_WORDS, pate_precision),
    "pate_recall": (rf"\frac14 \sum_{{\text{{buffers}}}} \frac{{c}}{{c + m}}, {_PATE}", _PATE_WORDS, pate_recall),
    "pate_f1": (rf"\frac14 \sum_{{\text{{buffers}}}} \frac{{2 c}}{{c + m + F}}, {_PATE}", _PATE_WORDS, pate_f1),
}  # fmt: skip
