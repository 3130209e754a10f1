"""Detectors on the same labels as the table of a paper: each metric with its own comparison."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from adjudge.errors import InputError
from adjudge.judging.result_columns import value_text
from adjudge.judging.result_tables import interval
from adjudge.judging.words.short_names import LOWER, is_lower, settings_notes, short_names
from adjudge.judging.words.thresholds import threshold_notes
from adjudge.noise.assumptions import clause, with_clause
from adjudge.noise.p_values import CLEAR
from adjudge.tables.paper import PaperValue, marks_in_words, paper_column, paper_layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from adjudge.judging.comparing.several import Comparisons
    from adjudge.judging.result_columns import Finding
    from adjudge.tables.table import Layout, TableColumn

    Compare = Callable[[str], Comparisons]
    """Compares all detectors by a metric."""

_NO_VALUE = PaperValue(math.nan, "", "", ranked=False)


def paper(rows: Sequence[Finding], compare: Compare, digits: int = 3) -> Layout:
    """Lay rows out for a paper.

    Parameters
    ----------
    rows, compare, digits : sequence of Finding, callable, int
        What was judged, what compares all detectors by a metric, and the decimals.
    """
    names, detectors = short_names(rows), list(dict.fromkeys(row.detector for row in rows))
    columns, untold = [], []
    for asked, title in names.items():
        own = {row.detector: row for row in rows if row.requested == asked}
        values = {name: _value(own[name], digits) if name in own else _NO_VALUE
                  for name in detectors}  # fmt: skip
        pairs = _pairs(compare, asked) if len(own) > 1 else {}
        if len(own) > 1 and not pairs.keys() >= {(a, b) for a in own for b in own if a != b}:
            untold.append(title)
        tied = partial(_tied_with, pairs, detectors)
        lower = is_lower(next(iter(own.values())))
        columns.append(paper_column(title, values, tied, lower=lower))
    return paper_layout(detectors, columns, _caption(rows, names, columns, untold))


def _value(row: Finding, digits: int) -> PaperValue:
    between = interval(row, row.low, row.high, digits)
    return PaperValue(
        row.value,
        "" if math.isnan(row.value) else value_text(row, digits),
        f"[{between.replace(' to ', ', ')}]" if between else "",
        blind=bool(row.null) and row.p_adjusted > CLEAR,
    )


def _pairs(compare: Compare, metric: str) -> Mapping[tuple[str, str], float]:
    """The adjusted p-value of each two detectors, in both orders; none where nothing tests it."""
    try:
        found = compare(metric)
    except InputError:
        return {}
    both = zip(found.pairs, found.p_adjusted, strict=True)
    p_values = {pair.names: p for pair, p in both}
    return p_values | {(b, a): p for (a, b), p in p_values.items()}


def _tied_with(
    pairs: Mapping[tuple[str, str], float], detectors: Sequence[str], best: str
) -> set[str]:
    return {name for name in detectors if not pairs.get((best, name), 1.0) <= CLEAR}


def _caption(
    rows: Sequence[Finding],
    names: dict[str, str],
    columns: Sequence[TableColumn],
    untold: Sequence[str],
) -> Iterator[str]:
    """Events, unit of evidence, marks, settings, thresholds."""
    events = max(row.event_count for row in rows)
    on = f"value on {events:,} events" if events else "value"
    yield on + ", with its 95 % interval" * any(column.small for column in columns)
    if evidence := next((row.evidence for row in rows if row.evidence), ""):
        yield f"intervals rest on {evidence}"
    nulls = dict.fromkeys(row.null for row in rows if row.null)
    assumes = next((row.assumes for row in rows if row.assumes), "")
    blind = with_clause(f"Holm, {CLEAR}", assumes)
    chance = f"null model: {', '.join(nulls)}; {blind}"
    tied = with_clause(f"compared event by event, Holm, {CLEAR}", clause("event"))
    yield from marks_in_words(columns, tied, chance)
    if untold:
        yield f"no test between detectors: {', '.join(untold)}"
    settings = settings_notes(rows, names)
    if settings:
        yield f"settings: {'; '.join(settings)}"
    yield from threshold_notes(rows)
    if any(LOWER in column.title for column in columns):
        yield f"{LOWER}: lower is better"
