"""Blind versions: a detector's own alarms, turned so that they know nothing of the events.

A version is one move of all alarms or more, each of which `turned` carries out, at points as in
time. What it keeps of how the detector behaves, and what it breaks, differs by kind, so that
several kinds see more than one:

================  ================================================  ============================
kind              keeps                                             breaks
================  ================================================  ============================
shifted           all that the alarms of a series are, together     their place
shifted together  what alarms of several series have in common      their place
blocks            what happens within a block                       their place, slow changes
nearby            in which part of the series they come: drift      their exact place
whole periods     the hour at which they come                       the day
other series      their place in the series, if all are alike       to which series they belong
================  ================================================  ============================

A version that is moved by little is not blind: the alarms still lie on their events. So shifts are
by no less than the *reach*, the longest event and the longest alarm together (at most a quarter
of the series). Nor is one blind that moves events onto events: where these come at regular times, a
shift by one period finds them all again. So a version is drawn anew while it moves half of the
events' time, or more, onto events (beyond as much as any move would).

Shifts to anywhere are also what a p-value is made of: among all of them at most one in twenty can
have p <= 0.05, whatever the data. These kinds check the rest of the verdict. Versions moved nearby,
by whole periods, or given to other series are free to disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BLOCKS = 20
_NEAR = 10  # nearby is a tenth of the series
_HALF, _TRIES = 0.5, 50
_PERIODS, _SERIES = 4, 4  # fewer leave too few ways to move by whole ones, or to change them


class Shift(NamedTuple):
    """How far alarms turn: the lines, or the blocks between edges."""

    offsets: Any
    edges: Any = None


@dataclass(frozen=True)
class BlindPlaces:
    """Where alarms may be moved to, and how far they must be."""

    perfect: Any
    """A case whose alarms are the events themselves."""
    reach: int
    """The longest event and the longest alarm together."""
    period: int = 0
    """After how long it is the same hour again; 0: not known."""

    def is_blind(self, moves: Sequence[Shift]) -> bool:
        """Whether less than half of the events' time is moved onto events."""
        share = self.perfect.truth_share
        return bool(moved(self.perfect, moves).truth_covered - share < _HALF * (1 - share))

    @property
    def lines(self) -> list[tuple[int, int]]:
        """How long each line is, and how far alarms move at least on it."""
        return [(size, min(self.reach, size // 4)) for size in self.perfect.lengths.tolist()]


def moved(case: Any, moves: Sequence[Shift]) -> Any:
    """The case after some moves."""
    for offsets, edges in moves:
        case = case.turned(offsets, edges)
    return case


class BlindKind(NamedTuple):
    """A way to make a detector blind."""

    moves: Callable[[BlindPlaces, np.random.Generator], Sequence[Shift]]
    words: str
    """What such a version is."""
    suspect: str
    """What it says if too many of them are called better."""
    fits: Callable[[BlindPlaces], bool] = lambda _: True
    """Whether there are such versions."""


def shifted(places: BlindPlaces, rng: np.random.Generator) -> list[Shift]:
    """Turn each line to anywhere that is not near home."""
    return [Shift(np.array([rng.integers(home, size - home + 1) for size, home in places.lines]))]


def shifted_together(places: BlindPlaces, rng: np.random.Generator) -> list[Shift]:
    """Turn all lines by one offset, by which the shortest does not come home again."""
    size, home = min(places.lines)
    return [Shift(np.full(len(places.lines), rng.integers(home, size - home + 1)))]


def _has_lines(places: BlindPlaces) -> bool:
    return len(places.perfect.lengths) > 1


def in_blocks(places: BlindPlaces, rng: np.random.Generator) -> list[Shift]:
    """Cut each line into up to twenty blocks, turn each by itself, then the line to anywhere."""
    offsets, cuts, by = [], [], []
    for size, home in places.lines:
        count = min(max(size // (2 * home + 1), 1), _BLOCKS)
        edges = np.arange(count + 1, dtype=np.int64) * size // count
        offsets.append(rng.integers(np.maximum(np.diff(edges), 1)))
        cuts.append(edges[1:-1])
        by.append(rng.integers(max(size, 1)))
    return [Shift(np.concatenate(offsets), places.perfect.blocks(cuts)), Shift(np.array(by))]


def nearby(places: BlindPlaces, rng: np.random.Generator) -> list[Shift]:
    """Turn each line by little, either way: as much as it takes, and up to a tenth."""
    by = [rng.choice([-1, 1]) * rng.integers(home, max(2 * home, size // _NEAR) + 1)
          for size, home in places.lines]  # fmt: skip
    return [Shift(np.array(by))]


def by_periods(places: BlindPlaces, rng: np.random.Generator) -> list[Shift]:
    """Turn the whole periods of each line; what is left at its end stays."""
    offsets, cuts, period = [], [], places.period
    for size, _ in places.lines:
        count = size // period
        offsets += [period * int(rng.integers(1, count)) if count > 1 else 0]
        left = 0 < count * period < size
        offsets += [0] * left
        cuts.append(np.array([count * period] * left, np.int64))
    return [Shift(np.array(offsets), places.perfect.blocks(cuts))]


def _has_periods(places: BlindPlaces) -> bool:
    return bool(places.period and places.perfect.lengths.max() >= _PERIODS * places.period)


def other_series(places: BlindPlaces, rng: np.random.Generator) -> list[Shift]:
    """Turn all series as one circle, so that the scores of the first begin with another series."""
    starts = places.perfect.lengths.cumsum()
    return [Shift(starts[rng.integers(len(starts) - 1)], places.perfect.around)]


def _has_series(places: BlindPlaces) -> bool:
    return places.perfect.around is not None and len(places.perfect.lengths) >= _SERIES


KINDS = {
    "shifted": BlindKind(
        shifted,
        "moved elsewhere in time, all together",
        "the draws or the second null model are off",
    ),
    "shifted together": BlindKind(
        shifted_together,
        "moved elsewhere in time, all series by one offset",
        'series live through the same time: say clock="shared" (--clock shared)',
        _has_lines,
    ),
    "blocks": BlindKind(
        in_blocks,
        "cut into blocks, each turned by itself, and moved",
        "alarms come in stretches that a shift keeps together",
    ),
    "nearby": BlindKind(
        nearby,
        "moved by little, up to a tenth of the series",
        "alarms and events come in the same parts of the series, or share a rhythm",
    ),
    "whole periods": BlindKind(
        by_periods,
        "moved to the same hour of other days",
        "alarms and events share a rhythm",
        _has_periods,
    ),
    "other series": BlindKind(
        other_series,
        "given to another series",
        "alarms and events come at the same places in all series",
        _has_series,
    ),
}


def blind_moves(kind: str, places: BlindPlaces, rng: np.random.Generator) -> Sequence[Shift] | None:
    """Moves of a kind that make blind; None if there are none among fifty."""
    for _ in range(_TRIES):
        moves = KINDS[kind].moves(places, rng)
        if places.is_blind(moves):
            return moves
    return None


def kinds_for(places: BlindPlaces, rng: np.random.Generator) -> list[str]:
    """The kinds of which there are blind versions."""
    return [
        name
        for name, kind in KINDS.items()
        if kind.fits(places) and blind_moves(name, places, rng) is not None
    ]
