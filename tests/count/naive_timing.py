"""Slow twins of delays, distances and the Numenta score: one point, one event at a time."""

from fractions import Fraction
from functools import partial
from math import e, exp, floor, nan

from hypothesis import strategies as st

import naive

# --- delays ------------------------------------------------------------------------------------


def first_flag(flags, points):
    return next((t for t in points if flags[t]), None)


def delays(labels, adjusted, series=None, where=None, *, average="mean"):
    found = []
    for a, b in naive.events(labels, series, where):
        first = first_flag(adjusted, range(a, b))
        if first is not None:
            found.append(first - a)
    if average == "median" and found:
        found.sort()
        middle = {(len(found) - 1) // 2, len(found) // 2}
        found = [found[place] for place in middle]
    return sum(found), len(found), 0, 0, nan


def home(series, t, n):
    return [u for u in range(n) if naive.same(series, t, u)]


def early(labels, adjusted, series=None, where=None, *, share=0.1):
    everything = naive.events(labels, series, where)
    total = Fraction(0)
    for a, _ in everything:
        own = home(series, a, len(labels))
        count = sum(naive.same(series, a, start) for start, _ in everything)
        size = max(1, round(share * (len(own) / count)))
        begin = a - size // 2
        while begin < own[0]:
            begin += 1
        while begin + size > own[-1] + 1:
            begin -= 1
        first = first_flag(adjusted, range(begin, begin + size))
        if first is not None:
            total += 1 - Fraction(first - begin, size - 1) if size > 1 else 1
    return total, len(everything), 0, 0, nan


def quality(x, a, b, exponent):
    if x <= -a or x >= b:
        return 0.0
    if x <= 0:
        return ((x + a) / a) ** exponent
    return 1 / (1 + (x / (b - x)) ** exponent)


def timing(labels, adjusted, series=None, where=None, *, exponent=e):
    everything = naive.events(labels, series, where)
    values = []
    for k, (a, b) in enumerate(everything):
        first = first_flag(adjusted, range(a, b))
        if first is None:
            continue
        while first > 0 and adjusted[first - 1] and naive.same(series, first - 1, a):
            first -= 1
        room = b - a
        if k and naive.same(series, everything[k - 1][0], a):
            room = min(room, a - everything[k - 1][0])
        values.append(quality(first - a, room, b - a, exponent))
    return sum(values), len(values), 0, 0, nan


def false_runs(labels, adjusted, series=None, where=None):
    normal = naive.points(labels, adjusted, series, where)[4]
    return *naive.runs(labels, adjusted, series, where)[:4], normal


def false_alarm_rate(tally, per=1):
    return naive.ratio((tally[3] - tally[2]) * Fraction(per), tally[4])


def watched_runs(labels, adjusted, series=None, where=None):
    judged = sum(naive.judged(where, t) for t in range(len(labels)))
    return *naive.runs(labels, adjusted, series, where)[:4], judged


def resets(labels, adjusted, series=None, where=None):
    """How long after its event the last run ends that has a point in common with it."""
    late = []
    alarms = naive.events(adjusted, series)
    for start, stop in naive.events(labels, series, where):
        mine = [end for begin, end in alarms if begin < stop and start < end]
        late += [max(mine) - stop] if mine else []
    return sum(late), len(late), 0, 0, nan


# --- distances ---------------------------------------------------------------------------------


def far(mine, other, series):
    """The distance of each of my points to the nearest other one of its series."""
    n, found = len(mine), []
    for t in range(n):
        if mine[t]:
            own = home(series, t, n)
            found.append(min((abs(u - t) for u in own if other[u]), default=len(own)))
    return found


def distances(labels, adjusted, series=None, where=None):
    truth = naive.truth(labels, where)
    missed, wrong = far(truth, adjusted, series), far(adjusted, truth, series)
    return len(missed) - sum(missed), len(missed), len(wrong) - sum(wrong), len(wrong), nan


def farthest(labels, adjusted, series=None, where=None):
    truth = naive.truth(labels, where)
    missed, wrong = far(truth, adjusted, series), far(adjusted, truth, series)
    found, everything = (1 - max(missed), 1) if missed else (0, 0)
    right, flagged = (1 - max(wrong), 1) if wrong else (0, 0)
    return found, everything, right, flagged, nan


def means(tally):
    found, everything, right, flagged, _ = tally
    return naive.ratio(everything - found, everything), naive.ratio(flagged - right, flagged)


def temporal(tally):
    found, everything, right, flagged, _ = tally
    return everything - found + flagged - right


def chamfer(tally):
    truth, alarms = means(tally)
    if tally[1] and tally[3]:
        return truth + alarms
    return 2 * truth if tally[1] else 2 * alarms


def hausdorff(tally):
    defined = [mean for mean, count in zip(means(tally), tally[1::2], strict=False) if count]
    return max(defined, default=nan)


def one_way(tally, side):
    return means(tally)[side]


# --- the Numenta benchmark ---------------------------------------------------------------------

PROFILES = {"standard": (1.0, 0.11, 1.0), "low_fp": (1.0, 0.22, 1.0), "low_fn": (1.0, 0.11, 2.0)}


def sigmoid(x):
    return -1.0 if x > 3 else 2 / (1 + exp(5 * x)) - 1


def probationary(series, t, n, share):
    own = home(series, t, n)
    return t - own[0] < min(floor(share * len(own)), share * 5000)


def nab(labels, adjusted, series=None, where=None, *, profile="standard", probation=0):
    n = len(labels)
    reward, cost, miss = PROFILES[profile]
    counts = [not probationary(series, t, n, probation) for t in range(n)]
    everything = naive.events(labels, series, where)
    found = truth = false = 0.0
    for a, b in everything:
        if any(counts[a:b]):
            truth += reward + miss
            first = first_flag(adjusted, [t for t in range(a, b) if counts[t]])
            if first is not None:
                found += miss + reward * sigmoid(-(b - first) / (b - a)) / sigmoid(-1)
    inside = {t for a, b in everything for t in range(a, b)}
    for t in range(n):
        if adjusted[t] and counts[t] and t not in inside:
            before = [(a, b) for a, b in everything if b <= t and naive.same(series, a, t)]
            if before:
                a, b = before[-1]
                false -= cost * sigmoid((t - (b - 1)) / max(b - a - 1, 1))
            else:
                false += cost
    return found, truth, 0, false, nan


def nab_score(tally):
    found, truth, _, false, _ = tally
    return 100 * (found - false) / truth if truth else nan


def nab_raw(tally, profile="standard"):
    reward, _, miss = PROFILES[profile]
    found, truth, _, false, _ = tally
    return found - false - miss * truth / (reward + miss)


TWINS = {
    "detection_delay": (naive.raw, delays, naive.recall),
    'detection_delay(average="median")': (
        naive.raw, partial(delays, average="median"), naive.recall,
    ),
    "early_detection": (naive.raw, early, naive.recall),
    "early_detection(share=0.7)": (naive.raw, partial(early, share=0.7), naive.recall),
    "early_detection(share=1)": (naive.raw, partial(early, share=1), naive.recall),
    "adtqc": (naive.raw, timing, naive.recall),
    "adtqc(exponent=1)": (naive.raw, partial(timing, exponent=1), naive.recall),
    "false_alarm_rate": (naive.raw, false_runs, false_alarm_rate),
    "false_alarms": (naive.raw, watched_runs, false_alarm_rate),
    "false_alarms(per=1000)": (naive.raw, watched_runs, partial(false_alarm_rate, per=1000)),
    "reset_time": (naive.raw, resets, naive.recall),
    "false_alarm_rate(per=1000)": (naive.raw, false_runs, partial(false_alarm_rate, per=1000)),
    "temporal_distance": (naive.raw, distances, temporal),
    "chamfer_distance": (naive.raw, distances, chamfer),
    'chamfer_distance(side="truth")': (naive.raw, distances, partial(one_way, side=0)),
    'chamfer_distance(side="alarms")': (naive.raw, distances, partial(one_way, side=1)),
    "hausdorff_distance": (naive.raw, farthest, hausdorff),
    'hausdorff_distance(side="truth")': (naive.raw, farthest, partial(one_way, side=0)),
    'hausdorff_distance(side="alarms")': (naive.raw, farthest, partial(one_way, side=1)),
    "nab": (naive.raw, nab, nab_score),
    "nab(normalise=False)": (naive.raw, nab, nab_raw),
    'nab(profile="low_fp", probation=0.15)': (
        naive.raw, partial(nab, profile="low_fp", probation=0.15), nab_score,
    ),
    'nab(profile="low_fn", probation=0.3, normalise=False)': (
        naive.raw,
        partial(nab, profile="low_fn", probation=0.3),
        partial(nab_raw, profile="low_fn"),
    ),
    "nab(probation=1)": (naive.raw, partial(nab, probation=1), nab_score),
}  # fmt: skip
SETTINGS = {
    "average": st.sampled_from(["mean", "median"]),
    "share": st.floats(0, 1, exclude_min=True),
    "exponent": st.floats(1e-3, 1e3),
    "per": st.floats(1e-3, 1e6),
    "side": st.sampled_from(["both", "truth", "alarms"]),
    "profile": st.sampled_from(sorted(PROFILES)),
    "probation": st.floats(0, 1),
    "normalise": st.booleans(),
}
TIES_BY_ROUNDING = {spec for spec in TWINS if spec.startswith(("nab", "early", "adtqc"))}
