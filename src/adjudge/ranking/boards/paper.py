"""A ranking as the table of a paper: each metric with its interval and its own comparison."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from adjudge.errors import AdjudgeError
from adjudge.judging.words.short_names import LOWER, settings_in_words
from adjudge.judging.words.thresholds import ORACLE
from adjudge.noise.assumptions import clause, with_clause
from adjudge.noise.null_models import assumed_by
from adjudge.noise.p_values import CLEAR
from adjudge.ranking.boards.board import adjusted_against, metric_names, ordered
from adjudge.ranking.collected import is_baseline, printed
from adjudge.tables.paper import PaperValue, marks_in_words, paper_column, paper_layout

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from adjudge.ranking.boards.board import Ranked
    from adjudge.tables.table import Layout, TableColumn

    Line = dict[str, Any]


def paper(ranking: Ranked, metric: str, order_by: str = "mean_rank", digits: int = 3) -> Layout:
    """Lay the ranking out for a paper: the order is that of one metric, marks are of each."""
    order = [line["detector"] for line in ordered(ranking, metric, order_by)]
    lines = {(line["metric"], line["detector"]): line for line in ranking.leaderboard}
    titles, columns = metric_names(ranking.metrics), []
    for spec in [metric, *(one for one in ranking.metrics if one != metric)]:
        lower = ranking.better[spec] == "lower"
        values = {name: _value(lines[spec, name], digits) for name in order}
        columns.append(paper_column(
            f"{titles[spec]} {LOWER}" if lower else titles[spec], values,
            partial(_tied_with, ranking, spec), lower=lower,
        ))  # fmt: skip
    below = sum(math.isnan(lines[metric, name]["mean_rank"]) for name in order)
    names = [printed(ranking.detectors)[name] for name in order]
    return paper_layout(
        names, columns, _caption(ranking, metric, columns), below if below < len(order) else 0
    )


def _tied_with(ranking: Ranked, metric: str, best: str) -> set[str]:
    """Who differs from the best by no more than luck explains, or in an unknown way."""
    against = adjusted_against(ranking, metric, best)
    return {name for name in ranking.detectors if not against.get(name, math.nan) <= CLEAR}


def _value(line: Line, digits: int) -> PaperValue:
    mean, low = line["mean"], line["low"]
    return PaperValue(
        mean,
        "" if math.isnan(mean) else f"{mean:.{digits}f}",
        "" if math.isnan(low) else f"[{low:.{digits}f}, {line['high']:.{digits}f}]",
        ranked=not math.isnan(line["mean_rank"]) and not is_baseline(line["detector"]),
        blind=bool(line["tested"]) and not line["p_adjusted"] <= CLEAR,
    )


def _caption(ranking: Ranked, metric: str, columns: list[TableColumn]) -> Iterator[str]:
    """Series, unit of evidence, marks, settings, thresholds, and who is not ranked."""
    lines = ranking.leaderboard
    evidence = next((line for line in lines if line["evidence"]), None)
    groups = {ranking.group_of(series) for series in ranking.series} - {""}
    sets = f" of {len(groups)} data set{'s' * (len(groups) > 1)}" if groups else ""
    interval = ", with its 95 % interval" * any(column.small for column in columns)
    yield f"mean over {len(ranking.series):,} series{sets}{interval}"
    unit = "series"
    if evidence is not None:
        unit = "data sets" if evidence["unit"] == "dataset" else "series"
        yield f"unit of evidence: {unit} ({evidence['evidence']})"
    kind = "series" if unit == "series" else "dataset"
    tied = with_clause(f"t test over {unit}, Holm, {CLEAR}", clause(kind))
    name = ranking.about.get("null", "")
    blind = with_clause(f"Holm, {CLEAR}", assumed_by(name, apart=True))
    null = f"null model: {name}; " if name else ""
    yield from marks_in_words(columns, tied, f"{null}{blind}")
    yield from _settings(ranking)
    if "thresholds" in ranking.about:
        yield f"thresholds: {ranking.about['thresholds']}"
    if any(LOWER in column.title for column in columns):
        yield f"{LOWER}: lower is better"
    if any(line["metric"] == metric and math.isnan(line["mean_rank"]) for line in lines):
        yield f"not ranked: less than {100 * ranking.min_coverage:.4g} % of the series"


def _settings(ranking: Ranked) -> Iterator[str]:
    """How each metric was asked for, and what was resolved from the labels of each series."""
    names = metric_names(ranking.metrics)
    resolved: dict[str, dict[str, None]] = {}
    for row in ranking.each_result():
        resolved.setdefault(row["requested"], {})[row["metric"]] = None
    try:
        told = {names[spec]: settings_in_words(found) for spec, found in resolved.items()}
    except AdjudgeError:  # of stored values metrics may be called anything
        told = {}
    if any(told.values()):
        yield f"settings: {'; '.join(f'{name}: {said}' for name, said in told.items() if said)}"
    if any(spec.startswith("best(") for spec in ranking.metrics):
        yield ORACLE
