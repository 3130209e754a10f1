"""Delays and distances in time: steps of an even clock, timestamps of an uneven one."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge as aj

COUNTED = (
    "detection_delay", "reset_time", "temporal_distance", "chamfer_distance",
    "hausdorff_distance", "change_delay", "lead_time", "time_between_false_alarms",
    "false_time",
)  # fmt: skip
MEDIAN = 'detection_delay(average="median")'
TIMES = np.datetime64("2026-01-01T00:00", "m") + 5 * np.arange(40)
LABELS = np.repeat([0, 1, 0, 1, 0], [10, 6, 10, 6, 8])
FLAGS = np.zeros(40, int)
FLAGS[[12, 13, 20, 27]] = 1


def row_of(labels, flags, spec, **options):
    return aj.evaluate(labels, flags, spec, chance=False, **options).rows[0]


@pytest.mark.parametrize("spec", [*COUNTED, MEDIAN])
def test_on_even_steps_the_value_is_so_many_steps(spec):
    plain, timed = row_of(LABELS, FLAGS, spec), row_of(LABELS, FLAGS, spec, time=TIMES)
    assert (plain.unit, plain.value) == ("points", timed.value)
    assert math.isnan(plain.seconds)
    assert math.isnan(plain.seconds_per_point)
    assert timed.seconds == 300 * timed.value
    assert timed.seconds_per_point == 300


@pytest.mark.parametrize("name", sorted(aj.catalogue))
def test_only_delays_and_distances_have_a_unit(name):
    metric = aj.catalogue[name].metric
    if metric.row.needs == "flags" and metric.parts.counting is not None:
        assert (metric.parts.counting.in_seconds() is not None) == (name in COUNTED)


def test_tables_receipts_and_comparisons_say_it_in_words():
    judged = aj.evaluate(LABELS, FLAGS, ["detection_delay", "f1"], time=TIMES, shifts=19)
    row = judged.rows[0]
    text = str(judged)
    assert row.value == 1.5
    assert " 7 min 30 s " in text
    assert "detection_delay 7 min 30 s (too few to say: 2 events); the same" in " ".join(
        text.split()
    )
    assert "in points" not in text
    assert json.loads(judged.to_json())["rows"][0]["seconds"] == 450
    assert "detection_delay ↓: in points" in str(aj.evaluate(LABELS, FLAGS, "detection_delay"))
    receipt = aj.explain(LABELS, FLAGS, "detection_delay", time=TIMES)
    assert str(receipt).startswith("detection_delay = 1.5 points (7 min 30 s)\n")
    assert receipt.to_dict()["seconds"] == 450
    assert str(aj.explain(LABELS, FLAGS, "f1")).startswith("f1 = 0.375\n")
    later = np.roll(FLAGS, 1)
    found = aj.compare(LABELS, FLAGS, later, "detection_delay", time=TIMES)
    assert "a 7 min 30 s, b 12 min 30 s\na is ahead by 5 min\n" in str(found)
    assert "a 1.5000, b 2.5000" in str(aj.compare(LABELS, FLAGS, later, "detection_delay"))


def test_what_stands_beside_is_in_points_where_steps_are_not_even():
    times = TIMES.copy()
    times[13:] += np.timedelta64(2, "m")
    judged = aj.evaluate(LABELS, FLAGS, "detection_delay", time=times, shifts=19)
    assert judged.rows[0].seconds == (10 * 60 + 5 * 60) / 2
    assert math.isnan(judged.rows[0].seconds_per_point)
    assert f" 7 min 30 s (1.5000 points)  {judged.rows[0].chance:.4f} points " in str(judged)


def test_reset_times_on_uneven_steps():
    times = TIMES.copy()
    times[13:] += np.timedelta64(2, "m")
    flags = FLAGS.copy()
    flags[14:18] = 1  # two points after the event is over
    row = row_of(LABELS[:20], flags[:20], "reset_time", time=times[:20])
    assert (row.value, row.seconds) == (2, 600)


def test_runs_are_averaged_in_time_too():
    runs = {"mine": [FLAGS, np.roll(FLAGS, 1)]}
    row = aj.evaluate(LABELS, runs, "detection_delay", time=TIMES, chance=False).rows[0]
    assert row.seconds == 300 * row.value == 600


def test_an_oracle_is_read_at_its_threshold():
    times = TIMES.copy()
    times[13:] += np.timedelta64(2, "m")
    scores = FLAGS + 0.1 * np.random.default_rng(0).random(40)
    row = row_of(LABELS, scores, "best(detection_delay)", time=times)
    at = row_of(LABELS, scores, "detection_delay", time=times, at=row.at)
    assert (row.value, row.seconds) == (at.value, at.seconds)


@st.composite
def uneven(draw):
    """Two series with steps of two to four minutes, labels, flags."""
    n = draw(st.integers(4, 12))
    cut = draw(st.integers(1, n - 1))
    steps = np.array(draw(st.lists(st.integers(2, 4), min_size=n, max_size=n)))
    labels, flags = (draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)) for _ in range(2))
    series = (np.arange(n) >= cut).astype(int)
    minutes = np.concatenate([np.cumsum(steps[:cut]), np.cumsum(steps[cut:])])
    return minutes, np.array(labels), np.array(flags), series


def distances(mine, other, minutes, series):
    """The minutes from each point of mine to the nearest of the other side in its series."""
    for place in np.flatnonzero(mine):
        own = minutes[series == series[place]]
        rival = minutes[(series == series[place]) & (other > 0)]
        steps = np.concatenate([np.diff(minutes[series == name]) for name in (0, 1)])
        last = own[-1] - own[-2] if own.size > 1 else steps.mean()
        yield min(np.abs(rival - minutes[place])) if rival.size else own[-1] - own[0] + last


@settings(max_examples=60)
@given(uneven())
def test_on_uneven_steps_time_is_that_of_the_timestamps(case):
    minutes, labels, flags, series = case
    times = np.datetime64("2026-01-01T00:00", "m") + minutes
    delays = []
    for event in aj.Events.from_labels(labels, series=series):
        hits = np.flatnonzero(flags[event])
        delays += [minutes[event][hits[0]] - minutes[event][0]] if hits.size else []
    missed = list(distances(labels, flags, minutes, series))
    false = list(distances(flags, labels, minutes, series))
    means = [np.mean(side) for side in (missed, false) if side]
    expected = {
        "detection_delay": np.mean(delays) if delays else math.nan,
        MEDIAN: np.median(delays) if delays else math.nan,
        "temporal_distance": sum(missed) + sum(false),
        "chamfer_distance": sum(means) if len(means) == 2 else None,
        "hausdorff_distance": max([*missed, *false]) if len(means) == 2 else None,
    }
    for spec, known in expected.items():
        row = row_of(labels, flags, spec, time=times, series=series)
        if known is not None:
            np.testing.assert_allclose(row.seconds, 60 * known, atol=1e-9, err_msg=spec)
