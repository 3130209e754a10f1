"""The verbs that tell of the catalogue and of results: list, show, schema."""

from __future__ import annotations

import json
from typing import Any

import click


@click.command("list")
@click.option(
    "--all", "everything", is_flag=True, help="Also metrics that are rarely a good choice."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(everything: bool, as_json: bool) -> None:
    """List the catalogue, grouped by what the metrics measure.

    \b
    Example:
      adjudge list
    """
    from adjudge.metrics.reader import catalogue

    rows = [row for row in catalogue.values() if row.listed or everything]
    if as_json:
        click.echo(json.dumps([_described(row) for row in rows]))
        return
    from adjudge.cli.terminal import echo_entries, echo_sentence

    for group in dict.fromkeys(row.group for row in rows):
        click.echo(f"\n{group}")
        echo_entries([(row.name, row.title) for row in rows if row.group == group])
    more = sum(not row.listed for row in catalogue.values())
    if more and not everything:
        click.echo(f"\nand {more} more with --all.")
    click.echo()
    echo_sentence("`adjudge show NAME` tells more; best(NAME) lets an oracle choose the threshold.")


@click.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(name: str, as_json: bool) -> None:
    """Show one metric: what it is, its settings, what it forgives.

    \b
    Example:
      adjudge show f1_ba
    """
    from adjudge.metrics.reader import catalogue, metric

    row = catalogue[metric(name).name]
    described = _described(row)
    if as_json:
        click.echo(json.dumps(described))
        return
    from adjudge.cli.terminal import echo_entries, echo_sentence

    echo_sentence(f"{row.name}: {row.title}")
    left_out = ("name", "title", "notes")
    echo_entries([(k, str(v)) for k, v in described.items() if k not in left_out and v])
    for line in row.notes.splitlines():
        echo_sentence(f"  {line}", indent=6)


@click.command()
@click.argument("kind", default="evaluate", metavar="[KIND]")
def schema(kind: str) -> None:
    """Print the JSON Schema of results: evaluate, explain, compare or judgement.

    Its number stands in every result as "schema". It rises when a field changes its meaning or
    goes; new fields do not raise it, so let pass what you do not know.

    \b
    Example:
      adjudge schema evaluate > evaluate.schema.json
    """
    from adjudge.judging.result_columns import schema as schema_of

    click.echo(json.dumps(schema_of(kind), indent=2))


def _described(row: Any) -> dict[str, Any]:
    from adjudge.metrics.reader import claims_in_order

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
        "claims": ", ".join(claims_in_order(row.claims)),
        "reference": row.reference,
        "notes": row.notes,
    }
