"""Outputs: how a result finds the function that draws or prints it.

A `Judgement` or a `Ranking` stands below the package `reporting` and imports nothing of it, yet has
methods such as ``to_html`` and ``plot``. The front door, ``adjudge/__init__.py``, stands above
both and says once where those functions are; a method asks for one by name when it is called, so
that nobody waits for matplotlib or jinja2 who does not draw.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_PLACES: dict[str, str] = {}


def offer(module: str, *names: str) -> None:
    """Say that the functions of these names stand in a module, which is imported on first use."""
    _PLACES.update({name: f"{module}:{name}" for name in names})


def output(name: str) -> Callable[..., Any]:
    """The function that draws or prints something, imported now.

    >>> import adjudge  # it offers all that there is
    >>> output("write_report").__name__
    'write_report'
    """
    found: Callable[..., Any] = resolve_name(_PLACES[name])
    return found


def offered() -> dict[str, str]:
    """Every function on offer, as name -> ``module:name``."""
    return dict(_PLACES)
