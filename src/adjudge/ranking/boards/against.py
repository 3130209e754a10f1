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
from adjudge.noise.intervals.of_means import mean_difference
from adjudge.noise.p_values import holm
from adjudge.ranking.collected import printed
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge.ranking.boards.board import Ranked

_CLEAR = 0.05


@dataclass(frozen=True, eq=False)
class RankingChange:
    """What became of a leaderboard.

    Attributes
    ----------
    metric : str
        By which the two are compared.
    rows : list of dict
        A row per detector of either: ``mean`` and ``place`` now, ``mean_before`` and
        ``place_before``, the ``difference`` on the ``series`` that both have with its interval and
        p-value (``p_adjusted``: over the detectors), on how many of these the value ``changed``,
        and how many series are ``added`` and ``removed``.
    submissions : list of dict
        Each detector that is new against each other one: a family of tests of its own each.
    settings : dict
        Versions and settings that are not the same: name -> before, now.
    """

    metric: str
    rows: list[dict[str, Any]]
    submissions: list[dict[str, Any]]
    settings: dict[str, tuple[Any, Any]]

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
        head = ["detector", "place", "mean", "before", "moved on common series", "p adjusted"]
        rows = [
            [
                names[row["detector"]], _move(row["place_before"], row["place"]),
                _number(row["mean"]), _number(row["mean_before"]), _interval(row),
                _number(row["p_adjusted"]),
            ]
            for row in self.rows
        ]  # fmt: skip
        title = f"{self.metric}: the leaderboard against the one before"
        return Layout((Table.of(head, rows, title),), verdicts=tuple(self._verdicts(names)))

    def _verdicts(self, names: dict[str, str]) -> Iterator[str]:
        both = [row for row in self.rows if row["series"]]
        moved = [row for row in both if row["p_adjusted"] <= _CLEAR]
        for row in moved:
            sign = "+" if row["difference"] > 0 else ""
            yield (
                f"{names[row['detector']]} moved by {sign}{row['difference']:.4f} on the same "
                f"series, more than noise (p = {row['p_adjusted']:.3g})"
            )
        if both and not moved:
            yield "no detector moved by more than noise on the series that both have"
        yield from _why(both)
        for name, (before, now) in self.settings.items():
            yield f"{name}: {before} before, {now} now"
        for detector in dict.fromkeys(row["one"] for row in self.submissions):
            yield _submitted(detector, self.submissions, names)


def _why(rows: list[dict[str, Any]]) -> Iterator[str]:
    changed = max((row["changed"] for row in rows), default=0)
    common = max((row["series"] for row in rows), default=0)
    if changed:
        yield f"values: other ones on up to {changed:,} of {common:,} common series"
    for word in ("added", "removed"):
        most = max((row[word] for row in rows), default=0)
        if most:
            yield f"series: up to {most:,} {word}"


def _submitted(detector: str, rows: list[dict[str, Any]], names: dict[str, str]) -> str:
    own = [row for row in rows if row["one"] == detector]
    clear = [row for row in own if row["p_adjusted"] <= _CLEAR]
    better = [names[row["other"]] for row in clear if row["ahead"] >= row["behind"]]
    worse = [names[row["other"]] for row in clear if row["ahead"] < row["behind"]]
    sides = {"better than": better, "worse than": worse}
    parts = [f"{word} {', '.join(who)}" for word, who in sides.items() if who]
    said = " and ".join(parts) or "not told apart from any"
    return f"{names[detector]} is new: {said} of {len(own)} others (Holm over these {len(own)})"


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
        If they have no metric in common.
    """
    common = [spec for spec in now.metrics if spec in before.metrics]
    preferred = [metric] if metric is not None else [now.main_metric, *common]
    chosen = next((spec for spec in preferred if spec in common), None)
    if chosen is None:
        raise InputError(
            f"rankings must have a metric in common, got {', '.join(now.metrics)} and "
            f"{', '.join(before.metrics)}"
        )
    boards = _lines(now, chosen), _lines(before, chosen)
    names = list(boards[0]) + [name for name in boards[1] if name not in boards[0]]
    rows = [_row(name, chosen, now, before, boards) for name in names]
    adjusted = holm(np.array([row["p_value"] for row in rows]))
    for row, p in zip(rows, adjusted.tolist(), strict=True):
        row["p_adjusted"] = p
    new = [name for name in boards[0] if name not in boards[1]] if boards[1] else []
    submissions = [row for name in new for row in now.submission(name, chosen)]
    return RankingChange(chosen, rows, submissions, _settings(now, before))


def _lines(ranking: Ranked, metric: str) -> dict[str, dict[str, Any]]:
    lines = [line for line in ranking.leaderboard if line["metric"] == metric]
    return {line["detector"]: {**line, "place": place} for place, line in enumerate(lines, 1)}


def _row(
    name: str, metric: str, now: Ranked, before: Ranked, boards: tuple[dict[str, Any], ...]
) -> dict[str, Any]:
    own, old = now.values_of(name, metric), before.values_of(name, metric)
    both = sorted(own.keys() & old.keys())
    apart = np.array([own[series] - old[series] for series in both])
    groups = [now.group_of(series) for series in both]
    found = mean_difference(apart, groups if any(groups) and now.unit != "series" else None)
    lines = [board.get(name, {}) for board in boards]
    return {
        "detector": name,
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


def _move(before: int | None, now: int | None) -> str:
    if before is None or now is None:
        return "gone" if now is None else f"{now}, new"
    return f"{now}" if before == now else f"{now}, was {before}"


def _number(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.4f}"


def _interval(row: dict[str, Any]) -> str:
    if math.isnan(row["difference"]):
        return ""
    ends = "" if math.isnan(row["low"]) else f" ({row['low']:.4f} to {row['high']:.4f})"
    return f"{row['difference']:+.4f}{ends}"
