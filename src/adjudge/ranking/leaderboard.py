"""Leaderboard: one line per metric and detector, and what it is made of."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.metrics.reader import metric as read_metric
from adjudge.ranking.collected import DEFINED, FAILED, MISSING, UNDEFINED, Collected
from adjudge.ranking.statistics import bootstrap_means, complete, mean_ranks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adjudge._typing import Floats

_CLEAR = 0.05
_STATES = {"series": DEFINED, "undefined": UNDEFINED, "failed": FAILED, "missing": MISSING}


def leaderboard(
    found: Collected,
    metrics: Iterable[str],
    pooled: Mapping[tuple[str, str], Mapping[str, float | None]],
    seed: int,
) -> list[dict[str, Any]]:
    """The lines of each metric, the best mean rank first."""
    lines: list[dict[str, Any]] = []
    adjusted = found.p_adjusted()
    for metric in metrics:
        _, values = found.matrix(metric)
        names, compared = comparable(found, metric)
        ranks = dict(zip(names, mean_ranks(compared).tolist(), strict=True))
        intervals = bootstrap_means(values, seed)
        part = []
        for place, (name, runs) in enumerate(found.runs().items()):
            means = _means(found, values[:, place], intervals[place])
            line = {"metric": metric, "detector": name, **means}
            line |= _together(pooled, metric, runs, means["mean"])
            line |= {"mean_rank": ranks.get(name, math.nan)}
            part.append(line | _counts(found, metric, runs, adjusted))
        lines += sorted(part, key=partial(_place, _sign(metric)))
    return lines


def comparable(found: Collected, metric: str) -> tuple[list[str], Floats]:
    """The detectors that have values, on the series that all of these have; higher is better."""
    names, values = found.matrix(metric)
    kept = np.flatnonzero((~np.isnan(values)).any(axis=0))
    return [names[place] for place in kept], _sign(metric) * complete(values[:, kept])


def _sign(metric: str) -> int:
    return 1 if read_metric(metric).row.better == "higher" else -1


def last(value: float) -> float:
    """Sort what is undefined behind everything else."""
    return math.inf if math.isnan(value) else value


def _place(sign: int, line: dict[str, Any]) -> tuple[float, float, str]:
    return last(line["mean_rank"]), last(-sign * line["mean"]), line["detector"]


def _means(found: Collected, values: Floats, interval: tuple[float, float]) -> dict[str, float]:
    """The means of a detector by a metric."""
    low, high = interval
    means = {"mean": _mean(values), "low": low, "high": high, "median": _median(values)}
    return {**means, "macro": _macro(found.series, values)}


def _together(
    pooled: Mapping[tuple[str, str], Mapping[str, float | None]],
    metric: str,
    runs: list[str],
    mean: float,
) -> dict[str, float]:
    """What needs all series at once, averaged over the seeds of a detector."""
    found = [pooled.get((run, metric), {}) for run in runs]
    whole, moved = (
        _mean(np.array([math.nan if (v := one.get(key)) is None else v for one in found]))
        for key in ("pooled", "transferred")
    )
    return {"pooled": whole, "transferred": moved, "gap": mean - moved}


def _counts(
    found: Collected, metric: str, runs: list[str], adjusted: Mapping[tuple[str, str], Floats]
) -> dict[str, Any]:
    """Count series by what became of them."""
    have = [run for run in runs if (run, metric) in found.cells]
    cells = [found.cells[run, metric] for run in have]
    after = [adjusted[run, metric] for run in have]
    states = {word: sum(cell.count(state) for cell in cells) for word, state in _STATES.items()}
    states["missing"] += len(found.series) * (len(runs) - len(have))
    return {
        "beats_chance": sum(int(np.sum(p <= _CLEAR)) for p in after),
        "beats_chance_alone": sum(int(np.sum(cell.p_values <= _CLEAR)) for cell in cells),
        "tested": sum(int(np.sum(~np.isnan(p))) for p in after),
        **states,
        "seeds": len(runs),
        "seed_sd": _spread([_mean(cell.values) for cell in cells]),
    }


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else math.nan


def _median(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(np.median(defined)) if defined.size else math.nan


def _macro(series: list[str], values: Floats) -> float:
    """The mean of the groups' means."""
    groups = np.array([name.rpartition("/")[0] for name in series], object)
    means = [_mean(values[groups == group]) for group in sorted(set(groups.tolist()))]
    return _mean(np.array(means))


def _spread(means: list[float]) -> float:
    return float(np.std(means, ddof=1)) if len(means) > 1 else math.nan
