"""The verbs of leaderboards: rank and verify."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import Names, option, units_with_value
from adjudge.cli.effects import Verb, refuse_for
from adjudge.cli.group import note
from adjudge.cli.options import (
    SEASONAL,
    benchmarks,
    computed,
    drawn_for,
    formats,
    grouped,
    inputs,
    missing,
    null_option,
    paper_option,
    period_option,
    printed,
    thresholds,
    width_on_paper,
)
from adjudge.cli.progress import resumable
from adjudge.cli.terminal import print_exactly, print_result
from adjudge.errors import visible

if TYPE_CHECKING:
    from adjudge.cli.source import Source
    from adjudge.ranking.result import Ranking
    from adjudge.tables.table import Layout

_SHOWN = 12
"""Failures that are printed."""
_board = partial(option, title="Leaderboards")
_of_series = partial(_board, of=("folder",))
_counted = partial(computed, of=("folder",))
_work = partial(option, title="Work", of=("folder",))


@click.command(cls=Verb, kinds=("folder", "values", "rankings", "ranking"))
@click.argument("data", metavar="DATA...", nargs=-1, required=True)
@inputs
@benchmarks
@printed("--out DIR", "Output folder; an interrupted run resumes there.",
    first=True, of=("folder", "values", "rankings"))  # fmt: skip
@_counted("--metric SPEC", "Metric, repeatable.", name="metrics", first=True, many=True)
@thresholds
@_of_series("--layout PATTERN",
    "File name pattern: '{series} - {detector}.csv', '{dataset}/{detector}/{series}.parquet'.",
    first=True, not_with="series")  # fmt: skip
@_of_series("--labels",
    "Labels of files that differ, one per detector: refused, or those of most.  [default: agree]",
    type=click.Choice(["agree", "majority"]))  # fmt: skip
@_of_series("--window COL", "Column of each series' window, for vus_pr.")
@_of_series("--resources FILE", "Table of detector, runtime, memory.")
@_work("--jobs N", "Local processes.  [default: 1]",
    first=True, not_with="scheduler", type=int)  # fmt: skip
@_work("--scheduler ADDRESS", "Dask scheduler, or local:N to start one.", first=True)
@_counted("--chance/--no-chance", "Also compute the chance level.", first=True, default=True)
@null_option("Null model: {}.  [default: shifted]")
@period_option(SEASONAL)
@_counted("--shifts N", "Shifts per series.  [default: 199 at least]", type=int)
@missing
@_board("--min-coverage X", "Share of series a detector needs to be ranked.  [default: 0.9]",
    first=True, of=("folder", "values"), type=float)  # fmt: skip
@computed("--unit",
    "Unit of evidence for intervals and tests.  [default: data sets if known, else series]",
    of=("folder", "values"), type=Names("ranking.comparable:UNITS"))  # fmt: skip
@grouped("Column of each series' data set.")
@computed("--clock",
    "Series of a data set that share a clock: detected, all, or none.  [default: auto]",
    of=("folder",), type=Names("data.shared_clock:RULES"))  # fmt: skip
@_of_series(
    "--pooled/--no-pooled", "Also judge all series as one.  [default: if small]", default=None
)
@_work("--retry", "Retry failed series.")
@computed("--seed", "Random seed.  [default: 0]", of=("folder",), type=int)
@_board("--values", "DATA is a table of values: series, detector, value.", first=True)
@_board("--better",
    "Direction of --values.  [default: as adjudge list says; higher, if it does not]",
    of=("values",), type=click.Choice(["higher", "lower"]))  # fmt: skip
@_board("--against B", "Compare with another finished ranking (a folder).", first=True)
@_board("--merge", "DATA are folders of rankings to merge.", first=True, not_with="values")
@_of_series("--baselines", "Also judge noise and one-line detectors.", first=True)
@_of_series(
    "--signal COL", "Column of the measured signal, for --baselines.", first=True, needs="baselines"
)
@_board(
    "--power",
    "Also show which differences this benchmark can detect.",
    first=True,
    not_with="against",
)
@_board("--selector FILE", "Also show the regret of a selector: columns series, detector.",
    not_with="against")  # fmt: skip
@_board("--order-by COL", "Column to order by.  [default: mean_rank]",
    first=True, not_with="against", not_in="json", default="mean_rank")  # fmt: skip
@paper_option(first=True, not_with="power against selector", not_in="json")
@formats("json")
@printed("--html FILE", "Also write a page.", first=True)
@printed("--figure", "Also draw DIR/ranks.png, the critical differences.",
    of=("folder", "values", "rankings"), needs="out")  # fmt: skip
@width_on_paper(title="Output", needs="figure")
def rank(data: tuple[str, ...], source: Source, out: str | None, order_by: str, html: str | None,
         figure: bool, width: str | None, shape: str | None, against: str | None, power: bool,
         selector: str | None, paper: bool,
         **options: Any) -> None:  # fmt: skip
    """Rank many detectors on many series.

    DATA is one of: a folder of CSV, Parquet, npy or npz files, one per series, with labels and a
    score column per detector (or files, or patterns); a long table, with --series; labels/ and a
    folder per detector with a file per series (or these folders elsewhere, with --with); any folder
    whose file names contain series and detector, with --layout; a published benchmark (--judged
    lists them), with its folder of scores as --with; a table of computed values (--values);
    finished rankings (--merge); or a finished ranking to read again, without --out. Written are
    DIR/results.csv (a row per series, detector and metric), DIR/ranking.csv (the leaderboard) and
    DIR/ranking.json (all that is printed). Run the same command again to resume an interrupted run.

    \b
    Examples:
      adjudge rank scores/ --out ranked --jobs 4
      adjudge rank long.parquet --series name --metric f1_ba --metric vus_pr --at "top(50)" --out r
      adjudge rank scores/ --layout "{series} - {detector}.csv" --out ranked
      adjudge rank published.csv --values --md
      adjudge rank ranked --against last_year
      adjudge rank scores/ --out ranked --paper
      adjudge rank --merge ranked theirs --out both
    """
    if figure:
        from adjudge.reporting.figures.drawing import check_matplotlib

        check_matplotlib()  # rather now than after the work
    if against is not None:
        _check_against(data, out, against, options)
    found = _found(data, source, out, order_by, options)
    if paper:
        print_result(drawn_for(shape, paper=paper), lambda: found.paper(order_by=order_by), dict)
    else:
        _print(found, against, order_by, shape, power=power, selector=selector)
    if html is not None:
        note(found.to_html(html, said=_powers(found) if power else {}))
    if figure and out is not None:
        _draw(found, out, width)
    _fail(found)


def _check_against(
    data: tuple[str, ...], out: str | None, against: str, options: dict[str, Any]
) -> None:
    """Refuse what is no ranking, before anything is judged."""
    from adjudge.ranking.finished import is_ranking

    wrote = "a folder written by adjudge rank DATA --out DIR"
    if not is_ranking(against):
        raise click.UsageError(f"--against must be a finished ranking, {wrote}, got {against!r}")
    if out is None and not options["values"] and not options["merge"] and not is_ranking(data[0]):
        raise click.UsageError(
            f"--against compares finished rankings: DATA must be {wrote}, got {data[0]!r}; to "
            "rank it first, add --out DIR"
        )


def _found(
    data: tuple[str, ...], source: Source, out: str | None, order_by: str, options: dict[str, Any]
) -> Ranking:
    """Make the ranking, of scores, of values or of rankings; or read one that is finished."""
    from adjudge.ranking.finished import is_ranking, read_ranking

    values, merge = options.pop("values"), options.pop("merge")
    if merge:
        from adjudge.ranking.finished import merge_rankings

        return merge_rankings(data, out)
    if values:
        return _of_values(data, source, out, options)
    if out is None and len(data) == 1 and is_ranking(data[0]):
        refuse_for("ranking")
        return read_ranking(data[0])
    refuse_for("folder")
    _check_order(order_by, options["resources"])
    return _of_scores(data, source, out, options)


def _check_order(order_by: str, resources: str | None) -> None:
    """Refuse an order by what nobody says, before the work rather than after it."""
    from adjudge.ranking.collected import RESOURCES

    if order_by in RESOURCES and resources is None:
        raise click.UsageError(
            f"--order-by {order_by} needs --resources FILE, a table with the columns detector and "
            f"{order_by}"
        )


def _of_values(
    data: tuple[str, ...], source: Source, out: str | None, options: dict[str, Any]
) -> Ranking:
    from adjudge.ranking.values import rank_values, read_values

    if len(data) > 1:
        raise click.UsageError("--values takes one table")
    table = read_values(data[0], **source.of(("sep", "decimal")))
    kept = {name: options[name] for name in ("better", "min_coverage", "unit")}
    return rank_values(table, out=out, **units_with_value(kept))


def _of_scores(
    data: tuple[str, ...], source: Source, out: str | None, options: dict[str, Any]
) -> Ranking:
    from adjudge.ranking.finished import is_unfinished
    from adjudge.ranking.run import rank as run

    if out is None and is_unfinished(data[0]):
        raise click.UsageError(
            f"{data[0]} holds an unfinished ranking: run the command that started it again"
        )
    if out is None:
        raise click.UsageError(
            "--out DIR is needed, such as --out ranked: results are kept there, and an "
            "interrupted run resumes there"
        )
    with resumable("series", out) as line:

        def show(done: int, total: int, cells: int, failures: int, share: float) -> None:
            said = f"series ({failures:,} rows failed)" if failures else None
            line(done, total, said, cells, share)

        given = data[0] if len(data) == 1 else list(data)
        metrics, length = list(options.pop("metrics")) or None, options.pop("train_length")
        del options["better"]  # of stored values alone
        how = {**_how(source), **units_with_value(options), "at": _levels(options["at"])}
        how |= {} if length is None else {"train": length}
        return run(given, metrics, out=out, progress=show, listed=note, **how)


def _levels(texts: tuple[str, ...]) -> Any:
    """What --at says: a threshold for all, or NAME=X for some and the other one for the rest."""
    named: dict[str | None, str] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        is_named = bool(equals) and "(" not in name
        key, value = (name, rest) if is_named else (None, text)
        if key in named:
            raise click.UsageError(
                f"--at must be given once, or once per detector as NAME=X, got {text!r} again"
            )
        named[key] = value
    return named.get(None) if not named or list(named) == [None] else named


def _fail(found: Ranking) -> None:
    """Say what failed, and end with the code that says so."""
    failures = sum(row["failed"] for row in found.leaderboard) + len(found.failed)
    if failures:
        for why, names in list(_reasons(found).items())[:_SHOWN]:
            left = len(names) - 1
            others = f" and {left:,} other{'s' * (left > 1)}" if left else ""
            note(f"{names[0]}{others}: {why}")
        folder = found.path
        where = f"{folder}/results.csv says why, --retry tries again" if folder else "see --out"
        note(f"{failures:,} {'results' if failures > 1 else 'result'} failed; {where}")
        judged = any(line["series"] or line["undefined"] for line in found.leaderboard)
        sys.exit(1 if judged else 2)


def _reasons(found: Ranking) -> dict[str, list[str]]:
    """Why series failed, or detectors on them, and which."""
    from adjudge.ranking.collected import PREFIX

    reasons: dict[str, list[str]] = {}
    for row in found.each_result():
        if row["error"]:
            named = visible(row["detector"]).removeprefix(PREFIX)
            name = f"{named} on {visible(row['series'])}" if named else visible(row["series"])
            names = reasons.setdefault(_why(row["error"], visible(row["series"])), [])
            names += [name] * (name not in names[-1:])  # once, by whatever metric
    return reasons


def _why(error: str, series: str) -> str:
    """An error without the series, so that it is the same of all; the verb has no --best."""
    own = error.removeprefix(f"{series}: ").replace(f"; {series} has ", "; it has ")
    return own.replace(" (--best)", "")


def _how(source: Source) -> dict[str, Any]:
    """Say to the library what the options say about the files."""
    from adjudge.ranking.sources import FolderColumns

    if len(source["also"]) > 1:
        raise click.UsageError("--with takes one folder of scores here")
    columns = source.of(FolderColumns.__annotations__)
    return {**columns, "score_folder": next(iter(source["also"]), None)}


def _powers(found: Ranking) -> dict[str, list[str]]:
    """What the benchmark can tell by the main metric, in sentences."""
    from adjudge.ranking.power import power_layout

    return {found.main_metric: list(power_layout(found.powers()).verdicts)}


def _print(
    found: Ranking,
    against: str | None,
    order_by: str,
    shape: str | None,
    *,
    power: bool,
    selector: str | None,
) -> None:
    """Print the leaderboard, what the tests say, and where metrics disagree; or what moved."""
    from adjudge.ranking.finished import read_ranking
    from adjudge.ranking.power import power_layout
    from adjudge.ranking.values import read_selection

    regret = None if selector is None else found.regret(read_selection(selector))

    def layout() -> Layout:
        board = found.board(order_by=order_by)
        more = [power_layout(found.powers())] if power else []
        more += [] if regret is None else [regret.layout()]
        tables = (*board.tables, *(table for one in more for table in one.tables))
        verdicts = (*board.verdicts, *(said for one in more for said in one.verdicts))
        return replace(board, tables=tables, verdicts=verdicts)

    def whole() -> dict[str, Any]:
        known: dict[str, Any] = json.loads(found.to_json(power=power))
        return known | ({} if regret is None else {"regret": regret.to_dict()})

    if against is not None:
        change = found.against(read_ranking(against))
        print_result(shape, change.layout, change.to_dict)
        return
    print_result(shape, layout, whole)
    if shape is None and found.path is not None:
        print_exactly(f"{found.path}/ranking.csv\n")


def _draw(found: Ranking, out: str, width: str | None) -> None:
    from pathlib import Path

    from adjudge.reporting.figures.rank_diagram import rank_figure

    for path in rank_figure(Path(out), found, found.main_metric, width):
        note(path)


_checked = partial(option, not_with="prepare")


@click.command(cls=Verb)
@click.argument("board", type=click.Path(exists=True, file_okay=False))
@click.argument("names", metavar="[NAME]...", nargs=-1)
@_checked("--sample N", "Number of series to recompute.  [default: all]", type=int)
@_checked("--seed", "Seed of the sample.  [default: 0]", needs="sample", type=int)
@option("--prepare", "Write values.csv and meta.json of NAME.")
@_checked("--build DIR", "Also rank valid submissions and write pages.")
@_checked("--before DIR", "Previous build.  [default: that of --build]", needs="build")
@formats("json", not_with="prepare")
def verify(board: str, names: tuple[str, ...], sample: int | None, seed: int | None, prepare: bool,
           build: str | None, before: str | None, shape: str | None) -> None:  # fmt: skip
    """Verify submissions to a board: recompute their values, refuse what differs.

    BOARD is a folder with board.json, labels, and submissions/NAME/ with meta.json and scores/,
    values.csv or values.parquet; start from examples/board in the repository. A submission is
    refused if it does not reproduce, uses other settings or labels, or contradicts its meta.json;
    the exit code is then 3.

    \b
    Examples:
      adjudge verify board --prepare mine
      adjudge verify board mine
      adjudge verify board --sample 20 --seed 4711 --build site
    """
    if prepare:
        _prepare(board, names)
        return
    drawn = units_with_value({"sample": sample, "seed": seed})
    if build is not None:
        if names:
            raise click.UsageError("--build takes all submissions: leave out NAME")
        from adjudge.reporting.page.board_pages import build_board

        built = build_board(board, build, before=before, **drawn)
        found = built.verification
        note(built.pages[0])
    else:
        from adjudge.ranking.boards.verification import verify as check

        found = check(board, names or None, **drawn)
    print_result(shape, found.layout, found.to_dict)
    if found.refused:
        sys.exit(3)


def _prepare(board: str, names: tuple[str, ...]) -> None:
    from adjudge.ranking.boards.verification import prepare

    if not names:
        raise click.UsageError("--prepare needs the NAME of a submission")
    for name in names:
        for file in prepare(board, name):
            note(file)
