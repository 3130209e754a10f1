"""The columns of the chance line: what stands beside every value that a detector scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING

from adjudge.tables.result_fields import EqualFields, Shown, column

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge.noise.p_values import NullTest, PlacesOfSeries


@dataclass(frozen=True, kw_only=True, eq=False)
class ChanceLine(EqualFields):
    """What luck makes of a value."""

    chance: float = column(
        nan, "What the null model scores; `best(...)` re-chooses its threshold for each draw.",
        csv=7, ranking=8, runs="mean", files="mean", shown=Shown("by chance", 1, 0),
    )  # fmt: skip
    null: str = column("", "The null model, by name.", csv=8)
    always_on: float = column(
        nan, "What an always-on alarm scores (for areas: a constant score).",
        csv=9, ranking=9, runs="mean", files="unknown",
        shown=Shown("always-on alarm", 10, 6, verbose=True),
    )  # fmt: skip
    blind_level: float = column(
        nan,
        "Of metrics of positions, for which an always-on alarm is no baseline: what one "
        "alarm per window length scores on any data.",
        shown=Shown("alarm per window", 14, 6, verbose=True),
    )
    alarms_evenly_spaced: bool = column(
        False,
        "Whether changes are almost evenly spaced: alarms shifted by one spacing hit them "
        "again, which makes the p-value larger.",
    )
    corrected: float = column(
        nan, "The share of the way from chance to perfect: 0 is chance, 1 is perfect.",
        csv=10, ranking=10, runs="mean", files="unknown",
        shown=Shown("corrected", 11, 7, verbose=True),
    )  # fmt: skip
    corrected_low: float = column(
        nan, "95 % interval of the corrected value, low end; the chance level is taken as known."
    )
    corrected_high: float = column(nan, "95 % interval of the corrected value, high end.")
    low: float = column(
        nan,
        "95 % confidence interval of the value over events like these, low end. For "
        "`best(...)`, of what its threshold would score on later events: the low end is "
        "lowered by the optimism.",
        csv=11, ranking=11, runs="unknown", files="unknown", shown=Shown("95 % interval", 2, 2),
    )  # fmt: skip
    high: float = column(
        nan, "95 % confidence interval of the value over events like these, high end.",
        csv=12, ranking=12, runs="unknown", files="unknown",
    )  # fmt: skip
    conditional_low: float = column(
        nan,
        "Conditional interval: for these series (data sets) only, over their events, where "
        "they are too few for an interval of the value; low end.",
        runs="unknown", files="unknown",
    )  # fmt: skip
    conditional_high: float = column(
        nan, "Conditional interval, high end.", runs="unknown", files="unknown"
    )
    evidence: str = column(
        "", "What the interval is based on, or why there is none, in words.",
        csv=25, runs="unknown", files="unknown",
    )  # fmt: skip
    evidence_unit: str = column(
        "",
        'The unit of evidence: "dataset", "series", "event" (with its normal time) or "episode".',
        runs="unknown", files="unknown",
    )  # fmt: skip
    evidence_units: int = column(
        0, "How many units of evidence there are.", runs="unknown", files="unknown"
    )
    effective_units: float = column(
        nan,
        "Effective number of units: lower where a few dominate, or where neighbours are "
        "found or missed together.",
        runs="unknown", files="unknown",
    )  # fmt: skip
    optimism: float = column(
        nan,
        (
            "About how much too high `best(...)` is, since its threshold was chosen on the "
            "same events."
        ),
        files="unknown", shown=Shown("optimism", 12, 8, verbose=True),
    )  # fmt: skip
    p_value: float = column(
        nan,
        (
            "p-value: how often the null model scores at least as well; for shifts, their "
            "share, the unshifted alarms included."
        ),
        csv=13, ranking=13, runs="unknown", files="unknown", shown=Shown("p", 3, 1),
    )  # fmt: skip
    assumes: str = column("", "What the p-values assume, in one clause.")
    p_adjusted: float = column(
        nan,
        "The largest p-value of `null` and all joint null models, adjusted for the detectors "
        "of one call; in a ranking, for the series of one detector and metric "
        "(Benjamini-Hochberg), with the shifts of its verdict over all series.",
        csv=14, ranking=14, runs="unknown", files="unknown", shown=Shown("p adjusted", 4, 3),
    )  # fmt: skip
    p_nearby: float = column(
        nan,
        (
            "The p-value when alarms are shifted only within each tenth of a series; computed "
            "where `p_value` is small."
        ),
        csv=15,
    )
    p_joint: float = column(
        nan,
        "The largest p-value of `null` and all joint null models, not adjusted: verdicts need it.",
    )
    decided: bool = column(
        True,
        "Whether the shifts suffice to decide on which side of 0.05 the adjusted p-value is; "
        "if not, the verdict stays open.",
    )
    p_worse: float = column(
        nan,
        "The share of shifts that score no better: small for inverted scores. If small, the "
        "larger of all and nearby shifts; not adjusted for the number of detectors.",
    )
    nearby_testable: bool = column(
        True,
        "Whether enough nearby shifts exist: few long events are hit again by too many.",
    )
    shifts: int = column(
        0, "How many shifts were tried; if these are all, the unshifted alarms are among them.",
        csv=16, ranking=15,
    )  # fmt: skip
    together: str = column(
        "",
        "Which series or services were shifted together, since they share a clock, in words; "
        "empty if each was shifted on its own.",
    )
    clock_note: str = column(
        "", "Why series are taken to share a clock when neither clock= nor times say so, in words."
    )
    p_least: float = column(
        nan,
        "Where series share a clock, the smallest p-value that a perfect detector can get there, "
        "however many series there are.",
    )
    exact: bool = column(
        False, "Whether `p_value` is exact: over all shifts, without random draws.",
        csv=17, ranking=16,
    )  # fmt: skip
    shared_rhythm: str = column(
        "",
        "The share of false alarms at the time of day, of the week or of a period, or in the "
        "part of the series, at which events occur; empty where that is unremarkable; or "
        "that events end their series.",
    )
    event_count: int = column(0, "How many events there are.")
    events_needed: int | None = column(
        None,
        (
            "About how many events would make this value significant in four of five cases "
            "(power 0.8)."
        ),
    )
    events_needed_low: int | None = column(
        None, "The same for a value at the better end of its 80 % range."
    )
    events_needed_high: int | None = column(
        None, "The same at the worse end; None: no number would suffice."
    )
    tests: Mapping[str, NullTest] = field(default_factory=dict, repr=False, compare=False)
    """The tests by each null model, until they are adjusted; it is no column of a table."""
    places: PlacesOfSeries | None = field(default=None, repr=False, compare=False)
    """The values at some places, in a ranking; no column either."""
