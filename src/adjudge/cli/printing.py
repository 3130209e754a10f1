"""What evaluate and compare print: results in every shape.

JSON and CSV are for programs; Markdown, LaTeX and text draw the same layout.

Tables of several files: a row per file, and the mean over them.

Receipts in the terminal: what mattered most, and the stretches of the series where it was.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge._version import __version__
from adjudge.cli.terminal import echo, print_layout, print_result, terminal_width
from adjudge.judging.judge.events import BESIDE
from adjudge.judging.judge.verdict import is_better_than_chance, main_row
from adjudge.judging.on_call.case import first_alert
from adjudge.judging.receipt import MOST, alarms_by_cost, events_by_loss
from adjudge.judging.result_columns import CSV, SCHEMA, averaged
from adjudge.judging.result_tables import Style, ValueCells, chance_table, metric_notes
from adjudge.judging.safe_names import safe_names
from adjudge.judging.words.citation import citations
from adjudge.judging.words.places import span
from adjudge.judging.words.remarks import remarks, skipped_notes
from adjudge.judging.words.short_names import short_names
from adjudge.judging.words.thresholds import extreme_notes, threshold_notes
from adjudge.judging.words.verdict import FEW, verdict
from adjudge.tables.table import Layout, Table, TableColumn
from adjudge.tables.text import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from adjudge.judging.comparing.comparison import Comparison
    from adjudge.judging.comparing.several import Comparisons
    from adjudge.judging.comparing.stored import Against
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.on_call.parts import Breakdown
    from adjudge.judging.over_time.newest_window import Change
    from adjudge.judging.over_time.windows import OverTime
    from adjudge.judging.receipt import Account, Receipt
    from adjudge.judging.result_columns import Finding

    Part = tuple[str, str, dict[str, Finding]]


_MEAN = "mean"


def files_layout(judged: Sequence[tuple[str, Judgement]], style: Style) -> Layout:
    """Lay out several files: values of each detector in each, their mean, and chance."""
    rows = [row for _, judgement in judged for row in judgement.rows]
    names = short_names(rows)
    parts = [
        (file, detector, {row.requested: row for row in judgement.of(detector)})
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
        title = f"{names[main[0][2].requested]} against chance"
        table = chance_table(first, [row for *_, row in main], style, title)
        summary = sum(file == _MEAN for file, *_ in main)
        tables.append(replace(table, summary_rows=summary))
    notes = [*metric_notes(rows, names), *threshold_notes(rows), *skipped_notes(rows)]
    notes += [f"{file}: {note}" for file, one in judged for note in extreme_notes(one.rows)]
    notes += remarks(rows, verbose=style.verbose)
    return Layout(tuple(tables), tuple(dict.fromkeys(notes)), tuple(_verdicts(parts)))


def _means(parts: Sequence[Part]) -> Iterator[Part]:
    """The mean of each detector over the files in which its value is defined."""
    for detector in dict.fromkeys(detector for _, detector, _ in parts):
        own = [found for _, name, found in parts if name == detector]
        specs = dict.fromkeys(spec for found in own for spec in found)
        yield (
            _MEAN,
            detector,
            {spec: _mean([found[spec] for found in own if spec in found]) for spec in specs},
        )


def _mean(rows: Sequence[Finding]) -> Finding:
    known = [row for row in rows if not math.isnan(row.value)]
    found = averaged(known, "files")
    if len({row.seconds_per_point for row in known}) > 1:  # so many points are no length of time
        found["seconds_per_point"] = math.nan
    return replace(rows[0], **found)


def _main(found: dict[str, Finding], rows: Sequence[Finding]) -> Finding | None:
    """The row of a part that stands for it: of the metric that the verdicts are about."""
    chosen = main_row(rows)
    return None if chosen is None else found.get(chosen.requested)


def _values(
    parts: Sequence[Part], means: Sequence[Part], names: dict[str, str], style: Style, files: int
) -> Table:
    """Values of every metric, a row per file and detector."""
    every = [*parts, *means]
    file_of = {id(row): file for file, _, found in every for row in found.values()}
    rows = [row for *_, found in every for row in found.values()]
    cells = ValueCells(rows, lambda row: (file_of[id(row)], row.requested), style)
    columns = [
        column
        for spec, name in names.items()
        for column in cells.columns(name, [found.get(spec) for *_, found in every])
    ]
    first = _first([(file, detector) for file, detector, _ in every])
    return Table((*first, *columns), f"{files} files", summary_rows=len(means))


def _first(labels: Sequence[tuple[str, str]]) -> list[TableColumn]:
    """The text columns: file, and detector where there are several."""
    files, detectors = zip(*labels, strict=True)
    columns = [TableColumn("file", files, is_text=True)]
    several = len(set(detectors)) > 1
    return [*columns, *([TableColumn("detector", detectors, is_text=True)] if several else [])]


def _verdicts(parts: Sequence[Part]) -> list[str]:
    """Say of each file what it shows; of many, on how many a detector is better than chance."""
    tested = [part for part in parts if any(row.shifts for row in part[2].values())]
    if len(tested) <= FEW:
        count = Counter(file for file, *_ in parts)
        return [f"{file}: {verdict(list(own.values()), count[file])}" for file, _, own in tested]
    sentences = []
    for detector in dict.fromkeys(detector for _, detector, _ in tested):
        own = [list(found.values()) for _, name, found in tested if name == detector]
        better = sum(map(is_better_than_chance, own))
        sentences.append(f"{detector} is better than chance on {better} of {len(own)} files.")
    return sentences


_LINES = 60  # of everything, unless all is asked for
_STRETCH = 5  # lines of one stretch of the strip
_AROUND = 4  # lines of a legend, of what is left out, and blank ones
_NAMES = 9  # characters before the strip itself
_LEGEND = "# event  ^ right  ! false alarm  - island  . quiet"


def print_receipt(receipt: Account, shape: str | None, *, every: bool = False) -> None:
    """Print a receipt with a strip of characters, or every row of it for programs."""
    if shape is None and receipt.has_strip:
        echo("\n".join(_lines(receipt, every=every)))
        return
    _print(receipt, shape, lambda: receipt.layout(None if every else MOST, "--all"))


def _print(
    found: Account | Comparison | Comparisons,
    shape: str | None,
    layout: Callable[[], Layout],
) -> None:
    """Print a result that has fields and columns of its own."""

    def rows() -> tuple[list[str], list[tuple[object, ...]]]:
        columns = found.columns()
        return list(columns), list(zip(*columns.values(), strict=True))

    print_result(shape, layout, lambda: {"schema": SCHEMA, **found.to_dict()}, rows)


def _lines(receipt: Any, *, every: bool) -> list[str]:
    """The account and the strip, in at most 60 lines unless all is asked for."""
    width = terminal_width()
    if every:
        account = text_of(receipt.layout(None), width).splitlines()
        return [*account, "", *_strips(receipt, None)]
    for most in (MOST, MOST // 2, 1):
        account = text_of(receipt.layout(most, "--all"), width).splitlines()
        if len(account) <= _LINES:
            break
    left = _LINES - len(account) - _AROUND
    return [*account, "", *_strips(receipt, left)] if left >= _STRETCH else account


def _strips(receipt: Receipt, lines: int | None) -> list[str]:
    """Draw the stretches where the dearest alarms and the worst events are, in as many lines."""
    width = (terminal_width() or 80 + _NAMES) - _NAMES
    busy = receipt.labels | receipt.flags | receipt.adjusted
    starts = [start for start in range(0, busy.size, width) if busy[start : start + width].any()]
    shown = starts
    if lines is not None and len(starts) * _STRETCH > lines:
        listed = [row["start"] for row in (*alarms_by_cost(receipt), *events_by_loss(receipt))]
        first = dict.fromkeys((*(start // width * width for start in listed), *starts))
        shown = sorted(list(first)[: max(1, lines // _STRETCH)])
    drawn = [_LEGEND]
    for start in shown:
        when = "" if receipt.clock is None else f", {receipt.clock.text(start)}"
        drawn += ["", f"{'from':<{_NAMES}}{start}{when}", receipt.strip(start, start + width)]
    more = len(starts) - len(shown)
    return [*drawn, *(["", f"{more:,} more stretches with events or alarms (--all)"] * (more > 0))]


_EVENTS = 20  # events that are printed with their times


def print_over_time(found: OverTime, changes: Sequence[Change], shape: str | None) -> None:
    """Print values over time, and how the newest window compares with those before it."""
    rows = [dict(vars(row)) for row in found.rows]
    compared = [{**one._asdict(), "worse": one.worse, "sentence": one.sentence} for one in changes]
    print_result(
        shape,
        lambda: replace(found.layout(), verdicts=tuple(one.sentence for one in changes)),
        lambda: {"adjudge": __version__, "rows": rows, "changes": compared},
        lambda: (list(rows[0]), _cells(rows, rows[0])),
    )


class PrintedBeside(NamedTuple):
    """What stands beside judgements: what was found by a column, and the version before."""

    parts: Sequence[Breakdown] = ()
    facing: Sequence[Against] = ()


def print_judgements(
    judged: Sequence[tuple[str, Judgement]],
    failed: Sequence[tuple[str, str]],
    shape: str | None,
    *,
    verbose: bool = False,
    paper: bool = False,
    beside: PrintedBeside | None = None,
) -> None:
    """Print judgements of files in the format asked for; events also by a column."""
    more = beside or PrintedBeside()

    def layout() -> Layout:
        if paper:
            return judged[0][1].paper()
        found = _with_parts(_layout(judged, Style(verbose=verbose)), more.parts)
        told = (line for one in more.facing for line in str(one).split("\n"))
        return replace(found, verdicts=(*found.verdicts, *told))

    rows = [{"file": name, **row} for name, j in judged for row in j.to_dict()["rows"]]
    if shape in {"json", "flat-json", "csv"} or judged:
        print_result(
            shape,
            layout,
            lambda: _flat(judged) if shape == "flat-json" else _whole(judged, failed, more, rows),
            lambda: (["file", *CSV], _cells(rows, ["file", *CSV])),
        )


def _cells(rows: Sequence[dict[str, Any]], head: Iterable[str]) -> list[list[object]]:
    return [["" if row[key] is None else row[key] for key in head] for row in rows]


def _whole(
    judged: Sequence[tuple[str, Judgement]],
    failed: Sequence[tuple[str, str]],
    more: PrintedBeside,
    rows: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """Everything about files, for programs."""
    details = [{"file": name, **vars(row)} for name, j in judged for row in j.details]
    units = [{"file": name, **one} for name, j in judged for one in j.units]
    return {
        "adjudge": __version__,
        "schema": SCHEMA,
        "rows": rows,
        "events": [{"file": name, **event} for name, j in judged for event in j.events],
        "errors": [{"file": name, "error": message} for name, message in failed],
        **({"details": details} if details else {}),
        **{name: value for _, one in judged for name, value in one.to_beside().items()},
        **({"by": [row for part in more.parts for row in part.to_dicts()]} if more.parts else {}),
        **({"against": [one.to_dict() for one in more.facing]} if more.facing else {}),
        **({"units": units} if units else {}),
    }


def _with_parts(layout: Layout, parts: Sequence[Breakdown]) -> Layout:
    """Add the tables of parts that do not stand there already, as those of services may."""
    more = [part for part in parts if not set(part.tables) <= set(layout.tables)]
    tables = (table for part in more for table in part.tables)
    notes = dict.fromkeys(note for part in more for note in part.notes)
    return replace(layout, tables=(*layout.tables, *tables), notes=(*layout.notes, *notes))


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
    known = [event for event in events if "from" in event]
    timed = [event for event in known if event["found"] is not None or "outcome" in event]
    lines = [
        f"{event['detector']}: {_which(event)}{span(event['from'], event['to'])}: "
        + _how_found(event)
        for event in timed[:_EVENTS]
    ]
    more = len(timed) - len(lines)
    return lines + ([f"and {more:,} more events (--json has them all)"] if more > 0 else [])


def _which(event: dict[str, Any]) -> str:
    """What an incident is called, where it has an id or a service."""
    called = [event.get("id", ""), event.get("service", "")]
    return f"{' '.join(filter(None, called))}, " if any(called) else ""


def _how_found(event: dict[str, Any]) -> str:
    if event["found"] is None:
        return "unwatched"
    if not event["found"]:
        return "missed"
    if "outcome" in event:
        after = event["delay_time"]
        late = "found" if after is None else f"found after {after}"
        return f"{late} by alert {first_alert(event)}"
    return BESIDE if event["delay_time"] is None else f"found after {event['delay_time']}"


def print_comparison(found: Comparisons, shape: str | None) -> None:
    """Print the comparison of each two detectors in the format asked for; of one pair in words."""
    one = found.pairs[0] if len(found.pairs) == 1 else found
    if shape is None and one is not found:
        print_layout(Layout((), tuple(str(one).splitlines())))
    else:
        _print(one, shape, one.layout)
