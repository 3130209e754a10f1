"""The group: troubles end in one line and the right exit code.

Exit codes: 0 done, 1 partly failed, 2 wrong use or bad input, 3 judged but below the gate, 130
interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections import UserDict
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from pkgutil import resolve_name
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

import click

from adjudge._interrupts import INTERRUPTED, give_interrupts_back
from adjudge.errors import AdjudgeError, nearest, one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

Tasks = Mapping[str, Mapping[str, tuple[str, str]]]
NO_TASKS: Tasks = MappingProxyType({})
_NO_VERB: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""What click from 8.2 on raises, with the whole help, where nothing follows the group's name."""


class Verbs(UserDict[str, Any]):
    """Verbs by name; one of which only the place is known is imported when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        """The click command of a verb."""
        if isinstance(self.data[name], str):
            self.data[name] = resolve_name(self.data[name])
        return self.data[name]


class Group(click.Group):
    """A group whose troubles end in one line and the right exit code.

    Parameters
    ----------
    tasks : mapping of str to mapping of str to pair of str
        Verbs by the task that they are for: where the function of each stands in adjudge, as
        ``module:function``, and what the group's help says of it: so that help imports none.
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        tasks: Tasks = NO_TASKS,
        **how: Any,
    ) -> None:
        verbs = {name: verb for group in tasks.values() for name, verb in group.items()}
        places = Verbs({name: f"adjudge.{place}" for name, (place, _) in verbs.items()})
        super().__init__(name, places, **how)
        self.tasks = {
            task: [(name, line) for name, (_, line) in group.items()]
            for task, group in tasks.items()
        }

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """Name the verbs, by task."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs by task, a line each; those of a group without tasks after each other."""
        listed = {name for rows in self.tasks.values() for name, _ in rows}
        others = [
            (name, self.commands[name].get_short_help_str())
            for name in self.list_commands(ctx)
            if name not in listed
        ]
        for task, rows in {**self.tasks, "Commands": others}.items():
            if rows:
                with formatter.section(task):
                    formatter.write_dl(rows, col_max=14)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; who named a file instead is told of the verb that judges it."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            if "evaluate" in self.commands and Path(args[0]).exists():
                raise click.UsageError(
                    f"the verb comes first, as in adjudge evaluate {args[0]}", ctx
                ) from None
            raise

    def main(self, *args: Any, **options: Any) -> NoReturn:
        """Run a verb, and leave with its exit code."""
        options["standalone_mode"] = False
        give_interrupts_back()
        _open_what_is_closed()
        try:
            with _terminated_as_interrupted(), _warnings_as_notes():
                code = super().main(*args, **options)
                sys.stdout.flush()
        except (click.exceptions.Abort, KeyboardInterrupt):
            _stop("interrupted", INTERRUPTED)
        except click.ClickException as error:
            _refuse(error)
        except AdjudgeError as error:
            _stop(str(error), 2)
        except BrokenPipeError:
            _leave_reader()
        except OSError as error:
            _drop_output()
            _stop(_described(error), 2)
        except MemoryError:
            _stop("not enough memory", 2)
        except SystemExit:
            if type(sys.stdout).__name__.endswith("PacifyFlushWrapper"):  # click left a reader
                _leave_reader()
            raise
        except RuntimeError as error:
            _stop_if_interrupted(error)
            raise
        sys.exit(code if isinstance(code, int) else 0)


def _refuse(error: click.ClickException) -> NoReturn:
    """Say what was wrong with a call, and where all that it takes is listed; or print that."""
    if isinstance(error, _NO_VERB):
        error.show()
        sys.exit(2)
    said, context = _said(error), getattr(error, "ctx", None)
    _stop(f"{said}; see {context.command_path} --help" if context else said, 2)


_MEANT = {
    "--threshold": ("--at", "--candidate"),
    "--output": ("--out",),
    "--format": ("--json",),
}
"""What other programs call options: theirs, ours; the first of them that a verb has."""


def _said(error: click.ClickException) -> str:
    """What was wrong; an option that has another name here is told by it."""
    said = error.format_message().removesuffix(".")
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return said
    known = {name for param in error.ctx.command.params for name in param.opts}
    near = next(iter(nearest(error.option_name, {*known, *_MEANT})), "")
    ours = _MEANT.get(near, (error.option_name,))
    meant = next((one for one in ours if one in known), ours[0])
    if meant in known:
        return f"No such option {error.option_name!r}. Did you mean {meant!r}?"
    if meant == "--out":
        return f"No such option {error.option_name!r}: the result goes to stdout; use > FILE"
    return said


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Let SIGTERM end a verb as Ctrl-C does: it says what is kept, and ends its workers."""
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    """Say a warning in one line, without the line of our source that it was raised in."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: note(message)
        yield


def _stop_if_interrupted(error: RuntimeError) -> None:
    """Know an interrupt that Python 3.11 calls so, since it came while a class was made."""
    if isinstance(error.__cause__, KeyboardInterrupt):
        _stop("interrupted", INTERRUPTED)


def _open_what_is_closed() -> None:
    """Let what is printed go nowhere where whoever started this has closed it (``>&-``)."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - to the end


def _leave_reader() -> NoReturn:
    """End well: the reader has seen enough, as `head` does."""
    _drop_output()
    sys.exit(0)


def _drop_output() -> None:
    """Let what is still to be written go nowhere: Python would try again when it ends."""
    with suppress(OSError, ValueError, AttributeError):  # there may be none, or a closed one
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())  # type: ignore[union-attr]


def _described(error: OSError) -> str:
    where = f" at {error.filename!r}" if error.filename else ", in what is written or read"
    return f"{error.strerror or error}{where}"


def _stop(message: str, code: int) -> NoReturn:
    note(one_line(message))
    sys.exit(code)


def note(message: object) -> None:
    """Say something on stderr, in one line."""
    click.echo(f"adjudge: {visible(message)}", err=True)
