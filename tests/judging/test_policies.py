"""Policies wherever a threshold can be given: metrics, results, receipts, chance, command line."""

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.errors import InputError

N = 600


def world(seed=1):
    rng = np.random.default_rng(seed)
    labels = np.zeros(N, int)
    for start in range(50, N, 110):
        labels[start : start + 12] = 1
    scores = np.round(rng.normal(size=N) + 2 * labels, 2)
    return labels, scores, np.datetime64("2026-01-01", "m") + np.arange(N)


LABELS, SCORES, TIME = world()
PATIENT = aj.policy(1.0, after="2min", keep="3min")
FLAGS = PATIENT.flags(SCORES, TIME)


@pytest.mark.parametrize("name", ["f1", "f1_ba", "event_f1", "detection_delay", "composite_f1"])
def test_a_metric_with_a_policy_is_the_metric_of_its_flags(name):
    metric = aj.catalogue[name].metric
    assert metric(LABELS, SCORES, at=PATIENT, time=TIME) == metric(LABELS, FLAGS)
    spec = metric(at=PATIENT)
    assert aj.metric(str(spec)) == spec
    assert spec(LABELS, SCORES, time=TIME) == metric(LABELS, FLAGS)


@pytest.mark.parametrize("policy", [{"after": 2}, {"keep": 3, "k": 2, "of": 3}, {"drop": 0.5}])
def test_curves_best_and_areas_judge_the_flags_of_every_threshold(policy):
    curve = aj.curve(LABELS, SCORES, aj.f1(at=aj.policy(**policy)))
    levels = curve.thresholds[:-1]  # the last flags what never fires too
    flags = [aj.policy(float(level), **policy).flags(SCORES) for level in levels]
    assert curve.values[:-1].tolist() == [aj.f1(LABELS, each) for each in flags]
    best = aj.best(aj.f1(at=aj.policy(**policy)))
    assert best(LABELS, SCORES) == np.nanmax(curve.values)
    assert str(best) == f"best(f1(at={aj.policy(**policy)}))"
    firing = aj.policy(**policy).fired(aj.Case(LABELS, SCORES)).scores
    assert aj.ap(LABELS, SCORES, at=aj.policy(**policy)) == aj.ap(LABELS, firing)


def test_a_cooldown_is_done_anew_at_every_threshold():
    spec = "f1(at=policy(cooldown=30))"
    curve = aj.curve(LABELS, SCORES, spec)
    flags = [aj.policy(float(at), cooldown=30).flags(SCORES) for at in curve.thresholds[:-1]]
    assert curve.values[:-1].tolist() == [aj.f1(LABELS, each) for each in flags]
    assert "not monotone" in repr(curve)
    assert np.any(np.diff(curve.recall) < 0)
    assert aj.best(aj.metric(spec))(LABELS, SCORES) == np.nanmax(curve.values)
    ledger = aj.explain(LABELS, SCORES, f"best({spec})")
    assert ledger.value == np.nanmax(curve.values)


def test_the_trivial_policy_changes_no_bit():
    plain = aj.evaluate(LABELS, SCORES, at=1.0).to_dict()
    trivial = aj.evaluate(LABELS, SCORES, at=aj.policy(1.0)).to_dict()
    for ours, theirs in zip(trivial["rows"], plain["rows"], strict=True):
        assert {**ours, "rule": ""} == {**theirs, "rule": ""}


def test_results_say_the_policy_and_chance_moves_its_alerts():
    with_policy = aj.evaluate(LABELS, SCORES, ["f1", "f1_ba"], at=PATIENT, time=TIME)
    of_flags = aj.evaluate(LABELS, FLAGS, ["f1", "f1_ba"])
    for ours, theirs in zip(with_policy.rows, of_flags.rows, strict=True):
        assert (ours.value, ours.chance, ours.p_value) == (
            theirs.value,
            theirs.chance,
            theirs.p_value,
        )
        assert (ours.at, ours.chosen_by, ours.rule) == (1.0, "given", str(PATIENT))
    assert f"alarms by {PATIENT}" in str(with_policy)
    own = aj.evaluate(LABELS, SCORES, ["f1", f"f1(at={PATIENT})"], at=1.0, time=TIME)
    assert own.rows[1].p_value == of_flags.rows[0].p_value
    assert own.rows[1].requested == own.rows[1].metric == f"f1(at={PATIENT})"
    cooled = aj.evaluate(LABELS, SCORES, "f1", at="policy(1.0, cooldown=30)")
    assert cooled["f1"] == aj.f1(LABELS, aj.policy(1.0, cooldown=30).flags(SCORES))
    assert "alarms by policy(1.0, cooldown=30)" in str(cooled)


def test_a_rule_inside_learns_on_the_scores_as_they_are():
    judged = aj.evaluate(LABELS, SCORES, "f1", at="policy(quantile(0.9), after=2)")
    level = aj.quantile(0.9)(aj.Case(LABELS, SCORES))
    assert judged.rows[0].at == level
    assert judged.rows[0].chosen_by == "rule"
    assert judged["f1"] == aj.f1(LABELS, SCORES, at=aj.policy(level, after=2))
    spec = "f1(at=policy(quantile(0.9), after=2))"
    assert aj.metric(spec).reading(aj.Case(LABELS, SCORES)).chosen_by == "rule"
    assert aj.evaluate(LABELS, SCORES, spec).rows[0].chosen_by == "rule"


@pytest.mark.parametrize("more", ["after=2", "after=1, cooldown=20"])
def test_a_tuned_threshold_is_best_on_its_part(more):
    at = f'policy(tuned(f1, on="0:300"), {more})'
    judged = aj.evaluate(LABELS, SCORES, "f1", at=at, chance=False)
    free = f"f1(at=policy({more}))"
    best = aj.best(aj.metric(free)).reading(aj.Case(LABELS, SCORES, where=np.arange(N) < 300))
    policy = aj.metric(f"f1(at=policy({best.at}, {more}))").at
    rest = np.arange(N) >= 300
    assert judged["f1"] == aj.f1(LABELS[rest], policy.flags(SCORES)[rest])


def test_without_a_threshold_metrics_take_their_best():
    judged = aj.evaluate(LABELS, SCORES, at="policy(after=2)", chance=False)
    assert judged["best(f1)"] == aj.best(aj.f1(at=aj.policy(after=2)))(LABELS, SCORES)
    assert judged["auc_roc"] == aj.auc_roc(LABELS, SCORES, at=aj.policy(after=2))
    assert "alarms by policy(after=2)" in str(judged)


def test_points_that_are_not_judged_are_seen():
    where = np.arange(N) % 7 > 0
    expected = aj.f1(LABELS[where], aj.policy(1.0, after=2).flags(SCORES)[where])
    assert aj.f1(LABELS, SCORES, at=aj.policy(1.0, after=2), where=where) == expected
    cooled = aj.f1(LABELS[where], aj.policy(1.0, cooldown=9).flags(SCORES)[where])
    assert aj.f1(LABELS, SCORES, at=aj.policy(1.0, cooldown=9), where=where) == cooled


def test_series_sorting_and_missing_scores():
    order = np.random.default_rng(0).permutation(N)
    at = aj.policy(aj.quantile(0.9, on=np.arange(N)[order] < 300), after="2min")
    sorted_first = aj.evaluate(
        LABELS[order], SCORES[order], "f1", at=at, time=TIME[order], sort=True, chance=False
    )
    given = aj.policy(aj.quantile(0.9, on="0:300"), after="2min")
    assert sorted_first["f1"] == aj.f1(LABELS, SCORES, at=given, time=TIME)
    spec = aj.f1(at=at)
    again = aj.evaluate(
        LABELS[order], SCORES[order], spec, time=TIME[order], sort=True, chance=False
    )
    assert again.rows[0].value == sorted_first["f1"]
    tuned = aj.policy(aj.tuned("f1", on=np.arange(N)[order] < 300), after="2min")
    by_mask = aj.evaluate(
        LABELS[order], SCORES[order], "f1", at=tuned, time=TIME[order], sort=True, chance=False
    )
    by_text = aj.evaluate(
        LABELS,
        SCORES,
        "f1",
        at='policy(tuned(f1, on="0:300"), after="2min")',
        time=TIME,
        chance=False,
    )
    assert by_mask["f1"] == by_text["f1"]
    absent = SCORES.copy()
    absent[::9] = np.nan
    judged = aj.evaluate(
        LABELS, absent, "f1", at=aj.policy(1.0, after=2), missing="skip", chance=False
    )
    there = ~np.isnan(absent)
    assert judged["f1"] == aj.f1(LABELS[there], aj.policy(1.0, after=2).flags(absent)[there])


def test_receipts_comparisons_and_chance_have_policies():
    receipt = aj.explain(LABELS, SCORES, "f1_ba", at=PATIENT, time=TIME)
    assert receipt.value == aj.f1_ba(LABELS, FLAGS)
    assert np.array_equal(receipt.flags, FLAGS)
    own = aj.explain(LABELS, SCORES, aj.f1_ba(at=PATIENT), time=TIME)
    assert own.value == receipt.value
    found = aj.compare(LABELS, SCORES, SCORES, "f1", at=(1.0, PATIENT), time=TIME)
    assert (found.a, found.b) == (aj.f1(LABELS, SCORES, at=1.0), aj.f1(LABELS, FLAGS))
    areas = aj.compare(LABELS, SCORES, SCORES, "ap", at=(None, "policy(after=2)"))
    assert areas.b == aj.ap(LABELS, SCORES, at="policy(after=2)")
    best = aj.compare(LABELS, SCORES, SCORES, "best(f1(at=policy(cooldown=30)))", draws=2)
    assert best.a == best.b == aj.best(aj.f1(at=aj.policy(cooldown=30)))(LABELS, SCORES)
    cooled = aj.policy(cooldown=9)
    assert aj.f1(LABELS, FLAGS, at=cooled) == aj.f1(LABELS, cooled.flags(FLAGS))
    chance = aj.chance(LABELS, "f1", like=SCORES, at="policy(1.0, after=2)")
    flags = aj.policy(1.0, after=2).flags(SCORES)
    assert chance == aj.chance(LABELS, "f1", like=flags)


def test_a_receipt_says_since_when_an_alert_was_pending():
    labels = [0, 0, 0, 0, 0, 1, 1, 1, 1, 0]
    scores = [0.1, 0.9, 0.9, 0.1, 0.1, 0.9, 0.9, 0.9, 0.1, 0.1]
    times = np.datetime64("2026-01-01T10:00") + np.arange(10) * np.timedelta64(1, "m")
    receipt = aj.explain(labels, scores, "f1", at=aj.policy(0.8, after="1min"), time=times)
    assert "found after 1 min, 50 % covered, pending since" in str(receipt).replace("\n", " ")
    assert [row["pending_since"] for row in receipt.to_dict()["alarms"]] == [1, 5]
    told = aj.explain(labels, scores, aj.f1(at=aj.policy(0.8, after=1, wait=1, interval=2)))
    assert [row["pending_since"] for row in told.to_dict()["alarms"]] == [5]  # told while it burns
    best = aj.explain(labels, scores, "best(f1(at=policy(after=1)))")
    assert {row["pending_since"] for row in best.to_dict()["alarms"]} == {0}  # all is flagged
    flags = aj.explain(labels, [score > 0.8 for score in scores], "f1", at=aj.policy(after=1))
    assert flags.since(0, 5) == 1
    assert flags.since(3, 5) is None
    assert "pending" not in str(aj.explain(labels, scores, "f1", at=aj.policy(0.8, keep=1)))


@pytest.mark.parametrize("spec", ["best(f1)", "best(f1(at=policy(cooldown=5)))",
                                  "best(f1(at=policy(after=2, drop=0.1)))"])  # fmt: skip
def test_an_oracle_flags_at_its_best_threshold(spec):
    case, metric = aj.Case(LABELS, SCORES), aj.metric(spec)
    flags, at, chosen_by = metric.flags(case)
    assert (metric.reading(case).at, "oracle") == (at, chosen_by)
    assert aj.f1(LABELS, flags) == metric(LABELS, SCORES)


def test_rankings_take_policies():
    spec = "f1(at=policy(1.0, after=2))"
    data = {"one": (LABELS, {"d": SCORES}), "two": (LABELS[::-1], {"d": SCORES})}
    rows = aj.rank(data, [spec, "f1(at=1.0)"], shifts=19).to_frame("results").to_dict("records")
    flags = aj.policy(1.0, after=2).flags(SCORES)
    values = {row["series"]: row["value"] for row in rows if row["requested"] == spec}
    assert values == {"one": aj.f1(LABELS, flags), "two": aj.f1(LABELS[::-1], flags)}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: aj.best(aj.f1(at=PATIENT)), "looks at all thresholds"),
        (lambda: aj.ap(at=aj.policy(1.0, after=2)), "the threshold 1.0 "),
        (lambda: aj.ap(at=aj.policy(cooldown=2)), "a lower threshold may page less"),
        (lambda: aj.detection_delay(at=aj.policy(1.0, merge=2)), "they need hindsight"),
        (lambda: aj.f1(LABELS, SCORES, at=aj.policy(after=2)), "one value per threshold"),
        (lambda: aj.f1(LABELS, SCORES, at=aj.policy(cooldown=2)), "one value per threshold"),
        (lambda: aj.evaluate(LABELS, SCORES, at=aj.policy(cooldown=2)), "must have a threshold"),
        (lambda: aj.policy(after=2)(aj.Case(LABELS, SCORES)), "must have a threshold here"),
        (lambda: aj.metric("f1(at=policy(0.8, aftr=2))"), "at must be a number or one of"),
        (
            lambda: aj.change_f1(aj.Changes([5], 9), aj.Changes([4], 9), at=aj.policy(1, after=2)),
            "scores are positions",
        ),
        (
            lambda: aj.evaluate(
                aj.Changes([5], 9), aj.Changes([4], 9), "change_f1", at="policy(1, after=2)"
            ),
            "scores are positions",
        ),
    ],
)
def test_what_a_policy_cannot_do_is_refused(call, words):
    with pytest.raises(InputError, match=words):
        call()


def test_the_command_line_takes_a_policy(tmp_path):
    file = tmp_path / "scores.csv"
    lines = [f"{t},{label},{score}" for t, label, score in zip(TIME, LABELS, SCORES, strict=True)]
    file.write_text("\n".join(["time,label,score", *lines]), "utf-8")
    command = ["evaluate", str(file), "--metric", "f1", "--time", "time", "--json"]
    found = CliRunner().invoke(main, [*command, "--at", str(PATIENT)])
    assert found.exit_code == 0, found.output
    assert f'"value": {aj.f1(LABELS, FLAGS)}' in found.stdout
    learnt = [*command, "--train-length", "300", "--at", "policy(quantile(0.9), after=2)"]
    found = CliRunner().invoke(main, learnt)
    assert '"rule": "policy(quantile(0.9, on=\\"0:300\\"), after=2)"' in found.stdout
