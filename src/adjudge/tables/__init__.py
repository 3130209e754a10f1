"""Tables of text cells: laid out once, then drawn as text, Markdown, LaTeX, HTML or CSV."""

from adjudge.tables.frames import frame_of
from adjudge.tables.latex import as_latex, latex_of
from adjudge.tables.markdown import as_markdown, markdown_of
from adjudge.tables.notebook import html_of
from adjudge.tables.spreadsheet import as_csv
from adjudge.tables.table import Column, Layout, Table
from adjudge.tables.text import text_of

__all__ = [
    "Column",
    "Layout",
    "Table",
    "as_csv",
    "as_latex",
    "as_markdown",
    "frame_of",
    "html_of",
    "latex_of",
    "markdown_of",
    "text_of",
]
