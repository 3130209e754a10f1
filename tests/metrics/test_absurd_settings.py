"""Absurd settings: a value, or one line that refuses them, and never work without end."""

import math
import tracemalloc

import numpy as np
import pytest

import adjudge as aj

LABELS, FLAGS, SCORES = [0, 1, 1, 0], [0, 1, 0, 1], [0.1, 0.9, 0.4, 0.3]
ABSURD = (
    *(0, -1, 10**6, 2**31, 2**63, 10**400, 10**5000, 1.5, 1e308, 5e-324, -0.0, math.nan, math.inf),
    *(None, True, "x", "", (), (1,), (10**400,), [], {}, b"x", 1j, object(), np.float16(6e4)),
)
MEMORY = 2**26


def judged(row, **settings):
    """The value of a small case, or None where the settings are refused in one line."""
    message = ""
    try:
        return row.metric(LABELS, SCORES if row.needs == "scores" else FLAGS, **settings)
    except aj.AdjudgeError as error:
        message = str(error)
    assert "\n" not in message
    assert len(message) < 400
    return None


@pytest.mark.parametrize("name", aj.catalogue)
def test_an_absurd_setting_gives_a_value_or_is_refused(name):
    row = aj.catalogue[name]
    tracemalloc.start()
    try:
        for setting in row.parameters:
            for value in ABSURD:
                judged(row, **{setting: value})
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("name", "settings", "most"),
    [
        ("vus_pr", {"window": 10**6}, "4,096"),
        ("vus_f1", {"window": 10**6}, "4,096"),
        ("vus_precision", {"window": 10**6}, "4,096"),
        ("pate", {"splits": 10**6}, "100"),
        ("pate", {"thresholds": 10**9}, "10,000"),
        ("dqe", {"thresholds": 10**9}, "1,000,000"),
        ("oipr_f1", {"linger": 10**6}, "10,000"),
        ("ucr", {"tolerance": 2**63}, "1,000,000,000,000"),
    ],
)
def test_what_is_too_large_is_refused_with_the_largest_that_makes_sense(name, settings, most):
    with pytest.raises(aj.InputError, match=f"must be at most {most}"):
        aj.catalogue[name].metric(LABELS, FLAGS, **settings)


@pytest.mark.parametrize(
    ("name", "setting", "enough"),
    [
        ("vus_pr", "thresholds", 4),
        ("vus_roc", "thresholds", 4),
        ("range_auc_pr", "thresholds", 4),
        ("auc_pr_range", "thresholds", 4),
        ("pate", "early", 4),
        ("pate", "delay", 4),
        ("pate_f1", "delay", 4),
        ("ucr", "tolerance", 4),
        ("alert_ap", "tolerance", 10**6),
        ("latency_f1", "window", 4),
        ("f1_ba", "width", 8),
        ("f1_dilated", "width", 8),
        ("tolerant_f1", "tolerance", 4),
    ],
)
def test_what_the_data_cannot_notice_changes_nothing(name, setting, enough):
    row = aj.catalogue[name]
    expected = judged(row, **{setting: enough})
    assert expected is not None
    assert judged(row, **{setting: 10**12}) == expected


def test_a_collar_that_brings_everything_near_everything_is_refused():
    labels, flags = np.arange(20_000) % 4 == 1, np.arange(20_000) % 4 == 2
    with pytest.raises(aj.InputError, match="collar must leave at most 10,000,000 pairs"):
        aj.collar_f1(labels, flags, collar=10_000)
