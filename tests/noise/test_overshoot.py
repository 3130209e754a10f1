"""How far white noise overshoots, borders counted: against the expected masses at many rates."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.adjust.adjustments import Covered, point_adjusted
from adjudge.adjust.balanced import Balanced
from adjudge.count.points import PointCount
from adjudge.noise.blind_detectors import White, expected_masses, overshoot

SHORT_GAPS = aj.Events.from_intervals([(30 * i + 20, 30 * i + 30) for i in range(30)], n=920)


@pytest.mark.parametrize(
    "adjust", [Balanced(3), Balanced(11), Balanced(11, border="shift"), point_adjusted]
)
def test_it_is_the_highest_of_the_expected_scores(adjust):
    truth = int(SHORT_GAPS.widths.sum())
    always = 2 * truth / (truth + SHORT_GAPS.n)
    highest = 0.0
    for rate in np.geomspace(1e-6, 0.999, 600):
        found, _, _, flagged, _ = expected_masses(adjust, PointCount(), SHORT_GAPS, White(rate))
        highest = max(highest, 2 * found / (truth + flagged) / always)
    assert overshoot(adjust, SHORT_GAPS) == pytest.approx(max(1, highest), rel=1e-3)


def test_the_default_width_overshoots_a_little_at_borders():
    assert 1 < overshoot(Balanced(), SHORT_GAPS) < 1.02
    assert overshoot(Balanced(10), SHORT_GAPS) > overshoot(Balanced(11), SHORT_GAPS)


def test_where_nothing_can_be_said_it_is_undefined():
    for labels in ([0, 0], [1, 1]):
        assert math.isnan(overshoot(Balanced(), aj.Events.from_labels(labels)))
    assert math.isnan(overshoot(Covered(), SHORT_GAPS))


def comb(points=920):
    return (np.arange(points) % 10 == 0).astype(int)


def test_clipped_islands_let_a_comb_score_above_an_alarm_everywhere_and_shifted_ones_do_not():
    always = aj.f1_ba(SHORT_GAPS, np.ones(920))
    means = {}
    for border in ("clip", "shift"):
        metric = aj.f1_ba(width=10, border=border)
        means[border] = np.mean([metric(SHORT_GAPS, np.roll(comb(), by)) for by in range(10)])
    assert means["clip"] == pytest.approx(0.526, abs=2e-3)
    assert means["shift"] == pytest.approx(always, abs=2e-3)
    assert always == pytest.approx(0.492, abs=1e-3)
