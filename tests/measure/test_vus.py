"""Metrics with buffers: by hand, against the slow twin, and what is undefined."""

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from adjudge import Case, Events
from adjudge.count import soft_points as soft_labels
from adjudge.count.soft_points import SoftPoints, near, slopes, soften, sums_by_group, zone_tops
from adjudge.errors import InputError
from adjudge.measure.whole import vus
from adjudge.measure.whole import vus as vus_flags
from adjudge.measure.whole.vus import VolumePr, VolumeRoc
from adjudge.metrics.reader import metric
from adjudge.metrics.rows.soft_labels import _BUFFERED as ROWS
from measure import naive_buffers
from small import cases
from values import close

GOLDEN = Path(__file__).parent.parent / "golden"
DIFFERENCES, CASES = (
    json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("differences", "cases")
)
METRICS = {row.name: row.metric for row in ROWS}
AREAS = [row.name for row in ROWS if row.needs == "scores"]
RATES = [row.name for row in ROWS if row.needs == "flags"]
VARIANTS = ["original", "aeon"]
S = math.sqrt(1 / 2)


def filled(n, intervals):
    inside = np.zeros(n, np.int8)
    for start, stop in intervals:
        inside[start:stop] = 1
    return inside


@cache
def inputs(case):
    n, events, flags = (CASES[case][field] for field in ("n", "events", "flags"))
    return filled(n, events), filled(n, flags)


def noisy(n, width, seed=0):
    """Events of one width on a tenth of the points, and scores that know a little of them."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(rng.random(n // width + 1) < 0.1, width)[:n]
    return Events.from_labels(labels), rng.normal(size=n) + labels


# --- by hand ---------------------------------------------------------------------------------

LABELS = [0, 0, 1, 0, 0, 0]
LATE = [0, 0, 1, 2, 0, 0]  # the highest score comes one point late


def test_windows_nought_and_one_have_no_buffer_so_a_late_alarm_is_false():
    for window in (0, 1):
        assert pytest.approx(1 / 2) == metric(f"vus_pr(window={window})")(LABELS, LATE)
        assert pytest.approx(4 / 5) == metric(f"vus_roc(window={window})")(LABELS, LATE)


def test_a_late_alarm_earns_its_soft_label():
    """The points beside the event are worth sqrt(1 - 1/2), and half of what is flagged is truth."""
    first = S / (1 + S / 2)  # recall at the highest threshold, where only the late point is flagged
    pr = first * S + (1 - first) * (1 + S) / 2
    false = [(1 - S) / (5 - S / 2), (1 - S) / (5 - S / 2), (5 - 2 * S) / (5 - S)]
    roc = false[0] * first / 2 + (false[2] - false[1]) + (1 - false[2])
    assert pytest.approx((1 / 2 + 1 / 2 + pr) / 3) == metric("vus_pr(window=2)")(LABELS, LATE)
    assert pytest.approx((4 / 5 + 4 / 5 + roc) / 3) == metric("vus_roc(window=2)")(LABELS, LATE)


def test_range_auc_counts_half_of_all_soft_labels_as_truth():
    first = S / (1 + S)
    recall = [0, first, 1, 1]
    precision = [1, S, (1 + S) / 2, (1 + 2 * S) / 6]
    steps = zip(recall, recall[1:], precision, precision[1:], strict=False)
    expected = sum((b - a) * (p + q) / 2 for a, b, p, q in steps)
    assert pytest.approx(expected) == metric("range_auc_pr(window=2)")(LABELS, LATE)


def test_the_slope_after_an_event_is_a_point_shorter_in_the_variant():
    early, late = [0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]
    for name in AREAS:
        original, aeon = (metric(f'{name}(window=2, variant="{variant}")') for variant in VARIANTS)
        assert close(original(LABELS, early), original(LABELS, late))
        assert aeon(LABELS, early) > aeon(LABELS, late) + 0.01


def test_the_rates_of_flags_by_hand():
    flags = [0, 1, 1, 0, 0, 0]
    wide = {"precision": (1 + S) / 2, "recall": 1, "f1": 2 * (1 + S) / (3 + S)}
    narrow = {"precision": 1 / 2, "recall": 1, "f1": 2 / 3}
    for name, value in wide.items():
        expected = (2 * narrow[name] + value) / 3
        assert pytest.approx(expected) == metric(f"vus_{name}(window=2)")(LABELS, flags)


def test_two_slopes_always_make_a_full_label():
    for window in range(2, 2000):
        assert 2 * math.sqrt(1 - (window // 2) / window) > 1


def test_zones_that_touch_are_two_for_vus_and_one_for_range_auc():
    events, scores = Events.from_labels([0, 1, 0, 0, 1, 0]), np.arange(6.0)
    for touching, expected in ((False, [2, 2, 1]), (True, [2, 1, 1])):
        tops = zone_tops(scores, events, range(5), touching=touching)
        assert expected == [top.size for top in tops]


# --- perfect scores and the crosswalk --------------------------------------------------------


def test_a_perfect_detector_tells_the_generations_apart():
    labels = [0, 0, 0, 1, 1, 0, 0, 0]
    assert 1 == metric("vus_pr(window=4)")(labels, labels)
    assert 1 == metric("vus_roc(window=4)")(labels, labels)
    older = metric('vus_pr(window=4, variant="aeon")')(labels, labels)
    assert pytest.approx(0.9622, abs=1e-4) == older
    assert metric("range_auc_pr(window=4)")(labels, labels) < 0.96


def test_the_notes_say_which_library_has_which_formula():
    for name in ("vus_roc", "vus_pr"):
        notes = METRICS[name].row.notes
        original, _, older = notes.partition('equal to variant="aeon"')
        for library in ("vus 0.0.6", "TSB-AD", "tsadmetrics", "TSAD_eval", "perfect scores get 1"):
            assert library in original
        for library in ("aeon 1.6", "TimeEval", "perfect scores get less", "thresholds=250", "100"):
            assert library in older
    assert all("Crosswalk" in row.notes for row in ROWS)
    assert max(len(line) for row in ROWS for line in row.notes.splitlines()) <= 100


# --- the slow twin ---------------------------------------------------------------------------


# every spec of the twins is visited by the law of twins; these are the ones with most to go wrong
@pytest.mark.parametrize(
    "spec",
    [
        'vus_pr(window=7, thresholds=3, variant="aeon")',
        "vus_roc(window=6)",
        'range_auc_roc(window=6, variant="aeon")',
        "vus_f1(window=7)",
    ],
)
@given(data=st.data())
def test_a_metric_equals_its_slow_twin(spec, data):
    judge = metric(spec)
    labels, scores, series, where = data.draw(cases(flags=judge.row.needs == "flags"))
    expected = naive_buffers.WHOLES[spec](labels, scores, series, where)
    assert close(expected, judge(labels, scores, series=series, where=where))


def exact_twin(name, window, variant):
    """The slow twin of an area over every distinct score."""
    area = naive_buffers.roc_area if "roc" in name else naive_buffers.pr_area
    late = variant == "aeon"
    if name.startswith("range"):
        return naive_buffers.at_window(area, window, None, late=late)
    return naive_buffers.volume(area, window, None, whole=late, late=late)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", AREAS)
@given(case=cases(), window=st.integers(0, 9))
def test_every_threshold_is_every_distinct_score(name, variant, case, window):
    labels, scores, series, where = case
    judge = METRICS[name](window=window, thresholds=None, variant=variant)
    expected = exact_twin(name, window, variant)(labels, scores, series, where)
    assert close(expected, judge(labels, scores, series=series, where=where))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", AREAS)
def test_every_threshold_of_a_longer_series_in_parts_that_are_judged(name, variant):
    rng = np.random.default_rng(5)
    labels = filled(300, [(20, 29), (33, 34), (150, 160), (210, 222), (295, 300)]).tolist()
    scores = np.round(rng.normal(size=300) + labels, 2).tolist()
    series, where = np.repeat([0, 1], [155, 145]).tolist(), (rng.random(300) < 0.9).tolist()
    judge = METRICS[name](window=7, thresholds=None, variant=variant)
    expected = exact_twin(name, 7, variant)(labels, scores, series, where)
    assert close(expected, judge(labels, scores, series=series, where=where))


@given(case=cases(flags=True), window=st.integers(0, 12))
def test_precision_equals_its_slow_twin_and_its_receipt(case, window):
    labels, flags, series, where = case
    tally = naive_buffers.soft_points(labels, flags, series, where, window=window)
    judge = METRICS["vus_precision"](window=window)
    given_to = Case(labels, flags, series=series, where=where)
    assert close(naive.precision(tally), judge.reading(given_to).value)
    ledger, *_ = judge.entries(given_to)
    assert pytest.approx(tally[:4]) == ledger.tally[:4]
    assert np.all(ledger.alarms.cost >= 0)


def test_a_twin_with_straight_slopes_is_told_apart(monkeypatch):
    judge, twin = metric("vus_pr(window=6)"), naive_buffers.volume(naive_buffers.pr_area, 6)
    labels, scores = [0, 0, 0, 1, 0, 0, 0, 0], [1, 2, 3, 2, 4, 3, 0, 1]
    assert close(twin(labels, scores, None, None), judge(labels, scores))
    monkeypatch.setattr(naive_buffers, "sqrt", lambda x: x)
    assert not close(twin(labels, scores, None, None), judge(labels, scores))


# --- the fast ways agree ---------------------------------------------------------------------


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("width", [1, 4, 30])
def test_counting_by_groups_sums_the_labels_of_the_points(width, late):
    events, _ = noisy(2000, width)
    found, windows = near(events, 12, late=late), range(3, 25)
    group = np.random.default_rng(1).integers(0, 7, found.points.size)
    one_by_one = soften(found.place, slopes(found, windows))
    together = sums_by_group(found.place, group, 7, slopes(found, windows))
    for labels, sums in zip(one_by_one, together, strict=True):
        for label, total in zip(labels, sums, strict=True):
            assert np.allclose(np.bincount(group, label, minlength=7), total, rtol=1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("measure", [VolumeRoc, VolumePr])
def test_blocks_do_not_change_the_areas(measure, variant, monkeypatch):
    events, scores = noisy(900, 6)
    settings = [(20, 250), (20, None), (9, 12)]
    whole = [measure(*chosen, variant)(scores, events) for chosen in settings]
    monkeypatch.setattr(vus, "_BLOCK", 7)
    monkeypatch.setattr(vus, "_BATCH", 900)
    monkeypatch.setattr(soft_labels, "_BLOCK", 50)
    parted = [measure(*chosen, variant)(scores, events) for chosen in settings]
    assert pytest.approx(whole, abs=1e-13) == parted


def test_every_score_is_a_threshold_when_there_are_few_and_not_when_there_are_many():
    for n, same in ((250, True), (3000, False)):
        events, scores = noisy(n, 10)
        grid, exact = (VolumePr(10, count)(scores, events) for count in (250, None))
        assert same == (grid == exact)
        assert pytest.approx(exact, abs=0.01) == grid


def test_the_mean_soft_label_is_the_mean_over_the_windows():
    events, _ = noisy(500, 3)
    found, windows = near(events, 20), range(41)
    rows = [row for labels in soften(found.place, slopes(found, windows)) for row in labels]
    flags = np.zeros(events.n, bool)
    flags[found.points] = True
    right = SoftPoints(40).masses(flags, events).at(False).right
    assert pytest.approx(np.mean(rows, axis=0).sum()) == right


@pytest.mark.parametrize("width", [1, 4, 30])
def test_rates_are_the_same_by_a_table_and_step_by_step(width, monkeypatch):
    events, scores = noisy(800, width)
    flags = (scores > 1).astype(int)
    for name in ("vus_recall", "vus_f1"):
        for window in (0, 1, 2, 7, 40):
            judge = METRICS[name](window=window)
            monkeypatch.setattr(vus_flags, "_TABLED", 1000)
            tabled = judge(events, flags)
            monkeypatch.setattr(vus_flags, "_TABLED", -1)
            assert close(tabled, judge(events, flags))


def test_windows_far_wider_than_the_series_are_no_trouble():
    labels, scores = [0, 1, 0, 0, 1], [1, 3, 2, 0, 4]
    twin = naive_buffers.at_window(naive_buffers.pr_area, 33_000)
    expected = twin(labels, scores, None, None)
    assert close(expected, metric("range_auc_pr(window=33000)")(labels, scores))


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS)
def test_dense_events_equal_the_slow_twin(variant):
    generation = naive_buffers.OLDER if variant == "aeon" else {}
    for width, seed in ((1, 0), (3, 1), (9, 2)):
        events, scores = noisy(400, width, seed)
        labels, rounded = events.labels.tolist(), np.round(scores, 2).tolist()
        for area, name in ((naive_buffers.pr_area, "vus_pr"), (naive_buffers.roc_area, "vus_roc")):
            expected = naive_buffers.volume(area, 12, 40, **generation)(labels, rounded, None, None)
            judge = METRICS[name](window=12, thresholds=40, variant=variant)
            assert close(expected, judge(labels, rounded))


# --- series and points that are not judged ---------------------------------------------------


def test_buffers_end_where_the_series_ends():
    labels, flags = [0, 0, 1, 0, 0, 0], [0, 0, 1, 1, 0, 0]
    one, two = None, ["a", "a", "a", "b", "b", "b"]
    together, apart = (
        metric("vus_precision(window=4)")(labels, flags, series=s) for s in (one, two)
    )
    assert together > apart == 1 / 2
    for name in AREAS:
        judge = METRICS[name](window=4)
        assert judge(labels, flags) > judge(labels, flags, series=two)


def test_alarms_in_a_series_without_events_cost():
    labels, quiet = [0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0]
    loud, series = [0, 0, 1, 0, 0, 2, 0, 0], ["a"] * 4 + ["b"] * 4
    for name in AREAS:
        judge = METRICS[name](window=2)
        assert judge(labels, quiet, series=series) > judge(labels, loud, series=series)
    for name in ("vus_precision", "vus_f1"):
        judge = METRICS[name](window=2, at=0)
        assert judge(labels, quiet, series=series) > judge(labels, loud, series=series)


def test_a_series_of_each_kind_is_one_large_case():
    events, scores = noisy(600, 5)
    series = np.repeat(np.arange(4), 150)
    expected = naive_buffers.volume(naive_buffers.pr_area, 6, 20)
    labels, scores = events.labels.tolist(), np.round(scores, 2).tolist()
    judge = metric("vus_pr(window=6, thresholds=20)")
    assert close(expected(labels, scores, series, None), judge(labels, scores, series=series))


@pytest.mark.parametrize("name", AREAS)
def test_a_point_that_is_not_judged_is_no_point(name):
    """Not even where a judged one has the same score, -inf, that unjudged points carry."""
    labels, scores = [0, 0, 1, 0, 0, 0, 0], [1, -math.inf, 3, 2, 2, 1, -math.inf]
    where = [1, 1, 1, 1, 1, 1, 0]
    expected = METRICS[name](window=2)(labels[:-1], scores[:-1])
    assert close(expected, METRICS[name](window=2)(labels, scores, where=where))


def test_distances_are_counted_across_points_that_are_not_judged():
    labels, flags, where = [0, 0, 0, 1], [0, 1, 0, 1], [1, 1, 0, 1]
    expected = (1 + 1 + 1 + 1 + (1 + S)) / 5  # at distance 2 only window 4 reaches
    actual = metric("vus_precision(window=4)")(labels, flags, where=where)
    assert pytest.approx(expected / 2) == actual


# --- undefined, and nearly so ----------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("window", [0, 1, 2, 100])
def test_areas_are_undefined_without_events_and_roc_without_normal_points(window, variant):
    scores = [0.1, 0.5, 0.5, 0.9]
    for name in AREAS:
        judge = METRICS[name](window=window, variant=variant)
        assert math.isnan(judge([0, 0, 0, 0], scores))
        everywhere = judge([1, 1, 1, 1], scores)
        assert math.isnan(everywhere) if "roc" in name else everywhere == 1


@pytest.mark.parametrize("window", [0, 1, 2, 100])
def test_rates_without_events_or_without_alarms(window):
    precision, recall, f1 = (
        METRICS[f"vus_{n}"](window=window) for n in ("precision", "recall", "f1")
    )
    events, nothing = [0, 1, 1, 0], [0, 0, 0, 0]
    assert math.isnan(precision(events, nothing))
    assert recall(events, nothing) == f1(events, nothing) == 0
    assert math.isnan(recall(nothing, events))
    assert precision(nothing, events) == f1(nothing, events) == 0
    assert all(math.isnan(rate(nothing, nothing)) for rate in (precision, recall, f1))
    assert all(rate([1, 1], [1, 1]) == 1 for rate in (precision, recall, f1))


def test_constant_scores_flag_all_at_once():
    labels = [0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    constant = [3.0] * 10
    assert pytest.approx(2 / 10) == metric("vus_pr(window=0)")(labels, constant)
    assert pytest.approx(1 / 2) == metric("vus_roc(window=0)")(labels, constant)
    assert metric("vus_roc(window=8)")(labels, constant) > 1 / 2


@pytest.mark.parametrize("name", AREAS)
def test_an_event_at_either_end_is_clipped_there(name):
    judge = METRICS[name](window=6)
    assert close(judge([1, 0, 0, 0], [3, 1, 2, 0]), judge([0, 0, 0, 1], [0, 2, 1, 3]))
    assert not math.isnan(judge([1, 0, 0, 1], [3, 1, 2, 0]))


@pytest.mark.parametrize("name", METRICS)
def test_one_point_is_enough(name):
    for label in (0, 1):
        value = METRICS[name]([label], [1])
        assert math.isnan(value) or value in (0, 1)


def test_settings_are_checked():
    for spec, hint in (
        ("vus_pr(window=-1)", "window must be a whole number, at least 0"),
        ("vus_pr(window=2.5)", "window must be a whole number"),
        ("vus_roc(thresholds=1)", "thresholds must be a whole number, at least 2"),
        ('range_auc_pr(variant="new")', "variant must be one of 'original', 'aeon'"),
        ("vus_precision(window=None)", "window must be a whole number"),
        ("vus_recall(window=-2)", "window must be a whole number"),
        ("vus_f1(window=-2)", "window must be a whole number"),
        ("vus_f1(beta=0)", "beta must be a positive number"),
    ):
        with pytest.raises(InputError, match=hint):
            metric(spec)


# --- a peer that differs on purpose ----------------------------------------------------------

PILED_UP = [row for row in DIFFERENCES if row["key"].startswith("tsb_ad:metric_VUS_pred")]


@pytest.mark.parametrize("row", PILED_UP, ids=lambda row: row["key"])
def test_labels_that_pile_up_over_the_windows_never_lower_a_rate(row):
    higher = {case for case, value in row["cases"].items() if value["theirs"] > value["ours"]}
    assert row["cases"].keys() == higher


@pytest.mark.parametrize("row", PILED_UP, ids=lambda row: row["key"])
def test_labels_that_pile_up_are_all_that_sets_the_peer_apart(row):
    place = ["Precision", "Recall", "F"].index(row["key"].rpartition("-")[2])
    window = dict(metric(row["spec"]).settings)["window"]
    for case, value in row["cases"].items():
        if CASES[case]["n"] <= 60:
            labels, flags = (values.tolist() for values in inputs(case))
            expected = naive_buffers.piled_up(labels, flags, window)[place]
            assert close(expected, value["theirs"], 1e-9)


def test_the_example_of_the_notes_is_right():
    labels, flags = inputs("h33")
    (row,) = (row["cases"]["h33"] for row in PILED_UP if row["spec"] == "vus_f1(window=20)")
    ours = metric("vus_f1(window=20)")(labels, flags)
    assert ("0.581", "0.544") == (f"{row['theirs']:.3f}", f"{ours:.3f}")
    example = "event [15, 22), alarm [21, 26), window 20: F 0.581 instead of 0.544"
    assert example in METRICS["vus_f1"].row.notes.replace("\n", " ")
