"""Channels of events: on how many of those that an event is on the detector alarmed, and where not.

The measure of one channel is that of its events: found or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from adjudge.checks import Settings, positive, setting, word
from adjudge.count.channels import Alarming, EventChannels, counts
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge._typing import Flags, Floats
    from adjudge.data.channels import ChannelCase, Channels
    from adjudge.data.events import Events

Average = Literal["events", "pooled"]
Part = Literal["f1", "precision", "recall"]


@dataclass(frozen=True)
class ChannelPrecision(Settings):
    r"""Mean over events of the share of alarming channels that the event is on.

    .. math:: \frac{1}{|E|} \sum_e \frac{TP_e}{TP_e + FP_e}

    over the channels that alarm during event e: TP that it is on, FP that it is not on, unless
    another event is on the channel at the time. A silent event has 0. 1: alarms come on no other
    channel. NaN: no event.

    Parameters
    ----------
    average : "events" or "pooled"
        The mean over events, or one share of all channels of all events.

    References
    ----------
    .. [1] K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection in
       Satellite Telemetry. arXiv:2406.17826.

    Examples
    --------
    >>> from adjudge.data.channels import channel_cases
    >>> labels, flags = np.array([[1, 0], [1, 0], [0, 0]]), np.array([[1, 0], [0, 1], [0, 0]])
    >>> (case,) = channel_cases(labels, flags, ["temp", "flow"])
    >>> ChannelPrecision().of(case, case.flags)
    0.5
    """

    groups: ClassVar[bool] = False
    part: ClassVar[Part] = "precision"
    average: Average = setting("events", word, get_args(Average))

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge one channel: alarms during an event can be on no other."""
        hit = events.max(flags)[:, np.newaxis]
        yes = np.ones_like(hit)
        return float(self.value(Alarming(yes, hit, ~yes)))

    def of(self, case: ChannelCase, flags: Flags) -> float:
        """Judge the channels of a case."""
        return float(self.value(self.seen(case.channels).alarming(flags), case.channels))

    def seen(self, channels: Channels) -> EventChannels:
        """Where to look; refused where nobody said which channel an event is on."""
        if channels.truth is None:
            raise InputError(
                "labels must say on which channel each event is, for channel_*, subsystem_* and "
                "cause_*: one column per channel, or incidents with a channel; got one for all"
            )
        if self.groups and not channels.subsystems:
            raise InputError(
                "subsystem must be given for subsystem_*: a dict of groups to their channels"
            )
        return EventChannels(channels)

    def value(self, found: Alarming, channels: Channels | None = None) -> Any:
        """The value of tables of channels, over further axes too."""
        if self.groups and channels is not None:
            found = found.grouped(channels.subsystems)
        if not len(found.affected):
            return np.full(found.alarming.shape[2:], np.nan)
        right, false, silent = (np.asarray(one, np.float64) for one in counts(found))
        if self.average == "pooled":
            return self._rate(right.sum(axis=0), false.sum(axis=0), silent.sum(axis=0))
        return np.mean(self._rate(right, false, silent), axis=0)

    def _rate(self, right: Floats, false: Floats, silent: Floats) -> Floats:  # noqa: ARG002
        return right / np.maximum(right + false, 1)


@dataclass(frozen=True)
class ChannelRecall(ChannelPrecision):
    r"""Mean over events of the share of its channels that alarm.

    .. math:: \frac{1}{|E|} \sum_e \frac{TP_e}{TP_e + FN_e}

    1: every channel of every event alarms during it. 0: no event is found. NaN: no event.

    Parameters
    ----------
    average : "events" or "pooled"
        The mean over events, or one share of all channels of all events.

    Examples
    --------
    >>> from adjudge.data.channels import channel_cases
    >>> labels, flags = np.array([[1, 1], [1, 0], [0, 0]]), np.array([[1, 0], [0, 0], [0, 0]])
    >>> (case,) = channel_cases(labels, flags, ["temp", "flow"])
    >>> ChannelRecall().of(case, case.flags)
    0.5
    """

    part: ClassVar[Part] = "recall"

    def _rate(self, right: Floats, false: Floats, silent: Floats) -> Floats:  # noqa: ARG002
        return right / np.maximum(right + silent, 1)


@dataclass(frozen=True)
class ChannelFBeta(ChannelPrecision):
    r"""Mean over events of the F-score of its channels.

    .. math:: \frac{1}{|E|} \sum_e
        \frac{(1 + \beta^2) TP_e}{(1 + \beta^2) TP_e + \beta^2 FN_e + FP_e}

    1: during every event just its channels alarm. 0: no event is found on a channel of its own.
    NaN: no event. It is the mean of F-scores, not the F-score of means.

    Parameters
    ----------
    beta : float
        How much more recall weighs than precision; ESA's benchmark takes 0.5.
    average : "events" or "pooled"
        The mean over events, or the F-score of all channels of all events.

    Examples
    --------
    >>> from adjudge.data.channels import channel_cases
    >>> labels, flags = np.array([[1, 1], [1, 0], [0, 0]]), np.array([[1, 0], [0, 0], [0, 0]])
    >>> (case,) = channel_cases(labels, flags, ["temp", "flow"])
    >>> ChannelFBeta().of(case, case.flags)  # precision 1, recall 1/2
    0.6666666666666666
    """

    part: ClassVar[Part] = "f1"
    beta: float = setting(1, positive)

    def _rate(self, right: Floats, false: Floats, silent: Floats) -> Floats:
        squared = self.beta**2
        whole = (1 + squared) * right + squared * silent + false
        return (1 + squared) * right / np.where(whole > 0, whole, 1)


class SubsystemPrecision(ChannelPrecision):
    """The same of groups of channels: a group alarms where any of its channels does.

    Parameters
    ----------
    average : "events" or "pooled"
        The mean over events, or one value of all groups of all events.
    """

    groups: ClassVar[bool] = True


class SubsystemRecall(ChannelRecall):
    """The same of groups of channels: a group alarms where any of its channels does.

    Parameters
    ----------
    average : "events" or "pooled"
        The mean over events, or one value of all groups of all events.
    """

    groups: ClassVar[bool] = True


class SubsystemFBeta(ChannelFBeta):
    """The same of groups of channels: a group alarms where any of its channels does.

    Parameters
    ----------
    beta : float
        How much more recall weighs than precision; ESA's benchmark takes 0.5.
    average : "events" or "pooled"
        The mean over events, or one value of all groups of all events.
    """

    groups: ClassVar[bool] = True
