"""Shifts of positions: exact at every place, beside alarms at equal distances."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.noise.chance_line import chance_line
from adjudge.noise.null_models import read_null
from adjudge.noise.position_shifts import PositionShifts, blind, is_evenly_spaced
from adjudge.noise.shifting.one_by_one import OneByOne
from adjudge.noise.shifting.rotation import Rotation
from adjudge.noise.shifting.shifted_case import CaseShifts
from sampling import one_in

SPECS = [
    "change_f1(margin=2)", "change_precision(before=0, after=4)",
    "change_f1(margin=2, trivial=true)",
    "warning_f1(max_lead=5)", "warning_precision(max_lead=5, min_lead=2)",
    'warning_precision(max_lead=5, min_lead=2, late="ignored")',
    'warning_f1(max_lead=6, extra="false")', "warning_recall(max_lead=1, min_lead=-3)",
    "false_warning_rate(max_lead=4)", 'false_warning_rate(max_lead=4, min_lead=2, late="ignored")',
    "time_in_warning(max_lead=4, min_lead=1)",
    "time_between_false_alarms(after=3)", "lead_time(max_lead=5)", "change_delay(after=6)",
    "regime_f1", "regime_rand", "regime_ari", "regime_nmi",
]  # fmt: skip


def drawn(seed, *, series=False, where=False):
    """Changes and alarms at random; one-by-one shifts of them are the slow twin."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 40))
    truth = np.sort(rng.choice(n, int(rng.integers(0, min(n, 6))), replace=False))
    alarms = np.sort(rng.choice(n, int(rng.integers(0, 7))))
    ids = np.sort(rng.integers(0, 3, n)) if series else None
    judged = rng.random(n) < 0.8 if where else None
    if judged is not None:
        judged[0] = True
    return aj.Case(aj.Changes(truth, n), aj.Changes(alarms, n), series=ids, where=judged)


def turns(case, rng):
    lengths = Rotation(case.events).lengths
    if lengths.size == 1:
        return np.arange(lengths[0])[:, np.newaxis]
    return rng.integers(np.maximum(lengths, 1), size=(30, lengths.size))


@pytest.mark.parametrize("spec", one_in(3, SPECS))
@pytest.mark.parametrize("kind", [{}, {"series": True}, {"where": True}])
def test_every_shift_is_what_judging_it_gives(spec, kind):
    metric, rng = aj.metric(spec), np.random.default_rng(0)
    for seed in range(25):
        case = drawn(seed, **kind)
        by = turns(case, rng)
        way = PositionShifts(metric, metric.flags(case)[0], Rotation(case.events))
        np.testing.assert_allclose(way.values(by), OneByOne(metric, case).values(by), rtol=1e-12)


@pytest.mark.parametrize("spec", ["change_f1(margin=2)", "warning_f1(max_lead=5)", "regime_rand"])
def test_tenths_of_a_series_turn_by_themselves(spec):
    metric, rng = aj.metric(spec), np.random.default_rng(1)
    for seed in range(30):
        case = drawn(seed)
        bounds = np.unique([0, case.events.n // 3, 2 * case.events.n // 3, case.events.n])
        circles = Rotation(case.events, bounds)
        by = rng.integers(circles.lengths, size=(20, circles.lengths.size))
        way = PositionShifts(metric, metric.flags(case)[0], circles)
        slow = OneByOne(metric, case, bounds=bounds)
        np.testing.assert_allclose(way.values(by), slow.values(by), rtol=1e-12)


@pytest.mark.parametrize("spec", ["change_f1(margin=40)", "warning_f1(max_lead=70)"])
def test_arcs_give_every_one_of_many_shifts(spec):
    rng = np.random.default_rng(2)
    truth, alarms = (np.sort(rng.choice(5000, k, replace=False)) for k in (4, 5))
    case = aj.Case(aj.Changes(truth, 5000), aj.Changes(alarms, 5000))
    metric = aj.metric(spec)
    null = CaseShifts(case).values(metric)
    assert (null.exact, null.size) == (True, 5000)
    some = rng.integers(1, 5000, 200)
    slow = OneByOne(metric, case).values(some[:, np.newaxis])
    np.testing.assert_allclose(null.values[some - 1], slow, rtol=1e-12)


def test_a_million_shifts_are_all_there_are():
    truth, alarms = aj.Changes([1000, 400_000], 10**6), aj.Changes([1010, 500_000], 10**6)
    null = CaseShifts(aj.Case(truth, alarms)).values(aj.change_f1(margin=50))
    assert (null.exact, null.size) == (True, 10**6)
    reached = 2 * 2 * 101 - 0  # windows of either change, by either alarm
    assert np.count_nonzero(null.values) + 1 == reached


def test_cooldown_comes_before_the_shift():
    truth, alarms = aj.Changes([10], 30), aj.Changes([28, 29, 1], 30, merge=True)
    metric = aj.warning_precision(max_lead=5, cooldown=4)
    case = aj.Case(truth, alarms)
    way = PositionShifts(metric, metric.flags(case)[0], Rotation(case.events))
    values = way.values(np.arange(30)[:, np.newaxis])
    assert values[8] == 1  # 1 and 28 are left: two alarms at every place, also 3 points apart
    assert np.count_nonzero(values == 1 / 2) == 6


def test_annotators_and_rules_are_judged_shift_by_shift():
    lists = {"a": aj.Changes([3, 9], 20), "b": aj.Changes([9], 20)}
    case = aj.Case(lists, aj.Changes([4, 9], 20))
    metric = aj.change_f1(margin=1)
    way, _ = CaseShifts(case).way(metric)
    by = np.arange(20)[:, np.newaxis]
    np.testing.assert_allclose(way.values(by), OneByOne(metric, case).values(by))
    scores = aj.Case(aj.Changes([3], 20), np.arange(20) % 7)
    way, _ = CaseShifts(scores).way(aj.change_f1(at=aj.quantile(0.9)))
    assert isinstance(way, OneByOne)


def test_flags_turn_by_their_starts():
    flags = np.zeros(20, int)
    flags[17:20] = 1
    case = aj.Case(aj.Changes([4], 20), flags)
    metric = aj.change_precision(margin=0)
    null = CaseShifts(case).values(metric)
    assert np.count_nonzero(null.values) == 1  # the run is one alarm wherever it is turned to


def test_the_rival_of_positions_raises_one_alarm_per_window():
    rng = np.random.default_rng(3)
    for count in (5, 50):
        truth = np.arange(count) * (20_000 // count) + 150
        alarms = np.sort(rng.choice(20_000, 30, replace=False))
        found = aj.evaluate(
            aj.Changes(truth, 20_000), aj.Changes(alarms, 20_000), "change_f1(before=0, after=100)"
        )
        row = found.rows[0]
        assert row.blind_level == pytest.approx(2 * count / (count + 20_000 / 101), abs=0.005)
        assert np.isnan(row.always_on)
        assert "one alarm per window would score" in str(found)


def test_where_there_is_no_window_there_is_no_such_rival():
    case = aj.Case(aj.Changes([5], 20), aj.Changes([5], 20))
    assert np.isnan(blind(aj.regime_f1, case.events))
    assert np.isnan(blind(aj.regime_rand, case.events))
    empty = aj.Case(aj.Changes([], 20), aj.Changes([5], 20))
    assert np.isnan(blind(aj.change_f1, empty.events))
    assert np.isnan(blind(aj.lead_time(max_lead=0, min_lead=0), empty.events))
    late = aj.Case(aj.Changes([0], 20), aj.Changes([5], 20))
    assert np.isnan(blind(aj.lead_time(max_lead=9, min_lead=5), late.events))


def test_an_alarm_every_so_many_points_finds_dense_changes():
    """River's example: the same alarms score .049 with few drifts, and much more with many."""
    alarms = aj.Changes(np.arange(100, 20_000, 100), 20_000)
    values, levels = [], []
    for count in (5, 50):
        truth = np.arange(count) * (20_000 // count) + 130
        row = aj.evaluate(
            aj.Changes(truth, 20_000), alarms, "warning_f1(max_lead=0, min_lead=-100)",
            null="periodic",
        ).rows[0]  # fmt: skip
        values.append(row.value)
        levels.append(row.chance)
        assert row.p_value > 0.3
    assert values[0] == pytest.approx(0.049, abs=0.0005)
    assert values[1] == pytest.approx(0.40, abs=0.01)
    np.testing.assert_allclose(levels, values, atol=0.01)


def test_periodic_flags_are_as_many_and_as_long_as_the_detectors_own():
    labels, flags = np.zeros((2, 1000), int)
    labels[100:150] = 1
    flags[[10, 11, 12, 500, 501, 502]] = 1
    case = aj.Case(labels, flags)
    null = read_null("periodic").values(aj.f1, CaseShifts(case), None, 0)
    slow = []
    for phase in range(0, 500, 10):
        other = np.zeros(1000, int)
        for start in (0, 500):
            other[(start + phase + np.arange(3)) % 1000] = 1
        slow.append(aj.f1(labels, other))
    np.testing.assert_allclose(null.values, slow)
    assert not null.exact
    found = aj.evaluate(labels, flags, "f1", null="periodic")
    assert "as many evenly spaced alarms" in str(found)


def test_periodic_alarms_of_whoever_has_no_threshold_or_no_alarm():
    labels = np.repeat([0, 1, 0, 1], 10)
    scores = np.arange(40) % 7
    shifts = CaseShifts(aj.Case(labels, scores))
    assert read_null("periodic").values(aj.ap, shifts, None, 0).values.size == 20
    assert read_null("periodic").values(aj.f1(at=3), shifts, 4, 0).values.size == 4
    silent = CaseShifts(aj.Case(labels, np.zeros(40)))
    assert read_null("periodic").values(aj.f1, silent, None, 0).values.tolist() == [0] * 40
    two = CaseShifts(aj.Case(labels, scores, series=[0] * 20 + [1] * 20))
    assert np.isfinite(read_null("periodic").values(aj.f1(at=5), two, None, 0).values).all()


def test_changes_at_equal_distances_make_the_test_weak_and_are_named():
    n = 4000
    even = aj.Changes(np.arange(200, 4000, 400), n)
    rng = np.random.default_rng(5)
    uneven = aj.Changes(np.sort(rng.choice(n, 10, replace=False)), n)
    rows = [aj.evaluate(t, aj.Changes(t.positions[:7] + 3, n), "change_f1") for t in (even, uneven)]
    assert [found.rows[0].alarms_evenly_spaced for found in rows] == [True, False]
    assert rows[0].rows[0].p_value > rows[1].rows[0].p_value
    assert "changes are almost evenly spaced" in str(rows[0])
    assert "evenly spaced" not in str(rows[1])
    assert not is_evenly_spaced(aj.Changes([100, 200, 300], n).events)


def test_a_value_without_end_has_a_chance_level_all_the_same():
    truth, alarms = aj.Changes([50], 100), aj.Changes([52, 55], 100)
    case = aj.Case(truth, alarms)
    line = chance_line(aj.time_between_false_alarms(after=9), CaseShifts(case), np.inf)
    assert np.isfinite(line.chance)
    assert np.isnan(line.corrected)
    assert line.p_value < 0.1


@pytest.mark.long
def test_noise_of_positions_is_so_many_places_at_random():
    """A window of 21 points holds one of 12 alarms on 1,000 points with chance .2259."""
    truth = aj.Changes([500], 1000)
    found = aj.chance(truth, "change_recall(margin=10)", rate=0.012, draws=4000, seed=1)
    assert found.mean == pytest.approx(0.2259, abs=0.02)
    where = np.arange(1000) >= 400
    some = aj.chance(truth, "change_recall(margin=10)", rate=0.02, where=where, draws=2000)
    assert some.mean == pytest.approx(1 - (1 - 21 / 600) ** 12, abs=0.04)


def test_two_detectors_without_a_false_alarm_are_judged_together():
    truth = aj.Changes([50, 120], 300)
    both = {"a": aj.Changes([52], 300), "b": aj.Changes([52, 121], 300)}
    found = aj.evaluate(truth, both, "time_between_false_alarms")
    assert [row.value for row in found.rows] == [np.inf, np.inf]
    assert all(0 < row.p_value <= 1 for row in found.rows)


def test_doubtful_labels_of_positions_are_judged_again():
    truth, alarms = aj.Changes([50, 100], 200), aj.Changes([50, 50, 101], 200)
    row = aj.evaluate(truth, alarms, "change_f1(margin=1)", label_slack=3, white_noise=True).rows[0]
    assert row.label_shift_low < row.value <= row.label_shift_high
    assert row.leave_one_out_low == pytest.approx(1 / 2)
    assert 0 <= row.white_noise <= 1


@pytest.mark.parametrize("alarms", [[105, 305, 505, 705, 905], [105, 305, 450], [3]])
def test_the_chance_of_a_time_between_false_alarms_is_the_inverse_of_the_mean_rate(alarms):
    """Places without a false alarm are infinite; left out, chance would seem worse than it is."""
    truth, found = aj.Changes([100, 300, 500, 700, 900], 1000), aj.Changes(alarms, 1000)
    spec = aj.time_between_false_alarms(after=50)
    rates = [
        1 / spec(truth, aj.Changes(sorted((p + by) % 1000 for p in alarms), 1000))
        for by in range(1000)
    ]
    row = aj.evaluate(truth, found, spec).rows[0]
    assert row.chance == pytest.approx(1 / np.mean(rates))
    assert row.chance == pytest.approx(1000 / len(alarms))
    drawn = aj.evaluate(truth, found, spec, shifts=200).rows[0].chance
    assert drawn == pytest.approx(1000 / len(alarms), rel=0.2)


def test_the_mean_of_values_of_a_metric():
    between, delay = (aj.catalogue[n] for n in ("time_between_false_alarms", "change_delay"))
    values = np.array([np.nan, 100.0, 50.0, np.inf])
    assert between.mean(values) == 100
    assert between.mean(np.array([np.inf])) == np.inf
    assert delay.mean(values) == 75
    assert np.isnan(delay.mean(values[:1]))
