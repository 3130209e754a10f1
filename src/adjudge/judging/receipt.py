"""Receipt: which event earned what, which alarm cost what, and the score they add up to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge._outputs import output
from adjudge.count.ledger import as_dicts
from adjudge.judging.preparation import Given, prepared
from adjudge.metrics.in_time import in_time
from adjudge.metrics.parts import Reading
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.sorted_rules import with_rule_reordered
from adjudge.metrics.threshold_text import threshold_text
from adjudge.tables import frame_of, html_of, text_of

if TYPE_CHECKING:
    from adjudge._typing import Column, Flags
    from adjudge.count.ledger import AlarmRows, Ledger, TruthRows
    from adjudge.count.tally import Tally
    from adjudge.data.case import Case
    from adjudge.data.clock import Clock
    from adjudge.metrics.metric import Metric
    from adjudge.tables import Layout


MOST = 10
"""Events, and alarms, that are shown unless another number is asked for."""
_COLUMNS = (
    "side", "start", "stop", "found", "covered", "delay", "event", "island_start", "island_stop",
    "weight", "credit", "cost",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Receipt:
    """The account of one value.

    ``truth`` has one row per event (found, covered, delay, weight, credit), ``alarms`` one per
    alarm (its island, weight, credit, cost). The sums of weights and credits are the ``tally``,
    and the value is the metric's measure of that: nothing else enters.

    Attributes
    ----------
    metric, value, at : str, float, float or None
        The metric with every setting resolved, its value, and the threshold.
    truth, alarms : rows
        What each event earned, and what each alarm cost.
    tally : Tally
        What the rows sum to.
    flags, adjusted, labels : array of bool
        What was flagged, what was counted as flagged, and the truth.

    Examples
    --------
    >>> receipt = explain([0, 1, 1, 0], [0, 1, 0, 0], "f1")
    >>> receipt.value, receipt.truth.credit, receipt.tally.found
    (0.6666666666666666, array([1]), 1)
    """

    metric: str
    """The metric, with every setting resolved."""
    at: float | None
    """The threshold; None when the scores were flags."""
    value: float
    ledger: Ledger
    flags: Flags
    adjusted: Flags
    labels: Flags
    better: str = "higher"
    """Whether credits are earned, or add to a cost ("lower")."""
    charges: bool = False
    """Whether a row adds its cost, weight less credit, to the value: a distance."""
    clock: Clock | None = None
    """When each point was, if that is known."""
    case: Case | None = field(default=None, repr=False)
    """The labels and scores that were judged: what a picture is drawn from."""
    unit: str = ""
    """What the value counts: "points" for delays and distances."""
    seconds: float = math.nan
    """The value in seconds, if it has that unit and the time is known."""

    @property
    def at_text(self) -> str:
        """The threshold in so few digits that it still flags the same points."""
        return threshold_text(self.at, self.case)

    @property
    def truth(self) -> TruthRows:
        """One row per event."""
        return self.ledger.truth

    @property
    def alarms(self) -> AlarmRows:
        """One row per alarm."""
        return self.ledger.alarms

    @property
    def tally(self) -> Tally:
        """The masses that the rows sum to."""
        return self.ledger.tally

    def to_dict(self) -> dict[str, Any]:
        """The receipt as plain lists and numbers."""
        alarms = as_dicts(self.alarms)
        for row, cost in zip(alarms, self.alarms.cost.tolist(), strict=True):
            row["cost"] = cost
        sums = {name: mass for name, mass in self.tally._asdict().items() if name != "normal"}
        truth = as_dicts(self.truth)
        if self.clock is not None:
            for row in (*truth, *alarms):
                row["from"] = self.clock.text(row["start"])
                row["to"] = self.clock.text(row["stop"] - 1)
        return {
            "metric": self.metric,
            "at": self.at,
            "value": self.value,
            "unit": self.unit,
            "seconds": self.seconds,
            "sums": sums,
            "truth": truth,
            "alarms": alarms,
        }

    def strip(self, start: int = 0, stop: int | None = None) -> str:
        """Draw labels, flags and what became of them, one character per point.

        Parameters
        ----------
        start, stop : int
            Which points. Default: all.

        Examples
        --------
        >>> print(explain([0, 0, 0, 1, 1, 1, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0], "f1_ba").strip())
        labels   ...###..
        flags    !...^...
        counted  !-.^^^..
        """
        span = slice(start, stop)
        truth, flags, counted = self.labels[span], self.flags[span], self.adjusted[span]
        rows = {
            "labels": np.where(truth, "#", "."),
            "flags": np.where(flags, np.where(truth, "^", "!"), "."),
            "counted": np.where(counted, np.where(truth, "^", np.where(flags, "!", "-")), "."),
        }
        return "\n".join(f"{name:<9}{''.join(row)}" for name, row in rows.items())

    def plot(self, *, ax: Any = None) -> Any:
        """Draw scores, threshold, events, hits, and false alarms with their islands, over time.

        However many points there are, every alarm and every event stays visible.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        matplotlib Axes
        """
        return output("plot_receipt")(self, ax=ax)

    def to_frame(self, backend: str = "pandas") -> Any:
        """Events and alarms as the rows of one data frame."""
        return frame_of(self.columns(), backend)

    def columns(self) -> dict[str, list[Any]]:
        """Every row of both sides as columns by name; None where a side has no such thing."""
        whole = self.to_dict()
        rows = [{"side": "event", **row} for row in whole["truth"]]
        rows += [{"side": "alarm", **row} for row in whole["alarms"]]
        names = dict.fromkeys((*_COLUMNS, *(name for row in rows for name in row)))
        return {name: [row.get(name) for row in rows] for name in names}

    def layout(self, most: int | None = MOST, hint: str = "to_text(most=None)") -> Layout:
        """Lay the account out as a table and sums.

        Parameters
        ----------
        most, hint : int or None, str
            How many of the rows that matter most (None: all), and how to see the others.
        """
        laid: Layout = output("receipt_layout")(self, most, hint)
        return laid

    def to_text(self, width: int | None = 80, *, most: int | None = MOST) -> str:
        """The account as text.

        Parameters
        ----------
        width : int or None
            How many characters a line may have.
        most : int or None
            How many events, those that lost most, and how many alarms, the dearest; None: all.
        """
        return text_of(self.layout(most), width)

    def __str__(self) -> str:
        """Print the account: the rows that matter most, and the sums of all."""
        return self.to_text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Show the same in a notebook."""
        return html_of(self.layout())


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
) -> Receipt:
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

    Returns
    -------
    Receipt
        A row per event and per alarm, which sum to the score.

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
    given = Given(series, where, time, positive, missing, sort)
    (ready,) = prepared(labels, {"detector": scores}, at, given)
    placed = with_rule_reordered(read_metric(metric), ready.order)
    return explain_case(placed, ready.case, ready.at)


def explain_case(metric: Metric, case: Case, at: Any = None) -> Receipt:
    """The receipt of a metric on a case."""
    placed = metric.placed(at)
    ledger, flags, at = placed.ledger(case)
    measure, adjust, counting = metric.on(case.events).parts
    *_, (_, widest) = adjust.layers(case.events)
    value = float(measure(ledger.tally))
    timed = in_time(placed, case, Reading(value, at, "given"))
    return Receipt(
        metric.resolved_spec(case.events),
        at,
        value,
        ledger,
        flags,
        widest(flags, case.events),
        case.events.labels,
        metric.row.better,
        counting is not None and counting.charges,
        case.events.clock,
        case,
        timed.unit,
        timed.seconds,
    )
