"""The verb that ranks: rank."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.effects import Verb
from adjudge.cli.group import note
from adjudge.cli.options import (
    ListingOption,
    benchmarks,
    inputs,
    listed_rules,
    missing,
    null_option,
)
from adjudge.cli.terminal import resumable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge.cli.source import Source
    from adjudge.ranking.result import Ranking
    from adjudge.tables.table import Table

_NOT_HERE = frozenset({
    "train", "tune_on", "time", "time_unit", "time_format", "truth", "alerts", "span", "every",
})  # fmt: skip
"""What `Source` has, and rank does not take."""
_SHOWN = 12
"""Pairs of detectors that are printed."""


@click.command(cls=Verb)
@click.argument("data", metavar="DATA...", nargs=-1, required=True)
@inputs
@benchmarks
@click.option("--out", required=True, metavar="DIR", help="Where to write; a run continues there.")
@click.option("--metric", "metrics", metavar="SPEC", multiple=True, help="Metric, repeatable.")
@click.option(
    "--at",
    cls=ListingOption,
    listed=listed_rules,
    metavar="X",
    help="Threshold: a number or a rule ({}).",
)
@click.option("--jobs", default=1, metavar="N", help="Processes of this machine.  [default: 1]")
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler; or local:N to start one.")
@click.option("--chance/--no-chance", default=True, help="Also say what chance would score.")
@null_option("What chance is: {}.  [default: shifted]", "shifted")
@click.option("--shifts", type=int, metavar="N", help="Shifts per series.  [default: 199 at least]")
@missing
@click.option(
    "--min-coverage",
    default=0.9,
    metavar="X",
    help="Share of the series that a detector needs for a rank.  [default: 0.9]",
)
@click.option(
    "--pooled/--no-pooled", default=None, help="Also judge all series as one.  [default: if small]"
)
@click.option("--retry", is_flag=True, help="Try again what failed.")
@click.option("--seed", default=0, help="Seed of shifts and bootstrap.  [default: 0]")
@click.option("--figure", is_flag=True, help="Also draw DIR/ranks.png, the critical differences.")
def rank(data: tuple[str, ...], source: Source, out: str, metrics: tuple[str, ...], figure: bool,
         **options: Any) -> None:  # fmt: skip
    """Rank many detectors on many series.

    DATA is a folder of CSV, Parquet, npy or npz files, each a series with labels and a score column
    per detector; or files, or patterns; with --series a long table; or a benchmark (NAB, Telemanom,
    SMD, TimeEval, TSB-AD, UCR) with the folder of its scores as --with. DIR/results.csv has a line
    per series, detector and metric, DIR/ranking.csv the leaderboard. A run that was stopped
    continues when it is called again, and does only what is missing.

    \b
    Examples:
      adjudge rank scores/ --out ranked --jobs 4
      adjudge rank long.parquet --series name --metric f1_ba --metric vus_pr --at "top(50)" --out r
      adjudge rank scores/ --scheduler tcp://10.0.0.1:8786 --out ranked
    """
    from adjudge.ranking.run import rank as run

    if figure:
        from adjudge.reporting.figures.drawing import check_matplotlib

        check_matplotlib()  # rather now than after the work
    with resumable("series", out) as line:

        def show(done: int, total: int, failures: int) -> None:
            line(done, total, f"series ({failures:,} rows failed)" if failures else None)

        given = data[0] if len(data) == 1 else list(data)
        found = run(
            given, list(metrics) or None, out=out, progress=show, listed=_note_found,
            **_how(source), **options,
        )  # fmt: skip
    _print(found)
    if figure:
        _draw(found, out)
    failures = sum(row["failed"] for row in found.leaderboard) + len(found.failed)
    for name, why in list(found.failed.items())[:_SHOWN]:
        note(why if why.startswith(name) else f"{name}: {why}")
    if failures:
        note(f"{failures:,} results failed; {out}/results.csv says why, --retry tries them again")
        sys.exit(1 if found.detectors else 2)


def _note_found(series: int, left_out: dict[str, str]) -> None:
    """Say how many series there are, and which files are none."""
    from adjudge.ranking.sources import in_words

    without = f"; left out: {in_words(left_out)}" if left_out else ""
    note(f"{series:,} series found{without}")


def _how(source: Source) -> dict[str, Any]:
    """Say to the library what the options say about the files."""
    how = {name: value for name, value in vars(source).items() if name not in _NOT_HERE}
    folders = how.pop("also")
    if len(folders) > 1:
        raise click.UsageError("--with takes one folder of scores here")
    return {**how, "score_folder": next(iter(folders), None)}


def _print(found: Ranking) -> None:
    """Print the leaderboard, what the tests say, and where metrics disagree."""
    from adjudge.cli.terminal import print_exactly, print_layout
    from adjudge.tables.table import Layout

    print_layout(Layout((_leaderboard(found),), tuple(_tests(found))))
    print_exactly(f"{found.path}/ranking.csv\n")


def _leaderboard(found: Ranking) -> Table:
    """The detectors by their mean rank; where there is no room, other metrics are left out."""
    from adjudge.judging.result_words import told_apart
    from adjudge.tables.table import Table

    names = told_apart(found.metrics)
    main = [row for row in found.leaderboard if row["metric"] == found.main_metric]
    others = [metric for metric in found.metrics if metric != found.main_metric]
    means = {(row["metric"], row["detector"]): row["mean"] for row in found.leaderboard}
    tested = any(row["tested"] for row in main)
    undefined = any(row["undefined"] for row in main)
    head = ["detector", "mean rank", names[found.main_metric], "95 % interval", "pooled",
            *["beats chance"] * tested, *["undefined"] * undefined,
            *(names[metric] for metric in others)]  # fmt: skip
    rows = [
        [
            row["detector"], _cell(row["mean_rank"], 2), _cell(row["mean"]),
            "" if math.isnan(row["low"]) else f"{row['low']:.3f} to {row['high']:.3f}",
            _cell(row["pooled"]), *[f"{row['beats_chance']} of {row['tested']}"] * tested,
            *[row["undefined"]] * undefined,
            *(_cell(means[metric, row["detector"]]) for metric in others),
        ]
        for row in main
    ]  # fmt: skip
    ranks = {"95 % interval": 2, "beats chance": 1, "pooled": 3, "undefined": 4}
    ranks |= {names[metric]: 5 for metric in others}
    title = f"{len(found.detectors)} detectors on {len(found.series):,} series"
    return Table.of(head, rows, title, ranks)


def _tests(found: Ranking) -> Iterator[str]:
    for row in found.critical_difference:
        if row["metric"] == found.main_metric and not math.isnan(row["critical_difference"]):
            apart = f"mean ranks {row['critical_difference']:.2f} apart differ (Nemenyi, 0.05)"
            same = f"p = {row['p_value']:.3g} (Friedman, {row['series']} series)"
            yield apart + ("" if math.isnan(row["p_value"]) else f"; that all are the same: {same}")
    flips = found.flips
    if flips:
        yield f"{len(flips)} pairs of detectors change places with the metric:"
    for pair in flips[:_SHOWN]:
        ahead, behind = ", ".join(pair["for_one"]), ", ".join(pair["for_other"])
        yield f"- {pair['one']} is ahead by {ahead}; {pair['other']} by {behind}"


def _draw(found: Ranking, out: str) -> None:
    from pathlib import Path

    from adjudge.reporting.figures.rank_diagram import rank_figure

    for path in rank_figure(Path(out), found, found.main_metric):
        note(path)


def _cell(value: float | None, digits: int = 3) -> str:
    if value is None:
        return "not computed"
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"
