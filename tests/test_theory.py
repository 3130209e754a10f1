"""The paper's closed forms: theorems 1 and 2, the lemmas for C-1, C-1a, C-2 and C-3, and areas.

Each formula is held against the paper's printed one, against algebra, or against this library's
own metrics on drawn noise or constructed labels. Errata are numbered as in docs/errata.md.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

import adjudge as aj
from adjudge import theory as forms
from messages import refused
from sampling import one_in

QUIET = np.concatenate([[0.0], 1 - np.logspace(0, -6, 200), [1 - 1e-9, 1.0]])
SHARES = (1e-3, 0.05, 0.2, 1 / 3, 0.7, 1.0)

every_share = pytest.mark.parametrize("q", SHARES)


def close(expected, actual, **tolerance):
    np.testing.assert_allclose(actual, expected, **({"rtol": 0, "atol": 1e-12} | tolerance))


def printed_f1_pa(n, q, s):
    return 2 * q * (1 - n**s) / ((1 - n) + q * (1 + n - n**s))


def printed_f1_ba(n, q, s, w):
    return 2 * q * (1 - n**s) / ((1 - n**w) + q * (1 + n**w - n**s))


def printed_precision_ba(n, q, s, w):
    return q * (1 - n**s) / ((1 - n**w) + q * (n**w - n**s))


# Theorems 1 and 2


@every_share
@pytest.mark.parametrize("s", [1, 2, 7, 100])
def test_f1_after_point_adjustment_is_the_printed_theorem(q, s):
    close(printed_f1_pa(QUIET, q, s), forms.f1_pa(q, s, QUIET))


@every_share
@pytest.mark.parametrize(("s", "w"), [(1, 1), (7, 3), (3, 7), (100, 100), (100, 5)])
def test_f1_after_balanced_adjustment_is_the_printed_theorem(q, s, w):
    close(printed_f1_ba(QUIET, q, s, w), forms.f1_ba(q, s, QUIET, island=w))


@every_share
@pytest.mark.parametrize(("s", "w"), [(1, 1), (7, 3), (3, 7), (100, 100)])
def test_precision_after_balanced_adjustment_is_the_printed_theorem(q, s, w):
    quiet = QUIET[QUIET < 1 - 1e-3]  # nearer to 1 the printed form loses digits
    expected = printed_precision_ba(quiet, q, s, w)
    close(expected, forms.precision_ba(q, s, quiet, island=w))
    close(printed_precision_ba(quiet, q, s, 1), forms.precision_pa(q, s, quiet))


@every_share
@pytest.mark.parametrize("s", [1, 7, 100])
def test_equal_widths_give_both_theorems(q, s):
    close(forms.f1_pa(q, s, QUIET), forms.f1_mixed(q, [s, s, s], QUIET, island=1))
    for w in (1, 4, s):
        close(forms.f1_ba(q, s, QUIET, island=w), forms.f1_mixed(q, [s], QUIET, island=w))


@every_share
def test_f1_is_the_harmonic_mean_of_precision_and_recall(q):
    inside = QUIET[QUIET < 1]
    p, r = forms.precision_ba(q, 9, inside, island=4), forms.recall_pa(9, inside)
    close(2 * p * r / (p + r), forms.f1_ba(q, 9, inside, island=4))
    p, r = forms.precision_pa(q, 9, inside), forms.recall_pa(9, inside)
    close(2 * p * r / (p + r), forms.f1_pa(q, 9, inside))


def test_a_tiny_alarm_rate_keeps_its_digits():
    rate = 2.0**-50  # 1 - rate is a float, (1 - rate)^3 is rounded
    assert math.isclose(3 * rate, forms.recall_pa(3, 1 - rate), rel_tol=1e-14)


@every_share
def test_alarm_everywhere_scores_the_plateau_and_no_alarm_scores_zero(q):
    for value in (forms.f1_pa, forms.f1_mixed, forms.f1_ba):
        widths = [3, 8] if value is forms.f1_mixed else 8
        islands = {} if value is forms.f1_pa else {"island": 5}
        ends = value(q, widths, [0.0, 1.0], **islands)
        close([forms.chance_limit(q), 0.0], ends)
        assert not np.signbit(ends).any()


@every_share
def test_without_alarms_precision_is_undefined_and_its_limit_is_as_documented(q):
    assert math.isnan(forms.precision_pa(q, 8, 1.0))
    assert math.isnan(forms.precision_ba(q, 8, 1.0, island=5))
    near = 1 - 1e-12
    close(8 * q / (8 * q + 1 - q), forms.precision_pa(q, 8, near), atol=1e-9)
    close(8 * q / (8 * q + 5 * (1 - q)), forms.precision_ba(q, 8, near, island=5), atol=1e-9)


@every_share
def test_with_islands_as_wide_as_events_precision_is_the_share_of_anomalies(q):
    close(q, forms.precision_ba(q, 12, QUIET[:-1]))


TABLE = {
    0.5: (0.5000, 0.3333),
    0.9: (0.8333, 0.3333),
    0.95: (0.9061, 0.3330),
    0.98: (0.8908, 0.3251),
    0.99: (0.7574, 0.3041),
    0.995: (0.5575, 0.2654),
    0.999: (0.1732, 0.1290),
}


@pytest.mark.parametrize(("quiet", "expected"), TABLE.items())
def test_the_setting_of_figure_3_gives_the_known_table(quiet, expected):
    pa = forms.f1_pa(0.2, 100, quiet)
    ba = forms.f1_ba(0.2, 100, quiet)
    assert expected == (round(pa, 4), round(ba, 4))


@pytest.mark.parametrize(("q", "peak"), [(0.05, 0.772), (0.1, 0.859), (0.2, 0.920), (0.3, 0.947)])
def test_point_adjustment_peaks_far_above_the_plateau_and_then_falls(q, peak):
    """Erratum E21: it does not keep rising."""
    gamma = np.linspace(0.9, 1, 20_001)
    values = forms.f1_pa(q, 100, gamma)
    assert peak == round(values.max(), 3)
    assert 0 < values.argmax() < gamma.size - 1


def test_the_peak_of_figure_3_stands_at_its_threshold():
    gamma = np.linspace(0.9, 1, 100_001)
    values = forms.f1_pa(0.2, 100, gamma)
    assert (0.9665, 0.9204) == (gamma[values.argmax()].round(4), values.max().round(4))


def spaced(widths, gap):
    """Events with equal gaps before, between and after them."""
    starts = np.cumsum([gap, *(width + gap for width in widths[:-1])])
    stops = starts + np.array(widths)
    return aj.Events(starts, stops, n=int(stops[-1]) + gap)


@pytest.mark.parametrize("w", one_in(2, [1, 5, 12]))
@pytest.mark.parametrize("quiet", [0.8, 0.95, 0.99])
def test_the_ratio_of_mean_masses_of_drawn_noise_is_the_formula_for_any_mix_of_widths(quiet, w):
    widths = [3, 12, 5, 20] * 10
    events, draws, rng = spaced(widths, gap=400), 150, np.random.default_rng(7)
    metric = aj.f1_ba(width=w, at=quiet)
    tallies = [aj.explain(events, rng.random(events.n), metric).tally for _ in range(draws)]
    right, flagged = np.array([(tally.right, tally.flagged) for tally in tallies], float).T
    whole = sum(widths) + flagged
    value = 2 * right.mean() / whole.mean()
    error = np.std(2 * right - value * whole, ddof=1) / whole.mean() / math.sqrt(draws)
    expected = forms.f1_mixed(sum(widths) / events.n, widths, quiet, island=w)
    border = 0.02 * expected  # islands at a border find fewer points: E13
    assert abs(expected - value) < 4 * error + border * (w > 1)


# Lemma C-1


@every_share
@pytest.mark.parametrize(("s", "w"), [(1, 1), (10, 10), (10, 11), (10, 500), (100, 100)])
def test_no_threshold_lets_noise_pass_the_bound_if_islands_are_as_wide_as_events(q, s, w):
    """Erratum E16: for every threshold, without a limit."""
    assert (forms.f1_ba(q, s, QUIET, island=w) <= forms.chance_limit(q) + 1e-15).all()


@pytest.mark.parametrize(("w", "sup"), [(5, 0.641), (25, 0.349), (50, 0.245), (100, 0.182)])
def test_narrow_islands_let_noise_pass_the_bound(w, sup):
    """Erratum E17: q = .1, s = 100; exactly where N^(s - w) < 1 - q."""
    inside = np.linspace(0.001, 0.9999, 50_001)
    values = forms.f1_ba(0.1, 100, inside, island=w)
    assert sup == round(values.max(), 3)
    edge = 0.9 ** (1 / (100 - w)) if w < 100 else 0.0
    above, below = inside < edge - 1e-4, inside > edge + 1e-4
    assert (values[below] < forms.chance_limit(0.1) + 1e-15).all()
    assert (values[above] > forms.chance_limit(0.1) - 1e-15).all()


def test_the_bound_is_the_score_of_alarm_everywhere():
    labels = np.arange(100) < 20
    close(aj.f1_ba(labels, np.ones(100)), forms.chance_limit(0.2))


@pytest.mark.parametrize("q", [0.01, 0.2, 1 / 3, 0.334, 0.5, 1])
def test_the_limit_is_at_most_a_half_up_to_a_third_of_anomalies(q):
    assert (forms.chance_limit(q) <= 0.5) == (q <= 1 / 3)


def test_the_front_door_has_the_closed_forms():
    assert aj.theory.f1_ba(0.2, 100, 0.99) == forms.f1_ba(0.2, 100, 0.99, island=100)


# Lemma C-1a


@pytest.mark.parametrize("q", [0.05, 0.2, 1.0])
@pytest.mark.parametrize("s", [1, 2, 10, 100])
def test_the_slope_is_the_derivative(q, s):
    gamma, step = np.linspace(0.01, 0.99, 99), 1e-6
    ahead, behind = (forms.f1_ba(q, s, gamma + d) for d in (step, -step))
    close((ahead - behind) / (2 * step), forms.f1_ba_slope(q, s, gamma), rtol=1e-5, atol=1e-7)


def test_the_slope_ends_as_documented_and_is_never_positive():
    assert [0.0, -200.0] == forms.f1_ba_slope(0.2, 100, [0.0, 1.0]).tolist()
    close(-2 * 0.25**2 / 1.25**2, forms.f1_ba_slope(0.25, 1, 0.0))
    assert (forms.f1_ba_slope(0.2, 100, QUIET) <= 0).all()


def test_the_slope_vanishes_at_a_fixed_threshold_but_not_at_all_of_them():
    """Erratum E18: at 1 - 1/s it grows with s."""
    fixed = [forms.f1_ba_slope(0.2, s, 0.9) for s in (100, 1000, 10_000)]
    assert fixed == sorted(fixed)
    assert 0 <= -fixed[-1] < 1e-300
    assert forms.f1_ba_slope(0.2, 10_000, 1 - 1e-4) < -300


@pytest.mark.parametrize("epsilon", [1e-6, 0.05, 0.5, 0.99])
@pytest.mark.parametrize("q", [0.01, 0.2, 1.0])
@pytest.mark.parametrize("s", [1, 10, 100])
def test_the_flat_range_holds_the_plateau_to_its_share_and_ends_exactly_there(epsilon, q, s):
    low, high = forms.flat_range(q, s, epsilon)
    inside = np.linspace(low, high, 500)
    shares = forms.f1_ba(q, s, inside) / forms.chance_limit(q)
    assert (1.0, 0.0) == (shares[0].round(15), low)
    close(1 - epsilon, shares[-1])
    assert (np.diff(shares) <= 1e-15).all()
    beyond = min(high + 1e-3 * (1 - high), 1.0)
    assert forms.f1_ba(q, s, beyond) < (1 - epsilon) * forms.chance_limit(q)


def test_the_flat_range_of_figure_3_is_known():
    """Erratum E18."""
    low, high = forms.flat_range(0.2, 100, 0.05)
    assert (0.0, 0.98583) == (low, round(high, 5))


def test_no_tolerance_leaves_one_threshold_and_full_tolerance_all():
    assert (0.0, 0.0) == forms.flat_range(0.2, 100, 0)
    assert (0.0, 1.0) == forms.flat_range(0.2, 100, 1)


# Lemma C-2


@every_share
@pytest.mark.parametrize(("s", "w"), [(1, 1), (10, 10), (10, 3), (3, 10)])
def test_fewer_misses_and_fewer_false_alarms_never_score_lower(q, s, w):
    """Errata E22, E23: the paper prints both orders the wrong way round."""
    steps = np.linspace(0, 1, 21)
    values = [forms.f1_ba_of_detector(q, s, alpha, steps, island=w) for alpha in steps]
    assert (np.diff(values, axis=0) <= 1e-15).all()  # alpha up: more misses
    assert (np.diff(values, axis=1) >= -1e-15).all()  # beta up: fewer false alarms


def test_the_printed_order_is_refuted_by_its_own_formula():
    """Erratum E23: equal alpha, and the detector with more false alarms would win."""
    noisy, calm = forms.f1_ba_of_detector(0.1, 100, 0.9, [0.9, 0.999])
    assert (0.182, 0.700) == (noisy.round(3), calm.round(3))


def test_a_detector_whose_points_are_alike_is_noise():
    expected = forms.f1_ba(0.2, 9, QUIET, island=5)
    close(expected, forms.f1_ba_of_detector(0.2, 9, QUIET, QUIET, island=5))


def test_the_perfect_detector_scores_one_and_the_blind_one_zero():
    assert [1.0, 0.0] == forms.f1_ba_of_detector(0.2, 9, [0.0, 1.0], 1.0, island=5).tolist()


def test_the_formula_of_a_detector_is_the_printed_one():
    alpha, beta = np.linspace(0, 0.99, 30), np.linspace(0.3, 1, 30)
    a, b, q = alpha**9, beta**9, 0.2
    expected = 2 * q * (1 - a) / (1 - b + q * (1 + b - a))
    close(expected, forms.f1_ba_of_detector(q, 9, alpha, beta))


# Lemma C-3


def perfect_but_for(k, *, s, w, run, events):
    """Labels, and flags that add k isolated false runs to them."""
    gap = 2 * (w + run) + 3
    stretch = np.r_[np.zeros(gap), np.ones(s)]
    labels = np.concatenate([np.tile(stretch, events), np.zeros((k + 1) * gap)])
    flags = labels.copy()
    first = events * (gap + s) + w
    for start in range(first, first + k * gap, gap):
        flags[start : start + run] = 1
    return labels, flags


@pytest.mark.parametrize("k", [0, 1, 2, 5])
@pytest.mark.parametrize(("s", "w"), [(1, 1), (10, 10), (7, 20), (100, 6), (100, 100)])
@pytest.mark.parametrize("run", [1, 2, 9])
@pytest.mark.parametrize("events", [1, 3])
def test_false_runs_cost_what_the_metric_charges(k, s, w, run, events):
    """Errata E25, E26: a run of r points marks r + w - 1."""
    labels, flags = perfect_but_for(k, s=s, w=w, run=run, events=events)
    ba = forms.false_alarm_cost(k, s, island=w, run=run, events=events)
    pa = forms.false_alarm_cost(k, s, island=1, run=run, events=events)
    close(1 - aj.f1_ba(labels, flags, width=w), ba)
    close(1 - aj.f1_pa(labels, flags), pa)
    assert pa <= ba


def test_one_false_point_costs_a_third_and_almost_nothing_after_point_adjustment():
    assert 1 / 3 == forms.false_alarm_cost(1, 100)
    assert 1 / 201 == forms.false_alarm_cost(1, 100, island=1)


# Areas


def test_the_area_after_point_adjustment_is_known():
    assert 50 / 51 == forms.auc_roc_ba([50], 1)
    assert 0.5 == forms.auc_roc_ba([1], 1)


@pytest.mark.parametrize("w", [1, 7, 40])
def test_the_area_of_a_mix_is_the_integral_of_recall_by_false_positive_rate(w):
    widths = [5, 5, 30]
    expected = float(sum(Fraction(s * s, 40 * (s + w)) for s in widths))
    assert math.isclose(expected, forms.auc_roc_ba(widths, w), rel_tol=1e-15)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    quiet = (nodes + 1) / 2
    recall = sum(s * forms.recall_pa(s, quiet) for s in widths) / 40
    close(expected, weights / 2 @ (recall * w * quiet ** (w - 1)))


@pytest.mark.parametrize("w", [1, 10, 25])
def test_the_area_of_drawn_noise_is_near_the_formula(w):
    widths, rng = [10, 40] * 15, np.random.default_rng(3)
    events = spaced(widths, gap=1000)
    metric = aj.auc_roc_ba(width=w)
    values = [metric(events, rng.random(events.n)) for _ in range(60)]
    error = np.std(values, ddof=1) / math.sqrt(len(values))
    assert abs(forms.auc_roc_ba(widths, w) - np.mean(values)) < 4 * error + 0.004 * (w > 1)


# What goes in and what comes out


@pytest.mark.parametrize("value", [0.5, np.float64(0.5), np.float32(0.5), 0, 1])
def test_a_number_gives_a_plain_float(value):
    assert type(forms.f1_pa(0.2, 3, value)) is float
    assert type(forms.precision_ba(0.2, 3, value, island=2)) is float
    assert type(forms.f1_mixed(0.2, [3], value, island=2)) is float
    assert type(forms.f1_ba_slope(0.2, 3, value)) is float
    assert type(forms.f1_ba_of_detector(0.2, 3, value, 0.5, island=2)) is float


@pytest.mark.parametrize("values", [[0.0, 0.5, 1.0], np.array([0, 0.5, 1], np.float32)])
def test_a_column_gives_float64_and_stays_as_it_was(values):
    before = list(values)
    found = forms.f1_ba(0.2, 3, values, island=2)
    assert ((3,), np.float64) == (found.shape, found.dtype)
    assert [forms.f1_ba(0.2, 3, float(v), island=2) for v in values] == found.tolist()
    assert before == list(values)


def test_widths_may_come_from_events_in_any_order():
    events = spaced([30, 10, 10], gap=5)
    expected = forms.f1_mixed(0.2, [10, 10, 30], 0.9, island=7)
    assert expected == forms.f1_mixed(0.2, events.widths, 0.9, island=7)


def test_a_width_may_be_very_large():
    assert [1.0, 0.0] == forms.recall_pa(10**12, [0.999, 1.0]).tolist()
    assert [0.0, 0.0] == forms.f1_ba_slope(0.2, 10**12, [0.0, 0.999]).tolist()


@pytest.mark.parametrize("value", [-0.1, 1.5, math.nan, math.inf, True, None])
def test_a_probability_must_be_a_share(value):
    with refused(f"nu must be a share in [0, 1], got {value!r}"):
        forms.f1_pa(0.2, 3, value)
    with refused(f"gamma must be a share in [0, 1], got {value!r}"):
        forms.f1_ba_slope(0.2, 3, value)
    with refused(f"beta must be a share in [0, 1], got {value!r}"):
        forms.f1_ba_of_detector(0.2, 3, 0.5, value, island=2)


def test_a_column_of_probabilities_is_refused_with_the_first_place_and_the_count():
    with refused("nu must be shares in [0, 1], got 1.5 at index 1 (2 of 3 points)"):
        forms.f1_ba(0.2, 3, [0.5, 1.5, math.nan], island=2)
    with refused("alpha must be shares in [0, 1], got -1 at index 0 (1 of 2 points)"):
        forms.f1_ba_of_detector(0.2, 3, [-1, 0], 0.5, island=2)
    with refused("nu must be one-dimensional, got shape (1, 2); give one column"):
        forms.recall_pa(3, [[0.5, 0.5]])
    with refused("nu must be a column of numbers, got '0.5'"):
        forms.recall_pa(3, "0.5")


def test_misses_and_false_alarms_must_be_equally_many():
    with refused("alpha and beta must be equally long, got 2 and 3 points"):
        forms.f1_ba_of_detector(0.2, 3, [0.1, 0.2], [0.1, 0.2, 0.3], island=2)


@pytest.mark.parametrize("q", [0, -0.1, 1.5, math.nan, "0.2", None])
def test_the_share_of_anomalies_must_lie_above_zero(q):
    for call in (
        lambda: forms.precision_pa(q, 3, 0.5),
        lambda: forms.f1_ba(q, 3, 0.5, island=2),
        lambda: forms.f1_mixed(q, [3], 0.5, island=2),
        lambda: forms.chance_limit(q),
        lambda: forms.flat_range(q, 3, 0.1),
    ):
        with refused(f"q must be a share in (0, 1], got {q!r}"):
            call()


@pytest.mark.parametrize("width", [0, -1, 2.0, True, "3", None])
def test_widths_and_counts_must_be_whole(width):
    for name, call in {
        "width": lambda: forms.recall_pa(width, 0.5),
        "island": lambda: forms.f1_mixed(0.2, [3], 0.5, island=width),
        "widths[1]": lambda: forms.f1_mixed(0.2, [3, width], 0.5, island=2),
        "run": lambda: forms.false_alarm_cost(1, 3, island=2, run=width),
        "events": lambda: forms.false_alarm_cost(1, 3, island=1, events=width),
    }.items():
        with refused(f"{name} must be a whole number, at least 1, got {width!r}"):
            call()
    with refused(f"island must be a whole number, at least 1, got {width!r}"):
        forms.auc_roc_ba([3], width)


def test_false_alarms_and_tolerances_must_make_sense():
    with refused("k must be a whole number, at least 0, got -1"):
        forms.false_alarm_cost(-1, 3, island=2)
    with refused("epsilon must be a share in [0, 1], got 1.5"):
        forms.flat_range(0.2, 3, 1.5)


def test_there_must_be_widths():
    with refused("widths must be one whole number per event, got none"):
        forms.auc_roc_ba([], 3)
    with refused("widths must be one whole number per event, got 5"):
        forms.f1_mixed(0.2, 5, 0.5, island=2)
    with refused("widths must be one whole number per event, got '55'"):
        forms.f1_mixed(0.2, "55", 0.5, island=2)
