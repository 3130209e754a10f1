"""Whether a detector is better than chance.

It is called so only when its p-value is at most 0.05, among all shifts and by every null model
that is declared as joint too (among nearby places), adjusted for the number of detectors that were
judged in the same call. Where the places that were tried do not decide that, no verdict is given.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from adjudge.metrics.spec import metric_name
from adjudge.noise.p_values import CLEAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.result_columns import Finding


def main_row(rows: Sequence[Finding]) -> Finding | None:
    """Choose the row that the verdict is about: balanced F1 if it is there, else the first."""
    tested = [row for row in rows if not math.isnan(row.p_value)]
    balanced = [row for row in tested if metric_name(row.metric) == "f1_ba"]
    return next(iter(balanced or tested), None)


def is_better_than_chance(rows: Sequence[Finding]) -> bool:
    """Whether the verdict on these rows of one detector is that it is better than chance.

    >>> from adjudge.judging.result_columns import Finding
    >>> row = Finding("mine", "f1_ba", 0.61, None, "given", "f1_ba", p_value=0.01, p_adjusted=0.01,
    ...               p_joint=0.2, event_count=12)
    >>> is_better_than_chance([row])
    False
    """
    row = main_row(rows)
    return row is not None and row.decided and max(row.p_adjusted, row.p_joint) <= CLEAR


def is_undecided(rows: Sequence[Finding]) -> bool:
    """Whether the places that were tried leave it open if a detector is better than chance.

    >>> from adjudge.judging.result_columns import Finding
    >>> row = Finding("mine", "f1_ba", 0.61, None, "given", "f1_ba", p_value=0.06, p_adjusted=0.06,
    ...               p_joint=0.06, shifts=199, decided=False)
    >>> is_undecided([row])
    True
    """
    row = main_row(rows)
    return row is not None and (smallest_p(row) > CLEAR or not row.decided)


def is_silent(rows: Sequence[Finding]) -> bool:
    """Whether the detector of these rows never raises an alarm where its verdict is about one.

    >>> from adjudge.judging.result_columns import Finding
    >>> is_silent([Finding("mine", "f1", 0.0, 70, "given", "f1", p_value=1.0, flagged=0)])
    True
    """
    row = main_row(rows) or rows[0]
    return row.flagged == 0


def is_below_chance(row: Finding, detectors: int) -> bool:
    """Whether a detector is below chance, adjusted for how many were judged in the same call.

    >>> from adjudge.judging.result_columns import Finding
    >>> row = Finding("mine", "f1", 0.1, None, "given", p_worse=0.01)
    >>> is_below_chance(row, 1), is_below_chance(row, 20)
    (True, False)
    """
    return row.p_worse * detectors <= CLEAR


def is_smallest(row: Finding) -> bool:
    """Whether a p-value is the smallest that so many drawn shifts can show, the true one less.

    >>> from adjudge.judging.result_columns import Finding
    >>> is_smallest(Finding("", "f1", 1.0, None, "given", p_value=0.01, shifts=99))
    True
    """
    return not row.exact and row.p_value <= smallest_p(row) * (1 + 1e-9)


def smallest_p(row: Finding) -> float:
    """The smallest p-value that so many shifts can show."""
    return 1 / max(row.shifts + (not row.exact), 1)
