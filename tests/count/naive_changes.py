"""Slow twins of the metrics of positions: every pair of an alarm and a change is looked at."""

from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import inf, isnan, log, nan

from hypothesis import strategies as st

import naive


def starts(labels, series=None, where=None):
    return [start for start, _ in naive.events(labels, series, where)]


def alarms_of(adjusted, series=None):
    return starts(adjusted, series)


# --- one to one ----------------------------------------------------------------------------------


def largest(changes, alarms, near):
    """The size of a largest matching, by looking for ways to make it larger."""
    partner = {}

    def place(change, tried):
        for number, alarm in enumerate(alarms):
            if near(alarm, change) and number not in tried:
                tried.add(number)
                if number not in partner or place(partner[number], tried):
                    partner[number] = change
                    return True
        return False

    return sum(place(change, set()) for change in changes)


def matched(labels, adjusted, series=None, where=None, *, before=5, after=5, trivial=False):
    changes, alarms = starts(labels, series, where), alarms_of(adjusted, series)
    if trivial:
        firsts = [t for t in range(len(labels)) if t == 0 or not naive.same(series, t - 1, t)]
        changes, alarms = sorted({*changes, *firsts}), sorted({*alarms, *firsts})

    def near(alarm, change):
        return naive.same(series, alarm, change) and -before <= alarm - change <= after

    pairs = largest(changes, alarms, near)
    return pairs, len(changes), pairs, len(alarms), nan


# --- regimes -------------------------------------------------------------------------------------


def numbered(changes, n, series, where):
    """The number of the regime of each judged point, None where it is not judged."""
    number, found = 0, []
    for t in range(n):
        if t == 0 or t in changes or not naive.same(series, t - 1, t):
            number += 1
        found.append(number if naive.judged(where, t) else None)
    return found


def both_ways(labels, flags, series, where):
    n, flagged = len(labels), naive.raw(labels, flags, series, where)
    truth = numbered(starts(labels, series, where), n, series, where)
    return truth, numbered(alarms_of(flagged, series), n, series, where)


def sets(numbers):
    found = {}
    for t, number in enumerate(numbers):
        if number is not None:
            found.setdefault(number, set()).add(t)
    return list(found.values())


def side(mine, others):
    return sum(
        len(one) * max(Fraction(len(one & other), len(one | other)) for other in others)
        for one in mine
    )


def covered(labels, adjusted, series=None, where=None):
    truth, reported = map(sets, both_ways(labels, adjusted, series, where))
    every = sum(map(len, truth))
    return side(truth, reported), every, side(reported, truth), every, nan


def pairs_of_points(labels, flags, series, where):
    truth, reported = both_ways(labels, flags, series, where)
    points = [t for t, number in enumerate(truth) if number is not None]
    return [
        (truth[t] == truth[u], reported[t] == reported[u], series[t] if series else 0)
        for i, t in enumerate(points)
        for u in points[:i]
        if naive.same(series, t, u)
    ]


def rand(labels, flags, series=None, where=None):
    pairs = pairs_of_points(labels, flags, series, where)
    return sum(one == other for one, other, _ in pairs) / len(pairs) if pairs else nan


def ari(labels, flags, series=None, where=None):
    pairs = pairs_of_points(labels, flags, series, where)
    if not pairs:
        return nan
    joined = sum(one and other for one, other, _ in pairs)
    most = Fraction(sum(one + other for one, other, _ in pairs), 2)
    chance = Fraction(0)
    for home in {home for *_, home in pairs}:
        own = [pair for pair in pairs if pair[2] == home]
        chance += Fraction(sum(p[0] for p in own) * sum(p[1] for p in own), len(own))
    return 1.0 if most == chance else float((joined - chance) / (most - chance))


def entropy(keys, series_of_unit):
    """What is left to know of a point once its series is known, times the number of points."""
    pairs = list(zip(keys, series_of_unit, strict=True))
    return -sum(log(pairs.count(pair) / series_of_unit.count(pair[1])) for pair in pairs)


def nmi(labels, flags, series=None, where=None):
    truth, reported = both_ways(labels, flags, series, where)
    points = [t for t, number in enumerate(truth) if number is not None]
    series_of_unit = [series[t] if series else 0 for t in points]
    one, other = [truth[t] for t in points], [reported[t] for t in points]
    first, second = entropy(one, series_of_unit), entropy(other, series_of_unit)
    if first + second == 0:
        return 1.0
    both = entropy(list(zip(one, other, strict=True)), series_of_unit)
    return (first + second - both) / ((first + second) / 2)


# --- windows -------------------------------------------------------------------------------------


def after_cooldown(alarms, cooldown, series):
    kept = []
    for alarm in alarms:
        last = kept[-1] if kept and naive.same(series, kept[-1], alarm) else -inf
        if alarm - last >= cooldown:
            kept.append(alarm)
    return kept


def warned(
    labels, adjusted, series=None, where=None, *, early=10, late=0, cooldown=0, ignored=False,
    extra=True,
):  # fmt: skip
    """Windows [t - early, t + late]."""
    n, events = len(labels), starts(labels, series, where)
    alarms = after_cooldown(alarms_of(adjusted, series), cooldown, series)

    def in_time(point, event):
        return naive.same(series, point, event) and -early <= point - event <= late

    def too_late(point):
        return ignored and any(
            naive.same(series, point, t) and late < point - t <= 0 for t in events
        )

    def outside(point):
        return not any(in_time(point, t) for t in events)

    firsts = {next((k for k, a in enumerate(alarms) if in_time(a, t)), None) for t in events}
    found = sum(any(in_time(a, t) for a in alarms) for t in events)
    right = [not outside(a) and (extra or k in firsts) for k, a in enumerate(alarms)]
    counted = [not (outside(a) and too_late(a)) for a in alarms]
    free = sum(naive.judged(where, t) and outside(t) and not too_late(t) for t in range(n))
    return found, len(events), sum(right), sum(counted), free


def in_warning(labels, adjusted, series=None, where=None, *, early=10, late=0, cooldown=0):
    """Each judged point at which an event would be found by an alarm, one by one."""
    events = starts(labels, series, where)
    alarms = after_cooldown(alarms_of(adjusted, series), cooldown, series)

    def found_by(alarm, t):
        return naive.same(series, alarm, t) and -early <= alarm - t <= late

    judged = [t for t in range(len(labels)) if naive.judged(where, t)]
    first = {t: next((a for a in alarms if found_by(a, t)), None) for t in judged}
    warned_of = [a for a in first.values() if a is not None]
    right = sum(any(found_by(a, t) for t in events) for a in warned_of)
    found = sum(any(found_by(a, t) for a in alarms) for t in events)
    return found, len(events), right, len(warned_of), len(judged)


def share_of_time(tally):
    return Fraction(tally[3], tally[4]) if tally[4] else nan


def over_time_in_warning(levels, tallies):
    """Between each two shares of time the mean of the best recalls with no more of it."""
    if not tallies[0][1] or not tallies[0][4]:
        return nan
    points = [(share_of_time(tally), naive.recall(tally)) for tally in tallies]
    points += [(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))]

    def best(share):
        return max(recall for time, recall in points if time <= share)

    times = sorted({time for time, _ in points})
    return sum((u - t) * (best(t) + best(u)) / 2 for t, u in pairwise(times))


def first_alarms(labels, adjusted, series, where, early, late, cooldown=0):
    alarms = after_cooldown(alarms_of(adjusted, series), cooldown, series)
    for t in starts(labels, series, where):
        near = (a for a in alarms if naive.same(series, a, t) and -early <= a - t <= late)
        yield t, next(near, None)


def leads(labels, adjusted, series=None, where=None, *, early=10, late=0, cooldown=0):
    pairs = first_alarms(labels, adjusted, series, where, early, late, cooldown)
    found = [t - alarm for t, alarm in pairs if alarm is not None]
    return sum(found), len(found), 0, 0, nan


def delays(
    labels, adjusted, series=None, where=None, *, early=0, late=50, average="mean", charge=None,
    per=1,
):  # fmt: skip
    pairs = first_alarms(labels, adjusted, series, where, early, late)
    found = [charge if alarm is None else alarm - t for t, alarm in pairs]
    found = sorted(Fraction(late) / per for late in found if late is not None)
    if average == "median" and found:
        found = [found[place] for place in {(len(found) - 1) // 2, len(found) // 2}]
    return sum(found), len(found), 0, 0, nan


def false_rate(tally, per=1):
    false, free = tally[3] - tally[2], tally[4]
    if free == 0:
        return inf if false else nan
    return false * Fraction(per) / free


def time_between(tally):
    rate = false_rate(tally)
    return rate if isnan(rate) else inf if rate == 0 else 1 / rate


# --- utility -------------------------------------------------------------------------------------


def worth(flag, i, s, early, best, late, miss, false):
    if s is None:
        return Fraction(false) if flag else Fraction(0)
    if i <= s - best:
        return max(Fraction(i - s + early, early - best), Fraction(false)) if flag else Fraction(0)
    if i <= s + late:
        if flag:
            return Fraction(s + late - i, late + best)
        return miss * Fraction(i - s + best, late + best)
    return Fraction(0)


def utility(
    labels, adjusted, series=None, where=None, *, early=12, best=6, late=3, miss=-2,
    false=Fraction(-1, 20),
):  # fmt: skip
    """Sums of what flags gain and of what they cost; what is to be gained."""
    events = starts(labels, series, where)
    gained = most = cost = Fraction(0)
    for i in range(len(labels)):
        if not naive.judged(where, i):
            continue
        own = [t + best for t in events if naive.same(series, t, i)]
        ahead = [s for s in own if i <= s + late]
        s = (ahead[0] if ahead else own[-1]) if own else None
        flagged, silent = (worth(f, i, s, early, best, late, miss, false) for f in (1, 0))
        gain = flagged - silent
        most += max(gain, 0)
        if adjusted[i]:
            gained += max(gain, 0)
            cost += max(-gain, 0)
    return gained, most, 0, cost, nan


def net(tally):
    gained, most, right, cost, _ = tally
    return float((gained - cost + right) / most) if most else nan


WARNING = {"f1": naive.fbeta, "precision": naive.precision, "recall": naive.recall}
TWINS = {
    **{
        f"change_{name}{settings}": (naive.raw, partial(matched, **how), rate)
        for name, rate in WARNING.items()
        for settings, how in {
            "": {},
            "(margin=0)": {"before": 0, "after": 0},
            "(margin=1, after=3)": {"before": 1, "after": 3},
            "(margin=2, trivial=true)": {"before": 2, "after": 2, "trivial": True},
        }.items()
    },
    **{
        f"regime_{name}": (naive.raw, covered, rate)
        for name, rate in WARNING.items()
    },
    **{
        f"warning_{name}{settings}": (naive.raw, partial(warned, **how), rate)
        for name, rate in WARNING.items()
        for settings, how in {
            "": {},
            "(max_lead=4, min_lead=2)": {"early": 4, "late": -2},
            "(max_lead=1, min_lead=-2, cooldown=3)": {"early": 1, "late": 2, "cooldown": 3},
            '(max_lead=5, min_lead=2, late="ignored", extra="false")': {
                "early": 5, "late": -2, "ignored": True, "extra": False,
            },
        }.items()
    },
    "lead_time": (naive.raw, leads, naive.recall),
    "lead_time(max_lead=4, min_lead=-3, cooldown=2)": (
        naive.raw, partial(leads, early=4, late=3, cooldown=2), naive.recall,
    ),
    "false_warning_rate": (naive.raw, warned, false_rate),
    'false_warning_rate(max_lead=5, min_lead=2, late="ignored", per=10)': (
        naive.raw, partial(warned, early=5, late=-2, ignored=True), partial(false_rate, per=10),
    ),
    "time_in_warning": (naive.raw, in_warning, share_of_time),
    "time_in_warning(max_lead=4, min_lead=-3, cooldown=2)": (
        naive.raw, partial(in_warning, early=4, late=3, cooldown=2), share_of_time,
    ),
    "time_in_warning(max_lead=3, min_lead=2)": (
        naive.raw, partial(in_warning, early=3, late=-2), share_of_time,
    ),
    "warning_auc": (naive.raw, in_warning, over_time_in_warning),
    "warning_auc(max_lead=3, min_lead=1)": (
        naive.raw, partial(in_warning, early=3, late=-1), over_time_in_warning,
    ),
    "time_between_false_alarms": (naive.raw, partial(warned, early=0, late=50), time_between),
    "time_between_false_alarms(after=2, before=1)": (
        naive.raw, partial(warned, early=1, late=2), time_between,
    ),
    "change_delay": (naive.raw, delays, naive.recall),
    "change_delay(after=4, before=1)": (
        naive.raw, partial(delays, early=1, late=4), naive.recall,
    ),
    'change_delay(after=4, average="median", relative=true)': (
        naive.raw, partial(delays, late=4, average="median", per=4), naive.recall,
    ),
    'change_delay(after=3, missed="after")': (
        naive.raw, partial(delays, late=3, charge=3), naive.recall,
    ),
    "early_utility": (naive.raw, utility, net),
    "early_utility(early=3, best=1, late=2, miss=-1, false=-0.25)": (
        naive.raw,
        partial(utility, early=3, best=1, late=2, miss=-1, false=Fraction(-1, 4)),
        net,
    ),
}  # fmt: skip
WHOLES = {"regime_rand": rand, "regime_ari": ari, "regime_nmi": nmi}
TIES_BY_ROUNDING = {*(spec for spec in TWINS if spec.startswith(("regime", "early_utility")))}
TOLERANCES = {"regime_nmi": 1e-9}
SETTINGS = {
    "distance": st.integers(1, 99), "trivial": st.booleans(), "relative": st.booleans(),
    "missed": st.sampled_from(["left out", "after"]), "max_lead": st.integers(10, 99),
    "min_lead": st.integers(-99, 9), "cooldown": st.integers(0, 99),
    "late": st.sampled_from(["false", "ignored"]), "extra": st.sampled_from(["right", "false"]),
    "best": st.integers(1, 11), "miss": st.floats(-9, 0), "false": st.floats(-9, 0),
}  # fmt: skip
