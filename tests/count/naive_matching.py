"""Slow twins of the rows that match runs with events."""

from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import nan

from hypothesis import strategies as st

import naive
from count import naive_segments


def points(run):
    return set(range(*run))


def overlap(labels, flags, series=None, where=None, *, tau=0.5):
    """Runs in the order of time; each tries the event with the highest overlap alone."""
    events, taken, right = naive.events(labels, series, where), set(), 0
    runs = naive.events(flags, series)
    for run in runs:
        best, which = 0.0, None
        for number, event in enumerate(events):
            common = len(points(run) & points(event)) / len(points(run) | points(event))
            if common > best:
                best, which = common, number
        if best >= tau and which not in taken:
            taken.add(which)
            right += 1
    return right, len(events), right, len(runs), nan


def prepared(runs, series, where, merge, split):
    """Join runs that are less than `merge` apart, then cut those longer than `split`."""
    joined = []
    for start, stop in runs:
        if joined and start - joined[-1][1] < merge and naive.same(series, joined[-1][0], start):
            joined[-1] = (joined[-1][0], stop)
        else:
            joined.append((start, stop))
    pieces = []
    for start, stop in joined:
        step = split or stop - start
        pieces += [(a, min(a + step, stop)) for a in range(start, stop, step)]
    return [piece for piece in pieces if any(naive.judged(where, t) for t in range(*piece))]


def tolerant(labels, flags, series=None, where=None, *, before=0, after=0, share=0,
             merge=0, split=None):  # fmt: skip
    events = prepared(naive.events(labels, series, where), series, where, merge, split)
    runs = prepared(naive.events(flags, series), series, where, merge, split)
    flagged = {t for run in runs for t in range(*run)}
    near, found = set(), 0
    for start, stop in events:
        stretch = {
            t for t in range(start - before, stop + after)
            if 0 <= t < len(labels) and naive.same(series, start, t)
        }  # fmt: skip
        judged = {t for t in stretch if naive.judged(where, t)}
        if Fraction(len(judged & flagged), len(judged)) > Fraction(share):
            found += 1
            near |= stretch
    false = sum(not points(run) & near for run in runs)
    return found, len(events), found, found + false, nan


def runs_per_event(labels, flags, series=None, where=None):
    counts = []
    for start, stop in naive.events(labels, series, where):
        inside = [flags[t] for t in range(start, stop)]
        counts.append(len(naive.events(inside)))
    return sum(counts), sum(count > 0 for count in counts), 0, 0, nan


def collar(labels, flags, series=None, where=None, *, near=5, ends=True, slack=0.5):
    """Try every way of matching runs with events one to one."""
    events, runs = naive.events(labels, series, where), naive.events(flags, series)

    def may(run, event):
        close = abs(run[0] - event[0]) <= near and naive.same(series, run[0], event[0])
        room = max(near, slack * (event[1] - event[0]))
        return close and (not ends or abs(run[1] - event[1]) <= room)

    def most(number, free):
        if number == len(runs):
            return 0
        tries = [1 + most(number + 1, free - {e}) for e in free if may(runs[number], e)]
        return max([most(number + 1, free), *tries])

    right = most(0, frozenset(events))
    return right, len(events), right, len(runs), nan


def intersections(labels, flags, series=None, where=None, *, dtc=0.5, gtc=0.5):
    events, runs = naive.events(labels, series, where), naive.events(flags, series)
    anomalous = {t for event in events for t in range(*event)}
    valid = [run for run in runs if len(points(run) & anomalous) / len(points(run)) >= dtc]
    flagged = {t for run in valid for t in range(*run)}
    found = sum(len(points(e) & flagged) / len(points(e)) >= gtc for e in events)
    return found, len(events), found, found + len(runs) - len(valid), nan


def psds(labels, scores, series, where, *, dtc=0.5, gtc=0.5, per=1000, most=10):
    if not naive.events(labels, series, where):
        return nan
    judged = [s for t, s in enumerate(scores) if naive.judged(where, t)]
    curve = [(0.0, 0.0)]
    for level in [*sorted(set(judged)), float("-inf")]:
        flags = naive.raw(labels, [s > level for s in scores], series, where)
        found, truth, right, flagged, _ = intersections(
            labels, flags, series, where, dtc=dtc, gtc=gtc
        )
        curve.append(((flagged - right) * per / len(judged), found / truth))
    area, places = 0.0, [*sorted({x for x, _ in curve if x < most}), most]
    for x, following in pairwise(places):
        area += (following - x) * max(r for other, r in curve if other <= x)
    return area / most


def alarm(labels, flags, series, where):
    flags = naive.raw(labels, flags, series, where)
    events, runs = naive.events(labels, series, where), naive.events(flags, series)
    anomalous = naive.truth(labels, where)
    found, false, wrong = set(), 0, 0
    for a, b in runs:
        inside = [t for t in range(a, b) if anomalous[t]]
        wrong += b - a - len(inside)
        false += not inside
        found |= {event for event in events if inside and event[0] <= inside[0] < event[1]}
    value = len(found) - false / 2 - (1 - 1 / wrong if wrong else 0)
    for a, b in events:
        if a > 0 and naive.same(series, a - 1, a) and flags[a - 1] and flags[a]:
            value -= 0.75
        if b < len(flags) and naive.same(series, b - 1, b) and flags[b - 1] and flags[b]:
            value -= 0.25
    earned = [
        (1 + sum(2.0 ** -(t - a + 1) for t in range(a, b) if flags[t]))
        / 2 ** len(naive.events(flags[a:b]))
        for a, b in found
    ]
    return value + (sum(earned) / len(earned) if earned else 0)


SETTING = {
    "before=2, after=1": {"before": 2, "after": 1},
    "after=3, overlap=0.5": {"after": 3, "share": 0.5},
    "merge=3": {"merge": 3},
    "merge=4, split=1": {"merge": 4, "split": 1},
    "before=1, merge=2, split=2": {"before": 1, "merge": 2, "split": 2},
}
TWINS = {
    **{f"overlap_{name}": (naive.raw, overlap, rate)
       for name, rate in naive_segments.RATES.items()},
    **{f"overlap_f1(tau={tau})": (naive.raw, partial(overlap, tau=tau), naive.fbeta)
       for tau in (0.1, 0.25, 1)},
    **{f"event_{name}_tolerant": (naive.raw, tolerant, rate)
       for name, rate in naive_segments.RATES.items()},
    **{f"event_f1_tolerant({given})": (naive.raw, partial(tolerant, **settings), naive.fbeta)
       for given, settings in SETTING.items()},
    "event_recall_tolerant(split=1)": (naive.raw, partial(tolerant, split=1), naive.recall),
    "alarms_per_event": (naive.raw, runs_per_event, naive.recall),
    **{f"collar_{name}": (naive.raw, collar, rate) for name, rate in naive_segments.RATES.items()},
    "collar_f1(collar=1)": (naive.raw, partial(collar, near=1), naive.fbeta),
    "collar_f1(collar=2, ends=False)": (
        naive.raw, partial(collar, near=2, ends=False), naive.fbeta,
    ),
    "collar_f1(collar=0, slack=1)": (naive.raw, partial(collar, near=0, slack=1), naive.fbeta),
    **{f"intersection_{name}": (naive.raw, intersections, rate)
       for name, rate in naive_segments.RATES.items()},
    "intersection_f1(dtc=0.3, gtc=0.7)": (
        naive.raw, partial(intersections, dtc=0.3, gtc=0.7), naive.fbeta,
    ),
}  # fmt: skip
WHOLES = {
    "psds": psds,
    "psds(dtc=0.3, gtc=0.3, per=10, max_rate=2)": partial(psds, dtc=0.3, gtc=0.3, per=10, most=2),
    "alarm": alarm,
}
SETTINGS = {
    "tau": st.floats(0, 1, exclude_min=True),
    "before": st.integers(0, 99),
    "after": st.integers(0, 99),
    "overlap": st.floats(0, 1),
    "merge": st.integers(0, 99),
    "collar": st.integers(0, 99),
    "ends": st.booleans(),
    "slack": st.floats(0, 1),
    "dtc": st.floats(0, 1, exclude_min=True),
    "gtc": st.floats(0, 1, exclude_min=True),
    "max_rate": st.floats(1e-3, 1e6),
    "split": st.none() | st.integers(1, 99),
}
TIES_BY_ROUNDING = {"alarms_per_event", *(spec for spec in TWINS if "f1" in spec)}
