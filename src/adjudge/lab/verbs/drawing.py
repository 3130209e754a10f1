"""The verb that draws: figure."""

from __future__ import annotations

import warnings
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import option, together
from adjudge.cli.effects import Verb
from adjudge.cli.group import note
from adjudge.cli.options import ThresholdOptions, inputs, threshold, timing, width_on_paper
from adjudge.errors import InputError
from adjudge.stores.files import writing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge.cli.source import Source
    from adjudge.lab.study.table import Study

NAMES = ("strip", "scenarios", "noise", "separation", "precision", "recall", "marginals")
_EXPERIMENTS = ("separation", "precision", "recall", "marginals", "all")
_HELP = {
    "strip": "Figure 1 of the paper: the adjustments side by side, on two events and three alarms.",
    "scenarios": "Figure 2: seven detectors, and which F1 separates them.",
    "noise": "Figure 3: what PA and BA give to random scores, at every threshold.",
    "separation": "Figure 4: F1s against the separation of the scores, in simulated experiments.",
    "precision": "Figure 5: F1s against event precision, in simulated experiments.",
    "recall": "Figure 6: F1s against event recall, in simulated experiments.",
    "marginals": "How experiments spread over precision, recall, coverage and separation.",
    "all": "The six figures of the paper, and how its experiments spread.",
}


def _folder(_: click.Context, __: click.Parameter, out: str) -> str:
    """Refuse the name of a picture: a folder of that name would be made."""
    if Path(out).suffix.lower() in {".png", ".svg", ".pdf", ".csv"}:
        raise InputError(
            f"--out must be a folder, got {out!r}; figures get their names in it, as in case.png"
        )
    return out


_OUT = option("--out DIR", "Output folder.  [default: here]", default=".", callback=_folder)
_SEED = option("--seed", "Seed of noise and experiments.  [default: 0]", default=0)
_SEED_OF_RUN = option("--seed", "Seed of experiments.  [default: 0]", not_with="table", default=0)
_FROM = (
    option("--table FILE", "Experiments to draw, written by a study."),
    option("--experiments N", "How many to run without --table.  [default: 15000]",
        not_with="table", default=15_000),
    option("--jobs J", "Processes.  [default: 1]", not_with="table", default=1),
    option("--design", "Design to run: see `adjudge study`.  [default: released]",
        not_with="table", type=click.Choice(["released", "authors", "controlled"]),
        default="released"),
)  # fmt: skip


@click.group(
    subcommand_metavar="NAME [OPTIONS]",
)
def figure() -> None:
    """Draw a figure as PNG, SVG and PDF, with the plotted numbers as CSV.

    Either of your own data (case), or one of the paper's by name or number (1 to 6).

    \b
    Examples:
      adjudge figure case scores.csv --at 0.7 --time timestamp --out figures
      adjudge figure noise --out figures --width ieee1    # one column of a paper
      adjudge figure 3 --out figures      # the same, by the paper's number
      adjudge figure all --table experiments.csv --out figures
    """


@figure.command(cls=Verb, kinds=("points",))
@click.argument("file", metavar="FILE")
@inputs
@threshold
@timing
@option("--metric SPEC", "Metric to draw.", default="f1_ba", show_default=True)
@_OUT
@width_on_paper()
def case(file: str, source: Source, at: ThresholdOptions, metric: str, out: str,
         width: str | None) -> None:  # fmt: skip
    """Your scores: threshold, events, hits, false alarms and what each cost.

    Several detectors are drawn below each other. Every alarm and every event stays visible, however
    many points there are. The CSV has a row per event and per alarm.

    \b
    Example:
      adjudge figure case scores.csv --score mine --at 0.7 --out figures
    """
    from adjudge.cli.terminal import print_exactly
    from adjudge.judging.doors.explain import explain
    from adjudge.judging.judge.which_metrics import with_oracle
    from adjudge.reporting.figures.drawing import check_matplotlib
    from adjudge.reporting.figures.receipt_plot import case_figure

    check_matplotlib()
    at.refuse_without_effect([metric])
    table = source.read(file)
    chosen = with_oracle(metric) if at.best else metric
    how = source.reading(table)
    receipts = {
        name: explain(table.labels, column, chosen, at=at.of(table, name), **how)
        for name, column in table.scores.items()
    }
    with writing(Path(out)):
        paths = case_figure(Path(out), receipts, width)
    print_exactly("".join(f"{path}\n" for path in paths))


def _draw(name: str, out: str, seed: int = 0, width: str | None = None, **options: Any) -> None:
    """Draw one of the paper's figures, or all."""
    from adjudge.cli.terminal import print_exactly
    from adjudge.lab.figures import FIGURES
    from adjudge.reporting.figures.drawing import check_matplotlib

    check_matplotlib()  # rather now than after a study
    names = NAMES if name == "all" else (name,)
    with writing(Path(out)):
        Path(out).mkdir(parents=True, exist_ok=True)
    given = _given(names, seed, **options)
    for one in names:
        with writing(Path(out)), warnings.catch_warnings(record=True, action="always") as caught:
            paths = FIGURES[one](Path(out), **given[one], width=width)
        print_exactly("".join(f"{path}\n" for path in paths))
        for warning in caught:
            note(warning.message)


def _paper_figure(name: str) -> click.Command:
    def draw(**options: Any) -> None:
        _draw(name, **options)

    from_experiments = name in _EXPERIMENTS
    seeds = [_SEED] if name in {"noise", "all"} else [_SEED_OF_RUN] * from_experiments
    options = [_OUT, width_on_paper(), *seeds, *_FROM * from_experiments]
    more = "\n\nThe experiments are those of --table, or else a study is run."
    return click.command(name, cls=Verb, help=_HELP[name] + more * from_experiments)(
        together(*options)(draw)
    )


for name in _HELP:
    figure.add_command(_paper_figure(name))
for number, name in enumerate(
    NAMES[:6], 1
):  # by the paper's numbers too, which the list leaves out
    numbered = copy(figure.commands[name])
    numbered.hidden = True
    figure.add_command(numbered, str(number))


def _given(
    names: Sequence[str],
    seed: int,
    *,
    table: str | None = None,
    experiments: int = 0,
    jobs: int = 1,
    design: str = "released",
) -> dict[str, dict[str, Any]]:
    """Say what each figure is drawn from; experiments are read or run once for all of them."""
    from adjudge.lab.figures import FROM_EXPERIMENTS

    given: dict[str, dict[str, Any]] = {name: {} for name in names}
    if "noise" in given:
        given["noise"] = {"seed": seed}
    about = [name for name in names if name in FROM_EXPERIMENTS]
    if about:
        read = (
            _read(table)
            if table is not None
            else _run(experiments, None if design == "released" else seed, jobs, design)
        )
        given |= {name: {"table": read} for name in about}
    return given


def _read(file: str) -> Mapping[str, Any]:
    """Read the columns of a table of experiments; any of them can play the label's part."""
    from adjudge.io.labels_and_scores import read
    from adjudge.lab.figures.experiments import COLUMNS

    first, *others = COLUMNS
    table = read(file, label=first, scores=others)
    return {first: table.labels, **table.scores}


def _run(experiments: int, seed: int | None, jobs: int, design: str) -> Study:
    from adjudge.cli.progress import progress
    from adjudge.lab.study.runner import study

    note(f"running {experiments:,} experiments; --table draws old ones")
    with progress("experiments", experiments) as line:
        return study(experiments, design=design, seed=seed, jobs=jobs, progress=line)
