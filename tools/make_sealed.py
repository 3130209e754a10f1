"""Draw docs/sealed.png: what a judge that shows values is climbed to, and how often loops ship luck.

Run ``python tools/make.py sealed``. The shares on the right are those of ``bench/sealed.py``.
"""

import re
import sys
from importlib import import_module
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import adjudge as aj

HOME = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(HOME.parent / "bench"))
sealed = import_module("sealed")

EVENTS, STEPS, SEED = 30, 200, 7
OURS, OTHER = "#1d4ed8", "#c2410c"


def climbed():
    """One loop: the value that is shown, where compare first says "ahead", and the true value."""
    world = sealed.World(EVENTS, SEED, 0)
    world.open = EVENTS
    found = world.rng.random(EVENTS)
    today = kept = world.drawn(found)
    values, ahead = [world.open_value(today)], None
    truth = aj.Events.from_labels(world.labels)
    for step in range(STEPS):
        new = sealed.redrawn(world, kept, 0.1, found)
        if world.open_value(new) > values[-1]:
            kept = new
            flags = world.flags(new), world.flags(today)
            told = aj.compare(truth, *flags, "event_f1")
            ahead = step + 1 if ahead is None and told.separated and told.ahead == "a" else ahead
        values.append(world.open_value(kept))
    recall = found.mean()
    return values, ahead, 2 * recall / (1 + recall + sealed.RATE)


def shares():
    """The shares of loops on docs/sealed.md: of compare, and of a sealed judge."""
    page = (HOME / "sealed.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| \*?\*?(0\.\d+)\*?\*? \| (0\.\d+) ", page, re.MULTILINE)
    return [(int(events), float(plain), float(ours)) for events, plain, ours in rows]


def draw():
    """Write the picture."""
    values, ahead, true = climbed()
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), width_ratios=(3, 2))
    left.plot(values, color=OTHER, label="event_f1 as it is shown")
    left.axhline(true, color=OURS, label="on fresh events")
    left.plot(ahead, values[ahead], "o", color=OTHER)
    left.annotate(f'step {ahead}: compare says\\n"ahead", p <= 0.05'.replace("\\n", "\n"),
                  (ahead, values[ahead]), (ahead + 20, values[ahead] - 0.12),
                  arrowprops={"arrowstyle": "-", "color": OTHER})  # fmt: skip
    left.set(xlabel="steps, none of which changes anything but luck", ylim=(0.3, 1.0))
    left.set_title(f"Climbing by the value that is shown, {EVENTS} events", loc="left", fontsize=10)
    left.legend(frameon=False, loc="lower right")
    known = shares()
    place = np.arange(len(known))
    right.bar(
        place - 0.2, [one[1] for one in known], 0.38, color=OTHER, label="compare, each asked"
    )
    right.bar(place + 0.2, [one[2] for one in known], 0.38, color=OURS, label="sealed judge")
    right.axhline(0.05, color="black", linewidth=0.8, linestyle=":")
    right.text(2.46, 0.056, "alpha", fontsize=8)
    right.set(xlim=(-0.5, 2.8), ylim=(0, 0.6))
    right.set_xticks(place, [f"{one[0]} events" for one in known])
    right.set_title("Loops of 200 equals that ship one", loc="left", fontsize=10)
    right.legend(frameon=False)
    for axis in (left, right):
        axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(HOME / "sealed.png", dpi=110)
    return values, ahead, true


if __name__ == "__main__":
    values, ahead, true = draw()
    sys.stdout.write(f"{values[0]:.2f} to {values[-1]:.2f}, ahead at {ahead}, true {true:.2f}\n")
