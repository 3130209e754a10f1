"""Average precision of scored alerts: values of published code, laws, and the way to fool it."""

import numpy as np
import pytest
from tests.count.naive_scored_alerts import IOUS, KAGGLE, of_alerts, of_intervals

import adjudge as aj
from adjudge.count.scored_alerts import ScoredAlerts, Spans
from adjudge.measure.whole.event_ap import AlertAp, IntervalAp

ONE = [(1000, 1100)]
TWO = [(1000, 1100), (5000, 5100)]
OFF = [(1100, 1200, 0.9), (4900, 5000, 0.8)]  # both start 100 points from an event
COPIES = [(1010, 1110, 0.09), (1190, 1290, 0.089), (4810, 4910, 0.08), (4990, 5090, 0.079)]
LATE = [(3000 + 200 * k, 3100 + 200 * k, 0.5 - k / 100) for k in range(20)]
PUBLISHED = {  # what Kaggle's and ActivityNet's functions give
    "exact": ([(100, 200), (500, 600)], [(100, 200, 0.9), (500, 600, 0.8)], 1, 1),
    "as far as a tolerance": (ONE, [(1012, 1112, 0.9)], 0.9, 0.6),
    "false alerts that are less sure": (ONE, [(1000, 1100, 0.9), *LATE], 1, 1),
    "100 points off": (TWO, OFF, 0.6, 0),
    "with copies": (TWO, OFF + COPIES, 11 / 15, 7 / 30),
    "the surer takes the nearer": (
        [(1000, 1040), (1050, 1090)], [(1030, 1070, 0.9), (1060, 1100, 0.8)], 0.825, 0.075,
    ),
    "a third in common": ([(100, 200)], [(150, 250, 0.9)], 0.8, 0),
    "four events, seven alerts": (
        [(11487, 11839), (4431, 4514), (7000, 7501), (7747, 7923)],
        [(4534, 4544, 0.125), (7155, 7460, 0.75), (7742, 7855, 0.625), (1928, 2472, 0.25),
         (8253, 8687, 0.5), (10278, 10664, 0.375), (2534, 2654, 0.875)],
        0.22380952380952382, 0.07916666666666666,
    ),
}  # fmt: skip
OVERLAP = {"with copies", "the surer takes the nearer"}  # no scores of points can say that
HOW = {"span": (0, 20_000), "chance": False}
BOTH = ["alert_ap", "interval_ap"]


def judged(events, alerts, metrics=BOTH, **how):
    starts, ends, scores = zip(*alerts, strict=True)
    things = aj.Incidents(*zip(*events, strict=True)), aj.Alerts(starts, ends, score=scores)
    return [row.value for row in aj.evaluate(*things, metrics, **(HOW | how)).rows]


@pytest.mark.parametrize("case", PUBLISHED)
def test_values_of_published_code(case):
    events, alerts, near, alike = PUBLISHED[case]
    assert judged(events, alerts) == pytest.approx([near, alike], abs=1e-12)


@pytest.mark.parametrize("case", [c for c in PUBLISHED if c not in OVERLAP])
def test_scores_of_points_have_the_values_of_their_alerts(case):
    events, alerts, near, alike = PUBLISHED[case]
    labels, scores = np.zeros(20_000), np.zeros(20_000)
    for start, end in events:
        labels[start:end] = 1
    for start, end, score in alerts:
        scores[start:end] = score
    values = aj.alert_ap(labels, scores), aj.interval_ap(labels, scores)
    assert values == pytest.approx([near, alike], abs=1e-12)


def random_things(seed):
    rng = np.random.default_rng(seed)

    def things(most, longest):
        many = int(rng.integers(0, most))
        starts = rng.integers(0, 60, many)
        return starts, starts + rng.integers(1, longest, many), rng.integers(0, 2, many)

    events, alerts = Spans(*things(6, 20)), Spans(*things(12, 20))
    return events, alerts, rng.integers(0, 5, len(alerts.start)).astype(float)


def test_things_that_overlap_are_as_the_slow_count_says():
    """Matched by the definition's words, in fractions: overlaps, equal scores, two services."""
    for seed in range(300):
        events, alerts, score = random_things(seed)
        found = ScoredAlerts.of(events, alerts, score)
        slow = [list(zip(*(c.tolist() for c in side), strict=True))
                for side in (events, (*alerts, score))]  # fmt: skip
        if not slow[0]:
            assert np.isnan(AlertAp().of(found, 12))
            assert np.isnan(IntervalAp().of(found))
            continue
        near = of_alerts(*slow, [k / 30 for k in KAGGLE])
        assert AlertAp().of(found, 12) == pytest.approx(near, abs=1e-12), seed
        alike = of_intervals(*slow, IOUS)
        assert IntervalAp().of(found) == pytest.approx(alike, abs=1e-12), seed


def test_the_order_of_rows_changes_nothing():
    rng = np.random.default_rng(0)
    for seed in range(50):
        events, alerts, score = random_things(seed)
        order, other = rng.permutation(len(score)), rng.permutation(len(events.start))
        mixed = ScoredAlerts.of(
            Spans(*(c[other] for c in events)), Spans(*(c[order] for c in alerts)), score[order]
        )
        found = ScoredAlerts.of(events, alerts, score)
        for measure in (lambda f: AlertAp().of(f, 12), IntervalAp().of):
            np.testing.assert_equal(measure(mixed), measure(found))


def test_copies_of_alerts_cost_nothing_and_often_help():
    """The published exploit: less sure copies, moved a little, never lower either value."""
    assert judged(TWO, OFF) == pytest.approx([0.6, 0])
    assert judged(TWO, OFF + COPIES) == pytest.approx([11 / 15, 7 / 30])
    rng, gained = np.random.default_rng(1), 0
    for _ in range(60):
        starts = np.sort(rng.choice(80, 6, replace=False)) * 200
        events = [(int(s), int(s) + 100) for s in starts]
        alerts = [(int(s + d), int(s + d) + 100, float(r))
                  for s, d, r in zip(starts, rng.normal(0, 80, 6), rng.random(6) + 1, strict=True)
                  if s + d >= 0]  # fmt: skip
        copies = [(a + move, b + move, r / 1000) for a, b, r in alerts for move in (-90, 90)
                  if a + move >= 0]  # fmt: skip
        before, after = judged(events, alerts), judged(events, alerts + copies)
        assert all(a >= b - 1e-12 for a, b in zip(after, before, strict=True))
        gained += after[0] > before[0] + 1e-12
    assert gained > 30
    for name in BOTH:
        assert "copies of alerts" in aj.catalogue[name].forgives


def test_alerts_of_a_service_without_incidents_count_as_false():
    """Kaggle's function leaves them out, and gives 1."""
    many = 20
    incidents = aj.Incidents([1000], [1100], service=["a"])
    alerts = aj.Alerts(
        [1000, *range(0, 100 * many, 100)], [1100, *range(50, 100 * many + 50, 100)],
        service=["a", *["b"] * many], score=[0.9, *[0.95] * many],
    )  # fmt: skip
    found = aj.evaluate(incidents, alerts, BOTH, **HOW)
    assert [row.value for row in found.rows] == pytest.approx([1 / 21, 1 / 21])


def test_lengths_are_those_of_watched_time_and_unwatched_alerts_are_left_out():
    incidents = aj.Incidents([100], [200])
    alerts = aj.Alerts([100, 160, 300], [150, 170, 310], score=[1, 2, 3])
    whole = aj.evaluate(incidents, alerts, BOTH, **HOW)
    assert [row.value for row in whole.rows] == pytest.approx([0.6, 1 / 30])
    dark = aj.evaluate(incidents, alerts, BOTH, outages=[(150, 400)], **HOW)
    assert [row.value for row in dark.rows] == [
        1,
        1,
    ]  # all that was watched of the incident is covered


def test_times():
    incidents = aj.Incidents(["2026-01-01 00:00"], ["2026-01-01 01:00"])
    alerts = aj.Alerts(["2026-01-01 00:04"], ["2026-01-01 00:50"], score=[0.7])
    how = {"span": ("2026-01-01", "2026-01-02"), "chance": False}
    found = aj.evaluate(incidents, alerts, "alert_ap", **how).rows[0]
    assert (found.metric, found.value) == ('alert_ap(tolerance="30min")', 0.8)
    other = aj.evaluate(incidents, alerts, 'alert_ap(tolerance="5min", parts=(1,))', **how)
    assert other.rows[0].value == 1
    with pytest.raises(aj.InputError, match=r"tolerance must be a duration .*, got 5"):
        aj.evaluate(incidents, alerts, "alert_ap(tolerance=5)", **how)
    with pytest.raises(aj.InputError, match="tolerance must be a number of points"):
        judged(ONE, OFF, 'alert_ap(tolerance="5min")')


def test_thresholds_over_alerts():
    alerts = [(1010, 1020, 0.9), (3000, 3010, 0.5), (5010, 5020, 0.3)]
    assert judged(TWO, alerts, ["event_precision", "event_recall"]) == [2 / 3, 1]
    assert judged(TWO, alerts, ["event_precision", "event_recall"], at=0.5) == [1, 0.5]
    near = judged(TWO, alerts, "alert_ap")
    assert judged(TWO, alerts, "alert_ap", at=0.5) == near  # it judges every threshold at once
    starts, ends, scores = zip(*alerts, strict=True)
    things = aj.Incidents(*zip(*TWO, strict=True)), aj.Alerts(starts, ends, score=scores)
    found = aj.evaluate(*things, "event_recall", at={"alerts": 0.5}, **HOW)
    assert (found.rows[0].at, found.on_call.alerts) == (0.5, 1)
    assert aj.explain(*things, "event_recall", at=0.5, span=(0, 20_000)).value == 0.5
    held = aj.compare(
        things[0], things[1], things[1], "event_recall", at=(0.5, None), span=(0, 9999)
    )
    assert (held.a, held.b) == (0.5, 1)


def test_what_does_not_fit_is_refused():
    bare = aj.Incidents([1000], [1100]), aj.Alerts([1000], [1100])
    with pytest.raises(aj.InputError, match="must have a score"):
        aj.evaluate(*bare, "alert_ap", **HOW)
    with pytest.raises(aj.InputError, match="at must be left out"):
        aj.evaluate(*bare, at=0.5, **HOW)
    with pytest.raises(aj.InputError, match="for each of alerts, got"):
        judged(ONE, OFF, "event_f1", at={"mine": 0.5})
    scored = bare[0], aj.Alerts([1000], [1100], score=[1])
    with pytest.raises(aj.InputError, match="alert_ap judges every threshold at once"):
        aj.explain(*scored, "alert_ap", span=(0, 2000))
    with pytest.raises(aj.InputError, match="every alert must have a score for interval_ap"):
        aj.compare(*bare, bare[1], "interval_ap", span=(0, 2000))
    held = aj.compare(*scored, aj.Alerts([990], [1090], score=[1]), "interval_ap", span=(0, 2000))
    assert (held.a, held.b, np.isnan(held.low)) == (1, 0.7, True)
    assert aj.evaluate(*bare, "alert_ap", every=1, **HOW).rows[0].value == 1  # flags, on a grid
    with pytest.raises(aj.InputError, match="parts must be"):
        aj.alert_ap(parts=(0, 1))
    with pytest.raises(aj.InputError, match="iou must be"):
        aj.interval_ap(iou=(0,))
