"""Durations as settings: the same values as points where steps are even, and time where not."""

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge as aj
from adjudge.data.time_settings import even_step

STEP = 5  # minutes
TIMES = np.datetime64("2026-01-01T00:00", "m") + STEP * np.arange(60)
LABELS = np.repeat([0, 1, 0, 1, 0], [12, 8, 20, 5, 15])
SCORES = np.random.default_rng(0).random(60).round(2) + 0.3 * LABELS
FLAGS = (SCORES > 0.9).astype(int)
SETTINGS = [
    (name, setting, kind)
    for name, row in aj.catalogue.items()
    for setting, kind in row.lengths.items()
]


def scores_for(metric):
    return SCORES if metric.row.needs == "scores" else FLAGS


def test_the_settings_that_are_lengths():
    assert {setting for _, setting, _ in SETTINGS} == {
        "tolerance", "k", "collar", "before", "after", "merge", "split", "window", "delta",
        "linger", "tire", "near", "early", "delay", "per", "reach", "distance", "margin",
        "max_lead", "min_lead", "cooldown", "best", "late", "width", "sigma", "within",
    }  # fmt: skip
    for name, row in aj.catalogue.items():
        assert set(row.lengths) <= set(row.parameters), name


@pytest.mark.parametrize(("name", "setting", "kind"), SETTINGS)
def test_where_steps_are_even_the_value_is_that_of_points(name, setting, kind):
    metric = aj.catalogue[name].metric
    labels = LABELS if name != "ucr" else LABELS * (np.arange(60) < 30)
    many = 8 if (name, setting) == ("early_utility", "early") else 4  # which is more than best
    points = metric(**{setting: many})
    timed = metric(**{setting: f"{many * STEP}min"})
    assert str(timed) == f'{name}({setting}="{many * STEP}min")'
    assert aj.metric(str(timed)) == timed
    value = timed(labels, scores_for(metric), time=TIMES)
    np.testing.assert_equal(value, points(labels, scores_for(metric)))
    if kind.rounding in {"down", "up"}:  # 18 minutes: three whole steps, or four begun
        fewer = metric(**{setting: 3 if kind.rounding == "down" else 4})
        timed = metric(**{setting: "18min"})
        value = timed(labels, scores_for(metric), time=TIMES)
        np.testing.assert_equal(value, fewer(labels, scores_for(metric)))


@pytest.mark.parametrize("value", ["1200s", "0.333333333333h0.0000000012s", timedelta(minutes=20)])
def test_one_duration_has_one_spelling(value):
    if isinstance(value, str) and value.startswith("0"):
        assert aj.tolerant_f1(tolerance=value).settings == (("tolerance", "20min"),)
    assert aj.tolerant_f1(tolerance=value) == aj.tolerant_f1(tolerance=np.timedelta64(20, "m"))


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ('tolerant_f1(tolerance="soon")', r"tolerance must be a duration such as .*, got 'soon'"),
        ('oipr_f1(linger="long")', r"linger must be a duration .* or 'auto', got 'long'"),
        ("tolerant_f1(tolerance=-1)", "at least 0, got -1; a duration such as '10min' also works"),
        ("tolerant_f1(tolerance=1.5)", "got 1.5; a duration such as"),
        ('f1_dilated(width="10min")', "width must be a whole number"),
        ('false_alarm_rate(per="daily")', "per must be a duration"),
        ("false_alarm_rate(per=0)", "per must be a positive number"),
        ("vus_pr(window=5000)", "window must be at most 4,096"),
    ],
)
def test_what_is_no_length_is_refused(spec, says):
    with pytest.raises(aj.InputError, match=says):
        aj.metric(spec)


def test_without_a_time_a_duration_is_refused():
    says = r"tolerance must be a number of points"
    for call in (
        lambda: aj.tolerant_f1(LABELS, FLAGS, tolerance="10min"),
        lambda: aj.evaluate(LABELS, FLAGS, 'tolerant_f1(tolerance="10min")'),
        lambda: aj.explain(LABELS, FLAGS, 'tolerant_f1(tolerance="10min")'),
        lambda: aj.compare(LABELS, FLAGS, FLAGS, 'tolerant_f1(tolerance="10min")'),
        lambda: aj.chance(LABELS, 'tolerant_f1(tolerance="10min")', rate=0.1),
        lambda: aj.curve(LABELS, SCORES, 'tolerant_f1(tolerance="10min")'),
    ):
        with pytest.raises(aj.InputError, match=says):
            call()


def test_a_window_needs_whole_and_even_steps():
    with pytest.raises(aj.InputError, match="window must be a whole number of steps, which are 5 "):
        aj.vus_pr(LABELS, SCORES, window="12min", time=TIMES)
    late = TIMES.copy()
    late[30:] += np.timedelta64(4, "m")
    says = r"not evenly spaced, got '10min' \(steps from 5 min to 9 min\); resample, or"
    with pytest.raises(aj.InputError, match=says):
        aj.vus_pr(LABELS, SCORES, window="10min", time=late)
    with pytest.raises(aj.InputError, match="in series of one point"):
        aj.vus_pr([1, 0], [1, 0], window="10min", time=TIMES[:2], series=[0, 1])


def test_every_verb_takes_the_time():
    spec, points = 'tolerant_f1(tolerance="10min")', "tolerant_f1(tolerance=2)"
    judged = aj.evaluate(LABELS, FLAGS, [spec, f"best({spec})"], time=TIMES)
    plain = aj.evaluate(LABELS, FLAGS, [points, f"best({points})"])
    assert [row.metric for row in judged.rows] == [spec, f"best({spec})"]
    for one, other in zip(judged.rows, plain.rows, strict=True):
        for name in ("value", "chance", "low", "high", "p_value", "always_on"):
            np.testing.assert_equal(getattr(one, name), getattr(other, name), name)
    receipt = aj.explain(LABELS, FLAGS, spec, time=TIMES)
    assert (receipt.metric, receipt.value) == (spec, aj.metric(points)(LABELS, FLAGS))
    other = np.roll(FLAGS, 3)
    found, known = (
        aj.compare(LABELS, FLAGS, other, spec, time=TIMES, draws=50),
        aj.compare(LABELS, FLAGS, other, points, draws=50),
    )
    assert replace(found, metric="") == replace(known, metric="")
    assert found.metric == spec
    curve = aj.curve(LABELS, SCORES, spec, time=TIMES)
    assert curve.best() == aj.curve(LABELS, SCORES, points).best()
    events = aj.Case(LABELS, FLAGS, time=TIMES).events
    for null in ({"like": FLAGS}, {"rate": 0.1, "draws": 20}):
        assert aj.chance(events, spec, **null) == aj.chance(LABELS, points, **null)


def test_each_series_has_its_own_clock():
    series = np.repeat(["a", "b"], 30)
    times = np.concatenate([TIMES[:30], TIMES[:30]])
    spec = 'delay_f1(k="10min")'
    judged = aj.evaluate(
        LABELS, FLAGS, spec, series=series, time=times, per_series=True, chance=False
    )
    plain = aj.evaluate(
        LABELS, FLAGS, "delay_f1(k=2)", series=series, per_series=True, chance=False
    )
    assert judged.rows[0].value == plain.rows[0].value
    assert [row.value for row in judged.details] == [row.value for row in plain.details]


@st.composite
def uneven(draw):
    """Times with steps of two to four minutes, labels, flags."""
    n = draw(st.integers(3, 14))
    minutes = np.cumsum(draw(st.lists(st.integers(2, 4), min_size=n, max_size=n)))
    labels, flags = (draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)) for _ in range(2))
    return minutes, np.array(labels), np.array(flags)


def runs(flags):
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags, [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def tally(case, spec):
    minutes, labels, flags = case
    times = np.datetime64("2026-01-01T00:00", "m") + minutes
    return aj.explain(labels, flags, spec, time=times).tally


@settings(max_examples=40)
@given(uneven(), st.integers(0, 9))
def test_a_tolerance_on_an_uneven_clock_is_of_time(case, reach):
    minutes, labels, flags = case
    near = np.abs(minutes[:, None] - minutes) <= reach
    found = sum(labels & (near & (flags > 0)).any(axis=1))
    right = sum(flags & (near & (labels > 0)).any(axis=1))
    got = tally(case, f'tolerant_f1(tolerance="{reach}min")')
    assert (got.found, got.right) == (found, right)
    assert tally(case, f'dair(tolerance="{reach}min")').found == found


@settings(max_examples=40)
@given(uneven(), st.integers(1, 9))
def test_a_delay_on_an_uneven_clock_is_of_time(case, span):
    minutes, labels, flags = case
    found = sum(
        stop - start
        for start, stop in runs(labels)
        if any(flags[i] and minutes[i] - minutes[start] < span for i in range(start, stop))
    )
    assert tally(case, f'delay_f1(k="{span}min")').found == found


@settings(max_examples=40)
@given(uneven(), st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
def test_stretched_events_on_an_uneven_clock_reach_as_far_as_their_time(case, before, after, merge):
    minutes, labels, flags = case

    def joined(parts):
        kept = []
        for start, stop in parts:
            if kept and minutes[start] - minutes[kept[-1][1]] < merge:
                kept[-1] = (kept[-1][0], stop)
            else:
                kept.append((start, stop))
        return kept

    alarms, truth = joined(runs(flags)), joined(runs(labels))
    marked = {i for start, stop in alarms for i in range(start, stop)}
    found = 0
    for start, stop in truth:
        low, high = minutes[start] - before, minutes[stop - 1] + after
        found += any(low <= minutes[i] <= high for i in marked)
    spec = f'event_f1_tolerant(before="{before}min", after="{after}min", merge="{merge}min")'
    got = tally(case, spec)
    assert (got.found, got.truth) == (found, len(truth))


@settings(max_examples=40)
@given(uneven())
def test_a_rate_on_an_uneven_clock_is_of_normal_time(case):
    minutes, labels, flags = case
    steps = np.diff(minutes)
    lasts = np.append(steps, steps[-1])
    normal = int(lasts[labels == 0].sum())
    false = sum(not labels[start:stop].any() for start, stop in runs(flags))
    times = np.datetime64("2026-01-01T00:00", "m") + minutes
    value = aj.false_alarm_rate(labels, flags, per="1h", time=times)
    if not normal:
        assert np.isnan(value)
    else:
        assert value == pytest.approx(float(Fraction(60 * false, normal)))


def test_points_alone_in_their_series_last_as_long_as_others_on_average():
    series, times = [0, 0, 0, 1], np.array([0, 1, 4, 0], "M8[m]")  # 1, 3, 3 and (1 + 3) / 2
    value = aj.false_alarm_rate([0] * 4, [0, 1, 0, 0], per="9min", time=times, series=series)
    assert value == 1


def test_an_uneven_clock_has_no_step():
    events = aj.Case(LABELS, FLAGS, time=TIMES).events
    assert even_step(events) == 5 * 60 * 10**9
    assert even_step(aj.Case([0, 1, 0], [0, 1, 0], time=TIMES[[0, 1, 3]]).events) is None
    assert even_step(aj.Events.from_labels(LABELS)) is None


def test_an_uneven_clock_is_looked_at_in_shifts_and_draws_too():
    times = TIMES.copy()
    times[30:] += np.timedelta64(4, "m")
    specs = ['tolerant_f1(tolerance="10min")', 'delay_f1(k="10min")', 'recall_at(per="1h")']
    specs += ['event_weighted_ap(k="10min")', 'event_f1_tolerant(before="6min")']
    judged = aj.evaluate(LABELS, SCORES, specs, at=0.9, time=times, shifts=19, label_slack=1)
    assert [row.requested for row in judged.rows] == specs
    assert all(0 <= row.chance <= 1 for row in judged.rows)
    early = aj.evaluate(LABELS, SCORES, "delay_f1(k=2)", at=0.9, shifts=19).rows[0]
    assert judged.rows[1].chance == pytest.approx(early.chance, abs=0.2)
