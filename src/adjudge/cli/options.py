"""Options that several verbs share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge.metrics.metric import Metric


def inputs(command: Callable[..., None]) -> Callable[..., None]:
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


def threshold(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how the threshold is chosen."""
    for option in (
        click.option("--best", is_flag=True, help="The best threshold: an oracle's, from labels."),
        click.option(
            "--at", metavar="X", help="Threshold: a number, 'quantile(0.99)' or 'top(100)'."
        ),
    ):
        command = option(command)
    return command


def exclusive(at: str | None, best: bool) -> None:
    """Refuse a threshold that is both given and chosen by an oracle."""
    if at is not None and best:
        raise click.UsageError("--at and --best exclude each other")


def asked(spec: str, best: bool) -> Metric:
    """Read a metric; an oracle chooses the threshold of those that have none, if it is to."""
    from adjudge.metrics.metric import best_of
    from adjudge.metrics.reader import metric

    one = metric(spec)
    takes = one.row.needs == "flags" and one.at is None
    return best_of(one) if best and takes else one
