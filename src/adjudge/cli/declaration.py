"""How an option of the command line is declared: once, with the data for which it has a meaning.

Help, refusals and the table in docs/cli.md follow from the declarations.
"""

from __future__ import annotations

from functools import reduce, wraps
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

F = TypeVar("F", bound="Callable[..., Any] | click.Command")
Kind = Literal[
    "points", "channels", "annotators", "on_call", "positions", "moments", "benchmark",
    "folder", "values", "rankings", "ranking", "ranked",
]  # fmt: skip


class Data(NamedTuple):
    """A kind of data."""

    noun: str
    """What it is called; where Python has an input for it, as that calls it."""
    way: str = ""
    """The option that says that it is given; "": the files tell."""

    def __str__(self) -> str:
        """The noun, and how such data are given."""
        return f"{self.noun} ({self.way})" if self.way else self.noun


DATA: Mapping[Kind, Data] = {
    "points": Data("points"),
    "channels": Data("several channels", "--channels"),
    "annotators": Data("several annotators", "--annotators"),
    "on_call": Data("incidents and alerts", "--truth"),
    "positions": Data("positions", "--truth --length"),
    "moments": Data("changes with times", "--truth --span"),
    "benchmark": Data("a published benchmark"),
    "folder": Data("series with scores"),
    "values": Data("a table of values", "--values"),
    "rankings": Data("rankings to put together", "--merge"),
    "ranking": Data("a finished ranking"),
    "ranked": Data("a finished ranking and its data", "--data"),
}
READ: tuple[Kind, ...] = ("points", "folder", "ranked")
"""Data in files with a row per point."""
TABLES: tuple[Kind, ...] = ("points", "channels", "annotators")
PLACES: tuple[Kind, ...] = ("positions", "moments")
"""Changes and alarms, by position or by time; by position intervals too."""
JUDGED: tuple[Kind, ...] = (*TABLES, "on_call", *PLACES, "benchmark", "folder")
"""Data that a verb judges, not those which it only reads."""


def kind_of(given: Mapping[str, Any]) -> Kind | None:
    """The kind of data that the options say; None where the files tell."""

    def says(*names: str) -> bool:
        return any(is_given(given.get(name)) for name in names)

    several: Kind = "annotators" if says("annotators") else "channels"
    is_table = says("annotators", "channels", "channel")
    if says("truth") and (says("alerts") or (says("span", "length") and not is_table)):
        return "positions" if says("length") else "on_call"
    if is_table:
        return several
    return "rankings" if says("merge") else "values" if says("values") else None


def kinds_of(verb: Sequence[Kind], given: Mapping[str, Any]) -> Sequence[Kind]:
    """The kinds of data that a call of a verb may be about, without a look into files."""
    kind = kind_of(given)
    if kind is not None:  # without --span and --length both are open
        timed = kind == "on_call" and not is_given(given.get("span")) and "positions" in verb
        return ("on_call", "positions") if timed else (kind,)
    named = [given.get(name) for name in ("file", "files", "data")]
    files = next((one for one in named if one and isinstance(one, (str, tuple))), None)
    if files is None:  # click has a mark of its own for what is not given
        return verb
    of_folders = ("benchmark", "ranking", "ranked")
    open_ = [one for one in verb if not DATA[one].way or one == "ranked"]
    first = files if isinstance(files, str) else files[0]
    return [one for one in open_ if one not in of_folders or Path(first).is_dir()]


def either(names: Iterable[str]) -> str:
    """Names as one of which something may be: "a, b or c".

    >>> either(["points", "positions", "points"])
    'points or positions'
    """
    *others, last = dict.fromkeys(names)
    return f"{', '.join(others)} or {last}" if others else last


def is_given(value: Any) -> bool:
    """Tell whether a parameter has a value; an empty text is one."""
    return value is not None and value is not False and value != ()


def units_with_value(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that have a value: the library knows the defaults of the others."""
    return {name: value for name, value in options.items() if value is not None}


class Option(click.Option):
    """An option of a verb.

    Parameters
    ----------
    of : tuple of str
        The kinds of data for which it has a meaning; empty: for all.
    instead : dict
        What to say for a kind of data, where the option has no meaning.
    needs, not_with, not_in : str
        Other parameters, with blanks between: it has no effect without one of the first, or with
        one of the second, or where one of these formats is printed.
    title : str
        The part of the help in which it is listed.
    first : bool
        Whether ``--help`` lists it, where a verb has many options.
    reads : bool
        Whether it says how files are read: these options reach a verb as one, its source.
    listed : callable, optional
        Gives what is listed in the help in the place of {}: it may be declared in other packages.
    """

    def __init__(
        self,
        *names: Any,
        of: Sequence[Kind] = (),
        instead: Mapping[Kind, str] | None = None,
        needs: str = "",
        not_with: str = "",
        not_in: str = "",
        title: str = "",
        first: bool = False,
        reads: bool = False,
        listed: Callable[[], str] | None = None,
        **how: Any,
    ) -> None:
        super().__init__(*names, **how)
        self.of, self.instead = of, instead or {}
        self.needs, self.not_with = needs.split(), not_with.split()
        self.not_in = not_in.split()
        self.title, self.first, self.reads, self.listed = title, first, reads, listed

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Fill the list in."""
        record = super().get_help_record(ctx)
        if record is None or self.listed is None:
            return record
        return record[0], record[1].replace("{}", self.listed())


def option(
    usage: str, words: str, *, name: str = "", many: bool = False, **how: Any
) -> Callable[[F], F]:
    """Declare an option as help shows it.

    Parameters
    ----------
    usage, words : str
        ``--span FROM TO``, and what it says. Without values, a type and a default it is a flag.
    name : str
        The parameter, if not called as the option.
    many : bool
        Whether it is repeatable.
    **how
        As `Option` and `click.Option` take it.
    """
    flags, _, values = usage.partition(" ")
    if values:
        how |= {"metavar": values, "nargs": 1 + values.count(" ")}
    elif how.keys().isdisjoint({"type", "default"}):
        how["is_flag"] = True
    names = [*flags.split(","), *filter(None, [name])]
    return click.option(*names, cls=Option, help=words, multiple=many, **how)


class Names(click.Choice):  # type: ignore[type-arg]  # none before click 8.2
    """The words that an argument of the library takes, looked up when they are needed."""

    def __init__(self, place: str) -> None:
        self.case_sensitive = True
        self._place = place

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]  # nobody sets it
        """The words."""
        return tuple(resolve_name(f"adjudge.{self._place}"))


def together(*options: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add several options, in the order in which help lists them."""
    return lambda command: reduce(lambda known, one: one(known), reversed(options), command)


def with_options(
    options: Sequence[Any], taken: Callable[[dict[str, Any]], Mapping[str, Any]]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add several options, which a verb gets as what a function makes of them.

    Parameters
    ----------
    options : sequence of decorators
        The options.
    taken : callable
        Takes the parameters that it reads out of all, and gives what the verb gets in their place.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_taken(**given: Any) -> None:
            found = taken(given)
            command(**found, **given)

        return together(*options)(with_taken)

    return decorate


def options_of(command: click.Command) -> list[Option]:
    """The options that are declared for a verb."""
    return [one for one in command.params if isinstance(one, Option)]


def given_options(ctx: click.Context) -> list[Option]:
    """The options on the command line, or in the environment."""
    said = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)
    return [
        one for one in options_of(ctx.command) if ctx.get_parameter_source(str(one.name)) in said
    ]
