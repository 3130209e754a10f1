"""What a notebook shows of whatever has a layout."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.tables.glance import Glance
    from adjudge.tables.table import Layout


class NotebookCell(ABC):
    """Tables and sentences, below a few numbers and a drawing."""

    @abstractmethod
    def layout(self) -> Layout:
        """Lay it out as tables and sentences."""

    def glance(self) -> Glance | None:
        """What is seen first; None: the tables."""
        return None

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        from adjudge.tables.formats import html_of  # noqa: PLC0415 - only a notebook needs it

        return html_of(self.layout(), self.glance())
