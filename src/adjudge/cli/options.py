"""Options that several verbs share.

The threshold that was asked for on the command line, for each detector of a table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import (
    JUDGED,
    PLACES,
    READ,
    TABLES,
    Names,
    option,
    together,
    with_options,
)
from adjudge.cli.effects import format_of, options_of_current
from adjudge.cli.group import note
from adjudge.cli.help import ANNOTATORS, CHANNELS, FILES, INCIDENTS
from adjudge.cli.source import Source
from adjudge.errors import InputError, UnknownName
from adjudge.tables.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from adjudge.cli.declaration import Kind
    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.metrics.metric import Metric


def _width(_: click.Context, __: click.Parameter, width: str | None) -> str | None:
    """Refuse a width before anything is computed."""
    if width is not None:
        from adjudge.reporting.figures.drawing import inches

        inches(width, "--width")
    return width


width_on_paper = partial(
    option, "--width W", "For paper: ieee1, ieee2, neurips or centimetres.", callback=_width
)
"""The width of the figures that a verb draws, with type that need not be made smaller."""


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
        from adjudge.judging.judge.tuning import tuned
        from adjudge.measure.thresholds.contract import Rule
        from adjudge.measure.thresholds.policy import Policy
        from adjudge.metrics.spec import threshold

        if table.tune_on is not None:
            by = {} if self.tune_by is None else {"metric": self.tune_by}
            return tuned(**by, on=table.tune_on)
        text = self._text(table, detector)
        if not self.learns:
            return text
        given = None if text is None else threshold(text)
        rule = given.at if isinstance(given, Policy) else given
        if not isinstance(rule, Rule):
            option = "--train" if self.train_length is None else "--train-length"
            raise InputError(
                f"{option} needs a rule, such as --at 'quantile(0.99)', got {text or 'none'}"
            )
        if self.train_length is None and table.train is None:
            raise InputError(f"{table.name}: no training part is known; say --train-length N")
        learnt = replace(rule, on=table.train if self.train_length is None else self._first)
        return replace(given, at=learnt) if isinstance(given, Policy) else learnt

    def of_each(self, table: LabelledScores) -> Any:
        """The thresholds of all detectors by name; None where nobody chose one."""
        if table.beside:  # one for all channels, whoever is the detector
            return self.of(table, next(iter(table.scores)))
        levels = {name: self.of(table, name) for name in table.scores}
        return levels if any(one is not None for one in levels.values()) else None

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
        as_they_are = bool(table.watching)  # alerts need no threshold
        if named and general is None and detector not in named and not as_they_are:
            raise InputError(f"--at must name every detector, got none for {detector!r}")
        return named.get(detector, general)


def _own_threshold(metric: Metric) -> str:
    """Say why a metric takes no threshold."""
    if metric.oracle:
        return "which chooses its own threshold"
    if metric.at is not None:
        return "which has its own threshold"
    return "which judges every threshold at once"


def _source(given: dict[str, Any]) -> dict[str, Any]:
    names = [str(one.name) for one in options_of_current() if one.reads]
    return {"source": Source({name: given.pop(name) for name in names})}


def _listed_layouts() -> str:
    from adjudge.io.layouts import LAYOUTS

    return ", ".join(name for name, known in LAYOUTS.items() if not known.last)


_file = partial(option, title=FILES, reads=True)
_on_call = partial(option, title=INCIDENTS, reads=True, of=("on_call",))
_COLUMN: tuple[Kind, ...] = (*TABLES, *READ[1:])
"""Files of which an option names a column."""
_TIMED: tuple[Kind, ...] = (*TABLES, "on_call", "moments")
_AN_INCIDENT = "every row of --truth is an incident"

inputs = with_options(
    (
        _file("--label COL", "Label column.  [default: label, Label, labels or is_anomaly]",
            first=True, of=_COLUMN, instead={"on_call": _AN_INCIDENT}, not_with="truth"),
        _file("--score COL",
            "Score column or a pattern such as 'det_*'; repeatable.  [default: score, Score, "
            "scores, anomaly_score, score_*]",
            name="scores", first=True, of=(*_COLUMN, "on_call", *PLACES), many=True),
        _file("--with FILE",
            "Scores in another file, repeatable; for a benchmark, the folder of its scores.",
            name="also", first=True, of=(*READ, "benchmark"),
            instead={"on_call": "say --alerts for each further detector"}, many=True),
        _file("--series COL", "Column of series ids.", of=(*_COLUMN, "on_call")),
        _file("--where COL", "Column of points to judge (0/1).",
            of=_COLUMN, instead={"on_call": "use --watched or --outages"}),
        _file("--positive X", "Label of an anomaly, if not 1.",
            of=READ, instead={"on_call": _AN_INCIDENT}),
        _file("--on COL", "Join files on this column, not row by row.",
            of=READ, needs="also", many=True),
        _file("--inner", "Keep only rows present in all files.", of=READ, needs="on"),
        _file("--sep C", "Column separator.  [default: ,]",
            of=(*_COLUMN, "on_call", *PLACES, "values")),
        _file("--decimal C", "Decimal mark.  [default: .]", of=(*_COLUMN, "values")),
        _file("--sort", "Sort points by time.", of=(*READ, "benchmark"), not_with="baselines"),
    ),
    _source,
)  # fmt: skip
"""Add the options that say where labels and scores are; the command gets them as a source."""
benchmarks = _file("--judged",
    "Rows of a benchmark ({}) to judge.  [default: as published]",
    of=("benchmark", *READ[1:]), instead={"points": "say --where", "on_call": "say --span"},
    listed=_listed_layouts, type=click.Choice(["all", "test"]))  # fmt: skip
"""Add the option for benchmarks, to stand below `inputs`."""
missing = _file("--missing", "Refuse or skip points without a score.  [default: refuse]",
    of=(*TABLES, "benchmark", "folder"), type=click.Choice(["refuse", "skip"]))  # fmt: skip
"""Add the option about points without a score, to stand below `inputs`."""
timing = together(
    _file("--time COL", "Column of times, for delays and durations such as 10min.",
        first=True, of=TABLES,
        instead={"on_call": "name columns with --truth-columns and --alerts-columns"}),
    _file("--time-unit U", "Unit of numeric times: s, ms, us, ns.",
        of=_TIMED, needs="time truth", not_with="time_format"),
    _file("--time-format F", "Format of times that are not ISO, such as '%d.%m.%Y %H:%M'.",
        of=_TIMED, needs="time truth"),
    missing,
)  # fmt: skip
"""Add the options about time and gaps, to stand below `inputs`."""
_several = partial(option, title=CHANNELS, reads=True, of=("channels",))
_annotated = partial(option, title=ANNOTATORS, reads=True, of=("annotators",))
_A_COLUMN = "put it in a column of the tables and use --by"
several = together(
    _several("--channels A,B,...",
        "Channels with a column each: --label 'label_{}' --score 'score_{}', where {} is the "
        "channel; --label COL is one label for all. Names may have * as a wildcard.",
        first=True, instead={"on_call": _A_COLUMN}, not_with="channel"),
    _several("--channel COL", "Column of channels, in a table with a row per time and channel.",
        instead={"on_call": _A_COLUMN}),
    _several("--subsystem FILE", "Table of channel and subsystem.",
        instead={"on_call": _A_COLUMN}),
    _annotated("--annotators A,B,...",
        "Label columns of annotators, or a pattern such as 'ann_*'.",
        first=True, instead={"on_call": _A_COLUMN}),
    _annotated("--votes", "How to combine the annotators' labels.  [default: each]",
        type=Names("data.channels:VOTES")),
)  # fmt: skip
"""Add the options for several channels or annotators, to stand below `inputs`."""
_OF_TRUTH: tuple[Kind, ...] = ("on_call", "moments", *TABLES)
_IN_TIME: tuple[Kind, ...] = ("on_call", "moments")
_IN_A_SPAN: Mapping[Kind, str] = {"positions": "use either --length N or --span FROM TO"}
incidents = together(
    _on_call("--truth FILE",
        "Table of incidents (start, end), with --alerts or a FILE of scores; for changes, of "
        "times or positions.",
        first=True, of=(*_OF_TRUTH, "positions")),
    _on_call("--alerts FILE",
        "Table of alerts in the same form; repeatable, one per detector; NAME=FILE names it.",
        first=True, of=("on_call", *PLACES), many=True),
    _on_call("--span FROM TO", "Watched time.",
        first=True, of=_IN_TIME, instead=_IN_A_SPAN),
    _on_call("--every STEP",
        "Step of a time grid, for point metrics.  [default: 1min for changes]", of=_IN_TIME),
    _on_call("--outages FILE", "Unwatched time: table of start, end, service (* for all)."),
    _on_call("--watched FILE", "Watched time, in the form of --outages."),
    _on_call("--early D", "How early an alert may be and still count, as in 5min."),
    _on_call("--no-series", "Judge all services as one.", not_with="series"),
    _on_call("--tz ZONE", "Time zone of times without an offset, such as Europe/Berlin.",
        of=_OF_TRUTH, needs="truth"),
    _on_call("--ambiguous",
        "Which of a repeated hour (end of DST); widest: starts in the first, ends in the second.",
        of=_OF_TRUTH, needs="tz", type=click.Choice(["first", "second", "widest"])),
    _on_call("--truth-columns ROLE=COL,...", "Columns of --truth: start=COL,end=COL,id=COL ...",
        of=_OF_TRUTH, needs="truth"),
    _on_call("--alerts-columns ROLE=COL,...", "The same for --alerts.", of=_IN_TIME),
    _on_call("--length N",
        "Number of points, if --truth and --alerts are positions or intervals of positions.",
        of=("positions",), type=int),
    _on_call("--closed",
        "Whether an interval includes its end (both) or not (left).  [default: left]",
        of=("positions",), type=click.Choice(["left", "both"])),
    _file("--changes",
        "Read labels as changes: every 1 (ones), run starts (starts), or value changes (states).",
        of=("points",), instead={"on_call": "changes need a column position"},
        type=Names("data.changes:READINGS")),
)  # fmt: skip
"""Add the options for incidents and alerts instead of a file, to stand below `inputs`."""
computed = partial(option, title="What to compute")
"""Declare an option that says what is computed."""
grouped = partial(computed, "--group COL", reads=True, of=("points", "folder"))
"""Declare --group; its help is the text."""
clocks = computed("--clock",
    "Series or services that share a clock, so that alarms shift together: detected, "
    "all, or none.  [default: auto]",
    of=(*TABLES, "on_call", "folder"), reads=True, not_with="over_time",
    type=Names("data.shared_clock:RULES"))  # fmt: skip
"""Add the option about shared clocks, to stand below `inputs`."""
evidence = together(
    computed("--unit",
        "Unit of evidence for intervals.  [default: data sets of --group, else series, events]",
        of=JUDGED, type=Names("noise.intervals.units:UNITS")),
    grouped("Column of dependent groups: data set, day ...", not_with="over_time"),
    clocks,
)  # fmt: skip
"""Add the options about what intervals rest on, to stand below `inputs`."""


def _threshold(given: dict[str, Any]) -> dict[str, Any]:
    at, best, source = given.pop("at"), given.pop("best"), given["source"]
    tune_by, length = given.pop("tune_by"), given.pop("train_length")
    learns = length is not None or source["train"] is not None
    return {
        "at": ThresholdOptions(at, best, tune_by, length, learns, source["tune_on"] is not None)
    }


def listed_rules() -> str:
    """An example of each threshold rule."""
    from adjudge.measure.thresholds.contract import rule_examples

    return rule_examples()


def _listed_nulls() -> str:
    from adjudge.noise.null_models import NULLS

    return NULLS.listed


_chosen = partial(option, title="Threshold")
_NO_RULE = "scored alerts take a number, as in --at 0.7"
_learnt = partial(_chosen, instead={"on_call": _NO_RULE})
_LEARNING: tuple[Kind, ...] = ("points", "benchmark", "folder")
_AT = _chosen("--at X",
    "Threshold: a number or a rule ({}); one per detector as NAME=X, repeatable.",
    first=True, of=JUDGED, not_with="tune_on", many=True, listed=listed_rules)  # fmt: skip
_BEST = _learnt("--best", "Best threshold in hindsight: uses the labels.",
    first=True, of=(*TABLES, "benchmark"), not_with="at tune_on")  # fmt: skip
_LEARNT = (
    _learnt("--train COL",
        "Column of points the rule of --at learns on (0/1); for a benchmark any value, to "
        "use its training part.",
        of=_LEARNING, not_with="train_length tune_on", reads=True),
    _learnt("--train-length N", "Let the rule learn on the first N points.",
        of=(*_LEARNING, "channels", "annotators"), not_with="tune_on", type=int),
    _learnt("--tune-on COL",
        "Column of points to tune the threshold on (0/1); the rest is judged.",
        first=True, of=("points", "folder"), reads=True),
    _learnt("--tune-by SPEC", "Metric to tune for.  [default: f1_ba]",
        of=("points", "folder"), needs="tune_on"),
)  # fmt: skip
threshold = with_options((_AT, _BEST, *_LEARNT), _threshold)
"""Add the options that say how the threshold is chosen; the command gets them as one."""
thresholds = together(_AT, *_LEARNT)
"""Add those options that a ranking takes as they are: it chooses the best by metrics."""


class _NullNames(Names):
    """The names of the null models: packages may add theirs."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """A name of the library is known without a look at what others add."""
        from adjudge.noise.null_models import NULLS

        return value if value in NULLS.known else super().convert(value, param, ctx)


null_option = partial(
    computed, "--null", of=JUDGED, type=_NullNames("noise.null_models:NULLS"), listed=_listed_nulls
)
"""Declare --null; its help is the text, with the list of the null models for {}."""


def _period(_: click.Context, __: click.Parameter, text: str | None) -> int | str | None:
    """Read a number of points, or leave a duration as it is."""
    return int(text) if text is not None and text.isdecimal() else text


period_option = partial(computed, "--period P", of=JUDGED, callback=_period)
"""Declare --period, the length of a period for null models that take one."""
SEASONAL = "Period for --null seasonal: points, or a duration such as 1d with --time."

printed = partial(option, title="Output")
"""Declare an option that says what is printed or written."""


def formats(
    *names: str, not_with: str = ""
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add options for the format of what is printed; the command gets the one that was chosen.

    Parameters
    ----------
    *names : str
        Those that the verb has, beside the forms in which any table is drawn.
    not_with : str
        The parameters with which nothing is printed in any format.
    """
    known = [name for name, one in FORMATS.items() if name in names or one.draw is not None]
    flags = [
        printed(
            f"--{name}", f"Print {FORMATS[name].words}.", name=_parameter(name),
            first=name in {"json", "csv"}, not_with=not_with,
        )
        for name in known if name != "table"
    ]  # fmt: skip
    choice = printed("--format", "Output format.  [default: table]", name="form",
        first=True, not_with=not_with, type=click.Choice(known))  # fmt: skip

    def chosen(given: dict[str, Any]) -> dict[str, Any]:
        shape = format_of(given)
        for name in known:
            given.pop(_parameter(name), None)
        del given["form"]
        return {"shape": shape}

    return with_options((*flags, choice), chosen)


paper_option = partial(printed, "--paper",
    "Print a table for a paper: every metric with its interval, best and tied marked; "
    "LaTeX unless --md.")  # fmt: skip
"""Declare --paper, to stand above `formats`."""


def drawn_for(shape: str | None, *, paper: bool) -> str | None:
    """The format of what is printed: that of a paper is LaTeX unless another one was chosen."""
    return "latex" if paper and shape is None else shape


def _parameter(name: str) -> str:
    return f"as_{name.replace('-', '_')}"


one_file = together(inputs, threshold, several, timing, incidents)
"""Add the options of one file, or of incidents and alerts, with a threshold."""
one_or_many = together(inputs, benchmarks, threshold, several, timing, incidents)
"""The same, where files may be those of a benchmark too."""


def points_or_time(text: str) -> int | str:
    """A length as it was typed: a number of points, or a duration for the library to read."""
    return int(text) if text.isdigit() else text
