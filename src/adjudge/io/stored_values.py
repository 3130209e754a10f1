"""Stored values: a table with a row per series, detector and metric, and its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.errors import FileError, UnknownName
from adjudge.io.column_choice import COLUMNS, Cells, RequestedColumns
from adjudge.io.formats import read_part

if TYPE_CHECKING:
    import os

_NAMES = ("series", "detector")
_OPTIONAL = (("metric", "group"), ("metric",), ("group",), ())


def read_values(
    path: str | os.PathLike[str], *, sep: str | None = None, decimal: str = "."
) -> dict[str, Any]:
    """Read the columns ``series``, ``detector``, ``value`` and, if there, ``metric`` and ``group``.

    Parameters
    ----------
    path
        A table in any format that is known.
    sep, decimal
        How the cells of a text are separated, and its decimal mark.

    Raises
    ------
    FileError
        If one of the first three is not there, or a value is no number. An empty cell is NaN.
    """
    for more in _OPTIONAL:
        names = (*_NAMES, *more)
        requested = RequestedColumns("", COLUMNS, None, ("value",), keys=names, labelled=False)
        try:
            found = read_part(str(path), requested, Cells(sep, decimal, gaps=True))
        except UnknownName:
            continue
        return {name: found.arrays[name] for name in (*names, "value")}
    raise FileError(
        f"{path}: a table of values must have the columns series, detector and value, with a row "
        "per value; metric and group where there are several"
    )
