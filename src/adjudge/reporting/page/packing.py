"""Packing: arrays as base64 and JSON that cannot end the script block it stands in."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.judging.result_row import json_ready

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags

_FORBIDDEN = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def packed_numbers(values: Array) -> dict[str, Any]:
    """Pack numbers as float64, or shorter where that loses nothing.

    >>> packed_numbers(np.array([0.5, 2.0]))
    {'type': 'f4', 'length': 2, 'data': 'AAAAPwAAAEA='}
    """
    kind = "<f8"
    with np.errstate(over="ignore", under="ignore"):
        if np.array_equal(values.astype(np.float32), values):
            kind = "<f4"
    return _packed(np.ascontiguousarray(values, kind))


def packed_places(values: Array) -> dict[str, Any]:
    """Pack positions as int32: a page holds far fewer than 2**31 points."""
    return _packed(np.ascontiguousarray(values, "<i4"))


def packed_flags(flags: Flags) -> dict[str, Any]:
    """Pack bools, eight to the byte.

    >>> packed_flags(np.array([True, False, True]))
    {'type': 'bits', 'length': 3, 'data': 'BQ=='}
    """
    bits = np.packbits(flags, bitorder="little")
    return {"type": "bits", "length": len(flags), "data": _text(bits)}


def script_json(value: Any) -> str:
    r"""Write JSON for a script block: nothing in it can close the block or open another.

    >>> script_json({"name": "</script>", "value": float("nan")})
    '{"name":"\\u003c/script\\u003e","value":null}'
    """
    text = json.dumps(json_ready(value), allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_FORBIDDEN)


def _packed(array: Array) -> dict[str, Any]:
    return {"type": array.dtype.str[1:], "length": len(array), "data": _text(array)}


def _text(array: Array) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")
