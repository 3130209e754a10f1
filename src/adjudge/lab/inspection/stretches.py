"""Unlabelled stretches that are as unusual as labelled events: where a label may be missing.

Whatever says how unusual a point is, a series is cut into blocks as long as its median event, and
the highest level of each unlabelled block is held against those of the events. Blocks near an event
are left out, since what is unusual often begins before its label.

Two rules, one strict and one not:

- `missing`: the level of a block is also an outlier among the other blocks. These have a Gumbel law
  through their quartiles, which a few unlabelled anomalies among them do not move, as they would
  move the fit of a tail.
- `as_unusual`: the block reaches the median event of its series, and that median stands out from
  the blocks. Clean benchmarks have such blocks too, so this is a list to look at and no verdict.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Floats, Positions
    from adjudge.lab.inspection.series import InspectedSeries

FEWEST = 10
"""Blocks of a series below which nothing is said of it."""
SHORTEST = 5
STANDS_OUT = 1.645
"""Events of the whole benchmark must stand out by so many standard errors."""
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
    found = []
    for one, own in zip(benchmark, lengths, strict=True):
        level = levels.get(one.name)
        if level is not None:
            length = max(int(np.median(own)) if len(own) else int(middle), SHORTEST)
            blocks = _blocks(one, level, length, int(slack * length))
            if len(blocks.levels) >= FEWEST:
                found.append(blocks)
    return found


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

    >>> gumbel_tail(np.array([1.0, 2, 3, 4, 5, 20])).round(5)
    array([0.96456, 0.83147, 0.61299, 0.39716, 0.23648, 0.00002])
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
    found = []
    for one in blocks:
        p_values = gumbel_tail(one.levels) * total
        event = float(np.median(one.events if len(one.events) else pool))
        kept = np.flatnonzero((p_values <= clear) & (one.levels >= event))
        found += [_stretch(one, k, event, float(p_values[k])) for k in _apart(one, kept)]
    return found


def as_unusual(blocks: Sequence[Blocks]) -> list[Stretch]:
    """Blocks that reach the median event of their series, where that stands out from them."""
    found = []
    for one in blocks:
        if len(one.events):
            event = float(np.median(one.events))
            if event > np.quantile(one.levels, _TOP):
                kept = np.flatnonzero(one.levels >= event)
                found += [_stretch(one, k, event, math.nan) for k in _apart(one, kept)]
    return found


def _apart(blocks: Blocks, kept: Positions) -> list[int]:
    """Of blocks whose highest points are at most a length apart, the highest."""
    found: list[int] = []
    for k in kept.tolist():
        if not found or blocks.places[k] - blocks.places[found[-1]] > blocks.length:
            found.append(k)
        elif blocks.levels[k] > blocks.levels[found[-1]]:
            found[-1] = k
    return found


def _stretch(blocks: Blocks, k: int, event: float, p_value: float) -> Stretch:
    place, level = int(blocks.places[k]), float(blocks.levels[k])
    return Stretch(blocks.series, place, blocks.length, level, event, p_value)
