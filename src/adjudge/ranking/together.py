"""Together: all series of a detector as one, and a threshold that it brings from elsewhere.

The pooled value is that of one call with ``series=``: masses are summed over the series before a
ratio is taken, so long series and those with many events weigh more. It needs all scores of a
detector at once.

An oracle's threshold, ``best(...)``, is chosen on the very labels that judge it. What a threshold
is worth that was found elsewhere is measured in two halves: the best threshold of every other
series, taken together, judges the rest, and the other way round. The gap between the two is
what the oracle gave away. Both are means over the same series: those on which the oracle has a
value, so most metrics leave series without events out. Scores may have other units on each series,
where no threshold can be brought along; so the gap is taken at the share of the points that is
flagged, which has no unit (``transferred_share``), and ``transferred`` stands beside it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.case import Case
from adjudge.data.intervals import repeat
from adjudge.errors import AdjudgeError, InputError, shown
from adjudge.ranking.keys import array_digest, print_of, truth_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.metrics.metric import Metric
    from adjudge.ranking.cells import Done
    from adjudge.ranking.sources import Unit


MOST_SCORES = 10_000_000
"""Scores of all detectors together, up to which pooled values are computed without being asked."""
_LITTLE = 1_000_000  # points of all series of a detector, up to which they are held in every form


class Held:
    """What was read, as long as it is little, so that the pooled values need not read it again."""

    def __init__(self, *, wanted: bool) -> None:
        self.wanted, self.scores = wanted, 0
        self._tables: dict[str, LabelledScores] = {}

    def add(self, done: Done, scores: int) -> None:
        """Hold what was read for a job, unless all of it together is too much."""
        self.scores += scores
        if self.scores > MOST_SCORES:
            self.wanted = False
            self._tables.clear()
        elif done.table is not None:
            self._tables[done.series] = done.table

    def unit(self, unit: Unit, detectors: Iterable[str]) -> Unit:
        """The unit, with just the scores of some detectors if it is held."""
        table = unit.read() if unit.held else self._tables.get(unit.series)
        return unit if table is None else unit.holding(_only(table, detectors))

    def batches(self, detectors: list[str]) -> Iterator[list[str]]:
        """Detectors to pool at once: one by one if all is held, else as many as are little."""
        size = 1 if self.wanted else max(1, len(detectors) * MOST_SCORES // max(1, self.scores))
        for start in range(0, len(detectors), size):
            yield detectors[start : start + size]


def _only(table: LabelledScores, detectors: Iterable[str]) -> LabelledScores:
    scores = {name: table.scores[name] for name in detectors if name in table.scores}
    return replace(table, scores=scores)


@dataclass(frozen=True)
class Pool:
    """Some detectors, the series that have them, and the metrics asked for."""

    detectors: tuple[str, ...]
    judged: tuple[tuple[Unit, dict[str, int]], ...]
    """Each series, and the fingerprints of what was judged there, by detector."""
    metrics: tuple[Metric, ...]
    missing: str = "refuse"


def pool(job: Pool) -> list[dict[str, Any]]:
    """Judge each detector on all its series at once, by each metric."""
    tables = [_unchanged(unit, seen) for unit, seen in job.judged]
    rows = []
    for detector in job.detectors:
        own = _OnSeries([t for t in tables if detector in t.scores], detector, job.missing)
        own.keep_what_can_be_judged()
        for metric in job.metrics:
            names = {"detector": detector, "requested": str(metric)}
            rows.append({**names, **_judged_series(metric, own)})
    return rows


def _unchanged(unit: Unit, seen: dict[str, int]) -> LabelledScores:
    """Read some detectors' scores again, as they were when they were judged.

    Raises
    ------
    InputError
        If they have changed: one line would hold means of the old and a pooled value of the new.
    """
    table = _only(unit.read(), seen)
    truth = truth_of(table)
    for detector, known in seen.items():
        if (
            detector not in table.scores
            or print_of(truth, array_digest(table.scores[detector])) != known
        ):
            raise InputError(
                f"data must stay as it is while a ranking runs, got another {shown(unit.series)} "
                f"for the pooled value of {shown(detector)} than was judged before; run it again"
            )
    return table


class _OnSeries:
    """A detector on its series: what it is judged on is put together once for all metrics.

    Parameters
    ----------
    tables : list of LabelledScores
        Its series.
    detector, missing : str
        Its name, and what is done where scores are missing.
    """

    def __init__(self, tables: list[LabelledScores], detector: str, missing: str) -> None:
        self.tables, self._detector, self._missing = tables, detector, missing
        self._made: dict[tuple[int, int], Case | None] = {}

    def keep_what_can_be_judged(self) -> None:
        """Leave the other series out."""
        kept = [self.alone(place) is not None for place in range(len(self.tables))]
        if not all(kept):
            self.tables = [one for one, keep in zip(self.tables, kept, strict=True) if keep]
            self._made.clear()

    @property
    def together(self) -> Case | None:
        """All series as one case; None where that fails, here and below."""
        return self._case(0, 1)

    def half(self, which: int) -> Case | None:
        """Every second series."""
        return self._case(which, 2)

    def alone(self, place: int) -> Case | None:
        """One series."""
        return self._case(place, max(2, len(self.tables)))

    @cached_property
    def as_shares(self) -> _OnSeries:
        """The same with the share of points that score no more in the place of each score.

        On that scale a threshold says how many points to flag, whatever units the scores have.
        """
        tables = [_as_shares(table, self._detector) for table in self.tables]
        return _OnSeries(tables, self._detector, self._missing)

    def _case(self, first: int, step: int) -> Case | None:
        if (first, step) in self._made:
            return self._made[first, step]
        case = _case(self.tables[first::step], self._detector, self._missing)
        if sum(len(table.labels) for table in self.tables) <= _LITTLE:
            self._made[first, step] = case
        return case


def _judged_series(metric: Metric, own: _OnSeries) -> dict[str, float | None]:
    """The values; NaN is undefined, and None could not be computed."""
    found = {"pooled": _value(metric, own.together)}
    if metric.oracle and len(own.tables) > 1:
        bare = replace(metric, oracle=False)
        found["transferred"] = _transferred(bare, own)
        found["transferred_share"] = _transferred(bare, own.as_shares)
    return found


def _as_shares(table: LabelledScores, detector: str) -> LabelledScores:
    scores = np.asarray(table.scores[detector], np.float64)
    there = ~np.isnan(scores)
    known = np.sort(scores[there])
    shares = np.full(len(scores), np.nan)
    shares[there] = np.searchsorted(known, scores[there], side="right") / len(known)
    return replace(table, scores={detector: shares})


def _value(metric: Metric, case: Case | None) -> float | None:
    try:
        return None if case is None else metric.reading(case).value
    except AdjudgeError:  # such as one value per threshold, and no threshold
        return None


def _case(tables: list[LabelledScores], detector: str, missing: str) -> Case | None:
    """Put series one after the other, as one call with ``series=`` has them; None: it fails."""
    if not tables:
        return None
    sizes = [len(table.labels) for table in tables]
    masked = any(table.where is not None for table in tables)
    where = [np.ones(len(t.labels), bool) if t.where is None else t.where for t in tables]
    try:
        return Case(
            np.concatenate([table.labels for table in tables]),
            np.concatenate([table.scores[detector] for table in tables]),
            series=repeat(np.arange(len(tables)), sizes),
            where=np.concatenate(where) if masked else None,
            missing=missing,
        )
    except AdjudgeError:  # so it did by itself
        return None


def _transferred(metric: Metric, own: _OnSeries) -> float | None:
    """The mean over series at the threshold of the other half."""
    oracle, values = replace(metric, oracle=True), []
    for half in (0, 1):
        at = _best_threshold(oracle, own.half(half))
        if at is None:
            return None
        cases = (own.alone(place) for place in range(1 - half, len(own.tables), 2))
        judged = [case for case in cases if case is not None and _has_best(oracle, case)]
        values += [_value(metric.with_settings(at=at), case) for case in judged]
    defined = [value for value in values if value is not None and not math.isnan(value)]
    return float(np.mean(defined)) if defined else math.nan


def _best_threshold(oracle: Metric, case: Case | None) -> float | None:
    try:
        return None if case is None else oracle.reading(case).at
    except AdjudgeError:  # series that only fail together
        return None


def _has_best(oracle: Metric, case: Case) -> bool:
    """Say whether the oracle has a value; with events it has one."""
    value = None if len(case.events) else _value(oracle, case)
    return value is None or not math.isnan(value)
