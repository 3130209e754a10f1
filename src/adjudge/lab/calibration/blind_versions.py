"""Blind versions: a detector's own scores, moved so that they know nothing of the events.

A version takes nothing but the place of each score: it is an order in which the judged points get
their scores. What it keeps of how the detector behaves, and what it breaks, differs by kind, so
that several kinds see more than one:

=============  ===================================================  ============================
kind           keeps                                                breaks
=============  ===================================================  ============================
shifted        all that the alarms are, together                    their place
reversed       how long they are, and how far apart                 their place, the order
blocks         what happens within a block                          their place, slow changes
nearby         in which part of the series they come: drift         their exact place
whole periods  the hour at which they come                          the day
other series   their place in the series, if all series are alike   to which series they belong
=============  ===================================================  ============================

A version that is moved by little is not blind: the alarms still lie on their events. So shifts are
by no less than the *reach*, the longest event and the longest alarm together (at most a quarter
of the series). Nor is one blind that moves events onto events: where these come at regular times, a
shift by one period finds them all again. So a version is drawn anew while it moves half of the
anomalous points, or more, onto anomalous ones (beyond as many as any order would).

Shifts to anywhere are also what a p-value is made of: among all of them at most one in twenty can
have p <= 0.05, whatever the data, also after reversing or shuffling. These kinds check the rest of
the verdict. Versions moved nearby, by whole periods, or given to other series are free to disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Flags, Positions

_BLOCKS = 20
_NEAR = 10  # nearby is a tenth of the series
_HALF, _TRIES = 0.5, 50
_PERIODS, _SERIES = 4, 4  # fewer leave too few ways to move by whole ones, or to change them


@dataclass(frozen=True)
class Places:
    """The judged points: where each series begins among them, and how far a score must move."""

    bounds: Positions
    """Where each series begins, closed by the number of points."""
    reach: int
    labels: Flags
    """Which of the points are anomalous."""
    period: int = 0
    """After how many points it is the same hour again; 0: not known."""

    def is_blind(self, order: Positions) -> bool:
        """Whether an order moves less than half of the anomalous points onto anomalous ones."""
        share = self.labels.mean()
        onto = self.labels[order[self.labels]].mean()
        return bool(onto - share < _HALF * (1 - share))

    @property
    def sizes(self) -> Positions:
        """How many points each series has."""
        return np.diff(self.bounds)

    def home(self, size: int) -> int:
        """How far a score moves at least, in a series of a size."""
        return min(self.reach, size // 4)


class BlindKind(NamedTuple):
    """A way to make a detector blind."""

    order: Callable[[Places, np.random.Generator], Positions]
    """For each point, the point whose score it gets."""
    words: str
    """What such a version is."""
    suspect: str
    """What it says if too many of them are called better."""
    fits: Callable[[Places], bool] = lambda _: True
    """Whether there are such versions of the points."""


def _each(places: Places, order: Callable[[int, int], Positions]) -> Positions:
    """Do the same in each series, of which it is given the size and how far to move at least."""
    sizes: Sequence[int] = places.sizes.tolist()
    starts: Sequence[int] = places.bounds.tolist()
    parts = [
        start + order(size, places.home(size)) for start, size in zip(starts, sizes, strict=False)
    ]
    return np.concatenate(parts)


def shifted(places: Places, rng: np.random.Generator) -> Positions:
    """Turn each series as a circle, to anywhere that is not near home.

    >>> shifted(Places(np.array([0, 8]), 2, np.arange(8) < 1), np.random.default_rng(1))
    array([4, 5, 6, 7, 0, 1, 2, 3])
    """

    def order(size: int, home: int) -> Positions:
        return (np.arange(size) - rng.integers(home, size - home + 1)) % size

    return _each(places, order)


def turned_round(places: Places, rng: np.random.Generator) -> Positions:
    """Read each series backwards, from anywhere on."""
    return _each(places, lambda size, _: (rng.integers(size) - np.arange(size)) % size)


def in_blocks(places: Places, rng: np.random.Generator) -> Positions:
    """Cut each series into up to twenty blocks, in another order, and turn it to anywhere.

    >>> in_blocks(Places(np.array([0, 8]), 1, np.arange(8) < 1), np.random.default_rng(0))
    array([3, 4, 5, 6, 7, 0, 1, 2])
    """

    def order(size: int, home: int) -> Positions:
        count = min(max(size // (2 * home + 1), 1), _BLOCKS)
        blocks = np.array_split(np.arange(size), count)
        found = np.concatenate([blocks[k] for k in rng.permutation(count)])
        return np.roll(found, rng.integers(size))

    return _each(places, order)


def nearby(places: Places, rng: np.random.Generator) -> Positions:
    """Turn each series by little, either way: as much as it takes, and up to a tenth."""

    def order(size: int, home: int) -> Positions:
        by = rng.integers(home, max(2 * home, size // _NEAR) + 1)
        found: Positions = (np.arange(size) - rng.choice([-1, 1]) * by) % size
        return found

    return _each(places, order)


def by_periods(places: Places, rng: np.random.Generator) -> Positions:
    """Turn the whole periods of each series; what is left at its end is as a period before.

    >>> by_periods(Places(np.array([0, 10]), 1, np.arange(10) < 1, 3), np.random.default_rng(0))
    array([3, 4, 5, 6, 7, 8, 0, 1, 2, 0])
    """

    def order(size: int, _: int) -> Positions:
        period, count = places.period, size // places.period
        if count < 2:
            return np.arange(size)
        whole = np.roll(np.arange(count * period), period * rng.integers(1, count))
        return np.concatenate([whole, whole[whole.size - period :][: size - whole.size]])

    return _each(places, order)


def _has_periods(places: Places) -> bool:
    return bool(places.period and places.sizes.max() >= _PERIODS * places.period)


def _has_series(places: Places) -> bool:
    return places.sizes.size >= _SERIES


def other_series(places: Places, rng: np.random.Generator) -> Positions:
    """Give each series the scores of another, from its beginning, and again where it is shorter."""
    sizes, starts = places.sizes, places.bounds[:-1]
    cycle = _cycle(sizes.size, rng)
    return np.concatenate(
        [starts[k] + np.arange(size) % sizes[k] for k, size in zip(cycle, sizes, strict=True)]
    )


def _cycle(count: int, rng: np.random.Generator) -> Positions:
    """An order in which nothing keeps its place."""
    order = rng.permutation(count)
    found = np.empty(count, np.int64)
    found[order] = np.roll(order, 1)
    return found


KINDS = {
    "shifted": BlindKind(
        shifted,
        "moved elsewhere in time, all together",
        "the draws or the second null model are off",
    ),
    "reversed": BlindKind(
        turned_round,
        "read backwards, from any place on",
        "the order of time within alarms matters to the metric",
    ),
    "blocks": BlindKind(
        in_blocks,
        "cut into blocks, in another order, and moved",
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


def blind_order(kind: str, places: Places, rng: np.random.Generator) -> Positions | None:
    """An order of a kind that is blind; None if there is none among fifty."""
    for _ in range(_TRIES):
        order = KINDS[kind].order(places, rng)
        if places.is_blind(order):
            return order
    return None


def kinds_for(places: Places, rng: np.random.Generator) -> list[str]:
    """The kinds of which there are blind versions.

    >>> kinds_for(Places(np.array([0, 90]), 6, np.arange(90) < 3), np.random.default_rng(0))
    ['shifted', 'reversed', 'blocks', 'nearby']
    """
    return [
        name
        for name, kind in KINDS.items()
        if kind.fits(places) and blind_order(name, places, rng) is not None
    ]
