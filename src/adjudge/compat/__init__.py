"""The functions that people paste, by their own names: the same numbers, defects included.

Replace the pasted loop by an import, get the numbers of the papers that used it, then read what
each does to a score and which metric to ask for instead. Written from behaviour; nothing is copied.

All but `get_metrics` adjust by points (`f1_pa`): one hit inside an event counts as the whole event,
so that random alarms score close to 1 on long events; ask for `f1_ba`. Two defects are kept,
because published numbers have them: an event that starts at the very first point keeps that point
as it was, and the best of a grid of thresholds is not the best of all.
"""

from __future__ import annotations

from adjudge.compat.pasted_loops import (
    adjbestf1,
    adjust_predicts,
    adjustment,
    bf_search,
    calc_point2point,
    calc_seq,
    pot_result,
)
from adjudge.compat.tsb_ad import get_metrics

__all__ = [
    "adjbestf1",
    "adjust_predicts",
    "adjustment",
    "bf_search",
    "calc_point2point",
    "calc_seq",
    "get_metrics",
    "pot_result",
]
