"""Specs: the printed form of a metric is read, and never evaluated."""

import keyword
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge as aj
from adjudge.errors import InputError, UnknownName
from adjudge.metrics.spec import Call, call_text, parse
from messages import refused


def parsed(text):
    try:
        return parse(text)
    except InputError:
        return None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f1", Call("f1")),
        ("f1()", Call("f1")),
        ("  f1_ba( width = 5 ) \n", Call("f1_ba", (), {"width": 5})),
        ("f(0.5, -2)", Call("f", (0.5, -2))),
        ("f(1e3, --2, -0.0)", Call("f", (1000.0, 2, -0.0))),
        ("f(inf, -inf)", Call("f", (math.inf, -math.inf))),
        ("f(True, False, None)", Call("f", (True, False, None))),
        ("f(true, false, null)", Call("f", (True, False, None))),
        ("f((1, 2.5), [1, 2.5])", Call("f", ((1, 2.5), (1, 2.5)))),
        ("f('a', \"b\")", Call("f", ("a", "b"))),
        ("f(a=1, b='x')", Call("f", (), {"a": 1, "b": "x"})),
        ("f(g)", Call("f", (Call("g"),))),
        ("f(g(h(1)), k=m(2))", Call("f", (Call("g", (Call("h", (1,)),)),), {"k": Call("m", (2,))})),
        (r"f('\d')", Call("f", (r"\d",))),
    ],
)
def test_a_spec_is_read(text, expected):
    assert expected == parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "1",
        "'f1'",
        "-1",
        "inf",
        "None",
        "f1(",
        "f1)",
        "f1 f1",
        "f1; f1",
        "f1\nf1",
        "f1 # f1\nf1",
        "1 + 1",
        "f(1 + 1)",
        "f(2 ** 9)",
        "f.g",
        "f.g()",
        "f()()",
        "f[0]",
        "f(x[0])",
        "f(*a)",
        "f(**a)",
        "f(a=1, a=2)",
        "f(-True)",
        "f(-'a')",
        "f(-None)",
        "f(-g)",
        "f(+1)",
        "f(not 1)",
        "f(1j)",
        "f(b'a')",
        "f(...)",
        "f(f'{1}')",
        "f([1, 'a'])",
        "f((1, 'a'))",
        "f({})",
        "f(lambda: 1)",
        "f(a := 1)",
        "__import__('os').system('true')",
        "f(\0)",
        "f('\ud800')",
        "f" + "(" * 300,
        "-" * 499 + "1",
        "f(" + "9" * 490 + ".5.5)",
    ],
)
def test_what_is_no_call_with_plain_values_is_refused(text):
    with refused(
        "spec must be name(setting=value, ...) with numbers, tuples of numbers, strings, "
        f"True, False or None as values, got {text!r}"
    ):
        parse(text)


def test_a_function_of_one_s_own_is_refused_with_the_way_out():
    hint = "; module:function is for `adjudge evaluate` and `adjudge audit`"
    with pytest.raises(InputError, match=f"got 'early:early_share'{hint}"):
        parse("early:early_share")
    with pytest.raises(InputError, match=r"got 'f\(a:b\)'$"):
        parse("f(a:b)")


def test_a_spec_may_have_500_characters_and_no_more():
    longest = f"f('{'x' * 495}')"
    assert parse(longest) == Call("f", ("x" * 495,))
    with refused(
        "spec must be name(setting=value, ...) with numbers, tuples of numbers, strings, "
        f"True, False or None as values, got {longest!r}"
    ):
        parse(longest + " ")


@pytest.mark.parametrize(
    ("expected", "name", "values", "settings_"),
    [
        ("f", "f", (), None),
        ("f", "f", (), {}),
        ("f(1)", "f", (1,), None),
        ("f(1, a=2.5)", "f", (1,), {"a": 2.5}),
        ('f(a="x", b=True, c=None)', "f", (), {"a": "x", "b": True, "c": None}),
        (r'f("\"\\\n")', "f", ('"\\\n',), None),
        ('f("é")', "f", ("é",), None),
        ("f(-inf, 1e-05)", "f", (-math.inf, 1e-5), None),
        ("f(g(x=1))", "f", (Call("g", (), {"x": 1}),), None),
    ],
)
def test_a_call_is_written_as_it_is_read(expected, name, values, settings_):
    assert expected == call_text(name, values, settings_)


def test_a_call_prints_as_it_is_written():
    assert str(Call("best", (Call("f1_ba", (), {"width": 5}),))) == "best(f1_ba(width=5))"


names = st.from_regex(r"[a-z][a-z_0-9]{0,8}", fullmatch=True).filter(
    lambda name: not keyword.iskeyword(name) and name != "inf"
)
values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)
calls = st.recursive(
    st.builds(Call, names),
    lambda inner: st.builds(
        Call,
        names,
        st.lists(values | inner, max_size=2).map(tuple),
        st.dictionaries(names, values | inner, max_size=2),
    ),
    max_leaves=4,
)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(calls)
def test_what_is_written_is_read_back(call):
    assert call == parse(str(call))


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.text(max_size=60))
def test_any_text_is_a_call_or_refused(text):
    call = parsed(text)
    assert call is None or call == parse(str(call))


@pytest.mark.parametrize(
    "spec",
    [
        "f1",
        "best(f1_ba(width=5))",
        'f1_ba(width=5, islands="all", margin=2)',
        "f1_kpa(k=0.5, strict=True)",
        "f1(beta=2, at=0.5)",
        "f1(at=quantile(0.99))",
        "f1_pa(at=top(10))",
        "f1(at=-inf)",
        "auc_pr_ba(width=3)",
    ],
)
def test_a_metric_prints_the_spec_that_it_was_read_from(spec):
    assert spec == str(aj.metric(spec))


def test_a_metric_stays_the_same():
    assert aj.metric(aj.f1_ba) is aj.f1_ba


def test_what_is_no_spec_is_refused():
    with refused("metric must be a spec such as 'f1_ba(width=5)', got 5"):
        aj.metric(5)


@pytest.mark.parametrize("spec", ["best", "best(f1, f1)", "best(1)", "best(f1, width=5)"])
def test_best_takes_one_metric(spec):
    with refused(f"best(...) takes one metric, got {spec}"):
        aj.metric(spec)


@pytest.mark.parametrize(
    ("spec", "offer"),
    [
        ("f1_bq", "'f1_bq', did you mean 'f1_ba' or 'f1_pa'?"),
        ("best(recal)", "'recal', did you mean 'recall' or 'ts_recall' or 'recall_pa'?"),
        ("xyzzy", "'xyzzy'"),
    ],
)
def test_an_unknown_metric_is_refused_with_the_nearest_names(spec, offer):
    listed = sum(row.listed for row in aj.catalogue.values())
    hint = f"`adjudge list` shows {listed}, `adjudge list --all` all {len(aj.catalogue)}"
    with refused(f"unknown metric {offer}; {hint}", UnknownName):
        aj.metric(spec)


def test_settings_must_be_named():
    with refused("settings must be named, as in f1_ba(name=value), got f1_ba(5)"):
        aj.metric("f1_ba(5)")


@pytest.mark.parametrize("text", ["f1(at=1_0)", "f1(at=0x1f)", "f1(at=0b1)", "f1_ba(width=1_0)"])
def test_numbers_are_written_as_people_write_them(text):
    with pytest.raises(aj.InputError, match="spec must be name"):
        aj.metric(text)


@pytest.mark.parametrize("text", ["1_0", "0x1f", "1_0.5", "1e1_0", "\u0661"])
def test_a_threshold_is_written_as_people_write_numbers(text):
    with pytest.raises(aj.InputError, match="must be"):
        aj.f1(at=text)
