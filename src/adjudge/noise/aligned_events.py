"""Aligned events: the same events in other series, at the age that each series has at home.

Where series run until they fail, every event ends one. Shifted alarms lose their age with it, and a
score that does nothing but rise is better than they are. Here the alarms stay, and each event goes
to one of the series that reach its last age, itself among them, no two to the same time of one.
All arrangements are equally likely. Where there are few, each is made; else chains of moves
and exchanges, which are reversible, begin where one from home has ended, so that home is
one of equals among their ends: p is as exact as by drawing [1]_.

References
----------
.. [1] J. Besag and P. Clifford (1989). Generalized Monte Carlo significance tests. Biometrika
   76(4).
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from adjudge._typing import Positions
    from adjudge.data.events import Events

_STEPS = 20  # of a chain, for each event


class AgedEvents:
    """Events by their age, and the series that reach it.

    Parameters
    ----------
    events : Events
        The truth, on several series.

    Examples
    --------
    Three series of 3, 4 and 5 points, two of which end in an event:

    >>> from adjudge.data.events import Events
    >>> labels, series = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1], list("aaabbbbccccc")
    >>> aged = AgedEvents(Events.from_labels(labels, series=series))
    >>> aged.home.tolist(), aged.reach.tolist(), aged.most
    ([0, 2], [3, 1], 3)
    >>> aged.every().tolist()
    [[2, 2], [1, 2], [0, 2]]
    """

    def __init__(self, events: Events) -> None:
        self._events, self._bounds = events, events.whole_series
        self.home = np.searchsorted(self._bounds, events.starts, side="right") - 1
        self._start, self._stop = (
            ends - self._bounds[self.home] for ends in (events.starts, events.stops)
        )
        lengths = np.diff(self._bounds)
        self._order = np.argsort(-lengths, kind="stable")
        """The series, the longest first: those that reach an age are the first ones."""
        self.reach = np.searchsorted(-lengths[self._order], -self._stop, side="right")
        """How many series reach the last age of each event."""
        self._place = np.argsort(self._order)
        self._meet = (self._start < self._stop[:, np.newaxis]) & (
            self._start[:, np.newaxis] < self._stop
        )
        np.fill_diagonal(self._meet, val=False)

    @property
    def most(self) -> int:
        """How many arrangements there are at most: p is never below the inverse."""
        return math.prod(self.reach.tolist())

    def every(self) -> Positions:
        """All arrangements: the series of each event."""
        found = np.array(list(product(*map(range, self.reach.tolist()))))
        together = found[:, np.newaxis, :] == found[:, :, np.newaxis]
        return np.asarray(self._order[found[~(together & self._meet).any(axis=(1, 2))]])

    def drawn(self, draws: int, seed: int) -> Positions:
        """So many arrangements, among which home is one of equals."""
        rng, hub = generator(seed), self._place[self.home][np.newaxis]
        self._wander(hub, rng)
        chains = np.tile(hub, (draws, 1))
        self._wander(chains, rng)
        return np.asarray(self._order[chains])

    def _wander(self, chains: Positions, rng: np.random.Generator) -> None:
        """Move an event of each chain, or exchange two, wherever they fit; many times."""
        count, rows = chains.shape[1], np.arange(len(chains))
        for _ in range(_STEPS * count):
            one, two = rng.integers(count, size=(2, len(chains)))
            moves = rng.random(len(chains)) < 0.5
            two = np.where(moves, one, two)
            anywhere = rng.integers(self.reach[one])
            to = np.where(moves, anywhere, chains[rows, two])
            back = np.where(moves, anywhere, chains[rows, one])
            fits = (to < self.reach[one]) & (back < self.reach[two])
            fits &= ~self._meets(chains, one, two, to) & ~self._meets(chains, two, one, back)
            chains[rows[fits], one[fits]] = to[fits]
            chains[rows[fits], two[fits]] = back[fits]

    def _meets(self, chains: Positions, own: Positions, but: Positions, to: Positions) -> Positions:
        """Whether an event would meet another one in a series, that of `but` aside."""
        there = (chains == to[:, np.newaxis]) & self._meet[own]
        there[np.arange(len(chains)), but] = False
        return np.asarray(there.any(axis=1))

    def arranged(self, series: Positions) -> Events:
        """The events in these series."""
        first = self._bounds[series]
        starts, stops = first + self._start, first + self._stop
        order = np.argsort(starts)
        severity = self._events.severity
        return replace(
            self._events,
            starts=starts[order],
            stops=stops[order],
            severity=None if severity is None else severity[order],
        )


_MOST = 0.9  # of the events


def run_to_failure(events: Events) -> str:
    """Say that events end their series, if nine in ten of several do; else "".

    >>> from adjudge.data.events import Events
    >>> run_to_failure(Events.from_labels([0, 0, 1, 0, 1], series=list("aaabb")))
    '2 of 2 events end their series'
    >>> run_to_failure(Events.from_labels([0, 0, 1]))
    ''
    """
    if events.series_count == 1:
        return ""
    last = int(np.isin(events.stops, events.whole_series).sum())
    if last < max(_MOST * len(events), 2):
        return ""
    return f"{last:,} of {len(events):,} events end their series"
