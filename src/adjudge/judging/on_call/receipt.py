"""The receipt of alerts: which incident was found by which alert, and what each alert was for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count.ledger import NORMAL, AlarmRows, Entries, TruthRows, as_dicts
from adjudge.data.durations import NANOSECONDS, in_words
from adjudge.judging.on_call.case import described, first_alert
from adjudge.judging.on_call.values import unit_of
from adjudge.judging.receipt import MOST, Summed
from adjudge.judging.words.places import place_of
from adjudge.tables.table import Layout, Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array, Floats
    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.metrics.on_alerts import AtThreshold


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class OnCallReceipt(Summed):
    """The account of one value of alerts: every incident and every alert, and how they match.

    Attributes
    ----------
    metric, value : str, float
        The metric with every setting resolved, and its value.
    tally : Tally
        What the metric is a measure of.
    truth, alarms : list of dict
        A row per incident: when it was, whether it was found, by which alert and how late; and a
        row per alert: whether it was right, of which incident, false, or not counted. Weights and
        credits of the rows sum to the tally.

    Examples
    --------
    >>> import adjudge as aj
    >>> incidents, alerts = aj.Incidents([10, 50], [20, 60]), aj.Alerts([14, 70], id=["A", "B"])
    >>> receipt = aj.explain(incidents, alerts, "event_recall", span=(0, 100))
    >>> [row["outcome"] for row in receipt.truth], [row["outcome"] for row in receipt.alarms]
    (['found', 'missed'], ['right', 'false'])
    """

    sides = ("incident", "alert")

    case: OnCallCase

    @property
    def sentences(self) -> list[str]:
        """What an engineer asks first."""
        return [self.case.sentence]

    def rows(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """A row per incident, and one per alert."""
        entries, names = self.entries, ("weight", "credit")
        incidents = [
            event | {"covered": None} | {name: row[name] for name in names}
            for event, row in zip(self.case.events, as_dicts(entries.truth), strict=True)
        ]
        order = np.argsort(self.case.alerts.start, kind="stable").tolist()
        every = entries.alarms.with_cost
        return incidents, [self._alert(row, every[row]) for row in order]

    def _alert(self, row: int, entry: dict[str, Any]) -> dict[str, Any]:
        alerts, found = self.case.alerts, self.case.count.alerts
        number, counted = int(found.incident[row]), bool(found.counted[row])
        return {
            "id": str(alerts.id[row]),
            **entry,
            "outcome": "right" if found.right[row] else "false" if counted else "not counted",
            "incident": None if number < 0 else str(self.case.count.incidents.id[number]),
            **described(alerts, row, (entry["start"], entry["stop"]), still=alerts.open[row]),
        }

    def layout(self, most: int | None = MOST, hint: str = "to_text(most=None)") -> Layout:
        """Lay incidents and alerts out as two tables: the missed and the false ones first."""
        truth = sorted(self.truth, key=lambda row: _TRUTH.index(row["outcome"]))
        alarms = sorted(self.alarms, key=lambda row: _ALARMS.index(row["outcome"]))
        tables = (
            _table("incident", [(row, self._how_found(row)) for row in truth[:most]]),
            _table("alert", [(row, _what_for(row)) for row in alarms[:most]]),
        )
        left = [len(rows) - len(rows[:most]) for rows in (truth, alarms)]
        more = f"{left[0]} more incidents and {left[1]} more alerts ({hint})"
        notes = [more] if any(left) else []
        return Layout(
            tables, tuple(notes), (), (f"{self.metric} = {self._value_text}", self.case.sentence)
        )

    @property
    def _value_text(self) -> str:
        above = "" if self.case.at is None else f", alerts above {self.case.at:.6g}"
        above = f", alerts by {self.case.policy}" if self.case.policy else above
        if self.unit == "seconds" and not math.isnan(self.value):
            return in_words(self.value * NANOSECONDS["s"]) + above
        return f"{self.value:.6g}{above}"

    def _how_found(self, row: dict[str, Any]) -> str:
        if row["outcome"] != "found":
            return str(row["outcome"])
        late = row.get("delay_time") or (
            "" if row["delay"] is None else f"{row['delay']:g} point{'s' * (row['delay'] != 1)}"
        )
        many = f", {row['alerts']} alerts" if row["alerts"] > 1 else ""
        return f"found{f' after {late}' if late else ''} by {first_alert(row)}{many}"


def explain_alerts(found: AtThreshold) -> OnCallReceipt:
    """The receipt of a metric on alerts above a threshold."""
    metric, case, value = found.resolved, found.case, found.value
    shares, sums = metric.shares(case.outcome), metric.sums(case.outcome)[0]
    (found_of, weight), (right, flagged) = ([_whole(own) for own in side.T] for side in shares)
    rows, alerts, numbers = case.count.incidents, case.alerts, case.answer
    unit, ends = unit_of(metric, case), alerts.until(case.watched.span[1])
    unknown = np.full(len(rows.start), math.nan)
    truth = TruthRows(rows.start, rows.end, rows.found, unknown, rows.delay, weight, found_of)
    every = AlarmRows.of_runs(alerts.start, ends, case.count.alerts.incident, flagged, right)
    return OnCallReceipt(
        metric=metric.spec(metric.row.always_shown), at=case.at, value=value, case=case, unit=unit,
        seconds=value if unit == "seconds" else math.nan,
        entries=Entries(truth, every, float(sums[NORMAL])),
        counts={
            "events": numbers.judged, "found": numbers.found,
            "alarms": numbers.alerts_right + numbers.alerts_false,
            "false_alarms": numbers.alerts_false,
        },
    )  # fmt: skip


def _whole(masses: Floats) -> Array:
    """As whole numbers, if they are."""
    whole = masses.astype(np.int64)
    return whole if np.array_equal(whole, masses) else masses


_TRUTH = ("missed", "found", "unwatched")
_ALARMS = ("false", "right", "not counted")


def _what_for(row: dict[str, Any]) -> str:
    return f"right: {row['incident']}" if row["outcome"] == "right" else str(row["outcome"])


def _table(noun: str, rows: Sequence[tuple[dict[str, Any], str]]) -> Table:
    columns = {
        noun: [row["id"] for row, _ in rows],
        "service": [row.get("service", "") for row, _ in rows],
        "from, to": [place_of(row) for row, _ in rows],
        "what happened": [said for _, said in rows],
    }
    return Table(
        tuple(
            TableColumn(name, tuple(cells), is_text=True)
            for name, cells in columns.items()
            if name != "service" or any(cells)
        )
    )
