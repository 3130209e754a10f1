"""The verbs that write pages: report, playground."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import TABLES, option, valued
from adjudge.cli.effects import Verb, refuse_for
from adjudge.cli.help import FILES
from adjudge.cli.options import (
    SEASONAL,
    benchmarks,
    computed,
    incidents,
    inputs,
    null_option,
    period_option,
    points_or_time,
    printed,
    several,
    threshold,
    timing,
)
from adjudge.cli.terminal import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.cli.declaration import Kind
    from adjudge.cli.options import ThresholdOptions
    from adjudge.cli.source import Source
    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.judging.over_time.windows import OverTime
    from adjudge.metrics.metric import Metric
    from adjudge.ranking.sources import ReadOptions


_DRAWN: tuple[Kind, ...] = (*TABLES, "on_call", "positions")
"""Data of which a page has values."""
_drawn = partial(computed, of=_DRAWN)


@click.command(cls=Verb, kinds=(*_DRAWN, "ranking", "ranked"))
@click.argument("file", metavar="[FILE|DIR]", required=False)
@inputs
@benchmarks
@threshold
@several
@timing
@incidents
@printed("--out FILE", "Where to write.", first=True, default="report.html", show_default=True)
@_drawn("--metric SPEC", "Metric, repeatable; or 'all'.", name="metrics", first=True, many=True)
@_drawn(
    "--chance/--no-chance", "Also compute the score expected by chance.", first=True, default=True
)
@null_option("What chance is: {}.  [default: shifted]")
@period_option(SEASONAL)
@_drawn("--shifts N", "Number of time shifts.  [default: up to 199]", type=int)
@_drawn("--seed", "Seed of shifts and bootstrap.  [default: 0]", type=int)
@option("--data DATA", "With DIR: the data that was ranked, for a page per series.",
    of=("ranked",), title=FILES)  # fmt: skip
@option("--signal COL", "What a sensor measured, drawn above the scores; repeatable, or a pattern.",
    name="signals", of=("points",), many=True, title=FILES)  # fmt: skip
@computed("--compare OLD NEW",
    "What changed, for a pull request: two score columns of FILE, or two files.",
    first=True, of=("points",), instead=dict.fromkeys(
        ("channels", "annotators", "on_call"), "see adjudge compare"))  # fmt: skip
@computed("--over-time LENGTH",
    "Also draw each window of time separately: 1d, 1w from Monday, 1mo, or N points.",
    first=True, of=("points", "on_call"))  # fmt: skip
@printed("--title TEXT", "Heading of the page.  [default: the file's name]")
def report(
    file: str | None,
    source: Source,
    at: ThresholdOptions,
    out: str,
    metrics: tuple[str, ...],
    title: str | None,
    data: str | None,
    signals: tuple[str, ...],
    compare: tuple[str, str] | None,
    over_time: str | None,
    **options: Any,
) -> None:
    """Write a page that says whether a detector is any good and why; it needs no network.

    A verdict, events found, false alarms a week, the typical delay, the score beside chance; then
    time, a threshold to move, what each event earned and each alarm cost. Without --at the page
    starts at the best threshold in hindsight.

    DIR is a folder that `adjudge rank` has written: the page is then the leaderboard, with ranks,
    a heat map and where metrics disagree.

    \b
    Examples:
      adjudge report scores.csv --out report.html
      adjudge report scores.csv --score mine --score theirs --at 0.7 --time timestamp
      adjudge report scores.csv --time timestamp --at 0.7 --over-time 1w
      adjudge report --compare old.csv new.csv --at 0.7 --out change.html
      adjudge report --truth incidents.csv --alerts pages.csv --span 2026-01-01 2026-02-01
      adjudge report wide.csv --channels temp,flow --label 'label_{}' --score 'score_{}' --at 3
      adjudge report ranked --out leaderboard.html --data scores/
    """
    from adjudge.judging.doors.evaluate import evaluate
    from adjudge.judging.preparation import metrics_by_oracle, with_oracle
    from adjudge.ranking.finished import is_ranking
    from adjudge.reporting.page.assembly import place_of_page
    from adjudge.reporting.page.report_page import is_numeric

    place_of_page(out)  # rather now than after the work
    if file is not None and is_ranking(file):
        return _report_ranking(file, source, out, title, data)
    if file is not None and Path(file).is_dir():
        raise click.UsageError(
            f"{file}: a folder must be one that adjudge rank DATA --out DIR wrote; or name a file"
        )
    at.refuse_without_effect(metrics)
    table = source.read(file) if compare is None else source.compared(file, *compare)
    drawn: dict[str, Any] = {}
    if signals:
        drawn["signal"] = source.signals(file or (compare or ("",))[0], signals)
    levels = at.of_each(table)
    undecided = levels is None and not _all_flags(table)
    chosen: Sequence[str | Metric] = [
        with_oracle(s) if undecided and s != "all" else s for s in metrics
    ]
    if at.best:
        chosen = metrics_by_oracle(metrics)
    reading, options = source.reading(table), valued(options)
    numbers = is_numeric(table.time)
    if numbers:  # of no known unit: they are good for the axis alone
        del reading["time"]
    with progress(table.name) as advance:
        judged = evaluate(
            table.labels,
            table.scores,
            chosen or None,
            levels,
            progress=advance,
            **reading,
            **options,
        )
    drawn["time"] = table.time if numbers else None
    if over_time is not None:
        drawn["windows"] = _windows(table, chosen, levels, over_time, (reading, options))
    drawn["compared"] = "" if compare is None else _change(table, levels, reading | options)
    click.echo(judged.to_html(out, title=title or table.name, **drawn))
    return None


def _windows(
    table: LabelledScores,
    metrics: Sequence[str | Metric],
    levels: dict[str, Any] | None,
    length: str,
    how: tuple[dict[str, Any], dict[str, Any]],
) -> OverTime:
    """Judge the same detectors window by window."""
    from adjudge.judging.doors.over_time import over_time

    reading, options = how
    takes = signature(over_time).parameters
    beside = {name: value for name, value in options.items() if name in takes}
    return over_time(
        table.labels, table.scores, metrics or None, levels, window=points_or_time(length),
        **reading, **beside,
    )  # fmt: skip


def _change(table: LabelledScores, levels: dict[str, Any] | None, options: dict[str, Any]) -> str:
    """Say whether the second of two detectors is really ahead of the first."""
    from adjudge.judging.doors.compare import compare

    (old, before), (new, after) = table.scores.items()
    flags = _is_flags(before) and _is_flags(after)
    known = ("series", "where", "time", "missing", "sort", "seed")
    found = compare(
        table.labels,
        after,
        before,
        "f1_ba" if levels or flags else "best(f1_ba)",
        at=None if levels is None else (levels[new], levels[old]),
        names=(new, old),
        **{name: value for name, value in options.items() if name in known},
    )
    return ". ".join(str(found).splitlines()) + "."


def _all_flags(table: LabelledScores) -> bool:
    """Whether every detector needs no threshold; of several channels on each of them."""
    columns: list[Any] = list(table.scores.values())
    parts = [list(one.values()) if isinstance(one, dict) else [one] for one in columns]
    return all(_is_flags(one) for part in parts for one in part)


def _is_flags(scores: Any) -> bool:
    """Tell alerts, alarms and 0/1 columns, which need no threshold, from scores."""
    from adjudge.data.columns import is_binary
    from adjudge.data.events import Events, PositionList
    from adjudge.data.incidents import Alerts

    return isinstance(scores, (Alerts, Events, PositionList)) or is_binary(scores)


def _reading(folder: str, source: Source) -> ReadOptions:
    """How the data was read when it was ranked, unless the options say otherwise."""
    from adjudge.ranking.finished import reading_of
    from adjudge.ranking.sources import ReadOptions

    known = {item.name: item.default for item in fields(ReadOptions)}
    said = {name: value for name, value in source.of(known).items() if value != known[name]}
    return ReadOptions(**{**reading_of(folder), **said})


def _report_ranking(
    folder: str, source: Source, out: str, title: str | None, data: str | None
) -> None:
    from adjudge.ranking.finished import read_ranking
    from adjudge.ranking.sources import units_of
    from adjudge.reporting.page.ranking_page import write_ranking, write_series_pages

    refuse_for("ranking" if data is None else "ranked")
    ranking = read_ranking(folder)
    pages = {}
    if data is not None:
        units = units_of(data, _reading(folder, source)).units
        with progress("series", len(units)) as advance:
            pages = write_series_pages(out, units, ranking, advance)
    name = title or Path(folder).resolve().name
    click.echo(write_ranking(ranking, out, title=name, pages=pages))


@click.command(cls=Verb)
@option("--out FILE", "Where to write.", default="play.html", show_default=True)
def playground(out: str) -> None:
    """Write a page to play on: drag events and alarms, and watch the F1 scores follow.

    \b
    Example:
      adjudge playground --out play.html
    """
    from adjudge.reporting.page.assembly import write_playground

    click.echo(write_playground(out))
