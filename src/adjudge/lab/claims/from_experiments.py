"""The claims of the paper's experiments section, judged on a table of experiments.

The numbers that bear on the claims of the paper's experiments section, from a table of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.events import Events
from adjudge.data.intervals import bincount
from adjudge.lab.claims.claim import CORRECTED, DEFINITION, FAILS, HERE, HOLDS, PARTLY, Claim
from adjudge.lab.simulation.event_profile import attributes
from adjudge.measure.whole.separation import hellinger, separation

if TYPE_CHECKING:
    from adjudge._typing import Array, Flags
    from adjudge.lab.claims.claim import AsRead, Numbers, Verdict

_LEAST_ROWS = 20  # of a panel, as in the figures
SCORES = {"f1": "f1", "pa": "f1_pa", "kpa": "f1_kpa", "ba": "f1_ba"}
NEEDED = (
    "f1", "f1_pa", "f1_kpa", "separation", "precision", "recall", "coverage", "events",
    "events_found", "true_runs", "false_runs", "false_alarms",
)  # fmt: skip
"""The columns that claims look at, besides those of balanced adjustment."""


def _within(values: Array, low: float, high: float) -> Flags:
    return np.asarray((values > low) & (values < high))


def _mean(values: Array) -> float:
    return float(values.mean()) if values.size >= _LEAST_ROWS else np.nan


def _highest_mean(x: Array, values: Array) -> tuple[float, int]:
    """The highest mean over a bin of one hundredth, as in the authors' plot, and of how many."""
    _, group = np.unique(np.rint(100 * x), return_inverse=True)
    if not group.size:
        return np.nan, 0
    count = bincount(group)
    means = bincount(group, values) / count
    return float(means.max()), int(count[means.argmax()])


def _panel(table: AsRead, column: str, low: float, high: float) -> Flags:
    """Choose rows by one of precision and recall, the other being medium."""
    other = {"precision": "recall", "recall": "precision"}[column]
    return _within(table[column], low, high) & _within(table[other], 0.25, 0.75)


def _means(table: AsRead, rows: Flags, prefix: str = "") -> Numbers:
    return {prefix + key: _mean(table[name][rows]) for key, name in SCORES.items()}


def _event_f1(table: AsRead) -> Array:
    precision, recall = table["precision"], table["recall"]
    with np.errstate(divide="ignore", invalid="ignore"):
        harmonic: Array = 2 * precision * recall / (precision + recall)
    return harmonic


def rank_correlations(table: AsRead) -> Numbers:
    """The weakest rank correlation of each score with separation, over three panels."""
    from scipy.stats import spearmanr  # noqa: PLC0415 - slow to import

    panels = [_panel(table, "recall", *part) for part in ((-1, 0.25), (0.25, 0.75), (0.75, 2))]
    if min(panel.sum() for panel in panels) < _LEAST_ROWS:
        return dict.fromkeys(SCORES, np.nan)
    return {
        key: min(spearmanr(table[name][p], table["separation"][p]).statistic for p in panels)
        for key, name in SCORES.items()
    }


def swapped_rates(table: AsRead) -> Numbers:
    """How often n/N, taken for a recall, exceeds 1."""
    counted = attributes(_flags([0, 1, 0, 1, 0]), Events.from_labels([0, 1, 1, 1, 0]))
    over = table["true_runs"] > table["events"]
    return {
        "example": counted.true_runs / counted.events,
        "n_over": over.sum(),
        "n_all": over.size,
        "most": (table["true_runs"] / table["events"]).max(),
    }


def runs_and_events(table: AsRead) -> Numbers:
    """How often more events are found than runs touch one."""
    counted = attributes(_flags([0, 1, 1, 1, 0]), Events.from_labels([0, 1, 0, 1, 0]))
    more = table["events_found"] > table["true_runs"]
    return {
        "n_found": counted.events_found, "n_touching": counted.true_runs,
        "n_more": more.sum(), "n_all": more.size,
    }  # fmt: skip


def coverage_means(_: AsRead) -> Numbers:
    """Cover half of one event with two runs."""
    counted = attributes(_flags([1, 0, 1, 0]), Events.from_labels([1, 1, 1, 1]))
    covered = counted.coverage * counted.events_found
    return {"right": counted.coverage, "printed": covered / counted.true_runs}


def separation_of_a_sliver(_: AsRead) -> Numbers:
    """Let the scores of normal and anomalous points overlap by a sliver."""
    scores = np.append(np.linspace(0, 1, 1000), np.linspace(0.997, 2, 1000))
    events = Events.from_intervals([(1000, 2000)], 2000)
    return {"index": separation(scores, events), "distance": hellinger(scores, events)}


def middle_halves(table: AsRead) -> Numbers:
    """Coverage and separation of the middle half of the experiments."""
    middle = {
        name: np.nanquantile(table[name], (0.25, 0.75)) for name in ("coverage", "separation")
    }
    return {
        f"{name}_{end}": middle[name][i] for name in middle for i, end in enumerate(("low", "high"))
    }


def _flags(values: list[int]) -> Flags:
    return np.array(values, bool)


def largest_f1(table: AsRead) -> Numbers:
    """Largest pointwise F1."""
    return {"largest": table["f1"].max()}


def low_panel(table: AsRead) -> Numbers:
    """The highest points of PA and K%-PA, in the panel of the caption and in that of the plot."""
    numbers: Numbers = {}
    for name, parted in (("captioned", "recall"), ("plotted", "precision")):
        rows = _panel(table, parted, -1, 0.25) & (table["separation"] < 0.495)
        for score in ("pa", "kpa"):
            mean, size = _highest_mean(table["separation"][rows], table[f"f1_{score}"][rows])
            numbers |= {f"{score}_{name}": mean, f"n_{score}_{name}": size}
    return numbers


def means_at_low_precision(table: AsRead) -> Numbers:
    """Mean of each score at precision below 25 %."""
    return _means(table, _panel(table, "precision", -1, 0.25))


def lead_of_pa(table: AsRead) -> Numbers:
    """How far PA is ahead of BA, in the panel of the caption and of the plot."""
    rows = {
        "captioned": _panel(table, "recall", 0.75, 2),
        "plotted": _panel(table, "precision", 0.75, 2),
    }
    lead = table["f1_pa"] - table["f1_ba"]
    return {name: _mean(lead[chosen]) for name, chosen in rows.items()}


def slopes(table: AsRead) -> Numbers:
    """Least-squares slope of each score against precision."""
    rows = _panel(table, "precision", -1, 2)
    if np.unique(table["precision"][rows]).size < 2:
        return dict.fromkeys(SCORES, np.nan)
    return {
        key: np.polyfit(table["precision"][rows], table[name][rows], 1)[0]
        for key, name in SCORES.items()
    }


def beside_event_f1(table: AsRead) -> Numbers:
    """Hold PA and K%-PA against the F-score of events, at low and at high precision."""
    low, high = _panel(table, "precision", -1, 0.25), _panel(table, "precision", 0.75, 2)
    events = _event_f1(table)
    return {
        "pa_low": _mean((table["f1_pa"] - events)[low]),
        "kpa_high": _mean((table["f1_kpa"] - events)[high]),
    }


def distances_of_ba(table: AsRead) -> Numbers:
    """Mean distance of BA to PA and to K%-PA, at low and at high precision."""
    low, high = _panel(table, "precision", -1, 0.25), _panel(table, "precision", 0.75, 2)
    found: Numbers = {}
    for other in ("pa", "kpa"):
        gap = np.abs(table["f1_ba"] - table[f"f1_{other}"])
        found |= {f"{other}_low": _mean(gap[low]), f"{other}_high": _mean(gap[high])}
    return found


def coverage_drop(table: AsRead) -> Numbers:
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


def harmonic_bound(table: AsRead) -> Numbers:
    """How often scores exceed the harmonic mean of 0.75 and their recall."""
    rows = _panel(table, "recall", -1, 2)
    bound = 2 * 0.75 * table["recall"] / (0.75 + table["recall"])
    return {
        "bound": 2 * 0.75 / 1.75,
        "pa": _mean((table["f1_pa"] > bound)[rows]),
        "ba": _mean((table["f1_ba"] > bound)[rows]),
    }


def pa_at_full_recall(table: AsRead) -> Numbers:
    """Mean of PA at recall above 90 %, below and above coverage 20 %."""
    full, narrow = _panel(table, "recall", 0.9, 2), table["coverage"] < 0.2
    return {
        "pa_narrow": _mean(table["f1_pa"][full & narrow]),
        "pa_wide": _mean(table["f1_pa"][full & ~narrow]),
    }


def underestimates(table: AsRead) -> Numbers:
    """How far scores lie from the F-score of events, on average."""
    rows, events = _panel(table, "recall", 0, 2), _event_f1(table)
    return {key: _mean((table[SCORES[key]] - events)[rows]) for key in ("f1", "kpa", "ba")}


def bin_spreads(table: AsRead) -> Numbers:
    """How many times more experiments the largest bin holds than the smallest."""

    def counts(values: Array, low: float, high: float) -> Array:
        parts = values < low, (values >= low) & (values <= high), values > high
        return np.array([part.sum() for part in parts])

    recall, coverage = counts(table["recall"], 0.25, 0.75), counts(table["coverage"], 0.2, 0.3)
    return {"x_recall": _spread(recall), "x_coverage": _spread(coverage)}


def false_alarms_asked(table: AsRead) -> Numbers:
    """How the false detections that were asked for go with the false runs that came out."""
    asked, found = table["false_alarms"], table["false_runs"]
    constant = min(np.ptp(asked), np.ptp(found)) == 0
    correlation = np.nan if constant else np.corrcoef(asked, found)[0, 1]
    return {
        "correlation": correlation, "n_most": asked.max(), "asked": asked.mean(),
        "found": found.mean(),
    }  # fmt: skip


def _spread(counts: Array) -> float:
    return float(counts.max() / counts.min()) if counts.min() else np.nan


NOTICEABLE = 0.02
_CLOSE = 0.7
"""What a score must exceed to come close to 0.8."""
_CONTROLLED = 0.95
"""How well what was asked for and what came out must correlate."""


def _m_at_most_n(numbers: Numbers) -> Verdict:
    if numbers["n_found"] <= numbers["n_touching"]:
        return HOLDS
    return FAILS if numbers["n_more"] else HERE


def _close_to_most(numbers: Numbers) -> Verdict:
    """Hold PA and K%-PA against the cut, in the panel of the caption and in that of the plot."""
    for panel, verdict in (("captioned", HOLDS), ("plotted", CORRECTED)):
        close = [numbers[f"{score}_{panel}"] > _CLOSE for score in ("pa", "kpa")]
        if any(close):
            return verdict if all(close) else PARTLY  # type: ignore[return-value]
    return FAILS


def _both_below(numbers: Numbers) -> Verdict:
    below = [numbers[score] < -NOTICEABLE for score in ("f1", "kpa")]
    return HOLDS if all(below) else PARTLY if any(below) else FAILS


_ALL = (
    Claim(
        "precision is m/M and recall n/N", "data preparation",
        "With m events found of N, and n runs that touch one of M: precision m/M, recall n/N.",
        swapped_rates, lambda n: HOLDS if n["example"] <= 1 else CORRECTED,
        "n/N, as a recall, never exceeds 1",
        "The two are swapped: two runs on one event make n/N = {example}. It exceeds 1 in "
        "{n_over} of {n_all} experiments (up to {most}). Here precision is n/M and recall m/N, "
        "as in the authors' code.",
    ),
    Claim(
        "m is at most n", "data preparation",
        "At least as many runs touch an event as there are events found.",
        runs_and_events, _m_at_most_n,
        "no case at all has more events found than runs that touch one (here: no experiment has)",
        "It happens in {n_more} of {n_all} experiments that more events are found than runs touch "
        "one. Not in general: one run over two events is m = {n_found}, n = {n_touching}.",
    ),
    Claim(
        "coverage is a mean over n", "data preparation",
        "Coverage is the sum of the covered shares over n, the runs that touch an event.",
        coverage_means, lambda n: HOLDS if n["printed"] == n["right"] else CORRECTED,
        "n gives the mean covered share",
        "Over m, the events found: two runs that cover half of one event give {right}, and "
        "{printed} when divided by n.",
    ),
    Claim(
        "separation is a Hellinger distance", "data preparation",
        "The separation of scores is the Hellinger distance of the two densities over the values "
        "where they overlap; higher is better.",
        separation_of_a_sliver, lambda _: DEFINITION,
        "nothing decides it: a definition cannot fail",
        "It is what it is defined to be, over the overlapping values only, and masses there are "
        "not brought to sum 1. So it is no Hellinger distance of the whole: at a sliver of "
        "overlap it is {index}, where that distance is {distance}, and it jumps to 1 without any. "
        "Both are columns of the table.",
    ),
    Claim(
        "coverage and separation are sampled uniformly", "data preparation",
        "Experiments are spread uniformly over coverage and separation.",
        middle_halves, lambda n: HOLDS if n["coverage_high"] - n["coverage_low"] > 0.3 else FAILS,
        "the middle half of the experiments spans 0.3 of coverage or more",
        "The middle half lies at coverage {coverage_low} to {coverage_high} and separation "
        "{separation_low} to {separation_high}. `--design controlled` does what the sentence says.",
    ),
    Claim(
        "all scores rise with separation", "figure 4, text",
        "All four scores increase with the separation of scores.",
        rank_correlations, lambda n: HOLDS if min(n.values()) > 0 else FAILS,
        "the rank correlation is positive in each of the three panels of recall",
        "The weakest of the three: F1 {f1}, PA {pa}, K%-PA {kpa}, BA {ba}.",
    ),
    Claim(
        "pointwise F1 is always low", "figure 4, text (a)",
        "Pointwise F1 is very low, even with high recall and high separation.",
        largest_f1, lambda n: HOLDS if n["largest"] < 0.6 else FAILS,
        "it never reaches 0.6",
        "Its largest value is {largest}.",
    ),
    Claim(
        "PA and K%-PA reach 0.8 at low recall", "figure 4, text (b)",
        "With recall below 25 % (and medium precision) PA and K%-PA come close to 0.8.",
        low_panel, _close_to_most,
        "the highest means over bins of 0.01 exceed 0.7 there (corrected: in the panel that is "
        "plotted; in part: only one of the two)",
        "At recall below 25 % the highest means are {pa_captioned} (PA) and {kpa_captioned} "
        "(K%-PA). The plot shows *precision* below 25 %, at medium recall: there they are "
        "{pa_plotted}, in a bin of {n_pa_plotted}, and {kpa_plotted}, in a bin of {n_kpa_plotted}.",
    ),
    Claim(
        "BA is least affected", "figure 4, text (b)",
        "There BA is least affected, as it penalises false positives.",
        means_at_low_precision,
        lambda n: HOLDS if n["ba"] < min(n["pa"], n["kpa"]) else FAILS,
        "BA is the lowest of the adjusted scores, on average, in the panel that is plotted",
        "Means at precision below 25 %: PA {pa}, K%-PA {kpa}, BA {ba} (F1 {f1}).",
    ),
    Claim(
        "BA and PA converge at high recall", "figure 4, text (c)",
        "For high recall BA and PA converge.",
        lead_of_pa,
        lambda n: HOLDS
        if n["captioned"] < NOTICEABLE
        else CORRECTED if n["plotted"] < NOTICEABLE else FAILS,
        "PA is ahead of BA by less than 0.02 (corrected: in the panel that is plotted)",
        "At recall above 75 % PA is ahead of BA by {captioned}. At *precision* above 75 %, which "
        "the plot shows, by {plotted}.",
    ),
    Claim(
        "BA is most sensitive to precision", "figure 5, text (a)",
        "Among all scores BA has the steepest slope against precision.",
        slopes, lambda n: HOLDS if n["ba"] == max(n.values()) else FAILS,
        "its least-squares slope at medium recall is the largest",
        "Slopes: BA {ba}, K%-PA {kpa}, PA {pa}, F1 {f1}.",
    ),
    Claim(
        "PA overestimates, K%-PA underestimates", "figure 5, text (b)",
        "PA is too high at low precision, and K%-PA too low at high precision.",
        beside_event_f1, lambda n: HOLDS if n["pa_low"] > 0 > n["kpa_high"] else FAILS,
        "beside the F-score of events, on average",
        "PA is {pa_low} off at precision below 25 %, K%-PA {kpa_high} above 75 %.",
    ),
    Claim(
        "BA is like K%-PA at low and like PA at high precision", "figure 5, text (b)",
        "BA behaves like K%-PA at low precision and like PA at high precision.",
        distances_of_ba,
        lambda n: HOLDS
        if n["kpa_low"] < n["pa_low"] and n["pa_high"] < n["kpa_high"]
        else FAILS,
        "by its mean distance to both",
        "Below 25 % BA is {kpa_low} from K%-PA and {pa_low} from PA; above 75 %, {kpa_high} and "
        "{pa_high}.",
    ),
    Claim(
        "scores drop at high coverage and high precision", "figure 5, text",
        "All scores drop for high coverage and high precision, as recall is kept medium.",
        coverage_drop, lambda n: HOLDS if max(n[key] for key in SCORES) < 0 else FAILS,
        "the mean of each falls from coverage 20-30 % to above 30 %, at precision above 75 %",
        "F1 {f1} (standard error {f1_error}), PA {pa} ({pa_error}), K%-PA {kpa} ({kpa_error}), BA "
        "{ba} ({ba_error}); {n_clear} of the four fall by more than two standard errors. "
        "{n_wide} experiments lie above. The paper suspects recall: its mean goes from "
        "{recall_medium} to {recall_wide}.",
    ),
    Claim(
        "no score should cross 0.75", "figure 6, text (a)",
        "With precision at most 75 % no score should cross 0.75, even at full recall, as F is a "
        "harmonic mean.",
        harmonic_bound, lambda n: HOLDS if n["bound"] <= 0.75 else CORRECTED,
        "the harmonic mean of 0.75 and 1 is at most 0.75 (corrected: with the bound that follows "
        "from it)",
        "It is {bound}. Above the harmonic mean of 0.75 and their own recall lie {pa} of the "
        "experiments for PA and {ba} for BA.",
    ),
    Claim(
        "PA approaches 1", "figure 6, text (a)",
        "PA approaches 1.0 with recall, for all coverage values.",
        pa_at_full_recall, lambda n: HOLDS if min(n["pa_narrow"], n["pa_wide"]) > 0.9 else FAILS,
        "its mean at recall above 90 % and medium precision exceeds 0.9, below and above "
        "coverage 20 %",
        "{pa_narrow} below coverage 20 %, {pa_wide} above.",
    ),
    Claim(
        "K%-PA and F1 underestimate", "figure 6, text (b)",
        "K%-PA and pointwise F1 underestimate.",
        underestimates, _both_below,
        "both are more than 0.02 below the F-score of events at medium precision, on average (in "
        "part: only one of the two)",
        "F1 is {f1} off, K%-PA {kpa}, BA {ba}.",
    ),
    Claim(
        "bins hold similar numbers of points", "captions of figures 4 to 6",
        "Bins are chosen so that they hold similar numbers of experiments.",
        bin_spreads, lambda n: HOLDS if max(n.values()) < 1.5 else FAILS,
        "the largest holds less than 1.5 times as many as the smallest",
        "The largest bin of recall holds {x_recall} times as many as the smallest; of coverage, "
        "{x_coverage} times.",
    ),
)  # fmt: skip

_OF_THEORY = (coverage_means, separation_of_a_sliver)
TABLE = tuple(replace(one, needs_table=one.numbers not in _OF_THEORY) for one in _ALL)
CONTROLLED = Claim(
    "false positives are controlled", "experiments, first paragraph",
    "The number of false positives of an experiment is under control.",
    false_alarms_asked, lambda n: HOLDS if n["correlation"] > _CONTROLLED else FAILS,
    "the false detections that were asked for and the false runs that came out correlate by more "
    "than 0.95",
    "Asked for are up to {n_most} false detections, {asked} on average; {found} false runs come "
    "out, and the two correlate by {correlation}.",
    needs_table=True,
)  # fmt: skip
