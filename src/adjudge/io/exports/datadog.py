"""Datadog: events of monitors, one when an alert is triggered and one when it has recovered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.io.exports.contract import (
    NAME,
    TEXT,
    Exported,
    Maybe,
    Needs,
    StateChange,
    export,
    inside,
    instant,
    objects,
    paired,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge.io.exports.contract import Fields
    from adjudge.io.records import Records

_TAKEN = ("alert", "alert recovery")
_KIND = "monitor.transition.trans_type"
_INNER: Fields = Needs(
    {"monitor": Maybe({"name": Maybe(TEXT), "transition": Maybe({"trans_type": Maybe(TEXT)})}),
     "monitor_id": Maybe(NAME), "monitor_groups": Maybe([TEXT]), "service": Maybe(TEXT),
     "timestamp": Maybe(instant("ms"))},
    _KIND, _TAKEN, ("timestamp",),
)  # fmt: skip


@export("datadog", "`data` with `attributes.attributes.monitor`")
def datadog(records: Records) -> Exported | None:
    """Read pairs of events of one monitor and group."""
    given = inside(records.content, "data")
    listed = given if isinstance(given, list) else []
    if not any(inside(event, "attributes.attributes.monitor") for event in listed):
        return None
    events = objects(records, "data", ("attributes",), {"attributes": {"attributes": _INNER}})
    inner = [event["attributes"]["attributes"] for event in events]
    rows = paired(_changes(inner), records.file, "events")
    warnings = []
    if inside(records.content, "meta.page.after"):
        warnings.append("the file names a next page, so it is one of several")
    others = [str(kind) for one in inner if (kind := inside(one, _KIND)) not in _TAKEN]
    if others:
        kinds = ", ".join(sorted(set(others)))
        warnings.append(
            f"{len(others)} events left out that are no alerts, nor their ends ({kinds})"
        )
    return Exported(rows, "Triggered to Recovered", "ms", tuple(warnings))


def _changes(events: list[dict[str, Any]]) -> Iterator[StateChange]:
    for event in events:
        kind = inside(event, _KIND)
        if kind in _TAKEN:
            key = event["monitor_id"], tuple(event["monitor_groups"] or ())
            about = {"service": event["service"] or "", "kind": event["monitor"]["name"] or ""}
            yield StateChange(key, event["timestamp"], kind == "alert", kind != "alert", about)
