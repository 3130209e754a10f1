"""Print anew what the README's commands print: run it after every change of the terminal's layout.

A block that ends with `...` keeps its number of lines.
"""

import re
import shlex
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from adjudge.cli import main

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"```console\n\$ adjudge (.*)\n((?:.*\n)*?)```")


def printed(match):
    """Run the command of a block, and give the block with what it prints."""
    with chdir(README.parent):
        result = CliRunner(env={"COLUMNS": "96"}).invoke(main, shlex.split(match[1]))
    lines = result.stdout.splitlines(keepends=True)
    if match[2].endswith("...\n"):
        lines = [*lines[: match[2].count("\n") - 1], "...\n"]
    return f"```console\n$ adjudge {match[1]}\n{''.join(lines)}```"


def page():
    """Give the README with every command's output as it is now."""
    return BLOCK.sub(printed, README.read_text())


def made():
    """Give the text of the README by its path."""
    return {README: page()}
