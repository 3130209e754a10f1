"""L2 to L13: wrong doubles are rejected, and what must not matter does not."""
# ruff: noqa: ARG002, ARG005 - all metrics have the same two parameters

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.lab.audit.audits import audit
from adjudge.lab.audit.axiom_list import AXIOMS
from adjudge.lab.audit.literature_axioms import _asymmetry, _maps
from adjudge.lab.audit.subject_calls import Pair, Problem
from lab.audit.subjects import always, run_of


def _nearest(labels, flags):
    apart = np.subtract.outer(np.flatnonzero(flags > labels), np.flatnonzero(labels))
    return np.abs(apart).min() if apart.size else len(labels)


DOUBLES = {
    "L2": lambda labels, flags: float((labels * flags).sum() / labels.sum()),
    "L4-strict": lambda labels, flags: float((labels * flags).mean()),
    "L5-strict": lambda labels, flags: float((labels * flags).mean()),
    "L8-strict": lambda labels, flags: float((labels * flags).any()),
    "L4": lambda labels, flags: float((np.arange(len(flags)) * flags).mean() / len(flags)),
    "L5": lambda labels, flags: float(1 - 0.1 / _nearest(labels, flags)),
    "L6": lambda labels, flags: float(np.mean(labels == flags)),
    "L7": lambda labels, flags: float(np.mean(labels == flags)),
    "L8": lambda labels, flags: float(1 - (labels * flags).mean()),
    "L11": lambda labels, flags: float(np.mean(labels == flags)),
    "L12": lambda labels, flags: float(not (flags > labels).any()),
    "L13": lambda labels, flags: float((labels * flags).mean()),
}


@pytest.mark.parametrize("axiom", DOUBLES)
def test_an_axiom_rejects_its_wrong_double(axiom):
    found = audit(DOUBLES[axiom], [axiom], effort="quick")[axiom]
    assert found.outcome == "fail"
    assert found.counterexample is not None


def test_less_sure_copies_are_free_where_thresholds_are_not_chosen():
    outcomes = {
        spec: audit(spec, ["L13"], effort="quick")["L13"]
        for spec in ("alert_ap", "interval_ap", "ap", "event_f1", "f1_ba", "f1")
    }
    assert {spec: found.outcome for spec, found in outcomes.items()} == {
        "alert_ap": "fail", "interval_ap": "fail", "ap": "fail",
        "event_f1": "pass", "f1_ba": "pass", "f1": "pass",
    }  # fmt: skip
    shown = outcomes["alert_ap"].counterexample
    assert shown.values == {"once": 1, "with copies": 1}
    copies = shown.rows["with copies"] == 0.75
    assert copies.any()
    assert not copies[shown.labels].any()


def test_sliding_alarms_jump_as_far_as_theory_says():
    jumps = {spec: audit(spec, ["L3"])["L3"].statistic for spec in ("f1", "f1_pa", "f1_ba")}
    assert math.isclose(2 / 70, jumps["f1"])
    assert math.isclose(100 / 119, jumps["f1_pa"])
    assert math.isclose(100 / 144, jumps["f1_ba"])


def test_an_early_hit_frees_from_symmetry():
    def early(labels, flags):
        hits = np.flatnonzero((labels > 0) & (flags > 0))
        return float(1 / (1 + hits[0])) if hits.size else 0.0

    found = audit(early, ["L4", "L10"], effort="quick")
    assert found.verdicts == {"L4": "pass", "L10": "pass"}
    assert "time has a direction" in found["L10"].sentence


def test_what_must_not_matter_does_not_and_where_it_does_is_shown():
    assert audit("f1", ["L10"], effort="quick").verdicts == {"L10": "pass"}
    assert audit("auc_roc", ["L10"], effort="quick").verdicts == {"L10": "pass"}
    found = audit("f1_ba(width=4)", ["L10"], effort="quick")["L10"]
    assert found.sentence == "the same case scores otherwise read backwards"
    (flags, backwards), values = found.counterexample.rows.values(), found.counterexample.values
    assert flags[::-1].tolist() == backwards.tolist()
    assert values["flags"] == aj.f1_ba(found.counterexample.labels, flags, width=4)
    assert values["flags"] != values["backwards"]


def test_a_rule_that_prefers_the_earlier_of_two_is_noticed():
    """Three cases of ten thousand with events in runs would show it, and scattered points do."""
    found = audit("softed_f1", ["L10"], effort="quick")["L10"]
    assert (found.outcome, "backwards" in found.counterexample.rows) == ("fail", True)


@pytest.mark.parametrize(
    ("metric", "word"),
    [
        (lambda labels, flags: float(labels.dtype == np.int8), "as int8"),
        (lambda labels, flags: float(flags.dtype == float), "as floats"),
        (lambda labels, scores: float(1 / (1 + np.ptp(scores))), "with scores doubled"),
    ],
)
def test_how_numbers_are_written_must_not_matter(metric, word):
    found = audit(metric, ["L10"], effort="quick")["L10"]
    assert (found.outcome, found.sentence) == ("fail", f"the same case scores otherwise {word}")


def test_a_metric_that_forgets_is_not_the_same_when_given_again():
    class Forgets:
        count = 0

        def __call__(self, labels, flags):
            self.count += 1
            return self.count / 1e6

    found = audit(Forgets(), ["L10"], effort="quick")
    assert "not deterministic" in found.problems
    assert found["L10"].sentence.startswith("the same case scores otherwise ")
    run = run_of(Forgets())
    run.start_axiom()
    pair = Pair(np.array([True, False]), np.array([True, False]))
    again = _asymmetry(run, "given again", _maps("flags")["given again"], pair)
    assert again.outcome == "fail"
    assert again.counterexample.labels.size == 2


def test_a_problem_that_was_found_before_the_time_was_up_still_counts():
    run = run_of(always(0.5))
    run.deadline = -1
    run.subject.problems["raises"] = Problem("it raised", Pair(np.ones(1, bool), np.ones(1, bool)))
    found = AXIOMS["L9"].decide(run)
    assert (found.outcome, found.sentence) == ("fail", "it raised")
    run = run_of(always(2.0))
    run.subject.clock = iter(range(10**6)).__next__
    run.deadline = 9  # in the midst of the first inputs
    found = AXIOMS["L9"].decide(run)
    assert (found.outcome, found.trials) == ("fail", 0)
