"""The simulator: labels, detections, scores, marks; kinds of detectors and targets."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import adjudge as aj
from adjudge.data.intervals import runs
from adjudge.errors import InputError
from adjudge.lab.simulation.detector_habits import Detections, detect
from adjudge.lab.simulation.event_profile import attributes
from adjudge.lab.simulation.scenario import FAMILIES, KINDS, Scenario
from adjudge.lab.simulation.simulator import (
    Simulation,
    _autoregressive,
    _averaged,
    draw_events,
    draw_shares,
    lifted,
    scored,
    simulate,
)
from adjudge.measure.whole.separation import separation
from lab.simulation import naive_simulator as naive

SMALL = {"widths": (5, 20), "gaps": (10, 40), "hit_widths": (3, 9), "false_alarms": (0, 4)}
seeds = st.integers(0, 2**32)


def simulations(scenario, count):
    return [simulate(scenario, seed) for seed in range(count)]


def run_count(flags):
    return len(runs(flags, np.array([0]))[0])


# --- labels ---------------------------------------------------------------------------------------


@given(st.integers(0, 6), st.integers(0, 6), seeds)
def test_labels_keep_to_their_ranges_and_never_touch(fewest, more, seed):
    scenario = Scenario(events=(fewest, fewest + more), widths=(3, 5), gaps=(2, 4))
    events = simulate(scenario, seed).events
    assert fewest <= len(events) <= fewest + more
    assert set(events.widths.tolist()) <= {3, 4, 5}
    edges = np.concatenate([[0], np.stack([events.starts, events.stops], 1).ravel(), [events.n]])
    assert set(np.diff(edges)[::2].tolist()) <= {2, 3, 4}
    assert run_count(events.labels) == len(events)


def test_both_ends_of_every_whole_range_are_reached_and_nothing_beyond():
    scenario = Scenario(events=(2, 4), widths=(3, 5), gaps=(6, 8))
    drawn = [draw_events(scenario, np.random.default_rng(seed)) for seed in range(60)]
    assert {2, 3, 4} == {len(events) for events in drawn}
    assert {3, 4, 5} == {width for events in drawn for width in events.widths.tolist()}
    gaps = [np.append(e.starts, e.n) - np.append(0, e.stops) for e in drawn]
    assert {6, 7, 8} == set(np.concatenate(gaps).tolist())


def test_labels_are_those_of_the_twin():
    scenario, seed = Scenario(events=7, widths=(3, 9), gaps=(1, 30)), 5
    events = draw_events(scenario, np.random.default_rng(seed))
    rng = np.random.default_rng(seed)
    rng.integers(7, 7, 1, endpoint=True)
    widths, gaps = (rng.integers(a, b, k, endpoint=True) for a, b, k in ((3, 9, 7), (1, 30, 8)))
    assert naive.labels(widths.tolist(), gaps.tolist()) == events.labels.astype(int).tolist()


def test_no_event_at_all_is_a_series_of_normal_points():
    case = simulate(Scenario(events=0, threshold=None), 0)
    assert (0, 0) == (len(case.events), case.marks.sum())
    assert math.isnan(case.achieved["recall"])
    assert math.isnan(case.achieved["separation"])


# --- latent detections ----------------------------------------------------------------------------


def found(scenario, seed):
    """The events with a latent point, and the points of the true detections by owner."""
    rng = np.random.default_rng(seed)
    events = draw_events(scenario, rng)
    latent, places, owners = detect(scenario, events, rng)
    return events, latent, places, owners


def test_hits_are_distinct_events_and_their_number_is_as_asked():
    scenario = Scenario(events=8, hits=(2, 5))
    counts = [len(set(found(scenario, seed)[3].tolist())) for seed in range(60)]
    assert {2, 3, 4, 5} == set(counts)


def test_hits_left_open_go_from_none_to_all_but_one():
    counts = {len(set(found(Scenario(events=3), seed)[3].tolist())) for seed in range(60)}
    assert {0, 1, 2} == counts


def test_a_true_detection_starts_in_its_event_and_has_a_width_of_the_range():
    scenario = Scenario(events=6, hits=6, widths=(5, 9), hit_widths=(2, 4), least_coverage=0)
    starts, widths, outlasts = set(), set(), False
    for seed in range(60):
        events, _, places, owners = found(scenario, seed)
        for owner in set(owners.tolist()):
            mine = places[owners == owner]
            assert (np.diff(mine) == 1).all()
            starts.add(int(mine[0] - events.starts[owner] - events.widths[owner]))
            widths.add(mine.size)
            outlasts |= bool(mine[-1] >= events.stops[owner])
            assert events.starts[owner] <= mine[0] < events.stops[owner]
    assert {2, 3, 4} == widths
    assert -1 in starts  # the last point of an event may be the first of its detection
    assert outlasts


def test_false_detections_start_at_normal_points():
    scenario = Scenario(events=5, widths=50, gaps=(10, 20), hits=0, false_alarms=9, false_widths=1)
    for seed in range(30):
        events, latent, places, _ = found(scenario, seed)
        assert not places.size
        assert not (latent & events.labels).any()
        assert 1 <= latent.sum() <= 9


def test_both_ends_of_the_false_ranges_are_reached():
    scenario = Scenario(events=1, hits=0, gaps=20_000, false_alarms=(1, 3), false_widths=(2, 4))
    drawn = [found(scenario, seed)[1] for seed in range(60)]
    assert {1, 2, 3} == {run_count(latent) for latent in drawn}
    lengths = [stops - starts for starts, stops in (runs(x, np.array([0])) for x in drawn)]
    assert {2, 3, 4} == set(np.concatenate(lengths).tolist())


def test_more_tries_cover_more():
    worst = {}
    for tries in (1, 30):
        scenario = Scenario(events=10, hits=5, tries=tries, least_coverage=1, false_alarms=0)
        covered = []
        for seed in range(40):
            events, _, places, owners = found(scenario, seed)
            inside = places < events.stops[owners]
            hit = np.bincount(owners[inside], minlength=10)
            covered.append((hit / events.widths)[np.unique(owners)].min())
        worst[tries] = np.mean(covered)
    assert worst[30] > 1.5 * worst[1]


def test_the_first_draw_that_covers_enough_is_kept():
    scenario = Scenario(events=4, hits=2, least_coverage=0)
    for seed in range(20):
        first = found(replace(scenario, tries=3), seed)[2]
        rng = np.random.default_rng(seed)
        events = draw_events(scenario, rng)
        rng.integers(2, 2, 1, endpoint=True)
        owners = rng.random((3, 4)).argsort(axis=1)[:, :2]
        offsets = rng.integers(0, events.widths[owners])
        assert (events.starts[owners[0]] + offsets[0])[0] == first[0]


@given(
    st.lists(st.tuples(st.integers(-5, 30), st.integers(1, 9)), max_size=6), st.sampled_from([1, 2])
)
def test_points_of_detections_are_those_of_the_twin(pairs, step):
    starts, widths = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    places, owners = Detections(starts, widths, np.arange(len(pairs))).points(25, step=step)
    latent = np.zeros(25, bool)
    latent[places] = True
    assert naive.latent(pairs, 25, step=step) == latent.tolist()
    assert all(
        starts[owner] <= place < starts[owner] + widths[owner]
        for place, owner in zip(places, owners, strict=True)
    )


# --- scores ---------------------------------------------------------------------------------------


@given(st.data(), st.integers(1, 60), st.integers(0, 9), st.sampled_from(KINDS))
def test_scores_are_those_of_the_twin(data, n, half, kind):
    shares = np.array(data.draw(st.lists(st.floats(0, 1), min_size=n, max_size=n)))
    latent = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    scenario = Scenario(
        regular=(-1, 0.5), detected=(0.25, 3), smoothing=2 * half + 1, detector=kind
    )
    apart = kind in {"flickering", "one-hit", "all-alarm"}
    twin = naive.scored_apart if apart else naive.scored
    expected = twin(latent, shares, (-1, 0.5), (0.25, 3), 2 * half + 1)
    np.testing.assert_allclose(scored(scenario, latent, shares), expected, rtol=0, atol=1e-12)


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=40), st.integers(0, 60))
def test_the_moving_average_is_that_of_the_twin(values, half):
    expected = naive.averaged(values, 2 * half + 1)
    np.testing.assert_allclose(_averaged(np.array(values), 2 * half + 1), expected, atol=1e-12)


def test_the_moving_average_of_one_value_is_one_value():
    inner = _averaged(np.full(5000, 0.3), 15)[7:-7]
    assert 1 == np.unique(inner).size


@given(
    st.lists(st.floats(-3, 3), min_size=1, max_size=50),
    st.sampled_from([0.0, 0.3, 0.9, 0.999999]),
)
def test_correlated_noise_is_that_of_the_twin(noise, correlation):
    expected = naive.autoregressive(noise, correlation)
    np.testing.assert_allclose(_autoregressive(np.array(noise), correlation), expected, atol=1e-11)


MARGINALS = {
    "uniform": stats.uniform(),
    "normal": stats.norm(0.5, 0.25),
    "beta": stats.beta(2, 2),
}


@pytest.mark.parametrize("correlation", [0.0, 0.8])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_keeps_its_shape_and_neighbours_their_correlation(family, correlation):
    scenario = Scenario(family=family, correlation=correlation)
    shares = draw_shares(scenario, 60_000, np.random.default_rng(3))
    apart = shares[:: 30 if correlation else 1]  # 0.8 ** 30 is nothing: these are independent
    assert stats.kstest(apart, MARGINALS[family].cdf).pvalue > 0.01
    gaussian = stats.norm.ppf(MARGINALS[family].cdf(shares).clip(1e-12, 1 - 1e-12))
    assert correlation == pytest.approx(np.corrcoef(gaussian[1:], gaussian[:-1])[0, 1], abs=0.02)


def test_the_test_of_families_notices_a_wrong_one():
    shares = draw_shares(Scenario(family="beta"), 2000, np.random.default_rng(3))
    assert stats.kstest(shares, MARGINALS["uniform"].cdf).pvalue < 0.01


@given(seeds)
def test_scores_stay_in_the_ranges_of_the_uniform_family(seed):
    scenario = Scenario(
        events=4, hits=2, smoothing=1, regular=(0.1, 0.3), detected=(0.6, 0.9), **SMALL
    )
    case = simulate(scenario, seed)
    for kind, (low, high) in ((case.latent, (0.6, 0.9)), (~case.latent, (0.1, 0.3))):
        assert ((case.scores[kind] >= low) & (case.scores[kind] <= high)).all()
    assert (case.marks == case.latent).all()


def test_severity_lifts_the_scores_of_its_event():
    scenario = Scenario(
        events=40, hits=40, widths=30, gaps=(60, 90), hit_widths=30, tries=1, smoothing=1,
        severity=(2, 5), false_alarms=0,
    )  # fmt: skip
    rng = np.random.default_rng(0)
    case = simulate(scenario, rng)
    assert ((case.events.severity >= 2) & (case.events.severity <= 5)).all()
    means = [case.scores[event][case.latent[event]].mean() for event in case.events]
    assert stats.spearmanr(case.events.severity, means).statistic > 0.9
    mild = case.events.severity < 2.3
    assert max(np.array(means)[mild]) < 0.72


def test_one_severity_for_all_lifts_nothing():
    plain, same = (
        simulate(Scenario(events=4, hits=3, severity=severity), 5) for severity in (None, (3, 3))
    )
    assert plain.events.severity is None
    assert [3, 3, 3, 3] == same.events.severity.tolist()
    assert 0.45 < same.scores[same.latent].mean() < 0.8
    shares = np.array([0.1, 0.5])
    assert shares.tolist() == lifted(shares, np.array([0]), np.array([np.nan])).tolist()


# --- marks ----------------------------------------------------------------------------------------


@given(
    seeds, st.sampled_from(KINDS), st.sampled_from(FAMILIES), st.none() | st.floats(0, 1)
)  # fmt: skip
def test_marks_are_the_scores_above_the_threshold(seed, kind, family, threshold):
    if kind == "all-alarm" and threshold is None:
        threshold = 0.5  # a quantile is refused
    scenario = Scenario(events=(0, 5), detector=kind, family=family, threshold=threshold, **SMALL)
    case = simulate(scenario, seed)
    assert [score > case.threshold for score in case.scores.tolist()] == case.marks.tolist()
    assert threshold is None or threshold == case.threshold
    assert case.events.n == case.latent.size == case.marks.size


@given(seeds)
def test_without_a_threshold_as_many_points_are_marked_as_are_anomalous(seed):
    case = simulate(Scenario(events=(1, 5), threshold=None, **SMALL), seed)
    share = 1 - case.events.labels.mean()
    assert naive.quantile(case.scores.tolist(), share) == pytest.approx(case.threshold, abs=1e-12)
    assert abs(int(case.marks.sum()) - int(case.events.labels.sum())) <= 1


def test_short_false_detections_are_smoothed_away():
    scenario = Scenario(hits=0, false_alarms=19, events=10)
    assert all(case.latent.any() for case in simulations(scenario, 10))
    lasting = sum(case.achieved["runs"] for case in simulations(scenario, 10))
    assert lasting <= 5  # of 190; a few fall together


def test_the_paper_s_design_flickers_at_wide_overlap_only():
    false = {}
    for d in (0.0, 0.45):
        scenario = Scenario(regular=(0, 0.25 + d), detected=(0.75 - d, 1))
        false[d] = [case.achieved["false_runs"] for case in simulations(scenario, 20)]
    assert 0 == max(false[0.0])
    assert 5 < np.median(false[0.45])


def test_the_paper_s_coverage_is_reproduced():
    """The released 15,000 experiments: 21.7 % below 0.2, 71.3 % up to 0.3, 7.0 % above."""
    covered = []
    for i in range(0, 15000, 20):
        d = (0.0127 * (i + 1)) % 0.5
        scenario = Scenario(false_alarms=i // 750, regular=(0, 0.25 + d), detected=(0.75 - d, 1))
        covered.append(attributes(*_marked(simulate(scenario, i))).coverage)
    low, high = np.mean(np.nan_to_num(covered) < 0.2), np.mean(np.nan_to_num(covered) > 0.3)
    assert 0.217 == pytest.approx(low, abs=0.04)
    assert 0.070 == pytest.approx(high, abs=0.025)


def _marked(case):
    return case.marks, case.events


# --- kinds ----------------------------------------------------------------------------------------

TEN = Scenario(events=10, hits=10, widths=(60, 80), hit_widths=40, tries=1, false_alarms=0)


@pytest.mark.parametrize(("kind", "moved"), [("lagging", 17), ("early", -17)])
def test_lagging_and_early_detectors_move_their_detections(kind, moved):
    for seed in range(5):
        events, _, places, owners = found(TEN, seed)
        _, _, later, same = found(replace(TEN, detector=kind, lag=17), seed)
        assert owners.tolist() == same.tolist()
        assert events.n == found(replace(TEN, detector=kind), seed)[1].size
        assert (places + moved).tolist() == later.tolist()
        assert places.max() < events.n


@pytest.mark.parametrize("kind", ["lagging", "early"])
def test_false_detections_are_not_moved(kind):
    scenario = Scenario(events=3, hits=0, false_alarms=5)
    for seed in range(5):
        stays = found(replace(scenario, detector=kind), seed)[1]
        assert found(scenario, seed)[1].tolist() == stays.tolist()


def test_a_detection_moved_off_the_series_is_cut():
    scenario = Scenario(events=1, hits=1, gaps=1, widths=9, detector="early", lag=5, hit_widths=4)
    for seed in range(10):
        assert (found(scenario, seed)[2] >= 0).all()
        assert (found(replace(scenario, detector="lagging"), seed)[2] < 11).all()


def test_a_flickering_detector_marks_every_second_point_of_its_detections():
    for seed in range(5):
        case, steady = (simulate(replace(TEN, detector=k), seed) for k in ("flickering", "latent"))
        assert (case.marks == case.latent).all()
        assert 20 * 10 >= case.marks.sum() > 10 * 10
        starts, stops = runs(case.marks, np.array([0]))
        assert (stops - starts == 1).all()
        assert (steady.latent | ~case.latent).all()


def test_a_one_hit_detector_marks_a_single_point_of_each_hit_event():
    for seed in range(5):
        case = simulate(replace(TEN, detector="one-hit", hits=7), seed)
        assert 7 == case.marks.sum() == (case.marks & case.events.labels).sum()
        assert 0.7 == case.achieved["recall"]


def test_an_all_alarm_detector_marks_everything():
    for case in simulations(replace(TEN, detector="all-alarm"), 5):
        assert case.marks.all()
        assert (1.0, 1.0, 1) == (
            case.achieved["recall"], case.achieved["coverage"], case.achieved["runs"],
        )  # fmt: skip


def test_a_random_detector_does_not_know_the_labels():
    scenario = Scenario(detector="random", events=10, hits=9, widths=100, gaps=(100, 120))
    cases = simulations(scenario, 120)
    inside = np.array([case.latent[case.events.labels].mean() for case in cases])
    outside = np.array([case.latent[case.events.normal].mean() for case in cases])
    spread = (inside - outside).std() / math.sqrt(len(cases))
    assert abs((inside - outside).mean()) < 3 * spread
    knows = simulations(replace(scenario, detector="latent"), 20)
    assert all(c.latent[c.events.labels].mean() > 0.05 for c in knows)
    assert 0.06 < inside.mean() < 0.10  # 9 of 17 points and 9 or so of 3, among 2,200


def test_a_random_detector_has_no_true_detections():
    rng = np.random.default_rng(0)
    scenario = Scenario(detector="random", severity=(0, 1))
    assert 0 == detect(scenario, draw_events(scenario, rng), rng)[1].size


# --- targets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("smoothing", [1, 15])
@pytest.mark.parametrize("recall", [0.1, 0.5, 1])
@pytest.mark.parametrize("precision", [0.2, 0.5, 1])
def test_precision_recall_and_coverage_are_reached(precision, recall, smoothing):
    for coverage in (0.3, 0.7, 1.0):
        scenario = Scenario(
            events=20, precision=precision, recall=recall, coverage=coverage, smoothing=smoothing
        )
        reached = simulate(scenario, 3).achieved
        assert recall == reached["recall"]
        assert precision == pytest.approx(reached["precision"], abs=0.03)
        assert coverage == pytest.approx(reached["coverage"], abs=0.04)


@pytest.mark.parametrize(
    "edge",
    [
        {"threshold": 0.4},
        {"threshold": 0.63},
        {"regular": (0, 0.62), "detected": (0.38, 1)},
        {"family": "normal", "smoothing": 5},
        {"smoothing": 1, "family": "beta"},
    ],
)
def test_what_is_just_accepted_reaches_precision_and_recall(edge):
    scenario = Scenario(events=20, precision=0.5, recall=0.5, **edge)
    reached = [case.achieved for case in simulations(scenario, 6)]
    assert 0.5 == pytest.approx(np.mean([r["precision"] for r in reached]), abs=0.03)
    assert 0.5 == pytest.approx(np.mean([r["recall"] for r in reached]), abs=0.01)


def test_a_coverage_below_the_narrowest_that_lasts_comes_out_somewhat_too_high():
    for asked, reached in ((0.15, 0.167), (0.2, 0.202), (0.22, 0.22)):
        cases = simulations(Scenario(events=20, recall=0.5, coverage=asked), 12)
        mean = np.mean([case.achieved["coverage"] for case in cases])
        assert reached == pytest.approx(mean, abs=0.006)


@pytest.mark.parametrize("separated", [0.3, 0.35, 0.4])
def test_separation_is_reached_beside_the_marks(separated):
    scenario = Scenario(events=20, recall=0.5, coverage=0.4, precision=0.5, separation=separated)
    for seed in range(3):
        reached = simulate(scenario, seed).achieved
        assert separated == pytest.approx(reached["separation"], abs=1e-3)
        assert 0.5 == reached["recall"]
        assert 0.5 == pytest.approx(reached["precision"], abs=0.05)


def test_a_separation_out_of_reach_gives_the_nearest_end():
    low, high = (
        simulate(Scenario(events=20, hits=10, separation=target), 0) for target in (0.0, 1.0)
    )
    between = simulate(Scenario(events=20, hits=10, separation=0.3), 0)
    assert 0 < low.achieved["separation"] < 0.3 < high.achieved["separation"] < 1
    assert 0.3 == pytest.approx(between.achieved["separation"], abs=1e-4)


def test_one_target_leaves_the_rest_to_its_fields():
    found_any = [c.achieved for c in simulations(Scenario(events=4, coverage=0.5), 25)]
    assert {0.25, 0.5, 0.75} == {reached["recall"] for reached in found_any}
    given_hits = simulate(Scenario(events=8, hits=6, precision=0.75), 1).achieved
    assert (0.75, 6, 2) == (given_hits["recall"], given_hits["true_runs"], given_hits["false_runs"])
    single = simulate(Scenario(events=1, precision=0.5), 1).achieved
    assert (1, 1) == (single["events_found"], single["false_runs"])


def test_a_precision_of_zero_is_nothing_but_false_alarms():
    for case in simulations(Scenario(events=5, precision=0), 5):
        assert (0.0, 0.0) == (case.achieved["precision"], case.achieved["recall"])
        assert 1 <= case.achieved["false_runs"] <= 19


def test_no_hits_and_a_precision_is_no_alarm():
    case = simulate(Scenario(events=5, hits=0, precision=0.5), 0)
    assert not case.latent.any()


@given(seeds, st.floats(0.1, 1))
def test_false_detections_for_a_target_stay_away_from_events_and_each_other(seed, precision):
    scenario = Scenario(
        events=(2, 6), hits=2, widths=(20, 30), gaps=(45, 300), smoothing=5, precision=precision,
        false_widths=(4, 9),
    )  # fmt: skip
    rng = np.random.default_rng(seed)
    events = draw_events(scenario, rng)
    latent, places, _ = detect(scenario, events, rng)
    false = latent.copy()
    false[places] = False
    starts, stops = runs(false, np.array([0]))
    assert (starts[1:] - stops[:-1] >= 5).all()
    assert ((stops - starts >= 4) & (stops - starts <= 9)).all()
    near = np.convolve(events.labels, np.ones(11), "same") > 0
    assert not (near & false).any()
    assert (events.labels[places]).all()


def test_false_detections_for_a_target_may_lie_anywhere_in_their_stretch():
    scenario = Scenario(events=1, hits=1, gaps=100, widths=30, smoothing=5, precision=0.5)
    starts = []
    for seed in range(400):
        events, latent, *_ = found(scenario, seed)
        starts += np.flatnonzero(latent & ~events.labels)[:1].tolist()
    first, last = 5, 230 - 5 - 5
    assert (first, last) == (min(starts), max(starts))
    assert 60 < len({start for start in starts if start < 100})


@pytest.mark.parametrize(
    ("hits", "precision", "false"), [(3, 0.55, 2), (3, 0.7, 1), (4, 0.9, 0), (1, 0.7, 1), (2, 1, 0)]
)
def test_the_number_of_false_detections_brings_precision_nearest(hits, precision, false):
    scenario = Scenario(events=5, hits=hits, precision=precision)
    near = min(range(9), key=lambda count: abs(hits / (hits + count) - precision))
    assert false == near == simulate(scenario, 0).achieved["false_runs"]


def test_false_detections_that_do_not_fit_are_left_out():
    scenario = Scenario(events=2, hits=2, gaps=(42, 400), precision=0.05, widths=30)
    counts = [case.achieved["false_runs"] for case in simulations(scenario, 10)]
    assert 38 == max(counts)  # 2 / 40 is the precision asked for
    assert 20 > min(counts)


# --- the front ------------------------------------------------------------------------------------


@given(seeds, st.sampled_from(KINDS))
def test_the_same_seed_gives_the_same_case_and_another_another(seed, kind):
    scenario = Scenario(events=(1, 4), detector=kind, correlation=0.3, **SMALL)
    one, same, other = (simulate(scenario, s) for s in (seed, seed, seed + 1))
    assert one.scores.tolist() == same.scores.tolist()
    assert one.events.labels.tolist() == same.events.labels.tolist()
    assert one.scores.tolist() != other.scores.tolist()


def test_a_generator_moves_on_and_none_is_another_every_time():
    rng = np.random.default_rng(4)
    first, second = simulate(Scenario(events=1), rng), simulate(Scenario(events=1), rng)
    assert first.scores.tolist() == simulate(Scenario(events=1), 4).scores.tolist()
    assert first.scores.tolist() != second.scores.tolist()
    assert simulate().scores.tolist() != simulate().scores.tolist()


@pytest.mark.parametrize("rng", [-1, True, 1.5, "seed", np.random.RandomState(0)])
def test_a_seed_that_is_none_is_refused(rng):
    with pytest.raises(
        InputError, match="rng must be a NumPy Generator or a seed, at least 0, got"
    ):
        simulate(Scenario(), rng)


def test_a_scenario_that_is_none_is_refused():
    with pytest.raises(InputError, match=r"scenario must be a Scenario, got 5; write Scenario\("):
        simulate(5)


def test_a_simulation_is_a_case_that_metrics_take():
    case = simulate(Scenario(events=5, hits=3), 0)
    assert isinstance(case, Simulation)
    assert isinstance(case, aj.Case)
    assert ("latent", 0.5, Scenario(events=5, hits=3)) == (
        case.name, case.threshold, case.scenario,
    )  # fmt: skip
    judged = aj.evaluate(case.events, case.scores, ["event_recall"], 0.5, chance=False)
    assert case.achieved["recall"] == judged["event_recall"]


def test_what_was_achieved_is_what_attributes_and_separation_say():
    case = simulate(Scenario(), 8)
    expected = attributes(case.marks, case.events)._asdict()
    expected["separation"] = separation(case.scores, case.events)
    assert expected == case.achieved
    assert all(type(case.achieved[name]) is int for name in ("events", "runs", "false_runs"))


def test_a_detection_may_run_past_the_last_point():
    case = simulate(Scenario(events=1, gaps=1, widths=9, hits=1, hit_widths=500), 0)
    assert case.latent[-1]
    assert case.latent.size == 11
