"""Alignment: two columns with an index must have the same one.

Columns are read by position. Where two of them are pandas columns, and say by their indexes that
position i is not the same moment in both, reading on would pair the wrong points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.columns import FRAME_LIBRARIES
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge._typing import Column


def check_indexes(**columns: Column) -> None:
    """Refuse columns whose indexes differ, in another order too; what has no index fits any.

    >>> import pandas as pd
    >>> labels = pd.Series([0, 1], index=["mon", "tue"])
    >>> check_indexes(labels=labels, scores=labels[::-1])
    Traceback (most recent call last):
    adjudge.errors.InputError: labels and scores must have the same index, got 'mon' and 'tue' at \
position 0; write scores.reindex(labels.index) to put them in order, or .to_numpy() to judge by \
position
    >>> check_indexes(labels=labels, scores=[0.2, 0.1])
    """
    first: tuple[str, Any] | None = None
    for name, values in columns.items():
        index = _index(values)
        if index is None:
            continue
        if first is None:
            first = name, index
        elif len(index) == len(first[1]) and not index.equals(first[1]):
            _refuse(*first, name, index)


def _index(values: Column) -> Any:
    if type(values).__module__.partition(".")[0] not in FRAME_LIBRARIES:
        return None
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - only who holds a frame pays for it

    held = nw.from_native(values, allow_series=True, eager_only=True, pass_through=True)
    return nw.maybe_get_index(held) if isinstance(held, (nw.Series, nw.DataFrame)) else None


def _refuse(name: str, index: Any, other: str, its: Any) -> None:
    different = np.array([a != b for a, b in zip(index, its, strict=True)], bool)
    place = int(np.argmax(different))  # 0, should they differ in kind alone
    raise InputError(
        f"{name} and {other} must have the same index, got {_shown(index[place])} and "
        f"{_shown(its[place])} at position {place}; write {other}.reindex({name}.index) to put "
        "them in order, or .to_numpy() to judge by position"
    )


def _shown(entry: Any) -> str:
    return repr(entry.item() if isinstance(entry, np.generic) else entry)
