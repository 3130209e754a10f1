"""Gates: which detectors of a judgement fall short of what was asked for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from adjudge.data.durations import NANOSECONDS, duration, in_words, spelt
from adjudge.data.time_settings import is_duration
from adjudge.errors import InputError, UnknownName, exact, visible
from adjudge.judging.judge.verdict import is_better_than_chance, is_undecided, main_row
from adjudge.judging.words.short_names import is_lower, unique_names
from adjudge.metrics.reader import catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge.judging.result_columns import Finding


Limit = Any
"""A number, or for what is measured in time a duration: text such as "10min", or a timedelta."""
NOTHING = "nothing was judged"


def below_gate(
    rows: Sequence[Finding],
    under: Mapping[str, Limit],
    over: Mapping[str, Limit],
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
        Delays and distances take a duration where the time is known, and a number where it is not.
    better_than_chance : bool
        Whether every detector must be better than chance.
    """
    limits = [(name, limit, False) for name, limit in under.items()]
    limits += [(name, limit, True) for name, limit in over.items()]
    if not rows and (limits or better_than_chance):
        return [NOTHING]
    messages = []
    for name, limit, lower in limits:
        _check(name, rows, lower=lower)
        for detector in dict.fromkeys(row.detector for row in rows):
            own = [row for row in rows if row.detector == detector]
            messages += _short_of(detector, name, limit, [row for row in own if _is(name, row)])
    return messages + (_like_chance(rows) if better_than_chance else [])


def _is(name: str, row: Finding) -> bool:
    asked = row.requested or row.metric
    short = unique_names([asked])[asked]
    return name in (asked, row.metric, short, short.removeprefix("best "))


def _check(name: str, rows: Sequence[Finding], *, lower: bool) -> None:
    judged = [row for row in rows if _is(name, row)]
    if not judged:
        asked = dict.fromkeys(row.requested for row in rows)
        judged_were = f"judged were {', '.join(asked)}"
        if name in catalogue:
            advice = f"ask for it too (--metric {name})"
            raise InputError(f"{name} has a limit and was not judged; {judged_were}; {advice}")
        raise UnknownName("metric", name, asked, judged_were)
    if is_lower(judged[0]) != lower:
        given, other, side = ("over", "under", "more") if lower else ("under", "over", "less")
        raise InputError(
            f"{given} must not name {name!r}, of which {side} is better; give its limit as {other} "
            f"(--fail-{other})"
        )


def _short_of(detector: str, name: str, limit: Limit, rows: Sequence[Finding]) -> list[str]:
    who = visible(detector)
    if not rows:
        return [f"{who}: {name} was not judged: it needs a threshold"]
    messages = []
    for row in rows:
        if math.isnan(row.value):
            messages.append(f"{who}: {row.requested} is undefined")
            continue
        value, level, texts = _comparable(row, name, limit)
        reached = value <= level if is_lower(row) else value >= level  # False for NaN
        if not reached:
            side = "over" if is_lower(row) else "under"
            messages.append(f"{who}: {row.requested} is {texts[0]}, {side} {texts[1]}")
    return messages


def _comparable(row: Finding, name: str, limit: Limit) -> tuple[float, float, tuple[str, str]]:
    """A value and its limit as they are compared, in time or as numbers, and as they are said."""
    if not is_duration(limit):
        level = float(limit)
        if not math.isnan(row.seconds):
            raise InputError(
                f"the limit of {name} must be a duration such as 10min when times are known, "
                f"got {exact(level)}"
            )
        return row.value, level, (_value_text(row.value, level), exact(level))
    longest = duration(limit, f"the limit of {name}")
    if not row.unit:
        raise InputError(
            f"the limit of {name} must be a number, not a duration, got {spelt(longest)}"
        )
    if math.isnan(row.seconds):
        raise InputError(
            f"the limit of {name} must be a number of points without times, got "
            f"{spelt(longest)}; give time= (--time COL)"
        )
    taken = round(row.seconds * NANOSECONDS["s"])  # as a clock counts, free of rounding
    both = in_words(taken), in_words(longest)
    return taken, longest, both if both[0] != both[1] else (spelt(taken), spelt(longest))


def _value_text(value: float, limit: float) -> str:
    """Print a value, with all its digits where fewer would read as the limit."""
    text = f"{value:.4f}"
    return exact(value) if float(text) == limit else text


def _like_chance(rows: Sequence[Finding]) -> list[str]:
    messages = []
    for detector in dict.fromkeys(row.detector for row in rows):
        own = [row for row in rows if row.detector == detector]
        main = main_row(own)
        if main is None:
            messages.append(f"{visible(detector)}: nothing to compare with chance")
        elif not is_better_than_chance(own):
            said = "is not distinguishable from" if is_undecided(own) else "is not better than"
            messages.append(f"{visible(detector)}: {main.requested} {said} chance")
    return messages
