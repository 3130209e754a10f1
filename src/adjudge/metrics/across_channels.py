"""Metrics of several channels, made of a metric of one: seen as one, summed or averaged."""

from __future__ import annotations

from dataclasses import replace

from adjudge.checks import suggest_keywords
from adjudge.errors import InputError, shown
from adjudge.metrics.metric import Metric


def as_spec(how: str, given: object) -> str:
    """How to write it where the metric was given as text."""
    return f"; write metric('{how}({given})')" if isinstance(given, str) else ""


def _across(how: str, metric: Metric) -> Metric:
    if not isinstance(metric, Metric):
        raise InputError(f"{how}(...) takes a metric, got {shown(metric)}{as_spec(how, metric)}")
    if metric.across or metric.row.channels:
        raise InputError(f"{how}(...) takes a metric of one channel, got {metric}")
    if how == "micro" and metric.oracle:
        raise InputError(
            f"micro(...) adds up all channels at one threshold, got {metric}; write "
            f"best(micro({replace(metric, oracle=False)}))"
        )
    return replace(metric, across=how, each=metric.oracle)


@suggest_keywords("any_channel")
def any_channel(metric: Metric) -> Metric:
    """Judge several channels as one: anomalous where any is, with the highest score of all.

    Scores must be comparable from channel to channel: one loud channel decides alone.

    Parameters
    ----------
    metric : Metric
        A metric of one channel.

    Returns
    -------
    Metric
        The same of several, written ``any_channel(...)``; of one channel it is the same.

    Raises
    ------
    InputError
        If it is of several channels already.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, flags = [[0, 0], [1, 0], [0, 1]], [[0, 0], [0, 1], [0, 0]]
    >>> aj.any_channel(aj.recall)(labels, flags, channels=["temp", "flow"])
    0.5
    """
    return _across("any_channel", metric)


@suggest_keywords("micro")
def micro(metric: Metric) -> Metric:
    """Count on each channel separately, sum, and compute the metric once.

    Parameters
    ----------
    metric : Metric
        A metric of one channel.

    Returns
    -------
    Metric
        The same of several, written ``micro(...)``; of one channel it is the same.

    Raises
    ------
    InputError
        If it is of several channels already, or chooses a threshold for each.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, flags = [[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]]
    >>> aj.micro(aj.recall)(labels, flags, channels=["temp", "flow"])
    0.6666666666666666
    """
    return _across("micro", metric)


@suggest_keywords("macro")
def macro(metric: Metric) -> Metric:
    """The mean of a metric over channels; a channel on which it is undefined is left out.

    Parameters
    ----------
    metric : Metric
        A metric of one channel; ``best(...)`` chooses a threshold for each channel. Around it,
        as in ``best(macro(f1))``, one threshold is chosen for all.

    Returns
    -------
    Metric
        The same of several, written ``macro(...)``; of one channel it is the same.

    Raises
    ------
    InputError
        If it is of several channels already.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, flags = [[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]]
    >>> aj.macro(aj.recall)(labels, flags, channels=["temp", "flow"])
    0.75
    """
    return _across("macro", metric)
