"""Receipts in the terminal: what mattered most, and the stretches of the series where it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from adjudge.judging.receipt import MOST
from adjudge.judging.receipt_layout import alarms_by_cost, events_by_loss
from adjudge.judging.result_row import SCHEMA, json_ready
from adjudge.reporting.terminal import echo, print_exactly, terminal_width
from adjudge.tables import as_csv, latex_of, markdown_of, text_of

if TYPE_CHECKING:
    from adjudge.judging.receipt import Receipt

_LINES = 60  # of everything, unless all is asked for
_STRETCH = 5  # lines of one stretch of the strip
_AROUND = 4  # lines of a legend, of what is left out, and blank ones
_NAMES = 9  # characters before the strip itself
_LEGEND = "# event  ^ right  ! false alarm  - island  . quiet"


def print_receipt(receipt: Receipt, shape: str | None, *, every: bool = False) -> None:
    """Print a receipt with a strip of characters, or every row of it for programs."""
    if shape == "json":
        whole = {"schema": SCHEMA, **receipt.to_dict()}
        click.echo(json.dumps(json_ready(whole), allow_nan=False))
    elif shape == "csv":
        columns = receipt.columns()
        print_exactly(as_csv(list(columns), list(zip(*columns.values(), strict=True))))
    elif shape is not None:
        layout = receipt.layout(None if every else MOST)
        echo({"md": markdown_of, "latex": latex_of}[shape](layout))
    else:
        echo("\n".join(_lines(receipt, every=every)))


def _lines(receipt: Receipt, *, every: bool) -> list[str]:
    """The account and the strip, in at most 60 lines unless all is asked for."""
    width = terminal_width()
    if every:
        account = text_of(receipt.layout(None), width).splitlines()
        return [*account, "", *_strips(receipt, None)]
    for most in (MOST, MOST // 2, 1):
        account = text_of(receipt.layout(most, "--all"), width).splitlines()
        if len(account) <= _LINES:
            break
    left = _LINES - len(account) - _AROUND
    return [*account, "", *_strips(receipt, left)] if left >= _STRETCH else account


def _strips(receipt: Receipt, lines: int | None) -> list[str]:
    """Draw the stretches where the dearest alarms and the worst events are, in as many lines."""
    width = (terminal_width() or 80 + _NAMES) - _NAMES
    busy = receipt.labels | receipt.flags | receipt.adjusted
    starts = [start for start in range(0, busy.size, width) if busy[start : start + width].any()]
    shown = starts
    if lines is not None and len(starts) * _STRETCH > lines:
        told = [row["start"] for row in (*alarms_by_cost(receipt), *events_by_loss(receipt))]
        first = dict.fromkeys((*(start // width * width for start in told), *starts))
        shown = sorted(list(first)[: max(1, lines // _STRETCH)])
    drawn = [_LEGEND]
    for start in shown:
        when = "" if receipt.clock is None else f", {receipt.clock.text(start)}"
        drawn += ["", f"{'from':<{_NAMES}}{start}{when}", receipt.strip(start, start + width)]
    more = len(starts) - len(shown)
    return [*drawn, *(["", f"{more:,} more stretches with something in them (--all)"] * (more > 0))]
