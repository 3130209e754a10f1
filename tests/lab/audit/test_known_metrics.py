"""What is known of metrics, from theory and from published tables, is found."""

import math
from dataclasses import replace

import numpy as np
import pytest

from adjudge.lab.audit import drawn_cases as trial
from adjudge.lab.audit.audits import audit
from adjudge.lab.audit.axiom_list import AXIOMS
from adjudge.lab.audit.confidence import EFFORTS
from lab.audit import naive_axioms as naive
from lab.audit.subjects import NAMES, always, naive_composite
from sampling import one_in

KNOWN = {
    "f1": {
        "pass": "C-1 C-1q C-1r C-2 C-2-population L1 L3 L7 L8 L8-strict L12",
        "fail": "C-1a C-3 L2 L4-strict L5-strict L6",
    },
    "f1_pa": {
        "pass": "C-2 C-2-population L7 L8 L12",
        "fail": "C-1 C-1r C-1a C-3 L1 L2 L3 L6 L8-strict",
    },
    "f1_kpa(k=0.2)": {
        "pass": "C-1q C-2 L7 L8 L12",
        "fail": "C-1 C-1a C-3 L1 L2 L3 L6 L8-strict",
    },
    "f1_ba": {
        "pass": "C-1 C-1q C-1r C-1a C-2 C-2-population C-3 L1 L4 L5 L5-strict L6 L7 L8 L10 L11",
        "fail": "C-1a-mixed L2 L3 L4-strict L8-strict L12",
    },
    "f1_ba(margin=1)": {"pass": "C-1 C-2 C-3 L1 L5 L6 L7 L12", "fail": "L2 L3"},
    'f1_ba(islands="spill")': {
        "pass": "C-1 C-1a C-3 L1 L5 L6 L7 L8",
        "fail": "C-2 C-2-population L2 L3 L12",
    },
    'f1_ba(islands="all")': {"pass": "C-1 C-1a L1 L6 L7", "fail": "C-2 C-3 L2 L3 L8"},
    "event_f1": {"pass": "C-3 L2 L6 L7 L12", "fail": "C-1 C-2 C-2-population L1 L3"},
    "composite": {"pass": "C-1 C-2 L1 L2 L3 L7", "fail": "C-1a-mixed C-3 L6"},
    "auc_roc": {"pass": "C-1 C-1q L1 L8-strict L10", "fail": "C-3 L6 L7 L11"},
    "balanced_accuracy": {"pass": "C-1 C-1q C-1a L1 L8-strict", "fail": "C-3 L6 L7 L11"},
    "ap": {"pass": "C-1 C-1q L1 L7 L8-strict L11", "fail": "C-2 C-3 L6"},
}


QUICK, NORMAL = (
    replace(EFFORTS[name], cap=math.inf, total=math.inf) for name in ("quick", "normal")
)


def metric_of(name):
    return naive_composite if name == "composite" else name


def contradictions(name, seed, effort):
    """Give the axioms on which an audit and what is known disagree, however busy the machine is."""
    wanted = {a: verdict for verdict, axioms in KNOWN[name].items() for a in axioms.split()}
    found = audit(metric_of(name), list(wanted), seed=seed, effort=effort)
    return {a: v for a, v in found.verdicts.items() if v != wanted[a]}


def test_the_axioms_have_their_names_and_say_all_there_is_to_say():
    assert list(AXIOMS) == NAMES
    for axiom in AXIOMS.values():
        for word in ("title", "sentence", "source", "experiment", "rule", "broken"):
            assert getattr(axiom, word), (axiom.name, word)
    with pytest.raises(AttributeError):
        AXIOMS["C-1"].name = "other"


@pytest.mark.parametrize(
    "name",
    one_in(3, ["f1", "f1_pa", "f1_kpa(k=0.2)", "f1_ba", 'f1_ba(islands="all")', "event_f1", "ap"]),
)
def test_what_is_known_of_a_metric_is_found(name):
    assert contradictions(name, 1, QUICK) == {}


@pytest.mark.on_demand
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known_is_found_with_every_seed(name, seed):
    assert contradictions(name, seed, NORMAL) == {}


def test_the_same_seed_gives_the_same_audit_and_another_one_another():
    first, again, other = (
        audit("f1_pa", ["C-1", "C-2"], seed=s, effort="quick") for s in (3, 3, 4)
    )
    assert first == again
    assert first["C-1"].statistic != other["C-1"].statistic


def test_an_audit_does_not_depend_on_which_other_axioms_are_run():
    alone = audit("f1_ba", ["L1"], effort="quick")["L1"]
    after = audit("f1_ba", ["C-2", "C-1", "L1"], effort="quick")["L1"]
    assert alone == after


def test_a_constant_breaks_what_a_constant_must():
    found = audit(always(0.6), effort="quick")
    failed = {name for name, verdict in found.verdicts.items() if verdict == "fail"}
    assert failed == {
        *("C-1", "C-3", "L1", "L2", "L4-strict", "L5-strict", "L6", "L8-strict", "L13"),
    }


def test_a_quick_composite_is_the_slow_one():
    rng = np.random.default_rng(0)
    for _ in range(300):
        labels, flags = trial.small_case(rng)
        slow, quick = naive.composite(labels, flags), naive_composite(labels, flags)
        assert math.isclose(slow, quick) or (math.isnan(slow) and math.isnan(quick))
