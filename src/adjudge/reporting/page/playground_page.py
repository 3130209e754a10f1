"""The playground: a page on which events and alarms are dragged, and four F1 scores follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.reporting.page.assembly import page, write_page

if TYPE_CHECKING:
    import os
    from pathlib import Path

_ROWS = {"f1": "F1", "f1_pa": "PA", "f1_kpa": "K%-PA", "f1_ba": "BA"}


def playground() -> str:
    """The page as text."""
    return page("playground", {}, title="adjudge playground", rows=list(_ROWS.items()))


def write_playground(path: str | os.PathLike[str]) -> Path:
    """Write the page; give its path."""
    return write_page(path, playground())
