"""One detector's alerts beside the incidents, in watched time: counted at home, and turned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from adjudge.count.alerts_on_lines import AlertsOnLines
from adjudge.count.runs import Runs
from adjudge.count.time_count import TimeCount, TurnedCount, counted_at_home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Positions
    from adjudge.count.ledger import Ledger
    from adjudge.data.events import Events


@dataclass(frozen=True, eq=False)
class AlertCase(AlertsOnLines):
    """One detector's alerts beside the incidents, in watched time."""

    @cached_property
    def outcome(self) -> TimeCount:
        """What became of incidents and alerts."""
        return TurnedCount(self, self.placed(), 1) if self.moves else counted_at_home(self)

    @property
    def has_alarms(self) -> bool:
        """Whether any alert counts, or found something."""
        return bool(self.outcome.table_row.size or self.outcome.found.any())

    @cached_property
    def rows(self) -> Ledger:
        """A row for each incident and for each false alert: what units of evidence are made of."""
        return self.outcome.ledger(Runs().in_time(self.outcome))

    @property
    def truth(self) -> Events:
        """What there is to find, in its order alone."""
        return self.rows.truth

    def turned_counts(
        self, offsets: Positions, edges: Sequence[Positions] | None = None
    ) -> TurnedCount:
        """The outcomes of `turned`, many at once: a row of offsets for each turn."""
        return TurnedCount(self, self.placed(self.move(offsets, edges)), len(offsets))
