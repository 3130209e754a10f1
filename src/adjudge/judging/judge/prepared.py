"""A detector on points, ready to be judged: a case, and the threshold it is judged at."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.count.cache import CountCache
from adjudge.data.case import Case
from adjudge.errors import InputError
from adjudge.judging.judge.events import event_list
from adjudge.judging.judge.judge import Told
from adjudge.judging.judge.tuning import Tuned, found_on_part
from adjudge.judging.result_columns import filled
from adjudge.judging.words.places import gap_words
from adjudge.measure.thresholds.contract import Rule
from adjudge.measure.thresholds.policy import Policy
from adjudge.measure.thresholds.text import threshold_text
from adjudge.metrics.in_time import in_time
from adjudge.metrics.oracle import best_of
from adjudge.noise.shifting.shifted_case import CaseShifts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from adjudge._typing import Array, Column, Flags, Positions
    from adjudge.data.channels import ChannelCase
    from adjudge.data.events import Events
    from adjudge.measure.thresholds.part import Part
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask


_WORTH_A_WORD = 0.005  # other readings of balanced adjustment are named when they differ by more


class Prepared(NamedTuple):
    """One detector, ready to be judged."""

    case: Case
    at: float | None
    """The threshold; None if nobody chose one."""
    rule: str
    """The rule that chose the threshold, and on what; "" for a number."""
    is_tuned: bool
    """Whether the labels of another part were looked at."""
    skipped: int
    """How many points were left out because they have no score."""
    policy: str = ""
    """The policy that made the alarms of the scores; "" for a threshold alone."""
    before: tuple[Policy, Case] | None = None
    """The same, and the scores before it."""
    order: Positions | None = None
    """Where each point stood before all were sorted; None: they were not."""
    raised: Case | None = None
    """Flags in the place of scores, where each channel has a threshold of its own."""
    skipped_as_one: int | None = None
    """How many points have no score on any channel; None: there are no channels."""

    @property
    def known(self) -> bool:
        """Whether there is any threshold, or flags."""
        return self.case.is_flags or self.at is not None or self.raised is not None

    @property
    def flagged(self) -> Case:
        """What metrics judge that need a threshold."""
        return self.case if self.raised is None else self.raised

    @property
    def flags(self) -> Flags:
        """What is flagged at the threshold."""
        return self.flagged.flags if self.at is None else self.flagged.flagged(self.at)

    @property
    def as_one(self) -> Case:
        """The same with all channels as one."""
        return self.flagged.joined

    @property
    def on_points(self) -> tuple[Case, ...]:
        """The same as what was judged on points: all of it."""
        return (self.as_one,)

    def told(
        self, metrics: list[Metric], ask: Ask, part: Callable[[float], None] | None = None
    ) -> Iterator[Told]:
        """All values, and what labels alone decide, so that what they need is let go early.

        Parameters
        ----------
        metrics, ask : list of Metric, Ask
            By what the detector is judged, and what is to be known of it.
        part : callable, optional
            Called with the share of the shifts that are made.
        """
        turnings: dict[int, CaseShifts] = {}  # metrics that judge the same share what they turn
        counts = CountCache()
        for metric, following in zip_longest(metrics, metrics[1:]):
            own, judged = self.seen(metric)
            if id(judged.case) not in turnings:
                turnings[id(judged.case)] = CaseShifts(judged.case, part, shared=ask.shared)
            shifts = turnings[id(judged.case)]
            told = told_of(own, judged, shifts, counts)
            if following is None or metric.parts[1:] != following.parts[1:]:
                counts = CountCache()  # let go of what nobody will ask for
            if own is not metric:
                told = told._replace(fields=told.fields | _as_asked(metric, judged.case))
            shifts.of_labels(told.metric, chance=ask.chance)
            yield told

    def events(self, metrics: Sequence[Metric], kinds: Array | None) -> list[dict[str, Any]]:
        """A row per event; of several channels as one."""
        return event_list(self.as_one, self.at, metrics, kinds)

    def seen(self, metric: Metric) -> tuple[Metric, Prepared]:
        """What a metric judges in the end, and by which metric: see `Metric.seen`."""
        own, case = metric.seen(self.flagged if metric.needs_threshold else self.case)
        if case is self.case:
            return own, self
        skipped, policy = self.skipped, self.policy
        if metric.across and not own.across and self.skipped_as_one is not None:
            skipped = self.skipped_as_one
        if isinstance(metric.at, Policy):
            policy = str(metric.at)
        return own, self._replace(case=case, skipped=skipped, policy=policy)


def _as_asked(metric: Metric, case: Case) -> dict[str, Any]:
    """What a row says of a metric that judges something else in the end: how it was asked for."""
    resolved = metric.per_channel.resolved(case.events)
    resolved = replace(resolved, across=metric.across, each=metric.each)
    said = {"metric": resolved.spec(metric.row.always_shown), "requested": str(metric)}
    by = resolved.on(case.events)
    if metric.across:  # whatever was asked for, channels were judged as one
        by = replace(by, across="any_channel", each=by.oracle)
    chosen = {"chosen_by": "rule", "rule": str(metric.at)} if metric.by_rule else {}
    return {**said, **chosen, "resolved_metric": by}


def told_of(
    requested: Metric, ready: Prepared, turning: CaseShifts, counts: CountCache | None = None
) -> Told:
    """Judge by one metric: the value, its threshold, and what is known of both."""
    case, metric, counts = (
        ready.case,
        requested.with_default_threshold(ready.at),
        counts or CountCache(),
    )
    reading = metric.reading(case, counts)
    value, threshold, chosen_by = reading
    by_rule = bool(ready.rule) and requested.needs_threshold
    by_rule &= metric is not requested or ready.raised is not None
    chosen_by = "rule" if by_rule else chosen_by
    gap = best_of(requested).reading(case).value - value if ready.is_tuned and by_rule else math.nan
    resolved = requested.resolved(case.events)
    fields = dict(
        detector=case.name,
        metric=resolved.spec(requested.row.always_shown),
        resolved_metric=resolved.on(case.events),
        at=threshold,
        at_text=threshold_text(threshold, case, chosen_by),
        chosen_by=chosen_by,
        rule=ready.policy
        or (ready.rule if by_rule else str(metric.at) * isinstance(metric.at, Rule)),
        oracle_gap=gap,
        skipped=ready.skipped,
        gaps=gap_words(case.events),
        requested=str(requested),
        other_readings=_other_readings(metric, case, value, counts),
        width=resolved.parts.adjust.island_width,
        **filled(metric, case, reading),
        **in_time(metric, case, reading)._asdict(),
    )
    judged = metric.on(case.events)
    turning.know(judged, value)
    return Told(judged, turning, value, fields)


def _other_readings(
    metric: Metric, case: Case, value: float, counts: CountCache
) -> dict[str, float]:
    others = {
        name: metric.with_settings(**settings).reading(case, counts).value
        for name, settings in metric.parts.adjust.other_readings.items()
    }
    return {name: other for name, other in others.items() if abs(other - value) > _WORTH_A_WORD}


def prepared_one(events: Events, column: Column, name: str, at: Any, missing: str) -> Prepared:
    """A detector on labels that were checked before."""
    return placed(events, Case(events, column, name=name, missing=missing), at)


def placed(events: Events, case: Case, at: Any) -> Prepared:
    """A detector at its threshold.

    Parameters
    ----------
    events, case : Events, Case
        The truth before points without a score were left out, and the detector.
    at : number, rule, policy or tuned
        What chooses the threshold.
    """
    skipped = events.judged_count - case.events.judged_count
    if isinstance(at, Policy):
        return _with_policy(case, at, skipped)
    found, part = found_on_part(case, at)
    if part is not None:
        return Prepared(without(case, part), found, str(at), is_tuned=True, skipped=skipped)
    if isinstance(at, Rule):
        return Prepared(case, at(case), str(at), is_tuned=False, skipped=skipped)
    return Prepared(case, at, "", is_tuned=False, skipped=skipped)


def placed_on_channels(case: ChannelCase, levels: Sequence[Any]) -> Prepared:
    """The channels of a detector, each at its threshold.

    One threshold for all is kept; where they differ there are flags in the place of scores.

    Parameters
    ----------
    case, levels : ChannelCase, sequence of thresholds
        The channels, and what chooses the threshold of each: a number, a rule or a policy.
    """
    each = [placed(one.events, one, at) for one, at in zip(case.parts, levels, strict=True)]
    first, several = each[0], ", on each channel" * (len(each) > 1)
    alike = all(at is levels[0] for at in levels)
    if any(one.case is not part for one, part in zip(each, case.parts, strict=True)):
        case = case.with_scores(np.concatenate([one.case.given for one in each]))
    as_one, one_by_one = case.channels.skipped
    found = first._replace(
        case=case, skipped=one_by_one, skipped_as_one=as_one,
        rule=first.rule and alike * f"{first.rule}{several}",
        policy=first.policy and alike * f"{first.policy}{several}",
        before=None if several else first.before,
    )  # fmt: skip
    if len({one.at for one in each}) == 1:
        return found
    flags = np.concatenate([one.flags for one in each])
    return found._replace(at=None, raised=case.with_scores(flags))


def without(case: Case, *parts: Part) -> Case:
    """The same detector on the points outside of parts."""
    rest = case.events
    for part in parts:
        rest = rest.within(where=~part.mask(rest.n))
    return Case(rest, case.unmasked, name=case.name)


def _with_policy(case: Case, policy: Policy, skipped: int) -> Prepared:
    """A detector whose alarms a policy makes; the threshold that is tuned is one of its scores."""
    text, given = str(policy), policy.at
    rule = text if isinstance(given, (Rule, Tuned)) else ""
    policy, part = found_on_part(case, policy)
    if part is not None:
        case = without(case, part)
    if policy.at_every_threshold is not None and not case.is_flags:
        raise InputError(
            f"at={text} must have a threshold, as in policy(0.8, ...), since it makes other "
            f"alerts at each; write best(f1(at={text})) for the best one"
        )
    judged, level = policy.apply_policy(case)
    return Prepared(judged, level, rule, part is not None, skipped, text, (policy, case))
