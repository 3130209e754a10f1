"""Label Studio: regions that annotators marked on time series, as incidents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.io.exports.contract import Exported, export, inside, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge.io.records import Records


@export("label studio", "`annotations` with `result`")
def label_studio(records: Records) -> Exported | None:
    """Read the regions of the annotator who has done most tasks; others are told."""
    tasks = objects(records.content, "annotations", "data")
    if not tasks:
        return None
    rows = list(_regions(tasks))
    who = [row["annotator"] for row in rows]
    others = sorted(set(who))
    chosen = min(others, key=lambda one: (-who.count(one), one), default="")
    numbers = all(isinstance(row["start"], (int, float)) for row in rows)
    warnings: tuple[str, ...] = ()
    if len(others) > 1:
        names = ", ".join(others)
        warnings = (f"annotators {names}: taken are the {who.count(chosen)} regions of {chosen}",)
    kept = [row for row in rows if row["annotator"] == chosen]
    return Exported(kept, "start to end of regions", "ms" if numbers else None, warnings)


def _regions(tasks: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for task in tasks:
        service = inside(task["data"], "service")
        for annotation in task["annotations"]:
            if annotation.get("was_cancelled"):
                continue
            for region in annotation.get("result", []):
                value = region.get("value", {})
                if "start" in value and "end" in value:
                    kind = (value.get("timeserieslabels") or [""])[0]
                    yield {
                        "id": str(region.get("id", "")),
                        "start": value["start"],
                        "end": value["end"],
                        "kind": kind,
                        "annotator": str(annotation.get("completed_by")),
                        **({} if service is None else {"service": service}),
                    }
