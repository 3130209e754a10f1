"""Values that public implementations return, kept in golden/ (see the README there)."""

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge import Events
from adjudge.adjust.adjustments import Covered, point_adjusted
from adjudge.adjust.balanced import Balanced

GOLDEN = Path(__file__).parent


def golden(name):
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


CASES = golden("cases")
SCORES = golden("scores")
PEERS = golden("peers")
ADJUSTED = golden("adjusted")
DISAGREEMENTS = golden("disagreements")

ADJUSTMENTS = {
    "point_adjusted": point_adjusted,
    "Covered(k=0.2)": Covered(k=0.2),
    'Balanced(width=3, islands="all")': Balanced(width=3, islands="all"),
    'Balanced(width=7, islands="all")': Balanced(width=7, islands="all"),
}

every_peer = pytest.mark.parametrize("key", sorted(PEERS))
every_disagreement = pytest.mark.parametrize(
    "group", DISAGREEMENTS, ids=[f"{group['key']} as {group['spec']}" for group in DISAGREEMENTS]
)


def filled(n, intervals):
    """1 inside the half-open intervals and 0 outside."""
    inside = np.zeros(n, dtype=np.int8)
    for start, stop in intervals:
        inside[start:stop] = 1
    return inside


@cache
def given(case):
    """Labels, and the two inputs that a peer may have been given."""
    n, events, flags = (CASES[case][field] for field in ("n", "events", "flags"))
    return filled(n, events), {"flags": filled(n, flags), "scores": np.array(SCORES[case]) / 1e6}


def value(spec, case, kind):
    labels, inputs = given(case)
    return float(aj.metric(spec)(labels, inputs[kind]))


def close(expected, actual, tolerance):
    return abs(actual - expected) <= tolerance * max(1, abs(expected))


def same(expected, actual):
    return expected == actual or (math.isnan(expected) and math.isnan(actual))


@every_peer
def test_peers_values_are_ours(key):
    spec, kind, tolerance = (PEERS[key][field] for field in ("spec", "input", "tolerance"))
    wrong = {}
    for case, expected in PEERS[key]["values"].items():
        actual = value(spec, case, kind)
        if not close(expected, actual, tolerance):
            wrong[case] = (expected, actual)
    assert not wrong


@every_peer
def test_undefined_values_follow_our_policy_whatever_the_peer_made_up(key):
    spec, kind = PEERS[key]["spec"], PEERS[key]["input"]
    wrong = {}
    for case, row in PEERS[key]["policy"].items():
        expected = math.nan if row["ours"] is None else row["ours"]
        actual = value(spec, case, kind)
        if not same(expected, actual):
            wrong[case] = (expected, actual, row["reason"])
    assert not wrong


@pytest.mark.parametrize("spec", ["f1", "f1_pa", "f1_kpa(k=0.2)", "f1_ba(width=3)"])
@pytest.mark.parametrize(
    ("case", "expected"),
    [
        pytest.param("h05", 0.0, id="flags but no events"),
        pytest.param("h06", 0.0, id="everything flagged but no events"),
        pytest.param("h56", 0.0, id="events but no flags"),
        pytest.param("h04", math.nan, id="neither"),
    ],
)
def test_an_f_score_is_zero_without_events_or_flags_and_undefined_without_both(
    spec, case, expected
):
    assert same(expected, value(spec, case, "flags"))


@every_disagreement
def test_where_we_disagree_with_a_peer_our_value_is_the_right_one(group):
    wrong = {}
    for case, row in group["cases"].items():
        actual = value(group["spec"], case, group["input"])
        if not close(row["ours"], actual, 1e-12) or abs(row["theirs"] - actual) <= 1e-3:
            wrong[case] = (row["ours"], actual, row["theirs"])
    assert not wrong


@pytest.mark.parametrize("key", sorted(ADJUSTED))
def test_adjusted_flags_are_the_authors(key):
    adjust = ADJUSTMENTS[ADJUSTED[key]["adjustment"]]
    wrong = []
    for case, expected in ADJUSTED[key]["flags"].items():
        labels, inputs = given(case)
        actual = adjust(inputs["flags"].astype(bool), Events.from_labels(labels))
        if not np.array_equal(filled(labels.size, expected).astype(bool), actual):
            wrong.append(case)
    assert not wrong


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ('f1_ba(width=5, islands="all")', 20 / 25),  # the authors' h = 2
        ('f1_ba(width=3, islands="spill")', 20 / 23),  # tsadmetrics' w = 1 and w = 2
        ('f1_ba(width=5, islands="spill")', 20 / 25),  # tsadmetrics' w = 3 and w = 4
    ],
)
def test_one_hit_and_one_false_alarm_tell_the_two_half_widths_apart(spec, expected):
    labels, flags = filled(40, [[10, 20]]), filled(40, [[12, 13], [30, 31]])
    assert close(expected, float(aj.metric(spec)(labels, flags)), 1e-12)


def test_the_authors_half_width_h_is_width_2h_plus_1_with_all_islands():
    for half in (1, 2, 3, 5, 12):
        key = f"ref:AsymmetricallyAdjustedFScore[adjust_width={half}]"
        assert f'f1_ba(width={2 * half + 1}, islands="all")' == PEERS[key]["spec"]


@pytest.mark.parametrize("half", [1, 2, 3, 5, 12])
def test_the_reading_of_the_authors_gives_their_numbers_with_one_setting(half):
    recorded = PEERS[f"ref:AsymmetricallyAdjustedFScore[adjust_width={half}]"]
    spec = f'f1_ba(width={2 * half + 1}, reading="authors")'
    given = recorded["input"]
    assert len(recorded["values"]) > 40
    for case, expected in recorded["values"].items():
        assert close(expected, value(spec, case, given), 1e-12), case


def test_tsadmetrics_w_is_width_2_ceil_half_w_plus_1_with_spilling_islands():
    for w in (1, 2, 3, 4, 6, 10):
        key = f"tsadmetrics:bpaf[beta=1.0,w={w}]"
        assert f'f1_ba(width={2 * math.ceil(w / 2) + 1}, islands="spill")' == PEERS[key]["spec"]


def test_tsadmetrics_cannot_tell_w_1_from_w_2_and_we_can_tell_the_widths_apart():
    first, second = (PEERS[f"tsadmetrics:bpaf[beta=1.0,w={w}]"]["values"] for w in (1, 2))
    assert first == second
    narrow, wide = (
        value(f'f1_ba(width={width}, islands="spill")', "h30", "flags") for width in (1, 2)
    )
    assert narrow > wide


def test_flags_are_the_points_at_or_above_the_threshold():
    for case, row in CASES.items():
        _, inputs = given(case)
        assert np.array_equal(inputs["flags"], inputs["scores"] >= row["threshold"]), case


def test_no_golden_file_is_missing_or_cut_short():
    expected = {"cases": 67, "scores": 67, "peers": 54, "adjusted": 4, "disagreements": 5}
    assert expected == {name: len(golden(name)) for name in expected}
    assert CASES.keys() == SCORES.keys()
    assert ADJUSTMENTS.keys() == {row["adjustment"] for row in ADJUSTED.values()}
    assert all(peer["values"] for peer in PEERS.values())
    assert all(group["cases"] for group in DISAGREEMENTS)
