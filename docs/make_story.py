"""Draw docs/story.png: what `adjudge demo` shows, as one picture.

A coin flip and a detector that works, judged after point adjustment and after balanced adjustment. All numbers are computed here.
Run ``python docs/make_story.py``.
"""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import adjudge as aj
from adjudge.judging.demonstration import COIN, DECENT, detectors

NAMES = {COIN: "coin flip", DECENT: "a detector that works"}
COLOURS = {COIN: "#b45309", DECENT: "#1d4ed8"}
EVENT = "#d7dde5"
events, flags = detectors()
judged = aj.evaluate(events, {name: flags[name] for name in NAMES}, ["f1_pa", "f1_ba"])

figure = plt.figure(figsize=(9, 4.6), layout="constrained")
grid = figure.add_gridspec(2, 2, height_ratios=[1, 1.7], hspace=0.08, wspace=0.06)

strip = figure.add_subplot(grid[0, :])
for start, stop in zip(events.starts, events.stops, strict=True):
    strip.axvspan(start, stop, color=EVENT, linewidth=0)
for row, name in enumerate(NAMES):
    at = np.flatnonzero(flags[name])
    strip.vlines(at, 1.08 - row, 1.78 - row, color=COLOURS[name], linewidth=0.7)
strip.set(
    xlim=(0, events.n), ylim=(0, 2), yticks=[1.43, 0.43], yticklabels=NAMES.values(), xticks=[]
)
strip.set_title("12 events (grey) and the alarms of two detectors", loc="left", fontsize=11)
strip.spines[:].set_visible(False)
strip.tick_params(length=0)

for column, (spec, title) in enumerate(
    {
        "f1_pa": "F1 after point adjustment (most papers)",
        "f1_ba": "F1 after balanced adjustment",
    }.items()
):
    axis = figure.add_subplot(grid[1, column])
    for place, name in enumerate(reversed(NAMES)):
        (row,) = (row for row in judged.of(name) if row.asked == spec)
        axis.barh(place, row.value, 0.55, color=COLOURS[name])
        axis.text(
            row.value + 0.015,
            place,
            f"{row.value:.2f}",
            va="center",
            fontsize=12,
            fontweight="bold",
        )
        axis.vlines(row.chance, place - 0.38, place + 0.38, color="black", linewidth=2)
        words = "the same alarms at other times: " if place else ""
        side = "center" if not words else "right" if row.chance > 0.5 else "left"
        axis.text(
            row.chance, place - 0.41, f"{words}{row.chance:.2f}", ha=side, va="top", fontsize=9
        )
    axis.set(xlim=(0, 1.1), ylim=(-0.75, 1.4), yticks=[0, 1], xticks=[0, 0.5, 1])
    axis.set_yticklabels(reversed(NAMES.values()) if not column else ["", ""])
    axis.set_title(title, loc="left", fontsize=11)
    axis.spines[["top", "right", "left"]].set_visible(False)
    axis.tick_params(axis="y", length=0)

figure.savefig(Path(__file__).with_name("story.png"), dpi=110)
