"""Channels: several columns of labels and scores that share their time."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from adjudge.checks import front_door
from adjudge.data.channels import ChannelReading, channel_cases, channel_names, detector_tables
from adjudge.judging.inputs.contract import Input

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge._typing import Column
    from adjudge.data.channels import ChannelCase
    from adjudge.judging.comparing.facing import Facing
    from adjudge.judging.receipt import Account
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask


@front_door("Channels")
@dataclass(frozen=True, eq=False, repr=False)
class Channels(Input):
    """Several channels of labels and scores.

    A metric of one channel is taken inside ``any_channel(...)``; write ``micro(...)`` or
    ``macro(...)`` for others. A threshold is for all channels, a rule learns on each, a dict has
    one for each. All channels are shifted together.

    Parameters
    ----------
    labels : table, column or Incidents
        The truth: a column for each channel, one for all, or incidents that name their channel.
    scores : table, or dict of tables
        One detector, or several by name.
    names : sequence of str, or True
        The channels, of which labels and scores have a column each; True: their columns' names.
    subsystem : dict, optional
        Groups of channels, for ``subsystem_*``.
    series, where, time, positive, missing
        See `adjudge.Case`.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, flags = [[0, 0], [1, 1], [1, 0], [0, 0]], [[0, 0], [0, 1], [0, 0], [0, 0]]
    >>> data = aj.Channels(labels, flags, ["temp", "flow"])
    >>> aj.evaluate(data, "channel_f1", chance=False)["channel_f1"]
    0.6666666666666666
    """

    labels: Column
    scores: Column
    names: Any
    _: KW_ONLY
    subsystem: Any = None
    series: Column = None
    where: Column = None
    time: Column = None
    positive: object = None
    missing: str = "refuse"

    noun: ClassVar[str] = "several channels"
    made: ClassVar[str] = "aj.Channels(labels, scores, names, ...)"
    renamed: ClassVar[Mapping[str, str]] = {"channels": "names"}

    def __post_init__(self) -> None:
        """Read all columns, so that what does not fit together is refused here."""
        self.cases  # noqa: B018 - read once, and kept

    @cached_property
    def cases(self) -> tuple[ChannelCase, ...]:
        """The channels of each detector."""
        how = ChannelReading(self.series, self.where, self.time, self.positive, self.missing)
        return tuple(channel_cases(self.labels, self.scores, self.names, self.subsystem, how))

    @property
    def detectors(self) -> list[str]:
        """What the detectors are called."""
        return [case.name for case in self.cases]

    def facing(self, metric: Metric, at: tuple[Any, Any], ask: Ask) -> Facing:
        """Two detectors on the points at which any channel of each is judged."""
        from adjudge.judging.comparing.facing import facing_channels  # noqa: PLC0415 - to compare

        a, b = self.cases
        return facing_channels(metric.on_channels(), (a, b), at, ask, "any_channel({})")

    def explained(self, metric: Metric, at: Any) -> Account:
        """On which channel events were found, and who was silent."""
        from adjudge.judging.channels.receipts import explained_channels  # noqa: PLC0415 - it reads inputs

        return explained_channels(self.cases[0], metric, at)

    def only(self, *names: str) -> Channels:
        """The same with some of the detectors."""
        tables = detector_tables(self.scores, channel_names(self.names, self.scores))
        channels = self.cases[0].channels.names
        scores = {
            name: dict(zip(channels, columns, strict=True))
            for name, columns in tables.items()
            if name in names
        }
        return replace(self, scores=scores, names=channels)
