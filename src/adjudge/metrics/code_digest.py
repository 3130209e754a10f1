"""Code digest: a hash of what a third party's metric is made of, by which an edit is noticed.

Stored values of our own metrics are kept by their ``revision``. Nobody raises that of a metric in a
script, so its values are kept by its code: bytecode, constants, defaults, what it closes over, and
the functions, classes and numbers that it takes from its module, and so on from there. What lies in
other installed packages, in Python or in this library counts by name and version.

The same source gives the same digest in every process, under one version of Python.
"""

from __future__ import annotations

import copyreg
import sys
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import TYPE_CHECKING, Any

from adjudge._version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_PLAIN = (bool, int, float, complex, str, range, type(None), type(...), type(NotImplemented))
_SILENT = frozenset({
    "__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__", "__dict__",
    "__doc__", "__firstlineno__", "__module__", "__static_attributes__", "__weakref__", "_abc_impl",
})  # fmt: skip
"""What a class holds and no value depends on."""


class NoDigest(Exception):  # noqa: N818 - no user meets it
    """Something that the metric depends on cannot be read, such as a lock or an open file."""


def code_digest(row: Any, rule: Any = None) -> str:
    """Hash the code of a metric, given as its `Row`, and of a threshold rule that is not ours.

    Raises
    ------
    NoDigest
        If that cannot be known.
    """
    parts = (row.measure, row.adjust, row.count, *([] if rule is None else [rule]))
    return digest_of(*parts, also=(dict(row.defaults), row.needs, row.better))


def digest_of(*parts: Any, also: tuple[Any, ...] = ()) -> str:
    """Hash the code of functions and objects with all that they depend on, and what goes with them.

    Raises
    ------
    NoDigest
        If that cannot be known.
    """
    try:
        walk = _Walk({_package(part) for part in parts})
        return walk.digest([*parts, *also])
    except Exception as error:  # whatever somebody's objects raise when they are looked at
        raise NoDigest(f"{type(error).__name__}: {error}") from error


class _Walk:
    """Goes through everything once, in an order that depends on the code alone."""

    def __init__(self, home: set[str]) -> None:
        self._home, self._hash = home, sha256()
        self._seen: dict[int, tuple[int, Any]] = {}  # with the value, so that no id is used twice

    def digest(self, value: Any) -> str:
        """Hash a value with all that is in it."""
        self._take(value)
        return self._hash.hexdigest()[:32]

    def _take(self, value: Any) -> None:
        if type(value) in _PLAIN:
            self._add(f"{type(value).__name__} {value!r}".encode())
        elif type(value) is bytes:
            self._add(value)
        elif id(value) in self._seen:
            self._add(f"again {self._seen[id(value)][0]}".encode())
        else:
            self._seen[id(value)] = len(self._seen), value
            name, inside = self._described(value)
            self._add(name.encode())
            for part in inside:
                self._take(part)
            self._add(b"end")

    def _add(self, word: bytes) -> None:
        self._hash.update(f"{len(word)} ".encode())
        self._hash.update(word)

    def _described(self, value: Any) -> tuple[str, Iterable[Any]]:
        """What a value is, and what is in it."""
        if isinstance(value, ModuleType):
            return self._named(value.__name__), ()
        if isinstance(value, (FunctionType, type)):
            if self._is_foreign(value.__module__):
                return self._named(value.__module__, value.__qualname__), ()
            is_class = isinstance(value, type)
            return "code", self._of_class(value) if is_class else self._of_function(value)
        kind = type(value)
        return kind.__name__, _INSIDE.get(kind, _of_object)(value)

    def _of_class(self, value: Any) -> Iterator[Any]:
        yield value.__bases__
        for name in sorted(vars(value).keys() - _SILENT):
            yield from (name, vars(value)[name])

    def _of_function(self, value: Any) -> Iterator[Any]:
        yield from (value.__code__, value.__defaults__, value.__kwdefaults__, value.__closure__)
        yield vars(value)
        yield from self._looked_up(sorted(_names(value.__code__)), value.__globals__, ())

    def _looked_up(
        self, names: list[str], where: Mapping[str, Any], above: tuple[ModuleType, ...]
    ) -> Iterator[Any]:
        """What the names of a function mean, in its module and in the modules that it names."""
        for name in names:
            found = where.get(name)
            yield from (name, found)
            if not isinstance(found, ModuleType) or self._is_foreign(found.__name__):
                continue
            if found not in above:
                yield from self._looked_up(names, vars(found), (*above, found))

    def _named(self, module: str, name: str = "") -> str:
        """Name what is not looked into, with the version of its package."""
        package = module.partition(".")[0]
        version = __version__ if package == "adjudge" else _held_by(package).get("__version__", "")
        return f"{module} {name} {version if self._is_foreign(module) else ''}"

    def _is_foreign(self, module: str) -> bool:
        """Tell what belongs to Python, to this library, or to a package the metric is not in."""
        package = module.partition(".")[0]
        if package == "adjudge" or package in sys.stdlib_module_names:
            return True
        parts = Path(_held_by(package).get("__file__") or "").parts
        installed = "site-packages" in parts or "dist-packages" in parts
        return installed and package not in self._home


def _package(part: Any) -> str:
    """The package that a part of a metric comes from."""
    inner = part.func if isinstance(part, partial) else part
    owner = inner if isinstance(inner, (type, FunctionType)) else type(inner)
    return owner.__module__.partition(".")[0]


def _held_by(package: str) -> Mapping[str, Any]:
    return vars(sys.modules[package]) if package in sys.modules else {}


def _of_bytecode(code: CodeType) -> Iterator[Any]:
    """All of a code object but where it was written."""
    yield from (code.co_code, code.co_consts, code.co_names, code.co_varnames, code.co_freevars)
    yield from (code.co_cellvars, code.co_exceptiontable, code.co_flags)
    yield from (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)


def _names(code: CodeType) -> set[str]:
    """The names that a function looks up, with those of the functions inside it."""
    inner = (_names(const) for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*inner)


def _of_cell(cell: CellType) -> Iterator[Any]:
    try:
        yield cell.cell_contents
    except ValueError:  # not filled yet
        yield "empty"


def _of_object(value: Any) -> Iterator[Any]:
    """What an object is made of: what a pickle of it would hold, and what it wraps."""
    registered = copyreg.dispatch_table.get(type(value))
    made = registered(value) if registered else value.__reduce_ex__(4)
    if isinstance(made, str):
        yield made
        yield getattr(value, "__wrapped__", None)  # such as a function with a cache
        return
    yield from made[:3]
    for items in made[3:5]:
        yield None if items is None else list(items)


def _pairs(value: Mapping[Any, Any]) -> Iterator[Any]:
    return (part for pair in value.items() for part in pair)


_INSIDE: dict[type, Callable[[Any], Iterable[Any]]] = {
    list: iter,
    tuple: iter,
    set: partial(sorted, key=repr),
    frozenset: partial(sorted, key=repr),
    dict: _pairs,
    MappingProxyType: _pairs,
    CodeType: _of_bytecode,
    CellType: _of_cell,
    BuiltinFunctionType: lambda value: (value.__module__, value.__qualname__, value.__self__),
    staticmethod: lambda value: (value.__func__,),
    classmethod: lambda value: (value.__func__,),
    property: lambda value: (value.fget, value.fset, value.fdel),
    cached_property: lambda value: (value.func,),
    **dict.fromkeys(
        (GetSetDescriptorType, MemberDescriptorType, WrapperDescriptorType),
        lambda value: (repr(value),),
    ),
}
"""What is in a value of each kind that a pickle could not hold, or holds in another way."""
