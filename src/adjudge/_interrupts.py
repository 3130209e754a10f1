"""Interrupts at moments at which Python's own answer would be a traceback.

While the command line is imported, which takes a good part of a second: the first thing that
``adjudge`` and ``python -m adjudge`` do is to take Ctrl-C over; the command hands it back when it
begins. Whoever imports the library keeps Ctrl-C. While workers are started, and while the
code of others is imported: see `Interrupts`.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # the module signal without its enums
import os

TYPE_CHECKING = False  # importing typing takes a while, in which an interrupt would be a traceback
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, Self

INTERRUPTED = 130
_MASKS = os.name == "posix"


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


class Interrupts:
    """Know which interrupts came within the block: Ctrl-C, and SIGTERM where it is one.

    Parameters
    ----------
    wait : bool
        Whether they are raised only where the block ends. A pool of workers that is interrupted
        while it starts them can neither be used nor be ended. Workers that are started within
        never see Ctrl-C themselves, until they ask for it.

    Attributes
    ----------
    came : list
        Signals, as they came. A KeyboardInterrupt without one is nobody's interrupt.
    """

    def __init__(self, *, wait: bool) -> None:
        self.came: list[int] = []
        self._wait = wait
        self._handlers: dict[int, Callable[..., Any]] = {}

    def __enter__(self) -> Self:
        """Note interrupts from now on, if it is here that they would be raised."""
        self._mask = _blocked({signal.SIGINT} if self._wait else set())
        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                self._take(number)
        except BaseException as error:
            self._hand_back()
            if not isinstance(error, ValueError):  # which another thread gets: none is raised here
                raise
        return self

    def __exit__(self, *_: object) -> None:
        """Hand them back, and raise the first that waited."""
        self._hand_back()
        if self._wait and self.came:
            signal.raise_signal(self.came[0])

    def _take(self, number: int) -> None:
        handler = signal.getsignal(number)

        def noted(*where: object) -> None:
            self.came.append(number)
            if not self._wait:
                handler(*where)

        if callable(handler):  # neither ignored nor left to the system
            signal.signal(number, noted)
            self._handlers[number] = handler

    def _hand_back(self) -> None:
        _unblocked(self._mask)
        while self._handlers:
            signal.signal(*self._handlers.popitem())


def _blocked(numbers: set[int]) -> Any:
    """Block signals for this thread and whatever it starts, where the system can."""
    return signal.pthread_sigmask(signal.SIG_BLOCK, numbers) if _MASKS else None


def _unblocked(before: Any) -> None:
    if _MASKS:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
