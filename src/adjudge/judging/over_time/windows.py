"""Values over time: each window of time, beside its own chance.

A detector that was good last year may not be so today.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import visible
from adjudge.judging.over_time.calendar import WindowRow
from adjudge.noise.p_values import holm
from adjudge.tables.result import TabledResult
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from adjudge._typing import Floats
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.over_time.judged_windows import JudgedWindows
    from adjudge.judging.over_time.newest_window import Change


@dataclass(frozen=True, eq=False, repr=False)
class OverTime(TabledResult):
    """What `over_time` found: a row per detector, metric and window.

    Attributes
    ----------
    rows : tuple of WindowRow
        Value, chance, interval and p-value of each window.
    sums : dict of array
        Of each detector and metric that is a sum over events and alarms what each window adds to it
        (found, truth, right, flagged, normal); windows apart add up to the whole.
    on_call : tuple of mapping
        Of incidents and alerts what an on-call team asks, window by window: see `Judgement`.
    whole : Judgement
        The same metrics over all time.

    Examples
    --------
    >>> import adjudge as aj
    >>> found = aj.over_time([0, 1, 0, 0, 1, 0], [0, 1, 0, 1, 0, 0], "f1", window=3, chance=False)
    >>> [row.value for row in found.rows]
    [1.0, 0.0]
    """

    rows: tuple[WindowRow, ...]
    whole: Judgement
    windows: JudgedWindows

    @property
    def sums(self) -> dict[tuple[str, str], Floats]:
        """What each window adds to the sums of each detector and metric."""
        return self.windows.sums

    @property
    def on_call(self) -> tuple[Any, ...]:
        """What an on-call team asks, window by window."""
        return self.windows.on_call

    def changes(self, than: Any) -> tuple[Change, ...]:
        """Compare the newest window with the time before it.

        Parameters
        ----------
        than : duration, or number of points
            How much time before the newest window is compared with it: "4w".

        Returns
        -------
        tuple of Change
            One for each detector and metric: both values, as they are and at one rate of events,
            and how likely chance makes the newest as much worse, judged by blocks of a seventh of a
            window: the days of a week.
        """
        pairs = dict.fromkeys((row.detector, row.metric) for row in self.rows)
        found = [self.windows.change(*pair, than) for pair in pairs]
        adjusted = holm(np.array([one.p_value for one in found])).tolist()
        return tuple(one._replace(p_value=p) for one, p in zip(found, adjusted, strict=True))

    def failures(self, worse_than: Any) -> list[str]:
        """What is worse than in the time before by more than chance, in a sentence each.

        Parameters
        ----------
        worse_than : duration, or number of points
            How much time before the newest window is compared with it.
        """
        return [one.sentence for one in self.changes(worse_than) if one.worse]

    def to_dict(self) -> dict[str, Any]:
        """The rows as plain dictionaries."""
        return {"rows": [dict(vars(row)) for row in self.rows]}

    def columns(self) -> dict[str, list[Any]]:
        """The rows as columns by name."""
        names = list(WindowRow.__dataclass_fields__)
        columns = {name: [getattr(row, name) for row in self.rows] for name in names}
        for name in ("points", "at"):
            columns[name] = [math.nan if x is None else x for x in columns[name]]
        return columns

    def plot(
        self, metric: str | None = None, *, ax: Any = None, width: str | float | None = None
    ) -> Any:
        """Draw a metric over time, with its intervals and what chance would score.

        Parameters
        ----------
        metric : str, optional
            Which one. Default: the first.
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.
        width : str or float, optional
            Of the new figure on paper: ``"ieee1"``, ``"ieee2"``, ``"neurips"``, or centimetres.

        Returns
        -------
        matplotlib Axes
        """
        from adjudge.reporting.figures.judgement_plot import (  # noqa: PLC0415 - draws
            plot_over_time,
        )

        return plot_over_time(self, metric, ax=ax, width=width)

    def to_html(self, path: str | os.PathLike[str] = "report.html", **options: Any) -> Path:
        """Write the page of all time, as `adjudge.report` does, with a plot of the windows.

        Parameters
        ----------
        path : path
            Where to write.
        **options
            Title and signal, as of `adjudge.report`.
        """
        return self.whole.to_html(path, windows=self, **options)

    @property
    def grows(self) -> bool:
        """Whether windows grow from the start: several of a metric begin at the same place."""
        starts = {(row.detector, row.metric, row.start) for row in self.rows}
        return len(starts) < len(self.rows)

    def layout(self) -> Layout:
        """Lay the windows out as a table for each detector and metric."""
        pairs: dict[tuple[str, str], list[WindowRow]] = {}
        for row in self.rows:
            pairs.setdefault((row.detector, row.metric), []).append(row)
        when = "until" if self.grows else "from"
        tables = tuple(self._table(*pair, mine, when) for pair, mine in pairs.items())
        partly = any(not row.complete for row in self.rows)
        notes = ("* the data do not cover the whole window",) if partly else ()
        return Layout(tables, notes)

    def _table(self, detector: str, metric: str, mine: list[WindowRow], when: str) -> Table:
        every = next(row for row in self.whole.of(detector) if row.requested == metric)
        tested = not all(math.isnan(row.chance) for row in mine)
        rows = [
            [(row.end if when == "until" else row.start) + "*" * (not row.complete), row.events]
            + [_cell(row.value)]
            + ([_cell(row.chance), _ends(row), _p(row.p_value)] if tested else [])
            for row in mine
        ]
        head = [when, "events", "value"]
        head += ["chance", "95 % interval", "p"] if tested else []
        title = f"{visible(detector)}: {metric}, {_cell(every.value)} over all time"
        return Table.of(head, rows, title, {"95 % interval": 1, "events": 2})


def _cell(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.4f}"


def _ends(row: WindowRow) -> str:
    return "" if math.isnan(row.low) else f"{row.low:.2f} to {row.high:.2f}"


def _p(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2g}"
