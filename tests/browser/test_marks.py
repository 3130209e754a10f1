"""Every mark lies where its number is, and every number is there once: on drawn pages."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.judging.result_columns import number
from browser.waiting import expect

PAGES, MORE = 20, 200  # of ten detectors each; all of them on demand

READ = """(thresholds) => {
  const typed = document.getElementById("typed");
  const value = (selector) => Number(document.querySelector(`${selector} data`)?.value ?? NaN);
  const number = (text) => text.split(/[MVH ]/).filter(Boolean).map(Number);
  const corners = (path) => {
    const found = [];
    for (const part of path.getAttribute("d").match(/[MVH][^MVH]*/g) ?? []) {
      const [a, b] = number(part);
      const [x, y] = found.at(-1) ?? [];
      found.push(part[0] === "M" ? [a, b, true] : part[0] === "V" ? [x, a] : [a, y]);
    }
    return found;
  };
  const far = ([x, y], path) => corners(path).map(([px, py, begins], c, all) => {
    const [qx, qy] = begins ? [px, py] : all[c - 1];
    const dx = Math.max(Math.min(px, qx) - x, 0, x - Math.max(px, qx));
    return Math.hypot(dx, Math.max(Math.min(py, qy) - y, 0, y - Math.max(py, qy)));
  });
  const off = (chart) => [...chart.querySelectorAll("circle.dot")].map((dot) => {
    const at = ["cx", "cy"].map((name) => Number(dot.getAttribute(name)));
    const all = [...chart.querySelectorAll("path.curve")];
    const own = all.filter((path) => path.classList[1] === dot.classList[1]);
    return Math.min(...own.flatMap((path) => far(at, path)));
  });
  const charts = () => [...document.querySelectorAll("#curve-scores svg, #curve-trade svg")];
  return thresholds.map((at) => {
    typed.value = at;
    typed.dispatchEvent(new Event("change"));
    const text = (id) => document.getElementById(id).textContent;
    const row = document.querySelector("#matrix tr.chosen");
    return {
      off: charts().flatMap(off),
      found: value("#tile-found"),
      score: value("#tile-score"),
      said: document.querySelector("#tile-score data")?.textContent,
      values: [...document.querySelectorAll("#values tr")].map((row) => [
        row.dataset.metric, Number(row.querySelector("td.value data").value)]),
      verdict: text("verdict"),
      read: text("curve-read"),
      sums: value("#receipt-sums"),
      matrix: row && Number(row.querySelector("td data").value),
      boxes: document.querySelectorAll("#boxes .found").length,
    };
  });
}"""
WRONG = """() => document.querySelectorAll("#curves-section path.curve").forEach((path) => {
  const moved = path.getAttribute("d").replace(/V([\\d.]+)/g, (_, y) => `V${+y + 1}`);
  path.setAttribute("d", moved);
})"""


def drawn_scores(rng, n):
    """Draw ten kinds of scores: ties, infinities, flags, a constant, and three precisions."""
    normal = rng.normal(size=n)
    return [
        normal,
        rng.integers(0, 4, n),
        rng.normal(size=n).astype(np.float32),
        np.where(rng.random(n) < 0.3, -np.inf, normal),
        rng.choice(np.array([0.1, 0.2, 0.3], np.float32), n),
        rng.random(n),
        rng.normal(size=n).astype(np.float16),
        np.full(n, 0.5),
        np.where(rng.random(n) < 0.1, np.inf, rng.integers(-3, 3, n) / 8),
        np.exp(3 * rng.normal(size=n)),
    ]


def drawn_page(seed):
    """Draw labels, series, mask, and the scores of ten detectors."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 120))
    labels = np.repeat(rng.random(n) < 0.3, rng.integers(1, 6, n))[:n]
    labels[:] = {7: False, 8: True}.get(seed, labels)
    where = rng.random(n) < 0.8 if seed % 3 == 1 else None
    if where is not None:
        where[0] = True
    series = np.sort(rng.integers(0, 4, n)) if seed % 4 == 2 else None
    scores = {f"d{kind}": values for kind, values in enumerate(drawn_scores(rng, n))}
    return labels, scores, {"series": series, "where": where}, rng


def same(found, wanted):
    assert math.isclose(found, wanted, rel_tol=1e-6) or (math.isnan(found) and math.isnan(wanted))


@pytest.mark.parametrize("seed", range(PAGES))
def test_every_mark_lies_where_its_number_is(opened, tmp_path, seed):
    check_page(opened, tmp_path, seed)


@pytest.mark.on_demand
@pytest.mark.parametrize("seed", range(PAGES, MORE))
def test_every_mark_of_two_hundred_pages_lies_where_its_number_is(opened, tmp_path, seed):
    check_page(opened, tmp_path, seed)


def check_page(opened, tmp_path, seed):
    labels, scores, how, rng = drawn_page(seed)
    main = ["f1_ba", "event_f1", "f1_ba(beta=3)", "range_f1", "mcc"][seed % 5]
    asked = [main, "f1_pa", "f1_kpa(k=0.5)"]
    chance = {"shifts": 19} if seed % 2 == 0 else {"chance": False}
    judged = aj.evaluate(labels, scores, asked, 0.25, **chance, **how)
    page = opened(judged.to_html(tmp_path / "page.html"))
    for place, own in enumerate(scores.values()):
        page.select_option("#detector", str(place))
        values = rng.choice(np.asarray(own, np.float64), 2)
        thresholds = ["-inf", "inf", "0.1", "99", "0.25", *map(str, values.tolist())]
        for at, found in zip(thresholds, page.evaluate(READ, thresholds), strict=True):
            check(found, labels, own, asked, float(at), how)


def check(found, labels, scores, asked, at, how):
    events = aj.Case(labels, scores, **how).event_count
    rows = aj.evaluate(labels, scores, [*asked, "event_recall"], at, chance=False, **how).rows
    assert max(found["off"], default=0) < 0.02
    for name, value in found["values"]:
        same(value, aj.evaluate(labels, scores, [name], at, chance=False, **how).rows[0].value)
    same(found["values"][0][1], rows[0].value)
    same(found["sums"], rows[0].value)
    if found["read"]:
        assert f" {number(rows[0].value)}" in found["read"]
    if events:
        same(found["score"], rows[0].value)
        same(found["matrix"], rows[0].value)
        assert found["found"] == round(rows[-1].value * events) == found["boxes"]
        assert found["said"] in found["verdict"] or "Silent." in found["verdict"]


def test_a_dot_off_its_curve_is_noticed(opened, tmp_path):
    """A wrong double: the check is able to fail."""
    labels, scores, how, _ = drawn_page(0)
    judged = aj.evaluate(labels, scores["d0"], ["f1_ba"], 0.25, chance=False, **how)
    page = opened(judged.to_html(tmp_path / "page.html"))
    page.evaluate(WRONG)
    (found,) = page.evaluate(READ, ["0.1"])
    assert max(found["off"]) > 0.5


def test_a_threshold_beyond_all_scores_is_not_drawn_among_them(opened, tmp_path):
    """Also a rule is named as it was given."""
    labels, scores = [0, 1, 1, 0, 0, 1], [0.1, 0.6, 0.97, 0.2, 0.3, 0.4]
    path = aj.report(
        labels, scores, "f1_ba", "quantile(0.5)", path=tmp_path / "a.html", chance=False
    )
    page = opened(path)
    expect(page.locator("#fine")).to_contain_text("by quantile(0.5)")
    saved = """() => new Promise((done) => {
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => { blob.text().then(done); return make(blob); };
      document.getElementById("save-svg").click();
    })"""
    assert "above all scores" not in page.evaluate(saved)
    page.fill("#typed", "99")
    page.press("#typed", "Enter")
    assert "above all scores" in page.evaluate(saved)
