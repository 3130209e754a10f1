"""The auditor: what it takes, what it gives, and how it is told what to do."""
# ruff: noqa: ARG005 - all metrics have the same two parameters

import json
import math
import pickle
import re

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError, UnknownName
from adjudge.lab.audit.audits import audit, audit_many
from adjudge.lab.audit.axiom import Axiom
from adjudge.lab.audit.axiom_list import AXIOMS
from adjudge.lab.audit.confidence import EFFORTS, OutOfTime
from adjudge.lab.audit.result import Audit, Result
from adjudge.lab.audit.subject_calls import (
    CatalogueSubject,
    FunctionSubject,
    Pair,
    call_once,
    make_subject,
    name_of,
)
from adjudge.stores.engines import Engine, Lost

FEW = ["L2", "L6", "L8"]


def point_f1(labels, flags):
    both = labels.sum() + flags.sum()
    return float(2 * (labels * flags).sum() / both) if both else math.nan


def test_an_effort_may_be_named_or_given():
    assert audit("f1", FEW, effort="quick") == audit("f1", FEW, effort=EFFORTS["quick"])


def test_a_spec_a_metric_and_a_function_are_audited_alike():
    expected = {"L2": "fail", "L6": "fail", "L8": "pass"}
    for metric in ("f1", aj.f1, aj.f1(beta=1), point_f1):
        assert expected == audit(metric, FEW).verdicts


def test_by_default_every_axiom_is_run():
    assert list(AXIOMS) == list(audit("recall", effort="quick").verdicts)


def test_an_audit_gives_the_whole_result_by_name():
    found = audit("f1_pa", ["C-3", "L6"])
    row = found["C-3"]
    assert (row.axiom, row.outcome, row.bound) == ("C-3", "fail", 0.01)
    assert 0 < row.statistic < row.bound
    assert row.seconds > 0
    assert len(found) == 2
    assert [row.axiom for row in found] == ["C-3", "L6"]
    with pytest.raises(UnknownName, match=re.escape("unknown axiom 'C-4', did you mean 'C-3'?")):
        found["C-4"]


def test_an_audit_prints_a_line_per_axiom():
    lines = repr(audit("f1", FEW)).splitlines()
    assert lines[0] == "Audit of f1 (normal, seed 0): 2 fail, 1 pass"
    assert lines[1].split()[:2] == ["L2", "fail"]
    assert len(lines) == 4
    faulty = Audit("m", "flags", 0, "quick", (), {"prints": "it wrote"})
    assert repr(faulty).endswith("problem: prints: it wrote")


def test_an_audit_is_plain_values_and_json_with_null_for_undefined():
    found = audit("f1", ["L2"])
    assert found.to_dict()["verdicts"] == {"L2": "fail"}
    read = json.loads(found.to_json())
    assert read["alpha"] == 0.01
    assert read["axioms"][0]["counterexample"]["strip"].startswith("truth")
    nothing = Audit("m", "flags", 0, "quick", (Result("L1", "undecided", "why"),))
    assert json.loads(nothing.to_json())["axioms"][0]["statistic"] is None


def test_an_audit_travels_between_processes():
    found = audit("f1", ["L2"])
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own


@pytest.mark.parametrize("axiom", ["C-3", AXIOMS["C-3"]])
def test_a_single_axiom_needs_no_list(axiom):
    assert audit("f1", axiom).verdicts == {"C-3": "fail"}


def test_an_axiom_of_one_s_own_can_be_audited():
    mine = Axiom("mine", "t", "s", "me", "e", "r", "b", lambda _: Result("mine", "pass", "always"))
    assert audit("f1", [mine]).verdicts == {"mine": "pass"}


def test_an_experiment_that_runs_out_of_time_is_undecided():
    def endless(_):
        raise OutOfTime

    mine = Axiom("mine", "t", "s", "me", "e", "r", "b", endless)
    found = audit("f1", [mine])["mine"]
    assert (found.outcome, found.sentence) == (
        "undecided",
        "its 3.0 s were not enough, after 0 values",
    )


def test_a_metric_that_is_too_slow_for_the_first_questions_is_still_audited(monkeypatch):
    """Every look at the clock finds a minute gone: nothing is decided, nothing breaks."""
    minutes = iter(range(0, 10**9, 60))
    monkeypatch.setattr(CatalogueSubject, "clock", lambda _: next(minutes))
    assert audit("f1", FEW).verdicts == dict.fromkeys(FEW, "undecided")


def test_progress_is_reported_before_each_axiom_and_at_the_end():
    told = []
    audit("f1", FEW, progress=lambda *what: told.append(what))
    assert told == [(0, 3, "L2"), (1, 3, "L6"), (2, 3, "L8"), (3, 3, "axioms")]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("f1", ["C-9"]), {}, "unknown axiom 'C-9', did you mean 'C-3' or 'C-2' or 'C-1'?; "
         f"there are {', '.join(AXIOMS)}"),
        (("f1",), {"effort": "lazy"}, "effort must be one of 'quick', 'normal', 'thorough', "
         "got 'lazy'"),
        (("f1",), {"seed": -1}, "seed must be a whole number, at least 0, got -1"),
        (("f1",), {"kind": "flags"}, "kind must be None for a metric of the catalogue, got "
         "'flags'"),
        (("f1",), {"bounds": (0, 1)}, "bounds must be None for a metric of the catalogue, got "
         "(0, 1)"),
        (("f1",), {"better": "higher"}, "better must be None for a metric of the catalogue, got "
         "'higher'"),
        *(((point_f1,), {"bounds": wrong}, "bounds must be (low, high) with low < high, got "
           f"{wrong!r}")
          for wrong in ((1, 0), (1, 1), (0, math.nan), (0,), (0, 1, 2), 1, ("a", "b"), "ab")),
        ((point_f1,), {"kind": "both"}, "kind must be one of 'flags', 'scores', got 'both'"),
        ((point_f1,), {"better": "more"}, "better must be one of 'higher', 'lower', got 'more'"),
        ((3,), {}, "metric must be a spec, a metric or a function, got 3"),
        ((lambda labels: 0,), {}, "metric must be a function of (labels, flags) or (labels, "
         "scores), got one of (labels)"),
    ],
)  # fmt: skip
def test_wrong_use_is_refused(arguments, options, message):
    with pytest.raises((InputError, UnknownName)) as refused:
        audit(*arguments, **options)
    assert str(refused.value) == message


def test_an_audit_is_called_as_the_function_is():
    assert name_of(point_f1) == "point_f1"
    assert name_of(EFFORTS["quick"]) == "Effort"  # an object has the name of its class


def test_areas_oracles_and_thresholds_of_their_own_are_given_scores():
    for spec in ("auc_roc", "best(f1)", "f1(at=0.5)"):
        assert CatalogueSubject(aj.metric(spec)).kind == "scores"
    assert CatalogueSubject(aj.metric("f1_ba")).kind == "flags"


def test_a_metric_of_the_catalogue_that_raises_has_a_problem(monkeypatch):
    subject = make_subject("f1", None, EFFORTS["quick"])
    answer = subject.call([Pair(np.array([0.5]), np.array([True]))])
    assert math.isnan(answer[0])
    assert "it raised NotBinary" in subject.problems["raises"].sentence
    subject.close()


def test_a_broken_row_of_the_catalogue_does_not_stop_the_audit(monkeypatch):
    monkeypatch.setattr(
        CatalogueSubject, "call", lambda _, pairs: [2.0 if p.given.any() else 0.0 for p in pairs]
    )
    found = audit("f1", ["L9"], effort="quick")
    assert found["L9"].sentence == "it returned 2, outside 0 to 1"
    assert str(found["L9"].counterexample).splitlines()[1] == "flags  |"


def test_a_row_of_the_catalogue_may_be_undefined_where_it_says_so():
    assert aj.catalogue["event_coverage"].undefined == "no event is touched"
    assert audit("event_coverage", ["L9"], effort="quick").verdicts == {"L9": "pass"}


def test_several_metrics_are_audited_in_order_with_one_process_or_two():
    metrics = ["f1", point_f1, aj.f1_ba]
    for jobs in (1, 2):
        found = list(audit_many(metrics, jobs=jobs, axioms=["L6"]))
        assert [one.metric for one in found] == ["f1", "point_f1", "f1_ba"]
        assert [one.verdicts["L6"] for one in found] == ["fail", "fail", "pass"]


def test_a_metric_that_no_worker_survives_is_named(monkeypatch):
    monkeypatch.setattr(Engine, "do", lambda _, __, pieces: ((one, Lost(3)) for one in pieces))
    with pytest.raises(InputError, match=r"audited, got f1, at which the worker died 3 times"):
        list(audit_many(["f1", "f1_ba"], jobs=2))


def test_a_registered_metric_is_audited_by_workers_that_do_not_know_it():
    words = {"reference": "Nobody.", "undefined": "never", "forgives": "everything"}
    row = aj.Row("always", "a title", "a definition", lambda *_: 0.5, count=None, **words)
    found = audit_many([row.metric, "f1"], jobs=2, axioms=["L6"], effort="quick")
    assert [one.metric for one in found] == ["always", "f1"]


# one call


def test_a_call_keeps_the_caller_s_arrays():
    labels, flags = np.array([0, 1]), np.array([1, 1])

    def spoils(labels, flags):
        labels[:] = flags[:] = 7
        return 0.5

    answer = call_once(spoils, labels, flags, bool)
    assert (labels.tolist(), flags.tolist()) == ([0, 1], [1, 1])
    assert answer.value == 0.5
    said = "it changed the labels and the detection that it was given"
    assert answer.problems == {"changes its input": said}


def test_a_call_that_raises_has_no_value_and_a_short_sentence():
    def raises(labels, flags):
        raise ValueError("far\n too " + "long " * 100)

    value, problems = call_once(raises, np.ones(1), np.ones(1), bool)
    assert math.isnan(value)
    said = problems.pop("raises")
    assert problems == {}
    assert said.startswith("it raised ValueError: far too long long")
    assert len(said) < 240


def test_without_fork_a_metric_is_called_here_and_is_still_watched(monkeypatch):
    monkeypatch.setattr("adjudge.lab.audit.subject_calls.can_fork", lambda: False)

    def prints(labels, flags):
        print("hello")  # noqa: T201
        np.divide(1, labels * 0)  # a warning of numpy's, which is no finding
        return 0.5

    assert isinstance(make_subject(prints, None, EFFORTS["quick"]), FunctionSubject)
    found = audit(prints, ["L8"], effort="quick")
    assert found.verdicts == {"L8": "pass"}
    assert found.problems == {"prints": "it wrote to standard output or error"}
