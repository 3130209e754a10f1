"""Draw docs/story.png: what `adjudge demo` shows, as one picture; docs/story_narrow.png is the same for telephones.

A coin flip and a detector that works, judged after point adjustment and after balanced adjustment. All numbers are computed here,
and stand in the file too, so that a test can read them. Run ``python tools/make.py story``.
"""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import adjudge as aj
from adjudge.judging.demonstration import COIN, DECENT, detectors

PICTURE = Path(__file__).parents[1] / "docs" / "story.png"
NARROW = Path(__file__).parents[1] / "docs" / "story_narrow.png"
NAMES = {COIN: "coin flip", DECENT: "a detector that works"}
COLOURS = {COIN: "#b45309", DECENT: "#1d4ed8"}
EVENT = "#d7dde5"
TITLES = {
    "f1_pa": "F1 after point adjustment (many papers)",
    "f1_ba": "F1 after balanced adjustment",
}


def numbers():
    """Give value and chance level by metric and detector."""
    events, flags = detectors()
    judged = aj.evaluate(events, {name: flags[name] for name in NAMES}, list(TITLES))
    return {(row.requested, row.detector): (row.value, row.chance) for row in judged.rows}


def words(found):
    """Write the numbers in one line, to be kept in the file and compared."""
    return " ".join(f"{value:.2f}" for pair in found.values() for value in pair)


def named(*, narrow):
    """Give the names of the detectors, in two lines where there is little room."""
    return [name.replace(" that", "\nthat") if narrow else name for name in NAMES.values()]


def draw_strip(axis, *, narrow):
    """Draw the events and the alarms of both detectors."""
    events, flags = detectors()
    for start, stop in zip(events.starts, events.stops, strict=True):
        axis.axvspan(start, stop, color=EVENT, linewidth=0)
    for row, name in enumerate(NAMES):
        at = np.flatnonzero(flags[name])
        thin = 0.35 if narrow else 0.7
        axis.vlines(at, 1.08 - row, 1.78 - row, color=COLOURS[name], linewidth=thin)
    axis.set(xlim=(0, events.n), ylim=(0, 2), xticks=[])
    axis.set_yticks([1.43, 0.43], named(narrow=narrow))
    title = (
        "12 events (grey) and alarms"
        if narrow
        else "12 events (grey) and the alarms of two detectors"
    )
    axis.set_title(title, loc="left", fontsize=11)
    axis.spines[:].set_visible(False)
    axis.tick_params(length=0)


def draw_bars(axis, spec, found, names):
    """Draw what both detectors score by a metric, with what their alarms score at other times."""
    for place, name in enumerate(reversed(NAMES)):
        value, chance = found[spec, name]
        axis.barh(place, value, 0.55, color=COLOURS[name])
        text = {"va": "center", "fontsize": 12, "fontweight": "bold"}
        axis.text(value + 0.015, place, f"{value:.2f}", **text)
        axis.vlines(chance, place - 0.38, place + 0.38, color="black", linewidth=2)
        said = "the same alarms at other times: " if place else ""
        side = "center" if not said else "right" if chance > 0.5 else "left"
        axis.text(chance, place - 0.41, f"{said}{chance:.2f}", ha=side, va="top", fontsize=9)
    axis.set(xlim=(0, 1.1), ylim=(-0.75, 1.4), xticks=[0, 0.5, 1])
    axis.set_yticks([0, 1], names[::-1])
    axis.set_title(TITLES[spec], loc="left", fontsize=11)
    axis.spines[["top", "right", "left"]].set_visible(False)
    axis.tick_params(axis="y", length=0)


def draw(path, size, *, narrow):
    """Draw the strip, and a panel of bars for each metric: beside each other, or one below the other."""
    figure = plt.figure(figsize=size, layout="constrained")
    found, columns = numbers(), 1 if narrow else 2
    heights = [1, 1.7, 1.7] if narrow else [1, 1.7]
    grid = figure.add_gridspec(
        len(heights), columns, height_ratios=heights, hspace=0.08, wspace=0.06
    )
    draw_strip(figure.add_subplot(grid[0, :]), narrow=narrow)
    for place, spec in enumerate(TITLES):
        where = grid[1 + place // columns, place % columns]
        names = ["", ""] if place % columns else named(narrow=narrow)
        draw_bars(figure.add_subplot(where), spec, found, names)
    figure.savefig(path, dpi=110, metadata={"Description": words(found)})
    plt.close(figure)


if __name__ == "__main__":
    draw(PICTURE, (9, 4.6), narrow=False)
    draw(NARROW, (4.6, 6.2), narrow=True)
