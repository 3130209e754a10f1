"""Locks on open files: they end with the process, however that ends, so none is ever stale."""

from __future__ import annotations

try:
    from fcntl import LOCK_EX, LOCK_NB, flock

    def take_lock(handle: int, *, wait: bool = False) -> None:
        """Take the right to write, or fail where another process has it.

        Parameters
        ----------
        handle, wait : int, bool
            The open file, and whether to wait until nobody has it.
        """
        flock(handle, LOCK_EX if wait else LOCK_EX | LOCK_NB)

except ImportError:  # pragma: no cover - Windows, and Python in a browser
    try:
        import msvcrt
    except ModuleNotFoundError:

        def take_lock(handle: int, *, wait: bool = False) -> None:
            """Do nothing: in WebAssembly there is no other process."""

    else:

        def take_lock(handle: int, *, wait: bool = False) -> None:
            """Take the right to write, or fail where another process has it."""
            how = msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK  # type: ignore[attr-defined]
            msvcrt.locking(handle, how, 1)  # type: ignore[attr-defined]
