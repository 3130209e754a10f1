"""Thresholds as text: in so many digits that whoever types them flags the same points.

A threshold beyond all scores flags nothing or everything, and is told with where the scores lie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.errors import exact

if TYPE_CHECKING:
    from adjudge.data.case import Case


_FEWEST, _MOST = 6, 17


def threshold_text(at: float | None, case: Case | None, chosen_by: str = "rule") -> str:
    """Write a threshold that a rule or an oracle found, in few digits that flag the same points.

    One that was given is written as it is, and what is no threshold is "".

    >>> from adjudge.data.case import Case
    >>> case = Case([0, 0, 1], [0.1234561, 0.1234567891, 0.9])
    >>> threshold_text(0.1234561, case), threshold_text(0.1234567891, case)
    ('0.1234561', '0.123457')
    """
    if at is None:
        return ""
    if case is None or chosen_by == "given" or not np.isfinite(at):
        return exact(at)
    from decimal import ROUND_CEILING, Context, Decimal  # noqa: PLC0415 - few need it

    wanted = np.count_nonzero(case.flagged(at))
    for digits in range(_FEWEST, _MOST):
        up = Context(prec=digits, rounding=ROUND_CEILING).create_decimal(Decimal(at))
        for near in (float(f"{at:.{digits}g}"), float(up)):
            if np.count_nonzero(case.flagged(near)) == wanted:
                return exact(near)
    return exact(at)


def flag_count(case: Case, at: float | None) -> int:
    """How many points are flagged above a threshold; None: by the detector itself."""
    return int(np.count_nonzero(case.flags if at is None else case.flagged(at)))


def extreme_text(at: float | None, flagged: int, low: float, high: float) -> str:
    """Say that a threshold flags nothing or everything, and where the scores are; "" otherwise.

    >>> extreme_text(70, 0, 0.1, 0.9), extreme_text(0.5, 3, 0.1, 0.9)
    ('no score is above 70; they go from 0.1 to 0.9', '')
    >>> extreme_text(0, 9, 0.1, 0.9), extreme_text(None, 9, 1, 1)
    ('every score is above 0; they go from 0.1 to 0.9', '')
    """
    if at is None:
        return ""
    ends = f"{exact(at)}; they go from {low:g} to {high:g}"
    if not flagged:
        return f"no score is above {ends}"
    return f"every score is above {ends}" if low > at else ""
