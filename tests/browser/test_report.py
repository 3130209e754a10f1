"""The report as its reader meets it: slider, receipt, series, keyboard, screen reader."""

from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.judging.demonstration import detectors as demo

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


def f1(page):
    return page.locator("#values tr[data-metric=f1_ba] td.f").inner_text()


def focus(page):
    return page.evaluate("document.activeElement.id || document.activeElement.className")


def wait(page, selector, text):
    page.locator(selector).filter(has_text=text).wait_for(state="attached")


def test_the_slider_is_the_first_control_and_its_keys_move_the_scores(opened, one):
    page = opened(one)
    page.keyboard.press("Tab")
    assert focus(page) == "threshold"
    page.keyboard.press("Home")
    wait(page, "#flagged", "1,000 of 1,000 points flagged (100%)")
    assert page.input_value("#typed") == "-inf"
    page.keyboard.press("End")
    wait(page, "#flagged", "0 of 1,000 points flagged (0%)")
    assert f1(page) == "0.0000"
    assert page.locator("#threshold").get_attribute("aria-valuetext").endswith("flagged (0%)")
    wait(page, "#spoken", "BA 0.0000")
    page.keyboard.press("PageDown")
    page.locator("#values tr[data-metric=f1_ba] td.f").filter(has_not_text="0.0000").wait_for()


def test_every_control_is_reached_by_tab_and_has_a_name(opened, series):
    page = opened(series)
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(PLACE))
    controls = page.evaluate("""() => {
      const all = [...document.querySelectorAll("*")];
      return all.filter((one) => one.matches("input, select, button, summary") && one.offsetParent
        && (one.type !== "radio" || one.checked)).map((one) => all.indexOf(one));
    }""")
    assert set(controls) <= reached


def test_threshold_series_row_and_theme_change_without_a_mouse(opened, series):
    page = opened(series)
    page.focus("#typed")
    page.keyboard.press("Control+A")
    page.keyboard.type("1.5")
    page.keyboard.press("Enter")
    assert "points flagged" in page.locator("#flagged").inner_text()
    page.focus("#series-search")
    page.keyboard.type("machine 7")
    page.keyboard.press("Enter")
    assert page.locator("#series-open").inner_text() == "machine 7"
    page.locator("#receipt button.where").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("#receipt tr.pointed").count() >= 1
    assert page.locator(".stretch").is_visible()
    page.focus("#theme")
    page.keyboard.type("dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"


def test_a_click_in_the_plot_points_at_its_row_and_a_row_at_the_plot(opened, one):
    page = opened(one)
    page.locator("#receipt button.where").first.click()
    assert page.locator("#receipt tr.pointed").count() == 1
    assert page.locator(".stretch").is_visible()
    page.locator("#receipt tr.pointed button").click()
    assert page.locator("#receipt tr.pointed").count() == 0
    page.get_by_role("button", name="show the whole series").click()
    box = page.locator("#timeline .u-over").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 60 / 1000, box["y"] + 20)
    assert "event" in page.locator("#receipt tr.pointed").first.inner_text()


def test_what_makes_no_sense_is_refused_in_words(opened, one):
    page = opened(one)
    before = f1(page)
    for field, text, said in (
        ("typed", "high", 'threshold must be a number, got "high"'),
        ("k", "0", 'k must be a share above 0 and at most 1, got "0"'),
        ("width", "2.5", 'width must be a whole number, at least 1, got "2.5"'),
        ("margin", "-1", 'margin must be a whole number, at least 0, got "-1"'),
    ):
        page.fill(f"#{field}", text)
        page.press(f"#{field}", "Enter")
        assert said in page.locator(".problem:visible").all_inner_texts()
    assert f1(page) == before
    page.click("#reset")
    assert page.locator("#settings-problem").inner_text() == ""


def test_one_series_is_counted_by_itself(opened, series):
    page = opened(series)
    labels, scores = drawn(1200, 3)
    at = float(page.evaluate("document.querySelector('#values td.best button').dataset.at"))
    page.get_by_label("count this series only").check()
    page.select_option("#series-list", "3")
    page.get_by_role("button", name="as given").first.click()
    shown = page.locator("#values tr[data-metric=f1] td.f data").get_attribute("value")
    at = aj.metric("best(f1_ba)").reading(aj.Case(labels, scores, series=np.arange(1200) // 100)).at
    part = slice(300, 400)
    expected = aj.f1(labels[part], scores[part], at=at)
    assert float(shown) == expected or (shown == "NaN" and np.isnan(expected))


def test_the_band_goes_when_the_settings_are_no_longer_its_own(opened, tmp_path):
    labels, scores = drawn(300)
    path = aj.evaluate(labels, scores, "best(f1_ba)", shifts=19).to_html(tmp_path / "page.html")
    page = opened(path)
    assert page.locator(".chart .band").count() == 1
    page.fill("#width", "3")
    page.press("#width", "Enter")
    assert page.locator(".chart .band").count() == 0
    assert "computed for other settings" in page.locator("#band-note").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["one", "series", "demo"])
def test_axe_finds_nothing_serious(opened, tmp_path, request, kind, scheme):
    if not AXE.exists():
        pytest.skip("no axe-core here: npm ci in web/")
    if kind == "demo":
        path = aj.evaluate(*demo(), chance=False).to_html(tmp_path / "demo.html")
    else:
        path = request.getfixturevalue(kind)
    page = opened(path, color_scheme=scheme, bypass_csp=True)
    assert serious(page) == []


def serious(page):
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run()")["violations"]
    return [
        (one["id"], node["html"][:200])
        for one in found
        if one["impact"] in {"serious", "critical"}
        for node in one["nodes"][:3]
    ]


def test_axe_notices_a_control_without_a_name(opened, one):
    """A wrong double: the check is able to fail."""
    if not AXE.exists():
        pytest.skip("no axe-core here: npm ci in web/")
    page = opened(one, bypass_csp=True)
    page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    assert serious(page) != []


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
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_dates_stand_on_the_axis_and_in_the_receipt(opened, tmp_path):
    labels = [0] * 20 + [1] * 5 + [0] * 20
    flags = [0] * 22 + [1] * 3 + [0] * 20
    time = [
        f"2026-03-01T{hour:02}:{minute:02}:00" for hour in range(12) for minute in (0, 15, 30, 45)
    ]
    path = aj.report(labels, flags, "f1_ba", path=tmp_path / "a.html", time=time[:45], chance=False)
    page = opened(path)
    row = page.locator("#receipt tr").first
    assert row.locator("button.where").inner_text() == "2026-03-01 05:00 to 2026-03-01 06:00"
    assert "30 min" in row.inner_text()


def test_nothing_moves_while_the_page_is_built(opened, one):
    page = opened(one)
    shift = page.evaluate("""() => new Promise((done) => {
      let sum = 0;
      const add = (list) => list.getEntries().forEach((entry) => (sum += entry.value));
      new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done(sum), 300);
    })""")
    assert shift < 0.01
