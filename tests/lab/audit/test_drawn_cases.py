"""Labels, noise and small cases are drawn as their settings say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.lab.audit import drawn_cases as trial
from lab.audit import naive_axioms as naive


@given(st.integers(1, 5), st.integers(1, 6), st.integers(1, 9))
def test_events_are_laid_out_and_found_again(events, width, gap):
    labels = trial.even_labels(events, width, gap)
    assert naive.even_labels(events, width, gap) == labels.tolist()
    starts, stops = trial.event_bounds(labels)
    assert naive.bounds(labels.tolist()) == (starts.tolist(), stops.tolist())


def test_settings_draw_what_they_say():
    rng = np.random.default_rng(0)
    for setting, share in ((trial.SHARES[0], 0.28), (trial.SHARES[1], 0.2), (trial.MIXED, 0.09)):
        drawn = [setting.labels(rng) for _ in range(100)]
        assert {len(trial.event_bounds(labels)[0]) for labels in drawn} == {setting.events}
        assert abs(np.mean([labels.mean() for labels in drawn]) - share) < 0.02


@pytest.mark.parametrize("detector", trial.DETECTORS)
def test_blind_detectors_flag_a_few_per_cent_wherever_time_begins(detector):
    rng = np.random.default_rng(0)
    flags = np.array([trial.blind_scores(detector, 1000, rng) > 0.95 for _ in range(1500)])
    assert 0.01 < flags.mean() < 0.08
    halves = flags[:, :500].mean(), flags[:, 500:].mean()
    assert abs(halves[0] - halves[1]) < 0.2 * flags.mean()


def test_small_cases_reach_the_corners():
    rng = np.random.default_rng(0)
    drawn = [trial.small_case(rng) for _ in range(2000)]
    corners = {
        "one point": any(len(x) == 1 for x, _ in drawn),
        "no event": any(not x.any() for x, _ in drawn),
        "all events": any(x.all() for x, _ in drawn),
        "no alarm": any(not y.any() for _, y in drawn),
        "all alarms": any(y.all() and len(y) > 3 for _, y in drawn),
        "perfect": any((x == y).all() and x.any() and not x.all() for x, y in drawn),
    }
    assert all(corners.values()), corners
