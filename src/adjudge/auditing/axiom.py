"""Axiom: a sentence about metrics, and the experiment that holds one metric against it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adjudge._typing import Array, Flags
    from adjudge.auditing.questions import Hearing

Outcome = Literal["pass", "fail", "undecided", "not applicable"]
PASS: Outcome = "pass"  # noqa: S105 - no password
FAIL: Outcome = "fail"
UNDECIDED: Outcome = "undecided"
NOT_APPLICABLE: Outcome = "not applicable"
LETTERS: Mapping[Outcome, str] = {PASS: "+", FAIL: "x", UNDECIDED: "?", NOT_APPLICABLE: "-"}
"""One sign per verdict, for tables."""

_COLUMNS = 96  # of a strip: what a terminal shows in one line
_SHADES = "0123456789"
_ROUNDING = 1e-9  # a difference that is none


@dataclass(frozen=True, eq=False)
class Counterexample:
    """Labels, one or two detections of them, and the values that break an axiom.

    >>> labels = np.array([0, 0, 1, 1, 0], bool)
    >>> print(Counterexample(labels, {"flags": labels, "then": ~labels}, {"flags": 1.0}))
    truth  ..##.
    flags  ..||.  1.0000
    then   ||..|
    """

    labels: Flags
    rows: Mapping[str, Array]
    """Flags (or scores) by the word that stands before them."""
    values: Mapping[str, float] = field(default_factory=dict)
    """The metric's value of each row."""
    note: str = ""

    def __str__(self) -> str:
        """Draw the points as characters, one line per row."""
        names = ["truth", *self.rows]
        room = max(map(len, names)) + 2
        lines = ["truth".ljust(room) + _line(self.labels, "#")]
        for name, row in self.rows.items():
            value = f"  {self.values[name]:.4f}" if name in self.values else ""
            lines.append(name.ljust(room) + _line(_shaded(row, self.rows), "|") + value)
        return "\n".join([*lines, *([self.note] if self.note else [])])

    def to_dict(self) -> dict[str, Any]:
        """Give plain lists, which JSON can hold."""
        rows = {name: _plain(row) for name, row in self.rows.items()}
        values = dict(self.values)
        return {
            "labels": _plain(self.labels), "rows": rows, "values": values, "note": self.note,
            "strip": str(self),
        }  # fmt: skip


@dataclass(frozen=True)
class Verdict:
    """What the audit found about one axiom."""

    axiom: str
    verdict: Outcome
    sentence: str
    statistic: float = math.nan
    bound: float = math.nan
    trials: int = 0
    extras: Mapping[str, float] = field(default_factory=dict)
    """Numbers that are reported beside the statistic and do not change the verdict."""
    counterexample: Counterexample | None = field(default=None, compare=False)
    seconds: float = field(default=0.0, compare=False)
    told: bool = field(default=False, compare=False)
    """Whether the sentence says the extras too."""

    @property
    def aside(self) -> str:
        """The extras that the sentence leaves out, in a line.

        >>> Verdict("C-1", PASS, "it is low", extras={"1 event": 0.25, "40 events": 0.5}).aside
        '1 event: 0.2500, 40 events: 0.5000'
        """
        said = (f"{name}: {value:.4f}" for name, value in self.extras.items())
        return "" if self.told else ", ".join(said)

    def __str__(self) -> str:
        """Say the verdict, and show the counterexample."""
        lines = [f"{self.axiom} {self.verdict}: {self.sentence}"]
        if self.counterexample is not None:
            lines += [f"    {line}" for line in str(self.counterexample).splitlines()]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Give plain values."""
        shown = None if self.counterexample is None else self.counterexample.to_dict()
        return {
            "axiom": self.axiom, "verdict": self.verdict, "statistic": self.statistic,
            "bound": self.bound, "trials": self.trials, "seconds": self.seconds,
            "sentence": self.sentence, "extras": dict(self.extras), "counterexample": shown,
        }  # fmt: skip


@dataclass(frozen=True)
class Axiom:
    """What a metric owes, and how that is found out.

    Attributes
    ----------
    name, title, sentence : str
        What it is called, and what it says.
    source : str
        Who asks for it.
    experiment, rule : str
        What is done, and what decides, in words.
    broken : str
        What a counterexample looks like.
    run : callable
        The experiment: takes a `Hearing`, gives a `Verdict`.
    threshold : bool
        Whether it is about thresholds, so that it says nothing of a metric that needs scores.
    scale : bool
        Whether it compares values with numbers, so that it says nothing of an unbounded metric.
    drawn : bool
        Whether its experiment is drawn, trial by trial; such are heard after the others, so that
        no slow one takes the time of one that is decided at once.
    quotes : bool
        Whether its sentence quotes values as the `Hearing` turns them, so that this must be said.
    """

    name: str
    title: str
    sentence: str
    source: str
    experiment: str
    rule: str
    broken: str
    run: Callable[[Hearing], Verdict] = field(repr=False)
    threshold: bool = False
    scale: bool = True
    drawn: bool = False
    quotes: bool = True

    def excused(self, hearing: Hearing) -> str:
        """Say why the axiom says nothing of a metric, if it does not."""
        if self.threshold and hearing.kind == "scores":
            return "it is about thresholds, and this metric judges scores without one"
        if self.scale and not hearing.bounded:
            return "it compares values with fixed numbers, and this metric has no bounded range"
        return ""


def compared(difference: float, digits: int = 3) -> str:
    """Say how far one value lies from another.

    >>> compared(0.0), compared(-0.1349)
    ('0.000 more than', '0.135 less than')
    """
    less = difference < -_ROUNDING
    return f"{abs(difference):.{digits}f} {'less' if less else 'more'} than"


def _shaded(row: Array, rows: Mapping[str, Array]) -> Array:
    """Bring scores to a scale from 0 to 9 that all rows share; flags stay flags."""
    if row.dtype == bool:
        return row
    low = min(float(other.min()) for other in rows.values())
    high = max(float(other.max()) for other in rows.values())
    return np.zeros(row.size) if high == low else (row - low) / (high - low) * 9


def _line(row: Array, mark: str) -> str:
    """Draw a row; one too long for a line is drawn in columns of several points."""
    if row.dtype == bool:
        text = "".join(mark if point else "." for point in _columns(row))
    else:
        text = "".join(_SHADES[round(shade)] for shade in _columns(row).tolist())
    per = math.ceil(row.size / _COLUMNS)
    return text if per == 1 else f"{text} ({per} points per character)"


def _columns(row: Array) -> Array:
    per = math.ceil(row.size / _COLUMNS)
    return np.maximum.reduceat(row, np.arange(0, row.size, per))


def _plain(row: Array) -> list[Any]:
    return [int(x) if row.dtype == bool else float(x) for x in row]
