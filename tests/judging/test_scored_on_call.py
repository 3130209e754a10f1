"""Alerts with a score, beside incidents: the best threshold, chance, intervals."""

from dataclasses import replace

import numpy as np
import pytest
from tests import on_call_story as story

import adjudge as aj
from adjudge.data.incidents import TimedRows
from adjudge.errors import InputError
from adjudge.metrics.on_alerts import raised, resolved
from adjudge.noise.intervals.jackknife import left_out, spread_without
from adjudge.noise.intervals.units import units_of
from adjudge.noise.shifting.circle_pieces import AlertTurns

SPAN = (0, 1000)


def month(seed, services=2, ties=False):
    """Incidents and alerts in points, with outages."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 9)), int(rng.integers(1, 25))
    start, first = np.sort(rng.integers(0, 950, n)), rng.integers(0, 950, m)
    near = rng.random(m) < 0.5
    first = np.where(near, start[rng.integers(0, n, m)] + rng.integers(-5, 9, m), first)
    first = np.maximum(first, 0)
    places = [[f"s{k}" for k in rng.integers(0, services, size)] for size in (n, m)]
    score = rng.integers(0, 4, m) if ties else rng.permutation(m)
    truth = aj.Incidents(start, start + rng.integers(1, 60, n), service=places[0])
    alerts = aj.Alerts(first, first + rng.integers(0, 40, m), service=places[1], score=score)
    return truth, alerts, {"span": SPAN, "outages": [(300, 380)]}


def case_of(truth, alerts, how):
    (case,) = aj.OnCall(truth, {"x": alerts}, **how).cases
    return case


@pytest.mark.parametrize("spec", ["event_f1", "event_recall", "event_precision", "f1_ba",
                                  "false_alarms(per=100)", "detection_delay"])  # fmt: skip
@pytest.mark.parametrize("ties", [False, True])
def test_the_best_threshold_is_the_best_of_all(spec, ties):
    for seed in range(4):
        truth, alerts, how = month(seed, ties=ties)
        levels = [*np.unique(alerts.score)[::-1].astype(float), -np.inf]
        tried = [
            aj.evaluate(truth, alerts, spec, at=level, chance=False, **how) for level in levels
        ]
        values = np.array([judged.rows[0].value for judged in tried])
        row = aj.evaluate(truth, alerts, f"best({spec})", chance=False, **how).rows[0]
        if np.isnan(values).all():
            assert np.isnan(row.value)
            continue
        pick = np.nanmin if aj.metric(spec).row.better == "lower" else np.nanmax
        assert row.value == pick(values)
        assert (row.at, row.chosen_by) == (levels[list(values == row.value).index(True)], "oracle")
        assert row.metric.startswith("best(")


def moved(alerts, by, line):
    """The alerts that count, so much later along the watched time of their service."""
    kept = alerts.chosen(line.holds(alerts.start))
    begin = (line.before(kept.start) + by) % line.length
    until = np.minimum(begin + line.before(kept.end) - line.before(kept.start), line.length)
    last = line.instants(np.maximum(until - 1, begin)) + (until > begin)
    return aj.Alerts(line.instants(begin), last, score=kept.score)


@pytest.mark.parametrize("spec", ["alert_ap(tolerance=30)", "interval_ap(iou=(0.1, 0.5))",
                                  "best(event_f1)"])  # fmt: skip
def test_a_shift_is_the_value_of_alerts_that_were_moved(spec):
    for seed in range(8):
        truth, alerts, how = month(seed, services=1)
        truth, alerts = truth.without_services(), alerts.without_services()
        case = case_of(truth, alerts, how)
        metric = raised(aj.metric(spec), case).metric
        metric = replace(metric, oracle=spec.startswith("best"))
        part, (ring,) = case.watched.parts[""], case.turning
        for by in (0, 17, 400):
            if ((ring.placed.starts + by) % part.length + ring.placed.lengths > part.length).any():
                continue  # what goes on at the other end of the line is two things here
            count = case.turned([by]).outcome
            there = aj.evaluate(truth, moved(alerts, by, part), spec, chance=False, **how)
            found = AlertTurns(case).value(metric, count)
            assert found == pytest.approx(there.rows[0].value, nan_ok=True)


def test_chance_and_intervals_stand_beside_average_precision():
    truth, alerts, how = month(1)
    rows = aj.evaluate(truth, alerts, ["alert_ap(tolerance=30)", "interval_ap(iou=(0.1, 0.2))"],
                       **how).rows  # fmt: skip
    for row in rows:
        assert 0 <= row.chance < row.value
        assert 0 < row.p_value <= 1
        assert (row.shifts, row.exact, row.null) == (199, False, "the same alarms, shifted")
        assert row.low <= row.value <= row.high
        assert row.evidence_unit == "episode"


def test_an_interval_is_what_becomes_of_the_value_without_each_incident():
    truth = aj.Incidents([100, 300, 500, 700], [150, 350, 550, 750])
    alerts = aj.Alerts([100, 300, 505, 20, 900], [150, 350, 540, 30, 910], score=[9, 8, 7, 6, 5])
    case = case_of(truth, alerts, {"span": SPAN})
    metric = resolved(aj.metric("alert_ap(tolerance=50)"), case)
    value, units = raised(metric, case).value, units_of(case.truth)
    spread = spread_without([(metric, case)], value, units, metric.row.range)
    gone = []
    for k, own in enumerate([[0, 3], [1], [2], [4]]):  # quiet time goes with the next incident
        left = aj.Incidents(np.delete(truth.start, k), np.delete(truth.end, k))
        others = alerts.chosen(np.delete(np.arange(5), own))
        judged = aj.evaluate(left, others, "alert_ap(tolerance=50)", span=SPAN, chance=False)
        gone.append(judged.rows[0].value)

    same = left_out(value, np.array(gone), np.ones(4), (0, 1), units.series_of_unit(4))
    assert spread == same
    assert spread.se > 0


def test_the_best_threshold_is_chosen_again_by_chance_and_has_no_interval():
    truth, alerts, how = month(2)
    best, fixed = aj.evaluate(truth, alerts, ["best(event_f1)", "event_f1"], **how).rows
    assert best.chance > 0
    assert best.chance >= fixed.chance
    assert np.isnan(best.low)
    assert best.p_value > 0
    lengths = aj.evaluate(truth, alerts, "best(f1_ba)", **how).rows[0]
    assert np.isnan(lengths.chance)  # it would be read anew at each threshold of each shift
    assert lengths.always_on > 0


def test_rules_choose_among_the_scores_of_alerts():
    truth, alerts, how = month(3)
    judged = aj.evaluate(truth, alerts, "event_f1", at=aj.top(2), chance=False, **how)
    row = judged.rows[0]
    assert (judged.on_call["alerts"], row.chosen_by, row.rule) == (2, "rule", "top(2)")
    own = aj.evaluate(truth, alerts, "event_f1(at=top(2))", chance=False, **how).rows[0]
    assert (own.value, own.at, own.metric) == (row.value, row.at, "event_f1(at=top(2))")
    given = aj.evaluate(truth, alerts, "event_f1(at=1)", chance=False, **how).rows[0]
    assert (given.at, given.chosen_by, given.rule) == (1.0, "given", "")
    none = aj.Alerts([], score=[])
    empty = aj.evaluate(truth, none, "event_recall", at=aj.top(2), chance=False, **how)
    assert empty["event_recall"] == 0
    with pytest.raises(InputError, match="on must be left out with incidents and alerts, got top"):
        aj.evaluate(truth, alerts, at=aj.top(2, on="0:2"), **how)


def test_a_metric_of_scores_needs_them():
    truth, alerts, how = month(4)
    bare = aj.Alerts(alerts.start, alerts.end, service=alerts.service)
    for spec in ("best(event_f1)", "alert_ap"):
        with pytest.raises(InputError, match="must have a score"):
            aj.evaluate(truth, bare, spec, **how)
        with pytest.raises(InputError, match="must have a score"):
            aj.compare(truth, bare, bare, spec, **how)


def test_explain_and_compare_take_the_best_threshold():
    truth, alerts, how = month(5)
    best = aj.evaluate(truth, alerts, "best(event_f1)", chance=False, **how).rows[0]
    receipt = aj.explain(truth, alerts, "best(event_f1)", **how)
    assert (receipt.value, receipt.to_dict()["at"]) == (best.value, best.at)
    assert f", alerts above {best.at:.6g}" in str(receipt)
    found = aj.compare(truth, alerts, alerts, "best(event_f1)", null="shifted", **how)
    assert (found.metric, found.a, found.difference) == ("best(event_f1)", best.value, 0)
    assert found.chance[0] > 0


def test_an_alarm_that_is_always_on():
    truth, alerts, how = month(6)
    rows = {
        row.requested: row.always_on
        for row in aj.evaluate(truth, alerts, ["event_recall", "event_precision", "f1_ba"],
                               **how).rows
    }  # fmt: skip
    assert (rows["event_recall"], rows["event_precision"]) == (1, 1)
    length = np.zeros((2, 1000), bool)
    for start, end, place in zip(truth.start, truth.end, truth.service, strict=True):
        length[int(place[1]), start:end] = True
    length[:, 300:380] = False
    found = length.sum()
    assert rows["f1_ba"] == pytest.approx(2 * found / (found + 2 * 920))
    dark = {"span": SPAN, "outages": [(0, 1000)]}
    assert np.isnan(aj.evaluate(truth, alerts, "event_recall", **dark).rows[0].always_on)


@pytest.mark.parametrize("spec", ["alert_ap", "interval_ap", "best(event_f1)", "best(f1_ba)"])
def test_an_alarm_that_is_always_on_has_a_score_where_alerts_have(spec):
    truth, alerts, how = month(3)
    on = aj.Alerts([0, 0], [1000, 1000], service=["s0", "s1"], score=[1, 1])
    expected = aj.evaluate(truth, on, spec, chance=False, **how).rows[0].value
    assert aj.evaluate(truth, alerts, spec, **how).rows[0].always_on == pytest.approx(expected)


def test_alerts_nearby_and_what_others_need():
    truth, alerts, how = month(7)
    shifted, nearby = (
        aj.evaluate(truth, alerts, "event_f1", null=null, **how).rows[0]
        for null in ("shifted", "nearby")
    )
    assert nearby.null == "the same alarms, shifted nearby"
    assert nearby.p_value == shifted.p_nearby
    assert nearby.chance != shifted.chance
    for null in ("white", "periodic"):
        with pytest.raises(InputError, match="move points"):
            aj.evaluate(truth, alerts, "event_f1", null=null, **how)


def test_how_many_incidents_it_would_take():
    table, told = aj.Incidents(*story_columns(story.INCIDENTS)), story_columns(story.ALERTS)
    alerts = aj.Alerts(*told)
    row = aj.evaluate(table, alerts, "event_recall", span=story.SPAN).rows[0]
    assert row.events_needed_low <= row.events_needed
    late = aj.evaluate(table, alerts, "detection_delay", span=story.SPAN).rows[0]
    assert late.events_needed_low <= late.events_needed  # beside the delays at other times


def story_columns(text):
    lines = [line.split(",") for line in text.strip().splitlines()]
    at = [lines[0].index(name) for name in ("start", "end")]
    return [[line[k] or None for line in lines[1:]] for k in at]


def test_nothing_to_move_and_nothing_to_find():
    truth, alerts, how = month(8)
    with pytest.raises(InputError, match="judges points, and incidents and alerts have none"):
        aj.explain(truth, alerts, "best(f1_pa)", **how)
    silent = aj.evaluate(truth, aj.Alerts([], score=[]), "alert_ap(tolerance=9)", **how).rows[0]
    assert (silent.value, np.isnan(silent.low), np.isnan(silent.chance)) == (0, True, True)
    dark = {"span": SPAN, "outages": TimedRows([0], [1000], service=["s1"])}
    row = aj.evaluate(truth, alerts, "alert_ap(tolerance=30)", shifts=9, **dark).rows[0]
    assert row.shifts == 9
