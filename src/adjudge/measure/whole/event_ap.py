"""Average precision of alerts that have a score: by how near they start, or how much they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import numbers, positive, share
from adjudge.count.scored_alerts import ScoredAlerts, Spans, alerts_in
from adjudge.data.durations import duration
from adjudge.data.time_settings import time_length
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats
    from adjudge.count.time_count import TimeCount
    from adjudge.data.events import Events


def _parts(value: object, name: str) -> tuple[float, ...]:
    return tuple(positive(one, name) for one in numbers(value, name))


def _shares(value: object, name: str) -> tuple[float, ...]:
    return tuple(share(one, name) for one in numbers(value, name))


Kept = tuple[Any, Any]
"""Which incidents and which alerts are judged."""
_ALL: Kept = (slice(None), slice(None))


def _scored(events: Spans, alerts: Spans, score: Floats, some: Kept) -> ScoredAlerts:
    incidents, which = some
    return ScoredAlerts.of(
        Spans(*(side[incidents] for side in events)),
        Spans(*(side[which] for side in alerts)),
        score[which],
    )


@dataclass(frozen=True)
class AlertAp(Settings):
    r"""Average precision of alerts that start near the start of an event, over several tolerances.

    The surest alert comes first. Each takes the nearest event that no surer one has taken, if the
    starts are less than t apart. The average precision is

    .. math:: \frac{1}{m} \sum_k \frac{n_k}{k}

    over the alerts k = 1, 2, ... that take an event, of which the first k take n_k, for m events;
    alerts of one score come at once. The value is its mean over t. 1: the surest alerts are one for
    each event, each nearer than the smallest tolerance. 0: no alert is near an event. NaN: no
    events.

    Parameters
    ----------
    tolerance : int or duration
        The largest tolerance.
    parts : tuple of float
        The tolerances, as parts of the largest: the last of (1, 2, 4) is the whole, the first a
        quarter of it.

    References
    ----------
    .. [1] Child Mind Institute (2023). Detect Sleep States. Kaggle: event detection average
       precision.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 0, 0, 0, 1, 0, 0])
    >>> scores = np.array([0, 0, 0, 9, 0, 0, 0, 5, 0, 0])  # one point late, and in time
    >>> AlertAp(tolerance=2, parts=(1, 2))(scores, events)  # 1/4 within one point, 1 within two
    0.625
    """

    tolerance: int = time_length(360, 1, "up")
    parts: tuple[float, ...] = setting((12, 36, 60, 90, 120, 150, 180, 240, 300, 360), _parts)

    def __call__(self, scores: Array, events: Events) -> float:
        """Judge scores of points."""
        return self.of(alerts_in(scores, events), self.tolerance) if len(events) else np.nan

    def on_alerts(self, count: TimeCount, some: Kept = _ALL) -> float:
        """Judge alerts on instants, or some of them beside some of the incidents."""
        rows, row, when = count.case.count.incidents, count.case.places.row, count.instants[0]
        events = Spans(rows.start[row], rows.end[row], count.case.places.line)
        found = _scored(events, Spans(when, when, count.alert_line), count.score, some)
        length = self.tolerance
        return self.of(found, duration(length, "tolerance") if isinstance(length, str) else length)

    def of(self, found: ScoredAlerts, tolerance: int) -> float:
        """Judge alerts; the tolerance is in the unit of their starts."""
        whole = max(self.parts)
        hits = found.near([tolerance * part / whole for part in self.parts])
        return float(np.mean(found.average_precisions(hits)))


@dataclass(frozen=True)
class IntervalAp(Settings):
    r"""Average precision of alerts that cover an event, over several degrees of likeness.

    The surest alert comes first. Each takes, of the events that no surer one has taken, the one
    with the largest intersection over union, if that is at least t. The average precision is that
    of `AlertAp`, with the precision at k replaced by the highest at k or below; the value is its
    mean over t. 1: the surest alerts are the events. 0: no alert is like an event. NaN: no events.

    Parameters
    ----------
    iou : tuple of float
        The least intersections over unions, each above 0 and at most 1.

    References
    ----------
    .. [1] F. Caba Heilbron et al. (2015). ActivityNet: A Large-Scale Video Benchmark for Human
       Activity Understanding. CVPR.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1, 1, 1, 0, 0])
    >>> scores = np.array([0, 0, 0, 9, 9, 9, 0, 0])  # three of four points
    >>> IntervalAp(iou=(0.5, 0.9))(scores, events)
    0.5
    """

    iou: tuple[float, ...] = setting(
        (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95), _shares
    )

    def __call__(self, scores: Array, events: Events) -> float:
        """Judge scores of points."""
        return self.of(alerts_in(scores, events)) if len(events) else np.nan

    def on_alerts(self, count: TimeCount, some: Kept = _ALL) -> float:
        """Judge alerts in watched time, or some of them beside some of the incidents."""
        places = count.case.places
        alerts = Spans(count.alert_start[0], count.alert_stop[0], count.alert_line)
        events = Spans(places.start, places.stop, places.line)
        return self.of(_scored(events, alerts, count.score, some))

    def of(self, found: ScoredAlerts) -> float:
        """Judge alerts."""
        hits = found.alike(self.iou)
        return float(np.mean(found.average_precisions(hits, highest=True)))
