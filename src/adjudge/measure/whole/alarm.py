"""ALARM: hits, their promptness and unity, less false alarms, on the scale of events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.ledger import first_touched, flagged_runs
from adjudge.data.intervals import bincount, runs

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags
    from adjudge.data.events import Events


def alarm(flags: Flags, events: Events) -> float:
    r"""Events found, less false alarms, plus how soon and in how few pieces they were found.

    .. math:: |D| - \frac{F}{2} - w(f) + \frac{1}{|D|} \sum_{g \in D}
        \frac{1 + \sum_{i \in g \text{ flagged}} 2^{-(i - a + 1)}}{2^{k_g}}
        - \frac{3}{4} E - \frac{1}{4} L

    D are the events that hold the first anomalous point of some run, F the runs without an
    anomalous point, f the flagged normal points with w(f) = 1 - 1/f (0 without any), :math:`k_g`
    the runs inside an event, E the events that a run reaches from before, L those from which a run
    goes on. No flag: 0. The best value is the number of events and a little less than 1 more. There
    is no lower end.

    References
    ----------
    .. [1] Wagner et al. (2025). arXiv:2510.17562, as read in the code of the NoBOOM benchmark.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 0])
    >>> alarm(np.array([False, True, True, False]), events)  # 1 + (1 + 1/2 + 1/4) / 2
    1.875
    """
    starts, stops = flagged_runs(flags, events)
    first = first_touched(starts, stops, events)
    found = np.unique(first[first >= 0])
    false_runs = int(np.count_nonzero(first < 0))
    false_points = int(np.count_nonzero(flags & events.normal))
    bounds = events.series_bounds
    before = ~np.isin(events.starts, bounds) & flags[events.starts - 1] & flags[events.starts]
    last = np.minimum(events.stops, events.n - 1)
    after = ~np.isin(events.stops, bounds) & flags[last] & flags[events.stops - 1]
    value = found.size - false_runs / 2 - (1 - 1 / max(false_points, 1))
    value -= 0.75 * np.count_nonzero(before) + 0.25 * np.count_nonzero(after)
    return float(value + _promptness(flags, events)[found].mean() if found.size else value)


def _promptness(flags: Flags, events: Events) -> Array:
    """What each event earns by early flags, halved with every further run inside it."""
    place = np.flatnonzero(flags & events.labels)
    event = np.searchsorted(events.starts, place, side="right") - 1
    early = 2.0 ** -np.minimum(place - events.starts[event] + 1.0, 1000)
    firsts = np.union1d(events.series_bounds[:-1], events.starts)
    begun, _ = runs(flags & events.labels, firsts)
    pieces = bincount(
        np.searchsorted(events.starts, begun, side="right") - 1, minlength=len(events)
    )
    earned = 1 + bincount(event, weights=early, minlength=len(events))
    return earned / 2.0 ** np.minimum(pieces, 1000)
