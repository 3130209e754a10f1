"""Chance of several channels: all turn together; or the same alarms under other names.

*When*: channels fire together because one cause moves them, and events lie on several at once. So
all channels of a series turn by one offset. Turned apart, both ties would break, and the null model
would be too narrow: a blind detector on six alike channels has p <= .05 in .27 of the runs.

*Which*: the same alarms at the same times, the names of the channels permuted. What a detector
scores then that knows when, and nothing of where.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations
from math import factorial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from adjudge.count.channels import Alarming
from adjudge.data.channels import ChannelCase  # noqa: TC001 - a field of a class
from adjudge.measure.thresholds import Rule
from adjudge.measure.whole.causes import Causes
from adjudge.measure.whole.channels import ChannelPrecision, IncidentRecall
from adjudge.noise.intervals.evidence import units_of
from adjudge.noise.intervals.read_anew import read_evidence
from adjudge.noise.p_values import NullValues
from adjudge.noise.shifting.offsets import generator
from adjudge.noise.shifting.rotation import Rotation, Stretches, in_blocks
from adjudge.noise.shifting.shifted_case import OF_FLAGS, ONE_BY_ONE, CaseShifts, OneByOne
from adjudge.noise.shifting.shifted_flags import RotatedFlags, UnrolledFlags

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.count.channels import EventChannels, Looks
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.evidence import Evidence
    from adjudge.noise.shifting.shifted_case import Budget, Shifting

_ALL_NAMES = 7  # channels of which every order of names is tried
_NAMES_DRAWN = 999


class ChannelShifts(CaseShifts):
    """The shifts of several channels, all of which turn together."""

    case: ChannelCase

    def expected(self, metric: Metric) -> float:
        """The same of what is counted channel by channel and added up; NaN of others."""
        return super().expected(metric) if metric.across == "micro" else math.nan

    def flattery(self, metric: Metric, seed: int) -> float:  # noqa: ARG002 - nothing is known of it
        """By how much ``best(...)`` flatters: not known."""
        return math.nan

    def is_coarse(self, detectors: int) -> bool:  # noqa: ARG002 - Holm's method corrects for them
        """Whether so many detectors must be tested together: several channels never are."""
        return False

    def _way(self, metric: Metric, *, closed: bool) -> tuple[Shifting, Budget]:
        """Choose the quickest way; what is counted channel by channel turns with all others."""
        one_by_one = OneByOne(metric, self.case, self._tell, self.bounds)
        if isinstance(metric.parts.measure, ChannelPrecision) and not metric.oracle:
            return _EventShifts(metric, self.case, self.circles), OF_FLAGS
        if metric.across == "macro" and (metric.each or not metric.oracle):
            return self._each(metric, closed=closed)
        if metric.across == "micro" and not isinstance(metric.at, Rule):
            return super()._way(metric, closed=closed)
        return one_by_one, ONE_BY_ONE

    def _each(self, metric: Metric, *, closed: bool) -> tuple[Shifting, Budget]:
        """The mean over channels, each by the way that is quickest for it."""
        count, n = len(self.case.channels.names), self.case.channels.events[0].n
        bounds = None if self.bounds is None else self.bounds[: len(self.bounds) // count + 1]
        own = bounds if bounds is None else np.append(bounds[:-1], n)
        shifts = [CaseShifts(part, None, own) for part in self.case.parts]
        ways = [one.way(metric.of_one, closed=closed) for one in shifts]
        budget = min((budget for _, budget in ways), key=lambda one: one.most)
        return _MeanShifts([way for way, _ in ways]), budget

    def evidence(
        self,
        metric: Metric,
        value: float,
        unit: str,
        groups: Positions | None = None,  # noqa: ARG002 - channels have none
        at: float | None = None,
    ) -> Evidence:
        """An interval by what becomes of the value without each event, on all channels at once.

        On long series it is not read anew: the rows of the event are taken away from the sums.
        """
        if at is not None and metric.oracle:
            metric = replace(metric, oracle=False, at=at)
        units = units_of(self.case.truth, unit)
        return read_evidence(metric, self.case, value, units)


class _MeanShifts:
    """The mean of a metric over channels, at any shift of all of them."""

    def __init__(self, ways: list[Shifting]) -> None:
        self._ways = ways

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return sum(way.work for way in self._ways)

    def values(self, by: Positions) -> Floats:
        """The mean over the channels on which there is a value."""
        parts = np.split(by, len(self._ways), axis=1)
        table = np.array([way.values(one) for way, one in zip(self._ways, parts, strict=True)])
        known = ~np.isnan(table)
        count = np.count_nonzero(known, axis=0)
        sums = np.where(known, table, 0.0).sum(axis=0)
        return np.where(count > 0, sums / np.maximum(count, 1), np.nan)


class _EventShifts:
    """Which channels alarm during events, at any shift: a few looks for each event and channel."""

    def __init__(self, metric: Metric, case: ChannelCase, circles: Rotation) -> None:
        self._measure = cast("Any", metric.parts.measure)
        self._channels, self._circles = case.channels, circles
        self._seen: EventChannels = self._measure.seen(case.channels)
        self._flags = UnrolledFlags(metric.flags(case)[0], circles)

    @property
    def work(self) -> int:
        """About how many numbers one shift looks at."""
        return 2 * len(self._seen.looks.cell) + len(self._seen.excuses.cell) + 1

    def values(self, by: Positions) -> Floats:
        """The value at each shift."""
        return np.concatenate([self._values(block) for block in in_blocks(by, self.work)])

    def _values(self, by: Positions) -> Floats:
        turned = RotatedFlags(self._flags, self._circles, by)
        alarming, excused = (self._any(turned, at) for at in (self._seen.looks, self._seen.excuses))
        found = Alarming(self._seen.affected[:, :, np.newaxis], alarming, excused)
        return np.asarray(self._measure.value(found, self._channels), np.float64)

    def _any(self, turned: RotatedFlags, at: Looks) -> Flags:
        hit = turned.hits(Stretches(at.starts, at.stops)) > 0
        found = np.zeros((self._seen.shape[0] * self._seen.shape[1], hit.shape[1]), bool)
        np.logical_or.at(found, at.cell, hit)
        return found.reshape(*self._seen.shape, hit.shape[1])


def asks_which(metric: Metric) -> bool:
    """Whether it matters to a metric which channel alarms."""
    return metric.row.channels and not isinstance(metric.parts.measure, IncidentRecall)


def renamed_values(
    metric: Metric, case: ChannelCase, shifts: int | None = None, seed: int = 0
) -> NullValues:
    """What the same alarms score when the names of their channels are permuted.

    All orders of up to seven channels, the own one left out; else some that are drawn.

    Parameters
    ----------
    metric : Metric
        One of channels or causes.
    case : ChannelCase
        What is judged.
    shifts, seed : int
        How many orders to draw, where these are not all; and the seed.
    """
    orders, exact = _orders(len(case.channels.names), shifts, seed)
    if not len(orders):
        return NullValues(np.zeros(0), exact)
    measure = cast("Any", metric.parts.measure)
    if isinstance(measure, Causes):
        scores, causes = measure.rows(case)
        values = [measure.value(scores[:, order], causes) for order in orders]
        return NullValues(np.array(values), exact)
    if metric.oracle or not isinstance(measure, ChannelPrecision):
        return NullValues(np.array([_read(metric, case, order) for order in orders]), exact)
    flags, *_ = metric.flags(case)
    seen: EventChannels = measure.seen(case.channels)
    parts = np.array_split(orders, max(1, len(orders) * seen.affected.size // 1_000_000))
    values = [measure.value(seen.renamed(flags, part), case.channels) for part in parts]
    return NullValues(np.concatenate(values), exact)


def _read(metric: Metric, case: ChannelCase, order: Positions) -> float:
    table: Array = case.given.reshape(len(order), -1)
    return metric.reading(case.reordered(table[order].reshape(-1))).value


def _orders(count: int, shifts: int | None, seed: int) -> tuple[Positions, bool]:
    """Orders of the channels, without their own one, and whether these are all."""
    if count <= _ALL_NAMES and (shifts is None or factorial(count) <= shifts + 1):
        every = np.array(list(permutations(range(count))), np.int64)
        return every[1:], True
    rng = generator(seed)
    drawn = [rng.permutation(count) for _ in range(_NAMES_DRAWN if shifts is None else shifts)]
    return np.array(drawn), False
