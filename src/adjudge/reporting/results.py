"""What evaluate and compare print: results in every shape.

JSON and CSV are for programs; Markdown, LaTeX and text draw the same layout.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from adjudge._version import __version__
from adjudge.judging.event_list import span
from adjudge.judging.file_tables import files_layout
from adjudge.judging.flat_names import safe_names
from adjudge.judging.layout import Style
from adjudge.judging.result_row import SCHEMA, json_ready
from adjudge.judging.wording import citations, main_row
from adjudge.reporting.terminal import echo, print_exactly, print_layout
from adjudge.tables import Layout, as_csv, latex_of, markdown_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.judgement import Judgement
    from adjudge.noise.comparison_result import Comparison

_EVENTS = 20  # events that are printed with their times
_CSV = (
    "detector", "metric", "asked", "value", "at", "chosen_by", "chance", "null", "all_alarms",
    "corrected", "low", "high", "p_value", "p_adjusted", "p_nearby", "shifts", "exact", "width",
    "overshoot", "white_noise", "slack_low", "slack_high", "rule", "oracle_gap",
)  # fmt: skip


def print_judgements(
    judged: Sequence[tuple[str, Judgement]],
    failed: Sequence[tuple[str, str]],
    shape: str | None,
    *,
    verbose: bool = False,
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
    if shape == "flat-json":
        click.echo(json.dumps(json_ready(_flat(judged)), allow_nan=False))
        return
    if shape == "csv":
        head = ["file", *_CSV]
        cells = [["" if row[key] is None else row[key] for key in head] for row in rows]
        print_exactly(as_csv(head, cells))
        return
    if judged:
        layout = _layout(judged, Style(verbose=verbose))
        if shape is None:
            print_layout(layout)
        else:
            echo({"md": markdown_of, "latex": latex_of}[shape](layout))


def _flat(judged: Sequence[tuple[str, Judgement]]) -> dict[str, Any]:
    """Values by detector and metric; of several files, by file first."""
    if len(judged) == 1:
        return dict(judged[0][1].by_safe_name())
    files = safe_names(name for name, _ in judged)
    return {files[name]: judgement.by_safe_name() for name, judgement in judged}


def _layout(judged: Sequence[tuple[str, Judgement]], style: Style) -> Layout:
    """Lay out one file, or several in one table; with what only a command line says."""
    rows = [row for _, judgement in judged for row in judgement.rows]
    if len(judged) > 1:
        found = files_layout(judged, style)
    else:
        ((name, judgement),) = judged
        several = len(judgement.detectors) > 1
        title = name if several else f"{name}: {judgement.detectors[0]}"
        found = judgement.layout(style, title)
    notes = [
        f"{name}: {line}" if len(judged) > 1 else line
        for name, judgement in judged
        for line in _event_lines(judgement.events)
    ]
    cited = _cited(judged) if any(row.shifts for row in rows) else []
    return replace(found, notes=(*found.notes, *notes), verdicts=(*found.verdicts, *cited))


def _cited(judged: Sequence[tuple[str, Judgement]]) -> list[str]:
    """The lines to cite by; of several files, those that hold for all of them."""
    main = [main_row(j.of(detector)) for _, j in judged for detector in j.detectors]
    lines = citations([row for row in main if row is not None], __version__)
    return lines if len(judged) == 1 or len(lines) == 1 else []


def _event_lines(events: Sequence[dict[str, Any]]) -> list[str]:
    """Say of each event when it was and how late it was found, where the time is known."""
    timed = [event for event in events if "from" in event and event["found"] is not None]
    lines = [
        f"{event['detector']}: {span(event['from'], event['to'])}: "
        + (f"found after {event['delay_time']}" if event["found"] else "missed")
        for event in timed[:_EVENTS]
    ]
    more = len(timed) - len(lines)
    return lines + ([f"and {more:,} more events (--json has them all)"] if more > 0 else [])


def print_comparison(found: Comparison, shape: str | None) -> None:
    """Print a comparison in the shape asked for."""
    if shape == "json":
        click.echo(json.dumps(json_ready({"schema": SCHEMA, **found.to_dict()}), allow_nan=False))
    elif shape == "csv":
        columns = found.columns()
        print_exactly(as_csv(list(columns), list(zip(*columns.values(), strict=True))))
    elif shape is not None:
        echo({"md": markdown_of, "latex": latex_of}[shape](found.layout()))
    else:
        print_layout(Layout((), tuple(str(found).splitlines())))
