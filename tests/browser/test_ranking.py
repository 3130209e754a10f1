"""The ranking page as its reader meets it."""

import re
from pathlib import Path

import numpy as np
import pytest

from adjudge.reporting.page.ranking_page import write_ranking
from browser.test_safety import PAYLOADS, check
from browser.waiting import eventually, expect, until_drawn
from reporting.plain_ranking import METRICS, plain_ranking

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def test_the_board_follows_the_metric_and_sorts_by_any_column(opened, tmp_path):
    ranking = plain_ranking()
    page = opened(write_ranking(ranking, tmp_path / "page.html"))
    page.keyboard.press("Tab")
    expect(page.locator("#metric")).to_be_focused()
    page.select_option("#metric", label=METRICS[0])
    board = [row for row in ranking.leaderboard if row["metric"] == METRICS[0]]
    expect(page.locator("#board th")).to_have_text([row["detector"] for row in board])
    page.get_by_role("button", name="median").click()
    expect(page.locator("#board-head th[aria-sort=descending]")).to_contain_text("median")
    medians = [float(text) for text in page.locator("#board td:nth-child(4)").all_inner_texts()]
    assert medians == sorted(medians, reverse=True)


def test_what_was_not_computed_is_told_from_what_is_undefined(opened, tmp_path):
    ranking = plain_ranking()
    board = [row for row in ranking.leaderboard if row["metric"] == ranking.main_metric]
    board[0] |= {"pooled": None, "transferred": None}
    board[1] |= {"pooled": np.nan}
    page = opened(write_ranking(ranking, tmp_path / "page.html"))
    place = 1 + page.locator("#board-head th").all_inner_texts().index("pooled")
    cells = page.locator(f"#board tr > :nth-child({place})")
    expect(cells).to_have_text(
        ["not computed", "undefined", *(f"{row['pooled']:.4f}" for row in board[2:])]
    )
    page.get_by_role("button", name="pooled").click()
    expect(cells).to_have_text([re.compile(r"0\.\d+")] * 3 + [re.compile("not|undefined")] * 2)
    expect(page.get_by_role("button", name="threshold")).to_have_count(0)
    for row in board:
        row["pooled"] = None
    page = opened(write_ranking(ranking, tmp_path / "page.html"))
    expect(page.get_by_role("button", name="pooled")).to_have_count(0)


def test_a_cell_opens_by_click_and_by_keys(opened, tmp_path):
    ranking = plain_ranking()
    pages = {ranking.series[0]: "series/0.html"}
    page = opened(write_ranking(ranking, tmp_path / "page.html", pages=pages))
    page.locator("#heat td").first.click()
    expect(page.locator("#cell h3")).to_contain_text("on group 0/series 0")
    expect(page.locator("#cell a")).to_have_attribute("href", "series/0.html")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#cell h3")).to_contain_text("on group 1/series 1")
    column = [row["detector"] for row in ranking.leaderboard if row["metric"] == METRICS[1]][1]
    place = ranking.detectors.index(column)
    values = [f"{np.float32(ranking.values[m][1, place]):.4f}" for m in METRICS]
    expect(page.locator("#cell dd")).to_have_text(values)


def test_series_are_searched_and_ordered(opened, tmp_path):
    page = opened(write_ranking(plain_ranking(series=200), tmp_path / "page.html"))
    expect(page.locator("#heat tbody tr")).to_have_count(60)
    page.click("#heat-more")
    expect(page.locator("#heat tbody tr")).to_have_count(120)
    page.fill("#heat-search", "series 17")
    expect(page.locator("#heat-found")).to_have_text("12 of 200 series")
    page.select_option("#heat-order", "hard")
    eventually(page, lambda: means(page) == sorted(means(page)))


def means(page):
    """The mean of each row of the heat map, as it is shown."""
    read = "[...document.querySelectorAll('#heat tbody tr')].map((row) => row.innerText)"
    cells = [[float(cell) for cell in row.split("\t")[1:]] for row in page.evaluate(read)]
    assert len(cells) == 12
    return [np.mean(row) for row in cells]


def test_ten_thousand_units_open(opened, tmp_path):
    ranking = plain_ranking(detectors=20, series=500)
    page = opened(write_ranking(ranking, tmp_path / "page.html"))
    expect(page.locator("#heat tbody tr")).to_have_count(60)
    expect(page.locator("#heat-found")).to_contain_text("500 of 500 series")


def test_hostile_names_are_only_text(opened, tmp_path):
    ranking = plain_ranking(names=PAYLOADS)
    path = write_ranking(ranking, tmp_path / "page.html", title=PAYLOADS[1])
    page = opened(path, viewport={"width": 360, "height": 800})
    page.locator("#heat td").first.click()
    expect(page.locator("#cell")).to_be_visible()
    assert PAYLOADS[0] in check(page)["text"]


@pytest.mark.parametrize("width", [360, 768, 1600])
def test_it_fits_every_screen(opened, tmp_path, width):
    path = write_ranking(plain_ranking(detectors=16, series=58), tmp_path / "page.html")
    page = opened(path, viewport={"width": width, "height": 800})
    until_drawn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened, tmp_path, scheme):
    if not AXE.exists():
        pytest.skip("no axe-core here: npm ci in web/")
    path = write_ranking(plain_ranking(), tmp_path / "page.html")
    page = opened(path, color_scheme=scheme, bypass_csp=True)
    page.locator("#heat td").first.click()
    expect(page.locator("#cell")).to_be_visible()
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run()")["violations"]
    serious = [one for one in found if one["impact"] in {"serious", "critical"}]
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in serious] == []
