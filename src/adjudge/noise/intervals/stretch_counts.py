"""Pieces of time: how many points each event and each normal stretch has above some thresholds.

An event is one piece, a normal stretch between events another. What a draw or a swap of pieces
does to a curve is then a product of two small matrices, however long the series is.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats, Positions
    from adjudge.adjust.adjustments import Adjustment
    from adjudge.data.case import Case

LEVELS = 200
_SOME = 10_000  # points from which the levels are chosen
_MOST = 2000  # events or stretches beyond this number are taken together
_ONE_THREAD = 500_000  # multiplications up to which more threads cost more than they save
_FEW_ROWS = 16


class StretchCounts(NamedTuple):
    """How many points each piece has at or above each threshold, from the highest down."""

    events: Floats
    stretches: Floats


class CasePieces:
    """The pieces of a case under any adjustment: each is counted once.

    Parameters
    ----------
    case : Case
        Labels and scores: at least one event and one normal point.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.case import Case
    >>> pieces = CasePieces(Case([0, 0, 1, 1, 0], [0.1, 0.5, 0.5, 0.9, 0.5])).of(raw)
    >>> pieces.events  # above 0.9, 0.5 and 0.1
    array([[1., 2., 2.]])
    >>> pieces.stretches
    array([[0., 1., 2.],
           [0., 1., 1.]])
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self._made: dict[Adjustment, StretchCounts] = {}

    def of(self, adjust: Adjustment) -> StretchCounts:
        """Count the points of each piece above each level of the adjusted scores."""
        if adjust not in self._made:
            inside, normal = self.adjusted(adjust, self.case.scores)
            levels = chosen_levels(inside, normal)
            self._made[adjust] = self.above(inside, normal, levels)
        return self._made[adjust]

    def adjusted(self, adjust: Adjustment, scores: Array) -> tuple[Array, Array]:
        """Adjust scores, by the layer that weighs most, and part anomalous from normal points."""
        events = self.case.events
        weights, layers = zip(*adjust.layers(events), strict=True)
        adjusted = layers[int(np.argmax(weights))](scores, events)
        return adjusted[events.labels], adjusted[events.normal]

    def above(self, inside: Array, normal: Array, levels: Array) -> StretchCounts:
        """Count the points of each piece above the levels."""
        return StretchCounts(
            _above(inside, self._event, levels), _above(normal, self._stretch, levels)
        )

    @cached_property
    def _event(self) -> Positions:
        events = self.case.events
        return np.repeat(_grouped(len(events)), events.widths)

    @cached_property
    def _stretch(self) -> Positions:
        """The number of the stretch that each normal point belongs to."""
        events = self.case.events
        edges = np.zeros(events.n + 1, bool)
        for side in (events.series_bounds, events.starts, events.stops):
            edges[side] = True
        between = np.cumsum(edges[:-1])[events.normal]
        number = np.append(0, np.cumsum(np.diff(between) > 0))
        return np.asarray(_grouped(int(number[-1]) + 1)[number])


def chosen_levels(inside: Array, normal: Array, count: int = LEVELS) -> Array:
    """Choose thresholds by rank: of the anomalous points, and of the normal ones."""
    shares = np.linspace(0, 1, count // 2)
    some = (side[:: max(1, side.size // _SOME)] for side in (inside, normal))
    parts = [np.quantile(side, shares, method="lower") for side in some]
    lowest = min(inside.min(), normal.min())  # at which everything is flagged
    return np.unique(np.append(np.concatenate(parts), lowest))


def weighed(weights: Floats, rows: Floats) -> Floats:
    """Multiply weights, one row per draw, with the rows of all pieces.

    >>> weighed(np.ones((2, 3)), np.ones((3, 1)))
    array([[3.],
           [3.]])
    """
    size = _ONE_THREAD // max(rows.size, 1)
    if size < _FEW_ROWS:
        return np.asarray(weights @ rows)
    parts = [weights[start : start + size] @ rows for start in range(0, len(weights), size)]
    return np.concatenate(parts)


def _grouped(count: int) -> Positions:
    return np.arange(count) * min(count, _MOST) // count


def _above(values: Array, piece: Positions, levels: Array) -> Floats:
    """Count, piece by piece, the values at or above each level, from the highest level down."""
    size = len(levels) + 1
    place = np.searchsorted(levels, values, side="right")
    counts = np.bincount(piece * size + place, minlength=(int(piece.max()) + 1) * size)
    table = counts.reshape(-1, size)[:, :0:-1]
    return np.cumsum(table, axis=1, dtype=np.float64)
