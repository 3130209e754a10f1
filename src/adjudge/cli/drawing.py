"""The verb that draws: figure."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adjudge.experiments import Study

_MANY = 1000  # from so many experiments on, every tenth of the way is told
NAMES = ("strip", "scenarios", "noise", "separation", "precision", "recall")


@click.command()
@click.argument("name", type=click.Choice([*NAMES, "all"]))
@click.option("--out", default=".", metavar="DIR", help="Where to write.  [default: here]")
@click.option("--seed", default=0, help="Of noise and experiments.  [default: 0]")
@click.option("--table", metavar="FILE", help="Experiments to draw, as a study writes them.")
@click.option(
    "--experiments", default=15_000, metavar="N", help="How many to run without --table.  "
    "[default: 15000]",
)  # fmt: skip
@click.option("--jobs", default=1, metavar="J", help="Processes to run them in.  [default: 1]")
def figure(name: str, out: str, seed: int, **options: Any) -> None:
    """Draw a figure as PNG and SVG, with the plotted numbers as CSV.

    \b
    strip       the adjustments side by side, on two events and three alarms
    scenarios   seven detectors, and which F1 tells them apart
    noise       what PA and BA give to random scores, at every threshold
    separation  F1s against the separation of the scores
    precision   F1s against event precision
    recall      F1s against event recall
    all         the six of them

    Separation, precision and recall show simulated experiments: those of --table, or else a study
    is run.

    \b
    Examples:
      adjudge figure noise --out figures
      adjudge figure all --table experiments.csv --out figures
    """
    from pathlib import Path

    from adjudge.reporting.figures import FIGURES, check_matplotlib
    from adjudge.reporting.terminal import print_exactly

    check_matplotlib()  # rather now than after a study
    names = NAMES if name == "all" else (name,)
    with _writing(out):
        Path(out).mkdir(parents=True, exist_ok=True)
    given = _given(names, seed, **options)
    for one in names:
        with _writing(out):
            paths = FIGURES[one](Path(out), **given[one])
        print_exactly("".join(f"{path}\n" for path in paths))


@contextmanager
def _writing(out: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"--out must be a folder that can be written, got {out!r}: {error}"
        ) from None


def _given(
    names: Sequence[str], seed: int, *, table: str | None, experiments: int, jobs: int
) -> dict[str, dict[str, Any]]:
    """Say what each figure is drawn from; experiments are read or run once for all of them."""
    from adjudge.reporting.figures import FROM_EXPERIMENTS

    given: dict[str, dict[str, Any]] = {name: {} for name in names}
    if "noise" in given:
        given["noise"] = {"seed": seed}
    about = [name for name in names if name in FROM_EXPERIMENTS]
    if about:
        read = _read(table) if table is not None else _run(experiments, seed, jobs)
        given |= {name: {"table": read} for name in about}
    return given


def _read(file: str) -> Mapping[str, Any]:
    """Read the columns of a table of experiments; any of them can play the label's part."""
    from adjudge.io.tables import read
    from adjudge.reporting.figures import COLUMNS

    first, *others = COLUMNS
    table = read(file, label=first, scores=others)
    return {first: table.labels, **table.scores}


def _run(experiments: int, seed: int, jobs: int) -> Study:
    from adjudge.experiments import study

    click.echo(f"adjudge: running {experiments:,} experiments; --table draws old ones", err=True)
    told = 0

    def tell(done: int, total: int) -> None:
        nonlocal told
        if total >= _MANY and done * 10 // total > told:
            told = done * 10 // total
            click.echo(f"adjudge: {done:,} of {total:,} experiments", err=True)

    return study(experiments=experiments, seed=seed, jobs=jobs, progress=tell)
