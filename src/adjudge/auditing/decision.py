"""Decision: draw noise until it is clear whether any of several means exceeds a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.auditing.result import FAIL, PASS, UNDECIDED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Array, Floats
    from adjudge.auditing.confidence import Interval
    from adjudge.auditing.drawn_cases import Setting
    from adjudge.auditing.result import Outcome
    from adjudge.auditing.run import Run


def outcome_of(low: float, high: float, bound: float) -> Outcome:
    """Outcome of an interval beside the largest value allowed.

    >>> outcome_of(0.1, 0.2, 0.5), outcome_of(0.4, 0.6, 0.5), outcome_of(0.6, 0.7, 0.5)
    ('pass', 'undecided', 'fail')
    """
    return PASS if high <= bound else FAIL if low > bound else UNDECIDED


class Decision(NamedTuple):
    """Outcome of several comparisons, and the mean of each when it was last looked at."""

    outcome: Outcome
    means: Floats
    trials: int


def run_until_decided(
    run: Run,
    setting: Setting,
    comparisons: Sequence[tuple[int, ...]],
    excess: Callable[..., Floats],
    bound: float,
    interval: Callable[[Floats, int], Interval] | None = None,
) -> Decision:
    """Decision whether any comparison exceeds a bound, on noise that is drawn until this is clear.

    A comparison is a formula of some columns of the noise. One that is surely below its bound is
    dropped, and its columns are drawn no further.
    """
    interval = interval or run.confidence.mean_interval
    means = np.full(len(comparisons), np.nan)
    left = list(range(len(comparisons)))
    there = 0
    for trials in run.effort.looks():
        columns = sorted({column for place in left for column in comparisons[place]})
        noise = run.noise(setting, trials, columns)
        if not len(noise):
            break
        parts = [excess(*(noise[:, column] for column in comparisons[place])) for place in left]
        table = np.stack(parts, axis=1)
        if np.isnan(table).all():  # nothing is defined
            break
        found = interval(table, len(comparisons))
        means[left] = found.mean
        there = len(noise)
        if (found.low > bound).any():
            return Decision(FAIL, means, there)
        left = [place for place, high in zip(left, found.high, strict=True) if high > bound]
        if not left:
            return Decision(PASS, means, there)
        if there < trials:
            break
    return Decision(UNDECIDED, means, there)


def largest(values: Array) -> float:
    """Largest value that is defined; NaN if none is."""
    there = values[~np.isnan(values)]
    return float(there.max()) if there.size else float("nan")
