"""Explain a value: what each event earned, and what each alarm cost; how alerts match incidents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from adjudge.checks import front_door
from adjudge.data.channels import ChannelReading
from adjudge.data.incidents import Incidents
from adjudge.errors import InputError
from adjudge.judging.preparation import ReadingOptions, prepared
from adjudge.judging.receipt import Receipt, explain_case
from adjudge.metrics.metric import with_rule_reordered
from adjudge.metrics.reader import metric as read_metric

if TYPE_CHECKING:
    from adjudge._typing import Column
    from adjudge.data.incidents import Alerts
    from adjudge.judging.channels.receipts import SeveralReceipt
    from adjudge.judging.on_call.receipt import OnCallReceipt
    from adjudge.metrics.metric import Metric


@overload
def explain(
    labels: Incidents,
    scores: Alerts,
    metric: str | Metric = ...,
    *,
    series: bool | None = ...,
    span: Any = ...,
    watched: Any = ...,
    outages: Any = ...,
    early: Any = ...,
) -> OnCallReceipt: ...


@overload
def explain(
    labels: Column,
    scores: Column,
    metric: str | Metric = ...,
    *,
    at: Any = ...,
    series: Column = ...,
    where: Column = ...,
    time: Column = ...,
    positive: object = ...,
    missing: str = ...,
    sort: bool = ...,
) -> Receipt: ...


@overload
def explain(
    labels: Column,
    scores: Column,
    metric: str | Metric = ...,
    *,
    at: Any = ...,
    series: Column = ...,
    where: Column = ...,
    time: Column = ...,
    positive: object = ...,
    missing: str = ...,
    channels: Any = ...,
    subsystem: Any = ...,
    annotators: Any = ...,
    votes: str = ...,
) -> SeveralReceipt: ...


@front_door("explain")
def explain(
    labels: Column,
    scores: Column,
    metric: str | Metric = "f1_ba",
    *,
    at: Any = None,
    series: Column = None,
    where: Column = None,
    time: Column = None,
    positive: object = None,
    missing: str = "refuse",
    sort: bool = False,
    span: Any = None,
    watched: Any = None,
    outages: Any = None,
    early: Any = None,
    channels: Any = None,
    subsystem: Any = None,
    annotators: Any = None,
    votes: str = "each",
) -> Receipt | OnCallReceipt | SeveralReceipt:
    """The receipt of a score: what each event earned, and what each alarm cost.

    Parameters
    ----------
    labels, scores : column
        The truth (or `adjudge.Events`), and flags, or scores with a threshold.
    metric : spec or Metric
        A metric that has one value per threshold.
    at : number or rule, optional
        The threshold of scores.
    series, where, time, positive, missing
        See `adjudge.Case`.
    sort : bool
        Sort the points by time first.
    span, watched, outages, early
        Of `adjudge.Incidents` and `adjudge.Alerts`, as in `adjudge.evaluate`; ``series=False``
        takes all services as one.
    channels, subsystem, annotators, votes
        Labels and scores of several channels, or labels of several annotators, as in
        `adjudge.evaluate`. A metric of one channel then takes all of them as one.

    Returns
    -------
    Receipt, OnCallReceipt or SeveralReceipt
        A row per event and per alarm, which sum to the score; of incidents and alerts, how they
        match; of several channels on which of them, of annotators who marked what.

    Raises
    ------
    InputError
        If the value is no sum over events and alarms, or scores come without a threshold.

    Examples
    --------
    >>> receipt = explain([0, 0, 0, 1, 1, 1, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0], "f1_ba")
    >>> receipt.truth.credit, receipt.alarms.cost
    (array([3]), array([2, 0]))
    >>> receipt.tally
    Tally(found=3, truth=3, right=3, flagged=5, normal=5)
    >>> receipt
    f1_ba(width=3, islands="normal") = 0.75
    event or alarm  what happened                       worth
    ---------------------------------------------------------
    event [3, 6)    found after 1, 33 % covered  earns 3 of 3
    alarm [0, 1)    false, charged over [0, 2)        costs 2
    ---------------------------------------------------------
    1 of 1 events found, 1 of 2 alarms false
    sums: found 3 of 3, right 3 of 5 flagged
    """
    if channels is not None or annotators is not None:
        how = ChannelReading(series, where, time, positive, missing)
        by = (channels, subsystem) if annotators is None else (annotators, votes)
        return _several(labels, scores, by, at, how, read_metric(metric), annotators is None)
    if isinstance(labels, Incidents):
        watching = {"span": span, "watched": watched, "outages": outages, "early": early}
        return _things(
            labels, scores, read_metric(metric), {**watching, "series": series, "at": at}
        )
    given = ReadingOptions(series, where, time, positive, missing, sort)
    (ready,) = prepared(labels, {"detector": scores}, at, given)
    placed = with_rule_reordered(read_metric(metric), ready.order)
    return explain_case(placed, ready.case, ready.at, before=ready.before)


def _several(
    labels: Column,
    scores: Column,
    by: tuple[Any, Any],
    at: Any,
    how: ChannelReading,
    metric: Metric,
    of_channels: bool,
) -> SeveralReceipt:
    """The receipt of several channels, or by several annotators."""
    from adjudge.judging.channels.receipts import (  # noqa: PLC0415 - they stand on this
        explained_annotators,
        explained_channels,
    )

    explained = explained_channels if of_channels else explained_annotators
    return explained(labels, scores, by, at, how, metric)


def _things(
    incidents: Incidents, alerts: Column, metric: Metric, watching: dict[str, Any]
) -> OnCallReceipt:
    """The receipt of alerts: how they match the incidents."""
    from adjudge.judging.on_call.reading import Watching, cases_of  # noqa: PLC0415 - for incidents
    from adjudge.judging.on_call.receipt import OnCallReceipt  # noqa: PLC0415
    from adjudge.metrics.on_alerts import raised  # noqa: PLC0415

    (case,) = cases_of(incidents, [("alerts", alerts)], Watching(**watching))
    if metric.row.needs == "scores":
        raise InputError(
            f"{metric} judges every threshold at once, so no alert is right or false: ask for "
            "event_f1 with at=, a threshold"
        )
    above = raised(metric, case)
    if above.metric is None:
        raise InputError(
            f"{metric} judges points, and incidents and alerts have none: ask for event_f1, f1_ba "
            "or another metric of things; on the command line --every STEP lays them on a grid"
        )
    return OnCallReceipt(above.metric, above.case)
