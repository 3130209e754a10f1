"""Adjustments against their twins, and the cases in which their readings part."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

import adjudge as aj
import naive
from adjudge.adjust.adjustments import Covered
from adjudge.adjust.balanced import Balanced
from adjudge.data.events import Events
from adjudge.data.windows import moving_max
from small import ADJUSTMENTS, cases


@pytest.mark.parametrize("name", ADJUSTMENTS)
@given(case=cases(flags=True))
def test_an_adjustment_of_flags_equals_its_naive_twin(name, case):
    fast, slow = ADJUSTMENTS[name]
    labels, flags, series, where = case
    events = Events.from_labels(labels, series=series, where=where)
    given_flags = np.array(naive.raw(labels, flags, series, where))
    expected = slow(labels, flags, series, where)
    assert expected == fast(given_flags, events).tolist()


@pytest.mark.parametrize("few", [0, 1000])
@pytest.mark.parametrize("width", [1, 2, 3, 8, 1000])
@pytest.mark.parametrize("lengths", [[20], [1, 1, 1], [3, 50, 4, 4, 17], [1, 200, 1]])
def test_the_moving_maximum_never_leaves_its_series(width, lengths, few, monkeypatch):
    monkeypatch.setattr("adjudge.data.windows._FEW", few)  # beyond them in place
    rng = np.random.default_rng(width)
    values = rng.integers(0, 9, sum(lengths)).astype(float)
    bounds = np.concatenate([[0], np.cumsum(lengths)])
    before, after = (width - 1) // 2, width // 2
    expected = [
        max(values[max(t - before, a) : min(t + after + 1, b)])
        for a, b in pairwise(bounds)
        for t in range(a, b)
    ]
    assert expected == moving_max(values, before, after, bounds).tolist()


@pytest.mark.parametrize("width", range(1, 12))
def test_an_isolated_island_has_exactly_its_width(width):
    """Erratum E3: the printed rule marks one or two points too many."""
    labels, flags = np.zeros((2, 41), bool)
    flags[20] = True
    island = Balanced(width)(flags, Events.from_labels(labels))
    assert np.count_nonzero(island) == width
    assert np.flatnonzero(island)[0] == 20 - (width - 1) // 2


@pytest.mark.parametrize(
    ("k", "width", "strict", "hits"),
    [(0.1, 30, False, 3), (0.1, 30, True, 4), (0.07, 100, False, 7), (0.29, 100, False, 29),
     (0.2, 15, False, 3), (1.0, 7, False, 7), (1.0, 7, True, 8), (1e-9, 5, False, 1),
     (0.5, 1, False, 1), (0.6, 5, False, 3), (0.6, 5, True, 4)],
)  # fmt: skip
def test_the_hits_that_an_event_needs_are_compared_as_a_ratio(k, width, strict, hits):
    events = Events([0], [width], n=width)
    assert Covered(k, strict).marking(events).needed.tolist() == [hits]


def test_needed_hits_are_the_least_that_suffice_for_all_small_widths_and_shares():
    widths = np.arange(1, 200)
    stops = np.cumsum(widths)
    events = Events(stops - widths, stops, n=int(stops[-1]))
    for k in np.linspace(0.005, 1, 200):
        expected = [next(m for m in range(1, w + 1) if m / w >= k) for w in widths.tolist()]
        assert expected == Covered(float(k)).marking(events).needed.tolist()


def missed_event_beside_a_false_alarm():
    labels, flags = np.zeros((2, 40), int)
    labels[15:22] = 1
    flags[14] = 1
    return labels, flags


def test_the_readings_differ_beside_a_missed_event():
    """Spill earns points of an event that no flag touched: normal does not."""
    labels, flags = missed_event_beside_a_false_alarm()
    values = {i: aj.f1_ba(labels, flags, width=5, islands=i) for i in ("normal", "spill", "all")}
    assert values == {"normal": 0.0, "spill": 4 / 12, "all": 4 / 12}


def test_the_readings_differ_on_a_perfect_detector():
    """The authors' code dilates true flags too: perfection scores below 1."""
    labels = np.zeros(40, int)
    labels[15:25] = 1
    values = {i: aj.f1_ba(labels, labels, width=5, islands=i) for i in ("normal", "spill", "all")}
    assert values == {"normal": 1.0, "spill": 1.0, "all": 20 / 24}


def overhang():
    labels, flags = np.zeros((2, 11_000), int)
    for start in range(500, 10_500, 1000):
        labels[start : start + 100] = 1
        flags[start - 1 : start + 101] = 1
    return labels, flags


def test_one_point_too_wide_is_a_cliff_that_a_margin_of_one_mends():
    labels, flags = overhang()
    assert round(aj.f1(labels, flags), 3) == 0.990
    assert round(aj.f1_pa(labels, flags), 3) == 0.990
    assert round(aj.f1_ba(labels, flags, width=100), 3) == 0.664
    assert aj.f1_ba(labels, flags, width=100, margin=1) == aj.f1_pa(labels, flags)


def test_a_margin_counts_distance_in_points_and_spares_only_near_alarms():
    labels, flags = np.zeros((2, 60), int)
    labels[20:30] = 1
    flags[[17, 25, 50]] = 1
    assert aj.explain(labels, flags, "f1_ba(width=5, margin=2)").alarms.cost.tolist() == [5, 0, 5]
    assert aj.explain(labels, flags, "f1_ba(width=5, margin=3)").alarms.cost.tolist() == [1, 0, 5]


@pytest.mark.parametrize("islands", ["normal", "spill", "all"])
def test_figure_one_does_not_tell_the_readings_apart(islands):
    labels, flags = np.zeros((2, 80), int)
    labels[18:32] = labels[50:60] = 1
    flags[21:25] = flags[40:44] = flags[54:58] = 1
    assert aj.f1_ba(labels, flags, width=5, islands=islands) == 6 / 7
