"""What a notebook shows first of a judgement and of a receipt: numbers, and a drawing of them."""

from __future__ import annotations

import math
from statistics import median
from typing import TYPE_CHECKING

from adjudge.data.durations import NANOSECONDS, in_words
from adjudge.data.events_cell import ends_of
from adjudge.judging.judge.verdict import is_better_than_chance, main_row
from adjudge.judging.result_columns import beside_text, value_text
from adjudge.judging.words.short_names import short_names
from adjudge.metrics.reader import metric as read_metric
from adjudge.tables.glance import Dots, Glance, Lane, Lanes, Mark, Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.judgement import Judgement
    from adjudge.judging.receipt import Receipt
    from adjudge.judging.result_columns import Finding


def fits_axis(row: Finding) -> bool:
    """Whether the values of a metric lie on the axis from -1 or 0 to 1 that all share."""
    low, high = (row.resolved_metric or read_metric(row.metric)).row.range
    return low >= -1 and high <= 1


def glance_of_judgement(found: Judgement) -> Glance:
    """Of one detector all its metrics, of several the metric that the verdict is about."""
    if not found.rows:
        return Glance()
    first = main_row(found.rows) or found.rows[0]
    names = short_names(found.rows)
    if len(found.detectors) == 1:
        drawn = [row for row in found.rows if fits_axis(row)]
        title, marks = "Every metric", [_mark(names[row.requested], row) for row in drawn]
        tiles = (_value_tile(names[first.requested], first), *_counts(found, first))
    else:
        drawn = [row for row in found.rows if row.requested == first.requested and fits_axis(row)]
        title, marks = names[first.requested], [_mark(row.detector, row) for row in drawn]
        better = sum(is_better_than_chance(found.of(name)) for name in found.detectors)
        tiles = (
            Tile("detectors", f"{len(found.detectors):,}"),
            *([Tile("better than chance", f"{better:,}")] if first.null else []),
        )
    ends = (min([0.0, *(_least(row) for row in drawn)]), 1.0)
    said = f"{title}: value{_beside(drawn)}"
    return Glance(tiles, Dots(said, tuple(marks), ends) if marks else None)


def _beside(rows: Sequence[Finding]) -> str:
    """What is drawn beside the values."""
    interval = not all(math.isnan(row.low) for row in rows)
    chance = not all(math.isnan(row.chance) for row in rows)
    return ", 95 % interval" * interval + ", and a tick at chance" * chance


def _least(row: Finding) -> float:
    known = [one for one in (row.value, row.low, row.chance) if not math.isnan(one)]
    return min(known, default=0.0)


def _mark(name: str, row: Finding) -> Mark:
    return Mark(name, row.value, value_text(row), row.low, row.high, row.chance)


def _value_tile(name: str, row: Finding) -> Tile:
    chance, low, high = (beside_text(row, one, 2) for one in (row.chance, row.low, row.high))
    beside = [f"by chance {chance}"] * bool(chance) + [f"95 % interval {low} to {high}"] * bool(low)
    return Tile(name, value_text(row), "; ".join(beside))


def _counts(found: Judgement, row: Finding) -> list[Tile]:
    """Events found, false alarms and the typical delay: of incidents as a team counts them."""
    team = found.on_call
    if team is not None:
        weekly, late = team["false_per_week"], team["delay_median_seconds"]
        return [
            Tile("incidents found", f"{team['found']:,} of {team['judged']:,}"),
            Tile("false alerts a week", f"{weekly:.3g}"),
            *_delay([] if math.isnan(late) else [late], timed=True),
        ]
    counts = next((one for one in found.counts if one["metric"] == row.requested), None)
    if counts is None:
        return []
    events = counts["events_found"] + counts["events_missed"]
    alarms = counts["alarms_right"] + counts["alarms_false"]
    late = [e for e in found.events if e["found"] and e["delay"] is not None]
    timed = bool(late) and "delay_seconds" in late[0]
    return [
        Tile("events found", f"{counts['events_found']:,} of {events:,}"),
        Tile("false alarms", f"{counts['alarms_false']:,} of {alarms:,}"),
        *_delay([e["delay_seconds" if timed else "delay"] for e in late], timed=timed),
    ]


def _delay(late: list[float], *, timed: bool) -> list[Tile]:
    if not late:
        return []
    typical = median(late)
    words = in_words(typical * NANOSECONDS["s"]) if timed else f"{typical:g} points"
    return [Tile("typical delay", words)]


def glance_of_receipt(found: Receipt) -> Glance:
    """Events, and the alarms that were right and false, over time."""
    runs, events, counts = found.runs, found.case.events, found.counts
    lanes = (
        Lane("events", events.starts, events.stops, "event", f"{len(events):,}"),
        *(
            Lane(name, runs.start[own], runs.stop[own], part, f"{int(own.sum()):,}")
            for name, part, own in (
                ("right alarms", "right", ~runs.false),
                ("false alarms", "wrong", runs.false),
            )
        ),
    )
    timed = not math.isnan(found.seconds)
    value = in_words(found.seconds * NANOSECONDS["s"]) if timed else f"{found.value:.4f}"
    tiles = (
        Tile(found.metric, value),
        Tile("events found", f"{counts['found']:,} of {counts['events']:,}"),
        Tile("false alarms", f"{counts['false_alarms']:,} of {counts['alarms']:,}"),
    )
    return Glance(tiles, Lanes("Events and alarms over time", lanes, events.n, ends_of(events)))
