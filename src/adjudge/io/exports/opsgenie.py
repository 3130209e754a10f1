"""Opsgenie: alerts, whose end is the time they were created and how long it took to close them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.io.exports.contract import Exported, export, inside, later, objects

if TYPE_CHECKING:
    from adjudge.io.records import Records

_COLUMNS = ("Id", "Alias", "Tags", "CreatedAt", "Priority", "Count", "Report.CloseTime")


@export("opsgenie", "`data` with `tinyId`; columns `TinyId`, `Report.CloseTime`")
def opsgenie(records: Records) -> Exported | None:
    """Read alerts: no field holds the end, which is createdAt and report.closeTime later."""
    if {*_COLUMNS, "TinyId"} <= records.columns.keys():
        cells = zip(*(records.columns[name] for name in _COLUMNS), strict=True)
        given = [
            _row(id_, alias, tags.split("|"), created, priority, close, int(count or 1))
            for id_, alias, tags, created, priority, count, close in cells
        ]
        return _exported(given, ())
    alerts = objects(inside(records.content, "data"), "tinyId", "createdAt")
    if not alerts:
        return None
    given = [
        _row(one["id"], one.get("alias"), one.get("tags", []), one["createdAt"],
             one.get("priority"), inside(one.get("report"), "closeTime"), one.get("count", 1))
        for one in alerts
    ]  # fmt: skip
    following = inside(inside(records.content, "paging"), "next")
    more = ("the file names a next page, so it is one of several",) if following else ()
    return _exported(given, more)


def _row(
    id_: str, alias: Any, tags: list[str], created: str, severity: Any, close: Any, count: int
) -> dict[str, Any]:
    end = None
    if close not in {None, ""}:
        end = later(created, int(close) / 1000)
    row = {"id": id_, "start": created, "end": end, "severity": severity, "count": count}
    return {**row, "kind": alias, **({"service": tags[0]} if tags else {})}


def _exported(given: list[dict[str, Any]], more: tuple[str, ...]) -> Exported:
    hidden = sum(row.pop("count") - 1 for row in given)
    if hidden:
        more += (f"{hidden} occurrences were counted into alerts that were open (count)",)
    return Exported(given, "createdAt, report.closeTime later; service: first tag", warnings=more)
