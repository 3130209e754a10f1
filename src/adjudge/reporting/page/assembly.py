"""Assembly: template, style, script and data become one file that asks for nothing else.

The content security policy allows the one style and the one script by their digests and nothing
besides: a name that smuggled markup into the page could still run nothing and load nothing.
"""

from __future__ import annotations

import base64
import hashlib
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from adjudge._version import __version__
from adjudge.checks import file_path
from adjudge.errors import InputError
from adjudge.reporting.page.packing import script_json
from adjudge.reporting.page.plain_names import plain_name

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from jinja2 import Template

_HERE = "adjudge.reporting.page"


def page(name: str, payload: Any, **context: Any) -> str:
    """Render a page: its template ``name.html`` with the script ``name.js`` and its data."""
    style, script = _asset("page.css"), _asset(f"{name}.js")
    return _template(f"{name}.html").render(
        style=Markup(style),  # noqa: S704 - our own files
        script=Markup(script),  # noqa: S704
        payload=Markup(script_json(payload)),  # noqa: S704 - escaped for a script block
        policy=_policy(style, script),
        version=__version__,
        **context,
    )


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
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
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
    environment.filters["plain"] = plain_name
    return environment.get_template(name)
