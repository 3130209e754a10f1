"""Threshold rules: quantile(q) and top(k), and how at= is read."""

import functools
import math
import runpy
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge as aj
from adjudge.checks import positive
from adjudge.cli import main
from adjudge.data.case import Case
from adjudge.errors import InputError, UnknownName
from adjudge.measure.thresholds.contract import RULES, Rule, rule, rule_examples
from adjudge.measure.thresholds.policy import foreign_code
from adjudge.measure.thresholds.rules import Mad, Quantile, Sigma, Top
from adjudge.metrics.spec import parse, threshold
from adjudge.settings import setting
from messages import refused

examples = settings(derandomize=True, deadline=None, max_examples=200)
score_lists = st.lists(st.integers(0, 6), min_size=1, max_size=12)

DOCS = Path(__file__).parents[2] / "docs"
RULES_LISTED = RULES.listed


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
    with refused("at must not be chosen in hindsight; write best(...) around the metric instead"):
        threshold("best(f1)")


@pytest.mark.parametrize(
    ("at", "message"),
    [
        (
            "half",
            "unknown threshold rule 'half'; there are " + RULES_LISTED,
        ),
        (
            "quantil(0.5)",
            "unknown threshold rule 'quantil', did you mean 'quantile'?; there are " + RULES_LISTED,
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


LABELS, SCORES = [0, 0, 1, 1, 0, 0], [0.1, 0.2, 0.9, 0.6, 0.3, 0.4]


def middle(case):
    return np.median(case.scores)


class Fixed:
    def __init__(self, at):
        self.at = at

    def __call__(self, _case):
        return self.at


class Written(Fixed):
    def __str__(self):
        return f"always {self.at}"


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (middle, "middle"),
        (lambda _: 0.35, "<lambda>"),
        (Fixed(0.35), "Fixed"),
        (Written(0.35), "always 0.35"),
        (functools.partial(lambda at, _: at, 0.35), "partial"),
    ],
    ids=["function", "lambda", "object", "object with a text", "partial"],
)
def test_any_function_of_a_case_is_a_rule(rule, text):
    (row,) = aj.evaluate(LABELS, SCORES, "f1", at=rule, chance=False).rows
    assert (0.35, "rule", text) == (pytest.approx(row.at), row.chosen_by, row.rule)
    assert aj.f1(LABELS, SCORES, at=rule) == row.value == aj.f1(LABELS, SCORES, at=0.35)
    assert f"f1(at={text})" == str(aj.f1(at=rule))


@pytest.mark.parametrize(
    "at",
    [Quantile, aj.f1, lambda: 1, lambda _, __: 1, lambda _=1: 1, min, Case, int],
    ids=["class", "metric", "nothing", "two", "optional", "builtin", "Case", "int"],
)
def test_what_does_not_take_a_case_alone_is_no_rule(at):
    with pytest.raises(
        InputError, match=r"^at must be a number or a rule such as quantile\(0.99\)"
    ):
        threshold(at)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (math.nan, "threshold of Fixed must be a number, got nan"),
        ("0.5", "threshold of Fixed must be a number, got '0.5'"),
        (None, "threshold of Fixed must be a number, got None"),
    ],
)
def test_a_rule_must_give_a_number(given, message):
    with refused(message):
        aj.f1(LABELS, SCORES, at=Fixed(given))


def test_the_trouble_of_a_rule_names_the_rule():
    def broken(case):
        raise ValueError("no scores today")

    def strict(case):
        raise InputError("scores must be mine, got yours")

    with refused("rule broken must give a threshold, got ValueError: no scores today"):
        aj.f1(LABELS, SCORES, at=broken)
    with refused("scores must be mine, got yours"):
        aj.f1(LABELS, SCORES, at=strict)


def test_a_function_takes_no_part_to_learn_on():
    with refused("on must be left out for middle, which takes no part, got 0:3"):
        replace(threshold(middle), on="0:3")


@pytest.fixture
def declared(monkeypatch):
    """Two rules from outside, forgotten after the test: a class and a function."""
    CliRunner().invoke(main, ["evaluate", "--help"])  # which must not be all that it ever says
    monkeypatch.setattr(RULES, "_things", dict(RULES))
    monkeypatch.setattr("adjudge.measure.thresholds.contract._EXAMPLES", {})

    @rule("above", example="above(3)")
    @dataclass(frozen=True, repr=False)
    class Above(Rule):
        """So many times the mean."""

        k: float = setting(3, positive)

        def threshold(self, scores):
            return self.k * np.mean(scores)

    @rule("between", example="between(low=0, high=1)")
    def between(low=0, high=1):
        """The middle of two numbers."""
        return lambda _: (low + high) / 2

    return Above


def test_a_rule_from_outside_is_read_and_printed_as_written(declared):
    assert declared(2) == threshold("above(2)")
    assert "above(2)" == str(declared(2)) == repr(declared(2))
    (row,) = aj.evaluate(LABELS, SCORES, "f1", at='above(2, on="0:2")', chance=False).rows
    assert (0.3, 'above(2, on="0:2")') == (pytest.approx(row.at), row.rule)
    (row,) = aj.evaluate(LABELS, SCORES, "f1(at=between(high=0.8))", chance=False).rows
    assert (0.4, "between(high=0.8)") == (row.at, row.rule)
    with refused("k must be a positive number between 1e-6 and 1e6, got 0"):
        threshold("above(0)")
    with pytest.raises(TypeError, match=r"above\(\) got an unexpected keyword argument 'kk'"):
        declared(kk=3)


def test_a_rule_from_outside_is_in_messages_help_and_the_table_of_the_page(declared):
    there = f"there are {RULES_LISTED}, above(k), between(low=, high=)"
    with refused(f"unknown threshold rule 'abov', did you mean 'above'?; {there}", UnknownName):
        threshold("abov(3)")
    for verb in ("evaluate", "explain", "rank"):
        shown = CliRunner().invoke(main, [verb, "--help"]).output
        assert "above(3), between(low=0, high=1)" in " ".join(shown.split())
    page = runpy.run_path(str(DOCS.parent / "tools" / "make_tables.py"))
    assert "| `above(k)` | So many times the mean. |" in page["rules"]()
    assert "| `between(low=, high=)` | The middle of two numbers. |" in page["rules"]()


def test_a_rule_from_outside_works_on_the_command_line(declared, tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("label,score\n0,1\n0,2\n1,9\n0,4\n")
    asked = ["evaluate", str(file), "--metric", "f1", "--at", "above(2)", "--no-chance", "--json"]
    done = CliRunner().invoke(main, asked)
    assert '"rule": "above(2)"' in done.output
    learnt = CliRunner().invoke(main, [*asked, "--train-length", "2"])
    assert '"at": 3.0' in learnt.output


class Entry:
    name, value, dist = "between", "module:between", None

    def load(self):
        return lambda low, high: lambda _: (low + high) / 2


def test_a_rule_of_an_installed_package_is_read_on_an_unknown_name(monkeypatch):
    monkeypatch.setattr(RULES, "_things", dict(RULES))
    monkeypatch.setattr(RULES, "_complete", False)
    entries = {"adjudge.rules": [Entry()]}
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries[group])
    assert threshold("between(0, 1)")(Case(LABELS, SCORES)) == 0.5
    assert rule_examples().endswith("between(low=, high=)")


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("best", list, "name of a threshold rule must be a word such as 'mine', got 'best'"),
        ("my-own", list, "name of a threshold rule must be a word such as 'mine', got 'my-own'"),
        ("mine", 3, "threshold rule mine must be a class or a function, got 3"),
        ("top", list, "name of a threshold rule must be new, got 'top'"),
    ],
)
def test_what_is_no_rule_is_not_declared(name, make, message):
    with refused(message):
        rule(name, example="")(make)


def test_a_declared_function_must_make_a_rule(monkeypatch):
    monkeypatch.setattr(RULES, "_things", dict(RULES))
    monkeypatch.setattr("adjudge.measure.thresholds.contract._EXAMPLES", {})
    rule("wrong", example="wrong()")(lambda: 3)
    with refused("threshold rule wrong must make a rule, got 3"):
        threshold("wrong()")


def test_every_rule_is_a_public_name():
    for name, make in RULES.items():
        assert name in aj.__all__
        assert getattr(aj, name) is make


def test_the_code_of_a_rule_inside_a_policy_is_known():
    assert foreign_code(aj.policy(lambda case: case.scores.max(), after=2)) is not None
    assert foreign_code(aj.policy(0.5, after=2)) is None
