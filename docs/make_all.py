"""Write everything that follows from what the source declares: run it after a change of a row, a rule, a layout, a column or an axiom.

Run as ``python docs/make_all.py``; about a minute. Tables and pages of docs/, the stubs for type checkers, the revisions that the
tests hold values against, and the number of metrics wherever a document says it. What needs time, data or an eye is made by its own script:
claims (audits), figures, the crosswalk's recorded values, terminal texts.
"""

import re
import subprocess
import sys
from pathlib import Path

import adjudge as aj

HOME = Path(__file__).parent
SCRIPTS = (
    "docs/make_stub.py",
    "docs/make_tables.py",
    "docs/make_columns.py",
    "docs/make_metrics.py",
    "docs/make_crosswalk.py",
    "docs/make_conformance.py",
    "docs/make_axioms.py",
    "tests/golden/make_revisions.py",
)
COUNTED = {
    "README.md": "with {} metrics for time-series anomaly detection",
    "docs/index.md": "with {} metrics for time-series anomaly detection",
    "paper/paper.md": "It has {} metrics, computed",
    ".zenodo.json": "judges time-series anomaly detectors by {} metrics",
}
"""Where a document says how many metrics there are, and in which words."""


def counted(name, text):
    """The text of a document with the number of metrics that there are now."""
    words = COUNTED[name]
    found, count = re.subn(words.format(r"\d+"), words.format(len(aj.catalogue)), text)
    if count != 1:
        raise ValueError(f"{name} must say once: {words.format('N')}")
    return found


def count_metrics():
    """Write how many metrics there are where the documents say it."""
    for name in COUNTED:
        page = HOME.parent / name
        page.write_text(counted(name, page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    for script in SCRIPTS:
        print(script, flush=True)  # noqa: T201
        subprocess.run([sys.executable, HOME.parent / script], check=True)  # noqa: S603 - our own
    count_metrics()
