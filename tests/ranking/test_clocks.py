"""Series of a ranking that live through the same time: who they are, and one p-value over them."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.io.labels_and_scores import LabelledScores
from adjudge.noise.p_values import PlacesOfSeries
from adjudge.noise.pooled_p import pooled_p
from adjudge.ranking.chance_verdicts import in_words
from adjudge.ranking.clocks import Lived, clocks_of

N = 300


def fleet(seed, *, common, machines=6):
    """Machines with events and blind alarms, all at the same times or each at its own."""
    rng, found = np.random.default_rng(seed), {}
    labels, flags = np.zeros((2, N), int)
    for at in rng.integers(0, N - 10, 4):
        labels[at : at + 10] = flags[(at + 140) % (N - 4) :][:4] = 1
    for name in range(machines):
        by = (0, 0) if common else rng.integers(N, size=2)
        own = np.roll(labels, by[0]), np.roll(flags, by[1])
        found[f"m{name}"] = (own[0], {"blind": own[1], "other": np.roll(own[1], 50)})
    return found


def table(labels, scores, time=None):
    return LabelledScores(labels, scores, None, None, "", time=time)


def lived_of(data):
    tables = [table(labels, scores) for labels, scores in data.values()]
    return [Lived.of(aj.Events.from_labels(one.labels), one) for one in tables]


def test_series_without_times_share_a_clock_where_events_and_alarms_coincide():
    together, apart = (lived_of(fleet(1, common=common)) for common in (True, False))
    groups = ["plant"] * 6
    assert clocks_of(together, groups, "auto").tolist() == [0] * 6
    assert clocks_of(apart, groups, "auto").tolist() == [*range(6)]
    assert clocks_of(apart, groups, "shared").tolist() == [0] * 6
    assert clocks_of(together, groups, "own").tolist() == [*range(6)]
    assert clocks_of(together, ["a"] * 3 + ["b"] * 3, "shared").tolist() == [0] * 3 + [3] * 3
    longer = together[0]._replace(points=N + 1)
    assert clocks_of([longer, *together[1:]], groups, "auto").tolist() == [*range(6)]
    assert clocks_of([None, *together[1:]], groups, "auto").tolist() == [0, *[1] * 5]
    silent = [one._replace(alarms={}) for one in together]
    assert clocks_of(silent, groups, "auto").tolist() == [*range(6)]


def test_series_with_times_share_a_clock_where_these_overlap():
    day = np.datetime64("2026-01-05", "s") + np.arange(10) * np.timedelta64(1, "h")
    labels = np.arange(10) == 4
    events = aj.Events.from_labels(labels)
    early, late = (
        Lived.of(events, table(labels, {}, day + by))
        for by in (np.timedelta64(0, "h"), np.timedelta64(90, "h"))
    )
    assert clocks_of([early, late, early, late], ["a"] * 4, "auto").tolist() == [0, 1, 0, 1]
    unknown = Lived.of(events, table(labels, {"x": labels}))
    assert clocks_of([early, unknown], ["a"] * 2, "auto").tolist() == [0, 1]


def test_scores_that_cannot_be_read_are_no_alarms():
    labels = np.arange(10) == 4
    both = table(labels, {"bad": np.array(["x"] * 10), "good": labels})
    assert list(Lived.of(aj.Events.from_labels(labels), both).alarms) == ["good"]


@pytest.mark.parametrize("seed", range(3))
def test_a_place_of_each_clock_is_drawn_and_values_there_are_added_up(seed):
    rng = np.random.default_rng(seed)
    clocks = np.array([0, 0, 1, 1, 1])
    series = [PlacesOfSeries(rng.random(1) + 0.3, [rng.random(19)]) for _ in clocks]
    every = [np.append(one.elsewhere[0], one.home) for one in series]
    sums = [np.sum([every[k] for k in np.flatnonzero(clocks == own)], axis=0) for own in (0, 1)]
    at_home = sums[0][-1] + sums[1][-1]
    slow = np.mean(np.add.outer(*sums) >= at_home - 1e-9)
    found = pooled_p(series, clocks=clocks)
    assert found.p_value == pytest.approx(slow)
    assert found.clocks == 2
    assert pooled_p(series, clocks=np.arange(5)) == pooled_p(series)
    assert found.p_value != pooled_p(series).p_value


def test_places_of_another_number_are_a_clock_of_their_own():
    rng = np.random.default_rng(0)
    series = [PlacesOfSeries(rng.random(1), [rng.random(count)]) for count in (19, 19, 9)]
    one, parted = (pooled_p(series, clocks=np.array(own)) for own in ([0, 0, 0], [0, 0, 1]))
    assert one.p_value == parted.p_value


@pytest.mark.parametrize("metric", ["f1", "ap"])
def test_series_of_one_clock_are_judged_at_the_same_offsets(metric):
    """The p-value over machines that are copies of each other is that of one of them."""
    data = {name: one for name, one in fleet(3, common=True).items() if name in {"m0", "m1", "m2"}}
    shared, own = (
        aj.rank(data, metric, at=None if metric == "ap" else 0.5, clock=rule, pooled=False)
        for rule in ("shared", "own")
    )
    alone = aj.rank({"m0": data["m0"]}, metric, at=None if metric == "ap" else 0.5, pooled=False)
    for line, whole in zip(shared.leaderboard, alone.leaderboard, strict=True):
        assert line["p_value"] == pytest.approx(whole["p_value"], abs=1e-9)
    assert own.leaderboard[0]["p_value"] != shared.leaderboard[0]["p_value"]


def test_a_ranking_says_on_how_many_clocks_its_series_are():
    found = aj.rank(fleet(4, common=True), "f1", at=0.5, pooled=False)
    assert "6 series" in found.leaderboard[0]["verdict"]
    line = {"tested": 6, "p_value": 0.03, "p_adjusted": 0.03, "least_p": 0.01, "better_on": 0,
            "better_on_low": 0, "clocks": 2}  # fmt: skip
    assert in_words(line, 3) == (
        "better than chance over 6 series on 2 clocks (p = 0.03), significant alone on 0"
    )
