"""How far long work is, how fast it goes, and when it will be done, in one line.

A terminal and a notebook show a bar that changes in its place. Elsewhere, in a file or the log of a
job, a line is said every half minute.
"""

from __future__ import annotations

import shutil
import sys
from collections import deque
from datetime import timedelta
from html import escape
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.checks import function
from adjudge.errors import InputError, shown, visible
from adjudge.tables.text import cells_wide

if TYPE_CHECKING:
    from collections.abc import Callable

BEAT = 30.0
"""Seconds between two lines where nothing is drawn."""
_DRAWN = 0.1  # seconds between two drawings of the bar
_SAMPLED = 5.0  # seconds between two samples of how much is done
_SAMPLES = 60  # so the rate is that of the last five minutes: what was kept is read much faster
_BAR = 20  # characters of the bar


class _Sample(NamedTuple):
    """How much was done at a time; cells are counted where work has them."""

    time: float
    done: float
    cells: int | None
    share: float
    """Of the work, by what each piece weighs."""


class _Per(NamedTuple):
    """The time over which a rate is said."""

    seconds: float
    called: str


_RATES = (_Per(1, "a second"), _Per(60, "a minute"), _Per(3600, "an hour"))


class Progress:
    """How much is done, of how much, and how fast it goes.

    Parameters
    ----------
    task, total : str, int
        What is done, in the words of the line, and how much there is; 0: not known yet.
    clock : callable
        Gives the time in seconds.
    """

    def __init__(self, task: str, total: int = 0, clock: Callable[[], float] = monotonic) -> None:
        self.done, self.total = 0.0, total
        self._task, self._clock = task, clock
        self._cells: int | None = None
        self._share = 0.0
        self._samples: deque[_Sample] = deque(maxlen=_SAMPLES)
        self._began, self._drawn, self._width = clock(), -_DRAWN, 0

    def __call__(
        self,
        done: float,
        total: int,
        task: str | None = None,
        cells: int | None = None,
        share: float | None = None,
    ) -> None:
        """Take how much is done; draw the bar unless it was drawn just now."""
        now = self._clock()
        self._share = done / max(1, total) if share is None else share
        self.done, self.total, self._task, self._cells = done, total, task or self._task, cells
        if cells == 0:  # all that is done was kept: it says nothing of how fast work goes
            self._samples.clear()
        if not self._samples or now - self._samples[-1].time >= _SAMPLED:
            self._samples.append(_Sample(now, done, cells, self._share))
        if is_terminal() and (now - self._drawn >= _DRAWN or done >= total):
            self._drawn = now
            self._draw(self._bar(now))

    def line(self) -> str:
        """Say how far it is: what is done, how fast it goes, and the time left."""
        return self._text(self._clock())

    def clear(self) -> None:
        """Take the bar away."""
        if self._width:
            self._draw("")

    def summary(self) -> str:
        """Say how much was done, and how long it took."""
        took = _spoken(self._clock() - self._began)
        return f"{visible(self._task)}: {self.total:,} of {self.total:,} in {took}"

    def _text(self, now: float) -> str:
        task, so_far = visible(self._task), f"{_spoken(now - self._began)} so far"
        if not self.total:
            return f"{task}: {so_far}"
        if self.done >= self.total:
            return f"{task}: {self.total:,} of {self.total:,}, finishing, {so_far}"
        head = f"{task}: {self.done:,.0f} of {self.total:,}"
        head += "" if self._cells is None else f", {self._cells:,} cells"
        last = _Sample(now, self.done, self._cells, self._share)
        since = self._samples[0] if self._samples else last
        seconds, more, share = now - since.time, self.done - since.done, self._share - since.share
        if not (seconds > 0 and more > 0 and share > 0):
            return f"{head}, {so_far}"
        judged = more
        if self._cells is not None and since.cells is not None:
            judged = self._cells - since.cells
        left = _spoken(seconds * (1 - self._share) / share)
        return f"{head} at {_rate(judged / seconds)}, {left} left"

    def _bar(self, now: float) -> str:
        text, room = self._text(now), shutil.get_terminal_size().columns - 1
        full = round(_BAR * self.done / max(1, self.total))
        bar = f"[{'#' * full}{'-' * (_BAR - full)}] "
        wide = cells_wide(text)
        if wide + len(bar) <= room:
            return bar + text
        # Cut off what does not fit; characters may take two cells.
        return text if wide <= room else text[:room] if text.isascii() else text[: room // 2]

    def _draw(self, text: str) -> None:
        """Write the text over the one before."""
        _write(f"\r{' ' * self._width}\r{text}")
        self._width = cells_wide(text)


def is_terminal() -> bool:
    """Whether stderr is a terminal, on which a line can be written over."""
    return sys.stderr is not None and sys.stderr.isatty()


def _spoken(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


def _rate(each_second: float) -> str:
    """Say a rate by the shortest time in which there is at least one."""
    least_one = [one for one in _RATES if each_second * one.seconds >= 1]
    chosen = least_one[0] if least_one else _RATES[-1]
    return f"{each_second * chosen.seconds:,.2g} {chosen.called}"


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


class Bar:
    """Shows how far a call is: in a notebook, on a terminal, or as lines in a log.

    Parameters
    ----------
    task : str
        What is done, in the words of the line.
    clock : callable
        Gives the time in seconds.
    """

    def __init__(self, task: str, clock: Callable[[], float] = monotonic) -> None:
        self._line, self._clock, self._said = Progress(task, clock=clock), clock, clock()
        self._cell = notebook_cell()

    def __call__(
        self,
        done: float,
        total: int,
        task: str | None = None,
        cells: int | None = None,
        share: float | None = None,
    ) -> None:
        """Take how much is done, and show it unless that was done just now."""
        self._line(done, total, task, cells, share)
        ended, waited = done >= total, self._clock() - self._said
        if self._cell is not None and (ended or waited >= _DRAWN):
            self._said = self._clock()
            self._cell(self._line.summary() if ended else self._line.line(), done, total)
        elif self._cell is None and waited >= BEAT and not is_terminal():
            self._said = self._clock()
            _write(f"adjudge: {self._line.line()}\n")
        if ended:
            self._line.clear()


def notebook_cell() -> Callable[[str, float, int], None] | None:
    """What shows a line in the cell of a notebook that runs, in place of the one before.

    Returns
    -------
    callable or None
        Takes the line, how much is done, and of how much. None: no notebook runs this.
    """
    ipython: Any = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if getattr(shell, "kernel", None) is None:
        return None
    output = ipython.display.display(_bundle("", 0, 0), raw=True, display_id=True)
    return lambda line, done, total: output.update(_bundle(line, done, total), raw=True)


def _bundle(line: str, done: float, total: int) -> dict[str, str]:
    bar = f'<progress value="{done:g}" max="{max(1, total)}"></progress>'
    return {"text/plain": line, "text/html": f"{bar} {escape(line)}"}


def reporter(progress: Any, task: str) -> Any:
    """What is told how far work is: a function, nobody (None), or a bar (True).

    >>> reporter(None, "series")(1, 2)
    >>> reporter(print, "series")(1, 2)
    1 2
    """
    if progress is True:
        return Bar(task)
    if progress is None or callable(progress):
        return function(progress, "progress")
    raise InputError(f"progress must be True or a function, got {shown(progress)}")
