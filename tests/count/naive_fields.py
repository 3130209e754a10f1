"""Slow twins of the scores of neighbouring fields: diagnostic tests, control, EEG, on-call."""

from fractions import Fraction
from functools import partial
from math import erfc, nan, sqrt

from hypothesis import strategies as st

import naive

# --- rates of points ---------------------------------------------------------------------------


def table(tally):
    """TP, FP, FN and TN of points."""
    hits, anomalous, _, flagged, normal = tally
    return hits, flagged - hits, anomalous - hits, normal - (flagged - hits)


def specificity(tally):
    _, fp, _, tn = table(tally)
    return naive.ratio(tn, tn + fp)


def fpr(tally):
    _, fp, _, tn = table(tally)
    return naive.ratio(fp, tn + fp)


def npv(tally):
    _, _, fn, tn = table(tally)
    return naive.ratio(tn, tn + fn)


def markedness(tally):
    return naive.precision(tally) + npv(tally) - 1


def kappa(tally):
    tp, fp, fn, tn = table(tally)
    n = tp + fp + fn + tn
    agree = Fraction(tp + tn, n)
    by_rates = Fraction((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn), n * n)
    return nan if by_rates == 1 else (agree - by_rates) / (1 - by_rates)


def jaccard(tally):
    tp, fp, fn, _ = table(tally)
    return naive.ratio(tp, tp + fp + fn)


def time_in_alarm(tally):
    tp, fp, fn, tn = table(tally)
    return Fraction(tp + fp, tp + fp + fn + tn)


def false_time(tally):
    return table(tally)[1]


# --- first hits --------------------------------------------------------------------------------


def prompt(labels, adjusted, series=None, where=None):
    every = naive.events(labels, series, where)
    earned = Fraction(0)
    for a, b in every:
        hits = [t for t in range(a, b) if adjusted[t]]
        if hits:
            earned += 1 - Fraction(hits[0] - a, b - 1 - a) if b - a > 1 else 1
    return earned, len(every), 0, 0, nan


def batadal(labels, flags, series=None, where=None, *, gamma=0.5):
    flags = naive.raw(labels, flags, series, where)
    told = naive.balanced_accuracy(naive.points(labels, flags, series, where))
    return gamma * naive.recall(prompt(labels, flags, series, where)) + (1 - gamma) * told


# --- runs soon after another -------------------------------------------------------------------


def flaps(labels, adjusted, series=None, where=None, *, within=5):
    every = naive.events(adjusted, series)
    calm = 0
    for i, (start, _) in enumerate(every):
        before = every[i - 1][1] if i else None
        alone = before is None or not naive.same(series, before - 1, start)
        calm += alone or start - before > within
    return 0, 0, calm, len(every), nan


def uncalm(tally):
    return naive.ratio(tally[3] - tally[2], tally[3])


# --- EEG ---------------------------------------------------------------------------------------


def taes(labels, adjusted, series=None, where=None):
    """Event by event, alarm by alarm, each crossed off once it is taken."""
    truth, alarms = naive.events(labels, series, where), naive.events(adjusted, series)
    open_events, open_alarms = dict(enumerate(truth)), dict(enumerate(alarms))
    hit = false = Fraction(0)

    def common(r, h):
        return max(0, min(r[1], h[1]) - max(r[0], h[0]))

    def add(r, h):
        nonlocal hit, false
        inside = common(r, h)
        hit += Fraction(inside, r[1] - r[0])
        false += min(1, Fraction(h[1] - h[0] - inside, r[1] - r[0]))

    for i, r in enumerate(truth):
        if i not in open_events:
            continue
        on = [j for j, h in open_alarms.items() if common(r, h)]
        if not on:
            continue
        first = alarms[on[0]]
        add(r, first)
        del open_events[i], open_alarms[on[0]]
        if first[1] >= r[1]:
            for other in [k for k, e in open_events.items() if common(e, first)]:
                del open_events[other]
        else:
            for j in on[1:]:
                add(r, alarms[j])
                del open_alarms[j]
    false += len(open_alarms)
    return hit, len(truth), hit, hit + false, nan


# --- onsets ------------------------------------------------------------------------------------


def gaussian(labels, adjusted, series=None, where=None, *, sigma=30, variant="all"):
    truth, free = naive.events(labels, series, where), naive.events(adjusted, series)
    worth = 0.0
    for start, _ in truth:
        after = [h for h in free if h[0] >= start and naive.same(series, h[0], start)]
        if after:
            worth += erfc((after[0][0] - start) / (sigma * sqrt(2)))
            free.remove(after[0])
    false = 0
    for a, b in free:
        own = [e for e in truth if naive.same(series, a, e[0])]
        if variant == "all":
            false += not any(min(b, e[1]) > max(a, e[0]) for e in own)
        else:
            false += not own or a < own[0][0]
    return worth, len(truth), worth, worth + false, nan


RATES = {"f1": naive.fbeta, "precision": naive.precision, "recall": naive.recall}
POINTS = {
    "specificity": specificity,
    "false_positive_rate": fpr,
    "negative_predictive_value": npv,
    "informedness": naive.informedness,
    "markedness": markedness,
    "kappa": kappa,
    "jaccard": jaccard,
    "time_in_alarm": time_in_alarm,
    "false_time": false_time,
}
TWINS = {
    **{name: (naive.raw, naive.points, rate) for name, rate in POINTS.items()},
    "batadal_ttd": (naive.raw, prompt, naive.recall),
    "flapping": (naive.raw, flaps, uncalm),
    "flapping(within=2)": (naive.raw, partial(flaps, within=2), uncalm),
    **{f"taes_{name}": (naive.raw, taes, rate) for name, rate in RATES.items()},
    **{f"gaussian_{name}": (naive.raw, gaussian, rate) for name, rate in RATES.items()},
    **{
        f'gaussian_{name}(sigma=2.5, variant="datadog")': (
            naive.raw, partial(gaussian, sigma=2.5, variant="datadog"), rate,
        )
        for name, rate in RATES.items()
    },
}  # fmt: skip
WHOLES = {"batadal": batadal, "batadal(gamma=0.2)": partial(batadal, gamma=0.2)}
SETTINGS = {
    "gamma": st.floats(0.01, 1),
    "variant": st.sampled_from(["all", "datadog"]),
    "sigma": st.floats(0.5, 20),
    "within": st.integers(1, 10),
}
TIES_BY_ROUNDING = [*TWINS, *WHOLES]
