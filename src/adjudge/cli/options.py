"""Options that several verbs share.

The threshold that was asked for on the command line, for each detector of a table.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.group import note
from adjudge.cli.source import Source
from adjudge.errors import InputError, UnknownName
from adjudge.tables.formats import DRAWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.metrics.metric import Metric


@dataclass(frozen=True)
class ThresholdOptions:
    """What ``--at``, ``--best``, ``--train-length``, ``--tune-on`` and ``--tune-by`` say."""

    at: tuple[str, ...]
    best: bool
    tune_by: str | None
    train_length: int | None
    learns: bool
    """Whether the rule is to learn on a part: ``--train`` or ``--train-length``."""
    tunes: bool
    """Whether it is tuned on a part: ``--tune-on``."""

    def of(self, table: LabelledScores, detector: str) -> Any:
        """The threshold of one detector: a number, a rule, or None."""
        from adjudge.judging.preparation import tuned
        from adjudge.measure.thresholds import Policy, Rule
        from adjudge.metrics.spec import threshold

        if table.tune_on is not None:
            return tuned(self.tune_by or "f1_ba", on=table.tune_on)
        text = self._text(table, detector)
        if not self.learns:
            return text
        given = None if text is None else threshold(text)
        rule = given.at if isinstance(given, Policy) else given
        if not isinstance(rule, Rule):
            option = "--train" if self.train_length is None else "--train-length"
            raise InputError(
                f"{option} needs a rule to learn, such as --at 'quantile(0.99)', got "
                f"{text or 'none'}"
            )
        if self.train_length is None and table.train is None:
            raise InputError(f"{table.name}: no training part is known; say --train-length N")
        learnt = replace(rule, on=table.train if self.train_length is None else self._first)
        return replace(given, at=learnt) if isinstance(given, Policy) else learnt

    def of_each(self, table: LabelledScores) -> dict[str, Any] | None:
        """The thresholds of all detectors by name; None where nobody chose one."""
        levels = {name: self.of(table, name) for name in table.scores}
        return None if None in levels.values() else levels

    def refuse_without_effect(self, metrics: Iterable[str]) -> None:
        """Refuse a threshold that no metric takes; say which of several do not."""
        from adjudge.metrics.reader import metric as read_metric

        chosen = [read_metric(spec) for spec in metrics if spec != "all"] if self._given else []
        others = [metric for metric in chosen if not metric.needs_threshold]
        messages = [
            f"{self._given} has no effect on {one}, {_own_threshold(one)}" for one in others
        ]
        if others and len(others) == len(list(metrics)):
            raise InputError(messages[0])
        for line in messages:
            note(line)

    @property
    def _given(self) -> str:
        """The option that chooses the threshold; "" if there is none."""
        return "--at" if self.at else "--best" if self.best else "--tune-on" if self.tunes else ""

    @property
    def _first(self) -> str:
        return f"0:{self.train_length}"

    def _text(self, table: LabelledScores, detector: str) -> str | None:
        """Find what was said for a detector: NAME=X, or X for all."""
        named, general = {}, None
        for text in self.at:
            name, equals, rest = text.partition("=")
            if equals and name in table.scores:
                named[name] = rest
            elif equals and "(" not in name:
                raise UnknownName(
                    "detector", name, table.scores, f"detectors are {', '.join(table.scores)}"
                )
            elif general is not None:
                raise InputError(
                    f"--at must be given once, or once per detector as NAME=X, got {text!r}; "
                    f"detectors are {', '.join(table.scores)}"
                )
            else:
                general = text
        if named and general is None and detector not in named:
            raise InputError(f"--at must name every detector, got none for {detector!r}")
        return named.get(detector, general)


def _own_threshold(metric: Metric) -> str:
    """Say why a metric takes no threshold."""
    if metric.oracle:
        return "which chooses its own threshold"
    if metric.at is not None:
        return "which has its own threshold"
    return "which judges every threshold at once"


def inputs(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say where labels and scores are; the command gets them as a source."""

    @wraps(command)
    def with_source(**options: Any) -> None:
        source = Source(**{item.name: options.pop(item.name, None) for item in fields(Source)})
        command(source=source, **options)

    return together(with_source, _INPUTS)


class ListingOption(click.Option):
    """An option whose help lists what is declared, in other packages too, in the place of {}."""

    def __init__(self, *args: Any, listed: Callable[[], str], **how: Any) -> None:
        super().__init__(*args, **how)
        self._listed = listed

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Fill the list in."""
        record = super().get_help_record(ctx)
        return record and (record[0], record[1].replace("{}", self._listed()))


def together(command: Callable[..., None], options: Sequence[Any]) -> Callable[..., None]:
    """Add several options, in the order in which help lists them."""
    for option in reversed(options):
        command = option(command)
    return command


def benchmarks(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option for benchmarks, to stand below `inputs`."""
    return _JUDGED(command)


def incidents(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for incidents and alerts instead of a file, to stand below `inputs`."""
    return together(command, _INCIDENTS)


def several(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for several channels or annotators, to stand below `inputs`."""
    return together(command, _SEVERAL)


_SEVERAL = (
    click.option(
        "--channels",
        metavar="A,B,...",
        help="Channels with a column each: --label 'label_{}' --score 'score_{}', where {} is the "
        "channel; --label COL is one label for all. A name with * takes those that fit, '*' all.",
    ),
    click.option(
        "--channel", metavar="COL", help="Column of channels: a row per time and channel."
    ),
    click.option(
        "--subsystem", metavar="FILE", help="Groups of channels: a table of channel and subsystem."
    ),
    click.option(
        "--annotators",
        metavar="A,B,...",
        help="Annotators: their label columns, or a pattern such as 'ann_*'.",
    ),
    click.option(
        "--votes",
        type=click.Choice(("each", "pooled", "majority", "any", "all")),
        help="How the labels of annotators are put together.  [default: each]",
    ),
)


def timing(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options about time and gaps, to stand below `inputs`."""
    return together(command, _TIMING)


def evidence(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options about what intervals rest on, to stand below `inputs`."""
    return together(command, _EVIDENCE)


def _listed_layouts() -> str:
    from adjudge.io.layouts import LAYOUTS

    return ", ".join(name for name, known in LAYOUTS.items() if not known.last)


_JUDGED = click.option(
    "--judged",
    cls=ListingOption,
    listed=_listed_layouts,
    type=click.Choice(["all", "test"]),
    help="Rows of a benchmark ({}) to judge.  [default: those that it judges itself]",
)
_INCIDENTS = (
    click.option(
        "--truth", metavar="FILE", help="Incidents: a table of starts and ends, or times."
    ),
    click.option(
        "--alerts",
        metavar="FILE",
        multiple=True,
        help="Alerts, in a table of the same form; repeatable.",
    ),
    click.option("--span", nargs=2, metavar="FROM TO", help="The time that was watched."),
    click.option(
        "--every", metavar="STEP", help="Step of a grid of time, which only metrics of points need."
    ),
    click.option(
        "--outages", metavar="FILE", help="When nobody watched: start, end; service, * for all."
    ),
    click.option("--watched", metavar="FILE", help="When somebody watched, in the same form."),
    click.option(
        "--early", metavar="D", help="How long before an incident an alert may come, as in 5min."
    ),
    click.option("--no-series", is_flag=True, help="Judge all services as one."),
    click.option(
        "--tz", metavar="ZONE", help="Zone of times without an offset, such as Europe/Berlin."
    ),
    click.option(
        "--ambiguous",
        type=click.Choice(["first", "second", "widest"]),
        help="Which one of an hour that the clock shows twice; widest: starts first, ends second.",
    ),
    click.option(
        "--truth-columns",
        metavar="ROLE=COL,...",
        help="Columns of --truth: start, end, id, service ...",
    ),
    click.option("--alerts-columns", metavar="ROLE=COL,...", help="The same of --alerts."),
    click.option(
        "--length", type=int, metavar="N", help="Number of points, of tables of positions."
    ),
    click.option(
        "--changes",
        type=click.Choice(["ones", "starts", "states"]),
        help="Take the labels as changes: every 1, the start of each run, or where they differ.",
    ),
)

_EVIDENCE = (
    click.option(
        "--unit",
        type=click.Choice(["auto", "dataset", "series", "event"]),
        default="auto",
        help="What intervals rest on.  [default: data sets of --group, else series, else events]",
    ),
    click.option(
        "--group", metavar="COL", help="Column that says what belongs together: data set, day ..."
    ),
)
missing = click.option(
    "--missing",
    type=click.Choice(["refuse", "skip"]),
    default="refuse",
    help="Refuse points without a score, or leave them out.  [default: refuse]",
)
"""Add the option about points without a score, to stand below `inputs`."""
_TIMING = (
    click.option(
        "--time", metavar="COL", help="Column of times: for delays, and tolerances such as 10min."
    ),
    click.option("--time-unit", metavar="U", help="Unit of times that are numbers: s, ms, us, ns."),
    click.option(
        "--time-format",
        metavar="F",
        help="How times are written that are not ISO, such as '%d.%m.%Y %H:%M'.",
    ),
    missing,
)
_INPUTS = (
    click.option(
        "--label",
        metavar="COL",
        help="Label column.  [default: label, Label, labels or is_anomaly]",
    ),
    click.option(
        "--score",
        "scores",
        metavar="COL",
        multiple=True,
        help="Score column or a pattern such as 'det_*'; repeatable.  [default: score, Score, "
        "scores, anomaly_score, score_*]",
    ),
    click.option("--series", metavar="COL", help="Column of series ids."),
    click.option("--where", metavar="COL", help="Column that says which points to judge (0/1)."),
    click.option("--positive", metavar="X", help="The label of an anomaly, if not 1."),
    click.option(
        "--with",
        "also",
        metavar="FILE",
        multiple=True,
        help="Scores in another file, repeatable; for a benchmark, the folder of its scores.",
    ),
    click.option("--on", metavar="COL", multiple=True, help="Join by this column, not by row."),
    click.option("--inner", is_flag=True, help="Leave out rows that one file lacks."),
    click.option(
        "--sep", metavar="C", help="What separates the columns of a text file.  [default: ,]"
    ),
    click.option("--decimal", metavar="C", default=".", help="Decimal mark.  [default: .]"),
    click.option("--sort", is_flag=True, help="Sort the points by time."),
)


def threshold(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how the threshold is chosen; the command gets them as one."""

    @wraps(command)
    def with_threshold(at: tuple[str, ...], best: bool, **options: Any) -> None:
        if at and best:
            raise click.UsageError("--at and --best exclude each other")
        tune_by, length = options.pop("tune_by"), options.pop("train_length")
        learns = length is not None or options["source"].train is not None
        tunes = options["source"].tune_on is not None
        command(at=ThresholdOptions(at, best, tune_by, length, learns, tunes), **options)

    return together(with_threshold, _THRESHOLD)


def listed_rules() -> str:
    """An example of each threshold rule."""
    from adjudge.measure.thresholds import rule_examples

    return rule_examples()


def _listed_nulls() -> str:
    from adjudge.noise.null_models import NULLS

    return NULLS.listed


_AT = click.option(
    "--at",
    cls=ListingOption,
    listed=listed_rules,
    metavar="X",
    multiple=True,
    help="Threshold: a number or a rule ({}); one per detector as NAME=X, repeatable.",
)
_LEARNING = (
    click.option(
        "--train",
        metavar="COL",
        help="Column that says which points the rule of --at may learn on (0/1); for a benchmark "
        "any word, and they are its training part.",
    ),
    click.option(
        "--train-length", type=int, metavar="N", help="The rule learns on the first N points."
    ),
    click.option(
        "--tune-on",
        metavar="COL",
        help="Column that says on which points to tune the threshold (0/1); the rest is judged.",
    ),
    click.option("--tune-by", metavar="SPEC", help="Metric to tune for.  [default: f1_ba]"),
)
_BEST = click.option("--best", is_flag=True, help="The best threshold, chosen by the labels.")
_THRESHOLD = (_AT, _BEST, *_LEARNING)


def thresholds(command: Callable[..., None]) -> Callable[..., None]:
    """Add those options that a ranking takes as they are: it chooses the best by metrics."""
    return together(command, (_AT, *_LEARNING))


class _NullNames(click.Choice):  # type: ignore[type-arg]  # none before click 8.2
    """The names of the null models, looked up when they are needed: others may add theirs."""

    def __init__(self) -> None:
        self.case_sensitive = True

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]  # nobody sets it
        """The names."""
        from adjudge.noise.null_models import NULLS

        return tuple(NULLS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """A name of the library is known without a look at what others add."""
        from adjudge.noise.null_models import NULLS

        return value if value in NULLS.known else super().convert(value, param, ctx)


def null_option(
    text: str, default: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add --null; its help is the text, with the list of the null models for {}."""
    how: dict[str, Any] = {"cls": ListingOption, "listed": _listed_nulls, "help": text}
    return click.option("--null", type=_NullNames(), default=default, **how)


def _period(_: click.Context, __: click.Parameter, text: str | None) -> int | str | None:
    """Read a number of points, or leave a duration as it is."""
    return int(text) if text is not None and text.isdecimal() else text


period_option = click.option(
    "--period",
    metavar="P",
    callback=_period,
    help="With --null seasonal: points, or a duration such as 1d with --time.",
)
"""The length of a period, for null models that take one."""


def shapes(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add options for the shape of what is printed; the command gets the one that was chosen.

    To these names come the forms in which tables are drawn.
    """
    names = tuple(dict.fromkeys((*names, *DRAWN)))

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_shape(**options: Any) -> None:
            given = [name for name in names if options.pop(_parameter(name))]
            if len(given) > 1:
                formats = " and ".join(f"--{name}" for name in given)
                raise click.UsageError(f"{formats} exclude each other: one output has one format")
            command(shape=next(iter(given), None), **options)

        return together(
            with_shape,
            [click.option(f"--{n}", _parameter(n), is_flag=True, help=_SHAPES[n]) for n in names],
        )

    return decorate


def _parameter(name: str) -> str:
    return f"as_{name.replace('-', '_')}"


_SHAPES = {
    "json": "Print JSON with everything; undefined is null.",
    "flat-json": "Print {detector: {metric: value}} in names that DVC and MLflow accept.",
    "csv": "Print CSV, a row per line of the result.",
    **{name: f"Print {form.words}." for name, form in DRAWN.items()},
}


def points_or_time(text: str) -> int | str:
    """A length as it was typed: a number of points, or a duration for the library to read."""
    return int(text) if text.isdigit() else text
