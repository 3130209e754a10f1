"""Ranking: what many detectors on many series amount to.

Every table is a list of plain dictionaries, so that a frame, a page or a paper can be made of it.
"""

from __future__ import annotations

import json
import math
from functools import cached_property
from itertools import combinations
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import DIGITS, boolean, whole, word
from adjudge.errors import InputError, UnknownName, visible
from adjudge.judging.result_columns import SCHEMA
from adjudge.ranking.boards.against import RankingChange, compare_rankings
from adjudge.ranking.boards.board import board, lead
from adjudge.ranking.boards.paper import paper
from adjudge.ranking.collected import Collected, result_cells, result_rows
from adjudge.ranking.comparable import MIN_COVERAGE, Comparable, Unit
from adjudge.ranking.leaderboard import NOTHING, Computed, last, leaderboard, unknown_resources
from adjudge.ranking.panels import MOVES
from adjudge.ranking.power import BY, power_of
from adjudge.ranking.regret import Regret, regret_of
from adjudge.ranking.statistics import (
    compare_pairs,
    compare_with_rest,
    critical_difference,
    friedman,
    kendall,
    mean_ranks,
    winners_without,
    wins,
)
from adjudge.tables.formats import frame_of, markdown_of
from adjudge.tables.latex import latex_of
from adjudge.tables.result import TabledResult
from adjudge.tables.result_fields import json_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from adjudge._typing import Floats
    from adjudge.ranking.power import By, Power
    from adjudge.tables.glance import Glance
    from adjudge.tables.table import Layout

Table = list[dict[str, Any]]
_TABLES = (
    "leaderboard", "results", "groups", "mean_ranks", "critical_difference", "comparisons",
    "win_matrix", "winners", "agreement", "flips",
)  # fmt: skip


class Ranking(TabledResult):
    """Detectors on many series: values, ranks, tests, and where metrics disagree.

    Attributes
    ----------
    metrics, detectors, series : list of str
        What was ranked.
    better : dict
        The spec of each metric -> which of its values are better, "higher" or "lower".
    failed : dict
        Series that could not be judged at all, and why.
    left_out : dict
        Files beside the series that were not taken for series, and why.
    about : dict
        Versions and settings with which it was made, where they are known.
    path : path or None
        The folder with ``results.csv`` and ``ranking.csv``, if there is one.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels = [0, 0, 1, 1, 0, 0, 0, 0]
    >>> data = {name: (labels, {"early": [0, 1, 1, 1, 0, 0, 0, 0], "blind": [0] * 7 + [1]})
    ...         for name in ("a", "b", "c")}
    >>> ranking = aj.rank(data, ["f1", "f1_ba"], chance=False)
    >>> ranking
    Ranking(2 detectors on 3 series by 2 metrics; first by f1_ba: early)
    >>> ranking.leaderboard[0]["detector"], ranking.leaderboard[0]["mean"]
    ('early', 0.6666666666666666)
    """

    def __init__(
        self,
        collected: Collected,
        rows_of: Callable[[str], Iterable[dict[str, Any]]],
        computed: Computed = NOTHING,
        *,
        min_coverage: float = MIN_COVERAGE,
        unit: Unit = "auto",
        path: Any = None,
        left_out: Mapping[str, str] | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        self._found, self._rows_of, self._computed = collected, rows_of, computed
        self.path, self.left_out, self.about = path, dict(left_out or {}), dict(about or {})
        self.min_coverage, self.unit, self.spans = min_coverage, unit, collected.spans
        self.metrics, self.better = collected.metrics, collected.better
        self.series, self.failed = collected.series, collected.failed
        self.detectors, self.on_clocks = list(collected.runs()), collected.on_clocks

    @property
    def unknown_resources(self) -> list[str]:
        """Detectors that the resources name, and that are not here."""
        return unknown_resources(self._computed.carried, self.detectors)

    @property
    def results(self) -> Table:
        """Every row: one per series, detector and metric."""
        return list(self.each_result())

    def each_result(self) -> Iterator[dict[str, Any]]:
        """The rows one by one: there may be many."""
        return result_rows(self._found, self._rows_of)

    def each_cells(self) -> Iterator[list[Any]]:
        """The same as lists of cells, which are quicker to write."""
        return result_cells(self._found, self._rows_of)

    def each_moved(self) -> Iterator[dict[str, Any]]:
        """How values move with the events of their series, where these share a clock."""
        for series in self.series:
            rows = sorted(self._rows_of(series), key=itemgetter("detector", "requested"))
            yield from ({**row, "series": series} for row in rows if MOVES in row)

    @property
    def main_metric(self) -> str:
        """The metric that the order is by: balanced F1 if it is there, else the first."""
        balanced = [spec for spec in self.metrics if spec.startswith(("f1_ba", "best(f1_ba"))]
        return (balanced or self.metrics)[0]

    @property
    def _order(self) -> list[str]:
        return [self.main_metric, *(spec for spec in self.metrics if spec != self.main_metric)]

    @cached_property
    def leaderboard(self) -> Table:
        """One row per metric and detector, the best mean rank first.

        ``mean`` (with its 95 % interval over units of evidence, see ``evidence``), ``median`` and
        ``mean_rank`` weigh series alike, ``macro`` groups alike, ``pooled`` points alike: it is the
        value of one call with ``series=``. ``chance`` is the mean of what the null model scores,
        ``p_value`` how often the alarms do as well elsewhere
        over all ``tested`` series at once, ``p_adjusted`` after Holm over the detectors;
        ``better_on`` counts the series on which it is better by itself, and it is on at least
        ``better_on_low`` of them (a 95 % bound). ``undefined``, ``failed``
        and ``missing`` series are in none of the means. Detectors with less than ``min_coverage``
        of the series have no rank and come last. ``transferred`` is the mean at thresholds found on
        other series, where the metric is ``best(...)``, ``transferred_share`` the same with the
        share of points to flag, and ``gap`` what the best threshold has more than that. What is
        undefined is NaN, what was not computed is None.
        """
        fields = [self._fields[metric] for metric in self._order]
        return leaderboard(self._found, self._order, fields, self._computed)

    @cached_property
    def groups(self) -> Table:
        """The leaderboard of each group (data set, domain); empty if there is but one."""
        return [
            {"group": group, **row}
            for group, part in self._found.of_groups().items()
            for row in leaderboard(part, self._order, self._parts(part), NOTHING)
        ]

    @cached_property
    def mean_ranks(self) -> Table:
        """Mean rank of each detector by each metric, with the test that they differ at all."""
        found = []
        for metric in self.metrics:
            field = self._fields[metric]
            ranks, test = mean_ranks(field.complete), friedman(field.complete)
            rows: Table = [
                {
                    "metric": metric, "detector": name, "mean_rank": float(rank),
                    "series": len(field.complete), "friedman": test.statistic,
                    "p_value": test.p_value,
                }
                for name, rank in zip(field.ranked, ranks, strict=True)
            ]  # fmt: skip
            found += sorted(rows, key=lambda row: (last(row["mean_rank"]), row["detector"]))
        return found

    @cached_property
    def critical_difference(self) -> Table:
        """Mean ranks this far apart differ (Nemenyi, 0.05); one row per metric.

        ``series`` are those that all ranked ``detectors`` have, ``of`` those that any has.
        """
        found = []
        for metric in self.metrics:
            field = self._fields[metric]
            series, test = len(field.complete), friedman(field.complete)
            found.append({
                "metric": metric, "detectors": len(field.ranked), "series": series,
                "of": len(field.series), "friedman": test.statistic, "p_value": test.p_value,
                "critical_difference": critical_difference(len(field.ranked), series),
            })  # fmt: skip
        return found

    @cached_property
    def comparisons(self) -> Table:
        """Each two detectors by each metric, on the series that both have: see `compare_pairs`."""
        return [
            {"metric": metric, **row}
            for metric in self.metrics
            for row in compare_pairs(self._fields[metric])
        ]

    @cached_property
    def winners(self) -> Table:
        """Who comes first without each data set, by each metric; none where too few are known."""
        return [
            {"metric": metric, "without": group, "first": first}
            for metric in self.metrics
            for group, first in winners_without(self._fields[metric]).items()
        ]

    def values_of(self, detector: str, metric: str) -> dict[str, float]:
        """The values of a detector that are defined, by series; the mean of its seeds.

        Parameters
        ----------
        detector, metric : str
            One of ``detectors``, and one of ``metrics``; nobody has no values.
        """
        columns = self._found.columns(metric)
        if detector not in columns.names:
            return {}
        own = columns.values[:, columns.names.index(detector)].tolist()
        values = zip(self.series, own, strict=True)
        return {series: value for series, value in values if not math.isnan(value)}

    def group_of(self, series: str) -> str:
        """The data set of a series; "" where it is not known."""
        return self._groups[series]

    @cached_property
    def _groups(self) -> dict[str, str]:
        return dict(zip(self.series, self._found.groups, strict=True))

    def against(self, before: Ranking, metric: str | None = None) -> RankingChange:
        """Hold this leaderboard against another: what moved, whether it is more than noise, why.

        Parameters
        ----------
        before : Ranking
            An earlier one, or that of somebody else.
        metric : str, optional
            One that both have. Default: ``main_metric``, if the other has it.

        Returns
        -------
        RankingChange
            A row per detector; detectors that are new against each other one.
        """
        return compare_rankings(self, before, metric)

    def submission(self, detector: str, metric: str | None = None) -> Table:
        """Hold one detector against each other one, as a family of tests of its own.

        Parameters
        ----------
        detector : str
            Who was submitted.
        metric : str, optional
            One of ``metrics``. Default: ``main_metric``.

        Returns
        -------
        list of dict
            The rows of ``comparisons`` with this detector first, adjusted for their own number.
        """
        if detector not in self.detectors:
            raise UnknownName("detector", detector, self.detectors)
        return compare_with_rest(self._fields[self._known(metric)], detector)

    def power(self, metric: str | None = None, by: By = "series") -> Power:
        """How much this benchmark can tell: the smallest difference, and who is first elsewhere.

        Parameters
        ----------
        metric : str, optional
            One of ``metrics``. Default: ``main_metric``.
        by : {"series", "group"}
            What it is about: other series of these data sets, or other data sets.

        Returns
        -------
        Power
            Its sentences when it is printed; ``smallest``, ``needed``, ``first_place``, ``pairs``,
            ``places`` and ``information`` of each series.

        Raises
        ------
        InputError
            If it is about other data sets and these are not known.

        Examples
        --------
        >>> from adjudge.ranking.values import rank_values
        >>> values = {"series": [*"abcdef"] * 2, "detector": ["lof"] * 6 + ["mine"] * 6,
        ...           "value": [0.5, 0.6, 0.4, 0.7, 0.3, 0.5, 0.6, 0.8, 0.3, 0.9, 0.5, 0.5]}
        >>> found = rank_values(values).power()
        >>> print(f"{found.difference:.2f} apart; {found.smallest:.2f} is told; {found.needed}")
        0.10 apart; 0.21 is told; 13
        """
        chosen = self._known(metric)
        if word(by, "by", BY) == "group" and not self.has_groups:
            raise InputError(
                "by='group' needs the data set of each series: give group=, or name series "
                "DATASET/SERIES"
            )
        unit: Unit = "dataset" if by == "group" else "series"
        field = Comparable.of(self._found, chosen, self.min_coverage, unit)
        span = self.spans.get(chosen, (-math.inf, math.inf))
        return power_of(field, chosen, self.series, span)

    def regret(self, selection: Mapping[str, str], metric: str | None = None) -> Regret:
        """What a selector gives away that chooses a detector for each series.

        Parameters
        ----------
        selection : mapping of str to str
            The chosen detector of each series; ranked ones alone can be chosen.
        metric : str, optional
            One of ``metrics``. Default: ``main_metric``.

        Returns
        -------
        Regret
            The regret to the best detector of each series, and to the best single detector, with
            their 95 % intervals (`adjudge.ranking.regret` says how they are made).

        Raises
        ------
        InputError
            If a series has no choice, or a choice is no ranked detector.

        Examples
        --------
        >>> from adjudge.ranking.values import rank_values
        >>> values = {"series": [*"abc"] * 2, "detector": ["lof"] * 3 + ["mine"] * 3,
        ...           "value": [0.5, 0.9, 0.4, 0.7, 0.3, 0.6]}
        >>> rank_values(values).regret({"a": "mine", "b": "lof", "c": "mine"}).closed
        1.0
        """
        chosen = self._known(metric)
        span = self.spans.get(chosen, (-math.inf, math.inf))
        return regret_of(self._fields[chosen], chosen, self.series, selection, span)

    def powers(self, metric: str | None = None) -> list[Power]:
        """Both readings of `power`: by series, and by data sets where these are known.

        Parameters
        ----------
        metric : str, optional
            One of ``metrics``. Default: ``main_metric``.
        """
        found = [self.power(metric, "series")]
        return [*found, self.power(metric, "group")] if self.has_groups else found

    @property
    def has_groups(self) -> bool:
        """Whether the data set of any series is known."""
        return any(self._found.groups)

    def _known(self, metric: str | None) -> str:
        chosen = metric or self.main_metric
        if chosen not in self.metrics:
            raise UnknownName("metric", chosen, self.metrics)
        return chosen

    @cached_property
    def win_matrix(self) -> Table:
        """On how many of the series that both have one detector is ahead of another."""
        return [
            {"metric": metric, "detector": name, **dict(zip(field.names, row, strict=True))}
            for metric in self.metrics
            for field in [self._fields[metric]]
            for name, row in zip(field.names, wins(field), strict=True)
        ]

    @cached_property
    def agreement(self) -> Table:
        """Kendall's tau between the orders that each two metrics give the detectors."""
        means = {metric: self._means(metric) for metric in self.metrics}
        return [
            {"one": one, "other": other, "tau": kendall(means[one], means[other])}
            for one, other in combinations(self.metrics, 2)
        ]

    @cached_property
    def flips(self) -> Table:
        """The pairs of detectors whose order depends on the metric."""
        means = {metric: self._means(metric) for metric in self.metrics}
        found = []
        for one, other in combinations(range(len(self.detectors)), 2):
            ahead = {metric: mean[one] - mean[other] for metric, mean in means.items()}
            for_one = [metric for metric, apart in ahead.items() if apart > 0]
            for_other = [metric for metric, apart in ahead.items() if apart < 0]
            if for_one and for_other:
                found.append({
                    "one": self.detectors[one], "other": self.detectors[other],
                    "for_one": for_one, "for_other": for_other,
                })  # fmt: skip
        return found

    def to_frame(  # type: ignore[override]  # the table goes first
        self, table: str = "leaderboard", backend: str = "pandas"
    ) -> Any:
        """A table as a data frame.

        Parameters
        ----------
        table, backend : str
            Which table, such as "leaderboard" or "results"; "pandas", "polars" or "pyarrow".
        """
        return frame_of(self.columns(table), backend)

    def columns(self, table: str = "leaderboard") -> dict[str, list[Any]]:
        """A table as columns by name; None where a row has no such thing."""
        rows = self._table(table)
        names = dict.fromkeys(name for row in rows for name in row)  # not every row has all
        return {name: [row.get(name) for row in rows] for name in names}

    def glance(self) -> Glance:
        """The leaderboard of the main metric: means, intervals and chance."""
        from adjudge.tables.glance import Dots, Glance, Mark, Tile  # noqa: PLC0415 - for notebooks

        rows = [row for row in self.leaderboard if row["metric"] == self.main_metric]
        ends = ("mean", "low", "high", "chance")
        known = [[math.nan if row[name] is None else row[name] for name in ends] for row in rows]
        marks = tuple(
            Mark(row["detector"], mean, f"{mean:.3f}", *beside)
            for row, (mean, *beside) in zip(rows, known, strict=True)
        )
        tiles = (
            *(Tile("first", row["detector"], "by mean rank") for row in rows[:1]),
            Tile("detectors", f"{len(self.detectors):,}"),
            Tile("series", f"{len(self.series):,}"),
        )
        said = f"{self.main_metric}: mean, 95 % interval, and a tick at chance"
        sentences = lead(self, self.main_metric)
        return Glance(tiles, Dots(said, marks, None) if marks else None, sentences)

    def layout(self) -> Layout:
        """Lay the leaderboard out: see `board`."""
        return self.board()

    def board(
        self, metric: str | None = None, *, order_by: str = "mean_rank", digits: int = 3
    ) -> Layout:
        """The leaderboard as it is read: a line per detector, and sentences that explain it.

        Parameters
        ----------
        metric : str, optional
            One of ``metrics``. Default: ``main_metric``.
        order_by : str
            A column of the leaderboard. Detectors that are not ranked stay below.
        digits : int
            Decimals of the values.
        """
        whole(digits, "digits", 0, DIGITS)
        return board(self, self._known(metric), order_by, digits)

    def paper(self, *, order_by: str = "mean_rank", digits: int = 3) -> Layout:
        """The table of a paper: every metric with its interval, best and tied detectors marked.

        A mark rests on the comparison by that metric. The caption says series, unit of evidence,
        null model, settings of the metrics and thresholds.

        Parameters
        ----------
        order_by, digits
            See `board`.
        """
        whole(digits, "digits", 0, DIGITS)
        return paper(self, self.main_metric, order_by, digits)

    def to_markdown(
        self, digits: int = 3, order_by: str = "mean_rank", *, paper: bool = False
    ) -> str:
        """The leaderboard as Markdown: a table, and below it what it is about.

        Parameters
        ----------
        digits, order_by
            See `board`.
        paper : bool
            Whether it is the table of a paper, see `paper`.
        """
        return markdown_of(self._drawn(digits, order_by, paper))

    def to_latex(self, digits: int = 3, order_by: str = "mean_rank", *, paper: bool = False) -> str:
        r"""The leaderboard as LaTeX: a table, and below it what it is about.

        Parameters
        ----------
        digits, order_by
            See `board`.
        paper : bool
            Whether it is the table of a paper, see `paper`: a float with a caption, for a document
            with ``\usepackage{booktabs}``.
        """
        return latex_of(self._drawn(digits, order_by, paper))

    def _drawn(self, digits: int, order_by: str, for_paper: object) -> Layout:
        draw = self.paper if boolean(for_paper, "paper") else self.board
        return draw(order_by=order_by, digits=digits)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the single results: every table, and every sentence that is printed."""
        shown = self.board()
        return {
            "detectors": self.detectors, "metrics": list(self.metrics),
            "better": dict(self.better), "main_metric": self.main_metric,
            "series": list(self.series), "groups_of_series": list(self._found.groups),
            "min_coverage": self.min_coverage, "unit": self.unit,
            **{name: self._table(name) for name in _TABLES if name != "results"},
            "failed": dict(self.failed), "title": shown.tables[0].title,
            "lead": list(lead(self, self.main_metric)), "verdicts": list(shown.verdicts),
            "notes": list(shown.notes), "about": self.about,
        }  # fmt: skip

    def to_json(self, *, power: bool = False, **options: Any) -> str:
        """Everything but the single results as JSON; undefined is null.

        Parameters
        ----------
        power : bool
            Also what the benchmark can tell by the main metric, see `power`.
        **options
            Of ``json.dumps``.
        """
        whole = {"schema": SCHEMA, **self.to_dict()}
        if power:
            whole["power"] = [one.to_dict() for one in self.powers()]
        return json.dumps(json_ready(whole), allow_nan=False, **options)

    def to_html(self, path: Any, **options: Any) -> Any:
        """Write the ranking as one offline page; its path.

        Parameters
        ----------
        path : path
            Where to write.
        **options
            ``title``; ``pages``, the page of each series as a path beside this one; and ``said``,
            further sentences by metric, such as those of `power`.
        """
        from adjudge.reporting.page.ranking_page import write_ranking  # noqa: PLC0415 - draws

        return write_ranking(self, path, **options)

    def plot(
        self, metric: str | None = None, *, ax: Any = None, width: str | float | None = None
    ) -> Any:
        """Draw the critical-difference diagram of a metric.

        Parameters
        ----------
        metric : str, optional
            One of ``metrics``. Default: ``main_metric``.
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.
        width : str or float, optional
            Of the new figure on paper: ``"ieee1"``, ``"ieee2"``, ``"neurips"``, or centimetres.

        Returns
        -------
        matplotlib Axes
        """
        chosen = self._known(metric)
        from adjudge.reporting.figures.rank_diagram import rank_diagram  # noqa: PLC0415 - draws

        return rank_diagram(self, chosen, ax=ax, width=width)

    def __repr__(self) -> str:
        """Say what was ranked, and who leads."""
        first = self.leaderboard[0]["detector"] if self.leaderboard else "nobody"
        counts = f"{len(self.detectors)} detectors on {len(self.series):,} series"
        by = f"by {len(self.metrics)} metrics; first by {self.main_metric}"
        return f"Ranking({counts} {by}: {visible(first)})"

    __str__ = __repr__

    def _table(self, name: str) -> Table:
        if name not in _TABLES:
            raise UnknownName("table", name, _TABLES)
        found: Table = getattr(self, name)
        return found

    @cached_property
    def _fields(self) -> dict[str, Comparable]:
        fields = self._comparables(self._found, self.metrics, self.unit)
        return dict(zip(self.metrics, fields, strict=True))

    def _parts(self, part: Collected) -> list[Comparable]:
        """Within a data set its series are the units."""
        return self._comparables(part, self._order, "series")

    def _comparables(self, found: Collected, specs: list[str], unit: Unit) -> list[Comparable]:
        return [Comparable.of(found, spec, self.min_coverage, unit) for spec in specs]

    def _means(self, metric: str) -> Floats:
        """The mean of each ranked detector over the series that all of them have."""
        field = self._fields[metric]
        there = np.isfinite(field.complete)
        kept = np.asarray(there.any(axis=0))  # one without any value has no mean
        defined = field.complete[:, kept][there[:, kept].all(axis=1)]
        names = [name for name, yes in zip(field.ranked, kept, strict=True) if yes]
        means = dict(zip(names, defined.mean(axis=0), strict=True)) if len(defined) else {}
        return np.array([means.get(name, np.nan) for name in self.detectors])
