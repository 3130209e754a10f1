"""Turns along watched time, against every turn tried one by one."""

import math

import numpy as np
import pytest
from tests.count.naive_on_call import instants, lengths

import adjudge as aj
from adjudge.count.alert_case import AlertCase
from adjudge.count.contract import Counting
from adjudge.count.lengths import WatchedLine
from adjudge.count.runs import Runs
from adjudge.data.incidents import TimedRows
from adjudge.data.watched import WatchedTime
from adjudge.noise.ask import Ask
from adjudge.noise.p_values import NullValues
from adjudge.noise.shifting import circle_pieces as in_time
from adjudge.noise.shifting.circle_pieces import AlertTurns

WIDTH = 40
BALANCED = aj.f1_ba(width=WIDTH)


DARK = TimedRows([100], [140])


def case_of(seed, services=("",), dark=DARK, early=0, last=28):
    """Draw 600 instants less an outage; all ends are multiples of 20."""
    rng = np.random.default_rng(seed)

    def things(many, longest, least):
        start = 20 * rng.integers(0, last, many)
        end = start + 20 * rng.integers(least, longest, many)
        return {"start": start.tolist(), "end": end.tolist(),
                "service": rng.choice(services, many).tolist()}  # fmt: skip

    incidents, alerts = aj.Incidents(**things(3, 4, 1)), aj.Alerts(**things(4, 3, 0))
    watched = WatchedTime.over((0, 600), services, None, dark)
    return AlertCase("x", incidents, alerts, watched, early)


def at(case, *offsets):
    return case.turned_counts(np.array(offsets).reshape(-1, 1))


def pieces(case, shift):
    """The alerts that turn, moved by a shift around the only line."""
    (one,), (line,) = case.turning, case.lines
    found = []
    for number, (start, size) in enumerate(zip(*one.placed[:2], strict=True)):
        first = (int(start) + shift) % line.length
        over = max(0, first + int(size) - line.length)
        found.append((first, first + int(size) - over, number))
        if over:
            found.append((0, over, number))
    return found


def test_what_watched_time_cuts_is_known():
    starts, ends = [0, 20, 0, 140, 140, 300, 0, 90], [60, 100, 300, 160, None, 600, 100, 90]
    watched = WatchedTime.over((0, 600), [""], None, DARK)
    case = AlertCase("x", aj.Incidents([40], [60]), aj.Alerts(starts, ends), watched)
    (one,) = case.turning
    found = zip(one.row.tolist(), *(cut.tolist() for cut in one.placed[3:5]), strict=True)
    assert sorted(found) == [
        (0, True, False), (1, False, True), (2, True, False), (3, True, False),
        (4, True, True), (5, False, True), (6, True, True), (7, False, False),
    ]  # fmt: skip


def truth_of(line):
    return list(zip(line.starts.tolist(), line.ends.tolist(), line.owner.tolist(), strict=True))


def slow_things(case, shift):
    truth, moved = truth_of(case.lines[0]), pieces(case, shift)
    found = {o for a, b, o in truth for x, y, _ in moved if instants(x, y) & set(range(a, b))}
    right = {n for a, b, _ in truth for x, y, n in moved if instants(x, y) & set(range(a, b))}
    return len(found), len(right)


def slow_lengths(case, shift):
    (line,), (one,) = case.lines, case.turning
    truth = [(a, b) for a, b, _ in truth_of(line)]
    moved = [one[:2] for one in pieces(case, shift)]
    ends = [int(start + size * k) for start, size in zip(*one.placed[:2], strict=True)
            for k in (0, 1) if size]  # fmt: skip
    seams = {(end + shift) % line.length for end in ends if end in line.joints}
    found, whole, false = lengths(truth, moved, sorted({*line.joints.tolist(), *seams}), WIDTH)
    return found, whole, found, found + false


def slow_delays(case, shift):
    (line,), late = case.lines, []
    for number in range(line.incidents):
        own = [(a, b) for a, b, o in truth_of(line) if o == number]
        begin = min(a for a, _ in own)
        first = [x for a, b in own for x, y, _ in pieces(case, shift)
                 if instants(x, y) & set(range(a, b))]  # fmt: skip
        known = case.places.known[np.argsort(case.places.row)[number]]
        late += [max(min(first) - begin, 0)] if first and known else []
    return sum(late), len(late)


BETWEEN = range(5, 560, 10)  # in the middle of the parts between the ends of arcs


def swept(case, metric):
    turns = AlertTurns(case)
    null = turns.values(metric, None, 0)
    (sweep,) = turns.swept(metric)
    return turns, null, sweep


@pytest.mark.parametrize("seed", range(12))
def test_mean_sums_are_those_of_every_turn(seed):
    case = case_of(seed)
    *_, things = swept(case, aj.event_recall)
    slow = np.mean([slow_things(case, shift) for shift in BETWEEN], axis=0)
    assert (things.mean[0], things.mean[2]) == pytest.approx(tuple(slow))
    *_, wide = swept(case, BALANCED)
    slow = np.mean([slow_lengths(case, shift) for shift in BETWEEN], axis=0)
    assert wide.mean[:4] == pytest.approx(tuple(slow))


@pytest.mark.parametrize("seed", range(12))
def test_delays_on_every_turn_are_those_of_a_loop(seed):
    case = case_of(seed)
    sums = aj.detection_delay.sums(at(case, *BETWEEN))
    slow = [slow_delays(case, shift) for shift in BETWEEN]
    assert sums[:, :2] == pytest.approx(np.array(slow))
    middle = aj.detection_delay(average="median")
    values = middle.value(middle.sums(at(case, *BETWEEN)))
    for shift, value in zip(BETWEEN, values, strict=True):
        one = middle.ledger_of(at(case, shift)).sum()
        assert float(middle.value(one)) == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize("seed", range(12))
def test_the_share_of_turns_that_do_as_well(seed):
    case = case_of(seed)
    turns, null, _ = swept(case, BALANCED)
    home = float(BALANCED.value(BALANCED.sums(at(case, 0)))[0])
    found = turns.tested(BALANCED, home, Ask(), null)
    every = BALANCED.value(BALANCED.sums(at(case, *range(case.lines[0].length))))
    assert found.exact
    assert found.p == pytest.approx(np.mean(every >= home - 1e-12), abs=0.02)
    assert found.below == pytest.approx(np.mean(every <= home + 1e-12), abs=0.02)
    assert found.p >= 20 / 560  # the own place is one of 28 that can be told apart


def test_many_parts_are_drawn_and_several_services_too(monkeypatch):
    case = case_of(3)
    _, exact, _ = swept(case, aj.event_recall)
    monkeypatch.setattr(in_time, "PARTS", 1)
    drawn = AlertTurns(case)
    null = drawn.values(aj.event_recall, None, 0)
    assert (null.exact, null.size) == (False, 999)
    assert null.level == pytest.approx(exact.level, rel=0.2)
    monkeypatch.setattr(in_time, "MANY", 1)
    assert drawn.usual == 199
    monkeypatch.undo()
    both = case_of(4, ("a", "b"))
    apart = AlertTurns(both)
    level = apart.values(aj.event_recall, None, 0).level
    alone = [swept(both.alone(k), aj.event_recall)[2].mean for k in range(2)]
    assert level == pytest.approx(sum(alone)[0] / sum(alone)[1])
    assert not apart.tested(aj.event_recall, 0.5, Ask()).exact
    few = apart.values(aj.event_recall, 20, 0)
    assert few.size == 20
    assert AlertTurns(both).values(aj.event_recall, 20, 0).values.tolist() == few.values.tolist()


def test_few_are_turned_at_once_where_there_is_little_room(monkeypatch):
    case = case_of(5)
    whole = AlertTurns(case).values(BALANCED, 50, 0).values.tolist()
    monkeypatch.setattr(in_time, "AT_ONCE", 1)
    assert AlertTurns(case).values(BALANCED, 50, 0).values.tolist() == whole


def test_tenths_turn_by_themselves_and_cut_nothing():
    case = case_of(6)
    found = AlertTurns(case).nearby.tested(aj.event_recall, 0.5, Ask())
    assert 0 < found.p <= 1
    assert (found.exact, found.size) == (False, 999)
    still = case.turned_counts(np.zeros((1, 10), np.int64), [np.linspace(0, 560, 11).astype(int)])
    assert still.placed[0].starts.tolist() == case.turning[0].placed.starts.tolist()
    assert still.placed[0].lengths.tolist() == case.turning[0].placed.lengths.tolist()


def test_alerts_run_on_round_the_line_and_their_islands_end_where_watched_time_cut_them():
    incidents, watched = aj.Incidents([10], [20]), WatchedTime.over((0, 100), [""])
    case = AlertCase("x", incidents, aj.Alerts([30, 80], [60, None]), watched)
    placed = at(case, 55).placed[0]
    assert placed.starts.tolist() == [85, 35, 0]  # the first goes on at the beginning
    assert placed.lengths.tolist() == [15, 20, 15]
    # the island of an alert of 15 has 15 and two sides of 4; where the end cut it, one of 4
    balanced, alone = aj.f1_ba(width=8), aj.Incidents([90], [95])
    for start, end, sides in ((0, 15, 1), (85, None, 1), (85, 100, 1), (40, 55, 2), (0, None, 0)):
        case = AlertCase("x", alone, aj.Alerts([start], [end]), watched)
        length = 15 if sides else 100
        away = at(case, *((place - start) % 100 for place in (20, 50)))
        false = balanced.sums(away)[:, 3] - balanced.sums(away)[:, 2]
        assert false.tolist() == [length + 4 * sides if sides else 95] * 2
    dark = WatchedTime.over((0, 100), [""], None, TimedRows([40], [50]))
    case = AlertCase("x", alone, aj.Alerts([30], [45]), dark)  # the outage cuts it
    assert balanced.sums(at(case, 30))[0, 3] == 10 + 4


def test_undefined_values_have_no_share():
    case = case_of(0)
    turns = AlertTurns(case)
    assert math.isnan(turns.tested(aj.event_recall, math.nan, Ask()).p)
    silent = AlertCase("x", case.incidents, aj.Alerts([]), case.watched)
    turns = AlertTurns(silent)
    null = turns.values(aj.event_precision, None, 0)
    assert (null.size, turns.level(aj.event_precision, null)) == (
        0,
        pytest.approx(np.nan, nan_ok=True),
    )
    assert math.isnan(turns.tested(aj.event_recall, 0.0, Ask(), null).p)
    (line,) = case.lines
    assert isinstance(line, WatchedLine)
    assert math.isnan(turns.level(aj.event_recall, NullValues(np.zeros(0), exact=False)))


@pytest.mark.parametrize("spec", [
    "event_recall", "event_f1", "false_alarms(per=100)", "false_alarm_rate(per=100)",
    f"f1_ba(width={WIDTH})", "detection_delay", 'detection_delay(average="median")', "reset_time",
    "alarms_per_event", "costs(delay=2)", "costs",
])  # fmt: skip
@pytest.mark.parametrize("seed", range(3))
def test_home_is_turned_by_nothing_and_many_turns_are_each_by_itself(spec, seed):
    """Laws 1 and 3: sums of rows and fast sums give the value; turned by nothing it is at home."""
    metric, early = aj.metric(spec), 20 * (seed % 2)
    case = case_of(seed, ("a", "b"), dark=None, early=early, last=27)
    home = metric.value(metric.sums(case.outcome))
    still = metric.value(metric.sums(case.turned_counts(np.zeros((1, 2), np.int64))))
    assert home == pytest.approx(still, nan_ok=True)
    assert float(metric.value(metric.ledger_of(case.outcome).sum())) == pytest.approx(
        float(home[0]), nan_ok=True
    )
    offsets = np.random.default_rng(seed).integers(0, 600, (7, 2))
    together = metric.sums(case.turned_counts(offsets))
    for by, sums in zip(offsets, together, strict=True):
        alone = case.turned(by).outcome
        assert metric.sums(alone)[0] == pytest.approx(sums, nan_ok=True)
        assert metric.ledger_of(alone).sum() == pytest.approx(sums, nan_ok=True)


@pytest.mark.parametrize("seed", range(6))
def test_rows_of_alerts_add_up_by_service_unit_and_block(seed):
    """Law 2, of lines that are cut at other places each."""
    case = case_of(seed, ("a", "b"))
    rng = np.random.default_rng(seed)
    for spec in ("event_f1", f"f1_ba(width={WIDTH})", "detection_delay", "costs"):
        metric = aj.metric(spec)
        ledger = metric.ledger_of(case.outcome)
        edges = np.sort(rng.integers(0, 560, (2, 6)), axis=1)
        whole = ledger.sum()
        parts = [ledger.sum(ledger.line, 2), ledger.blocks(edges), ledger.sum(*ledger.units())]
        for part in parts:
            assert part.sum(axis=0) == pytest.approx(whole, nan_ok=True)


@pytest.mark.parametrize("seed", range(4))
def test_turns_add_up_and_no_alert_is_lost(seed):
    """Law 4, where the end of the line cuts no alert."""
    case = case_of(seed, dark=None, last=20)
    once = case.turned_counts(np.full((1, 1), 130))
    moved = case.alerts.chosen(slice(None))
    object.__setattr__(moved, "start", (moved.start + 130) % 600)
    object.__setattr__(moved, "end", moved.start + case.alerts.end - case.alerts.start)
    if (moved.end > 600).any():
        pytest.skip("one runs over the end")
    there = AlertCase("x", case.incidents, moved, case.watched)
    for by in (0, 45, 470):
        twice, sum_of = there.turned_counts(np.full((1, 1), by)), at(case, 130 + by)
        assert aj.event_f1.sums(twice)[:, :4].tolist() == aj.event_f1.sums(sum_of)[:, :4].tolist()
        assert twice.right.shape == once.right.shape


def test_an_alert_that_is_open_at_the_end_may_begin_earlier_in_the_last_incident():
    incidents = aj.Incidents(["2026-01-05 10:00", "2026-01-30 10:00"], ["2026-01-05 12:00", None])
    alerts = aj.Alerts(["2026-01-30 10:30"], [None])
    how = {"span": ("2026-01-01", "2026-02-01")}
    balanced, delay = aj.evaluate(incidents, alerts, ["f1_ba", "detection_delay"], **how).rows
    assert balanced.p_value == pytest.approx(0.5 / 744)
    assert balanced.exact
    assert delay.chance > delay.value == 1800  # undefined before delays turned
    assert 0 < delay.p_value < 1
    assert not delay.exact


def blind(rng, gap, length, last):
    """Intervals of a stationary process, seen from long before the span on; the last is open."""
    found, at = [], -20 * gap
    while at < last:
        at += 1 + int(rng.exponential(gap))
        end = at + 1 + int(rng.exponential(length))
        found.append((at, end if end < last else None))
        at = end
    return [one for one in found if 0 <= one[0] < last]


def test_blind_alerts_with_open_ends_are_seldom_called_better_and_no_p_value_is_0():
    """Of a thousand such runs .037 of f1_ba are; .068 where what ran over the end began again."""
    rng, better, runs = np.random.default_rng(11), np.zeros(2), 0
    while runs < 60:
        incidents, alerts = blind(rng, 2500, 400, 20_000), blind(rng, 3500, 700, 20_000)
        if not incidents or not alerts or incidents[-1][1] or alerts[-1][1]:
            continue
        runs += 1
        tables = (kind(*zip(*rows, strict=True)) for kind, rows in
                  ((aj.Incidents, incidents), (aj.Alerts, alerts)))  # fmt: skip
        rows = aj.evaluate(*tables, ["f1_ba", "event_f1"], span=(0, 20_000), shifts=199).rows
        assert all(row.p_value > 0 for row in rows)
        better += [row.p_joint <= 0.05 for row in rows]
    assert better.max() / runs <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / runs)


def test_a_counting_that_needs_points_has_no_entries_in_time():
    with pytest.raises(NotImplementedError):
        aj.event_coverage.parts.counting.in_time(case_of(0).outcome)
    assert not aj.event_coverage.parts.counting.knows_time(aj.event_coverage.parts.adjust)


def test_sums_of_rows_are_those_of_the_count_in_nanoseconds_too():
    hours = 3_600_000_000_000 * np.array([10, 60, 110, 150])
    incidents = aj.Incidents(hours, hours + hours[0], unit="ns")
    alerts = aj.Alerts(hours[:2] + 1, hours[:2] + 9, unit="ns")
    case = AlertCase("x", incidents, alerts, WatchedTime.over((0, 7 * 24 * hours[0]), [""]))
    for spec in ('false_alarms(per="1w")', 'false_alarm_rate(per="1d")', 'f1_ba(width="1h")'):
        metric = aj.metric(spec)
        assert metric.ledger_of(case.outcome).sum() == pytest.approx(metric.sums(case.outcome)[0])


def test_a_value_that_is_only_filled_in_has_no_p_value():
    none = aj.Incidents([], []), aj.Alerts([10, 30])
    (row,) = aj.evaluate(*none, "event_recall", span=(0, 100), zero_division=0).rows
    assert row.value == 0
    assert math.isnan(row.p_value)


def test_of_a_counting_that_does_not_say_where_it_changes_turns_are_drawn(monkeypatch):
    truth, alerts = aj.Incidents([100, 400], [150, 460]), aj.Alerts([110, 600], [115, 610])
    exact = aj.evaluate(truth, alerts, "event_recall", span=(0, 1000)).rows[0]
    monkeypatch.setattr(Runs, "meets", Counting.meets)
    drawn = aj.evaluate(truth, alerts, "event_recall", span=(0, 1000)).rows[0]
    assert (exact.exact, drawn.exact) == (True, False)
    assert drawn.chance == pytest.approx(exact.chance, abs=0.02)
