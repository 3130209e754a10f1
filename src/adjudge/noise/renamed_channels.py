"""Whether a detector knows which channel: the same alarms at the same times under other names.

The names of the channels are permuted. What a detector scores then that knows when, and nothing of
where.
"""

from __future__ import annotations

from itertools import permutations
from math import factorial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from adjudge.measure.whole.causes import Causes
from adjudge.measure.whole.channels import ChannelPrecision, IncidentRecall
from adjudge.noise.p_values import NullValues
from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from adjudge._typing import Array, Positions
    from adjudge.count.channels import EventChannels
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric

_ALL_NAMES = 7  # channels of which every order of names is tried
_NAMES_DRAWN = 999


def counts_channels(metric: Metric, case: Case) -> bool:
    """Whether a metric counts the channels of each event, at one threshold."""
    at_one = isinstance(metric.parts.measure, ChannelPrecision) and not metric.oracle
    return at_one and metric.asks_which_channel(case)


def asks_which(metric: Metric) -> bool:
    """Whether it matters to a metric which channel alarms."""
    return metric.row.channels and not isinstance(metric.parts.measure, IncidentRecall)


def renamed_values(
    metric: Metric, case: Case, shifts: int | None = None, seed: int = 0
) -> NullValues:
    """What the same alarms score when the names of their channels are permuted.

    All orders of up to seven channels, the own one left out; else some that are drawn.

    Parameters
    ----------
    metric : Metric
        One of channels or causes.
    case : Case
        Several channels.
    shifts, seed : int
        How many orders to draw, where these are not all; and the seed.
    """
    orders, exact = _orders(len(case.parts), shifts, seed)
    if not len(orders):
        return NullValues(np.zeros(0), exact)
    measure = cast("Any", metric.parts.measure)
    if isinstance(measure, Causes):
        scores, causes = measure.rows(case)
        values = [measure.value(scores[:, order], causes) for order in orders]
        return NullValues(np.array(values), exact)
    if not counts_channels(metric, case):
        return NullValues(np.array([_read(metric, case, order) for order in orders]), exact)
    flags, *_ = metric.flags(case)
    seen: EventChannels = measure.seen(case.channels)
    parts = np.array_split(orders, max(1, len(orders) * seen.affected.size // 1_000_000))
    values = [measure.value(seen.renamed(flags, part), case.channels) for part in parts]
    return NullValues(np.concatenate(values), exact)


def _read(metric: Metric, case: Case, order: Positions) -> float:
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
