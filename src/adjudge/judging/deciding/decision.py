"""Decide: which threshold and which policy to run, chosen and judged on different weeks.

Whoever tries many thresholds and keeps the cheapest has chosen luck too. So the time is cut into
blocks, whole weeks by default; for each block the choice is made on the others and paid on it. The
sum is what this way of choosing would have cost on incidents that it had not seen.

A `adjudge.judging.deciding.table.Table` has what every candidate did in every block; all that
follows is arithmetic on it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import boolean, front_door, items
from adjudge.count.costs import Costs, Rate
from adjudge.count.tally import Tally
from adjudge.data.clock import NANOSECONDS, duration, spelt
from adjudge.data.columns import ids
from adjudge.data.incidents import Alerts, Incidents
from adjudge.errors import InputError, shown
from adjudge.judging.deciding.table import Candidate, table_of_points, table_of_things
from adjudge.judging.preparation import ReadingOptions, detectors_of, prepared
from adjudge.measure.thresholds import Policy, Rule
from adjudge.metrics.reader import catalogue
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import threshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Column, Flags, Floats, Positions
    from adjudge.judging.deciding.table import Table
    from adjudge.metrics.metric import Metric

FEWEST_BLOCKS, FEWEST_INCIDENTS = 8, 10
"""With fewer there is no interval: of so few nobody knows how much they differ."""
BUSY = 0.1
"""Who fires for more than this share of the quiet time is left out: one endless page is never
false, and tells nobody anything."""
NEVER = "paging nobody"
_LEVEL = 0.95


class Objective(NamedTuple):
    """What is to be had: a low cost or a good value, within a budget of false pages."""

    metric: Metric
    costs: Costs | None
    budget: Rate | None

    def value(self, sums: Floats, watched: float) -> float:
        """The value of sums."""
        found = self.metric.parts.measure(Tally(*sums.tolist(), watched))  # type: ignore[call-arg]
        return float(np.ravel(np.asarray(found, np.float64))[0])

    def allowed(self, table: Table, blocks: Flags) -> Flags:
        """Which candidates keep to the budget on some blocks, and do not fire nearly always."""
        kept = table.busy <= BUSY
        if self.budget is not None:
            per_day = self.budget.amount / (self.budget.span / NANOSECONDS["d"])
            days = table.blocks.days[blocks].sum()
            kept = kept & (table.false[:, blocks].sum(axis=1) <= per_day * days * (1 + 1e-12))
        return np.asarray(kept)

    def chosen(self, table: Table, blocks: Flags) -> int:
        """The best candidate on some blocks; -1: none is allowed.

        Of equally good ones that with the fewest false alarms, and of these the first.
        """
        sums = table.sums[:, blocks].sum(axis=1)
        watched = float(table.watched[blocks].sum())
        values = np.array([self.value(one, watched) for one in sums])
        values = values if self.metric.row.better == "lower" else -values
        values[~self.allowed(table, blocks) | np.isnan(values)] = np.inf
        false = table.false[:, blocks].sum(axis=1)
        return int(np.lexsort((false, values))[0]) if np.isfinite(values).any() else -1


class Fold(NamedTuple):
    """One block: what was chosen without it, and what that paid on it."""

    block: int
    choice: int
    """The number of the candidate; -1: none kept to the budget, so nobody was paged."""
    sums: Floats
    paid: float
    """The cost, or the value, on this block."""


def folds_of(table: Table, objective: Objective, *, forward: bool) -> list[Fold]:
    """Choose on the other blocks, or on those before, and pay on each."""
    numbers, found = np.arange(table.watched.size), []
    for block in numbers[1:] if forward else numbers:
        others = numbers < block if forward else numbers != block
        choice = objective.chosen(table, others) if others.any() else -1
        silence = np.array([0, table.sums[0, block, 1], 0, 0], np.float64)
        sums = silence if choice < 0 else table.sums[choice, block]
        costs = objective.costs is not None
        paid = objective.value(sums, 1.0 if costs else float(table.watched[block]))
        found.append(Fold(int(block), choice, sums, paid))
    return found


class Interval(NamedTuple):
    """From where to where a value may be; NaN: nobody knows."""

    low: float
    high: float


def cost_interval(paid: Floats, watched: Floats, dearest: float) -> Interval:
    """Where the mean cost lies, in 95 of 100 such histories, by gamma distributions.

    Costs are sums of few large prices: skewed, and 0 in many weeks. So the interval is that of a
    weighted Poisson count (Fay and Feuer 1997) with the spread that blocks show, and at the upper
    end one more miss is imagined: without any, three or four are still possible.

    >>> low, high = cost_interval(np.zeros(12), np.ones(12), 500)
    >>> print(f"{low:.0f} to {high:.0f}")
    0 to 154
    """
    from scipy.stats import t  # noqa: PLC0415 - slow to import, rarely needed

    count, total, time = len(paid), float(paid.sum()), float(watched.sum())
    apart = paid - total / time * watched
    widened = (float(t.ppf(0.5 + _LEVEL / 2, count - 1)) / 1.96) ** 2
    spread = float((apart**2).sum()) * count / (count - 1) * widened
    low = _gamma_end(total, spread, 0.5 - _LEVEL / 2)
    high = _gamma_end(total + dearest, spread + dearest**2, 0.5 + _LEVEL / 2)
    return Interval(low / time, high / time)


def _gamma_end(mean: float, variance: float, share: float) -> float:
    """The quantile of a gamma distribution; the mean itself where nothing is spread."""
    from scipy.stats import chi2  # noqa: PLC0415 - slow to import, rarely needed

    if not mean or not variance:
        return mean
    return variance / (2 * mean) * float(chi2.ppf(share, 2 * mean**2 / variance))


def value_interval(folds: Sequence[Fold], table: Table, objective: Objective) -> Interval:
    """The same of any metric, by leaving out each block in turn (jackknife) and Student's t.

    One more block is imagined, with one more incident that is missed and one more false alarm:
    blocks that are all perfect do not show that the next one will be.
    """
    from scipy.stats import t  # noqa: PLC0415 - slow to import, rarely needed

    sums = np.array([fold.sums for fold in folds])
    watched = np.array([table.watched[fold.block] for fold in folds])
    whole = objective.value(sums.sum(axis=0), float(watched.sum()))
    each = sums[:, 1].sum() / max(1.0, float(table.incidents.sum()))
    imagined = sums.mean(axis=0) + np.array([0, each, 0, 1])
    sums, watched = np.vstack([sums, imagined]), np.append(watched, watched.mean())
    count, every = len(watched), sums.sum(axis=0)
    rest = [
        objective.value(every - own, float(watched.sum() - time))
        for own, time in zip(sums, watched, strict=True)
    ]
    pseudo = count * objective.value(every, float(watched.sum())) - (count - 1) * np.array(rest)
    reach = float(t.ppf(0.5 + _LEVEL / 2, count - 1) * pseudo.std(ddof=1) / math.sqrt(count))
    low, high = objective.metric.row.range
    return Interval(max(low, whole - reach), min(high, whole + reach))


def cheaper_for_sure(paid: Floats, other: Floats) -> bool:
    """Whether blocks show that one way costs less than another: by Student's t, at 2.5 %."""
    from scipy.stats import t  # noqa: PLC0415 - slow to import, rarely needed

    saved = other - paid
    if not saved.any():
        return False
    error = float(saved.std(ddof=1)) / math.sqrt(len(saved))
    reach = float(t.ppf(0.5 + _LEVEL / 2, len(saved) - 1))
    return bool(saved.mean() > reach * error)


class Step(NamedTuple):
    """A candidate beside the choice: the same policy with the next threshold."""

    name: str
    found: float
    false: float
    value: float


class Best(NamedTuple):
    """For which costs of a miss a candidate is the cheapest."""

    start: float
    stop: float
    name: str


@front_door("Decision")
@dataclass(frozen=True, eq=False, repr=False)
class Decision:
    """Which candidate to run, and what choosing like this would have cost; see `decide`.

    Attributes
    ----------
    choice : str
        The candidate that is best on all blocks.
    per_week, honest, low, high : float
        What it came to on the blocks that it was chosen on; what choosing like this came to on
        blocks that it had not seen; and the 95 % interval of that, NaN where blocks are too few.
    chosen : dict
        How often each candidate was chosen.
    worth_having : bool or None
        Whether that is cheaper than every detector that looks at no data; None: too few to say.

    Examples
    --------
    >>> import adjudge as aj
    >>> import numpy as np
    >>> labels = np.tile(np.r_[np.zeros(900), np.ones(60), np.zeros(720)], 9)
    >>> scores = np.random.default_rng(0).random(labels.size) + labels
    >>> time = np.datetime64("2026-01-05") + np.arange(labels.size) * np.timedelta64(6, "m")
    >>> found = aj.decide(labels, scores, [1.2, 0.9], costs=aj.costs(miss=500), time=time)
    >>> found.choice, found.honest
    ('policy(1.2)', 0.0)
    """

    table: Table
    objective: Objective
    folds: tuple[Fold, ...]
    past: tuple[Fold, ...]
    """The folds by which is chosen on the past alone."""
    block: str
    """How long a block is."""
    forward: bool = False
    now: int | None = None
    """The number of the candidate that runs at present."""
    step: float = math.nan
    """The usual step of time in seconds; NaN of incidents and alerts."""

    @property
    def number(self) -> int:
        """The number of the choice; -1: no candidate keeps to the budget."""
        return self.objective.chosen(self.table, np.ones(self.table.watched.size, bool))

    @property
    def choice(self) -> str:
        """The candidate that is best on all blocks."""
        return self.name_of(self.number)

    def name_of(self, number: int) -> str:
        """What a candidate is called."""
        return NEVER if number < 0 else self.table.names[number]

    @property
    def candidate(self) -> Candidate | None:
        """The detector and the policy of the choice; None: no candidate keeps to the budget."""
        return self.table.candidates[self.number] if self.number >= 0 else None

    def value_of(self, number: int) -> float:
        """What a candidate comes to on all blocks."""
        if number < 0:
            sums = np.array([0, self.table.sums[0, :, 1].sum(), 0, 0])
        else:
            sums = self.table.sums[number].sum(axis=0)
        return self.objective.value(sums, float(self.table.watched.sum()))

    @property
    def per_week(self) -> float:
        """What the choice came to on the blocks that it was chosen on."""
        return self.value_of(self.number)

    @property
    def honest(self) -> float:
        """What choosing like this came to on blocks that it had not seen."""
        return _over(self.folds, self.table, self.objective)

    @property
    def past_only(self) -> float:
        """The same where only the past was known."""
        return _over(self.past, self.table, self.objective)

    @property
    def enough(self) -> bool:
        """Whether there are blocks and incidents enough for an interval."""
        many = len(self.folds) >= FEWEST_BLOCKS
        return many and self.table.incidents.sum() >= FEWEST_INCIDENTS

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the honest value."""
        if not self.enough or math.isnan(self.honest):
            return Interval(math.nan, math.nan)
        if self.objective.costs is None:
            return value_interval(self.folds, self.table, self.objective)
        return cost_interval(self._paid, self._times, self.table.dearest)

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.interval.low

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.interval.high

    @property
    def _paid(self) -> Floats:
        return np.array([fold.paid for fold in self.folds])

    @property
    def _times(self) -> Floats:
        return self.table.watched[[fold.block for fold in self.folds]]

    @property
    def chosen(self) -> dict[str, int]:
        """How often each candidate was chosen, the most frequent first."""
        names = [self.name_of(fold.choice) for fold in self.folds]
        return {
            n: names.count(n) for n in sorted(dict.fromkeys(names), key=lambda n: -names.count(n))
        }

    @property
    def nobody(self) -> float:
        """What paging nobody costs."""
        return self.value_of(-1)

    @property
    def without_data(self) -> dict[str, float]:
        """What detectors cost that look at no data: nobody, and every so many hours."""
        time = float(self.table.watched.sum())
        paid = {name: float(one.sum()) / time for name, one in self.table.regular.items()}
        least = min(paid, key=lambda name: paid[name], default="")
        return {NEVER: self.nobody} | ({f"paging {least}": paid[least]} if least else {})

    @property
    def worth_having(self) -> bool | None:
        """Whether the choice is cheaper than every detector that looks at no data."""
        if self.objective.costs is None or not self.enough:
            return None
        blocks = [fold.block for fold in self.folds]
        others = [self.table.worth, *self.table.regular.values()]
        return all(cheaper_for_sure(self._paid, other[blocks]) for other in others)

    @property
    def better_than_now(self) -> bool | None:
        """Whether choosing like this is cheaper than the present rule; None: nobody knows."""
        if self.now is None or self.objective.costs is None or not self.enough:
            return None
        blocks = [fold.block for fold in self.folds]
        sums = self.table.sums[self.now][blocks]
        return cheaper_for_sure(self._paid, np.array([self.objective.value(s, 1.0) for s in sums]))

    @property
    def found(self) -> tuple[int, int]:
        """How many incidents were found on unseen blocks, and how many there were."""
        seen = [f for f in self.folds if f.choice >= 0]
        found = sum(self.table.found[fold.choice, fold.block] for fold in seen)
        return int(found), int(sum(self.table.incidents[fold.block] for fold in self.folds))

    @property
    def false_on_unseen(self) -> Floats:
        """False pages of each unseen block."""
        return np.array(
            [0.0 if f.choice < 0 else self.table.false[f.choice, f.block] for f in self.folds]
        )

    @property
    def delay_minutes(self) -> float:
        """The mean delay of the incidents that were found on unseen blocks, in minutes."""
        seen = [f for f in self.folds if f.choice >= 0]
        late = sum(self.table.late[fold.choice, fold.block] for fold in seen)
        return float(late / self.found[0]) if self.found[0] else math.nan

    @property
    def neighbours(self) -> list[Step]:
        """The candidates with the next thresholds to either side of the choice."""
        if self.number < 0:
            return []
        chosen = self.table.candidates[self.number]
        if chosen.level is None:
            return []
        alike = {
            one.level: number
            for number, one in enumerate(self.table.candidates)
            if one.level is not None and one.kind == chosen.kind
        }
        order = sorted(alike)
        place = order.index(chosen.level)
        near = [alike[order[p]] for p in (place - 1, place + 1) if 0 <= p < len(order)]
        return [
            Step(
                self.table.names[n],
                float(self.table.found[n].sum()),
                float(self.table.false[n].sum()),
                self.value_of(n),
            )
            for n in near
        ]

    @property
    def by_cost_of_a_miss(self) -> list[Best]:
        """For which costs of a miss each candidate would be the cheapest, from 0 up."""
        costs = self.objective.costs
        if costs is None or isinstance(costs.miss, str):
            return []
        every = np.ones(self.table.watched.size, bool)
        allowed = np.flatnonzero(self.objective.allowed(self.table, every))
        missed = self.table.incidents.sum() - self.table.found.sum(axis=1)
        sums = self.table.sums.sum(axis=1)
        rest = sums[:, 1] - sums[:, 0] + sums[:, 3] - sums[:, 2] - float(costs.miss) * missed
        return _cheapest(rest, missed, allowed, self.table.names)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values; costs are told for a week unless ``per`` says otherwise."""
        return as_plain(self)

    def to_json(self) -> str:
        """The same as JSON."""
        from adjudge.judging.deciding.words import as_json  # noqa: PLC0415 - it reads this

        return as_json(self)

    def prometheus(self, metric: str = "anomaly_score", name: str = "Anomaly") -> str:
        """The choice as a rule of Prometheus.

        Parameters
        ----------
        metric, name : str
            What the score is called there, and what to call the alert.
        """
        from adjudge.judging.deciding.words import prometheus_rule  # noqa: PLC0415 - it reads this

        return prometheus_rule(self, metric, name)

    def plot(self, *, ax: Any = None, kind: str = "blocks") -> Any:
        """Draw what each block cost, or the candidates for each price of a miss.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.
        kind : "blocks", "miss" or "net benefit"
            Costs block by block; costs by the price of a miss; or incidents found less false pages
            at the exchange rate of their prices.
        """
        from adjudge.reporting.figures.decision_plot import plot_decision  # noqa: PLC0415 - draws

        return plot_decision(self, ax=ax, kind=kind)

    def __str__(self) -> str:
        """Say it in sentences."""
        from adjudge.judging.deciding.words import sentences  # noqa: PLC0415 - it reads this

        return "\n".join(sentences(self))

    __repr__ = __str__


def _over(folds: Sequence[Fold], table: Table, objective: Objective) -> float:
    if not folds:
        return math.nan
    watched = sum(float(table.watched[fold.block]) for fold in folds)
    return objective.value(np.sum([fold.sums for fold in folds], axis=0), watched)


def _cheapest(rest: Floats, missed: Floats, allowed: Positions, names: Sequence[str]) -> list[Best]:
    """The lower envelope of the lines rest + price x missed, from the price 0 up."""
    if not allowed.size:
        return []
    now = min(allowed.tolist(), key=lambda k: (rest[k], missed[k]))
    found: list[Best] = []
    start = 0.0
    while True:
        fewer = [k for k in allowed.tolist() if missed[k] < missed[now]]
        crossing = {k: (rest[k] - rest[now]) / (missed[now] - missed[k]) for k in fewer}
        if not crossing:
            return [*found, Best(start, math.inf, names[now])]
        then = min(crossing, key=lambda k: (crossing[k], missed[k]))
        found.append(Best(start, crossing[then], names[now]))
        start, now = crossing[then], then


def as_plain(decision: Decision) -> dict[str, Any]:
    """A decision as plain values, by names that a program may rely on."""
    table, objective = decision.table, decision.objective
    weeks = table.watched.sum()

    def folds(chosen: Sequence[Fold], mean: float) -> dict[str, Any]:
        return {
            "choices": [[decision.name_of(fold.choice), fold.paid] for fold in chosen],
            "per_week": mean,
        }

    costs = objective.costs is not None
    paid = {
        name: [
            objective.value(s, 1.0 if costs else w)
            for s, w in zip(sums, table.watched, strict=True)
        ]
        for name, sums in zip(table.names, table.sums, strict=True)
    }
    return {
        "choice": decision.choice,
        "metric": str(objective.metric),
        "budget": None if objective.budget is None else str(objective.budget),
        "block": decision.block,
        "blocks": table.watched.size,
        "incidents_per_block": table.incidents.tolist(),
        "cost" if costs else "value": paid,
        "in_hindsight": {"choice": decision.choice, "per_week": decision.per_week},
        "leave_one_week_out": folds(decision.folds, decision.honest),
        "past_only": folds(decision.past, decision.past_only),
        "interval": [decision.low, decision.high],
        "chosen": decision.chosen,
        "page_nobody_per_week": decision.nobody,
        "without_data": decision.without_data,
        "worth_having": decision.worth_having,
        "best_by_cost_of_a_miss": [
            {"from": b.start, "to": None if math.isinf(b.stop) else b.stop, "best": b.name}
            for b in decision.by_cost_of_a_miss
        ],
        "false_per_week": {
            name: float(one.sum() / weeks)
            for name, one in zip(table.names, table.false, strict=True)
        },
        "found": {name: int(one.sum()) for name, one in zip(table.names, table.found, strict=True)},
        "unseen": {
            "found": decision.found[0],
            "incidents": decision.found[1],
            "false": decision.false_on_unseen.tolist(),
            "delay_minutes": decision.delay_minutes,
        },
    }


QUANTILES = (0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999)
"""Thresholds that are tried where nobody states any: those that so much of the scores lie below."""


@front_door("decide")
def decide(
    labels: Column,
    scores: Column,
    candidates: Any = None,
    metric: str | Metric | None = None,
    *,
    costs: str | Metric | None = None,
    budget: str | None = None,
    blocks: Any = "1w",
    forward: bool = False,
    now: Any = None,
    severity: Column = None,
    series: Column = None,
    where: Column = None,
    time: Column = None,
    positive: object = None,
    missing: str = "refuse",
    sort: bool = False,
    span: Any = None,
    watched: Any = None,
    outages: Any = None,
    early: Any = None,
) -> Decision:
    """Choose a threshold and a policy, and say what choosing like this costs on unseen weeks.

    The time is cut into blocks. For each block the best candidate on the others is chosen, and paid
    for on this one; so no incident is ever used to choose what it then judges. The interval is over
    blocks; with fewer than 8, or fewer than 10 incidents, there is none.

    Parameters
    ----------
    labels : column, Events or Incidents
        The truth.
    scores : column, dict of columns, or Alerts
        One detector, or several by name: then which of them to run is chosen too.
    candidates : list of numbers, rules and policies
        Stated before anybody looks. Default: thresholds at seven quantiles of the scores; alerts as
        they are. Of alerts with a score they are numbers.
    metric : spec or Metric, optional
        What is to be best, where no costs are given: a metric that has a receipt.
    costs : Metric
        `adjudge.costs` with prices.
    budget : str
        How many false pages are allowed, such as "1/day", "3/week" or "1/12h"; candidates with
        more, on the blocks that they are chosen on, are out. Alone: the highest recall of events
        within it.
    blocks : duration
        How long a block is.
    forward : bool
        Choose on the blocks before each one alone: stricter, and right where things drift.
    now : number, rule or policy, optional
        What runs at present, to be compared with.
    severity : column, optional
        One per event, for prices by severity; incidents have their own.
    series, where, time, positive, missing, sort
        As in `adjudge.evaluate`; there must be times.
    span, watched, outages, early
        Of `adjudge.Incidents` and `adjudge.Alerts`, as in `adjudge.evaluate`.

    Returns
    -------
    Decision
        ``print`` says it in sentences; ``.prometheus()`` gives the rule to deploy.

    Raises
    ------
    InputError
        If nothing says what is to be best, a budget has no time, or a candidate has no threshold.

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
    if isinstance(labels, Incidents):
        watching = {"span": span, "watched": watched, "outages": outages, "early": early}
        watching["series"] = series
        table, step = (
            _of_things(labels, scores, candidates, now, objective, length, watching),
            math.nan,
        )
    else:
        given = ReadingOptions(series, where, time, positive, missing, sort)
        table, step = _of_points(
            labels, scores, candidates, now, objective, length, given, severity
        )
    folds = tuple(folds_of(table, objective, forward=forward))
    past = folds if forward else tuple(folds_of(table, objective, forward=True))
    present = None if now is None else len(table.names) - 1
    return Decision(table, objective, folds, past, length, forward, present, step)


def _objective(metric: Any, costs: Any, budget: Any) -> Objective:
    """Read what is to be best."""
    rate = None
    if budget is not None:
        rate = Rate.read(budget, "budget", "1/day")
    if metric is None and costs is None and budget is None:
        raise InputError(
            "decide must know what is best: say costs=aj.costs(miss=500, false=20), budget='1/day' "
            "or a metric; on the command line --cost miss=500 --cost false=20, --budget 1/day"
        )
    if metric is not None and costs is not None:
        raise InputError(
            f"metric must be left out beside costs, got {shown(metric)} and {shown(costs)}"
        )
    read = read_metric(costs if costs is not None else metric or catalogue["event_recall"].metric)
    counting = read.parts.counting
    if costs is not None and not isinstance(counting, Costs):
        raise InputError(f"costs must be aj.costs(...), got {read}")
    if not read.has_receipt or not read.needs_threshold or not read.resamples:
        raise InputError(
            f"metric must have one value per threshold, and a sum over events and alarms behind "
            f"it, got {read}; event_f1 and costs have"
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
        raise InputError("candidates must name at least one policy or threshold, got none")
    return [Candidate(name, one) for name in names for one in dict.fromkeys(read)]


def _policy(given: Any) -> Policy:
    at = threshold(given)
    return at if isinstance(at, Policy) else Policy(at)


def _of_points(
    labels: Any, scores: Any, candidates: Any, now: Any, objective: Objective, length: str,
    given: ReadingOptions, severity: Any,
) -> tuple[Table, float]:  # fmt: skip
    cases = [ready.case for ready in prepared(labels, scores, None, given)]
    listed = _policies(
        candidates, [case.name for case in cases], flags=all(case.is_flags for case in cases)
    )
    if now is not None:
        listed.append(Candidate(cases[0].name, _policy(now)))
    kinds = None if severity is None else ids(severity, "severity")
    table = table_of_points(cases, listed, objective.metric, length, kinds)
    clock = cases[0].events.clock
    steps = np.diff(clock.instants) if clock is not None else np.zeros(0)
    return table, float(np.median(steps)) / NANOSECONDS["s"] if steps.size else math.nan


def _of_things(
    incidents: Incidents, scores: Any, candidates: Any, now: Any, objective: Objective, length: str,
    watching: dict[str, Any],
) -> Table:  # fmt: skip
    from adjudge.judging.on_call.reading import Watching, cases_of  # noqa: PLC0415 - incidents alone
    from adjudge.metrics.on_alerts import above  # noqa: PLC0415

    single = isinstance(scores, Alerts)
    cases = cases_of(
        incidents, [("alerts", scores)] if single else detectors_of(scores), Watching(**watching)
    )
    if candidates is None:
        listed, raised = [Candidate(case.name, None) for case in cases], list(cases)
        if now is not None:
            raise InputError(f"now must be left out without candidates, got {shown(now)}")
    else:
        listed = _policies(candidates, [case.name for case in cases], flags=False)
        if now is not None:
            listed.append(Candidate(cases[0].name, _policy(now)))
        by_name = {case.name: case for case in cases}
        listed = [one._replace(level=_number(one)) for one in listed]
        raised = [above(by_name[one.detector], one.level) for one in listed]
    return table_of_things(raised, listed, objective.metric, length)


def _number(one: Candidate) -> float:
    """The threshold of alerts, which are things already."""
    policy = one.policy
    if policy is None or not isinstance(policy.at, float) or policy != Policy(policy.at):
        raise InputError(
            f"candidates must be numbers where alerts have a score, got {policy}; policies make "
            "alerts of scores, which are there already"
        )
    return policy.at
