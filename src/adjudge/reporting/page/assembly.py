"""Assembly: template, style, script and data become one file that asks for nothing else.

The content security policy allows the one style and the one script by their digests and nothing
besides: a name that smuggled markup into the page could still run nothing and load nothing.

Packing: arrays as base64 in JSON, which is deflated.

Names from outside, made fit for a page: what is obeyed is spelt out, what is long is cut.

The playground: a page on which events and alarms are dragged, and four F1 scores follow.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from adjudge._version import __version__
from adjudge.checks import file_path
from adjudge.errors import InputError, visible
from adjudge.tables.look import SCORES
from adjudge.tables.result_fields import json_ready

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from jinja2 import Template

    from adjudge._typing import Array, Flags


def packed_numbers(values: Array) -> dict[str, Any]:
    """Pack numbers as float64, or shorter where that loses nothing.

    >>> packed_numbers(np.array([0.5, 2.0]))
    {'type': 'f4', 'length': 2, 'data': 'AAAAPwAAAEA='}
    """
    kind = "<f8"
    with np.errstate(over="ignore", under="ignore"):
        if np.array_equal(values.astype(np.float32), values, equal_nan=values.dtype.kind == "f"):
            kind = "<f4"
    return _packed(np.ascontiguousarray(values, kind))


_DECIMALS = 7
_CELLS = 40_000  # of scores to draw: finer than any screen


def packed_scores(values: Array, levels: Array, *, exact: bool) -> dict[str, Any]:
    """Pack scores to draw, so that the same ones lie above each level.

    Decimals with few digits are whole numbers of their last digit, and lose nothing. Where there is
    little room others are numbers of cells: even ones, cut at every level.

    Parameters
    ----------
    values, levels : array
        One per point; the thresholds, falling.
    exact : bool
        Whether every digit is kept.

    Examples
    --------
    >>> packed_scores(np.array([0.25, 0.5, 0.12]), np.array([-np.inf]), exact=True)
    {'type': 'u1', 'length': 3, 'data': 'GTIM', 'digits': 2, 'least': 0}
    """
    finite = values[np.isfinite(values) & (np.abs(values) < 1e300)]
    decimal = _decimals(values) if finite.size == values.size else None
    if decimal is not None and (exact or decimal["type"] in {"u1", "u2"}):
        return decimal
    if exact or not finite.size:
        return packed_numbers(values)
    low, high = float(finite.min()), float(finite.max())
    codes = np.searchsorted(_cell_edges(levels, low, high), values)
    return {**_whole(codes.astype(np.uint64), 2), "low": low, "high": high, "cells": _CELLS}


def _cell_edges(levels: Array, low: float, high: float) -> Array:
    """The upper ends of cells, rising: a page makes the same ones. Below all is minus infinity."""
    step = (high - low) / _CELLS or 1.0
    own = levels[(levels >= low) & (levels <= high)]
    even = low + step * np.linspace(-1, _CELLS - 1, _CELLS + 1)
    return np.unique(np.concatenate([even, [high], own]))


def _decimals(values: Array) -> dict[str, Any] | None:
    """Numbers with few digits behind the point, as whole numbers of the last one."""
    for digits in range(_DECIMALS):
        whole = np.rint(values * 10.0**digits)
        if np.abs(whole).max() >= 2**31:
            return None
        if np.array_equal(whole / 10.0**digits, values) and not np.any(
            np.signbit(values[values == 0])
        ):
            least = min(int(whole.min()), 0)
            codes = (whole - least).astype(np.uint64)
            size = max(1, (int(codes.max()).bit_length() + 7) // 8)
            return {**_whole(codes, size), "digits": digits, "least": least} if size < 4 else None
    return None


def _whole(codes: Array, size: int) -> dict[str, Any]:
    """Whole numbers of some bytes each, the lowest byte first."""
    raw = codes.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :size]
    return {"type": f"u{size}", "length": len(codes), "data": _text(np.ascontiguousarray(raw))}


_SHORT = 500  # numbers up to which every digit is kept
_PLAIN = 30  # numbers up to which a list is as short


def packed_values(values: Array) -> dict[str, Any]:
    """Pack values to be shown: a few with every digit, many as float32.

    >>> packed_values(np.array([0.1]))["type"], packed_values(np.full(501, 0.1))["type"]
    ('f8', 'f4')
    """
    return packed_numbers(values if values.size <= _SHORT else values.astype(np.float32))


def packed_counts(values: Array) -> dict[str, Any]:
    """Pack whole numbers from 0 on, in as few bytes as the largest of them takes.

    >>> packed_counts(np.array([7, 300]))
    {'type': 'u2', 'length': 2, 'data': 'BwAsAQ=='}
    """
    size = max(1, (int(values.max(initial=0)).bit_length() + 7) // 8)
    return _whole(values.astype(np.uint64), size)


def packed_shares(values: Array) -> dict[str, Any]:
    """Pack values from 0 to 1 for a histogram, in two bytes; what is undefined is the lowest.

    >>> packed_shares(np.array([0.5, 1.0]))["digits"]
    4
    """
    whole = np.rint(10_000 * np.clip(np.nan_to_num(values), 0, 1)).astype(np.uint64)
    return {**_whole(whole, 2), "digits": 4, "least": 0}


def packed_column(values: Array) -> dict[str, Any] | list[Any]:
    """Pack a column of a table: a short one as a list.

    >>> packed_column(np.array([1, 2]))
    [1, 2]
    """
    return values.tolist() if values.size <= _PLAIN else packed_numbers(values)


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


def packed_json(value: Any) -> str:
    """Write JSON for a script block, deflated, as base64: no name in it is markup.

    >>> packed_json({"name": "</script>", "value": float("nan")})[:8]
    'eNqrVspL'
    """
    text = json.dumps(json_ready(value), allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    raw = zlib.compress(text.encode("utf-8", "replace"), 9)
    return base64.b64encode(raw).decode("ascii")


def _packed(array: Array) -> dict[str, Any]:
    return {"type": array.dtype.str[1:], "length": len(array), "data": _text(array)}


def _text(array: Array) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")


_LONGEST = 160


def plain_name(name: object) -> str:
    r"""Spell out control characters and direction marks, and cut what is very long.

    >>> plain_name("score\u202e_gnp")
    'score\\u202e_gnp'
    >>> len(plain_name("x" * 5000))
    160
    """
    text = visible(str(name)[: _LONGEST + 1])
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


_HERE = "adjudge.reporting.page"


def page(name: str, payload: Any = None, *, style: str | None = None, **context: Any) -> str:
    """Render a page: its template ``name.html``, its style or that of another page, and its data.

    A page without data has no script.
    """
    css = _asset(f"{style or name}.css")
    script = "" if payload is None else _asset(f"{name}.js")
    return _template(f"{name}.html").render(
        style=Markup(css),  # noqa: S704 - our own files
        script=Markup(script),  # noqa: S704
        payload=packed_json(payload),
        policy=_policy(css, script),
        version=__version__,
        **context,
    )


_NO_PAGES = {".pdf", ".png", ".svg", ".json", ".csv", ".md", ".txt"}
"""Names under which a page could not be opened."""


def place_of_page(path: str | os.PathLike[str]) -> Path:
    """Check where a page is to be written: over another page, but over nothing else."""
    out = file_path(path, "path")
    there = b""
    with suppress(OSError):  # which will be told when it is written
        if out.is_file():
            with out.open("rb") as stream:
                there = stream.read(100).lstrip().lower()
    if there and not there.startswith(b"<!doctype html"):
        raise InputError(
            f"path must be a new file or an HTML page, got {str(path)!r}, which holds something "
            "else; choose another name"
        )
    if out.suffix.lower() in _NO_PAGES:
        raise InputError(
            f"path must be the name of an HTML page, got {str(path)!r}; write "
            f"{out.with_suffix('.html').name!r}"
        )
    return out


def write_page(path: str | os.PathLike[str], html: str) -> Path:
    """Write a page; surrogates that no encoding holds become question marks."""
    out = place_of_page(path)
    try:
        out.write_text(html, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise InputError(
            f"path must be a file that can be written, got {str(path)!r}: {error.strerror}"
        ) from None
    return out


def _policy(style: str, script: str) -> str:
    scripts = f"script-src '{_digest(script)}'; " if script else ""
    return (
        f"default-src 'none'; {scripts}style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    raw = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(raw).decode('ascii')}"


@cache
def _asset(name: str) -> str:
    return (files(_HERE) / "built" / name).read_text(encoding="utf-8")


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=PackageLoader(_HERE, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"plain": plain_name, "visible": visible}
    return environment.get_template(name)


def playground() -> str:
    """The page as text."""
    return page("playground", {}, title="adjudge playground", rows=list(SCORES.items()))


def write_playground(path: str | os.PathLike[str]) -> Path:
    """Write the page; give its path."""
    return write_page(path, playground())
