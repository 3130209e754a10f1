"""Specs: the printed form of a metric, and how it is read.

The grammar is that of a Python call, ``name(setting=value, ...)``, read with `ast` and never
evaluated. The same string is a column name, a command-line argument and a line in a file.

Read a threshold: a number, a rule, or a rule as it is written.
"""

from __future__ import annotations

import ast
import json
import math
import re
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import signature
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeGuard

from adjudge.errors import InputError, shown
from adjudge.measure.thresholds.contract import RULES, Rule, given_rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge.measure.thresholds.contract import AnyRule

_LONGEST = 500
_WORDS = {"inf": math.inf, "true": True, "false": False, "null": None}
"""Values that are words: inf as it is printed, and the rest as JSON spells them."""
_NUMBER = re.compile(r"(?ai)[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(inf|infinity|nan)")


@dataclass(frozen=True)
class Call:
    """A name with values and settings; a value may be a call itself."""

    name: str
    values: tuple[Any, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """Print it as it is written."""
        return call_text(self.name, self.values, self.settings)

    __repr__ = __str__  # in messages too


def _hint(text: str) -> str:
    """Say what may be wrong: a bracket, or the name of a function, which few verbs take."""
    if text.count("(") > text.count(")"):
        return "; a bracket is not closed"
    if text.strip().endswith(".py"):
        return "; `adjudge audit` takes a function of your own as module:function"
    if not re.fullmatch(r"[\w.]+:\w+", text.strip()):
        return ""
    return (
        "; module:function is for `adjudge evaluate` and `adjudge audit`, elsewhere register "
        "your metric with aj.register, or as an entry point of a package"
    )


def parse(text: str) -> Call:
    """Read a spec.

    >>> parse("best(f1_ba(width=5))").values
    (f1_ba(width=5),)
    >>> parse("1 + 1")
    Traceback (most recent call last):
    adjudge.errors.InputError: spec must be name(setting=value, ...) with numbers, tuples of \
numbers, strings, True, False or None as values, got '1 + 1'
    """
    refused = InputError(
        "spec must be name(setting=value, ...) with numbers, tuples of numbers, strings, "
        f"True, False or None as values, got {text[:_LONGEST]!r}{_hint(text)}"
    )
    if len(text) > _LONGEST:
        raise refused
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # doubtful escapes are refused or harmless here
            node = ast.parse(text.strip(), mode="eval").body
        _check_numbers(node, text.strip())
        call = _value(node)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise refused from None
    if not isinstance(call, Call):
        raise refused
    return call


def metric_name(spec: str) -> str:
    """The name of the metric that a spec is about, inside ``best(...)`` and its like too.

    >>> metric_name("best(f1_ba(width=5))")
    'f1_ba'
    """
    call = parse(spec)
    while call.values and isinstance(call.values[0], Call):
        (call,) = call.values
    return call.name


def call_text(
    name: str, values: tuple[Any, ...] = (), settings: dict[str, Any] | None = None
) -> str:
    """Print a call; without anything in it, the name alone.

    >>> call_text("f1_ba", settings={"width": 5, "islands": "all"})
    'f1_ba(width=5, islands="all")'
    """
    inside = [_shown(value) for value in values]
    inside += [settings_text(settings)] if settings else []
    return f"{name}({', '.join(inside)})" if inside else name


def settings_text(settings: Mapping[str, Any]) -> str:
    """Print settings as they are read.

    >>> settings_text({"ends": True, "split": None})
    'ends=True, split=None'
    """
    return ", ".join(f"{key}={_shown(value)}" for key, value in settings.items())


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def is_number(text: str) -> bool:
    """Tell a decimal number as people write it, or inf or nan; Python's 1_0 and 0x1f are none.

    >>> [is_number(text) for text in ("-1e-3", "inf", "1_0", "0x1f")]
    [True, True, False, False]
    """
    return _NUMBER.fullmatch(text) is not None


def _check_numbers(tree: ast.expr, text: str) -> None:
    """Refuse numbers that are written as only Python writes them."""
    written_as = text.encode()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            digits = written_as[node.col_offset : node.end_col_offset].decode()
            if not isinstance(node.value, bool) and not is_number(digits):
                raise ValueError(digits)


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=str() | int() | float() | None as constant):
            return constant
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(_value(operand))
        case ast.Tuple(elts=numbers) | ast.List(elts=numbers):
            return tuple(_number(_value(number)) for number in numbers)
        case ast.Name(id=word) if word in _WORDS:
            return _WORDS[word]
        case ast.Name(id=name):
            return Call(name)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            settings = {str(key.arg): _value(key.value) for key in keywords if key.arg}
            if len(settings) < len(keywords):  # a **mapping
                raise ValueError(name)
            return Call(name, tuple(_value(arg) for arg in args), settings)
    raise ValueError(node)


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(value)  # noqa: TRY004 - every trouble of the grammar is one trouble
    return value


_TUNED = (
    "; write evaluate(labels, scores, metrics, at=tuned(...)), which judges the other part only"
)


def threshold(at: object) -> float | Rule:
    """Read a threshold: a number, a rule, or a rule as it is written.

    >>> threshold("quantile(0.99)")
    quantile(0.99)
    >>> threshold("0.5")
    0.5
    """
    if type(at) is float and at == at:  # noqa: PLR0124 - no NaN; what is most often given, at once
        return at
    if isinstance(at, str):
        if is_number(at.strip()):
            at = float(at)
        elif at.strip()[:1].isalpha():  # whatever else is neither, such as 1_0
            at = parse(at)
    if isinstance(at, Call):
        at = _rule(at)
    if isinstance(at, Rule):
        return at
    if is_rule(at):
        return given_rule(at)
    with suppress(OverflowError, TypeError, ValueError):  # such as of a time difference
        if isinstance(at, Real) and not isinstance(at, bool) and at == at:  # noqa: PLR0124 - no NaN
            return float(at)
    hint = _TUNED if shown(at).startswith("tuned(") else ""
    if isinstance(at, str) and is_number(at.strip().replace(",", ".", 1)):
        hint = f"; did you mean {at.strip().replace(',', '.', 1)}?"
    raise InputError(
        f"at must be a number or a rule such as quantile(0.99) or top(10), got {shown(at)}{hint}"
    )


def _rule(call: Call) -> Rule:
    if call.name == "best":
        raise InputError(
            "at must not be chosen in hindsight; write best(...) around the metric instead"
        )
    if call.name == "tuned":
        raise InputError(f"at must be a number or a rule, got {call}{_TUNED}")
    make = RULES[call.name]
    values = [_rule(value) if isinstance(value, Call) else value for value in call.values]
    try:
        made = make(*values, **call.settings)
    except TypeError:
        raise InputError(f"at must be a number or one of {RULES.listed}, got {call}") from None
    if not is_rule(made):
        raise InputError(f"threshold rule {call.name} must make a rule, got {shown(made)}")
    return given_rule(made, str(call))


def is_rule(value: object) -> TypeGuard[AnyRule]:
    """Tell what must be called with one thing, a case; a class is none, nor is a metric."""
    if isinstance(value, type) or not callable(value):
        return False
    try:
        taken = signature(value)
        taken.bind(None)
    except (TypeError, ValueError):  # it takes something else, or nobody knows
        return False
    first = next(iter(taken.parameters.values()))
    return first.default is first.empty
