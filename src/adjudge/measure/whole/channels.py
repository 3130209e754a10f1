"""Channels of events: on how many of those that an event is on the detector alarmed, and where not.

The measure of one channel is that of its events: found or not. Events by their ids, with all
channels as one; and when the first alarm came on a channel of the event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.checks import positive, text, word
from adjudge.count.channels import (
    Alarming,
    EventChannels,
    EventIds,
    counts,
    first_alarms,
)
from adjudge.count.delays import TimingCurve, timing_credit
from adjudge.errors import InputError
from adjudge.measure.rates import FBeta, precision, recall
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from adjudge._typing import Flags, Floats, Positions
    from adjudge.count.tally import Tally
    from adjudge.data.channels import ChannelCase, KnownChannels
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

    def seen(self, channels: KnownChannels | None) -> EventChannels:
        """Where to look; refused where nobody said which channel an event is on."""
        if channels is None or not channels.named:
            raise InputError(
                "labels must name the channels of each event for channel_*, subsystem_* and "
                "cause_*: one column per channel, or incidents with a channel; got one for all"
            )
        if self.groups and not channels.subsystems:
            raise InputError(
                "subsystem must be given for subsystem_*: a dict of groups to their channels "
                "(--subsystem FILE)"
            )
        return EventChannels(channels)

    def value(self, found: Alarming, channels: KnownChannels | None = None) -> Any:
        """The value of tables of channels, over further axes too."""
        if self.groups and channels is not None:
            found = found.grouped(channels.subsystems)
        found = found.on_a_channel
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


@dataclass(frozen=True)
class IncidentRecall(Settings):
    r"""Share of the events that any channel alarms during, each id counted once.

    .. math:: \frac{d}{|S|}

    for d found events of those in S that are asked for. Events may overlap and have several pieces.
    1: all are found. NaN: there is none of the kind.

    Parameters
    ----------
    kind : str, optional
        Events of this kind alone. Alarms in events of other kinds are neither right nor false.

    References
    ----------
    .. [1] K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection in
       Satellite Telemetry. arXiv:2406.17826.

    Examples
    --------
    >>> import adjudge as aj
    >>> truth = aj.Incidents([2, 4, 9], [6, 8, 10], id=["a", "b", "a"], kind=["x", "y", "x"])
    >>> flags = [[0], [0], [0], [0], [0], [0], [1], [0], [0], [0], [0]]
    >>> aj.incident_recall(truth, flags, channels=["temp"])
    0.5
    """

    kind: str | None = setting(None, text)

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge one channel of labels without ids."""
        return self._value(EventIds.per_channel(events, self.kind), flags)

    def of(self, case: ChannelCase, flags: Flags) -> float:
        """Judge the channels of a case as one."""
        together = np.any(flags.reshape(len(case.channels.names), -1), axis=0)
        return self._value(EventIds.of(case.channels, self.kind), np.asarray(together))

    def _value(self, events: EventIds, flags: Flags) -> float:
        return float(self.rate(self.counted(events, flags)))

    def counted(self, events: EventIds, flags: Flags) -> Tally:
        """The masses."""
        return events.tally(flags)

    def rate(self, tally: Tally) -> Any:
        """The value of the masses."""
        return recall(tally)


@dataclass(frozen=True)
class IncidentPrecision(IncidentRecall):
    r"""Found events as a share of these and of false alarms, times the quiet share of normal time.

    .. math:: \frac{d}{d + k} \left(1 - \frac{FP}{FP + TN}\right)

    for d found events, k alarms that touch no event of any kind, and points outside of all events.
    1: nothing is flagged outside of events. NaN: neither is there a found event nor a false alarm.

    Parameters
    ----------
    kind : str, optional
        Events of this kind alone. Alarms in events of other kinds are neither right nor false.
    """

    def rate(self, tally: Tally) -> Any:
        """The value of the masses."""
        return precision(tally)


@dataclass(frozen=True)
class IncidentFBeta(IncidentRecall):
    r"""Weighted harmonic mean of incident_precision and incident_recall.

    .. math:: \frac{(1 + \beta^2) P R}{\beta^2 P + R}

    1: every event is found, and nothing is flagged outside of events. 0: no event is found.

    Parameters
    ----------
    kind : str, optional
        Events of this kind alone. Alarms in events of other kinds are neither right nor false.
    beta : float
        How much more recall weighs than precision; ESA's benchmark takes 0.5.
    """

    beta: float = setting(1, positive)

    def rate(self, tally: Tally) -> Any:
        """The value of the masses."""
        return FBeta(self.beta)(tally)


@dataclass(frozen=True)
class AlarmingPrecision(IncidentPrecision):
    r"""Found events as a share of these and of the alarms that repeat one.

    .. math:: \frac{d}{d + r}

    for d found events, and r alarms that touch a piece of an event after the first that does. 1: an
    alarm for each piece that is found. NaN: no event is found. Alarms outside of events cost
    nothing.

    Parameters
    ----------
    kind : str, optional
        Events of this kind alone.

    Examples
    --------
    >>> import adjudge as aj
    >>> aj.alarming_precision([0, 1, 1, 1, 0, 1], [0, 1, 0, 1, 0, 1])
    0.6666666666666666
    """

    def counted(self, events: EventIds, flags: Flags) -> Tally:
        """The masses."""
        return events.repeats(flags)


@dataclass(frozen=True)
class IncidentZoneRecall(IncidentRecall):
    r"""Mean over events by id of the affiliation recall of the zones that they lie in.

    .. math:: \frac{1}{|S|} \sum_{e \in S} \frac{1}{|W_e|} \sum_{w \in W_e} R_{z(w)}

    for the stretches w of an event on its channels, each in the zone z(w) of the events of all
    kinds and channels as one column, and the recall R of that zone (see affiliation_recall). 1:
    alarms cover every event. 0: no zone has an alarm. NaN: there is no event of the kind.

    Parameters
    ----------
    kind : str, optional
        Events of this kind alone. Zones with events of other kinds are left out.

    References
    ----------
    .. [1] A. Huet, J. M. Navarro, D. Rossi (2022). Local Evaluation of Time Series Anomaly
       Detection Algorithms. KDD. arXiv:2206.13167.
    .. [2] K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection in
       Satellite Telemetry. arXiv:2406.17826.

    Examples
    --------
    >>> import adjudge as aj
    >>> truth = aj.Incidents([2, 4, 9], [6, 8, 10], id=["a", "b", "a"])
    >>> flags = [[0], [0], [0], [0], [0], [0], [1], [0], [0], [0], [0]]
    >>> print(f"{aj.incident_affiliation_recall(truth, flags, channels=['temp']):.3f}")
    0.516
    """

    def counted(self, events: EventIds, flags: Flags) -> Tally:
        """The means over zones, as masses."""
        return events.zones(flags)


@dataclass(frozen=True)
class IncidentZonePrecision(IncidentZoneRecall):
    r"""Mean over events by id of the affiliation precision of the zones that they lie in.

    As incident_affiliation_recall, with the precision of each zone (see affiliation_precision); a
    zone without alarms counts 1/2, what luck earns. 1: every zone has an alarm, and none lies
    outside of the events.

    Parameters
    ----------
    kind : str, optional
        Events of this kind alone. Zones with events of other kinds are left out.
    """

    def rate(self, tally: Tally) -> Any:
        """The value of the masses."""
        return precision(tally)


@dataclass(frozen=True)
class IncidentZoneFBeta(IncidentZoneRecall):
    r"""Weighted harmonic mean of incident_affiliation_precision and incident_affiliation_recall.

    .. math:: \frac{(1 + \beta^2) P R}{\beta^2 P + R}

    1: alarms cover every event, and none lies outside of them. 0: there is no alarm.

    Parameters
    ----------
    kind : str, optional
        Events of this kind alone. Zones with events of other kinds are left out.
    beta : float
        How much more recall weighs than precision; ESA's benchmark takes 0.5.
    """

    beta: float = setting(1, positive)

    def rate(self, tally: Tally) -> Any:
        """The value of the masses."""
        return FBeta(self.beta)(tally)


@dataclass(frozen=True)
class ChannelTiming(Settings):
    r"""Mean over found events of the timing of the first alarm on a channel of its own.

    The alarm is the earliest that overlaps the event's own points on one of its channels; the curve
    is that of adtqc, with the start and the length of the event over all channels. 1: alarms begin
    with their events. NaN: no event is found.

    Parameters
    ----------
    exponent : float
        How fast the credit falls with the distance.

    References
    ----------
    .. [1] K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection in
       Satellite Telemetry. arXiv:2406.17826.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, flags = [[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 1], [0, 1], [1, 0], [0, 0]]
    >>> aj.channel_adtqc(labels, flags, channels=["temp", "flow"], exponent=1)
    0.6666666666666666
    """

    exponent: float = setting(TimingCurve.exponent, positive)

    def __call__(self, flags: Flags, events: Events) -> float:
        """Judge one channel."""
        return float(recall(TimingCurve(self.exponent).entries(flags, events, raw).tally))

    def of(self, case: ChannelCase, flags: Flags) -> float:
        """Judge the channels of a case."""
        truth = ChannelRecall().seen(case.channels).truth
        first = first_alarms(flags, case.channels)
        start, stop = np.full(len(truth), np.iinfo(np.int64).max), np.zeros(len(truth), np.int64)
        np.minimum.at(start, truth.event, truth.start)
        np.maximum.at(stop, truth.event, truth.stop)
        length = stop - start
        room = self._room(start, length, case)
        found = ~np.isnan(first)
        credit = timing_credit((first - start)[found], length[found], room[found], self.exponent)
        return float(credit.mean()) if found.any() else np.nan

    @staticmethod
    def _room(start: Positions, length: Positions, case: ChannelCase) -> Positions:
        """The length of each event, or the time since the one before began if that is less."""
        order = np.argsort(start, kind="stable")
        begins, room = start[order], length[order]
        home = np.searchsorted(case.channels.joined.series_bounds, begins, side="right")
        since = np.where(home[1:] == home[:-1], np.diff(begins), room[1:])
        room[1:] = np.minimum(room[1:], since)
        back = np.empty_like(room)
        back[order] = room
        return back
