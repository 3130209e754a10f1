"""Run: one audit of one metric, as the experiments see it: values, noise, intervals and time."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from adjudge.lab.audit.confidence import Confidence, Effort, OutOfTime
from adjudge.lab.audit.counterexample import Counterexample
from adjudge.lab.audit.drawn_cases import DETECTORS, LEVELS, Setting, blind_scores
from adjudge.lab.audit.subject_calls import WITHOUT_VALUE, Kind, Pair, Problem, Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adjudge._typing import Array, Flags, Floats

_BLOCK = 10  # trials that are drawn together
_MOST = 130  # inputs that are handed over at once
_BREATH = 0.05  # seconds after which the time is looked at
_GOLDEN = (5**0.5 - 1) / 2  # its multiples modulo 1 are all different
_MOMENT = 0.1  # seconds for an axiom when all the others have spent the time


@dataclass(eq=False)
class Run:
    """An audit of one metric; values are turned so that higher is better and 1 is perfect.

    Attributes
    ----------
    subject : Subject
        The metric.
    effort : Effort
        How much may be spent.
    seed : int
        Of everything that is drawn.
    confidence : Confidence
        Makes the intervals.
    calls : int
        Values that the current experiment has taken.
    """

    subject: Subject
    effort: Effort
    seed: int
    confidence: Confidence
    calls: int = 0
    begun: float = math.nan
    deadline: float = math.inf
    _together: int = 1
    """How many inputs are handed over at once: as many as take `_BREATH` seconds."""
    _noise: dict[str, list[list[float]]] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """Whether the metric takes flags or scores."""
        return self.subject.kind

    @property
    def bounded(self) -> bool:
        """Whether the values have a scale."""
        return all(map(math.isfinite, self.subject.range))

    def start_axiom(self) -> None:
        """Begin the time of the next experiment."""
        now = self.subject.clock()
        self.calls = 0
        self.begun = now if math.isnan(self.begun) else self.begun
        left = self.begun + self.effort.total - now
        self.deadline = now + min(self.effort.cap, max(left, _MOMENT))

    @property
    def levels(self) -> tuple[float, ...]:
        """The thresholds of the noise: one column each; a metric of scores has one without."""
        return LEVELS if self.kind == "flags" else (math.nan,)

    def detection(self, labels: Flags, flags: Flags, quiet: int = 0) -> Array:
        """Input of the metric: flags, or scores of which the flagged are the highest.

        Flagged points share one score, so that a false alarm ranks with the hits. All others
        differ, as the scores of a real detector do: a metric of scores that is given bare flags is
        judged on its treatment of ties instead. Misses and quiet points each take their scores
        from a sequence of their own, in order, so that moving one in time changes no score. The
        last ``quiet`` points lie below all others.
        """
        if self.kind == "flags":
            return flags
        scores = flags.astype(np.float64)
        for place, label in enumerate((labels, ~labels)):
            here = label & ~flags
            scores[here] = 0.5 * ((np.arange(here.sum()) + place / 2) * _GOLDEN % 1)
        scores[flags.size - quiet :] -= 1
        return scores

    def rng(self, name: str, number: int = 0) -> np.random.Generator:
        """Random numbers of one experiment, which does not depend on what else is run."""
        return np.random.default_rng([self.seed, crc32(name.encode()), number])

    def own_values(self, pairs: Sequence[Pair]) -> list[float]:
        """Values as the metric gives them."""
        found: list[float] = []
        while len(found) < len(pairs):
            begun = self.subject.clock()
            if begun > self.deadline:
                raise OutOfTime
            some = pairs[len(found) : len(found) + self._together]
            values = self.subject.call(some)
            self._check(some, values)
            found += values
            pace = (self.subject.clock() - begun) / len(some)
            self._together = max(1, min(_MOST, int(_BREATH / (pace + 1e-9))))
        self.calls += len(pairs)
        return found

    def _check(self, pairs: Sequence[Pair], values: list[float]) -> None:
        """Note values that cannot be: outside the range, or undefined where there is something."""
        low, high = self.subject.range
        problems = self.subject.problems
        for pair, value in zip(pairs, values, strict=True):
            if low - 1e-9 <= value <= high + 1e-9:
                continue
            if not math.isnan(value):
                sentence = f"it returned {value:g}, outside {low:g} to {high:g}"
                problems.setdefault("out of range", Problem(sentence, pair))
            elif not WITHOUT_VALUE & problems.keys() and self.must_be_defined(pair):
                sentence = "it returned nan where there are hits and quiet points"
                problems.setdefault("returns nan", Problem(sentence, pair))

    def must_be_defined(self, pair: Pair) -> bool:
        """Whether any metric should have a value: both classes, and something found and spared."""
        labels, given = pair.labels > 0, pair.given
        if self.subject.documented:
            return False
        if self.kind == "scores":
            return bool(labels.any() and not labels.all())
        return bool((labels & (given > 0)).any() and (~labels & ~(given > 0)).any())

    def values(self, pairs: Iterable[tuple[Array, Array]]) -> Floats:
        """Values turned so that higher is better; where there is a scale, 1 is the best."""
        return self.rescale(np.array(self.own_values([Pair(*pair) for pair in pairs]), np.float64))

    def value(self, labels: Array, given: Array) -> float:
        """Value of one detection, turned as `values` are."""
        return float(self.values([(labels, given)])[0])

    def example(self, labels: Flags, rows: Mapping[str, Array], note: str = "") -> Counterexample:
        """Some detections as a counterexample shows them, with the metric's own values."""
        found = self.own_values([Pair(labels, row) for row in rows.values()])
        return Counterexample(labels, rows, dict(zip(rows, found, strict=True)), note)

    def rescale(self, found: Floats) -> Floats:
        """Values turned so that higher is better; where there is a scale, 1 is the best."""
        low, high = self.subject.range
        if self.subject.better == "lower":
            found = (low + high - found) if self.bounded else -found
        if not self.bounded:
            return found
        return found / high if high > 0 else (found - low) / (high - low)

    @property
    def rescale_note(self) -> str:
        """How quoted numbers differ from the metric's own values, if they do."""
        scaled = self.bounded and self.subject.range[1] != 1
        parts = ["turned so that higher is better"] * (self.subject.better == "lower")
        parts += ["scaled so that 1 is the best"] * scaled
        return f" ({', '.join(parts)})" if parts else ""

    def noise(self, setting: Setting, trials: int, columns: Sequence[int]) -> Floats:
        """Values of detectors that do not see the labels: a row per trial, on drawn labels.

        Column 0 is an alarm everywhere, then come uniform noise at each of the `levels` and the
        blind `DETECTORS`; columns that were not requested are NaN. The columns of a trial share
        their labels, and the levels their noise; all experiments share the trials. There are fewer
        of them where the time has run out.
        """
        width = 1 + len(self.levels) + len(DETECTORS)
        drawn = self._noise.setdefault(setting.name, [[] for _ in range(width)])
        try:
            for first in range(0, trials, _BLOCK):
                missing = [column for column in columns if len(drawn[column]) <= first]
                if missing:
                    found = self._block(setting, first, missing)
                    for column, values in zip(missing, found.T, strict=True):
                        drawn[column].extend(values.tolist())
        except OutOfTime:
            pass
        there = min(trials, *(len(drawn[column]) for column in columns))
        table = np.full((there, width), np.nan)
        for column in columns:
            table[:, column] = drawn[column][:there]
        return table

    def _block(self, setting: Setting, first: int, columns: Sequence[int]) -> Floats:
        """Values of a few trials, whose labels and noise depend on their number alone."""
        rng = self.rng(setting.name, first)
        own = {column: self.rng(f"{setting.name} {column}", first) for column in columns}
        pairs: list[tuple[Flags, Array]] = []
        for _ in range(_BLOCK):
            labels = setting.labels(rng)
            scores = rng.random(labels.size)
            pairs += [(labels, self._blind(column, scores, own[column])) for column in columns]
        return self.values(pairs).reshape(_BLOCK, -1)

    def _blind(self, column: int, scores: Floats, rng: np.random.Generator) -> Array:
        if column == 0:
            return np.ones(scores.size, bool)
        level = 0.95
        if column <= len(self.levels):
            level = self.levels[column - 1]
        else:
            scores = blind_scores(DETECTORS[column - len(self.levels) - 1], scores.size, rng)
        return scores > level if self.kind == "flags" else scores
