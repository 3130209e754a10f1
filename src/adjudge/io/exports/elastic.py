"""Elastic: anomaly records of a machine learning job, joined to alerts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.errors import FileError, shown
from adjudge.io.exports.contract import (
    FLAG,
    NAME,
    STEP,
    Exported,
    Maybe,
    export,
    instant,
    number,
    objects,
)

if TYPE_CHECKING:
    from adjudge.io.exports.contract import Fields
    from adjudge.io.records import Records

LEAST = 75
"""The score from which on Elastic calls an anomaly critical."""
SCORES = ("record_score", "initial_record_score")
"""What a record scores now, and what it scored when it was new."""
_RECORD: Fields = {
    **dict.fromkeys(SCORES, number("a score from 0 to 100", 0, 100)),
    "timestamp": instant("ms"),
    "bucket_span": STEP,
    "is_interim": Maybe(FLAG),
    "partition_field_value": Maybe(NAME),
}


@export("elastic", "`records` with `record_score`", "score")
def elastic(records: Records) -> Exported | None:
    """Read buckets that are critical; those that follow each other are one.

    A record is scored again as others come. Critical is what has kept its score, unless the score
    that it had when it was new is asked for; that is the score of a thing, for it is what an alert
    would have seen.
    """
    given = objects(records, "records", ("record_score", "bucket_span", "timestamp"), _RECORD)
    if not given:
        return None
    by = records.chosen.get("score", SCORES[0])
    if by not in SCORES:
        raise FileError(f"{records.file}: score must be {' or '.join(SCORES)}, got {shown(by)}")
    final = [one for one in given if not one["is_interim"]]
    high = [one for one in final if one[by] >= LEAST]
    lowered = sum(one["initial_record_score"] >= LEAST > one[by] for one in final)
    rows: list[dict[str, Any]] = []
    for one in sorted(high, key=lambda one: (_place(one), one["timestamp"])):
        start, score = one["timestamp"], one["initial_record_score"]
        end = start + 1000 * one["bucket_span"]
        if rows and rows[-1]["service"] == _place(one) and start <= rows[-1]["end"]:
            rows[-1]["end"] = max(rows[-1]["end"], end)
            rows[-1]["score"] = max(rows[-1]["score"], score)
        else:
            rows.append({"service": _place(one), "start": start, "end": end, "score": score})
    fields = f"buckets with {by} from {LEAST} on, neighbours joined"
    told = (
        f"records no longer critical: {lowered} left out; --alerts-columns "
        "score=initial_record_score keeps them"
    )
    return Exported(rows, fields, "ms", (told,) if lowered else ())


def _place(record: dict[str, Any]) -> str:
    return str(record["partition_field_value"] or "")
