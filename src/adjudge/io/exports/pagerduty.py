"""PagerDuty: incidents, which are pages, so alerts; as the API and as the raw report give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.data.written_times import are_numbers
from adjudge.io.exports.contract import (
    NAME,
    TEXT,
    TIME,
    Exported,
    Kind,
    Maybe,
    Needs,
    export,
    inside,
    objects,
    one_of,
    table,
)

if TYPE_CHECKING:
    from adjudge.io.exports.contract import Fields
    from adjudge.io.records import Records

_STATUS = Maybe(one_of("triggered", "acknowledged", "resolved"))
_WRITTEN = Kind("a time", lambda value: not are_numbers([value]), TIME.is_gone)
"""A time in whatever form: it is read by the column."""
_ROW: Fields = Needs(
    {"id": NAME, "created_on": _WRITTEN, "resolved_on": Maybe(_WRITTEN), "status": _STATUS,
     "service_name": Maybe(TEXT), "urgency": Maybe(TEXT)},
    "status", ("resolved",), ("resolved_on",),
)  # fmt: skip
_INCIDENT: Fields = Needs(
    {"id": NAME, "created_at": TIME, "resolved_at": Maybe(TIME), "status": _STATUS,
     "last_status_change_at": Maybe(TIME), "service": Maybe({"summary": TEXT}),
     "urgency": Maybe(TEXT)},
    "status", ("resolved",), ("resolved_at", "last_status_change_at"),
)  # fmt: skip
_COLUMNS = ("id", "incident_number", "created_on", "resolved_on", "service_name", "urgency")


@export("pagerduty", "`incidents` with `incident_number`; columns `created_on`, `resolved_on`")
def pagerduty(records: Records) -> Exported | None:
    """Read pages from created to resolved."""
    rows = table(records, _COLUMNS, _ROW)
    if rows is not None:
        return Exported(
            [
                {"id": one["id"], "service": one["service_name"], "start": one["created_on"],
                 "end": one["resolved_on"], "severity": one["urgency"]}
                for one in rows
            ],
            "created_on to resolved_on",
        )  # fmt: skip
    given = objects(records, "incidents", ("incident_number", "created_at"), _INCIDENT)
    if not given:
        return None
    more = "the file says more: true, so it is one page of several"
    return Exported(
        [
            {"id": one["id"], "service": one["service"]["summary"], "start": one["created_at"],
             "end": _end(one), "severity": one["urgency"]}
            for one in given
        ],
        "created_at to resolved_at",
        warnings=(more,) if inside(records.content, "more") else (),
    )  # fmt: skip


def _end(one: dict[str, str]) -> str | None:
    """When it was resolved, which is also the last change of what is resolved."""
    changed = one["last_status_change_at"] if one["status"] == "resolved" else None
    return one["resolved_at"] or changed
