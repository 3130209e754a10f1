"""What every result can do that is a table: text, a notebook's cell, a data frame, JSON."""

from __future__ import annotations

import json
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from adjudge.tables.formats import frame_of
from adjudge.tables.notebook import NotebookCell
from adjudge.tables.result_fields import json_ready
from adjudge.tables.text import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping


class TabledResult(NotebookCell):
    """A result that says how it is laid out and what its columns are; the forms follow."""

    @abstractmethod
    def columns(self) -> Mapping[str, Any]:
        """The rows of the result, as columns by name."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {name: list(column) for name, column in self.columns().items()}

    def to_json(self, **options: Any) -> str:
        """Everything as JSON: undefined is null, an infinite number is text.

        Parameters
        ----------
        **options
            Of ``json.dumps``, such as ``indent``.
        """
        return json.dumps(json_ready(self.to_dict()), allow_nan=False, **options)

    def to_frame(self, backend: str = "pandas") -> Any:
        """The rows as a data frame.

        Parameters
        ----------
        backend : str
            "pandas", "polars" or "pyarrow".
        """
        return frame_of(self.columns(), backend)

    def to_text(self, width: int | None = 80) -> str:
        """The tables and sentences as text.

        Parameters
        ----------
        width : int or None
            How many characters a line may have. None: tables up to 120 characters, and each
            sentence on one line.
        """
        return text_of(self.layout(), width)

    def __str__(self) -> str:
        """Print the tables and sentences."""
        return self.to_text()

    __repr__ = __str__
