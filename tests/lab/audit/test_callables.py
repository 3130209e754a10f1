"""Functions wherever they live: lambdas, scripts without a guard, notebooks, standard input."""
# ruff: noqa: ARG002, ARG005 - all metrics have the same two parameters

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from adjudge.lab.audit.audits import audit

SCRIPT = textwrap.dedent(
    """
    from adjudge.lab.audit.audits import audit

    def mine(labels, flags):
        both = labels.sum() + flags.sum()
        return 2 * (labels * flags).sum() / both if both else float("nan")

    print("once")
    found = audit(mine, ["L6", "L8"])
    print(found.verdicts, dict(found.problems))
    print(audit(lambda truth, guess: mine(truth, guess), ["L8"]).verdicts)
    """
)
SAID = ["once", "{'L6': 'fail', 'L8': 'pass'} {}", "{'L8': 'pass'}"]


def test_a_script_read_from_standard_input_needs_no_guard():
    done = subprocess.run(
        [sys.executable, "-"], input=SCRIPT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == SAID


def test_a_script_that_is_main_needs_no_guard(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == SAID


def test_a_function_made_in_a_notebook_cell_is_audited():
    cell = {}
    exec(compile("def mine(labels, flags):\n    return float((labels * flags).mean())", "<cell>",  # noqa: S102
                 "exec"), cell)  # fmt: skip
    assert audit(cell["mine"], ["L8"]).verdicts == {"L8": "pass"}


def test_a_lambda_over_local_things_is_audited():
    weight = np.float64(0.5)
    assert audit(lambda labels, flags: weight * (labels * flags).mean(), ["L8"]).problems == {}


@pytest.mark.parametrize(
    ("metric", "kind", "seen"),
    [
        (lambda labels, flags: _kind(flags), None, "flags"),
        (lambda labels, anything: _kind(anything), None, "flags"),
        (lambda labels, scores: _kind(scores), None, "scores"),
        (lambda labels, flags: _kind(flags), "scores", "scores"),
        (lambda labels, scores: _kind(scores), "flags", "flags"),
    ],
)
def test_a_function_gets_what_it_asks_for(metric, kind, seen):
    """A whole number marks flags, a float scores: the value says which it was."""
    found = audit(metric, ["L8"], kind=kind)
    assert found.kind == seen
    assert found["L8"].extras["full"] == {"flags": 0.25, "scores": 0.75}[seen]


def _kind(given):
    return 0.25 if given.dtype.kind == "i" else 0.75


def test_flags_and_labels_are_whole_numbers_zero_and_one():
    def picky(labels, flags):
        assert labels.dtype == flags.dtype == np.int64
        assert set(np.unique([labels, flags])) <= {0, 1}
        return 0.5

    assert audit(picky, ["C-2", "L8"], effort="quick").problems == {}


def test_a_bound_method_and_a_callable_object_are_audited():
    class Judge:
        def value(self, labels, scores):
            return 0.5

        def __call__(self, labels, flags):
            return 0.5

    assert audit(Judge().value, ["L8"]).kind == "scores"
    assert audit(Judge(), ["L8"]).metric.endswith("Judge")
