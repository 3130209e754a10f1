"""Null models: declared once, and known wherever ``null=`` is taken, told of or listed."""

import json
import re
from contextlib import redirect_stdout
from importlib.metadata import EntryPoint
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.errors import InputError
from adjudge.judging.words.verdict import verdict
from adjudge.noise.null_models import NULLS, NearbyNull, NullModel, null_model
from adjudge.noise.p_values import NullValues
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.ranking.run import rank
from adjudge.tables.formats import markdown_of

PAGE = Path(__file__).parents[2] / "docs" / "chance.md"
LABELS = np.zeros(1200, int)
for i, start in enumerate(range(20, 1100, 90)):
    LABELS[start + i * i % 71 : start + i * i % 71 + 12] = 1
GOOD = np.roll(LABELS, 3) * (np.arange(1200) % 300 > 60)
WIDE = np.roll(LABELS, 40) | np.roll(LABELS, 3) * (np.arange(1200) < 600)


@pytest.fixture
def nulls(monkeypatch):
    """Let null models be declared that are gone after the test."""
    monkeypatch.setattr(NULLS, "_things", dict(NULLS))
    return NULLS


def declared_half(value=0.5, *, joint=False):
    """A null model from outside: this class is all that it takes."""

    @null_model("half", "always a half", words="coins that know the odds", joint=joint)
    class Half(NullModel):
        def values(self, metric, shifting, shifts, seed):  # noqa: ARG002 - it asks nobody
            return NullValues(np.full(shifts or 99, value), exact=False)

    return Half


@pytest.fixture
def half(nulls):
    return declared_half()


@pytest.mark.parametrize("verb", ["evaluate", "compare", "rank", "report"])
def test_one_from_outside_is_listed_in_help(verb, half):
    printed = CliRunner(env={"COLUMNS": "200"}).invoke(main, [verb, "--help-all"]).stdout
    assert list(NULLS)[-1] == "half"
    assert f"--null [{'|'.join(NULLS)}]" in printed
    assert f"half ({half.words})" in " ".join(printed.split())


def test_one_from_outside_is_listed_in_messages(half):
    names = ", ".join(map(repr, NULLS))
    words = f"null must be one of {names}, or a null model, got 'hal'"
    for call in (
        lambda: aj.evaluate(LABELS, GOOD, "f1", null="hal"),
        lambda: aj.compare(LABELS, GOOD, WIDE, "f1", null="hal"),
        lambda: aj.chance(LABELS, "f1", like=GOOD, null="hal"),
        lambda: aj.chance(LABELS, "f1", rate=0.1, null="hal"),
        lambda: aj.rank({"a": (LABELS, {"good": GOOD})}, "f1", null="hal"),
    ):
        with pytest.raises(InputError, match=words):
            call()
    refused = CliRunner().invoke(main, ["evaluate", "x.csv", "--null", "hal"])
    assert refused.exit_code == 2
    assert f"'hal' is not one of {names}" in " ".join(refused.stderr.split())


def test_one_from_outside_stands_in_the_table_of_the_page(half):
    blocks = re.findall(r"```\{python\}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (block,) = [one for one in blocks if "NULLS" in one]
    with redirect_stdout(StringIO()) as printed:
        exec(block, {})  # noqa: S102 - a block of our own page
    assert [line.split()[0] for line in printed.getvalue().splitlines()[1:]] == list(NULLS)
    assert re.search("half +always a half +no", printed.getvalue())


def test_one_from_outside_judges(half):
    (row,) = aj.evaluate(LABELS, GOOD, "f1_ba", null="half", shifts=199).rows
    assert (row.null, row.chance, row.shifts) == ("always a half", 0.5, 199)
    (own,) = aj.evaluate(LABELS, GOOD, "f1_ba", shifts=199).rows
    assert row.p_joint == max(own.p_joint, row.p_value)
    assert f"; {half.words} score 0.50 (p <= 0.005" in verdict([row])


def test_one_from_outside_stands_on_the_page_of_a_report(half, tmp_path):
    table = np.column_stack([LABELS, GOOD])
    text = "\n".join(["label,score", *(f"{a},{b}" for a, b in table), ""])
    (tmp_path / "a.csv").write_text(text)
    page = tmp_path / "page.html"
    made = CliRunner().invoke(
        main, ["report", f"{tmp_path}/a.csv", "--null", "half", "--out", str(page)]
    )
    assert made.exit_code == 0, made.output
    assert half.words in page.read_text()
    aj.report(LABELS, GOOD, "f1_ba", null="half", path=page)
    assert half.words in page.read_text()
    assert "a detector that knows nothing (always a half); " in page.read_text()
    assert (
        "the same alarms" not in page.read_text().partition("by chance: ")[2].partition("</p>")[0]
    )


DATA = {name: (LABELS, {"good": GOOD, "wide": np.roll(WIDE, n)}) for n, name in enumerate("ab")}


def test_one_from_outside_ranks_and_what_is_stored_knows_it(nulls, tmp_path):
    def chances(null, **how):
        found = rank(DATA, "f1_ba", out=tmp_path, null=null, shifts=19, pooled=False, **how)
        said = json.loads((tmp_path / "manifest.json").read_text())
        return {row["chance"] for row in found.results}, said["null"], said["rows"]

    shifted, name, _ = chances("shifted")
    assert name == "the same alarms, shifted"
    declared_half()
    assert chances("half")[:2] == ({0.5}, "always a half")
    assert chances("shifted")[0] == shifted
    del nulls._things["half"]  # noqa: SLF001 - as if its source were edited
    declared_half(0.25)
    assert chances("half")[:2] == ({0.25}, "always a half")


def test_a_ranking_is_that_of_evaluate_and_needs_no_row_anew(tmp_path):
    found = rank(DATA, "f1_ba", null="nearby", shifts=19, pooled=False, out=tmp_path)
    for row in found.results:
        flags = DATA[row["series"]][1][row["detector"]]
        (own,) = aj.evaluate(LABELS, flags, "f1_ba", null="nearby", shifts=19).rows
        assert (row["chance"], row["p_value"]) == (own.chance, own.p_value)
    with pytest.raises(InputError, match="null must be 'shifted' with chance=False, got 'nearby'"):
        rank(DATA, "f1_ba", null="nearby", chance=False)


@pytest.mark.parametrize("joint", [False, True])
def test_a_verdict_needs_every_joint_null_model(nulls, joint):
    declared_half(0.99, joint=joint)
    (row,) = aj.evaluate(LABELS, GOOD, "f1_ba").rows
    assert row.p_value <= 0.05
    said = verdict([row])
    assert ("is better than chance" in said) is not joint
    assert ("under another null model that the verdict requires (p = 1)" in said) is joint


def test_a_package_publishes_one_as_an_entry_point(nulls, monkeypatch):
    half = declared_half()
    del nulls._things["half"]  # noqa: SLF001 - only its package knows it
    monkeypatch.setattr(nulls, "_complete", False)
    monkeypatch.setitem(globals(), "Half", half)
    entry = EntryPoint("half", f"{__name__}:Half", "adjudge.nulls")
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: [entry] * (group == nulls.group)
    )
    assert aj.evaluate(LABELS, GOOD, "f1_ba", null="half", shifts=19).rows[0].chance == 0.5


@pytest.mark.parametrize("wrong", [NearbyNull(), NullModel, float, None])
def test_what_is_no_declared_null_model_gets_no_name(nulls, wrong):
    with pytest.raises(InputError, match="null model 'wrong' must be a class below NullModel"):
        nulls.add("wrong", wrong)
    assert "wrong" not in nulls


def test_a_null_model_that_says_no_values_is_none():
    with pytest.raises(TypeError, match="values"):
        NullModel()


def test_the_level_of_a_null_model_is_the_mean_of_what_is_defined(half):
    values = NullValues(np.array([0.25, np.nan, 0.75]), exact=False)
    shifting = CaseShifts(aj.Case(LABELS, GOOD))
    assert half().level(aj.f1, shifting, values) == 0.5
    assert np.isnan(half().level(aj.f1, shifting, NullValues(np.full(3, np.nan), exact=False)))


@pytest.mark.parametrize("metric", ["f1_ba", "auc_roc"])
def test_chance_of_a_named_null_model_is_that_of_the_chance_line(metric):
    for null, kind in NULLS.items():
        if null in {"renamed", "aligned"}:  # of several channels; of several series
            continue
        how = {"null": null, "period": 20 if kind.takes_period else None}
        (row,) = aj.evaluate(LABELS, GOOD, metric, shifts=50, **how).rows
        found = aj.chance(LABELS, metric, like=GOOD, draws=50, **how)
        assert (found.level, found.null) == (row.chance, row.null)
        assert found.mean == pytest.approx(row.chance, abs=0.1)
    assert aj.chance(LABELS, metric, like=GOOD) == aj.chance(
        LABELS, metric, like=GOOD, null="shifted"
    )
    noise = aj.chance(LABELS, metric, rate=0.1)
    assert noise == aj.chance(LABELS, metric, rate=0.1, null="white")
    with pytest.raises(InputError, match="rate=, got 'nearby'"):
        aj.chance(LABELS, metric, rate=0.1, null="nearby")


@pytest.mark.parametrize(
    ("metric", "null"),
    [("f1_ba", "white"), ("f1_pa", "shifted"), ("ap", "nearby"), ("detection_delay", "shifted")],
)
def test_a_comparison_has_the_chance_of_both_beside_the_same_p_value(metric, null):
    plain = aj.compare(LABELS, GOOD, WIDE, metric)
    found = aj.compare(LABELS, GOOD, WIDE, metric, null=null, names=("good", "wide"))
    assert (found.p_value, found.low, found.high) == (plain.p_value, plain.low, plain.high)
    rows = aj.evaluate(LABELS, {"good": GOOD, "wide": WIDE}, metric, null=null).rows
    assert found.chance == tuple(row.chance for row in rows)
    assert found.null == rows[0].null
    assert found.columns()["chance"] == list(found.chance)
    assert "chance" not in plain.columns()
    apart = found.chance[0] - found.chance[1]
    ahead = "good" if (apart > 0) == (found.better == "higher") else "wide"
    assert f"{ahead} is ahead by {abs(apart):.4f}" in str(found)
    assert "by chance" not in str(plain)
    assert re.search(r"\| chance \|", markdown_of(found.layout()))


def test_a_comparison_whose_chance_is_the_same_names_nobody():
    found = aj.compare(LABELS, GOOD, GOOD, "f1", null="shifted", seed=np.random.default_rng(1))
    a, b = found.chance
    assert str(found).endswith(f"by chance (the same alarms shifted in time): a {a:.4f}, b {b:.4f}")
