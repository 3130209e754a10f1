"""Waiting: a bar on stderr for whoever looks on, and nothing for whoever does not."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from adjudge._text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    class Teller(Protocol):
        """Takes how far it is, and what is being done now."""

        def __call__(self, done: float, total: int, what: str | None = None, /) -> None:
            """Show it."""


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Teller]:
    """Show how far it is, how fast it goes and how long it will take.

    Gives a function to be called with (done, total), and with what is being done. The bar goes
    when the work is done, and there is none where stderr is no terminal.
    """
    watched = sys.stderr is not None and sys.stderr.isatty()
    if not watched and not os.environ.get("FORCE_COLOR"):  # by which it is said that someone does
        yield _tell_nobody
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    shown = (
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*shown, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(visible(what), total=total, rate="")

        def tell(done: float, total: int, what: str | None = None) -> None:
            speed = bar.tasks[0].speed if bar.tasks else None
            rate = f"{speed:.0f}/s" if speed and speed >= 1 else ""
            now = None if what is None else visible(what)
            bar.update(task, completed=done, total=total, description=now, rate=rate)

        yield tell


def _tell_nobody(done: float, total: int, what: str | None = None) -> None:
    """Nobody looks on."""
