"""The verbs that write pages: report, playground."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.effects import Verb, refuse_for
from adjudge.cli.options import (
    benchmarks,
    incidents,
    inputs,
    null_option,
    period_option,
    threshold,
    timing,
)
from adjudge.cli.terminal import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.cli.options import ThresholdOptions
    from adjudge.cli.source import Source
    from adjudge.metrics.metric import Metric
    from adjudge.ranking.sources import ReadOptions


@click.command(cls=Verb)
@click.argument("file", metavar="[FILE|DIR]", required=False)
@inputs
@benchmarks
@threshold
@timing
@incidents
@click.option(
    "--out", default="report.html", show_default=True, metavar="FILE", help="Where to write."
)
@click.option(
    "--metric", "metrics", metavar="SPEC", multiple=True, help="Metric, repeatable; or 'all'."
)
@click.option("--chance/--no-chance", default=True, help="Also say what chance would score.")
@null_option("What chance is: {}.  [default: shifted]", "shifted")
@period_option
@click.option("--shifts", type=int, metavar="N", help="How many shifts.  [default: up to 199]")
@click.option("--seed", default=0, help="Seed of shifts and bootstrap.  [default: 0]")
@click.option(
    "--data", metavar="DATA", help="With DIR: the data that was ranked, for a page per series."
)
@click.option("--title", metavar="TEXT", help="Heading of the page.  [default: the file's name]")
def report(
    file: str | None,
    source: Source,
    at: ThresholdOptions,
    out: str,
    metrics: tuple[str, ...],
    title: str | None,
    data: str | None,
    **options: Any,
) -> None:
    """Write a page that shows why a detector got its score, and opens without a network.

    Scores, events and alarms over time, a threshold to move, the receipt of the score, the curves
    with what chance makes of them. Without --at the page starts at the best threshold.

    DIR is a folder that `adjudge rank` has written: the page is then the leaderboard, with ranks,
    a heat map and where metrics disagree.

    \b
    Examples:
      adjudge report scores.csv --out report.html
      adjudge report scores.csv --score mine --score theirs --at 0.7 --time timestamp
      adjudge report ranked --out leaderboard.html --data scores/
    """
    from adjudge.judging.evaluation import evaluate
    from adjudge.judging.preparation import metrics_by_oracle, with_oracle
    from adjudge.ranking.finished import is_ranking
    from adjudge.reporting.page.assembly import place_of_page
    from adjudge.reporting.page.report_page import is_numeric

    place_of_page(out)  # rather now than after the work
    if file is not None and is_ranking(file):
        return _report_ranking(file, source, out, title, data)
    if data is not None:
        raise click.UsageError("--data goes with the folder of a ranking")
    at.refuse_without_effect(metrics)
    table = source.read(file)
    levels = at.of_each(table)
    undecided = (
        levels is None and not table.watching and not all(map(_is_flags, table.scores.values()))
    )
    chosen: Sequence[str | Metric] = [
        with_oracle(s) if undecided and s != "all" else s for s in metrics
    ]
    if at.best:
        chosen = metrics_by_oracle(metrics)
    options |= source.reading(table)
    if table.watching:
        options["every"] = source.drawn_step(table)
    numbers = is_numeric(table.time)
    if numbers:  # of no known unit: they are good for the axis alone
        del options["time"]
    with progress(table.name) as advance:
        judged = evaluate(
            table.labels,
            table.scores,
            chosen or None,
            levels,
            progress=advance,
            **options,
        )
    click.echo(judged.to_html(out, title=title or table.name, time=table.time if numbers else None))
    return None


def _is_flags(scores: Any) -> bool:
    """Tell alarms and 0/1 columns, which need no threshold, from scores."""
    from adjudge.data.columns import is_binary
    from adjudge.data.events import Events, PositionList

    return isinstance(scores, (Events, PositionList)) or is_binary(scores)


def _reading(folder: str, source: Source) -> ReadOptions:
    """How the data was read when it was ranked, unless the options say otherwise."""
    from adjudge.ranking.finished import reading_of
    from adjudge.ranking.sources import ReadOptions

    given = {
        item.name: getattr(source, item.name)
        for item in fields(ReadOptions)
        if getattr(source, item.name, item.default) != item.default
    }
    return ReadOptions(**{**reading_of(folder), **given})


def _report_ranking(
    folder: str, source: Source, out: str, title: str | None, data: str | None
) -> None:
    from adjudge.ranking.finished import read_ranking
    from adjudge.ranking.sources import units_of
    from adjudge.reporting.page.ranking_page import write_ranking, write_series_pages

    refuse_for("ranking" if data is None else "ranked data")
    ranking = read_ranking(folder)
    pages = {}
    if data is not None:
        units = units_of(data, _reading(folder, source)).units
        with progress("series", len(units)) as advance:
            pages = write_series_pages(out, units, ranking.metrics, advance)
    name = title or Path(folder).resolve().name
    click.echo(write_ranking(ranking, out, title=name, pages=pages))


@click.command(cls=Verb)
@click.option(
    "--out", default="play.html", show_default=True, metavar="FILE", help="Where to write."
)
def playground(out: str) -> None:
    """Write a page to play on: drag events and alarms, and watch the F1 scores follow.

    \b
    Example:
      adjudge playground --out play.html
    """
    from adjudge.reporting.page.assembly import write_playground

    click.echo(write_playground(out))
