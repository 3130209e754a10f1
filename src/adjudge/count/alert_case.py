"""One detector's alerts beside the incidents, in watched time: counted at home, and turned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.alerts_on_lines import AlertsOnLines, turned
from adjudge.count.time_count import TimeCount, TurnedCount, counted_at_home

if TYPE_CHECKING:
    from adjudge._typing import Positions


@dataclass(frozen=True, eq=False)
class AlertCase(AlertsOnLines):
    """One detector's alerts beside the incidents, in watched time."""

    @cached_property
    def outcome(self) -> TimeCount:
        """What became of incidents and alerts."""
        return counted_at_home(self)

    def turned(self, offsets: Positions, blocks: int = 1) -> TurnedCount:
        """What becomes of the alerts when they are turned: starts within their block of the line.

        Parameters
        ----------
        offsets : array of int
            How far, by turn, line and block: (turns, lines, blocks).
        blocks : int
            Into how many equal parts each line is cut, which turn by themselves.
        """
        by_line = np.moveaxis(offsets, 1, 0)
        placed = [
            turned(one, line, np.linspace(0, line.length, blocks + 1).astype(np.int64), by)
            for one, line, by in zip(self.turning, self.lines, by_line, strict=True)
        ]
        return TurnedCount(self, placed, len(offsets))
