"""Changes: positions as truth and as alarms, what they are read from and what is refused."""

import pickle

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from adjudge.data.changes import Changes
from adjudge.errors import InputError
from messages import refused


def test_positions_are_kept_as_they_are():
    changes = Changes([5, 6, 20], 30)
    assert changes.positions.tolist() == [5, 6, 20]
    assert changes.ends.tolist() == [5, 6, 20]
    assert len(changes) == 3
    assert len(changes.events) == 3


def test_no_positions_are_fine():
    assert repr(Changes([], 9)) == "Changes(none of 9 points)"
    assert len(Changes([], 9).windows(before=1)) == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            [3, 10],
            "positions must lie in [0, 10), got 10 at index 1; the end is no change: drop it",
        ),
        ([3, 11], "positions must lie in [0, 10), got 11 at index 1"),
        ([-1, 3], "positions must lie in [0, 10), got -1 at index 0"),
        ([5, 3], "positions must be ascending, got 3 at index 1; merge=True sorts them"),
        ([1, float("nan")], "positions must be whole numbers, got nan at index 1"),
        ([1.5], "positions must be whole numbers, got 1.5 at index 0"),
        (5, "positions must be a column of whole numbers, got 5"),
    ],
)
def test_what_is_no_position_is_refused_with_its_place(given, message):
    with refused(message):
        Changes(given, 10)


@pytest.mark.parametrize("n", [0, -1, 2.5, "9"])
def test_the_number_of_points_is_checked(n):
    with pytest.raises(InputError, match="n must be a whole number of points, at least 1"):
        Changes([], n)


def test_a_change_of_the_truth_stands_once_and_alarms_may_stand_twice():
    twice = Changes([4, 4, 7], 10)
    assert twice.counts.tolist() == [0, 0, 0, 0, 2, 0, 0, 1, 0, 0]
    with refused(
        "positions must name each change of the truth once, got 4 again at index 1; merge=True "
        "joins equal ones"
    ):
        twice.events  # noqa: B018 - reading it is what is refused
    assert aj.change_precision(Changes([4], 10), twice, margin=0) == 1 / 3


def test_merge_sorts_and_joins():
    assert Changes([7, 4, 4], 10, merge=True).positions.tolist() == [4, 7]
    gradual = Changes([7, 4, 4], 10, ends=[8, 4, 6], merge=True)
    assert gradual.ends.tolist() == [6, 8]


def test_gradual_changes_have_ends():
    changes = Changes.from_intervals([(2, 5), (8, 8)], 10)
    assert repr(changes) == "Changes(2 to 5 8 of 10 points)"
    with refused("positions must be no later than their ends, got 5 at index 0"):
        Changes.from_intervals([(5, 4)], 10)
    with refused("ends must be one per position, got 1 for 2"):
        Changes([1, 2], 10, ends=[3])
    with refused("ends must lie in [0, 10), got 10 at index 0; the end is no change: drop it"):
        Changes.from_intervals([(5, 10)], 10)


def test_three_readings_of_a_column():
    column = [1, 1, 0, 1, 1, 0]
    assert Changes.from_labels(column).positions.tolist() == [0, 1, 3, 4]
    assert Changes.from_labels(column, "starts").positions.tolist() == [0, 3]
    assert Changes.from_labels(list("aabbab"), "states").positions.tolist() == [2, 4, 5]


def test_readings_stay_within_series_and_judged_points():
    series, where = list("aaabbb"), [1, 1, 1, 1, 0, 1]
    states = Changes.from_labels(list("xyyxxy"), "states", series=series)
    assert states.positions.tolist() == [1, 5]
    assert Changes.from_labels([1] * 6, series=series, where=where).positions.tolist() == [
        0, 1, 2, 3, 5,
    ]  # fmt: skip
    starts = Changes.from_labels([0, 1, 1, 1, 1, 1], "starts", series=series, where=where)
    assert starts.positions.tolist() == [1, 3, 5]
    assert repr(starts) == "Changes(1 3 5 of 6 points in 2 series)"


def test_a_moment_belongs_to_the_step_that_holds_it():
    index = pd.date_range("2026-01-01", periods=4, freq="10min")
    times = ["2026-01-01 00:00", "2026-01-01 00:19", "2026-01-01 00:35"]
    assert Changes.from_times(times, index=index).positions.tolist() == [0, 1, 3]
    span = ("2026-01-01 00:00", "2026-01-01 00:40")
    assert Changes.from_times(times, span=span, every="10min").positions.tolist() == [0, 1, 3]
    assert len(Changes.from_times([], span=span)) == 0


def test_moments_outside_are_refused():
    index = pd.date_range("2026-01-01", periods=4, freq="10min")
    for late in ("2025-12-31 23:59", "2026-01-01 00:41"):
        with pytest.raises(InputError, match="times must lie between 2026-01-01 00:00 and"):
            Changes.from_times([late], index=index)
    with pytest.raises(InputError, match="times must lie between"):
        Changes.from_times(
            ["2026-01-01 00:40"], span=("2026-01-01", "2026-01-01 00:40"), every="10min"
        )
    with refused("from_times needs index=, or span= and every=, got neither"):
        Changes.from_times(["2026-01-01"])
    one = Changes.from_times(["2026-01-01"], index=["2026-01-01"])
    assert one.positions.tolist() == [0]


def test_annotators_are_put_together():
    both = Changes.from_annotators({"a": [3, 9], "b": Changes([9], 20), "c": []}, n=20)
    assert both.positions.tolist() == [3, 9]
    assert list(both.annotators) == ["a", "b", "c"]
    assert aj.change_recall(both, Changes([9], 20), margin=0) == (1 / 2 + 1) / 2
    assert aj.change_precision(both, Changes([9, 15], 20), margin=0) == 1 / 2
    as_dict = {"a": Changes([3, 9], 20), "b": Changes([9], 20)}
    assert aj.change_recall(as_dict, Changes([9], 20), margin=0) == 3 / 4
    with refused("annotators must hold at least one list of positions, got none"):
        Changes.from_annotators({})
    with refused("annotators must judge the same points, got 20 and 30 (b)"):
        Changes.from_annotators({"a": Changes([3], 20), "b": Changes([9], 30)})


def test_windows_are_events_that_metrics_of_points_can_judge():
    changes = Changes([3, 5, 14], 20, bounds=[0, 10, 20])
    windows = changes.windows(before=2, after=1)
    assert windows.starts.tolist() == [1, 12]
    assert windows.stops.tolist() == [7, 16]
    assert Changes([9, 10], 20, bounds=[0, 10, 20]).windows(before=3).starts.tolist() == [6, 10]
    judged = np.ones(20, bool)
    judged[2] = False
    parted = Changes([3], 20, judged=judged).windows(before=2)
    assert parted.starts.tolist() == [1, 3]
    assert aj.f1(windows, windows.labels) == 1


def test_changes_are_refused_by_metrics_of_points():
    truth, alarms = Changes([5], 20), Changes([5], 20)
    with refused(
        "f1 judges points, and changes have no length; ask for a metric of positions such as "
        "change_f1, or give the changes a window: changes.windows(before=..., after=...)"
    ):
        aj.f1(truth, alarms)
    assert aj.f1([0] * 5 + [1] + [0] * 14, alarms) == 1  # alarms of one point each


def test_positions_have_no_threshold_to_choose():
    with refused(
        "best(change_f1, thresholds=250) needs scores: positions have no threshold to choose"
    ):
        aj.best(aj.change_f1)(Changes([5], 20), Changes([5], 20))
    with refused("at must be left out where scores are positions, got 0.5"):
        aj.change_f1(Changes([5], 20), Changes([5], 20), at=0.5)


def test_a_case_says_what_it_holds():
    case = aj.Case(Changes([5, 6], 20), Changes([5], 20))
    assert repr(case) == "Case(20 points, 2 changes, 1 alarm)"
    assert repr(aj.Case(Changes([5], 20), Changes([], 20))) == "Case(20 points, 1 change, 0 alarms)"
    assert repr(pickle.loads(pickle.dumps(case))) == repr(case)  # noqa: S301 - our own


def test_points_that_are_not_judged_hold_neither_change_nor_alarm():
    where = np.ones(20, bool)
    where[5] = False
    both = Changes([5, 10], 20)
    receipt = aj.explain(both, both, "change_f1(margin=0)", where=where)
    assert receipt.truth.start.tolist() == [10]
    assert receipt.alarms.start.tolist() == [10]


def test_lengths_must_agree():
    with pytest.raises(InputError, match="must be equally long, got 20 and 30 points"):
        aj.change_f1(Changes([5], 20), Changes([5], 30))


def test_a_clock_of_changes_gives_durations_a_meaning():
    clock = aj.Case([0] * 4, [0] * 4, time=pd.date_range("2026", periods=4, freq="h")).events.clock
    truth = Changes([1], 4, clock=clock)
    assert aj.change_recall(truth, Changes([3], 4), margin="2h") == 1
    assert aj.change_recall(truth, Changes([3], 4), margin="1h59min") == 0
    with pytest.raises(InputError, match="time must be one time per point, got 4 for 5"):
        Changes([1], 5, clock=clock)


def test_each_series_is_judged_by_itself():
    truth = Changes.from_annotators({"a": [3, 15], "b": [3]}, n=20)
    series = [0] * 10 + [1] * 10
    spans = Changes.from_intervals([(3, 12), (15, 16)], 20).events.changes
    assert spans.part(10, 20).ends.tolist() == [6]
    assert spans.part(0, 10).positions.tolist() == [3]
    found = aj.evaluate(
        truth, Changes([3, 3, 12], 20), "change_f1(margin=0)", series=series, per_series=True,
        chance=False,
    )  # fmt: skip
    assert [row.value for row in found.details] == [2 / 3, 0, 1 / 3]


def test_breakpoints_end_with_the_number_of_points():
    assert Changes.from_breakpoints([5, 9, 20]).positions.tolist() == [5, 9]
    assert Changes.from_breakpoints((20,)).n == 20
    with refused("breakpoints must end with the number of points, got none"):
        Changes.from_breakpoints([])


class Jumps:
    """A detector as river has them."""

    last = 0

    def update(self, value):
        self.drift_detected, self.last = abs(value - self.last) > 3, value


def test_a_detector_of_river_is_run_over_values():
    found = Changes.from_detector(Jumps(), iter([0, 1, 0, 9, 8, 9, 2]))
    assert (found.positions.tolist(), found.n) == ([3, 6], 7)


def test_a_mapping_without_changes_is_no_truth():
    with pytest.raises(InputError, match="labels must be"):
        aj.Case({"a": [0, 1]}, [0, 1])


def test_truth_of_positions_is_judged_by_metrics_of_positions():
    truth, alarms = Changes([5, 30], 60), Changes([6, 50], 60)
    found = aj.evaluate(truth, alarms, chance=False)
    assert [row.requested for row in found.rows] == [
        "change_f1", "change_precision", "change_recall", "change_delay",
        "time_between_false_alarms",
    ]  # fmt: skip
    every = aj.evaluate(truth, alarms, "all")
    assert {aj.metric(row.requested).row.positions for row in every.rows} == {True}
    scores = np.arange(60) % 11
    best = aj.evaluate(truth, scores, chance=False)
    assert best.rows[0].requested == "best(change_f1, thresholds=250)"
    with pytest.raises(InputError, match="at must be given for labels that are changes"):
        aj.evaluate(truth, scores, chance=False, oracle=False)
