"""Write src/adjudge/_catalogue.pyi and __init__.pyi: run it after every change of a row, or of the front door.

Type checkers and editors read them in place of `adjudge.__getattr__`: which metrics there are, what each
takes and gives; and where each name of the front door comes from. Nothing reads them when the library runs. Metrics that take the same share a class;
each has what an editor shows beside its name, and its whole page is what ``help(aj.f1_ba)`` prints.
"""

import json
import re
from inspect import signature
from pathlib import Path
from textwrap import fill
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

import adjudge as aj
from adjudge.measure.thresholds.contract import RULES
from adjudge.metrics.help_pages import setting_docs
from adjudge.metrics.metric import Metric
from adjudge.metrics.reader import own_rows

STUB = Path(__file__).parents[1] / "src" / "adjudge" / "_catalogue.pyi"
HEAD = '''\
"""The metrics as type checkers and editors see them; written by tools/make.py stub."""

from collections.abc import Sequence
from typing import Any, Literal, Self, overload

from adjudge._typing import Boolean, Column, Duration, Number, Whole
from adjudge.measure.thresholds.contract import AnyRule
from adjudge.metrics.metric import Metric
'''
FRONT = STUB.with_name("__init__.pyi")
FRONT_HEAD = '''\
"""The front door as type checkers and editors see it; written by tools/make.py stub."""

from adjudge import _catalogue
from adjudge import theory as theory
from adjudge._catalogue import *
'''
THRESHOLD = "at: Number | str | AnyRule | None = None"
GIVEN_FOR = {int: "Whole", float: "Number", bool: "Boolean", str: "str", NoneType: "None"}
"""What a user may give for a field of each type: numbers of NumPy too."""


def choices(kind):
    """List what a user may give for a field of this type; a type that is not listed above is an error."""
    match get_origin(kind):
        case origin if origin in {Union, UnionType}:
            return [choice for one in get_args(kind) for choice in choices(one)]
        case origin if origin is Literal:
            return [f"Literal[{', '.join(map(written, get_args(kind)))}]"]
        case origin if origin is tuple:
            item, _ = get_args(kind)  # of any length
            return [f"Sequence[{' | '.join(choices(item))}]"]
    return [GIVEN_FOR[kind]]


def written(value):
    """Write a default; NaN has no literal."""
    if isinstance(value, str):
        return json.dumps(value)
    return repr(value) if value == value else "..."  # noqa: PLR0124


def settings(row):
    """Write what a row takes by name alone: the fields of its parts, and a threshold if it has one."""
    kinds = {}
    for part in (row.adjust, row.count, row.measure):
        kinds |= get_type_hints(part) if isinstance(part, type) else {}
    lines = []
    for name, default in row.parameters.items():
        given = choices(kinds[name])
        if name in row.lengths:  # the text that it takes is a duration, or a word for one
            given = [choice for choice in given if choice != "str"] + ["Duration"]
        lines.append(f"{name}: {' | '.join(given)} = {written(default)}")
    return [*lines, *[THRESHOLD] * (row.needs == "flags")]


def columns():
    """Write what every metric takes: what must be given, and what may be."""
    _, labels, scores, *others, _ = signature(Metric.__call__).parameters.values()
    must = [f"{one.name}: {one.annotation}" for one in (labels, scores)]
    kinds = {one.name: one.annotation.replace("float", "Number") for one in others}
    return must, [f"{one.name}: {kinds[one.name]} = {written(one.default)}" for one in others]


def packed(items, indent):
    """Write what stands between two brackets, as much as fits on each line."""
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) + 2 > 100 - len(indent):
            lines.append("")
        lines[-1] += f"{item}, "
    return "".join(f"{indent}{line.rstrip()}\n" for line in lines)


def overload(parameters, result, ignored=""):
    """Write one way to call a metric."""
    taken = packed(["self", "/", *parameters], " " * 8)
    return f"    @overload{ignored}\n    def __call__(\n{taken}    ) -> {result}: ...\n"


def class_of(name, named):
    """Write the class of the metrics that take these settings."""
    must, may = columns()
    call = overload([*must, "*", *named, *may], "float", "  # type: ignore[override]")
    change = overload(["*", *named] if named else [], "Self")
    return f"\nclass {name}(Metric):\n{call}{change}"


def shown_of(row):
    """Write what an editor shows of a metric: what it is, what its settings do, what it gives."""
    low, high = row.range
    docs = {}
    for part in row.metric.parts:
        docs |= setting_docs(part)
    lines = [f"{row.title}: {row.definition.removesuffix('.')}."]
    for name in row.parameters:
        first = re.split(r"(?<=\.)\s+(?=[A-Z\"])", docs[name].text)[0]
        lines.append(f"{name}: {' '.join(first.split())}")
    lines.append(f"From {low} to {high}, {row.better} is better. NaN: {row.undefined}.")
    page = "\n\n".join(fill(line, 100) for line in lines)
    return page.replace("\\", r"\\").replace('"', r"\"")


def text():
    """Give the whole stub: each class stands before the first metric that needs it."""
    rows = own_rows()
    names = packed([written(row.name) for row in rows], " " * 4)
    classes, parts = {}, [HEAD, f"\n__all__ = [\n{names}]\n"]
    for row in rows:
        named = settings(row)
        if tuple(named) not in classes:
            name = f"_Like{row.name.title().replace('_', '')}"
            classes[tuple(named)] = name
            parts.append(class_of(name, named))
        parts.append(f'\n{row.name}: {classes[tuple(named)]}\n"""{shown_of(row)}"""\n')
    return "".join(parts)


def places():
    """Give where each name of the front door comes from: its module, and its name there."""
    for name, place in aj._PLACES.items():  # noqa: SLF001 - what the stub tells
        module, _, known_as = place.partition(":")
        yield name, module, known_as or name
    for name, make in RULES.known.items():
        yield name, make.__module__.removeprefix("adjudge."), make.__name__


def suggest_keywords():
    """Give the stub of the package: an import for each name, and the metrics."""
    imports = sorted(
        f"from adjudge.{module} import {known_as} as {name}\n"
        for name, module, known_as in places()
    )
    names = "".join(f"    {written(name)},\n" for name in aj.__all__)
    return "".join(
        [
            FRONT_HEAD,
            *imports,
            f"\n__version__: str\n__all__ = [\n{names}]\n__all__ += _catalogue.__all__\n",
        ]
    )


def made():
    """Give the text of both stubs by their paths."""
    return {STUB: text(), FRONT: suggest_keywords()}
