"""Progress: how far long work is, how fast it goes, and when it will be done, on stderr.

A terminal shows one bar, drawn again and again, which goes when the work is done. Where stderr is
redirected, to a file or the log of a job, it gets a line every half minute, also while a single
piece takes longer than that: a log that says nothing cannot be told from a program that hangs.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

import click

from adjudge.cli.group import note
from adjudge.tables.progress import BEAT, Progress, is_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress(task: str, total: int = 0) -> Iterator[Progress]:
    """Show how far it is, how fast it goes, and how long it will take.

    Gives a function to be called with (done, total), with what is being done now, and with the
    number of cells that were judged.
    """
    shown = Progress(task, total)
    ended = Event()
    beats = Thread(target=beat, args=(shown, ended.wait), daemon=True)
    if not is_terminal():
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
        note(f"{kept}; run the same command to resume")
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
