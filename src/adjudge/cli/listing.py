"""The verbs that tell of the catalogue and of results: list, show, schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.effects import Verb
from adjudge.cli.group import note
from adjudge.errors import AdjudgeError, InputError

if TYPE_CHECKING:
    from adjudge.metrics.metric import Row


@click.command("list", cls=Verb)
@click.option(
    "--all", "everything", is_flag=True, help="Include metrics that are rarely a good choice."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(everything: bool, as_json: bool) -> None:
    """List the metrics, grouped by what they measure.

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
    echo_sentence(
        "`adjudge show NAME` has details; best(NAME) uses the best threshold in hindsight."
    )


@click.command(cls=Verb)
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(name: str, as_json: bool) -> None:
    """Show one metric: definition, settings, what it forgives.

    NAME may also be its name in another package, such as roc_auc_score or PA%K.

    \b
    Example:
      adjudge show f1_ba
    """
    rows = _rows_of(name)
    if as_json:
        if len(rows) > 1:
            names = " or ".join(row.name for row in rows)
            raise InputError(f"name must be one metric, got {name!r}; say {names}")
        click.echo(json.dumps(_described(rows[0])))
        return
    for row in rows:
        _print(row)


def _rows_of(name: str) -> list[Row]:
    """The row that a spec is about, or those that a name from elsewhere may mean."""
    from adjudge.metrics.reader import catalogue, meant_by, metric

    try:
        return [catalogue[metric(name).name]]
    except AdjudgeError:
        meant = meant_by(name)
        if not meant:
            raise
    note(f"{name!r} is called {' or '.join(meant)} here; docs/crosswalk.md has the settings")
    return [catalogue[one] for one in meant]


def _print(row: Row) -> None:
    from adjudge.cli.terminal import echo_entries, echo_sentence

    described = _described(row)
    echo_sentence(f"{row.name}: {row.title}")
    left_out = ("name", "title", "notes")
    echo_entries([(k, str(v)) for k, v in described.items() if k not in left_out and v])
    for line in row.notes.splitlines():
        echo_sentence(f"  {line}", indent=6)
    if row.claims:
        echo_sentence(
            "claims are tested at default settings: docs/metrics.md explains the words, "
            f"docs/axioms.md the codes; `adjudge audit {row.name}` tests them"
        )


@click.command(cls=Verb)
@click.argument("kind", default="evaluate", metavar="[KIND]")
def schema(kind: str) -> None:
    """Print the JSON Schema of results: evaluate, explain, compare, compare_all, rank, judgement.

    Of sealed judges: seal (the contract, which is TOML), ledger (a line of it) and answer.

    Every result has its version as "schema". It rises when a field is removed or changes meaning;
    new fields do not raise it, so ignore unknown fields.

    \b
    Example:
      adjudge schema evaluate > evaluate.schema.json
    """
    from adjudge.judging.result_columns import schema as schema_of
    from adjudge.sealing.schemas import SEALED

    click.echo(json.dumps(schema_of(kind, SEALED), indent=2))


def _described(row: Any) -> dict[str, Any]:
    from adjudge.metrics.claims import claims_in_words
    from adjudge.metrics.spec import settings_text

    settings = dict(row.parameters)
    if row.needs == "flags":
        settings["at"] = None
    return {
        "name": row.name,
        "title": row.title,
        "definition": row.definition,
        "settings": settings_text(settings),
        "range": f"{row.range[0]} to {row.range[1]}, {row.better} is better",
        "undefined": row.undefined,
        "forgives": row.forgives,
        "needs": {"flags": "0/1 flags, or at=, or best(...)", "scores": "scores"}[row.needs],
        "claims": ", ".join(claims_in_words(row.claims)),
        "reference": row.reference,
        "notes": row.notes,
    }
