"""Who chose the thresholds of a table of results, in sentences below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.judging.result_row import at_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.result_row import Finding

ORACLE = "best: threshold chosen by looking at the labels, an upper bound, not a result"


def common_threshold(rows: Sequence[Finding]) -> bool:
    """Whether one threshold, or none, was used throughout."""
    oracle = any(row.chosen_by == "oracle" for row in rows)
    return not oracle and len({row.at for row in rows if row.at is not None}) <= 1


def threshold_notes(rows: Sequence[Finding]) -> list[str]:
    """Say above what was flagged, and who chose that; of each detector, where they differ."""
    given = [
        r for r in rows if r.at is not None and r.chosen_by != "oracle" and "at=" not in r.asked
    ]
    levels: dict[tuple[str, str], list[Finding]] = {}
    apart = not common_threshold(given) and len({row.detector for row in given}) > 1
    for row in given:
        levels.setdefault((f"{row.detector}: " if apart else "", row.rule), []).append(row)
    notes = [f"{who}{_in_words(found, rule)}" for (who, rule), found in levels.items()]
    return [*notes, *([ORACLE] if any(row.chosen_by == "oracle" for row in rows) else [])]


def _in_words(rows: Sequence[Finding], rule: str) -> str:
    low, *_, high = sorted([*rows, *rows], key=lambda row: row.at or 0.0)
    said = at_text(low) if low.at == high.at else f"{at_text(low)} to {at_text(high)}"
    return f"flagged above {said}" + (f", by {rule}" if rule else "")
