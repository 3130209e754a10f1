"""Opsgenie: alerts, whose end is the time they were created and how long it took to close them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.io.exports.contract import (
    COUNT,
    NAME,
    TEXT,
    TIME,
    Exported,
    Kind,
    Maybe,
    Needs,
    export,
    inside,
    later,
    objects,
    table,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.io.exports.contract import Fields
    from adjudge.io.records import Records

_OVER = ("closed", "resolved")
_DIGITS = Kind(COUNT.rule, lambda value: COUNT.fits(_read(value)))
_COLUMNS = ("Id", "TinyId", "Alias", "Tags", "CreatedAt", "Priority", "Count", "Report.CloseTime")
_ROW: Fields = Needs(
    {"Id": NAME, "Alias": Maybe(TEXT), "Tags": Maybe(TEXT), "CreatedAt": TIME,
     "Priority": Maybe(TEXT), "Count": Maybe(_DIGITS), "Report.CloseTime": Maybe(_DIGITS),
     "Status": Maybe(TEXT)},
    "Status", _OVER, ("Report.CloseTime",),
)  # fmt: skip
_ALERT: Fields = Needs(
    {"id": NAME, "alias": Maybe(TEXT), "tags": Maybe([TEXT]), "createdAt": TIME,
     "priority": Maybe(TEXT), "count": Maybe(COUNT), "report": Maybe({"closeTime": Maybe(COUNT)}),
     "status": Maybe(TEXT)},
    "status", _OVER, ("report.closeTime",),
)  # fmt: skip


@export("opsgenie", "`data` with `tinyId`; columns `TinyId`, `Report.CloseTime`")
def opsgenie(records: Records) -> Exported | None:
    """Read alerts: no field holds the end, which is createdAt and report.closeTime later."""
    rows = table(records, _COLUMNS, _ROW)
    if rows is not None:
        given = [
            _thing(one["Id"], one["Alias"], (one["Tags"] or "").split("|"), one["CreatedAt"],
                   one["Priority"], _read(one["Report.CloseTime"]), _read(one["Count"]))
            for one in rows
        ]  # fmt: skip
        return _exported(given, ())
    alerts = objects(records, "data", ("tinyId", "createdAt"), _ALERT)
    if not alerts:
        return None
    given = [
        _thing(one["id"], one["alias"], one["tags"] or (), one["createdAt"], one["priority"],
               one["report"]["closeTime"], one["count"])
        for one in alerts
    ]  # fmt: skip
    following = inside(records.content, "paging.next")
    more = ("the file names a next page, so it is one of several",) if following else ()
    return _exported(given, more)


def _read(cell: Any) -> Any:
    """A cell as the whole number that it may be."""
    return int(cell) if isinstance(cell, str) and cell.isdecimal() and len(cell) < 20 else cell


def _thing(
    id_: Any, alias: Any, tags: Sequence[str], start: str, severity: Any, close: Any, count: Any
) -> dict[str, Any]:
    end = None if close is None else later(start, close / 1000)
    row = {"id": id_, "start": start, "end": end, "severity": severity, "count": count or 1}
    return {**row, "kind": alias, **({"service": tags[0]} if tags else {})}


def _exported(given: list[dict[str, Any]], more: tuple[str, ...]) -> Exported:
    hidden = sum(row.pop("count") - 1 for row in given)
    if hidden:
        more += (f"{hidden} occurrences were counted into alerts that were open (count)",)
    return Exported(given, "createdAt, report.closeTime later; service: first tag", warnings=more)
