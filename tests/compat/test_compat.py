"""What people paste, under its own name: the same numbers as the originals, defects and all."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge import compat
from values import close, filled

GOLDEN = Path(__file__).parents[1] / "golden"
CASES, SCORES, VALUES = (
    json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("cases", "scores", "compat")
)
KEYS = [
    "AUC-PR", "AUC-ROC", "VUS-PR", "VUS-ROC", "Standard-F1", "PA-F1", "Event-based-F1",
    "R-based-F1", "Affiliation-F",
]  # fmt: skip


def given_to(case):
    n = CASES[case]["n"]
    labels, flags = (filled(n, *CASES[case][key]) for key in ("events", "flags"))
    return labels, flags, np.array(SCORES[case]) / 1e6


QUICK = {
    "h01",
    "h10",
    "h13",
    "h27",
    "h30",
    "h45",
    "h60",
    "r04",
    "r11",
    "r36",
}  # every defect is there


@pytest.mark.parametrize(
    "case",
    [case if case in QUICK else pytest.param(case, marks=pytest.mark.long) for case in VALUES],
)
def test_tsb_ad_returned_the_same_numbers(case):
    """Values of TSB-AD 1.5 itself, at its own thresholds and for given predictions."""
    labels, flags, scores = given_to(case)
    oracle = compat.get_metrics(scores, labels, slidingWindow=10)
    for_flags = compat.get_metrics(scores, labels, 10, pred=flags)
    for key, expected in VALUES[case].items():
        name = key.split(".")[-1].split("[")[0]
        found = (for_flags if key.endswith("[pred]") else oracle)[name]
        assert close(math.nan if expected is None else expected, found, 1e-9), key


def test_there_are_nine_keys_and_scores_come_first():
    found = compat.get_metrics([0.1, 0.9, 0.2, 0.1], [0, 1, 0, 0])
    assert list(found) == KEYS
    assert found["AUC-ROC"] == 1


def test_labels_without_events_are_refused():
    with pytest.raises(aj.InputError, match="labels must hold at least one event, got none"):
        compat.get_metrics([1, 2], [0, 0])


def loop(labels, flags, *, whole=False):
    """The loop, point by point: back to index 1 (or 0, if whole), then on to the event's end."""
    flags, late, hit, inside = list(flags), 0, 0, False
    for i in range(len(labels)):
        if labels[i] and flags[i] and not inside:
            inside, hit = True, hit + 1
            j = i
            while j >= (0 if whole else 1) and labels[j]:
                late += not flags[j]
                flags[j] = True
                j -= 1
        elif not labels[i]:
            inside = False
        if inside:
            flags[i] = True
    return flags, late / (hit + 1e-4)


POINTS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)


@given(points=POINTS)
def test_adjusted_predictions_are_those_of_the_loop(points):
    labels, flags = (np.array(side, int) for side in zip(*points, strict=True))
    expected, latency = loop(labels, flags)
    given_flags = flags.copy()
    same_labels, same_flags = compat.adjustment(labels, given_flags)
    assert same_labels is labels
    assert same_flags is given_flags  # changed in place
    assert same_flags.tolist() == [int(flag) for flag in expected]
    adjusted, late = compat.adjust_predicts(flags, labels, 0.5, calc_latency=True)
    assert adjusted.tolist() == [bool(flag) for flag in expected]
    assert late == pytest.approx(latency)
    changed = flags.astype(bool)
    assert compat.adjust_predicts(flags, labels, pred=changed) is changed
    assert changed.tolist() == adjusted.tolist()


def test_a_list_can_be_adjusted_too():
    assert compat.adjustment([0, 1, 1], [0, 0, 1])[1] == [0, 1, 1]


def test_the_first_point_is_lost_and_our_point_adjustment_keeps_it():
    labels, flags = filled(20, (0, 10)), filled(20, (5, 6))
    adjusted = compat.adjust_predicts(flags, labels, 0)
    assert adjusted.tolist() == loop(labels, flags)[0]
    assert not adjusted[0]
    assert aj.f1(labels, adjusted) == pytest.approx(18 / 19)
    assert aj.f1_pa(labels, flags) == 1


def test_wrong_use_is_refused_in_one_line():
    with pytest.raises(aj.InputError, match="score and label must be equally long, got 2 and 1"):
        compat.adjust_predicts([1, 2], [1], 0)
    with pytest.raises(aj.InputError, match="threshold must be given, or pred, got neither"):
        compat.adjust_predicts([1, 2], [1, 0])


SCORED = given_to("r04")[2], given_to("r04")[0]


def test_the_search_takes_the_best_of_its_grid():
    scores, labels = SCORED
    levels = [i / 20 for i in range(1, 21)]
    values = [compat.calc_seq(scores, labels, level)[0] for level in levels]
    found, threshold = compat.bf_search(scores, labels, 0, 1, 20, verbose=False)
    assert found[0] == pytest.approx(np.nanmax(values))
    assert threshold == pytest.approx(levels[int(np.nanargmax(values))])
    assert len(found) == 10  # with the latency
    assert found[0] <= aj.best(aj.f1_pa)(labels, scores) + 1e-12


def test_a_search_without_an_end_tries_one_threshold(capsys):
    scores, labels = SCORED
    found, threshold = compat.bf_search(scores, labels, 0.5)
    assert threshold == 0.5
    assert found[:9] == list(compat.calc_seq(scores, labels, 0.5))
    assert "cur thr:" in capsys.readouterr().out


def test_counts_and_rates_of_points():
    labels, flags = [1, 1, 0, 0, 1], [1, 0, 1, 0, 0]
    f1, precision, recall, *counts, area, accuracy = compat.calc_point2point(flags, labels)
    assert (precision, recall, accuracy) == (1 / 2, pytest.approx(1 / 3), 0.4)
    assert f1 == pytest.approx(0.4)
    assert counts == [1, 1, 1, 2]
    assert area == aj.auc_roc(labels, flags)
    assert math.isnan(compat.calc_point2point([1, 0], [0, 1])[0])
    assert compat.calc_point2point([1, 0], [1, 1])[7] == 0  # one class: no area


def test_a_threshold_gives_the_dictionary_of_pot_eval():
    scores, labels = SCORED
    result, flags = compat.pot_result(scores, labels, 0.5)
    assert list(result) == [
        "f1", "precision", "recall", "TP", "TN", "FP", "FN", "ROC/AUC", "accuracy", "threshold"
    ]  # fmt: skip
    assert result["f1"] == pytest.approx(aj.f1(labels, flags))
    assert result["threshold"] == 0.5


def test_the_grid_of_moment_is_at_most_the_exact_best():
    scores, labels = SCORED
    found = compat.adjbestf1(labels, scores)
    levels = np.linspace(scores.min(), scores.max(), 100)
    expected = max(aj.f1(labels, loop(labels, scores >= level)[0]) for level in levels)
    assert found == pytest.approx(expected)
    assert found <= aj.best(aj.f1_pa)(labels, scores) + 1e-12
