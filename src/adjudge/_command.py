"""Ctrl-C while the command line is still being imported ends it in one line too.

Importing takes a good part of a second, and Python would answer with a traceback of whatever was
being imported. So the first thing that ``adjudge`` and ``python -m adjudge`` do is to take Ctrl-C
over; the command hands it back when it begins. Whoever imports the library keeps Ctrl-C.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # the module signal without its enums
import os

TYPE_CHECKING = False  # importing typing takes a while, in which an interrupt would be a traceback
if TYPE_CHECKING:
    from typing import NoReturn

INTERRUPTED = 130


def leave(*_: object) -> NoReturn:
    """End at once: nothing has begun."""
    os.write(2, b"adjudge: interrupted\n")
    os._exit(INTERRUPTED)


def take_interrupts() -> None:
    """Leave quietly on Ctrl-C, unless somebody else has a say in it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)


def give_interrupts_back() -> None:
    """Let Ctrl-C be an exception again, which everything that works on can clean up after."""
    if signal.getsignal(signal.SIGINT) is leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)
