"""One detector's alerts beside the incidents, in watched time: counted at home, and turned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.alerts_on_lines import AlertsOnLines, turned
from adjudge.count.time_count import TimeCount, TurnedCount, counted_at_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from adjudge._typing import Positions


@dataclass(frozen=True, eq=False)
class AlertCase(AlertsOnLines):
    """One detector's alerts beside the incidents, in watched time."""

    @cached_property
    def outcome(self) -> TimeCount:
        """What became of incidents and alerts."""
        return counted_at_home(self)

    def turned(self, offsets: Positions, edges: Positions | None = None) -> TurnedCount:
        """What becomes of the alerts when they are turned: starts within their block of the line.

        Parameters
        ----------
        offsets : array of int
            How far, by turn, line and block: (turns, lines, blocks).
        edges : array of int
            Where the blocks of each line begin, closed by its end: each turns by itself. Default:
            the whole line.
        """
        edges = np.stack([0 * self.lengths, self.lengths], axis=1) if edges is None else edges
        by_line = np.moveaxis(offsets, 1, 0)
        placed = [
            turned(*one) for one in zip(self.turning, self.lines, edges, by_line, strict=True)
        ]
        return TurnedCount(self, placed, len(offsets))

    usual_turns = 199
    """How many turns are made of it where nobody says it."""

    def turned_apart(self, offsets: Positions, edges: Positions) -> Iterator[tuple[Self, int]]:
        """The alerts elsewhere, each block turned by itself; and how many copies these are.

        Parameters
        ----------
        offsets : array of int
            How far: a row per turn, the blocks of all lines one after another.
        edges : array of int
            As of `turned`.
        """
        for one in offsets.reshape(len(offsets), 1, len(edges), -1):
            elsewhere = replace(self)
            vars(elsewhere)["outcome"] = self.turned(one, edges)
            yield elsewhere, 1

    def room(self, edges: Positions) -> Positions:
        """To how many places each block can be turned."""
        return np.diff(edges).ravel()
