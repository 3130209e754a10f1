"""Unlabelled stretches that are as unusual as labelled events: where a label may be missing.

Whatever says how unusual a point is, a series is cut into blocks as long as its median event, and
the highest level of each unlabelled block is compared with those of the events. Blocks near an
event are left out, since what is unusual often begins before its label.

Two rules, one strict and one not:

- `missing`: the level of a block is also an outlier among the other blocks, and stands out from
  them as the median event of the benchmark does. Blocks have a Gumbel law through their quartiles,
  which a few unlabelled anomalies among them do not move, as they would move the fit of a tail.
  Where the noise has outliers of its own, that law does not hold, and nothing is named.
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

from adjudge.lab.inspection.result import CheckResult, Level, Remark, Suspect, counted, found
from adjudge.ranking.baselines import period_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from adjudge._typing import Flags, Floats, Positions
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
CLEAR = 0.0004
"""Calibrated on simulated benchmarks, not derived: 0.05 flags a fifth of clean ones, 0.002 a tenth
of those in whose noise shocks with heavy tails die away slowly."""
SLACK = 2.0
CALM = 4.0
"""Noise has outliers of its own if the middle 95 % of its second differences are so many times as
wide as their middle half, or wider: 2.9 times for normal noise, 5 and more for heavy tails."""
MOST_POINTS = 50_000
"""Longer series are not looked at: the work grows with the square of the length."""
_QUARTILES = (0.25, 0.5, 0.75)
_BETWEEN = 1.5725
"""What lies between the quartiles of the standard Gumbel law."""
_TOP = 0.9


@dataclass(frozen=True, eq=False)
class BlockLevels:
    """The levels of a series: of its events, and of blocks without a label."""

    series: InspectedSeries
    length: int
    events: Floats
    levels: Floats
    """The highest level of each unlabelled block."""
    places: Positions
    """Where that is."""


@dataclass(frozen=True)
class ListedStretch:
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
    benchmark: Sequence[InspectedSeries],
    levels: Mapping[str, Floats | None],
    slack: float,
    reach: Callable[[InspectedSeries], int] = lambda _: 0,
) -> list[BlockLevels]:
    """Cut each series that has levels into blocks.

    Left out is what is nearer to an event than ``slack`` lengths of a block, or than an event
    reaches by the windows of the levels.
    """
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
            blocks = _blocks(one, level, length, max(int(slack * length), reach(one)))
            if len(blocks.levels) >= FEWEST_BLOCKS:
                listed.append(blocks)
    return listed


def _blocks(series: InspectedSeries, level: Floats, length: int, slack: int) -> BlockLevels:
    """Blocks and events where the level is known: it is NaN elsewhere."""
    from scipy.ndimage import maximum_filter1d  # noqa: PLC0415 - slow to import

    near = maximum_filter1d(series.labels.view(np.int8), 2 * slack + 1, mode="constant") > 0
    near |= np.isnan(level)
    level = np.where(np.isnan(level), -np.inf, level)
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
    known = np.array([event for event in events if event > -np.inf])
    return BlockLevels(series, length, known, np.array(tops), np.array(places, np.int64))


def stand_out(blocks: Sequence[BlockLevels]) -> float:
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


def missing(blocks: Sequence[BlockLevels], clear: float) -> list[ListedStretch]:
    """Blocks that reach the median event, and are outliers among all blocks of the benchmark."""
    total = sum(len(one.levels) for one in blocks)
    pool = np.concatenate([np.zeros(0), *(one.events for one in blocks)])
    if not pool.size or not stand_out(blocks) >= STANDS_OUT:
        return []
    usual = float(np.median(np.concatenate([_standard(one, one.events) for one in blocks])))
    listed = []
    for one in blocks:
        if is_calm(one.series):
            p_values = gumbel_tail(one.levels) * total
            event = float(np.median(one.events if len(one.events) else pool))
            high = (one.levels >= event) & (_standard(one, one.levels) >= usual)
            kept = np.flatnonzero((p_values <= clear) & high)
            listed += [_stretch(one, k, event, float(p_values[k])) for k in _apart(one, kept)]
    return listed


def _standard(blocks: BlockLevels, levels: Floats) -> Floats:
    """How far levels lie above the median block, in widths of the middle half of the blocks."""
    low, middle, high = np.quantile(blocks.levels, _QUARTILES)
    return np.asarray((levels - middle) / max(high - low, 1e-12), np.float64)


def is_calm(series: InspectedSeries) -> bool:
    """Whether the noise of a series has no outliers of its own, by its second differences.

    Those that touch a label or a missing reading do not count.

    >>> from adjudge.lab.inspection.series import InspectedSeries
    >>> rng, labels = np.random.default_rng(0), np.zeros(2000, bool)
    >>> for noise in (rng.normal(size=2000), rng.standard_t(2, 2000)):
    ...     print(is_calm(InspectedSeries("a", labels, {"value": noise}, {})))
    True
    False
    """
    if series.signal is None:
        return False
    strange = series.labels | series.missing
    normal = ~(strange[2:] | strange[1:-1] | strange[:-2])
    if not normal.any():
        return False
    ends = np.quantile(np.diff(series.signal, 2)[normal], (0.025, 0.25, 0.75, 0.975))
    return bool(ends[3] - ends[0] < CALM * (ends[2] - ends[1]))


def as_unusual(blocks: Sequence[BlockLevels]) -> list[ListedStretch]:
    """Blocks that reach the median event of their series, where that stands out from them."""
    listed = []
    for one in blocks:
        if len(one.events):
            event = float(np.median(one.events))
            if event > np.quantile(one.levels, _TOP):
                kept = np.flatnonzero(one.levels >= event)
                listed += [_stretch(one, k, event, math.nan) for k in _apart(one, kept)]
    return listed


def _apart(blocks: BlockLevels, kept: Positions) -> list[int]:
    """Of blocks whose highest points are at most a length apart, the highest."""
    listed: list[int] = []
    for k in kept.tolist():
        if not listed or blocks.places[k] - blocks.places[listed[-1]] > blocks.length:
            listed.append(k)
        elif blocks.levels[k] > blocks.levels[listed[-1]]:
            listed[-1] = k
    return listed


def _stretch(blocks: BlockLevels, k: int, event: float, p_value: float) -> ListedStretch:
    place, level = int(blocks.places[k]), float(blocks.levels[k])
    return ListedStretch(blocks.series, place, blocks.length, level, event, p_value)


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
    """How unlike every other window the one around each point is; None where nothing repeats.

    NaN where the window lacks readings: what stands in for them is unlike all others.
    """
    values = series.signal
    if values is None or series.n > MOST_POINTS:
        return None
    window = _window(values)
    if not window or series.n < 3 * window:
        return None
    profile = matrix_profile(values, window)
    if np.median(profile) > REPEATS * math.sqrt(2 * window):
        return None
    lacking = np.concatenate(([0], np.cumsum(series.missing)))
    level = np.zeros(series.n)
    level[window // 2 : window // 2 + len(profile)] = np.where(
        lacking[window:] > lacking[:-window], np.nan, profile
    )
    return level


def _window(values: Floats) -> int:
    """One period, within limits; 0 where there is none."""
    period = period_of(values)
    return max(NARROWEST, min(WIDEST, period)) if 0 < period <= LONGEST_PERIOD else 0


def _half_window(series: InspectedSeries) -> int:
    return 0 if series.signal is None else _window(series.signal) // 2


def check_discords(
    benchmark: Sequence[InspectedSeries], levels: Mapping[str, Floats | None]
) -> CheckResult:
    """Whether stretches without a label are as unlike all others as labelled ones are."""
    repeating = sum(one is not None for one in levels.values())
    blocks = blocks_of(benchmark, levels, SLACK, _half_window)
    events = sum(len(one.events) for one in blocks)
    if not events:
        too_long = sum(one.n > MOST_POINTS for one in benchmark)
        says = f"Patterns repeat in {repeating:,} of {len(benchmark) - too_long:,} series"
        says += ", none of them with events and enough other stretches" if repeating else ""
        left = counted(too_long, "longer one is", "longer ones are")
        says += f"; {left} left out (more than {MOST_POINTS:,} points)." if too_long else "."
        return found(Remark("missing labels", "cannot say", says))
    sure, listed = missing(blocks, CLEAR), as_unusual(blocks)
    kept = {(one.series.name, one.place) for one in sure}
    suspects = [
        Suspect(
            one.series.name, one.start, one.stop, one.series.time(one.start), "missing",
            f"distance to the most similar stretch {one.level:.3g}; of the median event "
            f"{one.event:.3g}",
            "flaw" if (one.series.name, one.place) in kept else "look",
        )
        for one in [*sure, *(o for o in listed if (o.series.name, o.place) not in kept)]
    ]  # fmt: skip
    where = f"Compared: the {repeating:,} of {len(benchmark):,} series whose patterns repeat"
    loud = sum(not is_calm(one.series) for one in blocks)
    where += f"; {loud:,} of these have noise with outliers, so nothing there is a flaw" * bool(
        loud
    )
    level: Level = "flaw" if sure else "look" if listed else "fine"
    if sure:
        says = f"{_stretches(len(sure))} as unusual as labelled ones, and far more than the rest"
    elif listed:
        says = f"{_stretches(len(listed))} as unusual as labelled ones"
    else:
        says = "No stretch without a label is as unusual as labelled ones"
    return found(
        Remark(
            "missing labels", level, f"{says}. {where}.", None, float(len(sure)),
            p_value=math.nan, limit=CLEAR,
        ),
        suspects=suspects,
    )  # fmt: skip


def _stretches(count: int) -> str:
    return counted(count, "stretch without a label is", "stretches without a label are")
