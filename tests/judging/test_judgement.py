"""Judgements: default metrics, several detectors, how the threshold was chosen, forms of output."""

import json
import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import adjudge as aj
from adjudge.judging.judge.which_metrics import all_metrics, default_metrics, metrics_by_oracle
from values import filled

LABELS = np.repeat([0, 1, 0, 1, 0], 20)
RNG = np.random.default_rng(0)
SCORES = RNG.random(100) + 0.3 * LABELS
FLAGS = (SCORES > 0.9).astype(int)
F1S = ["f1", "f1_pa", "f1_kpa", "f1_ba"]
AREAS = ["auc_roc", "ap"]


def test_flags_are_judged_as_they_are():
    judged = aj.evaluate(LABELS, FLAGS)
    assert [row.requested for row in judged.rows] == [
        *F1S,
        "event_precision",
        "event_recall",
        *AREAS,
    ]
    assert {row.chosen_by for row in judged.rows[:6]} == {"given"}
    assert {row.chosen_by for row in judged.rows[6:]} == {"none"}
    assert judged["f1_ba"] == aj.f1_ba(LABELS, FLAGS)


def test_real_scores_get_the_oracle_by_name_and_never_silently():
    judged = aj.evaluate(LABELS, SCORES)
    assert [row.requested for row in judged.rows] == [*(f"best({name})" for name in F1S), *AREAS]
    assert judged["best(f1_ba)"] == aj.best(aj.f1_ba)(LABELS, SCORES)
    assert {row.chosen_by for row in judged.rows[:4]} == {"oracle"}
    with pytest.raises(KeyError, match=r"unknown metric 'f1_ba', did you mean 'best\(f1_ba\)'"):
        judged["f1_ba"]


def test_a_given_threshold_and_a_rule_say_so():
    given, rule = aj.evaluate(LABELS, SCORES, at=0.9), aj.evaluate(LABELS, SCORES, at="top(10)")
    assert given["f1_ba"] == aj.f1_ba(LABELS, SCORES, at=0.9)
    assert (given.rows[0].at, given.rows[0].chosen_by) == (0.9, "given")
    assert (rule.rows[0].at, rule.rows[0].chosen_by) == (np.sort(SCORES)[-11], "rule")
    assert given["auc_roc"] == rule["auc_roc"]


def test_a_metric_keeps_its_own_threshold():
    judged = aj.evaluate(LABELS, SCORES, ["f1(at=0.5)", "f1", "best(f1)"], at=0.9)
    assert [row.at for row in judged.rows][:2] == [0.5, 0.9]
    assert judged.rows[2].chosen_by == "oracle"


def test_results_never_print_an_unresolved_spec():
    judged = aj.evaluate(LABELS, {"a": SCORES, "b": FLAGS})
    specs = [row.metric for row in judged.rows]
    assert 'best(f1_ba(width=21, islands="normal"))' in specs
    assert 'f1_ba(width=21, islands="normal")' in specs
    assert "f1_kpa(k=0.2)" in specs
    assert all(
        aj.metric(spec).resolved_spec(aj.Events.from_labels(LABELS)) == spec for spec in specs
    )


def test_a_value_is_found_by_the_asked_and_by_the_resolved_spec():
    judged = aj.evaluate(LABELS, FLAGS, "f1_ba")
    assert judged["f1_ba"] == judged['f1_ba(width=21, islands="normal")']


def test_several_detectors_are_asked_for_by_name():
    judged = aj.evaluate(LABELS, {"mine": FLAGS, "theirs": 1 - FLAGS}, ["f1"])
    assert judged.detectors == ["mine", "theirs"]
    assert judged["theirs", "f1"] == aj.f1(LABELS, 1 - FLAGS)
    with pytest.raises(
        ValueError, match=r"several detectors were judged; ask for \[detector, 'f1'\]"
    ):
        judged["f1"]
    with pytest.raises(KeyError, match="unknown detector 'thiers', did you mean 'theirs'"):
        judged["thiers", "f1"]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_detectors_may_come_in_a_frame(frame):
    judged = aj.evaluate(LABELS, frame({"a": SCORES, "b": SCORES**2}), "auc_roc")
    assert judged["a", "auc_roc"] == judged["b", "auc_roc"] == aj.auc_roc(LABELS, SCORES)


@pytest.mark.parametrize("column", [pd.Series, pl.Series, pa.array, list, np.array])
def test_one_detector_may_come_in_any_column(column):
    assert aj.evaluate(LABELS, column(SCORES), "ap")["ap"] == aj.ap(LABELS, SCORES)


def test_events_tell_found_coverage_and_delay():
    flags = np.zeros(100, int)
    flags[[25, 26, 90]] = 1
    first, second = aj.evaluate(LABELS, flags).events
    assert first == {
        "detector": "detector", "start": 20, "stop": 40, "found": True, "coverage": 0.1, "delay": 5,
    }  # fmt: skip
    assert (second["found"], second["coverage"], second["delay"]) == (False, 0, None)


def test_events_without_a_threshold_are_listed_undecided():
    first, _ = aj.evaluate(LABELS, SCORES).events
    assert (first["found"], first["coverage"], first["delay"]) == (None, None, None)


def test_other_readings_are_named_where_they_differ():
    labels, flags = np.zeros((2, 60), int)
    labels[20:30] = flags[20:30] = 1
    row = aj.evaluate(labels, flags, "f1_ba").rows[0]
    assert row.value == 1
    assert row.other_readings == {"authors": 2 / 3}
    assert aj.evaluate(labels, flags, "f1_pa").rows[0].other_readings == {}
    judged = aj.evaluate(labels, flags, "f1_ba")
    said = "f1_ba is 1.0000, or 0.6667 as in the authors' code ('authors')"
    assert said in judged.to_text(None, verbose=True)
    assert said not in str(judged)


GRIDDED = ("vus_pr", "vus_roc", "range_auc_pr", "range_auc_roc", "pate")


def rare(lift, n=5000, seed=0):
    """Two events of 20 points, and normal scores that they lift."""
    labels = filled(n, (1000, 1020), (3000, 3020))
    return labels, np.random.default_rng(seed).normal(size=n) + lift * labels


def test_a_grid_of_thresholds_that_moves_a_value_is_named_with_the_exact_one():
    labels, scores = rare(3)
    found = aj.evaluate(labels, scores, "vus_pr", chance=False)
    exact = aj.vus_pr(labels, scores, thresholds=None)
    assert found.rows[0].every_threshold == exact
    assert found["vus_pr"] < 0.95 * exact
    said = rf"vus_pr is {found['vus_pr']:.4f} .*, {exact:.4f} .*\(thresholds=None\)"
    assert re.search(said, found.to_text(width=None))
    assert exact == found.to_frame()["every_threshold"][0]


def test_a_grid_of_thresholds_that_moves_nothing_is_not_named():
    labels, scores = rare(3)
    for spec in ("vus_roc", "range_auc_roc"):
        found = aj.evaluate(labels, scores, spec, chance=False)
        assert found[spec] == pytest.approx(found.rows[0].every_threshold, rel=0.01)
        assert "every threshold" not in str(found)
    found = aj.evaluate(labels, scores, "vus_pr(thresholds=None)", chance=False)
    assert "grid" not in str(found)


def test_every_metric_with_a_grid_gives_the_exact_value_beside_it_and_no_other_does():
    labels, scores = filled(400, (100, 120)), RNG.random(400)
    found = aj.evaluate(labels, scores, "all", at=0.9, chance=False)
    known = {
        row.resolved_metric.name: row for row in found.rows if not math.isnan(row.every_threshold)
    }
    assert set(GRIDDED) == known.keys()
    for name, row in known.items():
        assert aj.metric(name)(labels, scores, thresholds=None) == row.every_threshold


def test_of_many_values_that_a_grid_moves_the_worst_is_named():
    labels, _ = rare(3)
    several = {f"d{i}": rare(3, seed=i)[1] for i in range(5)}
    found = aj.evaluate(labels, several, "vus_pr", chance=False)
    worst = max(found.rows, key=lambda row: abs(row.value - row.every_threshold))
    (note,) = [note for note in found.layout().notes if "grid" in note]
    values = f"{worst.value:.4f} ({worst.detector})", f"{worst.every_threshold:.4f}"
    assert note.startswith("vus_pr: ")
    assert all(fact in note for fact in ("5 of 5", *values, "thresholds=None"))


def test_the_mean_of_runs_has_the_mean_over_every_threshold():
    runs = [rare(3, seed=i)[1] for i in range(3)]
    found = aj.evaluate(rare(3)[0], {"mine": runs}, "vus_pr", chance=False)
    each = [aj.vus_pr(rare(3)[0], scores, thresholds=None) for scores in runs]
    assert found.rows[0].every_threshold == pytest.approx(np.mean(each))


def test_undefined_values_can_be_replaced():
    judged = aj.evaluate([0, 0], [0, 0], ["f1"])
    assert math.isnan(judged["f1"])
    assert "undefined" in str(judged)
    assert aj.evaluate([0, 0], [0, 0], ["f1"], zero_division=0)["f1"] == 0


def test_json_writes_undefined_as_null_and_infinity_as_text():
    judged = aj.evaluate([0, 0, 1], [0.5, 0.5, 0.5], ["best(precision)", "best(f1)"])
    rows = json.loads(judged.to_json())["rows"]
    assert rows[0]["at"] == "-inf"
    undefined = json.loads(aj.evaluate([0, 0], [0, 0], ["f1"]).to_json(indent=1))
    assert undefined["rows"][0]["value"] is None


def test_a_flat_dictionary_holds_names_and_floats_only():
    one = aj.evaluate(LABELS, FLAGS, ["f1", "f1_pa"]).to_flat_dict("tsad/")
    assert list(one) == ["tsad/f1", "tsad/f1_pa"]
    two = aj.evaluate(LABELS, {"a": FLAGS, "b": FLAGS}, ["f1"]).to_flat_dict()
    assert list(two) == ["a/f1", "b/f1"]
    assert all(type(value) is float for value in (one | two).values())


@pytest.mark.parametrize(
    ("backend", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)]
)
def test_a_frame_has_a_row_per_finding(backend, kind):
    frame = aj.evaluate(LABELS, FLAGS).to_frame(backend)
    assert isinstance(frame, kind)
    assert frame.shape[0] == 8
    assert {"detector", "metric", "value", "at", "chosen_by", "chance", "p_value"} <= set(
        getattr(frame, "column_names", frame.columns)
    )


def test_a_frame_of_a_missing_library_says_how_to_get_it(monkeypatch):
    def missing(*_, **__):
        raise ImportError

    monkeypatch.setattr("narwhals.stable.v2.from_dict", missing)
    with pytest.raises(ImportError, match="a data frame needs pandas: pip install"):
        aj.evaluate(LABELS, FLAGS, "f1").to_frame()


def test_the_notebook_table_escapes_names():
    shown = aj.evaluate(LABELS, {"<script>alert(1)</script>": FLAGS}, ["f1"])._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: aj.evaluate(LABELS, {}), "scores must hold at least one detector, got none"),
        (lambda: aj.evaluate(LABELS, FLAGS, []), "metrics must name at least one metric, got none"),
    ],
)
def test_nothing_to_judge_is_refused(call, expected):
    with pytest.raises(ValueError, match=expected):
        call()


def test_labels_may_be_events():
    events = aj.Events.from_intervals([(20, 40), (60, 80)], n=100)
    assert aj.evaluate(events, FLAGS)["f1_ba"] == aj.evaluate(LABELS, FLAGS)["f1_ba"]


def test_all_is_every_metric_that_is_listed():
    labels, flags = [0, 1, 1, 0, 0, 0, 1, 0], [0, 1, 0, 0, 1, 0, 0, 0]
    judged = aj.evaluate(labels, flags, "all")
    assert all(math.isnan(row.p_value) for row in judged.rows)
    again = aj.evaluate(labels, flags, ["f1(beta=2)", "all"])
    assert ["f1(beta=2)", *(row.requested for row in judged.rows)] == [
        row.requested for row in again.rows
    ]
    listed = [name for name, row in aj.catalogue.items() if row.listed]
    assert listed == [row.requested for row in judged.rows]
    assert aj.nab(labels, flags) == judged["nab"]


def test_all_metrics_of_real_scores_are_areas_and_oracles():
    labels, scores = [0, 1, 1, 0, 0, 0, 1, 0], [0.1, 0.9, 0.3, 0.2, 0.8, 0.1, 0.4, 0.2]
    judged = aj.evaluate(labels, scores, "all", chance=False)
    assert aj.best(aj.range_f1)(labels, scores) == judged["best(range_f1)"]
    assert aj.vus_pr(labels, scores) == judged["vus_pr"]
    assert {"oracle", "none"} == {row.chosen_by for row in judged.rows}


def test_without_any_threshold_only_areas_are_chosen():
    assert all(metric.row.needs == "scores" for metric in all_metrics("none"))
    assert len(all_metrics("none")) < len(all_metrics("known"))


def test_progress_is_told_while_shifts_are_judged_one_by_one():
    told = []
    aj.evaluate(
        np.repeat([0, 1, 0], 20), np.arange(60.0), ["best(mcc)", "auc_roc"], shifts=9,
        progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    done = [share for share, _ in told]
    assert done == sorted(done)
    assert 0 < done[0] < 0.1
    assert done[-2:] == [1, 2]
    assert len(done) > 15
    assert {total for _, total in told} == {2}


def test_progress_never_says_that_more_is_done_than_there_is():
    """Flags are judged by eight metrics, scores without a threshold by two."""
    told = []
    aj.evaluate(
        [0, 0, 1, 1, 0, 0],
        {"flags": [0, 0, 1, 0, 0, 0], "scores": [0.1, 0.2, 0.7, 0.4, 0.5, 0.2]},
        oracle=False,
        chance=False,
        progress=lambda done, total: told.append((done, total)),
    )
    assert all(done <= total for done, total in told)
    assert told[-1] == (10, 10)


def test_progress_is_told_after_every_metric_of_every_detector():
    told = []
    aj.evaluate(
        [0, 1], {"a": [0, 1], "b": [1, 0]}, ["f1", "f1_ba"], chance=False,
        progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert [(1, 4), (2, 4), (3, 4), (4, 4)] == told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chance": "no"}, "chance must be True or False, got 'no'"),
        ({"chance": 0}, "chance must be True or False, got 0"),
        ({"white_noise": "no"}, "white_noise must be True or False, got 'no'"),
        ({"zero_division": "7"}, "zero_division must be a number, got '7'"),
        ({"zero_division": "warn"}, "zero_division must be a number, got 'warn'"),
        ({"zero_division": True}, "zero_division must be a number, got True"),
        ({"shifts": 0}, "shifts must be a whole number, at least 1, got 0"),
        ({"shifts": 0, "chance": False}, "shifts must be a whole number, at least 1, got 0"),
        ({"label_slack": False}, "label_slack must be a whole number, at least 0, got False"),
        ({"at": "1_0"}, "at must be a number or a rule such as quantile(0.99) or top(10), "
         "got '1_0'"),
    ],
)  # fmt: skip
def test_options_are_checked_before_anything_is_judged(options, message):
    with pytest.raises(aj.InputError) as caught:
        aj.evaluate(LABELS, FLAGS, "f1", **options)
    assert message == str(caught.value)
    if "zero_division" in options:  # needed or not
        with pytest.raises(aj.InputError) as caught:
            aj.f1(LABELS, FLAGS, **options)
        assert message == str(caught.value)


def test_a_metric_that_is_asked_for_twice_is_judged_once():
    (row,) = aj.evaluate([0, 1, 1, 0, 0, 0], [0, 1, 0, 0, 1, 0], ["f1", "f1"]).rows
    once = aj.evaluate([0, 1, 1, 0, 0, 0], [0, 1, 0, 0, 1, 0], "f1").rows[0]
    assert row == once  # what is undefined in both is equal


def test_an_oracle_judges_what_is_named_or_all_or_the_usual_metrics():
    assert ["best(f1)", "ap"] == [str(metric) for metric in metrics_by_oracle(["f1", "ap"])]
    assert [aj.metric("best(f1(beta=2))"), *all_metrics("oracle")] == metrics_by_oracle(
        ["f1(beta=2)", "all"]
    )
    assert default_metrics("oracle") == metrics_by_oracle([])
