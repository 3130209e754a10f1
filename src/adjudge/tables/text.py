"""Tables as text: within a width, no word broken, nothing cut off.

Where there is no room, titles are broken between words, and the columns of the highest ranks are
left out. From rank 2 on, columns are worth breaking texts for, between words. What must be shown
and still does not fit is shown in several tables below each other, each with the text in front,
or with rows and columns exchanged, if that takes fewer.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING
from unicodedata import category, east_asian_width

from adjudge.errors import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudge.tables.table import Layout, Table, TableColumn

_GAP = "  "
_WORTH_BREAKING = 2  # the highest rank of a column for which texts are broken
_TOGETHER = re.compile(
    r"(?<=\d) (?=%|(?:ns|us|ms|s|min|h|d)\b)"  # 95 %, 20 min
    r"|(?<=\bp) (?=<?=)|(?<=\bp =) |(?<=\bp <=) "  # p <= 0.05
    r"|(?<=\d,) (?=\d+\))|(?<=event|alarm) (?=\[)"  # event [10, 20)
    r"|(?<=\d{4}-\d\d-\d\d) (?=\d\d:)"  # 2026-03-01 10:00
    r"| (?=↓)"  # detection_delay, of which less is better
)
"""Where no line may end."""
_LOOKED_AT = 40  # rows by which it is decided who gets the room
_WIDEST = 120  # of a table where there is no terminal whose width counts


def text_of(layout: Layout, width: int | None = 80) -> str:
    """Draw the tables and the notes below them.

    Parameters
    ----------
    layout : Layout
        What to draw.
    width : int or None
        How many characters a line may have. None: tables up to 120, and each sentence on one
        line, as a program that reads the lines wants them.
    """
    tables = ["\n".join(_table(table, width or _WIDEST)) for table in layout.tables]
    above, below = (
        [line for text in texts for line in wrapped(text, width)]
        for texts in (
            layout.answers,
            (*filter(None, [layout.caption]), *layout.notes, *layout.verdicts),
        )
    )
    return "\n".join([*above, *filter(None, ["\n\n".join(tables)]), *below])


def wrapped(text: str, width: int | None) -> list[str]:
    """Break a text between words; a word that is longer than the width stays whole.

    >>> wrapped("better than chance", 12)
    ['better than', 'chance']
    """
    shown = visible(text)
    if width is None or cells_wide(shown) <= width:
        return [shown]
    lines = wrap(_joined(shown), max(width, 1), break_long_words=False, break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines] or [""]


def _joined(text: str) -> str:
    return _TOGETHER.sub("\xa0", text)


def hanging(text: str, width: int | None, indent: int) -> list[str]:
    """Break a line between words; its own indent stays, and further lines get theirs.

    >>> hanging("  name  a title of several words", 22, 8)
    ['  name  a title of', '        several words']
    """
    shown = visible(text)
    if width is None or cells_wide(shown) <= width:
        return [shown]
    own = len(shown) - len(shown.lstrip())
    lines = wrap(
        _joined(shown[own:]),
        width,
        initial_indent=" " * own,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\xa0", " ") for line in lines]


def cells_wide(text: str) -> int:
    """How many places a text takes in a terminal: two for each wide character.

    >>> cells_wide("f1"), cells_wide("検知")
    (2, 4)
    """
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(c) in "WF" else category(c) != "Mn" for c in text)


def _table(table: Table, width: int) -> list[str]:
    groups = _side_by_side([_shown(column) for column in table.columns], width)
    if table.turned is not None and len(groups) > 1:
        turned = _side_by_side([_shown(column) for column in table.turned.columns], width)
        groups = min(groups, turned, key=len)
    lines = wrapped(table.title, width) if table.title else []
    for place, group in enumerate(groups):
        if place:
            lines.append("")
        lines += _drawn(group, _widths(group, width), table.summary_rows)
    return lines


def _shown(column: TableColumn) -> TableColumn:
    return replace(column, title=visible(column.title), cells=tuple(map(visible, column.whole)))


def _side_by_side(columns: Sequence[TableColumn], width: int) -> list[list[TableColumn]]:
    """Choose the columns that are shown, in groups that fit the width."""
    ranks = sorted({0, *(column.rank for column in columns)}, reverse=True)
    for break_text in (False, True):
        for rank in ranks:
            kept = [column for column in columns if column.rank <= rank]
            worth_it = rank <= _WORTH_BREAKING if break_text else rank >= _WORTH_BREAKING
            if worth_it and _least(kept, break_text=break_text) <= width:
                return [kept]
    return _groups([c for c in kept if c.is_text], [c for c in kept if not c.is_text], width)


def _groups(
    first: list[TableColumn], others: list[TableColumn], width: int
) -> list[list[TableColumn]]:
    groups = [[*first, *others[:1]]]
    for column in others[1:]:
        if _least([*groups[-1], column], break_text=True) <= width:
            groups[-1].append(column)
        else:
            groups.append([*first, column])
    return groups


def _least(columns: Sequence[TableColumn], *, break_text: bool) -> int:
    needed = [
        _narrowest(column) if break_text or not column.is_text else _widest(column)
        for column in columns
    ]
    return sum(needed) + len(_GAP) * (len(columns) - 1)


def _narrowest(column: TableColumn) -> int:
    """The width below which a word of a title or a text, or a number, would have to be broken."""
    broken = (column.title, *(column.cells if column.is_text else ()))
    whole = () if column.is_text else column.cells
    words = (word for text in broken for word in _joined(text).split(" "))
    return max(cells_wide(word) for word in (*words, *whole, ""))


def _widest(column: TableColumn) -> int:
    return max(cells_wide(text) for text in (column.title, *column.cells))


def _widths(columns: Sequence[TableColumn], width: int) -> list[int]:
    """Widths of the columns: what each needs, and the rest for those that want more."""
    widths = [_narrowest(column) for column in columns]
    left = width - sum(widths) - len(_GAP) * (len(columns) - 1)
    texts = [place for place, column in enumerate(columns) if column.is_text]
    for place in [*_by_want(columns, texts, widths, left), *range(len(columns))]:
        more = max(0, min(left, _widest(columns[place]) - widths[place]))
        widths[place] += more
        left -= more
    return [
        max(cells_wide(line) for text in (c.title, *c.cells) for line in (*wrapped(text, w), ""))
        for c, w in zip(columns, widths, strict=True)
    ]


def _by_want(
    columns: Sequence[TableColumn], texts: Sequence[int], widths: Sequence[int], left: int
) -> list[int]:
    """The text columns, the one first whose full width saves the most lines."""

    def lines(first: int) -> int:
        shared = dict.fromkeys(texts, 0)
        rest = left
        for place in (first, *texts):
            shared[place] += (more := min(rest, max(0, _widest(columns[place]) - widths[place])))
            rest -= more
        cells = zip(*(columns[place].cells[:_LOOKED_AT] for place in texts), strict=True)
        rooms = [widths[place] + shared[place] for place in texts]
        return sum(
            max(len(wrapped(cell, room)) for cell, room in zip(row, rooms, strict=True))
            for row in cells
        )

    return sorted(texts, key=lines)


def _drawn(columns: Sequence[TableColumn], widths: Sequence[int], summary_rows: int) -> list[str]:
    rule = "-" * (sum(widths) + len(_GAP) * (len(widths) - 1))
    rows = list(zip(*(column.cells for column in columns), strict=True))
    lines = [*_row([column.title for column in columns], columns, widths), rule]
    for place, row in enumerate(rows):
        if summary_rows and place == len(rows) - summary_rows:
            lines.append(rule)
        lines += _row(row, columns, widths)
    return [*lines, rule]


def _row(cells: Iterable[str], columns: Sequence[TableColumn], widths: Sequence[int]) -> list[str]:
    """Draw a row; a cell that is broken takes several lines."""
    broken = [wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    return [
        _GAP.join(
            _placed(text, column, width)
            for text, column, width in zip(line, columns, widths, strict=True)
        ).rstrip()
        for line in zip_longest(*broken, fillvalue="")
    ]


def _placed(text: str, column: TableColumn, width: int) -> str:
    room = " " * (width - cells_wide(text))
    return text + room if column.is_text else room + text
