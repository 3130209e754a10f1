"""Which options have an effect: what would change nothing is refused.

Whoever gives an option believes that it does something. Options are declared with the data for
which they have a meaning, and with the options that they need or exclude; below are the few rules
that a declaration cannot say. Only what stands on the command line counts, not a default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, cast

import click

from adjudge.cli.declaration import DATA, either, given_options, is_given, kind_of, options_of
from adjudge.cli.help import GroupedHelp
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adjudge.cli.declaration import Kind, Option


class NoEffect(NamedTuple):
    """Options that have no effect where something holds of the others."""

    options: str
    """Their parameters, with blanks between."""
    verbs: str
    """The verbs for which it is so."""
    holds: Callable[[Mapping[str, Any]], Any]
    why: str


def _without_line(given: Mapping[str, Any]) -> bool:
    """Tell whether values stand without what chance would score."""
    if given["chance"] is None and given["shifts"] is None:
        return "all" in given["metrics"]
    return given["chance"] is False


RULES = (
    NoEffect(
        "null period shifts unit group clock",
        "evaluate report",
        _without_line,
        "without the chance line: drop --no-chance; with --metric all, add --chance",
    ),
    NoEffect(
        "null period shifts",
        "rank",
        _without_line,
        "without the chance line: drop --no-chance",
    ),
    NoEffect(
        "seed",
        "evaluate report",
        lambda o: _without_line(o) and not o.get("white_noise") and not o.get("label_slack"),
        "where nothing is random: drop --no-chance; with --metric all, add --chance",
    ),
    NoEffect(
        "null period shifts unit group clock seed",
        "evaluate",
        lambda o: format_of(o) == "flat-json" and not o["fail_unless_better"],
        "with --flat-json, which has only values; use --json",
    ),
    NoEffect(
        "scores",
        "report",
        lambda o: o["compare"] and o["file"],
        "with --compare, which names both columns",
    ),
)


class Verb(GroupedHelp):
    """A verb that refuses options which would change nothing beside the others."""

    def invoke(self, ctx: click.Context) -> Any:
        """Check the options, then run."""
        _refuse_empty(self, ctx)
        kind = kind_of(ctx.params)
        if kind is not None:
            refuse_for(kind)
        for one in given_options(ctx):
            _refuse_alone(one, ctx.params)
            for rule in RULES:
                here = ctx.info_name in rule.verbs.split() and one.name in rule.options.split()
                if here and rule.holds(ctx.params):
                    refuse(one, rule.why)
        return super().invoke(ctx)


def refuse_for(kind: Kind) -> None:
    """Refuse what a verb has nothing for: a kind of data, or options without a meaning for it."""
    if kind == "moments" and kind not in _verb().kinds:
        raise InputError(
            f"{click.get_current_context().info_name} takes incidents, which have an end, not "
            f"{DATA[kind].noun}: give --truth a column end"
        )
    for one in given_options(click.get_current_context()):
        if one.of and kind not in one.of:
            known = [other for other in one.of if other in _verb().kinds]
            few = len(known) < 3 or kind == "ranking"
            listed = either(_called(other, one) if few else DATA[other].noun for other in known)
            way = f"; {one.instead[kind]}" if kind in one.instead else ""
            raise InputError(f"{_flag(one)} is for {listed}, not for {DATA[kind].noun}{way}")


def _called(kind: Kind, one: Option) -> str:
    """A kind of data, and how it is given, unless by this option."""
    return DATA[kind].noun if one.opts[0] in DATA[kind].way.split() else str(DATA[kind])


def _refuse_alone(one: Option, given: Mapping[str, Any]) -> None:
    """Refuse an option without those that it needs, or with those that leave it no effect."""
    flags = {str(other.name): other.opts[0] for other in options_of_current()}
    needs = [name for name in one.needs if name in given]
    if needs and not any(is_given(given[name]) for name in needs):
        refuse(one, f"without {' or '.join(flags[name] for name in needs)}")
    for name in one.not_with:
        if name != one.name and is_given(given.get(name)):
            refuse(one, f"with {flags[name]}; drop one of them")
    shape = format_of(given)
    if shape in one.not_in:
        refuse(one, f"with --{shape}")


def _verb() -> GroupedHelp:
    return cast("GroupedHelp", click.get_current_context().command)


def options_of_current() -> list[Option]:
    """The options of the verb that runs."""
    return options_of(_verb())


def format_of(given: Mapping[str, Any]) -> str | None:
    """The format in which results are printed; None: tables for people."""
    from adjudge.tables.formats import FORMATS

    chosen = [name for name in FORMATS if given.get(f"as_{name.replace('-', '_')}")]
    chosen += [given["form"]] if given.get("form") is not None else []
    if len(set(chosen)) > 1:
        raise click.UsageError(
            f"{' and '.join(f'--{name}' for name in chosen)} exclude each other: one output has "
            "one format"
        )
    return next((name for name in chosen if name != "table"), None)


def _refuse_empty(verb: click.Command, ctx: click.Context) -> None:
    """Refuse '' for a file or a name: as a path it would be the whole folder."""
    for param in verb.params:
        given = ctx.params.get(param.name or "") if isinstance(param, click.Argument) else None
        if given == "" or (isinstance(given, tuple) and "" in given):
            name = param.human_readable_name.strip("[].")
            raise click.UsageError(f"{name} must be a name, got ''; is a shell variable empty?")


def refuse(one: Option | str, why: str) -> NoReturn:
    """Say that an option of this verb has no effect, and why."""
    option = next(other for other in options_of_current() if one in {other, other.name})
    raise InputError(f"{_flag(option)} has no effect {why}")


def _flag(one: Option) -> str:
    """An option as it was given."""
    value = click.get_current_context().params[str(one.name)]
    return one.secondary_opts[0] if value is False and one.secondary_opts else one.opts[0]
