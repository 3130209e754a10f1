"""Receipt: which event earned what, which alarm cost what, and the score they add up to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge._outputs import output
from adjudge.count.ledger import as_dicts
from adjudge.data.durations import in_words
from adjudge.judging.event_list import time_after
from adjudge.judging.preparation import Given, prepared
from adjudge.metrics.reader import metric as read_metric

if TYPE_CHECKING:
    from adjudge._typing import Column, Flags
    from adjudge.count.ledger import AlarmRows, Ledger, TruthRows
    from adjudge.count.tally import Tally
    from adjudge.data.case import Case
    from adjudge.data.clock import Clock
    from adjudge.metrics.metric import Metric


@dataclass(frozen=True, eq=False)
class Receipt:
    """The account of one value.

    ``truth`` has one row per event (found, covered, delay, weight, credit), ``alarms`` one per
    alarm (its island, weight, credit, cost). The sums of weights and credits are the ``tally``,
    and the value is the metric's measure of that: nothing else enters.
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
            "sums": sums,
            "truth": truth,
            "alarms": alarms,
        }

    def strip(self, start: int = 0, stop: int | None = None) -> str:
        """Draw labels, flags and what became of them, one character per point.

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

    def __str__(self) -> str:
        """Print the account."""
        return "\n".join(_lines(self))

    __repr__ = __str__


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

    >>> receipt = explain([0, 0, 0, 1, 1, 1, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0], "f1_ba")
    >>> receipt.truth.credit, receipt.alarms.cost
    (array([3]), array([2, 0]))
    >>> receipt.tally
    Tally(found=3, truth=3, right=3, flagged=5, normal=5)
    >>> receipt
    f1_ba(width=3, islands="normal") = 0.75
    event [3, 6)   found after 1, 33% covered: earns 3 of 3
    alarm [0, 1)   false: costs 2 over [0, 2)
    sums: found 3 of 3, right 3 of 5 flagged
    """
    given = Given(series, where, time, positive, missing, sort)
    (ready,) = prepared(labels, {"detector": scores}, at, given)
    return explain_case(read_metric(metric), ready.case, ready.at)


def explain_case(metric: Metric, case: Case, at: Any = None) -> Receipt:
    """The receipt of a metric on a case."""
    ledger, flags, at = metric.placed(at).ledger(case)
    measure, adjust, counting = metric.on(case.events).parts
    *_, (_, widest) = adjust.layers(case.events)
    return Receipt(
        metric.resolved_spec(case.events),
        at,
        float(measure(ledger.tally)),
        ledger,
        flags,
        widest(flags, case.events),
        case.events.labels,
        metric.row.better,
        counting is not None and counting.charges,
        case.events.clock,
        case,
    )


def _lines(receipt: Receipt) -> list[str]:
    truth, alarms = receipt.truth, receipt.alarms
    above = "" if receipt.at is None else f", flagged above {receipt.at:g}"
    lines = [f"{receipt.metric} = {receipt.value:.6g}{above}"]
    for row in as_dicts(truth):
        how = (
            f"found after {_delay(row, receipt.clock)}, {row['covered']:.0%} covered"
            if row["found"]
            else "missed"
        )
        lines.append(f"event {_interval(row, receipt.clock)} {how}: {_worth(row, receipt)}")
    for row, cost in zip(as_dicts(alarms), alarms.cost.tolist(), strict=True):
        if cost or (row["event"] < 0 and not receipt.charges):
            kind = "false" if row["event"] < 0 else f"on event {row['event']}"
            island = _interval(
                {"start": row["island_start"], "stop": row["island_stop"]}, receipt.clock
            ).strip()
            verb = "adds" if receipt.charges else "costs"
            lines.append(
                f"alarm {_interval(row, receipt.clock)} {kind}: {verb} {cost:g} over {island}"
            )
    return [*lines, _sums(receipt)]


def _sums(receipt: Receipt) -> str:
    found, truth, right, flagged, _ = receipt.tally
    if receipt.charges:
        events = f"events add {truth - found:g} (weight {truth:g})"
        alarms = f"alarms add {flagged - right:g} (weight {flagged:g})"
    else:
        of = "of" if receipt.better == "higher" else "over a weight of"
        events = f"found {found:.6g} {of} {truth:g}"
        alarms = f"right {right:g} of {flagged:g} flagged"
    return f"sums: {events}" + (f", {alarms}" if receipt.alarms.start.size else "")


def _worth(row: dict[str, Any], receipt: Receipt) -> str:
    if receipt.charges:
        return f"adds {row['weight'] - row['credit']:g}"
    if receipt.better == "higher":
        return f"earns {row['credit']:.6g} of {row['weight']:g}"
    return f"counts {row['credit']:.6g}, weight {row['weight']:g}"


def _interval(row: dict[str, Any], clock: Clock | None) -> str:
    if clock is None:
        return f"{'[{start}, {stop})'.format(**row):<8}"
    first, last = clock.text(row["start"]), clock.text(row["stop"] - 1)
    return first if first == last else f"{first} to {last}"


def _delay(row: dict[str, Any], clock: Clock | None) -> str:
    if clock is None:
        return f"{row['delay']:g}"
    return in_words(time_after(clock, row["start"], row["delay"]))
