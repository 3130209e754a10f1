"""Comparing two detectors: difference, interval, p-value, and how it is told."""

import dataclasses
import math
from dataclasses import replace

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError
from adjudge.judging.comparing.comparison import Comparison
from adjudge.judging.doors.compare import compare
from adjudge.noise.comparing.paired_units import Needed, Own, events_needed, rate_difference
from adjudge.noise.intervals import jackknife
from adjudge.noise.intervals.rates import Side
from adjudge.noise.intervals.spread import Spread
from adjudge.noise.intervals.units import units_of
from messages import refused

SLOT = 40


def labels_of(events):
    labels = np.zeros((events, SLOT), int)
    labels[:, 20:30] = 1
    return labels.ravel()


def detector(events, found, false=(), at=23):
    """Flag one point of the events that are found, and one in front of those that are listed."""
    flags = np.zeros((events, SLOT), int)
    flags[list(found), at] = 1
    flags[list(false), 5] = 1
    return flags.ravel()


LABELS = labels_of(20)
ORDER = (3, 10, 17, 0, 13, 6, 19, 9, 16, 2, 12, 5, 8, 15, 1, 18, 11, 4, 14, 7)  # neighbours apart
GOOD = detector(20, ORDER[:18], [4])
FAIR = detector(20, ORDER[:6], [1, 9])
TOLD = Comparison("f1", 0.8, 0.5, 0.3, 0.1, 0.4, 0.01, 20, 9)


@pytest.mark.parametrize("spec", ["f1", "f1_ba", "precision_pa", "event_f1", "event_coverage"])
def test_a_detector_does_not_differ_from_itself(spec):
    found = compare(LABELS, GOOD, GOOD, spec)
    assert (0, 1) == (found.difference, found.p_value)
    assert found.low < 0 < found.high or spec == "event_coverage"
    assert found.low <= 0 <= found.high  # on other events it might have differed
    assert found.events_needed is None
    assert found.ahead is None
    assert not found.separated


@pytest.mark.parametrize("spec", ["f1_ba", "f1_pa", "event_f1", "mcc", "balanced_accuracy"])
def test_a_clearly_better_detector_is_told_from_luck(spec):
    found = compare(LABELS, GOOD, FAIR, spec)
    metric = aj.metric(spec)
    assert (metric(LABELS, GOOD), metric(LABELS, FAIR)) == pytest.approx((found.a, found.b))
    assert found.a - found.b == found.difference
    assert 0 < found.low < found.difference < found.high
    assert found.p_value < 0.05
    assert found.events_needed <= 25
    assert found.events == 20
    assert "a" == found.ahead
    assert found.separated


def test_the_metric_is_told_with_its_settings():
    assert 'f1_ba(width=11, islands="normal")' == compare(LABELS, GOOD, FAIR).metric


@pytest.mark.parametrize("spec", ["f1_ba", "event_f1", "precision", "event_coverage"])
def test_the_other_way_round_the_sign_flips_and_the_p_value_stays(spec):
    one, other = compare(LABELS, GOOD, FAIR, spec), compare(LABELS, FAIR, GOOD, spec)
    assert (one.a, one.b) == (other.b, other.a)
    assert -one.difference == other.difference
    assert (-one.high, -one.low) == pytest.approx((other.low, other.high))
    assert one.p_value == pytest.approx(other.p_value)
    assert (one.events_needed is None) == (other.events_needed is None)


def test_fewer_events_are_needed_for_a_larger_effect():
    needed = [
        compare(LABELS, GOOD, detector(20, ORDER[:count], [1, 9])).events_needed
        for count in (16, 12, 8, 4)
    ]
    assert sorted(needed, reverse=True) == needed
    assert needed[0] > 20 > needed[-1]


@pytest.mark.long
def test_so_many_events_show_the_difference_about_four_times_out_of_five():
    """On fresh events, not on those that the number was read from."""
    rng = np.random.default_rng(0)

    def drawn(events, chance):
        hits = np.flatnonzero(rng.random(events) < chance)
        return detector(events, hits, np.flatnonzero(rng.random(events) < 0.1))

    told = [compare(labels_of(40), drawn(40, 0.9), drawn(40, 0.5), "event_f1") for _ in range(30)]
    needed = int(np.median([one.events_needed for one in told if one.events_needed]))
    labels = labels_of(needed)
    runs = [compare(labels, drawn(needed, 0.9), drawn(needed, 0.5), "event_f1") for _ in range(60)]
    assert 0.6 <= np.mean([one.separated for one in runs]) <= 0.95


def test_the_number_of_events_by_hand():
    """Twelve units, a difference of two standard errors: (2.179 + 0.842)^2 / 4 as many."""
    found = Spread(0.2, 0.1, 12, 0.1, 12, 1)
    assert events_needed(found, 12) == Needed(28, (10, 265))
    assert events_needed(found._replace(value=-0.2, equal=4), 12) == Needed(28, (10, 265), True)
    assert events_needed(found._replace(value=0.1), 12) == Needed(110, (20, None))
    for nothing in (found._replace(value=0.0), found._replace(se=0.0)):
        assert events_needed(nothing, 12).events is None
    assert events_needed(found, 0).events is None


def test_below_three_units_nothing_is_said_but_for_these():
    series = np.repeat([0, 1], LABELS.size // 2)
    found = compare(LABELS, GOOD, FAIR, series=series)
    assert np.isnan([found.low, found.high, found.p_value]).all()
    assert not found.separated
    assert (found.evidence_unit, found.evidence_units) == ("series", 2)
    assert found.conditional_low < found.difference < found.conditional_high
    ends = f"{found.conditional_low:.4f} to {found.conditional_high:.4f}"
    assert str(found).endswith(f"too few to say: 2 series; for these two {ends}")
    few = compare(labels_of(2), detector(2, [0, 1]), detector(2, [0]), "event_f1")
    assert str(few).endswith("is ahead by 0.3333\ntoo few to say: 2 events")


def test_one_unit_that_holds_most_of_the_weight_leaves_nothing_to_say():
    labels, a, b = np.zeros((3, 1000), int)
    labels[100:500] = labels[600:605] = labels[700:705] = labels[800:805] = 1
    a[100:500] = b[602] = 1
    found = compare(labels, a, b, "f1_pa")
    assert str(found).endswith("one event carries 96 % of the weight: no interval")
    assert math.isnan(found.p_value)


def test_series_are_the_units_and_data_sets_where_they_are_known():
    rng = np.random.default_rng(0)
    series = np.repeat(np.arange(10), LABELS.size // 10)
    noisy = detector(20, np.flatnonzero(rng.random(20) < 0.5))
    by_series = compare(LABELS, GOOD, noisy, clock="own", series=series)
    assert "(the evidence is 10 series, not 20 events)" in str(by_series)
    sets = compare(LABELS, GOOD, noisy, clock="own", series=series, group=np.arange(10) // 2)
    assert (sets.evidence_unit, sets.evidence_units) == ("dataset", 5)
    by_point = compare(LABELS, GOOD, noisy, clock="own", series=series, group=series // 2)
    assert by_point == sets
    events = compare(LABELS, GOOD, noisy, clock="own", series=series, unit="event")
    assert events.evidence_units == 20


def test_swapped_columns_that_are_sorted_keep_their_groups():
    time = np.datetime64("2026-01-01") + np.arange(LABELS.size)
    group = np.arange(LABELS.size) // 80
    back = slice(None, None, -1)
    plain = compare(LABELS, GOOD, FAIR, group=group, time=time)
    turned = compare(LABELS[back], GOOD[back], FAIR[back], group=group[back], time=time[back],
                     sort=True)  # fmt: skip
    assert plain.evidence == "the evidence is 10 groups, not 20 events"
    assert (plain.low, plain.p_value) == (turned.low, turned.p_value)


def test_what_flatters_one_is_taken_off_its_lead():
    """Finely graded scores have a thousand thresholds to choose from, flags have none."""
    rng = np.random.default_rng(3)
    labels = labels_of(12)
    fine, flags = rng.random(labels.size) + 0.3 * labels, rng.random(labels.size) < 0.1
    found = compare(labels, fine, flags, "best(f1)")
    flattered, none = found.optimism
    assert 0.005 < flattered < 0.2
    assert math.isnan(none)
    assert not found.exact
    bare = rate_difference(
        tuple(Side.of(aj.best(aj.f1), aj.Case(labels, one)) for one in (fine, flags)),
        units_of(aj.Case(labels, fine).events),
        Own(found.difference, 1.0),
    )
    assert found.low < bare.tested.interval.low
    assert found.high < bare.tested.interval.high
    assert found.p_value > bare.tested.p_value
    assert f"optimism of a {flattered:.4f} and b 0.0000" in str(found)
    same = compare(labels, fine, flags, "best(f1)", seed=1)
    assert same.optimism != found.optimism  # which alone is drawn


def test_interval_and_p_value_say_the_same_about_nothing():
    rng = np.random.default_rng(0)
    labels = labels_of(5)
    told = []
    for _ in range(12):
        pair = [detector(5, np.flatnonzero(rng.random(5) < chance)) for chance in (0.9, 0.2)]
        found = compare(labels, *pair, "event_f1")
        if not math.isnan(found.difference):
            told.append((found.p_value <= 0.05, found.low > 0 or found.high < 0))
    labels = labels_of(20)
    for _ in range(8):
        pair = [detector(20, np.flatnonzero(rng.random(20) < chance)) for chance in (0.8, 0.4)]
        found = compare(labels, *pair, "event_f1")
        told.append((found.p_value <= 0.05, found.low > 0 or found.high < 0))
    assert all(small == excluded for small, excluded in told)
    assert {True, False} == {small for small, _ in told}


@pytest.mark.parametrize("units", [3, 5, 7, 8, 12])
def test_units_that_differ_by_the_same_have_both_or_neither(units):
    one = np.zeros(20, int)
    one[12:18] = 1
    late, early = np.roll(one, 2) * one, one
    found = compare(*(np.tile(row, units) for row in (one, late, early)), "detection_delay")
    assert found.difference == 2
    assert math.isnan(found.p_value) == math.isnan(found.low) == (units < 8)
    if units < 8:
        assert found.evidence == f"{units} events that differ by the same: no interval"
    else:
        assert found.p_value == 2.0 ** (1 - units)
        assert found.low == 2


def test_detectors_that_are_equally_good_are_seldom_told_apart():
    rng = np.random.default_rng(0)
    runs, p_values = 60, []
    for _ in range(runs):
        pair = (
            detector(20, np.flatnonzero(rng.random(20) < 0.6), np.flatnonzero(rng.random(20) < 0.2))
            for _ in range(2)
        )
        p_values.append(compare(LABELS, *pair).p_value)
    assert np.mean(np.array(p_values) <= 0.05) < 0.05 + 4 * math.sqrt(0.05 * 0.95 / runs)


def test_a_burst_of_false_alarms_counts_once():
    """Four false runs in one stretch are one unit; in four stretches they are four."""
    labels = labels_of(12)
    burst, apart = (detector(12, range(12)) for _ in range(2))
    burst[[2, 5, 8, 11]] = 1
    apart[np.array([0, 3, 6, 9]) * SLOT + 5] = 1
    perfect = detector(12, range(12))
    one, four = (compare(labels, perfect, b, "event_precision") for b in (burst, apart))
    assert one.difference == four.difference
    assert one.p_value > 0.2 > four.p_value


def test_points_that_are_not_judged_play_no_part():
    where = np.tile(np.arange(SLOT) >= 10, 20)
    plain = compare(LABELS, detector(20, ORDER[:18]), detector(20, ORDER[:6]))
    judged = compare(LABELS, GOOD, FAIR, where=where)
    assert (plain.a, plain.b) == (judged.a, judged.b)
    assert plain.p_value == pytest.approx(judged.p_value, abs=1e-4)
    assert (plain.low, plain.high) == pytest.approx((judged.low, judged.high), abs=0.01)


def test_one_threshold_serves_both_or_each_has_its_own():
    a, b = GOOD * 3.0, FAIR * 0.3
    found = compare(LABELS, a, b, at=(2, 0.2))
    assert (2, 0.2) == found.at
    assert dataclasses.replace(found, at=(None, None)) == compare(LABELS, GOOD, FAIR)
    assert (0.2, 0.2) == compare(LABELS, a, b, at=0.2).at
    assert (0, 0) == compare(LABELS, a, b, at="quantile(0.9)").at


def test_an_oracle_takes_each_detector_at_its_own_best_threshold():
    rng = np.random.default_rng(1)
    noise = rng.random(LABELS.size)
    found = compare(LABELS, GOOD + noise / 2, FAIR + 2 * noise, "best(f1_ba)")
    metric = aj.best(aj.f1_ba)
    assert metric(LABELS, GOOD + noise / 2) == pytest.approx(found.a)
    assert metric(LABELS, FAIR + 2 * noise) == pytest.approx(found.b)
    assert found.metric.startswith("best(f1_ba(width=11")
    assert None not in found.at


def test_no_seed_plays_a_part_and_nothing_else_is_touched():
    good, fair = GOOD.copy(), FAIR.copy()
    state = np.random.get_state()[1].tolist()  # noqa: NPY002 - the very thing to look at
    first = compare(LABELS, good, fair, seed=4)
    assert first == compare(LABELS, good, fair, seed=5, draws=7)
    assert first.exact
    assert state == np.random.get_state()[1].tolist()  # noqa: NPY002
    assert GOOD.tolist() == good.tolist()
    assert FAIR.tolist() == fair.tolist()


def test_events_may_be_given_as_events():
    events = aj.Events.from_labels(LABELS)
    assert compare(LABELS, GOOD, FAIR) == compare(events, GOOD, FAIR)


def test_without_events_no_number_of_them_is_asked_for():
    found = compare([0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], "f1")
    assert 0 == found.events
    assert math.isnan(found.difference)
    assert math.isnan(found.p_value)
    assert found.events_needed is None
    assert found.ahead is None
    assert str(found) == (
        "f1: a 0.0000, b undefined\nneither is ahead: the difference is undefined"
    )


def test_two_that_never_alarm_differ_in_nothing():
    found = compare(LABELS, 0 * LABELS, 0 * LABELS, "f1")
    assert found.difference == 0
    assert math.isnan(found.low)


def test_it_is_told_in_plain_words():
    assert str(TOLD) == (
        "f1: a 0.8000, b 0.5000\n"
        "a is ahead by 0.3000, 95 % interval 0.1000 to 0.4000\n"
        "significant: p = 0.01 over 20 events"
    )


def test_a_difference_that_luck_can_make_is_told_as_such():
    found = Comparison("f1", 0.5, 0.8, -0.3, -0.7, 0.1, 0.25, 1, 40)
    assert str(found) == (
        "f1: a 0.5000, b 0.8000\n"
        "b is ahead by 0.3000, 95 % interval -0.1000 to 0.7000\n"
        "not significant: p = 0.25 over 1 event; about 40 events needed"
    )


def test_the_number_of_events_is_told_with_its_range():
    found = Comparison("f1", 0.8, 0.5, 0.3, -0.1, 0.7, 0.25, 9, 40)
    for span, said in (
        ((15, None), "(15 or more; the true difference may be zero)"),
        ((15, 90), "(15 to 90)"),
    ):
        told = str(dataclasses.replace(found, events_needed_range=span))
        assert told.endswith(f"about 40 events {said} needed")


def test_where_lower_is_better_the_lower_one_is_ahead():
    assert "b" == dataclasses.replace(TOLD, better="lower").ahead
    assert "a" == dataclasses.replace(TOLD, better="lower", difference=-0.3).ahead


def test_without_a_number_of_events_none_is_told():
    told = str(dataclasses.replace(TOLD, events=0, events_needed=None))
    assert told.endswith("significant: p = 0.01 over 0 events")


def test_neither_is_ahead_of_its_equal():
    assert str(compare(LABELS, GOOD, GOOD, "f1_pa")) == (
        "f1_pa: a 0.9449, b 0.9449\nneither is ahead"
    ).replace("0.9449", f"{aj.f1_pa(LABELS, GOOD):.4f}")


@pytest.mark.parametrize("spec", ["hausdorff_distance", "f1_kpa_area"])
def test_what_is_no_sum_over_events_is_refused(spec):
    with refused(f"{spec} is not a sum over events and alarms"):
        compare(LABELS, GOOD, FAIR, spec)


def test_what_is_refused_is_called_by_its_own_name():
    a, b = "scores['a']", "scores['b']"
    way = "; leave them out with where={}.notna() or missing='skip' (--missing skip)"
    with refused(f"{a} must be numbers, got nan at index 1 (1 of 2 points){way.format(a)}"):
        compare([0, 1], [0, np.nan], [0, 1])
    with refused(f"{b} must be numbers, got nan at index 0 (1 of 2 points){way.format(b)}"):
        compare([0, 1], [0, 1], [np.nan, 1])
    with refused(f"labels and {b} must be equally long, got 2 and 3 points"):
        compare([0, 1], [0, 1], [0, 1, 0])
    with refused(f"{b} must be numbers, got nan at all 2 points"):
        compare([0, 1], [0, 1], [np.nan, np.nan], missing="skip")
    with pytest.raises(InputError, match=r"^scores\['a'\] must be 0/1 flags, .* -1 if -1 marks"):
        compare([0, 1], [1, -1], [0, 1])
    swapped = (
        "labels must be 0 or 1, got 0.5 at index 1 (2 of 3 points); are labels and {} swapped?"
    )
    with refused(swapped.format(a)):
        compare([0, 0.5, 0.7], [0, 1, 0], [0, 1, 0])
    coded = "; write labels == 2 if 2 marks the anomalies (--positive 2)"
    with refused(f"labels must be 0 or 1, got 2 at index 1 (1 of 2 points){coded}"):
        compare([0, 2], [0.5, 1], [0, 1])


def test_settings_are_checked():
    with refused("at must be one threshold or a pair (at_a, at_b), got (1, 2, 3)"):
        compare(LABELS, GOOD, FAIR, at=(1, 2, 3))
    with refused("draws must be a whole number, at least 1, got 0"):
        compare(LABELS, GOOD, FAIR, draws=0)
    with refused("unit must be one of 'auto', 'dataset', 'series', 'event', got 'day'"):
        compare(LABELS, GOOD, FAIR, unit="day")
    with refused("seed must be a whole number, at least 0, got 0.5"):
        compare(LABELS, GOOD, FAIR, seed=0.5)
    with refused(
        "f1_ba needs 0/1 flags or at=<threshold>, got scores of two values, 0 and 0.5; write "
        "scores == 0.5 if the higher one is the alarm, scores == 0 if the lower one is"
    ):
        compare(LABELS, GOOD / 2, FAIR)


def test_an_end_of_the_interval_that_rounds_to_zero_has_no_sign():
    told = dataclasses.replace(TOLD, low=-0.00001)
    assert "95 % interval 0.0000 to 0.4000" in str(told)


THREE = {"good": GOOD, "weak": detector(20, ORDER[:9]), "silent": detector(20, [])}


def naive_holm(p_values):
    """Step by step: the smallest p-value times how many are left, never below one before it."""
    adjusted, so_far = {}, 0.0
    for step, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        so_far = max(so_far, (len(p_values) - step) * p_values[place])
        adjusted[place] = min(1.0, so_far)
    return [adjusted[place] for place in range(len(p_values))]


def test_each_two_of_several_are_compared_as_two_are_and_adjusted_after_holm():
    found = aj.compare_all(LABELS, THREE, "event_f1")
    names = [("good", "weak"), ("good", "silent"), ("weak", "silent")]
    for pair, (one, other) in zip(found.pairs, names, strict=True):
        assert pair == compare(LABELS, THREE[one], THREE[other], "event_f1", names=(one, other))
    assert list(found.p_adjusted) == naive_holm([pair.p_value for pair in found.pairs])
    assert found.separated == tuple(p <= 0.05 for p in found.p_adjusted)
    assert list(found.to_frame()["p_adjusted"]) == list(found.p_adjusted)
    assert found.to_dict()["pairs"][1]["p_adjusted"] == found.p_adjusted[1]
    assert found == aj.compare_all(LABELS, THREE, "event_f1")
    assert "ahead of weak and of silent" in found._repr_html_()


def test_a_pair_that_is_clear_alone_may_not_be_among_many():
    several = {f"weak {n}": detector(20, ORDER[: 9 + n % 3], at=22 + n) for n in range(6)}
    found = aj.compare_all(LABELS, {"good": GOOD, **several}, "event_f1")
    alone = [pair.separated for pair in found.pairs]
    assert sum(found.separated) < sum(alone)
    assert str(found).endswith("not significant: 21 pairs")
    assert aj.compare_all(LABELS, {"a": GOOD, "b": GOOD}, "event_f1").to_dict()["sentences"] == [
        "not significant: 1 pair"
    ]


@pytest.mark.parametrize("columns", [(THREE,), (THREE, "event_f1"), (GOOD,)])
def test_several_detectors_go_to_compare_all(columns):
    with pytest.raises(InputError, match="one detector each; several by name go to compare_all"):
        compare(LABELS, *columns)


def test_thresholds_by_name_notes_once_and_pairs_without_evidence():
    scores = {name: column + 0.1 for name, column in THREE.items()}
    found = aj.compare_all(LABELS, scores, "event_f1", at={"good": 0.5, "weak": 0.5, "silent": 2})
    assert found.pairs[1].at == (0.5, 2.0)
    assert str(found).count("silent: ") == 1
    few = aj.compare_all(LABELS[: 2 * SLOT], {"x": GOOD[: 2 * SLOT], "y": LABELS[: 2 * SLOT]}, "f1")
    assert "1 of 1 pairs have no p-value: too few to say: 2 events" in str(few)
    best = aj.compare_all(LABELS, {"x": GOOD + 0.1 * LABELS, "y": GOOD * np.arange(800)},
                          "best(f1)", draws=9, null="shifted")  # fmt: skip
    assert "thresholds were chosen on these same events" in str(best)
    assert "by chance (the same alarms shifted in time): x" in str(best)
    with refused(
        "scores must hold at least two detectors by name, as in {'mine': ..., 'theirs': ...}, got 1"
    ):
        aj.compare_all(LABELS, GOOD)


def test_tuned_thresholds_are_those_of_evaluate_and_the_rest_is_compared():
    rng = np.random.default_rng(7)
    x, y = rng.random(800) + 0.6 * LABELS, rng.random(800) + 0.4 * LABELS
    first, second = aj.tuned("f1", on=slice(0, 200)), aj.tuned("f1_ba", on=slice(100, 300))
    found = compare(LABELS, x, y, "f1", at=first)
    rows = aj.evaluate(LABELS, {"x": x, "y": y}, "f1", first, chance=False).rows
    assert [(row.at, row.value) for row in rows] == [
        (found.at[0], found.a),
        (found.at[1], found.b),
    ]
    rest = np.arange(800) >= 300
    apart = compare(LABELS, x, y, "f1", at=(first, second))
    given = compare(LABELS, x, y, "f1", at=apart.at, where=rest)
    assert replace(apart, notes=apart.notes[1:]) == given
    assert apart.notes[0] == (
        "thresholds were tuned on 0:200 and 100:300; only the rest is compared"
    )
    in_policy = compare(LABELS, x, y, "f1", at=aj.policy(first, k=1, of=2))
    assert in_policy.notes[0] == "thresholds were tuned on 0:200; only the rest is compared"


@pytest.mark.long
def test_of_several_equally_good_detectors_seldom_any_two_are_told_apart():
    rng, runs, alone, adjusted = np.random.default_rng(2), 60, 0, 0
    for _ in range(runs):
        found, false = rng.random((4, 20)) < 0.6, rng.random((4, 20)) < 0.2
        flags = {
            f"d{n}": detector(20, *map(np.flatnonzero, (found[n], false[n]))) for n in range(4)
        }
        told = aj.compare_all(LABELS, flags)
        alone += any(pair.separated for pair in told.pairs)
        adjusted += any(told.separated)
    assert adjusted / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert adjusted < alone  # without the adjustment there would be more


def test_delays_of_two_events_each_are_not_compared():
    labels = labels_of(6)
    starts = np.flatnonzero(np.diff(labels, prepend=0) == 1)
    a, b = np.zeros((2, labels.size), int)
    for start in starts:
        a[start + 2] = 1
    b[starts[:2] + 1] = 1
    found = aj.compare(labels, a, b, "detection_delay")
    assert math.isnan(found.p_value)
    assert found.evidence == "too few to say: 2 of 6 events with a value"
    b[starts + np.arange(6) % 3] = 1
    assert not math.isnan(aj.compare(labels, a, b, "detection_delay").p_value)


def test_of_a_long_series_an_area_that_is_no_sum_is_not_compared(monkeypatch):
    monkeypatch.setattr(jackknife, "_POINTS", 1000)
    labels = np.tile([0] * 15 + [1] * 5, 30)
    scores = np.random.default_rng(0).normal(size=(2, 600)) + labels
    found = compare(labels, *scores, "vus_roc(window=5)")
    assert math.isnan(found.p_value)
    assert found.evidence == "the series is too long to leave out each event"
    assert math.isnan(aj.evaluate(labels, scores[0], "vus_roc(window=5)", shifts=1).rows[0].low)
