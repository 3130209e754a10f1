"""One detector's alerts beside the incidents, in watched time: counted at home, and turned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from adjudge.count.alerts_on_lines import AlertsOnLines
from adjudge.count.runs import Runs
from adjudge.count.time_count import TimeCount, TurnedCount, counted_at_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

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

    tells_optimism: ClassVar[bool] = False
    """Whether it is known by how much the best threshold flatters."""

    def rows_by(self, metric: Any) -> Ledger:
        """The rows of its alerts by a metric."""
        found: Ledger = metric.ledger_of(self.outcome)
        return found

    @property
    def truth(self) -> Events:
        """What there is to find, in its order alone."""
        return self.rows.truth

    def turned_counts(
        self, offsets: Positions, edges: Sequence[Positions] | None = None
    ) -> TurnedCount:
        """The outcomes of `turned`, many at once: a row of offsets for each turn."""
        return TurnedCount(self, self.placed(self.move(offsets, edges)), len(offsets))

    usual_turns = 199
    """How many turns are made of it where nobody says it."""

    def room(self, edges: Sequence[Positions]) -> Positions:
        """To how many places each block can be turned."""
        return np.concatenate([np.zeros(0, np.int64), *map(np.diff, edges)])

    def turned_each(
        self, offsets: Positions, edges: Sequence[Positions]
    ) -> Iterator[tuple[Self, int]]:
        """What `turned` gives for each row of offsets; and how many copies stand in each case."""
        for one in offsets:
            elsewhere = replace(self)
            vars(elsewhere)["outcome"] = self.turned_counts(one[np.newaxis], edges)
            yield elsewhere, 1
