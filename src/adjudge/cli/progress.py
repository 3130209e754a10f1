"""Progress: how far long work is, how fast it goes, and when it will be done, on stderr.

A terminal shows one bar, drawn again and again, which goes when the work is done. Where stderr is
redirected, to a file or the log of a job, it gets a line every half minute, also while a single
piece takes longer than that: a log that says nothing cannot be told from a program that hangs.
"""

from __future__ import annotations

import shutil
import sys
from collections import deque
from contextlib import contextmanager, suppress
from datetime import timedelta
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import click

from adjudge.cli.group import note
from adjudge.errors import visible
from adjudge.tables.text import cells_wide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BEAT = 30.0
"""Seconds between two lines where stderr is redirected."""
_DRAWN = 0.1  # seconds between two drawings of the bar
_SAMPLED = 5.0  # seconds between two samples of how much is done
_SAMPLES = 60  # so the rate is that of the last five minutes: what was kept is read much faster
_BAR = 20  # characters of the bar


@contextmanager
def progress(task: str, total: int = 0) -> Iterator[Progress]:
    """Show how far it is, how fast it goes, and how long it will take.

    Gives a function to be called with (done, total), with what is being done now, and with the
    number of cells that were judged.
    """
    shown = Progress(task, total)
    ended = Event()
    beats = Thread(target=beat, args=(shown, ended.wait), daemon=True)
    if not _is_terminal():
        with suppress(RuntimeError):  # Python in a browser cannot start a thread
            beats.start()
    try:
        yield shown
    finally:
        ended.set()
        if beats.ident is not None:
            beats.join()
        shown.clear()


@contextmanager
def resumable(task: str, out: str, total: int = 0) -> Iterator[Progress]:
    """Show how far it is with what a folder keeps; who interrupts it reads how much that is."""
    try:
        with progress(task, total) as shown:
            yield shown
    except KeyboardInterrupt:
        kept = f"{shown.done:,.0f} of {shown.total:,} {task} are kept in {out}"
        note(f"{kept}; the same command goes on from there")
        raise click.Abort from None


def beat(shown: Progress, ended: Callable[[float], bool]) -> None:
    """Say every half minute how far it is, until the work has ended.

    Parameters
    ----------
    shown : Progress
        What it is told of.
    ended : callable
        Waits so many seconds, or until the work has ended; whether it has.
    """
    while not ended(BEAT):
        note(shown.line())


class _Sample(NamedTuple):
    """How much was done at a time; cells are counted where work has them."""

    time: float
    done: float
    cells: int | None


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
        self._samples: deque[_Sample] = deque(maxlen=_SAMPLES)
        self._began, self._drawn, self._width = clock(), -_DRAWN, 0

    def __call__(
        self, done: float, total: int, task: str | None = None, cells: int | None = None
    ) -> None:
        """Take how much is done; draw the bar unless it was drawn just now."""
        now = self._clock()
        self.done, self.total, self._task, self._cells = done, total, task or self._task, cells
        if cells == 0:  # all that is done was kept: it says nothing of how fast work goes
            self._samples.clear()
        if not self._samples or now - self._samples[-1].time >= _SAMPLED:
            self._samples.append(_Sample(now, done, cells))
        if _is_terminal() and (now - self._drawn >= _DRAWN or done >= total):
            self._drawn = now
            self._draw(self._bar(now))

    def line(self) -> str:
        """Say how far it is: what is done, how fast it goes, and the time left."""
        return self._text(self._clock())

    def clear(self) -> None:
        """Take the bar away."""
        if self._width:
            self._draw("")

    def _text(self, now: float) -> str:
        task, so_far = visible(self._task), f"{_spoken(now - self._began)} so far"
        if not self.total:
            return f"{task}: {so_far}"
        if self.done >= self.total:
            return f"{task}: {self.total:,} of {self.total:,}, finishing, {so_far}"
        head = f"{task}: {self.done:,.0f} of {self.total:,}"
        head += "" if self._cells is None else f", {self._cells:,} cells"
        since = self._samples[0] if self._samples else _Sample(now, self.done, self._cells)
        seconds, more = now - since.time, self.done - since.done
        if not (seconds > 0 and more > 0):
            return f"{head}, {so_far}"
        judged = more
        if self._cells is not None and since.cells is not None:
            judged = self._cells - since.cells
        left = _spoken(seconds * (self.total - self.done) / more)
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
        click.echo(f"\r{' ' * self._width}\r{text}", nl=False, err=True)
        self._width = cells_wide(text)


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _spoken(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


def _rate(each_second: float) -> str:
    """Say a rate by the shortest time in which there is at least one."""
    least_one = [one for one in _RATES if each_second * one.seconds >= 1]
    chosen = least_one[0] if least_one else _RATES[-1]
    return f"{each_second * chosen.seconds:,.2g} {chosen.called}"
