"""Discords: windows unlike every other of their series, and whether one of them lacks a label.

Only where patterns repeat: windows of noise never match each other, and each of them is unlike all
others. That is told by the windows themselves, whose median distance to the nearest other one must
be a quarter of what it is between windows that have nothing in common.

References
----------
.. [1] C.-C. M. Yeh et al. (2016). Matrix profile I: all pairs similarity joins for time series.
   ICDM.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from adjudge.lab.inspection.result import Finding, Suspect, counted, found
from adjudge.lab.inspection.stretches import as_unusual, blocks_of, missing
from adjudge.ranking.baselines import period_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Flags, Floats
    from adjudge.lab.inspection.result import Found, Level
    from adjudge.lab.inspection.series import InspectedSeries

SHORTEST, LONGEST = 20, 200
"""Of the window, which is one period of the series."""
LONGEST_PERIOD = 1000
REPEATS = 0.25
CLEAR = 0.002
"""Calibrated on simulated benchmarks, not derived: the nominal 0.05 flags a fifth of clean ones."""
SLACK = 2.0
MOST_POINTS = 50_000
"""Longer series are not looked at: the work grows with the square of the length."""


def matrix_profile(values: Floats, window: int) -> Floats:
    """The distance of each window to the nearest one that does not overlap it, both z-normalised.

    ``sqrt(2 m (1 - r))`` for the correlation r of two windows of m points: 0 for the same shape,
    sqrt(2 m) where they have nothing in common. One diagonal of all pairs at a time, so that the
    memory is that of a few series. A window without any spread matches another such, and nothing
    else.
    """
    centred = values - values.mean()
    m, n = window, len(values) - window + 1
    means, inverse, flat = _moments(centred, m)
    nearest = np.full(max(n, 0), -1.0)
    for apart in range(m, n):
        sums = np.cumsum(centred[: len(centred) - apart] * centred[apart:])
        products = sums[m - 1 :].copy()
        products[1:] -= sums[: len(products) - 1]
        one, other = slice(0, n - apart), slice(apart, n)
        r = (products / m - means[one] * means[other]) * inverse[one] * inverse[other]
        np.copyto(r, 1.0, where=flat[one] & flat[other])
        np.maximum(nearest[one], r, out=nearest[one])
        np.maximum(nearest[other], r, out=nearest[other])
    return np.asarray(np.sqrt(2 * m * (1 - np.clip(nearest, -1, 1))), np.float64)


def _moments(centred: Floats, m: int) -> tuple[Floats, Floats, Flags]:
    """The mean of each window, the inverse of its spread, and whether it has none."""
    sums, squares = (np.concatenate(([0.0], np.cumsum(one))) for one in (centred, centred**2))
    means = (sums[m:] - sums[:-m]) / m
    spread = np.sqrt(np.maximum((squares[m:] - squares[:-m]) / m - means**2, 0))
    flat = spread < 1e-6 * (centred.std() + 1e-300)
    return means, np.where(flat, 0.0, 1 / np.where(flat, 1.0, spread)), flat


def discord_level(series: InspectedSeries) -> Floats | None:
    """How unlike every other window the one around each point is; None where nothing repeats."""
    values = series.signal
    if values is None or series.n > MOST_POINTS:
        return None
    period = period_of(values)
    window = max(SHORTEST, min(LONGEST, period))
    if not 0 < period <= LONGEST_PERIOD or series.n < 3 * window:
        return None
    profile = matrix_profile(values, window)
    if np.median(profile) > REPEATS * math.sqrt(2 * window):
        return None
    level = np.zeros(series.n)
    level[window // 2 : window // 2 + len(profile)] = profile
    return level


def check_discords(
    benchmark: Sequence[InspectedSeries], levels: Mapping[str, Floats | None]
) -> Found:
    """Whether stretches without a label are as unlike all others as labelled ones are."""
    repeating = sum(one is not None for one in levels.values())
    blocks = blocks_of(benchmark, levels, SLACK)
    events = sum(len(one.events) for one in blocks)
    if not events:
        says = (
            f"Patterns repeat in {repeating:,} of {len(benchmark):,} series, and none has events."
        )
        return found(Finding("missing labels", "cannot say", says))
    sure, listed = missing(blocks, CLEAR), as_unusual(blocks)
    kept = {(one.series.name, one.place) for one in sure}
    suspects = [
        Suspect(
            one.series.name, one.start, one.stop, one.series.time(one.start), "missing",
            f"unlike every other stretch: {one.level:.3g}, the median event {one.event:.3g}",
            "flaw" if (one.series.name, one.place) in kept else "look",
        )
        for one in [*sure, *(o for o in listed if (o.series.name, o.place) not in kept)]
    ]  # fmt: skip
    where = f"in the {repeating:,} of {len(benchmark):,} series whose patterns repeat"
    level: Level = "flaw" if sure else "look" if listed else "fine"
    if sure:
        says = f"{_stretches(len(sure))} as unusual as events, and outliers among the others"
    elif listed:
        says = f"{_stretches(len(listed))} as unusual as events"
    else:
        says = "No stretch without a label is as unusual as events are"
    return found(
        Finding(
            "missing labels", level, f"{says}, {where}.", None, float(len(sure)),
            p_value=math.nan, limit=CLEAR,
        ),
        suspects=suspects,
    )  # fmt: skip


def _stretches(count: int) -> str:
    return counted(count, "stretch without a label is", "stretches without a label are")
