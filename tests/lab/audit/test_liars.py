"""Planted liars: each is caught by name, and the audit survives them all."""

import ctypes
import math
import os
import subprocess
import sys
import time

import numpy as np
import pytest

import adjudge as aj
from adjudge.lab.audit.audits import audit
from adjudge.lab.audit.drawn_cases import event_bounds
from adjudge.lab.audit.subject_calls import Pair, WorkerSubject

FEW = ["C-2", "C-3", "L9"]
PAIR = Pair(np.array([False, True]), np.array([True, True]))


def honest(labels, flags):
    both = labels.sum() + flags.sum()
    return float(2 * (labels * flags).sum() / both) if both else math.nan


def pays_for_false_alarms(labels, flags):
    return min(1.0, honest(labels, flags) + 1e-3 * float((flags > labels).sum()))


def ignores_the_last_event(labels, flags):
    starts, _ = event_bounds(labels > 0)
    return honest(labels[: starts[-1]], flags[: starts[-1]]) if len(starts) > 1 else 1.0


def gives_nan(labels, flags):
    return math.nan


def gives_nan_when_perfect(labels, flags):
    return math.nan if (labels == flags).all() else honest(labels, flags)


def raises(labels, flags):
    raise ValueError("not today")


def raises_on_a_single_point(labels, flags):
    return honest(labels, flags) if len(labels) > 1 else 1 / 0


def prints(labels, flags):
    print("hello")  # noqa: T201
    return honest(labels, flags)


def complains(labels, flags):
    os.write(2, b"hello")
    return honest(labels, flags)


def changes_its_input(labels, flags):
    flags |= labels
    return honest(labels, flags)


def leaves(labels, flags):
    sys.exit(3)


def kills_the_process(labels, flags):
    os._exit(3)


def returns_text(labels, flags):
    return "0.5"


def returns_more_than_one(labels, flags):
    return 1 + honest(labels, flags)


def rolls_dice(labels, flags):
    return float(np.random.default_rng().random())


LIARS = {
    gives_nan: "returns nan",
    gives_nan_when_perfect: "returns nan",
    raises: "raises",
    raises_on_a_single_point: "raises",
    prints: "prints",
    complains: "prints",
    changes_its_input: "changes its input",
    leaves: "ends the process",
    kills_the_process: "ends the process",
    returns_text: "returns no number",
    returns_more_than_one: "out of range",
    rolls_dice: "not deterministic",
}


@pytest.mark.parametrize("liar", LIARS, ids=lambda liar: liar.__name__)
def test_a_liar_is_caught_by_name(liar):
    found = audit(liar, FEW, effort="quick")
    assert LIARS[liar] in found.problems
    if LIARS[liar] not in ("prints", "changes its input", "not deterministic"):
        assert found["L9"].outcome == "fail"
        assert found["L9"].counterexample is not None


def test_an_honest_function_has_no_problems():
    found = audit(honest, FEW, effort="quick")
    assert found.problems == {}
    assert found.verdicts == {"C-2": "pass", "C-3": "fail", "L9": "pass"}


def test_a_metric_without_any_value_passes_nothing():
    found = audit(gives_nan, effort="quick")
    assert set(found.verdicts.values()) == {"fail", "undecided"}
    assert [name for name, verdict in found.verdicts.items() if verdict == "fail"] == ["L9"]


def test_who_pays_for_false_alarms_is_caught_by_order_and_by_exclusiveness():
    found = audit(pays_for_false_alarms, FEW, effort="quick")
    assert (found["C-2"].outcome, found["C-3"].outcome) == ("fail", "fail")
    assert found["C-3"].extras["one false alarm"] < 0.01
    assert str(found["C-2"].counterexample).splitlines()[0].startswith("truth")


def test_who_ignores_the_last_event_is_caught_by_exclusiveness():
    found = audit(ignores_the_last_event, ["C-3"], effort="quick")["C-3"]
    assert found.outcome == "fail"
    assert found.extras["one missed event"] == 0


def hangs(labels, flags):
    while True:
        pass


def hangs_in_c(labels, flags):
    ctypes.CDLL(None).sleep(1000)


def hangs_at_times(labels, flags):
    if len(labels) % 2:
        time.sleep(1000)
    return honest(labels, flags)


@pytest.mark.parametrize("liar", [hangs, hangs_in_c, hangs_at_times])
def test_a_metric_that_hangs_is_given_up(liar):
    found = audit(liar, ["C-1", "L9", "L2"], effort="quick")
    assert found.problems["hangs"].startswith("it gave no value within 1 s, on ")
    assert found["L9"].outcome == "fail"
    assert found["L2"].outcome == "undecided"


def test_a_hanging_metric_costs_two_workers_and_then_nothing():
    subject = WorkerSubject(hangs, "flags", limit=0.05)
    begun = time.process_time()
    answers = subject.call([PAIR] * 500)
    subject.close()
    assert all(map(math.isnan, answers))
    assert subject._losses == 2  # noqa: SLF001 - that no third was tried
    assert time.process_time() - begun < 5


def test_a_worker_that_was_lost_is_replaced_and_the_rest_gets_values():
    def falls(labels, flags):
        return os._exit(1) if len(labels) == 3 else float(len(labels))

    pairs = [Pair(np.ones(n, bool), np.ones(n, bool)) for n in (1, 2, 3, 4, 5)]
    subject = WorkerSubject(falls, "flags", limit=5)
    np.testing.assert_array_equal([1, 2, math.nan, 4, 5], subject.call(pairs))
    subject.close()
    subject.close()  # once more does no harm
    assert list(subject.problems) == ["ends the process"]


def test_nothing_of_a_liar_reaches_this_process(capfd):
    secret = []

    def spoils(labels, flags):
        secret.append(1)
        sys.stdout.write("hello")
        sys.stdin.read()
        os.environ["ADJUDGE_SPOILED"] = "1"
        return 0.5

    found = audit(spoils, ["L8"], effort="quick")
    assert list(found.problems) == ["prints"]
    assert secret == []
    assert "ADJUDGE_SPOILED" not in os.environ
    assert capfd.readouterr() == ("", "")


_LEFT_BEHIND = """
import os, adjudge
if __name__ == "__main__":
    adjudge.audit(lambda labels, flags: 1.0, ["L8"])
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        print("nobody")
"""


def test_no_worker_is_left_behind():
    """In a process of its own: other tests have workers too."""
    said = subprocess.check_output([sys.executable, "-c", _LEFT_BEHIND], text=True)
    assert said == "nobody\n"


def test_a_slow_but_honest_metric_stops_at_its_cap_undecided():
    def slow(labels, flags):
        time.sleep(0.02)
        return honest(labels, flags)

    found = audit(slow, ["C-2", "L8"], effort="quick")
    assert found.verdicts == {"C-2": "undecided", "L8": "pass"}
    assert found.problems == {}
    assert found["C-2"].sentence.startswith("out of time after ")


def test_the_catalogue_itself_has_no_problems():
    for name in ("f1_ba", "auc_roc"):
        assert audit(name, FEW, effort="quick").problems == {}
    assert aj.catalogue
