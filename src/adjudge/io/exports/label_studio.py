"""Label Studio: regions that annotators marked on time series, as incidents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.errors import FileError, shown
from adjudge.io.exports.contract import (
    FLAG,
    NAME,
    TEXT,
    TIME,
    Exported,
    Kind,
    Maybe,
    Needs,
    export,
    instant,
    objects,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge.io.exports.contract import Fields
    from adjudge.io.records import Records


_MS = instant("ms")
_WHEN = Kind(f"{_MS.rule}, or {TIME.rule}", lambda value: _MS.fits(value) or TIME.fits(value))
_VALUE: Fields = {"start": Maybe(_WHEN), "end": Maybe(_WHEN), "timeserieslabels": Maybe([TEXT])}
_REGION: Fields = {"id": Maybe(NAME), "type": Maybe(TEXT), "value": Maybe(_VALUE)}
for _field, _values, _needed in (
    ("type", ("timeserieslabels",), "value.start"),
    ("value.start", (), "value.end"),
    ("value.end", (), "value.start"),
):
    _REGION = Needs(_REGION, _field, _values, (_needed,))
_ANNOTATION: Fields = {
    "was_cancelled": Maybe(FLAG),
    "completed_by": Maybe(Kind("an annotator", lambda value: type(value) in {str, int, dict})),
    "result": Maybe([_REGION]),
}
_TASK: Fields = {"data": Maybe({"service": Maybe(NAME)}), "annotations": [_ANNOTATION]}


@export("label studio", "`annotations` with `result`", "annotator")
def label_studio(records: Records) -> Exported | None:
    """Read the regions of one annotator: whoever is asked for, else who marked most."""
    tasks = objects(records, "", ("annotations", "data"), _TASK)
    if not tasks:
        return None
    rows = list(_regions(tasks))
    who = [row["annotator"] for row in rows]
    others = sorted(set(who))
    most = min(others, key=lambda one: (-who.count(one), one), default="")
    chosen = records.chosen.get("annotator", most)
    if "annotator" in records.chosen and chosen not in others:
        raise FileError(
            f"{records.file}: annotator must be one of {', '.join(others)}, got {shown(chosen)}"
        )
    numbers = all(isinstance(row["start"], (int, float)) for row in rows)
    warnings: tuple[str, ...] = ()
    if len(others) > 1 and not records.chosen:
        names = ", ".join(others)
        warnings = (
            f"annotators {names}: taken are the {who.count(chosen)} regions of {chosen}; "
            "--truth-columns annotator=NAME takes another",
        )
    kept = [row for row in rows if row["annotator"] == chosen]
    return Exported(
        kept,
        f"start to end of the regions of annotator {chosen}",
        "ms" if numbers else None,
        warnings,
    )


def _regions(tasks: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for task in tasks:
        service = task["data"]["service"]
        for annotation in task["annotations"]:
            regions = [] if annotation["was_cancelled"] else annotation["result"] or []
            for region in regions:
                value = region["value"]
                if value["start"] is not None:
                    yield {
                        "id": str(region["id"] or ""),
                        "start": value["start"],
                        "end": value["end"],
                        "kind": (value["timeserieslabels"] or [""])[0],
                        "annotator": str(annotation["completed_by"]),
                        **({} if service is None else {"service": service}),
                    }
