"""What is known beside the rows of a judgement: of points nothing, of other data some tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.data.case import Case
    from adjudge.judging.on_call.case import Answers, OnCallCase
    from adjudge.judging.on_call.parts import Breakdown
    from adjudge.judging.result_columns import Finding
    from adjudge.tables.table import Table


class By(NamedTuple):
    """What events are parted by: a column of theirs, or their length."""

    column: str
    bins: Sequence[Any] | None
    """Where lengths are cut; None: where most would."""


class Beside:
    """What is known of incidents, channels or annotators; of points alone nothing more."""

    @property
    def alert_cases(self) -> tuple[OnCallCase, ...]:
        """The incidents beside the alerts of each detector."""
        return ()

    @property
    def answers(self) -> dict[str, Answers]:
        """The numbers that an on-call team asks for, by detector."""
        return {}

    @property
    def tables(self) -> list[Table]:
        """What is laid out below the rows."""
        return []

    @property
    def notes(self) -> list[str]:
        """What is to be said beside the tables."""
        return []

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer in words, of each detector."""
        return ()

    def to_beside(self) -> dict[str, Any]:
        """The same as plain values, by the names that results have them under."""
        return {}

    def counts(self, row: Finding) -> dict[str, int] | None:  # noqa: ARG002 - channels have sums
        """The raw counts of a row, where they are no counts of points as one."""
        return None

    def parted(self, cases: Sequence[Case], events: Sequence[dict[str, Any]], by: By) -> Breakdown:
        """Part the events of all detectors by a column.

        Parameters
        ----------
        cases, events : sequence of Case, sequence of dict
            What was judged of each detector, and the events of all.
        by : By
            What they are parted by, and where lengths are cut.
        """
        from adjudge.judging.on_call.parts import breakdown_of_points  # noqa: PLC0415 - for who asks

        return breakdown_of_points(cases, events, *by)
