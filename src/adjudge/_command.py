"""Ctrl-C while the command line is still being imported ends it in one line too.

Importing takes a good part of a second, and Python would answer with a traceback of whatever was
being imported. So the first thing that this package does, when it is the command line that starts,
is to take Ctrl-C over; the command hands it back when it begins.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # the module signal without its enums
import os
import sys

TYPE_CHECKING = False  # importing typing takes a while, in which an interrupt would be a traceback
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130


def starts_here() -> bool:
    """Whether this process is ``adjudge ...`` or ``python -m adjudge ...``."""
    script = os.path.basename(sys.argv[0] if sys.argv else "")  # noqa: PTH119 - pathlib is slow
    said = sys.orig_argv
    module = "-m" in said and said[said.index("-m") + 1 : said.index("-m") + 2] == ["adjudge"]
    return script in {"adjudge", "adjudge.exe"} or module


def leave(*_: object) -> NoReturn:
    """End at once: nothing has begun."""
    os.write(2, b"adjudge: interrupted\n")
    os._exit(INTERRUPTED)


def take_interrupts() -> None:
    """Leave quietly on Ctrl-C, unless somebody else has a say in it."""
    if starts_here() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)


def give_interrupts_back() -> None:
    """Let Ctrl-C be an exception again, which everything that works on can clean up after."""
    if signal.getsignal(signal.SIGINT) is leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


take_interrupts()
