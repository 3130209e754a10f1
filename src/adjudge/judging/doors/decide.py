"""Decide: which threshold and which policy to run, chosen and judged on different weeks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from adjudge.checks import boolean, items, suggest_keywords
from adjudge.count.costs import Costs, CountRate, regular_in_time, regular_on_points
from adjudge.count.ledger import Ledger
from adjudge.count.runs import Runs
from adjudge.data.columns import ids
from adjudge.data.durations import NANOSECONDS, duration, spelt
from adjudge.errors import InputError, shown
from adjudge.judging.deciding.decision import Decision, Objective, folds_of
from adjudge.judging.deciding.table import Candidate, Tried, table_of
from adjudge.judging.inputs.contract import DecidedColumns
from adjudge.judging.inputs.door import chosen, read, takes_input
from adjudge.judging.inputs.on_call import OnCall
from adjudge.judging.inputs.points import Points
from adjudge.measure.thresholds.contract import Rule
from adjudge.measure.thresholds.policy import Policy
from adjudge.metrics.on_alerts import above
from adjudge.metrics.reader import catalogue
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import threshold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Array, Column
    from adjudge.data.case import Case
    from adjudge.judging.deciding.table import Outcomes
    from adjudge.judging.inputs.contract import Input
    from adjudge.metrics.metric import Metric


QUANTILES = (0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
"""Thresholds that are tried where nobody states any: those that so much of the scores lie below."""


@suggest_keywords("decide", passes_on=DecidedColumns)
@takes_input()
def decide(
    labels: Column,
    scores: Column = None,
    candidates: Any = None,
    metric: str | Metric | None = None,
    *,
    costs: str | Metric | None = None,
    budget: str | None = None,
    blocks: Any = "1w",
    forward: bool = False,
    now: Any = None,
    **columns: Unpack[DecidedColumns],
) -> Decision:
    """Choose a threshold and a policy, and estimate what choosing this way costs on unseen weeks.

    Cross-validation over blocks of time: for each block, the best candidate on the others is chosen
    and its cost measured on this one, so no incident judges a choice that it helped to make. The
    interval is over blocks; with fewer than 8, or fewer than 10 incidents, there is none.

    Parameters
    ----------
    labels : column, Events or Incidents; or an input
        The truth. An input (`adjudge.Points` or `adjudge.OnCall`) replaces labels and scores.
    scores : column, dict of columns, or Alerts
        One detector, or several by name: then which of them to run is chosen too.
    candidates : list of numbers, rules and policies
        Stated in advance. Default: thresholds at seven quantiles of the scores; alerts unchanged.
        For alerts without a score, policies such as ``policy(after="10min")``.
    metric : spec or Metric, optional
        What to maximise if no costs are given: a metric that has a receipt.
    costs : Metric
        `adjudge.costs` with prices.
    budget : str
        The false pages allowed, such as "1/day", "3/week" or "1/12h"; candidates with more, on
        the blocks used to choose, are excluded. Without costs or metric: the highest event recall
        within the budget.
    blocks : duration
        How long a block is.
    forward : bool
        Choose only on earlier blocks: stricter, and right under drift.
    now : number, rule or policy, optional
        What runs at present, for comparison; for alerts without candidates a detector's name.
    **columns
        Arguments of the input, as in `adjudge.evaluate`; there must be
        times. Points also take ``severity``, for prices by severity; incidents have their own.

    Returns
    -------
    Decision
        ``print`` shows sentences; ``.prometheus()`` returns the rule to deploy.

    Raises
    ------
    InputError
        If there is nothing to optimise, a budget has no time, or a candidate has no threshold.

    Examples
    --------
    >>> import numpy as np
    >>> import adjudge as aj
    >>> labels = np.tile(np.r_[np.zeros(900), np.ones(60), np.zeros(720)], 9)
    >>> scores = np.random.default_rng(0).random(labels.size) + labels
    >>> time = np.datetime64("2026-01-05") + np.arange(labels.size) * np.timedelta64(6, "m")
    >>> found = decide(labels, scores, [0.9, 1.2], budget="1/day", time=time)
    >>> found.choice, found.found
    ('policy(1.2)', (9, 9))
    """
    objective = _objective(metric, costs, budget)
    boolean(forward, "forward")
    length = spelt(duration(blocks, "blocks"))
    if objective.costs is None and columns.get("severity") is not None:
        raise InputError("severity needs costs= with prices by severity")
    data, wanted = read(labels, scores, columns), Wanted(candidates, now, length)
    table, step = chosen(_TABLES, data, "decide")(data, objective, wanted)
    folds = tuple(folds_of(table, objective, forward=forward))
    past = folds if forward else tuple(folds_of(table, objective, forward=True))
    present = None if now is None else wanted.place_of_now(table.candidates)
    return Decision(table, objective, folds, past, length, forward, present, step)


def _objective(metric: Any, costs: Any, budget: Any) -> Objective:
    """Read what is to be best."""
    rate = None
    if budget is not None:
        rate = CountRate.read(budget, "budget", "1/day")
    if metric is None and costs is None and budget is None:
        raise InputError(
            "decide needs an objective: costs=aj.costs(miss=500, false=20), budget='1/day' or "
            "a metric (--cost miss=500 --cost false=20, --budget 1/day)"
        )
    if metric is not None and costs is not None:
        raise InputError(
            f"metric must be left out with costs, got {shown(metric)} and {shown(costs)}"
        )
    read = read_metric(costs if costs is not None else metric or catalogue["event_recall"].metric)
    counting = read.parts.counting
    if costs is not None and not isinstance(counting, Costs):
        raise InputError(f"costs must be aj.costs(...), got {read}")
    if not read.has_receipt or not read.needs_threshold or not read.resamples:
        raise InputError(
            "metric must have one value per threshold and be a sum over events and alarms, "
            f"got {read}; event_f1 and costs are"
        )
    return Objective(read, counting if isinstance(counting, Costs) else None, rate)


def _policies(candidates: Any, names: Sequence[str], *, flags: bool) -> list[Candidate]:
    """Read the candidates, each for every detector."""
    if candidates is None:
        candidates = [Policy()] if flags else [f"policy(quantile({q}))" for q in QUANTILES]
    if isinstance(candidates, (str, float, int, Rule)):
        candidates = [candidates]
    read = [_policy(one) for one in items(candidates, "candidates", "policies")]
    if not read:
        raise InputError("candidates must hold at least one policy or threshold, got none")
    return [Candidate(name, one) for name in names for one in dict.fromkeys(read)]


def _policy(given: Any) -> Policy:
    at = threshold(given)
    return at if isinstance(at, Policy) else Policy(at)


class Wanted(NamedTuple):
    """What is tried, and on which blocks."""

    candidates: Any
    now: Any
    block: str

    def policies(self, detectors: Sequence[str], *, flags: bool) -> list[Candidate]:
        """The candidates of some detectors; what runs at present is the last."""
        listed = _policies(self.candidates, detectors, flags=flags)
        return listed if self.now is None else [*listed, Candidate(detectors[0], _policy(self.now))]

    def place_of_now(self, listed: Sequence[Candidate]) -> int:
        """Where what runs at present is listed: a detector by its name, else the last."""
        names = [one.detector if one.policy is None else None for one in listed]
        return names.index(self.now) if self.now in names else len(listed) - 1


def decided_points(data: Points, objective: Objective, wanted: Wanted) -> tuple[Outcomes, float]:
    """What candidates did on points, and the usual step of time in seconds."""
    cases = {case.name: case for case in data.cases}
    events, costs = data.cases[0].events, objective.costs
    listed = wanted.policies(data.detectors, flags=all(case.is_flags for case in data.cases))
    if events.clock is None:
        raise InputError(
            "time must be given (--time COL): decide chooses on some weeks and evaluates on others"
        )
    listed = [one.on(cases[one.detector]) for one in listed]
    alarms = (one.alarms(cases[one.detector]) for one in listed)
    tried = Tried(alarms, objective.metric.on(events).rows, None, {})
    if costs is not None:
        money = costs.priced(events, _severity(data, len(events)))

        def paid(case: Case) -> Ledger:
            return Ledger.of_points(money.entries(case.flags, events), events)

        tried = Tried(alarms, paid, costs, regular_on_points(money, events))
    steps = np.diff(events.clock.instants)
    step = float(np.median(steps)) / NANOSECONDS["s"] if steps.size else math.nan
    return table_of(listed, tried, wanted.block), step


def _severity(data: Points, events: int) -> Array | None:
    """The severity of each event, where prices differ by it."""
    severity = None if data.severity is None else ids(data.severity, "severity")
    if severity is not None and len(severity) != events:
        raise InputError(f"severity must be one per event, got {len(severity)} for {events} events")
    return severity


def decided_alerts(data: OnCall, objective: Objective, wanted: Wanted) -> tuple[Outcomes, float]:
    """What candidates did on incidents; there is no step."""
    if data.every is not None:
        data.refuse("every", data.every, "; decide counts alerts as given")
    cases, metric = data.cases, objective.metric
    if wanted.candidates is None:
        listed, raised = [Candidate(case.name, None) for case in cases], list(cases)
        if wanted.now not in (None, *data.detectors):
            raise InputError(
                f"now must be one of {', '.join(data.detectors)} without candidates, got "
                f"{shown(wanted.now)}"
            )
    else:
        by_name = {case.name: case for case in cases}
        given = wanted.policies(data.detectors, flags=False)
        raised = [above(by_name[one.detector], one.policy) for one in given]
        listed = [one._replace(level=case.at) for one, case in zip(given, raised, strict=True)]
    if cases[0].incidents.clock is None:
        raise InputError(
            "incidents must have times: decide chooses on some weeks and evaluates on others"
        )
    if type(metric.parts.counting) not in {Costs, Runs}:
        raise InputError(
            f"metric must be costs or one of events such as event_f1 for incidents, got {metric}"
        )
    costs = objective.costs
    regular = {} if costs is None else regular_in_time(costs, cases[0])
    return table_of(listed, Tried(raised, metric.rows, costs, regular), wanted.block), math.nan


_TABLES: dict[type[Input], Callable[[Any, Objective, Wanted], tuple[Outcomes, float]]] = {
    Points: decided_points,
    OnCall: decided_alerts,
}
