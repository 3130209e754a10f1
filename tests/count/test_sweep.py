"""Sweeping: counts that must be made anew at each threshold, and the grid they are made on."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

import adjudge as aj
from adjudge.adjust.adjustments import raw
from adjudge.count.contract import Counting
from adjudge.count.runs import Runs
from adjudge.count.tally import Mass, Masses, grid
from adjudge.measure.curves import best
from adjudge.measure.rates import FBeta, precision
from adjudge.metrics.metric import Row


@dataclass(frozen=True)
class RunsOneByOne(Counting):
    """Runs, without their masses."""

    def entries(self, flags, events, adjust):
        return Runs().entries(flags, events, adjust)


def alarms_per_point(flags, events):
    return float(np.mean(flags)) if flags.any() else math.nan


ONE_BY_ONE = Row("one_by_one", "", "", FBeta, count=RunsOneByOne).metric
WHOLE = Row("whole", "", "", alarms_per_point, count=None).metric
FEWEST = Row("few", "", "", alarms_per_point, count=None, better="lower").metric
ON_SCORES = Row(
    "top", "", "", lambda scores, _: scores.max(), count=None, needs="scores"
).metric  # fmt: skip


@pytest.fixture
def case():
    rng = np.random.default_rng(0)
    return aj.Case(rng.random(300) < 0.2, rng.random(300))


def test_the_grid_is_every_distinct_score_when_there_are_few():
    scores = np.array([0.5, -np.inf, 0.5, -0.0, 2.0])
    assert [2.0, 0.5, 0.0, -np.inf] == grid(scores, 250).tolist()
    assert not np.signbit(grid(scores, 250)[2])


@pytest.mark.parametrize("count", [1, 2, 7, 249])
def test_the_grid_has_as_many_scores_as_asked_for_and_holds_the_lowest(count):
    scores = np.random.default_rng(1).random(1000)
    chosen = grid(scores, count)
    assert count + 1 == len(chosen) == len(np.unique(chosen))
    assert scores.min() == chosen[-2]
    assert set(chosen[:-1]) <= set(scores)


def test_an_increasing_map_moves_the_grid_along():
    scores = np.random.default_rng(2).random(1000)
    assert np.exp(grid(scores, 20))[:-1].tolist() == grid(np.exp(scores), 20)[:-1].tolist()


def test_counting_one_by_one_gives_what_one_sort_gives(case):
    exact = Runs().counts(case.scores, case.events, raw)
    sampled = RunsOneByOne().counts(case.scores, case.events, raw)
    assert Runs().sweeps != RunsOneByOne().sweeps
    for expected, actual in zip(exact.sweep[1][:4], sampled.sweep[1][:4], strict=True):
        assert np.broadcast_to(expected, actual.shape).tolist() == actual.tolist()
    assert best(FBeta(), exact) == best(FBeta(), sampled)
    assert exact.at(0.5)[:4] == sampled.at(0.5)[:4]
    flags = case.scores > 0.5
    assert exact.at(0.5)[:4] == RunsOneByOne().tally(flags, case.events, raw)[:4]


def test_the_spec_of_an_oracle_names_the_grid_where_there_is_one(case):
    oracle = aj.best(ONE_BY_ONE)
    assert "best(one_by_one, thresholds=250)" == str(oracle)
    assert "best(one_by_one, thresholds=None)" == str(aj.best(ONE_BY_ONE, thresholds=None))
    assert "best(event_f1)" == str(aj.best(aj.event_f1, thresholds=9))
    coarse, fine = (aj.best(ONE_BY_ONE, thresholds=k).reading(case) for k in (3, None))
    assert fine == aj.best(aj.event_f1).reading(case)
    assert coarse.at < fine.at  # the highest of the best is not on the coarse grid


def test_a_spec_with_a_grid_reads_back():
    assert aj.best(aj.f1) == aj.metric("best(f1, thresholds=7)")
    with pytest.raises(aj.InputError, match=r"best\(...\) takes one metric"):
        aj.metric("best(f1, threshold=7)")
    with pytest.raises(aj.InputError, match="thresholds must be a whole number"):
        aj.best(ONE_BY_ONE, thresholds=0)


def test_a_curve_takes_as_many_thresholds_as_asked_for(case):
    assert 251 == len(ONE_BY_ONE.curve(case))
    assert 301 == len(ONE_BY_ONE.curve(case, thresholds=None))
    assert 301 == len(aj.event_f1.curve(case, thresholds=5))


def test_a_whole_metric_is_read_at_a_threshold_and_by_an_oracle(case):
    assert WHOLE(at=0.5).reading(case) == (float(np.mean(case.scores > 0.5)), 0.5, "given")
    highest = aj.best(WHOLE, thresholds=None).reading(case)
    assert (1.0, -np.inf, "oracle") == highest
    assert 1 / 300 == aj.best(FEWEST, thresholds=None).reading(case).value
    assert (case.scores.max(), None, "none") == ON_SCORES.reading(case)


def test_a_whole_metric_has_neither_curve_nor_receipt(case):
    own = "whole is a mean over several settings or a sum of its own"
    for metric in (WHOLE, WHOLE(at=0.5), aj.best(WHOLE)):
        with pytest.raises(aj.InputError) as refused:
            metric.curve(case)
        drawn = "so it has no single precision and recall to draw; best(whole) finds its threshold"
        assert f"{own}, {drawn}" == str(refused.value)
    with pytest.raises(aj.InputError) as refused:
        WHOLE.entries(case)
    assert f"{own}, so no single receipt explains it" == str(refused.value)
    with pytest.raises(aj.InputError) as refused:
        ON_SCORES.curve(case)
    assert f"{ON_SCORES} judges the scores as a whole, so it has no curve" == str(refused.value)
    assert not WHOLE.has_receipt
    assert ONE_BY_ONE.has_receipt
    assert not ON_SCORES.has_receipt


def test_a_receipt_of_an_oracle_is_that_of_its_threshold(case):
    ledger, flags, at = aj.best(ONE_BY_ONE).entries(case)
    assert flags.tolist() == (case.scores > at).tolist()
    assert aj.best(ONE_BY_ONE).reading(case).value == FBeta()(ledger.tally)


def test_less_is_better_where_the_row_says_so(case):
    row = Row("worst", "", "", precision, count=RunsOneByOne, better="lower")
    values = row.metric.curve(case, None).values
    assert np.nanmin(values) == row.metric.curve(case, None).best().value
    assert np.nanmin(values) == aj.best(row.metric, thresholds=None).reading(case).value


@pytest.mark.parametrize("seed", range(30))
def test_points_are_swept_by_their_places_as_by_looking_each_up(seed):
    rng = np.random.default_rng(seed)
    sides = [np.round(rng.normal(size=int(rng.integers(0, 30))), seed % 3) for _ in range(2)]
    for side in sides:
        side[rng.random(side.size) < 0.1] = rng.choice([-np.inf, np.inf, -0.0])
    if seed % 5 == 0:
        sides = [side > 0 for side in sides]
    found, false = (Mass(side.copy()) for side in sides)
    if seed % 2:
        _sorted = found.ascending, false.ascending
    quick = Masses(found, sides[0].size, None, false, (found, false))
    found, again, false = (Mass(side.copy()) for side in (sides[0], *sides))
    slow = Masses(found, sides[0].size, again, false, (found, false))  # looks each score up
    for one, other in zip(
        (quick.thresholds, *quick.sweep[1]), (slow.thresholds, *slow.sweep[1]), strict=True
    ):
        assert np.array_equal(one, other, equal_nan=True)
    assert not np.signbit(quick.thresholds[quick.thresholds == 0]).any()
