"""Policies on alerts with a start and an end: by hand, as Prometheus, and as the same on points."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.adjust.alert_times import AlertTimes
from adjudge.cli import main
from adjudge.data.durations import duration
from adjudge.errors import InputError
from adjudge.metrics.spec import threshold
from adjust import naive_policies as naive
from adjust.test_policies import RECORDED, seen

SPAN_END = 400
TWELVE = [
    # service, rule, start, end (None: open)
    ("api", "slow", 0, 8),
    ("api", "slow", 20, 50),
    ("api", "slow", 53, 56),
    ("api", "down", 54, 70),
    ("db", "slow", 55, 66),
    ("db", "slow", 60, 62),
    ("db", "slow", 75, 90),
    ("api", "slow", 100, 111),
    ("db", "slow", 100, 110),
    ("api", "slow", 114, 140),
    ("db", "down", 200, 200),
    ("api", "slow", 390, None),
]
"""By number: 1 short, 2 long, 3 three after it, 4 of another rule, 5 and 6 overlap, 9 ends with the
wait of ten, 11 is a moment, 12 goes on at the end."""
BY_HAND = {
    "after=10": {2: (30, 50), 4: (64, 70), 5: (65, 66), 7: (85, 90), 8: (110, 111), 10: (124, 140)},
    "keep=5": {1: (0, 13), 2: (20, 61), 4: (54, 75), 5: (55, 71), 7: (75, 95), 8: (100, 145),
               9: (100, 115), 11: (200, 205), 12: (390, None)},
    "after=10, keep=5": {2: (30, 61), 4: (64, 75), 5: (65, 71), 7: (85, 95), 8: (110, 145)},
    "shortest=11": {2: (20, 50), 4: (54, 70), 5: (55, 66), 7: (75, 90), 8: (100, 111),
                    10: (114, 140)},
    "merge=3": {1: (0, 8), 2: (20, 56), 4: (54, 70), 5: (55, 66), 7: (75, 90), 8: (100, 140),
                9: (100, 110), 11: (200, 200), 12: (390, None)},
    "cooldown=30": {1: (0, 8), 3: (53, 56), 4: (54, 70), 5: (55, 66), 8: (100, 111),
                    9: (100, 110), 11: (200, 200), 12: (390, None)},
    "wait=4, interval=20": {1: (4, 8), 2: (24, 50), 4: (64, 70), 5: (59, 66), 7: (79, 90),
                            8: (104, 111), 9: (104, 110), 10: (124, 140), 12: (394, None)},
    'wait=4, interval=20, group_by="all"': {
        1: (4, 8), 2: (24, 50), 4: (64, 70), 5: (64, 66), 7: (84, 90), 8: (104, 111),
        9: (104, 110), 10: (124, 140), 12: (394, None)},
    "shortest=4, merge=7, cooldown=60": {1: (0, 8), 4: (54, 70), 5: (55, 66), 8: (100, 140),
                                         12: (390, None)},
}  # fmt: skip
"""What is left of each by its number, and when; joined ones have the number of the first."""


def table(rows=TWELVE, **more):
    service, kind, start, end = (list(one) for one in zip(*rows, strict=True))
    return aj.Alerts(start, end, service=service, kind=kind, **more)


def left(policy, alerts, last=SPAN_END):
    found = policy.on_alerts(alerts, last)
    ends = [
        None if still else end for end, still in zip(found.end.tolist(), found.open, strict=True)
    ]
    return dict(zip(map(int, found.id), zip(found.start.tolist(), ends, strict=True), strict=True))


@pytest.mark.parametrize("settings", BY_HAND)
def test_twelve_alerts_by_hand(settings):
    policy = threshold(f"policy({settings})")
    assert left(policy, table()) == BY_HAND[settings]
    order = np.random.default_rng(3).permutation(12)
    numbers = (order + 1).tolist()
    mixed = table([TWELVE[place] for place in order], id=numbers)
    assert left(policy, mixed) == BY_HAND[settings]  # of whatever order the rows are


def test_joined_alerts_have_the_highest_score_and_stay_open():
    alerts = aj.Alerts([0, 5, 30], [8, None, 31], score=[0.2, 0.9, 0.4])
    found = aj.policy(merge=0).on_alerts(alerts, 50)
    assert (found.score.tolist(), found.open.tolist()) == ([0.9], [True])
    assert not len(aj.policy(after=1, merge=2, cooldown=3).on_alerts(aj.Alerts([]), 9))


def condition(case):
    """When ``score > 0.8`` held: the alerts of the same rule without a wait."""
    on = [score > 0.8 for score in seen(case)]
    step = case["evaluated"]
    return [(start * step, stop * step) for start, stop in naive.runs(on)]


WAITS = [case for case in RECORDED if case["policy"].keys() <= {"after", "keep"}]


def in_evaluations(length, step):
    """A wait as a rule acts on it: whole evaluations."""
    return -(-duration(length, "length") // (step * 10**9)) * step


@pytest.mark.parametrize("case", WAITS, ids=[case["name"] for case in WAITS])
def test_alerts_are_what_prometheus_made_of_the_same_condition(case):
    step, end = case["evaluated"], case["evaluated"] * case["evaluations"]
    settings = {name: in_evaluations(one, step) for name, one in case["policy"].items()}
    held = condition(case)
    alerts = aj.Alerts(*map(list, zip(*held, strict=True))) if held else aj.Alerts([])
    found = aj.policy(**settings).on_alerts(alerts, end)
    fired = [
        [a, min(b, end)] for a, b in zip(found.start.tolist(), found.end.tolist(), strict=True)
    ]
    assert fired == case["firing"]


def test_the_recorded_cases_are_many():
    assert len(WAITS) >= 15
    assert sum(len(case["firing"]) for case in WAITS) >= 15


def test_groups_are_told_as_by_alertmanager():
    """Seen with group_wait 4 s and group_interval 7 s: told after 4.1, 11.1, 25.1 s."""
    alerts = aj.Alerts([0, 2, 5, 20], [13, 35, 35, 22], service=["a", "b", "c", "d"])
    policy = aj.policy(wait=4, interval=7, group_by="all")
    assert left(policy, alerts) == {1: (4, 13), 2: (4, 35), 3: (11, 35)}


def drawn(seed):
    """Flags of some series on a grid, and a policy that acts on alerts."""
    rng = np.random.default_rng(seed)
    flags = rng.random((3, 50)) < rng.choice([0.3, 0.6, 0.85])
    flags[:, -14:] = False  # so that every end is known
    names = ("after", "keep", "shortest", "merge", "cooldown")
    settings = {name: int(rng.integers(0, 7)) for name in names if rng.random() < 0.5}
    if rng.random() < 0.5:
        settings |= {"wait": int(rng.integers(0, 6)), "interval": int(rng.integers(1, 8))}
        settings["group_by"] = str(rng.choice(["series", "all"]))
    return flags, settings


def on_points(flags, settings):
    """What a policy makes of flags on a grid of a second a point: runs of each series."""
    series = np.repeat(np.arange(len(flags)), flags.shape[1])
    clock = np.tile(np.datetime64("2026-01-01", "s") + np.arange(flags.shape[1]), len(flags))
    found = aj.policy(**in_time(settings)).flags(flags.ravel().astype(int), clock, series=series)
    return sorted(
        (row, *run) for row, one in enumerate(found.reshape(flags.shape)) for run in naive.runs(one)
    )


def in_time(settings):
    timed = {name: f"{value}s" for name, value in settings.items() if name != "group_by"}
    return settings | timed


def rows_of(flags):
    """The same flags as alerts."""
    return [(str(row), "x", *run) for row, one in enumerate(flags) for run in naive.runs(one)]


def on_alerts(flags, settings, last):
    rows = rows_of(flags)
    if not rows:
        return []
    found = aj.policy(**settings).on_alerts(table(rows), last)
    times = zip(found.service, found.start.tolist(), np.minimum(found.end, last), strict=True)
    return sorted((int(name), start, int(end)) for name, start, end in times if start < end)


def is_same_as_points(seed, act=on_alerts):
    """Whether runs of points fare as alerts; points that touch are one, alerts stay two."""
    flags, settings = drawn(seed)
    found = act(flags, settings, flags.shape[1])
    marks = np.zeros(flags.shape, bool)
    for row, start, stop in found:
        marks[row, start:stop] = True
    again = sorted((row, *run) for row, one in enumerate(marks) for run in naive.runs(one))
    return again == on_points(flags, settings)


@pytest.mark.parametrize("seed", range(60))
def test_alerts_fare_as_runs_of_points(seed):
    assert is_same_as_points(seed)


def test_the_law_notices_a_wait_that_fires_at_the_end():
    def too_soon(flags, settings, last):
        return on_alerts(flags, settings | {"after": max(0, settings.get("after", 0) - 1)}, last)

    assert not all(is_same_as_points(seed, too_soon) for seed in range(60))


@pytest.mark.parametrize("seed", range(5))
def test_durations_are_the_same_as_points(seed):
    flags, settings = drawn(seed)
    rows = rows_of(flags)
    base = np.datetime64("2026-01-01", "s")
    start, end = (base + np.array([row[side] for row in rows]) for side in (2, 3))
    timed = aj.Alerts(start, end, service=[row[0] for row in rows])
    first = int(np.datetime64("2026-01-01", "ns").astype(int))
    found = aj.policy(**in_time(settings)).on_alerts(timed, first + 50 * 10**9)
    seconds = [tuple((one - first) // 10**9) for one in (found.start, found.end)]
    plain = aj.policy(**settings).on_alerts(table(rows), 50)
    assert seconds == [tuple(plain.start), tuple(plain.end)]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"k": 2, "of": 3}, "needs scores"),
        ({"clear": 0.5}, "clear needs scores"),
        ({"missing": "on"}, "missing needs scores"),
        ({"after": "5min"}, "after must be a number of points when alerts have whole numbers"),
        ({"merge": "5min"}, "merge must be a number of points"),
    ],
)
def test_what_alerts_cannot_say_is_refused(settings, words):
    with pytest.raises(InputError, match=words):
        aj.policy(**settings).on_alerts(table(), SPAN_END)


@pytest.mark.parametrize("settings", [{"after": 5}, {"shortest": 5}, {"wait": 5, "interval": 9}])
def test_moments_have_no_length_to_wait_for(settings):
    moments = aj.Alerts([3, 4, 30])
    with pytest.raises(InputError, match="needs alerts with an end, got"):
        aj.policy(**settings).on_alerts(moments, 50)
    assert left(aj.policy(cooldown=5), moments) == {1: (3, 3), 3: (30, 30)}


def test_of_points_a_number_and_of_times_a_duration():
    timed = aj.Alerts(["2026-01-01 10:00"], ["2026-01-01 10:20"])
    with pytest.raises(InputError, match="cooldown must be a duration such as '10min'"):
        aj.policy(cooldown=5).on_alerts(timed, 2**61)


DAY = ("2026-01-01", "2026-01-02")
INCIDENTS = aj.Incidents(["2026-01-01 10:00", "2026-01-01 20:00"],
                         ["2026-01-01 11:00", "2026-01-01 21:00"])  # fmt: skip
ALERTS = aj.Alerts(
    ["2026-01-01 03:00", "2026-01-01 10:05", "2026-01-01 20:10"],
    ["2026-01-01 03:04", "2026-01-01 10:50", "2026-01-01 20:15"], score=[0.9, 0.8, 0.7],
)  # fmt: skip
TEN = 'policy(after="10min")'


def test_every_verb_judges_what_a_policy_leaves(tmp_path):
    judged = aj.evaluate(INCIDENTS, ALERTS, at=TEN, span=DAY, chance=False)
    assert judged["event_recall"] == 0.5
    assert judged["event_precision"] == 1
    assert judged["detection_delay"] == 15 * 60
    assert {row.rule for row in judged.rows} == {TEN}
    assert judged.rows[0].at is None
    assert f"alarms by {TEN}" in str(judged)
    bare = aj.evaluate(INCIDENTS, ALERTS, at=aj.policy(), span=DAY, chance=False)
    assert bare["event_precision"] == pytest.approx(2 / 3)
    assert bare.rows[0].rule == ""
    within = aj.evaluate(INCIDENTS, ALERTS, f"event_recall(at={TEN})", span=DAY, chance=False)
    assert within.rows[0].value == 0.5
    receipt = aj.explain(INCIDENTS, ALERTS, "event_recall", at=TEN, span=DAY)
    assert [(row["id"], row["outcome"]) for row in receipt.alarms] == [("2", "right")]
    assert f"alerts by {TEN}" in str(receipt)
    two = aj.compare(INCIDENTS, ALERTS, ALERTS, "event_f1", at=(None, TEN), span=DAY)
    assert (two.a, two.b) == pytest.approx((0.8, 2 / 3))
    page = aj.report(INCIDENTS, ALERTS, at=TEN, span=DAY, path=tmp_path / "page.html", chance=False)
    assert "after=" in page.read_text("utf-8")


def test_a_policy_acts_above_a_threshold():
    found = aj.evaluate(INCIDENTS, ALERTS, at='policy(0.75, cooldown="1h")', span=DAY, chance=False)
    assert found["event_recall"] == 0.5
    assert (found.rows[0].at, found.rows[0].chosen_by) == (0.75, "given")
    ruled = aj.evaluate(INCIDENTS, ALERTS, at='policy(top(2), keep="1h")', span=DAY, chance=False)
    assert (ruled.rows[0].chosen_by, ruled["event_recall"]) == ("rule", 0.5)
    bare = aj.Alerts(["2026-01-01 03:00"])
    with pytest.raises(InputError, match=r"left out"):
        aj.evaluate(INCIDENTS, bare, at='policy(0.75, cooldown="1h")', span=DAY)


@pytest.mark.parametrize("metric", ["best(event_f1)", "alert_ap", f"best(event_f1(at={TEN}))"])
def test_what_judges_every_threshold_takes_no_policy(metric):
    with pytest.raises(InputError, match="a policy acts on the alerts"):
        aj.evaluate(INCIDENTS, ALERTS, metric, at=TEN, span=DAY)
    every = aj.evaluate(INCIDENTS, ALERTS, "all", at=TEN, span=DAY)
    assert "alert_ap" not in {row.requested for row in every.rows}


def test_windows_have_the_alerts_of_the_whole():
    found = aj.over_time(
        INCIDENTS, ALERTS, "event_recall", TEN, window="12h", span=DAY, chance=False
    )
    assert [row["value"] for row in found.to_dict()["rows"]] == [1, 0]


def test_each_detector_may_have_a_policy_of_its_own(tmp_path, monkeypatch):
    both = {"now": ALERTS, "later": ALERTS}
    judged = aj.evaluate(INCIDENTS, both, "event_f1", {"now": None, "later": TEN}, span=DAY)
    assert f"later: alarms by {TEN}" in str(judged)
    alike = aj.evaluate(INCIDENTS, both, "event_f1", TEN, span=DAY)
    assert f"\nalarms by {TEN}" in str(alike)
    monkeypatch.chdir(tmp_path)
    for name, rows in (("i.csv", INCIDENTS), ("a.csv", ALERTS)):
        times = zip(rows.start.astype("M8[ns]"), rows.end.astype("M8[ns]"), strict=True)
        lines = [f"{start},{end}" for start, end in times]
        (tmp_path / name).write_text("\n".join(["start,end", *lines]))
    given = ("--truth", "i.csv", "--alerts", "now=a.csv", "--alerts", "later=a.csv", "--span", *DAY)
    given += ("--at", f"later={TEN}", "--metric", "event_f1", "--no-chance", "--json")
    result = CliRunner().invoke(main, ["evaluate", *given])
    found = {row["detector"]: row["value"] for row in json.loads(result.stdout)["rows"]}
    assert found == {row.detector: pytest.approx(row.value) for row in judged.rows}
    twice = CliRunner().invoke(main, ["evaluate", *given[:2], *given[2:4] * 2, *given[6:9]])
    assert "two files of alerts have" in twice.stderr


def test_decide_chooses_among_policies_and_says_what_to_deploy():
    days = np.datetime64("2026-01-05", "s") + np.arange(84) * np.timedelta64(1, "D")
    ten, hour = np.timedelta64(600, "s"), np.timedelta64(3600, "s")
    incidents = aj.Incidents(days[::3], days[::3] + hour)
    start, end = days + ten, days + ten + np.where(np.arange(84) % 3, ten / 2, 3 * ten)
    month = {"span": (days[0], days[-1]), "costs": aj.costs(miss=500, false=20)}
    specs = ["policy()", 'policy(after="10min", keep="5min")', 'policy(cooldown="3d")']
    found = aj.decide(incidents, aj.Alerts(start, end), specs, now="policy()", **month)
    assert found.choice == specs[1]
    assert found.per_week == 0
    assert found.better_than_now
    assert found.prometheus() == (
        "# the rule that raises these alerts, with:\n    for: 10m\n    keep_firing_for: 5m\n"
    )
    kept = aj.decide(incidents, aj.Alerts(start, end), specs[:1], **month)
    assert kept.prometheus() == "# the rule that raises these alerts, as it is\n"


def test_a_table_of_alerts_keeps_what_else_it_says():
    found = AlertTimes.of(table(), SPAN_END).table(table())
    assert found.kind.tolist() == table().kind.tolist()
    assert found.start.tolist() == table().start.tolist()
