"""Adjustments: score transforms that commute with thresholding.

An adjustment is any callable ``(scores, events) -> scores`` such that flagging the adjusted scores
above a threshold gives the same points as adjusting the flags at that threshold. Read *or* as
maximum and every protocol of the field becomes one. So one sweep over the adjusted scores is
exact at every threshold, and one threshold is the same code on bools:

>>> events = Events.from_labels([0, 0, 0, 1, 1, 0])
>>> scores = np.array([0.1, 0.9, 0.2, 0.3, 0.8, 0.4])
>>> point_adjusted(scores, events)
array([0.1, 0.9, 0.2, 0.8, 0.8, 0.4])
>>> point_adjusted(scores > 0.5, events)
array([False,  True, False,  True,  True, False])

Conventions
-----------
- Scores are floats, or bools for flags; a point that is not judged holds the lowest value
  (``-inf``, False) before and after.
- Nothing reaches across the border between two series.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, get_args

import numpy as np

from adjudge.events import Events  # noqa: TC001 - for the examples
from adjudge.settings import boolean, share, whole, word
from adjudge.widths import default_width

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions

Reading = Literal["normal", "spill", "all"]


class Adjustment(Protocol):
    """A score transform; a plain function will do."""

    def __call__(self, scores: Array, events: Events, /) -> Array:
        """Give the adjusted scores."""
        ...


class Islands(NamedTuple):
    """Which flags were widened, and how far: what a receipt needs to say who pays."""

    raised_by: Flags
    before: int
    after: int


def raw(scores: Array, events: Events) -> Array:  # noqa: ARG001 - the shape of an adjustment
    """Leave the scores alone."""
    return scores


def point_adjusted(scores: Array, events: Events) -> Array:
    """Give every point of an event the event's highest score: one hit earns it all.

    References
    ----------
    .. [1] H. Xu et al. (2018). Unsupervised Anomaly Detection via Variational Auto-Encoder for
       Seasonal KPIs in Web Applications. WWW. arXiv:1802.03903.
    """
    adjusted = scores.copy()
    adjusted[events.labels] = events.spread(events.max(scores))
    return adjusted


@dataclass(frozen=True)
class Covered:
    r"""Adjust an event only when a share ``k`` of it was hit (K%-PA).

    .. math:: s'_t = \max(s_t,\ m\text{-th largest score of } t\text{'s event}),
        \qquad m = \min\{j : j / |e| \ge k\}

    Parameters
    ----------
    k : float
        Share of the event that must be hit, in (0, 1]. Close to 0 is point adjustment; 1 asks for
        the whole event and so adjusts nothing.
    strict : bool
        Ask for more than ``k`` instead of at least ``k``.

    Notes
    -----
    The share is compared as a ratio: 3 hits of 30 are 0.1, while the product 0.1 * 30 is a little
    more than 3.

    References
    ----------
    .. [1] S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly Detection.
       AAAI. arXiv:2109.05257.

    Examples
    --------
    >>> events = Events.from_labels([1, 1, 1, 1, 0])
    >>> Covered(k=0.5)(np.array([0.1, 0.7, 0.2, 0.9, 0.3]), events)
    array([0.7, 0.7, 0.7, 0.9, 0.3])
    """

    k: float = 0.2
    strict: bool = False

    def __post_init__(self) -> None:
        """Check the settings."""
        object.__setattr__(self, "k", share(self.k, "k"))
        object.__setattr__(self, "strict", boolean(self.strict, "strict"))

    def __call__(self, scores: Array, events: Events) -> Array:
        """Adjust the events that are covered."""
        adjusted = scores.copy()
        reached = _mth_largest(scores, events, self.needed(events.widths))
        adjusted[events.labels] = np.maximum(scores[events.labels], events.spread(reached))
        return adjusted

    def needed(self, widths: Positions) -> Positions:
        """Count the hits that an event of each width needs (``width + 1``: out of reach)."""
        compare = np.greater if self.strict else np.greater_equal
        hits = np.floor(self.k * widths).astype(np.int64) - 1  # at most two below the answer
        for _ in range(3):
            hits += ~compare(hits / widths, self.k)
        needed: Positions = np.maximum(hits, 1)
        return needed


@dataclass(frozen=True)
class Balanced:
    r"""Credit a hit to its whole event, and charge a false alarm to its neighbourhood (BA).

    .. math::
        s'_t = \max_{u \in N(t)} s_u, \qquad
        N(t) = \begin{cases}
            \text{the event of } t & t \text{ anomalous},\\
            \{u \text{ normal} : t - \lfloor w/2 \rfloor \le u \le t + \lfloor (w-1)/2 \rfloor\}
              & t \text{ normal.}
        \end{cases}

    A false positive ``u`` so marks an island of ``w`` points, ``u - (w-1)//2 ... u + w//2``,
    clipped to the series.

    Parameters
    ----------
    width : int, optional
        Points of an island. 1 is point adjustment; the larger, the dearer a false alarm. Default:
        `adjudge.widths.default_width` of the labels.
    islands : "normal", "spill" or "all"
        What an island may mark. ``"normal"``: normal points only, so that recall is that of point
        adjustment. ``"spill"``: any point, as the paper prints it: an alarm beside a missed event
        earns part of it. ``"all"``: any point, and true flags raise islands too, as in the
        authors' code (whose half-width h is ``width = 2h + 1``).
    margin : int
        A false positive at most this far from an event counts as itself and raises no
        island. 0 is the paper; 1 forgives alarms that are one point too wide.

    References
    ----------
    .. [1] D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series Anomaly
       Detector. arXiv:2409.13053.

    Examples
    --------
    >>> events = Events.from_labels([0, 0, 0, 1, 1, 0])
    >>> Balanced(width=3)(np.array([0.1, 0.9, 0.2, 0.3, 0.8, 0.4]), events)
    array([0.9, 0.9, 0.9, 0.8, 0.8, 0.4])
    """

    width: int | None = None
    islands: Reading = "normal"
    margin: int = 0

    def __post_init__(self) -> None:
        """Check the settings."""
        if self.width is not None:
            object.__setattr__(self, "width", whole(self.width, "width", 1))
        word(self.islands, "islands", get_args(Reading))
        object.__setattr__(self, "margin", whole(self.margin, "margin", 0))

    def __call__(self, scores: Array, events: Events) -> Array:
        """Adjust events to their maximum and normal points to that of their window."""
        before, after = self._reach(events)
        sources = np.where(self._may_raise(events), scores, lowest(scores))
        island = moving_max(sources, after, before, events.series_bounds)
        del sources
        if self.islands == "normal":
            island[~events.normal] = lowest(scores)
        elif events.judged is not None:
            island[~events.judged] = lowest(scores)
        if self.margin:  # the near ones still count as themselves
            np.maximum(island, scores, out=island)
        hits = events.spread(events.max(scores))
        island[events.labels] = np.maximum(island[events.labels], hits)
        return island

    def resolved(self, events: Events) -> Balanced:
        """Write the default width out."""
        return self if self.width else replace(self, width=default_width(events))

    def explain_islands(self, flags: Flags, events: Events) -> Islands:
        """Tell which flags raise islands, and how far these reach."""
        return Islands(flags & self._may_raise(events), *self._reach(events))

    def _reach(self, events: Events) -> tuple[int, int]:
        width = self.width or default_width(events)
        return (width - 1) // 2, width // 2

    def _may_raise(self, events: Events) -> Flags:
        if not self.margin:
            return np.ones(events.n, bool) if self.islands == "all" else events.normal
        near = moving_max(events.labels, self.margin, self.margin, events.series_bounds)
        far = events.normal & ~near
        return far | events.labels if self.islands == "all" else far


@dataclass(frozen=True)
class Dilated:
    """Widen every flag to ``width`` points, true or false, and adjust nothing else.

    The symmetric score of the balanced adjustment's authors. Width 1 is the pointwise score.

    Examples
    --------
    >>> Dilated(width=3)(np.array([0.1, 0.9, 0.2, 0.3]), Events.from_labels([0, 0, 1, 1]))
    array([0.9, 0.9, 0.9, 0.3])
    """

    width: int = 5

    def __post_init__(self) -> None:
        """Check the width."""
        object.__setattr__(self, "width", whole(self.width, "width", 1))

    def __call__(self, scores: Array, events: Events) -> Array:
        """Give each point the highest score of its window."""
        dilated = moving_max(scores, self.width // 2, (self.width - 1) // 2, events.series_bounds)
        if events.judged is not None:
            dilated[~events.judged] = lowest(scores)
        return dilated

    def explain_islands(self, flags: Flags, events: Events) -> Islands:  # noqa: ARG002
        """Tell which flags raise islands, and how far these reach."""
        return Islands(flags, (self.width - 1) // 2, self.width // 2)


def moving_max(values: Array, before: int, after: int, bounds: Positions) -> Array:
    """Give each point the maximum over ``before`` points to its left and ``after`` to its right.

    Windows are clipped to the series. The cost does not depend on the width but for its logarithm.

    >>> moving_max(np.array([3, 1, 2, 9]), 1, 1, np.array([0, 3, 4]))
    array([3, 3, 2, 9])
    """
    lengths = np.diff(bounds)
    magnitude = np.frexp(lengths)[1]  # series of like length share a layout: little is wasted
    sizes = np.unique(magnitude)
    if len(sizes) == 1:
        return _moving_max(values, before, after, lengths)
    result = np.empty_like(values)
    for alike in (magnitude == size for size in sizes):
        points = np.flatnonzero(np.repeat(alike, lengths))
        result[points] = _moving_max(values[points], before, after, lengths[alike])
    return result


def _moving_max(values: Array, before: int, after: int, lengths: Positions) -> Array:
    """Lay the series out with quiet stretches between them, so that no window meets two."""
    before, after = (min(reach, int(lengths.max()) - 1) for reach in (before, after))
    quiet = max(before, after)
    padded = np.full(before + values.size + quiet * (len(lengths) - 1), lowest(values))
    if len(lengths) == 1:
        padded[before:] = values
        return _max_ahead(padded, before + after)[: values.size]
    place = np.arange(values.size) + np.repeat(np.arange(len(lengths)) * quiet, lengths)
    padded[place + before] = values
    return _max_ahead(padded, before + after)[place]


def _max_ahead(values: Array, reach: int) -> Array:
    """Turn each value into the maximum of itself and ``reach`` values after it, in place.

    Two overlapping windows make a longer one, so each pass can double the length.
    """
    covered = 1
    while covered <= reach:
        step = min(covered, reach + 1 - covered)
        np.maximum(values[:-step], values[step:], out=values[:-step])
        covered += step
    return values


def _mth_largest(scores: Array, events: Events, m: Positions) -> Array:
    """Give the m-th largest score of each event, or the lowest value where m is out of reach.

    Events of one width ask for one and the same m, so each width is one matrix.
    """
    if scores.dtype == bool:
        return events.sum(scores) >= m
    reached = np.where(m <= events.widths, events.max(scores), lowest(scores))
    order = np.argsort(events.widths, kind="stable")
    cuts = np.flatnonzero(np.diff(events.widths[order])) + 1
    for group in np.split(order, cuts) if len(events) else []:
        width, needed = int(events.widths[group[0]]), int(m[group[0]])
        if 1 < needed <= width:
            points = events.starts[group, np.newaxis] + np.arange(width)
            place = width - needed
            reached[group] = np.partition(scores[points], place, axis=1)[:, place]
    return reached


def lowest(scores: Array) -> Array:
    """Give the value that no maximum keeps: never flagged."""
    least = {"b": False, "f": -np.inf}.get(scores.dtype.kind)
    return np.array(np.iinfo(scores.dtype).min if least is None else least, scores.dtype)
