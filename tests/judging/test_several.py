"""explain and compare with several channels, and with several annotators."""

import json
import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError

NAMES = ["temp", "flow", "amps"]
PEOPLE = ["ann", "bob"]


def story(n=900):
    rng = np.random.default_rng(1)
    labels, scores = np.zeros((n, 3), int), rng.normal(size=(n, 3))
    for place, start in enumerate([40, 95, 230, 260, 371, 480, 660, 700, 830]):
        for channel in {place % 3, (place + place % 2) % 3}:
            labels[start : start + 12, channel] = 1
            if place != 4:
                scores[start + 2 : start + 10, channel] += 5
    worse = scores.copy()
    worse[200:300] = rng.normal(size=(100, 3))
    return labels, scores, worse


LABELS, SCORES, WORSE = story()
VOTES = np.stack([LABELS.max(axis=1), np.roll(LABELS.max(axis=1), 3)], axis=1)
VOTES[95:112, 1] = 0
FLAGS = (SCORES.max(axis=1) > 3.5).astype(int)


@pytest.mark.parametrize(
    ("spec", "at"),
    [("f1_ba", 3.5), ("any_channel(f1)", 3.5), ("micro(event_f1)", 3.5), ("macro(f1)", 3.5),
     ("channel_f1", 3.5), ("channel_precision", 3.5), ('channel_f1(average="pooled")', 3.5),
     ("subsystem_f1", 3.5), ("incident_f1", 3.5), ("channel_adtqc", 3.5), ("best(f1)", None),
     ("best(macro(f1))", None), ("macro(best(f1))", None), ("best(channel_f1)", None),
     ("channel_f1", aj.quantile(0.95)), ("macro(f1)", aj.quantile(0.95))],
)  # fmt: skip
def test_a_receipt_of_channels_says_the_value(spec, at):
    groups = {"heat": ["temp", "flow"], "power": ["amps"]}
    given = {"channels": NAMES, "subsystem": groups}
    receipt = aj.explain(LABELS, SCORES, spec, at=at, **given)
    assert receipt.value == aj.metric(spec)(LABELS, SCORES, **given, **({"at": at} if at else {}))
    assert f"= {receipt.value:.6g}" in str(receipt)
    assert "<table" in receipt._repr_html_()
    assert len(receipt.to_frame()) == len(receipt.truth) + len(receipt.alarms)


def test_what_events_earn_is_the_value():
    receipt = aj.explain(LABELS, SCORES, "channel_f1", at=3.5, channels=NAMES)
    assert np.mean([row["earns"] for row in receipt.events]) == pytest.approx(receipt.value)
    assert receipt.parts == ()
    assert receipt.truth == list(receipt.events)
    assert "missed" in str(receipt)
    assert json.loads(json.dumps(receipt.to_dict()))["events"][0]["id"] == "1"


def test_events_say_where_it_was_silent_and_where_it_alarmed_for_nothing():
    labels = np.zeros((20, 3), int)
    labels[5:10, :2] = labels[15:18, 2] = 1
    flags = np.zeros_like(labels)
    flags[6, [0, 2]] = flags[16, 0] = 1
    text = aj.explain(labels, flags, "channel_f1", channels=NAMES).to_text(width=None)
    assert "alarm on temp; silent on flow; false on amps" in text
    assert "silent on amps; false on temp" in text


def test_events_say_when_their_first_alarm_begins():
    labels, flags = np.zeros((30, 3), int), np.zeros((30, 3), int)
    labels[5:10, :2] = labels[15:18, 2] = labels[22:25, 0] = 1
    flags[7, 0] = flags[3:6, 1] = flags[16, 0] = flags[23, [0, 1]] = 1
    judged = aj.evaluate(labels, flags, "channel_adtqc", channels=NAMES, chance=False)
    assert [event["delay"] for event in judged.channels.events] == [-2, None, 1]


def test_each_channel_has_a_receipt_of_its_own():
    receipt = aj.explain(LABELS, SCORES, "macro(event_f1)", at=3.5, channels=NAMES)
    assert [name for name, _ in receipt.parts] == NAMES
    for place, (_, part) in enumerate(receipt.parts):
        alone = aj.explain(LABELS[:, place], SCORES[:, place], "event_f1", at=3.5)
        assert str(part) == str(alone)
    assert np.mean([part.value for _, part in receipt.parts]) == receipt.value
    assert {row["channel"] for row in receipt.alarms} <= set(NAMES)


def test_long_receipts_are_cut_and_say_so():
    receipt = aj.explain(LABELS, SCORES, "channel_f1", at=3.5, channels=NAMES)
    assert "and 7 more events (to_text(most=None))" in receipt.to_text(most=2)
    assert "more events" not in receipt.to_text(most=None)


def test_one_label_for_all_has_no_events_by_channel():
    receipt = aj.explain(LABELS.max(axis=1), SCORES, "f1", at=3.5, channels=NAMES)
    assert receipt.events == ()
    assert receipt.parts[0][1].value == receipt.value


@pytest.mark.parametrize("votes", ["each", "pooled", "majority", "any", "all"])
def test_a_receipt_by_annotators_says_the_value_and_what_is_disputed(votes):
    given = {"annotators": PEOPLE, "votes": votes}
    receipt = aj.explain(VOTES, FLAGS, "event_f1", **given)
    judged = aj.evaluate(VOTES, FLAGS, "event_f1", chance=False, **given)
    assert receipt.value == judged["event_f1"]
    (event,) = receipt.disputed
    assert (event["by"], event["not_by"], event["found"]) == (["ann"], ["bob"], True)
    assert "1 of 9 events are disputed" in str(receipt)
    assert [row["not_by"] for row in receipt.to_dict()["events"]].count(["bob"]) == 1


def test_scores_and_time_and_the_best_threshold_by_annotators():
    when = np.datetime64("2026-01-01", "m") + np.arange(len(VOTES))
    scores = SCORES.max(axis=1)
    given = {"annotators": PEOPLE, "time": when}
    receipt = aj.explain(VOTES, scores, "event_f1", at=aj.quantile(0.9), **given)
    assert "2026-01-01 01:35 to 01:46" in str(receipt)
    best = aj.explain(VOTES, scores, "best(event_f1)", **given)
    assert best.value >= receipt.value
    with pytest.raises(InputError, match="tune on one"):
        aj.explain(VOTES, scores, "f1", at=aj.tuned("f1", on=slice(0, 9)), **given)


@pytest.mark.parametrize(
    ("scores", "spec", "said"),
    [
        (SCORES, "cause_hit_rate", "flags at one threshold"),
        ({"a": SCORES, "b": SCORES}, "f1", "one detector"),
    ],
)
def test_what_has_no_receipt_is_refused(scores, spec, said):
    with pytest.raises(InputError, match=said):
        aj.explain(LABELS, scores, spec, at=3.5 if spec == "f1" else None, channels=NAMES)


# --- compare -----------------------------------------------------------------------------------


def test_all_channels_as_one_are_compared_as_one_column():
    for spec, at in (("f1_ba", 3.5), ("ap", None), ("best(f1)", None)):
        found = aj.compare(LABELS, SCORES, WORSE, spec, at=at, channels=NAMES)
        columns = LABELS.max(axis=1), SCORES.max(axis=1), WORSE.max(axis=1)
        plain = aj.compare(*columns, spec, at=at)
        assert found.metric == f"any_channel({plain.metric})"
        for name in ("a", "b", "low", "high", "p_value", "events", "at"):
            assert getattr(found, name) == getattr(plain, name)
    null = aj.compare(LABELS, SCORES, WORSE, "f1", at=3.5, channels=NAMES, null="shifted")
    assert null.chance[0] > 0


@pytest.mark.parametrize(
    ("spec", "at"),
    [("micro(f1)", 3.5), ("macro(f1)", (3.5, 3)), ("channel_f1", 3.5), ("incident_f1", 3.5),
     ("cause_hit_rate", None), ("macro(auc_roc)", None), ("f1", aj.quantile(0.9))],
)  # fmt: skip
def test_the_difference_on_channels_has_an_interval(spec, at):
    found = aj.compare(LABELS, SCORES, WORSE, spec, at=at, channels=NAMES, names=("x", "y"))
    levels = at if isinstance(at, tuple) else (at, at)
    for scores, level, value in zip((SCORES, WORSE), levels, (found.a, found.b), strict=True):
        given = {} if level is None else {"at": level}
        assert value == aj.metric(spec)(LABELS, scores, channels=NAMES, **given)
    assert found.low <= found.difference <= found.high
    assert found.events == 9
    assert str(found).splitlines()[0].endswith(f"x {found.a:.4f}, y {found.b:.4f}")


@pytest.mark.parametrize("spec", ["micro(f1)", "macro(event_f1)", "channel_f1"])
def test_chance_beside_a_difference_is_that_of_each_detector(spec):
    found = aj.compare(LABELS, SCORES, WORSE, spec, at=3.5, channels=NAMES, null="shifted")
    both = aj.evaluate(LABELS, {"a": SCORES, "b": WORSE}, spec, at=3.5, channels=NAMES)
    assert found.chance == pytest.approx(tuple(row.chance for row in both.rows))


def test_equal_detectors_are_not_told_apart_and_nothing_is_undefined():
    same = aj.compare(LABELS, SCORES, SCORES, "channel_f1", at=3.5, channels=NAMES)
    assert (same.difference, same.ahead) == (0, None)
    none = aj.compare(0 * LABELS, SCORES, WORSE, "channel_f1", at=3.5, channels=NAMES)
    assert math.isnan(none.difference)
    silent = aj.compare(
        LABELS, SCORES, 0 * LABELS, "micro(event_precision)", at=3.5, channels=NAMES
    )
    assert math.isnan(silent.difference)
    assert math.isnan(silent.p_value)


@pytest.mark.parametrize("votes", ["each", "pooled", "majority"])
def test_two_detectors_are_compared_by_annotators(votes):
    worse = (WORSE.max(axis=1) > 3.5).astype(int)
    given = {"annotators": PEOPLE, "votes": votes}
    found = aj.compare(VOTES, FLAGS, worse, "event_f1", **given)
    both = aj.evaluate(VOTES, {"a": FLAGS, "b": worse}, "event_f1", chance=False, **given)
    assert (found.a, found.b) == (both["a", "event_f1"], both["b", "event_f1"])
    assert found.metric == "event_f1"
    assert found.low <= found.difference <= found.high


def test_points_that_one_detector_lacks_are_judged_of_neither():
    gaps = SCORES.copy()
    gaps[200:300] = np.nan
    found = aj.compare(LABELS, SCORES, gaps, "micro(f1)", at=3.5, channels=NAMES, missing="skip")
    kept = np.r_[0:200, 300:900]
    series = np.repeat([0, 1], [200, 600])
    expected = aj.metric("micro(f1)")(
        LABELS[kept], SCORES[kept], at=3.5, channels=NAMES, series=series
    )
    assert found.a == found.b == expected


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"metric": 'detection_delay(average="median")', "at": 3}, "sum over events"),
        ({"metric": "f1", "at": 3, "sort": True}, "sort must be left out with several channels"),
        ({"metric": "f1", "at": 3, "a": {"x": SCORES, "y": SCORES}}, "channel 'x'"),
    ],
)
def test_what_cannot_be_compared_is_refused(given, said):
    scores = {"a": SCORES, "b": WORSE} | {k: v for k, v in given.items() if k == "a"}
    rest = {k: v for k, v in given.items() if k not in {"a", "metric"}}
    with pytest.raises(aj.AdjudgeError, match=said):
        aj.compare(LABELS, scores["a"], scores["b"], given["metric"], channels=NAMES, **rest)


@pytest.mark.parametrize("spec", ["best(macro(f1))", "best(micro(f1))", "macro(best(f1))"])
def test_best_thresholds_are_compared_without_what_they_flatter(spec):
    few, worse = SCORES.round(), WORSE.round()
    found = aj.compare(LABELS, few, worse, spec, channels=NAMES)
    metric = aj.metric(spec)
    for side, (scores, value) in enumerate([(few, found.a), (worse, found.b)]):
        assert value == metric(LABELS, scores, channels=NAMES)
        assert found.optimism[side] == pytest.approx(value - without_looking(metric, scores))
    assert 0 <= found.p_value <= 1
    told = found.difference - (found.optimism[0] - found.optimism[1])
    assert found.low <= told <= found.high
    flags = (SCORES > 3).astype(int)
    same = aj.compare(LABELS, flags, (WORSE > 3).astype(int), spec, channels=NAMES)
    assert all(math.isnan(one) for one in same.optimism)


def test_one_event_leaves_no_other_to_choose_by():
    labels, scores = np.zeros((60, 2), int), np.random.default_rng(0).random((60, 2))
    labels[20:30, 0] = 1
    found = aj.compare(labels, scores, scores[::-1], "best(micro(f1))", channels=["a", "b"])
    assert found.optimism == (0, 0)
    assert math.isnan(found.p_value)


def without_looking(metric, scores):
    """The value where each event, with its normal time, is flagged by thresholds of the others."""
    starts = np.flatnonzero(np.diff(LABELS.max(axis=1), prepend=0) == 1)
    stops = np.flatnonzero(np.diff(LABELS.max(axis=1), append=0) == -1) + 1
    edges = [0, *stops[:-1], len(LABELS)]  # the time before an event is its own
    flags = np.zeros(LABELS.shape, bool)
    for first, last in pairwise(edges):
        kept = np.ones(len(LABELS), bool)
        kept[first:last] = False
        plain = replace(metric, oracle=False, each=False)
        series = np.cumsum(np.diff(kept.astype(int), prepend=1) != 0)[kept]
        own = {"series": series, "channels": NAMES}
        if metric.each:
            levels = [
                aj.curve(LABELS[kept, c], scores[kept, c], "f1", series=series).best().threshold
                for c in range(3)
            ]
        else:
            tried = sorted({-np.inf, *scores[kept].ravel().tolist()}, reverse=True)
            values = [plain(LABELS[kept], scores[kept], at=t, **own) for t in tried]
            levels = [tried[int(np.nanargmax(values))]] * 3
        flags[first:last] = scores[first:last] > levels
    assert len(starts) == len(stops) == len(edges) - 1
    return plain(LABELS, flags, channels=NAMES)


def long_story(n=210_000):
    labels, flags = np.zeros((2, n, 2), int)
    labels[1000::4200, 0], flags[1000::8400, 0] = 1, 1
    return labels, flags


def test_of_long_series_the_rows_of_each_event_are_taken_away():
    labels, flags = long_story()
    asked = ["micro(f1)", "macro(f1)", "channel_recall", "macro(auc_roc)"]
    micro, macro, by_event, area = aj.evaluate(labels, flags, asked, channels=["a", "b"]).rows
    for row in (micro, macro, by_event):
        assert row.low < row.value < row.high
        assert row.evidence == "50 events"
    assert (math.isnan(area.low), area.evidence) == (True, "")
    found = aj.compare(labels, flags, labels, "micro(f1)", channels=["a", "b"])
    assert (found.ahead, found.p_value < 0.01) == ("b", True)
    other = aj.compare(labels, flags, labels, "macro(auc_roc)", channels=["a", "b"])
    assert "series is" in str(other)
    scores = flags + np.linspace(0, 0.5, len(flags))[:, None]
    best = aj.compare(labels, scores, -scores, "best(micro(f1))", channels=["a", "b"])
    assert "series is" in str(best)  # nor is known what flatters
    labels[:, 1] = flags[:, 0]
    votes = aj.evaluate(labels, flags[:, 0], "f1", annotators=["x", "y"], chance=False)
    assert all(one.low < one.value < one.high for one in votes.annotators.agreement)
