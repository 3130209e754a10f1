"""What every verb prints fits the terminal, and says what the stored text says.

The texts in tests/golden/terminal were read by eye; tests/golden/make_terminal.py writes them anew.
"""

import io
import re
import sys

import pytest

from adjudge.cli import main
from adjudge.cli.terminal import echo, progress
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


def lines_of_progress(monkeypatch, capsys, seconds, columns=60):
    """What a terminal shows of four pieces of work, one after the other, then of nothing."""
    clock = iter(seconds)
    monkeypatch.setattr("adjudge.cli.terminal.monotonic", lambda: next(clock))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    with progress("series", 4) as line:
        for done in (1, 2, 4):
            line(done, 4)
    return re.sub("\r *\r", "\n", capsys.readouterr().err).split("\n")[1:]


def test_a_terminal_sees_how_far_it_is_and_how_long_it_will_take(monkeypatch, capsys):
    expected = ["series: 0 of 4", "series: 1 of 4, 0:01:30 left", "series: 2 of 4, 0:01:00 left"]
    seen = lines_of_progress(monkeypatch, capsys, (0, 30, 60, 90))
    assert [*expected, "series: 4 of 4", ""] == seen


def test_progress_is_drawn_ten_times_a_second_and_at_the_end(monkeypatch, capsys):
    seen = lines_of_progress(monkeypatch, capsys, (0, 0.05, 0.06, 0.07))
    assert ["series: 0 of 4", "series: 4 of 4", ""] == seen


def test_progress_keeps_to_one_line(monkeypatch, capsys):
    seen = lines_of_progress(monkeypatch, capsys, (0, 30, 60, 90), columns=12)
    assert {"series: 0 o", "series: 1 o", "series: 2 o", "series: 4 o", ""} == set(seen)


def test_a_pipe_sees_no_progress(capsys):
    with progress("series", 4) as line:
        line(4, 4)
    assert "" == capsys.readouterr().err
