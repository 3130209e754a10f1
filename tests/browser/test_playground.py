"""The playground: the paper's numbers, dragging, keys, links."""

import re
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.reporting.page.assembly import write_playground
from browser.waiting import eventually, expect, until_drawn

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
NAMES = ("f1", "f1_pa", "f1_kpa", "f1_ba")


@pytest.fixture
def path(tmp_path):
    return write_playground(tmp_path / "play.html")


def values(page):
    cells = [page.locator(f"#values-{name} b data").get_attribute("value") for name in NAMES]
    return [float(cell) for cell in cells]


def python_scene(scene):
    """Read what a link says: labels, alarms, and the four scores with their settings."""
    parts = dict(part.split("=") for part in scene.lstrip("#").split("&"))
    n = int(parts["n"])

    def flags(text):
        column = np.zeros(n, int)
        for pair in filter(None, text.split(",")):
            start, stop = map(int, pair.split("-"))
            column[start:stop] = 1
        return column

    labels, alarms = flags(parts["e"]), flags(parts["a"])
    islands = {"width": int(parts["w"]), "islands": parts["i"], "margin": int(parts["m"])}
    return labels, alarms, [aj.f1, aj.f1_pa, aj.f1_kpa(k=float(parts["k"])), aj.f1_ba(**islands)]


def python_values(scene):
    """Judge what a link says."""
    labels, alarms, metrics = python_scene(scene)
    return [metric(labels, alarms) for metric in metrics]


def scene(page):
    return page.evaluate("location.hash")


def judged_as_python_does(page):
    """Wait until the address holds what is shown: it follows when hands are still."""
    eventually(page, lambda: scene(page) and values(page) == python_values(scene(page)))


def says(page, part):
    """Wait until the address has a part."""
    expect(page).to_have_url(re.compile(f".*#.*{re.escape(part)}"))


def test_it_opens_with_the_papers_figure_1(opened, path):
    page = opened(path)
    eventually(page, lambda: values(page) == [4 / 9, 12 / 13, 2 / 3, 6 / 7])


def test_every_scene_has_pythons_values(opened, path):
    page = opened(path)
    buttons = page.locator("#presets button")
    for place in range(buttons.count() - 1):  # the last one has scores
        buttons.nth(place).click()
        judged_as_python_does(page)


def test_chance_stands_beside_every_score(opened, path):
    """What the same alarms score elsewhere, as `adjudge.chance` has it; in every scene."""
    page = opened(path)
    for name in page.locator("#presets button").all_inner_texts():
        page.get_by_role("button", name=name, exact=True).click()
        if page.locator("#mode").input_value() == "scores":
            page.select_option("#mode", "alarms")
        judged_as_python_does(page)
        labels, alarms, metrics = python_scene(scene(page))
        for one, metric in zip(NAMES, metrics, strict=True):
            shown = page.locator(f"#values-{one} span data").first.get_attribute("value")
            level = aj.chance(labels, metric, like=alarms).expected if alarms.any() else np.nan
            assert float(shown) == pytest.approx(level, abs=1e-9, nan_ok=True), (name, one)
    page.get_by_role("button", name="a coin flip").click()
    expect(page.locator("#chance-words")).to_contain_text("not distinguishable from chance.")


def test_drawn_scores_are_flagged_above_the_threshold(opened, path):
    page = opened(path)
    page.get_by_role("button", name="scores to draw").click()
    expect(page.locator("#row-scores")).to_be_visible()
    before = values(page)
    box = page.locator("#row-scores").bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.35 * box["width"], box["y"] + 5)
    page.mouse.up()
    eventually(page, lambda: values(page)[0] < before[0])
    eventually(page, lambda: values(page)[0] == f1_of_drawn_scores(scene(page)))


def f1_of_drawn_scores(scene):
    """Judge the scores that a link says, if it says any yet."""
    parts = dict(part.partition("=")[::2] for part in scene.lstrip("#").split("&"))
    if "s" not in parts:
        return None
    scores = np.array([int(level, 36) / 35 for level in parts["s"]])
    labels = np.zeros(200, int)
    for start, stop in (map(int, pair.split("-")) for pair in parts["e"].split(",")):
        labels[start:stop] = 1
    return aj.f1(labels, scores, at=float(parts["t"]))


def test_an_alarm_is_dragged_made_and_removed(opened, path):
    page = opened(path)
    box = page.locator("#row-alarms").bounding_box()

    def at(point):
        return box["x"] + (point + 0.5) / 80 * box["width"], box["y"] + 10

    page.mouse.move(*at(42))
    page.mouse.down()
    page.mouse.move(*at(24))
    page.mouse.up()
    says(page, "a=21-26,54-58&")  # joined with the one that it was dropped on
    page.mouse.move(*at(70))
    page.mouse.down()
    page.mouse.move(*at(73))
    page.mouse.up()
    says(page, "a=21-26,54-58,70-74&")
    judged_as_python_does(page)
    page.locator("#row-alarms rect").last.focus()
    page.keyboard.press("Delete")
    says(page, "a=21-26,54-58&")


def test_everything_goes_by_keys(opened, path):
    page = opened(path)
    page.locator("#row-events rect").first.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowRight")
    says(page, "e=17-32,50-60&")
    page.locator("#add-events").focus()
    page.keyboard.press("Enter")
    says(page, "e=17-32,50-60,67-71&")
    page.fill("#width", "11")
    page.press("#width", "Enter")
    says(page, "w=11&")
    judged_as_python_does(page)


def test_a_link_brings_the_scene_back(opened, path):
    link = "#n=60&e=10-20&a=12-14,40-41&k=0.2&w=7&i=spill&m=1"
    page = opened(path, after=link)
    eventually(page, lambda: values(page) == python_values(link))
    expect(page.locator("#width")).to_have_value("7")


@pytest.mark.parametrize(
    "link", ["#n=x&e=9-2,a-b,-5-900&k=7&w=-1&i=<b>&m=1e99&s=!!", "#%", "#n=1e9"]
)
def test_a_broken_link_breaks_nothing(opened, path, link):
    page = opened(path, after=link)
    expect(page.locator(".board svg")).to_have_count(7)


@pytest.mark.parametrize("width", [360, 768, 1600])
def test_it_fits_every_screen(opened, path, width):
    page = opened(path, viewport={"width": width, "height": 800})
    until_drawn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened, path, scheme):
    if not AXE.exists():
        pytest.skip("no axe-core here: npm ci in web/")
    page = opened(path, color_scheme=scheme, bypass_csp=True)
    page.get_by_role("button", name="scores to draw").click()
    expect(page.locator("#row-scores")).to_be_visible()
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run()")["violations"]
    assert [one["id"] for one in found if one["impact"] in {"serious", "critical"}] == []
