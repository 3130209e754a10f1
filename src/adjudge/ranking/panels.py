"""Panels: what the series of a ranking add to the episodes of the clocks that they share.

With each row of a series stands when its events were, and by how much the value moves with the
weight of each: a few numbers per event. From these follow intervals of means, and of differences of
means, that count series and episodes. Where they are not known, a clock is one unit.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.intervals import bincount, repeat
from adjudge.noise.intervals.episodes import EventClusters
from adjudge.noise.intervals.means import Panel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Array, Floats, Positions

MOVES = "moves"
"""What a row keeps them under."""


class SeriesEvents(NamedTuple):
    """The events of a series on its clock, and how values move with them."""

    begin: Positions
    last: Positions
    moved: Floats
    """A row per event, a column per detector."""

    def packed(self) -> str:
        """Write them as text, which is never empty.

        >>> SeriesEvents.of_text(SeriesEvents(*np.array([[1, 7], [3, 8], [0.5, -0.5]])).packed())
        SeriesEvents(begin=array([1, 7]), last=array([3, 8]), moved=array([ 0.5, -0.5]))
        """
        return ":" + b64encode(np.stack(self).astype("<f8").tobytes()).decode()

    @classmethod
    def of_text(cls, text: str) -> SeriesEvents:
        """Read them back."""
        begin, last, moved = np.frombuffer(b64decode(text[1:]), "<f8").reshape(3, -1)
        return cls(begin.astype(np.int64), last.astype(np.int64), moved)


def panel(each: Sequence[SeriesEvents], clocks: Positions) -> Panel:
    """Sum up what each series adds to each episode.

    Parameters
    ----------
    each : sequence of SeriesEvents
        Of each series.
    clocks : array of int
        The number of the clock of each.

    Examples
    --------
    Two series on one clock, of which the second saw the first of two episodes alone:

    >>> first = SeriesEvents(np.array([1, 7]), np.array([3, 8]), np.array([[0.2], [-0.2]]))
    >>> second = SeriesEvents(np.array([2]), np.array([4]), np.array([[0.0]]))
    >>> found = panel([first, second], np.array([0, 0]))
    >>> found.series, found.episode, found.share, found.moved.ravel()
    (array([0, 0, 1]), array([0, 1, 0]), array([0.5, 0.5, 1. ]), array([ 0.2, -0.2,  0. ]))
    """
    counts = np.array([len(one.begin) for one in each])
    line = repeat(np.arange(len(each)), counts)
    begin, last, moved = (np.concatenate(part) for part in zip(*each, strict=True))
    found = EventClusters.of(clocks[line], begin, last)
    none = np.flatnonzero(counts == 0)  # without events a series has an episode of its own
    pairs = np.stack([
        np.append(line, none),
        np.append(found.of_event, len(found.last) + np.arange(len(none))),
    ])  # fmt: skip
    (series, episode), cell = np.unique(pairs, axis=1, return_inverse=True)
    cell = cell.ravel()
    sums, whole = np.zeros((len(series), moved.shape[1])), np.zeros((len(each), moved.shape[1]))
    np.add.at(sums, cell[: len(line)], moved)
    np.add.at(whole, line, moved)
    share = bincount(cell) / np.maximum(counts, 1)[series]
    sums -= share[:, np.newaxis] * whole[series]  # more of all events changes nothing
    return Panel(series, episode, share, sums, clocks)


def clock_numbers(series: Sequence[str], on_clocks: Mapping[str, int]) -> Positions:
    """The number of the clock of each series; who is not named has its own.

    >>> clock_numbers(["a", "b", "c"], {"a": 7, "c": 7})
    array([1, 0, 1])
    """
    own = [on_clocks.get(name, -1 - place) for place, name in enumerate(series)]
    return np.unique(own, return_inverse=True)[1]


def of_clocks(clocks: Positions, columns: int) -> Panel:
    """Series of which nothing is known but who shares a clock."""
    none = np.zeros(0, np.int64)
    return Panel(none, none, np.zeros(0), np.zeros((0, columns)), clocks, known=False)


def panel_of(texts: Array, clocks: Positions) -> Panel:
    """Put together what rows say of events; where one with a value says nothing, nothing is known.

    Parameters
    ----------
    texts : array of object
        Of each series and detector the texts of its runs, which are averaged; None: it has no
        value.
    clocks : array of int
        The number of the clock of each series.
    """
    none, columns = np.zeros(0, np.int64), texts.shape[1]
    each = []
    for row in texts.tolist():
        runs = {place: own for place, own in enumerate(row) if own is not None}
        if not all(all(own) for own in runs.values()):
            return of_clocks(clocks, columns)
        read = {place: list(map(SeriesEvents.of_text, own)) for place, own in runs.items()}
        events = [one for own in read.values() for one in own]
        begin, last, _ = events[0] if events else (none, none, none)
        if any(len(one.begin) != len(begin) for one in events):
            return of_clocks(clocks, columns)
        moved = np.zeros((len(begin), columns))
        for place, own in read.items():
            moved[:, place] = np.mean([one.moved for one in own], axis=0)
        each.append(SeriesEvents(begin, last, moved))
    return panel(each, clocks)
