"""The calibration theorem: detectors that do not see the labels gain nothing by adjustment.

Five kinds of alarms, only the first of them white noise, are turned in time by a random amount, so
that they are stationary and know nothing of the labels. With islands of the default width their
F1, as the ratio of expected masses, stays at or below that of an alarm everywhere; with matched
widths and shifting borders their informedness is 0 on average. Seeds are fixed.
"""

from functools import cache

import numpy as np
import pytest

import adjudge as aj
from sampling import one_in

GAP, DRAWS = 500, 400
WIDTHS = {"equal": [60] * 12, "mix": [10, 30, 60, 200, 15, 10, 30, 60, 100, 15]}
BORDERS = 0.02  # clipped windows beside events see fewer points: it raises F1 by up to this


def iid(rng, n):
    return rng.random(n) < 0.01


def blocks(rng, n):
    return np.repeat(rng.random(-(-n // 30)) < 0.04, 30)[:n]


def autoregressive(rng, n):
    """Thresholded AR(1) with coefficient 0.9, by its moving average."""
    kernel = 0.9 ** np.arange(100)
    level = np.convolve(rng.normal(size=n + 99), kernel, mode="valid")
    return level > 2.2 * np.sqrt(np.sum(kernel**2))


def comb(rng, n):
    """Single alarms, as evenly as can be: the hardest of all for point adjustment."""
    return np.arange(n) % 70 == 0


def bursts(rng, n):
    """A few hours of many alarms, and silence."""
    open_now = np.repeat(rng.random(-(-n // 200)) < 0.1, 200)[:n]
    return open_now & (rng.random(n) < 0.3)


DETECTORS = {kind.__name__: kind for kind in (iid, blocks, autoregressive, comb, bursts)}


@cache
def events_of(mix):
    """Events with gaps of 500 normal points around each."""
    widths = np.array(WIDTHS[mix])
    starts = GAP + np.cumsum(widths + GAP) - widths - GAP
    return aj.Events(starts, starts + widths, n=int(starts[-1] + widths[-1] + GAP))


@cache
def draws(kind, mix):
    """Alarms of one kind, each draw turned by a random amount."""
    rng = np.random.default_rng([list(DETECTORS).index(kind), list(WIDTHS).index(mix)])
    n = events_of(mix).n
    return [np.roll(DETECTORS[kind](rng, n), rng.integers(n)) for _ in range(DRAWS)]


def ratio_of_expectations(kind, mix, spec):
    """F1 of the mean masses, and its standard error by the delta method."""
    events = events_of(mix)
    _, adjust, count = aj.metric(spec).parts
    tallies = [count.tally(flags, events, adjust) for flags in draws(kind, mix)]
    found, flagged = (
        np.array([getattr(t, name) for t in tallies]) for name in ("found", "flagged")
    )
    below = events.widths.sum() + flagged.mean()
    value = 2 * found.mean() / below
    residuals = (2 * found - value * flagged) / below
    return value, residuals.std() / np.sqrt(DRAWS)


def plateau(mix):
    rate = events_of(mix).labels.mean()
    return 2 * rate / (1 + rate)


@pytest.mark.parametrize("mix", WIDTHS)
@pytest.mark.parametrize("kind", DETECTORS)
def test_at_the_default_width_no_blind_detector_beats_an_alarm_everywhere(kind, mix):
    value, error = ratio_of_expectations(kind, mix, "f1_ba")
    assert value <= plateau(mix) + 4 * error + BORDERS


@pytest.mark.parametrize("mix", WIDTHS)
@pytest.mark.parametrize("kind", DETECTORS)
def test_with_shifting_borders_it_needs_no_allowance(kind, mix):
    value, error = ratio_of_expectations(kind, mix, 'f1_ba(border="shift")')
    assert value <= plateau(mix) + 4 * error


@pytest.mark.parametrize("mix", WIDTHS)
@pytest.mark.parametrize("kind", ["iid", "comb"])
def test_point_adjustment_lets_blind_detectors_beat_an_alarm_everywhere(kind, mix):
    value, error = ratio_of_expectations(kind, mix, "f1_pa")
    assert value > 2 * plateau(mix) + 4 * error


@pytest.mark.parametrize("mix", WIDTHS)
@pytest.mark.parametrize("kind", one_in(3, DETECTORS))
def test_the_informedness_of_a_blind_detector_is_zero_on_average(kind, mix):
    metric, events = aj.metric("informedness_ba"), events_of(mix)
    values = [metric(events, flags) for flags in draws(kind, mix)]
    error = np.std(values) / np.sqrt(DRAWS)
    assert abs(np.mean(values)) <= 4 * error
    assert 0 < error < 0.02  # so that the test could notice


def mean_over_all_turns(spec, kind, widths=(7, 12, 25), gap=40):
    """The mean of a metric over every circular shift of one detector's alarms."""
    labels = np.concatenate([np.repeat([0, 1], [gap, width]) for width in widths] + [[0] * gap])
    flags = DETECTORS[kind](np.random.default_rng(3), labels.size)
    events = aj.Events.from_labels(labels)
    turns = (np.roll(flags, turn) for turn in range(labels.size))
    return np.mean([aj.metric(spec)(events, turned) for turned in turns])


@pytest.mark.parametrize("kind", DETECTORS)
def test_over_all_turns_of_any_alarms_the_informedness_is_exactly_zero(kind):
    assert abs(mean_over_all_turns("informedness_ba", kind)) < 1e-12


def test_clipped_borders_or_a_narrow_width_would_be_noticed():
    for settings in ('border="clip"', "width=7", "width=25"):
        assert abs(mean_over_all_turns(f"informedness_ba({settings})", "iid")) > 1e-3
