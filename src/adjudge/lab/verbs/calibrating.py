"""The verb that tests verdicts and intervals on the caller's own data: calibrate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.effects import Verb
from adjudge.cli.options import evidence, incidents, inputs, null_option, shapes, threshold, timing
from adjudge.cli.terminal import progress

if TYPE_CHECKING:
    from adjudge.cli.options import ThresholdOptions
    from adjudge.cli.source import Source
    from adjudge.lab.calibration.result import Calibration


@click.command(cls=Verb)
@click.argument("file", metavar="[FILE]", required=False)
@inputs
@threshold
@timing
@incidents
@evidence
@click.option(
    "--metric", default="f1_ba", show_default=True, metavar="SPEC", help="Metric to judge by."
)
@null_option("What chance is: {}.  [default: shifted]", "shifted")
@click.option(
    "--shifts", type=int, metavar="N", help="How many shifts.  [default: all, where quick]"
)
@click.option(
    "--period",
    metavar="P",
    help="After how many points, or how long (1d), it is the same hour again.  [default: a day, "
    "with --time]",
)
@click.option("--versions", default=200, show_default=True, metavar="N", help="Blind versions.")
@click.option(
    "--draws",
    type=int,
    metavar="N",
    help="Draws of events; of incidents and alerts with --every alone.  [default: 200]",
)
@click.option("--seed", default=0, help="Seed of versions, draws and verdicts.  [default: 0]")
@click.option("--jobs", default=1, metavar="J", help="How many processes.  [default: 1]")
@shapes("json", "csv")
def calibrate(
    file: str | None,
    source: Source,
    at: ThresholdOptions,
    metric: str,
    period: str | None,
    shape: str | None,
    **options: Any,
) -> None:
    """Say how often verdict and interval are right on data like yours.

    The detector's own scores are moved so that they know nothing of the events, in several ways,
    and each such blind version is judged as evaluate judges: how many are called better than
    chance? (5 % may be.) And the events are drawn again, each with its normal time and its scores:
    how many intervals hold the value? (95 % should.)

    \b
    Examples:
      adjudge calibrate scores.csv --best
      adjudge calibrate scores.csv --at 0.7 --time timestamp --jobs 2
      adjudge calibrate --truth truth.csv --alerts a.csv --span 2026-01-01 2026-02-01
    """
    from adjudge.judging.preparation import with_oracle
    from adjudge.lab.calibration.run import VERSIONS
    from adjudge.lab.calibration.run import calibrate as calibrated

    at.refuse_without_effect([metric])
    table = source.read(file)
    chosen = with_oracle(metric) if at.best else metric
    if period is not None:
        options["period"] = int(period) if period.isdecimal() else period
    in_time = table.watching and source.every is None
    drawn = options["draws"] or (0 if in_time else VERSIONS)
    with progress(table.name, options["versions"] + drawn) as line:
        options |= {} if in_time else source.evidence(table, options["unit"])
        how = {**source.reading(table), **options, "progress": line}
        found = calibrated(table.labels, table.scores, chosen, at.of_each(table), **how)
    _print(found, shape)


def _print(found: Calibration, shape: str | None) -> None:
    """Print a calibration in the shape asked for."""
    from adjudge.cli.terminal import echo, print_exactly, print_layout
    from adjudge.tables.formats import DRAWN, as_csv

    if shape == "json":
        click.echo(found.to_json())
    elif shape == "csv":
        rows = [row.columns() for row in found]
        print_exactly(as_csv(list(rows[0]), [list(row.values()) for row in rows]))
    elif shape is not None:
        echo(DRAWN[shape].draw(found.layout()))
    else:
        print_layout(found.layout())
