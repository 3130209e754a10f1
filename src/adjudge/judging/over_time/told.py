"""Stretches of time that are told bit by bit: marks of points, and outages.

What is counted already stays as it was. A stretch without an end is open; telling it again, with
its end, closes it, and touches nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adjudge.data.incidents import OPEN


@dataclass
class Stretch:
    """From when up to when, and what is told of it: a label, or a service."""

    start: int
    end: int
    what: Any


class ToldStretches:
    """All stretches that were told and are not over, in the order in which they were told.

    Examples
    --------
    >>> told = ToldStretches()
    >>> told.tell(5, OPEN, True, counted=0), told.tell(5, 9, True, counted=0)
    (False, False)
    >>> told.tell(3, 8, True, counted=4)  # 3 is counted already
    True
    >>> told.all
    [Stretch(start=5, end=9, what=True), Stretch(start=4, end=8, what=True)]
    """

    def __init__(self) -> None:
        self.all: list[Stretch] = []
        self._open: dict[tuple[int, Any], Stretch] = {}

    def tell(self, start: int, end: int, what: Any, counted: int) -> bool:
        """Add a stretch, or close the open one that began there.

        Returns whether it came too late: whether it tells of a time before `counted`.
        """
        known = self._open.pop((start, what), None)
        late = (start if known is None else end) < counted
        if known is None:
            known = Stretch(max(start, counted), end, what)
            self.all.append(known)
        known.end = max(end, counted)
        if end == OPEN:
            self._open[start, what] = known
        return late

    def forget(self, counted: int) -> None:
        """Let go what lies wholly before a time."""
        self.all = [one for one in self.all if one.end > counted]
