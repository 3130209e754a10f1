"""Exports: incidents and alerts as the programs of an on-call team write them.

`read_export` says what a file is, by its keys or columns, and gives its things.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from adjudge.io.exports.contract import EXPORTS, Exported, KnownExport, export

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge.io.records import Records

__all__ = ["EXPORTS", "Exported", "KnownExport", "export", "read_export"]

for _module in iter_modules(__path__):  # each declares an export
    import_module(f"{__name__}.{_module.name}")


def read_export(
    records: Records, chosen: Mapping[str, str] | None = None
) -> tuple[str, Exported] | None:
    """The name of the export that a file is, and its things; None where it is none that is known.

    Parameters
    ----------
    records
        The file, as `adjudge.io.records.read_records` gives it.
    chosen
        What to take where an export leaves a choice, such as ``{"annotator": "2"}``; an export that
        does not leave all of these is passed over.

    Returns
    -------
    tuple or None
    """
    asked = chosen or {}
    for name, known in EXPORTS.items():
        fits = asked.keys() <= set(known.choices)
        found = known.read(records._replace(chosen=asked)) if fits else None
        if found is not None:
            return name, found
    return None
