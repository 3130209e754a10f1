"""Calibrate: what is right comes out as right, and what is wrong shows up as such."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from adjudge.errors import InputError, UnknownName
from adjudge.lab.calibration import run
from adjudge.lab.calibration.result import Calibration, CalibrationRow, Count
from adjudge.stores.engines import Engine, Lost

FEW = {"versions": 20, "draws": 20}


def scattered(seed=0, points=1500, events=12, width=10):
    labels = np.zeros(points, int)
    for start in np.random.default_rng(seed).integers(0, points - width, events):
        labels[start : start + width] = 1
    return labels


LABELS = scattered()
BLIND = np.random.default_rng(1).random(LABELS.size) < 0.03
SEEING = np.random.default_rng(2).random(LABELS.size) < np.where(LABELS, 0.15, 0.01)


def daily(seed, day=48, days=30):
    """Events and alarms that have nothing in common but the hour."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(day * days, int)
    for start in rng.choice(days, 10, replace=False) * day + rng.integers(14, 18, 10):
        labels[start : start + 6] = 1
    hour = np.arange(labels.size) % day
    return labels, rng.random(labels.size) < np.where((hour >= 13) & (hour < 24), 0.08, 0.004)


def test_the_answer_is_one_sentence_with_standard_errors():
    row = CalibrationRow("mine", "f1_ba", Count(8, 200), {}, Count(186, 200), 0)
    assert row.sentence == (
        "on data like yours 4 % of blind detectors are called better than chance (5 % may be; "
        "standard error 1.5 %), and 93 % (1.9 %) of the intervals contain the true value "
        "(95 % should)"
    )
    some = replace(row, held=Count(90, 100), refused=100)
    assert some.sentence.endswith(
        "and 90 % (3.1 %) of the intervals contain the true value (95 % should); 100 of 200 draws "
        "have no interval"
    )
    none = replace(row, held=Count(0, 0), refused=200)
    assert none.sentence.endswith("standard error 1.5 %), and no interval is given")
    assert math.isnan(none.held.error)
    assert str(none.held) == "none"
    still = replace(row, better=Count(0, 0))
    assert still.sentence.startswith(
        "no blind version could be made of so few points, and 93 % (1.9 %) of the intervals"
    )


@pytest.mark.parametrize(("times", "of"), [(0, 50), (3, 50), (50, 50), (190, 200)])
def test_a_standard_error_is_that_of_a_share_and_never_nothing(times, of):
    share = (times + 1) / (of + 2)
    assert Count(times, of).error == pytest.approx((share * (1 - share) / of) ** 0.5)
    assert Count(times, of).error > 0


def test_blind_versions_of_a_blind_and_of_a_seeing_detector_are_seldom_called_better():
    for flags in (BLIND, SEEING):
        row = aj.calibrate(LABELS, flags, versions=80, draws=20)["detector"]
        assert row.better.share <= 0.07
        assert list(row.kinds) == ["shifted", "blocks", "nearby"]
        assert sum(count.of for count in row.kinds.values()) == row.better.of == 80
        assert sum(count.times for count in row.kinds.values()) == row.better.times
        assert not [said for said in row.warnings if "called better" in said]


def test_a_verdict_that_asks_too_little_shows_up(monkeypatch):
    above = lambda rows: rows[0].value > rows[0].chance  # noqa: E731
    monkeypatch.setattr(run, "is_better_than_chance", above)
    found = aj.calibrate(LABELS, BLIND, versions=40, draws=20)
    assert found["detector"].better.share > 0.25
    assert any("are called better, where 5 % may be" in said for said in found.rows[0].warnings)


def test_a_shared_rhythm_shows_up_where_the_period_is_known():
    labels, flags = daily(0)
    found = aj.calibrate(labels, flags, period=48, versions=100, draws=20)
    rhythm = found["detector"].kinds["whole periods"]
    assert rhythm.share > 0.1
    assert rhythm.share > found["detector"].kinds["shifted"].share
    assert "whole periods" not in aj.calibrate(labels, flags, **FEW)["detector"].kinds


def test_the_seasonal_null_keeps_the_rhythm_from_being_called_better():
    labels, flags = daily(0)
    plain, seasonal = (
        aj.calibrate(labels, flags, period=48, null=null, versions=100, draws=20)["detector"]
        for null in ("shifted", "seasonal")
    )
    assert plain.kinds["whole periods"].times > 2 * seasonal.kinds["whole periods"].times
    with pytest.raises(InputError, match="'seasonal' needs period="):
        aj.calibrate(labels, flags, null="seasonal", **FEW)


def test_an_interval_that_is_too_narrow_shows_up(monkeypatch):
    honest = aj.calibrate(LABELS, SEEING, versions=20, draws=60)["detector"]
    assert honest.held.share > 0.85

    def narrow(*args, **how):
        found = aj.evaluate(*args, **how)
        rows = [replace(r, low=r.value - 0.01, high=r.value + 0.01) for r in found.rows]
        return replace(found, rows=tuple(rows))

    monkeypatch.setattr(run, "evaluate", narrow)
    row = aj.calibrate(LABELS, SEEING, versions=20, draws=60)["detector"]
    assert row.held.share < 0.5
    assert row.warnings[-1].startswith("intervals are too narrow: 95 % should contain the")


def test_draws_without_an_interval_are_counted_by_themselves(monkeypatch):
    def refusing(*args, **how):
        found = aj.evaluate(*args, **how)
        return replace(found, rows=tuple(replace(r, low=math.nan) for r in found.rows))

    monkeypatch.setattr(run, "evaluate", refusing)
    row = aj.calibrate(LABELS, SEEING, **FEW)["detector"]
    assert (row.held.of, row.refused) == (0, 20)
    assert math.isnan(row.held.share)
    assert not [said for said in row.warnings if "narrow" in said]


def test_the_same_seed_gives_the_same_and_so_do_several_processes():
    once, again = (aj.calibrate(LABELS, SEEING, **FEW) for _ in range(2))
    assert once == again
    assert aj.calibrate(LABELS, SEEING, jobs=2, **FEW) == once
    assert aj.calibrate(LABELS, SEEING, seed=1, **FEW) != once


def test_a_worker_that_is_lost_is_told(monkeypatch):
    monkeypatch.setattr(Engine, "do", lambda *given: ((task, Lost(3)) for task in given[2]))
    with pytest.raises(InputError, match="until the work is done"):
        aj.calibrate(LABELS, SEEING, jobs=2, **FEW)


def test_progress_counts_versions_and_draws():
    told = []
    aj.calibrate(LABELS, SEEING, progress=lambda *now: told.append(now), **FEW)
    assert told == [(done, 40) for done in range(1, 41)]


def test_several_detectors_are_one_call():
    found = aj.calibrate(LABELS, {"a": BLIND, "b": SEEING}, **FEW)
    assert found.detectors == ["a", "b"]
    assert len(found) == 2
    assert found.family.of == 20
    assert found.family.times >= max(row.better.times for row in found)
    assert found.sentences[-1].startswith("of 2 blind detectors in one call, one or more is called")
    assert "a: on data like yours" in str(found)
    with pytest.raises(UnknownName, match="unknown detector 'c'"):
        found["c"]


def test_real_scores_are_calibrated_at_their_best_threshold_unless_one_is_given():
    scores = np.random.default_rng(3).normal(size=LABELS.size) + 1.5 * LABELS
    assert aj.calibrate(LABELS, scores, **FEW).rows[0].metric.startswith("best(f1_ba(width=")
    given = aj.calibrate(LABELS, scores, at=aj.quantile(0.97), **FEW)
    assert given.rows[0].metric.startswith("f1_ba(width=")
    area = aj.calibrate(LABELS, scores, "ap", **FEW)["detector"]
    assert area.metric == "ap"
    assert area.held.of == 20
    with pytest.raises(InputError, match="at=<threshold>"):
        aj.calibrate(LABELS, scores, "f1", **FEW)


def test_the_truth_of_a_best_threshold_is_what_it_scores_on_the_data():
    scores = np.random.default_rng(3).normal(size=LABELS.size) + 1.5 * LABELS
    asked = run.Asked(None, None, "shifted", None, "auto", None, None, 0)
    question = run.question_of(aj.Points(LABELS, scores), asked)
    truth = question.drawn.true_value(question, "detector", 1.25)
    assert truth == aj.f1_ba(LABELS, scores, at=1.25)


def test_several_series_are_drawn_whole_and_change_their_scores():
    series = np.arange(LABELS.size) // 300
    row = aj.calibrate(LABELS, SEEING, series=series, versions=20, draws=20)["detector"]
    assert {name: count.of for name, count in row.kinds.items()} == dict.fromkeys(
        ["shifted", "blocks", "nearby", "other series", "shifted together"], 4
    )


def test_what_the_interval_rests_on_is_drawn(monkeypatch):
    series, days = np.arange(LABELS.size) // 300, np.arange(LABELS.size) // 100
    asked = []

    def watched(*args, **how):
        if how.get("shifts") == 1:
            asked.append((how["unit"], args[0].series_count, how["group"] is not None))
        return aj.evaluate(*args, **how)

    monkeypatch.setattr(run, "evaluate", watched)
    aj.calibrate(LABELS, SEEING, series=series, **FEW)
    assert set(asked) == {("series", 5, False)}
    asked.clear()
    aj.calibrate(LABELS, SEEING, series=series, unit="event", **FEW)
    assert {one[0] for one in asked} == {"event"}
    asked.clear()
    aj.calibrate(LABELS, SEEING, group=days, **FEW)
    assert set(asked) == {("dataset", 1, True)}
    asked.clear()
    aj.calibrate(LABELS, SEEING, **FEW)
    assert set(asked) == {("event", 1, False)}
    with pytest.raises(InputError, match="needs group="):
        aj.calibrate(LABELS, SEEING, unit="dataset", **FEW)


def test_points_that_one_detector_lacks_are_judged_by_none():
    one, other = SEEING.astype(float), BLIND.astype(float)
    one[100:120] = other[500:520] = np.nan
    found = aj.calibrate(LABELS, {"a": one, "b": other}, missing="skip", **FEW)
    both = ~np.isnan(one + other)
    again = aj.calibrate(LABELS, {"a": SEEING, "b": BLIND}, where=both, **FEW)
    assert found == again


def test_a_day_is_known_from_even_times():
    labels, flags = daily(1)
    half_hours = pd.date_range("2026-01-01", periods=labels.size, freq="30min")
    row = aj.calibrate(labels, flags, time=half_hours, **FEW)["detector"]
    assert "whole periods" in row.kinds
    same = aj.calibrate(labels, flags, time=half_hours, period="1d", **FEW)["detector"]
    assert same == row
    days = pd.date_range("2020-01-01", periods=labels.size, freq="1D")
    assert "whole periods" not in aj.calibrate(labels, flags, time=days, **FEW)["detector"].kinds
    uneven = half_hours.delete(3).append(half_hours[-1:] + pd.Timedelta("2h"))
    assert "whole periods" not in aj.calibrate(labels, flags, time=uneven, **FEW)["detector"].kinds
    with pytest.raises(InputError, match="period must be a number of points where no time"):
        aj.calibrate(labels, flags, time=uneven, period="1d", **FEW)


def test_versions_that_are_not_blind_are_left_out(monkeypatch):
    monkeypatch.setattr(run, "blind_moves", lambda *_: None)
    row = aj.calibrate(LABELS, SEEING, **FEW)["detector"]
    assert row.better.of == 0
    assert row.sentence.startswith("no blind version could be made")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"versions": 19}, "versions must be a whole number, at least 20, got 19"),
        ({"draws": 1.5}, "draws must be a whole number, at least 20, got 1.5"),
        ({"seed": -1}, "seed must be a whole number, at least 0, got -1"),
        ({"jobs": 0}, "jobs must be a whole number, at least 1, got 0"),
        ({"period": 1}, "period must be a whole number, at least 2, got 1"),
        ({"progress": 3}, "progress must be"),
        ({"null": "none"}, "null must be one of"),
    ],
)
def test_wrong_settings_are_refused(wrong, said):
    with pytest.raises((InputError, UnknownName), match=said):
        aj.calibrate(LABELS, SEEING, **wrong)


NIGHT = ["2026-01-01 03:00", "2026-01-02 03:00"], ["2026-01-01 04:00", "2026-01-02 04:00"]
WEEK = ("2026-01-01", "2026-01-08")


def test_incidents_on_a_grid_are_points():
    given = aj.OnCall(aj.Incidents(*NIGHT), aj.Alerts(*NIGHT), span=WEEK, every="10min")
    row = aj.calibrate(given, **FEW)["alerts"]
    events = aj.Events.from_times(zip(*NIGHT, strict=True), span=WEEK, every="10min")
    assert row.held.of + row.refused == 20
    same = aj.calibrate(events, {"alerts": events.labels}, **FEW)["alerts"]
    assert same.kinds == row.kinds


def test_incidents_and_alerts_are_calibrated_in_time():
    given = aj.OnCall(aj.Incidents(*NIGHT), aj.Alerts(*NIGHT), span=WEEK)
    row = aj.calibrate(given, "event_f1", versions=20)["alerts"]
    assert (row.metric, row.better.of, row.held.of, row.refused) == ("event_f1", 20, 0, 0)
    assert list(row.kinds) == ["shifted", "blocks", "nearby", "whole periods"]  # days are known
    assert row.sentence.endswith("and no interval was tested")
    assert aj.calibrate(given, versions=20).rows[0].metric == 'f1_ba(width="1h", islands="normal")'
    for wrong in ({"draws": 20}, {"unit": "event"}):
        with pytest.raises(InputError, match=r"drawn again on a grid alone; say every="):
            aj.calibrate(given, **wrong)
    with pytest.raises(InputError, match="every must be given for f1"):
        aj.calibrate(given, "f1", versions=20)
    none = aj.OnCall(aj.Incidents([]), aj.Alerts([3]), span=(0, 9))
    with pytest.raises(InputError, match="incidents must hold at least one that was watched"):
        aj.calibrate(none)
    points = aj.OnCall(aj.Incidents([10, 60], [15, 70]), aj.Alerts([30], [34]), span=(0, 200))
    assert "whole periods" not in aj.calibrate(points, versions=20).rows[0].kinds
    assert "whole periods" in aj.calibrate(points, versions=20, period=20).rows[0].kinds


def test_alerts_with_scores_are_calibrated_at_their_best_threshold_unless_one_is_given():
    rng = np.random.default_rng(0)
    start = np.sort(rng.choice(2000, 30, replace=False))
    alerts = aj.Alerts(start, start + 5, score=rng.random(30))
    given = aj.OnCall(aj.Incidents(start[::6] + 2, start[::6] + 30), alerts, span=(0, 2100))
    best = aj.calibrate(given, versions=20).rows[0]
    assert best.metric.startswith("best(f1_ba(width=")
    assert best.better.of == 20
    assert aj.calibrate(given, at=0.5, versions=20).rows[0].metric.startswith("f1_ba(width=")


def stationary(rng, gap, length, last):
    """Intervals that come at random, the last one perhaps open."""
    rows, at = [], 0
    while (at := at + 1 + int(rng.exponential(gap))) < last:
        end = at + 1 + int(rng.exponential(length))
        rows.append((at, end if end < last else None))
        at = end
    return zip(*rows, strict=True)


def test_blind_alerts_are_seldom_called_better():
    rng, called = np.random.default_rng(5), Count(0, 0)
    for _ in range(5):
        truth = aj.Incidents(*stationary(rng, 2500, 400, 40_000))
        alerts = aj.Alerts(*stationary(rng, 3500, 700, 40_000))
        row = aj.calibrate(aj.OnCall(truth, alerts, span=(0, 40_000)), "event_f1", versions=40)
        better = row.rows[0].better
        called = Count(called.times + better.times, called.of + better.of)
    assert called.of == 200
    assert called.share <= 0.05 + 2 * called.error


def test_alerts_that_are_called_better_for_nothing_show_up(monkeypatch):
    monkeypatch.setattr(run, "is_better_than_chance", lambda rows: rows[0].value > rows[0].chance)
    rng = np.random.default_rng(5)
    truth = aj.Incidents(*stationary(rng, 2500, 400, 40_000))
    alerts = aj.Alerts(*stationary(rng, 3500, 700, 40_000))
    found = aj.calibrate(aj.OnCall(truth, alerts, span=(0, 40_000)), "event_f1", versions=40)
    assert found.rows[0].better.share > 0.2


def test_labels_without_events_are_refused():
    with pytest.raises(InputError, match="labels must hold at least one event to calibrate on"):
        aj.calibrate(0 * LABELS, SEEING)


def test_the_result_is_numbers_a_frame_json_and_a_table():
    found = aj.calibrate(LABELS, {"a": BLIND, "b": SEEING}, **FEW)
    assert isinstance(found, Calibration)
    plain = found.to_dict()
    assert [row["detector"] for row in plain["rows"]] == ["a", "b"]
    assert plain["rows"][0]["kinds"]["shifted"] == {"times": 0, "of": 7}
    assert json.loads(found.to_json())["sentences"] == found.sentences
    frame = found.to_frame()
    assert frame["versions"].tolist() == [20, 20]
    assert frame["coverage"].tolist() == [row.held.share for row in found]
    assert "moved elsewhere in time, all together" in str(found)
    assert "<table" in found._repr_html_()
    assert repr(found) == str(found)


@pytest.mark.long
def test_stationary_detectors_are_called_better_in_two_to_seven_of_a_hundred():
    called = Count(0, 0)
    for seed in range(8):
        rng = np.random.default_rng([9, seed])
        flags = rng.random(1500) < 0.03
        better = aj.calibrate(scattered(seed), flags, draws=20)["detector"].better
        called = Count(called.times + better.times, called.of + better.of)
    assert 0.02 <= called.share <= 0.07


@pytest.mark.long
def test_a_daily_rhythm_is_called_better_in_more_than_ten_of_a_hundred():
    called = Count(0, 0)
    for seed in range(6):
        labels, flags = daily(seed)
        found = aj.calibrate(labels, flags, period=48, draws=20)["detector"]
        better = found.kinds["whole periods"]
        called = Count(called.times + better.times, called.of + better.of)
    assert called.share - 2 * called.error > 0.05


def test_neighbours_that_fare_alike_are_named_since_drawn_events_do_not():
    labels = np.zeros((30, 60), int)
    labels[:, 40:50] = 1
    flags = np.zeros_like(labels)
    flags[np.repeat([True, False, True], 10), 45] = 1
    (row,) = aj.calibrate(labels.ravel(), flags.ravel(), versions=20, draws=20).rows
    assert row.alike == "found or missed together"
    assert row.warnings[-1].startswith(
        "in your data neighbouring events are found or missed together, which drawn events are not"
    )
    flags[:] = 0
    flags[np.arange(30) % 3 > 0, 45] = 1
    (row,) = aj.calibrate(labels.ravel(), flags.ravel(), versions=20, draws=20).rows
    assert row.alike == ""
    assert not any("neighbouring" in said for said in row.warnings)


def test_a_policy_acts_on_alerts_once_before_they_are_moved(monkeypatch):
    start = np.arange(10, 2000, 50)
    alerts = aj.Alerts(start, start + np.where(np.arange(start.size) % 2, 3, 9))
    given = aj.OnCall(aj.Incidents(start[::6] + 2, start[::6] + 30), alerts, span=(0, 2100))
    asked = []

    def answer(question, _):
        asked.append(question)
        return [0.0] * len(question.cases)

    monkeypatch.setattr(run.CalibrationQuestion, "answer", answer)
    monkeypatch.setattr(run, "_summed_up", lambda *_: None)
    aj.calibrate(given, metric="event_f1", at="policy(after=4)", versions=20)
    (case,) = asked[0].data.cases
    assert (case.alerts.end - case.alerts.start).tolist() == [5] * 20
    assert (case.policy, asked[0].at) == ("", {"alerts": None})
    assert asked[0].cases[0].alerts.start.tolist() == case.alerts.start.tolist()
    aj.calibrate(given, metric="event_f1", versions=20)
    assert len(asked[-1].data.cases[0].alerts) == 40
