"""Label Studio: regions that annotators marked on time series, as incidents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.errors import FileError, shown
from adjudge.io.exports.contract import Exported, export, inside, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge.io.records import Records


@export("label studio", "`annotations` with `result`", "annotator")
def label_studio(records: Records) -> Exported | None:
    """Read the regions of one annotator: whoever is asked for, else who marked most."""
    tasks = objects(records.content, "annotations", "data")
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
            "--truth-columns annotator=NAME takes another's",
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
