"""The verbs that write pages: report, playground."""

from __future__ import annotations

import shlex
from dataclasses import fields
from functools import partial
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import (
    PLACES,
    TABLES,
    given_options,
    option,
    options_of,
    units_with_value,
)
from adjudge.cli.effects import Verb, refuse_for
from adjudge.cli.help import FILES
from adjudge.cli.options import (
    SEASONAL,
    clocks,
    computed,
    null_option,
    one_or_many,
    period_option,
    points_or_time,
    printed,
)
from adjudge.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.cli.declaration import Kind
    from adjudge.cli.options import ThresholdOptions
    from adjudge.cli.source import Source
    from adjudge.judging.inputs.contract import Input
    from adjudge.judging.over_time.windows import OverTime
    from adjudge.metrics.metric import Metric
    from adjudge.ranking.sources import ReadOptions


_DRAWN: tuple[Kind, ...] = (*TABLES, "on_call", *PLACES)
"""Data of which a page has values."""
_drawn = partial(computed, of=_DRAWN)


@click.command(cls=Verb, kinds=(*_DRAWN, "ranking", "ranked"))
@click.argument("file", metavar="[FILE|DIR]", required=False)
@one_or_many
@clocks
@printed("--out FILE", "Output file.", first=True, default="report.html", show_default=True)
@_drawn("--metric SPEC", "Metric, repeatable; or 'all'.", name="metrics", first=True, many=True)
@_drawn("--chance/--no-chance", "Also compute the chance level.", first=True, default=True)
@null_option("Null model: {}.  [default: shifted]")
@period_option(SEASONAL)
@_drawn("--shifts N", "Number of time shifts.  [default: up to 199]", type=int)
@_drawn("--seed", "Seed of shifts and bootstrap.  [default: 0]", type=int)
@option("--data DATA", "With DIR: the ranked data, for a page per series.",
    of=("ranked",), title=FILES)  # fmt: skip
@option("--signal COL", (
    "Column of the measured signal, drawn above the scores; repeatable, or a pattern."
),
    name="signals", of=("points",), many=True, title=FILES)  # fmt: skip
@computed("--compare OLD NEW",
    "Show what changed, for a pull request: two score columns of FILE, or two files.",
    first=True, of=("points",), instead=dict.fromkeys(
        ("channels", "annotators", "on_call"), "see adjudge compare"))  # fmt: skip
@computed("--over-time LENGTH",
    "Also draw each time window separately: 1d, 1w (from Monday), 1mo, or N points.",
    first=True, of=("points", "on_call"))  # fmt: skip
@printed("--title TEXT", "Page title.  [default: the file's name]")
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
    """Write an HTML report of detectors; it needs no network.

    It has a verdict, events found, false alarms per week, the typical delay and the score next to
    chance; a threshold to drag; and what each event earned and each alarm cost. Without --at the
    page starts at the best threshold in hindsight.

    DIR is a folder written by `adjudge rank`: the page is then the leaderboard, with ranks, a heat
    map and where metrics disagree.

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
    from adjudge.judging.inputs.door import read
    from adjudge.judging.judge.which_metrics import metrics_by_oracle, with_oracle
    from adjudge.ranking.finished import is_ranking
    from adjudge.reporting.page.assembly import place_of_page
    from adjudge.reporting.page.report_page import is_numeric

    place_of_page(out)  # rather now than after the work
    if file is not None and is_ranking(file):
        return _report_ranking(file, source, out, title, data)
    if file is not None and Path(file).is_dir():
        raise click.UsageError(
            f"{file}: a folder must be written by adjudge rank DATA --out DIR; or name a file"
        )
    at.refuse_without_effect(metrics)
    table = source.read(file) if compare is None else source.compared(file, *compare)
    drawn: dict[str, Any] = {"read_as": _read_as(file)}
    if signals:
        drawn["signal"] = source.signals(file or (compare or ("",))[0], signals)
    levels = at.of_each(table)
    reading, options = source.reading(table), units_with_value(options)
    numbers = is_numeric(table.time)
    if numbers:  # of no known unit: they are good for the axis alone
        del reading["time"]
    points = read(table.labels, table.scores, reading)
    undecided = levels is None and not all(ready.known for ready in points.placed(None))
    chosen: Sequence[str | Metric] = [
        with_oracle(s) if undecided and s != "all" else s for s in metrics
    ]
    if at.best:
        chosen = metrics_by_oracle(metrics)
    with progress(table.name) as advance:
        judged = evaluate(points, chosen or None, levels, progress=advance, **options)
        drawn["time"] = table.time if numbers else None
        if over_time is not None:
            drawn["windows"] = _windows(points, chosen, levels, over_time, options)
        if compare is not None:
            metric = "best(f1_ba)" if undecided else "f1_ba"
            drawn["compared"] = _change(points, metric, levels, options.get("seed", 0))
        page = judged.to_html(out, title=title or table.name, **drawn)
    click.echo(page)
    return None


def _read_as(file: str | None) -> str:
    """The file and the given options that read it, for a command that reads it again."""
    from adjudge.cli.deciding import decide

    if file is None:
        return ""
    known = {one.name for one in options_of(decide)} - {"scores", "seed", "null", "metric"}
    words = [file]
    for given in given_options(click.get_current_context()):
        if given.name in known:
            value = click.get_current_context().params[str(given.name)]
            each = value if given.multiple else [value]
            for one in each:
                parts = [] if one is True else one if isinstance(one, tuple) else [one]
                words += [given.opts[0], *map(str, parts)]
    return shlex.join(words)


def _windows(
    data: Input,
    metrics: Sequence[str | Metric],
    levels: dict[str, Any] | None,
    length: str,
    options: dict[str, Any],
) -> OverTime:
    """Judge the same detectors window by window."""
    from adjudge.judging.doors.over_time import over_time

    takes = signature(over_time).parameters
    beside = {name: value for name, value in options.items() if name in takes}
    return over_time(data, metrics or None, levels, window=points_or_time(length), **beside)


def _change(data: Input, metric: str, levels: dict[str, Any] | None, seed: int) -> str:
    """Say whether the second of two detectors is really ahead of the first."""
    from adjudge.judging.doors.compare import compare

    old, new = data.detectors
    at = None if levels is None else (levels[new], levels[old])
    found = compare(data.only(new, old), metric=metric, at=at, seed=seed)
    return ". ".join(str(found).splitlines()) + "."


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
@option("--out FILE", "Output file.", default="play.html", show_default=True)
def playground(out: str) -> None:
    """Write a page to play with: drag events and alarms, and watch the F1 scores change.

    \b
    Example:
      adjudge playground --out play.html
    """
    from adjudge.reporting.page.assembly import write_playground

    click.echo(write_playground(out))
