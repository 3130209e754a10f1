"""Make ready what a caller gave: a case per detector, and the threshold it is judged at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.data.alignment import check_indexes
from adjudge.data.case import Case
from adjudge.data.columns import frame_columns
from adjudge.data.events import Events
from adjudge.errors import InputError, UnknownName
from adjudge.judging.tuning import Tuned, read_tuned
from adjudge.measure.thresholds import Rule
from adjudge.metrics.threshold_reader import threshold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge._typing import Column


class Prepared(NamedTuple):
    """One detector, ready to be judged."""

    case: Case
    at: float | None
    """The threshold; None if nobody chose one."""
    rule: str
    """The rule that chose the threshold, and on what; "" for a number."""
    is_tuned: bool
    """Whether the labels of another part were looked at."""


def prepared(
    labels: Column, scores: Column, at: Any, *, series: Column, where: Column
) -> Iterator[Prepared]:
    """Check everything once, and give the detectors one by one."""
    detectors = detectors_of(scores)
    for _, column in detectors:  # all of them, before the labels lose their index
        check_indexes(labels=labels, scores=column, series=series, where=where)
    chosen = _per_detector(at, [name for name, _ in detectors])
    events = labels
    if not isinstance(events, Events):  # checked once; the first detector helps to spot a swap
        events = Case(labels, detectors[0][1], series=series, where=where).events
        series = where = None
    events = events.within(series=series, where=where)
    for name, column in detectors:
        yield _prepared(events, column, name, chosen[name])


def _prepared(events: Events, column: Column, name: str, at: Any) -> Prepared:
    if isinstance(at, Tuned):
        found = at.threshold(events, column, name)
        rest = events.within(where=~at.on.mask(events.n))
        return Prepared(Case(rest, column, name=name), found, str(at), is_tuned=True)
    case = Case(events, column, name=name)
    if isinstance(at, Rule):
        return Prepared(case, at(case), str(at), is_tuned=False)
    return Prepared(case, at, "", is_tuned=False)


def detectors_of(scores: Column) -> list[tuple[str, Column]]:
    """The detectors by name: one column, a mapping or a data frame."""
    columns = frame_columns(scores)
    if columns is None:
        return [("detector", scores)]
    if not columns:
        raise InputError("scores must hold at least one detector, got none")
    return list(columns.items())


def _per_detector(at: Any, names: list[str]) -> dict[str, float | Rule | Tuned | None]:
    """Read the threshold of each detector: one for all, or a mapping with one for each."""
    if not isinstance(at, Mapping):
        return dict.fromkeys(names, _read(at))
    given = {str(name): _read(value) for name, value in at.items()}
    for name in given:
        if name not in names:
            raise UnknownName("detector", name, names, "at= names it")
    for name in names:
        if name not in given:
            raise InputError(f"at must name every detector, got none for {name!r}")
    return given


def _read(at: Any) -> float | Rule | Tuned | None:
    at = read_tuned(at)
    return at if at is None or isinstance(at, Tuned) else threshold(at)
