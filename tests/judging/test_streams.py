"""Streams: equal to all points at once in any chunks, in memory that does not grow."""

import gc
import math
import tracemalloc

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.points import PointCount
from adjudge.errors import InputError

AT = 0.5


def with_width(row):
    wide = row.metric.parts.settings
    return row.metric.with_settings(width=5) if "width" in wide else row.metric


def claimed():
    """Name the metrics that a stream takes."""
    found = []
    for row in aj.catalogue.values():
        try:
            aj.Stream(with_width(row), at=AT)
        except InputError:
            continue
        found.append(with_width(row))
    return found


CLAIMED = claimed()


def drawn(rng):
    """Draw a scene in blocks, so that runs and events are long enough to be cut."""
    n = int(rng.integers(1, 60))

    def blocks(share):
        cuts = np.sort(rng.integers(0, n, n // 3 + 1))
        return rng.random(cuts.size + 1)[np.searchsorted(cuts, np.arange(n), side="right")] < share

    return blocks(0.4), np.where(blocks(0.4), 0.9, 0.1), rng.random(n) < 0.97


def drawn_policy(rng):
    """Draw a policy that looks back a little."""
    settings = {name: int(rng.integers(0, 4)) for name in ("after", "keep") if rng.random() < 0.6}
    if rng.random() < 0.4:
        settings["of"] = int(rng.integers(1, 5))
        settings["k"] = int(rng.integers(1, settings["of"] + 1))
    end = rng.choice(["", "clear", "drop"])
    return aj.policy(0.5, **settings, **({end: 0.3} if end else {}))


def chunks(rng, n):
    """Cut n points at random: chunks of one point, of many, and of none."""
    cuts = np.sort(rng.integers(0, n + 1, int(rng.integers(0, n + 1))))
    return np.split(np.arange(n), cuts)


def fed(stream, rng, scene):
    labels, scores, judged = scene
    for part in chunks(rng, len(labels)):
        where = None if judged[part].all() else judged[part]
        stream.update(labels[part], scores[part], where=where)
        if rng.random() < 0.1:
            _ = stream.values  # a look changes nothing
    return stream


def check_chunkings(count, seed):
    """Cut scenes at random, every other one with a policy, and compare with the whole."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        scene = drawn(rng)
        labels, scores, judged = scene
        if not judged.any():
            continue
        at = drawn_policy(rng) if number % 2 else AT
        found = fed(aj.Stream(CLAIMED, at=at), rng, scene).values
        case = aj.Case(labels, scores, where=judged)
        for metric in CLAIMED:
            whole = metric.with_settings(at=at).reading(case).value
            np.testing.assert_equal(found[str(metric)], whole, err_msg=f"{metric} {at} {scene}")


def test_points_without_a_score_are_left_out_as_evaluate_does():
    rng = np.random.default_rng(11)
    for number in range(12):
        labels, scores, _ = drawn(rng)
        scores = np.where(rng.random(len(scores)) < 0.2, np.nan, scores)
        if np.isnan(scores).all():
            continue
        at = drawn_policy(rng) if number % 2 else AT
        stream = aj.Stream(CLAIMED, at=at, missing="skip")
        found = fed(stream, rng, (labels, scores, np.ones(len(labels), bool))).values
        case = aj.Case(labels, scores, missing="skip")
        for metric in CLAIMED:
            whole = metric.with_settings(at=at).reading(case).value
            np.testing.assert_equal(found[str(metric)], whole, err_msg=f"{metric} {at}")


def test_what_is_done_without_a_score_is_asked():
    with pytest.raises(InputError, match="missing must be one of 'refuse', 'skip', got 'drop'"):
        aj.Stream("f1", missing="drop")
    with pytest.raises(InputError, match="nan"):
        aj.Stream("f1", at=AT, missing="refuse").update(0, math.nan)
    with pytest.raises(InputError, match="missing must be left out with incidents and alerts"):
        aj.Stream("event_f1", since="2026-01-01", missing="skip")


def test_what_a_stream_takes():
    names = {metric.name for metric in CLAIMED}
    assert len(names) >= 40
    assert {"f1", "f1_pa", "f1_kpa", "f1_ba", "event_f1", "detection_delay", "mcc"} <= names
    assert not {"auc_roc", "affiliation_f1", "nab", "change_f1"} & names


def test_any_chunks_are_equal_to_the_whole():
    check_chunkings(10, seed=1)


@pytest.mark.on_demand
def test_ten_thousand_chunkings_are_equal_to_the_whole():
    check_chunkings(10_000, seed=2)


def test_a_counting_that_forgets_a_hit_is_seen(monkeypatch):
    plain = PointCount.of_stream

    def wrong(self, passed, adjust):
        return plain(self, passed, adjust)._replace(found=max(passed.credited - 1, 0))

    monkeypatch.setattr(PointCount, "of_stream", wrong)
    with pytest.raises(AssertionError):
        check_chunkings(20, seed=1)


def test_series_and_gaps_are_borders():
    rng = np.random.default_rng(3)
    labels, scores = rng.random(60) < 0.3, rng.random(60)
    series = np.repeat(["a", "b", "c"], 20)
    stream, gaps = (aj.Stream(CLAIMED, at=AT, **how) for how in ({}, {"gap": "90s"}))
    times = np.datetime64("2026-01-01", "ns") + np.arange(60) * np.timedelta64(1, "m")
    times = times + (np.arange(60) // 20) * np.timedelta64(1, "h")
    for first in range(0, 60, 7):
        part = slice(first, first + 7)
        gaps.update(labels[part], scores[part], times[part])
    for first in (0, 40, 20, 10, 50, 30):  # halves of series, in any order
        part = slice(first, first + 10)
        stream.update(labels[part], scores[part], series=series[first])
    case = aj.Case(labels, scores, series=series)
    for metric in CLAIMED:
        whole = metric.with_settings(at=AT).reading(case).value
        np.testing.assert_equal(stream[metric], whole)
        np.testing.assert_equal(gaps[metric], whole)


def test_a_value_after_each_point_is_that_of_the_prefix():
    rng = np.random.default_rng(4)
    labels, scores = rng.random(50) < 0.3, rng.random(50)
    stream = aj.Stream(["f1_ba(width=7)", "event_f1", "false_alarms(per=10)"], at=AT)
    for n in range(1, 51):
        stream.update(labels[n - 1], scores[n - 1])
        whole = aj.evaluate(labels[:n], scores[:n], stream.metrics, at=AT, chance=False)
        for metric in stream.metrics:
            np.testing.assert_equal(stream[metric], whole[metric])


def test_labels_that_come_late():
    rng = np.random.default_rng(5)
    labels = np.zeros(80, bool)
    labels[10:15] = labels[30:33] = labels[60:75] = True
    scores = rng.random(80)
    stream = aj.Stream(CLAIMED, at=AT, lateness=20)
    told = {20: (10, 15), 33: (30, 33), 55: (60, 75)}  # the last one beforehand
    for n in range(80):
        if n in told:
            stream.mark(*told[n])
        stream.update(None, scores[n])
    assert stream.counts == {"points": 60, "waiting": 20, "too_late": 0}
    for until in (60, 80):
        case = aj.Case(labels[:until], scores[:until])
        for metric in CLAIMED:
            whole = metric.with_settings(at=AT).reading(case).value
            np.testing.assert_equal(stream[metric], whole)
        stream.settle()


def test_marks_before_any_point_and_many_points_that_wait():
    stream = aj.Stream("recall", at=AT, lateness=9000)
    stream.mark(10, 20)
    for part in np.split(np.arange(12_000), 3):
        stream.update(None, np.full(4000, 0.9)) if part[0] else stream.update(
            np.zeros(4000, int), np.full(4000, 0.9)
        )
    stream.mark(2990, 3010)
    assert stream["recall"] == 1.0
    assert stream.counts == {"points": 3000, "waiting": 9000, "too_late": 1}
    stream.settle()
    stream.mark(11_990, 11_995)
    assert stream.counts["too_late"] == 2


def test_an_open_mark_is_closed_and_a_late_one_is_told():
    stream = aj.Stream("recall", at=AT, lateness="10min")
    minutes = [f"2026-01-01 00:{m:02d}" for m in range(40)]
    stream.update(None, 0.9, minutes[0])
    stream.mark(minutes[2])
    for minute in minutes[1:6]:
        stream.update(None, 0.9, minute)
    stream.mark(minutes[2], minutes[4])
    for minute in minutes[6:30]:
        stream.update(None, 0.1, minute)
    stream.mark(minutes[5], minutes[6])
    stream.mark(minutes[28], minutes[29])
    stream.mark(minutes[28], minutes[29], label=0)
    stream.settle()
    assert stream["recall"] == 1.0
    assert stream.counts == {"points": 30, "waiting": 0, "too_late": 1}


def test_thresholds_of_their_own_and_flags():
    stream = aj.Stream(["f1", aj.f1(at=0.2)], at=0.5)
    stream.update([0, 1, 1], [0.3, 0.3, 0.9])
    assert stream.values == {"f1": 2 / 3, "f1(at=0.2)": 0.8}
    flags = aj.Stream("f1")
    flags.update(1, True)
    flags.update([], [])
    flags.update(0, 0, where=False)
    assert flags["f1"] == 1.0
    assert "f1" in str(flags)
    assert "<table" in flags._repr_html_()
    assert flags.to_dict()["counts"]["points"] == 2
    with pytest.raises(InputError, match="scores must be 0/1 flags"):
        flags.update(0, 0.5)


def test_durations_need_the_step():
    times = np.datetime64("2026-01-01", "ns") + np.arange(30) * np.timedelta64(1, "m")
    labels = np.arange(30) % 10 > 6
    scores = np.arange(30) % 7 == 0
    spec = ['f1_ba(width="5min")', 'false_alarms(per="1h")']
    stream = aj.Stream(spec, every="1min", gap="2min")
    stream.update(labels, scores, times)
    whole = aj.evaluate(labels, scores, spec, time=times, chance=False)
    assert [stream[one] for one in spec] == [whole[one] for one in spec]
    with pytest.raises(InputError, match="time must come in steps of 1 min"):
        stream.update(0, 0, times[-1] + np.timedelta64(90, "s"))
    with pytest.raises(InputError, match="every must be given for f1_ba"):
        aj.Stream(spec)


def test_policies_in_any_chunks_are_equal_to_the_whole():
    rng = np.random.default_rng(7)
    metrics = ["f1", "event_f1", "detection_delay"]
    for _ in range(25):
        labels, scores, judged = scene = drawn(rng)
        scores += rng.integers(0, 3, scores.size) / 10
        if not judged.any():
            continue
        policy = drawn_policy(rng)
        found = fed(aj.Stream(metrics, at=policy), rng, scene).values
        whole = aj.evaluate(labels, scores, metrics, at=policy, where=judged, chance=False)
        for metric in metrics:
            np.testing.assert_equal(found[metric], whole[metric], err_msg=f"{policy} {scene}")


def test_policies_with_time_gaps_flags_and_points_that_nobody_judges():
    times = np.datetime64("2026-01-01", "ns") + np.arange(12) * np.timedelta64(1, "m")
    times[6:] += np.timedelta64(1, "h")
    scores = np.array([0.9, 0.9, 0.9, 0.1, 0.9, 0.9, 0.9, 0.9, 0.1, 0.9, 0.9, 0.1])
    labels = np.arange(12) % 4 == 2
    policy = aj.policy(0.5, after="1min", keep="1min")
    stream = aj.Stream(["f1", "event_f1"], at=policy, every="1min", gap="2min")
    stream.update(labels[:5], scores[:5], times[:5])
    stream.update(labels[5:], scores[5:], times[5:])
    whole = aj.evaluate(labels, scores, ["f1", "event_f1"], at=policy, chance=False, time=times,
                        series=np.arange(12) // 6)  # fmt: skip
    assert stream.values == {name: whole[name] for name in ("f1", "event_f1")}
    flags = aj.Stream("f1", at=aj.policy(after=1, missing="on"))
    flags.update([0, 1], [1, 1])
    flags.update([1, 1], [np.nan, np.nan], where=[False, False])
    flags.update([1], [1])
    assert flags["f1"] == 1.0


REFUSED = {
    "f1(at=policy(quantile(0.9), after=2))": "at must be a policy with a number",
    "f1(at=policy(0.9, cooldown=2))": "cooldowns, groups and rules look",
    'f1(at=policy(0.9, after="1min"))': "every must be given for policy",
    "auc_roc": "judges all thresholds",
    "best(f1)": "known only at the end",
    "change_f1": "judges positions",
    "f1_ba": "give the width",
    "event_f1_ba(width='iid')": "give the width",
    "affiliation_f1": "far from it",
    "event_coverage": "far from it",
    "f1_ba(width=5, islands='spill')": "far from it",
    "f1(at=quantile(0.9))": "at must be a",
    "detection_delay(average='median')": "far from it",
    "all": "named one by one",
}


@pytest.mark.parametrize("spec", REFUSED)
def test_what_is_refused_says_why(spec):
    with pytest.raises(InputError, match=REFUSED[spec]):
        aj.Stream(spec)


def wrong_time(stream):
    stream.update(0, 0.1, "2026-01-02")
    stream.update(0, 0.1, "2026-01-01")


def mixed_time(stream):
    stream.update(0, 0.1)
    stream.update(0, 0.1, "2026-01-01")


WRONG = {
    "time must increase in a series, got 2026-01-01 after 2026-01-02": wrong_time,
    "time must be given never": mixed_time,
    "time must be one per point": lambda s: s.update([0, 1], [0.1, 0.2], ["2026-01-01"]),
    "where must be one bool per point": lambda s: s.update([0, 1], [0.1, 0.2], where=[True]),
    "label must be 0 or 1, got None": lambda s: s.update(None, 0.1),
    "lateness must be given for labels": lambda s: s.mark(1, 2),
    "outages must be left out with points": lambda s: s.update(0, 0.1, outages=[]),
    "since must be given with incidents": lambda s: s.update(None, aj.Alerts([1])),
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_points_are_refused(words):
    with pytest.raises(InputError, match=words):
        WRONG[words](aj.Stream("f1", at=AT))


def test_wrong_settings_of_points_are_refused():
    for how, words in (
        ({"services": ["a"]}, "services must be left out with points"),
        ({"lateness": "1min"}, "lateness must be"),
        ({"gap": "1min"}, "gap must be left out where points have no time"),
    ):
        with pytest.raises(InputError, match=words):
            aj.Stream("f1", at=AT, **how).update(0, 0.1)
    with pytest.raises(InputError, match="lateness must be a duration"):
        aj.Stream("f1", at=AT, lateness=3).update(0, 0.1, "2026-01-01")
    with pytest.raises(InputError, match="end must be after start"):
        aj.Stream("f1", at=AT, lateness=3).mark(5, 5)
    with pytest.raises(aj.UnknownName, match="recall"):
        aj.Stream("f1", at=AT)["recall"]


def test_memory_does_not_grow():
    rng = np.random.default_rng(0)
    stream = aj.Stream(["f1_ba(width=101)", "event_f1", "f1_kpa"], at=0.99, lateness=50)
    tracemalloc.start()
    sizes = {}
    for number in range(30):
        scores = rng.random(5000)
        stream.update(scores > 0.98, scores)
        _ = stream.values
        if number in {10, 29}:
            gc.collect()  # Python keeps small tuples for later use until then
            sizes[number] = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert sizes[29] <= 1.1 * sizes[10]


THINGS = [
    "event_recall", "event_precision", "event_f1", "false_alarms(per=100)",
    "false_alarm_rate(per=100)", "detection_delay", "reset_time", "alarms_per_event",
]  # fmt: skip


def told(rng, *, last=400, services=("a", "b")):
    """Incidents, alerts and outages of some services; each is told up to 30 points late."""
    rows = {}
    for name, count in (("incidents", 8), ("alerts", 14)):
        start = rng.integers(0, last, count)
        end = start + rng.integers(1 if name == "incidents" else 0, 25, count)
        when = start + rng.integers(0, 31, count)
        rows[name] = list(zip(start, end, rng.choice(services, count), when, strict=True))
    cuts = np.sort(rng.choice(last, 4, replace=False))
    return rows, [(int(cuts[0]), int(cuts[1])), (int(cuts[2]), int(cuts[3]))]


def table(kind, rows, ids):
    columns = [[one[k] for one in rows] for k in range(3)]
    start, end = ([int(x) for x in column] for column in columns[:2])
    return kind(start, end, service=columns[2], id=ids) if rows else None


@pytest.mark.parametrize("early", [0, 6])
def test_incidents_and_alerts_in_any_chunks_are_equal_to_the_whole(early):
    rng = np.random.default_rng(6 + early)
    for _ in range(12):
        rows, outages = told(rng)
        stream = aj.Stream(
            THINGS, since=0, services=["a", "b"], early=early or None, lateness=30,
            watched=[(0, 330), (340, 500)],
        )  # fmt: skip
        kinds = {"incidents": aj.Incidents, "alerts": aj.Alerts}
        done = 0
        for now in [*np.sort(rng.choice(500, int(rng.integers(1, 40)), replace=False)), 500]:
            new = {
                name: table(
                    kinds[name],
                    [r for r in rows[name] if done <= r[3] < now],
                    [str(k) for k, r in enumerate(rows[name]) if done <= r[3] < now],
                )
                for name in kinds
            }
            fresh = [pair for pair in outages if done <= pair[0] < now]
            stream.update(new["incidents"], new["alerts"], int(now), outages=fresh or None)
            done = now
        whole = aj.evaluate(
            table(aj.Incidents, rows["incidents"], [str(k) for k in range(8)]),
            table(aj.Alerts, rows["alerts"], [str(k) for k in range(14)]),
            THINGS, span=(0, 470), watched=[(0, 330), (340, 500)], outages=outages,
            early=early or None, chance=False,
        )  # fmt: skip
        for spec in THINGS:
            np.testing.assert_allclose(stream[spec], whole[spec], rtol=1e-12, err_msg=spec)
        counts, on_call = stream.counts, whole.on_call
        for name in ("judged", "found", "missed", "unwatched", "alerts_right", "alerts_false",
                     "alerts_unwatched"):  # fmt: skip
            assert counts[name] == on_call[name], name


def test_an_open_alert_is_told_again_when_it_ends():
    stream = aj.Stream(
        ["event_recall", "detection_delay", "false_alarms(per='1d')"], since="2026-01-01",
        lateness="1h", early="10min",
    )  # fmt: skip
    incident = aj.Incidents(["2026-01-01 02:00"], ["2026-01-01 03:00"], id=["i"])
    stream.update(None, aj.Alerts(["2026-01-01 02:10"], [None], id=["x"]), "2026-01-01 02:30")
    stream.update(incident, None, "2026-01-01 03:30")
    closed = aj.Alerts(["2026-01-01 02:10"], ["2026-01-01 03:10"], id=["x"])
    stream.update(None, closed, "2026-01-01 12:00")
    assert stream.counts["waiting"] == 0
    assert math.isclose(stream["detection_delay"], 600)
    assert stream["event_recall"] == 1
    stream.update(None, aj.Alerts(["2026-01-01 02:20"]), "2026-01-01 13:00")
    assert stream.counts["too_late"] == 1
    stream.update(None, aj.Alerts(["2026-01-01 12:50"]), "2026-01-01 13:00")
    assert stream.counts["alerts_false"] == 0
    stream.settle()
    assert stream.counts["alerts_false"] == 1
    assert "undefined" not in str(stream)


def test_scored_alerts_and_a_stream_without_any():
    stream = aj.Stream(since=0, at=0.5, metrics=["event_precision"])
    assert math.isnan(stream["event_precision"])
    stream.update(aj.Incidents([5], [9]), aj.Alerts([6, 20], score=[0.9, 0.2]), 100)
    assert stream["event_precision"] == 1.0
    assert aj.Stream(since=0).values.keys() == {
        "event_recall", "event_precision", "detection_delay", 'false_alarms(per="1w")',
    }  # fmt: skip


WRONG_THINGS = {
    "time must be given with incidents": lambda s: s.update(None, aj.Alerts([1])),
    "incidents must be Incidents or None": lambda s: s.update([0], None, 5),
    "series and where must be left out": lambda s: s.update(None, None, 5, series="a"),
    "mark is for points": lambda s: s.mark(1, 2),
    "services must be given": lambda s: s.update(None, aj.Alerts([1], service=["a"]), 5),
    "time must not go back": lambda s: (s.update(None, None, 5), s.update(None, None, 4)),
    "alerts must be points as the incidents are": lambda s: s.update(
        aj.Incidents([1], [2]), aj.Alerts(["2026-01-01"]), 5
    ),
}


@pytest.mark.parametrize("words", WRONG_THINGS)
def test_wrong_things_are_refused(words):
    with pytest.raises(InputError, match=words):
        WRONG_THINGS[words](aj.Stream("event_f1", since=0))


def test_wrong_settings_of_things_are_refused():
    for how, words in (
        ({"metrics": "f1_ba(width=5)"}, "it is not a sum"),
        ({"metrics": "detection_delay(average='median')"}, "a median needs all of them"),
        ({"every": "1min"}, "every must be left out with incidents"),
    ):
        with pytest.raises(InputError, match=words):
            aj.Stream(since=0, **how)
    named = aj.Stream("event_f1", since=0, services=["a"])
    with pytest.raises(InputError, match="got 'b' too"):
        named.update(None, aj.Alerts([1], service=["b"]), 5)
    with pytest.raises(InputError, match="at must be left out"):
        aj.Stream("event_f1", since=0, at=0.5).update(None, aj.Alerts([1]), 5)
