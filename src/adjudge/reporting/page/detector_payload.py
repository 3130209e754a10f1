"""All that a page knows of one detector: its thresholds, its metrics at each, and its verdict."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge._version import __version__
from adjudge.data.durations import NANOSECONDS, in_words
from adjudge.data.intervals import reduceat
from adjudge.errors import visible
from adjudge.judging.judge.verdict import is_below_chance, is_better_than_chance, main_row
from adjudge.judging.result_columns import Finding
from adjudge.judging.words.citation import citation
from adjudge.measure.thresholds.text import threshold_text
from adjudge.metrics.oracle import best_of
from adjudge.metrics.spec import metric_name
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.reporting.page.assembly import (
    packed_flags,
    packed_numbers,
    packed_scores,
    plain_name,
)
from adjudge.reporting.page.levels import LevelCounts, PageLevels, counted, levels_of, peaks, texts
from adjudge.reporting.page.metric_payload import (
    HARDLY,
    PageChance,
    ShownMetric,
    best_thresholds,
    chance_levels,
    column_codes,
    family,
    is_tested,
    lanes,
    machine,
    packed,
    shown_metrics,
    titles,
)
from adjudge.reporting.page.receipt_payload import receipt_rows, stops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Positions
    from adjudge.data.case import Case
    from adjudge.data.events import Events

_SLIDE = 10  # detectors up to which alarms slide
_COLUMNS = 4_096  # of one detector; of many fewer
_ALL_COLUMNS, _FEWEST_COLUMNS = 40_000, 400
_BAND = 199  # places for the band of the best threshold


class PageFrame(NamedTuple):
    """What all detectors of a page share."""

    starts: Positions
    """Where columns of points begin."""
    detectors: int
    step: float
    """The seconds for which a point stands."""
    short: bool
    """Whether the scores are too many to ship."""
    shared: dict[tuple[Any, ...], Any]
    """Shifts that were chosen already."""
    read_as: str = ""
    """The file and the options that read it, as a shell has them; "": there is none."""


def column_starts(events: Events, detectors: int) -> Positions:
    """Part each series into columns, in proportion to its length."""
    bounds = events.series_bounds
    most = max(_FEWEST_COLUMNS, min(_COLUMNS, _ALL_COLUMNS // detectors))
    parts = []
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        share = max(64, most * (stop - start) // events.n)
        parts.append(
            np.unique(np.linspace(start, stop, min(share, stop - start) + 1).astype(np.int64))
        )
    return np.concatenate([part[:-1] for part in parts])


def detector(case: Case, rows: Sequence[Finding], frame: PageFrame) -> dict[str, Any]:
    """Everything at each threshold, the scores to draw, and the verdict as it was given."""
    shown = shown_metrics(case, rows)
    at, chosen_by, rule = _threshold(case, rows, shown)
    sweeps = all(one.curve is not None for one in shown)
    levels = levels_of(case, frame.detectors, (at, *best_thresholds(shown)), sweeps=sweeps)
    given = levels.of_threshold(case, at)
    known, metrics = counted(case, levels, frame.step), _metrics(case, shown, levels, given, frame)
    main = dict(metrics["metrics"][0]["exact"])[given]
    return {
        "name": plain_name(case.name),
        "scores": None if frame.short else _scores(case, levels),
        "overview": _overview(case, levels, frame.starts) if frame.short else None,
        "precision": _precision(case),
        "flags": case.is_flags,
        "at": at,
        "at_text": threshold_text(at, case, chosen_by),
        "given": given,
        "chosen_by": chosen_by,
        "rule": rule,
        "command": _command(case, frame),
        "levels": packed_numbers(levels.at),
        "texts": texts(case, levels),
        "exact": levels.exact,
        "events": peaks(case, levels),
        **known.packed(),
        "tiles": _tiles(known, given, main, case),
        **metrics,
        "verdict": {
            **verdict_of(shown[0].row, rows, frame.detectors),
            **_band_of_best(case, shown[0].row),
        },
    }


def _command(case: Case, frame: PageFrame) -> str:
    """What picks a threshold for new data, with the names of the file and the columns.

    Without times there are no weeks to choose on: then half of the points chooses for the others.
    """
    half = f"0:{case.events.n // 2}"
    if frame.read_as:
        read = f"{frame.read_as} --score {shlex.quote(visible(case.name))}"
        if case.events.clock is not None:
            return f"adjudge decide {read} --budget 3/week"
        tuned = shlex.quote(f'tuned(f1_ba, on="{half}")')
        return f"adjudge evaluate {read} --at {tuned}"
    scores = "scores" if frame.detectors == 1 else f"scores[{visible(case.name)!r}]"
    if case.events.clock is not None:
        return f'adjudge.decide(labels, {scores}, time=time, budget="3/week")'
    return f'adjudge.evaluate(labels, {scores}, at=adjudge.tuned("f1_ba", on="{half}"))'


def _tiles(known: LevelCounts, given: int, value: float, case: Case) -> dict[str, str]:
    """The four numbers at the given threshold, for a browser without scripts."""
    weekly, delay, events = known.per_week[given], known.delay[given], len(case.events)
    false = f"{known.wrong[given]:,}" if math.isnan(weekly) else f"{weekly:.2g} a week"
    late = in_words(delay * NANOSECONDS["s"]) if case.events.clock else f"{delay:g} points"
    return {
        "found": f"{known.found[given]} of {events}" if events else "",
        "false": false,
        "delay": "" if math.isnan(delay) else late,
        "score": "" if math.isnan(value) else f"{value:.2f}",
    }


def _metrics(
    case: Case, shown: Sequence[ShownMetric], levels: PageLevels, given: int, frame: PageFrame
) -> dict[str, Any]:
    """Values, chance, receipts and lanes of each metric."""
    main, together = shown[0], family(shown)
    pairs = [packed(one, case, levels, given) for one in shown]
    found, values = [one for one, _ in pairs], [one for _, one in pairs]
    best, close = found[0]["best"], together or [0]
    few = sorted({given, best})
    often = chance_levels(case, frame.detectors, levels, few)
    turned = None
    if is_tested(main.row) and len(case.events):
        turned = PageChance(case, frame.shared, frame.detectors)
    for k, (one, own, title) in enumerate(zip(shown, found, titles(shown), strict=True)):
        own["title"] = title
        at = often if k in close else few
        known = one, levels, values[k], given
        own["chance"] = None if turned is None else turned.packed(*known, at, band=k == 0)
        own["lanes"] = lanes(one, case, levels, frame.starts) if k in close[-2:] else None
        at = [given] if k else stops(levels, frame.detectors, given, best)
        own["receipts"] = {
            str(place): receipt_rows(one.metric, case, float(levels.at[place]), frame.detectors)
            for place in at
            if one.metric.has_receipt
        }
    slid = None
    judged = main.row is not None and main.row.chosen_by != "oracle"
    if turned is not None and judged and frame.detectors <= _SLIDE:
        seen = close[-2:]
        of, theirs = [shown[k] for k in seen], [values[k] for k in seen]
        slid = {"of": seen, **machine(turned, of, levels, theirs, given)}
    return {"metrics": found, "family": together, "machine": slid}


def verdict_of(row: Finding | None, rows: Sequence[Finding], detectors: int) -> dict[str, Any]:
    """What is known of one of several detectors at the threshold that it was judged at."""
    tested = row is not None and not math.isnan(row.p_value)
    row = row or Finding("", "f1_ba", math.nan, None, "given")
    return {
        "tested": tested,
        "better": tested and is_better_than_chance([row]),
        "hardly": row.corrected < HARDLY,
        "below": tested and is_below_chance(row, detectors),
        "value": row.value,
        "chance": row.chance,
        "chance_low": math.nan,
        "chance_high": math.nan,
        "low": row.low,
        "high": row.high,
        "p": row.p_value,
        "p_nearby": row.p_nearby,
        "p_adjusted": row.p_adjusted,
        "needed": row.events_needed,
        "cite": citation(cited(rows), __version__),
    }


def _band_of_best(case: Case, row: Finding | None) -> dict[str, float]:
    """Where nine places of ten lie, each with its own best threshold: no page can look for it."""
    if (
        row is None
        or row.chosen_by != "oracle"
        or math.isnan(row.p_value)
        or not row.resolved_metric
    ):
        return {}
    values = CaseShifts(case).values(row.resolved_metric, _BAND).values
    defined = values[np.isfinite(values)]
    if not defined.size:
        return {}
    low, high = np.quantile(defined, [0.05, 0.95], method="inverted_cdf").tolist()
    return {"chance_low": low, "chance_high": high}


def _scores(case: Case, levels: PageLevels) -> dict[str, Any]:
    if case.is_flags:
        return packed_flags(case.flags)
    return packed_scores(case.scores, levels.at, exact=levels.exact)


def _precision(case: Case) -> str:
    """Say to what a threshold is rounded before it is compared."""
    dtype = case.given.dtype
    return f"f{dtype.itemsize}" if dtype.kind == "f" and dtype.itemsize <= 8 else "f8"


def _threshold(
    case: Case, rows: Sequence[Finding], shown: Sequence[ShownMetric]
) -> tuple[float, str, str]:
    """Choose where the slider starts: at the threshold of the rows, or else at the best one.

    And who chose it, by which rule.
    """
    asked = [one.row for one in shown if one.row is not None]
    for row in (*asked, *rows):
        if row.at is not None:
            tuned = row.rule.startswith("tuned(")
            return row.at, "tuned" if tuned else row.chosen_by, row.rule
    if case.is_flags:
        return 0.0, "given", ""
    found = best_of(shown[0].metric).reading(case)
    return -np.inf if found.at is None else found.at, "oracle", ""


def cited(rows: Sequence[Finding]) -> Finding:
    """Choose the row to cite: the one that the verdict is about, or else balanced F1."""
    return main_row(rows) or balanced(rows) or rows[0]


def balanced(rows: Sequence[Finding]) -> Finding | None:
    """The row of the balanced score, if it was asked for."""
    return next((row for row in rows if metric_name(row.metric) == "f1_ba"), None)


def _overview(case: Case, levels: PageLevels, starts: Positions) -> dict[str, Any]:
    """What to draw of a series too long to ship: extremes of columns, and where alarms are."""
    events, scores = case.events, case.scores
    return {
        "low": packed_numbers(reduceat(np.minimum, scores, starts).astype(np.float32)),
        "high": packed_numbers(reduceat(np.maximum, scores, starts).astype(np.float32)),
        "hits": column_codes(scores, events.labels, levels, starts),
        "falls": column_codes(scores, events.normal, levels, starts),
    }
