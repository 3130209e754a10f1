"""Metrics that few use: by hand, undefined cases, peers' values, twins."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
import naive_ranking
from adjudge.case import Case
from adjudge.errors import InputError
from adjudge.rows.leftovers import ROWS
from adjudge.spec import parse
from small import cases

GOLDEN = Path(__file__).parent / "golden"
ATLAS, CASES = (
    json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("atlas_ranking", "cases")
)
METRICS = {row.name: row.metric for row in ROWS}
PEERS = {key: peer for key, peer in ATLAS.items() if parse(peer["spec"]).name in METRICS}
TWINS = {
    **naive_ranking.TWINS,
    **{spec: twin for spec, twin in naive_ranking.WHOLES.items() if spec.startswith("wdd")},
}


def metric(spec):
    call = parse(spec)
    return METRICS[call.name].with_settings(**call.settings)


def close(expected, actual, tolerance=1e-12):
    if math.isnan(expected) or math.isnan(actual):
        return math.isnan(expected) and math.isnan(actual)
    return math.isclose(expected, actual, rel_tol=tolerance, abs_tol=tolerance)


def filled(n, intervals):
    inside = np.zeros(n, np.int8)
    for start, stop in intervals:
        inside[start:stop] = 1
    return inside


def value(spec, case):
    n, events, flags = (CASES[case][field] for field in ("n", "events", "flags"))
    return metric(spec)(filled(n, events), filled(n, flags))


LABELS = [0, 0, 1, 1, 1, 1, 0, 0, 1, 0]
FLAGS = [0, 1, 1, 0, 0, 1, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("accuracy", 5 / 10),
        ("rand_index", 20 / 45),  # five right and five wrong: pairs of either agree
        ("dice", 2 * 2 / (5 + 4)),
        ("adc", (2 / 4 + 0) / 2),
        ("tdir(tolerance=0)", 2 / 5),
        ("tdir(tolerance=1)", 5 / 5),
        ("dair(tolerance=0)", 2 / (2 + 2)),
        ("dair(tolerance=1)", 5 / (5 + 2)),
        ("add", (1 / 4 + 2 / 4) / 2),
        ("wdd(tolerance=2)", 2 * math.exp(-(0.75**2) / 2) - 2 * 0.5),
        ("wdd(tolerance=0)", 2 * math.exp(-(0.75**2) / 2) - 2),
    ],
)
def test_values_by_hand(spec, expected):
    assert close(expected, metric(spec)(LABELS, FLAGS))


@pytest.mark.parametrize(
    ("name", "no_alarms", "no_events", "neither"),
    [
        ("accuracy", 1 / 3, 2 / 3, 1),
        ("rand_index", 1 / 3, 1 / 3, 1),
        ("dice", 0, 0, math.nan),
        ("adc", 0, math.nan, math.nan),
        ("tdir", 0, math.nan, math.nan),
        ("dair", math.nan, 0, math.nan),
        ("wdd", 0, -1, 0),
        ("add", math.nan, math.nan, math.nan),
    ],
)
def test_one_answer_for_every_degenerate_case(name, no_alarms, no_events, neither):
    assert close(no_alarms, METRICS[name]([0, 1, 1], [0, 0, 0]))
    assert close(no_events, METRICS[name]([0, 0, 0], [0, 1, 0]))
    assert close(neither, METRICS[name]([0, 0, 0], [0, 0, 0]))


@pytest.mark.parametrize("name", ["tdir", "dair", "wdd"])
def test_nothing_reaches_across_series(name):
    labels, flags = [0, 1, 0, 0], [0, 0, 1, 0]
    series = ["a", "a", "b", "b"]
    assert METRICS[name](labels, flags) > METRICS[name](labels, flags, series=series)


@pytest.mark.parametrize("name", ["tdir", "dair", "wdd"])
def test_settings_are_checked(name):
    with pytest.raises(InputError, match="tolerance must be a whole number, at least 0, got -1"):
        METRICS[name](tolerance=-1)


@given(case=cases(flags=True))
def test_dice_is_another_name_of_f1(case):
    labels, flags, series, where = case
    expected = aj.f1(labels, flags, series=series, where=where)
    actual = METRICS["dice"](labels, flags, series=series, where=where)
    assert np.array_equal(expected, actual, equal_nan=True)


@given(case=cases(flags=True), spec=st.sampled_from(sorted(TWINS)))
def test_every_row_equals_its_twin(spec, case):
    labels, flags, series, where = case
    twin = TWINS[spec]
    if isinstance(twin, tuple):
        adjust, count, rate = twin
        expected = rate(count(labels, adjust(labels, flags, series, where), series, where))
    else:
        expected = twin(labels, flags, series, where)
    assert close(expected, metric(spec)(labels, flags, series=series, where=where))


@given(case=cases(flags=True), spec=st.sampled_from(sorted(naive_ranking.TWINS)))
def test_a_ledger_sums_to_the_masses_and_credits_no_more_than_it_weighs(spec, case):
    labels, flags, series, where = case
    one = metric(spec)
    ledger, _, _ = one.ledger(Case(labels, flags, series=series, where=where))
    value = one(labels, flags, series=series, where=where)
    assert close(value, float(one.parts.measure(ledger.tally)))
    assert np.all(ledger.truth.credit <= ledger.truth.weight)
    assert np.all(ledger.alarms.cost >= 0)


@pytest.mark.parametrize("key", sorted(PEERS))
def test_peers_values_are_ours(key):
    spec, tolerance = PEERS[key]["spec"], PEERS[key]["tolerance"]
    wrong = {}
    for case, expected in PEERS[key]["values"].items():
        actual = value(spec, case)
        if not abs(actual - expected) <= tolerance * max(1, abs(expected)):
            wrong[case] = (expected, actual)
    for case, row in PEERS[key]["policy"].items():
        if not (row["ours"] is None and math.isnan(value(spec, case))):
            wrong[case] = (row, value(spec, case))
    for case, row in PEERS[key]["differences"].items():
        if not abs(value(spec, case) - row["theirs"]) > 1e-3:
            wrong[case] = (row, value(spec, case))
    assert not wrong


def test_no_golden_value_is_missing():
    count = {key.partition(":")[2]: len(peer["values"]) for key, peer in PEERS.items()}
    assert sum(count.values()) == 635
    assert len(count) == 10
