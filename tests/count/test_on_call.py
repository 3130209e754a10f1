"""Counting incidents and alerts on instants: a naive twin, a story counted by hand, and laws."""

import io

import numpy as np
import pandas as pd
import pytest
from tests import on_call_story as story
from tests.count.naive_on_call import count, lengths

import adjudge as aj
from adjudge.count.lengths import AlertPieces, WatchedLine, watched_lines, width_in_time
from adjudge.count.on_call import count_on_call
from adjudge.data.incidents import TimedRows
from adjudge.data.watched import WatchedTime

SERVICES = ["a", "b"]


def month(seed):
    """Draw incidents, alerts and outages of two services in a span of 100 instants."""
    rng = np.random.default_rng(seed)

    def things(most, longest, least, still):
        for _ in range(rng.integers(0, most)):
            start = int(rng.integers(-5, 104))
            end = None if rng.random() < still else start + int(rng.integers(least, longest))
            yield start, end, str(rng.choice(SERVICES))

    outages = [(s, e, w) for s, e, w in things(4, 20, 1, 0)]
    outages = [(s, e, "*" if rng.random() < 0.3 else w) for s, e, w in outages]
    return list(things(8, 15, 1, 0.1)), list(things(12, 12, 0, 0.1)), outages


def tables(incidents, alerts, outages, span=(0, 100)):
    def columns(rows):
        starts, ends, services = zip(*rows, strict=True) if rows else ((), (), ())
        return {"start": list(starts), "end": list(ends), "service": list(services)}

    dark = TimedRows(**columns(outages))
    watched = WatchedTime.over(span, SERVICES, None, dark)
    return aj.Incidents(**columns(incidents)), aj.Alerts(**columns(alerts)), watched


def outcomes(found):
    rows, alerts = found.incidents, found.alerts
    said = np.where(rows.found, "found", np.where(rows.judged, "missed", "unwatched"))
    delay = [None if np.isnan(late) else int(late) for late in rows.delay]
    fate = np.where(alerts.right, "right", np.where(alerts.counted, "false", "not counted"))
    return list(zip(said.tolist(), delay, strict=True)), fate.tolist()


@pytest.mark.parametrize("early", [0, 7])
def test_a_thousand_random_months_are_as_the_slow_count_says(early):
    for seed in range(500):
        incidents, alerts, outages = month(seed)
        found = count_on_call(*tables(incidents, alerts, outages), early)
        assert outcomes(found) == count(incidents, alerts, (0, 100), outages, early), seed


def test_lengths_are_as_the_slow_count_says():
    for seed in range(300):
        incidents, alerts, outages = month(seed)
        for line in watched_lines(*tables(incidents, alerts, outages)):
            for width in (1, 8):
                truth = list(zip(line.starts.tolist(), line.ends.tolist(), strict=True))
                placed = line.alerts
                pairs = list(zip(placed.starts.tolist(), placed.stops.tolist(), strict=True))
                found, whole, false = lengths(truth, pairs, line.joints.tolist(), width)
                tally = line.lengths(placed, width)
                assert [mass.item() for mass in tally[:4]] == [found, whole, found, found + false]


def test_the_order_of_rows_changes_nothing():
    incidents, alerts, outages = month(11)
    one = count_on_call(*tables(incidents, alerts, outages))
    two = count_on_call(*tables(incidents[::-1], alerts[::-1], outages[::-1]))
    assert one.tally == two.tally
    assert sorted(map(str, outcomes(one)[0])) == sorted(map(str, outcomes(two)[0]))


def test_unwatched_time_around_the_month_changes_nothing():
    incidents, alerts, outages = month(12)
    incidents = [(a, min(100, a + 5) if b is None else b, s) for a, b, s in incidents]
    alerts = [(a, a + 5 if b is None else b, s) for a, b, s in alerts]
    plain = count_on_call(*tables(incidents, alerts, outages))
    dark = [*outages, (-50, 0, "*"), (100, 300, "*")]
    wide = count_on_call(*tables(incidents, alerts, dark, span=(-50, 300)))
    assert outcomes(plain) == outcomes(wide)
    assert (plain.quiet, plain.watched.length) == (wide.quiet, wide.watched.length)


def test_services_add_up():
    incidents, alerts, outages = month(13)
    whole = count_on_call(*tables(incidents, alerts, outages)).tally
    parts = []
    for service in SERVICES:
        own = [[row for row in rows if row[2] == service] for rows in (incidents, alerts)]
        parts.append(count_on_call(*tables(*own, outages)).tally)
    assert [sum(masses) for masses in zip(*(part[:4] for part in parts), strict=True)] == list(
        whole[:4]
    )


def read(text):
    return pd.read_csv(io.StringIO(text))


@pytest.fixture(scope="module")
def told():
    """The story, as it is counted."""
    incidents, alerts = aj.Incidents(read(story.INCIDENTS)), aj.Alerts(read(story.ALERTS))
    outages = read(story.OUTAGES)
    return aj.evaluate(incidents, alerts, span=story.SPAN, outages=outages, chance=False)


def test_the_story_is_counted_as_by_hand(told):
    assert dict(told.on_call) == pytest.approx(story.COUNTS)
    found = {e["id"]: (e["outcome"], e["first_alert"], e["delay"]) for e in told.events}
    assert found == story.FOUND
    case = told.alert_cases[0]
    fate = case.count.alerts
    said = np.where(fate.right, "right", np.where(fate.counted, "false", "not counted"))
    assert dict(zip(case.alerts.id, said, strict=True)) == story.RIGHT


def test_reset_times_and_alerts_per_incident(told):
    rows = told.alert_cases[0].count.incidents
    many = dict(zip(rows.id, rows.alerts.tolist(), strict=True))
    assert many == {"I1": 1, "I2": 2, "I3": 0, "I4": 1, "I5": 1, "I6": 0, "I7": 1, "I8": 1}
    reset = dict(zip(rows.id, (rows.reset / 60e9).tolist(), strict=True))
    assert (reset["I1"], reset["I2"], reset["I5"]) == (-10, -40, -10)
    assert np.isnan(reset["I8"])  # still open


def test_pieces_of_one_id_are_one_incident():
    watched = WatchedTime.over((0, 100), [""])
    pieces = aj.Incidents([10, 40], [20, 50], id=["x", "x"])
    found = count_on_call(pieces, aj.Alerts([45], [46]), watched)
    assert found.tally[:4] == (1, 1, 1, 1)
    assert found.incidents.delay.tolist() == [35]
    assert found.quiet == 80


def test_the_width_of_islands_in_time():
    watched = WatchedTime.over((0, 100), [""])
    lines = watched_lines(aj.Incidents([0, 50, 90], [10, 80, 95]), aj.Alerts([]), watched)
    assert width_in_time(lines) == round((100 + 900 + 25) / 45)
    assert width_in_time(lines, median=True) == 10
    assert width_in_time([]) == width_in_time([], median=True) == 0


def test_a_false_moment_costs_the_width_and_a_length_is_added():
    def cost(*alert):
        joints, none = np.array([0, 1000]), np.zeros(0, np.int64)
        placed = AlertPieces.whole(np.array([alert[0]]), np.array([alert[1]]))
        line = WatchedLine(joints, none, none, none, placed, none)
        return line.lengths(placed, 60).flagged.item()

    assert cost(500, 0) == 60
    assert cost(500, 25) == 85
    assert cost(0, 0) == 30  # half of it would lie before the line


def test_no_island_crosses_time_without_eyes():
    incidents = aj.Incidents([700], [710])
    dark = TimedRows([100], [110])
    (line,) = watched_lines(
        incidents, aj.Alerts([95]), WatchedTime.over((0, 1000), [""], None, dark)
    )
    assert line.lengths(line.alerts, 60).flagged.item() == 30 + 5
