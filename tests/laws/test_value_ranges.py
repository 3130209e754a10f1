"""No value leaves the range that its row documents, to the last digit."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.tally import Tally
from adjudge.measure import rates
from adjudge.measure.curves import trapezoid

VARIANTS = (
    *("f1(beta=1e-6)", "f1(beta=0.3)", "f1(beta=1e6)", "event_f1(beta=1e-6)", "f1_ba(beta=1e-6)"),
    *("composite_f1(beta=1e-6)", "tolerant_f1(beta=1e-6)", "range_f1(beta=0.3)"),
    *('range_recall(cardinality="reciprocal")', 'range_f1(cardinality="corrected")'),
    *("range_recall(alpha=0.3)", 'range_recall(bias="front")', "tapr_recall(delta=3)"),
    *("affiliation_f1(beta=0.3)", "etapr_f1(beta=0.3)", 'nab(profile="low_fn")'),
)
METRICS = [*(row.metric for row in aj.catalogue.values()), *map(aj.metric, VARIANTS)]


def drawn(seed):
    """Events of several widths, and scores that find most of them."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(rng.random(25) < 0.3, rng.integers(1, 6, 25))
    scores = rng.integers(0, (3, 10, 1000)[seed % 3], labels.size)
    scores = scores + rng.integers(0, 2) * labels * rng.integers(1, 20)
    where = rng.random(labels.size) < 0.9 if seed % 4 == 3 else None
    return aj.Case(labels, scores.astype(float), where=where), float(rng.choice(scores))


def outside(metrics, seeds):
    """Give the values that lie outside their range."""
    found = []
    for case, level in map(drawn, seeds):
        for metric in metrics:
            areas = metric.row.needs == "scores"
            forms = [metric] if areas else [metric(at=level), aj.best(metric, thresholds=6)]
            low, high = metric.row.range
            values = [(str(form), form.reading(case).value) for form in forms]
            found += [(*said, case) for said in values if said[1] < low or said[1] > high]
    return found


@pytest.mark.long
def test_no_value_leaves_its_range():
    assert not outside(METRICS, range(8))


@pytest.mark.long
@pytest.mark.parametrize("first", range(8, 104, 24))
def test_no_value_leaves_its_range_on_many_cases(first):
    assert not outside(METRICS, range(first, first + 24))


def test_the_law_rejects_sums_that_are_left_as_they_round(monkeypatch):
    monkeypatch.setattr(rates, "at_most_one", lambda value: value)
    assert outside([aj.event_coverage, aj.f1(beta=1e-6)], range(8))


def test_a_part_that_rounds_above_its_whole_is_the_whole():
    more = 1.0000000000000002
    tally = Tally(found=np.array([more, np.nan]), truth=1, right=np.array([more, 0]), flagged=1)
    assert rates.recall(tally).tolist()[0] == rates.precision(tally).tolist()[0] == 1
    assert rates.FBeta(0.3)(tally).tolist()[0] == 1
    assert np.isnan(rates.recall(tally)[1])
    assert trapezoid(np.array([more, more]), np.array([0.0, 1.0])) == 1


def test_the_best_threshold_is_the_highest_among_equals_whatever_rounds():
    labels, scores = [1, 1, 1, 0, 1, 1, 1, 0, 1], [3, 3, 3, 0, 2, 2, 2, 0, 1]
    for spec in ("event_coverage", "range_recall", "tapr_recall", "adc"):
        values = aj.metric(spec).curve(aj.Case(labels, scores)).values
        found = aj.best(aj.metric(spec)).reading(aj.Case(labels, scores))
        assert found.value == np.nanmax(values) <= 1


@pytest.mark.parametrize("seed", range(3))
def test_delays_have_no_upper_end(seed):
    case = aj.Case(np.repeat([0, 1, 0], 30), np.arange(90) > 40 + seed)
    assert aj.detection_delay.reading(case).value == 11 + seed
