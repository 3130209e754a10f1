"""Figures: what the paper draws, drawn again and computed by this library.

Each is written as PNG, SVG and PDF, with a CSV of all numbers in it. `FIGURES` maps the name of a
figure to the function that draws it; those named in `FROM_EXPERIMENTS` draw a table of simulated
experiments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.lab.figures.experiments import (
    marginals_figure,
    precision_figure,
    recall_figure,
    separation_figure,
)
from adjudge.lab.figures.noise import noise_figure
from adjudge.lab.figures.scenarios import scenarios_figure
from adjudge.lab.figures.strip import strip_figure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

FIGURES: Mapping[str, Callable[..., list[Path]]] = {
    "strip": strip_figure,
    "scenarios": scenarios_figure,
    "noise": noise_figure,
    "separation": separation_figure,
    "precision": precision_figure,
    "recall": recall_figure,
    "marginals": marginals_figure,
}  # in the order of the paper's figures 1 to 6, and what 4 to 6 stand on
FROM_EXPERIMENTS = frozenset({"separation", "precision", "recall", "marginals"})
