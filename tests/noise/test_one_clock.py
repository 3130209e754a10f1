"""Series of one clock turn by one offset: every fast way against each offset tried by itself."""

import itertools

import numpy as np
import pytest
from tests.noise.test_in_time import BALANCED, case_of

import adjudge as aj
from adjudge.data.shared_clock import ClockSpans, blocks_together, clocked, lines_together
from adjudge.judging.result_columns import Finding
from adjudge.judging.words.verdict import verdict
from adjudge.noise.ask import Ask
from adjudge.noise.coincidence import coincidence, overlap_p
from adjudge.noise.shifting.circle_pieces import AlertTurns
from adjudge.noise.shifting.offsets import CommonOffsets
from adjudge.noise.shifting.rotation import room, tenths
from adjudge.noise.shifting.shifted_case import CaseShifts

FLAGS = ["f1", "f1_pa", "event_f1", "f1_dilated(width=2)"]
SCORES = ["best(f1)", "ap", "auc_roc", "best(f1_pa)"]
ISLANDS = ["f1_ba(width=4)", "best(f1_ba(width=4))"]


def panel(seed, *, flags, lengths=(40, 40, 40), where=None, clock="shared"):
    """Three series with events and alarms in runs, of which some are common."""
    rng, n = np.random.default_rng(seed), sum(lengths)
    labels, scores = np.zeros(n, int), rng.integers(0, 3, n) * (not flags)
    for column, many in ((labels, 3), (scores, 4)):
        for start in rng.integers(0, min(lengths) - 4, many):
            for series in rng.choice(len(lengths), 2, replace=False):
                at = sum(lengths[:series]) + start
                column[at : at + 3] += 1 if column is labels else 1 + (not flags)
    series = np.repeat(np.arange(len(lengths)), lengths)
    labels, scores = labels > 0, (scores > 0 if flags else scores + 0.5)
    data = aj.Points(labels, scores, series=series, where=where, clock=clock)
    return data.cases[0]


def one_by_one(metric, case, offsets):
    """The value at each common offset, each a case of its own."""
    return np.array([metric.reading(case.turned(by)).value for by in offsets])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("spec", [*FLAGS, *SCORES])
def test_p_on_one_clock_is_the_share_of_all_common_offsets(spec, seed):
    case, metric = panel(seed, flags=spec in FLAGS), aj.metric(spec)
    every = one_by_one(metric, case, range(40))
    (row,) = aj.evaluate(case.events, case.given, spec, clock="shared").rows
    assert row.p_value == pytest.approx(np.mean(every >= every[0] - 1e-12)) or not row.exact
    found = CaseShifts(case).tested(metric, every[0], Ask())
    assert found.exact
    assert found.size in {39, 40}
    assert found.p == pytest.approx(np.mean(every >= every[0] - 1e-12))


@pytest.mark.parametrize("spec", [*FLAGS, *SCORES, *ISLANDS])
def test_quick_ways_take_one_offset_for_all(spec):
    for seed, where in ((0, None), (1, np.arange(120) % 7 > 0), (2, np.arange(120) % 40 < 33)):
        case = panel(seed, flags=spec in [*FLAGS, ISLANDS[0]], where=where)
        metric = aj.metric(spec).on(case.events)
        for shifting in (CaseShifts(case), CaseShifts(case).nearby):
            null, ways = shifting.values(metric, 9, 5), shifting.way(metric)[0]
            by, _, places = shifting._chosen(10, 9, 5)  # noqa: SLF001 - what values were made at
            together = case.together(shifting.bounds)
            assert places.shape[1] == together.max() + 1 < by.shape[1]
            slow = [metric.reading(case.turned(one, shifting.bounds)).value for one in by]
            np.testing.assert_allclose(null.values, slow, atol=1e-12)
            np.testing.assert_allclose(ways.values(by), slow, atol=1e-12)


def slow_offsets(case, k):
    """How far each line turns by the k-th place, by the rule in words."""
    begin, end = (side.tolist() for side in case.spans())
    sizes = case.lengths.tolist()
    longest = int(np.argmax(sizes))
    pace = (end[longest] - begin[longest]) / sizes[longest]
    paces = [(b - a) / size for a, b, size in zip(begin, end, sizes, strict=True)]
    return [round(k * pace / own) % size for own, size in zip(paces, sizes, strict=True)]


@pytest.mark.parametrize("masked", [False, True])
def test_how_far_each_series_turns(masked):
    where = (np.arange(120) % 4 > 0) | (np.arange(120) < 40) if masked else None
    case = panel(3, flags=True, where=where)
    shifting = CaseShifts(case)
    places = int(shifting._places[0])  # noqa: SLF001 - how many there are
    assert places == 40
    by = shifting.moved(np.arange(places)[:, np.newaxis])
    assert by.tolist() == [slow_offsets(case, k) for k in range(places)]
    assert len(np.unique(by, axis=0)) == places


def joined_late(seed, *, flags=True, events=None):
    """Series that begin and end at different times of one clock; an hour is a point."""
    starts, ends = (0, 13, 26), (80, 100, 91)
    rng = np.random.default_rng(seed)
    hours = np.concatenate([np.arange(*ends_) for ends_ in zip(starts, ends, strict=True)])
    labels, scores = np.isin(hours % 37, [30, 31]), np.isin(hours % 23, [3, 4, 5])
    labels = labels if events is None else np.isin(hours, events)
    scores = scores if flags else scores + rng.integers(0, 2, hours.size) / 2 + 0.5
    series = np.repeat(np.arange(len(starts)), np.subtract(ends, starts))
    times = np.datetime64("2026-01-05", "s") + hours * np.timedelta64(1, "h")
    return aj.Points(labels, scores, series=series, time=times).cases[0], hours


def test_series_that_joined_late_are_cut_at_the_same_moments():
    case, hours = joined_late(0)
    shifting = CaseShifts(case)
    assert shifting.nearby is shifting
    cuts = np.setdiff1d(shifting.bounds, case.events.series_bounds)
    inside = case.events.labels[cuts] & case.events.labels[cuts - 1]
    assert not inside.any()
    moved = hours[cuts] % 10 != 0  # next to an event
    assert (case.events.labels[cuts] | case.events.labels[cuts - 1])[moved].all()
    assert set(range(10, 100, 10)) <= set(hours[cuts])
    together = case.together(shifting.bounds)
    middle = (hours[shifting.bounds[:-1]] + hours[shifting.bounds[1:] - 1] + 1) / 2
    assert [len(set(together[middle // 10 == slot])) for slot in range(10)] == [1] * 10
    own = joined_late(0)[0].events
    assert not CaseShifts(aj.Case(clocked(own, "own"), case.given))._in_tenths  # noqa: SLF001


@pytest.mark.parametrize("spec", ["f1", "event_f1", "f1_ba(width=4)", "ap", "best(f1)"])
def test_series_that_joined_late_are_judged_as_each_shift_is(spec):
    flags = spec in {"f1", "event_f1", "f1_ba(width=4)"}
    masked = panel(4, flags=flags, lengths=(40, 30, 21), where=np.arange(91) % 6 > 0)
    for case in (joined_late(1, flags=flags)[0], masked):
        is_judged_shift_by_shift(spec, case)


def is_judged_shift_by_shift(spec, case):
    shifting, metric = CaseShifts(case), aj.metric(spec).on(case.events)
    null = shifting.values(metric, 9, 5)
    by, _, places = shifting._chosen(10, 9, 5)  # noqa: SLF001 - what values were made at
    assert places.shape[1] == 10 < by.shape[1]
    slow = [metric.reading(case.turned(one, shifting.bounds)).value for one in by]
    np.testing.assert_allclose(null.values, slow, atol=1e-12)
    (row,) = aj.evaluate(case.events, case.given, spec).rows
    assert row.p_value == row.p_nearby or np.isnan(row.p_nearby)
    assert row.p_least == pytest.approx(room(case.events, shifting.bounds, together_of(case)))


def together_of(case):
    return case.together(CaseShifts(case).bounds)


def test_what_happened_at_one_time_stays_together_wherever_it_turns(monkeypatch):
    """In the part of the clock that all series lived through."""
    case, hours = joined_late(2, events=[3, 95])  # so that all tenths begin at full tens

    def is_at_one_time():
        shifting = CaseShifts(case)
        turned = [
            case.turned(by, shifting.bounds).flags
            for by in shifting._stream(0, 40)  # noqa: SLF001 - the first shifts of a test
        ]
        lines = [
            slice(a, b) for a, b in itertools.pairwise(case.events.series_bounds)
        ]  # fmt: skip
        seen = [[set(hours[line][flags[line]]) & set(range(30, 80)) for line in lines]
                for flags in turned]  # fmt: skip
        return all(a == b == c for a, b, c in seen)

    assert is_at_one_time()
    monkeypatch.setattr(
        "adjudge.noise.shifting.shifted_case.has_lines_out_of_step", lambda _: False
    )
    assert not is_at_one_time()  # each as a whole, by one offset


def test_blocks_of_series_turn_by_the_tenth_of_the_clock():
    case = panel(5, flags=True)
    edges = tenths(case.events)
    together = case.together(edges)
    home = np.searchsorted([40, 80], edges[:-1], side="right")
    middle = (edges[:-1] + edges[1:]) / 2 - 40 * home
    for one in range(together.max() + 1):
        own = together == one
        assert len(np.unique(home[own])) == own.sum()  # at most one of each series
        assert np.ptp(np.ceil(middle[own] / 4 - 1e-9)) == 0
    still = panel(5, flags=True, clock="own")
    assert still.together(edges).tolist() == list(range(len(edges) - 1))


def test_two_blocks_in_one_tenth_turn_apart():
    home, begin, end = np.zeros(3, int), np.array([0, 1, 2]), np.array([1, 2, 30])
    assert blocks_together(np.array([0]), home, ClockSpans(begin, end)).tolist() == [0, 1, 2]


def test_a_common_gap_parts_a_clock_in_two():
    hours = np.append(np.arange(20), np.arange(20) + 100)
    times = np.datetime64("2026-01-05", "s") + np.tile(hours, 2) * np.timedelta64(1, "h")
    labels = np.arange(80) % 20 == 7
    data = aj.Points(labels, labels, series=np.repeat(["a", "b"], 40), time=times)
    assert data.cases[0].clocks.tolist() == [0, 0]
    assert data.cases[0].together().tolist() == [0, 1, 0, 1]
    own = lines_together(np.array([0, 1]), data.cases[0].spans(np.array([0, 40, 80])))
    assert own.tolist() == [0, 1]


def test_whole_periods_are_turned_by_as_many_on_all_series():
    case = panel(1, flags=True, lengths=(40, 40, 40))
    seasonal = CaseShifts(case).seasonal(8)
    metric = aj.metric("f1")
    null = seasonal.values(metric)
    by, exact, places = seasonal._chosen(1000, 999, 0)  # noqa: SLF001 - what values were made at
    assert exact
    moving = by[:, seasonal._steps > 0]  # noqa: SLF001 - the blocks that turn
    assert (places.max(axis=1) > 0).all()
    assert (moving % 8 == 0).all()
    assert moving.shape[1] == 3
    assert all(len(set((one // 8).tolist()) - {0}) == 1 for one in moving)
    slow = [metric.reading(case.turned(one, seasonal.bounds)).value for one in by]
    np.testing.assert_allclose(null.values, slow, atol=1e-12)


def test_room_nearby_is_that_of_the_narrowest_event_at_each_offset():
    labels = np.zeros((2, 100), int)
    labels[0, 12:15] = labels[1, 14:16] = labels[1, 55:56] = 1
    series = np.repeat([0, 1], 100)
    shared, own = (
        aj.Points(labels.ravel(), labels.ravel(), series=series, clock=rule).cases[0].events
        for rule in ("shared", "own")
    )
    bounds = tenths(own)
    case = aj.Case(shared, labels.ravel())
    assert room(own, bounds) == pytest.approx(5 / 10 * 3 / 10 * 1 / 10)
    assert CaseShifts(case)._room == pytest.approx(3 / 10 * 1 / 10)  # noqa: SLF001 - the smallest p


@pytest.mark.parametrize("spec", ["event_f1", "ap"])
def test_several_detectors_on_one_clock_are_tested_at_the_same_places(spec):
    case = panel(2, flags=True)
    rng = np.random.default_rng(3)
    detectors = {name: case.given * rng.random(120) for name in "abc"}
    if spec == "event_f1":
        detectors = {name: scores > 0.3 for name, scores in detectors.items()}
    rows = aj.evaluate(case.events, detectors, spec, clock="shared", null="shifted").rows
    assert all(row.p_adjusted >= row.p_joint for row in rows)
    every = np.array([
        one_by_one(aj.metric(spec), aj.Case(case.events, scores), range(40))
        for scores in detectors.values()
    ])  # fmt: skip
    for row, values in zip(rows, every, strict=True):
        assert row.p_value == pytest.approx(np.mean(values >= values[0] - 1e-12), abs=0.04)


# --- services -------------------------------------------------------------------------------------


def shared_case(seed, dark=None):
    case = case_of(seed, ("a", "b"), dark=dark)
    return type(case)(case.name, case.incidents, case.alerts, case.watched, case.early, shared=True)


@pytest.mark.parametrize("seed", range(8))
def test_services_of_one_span_turn_by_one_offset(seed):
    case = shared_case(seed)
    turns = AlertTurns(case)
    every = BALANCED.value(BALANCED.sums(case.turned_counts(np.tile(np.arange(600)[:, None], 2))))
    found = turns.tested(BALANCED, every[0], Ask())
    assert found.exact
    share = np.mean(every >= every[0] - 1e-12)
    assert found.p == pytest.approx(max(share, 20 / 600), abs=0.02)
    (sweep,) = turns.swept(BALANCED)
    sums = np.array([BALANCED.sums(case.turned_counts(np.full((1, 2), by)))[0]
                     for by in range(5, 600, 10)])  # fmt: skip
    assert sweep.mean[:4] == pytest.approx(sums.mean(axis=0)[:4])
    drawn = turns.values(BALANCED, 20, 0).values
    assert np.isin(np.round(drawn, 9), np.round(every, 9)).all()


def test_a_service_that_was_watched_for_less_time_turns_by_as_much_less():
    dark = aj.Alerts([100], [300], service=["b"])
    turns = AlertTurns(shared_case(2, dark))
    assert turns.case.lengths.tolist() == [600, 400]
    assert turns.common.each(np.array([[300]])).tolist() == [[300, 200]]
    (sweep,) = turns.swept(aj.event_recall)
    assert sweep.lengths.sum() == pytest.approx(1)
    every = aj.event_recall.sums(turns.case.turned_counts(turns.common.each(
        np.arange(5, 600, 10)[:, np.newaxis])))[:, 0]  # fmt: skip
    assert sweep.mean[0] == pytest.approx(every.mean(), abs=0.1)


def test_alerts_have_no_places_in_common_and_are_tested_by_every_null_model():
    turns = AlertTurns(shared_case(2, aj.Alerts([100], [300], service=["b"])))
    assert turns.needs_every_test
    assert turns.only_places(aj.event_recall) is None


def test_tenths_of_services_turn_together():
    turns = AlertTurns(shared_case(3)).nearby
    offsets = turns._offsets(7, 0)  # noqa: SLF001 - what is drawn
    assert offsets.shape == (7, 20)
    assert np.array_equal(offsets[:, :10], offsets[:, 10:])
    apart = AlertTurns(case_of(3, ("a", "b"), dark=None)).nearby._offsets(7, 0)  # noqa: SLF001
    assert not np.array_equal(apart[:, :10], apart[:, 10:])


# --- coincidence ----------------------------------------------------------------------------------


def slow_overlap(table):
    return int((table.sum(axis=0) ** 2).sum())


def test_overlaps_are_those_of_series_turned_one_by_one(monkeypatch):
    rng = np.random.default_rng(0)
    table = np.zeros((4, 50), bool)
    for start in (0, 20, 46):
        table[rng.choice(4, 3, replace=False), start : start + 4] = True
    home, seen = slow_overlap(table), []
    for offsets in np.random.default_rng(20_240_919).integers(50, size=(199, 4)):
        turned = np.array([np.roll(row, by) for row, by in zip(table, offsets, strict=True)])
        seen.append(slow_overlap(turned) >= home)
    assert overlap_p(table) == (1 + sum(seen)) / 200 < 0.05
    monkeypatch.setattr("adjudge.noise.coincidence._CELLS", 20)
    assert overlap_p(table) < 0.1  # of stretches of three points


@pytest.mark.parametrize("scores", [False, True])
def test_series_whose_events_and_alarms_coincide_share_a_clock(scores):
    rng = np.random.default_rng(1)
    labels, flags = np.zeros((2, 6, 200), int)
    labels[:, [30, 31, 120, 170]] = flags[:, [50, 90, 91, 140]] = 1
    series, given = np.repeat(np.arange(6), 200), flags.ravel()
    given = given + rng.random(1200) / 2 if scores else given
    found = aj.Points(labels.ravel(), given, series=series)
    assert found.cases[0].clocks.tolist() == [0] * 6
    assert "coincide (p = 0.005 both)" in found.cases[0].events.clock_note
    lone = np.concatenate([np.roll(row, rng.integers(200)) for row in flags])
    assert aj.Points(labels.ravel(), lone, series=series).cases[0].clocks.tolist() == [*range(6)]
    assert aj.Points(lone, given, series=series).cases[0].clocks.tolist() == [*range(6)]
    own = aj.Points(labels.ravel(), given, series=series, clock="own")
    assert own.cases[0].clocks.tolist() == [*range(6)]
    uneven = aj.Points(labels.ravel(), given, series=np.repeat([0, 1], [500, 700]))
    assert coincidence(uneven.cases[0].events, uneven.cases) is None


def test_detectors_with_points_left_out_are_on_the_same_clocks():
    labels = np.tile(np.arange(50) % 20 == 3, 3)
    scores = np.where(np.arange(150) % 11 == 0, np.nan, labels + 0.0)
    how = {"series": np.repeat([0, 1, 2], 50), "clock": "shared", "missing": "skip"}
    both = aj.Points(labels, {"a": scores, "b": labels}, **how).cases
    assert [case.clocks.tolist() for case in both] == [[0, 0, 0]] * 2
    assert both[0].events.judged.sum() < 150
    assert clocked(both[0].events, "own").clocks is None


def test_offsets_that_are_not_common_would_be_noticed(monkeypatch):
    def p_and_share(seed):
        case, metric = panel(seed, flags=True), aj.metric("f1")
        every = one_by_one(metric, case, range(40))
        found = CaseShifts(case).tested(metric, every[0], Ask())
        return found.p, np.mean(every >= every[0] - 1e-12)

    right = [p_and_share(seed) for seed in range(5)]
    assert all(p == pytest.approx(share) for p, share in right)
    lines = np.arange(3)
    monkeypatch.setattr(CommonOffsets, "each", lambda _, by: (by + lines * (by > 0)) % 40)
    wrong = [p_and_share(seed) for seed in range(5)]
    assert not all(p == pytest.approx(share) for p, share in wrong)


# --- words ----------------------------------------------------------------------------------------


def row_of(**more):
    known = {"chance": 0.1, "p_value": 0.02, "p_adjusted": 0.24, "p_joint": 0.02, "event_count": 9}
    return Finding("x", "f1", 0.6, None, "given", "f1", shifts=1500, exact=True, **known | more)


def test_a_verdict_says_what_no_detector_could_reach_on_one_clock():
    said = verdict([row_of(together="all series together", p_least=0.02)], 12)
    assert "all series together, score 0.10" in said
    assert said.endswith("On one clock p is at least 0.02, and 12 detectors need 0.0042.")
    alone = verdict([row_of(together="all series together", p_least=0.07, p_value=0.3)])
    assert alone.endswith("On one clock p is at least 0.07, and a detector needs 0.05.")
    assert "not distinguishable" in verdict([row_of(p_value=0.3, p_least=0.01)], 12)


def test_series_of_several_clocks_are_said_to_be():
    day = np.datetime64("2026-01-05", "s") + np.arange(60) * np.timedelta64(1, "h")
    times = np.concatenate([day, day, day + np.timedelta64(90, "D")])
    labels = np.tile(np.arange(60) % 30 == 7, 3)
    data = aj.Points(labels, np.roll(labels, 3), series=np.repeat(list("abc"), 60), time=times)
    shared = CaseShifts(data.cases[0]).shared
    assert shared.together == "series of 2 clocks together"
    assert shared.p_least == pytest.approx(1 / 60 * 1 / 60)
    assert "series of 2 clocks together" in str(aj.evaluate(data, "f1").verdicts)
