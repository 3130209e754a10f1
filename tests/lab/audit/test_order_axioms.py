"""C-2 and C-3: better detectors score more, and perfect ones most."""

import math
import re

import numpy as np
import pytest

import adjudge as aj
from adjudge.lab.audit.audits import audit
from adjudge.lab.audit.order_axioms import (
    _dominates,
    _draw_pair,
    _draw_scored_pair,
    _population_pair,
)
from lab.audit import naive_axioms as naive
from lab.audit.subjects import always, run_of


@pytest.mark.parametrize(
    ("spec", "alarm", "miss"),
    [
        ("f1", 1 - 2000 / 2001, 1 - 1900 / 1950),
        ("f1_pa", 1 - 2000 / 2001, 1 - 1900 / 1950),
        ("f1_ba", 1 - 2000 / 2051, 1 - 1900 / 1950),
        ("event_f1", 1 - 40 / 41, 1 - 38 / 39),
    ],
)
def test_c3_measures_what_one_mistake_costs(spec, alarm, miss):
    extras = audit(spec, ["C-3"])["C-3"].extras
    assert math.isclose(alarm, extras["one false alarm"])
    assert math.isclose(miss, extras["one missed event"])
    assert math.isclose(alarm / miss, extras["exchange rate"])


def test_c3_reports_the_missed_point_and_does_not_require_it():
    found = audit("f1_ba", ["C-3"])["C-3"]
    assert (found.outcome, found.extras["one missed point"]) == ("pass", 0.0)


def test_c3_says_the_missed_point_and_the_exchange_rate_where_there_is_one():
    sentence = audit("f1", "C-3")["C-3"].sentence
    alarm, event, least, point, rate = map(float, re.findall(r"0\.\d+", sentence))
    assert (alarm, event, least, point) == (0.0005, 0.0256, 0.01, 0.0005)
    assert rate == pytest.approx(alarm / event, rel=0.05)
    assert audit(always(1.0), "C-3")["C-3"].sentence.endswith("; one missed point 0.0000")


def test_coupled_detectors_differ_in_one_point_and_the_first_is_better():
    rng = np.random.default_rng(0)
    for draw in (lambda: _draw_pair(rng, "flags"), lambda: _draw_scored_pair(rng)):
        for _ in range(300):
            labels, better, worse = draw()
            assert naive.dominates(labels > 0, better, worse)
            assert _dominates(np.array([labels, better, worse]))
            assert np.count_nonzero(better != worse) <= 1
    assert not _dominates(np.array([[1], [0], [1]]))


def test_a_population_s_counterexample_is_left_out_when_the_time_is_up():
    run = run_of(always(0.5))
    run.deadline = -1
    assert _population_pair(run, np.zeros((1, 49)), 0) is None


def test_a_counterexample_is_small_and_still_shows_it():
    found = audit("event_f1", ["C-2"], effort="quick")["C-2"].counterexample
    better, worse = found.rows.values()
    assert found.labels.size <= 6
    assert naive.dominates(found.labels, better, worse)
    assert aj.event_f1(found.labels, worse) > aj.event_f1(found.labels, better)
