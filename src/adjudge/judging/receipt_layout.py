"""How a receipt is laid out: the rows that matter most first, each with what it was worth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from adjudge.count.ledger import as_dicts
from adjudge.data.durations import in_words
from adjudge.judging.event_list import span, time_after
from adjudge.judging.receipt import MOST
from adjudge.tables.table import Column, Layout, Table

if TYPE_CHECKING:
    from adjudge.data.clock import Clock
    from adjudge.judging.receipt import Receipt

    Line = tuple[str, str, str]


def receipt_layout(receipt: Receipt, most: int | None = MOST, hint: str = "") -> Layout:
    """Lay out events by what they lost, alarms by what they cost, and the sums.

    Parameters
    ----------
    receipt : Receipt
        The account of one value.
    most : int or None
        How many events, those that lost most, and how many alarms, the dearest; None: all.
    hint : str
        How to ask for all rows.
    """
    events, alarms = events_by_loss(receipt), alarms_by_cost(receipt)
    most = len(events) + len(alarms) if most is None else most
    lines = [_event_line(row, receipt) for row in events[:most]]
    lines += [_alarm_line(row, receipt) for row in alarms[:most]]
    where, what, worth = zip(*lines, strict=True) if lines else ((), (), ())
    table = Table(
        (
            Column("event or alarm", where, is_text=True),
            Column("what happened", what, is_text=True),
            Column("worth", worth),
        ),
        title_of(receipt),
    )
    hidden = _hidden(len(events) - most, len(alarms) - most, hint)
    return Layout((table,), (*hidden, _counts(receipt), _sums(receipt)))


def events_by_loss(receipt: Receipt) -> list[dict[str, Any]]:
    """The rows of events, those that lost most first."""
    rows = as_dicts(receipt.truth)
    if receipt.better == "higher" or receipt.charges:
        return sorted(rows, key=lambda row: row["credit"] - row["weight"])
    return sorted(rows, key=lambda row: -row["credit"])


def alarms_by_cost(receipt: Receipt) -> list[dict[str, Any]]:
    """The rows of alarms that cost something or are false, the dearest first."""
    rows = as_dicts(receipt.alarms)
    for row, cost in zip(rows, receipt.alarms.cost.tolist(), strict=True):
        row["cost"] = cost
    told = [row for row in rows if row["cost"] or (row["event"] < 0 and not receipt.charges)]
    return sorted(told, key=lambda row: -row["cost"])


def title_of(receipt: Receipt) -> str:
    """The metric, its value and the threshold."""
    above = "" if receipt.at is None else f", flagged above {receipt.at_text}"
    known = "" if math.isnan(receipt.seconds) else f" ({in_words(receipt.seconds * 1e9)})"
    unit = f" {receipt.unit}" if receipt.unit else ""
    return f"{receipt.metric} = {receipt.value:.6g}{unit}{known}{above}"


def _event_line(row: dict[str, Any], receipt: Receipt) -> Line:
    how = "missed"
    if row["found"]:
        how = f"found after {_delay(row, receipt.clock)}, {_percent(row['covered'])} covered"
    return f"event {_interval(row, receipt.clock)}", how, _worth(row, receipt)


def _alarm_line(row: dict[str, Any], receipt: Receipt) -> Line:
    kind = "false" if row["event"] < 0 else f"on event {row['event']}"
    island = {"start": row["island_start"], "stop": row["island_stop"]}
    over = f", charged over {_interval(island, receipt.clock)}"
    own = (row["start"], row["stop"]) == (island["start"], island["stop"])
    verb = "adds" if receipt.charges else "costs"
    where = f"alarm {_interval(row, receipt.clock)}"
    return where, kind + over * (not own), f"{verb} {_amount(row['cost'])}"


def _hidden(events: int, alarms: int, hint: str) -> list[str]:
    said = [
        f"{count:,} more {name}{'s' * (count > 1)}"
        for count, name in ((events, "event"), (alarms, "alarm"))
        if count > 0
    ]
    return [f"{' and '.join(said)}{hint and f' ({hint})'}"] if said else []


def _counts(receipt: Receipt) -> str:
    found, false = int(receipt.truth.found.sum()), int((receipt.alarms.event < 0).sum())
    events, alarms = receipt.truth.start.size, receipt.alarms.start.size
    return f"{found:,} of {events:,} events found, {false:,} of {alarms:,} alarms false"


def _sums(receipt: Receipt) -> str:
    found, truth, right, flagged, _ = receipt.tally
    if receipt.charges:
        events = f"events add {_amount(truth - found)} (weight {_amount(truth)})"
        alarms = f"alarms add {_amount(flagged - right)} (weight {_amount(flagged)})"
    else:
        of = "of" if receipt.better == "higher" else "over a weight of"
        events = f"found {_amount(found)} {of} {_amount(truth)}"
        alarms = f"right {_amount(right)} of {_amount(flagged)} flagged"
    return f"sums: {events}" + (f", {alarms}" if receipt.alarms.start.size else "")


def _worth(row: dict[str, Any], receipt: Receipt) -> str:
    if receipt.charges:
        return f"adds {_amount(row['weight'] - row['credit'])}"
    if receipt.better == "higher":
        return f"earns {_amount(row['credit'])} of {_amount(row['weight'])}"
    return f"counts {_amount(row['credit'])}, weight {_amount(row['weight'])}"


def _interval(row: dict[str, Any], clock: Clock | None) -> str:
    if clock is None:
        return "[{start}, {stop})".format(**row)
    return span(clock.text(row["start"]), clock.text(row["stop"] - 1))


def _delay(row: dict[str, Any], clock: Clock | None) -> str:
    if clock is None:
        return f"{row['delay']:g}"
    return in_words(time_after(clock, row["start"], row["delay"]))


def _amount(mass: float) -> str:
    """A mass: six digits, and of large ones every point."""
    return f"{mass:.6g}" if abs(mass) < 1e6 else f"{mass:.0f}"


def _percent(share: float) -> str:
    """A share in per cent; only none is 0 %, and only all is 100 %."""
    said = f"{100 * share:.0f} %"
    if share not in (0, 1) and said in {"0 %", "100 %"}:
        return "under 1 %" if share < 0.5 else "over 99 %"
    return said
