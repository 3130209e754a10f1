"""Channels: several columns of labels and scores that share their time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from adjudge.checks import suggest_keywords, word
from adjudge.data.channels import ChannelReading, channel_cases, channel_names, detector_tables
from adjudge.data.shared_clock import RULES
from adjudge.errors import InputError, shown
from adjudge.judging.inputs.contract import Input
from adjudge.judging.judge.prepared import placed_on_channels
from adjudge.judging.judge.tuning import Tuned, read_threshold
from adjudge.judging.judge.which_metrics import default_metrics
from adjudge.metrics.across_channels import any_channel
from adjudge.metrics.reader import catalogue

if TYPE_CHECKING:
    from adjudge._typing import Column
    from adjudge.data.channels import ChannelCase
    from adjudge.judging.comparing.facing import Facing
    from adjudge.judging.judge.judge import Judged, ThresholdKind
    from adjudge.judging.judge.prepared import Prepared
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.receipt import Account
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask

_OF_CHANNELS = ("channel_f1", "channel_precision", "channel_recall")


@suggest_keywords("Channels")
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
    clock : {"auto", "shared", "own"}
        Which series live through the same time; see `adjudge.Points`.

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
    clock: str = "auto"

    noun: ClassVar[str] = "several channels"
    made: ClassVar[str] = "aj.Channels(labels, scores, names, ...)"
    renamed: ClassVar[Mapping[str, str]] = {"channels": "names"}
    refused: ClassVar[tuple[str, ...]] = (*Input.refused, "metrics")

    def __post_init__(self) -> None:
        """Read all columns, so that what does not fit together is refused here."""
        self.cases  # noqa: B018 - read once, and kept

    @cached_property
    def cases(self) -> tuple[ChannelCase, ...]:
        """The channels of each detector."""
        columns = self.series, self.where, self.time, self.positive, self.missing
        how = ChannelReading(*columns, word(self.clock, "clock", RULES))
        return tuple(channel_cases(self.labels, self.scores, self.names, self.subsystem, how))

    @property
    def detectors(self) -> list[str]:
        """What the detectors are called."""
        return [case.name for case in self.cases]

    def placed(self, at: Any) -> list[Prepared]:
        """The channels of each detector, at their thresholds.

        Parameters
        ----------
        at : number, rule, or a dict of them
            One for all channels, or one for each by name; a rule learns on each.
        """
        levels = self._levels(at)
        if any(isinstance(level, Tuned) for level in levels):
            raise InputError(
                f"at must be a number, a rule or a dict with channels=, got {shown(at)}"
            )
        return [placed_on_channels(case, levels) for case in self.cases]

    def _levels(self, at: Any) -> list[Any]:
        """What chooses the threshold of each channel."""
        names = self.cases[0].channels.names
        if not isinstance(at, Mapping):
            return [read_threshold(at)] * len(names)
        if set(at) != set(names):
            odd = min(set(names) ^ set(map(str, at)))
            what = "none" if odd in names else "one"
            raise InputError(f"at must have a threshold for each channel, got {what} for {odd!r}")
        return [read_threshold(at[name]) for name in names]

    def over(self, metric: Metric) -> Metric:
        """A metric of one channel takes all of them as one."""
        return metric.on_channels()

    def default_metrics(self, kind: ThresholdKind) -> list[Metric]:
        """The usual ones of all channels as one; some ask which channel, where that is known."""
        metrics, known = [any_channel(metric) for metric in default_metrics(kind)], kind == "known"
        channels = self.cases[0].channels
        if not channels.named or len(channels.names) == 1:
            return metrics
        own = list(_OF_CHANNELS) if known else ["cause_hit_rate"]
        own += ["subsystem_f1"] if channels.subsystems and known else []
        return metrics + [catalogue[name].metric for name in own]

    def summed_up(self, found: Judgement, each: list[Judged], ask: Ask) -> Judgement:
        """Put what is known of single channels beside the rows of all detectors.

        Parameters
        ----------
        found, each, ask : Judgement, list of Judged, Ask
            The rows of all detectors, what was said of each, and what was to be known of them.
        """
        from adjudge.judging.channels.results import results_of  # noqa: PLC0415 - it reads inputs

        return replace(found, channels=results_of(self, ask, each))

    def facing(self, metric: Metric, at: tuple[Any, Any], ask: Ask) -> Facing:  # noqa: ARG002
        """Two detectors on the points at which any channel of each is judged.

        Parameters
        ----------
        metric, at, ask : Metric, pair of thresholds, Ask
            What `adjudge.compare` was asked.
        """
        from adjudge.judging.comparing.facing import facing_channels  # noqa: PLC0415 - to compare

        a, b = self.cases[0], self.cases[-1]
        return facing_channels(metric.on_channels(), (a, b), at, "any_channel({})")

    def explained(self, metric: Metric, at: Any) -> Account:
        """On which channel events were found, and who was silent.

        Parameters
        ----------
        metric, at : Metric, threshold
            What `adjudge.explain` was asked.
        """
        from adjudge.judging.channels.receipts import explained_channels  # noqa: PLC0415 - it reads inputs

        return explained_channels(self, metric, at)

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
