"""The verbs that judge: demo, evaluate."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import JUDGED, PLACES, TABLES, option, units_with_value, with_options
from adjudge.cli.effects import Verb
from adjudge.cli.gates import Gate, gate
from adjudge.cli.group import note
from adjudge.cli.options import (
    SEASONAL,
    computed,
    drawn_for,
    evidence,
    formats,
    null_option,
    one_or_many,
    paper_option,
    period_option,
    points_or_time,
    printed,
)
from adjudge.cli.own_metric import spec_or_function
from adjudge.cli.progress import progress
from adjudge.errors import AdjudgeError, InputError, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.cli.options import ThresholdOptions
    from adjudge.cli.source import Source
    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.judging.comparing.stored import Against
    from adjudge.judging.judgement import Judgement


@dataclass(frozen=True)
class WindowOptions:
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


@dataclass(frozen=True)
class BeforeOptions:
    """The judgement of the version before, if there is one, and whether it is a gate."""

    path: str | None
    gate: bool

    def facing(self, judged: Sequence[Judgement]) -> list[Against]:
        """What is said of each detector beside it."""
        if self.path is None or not judged:
            return []
        if len(judged) > 1:
            raise InputError(f"--against takes one file of scores, got {len(judged)}")
        return list(judged[0].against(self.path))


def _windows_of(given: dict[str, Any]) -> dict[str, Any]:
    names = ("over_time", "step", "growing", "fail_if_worse_than")
    return {"windows": WindowOptions(*(given.pop(name) for name in names))}


_window = partial(option, title="What to compute", of=("points", "on_call"))
windows = with_options(
    (
        _window("--over-time LENGTH",
            "Judge each time window separately: 1d, 1w (from Monday), 1mo, or N points.",
            first=True, not_in="flat-json"),
        _window("--step LENGTH", "Step between window starts.  [default: a window's length]",
            needs="over_time", not_with="growing"),
        _window("--growing", "Growing windows, all from the start.", needs="over_time"),
        _window("--fail-if-worse-than LENGTH",
            "Exit code 3 if the newest complete window is significantly worse than this much "
            "time before it (4w).",
            needs="over_time", not_with="growing step", title="Gates"),
    ),
    _windows_of,
)  # fmt: skip
"""Add the options of windows of time; the command gets them as one."""
_versions = with_options(
    (
        option("--against FILE",
            "Compare with the previous version: output of evaluate --json on the same labels.",
            of=("points", "on_call", "positions"), not_with="over_time",
            not_in="flat-json csv", title="Gates"),
        option("--fail-if-worse",
            "Exit code 3 if a detector is significantly behind that version.",
            needs="against", title="Gates"),
    ),
    lambda given: {"before": BeforeOptions(given.pop("against"), given.pop("fail_if_worse"))},
)  # fmt: skip
"""Add the options about the version before; the command gets them as one."""
_MANY_POINTS = 200_000  # from here on chance takes seconds, and says that it is at work


@click.command(cls=Verb)
@computed("--seed", "Seed of labels and detectors.", default=None, type=int)
def demo(seed: int | None) -> None:
    """Judge five simulated detectors, and show what each metric forgives.

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
@one_or_many
@computed("--metric SPEC", "Metric or module:function, repeatable; or 'all'.",
    name="metrics", first=True, many=True)  # fmt: skip
@computed("--chance/--no-chance",
    "Also compute the chance level.  [default: yes, but not for --metric all]",
    first=True, default=None)  # fmt: skip
@null_option("Null model: {}.  [default: shifted]")
@period_option(SEASONAL)
@computed("--shifts N", "Number of time shifts.  [default: all, where quick]", of=JUDGED, type=int)
@_apart("--white-noise", "Also score random flags at the same rate.",
    of=("points", "benchmark"), not_in="flat-json")  # fmt: skip
@_apart("--per-series", "Also judge each series of --series.",
    of=("points",), needs="series", not_in="flat-json csv")  # fmt: skip
@_apart("--by COL",
    "Also results by kind (or another column), series or length; incidents by service ...",
    first=True, of=(*TABLES, "on_call", *PLACES), not_in="flat-json csv",
    reads=True)  # fmt: skip
@evidence
@_apart("--label-slack K", "Also shift event borders by up to K points.",
    of=("points", "benchmark"), not_in="flat-json", type=int)  # fmt: skip
@computed("--seed", "Seed of shifts and noise.  [default: 0]", type=int)
@paper_option(not_with="over_time by verbose", not_in="json flat-json csv")
@formats("json", "flat-json", "csv")
@gate
@_versions
@windows
@printed("--verbose,-v", "Also print less common columns and remarks.",
    first=True, not_with="over_time", not_in="json flat-json csv")  # fmt: skip
def evaluate(
    files: tuple[str, ...],
    source: Source,
    at: ThresholdOptions,
    metrics: tuple[str, ...],
    shape: str | None,
    verbose: bool,
    paper: bool,
    gate: Gate,
    before: BeforeOptions,
    windows: WindowOptions,
    **options: Any,
) -> None:
    """Judge the detectors in files, joined files, folders or benchmarks ('-' is standard input).

    With --truth and --alerts: tables of incidents and alerts, as on-call teams have them.

    Formats: CSV, TSV, JSON Lines and lists of JSON records (also .gz, .bz2, .xz, .zst), Parquet,
    Feather, Arrow, npy and npz. One line on standard error tells how each file was read.

    0/1 scores are flags. Other scores need --at or --best; without either, only threshold-free
    metrics are shown. Next to each value is its chance level: what the same alarms score when
    shifted in time.

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
      adjudge evaluate new.csv --at 0.7 --against judged.json --fail-if-worse
      adjudge evaluate --truth incidents.csv --alerts alerts.csv --span 2026-01-01 2026-02-01
      adjudge evaluate scores.csv --time t --at 0.7 --over-time 1w --fail-if-worse-than 4w
      adjudge evaluate wide.csv --channels temp,flow --label 'label_{}' --score 'score_{}' --at 3
      adjudge evaluate wide.csv --channels temp,flow --truth events.csv --by kind --at 3
      adjudge evaluate votes.csv --annotators ann,bob --score mine --at 0.7
    """
    from adjudge.cli.printing import PrintedBeside, print_judgements

    gate.check(options["chance"])
    chosen = [spec_or_function(one) for one in metrics]
    at.refuse_without_effect(chosen)
    options = units_with_value(options)
    options.setdefault("chance", "all" not in metrics or "shifts" in options)
    if windows.length is not None:
        _over_time(source, files, (chosen, at), windows, shape, options)
        return
    found: list[tuple[str, str, Judgement]] = []
    failed: list[tuple[str, str]] = []
    for name, load in source.tables(files):
        try:
            table = load()
            found.append((table.name, name, _judge(table, chosen, at, options, source)))
        except AdjudgeError as error:
            message = str(error)
            named = message.startswith(visible(name))
            failed.append((name, message if named else f"{name}: {message}"))
    judged = _named_apart(found)
    if paper and len(judged) > 1:
        raise click.UsageError(f"--paper takes one file, got {len(judged)}; see adjudge rank")
    parts = [] if source["by"] is None else [source.breakdown(one) for _, one in judged]
    draw = drawn_for(shape, paper=paper)
    facing = before.facing([one for _, one in judged])
    more = PrintedBeside(parts, facing)
    print_judgements(judged, failed, draw, verbose=verbose, paper=paper, beside=more)
    for _, message in failed:
        note(message)
    below = gate.failures(judged)
    if before.gate:
        below += [f"{one.comparison.names[0]} is worse than before" for one in facing if one.worse]
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
    windows: WindowOptions,
    shape: str | None,
    more: dict[str, Any],
) -> None:
    """Judge the detectors of one file window by window, and print it."""
    from adjudge.cli.printing import print_over_time
    from adjudge.judging.doors.over_time import over_time
    from adjudge.judging.judge.which_metrics import metrics_by_oracle

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
        note("below the gate: worse than before")
        sys.exit(3)


def _named_apart(found: list[tuple[str, str, Judgement]]) -> list[tuple[str, Judgement]]:
    """Call each judgement by its file, and by the path that was given where files share a name."""
    often = Counter(name for name, _ in {(name, path) for name, path, _ in found})
    return [(name if often[name] == 1 else path or name, one) for name, path, one in found]


def _judge(
    table: LabelledScores,
    metrics: Sequence[str],
    at: ThresholdOptions,
    more: dict[str, Any],
    source: Source,
) -> Judgement:
    """Judge the detectors of a file; say which of them still need a threshold."""
    from adjudge.judging.doors.evaluate import evaluate as judge
    from adjudge.judging.judge.which_metrics import metrics_by_oracle

    chosen = metrics_by_oracle(metrics) if at.best else list(metrics) or None
    levels = at.of_each(table)
    points = len(table.labels)
    if more["chance"] and points >= _MANY_POINTS:
        note(f"{table.name}: testing {points:,} points against chance; --no-chance is faster")
    options = {**source.reading(table), "at": levels, "oracle": bool(table.watching), **more}
    if more["chance"]:
        options |= source.evidence(table, more.get("unit"))
    with progress(table.name) as advance:
        found = judge(table.labels, table.scores, chosen, progress=advance, **options)
    undecided = [case.name for case in found.cases if not case.is_flags]
    by_default = not metrics or "all" in metrics
    if undecided and by_default and levels is None and not at.best:
        note(
            f"{table.name}: {', '.join(undecided)}: not 0/1 flags, so only threshold-free "
            "metrics are shown; add --at X for a threshold, or --best for the best in "
            "hindsight"
        )
    return found
