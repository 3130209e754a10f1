"""p-values: how often luck does as well."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from adjudge.checks import word

if TYPE_CHECKING:
    from adjudge._typing import Array, Floats

TIE = 1e-12
"""Values that lie no further apart are equal: rounding must not decide a test."""


class NullValues(NamedTuple):
    """What luck scores."""

    values: Floats
    """The metric's values on the shifts that were made, without that on no shift at all."""
    exact: bool
    """Whether all shifts were made; else they were drawn."""

    @property
    def size(self) -> int:
        """How many shifts were made; when they are all, the unshifted one is among them."""
        return self.values.size + self.exact


def p_value(value: float, null: Array, better: Literal["higher", "lower"] = "higher") -> float:
    r"""Say how often luck does as well: small means that luck hardly ever does.

    .. math:: p = \frac{1 + \#\{k : v_k \ge v\}}{1 + K}

    The value counts as one of its own null, so ``p`` is never 0 and at most a share ``p`` of
    label-blind detectors gets one this small. With the values on all other shifts it is exactly
    the share of shifts that do as well. Shifts on which the metric is undefined are left out.

    Parameters
    ----------
    value : float
        What the detector scores. NaN gives NaN.
    null : array
        What it scores on ``K`` other shifts.
    better : "higher" or "lower"
        Which side of the null is the good one.

    Returns
    -------
    float
        A share in (0, 1], or NaN.

    Examples
    --------
    >>> p_value(0.9, [0.1, 0.5, 0.9, 0.2])
    0.4
    >>> p_value(0.9, [0.1, 0.5, 0.9, 0.2], better="lower")
    1.0
    """
    sign = -1 if word(better, "better", ("higher", "lower")) == "lower" else 1
    if math.isnan(value):
        return math.nan
    defined = np.asarray(null, np.float64)
    defined = defined[~np.isnan(defined)]
    reached = int(np.count_nonzero(defined * sign >= value * sign - TIE))
    return (1 + reached) / (1 + defined.size)


def holm(p_values: Floats) -> Floats:
    """Adjust p-values for their number, so that none is called small by mere repetition.

    Undefined ones stay so and do not count.

    References
    ----------
    .. [1] S. Holm (1979). A Simple Sequentially Rejective Multiple Test Procedure. Scandinavian
       Journal of Statistics 6(2).

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, np.nan, 0.03]))
    array([0.03, 0.06,  nan, 0.06])
    """
    adjusted = np.full(p_values.shape, np.nan)
    order = np.argsort(p_values, kind="stable")[: np.count_nonzero(~np.isnan(p_values))]
    steps = p_values[order] * np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(steps))
    return adjusted
