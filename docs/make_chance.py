"""Draw docs/chance.png: one value, and all that the chance line says about it.

Run ``python docs/make_chance.py``.
"""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import adjudge as aj
from adjudge.noise.shifting.shifted_case import CaseShifts

labels, flags = np.zeros((2, 10_000), int)
for i, start in enumerate(range(300, 9_900, 800)):
    labels[start + 17 * i : start + 17 * i + 100] = 1
    if i % 3:
        flags[start + 17 * i + 20 : start + 17 * i + 60] = 1
(row,) = aj.evaluate(labels, flags, "f1_ba").rows
values = CaseShifts(aj.Case(labels, flags)).values(aj.f1_ba).values

figure, axis = plt.subplots(figsize=(8, 3.4), layout="constrained")
axis.hist(
    values, bins=np.linspace(0, 1, 51), color="0.75", label="the same alarms, elsewhere in time"
)
top = axis.get_ylim()[1]
axis.axvline(row.chance, color="black", linestyle="--", label=f"chance {row.chance:.2f}")
axis.axvline(
    row.all_alarms, color="tab:orange", linestyle=":", label=f"always-on alarm {row.all_alarms:.2f}"
)
axis.plot([row.low, row.high], [top * 0.55] * 2, color="tab:blue", linewidth=3)
axis.plot(
    row.value,
    top * 0.55,
    "o",
    color="tab:blue",
    markersize=9,
    label=f"the value {row.value:.2f}, and its 95 % interval",
)
share = round(row.p_value * row.shifts)
axis.annotate(
    f"p = {row.p_value:.4f}: {share} of {row.shifts:,} places\ndo as well (its own is one of them)",
    (row.value, top * 0.02),
    (0.60, top * 0.24),
    arrowprops={"arrowstyle": "->"},
    fontsize=9,
)
axis.set(xlabel="f1_ba", ylabel="places in time", xlim=(0, 1))
axis.spines[["top", "right"]].set_visible(False)
axis.legend(frameon=False, loc="upper right", fontsize=9)
figure.savefig(Path(__file__).with_name("chance.png"), dpi=110)
