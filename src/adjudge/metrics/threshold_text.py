"""Thresholds as text: in so many digits that whoever types them flags the same points."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from typing import TYPE_CHECKING

import numpy as np

from adjudge._text import exact

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
    wanted = np.count_nonzero(case.flagged(at))
    for digits in range(_FEWEST, _MOST):
        up = Context(prec=digits, rounding=ROUND_CEILING).create_decimal(Decimal(at))
        for near in (float(f"{at:.{digits}g}"), float(up)):
            if np.count_nonzero(case.flagged(near)) == wanted:
                return exact(near)
    return exact(at)
