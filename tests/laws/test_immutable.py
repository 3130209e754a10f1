"""What two callers can reach does not change: read-only copies, equal values in every thread."""

import dataclasses
from itertools import chain

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.tally import Mass
from adjudge.data.events import Events
from adjudge.lab.simulation.scenario import Scenario
from campaigns.threads import campaign

LABELS = np.array([0, 1, 1, 0, 0, 1, 0, 0])
SCORES = np.array([0.1, 0.7, 0.3, 0.6, 0.2, 0.8, 0.4, 0.5])
WHERE = np.array([True] * 7 + [False])


def arrays(thing):
    """Find every array that can be reached from an object."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, tuple):
        yield from chain.from_iterable(map(arrays, thing))
    elif dataclasses.is_dataclass(thing):
        for field in dataclasses.fields(thing):
            yield from arrays(getattr(thing, field.name))
        yield from chain.from_iterable(map(arrays, vars(thing).values()))


def writeable(thing):
    return [array for array in arrays(thing) if array.flags.writeable]


@pytest.mark.parametrize("scores", [SCORES, SCORES.astype(np.float32), LABELS, LABELS > 0])
@pytest.mark.parametrize("where", [None, WHERE])
def test_all_that_a_case_holds_is_read_only(scores, where):
    case = aj.Case(LABELS, scores, where=where, series=list("aaaabbbb"))
    aj.best(aj.f1_ba).reading(case)
    assert case.scores.size == case.events.normal.size == case.events.labels.size == 8
    assert len(list(arrays(case))) > 8
    assert not writeable(case)


def test_a_case_cannot_be_given_other_scores():
    with pytest.raises(dataclasses.FrozenInstanceError):
        aj.Case(LABELS, SCORES).given = SCORES


def test_all_that_events_and_simulations_hold_is_read_only():
    owned = np.array([1, 5]), np.array([3, 6]), np.array([0.1, 0.2]), np.array([0, 4, 8])
    events = Events(*owned[:2], 8, owned[2], owned[3], WHERE.copy(), np.array(["a", "b"]))
    assert events.labels.tolist() == (LABELS > 0).tolist()
    assert not writeable(events)
    simulation = aj.simulate(Scenario(events=3, widths=20, gaps=(100, 120)), rng=1)
    assert simulation.marks.size == simulation.scores.size
    assert not writeable(simulation)
    assert all(array.flags.writeable for array in owned)


@pytest.mark.parametrize("name", [n for n, row in aj.catalogue.items() if row.count is not None])
def test_counts_are_read_only_and_leave_the_scores_alone(name):
    _, adjust, count = aj.catalogue[name].metric.parts
    for scores in (SCORES.copy(), SCORES > 0.5):
        before = scores.copy()
        counts = count.counts(scores, Events.from_labels(LABELS), adjust, 5)
        _ = counts.at(0) if scores.dtype == bool else counts.sweep
        assert not writeable(counts)
        assert scores.tolist() == before.tolist()
        assert scores.flags.writeable


def test_a_mass_sorts_an_array_that_it_may_not_write_to_elsewhere():
    values = np.array([3.0, 1.0, 2.0])
    values.setflags(write=False)
    assert Mass(values).ascending.tolist() == [1, 2, 3]
    assert values.tolist() == [3, 1, 2]


def changed(columns, call):
    """Give a value before and after every column is overwritten."""
    case = call(*columns)
    before = aj.auc_roc.reading(case)
    for column in columns:
        column[:] = column[::-1].copy()
    return before, aj.auc_roc.reading(case)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_what_becomes_of_the_callers_arrays_changes_nothing(dtype):
    def case(labels, scores, series, where):
        return aj.Case(labels, scores, series=series, where=where)

    columns = LABELS > 0, (SCORES * 10).astype(dtype), LABELS.copy(), WHERE.copy()
    columns[2][:] = np.repeat([0, 1], 4)
    before, after = changed(columns, case)
    assert before == after
    before, after = changed((LABELS.copy(), SCORES.copy()), aj.Case)
    assert before == after


def test_threads_read_what_one_thread_reads():
    calls, wrong = campaign(500, seed=0, points=500)
    assert calls >= 500
    assert not wrong
