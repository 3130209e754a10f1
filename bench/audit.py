"""What an audit costs: seconds and trials per second by metric, and the whole catalogue.

Run as ``python bench/audit.py [NAME ...] [--effort E] [--jobs J] [--all]``. Seconds are CPU time of
the experiments; the last line tells the time that went by for all of them.
"""

import argparse
import time

import adjudge as aj
from adjudge.lab.audit.audits import audit_many
from adjudge.lab.audit.confidence import EFFORTS

LIMIT = 10  # seconds for a metric of one threshold at normal effort
WHOLE = 600  # seconds for the whole catalogue, on two cores
SHOWN = ("f1", "f1_pa", "f1_kpa", "f1_ba", "event_f1", "composite_f1", "auc_roc", "auc_pr_ba")


def plain(labels, flags):
    """Give pointwise F1 as a user would write it: what the worker costs is seen beside f1."""
    both = labels.sum() + flags.sum()
    return 2 * (labels * flags).sum() / both if both else float("nan")


def main():
    """Audit, and print a line per metric."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--effort", choices=EFFORTS, default="normal")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="the whole catalogue")
    options = parser.parse_args()
    shown = [*(name for name in SHOWN if name in aj.catalogue), plain]
    chosen = list(aj.catalogue) if options.all else options.names or shown
    begun = time.perf_counter()
    print(f"{'metric':<28}{'s':>7}{'trials/s':>10}  slowest axioms")
    for found in audit_many(chosen, jobs=options.jobs, effort=options.effort):
        slow = sorted(found, key=lambda row: -row.seconds)[:3]
        said = ", ".join(f"{row.axiom} {row.seconds:.1f}" for row in slow)
        rate = sum(row.trials for row in found) / found.seconds
        over = "" if found.seconds <= LIMIT or options.effort == "thorough" else "  over"
        print(f"{found.metric:<28}{found.seconds:7.1f}{rate:10,.0f}  {said}{over}", flush=True)
    gone = time.perf_counter() - begun
    verdict = "" if not options.all else "PASS" if gone <= WHOLE else "over"
    print(f"{len(chosen)} metrics in {gone:.0f} s with {options.jobs} process(es) {verdict}")


if __name__ == "__main__":
    main()
