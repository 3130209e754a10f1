"""Receipts on a page: Python's own rows, at the thresholds where a page can stop.

A page moves through thousands of thresholds; costs are known at some: the given one, the best one
and a few between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count.points import PointCount
from adjudge.count.tally import Tally
from adjudge.judging.receipt import explain_case
from adjudge.reporting.page.assembly import packed_column

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.data.case import Case
    from adjudge.judging.receipt import Receipt
    from adjudge.metrics.metric import Metric
    from adjudge.reporting.page.levels import PageLevels

_ROWS, _MOST, _FEWEST = 1_000, 200, 50  # of events, and of alarms: of all detectors, and of one
_STOPS = 30  # of all detectors together, beside the given and the best


def stops(levels: PageLevels, detectors: int, given: int, best: int) -> list[int]:
    """The levels at which receipts are known: the given, the best, and some evenly by rank."""
    most = min(6, _STOPS // detectors)
    even = np.geomspace(1, levels.at.size, most + 1)[1:-1] if most > 1 else np.zeros(0)
    return sorted({given, best, *even.astype(np.int64).tolist()})


def receipt_rows(metric: Metric, case: Case, at: float, detectors: int) -> dict[str, Any]:
    """The rows of a receipt that matter most, and the sums in a sentence."""
    most = max(_FEWEST, min(_MOST, _ROWS // detectors))
    receipt = explain_case(metric, case, at)
    return {"sums": _sums(receipt), "events": _events(receipt, metric, most),
            "alarms": _alarms(receipt, metric, most)}  # fmt: skip


def _sums(receipt: Receipt) -> str:
    counts, tally = receipt.counts, receipt.tally
    flagged = f", right {tally.right:,g} of {tally.flagged:,g} flagged" if tally.flagged else ""
    noun = "event" if counts["events"] == 1 else "events"
    alarms = "alarm" if counts["alarms"] == 1 else "alarms"
    return (
        f"{counts['found']:,} of {counts['events']:,} {noun} found, {counts['false_alarms']:,} of "
        f"{counts['alarms']:,} {alarms} false; found {tally.found:,g} of {tally.truth:,g}{flagged}"
    )


def _gains(metric: Metric, tally: Tally, lost: Floats, cost: Floats) -> Floats:
    """What the value would gain if these rows were as good as can be, each by itself."""
    joint = isinstance(metric.parts.counting, PointCount)  # what is found is flagged, and right
    measure = metric.parts.measure
    better = Tally(
        tally.found + lost,
        tally.truth + 0 * lost,
        tally.right + joint * lost,
        tally.flagged + joint * lost - cost,
        tally.normal,
    )
    gained: Floats = np.asarray(measure(better), np.float64) - float(measure(tally))
    return gained if metric.row.better == "higher" else -gained


def _events(receipt: Receipt, metric: Metric, most: int) -> dict[str, Any]:
    truth = receipt.truth
    lost = np.asarray(truth.weight - truth.credit, np.float64)
    first = np.sort(np.argsort(-lost, kind="stable")[:most])
    gain = _gains(metric, receipt.tally, lost, 0 * lost)
    return {
        "event": packed_column(first),
        "found": packed_column(truth.found[first].astype(np.int64)),
        "covered": packed_column(truth.covered[first]),
        "earned": packed_column(truth.credit[first]),
        "lost": packed_column(lost[first]),
        "gain": packed_column(gain[first]),
    }


def _alarms(receipt: Receipt, metric: Metric, most: int) -> dict[str, Any]:
    """The rows that cost something or are false, with the alarm that each is a part of."""
    rows, runs = receipt.alarms, receipt.runs
    cost = np.asarray(rows.cost, np.float64)
    listed = np.flatnonzero((cost > 0) | (rows.event < 0))
    listed = np.sort(listed[np.argsort(-cost[listed], kind="stable")[:most]])
    run = np.searchsorted(runs.start, rows.start[listed], side="right") - 1
    scores = receipt.case.scores
    ends = zip(rows.start[listed].tolist(), rows.stop[listed].tolist(), strict=True)
    peaks = [float(scores[start:stop].max()) for start, stop in ends]
    gain = _gains(metric, receipt.tally, 0 * cost, cost)
    return {
        "start": packed_column(rows.start[listed]),
        "stop": packed_column(rows.stop[listed]),
        "from": packed_column(rows.island_start[listed]),
        "to": packed_column(rows.island_stop[listed]),
        "event": packed_column(rows.event[listed]),
        "alarm": packed_column(np.append(runs.start, 0)[run]),
        "touches": packed_column(np.append(runs.event, -1)[run]),
        "cost": packed_column(cost[listed]),
        "gain": packed_column(gain[listed]),
        "peak": packed_column(np.array(peaks)),
    }
