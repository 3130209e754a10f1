"""What is flagged, who chose that, and what it costs, in sentences below a table of results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.judging.result_columns import Finding, at_text
from adjudge.judging.words.short_names import LOWER, POLICY

if TYPE_CHECKING:
    from collections.abc import Sequence


ORACLE = "best: threshold chosen by looking at the labels, an upper bound, not a result"


def budget_notes(rows: Sequence[Finding], names: dict[str, str]) -> list[str]:
    """Say above what is flagged at the end of each budget of false alarms."""
    return [
        f"{names[row.requested]}: "
        + ", ".join(f"above {level:.6g} within {rate}" for rate, level in row.budgets.items())
        for row in rows
        if row.budgets
    ]


def worth_note(row: Finding, name: str) -> str:
    """Say whether a detector is cheaper than no detector: than those that look at no data."""
    others = [f"{how} {_money(paid)}" for how, paid in row.without_data.items()]
    least = min(row.without_data.values())
    said = "is cheaper" if row.high < least else "is not significantly cheaper"
    if row.chosen_by == "oracle" and row.value < least:
        said = "could be cheaper, with the best threshold,"
    who = name.removesuffix(f" {LOWER}")
    said += f" than no detector: {_money(row.value)}, where paging {', '.join(others)}"
    return f"{who}: {row.detector} {said}"


def _money(paid: float) -> str:
    return f"{paid:,.0f}" if paid >= 100 else f"{paid:.4g}"


def common_threshold(rows: Sequence[Finding]) -> bool:
    """Whether one threshold, or none, was used throughout."""
    oracle = any(row.chosen_by == "oracle" for row in rows)
    return not oracle and len({row.at for row in rows if row.at is not None}) <= 1


def threshold_notes(rows: Sequence[Finding]) -> list[str]:
    """Say above what was flagged, and who chose that; of each detector, where they differ."""
    given = [
        r for r in rows if r.at is not None and r.chosen_by != "oracle" and "at=" not in r.requested
    ]
    levels: dict[tuple[str, str], list[Finding]] = {}
    apart = not common_threshold(given) and len({row.detector for row in given}) > 1
    for row in given:
        levels.setdefault((f"{row.detector}: " if apart else "", row.rule), []).append(row)
    notes = [f"{who}{_in_words(found, rule)}" for (who, rule), found in levels.items()]
    paged = [
        row
        for row in rows
        if row.rule.startswith(POLICY) and row not in given and "at=" not in row.requested
    ]
    own = {(row.detector, row.rule) for row in paged}
    alike = len({rule for _, rule in own}) == 1 and len(own) == len({r.detector for r in rows})
    notes += [f"{'' if alike else f'{row.detector}: '}alarms by {row.rule}" for row in paged]
    notes = list(dict.fromkeys(notes))
    return [*notes, *([ORACLE] if any(row.chosen_by == "oracle" for row in rows) else [])]


def extreme_notes(rows: Sequence[Finding]) -> list[str]:
    """Say of which detectors nothing is flagged, or everything, and where their scores lie."""
    return list(dict.fromkeys(f"{row.detector}: {row.extreme}" for row in rows if row.extreme))


def _in_words(rows: Sequence[Finding], rule: str) -> str:
    low, *_, high = sorted([*rows, *rows], key=lambda row: row.at or 0.0)
    if rule.startswith(POLICY) and low.chosen_by == "given":
        return f"alarms by {rule}"
    said = at_text(low) if low.at == high.at else f"{at_text(low)} to {at_text(high)}"
    return f"flagged above {said}" + (f", by {rule}" if rule else "")
