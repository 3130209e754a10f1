"""Columns, tables and layouts: what there is to draw, whatever it will be drawn as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class TableColumn:
    """One column: its title and its cells."""

    title: str
    cells: tuple[str, ...]
    is_text: bool = False
    """Whether it is flush left and may be broken between words, as numbers may not."""
    rank: int = 0
    """Where there is no room, the columns of the highest rank are left out first; 0 never is."""
    bold: frozenset[int] = frozenset()
    """The rows that stand out."""
    small: tuple[str, ...] = ()
    """What belongs to each cell in small print, such as its interval; none: nothing."""

    @property
    def whole(self) -> tuple[str, ...]:
        """The cells with their small print behind them."""
        if not self.small:
            return self.cells
        both = zip(self.cells, self.small, strict=True)
        return tuple(f"{cell} {small}" if small else cell for cell, small in both)


@dataclass(frozen=True)
class Table:
    """Columns of equal length, and a title."""

    columns: tuple[TableColumn, ...]
    title: str = ""
    summary_rows: int = 0
    """How many rows at the end sum the others up: a rule sets them apart."""
    turned: Table | None = None
    """The same with rows and columns exchanged, for where that takes less room."""

    @classmethod
    def of(
        cls,
        head: Sequence[object],
        rows: Sequence[Sequence[object]],
        title: str = "",
        ranks: Mapping[str, int] | None = None,
    ) -> Table:
        """Make a table of rows, the first column text and the others numbers.

        >>> Table.of(["metric", "value"], [["f1", 0.5]]).rows
        [['f1', '0.5']]
        """
        cells = zip(*rows, strict=True) if rows else [()] * len(head)
        columns = [
            TableColumn(
                str(name), tuple(map(str, column)), place == 0, (ranks or {}).get(str(name), 0)
            )
            for place, (name, column) in enumerate(zip(head, cells, strict=True))
        ]
        return cls(tuple(columns), title)

    @classmethod
    def of_texts(cls, head: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> Table:
        """Make a table of rows in which every column is text.

        >>> Table.of_texts(["event", "found"], [["a", "yes"]]).columns[1].is_text
        True
        """
        columns = zip(head, zip(*rows, strict=True), strict=True)
        return cls(tuple(TableColumn(name, own, is_text=True) for name, own in columns), title)

    @property
    def head(self) -> list[str]:
        """The titles of the columns."""
        return [column.title for column in self.columns]

    @property
    def rows(self) -> list[list[str]]:
        """The cells row by row."""
        return [list(row) for row in zip(*(column.cells for column in self.columns), strict=True)]


@dataclass(frozen=True)
class Layout:
    """Tables, and what stands above and below them."""

    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()
    """What explains the tables."""
    verdicts: tuple[str, ...] = ()
    """What the tables amount to, in sentences."""
    answers: tuple[str, ...] = ()
    """What was asked, in sentences that stand above the tables."""
    caption: str = ""
    """What a paper says of the table: LaTeX makes a float with this caption of it."""
