"""Slow twins of the rows that weigh time by interest."""

from functools import partial
from math import ceil, exp, nan

from hypothesis import strategies as st

import naive
from count import naive_segments


def sigmoid(z):
    return 1 / (1 + exp(-z))


def falling(z):
    return (1 - sigmoid(z)) / (1 - sigmoid(-5))


def interest(marks, linger, tire, floor):
    """The interest at each point of one series and for `linger` points beyond its end."""
    curve, last, first = [], None, None
    for i in range(len(marks) + linger):
        if i < len(marks) and marks[i]:
            if last is None or i - last > linger:
                first = i
            last = i
        if last is None or i - last > linger:
            curve.append(0.0)
            continue
        worn = faded = 1.0
        if i > first:
            worn = floor + (1 - floor) * falling(10 * (i - first) / tire - 5) if tire else floor
        if i > last:
            faded = falling(10 * (i - last) / linger - 5)
        curve.append(worn * faded)
    return curve


def oipr(labels, flags, series=None, where=None, *, linger=None, tire=None, floor=0.5):
    anomalous = naive.truth(labels, where)
    widths = [b - a for a, b in naive.events(labels, series, where)]
    mean = sum(widths) / len(widths) if widths else 0
    linger = ceil(mean) if linger is None else linger
    tire = ceil(mean / 2) if tire is None else tire
    common = truth = flagged = 0.0
    t = 0
    while t < len(labels):
        stop = t
        while stop < len(labels) and naive.same(series, t, stop):
            stop += 1
        curves = [interest(marks[t:stop], linger, tire, floor) for marks in (anomalous, flags)]
        for i, (y, p) in enumerate(zip(*curves, strict=True)):
            if t + i < stop and not naive.judged(where, t + i):
                continue
            common, truth, flagged = common + min(y, p), truth + y, flagged + p
        t = stop
    return common, truth, common, flagged, nan


SETTING = {
    "linger=3, tire=2": {"linger": 3, "tire": 2},
    "linger=0, floor=1": {"linger": 0, "floor": 1},
    "linger=5, tire=0, floor=0": {"linger": 5, "tire": 0, "floor": 0},
}
TWINS = {
    **{f"oipr_{name}": (naive.raw, oipr, rate) for name, rate in naive_segments.RATES.items()},
    **{
        f"oipr_f1({given})": (naive.raw, partial(oipr, **settings), naive.fbeta)
        for given, settings in SETTING.items()
    },
}
SETTINGS = {
    "linger": st.just("auto") | st.integers(0, 99),
    "tire": st.just("auto") | st.integers(0, 99),
    "floor": st.floats(0, 1),
}
TIES_BY_ROUNDING = set(TWINS)
