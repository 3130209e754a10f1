"""Draw docs/chance.png: alarms that slide in time, what they score there, and what that says about the value.

Run ``python tools/make.py chance``. The numbers that it shows stand in the file too, so that a test can read them.
"""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import adjudge as aj
from adjudge.noise.shifting.shifted_case import CaseShifts

PICTURE = Path(__file__).parents[1] / "docs" / "chance.png"
MOVES = (0, 410, 1_840, 4_050, 7_040)
EVENT, ALARM = "#c9d3df", "#1d4ed8"


def example():
    """Give the labels and flags of docs/chance.md: 12 events, 8 of them found."""
    labels, flags = np.zeros((2, 10_000), int)
    for i, start in enumerate(range(300, 9_900, 800)):
        labels[start + 17 * i : start + 17 * i + 100] = 1
        if i % 3:
            flags[start + 17 * i + 20 : start + 17 * i + 60] = 1
    return labels, flags


def numbers():
    """Give what the picture says: the row of the result, and the value after each move."""
    labels, flags = example()
    (row,) = aj.evaluate(labels, flags, "f1_ba").rows
    return row, [aj.f1_ba(labels, np.roll(flags, move)) for move in MOVES]


def words(found):
    """Write the numbers in one line, to be kept in the file and compared."""
    row, moved = found
    shown = (row.value, row.chance, row.always_on, row.low, row.high, *moved)
    return f"{' '.join(f'{value:.2f}' for value in shown)} p {row.p_value:.4f} of {row.shifts}"


def draw_sliding(axis, labels, flags, moved):
    """Draw the alarms at home and at other places, with what each place scores."""
    for event in aj.Case(labels, flags).events:
        axis.axvspan(event.start, event.stop, color=EVENT, linewidth=0)
    for place, (move, value) in enumerate(zip(MOVES, moved, strict=True)):
        high = len(MOVES) - 1 - place
        axis.vlines(
            np.flatnonzero(np.roll(flags, move)), high + 0.2, high + 0.8, color=ALARM, linewidth=0.8
        )
        weight = "normal" if place else "bold"
        axis.text(10_150, high + 0.5, f"{value:.2f}", va="center", fontweight=weight)
    said = ["where they were", *(f"moved by {move:,}" for move in MOVES[1:])]
    axis.set(xlim=(0, 10_000), ylim=(0, len(MOVES)), xticks=[])
    axis.set_yticks([high + 0.5 for high in reversed(range(len(MOVES)))], said)
    axis.set_title(
        "The same alarms (blue) slide past the events (grey); right: f1_ba there",
        loc="left",
        fontsize=10.5,
    )
    axis.spines[:].set_visible(False)
    axis.tick_params(length=0)


def draw_all(axis, row, values):
    """Draw how many places score what, and the value with its interval."""
    bins = np.linspace(0, 1, 51)
    axis.hist(values, bins=bins, color="0.75", label="the same alarms, at each place")
    top = axis.get_ylim()[1]
    axis.axvline(row.chance, color="black", linestyle="--", label=f"chance {row.chance:.2f}")
    always = f"always-on alarm {row.always_on:.2f}"
    axis.axvline(row.always_on, color="tab:orange", linestyle=":", label=always)
    axis.plot([row.low, row.high], [top * 0.5] * 2, color=ALARM, linewidth=3)
    value = f"the value {row.value:.2f}, and its 95 % interval"
    axis.plot(row.value, top * 0.5, "o", color=ALARM, markersize=9, label=value)
    share = round(row.p_value * row.shifts)
    axis.annotate(
        f"p = {row.p_value:.4f}: {share} of {row.shifts:,} places\ndo as well (its own is one of them)",
        (row.value, top * 0.02), (0.60, top * 0.2), arrowprops={"arrowstyle": "->"}, fontsize=9,
    )  # fmt: skip
    axis.set(xlabel="f1_ba", ylabel="number of places", xlim=(0, 1))
    axis.set_title("All 10,000 places, and what each of them scores", loc="left", fontsize=10.5)
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, loc="upper right", fontsize=9)


def draw():
    """Draw both parts, one below the other."""
    labels, flags = example()
    row, moved = numbers()
    figure, (above, below) = plt.subplots(
        2, figsize=(8, 6), height_ratios=[1, 1.5], layout="constrained"
    )
    draw_sliding(above, labels, flags, moved)
    draw_all(below, row, CaseShifts(aj.Case(labels, flags)).values(aj.f1_ba).values)
    figure.savefig(PICTURE, dpi=110, metadata={"Description": words((row, moved))})


if __name__ == "__main__":
    draw()
