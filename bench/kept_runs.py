"""Runs of a simulation that are kept in a file, so that a script that was stopped goes on.

A line of the file is a run: the cell it belongs to, its number and what was found. A run depends
on its cell and its number alone, so that 300 runs are the first 300 of 1,000.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class KeptRuns:
    """What was found in each run of each cell.

    Parameters
    ----------
    path : str, optional
        Where runs are kept. Default: nowhere, and each is made anew.
    """

    def __init__(self, path: str | None = None) -> None:
        self._path = None if path is None else Path(path)
        self._found: dict[tuple[str, int], Any] = {}
        if self._path is not None and self._path.exists():
            whole, _, torn = self._path.read_text(encoding="utf-8").rpartition("\n")
            if torn:  # the script was stopped while it wrote
                self._path.write_text(whole + "\n" * bool(whole), encoding="utf-8")
            for text in whole.splitlines():
                cell, run, found = json.loads(text)
                self._found[cell, run] = found

    def of(self, cell: str, runs: int, one: Callable[[int], Any]) -> list[Any]:
        """Give what was found in the first runs of a cell; those that are not kept are made.

        Parameters
        ----------
        cell, runs, one : str, int, callable
            The name of the cell with all that a run depends on, how many runs, and what makes one
            of a number.
        """
        for run in range(runs):
            if (cell, run) not in self._found:
                self._keep(cell, run, one(run))
        return [self._found[cell, run] for run in range(runs)]

    def _keep(self, cell: str, run: int, found: Any) -> None:
        # what JSON does not know is a NumPy number
        text = json.dumps([cell, run, found], default=lambda number: number.item())
        self._found[cell, run] = json.loads(text)[2]
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text + "\n")
