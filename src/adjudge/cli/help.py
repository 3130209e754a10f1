"""Help of a verb: its options by what they are for, those that most people need first.

``--help`` of a verb with many options lists the first ones of each part, ``--help-all`` all. Where
the arguments beside it say what the data are, it lists the options for such data alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import DATA, Kind, Option, either, kinds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MANY = 25
"""A verb with more options lists those that most people need."""
TITLES = (
    "Labels and scores (FILE)",
    "Several channels (FILE --channels)",
    "Several annotators (FILE --annotators)",
    "Incidents and alerts (--truth --alerts)",
    "How files are read",
    "Contract",
    "Threshold",
    "What to choose",
    "Leaderboards",
    "What to compute",
    "Work",
    "Output",
    "Gates",
    "Other options",
)
"""The parts of a help with many options, in their order."""
FILES, CHANNELS, ANNOTATORS, INCIDENTS = TITLES[:4]


class GroupedHelp(click.Command):
    """A command whose help has its options in parts, where there are many.

    Parameters
    ----------
    kinds : tuple of str
        The kinds of data that it takes; options for none of them are left out.
    """

    def __init__(self, *args: Any, kinds: Sequence[Kind] = (), **how: Any) -> None:
        super().__init__(*args, **how)
        self.kinds = tuple(kinds)
        self.params = [one for one in self.params if _is_of(one, kinds)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; say which options are given again, so that the first is lost."""
        if ctx.resilient_parsing:  # while a shell completes what is typed
            return super().parse_args(ctx, args)
        try:
            given, _, order = self.make_parser(ctx).parse_args(list(args))
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # which says where the help is
            raise
        from adjudge.cli.group import note

        ctx.meta[_KINDS] = kinds_of(self.kinds, given)
        for param in dict.fromkeys(order):
            once = isinstance(param, click.Option) and not (param.multiple or param.is_flag)
            if once and order.count(param) > 1:  # as when a script adds to a call
                note(f"{param.opts[0]} given twice; using the last")
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Add ``--help-all`` where ``--help`` does not list all."""
        params = super().get_params(ctx)
        many = sum(isinstance(param, click.Option) for param in params) > MANY
        return [*params, _HELP_ALL] if many else params

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options part by part."""
        params = self.get_params(ctx)
        if _HELP_ALL not in params:
            return super().format_options(ctx, formatter)
        kinds = ctx.meta[_KINDS]
        options = [one for one in params if isinstance(one, Option) and _is_of(one, kinds)]
        others = [p for p in params if isinstance(p, click.Option) and not isinstance(p, Option)]
        everything = ctx.meta.get(__name__, False) or len(options) + len(others) <= MANY
        listed = [one for one in options if one.first or everything]
        for title in TITLES:
            own: list[click.Option] = [one for one in listed if one.title == title]
            own += others if title == TITLES[-1] else []
            if own:
                with formatter.section(title):
                    formatter.write_dl(list(_records(ctx, own)))
        formatter.write_paragraph()
        counts = None if everything else (len(listed) + len(others), len(options) + len(others))
        formatter.write_text(self._ending(ctx, kinds, counts))
        return None

    def _ending(
        self, ctx: click.Context, kinds: Sequence[Kind], counts: tuple[int, int] | None
    ) -> str:
        """Say how many options are listed, and how to see the others, or fewer."""
        of = f" for {either(DATA[kind].noun for kind in kinds)}" if kinds != self.kinds else ""
        said = []
        if counts is not None:
            way = f"{ctx.command_path} --help-all lists all."
            said.append(f"{counts[0]} of {counts[1]} options{of}: {way}")
        if kinds == self.kinds and len(kinds) > 1:
            said.append("Add --help to a call to see only the options for its data.")
        return " ".join(said)


def _is_of(one: click.Parameter, kinds: Sequence[Kind]) -> bool:
    """Tell whether a parameter has a meaning for one of some kinds of data, or there are none."""
    of = one.of if isinstance(one, Option) and kinds else ()
    return not of or any(kind in of for kind in kinds)


def _records(ctx: click.Context, options: Sequence[click.Option]) -> Iterator[tuple[str, str]]:
    for one in options:
        record = one.get_help_record(ctx)
        if record:
            yield record


def _show_all(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        ctx.meta[__name__] = True
        click.echo(ctx.get_help())
        ctx.exit()


_KINDS = f"{__name__}.kinds"
_HELP_ALL: Any = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Show all options and exit.",
)
