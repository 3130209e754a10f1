"""The verb that chooses a threshold and a policy, and pays on weeks that it had not seen."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import given_options, option, units_with_value
from adjudge.cli.effects import Verb
from adjudge.cli.group import note
from adjudge.cli.options import computed, formats, incidents, inputs, timing
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge.cli.source import Source
    from adjudge.judging.deciding.decision import Decision


_choice = partial(option, title="What to choose")


@click.command(cls=Verb, kinds=("points", "on_call"))
@click.argument("file", metavar="[FILE]", required=False)
@inputs
@timing
@incidents
@_choice("--candidate SPEC",
    "Candidate threshold, rule or policy; repeatable.  [default: quantiles]",
    name="candidates", first=True, many=True)  # fmt: skip
@_choice("--cost NAME=X",
    "Cost: miss=500, false=20, night=30, delay=2/min; by severity miss=P1=2000,P3=100; repeatable.",
    name="prices", first=True, many=True)  # fmt: skip
@_choice(
    "--budget N/T", "At most N false pages per time T, as in 1/day, 3/week or 1/12h.", first=True
)
@computed("--metric SPEC", "Metric to optimize, without costs.", first=True)
@_choice("--blocks D", "Length of a block.  [default: 1w]")
@_choice("--forward", "Choose on past blocks only.")
@_choice("--now SPEC", "The current rule, for comparison.", first=True)
@option("--fail-over cost=X",
    "Exit code 3 if choosing this way costs more than X on unseen blocks, or is unknown.",
    first=True, many=True, title="Gates")  # fmt: skip
@formats("json")
def decide(
    file: str | None,
    source: Source,
    candidates: tuple[str, ...],
    prices: tuple[str, ...],
    fail_over: tuple[str, ...],
    shape: str | None,
    **options: Any,
) -> None:
    """Choose a threshold and a policy for costs, a budget or a metric.

    For each week the choice is made on the other weeks and then applied to this one
    (cross-validation). The printed cost is that of choosing this way on unseen incidents.

    \b
    Examples:
      adjudge decide scores.csv --time t --cost miss=500 --cost false=20 --budget 1/day
      adjudge decide scores.csv --time t --budget 3/week --candidate 'policy(0.8, after="5min")'
      adjudge decide --truth incidents.csv --alerts a.csv --alerts b.csv --cost miss=500 \\
          --span 2026-01-01 2026-04-01
    """
    from adjudge.cli.terminal import print_result
    from adjudge.judging.deciding.words import sentences
    from adjudge.judging.doors.decide import decide as decided
    from adjudge.tables.table import Layout

    limit = _limit(fail_over)
    table = source.read(file)
    found = decided(
        table.labels,
        table.scores,
        list(candidates) or None,
        costs=_costs(prices),
        **source.reading(table),
        **units_with_value(options),
    )
    print_result(shape, lambda: Layout((), tuple(sentences(found))), found.to_json)
    if shape != "json":
        click.echo(_deployed(found, file or "", source))
    if limit is not None and not found.honest <= limit:
        note(f"the gate is not passed: cost {found.honest:.6g} on unseen blocks, at most {limit:g}")
        sys.exit(3)


def _costs(prices: tuple[str, ...]) -> Any:
    from adjudge.metrics.reader import catalogue

    if not prices:
        return None
    given: dict[str, Any] = {}
    for text in prices:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise InputError(f"--cost must be NAME=X, such as miss=500, got {text!r}")
        given[name.strip()] = value.strip()
    return catalogue["costs"].metric.with_settings(**given)


def _limit(given: tuple[str, ...]) -> float | None:
    limits = []
    for text in given:
        name, _, value = text.partition("=")
        try:
            limits.append(float(value))
        except ValueError:
            limits.append(float("nan"))
        if name.strip() != "cost" or limits[-1] != limits[-1]:
            raise InputError(f"--fail-over must be cost=X, such as cost=200, got {text!r}")
    return min(limits, default=None)


def _deployed(found: Decision, file: str, source: Source) -> str:
    """The rule to deploy, and the command that judges it."""
    from adjudge.judging.deciding.words import evaluate_line

    parts = [""]
    try:
        kept = source["truth"] and file and found.candidate is not None
        metric = {"metric": found.candidate.detector} if kept and found.candidate else {}
        parts[0] = f"\nas a Prometheus rule:\n{found.prometheus(**metric)}".rstrip()
    except InputError as error:
        parts[0] = f"\nno Prometheus rule: {error}"
    if file:
        parts.append(f"to judge it:\n{evaluate_line(found, shlex.quote(file), _how_read(found))}")
    return "\n\n".join(parts)


def _how_read(found: Decision) -> str:
    """The options by which the file was read, as they were given; of detectors the chosen one."""
    context = click.get_current_context()
    several = len({one.detector for one in found.table.candidates}) > 1
    parts = []
    for one in given_options(context):
        if one.reads and not (several and one.name == "scores"):
            flag, given = max(one.opts, key=len), context.params[str(one.name)]
            values = given if isinstance(given, tuple) else (given,)
            each = [f"{flag} {shlex.quote(str(value))}" for value in values]
            parts += [flag] if given is True else each
    if several and found.candidate is not None:
        parts.append(f"--score {shlex.quote(found.candidate.detector)}")
    return " ".join(parts)
