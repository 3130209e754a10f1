"""The null of shifted alarms: what a shift is, and that its p-values can be trusted."""

import copy
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.noise.p_values import p_value
from adjudge.noise.shifting.offsets import generator
from messages import refused
from noise.naive_shifts import null_values

POINTS = 600
LABELS = np.zeros(POINTS, int)
for start in (37, 118, 245, 301, 433, 540):  # no shift brings them back upon themselves
    LABELS[start : start + 12] = 1


def shift_values(*arguments, **options):
    """Give the values alone."""
    return null_values(*arguments, **options).values


def turned_one_by_one(scores, series, where, offsets):
    """Shift point by point: the slow twin."""
    result = list(scores)
    for number, name in enumerate(dict.fromkeys(series)):
        circle = [i for i in range(len(scores)) if series[i] == name and where[i]]
        for place, point in enumerate(circle):
            source = (place - offsets[number]) % len(circle)
            result[point] = scores[circle[source]]
    return result


def label_blind_flags(kind, rng):
    """Flag about 4 % of the points: each on its own, or in blocks of 10 around a circle."""
    if kind == "iid":
        return rng.random(POINTS) < 0.04
    flags = np.zeros(POINTS, bool)
    flags[(rng.integers(POINTS, size=(3, 1)) + np.arange(10)) % POINTS] = True
    return flags


def label_blind_scores(kind, rng):
    """Draw scores: each on its own, or sums over 10 neighbours around a circle."""
    noise = rng.normal(size=POINTS)
    if kind == "iid":
        return noise
    return sum(np.roll(noise, lag) for lag in range(10))


def test_one_series_is_rolled():
    scores = np.random.default_rng(0).random(POINTS)
    case = aj.Case(LABELS, scores)
    for by in (0, 1, 17, POINTS - 1, POINTS, -3, 10 * POINTS + 5):
        assert np.roll(scores, by).tolist() == case.turned(by).scores.tolist()


def test_labels_and_name_stay_and_flags_stay_flags():
    case = aj.Case(LABELS, LABELS.astype(np.int8), name="mine")
    turned = case.turned(5)
    assert case.events is turned.events
    assert "mine" == turned.name
    assert turned.is_flags
    assert not aj.Case(LABELS, LABELS / 2).turned(5).is_flags


@given(data=st.data())
def test_every_series_turns_its_judged_points_as_the_slow_twin_does(data):
    lengths = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    n = sum(lengths)
    series = np.repeat(np.arange(len(lengths)), lengths)
    where = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    where[data.draw(st.integers(0, n - 1))] = True
    offsets = data.draw(st.lists(st.integers(-9, 9), min_size=len(lengths), max_size=len(lengths)))
    scores = data.draw(st.permutations(range(n)))
    case = aj.Case(np.arange(n) % 2, scores, series=series, where=where)
    expected = np.array(turned_one_by_one(scores, series.tolist(), where, offsets), float)
    turned = case.turned(np.array(offsets)).scores
    assert expected[where].tolist() == turned[where].tolist()


def test_every_series_turns_alike_when_one_number_is_given():
    case = aj.Case([0, 1, 0, 1, 0], [1, 2, 3, 4, 5], series=list("aabbb"))
    assert [2, 1, 5, 3, 4] == case.turned(1).given.tolist()


def test_points_that_are_not_judged_stay_unflagged():
    where = np.arange(POINTS) % 3 > 0
    case = aj.Case(LABELS, np.random.default_rng(0).random(POINTS), where=where)
    assert np.all(case.turned(7).scores[~where] == -np.inf)
    assert np.all(case.turned(7).scores[where] > -np.inf)


def test_the_case_does_not_change():
    scores = np.random.default_rng(0).random(POINTS)
    before = scores.copy()
    case = aj.Case(LABELS, scores)
    metric = aj.best(aj.f1_ba)
    value = metric.reading(case).value
    turned = case.turned(30)
    assert value != metric.reading(turned).value
    assert aj.best(aj.f1_ba)(LABELS, np.roll(before, 30)) == metric.reading(turned).value
    assert before.tolist() == scores.tolist() == case.scores.tolist()
    assert value == metric.reading(case).value


@pytest.mark.parametrize("by", [1.5, True, "3", [1, 2, 3], [[1, 2]], 2**70])
def test_an_offset_must_be_whole_and_one_per_series(by):
    case = aj.Case([0, 1, 0, 1], [1, 2, 3, 4], series=list("aabb"))
    with refused(f"offsets must be a whole number, or one for each of 2 lines, got {by!r}"):
        case.turned(by)


def test_the_null_holds_one_value_per_shift_and_fewer_shifts_are_the_first_of_more():
    case = aj.Case(LABELS, label_blind_flags("iid", np.random.default_rng(1)))
    null = shift_values(aj.f1_ba, case, shifts=30)
    assert (30,) == null.shape
    assert null[:10].tolist() == shift_values(aj.f1_ba, case, shifts=10).tolist()
    assert (POINTS - 1,) == shift_values(aj.f1, case).shape


def test_the_same_seed_gives_the_same_null_and_the_global_state_is_left_alone():
    case = aj.Case(LABELS, label_blind_flags("iid", np.random.default_rng(1)))
    state = copy.deepcopy(np.random.get_state())  # noqa: NPY002 - the very thing to look at
    first = shift_values(aj.f1_ba, case, 20, seed=3)
    assert first.tolist() == shift_values(aj.f1_ba, case, 20, seed=3).tolist()
    assert first.tolist() == shift_values(aj.f1_ba, case, 20, np.random.default_rng(3)).tolist()
    assert first.tolist() != shift_values(aj.f1_ba, case, 20, seed=4).tolist()
    after = np.random.get_state()  # noqa: NPY002
    assert state[1].tolist() == after[1].tolist()
    assert state[2:] == after[2:]


def test_series_draw_their_offsets_independently():
    labels, flags = np.tile([0, 0, 0, 0, 1], 2), np.tile([0, 0, 0, 0, 1], 2)
    case = aj.Case(labels, flags, series=np.repeat([0, 1], 5))
    null = shift_values(aj.recall, case, shifts=500)
    assert [0] * 16 + [0.5] * 8 == sorted(null)  # all 25 but for no shift, which finds both


def test_a_series_without_judged_points_has_nothing_to_turn():
    where = [1, 1, 0, 0]
    case = aj.Case([0, 1, 0, 1], [1, 0, 1, 0], series=list("aabb"), where=where)
    assert [1] == shift_values(aj.recall, case, shifts=50).tolist()  # the other of two


def test_the_selection_is_done_anew_on_each_shift():
    scores = label_blind_scores("iid", np.random.default_rng(2))
    case = aj.Case(LABELS, scores)
    offsets = [np.random.default_rng(5).integers([POINTS])]
    for metric in (aj.best(aj.f1), aj.f1(at="quantile(0.9)"), aj.auc_roc):
        expected = metric(LABELS, np.roll(scores, offsets[0]))
        assert [expected] == shift_values(metric, case, 1, seed=5).tolist()


@pytest.mark.parametrize("shifts", [0, -1, 2.0, True])
def test_the_number_of_shifts_must_be_whole_and_positive(shifts):
    with refused(f"shifts must be a whole number, at least 1, got {shifts!r}"):
        shift_values(aj.f1, aj.Case([0, 1], [0, 1]), shifts)


@pytest.mark.parametrize("seed", [-1, 1.5, None, "0"])
def test_a_seed_must_be_a_whole_number_or_a_generator(seed):
    with refused(f"seed must be a whole number, at least 0, got {seed!r}"):
        generator(seed)


def test_the_p_value_counts_the_value_among_its_own_null():
    assert 1 / 5 == p_value(1, np.array([0, 0.1, 0.2, 0.3]))
    assert 3 / 5 == p_value(0.2, np.array([0, 0.1, 0.2, 0.3]))
    assert 5 / 5 == p_value(0, np.array([0, 0.1, 0.2, 0.3]))


def test_for_a_lower_is_better_metric_the_other_side_counts():
    null = np.array([0, 0.1, 0.2, 0.3])
    assert 2 / 5 == p_value(0, null, "lower")
    assert 4 / 5 == p_value(0.2, null, "lower")


def test_rounding_does_not_decide_a_tie():
    assert 1 == p_value(0.1 + 0.2, np.array([0.3]))
    assert 1 == p_value(0.3, np.array([0.1 + 0.2]), "lower")


def test_an_undefined_shift_is_left_out_and_an_undefined_value_has_no_p_value():
    assert 2 / 3 == p_value(0.5, np.array([np.nan, 0.5, 0.1]))
    assert 1 == p_value(0.5, np.array([np.nan, np.nan]), "lower")
    assert math.isnan(p_value(np.nan, np.array([0.1])))


def test_the_good_side_is_higher_or_lower():
    with refused("better must be one of 'higher', 'lower', got 'up'"):
        p_value(0.5, np.array([0.1]), "up")


@pytest.mark.parametrize("kind", ["iid", "blocks"])
@pytest.mark.parametrize("spec", ["f1_ba", "best(f1)"])
def test_a_detector_that_knows_nothing_gets_small_p_values_no_more_often_than_it_may(spec, kind):
    runs, shifts = 300, 99
    rng = np.random.default_rng(11)
    metric = aj.metric(spec)
    draw = label_blind_scores if metric.oracle else label_blind_flags
    p_values = []
    for _ in range(runs):
        case = aj.Case(LABELS, draw(kind, rng))
        value = metric.reading(case).value
        p_values.append(p_value(value, shift_values(metric, case, shifts, rng)))
    assert np.mean(np.array(p_values) <= 0.05) < 0.05 + 4 * math.sqrt(0.05 * 0.95 / runs)
    assert np.mean(p_values) >= 0.45


@pytest.mark.parametrize("spec", ["f1_ba", "best(f1)", "auc_roc"])
def test_a_decent_detector_gets_a_small_p_value(spec):
    rng = np.random.default_rng(3)
    scores = rng.normal(size=POINTS) + 3 * LABELS
    metric = aj.metric(spec).with_default_threshold(2.5)
    case = aj.Case(LABELS, scores)
    assert p_value(metric.reading(case).value, shift_values(metric, case, 99)) <= 0.02


def test_a_shifted_simulation_is_a_case_that_knows_nothing_of_its_making():
    simulation = aj.simulate(aj.Scenario(events=3, widths=20, gaps=(100, 120), hits=2), rng=1)
    assert simulation.marks.any()
    turned = simulation.turned(5)
    assert type(turned) is aj.Case
    assert np.roll(simulation.marks, 5).tolist() == turned.flagged(simulation.threshold).tolist()
