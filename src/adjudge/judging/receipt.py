"""Receipt: which event earned what, which alarm cost what, and the score they add up to.

How a receipt is laid out: the rows that matter most first, each with what it was worth.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from adjudge.count.ledger import alarms_of, as_dicts, marks_of
from adjudge.data.durations import in_words
from adjudge.judging.judge.events import BESIDE, time_after
from adjudge.judging.words.places import gap_words, span
from adjudge.measure.thresholds.policy import Policy
from adjudge.measure.thresholds.text import extreme_text, threshold_text
from adjudge.metrics.in_time import in_time
from adjudge.metrics.metric import Reading
from adjudge.tables.result import TabledResult
from adjudge.tables.table import Layout, Table, TableColumn
from adjudge.tables.text import text_of

if TYPE_CHECKING:
    from adjudge._typing import Flags, Positions
    from adjudge.count.ledger import AlarmRows, Alarms, Entries, TruthRows
    from adjudge.count.tally import Tally
    from adjudge.data.case import Case
    from adjudge.data.clock import Clock
    from adjudge.metrics.metric import Metric
    from adjudge.tables.glance import Glance

    Line = tuple[str, str, str]

MOST = 10
"""Events, and alarms, that are shown unless another number is asked for."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Account(TabledResult):
    """A value explained row by row: of both sides, as a frame, as text, in a notebook."""

    sides: ClassVar[tuple[str, str]] = ("event", "alarm")
    """What a row of the truth is called, and one of the alarms."""
    first: ClassVar[tuple[str, ...]] = ()
    """Columns that are there whatever the rows hold."""
    has_strip: ClassVar[bool] = False
    """Whether a terminal can draw it: labels and flags are known point by point."""

    metric: str
    """The metric, with every setting resolved."""
    at: float | None
    """The threshold; None when the scores were flags."""
    value: float

    @abstractmethod
    def summary(self) -> dict[str, Any]:
        """What is known besides the rows, as plain values."""

    @abstractmethod
    def rows(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """A row per event, and one per alarm, as plain values."""

    @abstractmethod
    def layout(self, most: int | None = MOST, hint: str = "to_text(most=None)") -> Layout:
        """Lay the account out as tables and sentences.

        Parameters
        ----------
        most, hint : int or None, str
            How many of the rows that matter most (None: all), and how to see the others.
        """

    @property
    def truth(self) -> Any:
        """A row per event."""
        return self.rows()[0]

    @property
    def alarms(self) -> Any:
        """A row per alarm."""
        return self.rows()[1]

    @property
    def sentences(self) -> list[str]:
        """The account in sentences, where it has some."""
        return []

    def to_dict(self) -> dict[str, Any]:
        """The account as plain lists and numbers, with ``truth`` and ``alarms``."""
        head = {"metric": self.metric, "at": self.at, "value": self.value, **self.summary()}
        rows = dict(zip(("truth", "alarms"), self.rows(), strict=True))
        return head | rows | ({"sentences": self.sentences} if self.sentences else {})

    def columns(self) -> dict[str, list[Any]]:
        """Every row of both sides as columns by name; None where a side has no such thing."""
        sides = zip(self.sides, self.rows(), strict=True)
        rows = [{"side": side, **row} for side, own in sides for row in own]
        names = dict.fromkeys((*self.first, *(name for row in rows for name in row)))
        return {name: [row.get(name) for row in rows] for name in names}

    def to_text(self, width: int | None = 80, *, most: int | None = MOST) -> str:
        """The account as text.

        Parameters
        ----------
        width : int or None
            How many characters a line may have.
        most : int or None
            How many rows of each side, those that lost or cost most; None: all.
        """
        return text_of(self.layout(most), width)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Summed(Account):
    """The account of a value that is made of the sums of its rows."""

    entries: Entries
    """What each row weighs and earns."""
    counts: dict[str, int]
    """How many events there are and are found, how many alarms there are and are false."""
    unit: str = ""
    """What the value counts: "seconds" or "points" of delays and distances."""
    seconds: float = math.nan
    """The value in seconds, if it has that unit and the time is known."""

    @property
    def tally(self) -> Tally:
        """The masses that the rows sum to."""
        return self.entries.tally

    def summary(self) -> dict[str, Any]:
        """The unit, the counts and the sums."""
        sums = {name: mass for name, mass in self.tally._asdict().items() if name != "normal"}
        return {"unit": self.unit, "seconds": self.seconds, "counts": self.counts, "sums": sums}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Receipt(Summed):
    """The breakdown of one value: what each event earned and each alarm cost.

    ``truth`` has one row per event (found, covered, delay, weight, credit), ``alarms`` one per
    alarm, or per part of it that the metric counts (its island, weight, credit, cost). The sums of
    weights and credits are the ``tally``, and the value is the metric's measure of that: nothing
    else enters. ``counts`` says how many events are found, and how many alarms, flagged runs by
    every metric, are false.

    Attributes
    ----------
    metric, value, at : str, float, float or None
        The metric with every setting resolved, its value, and the threshold.
    truth, alarms : rows
        What each event earned, and what each alarm cost.
    tally : Tally
        What the rows sum to.
    flags, adjusted, labels : array of bool
        What was flagged, what was counted as flagged, and the truth.

    Examples
    --------
    >>> import adjudge as aj
    >>> receipt = aj.explain([0, 1, 1, 0], [0, 1, 0, 0], "f1")
    >>> receipt.value, receipt.truth.credit, receipt.tally.found
    (0.6666666666666666, array([1]), 1)
    """

    has_strip = True
    first = (
        "side", "start", "stop", "found", "covered", "delay", "event", "island_start",
        "island_stop", "weight", "credit", "cost",
    )  # fmt: skip

    flags: Flags
    adjusted: Flags
    labels: Flags
    runs: Alarms
    """The alarms: maximal runs of flagged points, and which of them are false."""
    case: Case
    """The labels and scores that were judged: what a picture is drawn from."""
    better: str = "higher"
    """Whether credits are earned, or add to a cost ("lower")."""
    charges: bool = False
    """Whether a row adds its cost, weight less credit, to the value: a distance."""
    clock: Clock | None = None
    """When each point was, if that is known."""
    positions: bool = False
    """Whether changes and alarms are positions, without a length."""
    no_room: frozenset[int] = frozenset()
    """Changes that no alarm can find: their windows hold no point of the series."""
    pending: Positions | None = None
    """Of a policy that waits: since when the alert at each point was pending, -1 where none is."""

    @property
    def truth(self) -> TruthRows:
        """One row per event."""
        return self.entries.truth

    @property
    def alarms(self) -> AlarmRows:
        """One row per alarm."""
        return self.entries.alarms

    @property
    def regimes(self) -> bool:
        """Whether the rows are the regimes between changes, not the changes themselves."""
        return self.positions and not np.isnan(self.truth.covered).all()

    @property
    def at_text(self) -> str:
        """The threshold in so few digits that it still flags the same points."""
        return threshold_text(self.at, self.case)

    def rows(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """A row per event, and one per alarm, as plain values."""
        truth, alarms = as_dicts(self.truth), self.alarms.with_cost
        if self.pending is not None:
            for row in alarms:
                row["pending_since"] = self.since(row["start"], row["stop"])
        if self.clock is not None:
            for row in (*truth, *alarms):
                row["from"] = self.clock.text(row["start"])
                row["to"] = self.clock.text(row["stop"] - 1)
        return truth, alarms

    def since(self, start: int, stop: int) -> int | None:
        """Since which point the first alert among some points was pending; None: it did not wait.

        Parameters
        ----------
        start, stop : int
            Which points.
        """
        fired = np.flatnonzero(self.flags[start:stop])
        if self.pending is None or not fired.size:
            return None
        return int(self.pending[start + fired[0]])

    def strip(self, start: int = 0, stop: int | None = None) -> str:
        """Draw labels, flags and what became of them, one character per point.

        Parameters
        ----------
        start, stop : int
            Which points. Default: all.

        Examples
        --------
        >>> import adjudge as aj
        >>> receipt = aj.explain([0, 0, 0, 1, 1, 1, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0], "f1_ba")
        >>> print(receipt.strip())
        labels   ...###..
        flags    !...^...
        counted  !-.^^^..
        """
        span = slice(start, stop)
        truth, flags, counted = self.labels[span], self.flags[span], self.adjusted[span]
        rows = {
            "labels": np.where(truth, "#", "."),
            "flags": np.where(flags, np.where(truth, "^", "!"), "."),
            "counted": np.where(counted, np.where(truth, "^", np.where(flags, "!", "-")), "."),
        }
        return "\n".join(f"{name:<9}{''.join(row)}" for name, row in rows.items())

    def plot(self, *, ax: Any = None, width: str | float | None = None) -> Any:
        """Draw scores, threshold, events, hits, and false alarms with their islands, over time.

        However many points there are, every alarm and every event stays visible.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.
        width : str or float, optional
            Of the new figure on paper: ``"ieee1"``, ``"ieee2"``, ``"neurips"``, or centimetres.

        Returns
        -------
        matplotlib Axes
        """
        from adjudge.reporting.figures.receipt_plot import plot_receipt  # noqa: PLC0415 - draws

        return plot_receipt(self, ax=ax, width=width)

    def glance(self) -> Glance:
        """The value, what it counts, and events and alarms over time."""
        from adjudge.judging.glances import glance_of_receipt  # noqa: PLC0415 - for notebooks

        return glance_of_receipt(self)

    def layout(self, most: int | None = MOST, hint: str = "to_text(most=None)") -> Layout:
        """Lay out events by what they lost, alarms by what they cost, and the sums.

        Parameters
        ----------
        most, hint : int or None, str
            How many of the rows that matter most (None: all), and how to see the others.
        """
        events, alarms = events_by_loss(self), alarms_by_cost(self)
        most = len(events) + len(alarms) if most is None else most
        lines = [_event_line(row, self) for row in events[:most]]
        lines += [_alarm_line(row, self) for row in alarms[:most]]
        cells = zip(*lines, strict=True) if lines else ((), (), ())
        head = ("event or alarm", True), ("what happened", True), ("worth", False)
        columns = (
            TableColumn(name, own, is_text=text)
            for (name, text), own in zip(head, cells, strict=True)
        )
        table = Table(tuple(columns), title_of(self))
        hidden = _hidden(len(events) - most, len(alarms) - most, hint)
        said = filter(None, [gap_words(self.case.events)])
        return Layout((table,), (*hidden, *said, _counts(self), *_extreme(self), _sums(self)))


def explain_case(
    metric: Metric, case: Case, at: Any = None, *, before: tuple[Policy, Case] | None = None
) -> Receipt:
    """The receipt of a metric on a case; ``before``: a policy, and the scores it made it of."""
    if isinstance(metric.at, Policy):
        before = metric.at, case
    placed, case = metric.with_default_threshold(at).apply_policy(case)
    entries, flags, at = placed.entries(case)
    measure, adjust, counting = metric.on(case.events).parts
    *_, (_, widest) = adjust.layers(case.events)
    positions, truth = metric.row.positions, entries.truth
    tells_false = counting is not None and counting.tells_false
    found = marks_of if positions else alarms_of
    runs = found(flags, case.events, entries.alarms, tells_false=tells_false)
    value = float(measure(entries.tally))
    timed = in_time(placed, case, Reading(value, at, "given"))
    counts = {
        "events": len(truth.start), "found": int(np.count_nonzero(truth.found)),
        "alarms": len(runs.start), "false_alarms": int(np.count_nonzero(runs.false)),
    }  # fmt: skip
    return Receipt(
        metric=metric.resolved_spec(case.events), at=at, value=value, entries=entries,
        counts=counts, unit=timed.unit, seconds=timed.seconds, flags=flags,
        adjusted=widest(flags, case.events), labels=case.events.labels, runs=runs, case=case,
        better=metric.row.better, charges=counting is not None and counting.charges,
        clock=case.events.clock, positions=positions,
        no_room=frozenset() if counting is None else counting.no_room(case.events),
        pending=None if before is None else before[0].pending_since(before[1], at),
    )  # fmt: skip


def events_by_loss(receipt: Receipt) -> list[dict[str, Any]]:
    """The rows of events, those that lost most first."""
    rows = as_dicts(receipt.truth)
    if receipt.better == "higher" or receipt.charges:
        return sorted(rows, key=lambda row: row["credit"] - row["weight"])
    return sorted(rows, key=lambda row: -row["credit"])


def alarms_by_cost(receipt: Receipt) -> list[dict[str, Any]]:
    """The rows of alarms that cost something or are false, the dearest first."""
    listed = [
        row
        for row in receipt.alarms.with_cost
        if row["cost"] or (row["event"] < 0 and not receipt.charges)
    ]
    return sorted(listed, key=lambda row: -row["cost"])


def title_of(receipt: Receipt) -> str:
    """The metric, its value and the threshold."""
    above = "" if receipt.at is None else f", flagged above {receipt.at_text}"
    known = "" if math.isnan(receipt.seconds) else f" ({in_words(receipt.seconds * 1e9)})"
    unit = f" {receipt.unit}" if receipt.unit else ""
    return f"{receipt.metric} = {receipt.value:.6g}{unit}{known}{above}"


def _event_line(row: dict[str, Any], receipt: Receipt) -> Line:
    if receipt.positions and not receipt.regimes:
        where = f"change at {_place(row['start'], receipt.clock)}"
        how = "missed: no point in its window" if row["start"] in receipt.no_room else ""
        return where, how or _found_by(row, receipt.clock), _worth(row, receipt)
    if receipt.positions:
        where = f"regime {_interval(row, receipt.clock)}"
        return where, f"{_percent(row['covered'])} overlap", _worth(row, receipt)
    covered = f", {_percent(row['covered'])} covered"
    how = "missed" + covered * (row["covered"] > 0)
    if row["found"]:
        beside = math.isnan(row["delay"])
        how = BESIDE if beside else f"found after {_delay(row, receipt.clock)}{covered}"
        how += _waited(row, receipt)
    return f"event {_interval(row, receipt.clock)}", how, _worth(row, receipt)


def _found_by(row: dict[str, Any], clock: Clock | None) -> str:
    """Say which alarm found a change, and how early or late it was."""
    if math.isnan(row["delay"]):
        return "found" if row["found"] else "missed"
    late = row["delay"]
    amount = _delay({"start": row["start"], "delay": late}, clock).removeprefix("-")
    timing = "" if late == 0 else f", {amount} {'late' if late > 0 else 'early'}"
    return f"alarm at {_place(row['start'] + int(late), clock)}{timing}"


def _place(point: int, clock: Clock | None) -> str:
    return f"{point}" if clock is None else clock.text(point)


def _alarm_line(row: dict[str, Any], receipt: Receipt) -> Line:
    if receipt.positions and not receipt.regimes:
        where = f"alarm at {_place(row['start'], receipt.clock)}"
        kind = "false" if row["event"] < 0 else "not needed"
        return where, kind, f"costs {_amount(row['cost'])}"
    if receipt.positions:
        where = f"reported {_interval(row, receipt.clock)}"
        how = f"{_percent(row['credit'] / row['weight'])} overlap"
        return where, how, f"costs {_amount(row['cost'])}"
    kind = _kind(row, receipt.runs)
    island = {"start": row["island_start"], "stop": row["island_stop"]}
    over = f", charged over {_interval(island, receipt.clock)}"
    own = (row["start"], row["stop"]) == (island["start"], island["stop"])
    verb = "adds" if receipt.charges else "costs"
    where = f"alarm {_interval(row, receipt.clock)}"
    how = kind + over * (not own) + _waited(row, receipt)
    return where, how, f"{verb} {_amount(row['cost'])}"


def _waited(row: dict[str, Any], receipt: Receipt) -> str:
    """Say since when an alert was pending, if its policy waits."""
    since = receipt.since(row["start"], row["stop"])
    return "" if since is None else f", pending since {_place(since, receipt.clock)}"


def _kind(row: dict[str, Any], alarms: Alarms) -> str:
    """Say what a row of the alarm side is: an alarm on an event, a false one, or a part of one."""
    if row["event"] >= 0:
        return f"on event {row['event']}"
    own = int(np.searchsorted(alarms.start, row["start"], side="right")) - 1
    if own < 0 or row["start"] >= alarms.stop[own] or alarms.false[own]:
        return "false"
    event = int(alarms.event[own])
    return "near an event" if event < 0 else f"beyond event {event}"


def _hidden(events: int, alarms: int, hint: str) -> list[str]:
    hidden = [
        f"{count:,} more {name}{'s' * (count > 1)}"
        for count, name in ((events, "event"), (alarms, "alarm"))
        if count > 0
    ]
    return [f"{' and '.join(hidden)}{hint and f' ({hint})'}"] if hidden else []


def _extreme(receipt: Receipt) -> list[str]:
    """Say that nothing or everything is flagged."""
    flagged = int(receipt.flags.sum())
    note = extreme_text(receipt.at, flagged, *receipt.case.score_range)
    return [note] if note else []


def _counts(receipt: Receipt) -> str:
    if receipt.regimes:
        return "{found:,} of {events:,} regimes overlap by more than half".format(**receipt.counts)
    what = "changes" if receipt.positions else "events"
    sentence = "{found:,} of {events:,} {what} found"
    if receipt.alarms.start.size or not receipt.positions:
        sentence += ", {false_alarms:,} of {alarms:,} alarms false"
    return sentence.format(what=what, **receipt.counts)


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
    text = f"{100 * share:.0f} %"
    if share not in (0, 1) and text in {"0 %", "100 %"}:
        return "under 1 %" if share < 0.5 else "over 99 %"
    return text
