"""The terminal: how wide it is, and how text, tables and exact bytes are printed there.

What people read has its control characters written out, since names come from outside, and fits the
terminal. What programs read (CSV, paths; JSON writes them out anyway) is exact, unless a terminal
would show it.

While work goes on, a line on stderr says how far it is; there is none where stderr is no terminal.
"""

from __future__ import annotations

import os
import shutil
import sys
from json import dumps
from typing import TYPE_CHECKING, Any

import click

from adjudge.errors import visible
from adjudge.tables.formats import FORMATS, as_csv
from adjudge.tables.result_fields import json_ready
from adjudge.tables.table import Layout, Table
from adjudge.tables.text import hanging, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


def print_result(
    shape: str | None,
    layout: Callable[[], Layout],
    whole: Callable[[], Any],
    rows: Callable[[], tuple[Sequence[str], Sequence[Sequence[object]]]] | None = None,
) -> None:
    """Print a result in the format asked for.

    Parameters
    ----------
    shape : str, optional
        A name of `adjudge.tables.formats.FORMATS`; None: tables for people.
    layout, whole, rows : callables
        Give its tables; its fields, or JSON of them; and the head and the rows of its CSV.
    """
    draw = None if shape is None else FORMATS[shape].draw
    if shape is None:
        print_layout(layout())
    elif draw is not None:
        echo(draw(layout()))
    elif shape == "csv" and rows is not None:
        print_exactly(as_csv(*rows()))
    else:
        found = whole()
        text = found if isinstance(found, str) else dumps(json_ready(found), allow_nan=False)
        click.echo(text)


def print_exactly(text: str) -> None:
    """Print text for programs as it is; where a terminal would obey it, line by line for people."""
    if sys.stdout.isatty():
        click.echo("\n".join(map(visible, text.removesuffix("\n").split("\n"))))
    else:  # as bytes: click would take colours away, and a file's name may not even be text
        click.echo(text.encode("utf-8", "surrogateescape"), nl=False)
