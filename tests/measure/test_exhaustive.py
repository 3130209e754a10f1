"""The small world: every label x flag pair up to eight points, fast path against naive twin."""

from functools import partial
from itertools import product

import numpy as np
import pytest

import naive
from adjudge.adjust.adjustments import Covered, Dilated, point_adjusted, raw
from adjudge.adjust.balanced import Balanced
from adjudge.count.points import PointCount
from adjudge.count.runs import Coverage, Runs
from adjudge.count.weighted_events import EventWeighted
from adjudge.data.events import Events

WIDTHS = range(1, 10)
ADJUSTMENTS = [
    (raw, naive.raw),
    (point_adjusted, naive.point_adjusted),
    *((Covered(k), partial(naive.covered, k=k)) for k in (0.2, 0.4, 0.5, 1.0)),
    *(
        (Balanced(w, islands), partial(naive.balanced, width=w, islands=islands))
        for w in WIDTHS
        for islands in ("normal", "spill", "all")
    ),
    *((Balanced(w, border="shift"), partial(naive.shifted, width=w)) for w in WIDTHS),
    *((Dilated(w), partial(naive.dilated, width=w)) for w in WIDTHS),
]
SIZES = [
    *range(1, 6),
    pytest.param(6, marks=pytest.mark.long),
    pytest.param(7, marks=pytest.mark.on_demand),
    pytest.param(8, marks=pytest.mark.on_demand),
]


def world(n):
    """All pairs of labels and flags of n points, one below the other."""
    patterns = np.array(list(product([False, True], repeat=n)))
    labels = np.repeat(patterns, len(patterns), axis=0)
    return labels, np.tile(patterns, (len(patterns), 1))


def test_the_world_up_to_eight_points_has_87380_pairs():
    assert sum(4**n for n in range(1, 9)) == 87_380


@pytest.mark.parametrize("n", SIZES)
def test_every_adjustment_equals_its_naive_twin_on_every_pair(n):
    """All pairs are series of one long case, so that the borders of series are tested as well."""
    labels, flags = world(n)
    series = np.repeat(np.arange(len(labels)), n)
    everything = Events.from_labels(labels.ravel(), series=series)
    pairs = list(zip(labels.tolist(), flags.tolist(), strict=True))
    for fast, slow in ADJUSTMENTS:
        adjusted = fast(flags.ravel(), everything)
        expected = [slow(*pair) for pair in pairs]
        assert expected == adjusted.reshape(-1, n).tolist(), fast


@pytest.mark.parametrize("n", SIZES)
def test_every_count_of_the_small_world_equals_its_naive_twin(n):
    """Counts of the whole world in one call are the sums of the counts of its pairs."""
    labels, flags = world(n)
    series = np.repeat(np.arange(len(labels)), n)
    everything = Events.from_labels(labels.ravel(), series=series)
    pairs = list(zip(labels.tolist(), flags.tolist(), strict=True))
    for fast, slow in (
        (PointCount(), naive.points),
        (Runs(), naive.runs),
        (Coverage(), naive.coverage),
        (EventWeighted(width=3), partial(naive.event_weighted, width=3)),
    ):
        expected = [
            sum(column) for column in zip(*(slow(*pair)[:4] for pair in pairs), strict=True)
        ]
        tally = fast.masses(flags.ravel(), everything).at(False)
        assert expected == pytest.approx(tally[:4], rel=1e-12), fast


@pytest.mark.parametrize("n", range(1, 5))
def test_every_pair_judged_alone_has_the_naive_counts(n):
    """One by one, so that no error hides in a sum."""
    for labels, flags in zip(*world(n), strict=True):
        events = Events.from_labels(labels)
        for fast, slow in ((PointCount(), naive.points), (Runs(), naive.runs)):
            expected = slow(labels.tolist(), flags.tolist())
            assert expected[:4] == fast.masses(flags, events).at(False)[:4]
