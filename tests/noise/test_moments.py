"""Mean and spread of balanced F under white noise, against enumeration and THEORY's table."""

from itertools import product

import numpy as np
import pytest

import adjudge as aj
from adjudge.data.events import Events
from adjudge.noise.blind_detectors import delta_moments, exact_moments
from sampling import one_in


def enumerated(events, rate, spec):
    """Weigh the value of every possible draw with its probability."""
    judged = np.ones(events.n, bool) if events.judged is None else events.judged
    mean = square = 0.0
    for pattern in product([0, 1], repeat=int(judged.sum())):
        flags = np.zeros(events.n, int)
        flags[judged] = pattern
        weight = rate ** sum(pattern) * (1 - rate) ** (len(pattern) - sum(pattern))
        value = aj.metric(spec)(events, flags)
        mean += weight * value
        square += weight * value**2
    return mean, np.sqrt(square - mean**2)


LAYOUTS = {
    "one event": Events.from_labels([0, 0, 1, 1, 1, 0, 0, 0, 0]),
    "short events": Events.from_labels([0, 1, 0, 1, 0, 0, 1, 0, 0]),
    "two series": Events.from_labels([0, 1, 1, 0, 0, 1, 0, 0, 0], series=list("aaaaabbbb")),
    "some judged": Events.from_labels([0, 1, 1, 0, 0, 0, 1, 0, 0], where=[1] * 3 + [0] + [1] * 5),
    "all anomalous": Events.from_labels([1, 1, 1, 1]),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("width", "rate"), one_in(6, product([1, 2, 3, 6, 20], [0.05, 0.5])))
def test_exact_moments_equal_the_enumeration_of_all_draws(layout, width, rate):
    events = LAYOUTS[layout]
    expected = enumerated(events, rate, f"f1_ba(width={width})")
    assert exact_moments(events, rate, width) == pytest.approx(expected, abs=2e-6)


@pytest.mark.parametrize("beta", [0.5, 2])
def test_exact_moments_follow_beta(beta):
    events = LAYOUTS["one event"]
    expected = enumerated(events, 0.2, f"f1_ba(width=3, beta={beta})")
    assert exact_moments(events, 0.2, 3, beta) == pytest.approx(expected, abs=2e-6)


def table_of_events():
    widths = np.array([5, 20, 20, 60, 150, 8, 40])
    starts = 300 * np.arange(1, 8) + np.concatenate([[0], np.cumsum(widths)[:-1]])
    return Events(starts, starts + widths, int(starts[-1] + widths[-1] + 300))


@pytest.mark.parametrize(
    ("width", "rate", "sd"), [(21, 0.005, 0.213), (101, 0.02, 0.036), (101, 0.001, 0.191)]
)
def test_the_delta_method_gives_the_spread_of_the_table(width, rate, sd):
    assert delta_moments(table_of_events(), rate, width).sd == pytest.approx(sd, abs=5e-4)


@pytest.mark.parametrize(("width", "rate"), [(21, 0.005), (101, 0.02), (101, 0.001)])
@pytest.mark.parametrize("draws", [4000, pytest.param(20_000, marks=pytest.mark.long)])
def test_exact_moments_lie_within_four_standard_errors_of_what_is_drawn(width, rate, draws):
    events, rng = table_of_events(), np.random.default_rng(11)
    values = []
    times = draws // 20
    series = np.repeat(np.arange(times), events.n)
    many = Events.from_labels(np.tile(events.labels, times), series=series)
    adjust = aj.f1_ba(width=width).parts.adjust
    for _ in range(20):
        adjusted = adjust(rng.random(events.n * times) < rate, many)
        found = (adjusted & many.labels).reshape(times, -1).sum(axis=1)
        flagged = adjusted.reshape(times, -1).sum(axis=1)
        values.append(2 * found / (303 + flagged))
    values = np.concatenate(values)
    mean, sd = exact_moments(events, rate, width)
    error = values.std() / np.sqrt(values.size)
    assert abs(values.mean() - mean) <= 4 * error
    assert values.std() == pytest.approx(sd, rel=4 / np.sqrt(draws))


def test_the_delta_method_approaches_the_exact_moments_with_many_events():
    starts = np.arange(100, 20_000, 200)
    events = Events(starts, starts + 20, 20_100)
    exact, delta = exact_moments(events, 0.02, 20), delta_moments(events, 0.02, 20)
    assert delta.mean == pytest.approx(exact.mean, rel=1e-3)
    assert delta.sd == pytest.approx(exact.sd, rel=0.03)


def test_silence_has_no_spread():
    assert exact_moments(table_of_events(), 0.0, 21) == pytest.approx((0, 0))
    assert delta_moments(table_of_events(), 0.0, 21) == (0, 0)
