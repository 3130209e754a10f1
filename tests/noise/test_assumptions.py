"""The clause next to a p-value: one table, the same words everywhere."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.data.events import Events
from adjudge.data.shared_clock import clocked
from adjudge.noise.assumptions import ASSUMPTIONS, clause
from adjudge.noise.chance_line import chance_line
from adjudge.noise.intervals.units import _WORDS
from adjudge.noise.null_models import NULLS, assumed_by
from adjudge.noise.shifting.shifted_case import CaseShifts

RNG = np.random.default_rng(4)
LABELS = np.tile(np.repeat([0, 1, 0], [70, 10, 20]), 12)
FLAGS = (RNG.random(LABELS.size) < np.where(LABELS, 0.2, 0.02)).astype(int)
OTHER = (RNG.random(LABELS.size) < np.where(LABELS, 0.1, 0.04)).astype(int)
SERIES = np.repeat(["a", "b", "c"], LABELS.size // 3)
FEW = {"shifts": 99}


def test_every_null_model_and_every_unit_of_evidence_has_a_clause():
    ours = [name for name, kind in NULLS.items() if kind.__module__.startswith("adjudge.")]
    assert {*ours, *_WORDS} <= {*ASSUMPTIONS}
    assert [NULLS[name].assumes for name in ours] == [clause(name) for name in ours]


def test_a_clause_is_one_clause():
    for one in ASSUMPTIONS.values():
        assert one.clause.split()[0] in {"if", "and"}
        assert not {".", ",", ";", ":"} & {*one.clause}
    assert len({one.clause for one in ASSUMPTIONS.values()}) == len(ASSUMPTIONS)


@pytest.mark.parametrize(
    ("columns", "apart"), [({}, False), ({"series": SERIES, "clock": "own"}, True)]
)
def test_the_clause_is_the_same_in_sentences_json_and_captions(columns, apart):
    found = aj.evaluate(LABELS, {"one": FLAGS, "two": OTHER}, "f1_ba", **FEW, **columns)
    expected = "if alarms are stationary" + " and series are independent" * apart
    assert {row.assumes for row in found.rows} == {expected}
    assert all(f" {expected}" in verdict for verdict in found.verdicts.values())
    assert f'"assumes": "{expected}"' in found.to_json()
    assert expected in found.paper().caption or "not better" not in found.paper().caption


def test_series_of_one_clock_need_not_be_independent():
    events = clocked(Events.from_labels(LABELS, series=SERIES), "shared")
    line = chance_line(aj.metric("f1"), CaseShifts(aj.Case(events, FLAGS)), 0.3)
    assert line.assumes == "if alarms are stationary"


@pytest.mark.parametrize(("null", "how"), [("seasonal", {"period": 24}), ("white", {})])
def test_another_null_model_has_another_clause(null, how):
    (row,) = aj.evaluate(LABELS, FLAGS, "f1_ba", null=null, **how, **FEW).rows
    assert row.assumes == clause(null)


def test_of_a_null_model_of_others_nothing_is_claimed():
    assert assumed_by("a coin", apart=False) == ""
    assert clause("a coin") == ""


def test_comparisons_rest_on_their_units():
    found = aj.compare(LABELS, FLAGS, OTHER)
    assert found.assumes == "if events are independent"
    assert f"over 12 events {found.assumes}" in str(found)
    assert found.to_dict()["assumes"] == found.assumes
    several = aj.compare_all(LABELS, {"a": FLAGS, "b": OTHER, "c": LABELS})
    assert f"p is valid {found.assumes}" in several.layout().notes
    few = aj.compare(LABELS[:100], FLAGS[:100], OTHER[:100])
    assert np.isnan(few.p_value)
    assert few.assumes == ""


def test_a_leaderboard_says_it_once_in_every_form():
    rng = np.random.default_rng(8)
    data = {f"s{k}": (LABELS, {name: rng.random(LABELS.size) for name in "abc"}) for k in range(6)}
    found = aj.rank(data, "auc_roc", **FEW)
    expected = "if alarms are stationary and series are independent"
    (said,) = [note for note in found.board().notes if note.startswith("p against chance")]
    assert f"p against chance, {expected}: " in said
    assert expected in found.to_json()
    assert f"Holm, 0.05 {expected}" in found.to_latex(paper=True)
    assert any("if series are independent (Friedman" in note for note in found.board().notes)


def test_series_of_one_clock_are_compared_if_episodes_are_independent():
    ids = np.repeat(np.arange(8), LABELS.size)
    events = clocked(Events.from_labels(np.tile(LABELS, 8), series=ids), "shared")
    one, two = (np.tile(flags, 8) ^ (RNG.random(ids.size) < 0.02) for flags in (FLAGS, OTHER))
    found = aj.compare(events, one, two)
    assert found.p_value <= 1
    assert found.assumes == "if episodes are independent"
