"""PATE: weights by hand, the slow twin, and what is undefined."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
import naive
from adjudge.data.events import Events
from adjudge.errors import InputError
from adjudge.measure.whole import pate as pate_masses
from adjudge.measure.whole.pate import buffers
from adjudge.metrics.rows.soft_labels import ROWS
from measure import naive_pate
from small import cases
from values import close

METRICS = {row.name: row.metric for row in ROWS}

LABELS = [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]
FLAGS = [0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0]
RIGHT = {  # flagged points, one inside, one in each buffer of two points
    (0, 0): Fraction(1),
    (0, 2): 1 + Fraction(2, 7),
    (2, 0): 1 + Fraction(2, 7),
    (2, 2): 1 + Fraction(4, 7),
}
MISSED = 1 + Fraction(1, 2) + Fraction(1, 6)


# --- by hand -----------------------------------------------------------------------------------


def test_precision_gives_part_of_the_credit_near_an_event():
    expected = sum(right / 3 for right in RIGHT.values()) / 4
    assert Fraction(3, 7) == expected
    assert close(expected, aj.metric("pate_precision(early=2, delay=2)")(LABELS, FLAGS))


def test_recall_forgives_silence_after_the_first_alarm_by_its_length():
    expected = sum(right / (right + MISSED) for right in RIGHT.values()) / 4
    assert close(expected, aj.metric("pate_recall(early=2, delay=2)")(LABELS, FLAGS))


def test_f_is_the_mean_of_f_over_the_sizes_and_not_the_f_of_the_means():
    expected = sum(2 * right / (right + MISSED + 3) for right in RIGHT.values()) / 4
    actual = aj.metric("pate_f1(early=2, delay=2)")(LABELS, FLAGS)
    assert close(expected, actual)
    p, r = (
        aj.metric(f"pate_{x}(early=2, delay=2)")(LABELS, FLAGS) for x in ("precision", "recall")
    )
    assert not close(2 * p * r / (p + r), actual)


def test_an_early_alarm_earns_nothing_unless_the_event_is_hit_and_a_late_one_always_does():
    early, late = np.zeros(12, int), np.zeros(12, int)
    early[3], late[8] = 1, 1
    assert aj.metric("pate_precision(early=2, delay=2)")(LABELS, early) == 0
    assert close(Fraction(1, 7), aj.metric("pate_precision(early=2, delay=2)")(LABELS, late))


def test_the_last_point_of_a_buffer_earns_nothing():
    flags = np.zeros(12, int)
    flags[9] = 1
    assert aj.metric("pate_precision(early=2, delay=2)")(LABELS, flags) == 0
    assert aj.metric("pate_precision(early=2, delay=3)")(LABELS, flags) > 0


def test_points_where_recall_falls_are_left_out_of_the_area():
    labels = [1] * 20 + [0] * 3
    scores = [1, 0, *[2] * 9, *[0] * 9, 0, 0, 0]
    levels = sorted(set(scores), reverse=True)
    tallies = [naive_pate.tally(labels, [s >= t for s in scores], None, None, 0, 0) for t in levels]
    recalls = [naive.recall(tally) for tally in tallies]
    assert recalls[1] < recalls[0]
    expected = naive_pate.area([tallies[0], tallies[2]])
    assert close(expected, aj.metric("pate(early=0, delay=0, thresholds=None)")(labels, scores))


def test_one_point_event_is_found_or_not():
    labels = [0, 0, 1, 0, 0]
    assert aj.metric("pate_recall(early=1, delay=1)")(labels, [0, 0, 1, 0, 0]) == 1
    assert aj.metric("pate_recall(early=1, delay=1)")(labels, [1, 0, 0, 0, 0]) == 0


# --- where buffers end -------------------------------------------------------------------------


def test_buffers_end_at_neighbours_and_at_the_ends_of_a_series():
    events = Events.from_intervals([(1, 2), (4, 5), (6, 7)], 8)
    series = events.within(series=[0, 0, 0, 1, 1, 1, 1, 1])
    assert [[0, 4, 6], [4, 6, 8]] == [part.tolist() for part in buffers(events, 9, 9)]
    assert [[0, 3, 6], [3, 6, 8]] == [part.tolist() for part in buffers(series, 9, 9)]
    assert [[1, 4, 6], [2, 5, 7]] == [part.tolist() for part in buffers(series, 0, 0)]


def test_a_late_alarm_in_the_next_series_is_false():
    labels, flags = [0, 1, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]
    spec = aj.metric("pate_precision(early=0, delay=3)")
    assert spec(labels, flags) > 0
    assert spec(labels, flags, series=[0, 0, 0, 1, 1, 1]) == 0


def test_alarms_in_a_series_without_events_cost():
    labels, flags = [0, 1, 1, 0, 0, 0], [0, 1, 1, 0, 1, 0]
    series = ["a", "a", "a", "b", "b", "b"]
    assert close(Fraction(2, 3), aj.metric("pate_precision")(labels, flags, series=series))


def test_points_that_are_not_judged_do_not_count_but_keep_their_distance():
    labels, flags = [1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 1, 0]
    where = [1, 1, 0, 1, 1, 1]
    expected = (Fraction(2, 3) + (2 + 2 / Fraction(9)) / 3) / 2  # (5 - 4 points) / (5 - 1/2)
    assert close(
        expected, aj.metric("pate_precision(early=0, delay=4)")(labels, flags, where=where)
    )


# --- what is undefined -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "flags", "expected"),
    [
        pytest.param([0, 1, 1], [0, 0, 0], (0, math.nan, 0), id="events but no alarms"),
        pytest.param([0, 0, 0], [0, 1, 0], (0, 0, math.nan), id="alarms but no events"),
        pytest.param([0, 0, 0], [0, 0, 0], (math.nan,) * 3, id="neither"),
        pytest.param([1, 1, 1], [1, 1, 1], (1, 1, 1), id="nothing else"),
        pytest.param([1], [1], (1, 1, 1), id="one point"),
    ],
)
def test_one_answer_for_every_degenerate_case(labels, flags, expected):
    actual = [aj.metric(f"pate_{name}")(labels, flags) for name in ("f1", "precision", "recall")]
    assert all(map(close, expected, actual)), actual


@pytest.mark.parametrize("spec", ["pate", "pate(thresholds=None)"])
def test_the_area_without_events_is_undefined_and_of_a_constant_score_is_not(spec):
    assert math.isnan(aj.metric(spec)([0, 0, 0], [0.1, 0.2, 0.3]))
    expected = (1 + Fraction(1, 4)) / 2  # from precision 1 to that of flagging everything
    assert close(expected, aj.metric(spec)([0, 1, 0, 0], [5, 5, 5, 5], early=0, delay=0))
    assert aj.metric(spec)([1, 1], [5, 5]) == 1


@pytest.mark.parametrize("top", [np.inf, 1.7e308])
def test_scores_without_a_middle_between_them_are_taken_by_rank(top):
    labels, ranks = [0, 1, 0, 1, 0, 1], [2, 0, 1, 3, 4, 5]
    values = np.array([-top, 0, 1, 2, 3, top])
    expected = aj.metric("pate(thresholds=None)")(labels, ranks)
    assert expected == aj.metric("pate")(labels, values[ranks])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"early": -1}, "early must be a whole number, at least 0, got -1"),
        ({"delay": 1.5}, r"delay must be a whole number, at least 0, got 1\.5"),
        ({"splits": 0}, "splits must be a whole number, at least 1, got 0"),
        ({"thresholds": 1}, "thresholds must be a whole number, at least 2, got 1"),
    ],
)
def test_settings_are_checked(settings, message):
    with pytest.raises(InputError, match=message):
        METRICS["pate"](**settings)
    if "thresholds" not in settings:
        with pytest.raises(InputError, match=message):
            METRICS["pate_f1"](**settings)


def test_an_f_score_weighs_by_beta_and_checks_it():
    assert aj.metric("pate_f1(beta=2)")(LABELS, FLAGS) != aj.metric("pate_f1")(LABELS, FLAGS)
    with pytest.raises(InputError, match="beta must be a positive number"):
        METRICS["pate_f1"](beta=0)


# --- twins -------------------------------------------------------------------------------------


@given(case=cases(), spec=st.sampled_from(sorted(naive_pate.WHOLES)))
def test_every_row_equals_its_twin(spec, case):
    labels, scores, series, where = case
    scores = [int(s > 0) for s in scores] if aj.metric(spec).row.needs == "flags" else scores
    expected = naive_pate.WHOLES[spec](labels, scores, series, where)
    assert close(expected, aj.metric(spec)(labels, scores, series=series, where=where))


@given(case=cases(), sizes=st.tuples(*[st.integers(0, 9)] * 2, st.integers(1, 3)))
def test_every_threshold_is_every_distinct_score(case, sizes):
    labels, scores, series, where = case
    early, delay, splits = sizes
    twin = naive_pate.pate(
        labels, scores, series, where, early=early, delay=delay, splits=splits, count=None
    )
    judge = METRICS["pate"](early=early, delay=delay, splits=splits, thresholds=None)
    assert close(twin, judge(labels, scores, series=series, where=where))


def wide_case(seed, n=150):
    rng = np.random.default_rng(seed)
    labels = np.repeat(rng.random(12) < 0.5, rng.integers(1, 40, 12))[:n]
    return labels.tolist(), rng.integers(0, 30, labels.size).tolist()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("block", [None, 1, 20])
def test_wide_events_equal_the_twin_in_blocks_of_any_size(seed, block, monkeypatch):
    labels, scores = wide_case(seed)
    if block is not None:
        monkeypatch.setattr(pate_masses, "_BLOCK", block)
    for count in (None, 9):
        expected = naive_pate.pate(labels, scores, None, None, early=9, delay=14, count=count)
        assert close(expected, aj.metric(f"pate(early=9, delay=14, thresholds={count})")(
            labels, scores))  # fmt: skip


def test_the_twin_rejects_credit_for_early_alarms_of_missed_events(monkeypatch):
    def generous(event, before, behind, flagged):
        hits = Fraction(sum(flagged[x] for x in event))
        near = [x for buffer in (before, behind) for x in buffer if flagged[x]]
        return hits + sum(1 - Fraction(1, 2 + abs(x - event[0])) for x in near)

    flags = [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    wrong = naive_pate.WHOLES["pate_precision"](LABELS, flags, None, None)
    assert close(wrong, aj.metric("pate_precision")(LABELS, flags))
    monkeypatch.setattr(naive_pate, "credit", generous)
    wrong = naive_pate.WHOLES["pate_precision"](LABELS, flags, None, None)
    assert not close(wrong, aj.metric("pate_precision")(LABELS, flags))


# --- order -------------------------------------------------------------------------------------


@given(case=cases())
def test_with_every_score_as_a_threshold_only_the_order_matters(case):
    labels, scores, series, where = case
    spec = aj.metric("pate(early=3, delay=4, thresholds=None)")
    before = spec(labels, scores, series=series, where=where)
    after = spec(labels, np.exp(np.array(scores, float)), series=series, where=where)
    assert np.array_equal(before, after, equal_nan=True)


def test_percentiles_between_scores_depend_on_the_scale():
    labels, scores = [1, 0, 0, 0, 0, 0], np.array([1, 9.0, 8, 7, 6, 0])
    spec = aj.metric("pate(thresholds=6)")
    assert not close(spec(labels, scores), spec(labels, np.exp(scores)))


# --- thresholds -------------------------------------------------------------------------------


def test_a_flag_metric_takes_scores_at_a_threshold_or_at_its_best():
    scores = np.arange(12.0)
    at = aj.metric("pate_f1(early=2, delay=2)").with_settings(at=3.5)
    assert at(LABELS, scores) == aj.metric("pate_f1(early=2, delay=2)")(LABELS, scores > 3.5)
    assert aj.best(aj.metric("pate_f1(early=2, delay=2)"))(LABELS, scores) >= at(LABELS, scores)
