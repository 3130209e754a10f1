"""Leaderboard: one line per metric and detector, and what it is made of."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.ranking.collected import DEFINED, FAILED, MISSING, UNDEFINED
from adjudge.ranking.comparable import Comparable
from adjudge.ranking.statistics import bootstrap_means, mean_ranks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adjudge._typing import Array, Floats
    from adjudge.ranking.collected import Collected

_CLEAR = 0.05
_STATES = {"undefined": UNDEFINED, "failed": FAILED, "missing": MISSING}


def leaderboard(
    found: Collected,
    metrics: Iterable[str],
    pooled: Mapping[tuple[str, str], Mapping[str, float | None]],
    min_coverage: float,
    seed: int,
) -> list[dict[str, Any]]:
    """The lines of each metric, the best mean rank first; below them those without a rank."""
    lines: list[dict[str, Any]] = []
    adjusted = found.p_adjusted()
    for metric in metrics:
        columns, field = found.columns(metric), Comparable.of(found, metric, min_coverage)
        ranks = dict(zip(field.ranked, mean_ranks(field.complete).tolist(), strict=True))
        intervals = bootstrap_means(columns.values, seed)
        part = []
        for place, (name, runs) in enumerate(found.runs().items()):
            values = columns.values[:, place]
            means = _means(found, values, intervals[place])
            line = {"metric": metric, "detector": name, **means}
            line |= {"mean_rank": ranks.get(name, math.nan)}
            line |= {
                "series": int(np.count_nonzero(columns.states[:, place] == DEFINED)),
                "compared_on": int(field.common.sum()) if name in ranks else 0,
                "coverage": float(field.coverage[place]),
            }
            line |= _together(pooled, metric, runs, means["mean"])
            line |= _counts(found, metric, runs, adjusted) | _states(columns.states[:, place])
            line |= {"seeds": len(runs), "seed_sd": _seed_sd(found, metric, runs)}
            part.append(line)
        lines += sorted(part, key=partial(_place, sign(found, metric)))
    return lines


def sign(found: Collected, metric: str) -> int:
    """1 where higher values of a metric are better, else -1."""
    return 1 if found.better[metric] == "higher" else -1


def last(value: float) -> float:
    """Sort what is undefined behind everything else."""
    return math.inf if math.isnan(value) else value


def _place(side: int, line: dict[str, Any]) -> tuple[float, float, str]:
    return last(line["mean_rank"]), last(-side * line["mean"]), line["detector"]


def _means(found: Collected, values: Floats, interval: tuple[float, float]) -> dict[str, float]:
    """The means of a detector by a metric."""
    low, high = interval
    means = {"mean": _mean(values), "low": low, "high": high, "median": _median(values)}
    return {**means, "macro": _macro(found.groups, values)}


def _together(
    pooled: Mapping[tuple[str, str], Mapping[str, float | None]],
    metric: str,
    runs: list[str],
    mean: float,
) -> dict[str, float | None]:
    """What needs all series at once, averaged over the seeds; None where it was not computed."""
    found = [pooled.get((run, metric), {}) for run in runs]
    whole, moved = (_mean_of([one.get(key) for one in found]) for key in ("pooled", "transferred"))
    return {"pooled": whole, "transferred": moved, "gap": None if moved is None else mean - moved}


def _counts(
    found: Collected, metric: str, runs: list[str], adjusted: Mapping[tuple[str, str], Floats]
) -> dict[str, Any]:
    """Count series by what chance makes of them."""
    have = [run for run in runs if (run, metric) in found.cells]
    cells = [found.cells[run, metric] for run in have]
    after = [adjusted[run, metric] for run in have]
    return {
        "beats_chance": sum(int(np.sum(p <= _CLEAR)) for p in after),
        "beats_chance_alone": sum(int(np.sum(cell.p_values <= _CLEAR)) for cell in cells),
        "tested": sum(int(np.sum(~np.isnan(p))) for p in after),
    }


def _states(states: Array) -> dict[str, int]:
    return {word: int(np.count_nonzero(states == state)) for word, state in _STATES.items()}


def _seed_sd(found: Collected, metric: str, runs: list[str]) -> float:
    """How far the means of the seeds lie apart; NaN of a single one."""
    means = [_mean(found.cells[run, metric].values) for run in runs if (run, metric) in found.cells]
    return float(np.std(means, ddof=1)) if len(means) > 1 else math.nan


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else math.nan


def _mean_of(values: list[float | None]) -> float | None:
    """The mean of what was computed, if anything was."""
    computed = [value for value in values if value is not None]
    return _mean(np.array(computed)) if computed else None


def _median(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(np.median(defined)) if defined.size else math.nan


def _macro(groups: list[str], values: Floats) -> float:
    """The mean of the groups' means."""
    of_series = np.array(groups, object)
    means = [_mean(values[of_series == group]) for group in sorted(set(groups))]
    return _mean(np.array(means))
