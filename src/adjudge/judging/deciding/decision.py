"""Decide: which threshold and which policy to run, chosen and judged on different weeks.

Whoever tries many thresholds and keeps the cheapest has chosen luck too. So the time is cut into
blocks, whole weeks by default; for each block the choice is made on the others and paid on it. The
sum is what this way of choosing would have cost on incidents that it had not seen.

`adjudge.judging.deciding.table.Outcomes` has what every candidate did in every block; all that
follows is arithmetic on it.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import suggest_keywords
from adjudge.count.tally import Tally
from adjudge.data.durations import NANOSECONDS
from adjudge.noise.intervals.student import UNDEFINED, Interval
from adjudge.tables.notebook import NotebookCell
from adjudge.tables.result_fields import json_ready

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.count.costs import Costs, CountRate
    from adjudge.judging.deciding.table import Candidate, Outcomes
    from adjudge.metrics.metric import Metric
    from adjudge.tables.glance import Glance
    from adjudge.tables.table import Layout

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
    budget: CountRate | None

    def value(self, sums: Floats, watched: float) -> float:
        """The value of sums."""
        found = self.metric.parts.measure(Tally(*sums.tolist(), watched))  # type: ignore[call-arg]
        return float(np.ravel(np.asarray(found, np.float64))[0])

    def allowed(self, table: Outcomes, blocks: Flags) -> Flags:
        """Which candidates keep to the budget on some blocks, and do not fire nearly always."""
        kept = table.busy <= BUSY
        if self.budget is not None:
            per_day = self.budget.amount / (self.budget.span / NANOSECONDS["d"])
            days = table.blocks.days[blocks].sum()
            kept = kept & (table.false[:, blocks].sum(axis=1) <= per_day * days * (1 + 1e-12))
        return np.asarray(kept)

    def chosen(self, table: Outcomes, blocks: Flags) -> int:
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


def folds_of(table: Outcomes, objective: Objective, *, forward: bool) -> list[Fold]:
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


def cost_interval(paid: Floats, watched: Floats, size_weighted_price: float) -> Interval:
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
    high = _gamma_end(
        total + size_weighted_price, spread + size_weighted_price**2, 0.5 + _LEVEL / 2
    )
    return Interval(low / time, high / time)


def _gamma_end(mean: float, variance: float, share: float) -> float:
    """The quantile of a gamma distribution; the mean itself where nothing is spread."""
    from scipy.stats import chi2  # noqa: PLC0415 - slow to import, rarely needed

    if not mean or not variance:
        return mean
    return variance / (2 * mean) * float(chi2.ppf(share, 2 * mean**2 / variance))


def value_interval(folds: Sequence[Fold], table: Outcomes, objective: Objective) -> Interval:
    """The same of any metric, by leaving out each block in turn (jackknife) and Student's t.

    One more block is imagined, with one more incident that is missed and one more false alarm:
    blocks that are all perfect do not show that the next one will be.
    """
    from scipy.stats import t  # noqa: PLC0415 - slow to import, rarely needed

    sums = np.array([fold.sums for fold in folds])
    watched = np.array([table.watched[fold.block] for fold in folds])
    whole = objective.value(sums.sum(axis=0), float(watched.sum()))
    each = sums[:, 1].sum() / max(1.0, float(table.incidents.sum()))
    pseudo_rows = sums.mean(axis=0) + np.array([0, each, 0, 1])
    sums, watched = np.vstack([sums, pseudo_rows]), np.append(watched, watched.mean())
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


class Cheapest(NamedTuple):
    """For which costs of a miss a candidate is the cheapest."""

    start: float
    stop: float
    name: str


@suggest_keywords("Decision")
@dataclass(frozen=True, eq=False, repr=False)
class Decision(NotebookCell):
    """Result of `decide`: the candidate to run, and what choosing this way costs on unseen blocks.

    Attributes
    ----------
    choice : str
        The candidate that is best on all blocks.
    per_week, honest, low, high : float
        What it came to on the blocks that it was chosen on; what choosing like this came to on
        blocks that it had not seen; and the 95 % interval of that, NaN where blocks are too few.
    chosen : dict
        How often each candidate was chosen.
    cheaper_than_none : bool or None
        Whether that is shown to be cheaper than no detector: than paging nobody, and than paging
        every so many hours (p <= .025 each). False does not say that it is dearer: the weeks may be
        too few to see. None: fewer than 8 blocks or 10 incidents.

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

    table: Outcomes
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
    def forward_only(self) -> float:
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
            return UNDEFINED
        if self.objective.costs is None:
            return value_interval(self.folds, self.table, self.objective)
        return cost_interval(self._paid, self._times, self.table.size_weighted_price)

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
    def cheaper_than_none(self) -> bool | None:
        """Whether the choice is shown to be cheaper than every detector that sees no data."""
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
    def by_cost_of_a_miss(self) -> list[Cheapest]:
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
        return json.dumps(json_ready(self.to_dict()), ensure_ascii=False, indent=2)

    def prometheus(self, metric: str = "anomaly_score", name: str = "Anomaly") -> str:
        """The choice as a rule of Prometheus.

        Parameters
        ----------
        metric, name : str
            What the score is called there, and what to call the alert.
        """
        from adjudge.judging.deciding.words import prometheus_rule  # noqa: PLC0415 - it reads this

        return prometheus_rule(self, metric, name)

    def plot(
        self, *, ax: Any = None, kind: str = "blocks", width: str | float | None = None
    ) -> Any:
        """Draw what each block cost, or the candidates for each price of a miss.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.
        width : str or float, optional
            Of the new figure on paper: ``"ieee1"``, ``"ieee2"``, ``"neurips"``, or centimetres.
        kind : "blocks", "miss" or "net benefit"
            Costs block by block; costs by the price of a miss; or incidents found less false pages
            at the exchange rate of their prices.
        """
        from adjudge.reporting.figures.decision_plot import plot_decision  # noqa: PLC0415 - draws

        return plot_decision(self, ax=ax, kind=kind, width=width)

    def glance(self) -> Glance:
        """What the choice costs on unseen blocks, beside what it costs to page nobody."""
        from adjudge.judging.deciding.words import glance  # noqa: PLC0415 - it reads this

        return glance(self)

    def layout(self) -> Layout:
        """Lay out how often each candidate was chosen, and the sentences."""
        from adjudge.judging.deciding.words import layout  # noqa: PLC0415 - it reads this

        return layout(self)

    def __str__(self) -> str:
        """Say it in sentences."""
        from adjudge.judging.deciding.words import sentences  # noqa: PLC0415 - it reads this

        return "\n".join(sentences(self))

    __repr__ = __str__


def _over(folds: Sequence[Fold], table: Outcomes, objective: Objective) -> float:
    if not folds:
        return math.nan
    watched = sum(float(table.watched[fold.block]) for fold in folds)
    return objective.value(np.sum([fold.sums for fold in folds], axis=0), watched)


def _cheapest(
    rest: Floats, missed: Floats, allowed: Positions, names: Sequence[str]
) -> list[Cheapest]:
    """The lower envelope of the lines rest + price x missed, from the price 0 up."""
    if not allowed.size:
        return []
    now = min(allowed.tolist(), key=lambda k: (rest[k], missed[k]))
    found: list[Cheapest] = []
    start = 0.0
    while True:
        fewer = [k for k in allowed.tolist() if missed[k] < missed[now]]
        crossing = {k: (rest[k] - rest[now]) / (missed[now] - missed[k]) for k in fewer}
        if not crossing:
            return [*found, Cheapest(start, math.inf, names[now])]
        then = min(crossing, key=lambda k: (crossing[k], missed[k]))
        found.append(Cheapest(start, crossing[then], names[now]))
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
        "forward_only": folds(decision.past, decision.forward_only),
        "interval": [decision.low, decision.high],
        "chosen": decision.chosen,
        "page_nobody_per_week": decision.nobody,
        "without_data": decision.without_data,
        "cheaper_than_none": decision.cheaper_than_none,
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
