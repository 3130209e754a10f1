"""Laws 1 and 6: every row equals its slow twin, and adjusting commutes with thresholding.

A twin of a row of three verbs is a triple of slow functions, that of a whole metric one function.
Each family of metrics brings its own, in a module ``naive_<family>`` with `TWINS` and `WHOLES`.
"""

import importlib
import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import adjudge as aj
import naive
from adjudge.data.events import Events
from sampling import one_in
from small import ADJUSTMENTS, cases
from values import close

TESTS = Path(__file__).parents[1]
FAMILIES = {
    "": naive.raw,
    "_pa": naive.point_adjusted,
    "_kpa": partial(naive.covered, k=0.2),
    "_ba": naive.balanced,
}
RATES = {"f1": naive.fbeta, "precision": naive.precision, "recall": naive.recall}
AREAS = {"auc_roc": naive.auc_roc, "auc_pr": naive.auc_pr, "ap": naive.ap}

TWINS = {
    **{
        name + suffix: (adjust, naive.points, rate)
        for suffix, adjust in FAMILIES.items()
        for name, rate in (RATES | AREAS).items()
    },
    "event_f1": (naive.raw, naive.runs, naive.fbeta),
    "event_precision": (naive.raw, naive.runs, naive.precision),
    "event_recall": (naive.raw, naive.runs, naive.recall),
    "event_coverage": (naive.raw, naive.coverage, naive.recall),
    "f1_dilated": (partial(naive.dilated, width=5), naive.points, naive.fbeta),
    "event_f1_ba": (naive.balanced, naive.event_weighted, naive.fbeta),
    "informedness_ba": (
        partial(naive.matched, border="shift"), naive.points, naive.informedness,
    ),
    "mcc": (naive.raw, naive.points, naive.mcc),
    "balanced_accuracy": (naive.raw, naive.points, naive.balanced_accuracy),
    # settings beside the defaults
    "f1_ba(width=4)": (partial(naive.balanced, width=4), naive.points, naive.fbeta),
    'f1_ba(islands="spill", margin=1)': (
        partial(naive.balanced, islands="spill", margin=1), naive.points, naive.fbeta,
    ),
    'auc_pr_ba(width=3, islands="all")': (
        partial(naive.balanced, width=3, islands="all"), naive.points, naive.auc_pr,
    ),
    'f1_ba(width="iid")': (partial(naive.balanced, width="iid"), naive.points, naive.fbeta),
    'f1_ba(border="shift")': (naive.shifted, naive.points, naive.fbeta),
    'precision_ba(width=4, margin=1, border="shift")': (
        partial(naive.shifted, width=4, margin=1), naive.points, naive.precision,
    ),
    'f1_ba(width="matched")': (naive.matched, naive.points, naive.fbeta),
    'f1_ba(width="matched", margin=1, border="shift")': (
        partial(naive.matched, margin=1, border="shift"), naive.points, naive.fbeta,
    ),
    'auc_roc_ba(width="matched", border="shift")': (
        partial(naive.matched, border="shift"), naive.points, naive.auc_roc,
    ),
    'ap_ba(width="matched")': (naive.matched, naive.points, naive.ap),
    "informedness_ba(width=3)": (
        partial(naive.shifted, width=3), naive.points, naive.informedness,
    ),
    "event_f1_ba(width=3)": (
        partial(naive.balanced, width=3), partial(naive.event_weighted, width=3), naive.fbeta,
    ),
    'event_f1_ba(width="iid", islands="spill", beta=2)': (
        partial(naive.balanced, width="iid", islands="spill"),
        partial(naive.event_weighted, width="iid"),
        partial(naive.fbeta, beta=2),
    ),
    "f1_kpa(k=0.5, strict=True)": (
        partial(naive.covered, k=0.5, strict=True), naive.points, naive.fbeta,
    ),
    "f1(beta=2)": (naive.raw, naive.points, partial(naive.fbeta, beta=2)),
    "f1_ba(width=3, beta=0.5)": (
        partial(naive.balanced, width=3), naive.points, partial(naive.fbeta, beta=0.5),
    ),
}  # fmt: skip
FAMILY_MODULES = [
    importlib.import_module(f"{path.parent.name}.{path.stem}")
    for path in sorted(TESTS.glob("*/naive_*.py"))
]
for module in FAMILY_MODULES:
    TWINS |= getattr(module, "TWINS", {})
WHOLES = {spec: twin for m in FAMILY_MODULES for spec, twin in getattr(m, "WHOLES", {}).items()}
TIES_BY_ROUNDING = {  # where the last bit decides
    "mcc", "event_coverage", "balanced_accuracy",
    *(spec for spec in TWINS if "matched" in spec or spec.startswith(("informed", "event_f1_ba"))),
    *(spec for m in FAMILY_MODULES for spec in getattr(m, "TIES_BY_ROUNDING", ())),
}  # fmt: skip
TOLERANCES = {spec: t for m in FAMILY_MODULES for spec, t in getattr(m, "TOLERANCES", {}).items()}
RATE_SPECS = [spec for spec in TWINS if aj.metric(spec).row.needs == "flags"]
AREA_SPECS = [spec for spec in TWINS if aj.metric(spec).row.needs == "scores"]
WHOLE_RATES = [spec for spec in WHOLES if aj.metric(spec).row.needs == "flags"]
WHOLE_AREAS = [spec for spec in WHOLES if aj.metric(spec).row.needs == "scores"]


def test_every_row_of_the_catalogue_has_a_twin():
    assert set(aj.catalogue) <= {*TWINS, *WHOLES}


@pytest.mark.parametrize("spec", RATE_SPECS)
@given(case=cases(flags=True))
def test_a_rate_of_flags_equals_its_naive_twin(spec, case):
    labels, flags, series, where = case
    adjust, count, rate = TWINS[spec]
    expected = rate(count(labels, adjust(labels, flags, series, where), series, where))
    assert close(expected, aj.metric(spec)(labels, flags, series=series, where=where))


@pytest.mark.parametrize("spec", one_in(3, RATE_SPECS))
@given(case=cases())
def test_the_curve_is_thresholding_then_adjusting_then_counting(spec, case):
    labels, scores, series, where = case
    adjust, count, rate = TWINS[spec]
    levels, tallies = naive.sweep(adjust, count, labels, scores, series, where)
    curve = aj.curve(labels, scores, spec, series=series, where=where)
    assert levels == curve.thresholds.tolist()
    for expected, actual in zip(tallies, columns(curve.tally), strict=True):
        assert expected[:4] == pytest.approx(actual)
    for tally, value in zip(tallies, curve.values, strict=True):
        assert close(rate(tally), value)
    case, metric = aj.Case(labels, scores, series=series, where=where), aj.metric(spec)
    for threshold, value in zip(levels, curve.values, strict=True):
        assert close(value, metric(at=threshold).reading(case).value)


@pytest.mark.parametrize("spec", one_in(3, RATE_SPECS))
@given(case=cases())
def test_the_best_is_the_highest_threshold_of_the_largest_value(spec, case):
    labels, scores, series, where = case
    adjust, count, rate = TWINS[spec]
    levels, tallies = naive.sweep(adjust, count, labels, scores, series, where)
    lower = aj.metric(spec).row.better == "lower"
    value, threshold = naive.best(rate, levels, tallies, lower=lower)
    case = aj.Case(labels, scores, series=series, where=where)
    found = aj.best(aj.metric(spec)).reading(case)
    assert close(value, found.value)
    assert close(value, rate(tallies[levels.index(found.at)]))
    if spec not in TIES_BY_ROUNDING:
        assert threshold == found.at


@pytest.mark.parametrize("spec", AREA_SPECS)
@given(case=cases())
def test_an_area_equals_its_naive_twin(spec, case):
    labels, scores, series, where = case
    adjust, count, area = TWINS[spec]
    expected = area(*naive.sweep(adjust, count, labels, scores, series, where))
    assert close(expected, aj.metric(spec)(labels, scores, series=series, where=where))


@pytest.mark.parametrize("spec", WHOLE_RATES)
@given(case=cases(flags=True))
def test_a_whole_metric_of_flags_equals_its_naive_twin(spec, case):
    labels, flags, series, where = case
    expected = WHOLES[spec](labels, flags, series, where)
    assert close(expected, aj.metric(spec)(labels, flags, series=series, where=where))


@pytest.mark.parametrize("spec", one_in(3, WHOLE_RATES))
@given(case=cases())
def test_the_best_of_a_whole_metric_is_its_best_at_any_threshold(spec, case):
    labels, scores, series, where = case
    judged = [s for s, kept in zip(scores, where or [1] * len(scores), strict=True) if kept]
    levels = [*sorted(set(judged), reverse=True), -math.inf]
    flags = [[s > level for s in scores] for level in levels]
    values = [WHOLES[spec](labels, flagged, series, where) for flagged in flags]
    if not naive.events(labels, series, where):
        values = values[:1] if math.isnan(values[0]) else values  # silence is best
    choose = min if aj.metric(spec).row.better == "lower" else max
    expected = choose((v for v in values if not math.isnan(v)), default=math.nan)
    best = aj.best(aj.metric(spec), thresholds=None)
    assert close(expected, best(labels, scores, series=series, where=where))


@pytest.mark.parametrize("spec", WHOLE_AREAS)
@given(case=cases())
def test_a_whole_metric_of_scores_equals_its_naive_twin(spec, case):
    labels, scores, series, where = case
    expected = WHOLES[spec](labels, scores, series, where)
    actual = aj.metric(spec)(labels, scores, series=series, where=where)
    assert close(expected, actual, TOLERANCES.get(spec, 1e-12))


@given(case=cases(series=False, where=False))
def test_the_roc_area_is_the_chance_of_outranking(case):
    labels, scores, *_ = case
    above = [s for s, label in zip(scores, labels, strict=True) if label]
    below = [s for s, label in zip(scores, labels, strict=True) if not label]
    wins = sum((a > b) + (a == b) / 2 for a in above for b in below)
    expected = wins / (len(above) * len(below)) if above and below else math.nan
    assert close(expected, aj.auc_roc(labels, scores))


def commutes(adjust, labels, scores, series, where):
    events = Events.from_labels(labels, series=series, where=where)
    scores = aj.Case(events, scores).scores
    adjusted = adjust(scores, events)
    return all(
        np.array_equal(adjusted > threshold, adjust(scores > threshold, events))
        for threshold in [-np.inf, *np.unique(scores)]
    )


@pytest.mark.parametrize("name", ADJUSTMENTS)
@given(case=cases())
def test_adjusting_commutes_with_thresholding(name, case):
    assert commutes(ADJUSTMENTS[name][0], *case)


def test_a_mean_over_the_event_does_not_commute_and_the_law_says_so():
    def event_mean(scores, events):
        adjusted = scores.astype(float)
        for event in events:
            adjusted[event] = adjusted[event].mean()
        return adjusted if scores.dtype != bool else adjusted > 0

    assert not commutes(event_mean, [1, 1, 0], [0.0, 2.0, 1.0], None, None)


def columns(tally):
    sizes = np.broadcast_arrays(*tally[:4])
    return zip(*(column.tolist() for column in sizes), strict=True)
