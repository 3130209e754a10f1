"""Peaks: which scores may become alarms, at any threshold."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.adjust.peaks import Peaks
from adjudge.errors import InputError


def naive_peaks(scores, distance, series):
    """Walk down from the highest score, and look at every peak that was kept before."""
    kept = []
    for place in sorted(range(len(scores)), key=lambda t: (-scores[t], t)):
        near = (t for t in kept if series[t] == series[place] and abs(t - place) < distance)
        if scores[place] > -np.inf and not any(True for _ in near):
            kept.append(place)
    return [scores[t] if t in kept else -np.inf for t in range(len(scores))]


def drawn(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    scores = rng.integers(0, int(rng.choice([3, 50])), n).astype(float)
    scores[rng.random(n) < 0.1] = -np.inf
    series = np.sort(rng.integers(0, 3, n))
    return scores, int(rng.integers(1, 8)), series


@pytest.mark.parametrize("seed", range(60))
def test_peaks_equal_their_slow_twin(seed):
    scores, distance, series = drawn(seed)
    expected = naive_peaks(scores.tolist(), distance, series.tolist())
    assert aj.peaks(scores, distance=distance, series=series).tolist() == expected


def commutes(picked, scores, distance, series):
    """What is kept above a threshold depends on the scores above it alone."""
    whole = picked(scores, distance, series)
    return all(
        np.array_equal(
            np.where(whole > level, whole, -np.inf),
            picked(np.where(scores > level, scores, -np.inf), distance, series),
        )
        for level in np.unique(scores)
    )


def fast(scores, distance, series):
    return aj.peaks(scores, distance=distance, series=series)


@pytest.mark.parametrize("seed", range(100))
def test_peaks_commute_with_thresholding(seed):
    assert commutes(fast, *drawn(seed))


def test_the_law_rejects_taking_the_earliest_first():
    def first_come(scores, distance, series):
        kept, last = np.full(scores.size, -np.inf), -np.inf
        for place in np.flatnonzero(scores > -np.inf):
            if place - last >= distance:
                kept[place], last = scores[place], place
        return kept

    assert not all(commutes(first_come, *drawn(seed)) for seed in range(100))


def test_scores_become_alarms_at_a_distance():
    truth = aj.Changes([10, 30], 50)
    scores = np.zeros(50)
    scores[[9, 10, 11, 29, 31]] = [2, 3, 2, 1.5, 1]
    picked = aj.change_f1(margin=2, distance=5)
    assert picked(truth, scores, at=0.5) == 1
    assert aj.change_f1(truth, scores, margin=2, at=0.5) == 4 / 5  # three runs of flags
    best = aj.best(picked).reading(aj.Case(truth, scores))
    assert (best.value, best.at) == (1, 0)
    assert aj.curve(truth, scores, picked).thresholds.tolist() == [3, 1.5, 0, -np.inf]
    receipt = aj.explain(truth, scores, picked, at=0.5)
    assert receipt.alarms.start.tolist() == [10, 29]


def test_flags_and_positions_stay_as_they_are():
    flags, truth = [0, 1, 1, 0, 1, 0], aj.Changes([1, 4], 6)
    assert aj.change_f1(truth, flags, margin=0, distance=6) == 1
    assert aj.change_f1(truth, truth, margin=0, distance=6) == 1
    case = aj.Case(truth, flags)
    assert Peaks(6)(case.flags, case.events) is case.flags


def test_the_distance_is_checked():
    with pytest.raises(InputError, match="distance must be a whole number, at least 1, got 0"):
        aj.peaks([1, 2], distance=0)
