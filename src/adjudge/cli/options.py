"""Options that several verbs share."""

from __future__ import annotations

from dataclasses import fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge.metrics.metric import Metric


def inputs(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say where labels and scores are; the command gets them as a source."""

    @wraps(command)
    def with_source(**options: Any) -> None:
        source = Source(**{item.name: options.pop(item.name) for item in fields(Source)})
        command(source=source, **options)

    for option in reversed(_INPUTS):
        with_source = option(with_source)
    return with_source


_INPUTS = (
    click.option(
        "--label",
        metavar="COL",
        help="Label column.  [default: label, Label, labels or is_anomaly]",
    ),
    click.option(
        "--score",
        "scores",
        metavar="COL",
        multiple=True,
        help="Score column or a pattern such as 'det_*'; repeatable.  [default: score, Score, "
        "scores, anomaly_score, score_*]",
    ),
    click.option("--series", metavar="COL", help="Column of series ids."),
    click.option("--where", metavar="COL", help="Column of points to judge (0/1)."),
    click.option("--positive", metavar="X", help="The label of an anomaly, if not 1."),
    click.option(
        "--with",
        "also",
        metavar="FILE",
        multiple=True,
        help="Scores in another file, repeatable; for a benchmark, the folder of its scores.",
    ),
    click.option("--on", metavar="COL", multiple=True, help="Join by this column, not by row."),
    click.option("--inner", is_flag=True, help="Leave out rows without a partner."),
    click.option("--sep", metavar="C", help="What parts the cells of a text.  [default: ,]"),
    click.option("--decimal", metavar="C", default=".", help="Decimal mark.  [default: .]"),
    click.option(
        "--judged",
        type=click.Choice(["all", "test"]),
        help="Rows of a benchmark to judge.  [default: as it does itself]",
    ),
)


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
    takes = one.needs_threshold
    return best_of(one) if best and takes else one
