"""A series too long to ship whole: every number on the page is still exact."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.reporting.page import detector_payload, levels, report_page
from browser.waiting import expect


@pytest.fixture
def small_limit(monkeypatch):
    monkeypatch.setattr(report_page, "_POINTS", 500)
    monkeypatch.setattr(levels, "_EXACT", 60)
    monkeypatch.setattr(detector_payload, "_COLUMNS", 100)


@pytest.mark.parametrize("timed", [True, False])
def test_an_overview_answers_the_five_questions(opened, tmp_path, small_limit, timed):
    rng = np.random.default_rng(1)
    labels = np.repeat(rng.random(120) < 0.2, 10).astype(int)
    scores = rng.normal(size=1200) + 2 * labels
    time = np.datetime64("2026-01-01") + np.arange(1200) * np.timedelta64(10, "m")
    how = {"time": time if timed else None}
    judged = aj.evaluate(labels, scores, ["f1_ba"], 2.5, **how)
    page = opened(judged.to_html(tmp_path / "page.html"))
    metrics = ["f1_ba", "event_recall", 'detection_delay(average="median")']
    metrics += ['false_alarms(per="1w")'] * timed
    wanted = aj.evaluate(labels, scores, metrics, 2.5, chance=False, **how)
    value, recall, delay, *weekly = wanted.rows
    assert exact(page, "#tile-score") == value.value
    assert exact(page, "#tile-found") == round(recall.value * len(judged.events))
    assert exact(page, "#tile-delay") == (delay.seconds if timed else delay.value)
    if timed:
        assert exact(page, "#tile-false") == pytest.approx(weekly[0].value)
    expect(page.locator("#verdict")).to_contain_text("false alarm")
    expect(page.locator("#verdict")).to_contain_text("after they begin")
    expect(page.locator("#tile-score")).to_contain_text(f"chance {judged.rows[0].chance:.2f}")
    page.fill("#typed", "1.1")
    page.press("#typed", "Enter")
    at = float(page.input_value("#typed"))
    assert at >= 1.1
    assert exact(page, "#tile-score") == pytest.approx(aj.f1_ba(labels, scores, at=at))


def exact(page, selector):
    return float(page.locator(f"{selector} data").first.get_attribute("value"))


def test_events_are_found_or_missed(opened, tmp_path, small_limit):
    labels = np.zeros(1000, int)
    labels[100:120] = labels[500:560] = 1
    scores = np.zeros(1000)
    scores[110] = scores[700] = 1
    scores[0] = 0.5
    judged = aj.evaluate(labels, scores, "f1_ba(width=5)", at=0.7, chance=False)
    page = opened(judged.to_html(tmp_path / "page.html"))
    expect(page.locator("#receipt tr")).to_contain_text(["missed", "false alarm"])
    page.select_option("#show-rows", "all")
    expect(page.locator("#receipt tr")).to_contain_text(["missed", "false alarm", "found"])
    expect(page.locator("#tile-found")).to_have_text("1 of 2 events")
    expect(page.locator("#receipt-sums")).to_contain_text("1 of 2 alarms false")


def test_a_million_points_make_a_small_page(tmp_path):
    rng = np.random.default_rng(0)
    labels = np.arange(1_000_000) % 20_000 < 300
    judged = aj.evaluate(labels, rng.normal(size=labels.size) + labels, "f1", at=2.0, chance=False)
    assert judged.to_html(tmp_path / "page.html").stat().st_size < 1e6
