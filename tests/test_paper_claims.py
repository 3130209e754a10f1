"""The claims of the paper: the verdicts of docs/study.md are those of the study."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.experiments import study
from adjudge.experiments.claims import CLAIMS, judged_claims

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "study.md").read_text(encoding="utf-8")
VERDICTS = dict(re.findall(r"^\| \d+ \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE))


@pytest.fixture(scope="module")
def table():
    return study(700, seed=5)


@pytest.fixture(scope="module")
def judged(table):
    return {one.claim.name: one for one in judged_claims(table)}


def test_the_page_lists_every_claim():
    assert [claim.name for claim in CLAIMS] == list(VERDICTS)


@pytest.mark.parametrize("name", VERDICTS)
def test_a_small_study_comes_to_the_verdict_of_the_page(name, judged):
    assert VERDICTS[name] == judged[name].verdict


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_no_verdict_is_a_foregone_conclusion(claim, table):
    """Other numbers than those found lead to another verdict."""
    found = claim.judged(table)
    spread = np.linspace(-2, 3, 41)
    others = {claim.verdict(dict.fromkeys(found.numbers, value)) for value in spread}
    swapped = [
        claim.verdict({**found.numbers, key: value}) for key in found.numbers for value in spread
    ]
    assert len({found.verdict, *others, *swapped}) > 1


def test_the_numbers_stand_in_the_sentence(judged):
    one = judged["a single false alarm costs"]
    assert "BA falls by 0.333, PA by 0.005" in one.sentence
    assert {"name", "where", "says", "verdict", "numbers", "sentence"} == set(one.to_dict())


@pytest.mark.parametrize(
    ("name", "number", "expected"),
    [
        ("noise scores high after PA", "peak", 0.9204),
        ("noise scores high after PA", "at", 0.9665),
        ("BA of noise does not depend on the threshold", "last", 0.98583),
        ("better detectors score higher", "better", 0.700),
        ("better detectors score higher", "worse", 0.182),
        ("a single false alarm costs", "ba", 1 / 3),
        ("only BA penalises a false alarm", "ba", 1 - 6 / 7),
        ("... almost surely", "share", 0.285),
        ("no score should cross 0.75", "bound", 6 / 7),
    ],
)
def test_what_theory_says(name, number, expected, judged):
    slack = 0.03 if "surely" in name else 5e-4
    assert expected == pytest.approx(judged[name].numbers[number], abs=slack)


def test_verdicts_come_from_the_table(table):
    """A table in which the scores are shuffled has no trend with separation."""
    rng = np.random.default_rng(0)
    shuffled = {name: table.column(name) for name in table.columns}
    shuffled["separation"] = rng.permutation(shuffled["separation"])
    found = {one.claim.name: one.verdict for one in judged_claims(shuffled)}
    assert "does not hold" == found["all scores rise with separation"]


def test_too_few_experiments_leave_claims_open():
    few = judged_claims(study(1, seed=0))
    verdicts = {one.claim.name: one.verdict for one in few}
    assert "needs more experiments" == verdicts["PA approaches 1"]
    assert "needs more experiments" == verdicts["BA is most sensitive to precision"]
    assert "needs more experiments" == verdicts["bins hold similar numbers of points"]
    assert "does not hold" == verdicts["m is at most n"]


def test_the_counterexample_to_m_at_most_n_is_one():
    labels, flags = [0, 1, 0, 1, 0], [0, 1, 1, 1, 0]
    recall, precision = aj.event_recall.parts, aj.event_precision.parts
    assert 1 == aj.event_recall(labels, flags) == aj.event_precision(labels, flags)
    tally = aj.event_f1.ledger(aj.Case(labels, flags))[0].tally
    assert (2, 1) == (tally.found, tally.right)
    assert recall.counting == precision.counting


@pytest.mark.long
def test_the_page_is_current():
    made = runpy.run_path(str(DOCS / "make_study.py"))
    assert made["page"](jobs=2) == PAGE
