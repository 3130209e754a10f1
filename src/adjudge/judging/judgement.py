"""Judgement: one or several detectors, judged by several metrics on the same labels.

The pair (labels, scores) is checked once per detector, however many metrics follow, and every
result says how its threshold was chosen.
"""

from __future__ import annotations

import html
import json
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from adjudge._text import visible
from adjudge.checks import number
from adjudge.count.contract import LastCount
from adjudge.count.ledger import as_dicts, truth_rows
from adjudge.data.case import Case
from adjudge.errors import InputError, MissingExtra, UnknownName
from adjudge.judging.beside_values import Options, adjusted_rows, beside_value
from adjudge.judging.metric_choice import ThresholdKind, all_metrics, default_metrics, read_metrics
from adjudge.judging.preparation import Prepared, detectors_of, prepared
from adjudge.judging.result_row import (
    COLUMNS,
    SCHEMA,
    Finding,
    by_metric,
    json_ready,
    reading_notes,
)
from adjudge.judging.wording import verdict
from adjudge.measure.thresholds import Rule
from adjudge.metrics.oracle import best_of
from adjudge.metrics.reader import catalogue
from adjudge.metrics.reader import metric as read_metric
from adjudge.noise.chance_line import LineOptions
from adjudge.noise.null_choice import read_null
from adjudge.noise.shifts import CaseShifts

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from adjudge._typing import Column, Flags
    from adjudge.measure.curves import Curve
    from adjudge.metrics.metric import Metric
    from adjudge.noise.null_model import Null

_WORTH_A_WORD = 0.005  # other readings of balanced adjustment are named when they differ by more


@dataclass(frozen=True, eq=False)
class Judgement:
    """What `evaluate` found.

    >>> judged = evaluate([0, 0, 1, 1, 0, 0], [0, 0, 1, 0, 0, 1])
    >>> judged["f1_ba"]
    0.6666666666666666
    >>> judged.events[0]["delay"]
    0.0
    """

    rows: tuple[Finding, ...]
    events: tuple[dict[str, Any], ...]
    """Per detector and event: start, stop, found, coverage, delay (None without a threshold)."""
    cases: tuple[Case, ...] = field(default=(), repr=False)
    """The labels and scores that were judged, one case per detector: what a page is drawn from."""

    @property
    def detectors(self) -> list[str]:
        """The detectors, in the order they were given."""
        return list(dict.fromkeys(row.detector for row in self.rows))

    def __getitem__(self, key: str | tuple[str, str]) -> float:
        """Give the value of a metric; with several detectors ask for ``[detector, metric]``."""
        detector, metric = key if isinstance(key, tuple) else (None, key)
        if detector is None and len(self.detectors) > 1:
            raise InputError(
                f"several detectors were judged; ask for [detector, {metric!r}] with one of "
                f"{', '.join(map(repr, self.detectors))}"
            )
        if detector is not None and detector not in self.detectors:
            raise UnknownName("detector", detector, self.detectors)
        rows = [row for row in self.rows if detector in (None, row.detector)]
        for row in rows:
            if metric in (row.asked, row.metric):
                return row.value
        hint = f"judged were {', '.join(dict.fromkeys(row.asked for row in rows))}"
        raise UnknownName("metric", metric, [row.asked for row in rows], hint)

    def of(self, detector: str) -> tuple[Finding, ...]:
        """Give the rows of one detector."""
        return tuple(row for row in self.rows if row.detector == detector)

    @property
    def verdicts(self) -> dict[str, str]:
        """Say of each detector, in one sentence, whether it is better than chance."""
        return {detector: verdict(self.of(detector)) for detector in self.detectors}

    def to_dict(self) -> dict[str, Any]:
        """Give rows and events as plain lists and dictionaries."""
        rows = [{name: getattr(row, name) for name in COLUMNS} for row in self.rows]
        return {"rows": rows, "events": [dict(event) for event in self.events]}

    def to_flat_dict(self, prefix: str = "") -> dict[str, float]:
        """Give one float per name, as experiment trackers want it."""
        several = len(self.detectors) > 1
        return {
            f"{prefix}{f'{row.detector}/' if several else ''}{row.metric}": row.value
            for row in self.rows
        }

    def to_json(self, **options: Any) -> str:
        """Give JSON: undefined is null, an infinite threshold is text."""
        whole = {"schema": SCHEMA, **self.to_dict()}
        return json.dumps(json_ready(whole), allow_nan=False, **options)

    def to_html(self, path: str | os.PathLike[str] = "report.html", **options: Any) -> Path:
        """Write a page, as `adjudge.report` does, with its options title and time."""
        from adjudge.reporting.page import write_report  # noqa: PLC0415 - it stands above

        return write_report(self, path, **options)

    def to_frame(self, backend: str = "pandas") -> Any:
        """Give the rows as a data frame of pandas, polars or pyarrow."""
        import narwhals.stable.v2 as nw  # noqa: PLC0415 - only who wants a frame pays for it

        names = [name for name in COLUMNS if name not in ("asked", "readings")]
        columns = {
            name: [
                math.nan if getattr(row, name) is None else getattr(row, name) for row in self.rows
            ]
            for name in names
        }
        try:
            return nw.from_dict(columns, backend=cast("Any", backend)).to_native()
        except ImportError:
            raise MissingExtra("a data frame", backend) from None

    def __str__(self) -> str:
        """Print a table of metrics by detectors."""
        return "\n".join(_table_lines(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Show the table in a notebook."""
        head = "".join(
            f"<th>{html.escape(visible(name))}</th>" for name in ["metric", *self.detectors]
        )
        body = "".join(
            "<tr><td>" + "</td><td>".join(html.escape(cell) for cell in row) + "</td></tr>"
            for row in by_metric(self.rows)
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def evaluate(
    labels: Column,
    scores: Column,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    at: Any = None,
    *,
    series: Column = None,
    where: Column = None,
    zero_division: float = np.nan,
    oracle: bool = True,
    chance: bool | None = None,
    null: str | Null = "shifted",
    shifts: int | None = None,
    white_noise: bool = False,
    label_slack: int = 0,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Judgement:
    """Judge one or several detectors, each value beside what luck would have made of it.

    Parameters
    ----------
    labels : column or Events
        The truth.
    scores : column, dict of columns, or data frame
        One detector, or several by name.
    metrics : spec, Metric, or several of them
        "all", also among others, is every metric that ``adjudge list`` shows. Default: the four
        F1 scores (at the threshold, or with the oracle's choice written as ``best(...)`` when
        scores are real and no threshold is given), event precision and recall where there is a
        threshold, and the areas.
    at : number, rule, or a dict of them
        The threshold for every metric that needs one and has none of its own; a dict has one per
        detector. Rules are ``quantile``, ``top``, ``sigma``, ``mad`` and ``pot`` (each with ``on=``
        to learn on a part), and ``tuned``, which judges the rest alone.
    series, where : column, optional
        See `adjudge.Case`.
    zero_division : float
        What to give where a value is undefined (0/0). Default: NaN.
    oracle : bool
        Whether ``best(...)`` stands for the metrics that need a threshold, where `metrics` is not
        given or "all", scores are real and there is no threshold. False leaves these metrics out.
    chance : bool, optional
        Hold every value against the same alarms, shifted. False is quicker. Default: yes, but
        not for "all" metrics.
    null : "shifted", "nearby", "white" or a null model
        What the values are held against: the same alarms at any other place; at places within a
        tenth of the series; white noise of the same rate; or an object that keeps the contract
        of `adjudge.noise.null_model.Null`.
    shifts : int, optional
        How many shifts. Default: all of them where that is little work (of flags mostly up to some
        thousand points), else 999 of flags, at least 199 of ``best(...)`` and areas of the
        common families, and 20 to 199 of the others.
    white_noise : bool
        Also give what white noise of the same rate scores.
    label_slack : int
        Also give the spread of each value when the events' borders move by up to so many points.
    seed : int
        For shifts, bootstrap and noise.
    progress : callable, optional
        Called with (done, total) after each metric of each detector.

    Examples
    --------
    >>> detectors = {"late": [0, 0, 0, 1, 0, 0], "wide": [0, 1, 1, 1, 1, 0]}
    >>> evaluate([0, 0, 1, 1, 0, 0], detectors, ["f1", "f1_pa", "f1_ba"])
                                        late    wide
    f1                                0.6667  0.6667
    f1_pa                             1.0000  0.6667
    f1_ba(width=3, islands="normal")  1.0000  0.5000
    late: f1_ba(width=3, islands="normal") is 1.0000; islands="all" gives 0.8000
    """
    asked, every = read_metrics(metrics)
    zero_division = number(zero_division, "zero_division")
    chance = not every if chance is None else chance
    line = LineOptions(read_null(null), shifts, seed)
    options = Options(chance, line, white_noise, label_slack)
    rows: list[Finding] = []
    listed: list[dict[str, Any]] = []
    cases: list[Case] = []
    total = len(detectors_of(scores))
    for place, ready in enumerate(prepared(labels, scores, at, series=series, where=where)):
        case = ready.case
        shifting = CaseShifts(case)
        known = case.is_flags or at is not None
        kind: ThresholdKind = "known" if known else "oracle" if oracle else "none"
        chosen = asked + (all_metrics(kind) if every else [])
        chosen = chosen or default_metrics(kind)
        counts = LastCount()
        for done, metric in enumerate(chosen, place * len(chosen) + 1):
            finding = _finding(metric, ready, zero_division, counts)
            placed = metric.placed(ready.at)
            rows.append(replace(finding, **beside_value(placed, shifting, finding, options)))
            if progress is not None:
                progress(done, total * len(chosen))
        listed += _event_list(case, ready.at)
        cases.append(case)
    return Judgement(tuple(adjusted_rows(rows)), tuple(listed), tuple(cases))


def curve(
    labels: Column,
    scores: Column,
    metric: str | Metric = "f1_ba",
    *,
    series: Column = None,
    where: Column = None,
) -> Curve:
    """Give precision, recall and F at every threshold.

    >>> found = curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], "f1")
    >>> found.thresholds
    array([0.8 , 0.4 , 0.35, 0.1 , -inf])
    >>> found.best()  # flags what scores above 0.1
    Best(threshold=0.1, value=0.8)
    """
    return read_metric(metric).curve(Case(labels, scores, series=series, where=where))


def _table_lines(judgement: Judgement) -> list[str]:
    table = [["", *map(visible, judgement.detectors)], *by_metric(judgement.rows)]
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    lines = [
        "  ".join([f"{name:<{widths[0]}}", *map(str.rjust, values, widths[1:])])
        for name, *values in table
    ]
    return lines + reading_notes(judgement.rows)


def _finding(asked: Metric, ready: Prepared, zero_division: float, counts: LastCount) -> Finding:
    case, metric = ready.case, asked.placed(ready.at)
    value, threshold, chosen_by = metric.reading(case, counts)
    by_rule = bool(ready.rule) and metric is not asked
    gap = best_of(asked).reading(case).value - value if ready.is_tuned and by_rule else math.nan
    width = metric.resolved(case.events).parts.adjust.island_width
    return Finding(
        detector=case.name,
        metric=asked.resolved_spec(case.events),
        value=zero_division if math.isnan(value) else value,
        at=threshold,
        chosen_by="rule" if by_rule else chosen_by,
        rule=ready.rule if by_rule else "" if metric.at is None else _rule_of(metric),
        oracle_gap=gap,
        asked=str(asked),
        readings=_other_readings(metric, case, value),
        width=width,
    )


def _rule_of(metric: Metric) -> str:
    return str(metric.at) if isinstance(metric.at, Rule) else ""


def _other_readings(metric: Metric, case: Case, value: float) -> dict[str, float]:
    others = {
        name: metric.with_settings(**settings).reading(case).value
        for name, settings in metric.parts.adjust.other_readings.items()
    }
    return {name: other for name, other in others.items() if abs(other - value) > _WORTH_A_WORD}


def _event_list(case: Case, at: Any) -> list[dict[str, Any]]:
    flags: Flags | None = None
    if at is not None or case.is_flags:
        flags, *_ = catalogue["f1"].metric.placed(at).flags(case)
    events = case.events
    none = np.zeros(len(events), np.int64)
    rows = truth_rows(np.zeros(events.n, bool) if flags is None else flags, events, none, none)
    return [
        {
            "detector": case.name,
            "start": row["start"],
            "stop": row["stop"],
            "found": None if flags is None else row["found"],
            "coverage": None if flags is None else row["covered"],
            "delay": None if flags is None or not row["found"] else row["delay"],
        }
        for row in as_dicts(rows)
    ]
