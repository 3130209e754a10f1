"""Tables of single series and of single runs, laid out.

The list of events: which were found, how much of each, how late, and when.

Rows of single series and of single runs, and what they come to: means and spreads.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.count.ledger import as_dicts, truth_rows
from adjudge.count.points import Points
from adjudge.count.runs import Runs
from adjudge.data.case import Case
from adjudge.data.changes import Changes
from adjudge.data.clock import NANOSECONDS, in_words
from adjudge.data.events import Events
from adjudge.errors import InputError
from adjudge.judging.result_columns import averaged, number
from adjudge.metrics.reader import catalogue
from adjudge.tables.table import Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adjudge._typing import Array
    from adjudge.count.ledger import TruthRows
    from adjudge.data.clock import Clock
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric

BESIDE = "found by an alarm beside it"
"""Of an event without a flagged point that its metric counts as found."""


def event_list(
    case: Case, at: float | None, metrics: Sequence[Metric], kinds: Array | None = None
) -> list[dict[str, Any]]:
    """A row per event: start, stop, found, coverage, delay; with a clock also in time.

    With a kind for each point also the kind.

    An event is found as the first of the metrics counts it that judges flags event by event; if
    there is none, when a point of it is flagged.
    """
    known, clock = at is not None or case.is_flags, case.events.clock
    return [
        {
            "detector": case.name,
            "start": row["start"],
            "stop": row["stop"],
            "found": row["found"] if known else None,
            "coverage": row["covered"] if known else None,
            "delay": _delay(row),
        }
        | ({} if clock is None else _times(row, clock))
        | ({} if kinds is None else {"kind": _kind(kinds[row["start"] : row["stop"]], row)})
        for row in as_dicts(_rows(case, at, metrics) if known else _silence(case.events))
    ]


def _kind(kinds: Array, row: dict[str, Any]) -> str:
    """The one kind that the points of an event have; "" where they have none."""
    known = sorted(set(kinds.tolist()) - {""})
    if len(known) > 1:
        raise InputError(
            f"kind must be one for each event, got {known[0]!r} and {known[1]!r} in the event "
            f"[{row['start']}, {row['stop']}); give all its points one kind"
        )
    return known[0] if known else ""


def _rows(case: Case, at: float | None, metrics: Sequence[Metric]) -> TruthRows:
    """The events as the first metric that can has them."""
    as_one = (m for m in metrics if m.across in {"", "any_channel"})
    able = (m for m in as_one if m.has_receipt and m.at_one_threshold and m.at is None)
    otherwise = "event_recall" if case.events.changes is None else "change_recall"
    entries, *_ = next(able, catalogue[otherwise].metric).placed(at).entries(case)
    return entries.truth


def _silence(events: Events) -> TruthRows:
    none = np.zeros(len(events), np.int64)
    return truth_rows(np.zeros(events.n, bool), events, none, none)


def _delay(row: dict[str, Any]) -> float | None:
    """The delay of an event that is found by a flag of its own."""
    return row["delay"] if row["found"] and not math.isnan(row["delay"]) else None


def _times(row: dict[str, Any], clock: Clock) -> dict[str, Any]:
    delay = _delay(row)
    late = None if delay is None else time_after(clock, row["start"], delay)
    return {
        "from": clock.text(row["start"]),
        "to": clock.text(row["stop"] - 1),
        "delay_time": None if late is None else in_words(late),
        "delay_seconds": None if late is None else late / NANOSECONDS["s"],
    }


def time_after(clock: Clock, start: int, points: float) -> int:
    """The nanoseconds from a point to the one so many points later."""
    return int(clock.instants[start + int(points)] - clock.instants[start])


def gap_words(events: Events) -> str:
    """Say how much time between points nobody watched; "" where there is no gap.

    >>> from adjudge.data.clock import Clock
    >>> days = ["2026-01-01", "2026-01-02", "2026-01-03", "2026-02-01", "2026-02-02"]
    >>> print(gap_words(Events.from_labels([0, 0, 1, 1, 0]).timed(Clock.read(days))))
    1 gap in time (29 d) is not watched; 1 event goes on behind it, and counts as two
    """
    gaps, clock = events.gaps, events.clock
    if gaps is None or clock is None:
        return ""
    time = in_words(int((clock.instants[gaps] - clock.instants[gaps - 1]).sum()))
    touching = events.starts[1:] == events.stops[:-1]
    parted = int(np.count_nonzero(touching & np.isin(events.starts[1:], gaps)))
    one = len(gaps) == 1
    said = f"{'1 gap' if one else f'{len(gaps):,} gaps'} in time ({time}) {'is' if one else 'are'}"
    said += " not watched"
    if not parted:
        return said
    goes = "1 event goes" if parted == 1 else f"{parted:,} events go"
    behind = "it" if one else "one"
    return f"{said}; {goes} on behind {behind}, and count{'s' * (parted == 1)} as two"


def span(first: str, last: str) -> str:
    """From when to when, the day said once.

    >>> span("2026-03-01 10:00", "2026-03-01 11:30")
    '2026-03-01 10:00 to 11:30'
    """
    if first == last:
        return first
    day = first.partition(" ")[0]
    return f"{first} to {last.removeprefix(f'{day} ')}"


def place_of(row: dict[str, Any]) -> str:
    """When an event was: by the clock, or in points.

    >>> place_of({"start": 3, "stop": 7})
    '[3, 7)'
    """
    if "from" in row:
        return span(row["from"], row["to"])
    return f"[{row['start']}, {row['stop']})"


def has_counts(row: Finding, case: Case) -> bool:
    """Whether a row is about flags at one threshold of a case."""
    metric = row.judged_by
    if metric is None or metric.row.needs == "scores" or case.is_positions:
        return False
    return metric.across in {"", "any_channel"} and (row.at is not None or case.is_flags)


def raw_counts(case: Case, at: float | None) -> dict[str, int]:
    """Points and events that were found or missed, and alarms that were right or false.

    >>> raw_counts(Case([0, 1, 1, 0, 0], [0, 1, 0, 0, 1]), None)
    {'tp': 1, 'fp': 1, 'fn': 1, 'tn': 2, 'events_found': 1, 'events_missed': 0, 'alarms_right': 1, \
'alarms_false': 1}
    """
    flags = case.flags if at is None else case.flagged(at)
    points, runs = (one.tally(flags, case.events, raw) for one in (Points(), Runs()))
    false = points.flagged - points.right
    counts = {
        "tp": points.found, "fp": false, "fn": points.truth - points.found,
        "tn": points.normal - false, "events_found": runs.found,
        "events_missed": runs.truth - runs.found, "alarms_right": runs.right,
        "alarms_false": runs.flagged - runs.right,
    }  # fmt: skip
    return {name: int(count) for name, count in counts.items()}


MEAN = "mean over series"


@dataclass(frozen=True)
class PartRow:
    """One metric of one detector on one series, of one of its runs, or the mean over series."""

    detector: str
    metric: str
    """The metric, with every setting resolved on that series."""
    asked: str
    """The metric as it was asked for."""
    value: float
    at: float | None
    series: str = ""
    """The series; "mean over series" for the mean of those where the value is defined."""
    run: int = 0
    """The number of the run, from 1; 0 where there are no runs."""
    averaged: int = 0
    """How many series the mean is of."""


def series_rows(
    case: Case, metrics: Iterable[Metric], at: float | None, zero_division: float = math.nan
) -> list[PartRow]:
    """Judge each series by itself, at the same threshold, and add the mean over series."""
    parts = list(_series(case))
    rows = []
    for metric in metrics:
        own = [_row(name, part, metric, at, zero_division) for name, part in parts]
        known = [row.value for row in own if not math.isnan(row.value)]
        mean = float(np.mean(known)) if known else math.nan
        rows += own
        rows.append(
            PartRow(case.name, str(metric), str(metric), mean, None, MEAN, averaged=len(known))
        )
    return rows


def _row(name: str, case: Case, metric: Metric, at: float | None, zero_division: float) -> PartRow:
    value, level, _ = metric.placed(at).reading(case)
    value = zero_division if math.isnan(value) else value
    spec = metric.resolved_spec(case.events)
    return PartRow(case.name, spec, str(metric), value, level, name)


def _series(case: Case) -> Iterator[tuple[str, Case]]:
    """Cut a case into its series; one without a judged point has nothing to say."""
    events = case.events
    bounds = events.whole_series.tolist()
    names = range(events.series_count) if events.names is None else events.names.tolist()
    for name, first, stop in zip(names, bounds[:-1], bounds[1:], strict=True):
        judged = None if events.judged is None else events.judged[first:stop]
        if judged is not None and not judged.any():
            continue
        inside = (events.starts >= first) & (events.stops <= stop)
        starts, stops = events.starts[inside] - first, events.stops[inside] - first
        clock = None if events.clock is None else events.clock.part(first, stop)
        part = Events(starts, stops, stop - first, judged=judged).timed(clock)
        if events.changes is not None:
            part = replace(part, changes=events.changes.part(first, stop))
        scores = case.unmasked[first:stop]
        alarms = Changes.from_counts(scores) if case.is_positions else scores
        yield str(name), Case(part, alarms, name=case.name)


def over_runs(
    rows: Iterable[Finding], runs: Mapping[str, tuple[str, int]]
) -> tuple[list[Finding], list[PartRow]]:
    """Put the rows of several runs of a detector together: their mean, and their spread."""
    kept: dict[tuple[str, str], list[Finding]] = {}
    details = []
    for row in rows:
        base, number = runs.get(row.detector, (row.detector, 0))
        kept.setdefault((base, row.asked), []).append(row)
        if number:
            spec = row.metric, row.asked, row.value, row.at
            details.append(PartRow(base, *spec, run=number))
    return [_mean(base, found) for (base, _), found in kept.items()], details


def _mean(base: str, rows: list[Finding]) -> Finding:
    """The mean of the runs; what only holds for one of them is left out."""
    if len(rows) == 1 and rows[0].detector == base:
        return rows[0]
    values = np.array([row.value for row in rows])
    spread = float(values.std(ddof=1)) if len(values) > 1 else math.nan
    means = averaged(rows, "runs")
    return replace(rows[0], detector=base, spread=spread, runs=len(rows), tests={}, **means)


def part_tables(details: Sequence[PartRow], names: dict[str, str], digits: int = 4) -> list[Table]:
    """Lay the parts of each detector out: a row per series or run, a column per metric."""
    tables = []
    for detector in dict.fromkeys(row.detector for row in details):
        own = [row for row in details if row.detector == detector]
        series, runs = [row for row in own if not row.run], [row for row in own if row.run]
        if series:
            named = {id(row): row.series for row in series}
            tables.append(_table(series, named, names, f"{detector} by series", digits))
        if runs:
            numbered = {id(row): f"run {row.run}" for row in runs}
            tables.append(_table(runs, numbered, names, f"{detector} by run", digits))
    return tables


def _table(
    rows: Sequence[PartRow], part: dict[int, str], names: dict[str, str], title: str, digits: int
) -> Table:
    parts = list(dict.fromkeys(part.values()))
    asked = list(dict.fromkeys(row.asked for row in rows))
    cells = {(part[id(row)], row.asked): number(row.value, digits) for row in rows}
    columns = [
        TableColumn(names.get(spec, spec), tuple(cells.get((name, spec), "") for name in parts))
        for spec in asked
    ]
    first = TableColumn(title.rpartition(" ")[2], tuple(parts), is_text=True)
    return Table((first, *columns), title, summary_rows=int(MEAN in parts))
