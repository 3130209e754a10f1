"""Alarm policies: what Prometheus was seen to do, slow twins, the law that makes them scores."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.adjust.paging import Paging
from adjudge.adjust.policies import Firing, Track
from adjudge.errors import InputError
from adjust import naive_policies as naive

RECORDED = json.loads(Path(__file__).with_name("prometheus_firings.json").read_text("utf-8"))
"""By `promtool test rules` 2.42.0: samples every so many seconds (null: none; "stale": a mark that
the series ended), and when ``score > 0.8`` was firing, with the policy that says the same here."""
LOOK_BACK = 300
START = np.datetime64("2026-01-01", "s")


def seen(case):
    """What each evaluation of Prometheus sees: the newest sample of the last five minutes."""
    values = []
    for number in range(case["evaluations"]):
        now = number * case["evaluated"]
        known = [
            sample
            for place, sample in enumerate(case["samples"])
            if now - LOOK_BACK <= place * case["sampled"] <= now and sample is not None
        ]
        values.append(math.nan if not known or known[-1] == "stale" else known[-1])
    return values


@pytest.mark.parametrize("case", RECORDED, ids=[case["name"] for case in RECORDED])
def test_alerts_fire_as_in_prometheus(case):
    scores, step = seen(case), case["evaluated"]
    time = START + np.arange(len(scores)) * np.timedelta64(step, "s")
    flags = aj.policy(0.8, **case["policy"]).flags(scores, time)
    found = [[start * step, stop * step] for start, stop in naive.runs(flags)]
    assert found == case["firing"]


def drawn(seed):
    """Scores with ties and gaps, uneven times, and a policy of every kind."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    scores = rng.integers(0, 6, n) / 4
    if rng.random() < 0.3:
        scores[rng.random(n) < 0.15] = np.nan
    even = rng.random() < 0.5
    times = np.cumsum(np.ones(n, int) if even else rng.integers(4, 9, n))
    scale = 1 if even else 6
    settings = {"missing": str(rng.choice(["off", "hold", "on"]))}
    if rng.random() < 0.6:
        settings["after"] = int(rng.integers(0, 4)) * scale
    if rng.random() < 0.6:
        settings["keep"] = int(rng.integers(0, 4)) * scale
    if rng.random() < 0.4:
        settings["of"] = int(rng.integers(1, 5))
        settings["k"] = int(rng.integers(1, settings["of"] + 1))
    if rng.random() < 0.4:
        settings[str(rng.choice(["clear", "drop"]))] = float(rng.integers(0, 4)) / 4
    return scores, times, settings


@pytest.mark.parametrize("seed", range(150))
def test_the_recursion_equals_the_state_machine_at_every_threshold(seed):
    scores, times, settings = drawn(seed)
    clock = START + times * np.timedelta64(1, "s")
    policy = {
        name: f"{value}s" if name in {"after", "keep"} else value
        for name, value in settings.items()
    }
    track = Track.of(np.array([0, scores.size]), clock.astype("M8[ns]").astype(np.int64))
    firing = Firing(**policy).firing(scores, track)
    for level in (-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25):
        expected = naive.firing(scores, level, times, **settings)
        assert (firing > level).tolist() == expected
        since = naive.pending(scores, level, times, **settings)
        found = Firing(**policy).pending(scores, level, track).tolist()
        assert [None if place < 0 else times[place] for place in found] == since


def commutes(policy, scores):
    """Whether what fires above a threshold is what the policy makes of the points above it."""
    whole = policy(scores)
    return all(
        np.array_equal(whole > level, policy((scores > level).astype(float)) > 0)
        for level in np.unique(scores)
    )


def whole(n):
    return Track.of(np.array([0, n]), None)


FIRST_STAGE = [
    {"after": 2},
    {"keep": 3},
    {"k": 2, "of": 4},
    {"after": 1, "keep": 2, "k": 2, "of": 3},
]


@pytest.mark.parametrize("settings", FIRST_STAGE)
def test_the_first_stage_commutes_with_thresholding(settings):
    rng = np.random.default_rng(5)
    for _ in range(40):
        scores = rng.integers(0, 5, 30).astype(float)
        assert commutes(lambda column: Firing(**settings).firing(column, whole(30)), scores)


def test_a_cooldown_does_not_commute():
    """Above .8 the incident is paged; above .5 an earlier page for nothing silences it."""
    scores = np.array([0.6, 0, 0.9, 0, 0])

    def cooled(column):  # as if there were a column of scores
        return np.max([np.where(Paging(cooldown=4).pages(column > level, whole(5)), level + 0.1, 0)
                       for level in (0, 0.5, 0.8)], axis=0)  # fmt: skip

    assert not commutes(cooled, scores)
    assert aj.policy(0.8, cooldown=4).flags(scores).tolist() == [False, False, True, False, False]
    assert aj.policy(0.5, cooldown=4).flags(scores).tolist() == [True, False, False, False, False]


def test_the_law_notices_a_wrong_policy():
    def mean_of_three(column):
        return np.convolve(column, np.ones(3) / 3, "same")

    assert not commutes(mean_of_three, np.array([0.0, 3, 0, 0, 1, 1, 1]))


@pytest.mark.parametrize("seed", range(80))
def test_pages_equal_their_slow_twin(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    flags = rng.random(n) < rng.choice([0.2, 0.5, 0.8])
    settings = {
        name: int(rng.integers(0, 9))
        for name in ("shortest", "merge", "cooldown")
        if rng.random() < 0.5
    }
    if rng.random() < 0.5:
        settings |= {"wait": int(rng.integers(0, 6)), "interval": int(rng.integers(1, 8))}
    expected = naive.pages(flags.tolist(), **settings)
    assert Paging(**settings).pages(flags, whole(n)).tolist() == expected
    clock = np.arange(n) * 10**9
    seconds = {name: f"{value}s" for name, value in settings.items()}
    timed = Paging(**seconds).pages(flags, Track.of(np.array([0, n]), clock))
    assert timed.tolist() == expected


def test_groups_are_told_as_by_alertmanager():
    """Seen with group_wait 4 s and group_interval 7 s: told after 4.1, 11.1, 25.1 s."""
    series = np.repeat(["a", "b", "c", "d"], 40)
    flags = np.zeros((4, 40), bool)
    flags[0, 0:13], flags[1, 2:35], flags[2, 5:35], flags[3, 20:22] = True, True, True, True
    time = np.tile(START + np.arange(40) * np.timedelta64(1, "s"), 4)
    policy = aj.policy(wait="4s", interval="7s", group_by="all")
    told = policy.flags(flags.ravel(), time, series=series).reshape(4, 40)
    assert [naive.runs(one) for one in told] == [[(4, 13)], [(4, 35)], [(11, 35)], []]


def test_the_state_ends_with_a_series_and_with_time_without_data():
    scores = np.array([9.0, 9, 9, 9])
    policy = aj.policy(5, after=1)
    assert policy.flags(scores).tolist() == [False, True, True, True]
    apart = policy.flags(scores, series=["a", "a", "b", "b"])
    assert apart.tolist() == [False, True, False, True]
    gap = START + np.array([0, 60, 600, 660]) * np.timedelta64(1, "s")
    assert policy.flags(scores, gap).tolist() == [False, True, False, True]
    bridged = aj.policy(5, after=1, missing="hold").flags(scores, gap)
    assert bridged.tolist() == [False, True, True, True]
    many = aj.policy(5, after="60s").flags(
        np.tile(scores, 2), np.tile(gap, 2), series=np.repeat([1, 2], 4)
    )
    assert many.tolist() == [False, True, False, True] * 2


def test_flags_need_no_threshold_and_whole_numbers_are_scores():
    assert aj.policy(after=1).flags([0, 1, 1, 0]).tolist() == [False, False, True, False]
    assert aj.policy(3, keep=1).flags([1, 5, 2, 2]).tolist() == [False, True, True, False]
    assert aj.policy(aj.quantile(0.5)).flags([1, 5, 2, 2]).tolist() == [False, True, False, False]
    assert aj.policy(0.5).flags([0.2, 0.9]).tolist() == [False, True]
    with pytest.raises(InputError, match="must have a threshold for scores"):
        aj.policy(after=1).flags([0.2, 0.9])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"k": 3, "of": 2}, "k must be at most of"),
        ({"clear": 0.5, "drop": 0.1}, "must not both be given"),
        ({"drop": -1}, "drop must be at least 0, got -1"),
        ({"clear": math.nan}, "clear must be a number"),
        ({"wait": 3}, "wait and interval must"),
        ({"wait": 3, "interval": "5min"}, "must both be durations"),
        ({"group_by": "all"}, "group_by needs wait"),
        ({"missing": "drop"}, "missing must be one of 'off', 'hold', 'on'"),
        ({"after": "5 minutes"}, "after must be a duration such as '10min'"),
        ({"on": "0:5"}, "in the rule inside"),
        ({"at": "0.8"}, "at must be a number, got '0.8', nor a rule"),
        ({"at": math.nan}, "at must be a number, got nan"),
        ({"at": aj.policy(0.5)}, "at of a policy must "),
    ],
)
def test_what_makes_no_policy_is_refused(settings, words):
    with pytest.raises(InputError, match=words):
        aj.policy(**settings)


def test_a_duration_needs_times():
    with pytest.raises(InputError, match="after must be a number of points"):
        aj.policy(0.5, after="5min").flags([0.1, 0.9])
