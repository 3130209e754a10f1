"""Tables of several files: a row per file, and the mean over them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.judging.layout import Style, ValueCells, chance_table, metric_notes
from adjudge.judging.remarks import remarks, skipped_notes
from adjudge.judging.short_names import short_names
from adjudge.judging.threshold_notes import threshold_notes
from adjudge.judging.wording import FEW, is_better_than_chance, main_row, verdict
from adjudge.tables.table import Column, Layout, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adjudge.judging.judgement import Judgement
    from adjudge.judging.result_row import Finding

    Part = tuple[str, str, dict[str, Finding]]

_MEAN = "mean"


def files_layout(judged: Sequence[tuple[str, Judgement]], style: Style) -> Layout:
    """Lay out several files: values of each detector in each, their mean, and chance."""
    rows = [row for _, judgement in judged for row in judgement.rows]
    names = short_names(rows)
    parts = [
        (file, detector, {row.asked: row for row in judgement.of(detector)})
        for file, judgement in judged
        for detector in judgement.detectors
    ]
    means = list(_means(parts))
    main = [(file, detector, row) for file, detector, of in [*parts, *means]
            if (row := _main(of, rows))]  # fmt: skip
    tables = []
    if len(names) > 1 or not main:
        tables.append(_values(parts, means, names, style, len(judged)))
    if main:
        first = _first([(file, detector) for file, detector, _ in main])
        title = f"{names[main[0][2].asked]} against chance"
        table = chance_table(first, [row for *_, row in main], style, title)
        summary = sum(file == _MEAN for file, *_ in main)
        tables.append(replace(table, summary_rows=summary))
    notes = [*metric_notes(rows, names), *threshold_notes(rows), *skipped_notes(rows)]
    notes += remarks(rows, verbose=style.verbose)
    return Layout(tuple(tables), tuple(dict.fromkeys(notes)), tuple(_verdicts(parts)))


def _means(parts: Sequence[Part]) -> Iterator[Part]:
    """The mean of each detector over the files in which its value is defined."""
    for detector in dict.fromkeys(detector for _, detector, _ in parts):
        own = [found for _, name, found in parts if name == detector]
        asked = dict.fromkeys(spec for found in own for spec in found)
        yield (
            _MEAN,
            detector,
            {spec: _mean([found[spec] for found in own if spec in found]) for spec in asked},
        )


def _mean(rows: Sequence[Finding]) -> Finding:
    known = [row for row in rows if not math.isnan(row.value)]
    means: dict[str, Any] = {
        name: float(np.mean([vars(row)[name] for row in known])) if known else math.nan
        for name in ("value", "chance", "seconds")
    }
    unknown: dict[str, Any] = dict.fromkeys(_OF_ONE_FILE, math.nan)
    if len({row.seconds_per_point for row in known}) > 1:  # so many points are no length of time
        unknown["seconds_per_point"] = math.nan
    return replace(rows[0], at=None, **means, **unknown)


_OF_ONE_FILE = (
    "low", "high", "p_value", "p_adjusted", "all_alarms", "corrected", "optimism", "white_noise",
    "slack_low", "slack_high", "oracle_gap", "spread",
)  # fmt: skip


def _main(found: dict[str, Finding], rows: Sequence[Finding]) -> Finding | None:
    """The row of a part that stands for it: of the metric that the verdicts are about."""
    chosen = main_row(rows)
    return None if chosen is None else found.get(chosen.asked)


def _values(
    parts: Sequence[Part], means: Sequence[Part], names: dict[str, str], style: Style, files: int
) -> Table:
    """Values of every metric, a row per file and detector."""
    every = [*parts, *means]
    file_of = {id(row): file for file, _, found in every for row in found.values()}
    rows = [row for *_, found in every for row in found.values()]
    cells = ValueCells(rows, lambda row: (file_of[id(row)], row.asked), style)
    columns = [
        column
        for asked, name in names.items()
        for column in cells.columns(name, [found.get(asked) for *_, found in every])
    ]
    first = _first([(file, detector) for file, detector, _ in every])
    return Table((*first, *columns), f"{files} files", summary_rows=len(means))


def _first(labels: Sequence[tuple[str, str]]) -> list[Column]:
    """The text columns: file, and detector where there are several."""
    files, detectors = zip(*labels, strict=True)
    columns = [Column("file", files, is_text=True)]
    several = len(set(detectors)) > 1
    return [*columns, *([Column("detector", detectors, is_text=True)] if several else [])]


def _verdicts(parts: Sequence[Part]) -> list[str]:
    """Say of each file what it shows; of many, on how many a detector is better than chance."""
    tested = [part for part in parts if any(row.shifts for row in part[2].values())]
    if len(tested) <= FEW:
        return [f"{file}: {verdict(list(found.values()))}" for file, _, found in tested]
    sentences = []
    for detector in dict.fromkeys(detector for _, detector, _ in tested):
        own = [list(found.values()) for _, name, found in tested if name == detector]
        better = sum(map(is_better_than_chance, own))
        sentences.append(f"{detector} is better than chance on {better} of {len(own)} files.")
    return sentences
