"""Chance and intervals of scored alerts on incidents, checked by simulation; and a year's cost.

    python bench/on_call.py            # shares of 300 months each
    python bench/on_call.py --year     # CPU seconds of a year of 5,000 alerts and 300 incidents

A month has incidents of lognormal lengths in two services. A detector that knows something alerts
near the start of most of them, and falsely now and then, surer where it is right; one that knows
nothing alerts anywhere. Printed is how often the 95 % interval holds the value that months have
on average, and how often the detector that knows nothing is called better than chance at 5 %.
"""

import sys
import time

import numpy as np

import adjudge as aj

SPAN = (0, 40_000)
METRICS = ["alert_ap(tolerance=60)", "interval_ap(iou=(0.1, 0.3, 0.5))", "best(event_f1)"]


def month(rng, incidents, knows):
    """Incidents and scored alerts of one month, in minutes."""
    start = np.sort(rng.integers(0, SPAN[1] - 400, incidents))
    length = np.clip(rng.lognormal(4, 0.7, incidents), 5, 400).astype(int)
    place = np.array(["a", "b"])[rng.integers(0, 2, incidents)]
    truth = aj.Incidents(start, start + length, service=place)
    false = rng.poisson(incidents)
    found = np.flatnonzero(rng.random(incidents) < 0.7) if knows else np.zeros(0, int)
    late = (rng.exponential(0.25, found.size) * length[found]).astype(int)
    begin = np.append(start[found] + late, rng.integers(0, SPAN[1] - 60, false))
    lasts = np.append((0.7 * length[found]).astype(int) + 1, rng.integers(5, 60, false))
    score = np.append(rng.normal(1, 1, found.size), rng.normal(0, 1, false))
    own = np.append(place[found], np.array(["a", "b"])[rng.integers(0, 2, false)])
    return truth, aj.Alerts(begin, begin + lasts, service=own, score=score)


def held(incidents, months, seed):
    """The share of months whose interval holds the mean value, for each metric."""
    rng = np.random.default_rng(seed)
    drawn = [month(rng, incidents, knows=True) for _ in range(4 * months)]
    every = [aj.evaluate(*one, METRICS[:2], span=SPAN, chance=False) for one in drawn]
    means = [np.mean([judged.rows[k].value for judged in every]) for k in range(2)]
    inside = np.zeros((2, 2))
    for one in drawn[:months]:
        rows = aj.evaluate(*one, METRICS[:2], span=SPAN, shifts=1, unit="event").rows
        for k, row in enumerate(rows):
            inside[k] += [row.low <= means[k] <= row.high, np.isfinite(row.low)]
    return {
        metric: f"{means[k]:.3f} held in {inside[k, 0] / max(inside[k, 1], 1):.3f} of "
        f"{inside[k, 1]:.0f}"
        for k, metric in enumerate(METRICS[:2])
    }


def called(incidents, months, seed):
    """The share of months in which blind alerts are called better than chance."""
    rng = np.random.default_rng(seed)
    low = np.zeros(len(METRICS))
    for _ in range(months):
        rows = aj.evaluate(*month(rng, incidents, knows=False), METRICS, span=SPAN, shifts=99).rows
        low += [row.p_value <= 0.05 for row in rows]
    return dict(zip(METRICS, (low / months).round(3).tolist(), strict=True))


def year():
    """CPU seconds of a year at one-second resolution, with chance and without."""
    rng = np.random.default_rng(5)
    whole = 365 * 86_400
    begin, first = rng.integers(0, whole - 7_200, 300), rng.integers(0, whole - 7_200, 5_000)
    for services in (1, 5):
        places = [[f"s{k}" for k in rng.integers(0, services, n)] for n in (300, 5_000)]
        since = time.process_time()
        truth = aj.Incidents(
            begin, begin + 1 + rng.integers(60, 7_200, 300), unit="s", service=places[0]
        )
        alerts = aj.Alerts(
            first, first + rng.integers(1, 600, 5_000), unit="s", service=places[1],
            score=rng.random(5_000),
        )  # fmt: skip
        span = (np.datetime64("1970-01-01"), np.datetime64("1971-01-01"))
        for chance in (False, True):
            str(aj.evaluate(truth, alerts, span=span, chance=chance))
            print(f"{services} services, chance {chance}: {time.process_time() - since:.2f} s")
            since = time.process_time()


if __name__ == "__main__":
    if "--year" in sys.argv:
        year()
    else:
        for count in (10, 30):
            print(count, "incidents:", held(count, 300, 100 + count))
            print(count, "incidents, blind:", called(count, 300, 200 + count))
