"""Laws of ledgers: their sums give the value, and their parts, however cut, add up to the whole."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.count.ledger import FALSE, QUIET, Ledger
from adjudge.count.tally import Tally
from adjudge.noise.intervals.evidence import units_of
from small import cases

SPECS = [
    *(name for name, row in aj.catalogue.items() if row.metric.has_receipt and not row.positions),
    'f1_ba(width=5, islands="all")',
    'f1_ba(width="iid")',
    "event_f1_ba(width=4)",
]
POSITIONS = [name for name, row in aj.catalogue.items() if row.metric.has_receipt and row.positions]
EDGES = st.lists(st.integers(0, 30), max_size=5).map(lambda inner: [0, *sorted(inner), 30])


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


@pytest.mark.parametrize("spec", SPECS)
@given(case=cases(flags=True), edges=EDGES)
def test_the_sums_give_the_value_and_every_way_to_cut_adds_up(spec, case, edges):
    labels, flags, series, where = case
    metric, case = aj.metric(spec), aj.Case(labels, flags, series=series, where=where)
    ledger = metric.ledger(case)
    assert gives_the_value(ledger, metric, case)
    assert adds_up(ledger, edges)


@pytest.mark.parametrize("spec", POSITIONS)
@given(
    truth=st.sets(st.integers(0, 29), min_size=1, max_size=5),
    alarms=st.sets(st.integers(0, 29), max_size=6),
    edges=EDGES,
)
def test_the_same_of_positions(spec, truth, alarms, edges):
    metric, case = aj.metric(spec), aj.Case(*(aj.Changes(sorted(p), 30) for p in (truth, alarms)))
    ledger = metric.ledger(case)
    assert gives_the_value(ledger, metric, case)
    assert adds_up(ledger, edges)


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
