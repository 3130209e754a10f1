"""The null "the same alarms, shifted": what the detector scores when its alarms mean nothing.

Turning the scores of a series in a circle keeps all that a detector does (how often it alarms, how
its alarms cluster, how its scores are spread) and breaks only the tie to the labels. A value
that many shifts reach is luck.

Conventions
-----------
- The judged points of each series form one circle; each series turns by its own offset.
- Labels, series and points that are not judged stay where they are.
- Whatever chooses the threshold chooses again on each shift: an oracle, or a rule.
- All shifts are made where that is little work, else some are drawn.

One shift of a case: its scores turned in a circle, and what a metric makes of it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from adjudge.checks import DRAWS, whole
from adjudge.data.case import Case
from adjudge.errors import InputError, shown
from adjudge.measure.thresholds import Rule
from adjudge.noise.intervals.stretch_counts import CasePieces
from adjudge.noise.p_values import NullValues
from adjudge.noise.position_shifts import PositionShifts, blind
from adjudge.noise.shifting.offsets import Offsets, choose_offsets, every_offset, generator
from adjudge.noise.shifting.rotation import Rotation, circle_lengths, has_room, tenths
from adjudge.noise.shifting.shifted_flags import FlaggedCase, FlagShifts, can_be_counted
from adjudge.noise.shifting.shifted_scores import ScoredCase, can_be_swept, shifting_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Floats, Positions
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


class Shifting(Protocol):
    """A way to judge many shifts of one case."""

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        ...

    def values(self, by: Positions, /) -> Floats:
        """The metric's value at each shift."""
        ...


class Budget(NamedTuple):
    """How many shifts are made: all within the work, else drawn, at least the fewest."""

    work: int
    fewest: int
    most: int

    def chosen(self, work: int) -> tuple[int, int]:
        """How many shifts to make if these are all, and how many to draw if not."""
        affordable = self.work // max(work, 1)
        return affordable, min(max(affordable, self.fewest), self.most)


_FLAGS = Budget(1_000_000, 999, 999)
_SCORES = Budget(500_000, 199, 199)
_POSITIONS = Budget(4_000_000, 199, 999)
_ONE_BY_ONE = Budget(20_000_000, 19, 199)


def shift_values(
    metric: Metric,
    case: Case,
    shifts: int | None = None,
    seed: int | np.random.Generator = 0,
) -> NullValues:
    """The metric's values on shifts of a case: what luck makes of these alarms.

    Each series turns by its own offset. All combinations are made where that is little work: of
    flags, mostly up to some thousand points; then the values are exact and no seed plays a part.
    Else every offset is as likely as any other, no shift at all among them. The whole
    selection is done anew on each shift: ``best(...)`` looks for its threshold again.

    Parameters
    ----------
    metric : Metric
        What to measure; areas too.
    case : Case
        Labels and scores.
    shifts : int, optional
        How many shifts to draw; all are made if there are no more than that. Default: 999 of
        flags at a threshold, at least 199 of ``best(...)`` and areas of the common families, and
        20 to 199 where each shift is a whole new reading.
    seed : int or Generator
        The same seed gives the same shifts; fewer shifts are the first of more.

    Returns
    -------
    NullValues
        One value per shift, and whether these are all shifts.

    Examples
    --------
    >>> import adjudge as aj
    >>> from adjudge.noise.p_values import p_value
    >>> case = aj.Case([0] * 40 + [1] * 10, [0] * 42 + [1] * 8)
    >>> null = shift_values(aj.f1_ba, case)
    >>> null.size, null.exact, p_value(aj.f1_ba.reading(case).value, null.values)
    (50, True, 0.06)
    """
    return CaseShifts(case).values(metric, shifts, seed)


class CaseShifts:
    """The shifts of one case: what several metrics share is made once.

    Parameters
    ----------
    case : Case
        Labels and scores.
    tell : callable, optional
        Told the share that is done, while shifts are judged one by one.
    bounds : array of int, optional
        The parts that turn by themselves, where these are not the series: see `Rotation`. Half as
        many shifts are drawn then: enough for 5 %, which is all that is asked of them.
    offsets : dict, optional
        Shifts that were chosen already: the detectors of a call share it.
    """

    def __init__(
        self,
        case: Case,
        tell: Callable[[float], None] | None = None,
        bounds: Positions | None = None,
        offsets: dict[tuple[Any, ...], Offsets] | None = None,
    ) -> None:
        self.case, self._tell, self.bounds = case, tell, bounds
        self._flagged: dict[float | None, FlaggedCase] = {}
        self._offsets = {} if offsets is None else offsets

    @cached_property
    def circles(self) -> Rotation:
        """What turns: the judged points of each series, or of each part of one."""
        return Rotation(self.case.events, self.bounds)

    def values(
        self,
        metric: Metric,
        shifts: int | None = None,
        seed: int | np.random.Generator = 0,
    ) -> NullValues:
        """Judge many shifts by one metric: see `shift_values`."""
        way, budget = self.way(metric)
        most, drawn = budget.chosen(way.work)
        if self.bounds is not None:
            drawn = max(drawn // 2, 99)
        if shifts is not None:
            drawn = whole(shifts, "shifts", 1, DRAWS)
            most = drawn + 1
        by, exact = self._chosen(most, drawn, seed)
        return NullValues(way.values(by) if len(by) else np.zeros(0), exact)

    def way(self, metric: Metric) -> tuple[Shifting, Budget]:
        """Choose the quickest way to judge shifts; a rule may see more than the set of scores."""
        if metric.row.positions and metric.at_one_threshold and not isinstance(metric.at, Rule):
            return PositionShifts(metric, metric.flags(self.case)[0], self.circles), _POSITIONS
        if can_be_counted(metric, self.case.events) and not isinstance(metric.at, Rule):
            return FlagShifts(metric, self._of_flags(metric)), _FLAGS
        if can_be_swept(metric, self.case):
            return shifting_of(metric, self._scored), _SCORES
        return OneByOne(metric, self.case, self._tell, self.bounds), _ONE_BY_ONE

    def _of_flags(self, metric: Metric) -> FlaggedCase:
        flags, at, _ = metric.flags(self.case)
        if at not in self._flagged:
            self._flagged[at] = FlaggedCase(flags, self.circles)
        return self._flagged[at]

    def blind(self, metric: Metric) -> float:
        """What one alarm per window scores by a metric of positions."""
        return blind(metric, self.circles)

    @cached_property
    def nearby(self) -> CaseShifts:
        """The same case with each tenth of a series turned by itself."""
        return CaseShifts(self.case, self._tell, self._tenths, self._offsets)

    @cached_property
    def has_room_nearby(self) -> bool:
        """Whether a perfect detector could be told from its alarms nearby."""
        return has_room(self.case.events, self._tenths)

    @cached_property
    def _tenths(self) -> Positions:
        return tenths(self.case.events)

    @cached_property
    def pieces(self) -> CasePieces:
        """The same case in pieces of time, for intervals."""
        return CasePieces(self.case)

    @cached_property
    def always(self) -> Case:
        """The same labels under an alarm everywhere."""
        return Case(self.case.events, np.ones(self.case.events.n))

    @cached_property
    def _scored(self) -> ScoredCase:
        return ScoredCase(self.case, self.circles)

    def _chosen(self, most: int, drawn: int, seed: int | np.random.Generator) -> Offsets:
        """Choose the same shifts for every metric of a seed; a generator goes on drawing."""
        lengths = self.circles.lengths
        exact = every_offset(lengths) <= most
        if isinstance(seed, np.random.Generator) and not exact:
            return choose_offsets(lengths, most, drawn, seed)
        key = (lengths.tobytes(), exact, 0 if exact else drawn, seed)
        if key not in self._offsets:
            self._offsets[key] = choose_offsets(lengths, most, drawn, generator(seed))
        return self._offsets[key]
