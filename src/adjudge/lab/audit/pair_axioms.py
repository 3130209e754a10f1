"""Axioms that compare two detectors on the same labels.

Each is laid out in several sizes. The outcome is taken at the full one; the counterexample is the
smallest on which the wrong detector still wins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.lab.audit.axiom import EXACT
from adjudge.lab.audit.counterexample import Counterexample, smallest_size
from adjudge.lab.audit.drawn_cases import edges, even_labels, event_bounds, mixed_widths
from adjudge.lab.audit.result import FAIL, PASS, UNDECIDED, Result, difference_in_words
from adjudge.lab.audit.subject_calls import Pair

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Flags
    from adjudge.lab.audit.run import Run


class Scene(NamedTuple):
    """Labels and two detections; the second may have more quiet time at its end."""

    labels: Flags
    first: Flags
    second: Flags
    quiet: int = 0


@dataclass(frozen=True)
class PairAxiom:
    """The first detector must be ahead of the second by at least so much.

    Attributes
    ----------
    name : str
        The axiom.
    build : callable
        Lays labels and detectors out in a size; the last of ``sizes`` is the full one.
    names : tuple of str
        What the two detectors are called.
    lead : float
        How far the first must be ahead; a negative number allows it to lie behind.
    sentence : str
        The sentence, with ``first``, ``second``, ``change`` (from the first to the second),
        ``difference`` (in words) and ``lead`` to fill in.
    digits : int
        Of ``difference``.
    even : bool
        Whether being ahead is as wrong as lying behind.
    """

    name: str
    build: Callable[[int], Scene]
    sizes: tuple[int, ...]
    names: tuple[str, str]
    lead: float
    sentence: str
    even: bool = False
    digits: int = 3

    def __call__(self, run: Run) -> Result:
        """Compare the two at the full size."""
        first, second = self._values(run, self.sizes[-1])
        ahead = first - second
        if math.isnan(ahead):
            return Result(self.name, UNDECIDED, "it gave no value to decide by")
        behind = self._behind(ahead)
        words = {"difference": difference_in_words(ahead, self.digits), "lead": abs(self.lead)}
        sentence = self.sentence.format(first=first, second=second, change=-ahead or 0.0, **words)
        shown = self._counterexample(run) if behind else None
        extras = {self.names[0]: first, self.names[1]: second}
        outcome, has_extras = FAIL if behind else PASS, "{first" in self.sentence
        return Result(
            self.name, outcome, sentence, ahead, self.lead, 2, extras, shown,
            sentence_has_extras=has_extras,
        )  # fmt: skip

    def _behind(self, ahead: float) -> bool:
        return (-abs(ahead) if self.even else ahead) < self.lead

    def _pairs(self, run: Run, size: int) -> list[Pair]:
        labels, first, second, quiet = self.build(size)
        longer = np.append(labels, np.zeros(quiet, bool))
        return [
            Pair(labels, run.detection(labels, first)),
            Pair(longer, run.detection(longer, second, quiet)),
        ]

    def _values(self, run: Run, size: int) -> tuple[float, float]:
        found = run.values(self._pairs(run, size))
        return float(found[0]), float(found[1])

    def _counterexample(self, run: Run) -> Counterexample:
        def shows(size: int) -> bool:
            first, second = self._values(run, size)
            return self._behind(first - second)

        size = smallest_size(self.sizes[:-1], shows, self.sizes[-1])
        pairs = self._pairs(run, size)
        rows = {name: pair.given for name, pair in zip(self.names, pairs, strict=True)}
        values = dict(zip(self.names, run.own_values(pairs), strict=True))
        return Counterexample(pairs[1].labels > 0, rows, values)


@dataclass(frozen=True)
class LessSureAxiom(PairAxiom):
    """The same, where scores of what only the second flags are below those of all other flags."""

    def _pairs(self, run: Run, size: int) -> list[Pair]:
        alone, both = super()._pairs(run, size)
        if run.kind == "flags":
            return [alone, both]
        _, first, second, _ = self.build(size)
        return [alone, both._replace(given=np.where(second & ~first, _LESS_SURE, both.given))]


_LESS_SURE = 0.75  # of 1 for what is flagged; nothing else is above one half


def _long_and_short(size: int) -> Scene:
    long, short, count, gap = {
        1: (4, 1, 2, 4), 2: (8, 1, 3, 6), 3: (24, 2, 4, 12), 4: (600, 20, 9, 200),
    }[size]  # fmt: skip
    labels = np.concatenate([even_labels(1, long, gap), even_labels(count, short, gap)])
    only_long = labels & (np.arange(labels.size) < long + gap)
    return Scene(labels, labels & ~only_long, only_long)


def _early_and_late(size: int) -> Scene:
    if size == 100:
        return Scene(*mixed_widths())
    labels = even_labels(1, 3 * size, 8 * size)
    return Scene(labels, *edges(labels, size))


def _near_and_far(size: int) -> Scene:
    """Add a false alarm to perfect flags: just before an event, or far from any."""
    events, width, gap = (20, 50, 450) if size == 50 else (2, size, 9 * size)
    labels = even_labels(events, width, gap)
    start = event_bounds(labels)[0][1]
    near, far = labels.copy(), labels.copy()
    near[start - max(3 * size // 50, 1)] = True
    far[start - 4 * size] = True
    return Scene(labels, near, far)


def _in_one_and_scattered(size: int) -> Scene:
    """Add ten false points to perfect flags, in one run or far apart; fewer on small layouts."""
    if size == 10:
        labels = even_labels(20, 50, 450)
        one, apart = labels.copy(), labels.copy()
        one[500 - 5 : 500 + 5] = True
        apart[500:5500:500] = True
        return Scene(labels, one, apart)
    labels = even_labels(size, 2, 8)
    one, apart = labels.copy(), labels.copy()
    one[: size - 1] = True
    apart[10:-1:10] = True
    return Scene(labels, one, apart)


def _longer(size: int) -> Scene:
    """Append quiet time to a detection that hits two events of three and errs twice.

    The second error lies behind the last event, yet farther from the end than an island reaches.
    """
    width = 50 if size == 400 else max(size // 4, 1)
    labels = even_labels(3, width, 8 * width)
    flags = labels.copy()
    flags[: 9 * width] = False
    flags[[9 * width, -2 * width]] = True
    quiet = 50 * size
    return Scene(labels, flags, np.append(flags, np.zeros(quiet, bool)), quiet)


def _full_and_half(size: int) -> Scene:
    events, width, gap = (20, 50, 450) if size == 50 else (1, 2 * size, 4 * size)
    labels = even_labels(events, width, gap)
    return Scene(labels, labels, edges(labels, width // 2)[0])


def _exact_and_wide(size: int) -> Scene:
    """Flag every event exactly, or one point too wide at both ends."""
    events, width, gap = (20, 50, 450) if size == 50 else (1, size, 4 * size)
    labels = even_labels(events, width, gap)
    wide = labels | np.roll(labels, 1) | np.roll(labels, -1)
    return Scene(labels, wide, labels)


def _once_and_twice(size: int) -> Scene:
    """Flag every event, or every event and once more as much behind it."""
    events, width, gap = (20, 50, 450) if size == 50 else (2, size, 9 * size)
    labels = even_labels(events, width, gap)
    return Scene(labels, labels, labels | np.roll(labels, 2 * width))


L2 = PairAxiom(
    "L2", _long_and_short, (1, 2, 3, 4), ("nine short", "one long"), EXACT,
    "finding nine short events scores {first:.2f}, finding one long one {second:.2f}",
)  # fmt: skip
L4 = PairAxiom(
    "L4", _early_and_late, (1, 2, 5, 100), ("early", "late"), -EXACT,
    "the first points of each event score {difference} the last ones",
)  # fmt: skip
L5 = PairAxiom(
    "L5", _near_and_far, (4, 10, 50), ("near", "far"), -EXACT,
    "a false alarm just before an event scores {difference} one far away", digits=4,
)  # fmt: skip
L6 = PairAxiom(
    "L6", _in_one_and_scattered, (3, 5, 10), ("in one run", "scattered"), 0.05,
    "ten false points in one run score {difference} ten scattered ones; {lead:g} more is required",
)  # fmt: skip
L7 = PairAxiom(
    "L7", _longer, (1, 4, 400), ("as it was", "longer"), -EXACT,
    "20,000 quiet points more change the value by {change:+.2g}", even=True,
)  # fmt: skip
L8 = PairAxiom(
    "L8", _full_and_half, (1, 2, 5, 50), ("full", "half"), -EXACT,
    "events covered in full score {difference} events covered by half",
)  # fmt: skip
L12 = PairAxiom(
    "L12", _exact_and_wide, (5, 10, 50), ("one too wide", "exact"), -0.05,
    "flags one point too wide at both ends score {difference} exact ones; "
    "{lead:g} less is allowed",
)  # fmt: skip
L13 = LessSureAxiom(
    "L13", _once_and_twice, (2, 5, 50), ("once", "with copies"), EXACT,
    "with a less sure copy behind every alarm the value changes by {change:+.2g}",
)  # fmt: skip
L4_STRICT, L5_STRICT, L8_STRICT = (
    replace(axiom, name=f"{axiom.name}-strict", lead=EXACT) for axiom in (L4, L5, L8)
)
