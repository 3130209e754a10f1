"""Decisions: chosen on some weeks, paid on others; worked by hand, and by a slow twin."""

import json
import math
import shlex

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.errors import InputError
from adjudge.judging.deciding.decision import BUSY, cheaper_for_sure, cost_interval
from adjudge.judging.deciding.words import evaluate_line, poisson
from count import naive_costs

PRICES = {"miss": 500, "false": 20, "night": 30, "delay": "2/min"}
A, B, C = "policy(0.9)", "policy(0.8)", 'policy(0.8, after="5min")'
INCIDENTS = [2, 1, 2, 1]
CELLS = {
    A: [(1, 0, 0, 10), (1, 1, 0, 0), (0, 0, 0, 20), (0, 1, 1, 15)],
    B: [(0, 4, 1, 8), (0, 6, 2, 4), (0, 3, 0, 8), (0, 9, 4, 5)],
    C: [(0, 1, 0, 18), (0, 2, 1, 9), (1, 1, 0, 11), (0, 2, 1, 10)],
}
"""Of each week: missed, false pages, those of them at night, minutes of delay."""
START, WEEK = np.datetime64("2026-01-05T00:00", "m"), 10080


def minutes(count):
    return np.timedelta64(int(count), "m")


def story():
    """Incidents, and the alerts of three rules that do what the cells say."""
    begins, alerts = [], {name: [] for name in CELLS}
    for week, count in enumerate(INCIDENTS):
        first = START + minutes(week * WEEK)
        own = [first + minutes(1440 * (1 + 2 * number) + 600) for number in range(count)]
        begins += own
        for name, cells in CELLS.items():
            missed, false, night, late = cells[week]
            for number, begin in enumerate(own[missed:]):
                told = begin + minutes(late if number == 0 else 0)
                alerts[name].append((told, told + minutes(5)))
            for number in range(false):
                hour = 60 if number < night else 600
                told = first + minutes(1440 * 6 + hour + 7 * number)
                alerts[name].append((told, told + minutes(2)))
    tables = {
        name: aj.Alerts([str(a) for a, _ in sorted(own)], [str(b) for _, b in sorted(own)])
        for name, own in alerts.items()
    }
    ends = [str(begin + minutes(120)) for begin in begins]
    return aj.Incidents([str(b) for b in begins], ends), tables


TRUTH, ALERTS = story()
SPAN = (str(START), str(START + minutes(4 * WEEK)))


def decided(**more):
    return aj.decide(TRUTH, ALERTS, span=SPAN, **more)


def test_the_example_worked_by_hand_to_the_last_digit():
    found = decided(costs=aj.costs(**PRICES))
    plain = found.to_dict()
    assert plain["cost"] == {A: [520, 520, 40, 80], B: [126, 188, 76, 310], C: [56, 88, 542, 90]}
    assert plain["in_hindsight"] == {"choice": B, "per_week": 175.0}
    assert plain["leave_one_week_out"] == {
        "choices": [[B, 126], [B, 188], [C, 542], [B, 310]], "per_week": 291.5,
    }  # fmt: skip
    assert plain["forward_only"]["choices"] == [[C, 88], [C, 542], [B, 310]]
    assert plain["forward_only"]["per_week"] == pytest.approx(313.3333333333333, rel=1e-15)
    assert plain["page_nobody_per_week"] == 750.0
    assert plain["best_by_cost_of_a_miss"] == [
        {"from": 0.0, "to": 116.0, "best": A},
        {"from": 116.0, "to": 424.0, "best": C},
        {"from": 424.0, "to": None, "best": B},
    ]
    assert plain["false_per_week"] == {A: 0.5, B: 5.5, C: 1.5}
    assert plain["found"] == {A: 4, B: 6, C: 5}
    assert (found.honest - found.per_week, found.chosen) == (116.5, {B: 3, C: 1})
    assert math.isnan(found.low)
    assert found.cheaper_than_none is None


def test_the_example_in_sentences():
    said = str(decided(costs=aj.costs(**PRICES))).splitlines()
    assert said[0] == (
        "too few incidents to choose: 6 in 4 weeks, 10 needed; treat the following as a hint"
    )
    assert said[1] == (
        "4 weeks watched, 6 incidents, 3 candidates, costs: miss 500, false page 20 (night 50), "
        "minute of delay 2"
    )
    assert said[2] == (
        "choose: policy(0.8). On these weeks, where it was chosen, it would have cost 175 a week."
    )
    assert said[3] == (
        "on unseen weeks, choosing like this cost 292 a week (126, 188, 542, 310); "
        "paging nobody 750"
    )
    assert "4 weeks are too few for an interval; policy(0.8) was chosen in 3 of 4" in said[5]
    assert f"costs less than 424: {C}; less than 116: {A}" in said[7]
    assert said[8].startswith(
        "false pages: 5.5 a week (3.4 to 8.3), at most 9 in one week; 7 of 22"
    )


def test_budgets_of_the_example():
    two = decided(budget="2/1w")
    assert (two.choice, two.table.found[two.number].sum()) == (C, 5)
    daily = decided(budget="1/1d")
    assert daily.choice == B
    assert evaluate_line(daily).endswith("--metric 'false_alarms(per=\"1d\")'")
    assert "the budget of 1/d is kept, but the interval does not confirm it; 1 of the weeks" in str(
        daily
    )
    nothing = decided(budget="0/1w", costs=aj.costs(**PRICES))
    assert (nothing.choice, nothing.honest, nothing.found) == ("paging nobody", 750.0, (0, 6))
    assert "choose: nothing, no candidate" in str(nothing)
    assert nothing.neighbours == nothing.by_cost_of_a_miss == []
    assert "miss" in evaluate_line(nothing)
    with pytest.raises(InputError, match="a rule needs a"):
        nothing.prometheus()


def world(weeks, seed=0, lift=2.5, step=30):
    """Points half an hour apart: incidents of three hours, which the score shows."""
    rng = np.random.default_rng(seed)
    n = weeks * WEEK // step
    labels = np.zeros(n, int)
    for start in range(40, n - 10, 170):
        labels[start : start + 6] = 1
    scores = np.round(rng.normal(size=n) + lift * labels, 2)
    return labels, scores, START + np.arange(n) * minutes(step)


CANDIDATES = [
    1.0,
    "1.5",
    "policy(2.0)",
    2.5,
    'policy(1.5, after="30min")',
    "policy(3.0, cooldown=8)",
]


def slow_costs(labels, scores, time, candidates, block):
    """What each candidate costs in each block, by hand."""
    hours = (time.astype("M8[m]").astype(int) / 60).tolist()
    rows = []
    for one in candidates:
        flags = one.flags(scores, time)
        blocks = []
        for first in range(0, len(labels), block):
            part = slice(first, first + block)
            sums = naive_costs.money(
                labels[part].tolist(), flags[part].tolist(), miss=100, false=5, delay=1, night=3,
                times=hours[part],
            )  # fmt: skip
            blocks.append(naive_costs.total(sums))
        rows.append(blocks)
    return np.array(rows)


@pytest.mark.parametrize("forward", [False, True])
def test_choosing_and_paying_equal_their_slow_twin(forward):
    labels, scores, time = world(9, seed=3)
    labels[:: WEEK // 30] = 0  # no border inside an incident
    prices = aj.costs(miss=100, false=5, night=3, delay="1/30min")
    found = aj.decide(labels, scores, CANDIDATES, costs=prices, time=time, forward=forward)
    policies = [one.policy for one in found.table.candidates]
    paid = slow_costs(labels, scores, time, policies, WEEK // 30)
    busy = np.array([np.mean(p.flags(scores, time)[labels == 0]) for p in policies])
    kept = np.flatnonzero(busy <= BUSY)
    assert kept.size < len(policies)
    assert found.table.busy == pytest.approx(busy)
    chosen = []
    for block in range(1 if forward else 0, 9):
        others = [b for b in range(9) if (b < block if forward else b != block)]
        chosen.append(kept[np.argmin(paid[kept][:, others].sum(axis=1))])
    own = [paid[k, b] for k, b in zip(chosen, range(1 if forward else 0, 9), strict=True)]
    assert [fold.choice for fold in found.folds] == chosen
    assert [fold.paid for fold in found.folds] == pytest.approx(own)
    assert found.honest == pytest.approx(np.mean(own))
    assert found.number == kept[np.argmin(paid[kept].sum(axis=1))]
    assert "left out because they fire for over a tenth" in str(found)
    assert found.low < found.honest < found.high
    assert found.cheaper_than_none


def test_noise_is_not_shown_to_be_cheaper_than_no_detector():
    labels, scores, time = world(12, seed=1, lift=0)
    found = aj.decide(labels, scores, [2.0, 2.5, 3.0], costs=aj.costs(miss=100, false=5), time=time)
    assert found.cheaper_than_none is False
    assert "\nnot significantly cheaper than no detector: paging nobody" in str(found)


@pytest.mark.parametrize(
    ("weeks", "incidents", "few"), [(6, 12, "weeks"), (9, 3, "incidents"), (4, 3, "both")]
)
def test_too_few_weeks_and_too_few_incidents_are_told_apart(weeks, incidents, few):
    labels, scores, time = world(weeks)
    labels[170 * incidents :] = 0
    found = aj.decide(labels, scores, [2.0, 2.5], costs=aj.costs(miss=100, false=5), time=time)
    assert found.table.incidents.sum() == incidents
    said = str(found)
    assert (f"{weeks} weeks are too few for an interval" in said) is (few != "incidents")
    short = f"too few incidents to choose: {incidents} in {weeks} weeks, 10 needed"
    assert (short in said) is (few != "weeks")


def test_without_any_incident_the_first_line_says_so_and_recall_is_undefined():
    labels, scores, time = world(3)
    said = str(aj.decide(0 * labels, scores, [2.0, 2.5], budget="3/week", time=time))
    assert said.startswith("too few incidents to choose: 0 in 3 weeks, 10 needed")
    assert "gave event_recall undefined (undefined, undefined, undefined)" in said


def test_several_detectors_now_and_neighbours():
    labels, scores, time = world(10, seed=2)
    other = np.random.default_rng(9).normal(size=scores.size)
    found = aj.decide(
        labels, {"good": scores, "blind": other}, [2.0, 2.5, 3.0, 'policy(2.5, after="30min")'],
        costs=aj.costs(miss=100, false=5), time=time, now=4.0,
    )  # fmt: skip
    assert found.candidate.detector == "good"
    assert found.choice == "good: policy(2.5)"
    assert [step.name for step in found.neighbours] == ["good: policy(2.0)", "good: policy(3.0)"]
    assert found.better_than_now
    assert "it is cheaper than the present rule, good: policy(4.0)" in str(found)
    assert "with good: policy(2.0) instead" in str(found)


def test_default_candidates_are_quantiles_and_say_their_thresholds():
    labels, scores, time = world(8)
    found = aj.decide(labels, scores, metric="event_f1", time=time)
    assert len(found.table.names) == 7
    level = found.candidate.level
    assert f"choose: {found.choice}, above {level:.6g}." in str(found)
    assert f"expr: anomaly_score > {level}" in found.prometheus()
    assert found.low <= found.honest <= found.high
    assert found.cheaper_than_none is None
    flags = aj.decide(labels, scores > 2, metric="event_f1", time=time, blocks="4d")
    assert flags.choice == "policy()"
    assert "blocks of 4d" in str(flags)
    assert flags.neighbours == []


def test_scored_alerts_and_lists_of_alerts_are_candidates():
    times = (ALERTS[B].start.astype("M8[ns]"), ALERTS[B].end.astype("M8[ns]"))
    scored = aj.Alerts(*times, score=np.linspace(0, 1, 28))
    found = aj.decide(TRUTH, scored, [0.2, 0.5], now=0.5, budget="9/1w", span=SPAN)
    assert found.table.names == ("policy(0.2)", "policy(0.5)", "policy(0.5)")
    assert "event_recall" in str(found)
    with pytest.raises(InputError, match="after must be a duration such as"):
        aj.decide(TRUTH, scored, ["policy(0.2, after=3)"], budget="9/1w", span=SPAN)
    with pytest.raises(InputError, match=r"now must be one of \w+ without candidates, got 0.5"):
        aj.decide(TRUTH, scored, now=0.5, budget="9/1w", span=SPAN)


def test_what_runs_at_present_may_be_a_list_of_alerts_by_its_name():
    alerts = {"quiet": ALERTS[A], "loud": ALERTS[B]}
    prices = {"costs": aj.costs(miss=500, false=20), "span": SPAN}
    plain = aj.decide(TRUTH, alerts, **prices)
    assert plain.now is None
    for place, name in enumerate(alerts):
        found = aj.decide(TRUTH, alerts, now=name, **prices)
        assert (found.now, found.table.names) == (place, plain.table.names)
        assert f"the present rule, {name}: " in str(found)


def test_severities_of_points_and_what_is_left_at_the_end():
    labels, scores, time = world(3, step=60)
    labels, scores, time = labels[:-70], scores[:-70], time[:-70]  # two weeks and four days
    count = len(aj.Case(labels, labels).events)
    prices = aj.costs(miss={"P1": 1000, "P2": 10}, false=0)
    kinds = ["P1" if number % 2 else "P2" for number in range(count)]
    found = aj.decide(labels, 0 * scores, [0.5], costs=prices, time=time, severity=kinds)
    assert found.table.watched.tolist() == pytest.approx([1, len(labels) / 168 - 1])
    assert found.table.worth.sum() == sum(1000 if kind == "P1" else 10 for kind in kinds)
    with pytest.raises(InputError, match=f"severity must be one per event, got 1 for {count}"):
        aj.decide(labels, scores, [0.5], costs=prices, time=time, severity=["P1"])


def test_one_block_has_no_other_to_choose_on():
    labels, scores, time = world(1)
    found = aj.decide(
        labels, scores, 2.5, costs=aj.costs(miss=100), time=time, now=3.0, forward=True
    )
    assert found.better_than_now is None
    assert math.isnan(found.honest)
    said = str(found)
    assert "only one week: the result on other weeks is unknown" in said
    assert "On this week" in said
    assert not any(word in said for word in ("on unseen", "was chosen in", "in one week"))
    alone = aj.decide(labels, scores, 2.5, costs=aj.costs(miss=100), time=time)
    assert [fold.choice for fold in alone.folds] == [-1]
    plain = decided(costs=aj.costs(miss=500, false=20))
    assert plain.without_data["paging nobody"] == 750


def test_an_incident_is_of_the_block_in_which_it_begins_with_all_its_pages():
    labels, time = np.zeros(336, int), START + np.arange(336) * minutes(60)
    labels[160:176] = 1
    flags = labels * (np.arange(336) >= 170)  # in the second week
    flags[300] = 1
    found = aj.decide(labels, flags, [0.5], metric="event_f1", time=time)
    week = np.diff(found.table.blocks.edges.astype("M8[ns]"))
    assert (week == np.timedelta64(7, "D")).all()
    assert found.table.incidents.tolist() == [1, 0]
    assert found.table.sums[0].tolist() == [[1, 1, 1, 1], [0, 0, 0, 1]]
    assert found.table.late.tolist() == [[600, 0]]
    times = [str(START + minutes(60 * hour)) for hour in (160, 176, 170, 300)]
    span = str(time[0]), str(time[0] + minutes(2 * WEEK))
    incident, alerts = aj.Incidents([times[0]], [times[1]]), aj.Alerts([times[2], times[3]])
    table = aj.decide(incident, alerts, metric="event_f1", span=span).table
    for name in ("sums", "found", "false", "night", "late", "incidents", "watched"):
        np.testing.assert_allclose(getattr(table, name), getattr(found.table, name))


def test_intervals_of_costs():
    low, high = cost_interval(np.zeros(12), np.ones(12), 500)
    assert (low, round(high)) == (0, 154)  # 3.69 misses in twelve weeks
    paid = np.array([0, 0, 500, 20, 40, 500, 0, 20, 0, 0, 520, 0])
    low, high = cost_interval(paid, np.ones(12), 500)
    assert 0 < low < paid.mean() < high
    assert cost_interval(np.zeros(9), np.ones(9), 0) == (0, 0)
    same = cost_interval(np.full(9, 5.0), np.ones(9), 0)
    assert same.low == pytest.approx(5)
    assert cheaper_for_sure(paid, paid + 100 + np.arange(12))
    assert not cheaper_for_sure(paid, paid)
    assert poisson(0)[0] == 0


RULES = {
    'policy(0.8, after="5min", keep=2)': ["expr: score > 0.8", "for: 5m", "keep_firing_for: 1h"],
    "policy(0.8, k=3, of=5)": [
        "expr: sum_over_time((score > bool 0.8)[2h:30m]) >= 3",
        "# for Prometheus 2",
    ],
    "policy(0.8, clear=0.6)": [
        'score > 0.8 or (score > 0.6 and ignoring(alertname, alertstate) ALERTS{alertname="Odd"'
    ],
    "policy(0.75, drop=0.25)": ["(score > 0.5 and ignoring"],
    'policy(0.8, cooldown="1h", wait="30s", interval="5min", merge=2)': [
        "# in Alertmanager: group_wait: 30s, group_interval: 5m",
        "# a rule has no cooldown: silence the alert for 1h",
        "# merge needs hindsight",
    ],
}


@pytest.mark.parametrize("policy", RULES)
def test_a_choice_is_a_rule_of_prometheus(policy):
    labels, scores, time = world(2)
    found = aj.decide(labels, scores / 10, [policy], metric="event_f1", time=time)
    rule = found.prometheus("score", "Odd")
    assert all(part in rule for part in RULES[policy])
    assert evaluate_line(found, "f.csv", "--time t") == (
        f"adjudge evaluate f.csv --time t \\\n    --at '{policy}' \\\n    --metric 'event_f1'"
    )


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "decide needs an objective: costs="),
        ({"budget": 1}, "budget must be a number per time such as '1/day', '2/week' or"),
        ({"budget": "1/month"}, r"day, week\), got '1/month'"),
        ({"costs": "f1"}, r"costs must be aj.costs\(...\), got f1"),
        ({"costs": "costs", "metric": "f1"}, "metric must be left out"),
        ({"metric": "ap"}, "metric must have one value per threshold"),
        ({"budget": "1/1d", "candidates": []}, "candidates must"),
        ({"budget": "1/1d", "candidates": ["policy(after=2)"]}, "must have a threshold, as in"),
        ({"budget": "1/1d", "blocks": "0s"}, "blocks must be longer than"),
        ({"budget": "1/1d", "time": None}, "decide chooses on some weeks"),
    ],
)
def test_what_cannot_be_decided_is_refused(more, words):
    labels, scores, time = world(2)
    with pytest.raises(InputError, match=words):
        aj.decide(labels, scores, **{"time": time, **more})


def test_incidents_that_cannot_be_decided():
    with pytest.raises(InputError, match="metric must be costs or one of events"):
        decided(metric="f1")
    with pytest.raises(InputError, match="incidents must have times"):
        aj.decide(aj.Incidents([5], [9]), aj.Alerts([6]), budget="1/1d", span=(0, 90))


def test_the_command_line_decides(tmp_path):
    labels, scores, time = world(10)
    file = tmp_path / "scores.csv"
    lines = [f"{t},{label},{score}" for t, label, score in zip(time, labels, scores, strict=True)]
    file.write_text("\n".join(["t,label,score", *lines]), "utf-8")
    command = ["decide", str(file), "--time", "t", "--cost", "miss=100", "--cost", "false=5"]
    command += ["--candidate", "2.0", "--candidate", "policy(2.5)"]
    found = CliRunner().invoke(main, [*command, "--fail-over", "cost=1e6"])
    assert found.exit_code == 0, found.output
    assert "choose: policy(2.5)." in found.stdout
    assert "as a Prometheus rule:\ngroups:" in found.stdout
    assert "to judge it:\nadjudge evaluate" in found.stdout
    gated = CliRunner().invoke(main, [*command, "--json", "--fail-over", "cost=0.5"])
    assert gated.exit_code == 3
    assert json.loads(gated.stdout)["choice"] == "policy(2.5)"
    assert "the gate is not passed: cost" in gated.stderr
    for wrong in (["--cost", "5"], ["--fail-over", "f1=3"], ["--fail-over", "cost=x"]):
        assert CliRunner().invoke(main, [*command, *wrong]).exit_code == 2


def test_the_line_that_judges_the_choice_runs_as_it_is_printed(tmp_path):
    labels, scores, time = world(10)
    file = tmp_path / "a file.csv"
    rows = zip(time, labels, scores, -scores, strict=True)
    lines = [f"{t};{label};{a};{b}" for t, label, a, b in rows]
    file.write_text("\n".join(["t;bad;good;blind one", *lines]), "utf-8")
    how = ["--label", "bad", "--score", "good", "--score", "blind one", "--sep", ";", "--time", "t"]
    found = CliRunner().invoke(main, ["decide", str(file), *how, "--budget", "3/week"])
    line = found.stdout.partition("to judge it:\n")[2].replace("\\\n", " ")
    assert "--score good" in line
    assert "blind" not in line
    judged = CliRunner().invoke(main, shlex.split(line)[1:])
    assert judged.exit_code == 0, judged.output
    assert "false_alarms" in judged.stdout


@pytest.mark.parametrize("order", [(0.38, 0.5), (0.5, 0.38)])
def test_of_two_that_find_as_much_the_one_with_fewer_false_alarms_is_chosen(order):
    rng = np.random.default_rng(0)
    scores = rng.random(40 * 24 * 7) * 0.4
    labels = np.zeros(scores.size, int)
    for start in range(100, labels.size - 100, 120):
        labels[start : start + 3] = 1
    scores[labels == 1] = 0.9
    time = np.datetime64("2026-01-05T00", "h") + np.arange(scores.size)
    found = aj.decide(labels, scores, list(order), time=time, budget="999/1d")
    assert str(found.choice) == "policy(0.5)"


def test_one_of_a_kind_is_said_in_the_singular():
    time = START + np.arange(2016) * minutes(5)
    labels, scores = np.zeros(2016, int), np.zeros(2016)
    labels[500:520] = 1
    scores[505], scores[[1200, 1500]] = 0.9, 0.6
    asked = {"time": time, "costs": aj.costs(miss=500, false=20)}
    assert ", 1 incident, 1 candidate, costs:" in str(aj.decide(labels, scores, [0.7], **asked))
    scores[1500] = 0.9
    two = str(aj.decide(labels, scores, [0.7, 0.5], **asked))
    assert ", 1 incident, 2 candidates, costs:" in two
    assert "as many found, 1 more false alarm, " in two
