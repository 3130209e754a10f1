"""Explain a value: what each event earned, and what each alarm cost; how alerts match incidents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, overload

from adjudge.checks import suggest_keywords
from adjudge.errors import InputError
from adjudge.judging.inputs.contract import Columns
from adjudge.judging.inputs.door import read, takes_input
from adjudge.metrics.reader import metric as read_metric

if TYPE_CHECKING:
    from adjudge._typing import Column
    from adjudge.data.incidents import Alerts, Incidents
    from adjudge.judging.channels.receipts import SeveralReceipt
    from adjudge.judging.inputs.annotated import Annotated
    from adjudge.judging.inputs.channels import Channels
    from adjudge.judging.inputs.on_call import OnCall
    from adjudge.judging.inputs.points import Points
    from adjudge.judging.on_call.receipt import OnCallReceipt
    from adjudge.judging.receipt import Receipt
    from adjudge.metrics.metric import Metric


@overload
def explain(
    labels: Incidents,
    scores: Alerts,
    metric: str | Metric = ...,
    *,
    at: Any = ...,
    **columns: Unpack[Columns],
) -> OnCallReceipt: ...


@overload
def explain(labels: OnCall, metric: str | Metric = ..., *, at: Any = ...) -> OnCallReceipt: ...


@overload
def explain(
    labels: Channels | Annotated, metric: str | Metric = ..., *, at: Any = ...
) -> SeveralReceipt: ...


@overload
def explain(labels: Points, metric: str | Metric = ..., *, at: Any = ...) -> Receipt: ...


@overload
def explain(
    labels: Column,
    scores: Column,
    metric: str | Metric = ...,
    *,
    at: Any = ...,
    **columns: Unpack[Columns],
) -> Receipt: ...


@suggest_keywords("explain", passes_on=Columns)  # type: ignore[misc]  # what follows an input moves up
@takes_input()
def explain(
    labels: Any,
    scores: Any = None,
    metric: str | Metric = "f1_ba",
    *,
    at: Any = None,
    **columns: Unpack[Columns],
) -> Any:
    """Break a score down: what each event earned, and what each alarm cost.

    Parameters
    ----------
    labels, scores : column
        The truth (or `adjudge.Events`), and flags, or scores with a threshold; an input
        (`adjudge.Points`, `adjudge.OnCall` ...) replaces both.
    metric : spec or Metric
        A metric with one value per threshold. A metric of one channel treats several channels
        as one.
    at : number or rule, optional
        The threshold of scores.
    **columns
        Arguments of the input, as in `adjudge.evaluate`.

    Returns
    -------
    Receipt, OnCallReceipt or SeveralReceipt
        One row per event and per alarm, which sum to the score; for incidents and alerts, how they
        match; for several channels, on which; for annotators, who marked what.

    Raises
    ------
    InputError
        If the value is not a sum over events and alarms, or scores have no threshold.

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
    data = read(labels, scores, columns)
    if len(data.detectors) > 1:
        raise InputError("scores must be from one detector; explain one at a time")
    return data.explained(read_metric(metric), at)
