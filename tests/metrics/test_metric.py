"""Metrics as values: settings, thresholds, oracles, undefined values."""

import math
import sys

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.cache import CountCache
from adjudge.measure import rates

LABELS = [0, 0, 1, 1, 0, 1]
FLAGS = [0, 1, 1, 0, 0, 0]
SCORES = [0.1, 0.6, 0.8, 0.3, 0.2, 0.4]


def message(error, call):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


def test_arrays_give_a_float_and_settings_alone_a_metric():
    assert aj.f1(LABELS, FLAGS) == 0.4
    assert type(aj.f1(LABELS, FLAGS)) is float
    assert aj.f1_ba(width=5) == aj.metric("f1_ba(width=5)")
    assert aj.f1_ba(width=5)(LABELS, FLAGS) == aj.f1_ba(LABELS, FLAGS, width=5)


def test_settings_add_up_over_calls():
    assert aj.f1_ba(width=5)(islands="all") == aj.f1_ba(width=5, islands="all")
    assert aj.f1_ba(width=5)(width=7) == aj.f1_ba(width=7)


def test_equal_settings_are_equal_metrics_however_they_are_written():
    assert aj.f1_ba(islands="normal", margin=0) == aj.f1_ba
    assert aj.f1_ba(width=np.int64(5)) == aj.f1_ba(width=5)
    assert str(aj.f1_ba(width=np.int64(5))) == "f1_ba(width=5)"
    assert aj.f1_ba(width=5) != aj.f1_ba(width=6)
    assert aj.f1 != aj.f1_pa


def test_real_scores_without_a_threshold_are_refused_with_both_ways_out():
    expected = "f1_ba(width=3) has one value per threshold, and scores are not 0/1 flags"
    said = message(ValueError, lambda: aj.f1_ba(LABELS, SCORES, width=3))
    assert said.startswith(expected)
    assert "at=<threshold> (--at X)" in said
    assert "(--best)" in said


def test_a_threshold_flags_what_lies_strictly_above():
    assert aj.recall(LABELS, SCORES, at=0.3) == 2 / 3
    assert aj.recall(LABELS, SCORES, at=0.29) == 1


def test_a_rule_may_be_an_object_or_written():
    expected = aj.f1(LABELS, SCORES, at=aj.quantile(0.5))
    assert expected == aj.f1(LABELS, SCORES, at="quantile(0.5)")
    assert expected == aj.metric("f1(at=quantile(0.5))")(LABELS, SCORES)
    assert aj.precision(LABELS, SCORES, at=aj.top(1)) == 1


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: aj.auc_roc(at=0.5), "auc_roc judges every threshold at once, got at=0.5"),
        (lambda: aj.best(aj.f1)(at=0.5), "best(...) chooses the threshold itself, got at=0.5"),
        (lambda: aj.best(aj.f1(at=0.5)), "best(...) chooses the threshold itself, got at=0.5"),
        (lambda: aj.best(aj.ap), "ap judges every threshold at once; drop best(...)"),
        (lambda: aj.best("f1"), "best(...) takes a metric, got 'f1'; write metric('best(f1)')"),
        (lambda: aj.f1(LABELS), "scores must be given: write f1(labels, scores)"),
        (lambda: aj.f1(scores=FLAGS), "labels must be given: write f1(labels, scores)"),
        (
            lambda: aj.f1_ba(widht=5),
            "unknown setting 'widht', did you mean 'width'?; "
            "f1_ba takes width, islands, margin, border, reading, beta, at",
        ),
        (lambda: aj.ap(k=5), "unknown setting 'k'; ap takes no settings"),
        (
            lambda: aj.f1(at="best(f1)"),
            "at must not be chosen in hindsight; write best(...) around the metric instead",
        ),
        (
            lambda: aj.metric("f1_ba(5)"),
            "settings must be named, as in f1_ba(name=value), got f1_ba(5)",
        ),
        (lambda: aj.metric("best(f1, f1_pa)"), "best(...) takes one metric, got best(f1, f1_pa)"),
        (
            lambda: aj.metric("best(f1, width=5)"),
            "best(...) takes one metric, got best(f1, width=5)",
        ),
        (lambda: aj.metric("best(5)"), "best(...) takes one metric, got best(5)"),
        (lambda: aj.metric(5), "metric must be a spec such as 'f1_ba(width=5)', got 5"),
    ],
)
def test_wrong_use_is_told_with_the_fix(call, expected):
    assert expected == message(ValueError, call)


def test_an_unknown_metric_is_a_key_error_that_offers_the_nearest():
    said = message(KeyError, lambda: aj.metric("f1_bq"))
    assert said.startswith("unknown metric 'f1_bq', did you mean 'f1_ba' or ")
    listed = sum(row.listed for row in aj.catalogue.values())
    shows = f"`adjudge list` shows {listed}, `adjudge list --all` all {len(aj.catalogue)}"
    assert said.endswith(f"; {shows}")


def test_best_of_best_is_best():
    assert aj.best(aj.best(aj.f1)) == aj.best(aj.f1)


EVERY_FAMILY = ["", "_pa", "_kpa", "_ba"]


@pytest.mark.parametrize("family", EVERY_FAMILY)
@pytest.mark.parametrize(
    ("labels", "flags", "precision", "recall", "f1"),
    [
        ([0, 1, 1], [0, 0, 0], math.nan, 0.0, 0.0),
        ([0, 0, 0], [0, 1, 0], 0.0, math.nan, 0.0),
        ([0, 0, 0], [0, 0, 0], math.nan, math.nan, math.nan),
        ([1, 1, 1], [1, 1, 1], 1.0, 1.0, 1.0),
        ([1], [1], 1.0, 1.0, 1.0),
        ([1], [0], math.nan, 0.0, 0.0),
        ([0], [1], 0.0, math.nan, 0.0),
    ],
)
def test_undefined_is_nan_and_only_undefined_is(family, labels, flags, precision, recall, f1):
    expected = [precision, recall, f1]
    actual = [aj.metric(name + family)(labels, flags) for name in ("precision", "recall", "f1")]
    assert np.array_equal(expected, actual, equal_nan=True)


@pytest.mark.parametrize(
    ("spec", "labels", "scores"),
    [
        ("mcc", [0, 0, 1], [0, 0, 0]), ("mcc", [0, 0, 1], [1, 1, 1]),
        ("mcc", [0, 0, 0], [0, 1, 0]), ("mcc", [1, 1, 1], [0, 1, 0]),
        ("auc_roc", [0, 0, 0], [1, 2, 3]), ("auc_roc", [1, 1, 1], [1, 2, 3]),
        ("auc_pr", [0, 0, 0], [1, 2, 3]), ("ap", [0, 0, 0], [1, 2, 3]),
        ("balanced_accuracy", [0, 0, 0], [0, 1, 0]), ("balanced_accuracy", [1, 1], [0, 1]),
        ("event_f1", [0, 0], [0, 0]), ("event_precision", [0, 1], [0, 0]),
        ("event_recall", [0, 0], [0, 1]), ("event_coverage", [0, 1], [1, 0]),
        ("f1_dilated", [0, 0], [0, 0]),
        ("recall", [0, 0], [0, 1]),
    ],
)  # fmt: skip
def test_what_cannot_be_said_is_nan_unless_replaced(spec, labels, scores):
    assert math.isnan(aj.metric(spec)(labels, scores))
    assert aj.metric(spec)(labels, scores, zero_division=-1) == -1


@pytest.mark.parametrize(
    ("spec", "labels", "scores", "value"),
    [
        ("event_f1", [0, 1, 1], [0, 0, 0], 0.0), ("event_f1", [0, 0, 0], [0, 1, 0], 0.0),
        ("best(f1)", [0, 1], [1, -math.inf], 2 / 3),
        ("ap_pa", [0, 0, 1], [-math.inf, 1, -math.inf], 1 / 3),
        ("auc_roc", [0, 1, 0, 1], [7, 7, 7, 7], 0.5), ("ap", [0, 1, 0, 1], [7, 7, 7, 7], 0.5),
        ("best(f1)", [0, 1, 0, 1], [7, 7, 7, 7], 2 / 3),
    ],
)  # fmt: skip
def test_a_defined_value_is_never_replaced_because_the_input_looks_odd(spec, labels, scores, value):
    assert value == aj.metric(spec)(labels, scores)


def test_infinite_scores_are_ordered_like_any_and_minus_infinity_is_the_lowest():
    labels = [0, 1, 1, 0]
    scores = [-math.inf, math.inf, -math.inf, 3.0]
    lowest = -sys.float_info.max
    assert aj.recall(labels, scores, at=lowest) == 0.5
    assert aj.recall(labels, scores, at=-math.inf) == 1
    assert aj.best(aj.f1)(labels, scores) == 2 / 3
    assert aj.curve(labels, scores, "f1").thresholds.tolist() == [math.inf, 3.0, lowest, -math.inf]
    assert aj.curve(labels, scores, "f1").recall.tolist() == [0, 0.5, 0.5, 1]
    assert aj.auc_roc(labels, scores) == (1 + 1 + 0 + 0.5) / 4


def test_the_best_threshold_is_the_highest_among_equals():
    labels, scores = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]
    # {4}: 2/3, {4, 3}: 1/2, {4, 3, 2}: 4/5, everything: 2/3
    assert aj.curve(labels, scores, "f1").best() == (1.0, 0.8)
    assert aj.best(aj.f1).reading(aj.Case(labels, scores)) == (0.8, 1.0, "oracle")
    assert aj.best(aj.f1).reading(aj.Case([1, 0], [2.0, 2.0])).at == -math.inf
    assert aj.best(aj.recall).reading(aj.Case([1, 0, 0], [3.0, 2.0, 1.0])).at == 2.0


AT_SILENCE = {
    "accuracy": 1, "rand_index": 1, "false_alarm_rate": 0, "temporal_distance": 0, "alarm": 0,
    "wdd": 0, "regime_f1": 1, "regime_precision": 1, "regime_recall": 1, "regime_rand": 1,
    "regime_ari": 1, "regime_nmi": 1, "time_between_false_alarms": math.inf,
    "false_warning_rate": 0, "false_alarms": 0, "specificity": 1, "false_positive_rate": 0,
    "negative_predictive_value": 1, "time_in_alarm": 0, "false_time": 0, "costs": 0,
    "time_in_warning": 0,
}  # fmt: skip
"""What silence is worth where there is nothing to find; undefined by every other metric."""


@pytest.mark.parametrize(
    "name", [name for name, row in aj.catalogue.items() if row.needs == "flags"]
)
@pytest.mark.parametrize("scores", [[3.0, 1.0, 2.0, 2.0, 0.0], [0.5] * 5, [-math.inf] * 5])
def test_without_events_the_best_choice_is_silence(name, scores):
    case, expected = aj.Case([0] * 5, scores), AT_SILENCE.get(name, math.nan)
    found = aj.best(aj.metric(name)).reading(case)
    silent = aj.metric(name)([0] * 5, [0] * 5)
    assert (found.value, silent) == pytest.approx((expected, expected), nan_ok=True)
    assert not case.flagged(found.at).any()


@pytest.mark.parametrize(
    "name", [name for name, row in aj.catalogue.items() if row.metric.has_receipt]
)
def test_without_events_the_best_of_a_curve_is_silence_too(name):
    curve = aj.curve([0] * 5, [3, 1, 2, 2, 0], name)
    expected = AT_SILENCE.get(name, math.nan)
    assert curve.best() == pytest.approx((3, expected), nan_ok=True)


def test_one_event_among_several_series_is_something_to_find():
    labels, scores, series = [0, 0, 0, 1], [1, 2, 3, 4], ["a", "a", "b", "b"]
    assert aj.best(aj.f1)(labels, scores, series=series) == 1
    judged = [True, True, True, False]
    assert math.isnan(aj.best(aj.f1)(labels, scores, series=series, where=judged))


def test_flags_with_a_threshold_of_their_own_are_numbers_like_any():
    assert aj.f1(LABELS, FLAGS, at=0.5) == aj.f1(LABELS, FLAGS)
    assert aj.recall(LABELS, FLAGS, at=-1) == 1
    assert aj.recall(LABELS, FLAGS, at=1) == 0


def test_areas_of_one_call_share_one_count():
    case, counts = aj.Case(LABELS, SCORES), CountCache()

    def shared(metric):
        return counts.of(case, metric.parts.adjust, metric.parts.counting, None)

    aj.auc_roc.reading(case, counts)
    first = shared(aj.auc_roc)
    aj.ap.reading(case, counts)
    assert shared(aj.ap) is first
    aj.auc_roc_pa.reading(case, counts)
    assert shared(aj.auc_roc) is not first


def test_the_count_of_one_case_is_not_taken_for_that_of_another():
    counts, cases = CountCache(), [aj.Case(LABELS, s) for s in (SCORES, FLAGS)]
    values = [aj.auc_roc.reading(case, counts).value for case in cases * 2]
    assert values == [aj.auc_roc.reading(case).value for case in cases * 2]
    assert values[0] != values[1]


def test_a_receipt_of_an_area_is_refused():
    expected = "ap judges the scores as a whole; explain needs flags at one threshold"
    assert expected == message(ValueError, lambda: aj.explain(LABELS, SCORES, "ap"))


@pytest.mark.parametrize(("at", "by"), [(1.0, "given"), (aj.quantile(0.9), "rule")])
def test_the_flags_and_the_receipt_of_a_policy_are_those_of_what_it_raises(at, by):
    rng = np.random.default_rng(0)
    labels = np.repeat(rng.random(50) < 0.2, 4).astype(int)
    case = aj.Case(labels, rng.normal(size=200) + 2 * labels)
    policy = aj.policy(at, after=2)
    raised = policy.flags(case.scores)
    flags, level, chosen_by = aj.f1(at=policy).flags(case)
    assert np.array_equal(flags, raised)
    assert not np.array_equal(flags, case.scores > level)
    assert chosen_by == by
    ledger, flags, _ = aj.f1(at=policy).entries(case)
    assert ledger.tally == aj.f1.entries(aj.Case(labels, raised))[0].tally
    assert np.array_equal(flags, raised)


def test_precision_says_that_it_forgives_misses_and_recall_that_it_forgives_false_alarms():
    said = {
        measure: {row.name: row.forgives for row in aj.catalogue.values() if row.measure is measure}
        for measure in (rates.precision, rates.recall)
    }
    assert [] == [name for name, told in said[rates.precision].items() if "missed" not in told]
    assert [] == [name for name, told in said[rates.recall].items() if "false alarm" not in told]
    assert all(len(rows) > 10 for rows in said.values())


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("pate", "pate(early=100, delay=100, thresholds=250)"),
        ("vus_pr", 'vus_pr(window=100, thresholds=250, variant="original")'),
        ("vus_pr(thresholds=None)", 'vus_pr(window=100, thresholds=None, variant="original")'),
        ("pate_recall", "pate_recall(early=100, delay=100)"),
        ("nab", 'nab(profile="standard", probation=0)'),
        ("affiliation_f1_corrected", 'affiliation_f1_corrected(chance="zones")'),
        ("early_detection", "early_detection(share=0.1)"),
        ("false_alarm_rate", "false_alarm_rate(per=1)"),
        ("chamfer_distance", 'chamfer_distance(side="both")'),
    ],
)
def test_a_result_shows_the_settings_that_published_numbers_differ_by(name, shown):
    events = aj.Events.from_labels(LABELS)
    assert shown == aj.metric(name).resolved_spec(events)
