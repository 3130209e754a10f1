"""What every verb prints fits the terminal, and says what the stored text says.

The texts in tests/golden/terminal were read by eye; tests/golden/make_terminal.py writes them anew.
"""

import io
import re
import sys

import pytest

from adjudge.cli import main
from adjudge.cli.terminal import echo
from adjudge.tables.text import cells_wide
from golden import make_terminal as golden

_VERDICT = re.compile(r"\n(?:\S+ )?\S+\s(?:is|does|had|has|cannot)\s")
_NUMBER = re.compile(r"-?\d[\d.,]*(e-?\d+)?|\bundefined\b")


def words(text):
    """Words in their order, up to the verdicts; numbers, blanks and rules may differ."""
    tables, *_ = _VERDICT.split(text, maxsplit=1)
    return " ".join(_NUMBER.sub("0", re.sub(r"-{3,}", "", tables)).split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("terminal"))
        golden.write_files()
        yield


EVERY = golden.QUICK | golden.SLOW


def slow_ones_long(quick):
    """The commands, of which those that take seconds are long tests, but for a few."""
    return [pytest.param(n, marks=pytest.mark.long) if n not in quick else n for n in EVERY]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", slow_ones_long(quick=EVERY.keys() - {"explain_diff"}))
def test_it_says_what_was_read_by_eye(name):
    printed = golden.printed(EVERY[name], golden.WIDTH)
    assert fits(printed, golden.WIDTH)
    if name not in golden.BY_THE_CATALOGUE:
        stored = (golden.FOLDER / f"{name}.txt").read_text()
        assert words(printed) == words(stored), "read it, then run tests/golden/make_terminal.py"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("width", [60, 120])
@pytest.mark.parametrize("name", slow_ones_long(quick=golden.QUICK))
def test_it_fits_other_terminals(name, width):
    assert fits(golden.printed(EVERY[name], width), width)


def fits(text, width):
    """Whether no line is too long, and nothing was cut off."""
    return max(map(cells_wide, text.splitlines())) <= width and "…" not in text


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["schema", "playground"])
def test_paths_and_json_do_not_depend_on_the_terminal(name):
    assert golden.printed(golden.ONE_LINE[name], 60) == golden.printed(golden.ONE_LINE[name], 120)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["evaluate_two", "explain", "compare", "list", "audit_one"])
def test_a_terminal_of_one_column_breaks_nothing(name):
    assert golden.printed(EVERY[name], 1)


def test_every_verb_has_its_text():
    commands = (EVERY | golden.ONE_LINE).values()
    assert {command.split()[0] for command in commands} == set(main.commands)


def test_what_the_coding_of_the_terminal_lacks_is_written_out(monkeypatch):
    ascii_only = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", ascii_only)
    echo("detection_delay ↓")
    ascii_only.flush()
    assert ascii_only.buffer.getvalue() == b"detection_delay \\u2193\n"
