"""The formulas on the pages of the metrics: slow functions written from them give the values."""

import math
import runpy
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj

DOCS = Path(__file__).parents[2] / "docs"
MADE = runpy.run_path(str(DOCS / "formulas.py"))
EXAMPLES, FORMULAS = MADE["EXAMPLES"], MADE["FORMULAS"]
PAGES = "".join(path.read_text(encoding="utf-8") for path in (DOCS / "metrics").glob("*.md"))
NO_SENTENCE = {"adtqc", "wdd", "nab", "alarm", "sdqe", "early_utility"} | {
    name for name in aj.catalogue if name.startswith(("oipr_", "pate_"))
}


def test_every_metric_that_no_sentence_defines_has_a_formula_on_its_page():
    assert set(FORMULAS) == NO_SENTENCE
    for name in FORMULAS:
        part = PAGES.partition(f"### `{name}`:")[2].partition("### ")[0]
        assert f"- formula: ${FORMULAS[name][0]}$, where " in part, name


@pytest.mark.parametrize("name", FORMULAS)
def test_a_slow_function_from_the_formula_gives_the_value(name):
    rng, slow, metric = np.random.default_rng(3), FORMULAS[name][2], aj.metric(name)
    settings = EXAMPLES.get(name, {})
    for _ in range(60):
        marks = np.repeat(rng.random((2, 12)) < [[0.3], [0.4]], rng.integers(1, 6, 12), axis=1)
        labels, flags = marks.astype(int).tolist()
        if sum(labels) in (0, len(labels)) or not sum(flags):
            continue
        ours = metric(labels, flags, **settings)
        assert math.isnan(ours) or math.isclose(
            slow(labels, flags, **settings), ours, rel_tol=1e-9, abs_tol=1e-9
        ), (labels, flags)
