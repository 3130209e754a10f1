"""Weights of positions: how much the first, the middle and the last point of a range count.

Nesting: every run that is flagged at some threshold, and what owners gain as thresholds fall.

As the threshold falls, runs appear at peaks, grow and merge: each run lies within one run of any
lower threshold. So there are at most as many different runs as points, and each exists between
two scores: below its own lowest score, and down to the higher one of its two neighbours. A sum over
the flagged runs is therefore a step function of the threshold, whatever a run is worth.

>>> starts, stops, above, until = nested_runs(np.array([1.0, 3.0, 2.0, 1.0]), np.array([0, 4]))
>>> list(zip(starts.tolist(), stops.tolist(), above.tolist(), until.tolist()))
[(0, 4, 1.0, -inf), (1, 2, 3.0, 2.0), (1, 3, 2.0, 1.0)]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from adjudge.count.tally import Mass, Masses, Tally
from adjudge.data.intervals import repeat

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions


_JUMPS = 12  # after which few searches are left in rough scores


class NestedRuns(NamedTuple):
    """Runs that are flagged at the thresholds ``until <= threshold < above``."""

    starts: Positions
    stops: Positions
    above: Floats
    until: Floats

    def chosen(self, which: Flags) -> NestedRuns:
        """Some of the runs."""
        starts, stops, above, until = self
        return NestedRuns(starts[which], stops[which], above[which], until[which])

    def mass(self, worth: Array) -> Mass:
        """Sum what the flagged runs are worth."""
        values, weights = self.steps(worth)
        return Mass(values, weights=weights)

    def steps(self, worth: Array) -> tuple[Floats, Array]:
        """Scores at which the sum of worth changes, and by how much: runs come in and go."""
        there = np.flatnonzero(worth)
        gone = there[self.until.take(there) > -np.inf]
        values = np.concatenate([self.above.take(there), self.until.take(gone)])
        return values, np.concatenate([worth.take(there), -worth.take(gone)])


def nested_runs(scores: Floats, bounds: Positions) -> NestedRuns:
    """Find every run that is flagged at some threshold, within the series.

    A run is named by the first of its lowest points. It reaches as far as no score is lower;
    the search for the lower ones takes a number of steps that grows with the logarithm of the
    distance, whatever the shape of the scores.
    """
    size, lows = len(scores), np.flatnonzero(scores > -np.inf)
    backwards = np.ascontiguousarray(scores[::-1])
    before = size - 1 - _first_after(backwards, size - 1 - lows, np.less_equal)
    first, last = (repeat(side, np.diff(bounds)).take(lows) for side in (bounds[:-1], bounds[1:]))
    equal = (before >= first) & (scores.take(before) == scores.take(lows))
    if equal.any():
        lows, before, first, last = (part[~equal] for part in (lows, before, first, last))
    starts = np.maximum(before + 1, first)
    stops = np.minimum(_first_after(scores, lows, np.less), last)
    padded = np.append(scores, -np.inf)
    left = np.where(starts > first, padded.take(starts - 1), -np.inf)
    right = np.where(stops < last, padded.take(stops), -np.inf)
    return NestedRuns(starts, stops, scores.take(lows), np.maximum(left, right))


def credit_steps(scores: Floats, owner: Positions, credit: Array) -> Mass:
    """Sum what owners hold, given the credit of each when its scores have come in one by one.

    Scores are grouped by owner, and fall within each group: see `falling`.
    """
    return Mass(scores, weights=credit_changes(owner, credit))


def credit_changes(owner: Positions, credit: Array) -> Array:
    """How much more each owner holds than at its score before; at its first, than nothing.

    >>> credit_changes(np.array([0, 0, 1]), np.array([1.0, 3.0, 2.0]))
    array([1., 2., 2.])
    """
    before = np.zeros_like(credit)
    before[1:] = np.where(owner[1:] == owner[:-1], credit[:-1], 0)
    return credit - before


def falling(scores: Floats, owner: Positions) -> Positions:
    """Order points by owner, and by falling score within each.

    >>> falling(np.array([1.0, 3.0, 2.0, 5.0]), np.array([0, 0, 0, 1]))
    array([1, 2, 0, 3])
    """
    return np.lexsort((-scores, owner))


def of_flags(tally: Tally) -> Masses:
    """The masses of flags, which entries have counted already.

    >>> of_flags(Tally(found=0.5, truth=2, right=1, flagged=3)).at(False)
    Tally(found=0.5, truth=2, right=1.0, flagged=3.0, normal=nan)
    """
    found, truth, right, flagged, normal = tally
    found, right, false = (
        Mass(np.array([True]), weights=np.array([mass], np.float64))
        for mass in (found, right, flagged - right)
    )
    return Masses(found, truth, right, false, (), normal)


def _first_after(values: Floats, points: Positions, below: np.ufunc) -> Positions:
    """Find, for each point, the first one after it whose value is below its own.

    Where there is none the answer is the number of values: a sentinel stands there. What lies
    before the answer of a point that is not below is not below either, so a search goes on from
    there. Few searches are long: those climb.
    """
    padded, wanted, left = np.append(values, -np.inf), values.take(points), points
    after, place = np.arange(1, padded.size), points + 1  # the answer, or a point before it
    for _ in range(_JUMPS):
        high = np.flatnonzero(~below(padded.take(place), wanted))
        left, wanted = left.take(high), wanted.take(high)
        place = after.take(place.take(high))
        after.put(left, place)
    after.put(left, _climbed(values, place, wanted, below))
    return after.take(points)


def _climbed(values: Floats, first: Positions, wanted: Floats, below: np.ufunc) -> Positions:
    """The same from some places on, of the values that are wanted.

    A search climbs a pyramid of minima to the first stretch that holds such a value, and comes
    down to where it lies: whatever the values, it takes few steps.
    """
    levels, node, index = _minima(values), first, np.arange(len(first))
    landings = []
    for level in levels[:-1]:
        hit = (node & 1).astype(bool)  # a right half: its parent would begin too early
        hit[hit] = below(level[node[hit]], wanted[index[hit]])
        landings.append((node[hit], index[hit]))
        node, index = (node[~hit] + 1) >> 1, index[~hit]
    for level, (nodes, indices) in zip(levels[-2::-1], landings[::-1], strict=True):
        node = node << 1
        node += ~below(level[node], wanted[index])
        node, index = np.concatenate([node, nodes]), np.concatenate([index, indices])
    found = np.empty_like(first)
    found[index] = node
    return found


def _minima(values: Floats) -> list[Floats]:
    """The minima of 1, 2, 4, ... values, with at least one sentinel at the end."""
    level = np.full(1 << len(values).bit_length(), -np.inf)
    level[: len(values)] = values
    levels = [level]
    while level.size > 1:
        level = np.minimum(level[::2], level[1::2])
        levels.append(level)
    return levels


Bias = Literal["flat", "front", "middle", "back"]


class CoveredShare:
    """Sums over the points of a mask, weighted by their position in an interval."""

    def __init__(self, mask: Flags, bias: Bias) -> None:
        self.bias = bias
        self.count = running(mask)
        self.place = running(np.where(mask, np.arange(len(mask)), 0)) if bias != "flat" else None

    def share(self, starts: Positions, stops: Positions) -> Floats:
        """The covered share of each interval.

        Weights rise up to the turn, 1, 2, ..., and fall behind it, ..., 2, 1.
        """
        count, place, lengths = self.count, self.place, stops - starts
        if place is None:
            return np.asarray((count[stops] - count[starts]) / lengths)
        turn = starts + _turn(self.bias, lengths)
        rising = place[turn] - place[starts] - (starts - 1) * (count[turn] - count[starts])
        sinking = stops * (count[stops] - count[turn]) - (place[stops] - place[turn])
        return np.asarray((rising + sinking) / whole_weight(self.bias, lengths))


def running(values: Array) -> Positions:
    """The sum of all values before each place.

    >>> running(np.array([True, False, True]))
    array([0, 1, 1, 2])
    """
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


def _turn(bias: Bias, lengths: Positions) -> Positions:
    """Say up to which position the weights rise."""
    return {"front": 0 * lengths, "middle": lengths // 2, "back": lengths}[bias]


def weight_at(bias: Bias, place: Positions, lengths: Positions) -> Positions:
    """The weight of a position, counted from 1."""
    if bias == "flat":
        return np.ones_like(place)
    return np.asarray(np.where(place <= _turn(bias, lengths), place, lengths - place + 1))


def whole_weight(bias: Bias, lengths: Positions) -> Positions:
    """Sum the weights of all positions."""
    if bias == "flat":
        return lengths
    turn = _turn(bias, lengths)
    rest = lengths - turn
    return np.asarray((turn * (turn + 1) + rest * (rest + 1)) // 2)
