"""Laws of cases: points on a fine grid tend to time, containers do not matter, what is refused."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.errors import InputError
from laws.kinds import KINDS, OF_POINTS, OF_POSITIONS

SEEDS = st.integers(0, 2**32 - 1)
MINUTE, HOUR = 60, 3600


# --- law 5: a fine grid --------------------------------------------------------------------------

WIDTH = 1800
ON_BOTH = [
    ("event_recall", "event_recall"), ("event_precision", "event_precision"),
    ("event_f1", "event_f1"), ("detection_delay", "detection_delay"),
    (f"f1_ba(width={WIDTH})", "f1_ba(width={})"),
]  # fmt: skip


def apart(rng, many):
    """Intervals of a day in seconds, none of which touch on a grid of ten minutes."""
    cuts = np.sort(rng.choice(np.arange(1, 72), 2 * many, replace=False)) * 20 * MINUTE
    inside = rng.integers(1, 5 * MINUTE, 2 * many)
    return cuts[::2] + inside[::2], cuts[1::2] - inside[1::2]


def on_grid(rows, step, n):
    """Which steps intervals touch."""
    flags = np.zeros(n, bool)
    for start, end in zip(*rows, strict=True):
        flags[start // step : -(-end // step)] = True
    return flags


def grid_value(spec, incidents, alerts, step):
    """The value on points; a delay in seconds."""
    n = 24 * HOUR // step
    metric = aj.metric(spec.format(max(1, WIDTH // step)))
    value = metric(*(on_grid(rows, step, n) for rows in (incidents, alerts)))
    return value * step if metric.row.name == "detection_delay" else value


@pytest.mark.parametrize(("in_time", "on_points"), ON_BOTH)
@given(seed=SEEDS)
def test_points_on_ever_finer_grids_tend_to_time(in_time, on_points, seed):
    rng = np.random.default_rng(seed)
    incidents, alerts = apart(rng, 4), apart(rng, 5)
    tables = aj.Incidents(*incidents), aj.Alerts(*alerts)
    (row,) = aj.evaluate(*tables, in_time, span=(0, 24 * HOUR), chance=False).rows
    off = [abs(grid_value(on_points, incidents, alerts, step) - row.value) for step in (300, 60, 5)]
    size = HOUR if in_time == "detection_delay" else 1
    assert np.isnan(row.value) or off[-1] <= 0.01 * size
    assert np.isnan(row.value) or off[-1] <= off[0] + 1e-12


def test_the_law_of_grids_rejects_a_grid_that_marks_whole_hours():
    rows = np.array([1000, 9000]), np.array([4000, 10_000])
    fine, coarse = (grid_value("recall", rows, (rows[0] + 900, rows[1]), s) for s in (5, HOUR))
    assert fine == pytest.approx(0.55, abs=0.01)
    assert coarse == 1


# --- law 6: containers ---------------------------------------------------------------------------

SAME = ("value", "chance", "p_value", "p_joint", "low", "high", "corrected", "shifts", "always_on")


def said(found):
    return [[getattr(row, name) for name in SAME] for row in found.rows]


@given(seed=SEEDS)
def test_containers_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    labels, flags = (np.repeat(rng.random(20) < share, 3) for share in (0.25, 0.2))
    metrics = ["f1_ba", "event_f1", "f1", "detection_delay"]
    plain = said(aj.evaluate(labels, flags, metrics))
    truth = aj.Events.from_labels(labels)
    others = [
        aj.evaluate(labels.tolist(), flags.tolist(), metrics),
        aj.evaluate(pd.Series(labels), pd.Series(flags), metrics),
        aj.evaluate(truth, aj.Events.from_labels(flags), metrics),
        aj.evaluate(aj.Points(truth, {"detector": flags}), metrics),
        aj.evaluate(truth, flags, metrics, series=["a"] * 60, where=np.ones(60, bool)),
    ]
    for other in others:
        np.testing.assert_equal(said(other), plain)


@given(seed=SEEDS)
def test_one_service_is_none(seed):
    rng = np.random.default_rng(seed)
    incidents, alerts = apart(rng, 3), apart(rng, 4)
    metrics = ["event_f1", "event_recall", "f1_ba"]
    found = []
    for service in (None, "web"):
        of = [None if service is None else [service] * many for many in (3, 4)]
        tables = aj.Incidents(*incidents, service=of[0]), aj.Alerts(*alerts, service=of[1])
        found.append(said(aj.evaluate(*tables, metrics, span=(0, 24 * HOUR))))
    np.testing.assert_equal(*found)


@given(seed=SEEDS)
def test_one_channel_is_none(seed):
    rng = np.random.default_rng(seed)
    labels, flags = (np.repeat(rng.random(20) < share, 3) for share in (0.25, 0.2))
    one = aj.evaluate(labels[:, np.newaxis], flags[:, np.newaxis], "f1", channels=["a"])
    plain = aj.evaluate(labels, flags, "f1")
    for name in ("value", "chance", "p_value", "always_on"):
        np.testing.assert_equal(getattr(one.rows[0], name), getattr(plain.rows[0], name))


def test_the_law_of_containers_rejects_another_row():
    labels, flags = [0, 0, 1, 1, 0, 0], [0, 1, 1, 0, 0, 0]
    assert said(aj.evaluate(labels, flags, "f1")) != said(aj.evaluate(labels, [1] * 6, "f1"))
    known = {field.name for field in fields(aj.evaluate(labels, flags, "f1").rows[0])}
    assert set(SAME) <= known


# --- law 8: what a case cannot use ---------------------------------------------------------------


def refused(kind, spec):
    """Whether a metric refuses a case of a kind, by a message of ours."""
    case = kind.draw(np.random.default_rng(3))
    try:
        aj.metric(spec).reading(case)
    except InputError:
        return True
    return False


POINTS, POSITIONS = KINDS[:2]


@pytest.mark.parametrize("spec", OF_POINTS)
def test_metrics_of_points_refuse_changes(spec):
    assert refused(POSITIONS, spec)
    assert not refused(POINTS, spec)


@pytest.mark.parametrize("spec", OF_POSITIONS)
def test_metrics_of_positions_take_both(spec):
    assert not refused(POSITIONS, spec)
    assert not refused(POINTS, spec)


@pytest.mark.parametrize(("settings", "what"), [
    ({"null": "renamed"}, "channels"), ({"null": "seasonal", "period": "1d"}, "time"),
])  # fmt: skip
def test_null_models_refuse_what_they_cannot_turn(settings, what):
    with pytest.raises(InputError, match=what):
        aj.evaluate([0, 1, 0, 0], [0, 1, 0, 0], "f1", **settings)
