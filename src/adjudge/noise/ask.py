"""All that is asked about the values of one call."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adjudge.checks import DRAWS, boolean, whole, word
from adjudge.noise.intervals.units import UNITS

if TYPE_CHECKING:
    from adjudge._typing import Positions


@dataclass(frozen=True)
class Ask:
    """What stands beside each value, checked before anything is judged.

    Attributes
    ----------
    null, shifts, seed : null model, int, int
        With what a value is compared; None: with the same alarms, shifted. How many shifts are
        drawn; None: as many as are needed.
    detectors : int
        How many are judged in one call: so many times smaller a p-value may have to be.
    unit, groups : str, array of int
        What intervals rest on, and the number of the data set of each point.
    places : int
        At how many places the values are kept, to be pooled over series.
    chance, white_noise, label_slack : bool, bool, int
        Whether values are compared with chance and with white noise; by how many points the
        borders of events may be wrong.
    draws : int
        How often best thresholds are chosen anew to see how much they flatter; None: as usual.
    zero_division : float
        What is given where a value is undefined.
    common : bool
        Whether all of them can be moved to the same places, and so be tested together.
    shared : dict
        The shifts that were chosen, and what the labels alone decide: the detectors of a call
        share it.
    """

    null: Any = None
    shifts: int | None = None
    seed: int = 0
    detectors: int = 1
    unit: str = "auto"
    groups: Positions | None = None
    places: int = 0
    chance: bool = True
    white_noise: bool = False
    label_slack: int = 0
    draws: int | None = None
    zero_division: float = math.nan
    common: bool = False
    shared: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check what was asked."""
        boolean(self.chance, "chance")
        boolean(self.white_noise, "white_noise")
        whole(self.label_slack, "label_slack", 0)
        if self.shifts is not None:
            whole(self.shifts, "shifts", 1, DRAWS)
        if self.draws is not None:
            whole(self.draws, "draws", 1, DRAWS)
        word(self.unit, "unit", UNITS)

    @property
    def is_family(self) -> bool:
        """Whether detectors are tested together."""
        return self.common and self.detectors > 1
