"""Intersections: the sweep over nested runs is what counting anew at each threshold gives."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.adjust.adjustments import raw
from adjudge.count.intersections import Intersections
from adjudge.count.tally import grid

SHAPES = {
    "noise": lambda rng, n: rng.random(n),
    "ties": lambda rng, n: rng.integers(0, 5, n).astype(float),
    "waves": lambda rng, n: np.convolve(rng.random(n + 8), np.ones(9) / 9, "valid"),
    "a ramp": lambda rng, n: np.arange(n) + 0.0 * rng.random(n),
}


def drawn(shape, seed, n=100):
    """Long events, so that runs lie within them, cut them, and hold several."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(rng.random(n) < 0.4, rng.integers(1, 12, n))[:n]
    series = np.repeat([0, 1], [n // 3, n - n // 3]) if seed % 2 else None
    where = rng.random(n) < 0.95 if seed % 3 else None
    return aj.Case(labels, SHAPES[shape](rng, n), series=series, where=where)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("dtc", "gtc"), [(0.5, 0.5), (0.1, 0.9), (1.0, 0.1)])
def test_the_sweep_is_what_a_count_at_each_threshold_gives(shape, dtc, gtc):
    counting = Intersections(dtc, gtc)
    for seed in range(4):
        case = drawn(shape, seed)
        thresholds, tally = counting.counts(case.scores, case.events, raw).sweep
        flags = (case.scores > level for level in thresholds)
        slow = [counting.entries(each, case.events, raw).tally[:4] for each in flags]
        columns = np.broadcast_arrays(*tally[:4])
        assert slow == list(zip(*(column.tolist() for column in columns), strict=True))


def test_the_oracle_is_not_bound_to_a_grid():
    """Among 400 distinct scores only one threshold finds the event without a false alarm."""
    labels = np.zeros(400, bool)
    labels[396:] = True
    scores = np.append(np.arange(0, 396) * 7 % 396, [398, 396, 399, 397])
    assert 395 not in grid(scores, 250)
    assert 1 == aj.best(aj.intersection_f1(gtc=1))(labels, scores)
    assert "best(intersection_f1(gtc=1))" == str(aj.best(aj.intersection_f1(gtc=1)))


def test_the_area_over_thresholds_is_made_of_counts_one_by_one():
    case = drawn("waves", 6, 900)
    found, false = [0.0], [0.0]
    for level in grid(case.scores, None):
        tally = Intersections().entries(case.scores > level, case.events, raw).tally
        found.append(tally.found / tally.truth)
        false.append((tally.flagged - tally.right) * 100 / 900)
    places = sorted({0.0, *(x for x in false if x < 10)})
    widths = np.diff([*places, 10])
    best = [max(f for f, x in zip(found, false, strict=True) if x <= place) for place in places]
    psds = aj.psds(per=100, max_rate=10)
    assert psds.reading(case).value == pytest.approx(widths @ best / 10, abs=1e-12)


def test_a_perfect_ranking_has_the_whole_area_however_many_scores_there_are():
    """Among 5,000 distinct scores one threshold parts the events from the rest."""
    rng = np.random.default_rng(0)
    labels = np.zeros(5000, bool)
    labels[1000:1100] = labels[3000:3200] = True
    assert 1 == aj.psds(labels, rng.random(5000) + labels)


def test_the_steps_of_a_whole_area_sum_to_no_more_than_all_of_it():
    labels, scores = [1, 1, 0, 0, 0, 0, 0], [9, 9, 6, 0, 7, 3, 5]
    assert aj.psds(labels, scores, per=3, max_rate=5) == 1  # in steps of 3/7: 1.0000000000000002
