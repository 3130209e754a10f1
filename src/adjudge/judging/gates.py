"""Gates: which detectors of a judgement fall short of what was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge._text import exact, visible
from adjudge.errors import InputError, UnknownName
from adjudge.judging.short_names import is_lower, told_apart
from adjudge.judging.wording import is_better_than_chance, main_row
from adjudge.metrics.reader import catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge.judging.result_row import Finding


def below_gate(
    rows: Sequence[Finding],
    under: Mapping[str, float],
    over: Mapping[str, float],
    *,
    better_than_chance: bool,
) -> list[str]:
    """Say in one sentence each what falls short; an empty list: nothing does.

    Parameters
    ----------
    rows : sequence of Finding
        Results of one or several detectors.
    under, over : mapping
        By metric, the least value (``under``), or of metrics of which less is better the largest
        (``over``). ``f1_ba`` also means ``best(f1_ba)`` and ``f1_ba(width=5)``, if that was judged.
    better_than_chance : bool
        Whether every detector must be better than chance.
    """
    limits = [(name, limit, False) for name, limit in under.items()]
    limits += [(name, limit, True) for name, limit in over.items()]
    said = []
    for name, limit, lower in limits:
        _check(name, rows, lower=lower)
        for detector in dict.fromkeys(row.detector for row in rows):
            own = [row for row in rows if row.detector == detector]
            said += _short_of(detector, name, limit, [row for row in own if _is(name, row)])
    return said + (_like_chance(rows) if better_than_chance else [])


def _is(name: str, row: Finding) -> bool:
    asked = row.asked or row.metric
    short = told_apart([asked])[asked]
    return name in (asked, row.metric, short, short.removeprefix("best "))


def _check(name: str, rows: Sequence[Finding], *, lower: bool) -> None:
    judged = [row for row in rows if _is(name, row)]
    if not judged:
        asked = dict.fromkeys(row.asked for row in rows)
        judged_were = f"judged were {', '.join(asked)}"
        if name in catalogue:
            way = f"ask for it too (--metric {name})"
            raise InputError(
                f"{name} must be judged to be held against a limit; {judged_were}; {way}"
            )
        raise UnknownName("metric", name, asked, judged_were)
    if is_lower(judged[0]) != lower:
        given, other, side = ("over", "under", "more") if lower else ("under", "over", "less")
        raise InputError(
            f"{given} must not name {name!r}, of which {side} is better; give its limit as {other} "
            f"(--fail-{other})"
        )


def _short_of(detector: str, name: str, limit: float, rows: Sequence[Finding]) -> list[str]:
    who = visible(detector)
    if not rows:
        return [f"{who}: {name} was not judged, for want of a threshold"]
    said = []
    for row in rows:
        reached = row.value <= limit if is_lower(row) else row.value >= limit  # False for NaN
        if not reached:
            side = "over" if is_lower(row) else "under"
            short = f"{_told(row.value, limit)}, {side} {exact(limit)}"
            undefined = row.value != row.value
            said.append(f"{who}: {row.asked} is {'undefined' if undefined else short}")
    return said


def _told(value: float, limit: float) -> str:
    """Print a value, with all its digits where fewer would read as the limit."""
    said = f"{value:.4f}"
    return exact(value) if float(said) == limit else said


def _like_chance(rows: Sequence[Finding]) -> list[str]:
    said = []
    for detector in dict.fromkeys(row.detector for row in rows):
        own = [row for row in rows if row.detector == detector]
        main = main_row(own)
        if main is None:
            said.append(f"{visible(detector)}: nothing that can be held against chance")
        elif not is_better_than_chance(own):
            said.append(f"{visible(detector)}: {main.asked} is not better than chance")
    return said
