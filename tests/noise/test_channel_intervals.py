"""Intervals of several channels: the rows of a unit are what becomes of the value without it."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.ledger import Ledger
from adjudge.data.channels import ChannelReading, channel_cases
from adjudge.noise.intervals.interval import interval
from adjudge.noise.intervals.jackknife import owners, without_each
from adjudge.noise.intervals.rates import Side
from adjudge.noise.intervals.units import units_of


def story(seed=1, n=2000, channels=3):
    rng = np.random.default_rng(seed)
    labels, scores = np.zeros((n, channels), int), rng.normal(size=(n, channels))
    for place, start in enumerate(range(50, n - 60, 130)):
        for channel in {place % channels, place**2 % channels}:
            labels[start : start + 20 + place, channel] = 1
            scores[start + 3 : start + 15, channel] += 3 * (place % 3 > 0)
    (case,) = channel_cases(labels, scores, list("abcd")[:channels])
    return case


def placed(spec, at=2.5):
    metric = aj.metric(spec)
    return metric.with_default_threshold(at) if metric.needs_threshold else metric


def read_without(metric, case, units):
    """The slow twin: the value is read anew without the points of each unit."""
    owner = owners(units, units.count)
    return [
        metric.reading(case.within((owner >= 0) & (owner != unit))).value
        for unit in range(units.count)
    ]


def rows_without(metric, case, units):
    rows = Side.of(metric, case).by(units)
    return metric.value(rows.sum(axis=0) - rows)


SPECS = [  # without islands, which the end of a unit cuts where it is read anew

    "micro(f1)", "macro(f1)", "macro(event_f1)", "micro(f1_pa)", "macro(mcc)",
    "macro(detection_delay)", "micro(mcc)",
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_taking_rows_away_is_reading_anew(spec):
    metric, case = placed(spec), story()
    units = units_of(case.truth)
    expected = read_without(metric, case, units)
    np.testing.assert_allclose(rows_without(metric, case, units), expected)


def test_rows_of_another_unit_would_be_noticed():
    metric, case = placed("micro(f1)"), story()
    units = units_of(case.truth)
    expected = read_without(metric, case, units)
    turned = np.roll(rows_without(metric, case, units), 1)
    assert not np.allclose(turned, expected)


@pytest.mark.parametrize("spec", ["channel_f1", "channel_precision"])
def test_events_that_begin_elsewhere_are_what_is_left(spec):
    metric, case = placed(spec), story()
    units = units_of(case.truth)
    found = without_each(case, metric, units)
    np.testing.assert_allclose(found.values, read_without(metric, case, units))


@pytest.mark.parametrize("spec", ["micro(f1)", "channel_f1"])
def test_a_single_unit_carries_no_interval(spec):
    labels, flags = np.zeros((2, 60, 2), int)
    labels[20:30, 0], flags[22:25, 0] = 1, 1
    (case,) = channel_cases(labels, flags, ["a", "b"])
    found = interval(aj.metric(spec), case)
    assert math.isnan(found.low)
    assert found.words == "too few to say: 1 event"


def test_a_mean_weighs_a_line_of_few_events_more():
    """Of twelve events eleven are on one channel: the twelfth is half of the mean."""
    labels, flags = np.zeros((2, 800, 2), int)
    for place, start in enumerate(range(20, 780, 64)):
        labels[start : start + 8, int(place == 5)] = 1
        flags[start : start + 8, int(place == 5)] = int(place != 3)
    (case,) = channel_cases(labels, flags, ["often", "once"])
    mean, summed = (interval(aj.metric(f"{how}(event_recall)"), case) for how in ("macro", "micro"))
    assert (mean.equal < 4, summed.equal > 9) == (True, True)
    assert mean.high - mean.low > summed.high - summed.low


@pytest.mark.parametrize("spec", ["macro(auc_roc)", "cause_hit_rate", "best(channel_f1)"])
def test_what_is_no_sum_by_unit_is_read_anew(spec):
    metric, case = aj.metric(spec), story()
    assert not metric.has_rows(case)
    at = metric.reading(case).at
    found = interval(metric, case, best_at=at)
    assert found.low < metric.reading(case).value < found.high


def test_rows_of_channels_are_those_of_each_channel():
    rng = np.random.default_rng(4)
    labels, flags = rng.random((2, 30, 3)) < 0.3
    series = np.repeat(["x", "y"], 15)
    (case,) = channel_cases(labels, flags, list("abc"), how=ChannelReading(series=series))
    found = aj.macro(aj.event_f1).ledger(case)
    each = [aj.event_f1.ledger(part).sum() for part in case.parts]
    np.testing.assert_allclose(found.sum(by=found.line // 2, count=3), each)
    assert len(found.rows()) == sum(len(part.events) for part in case.parts)
    assert len(Ledger.of().truth) == 0
