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


class Comparison(NamedTuple):
    """Columns of the noise of one setting, from which one number per trial is made."""

    setting: Setting
    columns: tuple[int, ...]


def run_until_decided(
    run: Run,
    comparisons: Sequence[Comparison],
    excess: Callable[..., Floats],
    bound: float,
    interval: Callable[[Floats, int], Interval] | None = None,
) -> Decision:
    """Decision whether any comparison exceeds a bound, on noise that is drawn until this is clear.

    One that is surely below its bound is dropped, and its columns are drawn no further.
    """
    interval = interval or run.confidence.mean_interval
    means = np.full(len(comparisons), np.nan)
    left = list(range(len(comparisons)))
    there = 0
    for trials in run.effort.looks():
        undecided: list[int] = []
        late = False
        for setting in dict.fromkeys(comparisons[place].setting for place in left):
            places = [place for place in left if comparisons[place].setting == setting]
            table = _trial_table(run, trials, [comparisons[place] for place in places], excess)
            if np.isnan(table).all():  # no time, or nothing is defined
                undecided += places
                late = True
                continue
            found = interval(table, len(comparisons))
            means[places] = found.mean
            there = len(table)
            late = late or there < trials
            if (found.low > bound).any():
                return Decision(FAIL, means, there)
            undecided += [p for p, high in zip(places, found.high, strict=True) if high > bound]
        left = undecided
        if not left:
            return Decision(PASS, means, there)
        if late:
            break
    return Decision(UNDECIDED, means, there)


def _trial_table(
    run: Run, trials: int, comparisons: Sequence[Comparison], excess: Callable[..., Floats]
) -> Floats:
    """One row per trial, one column per comparison; all of one setting."""
    columns = sorted({column for one in comparisons for column in one.columns})
    noise = run.noise(comparisons[0].setting, trials, columns)
    parts = [excess(*(noise[:, column] for column in one.columns)) for one in comparisons]
    return np.stack(parts, axis=1)


def largest(values: Array) -> float:
    """Largest value that is defined; NaN if none is."""
    there = values[~np.isnan(values)]
    return float(there.max()) if there.size else float("nan")
