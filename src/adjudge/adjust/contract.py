"""The contract of an adjustment: what it does to scores, and what it says about itself.

A new adjustment is a frozen dataclass below `Adjustment`, its settings declared by
`adjudge.settings.setting`. Only ``__call__`` must be written; every other member has a default that
is right for an adjustment that raises no islands and is settled by its settings alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Array, Flags, Positions
    from adjudge.data.case import Case
    from adjudge.data.events import Events


_BLOCK = 1 << 16
_INT32 = 1 << 31  # so many points can be counted in four bytes


class Islands(NamedTuple):
    """Which flags were widened, and how far: what a receipt needs to say who pays.

    A flag marks ``before`` points to its left and ``after`` to its right. Where that differs, both
    are one number per point: how far to its right, and to its left, a flag may lie that marks it.
    """

    raised_by: Flags
    before: int | Positions
    after: int | Positions

    def sources(self, events: Events) -> Positions:
        """How many points there are, for each point, whose island holds it.

        >>> from adjudge.data.events import Events
        >>> Islands(np.array([True, True, False]), 1, 1).sources(Events.from_labels([0, 0, 0]))
        array([2, 2, 1], dtype=int32)
        """
        raised_by = self.raised_by if events.judged is None else self.raised_by & events.judged
        whole = np.int32 if events.n < _INT32 else np.int64
        sums, bounds = np.zeros(events.n + 1, whole), events.series_bounds
        np.cumsum(raised_by, out=sums[1:])
        counts: Positions = np.empty(events.n, whole)
        for begin in range(0, events.n, _BLOCK):  # blocks keep the working memory small
            place = np.arange(begin, min(begin + _BLOCK, events.n))
            home = np.searchsorted(bounds, place, side="right")
            before, after = (far if isinstance(far, int) else far[place] for far in self[1:])
            last = np.minimum(place + before + 1, bounds[home])
            counts[place] = sums[last] - sums[np.maximum(place - after, bounds[home - 1])]
        return counts


class Marking(NamedTuple):
    """A rule by which flags can be counted event by event.

    An event is marked whole when enough of its first points are flagged. A false flag marks itself
    and the normal points of its island.
    """

    needed: Positions
    """How many flags mark each event whole, the same for events of one width; more than it has
    points: none ever do."""
    first: Positions
    """How many of its first points these flags may lie on."""
    keeps: bool
    """Whether the flags of the other events count as themselves; else they do not count."""
    island: int = 1
    """Points of an island, clipped at the ends of its series."""

    def is_by_one_hit(self, events: Events) -> bool:
        """Whether any one hit marks its event whole, as in point and in balanced adjustment."""
        return bool(np.all(self.needed == 1) and np.all(self.first == events.widths))


class Adjustment(Settings, ABC):
    """A score transform that commutes with thresholding (see `adjudge.adjust.adjustments`)."""

    @abstractmethod
    def __call__(self, scores: Array, events: Events, /) -> Array:
        """The adjusted scores, or the adjusted flags where flags are given."""

    def of_events(self, scores: Array, events: Events) -> Array | None:  # noqa: ARG002
        """The adjusted scores of the anomalous points alone, where all others keep their own.

        None: others may change. Adjustments that have it can share the scores of normal points.
        """
        return None

    def resolved(self, events: Events) -> Adjustment:  # noqa: ARG002 - of no meaning to most
        """The same adjustment with every setting that depends on the labels written out."""
        return self

    def picked(self, case: Case) -> Case:
        """The case with the scores that may become alarms at all: as it is, for most."""
        return case

    def layers(self, events: Events) -> Sequence[tuple[int, Adjustment]]:  # noqa: ARG002
        """The adjustments whose false alarms are mixed, with their weights: itself, for most."""
        return [(1, self)]

    def marked(self, flags: Flags, events: Events) -> tuple[int, float] | None:  # noqa: ARG002
        """How many anomalous and how many normal points the flags mark, by a way that is shorter.

        Of several layers the mean number of normal points.

        None: there is none, and the adjusted flags are counted. Only asked where all is judged.
        """
        return None

    def explain_islands(self, flags: Flags, events: Events) -> Islands | None:  # noqa: ARG002
        """Which flags raise islands, and how far these reach; None: there are no islands."""
        return None

    def reach(self, events: Events) -> Positions | None:  # noqa: ARG002 - as above
        """For each point, how many points there are any of which, flagged, would mark it.

        They lie side by side. None: marking does not follow such a rule.
        """
        return None

    def marking(self, events: Events) -> Marking | None:  # noqa: ARG002 - as above
        """The rule by which flags are counted event by event; None: there is none."""
        return None

    def marking_on(self, events: Events) -> Marking | None:
        """The same, found once for all detectors on these labels."""
        return events.once(("marking", self), lambda: self.marking(events))

    @property
    def island_width(self) -> int | None:
        """Points of an island, where there are islands and it is one number."""
        return None

    @property
    def other_readings(self) -> Mapping[str, Mapping[str, Any]]:
        """Other rules that are published under the same name: each name with its settings."""
        return {}

    @property
    def named_reading(self) -> str:
        """Which of the rules published under its name this is; empty: there is but one."""
        return ""
