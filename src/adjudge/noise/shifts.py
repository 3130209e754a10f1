"""The null "the same alarms, shifted": what the detector scores when its alarms mean nothing.

Turning the scores of a series in a circle keeps all that a detector does (how often it alarms, how
its alarms cluster, how its scores are spread) and breaks only the tie to the labels. A value
that many shifts reach is luck.

Conventions
-----------
- The judged points of each series form one circle; each series turns by its own offset.
- Labels, series and points that are not judged stay where they are.
- Whatever chooses the threshold chooses again on each shift: an oracle, or a rule.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge.checks import whole, word
from adjudge.data.case import Case  # noqa: TC001 - for the examples
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats, Positions
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric

TIE = 1e-12
"""Values that lie no further apart are equal: rounding must not decide a test."""


def shifted(case: Case, by: int | Array) -> Case:
    """Turn the scores of a case in a circle, series by series; the labels stay.

    The point at place ``j`` of the ``m`` judged points of its series takes the score from place
    ``(j - by) mod m``. The case itself is left as it is, and nothing is checked again.

    Parameters
    ----------
    case : Case
        Labels and scores.
    by : int or array of int
        How far to turn: one number for all series, or one per series.

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
    lengths = _circles(events)
    offsets = _offsets(by, lengths)
    if events.judged is None:
        given = _turned(case.given, lengths, offsets)
    else:
        given = case.given.copy()
        given[events.judged] = _turned(case.given[events.judged], lengths, offsets)
    return case.reordered(given)


def shift_values(
    metric: Metric, case: Case, shifts: int = 199, seed: int | np.random.Generator = 0
) -> Floats:
    """Give the metric's value on random shifts of a case: what luck makes of these alarms.

    Every offset of a series is as likely as any other, no shift at all among them, and each
    series draws its own. The whole selection is done anew on each shift: ``best(...)``
    looks for its threshold again, and so do rules.

    Parameters
    ----------
    metric : Metric
        What to measure; areas too.
    case : Case
        Labels and scores.
    shifts : int
        How many shifts. More shifts give finer p-values: the smallest is ``1 / (1 + shifts)``.
    seed : int or Generator
        The same seed gives the same shifts; fewer shifts are the first of more.

    Examples
    --------
    >>> import adjudge as aj
    >>> case = aj.Case([0] * 40 + [1] * 10, [0] * 42 + [1] * 8)
    >>> null = shift_values(aj.f1_ba, case, shifts=99)
    >>> null.shape, p_value(aj.f1_ba.reading(case).value, null)
    ((99,), 0.08)
    """
    rng = generator(seed)
    circles = np.maximum(_circles(case.events), 1)
    turns = (rng.integers(circles) for _ in range(whole(shifts, "shifts", 1)))
    return np.array([metric.reading(shifted(case, by)).value for by in turns])


def p_value(value: float, null: Array, better: Literal["higher", "lower"] = "higher") -> float:
    r"""Say how often luck does as well: small means that luck hardly ever does.

    .. math:: p = \frac{1 + \#\{k : v_k \ge v\}}{1 + K}

    The value counts as one of its own null, so ``p`` is never 0 and at most a share ``p`` of
    label-blind detectors gets one this small.

    Parameters
    ----------
    value : float
        What the detector scores. NaN gives NaN.
    null : array
        What it scores on ``K`` shifts; an undefined one does not reach any value.
    better : "higher" or "lower"
        Which side of the null is the good one.

    Examples
    --------
    >>> p_value(0.9, [0.1, 0.5, 0.9, 0.2])
    0.4
    >>> p_value(0.9, [0.1, 0.5, 0.9, 0.2], better="lower")
    1.0
    """
    sign = -1 if word(better, "better", ("higher", "lower")) == "lower" else 1
    if math.isnan(value):
        return math.nan
    reached = np.asarray(null, np.float64) * sign >= value * sign - TIE
    return (1 + int(np.count_nonzero(reached))) / (1 + reached.size)


def generator(seed: Any) -> np.random.Generator:
    """Read a seed, or take a generator as it is; NumPy's global state plays no part.

    >>> generator(7).integers(10, size=3)
    array([9, 6, 6])
    """
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(whole(seed, "seed", 0))


def _circles(events: Events) -> Positions:
    """Count the judged points of each series."""
    if events.judged is None:
        return np.diff(events.series_bounds)
    return np.add.reduceat(events.judged, events.series_bounds[:-1], dtype=np.int64)


def _offsets(by: int | Array, lengths: Positions) -> Positions:
    """Read how far each series turns, as a number of points within its circle."""
    array = np.asarray(by)
    if array.dtype.kind not in "iu" or array.shape not in ((), lengths.shape):
        raise InputError(
            f"by must be a whole number, or one per series ({lengths.size}), got {by!r}"
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
