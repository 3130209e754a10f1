"""Range-based precision and recall, their areas, and the runs of every threshold behind them."""

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
import naive
from adjudge import Events, InputError
from adjudge.adjust.adjustments import raw
from adjudge.count.range_credit import nested_runs
from adjudge.count.ranges import CorrectedRanges, RangePair, Ranges
from adjudge.count.tapr import Portions
from adjudge.data.intervals import first_and_count, overlaps, runs
from adjudge.measure.whole.areas import RangeArea
from count import naive_ranges
from small import cases

GOLDEN = Path(__file__).parent.parent / "golden"
F_SCORES = ["range_f1", "ts_f1", "tapr_f1", "tapr_f1(delta=3)", "etapr_f1"]
AREAS = ["ts_auc_pr", "auc_pr_range", "auc_pr_range(thresholds=2)"]


def golden(name):
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


CASES, SCORES = golden("cases"), golden("scores")


def filled(n, *intervals):
    inside = np.zeros(n, np.int8)
    for start, stop in intervals:
        inside[start:stop] = 1
    return inside


@cache
def golden_case(case):
    row = CASES[case]
    labels, flags = (filled(row["n"], *row[side]) for side in ("events", "flags"))
    return labels, {"flags": flags, "scores": np.array(SCORES[case]) / 1e6}


def same(expected, actual, tolerance=1e-9):
    return abs(expected - actual) <= tolerance or (math.isnan(expected) and math.isnan(actual))


# --- by hand -----------------------------------------------------------------------------------

EVENT = filled(30, (10, 20))
TWO_HITS = filled(30, (12, 15), (17, 19))  # positions 3, 4, 5 and 8, 9 of ten


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, 5 / 10),
        ({"cardinality": "reciprocal"}, 5 / 10 / 2),
        ({"cardinality": "corrected"}, 5 / 10 * 9 / 10),
        ({"bias": "front"}, (8 + 7 + 6 + 3 + 2) / 55),
        ({"bias": "back"}, (3 + 4 + 5 + 8 + 9) / 55),
        ({"bias": "middle"}, (3 + 4 + 5 + 3 + 2) / 30),
        ({"alpha": 0.2}, 0.2 + 0.8 * 5 / 10),
        ({"alpha": 1, "bias": "front", "cardinality": "reciprocal"}, 1),
        ({"alpha": 0.5, "bias": "front", "cardinality": "reciprocal"}, 0.5 + 0.5 * 26 / 55 / 2),
    ],
)
def test_an_event_hit_twice_by_hand(settings, expected):
    assert same(expected, aj.range_recall(EVENT, TWO_HITS, **settings), 1e-15)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, 4 / 10),  # the run [8, 18) holds positions 3 4 and 9 10 of ten
        ({"cardinality": "reciprocal"}, 2 / 10),
        ({"cardinality": "corrected"}, 4 / 10 * 9 / 10),
        ({"bias": "front"}, (8 + 7 + 2 + 1) / 55),
        ({"bias": "back"}, (3 + 4 + 9 + 10) / 55),
        ({"bias": "middle"}, (3 + 4 + 2 + 1) / 30),
        ({"alpha": 0.5}, 0.5 + 0.5 * 4 / 10),
    ],
)
def test_a_run_over_two_events_by_hand(settings, expected):
    labels, flags = filled(30, (10, 12), (16, 20)), filled(30, (8, 18))
    assert same(expected, aj.range_precision(labels, flags, **settings), 1e-15)


@pytest.mark.parametrize(("length", "weights"), [(1, [1]), (2, [1, 1]), (3, [1, 2, 1])])
def test_the_middle_of_short_ranges(length, weights):
    labels = filled(length + 2, (1, length + 1))
    for position, weight in enumerate(weights):
        flags = filled(length + 2, (1 + position, 2 + position))
        expected = weight / sum(weights)
        assert same(expected, aj.range_recall(labels, flags, bias="middle"), 1e-15)


def test_the_f_score_takes_each_side_with_its_own_settings():
    labels, flags = filled(30, (10, 20)), filled(30, (5, 15))
    p, r = 0.5, 0.25 + 0.75 * (10 + 9 + 8 + 7 + 6) / 55
    actual = aj.range_f1(labels, flags, r_alpha=0.25, r_bias="front", beta=2)
    assert same(5 * p * r / (4 * p + r), actual, 1e-15)


@given(case=cases(flags=True))
def test_existence_alone_is_the_event_level(case):
    labels, flags, series, where = case
    for side in ("precision", "recall"):
        expected = aj.metric(f"event_{side}")(labels, flags, series=series, where=where)
        ours = aj.metric(f"range_{side}(alpha=1)")
        assert same(expected, ours(labels, flags, series=series, where=where), 1e-12)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_false_run_after_the_last_event_is_charged(count):
    labels = filled(40, (2, 6))
    flags = filled(40, (2, 6), *((10 + 8 * k, 14 + 8 * k) for k in range(count)))
    assert same(1 / (1 + count), aj.ts_precision(labels, flags), 1e-15)


@given(case=cases())
def test_with_the_corrected_cardinality_recall_never_falls_with_the_threshold(case):
    labels, scores, series, where = case
    recall = aj.curve(labels, scores, "ts_f1", series=series, where=where).recall
    assert not np.any(np.diff(recall) < -1e-12)


def test_with_the_reciprocal_cardinality_recall_may_fall_with_the_threshold():
    curve = aj.curve([1, 1, 1], [3, 1, 2], 'range_f1(cardinality="reciprocal")')
    assert [0, 1 / 3, 1 / 3, 1] == pytest.approx(curve.recall.tolist())
    curve = aj.curve([1, 1, 1, 1], [3, 4, 1, 2], 'range_f1(cardinality="reciprocal")')
    assert np.any(np.diff(curve.recall) < 0)


# --- policy ------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", F_SCORES)
def test_the_policy_for_empty_sides(spec):
    nothing, event, all_of_it = filled(9), filled(9, (3, 6)), filled(9, (0, 9))
    metric = aj.metric(spec)
    family = spec.partition("_")[0]
    precision, recall = (aj.metric(f"{family}_{side}") for side in ("precision", "recall"))
    assert metric(event, nothing) == 0
    assert math.isnan(precision(event, nothing))
    assert recall(event, nothing) == 0
    assert metric(nothing, event) == 0
    assert precision(nothing, event) == 0
    assert math.isnan(recall(nothing, event))
    assert math.isnan(metric(nothing, nothing))
    assert metric(all_of_it, all_of_it) == 1


@pytest.mark.parametrize("spec", F_SCORES)
@pytest.mark.parametrize("event", [(0, 1), (0, 4), (8, 9), (5, 9)])
def test_an_event_at_either_end_is_like_any_other(spec, event):
    labels = filled(9, event)
    assert aj.metric(spec)(labels, labels) == 1
    assert aj.best(aj.metric(spec))(labels, labels * 0.5) == 1


@pytest.mark.parametrize("spec", AREAS)
def test_an_area_without_events_is_undefined_and_constant_scores_cut_one_corner(spec):
    area = aj.metric(spec)
    assert math.isnan(area(filled(9), np.arange(9)))
    assert same((1 + 3 / 9) / 2, area(filled(9, (2, 5)), np.full(9, 0.5)), 1e-15)
    assert area(filled(9, (0, 9)), np.arange(9)) > 0


@pytest.mark.parametrize("spec", ["range_f1", "ts_f1", "tapr_f1", "etapr_f1"])
def test_alarms_in_a_series_without_events_cost(spec):
    labels, flags = filled(20, (3, 6)), filled(20, (3, 6), (13, 16))
    series = np.repeat([0, 1], 10)
    assert aj.metric(spec)(labels, flags, series=series) < 1


def test_nothing_crosses_the_border_of_a_series():
    labels, flags = filled(20, (8, 12)), filled(20, (9, 11))
    series = np.repeat([0, 1], 10)
    tally = aj.explain(labels, flags, "range_f1", series=series).tally
    assert (1.0, 2, 2.0, 2) == tally[:4]  # half of each of two events, by a run in each series


def test_points_that_are_not_judged_part_events_and_runs():
    labels = flags = filled(9, (2, 7))
    where = np.arange(9) != 4
    tally = aj.explain(labels, flags, "ts_f1", where=where).tally
    assert (2.0, 2, 4.0, 4) == tally[:4]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: aj.range_f1(p_alpha=1.5), r"p_alpha must be a share in \[0, 1\], got 1.5"),
        (lambda: aj.range_f1(r_bias="up"), "r_bias must be one of 'flat', .*, got 'up'"),
        (lambda: aj.range_f1(p_bias=1), "p_bias must be one of 'flat', .*, got 1"),
        (lambda: aj.range_f1(cardinality="two"), "cardinality must be one of .*, got 'two'"),
        (lambda: aj.range_recall(alpha=-1), r"alpha must be a share in \[0, 1\], got -1"),
        (lambda: aj.range_recall(bias="x"), "bias must be one of 'flat', .*, got 'x'"),
        (lambda: aj.range_precision(cardinality=2), "cardinality must be one of .*, got 2"),
        (lambda: aj.auc_pr_range(thresholds=0), "thresholds must be a whole number, at least 1"),
        (lambda: aj.auc_pr_range(r_alpha=None), "r_alpha must be a share"),
    ],
)
def test_settings_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_results_say_what_published_range_scores_leave_unsaid():
    events = Events.from_labels([0, 1])
    assert 'range_f1(p_alpha=0, r_alpha=0, cardinality="one")' == aj.range_f1.resolved_spec(events)
    assert "thresholds=None" in aj.auc_pr_range.resolved_spec(events)


# --- every threshold ---------------------------------------------------------------------------


def noisy_case(n, seed):
    """Several series, unjudged points, and scores with and without ties."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(rng.integers(0, 2, n), rng.integers(1, 9, n))[:n]
    scores = rng.normal(size=n) + labels
    scores = np.round(scores, 1) if seed % 2 else scores
    scores[rng.random(n) < 0.02] = -np.inf
    series, where = np.arange(n) // (n // 3), rng.random(n) < 0.97
    events = Events.from_labels(labels, series=series, where=where)
    return events, aj.Case(events, scores).scores


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(
    "count",
    [
        Ranges(),
        Ranges(0.3, "reciprocal", "middle"),
        RangePair(0.1, 0.6, "corrected", "front", "back"),
        CorrectedRanges(),
        Portions(),
        Portions(0.7, 0.4, 6),
    ],
    ids=str,
)
def test_the_masses_of_every_threshold_are_those_of_its_ledger(count, seed):
    events, scores = noisy_case(240, seed)
    thresholds, tally = count.masses(scores, events).sweep
    for place, threshold in enumerate(thresholds.tolist()):
        expected = count.entries(scores > threshold, events, raw).tally[:4]
        actual = tuple(np.broadcast_to(mass, thresholds.shape)[place] for mass in tally[:4])
        assert expected == pytest.approx(actual, abs=1e-10)


@pytest.mark.parametrize("spec", ["range_f1", "ts_f1", "tapr_f1(delta=2)"])
def test_the_oracle_needs_no_grid(spec):
    oracle = aj.best(aj.metric(spec), thresholds=3)
    assert f"best({spec})" == str(oracle)
    events, scores = noisy_case(240, 0)
    values = [aj.metric(spec)(events, scores, at=level) for level in np.unique(scores)]
    assert same(max(values), oracle(events, scores), 1e-12)


def brute_force_runs(scores, bounds):
    """Every run of every threshold, with its lowest score and the lowest threshold it has."""
    seen = {}
    for threshold in sorted({-math.inf, *scores.tolist()}, reverse=True):
        for start, stop in zip(*runs(scores > threshold, bounds[:-1]), strict=True):
            seen[int(start), int(stop)] = scores[start:stop].min(), threshold
    return sorted((*run, *levels) for run, levels in seen.items())


def listed(nested):
    return sorted(zip(*(part.tolist() for part in nested), strict=True))


@given(
    levels=st.lists(st.sampled_from([-math.inf, 0, 1, 2, 3, 4]), min_size=1, max_size=30),
    cuts=st.sets(st.integers(1, 29)),
)
def test_nested_runs_are_the_runs_of_all_thresholds(levels, cuts):
    scores = np.array(levels, float)
    bounds = np.array([0, *sorted(cut for cut in cuts if cut < len(levels)), len(levels)])
    assert brute_force_runs(scores, bounds) == listed(nested_runs(scores, bounds))


@pytest.mark.parametrize("shape", ["ramp", "fall", "teeth", "noise", "dip"])
def test_there_are_never_more_nested_runs_than_points(shape):
    n = 600  # so far that searches climb
    scores = {
        "ramp": np.arange(n) * 1.0,
        "fall": -np.arange(n) * 1.0,
        "teeth": np.arange(n) % 7 * 1.0,
        "noise": np.random.default_rng(0).random(n),
        "dip": np.append(-n, -np.arange(n - 1)) * 1.0,
    }[shape]
    nested = nested_runs(scores, np.array([0, n]))
    assert len(nested.starts) <= n
    assert brute_force_runs(scores, np.array([0, n])) == listed(nested)


# --- pairs -------------------------------------------------------------------------------------


@given(one=st.lists(st.booleans(), min_size=1, max_size=30), seed=st.integers(0, 99))
def test_overlaps_are_all_pairs_that_share_a_point(one, seed):
    other = np.random.default_rng(seed).random(len(one)) < 0.5
    first, second = (runs(np.array(mask), np.array([0])) for mask in (one, other))
    expected = [
        (i, j, min(b, d) - max(a, c))
        for i, (a, b) in enumerate(zip(*first, strict=True))
        for j, (c, d) in enumerate(zip(*second, strict=True))
        if a < d and c < b
    ]
    pairs = overlaps(*first, *second)
    assert expected == list(zip(*(part.tolist() for part in pairs), strict=True))
    _, count = first_and_count(*first, *second)
    assert np.bincount(pairs.one, minlength=len(count)).tolist() == count.tolist()


# --- areas -------------------------------------------------------------------------------------


def test_the_area_takes_all_thresholds_unless_told_how_many():
    labels, inputs = golden_case("r20")
    scores = inputs["scores"]
    expected = float(naive_ranges.range_area(labels.tolist(), scores.tolist()))
    assert same(expected, aj.auc_pr_range(labels, scores), 1e-12)
    few = float(naive_ranges.range_area(labels.tolist(), scores.tolist(), most=5))
    assert same(few, aj.auc_pr_range(labels, scores, thresholds=5), 1e-12)
    assert not same(expected, few, 1e-4)


@pytest.mark.parametrize("most", range(1, 12))
def test_a_sample_of_thresholds_ends_with_the_highest(most):
    labels = filled(24, (3, 9), (14, 16), (20, 23))
    scores = np.random.default_rng(4).permutation(24) + 24 * (np.arange(24) == 5)
    expected = float(naive_ranges.range_area(labels.tolist(), scores.tolist(), most=most))
    found = RangeArea(thresholds=most)(scores.astype(float), Events.from_labels(labels))
    assert same(expected, found, 1e-12)


def test_recalls_that_are_equal_are_not_ordered_by_rounding():
    labels, inputs = golden_case("h40")
    settings = {"r_alpha": 0.5, "cardinality": "reciprocal"}
    sides = {"of_events": (0.5, "reciprocal"), "of_runs": (0, "reciprocal")}
    expected = naive_ranges.range_area(labels.tolist(), inputs["scores"].tolist(), **sides)
    assert same(float(expected), aj.auc_pr_range(labels, inputs["scores"], **settings), 1e-12)


def test_one_threshold_means_the_highest_and_the_lowest():
    labels, scores = filled(9, (2, 5)), np.array([1, 5, 9, 8, 2, 7, 3, 0, 4])
    both = RangeArea(thresholds=1)(scores.astype(float), Events.from_labels(labels))
    assert both == RangeArea(thresholds=2)(scores.astype(float), Events.from_labels(labels))


def test_the_corrected_area_is_that_of_the_curve_of_all_thresholds():
    labels, inputs = golden_case("h30")
    twin = naive.sweep(
        naive.raw, naive_ranges.corrected, labels.tolist(), inputs["scores"].tolist()
    )
    assert same(float(naive.auc_pr(*twin)), aj.ts_auc_pr(labels, inputs["scores"]), 1e-12)
