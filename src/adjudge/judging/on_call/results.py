"""What is known of incidents and alerts beside the rows: what an on-call team asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjudge.judging.beside import Beside, By

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.on_call.case import Answers, OnCallCase
    from adjudge.judging.on_call.parts import Breakdown
    from adjudge.tables.table import Table


@dataclass(frozen=True, eq=False)
class OnCallResults(Beside):
    """The incidents beside the alerts of each detector."""

    cases: tuple[OnCallCase, ...]

    @property
    def alert_cases(self) -> tuple[OnCallCase, ...]:
        """The incidents beside the alerts of each detector."""
        return self.cases

    @property
    def answers(self) -> dict[str, Answers]:
        """The numbers that an on-call team asks for, by detector."""
        return {case.name: case.answer for case in self.cases}

    @property
    def sentences(self) -> tuple[str, ...]:
        """The same in a sentence for each detector."""
        several = len(self.cases) > 1
        return tuple(f"{case.name}: " * several + case.sentence for case in self.cases)

    @property
    def tables(self) -> list[Table]:
        """Of one detector its numbers by service, where there are several."""
        return self._by_service.tables if self._has_services and len(self.cases) == 1 else []

    @property
    def notes(self) -> list[str]:
        """What may be wrong with the tables: services without alerts, clocks that differ."""
        asked = ((case.name, said) for case in self.cases for said in (case.silent, case.offset))
        return [f"{name}: {said}" for name, said in asked if said]

    def to_beside(self) -> dict[str, Any]:
        """The numbers, the sentences, and the numbers by service where there are several."""
        each = {name: dict(answer) for name, answer in self.answers.items()}
        told: dict[str, Any] = {"on_call": each if len(each) > 1 else next(iter(each.values()))}
        told |= {"sentences": list(self.sentences)}
        return told | ({"by": list(self._by_service.rows)} if self._has_services else {})

    @property
    def _has_services(self) -> bool:
        return any(len(case.watched.parts) > 1 for case in self.cases)

    @property
    def _by_service(self) -> Breakdown:
        return self._parted("service", None)

    def _parted(self, column: str, bins: Sequence[Any] | None) -> Breakdown:
        from adjudge.judging.on_call.parts import breakdown  # noqa: PLC0415 - for who asks

        return breakdown(self.cases, column, bins)

    def parted(self, cases: Any, events: Any, by: By) -> Breakdown:  # noqa: ARG002 - incidents know
        """Part the incidents by a column of theirs, by service or by length.

        Parameters
        ----------
        cases, events : sequence of Case, sequence of dict
            What was judged of each detector, and the events of all.
        by : By
            What they are parted by, and where lengths are cut.
        """
        return self._parted(*by)
