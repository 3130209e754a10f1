"""What every adjustment keeps to, whatever it does to the scores."""

import numpy as np
import pytest

from adjudge import Case, Events, InputError
from adjudge.adjust.adjustments import Covered, Delayed, Dilated, point_adjusted, raw
from adjudge.adjust.balanced import Balanced

ADJUSTMENTS = [
    raw,
    point_adjusted,
    Covered(k=0.4),
    Covered(k=0.4, tolerance=1),
    Delayed(k=2),
    Delayed(k=None),
    Dilated(width=4),
    Balanced(width=4),
    Balanced(width=3, islands="spill"),
    Balanced(width=4, islands="all", margin=1),
    Balanced(width=4, margin=2),
    Balanced(width=4, reading="printed"),
    Balanced(width=4, reading="authors", margin=1),
    Balanced(width=5, border="shift"),
    Balanced(width="iid"),
]

EVENTS = Events.from_labels([0, 1, 1, 0])


def drawn(seed):
    rng = np.random.default_rng(seed)
    series = np.repeat([0, 1], [11, 14])
    where = rng.random(25) < 0.9 if seed % 2 else None
    events = Events.from_labels(rng.random(25) < 0.3, series=series, where=where)
    judged = True if events.judged is None else events.judged
    return np.where(judged, rng.integers(0, 5, 25) / 4, -np.inf), events


@pytest.mark.parametrize("adjust", ADJUSTMENTS, ids=repr)
def test_an_adjustment_leaves_its_input_as_it_is(adjust):
    for seed in range(10):
        scores, events = drawn(seed)
        for given in (scores, scores > 0.5):
            before = given.copy()
            adjust(given, events)
            assert before.tolist() == given.tolist()


@pytest.mark.parametrize("adjust", ADJUSTMENTS, ids=repr)
def test_flags_are_adjusted_as_the_scores_above_their_threshold(adjust):
    for seed in range(20):
        scores, events = drawn(seed)
        adjusted = adjust(scores, events)
        for threshold in np.unique(scores):
            assert (adjusted > threshold).tolist() == adjust(scores > threshold, events).tolist()


@pytest.mark.parametrize("adjust", ADJUSTMENTS, ids=repr)
def test_the_reach_of_a_point_counts_the_points_that_mark_it_alone(adjust):
    for seed in range(10):
        _, events = drawn(seed)
        reach = adjust.reach(events)
        if reach is None:
            continue
        judged = np.flatnonzero(np.ones(25, bool) if events.judged is None else events.judged)
        marked = sum(adjust(np.arange(25) == place, events).astype(int) for place in judged)
        assert marked[judged].tolist() == reach[judged].tolist()


@pytest.mark.parametrize("width", range(1, 8))
@pytest.mark.parametrize("kind", [Dilated, Balanced])
def test_islands_reach_as_far_as_they_mark(kind, width):
    adjust, flags, events = kind(width), np.arange(21) == 10, Events.from_labels([0] * 21)
    raised_by, before, after = adjust.explain_islands(flags, events)
    marked = np.flatnonzero(adjust(flags, events)).tolist()
    assert list(range(10 - before, 10 + after + 1)) == marked
    assert flags.tolist() == raised_by.tolist()
    assert width == len(marked) == adjust.island_width


@pytest.mark.parametrize(
    ("settings", "why"),
    [({"border": "shift"}, "border='shift'"), ({"width": "matched"}, "width='matched'")],
)
def test_islands_that_cannot_be_are_refused_with_the_reason(settings, why):
    with pytest.raises(InputError) as refused:
        Balanced(islands="all", **settings)
    assert f"islands must be 'normal' with {why}, got 'all'" == str(refused.value)


def test_most_adjustments_have_nothing_to_say_about_islands():
    scores, events = drawn(0)
    for adjust in (raw, point_adjusted, Covered(), Delayed()):
        assert adjust.explain_islands(scores > 0.5, events) is None
        assert adjust.island_width is None
        assert adjust.resolved(events) is adjust
        assert adjust.layers(events) == [(1, adjust)]
        assert adjust.other_readings == {}
        assert adjust.marking(events).island == 1
    assert Dilated().marking(events) is None
    assert Balanced(5).marking(events).island == 5
    assert Balanced("matched").marking(events) is None
    assert Balanced(5, margin=1).marking(events) is None
    assert Covered().reach(events) is None


def marked_by(adjust, events):
    """For each point how many points mark it, each flagged all alone."""
    judged = np.ones(events.n, bool) if events.judged is None else events.judged
    counts = np.zeros(events.n, int)
    for place in np.flatnonzero(judged):
        counts += adjust(np.arange(events.n) == place, events)
    return np.where(judged, counts, 0)


@pytest.mark.parametrize("adjust", [one for one in ADJUSTMENTS if one.reach(EVENTS) is not None])
def test_the_reach_of_a_point_is_the_number_of_points_that_mark_it(adjust):
    for seed in range(12):
        _, events = drawn(seed)
        judged = slice(None) if events.judged is None else events.judged
        assert marked_by(adjust, events)[judged].tolist() == adjust.reach(events)[judged].tolist()


def test_an_adjustment_picks_every_alarm_unless_it_says_otherwise():
    case = Case([0, 1, 0], [0.1, 0.9, 0.2])
    assert point_adjusted.picked(case) is case
