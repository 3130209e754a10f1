"""The numbers on the page are Python's, in every cell, at every threshold tried."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.judging.result_columns import number

PAGES = 20
RATES = ("f", "precision", "recall")
NAMES = {"f": "f1", "precision": "precision", "recall": "recall"}

READ = """({choices, settings, thresholds}) => {
  const change = (id, value) => {
    const field = document.getElementById(id);
    field.value = value;
    field.dispatchEvent(new Event("change"));
  };
  change("detector", String(choices));
  change("show-rows", "all");
  for (const [id, value] of Object.entries(settings)) change(id, String(value));
  const cells = (kind) => [...document.querySelectorAll(`#values td.${kind} data`)]
    .map((cell) => [cell.value, cell.textContent]);
  const at = thresholds.map((threshold) => {
    change("typed", threshold);
    return { f: cells("f"), precision: cells("precision"), recall: cells("recall") };
  });
  const jumps = [...document.querySelectorAll("#values td.best button")];
  const receipts = ["f1", "f1_pa", "f1_kpa", "f1_ba"].map((name) => {
    change("accounts", name);
    const more = document.getElementById("more");
    while (!more.hidden) more.click();
    const sum = document.querySelector("#receipt-sums data")?.value ?? "NaN";
    const rows = [...document.querySelectorAll("#receipt tr")].map((row) => [
      row.classList[0], row.dataset.start, row.dataset.stop, row.children[4].textContent,
      row.children[5].textContent, row.dataset.from, row.dataset.to]);
    const said = document.getElementById("receipt-sums").textContent;
    const heads = [...document.querySelectorAll("#receipt tr th")];
    const wrong = heads.filter((head) => head.firstChild.textContent === "false alarm").length;
    return { sum, rows, said, wrong };
  });
  const problems = [...document.querySelectorAll(".problem")].map((said) => said.textContent);
  const levels = jumps.map((jump) => jump.dataset.at);
  return { at, best: cells("best"), jumps: levels, receipts, problems };
}"""


def drawn_scores(rng, n):
    """Draw ten kinds of scores: ties, infinities, flags, a constant, and three precisions."""
    normal = rng.normal(size=n)
    return [
        normal,
        rng.integers(0, 4, n),
        rng.normal(size=n).astype(np.float32),
        np.where(rng.random(n) < 0.3, -np.inf, normal),
        rng.choice(np.array([0.1, 0.2, 0.3], np.float32), n),
        rng.random(n) < 0.2,
        rng.normal(size=n).astype(np.float16),
        np.full(n, 0.5),
        np.where(rng.random(n) < 0.1, np.inf, rng.integers(-3, 3, n) / 8),
        np.exp(3 * rng.normal(size=n)),
    ]


def drawn_page(seed):
    """Draw labels, series, mask, and the scores of ten detectors."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 60))
    labels = np.repeat(rng.random(n) < 0.3, rng.integers(1, 6, n))[:n]
    if seed == 7:
        labels[:] = False
    if seed == 8:
        labels[:] = True
    where = rng.random(n) < 0.8 if seed % 3 == 1 else None
    if where is not None:
        where[0] = True
    series = np.sort(rng.integers(0, 4, n)) if seed % 4 == 2 else None
    scores = {f"d{kind}": values for kind, values in enumerate(drawn_scores(rng, n))}
    return labels, scores, {"series": series, "where": where}, rng


def drawn_settings(rng):
    return {
        "k": float(rng.choice([0.1, 0.2, 1 / 3, 0.5, 0.75, 1.0])),
        "width": int(rng.choice([1, 2, 3, 4, 5, 8, 13, 100])),
        "islands": str(rng.choice(["normal", "spill", "printed", "all"])),
        "margin": int(rng.choice([0, 0, 1, 2, 5])),
    }


def drawn_thresholds(rng, scores):
    values = rng.choice(np.asarray(scores, np.float64), 2)
    between = float(np.nan_to_num(values, posinf=1, neginf=-1).mean())
    return [-math.inf, math.inf, 0.1, *values.tolist(), between]


def python_metric(rate, suffix, settings):
    marks = "reading" if settings["islands"] == "printed" else "islands"
    balanced = {
        marks: settings["islands"],
        "width": settings["width"],
        "margin": settings["margin"],
    }
    own = {"_kpa": {"k": settings["k"]}, "_ba": balanced}.get(suffix, {})
    return aj.catalogue[NAMES[rate] + suffix].metric(**own)


def same(cell, expected):
    value, text = float(cell[0].replace("Infinity", "inf")), cell[1]
    assert value == expected or (math.isnan(value) and math.isnan(expected))
    assert text == number(expected)


def check_receipt(found, receipt):
    alarms, false = receipt.counts["alarms"], receipt.counts["false_alarms"]
    assert found["wrong"] == false
    if receipt.truth.start.size:
        assert f" {false:,} of {alarms:,} alarm{'s' * (alarms != 1)} false;" in found["said"]
        assert float(found["sum"]) == receipt.value or math.isnan(receipt.value)
    events = sorted(
        (int(start), int(stop), int(earned.replace(",", "")))
        for kind, start, stop, earned, *_ in found["rows"]
        if kind == "event"
    )
    truth = receipt.truth
    assert events == sorted(zip(truth.start, truth.stop, truth.credit, strict=True))
    alarms = sorted(
        (int(start), int(stop), int(lost.replace(",", "")), int(first), int(last))
        for kind, start, stop, _, lost, first, last in found["rows"]
        if kind == "alarm"
    )
    rows, cost = receipt.alarms, receipt.alarms.cost
    listed = (cost > 0) | (rows.event < 0)
    islands = (rows.island_start, rows.island_stop)
    expected = zip(rows.start, rows.stop, cost, *islands, strict=True)
    assert alarms == sorted(row for row, one in zip(expected, listed, strict=True) if one)


@pytest.mark.parametrize("seed", range(PAGES))
def test_every_number_on_the_page_is_pythons(opened, tmp_path, seed):
    labels, scores, where, rng = drawn_page(seed)
    judged = aj.evaluate(labels, scores, ["auc_roc"], chance=False, **where)
    page = opened(judged.to_html(tmp_path / "page.html"))
    for place, case in enumerate(judged.cases):
        settings = drawn_settings(rng)
        thresholds = drawn_thresholds(rng, scores[case.name])
        asked = {"choices": place, "settings": settings, "thresholds": list(map(str, thresholds))}
        found = page.evaluate(READ, asked)
        assert not any(found["problems"])
        for at, cells in zip(thresholds, found["at"], strict=True):
            for rate in RATES:
                for suffix, cell in zip(("", "_pa", "_kpa", "_ba"), cells[rate], strict=True):
                    metric = python_metric(rate, suffix, settings)
                    same(cell, metric.placed(at).reading(case).value)
        for position, suffix in enumerate(("", "_pa", "_kpa", "_ba")):
            metric = python_metric("f", suffix, settings)
            best = aj.best(metric).reading(case)
            same(found["best"][position], best.value)
            assert float(found["jumps"][position].replace("Infinity", "inf")) == best.at
            receipt = aj.explain(labels, scores[case.name], metric, at=thresholds[-1], **where)
            check_receipt(found["receipts"][position], receipt)


def test_the_comparison_notices_a_wrong_number():
    same(["0.5", "0.5000"], 0.5)
    for cell in (["0.5000000000000001", "0.5000"], ["0.5", "0.50"], ["NaN", "undefined"]):
        with pytest.raises(AssertionError):
            same(cell, 0.5)
