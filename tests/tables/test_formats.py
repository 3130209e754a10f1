"""Tables for people: hostile cells stay text in every format."""

import csv
import io

import pytest

from adjudge.tables.formats import as_csv, as_markdown
from adjudge.tables.latex import as_latex

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"]
MARKUP = [
    "<script>",
    "[x](y)",
    "![x](y)",
    "a|b",
    "`c`",
    "*d*",
    "# e",
    "two\nlines",
    "&lt;",
    "a_b_",
    "~~x~~",
]
COMMANDS = [r"\input{x}", "$x$", "a&b", "50%", "#1", "a_b", "{x}", "~", "^", "<>", "two\nlines"]


@pytest.mark.parametrize("cell", FORMULAS)
def test_a_spreadsheet_sees_text_and_no_formula(cell):
    _, row = csv.reader(io.StringIO(as_csv(["name"], [[cell]]), newline=""))
    assert row == ["'" + cell]


def test_numbers_stay_numbers():
    assert as_csv(["value"], [[-0.5], [1e-300]]) == "value\n-0.5\n1e-300\n"


@pytest.mark.parametrize("cell", MARKUP)
def test_markdown_keeps_its_columns_and_obeys_nothing(cell):
    lines = as_markdown(["name", "value"], [[cell, 1]]).splitlines()
    assert len(lines) == 3
    assert lines[2].replace(r"\|", "").count("|") == 3
    for special in "<>[]`*#!_~":
        assert lines[2].count(special) == lines[2].count(f"\\{special}")


@pytest.mark.parametrize("cell", COMMANDS)
def test_latex_keeps_its_columns_and_obeys_nothing(cell):
    lines = as_latex(["name", "value"], [[cell, 1]]).splitlines()
    assert len(lines) == 7
    row = lines[4].removesuffix(r" \\")
    for named in (
        r"\textbackslash{}",
        r"\textasciitilde{}",
        r"\textasciicircum{}",
        r"\textless{}",
        r"\textgreater{}",
    ):
        row = row.replace(named, "")
    for special in "{}$%#_":
        assert row.count(special) == row.count(f"\\{special}")
    assert row.replace(r"\&", "").count("&") == 1


@pytest.mark.parametrize("name", ["[x]", "*x"])
def test_no_row_of_latex_begins_with_what_the_row_before_would_take(name):
    r"""After ``\\\\``, and after ``\midrule``, a bracket is a length and a star an option."""
    lines = as_latex(["name", "value"], [["a", 1], [name, 2]]).splitlines()
    assert lines[5] == rf"{{}}{name} & 2 \\"
    assert as_latex([name, "value"], []).splitlines()[2] == rf"{{}}{name} & value \\"


def test_a_bar_of_latex_is_a_bar():
    """In the usual fonts of text it would be a dash."""
    assert r"p\textbar{}q" in as_latex(["name"], [["p|q"]])
