"""Two leaderboards: what moved, whether it is more than noise, and why.

A detector's mean moves because its values moved, or because other series were judged. The two are
told apart: the difference is taken on the series that both leaderboards have, over units of
evidence, and the series that only one of them has are counted beside it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import InputError
from adjudge.noise.assumptions import clause, with_clause
from adjudge.noise.intervals.means import mean_differences
from adjudge.noise.p_values import holm
from adjudge.ranking.boards.board import Ranked, lines_of
from adjudge.ranking.collected import printed
from adjudge.ranking.comparable import units
from adjudge.ranking.panels import clock_numbers, of_clocks
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Iterator


_CLEAR = 0.05


@dataclass(frozen=True, eq=False)
class RankingChange:
    """What became of a leaderboard.

    Attributes
    ----------
    metric : str
        By which the two are compared.
    rows : list of dict
        A row per detector of either: ``there`` ("both", "new" or "gone"), ``mean`` and ``place``
        now (None if it is not ranked), ``mean_before`` and ``place_before``, the ``difference`` on
        the ``series`` that both have with its interval and p-value (``p_adjusted``: over the
        detectors), on how many of these the value ``changed``, and how many series are ``added``
        and ``removed``.
    submissions : list of dict
        Each detector that is new against each other one: a family of tests of its own each.
    settings : dict
        Versions and settings that are not the same: name -> before, now.
    better : str
        Which values are better, "higher" or "lower".
    """

    metric: str
    rows: list[dict[str, Any]]
    submissions: list[dict[str, Any]]
    settings: dict[str, tuple[Any, Any]]
    better: str = "higher"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        settings = {name: list(pair) for name, pair in self.settings.items()}
        return {
            "metric": self.metric, "rows": self.rows, "submissions": self.submissions,
            "settings": settings, "verdicts": list(self.layout().verdicts),
        }  # fmt: skip

    def layout(self) -> Layout:
        """The table, and what it amounts to."""
        names = printed([row["detector"] for row in self.rows])
        head = ["detector", "place", "mean", "before", "change on common series", "p adjusted"]
        rows = [
            [
                names[row["detector"]], _move(row),
                _number(row["mean"]), _number(row["mean_before"]), _interval(row),
                _p(row["p_adjusted"]),
            ]
            for row in self.rows
        ]  # fmt: skip
        title = f"{self.metric}: the leaderboard against the previous one"
        return Layout((Table.of(head, rows, title),), verdicts=tuple(self._verdicts(names)))

    def _verdicts(self, names: dict[str, str]) -> Iterator[str]:
        known = [row for row in self.rows if row["there"] == "both"]
        both = [row for row in known if row["series"]]
        moved = [row for row in both if row["p_adjusted"] <= _CLEAR]
        for row in moved:
            which = "better" if _is_ahead(row, self.better) else "worse"
            p = with_clause(f"p = {row['p_adjusted']:.3g}", clause("series"))
            yield (
                f"{names[row['detector']]} changed by {row['difference']:+.4f} on the same "
                f"series, significantly for the {which} ({p})"
            )
        if both and not moved:
            yield "no significant change on the common series"
        if not both:
            lacks = "has a series in both" if known else "is in both"
            yield f"no detector {lacks}: nothing to compare"
        yield from _why(known)
        for name, (before, now) in self.settings.items():
            yield f"{name}: {before} before, {now} now"
        for detector in dict.fromkeys(row["one"] for row in self.submissions):
            own = [row for row in self.submissions if row["one"] == detector]
            yield f"{names[detector]} is new: {_submitted(own, names, self.better)}"


def _why(rows: list[dict[str, Any]]) -> Iterator[str]:
    changed = max((row["changed"] for row in rows), default=0)
    common = max((row["series"] for row in rows), default=0)
    if changed:
        yield f"values: other ones on up to {changed:,} of {common:,} common series"
    for word in ("added", "removed"):
        most = max((row[word] for row in rows), default=0)
        if most:
            yield f"series: up to {most:,} {word}"


def _submitted(own: list[dict[str, Any]], names: dict[str, str], better: str) -> str:
    """Say from whom a detector is told apart, by its mean: that is what the p-value is of."""
    clear = [row for row in own if row["p_adjusted"] <= _CLEAR]
    sides = {"better than": True, "worse than": False}
    told = {
        word: [names[row["other"]] for row in clear if _is_ahead(row, better) == side]
        for word, side in sides.items()
    }
    said = " and ".join(f"{word} {', '.join(who)}" for word, who in told.items() if who)
    if len(own) == 1:
        return said or f"statistically tied with {names[own[0]['other']]}"
    count = f"of {len(own)} others (Holm over these {len(own)})"
    return f"{said or 'tied with all'} {count}"


def _is_ahead(row: dict[str, Any], better: str) -> bool:
    """Whether a difference of means is one for the better."""
    return bool((row["difference"] > 0) == (better == "higher"))


def check_scale(metric: str, one: Ranked, other: Ranked) -> None:
    """Refuse two rankings whose values of a metric are not on one scale.

    Raises
    ------
    InputError
        If high values are better in one of them and low ones in the other, or one is in percent.
    """
    ways = one.better[metric], other.better[metric]
    if ways[0] != ways[1]:
        raise InputError(
            f"{metric} must have one direction, got {ways[0]} and {ways[1]}; better= of "
            "rank_values (--better) says which"
        )
    per_channel, of_other = one.spans.get(metric), other.spans.get(metric)
    if per_channel and of_other and not np.allclose(per_channel, of_other, rtol=0, atol=1e-3):
        ends = [f"{low:.4g} to {high:.4g}" for low, high in (per_channel, of_other)]
        raise InputError(
            f"values of {metric} must have one scale, got {ends[0]} and {ends[1]}; divide those in "
            "percent by 100"
        )


def compare_rankings(now: Ranked, before: Ranked, metric: str | None = None) -> RankingChange:
    """Hold a leaderboard against an earlier one, or one of somebody else.

    Parameters
    ----------
    now, before : Ranking
        The two.
    metric : str, optional
        One that both have. Default: that which ``now`` is ordered by, if ``before`` has it.

    Returns
    -------
    RankingChange
        What moved, whether it is more than noise, and why.

    Raises
    ------
    InputError
        If they have no metric in common, or its values are on two scales.
    """
    common = [spec for spec in now.metrics if spec in before.metrics]
    preferred = [metric] if metric is not None else [now.main_metric, *common]
    chosen = next((spec for spec in preferred if spec in common), None)
    if chosen is None:
        raise InputError(
            f"rankings must share a metric, got {', '.join(now.metrics)} and "
            f"{', '.join(before.metrics)}"
        )
    check_scale(chosen, now, before)
    boards = _lines(now, chosen), _lines(before, chosen)
    names = list(boards[0]) + [name for name in boards[1] if name not in boards[0]]
    rows = [_row(name, chosen, now, before, boards) for name in names]
    adjusted = holm(np.array([row["p_value"] for row in rows]))
    for row, p in zip(rows, adjusted.tolist(), strict=True):
        row["p_adjusted"] = p
    new = [row["detector"] for row in rows if row["there"] == "new"] if boards[1] else []
    submissions = [row for name in new for row in now.submission(name, chosen)]
    settings = _settings(now, before)
    return RankingChange(chosen, rows, submissions, settings, now.better[chosen])


def _lines(ranking: Ranked, metric: str) -> dict[str, dict[str, Any]]:
    return {
        line["detector"]: {**line, "place": None if math.isnan(line["mean_rank"]) else place}
        for place, line in enumerate(
            lines_of(ranking, metric), 1
        )  # those that are not ranked come last
    }


def _row(
    name: str, metric: str, now: Ranked, before: Ranked, boards: tuple[dict[str, Any], ...]
) -> dict[str, Any]:
    own, old = now.values_of(name, metric), before.values_of(name, metric)
    both = [one for one in sorted(own.keys() & old.keys()) if math.isfinite(own[one] - old[one])]
    apart = np.array([own[series] - old[series] for series in both])
    groups = [now.group_of(series) for series in both]
    owner = units(groups, "series" if now.unit == "series" else "auto")
    shared = of_clocks(clock_numbers(both, now.on_clocks), 1)
    (found,) = mean_differences(apart[:, np.newaxis], owner, panel=shared)
    lines = [board.get(name, {}) for board in boards]
    return {
        "detector": name, "there": "both" if all(lines) else "new" if lines[0] else "gone",
        "place": lines[0].get("place"), "place_before": lines[1].get("place"),
        "mean": lines[0].get("mean", math.nan), "mean_before": lines[1].get("mean", math.nan),
        "difference": found.mean, "low": found.low, "high": found.high,
        "p_value": found.p_value, "series": len(both), "changed": int(np.count_nonzero(apart)),
        "added": len(own.keys() - old.keys()), "removed": len(old.keys() - own.keys()),
    }  # fmt: skip


def _settings(now: Ranked, before: Ranked) -> dict[str, tuple[Any, Any]]:
    return {
        name: (before.about.get(name), now.about.get(name))
        for name in dict.fromkeys([*before.about, *now.about])
        if before.about.get(name) != now.about.get(name)
    }


def _move(row: dict[str, Any]) -> str:
    if row["there"] == "gone":
        return "gone"
    before, now = (row[name] or "not ranked" for name in ("place_before", "place"))
    if row["there"] == "new":
        return f"{now}, new"
    return f"{now}" if before == now else f"{now}, was {before}"


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else _number(value)


def _number(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.4f}"


def _interval(row: dict[str, Any]) -> str:
    if math.isnan(row["difference"]):
        return ""
    ends = "" if math.isnan(row["low"]) else f" ({row['low']:.4f} to {row['high']:.4f})"
    return f"{row['difference']:+.4f}{ends}"
