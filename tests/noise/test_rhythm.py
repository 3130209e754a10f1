"""Alarms and events that share a rhythm: shifts by whole periods, and a warning with a number."""

import itertools

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.errors import InputError
from adjudge.judging.words.verdict import verdict
from adjudge.noise.blind_detectors import shared_rhythm
from adjudge.noise.null_models import SeasonalNull, words_of
from adjudge.noise.shifting.rotation import whole_periods
from adjudge.noise.shifting.shifted_case import CaseShifts

DAYS = 60
HOURS = np.arange(24 * DAYS)
TIME = np.datetime64("2026-01-05") + HOURS * np.timedelta64(1, "h")


def by_day(seed, days=DAYS):
    """Events and alarms that come in the same hours of the day, and know nothing else."""
    rng, hours = np.random.default_rng(seed), np.arange(24 * days)
    labels = np.zeros(24 * days, int)
    for day in rng.choice(days, 15, replace=False):
        start = day * 24 + rng.integers(8, 14)
        labels[start : start + 3] = 1
    busy = (hours % 24 >= 7) & (hours % 24 < 16)
    return labels, (busy & (rng.random(24 * days) < 0.12)).astype(int)


def naive_seasonal(metric, case, period, count, first):
    """The values when the scores of whole periods are turned by whole ones, each judged anew."""
    end = first + count * period
    bounds = np.unique([0, first, end, case.events.n])
    turning = np.flatnonzero(bounds[:-1] == first)[0]
    values = []
    for turn in range(1, count):
        by = np.zeros(bounds.size - 1, int)
        by[turning] = turn * period
        values.append(metric.reading(case.turned(by, bounds)).value)
    return values


@pytest.mark.parametrize("spec", ["f1", "best(f1_pa)", "ap", "event_f1"])
def test_shifts_by_whole_periods_equal_judging_each_anew(spec):
    labels, flags = by_day(0)
    case = aj.Case(labels, flags if spec in {"f1", "event_f1"} else flags + 0.5 * np.sin(HOURS))
    metric = aj.metric(spec).on(case.events)
    null = SeasonalNull(24).values(metric, CaseShifts(case), None, 0)
    assert null.exact
    assert null.values == pytest.approx(naive_seasonal(metric, case, 24, DAYS, 0))


def test_what_is_no_whole_period_stays_and_no_event_is_cut():
    labels = np.zeros(100, int)
    labels[[0, 1, 40, 89, 90, 91]] = 1
    events = aj.Events.from_labels(labels)
    bounds, steps = whole_periods(events, 30)
    assert (bounds.tolist(), steps.tolist()) == ([0, 2, 92, 100], [0, 30, 0])
    case = aj.Case(labels, HOURS[:100] % 7 == 0)
    null = SeasonalNull(30).values(aj.f1, CaseShifts(case), None, 0)
    assert null.values == pytest.approx(naive_seasonal(aj.f1, case, 30, 3, 2))


def test_where_every_place_cuts_an_event_fewer_periods_turn():
    labels = np.zeros(40, int)
    labels[8:12] = labels[28:32] = 1
    bounds, steps = whole_periods(aj.Events.from_labels(labels), 10)
    assert (bounds.tolist(), steps.tolist()) == ([0, 40], [10])
    labels[:] = [*[1] * 5, 0] * 6 + [1] * 4
    bounds, steps = whole_periods(aj.Events.from_labels(labels), 17)
    assert all(not labels[b - 1] or not labels[b] for b in bounds[1:-1])


def test_where_every_place_cuts_an_event_nothing_turns():
    events = aj.Events.from_intervals([(0, 2), (19, 21)], n=21)
    bounds, steps = whole_periods(events, 10)
    assert (bounds.tolist(), steps.tolist()) == ([0, 21], [0])
    events = aj.Events.from_intervals([(0, 2), (29, 31)], n=31)
    bounds, steps = whole_periods(events, 10)
    assert (bounds.tolist(), steps.tolist()) == ([0, 20, 31], [10, 0])


def test_each_series_has_its_own_periods_and_a_short_one_stays():
    labels = np.zeros(75, int)
    labels[[5, 35, 65]] = 1
    events = aj.Case(labels, labels, series=np.repeat(list("abc"), [30, 30, 15])).events
    bounds, steps = whole_periods(events, 10)
    assert (bounds.tolist(), steps.tolist()) == ([0, 30, 60, 75], [10, 10, 0])
    null = SeasonalNull(10).values(aj.f1, CaseShifts(aj.Case(events, labels)), None, 0)
    assert null.size == 9
    every = itertools.product((0, 10, 20), (0, 10, 20))
    case = aj.Case(events, labels)
    values = [aj.f1.reading(case.turned([a, b, 0], bounds)).value for a, b in every]
    assert sorted(null.values) == pytest.approx(sorted(values[1:]))


@pytest.mark.long
def test_blind_alarms_with_the_rhythm_of_the_events_pass_all_shifts_but_not_whole_days():
    small = {"shifted": 0, "seasonal": 0}
    for seed in range(40):
        labels, flags = by_day(seed)
        for null in small:
            period = 24 if null == "seasonal" else None
            (row,) = aj.evaluate(labels, flags, "f1_ba", null=null, period=period).rows
            small[null] += row.p_adjusted <= 0.05 and row.decided
    assert small["shifted"] >= 6
    assert small["seasonal"] <= 5


def called_better():
    """A blind detector that all shifts call better than chance."""
    for seed in range(40):
        labels, flags = by_day(seed)
        (row,) = aj.evaluate(labels, flags, "f1_ba", time=TIME).rows
        if row.p_adjusted <= 0.05 and row.decided:
            break
    return labels, flags, row


def test_the_verdict_names_the_rhythm_with_a_number():
    labels, flags, row = called_better()
    assert "of its false alarms come at the time of the day at which" in row.shared_rhythm
    said = verdict([row])
    assert f' But {row.shared_rhythm}: test against null="seasonal"' in said
    (without,) = aj.evaluate(labels, flags, "f1_ba").rows  # no clock: it is found in the events
    assert "of a period of 24 points at which" in without.shared_rhythm
    (best,) = aj.evaluate(labels, flags + 0.5 * np.sin(HOURS), "best(f1_ba)", time=TIME).rows
    assert "of its false alarms" in best.shared_rhythm
    (area,) = aj.evaluate(labels, flags + 0.001 * np.sin(HOURS), "ap", time=TIME).rows
    assert area.p_value > 0.05 or "of its false alarms" in area.shared_rhythm


def test_a_week_is_a_period_too():
    hours = np.arange(24 * 7 * 12)
    labels = (hours % 168 > 40) & (hours % 168 < 45)
    flags = (hours % 168 > 20) & (hours % 168 < 70) & (hours * 7 % 11 < 2)
    time = np.datetime64("2026-01-05") + hours * np.timedelta64(1, "h")
    events = aj.Case(labels, flags, time=time).events
    assert "at the time of the week at which the events come" in shared_rhythm(events, flags)


def test_alarms_and_events_in_one_part_of_the_series_are_named():
    rng, labels = np.random.default_rng(0), np.zeros(3000, int)
    for start in range(2050, 2950, 80):
        labels[start + rng.integers(30) :][:12] = 1
    late = (np.arange(3000) > 2000) & (rng.random(3000) < 0.04)
    said = shared_rhythm(aj.Events.from_labels(labels), late)
    assert "part of the" in said
    row = aj.evaluate(labels, (labels > 0) & (rng.random(3000) < 0.3), "f1_ba").rows[0]
    assert row.shared_rhythm == ""
    assert "But" not in verdict([row])
    (warned,) = aj.evaluate(labels, (late | (labels > 0)).astype(int), "f1_ba").rows
    assert "coincidence within that tenth is not skill" in verdict([warned])


def test_a_day_or_two_are_no_rhythm():
    labels, flags = by_day(0)
    short = aj.Case(labels[:60], flags[:60], time=TIME[:60])
    assert "time of the day" not in shared_rhythm(short.events, flags[:60] > 0)


def test_who_shares_nothing_is_not_warned_of():
    rng = np.random.default_rng(3)
    labels, _ = by_day(1)
    events = aj.Case(labels, labels, time=TIME).events
    warned = [shared_rhythm(events, rng.random(labels.size) < 0.05) for _ in range(60)]
    assert sum(map(bool, warned)) <= 4
    assert shared_rhythm(events, labels > 0) == ""  # no false alarm
    few = aj.Events.from_intervals([(3, 5), (60, 61)], n=100)
    assert shared_rhythm(few, np.arange(100) % 3 == 0) == ""
    series = aj.Case(labels, labels, series=HOURS // 720).events
    assert shared_rhythm(series, rng.random(labels.size) < 0.05) == ""
    short = aj.Events.from_intervals([(i, i + 1) for i in range(0, 20, 4)], n=20)
    assert shared_rhythm(short, np.arange(20) % 5 == 1) == ""


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"null": "seasonal"}, "null 'seasonal' needs period="),
        ({"period": 24}, "period goes with null='seasonal', got period=24"),
        ({"null": "nearby", "period": 24}, "period goes with null='seasonal'"),
        ({"null": "seasonal", "period": 1}, "period must be a whole number, at least 2, got 1"),
        (
            {"null": "seasonal", "period": "1d"},
            "period must be a number of points",
        ),
        (
            {"null": "seasonal", "period": "7min", "time": TIME},
            "period must be a whole number of steps",
        ),
        ({"null": "seasonal", "period": 24, "where": HOURS > 5}, "needs every point judged"),
    ],
)
def test_what_makes_no_period_is_refused(how, message):
    labels, flags = by_day(0)
    with pytest.raises(InputError, match=message):
        aj.evaluate(labels, flags, "f1_ba", **how)


def test_a_duration_is_that_many_points():
    labels, flags = by_day(0)
    timed = aj.evaluate(labels, flags, "f1_ba", null="seasonal", period="1d", time=TIME)
    points = aj.evaluate(labels, flags, "f1_ba", null="seasonal", period=24)
    assert timed.rows[0].p_value == points.rows[0].p_value
    assert timed.rows[0].null == "the same alarms, shifted by whole periods (1d)"
    assert words_of(timed.rows[0].null) == "the same alarms shifted by whole periods"
    assert "the same alarms shifted by whole periods score" in timed.verdicts["detector"]


def test_many_detectors_at_few_periods_are_tested_together():
    labels, _ = by_day(0)
    detectors = {f"d{i}": labels + np.random.default_rng(i).random(labels.size) for i in range(8)}
    found = aj.evaluate(labels, detectors, "best(f1_ba)", null="seasonal", period=24)
    assert all("is better than chance" in said for said in found.verdicts.values())


@pytest.mark.parametrize("period", ["24", "1d"])
def test_the_command_line_takes_a_period(period, tmp_path):
    labels, flags = by_day(0)
    rows = (f"{t},{a},{b}" for t, a, b in zip(TIME, labels, flags, strict=True))
    (tmp_path / "a.csv").write_text("\n".join(["time,label,score", *rows, ""]))
    given = ["evaluate", f"{tmp_path}/a.csv", "--time", "time", "--null", "seasonal"]
    found = CliRunner().invoke(main, [*given, "--period", period])
    assert found.exit_code == 0, found.output
    assert "shifted by whole periods" in " ".join(found.stdout.split())
    refused = CliRunner().invoke(main, given)
    assert refused.exit_code == 2
    assert "null 'seasonal' needs period=" in " ".join(refused.stderr.split())


def test_a_comparison_takes_a_period():
    labels, flags = by_day(0)
    found = aj.compare(labels, flags, np.roll(flags, 1), "f1_ba", null="seasonal", period=24)
    rows = aj.evaluate(labels, flags, "f1_ba", null="seasonal", period=24).rows
    assert found.chance[0] == rows[0].chance
    with pytest.raises(InputError, match="period goes with null='seasonal'"):
        aj.compare(labels, flags, np.roll(flags, 1), "f1_ba", period=24)


def test_who_keeps_the_time_of_regular_events_is_warned_of_without_a_false_alarm():
    """A clock that hits all events looks like skill: no shift but by whole periods is as good."""
    starts = np.arange(20, 1960, 97) + np.tile([0, 3, -2, 1], 5)
    labels, clock = np.zeros((2, 2000), int)
    for start in starts:
        labels[start : start + 10] = 1
    clock[np.arange(25, 1960, 97)] = 1
    events = aj.Case(labels, clock).events
    said = shared_rhythm(events, clock > 0)
    assert said.startswith("the events come about every ")
    assert "100 % of its alarms come at these times" in said
    (row,) = aj.evaluate(labels, clock, "f1_ba").rows
    assert 'null="seasonal"' in verdict([row])
    some = labels * np.repeat(np.arange(20) % 3 == 0, 100)  # found on the days that had one alone
    assert shared_rhythm(aj.Case(some, some).events, some > 0) == ""


def test_alarms_in_the_part_of_few_events_are_warned_of():
    rng, at = np.random.default_rng(0), np.arange(2000)
    events = aj.Events.from_intervals([(900, 910), (930, 940), (960, 970)], n=2000)
    flags = rng.random(2000) < np.where((at > 880) & (at < 990), 0.15, 0.004)
    assert "part of the" in shared_rhythm(events, flags)
    two = aj.Events.from_intervals([(900, 910), (930, 940)], n=2000)
    assert shared_rhythm(two, flags) == ""
