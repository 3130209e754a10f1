"""One detector's alerts beside the incidents, in watched time: counted at home, and turned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from adjudge.count.alerts_on_lines import AlertsOnLines
from adjudge.count.time_count import TimeCount, TurnedCount, counted_at_home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Positions


@dataclass(frozen=True, eq=False)
class AlertCase(AlertsOnLines):
    """One detector's alerts beside the incidents, in watched time."""

    @cached_property
    def outcome(self) -> TimeCount:
        """What became of incidents and alerts."""
        return TurnedCount(self, self.placed(), 1) if self.moves else counted_at_home(self)

    def turned_counts(
        self, offsets: Positions, edges: Sequence[Positions] | None = None
    ) -> TurnedCount:
        """The outcomes of `turned`, many at once: a row of offsets for each turn."""
        return TurnedCount(self, self.placed(self.move(offsets, edges)), len(offsets))
