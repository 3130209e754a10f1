"""What a notebook shows first: the numbers of the tables, and every mark where its number is."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest

import adjudge as aj
from adjudge.tables.formats import html_of
from adjudge.tables.glance import MOST, Dots, Glance, Lane, Lanes, Mark, Tile, shares
from adjudge.tables.table import Layout

LABELS = np.tile([0] * 20 + [1] * 5, 12)
SCORES = np.random.default_rng(0).random(300) + LABELS
TIME = np.datetime64("2026-01-01") + np.arange(300) * np.timedelta64(1, "h")
DAY, FIRST = np.timedelta64(1, "D"), np.datetime64("2026-01-01")


def circles(html):
    return [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', html)]


def texts(html):
    return re.findall(r"<text[^>]*>([^<]*)</text>", html)


def tiles(found):
    return {tile.title: tile.value for tile in found.glance().tiles}


def plain_shares(starts, stops, n, columns):
    """The twin: each column is cut from each stretch."""
    edges = np.linspace(0, n, columns + 1)
    inside = [
        sum(max(0.0, min(b, right) - max(a, left)) for a, b in zip(starts, stops, strict=True))
        for left, right in pairwise(edges)
    ]
    return np.array(inside) * columns / n


@pytest.mark.parametrize("seed", range(20))
def test_ink_is_the_share_of_a_column_that_is_covered(seed):
    rng = np.random.default_rng(seed)
    n, columns = int(rng.integers(1, 60)), int(rng.integers(1, 40))
    ends = np.unique(rng.integers(0, n + 1, 12))
    ends = ends[: ends.size // 2 * 2].reshape(-1, 2)
    found = shares(ends[:, 0], ends[:, 1], n, columns)
    np.testing.assert_allclose(found, plain_shares(*ends.T, n, columns), atol=1e-12)


def test_a_point_among_a_million_has_ink():
    lane = Lane("events", np.array([700_000]), np.array([700_001]), "event")
    (at,) = re.findall(r"M([\d.]+) \d+h([\d.]+)v", Lanes("", (lane,), 10**6, ("a", "b")).svg())
    assert float(at[0]) == pytest.approx(190 + 0.7 * 360)
    assert float(at[1]) > 0


def test_each_mark_lies_where_its_number_is():
    marks = (
        Mark("a", 0.25, "0.25", 0.0, 1.0, 0.5),
        Mark("b", math.nan, "undefined"),
        Mark("c", 1.0, "1"),
    )
    html = Dots("title", marks).svg()
    assert circles(html) == [190 + 0.25 * 360, 190 + 360]
    assert html.count("<line") == 3  # one interval, one tick at chance, and the axis
    assert texts(html)[-3:] == ["0", "0.5", "1"]
    assert 'aria-label="title: a 0.25; b undefined; c 1"' in html


def test_an_axis_without_ends_reaches_as_far_as_what_is_drawn():
    marks = Mark("a", 250.0, "250", 10.0, 500.0), Mark("b", -50.0, "-50")
    assert texts(Dots("", marks, None).svg())[-3:] == ["-50", "225", "500"]
    assert texts(Dots("", (Mark("a", 0.0, "0"),), None).svg())[-3:] == ["0", "0.5", "1"]


def test_of_many_rows_the_first_are_drawn_and_the_others_are_named():
    many = tuple(Mark(f"m{k}" * 20, 0.5, "0.5") for k in range(30))
    html = Dots("title", many).svg()
    assert len(circles(html)) == MOST
    assert f"title; the first {MOST} of 30" in html
    assert "…" in html


def test_what_comes_from_outside_is_text():
    hostile = '<script>alert("1")</script>'
    html = Glance((Tile(hostile, hostile, hostile),), Dots(hostile, (Mark(hostile, 1, ""),)))
    lane = Lanes(hostile, (Lane(hostile, [], [], "event", hostile),), 4, (hostile, ""))
    for drawn in (html_of(Layout(()), html), lane.svg(), Glance(lead=(hostile,)).html()):
        assert "<script" not in drawn
        assert 'alert("' not in drawn


def test_a_judgement_shows_its_verdict_then_its_numbers_then_its_rows():
    found = aj.evaluate(LABELS, SCORES, ["f1_ba", "auc_roc", "detection_delay"], 0.9, shifts=99)
    html, row = found._repr_html_(), found.rows[0]
    places = [html.index(text) for text in ("than chance", "events found", "<svg", "<table")]
    assert places == sorted(places)
    assert len(circles(html)) == 2  # a delay is on no axis from 0 to 1
    assert circles(html)[0] == pytest.approx(190 + 360 * row.value, abs=0.1)
    counts = found.counts[0]
    assert tiles(found)["events found"] == f"{counts['events_found']} of 12"
    assert tiles(found)["false alarms"].startswith(f"{counts['alarms_false']} of ")
    assert tiles(found)["typical delay"].endswith(" points")
    assert "by chance" in html


def test_a_judgement_of_several_shows_each_by_the_metric_of_the_verdict():
    labels = np.zeros(600, int)
    for start in (30, 70, 155, 240, 297, 388, 470, 511):
        labels[start : start + 5] = 1
    noise = np.random.default_rng(1).random(600)
    both = {"mine": noise + labels, "noise": noise}
    found = aj.evaluate(labels, both, ["auc_roc", "f1_ba"], 0.95)
    assert tiles(found) == {"detectors": "2", "better than chance": "1"}
    assert circles(found._repr_html_()) == pytest.approx(
        [190 + 360 * found[name, "f1_ba"] for name in both], abs=0.1
    )
    assert "better than chance" not in tiles(aj.evaluate(labels, both, "auc_roc", chance=False))


def test_values_below_nothing_and_delays_alone_have_a_place_or_none():
    found = aj.evaluate(LABELS, -SCORES, "mcc", -0.9, chance=False)
    assert found["mcc"] < 0
    assert circles(found._repr_html_()) == [190.0]
    late = aj.evaluate(LABELS, SCORES, "detection_delay", 0.9, chance=False, time=TIME)
    assert "<svg" not in late._repr_html_()
    assert tiles(late)["typical delay"] == "0 s"
    nothing = aj.evaluate(LABELS, SCORES, "f1", 99, chance=False)
    assert "typical delay" not in tiles(nothing)
    assert aj.Judgement((), ()).glance() == Glance()


def test_a_judgement_of_alerts_counts_as_a_team_does():
    incidents = aj.Incidents(FIRST + np.arange(9) * 3 * DAY, FIRST + np.arange(9) * 3 * DAY + DAY)
    span = FIRST, FIRST + 30 * DAY
    found = aj.evaluate(incidents, aj.Alerts(FIRST + np.arange(20) * DAY), span=span, chance=False)
    team = found.on_call
    shown = tiles(found)
    assert shown["incidents found"] == f"{team['found']} of 9"
    assert shown["false alerts a week"] == f"{team['false_per_week']:.3g}"
    assert shown["typical delay"] == "0 s"
    silent = aj.evaluate(incidents, aj.Alerts([FIRST + 29 * DAY]), span=span, chance=False)
    assert "typical delay" not in tiles(silent)


@pytest.mark.parametrize("timed", [True, False])
def test_a_receipt_shows_events_and_both_kinds_of_alarms(timed):
    how = {"time": TIME} if timed else {}
    found = aj.explain(LABELS, SCORES, "f1_ba", at=0.9, **how)
    lanes = {lane.name: lane for lane in found.glance().drawing.lanes}
    assert len(lanes["events"].starts) == 12
    false = found.counts["false_alarms"]
    assert lanes["false alarms"].text == str(len(lanes["false alarms"].starts)) == str(false)
    right = lanes["right alarms"]
    assert len(right.starts) == found.counts["alarms"] - false
    covered = [LABELS[a:b].any() for a, b in zip(right.starts, right.stops, strict=True)]
    assert all(covered)
    assert found.glance().tiles[0].value == f"{found.value:.4f}"
    assert ("2026-01-01 00:00" if timed else "299") in texts(found._repr_html_())


def test_a_receipt_of_a_delay_says_it_in_time():
    found = aj.explain(LABELS, SCORES, "detection_delay", at=1.5, time=TIME)
    assert found.glance().tiles[0].value.endswith(("h", "min"))


def test_events_show_where_they_are():
    events = aj.Case(LABELS, SCORES, time=TIME).events
    html = events._repr_html_()
    assert "and 2 more events" in html
    assert "20.00 %" in html
    assert html.count("2026-01-01") > 1
    assert "<table" not in aj.Events([], [], 5)._repr_html_()


@pytest.mark.parametrize("named", [True, False])
def test_events_of_series_have_a_lane_each(named):
    series = np.repeat(["a", "b"] if named else [4, 7], [100, 200])
    events = aj.Case(LABELS, SCORES, series=series).events
    drawn = events.glance().drawing
    assert [lane.name for lane in drawn.lanes] == (["a", "b"] if named else ["4", "7"])
    assert [len(lane.starts) for lane in drawn.lanes] == [4, 8]
    assert drawn.lanes[1].starts[0] == 20
    assert drawn.n == 200
    unnamed = aj.Events([1, 12], [2, 14], 20, bounds=[0, 10, 20])
    assert [lane.name for lane in unnamed.glance().drawing.lanes] == ["0", "1"]


def test_a_metric_says_what_it_is():
    html = aj.f1_ba(width=7)._repr_html_()
    assert "f1_ba(width=7): " in html
    assert re.search(r"<td[^>]*>width</td><td[^>]*>7</td>", html)
    assert "From 0 to 1; higher is better." in html
    assert "<table" not in aj.auc_roc._repr_html_() or "auc_roc" in aj.auc_roc._repr_html_()


def test_a_comparison_shows_the_difference_beside_none():
    found = aj.compare(LABELS, SCORES, SCORES[::-1], "auc_roc")
    assert [tile.title for tile in found.glance().tiles] == ["a", "b", "p"]
    far = max(abs(found.low), abs(found.high))
    assert circles(found._repr_html_()) == pytest.approx(
        [190 + 180 * (1 + found.difference / far)], abs=0.1
    )
    same = aj.compare(LABELS, SCORES, SCORES, "auc_roc")
    assert circles(same._repr_html_()) == [190 + 180]


@pytest.mark.parametrize("chance", [True, False])
def test_a_ranking_shows_its_leaderboard(chance):
    data = {f"s{k}": (LABELS, {"a": SCORES, "b": np.roll(SCORES, 7 * k)}) for k in range(3)}
    found = aj.rank(data, ["auc_roc"], **({} if chance else {"chance": False}))
    html, board = found._repr_html_(), found.leaderboard
    top = max(row["high"] if row["high"] == row["high"] else row["mean"] for row in board)
    assert len(circles(html)) == 2
    assert circles(html)[0] <= 190 + 360 * board[0]["mean"] / max(top, board[0]["mean"]) + 0.1
    assert "has the best mean rank" in html
    assert tiles(found) == {"first": board[0]["detector"], "detectors": "2", "series": "3"}


def weeks(count):
    labels = np.tile(np.r_[np.zeros(900), np.ones(60), np.zeros(720)], count)
    scores = np.random.default_rng(0).random(labels.size) + labels
    time = np.datetime64("2026-01-05") + np.arange(labels.size) * np.timedelta64(6, "m")
    return labels, scores, time


def test_a_decision_shows_what_it_costs_beside_no_detector():
    labels, scores, time = weeks(9)
    found = aj.decide(labels, scores, [1.2, 0.9], costs=aj.costs(miss=500), time=time)
    html = found._repr_html_()
    assert tiles(found)["choose"] == found.choice
    assert tiles(found)["incidents found"] == "9 of 9"
    assert {"on unseen blocks", "in hindsight", "paging nobody"} <= set(texts(html))
    assert html.index("choose: ") < html.index("<svg") < html.index("<table")
    for sentence in str(found).splitlines():
        assert aj.tables.glance.html_text(sentence) in html


def test_a_decision_by_a_metric_and_one_that_nothing_keeps_to():
    labels, scores, time = weeks(9)
    found = aj.decide(labels, scores, [1.2, 0.9], metric="event_f1", time=time)
    assert "paging nobody" not in found._repr_html_()
    never = aj.decide(labels, scores, [0.5], costs=aj.costs(miss=500), time=time, budget="1/week")
    assert never.choice in never._repr_html_()


def test_an_inspection_counts_its_checks_and_draws_what_to_look_at():
    rng, data = np.random.default_rng(3), {}
    for k in range(9):
        labels, values = np.zeros(600, int), rng.normal(size=600)
        labels[100 + 30 * k : 120 + 30 * k] = labels[121 + 30 * k : 141 + 30 * k] = 1
        data[f"s{k}"] = labels, {"v": values}
    found = aj.inspect(data, checks=["close events", "windows"])
    assert found.suspects
    shown = tiles(found)
    assert shown["fine"] == str(len(found.of("fine")))
    lanes = found.glance().drawing.lanes
    assert [lane.name for lane in lanes[:2]] == [found.suspects[0].series, "to look at"]
    assert lanes[0].text == "2 labelled"
    quiet = aj.inspect({"s": (LABELS, {"v": SCORES})}, checks=["windows"])
    assert quiet.glance().drawing is None
