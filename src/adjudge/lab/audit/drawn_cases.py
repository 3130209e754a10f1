"""Trials: drawn labels, detectors that know nothing of them, and small random cases.

Everything random comes from a generator that is passed in, so a seed repeats an audit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.intervals import repeat

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats

LEVELS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999)
"""Thresholds at which uniform noise is judged."""
FLAT = 9
"""How many of them, from the lowest, lie in the range over which C-1a asks for a flat value."""

DETECTORS = ("autoregressive", "blocks", "comb", "bursts")


@dataclass(frozen=True)
class Setting:
    """How labels are drawn: so many events, of widths and gaps drawn even_labels from these.

    >>> Setting("two", 2, (3,), (2, 3)).labels(np.random.default_rng(0)).astype(int)
    array([0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0])
    """

    name: str
    events: int
    widths: tuple[int, ...]
    gaps: tuple[int, int]
    """Fewest points between events, and the first number that is too many."""

    def labels(self, rng: np.random.Generator) -> Flags:
        """Labels, drawn, that begin and end with normal time."""
        lengths = np.empty(2 * self.events + 1, np.int64)
        lengths[::2] = rng.integers(*self.gaps, self.events + 1)
        lengths[1::2] = rng.choice(self.widths, self.events)
        return repeat(np.arange(lengths.size) % 2 == 1, lengths)


_WIDTHS = (10, 25, 30, 60, 100)
MIXED = Setting("Q about 0.09", 10, _WIDTHS, (150, 700))
SHARES = (
    Setting("Q about 0.3", 10, _WIDTHS, (50, 160)),
    Setting("Q about 0.2", 10, _WIDTHS, (90, 240)),
    MIXED,
)
"""The range of shares of anomalous points that the lemma to C-1 covers: up to one third."""
ALONE = Setting("1 event", 1, _WIDTHS, (150, 700))
EQUAL = Setting("10 events of 100 points, Q about 0.2", 10, (100,), (300, 430))
SKEWED = Setting("30 events, a few of them long, Q about 0.2", 30, (5, 5, 5, 5, 40), (30, 70))
SHORT = Setting("8 events of 20 points", 8, (20,), (60, 140))


def even_labels(events: int, width: int, gap: int) -> Flags:
    """Lay events out at equal distances, with half a gap at both ends.

    >>> even_labels(2, 2, 4).astype(int)
    array([0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0])
    """
    one = repeat([False, True, False], [gap // 2, width, gap - gap // 2])
    return np.tile(one, events)


def event_bounds(labels: Flags) -> tuple[Array, Array]:
    """First point of each event, and the first point after it.

    >>> event_bounds(np.array([False, True, True, False, True]))
    (array([1, 4]), array([3, 5]))
    """
    steps = np.diff(labels.astype(np.int8), prepend=0, append=0)
    return np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)


def blind_scores(detector: str, n: int, rng: np.random.Generator) -> Floats:
    """Drawn scores of a detector that is stationary but not white, at a random circular shift.

    Flagged is what exceeds 0.95. ``autoregressive``: neighbouring scores resemble each other;
    ``blocks``: alarms last 30 points; ``comb``: an alarm every 40 points; ``bursts``: a few dozen
    points in which every third is an alarm.

    >>> scores = blind_scores("comb", 4000, np.random.default_rng(0))
    >>> int(np.sum(scores > 0.95))
    100
    """
    draw = {
        "autoregressive": _autoregressive, "blocks": _blocks, "comb": _comb, "bursts": _bursts,
    }[detector]  # fmt: skip
    return np.roll(draw(n, rng), int(rng.integers(n)))


def _autoregressive(n: int, rng: np.random.Generator) -> Floats:
    """Smooth white noise by a decaying window, and rank it to be uniform."""
    kernel = 0.9 ** np.arange(60)
    smooth = np.convolve(rng.standard_normal(n + kernel.size - 1), kernel, mode="valid")
    return (np.argsort(np.argsort(smooth)) + 0.5) / n


def _blocks(n: int, rng: np.random.Generator) -> Floats:
    return repeat(rng.random(n // 30 + 1), 30)[:n]


def _comb(n: int, rng: np.random.Generator) -> Floats:
    return np.where(np.arange(n) % 40 == 0, 0.95, 0.0) + 0.05 * rng.random(n)


def _bursts(n: int, rng: np.random.Generator) -> Floats:
    begun = (rng.random(n) < 1 / 400).astype(np.float64)
    burst = np.convolve(begun, np.ones(30))[:n] > 0
    return np.where(burst & (np.arange(n) % 3 == 0), 0.95, 0.0) + 0.05 * rng.random(n)


def small_case(rng: np.random.Generator, longest: int = 40) -> tuple[Flags, Flags]:
    """Small drawn case: labels in runs, and flags that know more or less of them.

    All, nothing, exactly the labels and single points are among them.

    >>> labels, flags = small_case(np.random.default_rng(1))
    >>> labels.size == flags.size <= 40
    True
    """
    n = int(rng.integers(1, longest + 1))
    runs = rng.integers(1, 8, n)
    labels = repeat(rng.random(n) < rng.choice([0.1, 0.4, 0.7]), runs)[:n]
    if rng.random() < 0.5:  # flags in runs too
        flags = repeat(rng.random(n) < rng.random(), rng.integers(1, 6, n))[:n]
    else:
        flags = rng.random(n) < rng.choice([0.02, 0.1, 0.3, 0.7])
    knows = rng.random()
    if knows < 0.4:
        flags = np.where(rng.random(n) < 0.7, labels, flags)
    elif knows < 0.5:
        flags = labels.copy()
    return labels, flags


def scattered_case(rng: np.random.Generator, n: int = 40) -> tuple[Flags, Flags]:
    """Drawn case of points that are anomalous or flagged, one in five each, on their own.

    Many lie equally far from two others: here a rule shows that prefers the earlier of two.

    >>> labels, flags = scattered_case(np.random.default_rng(1))
    >>> int(labels.sum()), int(flags.sum())
    (7, 7)
    """
    return rng.random(n) < 0.2, rng.random(n) < 0.2


def mixed_widths() -> tuple[Flags, Flags, Flags]:
    """Lay out events of several widths; flag their first two points, or their last two."""
    labels = np.concatenate([even_labels(1, width, 300) for width in (10, 25, 30, 60, 100)])
    return labels, *edges(labels, 2)


def edges(labels: Flags, points: int) -> tuple[Flags, Flags]:
    """Flag the first points of every event, and the last ones."""
    first, last = np.zeros((2, labels.size), bool)
    for start, stop in zip(*event_bounds(labels), strict=True):
        first[start : start + points] = True
        last[stop - points : stop] = True
    return first, last
