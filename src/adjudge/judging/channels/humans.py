"""Humans: annotators judged as detectors, each against each other one by the same metric.

What a detector cannot be asked to pass.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.case import Case
from adjudge.data.channels import ChannelCase, KnownChannels, truth_of
from adjudge.judging.inputs.annotated import voted
from adjudge.judging.judge.judge import findings_of_one
from adjudge.judging.judge.prepared import Prepared
from adjudge.metrics.across_channels import macro

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask


class AnnotatorBaseline(NamedTuple):
    """What annotators score who are judged as detectors."""

    metric: str
    value: float
    """The mean over all ordered pairs: one annotator as the detector, another as the truth."""
    low: float
    high: float
    chance: float
    """The same of annotators whose labels are shifted."""
    least: float
    """The lowest of all pairs."""
    pairs: int
    majority: float
    """The mean of each against the majority of the others; undefined with fewer than three."""


def humans_of(
    voters: KnownChannels, metrics: Sequence[Metric], ask: Ask
) -> tuple[AnnotatorBaseline, ...]:
    """What annotators score as detectors, by metrics that flags have a value of.

    Parameters
    ----------
    voters, metrics, ask : Channels, sequence of Metric, Ask
        The labels of each annotator; metrics of one of them; what stands beside values.
    """
    pairs = [
        (a, b)
        for a, b in permutations(range(len(voters.names)), 2)
        if _share_points(voters.events[a], voters.events[b])
    ]
    if not pairs:
        return ()
    names = tuple(f"{voters.names[b]} by {voters.names[a]}" for a, b in pairs)
    case = _of_pairs(voters, pairs, names)
    against, ready = _against_majority(voters), Prepared(case, None, "", False, 0)
    found = {}
    for metric in metrics:
        plain = replace(metric, oracle=False, at=None)
        over = macro(plain)
        (row,) = findings_of_one([over], ready, replace(ask, zero_division=math.nan))
        each = [plain.reading(part).value for part in case.parts]
        others = math.nan if against is None else over.reading(against).value
        worst = np.nanmax if metric.row.better == "lower" else np.nanmin
        least = float(worst(each)) if not np.isnan(each).all() else math.nan
        found[str(metric)] = AnnotatorBaseline(
            str(metric), row.value, row.low, row.high, row.chance, least, len(pairs), others,
        )  # fmt: skip
    return tuple(found.values())


def _share_points(one: Events, other: Events) -> bool:
    return bool((one.judged_flags & other.judged_flags).any())


def _of_pairs(
    voters: KnownChannels, pairs: Sequence[tuple[int, int]], names: tuple[str, ...]
) -> ChannelCase:
    """Annotators as detectors: one flags, another is the truth, where both have judged."""
    parts = []
    for detector, truth in pairs:
        flagged, events = voters.events[detector], voters.events[truth]
        if flagged.judged is not None:
            events = events.within(where=flagged.judged)
        parts.append(Case(events, flagged.labels, name="humans"))
    return _as_channels(names, parts)


def _against_majority(voters: KnownChannels) -> ChannelCase | None:
    """Each annotator against the majority of the others; None where there are too few."""
    if len(voters.names) < 3:
        return None
    parts, names = [], []
    for place, flagged in enumerate(voters.events):
        others = [e for other, e in enumerate(voters.events) if other != place]
        rest = KnownChannels(tuple(map(str, range(len(others)))), tuple(others), None)
        events = voted(rest, "majority")
        if not _share_points(flagged, events):
            continue
        if flagged.judged is not None:
            events = events.within(where=flagged.judged)
        parts.append(Case(events, flagged.labels, name="humans"))
        names.append(voters.names[place])
    return _as_channels(tuple(names), parts)


def _as_channels(names: tuple[str, ...], parts: Sequence[Case]) -> ChannelCase:
    truth = tuple(part.events for part in parts)
    return ChannelCase.of(KnownChannels(names, truth, truth_of(truth)), parts, "humans")
