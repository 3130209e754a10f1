"""The command line: the same words as the library, one function per verb, no arithmetic.

Results go to stdout, notes to stderr. Exit codes: 0 done, 1 partly failed, 2 wrong use or bad
input, 130 interrupted.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from adjudge import __version__
from adjudge.errors import AdjudgeError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge.io.tables import Table
    from adjudge.judgement import Judgement
    from adjudge.metric import Metric


_MANY_POINTS = 200_000  # from here on chance takes seconds, and says that it is at work


class _Group(click.Group):
    """A group whose troubles end in one line and the right exit code."""

    def main(self, *args: Any, **options: Any) -> NoReturn:
        options["standalone_mode"] = False
        try:
            code = super().main(*args, **options)
        except click.exceptions.Abort:
            _stop("interrupted", 130)
        except click.ClickException as error:
            error.show()
            sys.exit(2)
        except AdjudgeError as error:
            _stop(str(error), 2)
        except BrokenPipeError:  # the reader has seen enough, as `head` does
            sys.stderr.close()
            sys.exit(0)
        sys.exit(code if isinstance(code, int) else 0)


def _stop(message: str, code: int) -> NoReturn:
    click.echo(f"adjudge: {' '.join(message.split())}", err=True)
    sys.exit(code)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="adjudge")
def main() -> None:
    """Judge time-series anomaly detectors fairly.

    Begin with `adjudge demo`, then `adjudge evaluate FILE.csv`.
    """


def _inputs(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say where labels and scores are."""
    for option in (
        click.option("--where", "where", metavar="COL", help="Column of points to judge (0/1)."),
        click.option("--series", metavar="COL", help="Column of series ids."),
        click.option(
            "--score",
            "scores",
            metavar="COL",
            multiple=True,
            help="Score column; repeat it for several detectors.  [default: score, score_*]",
        ),
        click.option(
            "--label",
            metavar="COL",
            help="Label column.  [default: label, Label, labels or is_anomaly]",
        ),
    ):
        command = option(command)
    return command


def _threshold(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how the threshold is chosen."""
    for option in (
        click.option("--best", is_flag=True, help="The best threshold: an oracle's, from labels."),
        click.option(
            "--at", metavar="X", help="Threshold: a number, 'quantile(0.99)' or 'top(100)'."
        ),
    ):
        command = option(command)
    return command


@main.command()
@click.option("--seed", default=None, type=int, help="Draw other labels and detectors.")
def demo(seed: int | None) -> None:
    """Show on five simulated detectors what the metrics forgive.

    \b
    Example:
      adjudge demo
    """
    from adjudge.demo import SEED, demonstration
    from adjudge.report.terminal import print_table

    head, rows, sentences = demonstration(SEED if seed is None else seed)
    cells = [[row[0], *row[1:3], *(f"{value:.3f}" for value in row[3:])] for row in rows]
    print_table(head, cells, title="12 events in 10,000 points")
    click.echo("by chance: what BA gives the same alarms elsewhere in time; p: how often as much.")
    for number, sentence in enumerate(sentences, 1):
        click.echo(f"{number}. {sentence}")


@main.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@_inputs
@_threshold
@click.option("--metric", "metrics", metavar="SPEC", multiple=True, help="Metric; repeatable.")
@click.option("--chance/--no-chance", default=True, help="Hold values against shifted alarms.")
@click.option("--shifts", type=int, metavar="N", help="How many shifts.  [default: up to 199]")
@click.option("--white-noise", is_flag=True, help="Also what white noise of this rate scores.")
@click.option("--label-slack", default=0, metavar="K", help="Also the spread under moved labels.")
@click.option("--seed", default=0, help="For shifts, bootstrap and noise.  [default: 0]")
@click.option("--json", "shape", flag_value="json", help="Print JSON; undefined is null.")
@click.option("--csv", "shape", flag_value="csv", help="Print CSV, a row per value.")
@click.option("--md", "shape", flag_value="md", help="Print a Markdown table.")
@click.option("--latex", "shape", flag_value="latex", help="Print a LaTeX table (booktabs).")
def evaluate(
    files: tuple[str, ...],
    label: str | None,
    scores: tuple[str, ...],
    series: str | None,
    where: str | None,
    at: str | None,
    best: bool,
    metrics: tuple[str, ...],
    shape: str | None,
    **options: Any,
) -> None:
    """Judge the detectors in CSV, Parquet, npy or npz files ('-' is standard input).

    0/1 scores are flags and judged as they are. Real scores need --at or --best; without
    either the metrics that need no threshold are shown. Beside every value stands what the same
    alarms would have scored at other places in time.

    \b
    Examples:
      adjudge evaluate scores.csv --best
      adjudge evaluate scores.csv --score mine --score theirs --at 0.7
      adjudge evaluate *.parquet --metric "f1_ba(width=41)" --at "quantile(0.99)" --csv
    """
    from adjudge.io.tables import read
    from adjudge.report.terminal import print_judgements

    _exclusive(at, best)
    judged: list[tuple[str, Judgement]] = []
    failed: list[tuple[str, str]] = []
    for name in files:
        try:
            table = read(name, label=label, scores=scores, series=series, where=where)
            judged.append((table.name, _judge(table, metrics, at, best, options)))
        except AdjudgeError as error:
            message = " ".join(str(error).split())
            failed.append((name, message if message.startswith(name) else f"{name}: {message}"))
    print_judgements(judged, failed, shape)
    for _, message in failed:
        click.echo(f"adjudge: {message}", err=True)
    if failed:
        sys.exit(1 if judged else 2)


@main.command()
@click.argument("file", metavar="FILE")
@_inputs
@_threshold
@click.option("--metric", default="f1_ba", show_default=True, metavar="SPEC")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with every row.")
def explain(
    file: str,
    label: str | None,
    scores: tuple[str, ...],
    series: str | None,
    where: str | None,
    at: str | None,
    best: bool,
    metric: str,
    as_json: bool,
) -> None:
    """Give the receipt of a score: what each event earned, what each false alarm cost.

    \b
    Example:
      adjudge explain scores.csv --at 0.7 --metric "f1_ba(width=41)"
    """
    from adjudge.case import Case
    from adjudge.io.tables import read
    from adjudge.receipt import explain_case
    from adjudge.report.terminal import print_receipt

    _exclusive(at, best)
    table = read(file, label=label, scores=scores, series=series, where=where)
    if len(table.scores) > 1:
        raise InputError(
            f"{table.name}: explain takes one detector, got {', '.join(table.scores)}; "
            "choose one with --score"
        )
    (name, column), *_ = table.scores.items()
    case = Case(table.labels, column, series=table.series, where=table.where, name=name)
    receipt = explain_case(_asked(metric, best), case, at)
    print_receipt(receipt, as_json=as_json)


@main.command()
@click.argument("name", type=click.Choice(["noise"]))
@click.option("--out", default=".", metavar="DIR", help="Where to write.  [default: here]")
@click.option("--seed", default=0, help="Of the Monte-Carlo points.  [default: 0]")
def figure(name: str, out: str, seed: int) -> None:
    """Draw a figure as PNG and SVG, with the plotted numbers as CSV.

    noise: what point adjustment and balanced adjustment give to random scores, at every threshold;
    the theorems as lines, Monte-Carlo as points.

    \b
    Example:
      adjudge figure noise --out figures
    """
    from pathlib import Path

    from adjudge.report.figures import noise_figure

    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in {"noise": noise_figure}[name](folder, seed=seed):
            click.echo(path)
    except OSError as error:
        raise InputError(
            f"--out must be a folder that can be written, got {out!r}: {error}"
        ) from None


@main.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(as_json: bool) -> None:
    """List the catalogue.

    \b
    Example:
      adjudge list
    """
    from adjudge.rows import catalogue

    rows = list(catalogue.values())
    if as_json:
        click.echo(json.dumps([_described(row) for row in rows]))
        return
    for group in dict.fromkeys(row.group for row in rows):
        click.echo(f"\n{group}")
        for row in (row for row in rows if row.group == group):
            click.echo(f"  {row.name:<20}{row.title}")
    click.echo("\n`adjudge show NAME` tells more; best(NAME) lets an oracle choose the threshold.")


@main.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(name: str, as_json: bool) -> None:
    """Show one metric: what it is, its settings, what it forgives.

    \b
    Example:
      adjudge show f1_ba
    """
    from adjudge.rows import metric

    row = metric(name).row
    described = _described(row)
    if as_json:
        click.echo(json.dumps(described))
        return
    click.echo(f"{row.name}: {row.title}")
    for key, value in described.items():
        if key not in ("name", "title", "notes") and value:
            click.echo(f"  {key:<11}{value}")
    for line in row.notes.splitlines():
        click.echo(f"  {line}")


def _described(row: Any) -> dict[str, Any]:
    settings = dict(row.parameters)
    if row.needs == "flags":
        settings["at"] = None
    return {
        "name": row.name,
        "title": row.title,
        "definition": row.definition,
        "settings": ", ".join(f"{key}={json.dumps(value)}" for key, value in settings.items()),
        "range": f"{row.range[0]} to {row.range[1]}, {row.better} is better",
        "undefined": row.undefined,
        "forgives": row.forgives,
        "needs": {"flags": "0/1 flags, or at=, or best(...)", "scores": "scores"}[row.needs],
        "claims": ", ".join(sorted(row.claims)),
        "reference": row.reference,
        "notes": row.notes,
    }


def _exclusive(at: str | None, best: bool) -> None:
    if at is not None and best:
        raise click.UsageError("--at and --best exclude each other")


def _asked(spec: str, best: bool) -> Metric:
    """Read a metric; an oracle chooses the threshold of those that have none, if it is to."""
    from adjudge.metric import best_of
    from adjudge.rows import metric

    asked = metric(spec)
    takes = asked.row.needs == "flags" and asked.at is None
    return best_of(asked) if best and takes else asked


def _judge(
    table: Table, metrics: Sequence[str], at: str | None, best: bool, more: dict[str, Any]
) -> Judgement:
    """Judge each detector of a file; say which of them still need a threshold."""
    from adjudge.case import Case
    from adjudge.judgement import Judgement, default_metrics
    from adjudge.judgement import evaluate as judge

    options: dict[str, Any] = {"series": table.series, "where": table.where}
    parts, undecided = [], []
    slow = more["chance"] and len(table.labels) >= _MANY_POINTS
    for place, (name, column) in enumerate(table.scores.items(), 1):
        if slow:
            click.echo(
                f"adjudge: {table.name}: {name} ({place} of {len(table.scores)}): holding "
                f"{len(table.labels):,} points against chance; --no-chance is quicker",
                err=True,
            )
        chosen = [_asked(spec, best) for spec in metrics]
        if not metrics:
            known = at is not None or Case(table.labels, column, **options).is_flags
            if not known and not best:
                undecided.append(name)
            chosen = default_metrics("oracle" if best else "known" if known else "none")
        parts.append(judge(table.labels, {name: column}, chosen, at, **options, **more))
    if undecided:
        click.echo(
            f"adjudge: {table.name}: {', '.join(undecided)}: not 0/1 flags, so only metrics "
            "without a threshold are shown; say --at X for a threshold, or --best for an "
            "oracle's choice",
            err=True,
        )
    rows = tuple(row for part in parts for row in part.rows)
    return Judgement(rows, tuple(event for part in parts for event in part.events))


if __name__ == "__main__":
    main()
