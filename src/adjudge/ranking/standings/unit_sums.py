"""Unit sums: what each unit of evidence adds to the means of detectors.

Units are data sets if they are known, else series. A unit with many series weighs more. By how much
a mean moves with one unit is its influence; with its share h of the series its error is that over
the root of 1 - h, so that the squares of all errors add up to the variance of the mean [1]_.

References
----------
.. [1] J. G. MacKinnon and H. White (1985). Some heteroskedasticity-consistent covariance matrix
   estimators with improved finite sample properties. Journal of Econometrics 29(3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.intervals import bincount
from adjudge.noise.intervals.evidence import MOST_OF_ALL
from adjudge.noise.intervals.units import FEWEST

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats


class UnitSums(NamedTuple):
    """What the units of evidence add to the means of the detectors."""

    sums: Floats
    """A row per unit, a column per detector."""
    sizes: Floats
    """How many series each unit has."""
    names: list[str]

    @classmethod
    def of(cls, values: Floats, groups: Array | None) -> UnitSums:
        """Sum rows by their data set; without data sets each row is a unit."""
        labels = np.arange(len(values)).astype(str) if groups is None else groups
        names, number = np.unique(labels.astype(str), return_inverse=True)
        sums = np.zeros((len(names), values.shape[1]))
        np.add.at(sums, number, values)
        sizes = bincount(number, minlength=len(names)).astype(np.float64)
        return cls(sums, sizes, names.tolist())

    @property
    def are_enough(self) -> bool:
        """Whether they say anything of others: three units, none of which has nearly all series."""
        return len(self.names) >= FEWEST and float(self.shares.max()) <= MOST_OF_ALL

    @property
    def shares(self) -> Floats:
        """The share of the series that each unit has."""
        return np.asarray(self.sizes / self.sizes.sum())

    @property
    def df(self) -> float:
        """The degrees of freedom of the variance of a mean: those of so many equal units."""
        return 1 / float((self.shares**2).sum()) - 1

    @property
    def means(self) -> Floats:
        """The mean of each detector over all series."""
        return np.asarray(self.sums.sum(axis=0) / self.sizes.sum())

    @property
    def errors(self) -> Floats:
        """The error that each unit adds to each mean."""
        moved = (self.sums - self.sizes[:, np.newaxis] * self.means) / self.sizes.sum()
        return np.asarray(moved / np.sqrt(1 - self.shares)[:, np.newaxis])

    def means_without(self) -> Floats:
        """The means of the detectors without each unit, a row per unit."""
        rest = (self.sizes.sum() - self.sizes)[:, np.newaxis]
        return np.asarray((self.sums.sum(axis=0) - self.sums) / rest)
