"""The shapes of contracts, lines of a ledger and answers, for programs that read them."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from adjudge.sealing.answer import EXIT_CODES, Answer
from adjudge.sealing.contract import ANY_LOOKS, FORM, TABLES
from adjudge.sealing.ledger import EVERY, LINES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_TEXT, _WHOLE, _NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
_TYPES: Mapping[Any, Mapping[str, Any]] = {
    str: _TEXT, int: _WHOLE, float: _NUMBER, (int, float): _NUMBER,
    (int, str): {"anyOf": [_WHOLE, {"const": ANY_LOOKS}]},
    "str": _TEXT, "int": _WHOLE, "bool": {"type": "boolean"},
    "int | None": {"type": ["integer", "null"]}, "Word": {"enum": [*EXIT_CODES]},
}  # fmt: skip
_LINE = {"n": _WHOLE, "look": _WHOLE, "level": _NUMBER, "what": {"enum": [*LINES]}}


def _table(known: Mapping[str, Any]) -> dict[str, Any]:
    """A table of a contract: all that it has, or anything where that is open."""
    own = {key: _TYPES[kind] for key, kind in known.items()}
    closed = {"required": [*own], "additionalProperties": False} if own else {}
    return {"type": "object", "properties": own, **closed}


def _line(names: Iterable[str]) -> dict[str, Any]:
    return {name: _LINE.get(name, _TEXT) for name in sorted(names)}


_SEAL = {name: _table(known) for name, known in TABLES.items()}
_SEAL["seal"]["properties"]["form"] = {"const": FORM}
SEALED: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "seal": (_SEAL, {}),
    "ledger": (_line({*EVERY, "hash"}), _line({*set().union(*LINES.values()), "mac"})),
    "answer": ({one.name: dict(_TYPES[str(one.type)]) for one in fields(Answer)}, {}),
}
"""By kind: what is always there, and what is there at times. A ledger has an object a line."""
