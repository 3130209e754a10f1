"""Alerts that know nothing are called better than chance in one case of twenty, wherever they end.

The alerts are made without a look at the incidents; one of them touches what a line of watched time
ends in: it is open, begins with the span, ends with it, or touches an outage. p counts the place at
which alerts are, so it is never below one of as many places as they could be at.
"""

from collections import Counter
from math import gcd, sqrt

import numpy as np
import pytest

import adjudge as aj
from adjudge.judging.judge.verdict import is_better_than_chance

SPAN, OUTAGE = (0, 20_000), (9_000, 10_500)
EDGES = ["open", "span start", "span end", "outage", "several services", "twenty services"]
METRICS = ["event_recall", "event_precision", "event_f1", "f1_ba"]
RUNS = 1000
SERVICES = {"several services": [*"abc"], "twenty services": [*"abcdefghijklmnopqrst"]}


def process(rng, gap, length):
    """Intervals of a stationary process: starts in the span, and ends that may lie beyond it."""
    rows, at = [], SPAN[0] - 20 * gap
    while (at := at + 1 + int(rng.exponential(gap))) < SPAN[1]:
        end = at + 1 + int(rng.exponential(length))
        if at >= SPAN[0]:
            rows.append((at, end))
        at = end
    return rows


def touching(rng, edge):
    """An alert of any length that touches the edge."""
    long = int(rng.integers(1, OUTAGE[0] if edge == "outage" else SPAN[1]))
    match edge:
        case "span start":
            return SPAN[0], SPAN[0] + long
        case "span end":
            return SPAN[1] - long, SPAN[1]
        case "outage":
            return OUTAGE[0] - long, OUTAGE[0]
    return SPAN[1] - long, None


def table(kind, rows, service=None):
    """Incidents or alerts; what lasts beyond the span is open."""
    starts = [start for start, _ in rows]
    ends = [None if end is None or end > SPAN[1] else end for _, end in rows]
    return kind(starts, ends, service=service)


def blind(rng, edge):
    """Incidents, and alerts that were drawn without them; one touches the edge."""
    services = SERVICES.get(edge, [None])
    incidents, alerts, of_incidents, of_alerts = [], [], [], []
    for service in services:
        first = touching(rng, edge)
        others = [one for one in process(rng, 3500, 700) if apart(one, first)]
        own = process(rng, 2500, 400)
        incidents, alerts = incidents + own, [*alerts, *others, first]
        of_incidents += [service] * len(own)
        of_alerts += [service] * (len(others) + 1)
    named = services != [None]
    truth = table(aj.Incidents, incidents, of_incidents if named else None)
    return truth, table(aj.Alerts, alerts, of_alerts if named else None)


def apart(one, other):
    end = SPAN[1] if other[1] is None else other[1]
    return one[1] < other[0] or one[0] > end


def judged(incidents, alerts, edge, metrics=METRICS):
    outages = [OUTAGE] if edge == "outage" else None
    return aj.evaluate(incidents, alerts, metrics, span=SPAN, outages=outages)


def places(incidents, alerts, edge):
    """How many places there are on the circle that alerts turn on, if times are as coarse as here.

    Services turn apart, so there are as many more.
    """
    times = [*incidents.start, *incidents.until(SPAN[1]), *alerts.start, *alerts.until(SPAN[1])]
    step = gcd(*map(int, times), *SPAN, *(OUTAGE if edge == "outage" else ()))
    dark = OUTAGE[1] - OUTAGE[0] if edge == "outage" else 0
    services = 1 if alerts.service is None else len(set(alerts.service))
    return ((SPAN[1] - SPAN[0] - dark) // step) ** services


ONE = {
    "open": ((1_003, None),),
    "span start": ((0, 18_500),),
    "span end": ((1_003, 20_000),),
    "outage": ((503, 9_000),),
    "several services": ((1_003, None), (1_501, None), (907, None)),
    "twenty services": tuple((1_003 + 17 * k, None) for k in range(20)),
}
"""An alert for each service, which lasts over all incidents and touches the edge."""


@pytest.mark.parametrize("edge", [*EDGES[:-1], pytest.param(EDGES[-1], marks=pytest.mark.long)])
@pytest.mark.parametrize("metric", METRICS)
def test_p_is_at_least_one_of_all_places(metric, edge):
    services = SERVICES.get(edge, ["a"])
    named = edge in SERVICES
    rows = [(start, start + 101) for start in range(2_000, 8_000, 700)]
    incidents = table(
        aj.Incidents, rows * len(services),
        [name for name in services for _ in rows] if named else None,
    )  # fmt: skip
    alerts = table(aj.Alerts, ONE[edge], services if named else None)
    (row,) = judged(incidents, alerts, edge, metric).rows
    least = 1 / places(incidents, alerts, edge)
    assert row.p_value >= least * (1 - 1e-9)
    assert row.p_joint >= least * (1 - 1e-9)


@pytest.mark.parametrize("runs", [8, pytest.param(60, marks=pytest.mark.long)])
def test_p_of_blind_alerts_is_at_least_one_of_all_places(runs):
    below = []
    for seed in range(runs):
        edge = EDGES[seed % 4]  # of one service: several have more places than draws
        incidents, alerts = blind(np.random.default_rng([seed, EDGES.index(edge)]), edge)
        least = 1 / places(incidents, alerts, edge)
        rows = judged(incidents, alerts, edge).rows
        below += [(edge, seed, row.requested) for row in rows if row.p_value < least * (1 - 1e-9)]
    assert below == []


def test_one_alert_without_end_does_not_prove_anything():
    days = [f"2026-01-{day:02d} 09:00" for day in (3, 7, 10, 14, 17, 21, 25, 29)]
    ends = [f"{day[:-2]}40" for day in days]
    alert = aj.Alerts(["2026-01-02 03:00"], [None])
    found = aj.evaluate(aj.Incidents(days, ends), alert, METRICS, span=("2026-01-01", "2026-02-01"))
    assert all(row.p_value > 0 for row in found.rows)
    assert not is_better_than_chance(found.of("alerts"))


def called(edge, runs, metrics=METRICS):
    """How often each metric calls blind alerts better, and how often p is at most .05."""
    better, small = Counter(), Counter()
    for run in range(runs):
        incidents, alerts = blind(np.random.default_rng([run, EDGES.index(edge)]), edge)
        for row in judged(incidents, alerts, edge, metrics).rows:
            better[row.requested] += is_better_than_chance([row])
            small[row.requested] += row.p_value <= 0.05
    return better, small


def most(runs):
    return runs * (0.05 + 2 * sqrt(0.05 * 0.95 / runs))


@pytest.mark.long
def test_blind_alerts_of_twenty_services_have_p_values_of_chance():
    """What each service gains alike adds up: one that its own place favours is seen at once."""
    better, small = called("twenty services", 20)
    assert max(better.values()) <= most(20)
    assert max(small.values()) <= most(20)


@pytest.mark.on_demand
@pytest.mark.parametrize("edge", EDGES)
def test_blind_alerts_are_seldom_called_better(edge):
    runs = RUNS if edge != "twenty services" else 200
    better, small = called(edge, runs)
    assert max(better.values()) <= most(runs)
    assert max(small.values()) <= most(runs)
