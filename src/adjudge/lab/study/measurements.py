"""Measurements: one experiment in, one row out.

What a row says of an experiment is read at its marking (``score > threshold``), not from the
detections behind the scores; only areas and the two distances look at the scores themselves.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from adjudge.count.cache import CountCache
from adjudge.data.case import Case
from adjudge.errors import InputError
from adjudge.lab.simulation.event_profile import attributes
from adjudge.lab.simulation.simulator import simulate
from adjudge.lab.study.designs import DESIGNS, false_alarms_of, overlap_of
from adjudge.measure.whole.separation import hellinger, separation
from adjudge.metrics.metric import Metric
from adjudge.metrics.reader import metric

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudge._typing import Flags, Floats
    from adjudge.data.events import Events

COUNTS = (
    "experiment", "points", "events", "hits", "false_alarms",
    "events_found", "runs", "true_runs", "false_runs",
)  # fmt: skip
"""Columns of whole numbers."""

SCORES = {
    "f1": "f1",
    "f1_pa": "f1_pa",
    "f1_kpa": "f1_kpa(k=0.2)",
    "f1_ba": "f1_ba",
    "f1_ba_printed": 'f1_ba(reading="printed")',
    "f1_ba_authors": 'f1_ba(width=25, reading="authors")',
}
"""The scores that are always there, and what they are."""

DESCRIBED = (
    "experiment", "points", "events", "anomaly_fraction", "hits", "false_alarms", "overlap",
    "separation", "hellinger", "precision", "recall", "coverage",
    "events_found", "runs", "true_runs", "false_runs",
)  # fmt: skip
"""What a row says of the experiment before any metric."""

_STANDING = frozenset({"f1", "f1_pa", "f1_kpa", "f1_ba", "separation", "hellinger"})
"""Specs that mean what the column of that name holds anyway."""


def asked_metrics(metrics: str | Metric | Iterable[str | Metric]) -> tuple[str, ...]:
    """Read the metrics that are asked for beyond those that are always there.

    >>> asked_metrics(["f1", "f1_ba(width = 5)", "f1_ba(width=5)"])
    ('f1_ba(width=5)',)
    """
    given = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    specs = dict.fromkeys(str(metric(spec)) for spec in given)
    further = tuple(spec for spec in specs if spec not in _STANDING)
    for spec in further:
        if spec in (*DESCRIBED, *SCORES):
            raise InputError(
                f"metrics must differ from the columns of the table, got {spec!r}: "
                "there it is about events"
            )
    return further


def columns_of(metrics: tuple[str, ...]) -> tuple[str, ...]:
    """Name the columns of a table with these further metrics."""
    return (*DESCRIBED, *SCORES, *metrics)


class Experiment(NamedTuple):
    """Labels and scores of one experiment, and what they were drawn with."""

    events: Events
    scores: Floats
    marks: Flags
    """Which points lie above the threshold."""
    hits: int
    false_alarms: int
    overlap: float


def simulate_experiment(design: str, seed: int, index: int, guard: int) -> Experiment:
    """Experiment of a design whose rows are independent of each other."""
    plan = DESIGNS[design](seed, index, guard)
    case, scenario = simulate(*plan), plan.scenario
    hits, false_alarms = scenario.hits[0], false_alarms_of(scenario)  # type: ignore[index]
    overlap = overlap_of(scenario)
    return Experiment(case.events, case.scores, case.marks, hits, false_alarms, overlap)


def measure(index: int, experiment: Experiment, metrics: tuple[str, ...]) -> list[float]:
    """Row of an experiment, in the order of the columns."""
    events, scores, marks, hits, false_alarms, overlap = experiment
    described: dict[str, float] = {
        "experiment": index,
        "points": events.n,
        "anomaly_fraction": float(events.widths.sum() / events.n),
        "hits": hits,
        "false_alarms": false_alarms,
        "overlap": overlap,
        "separation": separation(scores, events),
        "hellinger": hellinger(scores, events),
        **attributes(marks, events)._asdict(),
    }
    case, flagged = Case(events, scores), Case(events, marks)
    counts = CountCache()
    values = [
        one.reading(flagged if _at_the_marking(one) else case, counts).value
        for one in _read(metrics)
    ]
    return [described[name] for name in DESCRIBED] + values


def written(row: list[float]) -> str:
    """Write a row: whole numbers as such, others with every digit they need, undefined as nan.

    >>> written([3, 0.1, float("nan")])
    '3,0.1,nan'
    """
    return ",".join(map(repr, row))


@lru_cache(maxsize=8)
def _read(metrics: tuple[str, ...]) -> tuple[Metric, ...]:
    return tuple(metric(spec) for spec in (*SCORES.values(), *metrics))


def _at_the_marking(one: Metric) -> bool:
    return one.needs_threshold
