"""Weights of positions: how much the first, the middle and the last point of a range count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions

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
    weight: Positions = np.where(place <= _turn(bias, lengths), place, lengths - place + 1)
    return weight


def whole_weight(bias: Bias, lengths: Positions) -> Positions:
    """Sum the weights of all positions."""
    if bias == "flat":
        return lengths
    turn = _turn(bias, lengths)
    rest = lengths - turn
    whole: Positions = (turn * (turn + 1) + rest * (rest + 1)) // 2
    return whole
