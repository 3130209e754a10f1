"""The same rows give the same interval and the same p-value, as points or as alerts in time."""

from dataclasses import replace

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.alerts_on_lines import AlertsOnLines
from sampling import one_in

COUNTED = ["event_recall", "event_precision", "event_f1", "detection_delay"]
STORIES = [(seed, kind) for seed in range(4) for kind in ("usual", "perfect", "wide")]


def story(seed, kind, lines=1):
    """Give ten events on each line, and the flags of two detectors."""
    rng, tables = np.random.default_rng(seed), []
    for _ in range(lines):
        labels, a, b = np.zeros((3, 800), bool)
        for start in np.sort(rng.choice(np.arange(20, 730, 40), 10, replace=False)):
            stop = start + rng.integers(4, 30)
            labels[start:stop] = True
            for flags, found in ((a, 0.7), (b, 0.5)):
                first = start + rng.integers(0, 3)
                flags[first : first + rng.integers(1, 40)] |= rng.random() < found
        for flags in (a, b):
            for start in rng.integers(0, 700, 5):
                flags[start : start + rng.integers(1, 90 if kind == "wide" else 10)] = True
        if kind == "perfect":  # where no false alarm was seen, one is imagined
            a[:] = labels
        tables.append((labels, a, b))
    return np.array(tables)


def intervals(table, step=1):
    """Give where flags begin and end on each line, as times."""
    found = [np.flatnonzero(np.diff(np.pad(line.astype(int), 1))).reshape(-1, 2) for line in table]
    service = np.repeat([f"s{k}" for k in range(len(table))], [len(one) for one in found])
    starts, ends = step * np.concatenate(found).T
    return starts, ends, service


def both(tables, spec, step=1, unit="event", clock="shared"):
    """Judge the points, each so many times, and the same as alerts; compare both detectors."""
    labels, a, b = np.repeat(np.moveaxis(tables, 0, 1), step, axis=2)
    series = np.repeat(np.arange(len(labels)), labels.shape[1])
    flags = {"a": a.ravel(), "b": b.ravel()}
    points = aj.Points(labels.ravel(), flags, series=series, clock=clock)
    truth, *alerts = (intervals(table) for table in (labels, a, b))
    incidents = aj.Incidents(*truth[:2], service=truth[2])
    given = {name: aj.Alerts(x, y, service=z) for name, (x, y, z) in zip("ab", alerts, strict=True)}
    day = aj.OnCall(incidents, given, span=(0, labels.shape[1]), clock=clock)
    return [numbers(data, spec, unit) for data in (points, day)]


def numbers(data, spec, unit):
    row = aj.evaluate(data.only("a"), spec, unit=unit, shifts=1).rows[0]
    pair = aj.compare(data, spec, unit=unit)
    own = [row.value, row.low, row.high, row.evidence_units]
    return np.array([*own, pair.difference, pair.low, pair.high, pair.p_value])


@pytest.mark.parametrize("clock", ["own", "shared"])
@pytest.mark.parametrize(("lines", "unit"), [(1, "event"), (3, "event"), (4, "series")])
@pytest.mark.parametrize("spec", one_in(2, COUNTED))
@pytest.mark.parametrize(("seed", "kind"), STORIES)
def test_what_is_counted_has_the_same_interval_and_p_value(seed, kind, spec, lines, unit, clock):
    points, alerts = both(story(seed, kind, lines), spec, unit=unit, clock=clock)
    np.testing.assert_allclose(alerts, points, atol=1e-9)


@pytest.mark.parametrize(("seed", "kind"), STORIES)
def test_what_is_measured_in_time_is_the_limit_of_ever_finer_points(seed, kind):
    assert is_the_limit(story(seed, kind), 15)


def is_the_limit(tables, width):
    """Whether points ten times as fine are ten times nearer: a run costs one point less in time.

    Of p-values, which are shares of words, whether at most a few words in 1,000 differ.
    """
    apart = []
    for step in (4, 40):
        points, alerts = both(tables, f"f1_ba(width={width * step})", step)
        apart.append(np.abs(points - alerts))
    (coarse, _), (fine, words) = ((one[:-1].max(), one[-1]) for one in apart)
    return fine < 0.002 and fine <= 0.15 * coarse + 1e-4 and words < 0.006


def test_the_law_rejects_another_rule_of_what_is_imagined(monkeypatch):
    tables, right = story(0, "perfect"), AlertsOnLines.supposed
    assert is_the_limit(tables, 15)

    def of_moments(case, kind):
        found = right(case, kind)
        if kind != "false":
            return found
        start = int(found.alerts.start[0])
        moment = aj.Alerts([start], [start + 1], service=found.alerts.service)
        return replace(found, alerts=moment)

    monkeypatch.setattr(AlertsOnLines, "supposed", of_moments)
    assert not is_the_limit(tables, 15)


def test_where_a_detector_is_silent_or_all_is_incident_both_say_the_same():
    labels, a, b = np.moveaxis(story(2, "usual"), 0, 1)
    silent = np.stack([labels, 0 * a > 0, b], axis=1)
    np.testing.assert_allclose(*both(silent, "event_f1"), atol=1e-9)
    found = both(silent, "f1_ba(width=600)", 40)
    np.testing.assert_allclose(*found, atol=0.002)
    full = aj.Incidents([0, 100], [100, 200]), aj.Alerts([10, 120], [20, 130])
    one = aj.evaluate(*full, "f1_ba(width=9)", span=(0, 200), shifts=1).rows[0]
    assert one.value == 1


def test_scored_alerts_are_compared_by_leaving_out_each_incident():
    rng = np.random.default_rng(4)
    start = np.arange(40, 2000, 50)
    incidents = aj.Incidents(start, start + 5)
    near, far = (aj.Alerts(start + by, start + by + 5, score=rng.random(40)) for by in (1, 30))
    found = aj.compare(incidents, near, far, "alert_ap(tolerance=20)", span=(0, 2100))
    assert found.ahead == "a"
    assert found.separated
    assert (found.evidence_unit, found.evidence_units) == ("event", 40)


def test_services_are_all_there_are_on_a_grid_too():
    incidents = aj.Incidents([10, 50, 90], [20, 60, 95], service=list("abc"))
    alerts = aj.Alerts([12, 40], [18, 44], service=list("ab"))
    day = aj.OnCall(incidents, alerts, span=(0, 100), every=1)
    row = aj.evaluate(day, "f1", chance=True, shifts=1).rows[0]
    assert (row.evidence_unit, row.evidence_units) == ("episode", 3)
    asked = aj.evaluate(day, "f1", unit="series", shifts=1).rows[0]
    assert asked.evidence_unit == "series"
