"""The quick ways to judge shifts are equal to judging each shift anew, and all are enumerated."""

from itertools import pairwise

import numpy as np
import pytest

import adjudge as aj
from adjudge.data.events import Events
from adjudge.noise.p_values import p_value
from adjudge.noise.shifting import rotation
from adjudge.noise.shifting.offsets import choose_offsets, every_offset, stream_of_offsets
from adjudge.noise.shifting.one_by_one import OneByOne
from adjudge.noise.shifting.rotation import Rotation, tenths
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.noise.shifting.shifted_flags import FlagShifts
from adjudge.noise.shifting.shifted_scores import RankSums, ScoreShifts
from noise import naive_shifts
from sampling import one_in

FLAGS = [
    *("f1", "precision", "recall", "mcc", "accuracy", "f1_pa", "precision_pa", "f1_kpa"),
    *("f1_kpa(k=0.5, strict=True)", "delay_f1", "delay_f1(k=2)", "delay_f1(k=None)"),
    *("f1_ba", "f1_ba(width=1)", "f1_ba(width=2)", "f1_ba(width=3)", "f1_ba(width=6)"),
    *("f1_ba(width=50)", 'f1_ba(width="iid")', "event_f1_ba", "event_f1_ba(width=4)"),
    *("event_f1", "event_precision", "event_recall", "event_coverage"),
    *("composite_f1", "segment_f1", "segment_precision", "revised_f1"),
]
SCORES = [
    *("best(f1)", "best(f1(beta=2))", "best(f1_pa)", "best(f1_kpa)"),
    *("best(f1_kpa(k=0.5, strict=True))", "best(f1_ba)", "best(f1_ba(width=1))"),
    *("best(f1_ba(width=2))", "best(f1_ba(width=6))", "best(f1_ba(width=50))"),
    *("best(delay_f1(k=2))", "auc_roc", "ap", "auc_pr"),
    *(f"{area}_{family}" for area in ("auc_roc", "ap", "auc_pr") for family in ("pa", "kpa", "ba")),
    *("auc_roc_kpa(k=0.5, strict=True)", "ap_ba(width=6)", "auc_pr_ba(width=1)"),
]
OTHERS = [
    *('f1_ba(islands="all")', 'f1_ba(border="shift")', "f1_kpa(tolerance=1)", "range_f1"),
    *("affiliation_f1", "detection_delay", "nab", 'f1(at="quantile(0.5)")', "separation"),
]


def random_shifts(case, rng, *, nearby):
    """Give a case's shifts, everywhere or by tenths, and some offsets."""
    bounds = tenths(case.events) if nearby else None
    lengths = np.maximum(case.events.judged_between(bounds), 1)
    return CaseShifts(case, None, bounds), np.stack([rng.integers(lengths) for _ in range(6)])


@pytest.mark.parametrize("nearby", [False, True])
@pytest.mark.parametrize("spec", FLAGS)
def test_shifted_flags_equal_the_slow_twin(spec, nearby):
    rng, metric = np.random.default_rng(0), aj.metric(spec)
    for _ in range(15):
        case = naive_shifts.random_case(rng, flags=True, points=rng.choice([40, 150]))
        shifting, by = random_shifts(case, rng, nearby=nearby)
        way, _ = shifting.way(metric)
        assert isinstance(way, FlagShifts)
        expected = naive_shifts.values(metric, case, by, shifting.bounds)
        np.testing.assert_allclose(way.values(by), expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("nearby", [False, True])
@pytest.mark.parametrize("spec", one_in(2, SCORES))
def test_shifted_scores_equal_the_slow_twin(spec, nearby):
    rng, metric = np.random.default_rng(0), aj.metric(spec)
    quick = 0
    for _ in range(15):
        case = naive_shifts.random_case(rng, flags=False, points=rng.choice([40, 150]))
        shifting, by = random_shifts(case, rng, nearby=nearby)
        way, _ = shifting.way(metric)
        quick += isinstance(way, ScoreShifts | RankSums)
        expected = naive_shifts.values(metric, case, by, shifting.bounds)
        np.testing.assert_allclose(way.values(by), expected, atol=1e-12, rtol=0)
    assert quick > 7


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("spec", one_in(2, FLAGS))
def test_what_is_looked_up_for_many_shifts_is_what_is_counted_for_one(spec, closed):
    rng, metric = np.random.default_rng(2), aj.metric(spec)
    for rare in (0.02, 0.3, 0.9):
        for _ in range(3):
            labels = naive_shifts.random_case(rng, flags=True, points=200).events
            flags = np.repeat(rng.random(labels.n) < rare, rng.integers(1, 4, labels.n))
            case = aj.Case(labels, flags[: labels.n])
            shifting, _ = random_shifts(case, rng, nearby=True)
            lengths = np.maximum(shifting.circles.lengths, 1)
            by = rng.integers(lengths, size=(1 + lengths.max(), lengths.size))
            way, _ = shifting.way(metric, closed=closed)
            alone = np.concatenate([way.values(one[np.newaxis]) for one in by])
            np.testing.assert_array_equal(way.values(by), alone)


CLOSED = [
    *("f1_ba", "f1_ba(width=2)", "f1_ba(width=6)", "f1_ba(width=50)", "f1_ba(width=3, beta=2)"),
    *("best(f1_ba)", "best(f1_ba(width=2))", "best(f1_ba(width=6))", "best(f1_ba(width=50))"),
    *("ap_ba", "ap_ba(width=6)"),
]


@pytest.mark.parametrize("nearby", [False, True])
@pytest.mark.parametrize("spec", one_in(3, CLOSED))
def test_islands_that_run_round_closed_circles_equal_the_slow_twin(spec, nearby):
    rng, metric = np.random.default_rng(0), aj.metric(spec)
    quick = 0
    for _ in range(25):
        flags = metric.at_one_threshold
        case = naive_shifts.random_case(rng, flags=flags, points=rng.choice([15, 40, 150]))
        shifting, by = random_shifts(case, rng, nearby=nearby)
        way, _ = shifting.way(metric, closed=True)
        if isinstance(way, OneByOne):
            continue
        expected = [naive_shifts.closed_value(metric, case, one, shifting.bounds) for one in by]
        np.testing.assert_allclose(way.values(by), expected, atol=1e-12, rtol=0)
        quick += 1
    assert quick > 12


@pytest.mark.parametrize("series", [None, np.repeat([0, 1], [25, 35])])
@pytest.mark.parametrize("spec", ["ap_ba(width=6)", "ap_ba(width=9)", "ap_ba(width=3)"])
def test_closed_circles_by_what_is_known_of_lines_equal_the_slow_twin(spec, series):
    """One series differs around its seam alone; several are counted anew."""
    rng, metric = np.random.default_rng(1), aj.metric(spec)
    differ = 0
    for _ in range(15):
        labels = np.zeros(60, bool)
        labels[rng.choice(60, 9, replace=False)] = True
        case = aj.Case(labels, rng.integers(30, size=60), series=series)
        shifting, by = random_shifts(case, rng, nearby=False)
        on_lines, closed = (shifting.way(metric, closed=round_)[0] for round_ in (False, True))
        ended = on_lines.values(by)
        expected = [naive_shifts.closed_value(metric, case, one, None) for one in by]
        np.testing.assert_allclose(closed.values(by), expected, atol=1e-12, rtol=0)
        differ += not np.allclose(ended, expected)
    assert differ > 7


@pytest.mark.parametrize("spec", ["f1_ba(width=7)", "best(f1_ba(width=7))"])
def test_on_closed_circles_labels_and_scores_may_turn_together(spec):
    rng, metric = np.random.default_rng(0), aj.metric(spec)
    labels, scores = np.zeros(60, int), (rng.random(60) < 0.1).astype(int)
    labels[2:9] = labels[50:53] = scores[58] = 1
    cases = [aj.Case(np.roll(labels, by), np.roll(scores, by)) for by in (0, 5, 20)]
    home = np.zeros((1, 1), np.int64)
    values = [CaseShifts(case).way(metric, closed=True)[0].values(home) for case in cases]
    assert values[0] == values[1] == values[2]
    assert len({metric.reading(case).value for case in cases}) > 1  # not so with ends


@pytest.mark.parametrize("spec", OTHERS[:4])
def test_what_is_judged_one_by_one_turns_by_tenths_too(spec):
    rng, metric = np.random.default_rng(0), aj.metric(spec)
    case = naive_shifts.random_case(rng, flags=True, points=90)
    shifting, by = random_shifts(case, rng, nearby=True)
    way, _ = shifting.way(metric)
    assert isinstance(way, OneByOne)
    np.testing.assert_array_equal(
        way.values(by), naive_shifts.values(metric, case, by, tenths(case.events))
    )


@pytest.mark.parametrize("spec", [*FLAGS, *SCORES, *OTHERS])
def test_p_values_of_small_cases_equal_brute_force_over_all_shifts(spec):
    rng, metric = np.random.default_rng(1), aj.metric(spec)
    for _ in range(8):
        case = naive_shifts.random_case(rng, flags=spec in FLAGS or spec in OTHERS[:7], points=14)
        null = naive_shifts.null_values(metric, case)
        assert null.exact
        assert null.size == len(naive_shifts.every_offset(case))
        found = p_value(metric.reading(case).value, null.values, metric.row.better)
        np.testing.assert_allclose(found, naive_shifts.p_value(metric, case), atol=1e-12)


@pytest.mark.parametrize("spec", ["best(f1_kpa)", "auc_pr_kpa", "best(f1_pa)", "ap_ba(width=9)"])
def test_wide_events_and_many_scores_equal_the_slow_twin(spec):
    rng = np.random.default_rng(0)
    labels = np.zeros(70_000, int)
    labels[10_000:50_000] = labels[60_000:60_700] = 1
    case, metric = aj.Case(labels, rng.permutation(70_000)), aj.metric(spec)
    by = rng.integers(70_000, size=(2, 1))
    found = CaseShifts(case).way(metric)[0].values(by)
    np.testing.assert_allclose(found, naive_shifts.values(metric, case, by), atol=1e-12, rtol=0)


def test_what_takes_too_much_memory_is_not_kept_for_the_next_metric(monkeypatch):
    case = aj.Case([0, 0, 1, 1, 0] * 4, np.arange(20.0))
    kept = naive_shifts.null_values(aj.ap, case).values
    monkeypatch.setattr("adjudge.noise.shifting.shifted_scores._KEPT", 0)
    np.testing.assert_array_equal(kept, naive_shifts.null_values(aj.ap, case).values)


def test_each_set_of_shifts_has_its_own_values():
    case, metric = aj.Case([0, 0, 1, 1, 0] * 4, np.arange(20) % 7 == 0), aj.metric("f1")
    shifting = CaseShifts(case)
    for by in (np.array([[1], [4]]), np.array([[2], [3]])):
        way, _ = shifting.way(metric)
        np.testing.assert_allclose(way.values(by), naive_shifts.values(metric, case, by))


def test_events_that_touch_are_two():
    events = aj.Events([3, 5], [5, 9], 20)
    rng = np.random.default_rng(0)
    for spec in ("event_f1", "f1_ba(width=5)", "f1_pa"):
        case, metric = aj.Case(events, rng.random(20) < 0.3), aj.metric(spec)
        way, _ = CaseShifts(case).way(metric)
        by = naive_shifts.every_offset(case)
        np.testing.assert_allclose(way.values(by), naive_shifts.values(metric, case, by))


@pytest.mark.parametrize("spec", ["f1", "auc_roc"])
def test_a_correlation_equals_sums_over_each_shift(spec):
    rng = np.random.default_rng(0)
    labels = np.repeat(rng.random(211) < 0.2, 3)
    case = aj.Case(labels, rng.random(633) < 0.2, where=rng.random(633) < 0.9)
    null = naive_shifts.null_values(aj.metric(spec), case)
    assert null.exact
    assert len(case.events) * null.size > 16 * case.events.n  # so it was a correlation
    by = naive_shifts.every_offset(case)[1:]
    expected = naive_shifts.values(aj.metric(spec), case, by)
    np.testing.assert_allclose(null.values, expected, atol=1e-12, rtol=0)


def test_what_has_no_quick_way_is_judged_one_by_one():
    case = aj.Case([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    for spec in ("best(event_f1)", "best(mcc)", "partial_auc_roc", "vus_roc"):
        assert isinstance(CaseShifts(case).way(aj.metric(spec))[0], OneByOne)


@pytest.mark.parametrize("spec", ["auc_roc", "ap", "best(f1_ba)"])
def test_the_lowest_score_of_all_is_a_score_like_any_other(spec):
    case = aj.Case([0, 0, 1, 1, 0], [0.1, 0.4, -np.inf, 0.8, -np.inf])
    by = naive_shifts.every_offset(case)
    way, _ = CaseShifts(case).way(aj.metric(spec))
    expected = naive_shifts.values(aj.metric(spec), case, by)
    np.testing.assert_allclose(way.values(by), expected, atol=1e-12)


def test_the_common_tables_of_a_case_are_made_once():
    shifting = CaseShifts(aj.Case([0, 0, 1, 1], [0, 1, 1, 0]))
    ways = [shifting.way(aj.metric(spec))[0] for spec in ("f1_pa", "f1_ba", "f1_pa(at=0.5)")]
    assert ways[0].flagged is ways[1].flagged is not ways[2].flagged
    areas = [shifting.way(metric)[0] for metric in (aj.ap, aj.auc_roc)]
    assert areas[0].scored is areas[1].scored


def test_many_points_are_drawn_and_few_are_enumerated():
    labels = np.zeros(30_000, int)
    labels[(np.arange(100) * 293)[:, np.newaxis] + np.arange(10)] = 1
    flags = np.roll(labels, 5)
    drawn = naive_shifts.null_values(aj.f1_ba, aj.Case(labels, flags))
    assert (drawn.size, drawn.exact) == (999, False)
    few = naive_shifts.null_values(aj.f1_ba, aj.Case(labels[:3000], flags[:3000]))
    assert (few.size, few.exact) == (3000, True)
    best = naive_shifts.null_values(
        aj.best(aj.f1_ba), aj.Case(labels, flags + np.linspace(0, 0.5, 30_000))
    )
    assert best.size >= 199


def test_offsets_of_several_series_are_all_combinations():
    lengths = np.array([2, 0, 3])
    by, exact = choose_offsets(lengths, 6, 4, np.random.default_rng(0))
    assert exact
    assert {(0, 0, 1), (0, 0, 2), (1, 0, 0), (1, 0, 1), (1, 0, 2)} == set(map(tuple, by.tolist()))
    by, exact = choose_offsets(lengths, 5, 4, np.random.default_rng(0))
    assert (by.shape, exact) == ((4, 3), False)


@pytest.mark.parametrize("lengths", [[7], [100, 99, 3], [2, 70_000], [5, 1, 9], [2**31 + 5, 6]])
def test_a_stream_of_offsets_is_what_numpy_draws(lengths, monkeypatch):
    lengths, key = np.array(lengths), [3, 4]
    for drawn in (1, 2, 501):
        by = np.random.default_rng(key).integers(lengths, size=(drawn, lengths.size))
        np.testing.assert_array_equal(stream_of_offsets(lengths, drawn, key), by)
        with monkeypatch.context() as small:
            small.setattr("adjudge.noise.shifting.offsets._AT_A_TIME", 4)
            np.testing.assert_array_equal(stream_of_offsets(lengths, drawn, key), by)


def test_very_many_combinations_are_not_multiplied_out():
    assert every_offset(np.full(50, 10)) == 1 << 62
    assert every_offset(np.array([3, 0, 1, 7])) == 21


def test_tenths_hold_equally_many_judged_points_and_cut_no_event():
    assert np.diff(tenths(aj.Events([], [], 200))).tolist() == [20] * 10
    where = np.arange(200) >= 100
    half = aj.Events.from_labels(np.zeros(200), where=where)
    assert np.diff(tenths(half)).tolist() == [110, *[10] * 9]
    rng = np.random.default_rng(0)
    for _ in range(200):
        case = naive_shifts.random_case(rng, flags=True, points=150)
        events, bounds = case.events, tenths(case.events)
        assert set(events.series_bounds) <= set(bounds)
        assert np.all(np.diff(bounds) > 0)
        assert bounds[0] == 0
        assert bounds[-1] == events.n
        cut = (events.starts[:, np.newaxis] < bounds) & (bounds < events.stops[:, np.newaxis])
        assert not cut.any()
        assert len(bounds) <= 1 + 10 * events.series_count


def test_a_tenth_turns_by_itself():
    labels = np.zeros(30, int)
    labels[13:16] = 1
    case = aj.Case(labels, np.arange(30.0))
    bounds = tenths(case.events)
    assert bounds.tolist() == [0, 3, 6, 9, 12, 16, 18, 21, 24, 27, 30]
    turned = case.turned(np.full(10, 1), bounds).scores
    for start, stop in pairwise(bounds):
        assert turned[start:stop].tolist() == [stop - 1, *range(start, stop - 1)]


def test_a_circle_is_laid_out_twice_without_what_is_not_judged():
    events = aj.Events.from_labels([0, 1, 0, 1, 0], series=list("aabbb"), where=[1, 1, 1, 0, 1])
    circles = Rotation(events)
    assert circles.twice(np.arange(5)).tolist() == [0, 1, 0, 1, 2, 4, 2, 4]
    assert circles.begins(np.array([1, 4]), np.array([[0, 0], [1, 1], [0, 1]])).tolist() == [
        [1, 0, 1],
        [5, 4, 4],
    ]


@pytest.mark.parametrize(
    ("spec", "points", "drawn"),
    [("vus_pr", 3_000, 199), ("vus_pr", 20_000, 31), ("vus_pr", 100_000, 19),
     ("best(range_f1)", 20_000, 62), ("best(etapr_f1)", 20_000, 19), ("nab(at=0.5)", 20_000, 199)],
)  # fmt: skip
def test_the_longer_a_reading_takes_the_fewer_shifts_are_read_and_never_too_few(
    spec, points, drawn
):
    labels = np.zeros(points, int)
    labels[points // 2 : points // 2 + 20] = 1
    case = aj.Case(labels, np.random.default_rng(0).random(points))
    way, budget = CaseShifts(case).way(aj.metric(spec))
    assert budget.chosen(way.work)[1] == drawn
    assert 1 / (1 + budget.fewest) <= 0.05  # a verdict can be had


@pytest.mark.parametrize("once", [True, False], ids=["laid once", "laid twice"])
def test_points_looked_up_by_themselves_are_those_of_whole_stretches(once, monkeypatch):
    rng = np.random.default_rng(2)
    monkeypatch.setattr(rotation, "LONGEST", 0 if once else 100_000)
    for _ in range(20):
        sizes = rng.integers(1, 40, 6)
        labels = np.convolve(rng.random(sizes.sum()) < 0.1, np.ones(3), "same") > 0
        where = rng.random(labels.size) < 0.9
        series = np.repeat(np.arange(6), sizes)
        events = Events.from_labels(labels, series=series, where=where)
        circles = rotation.Rotation(events)
        laid = circles.laid(rng.integers(0, 99, circles.size))
        by = rng.integers(0, np.maximum(circles.lengths, 1), (5, circles.lengths.size))
        found = []
        for limit in (0, 10**9):
            monkeypatch.setattr(rotation, "_SCATTERED", limit)
            sight = rotation.SeenPoints(circles, circles.of_events)
            parts = [part.tolist() for part in sight.by_length(laid, by)]
            found.append((sight.seen(laid, by).tolist(), parts))
        assert found[0] == found[1]
