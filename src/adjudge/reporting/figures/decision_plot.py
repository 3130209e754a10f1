"""A decision as a picture: costs block by block, by the price of a miss, and net benefit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import word
from adjudge.errors import InputError
from adjudge.judging.deciding.decision import BUSY, NEVER, Decision
from adjudge.reporting.figures.drawing import BLUE, GREEN, ORANGE, axes_for, legend_above, tidy
from adjudge.tables.look import DETECTORS

if TYPE_CHECKING:
    from adjudge._typing import Floats

KINDS = ("blocks", "miss", "net benefit")
_GREY = "0.6"
_NAMED = 5  # candidates that have a colour and a name
_LINES = ("-", (0, (5, 2)), (0, (1, 1)), "-.", (0, (8, 2, 1, 2)))
_LOOKS = [
    {"color": colour, "ls": line} for (colour, _), line in zip(DETECTORS, _LINES, strict=False)
]


def plot_decision(
    decision: Decision, *, ax: Any = None, kind: str = "blocks", width: str | float | None = None
) -> Any:
    """Draw a decision; see `adjudge.Decision.plot`."""
    word(kind, "kind", KINDS)
    if kind != "blocks" and not isinstance(_miss(decision), float):
        raise InputError(f"kind must be 'blocks' without one price of a miss, got {kind!r}")
    with axes_for(ax, (7.5, 4.2), width) as axes:
        tidy(axes)
        {"blocks": _blocks, "miss": _by_miss, "net benefit": _net_benefit}[kind](decision, axes)
        legend_above(axes)
    return axes


def _miss(decision: Decision) -> float | None:
    costs = decision.objective.costs
    return None if costs is None or isinstance(costs.miss, str) else float(costs.miss)


def _blocks(decision: Decision, axes: Any) -> None:
    """What was paid on each block, beside the choice in hindsight and paging nobody."""
    table, paid = decision.table, [fold.paid for fold in decision.folds]
    place = [fold.block + 1 for fold in decision.folds]
    axes.bar(place, paid, color=BLUE, width=0.7, label="chosen on the others, paid on this one")
    if decision.objective.costs is not None:
        nobody = table.worth
        axes.step(np.arange(len(nobody)) + 1, nobody, where="mid", color=_GREY, label=NEVER)
    axes.axhline(
        decision.honest, color=ORANGE, linestyle=(0, (5, 3)), label="mean on unseen blocks"
    )
    axes.axhline(decision.per_week, color=GREEN, linestyle=(0, (1, 2)), label="in hindsight")
    axes.set_xlabel("week" if decision.block == "1w" else f"block of {decision.block}")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_ylabel(
        "cost" if decision.objective.costs is not None else str(decision.objective.metric)
    )


def _lines(decision: Decision) -> tuple[Floats, Floats, list[int]]:
    """What each candidate costs beside its misses, how many it misses, and which are named."""
    table, miss = decision.table, _miss(decision) or 0.0
    missed = table.incidents.sum() - table.found.sum(axis=1)
    sums = table.sums.sum(axis=1)
    rest = sums[:, 1] - sums[:, 0] + sums[:, 3] - sums[:, 2] - miss * missed
    best = [one.name for one in decision.by_cost_of_a_miss]
    named = [table.names.index(name) for name in best]
    return rest, missed, named[-_NAMED:]


def _by_miss(decision: Decision, axes: Any) -> None:
    """The cost of each candidate by the price of a miss; the lowest line is the one to run."""
    table, miss = decision.table, _miss(decision) or 0.0
    rest, missed, named = _lines(decision)
    weeks = float(table.watched.sum())
    prices = np.linspace(0, 2 * miss or 1, 200)
    for number in np.flatnonzero(table.busy <= BUSY).tolist():
        if number not in named:
            axes.plot(
                prices, (rest[number] + prices * missed[number]) / weeks, color="0.88", lw=0.8
            )
    for number, look in zip(named, _LOOKS, strict=False):
        cost = (rest[number] + prices * missed[number]) / weeks
        axes.plot(prices, cost, lw=1.6, **look, label=table.names[number])
    axes.plot(prices, prices * table.incidents.sum() / weeks, color=_GREY, ls="--", label=NEVER)
    axes.axvline(miss, color="black", lw=0.7)
    axes.set_ylim(0, 1.1 * prices[-1] * float(table.incidents.sum()) / weeks)
    axes.set_xlabel("price of a missed incident (line: the price that was given)")
    axes.set_ylabel("cost a week")


def _net_benefit(decision: Decision, axes: Any) -> None:
    """Incidents found a week, less false pages at the exchange rate (Vickers and Elkin 2006)."""
    table, costs = decision.table, decision.objective.costs
    assert costs is not None  # noqa: S101 - its caller has looked
    weeks = float(table.blocks.days.sum()) / 7
    pages = np.geomspace(1, 1000, 200)
    *_, named = _lines(decision)
    for number, look in zip(named, _LOOKS, strict=False):
        found, false = table.found[number].sum(), table.false[number].sum()
        axes.plot(pages, (found - false / pages) / weeks, lw=1.6, **look, label=table.names[number])
    axes.axhline(0, color=_GREY, ls="--", label=NEVER)
    axes.axhline(
        float(table.incidents.sum()) / weeks,
        color=_GREY,
        lw=0.8,
        label="every incident, no false page",
    )
    if costs.false:
        axes.axvline((_miss(decision) or 0.0) / float(costs.false), color="black", lw=0.7)
    axes.set_xscale("log")
    axes.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1,000"])
    axes.minorticks_off()
    axes.set_ylim(-0.3 * table.incidents.sum() / weeks, 1.1 * table.incidents.sum() / weeks)
    axes.set_xlabel("false pages that are worth one more incident (line: by the prices given)")
    axes.set_ylabel("net benefit, incidents a week")
