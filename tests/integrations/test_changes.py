"""Change points and drifts with the packages themselves: ruptures, river, and CapyMOA's evaluator.

CapyMOA brings PyTorch and asks for Java. Its evaluator is one module of Python, so that is what is
run, where CapyMOA is installed or its module `eval_detector` can be found alone.
"""

import importlib
import importlib.util

import numpy as np
import pytest

import adjudge as aj
from adjudge.compat import change_points

N, TRUTH = 1000, [200, 450, 700]
RNG = np.random.default_rng(0)
VALUES = np.concatenate(
    [RNG.normal(level, 1, size) for level, size in ((0, 200), (4, 250), (-2, 250), (3, 300))]
)


def positions(rng, n, least=1):
    return sorted(rng.choice(np.arange(1, n), int(rng.integers(least, 8)), replace=False).tolist())


def test_results_of_ruptures_come_in_and_its_numbers_are_the_same():
    ruptures = pytest.importorskip("ruptures")
    metrics = pytest.importorskip("ruptures.metrics")
    result = ruptures.Pelt(model="l2", min_size=10).fit(VALUES).predict(pen=20)
    assert aj.change_f1(aj.Changes(TRUTH, N), aj.Changes.from_breakpoints(result)) == 1
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n, margin = int(rng.integers(20, 300)), int(rng.integers(1, 15))
        ends = [*positions(rng, n), n], [*positions(rng, n), n]
        columns = [np.bincount(one[:-1], minlength=n) for one in ends]
        own = change_points.precision_recall(*ends, margin)
        assert own == metrics.precision_recall(*ends, margin)
        assert change_points.randindex(*ends) == pytest.approx(metrics.randindex(*ends))
        assert aj.hausdorff_distance(*columns) == metrics.hausdorff(*ends)


def test_detectors_of_river_run():
    drift = pytest.importorskip("river.drift")
    truth = aj.Changes(TRUTH, N)
    for detector in (drift.ADWIN(), drift.KSWIN(seed=1), drift.PageHinkley()):
        found = aj.Changes.from_detector(detector, VALUES)
        assert aj.warning_recall(truth, found, max_lead=0, min_lead=-100) == 1
    clock = aj.Changes.from_detector(drift.DummyDriftDetector(t_0=100), VALUES)
    assert clock.positions.tolist() == list(range(99, N, 100))


def evaluator():
    """CapyMOA's evaluator, from the package or as a module alone."""
    for name in ("capymoa.drift.eval_detector", "eval_detector"):
        try:
            return importlib.import_module(name).EvaluateDriftDetector
        except ImportError:
            continue
    return pytest.skip("CapyMOA is not installed")


def test_the_numbers_of_capymoa_are_the_same():
    evaluate = evaluator()
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n, late = int(rng.integers(50, 400)), int(rng.integers(1, 30))
        drifts, alarms = positions(rng, n), positions(rng, n)
        theirs = evaluate(max_delay=late).calc_performance(np.array(drifts), np.array(alarms), n)
        own = change_points.drift_performance(drifts, alarms, n, late)
        for name, value in own.items():
            assert value == pytest.approx(getattr(theirs, name), nan_ok=True), (seed, name)
