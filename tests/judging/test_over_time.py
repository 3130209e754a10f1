"""Values over time: windows are what judging their points alone gives, and the gate is honest."""

import itertools
import json
import math
from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from adjudge.errors import InputError

RNG = np.random.default_rng(0)
HOURS = pd.date_range("2026-01-05", periods=24 * 28, freq="h")  # four weeks from a Monday
LABELS = (np.arange(len(HOURS)) % 50 > 44) & (np.arange(len(HOURS)) % 168 > 1)
SCORES = RNG.random(len(HOURS)) + LABELS * 0.4
METRICS = ["f1_ba(width=5)", "event_recall", "ap"]


def weeks():
    return [slice(k, k + 168) for k in range(0, len(HOURS), 168)]


def values(found, metric):
    return [row.value for row in found.rows if row.metric == metric]


def test_a_window_is_judged_as_its_points_alone():
    near = np.minimum(np.arange(672) % 168, -np.arange(672) % 168) < 6
    scores = np.where(near, 0, SCORES)  # no island reaches across a border
    found = aj.over_time(LABELS, scores, METRICS, at=0.8, window="1w", time=HOURS, shifts=30)
    assert [row.start for row in found.rows[:: len(METRICS)]] == [
        "2026-01-05", "2026-01-12", "2026-01-19", "2026-01-26",
    ]  # fmt: skip
    assert all(row.complete for row in found.rows)
    for number, week in enumerate(weeks()):
        whole = aj.evaluate(
            LABELS[week], scores[week], METRICS, at=0.8, time=HOURS[week], shifts=30
        )
        for metric, row in zip(METRICS, whole.rows, strict=True):
            mine = found.rows[number * len(METRICS) + METRICS.index(metric)]
            names = ("value", "low", "high")
            np.testing.assert_allclose([getattr(mine, n) for n in names],
                                       [getattr(row, n) for n in names])  # fmt: skip
            assert (mine.events, mine.points) == (len(whole.cases[0].events), 168)
            if metric == "ap":  # which has no rows
                assert (mine.chance, mine.p_value) == (row.chance, row.p_value)


def turned_by_hand(labels, flags, metric, edges, turns, seed=0):
    """The sums of windows on turns of each by itself, one after another; at first as they are."""
    sizes = np.diff(edges)
    by = np.random.default_rng(seed).integers(0, sizes, (1 + turns, sizes.size))
    by[0], sums = 0, []
    for one in by:
        parts = [np.roll(flags[a:b], k) for a, b, k in zip(edges, edges[1:], one, strict=False)]
        ledger = metric.ledger(aj.Case(labels, np.concatenate(parts)))
        own = [[np.flatnonzero((ledger.start >= a) & (ledger.start < b))] for a, b in
               itertools.pairwise(edges)]  # fmt: skip
        sums.append([ledger.masses[rows[0], :4].sum(axis=0) for rows in own])
    return np.array(sums)


@pytest.mark.parametrize("name", ["f1_ba(width=5)", "event_f1", "f1_pa", "detection_delay"])
def test_chance_is_the_same_alarms_turned_in_each_window(name):
    metric, flags = aj.metric(name), SCORES > 0.9
    flags[160:180] = True  # across a border, as an event is
    labels = LABELS.copy()
    labels[333:339] = True
    found = aj.over_time(labels, flags, name, window=168, shifts=30)
    sums = turned_by_hand(labels, flags, metric, np.arange(0, 673, 168), 30)
    np.testing.assert_allclose(found.sums["detector", name][:, :4], sums[0])
    for k, row in enumerate(found.rows):
        home, *null = metric.value(np.c_[sums[:, k], np.full(31, np.nan)])
        mean = sums[1:, k].mean(axis=0)
        level = np.nanmean(null) if name == "detection_delay" else metric.value([*mean, np.nan])
        sign = -1 if name == "detection_delay" else 1
        known = np.array(null)[~np.isnan(null)]
        reached = np.count_nonzero(sign * known >= sign * home - 1e-9)
        assert row.value == pytest.approx(float(home))
        assert row.chance == pytest.approx(float(level))
        assert row.p_value == pytest.approx((1 + reached) / (1 + known.size))


def test_an_alarm_that_never_ends_is_as_good_as_by_chance_in_every_window():
    found = aj.over_time(LABELS, np.ones(LABELS.size), "event_f1", window=168)
    assert [row.value for row in found.rows] == [row.chance for row in found.rows]
    assert all(row.p_value == 1 for row in found.rows)


def test_chance_of_alerts_turns_them_in_each_window():
    rng = np.random.default_rng(3)
    starts = np.arange(10, 800, 40)
    incidents = aj.Incidents(starts, starts + 6, service=list("ab") * 10)
    alerts = aj.Alerts(np.sort(rng.integers(0, 800, 30)), service=rng.choice(["a", "b"], 30))
    dark = aj.Incidents([90, 90], [130, 130], service=["a", "b"])
    how = {"span": (0, 800), "window": 200, "outages": dark}
    found = aj.over_time(incidents, alerts, ["event_recall", "event_precision"], shifts=60, **how)
    case = found.whole.alert_cases[0]
    edges = case.time.cuts(np.arange(0, 801, 200))
    room = np.maximum(np.diff(edges).ravel(), 1)
    by = np.random.default_rng(0).integers(0, room, (61, room.size))
    lines, right, count = case.turning, np.zeros((60, 4)), np.zeros((60, 4))
    for turn, offsets in enumerate(by[1:]):
        for number, line in enumerate(lines):
            size = np.diff(edges[number])
            own = offsets.reshape(2, -1)[number]
            begun = line.placed.starts
            block = np.searchsorted(edges[number][1:-1], begun, "right")
            moved = edges[number][block] + (begun - edges[number][block] + own[block]) % size[block]
            truth = case.lines[number].truth
            for place in moved:
                hit = np.flatnonzero((truth.starts <= place) & (place < truth.ends))
                lies = truth.starts[hit[0]] if hit.size else place
                window = np.searchsorted(edges[number][2:-2], lies, "right")
                right[turn, window] += hit.size
                count[turn, window] += 1
    chance = [row.chance for row in found.rows if row.metric == "event_precision"]
    np.testing.assert_allclose(chance, right.mean(axis=0) / count.mean(axis=0))


def test_points_without_time_series_and_masks():
    series = np.repeat(["a", "b"], 336)
    where = np.arange(672) % 11 > 0
    how = {"series": series, "where": where}
    found = aj.over_time(LABELS, SCORES, "f1", at=0.8, window=100, chance=False, **how)
    assert [row.end for row in found.rows] == ["100", "200", "300", "400"]
    assert [row.complete for row in found.rows] == [True, True, True, False]
    mine = (np.arange(672) % 336 >= 200) & (np.arange(672) % 336 < 300)
    moved = mine.copy()
    for edge in (200, 300, 536, 636):  # borders inside events go to their ends
        while LABELS[edge] and LABELS[edge - 1]:
            moved[edge] = edge in {300, 636}
            edge += 1  # noqa: PLW2901
    alone = aj.evaluate(LABELS[moved], SCORES[moved], "f1", at=0.8, chance=False,
                        series=series[moved], where=where[moved])  # fmt: skip
    assert found.rows[2].value == alone["f1"]


def test_an_event_is_of_the_window_in_which_it_begins():
    labels = np.zeros(30, int)
    labels[8:13] = 1
    flags = np.zeros(30, int)
    flags[12] = 1
    found = aj.over_time(labels, flags, "event_recall", window=10, chance=False)
    assert [row.value for row in found.rows[:1]] == [1.0]
    assert [row.events for row in found.rows] == [1, 0, 0]
    long = aj.over_time(np.ones(30, int), flags, "event_recall", window=10, chance=False)
    assert [row.events for row in long.rows] == [1, 0, 0]


@pytest.mark.parametrize("metric", ["f1_ba", "event_f1", "ap"])
def test_growing_windows_are_the_prefixes(metric):
    at = None if metric == "ap" else 0.8
    found = aj.over_time(LABELS, SCORES, metric, at, window="1d", time=HOURS, growing=True,
                         chance=False)  # fmt: skip
    assert len(found.rows) == 28
    for day, row in enumerate(found.rows, 1):
        part = slice(0, 24 * day)
        alone = aj.evaluate(LABELS[part], SCORES[part], metric, at=at, chance=False)
        np.testing.assert_equal(row.value, alone[metric])


def test_growing_windows_with_a_policy_and_a_threshold_for_each_detector():
    for policy in (aj.policy(0.8, after=1), "policy(0.8, cooldown=20)"):
        found = aj.over_time(LABELS, SCORES, "f1_ba", policy, window=96, growing=True, chance=False)
        for row in found.rows:
            part = slice(0, int(row.end))
            alone = aj.evaluate(LABELS[part], SCORES[part], "f1_ba", at=policy, chance=False)
            np.testing.assert_equal(row.value, alone["f1_ba"])
    both = {"a": SCORES, "b": SCORES}
    found = aj.over_time(LABELS, both, "f1", {"a": 0.8, "b": 0.9}, window=672, growing=True,
                         chance=False)  # fmt: skip
    expected = [aj.f1(LABELS, SCORES, at=0.8), aj.f1(LABELS, SCORES, at=0.9)]
    assert [row.value for row in found.rows] == expected
    with pytest.raises(InputError, match="at must not look ahead in growing windows"):
        aj.over_time(LABELS, SCORES, "f1", aj.policy(aj.quantile(0.9), after=1), window=96,
                     growing=True, chance=False)  # fmt: skip


def test_a_policy_is_not_begun_anew_with_each_window():
    policy = aj.policy(0.9, keep=30)
    flags = policy.flags(SCORES)
    for at, name in ((policy, "recall"), (None, f"recall(at={str(policy)!r})")):
        found = aj.over_time(LABELS, SCORES, name, at, window=168, chance=False)
        for row, week in zip(found.rows, weeks(), strict=True):
            assert row.value == aj.recall(LABELS[week], flags[week])


def test_a_rule_and_a_width_are_settled_on_all_points():
    found = aj.over_time(LABELS, SCORES, "f1_ba", aj.quantile(0.9), window="1w", time=HOURS,
                         chance=False)  # fmt: skip
    whole = aj.evaluate(LABELS, SCORES, "f1_ba", at=aj.quantile(0.9), chance=False).rows[0]
    assert {row.at for row in found.rows} == {whole.at}
    assert {row.resolved for row in found.rows} == {f"{whole.metric[:-1]}, at={whole.at!r})"}


def test_windows_of_the_calendar():
    times = pd.date_range("2026-03-18 05:00", "2026-04-03 04:00", freq="h", tz="Europe/Berlin")
    flags = np.arange(len(times)) % 5 == 0
    starts = {}
    for window in ("1w", "1d", "12h", "1mo", "2w"):
        rows = aj.over_time(flags, flags, "f1", window=window, time=times, chance=False).rows
        starts[window] = [row.start for row in rows]
    assert starts["1w"] == ["2026-03-16", "2026-03-23", "2026-03-30"]
    assert starts["1mo"] == ["2026-03-01", "2026-04-01"]
    assert starts["2w"] == ["2026-03-16", "2026-03-30"]
    assert starts["1d"][10:13] == ["2026-03-28", "2026-03-29", "2026-03-30"]  # one has 23 hours
    assert starts["12h"][:2] == ["2026-03-18", "2026-03-18 12:00"]
    points = aj.over_time(flags, flags, "f1", window="1d", time=times, chance=False).rows[11].points
    assert points == 23


def test_windows_that_slide():
    found = aj.over_time(LABELS, SCORES, "ap", window="2w", step="1w", time=HOURS, chance=False)
    for number, row in enumerate(found.rows):
        part = slice(168 * number, 168 * number + 336)
        assert row.value == aj.ap(LABELS[part], SCORES[part])
    assert len(found.rows) == 3


STARTS = ["2026-01-05 01:00", "2026-01-11 23:00", "2026-01-14 12:00", "2026-01-21 08:00"]
ENDS = ["2026-01-05 02:00", "2026-01-12 03:00", "2026-01-14 13:00", "2026-01-21 09:00"]
PAGES = ["2026-01-05 01:10", "2026-01-09 00:00", "2026-01-12 02:00", "2026-01-20 08:00"]
SPAN = ("2026-01-05", "2026-01-26")


def test_incidents_and_alerts():
    found = aj.over_time(aj.Incidents(STARTS, ENDS), aj.Alerts(PAGES), span=SPAN, window="1w",
                         outages=[("2026-01-25", "2026-01-26")])  # fmt: skip
    assert [row.start for row in found.rows[::3]] == ["2026-01-05", "2026-01-12", "2026-01-19"]
    assert values(found, "event_recall") == [1.0, 0.0, 0.0]
    np.testing.assert_equal(values(found, "event_precision"), [2 / 3, math.nan, 0.0])
    np.testing.assert_allclose(values(found, 'false_alarms(per="1w")'), [1, 0, 7 / 6])
    assert [row.complete for row in found.rows] == [True] * 9
    assert [answer.false_per_week for answer in found.on_call] == pytest.approx([1, 0, 7 / 6])
    growing = aj.over_time(aj.Incidents(STARTS, ENDS), aj.Alerts(PAGES), "event_recall", span=SPAN,
                           window="1w", growing=True, chance=False)  # fmt: skip
    assert values(growing, "event_recall") == [0.5, 2 / 3, 0.5]


def test_incidents_in_points_zones_and_several_detectors():
    incidents = aj.Incidents([5, 25], [8, 27])
    both = {"one": aj.Alerts([6]), "two": aj.Alerts([26])}
    found = aj.over_time(incidents, both, span=(0, 40), window=20, chance=False)
    recall = {(row.detector, row.start): row.value
              for row in found.rows if row.metric == "event_recall"}  # fmt: skip
    assert recall == {("one", "0"): 1, ("two", "0"): 0, ("one", "20"): 0, ("two", "20"): 1}
    aware = [f"{text}+01:00" for text in STARTS], [f"{text}+01:00" for text in ENDS]
    zoned = aj.over_time(aj.Incidents(*aware), aj.Alerts([f"{p}+01:00" for p in PAGES]),
                         "event_recall", span=[f"{s}T00:00+01:00" for s in SPAN], window="1w",
                         chance=False)  # fmt: skip
    assert values(zoned, "event_recall") == [1.0, 0.0, 0.0]


def test_alerts_above_a_threshold_of_their_metric_and_the_points_of_a_grid():
    incidents, times = aj.Incidents([5, 25], [8, 27]), [6, 7, 26, 30]
    alerts = aj.Alerts(times, [t + 1 for t in times], score=[1, 3, 1, 3])
    how = {"span": (0, 40), "window": 20, "chance": False}
    metrics = ["event_precision(at=2.0)", "event_precision", "alert_ap"]
    found = aj.over_time(incidents, alerts, metrics, every=1, **how)
    assert values(found, "event_precision(at=2.0)") == [1, 0]
    assert values(found, "event_precision") == [1, 0.5]
    assert [row.resolved for row in found.rows[:2]] == [
        "event_precision(at=2.0)",
        "event_precision",
    ]
    assert set(found.sums) == {("alerts", one) for one in metrics[:2]}
    assert [answer.alerts_false for answer in found.on_call] == [0, 1]
    alone = aj.Incidents([5], [8]), aj.Alerts([6, 7], [7, 8], score=[1, 3])
    area = aj.evaluate(*alone, "alert_ap", span=(0, 20), chance=False)
    assert values(found, "alert_ap")[0] == area["alert_ap"]
    grid = aj.over_time(incidents, alerts, ["recall", "f1_pa"], every=1, **how)
    assert values(grid, "recall") == [2 / 3, 1 / 2]
    assert [row.points for row in grid.rows] == [20] * 4


def test_windows_in_which_nobody_watched_are_left_out():
    incidents = aj.Incidents([1, 7], [3, 8], service=["a", "b"])
    alerts = aj.Alerts([2, 6], service=["a", "b"])
    how = {"span": (0, 10), "window": 5}
    assert aj.over_time(incidents, alerts, watched=[(20, 30)], **how).rows == ()
    found = aj.over_time(incidents, alerts, outages=[(0, 5)], **how)
    assert [row.start for row in found.rows] == ["5"] * 3
    assert [answer.unwatched for answer in found.on_call] == [1, 0]
    quiet = aj.over_time(incidents, alerts, "event_precision", span=(0, 15), window=5)
    assert math.isnan(quiet.rows[2].value)


def test_an_incident_across_a_border_is_of_one_window_for_areas_and_medians_too():
    incidents = aj.Incidents([18, 25, 12], [23, 27, 13], service=["a", "a", "b"])
    alerts = aj.Alerts([21, 22, 26, 12], score=[3, 1, 2, 1], service=["a", "a", "a", "b"])
    metrics = ["alert_ap", 'detection_delay(average="median")']
    found = aj.over_time(incidents, alerts, metrics, span=(0, 40), window=20)
    assert [row.events for row in found.rows] == [2, 2, 1, 1]
    assert values(found, metrics[1]) == [1.5, 1]
    labels = np.zeros(40, int)
    labels[18:23], labels[25:27], scores = 1, 1, np.arange(40) % 7
    found = aj.over_time(labels, scores, "ap", window=20, chance=False)
    assert values(found, "ap") == [aj.ap(labels[a:b], scores[a:b]) for a, b in ((0, 23), (23, 40))]


@pytest.mark.parametrize("null", ["nearby", "white"])
def test_other_null_models_judge_the_time_of_the_window(null):
    found = aj.over_time(LABELS, SCORES, "event_f1", at=0.9, window=168, null=null, shifts=30)
    plain = aj.over_time(LABELS, SCORES, "event_f1", at=0.9, window=168, shifts=30)
    for row, week, other in zip(found.rows, weeks(), plain.rows, strict=True):
        alone = aj.evaluate(LABELS[week], SCORES[week], "event_f1", at=0.9, null=null, shifts=30)
        assert (row.chance, row.p_value) == (alone.rows[0].chance, alone.rows[0].p_value)
        assert (row.value, row.low, row.high) == (other.value, other.low, other.high)
        assert row.chance != other.chance
    with pytest.raises(InputError, match="null must be 'shifted' or 'nearby' for incidents"):
        aj.over_time(aj.Incidents(STARTS, ENDS), aj.Alerts(PAGES), span=SPAN, window="1w",
                     null="white")  # fmt: skip


def world(drift, seed):
    """Five weeks of hours: a detector that finds most, and in the last week fewer."""
    rng = np.random.default_rng(seed)
    labels, flags = np.zeros((2, 24 * 35), int)
    for start in range(4, labels.size - 8, 12):
        labels[start : start + 4] = 1
        new = start >= 24 * 28
        flags[start + 1] = rng.random() < (0.8 / drift if new else 0.8)
    flags[rng.integers(0, labels.size, 20)] = 1
    return labels, flags, pd.date_range("2026-01-05", periods=labels.size, freq="h")


def test_the_gate_sees_a_drift_and_leaves_a_stable_detector():
    labels, flags, times = world(4, 1)
    worse = aj.over_time(labels, flags, ["event_recall", "f1_ba"], window="1w", time=times,
                         chance=False)  # fmt: skip
    said = worse.failures("4w")
    assert len(said) == 2
    assert "event_recall is 0." in said[0]
    assert "before: worse (p = 0.0" in said[0]
    labels, flags, times = world(1, 2)
    stable = aj.over_time(labels, flags, ["event_recall", "event_f1"], window="1w", time=times,
                          chance=False)  # fmt: skip
    assert stable.failures("1mo") == []
    assert all("not significantly (p = " in one.sentence or "not worse" in one.sentence
               for one in stable.changes("4w"))  # fmt: skip
    now = stable.changes("4w")[0].now
    assert now == values(stable, "event_recall")[-1]


def test_values_at_one_rate_of_events_stand_in_the_sentence():
    rng = np.random.default_rng(3)
    labels, flags = np.zeros((2, 24 * 35), int)
    for start in (*range(4, 24 * 28, 6), *range(24 * 28 + 4, 24 * 35, 48)):
        labels[start : start + 2], flags[start] = 1, rng.random() < 0.8
    flags[14 : 24 * 35 : 24] = 1
    times = pd.date_range("2026-01-05", periods=labels.size, freq="h")
    (one,) = aj.over_time(labels, flags, "event_precision", window="1w", time=times,
                          chance=False).changes("4w")  # fmt: skip
    assert one.now < one.before - 0.2
    now, before = one.at_one_rate
    assert abs(now - before) < 0.1
    assert f"at equal event rates {now:.4f} and {before:.4f}: " in one.sentence
    assert not one.worse


def test_the_gate_of_incidents():
    rng = np.random.default_rng(4)
    start = np.arange(30, 3500, 40)
    found = rng.random(start.size) < np.where(start >= 2800, 0.15, 0.9)
    incidents, alerts = aj.Incidents(start, start + 9), aj.Alerts(start[found] + 2)
    metrics = ["event_recall", "false_alarms(per=100)", "detection_delay", "f1_ba"]
    gate = aj.over_time(incidents, alerts, metrics, span=(0, 3500), window=700, chance=False)
    said = [one.sentence for one in gate.changes(2800)]
    assert gate.failures(2800) == [said[0], said[3]]
    assert "false_alarms(per=100) is 0.0000" in said[1]
    assert "f1_ba is 0.3000" in said[3]  # of rows that lie where they begin


def test_the_gate_of_false_alarms_a_week_and_a_window_inside_an_incident():
    days = pd.date_range("2026-01-05", periods=35)
    pages = [
        day + pd.Timedelta(hours=h) for day in days for h in range(1, 2 + 9 * (day >= days[28]))
    ]
    incidents = aj.Incidents(["2026-01-06 12:00"], ["2026-01-22 12:00"])
    found = aj.over_time(incidents, aj.Alerts(pages), 'false_alarms(per="1w")', window="1w",
                         span=("2026-01-05", "2026-02-09"), chance=False)  # fmt: skip
    assert [row.events for row in found.rows] == [1, 0, 0, 0, 0]
    assert [answer.alerts_right for answer in found.on_call] == [16, 0, 0, 0, 0]
    assert len(found.failures("4w")) == 1


def test_what_cannot_be_compared_is_said():
    labels, flags, times = world(1, 2)
    labels[24 * 28 :] = 0
    found = aj.over_time(labels, flags, ["event_recall", "hausdorff_distance", "f1"], window="1w",
                         time=times, chance=False)  # fmt: skip
    why = [one.why for one in found.changes("4w")]
    assert why[2] == "one side has no event"
    assert "f1 cannot be compared with the time before" in found.changes("4w")[2].sentence
    assert why[0] == "it is undefined now"
    assert why[1] == "it is not a sum over events and alarms"
    assert found.failures("4w") == []
    early = labels * 0
    early[24 * 29] = 1
    assert aj.over_time(early, flags, "event_recall", window="1w", time=times,
                        chance=False).changes("4w")[0].why == "it is undefined before"  # fmt: skip
    old = np.arange(labels.size) < 24 * 28
    assert aj.over_time(labels, flags, "f1", window="1w", time=times, where=~old,
                        chance=False).changes("4w")[0].why == "it is undefined before"  # fmt: skip
    for how, words in (
        ({"growing": True}, "disjoint windows"),
        ({"step": "7d"}, "disjoint windows"),
    ):
        with pytest.raises(InputError, match=words):
            aj.over_time(labels, flags, "f1", window="1w", time=times, chance=False,
                         **how).changes("4w")  # fmt: skip
    with pytest.raises(InputError, match=r"7 d.*, got '1d', of which 1 d"):
        found.changes("1d")
    points = aj.over_time(labels, flags, "f1", window=100, chance=False)
    with pytest.raises(InputError, match=r"100 points.*, got 50, of which 50 po"):
        points.changes(50)


WRONG = {
    "window must be a number of points without times, got '1w'": {"window": "1w"},
    "must be longer than": {"window": "0s", "time": HOURS},
    "window must be a duration such as": {"window": "1y", "time": HOURS},
    "window must be a whole number of steps": {"window": 10, "step": 3},
    "window must fit into the": {"window": "9w", "step": "1w", "time": HOURS},
    "step must be left out for growing windows": {"window": 9, "step": 3, "growing": True},
    "metrics must be named one by one over time": {"window": 9, "metrics": "all"},
    "growing must be": {"window": 9, "growing": "yes"},
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_windows_are_refused(words):
    with pytest.raises(InputError, match=words):
        aj.over_time(LABELS, SCORES, **{"metrics": "ap", **WRONG[words]})


def test_changes_are_refused_and_a_typing_error_is_told():
    with pytest.raises(InputError, match="points or incidents over time, got changes"):
        aj.over_time(aj.Changes([3], 20), aj.Changes([4], 20), "change_f1", window=5)
    with pytest.raises(InputError, match="one column per detector over time, got several runs"):
        aj.over_time(LABELS, {"a": [SCORES, SCORES]}, "ap", window=5)
    with pytest.raises(TypeError, match="Did you mean 'window'"):
        aj.over_time(LABELS, SCORES, windw=5)


def test_what_is_shown():
    found = aj.over_time(LABELS, {"a": SCORES, "b": SCORES > 0.9}, window="9d", time=HOURS)
    assert {row.metric for row in found.rows} == {"ap"}
    text = str(found)
    assert "a: ap, " in text
    assert "the whole window" in text
    assert "<table" in found._repr_html_()
    assert json.loads(found.to_json())["rows"][0]["detector"] == "a"
    assert list(found.to_frame()["detector"]) == ["a", "b"] * 4
    assert aj.over_time(LABELS, SCORES > 0.9, window=168, chance=False).rows[0].metric == "f1_ba"
    mpl.use("Agg")
    axes = found.plot()
    assert axes.get_ylabel() == "ap"
    grown = aj.over_time(LABELS, SCORES, "ap", window=168, growing=True, chance=False)
    assert grown.plot("ap").get_xlabel() == "up to"
    with pytest.raises(aj.UnknownName, match="f1"):
        found.plot("f1")


def test_windows_without_judged_points_are_left_out():
    found = aj.over_time(LABELS, SCORES, "ap", window=168, where=np.arange(672) >= 168,
                         chance=False)  # fmt: skip
    assert [row.start for row in found.rows] == ["168", "336", "504"]
    events = aj.Events.from_intervals([(10, 20), (200, 210)], n=672, severity=[1, 2])
    assert len(aj.over_time(events, SCORES, "ap", window=168, chance=False).rows) == 4


def test_the_page_of_all_time_has_the_windows(tmp_path):
    found = aj.over_time(LABELS, SCORES, "ap", window="1w", time=HOURS, shifts=None)
    assert "2026-01-19" in found.to_html(tmp_path / "page.html").read_text(encoding="utf-8")


class Counted(tuple):  # noqa: SLOT001 - it counts
    """Rows that count how often they are gone through."""

    looks = 0

    def __iter__(self):
        self.looks += 1
        return super().__iter__()


def test_a_table_is_printed_in_a_few_passes_over_its_rows():
    labels, flags = np.arange(240) % 4 == 1, np.arange(240) % 7 == 1
    found = aj.over_time(labels, flags, ["event_f1", "f1"], window=4, chance=False)
    counted = replace(found, rows=Counted(found.rows))
    assert str(counted) == str(found)
    assert 0 < counted.rows.looks < 10


def test_an_area_of_alerts_cannot_be_compared_over_time():
    incidents = aj.Incidents([100, 500], [150, 550])
    alerts = aj.Alerts([110, 300, 520], score=[3, 1, 2])
    found = aj.over_time(incidents, alerts, "alert_ap", span=(0, 800), window=200, chance=False)
    (change,) = found.changes(400)
    assert "sum over events and alarms" in change.why
