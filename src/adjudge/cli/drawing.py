"""The verb that draws: figure."""

from __future__ import annotations

import click

from adjudge.errors import InputError


@click.command()
@click.argument("name", type=click.Choice(["noise"]))
@click.option("--out", default=".", metavar="DIR", help="Where to write.  [default: here]")
@click.option("--seed", default=0, help="Of the Monte-Carlo points.  [default: 0]")
def figure(name: str, out: str, seed: int) -> None:
    """Draw a figure as PNG and SVG, with the plotted numbers as CSV.

    noise: what point adjustment and balanced adjustment give to random scores, at every threshold;
    the theorems as lines, Monte-Carlo as points.

    \b
    Example:
      adjudge figure noise --out figures
    """
    from pathlib import Path

    from adjudge.report.figures import noise_figure

    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in {"noise": noise_figure}[name](folder, seed=seed):
            click.echo(path)
    except OSError as error:
        raise InputError(
            f"--out must be a folder that can be written, got {out!r}: {error}"
        ) from None
