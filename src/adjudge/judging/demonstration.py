"""The demonstration: five detectors on simulated labels, nothing to download.

Twelve events in 10,000 points, all drawn from one seed, so that everyone sees the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import SEEDS, whole
from adjudge.count.runs import Runs
from adjudge.data.events import Events
from adjudge.judging.doors.evaluate import evaluate
from adjudge.metrics.reader import metric
from adjudge.tables.look import SCORES

if TYPE_CHECKING:
    from typing import Any

    from adjudge._typing import Flags
    from adjudge.judging.judgement import Judgement

_POINTS = 10_000
_EVENTS = 12
SEED = 0
METRICS = ("f1", "f1_pa", "f1_kpa", "f1_ba")
COIN, DECENT, PAGER, ALWAYS, WIDE = (
    "coin flip on 3 % of points",
    "decent: 8 of 12 events, 5 false runs",
    "pager: one point per event",
    "always-on alarm",
    "perfect, one point too wide",
)


def detectors(seed: int = SEED) -> tuple[Events, dict[str, Flags]]:
    """Draw the labels and the flags of the five detectors."""
    rng = np.random.default_rng(whole(seed, "seed", 0, SEEDS))
    slot = _POINTS // _EVENTS
    widths = rng.integers(60, 141, _EVENTS)
    starts = np.arange(_EVENTS, dtype=np.int64) * slot + rng.integers(150, slot - 200, _EVENTS)
    events = Events(starts, starts + widths, _POINTS)
    decent = np.zeros(_POINTS, bool)
    for event in rng.choice(_EVENTS, 8, replace=False):
        first = starts[event] + rng.integers(0, 10)
        decent[first : first + widths[event] // 2] = True
    for gap in rng.choice(_EVENTS, 5, replace=False):
        first = gap * slot + rng.integers(20, 100)
        decent[first : first + rng.integers(3, 9)] = True
    pager = np.zeros(_POINTS, bool)
    pager[starts + rng.integers(0, widths)] = True
    wide = events.labels.copy()
    wide[starts - 1] = wide[starts + widths] = True
    return events, {
        COIN: rng.random(_POINTS) < 0.03,
        DECENT: decent,
        PAGER: pager,
        ALWAYS: np.ones(_POINTS, bool),
        WIDE: wide,
    }


def demonstration(seed: int = SEED) -> tuple[list[str], list[list[Any]], list[str]]:
    """Judge the five: the head of the table, its rows, and what it shows, in sentences."""
    events, flags = detectors(seed)
    judged = evaluate(events, flags, METRICS, chance=False)
    tested = evaluate(events, flags, "f1_ba")
    rows = []
    for name, flagged in flags.items():
        found, truth, right, runs, _ = Runs().masses(flagged, events).at(False)
        values = [judged[name, spec] for spec in METRICS]
        (row,) = tested.of(name)
        rows.append([name, f"{found}/{truth}", runs - right, *values, row.chance, row.p_value])
    head = ["detector", "found", "false runs", *SCORES.values(), "by chance", "p"]
    return head, rows, _sentences(events, flags, judged)


def _sentences(events: Events, flags: dict[str, Flags], judged: Judgement) -> list[str]:
    forgiven = metric("f1_ba(margin=1)")(events, flags[WIDE])
    return [
        f"PA ranks the coin flip ({judged[COIN, 'f1_pa']:.2f}) {_place(judged, 'f1_pa')} the "
        f"detector that works ({judged[DECENT, 'f1_pa']:.2f}). BA ranks it "
        f"{_place(judged, 'f1_ba')}: {judged[COIN, 'f1_ba']:.2f} against "
        f"{judged[DECENT, 'f1_ba']:.2f}.",
        "BA needs one hit per event, not coverage: one point per event scores "
        f"{judged[PAGER, 'f1_ba']:.2f}. It is strict about alarms that start early or end "
        f"late: one point too wide on both sides scores {judged[WIDE, 'f1_ba']:.2f}. With "
        f"margin=1 one point is forgiven: {forgiven:.2f}.",
        "Try your own file: adjudge evaluate FILE.csv with columns label and score "
        "(--at X for a threshold, --best for the best one).",
    ]


def notes(seed: int = SEED) -> list[str]:
    """Explain the columns of the table."""
    events, _ = detectors(seed)
    return [
        "found: events with an alarm in them. false runs: runs of alarms outside all events.",
        "F1: point by point. PA (point adjustment): one hit counts as the whole event. "
        "K%-PA: only if a fifth of the event is flagged.",
        "BA (balanced adjustment): a hit counts as the whole event, and a false alarm as "
        f"{metric('f1_ba').resolved(events).parts.adjust.island_width} points.",
        "by chance: mean BA of the same alarms shifted in time. p: the share of these shifts "
        "with a BA at least as high.",
    ]


def _place(judged: Judgement, spec: str) -> str:
    return "above" if judged[COIN, spec] > judged[DECENT, spec] else "below"
