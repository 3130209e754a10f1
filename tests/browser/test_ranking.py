"""The ranking page as its reader meets it."""

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from adjudge.cli import main
from adjudge.ranking.run import rank
from adjudge.ranking.values import rank_values
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
    expect(page.locator("#board th bdi")).to_have_text([row["detector"] for row in board])
    page.check("#all-columns")
    page.get_by_role("button", name="median").click()
    expect(page.locator("#board-head th[aria-sort=descending]")).to_contain_text("median")
    place = 1 + page.locator("#board-head th").all_inner_texts().index("median")
    cells = page.locator(f"#board td:nth-child({place})").all_inner_texts()
    medians = [float(text) for text in cells]
    assert medians == sorted(medians, reverse=True)


def test_what_was_not_computed_is_told_from_what_is_undefined(opened, tmp_path):
    ranking = plain_ranking()
    board = [row for row in ranking.leaderboard if row["metric"] == ranking.main_metric]
    board[0] |= {"pooled": None, "transferred": None}
    board[1] |= {"pooled": np.nan}
    page = opened(write_ranking(ranking, tmp_path / "page.html"))
    page.check("#all-columns")
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
    page.check("#all-columns")
    expect(page.get_by_role("button", name="pooled")).to_have_count(0)


def test_every_mean_is_drawn_on_one_scale(opened, tmp_path):
    """A row without an interval has less text, which must not move its drawing."""
    ranking = plain_ranking()
    board = [row for row in ranking.leaderboard if row["metric"] == ranking.main_metric]
    board[1] |= {"low": np.nan, "high": np.nan}
    page = opened(write_ranking(ranking, tmp_path / "page.html"))
    dots = page.locator("#board .middle").evaluate_all(
        "all => all.map(dot => dot.getBoundingClientRect().x)"  # of circles of one size
    )
    assert len(dots) == len(board)
    means = [row["mean"] for row in board]
    ends = means.index(min(means)), means.index(max(means))
    (low, high), (left, right) = ([values[end] for end in ends] for values in (means, dots))
    wanted = [left + (mean - low) / (high - low) * (right - left) for mean in means]
    assert dots == pytest.approx(wanted, abs=0.5)


def first_column(ranking):
    """The number of the detector that comes first."""
    first = next(r for r in ranking.leaderboard if r["metric"] == ranking.main_metric)
    return ranking.detectors.index(first["detector"])


def drawn_values(series=24, detectors=4, seed=3):
    """Stored values of detectors that differ, one of which has few series."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"set {s % 4}/s{s:02}", f"d{d}", "vus_pr", v)
        for s in range(series)
        for d, v in enumerate(np.clip(rng.random(detectors) / 3 + np.arange(detectors) / 9, 0, 1))
        if d or s < series // 2
    ]
    names = ("series", "detector", "metric", "value")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def test_who_is_not_ranked_stands_below_the_line(opened, tmp_path):
    ranking = rank_values(drawn_values())
    page = opened(ranking.to_html(tmp_path / "page.html"))
    rows = page.locator("#board tr")
    expect(rows.nth(3)).to_contain_text("not ranked")
    expect(rows.nth(4).locator("th")).to_have_text("d0")
    expect(rows.nth(4).locator("td.few")).to_have_text("12 of 24")
    page.get_by_role("button", name="detector", exact=True).click()
    expect(rows.nth(4).locator("th")).to_have_text("d0")  # in any order
    lead, chance = page.locator("#lead"), page.locator("#lead-chance")
    expect(lead).to_contain_text("d3 has the best mean rank (mean 0.")
    expect(chance).to_have_text("Nothing was compared with chance.")


def test_first_and_who_cannot_be_told_from_it(opened, tmp_path):
    ranking = rank_values(drawn_values())
    page = opened(ranking.to_html(tmp_path / "page.html"))
    first = ranking.leaderboard[0]["detector"]
    same = {
        row["one"] if row["other"] == first else row["other"]
        for row in ranking.comparisons
        if first in {row["one"], row["other"]} and row["p_adjusted"] > 0.05
    }
    marked = page.locator("#board tr", has=page.locator(".same")).locator("th bdi")
    assert set(marked.all_inner_texts()) == same


def test_the_map_of_pairs_says_every_comparison(opened, tmp_path):
    ranking = rank_values(drawn_values())
    page = opened(ranking.to_html(tmp_path / "page.html"))
    order = page.locator("#pairs tbody th").all_inner_texts()
    for row in ranking.comparisons:
        one, other = order.index(row["one"]), order.index(row["other"])
        cell = page.locator("#pairs tbody tr").nth(one).locator("td").nth(other)
        assert (cell.inner_text() == "○") == (not row["p_adjusted"] <= 0.05)
        assert f"{row['difference']:+.4f} ({row['low']:.4f} to {row['high']:.4f})" in (
            cell.get_attribute("aria-label")
        )
        back = page.locator("#pairs tbody tr").nth(other).locator("td").nth(one)
        assert f"{-row['difference']:+.4f}" in back.get_attribute("aria-label")
    cell = page.locator("#pairs tbody tr").first.locator("td").nth(1)
    cell.click()
    both = (order[0], order[1])
    (pair,) = [r for r in ranking.comparisons if {r["one"], r["other"]} == set(both)]
    expect(page.locator("#pair")).to_contain_text(
        f"Compared on {pair['series']} of {pair['of']} series"
    )
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#pair h3")).to_have_text(f"{order[0]} against {order[2]}")


@pytest.mark.parametrize("detectors", [15, 16])
def test_past_fifteen_detectors_the_map_stands_alone(opened, tmp_path, detectors):
    ranking = rank_values(drawn_values(detectors=detectors + 1))  # the first is not ranked
    page = opened(ranking.to_html(tmp_path / "page.html"))
    expect(page.locator("#pairs tbody tr")).to_have_count(detectors + 1)
    if detectors > 15:
        expect(page.locator("#cd-section")).to_be_hidden()
    else:
        expect(page.locator("#cd svg")).to_be_visible()


def test_a_data_set_is_chosen_and_stays_in_the_address(opened, tmp_path):
    ranking = rank_values(drawn_values())
    path = ranking.to_html(tmp_path / "page.html")
    page = opened(path)
    expect(page.locator("#sets thead th")).to_have_count(5)
    page.select_option("#group", label="set 2 (6)")
    lines = [row for row in ranking.groups if row["group"] == "set 2"]
    for row in lines:
        line = page.locator("#board tr", has=page.get_by_text(row["detector"], exact=True))
        expect(line.get_by_text(f"{row['mean']:.4f}", exact=True)).to_be_visible()
    expect(page.locator("#heat-found")).to_have_text("6 of 24 series")
    expect(page.locator("#lead")).to_contain_text("On set 2 alone")
    assert page.url.endswith("#g=set+2")
    page.reload()
    until_drawn(page)
    expect(page.locator("#heat-found")).to_have_text("6 of 24 series")


def test_chance_stands_beside_the_mean_and_how_it_was_made_below(opened, tmp_path):
    rng = np.random.default_rng(0)
    data = {}
    for s in range(8):
        labels = np.zeros(200, int)
        labels[50 + 10 * s : 62 + 10 * s] = 1
        data[f"s{s}"] = labels, {"good": rng.random(200) + labels, "blind": rng.random(200)}
    ranking = rank(data, "best(f1_ba)", pooled=False)
    page = opened(ranking.to_html(tmp_path / "page.html"))
    titles = page.locator("#board-head th").all_inner_texts()
    place = 1 + titles.index("by chance")
    expected = {r["detector"]: r for r in ranking.leaderboard}
    for line in page.locator("#board tr").all():
        row = expected[line.locator("th").inner_text()]
        assert line.locator(f":nth-child({place})").first.inner_text() == f"{row['chance']:.4f}"
        assert f"{row['better_on_low']}+ of 8" in line.inner_text()
        assert f"{row['better_on']} alone" in line.inner_text()
        assert ("better" in line.inner_text()) == (row["p_adjusted"] <= 0.05)
    expect(page.locator("#lead-chance")).to_have_text(
        "1 of 2 ranked detectors are better than chance over all their series."
    )
    made = page.locator("section[aria-labelledby=made-title]")
    expect(made).to_contain_text("one test over all series")
    expect(made).to_contain_text("numpy")


def test_a_cell_opens_by_click_and_by_keys(opened, tmp_path):
    ranking = plain_ranking()
    pages = {ranking.series[0]: "series/0.html"}
    page = opened(write_ranking(ranking, tmp_path / "page.html", pages=pages))
    page.locator("#heat td").first.click()
    expect(page.locator("#cell h3")).to_contain_text("on group 0/series 0")
    expect(page.locator("#cell a")).to_have_attribute(
        "href", "series/0.html#d=detector%20" + str(first_column(ranking))
    )
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#cell h3")).to_contain_text("on group 1/series 1")
    column = [row["detector"] for row in ranking.leaderboard if row["metric"] == METRICS[1]][1]
    place = ranking.detectors.index(column)
    values = [f"{np.float32(ranking.values[m][1, place]):.4f}" for m in METRICS]
    expect(page.locator("#cell dd")).to_have_text(values)


def test_a_cell_leads_to_the_report_of_its_series_with_its_detector(opened, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    rng = np.random.default_rng(2)
    for name in ("one", "two"):
        labels = np.repeat([0, 1, 0], [40, 8, 40])
        columns = np.column_stack([labels, rng.random(88), rng.random(88) + labels])
        np.savetxt(data / f"{name}.csv", columns, delimiter=",", header="label,score_a,score_b",
                   comments="")  # fmt: skip
    run = CliRunner().invoke
    run(main, ["rank", str(data), "--out", str(tmp_path / "out"), "--no-chance"])
    path = tmp_path / "page.html"
    done = run(main, ["report", str(tmp_path / "out"), "--data", str(data), "--out", str(path)])
    assert done.exit_code == 0, done.output
    page = opened(path)
    cell = page.locator("#heat tbody tr").nth(1).locator("td").nth(1)
    cell.click()
    cell.click()
    page.wait_for_url("**/page-series/00001.html#d=score_a*")
    expect(page.locator("h1")).to_have_text("two")


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
