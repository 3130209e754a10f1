"""Expected masses: white noise against Monte-Carlo and enumeration, shifts against all of them."""

from itertools import product

import numpy as np
import pytest

from adjudge.adjust.adjustments import Covered, Dilated, point_adjusted, raw
from adjudge.adjust.balanced import Balanced
from adjudge.count.points import PointCount
from adjudge.count.runs import Runs
from adjudge.data.events import Events
from adjudge.noise.blind_detectors import Shifted, White, expected_masses

ADJUSTMENTS = {
    "raw": raw,
    "point_adjusted": point_adjusted,
    "Covered(0.2)": Covered(0.2),
    "Covered(0.5, strict)": Covered(0.5, strict=True),
    "Covered(1, strict)": Covered(1, strict=True),
    "Dilated(4)": Dilated(4),
    "Balanced(iid)": Balanced("iid"),
    "Balanced(7, shift)": Balanced(7, border="shift"),
    "Balanced(7, shift, margin)": Balanced(7, border="shift", margin=2),
    "Balanced(matched, shift)": Balanced("matched", border="shift"),
    **{
        f"Balanced({w}, {i}, {m})": Balanced(w, i, m)
        for w in (None, 4, 9)
        for i in ("normal", "spill", "all")
        for m in (0, 2)
    },
}


def mixed_labels():
    """Widths from 1 to 30, an event at either end, gaps shorter and longer than the islands."""
    labels = np.zeros(260, int)
    for start, width in (
        (0, 5),
        (20, 1),
        (24, 3),
        (60, 12),
        (120, 30),
        (155, 2),
        (200, 7),
        (259, 1),
    ):
        labels[start : start + width] = 1
    return labels


def layouts():
    labels = mixed_labels()
    halves = np.repeat(["a", "b"], [130, 130])
    some = np.ones(260, bool)
    some[[21, 22, 64, 65, 66, 170, 171]] = False
    return {
        "one series": Events.from_labels(labels),
        "two series": Events.from_labels(labels, series=halves),
        "some judged": Events.from_labels(labels, series=halves, where=some),
    }


def layered_flags(adjust, events, flags, many):
    """Adjust by the widths of the one case; layers are mixed point by point."""
    layers = adjust.resolved(events).layers(events)
    total = sum(weight for weight, _ in layers)
    return sum(weight * layer(flags, many) for weight, layer in layers) / total


def drawn_masses(adjust, events, rate, draws, seed):
    """Draw many cases at once, as series of one long case; give found and false of each."""
    rng = np.random.default_rng(seed)
    n, found, false = events.n, [], []
    bounds = np.diff(events.series_bounds)
    for _ in range(10):
        times = draws // 10
        ids = np.repeat(np.arange(times * len(bounds)), np.tile(bounds, times))
        where = None if events.judged is None else np.tile(events.judged, times)
        many = Events.from_labels(np.tile(events.labels, times), series=ids, where=where)
        flags = rng.random(n * times) < rate
        flags = flags if where is None else flags & where
        adjusted = layered_flags(adjust, events, flags, many)
        found.append((adjusted * many.labels).reshape(times, n).sum(axis=1))
        false.append((adjusted * many.normal).reshape(times, n).sum(axis=1))
    return np.concatenate(found), np.concatenate(false)


@pytest.mark.parametrize(
    "layout",
    [
        "some judged",
        pytest.param("one series", marks=pytest.mark.long),
        pytest.param("two series", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("rate", [0.01, 0.15])
@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_expected_masses_of_white_noise_lie_within_four_standard_errors(name, rate, layout):
    adjust, events = ADJUSTMENTS[name], layouts()[layout]
    draws = 4000 if layout == "some judged" else 20_000
    found, false = drawn_masses(adjust, events, rate, draws, seed=7)
    tally = expected_masses(adjust, PointCount(), events, White(rate))
    for drawn, expected in ((found, tally.found), (false, tally.flagged - tally.right)):
        error = drawn.std() / np.sqrt(drawn.size)
        assert abs(drawn.mean() - expected) <= 4 * error + 1e-12, name


@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_expected_masses_of_white_noise_are_exact_on_a_few_points(name):
    """Every one of the 512 possible draws, weighed with its probability."""
    events, rate = Events.from_labels([0, 1, 1, 0, 0, 0, 1, 0, 0]), 0.3
    adjust = ADJUSTMENTS[name]
    found = false = 0.0
    for pattern in product([False, True], repeat=events.n):
        adjusted = layered_flags(adjust, events, np.array(pattern), events)
        weight = rate ** sum(pattern) * (1 - rate) ** (events.n - sum(pattern))
        found += weight * adjusted[events.labels].sum()
        false += weight * adjusted[events.normal].sum()
    tally = expected_masses(adjust, PointCount(), events, White(rate))
    assert tally.found == pytest.approx(found, rel=1e-12)
    assert tally.flagged - tally.right == pytest.approx(false, rel=1e-12)
    assert (tally.truth, tally.normal) == (3, 6)


def brute_force(adjust, flags, events):
    """The mean masses over all shifts of one series."""
    masses = [
        PointCount().masses(adjust(np.roll(flags, k), events), events).at(False)
        for k in range(events.n)
    ]
    return np.mean([m.found for m in masses]), np.mean([m.flagged - m.right for m in masses])


def spaced_labels():
    """Gaps wider than every window, so that none straddles an event."""
    labels = np.zeros(300, bool)
    for start, width in ((40, 5), (100, 20), (180, 1), (250, 12)):
        labels[start : start + width] = True
    return Events.from_labels(labels)


def clustered(n, seed):
    rng = np.random.default_rng(seed)
    flags = np.zeros(n, bool)
    for start in rng.integers(0, n, 5):
        flags[start : start + rng.integers(1, 9)] = True
    return flags


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "adjust",
    [raw, point_adjusted, Covered(0.2), Covered(0.5, strict=True)],
    ids=["raw", "PA", "KPA", "KPA strict"],
)
def test_expected_masses_of_shifts_are_the_mean_over_all_shifts(adjust, seed):
    events = spaced_labels()
    flags = clustered(events.n, seed)
    found, false = brute_force(adjust, flags, events)
    tally = expected_masses(adjust, PointCount(), events, Shifted(flags, events))
    assert tally.found == pytest.approx(found, rel=1e-9)
    assert tally.flagged - tally.right == pytest.approx(false, rel=1e-9)


@pytest.mark.parametrize("islands", ["normal", "spill", "all"])
@pytest.mark.parametrize("seed", range(4))
def test_balanced_masses_of_shifts_are_exact_where_no_window_straddles_an_event(islands, seed):
    """All windows are then runs of neighbours, in the first two readings of the false side."""
    labels = np.zeros(300, bool)
    labels[:20] = labels[280:] = True  # one event across the seam of the circle, as two
    events = Events.from_labels(labels)
    flags = clustered(events.n, seed)
    adjust = Balanced(9, islands)
    found, false = brute_force(adjust, flags, events)
    tally = expected_masses(adjust, PointCount(), events, Shifted(flags, events))
    assert tally.found == pytest.approx(found, rel=1e-9)
    assert tally.flagged - tally.right == pytest.approx(false, rel=1e-9)


def test_a_window_that_straddles_an_event_counts_a_little_too_few_false_positives():
    """Its points lie apart, so clustered alarms reach them more often than neighbours."""
    labels = np.zeros(300, bool)
    labels[100:103] = labels[200:203] = True
    events = Events.from_labels(labels)
    for seed in range(10):
        flags = clustered(events.n, seed)
        found, false = brute_force(Balanced(21), flags, events)
        tally = expected_masses(Balanced(21), PointCount(), events, Shifted(flags, events))
        assert tally.found == pytest.approx(found, rel=1e-9)
        assert 0.98 * false <= tally.flagged - tally.right <= false + 1e-9


def test_series_shift_apart_and_unjudged_points_are_left_out_of_the_circle():
    labels = np.r_[np.zeros(10), np.ones(4), np.zeros(10), np.zeros(6), np.ones(2), np.zeros(4)]
    series = np.repeat([0, 1], [24, 12])
    where = np.ones(36, bool)
    where[[2, 3, 30]] = False
    events = Events.from_labels(labels, series=series, where=where)
    flags = np.zeros(36, bool)
    flags[[0, 2, 12, 13, 28]] = True
    null = Shifted(flags, events)
    assert null.holds(np.array([1, 4]), 0).tolist() == pytest.approx(
        [3 / 22, 9 / 22]
    )  # gaps of 10, 1 and 11
    assert null.holds(np.array([1, 2]), 1).tolist() == pytest.approx([1 / 11, 2 / 11])
    tally = expected_masses(point_adjusted, PointCount(), events, null)
    assert tally.found == pytest.approx(4 * 9 / 22 + 1 / 11)


def test_a_silent_detector_expects_nothing_and_noise_at_rate_one_everything():
    events = spaced_labels()
    silent = expected_masses(Balanced(), PointCount(), events, Shifted(np.zeros(300, bool), events))
    assert silent[:4] == (0, 38, 0, 0)
    loud = expected_masses(Balanced(), PointCount(), events, White(1))
    assert loud[:4] == (38, 38, 38, 300)


def test_a_window_may_go_round_the_circle_more_than_once():
    null = Shifted(np.array([1, 0, 0]) > 0, Events.from_labels([0, 0, 0]))
    assert null.hits(7, 0).tolist() == pytest.approx([0, 0, 2 / 3, 1 / 3, 0, 0, 0, 0])


def test_what_has_no_closed_form_says_so():
    events = spaced_labels()
    assert expected_masses(raw, Runs(), events, White(0.1)) is None
    near_hits = Covered(tolerance=2)  # enough hits mark their neighbours, not the event
    assert near_hits.reach(events) is near_hits.marking(events) is None
    assert expected_masses(near_hits, PointCount(), events, White(0.1)) is None


@pytest.mark.parametrize("null", [White(0.2), Shifted(clustered(300, 1), spaced_labels())])
def test_draws_follow_the_null(null):
    events, rng = spaced_labels(), np.random.default_rng(0)
    drawn = np.array([null.draw(events, rng) for _ in range(500)])
    share = null.holds(np.array(1), 0)
    assert drawn.mean() == pytest.approx(share, abs=0.01)


def test_draws_leave_unjudged_points_out():
    events, rng = layouts()["some judged"], np.random.default_rng(0)
    for null in (White(0.9), Shifted(np.ones(260, bool), events)):
        assert not np.any(null.draw(events, rng) & ~events.judged)
