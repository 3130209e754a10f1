"""Confidence and consistency: how sure the scores are of what they say, and how steadily."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.intervals import runs

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats
    from adjudge.data.events import Events


def cce(scores: Array, events: Events) -> float:
    r"""Mean confidence of scores times their consistency, by segments and overall.

    With the scores brought to 0...1, a segment (an event, or a run of normal points) of mean m and
    variance u is worth

    .. math:: \pm(m - \tfrac12)\, e^{-u},

    plus for an event, minus for a normal run. The value is half the sum of the mean over the events
    and the mean over the normal runs, plus half the sum of the same for all anomalous points
    together and for all normal points together.

    1: every anomalous point has the highest score and every normal one the lowest. 0: the scores
    take no side. -1: the opposite. NaN: no event, no normal point, or scores that are all the same
    or not all finite, which cannot be brought to a scale.

    Notes
    -----
    The variance is that of the Beta distribution with the mean and the variance of the segment's
    scores: a fit by moments. A segment of one point is consistent. It looks at the values of
    the scores, not at their order.

    References
    ----------
    .. [1] Confidence-Consistency Evaluation for time series anomaly detection (2025).
       arXiv:2509.01098.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 1, 1])
    >>> cce(np.array([0.0, 0.0, 1.0, 1.0]), events), cce(np.array([1.0, 1.0, 0.0, 0.0]), events)
    (1.0, -1.0)
    """
    judged = events.labels | events.normal
    low, high = scores[judged].min(), scores[judged].max()
    lowest = np.finfo(np.float64).min  # as which -inf is read
    with np.errstate(over="ignore", invalid="ignore"):  # too far apart for a number: undefined
        span = high - low
    if not len(events) or not events.normal.any() or low == lowest or not 0 < span < np.inf:
        return np.nan
    scaled = np.where(judged, (np.where(judged, scores, low) - low) / span, 0.0)
    starts, stops = runs(events.normal, events.series_bounds[:-1])
    by_segment = _worth(scaled, events.starts, events.stops).mean()
    by_segment -= _worth(scaled, starts, stops).mean()
    overall = _of(scaled[events.labels]) - _of(scaled[events.normal])
    return float(by_segment + overall) / 2


def _worth(scaled: Floats, starts: Array, stops: Array) -> Floats:
    """The confidence of each segment times its consistency."""
    widths = stops - starts
    sums = np.append(0, np.cumsum(scaled))
    means = (sums[stops] - sums[starts]) / widths
    squares = np.append(0, np.cumsum(scaled**2))
    spread = np.maximum((squares[stops] - squares[starts]) / widths - means**2, 0)
    return np.asarray((means - 0.5) * np.exp(-spread))


def _of(scaled: Floats) -> float:
    return float((scaled.mean() - 0.5) * np.exp(-scaled.var()))
