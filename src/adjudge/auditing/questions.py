"""Hearing: what an experiment may ask of the metric under audit, and how much it may spend."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol
from zlib import crc32

import numpy as np

from adjudge.auditing.drawn_cases import DETECTORS, LEVELS, blind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adjudge._typing import Array, Flags, Floats
    from adjudge.auditing.drawn_cases import Setting

Kind = Literal["flags", "scores"]

BROKEN = {"raises", "hangs", "ends the process", "returns no number"}
"""Faults that leave no value, so that NaN stands in its place."""

_BLOCK = 10  # trials that are drawn together
_MOST = 130  # questions that are put at once
_BREATH = 0.05  # seconds after which the time is looked at
_MOMENT = 0.1  # seconds for an axiom when all the others have spent the time


class Pair(NamedTuple):
    """One question to a metric: labels, and a detection of them."""

    labels: Array
    given: Array
    """Flags as bools, or scores."""


class Fault(NamedTuple):
    """A bug of the metric itself, and the first pair that showed it."""

    sentence: str
    pair: Pair


class TimeUp(Exception):  # noqa: N818 - reads as what it is
    """The experiment has spent its time."""


@dataclass(frozen=True)
class Effort:
    """How much an audit spends.

    Attributes
    ----------
    trials : int
        Trials at the first look of a statistical row; each further look doubles them, the last
        quadruples them.
    pairs, fuzz : int
        Coupled detectors of C-2, and inputs of L9.
    cap, total : float
        Seconds that one axiom may take, and all of them together; when these are spent each of
        those that are left still has a moment.
    call : float
        Seconds that one call of a user's metric may take before it counts as hanging.
    """

    name: str
    trials: int
    pairs: int
    fuzz: int
    cap: float
    total: float
    call: float

    def looks(self) -> tuple[int, ...]:
        """Give the numbers of trials at which a row may decide."""
        return tuple(self.trials * times for times in (1, 2, 4, 8, 32))


EFFORTS = {
    "quick": Effort("quick", 40, 600, 400, 1.0, 4.0, 1.0),
    "normal": Effort("normal", 200, 3000, 3000, 3.0, 9.0, 2.0),
    "thorough": Effort("thorough", 400, 20_000, 40_000, 60.0, 600.0, 10.0),
}


class Witness(Protocol):
    """A metric that answers questions."""

    kind: Kind
    range: tuple[float, float]
    better: Literal["higher", "lower"]
    documented: bool
    """Whether it is written down where the metric is undefined, so that NaN is no fault."""
    faults: dict[str, Fault]
    """Bugs that were met, by name."""

    def answers(self, pairs: Sequence[Pair]) -> list[float]:
        """Give the value of each pair; NaN where there is none."""

    def clock(self) -> float:
        """Tell the time that counts against a cap."""

    def close(self) -> None:
        """Let go of what it holds."""


@dataclass(eq=False)
class Hearing:
    """A metric on the stand: values are turned so that higher is better and 1 is perfect."""

    witness: Witness
    effort: Effort
    seed: int
    asked: int = 0
    begun: float = math.nan
    deadline: float = math.inf
    _together: int = 1
    """How many questions are put at once: as many as take a breath."""
    _noise: dict[str, list[list[float]]] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """Whether the metric takes flags or scores."""
        return self.witness.kind

    @property
    def bounded(self) -> bool:
        """Whether the values have a scale."""
        return all(map(math.isfinite, self.witness.range))

    def open(self) -> None:
        """Give the next experiment its time."""
        now = self.witness.clock()
        self.asked = 0
        self.begun = now if math.isnan(self.begun) else self.begun
        left = self.begun + self.effort.total - now
        self.deadline = now + min(self.effort.cap, max(left, _MOMENT))

    @property
    def levels(self) -> tuple[float, ...]:
        """The thresholds of the noise: one column each; a metric of scores has one without."""
        return LEVELS if self.kind == "flags" else (math.nan,)

    def rng(self, name: str, number: int = 0) -> np.random.Generator:
        """Give the generator of one experiment: seeds repeat, whatever else is run."""
        return np.random.default_rng([self.seed, crc32(name.encode()), number])

    def raw(self, pairs: Sequence[Pair]) -> list[float]:
        """Ask for values as the metric gives them."""
        found: list[float] = []
        while len(found) < len(pairs):
            begun = self.witness.clock()
            if begun > self.deadline:
                raise TimeUp
            some = pairs[len(found) : len(found) + self._together]
            answers = self.witness.answers(some)
            self._check(some, answers)
            found += answers
            pace = (self.witness.clock() - begun) / len(some)
            self._together = max(1, min(_MOST, int(_BREATH / (pace + 1e-9))))
        self.asked += len(pairs)
        return found

    def _check(self, pairs: Sequence[Pair], answers: list[float]) -> None:
        """Note values that cannot be: outside the range, or undefined where there is something."""
        low, high = self.witness.range
        faults = self.witness.faults
        for pair, answer in zip(pairs, answers, strict=True):
            if low - 1e-9 <= answer <= high + 1e-9:
                continue
            if not math.isnan(answer):
                said = f"it returned {answer:g}, outside {low:g} to {high:g}"
                faults.setdefault("out of range", Fault(said, pair))
            elif not BROKEN & faults.keys() and self.must_be_defined(pair):
                said = "it returned nan where there are hits and quiet points"
                faults.setdefault("returns nan", Fault(said, pair))

    def must_be_defined(self, pair: Pair) -> bool:
        """Whether any metric should have a value: both classes, and something found and spared."""
        labels, given = pair.labels > 0, pair.given
        if self.witness.documented:
            return False
        if self.kind == "scores":
            return bool(labels.any() and not labels.all())
        return bool((labels & (given > 0)).any() and (~labels & ~(given > 0)).any())

    def values(self, pairs: Iterable[tuple[Array, Array]]) -> Floats:
        """Ask for values; higher is better, and where there is a scale, 1 is the best."""
        return self.turned(np.array(self.raw([Pair(*pair) for pair in pairs]), np.float64))

    def value(self, labels: Array, given: Array) -> float:
        """Ask for one value."""
        return float(self.values([(labels, given)])[0])

    def own(self, labels: Array, rows: Mapping[str, Array]) -> dict[str, float]:
        """Ask for the metric's own values of some detections, which a counterexample shows."""
        found = self.raw([Pair(labels, row) for row in rows.values()])
        return dict(zip(rows, found, strict=True))

    def turned(self, found: Floats) -> Floats:
        """Turn the metric's own values: higher is better; where there is a scale, 1 is the best."""
        low, high = self.witness.range
        if self.witness.better == "lower":
            found = (low + high - found) if self.bounded else -found
        if not self.bounded:
            return found
        return found / high if high > 0 else (found - low) / (high - low)

    @property
    def remark(self) -> str:
        """Say how quoted numbers differ from the metric's own values, if they do."""
        scaled = self.bounded and self.witness.range[1] != 1
        parts = ["turned so that higher is better"] * (self.witness.better == "lower")
        parts += ["scaled so that 1 is the best"] * scaled
        return f" ({', '.join(parts)})" if parts else ""

    def noise(self, setting: Setting, trials: int, columns: Sequence[int]) -> Floats:
        """Judge detectors that know nothing, on drawn labels.

        Column 0 is an alarm everywhere, then come uniform noise at each of the `levels` and the
        blind `DETECTORS`. Gives a row per trial; columns that were not asked for are NaN. The
        columns of a trial share their labels, and the levels their noise; all experiments share
        the trials. Where the time is up there are fewer of them.
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
        except TimeUp:
            pass
        there = min(trials, *(len(drawn[column]) for column in columns))
        table = np.full((there, width), np.nan)
        for column in columns:
            table[:, column] = drawn[column][:there]
        return table

    def _block(self, setting: Setting, first: int, columns: Sequence[int]) -> Floats:
        """Judge a few trials; their labels and noise depend on their number alone."""
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
            scores = blind(DETECTORS[column - len(self.levels) - 1], scores.size, rng)
        return scores > level if self.kind == "flags" else scores
