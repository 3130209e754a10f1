"""How many metrics there are, wherever a document says it."""

import re
from pathlib import Path

import adjudge as aj

ROOT = Path(__file__).parents[1]
COUNTED = {
    "README.md": "with {} metrics for time-series anomaly detection",
    "docs/index.md": "with {} metrics for time-series anomaly detection",
    "paper/paper.md": "It has {} metrics, computed",
    ".zenodo.json": "judges time-series anomaly detectors by {} metrics",
}
"""Where a document says it, and in which words."""


def counted(name, text):
    """The text of a document with the number of metrics that there are now."""
    words = COUNTED[name]
    found, count = re.subn(words.format(r"\d+"), words.format(len(aj.catalogue)), text)
    if count != 1:
        raise ValueError(f"{name} must say once: {words.format('N')}")
    return found


def made():
    """Give the text of each document by its path."""
    return {ROOT / name: counted(name, (ROOT / name).read_text("utf-8")) for name in COUNTED}
