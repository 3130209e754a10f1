"""Alertmanager: webhook bodies, which are a history, and the alerts that are active now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.io.exports.contract import Exported, export, label_roles, objects

if TYPE_CHECKING:
    from adjudge.io.records import Records


def _about(alert: dict[str, Any]) -> dict[str, Any]:
    return {**label_roles(alert.get("labels", {})), "start": alert["startsAt"]}


@export("alertmanager webhook", "lines with `alerts` and `groupKey`")
def webhook(records: Records) -> Exported | None:
    """Read bodies of a webhook: an alert is a fingerprint and a start, over once it is resolved."""
    content = records.content if isinstance(records.content, list) else [records.content]
    bodies = objects(content, "alerts", "groupKey")
    if not bodies:
        return None
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for alert in (alert for body in bodies for alert in body["alerts"]):
        row = found.setdefault((alert["fingerprint"], alert["startsAt"]), _about(alert))
        if alert["status"] == "resolved":
            row["end"] = alert["endsAt"]
    lost = sum(int(body.get("truncatedAlerts", 0)) for body in bodies)
    warnings = (f"{lost} alerts were cut off by Alertmanager",) if lost else ()
    return Exported(list(found.values()), "startsAt to endsAt once resolved", warnings=warnings)


@export("alertmanager", "`fingerprint`, `startsAt` and `status.state`")
def active(records: Records) -> Exported | None:
    """Read the alerts of the API, which are those that are active now; their ends are deadlines."""
    alerts = objects(records.content, "fingerprint", "startsAt", "status")
    if not alerts:
        return None
    warning = "only alerts that were active when it was asked: this is no history"
    return Exported([_about(alert) for alert in alerts], "startsAt, all open", warnings=(warning,))
