"""The receipt of alerts: which incident was found by which alert, and what each alert was for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.clock import NANOSECONDS, in_words
from adjudge.judging.breakdowns import span
from adjudge.judging.on_call.case import first_alert
from adjudge.judging.receipt import MOST, Account
from adjudge.tables.table import Layout, Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.count.tally import Tally
    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.judging.on_call.values import ThingsForm


@dataclass(frozen=True, eq=False, repr=False)
class OnCallReceipt(Account):
    """The account of one value of alerts: every incident and every alert, and how they match.

    Attributes
    ----------
    metric, value : str, float
        The metric with every setting resolved, and its value.
    tally : Tally
        What the metric is a measure of.
    truth, alarms : list of dict
        A row per incident: when it was, whether it was found, by which alert and how late; and a
        row per alert: whether it was right, of which incident, false, or not counted.

    Examples
    --------
    >>> import adjudge as aj
    >>> incidents, alerts = aj.Incidents([10, 50], [20, 60]), aj.Alerts([14, 70], id=["A", "B"])
    >>> receipt = aj.explain(incidents, alerts, "event_recall", span=(0, 100))
    >>> [row["outcome"] for row in receipt.truth], [row["outcome"] for row in receipt.alarms]
    (['found', 'missed'], ['right', 'false'])
    """

    sides = ("incident", "alert")

    form: ThingsForm
    case: OnCallCase

    @property
    def metric(self) -> str:
        """The metric, with every setting resolved."""
        return self.form.metric.spec(self.form.metric.row.always_shown)

    @property
    def value(self) -> float:
        """The value."""
        return self.form.value

    @property
    def tally(self) -> Tally:
        """The masses that the value is a measure of."""
        return self.form.tally

    @property
    def counts(self) -> dict[str, int]:
        """How many incidents are judged and found, how many alerts count and are false."""
        answer = self.case.answer
        return {
            "events": answer.judged,
            "found": answer.found,
            "alarms": answer.alerts_right + answer.alerts_false,
            "false_alarms": answer.alerts_false,
        }

    @property
    def truth(self) -> list[dict[str, Any]]:
        """A row per incident."""
        return [
            {**event, "covered": None, "weight": int(event["found"] is not None),
             "credit": int(bool(event["found"]))}
            for event in self.case.events
        ]  # fmt: skip

    @property
    def alarms(self) -> list[dict[str, Any]]:
        """A row per alert, in the order of their starts."""
        order = np.argsort(self.case.alerts.start, kind="stable")
        return [self._alarm(int(row)) for row in order]

    def _alarm(self, row: int) -> dict[str, Any]:
        alerts, found, rows = self.case.alerts, self.case.count.alerts, self.case.count.incidents
        number, counted = int(found.incident[row]), bool(found.counted[row])
        right = bool(found.right[row])
        start, stop = int(alerts.start[row]), int(alerts.until(self.case.watched.span[1])[row])
        alarm = {
            "id": str(alerts.id[row]), "start": start, "stop": stop, "event": number,
            "island_start": start, "island_stop": stop, "weight": int(counted),
            "credit": int(right), "cost": int(counted and not right),
            "outcome": "right" if right else "false" if counted else "not counted",
            "incident": None if number < 0 else str(rows.id[number]),
        }  # fmt: skip
        for name in ("service", "kind", "severity"):
            column = getattr(alerts, name)
            alarm |= {} if column is None else {name: str(column[row])}
        if not alerts.in_points:
            ends = f"{alerts.instant_text(stop)}{', still open' if alerts.open[row] else ''}"
            alarm |= {"from": alerts.instant_text(start), "to": ends}
        return alarm

    def to_dict(self) -> dict[str, Any]:
        """The receipt as plain lists and numbers."""
        sums = {name: mass for name, mass in self.tally._asdict().items() if name != "normal"}
        return {
            "metric": self.metric,
            "at": self.case.at,
            "value": self.value,
            "unit": self.form.unit,
            "seconds": self.value if self.form.unit == "seconds" else math.nan,
            "counts": self.counts,
            "sums": {name: np.ravel(mass)[0].item() for name, mass in sums.items()},
            "truth": self.truth,
            "alarms": self.alarms,
            "said": self.case.sentence,
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
        if self.form.unit == "seconds" and not math.isnan(self.value):
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


_TRUTH = ("missed", "found", "unwatched")
_ALARMS = ("false", "right", "not counted")


def _what_for(row: dict[str, Any]) -> str:
    return f"right: {row['incident']}" if row["outcome"] == "right" else str(row["outcome"])


def _table(noun: str, rows: Sequence[tuple[dict[str, Any], str]]) -> Table:
    when = [
        span(row["from"], row["to"]) if "from" in row else f"[{row['start']}, {row['stop']})"
        for row, _ in rows
    ]
    columns = {
        noun: [row["id"] for row, _ in rows],
        "service": [row.get("service", "") for row, _ in rows],
        "from, to": when,
        "what happened": [said for _, said in rows],
    }
    return Table(
        tuple(
            TableColumn(name, tuple(cells), is_text=True)
            for name, cells in columns.items()
            if name != "service" or any(cells)
        )
    )
