"""Judgement: what `adjudge.evaluate` found, as rows, tables, frames and pages."""

from __future__ import annotations

import html
import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from adjudge._outputs import output
from adjudge._text import visible
from adjudge.errors import InputError, MissingExtra, UnknownName
from adjudge.judging.result_row import (
    COLUMNS,
    SCHEMA,
    Finding,
    by_metric,
    json_ready,
    reading_notes,
)
from adjudge.judging.wording import verdict

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from adjudge.data.case import Case
    from adjudge.judging.part_rows import PartRow


@dataclass(frozen=True, eq=False)
class Judgement:
    """What `evaluate` found.

    >>> from adjudge.judging.evaluation import evaluate
    >>> judged = evaluate([0, 0, 1, 1, 0, 0], [0, 0, 1, 0, 0, 1])
    >>> judged["f1_ba"]
    0.6666666666666666
    >>> judged.events[0]["delay"]
    0.0
    """

    rows: tuple[Finding, ...]
    events: tuple[dict[str, Any], ...]
    """Per detector and event: start, stop, found, coverage, delay (None without a threshold).

    With a time also from, to (its last point), and the delay in words and in seconds."""
    cases: tuple[Case, ...] = field(default=(), repr=False)
    """The labels and scores that were judged, one case per detector: what a page is drawn from."""
    details: tuple[PartRow, ...] = field(default=(), repr=False)
    """Values of single series and their mean (``per_series=True``), and of single runs."""

    @property
    def detectors(self) -> list[str]:
        """The detectors, in the order they were given."""
        return list(dict.fromkeys(row.detector for row in self.rows))

    def __getitem__(self, key: str | tuple[str, str]) -> float:
        """The value of a metric; with several detectors ask for ``[detector, metric]``."""
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
        """The rows of one detector."""
        return tuple(row for row in self.rows if row.detector == detector)

    @property
    def verdicts(self) -> dict[str, str]:
        """Say of each detector, in one sentence, whether it is better than chance."""
        return {detector: verdict(self.of(detector)) for detector in self.detectors}

    def to_dict(self) -> dict[str, Any]:
        """Rows and events as plain lists and dictionaries."""
        rows = [{name: getattr(row, name) for name in COLUMNS} for row in self.rows]
        found = {"rows": rows, "events": [dict(event) for event in self.events]}
        return found | (
            {"details": [dict(vars(row)) for row in self.details]} if self.details else {}
        )

    def to_flat_dict(self, prefix: str = "") -> dict[str, float]:
        """One float per name, as experiment trackers want it."""
        several = len(self.detectors) > 1
        return {
            f"{prefix}{f'{row.detector}/' if several else ''}{row.metric}": row.value
            for row in self.rows
        }

    def to_json(self, **options: Any) -> str:
        """JSON: undefined is null, an infinite threshold is text."""
        whole = {"schema": SCHEMA, **self.to_dict()}
        return json.dumps(json_ready(whole), allow_nan=False, **options)

    def to_html(self, path: str | os.PathLike[str] = "report.html", **options: Any) -> Path:
        """Write a page, as `adjudge.report` does, with its options title and time."""
        written: Path = output("write_report")(self, path, **options)
        return written

    def to_frame(self, backend: str = "pandas") -> Any:
        """The rows as a data frame of pandas, polars or pyarrow."""
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


def _table_lines(judgement: Judgement) -> list[str]:
    table = [["", *map(visible, judgement.detectors)], *by_metric(judgement.rows)]
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    lines = [
        "  ".join([f"{name:<{widths[0]}}", *map(str.rjust, values, widths[1:])])
        for name, *values in table
    ]
    return lines + reading_notes(judgement.rows)
