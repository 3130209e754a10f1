"""The command line: the same words as the library, one function per verb, no arithmetic.

Results go to stdout, notes and progress to stderr.
"""

from __future__ import annotations

import click

from adjudge._version import __version__
from adjudge.cli.group import Group

TASKS = {  # what people want to do -> the verbs for it: where each stands, and its line in the help
    "Judge detectors": {
        "demo": ("cli.evaluating:demo", "Show on five simulated detectors what metrics forgive."),
        "evaluate": (
            "cli.evaluating:evaluate",
            "Judge detectors: each value beside what chance would score.",
        ),
        "explain": ("cli.explaining:explain", "Say what each event earned and each alarm cost."),
        "compare": ("cli.comparing:compare", "Say whether one detector is really ahead of others."),
        "decide": (
            "cli.deciding:decide",
            "Choose a threshold and a policy for prices or a budget.",
        ),
        "report": ("cli.reporting:report", "Write an offline page with the reasons for a score."),
    },
    "Many series, many detectors": {
        "rank": ("cli.ranking:rank", "Rank many detectors on many series."),
        "verify": (
            "cli.ranking:verify",
            "Check what others submitted to a board, build its pages.",
        ),
    },
    "Judge in a loop": {
        "seal": ("cli.sealing:seal", "Write a contract for a judge that may be asked many times."),
        "judge": ("cli.sealing:judge", "Ask a sealed judge whether a candidate may be shipped."),
        "serve": ("cli.sealing:serve", "Let agents ask a sealed judge that alone reads labels."),
    },
    "Know the benchmark": {
        "inspect": (
            "lab.verbs.inspecting:inspect",
            "Find flaws of a benchmark before you rank on it.",
        ),
    },
    "Know the metrics": {
        "list": ("cli.listing:list_", "List the metrics, by what they measure."),
        "show": (
            "cli.listing:show",
            "Show one metric: what it is, its settings, what it forgives.",
        ),
        "explain-diff": (
            "cli.explaining:explain_diff",
            "Find the metric and settings behind a printed number.",
        ),
        "playground": (
            "cli.reporting:playground",
            "Write a page on which to drag events and alarms.",
        ),
        "audit": ("lab.verbs.auditing:audit", "Test a metric against the axioms of a fair one."),
    },
    "Check the verdicts, repeat the paper": {
        "calibrate": (
            "lab.verbs.calibrating:calibrate",
            "Test verdict and interval on your own data.",
        ),
        "simulate": (
            "lab.verbs.simulating:simulate",
            "Draw labels and scores of simulated detectors.",
        ),
        "study": ("lab.verbs.studying:study", "Repeat the paper's experiments."),
        "figure": ("lab.verbs.drawing:figure", "Draw a figure, of your data or of the paper's."),
    },
    "For programs": {
        "schema": ("cli.listing:schema", "Print the JSON Schema of results."),
    },
}  # a verb is imported when it is asked for


@click.group(cls=Group, tasks=TASKS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="adjudge")
def main() -> None:
    """Judge time-series anomaly detectors fairly.

    Begin with `adjudge demo`, then `adjudge evaluate FILE.csv`.
    """
