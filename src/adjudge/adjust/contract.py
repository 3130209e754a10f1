"""The contract of an adjustment: what it does to scores, and what it says about itself.

A new adjustment is a frozen dataclass below `Adjustment`, its settings declared by
`adjudge.checks.setting`. Only ``__call__`` must be written; every other member has a default that
is right for an adjustment that raises no islands and is settled by its settings alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Array, Flags, Positions
    from adjudge.data.events import Events


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
        array([2, 2, 1])
        """
        raised_by = self.raised_by if events.judged is None else self.raised_by & events.judged
        sums = np.concatenate([[0], np.cumsum(raised_by)])
        bounds, place = events.series_bounds, np.arange(events.n)
        first, end = (np.repeat(edge, np.diff(bounds)) for edge in (bounds[:-1], bounds[1:]))
        last = np.minimum(place + self.before + 1, end)
        counts: Positions = sums[last] - sums[np.maximum(place - self.after, first)]
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
    """A score transform that commutes with thresholding (see `adjudge.adjust.simple`)."""

    @abstractmethod
    def __call__(self, scores: Array, events: Events, /) -> Array:
        """The adjusted scores, or the adjusted flags where flags are given."""

    def resolved(self, events: Events) -> Adjustment:  # noqa: ARG002 - of no meaning to most
        """The same adjustment with every setting that depends on the labels written out."""
        return self

    def layers(self, events: Events) -> Sequence[tuple[int, Adjustment]]:  # noqa: ARG002
        """The adjustments whose false alarms are mixed, with their weights: itself, for most."""
        return [(1, self)]

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

    @property
    def island_width(self) -> int | None:
        """Points of an island, where there are islands and it is one number."""
        return None

    @property
    def other_readings(self) -> Mapping[str, Mapping[str, Any]]:
        """Other rules that are published under the same name: each name with its settings."""
        return {}

    @property
    def citation(self) -> str:
        """What a reader must know to compute the same; empty: the spec says it all."""
        return ""
