"""Plots of one's own data: receipts, curves and judgements; nothing disappears, and ax= is used."""

import csv
import math
import re

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.data.clock import Clock
from adjudge.errors import InputError
from adjudge.lab.verbs.drawing import figure
from adjudge.reporting.chance_bands import chance_bands
from adjudge.reporting.figures.drawing import TimeAxis, drawable, extremes, highest, shown_intervals

matplotlib = pytest.importorskip("matplotlib")

LABELS = np.repeat([0, 1, 0, 1, 0], [30, 10, 40, 10, 30])
SCORES = np.abs(np.sin(np.arange(120) * 1.7)) + LABELS * np.where(np.arange(120) < 60, 1, -1)


@pytest.fixture
def ax():
    from matplotlib.figure import Figure  # noqa: PLC0415 - the tests run without it too

    return Figure().subplots()


def boxes(axes):
    """Give the boxes of each collection as (left, right) pairs."""
    polygons = [c for c in axes.collections if type(c).__name__ == "PolyCollection"]
    return [
        {(path.vertices[:, 0].min(), path.vertices[:, 0].max()) for path in c.get_paths()}
        for c in polygons
    ]


def said(axes):
    return " ".join(text.get_text() for text in axes.get_legend().get_texts())


# --- decimation ------------------------------------------------------------------------------


def test_every_column_keeps_its_lowest_and_highest_score():
    rng = np.random.default_rng(0)
    values = rng.normal(size=9973)
    kept = extremes(values, columns=100)
    assert len(kept) <= 202
    edges = np.linspace(0, values.size, 100, endpoint=False).astype(int)
    for start, stop in zip(edges, [*edges[1:], values.size], strict=True):
        inside = kept[(kept >= start) & (kept < stop)]
        assert values[inside].max() == values[start:stop].max()
        assert values[inside].min() == values[start:stop].min()


def test_every_column_with_a_flag_keeps_its_highest_flag():
    rng = np.random.default_rng(1)
    places = np.sort(rng.choice(100_000, 5000, replace=False))
    heights = rng.normal(size=5000)
    kept = highest(places, heights, 100_000, columns=200)
    assert set(kept * 200 // 100_000) == set(places * 200 // 100_000)
    by_place = dict(zip(places.tolist(), heights.tolist(), strict=True))
    for place in kept.tolist():
        column = [p for p in by_place if p * 200 // 100_000 == place * 200 // 100_000]
        assert by_place[place] == max(by_place[p] for p in column)


def test_every_interval_lies_behind_one_that_is_drawn():
    rng = np.random.default_rng(2)
    starts = np.sort(rng.choice(100_000, 3000, replace=False))
    stops = starts + rng.integers(1, 300, 3000)
    cost = rng.integers(1, 50, 3000)
    kept = shown_intervals(starts, stops, cost, 100_000, columns=500)
    assert kept.size <= 1000
    assert np.all(np.diff(cost[kept]) >= 0), "the dearest lies on top"
    for start, stop, price in zip(starts, stops, cost, strict=True):
        mates = kept[starts[kept] * 500 // 100_000 == start * 500 // 100_000]
        assert stops[mates].max() >= stop
        assert cost[mates].max() >= price


def test_what_cannot_be_drawn_is_drawn_at_the_edge():
    assert drawable(np.array([np.nan, 1.0, np.inf, 3.0])).tolist() == [1, 1, 3, 3]
    assert drawable(np.array([-np.inf, np.inf, np.nan])).tolist() == [-1, 1, 0]


def test_times_that_run_forward_make_an_axis_of_dates():
    clock = Clock.read(["2026-01-01", "2026-01-02", "2026-01-04"])
    axis = TimeAxis.of(3, clock)
    assert np.diff(axis.edges).tolist() == [1, 1.5, 2]
    back = Clock.read(["2026-01-02", "2026-01-01", "2026-01-04"])
    assert TimeAxis.of(3, back).zone is None


# --- receipts --------------------------------------------------------------------------------


def test_a_receipt_shows_each_event_each_hit_each_false_alarm_and_its_island(ax):
    receipt = aj.explain(LABELS, SCORES, "f1_ba(width=5)", at=0.99)
    assert receipt.plot(ax=ax) is ax
    bands, lane, earned, islands, false, hits = boxes(ax)
    assert bands == lane == {(29.5, 39.5), (79.5, 89.5)}
    assert earned == {(29.5, 39.5)}
    wrong = receipt.alarms.cost > 0
    rows = receipt.alarms
    assert wrong.sum() > 2
    assert false == set(zip(rows.start[wrong] - 0.5, rows.stop[wrong] - 0.5, strict=True))
    edges = zip(rows.island_start[wrong] - 0.5, rows.island_stop[wrong] - 0.5, strict=True)
    assert islands == set(edges)
    assert sum(right - left for left, right in hits) == np.sum((SCORES > 0.99) & (LABELS > 0))
    assert " ".join(ax.get_title(loc="left").split()).endswith("flagged above 0.99")
    assert "missed" in said(ax)
    assert "its island" in said(ax)


def test_of_a_million_points_a_single_false_alarm_and_a_short_event_are_drawn(ax):
    labels, flags = np.zeros((2, 1_000_000), int)
    labels[400_000:400_002] = 1
    flags[7] = 1
    aj.explain(labels, flags, "f1").plot(ax=ax)
    bands, _, _, _, false, _ = boxes(ax)
    assert bands == {(399_999.5, 400_001.5)}
    assert false == {(6.5, 7.5)}
    assert all(c.get_linewidths()[0] > 0.5 for c in ax.collections[1:]), "never too thin to see"


def test_points_that_are_not_judged_are_struck_out_and_times_are_dates(ax):
    where = np.ones(120, bool)
    where[100:] = False
    time = np.datetime64("2026-01-01") + np.arange(120) * np.timedelta64(1, "h")
    aj.explain(LABELS, SCORES, "f1", at=0.99, where=where, time=time).plot(ax=ax)
    assert [c.get_hatch() for c in ax.collections if c.get_hatch()] == ["////"]
    assert type(ax.xaxis.get_major_formatter()).__name__ == "ConciseDateFormatter"


def test_series_are_parted(ax):
    series = np.repeat(["a", "b", "c"], 40)
    aj.explain(LABELS, SCORES, "f1", at=0.99, series=series).plot(ax=ax)
    lines = [c.get_segments() for c in ax.collections if c.get_linestyle()[0][1]]
    assert [segment[0][0] for (*segments,) in lines for segment in segments] == [39.5, 79.5]


def test_a_receipt_without_events_or_alarms_can_be_drawn(ax):
    aj.explain([0, 0, 0], [0, 0, 0], "f1").plot(ax=ax)
    assert boxes(ax)[-1] == set()
    aj.explain([0, 1, 0], [0.5, 0.5, 0.5], "f1", at=0.5).plot(ax=ax)
    aj.explain(LABELS, SCORES, "detection_delay",
               at=0.99).plot(ax=ax)  # fmt: skip


def test_without_axes_a_figure_is_opened_for_the_notebook():
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    axes = aj.explain([0, 1, 0], [0, 1, 1], "f1").plot()
    assert axes.figure.number in plt.get_fignums()
    plt.close(axes.figure)


# --- curves ----------------------------------------------------------------------------------


def test_a_curve_has_its_band_its_best_and_the_line_of_everything_flagged(ax):
    curve = aj.curve(LABELS, SCORES, "f1_ba(width=5)")
    assert curve.plot(ax=ax) is ax
    _, value = curve.best()
    (typed,) = re.findall(rf"best: {value:.4g} above (\S+), in hindsight", said(ax))
    assert aj.f1_ba(LABELS, SCORES, width=5, at=float(typed)) == value
    assert "by chance (90 % of 99 shifts)" in said(ax)
    assert f"everything flagged: {curve.values[-1]:.4g}" in said(ax)
    line = next(line for line in ax.lines if line.get_label() == "value")
    assert line.get_drawstyle() == "steps-pre"
    np.testing.assert_array_equal(line.get_ydata(), curve.values)
    assert line.get_xdata()[-1] == SCORES.min()


def test_skewed_scores_are_drawn_by_the_share_that_is_flagged(ax):
    curve = aj.curve(LABELS, np.exp(8 * SCORES), "f1")
    curve.plot(ax=ax, chance=False)
    assert ax.get_xscale() == "log"
    places = ax.lines[0].get_xdata()
    assert places[-1] == 1
    assert np.isnan(places[0]), "nothing flagged has no place on a logarithmic axis"
    assert "by chance" not in said(ax)


def test_a_curve_is_drawn_against_what_is_asked_for(ax):
    with pytest.raises(InputError, match="against must be one of 'auto', 'threshold', 'flagged'"):
        aj.curve(LABELS, SCORES, "f1").plot(ax=ax, against="time")
    bare = type(aj.curve(LABELS, SCORES))(aj.curve(LABELS, SCORES).counts)
    with pytest.raises(InputError, match="against must be 'threshold'"):
        bare.plot(ax=ax, against="flagged")
    bare.plot(ax=ax)
    assert "by chance" not in said(ax)


def test_curves_without_a_share_or_without_events_are_drawn_too(ax):
    aj.curve(LABELS, SCORES, "detection_delay").plot(ax=ax, chance=False)
    assert "precision" not in said(ax)
    aj.curve([0, 0, 0], [0.1, 0.2, 0.3], "f1").plot(ax=ax)
    aj.curve([0, 1], [np.inf, np.inf], "f1").plot(ax=ax)


@pytest.mark.parametrize("spec", ["range_f1", "f1_ba(width='matched', border='shift')"])
def test_the_band_of_any_metric_is_what_it_gives_on_shifts(spec):
    """A slow twin: the quick path is for points alone, so here is the other."""
    rng = np.random.default_rng(3)
    scores = rng.normal(size=40)
    labels = np.repeat([0, 1, 0, 1, 0], [10, 4, 9, 3, 14])
    metric = aj.metric(spec)
    band = chance_bands(aj.Case(labels, scores), {"it": metric})["it"]
    for place in (5, 20, -1):
        at = band.thresholds[place]
        every = [metric(labels, np.roll(scores, by), at=at) for by in range(40)]
        spread = np.nanstd(every) / np.sqrt(99)
        assert abs(band.mean[place] - np.mean(every)) <= 4 * spread + 1e-9


# --- judgements ------------------------------------------------------------------------------


def test_a_judgement_shows_values_intervals_and_chance(ax):
    labels = np.tile([0, 0, 1, 1, 0, 0], 20)  # an interval needs three events
    detectors = {"mine": SCORES > 0.9, "none": np.zeros(120, int)}
    judged = aj.evaluate(labels, detectors, ["f1", "precision", "detection_delay"], shifts=19)
    assert judged.plot(ax=ax) is ax
    assert [text.get_text() for text in ax.get_yticklabels()] == ["f1", "precision"]
    assert ax.get_xlabel() == "value\nnot on this axis: detection_delay ↓"
    assert said(ax) == "mine none 95 % interval by chance"
    marks = [line.get_xdata()[0] for line in ax.lines if line.get_marker() not in ("None", "")]
    assert marks == [row.value for row in judged.rows[:2]] + [0.0]
    assert [text.get_text() for text in ax.texts] == [" undefined"]
    assert math.isnan(judged["none", "precision"])


def test_a_judgement_of_delays_alone_has_no_axis(ax):
    judged = aj.evaluate(LABELS, SCORES > 0.99, "detection_delay", chance=False)
    with pytest.raises(InputError, match="a plot needs a metric with values from 0 to 1"):
        judged.plot(ax=ax)


# --- the verb --------------------------------------------------------------------------------


def test_the_verb_draws_a_file_of_two_detectors(tmp_path):
    file = tmp_path / "scores.csv"
    lines = [
        f"{label},{score},{int(score > 1)}" for label, score in zip(LABELS, SCORES, strict=True)
    ]
    file.write_text("\n".join(["label,score_a,score_b", *lines]))
    out = tmp_path / "new"
    result = CliRunner().invoke(figure, ["case", str(file), "--at", "0.99", "--out", str(out)])
    assert result.exit_code == 0, result.exception
    paths = [out / f"case.{ending}" for ending in ("png", "svg", "csv", "pdf")]
    assert result.stdout.splitlines() == [str(path) for path in paths]
    assert paths[3].read_bytes().startswith(b"%PDF")
    with paths[2].open() as table:
        rows = list(csv.DictReader(table))
    assert {row["detector"] for row in rows} == {"score_a", "score_b"}
    receipt = aj.explain(LABELS, SCORES, "f1_ba", at=0.99)
    costs = [float(r["cost"]) for r in rows if (r["detector"], r["kind"]) == ("score_a", "alarm")]
    assert costs == receipt.alarms.cost.tolist()
