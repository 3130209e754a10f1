"""The command line: the same words as the library, one function per verb, no arithmetic.

Results go to stdout, notes and progress to stderr.
"""

from __future__ import annotations

import click

from adjudge._version import __version__
from adjudge.cli.auditing import audit
from adjudge.cli.comparing import compare
from adjudge.cli.drawing import figure
from adjudge.cli.group import Group
from adjudge.cli.judging import demo, evaluate, explain, explain_diff
from adjudge.cli.listing import list_, schema, show
from adjudge.cli.ranking import rank
from adjudge.cli.reporting import playground, report
from adjudge.cli.simulating import simulate
from adjudge.cli.studying import study


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="adjudge")
def main() -> None:
    """Judge time-series anomaly detectors fairly.

    Begin with `adjudge demo`, then `adjudge evaluate FILE.csv`.
    """


for verb in (
    audit,
    compare,
    demo,
    evaluate,
    explain,
    explain_diff,
    figure,
    list_,
    playground,
    rank,
    report,
    schema,
    show,
    simulate,
    study,
):
    main.add_command(verb)
