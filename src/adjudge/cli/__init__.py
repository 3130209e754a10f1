"""The command line: the same words as the library, one function per verb, no arithmetic.

Results go to stdout, notes and progress to stderr.
"""

from __future__ import annotations

import click

from adjudge._version import __version__
from adjudge.cli.group import Group

TASKS = {  # what people want to do -> the verbs for it: where each stands, and its line in the help
    "Judge detectors": {
        "demo": ("cli.evaluating:demo", "Judge five simulated detectors, as a demo."),
        "evaluate": (
            "cli.evaluating:evaluate",
            "Judge detectors: metrics, chance level, verdict.",
        ),
        "explain": ("cli.explaining:explain", "Show what each event earned and each alarm cost."),
        "compare": ("cli.comparing:compare", "Test whether one detector is ahead of others."),
        "decide": (
            "cli.deciding:decide",
            "Choose a threshold and policy for costs or a budget.",
        ),
        "report": ("cli.reporting:report", "Write an offline HTML report."),
    },
    "Many series, many detectors": {
        "rank": ("cli.ranking:rank", "Rank many detectors on many series."),
        "verify": (
            "cli.ranking:verify",
            "Verify submissions to a board, build its pages.",
        ),
    },
    "Judge in a loop": {
        "seal": ("cli.sealing:seal", "Write a contract for a sealed judge."),
        "judge": ("cli.sealing:judge", "Ask a sealed judge whether to ship a candidate."),
        "serve": ("cli.sealing:serve", "Serve a sealed judge to agents, labels hidden."),
    },
    "Check the benchmark": {
        "inspect": (
            "lab.verbs.inspecting:inspect",
            "Find flaws in a benchmark before ranking on it.",
        ),
    },
    "Metrics": {
        "list": ("cli.listing:list_", "List the metrics by what they measure."),
        "show": (
            "cli.listing:show",
            "Show one metric: definition, settings, what it forgives.",
        ),
        "explain-diff": (
            "cli.explaining:explain_diff",
            "Find the metric and settings behind a number.",
        ),
        "playground": (
            "cli.reporting:playground",
            "Write a page to drag events and alarms on.",
        ),
        "audit": ("lab.verbs.auditing:audit", "Test a metric against axioms."),
    },
    "Check verdicts, repeat the paper": {
        "calibrate": (
            "lab.verbs.calibrating:calibrate",
            "Test verdicts and intervals on your own data.",
        ),
        "simulate": (
            "lab.verbs.simulating:simulate",
            "Simulate labels and scores.",
        ),
        "study": ("lab.verbs.studying:study", "Repeat the paper's experiments."),
        "figure": ("lab.verbs.drawing:figure", "Draw a figure of your data or the paper's."),
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
