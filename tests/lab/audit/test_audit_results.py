"""What a row claims holds, and what it does not claim fails, is undecided, or does not apply."""

import json
import re
import runpy
from pathlib import Path

import pytest

import adjudge as aj
from adjudge.lab.audit.audits import audit
from adjudge.lab.audit.axiom_list import AXIOMS
from adjudge.lab.audit.confidence import EFFORTS
from adjudge.lab.audit.result import LETTERS, Result
from adjudge.metrics import audit_results
from adjudge.metrics.audit_results import ORDER, VERDICTS
from adjudge.metrics.claims import audited_claims
from sampling import one_in

ROOT = Path(__file__).parents[3]
EXACT = [name for name, axiom in AXIOMS.items() if not axiom.drawn]  # quick for every row
DRAWN = [name for name, axiom in AXIOMS.items() if axiom.drawn]
SEARCHES = ("C-2", "L9", "L10")  # for one violation, which fewer trials may not meet
SAMPLE = ["f1_kpa", "f1_ba", "ap_pa"]


def outcomes_of(name):
    """Give the outcome of every axiom that is written down for a row."""
    words = {letter: outcome for outcome, letter in LETTERS.items()}
    signs = audit_results.VERDICTS[name]
    return {axiom: words[sign] for axiom, sign in zip(ORDER, signs, strict=True)}


def disagreements(name, axioms, effort):
    """Give the axioms on which a row's claims and its audit differ.

    An experiment that had no time, or few trials, may be undecided where more of them decide.
    """
    claimed = outcomes_of(name)
    found = audit(name, axioms, effort=effort)
    late = sum(row.seconds for row in found) > 0.9 * EFFORTS[effort].total
    return {
        axiom: (claimed[axiom], verdict)
        for axiom, verdict in found.verdicts.items()
        if verdict != claimed[axiom]
        and not (verdict == "undecided" and (late or _may_be_undecided(found[axiom], effort)))
        and not (claimed[axiom] == "undecided" and verdict in ("pass", "fail"))
        and not (effort == "quick" and axiom in SEARCHES and claimed[axiom] == "fail")
    }


def _may_be_undecided(row, effort):
    return effort == "quick" or row.seconds > 0.9 * EFFORTS[effort].cap


def test_every_row_of_the_catalogue_has_an_entry_and_every_entry_a_row():
    assert set(VERDICTS) == set(aj.catalogue)
    assert list(ORDER) == list(AXIOMS)
    assert {len(signs) for signs in VERDICTS.values()} == {len(AXIOMS)}
    assert set("".join(VERDICTS.values())) <= set(LETTERS.values())


def test_claims_are_the_axioms_that_pass():
    assert "C-2" in aj.catalogue["f1_pa"].claims
    assert "C-1" not in aj.catalogue["f1_pa"].claims
    for name, signs in VERDICTS.items():
        assert audited_claims(name) == aj.catalogue[name].claims & set(AXIOMS)
        assert len(audited_claims(name)) == signs.count("+")
    assert not audited_claims("a row that was never audited")


@pytest.mark.parametrize("name", one_in(5, aj.catalogue))
def test_claims_about_exact_experiments_hold_in_both_directions(name):
    assert disagreements(name, EXACT, "normal") == {}


@pytest.mark.parametrize("name", SAMPLE)
def test_claims_about_drawn_experiments_are_not_contradicted(name):
    assert disagreements(name, DRAWN, "quick") == {}


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(24, aj.catalogue, rest=pytest.mark.on_demand))
def test_claims_about_drawn_experiments_are_not_contradicted_by_any_row(name):
    assert disagreements(name, DRAWN, "quick") == {}
    broken = [axiom for axiom in SEARCHES if outcomes_of(name)[axiom] == "fail"]
    assert disagreements(name, broken, "normal") == {}  # which ends at the first violation


def test_laws_and_axioms_agree_about_time_read_backwards():
    """Without the law *reversal* a row keeps L10 only where early hits score more."""
    for name, row in aj.catalogue.items():
        outcomes = outcomes_of(name)
        if "reversal" not in row.claims and outcomes["L10"] == "pass":
            assert outcomes["L4-strict"] == "pass", name


def test_a_claim_that_is_not_kept_is_noticed(monkeypatch):
    boast = VERDICTS["f1_pa"].replace("x", "+")
    modest = VERDICTS["f1"].replace("+", "x")
    monkeypatch.setattr(
        "adjudge.metrics.audit_results.VERDICTS", {**VERDICTS, "f1_pa": boast, "f1": modest}
    )
    assert disagreements("f1_pa", ["C-3", "L6"], "quick") == {
        "C-3": ("pass", "fail"),
        "L6": ("pass", "fail"),
    }
    assert disagreements("f1", ["L8"], "quick") == {"L8": ("fail", "pass")}


def test_the_table_is_as_the_script_writes_it():
    made = runpy.run_path(str(ROOT / "tools" / "make_claims.py"))
    assert made["TABLE"].read_text() == made["page"](VERDICTS)


def test_an_audit_of_the_catalogue_that_was_stopped_goes_on(tmp_path, capsys):
    """What was noted is not audited again, and the last note of an axiom counts."""
    made = runpy.run_path(str(ROOT / "tools" / "make_claims.py"))
    notes = tmp_path / "notes.jsonl"
    made["audit_row"]("precision", ["L7", "C-3"], notes)
    assert "precision pass fail" in capsys.readouterr().out
    found = made["noted"](notes)
    assert found["precision"]["L7"] == ["pass", "20,000 quiet points more change the value by +0"]
    table = {"precision": "".join("?" if a in {"L7", "C-3"} else "+" for a in AXIOMS)}
    left = list(made["left"](["precision", "f1"], table, found, undecided=True))
    assert left == [("f1", list(AXIOMS))]
    assert list(made["left"](["precision"], table, found, undecided=False))
    with notes.open("a") as stream:
        stream.write(json.dumps({"metric": "precision", "found": {"L7": ["fail", "no"]}}) + "\n")
    assert [outcome for outcome, _ in made["noted"](notes)["precision"].values()] == ["fail"] * 2


def test_what_is_found_takes_the_place_of_the_old(tmp_path):
    made = runpy.run_path(str(ROOT / "tools" / "make_claims.py"))
    table, sentences = tmp_path / "table.py", tmp_path / "sentences.json"
    made["write"].__globals__.update(TABLE=table, SENTENCES=sentences)
    made["write"]({"f1": {"C-3": ["undecided", "so"]}, "mcc": {"C-3": ["pass", "so"]}})
    signs = {name: dict(zip(AXIOMS, row, strict=True)) for name, row in VERDICTS.items()}
    signs["f1"]["C-3"], signs["mcc"]["C-3"] = "?", "+"
    rows = {name: "".join(row.values()) for name, row in signs.items()}
    assert table.read_text() == made["page"](rows)
    assert json.loads(sentences.read_text()) == {"f1": {"C-3": ["undecided", "so"]}}


def test_what_is_undecided_is_kept_with_its_reason_until_it_is_decided(tmp_path):
    made = runpy.run_path(str(ROOT / "tools" / "make_claims.py"))
    close = Result("C-1", "undecided", "so", trials=7040)
    assert "so; undecided after 7,040 trials" == made["in_words"](close)
    assert "no value" == made["in_words"](Result("C-3", "undecided", "no value"))
    sentences = tmp_path / "sentences.json"
    made["write"].__globals__.update(TABLE=tmp_path / "table.py", SENTENCES=sentences)
    made["write"]({"mcc": {"C-3": ["undecided", "so"], "C-1": ["undecided", "so"]}})
    assert {"mcc": {"C-1": ["undecided", "so"], "C-3": ["undecided", "so"]}} == json.loads(
        sentences.read_text()
    )
    made["write"]({"mcc": {"C-3": ["pass", "now"]}})
    assert {"mcc": {"C-1": ["undecided", "so"]}} == json.loads(sentences.read_text())


def test_every_question_mark_says_why_and_every_outcome_of_ten_metrics_is_argued():
    found, reasons = (
        json.loads((ROOT / "docs" / f"axiom_{kind}.json").read_text(encoding="utf-8"))
        for kind in ("sentences", "reasons")
    )
    undecided = {
        (name, axiom): "undecided"
        for name in VERDICTS
        for axiom, outcome in outcomes_of(name).items()
        if outcome == "undecided"
    }
    ten = {(name, axiom): outcomes_of(name)[axiom] for name in reasons for axiom in AXIOMS}
    said = {(name, axiom): row[0] for name, rows in found.items() for axiom, row in rows.items()}
    assert {**undecided, **ten} == said
    assert 10 == len(reasons)
    for rows in reasons.values():
        assert set(AXIOMS) == set(rows)
        assert all(reason.endswith(".") for reason in rows.values())


def test_the_site_has_every_axiom_with_a_counterexample_and_every_metric():
    text = runpy.run_path(str(ROOT / "tools" / "make_axioms.py"))["body"]()
    for axiom in AXIOMS.values():
        section = text.partition(f"### {axiom.name}: {axiom.title}\n")[2].partition("\n### ")[0]
        assert axiom.rule in section
        assert "```\ntruth" in section
    rows = re.findall(r"^\| `(\w+)` \|(?: [+x?-] \|)+$", text, re.MULTILINE)
    assert sorted(rows) == sorted(VERDICTS)
