"""The thresholds of a page, and what is counted at each: points, events, alarms, delays.

A page moves its threshold from level to level, so every number on it is one that was counted here.
Levels are scores: between two neighbouring ones, any threshold flags the same points.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.durations import NANOSECONDS
from adjudge.metrics.reader import catalogue
from adjudge.reporting.chance_bands import threshold_grid
from adjudge.reporting.page.assembly import packed_counts, packed_numbers, packed_values

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudge._typing import Array, Floats, Positions
    from adjudge.data.case import Case
    from adjudge.measure.curves import Curve

WEEK = 7 * 86400
_EXACT = 5_000  # levels of all detectors together up to which a page has every threshold
_FEWEST, _MOST = 100, 1_000  # levels of one detector, where these are chosen
_DELAYS = 8_000_000  # events times levels: each has its own delay
_ANEW = 25_000_000  # points times levels that a metric is counted anew for


class PageLevels(NamedTuple):
    """The thresholds of one detector."""

    at: Floats
    """Falling; the last one is ``-inf``, above which everything lies."""
    exact: bool
    """Whether these are all thresholds that make a difference."""

    def place(self, threshold: float) -> int:
        """The number of the level that flags the same points as a threshold."""
        return min(int(np.searchsorted(-self.at, -threshold)), self.at.size - 1)

    def of_threshold(self, case: Case, threshold: float) -> int:
        """The same of a threshold that nobody has rounded as the scores are."""
        return self.place(rounded(case, threshold))

    def of_curve(self, curve: Curve) -> Positions:
        """The places of the levels on a curve: the highest threshold that is not above each."""
        return np.searchsorted(-curve.thresholds, -self.at)

    def codes(self, values: Array) -> Positions:
        """The first level below each value: from there on down it is flagged."""
        return np.searchsorted(-self.at, -np.asarray(values), side="right")


def rounded(case: Case, threshold: float) -> float:
    """A threshold as it is compared with the scores: rounded as these are.

    >>> from adjudge.data.case import Case
    >>> rounded(Case([0, 1], np.float32([0.1, 0.2])), 0.1)
    0.10000000149011612
    """
    kind = case.given.dtype
    if kind.kind != "f" or not np.isfinite(threshold):
        return threshold
    with np.errstate(over="ignore"):
        near = float(kind.type(threshold))
    return near if np.isfinite(near) else threshold


def levels_of(
    case: Case, detectors: int, extra: Iterable[float] = (), *, sweeps: bool = True
) -> PageLevels:
    """Every distinct score, or so many chosen ones as fit a page of some detectors.

    Parameters
    ----------
    case, detectors : Case, int
        What is judged, and how many detectors share the page.
    extra : floats
        Thresholds that must be among the levels.
    sweeps : bool
        Whether all metrics know every threshold from one sort.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> levels_of(Case([0, 0, 1], [1.0, 2.0, 4.0]), 1)
    PageLevels(at=array([  4.,   2.,   1., -inf]), exact=True)
    """
    judged = case.events.judged
    scores = np.unique(case.scores if judged is None else case.scores[judged])
    most = min(_EXACT // detectors, _DELAYS // max(1, len(case.events)))
    if not sweeps:
        most = min(most, _ANEW // (case.events.n * detectors))
    if scores.size < most:
        return PageLevels(np.append(scores[::-1], -np.inf), exact=True)
    given = tuple(rounded(case, level) for level in extra)
    grid = threshold_grid(case, max(_FEWEST, min(_MOST, most)), given)
    place = np.searchsorted(scores, grid, side="right") - 1  # a score that flags the same points
    return PageLevels(np.unique(np.where(place < 0, -np.inf, scores[place]))[::-1], exact=False)


class LevelCounts(NamedTuple):
    """What is counted at each level, whatever the metric."""

    flagged: Positions
    found: Positions
    right: Positions
    wrong: Positions
    per_week: Floats
    """False alarms in a week of judged time; NaN without times."""
    delay: Floats
    slowest: Floats

    def packed(self) -> dict[str, Any]:
        """The columns as a page reads them."""
        counts, values = self[:4], self[4:]
        return {
            **dict(zip(self._fields[:4], map(packed_counts, counts), strict=True)),
            **dict(zip(self._fields[4:], map(packed_values, values), strict=True)),
        }


def counted(case: Case, levels: PageLevels, step: float) -> LevelCounts:
    """Count points, events, alarms and delays at each level; a step is the seconds of a point."""
    judged, at = case.events.judged, levels.at
    scores = np.sort(case.scores if judged is None else case.scores[judged])
    curve = catalogue["event_precision"].metric.curve(case)
    place = levels.of_curve(curve)
    tally = (np.broadcast_to(one, curve.thresholds.shape)[place] for one in curve.tally)
    found, _, right, runs, _ = tally
    flagged = scores.size - np.searchsorted(scores, at, side="right")
    per_week = (runs - right) * (WEEK / (scores.size * step or np.nan))
    return LevelCounts(flagged, found, right, runs - right, per_week, *delays(case, at))


def delays(case: Case, at: Floats) -> tuple[Floats, Floats]:
    """The median and the longest delay of the events that are found, at each of some thresholds.

    In seconds where the time is known, else in points; NaN where nothing is found.

    >>> from adjudge.data.case import Case
    >>> case = Case([0, 1, 1, 0, 1, 1, 1], [0, 5, 0, 0, 0, 2, 3])
    >>> delays(case, np.array([5.0, 2.0, -np.inf]))
    (array([nan,  1.,  0.]), array([nan,  2.,  0.]))
    """
    events, clock = case.events, case.events.clock
    table = np.full((len(events), at.size), np.nan)
    for number, (start, stop) in enumerate(zip(events.starts, events.stops, strict=True)):
        first = np.searchsorted(np.maximum.accumulate(case.scores[start:stop]), at, side="right")
        hit = first < stop - start
        if clock is None:
            table[number, hit] = first[hit]
        else:
            late = clock.instants[start + first[hit]] - clock.instants[start]
            table[number, hit] = late / NANOSECONDS["s"]
    if not len(events):
        return np.full(at.size, np.nan), np.full(at.size, np.nan)
    table.sort(axis=0)  # what is not found stands last
    last, each = np.count_nonzero(~np.isnan(table), axis=0) - 1, np.arange(at.size)
    some = np.maximum(last, 0)
    return (table[some // 2, each] + table[(some + 1) // 2, each]) / 2, table[some, each]


def texts(case: Case, levels: PageLevels) -> list[str]:
    """Each level in so few digits that whoever types it flags the same points.

    >>> from adjudge.data.case import Case
    >>> case = Case([0, 0, 1], [0.1234567, 0.1239, 4.0])
    >>> texts(case, levels_of(case, 1))
    ['4', '0.1239', '0.1235', '-inf']
    """
    scores = np.unique(case.scores)
    above = np.append(scores, np.inf)[np.searchsorted(scores, levels.at, side="right")]
    pairs = zip(levels.at.tolist(), above.tolist(), strict=True)
    return [_text(case, low, high) for low, high in pairs]


def _text(case: Case, low: float, high: float) -> str:
    power = math.floor(math.log10(abs(low))) if low and math.isfinite(low) else 0
    for digits in range(4, 17):
        near = float(f"{low:.{digits}g}")
        for one in (near, near + 10.0 ** (power - digits + 1)):
            text = f"{one:.{digits}g}"
            if low <= rounded(case, float(text)) < high:
                return text
    return repr(low)


def peaks(case: Case, levels: PageLevels) -> dict[str, Any]:
    """The highest score of each event, and from which level on down it is found."""
    highest = case.events.max(case.scores)
    return {"peaks": packed_numbers(highest), "codes": packed_counts(levels.codes(highest))}
