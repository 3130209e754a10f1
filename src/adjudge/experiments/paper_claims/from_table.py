"""The claims of the paper's experiments section, judged on a table of experiments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adjudge.experiments.paper_claims.claim import (
    CORRECTED,
    DEFINITION,
    FAILS,
    HERE,
    HOLDS,
    PARTLY,
    Claim,
)
from adjudge.experiments.paper_claims.table_numbers import (
    SCORES,
    beside_event_f1,
    bin_spreads,
    coverage_drop,
    coverage_means,
    distances_of_ba,
    harmonic_bound,
    largest_f1,
    lead_of_pa,
    low_panel,
    means_at_low_precision,
    middle_halves,
    rank_correlations,
    runs_and_events,
    separation_of_a_sliver,
    slopes,
    swapped_rates,
    underestimates,
)

if TYPE_CHECKING:
    from adjudge.experiments.paper_claims.claim import Numbers, Verdict

NOTICEABLE = 0.02
_CLOSE = 0.7
"""What a score must exceed to come close to 0.8."""


def _m_at_most_n(numbers: Numbers) -> Verdict:
    if numbers["n_found"] <= numbers["n_touching"]:
        return HOLDS
    return FAILS if numbers["n_more"] else HERE


def _close_to_most(numbers: Numbers) -> Verdict:
    """Hold PA and KPA against the cut, in the panel of the caption and in that of the plot."""
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
        "{separation_low} to {separation_high}. `--design grid` does what the sentence says.",
    ),
    Claim(
        "all scores rise with separation", "figure 4, text",
        "All four scores increase with the separation of scores.",
        rank_correlations, lambda n: HOLDS if min(n.values()) > 0 else FAILS,
        "the rank correlation is positive in each of the three panels of recall",
        "The weakest of the three: F1 {f1}, PA {pa}, KPA {kpa}, BA {ba}, BA of width 25 {ba25}.",
    ),
    Claim(
        "pointwise F1 is always low", "figure 4, text (a)",
        "Pointwise F1 is very low, even with high recall and high separation.",
        largest_f1, lambda n: HOLDS if n["largest"] < 0.6 else FAILS,
        "it never reaches 0.6",
        "Its largest value is {largest}.",
    ),
    Claim(
        "PA and KPA reach 0.8 at low recall", "figure 4, text (b)",
        "With recall below 25 % (and medium precision) PA and KPA come close to 0.8.",
        low_panel, _close_to_most,
        "one PA in twenty and one KPA in twenty exceed 0.7 there (corrected: in the panel that is "
        "plotted; in part: only one of the two)",
        "At recall below 25 % one in twenty exceeds {pa_captioned} (PA) and {kpa_captioned} "
        "(KPA). The plot shows *precision* below 25 %, at medium recall: there PA comes close, "
        "with {pa_plotted}, and KPA does not, with {kpa_plotted}.",
    ),
    Claim(
        "BA is least affected", "figure 4, text (b)",
        "There BA is least affected, as it penalises false positives.",
        means_at_low_precision,
        lambda n: HOLDS
        if n["ba25"] < min(n["pa"], n["kpa"])
        else CORRECTED if n["ba"] < min(n["pa"], n["kpa"]) else FAILS,
        "BA as the authors ran it is the lowest of the adjusted scores (corrected: with the "
        "default width)",
        "Means at precision below 25 %: PA {pa}, KPA {kpa}, BA of width 25 {ba25}, BA {ba} (F1 "
        "{f1}).",
    ),
    Claim(
        "BA and PA converge at high recall", "figure 4, text (c)",
        "For high recall BA and PA converge.",
        lead_of_pa,
        lambda n: HOLDS
        if n["captioned25"] < NOTICEABLE
        else CORRECTED if n["plotted25"] < NOTICEABLE else FAILS,
        "PA is ahead of BA of width 25 by less than 0.02 (corrected: in the panel that is plotted)",
        "At recall above 75 % PA is ahead of BA by {captioned} (width 25: {captioned25}). At "
        "*precision* above 75 %, which the plot shows, by {plotted} ({plotted25}).",
    ),
    Claim(
        "BA is most sensitive to precision", "figure 5, text (a)",
        "Among all scores BA has the steepest slope against precision.",
        slopes, lambda n: HOLDS if max(n, key=lambda key: n[key]) in ("ba", "ba25") else FAILS,
        "its least-squares slope at medium recall is the largest",
        "Slopes: BA {ba}, BA of width 25 {ba25}, KPA {kpa}, PA {pa}, F1 {f1}.",
    ),
    Claim(
        "PA overestimates, KPA underestimates", "figure 5, text (b)",
        "PA is too high at low precision, and KPA too low at high precision.",
        beside_event_f1, lambda n: HOLDS if n["pa_low"] > 0 > n["kpa_high"] else FAILS,
        "beside the F-score of events, on average",
        "PA is {pa_low} off at precision below 25 %, KPA {kpa_high} above 75 %.",
    ),
    Claim(
        "BA is like KPA at low and like PA at high precision", "figure 5, text (b)",
        "BA behaves like KPA at low precision and like PA at high precision.",
        distances_of_ba,
        lambda n: HOLDS
        if n["ba_kpa_low"] < n["ba_pa_low"] and n["ba_pa_high"] < n["ba_kpa_high"]
        else FAILS,
        "by its mean distance to both",
        "Below 25 % BA is {ba_kpa_low} from KPA and {ba_pa_low} from PA; above 75 %, {ba_kpa_high} "
        "and {ba_pa_high}. (Width 25: {ba25_kpa_low}, {ba25_pa_low}; {ba25_kpa_high}, "
        "{ba25_pa_high}.)",
    ),
    Claim(
        "scores drop at high coverage and high precision", "figure 5, text",
        "All scores drop for high coverage and high precision, as recall is kept medium.",
        coverage_drop, lambda n: HOLDS if max(n[key] for key in SCORES) < 0 else FAILS,
        "the mean of each falls from coverage 20-30 % to above 30 %, at precision above 75 %",
        "F1 {f1} (standard error {f1_error}), PA {pa} ({pa_error}), KPA {kpa} ({kpa_error}), BA "
        "{ba} ({ba_error}), BA of width 25 {ba25} ({ba25_error}); {n_clear} of the five fall by "
        "more than two standard errors. {n_wide} experiments lie above. Mean recall falls along, "
        "as the paper suspects: from {recall_medium} to {recall_wide}.",
    ),
    Claim(
        "no score should cross 0.75", "figure 6, text (a)",
        "With precision at most 75 % no score should cross 0.75, even at full recall, as F is a "
        "harmonic mean.",
        harmonic_bound, lambda n: HOLDS if n["bound"] <= 0.75 else CORRECTED,
        "the harmonic mean of 0.75 and 1 is at most 0.75 (corrected: with the bound that follows "
        "from it)",
        "It is {bound}. Above the harmonic mean of 0.75 and their own recall lie {pa} of the "
        "experiments for PA, {ba25} for BA of width 25 and {ba} for BA.",
    ),
    Claim(
        "PA approaches 1", "figure 6, text (a)",
        "PA approaches 1.0 with recall, for all coverage values.",
        harmonic_bound, lambda n: HOLDS if min(n["pa_narrow"], n["pa_wide"]) > 0.9 else FAILS,
        "its mean at recall above 90 % and medium precision exceeds 0.9, below and above "
        "coverage 20 %",
        "{pa_narrow} below coverage 20 %, {pa_wide} above.",
    ),
    Claim(
        "KPA and F1 underestimate", "figure 6, text (b)",
        "KPA and pointwise F1 underestimate.",
        underestimates, _both_below,
        "both are more than 0.02 below the F-score of events at medium precision, on average (in "
        "part: only one of the two)",
        "F1 is {f1} off, KPA {kpa} (at coverage below 20 %, which is its K: {kpa_narrow}), BA "
        "{ba}, BA of width 25 {ba25}.",
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

TABLE = tuple(replace(claim, needs_table=True) for claim in _ALL)
