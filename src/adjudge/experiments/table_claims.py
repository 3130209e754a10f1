"""The claims of the paper's experiments section, judged on a table of experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.experiments.claim import CORRECTED, FAILS, HOLDS, Claim, Numbers

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags
    from adjudge.experiments.claim import Columns

_NOTICEABLE = 0.02
_SCORES = {"f1": "f1", "pa": "f1_pa", "kpa": "f1_kpa", "ba": "f1_ba", "ba25": "f1_ba_authors"}


def _within(values: Array, low: float, high: float) -> Flags:
    inside: Flags = (values > low) & (values < high)
    return inside


def _mean(values: Array) -> float:
    return float(values.mean()) if values.size else np.nan


def _most(values: Array) -> float:
    return float(values.max()) if values.size else np.nan


def _panel(table: Columns, column: str, low: float, high: float) -> Flags:
    """Choose rows by one of precision and recall, the other being medium."""
    other = {"precision": "recall", "recall": "precision"}[column]
    return _within(table[column], low, high) & _within(table[other], 0.25, 0.75)


def _means(table: Columns, rows: Flags, prefix: str = "") -> Numbers:
    return {prefix + key: _mean(table[name][rows]) for key, name in _SCORES.items()}


def _event_f1(table: Columns) -> Array:
    precision, recall = table["precision"], table["recall"]
    with np.errstate(invalid="ignore"):
        harmonic: Array = 2 * precision * recall / (precision + recall)
    return harmonic


def _ranks_with(table: Columns, column: str) -> Numbers:
    """Give the rank correlation of each score with a column."""
    from scipy.stats import spearmanr  # noqa: PLC0415 - slow to import

    return {key: spearmanr(table[name], table[column]).statistic for key, name in _SCORES.items()}


def _swapped(table: Columns) -> Numbers:
    over = table["true_runs"] > table["events"]
    return {
        "n_over": over.sum(),
        "n_all": over.size,
        "most": (table["true_runs"] / table["events"]).max(),
    }


def _counts(table: Columns) -> Numbers:
    more = table["events_found"] > table["true_runs"]
    return {"n_more": more.sum(), "n_all": more.size, "m": 2, "n": 1}


def _largest_f1(table: Columns) -> Numbers:
    return {"largest": table["f1"].max()}


def _low_panel(table: Columns) -> Numbers:
    captioned = _panel(table, "recall", -1, 0.25)
    plotted = _panel(table, "precision", -1, 0.25)
    return {
        "captioned": _most(table["f1_pa"][captioned]),
        "captioned_kpa": _most(table["f1_kpa"][captioned]),
        "plotted": _most(table["f1_pa"][plotted]),
        "plotted_kpa": _most(table["f1_kpa"][plotted]),
    }


def _least_affected(table: Columns) -> Numbers:
    return _means(table, _panel(table, "precision", -1, 0.25))


def _converge(table: Columns) -> Numbers:
    rows = {
        "captioned": _panel(table, "recall", 0.75, 2),
        "plotted": _panel(table, "precision", 0.75, 2),
    }
    return {
        name + key: _mean((table["f1_pa"] - table[column])[chosen])
        for name, chosen in rows.items()
        for key, column in (("", "f1_ba"), ("25", "f1_ba_authors"))
    }


def _slopes(table: Columns) -> Numbers:
    rows = _panel(table, "precision", -1, 2)
    if np.unique(table["precision"][rows]).size < 2:
        return dict.fromkeys(_SCORES, np.nan)
    return {
        key: np.polyfit(table["precision"][rows], table[name][rows], 1)[0]
        for key, name in _SCORES.items()
    }


def _against_events(table: Columns) -> Numbers:
    """Hold PA and KPA against the F-score of events, at low and at high precision."""
    low, high = _panel(table, "precision", -1, 0.25), _panel(table, "precision", 0.75, 2)
    events = _event_f1(table)
    return {
        "pa_low": _mean((table["f1_pa"] - events)[low]),
        "kpa_high": _mean((table["f1_kpa"] - events)[high]),
    }


def _behaves_like(table: Columns) -> Numbers:
    low, high = _panel(table, "precision", -1, 0.25), _panel(table, "precision", 0.75, 2)
    found: Numbers = {}
    for key in ("f1_ba", "f1_ba_authors"):
        short = "ba25" if key.endswith("authors") else "ba"
        for other in ("pa", "kpa"):
            gap = np.abs(table[key] - table[f"f1_{other}"])
            found |= {f"{short}_{other}_low": _mean(gap[low])}
            found |= {f"{short}_{other}_high": _mean(gap[high])}
    return found


def _coverage_drop(table: Columns) -> Numbers:
    high = _panel(table, "precision", 0.75, 2)
    medium, wide = high & _within(table["coverage"], 0.2, 0.3), high & (table["coverage"] > 0.3)
    return {
        **{key: _mean(table[n][wide]) - _mean(table[n][medium]) for key, n in _SCORES.items()},
        "n_wide": wide.sum(),
        "recall_medium": _mean(table["recall"][medium]),
        "recall_wide": _mean(table["recall"][wide]),
    }


def _bound(table: Columns) -> Numbers:
    rows = _panel(table, "recall", -1, 2)
    bound = 2 * 0.75 * table["recall"] / (0.75 + table["recall"])
    full = rows & (table["recall"] > 0.9)
    return {
        "bound": 2 * 0.75 / 1.75,
        "pa": _mean((table["f1_pa"] > bound)[rows]),
        "ba": _mean((table["f1_ba"] > bound)[rows]),
        "ba25": _mean((table["f1_ba_authors"] > bound)[rows]),
        "pa_full": _mean(table["f1_pa"][full]),
        "pa_most": _most(table["f1_pa"][rows]),
    }


def _underestimates(table: Columns) -> Numbers:
    rows, events = _panel(table, "recall", 0, 2), _event_f1(table)
    return {key: _mean((table[_SCORES[key]] - events)[rows]) for key in ("f1", "kpa", "ba", "ba25")}


def _bins(table: Columns) -> Numbers:
    def counts(values: Array, low: float, high: float) -> Array:
        parts = values < low, (values >= low) & (values <= high), values > high
        return np.array([part.sum() for part in parts])

    recall, coverage = counts(table["recall"], 0.25, 0.75), counts(table["coverage"], 0.2, 0.3)
    return {"recall": _spread(recall), "coverage": _spread(coverage)}


def _spread(counts: Array) -> float:
    return float(counts.max() / counts.min()) if counts.min() else np.nan


TABLE = (
    Claim(
        "precision is m/M and recall n/N", "data preparation",
        "With m events found of N, and n runs that touch one of M: precision m/M, recall n/N.",
        _swapped, lambda n: HOLDS if n["most"] <= 1 else CORRECTED,
        "The two are swapped: n/N exceeds 1 in {n_over} of {n_all} experiments (up to {most}). "
        "Here precision is n/M and recall m/N, as in the authors' code.",
    ),
    Claim(
        "m is at most n", "data preparation",
        "At least as many runs touch an event as there are events found.",
        _counts, lambda n: HOLDS if n["m"] <= n["n"] else FAILS,
        "One run over two events is m = 2, n = 1; it happens in {n_more} of {n_all} experiments.",
    ),
    Claim(
        "all scores rise with separation", "figure 4, text",
        "All four scores increase with the separation of scores.",
        lambda table: _ranks_with(table, "separation"),
        lambda n: HOLDS if min(n.values()) > 0.5 else FAILS,
        "Rank correlations: F1 {f1}, PA {pa}, KPA {kpa}, BA {ba}, BA of width 25 {ba25}.",
    ),
    Claim(
        "pointwise F1 is always low", "figure 4, text (a)",
        "Pointwise F1 is very low, even with high recall and high separation.",
        _largest_f1, lambda n: HOLDS if n["largest"] < 0.6 else FAILS,
        "Its largest value is {largest}: detections cover 10 to 24 points of 50 to 99.",
    ),
    Claim(
        "PA reaches 0.8 at low recall", "figure 4, text (b)",
        "With recall below 25 % (and medium precision) PA and KPA come close to 0.8.",
        _low_panel,
        lambda n: HOLDS if n["captioned"] > 0.6 else CORRECTED if n["plotted"] > 0.6 else FAILS,
        "At recall below 25 % PA is at most {captioned}, KPA {captioned_kpa}. The plot shows "
        "*precision* below 25 % (at medium recall), where PA reaches {plotted}, KPA {plotted_kpa}.",
    ),
    Claim(
        "BA is least affected", "figure 4, text (b)",
        "There BA is least affected, as it penalises false positives.",
        _least_affected,
        lambda n: CORRECTED if n["ba"] < min(n["pa"], n["ba25"]) else FAILS,
        "Means at precision below 25 %: PA {pa}, BA of width 25 {ba25}, KPA {kpa}, BA {ba}, "
        "F1 {f1}. With the default width BA lies lowest of the adjusted scores; as the "
        "authors ran it, KPA lies lower.",
    ),
    Claim(
        "BA and PA converge at high recall", "figure 4, text (c)",
        "For high recall BA and PA converge.",
        _converge,
        lambda n: HOLDS
        if n["captioned25"] < 0.02
        else CORRECTED if n["plotted25"] < 0.02 else FAILS,
        "At recall above 75 % PA is ahead of BA by {captioned} (width 25: {captioned25}). At "
        "*precision* above 75 %, which the plot shows, by {plotted} ({plotted25}).",
    ),
    Claim(
        "BA is most sensitive to precision", "figure 5, text (a)",
        "Among all scores BA has the steepest slope against precision.",
        _slopes, lambda n: HOLDS if max(n, key=lambda key: n[key]) in ("ba", "ba25") else FAILS,
        "Slopes at medium recall: BA {ba}, BA of width 25 {ba25}, KPA {kpa}, PA {pa}, F1 {f1}.",
    ),
    Claim(
        "PA overestimates, KPA underestimates", "figure 5, text (b)",
        "PA is too high at low precision, and KPA too low at high precision.",
        _against_events, lambda n: HOLDS if n["pa_low"] > 0 > n["kpa_high"] else FAILS,
        "Held against the F-score of events: PA {pa_low} at precision below 25 %, KPA {kpa_high} "
        "above 75 %.",
    ),
    Claim(
        "BA is like KPA at low and like PA at high precision", "figure 5, text (b)",
        "BA behaves like KPA at low precision and like PA at high precision.",
        _behaves_like,
        lambda n: HOLDS
        if n["ba_kpa_low"] < n["ba_pa_low"] and n["ba_pa_high"] < n["ba_kpa_high"]
        else FAILS,
        "Mean distance of BA at precision below 25 %: {ba_kpa_low} to KPA, {ba_pa_low} to PA; "
        "above 75 %: {ba_kpa_high} and {ba_pa_high}. (Width 25: {ba25_kpa_low}, {ba25_pa_low}; "
        "{ba25_kpa_high}, {ba25_pa_high}.)",
    ),
    Claim(
        "scores drop at high coverage and high precision", "figure 5, text",
        "All scores drop for high coverage and high precision.",
        _coverage_drop,
        lambda n: HOLDS if max(n[key] for key in _SCORES) < -_NOTICEABLE else FAILS,
        "From coverage 20 to 30 % to coverage above 30 % ({n_wide} experiments): F1 {f1}, PA {pa}, "
        "KPA {kpa}, BA {ba}. F1 and KPA hardly move. PA and BA fall, though not because of "
        "coverage: the mean recall there is {recall_wide} instead of {recall_medium}.",
    ),
    Claim(
        "no score should cross 0.75", "figure 6, text (a)",
        "With precision at most 75 % no score should cross 0.75, even at full recall, as F is a "
        "harmonic mean.",
        _bound, lambda n: HOLDS if n["bound"] <= 0.75 else CORRECTED,
        "The harmonic mean of 0.75 and 1 is {bound}. Above the right bound lie {pa} of the "
        "experiments for PA, {ba25} for BA of width 25 and {ba} for BA.",
    ),
    Claim(
        "PA approaches 1", "figure 6, text (a)",
        "PA approaches 1.0 with recall, whatever the precision.",
        _bound, lambda n: HOLDS if n["pa_full"] > 0.9 else FAILS,
        "Its mean at recall above 90 % and precision 25 to 75 % is {pa_full}, its largest value "
        "{pa_most}.",
    ),
    Claim(
        "KPA and F1 underestimate", "figure 6, text (b)",
        "KPA and pointwise F1 underestimate.",
        _underestimates, lambda n: HOLDS if max(n["f1"], n["kpa"]) < -_NOTICEABLE else FAILS,
        "F1 does; KPA does not. Held against the F-score of events, at medium precision: F1 {f1}, "
        "KPA {kpa} (BA {ba}, BA of width 25 {ba25}).",
    ),
    Claim(
        "bins hold similar numbers of points", "captions of figures 4 to 6",
        "Bins are chosen so that they hold similar numbers of experiments.",
        _bins, lambda n: HOLDS if max(n.values()) < 1.5 else FAILS,
        "The largest bin of recall holds {recall} times as many as the smallest; of coverage, "
        "{coverage} times.",
    ),
)  # fmt: skip
