"""The verb that runs the paper's experiments: study."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from adjudge.cli.declaration import option
from adjudge.cli.effects import Verb
from adjudge.cli.progress import resumable

if TYPE_CHECKING:
    from adjudge.lab.study.table import Study


@click.command(cls=Verb)
@option("--experiments N", "How many.", default=15000, show_default=True)
@option(
    "--seed S",
    "Random seed.  [default: 0; for released 121, the authors' own]",
    type=int,
)
@option(
    "--design",
    "As the paper's authors drew them; with precision, recall, coverage and "
    "separation drawn evenly; or the very draws behind the table that the authors published.",
    type=click.Choice(["authors", "controlled", "released"]),
    default="authors",
    show_default=True,
)
@option(
    "--guard G",
    "Points of a detection that must lie inside its event or gap.  [default: 1; for released 2]",
    type=int,
)
@option(
    "--against TABLE.csv",
    "The authors' table: show which columns are equal; exit code 1 if any differs.",
)
@option("--jobs J", "Processes.  [default: as many as cores]", type=int)
@option(
    "--metric SPEC",
    "Additional metric, in a column of its own; repeatable.",
    name="metrics",
    many=True,
)
@option("--claims", "Also show which claims of the paper hold, and why.")
@option("--out DIR", "Output folder.", default="study", show_default=True)
def study(
    experiments: int,
    seed: int | None,
    design: str,
    guard: int | None,
    against: str | None,
    jobs: int | None,
    metrics: tuple[str, ...],
    claims: bool,
    out: str,
) -> None:
    """Simulate thousands of detectors and judge each: the paper's experiments.

    DIR/experiments.csv has a row per experiment (experiments.parquet too, if pyarrow is installed).
    Run the same command again to resume an interrupted run.

    \b
    Examples:
      adjudge study --out study --claims
      adjudge study --experiments 2000 --design controlled --metric ap_ba --out controlled
      adjudge study --design released --against scenario_1.csv --out released
    """
    from adjudge.lab.study.runner import study as run

    if against and design != "released":
        raise click.UsageError("--against is about --design released")
    with resumable("experiments", out, experiments) as line:
        table = run(
            experiments,
            seed=seed,
            design=design,
            guard=guard,
            metrics=metrics,
            jobs=_cores() if jobs is None else jobs,
            out=out,
            progress=line,
        )
    _print(table)
    if claims:
        _print_claims(table)
    if against:
        _compare(table, against)


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _print(table: Study) -> None:
    """Print the mean of each score over the experiments where it is defined."""
    import numpy as np

    from adjudge.cli.terminal import print_exactly, print_table
    from adjudge.lab.study.measurements import DESCRIBED

    rows = []
    for name in table.columns[len(DESCRIBED) :]:
        values = table.column(name)
        defined = values[~np.isnan(values)]
        mean, spread = (defined.mean(), defined.std()) if defined.size else (np.nan, np.nan)
        rows.append([name, f"{mean:.4f}", f"{spread:.4f}", f"{defined.size:,}"])
    what = f"{len(table):,} experiments, design {table.design}, seed {table.seed}"
    print_table(["score", "mean", "sd", "defined"], rows, title=what)
    print_exactly(f"{table.path}\n")


def _compare(table: Study, path: str) -> None:
    """Print how a published table differs, and fail if it does."""
    from adjudge.lab.study.released import compare_with_file, in_words

    differences = compare_with_file(table, path)
    click.echo(in_words(differences, len(table)))
    if any(one.rows for one in differences):
        raise click.exceptions.Exit(1)


def _print_claims(table: Study) -> None:
    """Print each claim of the paper with its verdict in each reading, and its numbers."""
    from adjudge.cli.terminal import echo_sentence
    from adjudge.lab.claims import judged_claims
    from adjudge.lab.claims.claim import COLUMNS

    each = zip(*(judged_claims(table, reading) for reading in COLUMNS), strict=True)
    for number, (one, *others) in enumerate(each, 1):
        claim, verdicts = one.claim, {other.verdict for other in others} - {one.verdict}
        names = list(COLUMNS)[1:]
        said = "; ".join(f"{n}: {o.verdict}" for n, o in zip(names, others, strict=True))
        click.echo()
        head = f"{number}. {claim.name}: {one.verdict.upper()}  ({claim.where})"
        echo_sentence(head, indent=3)
        if verdicts:
            echo_sentence(f"   other readings: {said}", indent=3)
        echo_sentence(f"   {one.sentence}", indent=3)
