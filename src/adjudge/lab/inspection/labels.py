"""Checks that need nothing but labels: how many events, how long, where, and by what rule.

Judged points alone count, unless it is said otherwise: a probation in which nothing can be labelled
makes events look late.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.clock import NANOSECONDS
from adjudge.lab.inspection.result import CLEAR, Finding, Suspect, counted, found

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.lab.inspection.result import Found, Level
    from adjudge.lab.inspection.series import InspectedSeries

    Benchmark = Sequence[InspectedSeries]

LONGEST, LABELLED, DENSE = 1 / 3, 0.5, 0.1
"""An event this long, or so many labelled points, are a flaw; the last is only to be known."""
EACH_SIDE = CLEAR / 2
"""Events are said to come late, or early, from this p-value on."""
ALIKE, COMMON, FEWEST = 0.1, 0.5, 5
"""Labels have a fixed size if the labelled share varies less, or so many events are equally long;
below so many series nothing is said."""
STEPS = (100, 50, 10, 5)
_COUNTED = 100_000
"""Orders of the gaps that are counted out; beyond that they are drawn."""
_DRAWN = 9999
_EQUAL = 1e-9
_SINGLE = 1


class LabelFacts(NamedTuple):
    """What the labels of a series are."""

    points: int
    judged: int
    events: int
    share: float
    """Of the judged points, those that are labelled."""
    all_alarm: float
    """F1 of an alarm that is always on: 2 q / (1 + q)."""
    longest: float
    """The longest event, as a share of the judged points."""
    median_length: float
    single: int
    """Events of one point."""
    close: int
    """Gaps between events that are a tenth of the median event or less, or two points."""
    at_start: bool
    at_end: bool
    in_training: int
    """Labelled points in the training part, which is not judged."""

    @property
    def density(self) -> str:
        """In a word: no events, too dense, dense, or fine."""
        if not self.events:
            return "no events"
        if self.longest >= LONGEST or self.share >= LABELLED:
            return "too dense"
        return "dense" if self.share >= DENSE else "fine"


def label_facts(series: InspectedSeries) -> LabelFacts:
    """Sum the labels of a series up."""
    starts, stops = series.events
    lengths, n = series.lengths, max(series.judged, 1)
    share = float(lengths.sum() / n)
    return LabelFacts(
        points=series.n,
        judged=series.judged,
        events=len(starts),
        share=share,
        all_alarm=2 * share / (1 + share),
        longest=float(lengths.max(initial=0) / n),
        median_length=float(np.median(lengths)) if len(lengths) else math.nan,
        single=int(np.count_nonzero(lengths == _SINGLE)),
        close=len(_close_pairs(series)),
        at_start=bool(len(starts) and starts[0] == series.first),
        at_end=bool(len(stops) and stops[-1] == series.n),
        in_training=int(np.count_nonzero(series.labels[: series.first])),
    )


def check_events(benchmark: Benchmark) -> Found:
    """How many events there are, and which series have none."""
    facts = [label_facts(one) for one in benchmark]
    total, without = sum(one.events for one in facts), sum(not one.events for one in facts)
    single = sum(one.single for one in facts)
    if not total:
        return found(
            Finding("events", "flaw", "No series has an event: nothing can be found.", value=0.0)
        )
    says = (
        f"{counted(total, 'event', 'events')} in {len(facts) - without:,} of {len(facts):,} series"
    )
    says += f"; {single:,} of one point" if single else ""
    says += f"; {without:,} series have none, where only false alarms can be judged" * bool(without)
    return found(Finding("events", "look" if without else "fine", f"{says}.", value=float(total)))


def check_density(benchmark: Benchmark) -> Found:
    """Whether so much is labelled that everything is an anomaly (Wu and Keogh 2023)."""
    facts = {one.name: label_facts(one) for one in benchmark}
    rows = [
        Finding(
            "density", "flaw",
            f"{_percent(own.share)} of the judged points are labelled, {_percent(own.longest)} in "
            f"one event: an alarm that is always on has an F1 of {own.all_alarm:.2f}.",
            name, own.share, limit=LABELLED,
        )
        for name, own in facts.items() if own.density == "too dense"
    ]  # fmt: skip
    dense = sum(one.density == "dense" for one in facts.values())
    shares = [one.share for one in facts.values() if one.events]
    if not shares:
        return found(Finding("density", "cannot say", "There are no events."))
    middle = float(np.median(shares))
    says = f"The median series has {_percent(middle)} of its judged points labelled"
    says += f"; {len(rows):,} of {len(shares):,} series are too dense" if rows else ""
    says += f"; in {dense:,} {'others' if rows else 'series'} it is a tenth or more" * bool(dense)
    level: Level = "flaw" if rows else "look" if dense else "fine"
    return found(Finding("density", level, f"{says}.", value=middle, limit=DENSE), *rows)


def check_training(benchmark: Benchmark) -> Found:
    """Whether the training part has labelled points: a detector that learns there learns them."""
    known = [label_facts(one) for one in benchmark if one.first]
    if not known:
        return found(Finding("training", "cannot say", "No training part is known."))
    labelled = sum(one.in_training > 0 for one in known)
    if not labelled:
        says = f"No training part of {len(known):,} has labelled points."
        return found(Finding("training", "fine", says, value=0.0))
    says = f"{labelled:,} of {len(known):,} training parts have labelled points, which are learnt."
    return found(Finding("training", "look", says, value=labelled))


def check_same_labels(benchmark: Benchmark) -> Found:
    """Whether two series have the same labels, point for point."""
    names: dict[bytes, list[str]] = {}
    for one in benchmark:
        if one.labels.any():
            names.setdefault(one.labels.tobytes(), []).append(one.name)
    groups = [own for own in names.values() if len(own) > 1]
    if not groups:
        says = "No two series have the same labels."
        return found(Finding("same labels", "fine", says, value=0.0))
    says = (
        f"{sum(map(len, groups)):,} series share their labels with another, such as "
        f"{_named(groups[0])}: are they one series, or channels of one?"
    )
    return found(Finding("same labels", "look", says, value=len(groups)))


def check_ends(benchmark: Benchmark) -> Found:
    """Whether events touch an end of their series, where nobody knows how long they are."""
    facts = {one.name: label_facts(one) for one in benchmark}
    touching = [name for name, own in facts.items() if own.at_start or own.at_end]
    if not touching:
        return found(Finding("ends", "fine", "No event touches an end of its series.", value=0.0))
    says = f"{counted(len(touching), 'series has', 'series have')} an event that touches an end"
    return found(Finding("ends", "look", f"{says}: {_named(touching)}.", value=len(touching)))


def check_close_events(benchmark: Benchmark) -> Found:
    """Whether events follow so closely that one of them may have been cut in two."""
    suspects = [
        Suspect(
            one.name, start, stop, one.time(start), "cut in two",
            f"two events {counted(gap, 'point', 'points')} apart",
        )
        for one in benchmark for start, stop, gap in _close_pairs(one)
    ]  # fmt: skip
    if not suspects:
        says = "No two events are so close that they may be one."
        return found(Finding("close events", "fine", says, value=0.0))
    pairs = counted(len(suspects), "pair of events is", "pairs of events are")
    says = f"{pairs} a tenth of an event's length apart or less: one event, cut in two?"
    return found(Finding("close events", "look", says, value=len(suspects)), suspects=suspects)


def _close_pairs(series: InspectedSeries) -> list[tuple[int, int, int]]:
    """From the start of the first to the stop of the second event, and the gap between them."""
    starts, stops = series.events
    if len(starts) < 2:
        return []
    limit = max(2.0, 0.1 * float(np.median(series.lengths)))
    gaps = starts[1:] - stops[:-1]
    return [
        (int(starts[k]), int(stops[k + 1]), int(gaps[k])) for k in np.flatnonzero(gaps <= limit)
    ]


@dataclass(frozen=True)
class Position:
    """Whether events lie late or early: the share of the last gap, and how chance places it."""

    series: int
    last_gap: float
    expected: float
    p_late: float
    p_early: float
    orders: int
    """How many orders the gaps have: no p-value is below one of these."""
    draws: int | None
    """How often the gaps were put in another order; None: every order was counted."""


def position(benchmark: Benchmark, seed: int = 0) -> Position | None:
    """Ask whether events lie anywhere, by the order of the gaps around them.

    E events leave E + 1 gaps of normal points, one before each and one after the last. If events
    fall anywhere, every order of the gaps of a series is equally likely, so the last may be any of
    them. The statistic is the mean over series of (last gap / all normal points): small where
    events come late.
    """
    shares = [own for own in map(_gap_shares, benchmark) if own is not None]
    if not shares:
        return None
    seen = sum(float(own[-1]) for own in shares)
    expected = sum(1 / len(own) for own in shares)
    orders = math.prod(len(own) for own in shares)
    if orders <= _COUNTED:
        sums, draws = np.zeros(1), None
        for own in shares:
            sums = (sums[:, np.newaxis] + own).ravel()
        extra = 0
    else:
        rng, draws, extra = np.random.default_rng(seed), _DRAWN, 1
        sums = np.zeros(draws)
        for own in shares:
            sums += own[rng.integers(len(own), size=draws)]
    reached = [np.count_nonzero(sums <= seen + _EQUAL), np.count_nonzero(sums >= seen - _EQUAL)]
    late, early = ((extra + count) / (extra + len(sums)) for count in reached)
    k = len(shares)
    return Position(k, seen / k, expected / k, float(late), float(early), orders, draws)


def _gap_shares(series: InspectedSeries) -> Floats | None:
    """Each gap as a share of the normal points that are judged; None without events or gaps."""
    starts, stops = series.events
    gaps = np.append(starts, series.n) - np.append(series.first, stops)
    return gaps / gaps.sum() if len(starts) and gaps.sum() else None


def check_position(benchmark: Benchmark, seed: int = 0) -> Found:
    """Whether events come late, as they do where things run until they break, or early."""
    own = position(benchmark, seed)
    if own is None or own.orders < 1 / EACH_SIDE:
        says = "There are too few events between normal points to tell."
        return found(Finding("position", "cannot say", says))
    side = "late" if own.p_late <= own.p_early else "early"
    p = min(own.p_late, own.p_early)
    after = f"after the last event come {_percent(own.last_gap)} of the normal points"
    beside = f"{_percent(own.expected)} if events fell anywhere (p {p:.2g})"
    level: Level = "fine" if p > EACH_SIDE else "flaw"
    if level == "fine":
        says = f"Events lie anywhere: {after}, {beside}."
    elif side == "late":
        says = f"Events come late: {after}, {beside}. A detector that trusts the clock gains."
    else:
        says = f"Events come early, or are kept away from the ends: {after}, {beside}."
    return found(
        Finding(
            "position", level, says, None, own.last_gap, own.expected, min(1.0, 2 * p),
            limit=2 * EACH_SIDE, shifts=own.draws, exact=own.draws is None,
        )
    )  # fmt: skip


class Sizes(NamedTuple):
    """How alike the sizes of labels are."""

    series: int
    mean_share: float
    spread: float
    """The coefficient of variation of the labelled share over series."""
    commonest: int
    commonest_share: float
    """How many of all events have the commonest length."""

    @property
    def is_fixed(self) -> bool:
        """Whether a rule has made them."""
        return self.spread < ALIKE or (self.commonest_share >= COMMON and self.commonest > _SINGLE)


def sizes(benchmark: Benchmark) -> Sizes | None:
    """Compare the sizes of all labels, in training too; None with events in too few series."""
    labelled = [one for one in benchmark if one.labels.any()]
    if len(labelled) < FEWEST:
        return None
    shares = np.array([one.labels.mean() for one in labelled])
    lengths = np.concatenate([np.subtract(*one.intervals[::-1]) for one in labelled])
    values, counts = np.unique(lengths, return_counts=True)
    top = int(counts.argmax())
    return Sizes(
        len(labelled), float(shares.mean()), float(shares.std(ddof=1) / shares.mean()),
        int(values[top]), float(counts[top] / len(lengths)),
    )  # fmt: skip


def check_windows(benchmark: Benchmark) -> Found:
    """Whether labels are windows of a fixed size, which say nothing of how long things lasted."""
    own = sizes(benchmark)
    if own is None:
        says = f"Fewer than {FEWEST} series have events."
        return found(Finding("windows", "cannot say", says))
    if own.spread < ALIKE:
        says = (
            f"Every series has about {_percent(own.mean_share)} of its points labelled: labels are "
            "windows of a fixed size. Lengths, coverage and pointwise values say little."
        )
    elif own.is_fixed:
        says = (
            f"{_percent(own.commonest_share)} of all events have {own.commonest:,} points: labels "
            "are windows of a fixed size. Lengths, coverage and pointwise values say little."
        )
    else:
        says = (
            f"Sizes differ: the labelled share varies by {_percent(own.spread)} of its mean over "
            f"series, and {_percent(own.commonest_share)} of all events have the commonest length."
        )
    level: Level = "flaw" if own.is_fixed else "fine"
    return found(Finding("windows", level, says, value=own.spread, limit=ALIKE))


class Rounded(NamedTuple):
    """How many borders lie on round places of one kind."""

    place: str
    seen: int
    borders: int
    share: float
    """Of all places, those that are round."""
    p_value: float


def round_borders(benchmark: Benchmark) -> list[Rounded]:
    """Count the starts, and the stops, that lie on round places, each against the binomial law.

    Starts and stops are counted apart: where lengths are round, one says what the other is.
    """
    from scipy.stats import binom  # noqa: PLC0415 - slow to import

    tries = []
    for side, name in enumerate(("starts", "stops")):
        for step in STEPS:
            on = [_inner_borders(one, side) % step == 0 for one in benchmark]
            tries.append((f"{name} at multiples of {step}", np.concatenate(on), 1 / step))
        for unit, length in (("midnight", 86_400), ("full hours", 3600)):
            tries.append((f"{name} at {unit}", *_by_the_clock(benchmark, side, length)))
    return [
        Rounded(
            name, int(on.sum()), len(on), share, float(binom.sf(int(on.sum()) - 1, len(on), share))
        )
        for name, on, share in tries
        if len(on)
    ]


def _inner_borders(series: InspectedSeries, side: int) -> Positions:
    """Starts, or stops, that are not the ends of the series themselves."""
    own = series.intervals[side]
    return own[(own > 0) & (own < series.n)]


def _by_the_clock(benchmark: Benchmark, side: int, seconds: int) -> tuple[Flags, float]:
    """Which borders lie at a round time, and which share of all points does."""
    on, expected = [np.zeros(0, bool)], 0.0
    for one in benchmark:
        if one.clock is not None:
            is_round = one.clock.instants % (seconds * NANOSECONDS["s"]) == 0
            on.append(is_round[_inner_borders(one, side) - side])  # of a stop, its last point
            expected += float(is_round.mean()) * len(on[-1])
    found = np.concatenate(on)
    return found, min(1.0, expected / max(len(found), 1))


def check_round_borders(benchmark: Benchmark) -> Found:
    """Whether labels begin or end at round places more often than chance does."""
    tries = round_borders(benchmark)
    if not tries:
        return found(Finding("round borders", "cannot say", "No event begins within its series."))
    worst = min(tries, key=lambda one: one.p_value)
    p = min(1.0, worst.p_value * len(tries))
    beside = (
        f"{worst.seen:,} of {worst.borders:,} {worst.place}, by chance "
        f"{worst.borders * worst.share:.3g} (p {p:.2g} after {len(tries)} tries)"
    )
    says = f"Borders are rounded: {beside}." if p <= CLEAR else f"No sign of rounding: {beside}."
    return found(
        Finding(
            "round borders", "flaw" if p <= CLEAR else "fine", says, None,
            worst.seen / worst.borders, worst.share, p, limit=CLEAR, exact=True,
        )
    )  # fmt: skip


def _percent(share: float) -> str:
    """A share in per cent, with two digits or more.

    >>> _percent(0.0989), _percent(0.5), _percent(0.004)
    ('9.9 %', '50 %', '0.4 %')
    """
    return f"{100 * share:.2g} %" if share < 0.0995 else f"{100 * share:.0f} %"


def _named(names: Sequence[str], most: int = 3) -> str:
    """The first few names, and how many more there are.

    >>> _named(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
