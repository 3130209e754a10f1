"""What the rows of a detector amount to, in sentences that never say more than they know."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from adjudge.errors import visible
from adjudge.judging.judge.verdict import (
    is_below_chance,
    is_better_than_chance,
    is_silent,
    is_smallest,
    is_undecided,
    main_row,
    smallest_p,
)
from adjudge.judging.result_columns import Finding, beside_text, value_text
from adjudge.noise.assumptions import with_clause
from adjudge.noise.intervals.evidence import for_these
from adjudge.noise.null_models import AlignedNull, ShiftedNull, words_of
from adjudge.noise.p_values import CLEAR

if TYPE_CHECKING:
    from collections.abc import Sequence


MANY, VERY_MANY = 199, 10_000
"""Draws from which on their number need not be said, and from which on more would not help."""
FEW = 4
"""Up to so many detectors, or files, each has a sentence of its own below a table."""
_BETTER, _NOT_BETTER = "better than chance", "not better than chance"
_OPEN, _SILENT = "undecided", "never raises an alarm"


def verdict_counts(rows: Sequence[Finding]) -> list[str]:
    """Say of many detectors which are better than chance, which are not, and which are neither."""
    found: dict[str, list[str]] = {said: [] for said in (_BETTER, _NOT_BETTER, _OPEN, _SILENT)}
    detectors = dict.fromkeys(row.detector for row in rows)
    for detector in detectors:
        own = [row for row in rows if row.detector == detector]
        found[_count_as(own)].append(visible(detector))
    return [
        f"{said}: {len(names)} of {len(detectors)} detectors ({', '.join(names)})"
        for said, names in found.items()
        if names
    ]


def _count_as(rows: Sequence[Finding]) -> str:
    if is_better_than_chance(rows):
        return _BETTER
    if is_silent(rows):
        return _SILENT
    return _OPEN if is_undecided(rows) else _NOT_BETTER


def verdict(rows: Sequence[Finding], detectors: int = 1) -> str:
    """Say in one sentence what the rows of one detector amount to.

    Parameters
    ----------
    rows : sequence of Finding
        The rows of one detector.
    detectors : int
        How many were judged in the same call.

    Returns
    -------
    str
        Better than chance; not distinguishable from it, with about how many events it would take;
        below it; too few shifts to tell; no events to find; no alarm at all, or nothing but alarm.

    Examples
    --------
    >>> row = Finding("mine", "f1_ba(width=9)", 0.61, None, "given", "f1_ba", chance=0.19,
    ...               low=0.4, high=0.8, p_value=0.005, p_adjusted=0.005, p_joint=0.01,
    ...               shifts=199, event_count=12)
    >>> verdict([row])
    'mine is better than chance: f1_ba(width=9) 0.61 (95 % interval 0.40 to 0.80); the same \
alarms at other times score 0.19 (p <= 0.005, 0.01 at times nearby).'
    """
    name = visible(rows[0].detector)
    row = main_row(rows)
    if any(row.null and not row.event_count for row in rows):
        return f"{name}: there are no events, so only false alarms can be judged."
    if is_silent(rows):
        return f"{name} never raises an alarm, so there is nothing to compare with chance."
    if row is None:
        return f"{name}: nothing to compare with chance."
    if row.chosen_by in {"given", "rule"} and row.score_low > (row.at or 0):
        return f"{name} flags every point, as an always-on alarm does: {_values(row)}."
    return f"{name} {_against_chance(row, detectors)}{_shared(row)}"


def _against_chance(row: Finding, detectors: int) -> str:
    said = _values(row)
    if is_better_than_chance([row]):
        return f"is better than chance: {said}."
    if smallest_p(row) > CLEAR:
        least = math.ceil(1 / CLEAR) - 1
        return (
            f"has too few shifts for a verdict ({row.shifts}, at least {least} are needed): {said}."
        )
    if not row.decided:
        return _undecided(row, said)
    if row.p_value <= CLEAR < row.p_joint:
        return _by_one_null_alone(row, said)
    return _not_better(row, said, detectors)


def _not_better(row: Finding, said: str, detectors: int) -> str:
    """Say that a detector is below chance, that nothing could show it, or that nothing did."""
    if is_below_chance(row, detectors):
        return f"is below chance: {said}. Are the scores inverted?"
    if row.p_least * detectors > CLEAR and (row.p_value <= CLEAR or row.p_least > CLEAR):
        return _on_one_clock(row, said, detectors)
    return (
        f"is not distinguishable from chance: {said}{_needed(row)}.{_often_below(row, detectors)}"
    )


def _often_below(row: Finding, detectors: int) -> str:
    """Say of one of many detectors that it may be below chance, or the unlucky one among them."""
    if not is_below_chance(row, 1):
        return ""
    return (
        f" {100 * (1 - row.p_worse):.0f} % of its time-shifted copies score better: the "
        f"scores may be inverted, or this is the unluckiest of {detectors} detectors."
    )


def _shared(row: Finding) -> str:
    """Say what else than skill may be behind it: a rhythm, or a part of the series."""
    if not row.shared_rhythm or row.null == AlignedNull.name:
        return ""
    if "end their series" in row.shared_rhythm:
        return (
            f" But {row.shared_rhythm}, so a score that only tracks age scores high too: test "
            'against null="aligned".'
        )
    if "part of the series" in row.shared_rhythm:
        return f" But {row.shared_rhythm}: coincidence within that tenth is not skill."
    return f' But {row.shared_rhythm}: test against null="seasonal", which keeps that rhythm.'


def _undecided(row: Finding, said: str) -> str:
    """Say that the places that were tried do not decide it."""
    if row.exact or row.shifts >= VERY_MANY:
        return f"is borderline, its p-value too close to {CLEAR} to call: {said}."
    return f"is undecided after {row.shifts} shifts: {said}. Raise shifts= (--shifts) to decide."


def _on_one_clock(row: Finding, said: str, detectors: int) -> str:
    """Say that no p-value can be small enough: series of one clock are no independent evidence."""
    needed = f"{detectors} detectors need" if detectors > 1 else "a detector needs"
    return (
        f"is not distinguishable from chance: {said}. On one clock p is at least "
        f"{row.p_least:.2g}, and {needed} {CLEAR / detectors:.2g}."
    )


def _by_one_null_alone(row: Finding, said: str) -> str:
    """Say by which null model a detector that is better by the one asked for is not."""
    if row.p_nearby <= CLEAR:
        return (
            f"is not distinguishable from chance: {said}. Uninformed alarms score as well "
            f"under another null model that the verdict requires (p = {row.p_joint:.3g})."
        )
    if not row.nearby_testable:
        return (
            f"scores better than its time-shifted copies: {said}. A drift common to alarms and "
            "events cannot be ruled out: events this long leave too few shifts nearby (p = "
            f"{row.p_nearby:.3g})."
        )
    return (
        f"is not distinguishable from chance: {said}. Alarms and events concentrate in the "
        "same part of the series: shifted within a tenth of it, the alarms score as well (p "
        f"= {row.p_nearby:.3g})."
    )


def _values(row: Finding) -> str:
    interval = interval_words(row)
    interval = f" ({interval})" if interval else ""
    how = [row.together, "each at its best threshold" * (row.chosen_by == "oracle")]
    again = "".join(f", {one}" for one in how if one)
    again = f"{again}," if again else ""
    opponent = words_of(row.null) or ShiftedNull.words
    if row.chosen_by == "none":  # it judges all thresholds: there are scores, but no alarms
        opponent = opponent.replace("alarms", "scores")
    return (
        f"{row.metric} {value_text(row, 2)}{interval}; {opponent}{again} score "
        f"{beside_text(row, row.chance, 2)} ({p_words(row)})"
    )


def interval_words(row: Finding) -> str:
    """Say the interval of a row and what it rests on, or why there is none.

    >>> row = Finding("mine", "f1", 0.6, None, "given", low=0.4, high=0.8,
    ...               evidence="the evidence is 5 series, not 50 events")
    >>> interval_words(row)
    '95 % interval 0.40 to 0.80; the evidence is 5 series, not 50 events'
    >>> row = Finding("mine", "f1", 0.6, None, "given", conditional_low=0.5, conditional_high=0.7,
    ...               evidence="too few to say: 2 series", evidence_units=2)
    >>> interval_words(row)
    'too few to say: 2 series; for these two 0.50 to 0.70'
    """
    every = row.low, row.high, row.conditional_low, row.conditional_high
    low, high, *inner = (beside_text(row, end, 2) for end in every)
    said = [f"95 % interval {low} to {high}"] if low else []
    said += [row.evidence] if row.evidence else []
    said += [f"{for_these(row.evidence_units)} {' to '.join(inner)}"] if inner[0] else []
    return "; ".join(said)


def p_words(row: Finding) -> str:
    """Print a p-value; one that could not be smaller says so.

    >>> p_words(Finding("", "f1", 1.0, None, "given", p_value=0.01, shifts=99))
    'p <= 0.01 over 99 draws'
    >>> p_words(Finding("", "f1", 1.0, None, "given", p_value=0.02, shifts=999, exact=True,
    ...                 assumes="if alarms are stationary"))
    'p = 0.02 if alarms are stationary'
    """
    sign = "<=" if is_smallest(row) else "="
    said = f"p {sign} {row.p_value:.3g}"
    if row.shifts < MANY and not row.exact:
        said = f"{said} from {row.shifts} draws"
    said = with_clause(said, row.assumes)
    if row.p_adjusted > row.p_joint:
        return f"{said}, {row.p_adjusted:.3g} adjusted for the number of detectors"
    if row.p_joint > row.p_value:
        return f"{said}, {row.p_joint:.3g} shifted nearby"
    return said


def _needed(row: Finding) -> str:
    if row.events_needed is None or row.events_needed <= row.event_count:
        return ""
    most = "or more" if row.events_needed_high is None else f"to {row.events_needed_high}"
    return (
        f"; at this effect size about {row.events_needed} events are needed "
        f"({row.events_needed_low} {most}), and there are {row.event_count}"
    )
