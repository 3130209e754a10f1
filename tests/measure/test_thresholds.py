"""Threshold rules: quantile(q) and top(k), and how at= is read."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge as aj
from adjudge.data.case import Case
from adjudge.errors import InputError, UnknownName
from adjudge.measure.thresholds import Mad, Quantile, Sigma, Top
from adjudge.metrics.spec import RULES_LISTED, parse, threshold

examples = settings(derandomize=True, deadline=None, max_examples=200)
score_lists = st.lists(st.integers(0, 6), min_size=1, max_size=12)


def refused(message, error=InputError):
    return pytest.raises(error, match=rf"\A{re.escape(message)}\Z")


def case_of(scores, where=None):
    return Case([0] * len(scores), scores, where=where)


@examples
@given(score_lists, st.fractions(0, 1, max_denominator=12))
def test_a_quantile_is_the_smallest_score_that_the_share_does_not_exceed(scores, q):
    reaching = [s for s in scores if sum(t <= s for t in scores) / len(scores) >= float(q)]
    assert min(reaching) == Quantile(float(q))(case_of(scores))


@examples
@given(score_lists, st.floats(0, 1))
def test_a_quantile_flags_at_most_the_rest(scores, q):
    above = sum(s > Quantile(q)(case_of(scores)) for s in scores)
    assert Fraction(above, len(scores)) <= 1 - Fraction(q) + Fraction(1, 2**53)


@pytest.mark.parametrize(("q", "expected"), [(0, 1), (0.0, 1), (1, 4), (0.5, 2), (0.51, 3)])
def test_quantiles_of_four_scores(q, expected):
    assert expected == Quantile(q)(case_of([3, 1, 4, 2]))


def test_a_quantile_is_exact_where_the_product_rounds_up():
    assert Quantile(0.07)(case_of(list(range(100)))) == 6  # 7 of 100 points; 0.07 * 100 > 7


def test_a_quantile_is_exact_where_the_product_rounds_down():
    q = math.nextafter(1 / 3, 1)  # more than one point of three; q * 3 == 1
    assert Quantile(q)(case_of([1, 2, 3])) == 2


@examples
@given(score_lists, st.data())
def test_top_flags_k_points_and_all_that_tie_with_the_last(scores, data):
    k = data.draw(st.integers(1, len(scores)))
    last = sorted(scores, reverse=True)[k - 1]
    found = Top(k)(case_of(scores))
    assert [s >= last for s in scores] == [s > found for s in scores]
    assert found in {*scores, -math.inf}


@pytest.mark.parametrize(("k", "expected"), [(1, 3), (2, 2), (3, 1), (4, -math.inf)])
def test_top_of_four_scores(k, expected):
    assert expected == Top(k)(case_of([3, 1, 4, 2]))


def test_top_of_equal_scores_flags_them_all():
    assert -math.inf == Top(1)(case_of([7, 7, 7]))


@pytest.mark.parametrize(("rule", "expected"), [(Quantile(0.5), 2), (Top(1), 2), (Top(3), -np.inf)])
def test_rules_look_at_judged_points_only(rule, expected):
    case = case_of([9.0, 1.0, 3.0, np.nan, 2.0], where=[0, 1, 1, 0, 1])
    assert expected == rule(case)


def test_top_of_more_than_the_judged_points_is_refused():
    with refused("k must be at most the 3 judged points, got 4"):
        Top(4)(case_of([9.0, 1.0, 3.0, 2.0], where=[0, 1, 1, 1]))


@pytest.mark.parametrize("q", [-0.1, 1.1, math.nan, math.inf, True, "0.5", None, 0.5j])
def test_q_must_be_a_share(q):
    with refused(f"q must be a share in [0, 1], got {q!r}"):
        Quantile(q)


@pytest.mark.parametrize("k", [0, -1, 2.0, math.nan, math.inf, True, np.True_, "3", None])
def test_k_must_be_a_whole_number_of_points(k):
    shown = repr(k.item() if isinstance(k, np.generic) else k)
    with refused(f"k must be a whole number, at least 1, got {shown}"):
        Top(k)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Quantile(0.99), "quantile(0.99)"),
        (Quantile(1), "quantile(1)"),
        (Quantile(np.float64(0.5)), "quantile(0.5)"),
        (Quantile(np.float32(0.5)), "quantile(0.5)"),
        (Top(10), "top(10)"),
        (Top(np.int32(10)), "top(10)"),
    ],
)
def test_a_rule_prints_as_it_is_written(rule, expected):
    assert expected == str(rule)


@pytest.mark.parametrize(("rule", "equal"), [(Quantile(1), Quantile(1.0)), (Top(2), Top(2))])
def test_equal_rules_are_one_key(rule, equal):
    assert {rule: "found"}[equal] == "found"


@pytest.mark.parametrize("rule", [Quantile(0.99), Quantile(0), Top(10)])
def test_a_printed_rule_is_read_back(rule):
    assert rule == threshold(str(rule))


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (0.5, 0.5),
        (0, 0.0),
        (-math.inf, -math.inf),
        (math.inf, math.inf),
        (np.float32(0.5), 0.5),
        (np.int8(3), 3.0),
        (Fraction(1, 2), 0.5),
        ("0.5", 0.5),
        ("-1e-3", -0.001),
        ("inf", math.inf),
        (" 2 ", 2.0),
    ],
)
def test_a_number_is_a_threshold(at, expected):
    found = threshold(at)
    assert (float, expected) == (type(found), found)


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("quantile(0.99)", Quantile(0.99)),
        ("quantile(q=0.99)", Quantile(0.99)),
        (" top(3) ", Top(3)),
        ("top(k=3)", Top(3)),
        (parse("top(3)"), Top(3)),
        (Quantile(0.5), Quantile(0.5)),
    ],
)
def test_a_rule_is_a_threshold(at, expected):
    assert expected == threshold(at)


@pytest.mark.parametrize(
    ("at", "shown"),
    [
        (None, "None"),
        (True, "True"),
        (np.True_, "True"),
        (math.nan, "nan"),
        ("nan", "nan"),
        ([0.5], "[0.5]"),
        (0.5j, "0.5j"),
        (np.array([1, 2]), "array([1, 2])"),
    ],
)
def test_what_is_neither_number_nor_rule_is_refused(at, shown):
    with refused(f"at must be a number or a rule such as quantile(0.99) or top(10), got {shown}"):
        threshold(at)


def test_a_number_beyond_all_floats_is_refused():
    at = 10**400
    shown = "1" + "0" * 64 + "..." + "0" * 52
    with refused(f"at must be a number or a rule such as quantile(0.99) or top(10), got {shown}"):
        threshold(at)


def test_an_oracle_is_no_threshold():
    with refused("at must not be an oracle; write best(...) around the metric instead"):
        threshold("best(f1)")


@pytest.mark.parametrize(
    ("at", "message"),
    [
        (
            "half",
            "unknown threshold rule 'half'; rules are " + RULES_LISTED,
        ),
        (
            "quantil(0.5)",
            "unknown threshold rule 'quantil', did you mean 'quantile'?; rules are " + RULES_LISTED,
        ),
    ],
)
def test_an_unknown_rule_is_refused_with_the_known_ones(at, message):
    with refused(message, UnknownName):
        threshold(at)


@pytest.mark.parametrize("at", ["quantile", "top(1, 2)", "quantile(p=0.5)", "top(1, k=2)"])
def test_a_rule_with_wrong_settings_is_refused(at):
    with refused(f"at must be a number or one of {RULES_LISTED}, got {at}"):
        threshold(at)


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("quantile(2)", "q must be a share in [0, 1], got 2"),
        ("top(0)", "k must be a whole number, at least 1, got 0"),
        ("quantile('a')", "q must be a share in [0, 1], got 'a'"),
    ],
)
def test_a_rule_with_a_wrong_value_is_refused_as_the_rule_itself(at, message):
    with refused(message):
        threshold(at)


def test_text_that_is_neither_number_nor_call_is_refused():
    with refused("at must be a number or a rule such as quantile(0.99) or top(10), got '1 + 1'"):
        threshold("1 + 1")


@examples
@given(score_lists, st.data())
def test_a_strictly_increasing_map_changes_no_decision_of_a_rule(scores, data):
    rule = data.draw(
        st.one_of(st.builds(Quantile, st.floats(0, 1)), st.builds(Top, st.integers(1, len(scores))))
    )
    table = sorted(
        data.draw(st.sets(st.floats(allow_nan=False), min_size=8, max_size=8)) - {-math.inf}
    )
    mapped = [table[s] for s in scores]
    metric = aj.precision(at=rule)
    labels = [1, *[0] * (len(scores) - 1)]
    flags, flags_mapped = (metric.flags(Case(labels, s))[0].tolist() for s in (scores, mapped))
    assert flags == flags_mapped


@pytest.mark.parametrize("rule", [Quantile, Top, Sigma, Mad])
def test_the_part_that_a_rule_is_learnt_on_is_given_by_name(rule):
    assert rule(1, on="0:5").on is not None
    with pytest.raises(TypeError, match="positional argument"):
        rule(1, "0:5")
