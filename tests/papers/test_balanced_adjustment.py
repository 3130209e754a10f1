"""Numbers printed in, or following from, the paper on balanced adjustment (arXiv:2409.13053).

Errata are numbered as in docs/errata.md.
"""

from fractions import Fraction

import numpy as np
import pytest

import adjudge as aj


def figure_one():
    labels, flags = np.zeros((2, 80), int)
    labels[18:32] = labels[50:60] = 1
    flags[21:25] = flags[40:44] = flags[54:58] = 1
    return labels, flags


@pytest.mark.parametrize(
    ("spec", "fraction"),
    [("f1", (4, 9)), ("f1_pa", (12, 13)), ("f1_kpa(k=0.4)", (2, 3)), ("f1_ba(width=5)", (6, 7))],
)
def test_figure_one_as_exact_fractions(spec, fraction):
    labels, flags = figure_one()
    found, truth, _, flagged, _ = aj.explain(labels, flags, spec).tally
    expected = Fraction(*fraction)
    assert expected == Fraction(2 * found, truth + flagged)
    assert float(expected) == aj.metric(spec)(labels, flags)


@pytest.mark.parametrize(("width", "value"), [(4, 48 / 55), (5, 6 / 7), (6, 48 / 57)])
def test_only_a_width_of_five_points_fits_the_caption_of_figure_one(width, value):
    """Erratum E5: the caption prints .857; w = 4 under the printed rule marks six points: .842."""
    labels, flags = figure_one()
    assert value == aj.f1_ba(labels, flags, width=width)
    assert (round(value, 3) == 0.857) == (width == 5)


@pytest.mark.parametrize(("width", "spilled"), [(51, 50 / 151), (101, 100 / 201), (201, 200 / 301)])
def test_a_false_alarm_beside_a_missed_event_earns_nothing_by_default(width, spilled):
    """Erratum E7: one step before a missed event of 100 points, the printed rule pays."""
    labels, flags = np.zeros((2, 1000), int)
    labels[400:500] = 1
    flags[399] = 1
    assert aj.f1_ba(labels, flags, width=width) == 0
    assert spilled == aj.f1_ba(labels, flags, width=width, islands="spill")


def test_the_authors_reading_scores_perfection_below_one():
    """Erratum E8: 0.857 on the labels of figure 1, 0.671 on 20 events of 50 points."""
    labels, _ = figure_one()
    assert round(aj.f1_ba(labels, labels, width=5, islands="all"), 3) == 0.857
    many = np.zeros(20_000, int)
    for start in range(500, 20_000, 1000):
        many[start : start + 50] = 1
    assert round(aj.f1_ba(many, many, width=50, islands="all"), 3) == 0.671
    assert aj.f1_ba(many, many, width=50) == 1


@pytest.mark.parametrize(("run", "cost"), [(1, 100), (3, 102), (10, 109)])
def test_an_isolated_false_run_costs_its_width_plus_the_island_less_one(run, cost):
    """Erratum E25: w_fp + w - 1 points."""
    labels, flags = np.zeros((2, 1000), int)
    labels[100:200] = flags[100:200] = 1
    flags[600 : 600 + run] = 1
    assert cost == aj.explain(labels, flags, "f1_ba(width=100)").alarms.cost.sum()


def test_one_false_alarm_costs_a_third_where_point_adjustment_charges_half_a_percent():
    """Erratum E26: epsilon = (w_fp + w - 1) / (2 s + w_fp + w - 1) with w = s."""
    labels, flags = np.zeros((2, 1000), int)
    labels[100:200] = flags[100:200] = 1
    flags[600] = 1
    assert 1 - aj.f1_ba(labels, flags, width=100) == pytest.approx(1 / 3)
    assert 1 - aj.f1_pa(labels, flags) == pytest.approx(0.005, abs=5e-5)


def test_one_point_per_event_is_perfect():
    """Erratum E27: exclusive is meant of events, not of points."""
    labels, flags = np.zeros((2, 1000), int)
    labels[100:200] = labels[600:620] = 1
    flags[150] = flags[619] = 1
    assert aj.f1_ba(labels, flags) == 1


def test_with_equal_widths_balanced_f1_is_the_f1_of_events_and_isolated_alarms():
    """2 d / (N + d + k) for d hits of N events and k isolated false alarms."""
    labels, flags = np.zeros((2, 20_000), int)
    starts = range(500, 10_500, 1000)
    for start in starts:
        labels[start : start + 50] = 1
    for start in list(starts)[:7]:
        flags[start + 10] = 1
    for alarm in range(12_000, 18_000, 1500):
        flags[alarm] = 1
    assert aj.f1_ba(labels, flags, width=50) == 2 * 7 / (10 + 7 + 4)


def test_precision_and_recall_of_events_are_not_swapped():
    """Erratum E28: precision counts runs, recall counts events; two runs may hit one event."""
    labels = [0, 1, 1, 1, 1, 0, 0, 1, 0, 0]
    flags = [0, 1, 0, 1, 0, 0, 0, 0, 0, 1]
    assert aj.event_precision(labels, flags) == 2 / 3
    assert aj.event_recall(labels, flags) == 1 / 2
    assert aj.event_coverage(labels, flags) == 1 / 2


def test_one_run_may_find_two_events():
    """Erratum E29: so events found may outnumber the runs that find them."""
    labels, flags = [1, 0, 1, 0], [1, 1, 1, 0]
    found, _, right, _, _ = aj.explain(labels, flags, "event_f1").tally
    assert (found, right) == (2, 1)


def test_random_scores_are_flattered_by_point_adjustment_alone():
    rng = np.random.default_rng(0)
    labels = np.zeros(10_000, int)
    for start in range(1000, 10_000, 2000):
        labels[start : start + 200] = 1
    scores = rng.random(10_000)
    share = 2 * 0.1 / 1.1
    assert aj.best(aj.f1_pa)(labels, scores) > 0.85
    assert aj.best(aj.f1_ba)(labels, scores) < share + 0.1
    assert aj.best(aj.f1)(labels, scores) < share + 0.02


def test_the_roc_area_of_noise_is_one_half_balanced_and_near_one_point_adjusted():
    """Point-adjusted noise has area s / (s + 1): 0.980 for events of 50 points."""
    rng = np.random.default_rng(1)
    labels = np.zeros(200_000, int)
    for start in range(200, 200_000, 500):
        labels[start : start + 50] = 1
    scores = rng.random(labels.size)
    assert aj.auc_roc_pa(labels, scores) == pytest.approx(50 / 51, abs=0.005)
    assert aj.auc_roc_ba(labels, scores, width=50) == pytest.approx(0.5, abs=0.03)
