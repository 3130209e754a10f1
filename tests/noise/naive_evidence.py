"""Units of evidence, walked point by point: the slow twin of `adjudge.noise.intervals`."""

import math

import numpy as np
from scipy.stats import t as student

from adjudge.count.tally import Tally


def units_of_points(events, kind, groups=None):
    """The unit of each point, by name; None where it is not judged."""
    judged = np.ones(events.n, bool) if events.judged is None else events.judged
    found = []
    for point in range(events.n):
        series = next(k for k in range(events.series_count) if point < events.series_bounds[k + 1])
        home = range(events.series_bounds[series], events.series_bounds[series + 1])
        own = [k for k, start in enumerate(events.starts) if start in home]
        if kind == "series":
            name = series
        elif kind == "dataset":
            name = groups[point]
        else:
            ahead = [k for k in own if events.stops[k] > point]
            last = own[-1] if own else -1  # which also has what follows it
            name = ("event", ahead[0] if ahead else last, series)
        found.append(name)
    seen = {name for name, there in zip(found, judged, strict=True) if there}
    return [name if name in seen else None for name in found]


def unit_rows(metric, case, kind, groups=None):
    """Found, truth, right, flagged and normal of each unit, in the order of their names."""
    events = case.events
    ledger, *_ = metric.entries(case)
    unit = units_of_points(events, kind, groups)
    names = sorted({name for name in unit if name is not None}, key=str)
    if kind == "event":
        names = sorted(names, key=lambda name: name[1])
    rows = {name: np.zeros(5) for name in names}
    for k, start in enumerate(events.starts):
        rows[unit[start]][:2] += [ledger.truth.credit[k], ledger.truth.weight[k]]
    alarms = ledger.alarms
    for k in range(len(alarms.start)):
        mass = np.array([alarms.credit[k], alarms.weight[k]], float)
        hit = [
            e
            for e in range(len(events))
            if alarms.start[k] < events.stops[e] and alarms.stop[k] > events.starts[e]
        ]
        hit = hit or ([alarms.event[k]] if alarms.event[k] >= 0 else [])
        if hit:
            for e in hit:
                rows[unit[events.starts[e]]][2:4] += mass / len(hit)
        else:
            rows[unit[alarms.start[k]]][2:4] += mass
    normal = np.flatnonzero(events.normal)
    for point in normal:
        rows[unit[point]][4] += ledger.normal / len(normal)
    table = np.array([rows[name] for name in names])
    table[:, 4] += 0 * ledger.normal  # undefined where it is
    return table


def measured(metric, sums):
    found, truth, right, flagged, normal = sums
    flagged = flagged if math.isnan(normal) else min(flagged, right + normal)
    parts = (np.asarray(one, float) for one in (found, truth, right, flagged, normal))
    return float(metric.parts.measure(Tally(*parts)))


def influence(value, whole, row, step=0.01):
    moved = (value(whole + step * row) - value(whole - step * row)) / (2 * step)
    return 0.0 if math.isnan(moved) else moved


def spread(value, rows, pseudo_rows, stakes):
    """Value, standard error and degrees of freedom; neighbours play no part."""
    whole = rows.sum(axis=0)
    for amount, row in pseudo_rows:
        whole = whole + amount * row
    shares = [stake / sum(stakes) for stake in stakes]
    variance = 0.0
    for row, share in zip(rows, shares, strict=False):
        variance += influence(value, whole, row) ** 2 / (1 - share)
    for amount, row in pseudo_rows:
        variance += amount * influence(value, whole, row) ** 2
    return value(whole), math.sqrt(variance), 1 / sum(share**2 for share in shares) - 1


def ends(value, se, df, level=0.95):
    """An interval of a share, on the arcsine scale."""
    by = student.ppf((1 + level) / 2, max(df, 1)) * se / (2 * math.sqrt(value * (1 - value)))
    at = math.asin(math.sqrt(value))
    return math.sin(max(at - by, 0)) ** 2, math.sin(min(at + by, math.pi / 2)) ** 2


def naive_optimism(metric, case, drawn):
    """By how much the best threshold flatters, every threshold tried in every draw.

    Each score of at most a hundred anomalous points is among the levels that are tried.
    """
    events, beta = case.events, metric.parts.measure.beta
    adjusted = metric.parts.adjust(case.scores, events)
    levels = sorted(set(adjusted), reverse=True)
    starts = [0, *events.stops]
    gaps = [range(a, b) for a, b in zip(starts, [*events.starts, events.n], strict=True) if a < b]
    pieces = [range(*ends) for ends in zip(events.starts, events.stops, strict=True)], gaps
    found, false = (
        np.array([[sum(adjusted[k] >= level for k in piece) for level in levels] for piece in side])
        for side in pieces
    )
    truth = sum(events.widths)

    def f(hits, alarms):
        return (1 + beta**2) * hits / (beta**2 * truth + hits + alarms)

    gains = []
    for draw in range(len(drawn[0].times)):
        hits, alarms = (
            one.times[draw] * one.scale[draw] @ counts
            for one, counts in zip(drawn, (found, false), strict=True)
        )
        best = np.argmax(f(hits, alarms))
        here = f(found[:, best].sum(), false[:, best].sum())
        gains.append(f(hits[best], alarms[best]) - here)
    seen = 1 - (1 - 1 / len(events)) ** len(events)
    return max(np.mean(gains), 0) / seen
