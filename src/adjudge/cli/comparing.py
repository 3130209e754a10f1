"""The verb that compares two detectors: compare."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from adjudge._text import visible
from adjudge.cli.options import incidents, inputs, shapes, threshold, timing
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge.cli.asked_threshold import AskedThreshold
    from adjudge.cli.source import Source


@click.command(short_help="Say whether one of two detectors is really ahead.")
@click.argument("file", metavar="[FILE]", required=False)
@inputs
@threshold
@timing
@incidents
@click.option("--metric", default="f1_ba", metavar="SPEC", show_default=True)
@click.option(
    "--draws", default=1000, metavar="N", help="Draws for interval and p.  [default: 1000]"
)
@click.option("--seed", default=0, help="Seed of the draws.  [default: 0]")
@click.option(
    "--fail-if-worse",
    is_flag=True,
    help="Exit code 3 when the first detector is behind and luck does not explain it, or the "
    "difference is undefined.",
)
@shapes("json", "csv", "md", "latex")
def compare(
    file: str | None,
    source: Source,
    at: AskedThreshold,
    metric: str,
    draws: int,
    seed: int,
    fail_if_worse: bool,
    shape: str | None,
) -> None:
    """Compare two detectors on the same labels, and say whether one is really ahead.

    Both values, their difference with a 95 % interval, and how often a difference this large comes
    about when both detectors change places, event by event, at random.

    \b
    Examples:
      adjudge compare scores.csv --score mine --score theirs --at 0.7
      adjudge compare --truth truth.csv --alerts a.csv --alerts b.csv --span 2026-01-01 2026-02-01
    """
    from adjudge.judging.metric_choice import with_oracle
    from adjudge.noise.comparison import compare as compared
    from adjudge.reporting.results import print_comparison

    at.tell_without_effect([metric])
    table = source.read(file)
    if len(table.scores) != 2:
        known = ", ".join(table.scores)
        raise InputError(
            f"{table.name}: compare takes two detectors, got {len(table.scores)} ({known}); "
            "choose them with --score A --score B"
        )
    if table.tune_on is not None:
        raise InputError("compare takes --at or --best, not --tune-on")
    (a, first), (b, second) = table.scores.items()
    found = compared(
        table.labels,
        first,
        second,
        with_oracle(metric) if at.best else metric,
        at=(at.of(table, a), at.of(table, b)),
        **source.reading(table),
        draws=draws,
        seed=seed,
        names=(a, b),
    )
    print_comparison(found, shape)
    undefined = math.isnan(found.difference)
    if fail_if_worse and (undefined or (found.ahead == "b" and found.separated)):
        why = "the difference is undefined" if undefined else f"{a} is behind {b}"
        click.echo(visible(f"adjudge: the gate is not passed: {why}"), err=True)
        raise click.exceptions.Exit(3)
