"""PagerDuty: incidents, which are pages, so alerts; as the API and as the raw report give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.io.exports.contract import Exported, export, inside, objects

if TYPE_CHECKING:
    from adjudge.io.records import Records

_CSV = {"id": "id", "service_name": "service", "created_on": "start", "resolved_on": "end",
        "urgency": "severity"}  # fmt: skip


@export("pagerduty", "`incidents` with `incident_number`; columns `created_on`, `resolved_on`")
def pagerduty(records: Records) -> Exported | None:
    """Read pages from created to resolved."""
    if {*_CSV, "incident_number"} <= records.columns.keys():
        columns = {role: records.columns[name] for name, role in _CSV.items()}
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return Exported(rows, "created_on to resolved_on")
    given = objects(inside(records.content, "incidents"), "incident_number", "created_at")
    if not given:
        return None
    rows = [
        {
            "id": one["id"],
            "start": one["created_at"],
            "end": one.get("resolved_at"),
            "service": inside(one.get("service"), "summary"),
            "severity": one.get("urgency"),
        }
        for one in given
    ]
    more = "the file says more: true, so it is one page of several"
    return Exported(
        rows, "created_at to resolved_at", warnings=(more,) if records.content.get("more") else ()
    )
