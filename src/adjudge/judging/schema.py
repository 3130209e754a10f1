"""The shape of results as JSON: what a program that reads them may rely on.

The number of the schema rises when a field changes its meaning or goes; a field that is new does
not raise it, so readers must let pass what they do not know.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

from adjudge.count.ledger import AlarmRows, TruthRows
from adjudge.errors import UnknownName
from adjudge.judging.result_row import COLUMNS, SCHEMA, Finding
from adjudge.metrics.parts import ChosenBy

_NUMBER = {"anyOf": [{"type": ["number", "null"]}, {"enum": ["inf", "-inf"]}]}
_KINDS: dict[str, Any] = {
    "float": _NUMBER,
    "float | None": _NUMBER,
    "int": {"type": "integer"},
    "int | None": {"type": ["integer", "null"]},
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "dict[str, float]": {"type": "object", "additionalProperties": _NUMBER},
    "ChosenBy": {"enum": list(get_args(ChosenBy))},
    "Flags": {"type": "boolean"},
    "Positions": {"type": "integer"},
    "Array": _NUMBER,
}
_EVENT = {
    "detector": {"type": "string"},
    "start": {"type": "integer"},
    "stop": {"type": "integer"},
    "found": {"type": ["boolean", "null"]},
    "coverage": _NUMBER,
    "delay": _NUMBER,
}
_TEXT = {"type": "string"}
_TIMES = {"from": _TEXT, "to": _TEXT}
_EVENT_TIMES = {
    **_TIMES,
    "delay_time": {"type": ["string", "null"]},
    "delay_seconds": _NUMBER,
}


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of results of one kind.

    Parameters
    ----------
    kind : str
        "judgement" (``Judgement.to_json()``), "evaluate" (``adjudge evaluate --json``: the same
        with the file of each row), "explain" or "compare" (``adjudge explain --json`` and so on).

    Returns
    -------
    dict
        The schema, ready for ``json.dumps``.

    Examples
    --------
    >>> schema("judgement")["$id"]
    'urn:adjudge:schema:judgement:1'
    """
    if kind not in KINDS:
        raise UnknownName("kind of result", kind, KINDS, f"there are {', '.join(KINDS)}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:adjudge:schema:{kind}:{SCHEMA}",
        "title": f"adjudge {kind}",
        "description": "Undefined is null; an infinite threshold is text.",
        **_object(KINDS[kind]),
    }


def _object(properties: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    known = {**properties, **(optional or {})}
    return {"type": "object", "properties": known, "required": list(properties)}


def _list(properties: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "array", "items": _object(properties, optional)}


def _of(rows: type) -> dict[str, Any]:
    kinds = {item.name: str(item.type) for item in fields(rows)}
    return {name: _KINDS[kind] for name, kind in kinds.items() if name != "judged_by"}


_ROW = {name: _of(Finding)[name] for name in COLUMNS}
_FILE = {"file": _TEXT}
_VERSION = {"schema": {"const": SCHEMA}}
KINDS: dict[str, dict[str, Any]] = {
    "judgement": {**_VERSION, "rows": _list(_ROW), "events": _list(_EVENT, _EVENT_TIMES)},
    "evaluate": {
        "adjudge": _TEXT,
        **_VERSION,
        "rows": _list(_FILE | _ROW),
        "events": _list(_FILE | _EVENT, _EVENT_TIMES),
        "errors": _list(_FILE | {"error": _TEXT}),
    },
    "explain": {
        **_VERSION,
        "metric": _TEXT,
        "at": _NUMBER,
        "value": _NUMBER,
        "unit": _TEXT,
        "seconds": _NUMBER,
        "sums": _object(dict.fromkeys(("found", "truth", "right", "flagged"), _NUMBER)),
        "truth": _list(_of(TruthRows), _TIMES),
        "alarms": _list(_of(AlarmRows) | {"cost": _NUMBER}, _TIMES),
    },
    "compare": {
        **_VERSION,
        "metric": _TEXT,
        **dict.fromkeys(("a", "b", "difference", "low", "high", "p_value"), _NUMBER),
        "events": {"type": "integer"},
        "events_needed": {"type": ["integer", "null"]},
        "at": {"type": "array", "items": _NUMBER},
        "better": {"enum": ["higher", "lower"]},
        "exact": {"type": "boolean"},
        "names": {"type": "array", "items": _TEXT},
        "ahead": {"enum": ["a", "b", None]},
        "said": {"type": "array", "items": _TEXT},
    },
}
"""Kinds of results, each with its fields."""
