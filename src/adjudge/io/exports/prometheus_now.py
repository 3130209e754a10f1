"""Prometheus: the alerts that fire now, as a list (/api/v1/alerts) or under their rules."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from adjudge.io.exports.contract import (
    LABELS,
    SECONDS,
    STEP,
    TIME,
    Exported,
    Maybe,
    Needs,
    checked,
    export,
    inside,
    label_roles,
    later,
    one_of,
)

if TYPE_CHECKING:
    from adjudge.io.exports.contract import Fields
    from adjudge.io.records import Records

_ALERT: Fields = {
    "labels": LABELS,
    "activeAt": TIME,
    "state": one_of("firing", "pending", "inactive"),
}
_RULE: Fields = Needs(
    Needs(
        {"type": one_of("alerting", "recording"), "duration": Maybe(SECONDS),
         "alerts": Maybe([_ALERT])},
        "type", ("alerting",), ("alerts",),
    ),
    "type", ("alerting",), ("duration",),
)  # fmt: skip
_GROUP: Fields = {"interval": STEP, "rules": [_RULE]}
_NOW = "only alerts firing at the time of the query: not a history"


@export("prometheus alerts", "`data.alerts` with `activeAt`")
def alerts_now(records: Records) -> Exported | None:
    """Read /api/v1/alerts, which says when a rule began to hold; the alert came `for` later."""
    given = inside(records.content, "data.alerts")
    if not isinstance(given, list):
        return None
    alerts = checked(given, [_ALERT], records.file, "data.alerts")
    early = "activeAt is when a rule began to hold, earlier than its alert by `for`: /api/v1/rules"
    rows = _firing(alerts, 0)
    return Exported(rows, "activeAt, all open", warnings=(f"{early} has both", _NOW))


@export("prometheus rules", "`data.groups` with `rules`")
def rules_now(records: Records) -> Exported | None:
    """Read /api/v1/rules: an alert began at the first evaluation that was `for` after activeAt."""
    groups = inside(records.content, "data.groups")
    if not isinstance(groups, list):
        return None
    rows = [
        row
        for group in checked(groups, [_GROUP], records.file, "data.groups")
        for rule in group["rules"]
        if rule["type"] == "alerting"
        for row in _firing(rule["alerts"], _wait(rule["duration"], group["interval"]))
    ]
    return Exported(rows, "activeAt, later by `for`, all open", warnings=(_NOW,))


def _wait(hold: float, interval: float) -> float:
    """Seconds from the evaluation at which a rule began to hold to the one at which it alerts.

    >>> _wait(0, 15), _wait(20, 15), _wait(30, 15)
    (0, 30, 30)
    """
    return ceil(hold / interval) * interval


def _firing(alerts: list[dict[str, Any]], wait: float) -> list[dict[str, Any]]:
    return [
        {**label_roles(one["labels"]), "start": later(one["activeAt"], wait)}
        for one in alerts
        if one["state"] == "firing"  # not those that are pending
    ]
