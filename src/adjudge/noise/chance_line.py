"""The chance line: what stands beside every value that a detector scores.

Value, what the same alarms would have scored elsewhere in time, what an always-on alarm would have
scored, the share of the way from chance to perfect, intervals, and p-values.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast

import numpy as np

from adjudge.noise.ask import Ask
from adjudge.noise.chance_columns import ChanceLine
from adjudge.noise.null_models import (
    NULLS,
    NearbyNull,
    NullModel,
    ShiftedNull,
    TurnedNull,
    assumed_by,
)
from adjudge.noise.p_values import CLEAR, NullTest, holm, max_t
from adjudge.noise.pooled_p import places_of_series
from adjudge.noise.shifting.shifted_case import PLACES_SEED
from adjudge.noise.shifting.turning import Shared

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adjudge._typing import Floats
    from adjudge.metrics.metric import Metric
    from adjudge.noise.p_values import NullValues, PlacesOfSeries
    from adjudge.noise.shifting.shifted_case import CaseShifts
    from adjudge.noise.shifting.turning import Turning

CHANCE_REVISION = 16
"""Raised whenever the chance line of the same alarms changes: stored results are then made again.
`tests/golden/chance_lines.json` holds what it stands for."""
_ONE_SIDED, _POWER = 1.645, 0.842  # standard errors for 5 % and for 80 %
End = Literal["p", "low", "high"]
_ENDS: tuple[End, ...] = ("p", "low", "high")
_FOUR_OF_FIVE = 1.282  # standard errors on either side of what holds in four cases of five


_DEFAULT = Ask()


def chance_line(
    metric: Metric,
    shifting: Turning,
    value: float,
    ask: Ask = _DEFAULT,
    at: float | None = None,
    always_on: float | None = None,
) -> ChanceLine:
    """Hold a value against chance; an oracle's threshold and the score of all alarms, if known.

    >>> from adjudge.metrics.reader import metric
    >>> from adjudge.data.case import Case
    >>> case = Case([0] * 50 + [1] * 10 + [0] * 40, [0] * 52 + [1] * 4 + [0] * 44)
    >>> from adjudge.noise.shifting.shifted_case import CaseShifts
    >>> line = chance_line(metric("f1_ba(width=11)"), CaseShifts(case), 1.0)
    >>> print(f"{line.chance:.3f} {line.always_on:.3f} {line.p_value:.2f} {line.exact}")
    0.112 0.182 0.07 True
    """
    ask = ask if ask.null is not None else replace(ask, null=ShiftedNull())
    better = metric.row.better
    null = ask.null.values(metric, shifting, ask.shifts, ask.seed)
    chance = ask.null.level(metric, shifting, null)
    places = _places(metric, shifting, value, null, ask)  # which the tests know then
    tests = _tested(metric, shifting, value, null, ask)
    test = tests[ask.null.name]
    shifting.drop()
    optimism, low = shifting.optimism(metric, ask.seed), metric.row.range[0]
    found = shifting.evidence(metric, value, ask.unit, ask.groups, at)
    found = found.lowered(optimism, low)
    shifting.drop()
    passes = _largest(tests, "low") <= CLEAR
    top = metric.row.range[1 if better == "higher" else 0]
    corrected = sorted(_corrected(end, chance, top) for end in (found.low, found.high))
    ahead = (value - chance) * (1 if better == "higher" else -1)
    needed = _needed(shifting.case.event_count, ahead, null.values, found.se)
    return ChanceLine(
        chance=chance,
        null=ask.null.name,
        always_on=shifting.always_on(metric) if always_on is None else always_on,
        **_of_positions(metric, shifting),
        corrected=_corrected(value, chance, top),
        corrected_low=corrected[0],
        corrected_high=corrected[1],
        low=found.low,
        high=found.high,
        conditional_low=found.conditional_low,
        conditional_high=found.conditional_high,
        evidence=found.words,
        evidence_unit=found.unit,
        evidence_units=found.units,
        effective_units=found.equal,
        optimism=optimism,
        p_value=test.p,
        assumes=assumed_by(ask.null.name, apart=bool(shifting.case.clocks.any())),
        p_adjusted=_largest(tests, "p"),
        p_nearby=_nearby(tests),
        p_joint=_largest(tests, "p"),
        p_worse=_below(metric, shifting, value, test, ask),
        nearby_testable=shifting.has_room_nearby,
        shifts=test.size,
        **(shifting.shared if isinstance(ask.null, TurnedNull) else Shared())._asdict(),
        exact=test.exact,
        shared_rhythm=shifting.shared_rhythm(metric, at, passes=passes),
        tests=tests,
        places=places,
        event_count=shifting.case.event_count,
        events_needed=needed[1],
        events_needed_low=needed[0],
        events_needed_high=needed[2],
    )


class LineAsked(NamedTuple):
    """A value that is to be compared with chance, and what is known of it."""

    metric: Metric
    turning: Turning
    value: float
    at: float | None = None
    """The threshold, of an oracle."""
    always_on: float | None = None
    """What all alarms score, if it is known."""


def chance_lines(asked: Sequence[LineAsked], ask: Ask = _DEFAULT) -> Iterator[ChanceLine]:
    """The lines of several metrics, maybe of several detectors: `chance_line` of each, for less.

    What metrics see of the same alarms at other places is looked at once for all of them.

    >>> from adjudge.metrics.reader import metric
    >>> from adjudge.data.case import Case
    >>> from adjudge.noise.shifting.shifted_case import CaseShifts
    >>> shifts = CaseShifts(Case([0] * 60 + [1] * 10 + [0] * 60, [*range(130)]))
    >>> both = [LineAsked(metric(name), shifts, 0.5) for name in ("best(f1)", "ap")]
    >>> [f"{line.chance:.3f}" for line in chance_lines(both)]
    ['0.347', '0.167']
    """
    for turning in {id(one.turning): one.turning for one in asked}.values():
        turning.expect([one.metric for one in asked if one.turning is turning])
    for metric, turning, value, at, always_on in asked:
        yield chance_line(metric, turning, value, ask, at, always_on)


def _of_positions(metric: Metric, shifting: Turning) -> dict[str, Any]:
    """What a rival scores that knows nothing of positions, and whether changes share a rhythm."""
    if not metric.row.positions:
        return {}
    from adjudge.noise.position_shifts import blind, is_evenly_spaced  # noqa: PLC0415 - few need it

    events = shifting.case.events
    at_all_thresholds = metric.row.needs == "scores"  # of which alarms without scores have none
    rival = math.nan if at_all_thresholds else blind(metric, events)
    return {"blind_level": rival, "alarms_evenly_spaced": is_evenly_spaced(events)}


def _tested(
    metric: Metric, shifting: Turning, value: float, null: NullValues, ask: Ask
) -> dict[str, NullTest]:
    """The test by the null model that was asked for, and by the joint ones where it may pass."""
    given = ask.null
    if isinstance(given, NullModel):
        test = given.tested(metric, shifting, value, ask, null)
    else:
        test = NullTest.of(value, null, metric.row.better)
    tests = {given.name: test}
    shifting.drop()
    for kind in NULLS.values():
        if kind.joint and kind.name not in tests and not math.isnan(test.p):
            other: NullTest | None = None
            if test.low <= CLEAR or shifting.needs_every_test:
                other = kind().tested(metric, shifting, value, ask)
            elif ask.is_family and issubclass(kind, TurnedNull):  # others are compared with it
                other = kind().turning(shifting).only_places(metric)
                other = None if other is None else other._replace(p=test.p)
            if other is not None:
                tests[kind.name] = other
    return tests


def _below(metric: Metric, shifting: Turning, value: float, test: NullTest, ask: Ask) -> float:
    """How often luck does no better; where that is rare, by the joint null models too.

    Scores that rise with time are low in events that come early, for no fault of the detector.
    """
    below = test.below
    for kind in NULLS.values():
        if below <= CLEAR and kind.joint and kind.name != ask.null.name:
            null = kind().values(metric, shifting, ask.shifts, PLACES_SEED)
            below = max(below, NullTest.of(value, null, metric.row.better).below)
    return below


def _places(
    metric: Metric, shifting: Turning, value: float, null: NullValues, ask: Ask
) -> PlacesOfSeries | None:
    """The values at some places, where they are asked for: the null values, if they are these."""
    if not ask.places:
        return None
    same = isinstance(ask.null, ShiftedNull) and ask.seed == PLACES_SEED
    known = null if same else None
    points = cast("CaseShifts", shifting)  # series of a ranking are points
    return places_of_series(metric, points, value, ask.places, known)


def _nearby(tests: Mapping[str, NullTest]) -> float:
    test = tests.get(NearbyNull.name)
    return math.nan if test is None or not test.made else test.p


def _largest(tests: Mapping[str, NullTest], end: End) -> float:
    ends = [float(getattr(test, end)) for test in tests.values() if test.made]
    return math.nan if any(map(math.isnan, ends)) else max(ends)


def _corrected(value: float, chance: float, top: float) -> float:
    far = math.isinf(top)  # nothing is perfect then
    return math.nan if far or chance == top else (value - chance) / (top - chance)


def _needed(
    events: int, ahead: float, null: Floats, se: float
) -> tuple[int | None, int | None, int | None]:
    """Say how many events it would take: both spreads fall with the root of their number.

    In the middle the number for the value as it is, beside it those for a value that is better or
    worse by what the interval leaves open in four cases of five; None: no number would do.

    Parameters
    ----------
    events, ahead : int, float
        How many there are, and how much better than chance the value is.
    null, se : array, float
        What chance scores, and the standard error of the value.
    """
    defined = null[np.isfinite(null)]
    if not events or not defined.size or not ahead > 0 or math.isnan(se):
        return None, None, None
    spread = _ONE_SIDED * float(defined.std()) + _POWER * se
    by = _FOUR_OF_FIVE * se
    best, own, worst = (
        max(1, math.ceil(events * (spread / d) ** 2)) if d > 0 else None
        for d in (ahead + by, ahead, ahead - by)
    )
    return best, own, worst


Line = TypeVar("Line", bound=ChanceLine)


def adjusted(lines: Sequence[Line]) -> list[Line]:
    """Adjust the p-values of several detectors for their number.

    Where a null model has moved all detectors to the same places, by the highest value of all of
    them at each place (`max_t`), else by Holm's method. Which of both is known before any p-value.
    One null model is enough: who knows nothing of the labels gets small p-values by neither, and a
    verdict needs small ones by all.

    >>> tests = [{"shifts": NullTest(p, low=p, high=p)} for p in (0.01, 0.04, 0.03)]
    >>> [line.p_adjusted for line in adjusted([ChanceLine(tests=test) for test in tests])]
    [0.03, 0.06, 0.06]
    """
    tested = [place for place, line in enumerate(lines) if not math.isnan(_p(line))]
    found = list(lines)
    families = _Family([dict(lines[place].tests) for place in tested])
    for place, p, low, high in zip(tested, *families.ends(), strict=True):
        decided = not low <= CLEAR < high
        found[place] = replace(lines[place], p_adjusted=p, decided=decided, tests={})
    return found


def _p(line: ChanceLine) -> float:
    return _largest(line.tests, "p") if line.tests else math.nan


class _Family:
    """The tests of several detectors."""

    def __init__(self, tests: list[dict[str, NullTest]]) -> None:
        self._tests = tests
        names = dict.fromkeys(name for one in tests for name in one)
        self._together = [name for name in names if self._is_together(name)]

    def _is_together(self, name: str) -> bool:
        """Whether a null model has moved all detectors to the same places."""
        places = [one[name].places if name in one else None for one in self._tests]
        return len({None if one is None else one.size for one in places} | {None}) == 2 and all(
            one is not None for one in places
        )

    def ends(self) -> list[list[float]]:
        """The adjusted p-values, and the least and the most that each may be."""
        if len(self._tests) == 1 and not self._together:  # who is alone has nothing to adjust
            return [[min(_largest(self._tests[0], end), 1.0)] for end in _ENDS]
        together = [max_t([one[name] for one in self._tests]) for name in self._together]
        alone = [
            {name: test for name, test in one.items() if test.made and name not in self._together}
            for one in self._tests
        ]
        return [self._adjusted(end, alone, together) for end in _ENDS]

    def _adjusted(
        self, end: End, alone: list[dict[str, NullTest]], together: Sequence[Floats] = ()
    ) -> list[float]:
        """By Holm's method, unless detectors were tested together: then by themselves too."""
        each = [np.array([_largest(one, end) for one in alone])] if all(alone) else []
        parts = [*together, *(each if together else map(holm, each))]
        worst: list[float] = np.max(parts, axis=0).tolist()
        return worst
