"""The pages without a script, of an inspection and of a board, as their readers meet them."""

from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.reporting.page.assembly import page as rendered
from adjudge.tables.table import Table

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
KINDS = ("inspection", "board")


def inspected(path):
    data = {}
    for k in range(6):
        rng = np.random.default_rng(k)
        labels, values = np.zeros(900, int), np.sin(np.arange(900) / 8) + rng.normal(0, 0.1, 900)
        labels[300 + 50 * k : 340 + 50 * k] = 1
        values[310 + 50 * k] += 6
        data[f"a folder with a long name/machine-{k}"] = (labels, {"value": values})
    return aj.inspect(data, checks=["position", "windows", "missing labels"]).to_html(path)


def boarded(path):
    table = Table.of(["detector", "mean"], [["mine", "0.5"], ["theirs", "0.25"]], "f1")
    words = {"title": "board", "facts": "2 detectors", "lead": ["mine leads"], "about": ()}
    source = {
        "name": "mine",
        "authors": "us",
        "links": [],
        "judged": "12",
        "adjudge": "0",
        "hash": "a",
    }
    sections = [("Leaderboard", (table,), ("mean over series",))]
    words |= {"links": [("f1", "f1.html")], "sources": [source], "sections": sections}
    html = rendered("board", style="ranking", **words)
    path.write_text(html)
    return path


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    return {
        "inspection": inspected(folder / "inspection.html"),
        "board": boarded(folder / "board.html"),
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_a_page_without_a_script_fits_and_axe_finds_nothing(browser, written, kind, scheme, width):
    with browser.new_context(
        offline=True, color_scheme=scheme, bypass_csp=True, viewport={"width": width, "height": 800}
    ) as context:
        page = context.new_page()
        page.goto(written[kind].as_uri())
        assert page.locator("main h2").first.is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if AXE.exists():
            page.add_script_tag(path=AXE)
            found = page.evaluate("axe.run()")["violations"]
            assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []


@pytest.mark.parametrize("kind", KINDS)
def test_paper_has_every_column(browser, written, kind):
    """What scrolls on a screen must fit a sheet of A4: 186 mm between the margins."""
    with browser.new_context(offline=True, viewport={"width": 703, "height": 900}) as context:
        page = context.new_page()
        page.goto(written[kind].as_uri())
        page.emulate_media(media="print")
        tables = page.locator(".wide > table")
        assert tables.count()
        ends = "all => all.map(table => table.getBoundingClientRect().right)"
        assert max(tables.evaluate_all(ends)) <= 703


@pytest.mark.parametrize("kind", KINDS)
def test_the_theme_is_chosen_without_a_script_and_print_is_light(browser, written, kind):
    with browser.new_context(offline=True, java_script_enabled=True) as context:
        page = context.new_page()
        page.goto(written[kind].as_uri())
        paper = "getComputedStyle(document.body).backgroundColor"
        white = "rgb(255, 255, 255)"
        assert page.locator("script").count() == 0
        assert page.evaluate(paper) == white
        page.select_option("#theme", "dark")
        assert page.evaluate(paper) != white
        page.emulate_media(media="print")
        assert page.evaluate(paper) == white
