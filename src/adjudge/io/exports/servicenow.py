"""ServiceNow: tables of tickets, which do not say by themselves when an incident began."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.errors import FileError
from adjudge.io.exports.contract import Exported, export

if TYPE_CHECKING:
    from adjudge.io.records import Records


@export("servicenow", "columns `number`, `opened_at`, `closed_at`")
def servicenow(records: Records) -> Exported | None:
    """Refuse to guess: a ticket is opened later than what it is about, and closed days after."""
    if not {"number", "opened_at", "closed_at"} <= records.columns.keys():
        return None
    raise FileError(
        f"{records.file}: a table of ServiceNow: opened_at is when the ticket was written, "
        "closed_at days after the end; name the columns of start and end, as in "
        "--truth-columns start=...,end=resolved_at,id=number (there are "
        f"{', '.join(records.columns)})"
    )
