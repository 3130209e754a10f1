"""Rankings of series on one clock: means and pairs count both ways, by series and by episodes."""

import math

import numpy as np
import pytest
from scipy.stats import t as student

import adjudge as aj
from adjudge.noise.intervals.event_moves import event_moves
from adjudge.noise.intervals.means import mean_differences, mean_of
from adjudge.ranking.finished import merge_rankings
from adjudge.ranking.panels import SeriesEvents, of_clocks, panel, panel_of

COUNT, EPISODES, SLOT = 8, 9, 20


def plant(seed=1, *, common=True, names="xy", count=COUNT):
    """Machines that see the same shocks: each is found on all of them, or on none."""
    rng, data = np.random.default_rng(seed), {}
    shape = (count, EPISODES)
    hit = rng.random(shape) < 0.8
    found = {
        name: np.broadcast_to(rng.random((1, EPISODES)), shape) < 0.6
        if common
        else rng.random(shape) < 0.6
        for name in names
    }
    place = np.arange(SLOT)
    for k in range(count):
        labels = (hit[k][:, None] & (place >= 14)).ravel().astype(int)
        scores = {
            name: (hit[k] * own[k])[:, None] * (place == 15) + 0.0 for name, own in found.items()
        }
        data[f"m{k}"] = labels, {name: one.ravel() for name, one in scores.items()}
    return data


def ranked(data, metrics="event_recall", **how):
    return aj.rank(data, metrics, at=0.5, chance=False, **how)


def lines(ranking):
    names = ("detector", "metric", "mean", "low", "high", "unit", "evidence", "conditional_low")
    return [tuple(str(line[name]) for name in names) for line in ranking.leaderboard]


def test_means_on_one_clock_are_less_sure_and_say_why():
    own, shared = (ranked(plant(), clock=clock).leaderboard for clock in ("own", "shared"))
    for one, both in zip(own, shared, strict=True):
        assert both["mean"] == one["mean"]
        assert both["high"] - both["low"] > 2 * (one["high"] - one["low"])
        assert both["evidence"] == "8 series on one clock saw 9 episodes, and both count"
    assert lines(ranked(plant())) == lines(ranked(plant(), clock="own"))


def test_pairs_on_one_clock_are_told_apart_less():
    (own,), (both,) = (ranked(plant(), clock=clock).comparisons for clock in ("own", "shared"))
    assert own["difference"] == both["difference"]
    assert own["p_value"] < 0.05 < both["p_value"]
    assert both["low"] < 0 < both["high"]
    assert both["p_flips"] > own["p_flips"]


def test_a_ranking_on_one_clock_is_read_back_as_it_was(tmp_path):
    first = ranked(plant(), ["event_recall", "vus_roc"], clock="shared", out=tmp_path / "out")
    again = aj.read_ranking(tmp_path / "out")
    assert lines(again) == lines(first)
    assert [row["p_value"] for row in again.comparisons] == pytest.approx(
        [row["p_value"] for row in first.comparisons], nan_ok=True
    )


def test_rows_that_knew_no_events_are_judged_again(tmp_path):
    ranked(plant(), out=tmp_path / "out")
    shared = ranked(plant(), clock="shared", out=tmp_path / "out")
    assert "both count" in shared.leaderboard[0]["evidence"]


def test_where_nothing_is_known_of_events_a_clock_is_one_unit():
    (line, *_) = ranked(plant(), "vus_roc", clock="shared").leaderboard
    assert (line["unit"], line["units"]) == ("clock", 1)
    assert line["evidence"] == "too few to say: 1 clock"
    assert math.isnan(line["low"])
    assert math.isnan(line["place_low"])


def test_data_sets_with_clocks_of_their_own_stay_units():
    parts = [plant(seed) for seed in range(4)]
    data = {f"d{k}/{name}": own for k, part in enumerate(parts) for name, own in part.items()}
    own, shared = (ranked(data, clock=clock) for clock in ("own", "shared"))
    assert lines(own) == lines(shared)
    one, both = (ranking.groups[0] for ranking in (own, shared))
    assert both["high"] - both["low"] > one["high"] - one["low"]
    both = ranked(data, clock="shared", unit="series").leaderboard[0]
    assert both["evidence"] == "32 series on 4 clocks saw 36 episodes, and both count"


def test_few_data_sets_have_the_interval_both_ways_of_their_series():
    data = {f"d/{name}": own for name, own in plant().items()}
    own, shared = (ranked(data, clock=clock).leaderboard[0] for clock in ("own", "shared"))
    assert own["evidence"] == shared["evidence"] == "too few to say: 1 data set"
    assert shared["conditional_low"] < own["conditional_low"]


def test_seeds_are_averaged_and_series_without_events_stand_alone():
    data = plant(names=("x#1", "x#2"))
    labels, scores = data["m0"]
    data["m0"] = 0 * labels, scores
    (line,) = ranked(data, ["f1"], clock="shared").leaderboard
    assert line["evidence"] == "8 series on one clock saw 10 episodes, and both count"
    (line,) = ranked(data, ["event_recall"], clock="shared").leaderboard
    assert line["evidence"] == "7 series on one clock saw 9 episodes, and both count"


def naive_mean(values, events, share, moved):
    """Mean and variance both ways, cell by cell."""
    n, mean = len(values), sum(values) / len(values)
    cells = {}
    for s, own in enumerate(events):
        for k, episode in enumerate(own):
            amount, size = cells.get((s, episode), (0.0, 0.0))
            amount += ((values[s] - mean) * share[s][k] + moved[s][k]) / n
            cells[s, episode] = amount, size + share[s][k] / n

    def variance(key):
        sums = {}
        for cell, (amount, size) in cells.items():
            own = sums.get(key(cell), (0.0, 0.0))
            sums[key(cell)] = own[0] + amount, own[1] + size
        squares = sum(amount**2 / (1 - size) for amount, size in sums.values())
        return squares, 1 / sum(size**2 for _, size in sums.values()) - 1

    (s, ds), (e, de), (c, _) = map(
        variance, (lambda cell: cell[0], lambda cell: cell[1], lambda cell: cell)
    )
    return mean, max(s, e, s + e - c), min(ds, de)


def test_means_both_ways_are_the_formula():
    rng = np.random.default_rng(2)
    for _ in range(20):
        begin = [np.sort(rng.choice(50, rng.integers(1, 5), replace=False)) * 10 for _ in range(5)]
        moved = [rng.normal(size=len(own)) * 0.1 for own in begin]
        moved = [own - own.mean() for own in moved]
        values = rng.random(5)
        found = panel(
            [SeriesEvents(b, b + 3, m[:, None]) for b, m in zip(begin, moved, strict=True)],
            np.zeros(5, int),
        )
        share = [np.full(len(own), 1 / len(own)) for own in begin]
        mean, variance, df = naive_mean(values, begin, share, moved)
        (got,) = mean_differences(values[:, None], None, panel=found)
        assert got.mean == pytest.approx(mean)
        assert got.df == pytest.approx(max(df, 1))
        half = (got.high - got.low) / 2
        assert half == pytest.approx(student.ppf(0.975, got.df) * math.sqrt(variance))


def test_event_moves_follow_the_weight_of_events():
    """Beside the value of the series with one event there a little more often."""
    labels = np.tile([0, 0, 1, 1, 0, 0, 0, 1, 0, 0], 4)
    rng = np.random.default_rng(0)
    case = aj.Case(labels, (labels * rng.random(40) + 0.4 * rng.random(40) > 0.5) * 1)
    moves = event_moves(aj.event_recall, case)
    found = [case.scores[start:stop].any() for start, stop in
             zip(case.truth.starts, case.truth.stops, strict=True)]  # fmt: skip
    value = np.mean(found)
    np.testing.assert_allclose(moves, (np.array(found) - value) / len(found), atol=1e-6)
    assert abs(event_moves(aj.auc_roc, case).sum()) < 1e-6
    assert event_moves(aj.vus_roc, case) is None


def test_mean_of_series_on_one_clock_of_which_nothing_is_known():
    clocks = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    found = mean_of([0.2, 0.3, 0.6, 0.5, 0.4, 0.4, 0.8, 0.7], panel=of_clocks(clocks, 1))
    assert found.words == "the evidence is 4 clocks, not 8 series"


def test_rankings_put_together_know_the_clocks_and_no_events(tmp_path):
    for name in "xy":
        ranked(plant(names=name), clock="shared", out=tmp_path / name)
    merged = merge_rankings([tmp_path / "x", tmp_path / "y"])
    assert {line["evidence"] for line in merged.leaderboard} == {"too few to say: 1 clock"}


def test_one_without_a_score_here_and_there_leaves_all_else_known():
    data = plant()
    del data["m1"][1]["y"]
    both = ranked(data, clock="shared", min_coverage=0.5).leaderboard
    words = {line["detector"]: line["evidence"] for line in both}
    assert words["x"] == "8 series on one clock saw 9 episodes, and both count"
    assert words["y"] == "7 series on one clock saw 9 episodes, and both count"


def test_two_versions_on_one_clock_are_compared_by_its_clocks_alone():
    own, shared = (
        ranked(plant(2), clock=clock).against(ranked(plant(), clock=clock))
        for clock in ("own", "shared")
    )
    assert {math.isnan(row["p_value"]) for row in own.rows} == {False}
    assert {math.isnan(row["p_value"]) for row in shared.rows} == {True}


def test_what_a_benchmark_can_tell_rests_on_its_clocks():
    power = ranked(plant(), clock="shared").power()
    assert (power.by, power.unit_words, power.kind) == ("clock", "1 clock", "clocks")
    assert "it has 1 clock and 2 ranked detectors" in power.says[0]


def test_detectors_that_saw_other_events_of_a_series_know_nothing_of_episodes():
    """As where points without a score are left out."""
    one, two = (
        SeriesEvents(begin, begin + 2, 0.0 * begin).packed()
        for begin in (np.array([1, 9]), np.array([1]))
    )
    texts = np.full((2, 2), None)
    texts[0] = [[one], [one]]
    texts[1] = [[one], [two]]
    assert panel_of(texts[:1], np.array([0])).known
    assert not panel_of(texts, np.array([0, 0])).known


def test_interval_and_p_value_of_a_pair_say_the_same_about_nothing():
    told, none = set(), 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        count, episodes = rng.integers(3, 9), int(rng.integers(3, 7))
        begin = 10 * np.arange(episodes)
        moved = rng.integers(-2, 3, (count, episodes, 1)) * (rng.random((count, 1, 1)) < 0.8) / 20
        events = [SeriesEvents(begin, begin + 5, own) for own in moved]
        apart = moved.sum(axis=1) + rng.choice([0, 0, 0.1, 0.4])
        (found,) = mean_differences(apart, panel=panel(events, np.zeros(count, int)))
        small, out = found.p_value <= 0.05, found.low > 0 or found.high < 0
        none += math.isnan(found.low)
        if math.isnan(found.low):  # too few, or all alike
            assert math.isnan(found.p_value) or "differ" in found.words
        else:
            assert small == out
            told.add(small)
    assert told == {True, False}
    assert none < 100
