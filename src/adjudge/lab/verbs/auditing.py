"""The verb that holds metrics against the axioms: audit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import option
from adjudge.cli.effects import Verb
from adjudge.cli.options import width_on_paper
from adjudge.cli.own_metric import spec_or_function
from adjudge.cli.progress import progress
from adjudge.errors import InputError, visible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from adjudge.lab.audit.result import Audit

_AROUND_STRIP = 24  # characters of a line of a counterexample that are no points
_LEGEND = "+ pass, x fail, ? undecided, - not applicable"


@click.command(cls=Verb)
@click.argument("metrics", metavar="[METRIC]...", nargs=-1)
@option("--axiom NAME", "Test only this axiom; repeatable.", name="axioms", many=True)
@option("--all", "All metrics.", name="everything")
@option(
    "--effort",
    "Number of trials and time limit.",
    default="normal",
    type=click.Choice(["quick", "normal", "thorough"]),
    show_default=True,
)
@option(
    "--kind",
    "Input of a module:function, if its parameters do not tell.",
    type=click.Choice(["flags", "scores"]),
)
@option(
    "--bounds LOW HIGH",
    "Range of a module:function; may be -inf or inf.  [default: 0 1]",
    type=float,
)
@option(
    "--better",
    "Direction of a module:function.  [default: higher]",
    type=click.Choice(["higher", "lower"]),
)
@option("--seed", "Seed of labels and noise.  [default: 0]", default=0)
@option("--jobs J", "Processes.  [default: 1]", default=1)
@option("--json", "Print JSON, with counterexamples.", name="as_json")
@option("--out DIR", "Also write the matrix and its figure.")
@width_on_paper(needs="out")
def audit(
    metrics: tuple[str, ...],
    axioms: tuple[str, ...],
    everything: bool,
    as_json: bool,
    out: str | None,
    width: str | None,
    **options: Any,
) -> None:
    """Test metrics against axioms: properties that a fair metric should have.

    METRIC is a spec such as "f1_ba(width=5)", or module:function for your own metric, also from the
    current directory; a function whose second parameter has "score" in its name gets scores, any
    other 0/1 flags. One metric is described in sentences, with the smallest counterexample to each
    axiom that it breaks; several are laid out as a matrix. All statistical outcomes of one audit
    hold jointly with an error probability of 1 %.

    \b
    Examples:
      adjudge audit f1_pa
      adjudge audit mymodule:my_metric --axiom C-1 --axiom C-3
      adjudge audit --all --jobs 2 --out matrix
    """
    from adjudge.metrics.reader import catalogue

    if everything and metrics:
        raise click.UsageError("give --all or METRIC, not both")
    if not everything and not metrics:
        raise click.UsageError("name a METRIC, or use --all")
    names = list(catalogue) if everything else list(metrics)
    chosen = [_metric(name) for name in names]
    _check(chosen, options)
    folder = None if out is None else _folder(out)
    found = _audits(names, chosen, axioms, options)
    if as_json:
        whole = [json.loads(one.to_json()) for one in found]
        click.echo(json.dumps(whole[0] if len(whole) == 1 and not everything else whole))
    elif len(found) == 1:
        _print(found[0])
    else:
        _lay_out(names, found)
    if folder is not None:
        _write(names, found, folder, width)


def _metric(name: str) -> Any:
    """Read a spec, or import a function from where the command was given."""
    from adjudge.metrics.reader import metric

    given = spec_or_function(name)
    return metric(given) if isinstance(given, str) else given


def _check(chosen: Sequence[Any], options: dict[str, Any]) -> None:
    """Refuse what only functions take, if there are others."""
    from adjudge.metrics.metric import Metric

    given = [name for name in ("kind", "bounds", "better") if options[name] is not None]
    if given and any(isinstance(metric, Metric) for metric in chosen):
        only = f"--{given[0]} is for module:function alone"
        raise click.UsageError(f"{only}: a metric of the catalogue has its own")


def _audits(
    names: Sequence[str], chosen: Sequence[Any], axioms: Sequence[str], options: dict[str, Any]
) -> list[Audit]:
    from adjudge.checks import whole
    from adjudge.lab.audit.audits import audit_many

    options["jobs"] = whole(options["jobs"], "--jobs", 1)
    several = len(chosen) > 1
    with progress("auditing", len(chosen) if several else 0) as line:
        if not several:
            options["progress"] = line
        found = []
        for one in audit_many(chosen, axioms=list(axioms) or None, **options):
            found.append(one)
            if several:
                line(len(found), len(chosen), names[len(found) - 1])
    return found


def _print(found: Audit) -> None:
    from adjudge.cli.terminal import echo, echo_sentence, terminal_width

    columns = min(96, (terminal_width() or 120) - _AROUND_STRIP)
    echo_sentence(found.headline)
    for row in found:
        echo_sentence(row.headline, indent=4)
        if row.extras_in_words:
            echo_sentence(f"    {row.extras_in_words}", indent=4)
        if row.counterexample is not None:
            for line in row.counterexample.lines(columns):
                echo(f"    {visible(line)}")
    for name, sentence in found.problems.items():
        echo_sentence(f"problem: {name}: {sentence}", indent=4)


def _lay_out(names: Sequence[str], found: Sequence[Audit]) -> None:
    from adjudge.cli.terminal import echo_sentence, print_table

    print_table(*_matrix(names, found), title=_LEGEND)
    for name, one in zip(names, found, strict=True):
        for problem, sentence in one.problems.items():
            echo_sentence(f"problem of {name}: {problem}: {sentence}", indent=4)


def _matrix(names: Sequence[str], found: Sequence[Audit]) -> tuple[list[str], list[list[str]]]:
    from adjudge.lab.audit.result import LETTERS

    head = ["metric", *(row.axiom for row in found[0])]
    rows = [
        [name, *(LETTERS[row.outcome] for row in one)]
        for name, one in zip(names, found, strict=True)
    ]
    return head, rows


def _folder(out: str) -> Path:
    from pathlib import Path

    from adjudge.reporting.figures.drawing import check_matplotlib

    check_matplotlib()  # rather now than after the audit
    try:
        Path(out).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"--out must be a writable folder, got {out!r}: {error.strerror or error}"
        ) from None
    return Path(out)


def _write(names: Sequence[str], found: Sequence[Audit], folder: Path, width: str | None) -> None:
    """Write the matrix in every format, and say where."""
    from adjudge.lab.figures.axioms import axiom_figure
    from adjudge.tables.formats import as_markdown

    outcomes = {name: one.verdicts for name, one in zip(names, found, strict=True)}
    try:
        paths = axiom_figure(folder, outcomes, width=width)
        page = folder / "axioms.md"
        page.write_text(as_markdown(*_matrix(names, found)) + f"\n{_LEGEND}\n", encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"--out must be a writable folder, got {str(folder)!r}: {error.strerror or error}"
        ) from None
    for path in (*paths, page):
        click.echo(visible(path), err=True)
