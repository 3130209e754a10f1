"""A decision in sentences, as JSON, and as the rule to deploy."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.durations import NANOSECONDS, duration, in_words, spelt
from adjudge.errors import InputError, exact
from adjudge.judging.deciding.decision import BUSY, FEWEST_BLOCKS, FEWEST_INCIDENTS, NEVER
from adjudge.measure.thresholds.contract import Rule
from adjudge.tables.glance import Dots, Glance, Mark, Tile
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adjudge.count.costs import Costs
    from adjudge.judging.deciding.decision import Decision
    from adjudge.measure.thresholds.policy import Policy


_DAY = NANOSECONDS["d"]


def sentences(decision: Decision) -> Iterator[str]:
    """Say it in sentences: the choice, what it costs unseen, how sure that is, what to deploy."""
    yield from _too_few(decision)
    yield _begun(decision)
    yield from _left_out(decision)
    yield from _chosen(decision)
    if decision.table.watched.size > 1:
        yield from _unseen(decision)
        yield _sure(decision)
    else:
        one = _blocks(decision, 1)
        yield f"only one {one}: the result on other {one}s is unknown"
    yield from _worth(decision)
    yield from _neighbours(decision)
    yield from _by_miss(decision)
    yield _false_pages(decision)


def layout(decision: Decision) -> Layout:
    """Lay out the choice and what it is worth, the candidates, and the other sentences."""
    names, count = decision.table.names, len(decision.folds)
    rows = [
        [name, f"{often} of {count}", _money(decision, decision.value_of(_number(name, names)))]
        for name, often in decision.chosen.items()
    ]
    what = "cost" if decision.objective.costs is not None else str(decision.objective.metric)
    head = ["candidate", "chosen", f"{what}{_a_week(decision)}, all blocks"]
    lead = (*_too_few(decision), *_chosen(decision), *_worth(decision))
    rest = tuple(one for one in sentences(decision) if one not in lead)
    return Layout((Table.of(head, rows),) if rows else (), rest, lead)


def _number(name: str, names: Sequence[str]) -> int:
    return names.index(name) if name in names else -1


def glance(decision: Decision) -> Glance:
    """The choice, and what it comes to in hindsight, on unseen blocks, and without a detector."""
    found, incidents = decision.found
    unit = _a_week(decision)
    mark = partial(_mark, decision)
    marks = [
        mark("on unseen blocks", decision.honest, decision.low, decision.high),
        mark("in hindsight", decision.per_week),
    ]
    if decision.objective.costs is not None:
        marks += [mark(name, paid) for name, paid in decision.without_data.items()]
    tiles = (
        Tile("choose", decision.choice),
        Tile(f"on unseen blocks{unit}", _money(decision, decision.honest)),
        Tile("incidents found", f"{found:,} of {incidents:,}", "on unseen blocks"),
    )
    what = "Cost" if decision.objective.costs is not None else str(decision.objective.metric)
    return Glance(tiles, Dots(f"{what}{unit}, and its 95 % interval", tuple(marks), None))


def _mark(
    decision: Decision, name: str, value: float, low: float = math.nan, high: float = math.nan
) -> Mark:
    return Mark(name, value, _money(decision, value), low, high)


def _begun(decision: Decision) -> str:
    table = decision.table
    count = table.incidents.sum()
    parts = [
        f"{_watched(decision)} watched",
        f"{count:g} {'incident' if count == 1 else 'incidents'}",
        f"{len(table.names)} {'candidate' if len(table.names) == 1 else 'candidates'}",
    ]
    costs = decision.objective.costs
    if costs is not None:
        parts.append(f"costs: {_prices(costs)}")
    else:
        parts.append(f"the best {decision.objective.metric}")
    if decision.objective.budget is not None:
        parts.append(f"at most {decision.objective.budget} false pages")
    return ", ".join(parts)


def _watched(decision: Decision) -> str:
    count = decision.table.watched.size
    return f"{count} {_blocks(decision, count)}"


def _blocks(decision: Decision, count: int = 2) -> str:
    """What so many blocks are called."""
    words = {"1w": "week", "1d": "day"}
    word, *rest = words.get(decision.block, f"block of {decision.block}").split(" ", 1)
    return " ".join([word + "s" * (count != 1), *rest])


def _prices(costs: Costs) -> str:
    said = [f"miss {costs.miss}", f"false page {costs.false}"]
    if costs.night:
        said[1] += f" (night {costs.false + costs.night})"
    if costs.tells_delay:
        each = str(costs.delay)
        amount, _, unit = each.partition("/")
        words = {"min": "minute", "h": "hour", "s": "second"}.get(unit, unit or "point")
        said.append(f"{words} of delay {amount}")
    return ", ".join(said)


def _money(decision: Decision, value: float) -> str:
    """A cost, or a value of a metric."""
    if math.isnan(value):
        return "undefined"
    if decision.objective.costs is None:
        return f"{value:.3f}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _a_week(decision: Decision) -> str:
    costs = decision.objective.costs
    if costs is None:
        return ""
    words = {"1w": " a week", "1d": " a day", "1h": " an hour"}
    return words.get(costs.per or "1w", f" per {costs.per}")


def _left_out(decision: Decision) -> Iterator[str]:
    table = decision.table
    busy = [name for name, share in zip(table.names, table.busy, strict=True) if share > BUSY]
    if busy:
        why = "fire for over a tenth of the quiet time"
        yield f"left out because they {why}: {', '.join(busy)}"


def _chosen(decision: Decision) -> Iterator[str]:
    if decision.number < 0:
        yield "choose: nothing, no candidate stays within the budget"
        return
    costs = decision.objective.costs is not None
    came = "it would have cost" if costs else f"its {decision.objective.metric} is"
    value = f"{_money(decision, decision.per_week)}{_a_week(decision)}"
    count = decision.table.watched.size
    these = f"{'this' if count == 1 else 'these'} {_blocks(decision, count)}"
    seen = f"On {these}, where it was chosen,"
    yield f"choose: {decision.choice}{_level(decision)}. {seen} {came} {value}."


def _level(decision: Decision) -> str:
    """The threshold that a rule came to."""
    chosen = decision.candidate
    if chosen is None or chosen.policy is None or not isinstance(chosen.policy.at, Rule):
        return ""
    return f", above {chosen.level:.6g}"


def _unseen(decision: Decision) -> Iterator[str]:
    unit, paid = _blocks(decision), [_money(decision, fold.paid) for fold in decision.folds]
    each = f" ({', '.join(paid)})" if len(paid) <= 12 else ""
    before = "choosing on past blocks only" if decision.forward else "choosing like this"
    cost = decision.objective.costs is not None
    verb = "cost" if cost else f"gave {decision.objective.metric}"
    yield (
        f"on unseen {unit}, {before} {verb} "
        f"{_money(decision, decision.honest)}{_a_week(decision)}{each}"
        + (f"; {NEVER} {_money(decision, decision.nobody)}" if cost else "")
    )
    found, incidents = decision.found
    late = decision.delay_minutes
    after = "" if math.isnan(late) else f", {in_words(late * NANOSECONDS['min'])} late on average"
    yield f"there it found {found} of {incidents} incidents{after}; {_flattery(decision)}"


def _flattery(decision: Decision) -> str:
    apart = decision.honest - decision.per_week
    apart = apart if decision.objective.metric.row.better == "lower" else -apart
    if math.isnan(apart) or apart <= 0:
        return "no optimism in hindsight"
    word = "better" if decision.objective.costs is None else "cheaper"
    return f"in hindsight it looked {word} by {_money(decision, apart)}{_a_week(decision)}"


def _too_few(decision: Decision) -> Iterator[str]:
    """Say before all else that there is too little to choose by."""
    incidents = decision.table.incidents.sum()
    if incidents < FEWEST_INCIDENTS:
        yield (
            f"too few incidents to choose: {incidents:g} in {_watched(decision)}, "
            f"{FEWEST_INCIDENTS} needed; treat the following as a hint"
        )


def _sure(decision: Decision) -> str:
    counts = [
        f"{name} was chosen in {n} of {len(decision.folds)}" for name, n in decision.chosen.items()
    ]
    said = ", ".join(counts[:3]) + (
        f", {len(counts) - 3} others in the rest" if len(counts) > 3 else ""
    )
    if decision.enough:
        low, high = (_money(decision, end) for end in decision.interval)
        return f"95 % interval {low} to {high}{_a_week(decision)}; {said}"
    if len(decision.folds) < FEWEST_BLOCKS:
        folds = len(decision.folds)
        few = f"{folds} {_blocks(decision, folds)} {'is' if folds == 1 else 'are'} too few"
        return f"{few} for an interval; {said}"
    return said


def _worth(decision: Decision) -> Iterator[str]:
    if decision.objective.costs is None:
        return
    others = ", ".join(f"{k} {_money(decision, v)}" for k, v in decision.without_data.items())
    said = {True: "it is cheaper than", False: "not significantly cheaper than"}
    sure = said.get(decision.cheaper_than_none, "cannot be compared yet with")  # type: ignore[arg-type]
    yield f"{sure} no detector: {others}{_a_week(decision)}"
    if decision.now is not None:
        name = decision.table.names[decision.now]
        words = {True: "is cheaper than", False: "is not significantly cheaper than"}
        sure = words.get(decision.better_than_now, "cannot be compared yet with")  # type: ignore[arg-type]
        now = _money(decision, decision.value_of(decision.now))
        yield f"it {sure} the present rule, {name}: {now}{_a_week(decision)}"


def _neighbours(decision: Decision) -> Iterator[str]:
    table, number = decision.table, decision.number
    of = "" if decision.objective.costs else f"{decision.objective.metric} "
    for near in decision.neighbours:
        found = near.found - table.found[number].sum()
        false = near.false - table.false[number].sum()
        yield (
            f"with {near.name} instead: {_more(found)} found, {_more(false)} "
            f"{'false alarm' if abs(false) == 1 else 'false alarms'}, "
            f"{of}{_money(decision, near.value)}{_a_week(decision)}"
        )


def _more(count: float) -> str:
    return f"{abs(count):g} {'more' if count >= 0 else 'fewer'}" if count else "as many"


def _by_miss(decision: Decision) -> Iterator[str]:
    best = decision.by_cost_of_a_miss
    costs = decision.objective.costs
    if costs is None or len(best) < 2:
        return
    price = float(costs.miss)
    below = [one for one in best if one.stop <= price][::-1]
    above = [one for one in best if one.start > price]
    said = [f"less than {_money(decision, one.stop)}: {one.name}" for one in below]
    said += [f"more than {_money(decision, one.start)}: {one.name}" for one in above]
    yield f"if a missed incident costs {'; '.join(said)}"


def _false_pages(decision: Decision) -> str:
    table, number = decision.table, decision.number
    counts = np.zeros(table.watched.size) if number < 0 else table.false[number]
    weeks = float(table.blocks.days.sum()) / 7
    total = float(counts.sum())
    low, high = poisson(total)
    said = f"false pages: {total / weeks:.3g} a week ({low / weeks:.2g} to {high / weeks:.2g})" + (
        f", at most {counts.max():g} in one {_blocks(decision, 1)}" if counts.size > 1 else ""
    )
    budget = decision.objective.budget
    if budget is not None:
        per_week = budget.amount / (budget.span / NANOSECONDS["w"])
        kept = "kept" if total / weeks <= per_week else "not kept"
        confirms = "and the interval confirms it", "but the interval does not confirm it"
        sure = confirms[high / weeks > per_week]
        said += f"; the budget of {budget} is {kept}" + (f", {sure}" if kept == "kept" else "")
        over = np.count_nonzero(counts > budget.amount / (budget.span / _DAY) * table.blocks.days)
        said += (
            f"; {over} of the {_blocks(decision)} exceeded it" if over and counts.size > 1 else ""
        )
    if number >= 0 and decision.objective.costs is not None and decision.objective.costs.night:
        said += f"; {table.night[number].sum():g} of {total:g} at night"
    return said


def poisson(count: float) -> tuple[float, float]:
    """The exact 95 % interval of a count.

    >>> [round(end, 2) for end in poisson(6)]
    [2.2, 13.06]
    """
    from scipy.stats import chi2  # noqa: PLC0415 - slow to import, rarely needed

    low = float(chi2.ppf(0.025, 2 * count)) / 2 if count else 0.0
    return low, float(chi2.ppf(0.975, 2 * count + 2)) / 2


def evaluate_line(decision: Decision, file: str = "FILE", how: str = "--time TIME") -> str:
    """The command that judges the choice; ``how``: the options by which its file is read."""
    candidate = decision.candidate
    parts = [f"adjudge evaluate {file} {how}", f"--metric '{decision.objective.metric}'"]
    budget = decision.objective.budget
    if budget is not None:
        parts.append(f"--metric 'false_alarms(per=\"{spelt(budget.span)}\")'")
    if candidate is not None and candidate.policy is not None:
        parts.insert(1, f"--at '{candidate.policy}'")
    return " \\\n    ".join(parts)


def prometheus_rule(decision: Decision, metric: str, name: str) -> str:
    """The choice as a rule of Prometheus; what it cannot say stands in comments.

    Of alerts without a threshold it is what to add to the rule that raises them.
    """
    candidate = decision.candidate
    on_alerts = math.isnan(decision.step)
    if candidate is None or candidate.policy is None or (candidate.level is None and not on_alerts):
        raise InputError(
            f"a rule needs a number as its threshold, got {decision.choice}; give candidates "
            "such as policy(0.8, after='5min')"
        )
    policy, step = replace(candidate.policy, at=candidate.level), decision.step
    times = [
        f"    {word}: {_prometheus_time(length, step)}"
        for word, length in (("for", policy.after), ("keep_firing_for", policy.keep))
        if length not in (0, "0s")
    ]
    if policy.at is None:
        head = [f"# the rule that raises these alerts{', with:' if times else ', as it is'}"]
    else:
        head = ["groups:", "- name: anomalies", "  rules:", f"  - alert: {name}"]
        head.append(f"    expr: {_expression(policy, metric, name, step)}")
    return "\n".join([*_beyond_a_rule(policy, step), *head, *times]) + "\n"


def _expression(policy: Policy, metric: str, name: str, step: float) -> str:
    above = f"{metric} > {exact(policy.at)}"
    if policy.of > 1:
        window = _prometheus_time(policy.of - 1, step)  # ranges are closed at both ends in 2.x
        above = (
            f"sum_over_time(({metric} > bool {exact(policy.at)})[{window}:"
            f"{_prometheus_time(1, step)}]) >= {policy.k}"
        )
    end = policy.clear if policy.drop is None else policy.at - policy.drop
    if end is None:
        return above
    firing = f'ALERTS{{alertname="{name}",alertstate="firing"}}'
    return f"{above} or ({metric} > {exact(end)} and ignoring(alertname, alertstate) {firing})"


def _beyond_a_rule(policy: Policy, step: float) -> list[str]:
    """What Alertmanager does, or nobody."""
    said = []
    if policy.wait is not None and policy.interval is not None:
        wait, interval = (_prometheus_time(one, step) for one in (policy.wait, policy.interval))
        said.append(f"# in Alertmanager: group_wait: {wait}, group_interval: {interval}")
    if policy.cooldown is not None:
        pause = _prometheus_time(policy.cooldown, step)
        said.append(f"# a rule has no cooldown: silence the alert for {pause} after each page")
    said += [f"# {setting} needs hindsight: no rule can do it" for setting in policy.in_hindsight]
    if policy.of > 1:
        said.append("# for Prometheus 2; since 3.0 a range excludes its first instant")
    return said


def _prometheus_time(length: int | str, step: float) -> str:
    """A length as Prometheus writes it."""
    if isinstance(length, str):
        return spelt(duration(length, "length")).replace("min", "m")
    return spelt(round(length * step * NANOSECONDS["s"])).replace("min", "m")
