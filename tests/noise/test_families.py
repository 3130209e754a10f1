"""Several detectors in one call are one family, tested together where places are few."""

from dataclasses import replace

import numpy as np
import pytest

import adjudge as aj
from adjudge.judging.result_columns import Finding
from adjudge.judging.words.verdict import verdict
from adjudge.noise.chance_columns import ChanceLine
from adjudge.noise.chance_line import adjusted
from adjudge.noise.p_values import (
    KnownPlaces,
    NullTest,
    NullValues,
    benjamini_hochberg,
    holm,
    is_decided,
    max_t,
)
from adjudge.noise.shifting.shifted_case import CaseShifts
from sampling import one_in


def with_events(n, *intervals):
    """Labels of some intervals."""
    labels = np.zeros(n, int)
    for start, stop in intervals:
        labels[start:stop] = 1
    return labels


LABELS = with_events(2000, *((s, s + 20) for s in (150, 430, 800, 1210, 1500, 1870)))


def scores(seed, lift, labels=LABELS):
    """Scores of some skill."""
    return np.random.default_rng(seed).normal(size=labels.size) + lift * labels


def naive_max_t(values):
    """Westfall and Young's step-down, one detector and one place at a time."""
    scaled = []
    for own in values:
        defined = [v for v in own if not np.isnan(v)]
        mean = sum(defined) / len(defined)
        sd = (sum((v - mean) ** 2 for v in defined) / len(defined)) ** 0.5
        scaled.append([-np.inf if np.isnan(v) else (v - mean) / (sd or 1) for v in own])
    found, least = {}, 0.0
    left = sorted(range(len(values)), key=lambda d: -scaled[d][0])
    while left:
        places = range(len(values[0]))
        reached = [max(scaled[d][b] for d in left) >= scaled[left[0]][0] - 1e-12 for b in places]
        least = max(least, sum(reached) / len(reached))
        found[left.pop(0)] = least
    return [found[d] for d in range(len(values))]


def held_at(values):
    """The tests of several detectors at the same places, the own one first."""
    return [held(own) for own in values]


def held(own, p=None):
    """The test of a detector whose values at all places are known."""
    null = NullValues(np.array(own[1:]), exact=True)
    test = NullTest.of(own[0], null, "higher")
    return test._replace(p=test.p if p is None else p, places=KnownPlaces(np.array(own)))


def test_max_t_equals_the_slow_twin():
    rng = np.random.default_rng(0)
    small = 0
    for _ in range(60):
        values = rng.normal(size=(rng.integers(1, 6), rng.integers(30, 60)))
        values[:, 1:][rng.random(values[:, 1:].shape) < 0.1] = np.nan
        values[:, 0] += rng.choice([0, 3])
        found, expected = max_t(held_at(values)), naive_max_t(values.tolist())
        own = np.array([test.p for test in held_at(values)])
        passes = (np.array(expected) <= 0.05) & (own <= 0.05)
        assert found[passes] == pytest.approx(np.array(expected)[passes])
        assert found[~passes] == pytest.approx(np.maximum(holm(own), 0.05)[~passes])
        small += np.count_nonzero(passes)
    assert small > 50


def test_max_t_of_one_detector_is_its_own_p_value_and_equal_values_are_one():
    own = np.append(9.0, np.random.default_rng(1).normal(size=49))
    assert max_t(held_at([own])).tolist() == [0.02]
    assert max_t(held_at([own, own, own])).tolist() == [0.02] * 3
    assert max_t(held_at([np.ones(9)])).tolist() == [1]


def test_twelve_perfect_detectors_are_all_better():
    detectors = {f"d{i}": LABELS + 0.3 * np.random.default_rng(i).random(2000) for i in range(12)}
    found = aj.evaluate(LABELS, detectors, "best(f1_ba)")
    assert all("is better than chance" in said for said in found.verdicts.values())


@pytest.mark.parametrize("n", [90, 200])
def test_where_places_are_few_detectors_are_tested_together(n):
    labels = with_events(n, (10, 12), (n // 2 + 7, n // 2 + 9), (n - 20, n - 18))
    detectors = {f"d{i}": labels + 0.3 * np.random.default_rng(i).random(n) for i in range(30)}
    detectors["blind"] = np.random.default_rng(99).random(n)
    found = aj.evaluate(labels, detectors, "best(f1_ba)")
    said = found.verdicts
    assert "is better than chance" not in said.pop("blind")
    assert all("is better than chance" in words for words in said.values())
    assert not any(row.tests for row in found.rows)


def test_one_good_detector_among_many_is_found():
    detectors = {f"d{i}": scores(i, 0.0) for i in range(40)}
    detectors["good"] = scores(99, 3.0)
    said = aj.evaluate(LABELS, detectors, "best(f1_ba)").verdicts
    assert "is better than chance" in said.pop("good")
    assert not any("is better than chance" in words for words in said.values())


def naive_adjusted(labels, detectors):
    """Max-T nearby by judging every detector at every place, and the p-values themselves."""
    values, alone = [], []
    for scores in detectors:
        spec = "f1_ba" if set(np.unique(scores)) <= {0, 1} else "best(f1_ba)"
        shifts = CaseShifts(aj.Case(labels, scores)).nearby
        metric = aj.metric(spec).on(shifts.case.events)
        (row,) = aj.evaluate(labels, scores, spec).rows
        way, _ = shifts.way(metric, closed=True)
        by, _ = shifts.common_offsets
        every = np.append(shifts.at_home(metric), way.values(by))
        is_flags = spec == "f1_ba"
        scale = every[1:] if is_flags else shifts.scale_of(metric)
        values.append((every - scale.mean()) / scale.std())
        alone.append((row.p_value, np.mean(every >= every[0] - 1e-12)))
    found, least, left = {}, 0.0, sorted(range(len(values)), key=lambda d: -values[d][0])
    while left:
        top = np.max([values[d] for d in left], axis=0)
        least = max(least, np.mean(top >= values[left[0]][0] - 1e-12))
        found[left.pop(0)] = least
    return found, alone


@pytest.mark.parametrize("lift", [1.5, 0.6])
def test_flags_and_scores_are_one_family_at_the_same_places_nearby(lift):
    detectors = {f"s{i}": scores(i, lift) for i in range(2)}
    detectors |= {f"f{i}": (scores(i + 5, lift + 0.5) > 2.3).astype(int) for i in range(2)}
    detectors["blind"] = scores(8, 0.0)
    expected, alone = naive_adjusted(LABELS, detectors.values())
    found = aj.evaluate(LABELS, detectors)
    rows = [row for row in found.rows if row.requested in {"f1_ba", "best(f1_ba)"}]
    passing = [place for place, row in enumerate(rows) if row.p_adjusted <= 0.05]
    assert len(rows) == 5
    assert len(passing) >= 3
    for place, row in enumerate(rows):
        p, nearby = alone[place]
        assert row.p_value == p
        if place in passing:
            assert row.p_nearby == pytest.approx(nearby)
            assert row.p_adjusted == pytest.approx(max(p, expected[place]))
        else:
            assert max(p, expected[place]) > 0.05
    assert "is better than chance" not in found.verdicts["blind"]


def test_who_fails_by_itself_stays_in_the_family():
    """A value that is high among heavy tails passes nobody behind it."""
    rng = np.random.default_rng(3)
    heavy, light = rng.standard_t(2, 400), rng.normal(size=400)
    heavy[0], light[0] = np.sort(heavy)[-26] * 1.001, light[1:].max() + 0.01
    tests = held_at([heavy, light])
    assert [test.p <= 0.05 for test in tests] == [False, True]
    (_, p), both = max_t(tests), [test.places for test in tests]
    level = both[1].own
    reach = np.any([next(one.reaching([level])) for one in both], axis=0)
    assert p == max(reach.mean(), 0.05) or p == pytest.approx(reach.mean())
    assert reach.mean() > tests[1].p


def test_detectors_on_other_points_are_adjusted_by_holm():
    detectors = {f"d{i}": scores(i, 1.5) for i in range(3)}
    detectors["d0"][5] = np.nan
    rows = aj.evaluate(LABELS, detectors, "best(f1_ba)", missing="skip").rows
    by_holm = holm(np.array([row.p_joint for row in rows]))
    assert [row.p_adjusted for row in rows] == by_holm.tolist()


def test_metrics_with_the_same_islands_share_their_count():
    flags = (scores(5, 2.0) > 2.8).astype(int)
    both = aj.evaluate(LABELS, {"a": flags, "b": flags[::-1]}, ["f1_ba", "precision_ba"]).rows
    for row in both:
        own = flags if row.detector == "a" else flags[::-1]
        (alone,) = aj.evaluate(LABELS, own, row.requested).rows
        assert (alone.p_value, alone.chance) == (row.p_value, row.chance)


def test_areas_are_tested_together_too():
    detectors = {"good": scores(1, 2.0), "blind": scores(2, 0.0), "also": scores(3, 2.0)}
    for spec in ("auc_roc", "ap", "auc_pr"):
        rows = aj.evaluate(LABELS, detectors, spec).rows
        assert [row.p_adjusted <= 0.05 for row in rows] == [True, False, True]


@pytest.mark.parametrize("spec", ["ap_ba", "best(f1_ba)"])
def test_areas_whose_shifts_cannot_be_bounded_are_judged_at_all_places(spec):
    """Weak detectors that Holm's method fails, so that what others score at all places counts."""
    detectors = {f"d{i}": scores(i + 20, 0.45) for i in range(6)}
    rows = aj.evaluate(LABELS, detectors, spec).rows
    by_holm = holm(np.array([row.p_joint for row in rows]))
    passing = [place for place, row in enumerate(rows) if row.p_joint <= 0.05]
    assert by_holm[passing].max() > 0.05
    assert all(rows[place].p_joint <= rows[place].p_adjusted for place in passing)


def test_two_metrics_of_one_detector_are_two_families():
    detectors = {"a": scores(0, 1.0), "b": scores(1, 1.0)}
    specs = ["best(f1_ba)", "f1_ba(at=2.5)", "ap"]
    found = aj.evaluate(LABELS, detectors, specs)
    for spec in specs:
        (first, second) = aj.evaluate(LABELS, detectors, spec).rows
        rows = [row.p_adjusted for row in found.rows if row.requested == spec]
        assert rows == [first.p_adjusted, second.p_adjusted]


def line(p, low=None, high=None, values=None, name="shifts"):
    """A row with one test."""
    low, high = (p if end is None else end for end in (low, high))
    places = None if values is None else KnownPlaces(values)
    return ChanceLine(tests={name: NullTest(p, low=low, high=high, places=places)})


def test_what_the_places_leave_open_is_not_decided():
    lines = adjusted([line(0.03, 0.02, 0.06), line(0.001), line(0.2)])
    assert [one.decided for one in lines] == [False, True, True]
    assert [one.decided for one in adjusted([line(0.06, 0.04, 0.06)])] == [False]
    assert [one.decided for one in adjusted([line(0.04, 0.01, 0.04)])] == [True]


def test_at_common_places_max_t_counts_beside_the_other_p_values_as_they_are():
    rng = np.random.default_rng(0)
    own, other = rng.normal(size=(2, 100))
    own[0] = other[0] = 9
    both = [line(0.03, values=own), line(0.03, values=other)]
    expected = max_t([held(own, 0.03), held(other, 0.03)]).tolist()
    assert [one.p_adjusted for one in adjusted(both)] == expected != [0.06, 0.06]
    mixed = [ChanceLine(tests={**one.tests, **line(0.02, name="other").tests}) for one in both]
    assert [one.p_adjusted for one in adjusted(mixed)] == [0.02, 0.02]


def test_detectors_at_different_places_are_not_tested_together():
    lines = [line(0.01, values=np.arange(9.0)), line(0.01, values=np.arange(8.0)), line(0.01)]
    for chosen in (lines[:2], lines[1:], [lines[0], line(0.01, name="other")]):
        assert [one.p_adjusted for one in adjusted(chosen)] == [0.02, 0.02]


def test_a_verdict_that_is_not_decided_says_so():
    row = Finding("mine", "f1_ba", 0.6, None, "given", decided=False, shifts=32_000, event_count=12)
    row = replace(
        row, requested="f1_ba", chance=0.2, p_value=0.049, p_adjusted=0.049, p_joint=0.049
    )
    assert "is borderline" in verdict([row])
    few = replace(row, shifts=199, p_value=0.08, p_adjusted=0.08, p_joint=0.08)
    assert "undecided after 199 shifts" in verdict([few])


def test_a_few_shifts_by_request_leave_a_weak_detector_open():
    (row,) = aj.evaluate(LABELS, scores(3, 0.5), "best(f1_ba)", shifts=39).rows
    assert not row.decided or row.p_value <= 0.05 or row.p_value > 0.1


def test_benjamini_and_hochberg_by_hand():
    found = benjamini_hochberg(np.array([0.01, 0.02, 0.03, 0.04, np.nan, 0.9]))
    assert found[:4] == pytest.approx([0.05, 0.05, 0.05, 0.05])
    assert np.isnan(found[4])
    assert found[5] == 0.9


def test_what_holm_may_ask_of_a_p_value_decides_when_drawing_may_stop():
    assert is_decided(0.0, 0.001, detectors=40)
    assert not is_decided(0.0, 0.002, detectors=40)
    assert is_decided(0.06, 0.5, detectors=40)
    assert is_decided(0.017, 0.024, detectors=3)


@pytest.mark.parametrize("given", [{}, {"missing": "skip"}])
def test_detectors_of_a_call_share_nothing_that_changes_a_value(given):
    """Also where each lacks points of its own, so that each has labels of its own."""
    detectors = {f"d{i}": scores(i, 1.0) for i in range(3)}
    if given:
        for i, column in enumerate(detectors.values()):
            column[300 * i : 300 * i + 40] = np.nan
    for row in aj.evaluate(LABELS, detectors, ["best(f1_ba)", "ap"], **given).rows:
        (alone,) = aj.evaluate(
            LABELS, {row.detector: detectors[row.detector]}, row.requested, **given
        ).rows
        for name in ("value", "chance", "always_on", "low", "high", "optimism", "p_value"):
            assert getattr(row, name) == pytest.approx(getattr(alone, name), nan_ok=True), name


@pytest.mark.parametrize(
    "metric", one_in(2, ['best(f1_ba(islands="spill"))', "best(f1_ba(margin=2))"])
)
def test_what_is_judged_shift_by_shift_is_drawn_until_decided_and_knows_no_seed(metric):
    """These p-values are not exact: neither a seed nor 199 draws alone may decide a verdict."""
    rng = np.random.default_rng(1)
    labels = np.zeros(3000, int)
    for start in rng.integers(0, 2985, 8):
        labels[start : start + 15] = 1
    weak = rng.normal(size=3000) + 0.6 * labels
    found = [aj.evaluate(labels, weak, metric, seed=seed).rows[0] for seed in range(3)]
    assert len({(row.p_value, row.p_nearby, row.chance, row.decided) for row in found}) == 1
    assert not found[0].exact
    assert found[0].shifts > 199
    assert aj.evaluate(labels, weak, metric, shifts=199).rows[0].shifts == 199


def test_what_is_judged_shift_by_shift_has_no_places_in_common():
    labels = with_events(120, (20, 26), (60, 66), (100, 106))
    detectors = {"blind": scores(1, 0.0, labels), "good": scores(2, 3.0, labels)}
    rows = aj.evaluate(labels, detectors, 'best(f1_ba(islands="spill"))').rows
    by_holm = holm(np.array([row.p_joint for row in rows]))
    assert [row.p_adjusted for row in rows] == by_holm.tolist()
