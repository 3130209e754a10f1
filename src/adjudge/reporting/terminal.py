"""What the command line prints: tables with rules, receipts with strips, JSON.

What people read has its control characters written out, since names come from outside. What
programs read (CSV, paths; JSON writes them out anyway) is exact, unless a terminal would show it.
"""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from adjudge._text import visible
from adjudge._version import __version__
from adjudge.judging.result_row import (
    SCHEMA,
    by_metric,
    json_ready,
    number,
    reading_notes,
)
from adjudge.judging.wording import citation, main_row
from adjudge.reporting.tables import as_csv, as_latex, as_markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.judgement import Judgement
    from adjudge.judging.part_rows import PartRow
    from adjudge.judging.receipt import Receipt
    from adjudge.judging.result_row import Finding

_BLOCKS = 25  # rows of the strip that are printed
_EVENTS = 20  # events that are printed with their times
_ROWS = 40  # rows of a receipt that are printed
_CSV = (
    "detector", "metric", "value", "at", "chosen_by", "chance", "null", "all_alarms", "corrected",
    "low", "high", "p_value", "p_adjusted", "p_nearby", "shifts", "exact", "width", "overshoot",
    "white_noise", "slack_low", "slack_high", "rule", "oracle_gap",
)  # fmt: skip


def print_judgements(
    judged: Sequence[tuple[str, Judgement]], failed: Sequence[tuple[str, str]], shape: str | None
) -> None:
    """Print judgements of files in the shape asked for."""
    rows = [{"file": name, **row} for name, j in judged for row in j.to_dict()["rows"]]
    if shape == "json":
        events = [{"file": name, **event} for name, j in judged for event in j.events]
        errors = [{"file": name, "error": message} for name, message in failed]
        details = [{"file": name, **vars(row)} for name, j in judged for row in j.details]
        whole = {
            "adjudge": __version__,
            "schema": SCHEMA,
            "rows": rows,
            "events": events,
            "errors": errors,
            **({"details": details} if details else {}),
        }
        click.echo(json.dumps(json_ready(whole), allow_nan=False))
        return
    if shape == "csv":
        head = ["file", *_CSV]
        cells = [["" if row[key] is None else row[key] for key in head] for row in rows]
        print_exactly(as_csv(head, cells))
        return
    write = {"md": as_markdown, "latex": as_latex}.get(shape or "")
    for name, judgement in judged:
        if write:
            head = ["metric", *judgement.detectors]
            click.echo(write(head, by_metric(judgement.rows)), nl=False)
        else:
            _print_judgement(name, judgement)


def _print_judgement(name: str, judgement: Judgement) -> None:
    """Print values, what chance makes of them, and what it amounts to."""
    parts = [judgement.of(detector) for detector in judgement.detectors]
    if len(parts) == 1:
        print_table(*against_chance(parts[0], "metric"), title=f"{name}: {judgement.detectors[0]}")
    else:
        head = ["metric", *judgement.detectors]
        print_table(head, by_metric(judgement.rows), title=name)
        chosen = [row for row in map(main_row, parts) if row is not None]
        if chosen:
            title = f"against chance, by {chosen[0].asked}"
            print_table(*against_chance(chosen, "detector"), title=title)
    for detector in dict.fromkeys(row.detector for row in judgement.details):
        print_table(*by_series(judgement.details, detector), title=f"{name}: {detector} by series")
    notes = [*_event_lines(judgement.events), *_skipped_note(judgement.rows)]
    notes += [*reading_notes(judgement.rows), *_oracle_note(judgement.rows)]
    tested = [row for row in judgement.rows if row.shifts]
    if tested:
        chosen = [row for row in map(main_row, parts) if row is not None]
        notes += judgement.verdicts.values()
        notes += dict.fromkeys(line for row in chosen for line in _width_note(row))
        notes += dict.fromkeys(citation(row, __version__) for row in chosen)
    for note in notes:
        click.echo(visible(note))


def against_chance(rows: Sequence[Finding], by: str) -> tuple[list[str], list[list[str]]]:
    """Lay findings out, one below the other; columns that say nothing are left out."""
    columns = {
        by: [getattr(row, by) for row in rows],
        "value": [number(row.value) for row in rows],
        "chance": [_cell(row.chance) for row in rows],
        "always": [_cell(row.all_alarms) for row in rows],
        "corrected": [_cell(row.corrected) for row in rows],
        "95 % interval": [_range(row.low, row.high) for row in rows],
        "p": ["" if math.isnan(row.p_value) else f"{row.p_value:.3g}" for row in rows],
        "p adjusted": [_p_adjusted(row) for row in rows],
        "flatters by": [_cell(row.optimism) for row in rows],
        "white noise": [_cell(row.white_noise) for row in rows],
        "label slack": [_range(row.slack_low, row.slack_high) for row in rows],
        "flagged above": ["" if row.at is None else f"{row.at:.6g}" for row in rows],
        "chosen by": [row.rule or row.chosen_by for row in rows],
        "below the oracle by": [_cell(row.oracle_gap) for row in rows],
    }
    kept = {name: cells for name, cells in columns.items() if any(cells)}
    return list(kept), [list(cells) for cells in zip(*kept.values(), strict=True)]


_HARDLY = 5e-4


def _cell(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4f}"


def _p_adjusted(row: Finding) -> str:
    return (
        ""
        if math.isnan(row.p_adjusted) or row.p_adjusted == row.p_value
        else f"{row.p_adjusted:.3g}"
    )


def _range(low: float, high: float) -> str:
    return "" if math.isnan(low) else f"{low:.3f} to {high:.3f}"


def _width_note(row: Finding) -> list[str]:
    """Say what the island width lets white noise score, at whatever threshold."""
    if math.isnan(row.overshoot):
        return []
    more = row.overshoot - 1
    most = "no more than" if more < _HARDLY else f"up to {100 * more:.1f} % more than"
    return [
        f"islands of {row.width} points: white noise scores, on average, {most} alarming always."
    ]


def by_series(rows: Sequence[PartRow], detector: str) -> tuple[list[str], list[list[str]]]:
    """Lay the values of a detector out: a row per series, a column per metric as it was asked."""
    own = [row for row in rows if row.detector == detector]
    asked = list(dict.fromkeys(row.asked for row in own))
    cells: dict[str, dict[str, str]] = {}
    for row in own:
        cells.setdefault(row.series, {})[row.asked] = number(row.value)
    table = [[series, *(found.get(spec, "") for spec in asked)] for series, found in cells.items()]
    return ["series", *asked], table


def _event_lines(events: Sequence[dict[str, Any]]) -> list[str]:
    """Say of each event when it was and how late it was found, where the time is known."""
    timed = [event for event in events if "from" in event and event["found"] is not None]
    lines = [
        f"{event['detector']}: {event['from']} to {event['to']}: "
        + (f"found after {event['delay_time']}" if event["found"] else "missed")
        for event in timed[:_EVENTS]
    ]
    more = len(timed) - len(lines)
    return lines + ([f"... and {more:,} more events (--json has them all)"] if more > 0 else [])


def _skipped_note(rows: Sequence[Finding]) -> list[str]:
    skipped = {row.detector: row.skipped for row in rows if row.skipped}
    return [f"{name}: {count:,} points without a score left out" for name, count in skipped.items()]


def _oracle_note(rows: Sequence[Finding]) -> list[str]:
    if not any(row.chosen_by == "oracle" for row in rows):
        return []
    return ["best(...) chose its threshold with the labels in hand: an upper bound, not a result."]


def print_receipt(receipt: Receipt, *, as_json: bool = False) -> None:
    """Print a receipt with a strip of characters, or as JSON with every row."""
    if as_json:
        click.echo(json.dumps(json_ready({"schema": SCHEMA, **receipt.to_dict()}), allow_nan=False))
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


def print_exactly(text: str) -> None:
    """Print text for programs as it is; where a terminal would obey it, line by line for people."""
    if sys.stdout.isatty():
        click.echo("\n".join(map(visible, text.removesuffix("\n").split("\n"))))
    else:  # as bytes: click would take colours away, and a file's name may not even be text
        click.echo(text.encode("utf-8", "surrogateescape"), nl=False)


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]], title: str) -> None:
    """Print a table with rules; whatever stands in the cells is text."""
    click.echo(visible(title))
    table = Table()
    for index, name in enumerate(head):
        table.add_column(Text(visible(name)), justify="left" if index == 0 else "right")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    console = Console()
    if not console.is_terminal:  # a pipe has no width to fit
        console.width = 10_000
    console.print(table)
