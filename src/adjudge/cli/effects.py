"""Which options have an effect, by where the data come from and beside which others.

Whoever gives an option believes that it does something, so one that would change nothing is
refused. Both tables are the only place that says so; only what stands on the command line counts,
not a default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn

import click
from click.core import ParameterSource

from adjudge.cli.help import GroupedHelp
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Kind = Literal["points", "benchmark", "incidents", "ranking", "ranked data"]
"""Files of points, a published benchmark, --truth, a folder of `rank`, the same with --data."""

_COLUMNS = ("label", "scores", "series", "where", "positive", "group")
_JOINED = ("also", "on", "inner")
_MARKS = ("sep", "decimal")
_TIMES = ("time", "time_unit", "time_format")
_BESIDE_TRUTH = (
    "alerts", "span", "every", "watched", "outages", "early", "tz", "ambiguous", "truth_columns",
    "alerts_columns", "no_series", "length",
)  # fmt: skip
_INCIDENTS = ("truth", *_BESIDE_TRUTH, "changes")
_SEVERAL = ("channel", "channels", "subsystem", "annotators", "votes")
_LEARNT = ("best", "train", "train_length", "tune_on", "tune_by")
_THRESHOLD = ("at", *_LEARNT)
_JUDGED = ("metrics", "chance", "null", "period", "shifts", "seed")

_WINDOWS = ("over_time", "step", "growing", "fail_if_worse_than")

_LINE = ("null", "period", "shifts", "unit", "group")

_WITH_TRUTH = "it is about incidents and alerts, which are given as --truth FILE --alerts FILE"
_BY_LAYOUT = "the form of the benchmark says where labels, scores and times are"
_NO_RULE = "alerts are raised or not; those that have a score take a number, --at 0.7"
_DONE = "what was ranked is only read"


class SourceOptions(NamedTuple):
    """How a source is called in messages, and why options have no effect there."""

    place: str
    refused: Mapping[str, str]


SOURCES: Mapping[Kind, SourceOptions] = {
    "points": SourceOptions(
        "on a file of points",
        {
            **dict.fromkeys(_BESIDE_TRUTH, _WITH_TRUTH),
            "judged": "only a benchmark has a training part; --where names the rows to judge",
        },
    ),
    "benchmark": SourceOptions(
        "on a benchmark",
        {
            **dict.fromkeys((*_COLUMNS, "on", "inner", *_TIMES, "tune_on", "tune_by"), _BY_LAYOUT),
            "per_series": "each series of a benchmark is judged by itself",
            "by": "a benchmark says nothing of its events but where they are",
            "changes": "the events of a benchmark have a length",
            **dict.fromkeys(_SEVERAL, "its series have one channel and one label"),
            **dict.fromkeys(_WINDOWS, "its series have no time in common"),
            **dict.fromkeys(_BESIDE_TRUTH, _WITH_TRUTH),
        },
    ),
    "incidents": SourceOptions(
        "with --truth",
        {
            **dict.fromkeys(("label", "positive"), "every row of --truth is an incident"),
            **dict.fromkeys(
                ("per_series", "white_noise", "label_slack", "group"),
                "it is about points, and incidents and alerts are things with times of their own",
            ),
            "where": "--span says which time is judged",
            "also": "--alerts takes further detectors",
            **dict.fromkeys(("on", "inner"), "incidents and alerts are placed by their times"),
            "decimal": "the tables hold times, and no decimals",
            "judged": "--span says which time is judged",
            "time": "times are read from start and end, or from timestamp, time or date",
            "sort": "the order of the rows does not matter",
            "missing": "alerts have no scores that could be missing",
            "changes": "a column position says where changes are",
            **dict.fromkeys(_SEVERAL, "a column of the tables says it, and --by parts by it"),
            **dict.fromkeys(_LEARNT, _NO_RULE),
            **dict.fromkeys(("signals", "compare"), "it is about points and their scores"),
        },
    ),
    "ranking": SourceOptions(
        "on the folder of a ranking",
        {
            **dict.fromkeys(
                (*_COLUMNS, *_JOINED, *_MARKS, "judged", "sort"), f"{_DONE}; --data reads"
            ),
            **dict.fromkeys(
                (*_TIMES, "missing", *_INCIDENTS, *_SEVERAL, *_THRESHOLD, *_JUDGED), _DONE
            ),
            **dict.fromkeys(("signals", "compare", "over_time"), _DONE),
        },
    ),
    "ranked data": SourceOptions(
        "on the folder of a ranking",
        dict.fromkeys(
            (
                *_TIMES,
                "missing",
                *_INCIDENTS,
                *_SEVERAL,
                *_THRESHOLD,
                *_JUDGED,
                "signals",
                "compare",
                "over_time",
            ),
            _DONE,
        ),
    ),
}


class NoEffect(NamedTuple):
    """An option that has no effect where something holds of the others."""

    options: tuple[str, ...]
    holds: Callable[[Mapping[str, Any]], Any]
    why: str
    verbs: tuple[str, ...] = ()
    """Where it is so; empty: everywhere."""


def _without_line(given: Mapping[str, Any]) -> bool:
    """Tell whether values stand without what chance would score."""
    if given["chance"] is None and given["shifts"] is None:
        return "all" in given["metrics"]
    return given["chance"] is False


_FROM_TABLE = "beside --table: the experiments are read, not run"
_PRINTED = "with --json, --flat-json or --csv, which print all that they can"

RULES = (
    NoEffect(
        (
            "every",
            "watched",
            "outages",
            "early",
            "tz",
            "ambiguous",
            "truth_columns",
            "alerts_columns",
            "no_series",
            "time_unit",
            "time_format",
        ),
        lambda o: o.get("length") is not None,
        "with --length: positions are points, without times or services",
    ),
    NoEffect(
        ("on",), lambda o: not o["also"], "without --with: it says how those files are joined"
    ),
    NoEffect(
        ("inner",), lambda o: not o["on"], "without --on: it is about keys that one file lacks"
    ),
    NoEffect(
        ("time_format",),
        lambda o: not o["time"] and not o.get("truth"),
        "here: --time-format goes with --time, or with --truth",
    ),
    NoEffect(
        ("time_unit",),
        lambda o: not o["time"] and not o.get("truth"),
        "here: --time-unit goes with --time, or with --truth",
    ),
    NoEffect(
        ("time_unit",),
        lambda o: o["time_format"],
        "beside --time-format, which says how the times are written",
    ),
    NoEffect(
        ("ambiguous",), lambda o: not o["tz"], "without --tz: it is about local times of a zone"
    ),
    NoEffect(
        _WINDOWS[1:],
        lambda o: not o["over_time"],
        "without --over-time, whose windows it is about",
    ),
    NoEffect(
        (
            "by",
            "per_series",
            "white_noise",
            "label_slack",
            "verbose",
            "group",
            "as_flat_json",
            "fail_under",
            "fail_over",
            "fail_unless_better",
        ),
        lambda o: o.get("over_time"),
        "with --over-time, which prints a row per window; leave one of them out",
    ),
    NoEffect(
        ("channel", "channels", "annotators"),
        lambda o: o.get("over_time"),
        "with --over-time, which judges one channel by one label; judge the channels one by one",
    ),
    NoEffect(
        ("channel", "channels", "subsystem"),
        lambda o: o["annotators"] is not None,
        "beside --annotators, who label one channel; judge the channels one by one",
    ),
    NoEffect(
        ("channels",),
        lambda o: o["channel"] is not None,
        "beside --channel, whose column names the channels",
    ),
    NoEffect(
        ("fail_if_worse_than", "step"),
        lambda o: o["growing"],
        "with --growing, whose windows are not apart",
    ),
    NoEffect(
        ("fail_if_worse_than",),
        lambda o: o["step"],
        "with --step, whose windows are not apart",
    ),
    NoEffect(
        ("by",),
        lambda o: o["as_csv"] or o["as_flat_json"],
        "with --flat-json or --csv, which have no place for parts; say --json",
    ),
    NoEffect(
        ("at",),
        lambda o: o["truth"] and o["every"],
        "with --every, whose grid holds all alerts; leave one of them out",
        ("explain", "compare"),
    ),
    NoEffect(
        ("scores",),
        lambda o: o["compare"] and o["file"],
        "beside --compare, which names the two columns",
        ("report",),
    ),
    NoEffect(("no_series",), lambda o: o["series"], "beside --series, which names the service"),
    NoEffect(("tune_by",), lambda o: not o["tune_on"], "without --tune-on"),
    NoEffect(
        ("at", "best", "train", "train_length"),
        lambda o: o.get("tune_on"),
        "here: --tune-on chooses the threshold; leave out --at, --best, --train and --train-length",
    ),
    NoEffect(
        ("train",),
        lambda o: o["train_length"] is not None,
        "beside --train-length, which says where the rule learns",
    ),
    NoEffect(
        _LINE,
        _without_line,
        "without the chance line: leave out --no-chance; with --metric all, say --chance",
        ("evaluate", "report"),
    ),
    NoEffect(
        ("null", "period", "shifts"),
        _without_line,
        "without the chance line: leave out --no-chance",
        ("rank",),
    ),
    NoEffect(
        (
            "metrics",
            "at",
            "jobs",
            "scheduler",
            "null",
            "period",
            "shifts",
            "missing",
            "pooled",
            "retry",
            "label",
            "scores",
            "series",
            "where",
            "positive",
            "also",
            "on",
            "inner",
            "sort",
            "judged",
            "group",
            "train",
            "train_length",
            "tune_on",
            "tune_by",
            "window",
            "resources",
            "baselines",
            "signal",
            "seed",
        ),
        lambda o: o["values"] or o["merge"],
        "with --values and --merge: they read what is there, and judge nothing",
        ("rank",),
    ),
    NoEffect(
        ("better",),
        lambda o: not o["values"],
        "without --values: of other metrics it is known which values are better",
        ("rank",),
    ),
    NoEffect(
        ("min_coverage", "unit", "sep", "decimal"),
        lambda o: o["merge"],
        "with --merge: the first ranking says it",
        ("rank",),
    ),
    NoEffect(
        ("sample", "seed", "build", "before", "as_json", "as_md", "as_latex"),
        lambda o: o["prepare"],
        "with --prepare, which judges one's own scores and writes what they have",
        ("verify",),
    ),
    NoEffect(
        ("seed",), lambda o: not o["sample"], "without --sample: all are judged anew", ("verify",)
    ),
    NoEffect(
        ("before",), lambda o: not o["build"], "without --build, whose pages it is for", ("verify",)
    ),
    NoEffect(
        ("signal",),
        lambda o: not o["baselines"],
        "without --baselines, which it is for",
        ("rank",),
    ),
    NoEffect(
        ("sort",),
        lambda o: o["baselines"],
        "with --baselines, which need rows in the order of time",
        ("rank",),
    ),
    NoEffect(
        ("power",),
        lambda o: o["against"],
        "with --against, which says what moved; leave one of them out",
        ("rank",),
    ),
    NoEffect(
        ("order_by",),
        lambda o: o["against"] or o["as_json"],
        "with --against, which has an order of its own, and with --json",
        ("rank",),
    ),
    NoEffect(
        ("seed",),
        lambda o: _without_line(o) and not o.get("white_noise") and not o.get("label_slack"),
        "where nothing is drawn: leave out --no-chance; with --metric all, say --chance",
        ("evaluate", "report"),
    ),
    NoEffect(
        ("per_series",),
        lambda o: not o["series"] and not o["truth"],
        "without --series, whose parts it judges",
    ),
    NoEffect(
        ("verbose",),
        lambda o: o["as_json"] or o["as_flat_json"] or o["as_csv"],
        _PRINTED,
    ),
    NoEffect(
        ("per_series",),
        lambda o: o["as_flat_json"] or o["as_csv"],
        "with --flat-json or --csv, which have no place for parts; say --json",
    ),
    NoEffect(
        ("white_noise", "label_slack"),
        lambda o: o["as_flat_json"],
        "with --flat-json, which has the values alone; say --json",
    ),
    NoEffect(
        (*_LINE, "seed"),
        lambda o: o["as_flat_json"] and not o["fail_unless_better"],
        "with --flat-json, which has the values alone; say --json",
        ("evaluate",),
    ),
    NoEffect(
        ("all_rows",),
        lambda o: o["as_json"] or o["as_csv"],
        "with --json or --csv, which have every row",
    ),
    NoEffect(
        ("jobs",), lambda o: o["scheduler"], "beside --scheduler, whose workers do it", ("rank",)
    ),
    NoEffect(
        ("experiments", "jobs"),
        lambda o: o["table"],
        _FROM_TABLE,
        ("separation", "precision", "recall", "all"),
    ),
    NoEffect(("seed",), lambda o: o["table"], _FROM_TABLE, ("separation", "precision", "recall")),
)


class Verb(GroupedHelp):
    """A verb that refuses options which would change nothing beside the others."""

    def invoke(self, ctx: click.Context) -> Any:
        """Check the options, then run."""
        _refuse_empty(self, ctx)
        tables = [ctx.params.get(name) for name in ("channel", "channels", "annotators")]
        of_things = ctx.params.get("alerts") or not any(one is not None for one in tables)
        if ctx.params.get("truth") is not None and of_things:
            refuse_for("incidents")
        given = _given(ctx)
        for rule in RULES:
            options = [name for name in rule.options if name in given]
            here = ctx.info_name in rule.verbs or not rule.verbs
            if options and here and rule.holds(ctx.params):
                refuse(options[0], rule.why)
        return super().invoke(ctx)


def _refuse_empty(verb: click.Command, ctx: click.Context) -> None:
    """Refuse '' for a file or a name: as a path it would be the whole folder."""
    for param in verb.params:
        given = ctx.params.get(param.name or "") if isinstance(param, click.Argument) else None
        if given == "" or (isinstance(given, tuple) and "" in given):
            name = param.human_readable_name.strip("[].")
            raise click.UsageError(
                f"{name} must be a name, got ''; is a variable of the shell empty?"
            )


def refuse_for(kind: Kind) -> None:
    """Refuse the options that have no effect on a kind of source."""
    place, refused = SOURCES[kind]
    for name in _given(click.get_current_context()):
        if name in refused:
            refuse(name, f"{place}: {refused[name]}")


def refuse_but(kept: frozenset[str], why: str) -> None:
    """Refuse all options but some."""
    for name in _given(click.get_current_context()):
        if name not in kept:
            refuse(name, why)


def refuse(name: str, why: str) -> NoReturn:
    """Say that an option of this verb has no effect, and why."""
    command = click.get_current_context().command
    option = next(param.opts[0] for param in command.params if param.name == name)
    raise InputError(f"{option} has no effect {why}")


def _given(ctx: click.Context) -> list[str]:
    """The parameters that stand on the command line."""
    given = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)
    return [name for name in ctx.params if ctx.get_parameter_source(name) in given]
