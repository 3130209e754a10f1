"""Points: labels and what detectors say of them, one per point, or positions."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from adjudge.checks import boolean, suggest_keywords, word
from adjudge.data.case import (
    Case,
    GivenColumns,
    score_column,
    sorted_by_time,
    time_of,
    time_order,
    truth,
)
from adjudge.data.columns import check_indexes
from adjudge.data.incidents import Alerts, Incidents, texts
from adjudge.data.shared_clock import RULES, clocked
from adjudge.errors import InputError
from adjudge.judging.inputs.contract import Input
from adjudge.judging.inputs.detectors import detectors_of, runs_of
from adjudge.judging.judge.prepared import placed
from adjudge.judging.judge.tuning import read_threshold, thresholds_by_name, with_part_reordered
from adjudge.judging.judge.which_metrics import default_metrics, default_of_changes
from adjudge.metrics.metric import with_rule_reordered
from adjudge.noise.coincidence import coincidence
from adjudge.noise.intervals.units import group_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array, Column, Positions
    from adjudge.data.events import Events
    from adjudge.judging.comparing.facing import Facing
    from adjudge.judging.judge.judge import ThresholdKind
    from adjudge.judging.judge.prepared import Prepared
    from adjudge.judging.receipt import Receipt
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask


class _Read(NamedTuple):
    """What was read of the columns."""

    truth: Events
    cases: tuple[Case, ...]
    order: Positions | None
    """Where each point stood before all were sorted; None: they were not."""


def _clocked(events: Events, cases: list[Case], rule: str) -> tuple[Events, tuple[Case, ...]]:
    """The truth and the detectors, with the clocks of all series."""
    shared = clocked(events, rule)
    found = coincidence(events, cases) if rule == "auto" and events.clock is None else None
    if found is not None and found.is_shared:
        shared = replace(clocked(events, "shared"), clock_note=found.sentence(events.series_count))
    if shared is events:
        return events, tuple(cases)
    return shared, tuple(case.on_clocks(_like(case.events, events, shared)) for case in cases)


def _like(own: Events, given: Events, shared: Events) -> Events:
    """The truth of one detector on the clocks of the whole; it may have points without a score."""
    if own is given:
        return shared
    return replace(own, clocks=shared.clocks, clock_note=shared.clock_note)


@suggest_keywords("Points")
@dataclass(frozen=True, eq=False, repr=False)
class Points(Input):
    """Labels and scores, one per point; or changes and alarms, which are positions.

    Parameters
    ----------
    labels : column, Events or Changes
        The truth.
    scores : column, dict of columns, or data frame
        One detector, or several by name; a list of columns under a name are its runs.
    series, where, time, positive, missing
        See `adjudge.Case`. A DatetimeIndex of the scores is taken as the time.
    sort : bool
        Sort the points by time first; a mask that a threshold is learnt on goes with its points.
    group : column, optional
        The data set of each point, or of each series; or the day, or whatever else holds what is
        not independent.
    kind : column, optional
        What kind of event each point belongs to, for `Judgement.by`; normal points need none.
    severity : column, optional
        One per event, for prices by severity.
    clock : {"auto", "shared", "own"}
        Which series live through the same time, so that their alarms are shifted together: all,
        none, or those that are seen to. These are series whose times overlap by half of the shorter
        one or more; without times, all series if they are equally long and both events and alarms
        coincide.

    Examples
    --------
    >>> import adjudge as aj
    >>> data = aj.Points([0, 0, 1, 1, 0], {"late": [0, 0, 0, 1, 0], "wide": [0, 1, 1, 1, 1]})
    >>> aj.evaluate(data, "f1", chance=False)["late", "f1"]
    0.6666666666666666
    >>> aj.compare(data, "f1").ahead
    """

    labels: Column
    scores: Column
    _: KW_ONLY
    series: Column = None
    where: Column = None
    time: Column = None
    positive: object = None
    missing: str = "refuse"
    sort: bool = False
    group: Column = None
    kind: Column = None
    severity: Column = None
    clock: str = "auto"

    noun: ClassVar[str] = "points"
    made: ClassVar[str] = "aj.Points(labels, scores, ...)"
    refused: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Read all columns, so that what does not fit together is refused here."""
        if isinstance(self.labels, Alerts):
            raise InputError("labels must be Incidents, got Alerts; are labels and scores swapped?")
        if isinstance(self.labels, Incidents):
            raise InputError("labels must be points, got Incidents; give them to aj.OnCall")
        boolean(self.sort, "sort")
        word(self.missing, "missing", ("refuse", "skip"))
        word(self.clock, "clock", RULES)
        self._read  # noqa: B018 - read once, and kept

    @cached_property
    def _read(self) -> _Read:
        detectors = detectors_of(self.scores)
        several = len(detectors) > 1
        named = {f"scores[{n!r}]" if several else "scores": column for n, column in detectors}
        beside = {"series": self.series, "where": self.where, "time": self.time}
        check_indexes(labels=self.labels, **named, **beside, group=self.group)
        columns = [column for _, column in detectors]
        time = time_of(self.time, columns[0], self.labels, self.series)
        given, order = GivenColumns(self.labels, columns, self.series, self.where, time), None
        if self.sort:
            given, order = sorted_by_time(given), time_order(time, self.series)
        events = truth(
            given.labels, score_column(given.scores[0]), series=given.series, where=given.where,
            positive=self.positive, time=given.time, called=next(iter(named)),
        )  # fmt: skip
        cases = [
            Case.of_argument(called, events, column, name, missing=self.missing)
            for called, (name, _), column in zip(named, detectors, given.scores, strict=True)
        ]
        return _Read(*_clocked(events, cases, self.clock), order)

    @property
    def detectors(self) -> list[str]:
        """What the detectors are called."""
        return [case.name for case in self.cases]

    @property
    def cases(self) -> tuple[Case, ...]:
        """The detectors one by one, beside the truth."""
        return self._read.cases

    @property
    def order(self) -> Positions | None:
        """Where each point stood before all were sorted; None: they were not."""
        return self._read.order

    @property
    def runs(self) -> dict[str, tuple[str, int]]:
        """For each run of a detector, the detector and the number of the run."""
        return runs_of(self.scores)

    @property
    def kinds(self) -> Array | None:
        """The kind of each point, in the order in which points are judged."""
        given = texts(self.kind, "kind", self._read.truth.n)
        return given if given is None or self.order is None else given[self.order]

    def placed(self, at: Any) -> list[Prepared]:
        """The detectors, each at its threshold.

        Parameters
        ----------
        at : number, rule, or a dict of them
            One threshold for all detectors, or one for each by name.
        """
        chosen = thresholds_by_name(at, self.detectors, self.runs)
        levels = [self.reordered(chosen[case.name]) for case in self.cases]
        return [
            placed(self._read.truth, case, level)._replace(order=self.order)
            for case, level in zip(self.cases, levels, strict=True)
        ]

    def default_metrics(self, kind: ThresholdKind) -> list[Metric]:
        """The usual metrics of intervals; of positions where the truth is changes."""
        return default_of_changes(kind) if self.of_changes else default_metrics(kind)

    def every_metric(self, ready: Prepared, kind: ThresholdKind) -> list[Metric]:
        """Every metric that is listed; of changes those of positions alone.

        Parameters
        ----------
        ready, kind : Prepared, ThresholdKind
            A detector, and how its threshold is to be had.
        """
        every = super().every_metric(ready, kind)
        return [one for one in every if one.row.positions or not self.of_changes]

    @property
    def of_changes(self) -> bool:
        """Whether the truth is changes, which have no length."""
        return self._read.truth.changes is not None

    def check_windows(self) -> None:
        """Refuse changes, of which there are no windows."""
        if self.of_changes:
            raise InputError(
                "labels must be points or incidents over time, got changes; use "
                "adjudge.evaluate for changes"
            )

    def groups(self, ready: Prepared) -> Positions | None:
        """The number of the data set of each point, if they are known."""
        if self.group is None:
            return None
        return group_numbers(self.group, ready.case.events, self.order)

    def explained(self, metric: Metric, at: Any) -> Receipt:
        """What each event earned, and what each alarm cost.

        Parameters
        ----------
        metric, at : Metric, threshold
            What `adjudge.explain` was asked.
        """
        from adjudge.judging.receipt import explain_case  # noqa: PLC0415 - to explain

        (ready,) = self.placed(at)
        own = with_rule_reordered(metric, ready.order)
        return explain_case(own, ready.case, ready.at, before=ready.before)

    def reordered(self, at: Any) -> Any:
        """A threshold, whose part goes with its points."""
        return at if self.order is None else with_part_reordered(at, self.order)

    def only(self, *names: str) -> Points:
        """The same with some of the detectors."""
        columns = dict(detectors_of(self.scores))
        return replace(self, scores={name: columns[name] for name in names})

    def facing(self, metric: Metric, at: tuple[Any, Any], ask: Ask) -> Facing:
        """Two detectors on the points that are judged of both.

        Parameters
        ----------
        metric, at, ask : Metric, pair of thresholds, Ask
            What `adjudge.compare` was asked.
        """
        from adjudge.judging.comparing.facing import facing_points  # noqa: PLC0415 - to compare

        one, other = (self.reordered(read_threshold(one)) for one in at)
        a, b = self.cases[0], self.cases[-1]
        if self.of_changes:
            self.refuse_all("; no best threshold of changes is chosen anew", draws=ask.draws)
        found = facing_points(with_rule_reordered(metric, self.order), a.common(b), (one, other))
        if self.group is None:
            return found
        events = found.rivals[0].turning.case.events
        return found._replace(groups=group_numbers(self.group, events, self.order))

    def of_cases(self, cases: Sequence[Case]) -> Points:
        """The same detectors with other alarms, or on fewer points."""
        return self.with_read(
            _read=_Read(cases[0].events, tuple(cases), None), kind=None, group=None
        )
