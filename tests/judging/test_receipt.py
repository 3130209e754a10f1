"""Receipts: who earned what, who paid what, and how it is told."""

import json
import math

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
import naive
from adjudge.cli.printing import print_judgements
from adjudge.judging.receipt import Account

LABELS, FLAGS = np.zeros((2, 60), int)
LABELS[20:30] = LABELS[40:44] = 1
FLAGS[[5, 6, 22, 23, 50]] = 1


def test_an_account_without_rows_or_layout_is_not_made():
    class Rows(Account):
        def summary(self):
            return {}

        def rows(self):
            return [], []

    with pytest.raises(TypeError, match=r"abstract method '?layout"):
        Rows()


def test_an_event_tells_found_covered_delay_and_credit():
    truth = aj.explain(LABELS, FLAGS, "f1_ba(width=5)").truth
    assert truth.found.tolist() == [True, False]
    assert truth.covered.tolist() == [0.2, 0]
    assert truth.delay[0] == 2
    assert math.isnan(truth.delay[1])
    assert truth.credit.tolist() == [10, 0]
    assert truth.weight.tolist() == [10, 4]


def test_a_false_run_tells_its_island_and_its_cost():
    alarms = aj.explain(LABELS, FLAGS, "f1_ba(width=5)").alarms
    assert alarms.event.tolist() == [-1, 0, -1]
    assert alarms.start.tolist() == [5, 20, 50]
    assert alarms.island_start.tolist() == [3, 20, 48]
    assert alarms.island_stop.tolist() == [9, 30, 53]
    assert alarms.cost.tolist() == [6, 0, 5]


def test_costs_are_whole_numbers_unless_widths_are_mixed():
    costs = {w: aj.explain(LABELS, FLAGS, aj.f1_ba(width=w)).alarms.cost for w in (5, "matched")}
    assert {5: "i", "matched": "f"} == {width: cost.dtype.kind for width, cost in costs.items()}


def test_overlapping_islands_are_shared_out_and_nothing_is_charged_twice():
    labels, flags = np.zeros((2, 30), int)
    flags[[10, 14]] = 1
    alarms = aj.explain(labels, flags, "f1_ba(width=9)").alarms
    assert alarms.cost.tolist() == [7, 6]
    assert alarms.island_stop[0] == alarms.island_start[1] == 13


def test_in_the_authors_reading_true_flags_pay_for_what_leaks():
    labels, flags = np.zeros((2, 30), int)
    labels[10:15] = 1
    flags[14] = 1
    receipt = aj.explain(labels, flags, 'f1_ba(width=5, islands="all")')
    assert receipt.alarms.event.tolist() == [0]
    assert receipt.alarms.cost.tolist() == [2]
    row = ["alarm [10, 15)", "on event 0, charged over [10, 17)", "costs 2"]
    assert row in receipt.layout().tables[0].rows


def test_an_oracle_s_receipt_is_that_of_its_threshold():
    scores = np.linspace(0, 1, 60)
    receipt = aj.explain(LABELS, scores, "best(f1_ba)")
    reading = aj.best(aj.f1_ba).reading(aj.Case(LABELS, scores))
    assert (receipt.value, receipt.at) == (reading.value, reading.at)
    assert receipt.metric.startswith("best(f1_ba(width=")


def test_a_threshold_is_told():
    receipt = aj.explain(LABELS, FLAGS / 2, "f1", at=0.25)
    assert receipt.at == 0.25
    assert str(receipt).startswith("f1 = 0.210526, flagged above 0.25\n")


def test_the_receipt_of_events_counts_runs():
    receipt = aj.explain(LABELS, FLAGS, "event_f1")
    assert receipt.alarms.event.tolist() == [-1, 0, -1]
    assert receipt.alarms.credit.tolist() == [0, 1, 0]
    assert receipt.tally[:4] == (1, 2, 1, 3)


def test_coverage_has_no_alarm_side():
    receipt = aj.explain(LABELS, FLAGS, "event_coverage")
    assert receipt.value == 0.2
    assert receipt.alarms.start.size == 0


def test_a_receipt_without_events_or_flags_is_empty_and_undefined():
    receipt = aj.explain([0, 0], [0, 0], "f1_ba")
    assert math.isnan(receipt.value)
    assert receipt.truth.start.size == receipt.alarms.start.size == 0


def test_the_dictionary_carries_the_sums_and_is_plain():
    told = aj.explain(LABELS, FLAGS, "f1_ba(width=5)").to_dict()
    assert told["sums"] == {"found": 10, "truth": 14, "right": 10, "flagged": 21}
    assert [row["cost"] for row in told["alarms"]] == [6, 0, 5]
    assert [row["credit"] for row in told["truth"]] == [10, 0]
    assert json.dumps(told)


def test_the_strip_shows_labels_flags_and_islands():
    strip = aj.explain(LABELS, FLAGS, "f1_ba(width=5)").strip(0, 34)
    assert strip.splitlines() == [
        "labels   ....................##########....",
        "flags    .....!!...............^^..........",
        "counted  ...--!!--...........^^^^^^^^^^....",
    ]


def test_what_is_better_low_is_counted_and_not_earned():
    told = str(aj.explain([0, 1, 1, 1, 0, 0], [0, 0, 0, 1, 0, 0], "detection_delay"))
    assert "event [1, 4)    found after 2, 33 % covered  counts 2, weight 1" in told
    assert "earns" not in told


def test_an_empty_alarm_side_is_not_summed():
    told = str(aj.explain([0, 1, 1, 1, 0, 0], [0, 0, 0, 1, 0, 0], "detection_delay"))
    assert "sums: found 2 over a weight of 1" == told.splitlines()[-1]
    silent = str(aj.explain([0, 1, 1, 0], [0, 0, 0, 0], "f1"))
    assert "sums: found 0 of 2" == silent.splitlines()[-1]
    false = str(aj.explain([0, 1, 1, 0], [1, 0, 0, 0], "f1"))
    assert "sums: found 0 of 2, right 0 of 1 flagged" == false.splitlines()[-1]


@pytest.mark.parametrize("name", ["tolerant_f1", "tdir"])
def test_a_near_alarm_is_no_false_one(name):
    flags = [1, 0, 0, 1, 0, 0, 0, 0, 1, 1]
    receipt = aj.explain([0, 0, 0, 0, 0, 1, 1, 0, 0, 0], flags, f"{name}(tolerance=2)")
    assert [-1, 0, 0] == receipt.alarms.event.tolist()
    assert [
        ["alarm [0, 1)", "false", "costs 1"],
        ["alarm [8, 10)", "on event 0", "costs 1"],
    ] == receipt.layout().tables[0].rows[1:]


def test_a_distance_is_told_by_what_each_row_adds():
    labels, flags = [0, 0, 0, 0, 1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 1, 0, 1, 0, 0]
    assert [
        "temporal_distance = 7 points",
        "event or alarm  what happened                 worth",
        "---------------------------------------------------",
        "event [4, 6)    found after 1, 50 % covered  adds 1",
        "alarm [0, 1)    false                        adds 4",
        "alarm [7, 8)    false                        adds 2",
        "---------------------------------------------------",
        "1 of 1 events found, 2 of 3 alarms false",
        "sums: events add 1 (weight 2), alarms add 6 (weight 3)",
    ] == str(aj.explain(labels, flags, "temporal_distance")).splitlines()
    farthest = aj.explain(labels, flags, "hausdorff_distance").layout()
    assert farthest.tables[0].title == 'hausdorff_distance(side="both") = 4 points'
    assert farthest.tables[0].rows[1] == ["alarm [0, 1)", "false", "adds 4"]
    assert farthest.notes[-1] == "sums: events add 1 (weight 1), alarms add 4 (weight 1)"


@pytest.mark.parametrize(
    ("hits", "said"),
    [
        (1, "under 1 %"),
        (2, "1 %"),
        (100, "50 %"),
        (198, "99 %"),
        (199, "over 99 %"),
        (200, "100 %"),
    ],
)
def test_only_all_of_an_event_is_100_per_cent(hits, said):
    labels, flags = np.zeros((2, 300), int)
    labels[50:250] = flags[50 : 50 + hits] = 1
    assert f"found after 0, {said} covered" in str(aj.explain(labels, flags, "f1"))


def test_large_sums_keep_every_point():
    labels, flags = np.zeros((2, 3_000_003), bool)
    labels[1:2_345_679] = flags[1:1_234_568] = True
    told = str(aj.explain(labels, flags, "f1"))
    assert "found 1234567 of 2345678, right 1234567 of 1234567 flagged" in told


def as_flags(text):
    return [int(letter) for letter in text]


RECEIPTS = [name for name, row in aj.catalogue.items() if row.metric.has_receipt]
OWN_RULE = (
    "collar", "tolerant", "softed", "oipr", "vus_precision", "tdir", "change", "warning",
    "false_warning", "time_between", "early_utility", "gaussian",
)  # fmt: skip
"""Metrics that say of an alarm beside an event, or of a second one on it, whether it is false."""
ANY_CASE = "0000111110000000000000111000000000000", "0100100111010000000001100000011000000"


@pytest.mark.parametrize("name", RECEIPTS)
def test_an_alarm_is_a_flagged_run_by_every_metric(name):
    labels, flags = map(as_flags, ANY_CASE)
    counts, runs = aj.explain(labels, flags, name).counts, naive.events(flags)
    assert counts["alarms"] == len(runs) == aj.explain(labels, flags, "event_precision").tally[3]
    if not name.startswith(OWN_RULE):
        false = sum(not any(labels[start:stop]) for start, stop in runs)
        assert counts["false_alarms"] == false


def test_the_count_of_alarms_is_that_of_event_precision():
    labels, flags = as_flags("00111110000"), as_flags("00100010010")
    assert aj.event_precision(labels, flags) == 2 / 3
    for name in (
        "f1",
        "f1_ba",
        "event_precision",
        "segment_f1",
        "affiliation_f1",
        "event_coverage",
    ):
        receipt = aj.explain(labels, flags, name)
        assert "1 of 1 events found, 1 of 3 alarms false" in str(receipt)
        expected = {"events": 1, "found": 1, "alarms": 3, "false_alarms": 1}
        assert receipt.to_dict()["counts"] == expected


def test_what_goes_beyond_an_event_is_part_of_a_right_alarm():
    receipt = aj.explain(as_flags("00111000000"), as_flags("00011100010"), "f1")
    assert "alarm [5, 6)    beyond event 0 " in str(receipt)
    assert "alarm [9, 10)   false " in str(receipt)
    assert "1 of 2 alarms false" in str(receipt)


@pytest.mark.parametrize(
    ("spec", "false"),
    [
        ("event_precision_tolerant(before=2)", 1), ("event_precision_tolerant", 2),
        ("event_precision_tolerant(overlap=0.5)", 3), ("collar_precision(collar=0)", 3),
    ],
)  # fmt: skip
def test_the_metric_has_the_last_word_on_which_alarms_are_false(spec, false):
    labels, flags = as_flags("0000111100000"), as_flags("0010100000010")
    counts = aj.explain(labels, flags, spec).counts
    assert (counts["alarms"], counts["false_alarms"]) == (3, false)


def test_an_alarm_that_earns_beside_an_event_is_not_called_false():
    labels, flags = as_flags("0000011100000000"), as_flags("0001000000000001")
    receipt = aj.explain(labels, flags, "softed_f1(reach=3)")
    assert "alarm [3, 4)    near an event" in str(receipt)
    assert "1 of 2 alarms false" in str(receipt)


LATE = as_flags("0001111100000001110000"), as_flags("0000000100000100000000")
"""One event hit in its last point, and one with an alarm two points before it."""


@pytest.mark.parametrize(
    ("spec", "found", "said"),
    [
        ("event_recall", [True, False], ["found after 4, 20 % covered", "missed"]),
        ("event_recall_tolerant(before=2)", [True, True],
         ["found after 4, 20 % covered", "found by an alarm"]),
        ("delay_recall(k=2)", [False, False], ["missed, 20 % covered", "missed"]),
        ("overlap_recall(tau=0.5)", [False, False], ["missed, 20 % covered", "missed"]),
        ("tolerant_recall(tolerance=2)", [True, True],
         ["found after 4, 20 % covered", "found by an alarm"]),
        ("etapr_recall(theta_r=0.5)", [False, False], ["missed, 20 % covered", "missed"]),
    ],
)  # fmt: skip
def test_the_list_of_events_follows_the_metric_above_it(spec, found, said):
    labels, flags = LATE
    receipt = aj.explain(labels, flags, spec)
    assert receipt.truth.found.tolist() == found
    for words in said:
        assert f" {words} " in str(receipt)
    events = aj.evaluate(labels, flags, [spec, "event_recall"], chance=False).events
    assert [event["found"] for event in events] == found
    assert events[1]["delay"] is None


def test_metrics_that_judge_no_single_events_leave_the_list_to_the_flags():
    labels, flags = LATE
    for metrics in (["ap"], ["ap", "event_recall_tolerant(before=2, at=0.5)"]):
        events = aj.evaluate(labels, flags, metrics, chance=False).events
        assert [event["found"] for event in events] == [True, False]


def test_the_printed_list_follows_the_metric_too(capsys):
    time = pd.date_range("2026-03-01", periods=len(LATE[0]), freq="min")
    spec = "event_recall_tolerant(before=2)"
    judged = aj.evaluate(*LATE, spec, chance=False, time=time)
    print_judgements([("a.csv", judged)], [], None)
    shown = capsys.readouterr().out
    assert "2026-03-01 00:03 to 00:07: found after 4 min" in shown
    assert "2026-03-01 00:15 to 00:17: found by an alarm" in shown
