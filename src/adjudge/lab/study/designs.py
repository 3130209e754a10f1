"""Designs: which scenario each experiment of a study is.

A design gives the scenario of one experiment, and the generator to simulate it with, from the seed
of the study and the experiment's number alone. So every row can be made again by itself, in any
order and in any process.

Conventions
-----------
- Regular points are scored from ``(0, 0.25 + d)`` and detected ones from ``(0.75 - d, 1)``; ``d``,
  called the overlap, is a multiple of a power of two, so that adding it rounds nothing.
- An experiment's generator is the study's seed sequence with the experiment's number as spawn
  key. (A list ``[seed, number]`` will not do: NumPy pads entropy with zeros, so that the number 7
  of seed 5 would be the number 0 of the seed 5 + 7 * 2**32.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.lab.simulation.scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PRECISIONS = 0.1, 1.0
RECALLS = 0.0, 1.0
COVERAGES = 0.13, 0.97
SEPARATIONS = 0.1, 0.52
"""What the controlled design draws from, uniformly."""

_SMOOTHING = 9  # a detection outlasts it from 9 points on, 13 % of an event; from 15, 21 %
_STEPS = 2**20
_TRIES = 6


class StudyPlan(NamedTuple):
    """What to simulate, and with what."""

    scenario: Scenario
    rng: np.random.Generator


def authors(seed: int, index: int, guard: int = 1) -> StudyPlan:
    """Draw an experiment as the paper's authors did.

    Their run moved two settings along with the number of the experiment: the overlap in steps of
    0.0127 modulo 0.5, and the false detections from 0 to 19. Here both are drawn from the same
    values, so that no experiment depends on how many there are. With ``guard=2`` a detection
    counts when two of its points lie inside its event or gap, as in the table they published.

    >>> authors(0, 3).scenario.hits == authors(0, 3).scenario.hits
    True
    """
    rng = generator(seed, index)
    events = int(rng.integers(10, 24))
    hits = int(rng.integers(0, events))
    false_alarms = int(rng.integers(0, 20))
    overlap = int(rng.integers(_STEPS)) / (2 * _STEPS)
    scenario = overlapping(
        overlap, events=events, hits=hits, false_alarms=false_alarms, guard=guard
    )
    return StudyPlan(scenario, rng)


def controlled(seed: int, index: int, guard: int = 1) -> StudyPlan:  # noqa: ARG001 - all lie inside
    """Draw an experiment whose precision, recall, coverage and separation are controlled.

    Each is drawn uniformly, and all four are targets of the simulator: false detections outlast
    the moving average, which is shorter than the authors', and keep apart, so that as many come out
    as are asked for. Few events found keep the separation low and many keep it high, so recall and
    coverage are drawn again, a few times, where it is out of reach; then the nearest is taken.

    >>> from adjudge.lab.simulation.simulator import simulate
    >>> plan = controlled(0, 42)
    >>> case = simulate(*plan)
    >>> false_alarms_of(plan.scenario) == case.achieved["false_runs"]
    True
    """
    rng = generator(seed, index)
    events = int(rng.integers(10, 24))
    target = rng.uniform(*SEPARATIONS)
    for _ in range(_TRIES):
        recall, coverage = rng.uniform(*RECALLS), rng.uniform(*COVERAGES)
        if _within_reach(target, recall, coverage):
            break
    hits = max(1, round(recall * events))
    false_alarms = round(hits / rng.uniform(*PRECISIONS)) - hits
    scenario = Scenario(
        events=events,
        hits=hits,
        precision=hits / (hits + false_alarms),
        coverage=coverage,
        separation=target,
        smoothing=_SMOOTHING,
    )
    return StudyPlan(scenario, rng)


DESIGNS: Mapping[str, Callable[[int, int, int], StudyPlan]] = {
    "authors": authors,
    "controlled": controlled,
}


def generator(seed: int, index: int) -> np.random.Generator:
    """The generator of one experiment."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))


def overlapping(overlap: float, **fields: float) -> Scenario:
    """A scenario whose two score ranges overlap so much (from 0.25 on they really do)."""
    return Scenario(regular=(0.0, 0.25 + overlap), detected=(0.75 - overlap, 1.0), **fields)  # type: ignore[arg-type]


def false_alarms_of(scenario: Scenario) -> int:
    """How many false detections a scenario asks for, by their number or by its precision.

    >>> false_alarms_of(Scenario(false_alarms=3)), false_alarms_of(Scenario(hits=6, precision=0.75))
    (3, 2)
    """
    if scenario.precision is None:
        return int(scenario.false_alarms[0])  # type: ignore[index]
    hits = scenario.hits[0]  # type: ignore[index]
    return round(hits / scenario.precision) - hits


def overlap_of(scenario: Scenario) -> float:
    """Read the overlap off a scenario; NaN where its separation is a target instead.

    >>> overlap_of(overlapping(0.125))
    0.125
    """
    if scenario.separation is not None:
        return float("nan")
    _, high = scenario.regular  # type: ignore[misc]
    return float(high - 0.25)


def _within_reach(separation: float, recall: float, coverage: float) -> bool:
    """Whether some overlap of the score ranges has about this separation; fitted to simulations."""
    least = 0.05 + (0.08 + 0.45 * coverage) * recall
    most = (0.4 + 0.15 * coverage) * recall ** (0.45 - 0.28 * coverage)
    return bool(least <= separation <= most)
