"""The axiom matrix: which metric keeps which axiom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.reporting.figures.drawing import BLUE, ORANGE, RED, SMALL, bare, save, sheet

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_LOOKS: dict[str, dict[str, Any]] = {
    "pass": {"marker": "o", "color": BLUE, "s": 42},
    "fail": {"marker": "x", "color": RED, "s": 34},
    "undecided": {"marker": "D", "facecolor": "none", "edgecolor": ORANGE, "s": 24},
    "not applicable": {"marker": "_", "color": "0.7", "s": 20},
}  # told apart by shape as well as by colour


def axiom_figure(out: Path, verdicts: Mapping[str, Mapping[str, str]]) -> list[Path]:
    """Draw metrics by axioms, a symbol for each verdict.

    Parameters
    ----------
    out : Path
        The directory for ``axioms.png``, ``axioms.svg`` and ``axioms.csv``.
    verdicts : mapping
        For each metric, the verdict by axiom.

    Returns
    -------
    list of Path
        The three files.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    names = list(verdicts)
    axioms = list(next(iter(verdicts.values())))
    rows = [[name, *(verdicts[name][axiom] for axiom in axioms)] for name in names]
    longest = max(map(len, names))
    width = max(5.0, 1.2 + 0.075 * longest + 0.3 * len(axioms))
    with sheet(width, 2.4 + 0.2 * len(names)) as figure:
        axes = figure.subplots()
        _draw(axes, names, axioms, verdicts)
        figure.legend(ncols=4, fontsize=SMALL, loc="outside lower center", frameon=False)
        return save(figure, out, "axioms", ["metric", *axioms], rows)


def _draw(
    axes: Any, names: list[str], axioms: list[str], verdicts: Mapping[str, Mapping[str, str]]
) -> None:
    bare(axes)
    for verdict, look in _LOOKS.items():
        places = [
            (column, line)
            for line, name in enumerate(names)
            for column, axiom in enumerate(axioms)
            if verdicts[name][axiom] == verdict
        ]
        across, down = zip(*places, strict=True) if places else ((), ())
        axes.scatter(across, down, label=verdict, linewidths=1.2, zorder=2, **look)
    for line in range(0, len(names), 2):
        axes.axhspan(line - 0.5, line + 0.5, color="0.96", zorder=0)
    axes.set_xticks(range(len(axioms)), axioms, rotation=90, fontsize=SMALL)
    axes.set_yticks(range(len(names)), names, fontsize=SMALL, family="monospace")
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set_xlim(-0.6, len(axioms) - 0.4)
    axes.set_ylim(len(names) - 0.4, -0.6)
