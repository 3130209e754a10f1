"""The verbs that explain a score: explain, explain-diff."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import PLACES, TABLES, option
from adjudge.cli.effects import Verb
from adjudge.cli.options import computed, formats, inputs, one_file, timing
from adjudge.cli.progress import progress
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge.cli.options import ThresholdOptions
    from adjudge.cli.source import Source
    from adjudge.io.labels_and_scores import LabelledScores


@click.command(cls=Verb, kinds=(*TABLES, "on_call", *PLACES))
@click.argument("file", metavar="[FILE]", required=False)
@one_file
@computed("--metric SPEC", "Metric to explain.", first=True, default="f1_ba", show_default=True)
@computed("--all", "Show every row, and the whole series as a strip.",
    name="all_rows", not_in="json csv")  # fmt: skip
@formats("json", "csv")
def explain(
    file: str | None,
    source: Source,
    at: ThresholdOptions,
    metric: str,
    all_rows: bool,
    shape: str | None,
) -> None:
    """Break a score down: what each event earned, what each false alarm cost.

    Shows the ten events that lost most and the ten alarms that cost most, then the parts of the
    series where they are; --json and --csv have every row.

    \b
    Examples:
      adjudge explain scores.csv --at 0.7 --metric "f1_ba(width=41)"
      adjudge explain --truth incidents.csv --alerts alerts.csv --span 2026-01-01 2026-02-01
      adjudge explain wide.csv --channels temp,flow --at 3 --metric channel_f1
    """
    from adjudge.cli.printing import print_receipt
    from adjudge.judging.doors.explain import explain as explained
    from adjudge.judging.judge.which_metrics import with_oracle

    at.refuse_without_effect([metric])
    table = source.read(file)
    how = source.reading(table)
    name, column = _one_detector(table, "explain")
    chosen = with_oracle(metric) if at.best else metric
    receipt = explained(table.labels, column, chosen, at=at.of(table, name), **how)
    print_receipt(receipt, shape, every=all_rows)


def _one_detector(table: LabelledScores, verb: str) -> tuple[str, Any]:
    """The detector of a table that is to have but one."""
    if len(table.scores) > 1:
        first = next(iter(table.scores))
        raise InputError(
            f"{table.name}: {verb} takes one detector, got {', '.join(table.scores)}; "
            f"choose one with --score, such as --score {first}"
        )
    return next(iter(table.scores.items()))


@click.command("explain-diff", cls=Verb, kinds=("points",))
@click.argument("file", metavar="FILE")
@inputs
@timing
@option("--theirs X", "The number as printed.", required=True)
@option("--at T", "The threshold used, if known.", type=float)
def explain_diff(file: str, source: Source, theirs: str, at: float | None) -> None:
    """Find the metric and settings that reproduce a published number from these scores.

    Tries all metrics with the settings of other packages: > and >=, grids and rules of thresholds,
    series pooled or averaged, points left out, and inverted scores; with --time also false alarms
    per day, as EEG software counts them (NEDC, SzCORE). The more digits you give, the fewer match
    by accident; the last line says how many would.

    \b
    Example:
      adjudge explain-diff scores.csv --theirs 0.8312
    """
    from adjudge.cli.terminal import echo_sentence
    from adjudge.compat.differences import explain_difference

    table = source.read(file)
    _, column = _one_detector(table, "explain-diff")
    how: dict[str, Any] = {"at": at, "series": table.series, "where": table.where}
    how["time"] = table.time
    with progress(table.name) as advance:
        found = explain_difference(table.labels, column, theirs, progress=advance, **how)
    for line in str(found).splitlines():
        echo_sentence(line, indent=8 * ("  " in line))  # below the words, not the number
    if not found.matches:
        sys.exit(1)
