"""p-values over all shifts by bounds are those of judging every shift; draws stop when decided."""

import math

import numpy as np
import pytest
from scipy.special import betaincinv

import adjudge as aj
from adjudge.noise import blind_detectors
from adjudge.noise.ask import Ask
from adjudge.noise.chance_line import chance_line
from adjudge.noise.intervals import areas, spread
from adjudge.noise.p_values import NullTest, is_decided, surely_between
from adjudge.noise.shifting import (
    islands,
    quick_ways,
    ranks,
    reached,
    rotation,
    shifted_case,
)
from adjudge.noise.shifting.one_by_one import Budget
from adjudge.noise.shifting.reached import can_be_bounded, reached_by
from adjudge.noise.shifting.rotation import tenths
from adjudge.noise.shifting.shifted_case import CaseShifts
from noise import naive_shifts

BOUNDED = [
    *("best(f1)", "best(f1(beta=2))", "best(f1_pa)", "best(f1_kpa)", "best(f1_kpa(k=0.5))"),
    *("best(f1_ba)", "best(f1_ba(width=4))", "best(f1_ba(width=9, beta=0.5))", "ap", "auc_pr"),
]


def small_case(rng, trial):
    """Labels with many or few events, touching the ends now and then, and scores with ties."""
    n = int(rng.integers(20, 200))
    labels = np.zeros(n, int)
    for _ in range(int(rng.integers(1, 40 if trial % 3 == 0 else 6))):
        start = int(rng.integers(0, n - 2))
        labels[start : start + int(rng.integers(1, 12))] = 1
    if trial % 4 == 0:
        labels[0] = labels[-1] = 1
    labels[int(rng.integers(n))] = 0
    labels[n // 2] = 1
    lift = labels * rng.choice([0, 0.3, 1])
    scores = rng.random(n) + lift if trial % 2 else np.round(rng.integers(0, 9, n) / 8 + lift, 1)
    return aj.Case(labels, scores)


def enumerated(metric, shifting, by):
    """Find the shifts that do as well as none at all, each judged in full."""
    way, _ = shifting.way(metric, closed=True)
    home, *values = way.values(np.vstack([np.zeros_like(by[:1]), by]))
    reached = np.flatnonzero(np.array(values) >= home - 1e-12)
    return home, reached.tolist(), way.values


@pytest.mark.parametrize("spec", BOUNDED)
@pytest.mark.parametrize("few", [True, False], ids=["few in full", "as it is"])
def test_bounds_count_what_judging_every_shift_counts(spec, few, monkeypatch):
    if few:  # nothing is judged in full before all thresholds are tried
        monkeypatch.setattr(reached, "_AP_FEW", 0)
        monkeypatch.setattr(reached, "_BEST", {True: (0, 60), False: (0, 60)})
        monkeypatch.setattr(reached, "_OF_ONE_WIDTH", 2)
        monkeypatch.setattr(reached, "_SLICES", 2)
    rng, metric = np.random.default_rng(7), aj.metric(spec)
    for trial in range(24):
        case = small_case(rng, trial)
        shifting, n = CaseShifts(case), case.events.n
        value, expected, full = enumerated(metric, shifting, np.arange(n)[:, np.newaxis])
        expected.remove(0)  # no shift at all
        assert can_be_bounded(metric, case.events)
        assert np.unique(reached_by(metric, shifting.scored, value, full)).tolist() == expected


@pytest.mark.parametrize("spec", BOUNDED)
def test_bounds_of_drawn_shifts_count_the_same(spec, monkeypatch):
    monkeypatch.setattr(reached, "_AP_FEW", 0)
    monkeypatch.setattr(reached, "_BEST", {False: (0, 60)})
    rng, metric = np.random.default_rng(8), aj.metric(spec)
    for trial in range(12):
        case = small_case(rng, trial)
        bounds = tenths(case.events)
        lengths = np.maximum(case.events.judged_between(bounds), 1)
        shifting, by = (
            CaseShifts(case, None, bounds),
            rng.integers(lengths, size=(60, len(lengths))),
        )
        value, expected, full = enumerated(metric, shifting, by)
        assert np.unique(reached_by(metric, shifting.scored, value, full, by)).tolist() == expected


def test_islands_far_from_events_spare_judging_drawn_shifts_in_full(monkeypatch):
    rng = np.random.default_rng(3)
    labels = np.zeros(4000, int)
    for start in range(150, 4000, 400):
        labels[start : start + 30] = 1
    case, metric = aj.Case(labels, rng.normal(size=4000) + labels), aj.metric("best(f1_ba)")
    shifting = CaseShifts(case, None, tenths(case.events))
    lengths = case.events.judged_between(shifting.bounds)
    by = rng.integers(lengths, size=(300, len(lengths)))
    value, expected, full = enumerated(metric, shifting, by)

    def in_full():
        judged = []
        noted = lambda some: judged.append(some) or full(some)  # noqa: E731 - as short as that
        found = reached_by(metric, shifting.scored, value, noted, by)
        assert np.unique(found).tolist() == expected
        return sum(map(len, judged))

    few = in_full()
    monkeypatch.setattr(  # every window may be near an event: nothing is known of false alarms
        reached.DrawnTurns, "near", lambda self, *at: 0 * self.own(*at) + self.points
    )
    assert few < 30 < in_full()


def test_a_bound_that_is_too_low_would_be_noticed(monkeypatch):
    tight = vars(reached.BestSearch)["_may"]
    monkeypatch.setattr(
        reached.BestSearch, "_may", lambda self, above, counts: tight(self, above + 9, counts)
    )
    monkeypatch.setattr(reached, "_BEST", {True: (0, 60)})
    rng, metric, wrong = np.random.default_rng(7), aj.metric("best(f1_pa)"), 0
    for trial in range(24):
        case = small_case(rng, trial)
        shifting, n = CaseShifts(case), case.events.n
        value, expected, full = enumerated(metric, shifting, np.arange(n)[:, np.newaxis])
        expected.remove(0)
        wrong += sorted(reached_by(metric, shifting.scored, value, full)) != expected
    assert wrong


@pytest.mark.parametrize(
    "spec", ["ap_pa", "auc_pr_pa", "best(delay_f1(k=2))", "ap_kpa", 'best(f1_ba(islands="all"))']
)
def test_what_has_no_bounds_says_so(spec):
    events = aj.Events.from_labels(np.repeat([0, 1, 0, 1], 5))
    assert not can_be_bounded(aj.metric(spec).on(events), events)


def good_case(n=3000, events=8, lift=1.2, seed=0):
    """A detector that finds much."""
    rng, labels = np.random.default_rng(seed), np.zeros(n, int)
    for start in np.sort(rng.choice(n // 40, events, replace=False)) * 40:
        labels[start : start + 15] = 1
    return aj.Case(labels, rng.normal(size=n) + lift * labels)


@pytest.mark.parametrize("spec", [*BOUNDED, "auc_pr_pa"])
def test_the_p_value_of_a_row_is_that_of_all_shifts(spec):
    case = good_case()
    found = aj.evaluate(case.events, case.scores, spec).rows[0]
    _, more, _ = enumerated(
        aj.metric(spec).on(case.events), CaseShifts(case), np.arange(1, 3000)[:, np.newaxis]
    )
    assert found.exact
    assert found.shifts == 3000
    assert found.p_value == (1 + len(more)) / 3000


def test_flags_of_a_longer_series_are_enumerated_where_draws_leave_it_open():
    rng, labels = np.random.default_rng(0), np.zeros(60_000, int)
    for start in range(500, 60_000, 6000):
        labels[start : start + 40] = 1
    flags = (rng.random(60_000) < np.where(labels, 0.05, 0.001)).astype(int)
    (row,) = aj.evaluate(labels, flags, "f1_ba").rows
    assert row.exact
    assert row.shifts == 60_000
    assert row.p_value * 60_000 == pytest.approx(round(row.p_value * 60_000))


def test_islands_at_the_ends_do_not_make_a_p_value_small():
    """A trend flags the end of the series, where islands that end with it are cheap."""
    small = {True: 0, False: 0}
    for seed in range(60):
        rng, labels = np.random.default_rng(seed), np.zeros(1000, int)
        for start in rng.choice(900, 2, replace=False):
            labels[start : start + 100] = 1
        scores = 3 * np.arange(1000) / 1000 + rng.normal(size=1000)
        case = aj.Case(labels, (scores > np.quantile(scores, 0.97)).astype(int))
        for closed in small:
            way, _ = CaseShifts(case).way(aj.f1_ba, closed=closed)
            values = way.values(np.arange(1000)[:, np.newaxis])
            small[closed] += np.mean(values >= values[0] - 1e-12) <= 0.05
    assert small[True] <= 6
    assert small[False] >= 10


def test_what_is_surely_above_the_line_is_not_enumerated():
    rng = np.random.default_rng(0)
    labels = np.zeros(4000, int)
    labels[500:540] = labels[3000:3050] = 1
    (row,) = aj.evaluate(labels, rng.normal(size=4000), "best(f1_ba)").rows
    assert not row.exact
    assert row.shifts == 199
    assert row.p_value > 0.05
    assert math.isnan(row.p_nearby)


def test_several_series_are_drawn_until_it_is_decided_and_no_seed_plays_a_part():
    rng, n = np.random.default_rng(1), 1200
    labels, ids = np.zeros(3 * n, int), np.repeat(list("abc"), n)
    for start in (100, 700, 1500, 2100, 2700, 3300):
        labels[start : start + 20] = 1
    weak = (rng.random(3 * n) < np.where(labels, 0.05, 0.02)).astype(int)
    rows = [aj.evaluate(labels, weak, "f1_ba", series=ids, seed=seed).rows[0] for seed in range(4)]
    assert len({(row.p_value, row.p_nearby, row.decided) for row in rows}) == 1
    assert not rows[0].exact


def three_series():
    """A case of three series, whose shifts are drawn."""
    case = good_case()
    return aj.Case(case.events.labels, case.scores, series=np.repeat([0, 1, 2], 1000))


def test_draws_that_leave_it_open_are_doubled_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(shifted_case, "_MOST_DRAWS", 1600)
    monkeypatch.setattr(
        shifted_case, "reached_by", lambda *given: np.arange(round(len(given[4]) * 0.05))
    )
    test = CaseShifts(three_series()).tested(aj.metric("best(f1)"), 0.5, Ask())
    assert test.size == 1600
    assert test.low < 0.05 < test.high
    assert not is_decided(test.low, test.high)


def test_few_combinations_are_all_made():
    case = aj.Case([0, 1, 0, 0, 1, 0, 0, 0], [0, 1, 0, 0, 1, 0, 0, 0], series=list("aaaabbbb"))
    test = CaseShifts(case).tested(aj.f1, 1.0, Ask())
    assert test == NullTest(1 / 16, math.nan, 16, exact=True, low=1 / 16, high=1 / 16)


def test_shifts_on_which_there_is_no_value_do_not_count():
    labels = np.zeros(3000, int)
    labels[100:110] = labels[1600:1610] = 1
    flags = np.zeros(3000, int)
    flags[[105, 1605, 2500]] = 1
    case = aj.Case(labels, flags, series=np.repeat([0, 1, 2], 1000))
    metric = aj.metric("event_coverage")
    test = CaseShifts(case).tested(metric, 0.1, Ask())
    assert test.size >= 199
    assert 0.5 < test.p <= 1  # nearly nowhere is an event touched; where one is, it covers as much


def test_clopper_and_pearson():
    assert surely_between(0, 199)[0] == 0
    assert surely_between(199, 199)[1] == 1
    low, high = surely_between(10, 199)
    assert low < 10 / 199 < high
    for draws in (1, 2, 19, 199, 1999, 32_000):
        for hits in sorted({0, 1, 7 % draws, draws // 20, draws // 2, draws - 1, draws}):
            ends = surely_between(hits, draws, 0.0002)
            slow = (
                betaincinv(hits, draws - hits + 1, 0.0001) if hits else 0,
                betaincinv(hits + 1, draws - hits, 0.9999) if hits < draws else 1,
            )
            assert ends == pytest.approx(slow, rel=1e-9)


def hardly_any_work():
    """The quick ways, each of which makes 99 shifts."""
    return tuple(one._replace(budget=Budget(1, 99, 99)) for one in quick_ways.QUICK)


def test_a_long_series_is_drawn(monkeypatch):
    monkeypatch.setattr(shifted_case, "LONGEST", 1000)
    monkeypatch.setattr(shifted_case, "_MOST_DRAWS", 2000)
    monkeypatch.setattr(shifted_case, "QUICK", hardly_any_work())
    case = good_case()
    for spec, scores in (("best(f1_ba)", case.scores), ("f1_ba", (case.scores > 2).astype(int))):
        (row,) = aj.evaluate(case.events, scores, spec).rows
        assert not row.exact
        assert row.decided


def test_what_would_be_too_much_work_is_drawn(monkeypatch):
    monkeypatch.setattr(shifted_case, "_ALL_WORK", 10)
    monkeypatch.setattr(shifted_case, "_MOST_DRAWS", 2000)
    monkeypatch.setattr(shifted_case, "QUICK", hardly_any_work())
    case = good_case()
    (row,) = aj.evaluate(case.events, case.scores, "auc_pr_pa").rows
    assert not row.exact
    assert row.decided


def test_islands_without_draws_known_before_are_tested_too():
    case = good_case()
    test = CaseShifts(case).tested(aj.metric("best(f1_ba)").on(case.events), 0.5, Ask())
    assert test.exact
    assert math.isnan(test.below)


def test_an_undefined_value_has_no_test():
    case = aj.Case([0, 1, 0, 0], [0, 0, 0, 0])
    assert math.isnan(CaseShifts(case).tested(aj.metric("event_precision"), math.nan, Ask()).p)


def naive_p(metric, case):
    """The share of all shifts, on closed circles, that do as well as none."""
    lengths = case.events.judged_between()
    values = [naive_shifts.closed_value(metric, case, [by]) for by in range(int(lengths[0]))]
    return np.mean(np.array(values) >= values[0] - 1e-12)


@pytest.mark.parametrize("spec", ["f1_ba", "best(f1_ba)", "best(f1_ba(width=4))"])
def test_p_values_of_rows_equal_point_by_point_counts_on_closed_circles(spec):
    rng, metric = np.random.default_rng(3), aj.metric(spec)
    for _ in range(6):
        labels = np.zeros(45, int)
        labels[rng.integers(45, size=4)] = 1
        scores = rng.integers(0, 2 if spec == "f1_ba" else 6, 45) + 3 * labels * (
            rng.random() < 0.5
        )
        case = aj.Case(labels, scores > 1 if spec == "f1_ba" else scores)
        (row,) = aj.evaluate(case.events, case.given, spec).rows
        assert row.p_value == pytest.approx(naive_p(metric.on(case.events), case))


@pytest.mark.parametrize("spec", ["best(f1)", "best(f1_ba)", "ap"])
@pytest.mark.parametrize("kept", [0, 10_000], ids=["made anew", "kept"])
def test_places_reach_the_same_levels_whatever_is_known_of_them(spec, kept, monkeypatch):
    monkeypatch.setattr(shifted_case, "_REMEMBERED", kept)
    labels = np.repeat([0, 1, 0, 1, 0], [90, 10, 150, 20, 130])
    metric, family = aj.metric(spec), Ask(detectors=2, common=True)
    for seed in range(3):
        scores = np.random.default_rng(seed).normal(size=400) + 0.9 * labels
        nearby = CaseShifts(aj.Case(labels, scores)).nearby
        way, _ = nearby.way(metric, closed=True)
        by, _ = nearby.common_offsets
        values = way.values(np.vstack([0 * by[:1], by]))
        test, scale = nearby.tested(metric, values[0], family), nearby.scale_of(metric)
        assert test.p == pytest.approx((values >= values[0] - 1e-12).mean())
        scaled = (values - scale.mean()) / scale.std()
        untested = nearby.only_places(metric)
        assert not untested.made
        for places in (test.places, untested.places):
            levels = [places.own, places.own + 0.2, (places.own + scaled.max()) / 2]
            for wanted in (levels, [places.own - 0.5, *levels]):
                expected = [(scaled >= level - 1e-12).tolist() for level in wanted]
                assert [reach.tolist() for reach in places.reaching(wanted)] == expected


@pytest.mark.parametrize("spec", ["best(f1_ba)", "auc_roc"])
def test_of_a_long_series_little_is_kept_and_nothing_changes(spec, monkeypatch):
    for module in (shifted_case, ranks, reached, rotation):
        monkeypatch.setattr(module, "LONGEST", 100)
    rng = np.random.default_rng(4)
    labels = np.zeros(600, int)
    labels[100:110] = labels[300:320] = labels[450:455] = 1
    metric, case = aj.metric(spec), aj.Case(labels, rng.random(600) + 0.6 * labels)
    value, shifting = metric.reading(case).value, CaseShifts(case)
    line = chance_line(metric, shifting, value)
    assert not shifting._ways  # noqa: SLF001 - what is large is let go
    monkeypatch.setattr(CaseShifts, "drop", lambda _, **__: None)
    monkeypatch.setattr(reached, "_Latest", dict)
    assert line == chance_line(metric, CaseShifts(case), value)


@pytest.mark.parametrize("spec", ["best(f1_ba)", "auc_roc", "ap"])
@pytest.mark.parametrize("decimals", [1, 9])
def test_how_many_points_are_gone_through_at_a_time_changes_nothing(spec, decimals, monkeypatch):
    rng = np.random.default_rng(5)
    labels = np.zeros(700, int)
    for start in range(40, 700, 90):
        labels[start : start + 12] = 1
    metric, case = aj.metric(spec), aj.Case(labels, np.round(rng.random(700) + labels, decimals))
    value = metric.reading(case).value
    line = chance_line(metric, CaseShifts(case), value)
    assert line.p_value < 0.05  # so that every test is made
    for module in (ranks, islands):
        monkeypatch.setattr(module, "AT_A_TIME", 13)
    monkeypatch.setattr(spread, "_AT_A_TIME", 900)
    monkeypatch.setattr(areas, "_PART", 50)
    monkeypatch.setattr(blind_detectors, "_POINTS", 17)
    assert line == chance_line(metric, CaseShifts(case), value)


def test_both_fourier_transforms_are_the_same():
    values = np.random.default_rng(0).random(5000)
    few, many = (reached._fourier(points) for points in (100, 5000))  # noqa: SLF001 - by size
    assert few is not many
    assert np.allclose(few.rfft(values), many.rfft(values))


@pytest.mark.parametrize(
    ("spec", "seed"), [("best(f1)", 23), ("best(f1_ba)", 37), ("ap", 9), ("auc_roc", 0)]
)
def test_places_that_are_known_and_looks_at_once_change_no_test(spec, seed, monkeypatch):
    """No one of the first 199 shifts does as well as these detectors, but some of the next ones."""
    rng, metric = np.random.default_rng(seed), aj.metric(spec)
    labels = np.zeros(1500, int)
    labels[np.arange(100, 1500, 200)[:, np.newaxis] + np.arange(12)] = 1
    case = aj.Case(labels, rng.random(1500) + 0.12 * labels)
    value, four = metric.reading(case).value, Ask(detectors=4)
    plain, known = CaseShifts(case).nearby, CaseShifts(case).nearby
    known.places(metric, value, 199)
    found = plain.tested(metric, value, four)
    assert known.tested(metric, value, four) == found
    monkeypatch.setattr(shifted_case, "_AT_ONCE", 0)
    assert CaseShifts(case).nearby.tested(metric, value, four) == found
