"""Laws of alarms that turn, over every counting and every kind of case.

Each is a function that says whether a case keeps it, and is shown to fail on a case that turns, or
a way that counts, a little wrong.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import adjudge as adj
from adjudge.count.alert_case import AlertCase
from adjudge.data.case import Case
from adjudge.noise.ask import Ask
from adjudge.noise.p_values import NullTest
from adjudge.noise.shifting.rotation import tenths
from adjudge.noise.shifting.shifted_case import CaseShifts
from laws.kinds import EVERY, KINDS, OF_POINTS, alerts, named
from sampling import one_in

SEEDS = st.integers(0, 2**32 - 1)


def same(found, expected):
    return np.allclose(found, expected, rtol=1e-9, atol=1e-9, equal_nan=True)


def cuts_of(rng, case):
    """Blocks of each line that turn by themselves."""
    sizes = case.lengths.tolist()
    cuts = [np.unique(rng.integers(1, size, 3)) if size > 1 else np.zeros(0, int) for size in sizes]
    return case.blocks(cuts)


# --- the laws ------------------------------------------------------------------------------------


def is_sum_of_rows(kind, metric, case):
    """Law 1: what is made of the sums of all rows is the value."""
    return same(metric.value(kind.ledger(metric, case).sum()), kind.value(metric, case))


def stays_at_home(kind, case):
    """Law 3: turned by nothing, all alarms are where they were."""
    return kind.is_same(case, case.turned(0))


def adds_up(kind, case, one, other):
    """Law 4: two turns, one after the other, are one by their sum."""
    return kind.is_same(case.turned(one).turned(other), case.turned(one + other))


def keeps_alarms(kind, case, turned):
    """Law 4: no alarm is lost or made."""
    return np.array_equal(kind.alarms(case), kind.alarms(turned))


def keeps_blocks(case, turned, edges):
    """No alarm leaves its block."""
    return np.array_equal(*(np.add.reduceat(one.given, edges[:-1]) for one in (case, turned)))


def is_quickly_the_same(kind, metric, case, values, by, edges=None):
    """What is counted quickly for many turns is what each of these turns has by itself."""
    slow = [kind.value(metric, case.turned(offsets, edges)) for offsets in by]
    return same(values, slow)


def quick_values(kind, metric, case, by, edges=None):
    """The values on many turns by the quickest way that is registered for them."""
    if kind.name == "alerts":
        return metric.value(metric.sums(case.turned_counts(by, edges)))
    return type(kind.turning(case))(case, None, edges).way(metric)[0].values(by)


# --- every case keeps them -----------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "spec"), one_in(2, EVERY), ids=named)
@given(seed=SEEDS)
def test_the_value_of_what_was_turned_is_made_of_its_sums(kind, spec, seed):
    case = kind.draw(np.random.default_rng(seed)).turned(7)
    assert is_sum_of_rows(kind, kind.metric(spec, case), case)


@pytest.mark.parametrize("kind", KINDS, ids=named)
@given(seed=SEEDS)
def test_alarms_turned_by_nothing_stay_where_they_are(kind, seed):
    assert stays_at_home(kind, kind.draw(np.random.default_rng(seed)))


@pytest.mark.parametrize(("kind", "spec"), one_in(2, EVERY), ids=named)
@given(seed=SEEDS)
def test_what_turns_by_nothing_has_the_value_that_is_tested(kind, spec, seed):
    case = kind.draw(np.random.default_rng(seed))
    assume(kind.all_turn(case))  # what began, or ended, in an outage is not so on a line
    metric = kind.metric(spec, case)
    assert same(kind.value(metric, case.turned(0)), kind.value(metric, case))


@pytest.mark.parametrize("kind", KINDS, ids=named)
@given(seed=SEEDS)
def test_the_value_that_is_tested_is_that_of_alarms_turned_by_nothing(kind, seed):
    case = kind.draw(np.random.default_rng(seed))
    for spec in [name for name in kind.specs if "ba" not in name][::7]:  # islands run round circles
        metric, turning = kind.metric(spec, case), kind.turning(case)
        null = turning.values(metric, 19, 0)
        found = turning.tested(metric, kind.value(metric, case), Ask(shifts=19), null)
        home = kind.value(metric, case.turned(0))
        assert same(found.p, NullTest.of(home, null, metric.row.better).p)


@pytest.mark.parametrize("kind", KINDS, ids=named)
@given(seed=SEEDS)
def test_turns_add_up_and_no_alarm_is_lost(kind, seed):
    rng = np.random.default_rng(seed)
    case = kind.draw(rng)
    one, other = kind.offsets(rng, case), kind.offsets(rng, case)
    assert adds_up(kind, case, one, other)
    assert keeps_alarms(kind, case, case.turned(one))


@pytest.mark.parametrize("kind", [one for one in KINDS if one.name != "channels"], ids=named)
@given(seed=SEEDS)
def test_blocks_turn_by_themselves(kind, seed):
    rng = np.random.default_rng(seed)
    case = kind.draw(rng)
    edges = cuts_of(rng, case)
    turned = case.turned(kind.offsets(rng, case, edges), edges)
    assert keeps_alarms(kind, case, turned)
    assert stays_at_home(kind, turned)
    assert kind.is_same(case, case.turned(0, edges))
    if kind.name == "points":
        assert keeps_blocks(case, turned, edges)


@pytest.mark.parametrize(("kind", "spec"), one_in(4, EVERY), ids=named)
@given(seed=SEEDS)
def test_what_is_counted_quickly_is_what_each_turn_has_by_itself(kind, spec, seed):
    rng = np.random.default_rng(seed)
    case = kind.draw(rng)
    metric = kind.metric(spec, case)
    edges = cuts_of(rng, case) if kind.name == "alerts" else case.edges(tenths(case.truth))
    for bounds in (None, edges):
        by = np.array([kind.offsets(rng, case, bounds) for _ in range(4)])
        if bounds is None and kind.name != "alerts":
            by %= np.maximum(case.lengths, 1)
        elif kind.name != "alerts":
            by %= np.maximum(case.events.judged_between(bounds), 1)
        values = quick_values(kind, metric, case, by, bounds)
        assert is_quickly_the_same(kind, metric, case, values, by, bounds)


@pytest.mark.parametrize("spec", one_in(4, OF_POINTS))
@given(seed=SEEDS)
def test_p_is_at_least_one_of_all_places(spec, seed):
    """Law 7: the own place is one of all; of alerts see `test_blind_alerts`."""
    rng = np.random.default_rng(seed)
    labels, flags = (rng.random(int(rng.integers(4, 12))) < share for share in (0.3, 0.3))
    flags = np.resize(flags, labels.size)
    row = adj.evaluate(labels, flags, spec).rows[0]
    assert np.isnan(row.p_value) or row.p_value >= 1 / labels.size - 1e-12


# --- and what is a little wrong does not ---------------------------------------------------------


class LosesTheLast(Case):
    """The last point of what turns over the end is lost."""

    def turned(self, offsets, edges=None):
        given = Case.turned(self, offsets, edges).given.copy()
        given[: np.max(offsets)] = 0
        return remade(self, given)


class ReadsFromTheLeft(Case):
    """One step is taken even where nothing turns."""

    def turned(self, offsets, edges=None):
        return remade(self, Case.turned(self, np.asarray(offsets) + 1, edges).given)


class IgnoresBlocks(Case):
    """Blocks turn together, by the offset of the first."""

    def turned(self, offsets, edges=None):  # noqa: ARG002 - that is what is wrong
        return remade(self, Case.turned(self, int(np.ravel(offsets)[0])).given)


def remade(case, given):
    found = type(case).__new__(type(case))
    found._hold(case.events, given, case.name, is_flags=True)  # noqa: SLF001 - a case as it is
    return found


class BeginsAgain(AlertCase):
    """What runs over the end of the line is an alert of its own."""

    def turned(self, offsets, edges=None):
        return replace(AlertCase.turned(self, offsets, edges), alerts=doubled(self.alerts))


def doubled(alerts):
    return alerts.chosen(np.repeat(np.arange(len(alerts)), 2))


LABELS, FLAGS = np.repeat([0, 1, 0, 1], [3, 2, 4, 1]), np.repeat([0, 1, 0, 1], [1, 3, 4, 2])


def test_the_laws_reject_cases_that_turn_a_little_wrong():
    points = KINDS[0]
    case, edges = adj.Case(LABELS, FLAGS), np.array([0, 5, 10])
    by = np.array([2, 1])
    assert keeps_alarms(points, case, case.turned(3))
    assert not keeps_alarms(points, case, LosesTheLast(LABELS, FLAGS).turned(3))
    assert stays_at_home(points, case)
    assert not stays_at_home(points, ReadsFromTheLeft(LABELS, FLAGS))
    assert adds_up(points, case, 3, 4)
    assert not adds_up(points, ReadsFromTheLeft(LABELS, FLAGS), 3, 4)
    assert keeps_blocks(case, case.turned(by, edges), edges)
    assert not keeps_blocks(case, IgnoresBlocks(LABELS, FLAGS).turned(by, edges), edges)
    on_call = alerts(np.random.default_rng(0))
    wrong = BeginsAgain(
        *(getattr(on_call, name) for name in ("name", "incidents", "alerts", "watched"))
    )
    assert keeps_alarms(KINDS[3], on_call, on_call.turned(300))
    assert not keeps_alarms(KINDS[3], on_call, wrong.turned(300))


def test_the_laws_reject_a_value_that_is_not_of_its_sums_and_a_quick_way_that_counts_otherwise():
    points, case = KINDS[0], adj.Case(LABELS, FLAGS)
    assert is_sum_of_rows(points, adj.f1, case)
    assert not is_sum_of_rows(points, PrintsAnother(*vars(adj.f1).values()), case)
    by = np.arange(10)[:, np.newaxis]
    turning = CaseShifts(case)
    for spec, wrong in (("f1_ba(width=3)", "f1_ba(width=4)"), ("event_f1", "event_precision")):
        metric = adj.metric(spec)
        right, other = (turning.way(one)[0].values(by) for one in (metric, adj.metric(wrong)))
        assert is_quickly_the_same(points, metric, case, right, by)
        assert not is_quickly_the_same(points, metric, case, other, by)


class PrintsAnother:
    """A metric that prints another value than its rows have."""

    def __init__(self, *_):
        self.reading = lambda _: adj.recall.reading(adj.Case(LABELS, FLAGS))
        self.ledger, self.value = adj.f1.ledger, adj.f1.value
