"""The report as its reader meets it: slider, receipt, series, keyboard, screen reader."""

import re
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.judging.demonstration import detectors as demo
from browser.waiting import expect, until_drawn

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


PLACE = "[...document.querySelectorAll('*')].indexOf(document.activeElement)"


def drawn(n=1000, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.zeros(n, int)
    for start in range(50, n - 60, n // 8):
        labels[start : start + int(rng.integers(5, 40))] = 1
    return labels, rng.normal(size=n) + 2 * labels


@pytest.fixture
def one(tmp_path):
    labels, scores = drawn()
    return aj.evaluate(labels, scores, chance=False).to_html(tmp_path / "one.html", title="one")


@pytest.fixture
def series(tmp_path):
    labels, scores = drawn(1200, 3)
    names = np.repeat([f"machine {m}" for m in range(12)], 100)
    keep = {"mine": scores, "theirs": -scores}
    judged = aj.evaluate(labels, keep, ["best(f1_ba)"], series=names, chance=False)
    return judged.to_html(tmp_path / "series.html", title="twelve series")


def said(page):
    return page.locator("#verdict").inner_text()


def test_the_keys_of_the_slider_step_from_score_to_score(opened, one):
    page = opened(one)
    ladder = [-np.inf, *np.unique(drawn()[1])]
    page.focus("#threshold")
    at = "Number(new URLSearchParams(location.hash.slice(1)).get('t'))"
    place = ladder.index(page.evaluate(at))
    for key, by in (("ArrowRight", 1), ("PageUp", 10), ("ArrowLeft", -1), ("PageDown", -10)):
        page.keyboard.press(key)
        place += by
        assert page.evaluate(at) == ladder[place]
    page.keyboard.press("Home")
    expect(page.locator("#flagged")).to_have_text("1,000 of 1,000 points flagged (100 %)")
    expect(page.locator("#typed")).to_have_value("-inf")
    expect(page.locator("#verdict b")).to_have_text("Always on.")
    page.keyboard.press("End")
    expect(page.locator("#verdict b")).to_have_text("Silent.")
    words = re.compile(r"0 of 1,000 points flagged \(0 %\)$")
    expect(page.locator("#threshold")).to_have_attribute("aria-valuetext", words)


@pytest.mark.parametrize("width", [1280, 360])
def test_a_metric_is_drawn_window_by_window_for_the_detector_on_show(opened, tmp_path, width):
    labels, scores = drawn()
    both = {"mine": scores, "never": scores * 0}
    found = aj.over_time(labels, both, ["f1_ba", "event_recall"], 1.5, window=150)
    page = opened(found.to_html(tmp_path / "a.html"), viewport={"width": width, "height": 900})
    charts = page.locator("#windows svg")
    expect(charts).to_have_count(2)
    expect(charts.first.locator(".point")).to_have_count(7)
    expect(charts.first.locator(".point.part")).to_have_count(1)
    expect(charts.first.locator(".by-chance")).to_have_count(7)
    own = [row for row in found.rows if (row.detector, row.metric) == ("mine", "f1_ba")]
    said = charts.first.locator("title").first.text_content()
    assert said == f"0: {own[0].value:.4f}, by chance {own[0].chance:.4f}; 1 event"
    heights = [float(one.get_attribute("cy")) for one in charts.first.locator(".point").all()]
    assert np.argmin(heights) == np.argmax([row.value for row in own])
    page.select_option("#detector", "1")
    expect(page.locator("#windows-name")).to_have_text("never")
    page.locator("#windows-section").scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_incidents_are_drawn_window_by_window(opened, tmp_path):
    incidents, alerts = aj.Incidents([5, 25], [8, 27]), aj.Alerts([6, 12])
    found = aj.over_time(incidents, alerts, window=10, span=(0, 40), chance=False)
    page = opened(found.to_html(tmp_path / "a.html"))
    expect(page.locator("#windows svg")).to_have_count(3)
    expect(page.locator("#windows svg").first.locator(".point")).to_have_count(2)


def test_every_control_is_reached_by_tab_and_has_a_name(opened, series):
    page = opened(series)
    reached = set()
    for _ in range(160):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(PLACE))
    controls = page.evaluate("""() => {
      const all = [...document.querySelectorAll("*")];
      return all.filter((one) => one.matches("input, select, button, summary")
        && one.checkVisibility({ contentVisibilityAuto: true }) && !one.disabled
        && (one.type !== "radio" || one.checked)).map((one) => all.indexOf(one));
    }""")
    assert set(controls) <= reached


def test_threshold_series_row_and_theme_change_without_a_mouse(opened, series):
    page = opened(series)
    flagged, before = page.locator("#flagged").inner_text(), said(page)
    page.focus("#typed")
    page.keyboard.press("Control+A")
    page.keyboard.type("1.5")
    page.keyboard.press("Enter")
    expect(page.locator("#flagged")).not_to_have_text(flagged)
    assert said(page) != before
    page.focus("#series-search")
    page.keyboard.type("machine 7")
    page.keyboard.press("Enter")
    expect(page.locator("#series-open")).to_have_text("machine 7")
    rows = page.locator("#receipt button.where")
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#receipt tr.pointed")).not_to_have_count(0)
    assert "row=" in page.url
    page.focus("#theme")
    page.keyboard.type("dark")
    expect(page.locator("body")).to_have_css("background-color", "rgb(20, 23, 27)")


def test_a_click_in_the_plot_points_at_its_row_and_a_row_at_the_plot(opened, one):
    page = opened(one, viewport={"width": 1280, "height": 700})
    page.locator("#receipt button.where").first.click()
    expect(page.locator("#receipt tr.pointed")).to_have_count(1)
    expect(page.locator("#time")).to_be_in_viewport()
    assert "from=" in page.url
    page.get_by_role("button", name="show the whole series").click()
    until_drawn(page)
    box = page.locator("#time").bounding_box()
    left, width = box["x"] + 118, box["width"] - 118 - 52
    page.mouse.click(left + width * 60 / 1000, box["y"] + 138)  # in the lane of events
    expect(page.locator("#receipt tr.pointed").first).to_contain_text("event 1")
    assert "row=e0" in page.url


def test_what_makes_no_sense_is_refused_in_words(opened, one):
    page = opened(one)
    before = said(page)
    page.fill("#typed", "high")
    page.press("#typed", "Enter")
    words = 'threshold must be a number, got "high"'
    expect(page.locator(".problem", has_text=words)).to_be_visible()
    expect(page.locator("#verdict")).to_have_text(before)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["one", "series", "demo"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing(opened, tmp_path, request, kind, scheme, width):
    if not AXE.exists():
        pytest.skip("no axe-core here: npm ci in web/")
    if kind == "demo":
        path = aj.evaluate(*demo(), chance=False).to_html(tmp_path / "demo.html")
    else:
        path = request.getfixturevalue(kind)
    size = {"width": width, "height": 900}
    page = opened(path, color_scheme=scheme, bypass_csp=True, viewport=size)
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert violations(page) == []


def violations(page):
    until_drawn(page)
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run({rules: {'target-size': {enabled: true}}})")["violations"]
    return [(one["id"], node["html"][:200]) for one in found for node in one["nodes"][:3]]


def test_axe_notices_a_control_without_a_name(opened, one):
    """A wrong double: the check is able to fail."""
    if not AXE.exists():
        pytest.skip("no axe-core here: npm ci in web/")
    page = opened(one, bypass_csp=True)
    page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    assert violations(page) != []


@pytest.mark.parametrize("width", [360, 768, 1600])
@pytest.mark.parametrize("kind", ["three points", "no events", "no alarms", "everything"])
def test_the_smallest_cases_fit_every_screen(opened, tmp_path, kind, width):
    labels, flags = {
        "three points": ([0, 1, 0], [0.1, 0.5, 0.2]),
        "no events": ([0] * 50, np.arange(50) / 50),
        "no alarms": ([0, 1] * 25, [0] * 50),
        "everything": ([1] * 50, [1] * 50),
    }[kind]
    path = aj.evaluate(labels, flags, chance=False).to_html(tmp_path / "page.html")
    page = opened(path, viewport={"width": width, "height": 800})
    until_drawn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_dates_stand_in_the_receipt_and_the_alarm_is_named_not_what_is_charged(opened, tmp_path):
    labels = [0] * 20 + [1] * 5 + [0] * 20
    flags = [0] * 22 + [1] * 3 + [0] * 10 + [1, 1] + [0] * 8
    time = [
        f"2026-03-01T{hour:02}:{minute:02}:00" for hour in range(12) for minute in (0, 15, 30, 45)
    ]
    path = aj.report(labels, flags, "f1_ba", path=tmp_path / "a.html", time=time[:45], chance=False)
    page = opened(path)
    row = page.locator("#receipt tr")
    expect(row).to_have_count(1)
    expect(row.locator("button.where")).to_have_text("2026-03-01 08:45 to 09:00")
    expect(row).to_contain_text("charged: 2026-03-01 08:15 to 09:30")
    page.select_option("#show-rows", "event")
    expect(row.locator("button.where")).to_have_text("2026-03-01 05:00 to 06:00")
    expect(row).to_contain_text("30 min")


def moved(page):
    """How much of the page has moved, as the browser sums it up."""
    until_drawn(page)
    return page.evaluate("""() => {
      const told = new PerformanceObserver(() => {});
      told.observe({ type: "layout-shift", buffered: true });
      return told.takeRecords().reduce((sum, entry) => sum + entry.value, 0);
    }""")


def test_nothing_moves_while_the_page_is_built(opened, one):
    assert moved(opened(one)) < 0.01


def test_the_browser_notices_what_moves(opened, one):
    """A wrong double: the check is able to fail."""
    page = opened(one)
    until_drawn(page)
    page.evaluate("document.body.prepend(Object.assign(document.createElement('h1'), "
                  "{ textContent: 'late', className: 'late' }))")  # fmt: skip
    assert moved(page) > 0.01


def test_arrow_keys_read_a_curve_and_enter_moves_there(opened, tmp_path):
    labels, scores = drawn()
    judged = aj.evaluate(labels, scores, ["f1_ba"], 0.5, chance=False)
    page = opened(judged.to_html(tmp_path / "one.html"))
    before = page.input_value("#typed")
    page.focus("#curve-scores")
    page.keyboard.press("ArrowRight")
    words = page.inner_text("#curve-read")
    expect(page.locator("#spoken")).to_have_text(words)
    level, value = re.match(r"threshold (\S+), .*?: BA (\S+?)(?:,|$)", words).groups()
    assert float(level) > 0.5
    wanted = aj.f1_ba(labels, scores, at=float(level))
    assert float(value) == pytest.approx(wanted, abs=1e-4)
    assert page.input_value("#typed") == before
    page.keyboard.press("Enter")
    expect(page.locator("#typed")).to_have_value(level)
    page.keyboard.press("ArrowLeft")
    flagged = f", {np.count_nonzero(scores > 0.5)} points flagged: "
    assert flagged in page.inner_text("#curve-read")


def test_on_paper_nothing_is_said_of_clicking_and_no_table_is_a_phone_s(opened, tmp_path):
    labels, scores = drawn()
    judged = aj.evaluate(labels, scores, ["f1_ba", "f1", "f1_pa"], 0.5, shifts=99)
    page = opened(judged.to_html(tmp_path / "one.html"), viewport={"width": 720, "height": 900})
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    words = page.inner_text("main").lower()
    for word in ("click", "drag", "choose a", "press", "copy"):
        assert word not in words, word
    assert page.evaluate("getComputedStyle(document.querySelector('#values tr')).display") == (
        "table-row"
    )
    assert page.evaluate("[...document.querySelectorAll('canvas')].every((one) => "
                         "one.clientWidth <= one.width)")  # fmt: skip
