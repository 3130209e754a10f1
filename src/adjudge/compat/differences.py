"""Differences: by which conventions one gets the number that somebody else printed.

The same scores give many numbers that are called F1. Here the conventions of the field are tried
one by one, from the plain to the odd: which points were judged, which way round the scores are,
how the threshold was chosen, which metric was taken, how several series were put together.

Conventions: the ways in which people come from the same labels and scores to a number.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.compat.pasted_loops import adjbestf1, adjusted_f1
from adjudge.compat.tsb_ad import get_metrics
from adjudge.data.case import Case
from adjudge.data.durations import NANOSECONDS
from adjudge.data.time_settings import even_step
from adjudge.errors import InputError, exact, shown
from adjudge.metrics.oracle import best_of
from adjudge.metrics.reader import catalogue, metric
from adjudge.tables.progress import reporter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from adjudge._typing import Column, Flags, Floats
    from adjudge.measure.curves import Curve
    from adjudge.metrics.metric import Metric

_GRID = 100
_VARIANTS = (
    "f1", "f1_pa", "f1_ba", "f1_kpa", "f1_kpa(k=0.05)", "f1_kpa(k=0.1)", "f1_kpa(k=0.5)",
    *(f'f1_ba(width={width}, islands="{islands}")'
      for islands in ("all", "spill", "normal") for width in (3, 5, 11, 21, 25, 51, 101)),
    'f1_ba(islands="all")', 'f1_ba(islands="spill")', "f1_ba(margin=1)",
    *(f"delay_f1(k={k})" for k in (1, 3, 7, 10, 20)),
    'range_f1(r_alpha=0.5, cardinality="reciprocal")',
    'range_f1(r_alpha=0.2, cardinality="reciprocal")',
    "range_f1(p_alpha=0.5, r_alpha=0.5)", "eventwise_f1(beta=0.5)", "f1(beta=0.5)", "f1(beta=2)",
    *(f"vus_{kind}(window={window})" for kind in ("pr", "roc") for window in (10, 20, 50, 200)),
    *(f'vus_{kind}(window={window}, variant="aeon")'
      for kind in ("pr", "roc") for window in (10, 100)),
)  # fmt: skip
_COMMON = (
    "f1", "precision", "recall", "f1_pa", "precision_pa", "recall_pa", "f1_kpa", "f1_ba",
    "event_f1", "segment_f1", "composite_f1", "auc_roc", "ap", "auc_pr",
)  # fmt: skip


def conventions(
    case: Case, at: float | None, show: Callable[[int, int, str], None]
) -> Iterator[tuple[str, float]]:
    """Try everything, the plain things first, and tell how far it is."""
    groups = list(_groups(case, at))
    for done, (what, values) in enumerate(groups):
        show(done, len(groups), what)
        yield from values
    show(len(groups), len(groups), "done")


def _groups(case: Case, at: float | None) -> Iterator[tuple[str, Iterable[tuple[str, float]]]]:
    """The conventions in groups, each with its name; none is tried before it is asked for."""
    for spec in [*catalogue, *(spec for spec in _VARIANTS if spec not in catalogue)]:
        yield spec, _of_case(case, [spec], at)
    if case.events.clock is not None and (case.is_flags or at is not None):
        yield "false alarms a day", _a_day(case, at)
    if case.events.series_count > 1:
        yield "means over series", _mean_over_series(case, at)
    for words, part in _parts(case):
        yield words, _worded(words, part, at)
    if len(case.events) and case.events.judged is None and case.events.series_count == 1:
        yield "other packages", _of_others(case)


def _worded(words: str, part: Case, at: float | None) -> Iterator[tuple[str, float]]:
    for convention, value in _of_case(part, _COMMON, at):
        yield f"{convention}, {words}", value


def _of_case(case: Case, specs: Any, at: float | None) -> Iterator[tuple[str, float]]:
    for spec in specs:
        tried = metric(spec)
        if tried.row.needs == "scores":
            yield f"{spec} of the scores", tried.reading(case).value
        elif case.is_flags:
            yield f"{spec} of the flags", tried.reading(case).value
        elif tried.sweeps:
            yield from _thresholds(spec, tried, case, at)
        elif at is not None:
            yield f"{spec} at score > {exact(at)}", tried.with_settings(at=at).reading(case).value


_SZCORE = 'before="30s", after="60s", merge="90s", split="5min"'
_SCORERS = {
    "NEDC epochs: flagged points outside events": "f1",
    "NEDC TAES: false parts of alarms, in lengths of the event": "taes_f1",
    "NEDC OVERLAP: alarms that touch no event": "segment_f1",
    "SzCORE: alarms far from any event, joined and cut": f"event_f1_tolerant({_SZCORE})",
}
"""How programs for EEG count false alarms of the same detector."""


def _a_day(case: Case, at: float | None) -> Iterator[tuple[str, float]]:
    """False alarms a day as programs for EEG count them, and the rates of SzCORE."""
    step = even_step(case.events)
    if step is None:
        return
    days = case.events.n * step / NANOSECONDS["d"]
    for words, spec in _SCORERS.items():
        tally = (
            metric(spec)
            .with_default_threshold(None if case.is_flags else at)
            .entries(case)[0]
            .tally
        )
        yield f"{_DAILY}, {words} ({spec})", float(tally.flagged - tally.right) / days
    for name in ("f1", "precision", "recall"):
        spec = f"event_{name}_tolerant({_SZCORE})"
        tried = metric(spec).with_default_threshold(None if case.is_flags else at)
        yield f"{spec}, as SzCORE", tried.reading(case).value


_DAILY = "false alarms a day"


def _thresholds(
    spec: str, tried: Metric, case: Case, at: float | None
) -> Iterator[tuple[str, float]]:
    """Read one curve at every threshold that people choose."""
    curve = tried.curve(case)
    scores = case.scores if case.events.judged is None else case.scores[case.events.judged]
    if at is not None:
        yield f"{spec} at score > {exact(at)}", _at(curve, at)
        yield f"{spec} at score >= {exact(at)}", _at(curve, at, equal=True)
    yield f"best({spec})", best_of(tried).reading(case).value
    if not np.isfinite(scores).all():
        return
    grid = np.linspace(scores.min(), scores.max(), _GRID)
    best = min if tried.row.better == "lower" else max
    for sign, equal in ((">", False), (">=", True)):
        values = [_at(curve, level, equal=equal) for level in grid.tolist()]
        defined = [value for value in values if not math.isnan(value)]
        words = f"{spec} at the best of {_GRID} even steps, score {sign} threshold"
        yield words, best(defined, default=math.nan)
    for words, level in _rules(scores, case):
        yield f"{spec} at {words}", _at(curve, level)


def _rules(scores: Floats, case: Case) -> Iterator[tuple[str, float]]:
    """The thresholds that are chosen without the labels, or almost."""
    for share in (0.9, 0.95, 0.99, 0.995):
        yield f"the {100 * share:g} % percentile", float(np.percentile(scores, 100 * share))
    mean, spread = float(scores.mean()), float(scores.std())
    for times in (2, 3):
        yield f"the mean and {times} standard deviations", mean + times * spread
    middle = float(scores.min() / 2 + scores.max() / 2)
    yield "0.5 of the scaled scores", middle
    yield "score > 0.5", 0.5
    count = int(case.events.widths.sum())
    if 0 < count < scores.size:
        level = float(np.percentile(scores, 100 * (1 - count / scores.size)))
        yield "the percentile of the share of anomalous points", level


def _mean_over_series(case: Case, at: float | None) -> Iterator[tuple[str, float]]:
    """Judge each series for itself and take the mean, as many tables do."""
    bounds = case.events.whole_series
    values: dict[str, list[float]] = {}
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        one = _cut(case, np.arange(start, stop))
        for words, value in _of_case(one, _COMMON, at) if one is not None else ():
            values.setdefault(words, []).append(value)
    for words, column in values.items():
        defined = [value for value in column if not math.isnan(value)]
        if defined:
            yield f"{words}, mean over series", float(np.mean(defined))
            yield f"{words}, mean over series, undefined as 0", sum(defined) / len(column)


def _parts(case: Case) -> Iterator[tuple[str, Case]]:
    """The same detector with points left out, with adjusted flags, or the other way round."""
    n = case.events.n
    cuts = {
        "without the first point": np.arange(1, n),
        "without the last point": np.arange(n - 1),
        "without the first 15 %": np.arange(int(0.15 * n), n),
        "without the first half": np.arange(n // 2, n),
    }
    for words, points in cuts.items():
        part = _cut(case, points)
        if part is not None:
            yield words, part
    if not case.is_flags:
        turned = np.where(np.isfinite(case.scores), -case.scores, case.scores)
        yield "inverted scores", Case(case.events, turned)
    normal = Case(_inverted(case.events.labels, case), _inverted(case.given, case))
    if case.is_flags:
        yield "normal points as the positive class", normal


def _cut(case: Case, points: Any) -> Case | None:
    """Take some of the points; series are kept apart."""
    events = case.events
    judged = None if events.judged is None else events.judged[points]
    if not len(points) or (judged is not None and not judged.any()):
        return None
    home = np.searchsorted(events.series_bounds, points, side="right")
    return Case(events.labels[points], case.given[points], series=home, where=judged)


def _inverted(column: Any, case: Case) -> Flags:
    judged = case.events.judged
    turned: Flags = ~np.asarray(column).astype(bool)
    return turned if judged is None else turned & judged


def _of_others(case: Case) -> Iterator[tuple[str, float]]:
    """The numbers of other packages, with their defects."""
    labels = case.events.labels
    if case.is_flags:
        yield "f1_pa, the first point never filled", adjusted_f1(labels, case.flags)
        return
    if not np.isfinite(case.scores).all():
        return
    for key, value in get_metrics(case.scores, labels).items():
        yield f"TSB-AD's {key} (slidingWindow=100)", value
    yield "MOMENT's adjbestf1", adjbestf1(labels, case.scores)


def _at(curve: Curve, threshold: float, *, equal: bool = False) -> float:
    """Read the curve at a threshold: what lies above it, or at it and above."""
    levels = curve.thresholds[::-1]
    place = int(np.searchsorted(levels, threshold, side="left" if equal else "right")) - 1
    return float(curve.values[::-1][max(place, 0)])


@dataclass(frozen=True)
class Convention:
    """One way to come to a number."""

    words: str
    value: float

    def shown(self, theirs: str) -> str:
        """The value with as many digits as theirs; a number a day is never per cent."""
        if self.words.startswith(_DAILY):
            return f"{self.value:.{len(theirs.partition('.')[2])}f}"
        return _shown(self.value, theirs)

    def off(self, theirs: str) -> float:
        """How far it is from theirs."""
        scale = 1 if self.words.startswith(_DAILY) else _scale(theirs)
        return abs(self.value * scale - float(theirs))


@dataclass(frozen=True)
class Differences:
    """What was tried, and what gives the number that was asked about."""

    theirs: str
    tried: int
    matches: tuple[Convention, ...]
    nearest: Convention | None
    """The convention that comes nearest, where none matches."""

    @property
    def by_accident(self) -> float:
        """How many of so many tried would match if their values lay anywhere between 0 and 1."""
        return self.tried * _step(self.theirs)

    def __str__(self) -> str:
        """Say it in lines."""
        lines = [f"{match.shown(self.theirs)}  {match.words}" for match in self.matches]
        if not lines and self.nearest is not None:
            lines = [f"nearest: {self.nearest.value:.6g}  {self.nearest.words}"]
        end = f"{self.tried} conventions tried, {len(self.matches)} give {self.theirs}"
        expected = (
            f"{self.by_accident:,.0f}" if self.by_accident >= 10 else f"{self.by_accident:.2g}"
        )
        lines.append(f"{end}; by accident about {expected} would")
        if self.matches and len(self.matches) <= 2 * self.by_accident:
            lines.append("too few digits: give more if they were printed")
        return "\n".join(lines)

    __repr__ = __str__


def explain_difference(
    labels: Column,
    scores: Column,
    theirs: str,
    *,
    at: float | None = None,
    series: Column = None,
    where: Column = None,
    time: Column = None,
    progress: Callable[[int, int, str], None] | bool | None = None,
) -> Differences:
    """Name the conventions by which these labels and scores give a number that was printed.

    Parameters
    ----------
    labels, scores, series, where, time : column
        See `adjudge.Case`. With a time, false alarms a day are tried too, as programs for EEG
        count them.
    theirs : str
        The number as it was printed, such as "0.83" or "83.2": its digits are what must agree. A
        number above 1 is taken for per cent, or for a number of false alarms a day.
    at : float, optional
        The threshold that was used, if it is known.
    progress : callable or True, optional
        True: a bar, on a terminal or in a notebook. A function is
        called with (done, total, what comes next) as one metric after the other is tried.

    Returns
    -------
    Differences
        The conventions that match, the plainest first.

    Examples
    --------
    >>> print(explain_difference([0, 0, 1, 1, 1, 0], [0, 1, 0, 1, 0, 0], "0.857"))
    ... # doctest: +ELLIPSIS
    0.857  f1_pa of the flags...
    """
    _step(theirs)  # which refuses what is no number
    case = Case(labels, scores, series=series, where=where, time=time)
    found: list[Convention] = []
    nearest, tried = None, 0
    show = reporter(progress, "conventions")
    for words, value in conventions(case, at, show):
        if math.isnan(value):
            continue
        tried += 1
        here = Convention(words, value)
        if here.shown(theirs) == theirs:
            found.append(here)
        if nearest is None or here.off(theirs) < nearest.off(theirs):
            nearest = here
    return Differences(theirs, tried, tuple(found), None if found else nearest)


def _step(theirs: str) -> float:
    """The last printed digit's worth, as a share."""
    if not isinstance(theirs, str) or not re.fullmatch(r"-?\d*\.?\d+", theirs):
        raise InputError(f"theirs must be a printed number such as 0.83, got {shown(theirs)}")
    return 10.0 ** -len(theirs.partition(".")[2]) / _scale(theirs)


def _scale(theirs: str) -> int:
    return 100 if abs(float(theirs)) > 1 else 1


def _shown(value: float, theirs: str) -> str:
    text = f"{value * _scale(theirs):.{len(theirs.partition('.')[2])}f}"
    return text.removeprefix("0") if theirs.startswith(".") else text
