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

from adjudge.errors import InputError
from adjudge.events import Events, reduce_over, runs
from adjudge.settings import boolean, share, whole, whole_or_word, word
from adjudge.widths import island_width, matched_widths
from adjudge.windows import lowest, moving_max, sliding_max, sliding_windows

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions

Reading = Literal["normal", "spill", "all"]
Border = Literal["clip", "shift"]


class Adjustment(Protocol):
    """A score transform; a plain function will do."""

    def __call__(self, scores: Array, events: Events, /) -> Array:
        """Give the adjusted scores."""
        ...


class Islands(NamedTuple):
    """Which flags were widened, and how far: what a receipt needs to say who pays.

    A flag marks ``before`` points to its left and ``after`` to its right. Where that differs, both
    are one number per point: how far to its right, and to its left, a flag may lie that marks it.
    """

    raised_by: Flags
    before: int | Positions
    after: int | Positions


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
    tolerance : int, optional
        Mark only the event's points within so many points of a hit, instead of all of them.

    Notes
    -----
    With a tolerance the second score is the lesser of the m-th largest and of the highest within
    reach. The share is compared as a ratio: 3 hits of 30 are 0.1, while the product 0.1 * 30 is a
    little more than 3.

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
    tolerance: int | None = None

    def __post_init__(self) -> None:
        """Check the settings."""
        object.__setattr__(self, "k", share(self.k, "k"))
        object.__setattr__(self, "strict", boolean(self.strict, "strict"))
        if self.tolerance is not None:
            object.__setattr__(self, "tolerance", whole(self.tolerance, "tolerance", 0))

    def __call__(self, scores: Array, events: Events) -> Array:
        """Adjust the events that are covered."""
        adjusted = scores.copy()
        reached = events.spread(_mth_largest(scores, events, self.needed(events.widths)))
        own = scores[events.labels]
        if self.tolerance is not None and own.size:
            edges = np.append(0, np.cumsum(events.widths))
            reached = np.minimum(reached, moving_max(own, self.tolerance, self.tolerance, edges))
        adjusted[events.labels] = np.maximum(own, reached)
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
class Delayed:
    """Adjust an event that was hit within its first ``k`` points, and erase the hits of the others.

    Every point of an event gets the highest score of the event's first ``k`` points.

    Parameters
    ----------
    k : int or None
        How many points there are to raise the alarm in. None: all, which is point adjustment.

    References
    ----------
    .. [1] H. Ren et al. (2019). Time-Series Anomaly Detection Service at Microsoft. KDD.
       arXiv:1906.03821.

    Examples
    --------
    >>> events = Events.from_labels([1, 1, 1, 0, 1, 1])
    >>> Delayed(k=2)(np.array([0.1, 0.7, 0.9, 0.3, 0.4, 0.2]), events)
    array([0.7, 0.7, 0.7, 0.3, 0.4, 0.4])
    """

    k: int | None = 7

    def __post_init__(self) -> None:
        """Check the count."""
        if self.k is not None:
            object.__setattr__(self, "k", whole(self.k, "k", 1))

    def __call__(self, scores: Array, events: Events) -> Array:
        """Let the first points of an event speak for all of it."""
        if self.k is None:
            return point_adjusted(scores, events)
        stops = np.minimum(events.stops, events.starts + min(self.k, events.n))
        adjusted = scores.copy()
        early = reduce_over(np.maximum, scores, events.starts, stops)
        adjusted[events.labels] = events.spread(early)
        return adjusted


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
    width : int, "iid" or "matched", optional
        Points of an island. 1 is point adjustment; the larger, the dearer a false alarm. Default:
        `adjudge.widths.default_width` of the labels. ``"iid"``: `adjudge.widths.safe_width`.
        ``"matched"``: false alarms cost the mean over the anomalous points of what they cost
        with islands as wide as that point's event, so that with ``border="shift"`` a detector that
        knows nothing has, on average, a recall equal to its false-positive rate. No single score
        per point can say that: see `layers`.
    islands : "normal", "spill" or "all"
        What an island may mark. ``"normal"``: normal points only, so that recall is that of point
        adjustment. ``"spill"``: any point, as the paper prints it: an alarm beside a missed event
        earns part of it. ``"all"``: any point, and true flags raise islands too, as in the
        authors' code (whose half-width h is ``width = 2h + 1``).
    margin : int
        A false positive at most this far from an event counts as itself and raises no
        island. 0 is the paper; 1 forgives alarms that are one point too wide.
    border : "clip" or "shift"
        What becomes of a window that meets an event or an end. ``"clip"``: it loses points.
        ``"shift"``: it slides to stay within its run of normal, judged points, so that each normal
        point sees ``min(width, run)`` of them; only with ``islands="normal"``.

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

    width: int | Literal["iid", "matched"] | None = None
    islands: Reading = "normal"
    margin: int = 0
    border: Border = "clip"

    def __post_init__(self) -> None:
        """Check the settings."""
        if self.width is not None:
            width = whole_or_word(self.width, "width", 1, ("iid", "matched"))
            object.__setattr__(self, "width", width)
        word(self.islands, "islands", get_args(Reading))
        object.__setattr__(self, "margin", whole(self.margin, "margin", 0))
        word(self.border, "border", get_args(Border))
        if self.normal_only and self.islands != "normal":
            why = "border='shift'" if self.border == "shift" else "width='matched'"
            raise InputError(f"islands must be 'normal' with {why}, got {self.islands!r}")

    def __call__(self, scores: Array, events: Events) -> Array:
        """Adjust events to their maximum and normal points to that of their window."""
        island = self._islands(np.where(self._may_raise(events), scores, lowest(scores)), events)
        if self.islands == "normal":
            island[~events.normal] = lowest(scores)
        elif events.judged is not None:
            island[~events.judged] = lowest(scores)
        if self.margin:  # the near ones still count as themselves
            np.maximum(island, scores, out=island)
        hits = events.spread(events.max(scores))
        island[events.labels] = np.maximum(island[events.labels], hits)
        return island

    @property
    def normal_only(self) -> bool:
        """Whether the other settings leave a single reading of the islands."""
        return self.width == "matched" or self.border == "shift"

    def resolved(self, events: Events) -> Balanced:
        """Write a width that depends on the labels out; matched widths have no shorter name."""
        settled = self.width == "matched" or isinstance(self.width, int)
        return self if settled else replace(self, width=island_width(self.width, events))

    def layers(self, events: Events) -> list[tuple[int, Balanced]]:
        """Give the adjustments of one width that this one mixes, with their weights.

        Only the share of a weight in their sum matters. One layer of weight 1, but for matched
        widths: there one for each distinct event width, weighing the anomalous points of such
        events, from the narrowest up. More than 16 distinct widths are grouped into at most 16,
        each the mean width (by anomalous points) of its group, rounded; no point is lost.

        >>> events = Events.from_labels([1, 0, 1, 0, 1, 1, 1, 0])
        >>> [(weight, layer.width) for weight, layer in Balanced("matched").layers(events)]
        [(2, 1), (3, 3)]
        """
        if self.width != "matched":
            return [(1, self)]
        return [(mass, replace(self, width=width)) for mass, width in matched_widths(events)]

    def explain_islands(self, flags: Flags, events: Events) -> Islands:
        """Tell which flags raise islands, and how far these reach."""
        raised_by, width = flags & self._may_raise(events), island_width(self.width, events)
        if self.border == "clip":
            return Islands(raised_by, (width - 1) // 2, width // 2)
        before, after = np.zeros((2, events.n), np.int64)
        begin, end = sliding_windows(width, _run_bounds(events))
        points = np.arange(begin.size)
        before[events.normal], after[events.normal] = end - 1 - points, points - begin
        return Islands(raised_by, before, after)

    def _islands(self, sources: Array, events: Events) -> Array:
        width = island_width(self.width, events)
        if self.border == "clip":
            return moving_max(sources, width // 2, (width - 1) // 2, events.series_bounds)
        island = np.full_like(sources, lowest(sources))
        island[events.normal] = sliding_max(sources[events.normal], width, _run_bounds(events))
        return island

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


def layered(adjust: Adjustment, events: Events) -> list[tuple[int, Adjustment]]:
    """Give the adjustments that an adjustment mixes, with their weights: itself, for most.

    >>> layered(Balanced(width=3), Events.from_labels([0, 1]))
    [(1, Balanced(width=3, islands='normal', margin=0, border='clip'))]
    """
    layers = getattr(adjust, "layers", None)
    return [(1, adjust)] if layers is None else layers(events)


def _run_bounds(events: Events) -> Positions:
    """Part the normal points, taken together, where events, gaps or series interrupt them."""
    starts, stops = runs(events.normal, events.series_bounds[:-1])
    return np.concatenate([[0], np.cumsum(stops - starts)])


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
