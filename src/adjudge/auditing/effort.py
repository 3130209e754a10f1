"""Effort: how many trials an audit draws, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.auditing.confidence import LOOKS


class OutOfTime(Exception):  # noqa: N818 - reads as what it is
    """The experiment has spent its time."""


@dataclass(frozen=True)
class Effort:
    """How much an audit spends.

    Attributes
    ----------
    trials : int
        Trials at the first look of a statistical axiom; `LOOKS` says how they grow.
    pairs, fuzz : int
        Pairs of detectors of C-2, and inputs of L9.
    cap, total : float
        Seconds that one axiom may take, and all of them together; when these are spent each of
        those that are left still has a moment.
    call : float
        Seconds that one call of a user's metric may take before it counts as hanging.
    """

    name: str
    trials: int
    pairs: int
    fuzz: int
    cap: float
    total: float
    call: float

    def looks(self) -> tuple[int, ...]:
        """Numbers of trials at which a statistical axiom may be decided."""
        return tuple(self.trials * times for times in LOOKS)


EFFORTS = {
    "quick": Effort("quick", 40, 600, 400, 1.0, 4.0, 1.0),
    "normal": Effort("normal", 200, 3000, 3000, 3.0, 9.0, 2.0),
    "thorough": Effort("thorough", 400, 20_000, 40_000, 60.0, 600.0, 10.0),
}
