"""The mean of values over several lines that share their time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count.tally import Tally  # noqa: TC001 - for the examples

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Floats


def mean_of_lines(values: Floats) -> Floats:
    """The mean along the last axis of what is defined; undefined where nothing is.

    >>> mean_of_lines(np.array([[0.5, np.nan, 1.0], [np.nan, np.nan, np.nan]]))
    array([0.75,  nan])
    """
    known = ~np.isnan(values)
    count = np.count_nonzero(known, axis=-1)
    sums = np.where(known, values, 0.0).sum(axis=-1)
    return np.asarray(np.where(count > 0, sums / np.maximum(count, 1), np.nan))


@dataclass(frozen=True)
class MeanOfLines:
    """The mean of a measure over lines, which are the last axis of the masses.

    >>> from adjudge.measure.rates import recall
    >>> tally = Tally(*(np.array(masses) for masses in ([1, 0], [1, 3], [1, 0], [1, 0], [9, 9])))
    >>> MeanOfLines(recall)(tally)
    array(0.5)
    """

    measure: Callable[[Tally], Any]

    def __call__(self, tally: Tally) -> Floats:
        """Measure each line."""
        return mean_of_lines(np.asarray(self.measure(tally), np.float64))


def of_one_line(measure: Callable[[Tally], Any]) -> Callable[[Tally], Any]:
    """The measure of one line that another one is made of."""
    return measure.measure if isinstance(measure, MeanOfLines) else measure
