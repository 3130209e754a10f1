"""Columns as a data frame of whichever library is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from adjudge._text import shown
from adjudge.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Mapping


def frame_of(columns: Mapping[str, Any], backend: str = "pandas") -> Any:
    """Make a data frame of pandas, polars or pyarrow.

    >>> frame_of({"metric": ["f1"], "value": [0.5]}, "polars").shape
    (1, 2)
    """
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - only who wants a frame pays for it

    try:
        return nw.from_dict(dict(columns), backend=cast("Any", backend)).to_native()
    except ImportError:
        raise MissingExtra("a data frame", backend) from None
    except (ValueError, TypeError, AssertionError):  # the last of narwhals 2.0
        rule = "'pandas', 'polars' or 'pyarrow'"
        raise InputError(f"backend must be {rule}, got {shown(backend)}") from None
