"""Registration: rows of third parties, checked like our own before the catalogue takes them in.

A package publishes its metrics under the entry-point group ``adjudge.metrics``; each entry point is
a `Row` or several of them, and is read when the catalogue is first looked at.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import items
from adjudge.data.case import Case
from adjudge.errors import AdjudgeError, InputError
from adjudge.metrics.metric import Row
from adjudge.metrics.oracle import best_of
from adjudge.registry import published

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


GROUP = "adjudge.metrics"
_SOME = np.array([0, 1, 1, 0, 0, 0, 1, 0])
_OTHER = np.array([0, 0, 1, 0, 1, 1, 0, 0])
_NONE, _EVERY = np.zeros(8, np.int64), np.ones(8, np.int64)
_TRIALS = {
    "some events, some flags": (_SOME, _OTHER),
    "no events": (_NONE, _OTHER),
    "no flags": (_SOME, _NONE),
    "neither events nor flags": (_NONE, _NONE),
    "nothing but events": (_EVERY, _OTHER),
    "nothing but flags": (_SOME, _EVERY),
    "one point": (_EVERY[:1], _NONE[:1]),
}


def checked_row(row: Row, taken: Collection[str]) -> Row:
    """A row that may enter the catalogue: named, described, and defined where it says so.

    Parameters
    ----------
    row : Row
        The row.
    taken : collection of str
        Names that are in use.

    Returns
    -------
    Row
        The row, in the group "registered" if it names none.
    """
    if not isinstance(row, Row):
        raise InputError(f"row must be an adjudge.Row, got {type(row).__name__}")
    if not isinstance(row.name, str) or not re.fullmatch("[a-z][a-z0-9_]*", row.name):
        raise InputError(f"row.name must be lower-case words joined by _, got {row.name!r}")
    if row.name in taken:
        raise InputError(f"row.name must be new, got {row.name!r}, which is in the catalogue")
    for words in ("title", "definition", "reference", "undefined", "forgives"):
        if not getattr(row, words):
            raise InputError(f"row.{words} must be a few words, got none; {row.name} needs them")
    row = row if row.group else replace(row, group="registered")
    for what, (labels, flags) in _TRIALS.items():
        _try(row, what, Case(labels, flags))
    return row


def _try(row: Row, what: str, case: Case) -> None:
    """Judge a small case: the value must be in range, or undefined."""
    metric = row.metric
    before = case.scores.copy()
    try:
        value = metric.reading(case).value
        if metric.row.needs == "flags":
            best_of(metric).reading(case)
    except AdjudgeError:
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise InputError(f"row {row.name} must judge {what}, got {problem}") from error
    low, high = row.range
    if not (math.isnan(value) or low - 1e-9 <= value <= high + 1e-9):
        raise InputError(
            f"row {row.name} must give a value from {low} to {high} or NaN, got {value} for {what}"
        )
    if not np.array_equal(before, case.scores):
        raise InputError(f"row {row.name} must not change its input, but did for {what}")


def published_rows(taken: Collection[str]) -> Iterator[Row]:
    """Rows that installed packages publish; one that is no good is named, and left out."""
    names = set(taken)
    for row in published(GROUP, lambda _, found: _checked_rows(found, names)):
        names.add(row.name)
        yield row


def _checked_rows(found: Any, taken: Collection[str]) -> Iterator[Row]:
    names = set(taken)
    for row in [found] if isinstance(found, Row) else items(found, "what it names", "rows"):
        checked = checked_row(row, names)
        names.add(checked.name)
        yield checked
