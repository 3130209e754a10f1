"""What chance asks of the alarms of one detector, whatever they are: that they turn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from adjudge.noise.intervals.interval import interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Positions
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask
    from adjudge.noise.intervals.evidence import Evidence
    from adjudge.noise.p_values import NullTest, NullValues


class OfLabels(NamedTuple):
    """What the labels alone decide."""

    overshoot: float = math.nan
    always_on: float = math.nan


class Shared(NamedTuple):
    """What lines have in common that share a clock."""

    together: str = ""
    """Which turn by one offset, in words; "": each turns by itself."""
    clock_note: str = ""
    """Why they do, where nobody said so."""
    p_least: float = math.nan
    """The smallest p-value that a perfect detector can get."""


class Turning(Protocol):
    """The alarms of one detector at other places, which metrics share.

    The case says what is judged: its events (``event_count``), its alarms elsewhere (``turned``)
    and everywhere (``always``). What has a body here is the answer where nothing is known.
    """

    case: Any
    """The detector's alarms beside the truth: a `Case`, or an `AlertCase`."""

    @property
    def nearby(self) -> Turning:
        """The same alarms, each tenth of a line turned by itself."""
        ...

    def expect(self, metrics: Sequence[Metric]) -> None:  # noqa: ARG002 - who can judge them at once does
        """Take the metrics that will be asked for."""
        return

    def values(self, metric: Metric, shifts: int | None, seed: int) -> NullValues:
        """What the alarms score at other places."""
        ...

    def level(self, metric: Metric, null: NullValues) -> float:
        """The chance level: that of all places where it is known, else the mean of the values."""
        return metric.row.mean(null.values) if math.isnan(null.level) else null.level

    def tested(
        self, metric: Metric, value: float, ask: Ask, null: NullValues | None = None
    ) -> NullTest:
        """Hold the alarms turned by nothing against those at other places."""
        ...

    def evidence(
        self, metric: Metric, value: float, unit: str, groups: Positions | None, at: float | None
    ) -> Evidence:
        """The interval of a value, and what it rests on; an oracle's threshold may be known."""
        return interval(metric, self.case, unit, value=value, groups=groups, best_at=at)

    def always_on(self, metric: Metric) -> float:
        """What an alarm everywhere scores."""
        ...

    def of_labels(self, metric: Metric, *, chance: bool) -> OfLabels:
        """What the truth alone decides.

        Parameters
        ----------
        metric, chance : Metric, bool
            What is judged; whether an alarm everywhere is too.
        """
        return OfLabels(always_on=self.always_on(metric) if chance else math.nan)

    @property
    def has_room_nearby(self) -> bool:
        """Whether a perfect detector could be told from its alarms nearby."""
        return True

    @property
    def shared(self) -> Shared:
        """What lines have in common that share a clock."""
        ...

    needs_every_test: bool = True
    """Whether every test is made, also where the first one has failed."""

    def only_places(self, metric: Metric) -> NullTest | None:  # noqa: ARG002 - who knows places has them
        """The places that detectors share, without a test; None: there are none."""
        return None

    def optimism(self, metric: Metric, seed: int) -> float:  # noqa: ARG002 - nothing is known of it
        """By how much ``best(...)`` flatters; NaN: not known."""
        return math.nan

    def shared_rhythm(self, metric: Metric, at: float | None, *, passes: bool) -> str:  # noqa: ARG002 - nobody looks
        """Say whether alarms and events come together, at equal distances; "": nobody looked."""
        return ""

    def drop(self, *, ranks: bool = False) -> None:  # noqa: ARG002 - who keeps much has ranks
        """Let go of what the last metric needed, if it takes much memory; or of ranks too."""
        return
