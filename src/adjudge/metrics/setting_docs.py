"""What the settings of a metric are: read from the docstrings of its parts when somebody asks."""

from __future__ import annotations

import re
from dataclasses import Field, fields, is_dataclass
from inspect import cleandoc, formatannotation, getmro
from typing import Any, NamedTuple


class SettingDoc(NamedTuple):
    """One setting: what it may be, and what it does."""

    kind: str
    text: str


def setting_docs(part: Any) -> dict[str, SettingDoc]:
    """Describe each setting of a part by the section "Parameters" of its docstring.

    A setting that a part inherits may be described where it is declared.

    Parameters
    ----------
    part : object
        What adjusts, counts or measures: a dataclass, or a function, which has no settings.

    Returns
    -------
    dict of str to SettingDoc
        In the order of the fields.

    Examples
    --------
    >>> from adjudge.measure.rates import FBeta
    >>> setting_docs(FBeta())["beta"].kind
    'float'
    """
    if not is_dataclass(part):
        return {}
    found: dict[str, SettingDoc] = {}
    for owner in reversed(getmro(type(part))):
        found |= _parameters(owner.__doc__ or "")
    return {item.name: found.get(item.name, _by_its_type(item)) for item in fields(part)}


def _by_its_type(item: Field[Any]) -> SettingDoc:
    """What can be said of a setting that nobody describes."""
    return SettingDoc(item.type if isinstance(item.type, str) else formatannotation(item.type), "")


def _parameters(docstring: str) -> dict[str, SettingDoc]:
    """Read the entries "name : type" of the section; one without a type only refers elsewhere."""
    _, _, rest = cleandoc(docstring).partition("Parameters\n----------\n")
    section = re.split(r"\n\n[A-Z][\w ]*\n-+\n", rest)[0]
    entries: dict[str, SettingDoc] = {}
    for entry in re.split(r"\n(?=\w)", section):
        head, _, text = entry.partition("\n")
        names, _, kind = head.partition(" : ")
        if kind:
            doc = SettingDoc(kind.removesuffix(", optional"), cleandoc(_plain(text)))
            entries |= dict.fromkeys(names.split(", "), doc)
    return entries


def _plain(text: str) -> str:
    r"""Leave out the marks of reStructuredText that mean nothing in a terminal.

    >>> _plain(r":math:`\delta(i, L)` is ``1``, see `layers`")
    'delta(i, L) is 1, see layers'
    """
    return re.sub(r":math:|`+|\\(?=[a-z])", "", text)
