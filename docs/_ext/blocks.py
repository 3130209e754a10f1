"""Run the examples of a page: what the site and ``tools/make.py tutorials`` share."""

import math
import os
import re
import shlex
import subprocess
import sys
import textwrap

ENVIRONMENT = {**os.environ, "COLUMNS": "88", "NO_COLOR": "1", "MPLBACKEND": "svg"}
CONTINUED = "\0"  # for the time being, where a command goes on in the next line
NUMBER = re.compile(r"\d+\.\d+(?:e[-+]?\d+)?")


class WrongExitError(Exception):
    """An example ended with another exit code than its page says."""


def output(command, folder, code=0):
    """Run Python with these arguments in a folder, and give what it printed."""
    result = subprocess.run(  # noqa: S603 - the pages are ours
        [sys.executable, *command],
        cwd=folder, env=ENVIRONMENT, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if result.returncode != code:
        raise WrongExitError(f"{command}: exit code {result.returncode}\n{result.stdout}")
    return result.stdout.rstrip()


def run_lines(content, folder, code=0, most=None):
    """Run command lines of adjudge, and give pairs of command and what it printed."""
    text = "\n".join(content).replace("\\\n", CONTINUED)
    for line in filter(None, text.splitlines()):
        printed = output(["-m", *shlex.split(line.replace(CONTINUED, " "))], folder, code)
        folded = [row for said in printed.splitlines() for row in _folded(said)]
        cut = most is not None and most < len(folded)
        shown = "\n".join([*folded[:most], *(["..."] if cut else [])])
        yield line.replace(CONTINUED, "\\\n"), shown.replace("python -m adjudge", "adjudge")


def _folded(line):
    """Fold what was said on stderr as a terminal would; tables and sentences are folded already."""
    if not line.startswith("adjudge: "):
        return [line]
    return textwrap.wrap(
        line, int(ENVIRONMENT["COLUMNS"]), break_long_words=False, break_on_hyphens=False
    )


def transcript(pairs, *, always=True):
    """Put commands and what they printed below each other; one command alone may go unnamed."""
    pairs = list(pairs)
    if len(pairs) == 1 and not always:
        return pairs[0][1].strip("\n")
    return "\n\n".join(f"$ {line}\n{printed}".rstrip() for line, printed in pairs)


def says_the_same(shown, printed):
    """Compare two texts: the same words, and numbers within one per cent (spaces may differ)."""
    words = [" ".join(NUMBER.sub("#", text).split()) for text in (shown, printed)]
    numbers = [list(map(float, NUMBER.findall(text))) for text in (shown, printed)]
    return words[0] == words[1] and all(
        math.isclose(a, b, rel_tol=0.01, abs_tol=0.0011) for a, b in zip(*numbers, strict=True)
    )
