"""Facing: two detectors on what is judged of both, each at its threshold, however they came."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.data.durations import NANOSECONDS
from adjudge.data.time_settings import even_step
from adjudge.errors import InputError
from adjudge.judging.judge.prepared import without
from adjudge.judging.judge.tuning import found_on_part
from adjudge.judging.words.places import gap_words
from adjudge.measure.thresholds.contract import Rule
from adjudge.measure.thresholds.text import extreme_text, flag_count
from adjudge.noise.comparing.rivals import Rival
from adjudge.noise.shifting.shifted_case import CaseShifts

if TYPE_CHECKING:
    from adjudge._typing import Positions
    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric

    Two = tuple[Any, Any]


class Facing(NamedTuple):
    """Two detectors on what is judged of both."""

    rivals: tuple[Rival, Rival]
    spec: str
    """The metric, with every setting resolved."""
    notes: tuple[str, ...] = ()
    seconds_per_point: float = math.nan
    """How many seconds a point is, where the values are delays or distances."""
    groups: Positions | None = None
    """The number of the data set of each point."""


def refuse_whole(metric: Metric) -> None:
    """Refuse a metric of flags that is no sum over events and alarms."""
    if metric.row.needs != "scores" and not metric.resamples and not metric.row.channels:
        raise InputError(
            f"{metric} is not a sum over events and alarms, so compare cannot resample them; "
            "use f1_ba or event_f1, or rank on many series"
        )


def facing_points(metric: Metric, cases: tuple[Case, Case], at: Two) -> Facing:
    """Two detectors on the same points."""
    cases, at, notes = _on_the_rest(cases, at)
    events = cases[0].events
    timed, step = metric.on(events), even_step(events)
    sides = [
        timed.with_default_threshold(one).apply_policy(case)
        for one, case in zip(at, cases, strict=True)
    ]
    a, b = (Rival.of(own, CaseShifts(case)) for own, case in sides)
    if metric.row.needs != "scores":
        notes += tuple(filter(None, map(_extreme, (a, b))))
    notes += tuple(filter(None, [gap_words(events)]))
    counting = metric.parts.counting
    timed_value = counting is not None and counting.in_seconds() is not None and step is not None
    seconds = (step or 0) / NANOSECONDS["s"] if timed_value else math.nan
    return Facing((a, b), metric.resolved_spec(events), notes, seconds)


def facing_channels(
    over: Metric,
    cases: tuple[Case, Case],
    at: Two,
    named: str = "{}",
) -> Facing:
    """Two detectors on several channels, or beside several annotators: as one where that is asked.

    Parameters
    ----------
    over, cases, at : Metric, pair of Case, pair of thresholds
        The metric of all channels, and what is compared.
    named : str
        How the metric of one channel is written, where all are taken as one.
    """
    first, second = cases[0].common(cases[1])
    joined = over.across == "any_channel" or len(first.parts) == 1
    if joined and not over.row.channels and not any(isinstance(one, Rule) for one in at):
        found = facing_points(over.per_channel, (first.joined, second.joined), at)
        return found._replace(spec=named.format(found.spec))
    seen = (
        over.with_default_threshold(one).seen(case)
        for one, case in zip(at, (first, second), strict=True)
    )
    a, b = (Rival.of(metric, CaseShifts(case)) for metric, case in seen)
    own = over.per_channel if named == "{}" else over
    return Facing((a, b), own.resolved_spec(first.events))


def _extreme(rival: Rival) -> str:
    """Say that a detector flags nothing, or everything."""
    case = rival.turning.case
    said = extreme_text(rival.at, flag_count(case, rival.at), *case.score_range)
    return f"{case.name}: {said}" if said else ""


def _on_the_rest(
    cases: tuple[Case, Case], at: Two
) -> tuple[tuple[Case, Case], Two, tuple[str, ...]]:
    """Find thresholds that are to be tuned on parts; the rest is compared, and a note says so."""
    found = [found_on_part(case, one) for case, one in zip(cases, at, strict=True)]
    parts = list(dict.fromkeys(part for _, part in found if part is not None))
    if not parts:
        return cases, at, ()
    words = " and ".join(map(str, parts))
    note = f"thresholds were tuned on {words}; only the rest is compared"
    first, second = (without(case, *parts) for case in cases)
    return (first, second), (found[0][0], found[1][0]), (note,)
