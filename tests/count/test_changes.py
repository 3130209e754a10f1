"""Metrics of positions: laws, brute force over all matchings, and cases with neighbours."""

from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from adjudge.count.changes import ChangeWindows, matched
from adjudge.count.early_warnings import kept_after
from adjudge.data.events import Events
from adjudge.errors import InputError

SPECS = [
    "change_f1(margin=3)", "change_f1(margin=2, after=6)", "regime_f1", "regime_rand", "regime_ari",
    "regime_nmi", "change_delay(after=9)", "warning_f1(max_lead=6, min_lead=1)",
    "lead_time(max_lead=6, min_lead=-2)", "false_warning_rate(max_lead=4)",
    "time_in_warning(max_lead=4, min_lead=1)",
    'change_delay(after=9, average="median", missed="after")',
    'warning_f1(max_lead=9, min_lead=3, late="ignored", extra="false")',
    "time_between_false_alarms(after=4, before=2)",
]  # fmt: skip
SYMMETRIC = ["change_f1(margin=3)", "regime_f1", "regime_rand", "regime_ari", "regime_nmi"]


def drawn(seed, n=60, most=8, *, twice=True):
    rng = np.random.default_rng(seed)
    truth = np.sort(rng.choice(np.arange(15, n - 15), int(rng.integers(0, most)), replace=False))
    alarms = np.sort(rng.choice(np.arange(15, n - 15), int(rng.integers(0, most)), replace=twice))
    return aj.Changes(truth, n), aj.Changes(alarms, n)


def same(one, other):
    return bool(np.isclose(one, other, rtol=1e-12, atol=1e-12, equal_nan=True)) or one == other


# --- one to one ----------------------------------------------------------------------------------


def every_matching(changes, alarms, near):
    """The size of the largest of all matchings: every choice of changes, in every order."""
    for size in range(min(len(changes), len(alarms)), 0, -1):
        for chosen in combinations(changes, size):
            for order in permutations(alarms, size):
                if all(near(t, a) for t, a in zip(chosen, order, strict=True)):
                    return size
    return 0


def by_windows(truth, alarms, before, after):
    truth, alarms = np.array(truth), np.array(alarms)
    return int((matched(ChangeWindows(truth - before, truth + after + 1), alarms) >= 0).sum())


@pytest.mark.parametrize("seed", range(150))
def test_no_matching_of_up_to_5_by_5_is_larger(seed):
    rng = np.random.default_rng(seed)
    before, after = (int(k) for k in rng.integers(0, 6, 2))
    truth = np.sort(rng.choice(20, int(rng.integers(0, 6)), replace=False)).tolist()
    alarms = np.sort(rng.choice(20, int(rng.integers(0, 6)))).tolist()
    largest = every_matching(truth, alarms, lambda t, a: -before <= a - t <= after)
    assert by_windows(truth, alarms, before, after) == largest


@pytest.mark.parametrize("seed", range(12))
def test_no_matching_of_7_by_7_is_larger(seed):
    rng = np.random.default_rng(1000 + seed)
    truth = np.sort(rng.choice(25, 7, replace=False)).tolist()
    alarms = np.sort(rng.choice(25, 7)).tolist()
    near = {t: {k for k, a in enumerate(alarms) if abs(a - t) <= 3} for t in truth}
    assert by_windows(truth, alarms, 3, 3) == largest_of(truth, near, frozenset())


def largest_of(truth, near, taken):
    """Try every partner of the first change, and none."""
    if not truth:
        return 0
    first, *rest = truth
    tried = [1 + largest_of(rest, near, taken | {k}) for k in near[first] - taken]
    return max([largest_of(rest, near, taken), *tried])


@pytest.mark.parametrize(
    ("truth", "alarms", "margin", "pairs"),
    [
        ([10, 14], [9, 12], 5, 2),  # the nearest first, or all near ones at once, find one
        ([10, 14], [5, 11], 5, 2),
        ([10, 18], [12, 13], 5, 2),
        ([5, 6], [6], 2, 1),
        ([5, 6], [5, 6], 0, 2),  # neighbours are two
        ([5], [5, 5], 0, 1),
        ([10], [15], 5, 1),  # the window is closed
        ([10], [16], 5, 0),
    ],
)
def test_pairs_that_other_rules_lose(truth, alarms, margin, pairs):
    truth, alarms = aj.Changes(truth, 30), aj.Changes(alarms, 30)
    assert aj.explain(truth, alarms, f"change_f1(margin={margin})").tally.found == pairs


@pytest.mark.parametrize(
    ("truth", "alarms", "expected"),
    [([], [], (np.nan, np.nan, np.nan)), ([], [3], (0, np.nan, 0)), ([3], [], (np.nan, 0, 0))],
)
def test_undefined_is_nan_and_only_undefined_is(truth, alarms, expected):
    truth, alarms = aj.Changes(truth, 10), aj.Changes(alarms, 10)
    for family in ("change", "warning"):
        rates = [aj.metric(f"{family}_{rate}") for rate in ("precision", "recall", "f1")]
        assert all(same(m(truth, alarms), e) for m, e in zip(rates, expected, strict=True))


def test_the_start_that_is_given_away_flatters_silence():
    truth, silent = aj.Changes([50], 100), aj.Changes([], 100)
    assert aj.change_f1(truth, silent, trivial=True) == pytest.approx(2 / 3)
    assert aj.change_f1(truth, silent) == 0
    assert not aj.change_f1(trivial=True).resamples


# --- laws ----------------------------------------------------------------------------------------


def moved(changes, by, n):
    return aj.Changes(changes.positions + by, n)


def turned_back(changes):
    """Read time backwards: a regime then begins behind the last point of the one before."""
    return aj.Changes(np.sort(changes.n - changes.positions), changes.n)


LAWS = {
    "translation": lambda value, truth, alarms: same(
        value(truth, alarms), value(moved(truth, 10, truth.n), moved(alarms, 10, truth.n))
    ),
    "splitting": lambda value, truth, alarms: same(
        value(truth, alarms),
        value(
            aj.Changes(truth.positions, truth.n + 7, bounds=[0, truth.n, truth.n + 7]),
            aj.Changes(alarms.positions, truth.n + 7),
            where=np.arange(truth.n + 7) < truth.n,
        ),
    ),
    "reversal": lambda value, truth, alarms: same(
        value(truth, alarms), value(turned_back(truth), turned_back(alarms))
    ),
}


@pytest.mark.parametrize("spec", [spec for spec in SPECS if "regime" not in spec])
def test_moving_everything_changes_nothing(spec):
    assert all(LAWS["translation"](aj.metric(spec), *drawn(seed)) for seed in range(60))


@pytest.mark.parametrize("spec", SPECS)
def test_a_series_that_is_not_judged_changes_nothing(spec):
    assert all(LAWS["splitting"](aj.metric(spec), *drawn(seed)) for seed in range(60))


@pytest.mark.parametrize("spec", SYMMETRIC)
def test_reading_time_backwards_changes_nothing(spec):
    assert all(LAWS["reversal"](aj.metric(spec), *drawn(seed)) for seed in range(60))


WRONG = {
    "translation": lambda truth, alarms, **_: (
        aj.change_f1(truth, alarms, margin=3) + float(truth.positions.sum())
    ),
    "splitting": lambda truth, alarms, **_: len(alarms) / truth.n,
    "reversal": aj.change_f1(margin=2, after=6),
}


@pytest.mark.parametrize("law", LAWS)
def test_a_law_rejects_its_wrong_double(law):
    assert not all(LAWS[law](WRONG[law], *drawn(seed)) for seed in range(60))


SUMS = [s for s in SPECS if aj.metric(s).parts.counting is not None and "median" not in s]


@pytest.mark.parametrize("spec", SUMS)
def test_two_series_are_judged_apart(spec):
    """What is pooled are the rows of both: one series after the other gives the same sums."""
    metric = aj.metric(spec)
    for seed in range(40):
        (t, a), (u, b) = drawn(seed), drawn(seed + 500)
        apart = [metric.entries(aj.Case(*pair))[0].tally for pair in ((t, a), (u, b))]
        n = t.n + u.n
        joined = aj.Changes(np.append(t.positions, u.positions + t.n), n, bounds=[0, t.n, n])
        alarms = aj.Changes(np.append(a.positions, b.positions + t.n), n)
        both = metric.entries(aj.Case(joined, alarms))[0].tally
        assert np.allclose(np.array(both), np.add(*map(np.array, apart)), equal_nan=True)


def test_the_order_of_positions_is_no_matter_but_it_must_be_said():
    truth, alarms = drawn(3)
    assert len(alarms) > 1
    backwards = alarms.positions[::-1]
    with pytest.raises(InputError, match="merge=True sorts them"):
        aj.Changes(backwards, alarms.n)
    merged = aj.Changes(backwards, alarms.n, merge=True)
    assert aj.change_f1(truth, merged) == aj.change_f1(truth, aj.Changes(np.unique(backwards), 60))


def test_a_second_alarm_at_one_place_costs_precision_alone():
    truth, once, twice = (aj.Changes(at, 60) for at in ([20, 40], [20, 40], [20, 20, 40]))
    assert aj.change_recall(truth, twice) == aj.change_recall(truth, once) == 1
    assert aj.change_precision(truth, twice) == 2 / 3
    for name in ("regime_f1", "regime_rand", "regime_ari", "regime_nmi"):
        assert aj.metric(name)(truth, twice) == 1


# --- regimes -------------------------------------------------------------------------------------


def test_regimes_are_not_drawn_again():
    assert not aj.regime_f1.resamples


def test_regimes_without_changes():
    none, one = aj.Changes([], 10), aj.Changes([5], 10)
    for name in ("regime_f1", "regime_rand", "regime_ari", "regime_nmi"):
        assert aj.metric(name)(none, none) == 1
        assert aj.metric(name)(aj.Changes([0], 10), none) == 1  # it parts nothing
    assert aj.regime_ari(one, none) == aj.regime_nmi(one, none) == 0
    assert aj.regime_recall(one, none) == 1 / 2
    point = aj.Changes([], 1)
    assert np.isnan(aj.regime_rand(point, point))
    assert np.isnan(aj.regime_ari(point, point))
    assert aj.regime_nmi(point, point) == 1


def test_annotators_of_regimes_are_averaged():
    lists = {"a": aj.Changes([4], 10), "b": aj.Changes([], 10)}
    alarms = aj.Changes([5], 10)
    for name in ("regime_recall", "regime_precision", "regime_rand", "regime_ari", "regime_nmi"):
        metric = aj.metric(name)
        mean = np.mean([metric(one, alarms) for one in lists.values()])
        assert metric(lists, alarms) == pytest.approx(mean)


def test_adjusted_rand_of_random_changes_is_far_from_0():
    rng = np.random.default_rng(0)
    values = [
        aj.regime_ari(*(aj.Changes(np.sort(rng.choice(999, 10, replace=False)) + 1, 1000)
                        for _ in range(2)))
        for _ in range(60)
    ]  # fmt: skip
    assert 0.42 < np.mean(values) < 0.50


# --- windows -------------------------------------------------------------------------------------


def test_windows_are_closed_on_both_sides():
    event = aj.Changes([50], 100)
    recall = aj.warning_recall(max_lead=10, min_lead=2)
    assert [recall(event, aj.Changes([a], 100)) for a in (39, 40, 48, 49)] == [0, 1, 1, 0]
    assert aj.warning_recall(event, aj.Changes([53], 100), min_lead=-3) == 1


def test_a_kept_alarm_silences_those_soon_after():
    events = Events.from_labels([0] * 40)
    kept = kept_after(np.array([0, 4, 5, 9, 10, 30]), 5, events)
    assert kept.tolist() == [0, 5, 10, 30]
    two = Events.from_labels([0] * 40, series=[0] * 9 + [1] * 31)
    assert kept_after(np.array([8, 9, 12, 14]), 5, two).tolist() == [8, 9, 14]
    assert kept_after(np.array([3, 3]), 1, events).tolist() == [3]


def test_cooldown_in_time_looks_at_the_clock():
    minutes = np.array([0, 1, 2, 30, 31, 90])
    time = np.datetime64("2026-01-01") + minutes * np.timedelta64(1, "m")
    truth, alarms = aj.Changes([5], 6), aj.Changes([0, 2, 3, 4], 6)
    receipt = aj.explain(truth, alarms, 'warning_f1(cooldown="30min")', time=time)
    assert receipt.alarms.start.tolist() == [0, 3]
    even = pd.date_range("2026", periods=6, freq="10min")
    receipt = aj.explain(truth, alarms, 'warning_f1(cooldown="15min")', time=even)
    assert receipt.alarms.start.tolist() == [0, 2, 4]


def test_leads_are_durations_where_there_is_a_clock():
    time = np.datetime64("2026-01-01") + np.array([0, 10, 11, 12, 40]) * np.timedelta64(1, "m")
    truth, alarms = aj.Changes([3], 5), aj.Changes([1, 4], 5)
    found = aj.evaluate(truth, alarms, 'lead_time(max_lead="5min")', time=time, chance=False)
    assert (found.rows[0].value, found.rows[0].seconds) == (2, 120)
    late = aj.warning_recall(max_lead="1min", min_lead="-30min")
    assert late(truth, aj.Changes([4], 5), time=time) == 1
    assert late(truth, aj.Changes([1], 5), time=time) == 0
    with pytest.raises(InputError, match="min_lead must be at most max_lead, got '2h' and '1h'"):
        aj.warning_f1(max_lead="1h", min_lead="2h")
    with pytest.raises(InputError, match="min_lead must be at most max_lead, got 9 and 5"):
        aj.warning_f1(max_lead=5, min_lead=9)
    step = np.timedelta64(1, "m")
    assert aj.warning_f1(max_lead=5 * step).settings == (("max_lead", "5min"),)
    assert aj.warning_f1(min_lead=pd.Timedelta("-1h").to_pytimedelta()).settings == (
        ("min_lead", "-1h"),
    )


def test_delays_in_time():
    time = np.datetime64("2026-01-01") + np.array([0, 10, 11, 12, 40]) * np.timedelta64(1, "s")
    truth, alarms = aj.Changes([1, 3], 5), aj.Changes([2], 5)
    case = {"time": time, "chance": False}
    found = aj.evaluate(truth, alarms, 'change_delay(after="2s")', **case).rows[0]
    assert (found.value, found.seconds) == (1, 1)
    charged = aj.evaluate(truth, alarms, 'change_delay(after="2s", missed="after")', **case).rows[0]
    assert charged.value == 1 / 2  # no point lies within 2 s of the second
    share = aj.change_delay(truth, alarms, after="2s", relative=True, time=time)
    assert share == 1 / 2
    assert aj.change_delay(truth, aj.Changes([4], 5), after=4, relative=True) == (3 / 4 + 1 / 4) / 2
    between = aj.evaluate(truth, alarms, 'time_between_false_alarms(after="1s")', **case).rows[0]
    assert between.value == np.inf
    false = aj.evaluate(truth, aj.Changes([0], 5), 'time_between_false_alarms(after="1s")', **case)
    assert (false.rows[0].value, false.rows[0].seconds) == (2, 38)
    with pytest.raises(InputError, match="relative must be False"):
        aj.change_delay(after=0, relative=True)


def test_gradual_changes_may_be_reported_until_they_end():
    drift = aj.Changes.from_intervals([(20, 40)], 100)
    alarms = aj.Changes([44], 100)
    assert aj.change_delay(drift, alarms, after=5) == 24
    assert aj.warning_recall(drift, alarms, max_lead=0, min_lead=-5) == 1
    assert np.isnan(aj.change_delay(aj.Changes([20], 100), alarms, after=5))
    assert aj.time_between_false_alarms(drift, aj.Changes([90], 100), after=5) == 74


def test_early_and_late_alarms_in_a_receipt():
    truth, alarms = aj.Changes([3, 20, 40], 60), aj.Changes([20, 39, 41, 55], 60)
    said = str(aj.explain(truth, alarms, "warning_f1(max_lead=8, min_lead=4)"))
    assert "change at 3     missed: " in said
    said = str(aj.explain(truth, alarms, "change_f1(margin=1)"))
    assert "change at 20    alarm at 20   " in said
    assert "change at 40    alarm at 39, 1 early" in said
    assert "alarm at 55     false" in said
    assert "2 of 3 changes found, 2 of 4 alarms false" in said
    extra = str(aj.explain(truth, alarms, 'warning_f1(max_lead=2, min_lead=-2, extra="false")'))
    assert "alarm at 41     not needed" in extra
    assert "1 min late" in str(
        aj.explain(truth, aj.Changes([4], 60), "change_f1",
                   time=pd.date_range("2026", periods=60, freq="min"))
    )  # fmt: skip
    regimes = str(aj.explain(truth, alarms, "regime_recall"))
    assert "regime [0, 3)      15 % overlap" in regimes
    assert "3 of 4 regimes overlap by more than half" in regimes
    silent = str(aj.explain(truth, aj.Changes([], 60), "change_f1"))
    assert "0 of 3 changes found" in silent
    assert "alarms false" not in silent
    by_many = {"a": truth, "b": aj.Changes([3], 60)}
    assert "found" in str(aj.explain(by_many, aj.Changes([5], 60), "change_f1"))


def test_late_alarms_may_be_ignored():
    event, alarms = aj.Changes([50], 100), aj.Changes([45, 49, 60], 100)
    assert aj.warning_precision(event, alarms, min_lead=3) == 1 / 3
    assert aj.warning_precision(event, alarms, min_lead=3, late="ignored") == 1 / 2
    counts = aj.explain(event, alarms, 'warning_f1(min_lead=3, late="ignored")').counts
    assert counts["false_alarms"] == 1


def test_utility_is_a_share_of_what_the_best_flags_gain():
    labels = [0] * 20 + [1] * 20
    best = [0] * 14 + [1] * 16 + [0] * 10
    assert aj.early_utility(labels, best) == 1
    assert aj.early_utility(labels, [0] * 40) == 0
    assert aj.early_utility(labels, [1] * 40) == pytest.approx(0.96)
    assert np.isnan(aj.early_utility([0] * 40, best))
    with pytest.raises(InputError, match="miss must lie between -1,000,000 and 1,000,000"):
        aj.early_utility(miss=-1e9)
    with pytest.raises(InputError, match="early must be more than best"):
        aj.early_utility(early=6)
    assert aj.early_utility(early="12h").settings == (("early", "12h"),)
