"""Slow twins of the rows that match runs with events."""

from fractions import Fraction
from functools import partial
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


def prepared(runs, series, merge, split):
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
    return pieces


def tolerant(labels, flags, series=None, where=None, *, before=0, after=0, share=0,
             merge=0, split=None):  # fmt: skip
    events = prepared(naive.events(labels, series, where), series, merge, split)
    runs = prepared(naive.events(flags, series), series, merge, split)
    flagged = {t for run in runs for t in range(*run)}
    near, found = set(), 0
    for start, stop in events:
        stretch = {
            t for t in range(start - before, stop + after)
            if 0 <= t < len(labels) and naive.same(series, start, t)
        }  # fmt: skip
        if Fraction(len(stretch & flagged), len(stretch)) > Fraction(share):
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


SETTING = {
    "before=2, after=1": {"before": 2, "after": 1},
    "after=3, overlap=0.5": {"after": 3, "share": 0.5},
    "merge=3": {"merge": 3},
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
}  # fmt: skip
SETTINGS = {
    "tau": st.floats(0, 1, exclude_min=True),
    "before": st.integers(0, 99),
    "after": st.integers(0, 99),
    "overlap": st.floats(0, 1),
    "merge": st.integers(0, 99),
    "split": st.none() | st.integers(1, 99),
}
TIES_BY_ROUNDING = {"alarms_per_event", *(spec for spec in TWINS if "f1" in spec)}
