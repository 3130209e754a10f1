"""A policy is a threshold with more to it.

How long a score must stay above, when the alert ends, and whether somebody is paged again.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.adjust.alert_times import AlertTimes
from adjudge.adjust.paging import Paging
from adjudge.adjust.policies import Firing, Track
from adjudge.checks import number
from adjudge.data.case import Case, score_column
from adjudge.errors import InputError
from adjudge.measure.thresholds import rules
from adjudge.measure.thresholds.contract import GivenRule, Rule, given_rule, rule
from adjudge.settings import checked_by

if TYPE_CHECKING:
    from adjudge._typing import Array, Column, Flags, Positions
    from adjudge.data.events import Events
    from adjudge.data.incidents import Alerts


def foreign_code(at: object) -> Any:
    """What chooses a threshold, where it is not ours and its text does not stand for its code."""
    if isinstance(at, Policy):
        return foreign_code(at.at)
    if isinstance(at, GivenRule):
        return at.rule
    return at if isinstance(at, Rule) and type(at).__module__ != rules.__name__ else None


def _inside(value: object, name: str) -> Any:
    """Check what a policy has as its threshold: a number, or another rule."""
    if isinstance(value, Policy):
        raise InputError(
            f"{name} of a policy must not be a policy, got {value}; put all steps in one"
        )
    if isinstance(value, Rule) or (callable(value) and not isinstance(value, type)):
        return given_rule(value)
    if hasattr(value, "threshold"):  # tuned(...), which stands below, finds it on a part
        return value
    try:
        level = number(value, name)
    except InputError as error:
        raise InputError(f"{error}, nor a rule such as quantile(0.99)") from None
    if math.isnan(level):
        raise InputError(f"{name} must be a number, got nan")
    return level


@rule("policy", example='policy(0.8, after="5min")')
@dataclass(frozen=True, repr=False)
class Policy(Rule, Paging, Firing):
    """An alarm policy: a threshold, and when it raises an alert (duration, k of n, cooldown).

    For ``at=`` of whatever takes a threshold. With ``after``, ``keep``, ``k``, ``of``, ``clear``
    and ``drop`` it is a map of the scores that commutes with thresholding (see
    `adjudge.adjust.policies`), so curves, ``best(...)``, areas, receipts and chance are exact with
    it: leave the threshold out there. The other settings act on alerts at one threshold; with them
    a lower threshold may page less, curves are not monotone, and areas are refused.

    An alert begins when it fires, so that delays contain the waiting. The policy sees points that
    are not judged too.

    On incidents and alerts (`adjudge.OnCall`) it acts on alerts as they are, or on those above its
    threshold: ``after``, ``keep``, ``shortest``, ``merge``, ``cooldown``, ``wait``, ``interval``
    and ``group_by`` need no scores (`adjudge.adjust.alert_times`); the others are refused.

    Parameters
    ----------
    at : number or rule, optional
        The threshold; a rule inside learns on the scores as they are. None: for what looks at all
        thresholds, or where the scores are 0/1 flags, or alerts.
    after, keep, k, of, clear, drop, missing
        See `adjudge.adjust.policies.Firing`. Durations such as "5min" need times; whole numbers are
        points.
    cooldown, wait, interval, group_by, merge, shortest
        See `adjudge.adjust.paging.Paging`.

    Examples
    --------
    >>> policy = Policy(0.8, after=1, keep=2)
    >>> policy.flags([0.1, 0.9, 0.9, 0.1, 0.1, 0.1, 0.9]).astype(int)
    array([0, 0, 1, 1, 1, 0, 0])
    >>> Policy(rules.Quantile(0.99), k=3, of=5, clear=0.6)
    policy(quantile(0.99), k=3, of=5, clear=0.6)
    """

    at: Any = field(default=None, metadata=checked_by(_inside, none=True))

    def __post_init__(self) -> None:
        """Check each setting, and those that belong together."""
        Firing.__post_init__(self)
        Paging.__post_init__(self)
        if self.on is not None:
            raise InputError(f"on must be given in the rule inside the policy, got {self.on}")

    def __call__(self, case: Case) -> float:
        """The threshold of a case: a number."""
        if self.at is None:
            raise InputError(f"{self} must have a threshold here, as in policy(0.8, ...)")
        return float(self.at(case)) if isinstance(self.at, Rule) else float(self.at)

    def flags(self, scores: Column, time: Column = None, *, series: Column = None) -> Flags:
        """Flag the points at which the alert is firing, and told.

        Parameters
        ----------
        scores : column
            One number per point; NaN: there is none, see ``missing``.
        time : column of times, optional
            When each point was; durations need it.
        series : column, optional
            One id per point, equal ids adjacent: the policy begins anew in each.
        """
        labels = np.zeros(score_column(scores).size, bool)
        case = Case(labels, scores, time=time, series=series, missing="skip")
        if self.at is None and not case.is_flags:
            raise InputError(f"{self} must have a threshold for scores that are not 0/1 flags")
        level = 0.0 if self.at is None else self(case)
        return self.page_flags(self.fired(case, judged=False).flagged(level), case.events)

    def fired(self, case: Case, *, judged: bool = True) -> Case:
        """The case with the scores of the first stage: its alerts are where these are above.

        Parameters
        ----------
        case : Case
            What is judged.
        judged : bool
            Whether points that are not judged are to fire never.
        """
        scores: Array = case.unmasked
        absent = scores.dtype.kind == "f" and bool(np.isnan(scores).any())
        if not self.fires_otherwise and not absent:
            return case if judged else case.with_scores(scores)
        kept = scores if scores.dtype.kind == "f" else scores.astype(np.float64)
        found = self.firing(kept, self._track(case.events))
        if judged and case.events.judged is not None:
            found[~case.events.judged] = -np.inf
        return case.with_scores(found > 0 if case.is_flags else found)

    def pending_since(self, case: Case, level: float | None) -> Positions | None:
        """Since when the alert at each point was pending, -1 where none fires; None: none waits.

        Parameters
        ----------
        case : Case
            The scores as they were before the policy.
        level : float, optional
            The threshold, where it is not that of the policy.
        """
        if self.after in (0, "0s"):
            return None
        if level is None:
            level = 0.0 if self.at is None else self(case)
        scores = case.unmasked.astype(np.float64)
        return self.pending(scores, level, self._track(case.events))

    def page_flags(self, flags: Flags, events: Events) -> Flags:
        """The flags of the second stage, which acts on the alerts of one threshold.

        Parameters
        ----------
        flags : array of bool
            Where an alert fires.
        events : Events
            With the series and the times of the points.
        """
        return self.pages(flags, self._track(events))

    def on_alerts(self, alerts: Alerts, last: int) -> Alerts:
        """What the policy makes of alerts that have a start and an end.

        Parameters
        ----------
        alerts : Alerts
            Those that are raised at the threshold.
        last : int
            The end of the time that is judged, up to which open ones last.

        Examples
        --------
        >>> from adjudge.data.incidents import Alerts
        >>> alerts = Alerts([0, 30, 52, 70], [20, 35, 60, None])
        >>> Policy(after=6, keep=15).on_alerts(alerts, 100)
        Alerts(2 from point 6 to point 58, 1 open)
        """
        for item in fields(Firing):
            value = getattr(self, item.name)
            if item.name not in {"after", "keep"} and value != item.default:
                raise InputError(
                    f"{item.name} needs scores, but these are alerts: leave it out, got "
                    f"{self}; after, keep, shortest, merge, cooldown, wait, interval and "
                    "group_by act on alerts"
                )
        for name in ("after", "shortest", "wait"):
            if getattr(self, name) not in {0, "0s", None} and not alerts.have_lengths:
                raise InputError(
                    f"{name} needs alerts with an end, got only starts and {self}; give their "
                    "ends, or use cooldown or merge"
                )
        if not len(alerts):
            return alerts
        return self.paged(AlertTimes.of(alerts, last).fired(self.after, self.keep)).table(alerts)

    def apply_policy(self, case: Case) -> tuple[Case, float | None]:
        """What is judged with this policy, and the threshold; None: there is none any more.

        Of alerts that the second stage changes only flags are left.
        """
        level, fired = None if self.at is None else self(case), self.fired(case)
        if not self.pages_otherwise:
            return fired, level
        if level is None and not case.is_flags:
            return fired, None
        everywhere = self.fired(case, judged=False)
        alerts = everywhere.flags if level is None else everywhere.flagged(level)
        flags = self.page_flags(alerts, case.events)
        if case.events.judged is not None:
            flags = flags & case.events.judged
        return case.with_scores(flags), None

    @property
    def at_every_threshold(self) -> Policy | None:
        """The stage that must be done anew at each threshold; None: there is none."""
        if not self.pages_otherwise or self.at is not None:
            return None
        own = {item.name: getattr(self, item.name) for item in fields(Paging)}
        return Policy(missing=self.missing, **own)

    def _track(self, events: Events) -> Track:
        instants = None if events.clock is None else events.clock.instants
        return Track.of(events.series_bounds, instants, bridged=self.missing == "hold")

    def __str__(self) -> str:
        """Print as it is written: what differs from the defaults."""
        inside = [] if self.at is None else [str(self.at)]
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name != "at" and value != item.default:
                text = json.dumps(value) if isinstance(value, str) else str(value)
                inside.append(f"{item.name}={text}")
        return f"{self.name}({', '.join(inside)})"

    __repr__ = __str__
