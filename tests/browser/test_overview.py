"""A series too long to ship whole: every number on the page is still exact."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.judging.result_columns import number
from adjudge.reporting.page import report_page as overview
from browser.waiting import expect

NAMES = ("f1", "f1_pa", "f1_kpa", "f1_ba")
TYPE = """(threshold) => {
  const field = document.getElementById("typed");
  field.value = threshold;
  field.dispatchEvent(new Event("change"));
  return field.value;
}"""


@pytest.fixture
def small_limit(monkeypatch):
    monkeypatch.setattr(overview, "_POINTS", 500)
    monkeypatch.setattr(overview, "_THRESHOLDS", 60)
    monkeypatch.setattr(overview, "_COLUMNS", 100)


@pytest.mark.parametrize("kind", ["float64", "float32", "several series"])
def test_counts_at_the_thresholds_are_pythons(opened, tmp_path, small_limit, kind):
    rng = np.random.default_rng(1)
    labels = np.repeat(rng.random(120) < 0.2, 10).astype(int)
    scores = (rng.normal(size=1200) + labels).astype("f4" if kind == "float32" else "f8")
    series = np.repeat(["a", "b"], 600) if kind == "several series" else None
    judged = aj.evaluate(labels, scores, "best(f1_ba)", series=series, chance=False)
    page = opened(judged.to_html(tmp_path / "page.html"))
    best = {}
    for threshold in ("-inf", "0.3", "1.1", "2", "99"):
        at = float(page.evaluate(TYPE, threshold))
        assert at >= float(threshold) or threshold == "99"
        flags = np.ones(1200, bool) if at == -np.inf else scores > scores.dtype.type(at)
        for name in NAMES:
            metric = judged_metric(name, judged)
            value = metric(labels, flags, series=series)
            shown = page.locator(f"#values tr[data-metric={name}] td.f")
            expect(shown, f"{name} at {at}").to_have_text(number(value))
            best[name] = aj.best(metric)(labels, scores, series=series)
    for name in NAMES:
        cell = page.locator(f"#values tr[data-metric={name}] td.best data")
        assert float(cell.get_attribute("value")) == best[name]
    expect(page.locator("#width")).to_be_disabled()
    expect(page.locator("#tile-found")).to_contain_text(" of ")


def judged_metric(name, judged):
    metric = aj.catalogue[name].metric
    return metric.resolved(judged.cases[0].events) if name == "f1_ba" else metric


def test_events_are_found_or_missed(opened, tmp_path, small_limit):
    labels = np.zeros(1000, int)
    labels[100:120] = labels[500:560] = 1
    scores = np.zeros(1000)
    scores[110] = scores[700] = 1
    scores[0] = 0.5
    judged = aj.evaluate(labels, scores, "f1_ba(width=5)", at=0.7, chance=False)
    page = opened(judged.to_html(tmp_path / "page.html"))
    expect(page.locator("#receipt tr")).to_contain_text(["missed"])
    page.select_option("#show-rows", "all")
    expect(page.locator("#receipt tr")).to_contain_text(["missed", "found"])
    expect(page.locator("#tile-found")).to_have_text("1 of 2 events")
    expect(page.locator("#receipt-sums")).to_contain_text("5 points counted wrongly")


def test_a_million_points_make_a_small_page(tmp_path):
    rng = np.random.default_rng(0)
    labels = np.arange(1_000_000) % 20_000 < 300
    judged = aj.evaluate(labels, rng.normal(size=labels.size) + labels, "f1", at=2.0, chance=False)
    assert judged.to_html(tmp_path / "page.html").stat().st_size < 1e6
