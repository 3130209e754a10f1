"""One p-value over many series: valid for blind detectors, and seeing what each shows little of."""

import itertools
import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError
from adjudge.noise.p_values import PlacesOfSeries
from adjudge.noise.pooled_p import places_of_series, pooled_p
from adjudge.noise.shifting.shifted_case import CaseShifts
from sampling import one_in


def one_event(rng, *, found):
    """A series with one event, and alarms that know nothing, or find it at times."""
    n, width = int(rng.integers(300, 600)), int(rng.integers(10, 25))
    labels = np.zeros(n, int)
    start = int(rng.integers(n // 4, n - width))
    labels[start : start + width] = 1
    flags = (rng.random(n) < 0.01).astype(int)
    flags[start + width // 2] |= rng.random() < found
    return aj.Case(labels, flags)


def of_series(rng, count, *, found):
    """The places of a detector on some series."""
    cases = [one_event(rng, found=found) for _ in range(count)]
    metrics = [aj.f1_ba.on(case.events) for case in cases]
    return [
        places_of_series(metric, CaseShifts(case), metric.reading(case).value, 99)
        for metric, case in zip(metrics, cases, strict=True)
    ]


def test_the_pooled_p_value_is_the_share_of_all_combinations():
    rng = np.random.default_rng(0)
    for _ in range(5):
        series = [
            PlacesOfSeries(np.array([rng.random()]), [rng.random(size)]) for size in (4, 6, 3)
        ]
        every = itertools.product(*(np.append(one.elsewhere[0], one.home) for one in series))
        home = sum(float(one.home[0]) for one in series)
        exact = np.mean([sum(values) >= home - 1e-12 for values in every])
        assert pooled_p(series).p_value == pytest.approx(exact, abs=1e-12)  # all 140 are counted
        many = [*series, *(PlacesOfSeries(np.zeros(1), [np.zeros(999)]) for _ in "ab")]
        drawn = pooled_p(many, combinations=20_000).p_value  # two that add nothing
        assert drawn == pytest.approx(exact, abs=0.015)


def test_one_series_says_over_all_what_it_says_by_itself():
    """So that nobody is better on 1 of 1 series and not better over all of them."""
    rng = np.random.default_rng(5)
    for home in rng.random(20):
        found = pooled_p([PlacesOfSeries(np.array([home]), [rng.random(39)])])
        assert found.p_value == pytest.approx(found.alone[0])
        assert found.p_value >= found.least


def test_the_larger_p_value_of_all_null_models_counts():
    rng = np.random.default_rng(1)
    easy, hard = rng.random(99), rng.random(99) + 0.5
    both = [PlacesOfSeries(np.array([1.0, 1.0]), [easy, hard])] * 4
    alone = [PlacesOfSeries(np.array([1.0]), [hard])] * 4
    assert pooled_p(both).p_value == pooled_p(alone).p_value


def test_what_is_lower_may_be_better():
    rng = np.random.default_rng(2)
    series = [PlacesOfSeries(np.array([0.1]), [rng.random(99)])] * 5
    assert pooled_p(series, "lower").p_value < 0.01
    assert pooled_p(series).p_value > 0.99


def test_series_and_places_without_a_value_do_not_count():
    places = np.append(np.full(50, np.nan), np.linspace(0, 1, 49))
    series = [PlacesOfSeries(np.array([0.97]), [places])] * 3
    series.append(PlacesOfSeries(np.array([np.nan]), [places]))
    assert pooled_p(series).series == 3
    assert pooled_p(series) == pooled_p(series[:3])
    nothing = pooled_p(series[3:])
    assert math.isnan(nothing.p_value)
    assert math.isnan(nothing.least)
    assert nothing[2:] == (0, 0, 0, (), 0)


def test_series_must_have_the_same_null_models():
    one = PlacesOfSeries(np.array([1.0]), [np.zeros(3)])
    two = PlacesOfSeries(np.array([1.0, 1.0]), [np.zeros(3), np.zeros(3)])
    with pytest.raises(InputError, match="every series must have the same null models"):
        pooled_p([one, two])


def test_what_cannot_be_small_is_not_testable():
    wide = PlacesOfSeries(np.array([1.0]), [np.append(np.ones(9), np.zeros(9))])
    assert pooled_p([wide]).least > 0.05
    assert pooled_p([wide] * 8).least <= 0.05


def test_the_count_of_series_is_that_of_benjamini_and_hochberg():
    rng = np.random.default_rng(3)
    good = PlacesOfSeries(np.array([2.0]), [rng.random(199)])
    blind = PlacesOfSeries(np.array([0.5]), [rng.random(199)])
    assert pooled_p([good] * 6 + [blind] * 6).better_on == 6


def with_rank(rank, size=200):
    """A series in which so many of all places do as well as home."""
    return PlacesOfSeries(np.array([size - rank]), [np.delete(np.arange(size), size - rank)])


def test_the_bound_does_not_fall_off_where_the_count_does():
    """Evidence that grows a little raises it a little: 58 series, each with the same p-value."""
    found = [pooled_p([with_rank(rank)] * 58, combinations=1) for rank in range(1, 61)]
    assert [one.better_on for one in found] == [58] * 10 + [0] * 50
    ranks = np.arange(1, 201)
    e = np.log((ranks[:60] / 200) ** -0.5 / np.mean((ranks / 200) ** -0.5))
    few = [math.ceil(math.log(20) / one) - 1 if one > 0 else 58 for one in e]  # may be by luck
    assert [one.better_on_low for one in found] == [max(0, 58 - one) for one in few]
    assert found[10].better_on_low == 55
    assert pooled_p([with_rank(1, 1000)], combinations=1).better_on_low == 0
    assert pooled_p([with_rank(1, 2000)], combinations=1).better_on_low == 1


def test_the_bound_is_that_of_all_subsets_of_series():
    """Closed testing, by going through them: the largest in which all may be luck."""
    rng = np.random.default_rng(6)
    for _ in range(30):
        series = [with_rank(int(1 + 60 * rng.random() ** 3)) for _ in range(7)]
        ranks = np.array(
            [one.elsewhere[0][one.elsewhere[0] >= one.home[0]].size + 1 for one in series]
        )
        e = (ranks / 200) ** -0.5 / np.mean((np.arange(1, 201) / 200) ** -0.5)
        subsets = (s for size in range(8) for s in itertools.combinations(range(7), size))
        blind = max(len(s) for s in subsets if np.prod(e[list(s)]) < 20)
        assert pooled_p(series, combinations=1).better_on_low == 7 - blind


def test_the_model_that_says_less_counts_for_the_bound_in_each_series():
    easy, hard = with_rank(1), with_rank(100)
    both = PlacesOfSeries(np.append(easy.home, hard.home), [*easy.elsewhere, *hard.elsewhere])
    turned = PlacesOfSeries(both.home[::-1], both.elsewhere[::-1])
    assert pooled_p([easy] * 20, combinations=1).better_on_low == 19
    assert pooled_p([both, turned] * 10, combinations=1).better_on_low == 0


@pytest.mark.parametrize("blind", one_in(2, [12, 6]))
@pytest.mark.parametrize(
    "places", [lambda rng: rng.random(40), lambda rng: rng.random(40) < 0.1,
               lambda rng: rng.integers(0, 3, 40) * (rng.random(40) < 0.5)],
    ids=["all differ", "one in ten hits", "many ties"],
)  # fmt: skip
def test_the_bound_is_too_high_no_more_often_than_it_may_be(blind, places):
    """Where so many of 12 series are blind: home is one of the places, as likely as any other."""
    rng, runs, found = np.random.default_rng(7), 200, []
    for _ in range(runs):
        series = []
        for place in range(12):
            values = np.asarray(places(rng), float)
            home = 0 if place < blind else int(np.argmax(values))
            series.append(PlacesOfSeries(values[[home]], [np.delete(values, home)]))
        found.append(pooled_p(series, combinations=1).better_on_low)
    too_high = np.mean(np.array(found) > 12 - blind)
    assert too_high <= 0.05 + 2.6 * (0.05 * 0.95 / runs) ** 0.5


@pytest.mark.parametrize("count", [2, pytest.param(6, marks=pytest.mark.long)])
def test_a_blind_detector_gets_small_pooled_p_values_no_more_often_than_it_may(count):
    rng, runs = np.random.default_rng(4), 60
    small = [
        pooled_p(of_series(rng, count, found=0.0), combinations=499).p_value <= 0.05
        for _ in range(runs)
    ]
    assert np.mean(small) <= 0.05 + 2.6 * (0.05 * 0.95 / runs) ** 0.5


def test_what_each_series_shows_little_of_is_seen_over_many():
    rng = np.random.default_rng(5)
    found = pooled_p(of_series(rng, 12, found=0.8))
    assert found.p_value <= 0.01
    assert found.series == 12


@pytest.mark.parametrize("spec", ["best(f1)", "best(f1_ba)", "ap", "f1", "event_recall"])
@pytest.mark.parametrize("made", [None, 199], ids=["all shifts", "199 shifts"])
def test_null_values_that_are_known_are_the_same_places(spec, made):
    rng, labels = np.random.default_rng(0), np.zeros(1500, int)
    labels[[*range(200, 230), *range(900, 920)]] = 1
    flags = (rng.random(1500) < 0.02).astype(int) | (labels & (rng.random(1500) < 0.3))
    column = flags if "best" not in spec and spec != "ap" else rng.normal(size=1500) + labels
    case = aj.Case(labels, column)
    metric, shifting = aj.metric(spec).on(case.events), CaseShifts(case)
    value = metric.reading(case).value
    known = shifting.values(metric, made)
    for shifts in (99, 199):
        again = places_of_series(metric, shifting, value, shifts, known)
        anew = places_of_series(metric, CaseShifts(case), value, shifts)
        np.testing.assert_array_equal(again.home, anew.home)
        assert not np.array_equal(again.elsewhere[0], again.elsewhere[1])
        for one, other in zip(again.elsewhere, anew.elsewhere, strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)
            assert one.size == shifts
