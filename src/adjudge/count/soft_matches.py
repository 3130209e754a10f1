"""Count soft matches: a flagged point is worth the more the nearer it is to an anomalous one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from adjudge.checks import boolean, word
from adjudge.count.contract import Counting
from adjudge.count.ledger import AlarmRows, Entries, first_touched, flagged_runs, truth_rows
from adjudge.data.intervals import bincount, repeat, stretches
from adjudge.data.time_settings import time_length
from adjudge.settings import setting

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Positions
    from adjudge.data.events import Events

Match = Literal["nearest", "one_to_one"]


@dataclass(frozen=True)
class SoftMatches(Counting):
    r"""Weigh every point 1; a match of a flagged d and an anomalous e is worth their nearness.

    .. math:: \mu(d, e) = \max(0, 1 - |d - e| / k), \qquad P = M / \#d, \qquad R = M / \#e

    where M is the worth of all matches. ``match="nearest"``: each flagged point looks at the
    nearest anomalous point (at both, if two are equally near); each anomalous point keeps the
    nearest that looks at it, the earlier among equals; whatever nobody keeps is worth nothing.
    ``match="one_to_one"``: points are matched in pairs, so that M is as large as possible.

    Parameters
    ----------
    reach : int or duration
        The distance k, in points or in time, from which on a match is worth nothing.
    match : "nearest" or "one_to_one"
        Who is matched with whom.
    starts : bool
        Whether events and runs are judged by their first points alone.

    References
    ----------
    .. [1] R. Salles et al. (2023). SoftED: Metrics for Soft Evaluation of Time Series Event
       Detection. arXiv:2304.00439.

    Examples
    --------
    >>> from adjudge.adjust.adjustments import raw
    >>> from adjudge.data.events import Events
    >>> events, flags = Events.from_labels([0, 1, 0, 1, 0]), np.array([1, 1, 0, 0, 0]) > 0
    >>> SoftMatches(reach=4).entries(flags, events, raw).tally
    Tally(found=1.0, truth=2, right=1.0, flagged=2, normal=nan)
    >>> SoftMatches(reach=4, match="one_to_one").entries(flags, events, raw).tally
    Tally(found=1.25, truth=2, right=1.25, flagged=2, normal=nan)
    """

    reach: int = time_length(15, 1, "exact")
    match: Match = setting("nearest", word, get_args(Match))
    starts: bool = setting(False, boolean)

    def flag_rows(self, flags: Flags, events: Events) -> Entries:
        """Rows for every event and every run."""
        starts, stops = flagged_runs(flags, events)
        truth, alarms = np.flatnonzero(events.labels), np.flatnonzero(flags)
        if self.starts:
            truth, alarms = events.starts, starts
        alarm, event, near = self._matches(alarms, truth, events.series_bounds)
        credit = _sums(truth[event], near, events.starts)
        right = _sums(alarms[alarm], near, starts)
        weight, cost = events.widths, stops - starts
        if self.starts:
            weight, cost = np.ones_like(weight), np.ones_like(cost)
        touched = first_touched(starts, stops, events)
        rows = AlarmRows.of_runs(starts, stops, touched, cost, right)
        return Entries(truth_rows(flags, events, weight, credit, credit > 0), rows)

    def _matches(
        self, alarms: Positions, truth: Positions, bounds: Positions
    ) -> tuple[Positions, Positions, Array]:
        """Numbers of the flagged and of the anomalous point of each match, and its worth."""
        if not alarms.size or not truth.size:
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
        d, e = (  # series lie so far apart that no match reaches across
            side + self.reach * np.searchsorted(bounds, side, "right") for side in (alarms, truth)
        )
        matches = _nearest if self.match == "nearest" else _one_to_one
        alarm, event = matches(d, e, self.reach)
        return alarm, event, 1 - np.abs(d[alarm] - e[event]) / self.reach


def _nearest(d: Positions, e: Positions, reach: int) -> tuple[Positions, Positions]:
    """Match each anomalous point with the nearest of those that have none nearer themselves."""
    after = np.searchsorted(e, d, side="right")
    sides = np.stack([np.maximum(after - 1, 0), np.minimum(after, e.size - 1)])
    far = np.abs(e[sides] - d)
    looks = (far == far.min(axis=0)) & (far < reach)
    looks[1] &= sides[0] != sides[1]
    side, alarm = np.nonzero(looks)
    event, distance = sides[side, alarm], far[side, alarm]
    order = np.lexsort((alarm, distance, event))
    kept = order[np.unique(event[order], return_index=True)[1]]
    alarm, first = np.unique(alarm[kept], return_index=True)  # kept by two, it counts once
    return alarm, event[kept][first]


def _one_to_one(d: Positions, e: Positions, reach: int) -> tuple[Positions, Positions]:
    """Match in pairs, so that as little distance as possible is left; unmatched counts `reach`.

    Points in the same place can be matched first: by the triangle inequality nothing is lost.
    """
    from scipy.sparse import coo_array  # noqa: PLC0415 - who does not match pays nothing
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching  # noqa: PLC0415

    _, same_d, same_e = np.intersect1d(d, e, assume_unique=True, return_indices=True)
    left_d, left_e = (np.delete(np.arange(x.size), y) for x, y in ((d, same_d), (e, same_e)))
    low = np.searchsorted(e[left_e], d[left_d] - reach, side="right")
    count = np.searchsorted(e[left_e], d[left_d] + reach, side="left") - low
    left_d, low, count = left_d[count > 0], low[count > 0], count[count > 0]
    if not left_d.size:
        return same_d, same_e
    number = np.arange(left_d.size)
    row, column = repeat(number, count), stretches(low, count)
    far = np.abs(d[left_d][row] - e[left_e][column])
    costs = coo_array(  # a column of its own lets each flagged point go unmatched
        (np.append(far, np.full(number.size, reach)).astype(float),
         (np.append(row, number).astype(np.int32),  # SciPy 1.11 takes no other
          np.append(column, left_e.size + number).astype(np.int32))),
        shape=(number.size, left_e.size + number.size),
    )  # fmt: skip
    row, column = min_weight_full_bipartite_matching(costs.tocsr())
    row, column = row[column < left_e.size], column[column < left_e.size]
    return np.append(same_d, left_d[row]), np.append(same_e, left_e[column])


def _sums(places: Positions, worth: Array, starts: Positions) -> Array:
    """Sum what was earned at some places over the events or runs that hold them."""
    owner = np.searchsorted(starts, places, side="right") - 1
    return bincount(owner, weights=worth, minlength=starts.size)
