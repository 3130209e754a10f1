"""Null models: what ``null=`` takes, and what a new one must say.

A null model is a detector that knows nothing of the labels. The chance line asks it two things:
what such detectors score, and what their level is. A new one is one file with a class that
has the three members of `Null`; pass an instance as ``null=``, or enter it into
`adjudge.noise.null_choice.NULLS` to give it a name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric
    from adjudge.noise.p_values import NullValues
    from adjudge.noise.shifts import CaseShifts


@runtime_checkable
class Null(Protocol):
    """A detector that is blind to the labels."""

    @property
    def name(self) -> str:
        """What results call it."""
        ...

    def values(
        self, metric: Metric, shifting: CaseShifts, shifts: int | None, seed: int
    ) -> NullValues:
        """What such detectors score on the same labels.

        Parameters
        ----------
        metric : Metric
            What is scored, with its threshold.
        shifting : CaseShifts
            The case of the detector that is held against them (``shifting.case``), and its shifts.
        shifts : int, optional
            How many to make; None: as many as are worth it.
        seed : int
            The same seed gives the same values.

        Returns
        -------
        NullValues
            The values, the detector's own left out, and whether these are all there are.
        """
        ...

    def level(self, metric: Metric, shifting: CaseShifts, null: NullValues) -> float:
        """The number to hold a value against: the expected score, or the values' mean."""
        ...
