"""Laws of streams: whatever is done to one, it says what `evaluate` says of all that has come.

A state machine does what may be done: chunks, marks, outages, late things, calls that are refused,
copies and pickles. `tests/campaigns/streams.py` is the model, and lives through thousands.
"""

import random

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import adjudge as aj
from adjudge.data.incidents import OPEN
from adjudge.judging.over_time.alert_stream import StreamOfAlerts
from adjudge.judging.over_time.point_stream import _Chunk
from adjudge.judging.over_time.told import ToldStretches
from campaigns import streams
from sampling import one_in


def dice():
    """Numbers of one seed, or in the thorough profile numbers that can be made smaller."""
    if settings.get_current_profile_name() == "plain":
        return st.integers(0, 2**32 - 1).map(random.Random)
    return st.randoms(use_true_random=False)


def machine_of(kind):
    """The machine of a kind of stream: a rule for each thing that may be done to it."""

    class Machine(RuleBasedStateMachine):
        @initialize(rng=dice())
        def begin(self, rng):
            self.world = kind(rng)

        @invariant()
        def is_what_evaluate_says(self):
            if hasattr(self, "world"):
                self.world.check()

    for name in dict.fromkeys(kind.ACTIONS):

        def act(self, rng, name=name):
            getattr(self.world, name)(rng)

        act.__name__ = name
        setattr(Machine, name, rule(rng=dice())(act))
    Machine.TestCase.settings = settings(stateful_step_count=15)
    return Machine.TestCase


TestPoints = machine_of(streams.Points)
TestAlerts = machine_of(streams.Alerts)


def test_streams_go_on_in_another_process():
    done, wrong = streams.campaign(1, 4)
    assert not wrong
    assert done["in a second process"] == 4
    assert min(done[kind.__name__] for kind in (streams.Points, streams.Alerts)) > 0


def erases(own, start, end, *, label, tell=ToldStretches.tell):
    late = tell(own._marks, start, end, label, own._begin)  # noqa: SLF001 - how it works inside
    if end != OPEN:
        tell(own._marks, end, OPEN, False, own._begin)  # noqa: SLF001 - how it works inside
    return late


def half_taken(stream, incidents, alerts, *rest, update=StreamOfAlerts.update):
    update(stream, incidents, None, *rest)
    update(stream, None, alerts, *rest)


def never_late(told, start, end, what, counted, tell=ToldStretches.tell):
    tell(told, start, end, what, counted)
    return False


DOUBLES = {
    "a mark that unlabels": ("point_stream._StreamSeries.mark", erases),
    "an update that is half taken": ("alert_stream.StreamOfAlerts.update", half_taken),
    "lateness that is not told": ("told.ToldStretches.tell", never_late),
    "a copy that shares": ("streams.deepcopy", lambda stream: stream),
    "time that is never gone by": ("alert_stream._since", lambda _, held: held),
}


@pytest.mark.parametrize("name", one_in(3, DOUBLES))
def test_a_stream_that_is_wrong_is_seen(monkeypatch, name):
    where, double = DOUBLES[name]
    monkeypatch.setattr(f"adjudge.judging.over_time.{where}", double)
    assert any(streams.campaign(seed, 8, restarts=False)[1] for seed in range(1, 9))


def test_alerts_under_an_open_incident_cost_each_as_much(monkeypatch):
    looked_at = []
    plain = StreamOfAlerts._safe_cut  # noqa: SLF001 - how it works inside

    def counted(stream, until):
        looked_at.append(stream._waiting)  # noqa: SLF001 - how it works inside
        return plain(stream, until)

    monkeypatch.setattr(StreamOfAlerts, "_safe_cut", counted)
    stream = aj.Stream("event_precision", since=0)
    stream.update(aj.Incidents([1], [None], id=["i"]), None, 2)
    for now in range(3, 1503):
        stream.update(None, aj.Alerts([now - 1], [now], id=[str(now)]), now)
    assert stream.counts["waiting"] == 1501
    assert sum(looked_at) < 5 * 1500
    stream.update(aj.Incidents([1], [1600], id=["i"]), None, 1700)
    assert stream.counts["waiting"] == 0


def test_marks_and_looks_cost_no_more_where_many_points_wait(monkeypatch):
    sizes = []
    plain = _Chunk.__getitem__
    monkeypatch.setattr(_Chunk, "__getitem__", lambda *one: sizes.append(1) or plain(*one))
    stream = aj.Stream("recall", at=0.5, lateness=40_000)
    for place in range(50_000, 60_000, 500):
        stream.update(None, np.ones(500)) if place > 50_000 else stream.update(
            None, np.ones(50_000)
        )
        stream.mark(place - 20_000, place - 19_990)
        _ = stream["recall"]
    assert len(sizes) < 20 * 10


def test_points_one_by_one_are_put_together_while_they_wait():
    stream = aj.Stream("recall", at=0.5, lateness=10**6)
    for _ in range(9000):
        stream.update(None, 0.9)
    stream.mark(5, 10)
    (own,) = stream._of._series.values()  # noqa: SLF001 - how it works inside
    assert len(own._waiting) < 5000  # noqa: SLF001 - how it works inside
    stream.settle()
    assert stream["recall"] == 1.0
    assert stream.counts == {"points": 9000, "waiting": 0, "too_late": 0}


WRONG_SETTINGS = {
    "at must be a number with incidents": {"at": "quantile(0.9)"},
    "services must be a list of names": {"services": 5},
    "must be given without": {"metrics": "event_f1(at=0.5)"},
}


@pytest.mark.parametrize("words", WRONG_SETTINGS)
def test_wrong_settings_of_alerts_are_refused_at_once(words):
    with pytest.raises(aj.InputError, match=words):
        aj.Stream(since=0, **WRONG_SETTINGS[words])


def test_one_service_is_named_by_itself():
    stream = aj.Stream("event_recall", since=0, services="api")
    stream.update(aj.Incidents([1], [3], service=["api"]), aj.Alerts([2], service=["api"]), 9)
    assert stream["event_recall"] == 1.0
    wrong = aj.Stream("event_recall", since=0, watched=aj.Alerts([1], [3], service=["api"]))
    with pytest.raises(aj.InputError, match="services must be given"):
        wrong.update(None, None, 9)


def test_the_first_time_may_be_a_number_with_a_unit():
    stream = aj.Stream("event_recall", since=1_700_000_000, unit="s")
    stream.update(None, None, 1_700_000_100)
    stream.update(aj.Incidents([1_700_000_100], [1_700_000_110], unit="s"), None, 1_700_000_200)
    assert stream["event_recall"] == 0.0


def test_a_count_per_number_of_points_is_refused_where_there_is_time():
    stream = aj.Stream("false_alarms(per=10)", since="2026-01-01")
    with pytest.raises(aj.InputError, match="per must be a duration"):
        stream.update(None, None, "2026-01-02")
