"""Count events against false alarms: what was hit, beside what was flagged for nothing.

Four published scores ask the same of the truth (was the event touched?) and differ in what an alarm
is: a false run, a false point, any flagged point, or a false run made worse by the false time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.count.contract import SweptCounting
from adjudge.count.ledger import (
    Entries,
    first_touched,
    flagged_runs,
    hits_and_false_alarms,
    truth_rows,
)
from adjudge.count.points import PointCount
from adjudge.count.runs import runs_by_touch
from adjudge.count.tally import Mass, Masses, Tally, every_score

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.tally import StreamSums
    from adjudge.data.events import Events


@dataclass(frozen=True)
class Segments(SweptCounting):
    r"""Weigh every hit event 1 on both sides, and every run that touches no event 1.

    .. math:: P = \frac{d}{d + k}, \qquad R = \frac{d}{N}

    for d hit events of N and k false runs. Several alarms on one event cost nothing. 1: every event
    hit, no false run. 0: no event hit.

    References
    ----------
    .. [1] K. Hundman et al. (2018). Detecting Spacecraft Anomalies Using LSTMs and Nonparametric
       Dynamic Thresholding. KDD. arXiv:1802.04431.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 1])
    >>> Segments().masses(np.array([1, 0, 1, 0, 0, 0]) > 0, events).at(False)
    Tally(found=1, truth=2, right=1, flagged=2, normal=nan)
    """

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count hit events and false runs above any threshold."""
        hit = Mass(events.max(adjusted))
        _, false = runs_by_touch(adjusted, events)
        return Masses(hit, len(events), None, false, (every_score(adjusted, events),))

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally | None:
        """Count the hit events and false runs that have passed."""
        hit = passed.found
        return Tally(hit, passed.truth, hit, hit + passed.wrong) if adjust == raw else None

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for events and false runs."""
        starts, stops = _false_runs(flags, events)
        return _ledger(flags, events, 1.0, starts, stops, np.ones(len(starts)))


@dataclass(frozen=True)
class FalsePoints(SweptCounting):
    r"""Weigh every hit event 1 on both sides, and every false point 1.

    .. math:: P = \frac{d}{d + FP}, \qquad R = \frac{d}{N}

    Events are counted once, false alarms point by point: a long false alarm outweighs many events.

    References
    ----------
    .. [1] A. Bhatnagar et al. (2021). Merlion: A Machine Learning Library for Time Series.
       arXiv:2109.09265.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 1])
    >>> FalsePoints().masses(np.array([1, 1, 1, 0, 0, 0]) > 0, events).at(False)
    Tally(found=1, truth=2, right=1, flagged=3, normal=3)
    """

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count hit events and false points above any threshold."""
        hit, false = Mass(events.max(adjusted)), Mass(adjusted[events.normal])
        levels = false, Mass(adjusted[events.labels])
        return Masses(hit, len(events), None, false, levels, false.values.size)

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally:  # noqa: ARG002
        """Count the hit events and false points that have passed."""
        hit = passed.found
        return Tally(hit, passed.truth, hit, hit + passed.false, passed.normal)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for events and false points."""
        starts, stops = flagged_runs(flags & events.normal, events)
        normal = int(np.count_nonzero(events.normal))
        return _ledger(flags, events, 1.0, starts, stops, stops - starts, normal)


@dataclass(frozen=True)
class Composite(SweptCounting):
    r"""Weigh every event 1 on the truth side, and every flagged point 1 on the alarm side.

    .. math:: P = \frac{TP}{TP + FP} \text{ over points}, \qquad R = \frac{d}{N} \text{ over events}

    1: every event hit, no false point. An always-on alarm scores little where anomalies are rare.

    References
    ----------
    .. [1] A. Garg et al. (2021). An Evaluation of Anomaly Detection and Diagnosis in Multivariate
       Time Series. IEEE TNNLS. arXiv:2109.11428.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 1])
    >>> Composite().masses(np.array([1, 0, 1, 1, 0, 0]) > 0, events).at(False)
    Tally(found=1, truth=2, right=2, flagged=3, normal=3)
    """

    def masses(self, adjusted: Array, events: Events) -> Masses:
        """Count events and points above any threshold."""
        points = PointCount().masses(adjusted, events)
        hit = Mass(events.max(adjusted))
        return replace(points, found=hit, truth=len(events), right=points.found)

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally:  # noqa: ARG002
        """Count the events and points that have passed."""
        right = passed.credited
        return Tally(passed.found, passed.truth, right, right + passed.false, passed.normal)

    def entries(self, flags: Flags, events: Events, adjust: Adjustment) -> Entries:
        """Rows for events on one side, for points on the other."""
        points = PointCount().entries(flags, events, adjust)
        hit = (points.truth.credit > 0).astype(np.int64)
        truth = replace(points.truth, weight=np.ones_like(hit), credit=hit)
        return replace(points, truth=truth)


@dataclass(frozen=True)
class Eventwise(SweptCounting):
    r"""Count as `Segments` does, and lower what was right by the share of normal time flagged.

    .. math:: P = \frac{d}{d + k} \left(1 - \frac{FP}{FP + TN}\right), \qquad R = \frac{d}{N}

    So one run over everything, right by `Segments`, is worth nothing here.

    References
    ----------
    .. [1] M. E. A. Sehili and Z. Zhang (2023). Multivariate Time Series Anomaly Detection: Fancy
       Algorithms and Flawed Evaluation Methodology. arXiv:2308.13068.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0])
    >>> Eventwise().masses(np.array([0, 1, 1, 1, 0, 0]) > 0, events).at(False)
    Tally(found=1, truth=1, right=0.75, flagged=1, normal=nan)
    """

    def masses(self, adjusted: Array, events: Events) -> _Damped:
        """Count hit events, false runs and false points above any threshold."""
        return _Damped(Segments().masses(adjusted, events), Mass(adjusted[events.normal]))

    def of_stream(self, passed: StreamSums, adjust: Adjustment) -> Tally | None:
        """Count the hit events, false runs and false points that have passed."""
        tally = Segments().of_stream(passed, adjust)
        if tally is None:
            return None
        return tally._replace(right=tally.right * _quiet_share(passed.false, passed.normal))

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for events and false runs; each hit is worth what the quiet time leaves of it."""
        starts, stops = _false_runs(flags, events)
        worth = _quiet_share(np.count_nonzero(flags & events.normal), events.normal.sum())
        return _ledger(flags, events, worth, starts, stops, np.ones(len(starts)))


@dataclass(frozen=True, eq=False)
class _Damped:
    """Masses of segments whose right side is lowered by the false points."""

    segments: Masses
    false_points: Mass

    def at(self, threshold: float) -> Tally:
        """Count at one threshold."""
        return self._lowered(self.segments.at(threshold), self.false_points.above(threshold))

    @property
    def thresholds(self) -> Floats:
        """The thresholds of the segments."""
        return self.segments.thresholds

    @property
    def sweep(self) -> tuple[Floats, Tally]:
        """Count at every threshold."""
        thresholds, tally = self.segments.sweep
        return thresholds, self._lowered(tally, self.false_points.sweep(thresholds))

    def _lowered(self, tally: Tally, false: Any) -> Tally:
        worth = _quiet_share(false, self.false_points.values.size)
        return tally._replace(right=tally.right * worth)


def _quiet_share(false: Any, normal: int) -> Any:
    return 1 - false / max(normal, 1)


def _false_runs(flags: Flags, events: Events) -> tuple[Array, Array]:
    """Find the flagged runs that touch no event."""
    starts, stops = flagged_runs(flags, events)
    false = first_touched(starts, stops, events) < 0
    return starts[false], stops[false]


def _ledger(
    flags: Flags,
    events: Events,
    worth: float,
    starts: Array,
    stops: Array,
    cost: Array,
    normal: float = np.nan,
) -> Entries:
    """Put hit events, each right for what it is worth, beside false alarms and what they cost."""
    hit = events.max(flags)
    which = np.flatnonzero(hit)
    hits = which, np.ones(which.size), np.full(which.size, worth)
    alarms = hits_and_false_alarms(events, hits, (starts, stops, cost))
    earned = hit.astype(np.int64)
    return Entries(truth_rows(flags, events, np.ones_like(earned), earned), alarms, normal)
