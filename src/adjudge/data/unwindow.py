"""Turn the scores of windows into scores of points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from adjudge.checks import suggest_keywords, whole, word
from adjudge.data.columns import column, floats, refuse_nan
from adjudge.data.intervals import reduceat
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge._typing import Column, Floats, Positions

Reduce = Literal["mean", "max", "min", "last"]

_MOST_POINTS = 10**8


@suggest_keywords("unwindow")
def unwindow(
    scores: Column,
    window: int,
    stride: int = 1,
    *,
    n: int | None = None,
    reduce: Reduce = "mean",
) -> Floats:
    """Scores per point from scores of windows.

    Window ``i`` covers the points from ``i * stride`` to ``i * stride + window``, half-open. A
    point in the middle lies in several windows and gets their mean (or maximum, minimum, or the
    window that ends last). At both ends fewer windows cover a point, at the very ends one: those
    points get the mean of fewer windows, never a made-up value. Points after the last window, and
    points between windows where the stride is longer than a window, are covered by none and get
    NaN; judge the others with ``missing="skip"``.

    Parameters
    ----------
    scores : column
        One score per window, in the order of time.
    window : int
        Points per window.
    stride : int
        Points from the beginning of one window to that of the next.
    n : int, optional
        How many points there are. Default: as many as the windows reach.
    reduce : {"mean", "max", "min", "last"}
        What to give a point that several windows cover.

    Returns
    -------
    array of float64
        One score per point, NaN where no window reaches.

    Raises
    ------
    InputError
        If the windows are no whole numbers of points, or reach beyond ``n``.

    Examples
    --------
    >>> unwindow([0.0, 1.0, 0.0], window=2)
    array([0. , 0.5, 0.5, 0. ])
    >>> unwindow([0.0, 1.0, 0.0], window=2, reduce="max")
    array([0., 1., 1., 0.])
    >>> unwindow([3.0, 5.0], window=2, stride=3, n=6)
    array([ 3.,  3., nan,  5.,  5., nan])
    """
    window, stride = whole(window, "window", 1), whole(stride, "stride", 1)
    word(reduce, "reduce", ("mean", "max", "min", "last"))
    values = floats(column(scores, "scores"), "scores")
    refuse_nan(values, "scores", "numbers")
    reach = (len(values) - 1) * stride + window
    n = whole(reach if n is None else n, "n", 1, _MOST_POINTS)
    if n < reach:
        raise InputError(
            f"n must be at least {reach}, where the last of {len(values)} windows ends, got {n}"
        )
    points = np.arange(n)
    last = np.minimum(points // stride, len(values) - 1)
    first = np.maximum(-((window - 1 - points) // stride), 0)  # rounded up
    result = np.full(n, np.nan)
    covered = first <= last
    result[covered] = _reduced(values, first[covered], last[covered], reduce)
    return result


def _reduced(values: Floats, first: Positions, last: Positions, reduce: Reduce) -> Floats:
    """Reduce the values from each first to each last one, both included."""
    if reduce == "last":
        return values[last]
    ufunc = {"mean": np.add, "max": np.maximum, "min": np.minimum}[reduce]
    edges = np.stack([first, last + 1], axis=1).ravel()
    with np.errstate(over="ignore", invalid="ignore"):  # beyond the largest number it is infinite
        result: Floats = reduceat(ufunc, np.append(values, 0), edges)[::2]
    return result / (last - first + 1) if reduce == "mean" else result
