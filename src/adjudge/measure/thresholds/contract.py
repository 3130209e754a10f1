"""The contract of a threshold rule, and the registry of all rules.

Each rule is declared once, by `rule`: specs, messages, help and the pages of the documentation read
`RULES`. Others may add theirs, or give any function of a `adjudge.Case` as ``at=``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import numpy as np

from adjudge.checks import number, suggest_keywords
from adjudge.data.columns import floats, refuse_nan
from adjudge.errors import AdjudgeError, InputError, as_text, shown, visible
from adjudge.measure.thresholds.part import Part
from adjudge.registry import Registry
from adjudge.settings import Settings, checked_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Floats
    from adjudge.data.case import Case


class AnyRule(Protocol):
    """What ``at=`` takes as a rule: called with a `adjudge.Case` it gives the threshold, a number.

    It looks at ``case.scores`` and never at the labels. It is printed by its name if it is a
    function, else by its ``str``.
    """

    def __call__(self, case: Case, /) -> float:
        """The threshold above which points are flagged."""
        ...


@dataclass(frozen=True, repr=False)
class Rule(Settings):
    """A rule with settings: its fields, each with a check; it may learn on a part of the points.

    A subclass says how the threshold follows from the scores, and `rule` gives it its name.
    """

    name: ClassVar[str] = ""
    on: Any = field(
        default=None, kw_only=True, metadata=checked_by(lambda on, _: Part.read(on), none=True)
    )

    def threshold(self, scores: Floats) -> float:
        """The threshold, from the scores that it is learnt on."""
        raise NotImplementedError  # pragma: no cover - a subclass says

    def __call__(self, case: Case) -> float:
        """The threshold of a case."""
        return float(self.threshold(learnt(case, self.on)))

    def __str__(self) -> str:
        """Print as it is written: a single setting by its value, several by their names."""
        inside = sorted(fields(self), key=lambda item: item.name == "on")  # which comes last
        named = sum(not item.kw_only for item in inside) > 1
        settings = []
        for item in inside:
            value = self.__dict__[item.name]
            if not item.kw_only:
                settings.append(f"{item.name}={value!r}" if named else repr(value))
            elif value != item.default:
                settings.append(f'{item.name}="{value}"')
        return f"{self.name}({', '.join(settings)})"

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class GivenRule(Rule):
    """A rule that is somebody's own function or object, with the text that it is printed as."""

    rule: AnyRule
    text: str

    def __post_init__(self) -> None:
        """Refuse a part to learn on: such a rule chooses itself what it looks at."""
        if self.on is not None:
            raise InputError(f"on must be left out for {self}, which learns nothing, got {self.on}")

    def __call__(self, case: Case) -> float:
        """The threshold of a case."""
        try:
            at = self.rule(case)
        except AdjudgeError:
            raise
        except Exception as error:
            problem = f"{type(error).__name__}: {as_text(error)}"
            raise InputError(f"rule {self} must give a threshold, got {problem}") from error
        found = number(at, f"threshold of {self}")
        if math.isnan(found):
            raise InputError(f"threshold of {self} must be a number, got nan")
        return found

    def __str__(self) -> str:
        """Print it by its name."""
        return self.text

    __repr__ = __str__


def given_rule(rule: AnyRule, text: str = "") -> Rule:
    """Any rule as a `Rule`.

    >>> from adjudge.measure.thresholds.rules import Quantile
    >>> def highest(case):
    ...     return case.scores.max()
    >>> given_rule(highest), given_rule(Quantile(0.5))
    (highest, quantile(0.5))
    """
    if isinstance(rule, Rule):
        return rule
    name = (
        text or getattr(rule, "__name__", "") or as_text(rule)
    )  # of a function, else of an object
    return GivenRule(rule, visible(type(rule).__name__ if " at 0x" in name else name))


def _check_rule(name: str, make: Any) -> None:
    """Refuse what cannot be written in a spec; a class of rules prints by its name from now on."""
    if not name.isidentifier() or name in {"best", "tuned"}:
        raise InputError(f"name of a threshold rule must be a word such as 'mine', got {name!r}")
    if not callable(make):
        raise InputError(f"threshold rule {name} must be a class or a function, got {shown(make)}")
    if isinstance(make, type) and issubclass(make, Rule):
        make.name = name
        suggest_keywords(name)(make)


def _call_text(name: str, make: Any) -> str:
    """How a rule is called: a single setting in its place, several by their names."""
    taken = [one for one in signature(make).parameters.values() if one.name != "on"]
    if sum(one.kind is not one.KEYWORD_ONLY for one in taken) == 1:
        return f"{name}({', '.join(one.name for one in taken)})"
    return f"{name}({', '.join(f'{one.name}=' for one in taken)})"


RULES: Registry[Callable[..., AnyRule]] = Registry(
    "threshold rule", "adjudge.rules", check=_check_rule, text=_call_text
)
"""What makes a rule of its settings, by the name that specs have."""
_EXAMPLES: dict[str, str] = {}
Make = TypeVar("Make", bound="Callable[..., Any]")


def rule(name: str, *, example: str) -> Callable[[Make], Make]:
    """Declare a threshold rule: specs, messages and help know it by its name from now on.

    A package that wants its rules to be there whenever it is installed names them as entry points
    of the group ``adjudge.rules``.

    Parameters
    ----------
    name : str
        The name of the rule, ``mine`` in ``at="mine(3)"``.
    example : str
        A call of it, for the help.

    Returns
    -------
    callable
        To decorate a subclass of `Rule` with, or a function that takes the settings and returns a
        function of a `adjudge.Case`. The first line of its docstring says what it is.
    """

    def declared(make: Make) -> Make:
        RULES.add(name, make)
        _EXAMPLES[name] = example
        return make

    return declared


def rule_examples() -> str:
    """An example of every rule, for the help.

    >>> rule_examples().split(", ")[:2]
    ['quantile(0.99)', 'top(100)']
    """
    return ", ".join(_EXAMPLES.get(name) or _call_text(name, make) for name, make in RULES.items())


def learnt(case: Case, on: Part | None) -> Floats:
    """The scores that a rule learns on: the judged ones, or those of a part; ``-inf`` as judged."""
    if on is not None:
        scores = case.unmasked[on.mask(case.events.n)]
        refuse_nan(scores, "scores to learn on", "numbers")
        return np.maximum(floats(scores, "scores"), np.finfo(np.float64).min)
    judged = case.events.judged
    return case.scores if judged is None else case.scores[judged]
