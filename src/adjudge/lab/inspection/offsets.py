"""Labels moved by k points: whether what is unusual lies beside the labels, by the same distance.

For every offset k the mean level within [start + k, stop + k) is taken, less that of two flanks of
min(length, 100) points, so that slow drifts do not pull. The best offset of the mean over events
has a 99 % interval by drawing events again. Events that have another within reach are left out.

What begins with a bang and dies away pulls labels that hold all of it to its beginning. So labels
are moved only if the points just outside of them, on that side, are unusual too, by levels of
single points: windows carry what is unusual beyond its end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.lab.inspection.agreement import tail_score
from adjudge.lab.inspection.result import CheckResult, Level, Remark, found
from adjudge.ranking.baselines import one_liners, period_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Floats, Positions
    from adjudge.lab.inspection.series import InspectedSeries

FEWEST = 8
"""Events below which nothing is said."""
NEAREST, FURTHEST = 10, 200
"""How far labels may have been moved: the median length of an event, within these."""
FLANK = 100
SURE = 1
"""Labels are moved if the whole interval lies beyond so many points."""
DRAWS = 400
_ENDS = (0.005, 0.995)
CLEARLY = 2.33
"""Standard errors by which what lies just outside of the labels must be unusual."""
SYMMETRIC = ("far from the median", "jump", "spread", "far from the moving median")
"""The one-line detectors that look as far forward as back."""


@dataclass(frozen=True)
class Offset:
    """By how much labels would have to move to fit best."""

    events: int
    best: int
    low: float
    high: float
    reach: int

    @property
    def is_moved(self) -> bool:
        """Whether the whole interval lies on one side, and within what was tried."""
        return self._is_inside and (self.low > SURE or self.high < -SURE)

    @property
    def is_known(self) -> bool:
        """Whether the interval takes at most a quarter of what was tried."""
        return self._is_inside and self.high - self.low <= self.reach / 2

    @property
    def _is_inside(self) -> bool:
        return -self.reach < self.low and self.high < self.reach and abs(self.best) < self.reach


def one_line_level(series: InspectedSeries) -> Floats | None:
    """How unusual each point is to the one-line detectors that look both ways alike."""
    if series.signal is None or not np.ptp(series.signal):
        return None
    lines = one_liners(series.signal, period=0)
    levels = [tail_score(lines[name].scores, series.first) for name in SYMMETRIC]
    return np.asarray(np.mean(levels, axis=0), np.float64)


def offset(
    benchmark: Sequence[InspectedSeries], levels: Mapping[str, Floats | None], seed: int = 0
) -> Offset | None:
    """Find the offset at which labels fit best; None with fewer than 8 events to tell."""
    lengths = np.concatenate([np.zeros(0, np.int64), *(one.lengths for one in benchmark)])
    if lengths.size < FEWEST:
        return None
    reach = int(min(FURTHEST, max(NEAREST, np.median(lengths))))
    moves = np.arange(-reach, reach + 1)
    profiles = [
        profile
        for one in benchmark
        if (level := levels.get(one.name)) is not None
        for profile in _profiles(one, level, moves)
    ]
    if len(profiles) < FEWEST:
        return None
    gains, k = np.array(profiles), len(profiles)
    best = int(moves[gains.mean(axis=0).argmax()])
    drawn = np.random.default_rng(seed).multinomial(k, np.full(k, 1 / k), size=DRAWS)
    low, high = np.quantile(moves[(drawn @ gains).argmax(axis=1)], _ENDS)
    return Offset(k, best, float(low), float(high), reach)


def _profiles(series: InspectedSeries, level: Floats, moves: Positions) -> list[Floats]:
    """The gain of each event at each offset, of those that have no other event within reach."""
    starts, stops = series.events
    sums = np.concatenate(([0.0], np.cumsum(tail_score(level, series.first))))
    reach, found = int(moves[-1]), []
    for place, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        length = stop - start
        flank = min(length, FLANK)
        before = stops[place - 1] if place else series.first
        after = starts[place + 1] if place + 1 < len(starts) else series.n
        if start - reach - flank < before or stop + reach + flank > after:
            continue
        a, b = start + moves, stop + moves
        sides = sums[a] - sums[a - flank] + sums[b + flank] - sums[b]
        found.append((sums[b] - sums[a]) / length - sides / (2 * flank))
    return found


def level_of_points(series: InspectedSeries) -> Floats | None:
    """How unusual each point is by itself: far from the median, a spike, unlike both periods."""
    x = series.signal
    if x is None:
        return None
    spike = np.minimum(np.abs(np.diff(x, prepend=x[0])), np.abs(np.diff(x, append=x[-1])))
    lines = [np.abs(x - np.median(x)), spike]
    period = period_of(x)
    if period:
        change, none = np.abs(x[period:] - x[:-period]), np.full(period, np.inf)
        lines.append(np.minimum(np.append(none, change), np.append(change, none)))
    return np.asarray(np.mean([tail_score(one, series.first) for one in lines], axis=0), np.float64)


def lies_outside(
    benchmark: Sequence[InspectedSeries], levels: Mapping[str, Floats | None], best: int
) -> bool:
    """Whether the points that labels would move to are unusual, compared with those behind them."""
    gains = np.array([
        gain
        for one in benchmark
        if (level := levels.get(one.name)) is not None
        for gain in _outside(one, level, best)
    ])  # fmt: skip
    if len(gains) < FEWEST:
        return False
    return bool(gains.mean() > CLEARLY * gains.std(ddof=1) / math.sqrt(len(gains)))


def _outside(series: InspectedSeries, level: Floats, best: int) -> list[float]:
    """For each event, the level of so many points beside it less that of twice as many behind."""
    starts, stops = series.events
    k, found = abs(best), []
    before, after = np.append(series.first, stops)[:-1], np.append(starts, series.n)[1:]
    for start, stop, low, high in zip(starts, stops, before, after, strict=True):
        if best < 0 and start - 3 * k >= low:
            near, far = level[start - k : start], level[start - 3 * k : start - k]
        elif best > 0 and stop + 3 * k <= high:
            near, far = level[stop : stop + k], level[stop + k : stop + 3 * k]
        else:
            continue
        found.append(float(near.mean() - far.mean()))
    return found


def check_offset(
    own: Offset | None, *, by_detectors: bool, windows: bool, outside: bool = True
) -> CheckResult:
    """Whether labels are moved, by one-line detectors or by the agreement of those that are given.

    Detectors that work as the points come in are late by nature, so that labels seem early to them.
    ``outside`` says whether what lies just outside of the labels is unusual.
    """
    who = "the agreement of detectors" if by_detectors else "one-line detectors"
    if own is None:
        says = f"Fewer than {FEWEST} events are far enough from others to tell."
        return found(Remark("moved labels", "cannot say", says))
    interval = (
        f"they fit best if moved by {own.low:.0f} to {own.high:.0f} points: 99 % interval, "
        f"{own.events:,} events, by {who}"
    )
    if not own.is_moved and not own.is_known:
        says = f"It cannot be told where labels should lie ({interval})."
        return found(Remark("moved labels", "cannot say", says, value=float(own.best)))
    if not own.is_moved:
        says = f"Labels lie where the signal is unusual ({interval})."
        return found(Remark("moved labels", "fine", says, value=float(own.best), limit=SURE))
    if not outside:
        part = "first" if own.best < 0 else "last"
        says = f"Labels hold what is unusual; most of it lies in their {part} part ({interval})."
        return found(Remark("moved labels", "fine", says, value=float(own.best), limit=SURE))
    side = "late" if own.best < 0 else "early"
    says = f"Labels are {abs(own.best):,} points too {side} ({interval})."
    level: Level = "flaw"
    if by_detectors and own.best > 0:
        level = "look"
        says += " No proof: detectors that read one point after the other are always late."
    elif windows:
        level = "look"
        says += (
            " The labels are windows of a fixed size, which need not begin where the event does."
        )
    return found(Remark("moved labels", level, says, value=float(own.best), limit=SURE))
