"""Progress of long work on stderr: a bar on a terminal, a line every half minute elsewhere."""

import re
import sys
from threading import Event

import numpy as np
import pytest

import adjudge as aj
from adjudge.cli import progress as module
from adjudge.cli.progress import beat, progress
from adjudge.tables import progress as drawing
from adjudge.tables.progress import BEAT, Bar, Progress


class Clock:
    """A clock that stands until somebody moves it."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def terminal(monkeypatch, capsys):
    """What a terminal of some columns has shown, drawing by drawing."""
    monkeypatch.setattr(drawing, "is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    return lambda: re.sub("\r *\r", "\n", capsys.readouterr().err).split("\n")[1:]


def told(clock, steps):
    """The line after each step: (seconds, what is told at that time), or seconds alone."""
    shown, lines = Progress("series", clock=clock), []
    for seconds, *what in steps:
        clock.now = seconds
        if what:
            shown(*what)
        lines.append(shown.line())
    return lines


def test_a_line_has_what_is_done_the_rate_and_the_time_left(clock):
    steps = [(0,), (2, 0, 4, None, 0), (20,), (32, 1, 4, None, 300), (62, 2, 4, None, 600),
             (92, 4, 4, None, 900), (152,)]  # fmt: skip
    assert told(clock, steps) == [
        "series: 0:00:00 so far",
        "series: 0 of 4, 0 cells, 0:00:02 so far",
        "series: 0 of 4, 0 cells, 0:00:20 so far",
        "series: 1 of 4, 300 cells at 10 a second, 0:01:30 left",
        "series: 2 of 4, 600 cells at 10 a second, 0:01:00 left",
        "series: 4 of 4, finishing, 0:01:32 so far",
        "series: 4 of 4, finishing, 0:02:32 so far",
    ]


@pytest.mark.parametrize(
    ("seconds", "rate"),
    [(4, "2.5 a second"), (40, "15 a minute"), (2400, "15 an hour"), (1e6, "0.036 an hour")],
)
def test_the_rate_is_said_by_a_time_in_which_there_is_at_least_one(clock, seconds, rate):
    (_, line) = told(clock, [(0, 0, 20), (seconds, 10, 20)])
    assert f"series: 10 of 20 at {rate}, " in line


def test_the_rate_is_that_of_the_last_five_minutes(clock):
    quick = [(second, second, 2000) for second in range(0, 1000, 5)]
    slow = [(1000 + 5 * step, 1000 + step, 2000) for step in range(70)]
    assert " at 12 a minute, " in told(clock, quick + slow)[-1]


def test_what_was_kept_says_nothing_of_the_rate(clock):
    kept = [(second, 100 * second, 478, None, 0) for second in range(4)]
    judged = [(63, 301, 478, None, 60)]
    assert told(clock, kept + judged)[-1].endswith("60 cells at 1 a second, 2:57:00 left")


def test_a_terminal_sees_one_bar(clock, terminal):
    shown = Progress("series", clock=clock)
    for clock.now, done in ((0, 0), (30, 1), (30.05, 2), (60, 2), (90, 4)):
        shown(done, 4)
    shown.clear()
    assert terminal() == [
        f"[{'-' * 20}] series: 0 of 4, 0:00:00 so far",
        f"[{'#' * 5}{'-' * 15}] series: 1 of 4 at 2 a minute, 0:01:30 left",
        f"[{'#' * 10}{'-' * 10}] series: 2 of 4 at 2 a minute, 0:01:00 left",
        f"[{'#' * 20}] series: 4 of 4, finishing, 0:01:30 so far",
        "",
    ]


def test_where_there_is_no_room_the_bar_goes_first_then_the_end_of_the_text(
    clock, terminal, monkeypatch
):
    for columns, expected in ((36, "series: 0 of 4, 0:00:00 so far"), (12, "series: 0 o")):
        monkeypatch.setenv("COLUMNS", str(columns))
        Progress("series", clock=clock)(0, 4)
        assert terminal() == [expected]


def test_a_pipe_gets_a_line_every_half_minute_until_the_work_has_ended(clock, capsys):
    shown, waited = Progress("series", 4, clock), []

    def ended(seconds):
        waited.append(seconds)
        clock.now += seconds
        shown(len(waited) // 2, 4)
        return len(waited) == 5

    beat(shown, ended)
    assert waited == [BEAT] * 5 == [30] * 5
    assert capsys.readouterr().err.splitlines() == [
        "adjudge: series: 0 of 4, 0:00:30 so far",
        "adjudge: series: 1 of 4 at 2 a minute, 0:01:30 left",
        "adjudge: series: 1 of 4 at 1 a minute, 0:03:00 left",
        "adjudge: series: 2 of 4 at 1.3 a minute, 0:01:30 left",
    ]


def test_a_single_piece_of_work_is_no_silence(monkeypatch):
    said, lines = Event(), []
    monkeypatch.setattr(module, "BEAT", 0)
    monkeypatch.setattr(module, "note", lambda text: (lines.append(text), said.set()))
    with progress("series", 478):
        assert said.wait(60)
    assert lines[0].startswith("series: 0 of 478, ")


def test_short_work_says_nothing(capsys):
    with progress("series", 4) as shown:
        shown(4, 4)
    assert capsys.readouterr().err == ""


def test_the_time_left_is_by_the_work_and_not_by_the_number_of_series():
    """Fifty short series, then fifty twenty times as long: after the short ones 100 s are left."""
    now = [0.0]
    shown, weights = Progress("series", 100, lambda: now[0]), [1] * 50 + [20] * 50
    for number in range(51):
        shown(number, 100, cells=number, share=sum(weights[:number]) / sum(weights))
        now[0] += 0.1 * (number < 50)
    assert "0:01:40 left" in shown.line()
    plain = Progress("series", 100, clock=lambda: now[0])
    plain(0, 100)
    now[0] += 5
    plain(50, 100)
    assert "0:00:05 left" in plain.line()


class Notebook:
    """Stands for IPython in a kernel: keeps what each output shows, and what it showed before."""

    def __init__(self, kernel=True):
        self.kernel, self.display, self.shown = kernel or None, self, []

    def get_ipython(self):
        return self

    def __getattr__(self, name):
        assert name == "display"
        return self

    def show(self, bundle, raw, display_id):
        assert raw
        assert display_id
        self.shown.append([bundle["text/plain"]])
        return self

    def update(self, bundle, raw):
        assert raw
        assert "<progress" in bundle["text/html"]
        self.shown[-1].append(bundle["text/plain"])


@pytest.fixture
def notebook(monkeypatch):
    one = Notebook()
    one.display = type("Display", (), {"display": staticmethod(one.show)})
    monkeypatch.setitem(sys.modules, "IPython", one)
    return one


def test_a_notebook_sees_one_line_that_changes(clock, notebook, capsys):
    bar = Bar("series", clock)
    for step in range(201):
        clock.now = step / 20
        bar(step, 200)
    (lines,) = notebook.shown
    assert lines[0] == ""
    assert 50 < len(lines) < 110  # ten times a second at most
    assert lines[-1] == "series: 200 of 200 in 0:00:10"
    assert capsys.readouterr().err == ""


def test_a_program_without_a_kernel_is_no_notebook(clock, notebook, capsys):
    notebook.kernel = None
    bar = Bar("series", clock)
    for clock.now, done in ((1, 1), (31, 2), (40, 3), (62, 4)):
        bar(done, 4)
    assert notebook.shown == []
    assert [line[:23] for line in capsys.readouterr().err.splitlines()] == [
        "adjudge: series: 2 of 4",
        "adjudge: series: 4 of 4",
    ]


def test_a_function_draws_a_bar_on_a_terminal_and_takes_it_away(clock, terminal):
    bar = Bar("series", clock)
    bar(0, 2)
    clock.now = 5
    bar(2, 2)
    assert terminal()[-1] == ""


@pytest.mark.parametrize(
    "call",
    [
        lambda labels, scores: aj.evaluate(labels, scores, ["f1", "f1_pa"], 0.5, progress=True),
        lambda labels, scores: aj.rank(
            {name: (labels, {"a": scores}) for name in "ab"}, "f1(at=0.5)", chance=False,
            progress=True,
        ),
        lambda labels, scores: aj.calibrate(
            labels, scores, "f1", at=0.5, versions=20, draws=20, progress=True
        ),
    ],
)  # fmt: skip
def test_what_takes_long_shows_how_far_it_is(notebook, call):
    labels = np.tile([0] * 20 + [1] * 5, 8)
    call(labels, labels + np.random.default_rng(0).random(labels.size))
    (lines,) = notebook.shown
    assert " of " in lines[-1]
    assert " in 0:00:0" in lines[-1]


def test_what_is_no_function_is_refused():
    with pytest.raises(aj.InputError, match="progress must be True or a function, got 3"):
        aj.evaluate([0, 1], [0, 1], progress=3)
