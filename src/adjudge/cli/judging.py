"""The verbs that judge: demo, evaluate, explain.

The verb that compares detectors: compare.

Gates on the command line: which values make a verb end with exit code 3.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import JUDGED, TABLES, option, valued, with_options
from adjudge.cli.effects import Verb
from adjudge.cli.group import note
from adjudge.cli.options import (
    SEASONAL,
    benchmarks,
    computed,
    evidence,
    formats,
    incidents,
    inputs,
    null_option,
    period_option,
    points_or_time,
    printed,
    several,
    threshold,
    timing,
)
from adjudge.cli.terminal import progress
from adjudge.errors import AdjudgeError, InputError, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.cli.options import ThresholdOptions
    from adjudge.cli.source import Source
    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.judging.comparing.several import Comparisons
    from adjudge.judging.judgement import Judgement


_gate = partial(option, title="Gates", first=True)


@click.command(cls=Verb, kinds=(*TABLES, "on_call", "positions"))
@click.argument("file", metavar="[FILE]", required=False)
@inputs
@threshold
@several
@timing
@incidents
@evidence
@computed("--metric SPEC", "Metric to compare by.", first=True, default="f1_ba", show_default=True)
@computed("--draws N", "Draws for the optimism of a best threshold.  [default: 1000]", type=int)
@computed("--seed", "Seed of these draws, and of --null.  [default: 0]", type=int)
@null_option("Also say what chance scores in the place of each: {}.")
@period_option(SEASONAL)
@_gate("--fail-if-worse",
    "Exit code 3 when the first detector is behind another and luck does not explain it, or a "
    "difference is undefined.")  # fmt: skip
@formats("json", "csv")
def compare(
    file: str | None,
    source: Source,
    at: ThresholdOptions,
    metric: str,
    unit: str | None,
    draws: int | None,
    seed: int | None,
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
        way = "--score A --score B" if not source["alerts"] else "--alerts A --alerts B"
        raise InputError(
            f"{table.name}: compare takes two detectors or more, got {', '.join(table.scores)}; "
            f"name them with {way}"
        )
    how |= {**source.evidence(table, unit), **valued({"draws": draws, "seed": seed})}
    found = compare_all(
        table.labels,
        table.scores,
        with_oracle(metric) if at.best else metric,
        at={name: at.of(table, name) for name in table.scores},
        **how,
        null=null,
        period=period,
    )
    print_comparison(found, shape)
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


def _gate_of(given: dict[str, Any]) -> dict[str, Any]:
    under, over = (_limits(given.pop(key), key) for key in ("fail_under", "fail_over"))
    return {"gate": Gate(under, over, given.pop("fail_unless_better"))}


_limit = partial(_gate, not_with="over_time", many=True)
gate = with_options(
    (
        _limit("--fail-under METRIC=X",
            "Exit code 3 if a value is below X, or undefined; repeatable."),
        _limit("--fail-over METRIC=X",
            "The same for metrics where lower is better: exit code 3 if above X, which is a "
            "duration (10min) for delays where the time is known."),
        _gate("--fail-unless-better", "Exit code 3 unless every detector is better than chance.",
            not_with="over_time"),
    ),
    _gate_of,
)  # fmt: skip
"""Add the options of the gate; the command gets them as one."""


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


def _windows_of(given: dict[str, Any]) -> dict[str, Any]:
    names = ("over_time", "step", "growing", "fail_if_worse_than")
    return {"windows": Windows(*(given.pop(name) for name in names))}


_window = partial(option, title="What to compute", of=("points", "on_call"))
windows = with_options(
    (
        _window("--over-time LENGTH",
            "Judge each window of time separately: 1d, 1w from Monday, 1mo, or N points.",
            first=True, not_in="flat-json"),
        _window("--step LENGTH", "Distance between window starts.  [default: a window's length]",
            needs="over_time", not_with="growing"),
        _window("--growing", "Start every window at the beginning.", needs="over_time"),
        _window("--fail-if-worse-than LENGTH",
            "Exit code 3 if the newest complete window is worse than this much time before it "
            "(4w), by more than chance.",
            needs="over_time", not_with="growing step", title="Gates"),
    ),
    _windows_of,
)  # fmt: skip
"""Add the options of windows of time; the command gets them as one."""


_MANY_POINTS = 200_000  # from here on chance takes seconds, and says that it is at work


@click.command(cls=Verb)
@computed("--seed", "Draw other labels and detectors.", default=None, type=int)
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


_apart = partial(computed, not_with="over_time")


@click.command(cls=Verb, kinds=JUDGED[:-1])
@click.argument("files", metavar="FILE...", nargs=-1)
@inputs
@benchmarks
@threshold
@several
@timing
@computed("--metric SPEC", "Metric, repeatable; or 'all'.", name="metrics", first=True, many=True)
@computed("--chance/--no-chance",
    "Also compute the score expected by chance.  [default: yes, but not for --metric all]",
    first=True, default=None)  # fmt: skip
@null_option("What chance is: {}.  [default: shifted]")
@period_option(SEASONAL)
@computed("--shifts N", "Number of time shifts.  [default: all, where quick]", of=JUDGED, type=int)
@_apart("--white-noise", "Also score random flags of the same rate.",
    of=("points", "benchmark"), not_in="flat-json")  # fmt: skip
@_apart("--per-series", "Also judge each series of --series.",
    of=("points",), needs="series", not_in="flat-json csv")  # fmt: skip
@incidents
@_apart("--by COL",
    "Also results by kind (or another column), series or length; incidents by service ...",
    first=True, of=(*TABLES, "on_call", "positions"), not_in="flat-json csv",
    reads=True)  # fmt: skip
@evidence
@_apart("--label-slack K", "Also shift event borders by up to K points.",
    of=("points", "benchmark"), not_in="flat-json", type=int)  # fmt: skip
@computed("--seed", "Seed of shifts and noise.  [default: 0]", type=int)
@formats("json", "flat-json", "csv")
@gate
@windows
@printed("--verbose,-v", "Also print columns and remarks that few need.",
    first=True, not_with="over_time", not_in="json flat-json csv")  # fmt: skip
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
    options = valued(options)
    options.setdefault("chance", "all" not in metrics or "shifts" in options)
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
    parts = [] if source["by"] is None else [source.breakdown(one) for _, one in judged]
    print_judgements(judged, failed, shape, verbose=verbose, parts=parts)
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
    takes = signature(over_time).parameters
    options |= {name: value for name, value in more.items() if name in takes}
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


@click.command(cls=Verb, kinds=(*TABLES, "on_call", "positions"))
@click.argument("file", metavar="[FILE]", required=False)
@inputs
@threshold
@several
@timing
@incidents
@computed("--metric SPEC", "Metric to explain.", first=True, default="f1_ba", show_default=True)
@computed("--all", "Every row, and the whole series as a strip.",
    name="all_rows", not_in="json csv")  # fmt: skip
@formats("json", "csv")
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


@click.command("explain-diff", cls=Verb, kinds=("points",))
@click.argument("file", metavar="FILE")
@inputs
@timing
@option("--theirs X", "The number, as it was printed.", required=True)
@option("--at T", "The threshold that was used, if known.", type=float)
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
    levels = at.of_each(table)
    points = len(table.labels)
    if more["chance"] and points >= _MANY_POINTS:
        note(f"{table.name}: holding {points:,} points against chance; --no-chance is quicker")
    options = {**source.reading(table), "at": levels, "oracle": bool(table.watching), **more}
    if more["chance"]:
        options |= source.evidence(table, more.get("unit"))
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
