"""Two columns with an index must have the same one; what has none is read by position."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import adjudge as aj

DAYS = pd.date_range("2026-01-01", periods=6)
LABELS = pd.Series([0, 0, 1, 1, 0, 0], index=DAYS)
FLAGS = pd.Series([0, 0, 0, 1, 1, 0], index=DAYS)
BACKWARDS = FLAGS.sort_index(ascending=False)
SERIES = pd.Series(list("aaabbb"), index=DAYS)


def refused(one, other, first, second, place=0):
    message = (
        f"{one} and {other} must have the same index, got {first} and {second} at position "
        f"{place}; write {other}.reindex({one}.index)"
    )
    return pytest.raises(aj.InputError, match=rf"\A{re.escape(message)}")


def day(number):
    return repr(DAYS[number])


CALLS = {
    "metric": aj.f1,
    "case": aj.Case,
    "best": aj.best(aj.f1_ba),
    "curve": lambda labels, flags: aj.curve(labels, flags, "f1"),
    "explain": lambda labels, flags: aj.explain(labels, flags, "f1"),
    "chance": lambda labels, flags: aj.chance(labels, "f1", like=flags),
    "evaluate": lambda labels, flags: aj.evaluate(labels, flags, "f1", chance=False),
    "frame": lambda labels, flags: aj.evaluate(labels, flags.to_frame("x"), "f1", chance=False),
    "second": lambda labels, flags: aj.evaluate(
        labels, {"a": LABELS, "b": flags}, "f1", chance=False
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_another_order_is_refused_wherever_columns_meet(name):
    CALLS[name](LABELS, FLAGS)
    with refused("labels", "scores['b']" if name == "second" else "scores", day(0), day(5)):
        CALLS[name](LABELS, BACKWARDS)


def test_detectors_with_other_indexes_are_refused_also_where_the_labels_have_none():
    with refused("scores['a']", "scores['b']", day(0), day(5)):
        aj.evaluate(LABELS.to_list(), {"a": FLAGS, "b": BACKWARDS}, "f1", chance=False)


@pytest.mark.parametrize("name", ["case", "evaluate", "compare"])
def test_a_time_in_another_order_is_refused(name):
    calls = {
        "case": lambda time: aj.Case(LABELS, FLAGS, time=time),
        "evaluate": lambda time: aj.evaluate(LABELS, FLAGS, "f1", chance=False, time=time),
        "compare": lambda time: aj.compare(LABELS, FLAGS, FLAGS, "f1", time=time, sort=True),
    }
    time = pd.Series(DAYS, index=DAYS)
    calls[name](time)
    with refused("labels", "time", day(0), day(5)):
        calls[name](time[::-1])


def test_compared_detectors_are_called_by_their_names():
    with pytest.raises(aj.InputError, match=r"labels and scores\['b'\] must have the same index"):
        aj.compare(LABELS, FLAGS, BACKWARDS, "f1")


def test_both_ways_on_give_what_they_say():
    assert aj.f1(LABELS, BACKWARDS.reindex(LABELS.index)) == aj.f1(LABELS, FLAGS) == 0.5
    assert aj.f1(LABELS, BACKWARDS.to_numpy()) == 0.5
    assert aj.f1(LABELS, pd.Series([0, 1, 1, 0, 0, 0]).to_numpy()) == 0.5


def test_disjoint_and_shifted_slices_are_refused():
    long = pd.Series(np.arange(12) % 2)
    with refused("labels", "scores", "0", "6"):
        aj.f1(long[:6], long[6:])
    with refused("labels", "scores", "4", "9", 4):
        aj.f1(long[:6], pd.Series([0] * 6, index=[0, 1, 2, 3, 9, 5]))


@pytest.mark.parametrize("name", ["series", "where"])
def test_series_and_where_are_compared_too(name):
    wrong = {"series": SERIES[::-1], "where": FLAGS[::-1] > -1}[name]
    with refused("labels", name, day(0), day(5)):
        aj.Case(LABELS, FLAGS.to_numpy(), **{name: wrong})
    with refused("labels", name, day(0), day(5)):
        aj.Events.from_labels(LABELS, **{name: wrong})


def test_series_and_where_are_compared_with_each_other():
    events = aj.Events.from_labels(LABELS.to_numpy())
    with refused("series", "where", day(0), day(5)):
        events.within(series=SERIES, where=FLAGS[::-1] > -1)
    with refused("scores", "where", day(0), day(5)):
        aj.Case(events, FLAGS, where=FLAGS[::-1] > -1)


def test_equal_indexes_of_other_kinds_and_what_has_none_are_fine():
    plain = FLAGS.reset_index(drop=True)
    same = pd.Series(plain.to_numpy(), index=[0, 1, 2, 3, 4, 5], name="other")
    named = pd.Series(plain.to_numpy(), index=pd.RangeIndex(6, name="step"))
    for scores in (plain, same, named, plain.tolist(), pl.Series(plain.tolist())):
        assert aj.f1(LABELS.reset_index(drop=True), scores) == 0.5
    assert aj.f1(LABELS, pl.Series(plain.tolist())) == 0.5
    same_everywhere = pd.Series([0, 1, 1], index=["x"] * 3)
    assert aj.f1(same_everywhere, same_everywhere) == 1


def test_unequal_lengths_are_told_as_such():
    with pytest.raises(aj.InputError, match="equally long, got 6 and 4 points"):
        aj.f1(LABELS, FLAGS[:4])
