"""Names that other packages and papers use lead to the name here."""

import re
import runpy
import sys
from pathlib import Path

import pytest

import adjudge as aj
from adjudge.errors import AdjudgeError
from adjudge.metrics.reader import meant_by
from adjudge.metrics.spec import metric_name

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture(scope="module")
def crosswalk():
    sys.path.insert(0, str(TOOLS))
    try:
        return runpy.run_path(str(TOOLS / "make_crosswalk.py"))
    finally:
        sys.path.remove(str(TOOLS))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("PA%K", ("f1_kpa",)),
        ("pa%k", ("f1_kpa",)),
        ("K%-PA", ("f1_kpa",)),
        ("pak", ("f1_kpa", "precision_at_k")),
        ("roc_auc", ("auc_roc",)),
        ("roc_auc_score", ("auc_roc",)),
        ("ROC-AUC", ("auc_roc",)),
        ("average_precision", ("ap",)),
        ("R-based-F1", ("range_f1",)),
        ("matthews_corrcoef", ("mcc",)),
        ("F1-Score", ("f1",)),
        ("covering", ("regime_recall",)),
        ("VUS-PR", ("vus_pr",)),
        ("AUC-PR", ("auc_pr", "ap")),
        ("PrecisionAtK", ("precision_at_k", "event_precision_at_k")),
        ("EW_F_0.50", ("eventwise_f1",)),
        ("nothing_of_the_kind", ()),
        ("", ()),
        ("%", ()),
    ],
)
def test_a_name_from_elsewhere_leads_to_ours(name, meant):
    assert meant_by(name) == meant


def test_every_call_of_the_crosswalk_leads_to_its_metric(crosswalk):
    calls = [(call, spec) for call, spec in crosswalk["calls"]() if crosswalk["name_of"](call)]
    assert len(calls) > 100
    for call, spec in calls:
        metric = metric_name(re.sub(r"[{}+]", "", spec))
        assert metric in meant_by(crosswalk["name_of"](call)), call


def test_the_names_are_those_of_the_crosswalk(crosswalk):
    assert crosswalk["NAMES"].read_text(encoding="utf-8") == crosswalk["names"]()


@pytest.mark.parametrize("name", ["pak", "PA%K", "roc_auc", "R-based-F1", "AUC-ROC", "F1_BA"])
def test_a_metric_by_another_name_is_refused_and_the_right_one_offered(name):
    with pytest.raises(AdjudgeError) as refusal:
        aj.metric(name)
    offered = " or ".join(repr(one) for one in meant_by(name))
    assert f"did you mean {offered}" in str(refusal.value)
