"""The verb that holds metrics against the axioms: audit."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.effects import Verb
from adjudge.cli.terminal import progress
from adjudge.errors import InputError, visible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from adjudge.lab.audit.result import Audit

_AROUND_STRIP = 24  # characters of a line of a counterexample that are no points
_LEGEND = "+ pass, x fail, ? undecided, - not applicable"


@click.command(cls=Verb)
@click.argument("metrics", metavar="[METRIC]...", nargs=-1)
@click.option(
    "--axiom", "axioms", metavar="NAME", multiple=True, help="Test only this axiom; repeatable."
)
@click.option("--all", "everything", is_flag=True, help="Every metric of the catalogue.")
@click.option(
    "--effort", type=click.Choice(["quick", "normal", "thorough"]), default="normal",
    show_default=True, help="How many trials, and how long they may take.",
)  # fmt: skip
@click.option(
    "--kind", type=click.Choice(["flags", "scores"]),
    help="What a module:function takes, if its parameters do not say.",
)  # fmt: skip
@click.option(
    "--bounds", type=float, nargs=2, metavar="LOW HIGH",
    help="Range of a module:function, perhaps -inf or inf.  [default: 0 1]",
)  # fmt: skip
@click.option(
    "--better", type=click.Choice(["higher", "lower"]),
    help="Which values of a module:function are better.  [default: higher]",
)  # fmt: skip
@click.option("--seed", default=0, help="Seed of the drawn labels and noise.  [default: 0]")
@click.option("--jobs", default=1, metavar="J", help="How many processes.  [default: 1]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with counterexamples.")
@click.option("--out", metavar="DIR", help="Also write the matrix: CSV, Markdown, PNG and SVG.")
def audit(
    metrics: tuple[str, ...],
    axioms: tuple[str, ...],
    everything: bool,
    as_json: bool,
    out: str | None,
    **options: Any,
) -> None:
    """Test metrics against axioms: properties that a fair metric should have.

    METRIC is a spec such as "f1_ba(width=5)", or module:function for a metric of your own, which is
    looked for in the current directory too; a function whose second parameter has "score" in
    its name gets scores, any other 0/1 flags. One metric is described in sentences, with the
    smallest counterexample to each axiom that it breaks; several are laid out as a matrix. All
    statistical outcomes of one audit hold together with a chance of error of 1 %.

    \b
    Examples:
      adjudge audit f1_pa
      adjudge audit mymodule:my_metric --axiom C-1 --axiom C-3
      adjudge audit --all --jobs 2 --out matrix
    """
    from adjudge.metrics.reader import catalogue

    if everything and metrics:
        raise click.UsageError("--all and METRIC exclude each other")
    if not everything and not metrics:
        raise click.UsageError("say which METRIC, or --all")
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
        _write(names, found, folder)


def _metric(name: str) -> Any:
    """Read a spec, or import a function from where the command was given."""
    from adjudge.metrics.reader import metric

    module, colon, attribute = name.partition(":")
    if not colon or "(" in module:
        return metric(name)
    import importlib

    if "" not in sys.path:
        sys.path.insert(0, "")  # the current directory
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"metric must be a spec or module:function, got {name!r}: {error}"
        ) from None
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise InputError(
            f"{module} must be a module that can be imported, got {problem}"
        ) from error
    return found


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
            options["progress"] = lambda axiom, done, total: line(done, total, axiom)
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
            f"--out must be a folder that can be written, got {out!r}: {error.strerror or error}"
        ) from None
    return Path(out)


def _write(names: Sequence[str], found: Sequence[Audit], folder: Path) -> None:
    """Write the matrix in every format, and say where."""
    from adjudge.lab.figures.axioms import axiom_figure
    from adjudge.tables.formats import as_markdown

    outcomes = {name: one.verdicts for name, one in zip(names, found, strict=True)}
    try:
        paths = axiom_figure(folder, outcomes)
        page = folder / "axioms.md"
        page.write_text(as_markdown(*_matrix(names, found)) + f"\n{_LEGEND}\n", encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"--out must be a folder that can be written, got {str(folder)!r}: "
            f"{error.strerror or error}"
        ) from None
    for path in (*paths, page):
        click.echo(visible(path), err=True)
