"""The terminal: how wide it is, and how text, tables and exact bytes are printed there.

What people read has its control characters written out, since names come from outside, and fits the
terminal. What programs read (CSV, paths; JSON writes them out anyway) is exact, unless a terminal
would show it.

Waiting: a bar on stderr for whoever looks on, and nothing for whoever does not.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from adjudge.errors import visible
from adjudge.tables.table import Layout, Table
from adjudge.tables.text import hanging, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
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


_NARROWEST = 40  # what does not fit there is for the terminal to break
_LEAST = 24  # characters that the words beside a name need


def terminal_width() -> int | None:
    """How wide the terminal is, at least 40; None where there is none, and nobody said COLUMNS."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS"):
        return max(_NARROWEST, shutil.get_terminal_size().columns)
    return None


def echo(text: str) -> None:
    """Print a text; what the terminal's coding does not know is written out."""
    coding = getattr(sys.stdout, "encoding", None) or "utf-8"
    known = text.encode(coding, "backslashreplace").decode(coding)
    click.echo(known.removesuffix("\n"))


def echo_sentence(text: str, indent: int = 0) -> None:
    """Print a sentence, broken between words where the terminal ends; further lines indented."""
    echo("\n".join(hanging(text, terminal_width(), indent)))


def echo_entries(entries: Sequence[tuple[str, str]], indent: int = 2) -> None:
    """Print names, each with words beside it, or below it where there is no room beside."""
    width = terminal_width()
    room = indent + max((len(name) for name, _ in entries), default=0) + 2
    beside = width is None or width - room >= _LEAST
    for name, words in entries:
        if beside:
            line = f"{'':<{indent}}{name:<{room - indent}}{words}"
            echo("\n".join(hanging(line, width, room)))
        else:
            echo(f"{'':<{indent}}{name}")
            echo("\n".join(hanging(f"{'':<{2 * indent}}{words}", width, 2 * indent)))


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]], title: str) -> None:
    """Print a table; whatever stands in the cells is text."""
    print_layout(Layout((Table.of(head, rows, title),)))


def print_layout(layout: Layout) -> None:
    """Print tables and what stands below them, as wide as the terminal."""
    echo(text_of(layout, terminal_width()))


def print_exactly(text: str) -> None:
    """Print text for programs as it is; where a terminal would obey it, line by line for people."""
    if sys.stdout.isatty():
        click.echo("\n".join(map(visible, text.removesuffix("\n").split("\n"))))
    else:  # as bytes: click would take colours away, and a file's name may not even be text
        click.echo(text.encode("utf-8", "surrogateescape"), nl=False)
