"""Laws of ledgers: their sums give the value, and their parts, however cut, add up to the whole."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.count.ledger import FALSE, QUIET, Ledger
from adjudge.count.tally import Tally
from adjudge.noise.intervals.units import units_of
from laws.kinds import EVERY, named
from small import cases


def same(found, expected):
    return np.allclose(found, expected, rtol=1e-9, atol=1e-9, equal_nan=True)


def gives_the_value(ledger, metric, case):
    value = metric.reading(case).value
    return same(float(metric.parts.measure(Tally(*ledger.sum()))), value)


def adds_up(ledger, edges):
    whole = ledger.sum()
    lines = int(ledger.line.max(initial=0)) + 1
    by_line = ledger.sum(ledger.line, lines).sum(axis=0)
    by_event = ledger.sum(*ledger.units("event")).sum(axis=0)
    each = np.tile(edges, (lines, 1))
    cut = ledger.blocks(edges).sum(axis=0), ledger.blocks(each).sum(axis=0)
    return all(same(part, whole) for part in (by_line, by_event, *cut))


@pytest.mark.parametrize(("kind", "spec"), EVERY, ids=named)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_sums_give_the_value_and_every_way_to_cut_adds_up(kind, spec, seed):
    rng = np.random.default_rng(seed)
    case = kind.draw(rng)
    metric = kind.metric(spec, case)
    ledger = kind.ledger(metric, case)
    assert same(metric.value(ledger.sum()), kind.value(metric, case))
    longest = int(case.lengths.max())
    assert adds_up(ledger, np.array([0, *np.sort(rng.integers(0, longest + 1, 4)), longest]))


@pytest.mark.parametrize("kind", ["event", "series"])
@given(case=cases(flags=True))
def test_the_units_of_rows_are_those_of_points(kind, case):
    labels, flags, series, where = case
    case = aj.Case(labels, flags, series=series, where=where)
    units = units_of(case.events, kind)
    unit, count = aj.f1_ba.ledger(case).units(kind)
    assert count == units.count
    ledger = aj.f1_ba.ledger(case)
    assert same(ledger.sum(unit, count), units.of_groups(ledger))


def test_the_laws_reject_a_ledger_that_lost_a_row_or_misplaced_one():
    metric, case = (
        aj.f1_ba(width=3),
        aj.Case([0, 0, 0, 1, 1, 0, 0, 0, 0], [1, 0, 0, 1, 0, 0, 0, 1, 0]),
    )
    ledger = metric.ledger(case)
    assert ledger.event.tolist() == [0, FALSE, FALSE, QUIET, QUIET]
    assert gives_the_value(ledger, metric, case)
    columns = list(vars(ledger).values())[:5]
    lost = Ledger(*(np.delete(column, 1, axis=0) for column in columns))
    assert not gives_the_value(lost, metric, case)
    assert adds_up(ledger, [0, 4, 9])
    assert ledger.blocks([0, 4, 9])[:, 4].tolist() == [3, 4]
    later = replace(ledger, start=ledger.start + 4, stop=ledger.stop + 4)
    assert not same(later.blocks([0, 4, 9]), ledger.blocks([0, 4, 9]))


def test_a_line_without_events_is_a_unit_of_its_own_in_a_part_too():
    line, event = np.array([0, 0, 1, 2, 2]), np.array([0, QUIET, 4, FALSE, QUIET])
    start = np.array([3, 4, 5, 2, 3])
    part = Ledger(line, start, start + 1, event, np.ones((5, 5)))
    unit, count = part.units()
    assert (unit.tolist(), count) == ([0, 0, 1, 2, 2], part.truth.series_count)


def test_windows_of_services_without_incidents_have_intervals():
    """The last week holds incidents of one service, and false alarms of three others."""
    starts = np.r_[np.arange(3), 100 + 10 * np.arange(12)]
    incidents = aj.Incidents(starts, starts + 2, service=[*"abc", *["d"] * 12])
    alerts = aj.Alerts([*starts[4:9], 110, 130, 150], service=[*["d"] * 5, *"abc"])
    last = aj.over_time(incidents, alerts, "event_f1", span=(0, 250), window=100, shifts=19).rows[1]
    assert last.events == 10
    assert 0 < last.low < last.value < last.high < 1
