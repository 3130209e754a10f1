"""ESA-ADB: labels.csv, with the categories and the subsystems of the files that stand beside it."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.io.exports.contract import Exported, export
from adjudge.io.records import read_records

if TYPE_CHECKING:
    from adjudge.io.records import Records

_EVENTS = ("Anomaly", "Rare Event")


@export("esa-adb", "columns `ID`, `Channel`, `StartTime`, `EndTime`")
def esa(records: Records) -> Exported | None:
    """Read events, whose EndTime belongs to them; other categories are time without data."""
    names = ("ID", "Channel", "StartTime", "EndTime")
    if not set(names) <= records.columns.keys():
        return None
    kinds = _beside(records, "anomaly_types", "ID", "Category")
    places = _beside(records, "channels", "Channel", "Subsystem")
    rows, gaps = [], []
    for number, channel, start, end in zip(*(records.columns[n] for n in names), strict=True):
        kind = kinds.get(number, _EVENTS[0])
        last = datetime.fromisoformat(end) + timedelta(milliseconds=1)
        row = {"start": start, "end": last.isoformat(), "service": places.get(channel, channel)}
        if kind in _EVENTS:
            rows.append({"id": number, "channel": channel, "kind": kind, **row})
        else:
            gaps.append(row)
    return Exported(rows, "StartTime to EndTime, and the millisecond behind it", outages=gaps)


def _beside(records: Records, what: str, key: str, value: str) -> dict[str, str]:
    """A column of a file beside the labels, by another; nothing where there is no such file."""
    path = Path(records.path)
    beside = path.with_name(path.name.replace("labels", what))
    if beside == path or not beside.exists():
        return {}
    columns = read_records(str(beside)).columns
    if not {key, value} <= columns.keys():
        return {}
    return dict(zip(columns[key], columns[value], strict=True))
