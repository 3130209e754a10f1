"""The group: troubles end in one line and the right exit code.

Exit codes: 0 done, 1 partly failed, 2 wrong use or bad input, 3 judged but below the gate, 130
interrupted.
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import click

from adjudge._text import visible
from adjudge.errors import AdjudgeError


class Group(click.Group):
    """A group whose troubles end in one line and the right exit code."""

    def main(self, *args: Any, **options: Any) -> NoReturn:
        """Run a verb, and leave with its exit code."""
        options["standalone_mode"] = False
        try:
            code = super().main(*args, **options)
        except click.exceptions.Abort:
            _stop("interrupted", 130)
        except click.ClickException as error:
            error.message = visible(error.message)  # type: ignore[misc]
            error.show()
            sys.exit(2)
        except AdjudgeError as error:
            _stop(str(error), 2)
        except BrokenPipeError:  # the reader has seen enough, as `head` does
            sys.stderr.close()
            sys.exit(0)
        sys.exit(code if isinstance(code, int) else 0)


def _stop(message: str, code: int) -> NoReturn:
    note(message)
    sys.exit(code)


def note(message: object) -> None:
    """Say something on stderr, in one line."""
    click.echo(f"adjudge: {visible(message)}", err=True)
