"""Read a threshold: a number, a rule, or a rule as it is written."""

from __future__ import annotations

from contextlib import suppress
from numbers import Real

from adjudge._text import shown
from adjudge.errors import InputError, UnknownName
from adjudge.measure.thresholds import RULES, Rule
from adjudge.metrics.spec import Call, is_number, parse

RULES_LISTED = "quantile(q), top(k), sigma(k), mad(k), pot(risk=, level=)"


def threshold(at: object) -> float | Rule:
    """Read a threshold: a number, a rule, or a rule as it is written.

    >>> threshold("quantile(0.99)")
    Quantile(q=0.99, on=None)
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
    with suppress(OverflowError, TypeError, ValueError):  # such as of a time difference
        if isinstance(at, Real) and not isinstance(at, bool) and at == at:  # noqa: PLR0124 - no NaN
            return float(at)
    hint = ""
    if isinstance(at, str) and is_number(at.strip().replace(",", ".", 1)):
        hint = f"; did you mean {at.strip().replace(',', '.', 1)}?"
    raise InputError(
        f"at must be a number or a rule such as quantile(0.99) or top(10), got {shown(at)}{hint}"
    )


def _rule(call: Call) -> Rule:
    if call.name == "best":
        raise InputError("at must not be an oracle; write best(...) around the metric instead")
    if call.name not in RULES:
        raise UnknownName("threshold rule", call.name, RULES, f"rules are {RULES_LISTED}")
    try:
        return RULES[call.name](*call.values, **call.settings)
    except TypeError:
        raise InputError(f"at must be a number or one of {RULES_LISTED}, got {call}") from None
