"""Help of a verb: its options by what they are for, those that most people need first.

``--help`` of a verb with many options lists the first ones of each group, ``--help-all`` all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

MANY = 25
"""A verb with more options lists those that most people need."""


class OptionGroup(NamedTuple):
    """Options, by the names of their parameters, that are about one thing."""

    first: str
    """Those that ``--help`` lists, with blanks between them."""
    others: str
    """Those that ``--help-all`` lists as well."""


GROUPS = {
    "Scores and labels": OptionGroup(
        "label scores also time",
        "series where positive on inner sep decimal sort judged missing time_unit time_format "
        "length changes data signals",
    ),
    "Channels and annotators": OptionGroup("channels annotators", "channel subsystem votes"),
    "Incidents and alerts": OptionGroup(
        "truth alerts span",
        "every outages watched early no_series tz ambiguous truth_columns alerts_columns",
    ),
    "Threshold": OptionGroup("at best tune_on", "train train_length tune_by"),
    "What to choose": OptionGroup("candidates prices budget now", "blocks forward"),
    "Leaderboards": OptionGroup(
        "values against power baselines signal merge min_coverage order_by",
        "better pooled window resources",
    ),
    "What to compute": OptionGroup(
        "metrics metric chance by over_time compare",
        "group step growing null period shifts white_noise per_series unit label_slack versions "
        "draws seed all_rows",
    ),
    "Work": OptionGroup("jobs scheduler", "retry"),
    "Output": OptionGroup(
        "out as_json as_csv as_md html verbose", "as_flat_json as_latex figure title"
    ),
    "Gates": OptionGroup(
        "fail_under fail_over fail_unless_better fail_if_worse", "fail_if_worse_than"
    ),
}
"""What the options of verbs that have many of them are for."""


class GroupedHelp(click.Command):
    """A command whose help has its options in groups, where there are many."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; say which options are given again, so that the first is lost."""
        if ctx.resilient_parsing:  # while a shell completes what is typed
            return super().parse_args(ctx, args)
        try:
            _, _, order = self.make_parser(ctx).parse_args(list(args))
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # which says where the help is
            raise
        from adjudge.cli.group import note

        for param in dict.fromkeys(order):
            once = isinstance(param, click.Option) and not (param.multiple or param.is_flag)
            if once and order.count(param) > 1:  # as when a script adds to a call
                note(f"{param.opts[0]} is taken once: the last one counts")
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Add ``--help-all`` where ``--help`` does not list all."""
        params = super().get_params(ctx)
        return [*params, _HELP_ALL] if _is_long(params) else params

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options group by group."""
        params = self.get_params(ctx)
        if not _is_long(params):
            return super().format_options(ctx, formatter)
        everything = ctx.meta.get(__name__, False)
        listed = 0
        for title, rows in _sections(ctx, params, everything=everything):
            listed += len(rows)
            with formatter.section(title):
                formatter.write_dl(rows)
        if not everything:
            count = sum(isinstance(param, click.Option) for param in params)
            formatter.write_paragraph()
            formatter.write_text(
                f"{listed} of {count} options: {ctx.command_path} --help-all lists all."
            )
        return None


def _is_long(params: Iterable[click.Parameter]) -> bool:
    return sum(isinstance(param, click.Option) for param in params) > MANY


def _sections(
    ctx: click.Context, params: list[click.Parameter], *, everything: bool
) -> list[tuple[str, list[tuple[str, str]]]]:
    """The titles and their lines; an option that no group has stands with the last."""
    options = [param for param in params if isinstance(param, click.Option)]
    records = {option.name: option.get_help_record(ctx) for option in options}
    sections, left = [], dict(records)
    for title, group in GROUPS.items():
        names = [*group.first.split(), *(group.others.split() if everything else [])]
        lines = [record for name in names if (record := records.get(name))]
        if lines:
            sections.append((title, lines))
        for name in f"{group.first} {group.others}".split():
            left.pop(name, None)
    return [*sections, ("Other options", [record for record in left.values() if record])]


def _show_all(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        ctx.meta[__name__] = True
        click.echo(ctx.get_help())
        ctx.exit()


_HELP_ALL: Any = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Show all options and exit.",
)
