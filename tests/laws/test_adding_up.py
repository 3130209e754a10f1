"""What is known of parts adds up to the whole: of windows, services, series, kinds and blocks.

Every sum that a value is made of belongs to one part: an event with all that was flagged for it,
and a false alarm, each to the part in which it starts.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.count.test_on_call import month

import adjudge as aj
from adjudge.count.ledger import QUIET, block_of
from adjudge.data.incidents import TimedRows
from adjudge.judging.over_time.calendar import Blocks
from adjudge.noise.intervals.rates import measured

COUNTS = ("judged", "found", "missed", "alerts_right", "alerts_false")
EVERY = (*COUNTS, "unwatched", "alerts", "alerts_unwatched")
SEEDS = st.integers(0, 2**32 - 1)
LEVEL = 0.9
SPAN, DAY = (0, 100), np.timedelta64(1, "D")


# --- points --------------------------------------------------------------------------------------


def points(seed):
    """Labels, scores and times of ten days; events may lie on any border."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(240, int)
    for start in rng.choice(230, 6, replace=False):
        labels[start : start + rng.integers(1, 9)] = 1
    time = np.datetime64("2026-01-05T00:00", "m") + np.arange(240) * np.timedelta64(60, "m")
    return labels, rng.random(240) + 0.3 * labels, time


def masses(metric, case):
    """The sums of a metric on a case, with what is flagged at the threshold of all."""
    flags, *_ = metric.with_default_threshold(None if case.is_flags else LEVEL).flags(case)
    _, adjust, count = metric.parts
    return np.array(count.tally(flags, case.events, adjust)[:4], float)


WITH_ROWS = [
    name for name, row in aj.catalogue.items() if row.metric.has_receipt and not row.positions
]
DECIDED = [name for name in WITH_ROWS if aj.catalogue[name].metric.resamples]


def added_up(found):
    """Whether windows apart are what the sums of each metric add up to, and values are of them."""
    wrong = []
    for row in found.whole.rows:
        sums = found.sums[row.detector, row.requested]
        case = (*found.whole.alert_cases, *found.whole.cases)[0]
        level = (
            row.resolved_metric.with_settings(at=row.at)
            if row.at is not None
            else row.resolved_metric
        )
        whole = level.ledger(case).sum()
        values = [one.value for one in found.rows if one.metric == row.requested]
        good = np.allclose(sums.sum(axis=0), whole, equal_nan=True)
        good &= np.allclose(
            measured(row.resolved_metric.parts.measure, sums), values, equal_nan=True
        )
        wrong += [row.requested] * (not good)
    return wrong


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("how", [{"window": "2d"}, {"window": "25h"}, {"window": "2d", "where": 1}])
def test_windows_of_points(seed, how):
    labels, scores, time = points(seed)
    if "where" in how:
        how = how | {"where": np.arange(labels.size) % 100 > 30}
    found = aj.over_time(labels, scores, DECIDED, at=LEVEL, time=time, chance=False, **how)
    assert len(found.sums) == len(DECIDED)
    assert added_up(found) == []


def test_windows_that_drop_what_a_border_cuts_are_seen(monkeypatch):
    def cutting(blocks, ledger, time):
        cuts = time.cuts(blocks.edges)
        ends = [block_of(ledger.line, places, cuts) for places in (ledger.start, ledger.stop - 1)]
        return ledger.chosen((ends[0] == ends[1]) | (ledger.event == QUIET)).blocks(cuts)[1:-1]

    monkeypatch.setattr(Blocks, "sums", cutting)
    labels, scores, time = points(0)
    found = aj.over_time(labels, scores, "f1", at=LEVEL, window="5h", time=time, chance=False)
    assert added_up(found) == ["f1"]


@given(SEEDS)
def test_windows_of_several_series_and_detectors(seed):
    labels, scores, _ = points(seed)
    both = {"a": scores, "b": 1 - scores}
    found = aj.over_time(labels, both, ["f1_ba", "event_f1"], at=0.4, window=23, chance=False,
                         series=np.repeat(["x", "y", "z"], [50, 90, 100]))  # fmt: skip
    for row in found.whole.rows:
        case = next(case for case in found.whole.cases if case.name == row.detector)
        whole = row.resolved_metric.with_settings(at=row.at).ledger(case).sum()
        np.testing.assert_allclose(found.sums[row.detector, row.requested].sum(axis=0), whole)


@given(SEEDS)
def test_windows_that_slide_are_sums_of_steps(seed):
    labels, scores, time = points(seed)
    how = {"at": LEVEL, "time": time, "chance": False}
    slide = aj.over_time(labels, scores, "event_f1", window="3d", step="1d", **how)
    steps = aj.over_time(labels, scores, "event_f1", window="1d", **how)
    one, each = slide.sums["detector", "event_f1"], steps.sums["detector", "event_f1"]
    np.testing.assert_allclose(one, [each[k : k + 3].sum(axis=0) for k in range(len(each) - 2)])
    assert [row.events for row in slide.rows] == [
        sum(row.events for row in steps.rows[k : k + 3]) for k in range(len(slide.rows))
    ]


@given(SEEDS)
def test_windows_hold_each_event_once(seed):
    labels, scores, time = points(seed)
    found = aj.over_time(labels, scores, "f1", at=LEVEL, window="2d", time=time, chance=False)
    assert sum(row.events for row in found.rows) == len(found.whole.cases[0].events)


@pytest.mark.parametrize("name", DECIDED)
def test_blocks_of_points(name):
    for seed in range(3):
        labels, scores, time = points(seed)
        with np.errstate(invalid="ignore"):
            table = aj.decide(labels, scores, [LEVEL, 1.1], name, blocks="2d", time=time).table
        for level, sums in zip([LEVEL, 1.1], table.sums, strict=True):
            whole = aj.explain(labels, scores, name, at=level, time=time).tally
            np.testing.assert_allclose(sums.sum(axis=0), whole[:4], atol=1e-9)


@given(SEEDS)
def test_kinds_and_lengths_of_points(seed):
    labels, scores, time = points(seed)
    kind = np.full(labels.size, "")
    events = aj.Events.from_labels(labels)
    for start, stop in zip(events.starts, events.stops, strict=True):
        kind[start:stop] = "abc"[start % 3]
    judged = aj.evaluate(labels, scores, "event_f1", at=LEVEL, time=time, kind=kind, chance=False)
    events = judged.events
    for column in ("kind", "length"):
        rows = judged.by(column).rows
        assert sum(row["judged"] for row in rows) == len(events)
        assert sum(row["found"] for row in rows) == sum(one["found"] for one in events)


@given(SEEDS)
def test_series_of_points(seed):
    labels, scores, _ = points(seed)
    series = np.repeat(["a", "b", "c"], 80)
    for name in ("f1", "f1_pa", "f1_ba(width=5)", "event_f1", "false_alarm_rate"):
        metric = aj.metric(name)
        parts = [masses(metric, aj.Case(labels[mine], scores[mine]))
                 for mine in (series == one for one in "abc")]  # fmt: skip
        whole = masses(metric, aj.Case(labels, scores, series=series))
        np.testing.assert_allclose(np.sum(parts, axis=0), whole)


# --- incidents and alerts ------------------------------------------------------------------------


def columns(rows, *, instants=False):
    starts, ends, services = zip(*rows, strict=True) if rows else ((), (), ())
    if instants:
        begin = np.datetime64("2026-01-05", "D")
        starts = [str(begin + one * DAY) for one in starts]
        ends = [None if one is None else str(begin + one * DAY) for one in ends]
    return {"start": list(starts), "end": list(ends), "service": list(services)}


def on_call(incidents, alerts, outages, **more):
    """The arguments that say what was watched, and tables."""
    dark = TimedRows(**columns(outages, **more)) if outages else None
    tables = aj.Incidents(**columns(incidents, **more)), aj.Alerts(**columns(alerts, **more))
    return tables, {"outages": dark}


def counts(judged):
    return np.array([judged.on_call[name] for name in COUNTS])


@given(SEEDS)
def test_windows_of_alerts(seed):
    tables, dark = on_call(*month(seed))
    if not len(tables[0]) or not len(tables[1]):
        return
    how = {"span": SPAN, "chance": False, **dark}
    metrics = ["event_recall", "event_precision", "f1_ba(width=3)", "false_alarms(per=9)"]
    found = aj.over_time(*tables, metrics, window=25, **how)
    parts = np.sum([[one[name] for name in EVERY] for one in found.on_call], axis=0)
    np.testing.assert_array_equal(parts, [found.whole.on_call[name] for name in EVERY])
    assert sum(row.events for row in found.rows) == 4 * found.whole.on_call["judged"]
    assert added_up(found) == []
    team = np.diff(found.whole.alert_cases[0].watched.team.before(np.arange(0, 101, 25)))
    false = [9 * one["alerts_false"] / long for one, long in zip(found.on_call, team, strict=True)]
    values = [row.value for row in found.rows if row.metric.startswith("false")]
    np.testing.assert_allclose(values, false)


def test_an_incident_that_is_open_when_the_span_begins_hides_no_window():
    incidents = aj.Incidents([-5, 50], [30, 60], service=["a", "b"])
    alerts = aj.Alerts([2, 12, 20, 55], [3, 13, 21, 56], service=["b"] * 4)
    found = aj.over_time(incidents, alerts, "event_precision", window=25, span=SPAN, chance=False)
    assert found.whole.on_call["alerts_false"] == 3
    assert [one["alerts_false"] for one in found.on_call] == [3, 0, 0, 0]
    assert (found.rows[0].start, found.rows[0].complete) == ("0", True)


@given(SEEDS)
def test_services_one_by_one(seed):
    incidents, alerts, outages = month(seed)
    tables, dark = on_call(incidents, alerts, outages)
    whole = aj.evaluate(*tables, "event_f1", span=SPAN, chance=False, **dark)
    parts = np.zeros(len(COUNTS))
    for service in ("a", "b"):
        mine = [[row for row in rows if row[2] in {service, "*"}]
                for rows in (incidents, alerts, outages)]  # fmt: skip
        own, dark = on_call(*mine)
        parts += counts(aj.evaluate(*own, "event_f1", span=SPAN, chance=False, **dark))
    np.testing.assert_array_equal(parts, counts(whole))


@given(SEEDS)
def test_breakdowns_of_incidents(seed):
    incidents, alerts, outages = month(seed)
    tables, dark = on_call(incidents, alerts, outages)
    rng = np.random.default_rng(seed)
    if not incidents:
        return
    truth = aj.Incidents(
        **columns(incidents), kind=rng.choice(["x", "y"], len(incidents)).tolist(),
        severity=rng.choice(["1", "2"], len(incidents)).tolist(),
    )  # fmt: skip
    judged = aj.evaluate(truth, tables[1], "event_f1", span=SPAN, chance=False, **dark)
    for column in ("service", "kind", "severity", "length"):
        rows = [row for row in judged.by(column).rows if row["part"] != "over all"]
        known = COUNTS if column == "service" else COUNTS[:3]
        for name in known:
            assert sum(row[name] for row in rows) == judged.on_call[name], (column, name)


@given(SEEDS)
@pytest.mark.parametrize("name", ["event_recall", "event_precision", "event_f1", "costs"])
def test_blocks_of_alerts(name, seed):
    tables, dark = on_call(*month(seed), instants=True)
    if not len(tables[0]):
        return
    span = ("2026-01-05", str(np.datetime64("2026-01-05") + 100 * DAY))
    asked = {"costs": aj.costs(miss=500, false=20)} if name == "costs" else {"metric": name}
    how = {"span": span, **{k: v for k, v in dark.items() if v is not None}}
    table = aj.decide(*tables, blocks="10d", **asked, **how).table
    whole = aj.evaluate(*tables, "event_f1", chance=False, **how).on_call
    assert table.incidents.sum() == whole["judged"]
    assert table.found.sum() == whole["found"]
    assert table.false.sum() == whole["alerts_false"]
    if name != "costs":
        found, truth, right, flagged = table.sums[0].sum(axis=0)
        assert (found, truth) == (whole["found"], whole["judged"])
        assert right == pytest.approx(whole["alerts_right"])
        assert flagged - right == pytest.approx(whole["alerts_false"])
