"""The choice of a null model: by its name, or any object that keeps the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge._text import shown
from adjudge.errors import InputError
from adjudge.noise.nearby_null import NearbyNull
from adjudge.noise.null_model import Null
from adjudge.noise.shifted_null import ShiftedNull
from adjudge.noise.white_null import WhiteNull

if TYPE_CHECKING:
    from collections.abc import Mapping

NULLS: Mapping[str, Null] = {
    "shifted": ShiftedNull(),
    "nearby": NearbyNull(),
    "white": WhiteNull(),
}
"""The null models by the names that ``null=`` takes."""


def read_null(null: Any) -> Null:
    """Find the null model of a name, or take one as it is.

    >>> read_null("nearby").name
    'the same alarms, shifted nearby'
    """
    if isinstance(null, str) and null in NULLS:
        return NULLS[null]
    if isinstance(null, Null) and not isinstance(null, type):
        return null
    names = ", ".join(map(repr, NULLS))
    raise InputError(f"null must be one of {names}, or a null model, got {shown(null)}")
