"""Attributes: what a marking is like at the level of events, whatever metric judges it.

These are the characteristics that the balanced adjustment paper plots its scores against. Its
printed formulas exchange the two numerators; here, as in its code, precision is about runs and
recall is about events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.count.ledger import first_touched, flagged_runs

if TYPE_CHECKING:
    from adjudge._typing import Flags
    from adjudge.data.events import Events


class Attributes(NamedTuple):
    """Counts of events and runs, and the three rates made of them; NaN where nothing is counted."""

    events: int
    """Events in the truth (the paper's N)."""
    runs: int
    """Flagged runs (M)."""
    events_found: int
    """Events that a run touches (m)."""
    true_runs: int
    """Runs that touch an event (n); one run may find two events, and two runs the same one."""
    false_runs: int
    """Runs that touch none."""
    precision: float
    """Share of the runs that touch an event, n / M; undefined without runs."""
    recall: float
    """Share of the events that are touched, m / N; undefined without events."""
    coverage: float
    """Mean share of points flagged, over the touched events; undefined where none is."""


def attributes(flags: Flags, events: Events) -> Attributes:
    """Describe a marking by events and runs.

    Parameters
    ----------
    flags : array of bool
        Which points are flagged.
    events : Events
        The truth. Runs end where a series does, and points that are not judged are not flagged.

    Notes
    -----
    The rates equal `event_precision`, `event_recall` and `event_coverage` of the catalogue.

    Examples
    --------
    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 1, 1, 1, 1, 0, 0, 1, 1, 0])
    >>> attributes(np.array([1, 1, 0, 1, 0, 0, 0, 0, 0, 1]) > 0, events)._asdict()
    {'events': 2, 'runs': 3, 'events_found': 1, 'true_runs': 2, 'false_runs': 1, \
'precision': 0.6666666666666666, 'recall': 0.5, 'coverage': 0.5}
    """
    if events.judged is not None:
        flags = flags & events.judged
    starts, stops = flagged_runs(flags, events)
    true_runs = int(np.count_nonzero(first_touched(starts, stops, events) >= 0))
    hits = events.sum(flags)
    found = int(np.count_nonzero(hits))
    return Attributes(
        events=len(events),
        runs=len(starts),
        events_found=found,
        true_runs=true_runs,
        false_runs=len(starts) - true_runs,
        precision=_share(true_runs, len(starts)),
        recall=_share(found, len(events)),
        coverage=_share(float(np.sum(hits / events.widths)), found),
    )


def _share(part: float, whole: int) -> float:
    return part / whole if whole else np.nan
