"""Slow twins of what several channels score: one event, one channel, one point at a time."""

from fractions import Fraction
from itertools import permutations
from math import isnan, log2, nan

from hypothesis import strategies as st

import naive
from count.naive_affiliation import UNIT, mean_over, recall_of, within, zones
from count.naive_matching import runs_per_event
from count.naive_segments import eventwise
from count.naive_timing import timing as timing_of_points

# --- one channel -------------------------------------------------------------------------------


def found(labels, flags, series=None, where=None):
    """Of one channel an event is found or not, and no alarm is on another channel."""
    flags = naive.raw(labels, flags, series, where)
    hit = [any(flags[a:b]) for a, b in naive.events(labels, series, where)]
    return Fraction(sum(hit), len(hit)) if hit else nan


def only(labels, scores, series=None, where=None):
    """Of one channel, it stands first."""
    return 1 if naive.events(labels, series, where) else nan


# --- several channels: events are dicts from channels to sets of points --------------------------


def events_of(table, series=None):
    """Stretches in which any channel is anomalous, of a list of columns."""
    any_of = [any(points) for points in zip(*table, strict=True)]
    return [
        {c: {t for t in range(a, b) if column[t]} for c, column in enumerate(table)}
        for a, b in naive.events(any_of, series)
    ]


def cells(events, flags, groups=None, judged=None):
    """TP, FP and FN channels (or groups of them) of each event that is judged on one of its own."""
    channels = range(len(flags))
    groups = [[c] for c in channels] if groups is None else groups
    for e, event in enumerate(events):
        points = set().union(*event.values())
        if judged is not None:  # a channel that nobody watched during the event is left out
            points = {t for t in points if any(column[t] for column in judged)}
            there = [c for c in channels if any(judged[c][t] for t in points)]
            event = {c: own for c, own in event.items() if own & points and c in there}  # noqa: PLW2901
            if not event:
                continue
        alarm = {c: {t for t in points if flags[c][t]} for c in channels}
        excused = {
            c: any(alarm[c] & other.get(c, set()) for o, other in enumerate(events) if o != e)
            for c in channels
        }
        tp = fp = fn = 0
        for group in groups:
            affected = any(event.get(c) for c in group)
            tp += affected and any(alarm[c] for c in group)
            fn += affected and not any(alarm[c] for c in group)
            fp += not affected and any(alarm[c] and not excused[c] for c in group)
        yield tp, fp, fn


def share(part, whole):
    return Fraction(part, whole) if whole else Fraction(0)


def precision(tp, fp, _):
    return share(tp, tp + fp)


def recall(tp, _, fn):
    return share(tp, tp + fn)


def f_score(tp, fp, fn, beta=1):
    weight = Fraction(beta) ** 2
    return share((1 + weight) * tp, (1 + weight) * tp + weight * fn + fp)


RATES = {"precision": precision, "recall": recall, "f1": f_score}


def of_channels(events, flags, rate, groups=None, average="events", judged=None, **settings):
    counted = list(cells(events, flags, groups, judged))
    if not counted:
        return nan
    if average == "pooled":
        return RATES[rate](*map(sum, zip(*counted, strict=True)), **settings)
    return sum(RATES[rate](*one, **settings) for one in counted) / len(counted)


# --- events by id: dicts from channels to sets of points, all channels as one --------------------


def stretches(points):
    """Runs of neighbouring points."""
    points = sorted(points)
    firsts = [t for t in points if t - 1 not in points]
    return [(a, next(t for t in range(a, points[-1] + 2) if t not in points)) for a in firsts]


def by_id(events, flags, asked=None):
    """Found, asked for, false alarms, quiet share of normal time, alarms that repeat another."""
    n = len(flags[0])
    any_of = {t for t in range(n) if any(column[t] for column in flags)}
    points = [set().union(*event.values()) for event in events]
    every = set().union(*points)
    alarms = [set(range(a, b)) for a, b in stretches(any_of)]
    chosen = [p for e, p in enumerate(points) if asked is None or asked[e]]
    found = sum(bool(p & any_of) for p in chosen)
    false = sum(not alarm & every for alarm in alarms)
    normal = set(range(n)) - every
    quiet = 1 - Fraction(len(normal & any_of), len(normal)) if normal else Fraction(1)
    pieces = [set(range(a, b)) for p in chosen for a, b in stretches(p)]
    more = sum(max(0, sum(bool(alarm & piece) for alarm in alarms) - 1) for piece in pieces)
    return found, len(chosen), false, quiet, more


def incident(events, flags, rate, asked=None):
    found, count, false, quiet, more = by_id(events, flags, asked)
    recall = Fraction(found, count) if count else nan
    precision = Fraction(found, found + false) * quiet if found + false else nan
    if rate == "alarming_precision":
        return Fraction(found, found + more) if found else nan
    if rate == "incident_f1":
        if not count and not false:
            return nan
        both = precision + recall if found else 0
        return 2 * precision * recall / both if both else 0
    return recall if rate == "incident_recall" else precision


def zoned(events, flags, rate, asked=None, beta=1):
    """Affiliation of the zones of all events as one, brought to events by each of their rows."""
    n = len(flags[0])
    any_of = [int(any(column[t] for column in flags)) for t in range(n)]
    every = set().union(*(own for event in events for own in event.values()))
    found = {}
    for zone in zones([int(t in every) for t in range(n)], None, None):
        first, last = zone[2] // UNIT, zone[3] // UNIT
        rows = [
            e for e, event in enumerate(events) for own in event.values()
            for a, _ in stretches(own) if first <= a < last
        ]  # fmt: skip
        if asked is not None and not all(asked[e] for e in rows):
            continue
        places = within(any_of, zone[0], zone[1])
        values = (mean_over(places, zone), recall_of(places, zone)) if places else (0.5, 0)
        for e in rows:
            found.setdefault(e, []).append(values)
    if not found:
        return nan
    means = [[sum(side) / len(own) for side in zip(*own, strict=True)] for own in found.values()]
    precision, recall = (sum(side) / len(means) for side in zip(*means, strict=True))
    both = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    return {"precision": precision, "recall": recall, "f1": both}[rate]


ZONED = ("f1", "precision", "recall")


def zoned_points(rate):
    """The same of one channel of labels without ids, of one series that is judged everywhere."""

    def value(labels, flags, series=None, where=None):
        own = zones(labels, series, where)
        alarms = naive.raw(labels, flags, series, where)
        places = [within(alarms, zone[0], zone[1]) for zone in own]
        pairs = [
            (mean_over(x, zone), recall_of(x, zone)) if x else (Fraction(1, 2), Fraction(0))
            for x, zone in zip(places, own, strict=True)
        ]
        if not pairs:
            return nan
        precision, recall = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
        both = 2 * precision * recall / (precision + recall)
        return {"precision": precision, "recall": recall, "f1": both}[rate]

    return value


def timing(events, flags, exponent):
    """The first alarm on a channel of each event, by the curve of adtqc."""
    begins = [min(set().union(*event.values())) for event in events]
    order = sorted(range(len(events)), key=lambda e: begins[e])
    own = []
    for place, e in enumerate(order):
        points = set().union(*events[e].values())
        firsts = [
            a
            for c, mine in events[e].items()
            for a, b in stretches({t for t, on in enumerate(flags[c]) if on})
            if mine & set(range(a, b))
        ]
        if firsts:
            length = max(points) + 1 - min(points)
            room = min(length, begins[e] - begins[order[place - 1]]) if place else length
            own.append(curve(min(firsts) - begins[e], length, room, exponent))
    return sum(own) / len(own) if own else nan


def curve(late, length, room, exponent):
    if late == 0:
        return 1
    if late < 0:
        return ((late + room) / room) ** exponent if late > -room else 0
    return 1 / (1 + (late / (length - late)) ** exponent)


INCIDENTS = ("incident_f1", "incident_precision", "incident_recall", "alarming_precision")


def per_channel(count, rate):
    """The same of one channel of labels without ids: what counts events of points."""

    def value(labels, flags, series=None, where=None):
        return rate(count(labels, naive.raw(labels, flags, series, where), series, where))

    return value


def first_of_runs(tally):
    return Fraction(tally[1], tally[0]) if tally[0] else nan


ONE_CHANNEL = {
    "incident_f1": per_channel(eventwise, naive.fbeta),
    "incident_precision": per_channel(eventwise, naive.precision),
    "incident_recall": per_channel(eventwise, naive.recall),
    "alarming_precision": per_channel(runs_per_event, first_of_runs),
    "channel_adtqc": per_channel(timing_of_points, naive.recall),
    **{f"incident_affiliation_{rate}": zoned_points(rate) for rate in ZONED},
}


# --- causes: every order of equal scores in turn -------------------------------------------------


def orders(scores):
    """All orders from the highest score down, equals in any order."""
    best = sorted(scores, reverse=True)
    return [o for o in permutations(range(len(scores))) if [scores[c] for c in o] == best]


def hit_rate(order, causes, p=100, rounding="floor"):
    k = p * len(causes) / 100
    k = round(k) if rounding == "even" else int(k)
    return Fraction(len(causes & set(order[:k])), len(causes))


def ndcg(order, causes, p=100, rounding="floor"):
    k = p * len(causes) / 100
    k = round(k) if rounding == "even" else int(k)
    gain = sum(1 / log2(i + 2) for i, c in enumerate(order[:k]) if c in causes)
    best = sum(1 / log2(i + 2) for i in range(min(k, len(causes))))
    return gain / best if best else nan


def in_top(order, causes, k=3):
    return Fraction(bool(causes & set(order[:k])))


def recall_at(order, causes, k=5):
    return Fraction(len(causes & set(order[:k])), len(causes))


def average_at(order, causes, k=5):
    return sum(recall_at(order, causes, j) for j in range(1, k + 1)) / k


CAUSES = {
    "cause_hit_rate": hit_rate,
    "cause_ndcg": ndcg,
    "cause_in_top": in_top,
    "cause_recall_at_k": recall_at,
    "cause_average_at_k": average_at,
}


def of_causes(rows, score, **settings):
    """The mean over rows (scores of channels, causes among them) of the mean over orders."""
    own = []
    for scores, causes in rows:
        if causes:
            every = orders(scores)
            value = sum(score(order, causes, **settings) for order in every) / len(every)
            own += [] if isnan(value) else [value]
    return sum(own) / len(own) if own else nan


WHOLES = {
    **{f"{stem}_{rate}": found for stem in ("channel", "subsystem") for rate in RATES},
    **dict.fromkeys(CAUSES, only),
    **ONE_CHANNEL,
}
SETTINGS = {
    "kind": st.sampled_from(["Anomaly", "Rare Event"]),
    "average": st.sampled_from(["events", "pooled"]),
    "per": st.sampled_from(["events", "points"]),
    "rounding": st.sampled_from(["floor", "even"]),
    "p": st.sampled_from([50, 100, 150]),
}
