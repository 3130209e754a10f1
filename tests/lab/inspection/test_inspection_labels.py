"""What labels alone say of a benchmark."""

import numpy as np
import pytest

from adjudge.data.clock import Clock
from adjudge.lab.inspection.labels import (
    check_close_events,
    check_density,
    check_ends,
    check_events,
    check_position,
    check_round_borders,
    check_same_labels,
    check_training,
    check_windows,
    label_facts,
    position,
    round_borders,
    sizes,
)
from adjudge.lab.inspection.series import InspectedSeries
from lab.inspection import naive_inspection as naive


def series(labels, name="a", first=0, clock=None):
    return InspectedSeries(name, np.asarray(labels) == 1, {}, {}, clock, first)


def at(n, *events):
    labels = np.zeros(n, int)
    for start, stop in events:
        labels[start:stop] = 1
    return labels


def drawn(seed, n=40):
    return (np.random.default_rng(seed).random(n) < 0.3).astype(int)


def level(found):
    return found.findings[0].level


@pytest.mark.parametrize("seed", range(12))
def test_events_are_runs_of_ones(seed):
    labels = drawn(seed)
    own = series(labels)
    assert list(zip(*own.events, strict=True)) == naive.events_of(labels)


def test_what_is_for_training_is_not_judged():
    own = series(at(100, (5, 15), (60, 70)), first=10)
    assert [one.tolist() for one in own.events] == [[10, 60], [15, 70]]
    facts = label_facts(own)
    assert (facts.points, facts.judged, facts.events, facts.at_start) == (100, 90, 2, True)
    assert facts.share == pytest.approx(15 / 90)
    assert label_facts(series(at(100, (5, 15)), first=20)).events == 0


def test_facts_of_a_small_series():
    facts = label_facts(series(at(50, (10, 20), (21, 22), (45, 50))))
    assert facts.events == 3
    assert facts.single == 1
    assert facts.close == 1
    assert facts.at_end
    assert facts.all_alarm == pytest.approx(2 * 0.32 / 1.32)
    assert facts.longest == 0.2
    assert facts.median_length == 5


@pytest.mark.parametrize(
    ("labels", "word"),
    [
        (at(100), "no events"),
        (at(100, (3, 5)), "fine"),
        (at(100, (3, 13)), "dense"),
        (at(99, (3, 36)), "too dense"),
        (np.tile([1, 0], 50), "too dense"),
    ],
)
def test_density_in_a_word(labels, word):
    assert label_facts(series(labels)).density == word


def test_series_that_are_too_dense_are_flaws_of_their_own():
    found = check_density([series(at(100, (3, 63)), "x"), series(at(100, (3, 14)), "y")])
    assert [(row.series, row.level) for row in found.findings] == [(None, "flaw"), ("x", "flaw")]
    assert "an F1 of 0.75" in found.findings[1].says
    assert level(check_density([series(at(100, (3, 14)))])) == "look"
    assert level(check_density([series(at(100, (3, 5)))])) == "fine"
    assert level(check_density([series(at(100))])) == "cannot say"


def test_events_are_counted_and_series_without_any_are_named_as_such():
    assert level(check_events([series(at(9))])) == "flaw"
    assert level(check_events([series(at(9, (2, 3)))])) == "fine"
    found = check_events([series(at(9)), series(at(9, (2, 3)))]).findings[0]
    assert found.level == "look"
    assert found.says.startswith("1 event in 1 of 2 series; 1 of a single point; 1 series has none")


def test_events_at_an_end():
    assert level(check_ends([series(at(9, (2, 3)))])) == "fine"
    many = [series(at(9, (0, 3)), f"s{k}") for k in range(5)]
    assert check_ends(many).findings[0].says.endswith("an end: s0, s1, s2 and 2 more.")
    assert check_ends(many[:1]).findings[0].says.startswith("1 series has an event")


def test_labels_that_are_the_same_in_two_series():
    one, other = at(50, (10, 20)), at(50, (11, 20))
    some = [series(one, "a"), series(other, "b"), series(at(50), "c"), series(at(50), "d")]
    assert level(check_same_labels(some)) == "fine"
    found = check_same_labels([*some, series(one, "e")]).findings[0]
    assert found.level == "look"
    assert found.says.startswith("2 series share their labels with another, such as a, e:")


def test_labels_in_the_training_part():
    assert level(check_training([series(at(50, (10, 20)))])) == "cannot say"
    assert level(check_training([series(at(50, (10, 20)), first=5)])) == "fine"
    found = check_training([series(at(50, (10, 20)), first=15)]).findings[0]
    assert found.level == "look"
    assert found.says.startswith("1 of 1 training parts have labelled points")


def test_events_that_may_be_one():
    found = check_close_events([series(at(90, (10, 40), (43, 73)))])
    (suspect,) = found.suspects
    assert (suspect.start, suspect.stop, suspect.kind) == (10, 73, "cut in two")
    assert suspect.evidence == "two events 3 points apart"
    assert level(check_close_events([series(at(90, (10, 40), (44, 74)))])) == "fine"


@pytest.mark.parametrize("seed", range(8))
def test_the_places_of_events_are_compared_with_those_of_series_that_are_turned_round(seed):
    some = [drawn(10 * seed + k, 12 + k) for k in range(5)]
    some = [one if one.any() and not one.all() else at(10, (3, 4)) for one in some]
    own = position([series(one) for one in some])
    assert (own.p_late, own.p_early) == pytest.approx(naive.position(some))
    assert own.draws is None


def test_late_is_not_early():
    some = [at(15, (10, 13)), at(15, (4, 6), (12, 14)), at(12, (7, 9))]
    own = position([series(one) for one in some])
    assert own.p_late == 1 / 8
    assert own.before == pytest.approx((10 / 12 + (4 / 11 + 10 / 11) / 2 + 7 / 10) / 3)
    turned = position([series(one[::-1]) for one in some])
    assert (turned.p_late, turned.p_early) == (own.p_early, own.p_late)


def test_an_event_in_the_middle_says_nothing_of_time():
    middle, late = series(at(10, (4, 6))), series(at(10, (7, 9)))
    assert position([middle, late]).orders == 2
    assert position([middle]).p_late == position([middle]).p_early == 1


def test_many_turns_are_drawn_and_agree_with_those_that_are_counted(monkeypatch):
    some = [series(at(100, (20, 25), (70 + k, 80 + k))) for k in range(9)]
    counted = position(some)
    monkeypatch.setattr("adjudge.lab.inspection.labels._COUNTED", 10)
    found = position(some, seed=1)
    assert found.draws == 9999
    assert found.p_late == pytest.approx(counted.p_late, abs=0.01)
    assert found.p_late != position(some, seed=2).p_late


def in_groups(rng, n=2000):
    labels = np.zeros(3 * n, int)
    for group in rng.integers(0, 3 * n, 6):
        for start in group + rng.integers(0, 150, 4):
            labels[start : start + 9] = 1
    return labels[n : 2 * n]


def apart(rng, n=2000):
    first = rng.integers(400)
    return at(n, *((s, s + 20) for s in range(first, n, 400)))


@pytest.mark.parametrize("draw", [in_groups, apart])
def test_events_in_groups_or_at_even_distances_come_neither_late_nor_early(draw):
    rng = np.random.default_rng(7)
    flaws = [level(check_position([series(draw(rng)) for _ in range(12)])) for _ in range(40)]
    assert flaws.count("flaw") <= 5  # of 40 at a rate of .04


def test_late_and_early_events_are_flaws():
    late = [series(at(100, (80 + k, 85 + k))) for k in range(10)]
    early = [series(at(100, (5 + k, 9 + k))) for k in range(10)]
    assert "come late" in check_position(late).findings[0].says
    assert "come early" in check_position(early).findings[0].says
    assert level(check_position(late)) == level(check_position(early)) == "flaw"
    some = [series(at(100, (13 * k, 13 * k + 5))) for k in range(1, 7)]
    assert level(check_position(some)) == "fine"
    assert level(check_position(some[:5])) == "cannot say"  # at best one of 32
    last = [series(at(100, (10 + k, 15 + k), (95, 100))) for k in range(40)]
    assert "come late" in check_position(last).findings[0].says  # things run until they break
    assert level(check_position([series(at(100)), series(np.ones(5))])) == "cannot say"


def test_a_probation_that_is_counted_makes_events_look_late():
    some = [at(100, (40 + 6 * k, 43 + 6 * k)) for k in range(9)]
    assert position([series(one) for one in some]).p_late < 0.1
    assert position([series(one, first=30) for one in some]).p_late > 0.3


def test_windows_of_a_fixed_size():
    shares = [series(at(n, (9, 9 + n // 10))) for n in range(100, 600, 50)]
    found = check_windows(shares).findings[0]
    assert found.level == "flaw"
    assert "9.9 %" in found.says or "10 %" in found.says
    lengths = [series(at(100 * k, (9, 29))) for k in range(1, 8)]
    assert "events have 20 points" in check_windows(lengths).findings[0].says
    rng = np.random.default_rng(0)
    free = [series(at(300, (9, 9 + int(rng.integers(5, 90))))) for _ in range(20)]
    assert level(check_windows(free)) == "fine"
    assert level(check_windows(free[:4])) == "cannot say"
    single = sizes([series(at(100 + 40 * k**2, (9, 10))) for k in range(8)])
    assert single.commonest_share == 1
    assert not single.is_fixed  # a point has no length to be fixed
    equal = [series(at(100, (9 + k, 10 + k))) for k in range(8)]
    assert level(check_windows(equal)) == "fine"


def test_sizes_that_are_alike_without_a_rule():
    rng = np.random.default_rng(1)
    short = [[(s, s + rng.integers(1, 4)) for s in (20, 60)] for _ in range(6)]
    assert (
        level(check_windows([series(at(90 + 30 * k, *s)) for k, s in enumerate(short)])) == "fine"
    )
    fixed = [series(at(90 + 30 * k, (20 + k, 23 + k))) for k in range(6)]
    assert level(check_windows(fixed)) == "flaw"  # three points, every one of them
    many = [[(s, s + rng.integers(5, 15)) for s in range(10, 4000, 20)] for _ in range(6)]
    some = [series(at(4000, *one)) for one in many]
    assert sizes(some).spread < 0.1
    assert level(check_windows(some)) == "fine"  # many lengths add up to about the same


def test_series_with_the_same_labels_are_labelled_once():
    rng = np.random.default_rng(2)
    channels = [series(at(300, (100, 140)), f"c{k}") for k in range(20)]
    assert level(check_windows(channels)) == "cannot say"
    assert round_borders(channels)[0].borders == 1
    others = [series(at(300, (s, s + int(rng.integers(9, 90))))) for s in rng.integers(9, 99, 6)]
    assert sizes([*channels, *others]).series == 7


def test_borders_at_round_places():
    rng = np.random.default_rng(3)
    starts = 10 * rng.integers(1, 90, 30)
    found = check_round_borders([series(at(1000, (s, s + 7))) for s in starts]).findings[0]
    assert found.level == "flaw"
    assert "starts lie at multiples of" in found.says
    free = rng.integers(1, 900, 30)
    assert level(check_round_borders([series(at(1000, (s, s + 7))) for s in free])) == "fine"
    assert level(check_round_borders([series(np.ones(9)), series(at(9))])) == "cannot say"


def test_where_lengths_are_round_starts_and_stops_are_not_counted_twice():
    some = [series(at(1000, (s, s + 30))) for s in (10, 40, 77, 123, 500, 611)]
    starts, stops = (
        next(one for one in round_borders(some) if one.place == f"{side} lie at multiples of 10")
        for side in ("starts", "stops")
    )
    assert (starts.seen, starts.borders) == (stops.seen, stops.borders) == (3, 6)


def test_borders_at_midnight():
    times = np.datetime64("2026-01-01T00:00", "ns") + np.arange(1000) * np.timedelta64(1, "h")
    clock = Clock.read(times)
    some = [series(at(1000, (24 * k, 24 * k + 5)), clock=clock) for k in range(3, 30)]
    found = check_round_borders(some).findings[0]
    assert found.level == "flaw"
    assert "starts lie at midnight" in found.says
    hours = next(one for one in round_borders(some) if one.place == "starts lie at full hours")
    assert hours.share == 1
    assert hours.p_value == 1
