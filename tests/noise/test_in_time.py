"""Shifts along watched time, against every shift tried one by one."""

import numpy as np
import pytest
from tests.count.naive_on_call import instants, lengths

import adjudge as aj
from adjudge.count.lengths import Placed, WatchedLine, watched_lines
from adjudge.data.incidents import TimedRows
from adjudge.data.watched import WatchedTime
from adjudge.measure.rates import FBeta, precision, recall
from adjudge.noise.shifting import in_time
from adjudge.noise.shifting.in_time import CountedShifts, drawn_share, turned

WIDTH = 40


def lines_of(seed, services=("",)):
    """Draw lines of 600 instants less an outage; all ends are multiples of 20."""
    rng = np.random.default_rng(seed)

    def things(many, longest, least):
        start = 20 * rng.integers(0, 28, many)
        end = start + 20 * rng.integers(least, longest, many)
        return {"start": start.tolist(), "end": end.tolist(),
                "service": rng.choice(services, many).tolist()}  # fmt: skip

    incidents, alerts = aj.Incidents(**things(3, 4, 1)), aj.Alerts(**things(4, 3, 0))
    dark = TimedRows([100], [140])
    return watched_lines(incidents, alerts, WatchedTime.over((0, 600), services, None, dark))


def pieces(line, shift):
    """The alerts that count, moved by a shift around the line."""
    placed = line.shiftable
    found = []
    for number, (start, size) in enumerate(zip(placed.starts, placed.lengths, strict=True)):
        first = (int(start) + shift) % line.length
        over = max(0, first + int(size) - line.length)
        found.append((first, first + int(size) - over, number))
        if over:
            found.append((0, over, number))
    return found


def slow_things(line, shift):
    truth = list(zip(line.starts.tolist(), line.ends.tolist(), line.owner.tolist(), strict=True))
    moved = pieces(line, shift)
    found = {o for a, b, o in truth for x, y, _ in moved if instants(x, y) & set(range(a, b))}
    right = {n for a, b, _ in truth for x, y, n in moved if instants(x, y) & set(range(a, b))}
    return len(found), len(right)


def slow_lengths(line, shift):
    truth = list(zip(line.starts.tolist(), line.ends.tolist(), strict=True))
    moved = [(x, y) for x, y, _ in pieces(line, shift)]
    found, whole, false = lengths(truth, moved, line.joints.tolist(), WIDTH)
    return found, whole, found, found + false


BETWEEN = range(5, 560, 10)  # in the middle of the parts between the ends of arcs


@pytest.mark.parametrize("seed", range(12))
def test_mean_sums_are_those_of_every_shift(seed):
    (line,) = lines_of(seed)
    things = CountedShifts([line], WatchedLine.things).turns(
        recall, lower=False, shifts=None, seed=0
    )
    assert things.exact
    slow = np.mean([slow_things(line, shift) for shift in BETWEEN], axis=0)
    assert (things.expected.found, things.expected.right) == pytest.approx(tuple(slow))
    wide = CountedShifts([line], lambda one, alerts: one.lengths(alerts, WIDTH), (0, 20, 40))
    found = wide.turns(FBeta(), lower=False, shifts=None, seed=0)
    slow = np.mean([slow_lengths(line, shift) for shift in BETWEEN], axis=0)
    assert found.expected[:4] == pytest.approx(tuple(slow))


@pytest.mark.parametrize("seed", range(12))
def test_the_share_of_shifts_that_do_as_well(seed):
    (line,) = lines_of(seed)
    wide = CountedShifts([line], lambda one, alerts: one.lengths(alerts, WIDTH), (0, 20, 40))
    home = float(FBeta()(wide.home)[0])
    found = wide.turns(FBeta(), lower=False, shifts=None, seed=0)
    every = wide.at(line, np.arange(line.length)[:, np.newaxis])
    values = FBeta()(every)
    assert found.p_value == pytest.approx(np.mean(values >= home - 1e-12), abs=0.02)
    assert found.p_below == pytest.approx(np.mean(values <= home + 1e-12), abs=0.02)
    assert found.p_value > 0


def test_many_parts_are_drawn_and_several_services_too(monkeypatch):
    (line,) = lines_of(3)
    exact = CountedShifts([line], WatchedLine.things).turns(
        recall, lower=False, shifts=None, seed=0
    )
    monkeypatch.setattr(in_time, "PARTS", 1)
    drawn = CountedShifts([line], WatchedLine.things)
    found = drawn.turns(recall, lower=False, shifts=None, seed=0)
    assert (found.exact, found.shifts) == (False, 999)
    assert found.expected.found == pytest.approx(exact.expected.found, rel=0.2)
    monkeypatch.setattr(in_time, "MANY", 1)
    assert drawn.usual == 199
    monkeypatch.undo()
    both = CountedShifts(lines_of(4, ("a", "b")), WatchedLine.things)
    apart = both.turns(recall, lower=False, shifts=None, seed=0)
    alone = [
        CountedShifts([one], WatchedLine.things).turns(recall, lower=False, shifts=None, seed=0)
        for one in both.lines
    ]
    assert apart.expected.found == pytest.approx(sum(one.expected.found for one in alone))
    assert not apart.exact
    few = both.turns(recall, lower=False, shifts=20, seed=0)
    assert few.shifts == 20
    assert both.turns(recall, lower=False, shifts=20, seed=0) == few


def test_few_are_shifted_at_once_where_there_is_little_room(monkeypatch):
    (line,) = lines_of(5)
    wide = CountedShifts([line], WatchedLine.things)
    offsets = np.arange(50)[:, np.newaxis]
    whole = wide.at(line, offsets)
    monkeypatch.setattr(in_time, "AT_ONCE", 1)
    for one, other in zip(whole, wide.at(line, offsets), strict=True):
        assert one.tolist() == other.tolist()


def test_tenths_turn_by_themselves():
    (line,) = lines_of(6)
    shifts = CountedShifts([line], WatchedLine.things)
    found = shifts.turns(recall, lower=False, shifts=None, seed=0, blocks=10)
    assert 0 < found.p_value <= 1
    assert (found.exact, found.shifts) == (False, shifts.usual)
    alerts = Placed.whole(np.array([5, 30]), np.array([10, 0]))
    still = turned(alerts, np.array([0, 10, 40]), np.array([[0, 0]]))
    assert (still.starts.tolist(), still.lengths.tolist()) == ([5, 10, 30], [5, 5, 0])
    assert still.alert.tolist() == [0, 0, 1]


def test_undefined_values_have_no_share():
    assert np.isnan(drawn_share(np.ones(3), np.nan, 1))
    assert drawn_share(np.array([1.0, np.nan, 0.0]), 0.5, 1) == 2 / 3
    line = WatchedLine(
        np.array([0, 50]), np.array([10]), np.array([20]), np.array([0]),
        Placed.whole(np.zeros(0, np.int64), np.zeros(0, np.int64)), np.zeros(0, bool),
    )  # fmt: skip
    silent = CountedShifts([line], WatchedLine.things)
    assert np.isnan(silent.turns(precision, lower=False, shifts=None, seed=0).p_value)
    lower = silent.turns(recall, lower=True, shifts=None, seed=0)
    assert (lower.p_value, lower.p_below) == (1.0, 1.0)


def test_blind_alerts_are_seldom_called_better_than_chance():
    rng = np.random.default_rng(0)
    low = 0
    for _ in range(200):
        start = np.sort(rng.choice(900, 5, replace=False))
        incidents = aj.Incidents(start.tolist(), (start + 40).tolist())
        alerts = aj.Alerts(rng.integers(0, 1000, 8).tolist())
        (line,) = watched_lines(incidents, alerts, WatchedTime.over((0, 1000), [""]))
        found = CountedShifts([line], WatchedLine.things).turns(
            FBeta(), lower=False, shifts=None, seed=0
        )
        low += found.p_value <= 0.05
    assert low <= 20  # ten are expected
