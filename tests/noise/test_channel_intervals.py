"""Intervals of several channels by sums: what a value is without each unit, read anew."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.data.channels import channel_cases
from adjudge.noise.intervals.evidence import units_of
from adjudge.noise.intervals.read_anew import is_summed, left_out, read_spread, without_rows


def story(seed=1, n=2000, channels=3):
    rng = np.random.default_rng(seed)
    labels, scores = np.zeros((n, channels), int), rng.normal(size=(n, channels))
    for place, start in enumerate(range(50, n - 60, 130)):
        for channel in {place % channels, place**2 % channels}:
            labels[start : start + 20 + place, channel] = 1
            scores[start + 3 : start + 15, channel] += 3 * (place % 3 > 0)
    (case,) = channel_cases(labels, scores, list("abcd")[:channels])
    return case


def summed_spread(metric, case, value, units):
    values, stakes = without_rows(case, metric, units)
    return left_out(value, values, stakes, metric.row.range, units.homes(len(values)))


def both(spec, case, at=2.5):
    metric = aj.metric(spec)
    metric = metric.placed(at) if metric.needs_threshold else metric
    value, units = metric.reading(case).value, units_of(case.channels.joined)
    read = read_spread(
        lambda events: metric.reading(case.within(events.judged)).value, value, units,
        metric.row.range,
    )  # fmt: skip
    return read, summed_spread(metric, case, value, units)


@pytest.mark.parametrize(
    "spec",
    ["micro(f1)", "macro(f1)", "macro(event_f1)", "micro(f1_pa)", "macro(mcc)", "channel_f1",
     "channel_precision", "macro(detection_delay)"],
)  # fmt: skip
def test_taking_rows_away_is_reading_anew(spec):
    read, summed = both(spec, story())
    assert summed == pytest.approx(read)


@pytest.mark.parametrize("spec", ["best(macro(f1))", "macro(best(f1))", "best(micro(f1))"])
def test_at_the_best_threshold_both_are_close(spec):
    read, summed = both(spec, story())
    assert summed.se == pytest.approx(read.se, rel=0.15)
    assert summed.value == pytest.approx(read.value)


def test_rows_of_another_unit_would_be_noticed():
    read, summed = both("micro(f1)", story())
    other = both("micro(f1)", story(2))[1]
    assert other.se != pytest.approx(read.se, rel=0.01)
    assert summed.df == read.df


def test_a_single_unit_has_no_spread():
    labels, flags = np.zeros((2, 60, 2), int)
    labels[20:30, 0], flags[22:25, 0] = 1, 1
    (case,) = channel_cases(labels, flags, ["a", "b"])
    units = units_of(case.channels.joined)
    found = summed_spread(aj.metric("micro(f1)"), case, 0.4, units)
    assert found.value == pytest.approx(0.4, abs=0.1)


def test_what_is_no_sum_by_unit():
    for spec in ("macro(auc_roc)", "best(channel_f1)", "cause_hit_rate", "incident_f1"):
        assert not is_summed(aj.metric(spec))
