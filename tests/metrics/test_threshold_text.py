"""Thresholds as text: whoever types what is printed gets the value that stands beside it."""

import re

import numpy as np
import pytest

import adjudge as aj
from adjudge.measure.thresholds.text import threshold_text

RNG = np.random.default_rng(0)
LABELS = np.tile(np.repeat([0, 1, 0], [20, 5, 15]), 5)
KINDS = {
    "wide": RNG.normal(size=200) * 1e6,
    "close": 0.5 + RNG.random(200) * 1e-9,
    "single": (RNG.random(200) + LABELS).astype(np.float32),
    "half": (RNG.random(200) + LABELS).astype(np.float16),
    "whole": RNG.integers(-(10**9), 10**9, 200),
    "tiny": RNG.random(200) * 1e-300,
    "endless": np.where(RNG.random(200) < 0.1, np.inf, -RNG.random(200)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_threshold_flags_the_same_points_once_it_is_typed(kind):
    case = aj.Case(LABELS, KINDS[kind])
    for at in aj.curve(LABELS, KINDS[kind], "f1").thresholds.tolist():
        said = threshold_text(at, case)
        np.testing.assert_array_equal(case.flagged(float(said)), case.flagged(at))
        assert len(said) <= len(repr(at))


def test_what_was_given_is_written_as_it_is_and_what_is_near_in_few_digits():
    case = aj.Case([0, 0, 1], [0.1, 0.1234567891, 0.9])
    assert threshold_text(0.1234567891, case) == "0.123457"
    assert threshold_text(0.1234567891, case, "given") == "0.1234567891"
    assert threshold_text(3.0, None) == "3"
    assert threshold_text(None, case) == ""


@pytest.mark.parametrize("how", [{"metrics": "best(f1)"}, {"metrics": "f1", "at": "quantile(0.9)"}])
def test_the_printed_threshold_gives_the_printed_value(how):
    scores = 0.5 + (RNG.random(200) + LABELS) * 1e-9
    judged = aj.evaluate(LABELS, scores, chance=False, **how)
    (row,) = judged.rows
    for text in (
        judged.to_text(),
        judged.to_markdown(),
        str(aj.explain(LABELS, scores, **of(how))),
    ):
        numbers = re.findall(r"0\.5\d{6,}", text)
        assert numbers
        assert {aj.f1(LABELS, scores, at=float(number)) for number in numbers} == {row.value}


def of(how):
    return {"metric": how["metrics"], "at": how.get("at")}


def test_neighbours_in_floating_point_need_every_digit():
    first = np.nextafter(1.0, 2)
    case = aj.Case([0, 1, 1], [1.0, first, np.nextafter(first, 2)])
    assert threshold_text(first, case) == "1.0000000000000002"
