"""The columns of the chance line: what stands beside every value that a detector scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING

from adjudge.tables.result_fields import EqualFields, Shown, column

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge.noise.p_values import HeldAgainst, PlacesOfSeries


@dataclass(frozen=True, kw_only=True, eq=False)
class ChanceLine(EqualFields):
    """What luck makes of a value."""

    chance: float = column(
        nan, "What the null model scores; `best(...)` chooses its threshold anew each time.",
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
        "Of metrics of positions, for which an always-on alarm is no rival: what one alarm per "
        "window length scores, whatever the data are.",
        shown=Shown("alarm per window", 14, 6, verbose=True),
    )
    alarms_evenly_spaced: bool = column(
        False,
        "Whether changes lie at nearly equal distances: moved by one of these, alarms find them "
        "again, so the p-value is larger than elsewhere.",
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
        "95 % interval of the value, had other events occurred, low end. For `best(...)` of what "
        "its threshold would score on later events: the low end is lower by the optimism.",
        csv=11, ranking=11, runs="unknown", files="unknown", shown=Shown("95 % interval", 2, 2),
    )  # fmt: skip
    high: float = column(
        nan, "95 % interval of the value, had other events occurred, high end.",
        csv=12, ranking=12, runs="unknown", files="unknown",
    )  # fmt: skip
    conditional_low: float = column(
        nan,
        "The interval for these series (data sets) alone, by the events in them, where they are "
        "too few for one of the value, low end.",
        runs="unknown", files="unknown",
    )  # fmt: skip
    conditional_high: float = column(
        nan, "The interval for these series alone, high end.", runs="unknown", files="unknown"
    )
    evidence: str = column(
        "", "What the interval rests on, or why there is none, in words.",
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
        "How many equal units they count like: less where a few weigh most, or neighbouring ones "
        "are found or missed together.",
        runs="unknown", files="unknown",
    )  # fmt: skip
    optimism: float = column(
        nan,
        "By about how much `best(...)` is too high: its threshold was chosen on the same events.",
        files="unknown", shown=Shown("optimism", 12, 8, verbose=True),
    )  # fmt: skip
    p_value: float = column(
        nan,
        "How often the null model does as well; of shifts, the share of places, its own included.",
        csv=13, ranking=13, runs="unknown", files="unknown", shown=Shown("p", 3, 1),
    )  # fmt: skip
    assumes: str = column(
        "", "What makes the p-values true: the assumption of the null model, in one clause."
    )
    p_adjusted: float = column(
        nan,
        "The largest p-value of `null` and all joint null models, adjusted for the detectors of "
        "one call; in a ranking, for the series of one detector and metric (Benjamini-Hochberg), "
        "by the places of its verdict over all series.",
        csv=14, ranking=14, runs="unknown", files="unknown", shown=Shown("p adjusted", 4, 3),
    )  # fmt: skip
    p_nearby: float = column(
        nan,
        "The p-value when each tenth of a series turns by itself; made where `p_value` is small.",
        csv=15,
    )
    p_joint: float = column(
        nan,
        "The largest p-value of `null` and all joint null models, not adjusted: verdicts need it.",
    )
    decided: bool = column(
        True,
        "Whether so many places decide on which side of 0.05 the adjusted p-value lies; where they "
        "do not, nothing is said.",
    )
    p_worse: float = column(
        nan,
        "The share of places at which the alarms do no better: small for inverted scores. Where it "
        "is, the larger one of everywhere and nearby; not adjusted for the number of detectors.",
    )
    nearby_testable: bool = column(
        True,
        "Whether there are places enough nearby: few wide events are found again at too many.",
    )
    shifts: int = column(
        0, "How many places were tried; when these are all, the alarms' own place is among them.",
        csv=16, ranking=15,
    )  # fmt: skip
    together: str = column(
        "",
        "Which series or services turned by one offset, as they live through the same time, in "
        "words; empty where each turned by itself.",
    )
    clock_note: str = column(
        "", "Why series are taken to share a clock, where nobody said so and no times do, in words."
    )
    p_least: float = column(
        nan,
        "Where series share a clock, the smallest p-value that a perfect detector can get there, "
        "however many series there are.",
    )
    exact: bool = column(
        False, "Whether `p_value` is that of all places, so that chance plays no part in it.",
        csv=17, ranking=16,
    )  # fmt: skip
    shared_rhythm: str = column(
        "",
        "How many of the false alarms come at the time of day, of the week or of a period, or in "
        "the part of the series, at which events come, empty where that is no rarity; or that "
        "events end their series.",
    )
    event_count: int = column(0, "How many events there are.")
    events_needed: int | None = column(
        None, "About how many events would tell this value from chance, four times out of five."
    )
    events_needed_low: int | None = column(
        None, "The same if the value is better by what chance leaves open in four cases of five."
    )
    events_needed_high: int | None = column(
        None, "The same if the value is worse by that; None: then no number would do."
    )
    tests: Mapping[str, HeldAgainst] = field(default_factory=dict, repr=False, compare=False)
    """The tests by each null model, until they are adjusted; it is no column of a table."""
    places: PlacesOfSeries | None = field(default=None, repr=False, compare=False)
    """The values at some places, in a ranking; no column either."""
