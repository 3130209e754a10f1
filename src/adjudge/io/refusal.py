"""Turn whatever a broken file makes a library raise into one line about that file.

NumPy, ``zipfile`` and Arrow raise a dozen kinds of exception on damaged bytes, many of them
undocumented. A caller only needs to know which file is broken and why, so each call into such a
library stands inside :func:`broken`, and nothing else does: a fault of adjudge itself must not be
blamed on the file.
"""

from __future__ import annotations

from contextlib import contextmanager
from textwrap import shorten
from typing import TYPE_CHECKING

from adjudge.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def broken(what: str) -> Iterator[None]:
    r"""Raise any exception of the block as ``FileError("<what>: <reason>")`` on one line.

    Examples
    --------
    >>> with broken("a.npz: broken zip archive"):
    ...     raise ValueError("two\nlines")
    Traceback (most recent call last):
    adjudge.errors.FileError: a.npz: broken zip archive: two lines
    """
    try:
        yield
    except Exception as error:
        reason = shorten(str(error), 160, placeholder=" ...")
        raise FileError(f"{what}: {reason or type(error).__name__}") from error
