"""The law of receipts: the rows of a ledger sum to the masses of the score."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

import adjudge as aj
from small import READINGS, cases

SPECS = [
    *(name for name, row in aj.catalogue.items() if row.metric.has_receipt),
    *(
        f'f1_ba(width={w}, islands="{i}", margin={m})'
        for w in (2, 5)
        for i in READINGS
        for m in (0, 2)
    ),
    *(f'f1_ba(width={w}, margin={m}, border="shift")' for w in (2, 5) for m in (0, 2)),
    'f1_ba(width="iid")',
    'f1_ba(width="matched", margin=1)',
    'f1_ba(width="matched", border="shift")',
    'event_f1_ba(width=4, islands="spill")',
    'f1_ba(width=5, reading="printed")',
    'f1_ba(width=4, reading="authors", margin=2)',
    'event_f1_ba(width=3, islands="all", margin=1)',
    "f1_dilated(width=4)",
]


def adds_up(receipt, metric, case):
    """The sums of the rows are the masses, and the masses give the value."""
    flags, *_ = metric.flags(case)
    _, adjust, count = metric.parts
    masses = count.tally(flags, case.events, adjust)
    value = metric.reading(case).value
    return bool(
        np.allclose(masses[:4], receipt.tally[:4], rtol=1e-12, atol=1e-12)
        and np.allclose(value, receipt.value, rtol=1e-12, equal_nan=True)
        and np.all(receipt.alarms.cost >= 0)
    )


@pytest.mark.parametrize("spec", SPECS)
@given(case=cases(flags=True))
def test_the_rows_of_a_receipt_sum_to_the_masses_of_the_score(spec, case):
    labels, flags, series, where = case
    metric, case = aj.metric(spec), aj.Case(labels, flags, series=series, where=where)
    assert adds_up(aj.explain(labels, flags, spec, series=series, where=where), metric, case)


def test_the_law_rejects_a_receipt_with_a_row_missing():
    labels, flags = [0, 0, 1, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0, 1]
    receipt = aj.explain(labels, flags, "f1_ba(width=2)")
    alarms = receipt.alarms
    shorter = replace(
        alarms, **{name: getattr(alarms, name)[1:] for name in alarms.__dataclass_fields__}
    )
    broken = replace(receipt, entries=replace(receipt.entries, alarms=shorter))
    metric, case = aj.metric("f1_ba(width=2)"), aj.Case(labels, flags)
    assert adds_up(receipt, metric, case)
    assert not adds_up(broken, metric, case)


@pytest.mark.parametrize("settings", ["width=4", 'width=4, border="shift"', 'width="matched"'])
@given(case=cases(flags=True))
def test_islands_are_charged_within_their_stretch_and_contain_their_run(settings, case):
    labels, flags, series, where = case
    alarms = aj.explain(labels, flags, f"f1_ba({settings})", series=series, where=where).alarms
    assert np.all(alarms.island_start <= alarms.start)
    assert np.all(alarms.island_stop >= alarms.stop)
    assert np.all(alarms.cost <= alarms.island_stop - alarms.island_start)
