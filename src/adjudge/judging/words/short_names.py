"""Short names of metrics for tables, and their settings in words for the notes below."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from adjudge.adjust.balanced import ISLANDS_IN_WORDS, READINGS
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import Call, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudge.judging.result_columns import Finding


LOWER = "↓"
"""Stands behind the names of metrics of which less is better."""
_LONGEST = 24


def short_names(rows: Iterable[Finding]) -> dict[str, str]:
    """A name for tables of each metric, by the spec that was asked for.

    Metrics of which less is better are marked by an arrow.
    """
    lower = {row.requested: is_lower(row) for row in rows}
    return {
        spec: f"{name} {LOWER}" if lower[spec] else name
        for spec, name in unique_names(lower).items()
    }


def is_lower(row: Finding) -> bool:
    """Whether lower values of the metric are better."""
    return (row.resolved_metric or read_metric(row.metric)).row.better == "lower"


def unique_names(specs: Iterable[str]) -> dict[str, str]:
    """A name of each spec, as short as it can be told from the others.

    >>> list(unique_names(["f1_ba(width=5)", "best(f1)", "f1"]).values())
    ['f1_ba', 'best f1', 'f1']
    >>> list(unique_names(["f1_ba(width=5)", "f1_ba(width=9)"]).values())
    ['f1_ba(width=5)', 'f1_ba(width=9)']
    """
    short = {spec: _short(spec) for spec in specs}
    same = Counter(short.values())
    numbers: Counter[str] = Counter()
    names = {}
    for spec, name in short.items():
        numbers[name] += 1
        numbered = f"{name} [{numbers[name]}]"
        names[spec] = name if same[name] == 1 else _spec_or(spec, numbered)
    return names


def _short(spec: str) -> str:
    inner, around = _inner(parse(spec))
    return " ".join([*(one.name for one in around), inner.name])


def _spec_or(spec: str, numbered: str) -> str:
    """The spec itself where it is short, else the name with a number that a note explains."""
    inner, around = _inner(parse(spec))
    whole = " ".join([*(one.name for one in around), str(inner)])
    return whole if len(whole) <= _LONGEST else numbered


def _inner(call: Call) -> tuple[Call, list[Call]]:
    """The metric itself, and what stands around it: ``best(...)``, ``macro(...)``."""
    around = []
    while call.values and isinstance(call.values[0], Call):
        around.append(call)
        call = call.values[0]
    return call, around


def settings_in_words(specs: Iterable[str]) -> str:
    """Say the settings of a metric in words, numbers that differ as from where to where.

    >>> settings_in_words(['f1_ba(width=103, islands="normal")'])
    'width 103, islands on normal points'
    >>> settings_in_words(['f1_ba(reading="printed")', 'f1_ba(reading="authors")'])
    "as the paper prints it or as in the authors' code"
    >>> settings_in_words(["best(vus_f1(window=7), thresholds=200)", "vus_f1(window=9)"])
    'window 7 to 9, best of 200 thresholds'
    >>> settings_in_words(["vus_pr(window=9, thresholds=None)"])
    'window 9, every threshold'
    >>> settings_in_words(["false_alarms(per=1)"])
    'per 1 point'
    """
    found: dict[str, list[Any]] = {}
    for spec in specs:
        inner, around = _inner(parse(spec))
        outer = [item for one in around for item in one.settings.items()]
        tried = {f"best of {name}": value for name, value in outer}
        for name, value in {**inner.settings, **tried}.items():
            found.setdefault(name, []).append(str(value) if isinstance(value, Call) else value)
    return ", ".join(_setting(name, values) for name, values in found.items())


def _setting(name: str, values: list[Any]) -> str:
    distinct = list(dict.fromkeys(values))
    if name == "reading":
        return " or ".join(READINGS[value][1] for value in distinct if value in READINGS)
    if name == "islands":
        return " or ".join(ISLANDS_IN_WORDS.get(value, str(value)) for value in distinct)
    if len(distinct) > 1 and all(isinstance(value, (int, float)) for value in distinct):
        said = f"{min(distinct)} to {max(distinct)}"
    else:
        said = " or ".join(map(str, distinct))
    if name.endswith("thresholds"):
        said = "every threshold" if distinct == [None] else f"{said} thresholds"
        return name.removesuffix("thresholds") + said
    if name == "per" and isinstance(distinct[-1], int):  # else it is a duration
        said += " point" + "s" * (distinct != [1])
    if name != "at":
        return f"{name} {said}"
    return f"alarms by {said}" if said.startswith(POLICY) else f"flagged above {said}"


def settings_notes(rows: Iterable[Finding], names: dict[str, str]) -> list[str]:
    """Say the settings of each metric, once; those with the same settings share a note."""
    specs: dict[str, list[str]] = {}
    for row in rows:
        specs.setdefault(row.requested, []).append(row.metric)
    notes: dict[str, dict[str, None]] = {}
    for asked, resolved in specs.items():
        name, said = names[asked].removesuffix(f" {LOWER}"), settings_in_words(resolved)
        in_name = "(" in name and said == settings_in_words([asked])
        if said and not in_name:
            notes.setdefault(said, {})[name.removeprefix("best ")] = None
    return [f"{', '.join(same)}: {said}" for said, same in notes.items()]


POLICY = "policy("
