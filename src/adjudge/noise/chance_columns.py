"""The columns of the chance line: what stands beside every value that a detector scores."""

from __future__ import annotations

import math
from dataclasses import dataclass

from adjudge.tables.result_fields import EqualFields


@dataclass(frozen=True, kw_only=True, eq=False)
class ChanceLine(EqualFields):
    """What luck makes of a value."""

    chance: float = math.nan
    """What the null model scores; for an oracle, with the threshold chosen anew each time."""
    null: str = ""
    """The null model, by name."""
    all_alarms: float = math.nan
    """What alarming always scores (for areas: a constant score)."""
    corrected: float = math.nan
    """The share of the way from chance to perfect: 0 is chance, 1 is perfect."""
    corrected_low: float = math.nan
    corrected_high: float = math.nan
    """95 % interval of the corrected value, the chance level taken as known."""
    low: float = math.nan
    high: float = math.nan
    """95 % interval of the value, had other events occurred. For ``best(...)`` of what its
    threshold would score on later events: the low end is lower by the optimism."""
    optimism: float = math.nan
    """By about how much ``best(...)`` flatters: it chose its threshold on these very events."""
    p_value: float = math.nan
    """The share of places in time, their own among them, at which the alarms do as well."""
    p_adjusted: float = math.nan
    """The same, adjusted for the detectors of one call that were held against chance (Holm)."""
    p_nearby: float = math.nan
    """The p-value when each tenth of a series turns by itself."""
    p_joint: float = math.nan
    """The largest p-value of all null models that were asked, not adjusted: verdicts need both."""
    p_below: float = math.nan
    """The share of places at which the alarms do no better: small for inverted scores."""
    room_nearby: bool = True
    """Whether there are places enough nearby: few wide events are found again at too many."""
    shifts: int = 0
    """How many places were tried; when these are all, the alarms' own place is among them."""
    exact: bool = False
    """Whether all places were tried, so that chance plays no part in the p-value."""
    event_count: int = 0
    """How many events there are."""
    events_needed: int | None = None
    """About how many events would tell this value from chance, four times out of five."""
