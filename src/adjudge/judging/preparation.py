"""Make ready what a caller gave: a case per detector, and the threshold it is judged at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.alignment import check_indexes
from adjudge.data.case import Case
from adjudge.data.columns import column as read_column
from adjudge.data.columns import frame_columns
from adjudge.data.events import Events
from adjudge.data.truth import Columns, sorted_by_time, time_of, time_order, truth
from adjudge.errors import InputError, UnknownName
from adjudge.judging.tuning import Tuned, read_tuned
from adjudge.measure.thresholds import Rule
from adjudge.metrics.sorted_rules import reordered
from adjudge.metrics.threshold_reader import threshold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge._typing import Column, Positions


@dataclass(frozen=True)
class Given:
    """How labels and scores are to be read; see `adjudge.Case`."""

    series: Column = None
    where: Column = None
    time: Column = None
    positive: object = None
    missing: str = "refuse"
    sort: bool = False


class Prepared(NamedTuple):
    """One detector, ready to be judged."""

    case: Case
    at: float | None
    """The threshold; None if nobody chose one."""
    rule: str
    """The rule that chose the threshold, and on what; "" for a number."""
    is_tuned: bool
    """Whether the labels of another part were looked at."""
    skipped: int
    """How many points were left out because they have no score."""
    order: Positions | None = None
    """Where each point stood before all were sorted; None: they were not."""


def prepared(labels: Column, scores: Column, at: Any, given: Given) -> Iterator[Prepared]:
    """Check everything once, and give the detectors one by one."""
    detectors = detectors_of(scores)
    beside = {"series": given.series, "where": given.where, "time": given.time}
    check_indexes(labels=labels, **_named(detectors), **beside)  # before the labels lose theirs
    chosen = _per_detector(at, [name for name, _ in detectors], runs_of(scores))
    order = None
    if given.sort:
        unsorted = given
        labels, detectors, given = _sorted(labels, detectors, given)
        order = time_order(unsorted.time, unsorted.series)
    first = detectors[0][1]  # which helps to spot swapped arguments
    events = truth(
        labels,
        first.labels if isinstance(first, Events) else read_column(first, "scores"),
        series=given.series,
        where=given.where,
        positive=given.positive,
        time=time_of(given.time, first, given.series),
    )
    for name, column in detectors:
        moved = chosen[name] if order is None else _reordered(chosen[name], order)
        yield _prepared(events, column, name, moved, given.missing)._replace(order=order)


def _prepared(events: Events, column: Column, name: str, at: Any, missing: str) -> Prepared:
    case = Case(events, column, name=name, missing=missing)
    skipped = _judged_points(events) - _judged_points(case.events)
    if isinstance(at, Tuned):
        found = at.threshold(case.events, column, name)
        rest = case.events.within(where=~at.on.mask(events.n))
        case = Case(rest, column, name=name)
        return Prepared(case, found, str(at), is_tuned=True, skipped=skipped)
    if isinstance(at, Rule):
        return Prepared(case, at(case), str(at), is_tuned=False, skipped=skipped)
    return Prepared(case, at, "", is_tuned=False, skipped=skipped)


def detectors_of(scores: Column) -> list[tuple[str, Column]]:
    """The detectors by name: one column, a mapping or a data frame; each run by itself."""
    columns = frame_columns(scores)
    if columns is None:
        return [("detector", scores)]
    if not columns:
        raise InputError("scores must hold at least one detector, got none")
    return [one for name, column in columns.items() for one in _runs(name, column)]


def runs_of(scores: Column) -> dict[str, tuple[str, int]]:
    """For each run of a detector, the detector and the number of the run."""
    columns = frame_columns(scores) or {}
    return {
        run: (name, number)
        for name, column in columns.items()
        for number, (run, _) in enumerate(_runs(name, column), 1)
        if run != name
    }


def _runs(name: str, column: Column) -> list[tuple[str, Column]]:
    """Tell several runs, a list of columns, from one column."""
    listed = isinstance(column, (list, tuple)) and len(column) > 0
    if not listed or not all(_is_column(run) for run in column):
        return [(name, column)]
    return [(f"{name} run {number}", run) for number, run in enumerate(column, 1)]


def _is_column(run: Any) -> bool:
    try:
        return not isinstance(run, str) and len(run) > 1
    except Exception:  # noqa: BLE001 - a number, or whatever somebody's object does
        return False


def _named(detectors: list[tuple[str, Column]]) -> dict[str, Column]:
    """The columns as a caller would write them."""
    several = len(detectors) > 1
    return {f"scores[{name!r}]" if several else "scores": column for name, column in detectors}


def _judged_points(events: Events) -> int:
    return events.n if events.judged is None else int(np.count_nonzero(events.judged))


def _sorted(
    labels: Column, detectors: list[tuple[str, Column]], given: Given
) -> tuple[Column, list[tuple[str, Column]], Given]:
    """Put the points in the order of time, series by series."""
    names, columns = zip(*detectors, strict=True)
    found = sorted_by_time(Columns(labels, list(columns), given.series, given.where, given.time))
    how = Given(found.series, found.where, found.time, given.positive, given.missing)
    return found.labels, list(zip(names, found.scores, strict=True)), how


def _reordered(at: Any, order: Positions) -> Any:
    """Let the part that a threshold is learnt on go with its points."""
    if isinstance(at, Tuned):
        return replace(at, on=at.on.reordered(order))
    return reordered(at, order)


def _per_detector(
    at: Any, names: list[str], runs: Mapping[str, tuple[str, int]]
) -> dict[str, float | Rule | Tuned | None]:
    """Read the threshold of each detector: one for all, or a mapping with one for each."""
    if not isinstance(at, Mapping):
        return dict.fromkeys(names, _read(at))
    given = {str(name): _read(value) for name, value in at.items()}
    bases = {name: runs.get(name, (name, 0))[0] for name in names}
    for name in given:
        if name not in bases.values():
            raise UnknownName("detector", name, bases.values(), "at= names it")
    for name in bases.values():
        if name not in given:
            raise InputError(f"at must name every detector, got none for {name!r}")
    return {name: given[base] for name, base in bases.items()}


def _read(at: Any) -> float | Rule | Tuned | None:
    at = read_tuned(at)
    return at if at is None or isinstance(at, Tuned) else threshold(at)
