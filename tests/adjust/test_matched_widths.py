"""Matched widths, shifting borders and events that weigh the same: by hand, and at scale."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.adjust.balanced import Balanced, matched_widths
from adjudge.count.points import PointCount
from adjudge.count.tally import mix
from adjudge.measure.rates import FBeta


def two_widths():
    """Events of 2 and 6 points, one false alarm amid 20 normal points, the wide event found."""
    labels, flags = np.zeros((2, 60), int)
    labels[10:12] = labels[32:38] = 1
    flags[[20, 33]] = 1
    return labels, flags


def test_matched_islands_cost_the_mean_over_the_anomalous_points():
    labels, flags = two_widths()
    # a quarter of the anomalous points see width 2, the others 6: (2 + 3 * 6) / 4 = 5
    assert aj.f1_ba(labels, flags, width="matched") == 2 * 6 / (8 + 6 + 5)
    receipt = aj.explain(labels, flags, 'f1_ba(width="matched")')
    assert receipt.alarms.cost.tolist() == [5.0, 0.0]
    assert (receipt.alarms.island_start[0], receipt.alarms.island_stop[0]) == (18, 24)
    assert receipt.strip(16, 26).splitlines()[2] == "counted  ..--!---.."
    assert "false, charged over [18, 24)       costs 5" in str(receipt)


def test_with_equal_widths_matched_is_that_width():
    rng = np.random.default_rng(0)
    labels = np.tile(np.repeat([0, 1, 0], [30, 8, 30]), 5)
    scores = rng.normal(size=labels.size) + labels
    matched, single = aj.f1_ba(width="matched"), aj.f1_ba(width=8)
    assert aj.best(matched)(labels, scores) == aj.best(single)(labels, scores)
    assert aj.auc_roc_ba(labels, scores, width="matched") == aj.auc_roc_ba(labels, scores, width=8)


def test_without_events_matched_is_width_one():
    flags = np.arange(20) % 5 == 0
    receipt = aj.explain(np.zeros(20), flags, 'f1_ba(width="matched")')
    assert receipt.tally == (0, 0, 0, 4, 20)
    assert np.isnan(aj.informedness_ba(np.zeros(20), flags))
    assert np.isnan(aj.informedness_ba(np.ones(20), flags))


def test_a_mixture_of_one_part_is_that_part():
    labels, flags = two_widths()
    events = aj.Events.from_labels(labels)
    masses = PointCount().masses(flags > 0, events)
    assert mix([(7, masses)]) is masses


def many_widths(rng, events=200):
    """So many distinct widths that they are grouped."""
    widths = rng.integers(1, 120, events)
    labels = np.concatenate([np.repeat([0, 1], [rng.integers(80, 200), w]) for w in widths])
    return labels, rng.normal(size=labels.size) + labels


def test_the_best_of_a_mixture_is_the_best_of_its_curve():
    labels, scores = many_widths(np.random.default_rng(7))
    for spec in ('f1_ba(width="matched", border="shift")', "event_f1_ba", "informedness_ba"):
        case = aj.Case(labels, scores)
        found = aj.best(aj.metric(spec)).reading(case)
        assert (found.at, found.value) == aj.curve(labels, scores, spec).best()
        assert aj.metric(spec)(labels, scores, at=found.at) == pytest.approx(found.value, rel=1e-14)


def test_a_mixture_sums_whole_numbers_and_divides_once():
    labels, scores = many_widths(np.random.default_rng(8))
    events = aj.Events.from_labels(labels)
    adjust = Balanced(width="matched")
    masses = PointCount().counts(scores, events, adjust)
    thresholds, tally = masses.sweep
    for place in (0, 100, len(thresholds) // 2, len(thresholds) - 1):
        assert tally.flagged[place] == masses.at(thresholds[place]).flagged
    layers = adjust.layers(events)
    assert 10 < len(layers) <= 16 < len(set(events.widths.tolist()))
    expected = sum(
        weight * np.count_nonzero(layer(scores, events)[events.normal] > 2)
        for weight, layer in layers
    )
    assert masses.false.above(2) == expected / labels.sum()
    assert tally.flagged[-1] == labels.size  # everything: nothing is lost to rounding


def test_a_grouped_mixture_is_close_to_one_layer_per_event():
    labels, scores = many_widths(np.random.default_rng(9))
    events, flags = aj.Events.from_labels(labels), scores > 2.5
    share = events.widths / labels.sum()
    false = sum(
        x * np.count_nonzero(Balanced(int(width))(flags, events) & events.normal)
        for x, width in zip(share, events.widths, strict=True)
    )
    grouped = PointCount().counts(flags, events, Balanced(width="matched")).false.above(False)
    assert grouped == pytest.approx(false, rel=0.01)


@pytest.mark.parametrize("width", range(1, 30))
def test_with_shifting_borders_every_normal_point_sees_the_same_number_of_points(width):
    """Each flag alone: the marks that all flags leave on a point are the points it sees."""
    labels = np.repeat([0, 1, 0, 1, 0], [3, 4, 25, 2, 11])
    where = np.ones(labels.size, int)
    where[20] = 0
    events = aj.Events.from_labels(labels, where=where)
    seen = np.zeros(labels.size, int)
    for u in np.flatnonzero(events.normal):
        flags = np.arange(labels.size) == u
        seen += Balanced(width, border="shift")(flags, events)
    expected = np.repeat([3, 0, 13, 0, 11, 0, 11], [3, 4, 13, 1, 11, 2, 11])
    assert np.minimum(expected, width).tolist() == seen.tolist()


def test_nothing_but_events_leaves_no_normal_run():
    assert aj.f1_ba([1, 1, 1], [0, 1, 0], border="shift") == 1.0
    assert aj.explain([1, 1], [0, 1], 'f1_ba(border="shift")').tally == (2, 2, 2, 2, 0)


def test_a_shifted_island_is_charged_to_the_nearest_flag_of_its_own_run():
    labels, flags = np.zeros((2, 30), int)
    labels[10:12] = 1
    flags[[9, 14]] = 1
    alarms = aj.explain(labels, flags, 'f1_ba(width=6, border="shift")').alarms
    assert alarms.cost.tolist() == [3, 6]  # points 7 to 9 see 9, and 12 to 17 see 14
    assert alarms.island_start.tolist() == [7, 12]


def long_and_short():
    """Nine events of 20 points and one of 600, with room between them."""
    widths = [20] * 9 + [600]
    return np.concatenate([np.repeat([0, 1], [700, width]) for width in widths] + [[0] * 700])


def test_nine_short_events_outweigh_one_long_one():
    """Where the events weigh the same: .947 against .182; by points it is .38 against .87."""
    labels = long_and_short()
    events = aj.Events.from_labels(labels)
    nine, one = labels.copy(), labels.copy()
    nine[events.starts[-1] :] = 0
    one[: events.starts[-1]] = 0
    assert [round(aj.event_f1_ba(labels, f), 3) for f in (nine, one)] == [0.947, 0.182]
    assert [round(aj.f1_ba(labels, f), 2) for f in (nine, one)] == [0.38, 0.87]


def test_a_false_alarm_costs_as_much_as_a_missed_event():
    labels = long_and_short()
    alarm, missed = labels.copy(), labels.copy()
    alarm[300] = 1
    missed[700:720] = 0
    assert aj.event_f1_ba(labels, alarm, width=100) == 20 / 21
    assert aj.event_f1_ba(labels, missed, width=100) == 18 / 19
    receipt = aj.explain(labels, alarm, "event_f1_ba(width=100)")
    assert receipt.alarms.cost[0] == 1
    assert receipt.tally == (10, 10, 10, 11, np.count_nonzero(labels == 0) / 100)


def test_event_weights_stay_exact_at_every_threshold():
    labels, scores = many_widths(np.random.default_rng(10))
    curve = aj.curve(labels, scores, "event_f1_ba(width=7)")
    false = curve.tally.flagged - curve.tally.right
    assert np.allclose(false * 7, np.round(false * 7), rtol=0, atol=1e-9)
    assert FBeta()(curve.tally).max() == aj.best(aj.event_f1_ba(width=7))(labels, scores)


def test_evaluate_names_no_other_reading_where_there_is_none():
    labels, flags = two_widths()
    for spec in ("informedness_ba", 'f1_ba(width="matched")', 'f1_ba(border="shift")'):
        (row,) = aj.evaluate(labels, flags, spec).rows
        assert row.other_readings == {}


def test_seventeen_doubling_widths_are_sixteen_layers_the_last_two_of_them_one():
    widths = 2 ** np.arange(17)
    stops = np.cumsum(widths + 1)
    found = matched_widths(aj.Events(stops - widths, stops, int(stops[-1]) + 1))
    assert [(int(width), int(width)) for width in widths[:15]] == found[:15]
    points = 2**15 + 2**16
    assert [(points, round((2**30 + 2**32) / points))] == found[15:]


@pytest.mark.parametrize("border", ["clip", "shift"])
@pytest.mark.parametrize("width", ["matched", None, 1, 2, 9, 10**12])
@pytest.mark.parametrize("points", [1, 40, 700])
def test_flags_are_counted_as_the_adjusted_flags_of_each_layer(border, width, points):
    rng = np.random.default_rng(points)
    adjust = Balanced(width=width, border=border)
    for share in (0.02, 0.3, 0.9):
        labels = np.repeat(rng.random(points) < 0.2, rng.integers(1, 9, points))[:points]
        flags, series = rng.random(points) < share, np.arange(points) // 31
        for ids in (None, series):
            events = aj.Events.from_labels(labels, series=ids)
            layers = [(w, one(flags, events)) for w, one in adjust.layers(events)]
            false = sum(w * np.count_nonzero(one & events.normal) for w, one in layers)
            found = np.count_nonzero(layers[0][1] & events.labels)
            assert adjust.marked(flags, events) == (found, false / sum(w for w, _ in layers))
