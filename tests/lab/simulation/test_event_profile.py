"""What a marking is like at the level of events."""

import math

import numpy as np
from hypothesis import given

import adjudge as aj
from adjudge import Events
from adjudge.lab.simulation.event_profile import Attributes, attributes
from small import cases


def looped(labels, flags, ids, kept):
    """The same, one point at a time."""
    n = len(labels)
    judged = [kept is None or kept[t] for t in range(n)]
    truth = pieces([bool(labels[t]) and judged[t] for t in range(n)], ids)
    marked = pieces([bool(flags[t]) and judged[t] for t in range(n)], ids)
    shares = [
        share
        for event in truth
        if (share := len(event & set().union(*marked)) / len(event) if marked else 0)
    ]
    right = [run for run in marked if any(run & event for event in truth)]
    return Attributes(
        len(truth),
        len(marked),
        len(shares),
        len(right),
        len(marked) - len(right),
        len(right) / len(marked) if marked else math.nan,
        len(shares) / len(truth) if truth else math.nan,
        sum(shares) / len(shares) if shares else math.nan,
    )


def pieces(mask, ids):
    """Maximal runs within a series, each as the set of its points."""
    found = []
    for t, inside in enumerate(mask):
        if inside and t and mask[t - 1] and (ids is None or ids[t] == ids[t - 1]):
            found[-1].add(t)
        elif inside:
            found.append({t})
    return found


@given(case=cases(flags=True))
def test_attributes_are_what_one_counts_by_hand(case):
    labels, flags, ids, kept = case
    events = Events.from_labels(labels, series=ids, where=kept)
    actual = attributes(np.array(flags) > 0, events)
    np.testing.assert_allclose(looped(labels, flags, ids, kept), actual, rtol=1e-12)


@given(case=cases(flags=True))
def test_attributes_agree_with_the_catalogue(case):
    labels, flags, ids, kept = case
    events = Events.from_labels(labels, series=ids, where=kept)
    actual = attributes(np.array(flags) > 0, events)
    expected = [
        aj.metric(name)(labels, flags, series=ids, where=kept)
        for name in ("event_precision", "event_recall", "event_coverage")
    ]
    np.testing.assert_allclose(expected, actual[-3:], rtol=1e-12)


def test_the_papers_first_figure():
    events = Events.from_intervals([(18, 32), (50, 60)], n=80)
    flags = Events.from_intervals([(21, 25), (40, 44), (54, 58)], n=80).labels
    expected = Attributes(2, 3, 2, 2, 1, 2 / 3, 1.0, (4 / 14 + 4 / 10) / 2)
    assert expected == attributes(flags, events)


def test_one_run_may_find_two_events_and_two_runs_the_same_one():
    events = Events.from_labels([0, 1, 0, 1, 1, 1, 0])
    wide = attributes(np.array([0, 1, 1, 1, 0, 1, 0]) > 0, events)
    assert (2, 2, 2) == (wide.events_found, wide.true_runs, wide.runs)
    one = attributes(np.array([1, 1, 1, 1, 1, 1, 1]) > 0, events)
    assert (2, 1, 0) == (one.events_found, one.true_runs, one.false_runs)


def test_nothing_flagged_leaves_recall_and_takes_the_rest():
    none = attributes(np.zeros(4, bool), Events.from_labels([0, 1, 1, 0]))
    assert (0, 0) == (none.runs, none.recall)
    assert math.isnan(none.precision)
    assert math.isnan(none.coverage)


def test_without_events_recall_is_undefined():
    nothing = attributes(np.array([True, False]), Events.from_labels([0, 0]))
    assert (0, 1, 0) == (nothing.precision, nothing.false_runs, nothing.events)
    assert math.isnan(nothing.recall)
