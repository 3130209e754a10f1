"""Gaps in the time of points: nobody watched there, and nothing reaches across."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.data.event_checks import gaps_in
from adjudge.judging.words.places import gap_words

LABELS = np.zeros(60, int)
LABELS[[8, 9, 27, 28, 29, 30, 31, 50, 51]] = 1  # the second event goes on behind the gap
FLAGS = np.zeros(60, int)
FLAGS[[3, 15, 29, 30, 33, 44, 45, 50]] = 1
SCORES = np.random.default_rng(3).permutation(60) / 60 + 0.3 * FLAGS
MINUTES = np.arange(60) + 9 * 1440 * (np.arange(60) >= 30)
TIMES = np.datetime64("2026-03-01T00:00", "m") + MINUTES
PARTS = np.repeat(["before", "behind"], 30)

OF_WHOLE_SERIES = {
    "affiliation_f1", "affiliation_precision", "affiliation_recall", "nab", "ucr",
    "early_detection", "early_utility", "temporal_distance", "chamfer_distance",
    "hausdorff_distance",
}  # fmt: skip
"""What looks at all of a series: its length, its first part, or the nearest event."""


def listed():
    for name, row in aj.catalogue.items():
        if row.listed and not row.positions and name not in OF_WHOLE_SERIES:
            yield name, row


@pytest.mark.parametrize("name", [name for name, _ in listed()])
def test_behind_a_gap_begins_another_part(name):
    metric = aj.catalogue[name].metric
    given = FLAGS if metric.at_one_threshold else SCORES
    value = metric(LABELS, given, time=TIMES)
    np.testing.assert_equal(value, metric(LABELS, given, series=PARTS, time=TIMES))
    if metric.at_one_threshold and metric.sweeps and not np.isnan(value):
        best = aj.best(metric)
        np.testing.assert_equal(
            best(LABELS, SCORES, time=TIMES), best(LABELS, SCORES, series=PARTS, time=TIMES)
        )


def test_without_the_gap_another_value_comes_out():
    plain = {name: row.metric(LABELS, FLAGS) for name, row in listed() if row.metric.has_receipt}
    timed = {name: aj.catalogue[name].metric(LABELS, FLAGS, time=TIMES) for name in plain}
    other = {name for name in plain if timed[name] != plain[name]}
    assert {"f1_ba", "event_recall", "event_f1", "range_f1"} <= other
    assert "f1" not in other  # single points know nothing of their neighbours


def test_what_looks_at_a_whole_series_goes_on_behind_a_gap():
    for name in ("affiliation_f1", "nab", "temporal_distance", "early_utility"):
        metric, labels = aj.catalogue[name].metric, LABELS.copy()
        labels[30:] = 0  # by themselves the points behind the gap have no event
        assert metric(labels, FLAGS, time=TIMES) != metric(labels, FLAGS, series=PARTS), name


@pytest.mark.parametrize(
    ("instants", "found"),
    [
        ([0, 2, 4, 6, 10, 12], []),  # two steps
        ([0, 2, 4, 6, 11, 13], [4]),
        ([0, 9, 21, 30, 41, 90, 100], [5]),  # steps that vary a little
        ([0, 1, 5, 6, 30, 70], []),  # there is no step
        ([0, 100], []),
        ([5], []),
    ],
)
def test_a_gap_is_longer_than_two_steps(instants, found):
    assert gaps_in(np.array(instants), np.array([0, len(instants)])).tolist() == found


def test_each_series_has_its_own_step():
    instants = np.array([0, 1, 2, 3, 9, 0, 10, 20, 30, 35, 99])
    assert gaps_in(instants, np.array([0, 5, 11])).tolist() == [4, 10]


def test_a_gap_counts_in_no_rate():
    day = 1440 / 60  # an hour of points was watched
    flags = np.where(LABELS, 0, FLAGS)
    metrics = ['false_alarms(per="1d")', 'false_alarm_rate(per="1d")']
    judged = aj.evaluate(LABELS, flags, metrics, time=TIMES, chance=False)
    assert judged.rows[0].value == 4 * day
    assert judged.rows[1].value == pytest.approx(4 * day * 60 / np.count_nonzero(LABELS == 0))


def test_an_event_across_a_gap_is_two_and_that_is_said():
    judged = aj.evaluate(LABELS, FLAGS, "event_recall", time=TIMES, chance=False)
    assert [(one["start"], one["stop"], one["delay"]) for one in judged.events] == [
        (8, 10, None), (27, 30, 2), (30, 32, 0), (50, 52, 0),
    ]  # fmt: skip
    said = "1 gap in time (9 d) is not watched; 1 event spans it and counts as two"
    assert judged.rows[0].gaps == said
    assert said in " ".join(str(judged).split())
    assert said in " ".join(str(aj.explain(LABELS, FLAGS, time=TIMES)).split())
    assert said in aj.compare(LABELS, FLAGS, 1 - FLAGS, "f1", time=TIMES).notes
    plain = aj.evaluate(LABELS, FLAGS, "event_recall", chance=False)
    assert plain.rows[0].gaps == ""


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (LABELS * 0, "2 gaps in time (2 d) are not watched"),
        (LABELS * 0 + 1,
         "2 gaps in time (2 d) are not watched; 2 events span one and count as two"),
    ],
)  # fmt: skip
def test_several_gaps_are_said_together(labels, words):
    late = np.arange(60) + 1440 * (np.arange(60) >= 10) + 1440 * (np.arange(60) >= 40)
    times = np.datetime64("2026-03-01T00:00", "m") + late
    assert gap_words(aj.Case(labels, FLAGS, time=times).events) == words


def test_chance_turns_each_part_by_itself():
    metrics = ["f1_ba", "event_recall", "best(f1_ba)", "auc_roc"]
    how = {"at": 0.9, "shifts": 50}
    timed = aj.evaluate(LABELS, SCORES, metrics, time=TIMES, **how)
    parts = aj.evaluate(LABELS, SCORES, metrics, series=PARTS, unit="event", **how)
    for one, other in zip(timed.rows, parts.rows, strict=True):
        assert (one.value, one.chance, one.p_value) == (other.value, other.chance, other.p_value)
    assert timed.rows[0].evidence_unit == "event"  # there is one series


def test_one_series_stays_one():
    events = aj.Case(LABELS, FLAGS, time=TIMES, series=["a"] * 60).events
    assert (events.series_count, events.names.tolist()) == (1, ["a"])
    assert repr(events) == "Events([8, 10) [27, 30) [30, 32) [50, 52) of 60 points)"
    rows = aj.evaluate(
        LABELS, FLAGS, "f1_ba", time=TIMES, series=["a"] * 60, per_series=True, chance=False
    )
    assert {row.value for row in rows.details} == {rows["f1_ba"]}


def test_gaps_stay_when_points_are_left_out_or_named():
    events = aj.Events.from_intervals(
        [("2026-03-01T00:27", "2026-03-10T00:31")], index=TIMES, closed="both"
    )
    assert (events.starts.tolist(), events.stops.tolist()) == ([27, 30], [30, 32])
    kept = events.within(where=np.arange(60) != 31)
    assert (kept.stops.tolist(), kept.gaps.tolist()) == ([30, 31], [30])
    two = aj.Events.from_labels(LABELS * 0, series=PARTS).timed(events.clock)
    assert two.gaps is None  # the gap lies between two series
    heavy = aj.Events([27], [32], 60, severity=[0.5]).timed(events.clock)
    assert heavy.severity.tolist() == [0.5, 0.5]


def test_an_index_says_it_too():
    pandas = pytest.importorskip("pandas")
    scores = pandas.Series(FLAGS, index=pandas.DatetimeIndex(TIMES))
    value = aj.evaluate(LABELS, scores, "f1_ba", chance=False)["f1_ba"]
    assert aj.f1_ba(LABELS, scores) == value != aj.f1_ba(LABELS, FLAGS)


def test_changes_know_no_gaps():
    changes = aj.Changes([27, 50], n=60)
    alarms = aj.Changes([29, 50], n=60)
    value = aj.change_f1(changes, alarms, margin=5, time=TIMES)
    assert value == aj.change_f1(changes, alarms, margin=5)
