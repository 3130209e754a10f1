"""One audit as an experiment sees it: values, noise and time."""

import contextlib
import math

import numpy as np
import pytest

from adjudge.lab.audit import drawn_cases as trial
from adjudge.lab.audit.audits import audit
from adjudge.lab.audit.axiom import BoundTest, run_until_decided
from adjudge.lab.audit.axiom_list import AXIOMS
from adjudge.lab.audit.confidence import EFFORTS, Confidence, OutOfTime
from adjudge.lab.audit.run import Run
from adjudge.lab.audit.subject_calls import FunctionSubject, Pair
from lab.audit.subjects import NAMES, always, naive_composite, run_of


def test_values_are_turned_so_that_higher_is_better_and_one_is_best():
    pair = [(np.array([True, False]), np.array([True, False]))]
    for words, expected in (
        ({"better": "lower"}, 0.75),
        ({"better": "lower", "range": (0, math.inf)}, -0.25),
        ({"range": (-math.inf, 100)}, 0.25),
        ({"range": (0, 100)}, 0.0025),
        ({"range": (-1, 1)}, 0.25),
    ):
        assert expected == run_of(always(0.25), **words).values(pair)[0]
    for words, expected in (
        ({"range": (-1, 0)}, 0.75),
        ({"range": (-4.25, -0.25)}, 1.0),
        ({"range": (-1, 0), "better": "lower"}, 0.25),
    ):
        assert expected == run_of(always(-0.25), **words).values(pair)[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({}, ""),
        ({"range": (-1, 1)}, ""),
        ({"range": (0, math.inf)}, ""),
        ({"better": "lower"}, " (turned so that higher is better)"),
        ({"range": (0, math.inf), "better": "lower"}, " (turned so that higher is better)"),
        ({"range": (0, 100)}, " (scaled so that 1 is the best)"),
        (
            {"range": (-1, 0), "better": "lower"},
            " (turned so that higher is better, scaled so that 1 is the best)",
        ),
    ],
)
def test_a_remark_says_how_values_are_turned(words, said):
    assert run_of(always(0.25), **words).rescale_note == said


def test_an_unbounded_metric_is_free_from_what_needs_a_scale():
    found = audit(
        lambda labels, flags: float(-(labels != flags).sum()),
        ["C-1", "C-2", "C-3", "L8"],
        effort="quick",
        bounds=(-math.inf, 0),
    )
    assert found.verdicts == {
        "C-1": "not applicable",
        "C-2": "pass",
        "C-3": "not applicable",
        "L8": "pass",
    }


def test_noise_is_drawn_once_and_only_where_it_is_needed():
    calls = []
    run = run_of(lambda _, flags: calls.append(1) or float(flags.mean()))
    run.start_axiom()
    first = run.noise(trial.SHORT, 20, [0, 3])
    assert len(calls) == 40
    again = run.noise(trial.SHORT, 20, [3, 0])
    assert len(calls) == 40
    np.testing.assert_array_equal(first, again)
    assert np.isnan(first[:, 1]).all()
    wider = run.noise(trial.SHORT, 20, [0, 1, 3])
    assert len(calls) == 60
    np.testing.assert_array_equal(first[:, 3], wider[:, 3])


def test_time_that_is_up_ends_the_draws_and_leaves_what_was_drawn():
    run = run_of(always(0.5))
    run.deadline = -1
    assert len(run.noise(trial.SHORT, 20, [1])) == 0
    assert (
        run_until_decided(run, [BoundTest(trial.SHORT, (1,))], lambda x: x, 0.6).outcome
        == "undecided"
    )
    with pytest.raises(OutOfTime):
        run.value(np.ones(1, bool), np.ones(1, bool))


@pytest.mark.parametrize("axiom", [name for name in NAMES if name != "L9"])
def test_an_experiment_without_time_is_undecided(axiom):
    class Late(FunctionSubject):
        def __init__(self, *args):
            super().__init__(*args)
            self.now = 0

        def clock(self):
            self.now += 10
            return self.now

    run = Run(Late(naive_composite, "flags"), EFFORTS["quick"], 0, Confidence(7))
    run.start_axiom()
    with contextlib.suppress(OutOfTime):  # the auditor says so
        assert AXIOMS[axiom].decide(run).outcome == "undecided"


def test_what_a_metric_may_leave_undefined():
    run = run_of(None)
    both, hit = np.array([True, False]), np.array([True, False])
    assert run.must_be_defined(Pair(both, hit))
    assert not run.must_be_defined(Pair(both, ~hit))
    assert not run.must_be_defined(Pair(both, np.array([True, True])))
    assert run_of(None, "scores").must_be_defined(Pair(both, np.zeros(2)))
    assert not run_of(None, "scores").must_be_defined(Pair(~both & both, np.zeros(2)))


@pytest.mark.parametrize("allowed", [0, 30])
def test_out_of_time_on_the_way_still_gives_an_outcome(allowed):
    """The time ends after so many values: fuzz is undecided, a counterexample may be missing."""

    class Stops(FunctionSubject):
        calls = 0

        def clock(self):
            return 0.0 if self.calls <= allowed else 1e9

        def call(self, pairs):
            self.calls += len(pairs)
            return super().call(pairs)

    for axiom in ("L9", "C-1", "C-1a", "C-2-population"):
        run = Run(Stops(always(0.6), "flags"), EFFORTS["quick"], 0, Confidence(7))
        run.deadline = 1.0
        assert AXIOMS[axiom].decide(run).outcome == "undecided"
