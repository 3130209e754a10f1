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
"""

from __future__ import annotations

import math
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar
from weakref import ref

import numpy as np

from adjudge.checks import DRAWS, whole
from adjudge.data.point_time import PointTime
from adjudge.data.shared_clock import has_lines_out_of_step, turning_together
from adjudge.noise.aligned_events import run_to_failure
from adjudge.noise.blind_detectors import Shifted, expected_value, overshoot, shared_rhythm
from adjudge.noise.intervals.areas import CasePieces, CutTime, optimism
from adjudge.noise.intervals.interval import interval
from adjudge.noise.intervals.units import units_of
from adjudge.noise.p_values import (
    CLEAR,
    RISK,
    TIE,
    NullTest,
    NullValues,
    is_decided,
    p_value,
    surely_between,
)
from adjudge.noise.shifting.all_places import SOME, CommonPlaces
from adjudge.noise.shifting.offsets import (
    CommonOffsets,
    Offsets,
    choose_offsets,
    every_offset,
    generator,
    stream_of_offsets,
)
from adjudge.noise.shifting.one_by_one import ONE_BY_ONE, OneByOne
from adjudge.noise.shifting.quick_ways import QUICK
from adjudge.noise.shifting.reached import can_be_bounded, reached_by
from adjudge.noise.shifting.rotation import (
    LONGEST,
    Rotation,
    in_blocks,
    room,
    tenths,
    whole_periods,
)
from adjudge.noise.shifting.shifted_flags import FlaggedCase
from adjudge.noise.shifting.shifted_scores import ScoredCase, ScoreShifts, values_of
from adjudge.noise.shifting.turning import OfLabels, Shared, Turning

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from adjudge._typing import Floats, Positions
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask
    from adjudge.noise.intervals.evidence import Evidence
    from adjudge.noise.intervals.units import Units
    from adjudge.noise.p_values import Better
    from adjudge.noise.shifting.one_by_one import Budget, Shifting

_Made = TypeVar("_Made")


def _is_bounded(way: Shifting, metric: Metric) -> TypeGuard[ScoreShifts]:
    return isinstance(way, ScoreShifts) and can_be_bounded(metric, way.scored.circles.events)


def _can_share(way: Shifting) -> TypeGuard[ScoreShifts]:
    """Whether what it sees of a block of shifts is the same for other metrics."""
    return isinstance(way, ScoreShifts) and not way.levels.at_once


def _is_enough(known: NullTest) -> bool:
    """Whether a test is exact, or shows already that the p-value is not small."""
    return known.exact or known.low > CLEAR


def _reaching(values: Floats, value: float, better: Better) -> tuple[int, int]:
    """How many values reach one, and how many are defined."""
    defined = int(np.count_nonzero(~np.isnan(values)))
    return round(p_value(value, values, better) * (1 + defined)) - 1, defined


_ALL_WORK = 20_000_000  # numbers up to which all shifts are judged in full
_DRAWN_WORK = 50_000_000  # the same for shifts that are drawn until a test is decided
_MOST_DRAWS = 32_000
_COMMON = {False: 499, True: 199}  # places that detectors share; where points are many
_REMEMBERED = 10_000  # points up to which the shifts of a detector are kept for the others
_AT_ONCE = 4_000  # shifts up to which two looks are made at once
_BETWEEN = 2_000  # draws that are enough where a detector passes alone, and not as the best of all
_STREAM = 20_240_913
_LABELS = ("labels",)
PLACES_SEED = 0
"""Of the places that are pooled over series: most calls have judged its shifts already."""


class CaseShifts(Turning):
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
    shared : dict, optional
        Shifts that were chosen already, and what the labels alone decide: the detectors of a call
        share it.
    steps : array of int, optional
        By each offset parts turn by a multiple of so many points; 0: they stay. Default: by any
        number.
    whole : CaseShifts, optional
        The same case in other parts, which has the ranks of the scores, or will need them.
    """

    def __init__(
        self,
        case: Case,
        tell: Callable[[float], None] | None = None,
        bounds: Positions | None = None,
        shared: dict[tuple[Any, ...], Any] | None = None,
        steps: Positions | None = None,
        whole: CaseShifts | None = None,
    ) -> None:
        self._whole = None if whole is None else ref(whole)  # no circle of references
        self.case, self._tell, self.bounds, self._steps = case, tell, bounds, steps
        self._flagged: dict[float | None, FlaggedCase] = {}
        self._seasonal: dict[int, Self] = {}
        self._ways: dict[tuple[int, bool], tuple[Metric, Shifting, Budget]] = {}
        self._read: dict[int, tuple[Metric, float]] = {}
        self._expected: list[Metric] = []
        self._early: dict[tuple[int, int], Floats] = {}
        self._homes: dict[int, float] = {}
        self._firsts: dict[int, Floats] = {}
        self.said: dict[bytes, str] = {}
        self._shared = {} if shared is None else shared
        self._in_tenths = bounds is None and self.once(
            "out of step", lambda: has_lines_out_of_step(case.truth)
        )
        if self._in_tenths:
            self.bounds = case.edges(self._tenths)

    def know(self, metric: Metric, value: float) -> None:
        """Take what a metric reads on the case, which the caller has found."""
        self._read[id(metric)] = metric, value

    def _value(self, metric: Metric) -> float:
        """What a metric reads on the case."""
        if id(metric) not in self._read:
            self.know(metric, metric.reading(self.case).value)
        return self._read[id(metric)][1]

    def level(self, metric: Metric, null: NullValues) -> float:
        """The chance level: from expected counts where they are known, else the mean."""
        expected = self.expected(metric)
        if not math.isnan(expected):
            return expected
        own = [self._value(metric)] if null.exact else []
        return metric.row.mean(np.append(null.values, own))

    def expected(self, metric: Metric) -> float:
        """The metric of the expected counts of all shifts; NaN where not known, as of a mean."""
        if not metric.at_one_threshold or metric.across == "macro":
            return math.nan
        flags, *_ = metric.flags(self.case)
        return expected_value(metric, self.case.events, Shifted(flags, self.case.events))

    def optimism(self, metric: Metric, seed: int) -> float:
        """By how much ``best(...)`` flatters, as far as that is known: not of several lines."""
        return math.nan if metric.across else optimism(metric, self.case, seed, self.pieces)

    def evidence(
        self, metric: Metric, value: float, unit: str, groups: Positions | None, at: float | None
    ) -> Evidence:
        """The interval of a value, and what it rests on; an oracle's threshold may be known."""
        return interval(
            metric, self.case, value=value, units=self.units(unit, groups), best_at=at,
            pieces=self.pieces,
        )  # fmt: skip

    def shared_rhythm(self, metric: Metric, at: float | None, *, passes: bool) -> str:
        """Say whether alarms and events come together, at equal distances or at an age."""
        events = self.case.events
        if metric.row.positions or not len(events):
            return ""
        if (said := run_to_failure(events)) or not passes:
            return said
        if metric.at_one_threshold:
            flags, *_ = metric.flags(self.case)
        else:  # at least as many points as are anomalous: few alarms do not show when they come
            flags = self.case.scores > min(self._level, math.inf if at is None else at)
        key = np.packbits(flags).tobytes()
        if key not in self.said:  # of the same flags, whatever the metric
            self.drop(ranks=True)  # which are made anew sooner than looking for periods frees much
            self.said[key] = shared_rhythm(events, flags)
        return self.said[key]

    @cached_property
    def _level(self) -> float:
        """The score that as many points reach as are anomalous."""
        scores, most = self.case.scores, int(self.case.events.widths.sum())
        lowest, highest = scores.min(), scores.max()
        is_top = scores == highest
        if is_top.any() and np.array_equal(is_top, scores > lowest):  # of two values slow
            return float(highest if np.count_nonzero(is_top) >= most else lowest)
        return float(np.partition(scores, -most)[-most])

    def of_labels(self, metric: Metric, *, chance: bool) -> OfLabels:
        """What the labels alone decide, once for all detectors on them.

        Parameters
        ----------
        metric, chance : Metric, bool
            What is judged; whether an always-on alarm is too.
        """
        events, plain = self.case.events, metric
        if metric.at is not None:
            plain = metric.with_settings(at=None)

        def of_labels() -> OfLabels:
            adjust = plain.parts.adjust
            wide = adjust.resolved(events).island_width is not None
            most = overshoot(adjust, events) if wide else math.nan
            return OfLabels(most, self.always_on(plain) if chance else math.nan)

        return self.once(str(plain), of_labels)

    def always_on(self, metric: Metric) -> float:
        """Give what an always-on alarm scores: a number of the labels alone."""
        if metric.row.positions:  # of many alarms one at most is right: see ``blind``
            return math.nan
        on_flags = metric.with_settings(at=None) if metric.at is not None else metric
        return on_flags.reading(self.case.always).value

    @cached_property
    def circles(self) -> Rotation:
        """What turns: the judged points of each series, or of each part of one."""
        return self.once("circles", lambda: Rotation(self.case.events, self.bounds))

    def once(self, name: str, make: Callable[[], _Made]) -> _Made:
        """Make what the labels alone decide once for all detectors on them, one after the other."""
        events, known = self._shared.get(_LABELS, (None, {}))
        if events is not self.case.events:  # detectors with other labels do not fill the memory
            known = {}
            self._shared[_LABELS] = self.case.events, known
        key = name, None if self.bounds is None else self.bounds.tobytes()
        if key not in known:
            known[key] = make()
        made: _Made = known[key]
        return made

    @cached_property
    def _places(self) -> Positions:
        """How many places there are by each offset, the alarms' own among them."""
        places, step = self._common.places, self._step
        return places if step is None else np.where(step > 0, places // np.maximum(step, 1), 1)

    @cached_property
    def _step(self) -> Positions | None:
        """By a multiple of how many points circles turn by each offset; 0: they stay."""
        if self._steps is None:
            return None
        step = np.zeros(self._common.places.size, np.int64)
        np.maximum.at(step, self._common.number, self._steps)
        return step

    @cached_property
    def _common(self) -> CommonOffsets:
        """Which circles turn by one offset."""
        return self.once("together" if self._steps is None else "in step", self._together)

    def _together(self) -> CommonOffsets:
        case, bounds, sizes = self.case, self.bounds, self.circles.lengths
        moving = None if self._steps is None else self._steps > 0
        number = case.together(bounds, moving)
        if moving is not None or number.size == int(number.max()) + 1:
            return CommonOffsets(number, sizes)
        return CommonOffsets(number, sizes, case.spans(bounds))

    def _turns(self, most: int, drawn: int, rng: np.random.Generator) -> Offsets:
        """Make all shifts if that are at most ``most``, else draw some."""
        places, exact = choose_offsets(self._places, most, drawn, rng)
        return Offsets(self.moved(places), exact, places)

    def moved(self, by: Positions) -> Positions:
        """How far each circle turns, of places by each offset."""
        return self._common.each(by if self._step is None else by * self._step)

    def values(
        self,
        metric: Metric,
        shifts: int | None = None,
        seed: int | np.random.Generator = 0,
    ) -> NullValues:
        """Judge many shifts by one metric: what luck makes of these alarms.

        Each circle turns by its own offset. All combinations are made where that is little work: of
        flags, mostly up to some thousand points; then the values are exact and no seed plays a
        part. Else every offset is as likely as any other, no shift at all among them. The whole
        selection is done anew on each shift: ``best(...)`` looks for its threshold again.

        Parameters
        ----------
        metric : Metric
            What to measure; areas too.
        shifts : int, optional
            How many shifts to draw; all are made if there are no more than that. Default: 999 of
            flags at a threshold, at least 199 of ``best(...)`` and areas of the common families,
            and 19 to 199 where each shift is a whole new reading.
        seed : int or Generator
            The same seed gives the same shifts; fewer shifts are the first of more.

        Examples
        --------
        >>> import adjudge as aj
        >>> case = aj.Case([0] * 40 + [1] * 10, [0] * 42 + [1] * 8)
        >>> null = CaseShifts(case).values(aj.f1_ba)
        >>> null.size, null.exact, p_value(aj.f1_ba.reading(case).value, null.values)
        (50, True, 0.06)
        """
        way, budget = self.way(metric)
        by, exact, _ = self._chosen_for(way, budget, shifts, seed)
        key = id(metric), id(by)
        if key in self._early:
            return NullValues(self._early.pop(key), exact)
        if not _can_share(way) or not len(by):
            return NullValues(way.values(by) if len(by) else np.zeros(0), exact)
        ways, keys, others, self._expected = [way], [], self._expected, []
        for other in others:
            own, its = self.way(other)
            if other is metric or not _can_share(own):
                continue
            if self._chosen_for(own, its, shifts, seed).by is by:
                ways.append(own)
                keys.append((id(other), id(by)))
        found = values_of(ways, by)
        self._early.update(zip(keys, found[1:], strict=True))
        if keys:
            self.drop()  # of many points nothing of the others is kept beside the test
        return NullValues(found[0], exact)

    def expect(self, metrics: Sequence[Metric]) -> None:
        """Take the metrics that will be asked for: what they see of a shift is made once."""
        self._expected = list(metrics)

    def _made(
        self,
        way: Shifting,
        budget: Budget,
        shifts: int | None,
        seed: int | np.random.Generator,
    ) -> NullValues:
        by, exact, _ = self._chosen_for(way, budget, shifts, seed)
        return NullValues(way.values(by) if len(by) else np.zeros(0), exact)

    def _chosen_for(
        self,
        way: Shifting,
        budget: Budget,
        shifts: int | None,
        seed: int | np.random.Generator,
    ) -> Offsets:
        """The shifts that are made of a metric."""
        most, drawn = budget.chosen(way.work)
        if self.bounds is not None and self._steps is None:
            drawn = max(drawn // 2, min(drawn, 99))
        if shifts is None and isinstance(way, OneByOne):
            seed = PLACES_SEED  # these few decide verdicts
        if shifts is not None:
            drawn = whole(shifts, "shifts", 1, DRAWS)
            most = drawn + 1
        return self._chosen(most, drawn, seed)

    def tested(
        self,
        metric: Metric,
        value: float,
        ask: Ask,
        null: NullValues | None = None,
    ) -> NullTest:
        """Say how often shifts do as well as a value: exactly, or until that is decided.

        Home and elsewhere are judged alike: islands run round the circle on which the alarms turn,
        at home too. Over one circle of up to 100,000 points the p-value is that of all shifts,
        unless those that were made already show that it is not small. Else shifts are drawn until
        it does not matter any more which ones; no seed plays a part in these.

        Parameters
        ----------
        metric, value : Metric, float
            What was measured, and what it gave.
        ask : Ask
            How many shifts were asked for, and by how many detectors.
        null : NullValues, optional
            The values on shifts that are known already.
        """
        way, budget = self.way(metric, closed=True)
        better, detectors = metric.row.better, ask.detectors
        closed = self._is_closed(metric, way)
        printed, value = value, self._at_home(way) if closed else value
        if math.isnan(value):
            return NullTest(math.nan, size=0 if null is None else null.size)
        if ask.shifts is not None or isinstance(way, OneByOne):
            if closed or null is None:
                null = self._made(way, budget, ask.shifts, ask.seed)
            return self._by_draws(metric, value, null, ask)
        if ask.is_family and self._shares_places and not isinstance(way, OneByOne):
            return self._over_places(metric, way, value)
        known = NullTest(math.nan)
        if null is not None:
            known = NullTest.of(printed, null, better)
            if closed and _is_enough(known):
                null = self._made(way, budget, None, ask.seed)
                known = NullTest.of(value, null, better)
            if _is_enough(known):
                return known
        found = self._over_all(metric, way, value)
        if found is None:
            found = self._until_decided(metric, value, 1 if ask.is_family else detectors)
        return found._replace(below=known.below)

    needs_every_test = False

    def only_places(self, metric: Metric) -> NullTest | None:
        """The places that detectors share, without a test; None: there are none."""
        way, _ = self.way(metric, closed=True)
        if isinstance(way, OneByOne):
            return None
        return NullTest(math.nan, places=self._common_places(metric), made=False)

    def places(
        self, metric: Metric, value: float, shifts: int, known: NullValues | None = None
    ) -> tuple[float, Floats]:
        """The value at home, and those at some other places or all: islands run round circles.

        The value is that of the case; known are those on the shifts of seed 0, whose first ones are
        these places. Parts of series are turned as a test turns them, which then knows the values.
        """
        way, _ = self.way(metric, closed=True)
        if self._is_closed(metric, way):
            value, known = self._at_home(way), None
        if self.bounds is not None:
            values = self._firsts[id(way)] = self._values_at(way, shifts)
            return value, values
        by, exact, places = self._chosen(shifts, shifts, PLACES_SEED)
        if known is not None and known.exact and self._is_one_circle:
            return value, np.append(value, known.values)[places[:, 0]]
        if known is not None and known.exact == exact and known.values.size >= len(by):
            return value, known.values[: len(by)]
        return value, way.values(by) if len(by) else np.zeros(0)

    def _is_closed(self, metric: Metric, way: Shifting) -> bool:
        """Whether islands make another value on a circle than on a line."""
        return not isinstance(way, OneByOne) and self._has_islands(metric)

    def _has_islands(self, metric: Metric) -> bool:
        marking = metric.parts.adjust.marking_on(self.case.events)
        return marking is not None and marking.island > 1

    def _values_at(self, way: Shifting, shifts: int) -> Floats:
        """The values at the first places of the stream, or at all others if these are no more."""
        exact = every_offset(self._places) <= shifts
        by = self._turns(shifts, 0, generator(0)).by if exact else self._stream(0, shifts)
        return way.values(by) if len(by) else np.zeros(0)

    @property
    def _shares_places(self) -> bool:
        """Whether all detectors are tested at the same few places: parts that turn by themselves.

        Who knows nothing of the labels fares nearby as elsewhere, so one of both is enough.
        """
        return self.bounds is not None and self._steps is None

    def _common_places(self, metric: Metric, value: float | None = None) -> CommonPlaces:
        by, _ = self.common_offsets
        return CommonPlaces(metric, self._again, 1 + len(by), value)

    @property
    def _again(self) -> Callable[[], Self]:
        """The same shifts once more; of many points, with nothing known of the scores."""
        if self.case.events.n <= _REMEMBERED:
            return lambda: self
        return partial(type(self), self.case, None, self.bounds, self._shared, self._steps)

    @property
    def is_long(self) -> bool:
        """Whether what metrics could share takes much memory."""
        return self.case.events.n > LONGEST

    def drop(self, *, ranks: bool = False) -> None:
        """Let go of what the last metric needed, if it takes much memory; or of ranks too."""
        if not self.is_long:
            return
        self._ways.clear()
        self._homes.clear()
        self._firsts.clear()
        if "pieces" in vars(self):
            self.pieces.drop()
        if ranks:
            vars(self).pop("scored", None)
        if "scored" in vars(self):
            self.scored.drop()
        if "_by_tenths" in vars(self):
            self._by_tenths.drop(ranks=ranks)

    @property
    def _is_one_circle(self) -> bool:
        """Whether all turns by one offset, of any number of points, and has not too many places."""
        one = self._common.places.size == 1 and self._steps is None
        return one and int(self._common.places[0]) <= LONGEST

    def _at_home(self, way: Shifting) -> float:
        if id(way) not in self._homes:  # which are kept as long as the ways
            none = np.zeros((1, self.circles.lengths.size), np.int64)
            self._homes[id(way)] = float(way.values(none)[0])
        return self._homes[id(way)]

    def _over_all(self, metric: Metric, way: Shifting, value: float) -> NullTest | None:
        """The exact test; None where it would be too much work."""
        if not self._is_one_circle:
            return None
        points, better = int(self._common.places[0]), metric.row.better
        if _is_bounded(way, metric):
            p = (1 + self._reaching_anywhere(metric, value, way)) / points
            return NullTest(p, math.nan, points, exact=True, low=p, high=p)
        if way.work * points > _ALL_WORK:
            return None
        every = self.moved(np.arange(1, points)[:, np.newaxis])
        return NullTest.of(value, NullValues(way.values(every), exact=True), better)

    def _reaching_anywhere(self, metric: Metric, value: float, way: ScoreShifts) -> int:
        """At how many places of the only offset a metric that can be bounded reaches a value."""
        if self.circles.lengths.size == 1:
            return reached_by(metric, self.scored, value, way.once).size
        every = np.arange(1, int(self._common.places[0]))[:, np.newaxis]
        return self._rows_reaching(metric, value, way, self.moved(every)).size

    def _rows_reaching(
        self, metric: Metric, value: float, way: ScoreShifts, by: Positions
    ) -> Positions:
        """The rows of some shifts at which a metric that can be bounded reaches a value."""
        found, first = [np.zeros(0, np.int64)], 0
        for block in in_blocks(by, len(self.case.events), self.case.events.n):
            found.append(first + reached_by(metric, self.scored, value, way.once, block))
            first += len(block)
        return np.concatenate(found)

    def _over_places(self, metric: Metric, way: Shifting, value: float) -> NullTest:
        """The test at the places that all detectors share."""
        places, (by, exact) = self._common_places(metric, value), self.common_offsets
        if not _is_bounded(way, metric):
            null = NullValues(way.values(by), exact)
            places.know(null.values)
            return NullTest.of(value, null, metric.row.better)._replace(places=places)
        reached = self.reaching(metric, value)
        places.learn(reached)
        p = (1 + reached.size) / (1 + len(by))
        low = p if exact else surely_between(reached.size, len(by))[0]
        return NullTest(p, math.nan, len(by) + exact, exact, low, p, places)

    @cached_property
    def common_offsets(self) -> tuple[Positions, bool]:
        """The shifts at which all detectors are tested, and whether these are all."""
        most = _COMMON[self.is_long]
        exact = every_offset(self._places) <= most
        return self._turns(most, 0, generator(0)).by if exact else self._stream(0, most), exact

    def scale_of(self, metric: Metric) -> Floats:
        """The values at some shifts, by which all are scaled; metrics share these shifts."""
        way, _ = self.way(metric, closed=True)
        by, *_ = self._chosen(SOME, SOME, PLACES_SEED)
        return way.values(by) if len(by) else np.zeros(0)

    def scored_at(self, metric: Metric, places: Positions) -> Floats:
        """The values at some of the places that detectors share; none is home."""
        way, _ = self.way(metric, closed=True)
        return way.values(self.common_offsets[0][places - 1]) if places.size else np.zeros(0)

    def at_home(self, metric: Metric) -> float:
        """The value at home, islands as elsewhere."""
        way, _ = self.way(metric, closed=True)
        return self._at_home(way) if self._is_closed(metric, way) else self._value(metric)

    def reaching(self, metric: Metric, value: float) -> Positions:
        """The places but home that detectors share at which a metric reaches a value."""
        way, _ = self.way(metric, closed=True)
        by, _ = self.common_offsets
        if _is_bounded(way, metric):
            return 1 + self._rows_reaching(metric, value, way, by)
        sign = 1 if metric.row.better == "higher" else -1
        return 1 + np.flatnonzero(sign * way.values(by) >= sign * value - TIE)

    def _by_draws(self, metric: Metric, value: float, null: NullValues, ask: Ask) -> NullTest:
        """The test by shifts that were made, and by more where these leave it open and may be."""
        drawn = NullTest.of(value, null, metric.row.better)
        decided = is_decided(drawn.low, drawn.high, ask.detectors)
        if ask.shifts is not None or decided:
            return drawn
        found = self._until_decided(metric, value, ask.detectors)
        return found._replace(below=drawn.below)

    def _until_decided(self, metric: Metric, value: float, detectors: int) -> NullTest:
        """Draw shifts, twice as many each time, until it does not matter which."""
        way, budget = self.way(metric, closed=True)
        step = max(budget.fewest, detectors * math.ceil(1 / CLEAR) - 1)
        most = max(step, min(_MOST_DRAWS, _DRAWN_WORK // max(way.work, 1)))
        if every_offset(self._places) <= most:
            by, *_ = self._turns(most, 0, generator(0))
            return NullTest.of(value, NullValues(way.values(by), exact=True), metric.row.better)
        risk = RISK / (1 + math.ceil(math.log2(most / step)))  # of each look
        reached = defined = drawn = 0
        looks: dict[int, tuple[int, int]] = {}
        while True:
            if drawn not in looks:
                both = drawn > 0 and reached == 0 and 4 * drawn <= min(most, _AT_ONCE)
                both = both and not is_decided(*surely_between(0, 2 * drawn, risk), detectors)
                looks |= self._looked_at(metric, way, value, (drawn, step), both=both)
            more, of = looks[drawn]
            reached, defined, drawn = reached + more, defined + of, drawn + step
            low, high = surely_between(reached, defined, risk)
            between = CLEAR / detectors < low < high <= CLEAR and drawn >= _BETWEEN
            if is_decided(low, high, detectors) or between or drawn >= most:
                p = (1 + reached) / (1 + defined)
                return NullTest(p, math.nan, drawn, exact=False, low=low, high=high)
            step = min(drawn, most - drawn)

    def _looked_at(
        self,
        metric: Metric,
        way: Shifting,
        value: float,
        look: tuple[int, int],
        *,
        both: bool,
    ) -> dict[int, tuple[int, int]]:
        """How many of the next shifts reach the value, and on how many there is one.

        A look is how many were drawn before, and how many are drawn next. If the first one of two
        will hardly decide, it costs less to make both at once.
        """
        drawn, step = look
        known = None if drawn else self._firsts.get(id(way))
        if known is not None and known.size == step:
            return {drawn: _reaching(known, value, metric.row.better)}
        if not _is_bounded(way, metric):
            parts = [
                _reaching(way.values(by), value, metric.row.better) for by in self._blocks(look)
            ]
            return {drawn: (sum(part[0] for part in parts), sum(part[1] for part in parts))}
        if not both or self.is_long:
            blocks = self._blocks(look)
            rows = [reached_by(metric, self.scored, value, way.once, by) for by in blocks]
            return {drawn: (sum(row.size for row in rows), step)}
        by = np.concatenate([self._stream(*look), self._stream(drawn + step, drawn + step)])
        early = reached_by(metric, self.scored, value, way.once, by) < step
        first = int(np.count_nonzero(early))
        return {drawn: (first, step), drawn + step: (early.size - first, drawn + step)}

    def _blocks(self, look: tuple[int, int]) -> list[Positions]:
        """The next shifts of the stream, some at a time: the same ones for every metric."""
        key = ("blocks", *self._key, *look, len(self.case.events))
        if key not in self._shared:
            by, events = self._stream(*look), self.case.events
            self._shared[key] = list(in_blocks(by, len(events), events.n))
        blocks: list[Positions] = self._shared[key]
        return blocks

    def _stream(self, drawn: int, step: int) -> Positions:
        """The next shifts of a stream that is always the same: no seed decides a verdict."""
        key = ("stream", *self._key, drawn, step)
        if key not in self._shared:
            by = stream_of_offsets(self._places, step, [_STREAM, drawn])
            self._shared[key] = self.moved(by)
        chosen: Positions = self._shared[key]
        return chosen

    def way(self, metric: Metric, *, closed: bool = False) -> tuple[Shifting, Budget]:
        """Choose the quickest way to judge shifts; a rule may see more than the set of scores."""
        key = id(metric), closed and self._has_islands(metric)
        if key not in self._ways:
            self._ways[key] = metric, *self._way(metric, closed=key[1])
        _, way, budget = self._ways[key]
        return way, budget

    def _way(self, metric: Metric, *, closed: bool) -> tuple[Shifting, Budget]:
        if metric.across == "macro":
            return self._of_each_line(metric, closed=closed)
        for quick in QUICK:
            if quick.fits(metric, self.case):
                return quick.way(metric, self, closed), quick.budget
        return OneByOne(metric, self.case, self._tell, self.bounds), ONE_BY_ONE

    def _of_each_line(self, metric: Metric, *, closed: bool) -> tuple[Shifting, Budget]:
        """The mean over lines, each by the way that is quickest for it.

        One threshold that is best for all cannot be found line by line.
        """
        from adjudge.noise.shifting.over_lines import MeanTurns  # noqa: PLC0415 - few need it

        if metric.oracle and not metric.each:
            return OneByOne(metric, self.case, self._tell, self.bounds), ONE_BY_ONE
        lines, own = self.case.parts, None
        if self.bounds is not None:  # which are the same on every line
            own = np.append(self.bounds[: len(self.bounds) // len(lines)], lines[0].events.n)
        ways = [CaseShifts(one, None, own).way(metric.per_channel, closed=closed) for one in lines]
        budget = min((budget for _, budget in ways), key=lambda one: one.most)
        return MeanTurns([way for way, _ in ways]), budget

    def flagged(self, metric: Metric) -> FlaggedCase:
        """The flags at the threshold of a metric, which metrics at the same one share."""
        flags, at, _ = metric.flags(self.case)
        if at not in self._flagged:
            self._flagged[at] = FlaggedCase(flags, self.circles)
        return self._flagged[at]

    @property
    def nearby(self) -> Self:
        """The same case with each tenth of a series turned by itself, as some do anyway."""
        return self if self._in_tenths else self._by_tenths

    @cached_property
    def _by_tenths(self) -> Self:
        edges = self.case.edges(self._tenths)
        return type(self)(self.case, self._tell, edges, self._shared, whole=self)

    def seasonal(self, period: int) -> Self:
        """The same case, each series turned by whole periods alone."""
        if period not in self._seasonal:
            cuts, steps = whole_periods(self.case.truth, period)
            edges, steps = self.case.edges(cuts), np.tile(steps, len(self.case.parts))
            self._seasonal[period] = type(self)(
                self.case, self._tell, edges, self._shared, steps, self
            )
        return self._seasonal[period]

    @cached_property
    def has_room_nearby(self) -> bool:
        """Whether a perfect detector could be told from its alarms nearby."""
        return not self.case.event_count or self._room <= CLEAR

    @property
    def _room(self) -> float:
        """The smallest p-value that a perfect detector gets by its alarms nearby."""
        return self.once("room", lambda: self._room_within(self._tenths))

    def _room_within(self, bounds: Positions) -> float:
        """The smallest p-value that a perfect detector gets where such parts turn."""
        truth = self.case.truth
        return room(truth, bounds, turning_together(truth, PointTime(truth), bounds))

    @property
    def shared(self) -> Shared:
        """What series have in common that share a clock; channels always turn together."""
        truth = self.case.truth
        clocks = int(truth.series_clocks.max()) + 1
        if clocks == truth.series_count:
            return Shared()
        together = "all series together" if clocks == 1 else f"series of {clocks} clocks together"
        bounds = self._tenths if self._in_tenths else truth.series_bounds
        least = self.once("least", lambda: self._room_within(bounds))
        return Shared(together, truth.clock_note, least)

    @cached_property
    def _tenths(self) -> Positions:
        """Where tenths of the truth begin, which turn by themselves nearby."""
        return self.once("tenths", lambda: tenths(self.case.truth))

    @cached_property
    def pieces(self) -> CasePieces:
        """The same case in pieces of time, for intervals."""
        return CasePieces(self.case, self.once("cut", lambda: CutTime(self.case.events)))

    def units(self, unit: str, groups: Positions | None) -> Units:
        """The units of evidence."""
        if groups is not None:
            return units_of(self.case.truth, unit, groups)
        return self.once(f"units {unit}", lambda: units_of(self.case.truth, unit))

    @cached_property
    def scored(self) -> ScoredCase:
        """The scores as ranks, of which metrics share what they look up."""
        whole = None if self._whole is None else self._whole()
        known = None if whole is None else whole.scored.ranks
        return ScoredCase(self.case, self.circles, known)

    def _chosen(self, most: int, drawn: int, seed: int | np.random.Generator) -> Offsets:
        """Choose the same shifts for every metric of a seed; a generator goes on drawing."""
        exact = every_offset(self._places) <= most
        if isinstance(seed, np.random.Generator) and not exact:
            return self._turns(most, drawn, seed)
        key = (*self._key, exact, 0 if exact else drawn, seed)
        if key not in self._shared:
            self._shared[key] = self._turns(most, drawn, generator(seed))
        chosen: Offsets = self._shared[key]
        return chosen

    @property
    def _key(self) -> tuple[bytes, ...]:
        """What shifts depend on."""
        steps = () if self._steps is None else (self._steps.tobytes(),)
        return (self.circles.lengths.tobytes(), *self._common.key, *steps)
