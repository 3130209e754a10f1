"""What the command line prints: tables with rules, receipts with strips, JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from adjudge import __version__
from adjudge.judgement import by_metric, json_ready, reading_notes
from adjudge.report.tables import as_csv, as_latex, as_markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judgement import Judgement
    from adjudge.receipt import Receipt

_BLOCKS = 25  # rows of the strip that are printed
_ROWS = 40  # rows of a receipt that are printed


def print_judgements(
    judged: Sequence[tuple[str, Judgement]], failed: Sequence[tuple[str, str]], shape: str | None
) -> None:
    """Print judgements of files in the shape asked for."""
    rows = [{"file": name, **row} for name, j in judged for row in j.to_dict()["rows"]]
    if shape == "json":
        events = [{"file": name, **event} for name, j in judged for event in j.events]
        errors = [{"file": name, "error": message} for name, message in failed]
        whole = {"adjudge": __version__, "rows": rows, "events": events, "errors": errors}
        click.echo(json.dumps(json_ready(whole), allow_nan=False))
        return
    if shape == "csv":
        head = ["file", "detector", "metric", "value", "at", "chosen_by"]
        cells = [["" if row[key] is None else row[key] for key in head] for row in rows]
        click.echo(as_csv(head, cells), nl=False)
        return
    write = {"md": as_markdown, "latex": as_latex}.get(shape or "")
    for name, judgement in judged:
        if write:
            click.echo(write(["metric", *judgement.detectors], by_metric(judgement)), nl=False)
            continue
        head, cells = _with_thresholds(judgement)
        print_table(head, cells, title=name)
        for note in [*reading_notes(judgement), *_oracle_note(judgement)]:
            click.echo(note)


def _with_thresholds(judgement: Judgement) -> tuple[list[str], list[list[str]]]:
    """Lay a judgement out; one detector leaves room for the thresholds."""
    if len(judgement.detectors) > 1:
        return ["metric", *judgement.detectors], by_metric(judgement)
    values = dict(by_metric(judgement))
    cells = [
        [row.metric, values[row.metric], "" if row.at is None else f"{row.at:.6g}", row.chosen_by]
        for row in judgement.rows
    ]
    return ["metric", judgement.detectors[0], "flagged above", "chosen by"], cells


def _oracle_note(judgement: Judgement) -> list[str]:
    if not any(row.chosen_by == "oracle" for row in judgement.rows):
        return []
    return ["best(...) chose its threshold with the labels in hand: an upper bound, not a result."]


def print_receipt(receipt: Receipt, *, as_json: bool = False) -> None:
    """Print a receipt with a strip of characters, or as JSON with every row."""
    if as_json:
        click.echo(json.dumps(json_ready(receipt.to_dict()), allow_nan=False))
        return
    lines = str(receipt).splitlines()
    hidden = len(lines) - 2 - _ROWS
    if hidden > 0:
        lines[_ROWS + 1 : -1] = [f"... and {hidden} more rows (--json has them all)"]
    click.echo("\n".join(lines))
    click.echo("\n# event  ^ right  ! false alarm  - island  . quiet")
    busy = receipt.labels | receipt.flags | receipt.adjusted
    width = 80
    starts = [i for i in range(0, busy.size, width) if busy[i : i + width].any()]
    for start in starts[:_BLOCKS]:
        click.echo(f"\n{'from':<9}{start}\n{receipt.strip(start, start + width)}")
    if len(starts) > _BLOCKS:
        click.echo(f"\n... and {len(starts) - _BLOCKS} more stretches with something in them")


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]], title: str) -> None:
    """Print a table with rules; whatever stands in the cells is text."""
    click.echo(title)
    table = Table()
    for index, name in enumerate(head):
        table.add_column(Text(str(name)), justify="left" if index == 0 else "right")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    console = Console()
    if not console.is_terminal:  # a pipe has no width to fit
        console.width = 10_000
    console.print(table)
