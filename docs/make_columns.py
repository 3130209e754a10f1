"""Write the table of result columns at the end of docs/api.md: run it after every change of one."""

from pathlib import Path

from adjudge.judging.result_columns import COLUMNS

PAGE = Path(__file__).with_name("api.md")
MARK = "<!-- generated from here on by docs/make_columns.py -->\n"


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


if __name__ == "__main__":
    PAGE.write_text(page())
