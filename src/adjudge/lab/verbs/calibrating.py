"""The verb that tests verdicts and intervals on the caller's own data: calibrate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import JUDGED, PLACES, option, units_with_value
from adjudge.cli.effects import Verb
from adjudge.cli.options import (
    computed,
    evidence,
    formats,
    incidents,
    inputs,
    null_option,
    period_option,
    threshold,
    timing,
)
from adjudge.cli.progress import progress
from adjudge.cli.terminal import print_result

if TYPE_CHECKING:
    from adjudge.cli.options import ThresholdOptions
    from adjudge.cli.source import Source
    from adjudge.lab.calibration.result import Calibration


@click.command(cls=Verb, kinds=("points", "on_call", *PLACES))
@click.argument("file", metavar="[FILE]", required=False)
@inputs
@threshold
@timing
@incidents
@evidence
@computed("--metric SPEC", "Metric to judge by.", first=True, default="f1_ba", show_default=True)
@null_option("Null model: {}.  [default: shifted]")
@computed("--shifts N", "Number of time shifts.  [default: all, where quick]", of=JUDGED, type=int)
@period_option(
    "Length of a period: points, or a duration (1d).  [default: a day, with --time]")  # fmt: skip
@computed("--versions N", "Blind versions.  [default: 200]", type=int)
@computed(
    "--draws N",
    "Draws of events; of incidents and alerts with --every alone.  [default: 200]",
    type=int,
)
@computed("--seed", "Seed of versions, draws and verdicts.  [default: 0]", type=int)
@option("--jobs J", "Processes.  [default: 1]", first=True, title="Work", type=int)
@formats("json", "csv")
def calibrate(
    file: str | None,
    source: Source,
    at: ThresholdOptions,
    metric: str,
    shape: str | None,
    **options: Any,
) -> None:
    """Estimate how often verdicts and intervals are right on data like yours.

    The detector's scores are shifted in several ways so that they carry no information about the
    events, and each such blind version is judged as in evaluate: how many are called better than
    chance? (At most 5 % should.) Then events are resampled, each with its normal time and its
    scores: how many intervals cover the value? (95 % should.)

    \b
    Examples:
      adjudge calibrate scores.csv --best
      adjudge calibrate scores.csv --at 0.7 --time timestamp --jobs 2
      adjudge calibrate --truth truth.csv --alerts a.csv --span 2026-01-01 2026-02-01
    """
    from adjudge.judging.judge.which_metrics import with_oracle
    from adjudge.lab.calibration.run import calibrate as calibrated

    at.refuse_without_effect([metric])
    table = source.read(file)
    chosen = with_oracle(metric) if at.best else metric
    with progress(table.name) as line:
        how = {**source.reading(table), **units_with_value(options), "progress": line}
        if source["every"] is not None or not table.watching:
            how |= source.evidence(table, options["unit"])
        found = calibrated(table.labels, table.scores, chosen, at.of_each(table), **how)
    print_result(shape, found.layout, found.to_json, lambda: _rows(found))


def _rows(found: Calibration) -> tuple[list[str], list[list[object]]]:
    rows = [row.columns() for row in found]
    return list(rows[0]), [list(row.values()) for row in rows]
