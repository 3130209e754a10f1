"""Blocks of time: windows, the weeks of a decision, and what the gate deals out anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

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

    def cuts(self, case: Any) -> Positions:
        """Where they begin and end on each line of a case, between the ends of the line."""
        return np.asarray(case.time.cuts(self.edges))

    def sums(self, ledger: Ledger, case: Any) -> Floats:
        """What rows of a case lie in each: found, truth, right, flagged and normal."""
        return ledger.blocks(self.cuts(case))[1:-1]
