"""What readings and one-line detectors say of a benchmark."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.data.clock import Clock
from adjudge.lab.inspection.discords import (
    as_unusual,
    blocks_of,
    check_discords,
    discord_level,
    gumbel_tail,
    is_calm,
    matrix_profile,
    missing,
    stand_out,
)
from adjudge.lab.inspection.offsets import (
    Offset,
    check_offset,
    level_of_points,
    lies_outside,
    offset,
    one_line_level,
)
from adjudge.lab.inspection.one_liners import (
    BestLine,
    best_f1_ba,
    best_line,
    check_one_liners,
    pooled,
    tail_of_sum,
    window_maxima,
)
from adjudge.lab.inspection.readings import (
    check_copies,
    check_readings,
    check_times,
    reading_facts,
    shared_windows,
    time_facts,
    twins,
)
from adjudge.lab.inspection.series import InspectedSeries
from lab.inspection import naive_inspection as naive


def series(labels, values, name="a", first=0, clock=None):
    columns = values if isinstance(values, dict) else {"value": np.asarray(values, float)}
    return InspectedSeries(name, np.asarray(labels) == 1, columns, {}, clock, first)


def at(n, *events):
    labels = np.zeros(n, int)
    for start, stop in events:
        labels[start:stop] = 1
    return labels


def level(found):
    return found.findings[0].level


# -- one-liners -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
def test_the_quick_best_f1_is_that_of_every_threshold(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 60))
    labels = np.repeat(rng.random(n // 4 + 1) < 0.3, 4)[:n]
    labels[3] = True
    scores = rng.integers(0, 9, n).astype(float)  # with ties
    own = series(labels, scores)
    near = int(rng.integers(0, 3))
    normal = ~np.array([labels[max(0, p - near) : p + near + 1].any() for p in range(n)])
    if normal.any():
        found = best_f1_ba(*own.events, scores, 5, normal)
        assert found == pytest.approx(naive.best_f1_ba(labels, scores, 5, near))


def test_many_events_are_counted_by_sorting_and_give_the_same():
    rng = np.random.default_rng(1)
    labels = np.tile([0, 0, 1, 0, 1], 40)
    scores = rng.integers(0, 30, 200).astype(float)
    found = best_f1_ba(*series(labels, scores).events, scores, 3, labels == 0)
    assert found == pytest.approx(naive.best_f1_ba(labels, scores, 3))


@pytest.mark.parametrize("width", [1, 3, 5, 7, 9, 21])
def test_moving_maxima_are_those_of_the_slices(width):
    values = np.random.default_rng(width).random(15)
    slow = [values[max(0, k - width // 2) : k + width // 2 + 1].max() for k in range(15)]
    assert window_maxima(values, width).tolist() == slow


def test_a_wider_island_is_another_value():
    labels, scores = at(60, (20, 25)), np.zeros(60)
    scores[[22, 40]] = 2, 2
    own = series(labels, scores)
    values = [best_f1_ba(*own.events, scores, width, labels == 0) for width in (1, 5)]
    assert values == pytest.approx([10 / 11, 10 / 15])


def test_the_best_of_the_family_is_held_against_the_best_of_the_family():
    rng = np.random.default_rng(0)
    values = rng.normal(size=300)
    values[[150, 152]] = 9
    own = series(at(300, (148, 155)), values)
    found = best_line(own, 10**6, 0)
    assert found.value == 1
    assert found.value == max(found.values.values())
    assert len(found.null) == 299
    assert 1 / 300 < found.p_value < 0.3
    assert found.p_value == found.by_chance(1.0)
    assert found.chance == pytest.approx(found.null.mean())
    few = best_line(own, 30, 0)
    assert len(few.null) == 30


SMALL = np.array(
    [
        0.408,
        -0.264,
        0.563,
        0.568,
        0.751,
        0.906,
        0.593,
        0.938,
        0.736,
        1.443,
        0.644,
        0.311,
        0.085,
        -0.242,
        -0.562,
        -0.65,
        -0.66,
        -0.943,
        -0.786,
        -1.039,
        -0.954,
        -0.55,
        -0.597,
        -0.609,
        -0.316,
        0.075,
        0.602,
        0.396,
        0.608,
        1.024,
        0.761,
        3.936,
        1.166,
        1.039,
        0.817,
        0.759,
        -0.154,
        0.378,
        -0.267,
        -0.653,
        -0.489,
        -0.595,
        -0.969,
        -1.185,
        -0.995,
        -0.978,
        -0.594,
        -0.579,
        -0.498,
        -0.089,
        -0.107,
        -0.003,
        0.537,
        0.748,
        0.761,
        0.769,
        1.036,
        0.495,
        1.073,
        0.916,
        0.323,
        0.454,
        0.014,
        -2.391,
        -0.695,
        -0.699,
        -0.57,
        -0.632,
        -1.393,
        -1.099,
        -0.91,
        -1.013,
        -0.433,
        -0.803,
        -0.272,
        -0.309,
        0.431,
        0.385,
        0.531,
        0.44,
    ]
)
"""A season of 80 points with noise, a spike in each of two events, [30, 34) and [61, 66)."""


def test_a_small_case_by_all_its_shifts():
    own = series(at(80, (30, 34), (61, 66)), SMALL)
    found = best_line(own, 79, 0)
    assert (found.name, found.value) == ("far from the median", 1.0)
    assert found.p_value == 0.1375
    assert found.chance == pytest.approx(0.699910554728084)
    assert {name: round(value, 4) for name, value in found.values.items()} == {
        "high value": 0.6154,
        "low value": 0.7143,
        "far from the median": 1.0,
        "jump": 1.0,
        "jump against its neighbours": 0.7826,
        "spread": 1.0,
        "calm": 0.2466,
        "constant run": 0.2118,
        "far from the moving median": 1.0,
        "level": 0.6429,
        "spread, wide": 1.0,
        "unlike one period ago": 0.7826,
    }


def test_several_sensors_are_in_one_family():
    rng = np.random.default_rng(0)
    quiet, loud = rng.normal(size=300), rng.normal(size=300)
    loud[150] = 20
    own = series(at(300, (148, 155)), {"x": quiet, "y": loud})
    alone = series(at(300, (148, 155)), {"y": loud})
    found, single = best_line(own, 60, 0), best_line(alone, 60, 0)
    assert found.name.endswith("(y)")
    assert "(" not in single.name
    assert (found.null >= single.null).all()


def test_training_points_are_seen_by_the_line_and_not_judged():
    values = np.zeros(200)
    values[[10, 150]] = 9, 5
    whole = best_line(series(at(200, (148, 152)), values), 19, 0)
    judged = best_line(series(at(200, (148, 152)), values, first=50), 19, 0)
    assert whole.values["high value"] < judged.values["high value"] == 1


@pytest.mark.parametrize("labels", [at(50), np.ones(50), at(50, (0, 10))])
def test_without_events_or_normal_points_there_is_no_line(labels):
    first = 49 if labels[0] and not labels.all() else 0
    assert best_line(series(labels, np.arange(50), first=first), 19, 0) is None


def test_everything_near_an_event_is_judged_where_nothing_else_is_left():
    found = best_line(series(at(12, (5, 7)), np.arange(12) % 5), 19, 0)
    assert 0 < found.value <= 1


def test_the_law_of_a_sum_is_that_of_all_outcomes():
    rng = np.random.default_rng(0)
    for count in range(6):
        chances = rng.random(5).tolist()
        assert tail_of_sum(chances, count) == pytest.approx(
            naive.chance_of_at_least(chances, count)
        )


def line(value, null):
    return BestLine("jump", value, np.asarray(null, float), {"jump": value})


def test_trivial_partly_trivial_and_no_sign():
    quiet = line(0.3, [0.2] * 99)
    easy = line(1.0, [0.2] * 99)
    verdicts = {
        easy_ones: check_one_liners([easy] * easy_ones + [quiet] * (20 - easy_ones), 99).findings[0]
        for easy_ones in (0, 4, 12)
    }
    assert verdicts[0].level == "fine"
    assert verdicts[4].says.startswith("The benchmark is partly trivial.")
    assert verdicts[12].says.startswith("The benchmark is trivial.")
    assert "On 12 of 20 series one line" in verdicts[12].says
    assert "of 0.8 or more; by chance on 0.2" in verdicts[12].says
    assert level(check_one_liners([None], 99)) == "cannot say"


def test_what_chance_reaches_everywhere_is_no_excess():
    own = pooled([line(1.0, [1.0] * 9)] * 5, 0.8)
    assert (own.reached, own.by_chance, own.excess, own.p_value) == (5, 5.0, 0.0, 1.0)
    assert own.excess == 0


# -- readings -------------------------------------------------------------------------------------


def test_missing_and_constant_readings():
    values = np.random.default_rng(0).normal(size=100)
    values[20:45] = 1.5
    values[[3, 60]] = np.nan, np.inf
    facts = reading_facts(series(at(100), values))
    assert (facts.missing_readings, facts.longest_constant) == (2, 25)
    both = {"x": values, "y": np.random.default_rng(1).normal(size=100)}
    assert reading_facts(series(at(100), both)).longest_constant == 1
    assert reading_facts(series([0], [1.0])).longest_constant == 1
    found = check_readings([series(at(100), values)])
    assert [row.level for row in found.findings] == ["look", "look"]
    assert "2 readings are missing, in 1 series; 1 series " in found.findings[0].says
    assert level(check_readings([series(at(100), np.arange(100))])) == "fine"


def test_times_that_have_holes_repeat_and_go_back():
    minutes = np.array([0, 1, 2, 2, 3, 9, 10, 8, 11, 12, 13])
    clock = Clock.read(np.datetime64("2026-01-01", "ns") + minutes * np.timedelta64(60, "s"))
    own = series(at(11), np.arange(11), clock=clock)
    assert time_facts(own) == (2, 1, 1)
    assert check_times([own]).findings[0].says == (
        "2 holes in 1 series, 1 repeated time in 1 series, 1 step back in 1 series."
    )
    even = Clock.read(np.datetime64("2026-01-01", "ns") + np.arange(11) * np.timedelta64(1, "m"))
    assert level(check_times([series(at(11), np.arange(11), clock=even)])) == "fine"
    assert time_facts(series(at(11), np.arange(11))) is None


def test_twins_are_told_by_their_steps():
    rng = np.random.default_rng(0)
    one = np.cumsum(rng.normal(size=500))
    same = 3 * one + 0.05 * rng.normal(size=500)
    other = np.cumsum(rng.normal(size=500))
    some = [series(at(500), x, n) for n, x in (("a", one), ("b", same[:497]), ("c", other))]
    some.append(series(at(500), np.ones(500), "d"))
    some.append(series(at(900), np.cumsum(rng.normal(size=900)), "e"))
    assert list(twins(some)) == [("a", "b")]
    found = check_copies(some).findings[0]
    assert found.level == "flaw"
    assert "a and b, whose steps have a rank correlation" in found.says
    assert list(twins([series(at(500), one, "a"), series(at(500), -one, "b")])) == [("a", "b")]


@pytest.mark.parametrize("values", [np.zeros(100), np.full(100, np.nan), [1.0, 2.0] * 3])
def test_readings_that_stand_still_are_missing_or_few_are_not_compared(values):
    """Eight series of zeros were said to have no two with the same readings."""
    still = [series(at(len(values), (2, 3)), values, n) for n in "abcd"]
    found = check_copies(still).findings[0]
    assert found.level == "cannot say"
    assert found.says == (
        "Fewer than two series have more than 50 readings that change: nothing to compare."
    )
    rng = np.random.default_rng(0)
    moving = [series(at(200), rng.normal(size=200), n) for n in "xy"]
    assert check_copies(moving).findings[0].says == (
        "No two of 2 series have the same readings, or move together."
    )
    mixed = check_copies([*still, *moving]).findings[0]
    assert mixed.level == "fine"
    assert mixed.says == (
        "No two of 2 series have the same readings, or move together. 4 others have too few "
        "readings, or none that change."
    )


def test_readings_that_are_all_missing_are_none():
    labels, lost = at(50, (20, 25)), np.full(50, np.nan)
    assert best_line(series(labels, lost), 19, 0) is None
    found = aj.inspect({f"s{k}": (labels, lost) for k in range(3)}, checks=["one-liners"])
    assert found["one-liners"].level == "cannot say"
    assert found.not_checked["one-liners in 3 series"] == "no readings"
    partly = np.where(np.arange(50) < 40, np.nan, 1.0)
    assert best_line(series(labels, partly), 19, 0) is not None


def test_a_shared_rhythm_makes_no_twins():
    rng = np.random.default_rng(0)
    day = np.sin(2 * np.pi * np.arange(600) / 48)

    def named(*signals):
        return [series(at(600), x, n) for n, x in zip("ab", signals, strict=True)]

    one, other = (day + 0.005 * rng.normal(size=600) for _ in range(2))
    assert list(twins(named(one, other))) == []
    assert list(twins(named(one, 3 * one + 0.001 * rng.normal(size=600)))) == [("a", "b")]
    assert list(twins(named(day.round(9), 3 * day.round(9)))) == [("a", "b")]  # nothing but rhythm


def test_copied_windows_are_found_to_the_last_digit():
    rng = np.random.default_rng(0)
    one, other = rng.normal(size=400), rng.normal(size=600)
    other[200:300] = one[50:150]
    some = [
        series(at(400), one, "a"),
        series(at(600), other, "b"),
        series(at(9), np.arange(9), "c"),
    ]
    assert shared_windows(some)["a", "b"] > 0
    assert "windows of 64 readings in common" in check_copies(some).findings[0].says
    other[200:300] += 1e-12
    apart = [some[0], series(at(600), other, "b")]
    assert shared_windows(apart) == {}
    assert level(check_copies(apart)) == "fine"


def test_training_that_is_judged_again_is_to_be_looked_at():
    values = np.tile(np.random.default_rng(0).normal(size=100), 4)
    own = series(at(400), values, first=200)
    found = check_copies([own])
    assert [row.level for row in found.findings] == ["look", "look"]
    assert "training part" in found.findings[1].says
    assert level(check_copies([series(at(400), values)])) == "cannot say"
    other = series(at(400), np.random.default_rng(1).normal(size=400), first=200)
    assert level(check_copies([other])) == "fine"


def test_several_pairs_are_counted():
    one = np.cumsum(np.random.default_rng(0).normal(size=300))
    some = [series(at(300), one, name) for name in "abc"]
    assert check_copies(some).findings[0].says.startswith("3 pairs of series are copies or nearly")


# -- discords -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_the_matrix_profile_is_that_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=60)
    if seed == 3:
        values[10:22] = 1.0  # windows without spread
        values[40:48] = 2.0
    np.testing.assert_allclose(
        matrix_profile(values, 6), naive.matrix_profile(values, 6), atol=1e-6
    )


def beats(seed, n=1500, period=30):
    rng = np.random.default_rng(seed)
    return np.sin(2 * np.pi * np.arange(n) / period) + 0.05 * rng.normal(size=n)


def strange(values, *places):
    values = values.copy()
    for start in places:
        values[start : start + 40] = -(values[start : start + 40] ** 3) + 0.4
    return values


def test_levels_are_given_only_where_patterns_repeat():
    own = series(at(1500, (700, 740)), strange(beats(0), 700))
    found = discord_level(own)
    assert 660 < found.argmax() < 760
    rng = np.random.default_rng(0)
    walk = np.cumsum(rng.normal(size=1500))
    noisy = beats(1) + 0.7 * rng.normal(size=1500)
    for values in (rng.normal(size=1500), noisy, walk, np.ones(1500)):
        assert discord_level(series(at(1500), values)) is None
    assert discord_level(series(at(50), beats(0, 50, 24))) is None
    assert discord_level(series(at(5), {})) is None


def test_long_series_are_left_out(monkeypatch):
    monkeypatch.setattr("adjudge.lab.inspection.discords.MOST_POINTS", 1000)
    assert discord_level(series(at(1500), beats(0))) is None


def benchmark_with(*hidden):
    """Ten series with two labelled events, the first of which also has others without a label."""
    some = []
    for k in range(10):
        places = [300 + 20 * k, 1000 + 11 * k]
        values = strange(beats(k), *places)
        for start in hidden if k == 0 else ():
            values[start : start + 40] = np.random.default_rng(start).normal(size=40)
        labels = at(1500, *((start, start + 40) for start in places))
        some.append(series(labels, values, f"s{k}"))
    return some


def test_a_stretch_without_a_label_is_found_and_labelled_ones_are_not():
    for hidden, verdict in (((650,), "flaw"), ((), "fine")):
        some = benchmark_with(*hidden)
        levels = {one.name: discord_level(one) for one in some}
        found = check_discords(some, levels)
        assert level(found) == verdict
        sure = [one for one in found.suspects if one.level == "flaw"]
        assert len(sure) == len(hidden)
        if sure:
            assert sure[0].series == "s0"
            assert sure[0].start < 690
            assert sure[0].stop > 650


def test_where_noise_has_outliers_nothing_is_called_a_flaw():
    some = benchmark_with(650)
    levels = {one.name: discord_level(one) for one in some}
    rng = np.random.default_rng(0)
    loud = [
        series(one.labels, one.signal + 0.02 * rng.standard_t(1.2, one.n), one.name) for one in some
    ]
    found = check_discords(loud, levels)
    assert level(found) == "look"
    assert "10 of these have noise with outliers" in found.findings[0].says
    assert not is_calm(series(at(9), {}))
    assert not is_calm(series(np.ones(9), np.arange(9)))


def test_an_outlier_that_stands_out_less_than_events_elsewhere_is_no_flaw():
    rng = np.random.default_rng(0)
    high, low = rng.random(600), rng.random(600)
    high[[104, 304, 504]] = 90
    low[[104, 304, 404]] = 12
    own = [
        series(at(600, *((s, s + 10) for s in (100, 300, 500))), high, "high"),
        series(at(600, *((s, s + 10) for s in (100, 300))), low, "low"),
    ]
    blocks = blocks_of(own, {"high": high, "low": low}, 0.5)
    assert missing(blocks, 0.002) == []
    alone = blocks_of(own[1:], {"low": low}, 0.5)
    assert [one.place for one in missing(alone, 0.01)] == [404]


def test_what_is_as_unusual_as_events_and_no_outlier_is_to_be_looked_at():
    rng = np.random.default_rng(0)
    levels = rng.random(900)
    levels[[104, 304]] = 1.2, 1.4
    levels[604] = 1.35
    some = [series(at(900, (100, 110), (300, 310)), levels)]
    found = check_discords(some, {"a": levels})
    assert level(found) == "look"
    assert "1 stretch without a label is as unusual as labelled ones. " in found.findings[0].says
    assert [one.level for one in found.suspects] == ["look"]


def test_where_no_level_is_known_nothing_can_be_said():
    some = benchmark_with()
    assert level(check_discords(some, {one.name: None for one in some})) == "cannot say"
    assert level(check_discords([series(at(99), np.ones(99))], {})) == "cannot say"


def test_what_stands_in_for_missing_readings_is_not_suspected():
    values = beats(0)
    values[700:760] = np.nan
    own = series(at(len(values), (300, 330), (710, 740)), values)
    level = discord_level(own)
    assert np.isnan(level[700:760]).all()
    assert np.isfinite(level[:650]).all()
    (blocks,) = blocks_of([own], {own.name: level}, 0.0)
    assert len(blocks.events) == 1
    assert not {*range(690, 770)} & {*blocks.places.tolist()}


def test_what_a_window_reaches_from_an_event_is_left_out():
    own = series(at(2000, (990, 1000)), beats(0, 2000, 180))
    levels = {own.name: np.random.default_rng(0).random(2000)}
    (near,) = blocks_of([own], levels, 0.5)
    (far,) = blocks_of([own], levels, 0.5, lambda _: 90)
    assert np.abs(near.places - 995).min() < 40
    assert np.abs(far.places - 995).min() > 90
    found = check_discords([own], {own.name: discord_level(own)})
    assert level(found) in {"fine", "look"}


def test_blocks_of_a_series_without_events_have_the_usual_length():
    levels = np.random.default_rng(0).random(400)
    with_events, without = series(at(400, (100, 112)), levels, "a"), series(at(400), levels, "b")
    blocks = blocks_of([with_events, without], {"a": levels, "b": levels}, 0.5)
    assert [one.length for one in blocks] == [12, 12]
    assert [len(one.events) for one in blocks] == [1, 0]
    assert len(blocks[1].levels) == 33
    near = np.abs(blocks[0].places - 106)
    assert near.min() > 6 + 6
    assert blocks_of([without], {"b": levels}, 0.5) == []
    assert blocks_of([series(at(60, (9, 20)), levels[:60])], {"a": levels[:60]}, 0.5) == []


def test_an_outlier_in_a_series_without_events_is_held_against_events_elsewhere():
    rng = np.random.default_rng(0)
    one, other = rng.random(600), rng.random(600)
    one[[104, 304, 504]] = 30
    other[205] = 40
    some = [series(at(600, (100, 110), (300, 310), (500, 510)), one, "a"),
            series(at(600), other, "b")]  # fmt: skip
    blocks = blocks_of(some, {"a": one, "b": other}, 0.5)
    assert stand_out(blocks) > 1.645
    (found,) = missing(blocks, 0.002)
    assert (found.series.name, found.place, found.event) == ("b", 205, 30)
    assert (found.start, found.stop) == (200, 210)
    other[205] = 20
    assert missing(blocks_of(some, {"a": one, "b": other}, 0.5), 0.002) == []


def test_where_events_do_not_stand_out_nothing_is_missing():
    rng = np.random.default_rng(0)
    values = rng.random(600)
    values[205] = 40
    some = [series(at(600, (100, 110), (300, 310)), values)]
    assert missing(blocks_of(some, {"a": values}, 0.5), 0.002) == []
    assert missing([], 0.002) == []
    assert np.isnan(stand_out([]))


def test_what_reaches_the_median_event_is_listed():
    values = np.random.default_rng(0).random(600)
    values[[104, 304, 404]] = 5, 7, 6.5
    some = [series(at(600, (100, 110), (300, 310)), values)]
    (found,) = as_unusual(blocks_of(some, {"a": values}, 0.5))
    assert (found.place, found.level, found.event) == (404, 6.5, 6)
    none = series(at(600), values, "b")
    assert len(as_unusual(blocks_of([*some, none], {"a": values, "b": values}, 0.5))) == 1
    low = [series(at(600, (0, 10), (300, 310)), np.tile(values[:10], 60))]
    assert as_unusual(blocks_of(low, {"a": low[0].signal}, 0.5)) == []


def test_the_tail_of_block_maxima():
    found = gumbel_tail(np.array([1.0, 2, 3, 4, 5, 20]))
    assert found[:2] == pytest.approx([0.9645649682373832, 0.8314740166497853])
    assert found[5] == pytest.approx(2.155239314269668e-05)


def test_neighbouring_blocks_are_one_stretch_at_its_highest():
    values = np.random.default_rng(0).random(600)
    values[[104, 304]] = 5, 5
    for tops in ((6, 7), (7, 6)):
        values[[408, 411]] = tops
        some = [series(at(600, (100, 110), (300, 310)), values)]
        (found,) = as_unusual(blocks_of(some, {"a": values}, 0.5))
        assert found.level == 7


# -- offsets --------------------------------------------------------------------------------------


def loud(seed, move=0):
    rng = np.random.default_rng(seed)
    values, labels = rng.normal(size=1000), np.zeros(1000, int)
    for start in (250 + seed, 600 + 3 * seed):
        values[start : start + 30] *= 6
        labels[start + move : start + move + 30] = 1
    return series(labels, values, f"s{seed}")


@pytest.mark.parametrize(("move", "verdict"), [(0, "fine"), (12, "flaw"), (-12, "flaw")])
def test_labels_that_are_moved_are_found_with_their_distance(move, verdict):
    some = [loud(k, move) for k in range(8)]
    own = offset(some, {one.name: one_line_level(one) for one in some})
    assert abs(own.best + move) <= 2
    found = check_offset(own, by_detectors=False, windows=False).findings[0]
    assert found.level == verdict
    if move:
        assert f"too {'late' if move > 0 else 'early'}" in found.says


def test_the_profile_is_that_of_the_definition():
    some = [loud(k) for k in range(8)]
    levels = {one.name: one_line_level(one) for one in some}
    own = offset(some, levels)
    scores = {name: np.array(naive.tail_score(own)) for name, own in levels.items()}

    def mean_gain(k):
        own = [naive.gain(scores[s.name], *e, k) for s in some for e in zip(*s.events, strict=True)]
        return np.mean(own)

    gains = {k: mean_gain(k) for k in range(-own.reach, own.reach + 1, 9)} | {
        own.best: mean_gain(own.best)
    }
    assert max(gains, key=gains.get) == own.best
    assert own.events == 16


def test_events_with_another_in_reach_are_left_out():
    some = [loud(k) for k in range(8)]
    near = [series(at(1000, (250, 280), (300, 330)), one.signal, one.name) for one in some]
    assert offset(near, {one.name: one_line_level(one) for one in some}) is None
    assert offset(some[:2], {one.name: one_line_level(one) for one in some}) is None
    assert offset(some, {}) is None
    assert one_line_level(series(at(9), np.ones(9))) is None
    assert one_line_level(series(at(9), {})) is None


@pytest.mark.parametrize("move", [0, 12])
def test_labels_that_hold_what_dies_away_are_not_moved(move):
    rng, some = np.random.default_rng(0), []
    for k in range(12):
        values = rng.normal(size=900)
        values[400:460] += 9 * np.exp(-np.arange(60) / 12)
        some.append(series(at(900, (400 + move, 460 + move)), values, f"s{k}"))
    own = offset(some, {one.name: one_line_level(one) for one in some})
    assert own.is_moved
    points = {one.name: level_of_points(one) for one in some}
    outside = lies_outside(some, points, own.best)
    assert outside == (move > 0)  # labels that are late leave the beginning out
    found = check_offset(own, by_detectors=False, windows=False, outside=outside).findings[0]
    assert found.level == ("flaw" if move > 0 else "fine")
    assert outside or "most of it lies in their first part" in found.says


def test_what_lies_outside_of_labels_takes_enough_events_with_room():
    values = np.arange(300.0)
    some = [series(at(300, (100, 110)), values, f"s{k}") for k in range(9)]
    levels = {one.name: np.where((values > 109) & (values < 115), 1.0, 0.01 * k * values % 0.1)
              for k, one in enumerate(some)}  # fmt: skip
    assert lies_outside(some, levels, 5)
    assert not lies_outside(some, levels, -5)
    assert not lies_outside(some, levels, 80)  # beyond the end of the series
    assert not lies_outside(some[:7], levels, 5)
    assert not lies_outside(some, {}, 5)
    assert level_of_points(series(at(9), {})) is None


def test_points_by_themselves():
    values = np.sin(2 * np.pi * np.arange(400) / 20)
    values[200] += 5
    found = level_of_points(series(at(400), values))
    assert found.argmax() == 200
    assert found[220] < found[200] / 2  # no echo a period later
    walk = level_of_points(series(at(400), np.arange(400.0)))
    assert walk[0] == walk.max()


@pytest.mark.parametrize(
    ("own", "how", "verdict"),
    [
        (None, {}, "cannot say"),
        (Offset(20, 40, 30, 40, 40), {}, "cannot say"),
        (Offset(20, 5, -9, 15, 40), {}, "cannot say"),
        (Offset(20, 1, -2, 3, 40), {}, "fine"),
        (Offset(20, -9, -12, -6, 40), {"by_detectors": True}, "flaw"),
        (Offset(20, 9, 6, 12, 40), {"by_detectors": True}, "look"),
        (Offset(20, 9, 6, 12, 40), {}, "flaw"),
        (Offset(20, -20, -35, -3, 40), {}, "flaw"),
        (Offset(20, -9, -12, -6, 40), {"by_detectors": True, "windows": True}, "look"),
    ],
)
def test_what_an_offset_proves(own, how, verdict):
    asked = {"by_detectors": False, "windows": False} | how
    assert level(check_offset(own, **asked)) == verdict
