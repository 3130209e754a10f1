"""Baselines: detectors of one line, which know nothing of the labels and are never trained.

A benchmark on which one line of arithmetic does well asks little of a detector [1]_, and a detector
that does not beat such a line has not earned its complexity [2]_. The family is fixed, so that it
cannot be chosen to fit a benchmark, and small, so that choosing the best of it costs little.

Conventions
-----------
- A baseline sees the whole series and both sides of a point. A detector that works as the points
  come in sees less; comparing the two favours the baseline.
- Values that are missing count as the median.
- ``reach`` is how far the window of a baseline carries an event to either side: a point that near
  to an event is neither right nor wrong.
- Windows are of 21 and 101 points; in short series of at most a tenth and a fifth of the points.

References
----------
.. [1] R. Wu, E. J. Keogh (2023). Current time series anomaly detection benchmarks are flawed and
   are creating the illusion of progress. IEEE TKDE 35(3).
.. [2] M. S. Sarfraz et al. (2024). Position: quo vadis, unsupervised time series anomaly detection?
   ICML.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Column, Floats

NARROW, WIDE = 21, 101
"""Windows of the moving spread, mean and median, in points."""
EVERY = 100
"""How far apart periodic alarms are, in points."""
_PERIODIC = 0.3
"""The autocorrelation from which a series is said to have a period."""
_SHORTEST = 8
"""The shortest period that is looked for."""
_NEARLY = 0.8
"""The period is the first peak that reaches this share of the highest: not one of its multiples."""
_ROUNDING = 1e-12
"""A variance below this share of the largest is what rounding leaves of zero."""


class BaselineScores(NamedTuple):
    """What a baseline says of a series."""

    scores: Floats
    reach: int
    """How far to either side of a point its score looks."""


@dataclass(frozen=True, eq=False)
class Signal:
    """A series as the baselines see it: its values, its windows and its period."""

    values: Floats
    narrow: int
    wide: int
    period: int

    @property
    def jumps(self) -> Floats:
        """The size of each step from the point before."""
        return np.abs(np.diff(self.values, prepend=self.values[:1]))

    @property
    def from_median(self) -> Floats:
        """The distance of each value from the median of the series."""
        return np.abs(self.values - np.median(self.values))


@dataclass(frozen=True)
class OneLiner:
    """A detector of one line.

    Attributes
    ----------
    formula
        What it is, in the words of NumPy; ``w`` is 21 points, ``W`` 101.
    scores
        The line itself.
    reach
        How far to either side of a point it looks, in a given series.
    """

    formula: str
    scores: Callable[[Signal], Floats]
    reach: Callable[[Signal], int]


def one_liners(values: Column, period: int | None = None) -> dict[str, BaselineScores]:
    """Score a series by every line of the family.

    Parameters
    ----------
    values : column
        The readings of one sensor. What is not finite counts as the median.
    period : int, optional
        After how many points the series repeats itself; 0 if it does not. Default: what `period_of`
        finds. Without one, the line that looks back one period is left out.

    Returns
    -------
    dict
        Name -> scores and reach, in the order of `ONE_LINERS`.

    Examples
    --------
    >>> values = np.sin(np.arange(200) / 4)
    >>> values[120] += 3
    >>> found = one_liners(values)
    >>> {name: int(found[name].scores.argmax()) for name in ("high value", "jump")}
    {'high value': 120, 'jump': 120}
    >>> found["spread"].reach
    10
    """
    signal = _signal(values, period)
    return {
        name: BaselineScores(line.scores(signal), line.reach(signal))
        for name, line in ONE_LINERS.items()
        if signal.period or line is not _ONE_PERIOD_AGO
    }


def noise(n: int, seed: int = 0) -> Floats:
    """Scores that are drawn and know nothing: uniform on [0, 1), each point by itself.

    >>> noise(3, seed=1).round(2)
    array([0.51, 0.95, 0.14])
    """
    return np.random.default_rng(seed).random(n)


def periodic_alarms(n: int, every: int = EVERY) -> Floats:
    """An alarm at every so many points, whatever the series does: 1 there, 0 elsewhere.

    The first one comes after half that time, so that both ends of a series are alike.

    >>> periodic_alarms(10, every=4)
    array([0., 0., 1., 0., 0., 0., 1., 0., 0., 0.])
    """
    return np.asarray(np.arange(n) % every == every // 2, np.float64)


def period_of(values: Column) -> int:
    """After how many points a series repeats itself: 0 if it does not.

    The first peak of the autocorrelation, once this was below zero, that is at least 0.3 and at
    least 0.8 of the highest such peak.

    >>> period_of(np.sin(2 * np.pi * np.arange(500) / 48)), period_of(np.arange(500))
    (48, 0)
    """
    centred = finite(values)
    centred = centred - centred.mean()
    n = len(centred)
    spectrum = np.fft.rfft(centred, 2 * n)
    correlation = np.fft.irfft(spectrum * spectrum.conj(), 2 * n)[: n // 2]
    if n < 2 * _SHORTEST or correlation[0] <= 0:
        return 0
    correlation = correlation / correlation[0]
    below = int(np.argmax(correlation < 0)) or len(correlation)  # it begins at 1
    inner = np.arange(max(_SHORTEST, below), len(correlation) - 1)
    rises = correlation[inner] >= correlation[inner - 1]
    peaks = inner[rises & (correlation[inner] > correlation[inner + 1])]
    top = correlation[peaks].max(initial=0)
    if top <= _PERIODIC:
        return 0
    return int(peaks[np.argmax(correlation[peaks] >= _NEARLY * top)])


def finite(values: Column) -> Floats:
    """The values as numbers; what is not finite is the median of the others, or 0.

    >>> finite([1, np.nan, 5])
    array([1., 3., 5.])
    """
    array = np.asarray(values, np.float64)
    known = np.isfinite(array)
    return np.where(known, array, np.median(array[known]) if known.any() else 0.0)


def _signal(values: Column, period: int | None) -> Signal:
    array = finite(values)
    n = len(array)
    narrow, wide = min(NARROW, max(3, n // 10) | 1), min(WIDE, max(5, n // 5) | 1)
    return Signal(array, narrow, wide, period_of(array) if period is None else period)


def _moving_mean(values: Floats, width: int) -> Floats:
    """The mean of the points around each one; beyond an end its value goes on."""
    from scipy.ndimage import uniform_filter1d  # noqa: PLC0415 - slow to import

    found: Floats = uniform_filter1d(values, width, mode="nearest")
    return found


def _moving_spread(values: Floats, width: int) -> Floats:
    """The standard deviation of the points around each one; exactly 0 where they are equal."""
    centred = values - np.median(values)
    squares = _moving_mean(centred * centred, width)
    variance = squares - _moving_mean(centred, width) ** 2
    # Running sums carry what rounding left of a far value on to the end of the series.
    return np.sqrt(np.where(variance > _ROUNDING * squares.max(initial=0), variance, 0.0))


def _moving_median(values: Floats, width: int) -> Floats:
    from scipy.ndimage import median_filter  # noqa: PLC0415 - slow to import

    found: Floats = median_filter(values, width, mode="nearest")
    return found


def _against_neighbours(signal: Signal) -> Floats:
    jumps = signal.jumps
    above = jumps - _moving_mean(jumps, signal.narrow)
    least = 1e-9 * (1 + float(jumps.max(initial=0)))
    return above / (_moving_spread(jumps, signal.narrow) + least)


def _constant_run(signal: Signal) -> Floats:
    """How many points ago the value last changed."""
    place = np.arange(len(signal.values))
    changed = np.diff(signal.values, prepend=np.nan) != 0
    return np.asarray(place - np.maximum.accumulate(np.where(changed, place, 0)), np.float64)


def _period_ago(signal: Signal) -> Floats:
    """In the first period there is nothing to look back at: 0."""
    p, values = signal.period, signal.values
    return np.abs(values - np.concatenate((values[:p], values[:-p])))


_ONE_PERIOD_AGO = OneLiner("abs(x - x one period ago)", _period_ago, lambda _: 1)

ONE_LINERS = {
    "high value": OneLiner("x", lambda s: s.values, lambda _: 0),
    "low value": OneLiner("-x", lambda s: -s.values, lambda _: 0),
    "far from the median": OneLiner(
        "abs(x - median(x))", lambda s: s.from_median, lambda _: 0
    ),
    "jump": OneLiner("abs(diff(x))", lambda s: s.jumps, lambda _: 1),
    "jump against its neighbours": OneLiner(
        "(abs(diff(x)) - mean(abs(diff(x)), w)) / std(abs(diff(x)), w)",
        _against_neighbours, lambda _: 1,
    ),
    "spread": OneLiner(
        "std(x, w)", lambda s: _moving_spread(s.values, s.narrow), lambda s: s.narrow // 2
    ),
    "calm": OneLiner(
        "-std(x, w)", lambda s: -_moving_spread(s.values, s.narrow), lambda s: s.narrow // 2
    ),
    "constant run": OneLiner("points since x last changed", _constant_run, lambda _: 1),
    "far from the moving median": OneLiner(
        "abs(x - median(x, w))",
        lambda s: np.abs(s.values - _moving_median(s.values, s.narrow)), lambda _: 1,
    ),
    "level": OneLiner(
        "abs(mean(x, W) - median(x))",
        lambda s: np.abs(_moving_mean(s.values, s.wide) - np.median(s.values)),
        lambda s: s.wide // 2,
    ),
    "spread, wide": OneLiner(
        "std(x, W)", lambda s: _moving_spread(s.values, s.wide), lambda s: s.wide // 2
    ),
    "unlike one period ago": _ONE_PERIOD_AGO,
}  # fmt: skip
"""The family, by name, in a fixed order."""
