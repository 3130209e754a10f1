"""The fold: verdict, tiles and slider, for every kind of detector; each number as Python has it."""

import csv
import io
import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests import on_call_story as story

import adjudge as aj
from browser.waiting import eventually, expect, until_drawn
from reporting.unpacked import payload

DESK = {"width": 1280, "height": 800}


def scene(seed, n=3000, detectors=1):
    """Events of one length of time after another, found late, with noise between them."""
    rng = np.random.default_rng(seed)
    labels, scores = np.zeros(n, int), rng.normal(size=(detectors, n))
    for start in range(120, n - 200, n // 9):
        stop = start + int(rng.integers(8, 60))
        labels[start:stop] = 1
        for one in scores:
            if rng.random() < 0.7:
                one[start + int(rng.integers(0, 8)) : stop] += 4
    time = np.datetime64("2026-05-01T00:00") + np.arange(n) * np.timedelta64(10, "m")
    return labels, {f"detector {d}": one for d, one in enumerate(scores)}, time


def exact(page, selector):
    return float(page.locator(f"{selector} data").first.get_attribute("value"))


def move(page, threshold):
    page.fill("#typed", str(threshold))
    page.press("#typed", "Enter")


def in_fold(page, selector):
    box = page.locator(selector).bounding_box()
    return box is not None and box["y"] + box["height"] <= DESK["height"]


@pytest.mark.parametrize("detectors", [1, 5, 20])
def test_five_questions_are_answered_above_the_fold(opened, tmp_path, detectors):
    labels, scores, time = scene(4, detectors=detectors)
    path = aj.report(labels, scores, at=3.0, time=time, path=tmp_path / "a.html", shifts=199)
    page = opened(path, viewport=DESK)
    for part in ("#verdict", "#tile-found", "#tile-false", "#tile-delay", "#tile-score", "#bar"):
        assert in_fold(page, part), part
    plot = page.locator("#time").bounding_box()
    assert plot["y"] + 200 <= DESK["height"]  # the score, events and alarms
    expect(page.locator("#matrix-section")).to_be_visible(visible=detectors > 1)
    expect(page.locator("#choice")).to_be_visible(visible=detectors > 1)
    for section in ("Every number, as computed", "Notes and settings"):
        expect(page.locator("summary", has_text=section)).to_be_visible()
    page.mouse.wheel(0, 900)
    eventually(page, lambda: page.locator("#bar").bounding_box()["y"] == 0)  # it stays in view


def test_the_tiles_are_pythons_and_follow_the_slider(opened, tmp_path):
    labels, scores, time = scene(11)
    one = scores["detector 0"]
    path = aj.report(labels, one, at=3.0, time=time, path=tmp_path / "a.html", shifts=199)
    page = opened(path)
    for at in (3.0, 2.0, 3.4):
        move(page, at)
        wanted = {
            "#tile-found": round(aj.event_recall(labels, one, at=at) * 9),
            "#tile-score": aj.f1_ba(labels, one, at=at),
            "#tile-false": aj.evaluate(labels, one, 'false_alarms(per="1w")', at, time=time,
                                       chance=False).rows[0].value,
            "#tile-delay": aj.evaluate(labels, one, 'detection_delay(average="median")', at,
                                       time=time, chance=False).rows[0].seconds,
        }  # fmt: skip
        for tile, value in wanted.items():
            eventually(
                page,
                lambda tile=tile, value=value: math.isclose(exact(page, tile), value, rel_tol=1e-6),
            )
        assert page.locator("#boxes button.found").count() == wanted["#tile-found"]


def test_what_moves_moves_everywhere_and_what_cannot_is_greyed(opened, tmp_path):
    labels, scores, time = scene(5)
    path = aj.report(labels, scores, at=3.0, time=time, path=tmp_path / "a.html", shifts=199)
    page = opened(path)
    cite, verdict = page.locator("#cite"), page.locator("#verdict")
    given = cite.inner_text(), verdict.inner_text()
    assert "threshold 3.0" in given[0]
    expect(page.locator("#as-given")).to_be_disabled()
    move(page, 1.25)
    expect(cite).to_contain_text("threshold 1.25 (moved by hand)")
    expect(page.locator("#fine")).to_contain_text("Threshold 1.25, moved by hand")
    expect(page.locator("#fine")).to_contain_text("The one that was given is 3.")
    assert verdict.inner_text() != given[1]
    assert "t=1.25" in page.url
    expect(page.locator("#as-judged")).to_contain_text("Computed at the thresholds as given (3)")
    expect(page.locator(".greys").last).to_have_css("opacity", "0.5")
    assert exact(page, "#tile-score") == pytest.approx(
        aj.f1_ba(labels, scores["detector 0"], at=1.25)
    )
    again = opened(path, after=page.url[page.url.index("#") :])
    expect(again.locator("#verdict")).to_have_text(verdict.inner_text())
    expect(again.locator("#cite")).to_have_text(cite.inner_text())
    page.click("#as-given")
    expect(cite).to_have_text(given[0])
    expect(verdict).to_have_text(given[1])
    expect(page.locator("#as-judged")).to_have_text("")


def test_one_chance_on_the_page(opened, tmp_path):
    """Tile, verdict, pile, waterfall, table of values and matrix: the same number."""
    labels, scores, time = scene(6, detectors=2)
    path = aj.report(labels, scores, at=3.0, time=time, path=tmp_path / "a.html")
    page = opened(path)
    page.locator("#values-details summary").click()
    for at in (3.0, 2.2):
        move(page, at)
        until_drawn(page)
        cell = page.locator('#values tr[data-metric^="f1_ba("] td.chance').text_content()
        shown = re.search("chance ([.0-9]+)", page.locator("#tile-score").inner_text())[1]
        assert cell.startswith(shown) or cell == ""  # the table has it at its own level alone
        expect(page.locator("#verdict")).to_contain_text(f"at other times score {shown}")
        fall = page.locator("#why .f1_ba").get_attribute("aria-label")
        assert f"chance {shown}" in fall
        bar = page.locator("#matrix tr.chosen .chance-bar").get_attribute("aria-label")
        assert f"chance {shown}," in bar


def test_a_page_that_starts_at_the_best_threshold_says_so(opened, tmp_path):
    labels, scores, time = scene(7)
    judged = aj.evaluate(labels, scores, time=time)
    page = opened(judged.to_html(tmp_path / "a.html"))
    (row,) = (row for row in judged.rows if row.metric.startswith("best(f1_ba"))
    expect(page.locator("#fine")).to_contain_text("the best in hindsight: an upper bound")
    expect(page.locator("#tile-score")).to_have_text(f"{row.value:.2f} chance {row.chance:.2f}")
    expect(page.locator("#verdict")).to_contain_text("each at its best")
    expect(page.locator("#machine-section")).to_be_hidden()  # it would show another chance
    move(page, 2)
    expect(page.locator("#machine-oracle")).to_be_hidden()
    expect(page.locator("#fine")).to_contain_text("moved by hand")


def test_flags_have_no_slider_and_no_curve(opened, tmp_path):
    labels, scores, time = scene(8)
    flags = scores["detector 0"] > 3
    page = opened(aj.report(labels, flags, time=time, path=tmp_path / "a.html", shifts=99))
    expect(page.locator("#bar")).to_be_hidden()
    expect(page.locator("#curves-section")).to_be_hidden()
    expect(page.locator("#fine")).to_contain_text("Alarms as given, without scores.")
    expect(page.locator("#machine-section")).to_be_visible()


def test_a_series_without_events_counts_alarms_a_day_and_shows_no_bold_zero(opened, tmp_path):
    _, scores, time = scene(9)
    path = aj.report([0] * 3000, scores, at=3.0, time=time, path=tmp_path / "a.html")
    page = opened(path)
    expect(page.locator("#verdict b")).to_have_text("Nothing to find.")
    runs = np.count_nonzero(np.diff(np.append(0, scores["detector 0"] > 3)) > 0)
    assert math.isclose(exact(page, "#tile-false"), runs / (3000 / 144), rel_tol=1e-6)
    expect(page.locator("#tile-false")).to_contain_text("a day")
    assert page.locator(".big data").count() == 1
    for part in ("machine", "why", "curves", "matrix"):
        expect(page.locator(f"#{part}-section")).to_be_hidden()


def test_points_without_time_are_counted_in_points(opened, tmp_path):
    labels, scores, _ = scene(10)
    page = opened(aj.report(labels, scores, at=3.0, path=tmp_path / "a.html", chance=False))
    expect(page.locator("#tile-false")).to_contain_text("in 3,000 points")
    expect(page.locator("#tile-delay")).to_contain_text("point")
    expect(page.locator("#zone")).to_have_text("axis: points, no times given")


def test_alerts_keep_their_own_times_and_their_numbers(opened, tmp_path):
    truth, alerts, outages = (
        pd.read_csv(io.StringIO(text)) for text in (story.INCIDENTS, story.ALERTS, story.OUTAGES)
    )
    how = {"span": story.SPAN, "outages": outages}
    found = aj.evaluate(aj.Incidents(truth), aj.Alerts(alerts), **how)
    page = opened(found.to_html(tmp_path / "a.html", title="two weeks"), viewport=DESK)
    expect(page.locator("#tile-found")).to_have_text("6 of 7 incidents")
    assert math.isclose(exact(page, "#tile-false"), story.COUNTS["false_per_week"])
    assert exact(page, "#tile-delay") == story.COUNTS["delay_median_seconds"]
    expect(page.locator("#tile-score")).to_contain_text(f"{found['f1_ba']:.2f} chance")
    expect(page.locator("#advice")).to_contain_text("Missed: I6, shop")
    expect(page.locator("#bar")).to_be_hidden()
    assert page.locator("#receipt tr").count() == 1 + story.COUNTS["alerts_false"]
    page.locator("#receipt tr").first.click()
    assert "row=e5" in page.url


@pytest.mark.parametrize("width", [360, 768])
def test_nothing_reaches_over_the_edge_of_a_phone(opened, tmp_path, width):
    labels, scores, time = scene(3, detectors=20)
    named = {
        f"a detector with a rather long name, {d}": one for d, one in enumerate(scores.values())
    }
    path = aj.report(labels, named, at=3.0, time=time, path=tmp_path / "a.html", chance=False)
    page = opened(path, viewport={"width": width, "height": 740})
    until_drawn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#tile-score").bounding_box()["y"] < 740


def test_without_scripts_the_answer_stands_as_text(browser, tmp_path):
    labels, scores, time = scene(2)
    path = aj.report(labels, scores, at=3.0, time=time, path=tmp_path / "a.html", shifts=99)
    context = browser.new_context(java_script_enabled=False, viewport=DESK)
    page = context.new_page()
    page.goto(Path(path).as_uri())
    assert "detector 0" in page.locator("#verdict").inner_text()
    assert " of 9" in page.locator("#tile-found").inner_text()
    context.close()


def test_the_pump_of_the_examples(opened, tmp_path):
    file = Path(aj.__file__).parents[2] / "examples" / "pump.csv"
    rows = list(csv.DictReader(file.read_text().splitlines()))
    labels, scores = ([float(row[name]) for row in rows] for name in ("label", "score"))
    time = [row["timestamp"] for row in rows]
    path = aj.report(labels, scores, at=0.7, time=time, path=tmp_path / "pump.html")
    page = opened(path, viewport=DESK)
    expect(page.locator("#verdict")).to_have_text(
        "Better than chance. The detector finds 6 of 8 events, typically 10 min after they begin, "
        "and raises about 3 false alarms a week. It scores 0.67; the same alarms at other times "
        "score 0.06. None of 2,015 time-shifted copies scored as high."
    )
    expect(page.locator("#advice")).to_contain_text("catching it would add 68 false alarms")
    assert payload(path.read_text())["title"] == "adjudge report"
