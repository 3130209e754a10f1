"""Write everything that follows from what the source declares: run it after a change of a row, a rule, a layout, a column or an axiom.

Run as ``python docs/make_all.py``; about a minute. Tables and pages of docs/, the stubs for type checkers, the revisions that the
tests hold values against, and the number of metrics in the README. What needs time, data or an eye is made by its own script:
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
COUNTED = re.compile(r"with \d+ metrics for time-series anomaly detection")


def count_metrics():
    """Write how many metrics there are where the documents say it."""
    counted = f"with {len(aj.catalogue)} metrics for time-series anomaly detection"
    for page in (HOME.parent / "README.md", HOME / "index.md"):
        page.write_text(COUNTED.sub(counted, page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    for script in SCRIPTS:
        print(script, flush=True)  # noqa: T201
        subprocess.run([sys.executable, HOME.parent / script], check=True)  # noqa: S603 - our own
    count_metrics()
