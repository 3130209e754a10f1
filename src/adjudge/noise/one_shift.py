"""One shift of a case: its scores turned in a circle, and what a metric makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge._text import shown
from adjudge.errors import InputError
from adjudge.noise.circles import circle_lengths

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Floats, Positions
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric


def shifted(case: Case, by: int | Array, bounds: Positions | None = None) -> Case:
    """Turn the scores of a case in a circle, series by series; the labels stay.

    The point at place ``j`` of the ``m`` judged points of its series takes the score from place
    ``(j - by) mod m``. The case itself is left as it is, and nothing is checked again.

    Parameters
    ----------
    case : Case
        Labels and scores.
    by : int or array of int
        How far to turn: one number for all series, or one per series.
    bounds : array of int, optional
        Other parts that turn by themselves: where they begin, and where the last one ends.

    Returns
    -------
    Case
        The same labels, with the scores turned.

    Raises
    ------
    InputError
        When ``by`` is neither a whole number nor one per series.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> shifted(Case([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4]), 1).scores
    array([0.4, 0.1, 0.2, 0.3])
    >>> two = Case([0, 1, 0, 1, 0], [1, 2, 3, 4, 5], series=list("aabbb"))
    >>> shifted(two, [1, 2]).scores
    array([2., 1., 4., 5., 3.])
    """
    events = case.events
    lengths = circle_lengths(events, bounds)
    offsets = _offsets(by, lengths)
    if events.judged is None:
        given = _turned(case.given, lengths, offsets)
    else:
        given = case.given.copy()
        given[events.judged] = _turned(case.given[events.judged], lengths, offsets)
    return case.reordered(given)


class OneByOne:
    """Any metric on any case: each shift is a reading of its own. The slow twin of the others."""

    def __init__(
        self,
        metric: Metric,
        case: Case,
        tell: Callable[[float], None] | None = None,
        bounds: Positions | None = None,
    ) -> None:
        self._metric, self._case, self._tell, self._bounds = metric, case, tell, bounds

    @property
    def work(self) -> int:
        """About how many points one shift goes through."""
        metric, points = self._metric, self._case.events.n
        tried = 1 if metric.sweeps or not metric.oracle else metric.thresholds or points
        return points * min(tried, points)

    def values(self, by: Positions) -> Floats:
        """Judge every shift anew."""
        values = np.empty(len(by))
        for place, offsets in enumerate(by):
            values[place] = self._metric.reading(shifted(self._case, offsets, self._bounds)).value
            if self._tell is not None:
                self._tell((place + 1) / len(by))
        return values


def _offsets(by: int | Array, lengths: Positions) -> Positions:
    """Read how far each series turns, as a number of points within its circle."""
    array = np.asarray(by)
    if array.dtype.kind not in "iu" or array.shape not in ((), lengths.shape):
        raise InputError(
            f"by must be a whole number, or one per series ({lengths.size}), got {shown(by)}"
        )
    return array.astype(np.int64) % np.maximum(lengths, 1)


def _turned(values: Array, lengths: Positions, offsets: Positions) -> Array:
    """Turn each circle of values: its last ``offset`` values come first, then the others."""
    if lengths.size == 1:
        return np.roll(values, offsets[0])  # two copies, and no index
    goes = np.tile([False, True], lengths.size)
    ends = np.repeat(goes, np.stack([lengths - offsets, offsets], axis=1).ravel())
    fronts = np.repeat(~goes, np.stack([offsets, lengths - offsets], axis=1).ravel())
    turned = np.empty_like(values)
    turned[fronts] = values[ends]  # in order: each circle's end lands on its own front
    turned[~fronts] = values[~ends]
    return turned
