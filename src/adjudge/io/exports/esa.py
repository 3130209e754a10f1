"""ESA-ADB: labels.csv, with the categories and the subsystems of the files that stand beside it."""

from __future__ import annotations

from pathlib import Path

from adjudge.io.exports.contract import NAME, TEXT, TIME, Exported, export, later, table
from adjudge.io.records import Records, read_records

_EVENTS = ("Anomaly", "Rare Event")
_GAP = "Communication Gap"
_LABEL = {"ID": NAME, "Channel": TEXT, "StartTime": TIME, "EndTime": TIME}


@export("esa-adb", "columns `ID`, `Channel`, `StartTime`, `EndTime`")
def esa(records: Records) -> Exported | None:
    """Read events, whose EndTime belongs to them; other categories are time without data."""
    given = table(records, _LABEL, _LABEL)
    if given is None:
        return None
    kinds = _beside(records, "anomaly_types", "ID", "Category")
    places = _beside(records, "channels", "Channel", "Subsystem")
    rows, gaps = [], []
    for number, channel, start, end in (one.values() for one in given):
        kind = kinds.get(number, _EVENTS[0])
        place = places.get(channel, channel)
        row = {"start": start, "end": later(end, 0.001), "service": place}
        if kind in _EVENTS:
            rows.append({"id": number, "channel": channel, "kind": kind, **row})
        else:
            gaps.append(row)
    others = sorted(set(kinds.values()) - {*_EVENTS, _GAP})
    unknown = kinds and sum(one["ID"] not in kinds for one in given)
    warnings = []
    if others:
        warnings.append(f"taken as time without data: events called {', '.join(others)}")
    if unknown:
        warnings.append(f"{unknown} labels have an ID without a category: taken as anomalies")
    fields = "StartTime to EndTime, and the millisecond behind it"
    return Exported(rows, fields, warnings=tuple(warnings), outages=gaps)


def _beside(records: Records, what: str, key: str, value: str) -> dict[str, str]:
    """A column of a file beside the labels, by another; nothing where there is no such file."""
    path = Path(records.path)
    beside = path.with_name(path.name.replace("labels", what))
    if beside == path or not beside.exists():
        return {}
    rows = table(read_records(str(beside)), (key, value), {key: NAME, value: TEXT})
    return {row[key]: row[value] for row in rows or ()}
