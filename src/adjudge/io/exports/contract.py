"""What every export gives: rows by role, how their times are written, and what it could not hold.

An export is declared by `export`; others may add theirs. It is recognised by its keys or columns,
never by the name of the file.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from adjudge.data.durations import NANOSECONDS
from adjudge.data.written_times import is_open
from adjudge.errors import FileError, InputError, shown
from adjudge.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

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
    return lambda read: EXPORTS.add(name, KnownExport(read, looks, choices))


class Kind(NamedTuple):
    """What a field must be."""

    rule: str
    fits: Callable[[Any], bool]
    is_gone: Callable[[Any], bool] = lambda value: value is None or value == ""
    """Whether a value stands for one that is not there."""


class Maybe(NamedTuple):
    """A field that may be missing, empty or null: it is read as None, an object as one of Nones."""

    of: Fields


class Needs(NamedTuple):
    """An object that must have one of some fields where another one has some value."""

    of: Fields
    field: str
    """The other field; of a field of a field with a dot."""
    values: tuple[str, ...]
    """Its values; none: any that is there."""
    needed: tuple[str, ...]


Fields: TypeAlias = "Kind | Maybe | Needs | Mapping[str, Fields] | list[Fields]"
"""What a reader needs of a value: a kind, an object with these fields, or a list of such."""

_FAR = 9.2e18
"""So many nanoseconds before and after 1970 fit into 64 bits."""
_YEARS = range(1678, 2262)


def _is_time(value: Any) -> bool:
    try:
        return datetime.fromisoformat(value).year in _YEARS
    except (TypeError, ValueError):
        return False


def _is_number(value: Any, least: float, most: float) -> bool:
    return type(value) in {int, float} and least <= value <= most  # True is none, nor is NaN


def number(rule: str, least: float, most: float) -> Kind:
    """A field that is a number of some range."""
    return Kind(rule, lambda value: _is_number(value, least, most))


def instant(unit: str) -> Kind:
    """A field that is a time, as a number of units since 1970."""
    return number(f"a time in {unit} since 1970", 0, _FAR / NANOSECONDS[unit])


def one_of(*words: str) -> Kind:
    """A field that is one of some words."""
    return Kind(" or ".join(words), lambda value: isinstance(value, str) and value in words)


TEXT = Kind("text", lambda value: isinstance(value, str))
NAME = Kind("text or a whole number", lambda value: type(value) in {str, int} and value != "")
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
TIME = Kind("a time such as 2026-01-31T23:59:00Z", _is_time, lambda value: is_open([value])[0])
SECONDS = number("a number of seconds", 0, _FAR / NANOSECONDS["s"])
STEP = number("a number of seconds, at least 0.001", 0.001, _FAR / NANOSECONDS["s"])
COUNT = Kind(
    "a whole number, at least 0", lambda v: type(v) is int and _is_number(v, 0, _FAR / 10**6)
)
LABELS = Kind(
    "an object of texts", lambda v: isinstance(v, dict) and all(map(TEXT.fits, v.values()))
)


def checked(value: Any, fields: Fields, record: str, name: str = "") -> Any:
    """What is declared of a value, and nothing else; refuse what is of another kind.

    This is the one guard of all readers: they get no field that they have not declared, and none
    of a kind that they do not expect. A message names the file, the record and the field.

    >>> checked([{"id": 7, "more": {}}], [{"id": NAME, "size": Maybe(COUNT)}], "a.json", "data")
    [{'id': 7, 'size': None}]
    >>> checked([{"id": 7}, {"id": [7]}], [{"id": NAME}], "a.json", "data")
    Traceback (most recent call last):
    adjudge.errors.FileError: a.json: data[1]: id must be text or a whole number, got [7]
    """
    rule = "an object"
    if isinstance(fields, Maybe):
        gone = fields.of.is_gone(value) if isinstance(fields.of, Kind) else value is None
        return _nothing(fields.of) if gone else checked(value, fields.of, record, name)
    if isinstance(fields, Needs):
        return _with_needed(checked(value, fields.of, record, name), fields, record)
    if isinstance(fields, Kind):
        if fields.fits(value):
            return value
        rule = fields.rule
    elif isinstance(fields, list):
        if isinstance(value, list):
            place = f"{record}: {name}"
            return [checked(one, fields[0], f"{place}[{row}]") for row, one in enumerate(value)]
        rule = "a list"
    elif isinstance(value, dict):
        return {
            inner: checked(value.get(inner), of, record, f"{name}.{inner}" if name else inner)
            for inner, of in fields.items()
        }
    raise FileError(f"{record}{name and ': '}{name} must be {rule}, got {shown(value)}")


def _nothing(fields: Fields) -> Any:
    """What stands for a value that is not there: of an object one in each field."""
    if isinstance(fields, (Maybe, Needs)):
        return _nothing(fields.of)
    if not isinstance(fields, dict):
        return None
    return {name: _nothing(of) for name, of in fields.items()}


def _with_needed(found: Any, rule: Needs, record: str) -> Any:
    has = inside(found, rule.field)
    asked = str(has).lower() in rule.values if rule.values else has is not None
    if asked and all(inside(found, name) is None for name in rule.needed):
        raise FileError(
            f"{record}: {rule.needed[0]} must be there where {rule.field} is {shown(has)}, got "
            "none; export it again, or drop the record"
        )
    return found


def objects(
    records: Records, path: str, keys: tuple[str, ...], fields: Fields
) -> list[dict[str, Any]]:
    """The objects of a list in a JSON value, checked, if one of them has the keys; else nothing.

    Parameters
    ----------
    records : Records
        The file.
    path : str
        Under which name the list stands, of a name in a name with a dot; "" for the value itself.
    keys : tuple of str
        What says that the file is of this kind.
    fields : Fields
        What the reader needs of each object.
    """
    listed = inside(records.content, path)
    fits = isinstance(listed, list) and any(
        isinstance(one, dict) and all(key in one for key in keys) for one in listed
    )
    return checked(listed, [fields], records.file, path) if fits else []


def table(records: Records, names: Collection[str], fields: Fields) -> list[dict[str, Any]] | None:
    """The rows of a table, checked, if it has the columns of these names; else None."""
    if not set(names) <= records.columns.keys():
        return None
    rows = enumerate(zip(*records.columns.values(), strict=True), 1)
    return [
        checked(
            dict(zip(records.columns, cells, strict=True)), fields, f"{records.file}: row {row}"
        )
        for row, cells in rows
    ]


def inside(content: Any, path: str) -> Any:
    """What an object holds under a name, of a name in a name with a dot; None: nothing.

    >>> inside({"a": {"b": 1}}, "a.b"), inside({"a.b": 1}, "a.b"), inside([2], "a"), inside([2], "")
    (1, 1, None, [2])
    """
    if isinstance(content, dict) and path in content:
        return content[path]
    for name in filter(None, path.split(".")):
        content = content.get(name) if isinstance(content, dict) else None
    return content


_LABELS = {"service": "service", "alertname": "kind", "severity": "severity"}


def label_roles(labels: Mapping[str, Any]) -> dict[str, Any]:
    """What the labels of an alert of Prometheus say of it, by role.

    >>> label_roles({"alertname": "Slow", "severity": "page", "job": "web"})
    {'kind': 'Slow', 'severity': 'page'}
    """
    return {role: labels[name] for name, role in _LABELS.items() if name in labels}


def later(time: str, seconds: float) -> str:
    """A time in ISO 8601, moved.

    >>> later("2026-10-20T08:00:00Z", 90)
    '2026-10-20T08:01:30+00:00'
    """
    return (datetime.fromisoformat(time) + timedelta(seconds=seconds)).isoformat()


class StateChange(NamedTuple):
    """Whether a thing is on from some time on, and whether it was on before."""

    key: Any
    time: Any
    on: bool
    was_on: bool
    row: Mapping[str, Any]


def paired(changes: Iterable[StateChange], file: str, what: str) -> list[dict[str, Any]]:
    """Pair beginnings and ends of the same thing, in the order of time.

    >>> begins = StateChange("a", 1, True, False, {"service": "api"})
    >>> paired([StateChange("a", 5, False, True, {}), begins], "x.json", "events")
    [{'service': 'api', 'start': 1, 'end': 5}]
    """
    open_things: dict[Any, dict[str, Any]] = {}
    found = []
    for change in sorted(changes, key=lambda one: (one.time, one.on)):
        known = change.key in open_things
        if change.was_on and not known:
            raise FileError(
                f"{file}: an alert {'goes on' if change.on else 'ends'} (at {change.time}) whose "
                f"beginning is not among the {what}; export from an earlier time on"
            )
        if change.on and not known:  # a reminder is no second beginning
            open_things[change.key] = {**change.row, "start": change.time, "end": None}
            found.append(open_things[change.key])
        elif known and not change.on:
            open_things.pop(change.key)["end"] = change.time
    return found
