"""Tables of text cells: laid out once, then drawn as text, Markdown, LaTeX, HTML or CSV."""

from adjudge.tables.formats import (
    as_csv,
    as_latex,
    as_markdown,
    frame_of,
    html_of,
    latex_of,
    markdown_of,
)
from adjudge.tables.table import Layout, Table, TableColumn
from adjudge.tables.text import text_of

__all__ = [
    "Layout",
    "Table",
    "TableColumn",
    "as_csv",
    "as_latex",
    "as_markdown",
    "frame_of",
    "html_of",
    "latex_of",
    "markdown_of",
    "text_of",
]
