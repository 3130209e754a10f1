"""The verb that compares detectors: compare."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from adjudge.cli.declaration import PLACES, TABLES, units_with_value
from adjudge.cli.effects import Verb
from adjudge.cli.gates import _gate
from adjudge.cli.options import (
    SEASONAL,
    computed,
    evidence,
    formats,
    null_option,
    one_file,
    period_option,
)
from adjudge.errors import InputError, visible

if TYPE_CHECKING:
    from adjudge.cli.options import ThresholdOptions
    from adjudge.cli.source import Source
    from adjudge.judging.comparing.several import Comparisons


@click.command(cls=Verb, kinds=(*TABLES, "on_call", *PLACES))
@click.argument("file", metavar="[FILE]", required=False)
@one_file
@evidence
@computed("--metric SPEC", "Metric to compare by.", first=True, default="f1_ba", show_default=True)
@computed("--draws N", "Draws for the optimism of best thresholds.  [default: 1000]", type=int)
@computed("--seed", "Seed of these draws and of --null.  [default: 0]", type=int)
@null_option("Also show what chance scores for each: {}.")
@period_option(SEASONAL)
@_gate("--fail-if-worse",
    "Exit code 3 if the first detector is significantly behind another, or a difference "
    "is undefined.")  # fmt: skip
@formats("json", "csv")
def compare(
    file: str | None,
    source: Source,
    at: ThresholdOptions,
    metric: str,
    unit: str | None,
    draws: int | None,
    seed: int | None,
    null: str | None,
    period: int | str | None,
    fail_if_worse: bool,
    shape: str | None,
) -> None:
    """Compare detectors on the same labels, and test whether one is ahead.

    Prints both values, their difference with a 95 % interval, and p: how often two equally good
    detectors differ as much. It also names the unit of evidence: a data set, a series, or an event
    with its normal time. With three or more detectors every pair is compared, and p is adjusted for
    the number of pairs (Holm).

    \b
    Examples:
      adjudge compare scores.csv --score mine --score theirs --at 0.7
      adjudge compare scores.csv --score mine --score theirs --score third --tune-on validation
      adjudge compare --truth truth.csv --alerts a.csv --alerts b.csv --span 2026-01-01 2026-02-01
    """
    from adjudge.cli.printing import print_comparison
    from adjudge.judging.doors.compare import compare_all
    from adjudge.judging.judge.which_metrics import with_oracle

    at.refuse_without_effect([metric])
    table = source.read(file)
    how = source.reading(table)
    if len(table.scores) < 2:
        way = "--score A --score B" if not source["alerts"] else "--alerts A --alerts B"
        raise InputError(
            f"{table.name}: compare takes at least two detectors, got "
            f"{', '.join(table.scores)}; name them with {way}"
        )
    how |= {**source.evidence(table, unit), **units_with_value({"draws": draws, "seed": seed})}
    found = compare_all(
        table.labels,
        table.scores,
        with_oracle(metric) if at.best else metric,
        at={name: at.of(table, name) for name in table.scores},
        **how,
        null=null,
        period=period,
    )
    print_comparison(found, shape)
    behind = _behind(found) if fail_if_worse else ""
    if behind:
        click.echo(visible(f"adjudge: the gate is not passed: {behind}"), err=True)
        raise click.exceptions.Exit(3)


def _behind(found: Comparisons) -> str:
    """Say of whom the first detector is behind, or of whom nobody knows; "" if of none."""
    first = found.pairs[0].names[0]
    for pair, clear in zip(found.pairs, found.separated, strict=True):
        a, b = pair.names
        if a == first and math.isnan(pair.difference):
            return f"the difference of {a} and {b} is undefined"
        if a == first and pair.ahead == "b" and clear:
            return f"{a} is behind {b}"
    return ""
