"""Intervals by bootstrap: what is drawn, how wide they are, and how often they hold the truth."""

import math
import re
import tracemalloc

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.tally import Tally
from adjudge.errors import InputError
from adjudge.noise.intervals import blocks, interval, measured, percentiles, resampled

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
        assert low < high


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


def test_a_perfect_detector_leaves_nothing_open():
    case = simulated(12, np.random.default_rng(0))
    assert (1, 1) == interval(aj.f1_ba, aj.Case(case.events, case.events))


def test_an_event_and_its_alarms_are_drawn_together_and_a_false_run_on_its_own():
    labels, flags = np.zeros((2, 40), int)
    labels[5:10] = labels[20:25] = flags[5:10] = flags[30:35] = 1
    draws = 4000
    values = [
        2 * found / (events + found + false)
        for found, missed, false in np.random.default_rng(0).multinomial(3, [1 / 3] * 3, draws)
        if (events := found + missed) + false
    ]
    expected = np.quantile(values, [0.025, 0.975])
    assert expected.tolist() == list(interval(aj.event_f1, aj.Case(labels, flags), draws=draws))
    assert np.allclose(expected, interval(aj.f1_pa, aj.Case(labels, flags), draws=draws))


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


def test_wrong_flagging_is_capped_by_the_normal_time_that_there_is():
    def false_positive_rate(tally):
        return (tally.flagged - tally.right) / tally.normal

    assert 1 == measured(false_positive_rate, np.array([2, 2, 2, 9, 5]))
    assert 9 == measured(lambda tally: tally.flagged, np.array([2, 2, 2, 9, np.nan]))


def test_resampled_sums_are_those_of_as_many_units():
    masses = np.stack([np.ones(50), np.arange(50)], axis=1)
    sums = resampled(masses, 2000, np.random.default_rng(0))
    assert {50} == set(sums[:, 0])
    assert abs(sums[:, 1].mean() - 50 * 24.5) < 4 * math.sqrt(50 * 208.25 / 2000)
    assert abs(sums[:, 1].var() / (50 * 208.25) - 1) < 0.15


def test_blocks_hold_all_draws_and_at_least_one_each():
    assert [10, 10, 10, 5] == list(blocks(35, 100_000))
    assert [1, 1] == list(blocks(2, 10_000_000))
    assert [1000] == list(blocks(1000, 7))


def test_a_hundred_thousand_units_take_little_memory():
    masses = np.ones((100_000, 4))
    tracemalloc.start()
    try:
        resampled(masses, 30, np.random.default_rng(0))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 64e6


def test_percentiles_leave_out_what_is_undefined():
    assert (0.1, 0.9) == pytest.approx(percentiles(np.append(np.linspace(0, 1, 101), np.nan), 0.8))
    assert np.isnan(percentiles(np.array([np.nan]), 0.8)).all()


def test_an_interval_measures_the_tally_of_the_ledger():
    case = simulated(30, np.random.default_rng(0))
    ledger, *_ = aj.f1_ba.ledger(case)
    assert isinstance(ledger.tally, Tally)
    sums = np.array(ledger.tally)
    assert aj.f1_ba.reading(case).value == measured(aj.f1_ba.parts.measure, sums)
