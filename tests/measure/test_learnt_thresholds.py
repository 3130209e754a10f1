"""Rules that depend on the scale of the scores, and rules that learn on a part."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.data.case import Case
from adjudge.errors import InputError
from adjudge.measure.thresholds.part import Part
from adjudge.measure.thresholds.rules import Mad, Pot, Quantile, Sigma, Top, grimshaw
from adjudge.metrics.spec import threshold
from measure import naive_tails

COLUMNS = st.lists(st.integers(-50, 50), min_size=1, max_size=30)


def case_of(scores, **options):
    return Case(np.zeros(len(scores), int), scores, **options)


@given(COLUMNS, st.floats(0.1, 9))
def test_sigma_is_mean_and_deviations(scores, k):
    mean = sum(scores) / len(scores)
    sd = (sum((s - mean) ** 2 for s in scores) / len(scores)) ** 0.5
    assert Sigma(k)(case_of(scores)) == pytest.approx(mean + k * sd)


@given(COLUMNS, st.floats(0.1, 9))
def test_mad_is_median_and_deviations(scores, k):
    def middle(values):
        ordered = sorted(values)
        return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2

    deviation = middle([abs(s - middle(scores)) for s in scores])
    assert Mad(k)(case_of(scores)) == pytest.approx(middle(scores) + k * 1.4826 * deviation)


@pytest.mark.parametrize("shape", [-0.2, 0.0, 0.3])
def test_pot_finds_the_quantile_of_a_known_tail(shape):
    rng = np.random.default_rng(5)
    uniform = rng.random(40_000)
    tail = -np.log(uniform) if shape == 0 else (uniform**-shape - 1) / shape  # generalised Pareto
    risk = 1e-3
    exact = -np.log(risk) if shape == 0 else (risk**-shape - 1) / shape
    assert Pot(risk, 0.9)(case_of(tail)) == pytest.approx(exact, rel=0.1)


FITS = ["likelihood", "grimshaw"]


@pytest.mark.parametrize("fit", FITS)
def test_pot_does_not_depend_on_the_unit_of_the_scores(fit):
    scores = np.random.default_rng(1).exponential(size=5000)
    one, other = (Pot(1e-3, fit=fit)(case_of(scores * unit)) / unit for unit in (1, 1e-9))
    assert other == pytest.approx(one, rel=1e-4)


DRAWS = {
    "light": lambda rng: rng.beta(1, 4, 40),
    "exponential": lambda rng: rng.exponential(size=40),
    "heavy": lambda rng: rng.pareto(1.5, 40),
    "over many decades": lambda rng: 1 + rng.pareto(0.05, 10),
    "all alike": lambda rng: np.full(rng.integers(10, 20), 3.0),
    "uniform": lambda rng: rng.random(40),
}


def excess_of(name, seed):
    excess = DRAWS[name](np.random.default_rng(seed))
    return excess / excess.mean()


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("seed", range(4))
def test_grimshaw_finds_what_a_scan_of_the_likelihood_finds(name, seed):
    excess = excess_of(name, seed)
    expected = naive_tails.scanned(excess.tolist())
    assert grimshaw(excess) == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_grimshaw_has_roots_on_both_sides():
    shapes = {name: {grimshaw(excess_of(name, seed))[0] for seed in range(4)} for name in DRAWS}
    assert max(shapes["light"]) < 0 < max(shapes["over many decades"])
    assert shapes["heavy"] == shapes["all alike"] == {0}


def test_a_tail_beyond_all_numbers_flags_nothing():
    scores = np.append(np.arange(1.0, 151), 1e150 * np.arange(1, 51) / 50)
    assert Pot(1e-3, 0.5, fit="grimshaw")(case_of(scores)) > 1e300
    assert aj.event_recall(np.arange(200) == 7, scores, at=Pot(1e-3, 0.5, fit="grimshaw")) == 0


def test_the_fits_agree_on_a_light_tail_and_not_on_a_heavy_one():
    rng = np.random.default_rng(3)
    light, heavy = case_of(rng.beta(1, 5, 4000)), case_of(rng.pareto(2, 4000))
    for case, ratio in ((light, 1), (heavy, 0.6)):
        by_likelihood, by_grimshaw = (Pot(1e-3, 0.9, fit=fit)(case) for fit in FITS)
        assert by_grimshaw / by_likelihood == pytest.approx(ratio, abs=0.02 + 0.1 * (ratio < 1))


@pytest.mark.parametrize("rule", [Quantile(0.8), Top(2), Sigma(2), Mad(2), Pot(0.01, 0.5)])
def test_a_rule_learns_on_its_part_also_where_that_is_not_judged(rule):
    scores = np.random.default_rng(2).random(90)
    scores[60:] += 5
    part = np.arange(90) < 60
    expected = rule(case_of(scores[:60]))
    learnt = aj.metric("f1").with_settings(at=type(rule)(**{**vars(rule), "on": part})).at
    assert learnt(case_of(scores)) == expected
    assert learnt(case_of(scores, where=~part)) == expected
    missing = np.where(np.arange(90) == 70, np.nan, scores)
    assert learnt(case_of(missing, where=np.arange(90) != 70)) == expected


@pytest.mark.parametrize(
    "text",
    [
        'quantile(0.99, on="0:1000")',
        'top(5, on="10:")',
        "sigma(3)",
        "mad(3.5)",
        "pot(risk=0.0001, level=0.98)",
        'pot(risk=0.001, level=0.9, on="0:10,20:30")',
        'pot(risk=0.001, level=0.9, fit="grimshaw")',
        'pot(risk=0.001, level=0.9, fit="grimshaw", on="0:10")',
    ],
)
def test_rules_print_as_they_are_written(text):
    assert str(threshold(text)) == text
    assert str(aj.metric(f"f1(at={text})")) == f"f1(at={text})"


@pytest.mark.parametrize(
    ("on", "said"),
    [
        (slice(0, 5), "0:5"),
        (slice(3, None), "3:"),
        ([1, 1, 0, 1], "0:2,3:4"),
        (" 0:2 , 5:9", "0:2,5:9"),
        (np.arange(60) % 3 == 0, "20 points in 20 stretches"),
    ],
)
def test_a_part_says_which_points(on, said):
    assert str(Part.read(on)) == said
    assert Part.read(Part.read(on)) == Part.read(on)


@pytest.mark.parametrize(
    ("on", "words"),
    [
        ("1000", "on must be a mask, a slice, or text such as '0:1000'"),
        ("5:5", "on must be a mask"),
        (slice(0, 9, 2), "on must be"),
        ([0, 0], "on must hold at least one point, got none of 2"),
        ([0, 2], "on must be 0 or 1"),
    ],
)
def test_what_is_no_part_is_refused(on, words):
    with pytest.raises(InputError, match=words):
        Part.read(on)


def test_a_part_must_fit_the_points():
    with pytest.raises(InputError, match="on must lie within the 4 points, got 0:5"):
        Quantile(0.5, on="0:5")(case_of([1, 2, 3, 4]))
    with pytest.raises(InputError, match="on must lie within the 4 points, got 4:"):
        Quantile(0.5, on="4:")(case_of([1, 2, 3, 4]))
    with pytest.raises(InputError, match="on must be one bool per point, got 2 for 4 points"):
        Quantile(0.5, on=[1, 0])(case_of([1, 2, 3, 4]))
    with pytest.raises(InputError, match="scores to learn on must be numbers, got nan at index 1"):
        Quantile(0.5, on="0:2")(case_of([1, np.nan, 3, 4], where=[1, 0, 1, 1]))


@pytest.mark.parametrize("on", [None, "0:4", "0:"])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_scores_of_minus_infinity_are_the_lowest_ones_for_a_part_too(on, kind):
    case = case_of(np.array([-np.inf, -np.inf, 3, 5], kind))
    for rule in (Top(2, on=on), Quantile(0.5, on=on)):
        assert case.flagged(rule(case)).tolist() == [False, False, True, True]
    assert case.flagged(Top(4, on=on)(case)).all()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Sigma(0), "k must be a positive number"),
        (lambda: Mad(-1), "k must be a positive number"),
        (
            lambda: Pot(0.03, 0.98),
            "risk must be below 1 - level, the share of peaks, got risk=0.03",
        ),
        (lambda: Pot(fit="moments"), "fit must be one of 'likelihood', 'grimshaw', got 'moments'"),
        (lambda: Pot()(case_of(np.arange(100.0))), "must see at least 10 scores above their 0.98"),
        (lambda: Sigma(3)(case_of([1, np.inf])), "scores must be finite for sigma.3., got inf"),
    ],
)
def test_what_cannot_be_learnt_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
