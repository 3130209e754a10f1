"""Write the table of result columns at the end of docs/api.md: run it after every change of one."""

from pathlib import Path

from adjudge.judging.result_columns import COLUMNS

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
MARK = "<!-- generated from here on by tools/make.py columns -->\n"


def where(one):
    """Name the tables that have a column, beside JSON and data frames, which have them all."""
    on_request = " (on request)" if one.shown and one.shown.verbose else ""
    places = {
        "CSV": one.csv,
        "ranking": one.ranking,
        f"text: {one.shown.title}{on_request}" if one.shown else "": one.shown,
    }
    return ", ".join(name for name, place in places.items() if place)


def page():
    """Give the page, with a line for each column."""
    lines = [
        f"| `{name}` | `{one.kind.removesuffix(' | None').replace('ChosenBy', 'str')}` | {one.words} | {where(one)} |"
        for name, one in COLUMNS.items()
    ]
    head = ["| column | type | what it is | also in |", "|:---|:---|:---|:---|"]
    return "\n".join([PAGE.read_text().partition(MARK)[0] + MARK, *head, *lines, ""])


def made():
    """Give the text of the page by its path."""
    return {PAGE: page()}
