"""Datadog: events of monitors, one when an alert is triggered and one when it has recovered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.io.exports.contract import Change, Exported, export, inside, objects, paired

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge.io.records import Records


@export("datadog", "`data` with `attributes.attributes.monitor`")
def datadog(records: Records) -> Exported | None:
    """Read pairs of events of one monitor and group."""
    events = objects(inside(records.content, "data"), "type", "attributes")
    details = [inside(inside(event["attributes"], "attributes"), "monitor") for event in events]
    if not any(details):
        return None
    inner = [event["attributes"]["attributes"] for event in events]
    rows = paired(_changes(inner), records.file, "events")
    after = inside(inside(inside(records.content, "meta"), "page"), "after")
    more = ("the file names a next page, so it is one of several",) if after else ()
    return Exported(rows, "Triggered to Recovered", "ms", more)


def _changes(events: list[dict[str, Any]]) -> Iterator[Change]:
    for event in events:
        monitor = event.get("monitor") or {}
        kind = inside(monitor.get("transition"), "trans_type") or ""
        if kind in {"alert", "alert recovery"}:
            key = event.get("monitor_id"), tuple(event.get("monitor_groups") or ())
            about = {"service": event.get("service") or "", "kind": monitor.get("name") or ""}
            yield Change(key, event["timestamp"], kind == "alert", about)
