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
from adjudge.lab.simulation.simulator import simulate
from adjudge.measure.whole.separation import separation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CELLS = 10
"""Cells of the grid on each side."""
COVERAGES = 0.2, 0.9
SEPARATIONS = 0.1, 0.4
"""Sides of the grid: what the simulator can reach in every combination."""

_STEPS = 2**20
_MOST_OVERLAP = 11 / 32
"""Beyond it noise flickers around the threshold, and coverage is no longer what was asked for."""
_HALVINGS = 6


class Plan(NamedTuple):
    """What to simulate, and with what."""

    scenario: Scenario
    rng: np.random.Generator


def authors(seed: int, index: int, guard: int = 1) -> Plan:
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
    return Plan(scenario, rng)


def grid(seed: int, index: int, guard: int = 1) -> Plan:  # noqa: ARG001 - all lie inside
    """Draw an experiment from a grid over coverage and separation.

    The number of the experiment names the cell, so every hundred experiments fill each of the 10 by
    10 cells once; within the cell both are drawn uniformly. Coverage is a target of the
    simulator. For the separation, a number of hits is drawn that can reach it, and the
    overlap is searched on this very experiment.

    >>> 0.48 < grid(0, 42).scenario.coverage < 0.55  # the fifth of ten rows from 0.2 to 0.9
    True
    """
    rng = generator(seed, index)
    row, column = divmod(index % CELLS**2, CELLS)
    coverage = _within(COVERAGES, row, rng)
    target = _within(SEPARATIONS, column, rng)
    events = int(rng.integers(10, 24))
    recall = rng.uniform(*_recalls(coverage, target))
    hits = min(max(1, round(recall * events)), events)
    false_alarms = int(rng.integers(0, 20))
    start = rng.bit_generator.state

    def scenario(overlap: float) -> Scenario:
        return overlapping(
            overlap, events=events, hits=hits, false_alarms=false_alarms, coverage=coverage
        )

    low, high = 0.0, _MOST_OVERLAP
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        rng.bit_generator.state = start  # the same draws, whatever the overlap
        case = simulate(scenario(middle), rng)
        too_far = separation(case.scores, case.events) > target
        low, high = (middle, high) if too_far else (low, middle)
    rng.bit_generator.state = start
    return Plan(scenario((low + high) / 2), rng)


DESIGNS: Mapping[str, Callable[[int, int, int], Plan]] = {"authors": authors, "grid": grid}


def generator(seed: int, index: int) -> np.random.Generator:
    """The generator of one experiment."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))


def overlapping(overlap: float, **fields: float) -> Scenario:
    """A scenario whose two score ranges overlap so much (from 0.25 on they really do)."""
    return Scenario(regular=(0.0, 0.25 + overlap), detected=(0.75 - overlap, 1.0), **fields)  # type: ignore[arg-type]


def overlap_of(scenario: Scenario) -> float:
    """Read the overlap off a scenario.

    >>> overlap_of(overlapping(0.125))
    0.125
    """
    _, high = scenario.regular  # type: ignore[misc]
    return float(high - 0.25)


def _within(side: tuple[float, float], cell: int, rng: np.random.Generator) -> float:
    low, high = side
    return float(low + (high - low) * (cell + rng.random()) / CELLS)


def _recalls(coverage: float, target: float) -> tuple[float, float]:
    """The shares of events to hit that can reach a separation; fitted to simulations.

    With few hits the anomalous scores are mostly regular ones, and separation stays low however
    far apart the ranges; with many it stays high however much they overlap. The lowest and
    the highest separation that a recall r reaches are about ``0.05 + (0.08 + 0.45 c) r`` and
    ``(0.4 + 0.15 c) r ** (0.45 - 0.28 c)`` at coverage c.
    """
    least = (target / (0.4 + 0.15 * coverage)) ** (1 / (0.45 - 0.28 * coverage))
    most = (target - 0.05) / (0.08 + 0.45 * coverage)
    return least, max(least, min(most, 1.0))
