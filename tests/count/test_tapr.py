"""Time-series aware precision and recall: tails, detection, and overlaps that are taken out."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge as aj
import naive
from adjudge import Events, InputError
from adjudge.adjust.adjustments import raw
from adjudge.count.tapr import Portions, PrunedPortions, _OverlapSide, _worth
from count import naive_ranges

NEAR, HALF, FAR = 1 / (1 + math.exp(-6)), 0.5, 1 / (1 + math.exp(6))


def filled(n, *intervals):
    inside = np.zeros(n, np.int8)
    for start, stop in intervals:
        inside[start:stop] = 1
    return inside


def close(expected, actual):
    return math.isclose(expected, actual, rel_tol=1e-12, abs_tol=1e-12)


# --- TaPR --------------------------------------------------------------------------------------


def test_detection_and_portion_by_hand():
    labels, flags = filled(40, (10, 20), (30, 34)), filled(40, (8, 13), (32, 34), (36, 37))
    assert close((0 * 0.5 + 0.3 * 0.5 + 0.5 + 0.5 * 0.5) / 2, aj.tapr_recall(labels, flags))
    assert close((0.5 + 0.5 * 0.6 + 0.5 + 0.5 * 1) / 3, aj.tapr_precision(labels, flags))
    assert close(0.4, aj.tapr_recall(labels, flags, alpha=0))
    assert close(1 / 2, aj.tapr_recall(labels, flags, alpha=1))
    assert close(1, aj.tapr_recall(labels, flags, alpha=1, theta=0.3))


@pytest.mark.parametrize(
    ("place", "worth"), [(4, 1), (5, NEAR), (6, HALF), (7, FAR), (8, 0), (1, 0)]
)
def test_a_point_behind_the_event_is_worth_less_and_less(place, worth):
    labels, flags = filled(12, (2, 5)), filled(12, (place, place + 1))
    assert close(worth / 3, aj.tapr_recall(labels, flags, alpha=0, delta=2))
    assert close(worth, aj.tapr_precision(labels, flags, alpha=0, delta=2))


def test_flags_in_the_tail_fill_the_event_up_to_one():
    labels, flags = filled(30, (5, 8)), filled(30, (6, 20))
    assert close(1, aj.tapr_recall(labels, flags, alpha=0, delta=9))
    portion = 2 + sum(1 / (1 + math.exp(-6 + 12 * k / 9)) for k in range(10))
    assert close(portion / 14, aj.tapr_precision(labels, flags, alpha=0, delta=9))


def test_a_tail_ends_before_the_next_event_and_falls_quicker_there():
    labels = filled(20, (2, 5), (8, 10))  # room for three points
    for place, worth in ((5, NEAR), (6, HALF), (7, FAR)):
        flags = filled(20, (place, place + 1))
        assert close(worth, aj.tapr_precision(labels, flags, alpha=0, delta=600))


def test_an_event_that_begins_where_the_tail_would_end_is_not_counted_twice():
    labels = filled(20, (2, 5), (8, 10))
    flags = filled(20, (8, 10))
    for delta in (2, 3, 4):  # 3: the last point of the tail would be the first of the event
        assert aj.tapr_precision(labels, flags, delta=delta) == 1
        assert close(1 / 2, aj.tapr_recall(labels, flags, delta=delta))


def test_a_tail_of_a_single_point_is_none():
    labels, flags = filled(9, (2, 4), (5, 7)), filled(9, (4, 5))
    assert aj.tapr_precision(labels, flags, delta=5) == 0
    assert aj.tapr_recall(labels, flags, delta=5) == 0


def test_a_tail_is_cut_at_the_end_but_not_shortened():
    whole, cut = filled(9, (2, 5)), filled(7, (2, 5))
    for place in (5, 6):
        expected = aj.tapr_recall(whole, filled(9, (place, place + 1)), delta=3, alpha=0)
        assert expected > 0
        assert expected == aj.tapr_recall(cut, filled(7, (place, place + 1)), delta=3, alpha=0)


def test_no_tail_reaches_into_the_next_series_nor_is_shortened_by_an_event_there():
    labels, flags = filled(14, (2, 5), (8, 9)), filled(14, (6, 7))
    apart, together = ([0] * 7 + [1] * 7), [0] * 14
    lone = aj.tapr_precision(labels[:7], flags[:7], alpha=0, delta=4)
    assert lone == aj.tapr_precision(labels, flags, series=apart, alpha=0, delta=4)
    assert lone != aj.tapr_precision(labels, flags, series=together, alpha=0, delta=4)
    beyond = filled(14, (7, 8))
    assert aj.tapr_precision(labels, beyond, series=apart, delta=4) == 0


@pytest.mark.parametrize("delta", range(1, 60))
def test_a_tail_that_is_wholly_flagged_is_worth_exactly_half(delta):
    labels = filled(100, (5, 9))
    flags = filled(100, (9, 10 + delta))
    assert aj.tapr_precision(labels, flags, alpha=1, theta=0.5, delta=delta) == 1
    rng = np.random.default_rng(delta)  # whatever the order in which the points come in
    scores = flags + rng.random(100) * flags
    above = aj.curve(labels, scores, aj.tapr_f1(alpha=1, theta=0.5, delta=delta))
    assert aj.best(aj.tapr_precision(alpha=1, delta=delta))(labels, scores) == 1
    everything = np.searchsorted(-above.thresholds, 0)
    assert above.precision[everything] == 1


def test_worth_stays_exact_where_it_is_summed():
    events = Events.from_intervals([(10, 20)], n=1000)
    worth = _worth(events, 30)
    assert worth.unit > 2**50
    assert 2 * worth.points[20:51].sum() == 31 * worth.unit
    assert worth.points[10:20].tolist() == [worth.unit] * 10


def test_a_late_alarm_is_accounted_to_its_event():
    receipt = aj.explain(filled(12, (2, 5)), filled(12, (6, 7), (10, 11)), "tapr_f1(delta=3)")
    assert [0, -1] == receipt.alarms.event.tolist()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: aj.tapr_f1(alpha=2), r"alpha must be a share in \[0, 1\], got 2"),
        (lambda: aj.tapr_f1(theta=0), r"theta must be a share in \(0, 1\], got 0"),
        (lambda: aj.tapr_f1(delta=-1), "delta must be a whole number, at least 0, got -1"),
        (lambda: aj.etapr_f1(theta_p=0), r"theta_p must be a share in \(0, 1\], got 0"),
        (lambda: aj.etapr_f1(theta_r=1.1), r"theta_r must be a share in \(0, 1\], got 1.1"),
    ],
)
def test_settings_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


# --- eTaPR -------------------------------------------------------------------------------------


def test_a_run_of_which_too_little_is_right_finds_nothing():
    labels = filled(40, (10, 20))
    for stop, credit in ((30, 0.75), (31, 0)):  # [15, 30) is a third right, by five points of ten
        flags = filled(40, (15, stop))
        share = 5 / (stop - 15)
        recall = aj.etapr_recall(labels, flags, theta_p=1 / 3)
        assert close(credit, recall)
        precision = aj.etapr_precision(labels, flags, theta_p=1 / 3)
        assert close((1 + share) / 2 if credit else 0, precision)


def test_runs_weigh_the_root_of_their_length():
    labels, flags = filled(40, (10, 14)), filled(40, (10, 14), (20, 29))
    assert close(2 / (2 + 3), aj.etapr_precision(labels, flags))
    assert aj.etapr_recall(labels, flags) == 1


def chain(links, *, cut=True):
    """Events and runs that overlap like links, two thirds of each; a cut loosens all of them."""
    labels, flags = np.zeros((2, 4 * links + 8), np.int8)
    for k in range(links):
        labels[4 * k : 4 * k + 3] = 1
        flags[4 * k + 2 : 4 * k + 5] = 1
    labels[:2] = 0  # the first event and the last run are a point, and wholly covered
    flags[4 * links - 1 :] = 0
    flags[2] = not cut
    return labels, flags


def test_taking_out_one_overlap_may_take_out_them_all():
    thetas = {"theta_p": 2 / 3, "theta_r": 2 / 3}
    assert aj.etapr_recall(*chain(12), **thetas) == 0
    whole = aj.etapr_recall(*chain(12, cut=False), **thetas)
    assert close((1 + 11 * (1 + 2 / 3) / 2) / 12, whole)


@settings(deadline=None)
@given(
    runs=st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=30),
    theta_p=st.sampled_from([0.2, 1 / 3, 0.5, 2 / 3, 1]),
    theta_r=st.sampled_from([0.2, 1 / 3, 0.5, 2 / 3, 1]),
)
def test_chains_of_overlaps_are_taken_out_as_from_the_matrix(runs, theta_p, theta_r):
    labels = [bit for on, off in runs for bit in [1] * on + [0] * off]
    flags = [bit for off, on in runs[::-1] for bit in [0] * off + [1] * on]
    flags = naive.raw(labels, flags)
    expected = naive_ranges.pruned(labels, flags, theta_p=theta_p, theta_r=theta_r)
    count = PrunedPortions(theta_p, theta_r)
    actual = count.entries(np.array(flags), Events.from_labels(labels), raw).tally
    assert expected[:4] == pytest.approx(actual[:4])


def test_each_interval_is_looked_at_a_few_times_only(monkeypatch):
    looked_at = []
    weak = _OverlapSide.weak

    def counting(side, sums, which):
        looked_at.append(len(which))
        return weak(side, sums, which)

    monkeypatch.setattr(_OverlapSide, "weak", counting)
    links = 500
    labels, flags = chain(links)
    assert aj.etapr_recall(labels, flags, theta_p=2 / 3, theta_r=2 / 3) == 0
    assert len(looked_at) > links  # one after the other, along the chain
    assert sum(looked_at) <= 6 * links


def test_the_oracle_of_the_enhanced_score_names_its_grid():
    assert "best(etapr_f1, thresholds=250)" == str(aj.best(aj.etapr_f1))
    assert "best(tapr_f1)" == str(aj.best(aj.tapr_f1))


def test_flags_and_scores_give_the_same_masses():
    labels, flags = chain(5)
    events = Events.from_labels(labels)
    for delta in (0, 3):
        count = Portions(delta=delta)
        of_flags = count.masses(flags > 0, events).at(False)
        of_scores = count.masses(flags * 1.0, events).at(0.5)
        assert of_flags[:4] == pytest.approx(of_scores[:4])
