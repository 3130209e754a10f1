"""The table of a paper: detectors as rows, a column per metric, each value above its interval.

The best value of each metric is bold; values which the comparison by that metric does not tell
apart from it carry a dagger. So a mark never rests on another metric beside it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from adjudge.tables.table import Layout, Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

TIED, BLIND = "†", "°"
"""Not told apart from the best one; not better than chance."""


class PaperValue(NamedTuple):
    """What a metric says of a detector."""

    value: float
    text: str
    """The value as it is printed; "" if there is none."""
    interval: str
    ranked: bool = True
    """Whether it may be the best one."""
    blind: bool = False
    """Whether it was compared with chance and is not better."""


def paper_column(
    title: str,
    values: Mapping[str, PaperValue],
    tied_with: Callable[[str], Collection[str]],
    *,
    lower: bool,
) -> TableColumn:
    """The column of a metric, with its marks.

    Parameters
    ----------
    title : str
        The name of the metric.
    values : mapping
        By detector, in the order of the rows.
    tied_with : callable
        Takes the best detector and gives those that the comparison does not tell apart from it.
    lower : bool
        Whether lower values are better.

    Examples
    --------
    >>> values = {"a": PaperValue(0.7, "0.70", ""), "b": PaperValue(0.6, "0.60", ""),
    ...           "c": PaperValue(0.2, "0.20", "", blind=True)}
    >>> found = paper_column("f1", values, lambda best: {"b"}, lower=False)
    >>> found.cells, found.bold
    (('0.70', '0.60†', '0.20°'), frozenset({0}))
    """
    known = {name: own.value for name, own in values.items()
             if own.ranked and not math.isnan(own.value)}  # fmt: skip
    best = (min if lower else max)(known.values(), default=math.nan)
    first = [name for name in known if known[name] == best and len({*known.values()}) > 1]
    tied = {*(tied_with(first[0]) if first else ())} & {*known} - {*first}
    cells = (f"{own.text}{TIED * (name in tied)}{BLIND * own.blind}"
             for name, own in values.items())  # fmt: skip
    bold = frozenset(place for place, name in enumerate(values) if name in first)
    small = tuple(own.interval for own in values.values())
    return TableColumn(title, tuple(cells), bold=bold, small=small if any(small) else ())


def paper_layout(
    names: Sequence[str], columns: Iterable[TableColumn], caption: Iterable[str], below: int = 0
) -> Layout:
    """Put the columns beside the names of the detectors, and sentences into one caption.

    Parameters
    ----------
    names, columns : sequence of str, columns
        The detectors, and what `paper_column` gives.
    caption : iterable of str
        Sentences without a full stop.
    below : int
        How many detectors at the end are not ranked.
    """
    first = TableColumn("detector", tuple(names), is_text=True)
    text = " ".join(f"{one[:1].upper()}{one[1:]}." for one in caption)
    return Layout((Table((first, *columns), summary_rows=below),), caption=text)


def marks_in_words(columns: Sequence[TableColumn], tied: str, blind: str) -> list[str]:
    """Say what the marks mean that stand in the table.

    Parameters
    ----------
    columns : sequence of columns
        What the table has.
    tied, blind : str
        By which test values are not told apart, and what chance is.
    """
    cells = [cell for column in columns for cell in column.cells]
    said = ["bold: best by the metric"] * any(column.bold for column in columns)
    if any(TIED in cell for cell in cells):
        said.append(f"{TIED}: statistically tied with the best by the same metric ({tied})")
    if any(BLIND in cell for cell in cells):
        said.append(f"{BLIND}: not better than chance ({blind})")
    return said
