"""Values over time: each window of time judged by itself, beside its own chance.

A detector that was good last year may not be so today.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import boolean, front_door
from adjudge.data.events import PositionList
from adjudge.data.incidents import Incidents
from adjudge.errors import InputError, shown, visible
from adjudge.judging.evaluation import evaluate
from adjudge.judging.over_time.window import WindowRow, WindowSettings
from adjudge.judging.over_time.windows_of_alerts import WindowsOfAlerts
from adjudge.judging.over_time.windows_of_points import WindowsOfPoints
from adjudge.judging.preparation import read_metrics, runs_of
from adjudge.noise.p_values import holm
from adjudge.tables.result import TabledResult
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from adjudge._typing import Column
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.over_time.newest_window import Change
    from adjudge.metrics.metric import Metric


@dataclass(frozen=True, eq=False, repr=False)
class OverTime(TabledResult):
    """What `over_time` found: a row per detector, metric and window.

    Attributes
    ----------
    rows : tuple of WindowRow
        Value, chance, interval and p-value of each window.
    judgements : tuple of Judgement
        All that was found in each window, detector by detector.
    whole : Judgement
        The same metrics over all time.

    Examples
    --------
    >>> found = over_time([0, 1, 0, 0, 1, 0], [0, 1, 0, 1, 0, 0], "f1", window=3, chance=False)
    >>> [row.value for row in found.rows]
    [1.0, 0.0]
    """

    rows: tuple[WindowRow, ...]
    judgements: tuple[Judgement, ...]
    whole: Judgement
    compare: Callable[[str, str, Any], Change]
    """Compares the newest window of a detector and metric with so much time before it."""

    def changes(self, than: Any) -> tuple[Change, ...]:
        """Compare the newest window with the time before it.

        Parameters
        ----------
        than : duration, or number of points
            How much time before the newest window is compared with it: "4w".

        Returns
        -------
        tuple of Change
            One for each detector and metric: both values, and how often the same blocks of time
            (a seventh of a window each: the days of a week), dealt out anew, are as much worse.
        """
        pairs = dict.fromkeys((row.detector, row.metric) for row in self.rows)
        found = [self.compare(detector, metric, than) for detector, metric in pairs]
        adjusted = holm(np.array([one.p_value for one in found])).tolist()
        return tuple(one._replace(p_value=p) for one, p in zip(found, adjusted, strict=True))

    def failures(self, worse_than: Any) -> list[str]:
        """What is worse than in the time before by more than chance, in a sentence each.

        Parameters
        ----------
        worse_than : duration, or number of points
            How much time before the newest window is compared with it.
        """
        return [one.said for one in self.changes(worse_than) if one.worse]

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

    def plot(self, metric: str | None = None, *, ax: Any = None) -> Any:
        """Draw a metric over time, with its intervals and what chance would score.

        Parameters
        ----------
        metric : str, optional
            Which one. Default: the first.
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from adjudge.reporting.figures.judgement_plot import (  # noqa: PLC0415 - draws
            plot_over_time,
        )

        return plot_over_time(self, metric, ax=ax)

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
        notes = ("* the data do not reach over the whole window",) if partly else ()
        return Layout(tables, notes)

    def _table(self, detector: str, metric: str, mine: list[WindowRow], when: str) -> Table:
        every = next(row for row in self.whole.of(detector) if row.asked == metric)
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


@front_door("over_time", passes_on=evaluate)
def over_time(
    labels: Column,
    scores: Column,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    at: Any = None,
    *,
    window: Any,
    step: Any = None,
    growing: bool = False,
    chance: bool = True,
    time: Column = None,
    series: Column = None,
    where: Column = None,
    span: Any = None,
    seed: int = 0,
    **options: Any,
) -> OverTime:
    """Judge detectors window by window, each value beside what chance would have scored there.

    Parameters
    ----------
    labels, scores : as of `adjudge.evaluate`
        The truth and one or several detectors: points, or `adjudge.Incidents` and
        `adjudge.Alerts`.
    metrics : spec, Metric, or several of them
        Default: ``f1_ba`` where there is a threshold, else ``ap``; of incidents and alerts event
        recall and precision, and false alarms a week.
    at : number or rule
        The threshold. A rule is learnt on all points, so that every window has the same.
    window : duration, or number of points
        How long a window is: "1w" is a week from Monday, "1d" a day from midnight, both in the zone
        of the times, "1mo" a month; "6h" a quarter of a day. Without time: a number of points.
    step : duration, or number of points, optional
        How far a sliding window moves on; the window must be a whole number of steps. Default: one
        window begins where the last one ends.
    growing : bool
        Whether every window begins at the start: what would have been said so far (prequential).
        Each value is then that of judging this prefix alone.
    chance : bool
        Whether to give what the same alarms would have scored at other places of the window.
    time, series, where, span, seed
        As of `adjudge.evaluate`.
    **options
        More of what `adjudge.evaluate` takes: ``watched``, ``outages``, ``early``, ``every``,
        ``shifts``, ``unit`` ...

    Returns
    -------
    OverTime
        A row per detector, metric and window; ``.failures("4w")`` is the gate *worse than in the
        four weeks before, by more than chance*.

    Raises
    ------
    InputError
        If a window cannot be made, or what was given does not fit together.

    Notes
    -----
    A border inside an event is moved to the end of the event, but for growing windows, which end
    where they end. What the labels decide, such as the width of islands, is decided on all of them,
    and of growing windows on what was there so far.

    Examples
    --------
    >>> days = [f"2026-01-{day:02d}" for day in range(5, 19)]
    >>> labels = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0]
    >>> flags = [0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0]
    >>> over_time(labels, flags, "event_f1", window="1w", time=days, chance=False)
    detector: event_f1, 0.6667 over all time
    from        events   value
    --------------------------
    2026-01-05       1  1.0000
    2026-01-12       2  0.5000
    --------------------------
    """
    boolean(growing, "growing")
    things = isinstance(labels, Incidents)
    if isinstance(labels, (PositionList, Mapping)):
        raise InputError(
            "labels must be points or incidents over time, got changes; judge them with "
            "adjudge.evaluate"
        )
    if not things and runs_of(scores):
        raise InputError(
            "scores must be one column per detector over time, got several runs of one"
        )
    requested, every = read_metrics(metrics)
    if every:
        raise InputError("metrics must be named one by one over time, got 'all'")
    if growing and step is not None:
        raise InputError(f"step must be left out for growing windows, got {shown(step)}")
    beside = {"seed": seed, **options}
    given = {"time": time, "series": series, "where": where, **beside}
    if things:
        given |= {"span": span}
    quick = {name: value for name, value in given.items() if name not in _OF_CHANCE}
    asked: Any = requested or _default(evaluate(labels, scores, None, at, chance=False, **quick))
    whole = evaluate(labels, scores, asked, at, chance=False, **quick)
    how = WindowSettings(
        window, step, growing, chance, at, {n: v for n, v in beside.items() if n != "sort"}
    )
    kind: WindowsOfPoints | WindowsOfAlerts = (
        WindowsOfAlerts(whole, asked, how, (labels, scores), series)
        if things
        else WindowsOfPoints(whole, asked, how)
    )
    judged = [one for window in kind.windows for one in kind.judged(window)]
    rows = [row for one, window in judged for row in kind.rows(one, window)]
    return OverTime(tuple(rows), tuple(one for one, _ in judged), whole, kind.change)


_OF_CHANCE = ("seed", "shifts", "null", "period", "unit", "group", "white_noise", "label_slack")
"""What the value over all time does not need."""


def _default(judged: Judgement) -> list[str]:
    """Metrics for who asks for none: those that most will look at."""
    names = [{row.asked: 0 for row in judged.of(one)} for one in judged.detectors]
    if judged.things:
        return [name for name in names[0] if name.startswith(("event_r", "event_p", "false"))]
    return ["f1_ba" if all("f1_ba" in asked for asked in names) else "ap"]
