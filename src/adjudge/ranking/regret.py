r"""Regret of a selector: of what chooses a detector for each series, as automatic selection does.

With :math:`x_{sd}` the value of detector d on series s (higher is better) and c(s) the chosen one:

.. math::

    \text{to the best} = \frac1S \sum_s \Big(\max_d x_{sd} - x_{s c(s)}\Big), \qquad
    \text{to the best single} = \max_d \frac1S \sum_s \big(x_{sd} - x_{s c(s)}\big)

The first is 0 for a selector that is right on every series, and never below 0. The second is below
0 where choosing pays: no single detector is as good on all series. Their difference is what a
perfect selector would gain; the share of it that this one gains is the closed gap [1]_.

The best single detector is the winner of a comparison, so its lead is lucky. The interval is
that of the largest of the true mean differences: its high end is the largest high end of all
detectors, for the truly best one lies below its own; its low end is the largest of low ends that
hold for all detectors at once (Bonferroni). A selector that nearly always takes the best single
detector differs from it on few series: then there is no interval.

References
----------
.. [1] M. Lindauer, J. N. van Rijn, L. Kotthoff (2019). The Algorithm Selection Competitions 2015
   and 2017. Artificial Intelligence 272.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.errors import InputError, UnknownName, first_few, visible
from adjudge.noise.intervals.means import mean_differences, mean_of
from adjudge.tables.result import TabledResult
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Array, Floats, Positions
    from adjudge.ranking.comparable import Comparable

_LEVEL = 0.95
_SAME = 1e-12
_FEWEST = 10
"""Series on which the selector and the best single detector must differ, if they do so on less than
half: of rare differences an interval knows too little."""


@dataclass(frozen=True, eq=False)
class Regret(TabledResult):
    """What a selector gives away, and what it gains on the best single detector.

    Attributes
    ----------
    metric : str
        By which values are compared.
    mean, best, single : float
        The mean value of the selector, of the best detector of each series, and of the best single
        detector.
    detector : str
        The best single detector.
    to_best, to_best_low, to_best_high : float
        The regret to the best detector of each series, with its 95 % interval.
    to_single, to_single_low, to_single_high : float
        The regret to the best single detector, with its 95 % interval; below 0: choosing pays.
    closed : float
        The share of the gap from the best single detector to the best of each series that the
        selector closes; NaN where there is none.
    series, of : int
        On how many series of how many all detectors, and the selector, have a value.
    evidence : str
        What the intervals rest on, or why there are none.
    chosen : dict
        How often each detector was chosen.

    Examples
    --------
    >>> from adjudge.ranking.values import rank_values
    >>> values = {"series": [*"abcd"] * 2, "detector": ["lof"] * 4 + ["mine"] * 4,
    ...           "value": [0.5, 0.9, 0.4, 0.8, 0.7, 0.3, 0.6, 0.6]}
    >>> found = rank_values(values).regret({"a": "mine", "b": "lof", "c": "mine", "d": "mine"})
    >>> print(f"{found.to_best:.2f} to the best, {found.to_single:.2f} to {found.detector}")
    0.05 to the best, -0.05 to lof
    """

    metric: str
    mean: float
    best: float
    single: float
    detector: str
    to_best: float
    to_best_low: float
    to_best_high: float
    to_single: float
    to_single_low: float
    to_single_high: float
    closed: float
    series: int
    of: int
    evidence: str
    chosen: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, with the sentences."""
        return {**asdict(self), "sentences": list(self.layout().verdicts)}

    def columns(self) -> dict[str, list[Any]]:
        """A row of each regret, as columns by name."""
        return {
            "against": ["best of each series", self.detector],
            "value": [self.best, self.single],
            "regret": [self.to_best, self.to_single],
            "low": [self.to_best_low, self.to_single_low],
            "high": [self.to_best_high, self.to_single_high],
        }

    def layout(self) -> Layout:
        """Lay both regrets out, and what they amount to."""
        cells = zip(*self.columns().values(), strict=True)
        rows = [
            [f"best single: {visible(name)}" * number or name, *map(_number, numbers[:2]),
             _interval(*numbers[2:])]
            for number, (name, *numbers) in enumerate(cells)
        ]  # fmt: skip
        head = ["against", "its mean", "regret", "95 % interval"]
        title = f"a selector with {self.metric} {_number(self.mean)}"
        return Layout((Table.of(head, rows, title),), verdicts=(self._verdict(),))

    def _verdict(self) -> str:
        on = f"{self.series:,} of {self.of:,} series; intervals: {self.evidence}"
        name = visible(self.detector)
        pays = f"the selector does not differ significantly from {name} alone"
        if self.to_single_high < 0:
            pays = f"the selector is better than {name}, the best single detector"
        if self.to_single_low > 0:
            pays = f"the selector is worse than {name}, the best single detector"
        gap = "" if math.isnan(self.closed) else f"; it closes {100 * self.closed:.0f} % of the gap"
        return f"{pays}{gap} ({on})"


def regret_of(
    field: Comparable,
    metric: str,
    names: Sequence[str],
    selection: Mapping[str, str],
    span: tuple[float, float],
) -> Regret:
    """The regret of a selector by the values of a ranking.

    Parameters
    ----------
    field : Comparable
        The values, higher being better.
    metric : str
        What they are called.
    names : sequence of str
        The names of all series.
    selection : mapping of str to str
        The chosen detector of each series.
    span : pair of float
        The lowest and the highest value that there can be.
    """
    rows = field.common & np.isfinite(field.values[:, field.is_ranked]).all(axis=1)
    if not (field.ranked and rows.any()):
        raise InputError(
            f"regret needs a series on which all ranked detectors have {metric}, got none of "
            f"{len(names)}"
        )
    values, groups = field.values[rows][:, field.is_ranked], field.groups_of(rows)
    places = _places(selection, [names[k] for k in field.series[rows].tolist()], field.ranked)
    own = values[np.arange(len(values)), places]
    to_best = mean_of(values.max(axis=1) - own, groups, (0.0, span[1] - span[0]))
    ahead = values - own[:, np.newaxis]
    single, means, mean = _single(ahead, groups), values.mean(axis=0), float(own.mean())
    best = int(np.argmax(means))
    gap = to_best.mean - single.mean
    chosen = Counter(field.ranked[place] for place in places.tolist())
    return Regret(
        metric, field.sign * mean, field.sign * (mean + to_best.mean),
        field.sign * float(means[best]), field.ranked[best],
        to_best.mean, to_best.low, to_best.high, single.mean, single.low, single.high,
        -single.mean / gap if gap > _SAME else math.nan, len(own), len(field.series),
        "; ".join(filter(None, [to_best.words, single.why])),
        dict(chosen.most_common()),
    )  # fmt: skip


def _places(
    selection: Mapping[str, str], series: Sequence[str], detectors: Sequence[str]
) -> Positions:
    """The column of the chosen detector of each series."""
    missing = [name for name in series if name not in selection]
    if missing:
        raise InputError(
            f"selection must name a detector for every series, got none for {first_few(missing, 3)}"
        )
    number = {name: place for place, name in enumerate(detectors)}
    for name in series:
        if selection[name] not in number:
            raise UnknownName("detector", selection[name], number)
    return np.array([number[selection[name]] for name in series], np.int64)


class _Lead(NamedTuple):
    """By how much the best single detector is ahead of the selector."""

    mean: float
    low: float
    high: float
    why: str
    """Why there is no interval, where too few series tell."""


def _single(ahead: Floats, groups: Array | None) -> _Lead:
    """The largest of the mean leads over the selector, a column each, with its interval."""
    every = mean_differences(ahead, groups, _LEVEL)
    at_once = mean_differences(ahead, groups, 1 - (1 - _LEVEL) / len(every))
    apart = np.count_nonzero(ahead, axis=0)
    best = int(np.argmax([one.mean for one in every]))
    ends = np.array([(one.low, each.high) for one, each in zip(at_once, every, strict=True)])
    few = apart < min(_FEWEST, len(ahead) / 2)
    known = ends[~few].max(axis=0) if not few[best] else np.full(2, np.nan)
    low, high = known.tolist()  # NaN where any has no interval
    why = (
        (f"it differs from the best single detector on only {apart[best]} series")
        if few[best]
        else ""
    )
    return _Lead(every[best].mean, low, high, why)


def _number(value: float) -> str:
    return f"{value:.4f}"


def _interval(low: float, high: float) -> str:
    return "" if math.isnan(low) else f"{low:.4f} to {high:.4f}"
