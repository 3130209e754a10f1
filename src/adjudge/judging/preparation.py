"""Make ready what a caller gave: a case per detector, and the threshold it is judged at.

Which metrics to judge by, where nobody named them, by how a threshold is to be had.

Tuning: a threshold that is best on one part of the data and judged on the rest.

It looks at the labels of the part, so only the rest may be judged; how far it stays behind the best
threshold of the rest (the oracle's) is given beside each value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import front_door, items
from adjudge.count.contract import LastCount
from adjudge.data.case import Case
from adjudge.data.columns import frame_columns
from adjudge.errors import InputError, UnknownName, shown
from adjudge.judging.breakdowns import event_list, gap_words
from adjudge.judging.evaluation import Told
from adjudge.judging.result_columns import filled
from adjudge.measure.thresholds import Part, Policy, Rule, threshold_text
from adjudge.metrics.metric import Metric, Row, best_of, in_time, reordered
from adjudge.metrics.reader import catalogue
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import Call, parse, threshold
from adjudge.noise.shifting.shifted_case import CaseShifts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from adjudge._typing import Array, Column, Flags, Positions
    from adjudge.data.channels import ChannelCase
    from adjudge.data.events import Events
    from adjudge.judging.evaluation import ThresholdKind
    from adjudge.noise.ask import Ask

_F_SCORES = ("f1", "f1_pa", "f1_kpa", "f1_ba")
_EVENT_RATES = ("event_precision", "event_recall")
_AREAS = ("auc_roc", "ap")  # no auc_pr: by trapezoids a constant score beats many a detector
_WORTH_A_WORD = 0.005  # other readings of balanced adjustment are named when they differ by more


def read_metrics(
    metrics: str | Metric | Iterable[str | Metric] | None,
) -> tuple[list[Metric], bool]:
    """Read what is asked for, and whether that is everything."""
    if metrics is None:
        return [], False
    one = isinstance(metrics, str) or callable(metrics)
    given = [metrics] if one else items(metrics, "metrics", "specs")
    if not given:
        raise InputError("metrics must name at least one metric, got none")
    every = [isinstance(spec, str) and spec == "all" for spec in given]
    read = [read_metric(spec) for spec, whole in zip(given, every, strict=True) if not whole]
    rows: dict[str, Row] = {}
    for metric in read:
        if rows.setdefault(metric.name, metric.row) is not metric.row:
            raise InputError(f"metrics must have a name each, got two called {metric.name!r}")
    return read, any(every)


def default_metrics(threshold: ThresholdKind) -> list[Metric]:
    """Choose metrics for who asks for none: by how the threshold is to be had."""
    scores = [catalogue[name].metric for name in _F_SCORES]
    areas = [catalogue[name].metric for name in _AREAS]
    match threshold:
        case "known":
            return scores + [catalogue[name].metric for name in _EVENT_RATES] + areas
        case "oracle":
            return [best_of(metric) for metric in scores] + areas
    return areas


_CHANGES = (
    "change_f1", "change_precision", "change_recall", "change_delay", "time_between_false_alarms",
)  # fmt: skip


def default_of_changes(threshold: ThresholdKind) -> list[Metric]:
    """The same for truth that is a list of positions, which other metrics refuse."""
    metrics = [catalogue[name].metric for name in _CHANGES]
    if threshold == "none":
        raise InputError(
            "at must be given where labels are changes and scores are no alarms: say "
            "at=<threshold> (--at X), or oracle=True for the best one by the labels (--best)"
        )
    return [best_of(metric) for metric in metrics] if threshold == "oracle" else metrics


def all_metrics(threshold: ThresholdKind) -> list[Metric]:
    """Choose every metric that is listed: by how the threshold is to be had."""
    metrics = [row.metric for row in catalogue.values() if row.listed]
    if threshold == "oracle":
        return [best_of(m) if m.at_one_threshold else m for m in metrics]
    return [m for m in metrics if threshold == "known" or not m.at_one_threshold]


def with_oracle(spec: str | Metric) -> Metric:
    """A metric whose threshold an oracle chooses, where it has none of its own.

    >>> with_oracle("f1"), with_oracle("ap"), with_oracle("f1(at=0.5)")
    (best(f1), ap, f1(at=0.5))
    """
    metric = read_metric(spec)
    return best_of(metric) if metric.needs_threshold else metric


def metrics_by_oracle(specs: Sequence[str]) -> list[Metric]:
    """The metrics of some specs ("all" among them, or none at all), each at its best threshold."""
    named = [with_oracle(spec) for spec in specs if spec != "all"]
    if "all" in specs:
        return named + all_metrics("oracle")
    return named or default_metrics("oracle")


@dataclass(frozen=True)
class Tuned:
    """A threshold for `adjudge.evaluate` to find on a part of the data; see `tuned`."""

    metric: Metric
    on: Part

    def threshold(self, whole: Case, anew: Policy | None = None) -> float:
        """Find the threshold at which the metric is best on the part.

        Parameters
        ----------
        whole : Case
            The detector, on the part and elsewhere.
        anew : Policy, optional
            What is done with the alerts of each threshold.
        """
        events = whole.events
        case = whole.with_truth(events.within(where=self.on.mask(events.n)))
        if not len(case.events):
            raise InputError(f"on must hold at least one event to tune on, got none in {self.on}")
        found = best_of(self.metric.placed(anew)).reading(case)
        if found.at is None:  # pragma: no cover - an oracle always chooses
            raise InputError(f"{self} found no threshold")
        return found.at

    def __str__(self) -> str:
        """Print as it is written."""
        return f'tuned({self.metric}, on="{self.on}")'

    __repr__ = __str__


@front_door("tuned")
def tuned(metric: str | Metric = "f1_ba", *, on: Column) -> Tuned:
    """Choose the threshold that is best by a metric on one part, to judge the rest with it.

    Parameters
    ----------
    metric : spec or Metric
        What is best on the part: a metric that has one value per threshold.
    on : mask, slice or text
        The part: one bool per point, ``slice(0, 500)``, or "0:500". It is not judged.

    Returns
    -------
    Tuned
        For ``at=`` of `adjudge.evaluate`.

    Raises
    ------
    InputError
        If the metric has no threshold to choose, or the part is none.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, scores = [0, 1, 1, 0, 0, 0, 1, 0], [1, 5, 2, 3, 1, 4, 6, 2]
    >>> judged = aj.evaluate(labels, scores, "f1", at=aj.tuned("f1", on=slice(0, 4)))
    >>> judged.rows[0].at, judged["f1"], judged.rows[0].oracle_gap
    (1.0, 0.5, 0.5)
    """
    one = read_metric(metric)
    best_of(one)  # which refuses what has no threshold
    if one.at is not None or one.oracle:
        raise InputError(f"tuned(...) chooses the threshold itself, got {one}")
    return Tuned(one, Part.read(on))


def read_tuned(at: Any) -> Any:
    """Read ``tuned(f1_ba, on="0:500")`` as it is written; give all else back as it is.

    Inside of a policy too.
    """
    if not isinstance(at, str) or not at.strip().startswith(("tuned(", "policy(tuned(")):
        return at
    call = parse(at)
    match call:
        case Call(values=(Call(name="tuned") as inner,)):
            return Policy(read_tuned(str(inner)), **call.settings)
        case Call(values=(Call() as inner,)) if call.settings.keys() == {"on"}:
            return tuned(str(inner), on=call.settings["on"])
    raise InputError(f'at must be written tuned(metric, on="start:stop"), got {shown(at)}')


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
        counts = LastCount()
        for metric, following in zip_longest(metrics, metrics[1:]):
            own, judged = self.seen(metric)
            if id(judged.case) not in turnings:
                turnings[id(judged.case)] = CaseShifts(judged.case, part, shared=ask.shared)
            shifts = turnings[id(judged.case)]
            told = told_of(own, judged, shifts, counts)
            if following is None or metric.parts[1:] != following.parts[1:]:
                counts = LastCount()  # let go of what nobody will ask for
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
    resolved = metric.of_one.resolved(case.events)
    resolved = replace(resolved, across=metric.across, each=metric.each)
    said = {"metric": resolved.spec(metric.row.always_shown), "asked": str(metric)}
    by = resolved.on(case.events)
    if metric.across:  # whatever was asked for, channels were judged as one
        by = replace(by, across="any_channel", each=by.oracle)
    chosen = {"chosen_by": "rule", "rule": str(metric.at)} if metric.by_rule else {}
    return {**said, **chosen, "judged_by": by}


def told_of(
    requested: Metric, ready: Prepared, turning: CaseShifts, counts: LastCount | None = None
) -> Told:
    """Judge by one metric: the value, its threshold, and what is known of both."""
    case, metric, counts = ready.case, requested.placed(ready.at), counts or LastCount()
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
        judged_by=resolved.on(case.events),
        at=threshold,
        at_text=threshold_text(threshold, case, chosen_by),
        chosen_by=chosen_by,
        rule=ready.policy
        or (ready.rule if by_rule else str(metric.at) * isinstance(metric.at, Rule)),
        oracle_gap=gap,
        skipped=ready.skipped,
        gaps=gap_words(case.events),
        asked=str(requested),
        readings=_other_readings(metric, case, value, counts),
        width=resolved.parts.adjust.island_width,
        **filled(metric, case, reading),
        **in_time(metric, case, reading)._asdict(),
    )
    return Told(metric.on(case.events), turning, value, fields)


def _other_readings(
    metric: Metric, case: Case, value: float, counts: LastCount
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
    skipped = _judged_points(events) - _judged_points(case.events)
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


def found_on_part(case: Case, at: Any) -> tuple[Any, Part | None]:
    """Find a threshold that is to be tuned, in a policy too; give it with the part, or as it is."""
    if case.is_positions and at is not None:
        raise InputError(f"at must be left out where scores are positions, got {at}")
    if isinstance(at, Tuned):
        return at.threshold(case), at.on
    if isinstance(at, Policy) and isinstance(at.at, Tuned):
        free = replace(at, at=None)
        level = at.at.threshold(free.fired(case), free.at_every_threshold)
        return replace(at, at=level), at.at.on
    return at, None


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
            f"at={text} must have a threshold, as in policy(0.8, ...): its alerts are made "
            f"anew at each; write best(f1(at={text})) for the best one"
        )
    judged, level = policy.settled(case)
    return Prepared(judged, level, rule, part is not None, skipped, text, (policy, case))


def detectors_of(scores: Column) -> list[tuple[str, Column]]:
    """The detectors by name: one column, a mapping or a data frame; each run by itself."""
    columns = frame_columns(scores)
    if columns is None:
        return [("detector", scores)]
    if not columns:
        raise InputError("scores must hold at least one detector, got none")
    return [one for name, column in columns.items() for one in _runs(name, column)]


def runs_of(scores: Column) -> dict[str, tuple[str, int]]:
    """For each run of a detector, the detector and the number of the run."""
    columns = frame_columns(scores) or {}
    return {
        run: (name, number)
        for name, column in columns.items()
        for number, (run, _) in enumerate(_runs(name, column), 1)
        if run != name
    }


def _runs(name: str, column: Column) -> list[tuple[str, Column]]:
    """Tell several runs, a list of columns, from one column."""
    listed = isinstance(column, (list, tuple)) and len(column) > 0
    if not listed or not all(_is_column(run) for run in column):
        return [(name, column)]
    return [(f"{name} run {number}", run) for number, run in enumerate(column, 1)]


def _is_column(run: Any) -> bool:
    try:
        return not isinstance(run, str) and len(run) > 1
    except Exception:  # noqa: BLE001 - a number, or whatever somebody's object does
        return False


def _judged_points(events: Events) -> int:
    return events.n if events.judged is None else int(np.count_nonzero(events.judged))


def with_part_reordered(at: Any, order: Positions) -> Any:
    """Let the part that a threshold is learnt on go with its points."""
    if isinstance(at, Tuned):
        return replace(at, on=at.on.reordered(order))
    if isinstance(at, Policy):
        return replace(at, at=with_part_reordered(at.at, order))
    return reordered(at, order)


def thresholds_by_name(
    at: Any, names: Sequence[str], runs: Mapping[str, tuple[str, int]]
) -> dict[str, float | Rule | Tuned | None]:
    """Read the threshold of each detector: one for all, or a mapping with one for each."""
    if not isinstance(at, Mapping):
        return dict.fromkeys(names, read_threshold(at))
    given = {str(name): read_threshold(value) for name, value in at.items()}
    bases = {name: runs.get(name, (name, 0))[0] for name in names}
    for name in given:
        if name not in bases.values():
            raise UnknownName("detector", name, bases.values(), "at= names it")
    for name in bases.values():
        if name not in given:
            raise InputError(f"at must name every detector, got none for {name!r}")
    return {name: given[base] for name, base in bases.items()}


def read_threshold(at: Any) -> float | Rule | Tuned | None:
    """Read what chooses a threshold: a number, a rule, `tuned`, or the text of one of them."""
    at = read_tuned(at)
    return at if at is None or isinstance(at, Tuned) else threshold(at)
