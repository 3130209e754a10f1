"""Worked examples of metrics whose papers print none: one series, each value by hand or by peers.

X has 40 points, events [10, 16) and [25, 28), alarms [12, 14) [15, 16) [20, 21) [27, 30). The
values of DQE, OIPR, overlap and tolerant events are those that the authors' own code returns on it.
"""

import numpy as np
import pytest

import adjudge as aj
from adjudge.compat.change_points import drift_report
from values import filled

LABELS = filled(40, (10, 16), (25, 28))
FLAGS = filled(40, (12, 14), (15, 16), (20, 21), (27, 30))
SCORES = 0.01 * ((7 * np.arange(40)) % 13)
for place, score in zip(
    (12, 13, 20, 15, 3, 27, 28, 29, 35), (0.9, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.4),
    strict=True,
):  # fmt: skip
    SCORES[place] = score
EVERYTHING = np.ones(40, int)
STARTS = filled(40, (10, 11), (25, 26))


def printed(expected):
    return pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("rate", "value"), [(0, 0.5), (1, 0.5), (2, 1), (3, 1)])
def test_recall_within_a_budget(rate, value):
    assert value == aj.recall_at(LABELS, SCORES, rate=rate, per=31)


def test_free_response_roc():
    assert aj.froc(LABELS, SCORES, rates=(1, 2, 4), per=31) == printed(0.8333)
    assert aj.froc(LABELS, SCORES, per=31) == printed(0.7143)


def test_the_budget_is_not_won_by_flagging_everything():
    """The best recall at any threshold within the budget would be 1 even at rate 0."""
    curve = aj.curve(LABELS, SCORES, "false_alarm_rate")
    within = curve.values == 0
    assert aj.curve(LABELS, SCORES, "event_recall").recall[within].max() == 1
    assert aj.recall_at(LABELS, SCORES, rate=0) == 0.5
    assert aj.recall_at(LABELS, np.zeros(40)) == 0 == aj.froc(LABELS, np.zeros(40))


def test_a_tie_of_budget_and_rate_is_within():
    labels, scores = [0, 1, 0, 0, 0, 1, 0], [0, 9, 0, 7, 0, 5, 0]
    assert aj.recall_at(labels, scores, rate=1, per=5) == 1
    assert aj.recall_at(labels, scores, rate=0.999, per=5) == 0.5


def test_quality_of_detection_in_both_versions():
    assert aj.sdqe(LABELS, FLAGS, near=4) == printed(0.7646)
    assert aj.sdqe(LABELS, FLAGS, near=4, version="2026-03") == printed(0.7361)
    credit = aj.explain(LABELS, FLAGS, "sdqe(near=4)").truth.credit
    assert credit.tolist() == [printed(0.6504), printed(0.8787)]


def test_quality_over_thresholds():
    assert aj.dqe(LABELS, SCORES, near=4) == printed(0.4536)
    assert aj.dqe(LABELS, SCORES, near=4, thresholds=None) == printed(0.4523)
    # 0.4797 in the authors' code, which rounds a score that equals the threshold 0.01 below it
    assert aj.dqe(LABELS, SCORES**2, near=4) == printed(0.4784)
    assert aj.dqe(LABELS, 7 * SCORES - 3, near=4) == printed(0.4536)


def test_traps_of_the_quality_of_detection():
    assert aj.sdqe(LABELS, EVERYTHING) == printed(0.9844)
    assert aj.sdqe(LABELS, EVERYTHING, near=4) == 0
    assert aj.sdqe(LABELS, LABELS, near=4) == 1
    far, near = LABELS.copy(), LABELS.copy()
    far[0], near[16] = 1, 1
    assert aj.sdqe(LABELS, near, near=4) > 0.95
    assert aj.sdqe(LABELS, far, near=4) < 0.85


@pytest.mark.parametrize(
    ("settings", "precision", "recall", "f1"),
    [
        ({"tire": 3, "linger": 4}, 0.4556, 0.5210, 0.4861),
        ({"tire": 5, "linger": 20}, 0.8390, 0.8597, 0.8492),
        ({}, 0.5202, 0.5496, 0.5345),
        ({"tire": 0, "linger": 0, "floor": 1}, 0.5714, 0.4444, 0.5),
    ],
)
def test_interest(settings, precision, recall, f1):
    assert aj.oipr_precision(LABELS, FLAGS, **settings) == printed(precision)
    assert aj.oipr_recall(LABELS, FLAGS, **settings) == printed(recall)
    assert aj.oipr_f1(LABELS, FLAGS, **settings) == printed(f1)


def test_traps_of_interest():
    asked = aj.oipr_f1(tire=3, linger=4)
    assert asked(LABELS, EVERYTHING) == printed(0.4041)
    assert asked(LABELS, STARTS) == printed(0.7065)
    labels = filled(40, (10, 20))
    early = labels.copy()
    early[1] = 1
    assert aj.oipr_f1(labels, early, tire=5, linger=20) == printed(0.7322)


@pytest.mark.parametrize(("tau", "value"), [(0.1, 2 / 3), (0.25, 1 / 3), (0.5, 0)])
def test_overlap(tau, value):
    assert aj.overlap_f1(LABELS, FLAGS, tau=tau) == pytest.approx(value)


def test_overlap_looks_at_the_best_event_alone():
    labels = filled(20, (0, 6), (7, 12))
    flags = filled(20, (0, 2), (3, 12))  # the long run overlaps the second event most, 5/9
    assert aj.explain(labels, flags, "overlap_f1(tau=0.3)").alarms.event.tolist() == [0, 1]
    assert aj.overlap_precision(labels, flags, tau=0.3) == 1


@pytest.mark.parametrize(
    ("settings", "found", "false", "value"),
    [
        ({}, (2, 2), 1, 0.8),
        ({"before": 2, "after": 5}, (2, 2), 0, 1),
        ({"before": 2, "after": 4, "split": 4}, (3, 3), 1, 6 / 7),
    ],
)
def test_events_with_tolerance(settings, found, false, value):
    receipt = aj.explain(LABELS, FLAGS, aj.event_f1_tolerant(**settings))
    assert found == receipt.tally[:2]
    assert false == receipt.alarms.cost.sum()
    assert receipt.value == pytest.approx(value)


def test_events_without_tolerance_are_segments():
    for name in ("f1", "precision", "recall"):
        plain = aj.metric(f"segment_{name}")(LABELS, FLAGS)
        assert plain == aj.metric(f"event_{name}_tolerant")(LABELS, FLAGS)


def test_alarms_per_event():
    assert aj.alarms_per_event(LABELS, FLAGS) == 1.5
    assert aj.alarms_per_event(LABELS, EVERYTHING) == 1


@pytest.mark.parametrize(("collar", "value"), [(2, 2 / 3), (1, 0)])
def test_collar(collar, value):
    assert aj.collar_f1(LABELS, FLAGS, collar=collar) == pytest.approx(value)


@pytest.mark.parametrize(
    ("settings", "value"),
    [
        ({"reach": 3}, 0.5),
        ({"reach": 3, "match": "one_to_one"}, 0.5417),
        ({"reach": 5, "starts": True}, 0.4),
    ],
)
def test_softed(settings, value):
    assert aj.softed_f1(LABELS, FLAGS, **settings) == pytest.approx(value, abs=5e-5)


@pytest.mark.parametrize(("match", "value"), [("nearest", 0.5), ("one_to_one", 0.7)])
def test_the_two_versions_of_softed_differ_where_alarms_crowd(match, value):
    labels, flags = (np.isin(np.arange(20), places) for places in ([10, 12], [9, 10]))
    assert aj.softed_f1(labels, flags, reach=5, match=match) == pytest.approx(value)


def test_the_nearest_match_may_change_when_time_is_read_backwards():
    labels, flags = (np.isin(np.arange(20), places) for places in ([10, 14], [8, 12]))
    assert aj.softed_f1(labels, flags, reach=4) == pytest.approx(0.5)
    assert aj.softed_f1(labels[::-1], flags[::-1], reach=4) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("share", "f1", "area"), [(0.5, 0.4, 0.4), (0.3, 0.8, 0.8), (0.7, 0, None)]
)
def test_intersections_and_their_area(share, f1, area):
    assert aj.intersection_f1(LABELS, FLAGS, dtc=share, gtc=share) == pytest.approx(f1)
    if area is not None:
        found = aj.psds(LABELS, SCORES, dtc=share, gtc=share, per=40, max_rate=5)
        assert found == pytest.approx(area)


def test_a_low_share_makes_an_alarm_over_everything_valid():
    assert aj.psds(LABELS, SCORES, dtc=0.1, gtc=0.1, per=40, max_rate=5) == pytest.approx(1)


def test_alarm():
    exact = LABELS.copy()
    exact[0] = 1
    assert aj.alarm(LABELS, FLAGS) == printed(1.0150)
    assert aj.alarm(LABELS, LABELS) == printed(2.9648)
    assert aj.alarm(LABELS, EVERYTHING) == printed(-0.9756)
    assert aj.alarm(LABELS, exact) == printed(2.4648)
    assert aj.alarm(LABELS, STARTS) == printed(2.75)


def test_partial_roc_area():
    assert aj.partial_auc_roc(LABELS, SCORES) == printed(0.6510)
    assert aj.partial_auc_roc(LABELS, SCORES, max_fpr=1) == pytest.approx(
        aj.auc_roc(LABELS, SCORES)
    )
    assert aj.partial_auc_roc(LABELS, np.zeros(40), max_fpr=0.3) == pytest.approx(0.5)


def test_alarms_in_a_series_without_events_do_not_move_the_quality():
    series = np.repeat([0, 1], 40)
    labels, flags = np.append(LABELS, np.zeros(40, int)), np.append(FLAGS, FLAGS)
    assert aj.sdqe(labels, flags, series=series, near=4) == aj.sdqe(LABELS, FLAGS, near=4)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("froc(rates=1)", "rates must be a tuple of numbers such as (1, 2, 4), got 1"),
        ("froc(rates=())", "rates must be a tuple of numbers such as (1, 2, 4), got ()"),
        ("froc(rates=(1, -2))", "rates must be a number from 0 to 1e6, got -2"),
        ("recall_at(rate=-1)", "rate must be a number from 0 to 1e6, got -1"),
        ("sdqe(near=0)", "near must be a whole number, at least 1, got 0; a duration "
         "such as '10min' also works"),
        ('sdqe(version="new")', "version must be one of '2026-05', '2026-03', got 'new'"),
        ("dqe(thresholds=0)", "thresholds must be a whole number, at least 1, got 0"),
        ('oipr_f1(tire="x")', "tire must be a duration such as '10min', '1h30min' or "
         "'0.5s' (units ns, us, ms, s, min, h, d, w) or 'auto', got 'x'"),
        ("overlap_f1(tau=0)", "tau must be a share in (0, 1], got 0"),
        ("event_f1_tolerant(split=0)", "split must be a whole number, at least 1, got 0; a "
         "duration such as '10min' also works"),
        ("partial_auc_roc(max_fpr=0)", "max_fpr must be a share in (0, 1], got 0"),
    ],
)  # fmt: skip
def test_wrong_settings_are_refused(spec, message):
    with pytest.raises(aj.InputError) as error:
        aj.metric(spec)
    assert message == str(error.value)


def test_a_score_that_is_not_finite_has_no_scale():
    scores = SCORES.copy()
    scores[0] = np.inf
    assert np.isnan(aj.dqe(LABELS, scores))


@pytest.mark.parametrize(("count", "value", "by_chance"), [(5, 0.049, 0.049), (50, 0.413, 0.403)])
def test_an_alarm_every_hundred_samples(count, value, by_chance):
    """Reported on online-ml/river#1963; with 50 drifts two windows hold two alarms each."""
    n = 20_000
    drifts, clock = np.arange(1, count + 1) * (n // (count + 1)), np.arange(0, n, 100)
    theirs = drift_report(clock.tolist(), drifts.tolist(), n, delta_max=100)["f1"]
    truth, alarms = aj.Changes(drifts, n), aj.Changes(clock, n)
    row = aj.evaluate(truth, alarms, "warning_f1(max_lead=0, min_lead=-100)").rows[0]
    assert round(theirs, 3) == round(row.value, 3) == value
    assert round(row.chance, 3) == by_chance
