"""Versions: what is kept of a judgement for the next version, and the next version beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError
from adjudge.judging.comparing.stored import against, chosen, facing_stored, read_stored, rows_of
from adjudge.judging.doors.compare import comparison_of
from adjudge.judging.judge.tuning import thresholds_by_name
from adjudge.metrics.reader import metric as read_metric
from adjudge.noise.ask import Ask

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from adjudge.judging.comparing.facing import Facing
    from adjudge.judging.comparing.stored import Against
    from adjudge.judging.inputs.contract import Input
    from adjudge.judging.judge.judge import Request
    from adjudge.judging.result_columns import Finding


@dataclass(frozen=True)
class Versions:
    """The detectors of a call, as they face versions before and after them.

    Attributes
    ----------
    data, request : Input, Request
        The detectors, and what was asked.
    """

    data: Input
    request: Request

    def kept(self, rows: Sequence[Finding]) -> list[dict[str, Any]]:
        """What is stored of each detector and metric at a threshold."""
        return [
            {"detector": row.detector, "metric": row.metric, **said}
            for row, _, said in self._own(rows)
        ]

    def against(self, rows: Sequence[Finding], path: str | os.PathLike[str]) -> tuple[Against, ...]:
        """Each detector beside what was stored of the version before."""
        stored = read_stored(path)
        found = tuple(
            self._one(row, two, chosen(stored, row.detector, row.metric))
            for row, two, _ in self._own(rows)
        )
        if not found:
            raise InputError(
                "against needs rows to compare, and areas and best(...) have none: give at= "
                "(--at X), or compare with the old scores"
            )
        return found

    def _one(self, row: Finding, two: Facing, said: dict[str, Any]) -> Against:
        both = facing_stored(two, said)
        names = row.detector, f"{row.detector} before"
        found, seen = comparison_of(both, names, self._ask)
        old = both.rivals[1].side
        assert old is not None  # noqa: S101 - it was stored
        return against(found, seen, old)

    @property
    def _ask(self) -> Ask:
        return Ask(unit=self.request.ask.unit, seed=self.request.ask.seed)

    def _own(self, rows: Sequence[Finding]) -> Iterator[tuple[Finding, Facing, dict[str, Any]]]:
        """Each row at a threshold, its detector facing itself, and what is stored of it.

        Not of all metrics, which would be too much, and not of runs.
        """
        if self.request.every or self.data.runs:
            return
        levels = thresholds_by_name(self.request.at, self.data.detectors, {})
        for row in rows:
            metric = read_metric(row.requested)
            if metric.oracle or not metric.resamples:
                continue
            at = levels[row.detector]
            two = self.data.only(row.detector).facing(metric, (at, at), self._ask)
            said = rows_of(two.rivals[0])
            if said is not None:
                yield row, two, said
