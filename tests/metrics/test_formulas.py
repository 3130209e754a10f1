"""The formula of every metric on its page: a slow function written from it gives the values."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from sampling import one_in

TOOLS = Path(__file__).parents[2] / "tools"
sys.path.append(str(TOOLS))

import formulas  # noqa: E402 - of the tools
import metric_pages  # noqa: E402

OF_ONE_CHANNEL = [name for name, row in aj.catalogue.items() if row.group != "channels"]


def test_every_metric_has_a_formula():
    assert set(formulas.FORMULAS) == set(aj.catalogue)


@pytest.mark.parametrize("name", aj.catalogue)
def test_the_page_has_the_formula_and_the_value_of_the_example(name):
    row = aj.catalogue[name]
    slow, ours = formulas.both(row)
    assert math.isclose(slow, ours, rel_tol=1e-9, abs_tol=1e-12)
    tex = metric_pages.printed(formulas.FORMULAS[name][0])
    assert metric_pages.formula(row).startswith(f"$$ {tex} $$\n\nwhere ")
    assert f"\n{round(float(slow), 4)!r}\n" in metric_pages.code(row)


def drawn(rng, needs):
    marks = np.repeat(rng.random((2, 12)) < [[0.3], [0.4]], rng.integers(1, 6, 12), axis=1)
    labels, flags = marks.astype(int).tolist()
    return labels, flags if needs == "flags" else rng.integers(0, 8, len(labels)).tolist()


@pytest.mark.parametrize("name", one_in(2, OF_ONE_CHANNEL))
def test_a_slow_function_from_the_formula_gives_the_value(name):
    rng, slow, row = np.random.default_rng(3), formulas.FORMULAS[name][2], aj.catalogue[name]
    settings, compared = formulas.SETTINGS.get(name, {}), 0
    for _ in range(60):
        labels, given = drawn(rng, row.needs)
        if sum(labels) in (0, len(labels)) or not sum(given):
            continue
        ours = row.metric(labels, given, **settings)
        compared += not math.isnan(ours)
        value = ours if math.isnan(ours) else slow(labels, given, **settings)
        assert math.isnan(ours) or value == ours or math.isclose(value, ours, abs_tol=1e-9), (
            labels,
            given,
        )
    assert compared >= (3 if name == "ucr" else 30)  # which judges series of one event


def test_a_formula_whose_slow_function_gives_another_value_is_refused(monkeypatch):
    tex, words, slow = formulas.FORMULAS["f1_ba"]
    wrong = (tex, words, lambda *given: slow(*given) + 1e-6)
    monkeypatch.setitem(formulas.FORMULAS, "f1_ba", wrong)
    with pytest.raises(SystemExit, match="the formula of f1_ba gives "):
        metric_pages.formula(aj.catalogue["f1_ba"])
