r"""VUS and range-AUC: areas under curves with soft labels, and their mean over buffer widths.

At one threshold and window l, with soft labels :math:`y_l` (`adjudge.count.soft_points`),
flags p and P anomalous of N points:

.. math::
    TP = \sum_t y_l(t)\, p(t), \qquad
    R = \min\Big(\frac{TP}{P_l}, 1\Big) \cdot \frac{\text{zones with a flag}}{\text{zones}}, \qquad
    FPR = \frac{\sum p - TP}{N - P_l}, \qquad
    \Pi = \frac{TP}{\sum p}

where a zone is an event with its buffers, overlapping ones being one, and the truth :math:`P_l` is
P and half of a mass of soft labels. The area lies under R against FPR, closed by (1, 1), or under
:math:`\Pi` against R. VUS is the mean of the areas over the windows 0 ... `window`; range-AUC is
the area at `window` alone.

Three generations of the formula are in use; each is equal here to the programs that have it:

============  ==================  ==================  ==============================
..            VUS, ``original``   range-AUC,          both, ``aeon``
                                  ``original``
============  ==================  ==================  ==============================
truth         P + half of the     P + half of all     P + half of all soft labels
              *flagged* soft      soft labels
              labels
PR area       steps               trapezoids          trapezoids
zones that    are two             are one             are one
touch
slope after   as long as the      as long as the      one point shorter
              one before          one before
perfect       1                   less than 1         less than 1
============  ==================  ==================  ==============================

Every threshold together cost little more than a grid of them: between two thresholds at which a
point of an event or beside one is flagged, no recall changes, and the area grows by a rectangle.

Several series are one large case: their points are ranked together, and a series without events
still adds its alarms to the false ones.

VUS of flags: precision, recall and F with soft labels, each the mean over buffer widths.

At one window l, with soft labels :math:`y_l` (`adjudge.count.soft_points`), flags p
and P anomalous points:

.. math::
    TP_l = \sum_t y_l(t)\, p(t), \qquad
    \Pi_l = \frac{TP_l}{\sum p}, \qquad
    R_l = \min\Big(1, \frac{TP_l}{P + \tfrac12 \sum_{t\ \mathrm{normal}} y_l(t)\, p(t)}\Big)

and the values are the means of :math:`\Pi_l`, of :math:`R_l` and of their harmonic mean over the
windows 0 ... `window`. Only precision is a ratio of masses, those of the mean soft label; F is no
harmonic mean of the other two.

Several series are one large case: their points and alarms are summed before any ratio is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from adjudge.checks import positive, whole, word
from adjudge.count.soft_points import WIDEST, Near, near, slopes, soften, sums_by_group, zone_tops
from adjudge.count.tally import Tally
from adjudge.data.intervals import bincount, repeat
from adjudge.data.time_settings import time_length
from adjudge.measure.rates import FBeta, at_most_one, recall
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.data.events import Events

    Area = Callable[[Iterator["_Block"], bool], Floats]


Variant = Literal["original", "aeon"]

_BLOCK = 1 << 12
_BATCH = 1 << 14


class _Generation(NamedTuple):
    """What sets the formulas apart: which soft labels are truth, and the slope after an event."""

    whole: bool
    late: bool


_VOLUME = {"original": _Generation(whole=False, late=False), "aeon": _Generation(True, True)}
_RANGE = {"original": _Generation(whole=True, late=False), "aeon": _Generation(True, True)}


@dataclass(frozen=True)
class _Settings(Settings):
    """What all areas with soft labels take.

    Parameters
    ----------
    window : int or duration
        The widest buffer, in points or in time, half of it on either side of an event.
    thresholds : int or None
        How many of the sorted scores, evenly spaced by rank, serve as thresholds. None: every
        score, which is exact.
    variant : "original" or "aeon"
        The formula of the authors and of TSB-AD, or that of aeon and TimeEval, by which a perfect
        detector gets less than 1.
    """

    window: int = time_length(100, 0, "exact", *WIDEST)
    thresholds: int | None = setting(250, whole, 2, none=True)
    variant: Variant = setting("original", word, get_args(Variant))

    def _volume(self, scores: Floats, events: Events, area: Area) -> float:
        windows = range(self.window + 1)
        areas = _areas(scores, events, windows, self.thresholds, _VOLUME[self.variant], area)
        return float(at_most_one(areas.mean()))

    def _range(self, scores: Floats, events: Events, area: Area) -> float:
        windows = range(self.window, self.window + 1)
        areas = _areas(scores, events, windows, self.thresholds, _RANGE[self.variant], area)
        return float(at_most_one(areas[0]))


@dataclass(frozen=True)
class VolumeRoc(_Settings):
    """Mean over the windows 0 ... `window` of the area under the ROC curve with soft labels.

    Parameters
    ----------
    window, thresholds, variant
        As of `_Settings`.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 1, 1, 0, 0, 0])
    >>> round(VolumeRoc(window=4)(np.array([1.0, 1, 2, 5, 3, 4, 1, 1]), events), 4)
    0.9584
    """

    def __call__(self, scores: Floats, events: Events) -> float:
        """The mean area; NaN without events or without normal points."""
        return self._volume(scores, events, _roc)


@dataclass(frozen=True)
class VolumePr(_Settings):
    """Mean over the windows 0 ... `window` of the area under the PR curve with soft labels.

    Parameters
    ----------
    window, thresholds, variant
        As of `_Settings`.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 1, 1, 0, 0, 0])
    >>> VolumePr(window=4)(np.array([0.0, 0, 0, 1, 1, 0, 0, 0]), events)
    1.0
    >>> round(VolumePr(window=4, variant="aeon")(np.array([0.0, 0, 0, 1, 1, 0, 0, 0]), events), 4)
    0.9622
    """

    def __call__(self, scores: Floats, events: Events) -> float:
        """The mean area; NaN without events."""
        return self._volume(scores, events, _pr)


@dataclass(frozen=True)
class RangeRoc(_Settings):
    """Area under the ROC curve with the soft labels of one window.

    Parameters
    ----------
    window, thresholds, variant
        As of `_Settings`.
    """

    window: int = time_length(100, 0, "exact")

    def __call__(self, scores: Floats, events: Events) -> float:
        """The area; NaN without events or without normal points."""
        return self._range(scores, events, _roc)


@dataclass(frozen=True)
class RangePr(_Settings):
    """Area under the PR curve with the soft labels of one window.

    Parameters
    ----------
    window, thresholds, variant
        As of `_Settings`.
    """

    window: int = time_length(100, 0, "exact")

    def __call__(self, scores: Floats, events: Events) -> float:
        """The area; NaN without events."""
        return self._range(scores, events, _pr)


class _Levels(NamedTuple):
    """Thresholds; a point is flagged when its score is at or above one. Level 0 flags nothing."""

    rising: Floats
    flagged: Positions
    """How many points each level flags, from level 0 and the highest threshold down."""
    before: Positions
    """How many points are flagged just before the level changes recall."""
    points: int

    def of(self, scores: Array) -> Positions:
        """Say which level is the first to flag each score."""
        below = np.searchsorted(self.rising, scores, side="right")
        return np.subtract(self.flagged.size, below, out=below)

    def gather(self, level: Positions, weights: Array | None = None) -> Array:
        """Sum what each level flags."""
        return np.cumsum(bincount(level, weights, minlength=self.flagged.size))


def _areas(
    scores: Floats,
    events: Events,
    windows: range,
    thresholds: int | None,
    generation: _Generation,
    area: Area,
) -> Floats:
    """The area at each window: one pass over half-windows, and the points near events."""
    if not len(events):
        return np.full(len(windows), np.nan)
    found = near(events, windows[-1] // 2, late=generation.late)
    inside, beside = scores[events.labels], scores[found.points]
    found = found._replace(points=np.zeros(0, np.int64))  # lets go of memory, no longer needed
    ordered = np.sort(scores if events.judged is None else scores[events.judged])
    if thresholds is None or thresholds >= ordered.size:
        levels = _every_level(ordered, np.concatenate([inside, beside]))
    else:
        levels = _even_levels(ordered, thresholds)
    del ordered
    hits = levels.gather(levels.of(inside))
    tops = zone_tops(scores, events, windows, late=generation.late, touching=generation.whole)
    steps = zip(_soft(levels.of(beside), found, windows, levels), tops, strict=True)
    parts = []
    while batch := list(islice(steps, max(1, _BATCH // hits.size))):  # few calls for few levels
        soft = np.concatenate([rows for rows, _ in batch])
        shares = [levels.gather(levels.of(top)) / top.size for _, top in batch]
        touched = repeat(shares, [len(rows) for rows, _ in batch], axis=0)
        masses = _Masses(levels.flagged, levels.before, hits, soft, touched)
        parts.append(area(_blocks(masses, levels.points, generation), generation.whole))
    return np.concatenate(parts)


def _even_levels(ordered: Floats, count: int) -> _Levels:
    """So many of the sorted scores, evenly spaced by rank; the last flags all."""
    n = ordered.size
    rising = np.unique(ordered[n - 1 - np.linspace(0, n - 1, count).astype(np.int64)])
    flagged = np.append(0, n - np.searchsorted(ordered, rising)[::-1])
    return _Levels(rising, flagged, np.append(0, flagged[:-1]), n)


def _every_level(ordered: Floats, near_events: Floats) -> _Levels:
    """All thresholds at which recall can change: the scores of points in events and beside them.

    Of the thresholds between two levels it is enough to know how many points the last one flags.

    >>> levels = _every_level(np.arange(1000.0), np.array([7.0, 3.0, 7.0]))
    >>> [numbers.tolist() for numbers in levels[:3]]
    [[3.0, 7.0], [0, 993, 997], [0, 992, 996]]
    """
    rising = np.unique(near_events)
    above, at_or_above = (
        np.append(0, ordered.size - np.searchsorted(ordered, rising, side)[::-1])
        for side in ("right", "left")
    )
    return _Levels(rising, at_or_above, above, ordered.size)


def _soft(level: Positions, found: Near, windows: range, levels: _Levels) -> Iterator[Floats]:
    """The mass of soft labels that each level flags, one row for each window of a half one."""
    count = levels.flagged.size
    if 4 * level.size < count * found.farthest:  # too few to be worth a table
        order = np.argsort(level)  # neighbours in memory are then neighbours in the sums
        level, place, meets = level[order], found.place[order], found.meets[order]
        for labels in soften(place, slopes(found._replace(meets=meets), windows)):
            yield np.stack([levels.gather(level, label) for label in labels])
    else:
        for sums in sums_by_group(found.place, level, count, slopes(found, windows)):
            yield np.cumsum(sums, axis=1)


class _Masses(NamedTuple):
    """What each level flags: points and anomalous points, and per window soft labels and zones."""

    flagged: Array
    before: Array
    hits: Array
    soft: Array
    touched: Array


class _Block(NamedTuple):
    """Some levels, and the one before the first of them: what an area is summed from."""

    flagged: Array
    before: Array
    right: Floats
    recall: Floats
    normal: Floats
    """How much of all points is no truth."""
    points: int


def _blocks(masses: _Masses, points: int, generation: _Generation) -> Iterator[_Block]:
    """Part the levels into blocks that fit into the processor's cache."""
    hits, soft = masses.hits[-1], masses.soft[:, -1:]
    for start in range(0, masses.flagged.size - 1, _BLOCK):
        here = _Masses(*(mass[..., start : start + _BLOCK + 1] for mass in masses))
        right = here.hits + here.soft
        truth = hits + (soft if generation.whole else here.soft) / 2
        recall = np.minimum(right / truth, 1) * here.touched
        normal = np.broadcast_to(points - truth, right.shape)
        yield _Block(here.flagged, here.before, right, recall, normal, points)


def _roc(blocks: Iterator[_Block], whole: bool) -> Floats:  # noqa: ARG001 - that of every area
    """The area under recall against the false positive rate; NaN without normal points.

    The points that are flagged before recall changes move the curve along, not up: a trapezoid
    would give them half of the next rise.
    """
    area: Floats = np.zeros(1)
    with np.errstate(divide="ignore", invalid="ignore"):  # NumPy 1.26 calls 0 / 0 either
        for block in blocks:
            recall, rise = block.recall, np.diff(block.recall)
            false = (block.flagged - block.right) / block.normal
            along = (block.before[1:] - block.flagged[:-1]) / block.normal[:, :-1]
            area = area + np.einsum("wl,wl->w", np.diff(false), _middles(recall))
            area -= np.einsum("wl,wl->w", along, rise) / 2
        all_flagged = (block.points - block.right[:, -1]) / block.normal[:, -1]
    last = recall[:, -1]
    area += (all_flagged - false[:, -1]) * last + (1 - all_flagged) * (1 + last) / 2
    return area


def _pr(blocks: Iterator[_Block], whole: bool) -> Floats:
    """The area under precision against recall: by trapezoids, or by steps."""
    area: Floats = np.zeros(1)
    for block in blocks:
        height = block.right[:, 1:] / block.flagged[1:]
        height = (height + _precision_before(block)) / 2 if whole else height
        area = area + np.einsum("wl,wl->w", np.diff(block.recall), height)
    return area


def _precision_before(block: _Block) -> Floats:
    """The precision just before each level; 1 where nothing is flagged yet."""
    before = block.before[1:]
    return np.where(before > 0, block.right[:, :-1] / np.maximum(before, 1), 1.0)


def _middles(heights: Floats) -> Floats:
    return (heights[:, 1:] + heights[:, :-1]) / 2


_TABLED = 1000
"""Widest window whose soft labels are summed by one table: half a million numbers at most."""


@dataclass(frozen=True)
class VolumeRecall(Settings):
    """Mean recall over the windows 0 ... `window`.

    1: every anomalous point is flagged, or enough beside it. 0: none, and nothing near. NaN: no
    events.

    Parameters
    ----------
    window : int or duration
        The widest buffer, in points or in time, half of it on either side of an event.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> flags, events = np.array([0, 1, 1, 0, 0]) > 0, Events.from_labels([0, 0, 1, 1, 0])
    >>> round(VolumeRecall(2)(flags, events), 6)  # 1/2, 1/2, (1 + s) / (2 + s/2) with s = sqrt(1/2)
    0.575111
    """

    window: int = time_length(100, 0, "exact", *WIDEST)

    def __call__(self, flags: Flags, events: Events) -> float:
        """The mean recall."""
        return _mean(recall(_tallies(flags, events, self.window)))


@dataclass(frozen=True)
class VolumeF(Settings):
    """Mean over the windows 0 ... `window` of the weighted harmonic mean of precision and recall.

    1: the flags are the labels. 0: nothing in common, not even nearby. NaN: no events and no flags.

    Parameters
    ----------
    window : int or duration
        The widest buffer, in points or in time, half of it on either side of an event.
    beta : float
        How much more recall weighs than precision.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> flags, events = np.array([0, 1, 1, 0, 0]) > 0, Events.from_labels([0, 0, 1, 1, 0])
    >>> VolumeF(0)(flags, events)
    0.5
    """

    window: int = time_length(100, 0, "exact", *WIDEST)
    beta: float = setting(1, positive)

    def __call__(self, flags: Flags, events: Events) -> float:
        """The mean F."""
        return _mean(FBeta(self.beta)(_tallies(flags, events, self.window)))


def _tallies(flags: Flags, events: Events, window: int) -> Tally:
    """The masses at each window."""
    found = near(events, window // 2)
    flagged = flags[found.points]
    found = found._replace(place=found.place[flagged], meets=found.meets[flagged])
    soft = _sums(found, window) if window <= _TABLED else _stepwise_sums(found, window)
    hits = np.count_nonzero(flags & events.labels)
    right, truth = hits + soft, int(events.widths.sum()) + soft / 2
    return Tally(np.minimum(right, truth), truth, right, np.count_nonzero(flags))


def _sums(found: Near, window: int) -> Floats:
    """Sum the soft labels at each window at once, from a count of points by place and meeting."""
    widths, half = np.arange(window + 1), np.arange(window + 1) // 2
    shape = found.farthest + 1, window // 2 + 2
    codes = found.place * np.int64(shape[1]) + found.meets
    met = bincount(codes, minlength=shape[0] * shape[1]).reshape(shape).cumsum(axis=1)
    single, full = met[:, -1:] - met, met.sum(axis=0)
    distance = np.arange(shape[0])[:, np.newaxis]
    arrived = distance <= half
    slope = np.sqrt(
        1 - distance / np.maximum(widths, 1), where=arrived, out=np.zeros(arrived.shape)
    )
    return np.asarray(full[half] + (single[:, half] * slope).sum(axis=0))


def _stepwise_sums(found: Near, window: int) -> Floats:
    """Sum them one half-window after the other, where a table would be too large."""
    one, steps = np.zeros(found.place.size, np.int64), slopes(found, range(window + 1))
    return np.concatenate([sums[:, 0] for sums in sums_by_group(found.place, one, 1, steps)])


def _mean(values: Any) -> float:
    return float(at_most_one(np.mean(values)))
