"""What every counting must have."""

import numpy as np
import pytest

from adjudge.adjust.adjustments import PointAdjusted, raw
from adjudge.count.contract import Counting
from adjudge.count.matched_runs import NearRuns
from adjudge.count.runs import Runs
from adjudge.count.segments import Eventwise, Segments
from adjudge.count.tally import StreamSums
from adjudge.count.weighted_events import EventWeighted
from adjudge.data.events import Events


class Nothing(Counting):
    """A counting that says neither how flags are counted nor how adjusted ones are."""


def test_a_counting_without_rows_is_refused_at_once():
    events = Events.from_labels([0, 1, 0])
    with pytest.raises(TypeError, match="Nothing must have entries or flag_rows, got neither"):
        Nothing().entries(np.array([0, 1, 0]) > 0, events, raw)


def test_rows_of_adjusted_flags_are_the_entries_of_a_counting_that_has_only_those():
    events = Events.from_labels([0, 1, 1, 0, 0, 0])
    flags = np.array([0, 1, 0, 0, 1, 0]) > 0
    counting = EventWeighted(width=2)
    rows, entries = counting.flag_rows(flags, events), counting.entries(flags, events, raw)
    assert rows.tally == entries.tally == (1, 1, 1, 1.5, 2)


@pytest.mark.parametrize("counting", [Runs(), Segments(), Eventwise()])
def test_runs_of_a_stream_are_counted_as_flagged_only(counting):
    passed = StreamSums(truth=2, found=1, right=1, wrong=3, false=5, normal=20)
    assert counting.of_stream(passed, raw) is not None
    assert counting.of_stream(passed, PointAdjusted()) is None  # widened runs may join


def test_the_width_of_an_event_is_unknown_to_a_stream():
    passed = StreamSums(truth=2, found=1, false=5, normal=20)
    assert EventWeighted(width=5).of_stream(passed, raw) == (1, 2, 1, 2, 4)
    assert EventWeighted().of_stream(passed, raw) is None


def test_ends_that_do_not_count_may_be_anywhere():
    events = Events.from_labels([0, 1, 1, 0, 0, 0, 0, 0])
    flags = np.array([0, 1, 1, 1, 1, 1, 1, 0]) > 0
    near = NearRuns(collar=1, ends=False).flag_rows(flags, events).tally
    assert (near.found, near.right) == (1, 1)
    assert NearRuns(collar=1).flag_rows(flags, events).tally.found == 0
