"""The quick ways to judge many shifts, in the order in which they are tried."""

# Idea: what a metric looks at decides how much of a shift must be looked at again.
# Invariant: each way gives what judging shift by shift gives (`OneByOne`, its slow twin in tests).
# Trap: a rule sees more of a case than the set of its scores, so it is judged shift by shift.

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from adjudge.measure.thresholds.contract import Rule
from adjudge.noise.shifting.one_by_one import Budget
from adjudge.noise.shifting.shifted_flags import FlagShifts, can_be_counted
from adjudge.noise.shifting.shifted_scores import can_be_swept, shifting_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric
    from adjudge.noise.shifting.one_by_one import Shifting
    from adjudge.noise.shifting.rotation import Rotation
    from adjudge.noise.shifting.shifted_flags import FlaggedCase
    from adjudge.noise.shifting.shifted_scores import ScoredCase

OF_FLAGS = Budget(1_000_000, 999, 999)
"""Of flags at one threshold."""
_SCORES = Budget(500_000, 199, 199)
_POSITIONS = Budget(4_000_000, 199, 999)


class ShiftsOfCase(Protocol):
    """What is looked up once for all shifts of a case, whichever way they are judged."""

    case: Case

    @property
    def circles(self) -> Rotation:
        """What turns."""
        ...

    @property
    def scored(self) -> ScoredCase:
        """The scores as ranks."""
        ...

    def flagged(self, metric: Metric) -> FlaggedCase:
        """The flags at the threshold of a metric."""
        ...

    def way(self, metric: Metric, *, closed: bool = False) -> tuple[Shifting, Budget]:
        """The quickest way for a metric; islands may run round closed circles."""
        ...


class Quick(NamedTuple):
    """A quick way to judge shifts, equal to judging each of them by itself."""

    fits: Callable[[Metric, Case], bool]
    way: Callable[[Metric, ShiftsOfCase, bool], Shifting]
    """Made of the metric and the shifts; islands may run round closed circles."""
    budget: Budget


def _of_positions(metric: Metric, shifts: ShiftsOfCase, _: bool) -> Shifting:
    from adjudge.noise.position_shifts import PositionShifts  # noqa: PLC0415 - few need it

    return PositionShifts(metric, metric.flags(shifts.case)[0], shifts.circles)


def _are_channels(metric: Metric, case: Case) -> bool:
    from adjudge.noise.renamed_channels import counts_channels  # noqa: PLC0415 - few need it

    return metric.row.channels and counts_channels(metric, case)


def _of_channels(metric: Metric, shifts: ShiftsOfCase, _: bool) -> Shifting:
    from adjudge.noise.shifting.over_lines import EventTurns  # noqa: PLC0415 - few need it

    return EventTurns(metric, shifts.case, shifts.circles)


def _by_rule(metric: Metric) -> bool:
    """Whether a rule sets the threshold anew: it may see more than the set of scores."""
    return isinstance(metric.at, Rule)


QUICK = (
    Quick(_are_channels, _of_channels, OF_FLAGS),
    Quick(
        lambda metric, _: metric.row.positions and metric.at_one_threshold and not _by_rule(metric),
        _of_positions,
        _POSITIONS,
    ),
    Quick(
        lambda metric, case: can_be_counted(metric, case.events) and not _by_rule(metric),
        lambda metric, shifts, closed: FlagShifts(metric, shifts.flagged(metric), closed=closed),
        OF_FLAGS,
    ),
    Quick(
        can_be_swept,
        lambda metric, shifts, closed: shifting_of(metric, shifts.scored, closed=closed),
        _SCORES,
    ),
)
"""The quick ways, the first that fits first; what none fits is judged shift by shift."""
