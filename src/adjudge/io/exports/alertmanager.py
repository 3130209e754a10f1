"""Alertmanager: webhook bodies, which are a history, and the alerts that are active now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.io.exports.contract import (
    COUNT,
    LABELS,
    TEXT,
    TIME,
    Exported,
    Maybe,
    Needs,
    export,
    label_roles,
    objects,
    one_of,
)

if TYPE_CHECKING:
    from adjudge.io.exports.contract import Fields
    from adjudge.io.records import Records


_SENT: Fields = Needs(
    {"fingerprint": TEXT, "labels": LABELS, "startsAt": TIME, "endsAt": Maybe(TIME),
     "status": one_of("firing", "resolved")},
    "status", ("resolved",), ("endsAt",),
)  # fmt: skip
_BODY: Fields = {"alerts": [_SENT], "truncatedAlerts": Maybe(COUNT)}


def _about(alert: dict[str, Any]) -> dict[str, Any]:
    return {**label_roles(alert["labels"]), "start": alert["startsAt"]}


@export("alertmanager webhook", "lines with `alerts` and `groupKey`")
def webhook(records: Records) -> Exported | None:
    """Read bodies of a webhook: an alert is a fingerprint and a start, over once it is resolved."""
    content = records.content if isinstance(records.content, list) else [records.content]
    bodies = objects(records._replace(content=content), "", ("alerts", "groupKey"), _BODY)
    if not bodies:
        return None
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for alert in (alert for body in bodies for alert in body["alerts"]):
        row = found.setdefault((alert["fingerprint"], alert["startsAt"]), _about(alert))
        if alert["status"] == "resolved":
            row["end"] = alert["endsAt"]
    lost = sum(body["truncatedAlerts"] or 0 for body in bodies)
    warnings = (f"{lost} alerts were cut off by Alertmanager",) if lost else ()
    return Exported(list(found.values()), "startsAt to endsAt once resolved", warnings=warnings)


@export("alertmanager", "`fingerprint`, `startsAt` and `status.state`")
def active(records: Records) -> Exported | None:
    """Read the alerts of the API, which are those that are active now; their ends are deadlines."""
    fields = {"labels": LABELS, "startsAt": TIME}
    alerts = objects(records, "", ("fingerprint", "startsAt", "status"), fields)
    if not alerts:
        return None
    warning = "only alerts active at the time of the query: not a history"
    return Exported([_about(alert) for alert in alerts], "startsAt, all open", warnings=(warning,))
