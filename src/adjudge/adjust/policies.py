"""Alarm policies: when scores become an alert.

This is the first stage of a policy, `Firing`: one recursion over the points in their order. With
c the score (the k-th highest of the last so many), A and B the points that ``after`` and ``keep``
reach back, and h = c + ``drop``, or infinity where c is above ``clear``:

    R(i) = min(c(i-A), ..., c(i))           high for long enough; -inf where i has too few points
    H(i) = max(h(i-B), ..., h(i))           not low for too long
    F(i) = max(R(i), min(F(i-1), H(i)))     firing above a threshold x when F(i) > x

Each part only takes maxima and minima of scores, so that the recursion commutes with thresholding,
as an adjustment does: F is a new column of scores, and every curve, area, receipt and chance line
works on it as on any other. The second stage, `adjudge.adjust.paging`, acts on alerts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from adjudge.checks import number, whole, word
from adjudge.data.durations import duration
from adjudge.data.intervals import repeat
from adjudge.data.time_settings import time_length
from adjudge.data.windows import max_over
from adjudge.errors import InputError
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Flags, Positions

Missing = Literal["off", "hold", "on"]
_GAP = 2  # a step longer than so many usual ones is time without eyes
_ROWS = 1 << 22  # scores that are looked at together for the k-th highest


class Track(NamedTuple):
    """The points that a policy sees one after the other."""

    series: Positions
    """Where each series begins, and the end of the last."""
    bounds: Positions
    """Where the policy begins anew: at each series, and after time without data."""
    instants: Positions | None
    """When each point was, in nanoseconds; None: nobody knows."""

    @classmethod
    def of(cls, series: Positions, instants: Positions | None, *, bridged: bool = False) -> Track:
        """The points of some series; ``bridged``: time without data is passed over.

        >>> Track.of(np.array([0, 5]), np.array([0, 1, 2, 9, 10])).bounds
        array([0, 3, 5])
        """
        if instants is None or bridged:
            return cls(series, series, instants)
        steps = np.diff(instants)
        within = np.ones(steps.size, bool)
        within[series[1:-1] - 1] = False
        usual = np.median(steps[within]) if within.any() else math.inf
        gaps = np.flatnonzero(within & (steps > _GAP * usual)) + 1
        return cls(series, np.union1d(series, gaps), instants)

    @property
    def firsts(self) -> Positions:
        """For each point the one at which the policy began."""
        return repeat(self.bounds[:-1], np.diff(self.bounds))

    def back(self, length: int | str, name: str) -> Positions:
        """The last point that lies at least so far back; one before the first: there is none."""
        first, points = self.firsts, np.arange(self.series[-1])
        if not isinstance(length, str):
            return np.asarray(np.maximum(points - length, first - 1))
        span, instants, found = duration(length, name), self.known(length, name), first - 1
        for begin, end in zip(self.bounds[:-1].tolist(), self.bounds[1:].tolist(), strict=True):
            own = instants[begin:end]
            found[begin:end] += np.searchsorted(own, own - span, side="right")
        return found

    def known(self, length: str, name: str) -> Positions:
        """When each point was, for a duration that needs it."""
        if self.instants is None:
            raise InputError(
                f"{name} must be a number of points without times, got {length!r}; give time= "
                "(--time COL)"
            )
        return self.instants

    def extent(self, length: int | str, name: str) -> tuple[int, Positions, Positions]:
        """A length as a number, with when each point begins and ends in the same unit."""
        if not isinstance(length, str):
            points = np.arange(self.series[-1]) - repeat(self.series[:-1], np.diff(self.series))
            return length, points, points + 1
        instants = self.known(length, name)
        until = np.append(instants[1:], 0)
        last = self.bounds[1:] - 1
        steps = np.delete(np.diff(instants), last[:-1])
        until[last] = instants[last] + (int(np.median(steps)) if steps.size else 1)
        return duration(length, name), instants, until


@dataclass(frozen=True, kw_only=True)
class Firing(Settings):
    """How a score must behave for an alert to fire, and to end.

    Parameters
    ----------
    after : int or duration
        How long the score must be above the threshold without a break before the alert fires, as
        ``for`` of Prometheus: it fires at the first point that lies at least so far behind the
        first one above. 0: at once.
    keep : int or duration
        How long the alert goes on, counted from the first point that is not above, as
        ``keep_firing_for`` of Prometheus.
    k, of : int
        The alert needs ``k`` of the last ``of`` points above.
    clear : float, optional
        A firing alert ends when the score is not above this value, instead of the threshold. One
        above the threshold has no effect.
    drop : float, optional
        The same, as so much below the threshold.
    missing : "off", "hold" or "on"
        What a point without a score (NaN) is: not above; passed over, so that all stays as it is;
        above. A step of time more than twice as long as the median one is time without data, after
        which the policy begins anew; with "hold" it goes on.

    Examples
    --------
    >>> track = Track.of(np.array([0, 7]), None)
    >>> Firing(after=1, keep=1).firing(np.array([1.0, 5, 6, 2, 7, 1, 1]), track)
    array([-inf,   1.,   5.,   5.,   5.,   5.,   1.])
    """

    after: int | str = time_length(0, 0, "up", uneven=True)
    keep: int | str = time_length(0, 0, "up", uneven=True)
    k: int = setting(1, whole, 1)
    of: int = setting(1, whole, 1)
    clear: float | None = setting(None, number)
    drop: float | None = setting(None, number)
    missing: Missing = setting("off", word, get_args(Missing))

    def __post_init__(self) -> None:
        """Check each setting, and those that belong together."""
        super().__post_init__()
        if self.k > self.of:
            raise InputError(
                f"k must be at most of, got k={self.k} and of={self.of}; k=3, of=5 means three "
                "of the last five"
            )
        if self.clear is not None and self.drop is not None:
            raise InputError(
                f"clear and drop must not both be given, got clear={self.clear} and "
                f"drop={self.drop}; both end an alert"
            )
        for name in ("clear", "drop"):
            value = getattr(self, name)
            if value is not None and not (value >= 0 if name == "drop" else not math.isnan(value)):
                rule = "at least 0" if name == "drop" else "a number"
                raise InputError(f"{name} must be {rule}, got {value}")

    @property
    def fires_otherwise(self) -> bool:
        """Whether an alert is anything else than a run of points above the threshold."""
        waits = any(length not in (0, "0s") for length in (self.after, self.keep))
        return waits or self.of > 1 or self.clear is not None or self.drop is not None

    def firing(self, scores: Array, track: Track) -> Array:
        """The column F: the alert fires wherever it is above the threshold."""
        return self._with_missing(scores, track, self._fired)

    def pending(self, scores: Array, level: float, track: Track) -> Positions:
        """For each point the first of the stretch above the threshold that made its alert fire.

        An alert that fires at a point fired first at the start of that alert; there the score had
        been above since the point that is given. -1: no alert fires at this point.
        """
        fires = self.firing(scores, track) > level
        above = self._with_missing(scores, track, self._high) > level
        since = _last(_begins(above, track.bounds))
        return np.asarray(np.where(fires, since[_last(_begins(fires, track.bounds))], -1))

    def _with_missing(
        self, scores: Array, track: Track, column: Callable[[Array, Track], Array]
    ) -> Array:
        """A column over the points that have a score; of the others as ``missing`` says."""
        absent = np.isnan(scores) if scores.dtype.kind == "f" else np.zeros(scores.size, bool)
        if not absent.any():
            return column(scores, track)
        if self.missing != "hold":
            instead = scores.dtype.type(-np.inf if self.missing == "off" else np.inf)
            return column(np.where(absent, instead, scores), track)
        there = np.flatnonzero(~absent)
        counted = np.append(0, np.cumsum(~absent))
        instants = None if track.instants is None else track.instants[there]
        series, bounds = np.unique(counted[track.series]), np.unique(counted[track.bounds])
        kept = column(scores[there], Track(series, bounds, instants))
        last = counted[1:] - 1  # the point with a score that came last
        inside = last >= counted[track.firsts]
        found = np.full(scores.size, -np.inf, scores.dtype)
        found[inside] = kept[last[inside]]
        return found

    def _fired(self, scores: Array, track: Track) -> Array:
        raised, hold = self.columns(scores, track)
        return raised if hold is None else _held(raised, hold)

    def _high(self, scores: Array, track: Track) -> Array:
        """The column c."""
        return _kth_highest(scores, self.k, self.of, track.bounds)

    def columns(self, scores: Array, track: Track) -> tuple[Array, Array | None]:
        """The columns R and H; no H: nothing goes on that is not high for long enough itself."""
        high = self._high(scores, track)
        first, end = track.firsts, np.arange(1, scores.size + 1)
        begin = track.back(self.after, "after")
        long = begin >= first
        raised = -max_over(-high, np.maximum(begin, first), end)
        raised[~long] = -np.inf
        if self.keep in (0, "0s") and self.clear is None and self.drop is None:
            return raised, None
        low = high if self.drop is None else high + scores.dtype.type(self.drop)
        if self.clear is not None:
            low = np.where(high > self.clear, scores.dtype.type(np.inf), high)
        hold = max_over(low, np.maximum(track.back(self.keep, "keep"), first), end)
        hold[track.bounds[:-1]] = -np.inf
        return raised, hold


def _begins(on: Flags, bounds: Positions) -> Flags:
    """Where a stretch begins, each side of a bound by itself."""
    found = on.copy()
    found[1:] &= ~on[:-1]
    first = bounds[:-1]
    found[first] = on[first]
    return found


def _last(begins: Flags) -> Positions:
    """For each point the last one, up to it, at which something begins; 0: none did."""
    return np.maximum.accumulate(np.where(begins, np.arange(begins.size), 0))


class FiringStream:
    """A firing that scores come to one after another: what it says at one threshold.

    Kept are as many scores as it looks back, and whether it is firing.

    Parameters
    ----------
    firing : Firing
        With lengths in points.
    level : float
        The threshold.

    Examples
    --------
    >>> stream = FiringStream(Firing(after=1, keep=1), 2.0)
    >>> stream.take(np.array([1.0, 5.0])), stream.take(np.array([6.0, 2.0, 7.0, 1.0, 1.0]))
    (array([False, False]), array([ True,  True,  True,  True, False]))
    """

    def __init__(self, firing: Firing, level: float) -> None:
        self._firing, self._level = firing, level
        self._reach = max(int(firing.after), int(firing.keep)) + firing.of
        self.begin()

    def begin(self) -> None:
        """Begin anew, as after time without data."""
        self._before, self._on = np.zeros(0), False

    def take(self, scores: Array) -> Flags:
        """Where it fires among the scores that come next."""
        whole = np.append(self._before, scores)
        raised, hold = self._firing.columns(whole, Track.of(np.array([0, whole.size]), None))
        rises = raised[self._before.size :] > self._level
        if hold is None:
            found = rises
        else:
            ends = ~rises & ~(hold[self._before.size :] > self._level)
            place = np.arange(1, len(scores) + 1)
            last_on = np.maximum.accumulate(np.where(rises, place, 0))
            last_off = np.maximum.accumulate(np.where(ends, place, 0))
            found = (last_on > last_off) | ((last_off == 0) & self._on)
        self._before, self._on = whole[-self._reach :], bool(found[-1])
        return found


def _kth_highest(scores: Array, k: int, of: int, bounds: Positions) -> Array:
    """For each point the k-th highest of the last so many; -inf where there are fewer than k.

    >>> _kth_highest(np.array([3.0, 1, 2, 9]), 2, 3, np.array([0, 4]))
    array([-inf,   1.,   2.,   2.])
    """
    if of == 1:
        return scores.copy()
    lengths = np.diff(bounds)
    place = np.arange(scores.size) + repeat(
        np.arange(1, lengths.size + 1, dtype=np.int64) * (of - 1), lengths
    )
    padded = np.full(scores.size + lengths.size * (of - 1), -np.inf, scores.dtype)
    padded[place] = scores
    windows = np.lib.stride_tricks.sliding_window_view(padded, of)
    found = np.empty_like(scores)
    rows = max(1, _ROWS // of)
    for begin in range(0, scores.size, rows):
        own = windows[place[begin : begin + rows] - (of - 1)]
        found[begin : begin + rows] = np.partition(own, of - k, axis=1)[:, of - k]
    return found


def _held(raised: Array, hold: Array) -> Array:
    """F(i) = max(R(i), min(F(i-1), H(i))), all points at once.

    What a stretch of points does to the F before it is again of the form max(R, min(F, H)), so two
    stretches make one of twice the length; where R is not below H, nothing from before counts.
    """
    low, high, step = raised, hold, 1
    while step < low.size and np.any(low < high):
        low[step:] = np.maximum(low[step:], np.minimum(high[step:], low[:-step]))
        high[step:] = np.minimum(high[step:], high[:-step])
        step *= 2
    return low
