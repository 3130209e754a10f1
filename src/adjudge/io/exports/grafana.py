"""Grafana: annotations of alert rules, one for each change of state."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from adjudge.io.exports.contract import (
    NAME,
    TEXT,
    Exported,
    Kind,
    Maybe,
    StateChange,
    export,
    instant,
    label_roles,
    objects,
    paired,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge.io.exports.contract import Fields
    from adjudge.io.records import Records

_LABELS = re.compile(r"\{([^{}]*)\}")
_STATE = re.compile(r"(Alerting|Normal|Pending|No ?Data|Error|Recovering|Paused)\b")
_STATES = Kind("a state such as Alerting or Normal", lambda v: bool(_STATE.match(str(v))))
_ANNOTATION: Fields = {"alertId": NAME, "alertName": Maybe(TEXT), "text": Maybe(TEXT),
               "time": instant("ms"), "newState": _STATES, "prevState": _STATES}  # fmt: skip
_PAGE = 100
"""So many annotations are given where nobody asks for more."""


@export("grafana", "`alertId`, `newState` and `prevState`")
def grafana(records: Records) -> Exported | None:
    """Read changes of state: an alert lasts from Alerting to the next state of the same labels."""
    given = objects(records, "", ("alertId", "newState", "prevState"), _ANNOTATION)
    if not given:
        return None
    rows = paired(_changes(given), records.file, "annotations")
    warnings: tuple[str, ...] = ()
    if len(given) == _PAGE:
        warnings = (
            f"exactly {_PAGE} annotations, as many as Grafana gives by default: there may be more "
            "(limit=)",
        )
    return Exported(rows, "Alerting to the next state", "ms", warnings)


def _changes(given: list[dict[str, Any]]) -> Iterator[StateChange]:
    for one in given:
        found = _LABELS.search(one["text"] or "")
        pairs = (part.partition("=") for part in (found[1].split(",") if found else ()))
        labels = {name.strip(): value.strip() for name, _, value in pairs}
        about = {**label_roles(labels), "kind": one["alertName"] or ""}
        key = one["alertId"], tuple(sorted(labels.items()))
        before, after = (one[name].startswith("Alerting") for name in ("prevState", "newState"))
        yield StateChange(key, one["time"], after, before, about)
