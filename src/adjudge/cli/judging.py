"""The verbs that judge: demo, evaluate, explain.

The verb that compares detectors: compare.

Gates on the command line: which values make a verb end with exit code 3.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.effects import Verb
from adjudge.cli.group import note
from adjudge.cli.options import (
    benchmarks,
    evidence,
    incidents,
    inputs,
    null_option,
    period_option,
    points_or_time,
    several,
    shapes,
    threshold,
    timing,
    together,
)
from adjudge.cli.terminal import progress
from adjudge.errors import AdjudgeError, InputError, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge.cli.options import ThresholdOptions
    from adjudge.cli.source import Source
    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.judging.comparing.several import Comparisons
    from adjudge.judging.judgement import Judgement


@click.command(cls=Verb)
@click.argument("file", metavar="[FILE]", required=False)
@inputs
@threshold
@several
@timing
@incidents
@evidence
@click.option(
    "--metric", default="f1_ba", metavar="SPEC", show_default=True, help="Metric to compare by."
)
@click.option(
    "--draws",
    type=int,
    metavar="N",
    help="Draws for how much a best threshold flatters.  [default: 1000]",
)
@click.option("--seed", default=0, help="Seed of these draws, and of --null.  [default: 0]")
@null_option("Also say what chance scores in the place of each: {}.")
@period_option
@click.option(
    "--fail-if-worse",
    is_flag=True,
    help="Exit code 3 when the first detector is behind another and luck does not explain it, or "
    "a difference is undefined.",
)
@shapes("json", "csv")
def compare(
    file: str | None,
    source: Source,
    at: ThresholdOptions,
    metric: str,
    unit: str,
    draws: int | None,
    seed: int,
    null: str | None,
    period: int | str | None,
    fail_if_worse: bool,
    shape: str | None,
) -> None:
    """Compare two detectors on the same labels, and say whether one is really ahead.

    It prints both values, their difference with a 95 % interval, and p: how often two equally good
    detectors differ as much. It also says what counts as one piece of evidence: a data set, a
    series, or an event with its normal time. Of three detectors or more each pair is compared, and
    p is adjusted for the number of pairs (Holm).

    \b
    Examples:
      adjudge compare scores.csv --score mine --score theirs --at 0.7
      adjudge compare scores.csv --score mine --score theirs --score third --tune-on validation
      adjudge compare --truth truth.csv --alerts a.csv --alerts b.csv --span 2026-01-01 2026-02-01
    """
    from adjudge.cli.printing import print_comparison
    from adjudge.judging.doors.compare import compare_all
    from adjudge.judging.preparation import with_oracle

    at.refuse_without_effect([metric])
    table = source.read(file)
    how = source.reading(table)
    if len(table.scores) < 2:
        way = "--score A --score B" if source.truth is None else "--alerts A --alerts B"
        raise InputError(
            f"{table.name}: compare takes two detectors or more, got {', '.join(table.scores)}; "
            f"name them with {way}"
        )
    how |= source.evidence(table, unit)
    if table.beside:
        del how["group"]
    found = compare_all(
        table.labels,
        table.scores,
        with_oracle(metric) if at.best else metric,
        at={name: at.of(table, name) for name in table.scores},
        **how,
        draws=draws,
        seed=seed,
        null=null,
        period=period,
    )
    print_comparison(found.pairs[0] if len(found.pairs) == 1 else found, shape)
    behind = _behind(found) if fail_if_worse else ""
    if behind:
        click.echo(visible(f"adjudge: the gate is not passed: {behind}"), err=True)
        raise click.exceptions.Exit(3)


def _behind(found: Comparisons) -> str:
    """Say of whom the first detector is behind, or of whom nobody knows; "" if of none."""
    first = found.pairs[0].names[0]
    for pair, clear in zip(found.pairs, found.separated, strict=True):
        a, b = pair.names
        if a == first and math.isnan(pair.difference):
            return f"the difference of {a} and {b} is undefined"
        if a == first and pair.ahead == "b" and clear:
            return f"{a} is behind {b}"
    return ""


@dataclass(frozen=True)
class Gate:
    """What every detector must reach."""

    under: dict[str, float | str]
    over: dict[str, float | str]
    better: bool

    def check(self, chance: bool | None) -> None:
        """Refuse a gate that nothing could pass."""
        if self.better and chance is False:
            raise click.UsageError(
                "--fail-unless-better needs the chance line: leave out --no-chance"
            )

    def failures(self, judged: Sequence[tuple[str, Judgement]]) -> list[str]:
        """Say what falls short, file by file; a gate that has nothing to look at is not passed."""
        from adjudge.judging.judgement import NOTHING

        if not judged and (self.under or self.over or self.better):
            return [NOTHING]
        how = {"under": self.under, "over": self.over}
        return [
            f"{name}: {short}"
            for name, one in judged
            for short in one.failures(**how, better_than_chance=self.better)
        ]


def gate(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of the gate; the command gets them as one."""

    @wraps(command)
    def with_gate(**options: Any) -> None:
        under, over = (_limits(options.pop(key), key) for key in ("fail_under", "fail_over"))
        command(gate=Gate(under, over, options.pop("fail_unless_better")), **options)

    return together(with_gate, _GATE)


_GATE = (
    click.option(
        "--fail-under",
        metavar="METRIC=X",
        multiple=True,
        help="Exit code 3 if a value is below X, or undefined; repeatable.",
    ),
    click.option(
        "--fail-over",
        metavar="METRIC=X",
        multiple=True,
        help="The same for metrics where lower is better: exit code 3 if above X, which is a "
        "duration (10min) for delays where the time is known.",
    ),
    click.option(
        "--fail-unless-better",
        is_flag=True,
        help="Exit code 3 unless every detector is better than chance.",
    ),
)


def _limits(given: tuple[str, ...], key: str) -> dict[str, float | str]:
    """Read METRIC=X; the metric may have settings, so the last = counts. All limits must hold."""
    limits: dict[str, float | str] = {}
    stricter = max if key == "fail_under" else min
    for text in given:
        name, _, limit = text.rpartition("=")
        level = _level(limit.strip())
        if not name.strip() or level is None:
            option = f"--{key.replace('_', '-')}"
            raise InputError(
                f"{option} must be METRIC=X, such as f1_ba=0.5 or detection_delay=10min, got "
                f"{text!r}"
            )
        both = (level, limits.get(name.strip(), level))
        if len({type(one) for one in both}) > 1:
            raise InputError(
                f"{name.strip()} must have limits of one kind, got {both[1]} and {level}"
            )
        limits[name.strip()] = stricter(both, key=_size)
    return limits


def _level(text: str) -> float | str | None:
    """A number, or a duration as it is written; None if it is neither."""
    from adjudge.data.clock import duration

    try:
        number = float(text)
    except ValueError:
        try:
            duration(text, "limit")
        except InputError:
            return None
        return text
    return None if math.isnan(number) else number


def _size(level: float | str) -> float:
    from adjudge.data.clock import duration

    return duration(level, "limit") if isinstance(level, str) else level


@dataclass(frozen=True)
class Windows:
    """The windows of time in which values are asked for; none without a length."""

    length: str | None
    step: str | None
    growing: bool
    worse_than: str | None

    @property
    def settings(self) -> dict[str, Any]:
        """The same as `adjudge.over_time` takes it."""
        step = None if self.step is None else points_or_time(self.step)
        length = points_or_time(self.length or "")
        return {"window": length, "step": step, "growing": self.growing}


def windows(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of windows of time; the command gets them as one."""

    @wraps(command)
    def with_windows(**options: Any) -> None:
        names = ("over_time", "step", "growing", "fail_if_worse_than")
        command(windows=Windows(*(options.pop(name) for name in names)), **options)

    return together(with_windows, _WINDOWS)


_WINDOWS = (
    click.option(
        "--over-time",
        metavar="LENGTH",
        help="Judge each window of time by itself: 1d, 1w from Monday, 1mo, or so many points.",
    ),
    click.option(
        "--step",
        metavar="LENGTH",
        help="How far apart windows begin.  [default: the length of a window]",
    ),
    click.option("--growing", is_flag=True, help="Let every window begin at the start."),
    click.option(
        "--fail-if-worse-than",
        metavar="LENGTH",
        help="Exit code 3 if the newest complete window is worse than so much time before it (4w), "
        "by more than chance.",
    ),
)


_MANY_POINTS = 200_000  # from here on chance takes seconds, and says that it is at work


@click.command(cls=Verb)
@click.option("--seed", default=None, type=int, help="Draw other labels and detectors.")
def demo(seed: int | None) -> None:
    """Show on five simulated detectors what the metrics forgive.

    \b
    Example:
      adjudge demo
    """
    from adjudge.cli.terminal import print_layout
    from adjudge.judging.demonstration import SEED, demonstration, notes
    from adjudge.tables.table import Layout, Table

    seed = SEED if seed is None else seed
    head, rows, sentences = demonstration(seed)
    cells = [[row[0], *row[1:3], *(f"{value:.3f}" for value in row[3:])] for row in rows]
    table = Table.of(head, cells, "12 events in 10,000 points", {"found": 1, "false runs": 1})
    numbered = [f"{number}. {sentence}" for number, sentence in enumerate(sentences, 1)]
    print_layout(Layout((table,), tuple(notes(seed)), tuple(numbered)))


@click.command(cls=Verb)
@click.argument("files", metavar="FILE...", nargs=-1)
@inputs
@benchmarks
@threshold
@several
@timing
@click.option(
    "--metric", "metrics", metavar="SPEC", multiple=True, help="Metric, repeatable; or 'all'."
)
@click.option(
    "--chance/--no-chance",
    default=None,
    help="Also say what chance would score.  [default: yes, but not for --metric all]",
)
@null_option("What chance is: {}.  [default: shifted]", "shifted")
@period_option
@click.option(
    "--shifts", type=int, metavar="N", help="How many shifts.  [default: all, where quick]"
)
@click.option("--white-noise", is_flag=True, help="Also say what as many random flags score.")
@click.option("--per-series", is_flag=True, help="Also judge each series of --series.")
@incidents
@click.option(
    "--by",
    metavar="COL",
    help="Also results by kind (or another column), series or length; incidents by service ...",
)
@evidence
@click.option("--label-slack", default=0, metavar="K", help="Also move event borders by up to K.")
@click.option("--seed", default=0, help="Seed of shifts and noise.  [default: 0]")
@shapes("json", "flat-json", "csv")
@gate
@windows
@click.option("--verbose", "-v", is_flag=True, help="Also print columns and remarks that few need.")
def evaluate(
    files: tuple[str, ...],
    source: Source,
    at: ThresholdOptions,
    metrics: tuple[str, ...],
    shape: str | None,
    verbose: bool,
    gate: Gate,
    windows: Windows,
    **options: Any,
) -> None:
    """Judge the detectors in files, joined files, folders or benchmarks ('-' is standard input).

    With --truth and --alerts: two tables of times, incidents and alerts, as an on-call team has.

    CSV, TSV, JSON Lines and lists of JSON records (also .gz, .bz2, .xz, .zst), Parquet, Feather,
    Arrow, npy and npz. How each was read is said in one line on standard error.

    0/1 scores are flags and judged as they are. Real scores need --at or --best; without
    either the metrics that need no threshold are shown. Beside every value stands what the same
    alarms would have scored at other places in time.

    \b
    Examples:
      adjudge evaluate scores.csv --best
      adjudge evaluate scores.csv --score mine --score theirs --at 0.7
      adjudge evaluate *.parquet --metric "f1_ba(width=41)" --at "quantile(0.99)" --csv
      adjudge evaluate scores.csv --metric all --at 0.7
      adjudge evaluate labels.csv --with mine.csv --with theirs.csv --on timestamp --best
      adjudge evaluate TSB-AD-U --with score_dir --best
      adjudge evaluate scores.csv --at "quantile(0.99)" --train-length 1000
      adjudge evaluate scores.csv --tune-on validation
      adjudge evaluate scores.csv --at 0.7 --fail-under f1_ba=0.5 --fail-unless-better
      adjudge evaluate --truth incidents.csv --alerts alerts.csv --span 2026-01-01 2026-02-01
      adjudge evaluate scores.csv --time t --at 0.7 --over-time 1w --fail-if-worse-than 4w
      adjudge evaluate wide.csv --channels temp,flow --label 'label_{}' --score 'score_{}' --at 3
      adjudge evaluate wide.csv --channels temp,flow --truth events.csv --by kind --at 3
      adjudge evaluate votes.csv --annotators ann,bob --score mine --at 0.7
    """
    from adjudge.cli.printing import print_judgements

    gate.check(options["chance"])
    at.refuse_without_effect(metrics)
    if options["chance"] is None:
        options["chance"] = "all" not in metrics or options["shifts"] is not None
    if windows.length is not None:
        _over_time(source, files, (metrics, at), windows, shape, options)
        return
    found: list[tuple[str, str, Judgement]] = []
    failed: list[tuple[str, str]] = []
    for name, load in source.tables(files):
        try:
            table = load()
            found.append((table.name, name, _judge(table, metrics, at, options, source)))
        except AdjudgeError as error:
            message = str(error)
            named = message.startswith(visible(name))
            failed.append((name, message if named else f"{name}: {message}"))
    judged = _named_apart(found)
    print_judgements(judged, failed, shape, verbose=verbose, by=source.by)
    for _, message in failed:
        note(message)
    below = gate.failures(judged)
    for message in below:
        note(f"below the gate: {message}")
    if failed:
        sys.exit(1 if judged else 2)
    if below:
        sys.exit(3)


def _over_time(
    source: Source,
    files: tuple[str, ...],
    what: tuple[Sequence[str], ThresholdOptions],
    windows: Windows,
    shape: str | None,
    more: dict[str, Any],
) -> None:
    """Judge the detectors of one file window by window, and print it."""
    from adjudge.cli.printing import print_over_time
    from adjudge.judging.doors.over_time import over_time
    from adjudge.judging.preparation import metrics_by_oracle

    metrics, at = what
    tables = list(source.tables(files))
    if len(tables) > 1:
        raise InputError(f"--over-time takes one file, got {len(tables)}")
    table = tables[0][1]()
    chosen = metrics_by_oracle(metrics) if at.best else list(metrics) or None
    options = {**source.reading(table), **windows.settings, "at": at.of_each(table)}
    options |= {name: more[name] for name in ("chance", "seed")}
    if more["chance"]:
        options |= {name: more[name] for name in ("null", "period", "shifts")}
        options |= {"unit": more["unit"]}
    found = over_time(table.labels, table.scores, chosen, **options)
    than = windows.worse_than
    changes = () if than is None else found.changes(points_or_time(than))
    print_over_time(found, changes, shape)
    if any(change.worse for change in changes):
        note("below the gate: worse than in the time before")
        sys.exit(3)


def _named_apart(found: list[tuple[str, str, Judgement]]) -> list[tuple[str, Judgement]]:
    """Call each judgement by its file, and by the path that was given where files share a name."""
    often = Counter(name for name, _ in {(name, path) for name, path, _ in found})
    return [(name if often[name] == 1 else path or name, one) for name, path, one in found]


@click.command(cls=Verb)
@click.argument("file", metavar="[FILE]", required=False)
@inputs
@threshold
@several
@timing
@incidents
@click.option(
    "--metric", default="f1_ba", show_default=True, metavar="SPEC", help="Metric to explain."
)
@click.option("--all", "all_rows", is_flag=True, help="Every row, and the whole series as a strip.")
@shapes("json", "csv")
def explain(
    file: str | None,
    source: Source,
    at: ThresholdOptions,
    metric: str,
    all_rows: bool,
    shape: str | None,
) -> None:
    """The receipt of a score: what each event earned, what each false alarm cost.

    Shown are the ten events that lost most and the ten alarms that cost most, then the parts of the
    series where these are; --json and --csv have every row.

    \b
    Examples:
      adjudge explain scores.csv --at 0.7 --metric "f1_ba(width=41)"
      adjudge explain --truth incidents.csv --alerts alerts.csv --span 2026-01-01 2026-02-01
      adjudge explain wide.csv --channels temp,flow --at 3 --metric channel_f1
    """
    from adjudge.cli.printing import print_receipt
    from adjudge.judging.doors.explain import explain as explained
    from adjudge.judging.preparation import with_oracle

    at.refuse_without_effect([metric])
    table = source.read(file)
    how = source.reading(table)
    name, column = _one_detector(table, "explain")
    chosen = with_oracle(metric) if at.best else metric
    receipt = explained(table.labels, column, chosen, at=at.of(table, name), **how)
    print_receipt(receipt, shape, every=all_rows)


def _one_detector(table: LabelledScores, verb: str) -> tuple[str, Any]:
    """The detector of a table that is to have but one."""
    if len(table.scores) > 1:
        first = next(iter(table.scores))
        raise InputError(
            f"{table.name}: {verb} takes one detector, got {', '.join(table.scores)}; "
            f"choose one with --score, such as --score {first}"
        )
    return next(iter(table.scores.items()))


@click.command("explain-diff", cls=Verb)
@click.argument("file", metavar="FILE")
@inputs
@timing
@click.option("--theirs", required=True, metavar="X", help="The number, as it was printed.")
@click.option("--at", type=float, metavar="T", help="The threshold that was used, if known.")
def explain_diff(file: str, source: Source, theirs: str, at: float | None) -> None:
    """Find the metric and settings by which these scores give a number that somebody printed.

    Tried are all metrics with the settings that other packages take, > and >=, grids and rules of
    thresholds, pooled series and means over them, points left out, and scores with the other
    sign; with --time also false alarms a day, as programs for EEG count them (NEDC, SzCORE). The
    more digits are given, the fewer match by accident; the last line says how many would.

    \b
    Example:
      adjudge explain-diff scores.csv --theirs 0.8312
    """
    from adjudge.cli.terminal import echo_sentence
    from adjudge.compat.differences import explain_difference

    table = source.read(file)
    _, column = _one_detector(table, "explain-diff")
    how: dict[str, Any] = {"at": at, "series": table.series, "where": table.where}
    how["time"] = table.time
    with progress(table.name) as advance:
        found = explain_difference(table.labels, column, theirs, progress=advance, **how)
    for line in str(found).splitlines():
        echo_sentence(line, indent=8 * ("  " in line))  # below the words, not the number
    if not found.matches:
        sys.exit(1)


def _judge(
    table: LabelledScores,
    metrics: Sequence[str],
    at: ThresholdOptions,
    more: dict[str, Any],
    source: Source,
) -> Judgement:
    """Judge the detectors of a file; say which of them still need a threshold."""
    from adjudge.judging.doors.evaluate import evaluate as judge
    from adjudge.judging.preparation import metrics_by_oracle

    chosen = metrics_by_oracle(metrics) if at.best else list(metrics) or None
    levels = at.of(table, next(iter(table.scores))) if table.beside else at.of_each(table)
    points = 0 if table.watching or table.beside else len(table.labels)
    if more["chance"] and points >= _MANY_POINTS:
        note(f"{table.name}: holding {points:,} points against chance; --no-chance is quicker")
    options = {**source.reading(table), "at": levels, "oracle": bool(table.watching), **more}
    if more["chance"]:
        options |= source.evidence(table, more["unit"])
    with progress(table.name) as advance:
        found = judge(table.labels, table.scores, chosen, progress=advance, **options)
    undecided = [case.name for case in found.cases if not case.is_flags]
    by_default = not metrics or "all" in metrics
    if undecided and by_default and levels is None and not at.best:
        note(
            f"{table.name}: {', '.join(undecided)}: not 0/1 flags, so only metrics without a "
            "threshold are shown; say --at X for a threshold, or --best for the best one, "
            "chosen by the labels"
        )
    return found
