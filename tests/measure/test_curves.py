"""Curves: what they hold, and areas against scikit-learn's conventions."""

import os
import pickle
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.points import PointCount
from adjudge.count.tally import Mass, Masses
from adjudge.data.events import Events
from adjudge.measure import curves
from adjudge.measure.curves import LUNA, Curve, ap, area, auc_roc, best
from adjudge.measure.rates import FBeta

LABELS = [0, 0, 1, 1]
SCORES = [0.1, 0.4, 0.35, 0.8]


def test_a_curve_runs_from_nothing_to_everything_flagged():
    curve = aj.curve(LABELS, SCORES, "f1")
    assert curve.thresholds.tolist() == [0.8, 0.4, 0.35, 0.1, -np.inf]
    assert curve.tally.flagged.tolist() == [0, 1, 2, 3, 4]
    assert curve.recall.tolist() == [0, 0.5, 0.5, 1, 1]
    assert np.isnan(curve.precision[0])
    assert curve.precision[1:].tolist() == [1, 0.5, 2 / 3, 0.5]
    assert curve.f.tolist() == [0, 2 / 3, 0.5, 0.8, 2 / 3]
    assert len(curve) == 5


def test_a_curve_says_its_best():
    assert repr(aj.curve(LABELS, SCORES, "f1")) == "Curve(5 thresholds, best 0.8 above 0.1)"


def test_a_curve_of_another_rate_still_has_its_f1():
    curve = aj.curve(LABELS, SCORES, "precision")
    assert curve.best() == (0.4, 1.0)
    assert curve.f.tolist() == aj.curve(LABELS, SCORES, "f1").f.tolist()
    assert aj.curve(LABELS, SCORES, "f1(beta=2)").f.max() == pytest.approx(10 / 11)


def test_a_curve_of_an_area_is_the_curve_under_which_it_lies():
    area, curve = aj.curve(LABELS, SCORES, "auc_roc_pa"), aj.curve(LABELS, SCORES, "f1_pa")
    assert isinstance(area, Curve)
    assert area.f.tolist() == curve.f.tolist()


def test_minus_zero_and_zero_are_one_threshold():
    curve = aj.curve([0, 1, 0], [0.0, 1.0, -0.0], "f1")
    assert curve.thresholds.tolist() == [1.0, 0.0, -np.inf]
    assert not np.signbit(curve.thresholds[1])


def test_scores_one_ulp_apart_are_two_thresholds():
    above = np.nextafter(1.0, 2)
    assert len(aj.curve([0, 1], [1.0, above], "f1")) == 3
    assert aj.best(aj.f1)([0, 1], [1.0, above]) == 1


def test_the_areas_follow_their_conventions():
    """Trapezoids start at recall 0, precision 1; steps interpolate nothing."""
    assert aj.auc_roc(LABELS, SCORES) == 0.75
    assert aj.ap(LABELS, SCORES) == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)
    assert aj.auc_pr(LABELS, SCORES) == pytest.approx(0.5 * 1 + 0.5 * (0.5 + 2 / 3) / 2)


def test_an_exceedance_count_with_weights_sums_them():
    mass = Mass(np.array([1.0, 3.0, 2.0]), weights=np.array([0.5, 0.25, 1.0]))
    assert mass.above(1.0) == 1.25
    assert mass.sweep(np.array([3.0, 1.0, -np.inf])).tolist() == [0, 1.25, 1.75]
    assert mass.reaching(np.array([2.0, 9.0])).tolist() == [1.25, 0]


def test_best_f_scans_more_candidates_than_fit_one_block():
    rng = np.random.default_rng(3)
    scores = rng.random(300_000)
    labels = (scores + rng.normal(0, 0.5, scores.size)) > 0.6
    found = aj.best(aj.f1).reading(aj.Case(labels, scores))
    assert (found.at, found.value) == aj.curve(labels, scores, "f1").best()


def test_best_f_keeps_the_block_that_was_best():
    """The last 4,000 anomalous points rank below half a million normal ones."""
    labels = np.concatenate([np.ones(65_536), np.zeros(500_000), np.ones(4_000)])
    scores = -np.arange(labels.size, dtype=float)
    found = aj.best(aj.f1).reading(aj.Case(labels, scores))
    assert (found.at, found.value) == (-65_536.0, 131_072 / 135_072)


AREAS = """
import numpy as np, adjudge as aj
rng = np.random.default_rng(0)
for _ in range(8):
    labels, scores = rng.random(60_000) < 0.1, rng.random(60_000)
    print(repr([float(metric(labels, scores)) for metric in (aj.auc_roc, aj.auc_pr, aj.ap)]))
"""


@pytest.mark.long
def test_areas_do_not_depend_on_the_threads_of_linear_algebra():
    names = "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"
    said = [
        subprocess.run(
            [sys.executable, "-c", AREAS], env={**os.environ, **dict.fromkeys(names, threads)},
            capture_output=True, check=True,
        ).stdout
        for threads in ("1", "4")
    ]  # fmt: skip
    assert said[0] == said[1]


@pytest.mark.parametrize("seed", range(8))
def test_the_best_of_weighted_masses_is_the_largest_of_all(seed):
    """Short cuts are for masses that are counted one by one."""
    rng = np.random.default_rng(seed)
    found = Mass(rng.integers(0, 6, 5) / 1.0, weights=rng.integers(1, 9, 5))
    false = Mass(rng.integers(0, 6, 9) / 1.0)
    masses = Masses(found, int(found.weights.sum()), None, false, (found, false))
    thresholds, tally = masses.sweep
    values = FBeta()(tally)
    place = int(np.argmax(values))
    assert (thresholds[place], values[place]) == pytest.approx(best(FBeta(), masses, lower=False))


def test_budgets_are_those_of_the_lung_nodule_challenge():
    assert tuple(2.0**power for power in range(-3, 4)) == LUNA


def scored(seed, points=400, share=0.1, decimals=None):
    """Labels in runs, and scores that know something of them, with ties if they are rounded."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(rng.random(points // 20) < share, 20)
    labels[0] = True
    scores = rng.random(labels.size) + rng.choice([-0.5, 0, 0.3, 2]) * labels
    return labels, scores if decimals is None else scores.round(decimals)


def pairs_won(labels, scores):
    """The area as it is defined: pairs in which the anomalous point is ahead, ties as a half."""
    ahead = [Fraction(int(a > b) + int(a >= b), 2) for a in scores[labels] for b in scores[~labels]]
    return float(sum(ahead) / len(ahead))


@pytest.mark.parametrize("seed", range(6))
def test_the_roc_area_is_the_share_of_pairs_that_are_won_rounded_once(seed):
    labels, scores = scored(seed, decimals=seed % 3)
    assert aj.auc_roc(labels, scores) == pairs_won(labels, scores)
    assert aj.auc_roc(labels, scores.astype(np.float32)) == pairs_won(
        labels, scores.astype(np.float32)
    )


@pytest.mark.parametrize("name", ["ap", "ap_pa", "ap_kpa", "ap_ba", "auc_roc", "auc_roc_ba"])
@pytest.mark.parametrize("seed", range(4))
def test_areas_by_order_are_those_of_the_curve(name, seed):
    labels, scores = scored(seed, decimals=1 if seed % 2 else None)
    where = np.random.default_rng(seed).random(labels.size) < 0.8
    for judged in (None, where):
        measure, adjust, count = aj.catalogue[name].metric.parts
        case = aj.Case(labels, scores, where=judged)
        masses = count.counts(case.scores, case.events, adjust)
        found = area(measure, masses)
        assert masses.counts_points
        exact = measure is ap  # the same terms in the same order
        assert found == (measure(Curve(masses)) if exact else pytest.approx(measure(Curve(masses))))


def test_an_event_that_nothing_finds_is_found_by_no_step():
    masses = PointCount().masses(np.array([-np.inf, 2.0, 1.0, -np.inf]), Events([0], [2], 4))
    assert area(ap, masses) == measure_of(ap, masses) == 0.5
    assert area(auc_roc, masses) == measure_of(auc_roc, masses)


def measure_of(measure, masses):
    return measure(Curve(masses))


def is_the_best_of_the_curve(labels, scores, metric):
    """What the law says: pruning changes neither the value nor the threshold."""
    found = aj.best(metric).reading(aj.Case(labels, scores))
    return (found.value, found.at) == tuple(aj.curve(labels, scores, metric).best())[::-1]


@pytest.mark.parametrize("metric", ["f1_ba", "event_f1", "etapr_f1"])
def test_a_curve_may_be_pickled_before_it_is_read(metric):
    labels, scores = scored(2)
    curve = aj.curve(labels, scores, metric)
    sent = pickle.loads(pickle.dumps(curve))  # noqa: S301 - our own
    assert sent.thresholds.tolist() == curve.thresholds.tolist()
    assert sent.best() == curve.best()


@pytest.mark.parametrize("seed", range(5))
def test_threads_may_share_a_curve_that_nobody_has_read(seed):
    labels, scores = scored(seed, 60_000)
    expected = aj.curve(labels, scores, "f1").precision
    curve = aj.curve(labels, scores, "f1")
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: curve.precision, range(8)))
    assert all(np.array_equal(one, expected, equal_nan=True) for one in found)


PRUNED = [aj.f1, aj.f1_pa, aj.f1_kpa, aj.f1_ba, aj.f1(beta=2), aj.f1(beta=0.5)]


@pytest.mark.parametrize("metric", PRUNED, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_the_best_f_is_that_of_the_curve_where_most_scores_are_never_sorted(metric, seed):
    labels, scores = scored(seed, 30_000, 0.02, decimals=(None, 1, 3, 2)[seed])
    assert is_the_best_of_the_curve(labels, scores, metric)


def test_a_bound_that_is_too_tight_breaks_the_law(monkeypatch):
    def careless(masses, lowest, rate):
        return Mass(masses.false.values[masses.false.values > 0.9]), masses.found.values.size // 2

    monkeypatch.setattr(curves, "_that_matter", careless)
    cases = [scored(seed, 30_000, 0.02) for seed in range(4)]
    assert not all(is_the_best_of_the_curve(*case, aj.f1) for case in cases)


def test_float32_scores_keep_their_precision():
    labels, scores = scored(5, 2_000)
    narrow = aj.Case(labels, scores.astype(np.float32))
    wide = aj.Case(labels, narrow.given.astype(np.float64))
    assert narrow.own_scores.dtype == np.float32
    for metric in (*map(aj.best, PRUNED), aj.ap, aj.auc_roc, aj.auc_pr):
        assert metric.reading(narrow) == metric.reading(wide)
    assert "scores" not in vars(narrow)
    low = aj.Case([0, 1], np.array([-np.inf, 1], np.float32))
    assert low.own_scores.dtype == np.float64


PER_POINT = {
    "ap": aj.ap,
    "auc_roc": aj.auc_roc,
    "best": aj.best(aj.f1_ba),
    "curve": lambda labels, scores: aj.curve(labels, scores, "f1_ba"),
    "evaluate": lambda labels, scores: aj.evaluate(labels, scores, chance=False),
}


@pytest.mark.parametrize("job", PER_POINT)
def test_a_point_takes_at_most_24_bytes_beyond_the_input(job):
    labels, scores = scored(1, 1_000_000)
    PER_POINT[job](labels[:100], scores[:100])  # imports
    tracemalloc.start()
    _kept = PER_POINT[job](labels, scores)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak / labels.size <= 24


@pytest.mark.long
def test_a_point_takes_at_most_40_bytes_beyond_the_input_with_chance():
    labels = np.zeros(1_000_000, int)
    labels[np.arange(100, 999_000, 1000)[:, np.newaxis] + np.arange(100)] = 1
    scores = np.random.default_rng(0).random(labels.size) + 0.3 * labels
    aj.evaluate(labels[:1000], scores[:1000])  # imports
    tracemalloc.start()
    _kept = aj.evaluate(labels, scores)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak / labels.size <= 40


def test_a_sample_of_false_alarms_that_misleads_changes_nothing():
    """Every normal point that is looked at first is high, and nearly all others are low."""
    normal, anomalous = 1 << 17, 10_000
    scores = np.zeros(normal + anomalous)
    scores[:normal:32] = 0.5
    scores[normal:] = np.where(np.arange(anomalous) < anomalous // 2, 1.0, 0.4)
    labels = np.repeat([0, 1], [normal, anomalous])
    curve = aj.curve(labels, scores, "f1")
    assert aj.best(aj.f1)(labels, scores) == np.nanmax(curve.f)
