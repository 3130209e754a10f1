"""The law of receipts in time: what incidents and alerts weigh and earn sums to the masses."""

from dataclasses import replace

import numpy as np
import pytest
from tests.count.test_on_call import month

import adjudge as aj
from adjudge.data.incidents import TimedRows
from adjudge.judging.inputs.on_call import OnCall
from adjudge.metrics.on_alerts import raised
from sampling import one_in

SPECS = [
    "event_recall", "event_precision", "event_f1", "f1_ba", "f1_ba(width=1)", "f1_ba(width=30)",
    "recall_ba(width=9)", "detection_delay", "reset_time", "costs", "false_alarms(per=10)",
]  # fmt: skip
SEEDS = range(300, 340)


def columns(rows):
    starts, ends, services = zip(*rows, strict=True) if rows else ((), (), ())
    return {"start": list(starts), "end": list(ends), "service": list(services)}


def told(seed, early=0):
    incidents, alerts, outages = map(columns, month(seed))
    dark = TimedRows(**outages) if outages["start"] else None
    made = aj.Incidents(**incidents), aj.Alerts(**alerts)
    return OnCall(*made, span=(0, 100), outages=dark, early=early)


def sums_of(data, spec):
    found = raised(aj.metric(spec), data.cases[0])
    return found.resolved.sums(found.case.outcome)[0], found.value


def adds_up(receipt, sums):
    return np.allclose(receipt.tally[:4], sums[:4], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("early", [0, 4])
@pytest.mark.parametrize("spec", one_in(2, SPECS))
def test_the_rows_of_incidents_and_alerts_sum_to_the_masses_of_the_score(spec, early):
    busy = 0
    for seed in SEEDS:
        data = told(seed, early)
        receipt, (sums, value) = aj.explain(data, spec), sums_of(data, spec)
        assert adds_up(receipt, sums), seed
        np.testing.assert_equal(receipt.value, value)
        rows = receipt.truth, receipt.alarms
        credit, weight = (
            [sum(row[k] for row in side) for side in rows] for k in ("credit", "weight")
        )
        assert np.allclose([credit[0], weight[0], credit[1], weight[1]], receipt.tally[:4])
        busy += bool(sums[:4].any())
    assert busy > len(SEEDS) // 2


def test_the_law_rejects_rows_that_weigh_one_each_and_rows_that_are_missing():
    broken = np.zeros(2, int)
    for seed in SEEDS:
        data = told(seed)
        receipt, (sums, _) = aj.explain(data, "f1_ba(width=9)"), sums_of(data, "f1_ba(width=9)")
        each = aj.explain(data, "event_f1").entries
        dearest = np.argsort(receipt.entries.alarms.weight)[:-1]
        fewer = replace(receipt.entries, alarms=receipt.entries.alarms.chosen(dearest))
        broken += [not adds_up(replace(receipt, entries=one), sums) for one in (each, fewer)]
    assert np.all(broken > len(SEEDS) // 2)


def stretches_of(flags):
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags, [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def slow_shares(incidents, alerts, width, length):
    """Point by point: what each incident weighs and earns, what each alert does, and false time.

    Of one service that is watched throughout.
    """
    each = np.zeros((len(incidents), 2), int)
    right, false = np.zeros(len(alerts), int), np.zeros(length, bool)
    truth, flagged = (
        np.array([any(a <= k < b for a, b in rows) for k in range(length)])
        for rows in (incidents, alerts)
    )
    for begin, end in stretches_of(truth):
        for point in range(begin, end):
            first = min(k for k, (a, b) in enumerate(incidents) if a <= point < b)
            each[first] += [flagged[begin:end].any(), 1]
        own = [k for k, (a, b) in enumerate(alerts) if a < end and b > begin]
        if own:
            right[own] += (end - begin) // len(own)
            right[own[0]] += (end - begin) % len(own)
    for begin, end in stretches_of(flagged & ~truth):
        false[max(begin - width // 2, 0) : end + width - width // 2] = True
    return each.tolist(), right.tolist(), np.count_nonzero(false & ~truth)


def things(rng, many):
    starts, lengths = rng.integers(0, 80, many), rng.integers(1, 15, many)
    return sorted(zip(starts.tolist(), (starts + lengths).tolist(), strict=True))


def test_shares_are_those_of_a_count_point_by_point():
    rng = np.random.default_rng(5)
    for _ in range(100):
        incidents, alerts = (things(rng, many) for many in rng.integers(1, 7, 2))
        tables = (
            kind(*(list(column) for column in zip(*rows, strict=True)))
            for kind, rows in ((aj.Incidents, incidents), (aj.Alerts, alerts))
        )
        receipt = aj.explain(*tables, "f1_ba(width=9)", span=(0, 100))
        each, right, false = slow_shares(incidents, alerts, 9, 100)
        assert [[row["credit"], row["weight"]] for row in receipt.truth] == each
        assert [row["credit"] for row in receipt.alarms] == right
        assert sum(row["cost"] for row in receipt.alarms) == false


def test_alerts_share_false_time_and_the_first_has_what_is_left():
    alerts = aj.Alerts([50, 52, 70], [55, 55, 71])
    rows = aj.explain(aj.Incidents([10], [20]), alerts, "f1_ba(width=10)", span=(0, 100)).alarms
    assert [row["cost"] for row in rows] == [8, 7, 11]
    assert [row["weight"] for row in rows] == [8, 7, 11]
