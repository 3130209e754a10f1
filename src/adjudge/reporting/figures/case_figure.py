"""Case: the receipts of a user's own detectors, one below the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge._text import visible
from adjudge.count.ledger import as_dicts
from adjudge.reporting.figures.drawing import save, sheet
from adjudge.reporting.figures.receipt_plot import plot_receipt

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from adjudge.judging.receipt import Receipt

_HEAD = ("detector", "kind", "start", "stop", "found", "island_start", "island_stop",
         "weight", "credit", "cost")  # fmt: skip


def case_figure(out: Path, receipts: Mapping[str, Receipt]) -> list[Path]:
    """Draw what detectors scored, and how they came by it.

    Parameters
    ----------
    out : Path
        The directory for ``case.png``, ``.svg``, ``.pdf`` and ``.csv`` (events and alarms).
    receipts : mapping of str to Receipt
        One per detector.

    Returns
    -------
    list of Path
        The four files.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    with sheet(10, 4 * len(receipts)) as figure:
        grid = figure.subplots(len(receipts), 1, squeeze=False)[:, 0]
        for axes, (name, receipt) in zip(grid, receipts.items(), strict=True):
            plot_receipt(receipt, ax=axes, name=f"{visible(name)}: ")
        rows = [row for name, receipt in receipts.items() for row in _rows(name, receipt)]
        return save(figure, out, "case", _HEAD, rows)


def _rows(name: str, receipt: Receipt) -> Iterator[list[object]]:
    for row in as_dicts(receipt.truth):
        cost = row["weight"] - row["credit"]
        shown = {**row, "detector": name, "kind": "event", "cost": cost}
        yield [shown.get(key, "") for key in _HEAD]
    for row, cost in zip(as_dicts(receipt.alarms), receipt.alarms.cost.tolist(), strict=True):
        shown = {**row, "detector": name, "kind": "alarm", "found": row["event"] >= 0, "cost": cost}
        yield [shown[key] for key in _HEAD]
