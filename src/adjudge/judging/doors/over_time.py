"""Over time: detectors judged window by window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from adjudge.checks import boolean, number, suggest_keywords
from adjudge.errors import InputError, shown
from adjudge.judging.doors.evaluate import evaluate
from adjudge.judging.inputs.contract import Columns
from adjudge.judging.inputs.door import read, takes_input
from adjudge.judging.judge.which_metrics import read_metrics
from adjudge.judging.over_time.calendar import WindowSettings
from adjudge.judging.over_time.judged_windows import JudgedWindows
from adjudge.judging.over_time.windows import OverTime
from adjudge.noise.ask import Ask
from adjudge.noise.null_models import read_null

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudge._typing import Column
    from adjudge.metrics.metric import Metric
    from adjudge.noise.null_models import Null


@suggest_keywords("over_time", passes_on=Columns)
@takes_input()
def over_time(
    labels: Column,
    scores: Column = None,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    at: Any = None,
    *,
    window: Any,
    step: Any = None,
    growing: bool = False,
    zero_division: float = np.nan,
    chance: bool = True,
    null: str | Null = "shifted",
    period: Any = None,
    shifts: int | None = None,
    unit: str = "auto",
    seed: int = 0,
    **columns: Unpack[Columns],
) -> OverTime:
    """Judge detectors in windows of time, each value with its chance level.

    Windows add up: an event, with everything flagged for it, and a false alarm each belong to the
    window in which they begin; normal time is split.

    Parameters
    ----------
    labels, scores : as of `adjudge.evaluate`
        The truth and one or several detectors: points, or `adjudge.Incidents` and
        `adjudge.Alerts`. An input (`adjudge.Points` or `adjudge.OnCall`) replaces both.
    metrics : spec, Metric, or several of them
        Default: ``f1_ba`` where there is a threshold, else ``ap``; of incidents and alerts event
        recall and precision, and false alarms a week.
    at : number or rule
        The threshold. A rule is fitted on all points, so every window has the same.
    window : duration, or number of points
        How long a window is: "1w" is a week from Monday, "1d" a day from midnight, both in the zone
        of the times, "1mo" a month; "6h" a quarter of a day. Without time: a number of points.
    step : duration, or number of points, optional
        How far a sliding window moves; the window must be a whole number of steps. Default:
        windows do not overlap.
    growing : bool
        Whether every window begins at the start (prequential): each value judges only the data up
        to the end of the window.
    chance : bool
        Whether to report the score of the same alarms shifted within the window.
    zero_division, null, period, shifts, unit, seed
        As of `adjudge.evaluate`.
    **columns
        Arguments of the input, as in `adjudge.evaluate`.

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
    What the labels decide, such as the width of islands, is decided on all of them, and of growing
    windows on what was there so far. What is no sum over events and alarms (areas, medians, values
    at the best threshold) is judged on the time of the window and the events that begin in it; so
    is what other null models than "shifted" score. Growing windows are cut where they end.

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
    data = read(labels, scores, columns)
    requested, every = read_metrics(metrics)
    if every:
        raise InputError("metrics must be named one by one over time, got 'all'")
    if growing and step is not None:
        raise InputError(f"step must be left out for growing windows, got {shown(step)}")
    data.check_windows()
    of_chance: dict[str, Any] = {"null": null, "period": period, "shifts": shifts, "unit": unit}
    ask = Ask(
        read_null(null, period), shifts, seed, 1, unit, chance=chance,
        zero_division=number(zero_division, "zero_division"),
    )  # fmt: skip
    quick: dict[str, Any] = {"zero_division": zero_division, "chance": False}
    quick |= {} if chance else of_chance
    asked = requested or data.usual_over_time(at)
    whole = evaluate(data, asked, at, **quick)
    if list(data.detectors) != whole.detectors:
        raise InputError(
            "scores must be one column per detector over time, got several runs of one"
        )
    how = WindowSettings(window, step, growing, at)
    windows = JudgedWindows(data, whole, asked, how, ask)
    return OverTime(tuple(windows.rows()), whole, windows)
