"""Shared clocks: which series, services or machines live through the same time.

What happens at one moment may happen to all of them: a shock has events on many series at once, a
storm alarms on many. Then they are no independent pieces of evidence, and alarms must be shifted
together. A clock is a number; series that share one have the same number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.intervals import bincount
from adjudge.data.point_time import PointTime

if TYPE_CHECKING:
    from adjudge._typing import Flags, Positions
    from adjudge.data.events import Events

RULES = ("auto", "shared", "own")
"""Who shares a clock: by what is known, all series, or none."""


class ClockSpans(NamedTuple):
    """From when to when lines are, or blocks of them, on their clock."""

    begin: Positions
    end: Positions


def overlapping(begin: Positions, end: Positions, share: float = 0.5) -> Positions:
    """Number the clocks of stretches of time: two that share half of the shorter one have one.

    Whoever shares a clock with a third has the same one, so clocks are connected parts.

    Parameters
    ----------
    begin, end : array of int
        From when to when each stretch is.
    share : float
        Which part of the shorter one is enough; with 0 any moment.

    Examples
    --------
    >>> overlapping(np.array([0, 5, 100, 8]), np.array([10, 15, 110, 18]))
    array([0, 0, 1, 0])
    """
    clock = np.arange(len(begin))
    for one in range(1, len(begin)):
        both = np.minimum(end[:one], end[one]) - np.maximum(begin[:one], begin[one])
        shorter = np.minimum(end[:one] - begin[:one], end[one] - begin[one])
        joined = clock[:one][(both > 0) & (both >= share * shorter)]
        if joined.size:
            clock[: one + 1][np.isin(clock[: one + 1], np.append(joined, one))] = joined.min()
    return np.unique(clock, return_inverse=True)[1]


def clocked(events: Events, rule: str) -> Events:
    """Say which series share a clock: all, none, or those whose times overlap.

    Parameters
    ----------
    events, rule : Events, {"auto", "shared", "own"}
        The truth, and who shares a clock.
    """
    lines = np.arange(events.series_count)
    if lines.size == 1 or (rule == "own" and events.clocks is None):
        return events
    if rule == "own":
        return replace(events, clocks=None)
    if rule == "shared":
        return replace(events, clocks=0 * lines)
    if events.clock is None:
        return events
    spans = PointTime(events).spans(events.whole_series)
    return replace(events, clocks=overlapping(*spans))


def lines_together(clocks: Positions, spans: ClockSpans) -> Positions:
    """Number the lines that turn together: those of one clock that share any moment.

    A gap that all series of a clock have parts it into two that turn apart.

    >>> lines_together(np.array([0, 0, 0, 0, 1]), ClockSpans(np.array([0, 9, 0, 9, 0]),
    ...                                                 np.array([5, 15, 5, 15, 5])))
    array([0, 1, 0, 1, 2])
    """
    number = np.arange(clocks.size)
    for clock in np.flatnonzero(bincount(clocks) > 1).tolist():
        own = np.flatnonzero(clocks == clock)
        number[own] = own[overlapping(spans.begin[own], spans.end[own], share=0)]
    return np.unique(number, return_inverse=True)[1]


SLOTS = 10
"""Blocks of lines that turn together are matched by the tenth of the clock that they lie in."""


def _around(number: Positions, spans: ClockSpans) -> ClockSpans:
    """From when to when all spans of a number are."""
    count, longest = int(number.max(initial=-1)) + 1, np.iinfo(np.int64)
    begin, end = np.full(count, longest.max), np.full(count, longest.min)
    np.minimum.at(begin, number, spans.begin)
    np.maximum.at(end, number, spans.end)
    return ClockSpans(begin, end)


def out_of_step(group: Positions, spans: ClockSpans) -> Flags:
    """Which lines turn together with one that begins or ends at another time.

    Turned as a whole, what goes round one of them would not fit the others.

    >>> out_of_step(np.array([0, 0, 1]), ClockSpans(np.array([0, 2, 0]), np.array([9, 9, 5])))
    array([ True,  True, False])
    """
    whole = _around(group, spans)
    odd = (spans.begin != whole.begin[group]) | (spans.end != whole.end[group])
    return np.isin(group, group[odd])


def has_lines_out_of_step(events: Events) -> bool:
    """Whether series of one clock begin or end at different times: parts of them turn then.

    >>> from adjudge.data.events import Events
    >>> together = np.zeros(2, int)
    >>> [has_lines_out_of_step(Events([], [], 8, bounds=[0, first, 8], clocks=together))
    ...  for first in (4, 6)]
    [False, True]
    """
    if events.clocks is None:
        return False
    time = PointTime(events)
    spans = ClockSpans(*time.spans(events.series_bounds))
    return bool(out_of_step(turning_together(events, time), spans).any())


def cut_in_step(events: Events, cuts: Positions) -> Positions:
    """Cut lines that turn together at the same moments, where they begin or end at other times.

    That is at each tenth of the time in which there is any of them; the rest keeps its own cuts.

    Parameters
    ----------
    events, cuts : Events, array of int
        The lines, and where each would be cut by itself: ascending, none at an end.

    Examples
    --------
    A series of 20 points, and one that begins with them and ends after the tenth:

    >>> from adjudge.data.events import Events
    >>> events = Events([], [], 30, bounds=[0, 20, 30], clocks=np.zeros(2, int))
    >>> np.split(cut_in_step(events, np.array([5, 25])), [9])
    [array([ 2,  4,  6,  8, 10, 12, 14, 16, 18]), array([22, 24, 26, 28])]
    """
    time, lines = PointTime(events), events.series_bounds
    group, spans = turning_together(events, time), ClockSpans(*time.spans(lines))
    odd, whole = out_of_step(group, spans), _around(group, spans)
    found = [cuts[~odd[np.searchsorted(lines, cuts, side="right") - 1]]]
    for line in np.flatnonzero(odd).tolist():
        begin, end = whole.begin[group[line]], whole.end[group[line]]
        moments = begin + (end - begin) * np.arange(1, SLOTS, dtype=np.int64) // SLOTS
        inside = (moments > spans.begin[line]) & (moments < spans.end[line])
        found.append(time.places(lines[line], lines[line + 1], moments[inside]))
    return np.concatenate(found)


def blocks_together(
    group: Positions, home: Positions, spans: ClockSpans, moving: Flags | None = None
) -> Positions:
    """Number the blocks that turn together: those of one place on the lines of one group.

    Parameters
    ----------
    group : array of int
        The number of each line: equal ones turn together.
    home, spans : array of int, ClockSpans
        The line of each block, and from when to when it is.
    moving : array of bool, optional
        Which block of each line turns, if no other does.

    Examples
    --------
    >>> home, begin = np.array([0, 0, 0, 1, 1]), np.array([0, 30, 70, 0, 69])
    >>> spans = ClockSpans(begin, np.array([30, 70, 100, 69, 100]))
    >>> blocks_together(np.array([0, 0]), home, spans)
    array([0, 2, 3, 1, 3])
    """
    own = group[home]
    if moving is None:
        begin, end = (side[own] for side in _around(own, spans))
        middle = (spans.begin - begin + spans.end - begin) / 2
        slot = np.ceil(SLOTS * middle / (end - begin) - 1e-9).astype(np.int64)
    else:
        slot = np.where(moving, -1, np.arange(home.size))
    changes = np.append(True, (np.diff(home) != 0) | (np.diff(slot) != 0))
    again = np.arange(home.size) - np.maximum.accumulate(np.where(changes, np.arange(home.size), 0))
    keys = np.stack([own, slot, again], axis=1)
    return np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)


def turning_together(
    events: Events, time: PointTime, edges: Positions | None = None, moving: Flags | None = None
) -> Positions:
    """Number the offset by which each line of points, or each block, turns.

    Parameters
    ----------
    events, time : Events, PointTime
        The lines, with their clocks.
    edges, moving : array, optional
        Where blocks begin, and which of them turn; see `adjudge.data.case.Case.together`.
    """
    lines, clocks = events.series_bounds, events.clocks
    if clocks is None:
        return np.arange(len(lines if edges is None else edges) - 1)
    series = np.searchsorted(events.whole_series, lines[:-1], side="right") - 1
    group = lines_together(clocks[series], ClockSpans(*time.spans(lines)))
    if edges is None:
        return group
    home = np.searchsorted(lines, edges[:-1], side="right") - 1
    return blocks_together(group, home, ClockSpans(*time.spans(edges)), moving)
