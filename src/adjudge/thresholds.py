"""Threshold rules: how a threshold is chosen when no number is given.

A rule looks at the scores and never at the labels. Its threshold is always one of the scores (or
``-inf``), so a strictly increasing map of the scores changes nothing.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from adjudge.errors import InputError, UnknownName
from adjudge.settings import share, whole
from adjudge.spec import Call, parse

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.case import Case


@dataclass(frozen=True)
class Quantile:
    """The smallest score that at least a share ``q`` of the judged points do not exceed.

    So at most a share ``1 - q`` is flagged: ``quantile(0.99)`` flags the highest one per cent.

    >>> from adjudge.case import Case
    >>> Quantile(0.75)(Case([0, 0, 1, 1], [0.4, 0.1, 0.3, 0.9]))
    0.4
    """

    q: float

    def __post_init__(self) -> None:
        """Check the share."""
        object.__setattr__(self, "q", share(self.q, "q", zero=True))

    def __call__(self, case: Case) -> float:
        """Give the threshold."""
        scores = _judged(case)
        rank = math.ceil(self.q * scores.size)  # which may have rounded either way
        rank += (rank / scores.size < self.q) - ((rank - 1) / scores.size >= self.q)
        place = max(rank, 1) - 1
        return float(np.partition(scores, place)[place])

    def __str__(self) -> str:
        """Print as it is written."""
        return f"quantile({self.q!r})"


@dataclass(frozen=True)
class Top:
    """The threshold that flags the ``k`` highest points, and all that tie with the last of them.

    >>> from adjudge.case import Case
    >>> Top(2)(Case([0, 0, 1, 1], [0.4, 0.1, 0.3, 0.9]))
    0.3
    """

    k: int

    def __post_init__(self) -> None:
        """Check the count."""
        object.__setattr__(self, "k", whole(self.k, "k", 1))

    def __call__(self, case: Case) -> float:
        """Give the threshold."""
        scores = _judged(case)
        if self.k > scores.size:
            raise InputError(f"k must be at most the {scores.size} judged points, got {self.k}")
        place = scores.size - self.k
        last = np.partition(scores, place)[place]
        return float(np.max(scores, where=scores < last, initial=-np.inf))

    def __str__(self) -> str:
        """Print as it is written."""
        return f"top({self.k})"


Rule = Quantile | Top
RULES: dict[str, type[Rule]] = {"quantile": Quantile, "top": Top}


def threshold(at: object) -> float | Rule:
    """Read a threshold: a number, a rule, or a rule as it is written.

    >>> threshold("quantile(0.99)")
    Quantile(q=0.99)
    >>> threshold("0.5")
    0.5
    """
    if isinstance(at, str):
        at = parse(at) if not _is_number(at) else float(at)
    if isinstance(at, Call):
        at = _rule(at)
    if isinstance(at, Rule):
        return at
    if isinstance(at, Real) and not isinstance(at, bool) and at == at:  # noqa: PLR0124 - no NaN
        with suppress(OverflowError):
            return float(at)
    raise InputError(f"at must be a number or a rule such as quantile(0.99) or top(10), got {at!r}")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _rule(call: Call) -> Rule:
    if call.name == "best":
        raise InputError("at must not be an oracle; write best(...) around the metric instead")
    if call.name not in RULES:
        raise UnknownName("threshold rule", call.name, RULES, "rules are quantile(q) and top(k)")
    try:
        return RULES[call.name](*call.values, **call.settings)
    except TypeError:
        raise InputError(f"at must be quantile(q) or top(k), got {call}") from None


def _judged(case: Case) -> Floats:
    judged = case.events.judged
    return case.scores if judged is None else case.scores[judged]
