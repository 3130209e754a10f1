"""Unlabelled stretches that are as unusual as labelled events: where a label may be missing.

Whatever says how unusual a point is, a series is cut into blocks as long as its median event, and
the highest level of each unlabelled block is compared with those of the events. Blocks near an
event are left out, since what is unusual often begins before its label.

Two rules, one strict and one not:

- `missing`: the level of a block is also an outlier among the other blocks. These have a Gumbel law
  through their quartiles, which a few unlabelled anomalies among them do not move, as they would
  move the fit of a tail.
- `as_unusual`: the block reaches the median event of its series, and that median stands out from
  the blocks. Clean benchmarks have such blocks too, so this is a list to look at and no verdict.

Discords, windows unlike every other of their series [1]_, are one such level. Only where patterns
repeat: windows of noise never match each other, and each of them is unlike all others. That is told
by the windows themselves, whose median distance to the nearest other one must be a quarter of what
it is between windows that have nothing in common.

References
----------
.. [1] C.-C. M. Yeh et al. (2016). Matrix profile I: all pairs similarity joins for time series.
   ICDM.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.lab.inspection.result import Finding, Suspect, counted, found
from adjudge.ranking.baselines import period_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.lab.inspection.result import Found, Level
    from adjudge.lab.inspection.series import InspectedSeries

FEWEST_BLOCKS = 10
"""Blocks of a series below which nothing is said of it."""
SHORTEST_BLOCK = 5
STANDS_OUT = 1.645
"""Events of the whole benchmark must stand out by so many standard errors."""
NARROWEST, WIDEST = 20, 200
"""Of the window, which is one period of the series."""
LONGEST_PERIOD = 1000
REPEATS = 0.25
CLEAR = 0.002
"""Calibrated on simulated benchmarks, not derived: the nominal 0.05 flags a fifth of clean ones."""
SLACK = 2.0
MOST_POINTS = 50_000
"""Longer series are not looked at: the work grows with the square of the length."""
_QUARTILES = (0.25, 0.5, 0.75)
_BETWEEN = 1.5725
"""What lies between the quartiles of the standard Gumbel law."""
_TOP = 0.9


@dataclass(frozen=True, eq=False)
class Blocks:
    """The levels of a series: of its events, and of blocks without a label."""

    series: InspectedSeries
    length: int
    events: Floats
    levels: Floats
    """The highest level of each unlabelled block."""
    places: Positions
    """Where that is."""


@dataclass(frozen=True)
class Stretch:
    """An unlabelled block that is listed."""

    series: InspectedSeries
    place: int
    length: int
    level: float
    event: float
    """The level of the median event."""
    p_value: float

    @property
    def start(self) -> int:
        """Its first point: the block lies around its highest level."""
        return max(self.series.first, self.place - self.length // 2)

    @property
    def stop(self) -> int:
        """The point after its last."""
        return min(self.series.n, self.place + self.length - self.length // 2)


def blocks_of(
    benchmark: Sequence[InspectedSeries], levels: Mapping[str, Floats | None], slack: float
) -> list[Blocks]:
    """Cut each series that has levels into blocks; ``slack`` is in lengths of a block."""
    lengths = [one.lengths for one in benchmark]
    usual = np.concatenate([np.zeros(0, np.int64), *lengths])
    if not usual.size:
        return []
    middle = float(np.median(usual))
    listed = []
    for one, own in zip(benchmark, lengths, strict=True):
        level = levels.get(one.name)
        if level is not None:
            length = max(int(np.median(own)) if len(own) else int(middle), SHORTEST_BLOCK)
            blocks = _blocks(one, level, length, int(slack * length))
            if len(blocks.levels) >= FEWEST_BLOCKS:
                listed.append(blocks)
    return listed


def _blocks(series: InspectedSeries, level: Floats, length: int, slack: int) -> Blocks:
    from scipy.ndimage import maximum_filter1d  # noqa: PLC0415 - slow to import

    near = maximum_filter1d(series.labels.view(np.int8), 2 * slack + 1, mode="constant") > 0
    free = np.where(near, -np.inf, level)
    places, tops = [], []
    for start in range(series.first, series.n - length + 1, length):
        own = slice(start, start + length)
        if np.count_nonzero(~near[own]) >= max(length // 2, 1):
            places.append(start + int(np.argmax(free[own])))
            tops.append(level[places[-1]])
    starts, stops = series.events
    events = [
        level[max(0, start - slack) : stop + slack].max()
        for start, stop in zip(starts, stops, strict=True)
    ]
    return Blocks(series, length, np.array(events), np.array(tops), np.array(places, np.int64))


def stand_out(blocks: Sequence[Blocks]) -> float:
    """By how many standard errors the events stand out from the blocks, by their mean rank."""
    places = [
        (np.sum(one.levels < event) + 0.5 * np.sum(one.levels == event) + 0.5)
        / (len(one.levels) + 1)
        for one in blocks
        for event in one.events
    ]
    if not places:
        return math.nan
    return float(np.sum(np.array(places) - 0.5) / math.sqrt(len(places) / 12))


def gumbel_tail(levels: Floats) -> Floats:
    """How often a block reaches each level, by the Gumbel law through the quartiles of them all.

    Up to a quarter of the blocks may be anomalies without moving the law.

    >>> gumbel_tail(np.array([1.0, 2, 3, 4, 5, 9])).round(3)
    array([0.965, 0.831, 0.613, 0.397, 0.236, 0.022])
    """
    low, middle, high = np.quantile(levels, _QUARTILES)
    scale = max((high - low) / _BETWEEN, 1e-12)
    place = middle + scale * math.log(math.log(2))
    reduced = np.clip((levels - place) / scale, -50, 700)
    return np.asarray(-np.expm1(-np.exp(-reduced)), np.float64)


def missing(blocks: Sequence[Blocks], clear: float) -> list[Stretch]:
    """Blocks that reach the median event, and are outliers among all blocks of the benchmark."""
    total = sum(len(one.levels) for one in blocks)
    pool = np.concatenate([np.zeros(0), *(one.events for one in blocks)])
    if not pool.size or not stand_out(blocks) >= STANDS_OUT:
        return []
    listed = []
    for one in blocks:
        p_values = gumbel_tail(one.levels) * total
        event = float(np.median(one.events if len(one.events) else pool))
        kept = np.flatnonzero((p_values <= clear) & (one.levels >= event))
        listed += [_stretch(one, k, event, float(p_values[k])) for k in _apart(one, kept)]
    return listed


def as_unusual(blocks: Sequence[Blocks]) -> list[Stretch]:
    """Blocks that reach the median event of their series, where that stands out from them."""
    listed = []
    for one in blocks:
        if len(one.events):
            event = float(np.median(one.events))
            if event > np.quantile(one.levels, _TOP):
                kept = np.flatnonzero(one.levels >= event)
                listed += [_stretch(one, k, event, math.nan) for k in _apart(one, kept)]
    return listed


def _apart(blocks: Blocks, kept: Positions) -> list[int]:
    """Of blocks whose highest points are at most a length apart, the highest."""
    listed: list[int] = []
    for k in kept.tolist():
        if not listed or blocks.places[k] - blocks.places[listed[-1]] > blocks.length:
            listed.append(k)
        elif blocks.levels[k] > blocks.levels[listed[-1]]:
            listed[-1] = k
    return listed


def _stretch(blocks: Blocks, k: int, event: float, p_value: float) -> Stretch:
    place, level = int(blocks.places[k]), float(blocks.levels[k])
    return Stretch(blocks.series, place, blocks.length, level, event, p_value)


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
    window = max(NARROWEST, min(WIDEST, period))
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
        says = f"Patterns repeat in {repeating:,} of {len(benchmark):,} series, none with events."
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
