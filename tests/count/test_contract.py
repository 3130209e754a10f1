"""What every counting keeps to: one threshold is one point of the sweep, and rows are numbered."""

import numpy as np
import pytest

import adjudge as aj
from adjudge import Case, Events
from adjudge.adjust.adjustments import Covered, Delayed, Dilated, point_adjusted, raw
from adjudge.adjust.balanced import Balanced
from adjudge.compat.other_names import NearOrFalse
from adjudge.count.batches import Batches
from adjudge.count.contract import LastCount, SweptCounting
from adjudge.count.matched_runs import MatchedRuns, NearRuns
from adjudge.count.nab import NabWindows
from adjudge.count.points import Points
from adjudge.count.runs import Runs, RunsPerEvent
from adjudge.count.segments import Eventwise, FalsePoints, Segments
from adjudge.count.tally import Mass, Masses, Passed, Tally
from adjudge.count.tolerant import Tolerant
from adjudge.count.weighted_events import EventWeighted

ADJUSTMENTS = [raw, point_adjusted, Balanced(width=3), Balanced(width="matched")]


def drawn(seed, n=30):
    rng = np.random.default_rng(seed)
    where = rng.random(n) < 0.9 if seed % 2 else None
    series = np.repeat([0, 1], [n // 3, n - n // 3]) if seed % 3 else None
    events = Events.from_labels(rng.random(n) < 0.3, series=series, where=where)
    flags = rng.random(n) < 0.4
    return flags if where is None else flags & where, events


@pytest.mark.parametrize(
    ("count", "adjust"),
    [(Points(), adjust) for adjust in ADJUSTMENTS] + [(Runs(), one) for one in ADJUSTMENTS[:-1]],
    ids=repr,
)
def test_the_tally_of_flags_is_that_of_their_masses(count, adjust):
    for seed in range(60):
        flags, events = drawn(seed)
        swept = SweptCounting.tally(count, flags, events, adjust)
        np.testing.assert_equal(tuple(swept), tuple(count.tally(flags, events, adjust)))


@pytest.mark.parametrize(
    "count",
    [
        Points(),
        Runs(),
        Segments(),
        FalsePoints(),
        Batches(2),
        NearOrFalse(1),
        NabWindows(),
        MatchedRuns(),
        NearRuns(1),
    ],
)
def test_a_false_alarm_has_no_event_and_a_hit_has_its_own(count):
    events = Events.from_labels([0, 0, 0, 0, 1, 1, 0, 0, 0, 0])
    flags = np.array([1, 0, 0, 0, 1, 0, 0, 0, 0, 1]) > 0
    alarms = count.entries(flags, events, raw).alarms
    number = dict(zip(alarms.start.tolist(), alarms.event.tolist(), strict=True))
    assert (-1, -1) == (number.pop(0), next(number.pop(at) for at in (8, 9) if at in number))
    assert set(number.values()) <= {0}


PASSED = Passed(truth=3, found=2, hit=2, inside=2, right=2, wrong=2, false=3, normal=6)


@pytest.mark.parametrize(
    ("count", "tally"),
    [
        (Runs(), Tally(2, 3, 2, 4)),
        (RunsPerEvent(), Tally(2, 2, 0, 0)),
        (Segments(), Tally(2, 3, 2, 4)),
        (Eventwise(), Tally(2, 3, 1, 4)),  # half of the normal points are flagged
    ],
)
def test_runs_are_counted_as_they_pass_unless_an_adjustment_may_join_them(count, tally):
    np.testing.assert_equal(tuple(count.of_stream(PASSED, raw)), tuple(tally))
    assert count.of_stream(PASSED, point_adjusted) is None


def test_islands_are_counted_as_they_pass_unless_the_events_decide_their_width():
    assert EventWeighted(width=3).of_stream(PASSED, raw) == Tally(2, 3, 2, 3, 2)
    for width in (None, "iid"):
        assert EventWeighted(width=width).of_stream(PASSED, raw) is None


def test_a_curve_has_every_threshold_once():
    both = (Mass(np.array([2.0, 1.0, 1.0])), Mass(np.array([1.0, 2.0, 0.5])))
    thresholds, tally = Masses(both[0], 3, None, both[1], both).sweep
    assert [2.0, 1.0, 0.5, -np.inf] == thresholds.tolist()
    assert [0, 1, 3, 3] == tally.found.tolist()


def test_scores_that_are_somebody_else_s_are_sorted_in_a_copy():
    theirs = np.array([2.0, 3.0, 1.0])
    theirs.flags.writeable = False
    assert [1.0, 2.0, 3.0] == Mass(theirs).ascending.tolist()
    assert [2.0, 3.0, 1.0] == theirs.tolist()


def test_runs_may_be_matched_by_their_starts_alone():
    events = Events.from_labels([0, 1, 1, 1, 1, 1, 0, 0])
    early, late = np.array([0, 1, 0, 0, 0, 0, 0, 0]) > 0, np.array([0, 0, 0, 0, 0, 1, 0, 0]) > 0
    starts, both = (NearRuns(collar=1, ends=ends, slack=0.2) for ends in (False, True))
    assert (1, 0) == tuple(one.tally(early, events, raw).found for one in (starts, both))
    assert 0 == starts.tally(late, events, raw).found


def test_ends_may_be_apart_by_a_share_of_the_event_to_the_very_point():
    events = Events.from_intervals([(100, 200)], n=300)  # 0.29 * 100 is a little less than 29
    for stop, found in ((229, 1), (230, 0)):
        flags = (np.arange(300) >= 100) & (np.arange(300) < stop)
        assert found == NearRuns(collar=5, slack=0.29).tally(flags, events, raw).found


def test_points_that_are_not_judged_are_no_part_of_what_must_be_flagged_around_an_event():
    labels, every = [0, 0, 0, 1, 0], [1, 1, 1, 1, 1]
    metric = aj.event_recall_tolerant(before=3, overlap=0.5)
    assert 1 == metric(labels, every) == metric(labels, every, where=[1, 0, 0, 1, 1])
    assert 0 == metric(labels, [0, 0, 0, 1, 0], where=[1, 0, 0, 1, 1])  # one of two


def test_an_island_that_a_true_flag_raises_is_charged_to_its_own_event():
    events = Events.from_labels([0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0])
    flags = np.array([0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0]) > 0
    alarms = Points().entries(flags, events, Balanced(width=3, islands="all")).alarms
    assert [(0, 1), (1, 0)] == list(zip(alarms.event.tolist(), alarms.cost.tolist(), strict=True))


def test_a_run_near_an_event_belongs_to_it():
    events = Events.from_labels([0, 1, 0, 0, 0, 0, 1, 0, 0])
    flags = np.array([1, 0, 0, 0, 0, 0, 0, 0, 1]) > 0
    assert [0, 1] == Tolerant(2).entries(flags, events, raw).alarms.event.tolist()


class CountedCalls(SweptCounting):
    """Counts points, and how often it was asked to."""

    def __init__(self):
        self.calls, self.fails = 0, False

    def masses(self, adjusted, events):
        self.calls += 1
        if self.fails:
            raise KeyboardInterrupt
        return Points().masses(adjusted, events)

    def entries(self, flags, events, adjust):
        return Points().entries(flags, events, adjust)


def test_metrics_that_ask_the_same_of_a_case_share_one_count():
    case, other = Case([0, 1, 1, 0], [1, 2, 0, 0]), Case([0, 1, 1, 0], [1, 2, 0, 0])
    last, count = LastCount(), CountedCalls()
    first = last.of(case, raw, count, None)
    assert first is last.of(case, raw, count, None)
    assert first is last.of(case, raw, count, 5)  # all thresholds come at once
    assert 1 == count.calls
    assert first is not last.of(case, point_adjusted, count, None)
    assert first is not last.of(other, raw, count, None)
    assert 3 == count.calls


def test_a_count_that_fails_leaves_nothing_half_made():
    case, last, count = Case([0, 1], [0, 1]), LastCount(), CountedCalls()
    before = last.of(case, raw, count, None).at(0)
    count.fails = True
    with pytest.raises(KeyboardInterrupt):
        last.of(case, point_adjusted, count, None)
    count.fails = False
    assert before == last.of(case, raw, count, None).at(0)


def test_a_weighted_mass_is_the_weight_above_each_threshold():
    mass = Mass(np.array([2.0, 5.0, 1.0, 2.0]), weights=np.array([1.0, 10.0, 100.0, 1000.0]), per=2)
    levels = np.array([5.0, 2.0, 1.0, -np.inf])
    assert [0, 5, 505.5, 555.5] == mass.sweep(levels).tolist()
    assert [0, 5, 505.5, 555.5] == [mass.above(level) for level in levels]
    assert [5, 505.5, 555.5, 555.5] == mass.reaching(levels).tolist()


def test_hits_are_charged_with_their_event_and_false_alarms_with_their_run():
    events = Events.from_labels([0, 0, 0, 1, 1, 1, 0, 0])
    flags = np.array([1, 1, 0, 0, 1, 0, 0, 1]) > 0
    alarms = Segments().entries(flags, events, raw).alarms
    spans = zip(alarms.start.tolist(), alarms.stop.tolist(), alarms.event.tolist(), strict=True)
    assert [(0, 2, -1), (3, 6, 0), (7, 8, -1)] == list(spans)


def test_a_run_looks_at_the_event_of_the_largest_share_not_of_the_longest_overlap():
    labels, flags = np.zeros((2, 24), bool)
    labels[1:5] = labels[6:20] = flags[:10] = True  # shares of 4/10 and of 4/20
    rows = MatchedRuns(tau=0.3).entries(flags, Events.from_labels(labels), raw)
    assert ([1, 0], [0]) == (rows.truth.credit.tolist(), rows.alarms.event.tolist())


KEPT = [raw, point_adjusted, Covered(0.3), Covered(0.3, strict=True), Delayed(2), Delayed(None)]


@pytest.mark.parametrize("adjust", KEPT, ids=str)
@pytest.mark.parametrize("masked", [False, True])
def test_the_scores_of_events_are_those_among_all_adjusted_scores(adjust, masked):
    rng = np.random.default_rng(5)
    for _ in range(20):
        labels = np.repeat(rng.random(12) < 0.4, rng.integers(1, 6, 12)).astype(int)
        scores = rng.integers(0, 6, labels.size) / 2
        case = Case(labels, scores, where=rng.random(labels.size) < 0.8 if masked else None)
        for given in (case.scores, case.scores.astype(np.float32)):
            adjusted = adjust(given, case.events)
            found = adjust.of_events(given, case.events)
            assert found.dtype == adjusted.dtype
            assert found.tolist() == adjusted[case.events.labels].tolist()
            normal = case.events.normal
            assert adjusted[normal].tolist() == given[normal].tolist()


def test_what_adjusts_normal_points_or_marks_less_shares_nothing():
    case = Case([0, 1, 1, 0], [1, 2, 0, 0])
    for adjust in (Balanced(3), Dilated(3), Covered(0.3, tolerance=1)):
        assert adjust.of_events(case.scores, case.events) is None
        assert Points().beside(None, case.scores, case.events, adjust) is None


def test_metrics_of_one_case_share_the_order_of_its_normal_points():
    rng = np.random.default_rng(6)
    labels = np.repeat(rng.random(30) < 0.3, 4).astype(int)
    cases = [Case(labels, rng.random(labels.size).round(1)) for _ in range(2)]
    last, adjusts = LastCount(), [raw, point_adjusted, Covered(0.5), Balanced(3), Delayed(1), raw]
    shared = []
    for case in [*cases, cases[0]]:
        for adjust in adjusts:
            found = last.of(case, adjust, Points(), None)
            alone = LastCount().of(case, adjust, Points(), None)
            (levels, sums), (own_levels, own_sums) = found.sweep, alone.sweep
            assert levels.tolist() == own_levels.tolist()
            for side, own in zip(sums, own_sums, strict=True):
                assert np.asarray(side).tolist() == np.asarray(own).tolist()
            shared.append(found.false)
    for first in (0, 6, 12):  # the fourth adjusts normal points, and the next begins anew
        assert shared[first] is shared[first + 1] is shared[first + 2]
        assert shared[first + 4] is shared[first + 5] is not shared[first]
        assert shared[first] is not shared[first - 1]
