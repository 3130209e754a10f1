"""Released: the draws behind the table of 15,000 experiments that the paper's authors published.

One generator serves all experiments in order, and two settings move along with their number, so an
experiment can only be drawn after all before it. A `Checkpoint` is all that the next one depends
on. To reach a later one, the scores in between need not be drawn: the generator skips them.

The order of the draws is that of the authors' program, with its slips: a detection marks its full
width, past its stretch too, and the shares by which tries are compared pair the detections that
count with the stretches of all of them. In the published program a detection counts when one of
its points lies inside its stretch (``guard=1``); the published table was made with two.

The table that the paper's authors published, beside a replay of it.

Their file is not part of this library; whoever has it can hold it against a study of the design
"released". `COLUMNS` says which of our columns is which of theirs.
"""

from __future__ import annotations

import csv
import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.events import Events
from adjudge.errors import FileError
from adjudge.lab.study.measurements import Experiment

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.lab.study.table import Study

SEED = 121
"""Of the published table."""
GUARD = 2
"""Points of a detection that must lie inside its stretch, in the published table."""
_TRIES = 5
_LEAST_SHARE = 0.3
_STEP = 0.0127
_EVERY = 750
"""Experiments after which there is one more false detection."""
_SMOOTHING = 15


class Checkpoint(NamedTuple):
    """All that the next experiment depends on."""

    number: int
    """Of the next experiment."""
    spread: float
    """By how much the two score ranges of the last experiment were widened."""
    false_alarms: int
    """False detections of the last experiment."""
    state: dict[str, Any]
    """Of the generator."""

    @classmethod
    def first(cls, seed: int = SEED) -> Checkpoint:
        """Checkpoint before the first experiment."""
        return cls(0, 0.0, 0, dict(np.random.default_rng(seed).bit_generator.state))

    @classmethod
    def from_json(cls, text: str) -> Checkpoint:
        """Checkpoint that `to_json` wrote."""
        return cls(*json.loads(text))

    def to_json(self) -> str:
        """Text from which `from_json` makes the very same checkpoint.

        >>> Checkpoint.from_json(Checkpoint.first().to_json()) == Checkpoint.first()
        True
        """
        return json.dumps(self)


def replay(checkpoint: Checkpoint, guard: int = GUARD) -> tuple[Experiment, Checkpoint]:
    """Next experiment, and the checkpoint after it.

    >>> experiment, after = replay(Checkpoint.first())
    >>> len(experiment.events), experiment.hits, after.number
    (13, 4, 1)
    """
    rng = _generator(checkpoint)
    plan = _plan(rng, checkpoint, guard)
    n = plan.events.n
    quiet = (0.25 + plan.spread) * rng.random(n)
    low = 0.75 - plan.spread
    loud = low + (1 - low) * rng.random(n)
    kernel = np.ones(_SMOOTHING) / _SMOOTHING
    scores = np.convolve(np.where(plan.detected, loud, quiet), kernel, "same")
    experiment = Experiment(
        plan.events, scores, scores > 0.5, plan.hits, plan.false_alarms, plan.spread
    )
    return experiment, _after(rng, checkpoint, plan)


def skip(checkpoint: Checkpoint, experiments: int, guard: int = GUARD) -> Checkpoint:
    """Checkpoint after so many further experiments, whose scores are not drawn.

    >>> skip(Checkpoint.first(), 1) == replay(Checkpoint.first())[1]
    True
    """
    for _ in range(experiments):
        rng = _generator(checkpoint)
        plan = _plan(rng, checkpoint, guard)
        before = rng.bit_generator.state
        rng.bit_generator.advance(2 * plan.events.n)  # type: ignore[attr-defined]
        # advancing forgets the half of a number that whole numbers were still to be made of
        half = {key: before[key] for key in ("has_uint32", "uinteger")}
        rng.bit_generator.state = {**rng.bit_generator.state, **half}
        checkpoint = _after(rng, checkpoint, plan)
    return checkpoint


class _Plan(NamedTuple):
    """An experiment before its scores are drawn."""

    events: Events
    detected: Flags
    hits: int
    false_alarms: int
    spread: float


class _Try(NamedTuple):
    """Detections that were drawn together, in the order of the draws."""

    starts: Positions
    widths: Positions
    inside: Positions
    """How many points of each lie before the end of its stretch."""
    stretches: Positions
    """Points of the gap or the event that each starts in."""
    apart: bool
    """Whether all start in different stretches."""


def _generator(checkpoint: Checkpoint) -> np.random.Generator:
    rng = np.random.Generator(np.random.PCG64())
    rng.bit_generator.state = checkpoint.state
    return rng


def _after(rng: np.random.Generator, before: Checkpoint, plan: _Plan) -> Checkpoint:
    state = dict(rng.bit_generator.state)
    return Checkpoint(before.number + 1, plan.spread, plan.false_alarms, state)


def _plan(rng: np.random.Generator, checkpoint: Checkpoint, guard: int) -> _Plan:
    count = int(rng.integers(10, 24))
    gaps = np.array([rng.integers(200, 1000) for _ in range(count + 1)])
    widths = np.array([rng.integers(50, 100) for _ in range(count)])
    spread = (checkpoint.spread + _STEP) % 0.5
    hits = int(rng.integers(0, count))
    one_more = checkpoint.number > 0 and checkpoint.number % _EVERY == 0
    false_alarms = checkpoint.false_alarms + one_more
    starts = np.cumsum(gaps[:-1] + widths) - widths
    events = Events(starts, starts + widths, int(gaps.sum() + widths.sum()))
    detected = np.zeros(events.n, bool)
    if false_alarms:
        tries = _tries(lambda: _draw_false(rng, gaps, widths, false_alarms), guard, _is_apart)
        _mark(detected, tries, guard)
    if hits:
        tries = _tries(lambda: _draw_true(rng, events, hits), guard, _covers_enough)
        _mark(detected, tries, guard)
    return _Plan(events, detected, hits, int(false_alarms), spread)


def _draw_false(rng: np.random.Generator, gaps: Positions, widths: Positions, count: int) -> _Try:
    """False detections: at places along the gaps, laid end to end."""
    places = np.sort(rng.choice(int(gaps.sum()), count, replace=False))
    lengths = rng.integers(2, 5, size=count)
    ends = np.cumsum(gaps)
    gap = np.searchsorted(ends, places, side="right")
    events_before = np.append(0, np.cumsum(widths))[gap]
    inside = np.minimum(lengths, ends[gap] - places)
    apart = np.unique(gap).size == count
    return _Try(places + events_before, lengths, inside, gaps[gap], apart)


def _draw_true(rng: np.random.Generator, events: Events, hits: int) -> _Try:
    """True detections: one in each of some events, from anywhere in it."""
    chosen = rng.choice(len(events), hits, replace=False)
    stretches = events.widths[chosen]
    offsets = np.array([rng.integers(0, width) for width in stretches])
    lengths = rng.integers(10, 25, size=hits)
    inside = np.minimum(lengths, stretches - offsets)
    return _Try(events.starts[chosen] + offsets, lengths, inside, stretches, apart=True)


def _tries(
    draw: Callable[[], _Try], guard: int, enough: Callable[[_Try, float], bool]
) -> _Try | None:
    """Try with the largest smallest share, the first among equals; None if all are 0."""
    best, most = None, 0.0
    for _ in range(_TRIES):
        drawn = draw()
        share = _smallest_share(drawn, guard)
        if share > most:
            best, most = drawn, share
        if enough(drawn, share):
            break
    return best


def _smallest_share(drawn: _Try, guard: int) -> float:
    """Smallest share of a stretch; what counts is divided by the stretches of all, in order."""
    counted = drawn.inside[drawn.inside >= guard]
    shares: Floats = counted / drawn.stretches[: counted.size]
    return float(shares.min()) if shares.size else 0.0


def _is_apart(drawn: _Try, _: float) -> bool:
    return drawn.apart


def _covers_enough(_: _Try, share: float) -> bool:
    return share >= _LEAST_SHARE


def _mark(detected: Flags, drawn: _Try | None, guard: int) -> None:
    """Mark the full width of each detection that counts, up to the end of the series."""
    if drawn is not None:
        for start, width, inside in zip(drawn.starts, drawn.widths, drawn.inside, strict=True):
            if inside >= guard:
                detected[start : start + width] = True


COLUMNS = {
    "anomaly_count": "events",
    "anomaly_fraction": "anomaly_fraction",
    "signal_separation": "separation",
    "true_positives": "true_runs",
    "false_positives": "false_runs",
    "event_recall": "recall",
    "anomaly_coverage": "coverage",
    "fscore": "f1",
    "pa": "f1_pa",
    "kpa": "f1_kpa",
    "fpa": "f1_ba_authors",
}
"""Their columns, and ours."""

_ROUNDING = 1e-9
_SEPARATION = 1e-6
"""Their separation is integrated numerically, ours is not."""


class ReplayDifference(NamedTuple):
    """How one column of a published table differs from a replay of it."""

    column: str
    rows: int
    """Rows in which the two differ."""
    first: int
    """Number of the first of them; -1 if there is none."""
    largest: float
    """Largest difference in any row."""


def compare_with_file(table: Study, path: str | os.PathLike[str]) -> list[ReplayDifference]:
    """Differences between a study and the published table, one per column.

    Parameters
    ----------
    table : Study
        Of the design "released". Its rows are compared with the first of the file.
    path : path
        The authors' CSV file.

    Returns
    -------
    list of Difference
        In the order of `COLUMNS`. Two values are equal when they differ by at most 1e-9
        (signal_separation: 1e-6).

    Raises
    ------
    FileError
        If the file is not that table, or has fewer rows than the study.
    """
    published = _read(Path(path), len(table))
    return [
        _difference(name, published[name], table.column(ours)) for name, ours in COLUMNS.items()
    ]


def in_words(differences: list[ReplayDifference], rows: int) -> str:
    """Summary in a line, then one line per column that differs.

    >>> print(in_words([ReplayDifference("pa", 0, -1, 0.0),
    ...                 ReplayDifference("kpa", 3, 5, 0.25)], 15000))
    15,000 rows, 1 of 2 columns equal
    kpa differs in 3 rows, first in row 5, by up to 0.25
    """
    equal = sum(one.rows == 0 for one in differences)
    lines = [f"{rows:,} rows, {equal} of {len(differences)} columns equal"]
    lines += [
        f"{one.column} differs in {one.rows:,} row{'s' * (one.rows != 1)}, first in row "
        f"{one.first:,}, by up to {one.largest:.2g}"
        for one in differences
        if one.rows
    ]
    return "\n".join(lines)


def _read(path: Path, rows: int) -> dict[str, Floats]:
    """First rows of the file, by column."""
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            first = [] if missing else islice(reader, rows)
            found = [[float(row[name]) for name in COLUMNS] for row in first]
    except (OSError, ValueError, TypeError) as error:
        raise FileError(
            f"against must be the published table as CSV, got {str(path)!r}: {error}"
        ) from None
    if missing:
        raise FileError(
            f"against must be the published table, got no column {missing[0]!r} in {str(path)!r}"
        )
    if len(found) < rows:
        raise FileError(
            f"against must have a row for each of the {rows:,} experiments, got {len(found):,} "
            f"rows in {str(path)!r}; ask for fewer experiments"
        )
    return dict(zip(COLUMNS, np.array(found).T, strict=True))


def _difference(name: str, published: Floats, ours: Floats) -> ReplayDifference:
    # they write 0 for the coverage of nothing
    apart = np.abs(np.nan_to_num(ours.astype(np.float64)) - np.nan_to_num(published))
    wrong = np.flatnonzero(apart > (_SEPARATION if name == "signal_separation" else _ROUNDING))
    first = int(wrong[0]) if wrong.size else -1
    return ReplayDifference(name, wrong.size, first, float(apart.max()))
