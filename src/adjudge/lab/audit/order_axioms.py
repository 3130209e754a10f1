"""C-2 and C-3: a better detector scores no less, and only the best scores best.

Both run in the direction that the paper argues for; its printed inequalities are reversed.
"""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.intervals import repeat
from adjudge.lab.audit.axiom import EXACT, SLACK, largest, outcome_of
from adjudge.lab.audit.confidence import OutOfTime, column_means
from adjudge.lab.audit.counterexample import Counterexample, shrink, smallest_size
from adjudge.lab.audit.drawn_cases import SHORT, even_labels, event_bounds, small_case
from adjudge.lab.audit.result import FAIL, PASS, UNDECIDED, Outcome, Result
from adjudge.tables.look import percent

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags, Floats
    from adjudge.lab.audit.run import Run

_CHUNK = 150  # pairs that are looked at together
_COST = 0.01
_PERFECT = 1e-12
_LAYOUTS = ((1, 4, 8), (2, 4, 8), (1, 60, 30), (3, 30, 60), (20, 50, 450))
"""Events, width and gap: the outcome of C-3 is taken on the last."""
HITS = (0.01, 0.05, 0.2, 0.5, 1.0)
"""Rates at which anomalous points are flagged: the lemma's 1 - alpha."""
FALSE = (0.9, 0.3, 0.05, 0.01, 0.002, 0.0)
"""Rates at which normal points are flagged (the lemma's 1 - beta), from the worst to the best."""


def c2(run: Run) -> Result:
    """Drop one true flag, or add one false one: the value never rises."""
    rng = run.rng("C-2")
    done, defined = 0, False
    try:
        while done < run.effort.pairs:
            tables = [_draw_pair(rng, run.kind) for _ in range(_CHUNK)]
            gains = _gains(run, tables)
            done += _CHUNK
            defined |= not np.isnan(gains).all()
            if (gains > EXACT).any():
                return _order_failure(run, tables, gains, done)
    except OutOfTime:
        return Result(
            "C-2", UNDECIDED, f"out of time after {done} pairs, none of them wrong", 0, EXACT, done
        )
    if not defined:
        return Result("C-2", UNDECIDED, "it gave no value to decide by")
    sentence = f"no worse detector scored more, in {done} pairs that differ in one point"
    return Result("C-2", PASS, sentence, 0.0, EXACT, done)


def _order_failure(run: Run, tables: list[Array], gains: Floats, done: int) -> Result:
    place = int(np.nanargmax(gains))
    worst = float(gains[place])
    sentence = f"a worse detector scored {worst:.3g} more, in {np.sum(gains > EXACT)} of "
    sentence += f"{_CHUNK} pairs that differ in one point"
    shown = _shrink_pair(run, tables[place])
    return Result("C-2", FAIL, sentence, worst, EXACT, done, {}, shown)


def _draw_pair(rng: np.random.Generator, kind: str) -> Array:
    """Drawn labels, a detector, and the same made worse in one point, as three rows."""
    if kind == "scores":
        return _draw_scored_pair(rng)
    labels, flags = small_case(rng)
    change = np.flatnonzero(labels == flags)  # a true flag to drop, or a false one to add
    worse = flags.copy()
    if change.size:
        at = rng.choice(change)
        worse[at] = ~worse[at]
    return np.array([labels, flags, worse])


def _draw_scored_pair(rng: np.random.Generator) -> Array:
    """Lower one anomalous point or raise one normal point: a little, or as far as others go.

    Short series with few distinct scores, since areas are wrong there most often.
    """
    n = int(rng.integers(2, 21))
    labels = repeat(rng.random(n) < rng.choice([0.2, 0.5]), rng.integers(1, 4, n))[:n]
    scores = 4 + rng.integers(0, int(rng.integers(2, 8)), n)  # never -1 and 1, which are refused
    worse = scores.copy()
    at = int(rng.integers(n))
    far = rng.random() < 0.5
    step = int(rng.integers(1, 4))
    if labels[at]:
        worse[at] = scores.min() if far else scores[at] - step
    else:
        worse[at] = scores.max() if far else scores[at] + step
    return np.array([labels, scores, worse], np.float64)


def _gains(run: Run, tables: list[Array]) -> Floats:
    """How much more the worse of two detectors scores; NaN where one is undefined."""
    pairs = [(t[0] > 0, row) for t in tables for row in t[1:]]
    found = run.values(pairs).reshape(-1, 2)
    with np.errstate(invalid="ignore"):  # two values without end have no difference
        return np.asarray(found[:, 1] - found[:, 0])


def _dominates(table: Array) -> bool:
    """Whether the first detector flags no less of the truth and no more besides."""
    labels, better, worse = table[0] > 0, table[1], table[2]
    return bool((better >= worse)[labels].all() and (better <= worse)[~labels].all())


def _shrink_pair(run: Run, table: Array) -> Counterexample:
    gain = _gains(run, [table])[0]
    least = max(EXACT, min(gain / 2, 0.02))  # what is left should still be seen

    def shows(candidate: Array) -> bool:
        return _dominates(candidate) and bool(_gains(run, [candidate])[0] > least)

    table = shrink(table, shows)
    labels = table[0] > 0
    return run.example(labels, {"better": table[1], "worse": table[2]})


def c2_population(run: Run) -> Result:
    """Order the expected value over a grid of hit rates and false rates."""
    drawn: list[Floats] = []
    outcome: Outcome = UNDECIDED
    for trials in run.effort.looks()[:-1]:
        with suppress(OutOfTime):
            while outcome == UNDECIDED and len(drawn) < trials:
                drawn.append(_steps(run, len(drawn)))
        if drawn:
            lost = run.confidence.mean_interval(-np.array(drawn))
            outcome = outcome_of(largest(lost.low), largest(lost.high), SLACK)
    name = "C-2-population"
    if not drawn or np.isnan(np.array(drawn)).all():
        return Result(name, UNDECIDED, "it gave no value to decide by")
    mean = column_means(np.array(drawn))
    place = int(np.nanargmin(mean))
    least = float(mean[place])
    sentence = f"one step to a better detector changes the expected value by {least:+.3f} at least "
    sentence += f"({_step_names()[place]}); {-SLACK:+g} is allowed"
    shown = _population_pair(run, np.array(drawn), place) if outcome == FAIL else None
    return Result(name, outcome, sentence, least, -SLACK, len(drawn), {}, shown)


def _grid(run: Run, number: int) -> tuple[Flags, list[Array]]:
    """One detector per cell of the grid, all from the same uniform numbers."""
    rng = run.rng("C-2-population", number)
    labels = SHORT.labels(rng)
    uniform = rng.random(labels.size)
    rest = rng.random(labels.size)
    cells: list[Array] = []
    for hit in HITS:
        for false in FALSE:
            flags = uniform < np.where(labels, hit, false)
            cells.append(flags if run.kind == "flags" else flags + 0.5 * rest)
    return labels, cells


def _steps(run: Run, number: int) -> Floats:
    """How much each step to a better detector gains: more hits, then fewer false alarms."""
    labels, cells = _grid(run, number)
    found = run.values((labels, cell) for cell in cells).reshape(len(HITS), len(FALSE))
    return np.concatenate([np.diff(found, axis=0).ravel(), np.diff(found, axis=1).ravel()])


def _step_cells() -> list[tuple[tuple[float, float], tuple[float, float]]]:
    hits = [((a, false), (b, false)) for a, b in pairwise(HITS) for false in FALSE]
    less = [((hit, a), (hit, b)) for hit in HITS for a, b in pairwise(FALSE)]
    return hits + less


def _step_names() -> list[str]:
    return [
        f"from hits {percent(a)}, false {percent(b, 1)} to hits {percent(c)}, false {percent(d, 1)}"
        for (a, b), (c, d) in _step_cells()
    ]


def _population_pair(run: Run, drawn: Floats, place: int) -> Counterexample | None:
    """Take the trial in which this step lost most: its two detectors are coupled."""
    labels, cells = _grid(run, int(np.nanargmin(drawn[:, place])))
    worse, better = (
        cells[HITS.index(hit) * len(FALSE) + FALSE.index(false)]
        for hit, false in _step_cells()[place]
    )
    with suppress(OutOfTime):
        return _shrink_pair(run, np.array([labels, better, worse], better.dtype))
    return None


def c3(run: Run) -> Result:
    """Perfect is best; one false alarm and one missed event each cost something."""
    perfect, alarm, miss, point = _costs(run, *_LAYOUTS[-1])
    reached = math.isclose(perfect, 1.0, abs_tol=_PERFECT)
    kept = reached and alarm >= _COST and miss >= _COST
    rate = alarm / miss if miss else math.nan
    sentence = f"perfect flags score {perfect:.4g}; one false alarm costs {alarm:.4f}, one missed "
    epsilon = "kept" if reached and min(alarm, miss) > _PERFECT else "broken"
    sentence += f"event {miss:.4f} ({_COST:g} each is required; the paper's epsilon > 0 is "
    sentence += f"{epsilon}); one missed point {point:.4f}"
    sentence += f"; exchange rate {rate:.3g} missed events per false alarm" if miss else ""
    extras = {
        "perfect": perfect, "one false alarm": alarm, "one missed event": miss,
        "one missed point": point, "exchange rate": rate,
    }  # fmt: skip
    statistic = min(alarm, miss) if reached else perfect
    bound = _COST if reached else 1.0
    if np.isnan([perfect, alarm, miss]).any():
        return Result("C-3", UNDECIDED, "it gave no value to decide by", extras=extras)
    shown = None if kept else _c3_example(run)
    outcome = PASS if kept else FAIL
    return Result(
        "C-3", outcome, sentence, statistic, bound, 0, extras, shown, sentence_has_extras=True
    )


def _costs(run: Run, events: int, width: int, gap: int) -> tuple[float, ...]:
    """Perfect value, and the least cost of an alarm, of a missed event, and of a point."""
    labels = even_labels(events, width, gap)
    starts, stops = event_bounds(labels)
    alarms = _false_alarms(labels)
    misses = [_with(labels, a, b, False) for a, b in zip(starts, stops, strict=True)]
    points = [_with(labels, a, a + 1, False) for a in starts]
    given = [run.detection(labels, flags) for flags in (labels, *alarms, *misses, *points)]
    perfect, *others = run.values((labels, row) for row in given)
    cost = perfect - np.array(others)
    parts = np.split(cost, [len(alarms), len(alarms) + len(misses)])
    return (float(perfect), *(float(part.min()) for part in parts))


def _false_alarms(labels: Flags) -> list[Flags]:
    """Add one false point: in the middle of each gap, and at both ends."""
    starts, stops = event_bounds(labels)
    begin, end = np.append(0, stops), np.append(starts, labels.size)
    return [_with(labels, at, at + 1, True) for at in (begin + end) // 2]


def _with(labels: Flags, start: int, stop: int, flag: bool) -> Flags:
    changed = labels.copy()
    changed[start:stop] = flag
    return changed


def _c3_example(run: Run) -> Counterexample:
    """Show the problem on fewer and shorter events, if it shows there."""
    perfect, alarm, *_ = _costs(run, *_LAYOUTS[-1])
    kind = (
        "perfect" if not math.isclose(perfect, 1.0, abs_tol=_PERFECT)
        else "alarm" if alarm < _COST
        else "miss"
    )  # fmt: skip

    def shows(size: int) -> bool:
        here = dict(zip(("perfect", "alarm", "miss"), _costs(run, *_LAYOUTS[size]), strict=False))
        bad = not math.isclose(here["perfect"], 1.0, abs_tol=_PERFECT)
        return bad if kind == "perfect" else not bad and here[kind] < _COST

    last = len(_LAYOUTS) - 1
    labels = even_labels(*_LAYOUTS[smallest_size(range(last), shows, last)])
    return _c3_strip(run, labels, kind)


def _c3_strip(run: Run, labels: Flags, kind: str) -> Counterexample:
    rows: dict[str, Array] = {"perfect": run.detection(labels, labels)}
    if kind != "perfect":
        spans = zip(*event_bounds(labels), strict=True)
        misses = [_with(labels, a, b, False) for a, b in spans]
        options = _false_alarms(labels) if kind == "alarm" else misses
        options = [run.detection(labels, flags) for flags in options]
        best = int(np.argmax(run.values((labels, row) for row in options)))
        rows["then"] = options[best]
    return run.example(labels, rows)
