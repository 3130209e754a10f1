"""Leaderboard: one line per metric and detector, and what it is made of."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.noise.intervals.means import Mean, mean_of
from adjudge.noise.p_values import CLEAR
from adjudge.noise.pooled_p import Pooled
from adjudge.ranking.chance_verdicts import adjusted, in_words
from adjudge.ranking.collected import (
    DEFINED,
    FAILED,
    MISSING,
    PREFIX,
    RESOURCES,
    UNDEFINED,
    is_baseline,
)
from adjudge.ranking.statistics import STANDING, mean_ranks, p_beyond_baselines, standings_by_rank

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from adjudge._typing import Array, Floats
    from adjudge.ranking.collected import Collected
    from adjudge.ranking.comparable import Comparable

_UNBOUNDED = (-math.inf, math.inf)
_NO_STANDING = dict.fromkeys(STANDING, math.nan)


class Computed(NamedTuple):
    """What needs more than the values of single series, computed when these were judged."""

    pooled: Mapping[tuple[str, str], Mapping[str, float | None]]
    """By run and metric: the value of all series as one, and others."""
    chance: Mapping[tuple[str, str], Pooled]
    """By detector and metric."""
    carried: Mapping[str, Mapping[str, float]] = {}
    """What each detector took, where somebody says so: see `RESOURCES`."""


NOTHING = Computed({}, {})
_STATES = {"undefined": UNDEFINED, "failed": FAILED, "missing": MISSING}


def leaderboard(
    found: Collected,
    metrics: Iterable[str],
    fields: Iterable[Comparable],
    computed: Computed,
) -> list[dict[str, Any]]:
    """The lines of each metric, the best mean rank first; below them those without a rank."""
    lines: list[dict[str, Any]] = []
    for metric, field in zip(metrics, fields, strict=True):
        lines += _lines(found, metric, field, computed)
    return lines


def _lines(
    found: Collected, metric: str, field: Comparable, computed: Computed
) -> list[dict[str, Any]]:
    columns, runs = found.columns(metric), found.runs()
    ranks = dict(zip(field.ranked, mean_ranks(field.complete).tolist(), strict=True))
    standings = standings_by_rank(field)
    tests = {name: computed.chance.get((name, metric), Pooled()) for name in columns.names}
    p_adjusted = adjusted(field, {name: test.p_value for name, test in tests.items()})
    beyond = p_beyond_baselines(field) if field.are_baselines.any() else None
    lines = []
    for place, name in enumerate(columns.names):
        values, states, test = columns.values[:, place], columns.states[:, place], tests[name]
        means = _means(values[field.series], place, found.spans.get(metric, _UNBOUNDED), field)
        line: dict[str, Any] = {
            "metric": metric, "detector": name,
            **{word: means.pop(word) for word in ("mean", "low", "high", "median")},
            "mean_rank": ranks.get(name, math.nan),
            "chance": _chance(found, metric, runs[name]),
            "p_value": test.p_value if test.series else None,
            "p_adjusted": p_adjusted[name] if test.series else None,
            "better_on": test.better_on, "better_on_low": test.better_on_low,
            "series": int(np.count_nonzero(states == DEFINED)),
            "compared_on": int(field.common.sum()) if name in ranks else 0,
            "coverage": float(field.coverage[place]), "tested": test.series, "clocks": test.clocks,
            "least_p": test.least if test.series else None, **means,
            **standings.get(name, _NO_STANDING),
            "macro": _macro(found.groups, values), **_states(states),
            "seeds": len(runs[name]), "seed_sd": _seed_sd(found, metric, runs[name]),
        }  # fmt: skip
        line |= _together(computed.pooled, metric, runs[name], line["mean"])
        line |= _carried(computed.carried, name)
        line |= {} if beyond is None else _beside_baselines(name, beyond)
        lines.append({**line, "verdict": in_words(line, len(field.ranked))})
    return sorted(lines, key=partial(_place, field.sign))


def last(value: float) -> float:
    """Sort what is undefined behind everything else."""
    return math.inf if math.isnan(value) else value


def _place(side: int, line: dict[str, Any]) -> tuple[float, float, str]:
    return last(line["mean_rank"]), last(-side * line["mean"]), line["detector"]


def _means(
    rows: Floats, place: int, span: tuple[float, float], field: Comparable
) -> dict[str, float | int | str]:
    """The mean of a detector by a metric, its interval, and what that rests on."""
    if np.isinf(rows).any():  # no interval holds such a mean
        own = Mean(_mean(rows), math.nan, math.nan, math.nan, "", 0, "a value is infinite")
    else:
        panel = None if field.panel is None else field.panel.of(place)
        own = mean_of(rows, field.groups, span, panel=panel)
    ends = {"low": own.low, "high": own.high}
    here = {"conditional_low": own.conditional_low, "conditional_high": own.conditional_high}
    about: dict[str, float | int | str] = {
        "unit": own.unit,
        "units": own.units,
        "evidence": own.words,
    }
    return {"mean": own.mean, **ends, "median": _median(rows), **here, **about}


def _together(
    pooled: Mapping[tuple[str, str], Mapping[str, float | None]],
    metric: str,
    runs: list[str],
    mean: float,
) -> dict[str, float | None]:
    """What needs all series at once, averaged over the seeds; None where it was not computed."""
    found = [pooled.get((run, metric), {}) for run in runs]
    names = ("pooled", "transferred", "transferred_share")
    own = {name: _mean_of([one.get(name) for one in found]) for name in names}
    moved = own["transferred_share"]
    return {**own, "gap": None if moved is None else mean - moved}


def unknown_resources(
    taken: Mapping[str, Mapping[str, float]], detectors: Collection[str]
) -> list[str]:
    """Who is said to have taken something, and is no detector of the ranking.

    >>> unknown_resources({"a": {}, "b": {}, "c": {}}, ["score_a", "b"])
    ['c']
    """
    known = {*detectors, *(name.removeprefix(PREFIX) for name in detectors)}
    return [name for name in taken if name not in known]


def _carried(taken: Mapping[str, Mapping[str, float]], name: str) -> dict[str, float | None]:
    """What a detector took; whoever measured it need not know the prefix of a score column."""
    own = taken.get(name, taken.get(name.removeprefix(PREFIX), {}))
    return {word: own.get(word) for word in RESOURCES}


def _beside_baselines(name: str, beyond: Mapping[str, float]) -> dict[str, bool | float | None]:
    """Whether a line is one of reference, and if not, whether it is better than all of these."""
    p = beyond.get(name, math.nan)
    known = not math.isnan(p)
    return {
        "baseline": is_baseline(name),
        "beats_baselines": p <= CLEAR if known else None,
        "p_baselines": p if known else None,
    }


def _states(states: Array) -> dict[str, int]:
    return {word: int(np.count_nonzero(states == state)) for word, state in _STATES.items()}


def _seed_sd(found: Collected, metric: str, runs: list[str]) -> float:
    """How far the means of the seeds lie apart; NaN of a single one."""
    means = [_mean(found.cells[run, metric].values) for run in runs if (run, metric) in found.cells]
    return float(np.std(means, ddof=1)) if len(means) > 1 else math.nan


def _chance(found: Collected, metric: str, runs: list[str]) -> float | None:
    """What chance scores on average over the series; None where nobody asked."""
    own = [found.cells[run, metric].chance for run in runs if (run, metric) in found.cells]
    known = [_mean(values) for values in own if not np.isnan(values).all()]
    return float(np.mean(known)) if known else None


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    with np.errstate(invalid="ignore"):  # infinite values of both signs have no mean
        return float(defined.mean()) if defined.size else math.nan


def _mean_of(values: list[float | None]) -> float | None:
    """The mean of what was computed, if anything was."""
    computed = [value for value in values if value is not None]
    return _mean(np.array(computed)) if computed else None


def _median(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    with np.errstate(invalid="ignore"):  # nor a median between them
        return float(np.median(defined)) if defined.size else math.nan


def _macro(groups: list[str], values: Floats) -> float:
    """The mean of the groups' means."""
    of_series = np.array(groups, object)
    means = [_mean(values[of_series == group]) for group in sorted(set(groups))]
    return _mean(np.array(means))
