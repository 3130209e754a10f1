"""The verb that judges a benchmark before the detectors: inspect."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import option
from adjudge.cli.effects import Verb
from adjudge.cli.group import note
from adjudge.cli.options import formats
from adjudge.cli.progress import progress
from adjudge.cli.terminal import print_result
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge.lab.inspection.result import Inspection

_GATE = 3
"""What the program ends with where a gate that was asked for is not passed."""


@click.command(cls=Verb)
@click.argument("data", metavar="DATA...", nargs=-1, required=True)
@option(
    "--signal COL",
    "Column of readings, or a pattern; repeatable.  [default: value, values, value_*]",
    name="signals",
    many=True,
)
@option(
    "--score COL",
    "Column of a detector's scores, or a pattern; repeatable.  [default: score, score_*]",
    name="scores",
    many=True,
)
@option("--label COL", "Label column.  [default: label, Label, labels or is_anomaly]")
@option("--series COL", "Column of series ids, in a long table.")
@option("--time COL", "Column of times.  [default: timestamp, time or date]")
@option("--where COL", "Column of points to judge: 0 in a part at the beginning, then 1.")
@option("--sep C", "Column separator.  [default: ,]")
@option("--with DIR", "Scores of a published benchmark.", name="score_folder")
@option(
    "--train-length N",
    "Training points at the start of each series, or a share such as 0.15; not judged.  "
    "[default: as published]",
)
@option("--check NAME", "Run only this check; repeatable.", name="checks", many=True)
@option("--shifts N", "Shifts of the one-line detectors.  [default: 199]", type=int)
@option("--seed", "Random seed.  [default: 0]", default=0)
@option("--jobs N", "Processes.  [default: 1]", default=1)
@option("--html FILE", "Also write a page with the suspects.")
@option(
    "--fail-on",
    ("Exit code 3 if a check is at this level or worse."),
    type=click.Choice(["flaw", "look"]),
)
@formats("json", "csv")
def inspect(
    data: tuple[str, ...],
    signals: tuple[str, ...],
    train_length: str | None,
    checks: tuple[str, ...],
    html: str | None,
    fail_on: str | None,
    shape: str | None,
    **options: Any,
) -> None:
    """Check a benchmark before ranking detectors on it.

    DATA is a published benchmark (UCR, TSB-AD, NAB ...; --with names the folder of its scores), a
    folder of files with a row per point, or files; with --series a long table. Some checks need
    only labels; --signal and --score enable the others. Each check ends as flaw, look, fine or
    cannot say; the last line tells what was not checked.

    \b
    Examples:
      adjudge inspect NAB/ --html nab.html
      adjudge inspect series/ --signal value --train-length 0.2
      adjudge inspect labels.csv --series id --json
      adjudge inspect UCR_Anomaly_FullData/ --fail-on flaw
    """
    from adjudge.lab.inspection.run import inspect as inspected

    if html is not None:
        from adjudge.reporting.page.assembly import place_of_page

        place_of_page(html)  # rather now than after the work
    options |= {"signal": signals or None, "scores": options["scores"] or None}
    how = {**options, "train_length": _length(train_length), "checks": checks or None}
    with progress("series") as line:
        found = inspected(data[0] if len(data) == 1 else data, progress=line, **how)
    print_result(shape, found.layout, found.to_json, lambda: _rows(found))
    if html is not None:
        note(found.to_html(html))
    if fail_on is not None and (found.of("flaw") or (fail_on == "look" and found.of("look"))):
        sys.exit(_GATE)


def _length(text: str | None) -> float | None:
    """A number of points, or a share."""
    if text is None:
        return None
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        raise InputError(
            f"--train-length must be a number of points or a share below 1, got {text!r}"
        ) from None


def _rows(found: Inspection) -> tuple[list[str], list[list[object]]]:
    names = list(dict.fromkeys(name for line in found.series for name in line))
    return names, [[line.get(name, "") for name in names] for line in found.series]
