"""The axiom matrix: which metric keeps which axiom, by the question that the axioms answer."""

from __future__ import annotations

from itertools import pairwise
from textwrap import fill
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError
from adjudge.lab.audit.axiom_list import AXIOMS
from adjudge.metrics.reader import catalogue
from adjudge.reporting.figures.drawing import (
    BLUE,
    ORANGE,
    RED,
    bare,
    inches,
    legend_below,
    save,
    sheet,
    size_of,
    small,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_LOOKS: dict[str, dict[str, Any]] = {
    "pass": {"marker": "o", "color": BLUE, "s": 42},
    "fail": {"marker": "x", "color": RED, "s": 34},
    "undecided": {"marker": "D", "facecolor": "none", "edgecolor": ORANGE, "s": 24},
    "not applicable": {"marker": "_", "color": "0.7", "s": 20},
}  # told apart by shape as well as by colour


def axiom_figure(
    out: Path, outcomes: Mapping[str, Mapping[str, str]], *, width: str | float | None = None
) -> list[Path]:
    """Draw metrics by axioms, a symbol for each outcome.

    Axioms stand under the question that they help to answer, and families of metrics are parted.

    Parameters
    ----------
    out : Path
        The directory for ``axioms.png``, ``.svg``, ``.pdf`` and ``.csv``.
    outcomes : mapping
        For each metric, the outcome by axiom.
    width : str or float, optional
        Of paper: ``"ieee1"``, ``"ieee2"``, ``"neurips"``, or centimetres.

    Returns
    -------
    list of Path
        The four files.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    names = list(outcomes)
    axioms = list(next(iter(outcomes.values())))
    rows = [[name, *(outcomes[name][axiom] for axiom in axioms)] for name in names]
    longest = max(map(len, names))
    wide = max(5.0, 1.2 + 0.075 * longest + 0.3 * len(axioms))
    least = 0.3 + 0.065 * longest + 0.13 * len(axioms)  # type of 7 points
    if width is not None and inches(width) < least:
        raise InputError(
            f"width must be at least {2.54 * least:.1f} centimetres for {len(axioms)} axioms, "
            f"got {width!r}"
        )
    with sheet(wide, 2.4 + 0.2 * len(names), width) as figure:
        axes = figure.subplots()
        _draw(axes, names, axioms, outcomes)
        legend_below(figure, *axes.get_legend_handles_labels())
        return save(figure, out, "axioms", ["metric", *axioms], rows)


def _draw(
    axes: Any, names: list[str], axioms: list[str], outcomes: Mapping[str, Mapping[str, str]]
) -> None:
    bare(axes)
    for outcome, look in _LOOKS.items():
        places = [
            (column, line)
            for line, name in enumerate(names)
            for column, axiom in enumerate(axioms)
            if outcomes[name][axiom] == outcome
        ]
        across, down = zip(*places, strict=True) if places else ((), ())
        axes.scatter(across, down, label=outcome, linewidths=1.2, zorder=2, **look)
    for line in range(0, len(names), 2):
        axes.axhspan(line - 0.5, line + 0.5, color="0.96", zorder=0)
    for line in _breaks([catalogue[n].group if n in catalogue else "" for n in names]):
        axes.axhline(line - 0.5, color="0.55", linewidth=0.8, zorder=1)
    _head(axes, axioms, [AXIOMS[axiom].question if axiom in AXIOMS else "" for axiom in axioms])
    axes.set_xticks(range(len(axioms)), axioms, rotation=90, fontsize=small())
    axes.set_yticks(range(len(names)), names, fontsize=small(), family="monospace")
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set_xlim(-0.6, len(axioms) - 0.4)
    axes.set_ylim(len(names) - 0.4, -0.6)


def _head(axes: Any, axioms: list[str], questions: list[str]) -> None:
    """Write each question over its axioms, and part it from the next."""
    edges = [0, *_breaks(questions), len(questions)]
    spans = list(pairwise(edges))
    head = axes.secondary_xaxis("top")
    places = [(start + stop - 1) / 2 for start, stop in spans]
    per = 4.5 if size_of(small()) > 8 else 2.2  # letters over a column
    # a question over a few columns is broken into lines
    words = [fill(questions[start], max(10, int(per * (stop - start)))) for start, stop in spans]
    head.set_xticks(places, words, fontsize=small(), fontweight="bold")
    head.tick_params(length=0, pad=6 + 5.2 * max(map(len, axioms)))
    head.spines["top"].set_visible(False)
    for _, stop in spans[:-1]:
        axes.axvline(stop - 0.5, color="0.55", linewidth=0.8, zorder=1)


def _breaks(names: list[str]) -> list[int]:
    """Places where a name differs from the one before."""
    return [place for place in range(1, len(names)) if names[place] != names[place - 1]]
