"""Detectors to imitate: where a simulated detector sees something, before any score is drawn.

The latent detector is the paper's: it detects some events by a stretch of points each, and raises
some false detections elsewhere. The other kinds have one habit each:

========== =====================================================================================
random     as many detections, as wide, at places that have nothing to do with the events
lagging    true detections come `lag` points late
early      true detections come `lag` points early
flickering only every second point of each detection
one-hit    a single point of each detected event
all-alarm  every point
========== =====================================================================================

Where a target is set, detections are placed so that they outlast the moving average and stay
apart: true ones inside their events, false ones away from events and from each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.intervals import bincount, repeat
from adjudge.lab.simulation.scenario import Scenario, Whole, lasting_width, room, span

if TYPE_CHECKING:
    from adjudge._typing import Flags, Positions
    from adjudge.data.events import Events

FALSE = -1
"""The owner of a detection that belongs to no event."""

UNSMOOTHED = ("flickering", "one-hit", "all-alarm")
"""Kinds that the moving average would wipe out, or at the ends thin out."""


@dataclass(frozen=True)
class Detections:
    """Stretches of detected points: where each starts, how wide it is, which event it is for."""

    starts: Positions
    widths: Positions
    owners: Positions

    def only(self, which: Flags) -> Detections:
        """Those of them that are chosen."""
        return Detections(self.starts[which], self.widths[which], self.owners[which])

    def points(self, n: int, *, step: int = 1) -> tuple[Positions, Positions]:
        """List every `step`-th point of each detection on ``0 ... n - 1``, and whose it is."""
        counts = -(-self.widths // step)
        first = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) - repeat(first, counts)
        places = repeat(self.starts, counts) + step * places
        inside = (places >= 0) & (places < n)
        return places[inside], repeat(self.owners, counts)[inside]


def draw(rng: np.random.Generator, wholes: Whole, size: int | tuple[int, ...]) -> Positions:
    """Draw whole numbers uniformly from a range, both ends included."""
    low, high = span(wholes)
    return rng.integers(low, high, size, endpoint=True)


def detect(
    scenario: Scenario, events: Events, rng: np.random.Generator
) -> tuple[Flags, Positions, Positions]:
    """Draw which points are detected; also the points of true detections, and whose they are."""
    if scenario.places_marks:
        found = _placed(scenario, events, rng)
    else:
        count = _hits(scenario, events, rng)
        found = _joined(_true(scenario, events, count, rng), _false(scenario, events, rng))
    found = _imitated(scenario, found, events, rng)
    latent = np.full(events.n, scenario.detector == "all-alarm")
    places, owners = found.points(events.n, step=2 if scenario.detector == "flickering" else 1)
    latent[places] = True
    true = owners != FALSE
    return latent, places[true], owners[true]


def _hits(scenario: Scenario, events: Events, rng: np.random.Generator) -> int:
    """Draw how many events are detected."""
    count = len(events)
    if scenario.recall is not None:
        return max(round(scenario.recall * count), int(scenario.recall > 0))
    if scenario.precision == 0:
        return 0
    if scenario.hits is not None:
        return int(draw(rng, scenario.hits, 1)[0])
    # a precision or a coverage has no meaning where nothing is found
    least = int(scenario.precision is not None or scenario.coverage is not None)
    return int(rng.integers(least, max(count, least + 1)))


def _true(scenario: Scenario, events: Events, hits: int, rng: np.random.Generator) -> Detections:
    """Draw true detections several times at once, and keep the first that covers enough."""
    shape = scenario.tries, hits
    owners = rng.random((scenario.tries, len(events))).argsort(axis=1)[:, :hits]
    lengths = events.widths[owners]
    offsets = rng.integers(0, lengths)
    widths = draw(rng, scenario.hit_widths, shape)
    inside = np.minimum(lengths - offsets, widths)
    counts = inside >= scenario.guard
    worst = np.where(counts, inside / lengths, 1.0).min(axis=1, initial=1.0) * counts.any(axis=1)
    enough = worst >= scenario.least_coverage
    kept = int(np.argmax(enough if enough.any() else worst))
    starts = events.starts[owners[kept]] + offsets[kept]
    return Detections(starts, widths[kept], owners[kept]).only(counts[kept])


def _false(scenario: Scenario, events: Events, rng: np.random.Generator) -> Detections:
    count = int(draw(rng, scenario.false_alarms, 1)[0])
    starts = rng.choice(np.flatnonzero(events.normal), count)
    found = Detections(starts, draw(rng, scenario.false_widths, count), np.full(count, FALSE))
    ends = np.append(events.starts, events.n)[np.searchsorted(events.starts, starts)]
    return found.only(np.minimum(found.widths, ends - starts) >= scenario.guard)


def _joined(first: Detections, second: Detections) -> Detections:
    pairs = zip(_columns(first), _columns(second), strict=True)
    return Detections(*(np.concatenate(pair) for pair in pairs))


def _columns(found: Detections) -> tuple[Positions, Positions, Positions]:
    return found.starts, found.widths, found.owners


def _imitated(
    scenario: Scenario, found: Detections, events: Events, rng: np.random.Generator
) -> Detections:
    """The detections the habit of the kind."""
    true = found.owners != FALSE
    match scenario.detector:
        case "random":
            starts = rng.integers(0, events.n, found.starts.size)
            return Detections(starts, found.widths, np.full_like(found.owners, FALSE))
        case "lagging":
            return Detections(found.starts + scenario.lag * true, found.widths, found.owners)
        case "early":
            return Detections(found.starts - scenario.lag * true, found.widths, found.owners)
        case "one-hit":
            return Detections(found.starts, np.where(true, 1, found.widths), found.owners)
    return found


def _placed(scenario: Scenario, events: Events, rng: np.random.Generator) -> Detections:
    """Place detections for targets."""
    hits = _hits(scenario, events, rng)
    true = _contained(scenario, events, hits, rng)
    if scenario.precision is None:
        return _joined(true, _false(scenario, events, rng))
    if scenario.precision == 0:
        count = max(1, int(draw(rng, scenario.false_alarms, 1)[0]))
    else:
        count = _false_count(hits, scenario.precision)
    return _joined(true, _spaced(scenario, events, count, rng))


def _contained(
    scenario: Scenario, events: Events, hits: int, rng: np.random.Generator
) -> Detections:
    """Draw true detections that lie within their events and outlast the moving average."""
    owners = rng.permutation(len(events))[:hits]
    lengths = events.widths[owners]
    widths = draw(rng, scenario.hit_widths, hits)
    if scenario.coverage is not None:
        widths = np.rint(scenario.coverage * lengths).astype(np.int64)
    widths = np.clip(widths, lasting_width(scenario), lengths)
    starts = events.starts[owners] + rng.integers(0, lengths - widths, endpoint=True)
    return Detections(starts, widths, owners)


def _false_count(hits: int, precision: float) -> int:
    """The number of false detections that brings ``hits / (hits + false)`` nearest.

    >>> _false_count(6, 0.75), _false_count(1, 0.7), _false_count(1, 0.8)
    (2, 1, 0)
    """
    fewer = int(hits / precision) - hits
    near = [hits / (hits + false) if hits else 0.0 for false in (fewer, fewer + 1)]
    return fewer + int(abs(near[1] - precision) < abs(near[0] - precision))


def _spaced(scenario: Scenario, events: Events, count: int, rng: np.random.Generator) -> Detections:
    """Draw false detections that keep a moving average away from events and from each other.

    Each stretch of normal points offers as many slots as fit; slots are drawn without
    replacement, and what room is left in a stretch is spread over its detections at random.
    """
    apart = scenario.smoothing
    firsts = np.concatenate([[0], events.stops])
    stretches = np.concatenate([events.starts, [events.n]]) - firsts
    slots = repeat(np.arange(firsts.size), room(scenario, stretches))
    home = np.sort(rng.permutation(slots)[:count])
    widths = np.maximum(draw(rng, scenario.false_widths, home.size), lasting_width(scenario))
    taken = bincount(home, widths + apart, firsts.size).astype(np.int64)
    free = (stretches - apart - taken)[home]
    slack = np.floor(rng.random(home.size) * (free + 1)).astype(np.int64)
    slack = slack[np.lexsort((slack, home))]
    before = np.cumsum(widths + apart) - (widths + apart)
    opening = np.searchsorted(home, home)  # the first detection of the same stretch
    starts = firsts[home] + apart + before - before[opening] + slack
    return Detections(starts, widths, np.full(home.size, FALSE))
