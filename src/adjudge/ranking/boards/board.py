"""Board: a ranking as people read it, a table and the sentences that explain it.

The same table is printed, and written as Markdown, LaTeX and HTML: one line per detector, the best
of each column in bold, and below a rule those that have too few series to be ranked.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol

from adjudge.errors import AdjudgeError, InputError, UnknownName, first_few, shown
from adjudge.judging.words.short_names import unique_names
from adjudge.noise.assumptions import clause
from adjudge.noise.null_models import ShiftedNull, assumed_by
from adjudge.noise.p_values import CLEAR
from adjudge.ranking.collected import BASELINE, RESOURCES, is_baseline, printed
from adjudge.ranking.standings.first_place import first_words
from adjudge.tables.look import percent
from adjudge.tables.table import Layout, Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from adjudge.ranking.comparable import Unit

    Line = dict[str, Any]

_NAMED = 5
"""Detectors up to which those are named that are better than chance."""
_SHOWN = 12
"""Pairs of detectors, or names, up to which they are listed."""
_DATA_SETS = 40
"""Data sets up to which each has a line."""
_LOWER = frozenset({"mean_rank", "p_value", "p_adjusted", "p_baselines", "place_low", "place_high",
                    "undefined", "failed", "missing", "gap", *RESOURCES})  # fmt: skip
"""Columns of which low values come first."""
_HOW_TO_FILL = {
    **dict.fromkeys(RESOURCES, "; give resources= (--resources FILE)"),
    "pooled": "; give pooled=True (--pooled)",
}
"""What to do for a column that has no value."""
_NO_ORDER = frozenset({"metric", "evidence", "unit", "verdict", "baseline", "beats_baselines"})


class Ranked(Protocol):
    """What boards and pages are made of: a `Ranking`."""

    detectors: list[str]
    metrics: list[str]
    series: list[str]
    better: Mapping[str, str]
    spans: Mapping[str, tuple[float, float]]
    min_coverage: float
    unit: Unit
    about: dict[str, Any]
    on_clocks: dict[str, int]

    @property
    def unknown_resources(self) -> list[str]:
        """Detectors that the resources name, and that are not ranked."""

    @property
    def main_metric(self) -> str:
        """The metric that the order is by."""

    @property
    def agreement(self) -> Sequence[Mapping[str, Any]]:
        """A row per pair of metrics: one, other, tau."""

    @property
    def results(self) -> Sequence[Mapping[str, Any]]:
        """A row per series, detector and metric: value."""

    @property
    def leaderboard(self) -> list[Line]:
        """A line per metric and detector."""

    @property
    def groups(self) -> list[Line]:
        """The leaderboard of each data set."""

    @property
    def comparisons(self) -> list[Line]:
        """Each two detectors."""

    @property
    def critical_difference(self) -> list[Line]:
        """A row per metric."""

    @property
    def winners(self) -> list[Line]:
        """Who comes first without each data set."""

    @property
    def flips(self) -> list[Line]:
        """Pairs whose order depends on the metric."""

    def each_result(self) -> Iterator[Line]:
        """A line per series, detector and metric."""

    def values_of(self, detector: str, metric: str) -> dict[str, float]:
        """The values of a detector by series."""

    def group_of(self, series: str) -> str:
        """The data set of a series."""

    def submission(self, detector: str, metric: str | None = None) -> list[Line]:
        """One detector against each other one."""


def board(ranking: Ranked, metric: str, order_by: str = "mean_rank", digits: int = 3) -> Layout:
    """Lay out the leaderboard of a metric, with a column for each other one."""
    lines = ordered(ranking, metric, order_by)
    count = sum(not is_baseline(name) for name in ranking.detectors)
    title = (
        f"{count:,} detector{'s' * (count != 1)} on {len(ranking.series):,} series"
        f"{_against_chance(ranking, lines)}"
    )
    below = sum(1 for line in lines if math.isnan(line["mean_rank"]))
    columns = tuple(_columns(ranking, metric, lines, digits))
    summary = below if 0 < below < len(lines) else 0
    tables = Table(columns, title, summary), *_by_data_set(ranking, metric, lines, digits)
    return Layout(tables, tuple(notes(ranking, metric, order_by)))


def _by_data_set(ranking: Ranked, metric: str, lines: list[Line], digits: int) -> Iterator[Table]:
    """A table with a line per data set, where there are several: the mean of each detector."""
    groups: dict[str, dict[str, Line]] = {}
    for row in ranking.groups:
        if row["metric"] == metric:
            groups.setdefault(row["group"], {})[row["detector"]] = row
    if not any(groups) or len(groups) > _DATA_SETS:
        return
    lines = [line for line in lines if not is_baseline(line["detector"])]
    names, low = printed(ranking.detectors), ranking.better[metric] == "lower"
    rows = [[own[line["detector"]] for line in lines] for own in groups.values()]
    found = [[own["mean"] for own in row] for row in rows]
    best = [(min if low else max)((v for v in row if not math.isnan(v)), default=math.nan)
            for row in found]  # fmt: skip
    columns = [
        TableColumn("data set", tuple(group or "none" for group in groups), is_text=True),
        TableColumn("series", tuple(str(_most(own, "series")) for own in groups.values())),
    ]
    for place, line in enumerate(lines):
        cells = tuple(_if_judged(row[place], digits) for row in rows)
        bold = frozenset(n for n, row in enumerate(found) if row[place] == best[n])
        columns.append(TableColumn(names[line["detector"]], cells, rank=1 + place, bold=bold))
    yield Table(tuple(columns), f"mean of {metric_names(ranking.metrics)[metric]} by data set")


def _if_judged(line: Line, digits: int) -> str:
    """The mean of a detector; nothing where nobody gave its scores."""
    judged = line["series"] or line["undefined"] or line["failed"]
    return _cell(line["mean"], digits) if judged else ""


def _most(own: Mapping[str, Line], word: str) -> int:
    return max(int(line[word]) for line in own.values())


def _against_chance(ranking: Ranked, lines: list[Line]) -> str:
    """Say who is better than chance, or how many are."""
    tested = [line for line in lines if line["tested"] and not is_baseline(line["detector"])]
    if not tested:
        return ""
    names = printed(ranking.detectors)
    better = [names[line["detector"]] for line in tested if line["p_adjusted"] <= CLEAR]
    if len(tested) > _NAMED:
        return f": {len(better)} of {len(tested)} are better than chance"
    who = " and ".join(filter(None, [", ".join(better[:-1]), *better[-1:]])) or "none"
    return f": {who} {'are' if len(better) > 1 else 'is'} better than chance"


def lines_of(ranking: Ranked, metric: str) -> list[Line]:
    """The lines of one metric, the best mean rank first."""
    return [line for line in ranking.leaderboard if line["metric"] == metric]


def lead(ranking: Ranked, metric: str) -> tuple[str, str]:
    """Say in two sentences who leads by a metric, and who is better than chance."""
    lines = lines_of(ranking, metric)
    ranked = [line for line in lines if not math.isnan(line["mean_rank"])]
    tested = [line for line in ranked if line["tested"]]
    better = sum(1 for line in tested if line["p_adjusted"] <= CLEAR)
    chance = (
        f"{better} of {len(tested)} ranked detectors are better than chance over all their series."
        if tested
        else "Nothing was compared with chance."
    )
    if not ranked:
        return "No detector has enough series to be ranked.", chance
    names, first = printed(ranking.detectors), ranked[0]
    who = f"{names[first['detector']]} has the best mean rank (mean {_cell(first['mean'], 3)})"
    apart = adjusted_against(ranking, metric, first["detector"])
    others = [apart.get(line["detector"], math.nan) for line in ranked[1:]]
    if not others:
        return f"{who}; no other detector is ranked.", chance
    if all(map(math.isnan, others)):
        return f"{who}; too few units to compare it with others.", chance
    same = sum(1 for p in others if not p <= CLEAR)
    if same == 0:
        return f"{who}, significantly ahead of all others.", chance
    if same == len(others):
        return f"{who}; all others are statistically tied with it.", chance
    return f"{who}; {same} of {len(others)} others are statistically tied with it.", chance


def ordered(ranking: Ranked, metric: str, order_by: str) -> list[Line]:
    """The lines of a metric in the order of a column; those without a rank stay below."""
    lines = lines_of(ranking, metric)
    known = [name for line in lines[:1] for name in line if name not in _NO_ORDER]
    if lines and order_by not in known:
        raise UnknownName("column", order_by, known, f"there are {', '.join(known)}")
    if lines and all(line[order_by] is None for line in lines):
        raise InputError(
            f"order_by must be a column with values, got {shown(order_by)}, which is "
            f"empty{_HOW_TO_FILL.get(order_by, '')}"
        )
    low = order_by in _LOWER or (
        order_by in {"mean", "median", "macro", "pooled", "low", "high", "transferred"}
        and ranking.better[metric] == "lower"
    )

    def place(line: Line) -> tuple[bool, bool, Any]:
        value = line[order_by]
        if isinstance(value, str):
            return math.isnan(line["mean_rank"]), False, value
        unknown = value is None or math.isnan(value)
        return math.isnan(line["mean_rank"]), unknown, 0 if unknown else value if low else -value

    return sorted(lines, key=place)


def metric_names(specs: list[str]) -> dict[str, str]:
    """Short names of the metrics; of stored values they may be anything.

    >>> metric_names(["f1_ba(width=5)", "my metric"])
    {'f1_ba(width=5)': 'f1_ba(width=5)', 'my metric': 'my metric'}
    """
    try:
        return unique_names(specs)
    except AdjudgeError:
        return {spec: spec for spec in specs}


def _columns(ranking: Ranked, metric: str, lines: list[Line], digits: int) -> Iterator[TableColumn]:
    names, specs = printed(ranking.detectors), metric_names(ranking.metrics)
    yield TableColumn("detector", tuple(names[line["detector"]] for line in lines), is_text=True)
    yield _ranks(lines)
    yield _means(ranking, metric, specs[metric], lines, digits)
    first = lines[0]["detector"] if lines else ""
    apart = adjusted_against(ranking, metric, first)
    (of,) = [row["of"] for row in ranking.critical_difference if row["metric"] == metric]
    yield from _unless_empty(
        ("by chance", 3, [_pooled(line["chance"], digits) for line in lines]),
        ("95 % interval", 2, [_interval(line, digits) for line in lines]),
        ("for these data sets", 2, [_interval(line, digits, "conditional_") for line in lines]),
        (f"p against {names.get(first)}", 4, [_p(apart.get(line["detector"])) for line in lines]),
        (_beyond(lines), 3, [_yes_or_no(line) for line in lines]),
        ("first again", 5, [_share(line["first_share"]) for line in lines]),
        ("p against chance", 1, [_beaten(line) for line in lines]),
        ("pooled", 3, [_pooled(line["pooled"], digits) for line in lines]),
        ("series", 1, _coverage(lines, of)),
        *((word, 6, _counts(lines, word)) for word in ("undefined", "failed")),
        *((word, 5, [_taken(line[word]) for line in lines]) for word in RESOURCES),
    )
    for spec in ranking.metrics:
        if spec != metric:
            others = {line["detector"]: line for line in lines_of(ranking, spec)}
            own = [others[line["detector"]] for line in lines]
            column = _means(ranking, spec, specs[spec], own, digits)
            yield TableColumn(column.title, column.cells, rank=7, bold=column.bold)


def _unless_empty(*columns: tuple[str, int, list[str]]) -> Iterator[TableColumn]:
    """Columns, each with the rank by which it is left out; those without any text are none."""
    for title, rank, cells in columns:
        if any(cells):
            yield TableColumn(title, tuple(cells), rank=rank)


def _ranks(lines: list[Line]) -> TableColumn:
    column = _numbers("mean rank", lines, lambda line: line["mean_rank"], low=True, digits=2)
    unranked = ("reference" if is_baseline(line["detector"]) else "not ranked" for line in lines)
    cells = tuple(
        why if cell == "undefined" else cell
        for cell, why in zip(column.cells, unranked, strict=True)
    )
    return TableColumn(column.title, cells, bold=column.bold)


def _beyond(lines: list[Line]) -> str:
    """How the column is called that says whether a detector beats every row of reference."""
    blind = {f"{BASELINE}noise", f"{BASELINE}periodic alarms"}
    one_line = any(is_baseline(line["detector"]) for line in lines if line["detector"] not in blind)
    return "beats a one-liner" if one_line else "beats noise"


def _yes_or_no(line: Line) -> str:
    """Whether it does, with the p-value."""
    if line.get("beats_baselines") is None:
        return ""
    return f"{'yes' if line['beats_baselines'] else 'not shown'} ({_p(line['p_baselines'])})"


def _beaten(line: Line) -> str:
    """The p-value against chance over all series, and on how many of them it is better."""
    if not line["tested"]:
        return ""
    if line["least_p"] > CLEAR:
        return "not testable"
    on = f"on {line['better_on_low']}+ of {line['tested']} ({line['better_on']} alone)"
    return f"{_p(line['p_adjusted'])}, {on}"


def _pooled(value: float | None, digits: int) -> str:
    return "" if value is None else _cell(value, digits)


def _taken(value: float | None) -> str:
    """What a detector took, in three digits."""
    return "" if value is None else f"{value:.3g}"


def _coverage(lines: list[Line], of: int) -> list[str]:
    """How many series each detector has, unless all have all."""
    if all(line["coverage"] >= 1 or math.isnan(line["coverage"]) for line in lines):
        return []
    return [f"{round(line['coverage'] * of)} of {of}" for line in lines]


def _counts(lines: list[Line], word: str) -> list[str]:
    return [str(line[word]) for line in lines] if any(line[word] for line in lines) else []


def _means(ranking: Ranked, metric: str, title: str, lines: list[Line], digits: int) -> TableColumn:
    low = ranking.better[metric] == "lower"
    return _numbers(title, lines, lambda line: line["mean"], low=low, digits=digits)


def _numbers(
    title: str, lines: list[Line], value: Callable[[Line], float], *, low: bool, digits: int
) -> TableColumn:
    """A column of numbers; the best of the ranked ones is in bold."""
    cells = tuple(_cell(value(line), digits) for line in lines)
    ranked = {
        place: value(line) for place, line in enumerate(lines)
        if not math.isnan(line["mean_rank"]) and not math.isnan(value(line))
    }  # fmt: skip
    best = (min if low else max)(ranked.values(), default=math.nan)
    bold = frozenset(place for place, own in ranked.items() if own == best)
    return TableColumn(title, cells, bold=bold if len(ranked) > 1 else frozenset())


def adjusted_against(ranking: Ranked, metric: str, first: str) -> dict[str, float]:
    """The adjusted p-value of each detector's difference from the first one."""
    found = {}
    for row in ranking.comparisons:
        if row["metric"] == metric and first in {row["one"], row["other"]}:
            other = row["other"] if row["one"] == first else row["one"]
            found[other] = row["p_adjusted"]
    return {} if all(map(math.isnan, found.values())) else found


def notes(ranking: Ranked, metric: str, order_by: str = "mean_rank") -> Iterator[str]:
    """What the table is about, and whose order depends on the metric."""
    yield from caption(ranking, metric, order_by)
    yield from _flips(ranking)


def caption(ranking: Ranked, metric: str, order_by: str = "mean_rank") -> Iterator[str]:
    """What the table is about: metric, order, units, who is not ranked, what the tests say."""
    (test,) = [row for row in ranking.critical_difference if row["metric"] == metric]
    which = f"{ranking.better[metric]} is better"
    series = f"{test['series']:,} of {test['of']:,} series"
    ranks = f"; mean ranks over the {series} that all ranked detectors share"
    yield (
        f"{metric}: mean over series, {which}; ordered by {order_by.replace('_', ' ')}"
        f"{ranks if test['of'] else ''}"
    )
    yield from _first(ranking, metric)
    if "thresholds" in ranking.about:
        yield f"thresholds: {ranking.about['thresholds']}"
    yield from _evidence(ranking, metric)
    lines = lines_of(ranking, metric)
    if any(line["tested"] for line in lines):
        assumes = assumed_by(ranking.about.get("null", ShiftedNull.name), apart=True)
        yield (
            f"p against chance{assumes and f', {assumes}'}: one test over all series, each "
            "shifted on its own, everywhere and nearby, adjusted for the number of detectors "
            "(Holm); 41+ of 58: better on at least 41 (95 % bound); alone: series significant "
            "by themselves (Benjamini-Hochberg)"
        )
    yield from _beside_baselines(ranking, metric)
    unranked = [line for line in lines if math.isnan(line["mean_rank"])]
    below = [line for line in unranked if not is_baseline(line["detector"])]
    if below and not test["of"]:
        none = any(line["undefined"] for line in below)
        yield (
            f"no ranking: no detector has a value of {metric} on any of "
            f"{len(ranking.series):,} series"
            + "; many metrics are undefined on series without events"
            * none
        )
    elif below:
        names = printed(ranking.detectors)
        who = ", ".join(names[line["detector"]] for line in below)
        yield f"not ranked, on less than {100 * ranking.min_coverage:.4g} % of the series: {who}"
    if unknown := ranking.unknown_resources:
        who = first_few(unknown, _SHOWN)
        yield f"resources of unknown detectors, not used: {who}"
    if not math.isnan(test["critical_difference"]):
        same = f"p = {test['p_value']:.3g} {clause('series')} (Friedman, {test['series']} series)"
        all_same = "" if math.isnan(test["p_value"]) else f"; that all are equal: {same}"
        yield _nemenyi(test) + all_same


def _first(ranking: Ranked, metric: str) -> Iterator[str]:
    """Say whether the first would be first elsewhere, and who else may be the best."""
    lines = [line for line in lines_of(ranking, metric) if not math.isnan(line["first_share"])]
    if not lines:
        return
    name, first = printed(ranking.detectors)[lines[0]["detector"]], lines[0]["first_share"]
    best = sum(line["place_low"] == 1 for line in lines) or None
    others = "data sets" if lines[0]["unit"] == "dataset" else "series"
    yield (
        f"first again: on other {others}, {name} would again have the best mean rank in "
        f"{first_words(first, best, len(lines))}"
    )


def _nemenyi(test: Line) -> str:
    """How far mean ranks must lie apart, and whether they can."""
    least, most = test["critical_difference"], test["detectors"] - 1
    if least <= most:
        return f"mean ranks {least:.2f} apart differ significantly (Nemenyi, 0.05)"
    return (
        f"mean ranks are tied: on {test['series']:,} series a significant difference is "
        f"{least:.2f} (Nemenyi, 0.05), and {test['detectors']} detectors differ by at most "
        f"{most}"
    )


def _beside_baselines(ranking: Ranked, metric: str) -> Iterator[str]:
    """What rows of reference are, and the best of them."""
    own = [line for line in lines_of(ranking, metric) if is_baseline(line["detector"])]
    if not own:
        return
    sign = -1 if ranking.better[metric] == "lower" else 1
    best = max(own, key=lambda line: -math.inf if math.isnan(line["mean"]) else sign * line["mean"])
    name = best["detector"].removeprefix(BASELINE)
    yield (
        f"rows of reference ({len(own)}) are baselines that do not use the labels, without a "
        f"rank; the best is {name}, mean {_cell(best['mean'], 3)}. "
        f"{_beyond(own).capitalize()}: the mean is above that of every baseline (largest p, "
        "adjusted for the number of detectors by Holm)"
    )


def _evidence(ranking: Ranked, metric: str) -> Iterator[str]:
    """What intervals and tests of means rest on."""
    names = printed(ranking.detectors)
    own: dict[bool, dict[str, list[str]]] = {True: {}, False: {}}
    lines = lines_of(ranking, metric)
    for line in lines:
        if line["evidence"]:
            told = own[math.isnan(line["low"])]
            told.setdefault(line["evidence"], []).append(names[line["detector"]])
    if said := own[False] or own[True]:  # of the first, where some have fewer series
        yield f"intervals and tests of means: {next(iter(said))}"
    for why, without in own[True].items() if own[False] else ():
        yield f"no interval for {first_few(without, _SHOWN)}: {why}"
    winners = [row for row in ranking.winners if row["metric"] == metric]
    if len({tuple(row["first"]) for row in winners}) > 1:
        others = [row for row in winners if row["first"] != [lines[0]["detector"]]]
        for row in others[:_SHOWN]:
            who = " and ".join(names[name] for name in row["first"])
            yield f"without {row['without']} the first is {who}"


def _flips(ranking: Ranked) -> Iterator[str]:
    names = printed(ranking.detectors)
    if ranking.flips:
        count = len(ranking.flips)
        pairs = f"{count} pairs of detectors swap" if count > 1 else "1 pair of detectors swaps"
        yield f"{pairs} places between metrics:"
    for pair in ranking.flips[:_SHOWN]:
        ahead, behind = ", ".join(pair["for_one"]), ", ".join(pair["for_other"])
        yield f"- {names[pair['one']]} is ahead by {ahead}; {names[pair['other']]} by {behind}"


def _interval(line: Line, digits: int, which: str = "") -> str:
    low, high = line[f"{which}low"], line[f"{which}high"]
    return "" if math.isnan(low) else f"{low:.{digits}f} to {high:.{digits}f}"


def _share(value: float) -> str:
    return "" if math.isnan(value) else percent(value)


def _p(value: float | None) -> str:
    if value is None or math.isnan(value):
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _cell(value: float, digits: int) -> str:
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"
