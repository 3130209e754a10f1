"""What became of each event of several channels: on which it was found, and how late."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count.channels import EventChannels, covered, first_alarms_by_channel
from adjudge.data.durations import NANOSECONDS

if TYPE_CHECKING:
    from adjudge._typing import Flags, Floats, Positions
    from adjudge.count.channels import Alarming
    from adjudge.data.channels import ChannelTruth, KnownChannels
    from adjudge.judging.judge.prepared import Prepared


@dataclass(frozen=True, eq=False)
class FoundEvents:
    """The events of one detector, and where it alarmed; none where nobody said which channel."""

    detector: str
    channels: KnownChannels
    flags: Flags

    @classmethod
    def of(cls, ready: Prepared) -> FoundEvents | None:
        """What became of each event; None without a threshold, and without channels."""
        case = ready.flagged
        if case.channels.truth is None or not ready.known:
            return None
        return cls(case.name, case.channels, ready.flags)

    @property
    def truth(self) -> ChannelTruth:
        """Which event is on which channel."""
        assert self.channels.truth is not None  # noqa: S101 - whoever made it has looked
        return self.channels.truth

    @cached_property
    def _alarming(self) -> Alarming:
        return EventChannels(self.channels).alarming(self.flags)

    @cached_property
    def _first(self) -> Floats:
        return first_alarms_by_channel(self.flags, self.channels)

    @cached_property
    def _covered(self) -> tuple[Floats, Floats]:
        return covered(self.flags, self.channels)

    @cached_property
    def _ends(self) -> tuple[Positions, Positions]:
        start = np.full(len(self.truth), self.channels.joined.n)
        stop = np.zeros(len(self.truth), np.int64)
        np.minimum.at(start, self.truth.event, self.truth.start)
        np.maximum.at(stop, self.truth.event, self.truth.stop)
        return start, stop

    def rows(self) -> list[dict[str, Any]]:
        """A row per event."""
        found, names = self._alarming, np.array(self.channels.names, object)
        whole, rows = self._covered[0], []
        for event in range(len(self.truth)):
            own, alarms = found.affected[event], found.alarming[event]
            row = self._named(event) | {"channel": names[own].tolist()}
            row |= {"found": bool(alarms.any()), "silent": names[own & ~alarms].tolist()}
            row |= {"elsewhere": names[found.false[event]].tolist()}
            first = float(np.fmin.reduce(self._first[event]))
            rows.append(row | self._late(event, first) | {"coverage": float(whole[event])})
        return rows

    def rows_by_channel(self) -> list[dict[str, Any]]:
        """A row per event and channel that it is on."""
        found, by_channel = self._alarming, self._covered[1]
        return [
            self._named(event)
            | {"channel": self.channels.names[one], "found": bool(found.alarming[event, one])}
            | self._late(event, float(self._first[event, one]))
            | {"coverage": float(by_channel[event, one])}
            for event, one in np.argwhere(found.affected).tolist()
        ]

    def _named(self, event: int) -> dict[str, Any]:
        told = {"kind": self.truth.kinds, "severity": self.truth.severity}
        row = {"detector": self.detector, "id": self.truth.ids[event]}
        return row | {name: each[event] for name, each in told.items() if each is not None}

    def _late(self, event: int, first: float) -> dict[str, Any]:
        """From when to when an event lasts, and how late an alarm is."""
        (start, stop), clock = (side[event] for side in self._ends), self.channels.joined.clock
        late = None if np.isnan(first) else int(first - start)
        row: dict[str, Any] = {"delay": late, "start": int(start), "stop": int(stop)}
        if clock is None:
            return row
        gone = None if late is None else clock.instants[int(first)] - clock.instants[start]
        row |= {"delay_seconds": None if gone is None else float(gone) / NANOSECONDS["s"]}
        return row | {"from": clock.text(start), "to": clock.text(stop - 1)}
