"""Blocks of time: windows, the weeks of a decision, and what the gate deals out anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adjudge._typing import Floats, Positions
    from adjudge.count.ledger import Ledger


@dataclass(frozen=True, eq=False)
class Blocks:
    """Stretches of time, one after the other."""

    edges: Positions
    """When each begins, and when the last one ends."""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.edges) - 1

    def sums(self, ledger: Ledger, time: Any) -> Floats:
        """What rows on lines of time lie in each: found, truth, right, flagged and normal.

        Parameters
        ----------
        ledger, time : Ledger, PointTime or WatchedTime
            The rows, and the lines that they are on.
        """
        return ledger.blocks(time.cuts(self.edges))[1:-1]
