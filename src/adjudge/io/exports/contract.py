"""What every export gives: rows by role, how their times are written, and what it could not hold.

An export is declared by `export`; others may add theirs. It is recognised by its keys or columns,
never by the name of the file.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.checks import Registry
from adjudge.errors import FileError, InputError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from adjudge.io.records import Records

    Read = Callable[[Records], "Exported | None"]


class Exported(NamedTuple):
    """The things of an export."""

    rows: Sequence[Mapping[str, Any]]
    """One mapping per thing: start, end (None: open), and id, service, kind, severity, score or
    annotator where they are known."""
    fields: str
    """From which fields start and end were taken."""
    unit: str | None = None
    """The unit of times that are numbers since 1970; None: text with an offset."""
    warnings: tuple[str, ...] = ()
    """What the file cannot hold, or leaves out."""
    outages: Sequence[Mapping[str, Any]] = ()
    """Time without data, where the export tells it."""
    until: int | None = None
    """Where open things were still seen, in the unit, if the file cannot say whether they went on:
    in a longer span they end there."""
    stretches: bool = False
    """Whether the rows are time with data, for --watched, and neither incidents nor alerts."""

    def columns(self, rows: Sequence[Mapping[str, Any]] | None = None) -> dict[str, list[Any]]:
        """The things as columns, those that no thing has left out."""
        given = self.rows if rows is None else rows
        names = dict.fromkeys(("start", "end", *(name for row in given for name in row)))
        return {name: [row.get(name) for row in given] for name in names}


class KnownExport(NamedTuple):
    """A form in which another program writes incidents or alerts."""

    read: Read
    looks: str
    """What it is recognised by, in Markdown."""
    choices: tuple[str, ...] = ()
    """The roles of which a reader may say what to take, as in ``annotator=2``."""


def _check_export(name: str, known: object) -> None:
    if not isinstance(known, KnownExport):
        raise InputError(f"export {name} must be declared by @export, got {shown(known)}")


EXPORTS: Registry[KnownExport] = Registry("export", "adjudge.exports", check=_check_export)
"""The exports by their names."""


def export(name: str, looks: str, *choices: str) -> Callable[[Read], KnownExport]:
    """Declare an export: `read_export`, messages and the documentation know it from now on.

    Parameters
    ----------
    name : str
        What it is called.
    looks : str
        What it is recognised by, in a few words of Markdown.
    *choices : str
        The roles of which it leaves a choice: `Records.chosen` says what to take.

    Returns
    -------
    callable
        To decorate a function with that takes `adjudge.io.records.Records` and gives `Exported`, or
        None where the file is none of its kind.
    """

    def declared(read: Read) -> KnownExport:
        known = KnownExport(read, looks, choices)
        EXPORTS.add(name, known)
        return known

    return declared


def objects(content: Any, *keys: str) -> list[dict[str, Any]]:
    """A list of objects, if the first of them has all of the keys; else nothing.

    >>> objects([{"a": 1, "b": 2}], "a"), objects({"a": 1}, "a"), objects([{"b": 2}], "a")
    ([{'a': 1, 'b': 2}], [], [])
    """
    listed = content if isinstance(content, list) else []
    fits = bool(listed) and all(isinstance(one, dict) for one in listed)
    return listed if fits and all(key in listed[0] for key in keys) else []


def inside(content: Any, name: str) -> Any:
    """What an object holds under a name; None where it is no object, or has it not."""
    return content.get(name) if isinstance(content, dict) else None


_LABELS = {"service": "service", "alertname": "kind", "severity": "severity"}


def label_roles(labels: Mapping[str, Any]) -> dict[str, Any]:
    """What the labels of an alert of Prometheus say of it, by role.

    >>> label_roles({"alertname": "Slow", "severity": "page", "job": "web"})
    {'kind': 'Slow', 'severity': 'page'}
    """
    return {role: labels[name] for name, role in _LABELS.items() if name in labels}


def later(time: str, seconds: float) -> str:
    """A time in ISO 8601, moved; a text that is no time stays, for its reader to refuse.

    >>> later("2026-10-20T08:00:00Z", 90), later("soon", 90)
    ('2026-10-20T08:01:30+00:00', 'soon')
    """
    try:
        return (datetime.fromisoformat(time) + timedelta(seconds=seconds)).isoformat()
    except ValueError:
        return time


class Change(NamedTuple):
    """A thing began, or ended, at some time."""

    key: Any
    time: Any
    begins: bool
    row: Mapping[str, Any]


def paired(changes: Iterable[Change], file: str, what: str) -> list[dict[str, Any]]:
    """Pair beginnings and ends of the same thing, in the order of time.

    >>> begins = Change("a", 1, True, {"service": "api"})
    >>> paired([Change("a", 5, False, {}), begins], "x.json", "events")
    [{'service': 'api', 'start': 1, 'end': 5}]
    """
    open_things: dict[Any, dict[str, Any]] = {}
    found = []
    for change in sorted(changes, key=lambda one: (one.time, one.begins)):
        if change.begins:
            if change.key not in open_things:  # a reminder is no second beginning
                open_things[change.key] = {**change.row, "start": change.time, "end": None}
                found.append(open_things[change.key])
        elif change.key in open_things:
            open_things.pop(change.key)["end"] = change.time
        else:
            raise FileError(
                f"{file}: an alert ends (at {change.time}) whose beginning is not among the "
                f"{what}; export from an earlier time on"
            )
    return found
