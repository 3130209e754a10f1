"""Units of evidence: which there are, what each adds, what they carry, and what is said of it."""

import math

import numpy as np
import pytest
from scipy.special import stdtrit

import adjudge as aj
from adjudge.errors import InputError
from adjudge.judging.result_columns import averaged
from adjudge.judging.words.remarks import remarks
from adjudge.judging.words.verdict import verdict
from adjudge.noise.intervals.evidence import NONE, Evidence, evidence, refusal
from adjudge.noise.intervals.neighbours import QUIET_ALIKE, variance_inflation
from adjudge.noise.intervals.spread import NormalTime, Spread, spread
from adjudge.noise.intervals.student import ends, quantile
from adjudge.noise.intervals.units import group_numbers, units_of
from messages import refused
from noise.naive_evidence import spread as naive_spread
from noise.naive_evidence import units_of_points

SLOT = 40


def drawn(rng, series=3, where=False):
    """Events of all lengths in a few series, one of them perhaps without any."""
    labels = rng.random(90) < np.repeat(rng.choice([0.0, 0.2, 0.5], 9), 10)
    ids = np.sort(rng.integers(series, size=90))
    judged = None
    if where:
        judged = rng.random(90) < 0.8
        judged[ids == ids[0]] = rng.random() < 0.5
        judged[-1] = True
    return aj.Events.from_labels(labels, series=ids, where=judged)


@pytest.mark.parametrize("kind", ["event", "series", "dataset"])
@pytest.mark.parametrize("where", [False, True])
def test_units_are_those_of_a_walk_from_point_to_point(kind, where):
    rng = np.random.default_rng(0)
    for _ in range(40):
        events = drawn(rng, where=where)
        groups = np.sort(rng.integers(4, size=90))
        units = units_of(events, kind, groups)
        slow = units_of_points(events, kind, groups)
        inside, normal = units.points(10_000)
        judged = np.ones(90, bool) if events.judged is None else events.judged
        assert units.count == len({slow[k] for k in np.flatnonzero(judged)})
        fast = np.full(90, -1)
        fast[events.labels], fast[events.normal] = inside, normal
        starts = np.repeat(events.starts, events.widths)
        for point in np.flatnonzero(judged):
            first = dict(zip(np.flatnonzero(events.labels), starts, strict=True)).get(point, point)
            twin = slow[first]
            same = [k for k in np.flatnonzero(events.normal) if slow[k] == twin]
            assert all(fast[k] == fast[point] for k in same)


def test_the_coarsest_unit_that_is_there_is_taken():
    labels = np.tile([0, 1, 0, 0], 12)
    one, three = (aj.Events.from_labels(labels, series=np.arange(48) // k) for k in (48, 16))
    groups = np.arange(48) // 24
    assert units_of(one).kind == "event"
    assert units_of(three).kind == "series"
    assert units_of(three, "auto", groups).kind == "dataset"
    assert units_of(three, "auto", 0 * groups).named() == "1 data set"
    assert units_of(three, "event", groups).kind == "event"
    assert units_of(three, "series").nested_units.kind == "event"
    assert units_of(three, "dataset", groups).nested_units.kind == "series"
    assert units_of(one, "dataset", groups).nested_units.kind == "event"
    assert units_of(one).nested_units is None
    with refused('unit="dataset" needs group= (--group COL)'):
        units_of(three, "dataset")
    with refused("unit must be one of 'auto', 'dataset', 'series', 'event', got 'points'"):
        units_of(three, "points")


def test_units_know_their_series_also_where_the_last_one_is_not_judged():
    labels, series = [0, 1, 0, 1, 0, 1, 0, 0], list("aabbccdd")
    events = aj.Events.from_labels(labels, series=series, where=[1] * 6 + [0] * 2)
    units = units_of(events, "event")
    assert units.series_of_unit().tolist() == [1, 2, 3]
    assert units.series_of_unit(2).tolist() == [1, 3]
    assert units_of(events).series_of_unit() is None


def test_groups_are_named_by_what_they_are():
    labels = np.tile([0, 1, 0, 0], 12)
    events = aj.Events.from_labels(labels, series=np.arange(48) // 16)
    assert units_of(events, "auto", np.arange(48) // 16).named() == "3 data sets"
    assert units_of(events, "auto", np.arange(48) // 12).named() == "4 groups"
    assert units_of(events).named(1) == "1 series"


def test_groups_may_be_named_by_point_or_by_series():
    events = aj.Events.from_labels([0, 1, 0, 1, 0], series=list("aabbc"))
    assert group_numbers(["x", "y", "x"], events).tolist() == [0, 0, 1, 1, 0]
    assert group_numbers(list("qqqpp"), events).tolist() == [1, 1, 1, 0, 0]
    order = np.array([4, 0, 1, 2, 3])
    assert group_numbers(list("qqqpp"), events, order).tolist() == [0, 1, 1, 1, 0]
    with refused("group must be one id per point (5) or per series (3), got 4"):
        group_numbers(list("abcd"), events)


def mean(sums):
    return np.asarray(sums[..., 0] / sums[..., 1])


def test_the_spread_is_that_of_a_loop():
    rng = np.random.default_rng(1)
    for _ in range(20):
        rows = np.stack([rng.normal(size=7), rng.random(7) + 0.1], axis=1)
        pseudo_rows = [(0.5, np.array([1.0, 0.4])), (0.1, np.array([0.0, 0.3]))]
        stakes = rng.random(8)
        fast = spread(mean, rows, pseudo_rows, stakes)
        slow = naive_spread(lambda sums: sums[0] / sums[1], rows, pseudo_rows, stakes)
        assert (fast.value, fast.se, fast.df) == pytest.approx((*slow[:2], max(slow[2], 1)))


def test_of_equal_units_it_is_the_usual_standard_error():
    values = np.array([3.0, 1.0, 4.0, 1.0, 5.0])
    rows = np.stack([values, np.ones(5)], axis=1)
    found = spread(mean, rows, [], np.array([1, 1, 1, 1, 1, 0]))
    assert found.se == pytest.approx(values.std(ddof=1) / math.sqrt(5), rel=1e-5)
    assert found.df == pytest.approx(4)
    assert (found.equal, found.largest, found.alike) == pytest.approx((5, 0.2, 1))


def test_where_nothing_is_at_stake_all_units_count_alike():
    rows = np.ones((4, 2))
    assert spread(mean, rows, [], np.zeros(5)).equal == pytest.approx(4)


EVEN, HOME = np.full(24, 1 / 24), np.zeros(24, int)


def test_neighbours_swell_the_variance_only_where_they_fare_alike():
    rng = np.random.default_rng(0)
    groups = np.repeat([1.0, -1.0, 1.0, -1.0], 6)
    assert variance_inflation(np.tile([1.0, -1.0], 12), EVEN, HOME) == 1
    assert variance_inflation(groups, EVEN, HOME) > 3
    assert variance_inflation(groups, EVEN, np.arange(24)) == 1  # each in a series of its own
    assert variance_inflation(groups[:9], EVEN[:9], HOME[:9]) == 1  # too few to see
    assert variance_inflation(np.zeros(24), EVEN, HOME) == 1
    assert variance_inflation(rng.permutation(groups), EVEN, HOME) < variance_inflation(
        groups, EVEN, HOME
    )


def test_neighbours_that_all_fare_alike_are_no_groups():
    """Everything found: influences are in proportion to the stakes, and nothing is seen."""
    shares = np.random.default_rng(0).random(24)
    shares /= shares.sum()
    weighed = 1 + 2 * sum(
        (1 - k / 4) * (shares[k:] * shares[:-k]).sum() / (shares**2).sum() for k in (1, 2, 3)
    )
    assert variance_inflation(shares, shares, HOME) == pytest.approx(weighed)


def test_intervals_end_within_the_range_and_hold_the_value():
    found = Spread(0.5, 0.1, 10.0, 0.1, 10, 1)
    low, high = ends(found, 0.5, (0.0, 1.0), 0.95)
    by = math.sin(2 * 2.2281 * 0.1) / 2  # sin^2 of a quarter of a turn less 2.2281 * 0.1
    assert (low, high) == pytest.approx((0.5 - by, 0.5 + by), abs=1e-4)
    assert ends(found, 0.9, (0.0, 1.0), 0.95).high == 0.9
    wide = found._replace(se=2.0)
    assert ends(wide, 0.5, (0.0, 1.0), 0.95) == (0, 1)
    by = quantile(10, 0.95) * 0.1
    assert ends(found, 0.5, (0.0, math.inf), 0.95) == pytest.approx((0.5 - by, 0.5 + by))
    assert ends(wide, 0.5, (0.0, math.inf), 0.95).low == 0
    by = math.sin(2.2281 * 0.1)  # half as much of a range twice as wide
    assert ends(found._replace(value=0.0), 0.0, (-1.0, 1.0), 0.95) == pytest.approx(
        (-by, by), abs=1e-4
    )


@pytest.mark.parametrize("level", [0.1, 0.8, 0.95, 0.999])
def test_quantiles_are_those_of_students_t(level):
    for df in (1, 1.3, 2, 3.3, 7, 30, 199, 201, 1e4, 1e9):
        assert quantile(df, level) == pytest.approx(stdtrit(df, (1 + level) / 2), rel=1e-10)


def units(count, kind="event"):
    labels = np.tile([0, 0, 1, 0], count)
    ids = np.repeat(np.arange(count), 4) if kind == "series" else None
    return units_of(aj.Events.from_labels(labels, series=ids), kind)


def test_it_is_refused_below_three_units_and_where_one_has_most():
    fine = Spread(0.5, 0.1, 10.0, 0.3, 4, 1)
    assert refusal(fine, units(3)) == ""
    assert refusal(fine, units(2)) == "too few to say: 2 events"
    assert refusal(fine, units(1, "series")) == "too few to say: 1 series"
    most = fine._replace(largest=0.72)
    assert refusal(most, units(4)) == "one event carries 72 % of the weight: no interval"


def told(found, count, kind="event", widths=None):
    if widths is None:
        return evidence(units(count, kind), lambda _: found, lambda _: (0.4, 0.6)).words
    labels = np.concatenate([[0, *[1] * width] for width in widths])
    rests = units_of(aj.Events.from_labels(labels))
    return evidence(rests, lambda _: found, lambda _: (0.4, 0.6)).words


def test_every_interval_says_what_it_rests_on():
    fine = Spread(0.5, 0.1, 10.0, 0.1, 12, 1)
    assert told(fine, 12) == "12 events"
    assert told(fine, 12, "series") == "the evidence is 12 series, not 12 events"
    few = fine._replace(equal=4.2)
    assert told(few, 12) == "12 events, effectively 4: a few dominate"
    assert told(few, 12, widths=[50] + [1] * 11) == "12 events, effectively 4: long ones dominate"
    assert told(few, 12, "series") == (
        "the evidence is 12 series, not 12 events, effectively 4: a few dominate"
    )
    alike = fine._replace(equal=11, alike=2.7)
    assert told(alike, 30) == "30 events, effectively 11: neighbours are found or missed together"
    assert told(alike._replace(together=""), 30) == "30 events"  # nothing is seen of neighbours
    assert told(alike._replace(together=QUIET_ALIKE), 30) == (
        "30 events, effectively 11: neighbours are similar in their normal time"
    )
    both = fine._replace(equal=3, alike=2)
    assert told(both, 30) == (
        "30 events, effectively 3: a few dominate, and neighbours are found or missed together"
    )


def test_what_is_known_to_flatter_lowers_the_low_ends():
    found = Evidence(0.4, 0.6, 0.1, 0.2)
    assert found.lowered(0.15, 0.0)[:4] == pytest.approx((0.25, 0.6, 0.0, 0.2))
    assert found.lowered(math.nan, 0.0) is found
    assert math.isnan(NONE.lowered(0.1, 0.0).low)


def case_of(counts, rng, found=0.6):
    """Events of 10 points in slots of 40, so many in each series."""
    events = sum(counts)
    labels, flags = np.zeros((2, events, SLOT), int)
    labels[:, 20:30] = 1
    flags[rng.random(events) < found, 23] = 1
    series = np.repeat(np.arange(len(counts)), np.array(counts) * SLOT)
    return labels.ravel(), flags.ravel(), series


def test_results_carry_what_they_rest_on():
    labels, flags, series = case_of([6] * 5, np.random.default_rng(0))
    (row,) = aj.evaluate(labels, flags, "f1_ba", clock="own", series=series, shifts=19).rows
    assert (row.evidence_unit, row.evidence_units) == ("series", 5)
    assert row.evidence == "the evidence is 5 series, not 30 events"
    assert row.effective_units == pytest.approx(5, abs=0.5)
    said = verdict([row])
    assert f"({row.value:.2f}" not in said
    ends_said = f"95 % interval {row.low:.2f} to {row.high:.2f}"
    assert f"({ends_said}; the evidence is 5 series, not 30 events)" in said
    assert remarks([row])[0] == "95 % intervals: the evidence is 5 series, not 30 events"
    judged = aj.evaluate(
        labels, flags, "f1_ba", clock="own", series=series, group=[0, 0, 1, 1, 2], shifts=19
    )
    assert judged.rows[0].evidence == "the evidence is 3 data sets, not 30 events"
    assert judged.rows[0].low != row.low
    events = aj.evaluate(
        labels, flags, "f1_ba", clock="own", series=series, unit="event", shifts=19
    ).rows[0]
    assert events.evidence == "30 events, for these 5 series"


def test_two_series_have_an_interval_for_these_two():
    labels, flags, series = case_of([8, 8], np.random.default_rng(2))
    for spec in ("f1_ba", "auc_roc", "vus_roc"):
        (row,) = aj.evaluate(labels, flags, spec, series=series, shifts=9).rows
        assert np.isnan([row.low, row.high]).all()
        assert row.conditional_low < row.value < row.conditional_high
        here = f"for these two {row.conditional_low:.2f} to {row.conditional_high:.2f}"
        assert f"(too few to say: 2 series; {here})" in verdict([row])
    (row,) = aj.evaluate(labels, flags, "f1_ba", series=series, group=[0, 1], shifts=9).rows
    assert row.evidence == "too few to say: 2 data sets"


def test_no_seed_moves_an_interval():
    labels, flags, _ = case_of([6] * 5, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    scores = flags + rng.random(flags.size)
    first, other = (
        aj.evaluate(labels, scores, ["f1_ba(at=1)", "ap", "vus_pr"], seed=seed, shifts=5).rows
        for seed in (0, 7)
    )
    for one, two in zip(first, other, strict=True):
        assert (one.low, one.high) == (two.low, two.high)
        assert one.low < one.value < one.high


def test_a_wrong_group_or_one_without_effect_is_refused():
    labels, flags, series = case_of([6] * 5, np.random.default_rng(0))
    with refused("group must be one id per point (1200) or per series (5), got 3"):
        aj.evaluate(labels, flags, "f1", series=series, group=[1, 2, 3])
    why = 'without the chance line, which chance=False and "all" metrics leave out'
    with refused(f"unit must be 'auto' {why}, got 'series'; say chance=True"):
        aj.evaluate(labels, flags, "f1", series=series, unit="series", chance=False)
    with pytest.raises(InputError, match=rf"^group must be None {why}, got "):
        aj.evaluate(labels, flags, "f1", series=series, group=series, chance=False)


def test_groups_go_with_points_that_are_sorted():
    labels, flags, _ = case_of([12], np.random.default_rng(0))
    time = np.datetime64("2026-01-01T00:00") + np.arange(labels.size) * np.timedelta64(1, "h")
    day = (np.arange(labels.size) // 80).astype(str)
    plain = aj.evaluate(labels, flags, "f1_ba", time=time, group=day, shifts=5).rows[0]
    back = slice(None, None, -1)
    turned = aj.evaluate(
        labels[back], flags[back], "f1_ba", time=time[back], group=day[back], sort=True, shifts=5
    ).rows[0]
    assert plain.evidence == "the evidence is 6 groups, not 12 events"
    assert (plain.low, plain.high) == (turned.low, turned.high)


@pytest.mark.parametrize("spec", ["ap", "auc_roc", "best(event_f1)", "best(f1_pa)"])
def test_of_events_that_are_all_found_nothing_is_said_about_neighbours(spec):
    said = []
    for seed in range(20):  # events are drawn each by itself
        rng = np.random.default_rng(seed)
        labels = np.tile(np.repeat([0, 1], [40, 10]), 20)
        scores = rng.normal(size=1000) + labels * np.repeat(5 + 0.7 * rng.normal(size=20), 50)
        (row,) = aj.evaluate(labels, scores, spec, shifts=1).rows
        said.append("missed together" in row.evidence)
    assert sum(said) <= 4  # luck does it in one case of twenty


def test_storms_of_false_alarms_are_not_called_events_that_are_found_together():
    rng = np.random.default_rng(3)
    labels = np.zeros((40, 60), int)
    labels[:, 40:50] = 1
    flags = labels * (rng.random((40, 1)) < 0.7) * (np.arange(60) == 45)
    flags[10:14, 2:36:6] = flags[28:32, 2:36:6] = 1
    (row,) = aj.evaluate(labels.ravel(), flags.ravel(), "f1_ba", shifts=1).rows
    assert row.evidence == "40 events, effectively 7: neighbours are similar in their normal time"
    (note,) = remarks([row])
    assert "in 83 to 88 % of simulations" in note


def test_weak_spots_are_told_with_their_numbers():
    rng = np.random.default_rng(0)
    labels, flags, _ = case_of([30], rng)
    flags[:] = 0
    flags.reshape(-1, SLOT)[np.repeat([True, False, True], 10), 23] = 1
    (row,) = aj.evaluate(labels, flags, "event_recall", shifts=5).rows
    assert row.evidence.endswith("neighbours are found or missed together")
    (remark,) = remarks([row])
    assert "in 85 to 91 % of simulations" in remark
    assert "group= (--group COL)" in remark
    widths = [5] * 8 + [60, 70]
    labels = np.concatenate([[0] * 30 + [1] * width for width in widths] + [[0] * 30])
    flags = labels * (np.arange(labels.size) % 7 == 0)
    flags[40:90] = 0
    (row,) = aj.evaluate(labels, flags, "f1_pa", shifts=5).rows
    assert "long ones" in row.evidence
    assert "35 % of samples of 10 events" in remarks([row])[-1]
    (row,) = aj.evaluate(labels, flags + 0.5 * labels, "ap", shifts=5).rows
    assert "35 % of samples of 10" in remarks([row])[-1]
    labels, flags, _ = case_of([40], rng)
    (row,) = aj.evaluate(labels, flags, "event_recall", shifts=5).rows
    assert remarks([row], verbose=True) == []  # forty see a kind that is one in ten
    for count, absent in ((5, "59 %"), (20, "")):
        labels, flags, series = case_of([4] * count, rng)
        (row,) = aj.evaluate(
            labels, flags, "event_recall", series=series, clock="own", shifts=5
        ).rows
        said = f"{absent} of samples of {count} series"
        assert any(said in one for one in remarks([row])) == bool(absent)


def test_a_mean_over_runs_rests_on_nothing_of_its_own():
    labels, flags, series = case_of([6] * 5, np.random.default_rng(0))
    rows = aj.evaluate(labels, flags, "f1_ba", series=series, shifts=5).rows
    of_runs = averaged(rows, "runs")
    assert (of_runs["evidence"], of_runs["evidence_units"]) == ("", 0)
    assert math.isnan(of_runs["conditional_low"])


def false_runs_in(stretches, count=24):
    """Events of which every third is missed, and three false runs in each of some stretches."""
    labels, flags = np.zeros((2, count, 60), int)
    labels[:, 50:] = 1
    flags[np.arange(count) % 3 > 0, 53] = 1
    flags[np.ix_(stretches, [5, 20, 35])] = 1
    return labels.ravel(), flags.ravel()


def test_a_storm_over_neighbouring_stretches_counts_once():
    """As many false alarms say less if they come together, which found events would hide."""
    apart, storm = (
        aj.evaluate(*false_runs_in(places), "f1_ba(width=5)", shifts=1).rows[0]
        for places in ([1, 7, 13, 19], [7, 8, 9, 10])
    )
    assert storm.value == pytest.approx(apart.value)
    assert storm.high - storm.low > 1.1 * (apart.high - apart.low)
    assert storm.effective_units < 0.8 * apart.effective_units
    few, calm = (
        aj.evaluate(*false_runs_in(places, 9), "f1_ba(width=5)", shifts=1).rows[0]
        for places in ([4, 5], [1, 7])
    )
    assert few.high - few.low == pytest.approx(calm.high - calm.low, rel=0.05)  # too few to see


def test_scores_that_wander_over_several_stretches_count_once():
    labels = np.tile(np.repeat([0, 1], [50, 10]), 24)
    wave, noise = (
        np.sin(np.arange(labels.size) / 130),
        np.random.default_rng(0).normal(size=labels.size),
    )
    widths = []
    for normal in (noise, noise + 2 * wave):
        row = aj.evaluate(labels, np.where(labels, noise + 3, normal), "ap", shifts=1).rows[0]
        widths.append(row.effective_units)
    assert widths[1] < 0.8 * widths[0]


def test_normal_time_is_alike_only_where_there_is_some():
    rows, series_of_unit = np.zeros((12, 5)), np.zeros(12, int)
    assert not NormalTime(rows, np.zeros(12)).is_correlated(series_of_unit)
    assert not NormalTime(rows, np.full(12, np.nan)).is_correlated(series_of_unit)
    rows[:, 4] = 7
    assert not NormalTime(rows, rows[:, 4]).is_correlated(series_of_unit)  # without a false alarm
    rows[3:7, 3] = 2
    assert NormalTime(rows, rows[:, 4]).is_correlated(series_of_unit)
    assert not NormalTime(rows, rows[:, 4]).is_correlated(
        np.arange(12)
    )  # each in a series of its own
    assert not NormalTime(rows[:9], rows[:9, 4]).is_correlated(series_of_unit[:9])


def test_a_group_of_which_nothing_is_judged_is_no_unit():
    rng = np.random.default_rng(3)
    labels = np.tile([0, 0, 1, 1, 0, 0, 0, 0, 1, 0], 12)
    scores = labels + rng.random(labels.size)
    group = np.repeat(["a", "b", "c", "d"], 30)
    for dark in (0, 20):  # within a stretch of normal time
        more = np.insert(labels, 35, np.zeros(dark)), np.insert(scores, 35, np.ones(dark))
        there = np.insert(np.ones(labels.size), 35, np.zeros(dark)) > 0
        groups = np.insert(group.astype(object), 35, ["z"] * dark)
        how = {"at": 0.9, "group": groups, "where": there, "unit": "dataset"}
        (row,) = aj.evaluate(*more, "f1", **how).rows
        if not dark:
            plain = row
    assert (row.evidence_units, row.value) == (plain.evidence_units, plain.value) == (4, row.value)
    np.testing.assert_allclose([row.low, row.high], [plain.low, plain.high])
