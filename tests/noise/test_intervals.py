"""Intervals by bootstrap: what is drawn, how wide they are, and how often they hold the truth."""

import math
import re

import numpy as np
import pytest
from scipy.stats import beta, gamma

import adjudge as aj
from adjudge.count.tally import Tally
from adjudge.errors import InputError
from adjudge.noise.intervals.over_events import (
    drawn_sums,
    event_rows,
    filled_up,
    imagine,
    interval,
    measured,
    percentiles,
    weighted_sums,
)

SLOT = 40


def refused(message):
    return pytest.raises(InputError, match=rf"\A{re.escape(message)}\Z")


def simulated(events, rng, found=0.7, false=0.3):
    """Give each event 10 points in a slot of 40; alarms hit it or not, false runs are Poisson."""
    labels, flags = np.zeros((2, events * SLOT), int)
    starts = np.arange(events) * SLOT + 20
    labels[(starts[:, np.newaxis] + np.arange(10)).ravel()] = 1
    flags[starts[rng.random(events) < found] + 3] = 1
    slots = rng.permutation(events)[: rng.poisson(false * events)]
    flags[slots * SLOT + 8] = 1
    return aj.Case(labels, flags)


METRICS = ["f1", "f1_ba", "precision_pa", "recall_pa", "event_f1", "event_coverage", "mcc"]


@pytest.mark.parametrize("spec", [*METRICS, "balanced_accuracy", 'f1_ba(width=9, islands="all")'])
def test_the_interval_holds_the_value(spec):
    case = simulated(30, np.random.default_rng(0))
    low, high = interval(aj.metric(spec), case)
    value = aj.metric(spec).reading(case).value
    assert low <= value <= high
    if spec != "event_coverage":  # of which every found event here has the same
        assert low < value < high


def test_an_oracle_is_judged_at_its_threshold():
    rng = np.random.default_rng(0)
    case = simulated(20, rng)
    scores = rng.random(case.events.n) + case.flags
    loose = aj.Case(case.events, scores)
    at = aj.best(aj.f1_ba).reading(loose).at
    assert interval(aj.f1_ba(at=at), loose) == interval(aj.best(aj.f1_ba), loose)


def test_more_events_make_it_narrower():
    widths = [
        np.ptp(interval(aj.event_f1, simulated(events, np.random.default_rng(1))))
        for events in (10, 40, 160, 640)
    ]
    assert sorted(widths, reverse=True) == widths
    assert 2.5 < widths[1] / widths[3] < 6  # the square root of 16, about


def test_a_higher_level_makes_it_wider():
    case = simulated(30, np.random.default_rng(0))
    (a, b), (c, d), (e, f) = (interval(aj.f1_ba, case, level) for level in (0.5, 0.9, 1))
    assert e < c < a < b < d < f


def test_it_holds_the_value_of_the_population_about_as_often_as_it_says():
    events, found, false, runs = 30, 0.7, 0.3, 200
    population = 2 * found / (1 + found + false)
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(runs):
        low, high = interval(aj.event_f1, simulated(events, rng, found, false), draws=300, seed=rng)
        held += low <= population <= high
    assert 0.85 <= held / runs <= 0.99


def test_a_perfect_detector_on_few_events_leaves_something_open():
    widths = []
    for events in (3, 5, 20, 80):
        case = simulated(events, np.random.default_rng(0))
        low, high = interval(aj.f1_ba, aj.Case(case.events, case.events))
        assert high == 1
        widths.append(1 - low)
    assert widths == sorted(widths, reverse=True)
    assert 0.3 < widths[0] < 0.7  # it was 0
    assert widths[-1] < 0.08


def test_the_share_of_found_events_follows_the_posterior_of_jeffreys():
    labels, flags = np.zeros((2, 20), int)
    labels[::2] = 1
    flags[:14:2] = 1  # 7 of 10
    found = interval(aj.event_recall, aj.Case(labels, flags), draws=40_000)
    assert found == pytest.approx(beta.ppf([0.025, 0.975], 7.5, 3.5), abs=0.01)


def test_the_number_of_false_runs_follows_a_gamma_with_its_own_median():
    labels, flags = np.zeros((2, 300), int)
    labels[:5:2] = 1
    flags[100:200:20] = 1  # 5 false runs of one point, nothing found
    metric = aj.event_f1
    rows = event_rows(metric.ledger(aj.Case(labels, flags))[0], aj.Case(labels, flags).events)
    rows = rows._replace(normal=np.nan)
    imagined = imagine(metric, rows, flags > 0, aj.Case(labels, flags).events)
    sums = drawn_sums(rows, imagined, 40_000, np.random.default_rng(0))
    false = sums[:, 3] - sums[:, 2]
    assert np.quantile(false, [0.1, 0.5, 0.9]) == pytest.approx(
        gamma.ppf([0.1, 0.5, 0.9], 5 + 1 / 3), rel=0.02
    )


def test_an_alarm_over_several_events_is_split_among_them():
    labels = np.zeros(500, int)
    labels[200:220] = labels[400:420] = 1
    case = aj.Case(labels, np.ones(500, int))
    for spec, value in (("f1", 0.148), ("event_precision", 1), ("event_recall", 1)):
        low, high = interval(aj.metric(spec), case)
        assert high == pytest.approx(value, abs=5e-4)  # nothing is left to flag
        assert 0 < low < value
    rows = event_rows(aj.event_precision.ledger(case)[0], case.events)
    assert rows.events[:, 2:].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert len(rows.false) == 0


def test_false_alarms_fill_the_normal_time_and_never_exceed_it():
    labels, flags = np.zeros((2, 60), int)
    labels[:5] = labels[30:35] = flags[10:30] = flags[40:60] = 1
    case = aj.Case(labels, flags)
    rows = event_rows(aj.f1.ledger(case)[0], case.events)
    false = np.zeros((3, 4))
    false[:, 3] = [40, 0, 1e9]
    assert filled_up(false, rows)[:, 3] == pytest.approx([40, 0, 50])
    assert filled_up(false, rows._replace(normal=np.nan)) is false


def test_what_is_imagined_is_what_the_metric_says_it_is_worth():
    labels = np.zeros(60, int)
    labels[10:14] = labels[30:36] = 1
    case = aj.Case(labels, labels)
    rows = event_rows(aj.f1_ba(width=5).ledger(case)[0], case.events)
    found, missed, false = imagine(aj.f1_ba(width=5), rows, case.flags, case.events)
    assert found.tolist() == [5, 5, 5, 5]
    assert missed.tolist() == [0, 5, 0, 0]
    assert false.tolist() == [0, 0, 0, 9]  # a run of five points and its islands
    silent = aj.Case(labels, np.zeros(60, int))
    rows = event_rows(aj.f1_ba(width=5).ledger(silent)[0], case.events)
    found, missed, false = imagine(aj.f1_ba(width=5), rows, silent.flags, case.events)
    assert (found.tolist(), false.tolist()) == ([5, 5, 5, 5], [0, 0, 0, 5])


def test_many_rows_are_drawn_from_the_normal_distribution_of_their_sums():
    rows = np.random.default_rng(0).random((150, 2))
    few, many = (
        weighted_sums(rows[:count], (0.5,), 20_000, np.random.default_rng(1))
        for count in (100, 150)
    )
    assert few.mean(axis=0) == pytest.approx(rows[:99].sum(axis=0) + rows[99] / 2, rel=0.01)
    assert many.mean(axis=0) == pytest.approx(rows[:149].sum(axis=0) + rows[149] / 2, rel=0.01)
    assert many.std(axis=0) == pytest.approx(np.sqrt((rows**2).sum(axis=0)), rel=0.03)


def test_the_same_seed_gives_the_same_interval_and_the_global_state_is_left_alone():
    case = simulated(30, np.random.default_rng(0))
    state = np.random.get_state()[1].tolist()  # noqa: NPY002 - the very thing to look at
    assert interval(aj.f1_ba, case, seed=5) == interval(aj.f1_ba, case, seed=5)
    assert interval(aj.f1_ba, case, seed=5) == interval(
        aj.f1_ba, case, seed=np.random.default_rng(5)
    )
    assert interval(aj.f1_ba, case, 1, seed=5) != interval(aj.f1_ba, case, 1, seed=6)
    assert state == np.random.get_state()[1].tolist()  # noqa: NPY002


@pytest.mark.parametrize(
    ("spec", "labels", "flags"),
    [
        ("auc_roc", [0, 1, 0], [0, 1, 0]),
        ("hausdorff_distance", [0, 1, 0], [0, 1, 1]),
        ('detection_delay(average="median")', [0, 1, 1], [0, 1, 1]),
        ("f1_kpa_area", [0, 1, 0], [0, 1, 0]),
        ("f1", [0, 0, 0], [0, 1, 0]),
        ("precision", [0, 1, 0], [0, 0, 0]),
        ("mcc", [0, 1, 0], [1, 1, 1]),
    ],
    ids=[
        "an area",
        "a maximum",
        "a median",
        "a whole metric",
        "no event",
        "no alarm",
        "all alarms",
    ],
)
def test_where_nothing_can_be_said_both_ends_are_undefined(spec, labels, flags):
    low, high = interval(aj.metric(spec), aj.Case(labels, flags))
    assert math.isnan(low)
    assert math.isnan(high)


def test_settings_are_checked():
    case = aj.Case([0, 1], [0, 1])
    with refused("level must be a share in (0, 1], got 95"):
        interval(aj.f1, case, level=95)
    with refused("draws must be a whole number, at least 1, got 0"):
        interval(aj.f1, case, draws=0)
    with refused("seed must be a whole number, at least 0, got -1"):
        interval(aj.f1, case, seed=-1)


def test_percentiles_leave_out_what_is_undefined():
    assert (0.1, 0.9) == pytest.approx(percentiles(np.append(np.linspace(0, 1, 101), np.nan), 0.8))
    assert np.isnan(percentiles(np.array([np.nan]), 0.8)).all()


def test_an_interval_measures_the_tally_of_the_ledger():
    case = simulated(30, np.random.default_rng(0))
    ledger, *_ = aj.f1_ba.ledger(case)
    assert isinstance(ledger.tally, Tally)
    sums = np.array(ledger.tally)
    assert aj.f1_ba.reading(case).value == measured(aj.f1_ba.parts.measure, sums)
