"""The numbers that bear on the claims of the paper's experiments section, from a table of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.events import Events
from adjudge.measure.whole.separation import hellinger, separation
from adjudge.simulation.event_profile import attributes

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags
    from adjudge.experiments.paper_claims.claim import Columns, Numbers

_LEAST_ROWS = 20  # of a panel, as in the figures
SCORES = {"f1": "f1", "pa": "f1_pa", "kpa": "f1_kpa", "ba": "f1_ba", "ba25": "f1_ba_authors"}


def _within(values: Array, low: float, high: float) -> Flags:
    inside: Flags = (values > low) & (values < high)
    return inside


def _mean(values: Array) -> float:
    return float(values.mean()) if values.size >= _LEAST_ROWS else np.nan


def _high(values: Array) -> float:
    """The value that one in twenty exceeds."""
    return float(np.quantile(values, 0.95)) if values.size >= 5 * _LEAST_ROWS else np.nan


def _panel(table: Columns, column: str, low: float, high: float) -> Flags:
    """Choose rows by one of precision and recall, the other being medium."""
    other = {"precision": "recall", "recall": "precision"}[column]
    return _within(table[column], low, high) & _within(table[other], 0.25, 0.75)


def _means(table: Columns, rows: Flags, prefix: str = "") -> Numbers:
    return {prefix + key: _mean(table[name][rows]) for key, name in SCORES.items()}


def _event_f1(table: Columns) -> Array:
    precision, recall = table["precision"], table["recall"]
    with np.errstate(divide="ignore", invalid="ignore"):
        harmonic: Array = 2 * precision * recall / (precision + recall)
    return harmonic


def rank_correlations(table: Columns) -> Numbers:
    """The weakest rank correlation of each score with separation, over three panels."""
    from scipy.stats import spearmanr  # noqa: PLC0415 - slow to import

    panels = [_panel(table, "recall", *part) for part in ((-1, 0.25), (0.25, 0.75), (0.75, 2))]
    if min(panel.sum() for panel in panels) < _LEAST_ROWS:
        return dict.fromkeys(SCORES, np.nan)
    return {
        key: min(spearmanr(table[name][p], table["separation"][p]).statistic for p in panels)
        for key, name in SCORES.items()
    }


def swapped_rates(table: Columns) -> Numbers:
    """How often n/N, taken for a recall, exceeds 1."""
    counted = attributes(_flags([0, 1, 0, 1, 0]), Events.from_labels([0, 1, 1, 1, 0]))
    over = table["true_runs"] > table["events"]
    return {
        "example": counted.true_runs / counted.events,
        "n_over": over.sum(),
        "n_all": over.size,
        "most": (table["true_runs"] / table["events"]).max(),
    }


def runs_and_events(table: Columns) -> Numbers:
    """How often more events are found than runs touch one."""
    counted = attributes(_flags([0, 1, 1, 1, 0]), Events.from_labels([0, 1, 0, 1, 0]))
    more = table["events_found"] > table["true_runs"]
    return {
        "n_found": counted.events_found, "n_touching": counted.true_runs,
        "n_more": more.sum(), "n_all": more.size,
    }  # fmt: skip


def coverage_means(_: Columns) -> Numbers:
    """Cover half of one event with two runs."""
    counted = attributes(_flags([1, 0, 1, 0]), Events.from_labels([1, 1, 1, 1]))
    covered = counted.coverage * counted.events_found
    return {"right": counted.coverage, "printed": covered / counted.true_runs}


def separation_of_a_sliver(_: Columns) -> Numbers:
    """Let the scores of normal and anomalous points overlap by a sliver."""
    scores = np.append(np.linspace(0, 1, 1000), np.linspace(0.997, 2, 1000))
    events = Events.from_intervals([(1000, 2000)], 2000)
    return {"index": separation(scores, events), "distance": hellinger(scores, events)}


def middle_halves(table: Columns) -> Numbers:
    """Coverage and separation of the middle half of the experiments."""
    middle = {
        name: np.nanquantile(table[name], (0.25, 0.75)) for name in ("coverage", "separation")
    }
    return {
        f"{name}_{end}": middle[name][i] for name in middle for i, end in enumerate(("low", "high"))
    }


def _flags(values: list[int]) -> Flags:
    return np.array(values, bool)


def largest_f1(table: Columns) -> Numbers:
    """Largest pointwise F1."""
    return {"largest": table["f1"].max()}


def low_panel(table: Columns) -> Numbers:
    """What one PA and one KPA in twenty exceed, in the panel of the caption and of the plot."""
    captioned = _panel(table, "recall", -1, 0.25)
    plotted = _panel(table, "precision", -1, 0.25)
    return {
        "pa_captioned": _high(table["f1_pa"][captioned]),
        "kpa_captioned": _high(table["f1_kpa"][captioned]),
        "pa_plotted": _high(table["f1_pa"][plotted]),
        "kpa_plotted": _high(table["f1_kpa"][plotted]),
    }


def means_at_low_precision(table: Columns) -> Numbers:
    """Mean of each score at precision below 25 %."""
    return _means(table, _panel(table, "precision", -1, 0.25))


def lead_of_pa(table: Columns) -> Numbers:
    """How far PA is ahead of BA, in the panel of the caption and of the plot."""
    rows = {
        "captioned": _panel(table, "recall", 0.75, 2),
        "plotted": _panel(table, "precision", 0.75, 2),
    }
    return {
        name + key: _mean((table["f1_pa"] - table[column])[chosen])
        for name, chosen in rows.items()
        for key, column in (("", "f1_ba"), ("25", "f1_ba_authors"))
    }


def slopes(table: Columns) -> Numbers:
    """Least-squares slope of each score against precision."""
    rows = _panel(table, "precision", -1, 2)
    if np.unique(table["precision"][rows]).size < 2:
        return dict.fromkeys(SCORES, np.nan)
    return {
        key: np.polyfit(table["precision"][rows], table[name][rows], 1)[0]
        for key, name in SCORES.items()
    }


def beside_event_f1(table: Columns) -> Numbers:
    """Hold PA and KPA against the F-score of events, at low and at high precision."""
    low, high = _panel(table, "precision", -1, 0.25), _panel(table, "precision", 0.75, 2)
    events = _event_f1(table)
    return {
        "pa_low": _mean((table["f1_pa"] - events)[low]),
        "kpa_high": _mean((table["f1_kpa"] - events)[high]),
    }


def distances_of_ba(table: Columns) -> Numbers:
    """Mean distance of BA to PA and to KPA, at low and at high precision."""
    low, high = _panel(table, "precision", -1, 0.25), _panel(table, "precision", 0.75, 2)
    found: Numbers = {}
    for key in ("f1_ba", "f1_ba_authors"):
        short = "ba25" if key.endswith("authors") else "ba"
        for other in ("pa", "kpa"):
            gap = np.abs(table[key] - table[f"f1_{other}"])
            found |= {f"{short}_{other}_low": _mean(gap[low])}
            found |= {f"{short}_{other}_high": _mean(gap[high])}
    return found


def coverage_drop(table: Columns) -> Numbers:
    """Change of each mean from medium to high coverage, with its standard error."""
    high = _panel(table, "precision", 0.75, 2)
    medium, wide = high & _within(table["coverage"], 0.2, 0.3), high & (table["coverage"] > 0.3)
    falls = {key: _fall(table[name][medium], table[name][wide]) for key, name in SCORES.items()}
    return {
        **{key: change for key, (change, _) in falls.items()},
        **{f"{key}_error": error for key, (_, error) in falls.items()},
        "n_wide": wide.sum(),
        "n_clear": sum(change < -2 * error for change, error in falls.values()),
        "recall_medium": _mean(table["recall"][medium]),
        "recall_wide": _mean(table["recall"][wide]),
    }


def _fall(before: Array, after: Array) -> tuple[float, float]:
    """Change of the mean, and its standard error."""
    if min(before.size, after.size) < _LEAST_ROWS:
        return np.nan, np.nan
    error = np.sqrt(before.var(ddof=1) / before.size + after.var(ddof=1) / after.size)
    return float(after.mean() - before.mean()), float(error)


def harmonic_bound(table: Columns) -> Numbers:
    """How often scores exceed the harmonic mean of 0.75 and their recall."""
    rows = _panel(table, "recall", -1, 2)
    bound = 2 * 0.75 * table["recall"] / (0.75 + table["recall"])
    full = rows & (table["recall"] > 0.9)
    narrow = table["coverage"] < 0.2
    return {
        "bound": 2 * 0.75 / 1.75,
        "pa": _mean((table["f1_pa"] > bound)[rows]),
        "ba": _mean((table["f1_ba"] > bound)[rows]),
        "ba25": _mean((table["f1_ba_authors"] > bound)[rows]),
        "pa_narrow": _mean(table["f1_pa"][full & narrow]),
        "pa_wide": _mean(table["f1_pa"][full & ~narrow]),
    }


def underestimates(table: Columns) -> Numbers:
    """How far scores lie from the F-score of events, on average."""
    rows, events = _panel(table, "recall", 0, 2), _event_f1(table)
    narrow = rows & (table["coverage"] < 0.2)
    off = {key: _mean((table[SCORES[key]] - events)[rows]) for key in ("f1", "kpa", "ba", "ba25")}
    return {**off, "kpa_narrow": _mean((table["f1_kpa"] - events)[narrow])}


def bin_spreads(table: Columns) -> Numbers:
    """How many times more experiments the largest bin holds than the smallest."""

    def counts(values: Array, low: float, high: float) -> Array:
        parts = values < low, (values >= low) & (values <= high), values > high
        return np.array([part.sum() for part in parts])

    recall, coverage = counts(table["recall"], 0.25, 0.75), counts(table["coverage"], 0.2, 0.3)
    return {"x_recall": _spread(recall), "x_coverage": _spread(coverage)}


def _spread(counts: Array) -> float:
    return float(counts.max() / counts.min()) if counts.min() else np.nan
