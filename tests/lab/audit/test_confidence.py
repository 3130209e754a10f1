"""Intervals hold at the level that they promise."""
# ruff: noqa: ARG005 - all metrics have the same two parameters

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from adjudge.lab.audit import drawn_cases as trial
from adjudge.lab.audit.audits import audit
from adjudge.lab.audit.axiom import BoundTest, outcome_of, run_until_decided
from adjudge.lab.audit.axiom_list import AXIOMS
from adjudge.lab.audit.confidence import EFFORTS, Confidence, Effort
from adjudge.lab.audit.result import Result
from adjudge.lab.audit.run import Run
from adjudge.lab.audit.subject_calls import FunctionSubject
from lab.audit import naive_axioms as naive
from lab.audit.subjects import always, run_of

CONFIDENCE = Confidence(7)


def test_an_interval_is_that_of_the_textbook_and_skips_what_is_undefined():
    rng = np.random.default_rng(0)
    table = rng.random((60, 3))
    table[:9, 1] = np.nan
    table[:57, 2] = np.nan
    mean, low, high = CONFIDENCE.mean_interval(table, comparisons=7)
    for column in (0, 1):
        centre, error = naive.mean_and_error(table[:, column])
        free = np.array([np.count_nonzero(~np.isnan(table[:, column])) - 1])
        assert math.isclose(centre, mean[column])
        assert math.isclose(centre - stats.t.isf(CONFIDENCE.level(7), free)[0] * error, low[column])
        assert math.isclose(centre + stats.t.isf(CONFIDENCE.level(), free)[0] * error, high[column])
    assert (low[2], high[2]) == (-math.inf, math.inf)
    assert np.isnan(CONFIDENCE.mean_interval(np.full((9, 1), np.nan))).all()


def test_a_share_s_bounds_are_the_levels_of_the_binomial_distribution():
    """A share at its bound gives what was seen, or more, just as often as the level says."""
    mean, low, high = CONFIDENCE.share_interval(np.array([0, 3, 200]), 200)
    assert (mean == [0, 0.015, 1]).all()
    assert math.isclose(stats.binom.sf(2, 200, low[1]), CONFIDENCE.level(3), rel_tol=1e-6)
    assert math.isclose(stats.binom.cdf(3, 200, high[1]), CONFIDENCE.level(), rel_tol=1e-6)
    assert (low[0], high[2]) == (0, 1)


def test_an_audit_shares_its_chance_of_error_among_all_statistical_axioms():
    """An axiom that is added takes its share without a number that is kept by hand."""
    statistical = [axiom for axiom in AXIOMS.values() if axiom.statistical]
    one_more = replace(statistical[0], name="one more")
    seen = []
    watch = replace(
        one_more, decide=lambda run: seen.append(run.confidence) or Result("w", "pass", "")
    )
    audit("f1", [watch], effort="quick")
    audit("f1", [replace(watch, name=statistical[0].name)], effort="quick")
    assert [len(statistical) + 1, len(statistical)] == [one.questions for one in seen]


@pytest.mark.parametrize("axiom", AXIOMS)
def test_only_a_statistical_axiom_makes_intervals(axiom):
    """Intervals of an axiom that is not counted among them would void the level."""

    class Watched(Confidence):
        used = False

        def level(self, comparisons=1):
            Watched.used = True
            return super().level(comparisons)

    run = Run(FunctionSubject(always(0.6), "flags"), EFFORTS["quick"], 0, Watched(7))
    run.start_axiom()
    AXIOMS[axiom].decide(run)
    assert Watched.used == AXIOMS[axiom].statistical


def test_family_wise_mistakes_are_rare():
    """Seven rows of twelve means at the bound: hardly ever is one of them called a fail."""
    rng = np.random.default_rng(0)
    wrong = sum(
        bool((CONFIDENCE.mean_interval(rng.standard_normal((40, 12))).low > 0).any())
        for _ in range(400)
    )
    assert wrong <= 2


def test_an_interval_is_held_against_its_bound():
    assert [outcome_of(*pair, 0.5) for pair in ((0.1, 0.5), (0.4, 0.6), (0.51, 0.7))] == [
        "pass",
        "undecided",
        "fail",
    ]


def test_a_decision_ends_undecided_when_its_trials_run_out():
    effort = Effort("tiny", 20, 0, 0, 60.0, 60.0, 1.0)
    rng = np.random.default_rng(0)
    wild = FunctionSubject(lambda labels, flags: float(rng.integers(0, 2)), "flags")
    run = Run(wild, effort, 0, CONFIDENCE)
    found = run_until_decided(run, [BoundTest(trial.SHORT, (1,))], lambda noise: noise, 0.5)
    assert (found.outcome, found.trials) == ("undecided", 640)


def test_a_decision_without_any_value_is_undecided():
    run = run_of(always(math.nan))
    both = [BoundTest(trial.SHORT, (1,)), BoundTest(trial.SHORT, (2,))]
    run.start_axiom()
    found = run_until_decided(run, both, lambda noise: noise, 0.5)
    assert (found.outcome, found.trials) == ("undecided", 0)
