"""The lines of several metrics at once are those that each has by itself."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.noise.ask import Ask
from adjudge.noise.chance_line import LineAsked, chance_line, chance_lines
from adjudge.noise.null_models import NULLS, read_null
from adjudge.noise.shifting import ranks, reached, rotation, shifted_case, shifted_scores
from adjudge.noise.shifting.shifted_case import CaseShifts

SCORES = [
    *("best(f1)", "best(f1_pa)", "best(f1_kpa)", "best(f1_ba)", "auc_roc", "ap", "auc_pr"),
    *("best(f1_ba(width=6))", "best(fbeta(beta=2))", "ap_ba", "f1(at=0.9)", "event_f1(at=0.9)"),
]
FLAGS = ["f1", "f1_pa", "f1_kpa", "f1_ba", "event_recall", "ap", "auc_roc"]


def drawn(kind, rng, n=150):
    """A case of a kind, and metrics that can judge it."""
    labels = np.zeros(n, int)
    for start in (12, 50, 90, 130):
        labels[start : start + rng.integers(3, 9)] = 1
    scores, given = rng.random(n) + 0.3 * labels, {}
    if kind == "ties":
        scores = np.round(scores, 1)
    if kind == "few values":
        scores = np.round(2 * scores)
    if kind == "some judged":
        given["where"] = rng.random(n) < 0.8
    if kind == "missing":
        scores[rng.random(n) < 0.1] = np.nan
        given["missing"] = "skip"
    if kind == "series":
        given["series"] = np.repeat(["a", "b", "c"], [40, 45, n - 85])
    flags = kind == "flags"
    return aj.Case(labels, scores > 0.9 if flags else scores, **given), FLAGS if flags else SCORES


KINDS = ["plain", "ties", "few values", "some judged", "missing", "series", "flags"]


def both(case, specs, ask):
    """The lines at once, and one by one by another hand."""
    metrics = [aj.metric(spec).on(case.events) for spec in specs if known(spec)]
    values = [metric.reading(case).value for metric in metrics]
    shifts = CaseShifts(case)
    at_once = chance_lines(
        [LineAsked(m, shifts, v) for m, v in zip(metrics, values, strict=True)], ask
    )
    alone = [chance_line(m, CaseShifts(case), v, ask) for m, v in zip(metrics, values, strict=True)]
    return list(at_once), alone


def known(spec):
    """Whether the catalogue has the metric of a spec."""
    return spec.removeprefix("best(").partition("(")[0].rstrip(")") in aj.catalogue


def differ(one, other):
    """The fields in which two lines differ."""
    pairs = {name: (value, getattr(other, name)) for name, value in vars(one).items()}
    pairs.pop("tests")
    return [
        name
        for name, (a, b) in pairs.items()
        if a != b and not (isinstance(a, float) and math.isnan(a) and math.isnan(b))
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_lines_at_once_are_those_of_each_metric_alone(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    case, specs = drawn(kind, rng)
    for one, other in zip(*both(case, specs, Ask()), strict=True):
        assert differ(one, other) == []


@pytest.mark.parametrize("null", [name for name in NULLS if name in {"nearby", "white"}])
def test_also_by_another_null_model_and_by_so_many_shifts(null):
    case, specs = drawn("plain", np.random.default_rng(9))
    ask = Ask(read_null(null), shifts=39, seed=2)
    for one, other in zip(*both(case, specs[:6], ask), strict=True):
        assert differ(one, other) == []


def test_of_a_long_series_too(monkeypatch):
    for module in (shifted_case, ranks, reached, rotation):
        monkeypatch.setattr(module, "LONGEST", 100)
    monkeypatch.setattr(shifted_scores, "_KEPT", 0)
    case, specs = drawn("ties", np.random.default_rng(3), 300)
    for one, other in zip(*both(case, specs[:6], Ask()), strict=True):
        assert differ(one, other) == []


def test_the_law_notices_values_of_another_metric(monkeypatch):
    right = shifted_case.values_of

    def wrong(ways, by, **how):
        found = right(ways, by, **how)
        return found[:1] + found[:0:-1]

    monkeypatch.setattr(shifted_case, "values_of", wrong)
    case, specs = drawn("series", np.random.default_rng(5))
    pairs = zip(*both(case, specs[:4], Ask()), strict=True)
    assert any("chance" in differ(one, other) for one, other in pairs)
